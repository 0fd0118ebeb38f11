//! From this evening to another: who is carried on, and with whom they are played.

use super::{
    Trouble,
    open::{is_offered, open_table, told},
    papers::{desk, keep, own},
    seat::Seated,
    serde_urlencoded, shown,
};
use crate::{
    app::App,
    auth::{self, Secret},
    page::{self, Evening, Note},
    papers,
    room::{Command, Room},
    settings::Settings,
};
use axum::{
    extract::State,
    http::HeaderMap,
    response::{Html, IntoResponse, Redirect, Response},
};
use fracas_kernel::{Document, FALLEN, Seat, Setup, System, Viewer};
use fracas_store::{Member, NewPass, PassKind, Standing};
use fracas_systems::{Comer, Scene, Sort};
use fracas_table::{Cast, Reader, carry, cast};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// What a table's characters take into another evening.
struct Carried {
    system: System,
    title: String,
    json: Value,
    document: Document,
    cast: Vec<Cast>,
    settings: Settings,
}

async fn carried(room: &Room) -> Result<Carried, Trouble> {
    let look = room.look(|table, settings| (table.log().clone(), settings.clone()));
    let (log, settings) = look.ok_or_else(Trouble::absent)?;
    let taken = tokio::task::spawn_blocking(move || {
        let carried = carry(&log, fracas_systems::all());
        (log, carried)
    });
    let (log, json) = taken.await.map_err(Trouble::broken)?;
    let json = json.map_err(Trouble::broken)?;
    let json = json.ok_or_else(|| Trouble::bad("this system knows no other evening"))?;
    let header = log.header();
    let system = fracas_systems::find(&header.system).copied().ok_or_else(Trouble::absent)?;
    let document = Document::toml(log.name(), &fracas_kernel::toml(&json)).map_err(Trouble::broken)?;
    Ok(Carried { system, title: header.title.clone(), json, document, cast: log.cast().to_vec(), settings })
}

fn entries<'j>(json: &'j Value, list: &str) -> impl Iterator<Item = &'j Value> {
    json[list].as_array().into_iter().flatten()
}

fn text<'j>(entry: &'j Value, field: &str) -> &'j str {
    entry[field].as_str().unwrap_or_default()
}

/// Somebody who is carried on, as the page tells it.
fn told_of(entry: &Value) -> (String, String) {
    let last = entries(entry, "history").filter_map(Value::as_str).last();
    (text(entry, "name").to_owned(), last.unwrap_or_default().to_owned())
}

async fn shown_next(
    app: &App,
    headers: &HeaderMap,
    seated: &Seated,
    carried: &Carried,
    note: &Note,
) -> Result<Html<String>, Trouble> {
    let encounters = fracas_systems::encounters(&carried.system).map_err(Trouble::broken)?;
    let mut own = own(app, headers).await?;
    own.retain(|paper| is_offered(paper) && paper.system == carried.system.id);
    Ok(shown(page::next(&Evening {
        base: &seated.base,
        title: &carried.title,
        comers: &entries(&carried.json, "character").map(told_of).collect::<Vec<_>>(),
        fallen: &entries(&carried.json, FALLEN).map(told_of).collect::<Vec<_>>(),
        encounters: &encounters,
        own: &own,
        note,
    })))
}

/// Who comes along, and where to?
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
) -> Result<Html<String>, Trouble> {
    let seated = seated.gm()?;
    let carried = carried(&seated.room).await?;
    shown_next(&app, &headers, &seated, &carried, &Note::default()).await
}

/// Whose characters an encounter is played with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Party {
    /// Everybody who is carried on, in place of its own.
    Ours,
    /// Its own, and those of them who are carried on as they are now.
    Its,
}

/// The next evening's setup: what was chosen, with those who are carried on.
async fn setup(
    app: &App,
    headers: &HeaderMap,
    carried: &Carried,
    (chosen, party): (&str, Party),
) -> Result<Result<Setup, fracas_kernel::Faults>, Trouble> {
    let system = &carried.system;
    let papers = own(app, headers).await?;
    let made = match chosen.split_once(':') {
        Some(("bundled", id)) => fracas_systems::setup(system, id).ok_or_else(Trouble::absent)?,
        Some(("paper", id)) => {
            let desk = desk(app, headers, id).await?;
            if desk.system.id != system.id {
                return Err(Trouble::bad("that encounter is for another system"));
            }
            papers::setup(&desk.papers, &desk.paper, system)
        }
        _ => {
            let scene = Scene { title: carried.title.clone(), comers: Vec::new() };
            papers::drawn_on(&papers, system, None)
                .map(|library| Setup { encounter: scene.document(system), library })
        }
    };
    let ours = |setup: Setup| match party {
        Party::Ours => with_ours(setup, carried),
        Party::Its => setup,
    };
    Ok(made.map(ours).and_then(|setup| setup.with(vec![carried.document.clone()])))
}

/// An encounter with everybody who is carried on in place of its own characters.
fn with_ours(setup: Setup, carried: &Carried) -> Setup {
    let comers = entries(&carried.json, "character").enumerate().map(|(at, entry)| {
        let player = match text(entry, "player") {
            "" => format!("Player {}", at + 1),
            player => player.to_owned(),
        };
        Comer { name: text(entry, "name").to_owned(), player: Some(player), count: 1 }
    });
    let scene = Scene { title: String::new(), comers: comers.collect() };
    let party = scene.encounter(&carried.system);
    let mut json = setup.encounter.to_json();
    for list in ["player", "character"] {
        json[list] = party.get(list).cloned().unwrap_or_else(|| json!([]));
    }
    Setup { encounter: Document::json(setup.encounter.name().to_owned(), &json), ..setup }
}

