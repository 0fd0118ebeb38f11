//! Texts that programs write stay unchanged. The fields are read from the API's own
//! document, so that none can be forgotten here: a text comes back as it was sent, or is
//! refused, and is harmless on every page that shows it.

use crate::common::corpus::CORPUS;
use crate::common::program::Program;
use crate::common::{Browser, Reply, Server};
use fracas_kernel::{Document, System};
use fracas_sim::Chance;
use fracas_systems::has;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The fate of a text in a field.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Becomes {
    /// It is shown below the table.
    Told(&'static str, As),
    /// It is not shown anywhere.
    Kept,
    /// It is a name that nothing has.
    Names,
    /// It is not the TOML that the field takes.
    Toml,
    /// It is not the log that the field takes.
    NoLog,
}

/// How a text is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
enum As {
    /// As it was sent, with misleading characters as U+FFFD.
    Sent,
    /// As a title: its first letters, trimmed, without misleading characters.
    Title,
}

impl As {
    fn shown(self, text: &str) -> String {
        let turns =
            |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}');
        let is_plain = |c: char| !c.is_control() && !turns(c);
        match self {
            As::Sent => {
                let shown = |c| is_plain(c) || matches!(c, '\n' | '\r' | '\t');
                text.chars().map(|c| if shown(c) { c } else { '\u{fffd}' }).collect()
            }
            As::Title => {
                let plain: String = text.chars().filter(|c| is_plain(*c)).collect();
                plain.trim().chars().take(80).collect()
            }
        }
    }
}

use Becomes::{Kept, Names, NoLog, Told, Toml};
const LINES: Becomes = Told("/lines", As::Sent);

/// Every text field of requests: its route, its place there, and the fate of its text.
const FIELDS: &[(&str, &str, Becomes)] = &[
    ("/systems/{system}/check", "toml", Toml),
    ("/systems/{system}/check", "with/[]", Toml),
    ("/tables", "system", Names),
    ("/tables", "encounter", Names),
    ("/tables", "toml", Toml),
    ("/tables", "scene/characters/[]/name", Names),
    ("/tables", "scene/characters/[]/player", Told("", As::Sent)),
    ("/tables", "scene/others/[]/name", Names),
    ("/tables", "with/[]", Toml),
    ("/tables", "title", Told("", As::Title)),
    ("/tables", "options/?", Names),
    ("/tables", "options/*", Names),
    ("/tables", "alone", Names),
    ("/tables", "bots/[]", Names),
    ("/tables", "players/?", Names),
    ("/tables", "players/*", Told("", As::Title)),
    ("/tables/taken", "log", NoLog),
    ("/tables/{table}/branches", "title", Told("", As::Title)),
    ("/tables/{table}/next", "encounter", Names),
    ("/tables/{table}/next", "toml", Toml),
    ("/tables/{table}/next", "with/[]", Toml),
    ("/tables/{table}/next", "title", Told("", As::Title)),
    ("/tables/{table}/next", "party", Names),
    ("/tables/{table}/asks/{ask}/preview", "answer", Names),
    ("/tables/{table}/answer", "ask", Names),
    ("/tables/{table}/answer", "answer", Names),
    ("/tables/{table}/answer", "own", LINES),
    ("/tables/{table}/answer", "text", LINES),
    ("/tables/{table}/answer", "of", Names),
    ("/tables/{table}/throw", "roll", Names),
    ("/tables/{table}/note", "text", LINES),
    ("/tables/{table}/note", "to/[]", Names),
    ("/tables/{table}/fiat", "fiat", Names),
    ("/tables/{table}/fiat", "text", LINES),
    ("/tables/{table}/stand", "reply", Names),
    ("/tables/{table}/bots", "seat", Names),
    ("/tables/{table}/bots", "plays", Names),
    ("/tables/{table}/passes", "kind", Names),
    ("/tables/{table}/passes", "role", Names),
    ("/tables/{table}/passes", "label", Told("/passes", As::Title)),
    ("/tables/{table}/people", "person", Names),
    ("/tables/{table}/people", "role", Names),
    ("/tables/{table}/door", "door", Names),
    ("/tables/{table}/passphrase", "passphrase", Kept),
    ("/tables/{table}/webhook", "url", Names),
    ("/tables/{table}/webhook", "kinds/[]", Names),
    ("/stream", "tables/[]/token", Names),
    ("/stream", "tables/[]/after", Names),
    ("/stream", "only", Names),
];

