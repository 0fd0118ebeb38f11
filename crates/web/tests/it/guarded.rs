//! Limits, metrics, passphrases and webhooks.

use crate::common::program::Program;
use crate::common::{Browser, Server, link};
use fracas_sim::Chance;
use fracas_web::{Addresses, Limits, Rate, Reach};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::{sync::mpsc, thread, time::Duration};

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";

fn limited(limits: Limits) -> Server {
    Server::configured(tempfile::tempdir().expect("a folder"), |config| config.limits = limits)
}

fn rate(burst: u32) -> Rate {
    Rate { burst, every: Duration::from_secs(600) }
}

#[test]
fn what_comes_too_often_is_told_when_to_come_again() {
    let server = limited(Limits { commands: rate(3), ..Limits::none() });
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let note = |text: &str| gm.act(&format!("{table}/note"), &[("text", text)]);
    // The browser had no cookie when it opened the table, so that request counts for its
    // address.
    assert!((0..3).all(|_| note("again").status == 200));
    let refused = note("once more");
    assert_eq!(refused.status, 429);
    assert!(
        refused.body.contains("\"done\":false") && refused.body.contains("try again in"),
        "{}",
        refused.body
    );
    assert!(refused.headers.contains("retry-after: "), "{}", refused.headers);
    let page = gm.post(&format!("{table}/note"), &[("text", "without script")]);
    assert!(page.status == 429 && page.body.contains("<h1>"), "{}", page.body);
    let again = format!("action=\"{}/note\"", table.trim_start_matches(&server.url));
    assert!(page.body.contains(&again) && page.body.contains("\nwithout script</textarea>"), "{}", page.body);
    assert_eq!(gm.get(&table).status, 200, "looking on is something else");
    assert!(!gm.get(&table).body.contains("once more"));
    // Others are not affected.
    let (bo, other) = server.table(SYSTEM, ENCOUNTER, &[]);
    assert_eq!(bo.act(&format!("{other}/note"), &[("text", "mine")]).status, 200);
}

#[test]
fn tables_and_guesses_are_counted_by_address() {
    let limits = Limits { tables: rate(2), guesses: rate(4), ..Limits::none() };
    let server = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        config.limits = limits;
        config.addresses = Addresses::Proxy;
    });
    let nobody = Program::new(&server);
    let wanted = json!({ "system": SYSTEM, "encounter": ENCOUNTER }).to_string();
    let open = |from: &str| nobody.send("POST", "/tables", Some(&wanted), &[("x-forwarded-for", from)]);
    assert!((0..2).all(|_| open("198.51.100.1").status == 201));
    let refused = open("9.9.9.9, 198.51.100.1");
    assert_eq!((refused.status, refused.problem()), (429, "too-often"));
    assert!(refused.headers.contains("retry-after: "), "{}", refused.headers);
    assert_eq!(open("198.51.100.2").status, 201);
    // Every way to open a table counts.
    let nowhere = [("x-forwarded-for", "198.51.100.1")];
    for path in ["/tables/taken", "/tables/x/next"] {
        assert_eq!(nobody.send("POST", path, Some("{}"), &nowhere).problem(), "too-often", "{path}");
    }
    // A wrong token is a guess; a right one is not.
    let guess = || nobody.with(&"a".repeat(32)).get("/tables/x").status;
    assert!((0..4).all(|_| guess() == 401));
    assert_eq!(guess(), 429);
    let join = Browser::new().get(&format!("{}/join/{}", server.url, "a".repeat(32)));
    assert_eq!(join.status, 429);
}

#[test]
fn a_browser_has_so_many_streams_and_a_closed_one_makes_room() {
    let server = limited(Limits { streams: 2, ..Limits::none() });
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let url = format!("{table}/stream");
    let streams = [gm.listen(&url, None), gm.listen(&url, None)];
    streams.iter().for_each(|stream| drop(stream.next()));
    assert_eq!(gm.status("GET", &url), 429);
    assert_eq!(gm.get(&table).status, 200);
}

