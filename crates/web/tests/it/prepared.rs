//! Programs prepare and open tables: their own texts, scenes, logs, next evenings.

use crate::common::program::{Program, Told};
use crate::common::{Browser, Server, earlier_log, wait_until};
use fracas_kernel::{Document, Setup, System};
use fracas_systems::{Comer, Scene, has};
use fracas_table::chain;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const HOSTILE: &str = "<script>alert(1)</script>\"' onload=x {{7*7}} \u{202e}";
const CANARY: &str = "canary-7f3a";

/// A part of an address, with everything escaped.
fn part(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} in {value}"))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}

impl Program {
    /// The template of a kind.
    fn template(&self, system: &str, kind: &str) -> String {
        let response = self.get(&format!("/systems/{system}/templates/{kind}"));
        assert_eq!(response.status, 200, "{response:?}");
        assert!(response.headers.contains("text/plain"), "{}", response.headers);
        response.body.as_str().expect("TOML").to_owned()
    }

    /// The gamemaster's program at a table that was just opened, and its id.
    #[track_caller]
    fn opened(&self, made: &Told) -> (Program, String) {
        assert_eq!(made.status, 201, "{made:?}");
        (self.with(text(&made.body, "token")), text(&made.body, "table").to_owned())
    }

    /// Sends a log.
    fn bring(&self, log: &str, kind: &str) -> Told {
        self.send("POST", "/tables/taken", Some(log), &[("content-type", kind)])
    }
}

/// The template of an encounter with a character of a library in place of its own, and that library.
fn own(nobody: &Program, system: &System) -> (String, String) {
    let id = system.id;
    let template = nobody.template(id, "character");
    let checked = nobody.post(&format!("/systems/{id}/check"), &json!({ "toml": template })).body;
    let library = template.replace(text(&checked, "title"), "Ottoline Marsh");
    let comer = Comer { name: "Ottoline Marsh".to_owned(), player: Some("Ana".to_owned()), count: 1 };
    let scene = Scene { title: String::new(), comers: vec![comer] };
    let encounter = Document::toml("encounter", &nobody.template(id, "encounter")).expect("TOML");
    let mut encounter = scene.in_place_of_its_own(Setup::alone(encounter), system).encounter.to_json();
    for head in ["game", "title", "summary", "briefing"] {
        encounter.as_object_mut().expect("a table").remove(head);
    }
    let head = format!("game = \"{id}\"\ntitle = \"At the door\"\nbriefing = \"{CANARY}\"\n");
    (head + &fracas_kernel::toml(&encounter), library)
}

#[test]
fn whatever_there_is_to_begin_with_is_without_fault() {
    let server = Server::start();
    let nobody = Program::new(&server);
    for system in list(&nobody.get("/systems").body) {
        let id = text(system, "id");
        let check = |toml: &str| nobody.post(&format!("/systems/{id}/check"), &json!({ "toml": toml }));
        let templates: Vec<&str> = list(&system["templates"]).filter_map(Value::as_str).collect();
        let has = has(fracas_systems::find(id).expect("a system"));
        assert!(templates.contains(&"encounter"), "{templates:?}");
        assert_eq!(templates.contains(&"character"), has.library, "{templates:?}");
        for kind in templates {
            let found = check(&nobody.template(id, kind)).body;
            assert_eq!(found["faults"], json!([]), "{id} {kind}");
            // An entry is shown as if it were there alone.
            if kind == "encounter" || has.open_cast {
                assert!(list(&found["players"]).count() > 0 && list(&found["gm"]).count() > 0, "{id} {kind}");
            }
            let sort = if kind == "encounter" { kind } else { "library" };
            assert_eq!(found["kind"], sort, "{id} {kind}");
        }
        let library = nobody.get(&format!("/systems/{id}/library")).body;
        let mut kinds: BTreeMap<&str, &Value> = BTreeMap::new();
        for entry in list(&library) {
            kinds.entry(text(entry, "kind")).or_insert(entry);
        }
        assert!(kinds.contains_key("encounter"), "{kinds:?}");
        assert_eq!(kinds.contains_key("character"), has.library, "{kinds:?}");
        for (kind, entry) in kinds {
            let at = format!("/systems/{id}/library/{kind}/{}", part(text(entry, "id")));
            let toml = nobody.get(&at);
            assert_eq!(toml.status, 200, "{at}");
            let found = check(toml.body.as_str().expect("TOML")).body;
            assert_eq!(found["faults"], json!([]), "{id} {entry}");
        }
        for nothing in ["library/character/Nobody", "library/x/x", "templates/x"] {
            assert_eq!(nobody.get(&format!("/systems/{id}/{nothing}")).problem(), "absent", "{nothing}");
        }
    }
    assert_eq!(nobody.get("/systems/x/library").problem(), "absent");
    assert_eq!(nobody.post("/systems/x/check", &json!({ "toml": "" })).problem(), "absent");
}

