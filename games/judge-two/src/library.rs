//! A library by itself: every entry read as if an encounter used it.

use crate::{
    setup,
    vocab::{MAX_CAST, People},
};
use fracas_kernel::{Document, FALLEN, Fault, Faults, Faulty, Fields, Names, Setup};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The lists that a library has.
const LISTS: [&str; 6] = ["character", "foe", "boon", "ability", "class", "people"];
/// The most entries of one list that are read.
const MOST: usize = 1000;
/// A character of no library, who has the boon or faces the foe being read.
const SOMEBODY: &str = "somebody-of-no-library";

/// Every fault of every library document.
pub(crate) fn check(setup: &Setup) -> Result<(), Faults> {
    let mut all = Vec::new();
    // Around each entry in turn stands an encounter that has nothing else.
    let mut table = setup.clone();
    for document in &setup.library {
        let mut found = read(document, &mut table);
        found.sort_by_key(|fault| fault.line);
        for fault in found {
            if !all.contains(&fault) {
                all.push(fault);
            }
        }
    }
    if all.is_empty() { Ok(()) } else { Err(Faults(all)) }
}

fn read(document: &Document, table: &mut Setup) -> Vec<Fault> {
    let faults = Faulty::new();
    let mut found = Vec::new();
    let top = document.fields(&faults);
    for about in ["title", "summary", "note"] {
        top.text(about);
    }
    if let Some(carried) = top.table("carried") {
        carried.text("log");
        carried.int("lines", 0..=i64::MAX);
        carried.text("state");
        carried.done();
    }
    for fallen in top.tables(FALLEN) {
        fallen.must_text("name");
        fallen.text("player");
        fallen.text("note");
        fallen.done();
    }
    let json = document.to_json();
    for list in LISTS {
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, fields) in top.tables(list).into_iter().enumerate() {
            if at == MOST {
                fields.fault(format!("too many: of one list {MOST} are read"));
                break;
            }
            if let Some(name) = json[list][at]["name"].as_str()
                && let Some(first) = names.insert(name, at + 1)
            {
                names.insert(name, first);
                fields.fault_in(
                    "name",
                    format!("{list}[{first}] is called {name:?} too, and is the one taken"),
                );
            }
            found.extend(entry(document, table, (list, at), &json[list][at], &fields));
        }
    }
    top.done();
    found.extend(faults.or(()).err().unwrap_or_default().0);
    found
}

/// Reads one entry with a table around it.
fn entry(
    document: &Document,
    table: &mut Setup,
    (list, at): (&'static str, usize),
    json: &Value,
    fields: &Fields<'_>,
) -> Vec<Fault> {
    if matches!(list, "class" | "people") {
        return shared(document, table, list, json, fields);
    }
    let (around, place) = around(list, json);
    let Some(encounter) = document.placed(list, at, &around) else { return Vec::new() };
    table.encounter = encounter;
    if matches!(list, "character" | "foe") && fields.has("use") {
        fields.fault_in("use", "only an encounter's entry uses another, and none of a library");
    }
    let Err(faults) = setup::start(table) else { return Vec::new() };
    let (own, others): (Vec<Fault>, Vec<Fault>) =
        faults.0.into_iter().partition(|fault| fault.field.starts_with(place));
    for fault in others.into_iter().filter(|fault| fault.file == document.name()) {
        // Of what is put around it, but for its sake: who is meant, how many hands.
        fields.fault(fault.what);
    }
    // That nothing can be called by a name that is missing goes without saying.
    let own = own.into_iter().filter(|fault| !fault.what.starts_with("\"\" cannot be referred to")).collect();
    Faults(own).moved(place, &format!("{list}[{}]", at + 1)).0
}

/// Reads a class or a kind of mortal by having a character of it.
fn shared(
    document: &Document,
    table: &mut Setup,
    list: &'static str,
    json: &Value,
    fields: &Fields<'_>,
) -> Vec<Fault> {
    let Some(name) = json["name"].as_str() else {
        fields.must_text("name");
        return Vec::new();
    };
    if list == "people" && !People::WORDS.iter().any(|(word, _)| *word == name) {
        let words: Vec<_> = People::WORDS.iter().map(|(word, _)| *word).collect();
        fields.fault_in("name", format!("expected one of {}, found {name:?}", words.join(", ")));
        return Vec::new();
    }
    let mut somebody = json!({ "name": "Somebody", "id": SOMEBODY, "people": "udahi" });
    somebody[list] = json!(name);
    let around = json!({ "player": [{ "name": "Somebody" }], "character": [somebody] });
    table.encounter = Document::json("a table around it", &around);
    let Err(faults) = setup::start(table) else { return Vec::new() };
    faults.0.into_iter().filter(|fault| fault.file == document.name()).collect()
}

/// A table for an entry of this list, and the entry's place in it.
fn around(list: &str, entry: &Value) -> (Value, &'static str) {
    let player = entry["player"].as_str().unwrap_or("Somebody");
    let somebody = json!({ "name": "Somebody", "id": SOMEBODY });
    let mut others = others(entry);
    let (characters, place) = match list {
        "character" => (json!([Document::ENTRY]), "character[1]"),
        "foe" => {
            others.insert(0, json!(Document::ENTRY));
            (json!([somebody]), "foe[1]")
        }
        "ability" => {
            let mut owner = somebody;
            owner["ability"] = json!([Document::ENTRY]);
            (json!([owner]), "character[1].ability[1]")
        }
        _ => {
            let mut owner = somebody;
            owner["boon"] = json!([Document::ENTRY]);
            (json!([owner]), "character[1].boon[1]")
        }
    };
    (json!({ "player": [{ "name": player }], "character": characters, "foe": others }), place)
}

/// Those whom an entry refers to and whom only an encounter can bring.
fn others(entry: &Value) -> Vec<Value> {
    let own = entry["id"]
        .as_str()
        .map_or_else(|| setup::slug_of(entry["name"].as_str().unwrap_or_default()), str::to_owned);
    let lists = ["unaware_of", "heedless_of", "known_to"].map(|field| &entry[field]);
    let inner = lists.into_iter().filter_map(Value::as_array).flatten();
    let named = inner.chain(lists).chain([&entry["omen"]["defeated"]]);
    let mut slugs: Vec<&str> = named
        .filter_map(Value::as_str)
        .filter(|slug| Names::is_slug(slug) && ![own.as_str(), SOMEBODY].contains(slug))
        .collect();
    slugs.sort_unstable();
    slugs.dedup();
    slugs.truncate(MAX_CAST - 2);
    slugs.into_iter().map(|slug| json!({ "name": slug, "id": slug, "kind": "brute", "pl": 4 })).collect()
}
