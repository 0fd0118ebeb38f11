//! What machine players imagine of a foe's hidden numbers: others, but for those that are shown.

use fracas_kernel::{AnyTable, Seat, Session, Viewer};
use fracas_sim::Bot;
use fracas_suite::{Driven, table};
use ruins_and_raiders::RuinsAndRaiders;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

type Table = Session<RuinsAndRaiders>;

const ANA: Seat = Seat::Player(0);

const BRUTE: &str = "traits = { brawn = 4, fortitude = 3, intellect = 2, intuition = 5, perception = 4, warrior = 6, \
                     athlete = 2 }\nfortune = 4\narmour = { name = \"Hide\", value = 3, penalty = 1 }\n\
                     [[npc.weapon]]\nname = \"Maul\"\nuses = [\"melee\"]\npower = 6\ndefence = 1";

/// Wren beside a brute, both with Fortune.
fn scene(visibility: &str, brute: &str) -> Table {
    table(&format!(
        "[options]\nvisibility = \"{visibility}\"\n[[player]]\nname = \"ana\"\n[[character]]\nname = \"Wren\"\n\
         at = \"B3\"\nwounds = 6\nfortune = 5\ntraits = {{ warrior = 6, brawn = 2, athlete = 2 }}\n\
         [[character.weapon]]\nname = \"Sword\"\nuses = [\"melee\"]\npower = 8\n\
         [[npc]]\nname = \"Brute\"\nat = \"C3\"\n{brute}"
    ))
}

/// Wren is asked to Abort, and then the blow has hit.
const STRUCK: [&str; 2] = [
    r#"gm: {"battle":{"first":["@brute"]}}
       gm: {"as":{"who":"@brute","act":{"strike":{"on":"@wren","with":"@maul"}}}}"#,
    r#"ana: {"abort":{}}
       gm: {"burn":0}
       dice: 5 6"#,
];

/// Wren is asked to burn Fortune for a blow, and then it has hit.
const STRIKES: [&str; 2] = [
    r#"gm: {"battle":{"first":["@wren"]}}
       ana: {"as":{"who":"@wren","act":{"strike":{"on":"@brute","with":"@sword"}}}}
       gm: {"abort":{}}"#,
    r#"ana: {"burn":0}
       dice: 6 6
       gm: {"burn":0}"#,
];

/// The brute's numbers, by name.
fn numbers(table: &Table) -> BTreeMap<String, Value> {
    let view = table.view(Viewer::Seat(Seat::Gm));
    let brute = &view["cast"]["brute"];
    let traits = brute["numbers"]["traits"].as_object().expect("traits");
    let numbers = brute["numbers"].as_object().expect("numbers");
    let maul = brute["weapons"]["maul"].as_object().into_iter().flatten();
    let all = traits.iter().chain(numbers).chain(maul);
    all.filter(|(_, value)| value.is_number()).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The numbers that are the same in all that Ana imagines.
fn known(table: &Table) -> BTreeSet<String> {
    let mut known = numbers(table);
    for seed in 1..=64 {
        let imagined = numbers(&table.imagine(Viewer::Seat(ANA), seed));
        known.retain(|name, value| imagined[name] == *value);
    }
    known.into_keys().collect()
}

#[track_caller]
fn check(visibility: &str, steps: [&str; 2], expected: [&str; 2]) {
    let mut table = scene(visibility, BRUTE);
    for (steps, expected) in steps.iter().zip(expected) {
        table.plays(steps);
        let expected: BTreeSet<String> = expected.split_whitespace().map(str::to_owned).collect();
        assert_eq!(known(&table), expected, "{visibility}: {steps}");
    }
}

#[test]
fn of_who_strikes_the_rolled_trait_alone_is_known_where_levels_show() {
    check("guarded", STRUCK, ["dodge parry defiance perception warrior defence"; 2]);
    check("closed", STRUCK, ["perception", "perception warrior"]);
}

#[test]
fn of_who_is_struck_only_the_defences_and_then_protection_are_known() {
    check(
        "guarded",
        STRIKES,
        ["dodge parry defiance perception", "dodge parry defiance perception protection"],
    );
    check("closed", STRIKES, ["perception", "dodge parry defiance perception protection"]);
}

/// What is given by hand, in place of what formulas give.
const GIVEN: &str = "values = { movement = 9, dodge = 11, parry = 12, defiance = 13, protection = 6 }\n\
                     traits = { warrior = 4 }\nfortune = 4";

#[track_caller]
fn check_given(brute: &str, expected: [&str; 2]) {
    for (visibility, expected) in ["guarded", "closed"].into_iter().zip(expected) {
        let expected: BTreeSet<String> = expected.split_whitespace().map(str::to_owned).collect();
        assert_eq!(known(&scene(visibility, brute)), expected, "{visibility}");
    }
}

#[test]
fn given_numbers_are_known_no_better_than_others() {
    check_given(GIVEN, ["dodge parry defiance perception", "perception"]);
}

#[test]
fn how_much_a_fallen_foe_bore_is_not_known() {
    check_given(&format!("wounds = 20\n{GIVEN}"), ["dodge parry defiance perception", "perception"]);
}

#[test]
fn of_somebody_unseen_no_number_is_known() {
    check_given(&format!("unseen = true\n{GIVEN}"), ["", ""]);
}

#[test]
fn what_is_not_shown_decides_nothing_that_a_machine_player_does() {
    // Another brute, of whom every shown number is the same.
    let alike = "traits = { brawn = 7, fortitude = 6, intellect = 5, intuition = 1, perception = 4, warrior = 6, \
                 athlete = 4, presence = 9 }\nfortune = 1\narmour = { name = \"Hide\", value = 0, penalty = 3 }\n\
                 track = { dead = 7 }\n[[npc.weapon]]\nname = \"Maul\"\nuses = [\"melee\"]\npower = 3\ndefence = 1";
    // A brute with other numbers, where none is shown.
    let feeble = "traits = { perception = 4, presence = 9 }\nfortune = 1\narmour = { name = \"Hide\" }\n\
                  track = { dead = 7 }\n[[npc.weapon]]\nname = \"Maul\"\nuses = [\"melee\"]";
    for (visibility, other) in [("guarded", alike), ("closed", feeble)] {
        for steps in [STRUCK[0], STRIKES[0]] {
            let tables = [BRUTE, other].map(|brute| {
                let mut table = scene(visibility, brute);
                table.plays(steps);
                table
            });
            let [this, that] = &tables;
            assert_eq!(this.view(Viewer::Seat(ANA)), that.view(Viewer::Seat(ANA)));
            for seed in 0..12 {
                let [here, there] =
                    [this, that].map(|table| Bot::greedy(seed).choose(table, ANA, table.asked(ANA)));
                assert_eq!(here, there, "{visibility}, {seed}: {steps}");
            }
        }
    }
}
