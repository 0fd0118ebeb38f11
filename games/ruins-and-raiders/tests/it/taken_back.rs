//! A move is not taken back, whether somebody hidden is there or not.
//!
//! A table lets a player take an answer back if the player was shown nothing that spectators were not.

use fracas_kernel::{AnyTable, Document, Now, Seat, Setup, Shown, Viewer};

const PLAYER: Seat = Seat::Player(0);

/// Wren acts first in a battle; with a foe in the reeds or without.
fn table(more: &str) -> Box<dyn AnyTable> {
    let text = format!(
        "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Wren\"\nat = \"B2\"\n\
         [[npc]]\nname = \"Guard\"\nat = \"L2\"\n{more}"
    );
    let encounter = Document::toml("table.toml", &text).expect("TOML");
    let setup = Setup { encounter, library: Vec::new() };
    let mut table = (ruins_and_raiders::system().start)(&setup).expect("a table");
    give(&mut *table, Seat::Gm, r#"{"battle":{"first":["@wren"]}}"#);
    table
}

/// Gives an answer to the first of a seat's asks that takes it.
fn give(table: &mut dyn AnyTable, seat: Seat, answer: &str) -> Vec<Shown> {
    let Now::Asks(asks) = table.now() else { panic!("nobody is asked") };
    let own = asks.into_iter().filter(|ask| ask.who.seats().contains(seat));
    let taken = own.into_iter().find_map(|ask| table.answer(seat, ask.id, answer, true).ok());
    taken.unwrap_or_else(|| panic!("refused: {answer}")).shown
}

/// Whether all that the player was shown was shown to spectators alike.
fn is_alike(shown: &[Shown]) -> bool {
    shown.iter().all(|shown| shown.to(Viewer::Seat(PLAYER)) == shown.to(Viewer::Spectator))
}

#[test]
fn who_moves_is_told_more_than_others() {
    let lurker = "[[npc]]\nname = \"Lurker\"\nat = \"H5\"\nunseen = true\n";
    for act in [r#"{"move":{"to":"D2"}}"#, r#"{"step":"C2"}"#] {
        let answer = format!(r#"{{"as":{{"who":"@wren","act":{act}}}}}"#);
        let [with, without] = [lurker, ""].map(|more| give(&mut *table(more), PLAYER, &answer));
        let told = |shown: &[Shown]| -> Vec<_> {
            shown.iter().filter_map(|shown| shown.to(Viewer::Seat(PLAYER)).cloned()).collect()
        };
        assert_eq!(told(&with), told(&without), "{act}");
        assert!(!is_alike(&with) && !is_alike(&without), "{act}");
    }
}

#[test]
fn what_moves_nobody_is_told_alike() {
    let aims = give(&mut *table(""), PLAYER, r#"{"as":{"who":"@wren","act":"aim"}}"#);
    assert!(!aims.is_empty() && is_alike(&aims));
}
