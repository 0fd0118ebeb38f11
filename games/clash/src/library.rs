//! A library by itself: every entry read as if an encounter used it.

use crate::Clash;
use fracas_kernel::{Document, Faults, Setup, check_library};
use serde_json::{Value, json};

/// The lists that a library has.
const LISTS: [&str; 7] = ["token", "character", "npc", "item", "prop", "activity", "used_prop"];

/// Every fault of every library document.
pub(crate) fn check(setup: &Setup) -> Result<(), Faults> {
    check_library::<Clash>(setup, &LISTS, &around("activity", &Value::Null).0, around)
}

/// A table for an entry of this list, and the entry's place in it.
fn around(list: &str, entry: &Value) -> (Value, &'static str) {
    let own = json!([Document::ENTRY]);
    let player = entry["player"].as_str().unwrap_or("Somebody");
    let mut table = json!({ "player": [{ "name": player }] });
    let mut somebody = json!({
        "name": "Somebody", "id": "somebody-of-no-library", "grown": true, "personalities": {},
        "skill": [
            { "name": "One", "id": "one-of-no-library", "symbol": "key", "rank": "major" },
            { "name": "Two", "id": "two-of-no-library", "symbol": "key" },
            { "name": "Three", "id": "three-of-no-library", "symbol": "key" },
        ],
    });
    let place = match list {
        "character" => {
            somebody = json!(Document::ENTRY);
            "character[1]"
        }
        "item" => {
            somebody["item"] = own;
            "character[1].item[1]"
        }
        "npc" => {
            table["npc"] = own;
            "npc[1]"
        }
        "prop" => {
            // An encounter says whose it is.
            let keeper = entry["creator"].as_str().unwrap_or("Somebody else");
            let keeper_wp = json!({ "major": 1, "minor": 1 });
            table["npc"] = json!([{ "name": keeper, "id": "keeper-of-no-library", "personalities": {}, "wp": keeper_wp }]);
            table["prop"] = own;
            "prop[1]"
        }
        "used_prop" => {
            table["used_prop"] = own;
            "used_prop[1]"
        }
        "token" => {
            table["token"] = own;
            "token[1]"
        }
        _ => {
            table["activity"] = own;
            "activity[1]"
        }
    };
    table["character"] = json!([somebody]);
    (table, place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_read_as_if_it_were_used() {
        let text = "[[item]]\nname = \"Net\"\ncost = 30\n[[npc]]\nname = \"Reeve\"\n[[character]]\nname = \"Wren\"\n\
            corn = 1\n[[prop]]\nname = \"Rope\"\ncreator = \"Reeve\"\ndice = 4\n[[activity]]\nname = \"Doze\"\nhours = 3\n\
            [[used_prop]]\nname = 3\n[[item]]\nname = \"Net\"\n";
        let library = vec![Document::toml("mine.toml", text).expect("TOML")];
        let found = check(&Setup { encounter: Document::json("nothing", &json!({})), library });
        let found = found.err().unwrap_or_default().to_string();
        let expected = [
            "mine.toml:3: item[1].cost: expected a whole number from 0 to 20, found 30",
            "mine.toml:4: npc[1]: `wp` is missing",
            "mine.toml:4: npc[1]: `personalities` is missing",
            "mine.toml:6: character[1]: `personalities` is missing",
            "mine.toml:6: character[1].skill: every player's character has three Skills",
            "mine.toml:6: character[1].trait: a new character has three Traits",
            "mine.toml:8: character[1].corn: no such field here",
            "mine.toml:12: prop[1].dice: expected a whole number from 1 to 2, found 4",
            "mine.toml:15: activity[1].hours: expected a whole number from 1 to 2, found 3",
            "mine.toml:17: used_prop[1].name: expected text, found a whole number",
            "mine.toml:19: item[2].name: item[1] is called \"Net\" too",
        ];
        let fits = found.lines().count() == expected.len();
        assert!(
            fits && found.lines().zip(expected).all(|(found, expected)| found.starts_with(expected)),
            "{found}"
        );
    }
}
