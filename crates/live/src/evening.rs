//! The next evening: the characters that are carried on, and their players.

use crate::auth::{self, Secret};
use crate::command::{Called, Command};
use crate::hall::{Hall, HallError, Opened};
use crate::pass::{self, Maker, PassError, Wish};
use crate::{room::Room, settings::Settings};
use fracas_kernel::{Document, FALLEN, Faults, Seat, Setup, System, Viewer};
use fracas_store::{Db, Hash, Member, Named, PassKind, Standing, TableId};
use fracas_systems::{Comer, Scene};
use fracas_table::{Cast, OpenError, Reader, carry, cast};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The characters that go on from a table to the next evening.
pub struct Carried {
    /// The system.
    pub system: System,
    /// The table's title.
    pub title: String,
    json: Value,
    document: Document,
    cast: Vec<Cast>,
    settings: Settings,
}

/// The characters that an encounter is played with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Party {
    /// All who are carried on, in place of the encounter's own.
    Ours,
    /// The encounter's own; those of them who are carried on come as they are now.
    Its,
}

/// The next evening, ready to be opened.
pub struct Evening {
    system: System,
    setup: Setup,
    settings: Settings,
    places: Places,
}

/// The seats with the same characters: before, and now.
pub struct Places(BTreeMap<Seat, Seat>);

impl Carried {
    /// The characters as a table stands; `None` if its system has no next evening.
    ///
    /// # Errors
    /// If the table is no longer open, or cannot be played again.
    pub async fn of(room: &Room) -> Result<Option<Carried>, HallError> {
        let look = room.look(|table, settings| (table.log().clone(), settings.clone()));
        let (log, settings) = look.ok_or(HallError::Absent)?;
        let taken = tokio::task::spawn_blocking(move || {
            let carried = carry(&log, fracas_systems::all());
            (log, carried)
        });
        let (log, json) = taken.await?;
        let Some(json) = json? else { return Ok(None) };
        let header = log.header();
        let system = fracas_systems::find(&header.system).copied().ok_or(HallError::Absent)?;
        let document = Document::toml(log.name(), &fracas_kernel::toml(&json)).map_err(OpenError::from)?;
        let (title, cast) = (header.title.clone(), log.cast());
        Ok(Some(Carried { system, title, json, document, cast, settings }))
    }

    /// The characters that come along, each with the latest about them.
    pub fn comers(&self) -> Vec<(String, String)> {
        entries(&self.json, "character").map(told_of).collect()
    }

    /// The characters that have died, in the same form.
    pub fn fallen(&self) -> Vec<(String, String)> {
        entries(&self.json, FALLEN).map(told_of).collect()
    }

    /// All that is carried on, as a library in TOML.
    pub fn toml(&self) -> String {
        fracas_kernel::toml(&self.json)
    }

    /// One of the characters that come along, in TOML.
    pub fn character_toml(&self, name: &str) -> Option<String> {
        let entry = entries(&self.json, "character").find(|entry| text(entry, "name") == name)?;
        Some(fracas_kernel::toml(&json!({ "character": [entry] })))
    }

    /// An encounter in which nothing is under way yet.
    pub fn blank(&self) -> Document {
        Scene { title: self.title.clone(), comers: Vec::new() }.document(&self.system)
    }

    /// The default title of the next table.
    pub fn next_title(&self) -> String {
        format!("{}, another evening", self.title)
    }

    /// The next evening with this setup.
    ///
    /// # Errors
    /// All faults of the setup with the characters that are carried on.
    pub fn next(&self, setup: Setup, party: Party) -> Result<Evening, Faults> {
        let setup = match party {
            Party::Ours => self.with_ours(setup),
            Party::Its => setup,
        };
        let setup = setup.with(vec![self.document.clone()])?;
        let game = (self.system.start)(&setup)?;
        let places = Places::same(&self.cast, &cast(game.as_ref()));
        Ok(Evening { system: self.system, setup, settings: self.settings_for(&places), places })
    }

    /// An encounter with the characters that are carried on in place of its own.
    fn with_ours(&self, setup: Setup) -> Setup {
        let comers = entries(&self.json, "character").enumerate().map(|(at, entry)| {
            let player = match text(entry, "player") {
                "" => format!("Player {}", at + 1),
                player => player.to_owned(),
            };
            Comer { name: text(entry, "name").to_owned(), player: Some(player), count: 1 }
        });
        Scene { title: String::new(), comers: comers.collect() }.in_place_of_its_own(setup, &self.system)
    }

    /// The settings of the table, and of the seats that are taken over.
    fn settings_for(&self, places: &Places) -> Settings {
        let before = &self.settings;
        let again =
            |seats: &BTreeSet<Seat>| seats.iter().filter_map(|was| places.0.get(was).copied()).collect();
        Settings {
            bots: before.bots.iter().filter_map(|(was, bot)| Some((*places.0.get(was)?, *bot))).collect(),
            throws: again(&before.throws),
            passes: again(&before.passes),
            host: before.host.and_then(|was| places.0.get(&was).copied()),
            paused: false,
            nudged: BTreeSet::new(),
            tallies: Vec::new(),
            next: None,
            branch_of: None,
            ..before.clone()
        }
    }
}

