//! A library by itself: every entry read as if an encounter used it.

use crate::{setup, state::State};
use fracas_kernel::{Document, FALLEN, Fault, Faults, Faulty, Setup};
use serde_json::{Value, json};

/// The lists that a library has.
const LISTS: [&str; 3] = ["character", "npc", "background"];
/// The most entries of one list that are read.
const MOST: usize = 1000;
/// Somebody of no library, who faces the one being read.
const SOMEBODY: &str = "somebody-of-no-library";

/// Every fault of every library document.
pub(crate) fn check(setup: &Setup) -> Result<(), Faults> {
    let mut all: Vec<Fault> = Vec::new();
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
    let mut found = Vec::new();
    for list in LISTS {
        let mut names: Vec<&str> = Vec::new();
        for (at, fields) in top.tables(list).into_iter().enumerate() {
            if at == MOST {
                fields.fault(format!("too many: of one list {MOST} are read"));
                break;
            }
            if let Some(name) = json[list][at]["name"].as_str() {
                match names.iter().position(|one| *one == name) {
                    Some(first) => fields.fault_in(
                        "name",
                        format!("{list}[{}] is called {name:?} too, and is the one taken", first + 1),
                    ),
                    None => names.push(name),
                }
            } else {
                names.push("");
            }
            if matches!(list, "character" | "npc") && fields.has("use") {
                fields.fault_in("use", "only an encounter's entry uses another, and none of a library");
            }
            found.extend(entry(document, table, list, at, &json[list][at]));
        }
    }
    top.done();
    found.extend(faults.or(()).err().unwrap_or_default().0);
    found
}

/// Reads one entry with a table around it.
fn entry(document: &Document, table: &mut Setup, list: &'static str, at: usize, json: &Value) -> Vec<Fault> {
    let player = json["player"].as_str().unwrap_or("Somebody");
    let somebody = json!({ "name": SOMEBODY, "player": player, "stats": {} });
    let around = match list {
        "character" => json!({ "player": [{ "name": player }], "character": [Document::ENTRY] }),
        "npc" => {
            json!({ "player": [{ "name": player }], "character": [somebody], "npc": [Document::ENTRY] })
        }
        _ => json!({
            "player": [{ "name": player }], "character": [somebody], "background": [Document::ENTRY],
        }),
    };
    let Some(placed) = document.placed(list, at, &around) else { return Vec::new() };
    table.encounter = placed;
    let found: Result<(_, State), Faults> = setup::start(table);
    let Err(faults) = found else { return Vec::new() };
    let place = format!("{list}[1]");
    let own = faults.0.into_iter().filter(|fault| fault.field.starts_with(&place)).collect();
    Faults(own).moved(&place, &format!("{list}[{}]", at + 1)).0
}
