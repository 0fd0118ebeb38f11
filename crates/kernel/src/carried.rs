//! From one evening to the next: the document of [`crate::Game::carry`], kept up and
//! laid under another encounter.
//!
//! The document is a library with a `[carried]` table that says where it comes from. The
//! code knows only what all setups have in common: lists of entries that have a `name`, are
//! played by a `player`, and may `use` another entry by its name.

use crate::document::{Value, WITHOUT};
use crate::{Document, Fault, Faults, HISTORY, Label, Names, Node, PORTRAIT, Setup};
use serde_json::{Map, Value as Json, json};
use std::ops::Range;

/// The table that says where a document was carried from.
pub(crate) const CARRIED: &str = "carried";
/// The list of fallen characters: for people to read, and to refuse an encounter that uses one.
pub const FALLEN: &str = "fallen";
/// The field that marks an entry of [`crate::Game::carry`] as a newcomer of this evening:
/// earlier history under that name is about somebody else. The field is not carried.
pub const NEW: &str = "new";
/// The fields that an encounter keeps of its own entry for a carried character.
const OWN: [&str; 3] = ["name", "player", "id"];

type Field = (String, Range<usize>, Node);

impl Setup {
    /// This setup with documents before its library, the first foremost: their
    /// entries win over those of the same name.
    ///
    /// An entry of the encounter that has a carried name, or takes it with `use`, is the carried
    /// character as they are. Of the entry's own fields, name, player, id and the fields that
    /// are never carried remain.
    ///
    /// # Errors
    /// Where the encounter uses somebody who has fallen.
    pub fn with(mut self, carried: Vec<Document>) -> Result<Setup, Faults> {
        let mut faults = Vec::new();
        if let Value::Table(fields) = &mut self.encounter.root_mut().value {
            for (list, _, node) in fields {
                let Value::List(entries) = &mut node.value else { continue };
                for (at, entry) in entries.iter_mut().enumerate() {
                    if let Some((span, what)) = take(entry, list, &carried) {
                        faults.push((span, format!("{list}[{}]", at + 1), what));
                    }
                }
            }
        }
        if !faults.is_empty() {
            let fault = |(span, field, what)| self.encounter.fault(&span, field, what);
            return Err(Faults(faults.into_iter().map(fault).collect()));
        }
        self.library.splice(0..0, carried.into_iter().map(Document::kept));
        Ok(self)
    }
}

/// Fields that hold prose, or say who somebody is: no reference to a character.
const PROSE: [&str; 10] =
    ["name", "title", "summary", "opening", "picture", "text", "note", "secret", "use", BRIEFING];