/// The seats whose characters are the same in both casts: before, and now.
fn same_seats(before: &[Cast], now: &[Cast]) -> BTreeMap<Seat, Seat> {
    let plays = |now: &&Cast, was: &Cast| now.plays.iter().any(|name| was.plays.contains(name));
    let again = |was: &Cast| {
        let now = match was.seat {
            Seat::Gm => Seat::Gm,
            _ => now.iter().find(|now| plays(now, was))?.seat,
        };
        Some((was.seat, now))
    };
    before.iter().filter_map(again).collect()
}

/// Opens the next evening's table; whoever sat here sits there, where their
/// character comes along.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let form = serde_urlencoded(&body);
    let get = |name: &str| form.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value.trim());
    let carried = carried(&seated.room).await?;
    let chosen = get("encounter");
    let party = if get("party") == "its" && !chosen.is_empty() { Party::Its } else { Party::Ours };
    let started = setup(&app, &headers, &carried, (chosen, party)).await?.and_then(|setup| {
        let game = (carried.system.start)(&setup)?;
        Ok((setup, cast(game.as_ref())))
    });
    let refused = match started {
        Ok((setup, now)) => {
            let seats = same_seats(&carried.cast, &now);
            let title: String = match get("title") {
                "" => format!("{}, another evening", carried.title),
                title => title.to_owned(),
            };
            let title = title.chars().take(80).collect();
            let opened =
                open_table(&app, seated.browser, carried.system, setup, title, settings(&carried, &seats));
            match opened.await? {
                Ok(room) => {
                    bring(&app, &seated.room, &room, &seats).await?;
                    return Ok(Redirect::to(&format!("/t/{}/gm", room.id)).into_response());
                }
                Err(faults) => faults,
            }
        }
        Err(faults) => faults,
    };
    Ok(shown_next(&app, &headers, &seated, &carried, &told(&refused)).await?.into_response())
}

/// What was set for the seats that are taken over.
fn settings(carried: &Carried, seats: &BTreeMap<Seat, Seat>) -> Settings {
    let before = &carried.settings;
    let mut settings = Settings { door: before.door, ..Settings::default() };
    for (was, now) in seats {
        settings.bots.extend(before.bots.get(was).map(|bot| (*now, *bot)));
        settings.throws.extend(before.throws.contains(was).then_some(*now));
    }
    settings
}

/// Whoever was let in comes along: to the seat of their character, or to watch.
async fn bring(app: &App, from: &Arc<Room>, to: &Room, seats: &BTreeMap<Seat, Seat>) -> Result<(), Trouble> {
    let mut passes = BTreeMap::new();
    for member in app.db.members(&from.id).await? {
        let role = match member.role {
            Viewer::Spectator => Some(Viewer::Spectator),
            Viewer::Seat(seat) => seats.get(&seat).map(|now| Viewer::Seat(*now)),
        };
        let Some(role) = role.filter(|_| member.standing == Standing::Admitted) else { continue };
        // Whoever opened it is its gamemaster already.
        let opener =
            role.is_gm() && app.db.roles(&to.id, &member.browser).await?.iter().any(|it| it.role == role);
        if opener {
            continue;
        }
        let pass = match passes.get(&role) {
            Some(pass) => *pass,
            None => *passes.entry(role).or_insert(pass_for(app, to, role).await?),
        };
        let (table, since) = (to.id.clone(), auth::now());
        app.db.put_member(Member { table, role, pass: Some(pass), since, seen: 0, ..member }).await?;
    }
    let gone_on = "We go on at another table: you find it among your tables on the front page.";
    let note = Command::Note { to: Reader::All, text: gone_on.to_owned() };
    // Where it cannot be written the tables are there all the same.
    let _ = from.command(Viewer::Seat(Seat::Gm), None, note).await;
    Ok(())
}

/// Something to take back by: whoever came along in a role is out with it.
async fn pass_for(app: &App, to: &Room, role: Viewer) -> Result<fracas_store::Hash, Trouble> {
    let secret = Secret::new().ok_or_else(|| Trouble::broken("the system gives no random numbers"))?;
    let new = NewPass {
        hash: secret.hash(),
        table: to.id.clone(),
        kind: PassKind::Invite,
        role,
        label: "from the evening before".to_owned(),
        made: auth::now(),
        maker: None,
    };
    app.db.add_pass(new).await?;
    Ok(secret.hash())
}

/// Keeps somebody who is carried on as a paper of the gamemaster's own.
pub(crate) async fn keep_one(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let name = serde_urlencoded(&body).into_iter().find(|(field, _)| field == "name").map(|(_, name)| name);
    let carried = carried(&seated.room).await?;
    let found = entries(&carried.json, "character").find(|entry| name.as_deref() == entry["name"].as_str());
    let entry = found.ok_or_else(Trouble::absent)?;
    let text = fracas_kernel::toml(&json!({ "character": [entry] }));
    keep(&app, &headers, papers::draft(text, (&carried.system, Sort::Library, "A character"))).await
}
