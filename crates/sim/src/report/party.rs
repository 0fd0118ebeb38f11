//! An encounter with fewer players' characters.

use fracas_kernel::{Document, Setup};
use serde_json::Value;

/// The list in which players' characters stand.
const CHARACTER: &str = "character";
/// The list in which players stand.
const PLAYER: &str = "player";

/// How many players' characters an encounter has.
pub(super) fn characters(setup: &Setup) -> usize {
    setup.encounter.to_json().get(CHARACTER).and_then(Value::as_array).map_or(0, Vec::len)
}

/// The encounter without its last characters, so that `most` are left, and without players who have none then.
/// Lists of names elsewhere no longer name them.
pub(super) fn fewer(setup: &Setup, most: usize) -> Setup {
    let mut json = setup.encounter.to_json();
    let mut gone = Vec::new();
    let mut players: Vec<String> = Vec::new();
    if let Some(all) = json.get_mut(CHARACTER).and_then(Value::as_array_mut) {
        let cut = all.split_off(most.min(all.len()));
        players = all.iter().filter_map(|entry| text(entry, PLAYER)).collect();
        let staying: Vec<String> = all.iter().filter_map(name_of).collect();
        gone = cut.iter().filter_map(name_of).filter(|name| !staying.contains(name)).collect();
    }
    // Who does not say whose they are is the only player's.
    if let Some(all) = json.get_mut(PLAYER).and_then(Value::as_array_mut)
        && all.len() > 1
    {
        all.retain(|entry| text(entry, "name").is_none_or(|name| players.contains(&name)));
    }
    unname(&mut json, &gone);
    let encounter = Document::json(setup.encounter.name(), &json);
    Setup { encounter, library: setup.library.clone() }
}

/// The name of an entry: its own, or that of the library's entry that it uses.
pub(super) fn name_of(entry: &Value) -> Option<String> {
    text(entry, "name").or_else(|| text(entry, "use"))
}

fn text(entry: &Value, field: &str) -> Option<String> {
    entry.get(field)?.as_str().map(str::to_owned)
}

/// Takes names out of every list of texts.
fn unname(value: &mut Value, gone: &[String]) {
    match value {
        Value::Array(all) => {
            all.retain(|item| !item.as_str().is_some_and(|item| gone.iter().any(|name| name == item)));
            all.iter_mut().for_each(|item| unname(item, gone));
        }
        Value::Object(fields) => fields.values_mut().for_each(|item| unname(item, gone)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_last_characters_leave_with_their_players_and_their_names() {
        let encounter = json!({
            "player": [{ "name": "Ana" }, { "name": "Bo" }],
            "character": [
                { "use": "Tam", "player": "Ana" }, { "use": "Oren", "player": "Bo" },
                { "use": "Oren", "name": "Ilka", "player": "Bo" },
            ],
            "range": [{ "to": ["Tam", "Oren", "Ilka"] }],
            "scene": { "present": ["Ilka", "Tam"] },
        });
        let setup = Setup::alone(Document::json("x", &encounter));
        assert_eq!(characters(&setup), 3);
        let names = |setup: &Setup, list: &str| -> Vec<String> {
            setup.encounter.to_json()[list].as_array().expect("a list").iter().filter_map(name_of).collect()
        };
        let two = fewer(&setup, 2);
        assert_eq!(
            (names(&two, "character"), names(&two, "player")),
            (vec!["Tam".to_owned(), "Oren".to_owned()], vec!["Ana".to_owned(), "Bo".to_owned()],)
        );
        assert_eq!(two.encounter.to_json()["range"][0]["to"], json!(["Tam", "Oren"]));
        let single = fewer(&setup, 1);
        assert_eq!(names(&single, "player"), ["Ana"]);
        assert_eq!(single.encounter.to_json()["scene"]["present"], json!(["Tam"]));
    }
}
