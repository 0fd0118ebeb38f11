//! The tests of the game: those of every game. A subject of its own gets a module beside this file.

use fracas_suite::Effort;
use template::Template;

fracas_suite::game! {
    Template, template::system, "template";
    examples: 1;
    median: 80;
    perft:
        three_cross = "crossing.toml" [2, 8, 30, 78, 268, 946];
}

#[test]
fn fewer() {
    fracas_suite::fewer::<Template>(&TABLES.setups(), Effort::default());
}

#[test]
fn gone() {
    let hide = r#"{"lurk":{"beast":"@name","at":9}}"#;
    fracas_suite::gone::<Template>(&TABLES.setups(), Effort::default(), hide, &[]);
}

#[test]
fn effects_come_in_order() {
    fracas_suite::ordered::<Template>(&TABLES.setups(), Effort::default(), &[]);
}