#[test]
fn a_fault_in_a_text_is_told_with_its_line_and_nothing_is_opened() {
    let server = Server::start();
    let nobody = Program::new(&server);
    for system in fracas_systems::all() {
        let id = system.id;
        let toml = format!("{}{}", "# for people\n".repeat(40), nobody.template(id, "encounter"));
        let at = toml.lines().position(|line| line.starts_with("title = ")).expect("it has a title");
        let toml = toml.replace(toml.lines().nth(at).expect("the title"), "title = 7");
        let line = at + 1;
        let fault = json!([{ "text": "toml", "line": line, "field": "title",
            "what": "expected text, found a whole number" }]);
        let found = nobody.post(&format!("/systems/{id}/check"), &json!({ "toml": toml }));
        assert_eq!((found.status, &found.body["faults"]), (200, &fault), "{id}");
        // Settings beside the text move no line.
        let option = (system.rulebook)().options().next();
        let options = option.map(|(clause, option)| json!({ clause.id(): option.values[1] }));
        for options in std::iter::once(json!({})).chain(options) {
            let response = nobody.post("/tables", &json!({ "system": id, "toml": toml, "options": options }));
            assert_eq!(
                (response.status, response.problem(), &response.body["faults"]),
                (422, "refused", &fault),
                "{id}"
            );
        }
        // TOML errors are reported for each text at once.
        let with = ["[[character]]\nname = = 1\n"];
        let response = nobody.post("/tables", &json!({ "system": id, "toml": "\n= 1\n", "with": with }));
        let places: Vec<(&str, u64)> = list(&response.body["faults"])
            .map(|fault| (text(fault, "text"), fault["line"].as_u64().expect("a line")))
            .collect();
        assert_eq!((response.status, places), (422, vec![("toml", 2), ("with[0]", 2)]), "{id}");
        let found = nobody.post(&format!("/systems/{id}/check"), &json!({ "toml": "x = 1", "with": with }));
        assert_eq!(found.body["faults"][0]["text"], "with[0]", "{found:?}");
    }
}

#[test]
fn what_cannot_be_opened_is_told_with_its_place() {
    let server = Server::start();
    let nobody = Program::new(&server);
    let system = &fracas_systems::all()[0];
    let encounter = &fracas_systems::encounters(system).expect("they are TOML")[0].id;
    let long = "#".repeat(131_073);
    let nobody_comes = json!({ "characters": [] });
    let comes = |n: i64| json!({ "characters": [{ "name": "x" }], "others": [{ "name": "y", "count": n }] });
    for (wanted, status, place) in [
        (json!({}), 422, None),
        (json!({ "encounter": encounter, "toml": "" }), 422, Some("toml")),
        (json!({ "toml": "", "scene": comes(1) }), 422, Some("scene")),
        (json!({ "encounter": "nowhere" }), 422, Some("encounter")),
        (json!({ "encounter": encounter, "options": { "x": "y" } }), 422, Some("options.x")),
        (json!({ "encounter": encounter, "bots": ["x"] }), 422, Some("bots[0]")),
        (json!({ "encounter": encounter, "players": { "x": "Mia" } }), 422, Some("players.x")),
        (json!({ "encounter": encounter, "players": { "gm": "M".repeat(81) } }), 422, Some("players.gm")),
        (json!({ "toml": long }), 413, Some("toml")),
        (json!({ "encounter": encounter, "with": ["", long] }), 413, Some("with[1]")),
        (json!({ "scene": nobody_comes }), 422, Some("scene.characters")),
        (json!({ "scene": comes(0) }), 422, Some("scene.others[0].count")),
        (json!({ "scene": comes(21) }), 422, Some("scene.others[0].count")),
        (json!({ "scene": comes(-1) }), 400, Some("scene.others[0].count")),
    ] {
        let mut sent = wanted.clone();
        sent["system"] = json!(system.id);
        let response = nobody.post("/tables", &sent);
        let told_at = response.body["where"].as_str();
        let short: String = wanted.to_string().chars().take(80).collect();
        assert_eq!((response.status, told_at), (status, place), "{short}: {response:?}");
    }
    let response = nobody.post("/tables", &json!({ "system": system.id, "toml": "x".repeat(900_000) }));
    assert_eq!((response.status, response.problem()), (413, "too-long"));
    // A character that no library has is a fault, with the names there are.
    let response = nobody.post("/tables", &json!({ "system": system.id, "scene": comes(1) }));
    assert_eq!(response.body["faults"][0]["text"], "scene", "{response:?}");
}

