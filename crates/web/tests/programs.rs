//! Programs that play by the words of the OpenAPI document alone.

mod common;
#[path = "common/program.rs"]
#[allow(dead_code, reason = "each test uses its part of it")]
mod program;

use common::Server;
use fracas_sim::Chance;
use program::Program;
use serde_json::{Value, json};
use std::{
    thread,
    time::{Duration, Instant},
};

/// The most answers and throws of programs in an encounter.
const MOST: usize = 20_000;

/// How long nobody but the machine may have anything to do.
const STILL: Duration = Duration::from_secs(40);

/// A program that has read this in the document, and no more:
///
/// > Whether play waits for this role. A program that plays does this while it is true: where
/// > `roll` is there and `may_throw`, it throws; else it sends one of the `answers` of an ask
/// > that is both `mine` and `due`.
struct Bot {
    program: Program,
    table: String,
    chance: Chance,
    /// Chances to step in that play stood still for.
    stepped_in: usize,
}

/// What a bot found, and did.
#[derive(PartialEq, Eq, Debug)]
enum Did {
    Acted,
    NotDue,
    Over,
}

impl Bot {
    fn step(&mut self) -> Did {
        let at = format!("/tables/{}", self.table);
        let now = self.program.get(&at).body;
        assert_eq!(now["waits"] == json!([]), now["over"] == true, "somebody holds play up: {now}");
        let names_me = now["waits"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|waits| waits["seats"].as_array().is_some_and(|seats| seats.contains(&now["you"])));
        assert_eq!(now["due"], names_me, "{now}");
        if now["over"] == true {
            return Did::Over;
        }
        if now["due"] != true {
            return Did::NotDue;
        }
        let sent = if now["roll"]["may_throw"] == true {
            self.program.post(&format!("{at}/throw"), &json!({ "roll": now["roll"]["roll"] }))
        } else {
            let asks = now["asks"].as_array().expect("asks");
            let ask = asks.iter().find(|ask| ask["mine"] == true && ask["due"] == true).expect("an ask");
            self.stepped_in += usize::from(ask["duty"] == "may");
            // All of several have to say the same.
            let said = ask["said"].as_array().and_then(|said| Some(said.first()?["answer"].clone()));
            let answers = ask["answers"].as_array().expect("answers");
            let any = || answers[self.chance.place(answers.len())]["answer"].clone();
            let answer = said.unwrap_or_else(any);
            self.program.post(&format!("{at}/answer"), &json!({ "ask": ask["ask"], "answer": answer }))
        };
        // Somebody may have been quicker.
        let moved = || self.program.get(&at).body["version"] != now["version"];
        assert!(matches!(sent.status, 200 | 409) || moved(), "what is listed can be sent: {sent:?}");
        Did::Acted
    }
}

/// How many events whoever watches was sent as data, of what the gamemaster was.
fn events(gm: &Program, table: &str) -> usize {
    let sent = |who: &Program| -> Vec<Value> {
        let lines = who.get(&format!("/tables/{table}/lines?from=0")).body["lines"].clone();
        let shown = |line: &Value| line["shown"].as_array().cloned().unwrap_or_default();
        lines.as_array().expect("lines").iter().flat_map(shown).map(|shown| shown["event"].clone()).collect()
    };
    let (all, some) = (sent(gm), sent(&gm.make(table, "read", "watch")));
    assert!(!all.contains(&Value::Null), "the gamemaster is sent every event");
    some.iter().filter(|event| !event.is_null()).count()
}

/// What came of a table.
struct Played {
    acted: usize,
    stepped_in: usize,
    events: usize,
}

/// A table with the machine as gamemaster and a bot for each player.
fn play(server: &Server, system: &str, encounter: &str, seed: u64) -> Played {
    let (gm, table) = Program::new(server).open(system, encounter, &["gm"]);
    gm.post(&format!("/tables/{table}/pace"), &json!({ "grace": 0 }));
    // One that plays well may hold out without end against players who do not.
    gm.post(&format!("/tables/{table}/bots"), &json!({ "seat": "gm", "plays": "random" }));
    let seats = gm.get(&format!("/tables/{table}")).body["seats"].clone();
    let seats = seats.as_array().expect("seats").iter().filter(|seat| seat["machine"] == false);
    let mut all: Vec<Bot> = seats
        .zip(seed..)
        .map(|(seat, seed)| Bot {
            program: gm.make(&table, "play", seat["seat"].as_str().expect("a name")),
            table: table.clone(),
            chance: Chance::new(seed, 0),
            stepped_in: 0,
        })
        .collect();
    let (mut acted, mut since) = (0, Instant::now());
    loop {
        let did: Vec<Did> = all.iter_mut().map(Bot::step).collect();
        if did.contains(&Did::Over) {
            let stepped_in = all.iter().map(|bot| bot.stepped_in).sum();
            return Played { acted, stepped_in, events: events(&gm, &table) };
        }
        acted += did.iter().filter(|did| **did == Did::Acted).count();
        if did.contains(&Did::Acted) {
            since = Instant::now();
        }
        let stands = || gm.get(&format!("/tables/{table}")).body;
        assert!(since.elapsed() < STILL, "{encounter} stands still after {acted}: {}", stands());
        assert!(acted < MOST, "{encounter} does not end: {}", stands());
        if !did.contains(&Did::Acted) {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_bot_by_the_documents_words_alone_plays_every_encounter_to_its_end() {
    let server = Server::hurried();
    let (mut acted, mut stepped_in, mut events) = (0, 0, 0);
    for system in fracas_systems::all() {
        for encounter in fracas_systems::encounters(system).expect("encounters") {
            let played = play(&server, system.id, &encounter.id, 1);
            println!("{} {}: {} answers and throws", system.id, encounter.id, played.acted);
            events += played.events;
            (acted, stepped_in) = (acted + played.acted, stepped_in + played.stepped_in);
        }
    }
    assert!(acted > 100, "{acted}");
    assert!(events > 100, "{events} events were told as data to who watches");
    assert!(stepped_in > 5, "who answers only what must be answered holds play up: {stepped_in}");
}
