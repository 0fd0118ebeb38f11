//! Players keep what they have learnt when play goes back.

use fracas_kernel::{Document, Now, Seat, Setup, Viewer};
use fracas_systems::all;
use fracas_table::{Entry, MemoryStore, Opening, Seed, Table, verify};

const SETUP: &str = r#"
[[player]]
name = "Ana"
[[character]]
name = "Ada"
player = "Ana"
stats = { acuity = 2 }
[[npc]]
name = "The widow"
tie = "monster"
stats = { acuity = 3 }
[[npc.fact]]
id = "table"
text = "She sets the table for two."
[[npc.fact]]
id = "song"
text = "She hums one song."
"#;

const TABLE: &str = "She sets the table for two.";
const SONG: &str = "She hums one song.";

fn gm(table: &mut Table, answer: &str) {
    let Now::Asks(asks) = table.game().now() else { panic!("nothing is asked") };
    table.answer(Seat::Gm, None, asks[0].id, answer, None).expect("an accepted answer");
}

/// The facts that a player knows.
fn known(table: &Table) -> Vec<String> {
    let view = table.game().view(Viewer::Seat(Seat::Player(0)));
    let facts = view["facts"].as_array().expect("facts").iter();
    facts.map(|text| text.as_str().expect("a text").to_owned()).collect()
}

#[test]
fn a_fact_once_revealed_stays_known_through_rewinds() {
    let system = fracas_systems::find("afraid").expect("a system");
    let setup = Setup::alone(Document::toml("widow", SETUP).expect("TOML"));
    let store = MemoryStore::new();
    let opening = Opening { label: "an evening".to_owned(), seed: Some(Seed::from(5)), ..Opening::default() };
    let mut table = Table::create(system, &setup, opening, Box::new(store.clone())).expect("sound");
    let start = table.log().next() - 1;
    gm(&mut table, r#""move""#);
    let moved = table.log().next() - 1;
    gm(&mut table, r#"{"reveal":"@table"}"#);
    assert_eq!(known(&table), [TABLE]);
    table.undo().expect("the reveal is undone");
    assert_eq!(known(&table), [TABLE], "what was said cannot be unsaid");
    let Now::Asks(asks) = table.game().now() else { panic!("nothing is asked") };
    let refused = table.answer(Seat::Gm, None, asks[0].id, r#"{"reveal":"@table"}"#, None).unwrap_err();
    assert!(refused.to_string().contains("fallout.unknown-only"), "{refused}");
    // Undo takes back a move of a person, not a fiat that repeats what was learnt.
    table.undo().expect("the move is undone");
    assert_eq!(known(&table), [TABLE]);
    assert!(!table.log().get(moved).expect("a line").live(), "the move was taken back");
    gm(&mut table, r#"{"reveal":"@song"}"#);
    table.rewind(start, Seat::Gm).expect("it stands");
    assert_eq!(known(&table), [SONG, TABLE]);
    let remembered = |entry: &Entry| matches!(entry, Entry::Fiat(fiat) if fiat.remembered);
    assert_eq!(table.log().live().filter(|record| remembered(&record.entry)).count(), 2);
    // The log gives the same, opened again or verified.
    let again = Table::open(all(), Box::new(MemoryStore::holding(store.bytes()))).expect("a sound log");
    assert_eq!(known(&again), [SONG, TABLE]);
    assert!(verify(again.log(), all()).expect("can be run").sound());
}

/// A table of each system, and a player character who joins it.
const LATE: [(&str, &str, &str); 3] = [
    ("afraid", SETUP, r#"{"join":{"player":"Cy","name":"Latecomer","stats":{"acuity":2}}}"#),
    (
        "judge-two",
        "[[player]]\nname = \"Ana\"\n[[character]]\nname = \"Ada\"\nplayer = \"Ana\"\n",
        r#"{"join":{"player":"Cy","name":"Latecomer"}}"#,
    ),
    (
        "truth-and-light",
        "[[player]]\nname = \"Ana\"\n[[character]]\nname = \"Ada\"\nplayer = \"Ana\"\nwrithing = \"w\"\n",
        r#"{"join":{"player":"Cy","name":"Latecomer","writhing":"w"}}"#,
    ),
];

#[test]
fn play_goes_back_to_before_somebody_joined() {
    for (id, setup, join) in LATE {
        let system = fracas_systems::find(id).expect("a system");
        let setup = Setup::alone(Document::toml(id, setup).expect("TOML"));
        let opening =
            Opening { label: "an evening".to_owned(), seed: Some(Seed::from(5)), ..Opening::default() };
        let mut table = Table::create(system, &setup, opening, Box::new(MemoryStore::new())).expect("sound");
        let (start, before) = (table.log().next() - 1, table.game().hash());
        for rewinds in [false, true] {
            table.fiat(join, None).unwrap_or_else(|refused| panic!("{id}: {refused}"));
            assert_eq!(table.game().seats().len(), 3);
            let back = if rewinds { table.rewind(start, Seat::Gm) } else { table.undo() };
            back.unwrap_or_else(|refused| panic!("{id}: {refused}"));
            assert_eq!((table.game().seats().len(), table.game().hash()), (2, before.clone()), "{id}");
        }
    }
}
