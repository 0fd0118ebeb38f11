//! How questions are put.

use fracas_kernel::{AnyTable, Document, Now, Pointed, Seat, Setup, Viewer};

/// Isa with two javelins and a sword beside nobody; two guards, of whom one has a bow.
const YARD: &str = r#"
[[player]]
name = "ana"
[[character]]
name = "Isa"
traits = { perception = 9, warrior = 5 }
at = "B2"
weapons = []
[[character.weapon]]
name = "Javelin"
uses = ["thrown"]
power = 3
[[character.weapon]]
id = "other-javelin"
name = "Javelin"
uses = ["thrown"]
power = 3
[[npc]]
name = "Guard"
at = "D2"
[[npc.weapon]]
name = "Bow"
uses = ["missile"]
power = 3
[map]
columns = 20
height = 6
"#;

/// A battle in the yard, in which it is Isa's turn.
fn battle(walls: &str) -> Box<dyn AnyTable> {
    let encounter = Document::toml("table.toml", &format!("{YARD}{walls}")).expect("TOML");
    let setup = Setup { encounter, library: Vec::new() };
    let mut table = (ruins_and_raiders::system().start)(&setup).expect("a table");
    give(&mut *table, Seat::Gm, r#"{"battle":{}}"#);
    give(&mut *table, Seat::Gm, r#""next""#);
    table.roll(&[6, 6], true).expect("initiative");
    table
}

/// Gives an answer to the first of a seat's asks that takes it.
fn give(table: &mut dyn AnyTable, seat: Seat, answer: &str) {
    let Now::Asks(asks) = table.now() else { panic!("nobody is asked") };
    let mut own = asks.into_iter().filter(|ask| ask.who.seats().contains(seat));
    assert!(own.any(|ask| table.answer(seat, ask.id, answer, true).is_ok()), "refused: {answer}");
}

/// The answers that are listed to the first ask.
fn listed(table: &dyn AnyTable) -> Vec<String> {
    let Now::Asks(asks) = table.now() else { panic!("nobody is asked") };
    table.legal(asks[0].id, Viewer::Seat(Seat::Player(0))).into_iter().map(|listed| listed.answer).collect()
}

#[test]
fn who_may_cut_in_on_a_shot_hears_of_the_shot() {
    let mut table = battle("");
    give(&mut *table, Seat::Player(0), r#"{"act":{"wait":{}}}"#);
    give(&mut *table, Seat::Gm, r#"{"act":{"strike":{"on":"@isa","with":"@bow"}}}"#);
    let Now::Asks(asks) = table.now() else { panic!("nobody is asked") };
    let told = table.ask_told(asks[0].id, Viewer::Seat(Seat::Player(0))).expect("it is asked");
    assert_eq!(told.text, "Guard shoots at Isa with Bow. Does Isa cut in?");
}

#[test]
fn of_two_javelins_alike_one_is_listed() {
    let answers = listed(&*battle(""));
    assert_eq!(answers.iter().filter(|answer| answer.contains("strike")).count(), 1, "{answers:?}");
}

#[test]
fn a_door_is_listed_beside_a_wall_alone() {
    let has_door = |walls| listed(&*battle(walls)).iter().any(|answer| answer.contains("door"));
    assert!(!has_door(""));
    assert!(has_door("walls = [\"B2-C2\"]"));
}

#[test]
fn nobody_waits_for_what_has_come_about() {
    let table = battle("");
    let Now::Asks(asks) = table.now() else { panic!("nobody is asked") };
    let waits = |to: &str| -> Vec<String> {
        let pointed = Pointed { token: None, to: to.parse().expect("a space"), via: Vec::new() };
        let there = table.there(asks[0].id, &pointed, Viewer::Seat(Seat::Player(0))).expect("a space");
        there
            .answers
            .into_iter()
            .map(|answer| answer.answer)
            .filter(|answer| answer.contains("wait"))
            .collect()
    };
    assert!(waits("D2").is_empty(), "the guard is there: {:?}", waits("D2"));
    // The guard is 2 spaces away: nearer than that is worth waiting for, and further is not.
    let near = |to| waits(to).iter().any(|answer| answer.contains("near"));
    assert!(near("C2") && !near("B5"));
}