#[test]
fn a_server_counts_itself_and_names_nobody() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::configured(data, |config| config.metrics = Some(([127, 0, 0, 1], 0).into()));
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let stream = gm.listen(&format!("{table}/stream"), None);
    stream.next();
    gm.act(&format!("{table}/note"), &[("text", "canary-7f3a")]);
    gm.act(&format!("{table}/answer"), &[("ask", "0-0.9"), ("answer", "{}")]);
    let at = server.metrics.expect("an address");
    let text = Browser::new().get(&format!("http://{at}/metrics")).body;
    let id = table.split('/').nth(4).expect("an id");
    for there in [
        "fracas_requests_total{method=\"POST\",route=\"/t/{table}/{role}/note\",status=\"200\"} 1",
        "fracas_commands_total{outcome=\"accepted\"} 1",
        "fracas_commands_total{outcome=\"stale\"} 1",
        "fracas_request_seconds_bucket{",
        "fracas_tables 1",
        "fracas_streams 1",
        "fracas_writes_total ",
        "fracas_writes_waiting ",
        "fracas_commit_seconds_total ",
        "# EOF",
    ] {
        assert!(text.contains(there), "{there} is not in:\n{text}");
    }
    assert!(!text.contains(id) && !text.contains("canary") && !text.contains("Salt"), "{text}");
    // The metrics are served there alone.
    assert_eq!(gm.get(&format!("{}/metrics", server.url)).status, 404);
}

#[test]
fn whoever_comes_by_a_link_is_asked_for_the_passphrase() {
    let server = limited(Limits { phrases: rate(4), ..Limits::none() });
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let people = format!("{table}/people");
    let short = gm.post(&format!("{table}/passphrase"), &[("passphrase", "abc")]);
    assert!(
        short.status == 400 && short.body.contains("at least 4 letters") && short.body.contains("Invite")
    );
    assert_eq!(gm.post(&format!("{table}/passphrase"), &[("passphrase", "grey heron")]).status, 303);
    assert!(
        gm.get(&people).body.contains("asked for the passphrase") && !gm.get(&people).body.contains("heron")
    );
    let link = link(&gm, &table, "player-1");
    let ana = Browser::new();
    let door = format!("{}{}", server.url, ana.get(&link).to.expect("the door"));
    assert!(ana.get(&door).body.contains("name=\"passphrase\""));
    let absent = ana.post(&door, &[("name", "Zoe")]);
    let wrong = ana.post(&door, &[("name", "Zoe"), ("passphrase", "grey horse")]);
    assert_eq!((absent.status, wrong.status, &absent.body), (403, 403, &wrong.body), "the same for both");
    assert!(wrong.body.contains("value=\"Zoe\""), "what was typed is not lost: {}", wrong.body);
    assert!(!gm.get(&people).body.contains("Zoe"), "nobody is at the door");
    assert_eq!(ana.post(&door, &[("name", "Zoe"), ("passphrase", "grey heron")]).status, 303);
    assert!(gm.get(&people).body.contains("Zoe"));
    // Attempts are limited, even with the right passphrase.
    let bo = Browser::new();
    let door = format!("{}{}", server.url, bo.get(&link).to.expect("the door"));
    assert_eq!(bo.post(&door, &[("name", "Bo"), ("passphrase", "x")]).status, 403);
    let late = bo.post(&door, &[("name", "Bo"), ("passphrase", "grey heron")]);
    assert!(late.status == 429 && late.body.contains("value=\"Bo\"") && !late.body.contains("heron"));
    // Without a passphrase, nobody is asked for one.
    assert_eq!(gm.post(&format!("{table}/passphrase"), &[("passphrase", "")]).status, 303);
    assert!(!bo.get(&door).body.contains("name=\"passphrase\""));
}

/// An address that receives webhooks, and answers first with these statuses.
fn listener(statuses: &'static [u16]) -> (String, mpsc::Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let (sender, messages) = mpsc::channel();
    thread::spawn(move || {
        let mut statuses = statuses.iter();
        for stream in listener.incoming().flatten() {
            let status = statuses.next().copied().unwrap_or(204);
            let heard = hear(stream, status);
            if sender.send(heard).is_err() {
                return;
            }
        }
    });
    (url, messages)
}

