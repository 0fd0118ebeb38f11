//! A word in every secret, and none of them in anything that others are sent.

use crate::common::program::{Program, Told};
use crate::common::{Browser, Reply, Server, Stream, join, overlay_of};
use crate::secrets::forms::{Form, forms, groups, sheets};
use crate::secrets::worlds::{Guest, Planted, Play, all_setups, cookie, opened, plant, shown_at};
use fracas_kernel::{Document, Names, Seat, Setup, System, Viewer, form::Takes};
use fracas_sim::Chance;
use fracas_store::Standing;
use fracas_table::Table;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What every canary begins with; four digits follow.
const MARK: &str = "zqx";
/// Steps at each table over the wire.
const STEPS: usize = 10;
/// Tables of each system in an ordinary run.
const OF_EACH: usize = 3;

/// Bytes that were sent to roles without the secrets.
static SCANNED: AtomicUsize = AtomicUsize::new(0);

/// The canaries in a text.
fn canaries(text: &str) -> BTreeSet<String> {
    let text = text.to_lowercase();
    let found = text.match_indices(MARK).filter_map(|(at, _)| {
        let word = text.get(at..at + MARK.len() + 4)?;
        word[MARK.len()..].bytes().all(|b| b.is_ascii_digit()).then(|| word.to_owned())
    });
    found.collect()
}

/// New canaries, one after the other.
#[derive(Default)]
struct Cage(u32);

impl Cage {
    fn next(&mut self) -> String {
        self.0 += 1;
        format!("{MARK}{:04}", self.0)
    }
}

/// A setup with a canary in every name and in every text for the gamemaster.
fn marked(setup: &Setup, cage: &mut Cage) -> Setup {
    let mut papers: Vec<(String, Value)> = std::iter::once(&setup.encounter)
        .chain(&setup.library)
        .map(|document| (document.name().to_owned(), document.to_json()))
        .collect();
    let mut names = BTreeMap::new();
    papers.iter().for_each(|(_, paper)| name_anew(paper, &mut names, cage));
    papers.iter_mut().for_each(|(_, paper)| mark(paper, &names, cage));
    let mut documents = papers.into_iter().map(|(name, paper)| Document::json(name, &paper));
    let encounter = documents.next().expect("an encounter");
    Setup { encounter, library: documents.collect() }
}

/// The new name of each entry, and its short form with it.
fn name_anew(value: &Value, names: &mut BTreeMap<String, String>, cage: &mut Cage) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                // Tracks have the rules' names, and names in lower case are the rules' too.
                if field == "track" {
                    continue;
                }
                if let ("name", Some(name)) = (field.as_str(), value.as_str())
                    && name.starts_with(char::is_uppercase)
                    && !names.contains_key(name)
                {
                    let begins: String = name.chars().take(14).collect();
                    let marked = format!("{} {}", begins.trim_end(), cage.next());
                    names.insert(Names::slug_of(name), Names::slug_of(&marked));
                    names.insert(name.to_owned(), marked);
                }
                name_anew(value, names, cage);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| name_anew(value, names, cage)),
        _ => {}
    }
}