/// Every text in a schema: `scene/characters/[]/name`; `*` is the value of any name, and `?`
/// such a name.
fn places(document: &Value, schema: &Value, at: &str, found: &mut BTreeSet<String>) {
    let below = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") };
    if let Some(named) = schema["$ref"].as_str() {
        let pointer = named.strip_prefix('#').expect("in the document itself");
        let schema = document.pointer(pointer).expect("a schema");
        return places(document, schema, at, found);
    }
    let several: Vec<&Value> = ["oneOf", "anyOf", "allOf"]
        .into_iter()
        .filter_map(|word| schema[word].as_array())
        .flatten()
        .collect();
    several.iter().for_each(|value| places(document, value, at, found));
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        places(document, schema, &below(name), found);
    }
    if schema["items"].is_object() {
        places(document, &schema["items"], &below("[]"), found);
    }
    if schema["additionalProperties"].is_object() {
        found.insert(below("?"));
        places(document, &schema["additionalProperties"], &below("*"), found);
    }
    let kinds = &schema["type"];
    let is_word = kinds == "string" || kinds.as_array().is_some_and(|all| all.contains(&json!("string")));
    let is_anything = kinds.is_null() && several.is_empty() && schema["properties"].is_null();
    if is_word || is_anything {
        found.insert(at.to_owned());
    }
}

/// Every text field of requests: its route, and its place there.
fn fields(document: &Value) -> BTreeSet<(String, String)> {
    let mut all = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("methods").values() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            if schema.is_object() {
                let mut found = BTreeSet::new();
                places(document, schema, "", &mut found);
                let path = path.strip_prefix("/api/v1").expect("below /api/v1");
                all.extend(found.into_iter().map(|place| (path.to_owned(), place)));
            }
        }
    }
    all
}

/// Writes words at a place of a request.
fn put(at: &mut Value, place: &str, words: &str) {
    let (first, rest) = place.split_once('/').unwrap_or((place, ""));
    match first {
        "" => *at = words.into(),
        "?" => *at = json!({ words: "x" }),
        "*" => at.as_object_mut().expect("names").values_mut().for_each(|text| put(text, rest, words)),
        "[]" => {
            if !at.is_array() {
                *at = json!([null]);
            }
            put(&mut at[0], rest, words);
        }
        name => put(&mut at[name], rest, words),
    }
}

/// Whether a text in the JSON contains these words.
fn holds(json: &Value, words: &str) -> bool {
    match json {
        Value::String(text) => text.contains(words),
        Value::Array(all) => all.iter().any(|value| holds(value, words)),
        Value::Object(all) => all.iter().any(|(name, value)| name.contains(words) || holds(value, words)),
        _ => false,
    }
}

/// A gamemaster's program at a table of one system, and a person beside it.
struct Desk<'s> {
    server: &'s Server,
    system: System,
    nobody: Program,
    gm: Program,
    table: String,
    person: Browser,
}

