//! Bots play whole encounters to an end that comes by itself.

use fracas_kernel::Game;
use fracas_sim::{Chance, End, Greedy, Playouts, Quiet};
use fracas_suite::Tables;
use truth_and_light::TruthAndLight;

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "truth-and-light" };

#[test]
fn greedy_tables_come_to_their_end() {
    for setup in TABLES.setups() {
        let (rules, state) = TruthAndLight::start(&setup).unwrap();
        for seed in 1..=2 {
            let mut playouts = Playouts::<TruthAndLight>::new(&rules, &state).budget(1_000);
            let mut chance = Chance::new(seed, 0);
            let played = playouts.play(&mut Greedy { work: 300 }, &mut chance, &mut Quiet);
            println!(
                "{} {seed}: {:?} after {} answers and {} rolls; {:?}",
                setup.encounter.name(),
                played.end,
                played.answers,
                played.rolls,
                TruthAndLight::outcome(&rules, &played.state, &state)
            );
            assert_eq!(played.end, End::Over, "{} {seed}", setup.encounter.name());
        }
    }
}
