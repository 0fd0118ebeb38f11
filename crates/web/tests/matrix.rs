//! Every address × every role: who gets in, and who finds nothing. The API's
//! addresses are read from its own document, the pages' from the router, so none
//! can be forgotten here.

mod common;
#[path = "common/program.rs"]
#[allow(dead_code, reason = "each test uses its part of it")]
mod program;

use common::{Browser, Server, join};
use program::Program;
use serde_json::Value;

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";

/// What an operation asks of a token.
fn scopes(operation: &Value) -> Option<Vec<&str>> {
    let asked = operation["security"][0]["token"].as_array()?;
    Some(asked.iter().filter_map(Value::as_str).collect())
}

#[test]
fn every_address_of_the_api_lets_in_whom_its_document_says() {
    let server = Server::start();
    let nobody = Program::new(&server);
    let (gm, table) = nobody.open(SYSTEM, ENCOUNTER, &[]);
    let (stranger, elsewhere) = nobody.open(SYSTEM, ENCOUNTER, &[]);
    let outside = || {
        let gone = gm.make(&table, "play", "gm");
        assert_eq!(gone.send("DELETE", &format!("/tables/{table}/passes/this"), None, &[]).status, 204);
        [
            ("nobody", nobody.clone()),
            ("garbage", nobody.with("x")),
            ("a guess", nobody.with(&"a".repeat(32))),
            ("revoked", gone),
        ]
    };
    let inside =
        [("read", "watch"), ("read", "player-1"), ("read", "gm"), ("play", "player-1"), ("play", "gm")];
    let document = nobody.document();
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() > 20, "{}", paths.len());
    for (path, item) in paths {
        let below = path.strip_prefix("/api/v1").expect("below /api/v1");
        let fill = |id: &str| {
            below
                .replace("{table}", id)
                .replace("{ask}", "1.1")
                .replace("{pass}", "this")
                .replace("{system}", SYSTEM)
                .replace("{clause}", "risk.cap")
        };
        for (method, operation) in item.as_object().expect("methods") {
            let method = method.to_uppercase();
            let body = operation.get("requestBody").map(|_| "{}");
            let status = |who: &Program, id: &str| who.status(&method, &fill(id), body);
            let told = |who: &str| format!("{method} {path} by {who}");
            let Some(asks) = scopes(operation) else {
                for (name, who) in outside() {
                    let status = status(&who, &table);
                    assert!(
                        status < 300 || status == 400 || status == 404 && path.contains("clause"),
                        "{}: {status}",
                        told(name)
                    );
                }
                continue;
            };
            assert!(path.starts_with("/api/v1/tables/{table}"), "{path}");
            for (name, who) in outside() {
                assert_eq!(status(&who, &table), 401, "{}", told(name));
                assert_eq!(status(&who, "nosuchtable"), 401, "{}", told(name));
            }
            // Of another table there is nothing, in the same words as where there is none.
            let other = stranger.make(&elsewhere, "play", "gm");
            let there = other.send(&method, &fill(&table), body, &[]);
            let nowhere = other.send(&method, &fill("nosuchtable"), body, &[]);
            assert_eq!((there.status, &there.body), (404, &nowhere.body), "{}", told("another table's"));
            for (kind, role) in inside {
                let who = gm.make(&table, kind, role);
                let may =
                    (!asks.contains(&"play") || kind == "play") && (!asks.contains(&"gm") || role == "gm");
                let status = status(&who, &table);
                let told = told(&format!("{kind} {role}"));
                assert!(status < 500, "{told}: {status}");
                if may {
                    // An ask is there for those who are asked.
                    let absent = status == 404 && path.contains("{ask}");
                    assert!(
                        !matches!(status, 401 | 403 | 405) && (status != 404 || absent),
                        "{told}: {status}"
                    );
                } else {
                    assert_eq!(status, 403, "{told}");
                }
            }
        }
        assert_eq!(gm.status("PUT", &fill(&table), Some("{}")), 405, "{path}");
    }
    assert_eq!(gm.get("/elsewhere").problem(), "absent");
}

/// Who may have a page.
#[derive(Clone, Copy, PartialEq)]
enum For {
    /// Anybody, with a place at a table or without.
    Anybody,
    /// Whoever has a place there.
    Inside,
    /// Whoever sits there.
    Seats,
    /// The gamemaster.
    Gm,
    /// Programs: their own matrix is above.
    Programs,
}