fn mark(value: &mut Value, names: &BTreeMap<String, String>, cage: &mut Cage) {
    match value {
        Value::Object(fields) => {
            // Skills are named by the fields of `traits`, places by those of `to`.
            for named_by in ["traits", "to"] {
                if let Some(Value::Object(inside)) = fields.get_mut(named_by) {
                    let named = |(field, value)| (names.get(&field).cloned().unwrap_or(field), value);
                    *inside = std::mem::take(inside).into_iter().map(named).collect();
                }
            }
            let is_tally = fields.get("to").is_some_and(Value::is_u64);
            for (field, value) in fields.iter_mut().filter(|(field, _)| *field != "track") {
                match value {
                    Value::String(text)
                        if ["secret", "briefing", "text", "note"].contains(&field.as_str())
                            || is_tally && ["what", "then"].contains(&field.as_str()) =>
                    {
                        *text = format!("{text} {}", cage.next());
                    }
                    Value::Array(calls) if field == "calls" => {
                        for call in calls {
                            *call = json!(format!("{} {}", call.as_str().unwrap_or_default(), cage.next()));
                        }
                    }
                    value => mark(value, names, cage),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| mark(value, names, cage)),
        Value::String(text) => {
            if let Some(named) = names.get(text) {
                text.clone_from(named);
            }
        }
        _ => {}
    }
}

/// The canaries in the names of the gamemaster's characters and of their things; all others
/// are public.
fn private(paper: &Value) -> BTreeSet<String> {
    fn names(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(field, value)| match value {
                Value::String(name) if field == "name" => found.extend(canaries(name)),
                value => names(value, found),
            }),
            Value::Array(values) => values.iter().for_each(|value| names(value, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    ["npc", "foe"].iter().filter_map(|list| paper.get(list)).for_each(|list| names(list, &mut found));
    found
}

/// A character whom no player knows at the start, by the documents.
struct Promised {
    name: String,
    /// The canaries of this character alone.
    canaries: BTreeSet<String>,
}

/// The characters that every player's character is unaware of, and those who are away.
fn promised(setup: &Setup, others: &str) -> Vec<Promised> {
    let paper = setup.encounter.to_json();
    let list = |list: &str| paper.get(list).and_then(Value::as_array).cloned().unwrap_or_default();
    let characters = list("character");
    let called = |entry: &Value, field: &str| entry.get(field).and_then(Value::as_str).map(str::to_owned);
    let is_unknown = |name: &str| {
        let unaware = |character: &Value| {
            let all = character.get("unaware_of").and_then(Value::as_array);
            all.is_some_and(|all| all.iter().any(|other| other.as_str() == Some(name)))
        };
        !characters.is_empty() && characters.iter().all(unaware)
    };
    let mut hidden = Vec::new();
    let mut open = paper.clone();
    let entries = list(others);
    if let Some(left) = open.get_mut(others).and_then(Value::as_array_mut) {
        left.clear();
        for entry in entries {
            let Some(name) = called(&entry, "name").or_else(|| called(&entry, "use")) else { continue };
            if is_unknown(&name) || entry.get("away") == Some(&json!(true)) {
                hidden.push((name, entry));
            } else {
                left.push(entry);
            }
        }
    }
    for character in open.get_mut("character").and_then(Value::as_array_mut).into_iter().flatten() {
        character.as_object_mut().map(|fields| fields.remove("unaware_of"));
    }
    let mut shared = canaries(&open.to_string());
    let used: Vec<String> = hidden.iter().filter_map(|(_, entry)| called(entry, "use")).collect();
    let mut theirs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for document in &setup.library {
        for entry in document
            .to_json()
            .as_object()
            .into_iter()
            .flatten()
            .flat_map(|(_, list)| list.as_array().cloned().unwrap_or_default())
        {
            match called(&entry, "name").filter(|name| used.contains(name)) {
                Some(name) => theirs.entry(name).or_default().extend(canaries(&entry.to_string())),
                None => shared.extend(canaries(&entry.to_string())),
            }
        }
    }
    let promise = |(name, entry): (String, Value)| {
        let mut canaries = canaries(&entry.to_string());
        canaries
            .extend(called(&entry, "use").and_then(|used| theirs.get(&used).cloned()).unwrap_or_default());
        canaries.retain(|word| !shared.contains(word));
        Promised { name, canaries }
    };
    hidden.into_iter().map(promise).filter(|promised| !promised.canaries.is_empty()).collect()
}

/// A person from whom secrets are kept, and everything they are sent.
struct Ear {
    /// The viewer whose eyes they may see with, if any.
    eyes: Option<Viewer>,
    called: String,
    browser: Browser,
    page: String,
    stream: Option<Stream>,
    /// Their program and its table.
    program: Option<(Program, String)>,
    /// The canaries that they may know.
    known: BTreeSet<String>,
}

impl Ear {
    /// The canaries in this text that the person may not know, with the text around the
    /// first.
    fn leak(&self, sent: &str) -> Option<String> {
        SCANNED.fetch_add(sent.len(), Ordering::Relaxed);
        let leaked: Vec<String> = canaries(sent).difference(&self.known).cloned().collect();
        let first = leaked.first()?;
        let at = sent.to_lowercase().find(first).unwrap_or_default();
        let near: String = sent.get(at.saturating_sub(120)..).unwrap_or(sent).chars().take(260).collect();
        Some(format!("{leaked:?}: …{near}…"))
    }

    /// Checks a text that was sent to the person.
    fn hears(&self, what: &str, sent: &str) {
        if let Some(leak) = self.leak(sent) {
            panic!("{} is told by {what} {leak}", self.called);
        }
    }

    fn reply(&self, what: &str, reply: &Reply) {
        self.hears(what, &format!("{:?}\n{}\n{}", reply.to, reply.headers, reply.body));
    }

    fn get(&self, path: &str) -> String {
        let reply = self.browser.get(&format!("{}{path}", self.page));
        self.reply(path, &reply);
        reply.body
    }

    /// Checks the stream.
    fn listens(&self) {
        let page = self.get("");
        let (Some(stream), Some(at)) = (&self.stream, page.find("data-mark=\"")) else { return };
        let mark = page[at + 11..].split('"').next().unwrap_or_default().to_owned();
        for (id, data) in stream.up_to(&mark) {
            self.hears("its stream", &format!("{id} {data}"));
        }
    }

    /// Loads every page.
    fn looks(&self) {
        for path in [
            "?from=0",
            "/story",
            "/story.html",
            "/story.md",
            "/due",
            "/log",
            "/people",
            "/knock",
            "/choices?ask=1.1",
        ] {
            self.get(path);
        }
        self.reply("the overlay", &self.browser.get(&overlay_of(&self.page)));
        let page = self.get("");
        for form in forms(&page).into_iter().filter_map(|form| form.ask) {
            self.get(&format!("/choices?ask={form}&in=1"));
        }
        for query in groups(&page) {
            self.get(&format!("/choices?{query}"));
        }
        for name in sheets(&page).into_iter().take(3) {
            self.get(&format!("/sheet/{name}"));
        }
    }

    /// Loads everything that programs can.
    fn asks(&self) {
        let Some((program, table)) = &self.program else { return };
        let hear = |path: &str, response: Told| {
            self.hears(&format!("the API, {path}"), &format!("{}\n{}", response.headers, response.body));
            response.body
        };
        let get = |path: &str| hear(path, program.get(&format!("/tables/{table}{path}")));
        for path in [
            "/view",
            "/lines?from=0",
            "/odds",
            "/story",
            "/log",
            "/carried",
            "/next",
            "/passes",
            "/people",
            "/stream/x",
        ] {
            get(path);
        }
        for ask in get("")["asks"].as_array().into_iter().flatten() {
            let ask = ask["ask"].as_str().expect("a name");
            let listed = get(&format!("/asks/{ask}/answers"));
            for answer in listed["answers"].as_array().into_iter().flatten().take(2) {
                let path = format!("/tables/{table}/asks/{ask}/preview");
                hear("preview", program.post(&path, &json!({ "answer": answer["answer"] })));
            }
        }
    }

    /// Sends requests that must be refused.
    fn tries(&self, fields: &[(&str, &str)]) {
        for deed in [
            "answer", "throw", "note", "overrule", "stand", "rewind", "undo", "bot", "links", "admit",
            "resume",
        ] {
            let url = format!("{}/{deed}", self.page);
            self.reply(deed, &self.browser.act(&url, fields));
            self.reply(deed, &self.browser.post(&url, fields));
        }
    }
}

/// A table under test.
struct Scene<'s> {
    ears: Vec<Ear>,
    /// The people at it, the gamemaster first.
    seats: Vec<(Viewer, Browser, String)>,
    /// The readers of each written word.
    written: BTreeMap<String, Vec<Viewer>>,
    /// The characters that nobody knows at first.
    promised: Vec<Promised>,
    cage: &'s mut Cage,
    chance: Chance,
}

impl Scene<'_> {
    fn gm(&self) -> (&Browser, &str) {
        (&self.seats[0].1, &self.seats[0].2)
    }

    fn table(&self) -> Table {
        let (gm, page) = self.gm();
        opened(&gm.get(&format!("{page}/log")).body)
    }

    /// Adds what everybody may know by now, by the game and the log.
    fn learn(&mut self) {
        let table = self.table();
        for ear in &mut self.ears {
            let Some(who) = ear.eyes else { continue };
            for word in canaries(&shown_at(&table, who)) {
                if let Some(readers) = self.written.get(&word) {
                    assert!(
                        readers.contains(&who),
                        "{who} may not read {word}, which was written for {readers:?}"
                    );
                }
                ear.known.insert(word);
            }
            // The game's own words do not prove what may be known: a promised character
            // becomes known by a line about them.
            let lines = canaries(&json!(table.lines_to(who).collect::<Vec<_>>()).to_string());
            for promised in self.promised.iter().filter(|promised| promised.canaries.is_disjoint(&lines)) {
                let known: Vec<&String> = promised.canaries.intersection(&ear.known).collect();
                assert!(known.is_empty(), "{} knows {known:?} of {}, unseen", ear.called, promised.name);
            }
        }
    }

    /// A person writes a note for some readers.
    fn write(&mut self) {
        let word = self.cage.next();
        let all: Vec<Viewer> = self.seats.iter().map(|(who, ..)| *who).collect();
        let by = self.chance.place(all.len());
        let to = self.chance.place(all.len());
        let (reader, mut readers) = match self.chance.below(4) {
            0 => ("all".to_owned(), all.iter().copied().chain([Viewer::Spectator]).collect()),
            1 => ("gm".to_owned(), Vec::new()),
            _ if all[to].is_gm() => ("gm".to_owned(), Vec::new()),
            _ => (all[to].to_string(), vec![all[to]]),
        };
        readers.extend([all[by], all[0]]);
        self.written.insert(word.clone(), readers);
        let (_, browser, page) = &self.seats[by];
        let text = format!("Listen: {word}");
        let done = browser.act(&format!("{page}/note"), &[("text", &text), ("to", &reader)]);
        assert_eq!(done.status, 200, "{}", done.body);
    }

    /// A person answers or throws, as a page offers it.
    fn play(&mut self) {
        let seat = self.chance.place(self.seats.len());
        let (browser, page) = (&self.seats[seat].1, &self.seats[seat].2);
        let offered: Vec<Form> = forms(&browser.get(page).body);
        let Some(form) = offered.get(self.chance.place(offered.len())) else { return };
        let mut answers = form.answers.clone();
        for query in form.groups.iter().take(2) {
            let group = browser.get(&format!("{page}/choices?{query}")).body;
            answers.extend(crate::common::fields(&group, "answer"));
        }
        let answer = answers.get(self.chance.place(answers.len()));
        let word = self.cage.next();
        let words = [("text", &word), ("own", &word)];
        let fields = [
            ("ask", form.ask.as_ref()),
            ("roll", form.roll.as_ref()),
            ("of", form.of.as_ref()),
            ("answer", answer),
        ];
        let fields = fields.iter().filter_map(|(name, value)| Some((*name, value.as_ref()?.as_str())));
        let fields: Vec<(&str, &str)> =
            fields.chain(words.map(|(name, word)| (name, word.as_str()))).collect();
        let done = browser.act(&format!("{page}/{}", form.deed), &fields);
        assert!([200, 422].contains(&done.status), "{fields:?}: {}", done.body);
    }

    /// The gamemaster overrules the engine, or takes something back.
    fn overrule(&mut self, key: Option<&str>) {
        let table = self.table();
        let game = table.game();
        let mut forms = game.fiat_forms();
        forms.retain(|form| key.is_none_or(|key| form.key == key));
        // Not every game takes somebody in later.
        let Some(form) = forms.get(self.chance.place(forms.len())) else { return };
        let mut fields = vec![("form", form.id.to_owned())];
        fields.extend(fracas_suite::at_random(form, &mut self.chance));
        let word = self.cage.next();
        let (gm, page) = self.gm();
        // A refusal is as good.
        fields.push(("text", word));
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        gm.act(&format!("{page}/overrule"), &fields);
    }

    /// The gamemaster rewinds to any line, or a player takes an answer back.
    fn rewind(&mut self) {
        let table = self.table();
        let lines: Vec<u64> = table.log().live().map(|record| record.seq).collect();
        let to = lines[self.chance.place(lines.len())].to_string();
        let (gm, page) = self.gm();
        gm.act(&format!("{page}/rewind"), &[("to", &to)]);
        for (_, browser, page) in &self.seats[1..] {
            browser.act(&format!("{page}/take-back"), &[]);
        }
    }

    /// Everybody who may come to another table with this content looks around it: the next
    /// evening, and an import of this log.
    fn elsewhere(&self, server: &Server) -> usize {
        let (gm, page) = self.gm();
        let log = gm.get(&format!("{page}/log")).body;
        let host = Browser::new();
        let mut tables: Vec<(&Browser, String)> = Vec::new();
        let next = gm.post(&format!("{page}/next"), &[("title", "Another evening"), ("encounter", "")]);
        tables.extend(next.to.filter(|_| next.status == 303).map(|to| (gm, to)));
        let taken = host.bring(&format!("{}/take-in", server.url), &[], log.as_bytes());
        tables.extend(taken.to.filter(|_| taken.status == 303).map(|to| (&host, to)));
        for (leader, to) in &tables {
            let there = format!("{}{to}", server.url);
            let table = opened(&leader.get(&format!("{there}/log")).body);
            let seats = table.game().seats();
            let player = seats.iter().map(|info| info.seat).find(|seat| *seat != Seat::Gm);
            for (role, who) in player
                .map(|seat| (seat.to_string(), Viewer::Seat(seat)))
                .into_iter()
                .chain([("watch".to_owned(), Viewer::Spectator)])
            {
                let (browser, page) = join(leader, &there, &role, "Newcomer");
                let program = Some((
                    token(server, &browser, &page),
                    to.split('/').nth(2).unwrap_or_default().to_owned(),
                ));
                let mut known = canaries(&shown_at(&table, who));
                let lines = canaries(&json!(table.lines_to(who).collect::<Vec<_>>()).to_string());
                for promised in self.promised.iter().filter(|promised| promised.canaries.is_disjoint(&lines))
                {
                    known.retain(|word| !promised.canaries.contains(word));
                }
                let before = self.ears.iter().filter(|ear| ear.eyes == Some(who));
                known.extend(before.flat_map(|ear| ear.known.iter().cloned()));
                let called = format!("{role} of {to}");
                let ear = Ear { eyes: Some(who), called, browser, page, stream: None, program, known };
                ear.looks();
                ear.asks();
            }
        }
        tables.len()
    }

    fn step(&mut self) {
        match self.chance.below(10) {
            0..=2 => self.write(),
            3 => self.overrule(None),
            5 if self.chance.below(2) == 0 => self.overrule(Some("join")),
            6 if self.chance.below(3) == 0 => self.rewind(),
            4 if self.chance.below(3) == 0 => {
                let (gm, page) = self.gm();
                gm.act(&format!("{page}/undo"), &[]);
            }
            _ => self.play(),
        }
        self.learn();
        self.ears.iter().for_each(Ear::listens);
    }

    /// Names that a person may not know are not suggested when they mistype one.
    fn probe(&self) {
        let table = self.table();
        let header = table.log().header();
        let papers = std::iter::once(&header.encounter).chain(&header.library);
        let private: BTreeSet<String> = papers.flat_map(|paper| private(&paper.document)).collect();
        let names = table.game().names();
        let all: Vec<&str> =
            ('a'..='z').flat_map(|letter| (0..).map_while(move |n| names.slug(letter, n))).collect();
        for ear in self.ears.iter().filter(|ear| matches!(ear.eyes, Some(Viewer::Seat(_)))) {
            let page = ear.browser.get(&ear.page).body;
            let Some(form) =
                forms(&page).into_iter().find(|form| form.answers.iter().any(|a| a.contains("\"@")))
            else {
                continue;
            };
            let Some(answer) = form.answers.iter().find(|answer| answer.contains("\"@")) else { continue };
            let at = answer.find("\"@").expect("a name") + 2;
            let end = at + answer[at..].find('"').expect("its end");
            let hidden =
                all.iter().filter(|slug| canaries(slug).iter().any(|word| !ear.known.contains(word)));
            for slug in hidden.take(4) {
                // The exact name, and one that is nearly it.
                for name in [(*slug).to_owned(), slug.replace(MARK, "zqj")] {
                    let answer = format!("{}{name}{}", &answer[..at], &answer[end..]);
                    let fields = [("ask", form.ask.as_deref().unwrap_or_default()), ("answer", &answer)];
                    let reply = ear.browser.act(&format!("{}/answer", ear.page), &fields);
                    let found = canaries(&reply.body.replace(&name, "NAME"));
                    let hint =
                        found.iter().find(|word| private.contains(*word) && !ear.known.contains(*word));
                    assert_eq!(hint, None, "{} is told by a refusal: {}", ear.called, reply.body);
                }
            }
        }
    }
}

#[test]
fn no_canary_is_sent_to_whom_it_is_hidden_from() {
    let data = tempfile::tempdir().expect("a folder");
    let mut cage = Cage::default();
    let mut planted = Vec::new();
    for (s, system) in fracas_systems::all().iter().enumerate() {
        let setups = all_setups(system);
        for (n, setup) in fracas_suite::some(setups.iter().enumerate(), OF_EACH) {
            planted.push(planted_table(system, setup, &format!("s{s}t{n}"), n, &mut cage));
        }
    }
    plant(data.path(), &planted);
    let server = Server::with(data);
    let (mut hidden, mut others, mut unknown) = (0, 0, 0);
    for (n, table) in planted.iter().enumerate() {
        let mut scene = scene(&server, table, &mut cage, n as u64);
        scene.learn();
        scene.ears.iter().for_each(Ear::looks);
        scene.ears.iter().for_each(Ear::asks);
        for _ in 0..STEPS {
            scene.step();
        }
        scene.ears.iter().for_each(Ear::looks);
        scene.ears.iter().for_each(Ear::asks);
        scene.probe();
        scene.ears.iter().for_each(|ear| {
            ear.tries(&[
                ("ask", "1.1"),
                ("answer", "{}"),
                ("text", "x"),
                ("to", "0"),
                ("reply", "{}"),
                ("form", "option"),
            ])
        });
        rejoin(&server, &scene, table);
        scene.seats.retain(|(who, ..)| who.is_gm());
        others += scene.elsewhere(&server);
        unknown += scene.promised.len();
        let all = canaries(&scene.gm().0.get(&format!("{}/log", scene.gm().1)).body);
        hidden += scene.ears.iter().map(|ear| all.difference(&ear.known).count()).sum::<usize>();
    }
    let bytes = SCANNED.load(Ordering::Relaxed);
    println!(
        "{} tables and {others} that came of them, {} canaries, {hidden} hidden from somebody, {unknown} unseen characters, {bytes} bytes scanned, leaks 0",
        planted.len(),
        cage.0
    );
    assert!(unknown > 1, "only {unknown} characters whom nobody knows");
    assert!(others * 2 > planted.len(), "only {others} tables came of {}", planted.len());
    assert!(hidden > 1_000, "only {hidden} canaries were hidden from anybody");
}

/// The test above can find leaks: if everybody were sent what the gamemaster is sent, each
/// way of sending would give it away.
#[test]
fn a_server_that_told_everybody_everything_would_be_found_out() {
    let data = tempfile::tempdir().expect("a folder");
    let mut cage = Cage::default();
    let all = fracas_systems::all().iter().enumerate();
    let planted: Vec<Planted> = all
        .map(|(s, system)| planted_table(system, &all_setups(system)[0], &format!("s{s}t"), 2, &mut cage))
        .collect();
    plant(data.path(), &planted);
    let server = Server::with(data);
    for table in &planted {
        let mut scene = scene(&server, table, &mut cage, 1);
        // Words for the gamemaster alone, as the story has them too.
        let word = scene.cage.next();
        let note = [("text", word.as_str()), ("to", "gm")];
        let (gm, page) = scene.gm();
        assert_eq!(gm.act(&format!("{page}/note"), &note).status, 200);
        scene.learn();
        let (_, gm, page) = &scene.seats[0];
        let streamed = gm.listen(&format!("{page}/stream"), Some("0-0")).next();
        // The refusal repeats a word that is not among those to pick from.
        let forms = scene.table().game().fiat_forms();
        let picked = forms.iter().find_map(|form| {
            let field = form.fields.first().filter(|field| matches!(field.takes, Takes::One { .. }))?;
            Some((form.id, field.name()))
        });
        let (form, field) = picked.expect("something to pick from");
        let refusal = gm.act(&format!("{page}/overrule"), &[("form", form), (field, &word)]);
        let mut sent = vec![("stream", format!("{streamed:?}")), ("refusal", refusal.body)];
        for path in ["", "?from=0", "/story", "/story.md", "/log"] {
            sent.push((path, gm.get(&format!("{page}{path}")).body));
        }
        for ear in scene.ears.iter().filter(|ear| ear.eyes != Some(Viewer::Seat(Seat::Gm))) {
            for (what, sent) in &sent {
                assert!(ear.leak(sent).is_some(), "{} would be told nothing by {what}", ear.called);
            }
        }
    }
}

/// A table some way into its play, with every person who ever came near it.
fn planted_table(system: &System, setup: &Setup, id: &str, n: usize, cage: &mut Cage) -> Planted {
    let mut play = Play::open(system, &marked(setup, cage), n as u64);
    let before = [0, 10, 30, 60][n % 4];
    (0..before).all(|_| play.step());
    let seats = play.table.game().seats();
    let mut guests: Vec<Guest> =
        seats.iter().enumerate().map(|(n, info)| Guest::inside(Viewer::Seat(info.seat), n)).collect();
    guests.push(Guest::inside(Viewer::Spectator, 20));
    let player = seats.iter().map(|info| info.seat).find(|seat| *seat != Seat::Gm).expect("a player");
    for (n, standing) in [(21, Standing::Refused), (22, Standing::Waiting)] {
        let name = format!("Somebody {}", cage.next());
        guests.push(Guest { role: Viewer::Seat(player), cookie: cookie(n), name, standing });
    }
    Planted { id: id.to_owned(), log: play.log(), guests }
}

fn page(server: &Server, id: &str, role: Viewer) -> String {
    let role = if role == Viewer::Spectator { "watch".to_owned() } else { role.to_string() };
    format!("{}/t/{id}/{role}", server.url)
}

fn scene<'s>(server: &Server, table: &Planted, cage: &'s mut Cage, seed: u64) -> Scene<'s> {
    let mut ears = Vec::new();
    let mut seats = Vec::new();
    for guest in &table.guests {
        let (browser, page) =
            (Browser::known(&server.url, &guest.cookie), page(server, &table.id, guest.role));
        let inside = guest.standing == Standing::Admitted;
        if !guest.role.is_gm() {
            let stream = inside.then(|| browser.listen(&format!("{page}/stream"), None));
            // A person who is not in may know what everybody may, and their own name.
            let eyes = Some(if inside { guest.role } else { Viewer::Spectator });
            let called = format!("{} ({:?})", guest.role, guest.standing);
            let program = inside.then(|| (token(server, &browser, &page), table.id.clone()));
            ears.push(Ear {
                eyes,
                called,
                browser,
                page: page.clone(),
                stream,
                program,
                known: canaries(&guest.name),
            });
        }
        if inside && guest.role != Viewer::Spectator {
            seats.push((guest.role, Browser::known(&server.url, &guest.cookie), page));
        }
    }
    let gm = page(server, &table.id, Viewer::Seat(Seat::Gm));
    let stranger = Browser::known(&server.url, &cookie(23));
    ears.push(Ear {
        eyes: None,
        called: "a stranger".to_owned(),
        browser: stranger,
        page: gm.clone(),
        stream: None,
        program: None,
        known: BTreeSet::new(),
    });
    // One of the players at the gamemaster's door.
    let curious = Browser::known(&server.url, &cookie(1));
    ears.push(Ear {
        eyes: None,
        called: "a player as the gamemaster".to_owned(),
        browser: curious,
        page: gm,
        stream: None,
        program: None,
        known: BTreeSet::new(),
    });
    let gm = Browser::known(&server.url, &table.guests[0].cookie);
    let log = gm.get(&format!("{}/log", self::page(server, &table.id, Viewer::Seat(Seat::Gm)))).body;
    let opened = opened(&log);
    let promised = promised(&opened.log().header().setup(), opened.system().others);
    Scene { ears, seats, written: BTreeMap::new(), promised, cage, chance: Chance::new(seed, 3) }
}