fn entries<'j>(json: &'j Value, list: &str) -> impl Iterator<Item = &'j Value> {
    json[list].as_array().into_iter().flatten()
}

fn text<'j>(entry: &'j Value, field: &str) -> &'j str {
    entry[field].as_str().unwrap_or_default()
}

fn told_of(entry: &Value) -> (String, String) {
    let last = entries(entry, "history").filter_map(Value::as_str).last();
    (text(entry, "name").to_owned(), last.unwrap_or_default().to_owned())
}

impl Evening {
    /// Opens the evening's table, where nobody sits yet; see [`crate::hall::Hall::create`].
    ///
    /// # Errors
    /// If it cannot be opened or saved.
    pub async fn open(
        self,
        hall: &Hall,
        title: String,
        named: Option<Named>,
    ) -> Result<(Opened, Places), HallError> {
        let opened = hall.create(self.system, self.setup, title, self.settings, named).await?;
        Ok((opened, self.places))
    }
}

/// The name under which the next evening is opened.
///
/// Requests until the table goes on beyond `after` have one name, and so lead to the same
/// table, whatever they ask for.
///
/// # Errors
/// If the system gives no random numbers.
pub fn named(from: &TableId, after: &str) -> Result<Named, HallError> {
    let mut salt = [0; 32];
    getrandom::fill(&mut salt).map_err(|_| HallError::Chance)?;
    let name = Sha256::digest(format!("another evening\0{from}\0{after}")).into();
    Ok(Named { name, asked: [0; 32], salt })
}

/// The secret derived from an evening's name.
pub fn secret(named: &Named) -> Secret {
    Secret::following(&Sha256::digest([&b"another evening"[..], &named.salt].concat()).into())
}

impl Places {
    fn same(before: &[Cast], now: &[Cast]) -> Places {
        let plays = |now: &&Cast, was: &Cast| now.plays.iter().any(|name| was.plays.contains(name));
        let again = |was: &Cast| {
            let now = match was.seat {
                Seat::Gm => Seat::Gm,
                _ => now.iter().find(|now| plays(now, was))?.seat,
            };
            Some((was.seat, now))
        };
        let dice = (Seat::Chance, Seat::Chance);
        Places(before.iter().filter_map(again).chain([dice]).collect())
    }

    /// Brings the people of this table along: to the seats of their characters, or to watch.
    /// Under a name, each is brought once; an interrupted attempt is continued.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn bring(
        &self,
        db: &Db,
        from: &Arc<Room>,
        to: &Room,
        named: Option<&Secret>,
    ) -> Result<(), PassError> {
        // The note is written last: it means that all people are there. This key is longer
        // than those of programs may be.
        let key = named.map(|secret| format!("next {}", auth::written(&secret.hash())));
        let gm = Viewer::Seat(Seat::Gm);
        if let Some(key) = &key
            && db.done_before(&from.id, &gm.to_string(), key).await?.is_some()
        {
            return Ok(());
        }
        let mut passes = BTreeMap::new();
        for member in db.members(&from.id).await? {
            let role = match member.role {
                Viewer::Spectator => Some(Viewer::Spectator),
                Viewer::Seat(seat) => self.0.get(&seat).map(|now| Viewer::Seat(*now)),
            };
            let Some(role) = role.filter(|_| member.standing == Standing::Admitted) else { continue };
            // The opener is the gamemaster already, and others may have come before.
            if db.roles(&to.id, &member.browser).await?.iter().any(|place| place.role == role) {
                continue;
            }
            let pass = match passes.get(&role) {
                Some(pass) => *pass,
                None => *passes.entry(role).or_insert(pass_for(db, to, role, named).await?),
            };
            // A person who was removed there meanwhile stays out.
            let Some(pass) = pass else { continue };
            let (table, since) = (to.id.clone(), auth::now());
            db.put_member(Member { table, role, pass: Some(pass), since, seen: 0, ..member }).await?;
        }
        from.set(|settings| settings.next = Some(to.id.clone())).await?;
        let gone_on = "We go on at another table: you find it among your tables on the front page.";
        let note = Command::Note { to: Reader::All, text: gone_on.to_owned() };
        // If the note cannot be written, the table exists all the same.
        let _ = from.command(gm, key.map(Called::from), note).await;
        Ok(())
    }
}

/// The pass by which the people in a role can be removed again. `None` if it was revoked
/// already.
async fn pass_for(
    db: &Db,
    to: &Room,
    role: Viewer,
    named: Option<&Secret>,
) -> Result<Option<Hash>, PassError> {
    let label = "from the evening before".to_owned();
    let named = named.map(|secret| secret.called(&format!("brought {}", auth::role_name(role))));
    let wish = Wish { kind: PassKind::Invite, role, label, maker: Maker::Opening, named };
    match pass::make(db, to, wish).await {
        Ok(secret) => Ok(Some(secret.hash())),
        Err(PassError::TakenBack) => Ok(None),
        Err(error) => Err(error),
    }
}
