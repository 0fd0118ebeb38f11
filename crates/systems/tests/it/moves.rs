//! A move on a map is taken back while nothing came of it, whether somebody hidden is there or not.

use fracas_kernel::{Document, Now, Seat, Setup, Viewer};
use fracas_table::{MemoryStore, Opening, Seed, Table, Throw};

const ANA: Seat = Seat::Player(0);

/// A foe in the reeds.
const LURKER: &str = "[[npc]]\nname = \"Lurker\"\nat = \"F4\"\nunseen = true\ntraits = { perception = 20 }\n";

/// Wren acts, and a guard after; with a foe in the reeds who may act before them, or without.
fn table(more: &str) -> Table {
    let text = format!(
        "[[player]]\nname = \"Ana\"\n\
         [[character]]\nname = \"Wren\"\nat = \"B2\"\ntraits = {{ perception = 9 }}\n\
         [[npc]]\nname = \"Guard\"\nat = \"M6\"\n{more}\
         [map]\nrows = \"\"\"\n..............\n..............\n..............\n..............\n..............\n....s.........\n\"\"\"\n\
         [map.legend]\ns = \"treacherous\"\n",
    );
    let setup = Setup { encounter: Document::toml("table.toml", &text).expect("TOML"), library: Vec::new() };
    let system = fracas_systems::find("ruins-and-raiders").expect("a system");
    let opening = Opening { label: "an evening".to_owned(), seed: Some(Seed::from(5)), ..Opening::default() };
    let mut table = Table::create(system, &setup, opening, Box::new(MemoryStore::new())).expect("sound");
    say(&mut table, Seat::Gm, r#"{"battle":{}}"#);
    say(&mut table, Seat::Gm, r#""next""#);
    table.roll(ANA, Throw::Dice).expect("initiative");
    table
}

/// Gives an answer to the first of a seat's asks that takes it.
fn say(table: &mut Table, seat: Seat, answer: &str) {
    let Now::Asks(asks) = table.game().now() else { panic!("nothing is asked") };
    let own: Vec<_> = asks.into_iter().filter(|ask| ask.who.seats().contains(seat)).collect();
    let taken = own.iter().any(|ask| table.answer(seat, None, ask.id, answer, None).is_ok());
    let kinds: Vec<_> = own.iter().map(|ask| ask.kind).collect();
    assert!(taken, "{answer} is refused where {kinds:?} are asked");
}

/// Has the lurker wait for something.
fn lurks(wire: &str) -> Table {
    let mut table = table(LURKER);
    let wait = format!(r#"{{"wait":{{"wire":{wire}}}}}"#);
    say(&mut table, Seat::Gm, &format!(r#"{{"as":{{"who":"@lurker","act":{wait}}}}}"#));
    table
}

/// What a player sees of the table.
fn seen(table: &Table) -> String {
    table.game().view(Viewer::Seat(ANA)).to_string()
}

const MOVES: &str = r#"{"act":{"move":{"to":"H2"}}}"#;

#[test]
fn a_move_of_which_nothing_came_is_taken_back() {
    for mut table in [table(""), table(LURKER), lurks(r#"{"enters":"L1"}"#), lurks(r#""moves""#)] {
        let before = seen(&table);
        for act in [MOVES, r#"{"act":{"step":"C2"}}"#] {
            say(&mut table, ANA, act);
            assert_ne!(seen(&table), before);
            table.take_back(ANA).expect("nothing came of it");
            assert_eq!(seen(&table), before);
        }
    }
}

#[test]
fn a_move_that_ends_a_turn_is_taken_back() {
    let mut table = table("");
    let before = seen(&table);
    say(&mut table, ANA, MOVES);
    let between = seen(&table);
    say(&mut table, ANA, r#"{"act":{"move":{"to":"K2"}}}"#);
    table.take_back(ANA).expect("nothing came of it");
    assert_eq!(seen(&table), between);
    table.take_back(ANA).expect("nor of the one before");
    assert_eq!(seen(&table), before);
}

#[test]
fn a_move_into_somebody_unseen_stays() {
    let mut table = table(LURKER);
    say(&mut table, ANA, r#"{"act":{"move":{"to":"H4","via":["F4"]}}}"#);
    table.may_take_back(ANA).expect_err("they have met");
}

#[test]
fn a_move_that_met_something_stays() {
    // Another has moved since.
    let mut moved = table("");
    say(&mut moved, ANA, MOVES);
    say(&mut moved, ANA, r#"{"act":{"move":{"to":"K2"}}}"#);
    say(&mut moved, ANA, r#"{"act":"end"}"#);
    say(&mut moved, Seat::Gm, r#"{"act":{"step":"L6"}}"#);
    moved.may_take_back(ANA).expect_err("the guard has moved");
    moved.undo().expect("the guard's");
    moved.may_take_back(ANA).expect("the last again");
    // Dice have fallen.
    let mut slips = table("");
    say(&mut slips, ANA, r#"{"act":{"move":{"to":"F6","via":["E6"]}}}"#);
    slips.roll(ANA, Throw::Dice).expect("footing");
    slips.may_take_back(ANA).expect_err("dice have fallen");
}