#[test]
fn players_are_called_as_whoever_opens_the_table_says_in_every_system() {
    let server = Server::start();
    let nobody = Program::new(&server);
    for system in fracas_systems::all() {
        for encounter in fracas_systems::encounters(system).expect("they are TOML") {
            let open = |players: Value| {
                let wanted = json!({ "system": system.id, "encounter": encounter.id, "players": players });
                let (gm, table) = nobody.opened(&nobody.post("/tables", &wanted));
                gm.get(&format!("/tables/{table}")).body
            };
            let (was, now) = (open(json!({})), open(json!({ "player-1": "Mia" })));
            for (was, now) in list(&was["seats"]).zip(list(&now["seats"])) {
                let name = if was["seat"] == "player-1" { "Mia" } else { text(was, "name") };
                assert_eq!(text(now, "name"), name, "{}", encounter.id);
                assert_eq!(now["plays"], was["plays"], "{}: each their own", encounter.id);
            }
        }
    }
}

#[test]
fn a_text_with_a_library_beneath_is_played_and_its_briefing_is_the_gamemasters() {
    let server = Server::start();
    let nobody = Program::new(&server);
    for system in fracas_systems::all().iter().filter(|system| has(system).library) {
        let (toml, library) = own(&nobody, system);
        let alone = nobody.post("/tables", &json!({ "system": system.id, "toml": toml }));
        assert!(
            list(&alone.body["faults"]).any(|fault| text(fault, "what").contains("Ottoline Marsh")),
            "{alone:?}"
        );
        let wanted = json!({ "system": system.id, "toml": toml, "with": [library] });
        let (gm, table) = nobody.opened(&nobody.post("/tables", &wanted));
        let at = |path: &str| format!("/tables/{table}{path}");
        let now = gm.get(&at("")).body;
        assert_eq!(now["title"], "At the door");
        assert!(now["cards"].to_string().contains("Ottoline Marsh"), "{now}");
        assert!(gm.get(&at("/log")).body.as_str().expect("a log").contains(CANARY));
        for (kind, role) in [("play", "player-1"), ("read", "watch")] {
            let who = gm.make(&table, kind, role);
            let stream = who.listen(&table, None).next().1;
            assert!(!stream.contains(CANARY), "{}: {stream}", system.id);
            for path in
                ["", "/view", "/lines?from=0", "/story", "/log", "/carried", "/passes", "/people", "/next"]
            {
                let response = who.get(&at(path));
                assert!(!response.body.to_string().contains(CANARY), "{} {path}: {response:?}", system.id);
            }
        }
    }
}

#[test]
fn a_scene_of_whoever_is_there_is_opened_in_every_system() {
    let server = Server::start();
    let nobody = Program::new(&server);
    for system in fracas_systems::all().iter().filter(|system| has(system).open_cast) {
        let library = nobody.get(&format!("/systems/{}/library", system.id)).body;
        let of = |kind: &str| -> Vec<String> {
            let all = list(&library).filter(|entry| entry["kind"] == kind);
            all.map(|entry| text(entry, "id").to_owned()).collect()
        };
        let (characters, others) = (of("character"), of(system.others));
        let other = others.last().expect("others");
        let scene = json!({
            "characters": [{ "name": characters[0], "player": "Ana" }, { "name": characters[1] }],
            "others": [{ "name": other, "count": 2 }],
        });
        let wanted = json!({ "system": system.id, "scene": scene, "bots": ["player-2"] });
        let (gm, table) = nobody.opened(&nobody.post("/tables", &wanted));
        let now = gm.get(&format!("/tables/{table}")).body;
        assert_eq!(now["title"], "A scene");
        let seats: Vec<(&str, bool)> =
            list(&now["seats"]).map(|seat| (text(seat, "name"), seat["machine"] == true)).collect();
        assert!(seats.contains(&("Ana", false)) && seats.contains(&("Player 2", true)), "{seats:?}");
        let titles: Vec<&str> = list(&now["cards"]).map(|card| text(card, "title")).collect();
        for there in [&characters[0], &characters[1], &format!("{other} 1"), &format!("{other} 2")] {
            assert!(titles.contains(&there.as_str()), "{there} is not among {titles:?}");
        }
    }
}

