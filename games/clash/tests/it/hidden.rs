//! Secrecy at tables that show less or more than is usual (`difficulty-shown`).

use crate::TABLES;
use clash::Clash;
use fracas_kernel::{AnyTable, Document, Now, Seat, Setup};
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

#[test]
fn the_director_is_asked_where_only_a_pass_is_left() {
    // The Baron has nothing to Activate: that play went on at once would tell so.
    let (mut table, gm) = (fracas_suite::table::<Clash>(include_str!("../setups/small.toml")), Seat::Gm);
    let begin = r#"{"begin":{"stakes":"minor","first":"foes","name":"a brawl"}}"#;
    for answer in [begin, r#"{"next":"@baron"}"#] {
        let Now::Asks(asks) = AnyTable::now(&table) else { panic!("nothing is asked") };
        AnyTable::answer(&mut table, gm, asks[0].id, answer, false).expect("an answer");
    }
    let Now::Asks(asks) = AnyTable::now(&table) else { panic!("nothing is asked") };
    assert_eq!(asks[0].kind, "breath");
    let listed = table.legal(asks[0].id, fracas_kernel::Viewer::Seat(gm));
    assert_eq!(listed.iter().map(|answer| answer.answer.as_str()).collect::<Vec<_>>(), ["\"pass\""]);
    assert_eq!(table.eager(), None);
}
