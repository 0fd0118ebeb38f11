//! The API as programs use it, over a socket.

use crate::common::program::{Program, Told};
use crate::common::{Browser, Server, field, join};
use fracas_kernel::{Seat, Viewer};
use fracas_store::{Db, Hash, Member, Named, NewTable, Standing, TableId};
use fracas_web::Rate;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, thread, time::Duration};

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";

/// The first answer of the role's first ask.
fn first_answer(table: &Value) -> Option<(Value, Value)> {
    let ask = table["asks"].as_array()?.iter().find(|ask| ask["mine"] == true)?;
    Some((ask["ask"].clone(), ask["answers"][0]["answer"].clone()))
}

#[test]
fn a_program_opens_a_table_and_plays_it_like_anybody() {
    let server = Server::start();
    let nobody = Program::new(&server);
    let systems = nobody.get("/systems");
    assert_eq!(systems.status, 200);
    assert!(systems.body.to_string().contains(ENCOUNTER));
    let (gm, table) = nobody.open(SYSTEM, ENCOUNTER, &["gm", "player-2", "player-3"]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let ana = gm.make(&table, "play", "player-1");
    let mut answered = 0;
    for _ in 0..400 {
        let now = ana.get(&at("")).body;
        assert_eq!(now["you"], "player-1");
        assert!(now["desk"].is_null(), "the gamemaster's alone");
        let response = if let Some((ask, answer)) = first_answer(&now) {
            ana.post(&at("/answer"), &json!({ "ask": ask, "answer": answer, "text": "So be it." }))
        } else if now["roll"]["may_throw"] == true {
            ana.post(&at("/throw"), &json!({ "roll": now["roll"]["roll"] }))
        } else {
            std::thread::sleep(std::time::Duration::from_millis(50));
            continue;
        };
        assert!(matches!(response.status, 200 | 409), "{response:?}");
        answered += i32::from(response.status == 200);
        if answered == 4 {
            break;
        }
    }
    assert_eq!(answered, 4);
    let lines = ana.get(&at("/lines?from=0")).body;
    assert_eq!(lines["lines"].as_array().map(Vec::len), lines["count"].as_u64().map(|n| n.min(100) as usize));
    assert!(lines.to_string().contains("So be it."));
    assert!(ana.get(&at("/story")).body.as_str().is_some_and(|story| story.contains("So be it.")));
    let log = gm.get(&at("/log")).body;
    assert!(log.as_str().is_some_and(|log| log.starts_with('{')), "{log}");
    // A person at the same table sees what the program did.
    assert!(gm.get(&at("/lines")).body.to_string().contains("So be it."));
}

#[test]
fn the_stage_shows_whom_the_role_knows_and_who_is_asked() {
    let server = Server::start();
    let nobody = Program::new(&server);
    for system in fracas_systems::all() {
        let encounter = fracas_systems::encounters(system).expect("they are TOML").remove(0);
        let (gm, table) = nobody.open(system.id, &encounter.id, &[]);
        for (kind, role) in [("play", "player-1"), ("read", "watch")] {
            let now = gm.make(&table, kind, role).get(&format!("/tables/{table}")).body;
            let list = |value: &Value| value.as_array().expect("a list").clone();
            let sides = list(&now["stage"]["sides"]);
            let tokens: Vec<Value> = sides.iter().flat_map(|side| list(&side["tokens"])).collect();
            let cards: Vec<Value> = list(&now["cards"]).iter().map(|card| card["id"].clone()).collect();
            assert!(!tokens.is_empty() && sides[0]["flank"] == "near", "{sides:?}");
            for token in &tokens {
                assert!(cards.contains(&token["id"]), "{token} has no card");
            }
            for seat in list(&now["seats"]).iter().filter(|seat| seat["seat"] != "gm") {
                let own = || tokens.iter().filter(|token| token["seat"] == seat["seat"]);
                assert!(own().count() > 0, "{role}: {seat} plays nobody");
                let asked = own().any(|token| token["asked"] == true);
                assert_eq!(asked, seat["awaited"] == true, "{role}: {seat}, {tokens:?}");
            }
        }
    }
}

#[test]
fn a_command_sent_again_is_not_done_again_and_a_stale_one_changes_nothing() {
    let server = Server::start();
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let ana = gm.make(&table, "play", "player-1");
    let note = json!({ "text": "Rain on the salt." }).to_string();
    let send =
        |who: &Program, key: &str| who.send("POST", &at("/note"), Some(&note), &[("idempotency-key", key)]);
    assert_eq!(send(&ana, "one").body["before"], false);
    assert_eq!(send(&ana, "one").body["before"], true);
    // Another caller's keys are their own.
    let other = gm.make(&table, "play", "player-1");
    assert_eq!(send(&other, "one").body["before"], false);
    let lines = gm.get(&at("/lines")).body;
    assert_eq!(lines.to_string().matches("Rain on the salt.").count(), 2);
    assert_eq!(send(&ana, &"x".repeat(65)).problem(), "unreadable");

    let (ask, answer) = first_answer(&ana.get(&at("")).body).expect("something is asked");
    let deed = json!({ "ask": ask, "answer": answer });
    assert_eq!(ana.post(&at("/answer"), &deed).status, 200);
    let stale = ana.post(&at("/answer"), &deed);
    assert_eq!((stale.status, stale.problem()), (409, "stale"), "{stale:?}");
    for (path, body, status, problem) in [
        ("/answer", json!({ "ask": "0-0.9", "answer": {} }), 409, "stale"),
        ("/answer", json!({ "ask": 1, "answer": {} }), 400, "unreadable"),
        ("/answer", json!({}), 400, "unreadable"),
        ("/answer", json!({ "ask": "x", "answer": {}, "more": 1 }), 400, "unreadable"),
        ("/answer", json!({ "ask": "x", "answer": {}, "of": "nobody" }), 400, "unreadable"),
        ("/throw", json!({ "roll": "roll-0" }), 409, "stale"),
        ("/throw", json!({ "roll": "roll-0", "faces": [1000] }), 400, "unreadable"),
        ("/note", json!({ "text": "  " }), 422, "refused"),
        ("/note", json!({ "text": "x", "to": ["player-8"] }), 422, "refused"),
        ("/note", json!({ "text": "x".repeat(9_000) }), 422, "refused"),
        ("/stand", json!({ "reply": {}, "on": true }), 422, "refused"),
        ("/fiat", json!({ "fiat": "cancel" }), 403, "not-yours"),
        ("/undo", json!({}), 403, "not-yours"),
        ("/take-back", json!({}), 200, ""),
        ("/take-back", json!({}), 422, "refused"),
    ] {
        let response = ana.post(&at(path), &body);
        assert_eq!((response.status, response.problem()), (status, problem), "{path} {body}: {response:?}");
    }
    // An unreadable body is reported with its place; a long one as too long.
    let response = ana.post(&at("/throw"), &json!({ "roll": "x", "faces": [1, "x"] }));
    assert_eq!(response.body["where"], "faces[1]", "{response:?}");
    let long = format!("{{\"text\": \"{}\"}}", "x".repeat(300_000));
    assert_eq!(ana.send("POST", &at("/note"), Some(&long), &[]).problem(), "too-long");
    let deep = format!("{{\"ask\": \"x\", \"answer\": {}{}}}", "[".repeat(60_000), "]".repeat(60_000));
    assert_eq!(ana.send("POST", &at("/answer"), Some(&deep), &[]).problem(), "unreadable");
    assert_eq!(ana.send("POST", &at("/note"), None, &[]).problem(), "not-json");
}

#[test]
fn a_stream_brings_what_changes_and_goes_on_where_it_broke() {
    const CANARY: &str = "canary-7f3a";
    let server = Server::start();
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let ana = gm.make(&table, "read", "player-1");
    let eve = gm.make(&table, "read", "watch");
    let streams = [ana.listen(&table, None), eve.listen(&table, None)];
    for stream in &streams {
        stream.next();
        stream.rest();
    }
    let before = [ana.get(&at("")).body, eve.get(&at("")).body];
    gm.post(&at("/note"), &json!({ "text": CANARY, "to": ["gm"] }));
    gm.post(&at("/note"), &json!({ "text": CANARY, "to": ["player-2"] }));
    for (who, (stream, before)) in [&ana, &eve].into_iter().zip(streams.iter().zip(before)) {
        assert!(stream.rest().is_empty(), "not so much as that something was written");
        assert_eq!(who.get(&at("")).body, before, "no number tells either");
        for path in ["", "/view", "/lines", "/lines?from=0", "/story", "/log", "/passes", "/people"] {
            let response = who.get(&at(path));
            assert!(
                !response.body.to_string().contains(CANARY) && !response.headers.contains(CANARY),
                "{path}"
            );
        }
    }
    gm.post(&at("/note"), &json!({ "text": "Everybody listens." }));
    let (id, said) = streams[0].until("Everybody listens.");
    let event: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(event["lines"].as_array().map(Vec::len), Some(1), "no more than what came: {said}");
    gm.post(&at("/note"), &json!({ "text": "While you were away." }));
    let event: Value = serde_json::from_str(&ana.listen(&table, Some(&id)).next().1).expect("JSON");
    assert_eq!(event["lines"][0]["text"], "While you were away.");
    assert_eq!(event["lines"].as_array().map(Vec::len), Some(1));
    // A revoked token's stream ends.
    assert_eq!(eve.send("DELETE", &at("/passes/this"), None, &[]).status, 204);
    streams[1].rest();
    gm.post(&at("/note"), &json!({ "text": "Now that Eve is gone." }));
    assert!(streams[1].rest().is_empty());
    assert_eq!(eve.get(&at("")).problem(), "no-token");
}

#[test]
fn tokens_are_made_and_taken_back_and_end_with_their_maker() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    let id = table.split('/').nth(4).expect("an id").to_owned();
    let nobody = Program::new(&server);
    let fresh = |browser: &Browser, page: &str, kind: &str, role: &str| {
        let reply = browser
            .post(&format!("{page}/programs"), &[("kind", kind), ("role", role), ("label", "a <bot>")]);
        let at = reply.body.find("id=\"fresh\" value=\"");
        let token = at.map(|at| reply.body[at + 18..].split('"').next().expect("a token").to_owned());
        (reply, token)
    };
    let (shown, token) = fresh(&ana, &page, "play", "player-1");
    let bot = nobody.with(&token.expect("a token"));
    assert_eq!(bot.get(&format!("/tables/{id}")).body["you"], "player-1");
    assert!(shown.body.contains("a &lt;bot&gt;") && !shown.body.contains("<bot>"), "{}", shown.body);
    assert!(!ana.get(&format!("{page}/programs")).body.contains("id=\"fresh\""), "shown once");
    // Not for others, and not to play without a seat.
    assert!(fresh(&ana, &page, "read", "gm").1.is_none());
    assert!(fresh(&ana, &page, "invite", "player-1").1.is_none());
    assert!(fresh(&eve, &watch, "play", "watch").1.is_none());
    let overlay = nobody.with(&fresh(&gm, &table, "read", "watch").1.expect("a token"));
    assert_eq!(overlay.get(&format!("/tables/{id}")).body["you"], "watch");
    // Only the gamemaster sees others' tokens.
    assert!(!eve.get(&format!("{watch}/programs")).body.contains("a &lt;bot&gt;"));
    let all = gm.get(&format!("{table}/programs")).body;
    assert!(all.contains("a &lt;bot&gt;"));
    // A bot's own tokens end with it.
    let second = bot.make(&id, "read", "player-1");
    let mine = ana.get(&format!("{page}/programs")).body;
    let hash = field(&mine, "hash").expect("a token");
    assert_eq!(ana.post(&format!("{page}/programs/revoke"), &[("hash", &hash)]).status, 303);
    assert_eq!(
        (bot.get(&format!("/tables/{id}")).status, second.get(&format!("/tables/{id}")).status),
        (401, 401)
    );
    // So do those of a person who loses their place.
    let bot = nobody.with(&fresh(&ana, &page, "play", "player-1").1.expect("a token"));
    assert_eq!(bot.get(&format!("/tables/{id}")).status, 200);
    let people = gm.get(&format!("{table}/people")).body;
    for link in crate::common::fields(&people, "hash") {
        gm.post(&format!("{table}/revoke"), &[("hash", &link)]);
    }
    assert_eq!(bot.get(&format!("/tables/{id}")).status, 401);
    // So do those that their tokens made, and links that these made.
    let (cyr, page) = join(&gm, &table, "gm", "Cyr");
    let first = nobody.with(&fresh(&cyr, &page, "play", "gm").1.expect("a token"));
    let second = first.make(&id, "play", "gm").make(&id, "read", "player-2");
    let link =
        first.send("POST", &format!("/tables/{id}/passes"), Some(r#"{"kind": "invite", "role": "gm"}"#), &[]);
    let link = link.body["link"].as_str().expect("a link").to_owned();
    assert_eq!(second.get(&format!("/tables/{id}")).status, 200);
    let people = gm.get(&format!("{table}/people")).body;
    let browser = field(&people, "browser").expect("Cyr");
    gm.post(&format!("{table}/admit"), &[("browser", &browser), ("role", "gm"), ("in", "no")]);
    assert_eq!(
        (first.get(&format!("/tables/{id}")).status, second.get(&format!("/tables/{id}")).status),
        (401, 401)
    );
    assert_eq!(Browser::new().get(&link).status, 404);
    // A token is no cookie, and a cookie no token.
    let here = format!("{}/api/v1/tables/{id}", server.url);
    assert_eq!(gm.get(&here).status, 401);
}

#[test]
fn a_table_that_is_as_it_was_is_not_sent_again() {
    let server = Server::hurried();
    let nobody = Program::new(&server);
    for system in fracas_systems::all() {
        let encounter = &fracas_systems::encounters(system).expect("they are TOML")[0].id;
        let (gm, table) = nobody.open(system.id, encounter, &["player-1", "player-2", "player-3"]);
        let at = |path: &str| format!("/tables/{table}{path}");
        let all = ["gm", "player-1", "watch"].map(|role| gm.make(&table, "read", role));
        let look = |who: &Program, tag: &str| who.send("GET", &at(""), None, &[("if-none-match", tag)]);
        let tag_of = |response: &Told| response.header("etag").expect("a tag");
        let mut seen: BTreeMap<String, Value> = BTreeMap::new();
        gm.post(&at("/bots"), &json!({ "seat": "gm", "plays": "greedy" }));
        for n in 0..40 {
            if n == 30 {
                gm.post(&at("/pause"), &json!({}));
            }
            for who in &all {
                let response = who.get(&at(""));
                // Tables with the same tag are the same, to the letter.
                let before = seen.entry(tag_of(&response)).or_insert_with(|| response.body.clone());
                assert_eq!(before, &response.body, "{}", system.id);
            }
        }
        assert!(seen.len() > all.len(), "{}: something happens: {}", system.id, seen.len());
        std::thread::sleep(Duration::from_millis(300));
        for who in &all {
            let tag = tag_of(&who.get(&at("")));
            for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
                let response = look(who, &known);
                assert_eq!(
                    (response.status, &response.body, tag_of(&response)),
                    (304, &json!(""), tag.clone()),
                    "{known}"
                );
            }
            let others = all.iter().filter(|other| other.token != who.token);
            others.for_each(|other| assert_eq!(look(other, &tag).status, 200, "it is nobody else's"));
            assert_eq!(look(who, "\"x\"").status, 200);
        }
        gm.post(&at("/note"), &json!({ "text": "It has changed." }));
        let before = seen.keys().next().expect("a tag");
        all.iter().for_each(|who| assert_eq!(look(who, before).status, 200));
    }
}

#[test]
fn the_gamemaster_reads_what_was_set_and_nobody_else_does() {
    let server = Server::start();
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    assert_eq!(gm.get(&at("/door")).body, json!({ "door": "knock", "locked": false }));
    assert_eq!(gm.get(&at("/webhook")).body, json!({ "url": null, "secret": null, "kinds": [] }));
    gm.post(&at("/door"), &json!({ "door": "open" }));
    gm.post(&at("/passphrase"), &json!({ "passphrase": "grey heron" }));
    let made = gm.post(&at("/webhook"), &json!({ "url": "https://example.org/hook" })).body;
    assert_eq!(gm.get(&at("/door")).body, json!({ "door": "open", "locked": true }));
    assert_eq!(gm.get(&at("/webhook")).body, made);
    assert_eq!(made["url"], "https://example.org/hook");
    assert!(made["secret"].as_str().is_some_and(|secret| secret.len() > 20), "{made}");
    // A token that only reads does not get the key.
    assert_eq!(gm.make(&table, "read", "gm").get(&at("/webhook")).problem(), "not-yours");
}

#[test]
fn an_overlay_listens_through_a_restart_of_the_server() {
    let server = Server::start();
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let overlay = gm.make(&table, "read", "watch");
    let stream = overlay.listen(&table, None);
    gm.post(&at("/note"), &json!({ "text": "Before." }));
    let (id, _) = stream.until("Before.");
    let tag = overlay.get(&at("")).header("etag").expect("a tag");
    let server = server.again_there();
    assert!(stream.rest().is_empty(), "it has ended");
    // Its earlier tag is not valid any more; its token is.
    let known = [("if-none-match", tag.as_str())];
    assert_eq!(overlay.send("GET", &at(""), None, &known).status, 200);
    let stream = overlay.listen(&table, Some(&id));
    let event: Value = serde_json::from_str(&stream.next().1).expect("JSON");
    assert!(event["lines"].to_string().contains("Before."), "{event}");
    gm.post(&at("/note"), &json!({ "text": "After." }));
    stream.until("After.");
    // A revoked token's stream ends, and a new request is told why.
    assert_eq!(overlay.send("DELETE", &at("/passes/this"), None, &[]).status, 204);
    let response = overlay.send("GET", &at("/stream"), None, &[("origin", "null")]);
    assert_eq!(
        (response.problem(), response.header("access-control-allow-origin").as_deref()),
        ("no-token", Some("*"))
    );
    drop(server);
}

#[test]
fn pages_of_other_sites_may_use_a_token_and_nothing_else_that_does_something() {
    let server = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        config.limits.commands = Rate { burst: 2, every: Duration::from_secs(600) };
    });
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    const FROM: (&str, &str) = ("origin", "https://overlay.example");
    let any = |response: &Told| response.header("access-control-allow-origin");
    let asks = |method: &str, path: &str| {
        let headers = [FROM, ("access-control-request-method", method)];
        Program::new(&server).send("OPTIONS", path, None, &headers)
    };
    for (method, path) in [
        ("GET", at("")),
        ("GET", at("/stream")),
        ("POST", at("/answer")),
        ("POST", at("/next")),
        ("DELETE", at("/passes/this")),
        ("GET", "/systems".to_owned()),
    ] {
        let response = asks(method, &path);
        assert_eq!((response.status, any(&response).as_deref()), (204, Some("*")), "{method} {path}");
        let may = response.header("access-control-allow-headers").expect("headers");
        assert!(["authorization", "last-event-id"].iter().all(|name| may.contains(name)), "{may}");
        assert!(response.header("access-control-allow-credentials").is_none());
    }
    for (method, path) in [("POST", "/tables"), ("POST", "/tables/taken"), ("POST", "/systems/x/check")] {
        let response = asks(method, path);
        assert!(response.status >= 400 && any(&response).is_none(), "{method} {path}: {response:?}");
    }
    // The token is needed as always, and responses can be read there.
    let response = Program::new(&server).send("GET", &at(""), None, &[FROM]);
    assert_eq!((response.problem(), any(&response).as_deref()), ("no-token", Some("*")));
    let response = gm.send("GET", &at(""), None, &[FROM]);
    let may_read = response.header("access-control-expose-headers").expect("headers");
    assert!(response.status == 200 && may_read.contains("etag") && may_read.contains("retry-after"));
    let pause = || gm.send("POST", &at("/pause"), None, &[FROM]);
    let refused = (0..5).map(|_| pause()).find(|response| response.status == 429).expect("too often");
    assert_eq!(any(&refused).as_deref(), Some("*"), "so that an overlay knows when to come again");
    // The API ignores cookies, and our pages are not open to other sites.
    for page in ["/", "/papers", &format!("/t/{table}/gm"), "/api"] {
        let headers = Browser::new().get(&format!("{}{page}", server.url)).headers;
        assert!(!headers.contains("access-control"), "{page}: {headers}");
    }
}

