//! Tables as logs: played in the test's own process, changed where a viewer may not look,
//! and put into a server's folder before it starts.

use fracas_kernel::{AnyTable, Card, Document, Now, Seat, Setup, System, Viewer, Who};
use fracas_sim::Chance;
use fracas_store::{Db, Member, NewTable, Standing, TableId};
use fracas_systems::setups;
use fracas_table::{
    Detail, Log, MemoryStore, Note, Opening, Reader, Seed, SeenBy, Snapshot, Store, Table, Throw, chain,
};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::{fs, path::Path};

/// The setups of a system to play from: its bundled encounters, and those of its own tests,
/// which reach every secret.
pub(crate) fn all_setups(system: &System) -> Vec<Setup> {
    let mut all = setups(system).expect("the bundled encounters");
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(system.id).join("tests/setups");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the game's own tables")
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort();
    for path in files {
        let text = fs::read_to_string(&path).expect("a table");
        let document = Document::toml(path.display().to_string(), &text).expect("TOML");
        all.push(Setup::alone(document));
    }
    all
}

/// A table that is played in this process.
pub(crate) struct Play {
    pub(crate) table: Table,
    store: MemoryStore,
    pub(crate) chance: Chance,
}

impl Play {
    /// A new table.
    pub(crate) fn open(system: &System, setup: &Setup, seed: u64) -> Play {
        let store = MemoryStore::new();
        let opening =
            Opening { title: "A table".to_owned(), label: String::new(), seed: Some(Seed::new([7; 32])) };
        let table = Table::create(system, setup, opening, Box::new(store.clone()))
            .unwrap_or_else(|error| panic!("{}: {error}", setup.encounter.name()));
        Play { table, store, chance: Chance::new(seed, 0) }
    }

    /// Its log so far.
    pub(crate) fn log(&self) -> String {
        String::from_utf8(self.store.bytes()).expect("text")
    }

    /// Takes any step; returns `false` at the end.
    pub(crate) fn step(&mut self) -> bool {
        let Play { table, chance, .. } = self;
        match table.game().now() {
            Now::Over => return false,
            Now::Roll(roll) => {
                // Sometimes a person has real dice.
                let typed = chance.throw(&roll.dice);
                let how = if chance.below(4) == 0 { Throw::Faces(&typed) } else { Throw::Dice };
                table.roll(Seat::Gm, how).expect("dice that are due");
            }
            Now::Asks(asks) => {
                let ask = &asks[chance.place(asks.len())];
                let listed = table.game().legal(ask.id, Viewer::Seat(Seat::Gm));
                let mut answer = listed[chance.place(listed.len())].answer.clone();
                let mut seats: Vec<Seat> = ask.who.seats().iter().collect();
                if let Who::All(_) = ask.who {
                    // Mostly they agree to a proposal.
                    let said = table.game().said(ask.id);
                    if let Some((_, first)) = said.first()
                        && chance.below(4) > 0
                    {
                        seats.retain(|seat| !said.contains(&(*seat, first.clone())));
                        answer.clone_from(first);
                    }
                }
                let seat = seats[chance.place(seats.len())];
                table.answer(seat, None, ask.id, &answer, None).expect("a listed answer");
            }
        }
        true
    }
}

/// Everything that the game tells a viewer now, as text.
pub(crate) fn shown_to(game: &dyn AnyTable, who: Viewer) -> String {
    let cards: Vec<Card> = game.cards(who);
    let stage = json!(game.stage(who, &[]));
    let mut texts = vec![game.view(who).to_string(), json!(cards).to_string(), stage.to_string()];
    match game.now() {
        Now::Over => texts.push("over".to_owned()),
        Now::Roll(roll) if SeenBy::from(roll.seen).by(who) => {
            texts.push(json!([roll, game.roll_told(who)]).to_string());
        }
        Now::Roll(_) => texts.push("a roll".to_owned()),
        Now::Asks(asks) => {
            for ask in asks {
                let asked = who.is_gm() || ask.who.seats().iter().any(|seat| Viewer::Seat(seat) == who);
                if asked {
                    let legal = game.legal(ask.id, who);
                    texts.push(json!([ask.who, ask.kind, game.ask_told(ask.id, who), legal]).to_string());
                } else {
                    texts.push(json!([ask.who, ask.kind, ask.duty]).to_string());
                }
            }
        }
    }
    texts.join("\n")
}

/// Everything that a viewer is told at a table: the moment, and each line of the story.
pub(crate) fn shown_at(table: &Table, who: Viewer) -> String {
    let lines: Vec<_> = table.lines_to(who).collect();
    format!(
        "{}\n{}\n{}",
        shown_to(table.game(), who),
        json!(lines),
        table.log().story(who, Detail::Everything)
    )
}

/// A table again, from its log.
pub(crate) fn opened(log: &str) -> Table {
    Table::open(fracas_systems::all(), Box::new(MemoryStore::holding(log))).expect("a log that can be played")
}

/// A log with a record of its state at the end.
pub(crate) fn standing(log: &str, game: &dyn AnyTable) -> String {
    let hex: String = game.snapshot().iter().map(|b| format!("{b:02x}")).collect();
    let snapshot = Snapshot { version: game.version(), bytes: hex, hash: game.hash() };
    chain::renewed(&format!("{log}{}\n", json!({ "seq": log.lines().count(), "snapshot": snapshot })))
}

