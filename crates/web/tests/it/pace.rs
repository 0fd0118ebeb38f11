//! How long a table waits, and what a returning viewer is shown.

use crate::common::play::played_until;
use crate::common::{Server, field, fields, join, link};
use std::io::Write;
use std::time::{Duration, Instant};

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";

#[test]
fn whoever_lets_the_table_wait_too_long_is_answered_for() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[("bot", "gm")]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    assert!(field(&ana.get(&page).body, "ask").is_some(), "she is asked");
    let pace = |form: &[(&str, &str)]| gm.act(&format!("{table}/pace"), form);
    for bad in ["soon", "-1", "99999999999", "2419201"] {
        let refused = pace(&[("deadline", bad)]);
        assert!(refused.status == 422 && refused.body.contains("2419200"), "{}", refused.body);
    }
    assert_eq!(ana.act(&format!("{page}/pace"), &[("deadline", "1")]).status, 403);
    let stream = ana.listen(&format!("{page}/stream"), None);
    assert_eq!(pace(&[("deadline", "1"), ("grace", "1")]).status, 200);
    stream.until("The table waits until");
    // A pause stops the clock.
    gm.act(&format!("{table}/pause"), &[]);
    stream.until("Somebody wants a pause.");
    std::thread::sleep(Duration::from_millis(1_500));
    assert!(!ana.get(&page).body.contains("waited long enough"));
    gm.act(&format!("{table}/resume"), &[]);
    stream.until("waited long enough");
    let (since, story) = (Instant::now(), format!("{table}/story.md"));
    let before = gm.get(&story).body.len();
    while gm.get(&story).body.len() < before + 200 {
        assert!(since.elapsed() < Duration::from_secs(30), "play goes on without them");
        std::thread::sleep(Duration::from_millis(200));
    }
    // It continues after a restart, whether or not anybody comes.
    let server = server.again();
    let table = format!("{}/t/{}", server.url, table.split("/t/").nth(1).expect("its path"));
    assert!(gm.get(&table).body.contains("waited long enough"));
}

#[test]
fn whoever_comes_back_is_told_what_happened_since() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    assert!(!ana.get(&page).body.contains("Since you left"));
    let note = |text: &str, to: &str| gm.act(&format!("{table}/note"), &[("text", text), ("to", to)]);
    note("The bell rings twice.", "all");
    note("Nobody else may know.", "gm");
    let back = ana.get(&page).body;
    assert!(back.contains("Since you left: 1 line<"), "{back}");
    assert!(!ana.get(&page).body.contains("Since you left"), "told once");
    // While her page receives lines, nothing is news.
    let stream = ana.listen(&format!("{page}/stream"), None);
    stream.next();
    note("The tide turns.", "all");
    stream.until("The tide turns.");
    drop(stream);
    let said: Vec<String> = (0..9).map(|n| format!("Wave {n}.")).collect();
    let waited = Instant::now();
    while gm.get(&table).body.matches("(here)").count() > 0 {
        // A stream that nobody reads is noticed when the next message is sent.
        note("Listen.", "all");
        assert!(waited.elapsed() < Duration::from_secs(20), "her stream has ended");
        std::thread::sleep(Duration::from_millis(100));
    }
    said.iter().for_each(|text| drop(note(text, "all")));
    let back = ana.get(&page).body;
    assert!(back.contains("From where you left") && back.contains("Wave 8."), "{back}");
    assert!(!back.contains("Since you left: 0"));
}