fn hear(stream: TcpStream, status: u16) -> (String, Value) {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        if line.trim().is_empty() {
            break;
        }
        if let Some(n) = line.to_lowercase().strip_prefix("content-length:") {
            length = n.trim().parse().expect("a length");
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    reader.get_mut().write_all(answer.as_bytes()).expect("it listens");
    (head, serde_json::from_slice(&body).expect("JSON"))
}

#[test]
fn whoever_is_waited_for_and_is_away_is_told_of_once() {
    let server = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        config.webhooks = Reach::Private;
        config.patience = Duration::from_millis(100);
    });
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &["gm"]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let (url, heard) = listener(&[503]);
    let made = gm.post(&at("/webhook"), &json!({ "url": url }));
    assert_eq!(made.status, 200, "{made:?}");
    let next = || heard.recv_timeout(Duration::from_secs(20)).expect("it is told");
    let (head, first) = next();
    let (_, again) = next();
    assert_eq!(first, again, "what could not be taken is told again");
    assert!(head.contains("webhook-signature: v1,") && head.contains("webhook-timestamp: "), "{head}");
    assert_eq!(first["table"], table.as_str());
    assert_eq!(first["content"], first["text"], "Discord reads it");
    let seats = first["seats"].as_array().expect("seats").clone();
    assert!(
        !seats.is_empty() && !seats.contains(&json!("gm")),
        "people are nudged, the machine is not: {first}"
    );
    // A note does not change who is awaited.
    gm.post(&at("/note"), &json!({ "text": "canary-7f3a" }));
    assert!(heard.recv_timeout(Duration::from_millis(800)).is_err(), "once for a decision");
    // Nor does a restart.
    let server = server.again_configured(|config| {
        config.webhooks = Reach::Private;
        config.patience = Duration::from_millis(100);
    });
    let gm = Program::new(&server).with(gm.token.as_deref().expect("a token"));
    assert_eq!(gm.get(&at("")).status, 200);
    assert!(heard.recv_timeout(Duration::from_millis(800)).is_err(), "once for a decision, whoever begins");
    // Without the webhook, nothing is sent.
    assert_eq!(gm.post(&at("/webhook"), &json!({})).status, 200);
    let seat = seats[0].as_str().expect("a seat");
    gm.post(&at("/bots"), &json!({ "seat": seat, "plays": "greedy" }));
    assert!(heard.recv_timeout(Duration::from_millis(800)).is_err());
}

#[test]
fn a_webhook_tells_of_chances_that_hold_play_up() {
    let server = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        config.webhooks = Reach::Private;
        config.patience = Duration::from_millis(100);
    });
    let (gm, table, guards) = (0..20).find_map(|seed| guarded(&server, seed)).expect("somebody may guard");
    let at = format!("/tables/{table}");
    let now = gm.get(&at).body;
    let awaited: Vec<Value> =
        now["waits"].as_array().expect("waits").iter().map(|waits| waits["seats"][0].clone()).collect();
    assert_eq!(awaited, guards, "the gamemaster is told of all: {now}");
    let players: Vec<Value> = guards.iter().filter(|seat| *seat != "gm").cloned().collect();
    for seat in &players {
        let theirs = gm.make(&table, "read", seat.as_str().expect("a name")).get(&at).body;
        assert_eq!((&theirs["due"], &theirs["asks"][0]["due"]), (&json!(true), &json!(true)), "{theirs}");
        assert_eq!(theirs["asks"][0]["duty"], "may");
    }
    let watched = gm.make(&table, "read", "watch").get(&at).body;
    let named: Vec<&Value> =
        watched["waits"].as_array().expect("waits").iter().map(|waits| &waits["seats"][0]).collect();
    assert_eq!(
        named,
        players.iter().collect::<Vec<_>>(),
        "while a player is left no other is told of the gamemaster"
    );
    let (url, heard) = listener(&[]);
    assert_eq!(gm.post(&format!("{at}/webhook"), &json!({ "url": url })).status, 200);
    let (_, message) = heard.recv_timeout(Duration::from_secs(20)).expect("it is told");
    assert_eq!(message["seats"], json!(players), "{message}");
}

/// A table that its gamemaster plays for everybody until only guards are open, some of them
/// players', with the seats they belong to.
fn guarded(server: &Server, seed: u64) -> Option<(Program, String, Vec<Value>)> {
    let (gm, table) = Program::new(server).open(SYSTEM, ENCOUNTER, &[]);
    let mut chance = Chance::new(seed, 0);
    for _ in 0..150 {
        let now = gm.get(&format!("/tables/{table}")).body;
        let asks = now["asks"].as_array().expect("asks");
        if !now["roll"].is_null() {
            gm.post(&format!("/tables/{table}/throw"), &json!({ "roll": now["roll"]["roll"] }));
            continue;
        }
        let guards: Vec<Value> =
            asks.iter().filter(|ask| ask["kind"] == "guard").map(|ask| ask["awaited"][0].clone()).collect();
        if guards.len() == asks.len() && guards.iter().any(|seat| seat != "gm") {
            return Some((gm, table, guards));
        }
        let ask = asks.get(chance.place(asks.len().max(1)))?;
        let answers = ask["answers"].as_array().expect("answers");
        let harm: Vec<&Value> =
            answers.iter().filter(|answer| answer["answer"].to_string().contains("attack")).collect();
        let any: Vec<&Value> = if harm.is_empty() { answers.iter().collect() } else { harm };
        let answer = &any[chance.place(any.len())]["answer"];
        let sent = json!({ "ask": ask["ask"], "answer": answer, "of": ask["awaited"][0] });
        assert_eq!(gm.post(&format!("/tables/{table}/answer"), &sent).status, 200, "{sent}");
    }
    None
}

