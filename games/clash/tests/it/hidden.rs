//! Secrecy at tables that show less or more than is usual (`difficulty-shown`).

use crate::TABLES;
use clash::Clash;
use fracas_kernel::{Document, Setup};
use fracas_suite::Effort;

/// The duel, with this shown of Rolls and of the Director's characters.
fn duel(shown: &str) -> Vec<Setup> {
    let mut paper = TABLES.setup("duel.toml").encounter.to_json();
    paper["options"]["difficulty-shown"] = shown.into();
    vec![Setup::alone(Document::json("duel", &paper))]
}

#[test]
fn nothing_is_told_of_rolls() {
    fracas_suite::secrecy::<Clash>(&duel("nothing"), Effort::default());
    fracas_suite::fewer::<Clash>(&duel("nothing"), Effort::default());
}

#[test]
fn will_points_are_told() {
    fracas_suite::secrecy::<Clash>(&duel("difficulty-and-wp"), Effort::default());
}
