//! How long a connection may keep the server waiting, and how many there may be.

use crate::common::{Browser, Server};
use fracas_web::{Addresses, Config, Limits};
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};
use std::{net::TcpStream, thread};

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";
/// Short here, long in production.
const SHORT: Duration = Duration::from_millis(500);
/// Far longer than that, and far shorter than production's times.
const LONG: Duration = Duration::from_secs(5);

fn configured(configure: impl FnOnce(&mut Config)) -> Server {
    Server::configured(tempfile::tempdir().expect("a folder"), configure)
}

/// A connection on which this text was sent.
fn said(server: &Server, words: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).expect("it listens");
    stream.set_read_timeout(Some(LONG)).expect("a time");
    stream.write_all(words.as_bytes()).expect("it takes them");
    stream
}

/// Everything that is answered until the connection closes.
fn heard(mut stream: TcpStream) -> String {
    let mut received = Vec::new();
    match stream.read_to_end(&mut received) {
        Err(error) if error.kind() != io::ErrorKind::ConnectionReset => panic!("it stays open: {error}"),
        _ => String::from_utf8_lossy(&received).into_owned(),
    }
}

/// Sends one more letter now and then until the connection closes. Returns how long that
/// took.
fn drip(mut stream: TcpStream, letters: &str) -> Duration {
    let begun = Instant::now();
    for letter in letters.bytes().cycle() {
        if stream.write_all(&[letter]).is_err() || begun.elapsed() > LONG {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    begun.elapsed()
}

#[test]
fn half_a_head_is_not_waited_for() {
    let server = configured(|config| config.limits.head = SHORT);
    let whole = "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
    for half in ["", "GET", "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n", whole] {
        let begun = Instant::now();
        let answer = heard(said(&server, half));
        assert_eq!(answer.starts_with("HTTP/1.1 200"), half == whole, "{half:?}: {answer}");
        assert!((SHORT..LONG).contains(&begun.elapsed()), "{half:?}: {:?}", begun.elapsed());
    }
    let slow = said(&server, "GET /healthz HTTP/1.1\r\n");
    assert!(drip(slow, "a: b\r\n") < LONG, "letter by letter it is no faster");
}

#[test]
fn half_a_body_is_not_waited_for() {
    let server = configured(|config| config.limits.body = SHORT);
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let path = table.trim_start_matches(&server.url);
    let head = format!(
        "POST {path}/note HTTP/1.1\r\nhost: {}\r\norigin: {}\r\ncookie: fracas={}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: 1000\r\n\r\n",
        server.url.trim_start_matches("http://"),
        server.url,
        gm.secret(&server.url)
    );
    let answer = heard(said(&server, &format!("{head}text=half-a-note")));
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("nothing was done"), "{answer}");
    assert!(drip(said(&server, &head), "text=half-a-note") < LONG);
    // A program is sent this in the API's own form.
    let program = "POST /api/v1/tables HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
                   content-length: 1000\r\n\r\n{";
    let answer = heard(said(&server, program));
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("/api#too-slow"), "{answer}");
    assert!(answer.contains("application/problem+json") && answer.contains("connection: close"), "{answer}");
    assert!(!gm.get(&table).body.contains("half-a-note"));
    // Also if no handler reads it.
    let elsewhere = head.replace("/note ", "/nowhere ");
    assert!(heard(said(&server, &elsewhere)).starts_with("HTTP/1.1 404"));
}

#[test]
fn a_stream_outlives_every_limit() {
    let server = configured(|config| {
        let limits = Limits { head: SHORT, body: SHORT, unread: SHORT, ..Limits::none() };
        config.limits = limits;
    });
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let stream = gm.listen(&format!("{table}/stream"), None);
    stream.next();
    thread::sleep(3 * SHORT);
    gm.act(&format!("{table}/note"), &[("text", "after a while")]);
    stream.until("after a while");
}

#[test]
fn whoever_takes_nothing_of_what_they_asked_for_is_let_go() {
    let server = configured(|config| {
        config.limits.unread = SHORT;
        config.metrics = Some(([127, 0, 0, 1], 0).into());
    });
    let metrics = format!("http://{}/metrics", server.metrics.expect("an address"));
    let open = || {
        let body = Browser::new().get(&metrics).body;
        let line = body.lines().find_map(|line| line.strip_prefix("fracas_connections "));
        line.and_then(|count| count.parse::<usize>().ok()).expect("a count")
    };
    let mut greedy = said(&server, "");
    greedy.set_write_timeout(Some(Duration::from_millis(100))).expect("a time");
    // More than the buffers of both sides hold.
    let ask = "GET /assets/fracas.js HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".repeat(100);
    while greedy.write_all(ask.as_bytes()).is_ok() {}
    let begun = Instant::now();
    while open() > 0 {
        assert!(begun.elapsed() < LONG, "{} are open", open());
        thread::sleep(Duration::from_millis(50));
    }
    drop(greedy);
}

#[test]
fn where_there_is_no_more_room_those_inside_stay() {
    let server = configured(|config| config.limits.connections = 4);
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let inside = gm.listen(&format!("{table}/stream"), None);
    inside.next();
    let mut idle: Vec<TcpStream> = (0..2).map(|_| said(&server, "GET /")).collect();
    gm.act(&format!("{table}/note"), &[("text", "one more goes in")]);
    inside.until("one more goes in");
    idle.push(said(&server, "GET /"));
    let refused = heard(said(&server, WHOLE));
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    drop(idle.pop());
    is_served(&server);
    gm.act(&format!("{table}/note"), &[("text", "still here")]);
    inside.until("still here");
}

/// A request for which the connection is closed.
const WHOLE: &str = "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n";

/// Waits until a new client is served.
fn is_served(server: &Server) {
    let begun = Instant::now();
    while !heard(said(server, WHOLE)).starts_with("HTTP/1.1 200") {
        assert!(begun.elapsed() < LONG, "whoever goes makes room");
    }
}

#[test]
fn so_many_come_in_and_not_one_more_until_somebody_goes() {
    let server = configured(|config| config.limits.connections = 3);
    // They are accepted in order, and counted.
    let mut inside: Vec<TcpStream> = (0..3).map(|_| said(&server, "GET /")).collect();
    for _ in 0..3 {
        let refused = heard(said(&server, WHOLE));
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: "), "{refused}");
    }
    drop(inside.pop());
    is_served(&server);
    // Those inside are served as before.
    let mut first = inside.remove(0);
    first.write_all(&WHOLE.as_bytes()["GET /".len()..]).expect("it takes them");
    assert!(heard(first).starts_with("HTTP/1.1 200"));
}

#[test]
fn whoever_reads_the_numbers_takes_little_room_and_none_from_those_who_play() {
    let server = configured(|config| {
        config.limits.connections = 1;
        config.metrics = Some(([127, 0, 0, 1], 0).into());
    });
    let ask = "GET /metrics HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n";
    let asked = |words: &str| {
        let mut stream = TcpStream::connect(server.metrics.expect("an address")).expect("it listens");
        stream.set_read_timeout(Some(LONG)).expect("a time");
        stream.write_all(words.as_bytes()).expect("it takes them");
        stream
    };
    let _inside = said(&server, "GET /");
    assert!(heard(said(&server, WHOLE)).starts_with("HTTP/1.1 503"), "there is room for one");
    let mut readers: Vec<TcpStream> = (0..15).map(|_| asked("GET /")).collect();
    let numbers = heard(asked(ask));
    assert!(numbers.contains("fracas_connections 1\n"), "{numbers}");
    let begun = Instant::now();
    while !heard(asked(ask)).starts_with("HTTP/1.1 503") {
        assert!(begun.elapsed() < LONG, "no end to them: {}", readers.len());
        readers.push(asked("GET /"));
    }
}

#[test]
fn one_address_does_not_take_all_the_room_but_a_proxy_may() {
    for (addresses, last) in [(Addresses::Connected, "HTTP/1.1 503"), (Addresses::Proxy, "HTTP/1.1 200")] {
        let server = configured(|config| {
            config.limits.connections_from = 2;
            config.addresses = addresses;
        });
        let mut idle: Vec<TcpStream> = (0..2).map(|_| said(&server, "GET /")).collect();
        let answer = heard(said(&server, WHOLE));
        assert!(answer.starts_with(last), "{addresses:?}: {answer}");
        drop(idle.pop());
        is_served(&server);
    }
}
