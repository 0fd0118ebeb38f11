//! A library by itself: every entry read as if an encounter used it.

use crate::Afraid;
use fracas_kernel::{Document, Faults, Setup, check_library};
use serde_json::{Value, json};

/// The lists that a library has.
const LISTS: [&str; 3] = ["character", "npc", "background"];
/// A character of no library, who faces the one being read.
const SOMEBODY: &str = "somebody-of-no-library";

/// Every fault of every library document. Beside an entry a table has every background of the
/// library: their faults are told where they stand.
pub(crate) fn check(setup: &Setup) -> Result<(), Faults> {
    check_library::<Afraid>(setup, &LISTS, &around("", &Value::Null).0, around)
}

/// A table for an entry of this list, and the entry's place in it.
fn around(list: &str, entry: &Value) -> (Value, &'static str) {
    let player = entry["player"].as_str().unwrap_or("Somebody");
    let somebody = json!({ "name": SOMEBODY, "player": player, "stats": {} });
    let mut table = json!({ "player": [{ "name": player }], "character": [somebody] });
    let (list, place) = match list {
        "character" => ("character", "character[1]"),
        "npc" => ("npc", "npc[1]"),
        "background" => ("background", "background[1]"),
        _ => return (table, ""),
    };
    table[list] = json!([Document::ENTRY]);
    (table, place)
}
