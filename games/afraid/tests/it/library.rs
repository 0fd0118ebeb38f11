//! Faults in a library and in a setup, each in its own place. Which fields have which faults
//! scenarios show.

use crate::TABLES;
use afraid::Afraid;
use fracas_suite::{encounter_faults, just_these, library_faults, nothing_crashes};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    just_these(&library_faults::<Afraid>(&[("mine.toml", text)]), expected);
}

#[test]
fn three_mistakes_are_three_faults_in_one_run() {
    check(
        "[[background]]\nname = \"Returned\"\nbonds = 9\n\n[[npc]]\nname = \"Reeve\"\n\n[[character]]\nname = \"Wren\"\n\
         stats = { body = 21 }\nunasigned = \"1d6\"\n",
        &[
            "3: background[1].bonds: expected a whole number from 0 to 4, found 9",
            "5: npc[1]: `stats` are missing",
            "10: character[1].stats.body: expected a whole number from 0 to 20, found 21",
            "11: character[1].unasigned: no such field here; perhaps `unassigned`",
        ],
    );
}

#[test]
fn a_library_has_entries_of_its_own_and_no_table() {
    check("[[scene]]\npresent = []\n", &["1: scene: no such field here"]);
    check("[conflict]\narena = \"social\"\n", &["1: conflict: no such field here"]);
    check(
        "[[npc]]\nname = \"A\"\nstats = {}\n[[npc]]\nname = \"A\"\nstats = {}\n[[npc]]\nuse = \"A\"\nname = \"B\"\n\
         [[character]]\nuse = \"C\"\n[carried]\nlog = \"a\"\nlines = 3\nfrom = 1\n[[fallen]]\nplayer = \"A\"\n",
        &[
            "5: npc[2].name: npc[1] is called \"A\" too, and is the one taken",
            "8: npc[3].use: only an encounter's entry uses another, and none of a library",
            "11: character[1].use: the library has no [[character]] called \"C\"",
            "11: character[1].use: only an encounter's entry uses another",
            "15: carried.from: no such field",
            "16: fallen[1]: `name` is missing",
        ],
    );
    let many = "[[npc]]\nname = \"A\"\nstats = {}\nmembers = 70\n".repeat(1100);
    let found = library_faults::<Afraid>(&[("many.toml", &many)]);
    assert!(found.contains("too many: of one list 1000 are read"), "{found}");
}

#[test]
fn whom_only_an_encounter_knows_is_no_fault() {
    let text = "[[character]]\nname = \"A\"\nplayer = \"Ana\"\nstats = {}\nhistory = [\"lived\"]\n\
        [[character.relationship]]\nto = \"The reeve\"\ndice = \"1d6\"\n[[character]]\nname = \"B\"\nstats = {}\n\
        [[npc]]\nname = \"C\"\ntie = \"slave\"\nstats = {}\n[[npc.fact]]\ntext = \"D\"\ntopic = \"slave\"\nabout = \"Moss\"\n\
        [[fallen]]\nname = \"E\"\nplayer = \"Bo\"\nhistory = [\"died\"]\n[carried]\nlog = \"a\"\nlines = 1\nstate = \"0\"\n";
    check(text, &[]);
    // A background may stand in a file of its own, and another file may say anybody anew.
    let fresh = ("one.toml", "[[character]]\nname = \"A\"\nbackground = \"Waller\"\nstats = {}\n");
    let anew = "[[background]]\nname = \"Waller\"\n[[character]]\nname = \"A\"\nstats = {}\n";
    assert_eq!(library_faults::<Afraid>(&[fresh, ("two.toml", anew)]), "");
}

#[test]
fn nothing_in_a_library_can_crash() {
    nothing_crashes::<Afraid>(&TABLES, &["people.toml", "characters.toml"], 150);
}

#[test]
fn one_mistake_is_told_once() {
    for (text, expected) in [
        ("[[npc]]\nstats = {}\n", "1: npc[1]: `name` is missing: text"),
        ("[[background]]\nbonds = 1\n", "1: background[1]: `name` is missing: text"),
        (
            "[[npc]]\nname = \"Storm\"\ndice = \"4dd\"\n",
            "3: npc[1].dice: expected dice, as \"1d4 3d6 2d8\", found",
        ),
        (
            "[[npc]]\nname = \"Liv\"\nstats = {}\ntie = \"victm\"\nworth = 2\n",
            "4: npc[1].tie: expected one of monster",
        ),
    ] {
        check(text, &[expected]);
    }
    // A conflict is read whatever is wrong with its people.
    let encounter = |text: &str, expected: &[&str]| {
        let people = "player = [{ name = \"ana\" }]\ncharacter = [{ name = \"Ada\", stats = {} }]\n";
        just_these(&encounter_faults::<Afraid>(&format!("{people}{text}")), expected);
    };
    encounter("[[npc]]\nname = \"Moss\"\nstats = {}\n", &[]);
    let sides = "[[npc]]\nname = \"Moss\"\nstats = {}\n[conflict]\narena = \"social\"\nthing = \"it\"\n\
        [[conflict.side]]\nwho = [\"Ada\"]\n[[conflict.side]]\nwho = [\"Mosz\"]\n";
    encounter(sides, &["12: conflict.side[2].who: nobody here is called \"Mosz\""]);
    encounter(
        "[[npc]]\nuse = \"Nobody\"\n[conflict]\narena = \"social\"\nthing = \"t\"\n[[conflict.side]]\nwho = [\"Adda\"]\n\
         [[conflict.part]]\nwho = \"Ada\"\nbank = \"3d13\"\narenas = [\"socail\"]\n",
        &[
            "4: npc[1].use: the library has no [[npc]] called \"Nobody\"",
            "5: conflict: a conflict takes two sides",
            "12: conflict.part[1].bank: expected dice",
            "13: conflict.part[1].arenas: expected one of research, social, athletic, fighting, murder, found \"socail\"",
        ],
    );
}