#[test]
fn what_an_answer_leads_to_and_the_odds_are_told_to_whom_they_concern() {
    let server = Server::hurried();
    let nobody = Program::new(&server);
    let (mut response, mut refused) = (0, 0);
    for system in fracas_systems::all() {
        let encounter = &fracas_systems::encounters(system).expect("they are TOML")[0].id;
        let (gm, table) = nobody.open(system.id, encounter, &[]);
        let at = |path: &str| format!("/tables/{table}{path}");
        let eve = gm.make(&table, "read", "watch");
        for _ in 0..12 {
            let now = gm.get(&at("")).body;
            if now["roll"].is_object() {
                let odds = gm.get(&at("/odds"));
                assert_eq!(odds.status, 200, "{odds:?}");
                let rows = odds.body["rows"].as_array().cloned().unwrap_or_default();
                assert!(rows.iter().all(|row| row["share"].as_str().is_some_and(|text| text.contains('%'))));
                let throws = |of: &Value| -> u128 {
                    of["throws"].as_str().expect("digits").parse().expect("a number")
                };
                assert_eq!(rows.iter().map(throws).sum::<u128>(), throws(&odds.body));
                gm.post(&at("/throw"), &json!({ "roll": now["roll"]["roll"] }));
                continue;
            }
            let Some(ask) = now["asks"].as_array().and_then(|asks| asks.first().cloned()) else { break };
            let preview = at(&format!("/asks/{}/preview", ask["ask"].as_str().expect("a name")));
            let first = &ask["answers"][0];
            let shown = gm.post(&preview, &json!({ "answer": first["answer"] }));
            assert_eq!(shown.status, 200, "{shown:?}");
            assert_eq!((&shown.body["text"], &shown.body["leads"]), (&first["text"], &first["leads"]));
            let nonsense = gm.post(&preview, &json!({ "answer": { "no": "such" } }));
            assert_eq!(nonsense.problem(), "refused", "{nonsense:?}");
            assert_eq!(eve.post(&preview, &json!({ "answer": first["answer"] })).problem(), "absent");
            refused += 1;
            response += i32::from(shown.body["odds"].is_object());
            let of = ask["awaited"][0].clone();
            let sent = json!({ "ask": ask["ask"], "answer": first["answer"], "of": of });
            assert_eq!(gm.post(&at("/answer"), &sent).status, 200);
        }
        assert_eq!(
            gm.get(&at("")).body["version"],
            gm.get(&at("")).body["version"],
            "looking changes nothing"
        );
    }
    assert!(refused > 10, "{refused}");
    assert!(response > 0, "some answers lead to a roll");
}