impl Setup {
    /// Puts others in the places of the setup's own players' characters, whom its other parts
    /// name: how far off they are, on whose side, in which scene.
    ///
    /// A character with the name of one of the setup's own takes that place. The others take
    /// the remaining places in order, and share places if there are too few. Text about a place
    /// that nobody takes is dropped. Each newcomer is on the side of the place, and has noticed
    /// no more than the character who had it. Stakes and the like name the newcomers; the
    /// briefing begins with who has whose place.
    ///
    /// `others` are entries as of the list of characters, which they become.
    pub fn recast(&mut self, mut others: Vec<Json>) {
        let encounter = self.encounter.to_json();
        let own: Vec<&str> = entries(&encounter)
            .filter(|(list, _)| *list == OWN_LIST)
            .filter_map(|(_, e)| called(e))
            .collect();
        let names = others.iter().filter_map(Json::as_object).filter_map(called).map(str::to_owned);
        let places = places(&own, &names.collect::<Vec<_>>());
        for other in others.iter_mut().filter_map(Json::as_object_mut) {
            let whose = called(other).map(str::to_owned);
            let place =
                places.iter().find(|place| whose.as_ref().is_some_and(|who| place.taken.contains(who)));
            let place = place.and_then(|place| {
                entries(&encounter)
                    .find(|(list, entry)| *list == OWN_LIST && called(entry) == Some(place.name))
            });
            for field in OF_THE_PLACE {
                let Some(mut said) = place.and_then(|(_, entry)| entry.get(field)).cloned() else { continue };
                if self::place(&mut said, &places) {
                    other.entry(field).or_insert(said);
                }
            }
        }
        self.encounter.set(&[OWN_LIST], &others.into());
        let Json::Object(tables) = &encounter else { return };
        let told = |table: &str| ["player", OWN_LIST].contains(&table) || PROSE.contains(&table);
        for (table, value) in tables.iter().filter(|(table, _)| !told(table)) {
            let mut recast = value.clone();
            if table == CALLS {
                // A single call may stand without brackets.
                let calls = match &mut recast {
                    Json::Array(calls) => calls.as_mut_slice(),
                    call => std::slice::from_mut(call),
                };
                for call in calls {
                    if let Json::String(text) = call {
                        *text = reworded(text, &places);
                    }
                }
            } else if let Json::Object(fields) = &mut recast {
                place_fields(fields, &places);
            } else {
                place(&mut recast, &places);
            }
            if recast != *value {
                self.encounter.set(&[table], &recast);
            }
        }
        if let Some(briefing) = tables.get(BRIEFING).and_then(Json::as_str) {
            let stands = places.iter().filter_map(Place::told).collect::<Vec<_>>().join("; ");
            if !stands.is_empty() {
                self.encounter.set(&[BRIEFING], &format!("Tonight {stands}.\n\n{briefing}").into());
            }
        }
    }
}

/// The sentences that a gamemaster has ready.
const CALLS: &str = "calls";
/// The text that an encounter has for its gamemaster.
const BRIEFING: &str = "briefing";

/// The number of words from which a text is a sentence, and no name.
const SENTENCE: usize = 5;

/// Fields that say who or what a table of a list is.
const NAMES: [&str; 3] = ["name", "title", "use"];

/// Fields about a place and not about the character in it: its side, and whom nobody there
/// has noticed.
const OF_THE_PLACE: [&str; 3] = ["side", "unaware_of", "heedless_of"];

/// The list of players' characters.
const OWN_LIST: &str = "character";

/// One of an encounter's own characters, and the newcomers in their place.
struct Place<'e> {
    name: &'e str,
    slug: String,
    taken: Vec<String>,
}

impl Place<'_> {
    /// Whether a text that can only be a name, or a name among other words, means them.
    fn is_meant(&self, text: &str, is_name: bool) -> bool {
        text == self.name || text.strip_prefix('@') == Some(&self.slug) || is_name && text == self.slug
    }

    /// The newcomers' names: "Ana and Bo".
    fn takers(&self) -> String {
        self.taken.join(" and ")
    }

    /// Who stands in whose place; `None` if nobody new does.
    fn told(&self) -> Option<String> {
        let stand = match &self.taken[..] {
            [] => return None,
            [same] if same == self.name => return None,
            [_] => "stands",
            _ => "stand",
        };
        Some(format!("{} {stand} in {}'s place", self.takers(), self.name))
    }

    /// The names of up to `takers` newcomers, each shortened by `how`: "Ana and Bo".
    fn takers_called(&self, takers: usize, how: impl Fn(&str) -> &str) -> String {
        let all = self.taken.iter().take(takers).map(|name| how(name));
        all.collect::<Vec<_>>().join(" and ")
    }
}

