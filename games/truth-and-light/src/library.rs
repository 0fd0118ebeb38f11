//! A library by itself: every entry read as if an encounter used it.

use crate::setup;
use fracas_kernel::{Document, FALLEN, Fault, Faults, Faulty, Fields, Setup};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The lists that a library has.
const LISTS: [&str; 7] = ["character", "npc", "boon", "feat", "whisper", "end", "hazard"];
/// The most entries of one list that are read.
const MOST: usize = 1000;
/// A character of no library, who has whatever is being read.
const SOMEBODY: &str = "somebody-of-no-library";

/// Every fault of every library document.
pub(crate) fn check(setup: &Setup) -> Result<(), Faults> {
    let mut all = Vec::new();
    for document in &setup.library {
        // An entry is read with the rest of the library beside it, itself left out.
        let mut found = read(document, setup);
        found.sort_by_key(|fault| fault.line);
        all.extend(found);
    }
    if all.is_empty() { Ok(()) } else { Err(Faults(all).once()) }
}

fn read(document: &Document, setup: &Setup) -> Vec<Fault> {
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
    let mut table = setup.clone();
    // Beside an entry's own end a table has every one of the library: their faults are told where
    // they stand.
    table.encounter = Document::json("table", &around("hazard", &Value::Null).0);
    let beside = setup::start(&table).err().unwrap_or_default().0;
    let none = BTreeSet::new();
    let beside: BTreeSet<Fault> = beside.into_iter().filter(|fault| fault.line > 0).collect();
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
                let what = format!("{list}[{first}] is called {name:?} too, and is the one taken");
                fields.fault_in("name", what);
            }
            let theirs = if at == 0 { &none } else { &beside };
            found.extend(entry(document, &mut table, (list, at, theirs), &json[list][at], &fields));
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
    (list, at, theirs): (&'static str, usize, &BTreeSet<Fault>),
    json: &Value,
    fields: &Fields<'_>,
) -> Vec<Fault> {
    if fields.has("use") {
        fields.fault_in("use", "only an encounter's entry uses another, and none of a library");
    }
    let (around, place) = around(list, json);
    let Some(placed) = document.placed(list, at, &around) else { return Vec::new() };
    table.encounter = placed;
    let Err(faults) = setup::start(table) else { return Vec::new() };
    let (own, others): (Vec<Fault>, Vec<Fault>) =
        faults.0.into_iter().partition(|fault| fault.field.starts_with(place) && !theirs.contains(fault));
    for fault in others.into_iter().filter(|fault| fault.file == document.name() && fault.field.is_empty()) {
        fields.fault(fault.what);
    }
    // That nothing can be called by a name that is missing goes without saying.
    let own = own.into_iter().filter(|fault| !fault.what.starts_with("\"\" cannot be referred to")).collect();
    Faults(own).moved(place, &format!("{list}[{}]", at + 1)).0
}

/// A table for an entry of this list, and the entry's place in it.
fn around(list: &str, entry: &Value) -> (Value, &'static str) {
    let player = entry["player"].as_str().unwrap_or("Somebody");
    let mut somebody = json!({ "name": "Somebody", "id": SOMEBODY, "writhing": "none" });
    let own = json!([Document::ENTRY]);
    let mut table = json!({ "player": [{ "name": player }] });
    if let Some(zone) = entry["zone"].as_str() {
        table["scene"] = json!({ "zones": [zone] });
    }
    let place = match list {
        "character" => {
            somebody = json!(Document::ENTRY);
            "character[1]"
        }
        "boon" | "feat" | "whisper" => {
            somebody[list] = own;
            match list {
                "boon" => "character[1].boon[1]",
                "feat" => "character[1].feat[1]",
                _ => "character[1].whisper[1]",
            }
        }
        "npc" => {
            table["npc"] = own;
            "npc[1]"
        }
        "end" => {
            table["end"] = own;
            "end[1]"
        }
        _ => {
            table["hazard"] = own;
            "hazard[1]"
        }
    };
    table["character"] = json!([somebody]);
    (table, place)
}
