//! How many paths of play there are: a change of any number is a change of what
//! is listed, allowed, or comes of it.
//!
//! A step is a listed answer to the first ask, or a class of a roll. When a
//! number changes on purpose, `cargo xtask perft judge-two --setup <file>`
//! gives the new one, and `--divide` shows where.

use fracas_kernel::Game;
use fracas_sim::perft;
use fracas_suite::Tables;
use judge_two::JudgeTwo;

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "judge-two" };

/// Paths of 1, 2, 3, … steps from the setup of this name.
#[track_caller]
fn check(setup: &str, paths: &[u64]) {
    let found = TABLES.setup(setup);
    let (rules, state) = JudgeTwo::start(&found).expect("a setup without faults");
    let counts: Vec<u64> =
        (1..=paths.len() as u32).map(|depth| perft::<JudgeTwo>(&rules, &state, depth)).collect();
    assert_eq!(counts, paths, "{setup}");
}

#[test]
fn three_against_a_nemesis_and_brutes() {
    check("benches/judge-two.toml", &[3, 147, 1_288, 36_895, 222_615]);
}

#[test]
fn an_argument() {
    check("subtle.toml", &[3, 82, 840, 24_778, 128_361]);
}

#[test]
fn players_against_each_other() {
    check("quarrel.toml", &[2, 95, 776, 23_565, 108_093]);
}

#[test]
fn nobody_fights_yet() {
    check("alone.toml", &[1, 13, 235, 7_282, 27_946]);
}

#[test]
fn a_skirmish_at_a_distance() {
    check("skirmish.toml", &[3, 153, 1_397, 40_099]);
}

#[test]
fn a_hearing() {
    check("court.toml", &[2, 76, 568, 17_262]);
}

#[test]
fn between_conflicts() {
    check("between.toml", &[2, 29, 482, 14_862]);
}