/// A sentence that names the newcomers to a place instead of the character who had it.
///
/// Text that is short enough for a [`Label`] stays so, if only the first of several is named.
fn reworded(text: &str, places: &[Place<'_>]) -> String {
    let fits = |now: &String| text.len() > Label::MOST || now.len() <= Label::MOST;
    let tries = [usize::MAX, 1].map(|takers| naming(text, places, takers));
    tries.into_iter().find(fits).unwrap_or_else(|| text.to_owned())
}

/// A name's first word, if that is a name by itself.
fn first(name: &str) -> &str {
    match name.split_once(' ') {
        Some((first, _)) if !["The", "A", "An"].contains(&first) => first,
        _ => name,
    }
}

/// A sentence that names up to `takers` newcomers to each place instead of the character who
/// had it.
///
/// The first part of a name means that character if no other name begins so and no other
/// name follows: "Will" is nobody in "Will Perry come".
fn naming(text: &str, places: &[Place<'_>], takers: usize) -> String {
    let apart = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    let taken = || places.iter().filter(|place| !place.taken.is_empty());
    let mut wholes: Vec<(&str, String)> =
        taken().map(|place| (place.name, place.takers_called(takers, |name| name))).collect();
    wholes.sort_by_key(|(call, _)| std::cmp::Reverse(call.len()));
    let alone = |call: &str| places.iter().filter(|place| first(place.name) == call).count() == 1;
    let firsts = taken().map(|place| (first(place.name), place.takers_called(takers, first)));
    let firsts: Vec<(&str, String)> = firsts.filter(|(call, _)| alone(call)).collect();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        // What follows a call that stands here by itself.
        let after = |call: &str| {
            let after = rest.strip_prefix(call).filter(|_| !call.is_empty())?;
            (apart(out.chars().last()) && apart(after.chars().next())).then_some(after)
        };
        let is_name =
            |after: &str| after.strip_prefix(' ').is_some_and(|it| it.starts_with(char::is_uppercase));
        let whole = wholes.iter().find(|(call, _)| after(call).is_some());
        let called =
            whole.or_else(|| firsts.iter().find(|(call, _)| after(call).is_some_and(|it| !is_name(it))));
        match called {
            Some((call, takers)) => {
                out.push_str(takers);
                rest = &rest[call.len()..];
            }
            None => {
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    out
}

/// Who takes the place of each of an encounter's own characters.
fn places<'e>(own: &[&'e str], others: &[String]) -> Vec<Place<'e>> {
    let seat = |name: &&'e str| Place { name, slug: Names::slug_of(name), taken: Vec::new() };
    let mut places: Vec<Place<'e>> = own.iter().map(seat).collect();
    let mut left = Vec::new();
    for other in others {
        match places.iter_mut().find(|place| place.slug == Names::slug_of(other)) {
            Some(place) => place.taken.push(other.clone()),
            None => left.push(other.clone()),
        }
    }
    for other in left {
        if let Some(fewest) = places.iter_mut().min_by_key(|place| place.taken.len()) {
            fewest.taken.push(other);
        }
    }
    places
}

/// Puts newcomers in the place of everybody named. Says whether anything of the value is left.
fn place(value: &mut Json, places: &[Place<'_>]) -> bool {
    // In a list of texts a slug is a name; by itself it may be a word of the game's.
    let taken = |text: &str, is_name| {
        places.iter().find(|place| place.is_meant(text, is_name)).map(|place| &place.taken)
    };
    match value {
        Json::String(text) => match taken(text, false).map(Vec::as_slice) {
            None => {}
            Some([]) => return false,
            Some([other]) => other.clone_into(text),
            Some(others) => *value = json!(others),
        },
        Json::Array(all) if !all.is_empty() => {
            for mut one in std::mem::take(all) {
                match one.as_str().and_then(|text| taken(text, true)) {
                    Some(others) => all.extend(others.iter().map(|other| json!(other))),
                    None if place(&mut one, places) => all.push(one),
                    None => {}
                }
            }
            return !all.is_empty();
        }
        Json::Object(fields) => {
            let count = fields.len();
            place_fields(fields, places);
            // A table with a name is still about somebody; a table without fields is dropped.
            return fields.len() == count || NAMES.iter().any(|name| fields.contains_key(*name));
        }
        _ => {}
    }
    true
}

/// The same in each field of a table; what is said of nobody falls away.
fn place_fields(fields: &mut serde_json::Map<String, Json>, places: &[Place<'_>]) {
    fields.retain(|name, field| {
        let stays = PROSE.contains(&name.as_str()) || place(field, places);
        if let Json::String(text) = field
            && !NAMES.contains(&name.as_str())
            && text.split(' ').count() >= SENTENCE
        {
            *text = reworded(text, places);
        }
        stays
    });
}

impl Document {
    fn fault(&self, span: &Range<usize>, field: String, what: String) -> Fault {
        Fault { file: self.name().to_owned(), line: self.line(span), field, what }
    }
}

/// Makes an entry use what is carried of whom it calls so, and that alone. Says where and
/// why not.
fn take(entry: &mut Node, list: &str, carried: &[Document]) -> Option<(Range<usize>, String)> {
    let Value::Table(fields) = &mut entry.value else { return None };
    let named = |wanted: &str| {
        fields.iter().find_map(|(name, span, node)| match &node.value {
            Value::Text(text) if name == wanted => Some((text.clone(), span.clone())),
            _ => None,
        })
    };
    let held = |list: &str, name: &str| carried.iter().find_map(|document| find(document, list, name));
    let (own, used) = (named("name"), named("use"));
    let (name, span) = own.clone().or_else(|| used.clone())?;
    let Some(there) = held(list, &name) else {
        // Somebody new may be made after who is carried, and after nobody who fell.
        let mut calls = own.into_iter().chain(used).take_while(|(name, _)| held(list, name).is_none());
        let ((name, span), fell) = calls.find_map(|call| Some((call.clone(), held(FALLEN, &call.0)?)))?;
        let how = fell.iter().find(|(name, ..)| name == HISTORY).and_then(|(.., node)| texts(node).pop());
        let how = how.map_or_else(String::new, |how| format!(" ({how})"));
        return Some((span, format!("{name:?} has fallen{how}: somebody else must come")));
    };
    let without = there.iter().find(|(field, ..)| field == WITHOUT).map(|(.., node)| texts(node));
    let without = without.unwrap_or_default();
    let is_carried = |field: &str| without.contains(&field) || there.iter().any(|(name, ..)| name == field);
    fields.retain(|(field, ..)| OWN.contains(&field.as_str()) || !is_carried(field) && field != "use");
    fields.push(("use".to_owned(), span.clone(), Node { span, value: Value::Text(name) }));
    None
}

/// The fields of a document's entry of this name.
fn find<'d>(document: &'d Document, list: &str, name: &str) -> Option<&'d [Field]> {
    let Value::Table(fields) = &document.root().value else { return None };
    let Value::List(entries) = &fields.iter().find(|(field, ..)| field == list)?.2.value else { return None };
    entries.iter().find_map(|entry| {
        let Value::Table(fields) = &entry.value else { return None };
        let is =
            |(field, _, node): &Field| field == "name" && matches!(&node.value, Value::Text(n) if n == name);
        fields.iter().any(is).then_some(fields.as_slice())
    })
}

/// The texts of a list.
fn texts(list: &Node) -> Vec<&str> {
    let Value::List(list) = &list.value else { return Vec::new() };
    let texts = list
        .iter()
        .filter_map(|node| if let Value::Text(text) = &node.value { Some(text.as_str()) } else { None });
    texts.collect()
}

/// The document to carry on from a table: the game's own, with each entry's earlier history
/// before this evening's line, and with the characters who were carried before and had no
/// part in the evening.
///
/// Fields that the game gives as `null` are listed among those that the entry is `without`.
///
/// `when` goes before this evening's line; `origin` says which log it comes from.
pub fn carried_on(setup: &Setup, now: Json, when: &str, origin: Json) -> Json {
    let encounter = setup.encounter.to_json();
    let library: Vec<Json> = setup.library.iter().map(Document::to_json).collect();
    let mut lists = match now {
        Json::Object(lists) => lists,
        _ => Map::new(),
    };
    let mut here: Vec<String> = Vec::new();
    // Who came new is nobody who was carried before. A list has room for one of a name.
    let mut came: Vec<(String, String)> = Vec::new();
    let tonight = lists.iter_mut().filter_map(|(list, all)| Some((list, all.as_array_mut()?)));
    let tonight = tonight.flat_map(|(list, all)| all.iter_mut().map(move |entry| (list, entry)));
    for (list, entry) in tonight.filter_map(|(list, entry)| Some((list, entry.as_object_mut()?))) {
        let Some(name) = text(entry, "name").map(str::to_owned) else { continue };
        let old = entry.remove(NEW).is_none();
        let own = entries(&encounter).find(|(_, e)| old && called(e) == Some(&name)).map(|(_, e)| e);
        let mut since = entry.get(HISTORY).map(lines).unwrap_or_default();
        // The library says something only of somebody who uses it. Who joined later is of the
        // library if they came with what it tells of them.
        let used = own.map_or(Some(name.as_str()), |own| text(own, "use"));
        let kept = library.iter().flat_map(entries).map(|(_, e)| e).find(|e| old && called(e) == used);
        let is_told = |e: &&Map<String, Json>| {
            own.is_some() || since.starts_with(&e.get(HISTORY).map(lines).unwrap_or_default())
        };
        let kept = kept.filter(|e| used.is_some() && is_told(e));
        // What stands in the encounter wins, as in play.
        let before = |field: &str| own.and_then(|own| own.get(field)).or_else(|| kept?.get(field));
        let mut history = before(HISTORY).map(lines).unwrap_or_default();
        // A game may know what came before, and say it all.
        if since.len() > history.len() && since.starts_with(&history) {
            since.drain(..history.len());
        }
        history.extend(since.into_iter().map(
            |line| {
                if when.is_empty() { line } else { format!("{when}, {line}") }
            },
        ));
        for field in ["note", PORTRAIT] {
            if let Some(kept) = before(field).filter(|_| !entry.contains_key(field)) {
                entry.insert(field.to_owned(), kept.clone());
            }
        }
        if !history.is_empty() {
            entry.insert(HISTORY.to_owned(), json!(history));
        }
        let nothing = entry.iter().filter(|(field, value)| value.is_null() && !OWN.contains(&field.as_str()));
        let nothing: Vec<String> = nothing.map(|(field, _)| field.clone()).collect();
        if !nothing.is_empty() {
            entry.insert(WITHOUT.to_owned(), json!(nothing));
        }
        if old { here.push(name) } else { came.push((list.clone(), name)) }
    }
    for document in library.iter().filter(|document| document.get(CARRIED).is_some()) {
        for (list, entry) in entries(document) {
            let Some(name) = called(entry) else { continue };
            let same = |(other, who): &(String, String)| other == list && who == name;
            let kept = lists.entry(list).or_insert_with(|| json!([]));
            let Some(kept) = kept.as_array_mut() else { continue };
            let entry = Json::Object(entry.clone());
            // The fallen stay, even if another character has their name now.
            if list == FALLEN && !kept.contains(&entry) {
                kept.push(entry);
            } else if list != FALLEN && !here.iter().any(|there| there == name) && !came.iter().any(same) {
                here.push(name.to_owned());
                kept.push(entry);
            }
        }
    }
    let mut document = Map::from_iter([(CARRIED.to_owned(), origin)]);
    document
        .extend(lists.into_iter().filter(|(_, list)| list.as_array().is_none_or(|list| !list.is_empty())));
    Json::Object(document)
}

/// Every entry of every list, with its list.
fn entries(document: &Json) -> impl Iterator<Item = (&str, &Map<String, Json>)> {
    let lists = document.as_object().into_iter().flatten();
    lists.flat_map(|(list, entries)| {
        let entries = entries.as_array().into_iter().flatten();
        entries.filter_map(|entry| Some((list.as_str(), entry.as_object()?)))
    })
}

fn text<'e>(entry: &'e Map<String, Json>, field: &str) -> Option<&'e str> {
    entry.get(field)?.as_str()
}

