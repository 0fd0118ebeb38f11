//! The tests of Afraid: those of every game, and a module for each other subject.

mod brisk;
mod carry;
mod library;
mod machine;
mod names;
mod odds;
mod outcome;
mod questions;
mod secrets;

use afraid::Afraid;
use fracas_suite::{Effort, Either};

/// Effects that come in either order, and the clause that says why.
const EITHER: [Either<'_>; 1] = [("gained", "suffered", "experience-before-band")];

fracas_suite::game! {
    Afraid, afraid::system, "afraid";
    examples: 10;
    perft:
        a_duel = "duel.toml" [13, 112, 1_045, 7_460];
        three_a_side = "fight.toml" [31, 1_350, 47_534];
        first_aid = "aid.toml" [26, 489, 9_464];
}

#[test]
fn fewer() {
    fracas_suite::fewer::<Afraid>(&TABLES.setups(), Effort::default());
}

#[test]
fn gone() {
    let away = r#"{"present":{"who":"@name","there":false}}"#;
    // What becomes of a victim brings everybody reflection, seen or not.
    fracas_suite::gone::<Afraid>(&TABLES.setups(), Effort::default(), away, &["victim"]);
}

#[test]
fn effects_come_in_order() {
    fracas_suite::ordered::<Afraid>(&TABLES.setups(), Effort::default(), &EITHER);
}