#[test]
fn a_webhook_tells_what_its_gamemaster_chose_and_can_be_tried() {
    let server = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        config.webhooks = Reach::Private;
        config.patience = Duration::from_millis(100);
    });
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &["gm"]);
    let at = format!("/tables/{table}/webhook");
    let test = || gm.send("POST", &format!("{at}/test"), None, &[]);
    assert_eq!(test().problem(), "refused", "there is no address to try");
    let (url, heard) = listener(&[404, 204, 503]);
    let refused = gm.post(&at, &json!({ "url": url, "kinds": [] }));
    assert_eq!(refused.problem(), "refused", "{refused:?}");
    assert_eq!(gm.post(&at, &json!({ "url": url, "kinds": ["weather"] })).problem(), "unreadable");
    let made = gm.post(&at, &json!({ "url": url, "kinds": ["lines", "over"] }));
    assert_eq!((made.status, &made.body["kinds"]), (200, &json!(["lines", "over"])), "{made:?}");
    let tried = test();
    assert_eq!((&tried.body["told"], &tried.body["status"]), (&json!(false), &json!(404)), "{tried:?}");
    assert_eq!(test().body["told"], true);
    for _ in 0..2 {
        let (head, message) = heard.recv_timeout(Duration::from_secs(20)).expect("it is tried");
        assert_eq!(message["kind"], "test");
        let delivery = message["delivery"].as_str().expect("a name");
        assert!(head.to_lowercase().contains(&format!("webhook-id: {delivery}")), "{head}");
    }
    gm.post(&format!("/tables/{table}/note"), &json!({ "text": "canary-7f3a", "to": ["gm"] }));
    gm.post(&format!("/tables/{table}/note"), &json!({ "text": "Rain on the salt." }));
    let next = || heard.recv_timeout(Duration::from_secs(20)).expect("it is told");
    let first = next();
    assert_eq!(first.1, next().1, "what could not be taken is told again, under the same name");
    let mut all = vec![first.1];
    while !all.iter().any(|message| message["text"].to_string().contains("Rain on the salt.")) {
        all.push(next().1);
    }
    assert!(
        all.iter().all(|message| message["kind"] == "lines" && !message.to_string().contains("canary")),
        "{all:?}"
    );
    let lines = all.iter().flat_map(|message| message["lines"].as_array().expect("lines"));
    assert!(lines.clone().any(|line| line["text"] == "Rain on the salt."));
    assert!(lines.clone().all(|line| line["seq"].is_null()), "as spectators are sent them");
    // If nobody answers, the result tells no more than that.
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    gm.post(&at, &json!({ "url": format!("http://{nobody}/") }));
    let tried = test().body;
    assert_eq!((&tried["told"], &tried["status"]), (&json!(false), &Value::Null), "{tried}");
    assert!(tried["what"].as_str().is_some_and(|what| what.starts_with("Nobody answered")), "{tried}");
    for bad in ["http://example.org/#x", "http://example.org:0/", "http://a..b/", "https://x.invalid/"] {
        let refused = gm.post(&at, &json!({ "url": bad }));
        assert_eq!((refused.status, refused.problem()), (422, "refused"), "{bad}: {refused:?}");
    }
    // A page does the same.
    let (person, page) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (url, heard) = listener(&[]);
    assert_eq!(person.post(&format!("{page}/webhook"), &[("url", &url), ("kind", "over")]).status, 303);
    let shown = person.get(&format!("{page}/programs")).body;
    assert!(
        shown.contains("value=\"over\" checked") && !shown.contains("value=\"lines\" checked"),
        "{shown}"
    );
    let tried = person.post(&format!("{page}/webhook/test"), &[]);
    assert!(tried.status == 200 && tried.body.contains("It answered 204"), "{}", tried.body);
    assert_eq!(heard.recv_timeout(Duration::from_secs(20)).expect("it is tried").1["kind"], "test");
}

