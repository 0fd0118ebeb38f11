//! A library by itself: every entry read as if an encounter used it.

use crate::TruthAndLight;
use fracas_kernel::{Document, Faults, Setup, check_library};
use serde_json::{Value, json};

/// The lists that a library has.
const LISTS: [&str; 7] = ["character", "npc", "boon", "feat", "whisper", "end", "hazard"];
/// A character of no library, who has whatever is being read.
const SOMEBODY: &str = "somebody-of-no-library";

/// Every fault of every library document. Beside an entry's own end a table has every one of the
/// library: their faults are told where they stand.
pub(crate) fn check(setup: &Setup) -> Result<(), Faults> {
    check_library::<TruthAndLight>(setup, &LISTS, &around("hazard", &Value::Null).0, around)
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
        "character" => "character[1]",
        "boon" => "character[1].boon[1]",
        "feat" => "character[1].feat[1]",
        "whisper" => "character[1].whisper[1]",
        "npc" => "npc[1]",
        "end" => "end[1]",
        _ => "hazard[1]",
    };
    match list {
        "character" => somebody = json!(Document::ENTRY),
        "boon" | "feat" | "whisper" => somebody[list] = own,
        _ => table[list] = own,
    }
    table["character"] = json!([somebody]);
    (table, place)
}
