//! The tests of Judge Two: those of every game, and a module for each other subject.

mod brisk;
mod carry;
mod leads;
mod library;
mod odds;
mod outcome;
mod promise;
mod questions;
mod secrets;

use fracas_suite::{Effort, Either};
use judge_two::JudgeTwo;

/// Effects that come in either order, and the clause that says why.
const EITHER: [Either<'_>; 4] = [
    ("aware", "judged", "open-attack-noticed"),
    ("composure/subtle.composure-lost", "threat", "same-set-protection"),
    ("ended/bind-topology", "finished", "bind-topology"),
    // Words fall away with their argument, whose end discards the scripts too.
    ("fell-away", "lapsed", "long-actor-removed"),
];

fracas_suite::game! {
    JudgeTwo, judge_two::system, "judge-two";
    examples: 11;
    perft:
        three_against_a_nemesis_and_brutes = "benches/judge-two.toml" [3, 147, 1_288, 36_895, 222_615];
        an_argument = "subtle.toml" [3, 82, 840, 24_778, 128_361];
        players_against_each_other = "quarrel.toml" [2, 95, 776, 23_565, 108_093];
        nobody_fights_yet = "alone.toml" [1, 13, 235, 7_282, 27_946];
        a_skirmish_at_a_distance = "skirmish.toml" [3, 153, 1_397, 40_099];
        a_hearing = "court.toml" [2, 76, 568, 17_262];
        between_conflicts = "between.toml" [2, 29, 482, 14_862];
}

#[test]
fn fewer() {
    fracas_suite::fewer::<JudgeTwo>(&TABLES.setups(), Effort::default());
}

#[test]
fn gone() {
    let away = r#"{"fate":{"who":"@name","fate":"away"}}"#;
    fracas_suite::gone::<JudgeTwo>(&TABLES.setups(), Effort::default(), away, &["item"]);
}

#[test]
fn effects_come_in_order() {
    fracas_suite::ordered::<JudgeTwo>(&TABLES.setups(), Effort::default(), &EITHER);
}