/// Every address of the pages.
const PAGES: &[(&str, For)] = &[
    ("/", For::Anybody),
    ("/open/{system}/{encounter}", For::Anybody),
    ("/papers", For::Anybody),
    ("/papers/import", For::Anybody),
    ("/papers/{paper}", For::Anybody),
    ("/papers/{paper}/open", For::Anybody),
    ("/papers/{paper}/file", For::Anybody),
    ("/papers/{paper}/copy", For::Anybody),
    ("/papers/{paper}/away", For::Anybody),
    ("/papers/{paper}/back", For::Anybody),
    ("/papers/{paper}/erase", For::Anybody),
    ("/library/{system}", For::Anybody),
    ("/scene/{system}", For::Anybody),
    ("/take-in", For::Anybody),
    ("/join/{secret}", For::Anybody),
    ("/rules/{system}", For::Anybody),
    ("/rules/{system}/{clause}", For::Anybody),
    ("/assets/{file}", For::Anybody),
    ("/healthz", For::Anybody),
    ("/t/{table}", For::Inside),
    ("/t/{table}/{role}", For::Inside),
    ("/t/{table}/{role}/knock", For::Inside),
    ("/t/{table}/{role}/stream", For::Inside),
    ("/t/{table}/{role}/due", For::Inside),
    ("/t/{table}/{role}/choices", For::Inside),
    ("/t/{table}/{role}/story", For::Inside),
    ("/t/{table}/{role}/story.md", For::Inside),
    ("/t/{table}/{role}/programs", For::Inside),
    ("/t/{table}/{role}/programs/revoke", For::Inside),
    ("/t/{table}/{role}/pause", For::Inside),
    ("/t/{table}/{role}/answer", For::Seats),
    ("/t/{table}/{role}/throw", For::Seats),
    ("/t/{table}/{role}/note", For::Seats),
    ("/t/{table}/{role}/stand", For::Seats),
    ("/t/{table}/{role}/take-back", For::Seats),
    ("/t/{table}/{role}/throws", For::Seats),
    ("/t/{table}/{role}/passes", For::Seats),
    ("/t/{table}/{role}/arranged", For::Inside),
    ("/t/{table}/{role}/log", For::Gm),
    ("/t/{table}/{role}/fiat", For::Gm),
    ("/t/{table}/{role}/rewind", For::Gm),
    ("/t/{table}/{role}/undo", For::Gm),
    ("/t/{table}/{role}/bot", For::Gm),
    ("/t/{table}/{role}/go-on", For::Gm),
    ("/t/{table}/{role}/pace", For::Gm),
    ("/t/{table}/{role}/next", For::Gm),
    ("/t/{table}/{role}/next/keep", For::Gm),
    ("/t/{table}/{role}/resume", For::Gm),
    ("/t/{table}/{role}/people", For::Gm),
    ("/t/{table}/{role}/links", For::Gm),
    ("/t/{table}/{role}/revoke", For::Gm),
    ("/t/{table}/{role}/admit", For::Gm),
    ("/t/{table}/{role}/door", For::Gm),
    ("/t/{table}/{role}/passphrase", For::Gm),
    ("/t/{table}/{role}/webhook", For::Gm),
    ("/api", For::Programs),
    ("/api/openapi.json", For::Programs),
    ("/api/{*elsewhere}", For::Programs),
];

/// What is there only where something is asked, or named.
const MAY_BE_ABSENT: [&str; 3] = ["/choices", "/arranged", "/next/keep"];

#[test]
fn every_page_lets_in_whom_it_is_for() {
    let server = Server::start();
    let listed: Vec<&str> = PAGES.iter().map(|(path, _)| *path).collect();
    for path in fracas_web::addresses() {
        assert!(listed.contains(&path), "{path} is in no matrix: say in PAGES whom it is for");
    }
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let id = table.split('/').nth(4).expect("an id").to_owned();
    let (ana, _) = join(&gm, &table, "player-1", "Ana");
    let (eve, _) = join(&gm, &table, "watch", "Eve");
    let nobody = Browser::new();
    let roles = [(&nobody, None), (&eve, Some("watch")), (&ana, Some("player-1")), (&gm, Some("gm"))];
    for (path, may) in PAGES {
        for method in ["GET", "POST"] {
            for (browser, own) in roles {
                for role in ["watch", "player-1", "gm"] {
                    let place = path
                        .replace("{table}", &id)
                        .replace("{role}", role)
                        .replace("{system}", SYSTEM)
                        .replace("{encounter}", ENCOUNTER)
                        .replace("{clause}", "risk.cap")
                        .replace("{file}", "fracas.css")
                        .replace("{secret}", "x")
                        .replace("{paper}", "1")
                        .replace("{*elsewhere}", "x");
                    let status = browser.status(method, &format!("{}{place}", server.url));
                    let told = format!("{method} {path} as {role} by {own:?}: {status}");
                    assert!(status < 500, "{told}");
                    let seated = own == Some(role) || !path.contains("{role}") && own.is_some();
                    let allowed = match may {
                        For::Programs => continue,
                        For::Anybody => continue,
                        For::Inside => seated,
                        For::Seats => seated && role != "watch",
                        For::Gm => seated && role == "gm",
                    };
                    let absent = status == 404 && MAY_BE_ABSENT.iter().any(|end| path.ends_with(end));
                    if allowed {
                        assert!(!matches!(status, 401 | 403 | 404) || absent, "{told}");
                    } else {
                        assert!((400..500).contains(&status), "{told}");
                    }
                    if !seated {
                        assert!(matches!(status, 404 | 405), "{told}: not so much as that it is there");
                    }
                }
            }
        }
    }
}
