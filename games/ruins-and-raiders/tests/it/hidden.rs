//! What somebody hidden must not show: in what a mover is told, in the odds of a step.

use fracas_kernel::{AnyTable, Document, Now, Seat, Setup, Shown, Viewer};

const PLAYER: Seat = Seat::Player(0);

/// A foe in the reeds.
const LURKER: &str = "[[npc]]\nname = \"Lurker\"\nat = \"A2\"\nunseen = true\n";

/// Wren acts first in a battle; with a foe in the reeds or without.
fn table(more: &str) -> Box<dyn AnyTable> {
    let mut table = scene("L2", more);
    give(&mut *table, Seat::Gm, r#"{"battle":{"first":["@wren"]}}"#);
    table
}

/// Wren and a guard; with a foe in the reeds or without.
fn scene(guard: &str, more: &str) -> Box<dyn AnyTable> {
    let text = format!(
        "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Wren\"\nat = \"B2\"\n\
         [[npc]]\nname = \"Guard\"\nat = \"{guard}\"\n{more}\
         [[table.abort]]\nname = \"Sidestep\"\ndo = \"step\""
    );
    let encounter = Document::toml("table.toml", &text).expect("TOML");
    let setup = Setup { encounter, library: Vec::new() };
    (ruins_and_raiders::system().start)(&setup).expect("a table")
}

/// Gives an answer to the first of a seat's asks that takes it.
fn give(table: &mut dyn AnyTable, seat: Seat, answer: &str) -> Vec<Shown> {
    let Now::Asks(asks) = table.now() else { panic!("nobody is asked") };
    let own = asks.into_iter().filter(|ask| ask.who.seats().contains(seat));
    let taken = own.into_iter().find_map(|ask| table.answer(seat, ask.id, answer, true).ok());
    taken.unwrap_or_else(|| panic!("refused: {answer}")).shown
}

#[test]
fn who_moves_is_told_the_same_with_a_foe_in_the_reeds() {
    for act in [r#"{"move":{"to":"D2"}}"#, r#"{"step":"C2"}"#] {
        let answer = format!(r#"{{"as":{{"who":"@wren","act":{act}}}}}"#);
        let [with, without] = [LURKER, ""].map(|more| give(&mut *table(more), PLAYER, &answer));
        let told = |shown: &[Shown]| -> Vec<_> {
            shown.iter().filter_map(|shown| shown.to(Viewer::Seat(PLAYER)).cloned()).collect()
        };
        assert_eq!(told(&with), told(&without), "{act}");
        assert!(told(&with).iter().all(|shown| shown.step), "{act}");
    }
}

#[test]
fn a_step_out_of_a_blow_has_no_odds() {
    for more in [LURKER, ""] {
        let mut table = scene("C2", more);
        give(&mut *table, Seat::Gm, r#"{"battle":{"first":["@guard"]}}"#);
        give(&mut *table, Seat::Gm, r#"{"as":{"who":"@guard","act":{"strike":{"on":"@wren"}}}}"#);
        let Now::Asks(asks) = table.now() else { panic!("Wren is asked") };
        let odds = |answer: &str| table.odds(asks[0].id, answer, Viewer::Seat(PLAYER));
        assert!(odds(r#"{"abort":{"own":["@sidestep"],"to":"A2"}}"#).is_none());
        assert!(odds(r#"{"abort":{"defend":1}}"#).is_some());
    }
}
