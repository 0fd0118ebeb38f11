//! The tests of Ruins & Raiders: those of every game, and a module for each other subject.

mod asked;
mod bots;
mod hidden;
mod imagined;
mod made_up;

use fracas_suite::Effort;
use ruins_and_raiders::RuinsAndRaiders;

fracas_suite::game! {
    RuinsAndRaiders, ruins_and_raiders::system, "ruins-and-raiders";
    examples: 1;
    median: 40;
    perft:
        a_duel = "duel.toml" [22, 259, 4_464, 88_171];
        a_causeway = "causeway.toml" [82, 1_666, 53_027];
        a_hall_of_places = "hall.toml" [44, 686, 15_312];
        a_chase_over_roofs = "roofs.toml" [44, 733, 16_517];
        three_against_six = "benches/ruins-and-raiders.toml" [63, 1_248, 32_670];
}

#[test]
fn fewer() {
    fracas_suite::fewer::<RuinsAndRaiders>(&TABLES.setups(), Effort::default());
}

#[test]
fn gone() {
    let unseen = r#"{"unseen":{"who":"@name","unseen":true}}"#;
    fracas_suite::gone::<RuinsAndRaiders>(&TABLES.setups(), Effort::default(), unseen, &[]);
}

#[test]
fn effects_come_in_order() {
    // Who joins a battle rolls in the midst of a round; all others before its first turn.
    let either = [
        ("initiative", "turn", "init-late"),
        // One strikes at once as it has prepared, another is asked later in the move.
        ("cuts-in", "under-way", "cut-once"),
        // A manoeuvre has its effects in the order in which it is written.
        ("falls", "effect", "ext.two-actions"),
    ];
    fracas_suite::ordered::<RuinsAndRaiders>(&TABLES.setups(), Effort::default(), &either);
}
