//! How many paths of play there are: a change of any number is a change of what
//! is listed, allowed, or comes of it.
//!
//! A step is a listed answer to the first ask, or a class of a roll. When a
//! number changes on purpose, `cargo xtask perft afraid --setup <file>`
//! gives the new one, and `--divide` shows where.

use afraid::Afraid;
use fracas_kernel::Game;
use fracas_sim::perft;
use fracas_suite::Tables;

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "afraid" };

/// Paths of 1, 2, 3, … steps from the setup of this name.
#[track_caller]
fn check(setup: &str, paths: &[u64]) {
    let found = TABLES.setup(setup);
    let (rules, state) = Afraid::start(&found).expect("a setup without faults");
    let counts: Vec<u64> =
        (1..=paths.len() as u32).map(|depth| perft::<Afraid>(&rules, &state, depth)).collect();
    assert_eq!(counts, paths, "{setup}");
}

#[test]
fn a_duel() {
    check("duel.toml", &[13, 112, 1_045, 7_460]);
}

#[test]
fn three_a_side() {
    check("fight.toml", &[31, 1_350, 47_534]);
}

#[test]
fn first_aid() {
    check("aid.toml", &[26, 489, 9_464]);
}