#[test]
fn eight_addresses_that_never_answer_keep_nobody_else_from_being_told() {
    let server = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        config.webhooks = Reach::Private;
        config.patience = Duration::from_millis(100);
    });
    // A listener that accepts connections and never answers.
    let slow = TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = slow.local_addr().expect("an address");
    let (sender, came) = mpsc::channel();
    thread::spawn(move || {
        for stream in slow.incoming() {
            if sender.send(stream).is_err() {
                return;
            }
        }
    });
    let nobody = Program::new(&server);
    let hooked = |url: &str| {
        let (gm, table) = nobody.open(SYSTEM, ENCOUNTER, &["gm"]);
        let made = gm.post(&format!("/tables/{table}/webhook"), &json!({ "url": url }));
        assert_eq!(made.status, 200, "{made:?}");
    };
    (0..8).for_each(|n| hooked(&format!("http://{at}/{n}")));
    let _kept: Vec<_> =
        (0..8).map(|_| came.recv_timeout(Duration::from_secs(20)).expect("all eight are tried")).collect();
    let (url, heard) = listener(&[]);
    hooked(&url);
    // Far sooner than those give up.
    heard.recv_timeout(Duration::from_secs(5)).expect("it is told");
}

#[test]
fn a_webhook_leads_nowhere_private_and_nobody_is_nudged_who_is_here() {
    let server = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        config.patience = Duration::from_millis(100);
    });
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let (url, heard) = listener(&[]);
    assert_eq!(gm.post(&at("/webhook"), &json!({ "url": "ftp://x" })).problem(), "refused");
    // Such an address is refused when it is set, to programs and people alike.
    let refused = gm.post(&at("/webhook"), &json!({ "url": url }));
    assert_eq!((refused.status, refused.problem()), (422, "refused"), "{refused:?}");
    assert!(refused.body["detail"].as_str().is_some_and(|text| text.contains("--webhooks-to-private")));
    assert_eq!(gm.get(&at("/webhook")).body["url"], Value::Null);
    let (person, page) = server.table(SYSTEM, ENCOUNTER, &[]);
    let refused = person.post(&format!("{page}/webhook"), &[("url", &url)]);
    assert!(refused.status == 422 && refused.body.contains("--webhooks-to-private"), "{}", refused.body);
    // A webhook that was set where it was allowed is not sent where it is not.
    let patience = Duration::from_millis(100);
    let server = server.again_configured(|config| config.webhooks = Reach::Private);
    let gm = Program::new(&server).with(gm.token.as_deref().expect("a token"));
    assert_eq!(gm.post(&at("/webhook"), &json!({ "url": url })).status, 200);
    let server = server.again_configured(|config| config.patience = patience);
    let gm = Program::new(&server).with(gm.token.as_deref().expect("a token"));
    assert_eq!(gm.get(&at("/webhook")).body["url"], url.as_str());
    assert!(heard.recv_timeout(Duration::from_millis(1_500)).is_err(), "this machine is private");
}

#[test]
fn what_is_counted_is_told_to_no_page_elsewhere() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::configured(data, |config| config.metrics = Some(([127, 0, 0, 1], 0).into()));
    let at = server.metrics.expect("an address");
    let asked = |host: &str| {
        let mut stream = TcpStream::connect(at).expect("it listens");
        let request = format!("GET /metrics HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it takes it");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    for host in ["evil.example", "127.0.0.1.evil.example", "127.0.0.1\r\nhost: evil.example"] {
        let answer = asked(host);
        assert!(answer.starts_with("HTTP/1.1 421") && !answer.contains("fracas_"), "{host}: {answer}");
    }
    for host in ["127.0.0.1", "localhost:9766", "fracas:9766"] {
        assert!(asked(host).contains("fracas_connections"), "{host}");
    }
}

/// A note of this many bytes.
fn note(bytes: usize) -> Value {
    json!({ "text": "x".repeat(bytes) })
}

