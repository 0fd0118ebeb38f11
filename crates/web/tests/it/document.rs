//! The document that describes the API is complete and correct.

use crate::common::Server;
use crate::common::program::{Program, Told};
use fracas_systems::has;
use fracas_web::{Limits, Rate};
use serde_json::{Value, json};
use std::{collections::BTreeSet, time::Duration};

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";

fn document() -> Value {
    Program::new(&Server::start()).document()
}

/// Follows a reference within the document.
fn followed<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    match part["$ref"].as_str().and_then(|at| at.strip_prefix('#')) {
        Some(at) => document.pointer(at).unwrap_or_else(|| panic!("{at} leads nowhere")),
        None => part,
    }
}

fn is_told(part: &Value) -> bool {
    // A nullable schema has its description beside the alternative.
    let all = std::iter::once(part).chain(part["oneOf"].as_array().into_iter().flatten());
    all.filter_map(|part| part["description"].as_str()).any(|text| !text.trim().is_empty())
}

fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
    let all = ["paths", "webhooks"].into_iter().flat_map(|of| document[of].as_object().expect("paths"));
    all.flat_map(|(path, item)| {
        let each = item.as_object().expect("methods").iter();
        each.map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

#[test]
fn every_response_and_parameter_and_field_is_described() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    for (at, operation) in operations(&document) {
        assert!(operation["summary"].is_string(), "{at}");
        for (status, response) in operation["responses"].as_object().expect("responses") {
            let response = followed(&document, response);
            assert!(is_told(response), "{at}, {status}");
            for (name, header) in response["headers"].as_object().into_iter().flatten() {
                assert!(is_told(followed(&document, header)), "{at}, {status}, {name}");
            }
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(is_told(parameter), "{at}, {parameter}");
        }
    }
    for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
        assert!(is_told(schema), "{name}");
        for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
            assert!(is_told(schema) || is_told(followed(&document, schema)), "{name}.{field}: {schema}");
        }
    }
}

#[test]
fn how_tokens_of_several_tables_are_given_is_said() {
    let document = document();
    let stream = &document["paths"]["/api/v1/stream"]["post"];
    let description = stream["requestBody"]["description"].as_str().unwrap_or_default();
    assert!(description.contains("tokens") && description.contains("Authorization"), "{description}");
    for status in ["200", "401", "410"] {
        assert!(is_told(followed(&document, &stream["responses"][status])), "{status}");
    }
}

#[test]
fn what_becomes_of_messages_that_were_not_delivered_is_said() {
    let message = &document()["webhooks"]["message"]["post"]["description"];
    assert!(message.as_str().is_some_and(|text| text.contains("when the server ends")), "{message}");
}

#[test]
fn each_operation_has_a_name_that_says_what_it_does() {
    let document = document();
    let mut known = BTreeSet::new();
    for (at, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{at} has no name"));
        assert!(known.insert(id), "{at}: {id} is another's too");
        assert!(id.contains('_'), "{at}: {id} says nothing of what it is done to");
    }
}

#[test]
fn whatever_stands_for_something_in_an_address_is_described() {
    let document = document();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let parts = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let parts: Vec<&str> = parts.collect();
        for (method, operation) in item.as_object().expect("methods") {
            let all = operation["parameters"].as_array().into_iter().flatten();
            let parameters: Vec<&str> =
                all.filter(|part| part["in"] == "path").filter_map(|part| part["name"].as_str()).collect();
            assert!(parts.iter().all(|part| parameters.contains(part)), "{method} {path}: {parameters:?}");
            assert_eq!(parts.len(), parameters.len(), "{method} {path}: {parameters:?}");
        }
    }
}

/// The examples of an operation's request, or of its response.
fn examples<'a>(document: &'a Value, path: &str, method: &str, part: &str) -> Vec<(&'a str, &'a Value)> {
    let content = &document["paths"][path][method];
    let examples = content.pointer(&format!("{part}/content/application~1json/examples"));
    let examples = examples.and_then(Value::as_object).unwrap_or_else(|| panic!("{path} has no examples"));
    examples.iter().map(|(name, example)| (name.as_str(), &example["value"])).collect()
}