impl<'s> Desk<'s> {
    fn at(server: &'s Server, system: System, encounter: &str) -> Desk<'s> {
        let nobody = Program::new(server);
        let (gm, table) = nobody.open(system.id, encounter, &[]);
        let person = Browser::new();
        let desk = Desk { server, system, nobody, gm, table, person };
        desk.sit(&desk.gm, &desk.table);
        desk
    }

    /// Seats the person as a table's gamemaster too, if they are not.
    fn sit(&self, gm: &Program, table: &str) {
        if self.person.get(&format!("{}/t/{table}/gm", self.server.url)).status == 200 {
            return;
        }
        gm.post(&format!("/tables/{table}/door"), &json!({ "door": "open" }));
        let link = gm.post(&format!("/tables/{table}/passes"), &json!({ "kind": "invite", "role": "gm" }));
        let door = self.person.get(link.body["link"].as_str().expect("a link")).to.expect("the door");
        let come = self.person.post(&format!("{}{door}", self.server.url), &[("name", CORPUS[2])]);
        assert_eq!(come.status, 303, "{}", come.body);
    }

    fn below(&self, path: &str) -> String {
        path.replace("{table}", &self.table)
            .replace("{system}", self.system.id)
            .replace("{ask}", self.ask()["ask"].as_str().expect("a name"))
    }

    /// An open ask of the table.
    fn ask(&self) -> Value {
        let at = |path: &str| format!("/tables/{}{path}", self.table);
        loop {
            let now = self.gm.get(&at("")).body;
            if now["roll"].is_null() {
                return now["asks"][0].clone();
            }
            let thrown = self.gm.post(&at("/throw"), &json!({ "roll": now["roll"]["roll"] }));
            assert_eq!(thrown.status, 200, "{thrown:?}");
        }
    }

    /// A desk where an answer takes words of one's own, found by playing.
    fn with_words(server: &'s Server, system: System) -> Option<Desk<'s>> {
        let mut chance = Chance::new(7, 0);
        let mut all = fracas_systems::encounters(&system).expect("they are TOML").into_iter();
        all.find_map(|encounter| {
            let desk = Desk::at(server, system, &encounter.id);
            for _ in 0..40 {
                let ask = desk.ask();
                let answers = ask["answers"].as_array()?;
                if answers.iter().any(|answer| answer["own"] == true) {
                    return Some(desk);
                }
                let answer = &answers[chance.place(answers.len())]["answer"];
                let sent = json!({ "ask": ask["ask"], "answer": answer, "of": ask["awaited"][0] });
                desk.gm.post(&desk.below("/tables/{table}/answer"), &sent);
            }
            None
        })
    }

    /// A request that the API's document gives as an example of an operation.
    fn example(&self, operation: &str) -> Value {
        let document = self.nobody.document();
        let all = document["paths"].as_object().expect("paths").values();
        let mut all = all.flat_map(|item| item.as_object().into_iter().flatten());
        let (_, found) = all.find(|(_, of)| of["operationId"] == operation).expect("an operation");
        let examples = found.pointer("/requestBody/content/application~1json/examples").expect("examples");
        let own = examples.as_object().into_iter().flatten();
        let mut own = own.filter(|(name, _)| name.starts_with(self.system.id));
        own.next().expect("an example").1["value"].clone()
    }

    /// The gamemaster's pages, with these besides.
    fn pages(&self, besides: &[&'static str]) -> Vec<&'static str> {
        let next = has(&self.system).next_evening.then_some("/next");
        ["", "/story", "/overrule"].into_iter().chain(besides.iter().copied()).chain(next).collect()
    }

    /// A valid request to a route.
    fn sent(&self, path: &str, place: &str) -> Value {
        let (system, encounter) = (self.system.id, encounter(&self.system));
        match path {
            "/systems/{system}/check" => json!({ "toml": "title = \"x\"" }),
            "/tables" if place == "toml" => json!({ "system": system }),
            "/tables" if place.starts_with("scene") => {
                let name = |kind: &str| {
                    let all = self.nobody.get(&format!("/systems/{system}/library")).body;
                    let all = all.as_array().expect("a list").clone();
                    let entry = all.into_iter().find(|entry| entry["kind"] == kind).expect("an entry");
                    entry["id"].clone()
                };
                let mut scene = json!({ "characters": [{ "name": name("character") }] });
                if place.contains("others") {
                    scene["others"] = json!([{}]);
                }
                json!({ "system": system, "scene": scene })
            }
            "/tables" if place == "options/*" => {
                let book = (self.system.rulebook)();
                let option = book.options().next().map_or("x", |(clause, _)| clause.id());
                json!({ "system": system, "encounter": encounter, "options": { option: "x" } })
            }
            "/tables" if place.starts_with("players") => {
                json!({ "system": system, "encounter": encounter, "players": { "player-1": "x" } })
            }
            "/tables" => json!({ "system": system, "encounter": encounter }),
            "/tables/{table}/branches" => json!({ "after": 0 }),
            "/tables/{table}/next" if place == "party" => json!({ "encounter": encounter }),
            "/tables/{table}/answer" => {
                let ask = self.ask();
                let answers = ask["answers"].as_array().expect("answers");
                let with_words = || answers.iter().find(|answer| place == "own" && answer["own"] == true);
                let answer = with_words().unwrap_or(&answers[0])["answer"].clone();
                json!({ "ask": ask["ask"], "answer": answer, "of": ask["awaited"][0] })
            }
            "/tables/{table}/note" => json!({ "text": "x" }),
            "/tables/{table}/fiat" => {
                let forms = self.gm.get(&format!("/tables/{}/fiat", self.table)).body;
                let forms = forms.as_array().expect("forms");
                match forms.iter().find(|form| form["key"] == "option") {
                    Some(option) => json!({ "fiat": { "option": option["fields"][0]["picks"][0]["value"] } }),
                    None => self.example("overrule_by_fiat"),
                }
            }
            "/tables/{table}/stand" => json!({ "on": true }),
            "/tables/{table}/bots" => json!({ "seat": "player-1" }),
            "/tables/{table}/passes" => json!({ "kind": "read", "role": "watch" }),
            "/tables/{table}/people" => {
                let people = self.gm.get(&format!("/tables/{}/people", self.table)).body;
                json!({ "person": people[0]["id"], "role": "gm", "admit": true })
            }
            _ => json!({}),
        }
    }
}

fn encounter(system: &System) -> String {
    fracas_systems::encounters(system).expect("they are TOML")[0].id.clone()
}

/// A refusal is a problem, and not the server's fault.
fn is_refused(response: &crate::common::program::Told) -> bool {
    (400..500).contains(&response.status)
        && response.headers.contains("content-type: application/problem+json")
        && response.body["type"].as_str().is_some_and(|kind| kind.starts_with("/api#"))
        && response.body["detail"].as_str().is_some_and(|detail| !detail.is_empty())
}

/// The hostile texts of a turn: in an ordinary run every eighth, and others in the next turn.
fn texts_of(turn: usize) -> Vec<&'static str> {
    let is_tried = |n: usize| fracas_suite::is_long() || (n + turn).is_multiple_of(8);
    CORPUS.into_iter().enumerate().filter(|&(n, _)| is_tried(n)).map(|(_, text)| text).collect()
}

/// Sends hostile texts to a field. Returns how many were accepted.
fn try_field(
    desk: &Desk<'_>,
    texts: &[&str],
    (path, place, becomes): (&str, &str, Becomes),
    made: &mut Vec<String>,
) -> usize {
    let mut taken = 0;
    for &text in texts {
        let mut sent = desk.sent(path, place);
        put(&mut sent, place, text);
        let response = desk.gm.post(&desk.below(path), &sent);
        let case = format!("{} {path} {place} {text:?}: {response:?}", desk.system.id);
        if is_refused(&response) {
            continue;
        }
        assert!((200..300).contains(&response.status), "{case}");
        taken += 1;
        let opened = response.body["table"].as_str();
        match becomes {
            Told(below, shown_as) => {
                let table = opened.unwrap_or(&desk.table);
                let gm = response.body["token"].as_str().map_or(desk.gm.clone(), |token| match opened {
                    Some(_) => desk.gm.with(token),
                    None => desk.gm.clone(),
                });
                let now = gm.get(&format!("/tables/{table}{below}"));
                assert!(holds(&now.body, &shown_as.shown(text)), "{case}: {now:?}");
                if opened.is_some() {
                    desk.sit(&gm, table);
                    made.push(table.to_owned());
                }
            }
            Kept => {}
            Toml => assert!(response.body["faults"][0].is_object(), "{case}"),
            Names => panic!("nothing is called so: {case}"),
            NoLog => panic!("it is no log: {case}"),
        }
        if path.ends_with("/answer") || path.ends_with("/fiat") {
            let undone = desk.gm.post(&desk.below("/tables/{table}/undo"), &json!({}));
            assert_eq!(undone.status, 200, "{undone:?}");
        }
    }
    taken
}

/// Text that our pages never contain.
const FOREIGN: [&str; 11] =
    ["animate", "audio", "base", "embed", "iframe", "img", "math", "object", "style", "video", "xmp"];

/// The tags of a page as a browser reads them: each with its attributes.
fn tags(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let opening = page.split('<').skip(1).filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    let tag = |rest: &str| {
        let end = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>');
        let (name, mut rest) = rest.split_at(rest.find(end).unwrap_or(rest.len()));
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
            let (attribute, after) = rest.split_at(rest.find(|c| end(c) || c == '=').unwrap_or(rest.len()));
            if attribute.is_empty() {
                return (name.to_lowercase(), attributes);
            }
            let (value, after) = match after.strip_prefix("=\"") {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => after.split_at(after.find(end).unwrap_or(after.len())),
            };
            attributes.push((attribute.to_lowercase(), value.to_owned()));
            rest = after;
        }
    };
    opening.map(tag).collect()
}

/// People's text on this page is nothing but text.
fn is_harmless(server: &Server, at: &str, page: &Reply) {
    assert_eq!(page.status, 200, "{at}");
    let headers = &page.headers;
    for there in ["content-security-policy: default-src 'none'; script-src 'self'", "options: nosniff"] {
        assert!(headers.contains(there), "{at}: {headers}");
    }
    if !headers.contains("content-type: text/html") {
        assert!(headers.contains("content-type: text/markdown") || headers.contains("json"), "{headers}");
        return;
    }
    for (name, attributes) in tags(&page.body) {
        let tag = format!("{at}: <{name} {attributes:?}");
        let value = |wanted: &str| attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        let ours = |path: &String| path.starts_with("/assets/");
        assert!(
            !FOREIGN.contains(&name.as_str()) || name == "img" && value("src").is_some_and(ours),
            "{tag}"
        );
        assert!(
            !matches!(name.as_str(), "script" | "link") || value("src").or(value("href")).is_some_and(ours),
            "{tag}"
        );
        for (name, value) in &attributes {
            let runs =
                name.starts_with("on") || ["formaction", "srcdoc", "http-equiv"].contains(&name.as_str());
            assert!(!runs, "{tag}");
            let leads = ["href", "src", "action", "xlink:href"].contains(&name.as_str());
            // What may come of a line is named from the gamemaster's page, to keep lines short.
            let what_if = name == "href" && value.starts_with("gm/from/");
            let here = what_if || value.starts_with(['/', '#', '?']) && !value.starts_with("//");
            assert!(!leads || here || value.starts_with(&server.url), "{tag}");
        }
    }
}

#[test]
fn what_a_program_writes_comes_back_as_it_was_sent_or_is_refused() {
    let server = Server::hurried();
    let known: BTreeSet<(String, String)> =
        FIELDS.iter().map(|(path, place, _)| ((*path).to_owned(), (*place).to_owned())).collect();
    let there = fields(&Program::new(&server).document());
    let unknown: Vec<_> = there.difference(&known).collect();
    assert!(unknown.is_empty(), "say in FIELDS what becomes of words in {unknown:?}");
    let gone: Vec<_> = known.difference(&there).collect();
    assert!(gone.is_empty(), "not in the document: {gone:?}");
    let mut own = 0;
    for (turn, system) in fracas_systems::all().iter().enumerate() {
        let desk = Desk::at(&server, *system, &encounter(system));
        let mut made = Vec::new();
        let has = has(system);
        for (nth, &(path, place, becomes)) in FIELDS.iter().enumerate() {
            let texts = texts_of(turn + nth);
            if place.starts_with("scene") && !has.library {
                continue;
            }
            let field = (path, place, becomes);
            let taken = match (place == "own").then(|| Desk::with_words(&server, *system)).flatten() {
                Some(desk) => try_field(&desk, &texts, field, &mut made),
                None => try_field(&desk, &texts, field, &mut made),
            };
            let may_be_refused = place == "own"
                || place.starts_with("scene") && !has.open_cast
                || path.ends_with("/next") && !has.next_evening;
            let most = matches!(becomes, Told(..) | Kept) && !may_be_refused;
            // Of the few that an ordinary run tries, all but one may be refused.
            let least = if fracas_suite::is_long() { texts.len() / 2 } else { 0 };
            assert!(!most || taken > least, "{} {path} {place}: {taken}", system.id);
            own += usize::from(place == "own") * taken;
        }
        for page in desk.pages(&["?from=0", "/story.md", "/log", "/people", "/programs"]) {
            let url = format!("{}/t/{}/gm{page}", server.url, desk.table);
            is_harmless(&server, &url, &desk.person.get(&url));
        }
        for table in made {
            let url = format!("{}/t/{table}/gm", server.url);
            is_harmless(&server, &url, &desk.person.get(&url));
        }
        is_harmless(&server, "the front page", &desk.person.get(&server.url));
    }
    assert!(own > 0, "words of one's own");
}

/// Every text in the JSON, by its place.
fn texts(json: &Value, at: &str, found: &mut Vec<String>) {
    match json {
        Value::String(_) => found.push(at.to_owned()),
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(n, value)| texts(value, &format!("{at}/{n}"), found));
        }
        Value::Object(all) => {
            all.iter().for_each(|(name, value)| texts(value, &format!("{at}/{name}"), found))
        }
        _ => {}
    }
}