/// Makes a link at a table with an open door, and comes in by it. Returns the browser and
/// page.
fn sit(server: &Server, gm: &Program, table: &str, role: &str, name: &str) -> (Browser, String) {
    let made = gm.post(&format!("/tables/{table}/passes"), &json!({ "kind": "invite", "role": role }));
    let browser = Browser::new();
    let door = format!("{}{}", server.url, browser.get(text(&made.body, "link")).to.expect("the door"));
    assert_eq!(browser.post(&door, &[("name", name)]).status, 303);
    let page = format!("{}{}", server.url, browser.get(&door).to.expect("a place"));
    assert_eq!(browser.get(&page).status, 200);
    (browser, page)
}

#[test]
fn whoever_still_has_a_place_comes_along_to_another_evening() {
    let server = Server::start();
    let nobody = Program::new(&server);
    for system in fracas_systems::all().iter().filter(|system| has(system).next_evening) {
        let (toml, library) = own(&nobody, system);
        let wanted = json!({ "system": system.id, "toml": toml, "with": [library], "title": "One" });
        let (gm, table) = nobody.opened(&nobody.post("/tables", &wanted));
        let at = |path: &str| format!("/tables/{table}{path}");
        assert_eq!(gm.post(&at("/door"), &json!({ "door": "open" })).status, 204);
        let (ana, anas) = sit(&server, &gm, &table, "player-1", "Ana");
        let (eve, _) = sit(&server, &gm, &table, "watch", "Eve");
        let (dan, _) = sit(&server, &gm, &table, "player-1", "Dan");
        // Dan was removed, and Cleo's link was revoked.
        let people = gm.get(&at("/people")).body;
        let his = list(&people).find(|person| person["name"] == "Dan").expect("Dan");
        let out = json!({ "person": his["id"], "role": "player-1", "admit": false });
        assert_eq!(gm.post(&at("/people"), &out).status, 204);
        let (cleo, _) = sit(&server, &gm, &table, "gm", "Cleo");
        let passes = gm.get(&at("/passes")).body;
        let hers = list(&passes).find(|pass| pass["kind"] == "invite" && pass["role"] == "gm").expect("hers");
        assert_eq!(gm.status("DELETE", &at(&format!("/passes/{}", text(hers, "id"))), None), 204);

        assert_eq!(gm.post(&at("/passphrase"), &json!({ "passphrase": "grey heron" })).status, 204);
        gm.post(&at("/pace"), &json!({ "deadline": 3_600 }));
        gm.post(&at("/pause"), &json!({}));
        let company = gm.get(&at("/carried")).body;
        assert_eq!(company["characters"][0]["name"], "Ottoline Marsh", "{company}");
        assert!(text(&company, "toml").contains("[[character]]"), "{company}");
        let next = |sent: Value| gm.post(&at("/next"), &sent);
        assert_eq!(next(json!({ "party": "its" })).body["where"], "party");
        assert_eq!(next(json!({ "toml": "", "encounter": "x" })).body["where"], "toml");
        let fault = next(json!({ "toml": format!("\n\n{toml}").replace("\"At the door\"", "7") }));
        assert_eq!(fault.body["faults"][0]["line"], 4, "{fault:?}");
        assert!(!ana.get(&anas).body.contains("We go on at another table"), "nothing was opened");

        for (sent, title) in [
            (json!({}), "One, another evening"),
            (json!({ "toml": toml, "party": "its", "title": "Three" }), "Three"),
        ] {
            let (there, second) = nobody.opened(&next(sent));
            let now = there.get(&format!("/tables/{second}")).body;
            assert_eq!((&now["title"], &now["you"]), (&json!(title), &json!("gm")), "{}", system.id);
            // The table's settings are kept, except the pause.
            assert_eq!((&now["desk"]["deadline"], &now["paused"]), (&json!(3_600), &json!(false)));
            let entrance = json!({ "door": "open", "locked": true });
            assert_eq!(there.get(&format!("/tables/{second}/door")).body, entrance);
            assert!(now["cards"].to_string().contains("Ottoline Marsh"), "{now}");
            let place = |role: &str| format!("{}/t/{second}/{role}", server.url);
            assert_eq!(ana.get(&place("player-1")).status, 200, "{}", system.id);
            assert_eq!(eve.get(&place("watch")).status, 200);
            for out in [&dan, &cleo] {
                assert!(["player-1", "gm", "watch"].iter().all(|role| out.get(&place(role)).status == 404));
            }
            assert_eq!(ana.get(&place("gm")).status, 404, "still no gamemaster");
            // The one table's token is not valid at the other.
            assert_eq!(gm.get(&format!("/tables/{second}")).status, 404);
        }
        assert!(ana.get(&anas).body.contains("We go on at another table"));
    }
}