#[test]
fn every_example_is_accepted_at_a_table_that_was_just_opened() {
    let server = Server::start();
    let nobody = Program::new(&server);
    let document = nobody.document();
    for system in fracas_systems::all() {
        let encounter = fracas_systems::encounters(system).expect("they are TOML").remove(0);
        let has = has(system);
        let of = |path: &str, method: &str, part: &str| -> Vec<Value> {
            let path = format!("/api/v1/tables/{{table}}{path}");
            let all = examples(&document, &path, method, part).into_iter();
            let own: Vec<Value> =
                all.filter(|(name, _)| name.starts_with(system.id)).map(|(_, value)| value.clone()).collect();
            let may_lack = path.ends_with("/stand") && !has.standing_replies;
            assert_eq!(own.is_empty(), may_lack, "{path}: examples of {}", system.id);
            own
        };
        let opened = || {
            let (gm, table) = nobody.open(system.id, &encounter.id, &[]);
            (gm, table.clone(), move |path: &str| format!("/tables/{table}{path}"))
        };
        let accepted =
            |response: Told, sent: &Value| assert_eq!(response.status, 200, "{sent}: {response:?}");
        // The ask's name is the table's own.
        for mut sent in of("/answer", "post", "/requestBody") {
            let (gm, _, at) = opened();
            let asks = gm.get(&at("")).body["asks"].clone();
            let has = |ask: &&Value| {
                let listed = ask["answers"].as_array().expect("answers");
                listed.iter().any(|answer| answer["answer"] == sent["answer"])
            };
            let ask = asks.as_array().expect("asks").iter().find(has).expect("it is listed").clone();
            let preview = at(&format!("/asks/{}/preview", ask["ask"].as_str().expect("a name")));
            for sent in of("/asks/{ask}/preview", "post", "/requestBody") {
                accepted(gm.post(&preview, &sent), &sent);
            }
            sent["ask"] = ask["ask"].clone();
            sent["of"] = ask["awaited"][0].clone();
            accepted(gm.post(&at("/answer"), &sent), &sent);
        }
        for sent in of("/fiat", "post", "/requestBody") {
            let (gm, _, at) = opened();
            accepted(gm.post(&at("/fiat"), &sent), &sent);
        }
        let (gm, table, at) = opened();
        let seats: Vec<Program> =
            ["gm", "player-1"].iter().map(|seat| gm.make(&table, "play", seat)).collect();
        for sent in of("/stand", "post", "/requestBody") {
            let taken = seats.iter().any(|seat| seat.post(&at("/stand"), &sent).status == 200);
            assert!(taken, "{sent}");
        }
        let eve = gm.make(&table, "read", "watch");
        let shown = of("/view", "get", "/responses/200");
        let keys = |view: &Value| view.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>());
        assert_eq!(keys(&eve.get(&at("/view")).body), keys(&shown[0]), "{}", system.id);
    }
}