#[test]
fn what_is_opened_or_made_under_one_name_is_one() {
    let server = Server::start();
    let nobody = Program::new(&server);
    let wanted = json!({ "system": SYSTEM, "encounter": ENCOUNTER }).to_string();
    let under = |who: &Program, path: &str, body: &str, key: &str| {
        who.send("POST", path, Some(body), &[("idempotency-key", key)])
    };
    let all = |who: &Program, path: &str, body: &str, key: &str| -> Vec<Value> {
        let at_once: Vec<_> = thread::scope(|scope| {
            let each: Vec<_> = (0..3).map(|_| scope.spawn(|| under(who, path, body, key))).collect();
            each.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let later = under(who, path, body, key);
        let all = at_once.into_iter().chain([later]);
        all.map(|response| if response.status == 201 { response.body } else { panic!("{response:?}") })
            .collect()
    };
    let same = |bodies: &[Value], field: &str| bodies.iter().all(|body| body[field] == bodies[0][field]);
    // One table, with one token.
    let opened = all(&nobody, "/tables", &wanted, "an-evening-4e1c77b0");
    assert!(same(&opened, "table") && same(&opened, "token"), "{opened:?}");
    let at = format!("/tables/{}", opened[0]["table"].as_str().expect("an id"));
    // The same JSON in other notation is the same; another request under that name is not.
    let turned = format!("{{\"encounter\": {ENCOUNTER:?}, \"system\": {SYSTEM:?}}}");
    let again = under(&nobody, "/tables", &turned, "an-evening-4e1c77b0");
    assert_eq!(again.body, opened[0], "{again:?}");
    let more = json!({ "system": SYSTEM, "encounter": ENCOUNTER, "title": "Another" }).to_string();
    let refused = under(&nobody, "/tables", &more, "an-evening-4e1c77b0");
    assert_eq!((refused.status, refused.problem()), (422, "otherwise"), "{refused:?}");
    let other = under(&nobody, "/tables", &wanted, "an-evening-4e1c77b1");
    assert_ne!(other.body["table"], opened[0]["table"]);
    // A person who knows the name is given the table, so it must be hard to guess.
    let guessed = under(&nobody, "/tables", &wanted, "evening");
    assert_eq!((guessed.status, guessed.body["where"].as_str()), (400, Some("Idempotency-Key")));
    // Links and tokens: one of each kind under each name.
    let gm = nobody.with(opened[0]["token"].as_str().expect("a token"));
    let passes = || gm.get(&format!("{at}/passes")).body.as_array().expect("a list").len();
    let before = passes();
    let wish = |kind: &str| json!({ "kind": kind, "role": "player-1" }).to_string();
    for (kind, shown) in [("invite", "link"), ("play", "token")] {
        let made = all(&gm, &format!("{at}/passes"), &wish(kind), kind);
        assert!(made[0][shown].is_string() && same(&made, shown) && same(&made, "id"), "{made:?}");
    }
    assert_eq!(passes(), before + 2);
    let refused = under(&gm, &format!("{at}/passes"), &wish("read"), "play");
    assert_eq!((refused.status, refused.problem()), (422, "otherwise"), "{refused:?}");
    // What was revoked is not made again under its name.
    let made = under(&gm, &format!("{at}/passes"), &wish("play"), "play");
    let pass = format!("{at}/passes/{}", made.body["id"].as_str().expect("an id"));
    assert_eq!(gm.send("DELETE", &pass, None, &[]).status, 204);
    let gone = under(&gm, &format!("{at}/passes"), &wish("play"), "play");
    assert_eq!((gone.status, gone.problem()), (409, "taken-back"), "{gone:?}");
    // The next evening, and an imported table; the people here are told only once.
    let next = all(&gm, &format!("{at}/next"), "{}", "a");
    assert!(same(&next, "table") && same(&next, "token"), "{next:?}");
    assert_ne!(next[0]["table"], opened[0]["table"]);
    let refused = under(&gm, &format!("{at}/next"), r#"{"title": "Another"}"#, "a");
    assert_eq!((refused.status, refused.problem()), (422, "otherwise"), "{refused:?}");
    let log = gm.get(&format!("{at}/log")).body.as_str().expect("the log").to_owned();
    assert_eq!(log.matches("We go on at another table").count(), 1);
    let kind = ("content-type", "application/x-ndjson");
    let elsewhere = [kind, ("idempotency-key", "an-evening-4e1c77b0")];
    assert_eq!(nobody.send("POST", "/tables/taken", Some(&log), &elsewhere).problem(), "otherwise");
    let taken: Vec<Value> = (0..3)
        .map(|_| {
            let key = ("idempotency-key", "an-evening-4e1c77b2");
            nobody.send("POST", "/tables/taken", Some(&log), &[kind, key]).body
        })
        .collect();
    assert!(taken[0]["table"].is_string() && same(&taken, "table") && same(&taken, "token"), "{taken:?}");
    assert_ne!(taken[0]["table"], opened[0]["table"]);
    assert_eq!(passes(), before + 2, "no token was made anew");
    // After a restart too.
    let server = server.again();
    let again = under(&Program::new(&server), "/tables", &wanted, "an-evening-4e1c77b0");
    assert_eq!(again.body, opened[0], "{again:?}");
    // When the token is revoked, so is all that the name gives.
    let nobody = Program::new(&server);
    let gm = nobody.with(opened[0]["token"].as_str().expect("a token"));
    assert_eq!(gm.send("DELETE", &format!("{at}/passes/this"), None, &[]).status, 204);
    let gone = under(&nobody, "/tables", &wanted, "an-evening-4e1c77b0");
    assert_eq!((gone.status, gone.problem()), (409, "taken-back"), "{gone:?}");
    assert!(gone.body.get("token").is_none());
}

#[test]
fn another_evening_that_was_broken_off_has_its_people_and_has_them_once() {
    let server = Server::start();
    let nobody = Program::new(&server);
    let made = nobody.post("/tables", &json!({ "system": SYSTEM, "encounter": ENCOUNTER })).body;
    let (token, table) = (made["token"].as_str().expect("a token"), made["table"].as_str().expect("an id"));
    // Ana sits here. The server ended when it had kept only the name of the next evening.
    let hash = |text: String| -> Hash { Sha256::digest(text).into() };
    let plant = |folder: &std::path::Path| {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let db = Db::open(folder).await.expect("a database");
            let ana = Member {
                browser: [7; 32],
                table: TableId::new(table).expect("an id"),
                role: Viewer::Seat(Seat::Player(1)),
                name: "Ana".to_owned(),
                pass: None,
                standing: Standing::Admitted,
                since: 1,
                seen: 0,
            };
            db.put_member(ana).await.expect("a member");
            let name = hash(format!("next\0{token}\0the-second\0"));
            let row = NewTable {
                id: TableId::new("begun").expect("an id"),
                system: SYSTEM.to_owned(),
                title: "Begun".to_owned(),
                opened: 1,
                settings: "{}".to_owned(),
                named: Some(Named { name, asked: hash("{}".to_owned()), salt: [5; 32] }),
            };
            db.add_table(row).await.expect("a table");
        });
    };
    let server = server.again_configured(|config| plant(&config.data));
    let gm = Program::new(&server).with(token);
    let again = || {
        let key = [("idempotency-key", "the-second")];
        let response = gm.send("POST", &format!("/tables/{table}/next"), Some("{}"), &key);
        assert_eq!((response.status, response.body["table"].as_str()), (201, Some("begun")), "{response:?}");
        gm.with(response.body["token"].as_str().expect("a token"))
    };
    let next = again();
    let people = || next.get("/tables/begun/people").body.to_string().matches("Ana").count();
    let passes = || next.get("/tables/begun/passes").body;
    assert_eq!((people(), passes().as_array().map(Vec::len)), (1, Some(2)), "{}", passes());
    again();
    assert_eq!((people(), passes().as_array().map(Vec::len)), (1, Some(2)), "{}", passes());
    // A person who was removed there is not brought again.
    let all = passes();
    let hers =
        all.as_array().and_then(|all| all.iter().find(|pass| pass["label"] == "from the evening before"));
    let hers = hers.and_then(|pass| pass["id"].as_str()).expect("what she came by");
    assert_eq!(next.send("DELETE", &format!("/tables/begun/passes/{hers}"), None, &[]).status, 204);
    again();
    assert_eq!(people(), 0);
}

#[test]
fn what_needs_words_is_marked_and_the_gamemaster_reads_them_with_the_question() {
    let server = Server::start();
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let ana = gm.make(&table, "play", "player-1");
    let asked = |who: &Program| who.get(&at("")).body["asks"][0].clone();
    let begin = json!({ "ask": asked(&ana)["ask"], "answer": { "begin": "@tamsin" } });
    assert_eq!(ana.post(&at("/answer"), &begin).status, 200);
    let turn = asked(&ana);
    let needing =
        turn["answers"].as_array().into_iter().flatten().filter(|answer| answer["needs_words"] == true);
    let needing: Vec<&Value> = needing.map(|answer| &answer["answer"]).collect();
    assert!(needing.contains(&&json!({ "deed": "other" })), "{needing:?}");
    assert!(!needing.iter().any(|answer| answer["attack"].is_object() || answer == &&json!("pass")));
    let deed = json!({ "ask": turn["ask"], "answer": { "deed": "other" }, "text": "lifts the lamp" });
    assert_eq!(ana.post(&at("/answer"), &deed).status, 200);
    assert_eq!(asked(&gm)["words"], "lifts the lamp");
    let settled = json!({ "ask": asked(&gm)["ask"], "answer": "yes" });
    assert_eq!(gm.post(&at("/answer"), &settled).status, 200);
    assert!(asked(&gm)["words"].is_null());
}
