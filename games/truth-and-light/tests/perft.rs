//! How many paths of play there are: a change of any number is a change of what
//! is listed, allowed, or comes of it.
//!
//! A step is a listed answer to the first ask, or a class of a roll. When a
//! number changes on purpose, `cargo xtask perft truth-and-light --setup <file>`
//! gives the new one, and `--divide` shows where.

use fracas_kernel::Game;
use fracas_sim::perft;
use fracas_suite::Tables;
use truth_and_light::TruthAndLight;

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "truth-and-light" };

/// Paths of 1, 2, 3, … steps from the setup of this name.
#[track_caller]
fn check(setup: &str, paths: &[u64]) {
    let found = TABLES.setup(setup);
    let (rules, state) = TruthAndLight::start(&found).expect("a setup without faults");
    let counts: Vec<u64> =
        (1..=paths.len() as u32).map(|depth| perft::<TruthAndLight>(&rules, &state, depth)).collect();
    assert_eq!(counts, paths, "{setup}");
}

#[test]
fn three_against_a_captain_and_reavers() {
    check("benches/truth-and-light.toml", &[37, 1_003, 20_240, 341_372]);
}

#[test]
fn a_fight_on_the_wharf() {
    check("fight.toml", &[29, 755, 11_238, 223_707]);
}

#[test]
fn a_hearing_in_rounds() {
    check("court.toml", &[20, 249, 6_114, 60_724, 617_774]);
}

#[test]
fn a_chase_with_hidden_numbers() {
    check("hidden.toml", &[16, 188, 4_618, 54_625, 599_818]);
}
