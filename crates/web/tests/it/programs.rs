//! Programs that play by the OpenAPI document alone.

use crate::common::program::Program;
use crate::common::{Server, Stream};
use fracas_sim::Chance;
use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};

/// After so many answers and throws of programs an evening is left as it is: of some systems chance
/// alone brings no end.
const ENOUGH: usize = 300;
/// Encounters of each system that an ordinary run plays.
const OF_EACH: usize = 1;

/// How long only the machine may have something to do.
const STILL: Duration = Duration::from_secs(40);

/// A program that knows only this from the document:
///
/// > Whether play waits for this role. A program that plays does this while it is true: where
/// > `roll` is there and `may_throw`, it throws; else it sends one of the `answers` of an ask
/// > that is both `mine` and `due`.
struct Bot {
    program: Program,
    table: String,
    chance: Chance,
    /// Chances to step in that held up play.
    stepped_in: usize,
}

/// The result of a bot's turn.
#[derive(PartialEq, Eq, Debug)]
enum Did {
    Acted,
    NotDue,
    Over,
}

impl Bot {
    /// A bot for a seat as the API shows it.
    fn of(gm: &Program, table: &str, seat: &Value, seed: u64) -> Bot {
        let program = gm.make(table, "play", seat["seat"].as_str().expect("a name"));
        Bot { program, table: table.to_owned(), chance: Chance::new(seed, 0), stepped_in: 0 }
    }

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
            // Several seats have to give the same answer.
            let said = ask["said"].as_array().and_then(|said| Some(said.first()?["answer"].clone()));
            let answers = ask["answers"].as_array().expect("answers");
            let any = || answers[self.chance.place(answers.len())]["answer"].clone();
            let answer = said.unwrap_or_else(any);
            self.program.post(&format!("{at}/answer"), &json!({ "ask": ask["ask"], "answer": answer }))
        };
        // Another seat may have been quicker.
        let moved = || self.program.get(&at).body["version"] != now["version"];
        assert!(matches!(sent.status, 200 | 409) || moved(), "what is listed can be sent: {sent:?}");
        Did::Acted
    }
}

/// How many events a spectator was sent as data, and how many the gamemaster was.
fn events(gm: &Program, table: &str) -> usize {
    let sent = |who: &Program| -> Vec<Value> {
        let (mut shown, mut from) = (Vec::new(), 0);
        loop {
            let page = who.get(&format!("/tables/{table}/lines?from={from}")).body;
            let lines = page["lines"].as_array().expect("lines");
            let of = |line: &Value| line["shown"].as_array().cloned().unwrap_or_default();
            shown.extend(lines.iter().flat_map(of));
            from += lines.len();
            if page["count"] == from {
                return shown;
            }
        }
    };
    let (all, some) = (sent(gm), sent(&gm.make(table, "read", "watch")));
    assert!(all.iter().all(|shown| !shown["event"].is_null()), "the gamemaster is sent every event");
    for shown in &some {
        let text = shown["text"].as_str().expect("a text").to_lowercase();
        let kinds = shown["event"].as_object().into_iter().flat_map(|event| event.values());
        // If the gamemaster reads the same sentence, no name is withheld.
        let is_own = all.iter().all(|line| line["text"] != shown["text"]);
        let is_nameless =
            is_own && ["somebody", "something", "someone"].iter().any(|word| text.contains(word));
        kinds.for_each(|held| is_said(held, &text, is_nameless, shown));
    }
    some.iter().filter(|shown| !shown["event"].is_null()).count()
}

/// Data holds nothing that the sentence does not tell.
fn is_said(value: &Value, text: &str, is_nameless: bool, shown: &Value) {
    let is_said = match value {
        Value::Null => true,
        Value::Bool(_) => false,
        Value::Number(n) => text.contains(n.to_string().trim_start_matches('-')),
        Value::String(word) => match word.strip_prefix('@') {
            Some(name) => !is_nameless && name.split('-').all(|part| text.contains(part)),
            None => {
                text.contains(&word.to_lowercase()) || text.contains(&word.replace('-', " ").to_lowercase())
            }
        },
        Value::Array(all) => return all.iter().for_each(|value| is_said(value, text, is_nameless, shown)),
        Value::Object(all) => return all.values().for_each(|value| is_said(value, text, is_nameless, shown)),
    };
    assert!(is_said, "{value} is sent, and not said: {shown}");
}

