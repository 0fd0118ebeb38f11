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
        all.extend(found);
    }
    if all.is_empty() { Ok(()) } else { Err(Faults(all).once()) }
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
    let (around, place) = around(list, json);
    if matches!(list, "character" | "foe") && fields.has("use") {
        fields.fault_in("use", "only an encounter's entry uses another, and none of a library");
    }
    // A class and a kind of mortal are looked up by name, in a library before all.
    let looked_up = matches!(list, "class" | "people");
    let inside = if looked_up { json!({ list: [Document::ENTRY] }) } else { around.clone() };
    let Some(placed) = document.placed(list, at, &inside) else { return Vec::new() };
    let found = if looked_up {
        fields.must_text("name");
        table.encounter = Document::json(document.name(), &around);
        table.library.insert(0, placed);
        let found = setup::start(table);
        table.library.remove(0);
        found
    } else {
        table.encounter = placed;
        setup::start(table)
    };
    let Err(faults) = found else { return Vec::new() };
    let (own, others): (Vec<Fault>, Vec<Fault>) =
        faults.0.into_iter().partition(|fault| fault.field.starts_with(place));
    for fault in others.into_iter().filter(|fault| fault.file == document.name()) {
        // Of what is put around it, but for its sake: who is meant, how many hands.
        if fields.has(&fault.field) {
            fields.fault_in(&fault.field, fault.what);
        } else {
            fields.fault(fault.what);
        }
    }
    // That nothing can be called by a name that is missing goes without saying.
    let own = own.into_iter().filter(|fault| !fault.what.starts_with("\"\" cannot be referred to")).collect();
    Faults(own).moved(place, &format!("{list}[{}]", at + 1)).0
}

/// A table for an entry of this list, and the entry's place in it.
///
/// A conflict with two sides is under way, so that whatever can be readied can.
fn around(list: &str, entry: &Value) -> (Value, &'static str) {
    let player = entry["player"].as_str().unwrap_or("Somebody");
    let mut somebody = json!({ "name": "Somebody", "id": SOMEBODY });
    let mut foes = others(entry);
    let name = &entry["name"];
    let place = match list {
        "character" => {
            somebody = json!(Document::ENTRY);
            "character[1]"
        }
        "foe" => {
            foes.insert(0, json!(Document::ENTRY));
            "foe[1]"
        }
        "class" => {
            somebody["class"] = name.clone();
            // A master is one of some kind.
            if entry["proficient"].as_array().is_some_and(|all| all.contains(&json!("master"))) {
                somebody["people"] = json!(People::Udahi);
            }
            "class[1]"
        }
        "people" => {
            somebody["people"] = name.clone();
            "people[1]"
        }
        "ability" => {
            somebody["ability"] = json!([Document::ENTRY]);
            "character[1].ability[1]"
        }
        _ => {
            somebody["boon"] = json!([Document::ENTRY]);
            "character[1].boon[1]"
        }
    };
    let table = json!({
        "player": [{ "name": player }],
        "character": [somebody],
        "foe": foes,
        "scene": { "conflict": "subtle" },
    });
    (table, place)
}

/// Two who are each other's enemies, and those whom an entry refers to and whom
/// only an encounter can bring.
fn others(entry: &Value) -> Vec<Value> {
    let name = entry["name"].as_str().unwrap_or_default();
    let own = [name, entry["id"].as_str().unwrap_or(&Names::slug_of(name))].map(str::to_owned);
    let named = ["unaware_of", "heedless_of", "known_to"].map(|field| &entry[field]);
    let lists = named.iter().filter_map(|value| value.as_array()).flatten();
    let mut named: Vec<&str> = lists
        .chain(named.iter().copied())
        .chain([&entry["omen"]["defeated"]])
        .filter_map(Value::as_str)
        .filter(|other| *other != SOMEBODY && !own.iter().any(|own| own == other))
        .collect();
    named.sort_unstable();
    named.dedup();
    named.truncate(MAX_CAST - 4);
    let brute = |name: &str, id: String, side: u8| json!({ "name": name, "id": id, "side": side, "kind": "brute", "pl": 4 });
    let enemies = [5, 6].map(|side| brute("Enemy", format!("enemy-{side}-of-no-library"), side));
    let others = named.into_iter().enumerate().map(|(n, name)| {
        let id = if Names::is_slug(name) { name.to_owned() } else { format!("other-{n}-of-no-library") };
        brute(name, id, 7)
    });
    enemies.into_iter().chain(others).collect()
}