#[test]
fn what_a_program_has_left_is_told_and_nothing_of_others() {
    let rate = |burst| Rate { burst, every: Duration::from_secs(60) };
    let server = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        config.limits = Limits { requests: rate(9), commands: rate(3), tables: rate(8), ..Limits::none() };
    });
    let nobody = Program::new(&server);
    // Limits by address are shared with others, so their quota is not told.
    let made = nobody.post("/tables", &json!({ "system": SYSTEM, "encounter": ENCOUNTER }));
    assert_eq!(
        made.header("ratelimit-policy").as_deref(),
        Some("\"requests\";q=9;w=540, \"commands\";q=3;w=180, \"tables\";q=8;w=480")
    );
    assert_eq!(made.header("ratelimit"), None);
    let table = made.body["table"].as_str().expect("an id").to_owned();
    let gm = nobody.with(made.body["token"].as_str().expect("a token"));
    let at = |path: &str| format!("/tables/{table}{path}");
    let left = |response: &Told| {
        let header = response.header("ratelimit").expect("what is left");
        header.split(", ").map(|item| item.split(';').nth(1).expect("r").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(left(&gm.get(&at(""))), ["r=8"]);
    let noted = gm.post(&at("/note"), &json!({ "text": "One." }));
    assert_eq!(left(&noted), ["r=7", "r=2"]);
    assert!(
        noted.header("ratelimit").is_some_and(|response| response.starts_with("\"requests\";r=7;t=120, ")),
        "{noted:?}"
    );
    // Another token has its own quota, at the same address too.
    assert_eq!(left(&gm.make(&table, "read", "player-1").get(&at(""))), ["r=8"]);
    gm.post(&at("/note"), &json!({ "text": "Two." }));
    let refused = gm.post(&at("/note"), &json!({ "text": "Three." }));
    assert_eq!((refused.status, left(&refused)), (429, vec!["r=4".to_owned(), "r=0".to_owned()]));
    assert!(refused.header("retry-after").is_some());
    let allowed = refused.header("access-control-expose-headers").expect("headers");
    assert!(allowed.contains("ratelimit, ratelimit-policy") && allowed.contains("location"), "{allowed}");
    // The document states this server's limits.
    let introduction = nobody.document()["info"]["description"].as_str().expect("words").to_owned();
    assert!(
        introduction.contains("`requests` (everything a token asks for): 9 with one token"),
        "{introduction}"
    );
    assert!(
        introduction.contains("`checks` (texts looked through): no limit on this server"),
        "{introduction}"
    );
    assert!(introduction.contains("texts 768 KB"), "{introduction}");
}

#[test]
fn whatever_is_made_says_where_it_is() {
    let server = Server::start();
    let nobody = Program::new(&server);
    let made = |who: &Program, path: &str, body: &Value| {
        let response = who.post(path, body);
        assert_eq!(response.status, 201, "{response:?}");
        (response.header("location").expect("where"), response.body)
    };
    let (at, table) = made(&nobody, "/tables", &json!({ "system": SYSTEM, "encounter": ENCOUNTER }));
    assert_eq!(at, format!("/api/v1/tables/{}", table["table"].as_str().expect("an id")));
    let (below, gm) =
        (at.strip_prefix("/api/v1").expect("below"), nobody.with(table["token"].as_str().expect("one")));
    assert_eq!(gm.get(below).status, 200);
    let (pass, response) = made(&gm, &format!("{below}/passes"), &json!({ "kind": "read", "role": "watch" }));
    assert_eq!(pass, format!("{at}/passes/{}", response["id"].as_str().expect("an id")));
    let gone = gm.send("DELETE", pass.strip_prefix("/api/v1").expect("below"), None, &[]);
    assert_eq!(gone.status, 204);
    let (next, response) = made(&gm, &format!("{below}/next"), &json!({}));
    assert_eq!(next, format!("/api/v1/tables/{}", response["table"].as_str().expect("an id")));
    // A log is also accepted as text in JSON.
    let log = gm.get(&format!("{below}/log")).body.as_str().expect("text").to_owned();
    let (taken, response) = made(&nobody, "/tables/taken", &json!({ "log": log }));
    assert_eq!(taken, format!("/api/v1/tables/{}", response["table"].as_str().expect("an id")));
    // The document says so for everything that is made.
    let document = nobody.document();
    let mut makers = 0;
    for (at, operation) in operations(&document) {
        if let Some(made) = operation["responses"].get("201") {
            assert!(made["headers"]["Location"].is_object(), "{at}");
            makers += 1;
        }
    }
    assert_eq!(makers, 5);
}

#[test]
fn a_name_stands_for_one_request_of_its_token() {
    let server = Server::start();
    let (gm, table) = Program::new(&server).open(SYSTEM, ENCOUNTER, &[]);
    let at = |path: &str| format!("/tables/{table}{path}");
    let send = |who: &Program, path: &str, body: &Value, key: &str| {
        who.send("POST", &at(path), Some(&body.to_string()), &[("idempotency-key", key)])
    };
    let refused = |response: Told| {
        assert_eq!((response.status, response.problem()), (422, "otherwise"), "{response:?}");
        assert_eq!(response.body["where"], "Idempotency-Key");
    };
    let ana = gm.make(&table, "play", "player-1");
    let lines = || gm.get(&at("/lines?from=0")).body["count"].clone();
    let ask = gm.get(&at("")).body["asks"][0].clone();
    let answer = |n: usize| json!({ "ask": ask["ask"], "answer": ask["answers"][n]["answer"], "of": ask["awaited"][0] });
    let option = |value: &str| json!({ "fiat": { "option": { "id": "tier-downgrade", "value": value } } });
    let reply = gm.get(&at("")).body["may_stand"][0]["example"].clone();
    let stands = |on: bool| json!({ "reply": reply, "on": on });
    // Each with a body, and another one; the rewind comes last.
    let all = [
        ("/note", json!({ "text": "Rain." }), json!({ "text": "Snow." })),
        ("/fiat", option("allowed"), option("forbidden")),
        ("/stand", stands(true), stands(false)),
        ("/answer", answer(0), answer(1)),
        (
            "/passes",
            json!({ "kind": "read", "role": "watch" }),
            json!({ "kind": "read", "role": "player-1" }),
        ),
        ("/next", json!({}), json!({ "title": "Another" })),
        ("/rewind", json!({ "to": 1 }), json!({ "to": 2 })),
    ];
    for (path, body, other) in &all {
        let key = &format!("key{path}");
        let done = send(&gm, path, body, key);
        assert!(matches!(done.status, 200 | 201), "{path}: {done:?}");
        let (count, again) = (lines(), send(&gm, path, body, key));
        assert_eq!(again.status, done.status, "{path}: {again:?}");
        assert!(again.body.get("before").is_none_or(|before| before == true), "{path}: {again:?}");
        refused(send(&gm, path, other, key));
        assert_eq!(lines(), count, "{path}: nothing was done");
        // The same JSON in other notation is the same request.
        let spaced = gm.send("POST", &at(path), Some(&format!(" {body} ")), &[("idempotency-key", key)]);
        assert_eq!(spaced.status, done.status, "{path}: {spaced:?}");
    }
    // No operation accepts another one's key, whichever comes first.
    for (path, ..) in &all {
        for (other, body, _) in all.iter().filter(|(other, ..)| other != path) {
            refused(send(&gm, other, body, &format!("key{path}")));
        }
    }
    // Dice too: a throw with faces differs from one by the table.
    let roll = (0..20).find_map(|_| {
        let now = gm.get(&at("")).body;
        if now["roll"].is_object() {
            return Some(now["roll"]["roll"].clone());
        }
        let ask = &now["asks"][0];
        let answer = &ask["answers"][0]["answer"];
        let sent = json!({ "ask": ask["ask"], "answer": answer, "of": ask["awaited"][0] });
        assert_eq!(gm.post(&at("/answer"), &sent).status, 200);
        None
    });
    let roll = roll.expect("something is rolled");
    assert_eq!(send(&gm, "/throw", &json!({ "roll": roll }), "thrown").body["before"], false);
    assert_eq!(send(&gm, "/throw", &json!({ "roll": roll }), "thrown").body["before"], true);
    refused(send(&gm, "/throw", &json!({ "roll": roll, "faces": [1, 1] }), "thrown"));
    // Another caller's keys are their own, and are not revealed.
    let noted = send(&ana, "/note", &json!({ "text": "Hail." }), "key/note");
    assert_eq!((noted.status, &noted.body["before"]), (200, &json!(false)), "{noted:?}");
    let other = gm.make(&table, "play", "gm");
    assert_eq!(send(&other, "/note", &json!({ "text": "Hail." }), "key/answer").status, 200);
    // A refused request does not use up its key.
    assert_eq!(send(&ana, "/note", &json!({ "text": " " }), "new").status, 422);
    assert_eq!(send(&ana, "/note", &json!({ "text": "Well." }), "new").body["before"], false);
    // After a restart too.
    let (token, note) = (gm.token.clone().expect("a token"), json!({ "text": "Rain." }));
    let server = server.again();
    let gm = Program::new(&server).with(&token);
    assert_eq!(send(&gm, "/note", &note, "key/note").body["before"], true);
    refused(send(&gm, "/note", &json!({ "text": "Snow." }), "key/note"));
}
