//! Bots play whole encounters to an end that comes by itself.

mod common;

use fracas_kernel::Game;
use fracas_sim::{Chance, End, Greedy, Playouts, Quiet};
use truth_and_light::TruthAndLight;

#[test]
fn greedy_tables_come_to_their_end() {
    for setup in common::setups() {
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
