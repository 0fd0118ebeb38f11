//! Every address × every role: who is admitted, and who finds nothing. The API's addresses
//! are read from its own document, the pages' from the router, so none can be forgotten
//! here.

use crate::common::program::Program;
use crate::common::{Browser, Server, join};
use serde_json::Value;

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";

/// The scopes that an operation requires of a token.
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
                .replace("{line}", "0")
                .replace("{clause}", "risk.cap")
                .replace("{kind}", "encounter")
                .replace("{id}", ENCOUNTER)
        };
        for (method, operation) in item.as_object().expect("methods") {
            let method = method.to_uppercase();
            let sent = operation["requestBody"]["content"].as_object().and_then(|kinds| kinds.keys().next());
            let (body, kind) = (sent.map(|_| "{}"), sent.map_or("application/json", String::as_str));
            let status = |who: &Program, id: &str| who.status_of(&method, &fill(id), body, kind);
            let case = |who: &str| format!("{method} {path} by {who}");
            let Some(asks) = scopes(operation) else {
                for (name, who) in outside() {
                    let status = status(&who, &table);
                    assert!(
                        status < 300 || matches!(status, 400 | 422) && body.is_some(),
                        "{}: {status}",
                        case(name)
                    );
                }
                continue;
            };
            assert!(path.starts_with("/api/v1/tables/{table}"), "{path}");
            for (name, who) in outside() {
                assert_eq!(status(&who, &table), 401, "{}", case(name));
                assert_eq!(status(&who, "nosuchtable"), 401, "{}", case(name));
            }
            // Another table does not exist, in the same words as one that never did.
            let other = stranger.make(&elsewhere, "play", "gm");
            let there = other.send(&method, &fill(&table), body, &[]);
            let nowhere = other.send(&method, &fill("nosuchtable"), body, &[]);
            assert_eq!((there.status, &there.body), (404, &nowhere.body), "{}", case("another table's"));
            for (kind, role) in inside {
                let who = gm.make(&table, kind, role);
                let may =
                    (!asks.contains(&"play") || kind == "play") && (!asks.contains(&"gm") || role == "gm");
                let status = status(&who, &table);
                let response = case(&format!("{kind} {role}"));
                assert!(status < 500, "{response}: {status}");
                if may && method == "DELETE" && below == "/tables/{table}" {
                    assert_eq!(gm.status("POST", &format!("/tables/{table}/restore"), None), 204);
                }
                if may {
                    // An ask exists for those who are asked.
                    let absent = status == 404 && path.contains("{ask}");
                    assert!(
                        !matches!(status, 401 | 403 | 405) && (status != 404 || absent),
                        "{response}: {status}"
                    );
                } else {
                    assert_eq!(status, 403, "{response}");
                }
            }
        }
        assert_eq!(gm.status("PUT", &fill(&table), Some("{}")), 405, "{path}");
    }
    assert_eq!(gm.get("/elsewhere").problem(), "absent");
}

/// The people who may load a page.
#[derive(Clone, Copy, PartialEq)]
enum For {
    /// Anybody, with a place at a table or without.
    Anybody,
    /// People with a place there.
    Inside,
    /// People with a seat there.
    Seats,
    /// Spectators.
    Watching,
    /// The leader of the table: the gamemaster, or the player who opened it.
    Leads,
    /// The gamemaster, who may be a machine; a player who leads has nothing there.
    Gm,
    /// Programs; the matrix of the API covers them.
    Programs,
}