/// The result of a table.
struct Played {
    acted: usize,
    stepped_in: usize,
    events: usize,
    over: bool,
}

/// A table with the machine as gamemaster and a bot for each player.
fn play(server: &Server, system: &str, encounter: &str, seed: u64) -> Played {
    let (gm, table) = Program::new(server).open(system, encounter, &["gm"]);
    gm.post(&format!("/tables/{table}/pace"), &json!({ "grace": 0 }));
    // A gamemaster who plays well may hold out for ever against random players.
    gm.post(&format!("/tables/{table}/bots"), &json!({ "seat": "gm", "plays": "random" }));
    let seats = gm.get(&format!("/tables/{table}")).body["seats"].clone();
    let seats = seats.as_array().expect("seats").iter().filter(|seat| seat["machine"] == false);
    let mut all: Vec<Bot> = seats.zip(seed..).map(|(seat, seed)| Bot::of(&gm, &table, seat, seed)).collect();
    let (mut acted, mut since) = (0, Instant::now());
    loop {
        let did: Vec<Did> = all.iter_mut().map(Bot::step).collect();
        let over = did.contains(&Did::Over);
        if over || acted >= ENOUGH {
            let stepped_in = all.iter().map(|bot| bot.stepped_in).sum();
            return Played { acted, stepped_in, events: events(&gm, &table), over };
        }
        acted += did.iter().filter(|did| **did == Did::Acted).count();
        if did.contains(&Did::Acted) {
            since = Instant::now();
        }
        let stands = || gm.get(&format!("/tables/{table}")).body;
        assert!(since.elapsed() < STILL, "{encounter} stands still after {acted}: {}", stands());
        if !did.contains(&Did::Acted) {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_bot_by_the_documents_words_alone_plays_every_encounter() {
    let server = Server::hurried();
    let (mut acted, mut stepped_in, mut events, mut over) = (0, 0, 0, 0);
    for system in fracas_systems::all() {
        let encounters = fracas_systems::encounters(system).expect("encounters");
        for encounter in fracas_suite::some(encounters, OF_EACH) {
            let played = play(&server, system.id, &encounter.id, 1);
            println!("{} {}: {} answers and throws", system.id, encounter.id, played.acted);
            events += played.events;
            over += usize::from(played.over);
            (acted, stepped_in) = (acted + played.acted, stepped_in + played.stepped_in);
        }
    }
    assert!(acted > 100, "{acted}");
    let least = if fracas_suite::is_long() { 20 } else { 1 };
    assert!(over > least, "only {over} evenings come to their end");
    assert!(events > 100, "{events} events were told as data to who watches");
    assert!(
        stepped_in > if fracas_suite::is_long() { 5 } else { 0 },
        "who answers only what must be answered holds play up: {stepped_in}"
    );
}

/// A program's copy of a table, kept up to date by changes.
struct Held {
    table: Value,
    lines: Vec<Value>,
    /// The id of the last event.
    id: String,
    bytes: usize,
}

impl Held {
    fn new() -> Held {
        Held { table: Value::Null, lines: Vec::new(), id: String::new(), bytes: 0 }
    }

    /// Applies an event.
    fn take(&mut self, (id, data): (String, String)) {
        self.bytes += data.len();
        let event: Value = serde_json::from_str(&data).expect("JSON");
        if let Some(steps) = event.get("patch") {
            let patch: json_patch::Patch = serde_json::from_value(steps.clone()).expect("a patch");
            json_patch::patch(&mut self.table, &patch).expect("it fits what came before");
        } else {
            self.table = event["table"].clone();
        }
        let from = event["from"].as_u64().expect("a number") as usize;
        self.lines.truncate(from);
        assert_eq!(self.lines.len(), from, "no line is left out");
        self.lines.extend(event["lines"].as_array().expect("lines").iter().cloned());
        self.id = id;
    }

    /// Applies events until the copy equals the loaded table.
    fn catch_up(&mut self, stream: &Stream, who: &Program, table: &str) {
        let loaded = who.get(&format!("/tables/{table}")).body;
        while self.table["version"] != loaded["version"] {
            self.take(stream.next());
        }
        assert_eq!(self.table, loaded);
        let last = who.get(&format!("/tables/{table}/lines")).body;
        let from = last["from"].as_u64().expect("a number") as usize;
        assert_eq!(json!(self.lines[from..]), last["lines"]);
    }
}

#[test]
fn a_table_put_together_from_changes_is_the_table_that_is_loaded() {
    for (system, encounter) in [
        ("judge-two", "salt-gate"),
        ("afraid", "the-third-fitting"),
        ("truth-and-light", "the-broken-bridge"),
    ] {
        let server = Server::hurried();
        let (gm, table) = Program::new(&server).open(system, encounter, &[]);
        let seats = gm.get(&format!("/tables/{table}")).body["seats"].clone();
        let mut bots: Vec<Bot> = seats
            .as_array()
            .expect("seats")
            .iter()
            .zip(1..)
            .map(|(seat, seed)| Bot::of(&gm, &table, seat, seed))
            .collect();
        let ana = gm.make(&table, "read", "player-1");
        let (mut stream, whole) = (ana.changes(&table, None), ana.listen(&table, None));
        let (mut held, mut all) = (Held::new(), Held::new());
        let mut acted = 0;
        while acted < 60 {
            let did: Vec<Did> = bots
                .iter_mut()
                .map(|bot| {
                    let did = bot.step();
                    if did == Did::Acted {
                        held.catch_up(&stream, &ana, &table);
                        all.catch_up(&whole, &ana, &table);
                    }
                    did
                })
                .collect();
            acted += did.iter().filter(|did| **did == Did::Acted).count();
            if did.contains(&Did::Over) {
                break;
            }
            if acted % 10 == 9 {
                // The stream continues where it broke off.
                stream = ana.changes(&table, Some(&held.id));
                gm.post(&format!("/tables/{table}/note"), &json!({ "text": "Rain on the salt." }));
                held.catch_up(&stream, &ana, &table);
                all.catch_up(&whole, &ana, &table);
            }
        }
        println!("{system}: {} bytes of changes, {} of the whole", held.bytes, all.bytes);
        assert!(held.bytes * 2 < all.bytes, "{} bytes of changes, {} of the whole", held.bytes, all.bytes);
    }
}

#[test]
fn a_stream_tells_of_all_the_tables_whose_tokens_it_was_sent() {
    let server = Server::start();
    let nobody = Program::new(&server);
    let (first_gm, first) = nobody.open("judge-two", "salt-gate", &[]);
    let (second_gm, second) = nobody.open("afraid", "the-third-fitting", &[]);
    let ana = first_gm.make(&first, "read", "player-1");
    let wanted = |programs: &[&Program]| {
        let tables: Vec<Value> = programs.iter().map(|program| json!({ "token": program.token })).collect();
        json!({ "tables": tables, "only": "changes" })
    };
    let stream = nobody.listen_to(&wanted(&[&ana, &second_gm]));
    let mut held = [Held::new(), Held::new()];
    for _ in 0..2 {
        let (id, data) = stream.next();
        let at = usize::from(data.contains(&format!("\"id\":\"{second}\"")));
        held[at].take((id, data));
    }
    assert_eq!((&held[0].table["id"], &held[1].table["id"]), (&json!(first), &json!(second)));
    assert_eq!(held[0].table["you"], "player-1", "each token is for its role");
    second_gm.post(&format!("/tables/{second}/note"), &json!({ "text": "Somebody knocks." }));
    let (id, event) = stream.until("Somebody knocks.");
    assert!(event.contains(&format!("\"id\":\"{second}\"")) && !event.contains("\"table\""), "{event}");
    held[1].take((id, event));
    // Words for others at a table are not in this stream either.
    first_gm.post(&format!("/tables/{first}/note"), &json!({ "text": "canary-7f3a", "to": ["gm"] }));
    first_gm.post(&format!("/tables/{first}/note"), &json!({ "text": "Rain." }));
    let (id, event) = stream.next();
    assert!(event.contains("Rain.") && !event.contains("canary"), "{event}");
    held[0].take((id, event));
    // The stream continues where it broke off.
    let mut again = wanted(&[&ana, &second_gm]);
    for (n, held) in held.iter().enumerate() {
        again["tables"][n]["after"] = json!(held.id);
    }
    let stream = nobody.listen_to(&again);
    assert_eq!(stream.rest(), [""; 0], "there is nothing new");
    second_gm.post(&format!("/tables/{second}/note"), &json!({ "text": "Nobody is there." }));
    held[1].take(stream.next());
    assert_eq!(held[1].lines.last().map(|line| &line["text"]), Some(&json!("Nobody is there.")));
    // A revoked token's table ends with an event; the others continue.
    assert_eq!(ana.send("DELETE", &format!("/tables/{first}/passes/this"), None, &[]).status, 204);
    assert_eq!(stream.until(&first).1, json!({ "id": first }).to_string());
    first_gm.post(&format!("/tables/{first}/note"), &json!({ "text": "canary-7f3a" }));
    second_gm.post(&format!("/tables/{second}/note"), &json!({ "text": "The door opens." }));
    assert!(stream.next().1.contains("The door opens."));
    second_gm.send("DELETE", &format!("/tables/{second}/passes/this"), None, &[]);
    stream.ends();
    let refused = |sent: &Value| nobody.post("/stream", sent);
    // Invalid tokens are reported, and the stream has the other tables.
    let stream = nobody.listen_to(&wanted(&[&second_gm, &first_gm, &ana]));
    for at in [0, 2] {
        let event: Value = serde_json::from_str(&stream.next().1).expect("JSON");
        let place = format!("tables[{at}].token");
        assert_eq!((&event["at"], &event["problem"]["where"]), (&json!(at), &json!(place)), "{event}");
        assert_eq!(
            (&event["problem"]["status"], &event["problem"]["type"]),
            (&json!(401), &json!("/api#no-token"))
        );
    }
    let first_told: Value = serde_json::from_str(&stream.next().1).expect("JSON");
    assert_eq!(first_told["table"]["id"], json!(first));
    let response = refused(&wanted(&[&ana, &second_gm]));
    assert_eq!((response.status, &response.body["where"]), (401, &json!("tables[0].token")), "{response:?}");
    assert_eq!(refused(&wanted(&[&first_gm, &first_gm])).problem(), "refused", "a table is in it once");
    assert_eq!(refused(&wanted(&vec![&first_gm; 51])).problem(), "refused");
    assert_eq!(refused(&wanted(&[])).problem(), "refused");
}

#[test]
fn listed_answers_come_with_their_odds_where_they_are_asked_for() {
    let server = Server::start();
    let (gm, table) = Program::new(&server).open("judge-two", "salt-gate", &[]);
    let mut events = 0;
    for _ in 0..12 {
        let now = gm.get(&format!("/tables/{table}")).body;
        if !now["roll"].is_null() {
            gm.post(&format!("/tables/{table}/throw"), &json!({ "roll": now["roll"]["roll"] }));
            continue;
        }
        let ask = &now["asks"][0];
        let at = format!("/tables/{table}/asks/{}", ask["ask"].as_str().expect("a name"));
        assert!(!gm.get(&format!("{at}/answers")).body.to_string().contains("\"odds\""));
        let listed = gm.get(&format!("{at}/answers?odds=true")).body;
        for answer in listed["answers"].as_array().expect("answers").iter().take(8) {
            let preview = gm.post(&format!("{at}/preview"), &json!({ "answer": answer["answer"] })).body;
            assert_eq!(answer.get("odds").unwrap_or(&Value::Null), &preview["odds"]);
            events += i32::from(preview["odds"].is_object());
        }
        assert_eq!(gm.get(&format!("{at}/answers?odds=maybe")).problem(), "unreadable");
        let sent =
            json!({ "ask": ask["ask"], "answer": ask["answers"][0]["answer"], "of": ask["awaited"][0] });
        assert_eq!(gm.post(&format!("/tables/{table}/answer"), &sent).status, 200);
    }
    assert!(events > 3, "{events}");
}