#[test]
fn whatever_stands_in_a_text_is_told_as_words() {
    let server = Server::hurried();
    for (n, system) in fracas_systems::all().iter().enumerate() {
        let desk = Desk::at(&server, *system, &encounter(system));
        let template = desk.nobody.get(&format!("/systems/{}/templates/encounter", system.id)).body;
        let template = Document::toml("template", template.as_str().expect("a text")).expect("TOML");
        let json = template.to_json();
        let mut places = Vec::new();
        texts(&json, "", &mut places);
        let mut opened = 0;
        for (at, place) in places.iter().enumerate() {
            let text = CORPUS[(n * 11 + at) % CORPUS.len()];
            let mut json = json.clone();
            *json.pointer_mut(place).expect("a text") = text.into();
            let toml = fracas_kernel::toml(&json);
            let checked =
                desk.nobody.post(&format!("/systems/{}/check", system.id), &json!({ "toml": toml }));
            let made = desk.nobody.post("/tables", &json!({ "system": system.id, "toml": toml }));
            let case = format!("{} {place} {text:?}: {made:?}", system.id);
            assert_eq!(checked.status, 200, "{case}: {checked:?}");
            assert_eq!(checked.body["faults"] == json!([]), made.status == 201, "{case}: {checked:?}");
            if is_refused(&made) {
                continue;
            }
            assert_eq!(made.status, 201, "{case}");
            opened += 1;
            let table = made.body["table"].as_str().expect("an id");
            let gm = desk.nobody.with(made.body["token"].as_str().expect("a token"));
            desk.sit(&gm, table);
            // And once more from the log.
            let log = gm.get(&format!("/tables/{table}/log")).body;
            let kind = [("content-type", "application/x-ndjson")];
            let taken = desk.nobody.send("POST", "/tables/taken", log.as_str(), &kind);
            assert_eq!(taken.status, 201, "{case}: {taken:?}");
            let again = taken.body["table"].as_str().expect("an id");
            desk.sit(&desk.nobody.with(taken.body["token"].as_str().expect("a token")), again);
            for page in desk.pages(&[]) {
                for table in [table, again] {
                    let url = format!("{}/t/{table}/gm{page}", server.url);
                    is_harmless(&server, &case, &desk.person.get(&url));
                }
            }
        }

        // A title, a player and a character can be called anything.
        assert!(opened >= 3, "{}: {opened} of {}", system.id, places.len());
    }
}
