//! Answers about which people are asked once more.

use fracas_kernel::{Seat, Viewer};
use fracas_table::{MemoryStore, Opening, Table};

#[test]
fn in_every_game_the_end_of_the_evening_is_grave_and_a_pass_is_not() {
    for system in fracas_systems::all() {
        let setup = fracas_systems::setups(system).expect("sound content").remove(0);
        let table = Table::create(system, &setup, Opening::default(), Box::new(MemoryStore::new()));
        let table = table.expect("a sound setup");
        let is_grave = |answer| table.game().is_grave(answer, Viewer::Seat(Seat::Gm));
        assert!(is_grave("\"close\"") && !is_grave("\"pass\""), "{}", system.id);
        assert!(!is_grave("\"nothing-of-the-kind\"") && !is_grave("{"), "{}", system.id);
    }
}