/// The same log with a few notes of the gamemaster for themself.
pub(crate) fn with_hidden_notes(log: &str, notes: usize) -> String {
    let mut log = log.to_owned();
    for n in 0..notes {
        let note = Note { by: Seat::Gm, to: Reader::Gm, text: format!("note {n} to myself") };
        log = format!("{log}{}\n", json!({ "seq": log.lines().count(), "note": note }));
    }
    chain::renewed(&log)
}

/// Another world that looks the same to a viewer: texts hidden from players read otherwise,
/// hidden numbers differ, the hidden state is made up anew, and the gamemaster has written
/// more notes. `None` if every change would show: then nothing was secret.
pub(crate) fn elsewhere(system: &System, play: &Play, who: Viewer, seed: u64) -> Option<String> {
    let log = play.log();
    let (header, rest) = log.split_once('\n')?;
    let header: Value = serde_json::from_str(header).ok()?;
    let here = shown_to(play.table.game(), who);
    let world = |header: &Value, scrambled: bool| {
        let log = chain::renewed(&format!("{header}\n{rest}"));
        let setup = Log::parse("elsewhere", &log).ok()?.header().setup();
        let mut game = (system.start)(&setup).ok()?;
        game.restore(&play.table.game().snapshot()).ok()?;
        if scrambled {
            // What is imagined of the rules is not in a log.
            game.restore(&game.imagine(who, seed).snapshot()).ok()?;
        }
        (shown_to(game.as_ref(), who) == here).then_some((log, game))
    };
    let mut changed = header;
    secrets_of(&mut changed).into_iter().for_each(|text| *text = json!("another secret"));
    let (mut log, mut game) = world(&changed, false)?;
    // Only the numbers that are hidden here.
    for nth in 0..numbers_of(&mut changed).len() {
        let mut more = changed.clone();
        let number = numbers_of(&mut more).swap_remove(nth);
        *number = json!(4 + (number.as_i64().unwrap_or(4) + 1) % 5);
        if let Some(found) = world(&more, false) {
            changed = more;
            (log, game) = found;
        }
    }
    if let Some(found) = world(&changed, true) {
        (log, game) = found;
    }
    Some(standing(&with_hidden_notes(&log, 3), game.as_ref()))
}

/// Texts in documents for the gamemaster alone.
fn secrets_of(value: &mut Value) -> Vec<&mut Value> {
    values(value, &|name, _| ["secret", "briefing"].contains(&name))
}

/// The levels of the gamemaster's characters.
fn numbers_of(value: &mut Value) -> Vec<&mut Value> {
    let text = value.to_string();
    values(value, &|name, entry| {
        let called = |field: &str| entry.get(field).and_then(Value::as_str);
        let here = |name: &str| text.contains(&format!("\"use\":{}", json!(name)));
        name == "pl" && (called("use").is_some() || called("name").is_some_and(here))
    })
}

/// Every wanted field of a document, by its name and its table.
fn values<'v>(
    value: &'v mut Value,
    wanted: &impl Fn(&str, &Map<String, Value>) -> bool,
) -> Vec<&'v mut Value> {
    match value {
        Value::Object(fields) => {
            let around = fields.clone();
            let found = fields.iter_mut().flat_map(|(name, value)| {
                if wanted(name, &around) { vec![value] } else { values(value, wanted) }
            });
            found.collect()
        }
        Value::Array(all) => all.iter_mut().flat_map(|value| values(value, wanted)).collect(),
        _ => Vec::new(),
    }
}

/// A person at a planted table: their cookie's secret, and whether they are in.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) role: Viewer,
    pub(crate) cookie: String,
    pub(crate) name: String,
    pub(crate) standing: Standing,
}

impl Guest {
    /// A person who is in.
    pub(crate) fn inside(role: Viewer, n: usize) -> Guest {
        Guest { role, cookie: cookie(n), name: role.to_string(), standing: Standing::Admitted }
    }
}

/// The secret of the n-th browser.
pub(crate) fn cookie(n: usize) -> String {
    format!("{n:0>32}")
}

/// A table that a server finds in its folder.
pub(crate) struct Planted {
    pub(crate) id: String,
    pub(crate) log: String,
    pub(crate) guests: Vec<Guest>,
}

/// Puts tables into a server's folder.
pub(crate) fn plant(folder: &Path, tables: &[Planted]) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let db = Db::open(folder).await.expect("a database");
        // The guests' cookies are signed with this key.
        db.key(crate::common::KEY).await.expect("a key");
        for table in tables {
            let id = TableId::new(&table.id).expect("an id");
            let log = Log::parse("planted", &table.log).expect("a log");
            let (system, title) = (log.header().system.clone(), log.header().title.clone());
            let settings = "{}".to_owned();
            let row = NewTable { id: id.clone(), system, title, opened: 0, settings, named: None };
            db.add_table(row).await.expect("a table");
            let (mut store, lines) = (db.log(&id), table.log.clone());
            let kept = tokio::task::spawn_blocking(move || {
                store.read()?;
                store.append(&lines)
            });
            kept.await.expect("no panic").expect("lines");
            for guest in &table.guests {
                let member = Member {
                    browser: Sha256::digest(guest.cookie.as_bytes()).into(),
                    table: id.clone(),
                    role: guest.role,
                    name: guest.name.clone(),
                    pass: None,
                    standing: guest.standing,
                    since: 0,
                    seen: 0,
                };
                db.put_member(member).await.expect("a member");
            }
        }
    });
}
