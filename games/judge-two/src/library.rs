//! A library by itself: every entry read as if an encounter used it.

use crate::JudgeTwo;
use crate::vocab::{MAX_CAST, People};
use fracas_kernel::{Document, Faults, Names, Setup, check_library};
use serde_json::{Value, json};

/// The lists that a library has.
const LISTS: [&str; 6] = ["character", "foe", "boon", "ability", "class", "people"];
/// A character of no library, who has the boon or faces the foe being read.
const SOMEBODY: &str = "somebody-of-no-library";

/// Every fault of every library document.
pub(crate) fn check(setup: &Setup) -> Result<(), Faults> {
    check_library::<JudgeTwo>(setup, &LISTS, &around("", &Value::Null).0, around)
}

/// A table for an entry of this list, and the entry's place in it.
///
/// A conflict with two sides is under way, so that all that can be readied can. A class and a
/// kind of mortal are looked up by name.
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
        "boon" => {
            somebody["boon"] = json!([Document::ENTRY]);
            "character[1].boon[1]"
        }
        _ => "",
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