#[test]
fn a_note_names_each_reader_once() {
    let server = limited(Limits::none());
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let to = ["player-2", "player-1"].repeat(8_000);
    assert_eq!(gm.post(&at("/note"), &json!({ "text": "canary-7f3a", "to": to })).status, 200);
    let log = gm.get(&at("/log")).body;
    let line = log.as_str().expect("text").lines().find(|line| line.contains("canary-7f3a")).expect("a line");
    assert!(line.contains(r#""seats":["player-2","player-1"]"#) && line.len() < 200, "{line}");
}

#[test]
fn a_seat_that_writes_too_much_is_told_so_and_no_other_is() {
    let server = limited(Limits { writing: rate(20_000), ..Limits::none() });
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let ana = [gm.make(&table, "play", "player-1"), gm.make(&table, "play", "player-1")];
    for n in 0..3 {
        assert_eq!(ana[n % 2].post(&at("/note"), &note(5_000)).status, 200);
    }
    for ana in &ana {
        let refused = ana.post(&at("/note"), &note(5_000));
        assert_eq!((refused.status, refused.problem()), (429, "too-often"), "{refused:?}");
        assert!(refused.header("retry-after").is_some(), "{refused:?}");
    }
    assert_eq!(ana[0].post(&at("/note"), &note(100)).status, 200, "a word has room");
    assert_eq!(gm.post(&at("/note"), &note(5_000)).status, 200);
    let log = gm.get(&at("/log")).body;
    assert_eq!(log.as_str().expect("text").matches("\"note\":{\"by\"").count(), 5, "what was kept stays");
}

#[test]
fn the_rest_of_a_full_log_is_the_gamemasters() {
    let server = limited(Limits::none());
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let ana = gm.make(&table, "play", "player-1");
    let log = |gm: &Program| gm.get(&at("/log")).body.as_str().expect("text").len() as u64;
    let most = (log(&gm) + 40_000) / 3 * 4;
    let (ana, gm) = {
        let tokens = [ana, gm].map(|program| program.token.expect("a token"));
        let server = server.again_configured(|config| config.limits.log = most);
        let programs = tokens.map(|token| Program::new(&server).with(&token));
        let [ana, gm] = &programs;
        let kept = (0..20).take_while(|_| ana.post(&at("/note"), &note(7_000)).status == 200).count();
        assert!((3..10).contains(&kept), "{kept}");
        let refused = ana.post(&at("/note"), &note(10));
        assert_eq!((refused.status, refused.problem()), (422, "refused"), "{refused:?}");
        assert!(refused.body["detail"].as_str().is_some_and(|text| text.contains("log is full")));
        assert_eq!(gm.post(&at("/note"), &note(7_000)).status, 200, "the gamemaster has room");
        assert!(log(gm) <= most);
        (kept, server)
    };
    drop((ana, gm));
}

#[test]
fn a_seat_has_so_many_streams_and_tokens_and_takes_none_from_others() {
    let server = limited(Limits { streams: 2, ..Limits::none() });
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let ana = gm.make(&table, "play", "player-1");
    let tokens: Vec<Program> = (0..3).map(|_| ana.make(&table, "read", "player-1")).collect();
    let _streams = [tokens[0].listen(&table, None), tokens[1].listen(&table, None)];
    let refused = tokens[2].status("GET", &at("/stream"), None);
    assert_eq!(refused, 429, "by whatever token");
    let _own = gm.listen(&table, None);
    let wanted = json!({ "kind": "read", "role": "player-1" });
    let made = (0..99).take_while(|_| ana.post(&at("/passes"), &wanted).status == 201).count();
    assert_eq!(made, 16, "twenty in all, with her own");
    let refused = ana.post(&at("/passes"), &wanted);
    assert_eq!((refused.status, refused.problem()), (422, "refused"), "{refused:?}");
    gm.make(&table, "play", "player-1");
    gm.make(&table, "read", "watch");
}

#[test]
fn passphrases_tried_with_one_link_use_up_no_other() {
    let server = limited(Limits { phrases: rate(3), ..Limits::none() });
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    assert_eq!(gm.post(&format!("{table}/passphrase"), &[("passphrase", "grey heron")]).status, 303);
    let door = |role: &str| {
        let browser = Browser::new();
        let door = browser.get(&link(&gm, &table, role)).to.expect("the door");
        (browser, format!("{}{door}", server.url))
    };
    let (eve, hers) = door("player-1");
    let wrong = || eve.post(&hers, &[("name", "Eve"), ("passphrase", "grey horse")]).status;
    assert_eq!([wrong(), wrong(), wrong(), wrong()], [403, 403, 403, 429]);
    let (ana, own) = door("player-2");
    assert_eq!(ana.post(&own, &[("name", "Ana"), ("passphrase", "grey heron")]).status, 303);
}

#[test]
fn a_log_from_a_stranger_is_a_short_one() {
    let server = limited(Limits { log_from_stranger: 4 << 10, ..Limits::none() });
    let nobody = Program::new(&server);
    let (gm, table) = nobody.open(SYSTEM, ENCOUNTER, &[]);
    let log = gm.get(&format!("/tables/{table}/log")).body.as_str().expect("text").to_owned();
    assert!(log.len() > 4 << 10);
    let kind = [("content-type", "application/x-ndjson")];
    let bring = |program: &Program| program.send("POST", "/tables/taken", Some(&log), &kind);
    let ana = gm.make(&table, "play", "player-1");
    for stranger in [&nobody, &ana, &nobody.with(&"a".repeat(32))] {
        let refused = bring(stranger);
        assert_eq!((refused.status, refused.problem()), (413, "too-long"), "{refused:?}");
        assert!(refused.body["detail"].as_str().is_some_and(|text| text.contains("4 KB here, and 16 MB")));
    }
    let taken = bring(&gm);
    assert_eq!(taken.status, 201, "{taken:?}");
    // And by the form.
    let take_in = format!("{}/take-in", server.url);
    let refused = Browser::new().bring(&take_in, &[], log.as_bytes());
    assert!(refused.status == 422 && refused.body.contains("may have 4 KB here"), "{}", refused.body);
    let (person, _) = server.table(SYSTEM, ENCOUNTER, &[]);
    assert_eq!(person.bring(&take_in, &[], log.as_bytes()).status, 303);
    // Anybody may open a table, so a gamemaster is a stranger until the table is older.
    let known_after = Duration::from_secs(600);
    let server = limited(Limits { log_from_stranger: 4 << 10, known_after, ..Limits::none() });
    let (newcomer, _) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    assert_eq!(bring(&newcomer).status, 413);
    let (person, _) = server.table(SYSTEM, ENCOUNTER, &[]);
    assert_eq!(person.bring(&format!("{}/take-in", server.url), &[], log.as_bytes()).status, 422);
}

#[test]
fn what_takes_long_is_done_so_often_from_one_address() {
    let server = limited(Limits { checks: rate(2), logs: rate(1), ..Limits::none() });
    let nobody = Program::new(&server);
    let check = || nobody.post(&format!("/systems/{SYSTEM}/check"), &json!({ "toml": "" })).status;
    assert_eq!([check(), check(), check()], [200, 200, 429]);
    let kind = [("content-type", "application/x-ndjson")];
    let bring = || nobody.send("POST", "/tables/taken", Some("x"), &kind).status;
    assert_eq!([bring(), bring()], [422, 429]);
    let page = Browser::new().bring(&format!("{}/take-in", server.url), &[], b"x");
    assert_eq!(page.status, 429, "the same by the form");
}

#[test]
fn of_very_many_faults_some_are_told_and_all_are_counted() {
    let server = limited(Limits::none());
    let nobody = Program::new(&server);
    for system in fracas_systems::all() {
        let others = system.others;
        let entry = |n: usize| {
            let used = format!("[[{others}]]\nuse = \"nobody {n:05}\"\n[[character]]\nuse = \"no {n:05}\"\n");
            format!("{used}x{n} = 1\n")
        };
        let text = |count: usize| (0..count).map(entry).collect::<String>();
        let response = nobody.post(&format!("/systems/{}/check", system.id), &json!({ "toml": text(1_500) }));
        assert_eq!(response.status, 200, "{response:?}");
        assert_eq!(response.body["faults"].as_array().map(Vec::len), Some(50), "{response:?}");
        assert!(
            response.body["more"].as_u64().is_some_and(|more| more > 1_000),
            "{}: {response:?}",
            system.id
        );
        let opened =
            nobody.post("/tables", &json!({ "system": system.id, "toml": text(1_500) + "[[player]]" }));
        assert_eq!(opened.body["faults"].as_array().map(Vec::len), Some(50), "{opened:?}");
        assert!(opened.body["detail"].as_str().is_some_and(|text| text.ends_with("of the first 50")));
        // On a person's own page too.
        let ana = Browser::new();
        let file = [("system", system.id)];
        let brought = ana.bring(&format!("{}/papers/import", server.url), &file, text(1_500).as_bytes());
        let paper = ana.get(&format!("{}{}?as=text", server.url, brought.to.expect("its page")));
        let more = response.body["more"].as_u64().expect("a number");
        assert!(paper.body.contains("<li>and ") && paper.body.contains(" things are wrong:"), "{more}");
    }
}

/// The first line of an answer to a request with these headers.
fn asked(server: &Server, request: &str, headers: &[&str]) -> String {
    let mut stream = TcpStream::connect(server.address).expect("it listens");
    let headers = headers.iter().map(|header| format!("{header}\r\n")).collect::<String>();
    let all = format!("{request} HTTP/1.1\r\nconnection: close\r\n{headers}\r\n");
    stream.write_all(all.as_bytes()).expect("it takes it");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn no_page_reaches_the_server_by_a_name_of_its_own() {
    let home = limited(Limits::none());
    let away = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        config.base_url = Some("https://play.example.org".to_owned());
    });
    for (request, host, at_home, at_large) in [
        ("GET /", "127.0.0.1", 200, 200),
        ("GET /", "localhost:7766", 200, 200),
        ("GET /", "play.example.org", 421, 200),
        ("GET /", "evil.example", 421, 421),
        ("GET http://evil.example/", "127.0.0.1", 421, 421),
        ("GET /", "127.0.0.1\r\nhost: evil.example", 421, 421),
        ("GET /assets/fracas.js", "evil.example", 421, 421),
        ("GET /api/v1/systems", "evil.example", 421, 421),
        ("GET /healthz", "evil.example", 200, 200),
    ] {
        for (server, expected) in [(&home, at_home), (&away, at_large)] {
            let answer = asked(server, request, &[&format!("host: {host}")]);
            assert!(answer.starts_with(&format!("HTTP/1.1 {expected}")), "{request} {host}: {answer}");
            assert!(expected < 400 || answer.contains("--base-url"), "{answer}");
            let is_refused = answer.contains("/api#elsewhere");
            assert_eq!(is_refused, request.contains("/api/"), "{answer}");
        }
    }
}

#[test]
fn what_another_site_sent_too_often_is_not_handed_back_to_be_sent_from_here() {
    let server = limited(Limits { commands: rate(1), ..Limits::none() });
    let sent = "system=afraid&kind=npc&word=canary-7f3a";
    // What ends the head ends the body too.
    let body = format!("content-length: {}\r\n\r\n{sent}", sent.len() + 4);
    let send = |site: &str| {
        let kind = "content-type: application/x-www-form-urlencoded";
        let site = format!("sec-fetch-site: {site}");
        asked(&server, "POST /papers", &["host: 127.0.0.1", kind, &site, &body])
    };
    assert!(send("cross-site").starts_with("HTTP/1.1 403"));
    for (site, handed_back) in [("cross-site", false), ("same-site", false), ("same-origin", true)] {
        let answer = send(site);
        assert!(answer.starts_with("HTTP/1.1 429"), "{site}: {answer}");
        for part in ["Send it again", "canary-7f3a"] {
            assert_eq!(answer.contains(part), handed_back, "{site}: {answer}");
        }
    }
}

#[test]
fn whatever_was_asked_too_often_no_way_on_leads_off_the_site() {
    let server = limited(Limits { requests: rate(1), ..Limits::none() });
    let get = |path: &str| asked(&server, &format!("GET {path}"), &["host: 127.0.0.1"]);
    get("/");
    let again = get("/papers");
    assert!(again.starts_with("HTTP/1.1 429") && again.contains("href=\"/papers\""), "{again}");
    let away = get("//evil.example/x");
    assert!(away.starts_with("HTTP/1.1 429") && !away.contains("evil.example"), "{away}");
}

#[test]
fn what_a_proxy_says_counts_where_somebody_trusts_it() {
    let open = "POST /open/judge-two/salt-gate";
    let forged = ["host: 127.0.0.1", "x-forwarded-host: evil.local", "origin: http://evil.local"];
    let behind = ["x-forwarded-host: table.local", "x-forwarded-proto: https", "host: 127.0.0.1"];
    let alone = limited(Limits::none());
    assert!(asked(&alone, open, &forged).starts_with("HTTP/1.1 403"));
    let trusting = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        config.addresses = Addresses::Proxy;
    });
    let from_ours = [&behind[..], &["origin: https://table.local", "content-length: 0"]].concat();
    assert!(asked(&trusting, open, &from_ours).starts_with("HTTP/1.1 303"));
    assert!(asked(&alone, open, &from_ours).starts_with("HTTP/1.1 403"));
}