/// The API's counterpart of a page.
#[derive(Clone, Copy, PartialEq)]
enum Twin {
    /// This operation.
    Api(&'static str),
    /// None, with the reason.
    No(&'static str),
}
use Twin::{Api, No};

const OWN_FILES: Twin = No("papers are a browser's; a program keeps files of its own");
const PEOPLE_KNOCK: Twin = No("links are for people; a program comes by a token");

/// Every address of the pages, with who may load it and its counterpart in the API.
const PAGES: &[(&str, For, Twin)] = &[
    ("/", For::Anybody, No("what a browser has of tables and papers; a token is good for one table")),
    ("/open/{system}/{encounter}", For::Anybody, Api("POST /tables")),
    ("/practice/{system}", For::Anybody, Api("POST /tables")),
    ("/papers", For::Anybody, Api("GET /systems/{system}/templates/{kind}")),
    ("/papers/map", For::Anybody, OWN_FILES),
    (
        "/pictures/{picture}",
        For::Anybody,
        No("the stage of a table names the pictures that its roles may see"),
    ),
    ("/papers/import", For::Anybody, Api("POST /systems/{system}/check")),
    ("/papers/{paper}", For::Anybody, Api("POST /systems/{system}/check")),
    ("/papers/{paper}/open", For::Anybody, Api("POST /tables")),
    ("/papers/{paper}/map", For::Anybody, OWN_FILES),
    ("/papers/{paper}/picture", For::Anybody, OWN_FILES),
    ("/papers/{paper}/file", For::Anybody, OWN_FILES),
    ("/papers/{paper}/report", For::Anybody, OWN_FILES),
    ("/papers/{paper}/report.html", For::Anybody, OWN_FILES),
    ("/papers/{paper}/copy", For::Anybody, OWN_FILES),
    ("/papers/{paper}/away", For::Anybody, OWN_FILES),
    ("/papers/{paper}/back", For::Anybody, OWN_FILES),
    ("/papers/{paper}/erase", For::Anybody, OWN_FILES),
    ("/library/{system}", For::Anybody, Api("GET /systems/{system}/library/{kind}/{id}")),
    ("/scene/{system}", For::Anybody, Api("POST /tables")),
    ("/take-in", For::Anybody, Api("POST /tables/taken")),
    ("/forget", For::Anybody, No("a program has no cookie; it takes its token back")),
    ("/join/{secret}", For::Anybody, PEOPLE_KNOCK),
    ("/rules/{system}", For::Anybody, Api("GET /systems/{system}/rules")),
    ("/rules/{system}/{clause}", For::Anybody, Api("GET /systems/{system}/rules/{clause}")),
    ("/assets/{*file}", For::Anybody, No("what the pages look like")),
    ("/healthz", For::Anybody, No("whether the server is there")),
    ("/t/{table}", For::Inside, No("a token is good for one role at one table")),
    ("/t/{table}/overlay", For::Watching, Api("GET /tables/{table}/stream")),
    ("/t/{table}/{role}", For::Inside, Api("GET /tables/{table}")),
    ("/t/{table}/{role}/knock", For::Inside, PEOPLE_KNOCK),
    ("/t/{table}/{role}/stream", For::Inside, Api("GET /tables/{table}/stream")),
    ("/t/{table}/{role}/due", For::Inside, Api("GET /tables/{table}")),
    ("/t/{table}/{role}/choices", For::Inside, Api("GET /tables/{table}/asks/{ask}/answers")),
    ("/t/{table}/{role}/sheet/{of}", For::Inside, Api("GET /tables/{table}")),
    ("/t/{table}/{role}/story", For::Inside, Api("GET /tables/{table}/story")),
    ("/t/{table}/{role}/story.html", For::Inside, Api("GET /tables/{table}/story")),
    ("/t/{table}/{role}/story.md", For::Inside, Api("GET /tables/{table}/story")),
    ("/t/{table}/{role}/programs", For::Inside, Api("POST /tables/{table}/passes")),
    ("/t/{table}/{role}/programs/revoke", For::Inside, Api("DELETE /tables/{table}/passes/{pass}")),
    ("/t/{table}/{role}/pause", For::Inside, Api("POST /tables/{table}/pause")),
    ("/t/{table}/{role}/answer", For::Seats, Api("POST /tables/{table}/answer")),
    ("/t/{table}/{role}/throw", For::Seats, Api("POST /tables/{table}/throw")),
    ("/t/{table}/{role}/note", For::Seats, Api("POST /tables/{table}/note")),
    ("/t/{table}/{role}/stand", For::Seats, Api("POST /tables/{table}/stand")),
    ("/t/{table}/{role}/take-back", For::Seats, Api("POST /tables/{table}/take-back")),
    ("/t/{table}/{role}/throws", For::Seats, Api("POST /tables/{table}/leave")),
    ("/t/{table}/{role}/passes", For::Seats, Api("POST /tables/{table}/leave")),
    ("/t/{table}/{role}/arranged", For::Inside, Api("POST /tables/{table}/asks/{ask}/preview")),
    ("/t/{table}/{role}/there", For::Inside, Api("GET /tables/{table}/asks/{ask}/spaces/{space}")),
    ("/t/{table}/{role}/put", For::Gm, Api("POST /tables/{table}/fiat")),
    (
        "/t/{table}/{role}/point",
        For::Seats,
        No("to point is a gesture among people; a program names the space in a note"),
    ),
    ("/t/{table}/{role}/log", For::Gm, Api("GET /tables/{table}/log")),
    ("/t/{table}/{role}/hint", For::Seats, Api("GET /tables/{table}/hints")),
    ("/t/{table}/{role}/turns", For::Gm, Api("GET /tables/{table}/turns")),
    ("/t/{table}/{role}/turns.svg", For::Gm, Api("GET /tables/{table}/turns")),
    ("/t/{table}/{role}/from/{line}", For::Gm, Api("GET /tables/{table}/moments/{line}")),
    ("/t/{table}/{role}/overrule", For::Gm, Api("POST /tables/{table}/fiat")),
    ("/t/{table}/{role}/rewind", For::Gm, Api("POST /tables/{table}/rewind")),
    ("/t/{table}/{role}/undo", For::Gm, Api("POST /tables/{table}/undo")),
    ("/t/{table}/{role}/bot", For::Gm, Api("POST /tables/{table}/bots")),
    ("/t/{table}/{role}/go-on", For::Leads, Api("POST /tables/{table}/go-on")),
    ("/t/{table}/{role}/pace", For::Gm, Api("POST /tables/{table}/pace")),
    ("/t/{table}/{role}/tally", For::Gm, Api("POST /tables/{table}/tally")),
    ("/t/{table}/{role}/next", For::Gm, Api("POST /tables/{table}/next")),
    ("/t/{table}/{role}/next/keep", For::Gm, Api("GET /tables/{table}/carried")),
    ("/t/{table}/{role}/resume", For::Leads, Api("POST /tables/{table}/resume")),
    ("/t/{table}/{role}/people", For::Leads, Api("GET /tables/{table}/people")),
    ("/t/{table}/{role}/links", For::Leads, Api("POST /tables/{table}/passes")),
    ("/t/{table}/{role}/revoke", For::Leads, Api("DELETE /tables/{table}/passes/{pass}")),
    ("/t/{table}/{role}/admit", For::Leads, Api("POST /tables/{table}/people")),
    ("/t/{table}/{role}/door", For::Leads, Api("POST /tables/{table}/door")),
    ("/t/{table}/{role}/passphrase", For::Leads, Api("POST /tables/{table}/passphrase")),
    ("/t/{table}/{role}/watchers", For::Leads, Api("POST /tables/{table}/watchers")),
    ("/t/{table}/{role}/delete", For::Leads, Api("DELETE /tables/{table}")),
    ("/t/{table}/{role}/restore", For::Leads, Api("POST /tables/{table}/restore")),
    ("/t/{table}/{role}/webhook", For::Gm, Api("POST /tables/{table}/webhook")),
    ("/t/{table}/{role}/webhook/test", For::Gm, Api("POST /tables/{table}/webhook/test")),
    ("/api", For::Programs, No("the API itself")),
    ("/api/openapi.json", For::Programs, No("the API itself")),
    ("/api/{*elsewhere}", For::Programs, No("the API itself")),
];

/// Pages that exist only for an ask or a name.
const MAY_BE_ABSENT: [&str; 3] = ["/choices", "/arranged", "/next/keep"];

#[test]
fn every_page_lets_in_whom_it_is_for() {
    let server = Server::start();
    let listed: Vec<&str> = PAGES.iter().map(|(path, ..)| *path).collect();
    for path in fracas_web::addresses() {
        assert!(listed.contains(&path), "{path} is in no matrix: say in PAGES whom it is for");
    }
    let nobody = Browser::new();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, _) = join(&gm, &table, "player-1", "Ana");
    let (eve, _) = join(&gm, &table, "watch", "Eve");
    let roles = [(&nobody, None), (&eve, Some("watch")), (&ana, Some("player-1")), (&gm, Some("gm"))];
    lets_in(&server, &table, &roles, "gm");
    // A player leads, and the machine is the gamemaster.
    let (pia, table) = server.table(SYSTEM, ENCOUNTER, &[("me", "player-1"), ("bot", "gm")]);
    assert!(table.ends_with("/player-1"), "{table}");
    let (quin, _) = join(&pia, &table, "player-2", "Quin");
    let (eve, _) = join(&pia, &table, "watch", "Eve");
    let roles = [(&nobody, None), (&eve, Some("watch")), (&quin, Some("player-2")), (&pia, Some("player-1"))];
    lets_in(&server, &table, &roles, "player-1");
}

/// Tries every page of a table in every role by each of these browsers, which have these
/// seats.
fn lets_in(server: &Server, table: &str, roles: &[(&Browser, Option<&str>)], leader: &str) {
    let id = table.split('/').nth(4).expect("an id").to_owned();
    for (path, may, _) in PAGES {
        for method in ["GET", "POST"] {
            for &(browser, own) in roles {
                for role in ["watch", "player-1", "player-2", "gm"] {
                    let place = path
                        .replace("{table}", &id)
                        .replace("{role}", role)
                        .replace("{system}", SYSTEM)
                        .replace("{encounter}", ENCOUNTER)
                        .replace("{line}", "0")
                        .replace("{clause}", "risk.cap")
                        .replace("{of}", "tamsin")
                        .replace("{file}", "fracas.css")
                        .replace("{secret}", "x")
                        .replace("{paper}", "1")
                        .replace("{*elsewhere}", "x");
                    let status = browser.status(method, &format!("{}{place}", server.url));
                    let case = format!("{method} {path} as {role} by {own:?}: {status}");
                    assert!(status < 500, "{case}");
                    let seated = own == Some(role) || !path.contains("{role}") && own.is_some();
                    let allowed = match may {
                        For::Programs => continue,
                        For::Anybody => continue,
                        For::Inside => seated,
                        For::Seats => seated && role != "watch",
                        For::Watching => own == Some("watch"),
                        For::Leads => seated && role == leader,
                        For::Gm => seated && role == "gm",
                    };
                    let absent = status == 404 && MAY_BE_ABSENT.iter().any(|end| path.ends_with(end));
                    if allowed {
                        assert!(!matches!(status, 401 | 403 | 404) || absent, "{case}");
                    } else {
                        assert!((400..500).contains(&status), "{case}");
                    }
                    if !seated {
                        assert!(matches!(status, 404 | 405), "{case}: not so much as that it is there");
                    }
                }
            }
        }
    }
}

#[test]
fn whatever_a_page_does_the_api_does_or_somebody_says_why_not() {
    let server = Server::start();
    let document = Program::new(&server).document();
    for (page, _, twin) in PAGES {
        match twin {
            Api(operation) => {
                let (method, path) = operation.split_once(' ').expect("a method and an address");
                let there = &document["paths"][format!("/api/v1{path}")][method.to_lowercase()];
                assert!(there.is_object(), "{page}: the API has no {operation}");
            }
            No(why) => assert!(!why.is_empty(), "{page}"),
        }
    }
}
