//! The tests of Truth and Light: those of every game, and a module for each other subject.

mod answers;
mod bots;
mod brisk;
mod cards;
mod carry;
mod does;
mod effects;
mod fiats;
mod leads;
mod library;
mod odds;
mod order;
mod outcome;
mod reading;
mod secrets;
mod words;

use fracas_kernel::Setup;
use fracas_suite::{Effort, Either};
use serde_json::json;
use truth_and_light::TruthAndLight;

/// Effects that come in either order: those of an end or an ability as they are written, and
/// those that are over when their time comes.
const EITHER: [(&str, &[&str]); 11] = [
    ("ability", &["gained"]),
    ("end", &["gained", "lasting/end", "lost", "over/ability", "over/end"]),
    ("harmed", &["lasting/ability", "over/ability", "over/boon", "over/end"]),
    ("lasting/ability", &["out", "over/end"]),
    ("lasting/end", &["gained", "lost", "over/ability", "over/end"]),
    ("lost", &["over/end"]),
    ("over/ability", &["over/boon", "over/end", "over/glory", "over/guilt", "over/upper"]),
    ("over/boon", &["over/glory", "over/guilt", "over/upper"]),
    ("over/end", &["out", "over/boon", "over/glory", "over/guilt", "over/upper", "told"]),
    ("over/glory", &["over/guilt", "over/upper"]),
    ("over/guilt", &["over/upper"]),
];

/// What comes of an action comes before a ban through it is over, and after the penalty of the
/// same Fault Ability is.
const BEFORE_A_BAN_IS_OVER: [&str; 12] = [
    "end",
    "extra",
    "gained",
    "harmed",
    "healed",
    "lasting/ability",
    "lasting/boon",
    "lasting/end",
    "lost",
    "moved",
    "out",
    "told",
];

fracas_suite::game! {
    TruthAndLight, truth_and_light::system, "truth-and-light";
    examples: 11;
    perft:
        three_against_a_captain_and_reavers = "benches/truth-and-light.toml" [37, 1_003, 20_240, 341_438];
        a_fight_on_the_wharf = "fight.toml" [29, 755, 11_238, 223_707];
        a_hearing_in_rounds = "court.toml" [20, 249, 6_114, 60_724, 617_774];
        a_chase_with_hidden_numbers = "hidden.toml" [16, 188, 4_618, 54_625, 599_818];
}

#[test]
fn fewer() {
    let setups: Vec<Setup> = TABLES.setups().into_iter().map(with_somebody_away).collect();
    fracas_suite::fewer::<TruthAndLight>(&setups, Effort::default());
}

/// The same table with somebody who is not in the scene: of those there nobody is hidden.
fn with_somebody_away(mut setup: Setup) -> Setup {
    let mut all = setup.encounter.to_json()["npc"].as_array().cloned().unwrap_or_default();
    all.push(json!({ "name": "Lurker in Wait", "pn": 12, "away": true, "boon": [{ "name": "Garrotte" }] }));
    setup.encounter.set(&["npc"], &all.into());
    setup
}

#[test]
fn gone() {
    let away = r#"{"away":{"who":"@name","away":true}}"#;
    fracas_suite::gone::<TruthAndLight>(&TABLES.setups(), Effort::default(), away, &[]);
}

#[test]
fn effects_come_in_order() {
    let of = |(one, others): (&'static str, &'static [&'static str]), clause: &'static str| {
        others.iter().map(move |&other| (one, other, clause))
    };
    let either: Vec<Either<'_>> = EITHER
        .into_iter()
        .flat_map(|pairs| of(pairs, "effects-in-order"))
        .chain(of(("over/guilt", &BEFORE_A_BAN_IS_OVER), "when-resolved"))
        .collect();
    fracas_suite::ordered::<TruthAndLight>(&TABLES.setups(), Effort::default(), &either);
}