/// A person's own program that reads.
pub(crate) fn token(server: &Server, browser: &Browser, page: &str) -> Program {
    let made = browser.post(&format!("{page}/programs"), &[("kind", "read")]).body;
    let at = made.find("id=\"fresh\" value=\"").expect("a token") + 18;
    Program::new(server).with(made[at..].split('"').next().expect("the token"))
}

/// Everybody comes again: without anything, and with the means they had earlier.
fn rejoin(server: &Server, scene: &Scene<'_>, table: &Planted) {
    for ear in scene.ears.iter().filter(|ear| ear.stream.is_some()) {
        let guest = table.guests.iter().find(|guest| Some(guest.role) == ear.eyes).expect("a guest");
        let again = Browser::known(&server.url, &guest.cookie);
        let reply = again.get(&ear.page);
        ear.reply("its page, again", &reply);
        let at = reply.body.find("data-mark=\"").expect("a mark") + 11;
        let (boot, _) = reply.body[at..].split_once('-').expect("a mark");
        for last in [None, Some("0-0"), Some("zz-7"), Some(&*format!("{boot}-1")), Some("nonsense")] {
            let (id, data) = again.listen(&format!("{}/stream", ear.page), last).next();
            ear.hears("a stream, again", &format!("{id} {data}"));
        }
    }
}