/// The name of an entry, or else the name of the entry that it uses.
fn called(entry: &Map<String, Json>) -> Option<&str> {
    text(entry, "name").or_else(|| text(entry, "use"))
}

/// A list of texts, or a single one.
fn lines(value: &Json) -> Vec<String> {
    match value {
        Json::String(line) => vec![line.clone()],
        Json::Array(lines) => lines.iter().filter_map(|line| line.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(encounter: &str, library: &[&str]) -> Setup {
        let read = |name: &str, text: &str| Document::toml(name, text).expect("TOML");
        Setup {
            encounter: read("next.toml", encounter),
            library: library.iter().map(|text| read("library.toml", text)).collect(),
        }
    }

    fn document(text: &str) -> Document {
        Document::toml("carried.toml", text).expect("TOML")
    }

    #[test]
    fn a_carried_name_is_the_one_who_is_carried() {
        let encounter = "[[character]]\nname = \"Ana\"\nplayer = \"Zoe\"\nrisk = 0\nside = 2\n\n\
            [[character]]\nid = \"ann\"\nuse = \"Ana\"\nrisk = 1\nmounted = true\n\n\
            [[character]]\nname = \"Di\"\nuse = \"Ana\"\nrisk = 1\n\n\
            [[character]]\nname = \"Eve\"\nuse = \"Ana\"\nrisk = 1\n\n[[character]]\nname = \"Bo\"\nrisk = 2\n";
        let carried = "[[character]]\nname = \"Ana\"\nplayer = \"Yan\"\nrisk = 5\nwithout = [\"mounted\"]\n\
            [[character]]\nname = \"Di\"\nrisk = 2\n";
        let with = setup(encounter, &["x = 1"]).with(vec![document(carried)]).expect("nobody fell");
        assert_eq!(with.library.len(), 2);
        assert_eq!(with.library[0].name(), "carried.toml");
        let characters = with.encounter.to_json()["character"].clone();
        assert_eq!(
            characters,
            json!([
                { "name": "Ana", "player": "Zoe", "side": 2, "use": "Ana" },
                { "id": "ann", "use": "Ana" },
                { "name": "Di", "use": "Di" },
                { "name": "Eve", "use": "Ana", "risk": 1 },
                { "name": "Bo", "risk": 2 },
            ])
        );
    }

    #[test]
    fn calls_name_those_who_come() {
        let encounter = |calls: &str| format!("calls = {calls}\n[[character]]\nname = \"Ana\"\n");
        for (calls, recast) in [
            ("[\"Ana slips: feet\", \"Wet steps\"]", json!(["Dee slips: feet", "Wet steps"])),
            ("\"Ana slips: feet\"", json!("Dee slips: feet")),
            // A fault stays where its author finds it.
            ("[7, \"Ana slips\"]", json!([7, "Dee slips"])),
        ] {
            let mut setup = setup(&encounter(calls), &[]);
            setup.recast(vec![json!({ "name": "Dee" })]);
            assert_eq!(setup.encounter.to_json()["calls"], recast, "{calls}");
        }
    }

    #[test]
    fn the_fallen_do_not_come_back_unseen() {
        let fallen = "[[fallen]]\nname = \"Ana\"\nhistory = [\"lived\", \"died\"]\n";
        let told =
            |encounter: &str| setup(encounter, &[]).with(vec![document(fallen)]).map_err(|f| f.to_string());
        let why = "\"Ana\" has fallen (died): somebody else must come";
        assert_eq!(
            told("\n[[character]]\nuse = \"Ana\"\n").unwrap_err(),
            format!("next.toml:3: character[1]: {why}")
        );
        assert_eq!(
            told("[[character]]\nname = \"Ana\"\n").unwrap_err(),
            format!("next.toml:2: character[1]: {why}")
        );
        assert!(told("[[character]]\nname = \"Bo\"\n").is_ok());
    }

    #[test]
    fn others_take_the_places_of_an_encounters_own() {
        let encounter = "title = \"Ana\"\n[[character]]\nname = \"Ana\"\n[[character]]\nuse = \"Bo Li\"\nside = 2\nunaware_of = [\"Cat\", \"Ana\"]\n\
            [[range]]\nfrom = [\"Ana\"]\nto = [\"bo-li\", \"Cat\"]\n[[foe]]\nname = \"Cat\"\nunaware_of = [\"Bo Li\"]\n\
            [[side]]\nwho = [\"Bo Li\"]\n[omen]\ndefeated = \"Ana\"\nis = \"ana\"\n";
        let recast = |others: &[&str]| {
            let mut setup = setup(encounter, &[]);
            setup.recast(others.iter().map(|other| json!({ "use": other })).collect());
            setup.encounter.to_json()
        };
        let three = recast(&["Dee", "Bo Li", "Eve"]);
        assert_eq!(three["title"], "Ana");
        assert_eq!(three["range"], json!([{ "from": ["Dee", "Eve"], "to": ["Bo Li", "Cat"] }]));
        assert_eq!(three["side"], json!([{ "who": ["Bo Li"] }]));
        assert_eq!(three["omen"], json!({ "defeated": ["Dee", "Eve"], "is": "ana" }));
        let four = recast(&["Dee", "Eve", "Flo"]);
        assert_eq!(four["range"], json!([{ "from": ["Dee", "Flo"], "to": ["Eve", "Cat"] }]));
        // Nobody is in the second place: what is said of it alone falls away.
        // Who is new there has noticed no more than was noticed there.
        let eve = json!({ "use": "Eve", "side": 2, "unaware_of": ["Cat", "Dee", "Flo"] });
        let sides = json!([{ "use": "Dee" }, eve, { "use": "Flo" }]);
        assert_eq!(four["character"], sides);
        // Two in one place, where a single name stood: both.
        assert_eq!(four["omen"]["defeated"], json!(["Dee", "Flo"]));
        let told = |stakes: &str, others: &[&str]| {
            let mut setup =
                setup(&format!("briefing = \"Rain.\"\n{encounter}[conflict]\nthing = \"{stakes}\""), &[]);
            setup.recast(others.iter().map(|other| json!({ "use": other })).collect());
            let json = setup.encounter.to_json();
            (
                json["conflict"]["thing"].as_str().map(str::to_owned),
                json["briefing"].as_str().map(str::to_owned),
            )
        };
        let (thing, briefing) =
            told("whether Bo reaches Ana's door, Anabel too", &["Bo Li", "Ana Lee", "Eve"]);
        assert_eq!(thing.unwrap(), "whether Bo reaches Ana Lee and Eve's door, Anabel too");
        let stands = "Tonight Ana Lee and Eve stand in Ana's place.\n\nRain.";
        assert_eq!(briefing.unwrap(), stands);
        // A word that begins a name is no name before another, nor is one of nothing.
        let (thing, _) = told("so: Ana Stone, not Bo Stone, opens it", &["Dee"]);
        assert_eq!(thing.unwrap(), "so: Dee Stone, not Bo Stone, opens it");
        let places = |names: [&'static str; 2]| {
            names.map(|name| Place { name, slug: String::new(), taken: vec!["Dee.".to_owned()] })
        };
        let hosts = places(["Host of the Riders", "Host of the Quarry"]);
        let met = reworded("whether Host of the Riders meets a Host of the Quarry tonight", &hosts);
        assert_eq!(met, "whether Dee. meets a Dee. tonight");
        assert_eq!(reworded(", one two three four", &places(["", " Ana"])), ", one two three four");
        // Nobody comes in somebody's place: they are called as they were, and so are their own.
        let (thing, briefing) = told("whether Ana reaches Bo in time", &["Ana"]);
        assert_eq!(thing.unwrap(), "whether Ana reaches Bo in time");
        assert_eq!(briefing.unwrap(), "Rain.");
        let one = recast(&["Dee"]);
        assert_eq!(one["range"], json!([{ "from": ["Dee"], "to": ["Cat"] }]));
        assert_eq!((&one["side"], &one["foe"]), (&json!([]), &json!([{ "name": "Cat" }])));
    }

    #[test]
    fn a_name_that_somebody_new_has_takes_nothing_from_who_had_it() {
        let carried = "[carried]\nlog = \"one\"\n[[character]]\nname = \"Ana\"\nrisk = 1\n\
            [[character]]\nname = \"Bo\"\nrisk = 2\n[[fallen]]\nname = \"Ana\"\n";
        let setup = setup("[[character]]\nuse = \"Ana\"\n", &[carried, carried]);
        // Ana lives, Bo was not there, and another Bo came and fell.
        let fell = json!({ "name": "Bo", "history": ["died"], "new": true });
        let now = json!({ "character": [{ "name": "Ana", "history": ["lived"] }], "fallen": [fell] });
        let on = carried_on(&setup, now, "", json!({}));
        let bo = json!({ "name": "Bo", "risk": 2 });
        assert_eq!(on["character"], json!([{ "name": "Ana", "history": ["lived"] }, bo]));
        assert_eq!(on["fallen"], json!([{ "name": "Bo", "history": ["died"] }, { "name": "Ana" }]));
    }

    #[test]
    fn a_name_alone_brings_nothing_of_the_library() {
        let bundled = "[[character]]\nname = \"Oren\"\nnote = \"a monk\"\nhistory = [\"fled\"]\n";
        let told = |character: &str, history: &[&str]| {
            let now = json!({ "character": [{ "name": "Oren", "history": history }] });
            carried_on(&setup(character, &[bundled]), now, "", json!({}))["character"][0].clone()
        };
        let stranger = json!({ "name": "Oren", "history": ["lived"] });
        assert_eq!(told("[[character]]\nname = \"Oren\"\n", &["lived"]), stranger);
        assert_eq!(told("[[character]]\nname = \"Cy\"\n", &["lived"]), stranger, "who joined");
        let monk = json!({ "name": "Oren", "note": "a monk", "history": ["fled", "lived"] });
        assert_eq!(told("[[character]]\nuse = \"Oren\"\n", &["fled", "lived"]), monk);
        assert_eq!(told("[[character]]\nname = \"Cy\"\n", &["fled", "lived"]), monk, "who joined");
    }

    #[test]
    fn a_history_grows() {
        let encounter = "[[character]]\nuse = \"Ana\"\n[[character]]\nname = \"Bo\"\n[[character]]\nname = \"Di\"\nuse = \"Cy\"\n";
        let carried = "[carried]\nlog = \"one\"\n[[character]]\nname = \"Ana\"\nnote = \"tall\"\nhistory = [\"first\"]\n\
            [[character]]\nname = \"Eve\"\nrisk = 4\n[[fallen]]\nname = \"Flo\"\n";
        let bundled = "[[character]]\nname = \"Cy\"\nhistory = \"a life\"\n[[character]]\nname = \"Gus\"\n";
        let now = json!({
            "character": [
                { "name": "Ana", "history": ["lived"], "mount": null, "id": null },
                { "name": "Di", "history": ["a life", "lived"] },
            ],
            "fallen": [{ "name": "Bo", "history": ["died"] }],
        });
        let setup = setup(encounter, &[carried, bundled]);
        assert_eq!(
            carried_on(&setup, now, "May", json!({ "log": "two" })),
            json!({
                "carried": { "log": "two" },
                "character": [
                    { "name": "Ana", "history": ["first", "May, lived"], "note": "tall", "mount": null, "id": null, "without": ["mount"] },
                    { "name": "Di", "history": ["a life", "May, lived"] },
                    { "name": "Eve", "risk": 4 },
                ],
                "fallen": [{ "name": "Bo", "history": ["May, died"] }, { "name": "Flo" }],
            })
        );
    }
}