#[test]
fn a_log_is_taken_in_by_its_own_kind_of_request_once_it_is_played_through() {
    let server = Server::hurried();
    let nobody = Program::new(&server);
    const KIND: &str = "application/x-ndjson";
    for system in fracas_systems::all() {
        let encounter = &fracas_systems::encounters(system).expect("they are TOML")[0].id;
        let (gm, table) = nobody.open(system.id, encounter, &["gm", "player-1", "player-2", "player-3"]);
        let lines = format!("/tables/{table}/lines?from=0");
        wait_until(|| gm.get(&lines).body["count"].as_u64() > Some(3));
        gm.post(&format!("/tables/{table}/pause"), &json!({}));
        gm.listen(&table, None).rest();
        let log = gm.get(&format!("/tables/{table}/log")).body;
        let log = log.as_str().expect("a log");
        let elsewhere = Server::start();
        let (there, taken) = Program::new(&elsewhere).opened(&Program::new(&elsewhere).bring(log, KIND));
        let all = |who: &Program, table: &str| who.get(&format!("/tables/{table}/lines?from=0")).body;
        assert_eq!(all(&there, &taken), all(&gm, &table), "{}", system.id);
        assert_eq!(there.get(&format!("/tables/{taken}")).body["you"], "gm");

        let missing: String =
            log.split_inclusive('\n').enumerate().filter(|(at, _)| *at != 1).map(|text| text.1).collect();
        for (bad, line) in
            [("", None), ("a list\n", None), (&log[..log.len() - 9], Some(log.lines().count()))]
        {
            let response = nobody.bring(bad, KIND);
            assert_eq!((response.status, response.problem()), (422, "refused"), "{response:?}");
            let fault = &response.body["faults"][0];
            assert_eq!((&fault["text"], &fault["line"]), (&json!("log"), &json!(line)), "{response:?}");
        }
        assert_eq!(nobody.bring(&missing, KIND).problem(), "refused");
        // No page of another site can send one: browsers do not send this kind without a
        // preflight request.
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
            assert_eq!(nobody.bring(log, kind).problem(), "not-json", "{kind}");
        }
        assert_eq!(nobody.bring(log, "application/json").problem(), "unreadable", "a list of entries");
    }
    let long = "x".repeat((16 << 20) + 1);
    assert_eq!(nobody.bring(&long, KIND).status, 413);
}