#[test]
fn what_a_broken_connection_never_delivered_is_told_again() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    ana.get(&page);
    // A stream that nobody reads, and that breaks with what was sent.
    let mut line = std::net::TcpStream::connect(server.address).expect("it listens");
    let path = page.trim_start_matches(&server.url);
    let ask = format!(
        "GET {path}/stream HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: fracas={}\r\n\r\n",
        ana.secret(&server.url)
    );
    line.write_all(ask.as_bytes()).expect("it takes it");
    let here = || gm.get(&table).body.contains("(here)");
    let until = |there: bool| {
        let waited = Instant::now();
        while here() != there {
            assert!(waited.elapsed() < Duration::from_secs(20), "{there}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    until(true);
    gm.act(&format!("{table}/note"), &[("text", "The tide turns."), ("to", "all")]);
    std::thread::sleep(Duration::from_millis(300));
    drop(line);
    until(false);
    let back = ana.get(&page).body;
    assert!(back.contains("Since you left: 1 line<"), "{back}");
}

#[test]
fn what_is_taken_back_is_what_the_gamemaster_saw() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let answer = |expected: u16| {
        let page = gm.get(&table).body;
        let shown = page.split("class=\"answer\"").nth(1).expect("something is asked");
        let ask = field(shown, "ask").expect("its name");
        let of = field(shown, "of").unwrap_or_default();
        let answer = fields(shown, "answer").first().cloned().expect("answers");
        let done = gm.act(
            &format!("{table}/answer"),
            &[("ask", &ask), ("answer", &answer), ("of", &of), ("aloud", "yes")],
        );
        assert_eq!(done.status, expected, "{}", done.body);
    };
    answer(200);
    let line = field(&gm.get(&table).body, "line").expect("something could be taken back");
    answer(200);
    let undo = |line: &str| gm.act(&format!("{table}/undo"), &[("line", line)]);
    let refused = undo(&line);
    assert!(refused.status == 409 && refused.body.contains("meanwhile"), "{}", refused.body);
    assert_eq!(undo("first").status, 422);
    let now = field(&gm.get(&table).body, "line").expect("something could be taken back");
    assert_eq!(undo(&now).status, 200);
    assert_eq!(field(&gm.get(&table).body, "line"), Some(line));
}

#[test]
fn whoever_was_let_in_can_be_turned_out() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let stream = ana.listen(&format!("{page}/stream"), None);
    stream.next();
    let people = gm.get(&format!("{table}/people")).body;
    assert_eq!(people.matches("Turn out").count(), 1, "not whoever opened the table");
    let browser = field(&people, "browser").expect("she is here");
    gm.post(&format!("{table}/admit"), &[("browser", &browser), ("role", "player-1"), ("in", "no")]);
    stream.rest();
    gm.act(&format!("{table}/note"), &[("text", "She is gone."), ("to", "all")]);
    assert!(stream.rest().is_empty());
    let door = ana.get(&page).to.expect("the door");
    let door = ana.get(&format!("{}{door}", server.url)).body;
    assert!(door.contains("have not been let in") && !door.contains("data-reload"), "{door}");
}

#[test]
fn a_link_taken_back_leads_nowhere_even_for_whoever_stands_at_the_door() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let invitation = link(&gm, &table, "player-1");
    let ana = crate::common::Browser::new();
    let door = format!("{}{}", server.url, ana.get(&invitation).to.expect("the door"));
    let hash = field(&gm.get(&format!("{table}/people")).body, "hash").expect("the link");
    gm.post(&format!("{table}/revoke"), &[("hash", &hash)]);
    assert_eq!(ana.post(&door, &[("name", "Ana")]).status, 404);
}

#[test]
fn while_play_is_paused_what_somebody_fills_in_stays() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let asked = field(&ana.get(&page).body, "ask").expect("she is asked");
    gm.act(&format!("{table}/pause"), &[]);
    let paused = ana.get(&page).body;
    assert_eq!(field(&paused, "ask"), Some(asked), "the same form");
    assert!(paused.contains("<fieldset class=\"play\" disabled"), "{paused}");
}

#[test]
fn everybody_says_for_themselves_what_is_declined_for_them() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    assert_eq!(eve.act(&format!("{watch}/passes"), &[("on", "yes")]).status, 403);
    assert_eq!(ana.act(&format!("{page}/passes"), &[("on", "yes")]).status, 200);
    assert!(ana.get(&page).body.contains("are declined for you."));
    assert!(!gm.get(&table).body.contains("are declined for you."));
    assert_eq!(ana.act(&format!("{page}/passes"), &[("on", "no")]).status, 200);
    assert!(!ana.get(&page).body.contains("are declined for you."));
}

#[test]
fn what_would_be_answered_again_and_again_is_answered_from_now_on() {
    let server = Server::start();
    let mine = "class=\"kicker\">concrete</p>";
    let (gm, table, page) = played_until(&server, "afraid", "the-back-room", mine);
    let asked = page.split("<section class=\"ask mine\"").find(|ask| ask.contains(mine)).expect("the ask");
    let (form, beside) = asked.split_once("class=\"ever\"").expect("a reply that would answer it");
    let ask = field(form, "ask").expect("which ask");
    let reply = field(beside, "form").expect("which reply");
    assert_eq!(gm.act(&format!("{table}/stand"), &[("form", &reply), ("on", "yes")]).status, 200);
    let after = gm.get(&table).body;
    assert!(!after.contains(&format!("value=\"{ask}\"")), "{ask} is answered by {reply}");
}
