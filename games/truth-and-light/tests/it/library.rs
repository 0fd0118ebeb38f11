//! Faults in a library and in a setup, each in its own place.

use fracas_suite::{encounter_faults, faults_beside, library_faults};
use truth_and_light::TruthAndLight;

#[test]
fn every_fault_of_a_library_is_told_where_it_stands() {
    let found = |sheet: &str| library_faults::<TruthAndLight>(&[("mine.toml", sheet)]);
    faults_beside(include_str!("../faults/library.txt"), found);
}

#[test]
fn every_fault_of_an_encounter_is_told_where_it_stands() {
    faults_beside(include_str!("../faults/encounter.txt"), encounter_faults::<TruthAndLight>);
}

#[test]
fn another_file_may_say_a_name_anew() {
    let files = ["one.toml", "two.toml"].map(|file| (file, "[[boon]]\nname = \"A\"\n"));
    assert_eq!(library_faults::<TruthAndLight>(&files), "");
}

#[test]
fn more_than_there_can_be() {
    let found = |many: usize, one: &str| {
        let some: String = (0..many).map(|n| one.replace('#', &n.to_string())).collect();
        let of_ana =
            "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Ana\"\nplayer = \"ana\"\nwrithing = \"w\"\n";
        encounter_faults::<TruthAndLight>(&format!("{of_ana}{some}"))
    };
    let player =
        "[[player]]\nname = \"p#\"\n[[character]]\nname = \"P#\"\nplayer = \"p#\"\nwrithing = \"w\"\n";
    for (most, one, what) in [
        (15, "[[npc]]\nname = \"N#\"\npn = 8\n", "too many characters: 16 at most"),
        (88, "[[character.boon]]\nname = \"B#\"\n", "too many boons: 88 at most"),
        (64, "[[character.feat]]\nname = \"F#\"\nnote = \"n\"\n", "too many feats and Whispers: 64 at most"),
        (22, "[[end]]\nname = \"E#\"\nnote = \"n\"\n", "too many ends: 32 at most with the usual ones"),
        (16, "[[hazard]]\nname = \"H#\"\ntn = 9\n", "too many hazards: 16 at most"),
        (usize::from(fracas_kernel::SeatSet::PLAYERS) - 1, player, "too many players: 8 at most"),
    ] {
        assert_eq!(found(most, one), "", "{what}");
        let faults = found(most + 1, one);
        assert!(faults.lines().any(|fault| fault.ends_with(what)), "{faults}");
    }
    let many = "[[boon]]\nname = \"A\"\nbonus = 70\n".repeat(1100);
    assert!(library_faults::<TruthAndLight>(&[("many.toml", &many)]).contains("too many"));
}
