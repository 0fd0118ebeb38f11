//! A library by itself: every entry read as if an encounter used it.

use crate::RuinsAndRaiders;
use crate::vocab::{MAX_TRAITS, TRAITS};
use fracas_kernel::{Document, Faults, Names, Setup, Space, check_library};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The lists that a library has.
const LISTS: [&str; 8] = ["character", "npc", "weapon", "armour", "spell", "manoeuvre", "skill", "ground"];

/// Every fault of every library document.
pub(crate) fn check(setup: &Setup) -> Result<(), Faults> {
    // Two documents may have a skill in common.
    let skills: BTreeSet<&str> =
        setup.library.iter().flat_map(|document| document.entries("skill")).collect();
    let alone = around(&BTreeSet::new(), "", &Value::Null).0;
    check_library::<RuinsAndRaiders>(setup, &LISTS, &alone, |list, entry| around(&skills, list, entry))
}

/// A table for an entry of this list, and the entry's place in it.
fn around(skills: &BTreeSet<&str>, list: &str, entry: &Value) -> (Value, &'static str) {
    let player = entry["player"].as_str().unwrap_or("Somebody");
    let mut somebody = json!({ "name": "Somebody", "id": "somebody-of-no-library" });
    let own = json!([Document::ENTRY]);
    let mut table = json!({ "player": [{ "name": player }], "map": map(entry) });
    let mut cast = Vec::new();
    let place = match list {
        "character" => "character[1]",
        "npc" => "npc[1]",
        "weapon" => "character[1].weapon[1]",
        "armour" => "character[1].armour",
        "spell" => "character[1].spell[1]",
        "manoeuvre" => "character[1].manoeuvre[1]",
        "skill" => "skill[1]",
        _ => "ground[1]",
    };
    match list {
        "character" => cast.push(json!(Document::ENTRY)),
        "armour" => somebody[list] = json!(Document::ENTRY),
        "weapon" | "spell" | "manoeuvre" => somebody[list] = own,
        "npc" | "skill" | "ground" => table[list] = own,
        _ => {}
    }
    cast.push(somebody);
    table["character"] = json!(cast);
    if list == "npc" {
        table["skill"] = json!(skills_of(skills, entry));
    }
    if let Some(mount) = entry["rides"].as_str() {
        bring_mount(&mut table, mount, entry);
    }
    (table, place)
}

/// A map with the space where somebody is to stand.
fn map(entry: &Value) -> Value {
    let mut map = json!({ "columns": 64, "height": 64 });
    if let Some(name) = entry["at"].as_str().filter(|name| name.parse::<Space>().is_err()) {
        map["names"] = json!({ name: "A1" });
    }
    map
}

/// As many skills of the library as a table has room for, those first that an entry names: only
/// an encounter gives one of the Adversary's a skill of its own.
fn skills_of(skills: &BTreeSet<&str>, entry: &Value) -> Vec<Value> {
    let is_named = |skill: &&&str| entry["traits"].get(Names::slug_of(skill)).is_some();
    let (named, others): (Vec<&&str>, Vec<&&str>) = skills.iter().partition(is_named);
    let all = named.into_iter().chain(others).take(MAX_TRAITS - TRAITS.len());
    all.map(|skill| json!({ "use": skill })).collect()
}

/// The mount that an entry rides on.
fn bring_mount(table: &mut Value, name: &str, entry: &Value) {
    let mount = json!({
        "name": name, "id": "mount-of-no-library", "mount": true,
        "away": entry["away"], "unseen": entry["unseen"],
    });
    match table["npc"].as_array_mut() {
        Some(others) => others.push(mount),
        None => table["npc"] = json!([mount]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The faults of a library.
    fn faults(text: &str) -> String {
        let library = vec![Document::toml("mine.toml", text).expect("TOML")];
        check(&Setup { encounter: Document::json("nothing", &json!({})), library })
            .err()
            .unwrap_or_default()
            .to_string()
    }

    #[test]
    fn every_list_is_read_as_if_it_were_used() {
        let found = faults(
            "[[weapon]]\nname = \"Net\"\nuses = []\n[[armour]]\nname = \"Mail\"\nvalue = 99\n[[npc]]\nname = \"Reeve\"\n\
             points = 3\n[[character]]\nname = \"Wren\"\ntraits = { brown = 1 }\n[[spell]]\nname = \"Sleep\"\n\
             against = \"dogde\"\nnote = \"dreams\"\n[[manoeuvre]]\nname = \"Shove\"\n[[skill]]\nname = 3\n\
             [[ground]]\nname = \"Ice\"\nprone = true\n[[weapon]]\nname = \"Net\"\nuses = [\"thrown\"]\n",
        );
        let expected = [
            "mine.toml:3: weapon[1].uses: expected at least one of melee, thrown, missile",
            "mine.toml:6: armour[1].value: expected a whole number from 0 to 60, found 99",
            "mine.toml:9: npc[1].points: no such field here",
            "mine.toml:12: character[1].traits.brown: no trait or skill is called \"brown\"; perhaps `brawn`",
            "mine.toml:15: spell[1].against: expected one of body, dodge, parry, defiance, nothing, found \"dogde\"",
            "mine.toml:17: manoeuvre[1]: it would do nothing",
            "mine.toml:20: skill[1].name: expected text, found a whole number",
            "mine.toml:21: ground[1]: it is as ordinary ground",
            "mine.toml:23: ground[1].prone: nobody falls where no check is made",
            "mine.toml:25: weapon[2].name: weapon[1] is called \"Net\" too",
        ];
        let fits = found.lines().count() == expected.len();
        assert!(
            fits && found.lines().zip(expected).all(|(found, expected)| found.starts_with(expected)),
            "{found}"
        );
    }

    #[test]
    fn riders_and_skills_of_a_library_are_at_home_there() {
        let text = "[[skill]]\nname = \"Sailor\"\n[[npc]]\nname = \"Mate\"\ntraits = { sailor = 3 }\nat = \"Bridge\"\n\
            [[character]]\nname = \"Wren\"\nrides = \"Grey\"\ntraits = { sailor = 2 }\n[[character]]\nname = \"Grey\"\nmount = true\n";
        assert_eq!(faults(text), "");
    }
}