#[test]
fn what_was_not_verified_is_marked_for_everybody_and_what_is_forged_is_not_taken_in() {
    const KIND: &str = "application/x-ndjson";
    let server = Server::start();
    let nobody = Program::new(&server);
    let (gm, table) = nobody.open("judge-two", "salt-gate", &[]);
    gm.post(&format!("/tables/{table}/note"), &json!({ "text": "We begin." }));
    let log = gm.get(&format!("/tables/{table}/log")).body;
    let log = log.as_str().expect("a log");
    // Under earlier rules: nothing of it is run, so nothing of it is verified.
    let earlier = earlier_log("judge-two", "We never began.").expect("a kept log");
    let page = |file: &str| {
        let bob = Browser::new();
        let led =
            bob.bring(&format!("{}/take-in", server.url), &[], file.as_bytes()).to.expect("it is taken in");
        bob.get(&format!("{}{led}", server.url)).body
    };
    let mut kept = Vec::new();
    for (file, unverified) in [(log, false), (&earlier, true)] {
        assert_eq!(page(file).contains("Not verified"), unverified);
        let (there, taken) = nobody.opened(&nobody.bring(file, KIND));
        for role in ["gm", "player-1", "watch"] {
            let token = there.make(&taken, "read", role).token.expect("a token");
            kept.push((token, taken.clone(), unverified));
        }
    }
    let server = server.again();
    for (token, table, unverified) in &kept {
        let body = Program::new(&server).with(token).get(&format!("/tables/{table}")).body;
        assert_eq!(body["unverified"], json!(unverified), "it is marked still: {body}");
    }
    let nobody = Program::new(&server);
    for (forged, line, expected) in [
        (chain::renewed(&log.replacen("\"plays\":[\"", "\"plays\":[\"Eve ", 1)), 1, "who sits at the table"),
        (log.replace("We begin.", "We never began."), log.lines().count(), "not as it was written"),
        (
            log.replacen("\"cast\":[{\"seat\":", "\"cast\":[{\"chair\":", 1),
            1,
            "header.cast[0].chair: unknown field",
        ),
        (chain::renewed(&log.replacen("\"format\":2", "\"format\":99", 1)), 1, "a log of format 99"),
    ] {
        let response = nobody.bring(&forged, KIND);
        assert_eq!((response.status, response.problem()), (422, "refused"), "{response:?}");
        let fault = &response.body["faults"][0];
        assert_eq!(fault["line"], json!(line), "{response:?}");
        assert!(fault["what"].as_str().is_some_and(|what| what.contains(expected)), "{response:?}");
    }
}

#[test]
fn hostile_words_are_shown_and_do_nothing_on_a_page() {
    let server = Server::start();
    let nobody = Program::new(&server);
    for system in fracas_systems::all() {
        let template = nobody.template(system.id, "encounter");
        let name = fracas_kernel::toml(&json!({ "x": HOSTILE }));
        let name = name.trim().strip_prefix("x = ").expect("a value");
        let player =
            template.lines().skip_while(|line| *line != "[[player]]").find(|line| line.starts_with("name"));
        let player = player.and_then(|line| line.split('"').nth(1)).expect("a player");
        let toml = template.replace(&format!("\"{player}\""), name);
        let wanted = json!({ "system": system.id, "toml": toml, "title": HOSTILE });
        let (gm, table) = nobody.opened(&nobody.post("/tables", &wanted));
        let at = |path: &str| format!("/tables/{table}{path}");
        gm.post(&at("/door"), &json!({ "door": "open" }));
        gm.post(&at("/note"), &json!({ "text": HOSTILE }));
        // A text shows a mark that reverses it; a name is kept without it.
        let (label, shown) = (HOSTILE.replace('\u{202e}', ""), HOSTILE.replace('\u{202e}', "\u{fffd}"));
        gm.post(&at("/passes"), &json!({ "kind": "read", "role": "watch", "label": label }));
        let hook = format!("https://example.org/{HOSTILE}");
        let response = gm.post(&at("/webhook"), &json!({ "url": hook }));
        assert!(matches!(response.status, 200 | 422), "{response:?}");
        let now = gm.get(&at("")).body;
        assert_eq!(text(&now, "title"), label.trim());
        assert!(list(&now["seats"]).any(|seat| seat["name"] == shown.as_str()), "{now}");
        let lines = gm.get(&at("/lines")).body;
        assert!(list(&lines["lines"]).any(|line| line["text"] == shown.as_str()), "{lines}");
        let passes = gm.get(&at("/passes")).body;
        assert!(list(&passes).any(|pass| pass["label"] == label.trim()), "{passes}");
        let (person, page) = sit(&server, &gm, &table, "gm", HOSTILE);
        let next = has(system).next_evening.then_some("/next");
        for path in ["", "/people", "/programs", "/story"].into_iter().chain(next) {
            let body = person.get(&format!("{page}{path}")).body;
            assert!(!body.contains("<script>alert") && !body.contains("\" onload=x"), "{path}: {body}");
            assert!(body.contains("&lt;script&gt;"), "{path}: {body}");
        }
        // A table opened from such a text goes on to the next with it.
        assert_eq!(person.get(&page).body.contains("Another evening"), next.is_some(), "{}", system.id);
        if next.is_some() {
            nobody.opened(&gm.post(&at("/next"), &json!({ "title": HOSTILE })));
        }
    }
}
