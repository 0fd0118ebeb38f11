//! The odds of Rolls, as the cards tell them.

use clash::dice::{self, NatDie, Reading, Thrown};
use fracas_kernel::{Odds, Seat, Tone};
use std::time::{Duration, Instant};

fn odds(difficulty: i16, net: i8, reading: Reading) -> Odds {
    dice::odds(dice::roll(Seat::Gm, (difficulty, net), reading)).expect("few classes")
}

/// How many throws pass, show a Breakthrough, show a Disaster.
fn came(odds: &Odds) -> [u128; 3] {
    let passes = odds.rows.iter().filter(|row| row.tone == Tone::Good).map(|row| row.throws).sum();
    let of = |text: &str| odds.besides.iter().find(|row| row.text == text).map_or(0, |row| row.throws);
    [passes, of("a Breakthrough"), of("a Disaster")]
}

#[test]
fn odds_are_those_of_every_throw() {
    for (natural, critical) in [(NatDie::Base, 2), (NatDie::Kept, 2), (NatDie::Base, 3)] {
        let reading = Reading { natural, critical };
        for net in -2..=2 {
            for difficulty in [-3, 1, 2, 10, 20, 21, 30] {
                let mut counted = [0; 3];
                let count = usize::from(dice::dice(net));
                for n in 0..20u32.pow(count as u32) {
                    let face = |die: usize| (n / 20u32.pow(die as u32) % 20 + 1) as u8;
                    let start = Thrown::start(difficulty, net, reading);
                    let came = (0..count).fold(start, |thrown, die| fold(thrown, face(die))).came();
                    counted[0] += u128::from(came.passed);
                    counted[1] += u128::from(came.critical == Some(dice::Critical::Breakthrough));
                    counted[2] += u128::from(came.critical == Some(dice::Critical::Disaster));
                }
                assert_eq!(
                    came(&odds(difficulty, net, reading)),
                    counted,
                    "{difficulty}, {net}, {reading:?}"
                );
            }
        }
    }
}

fn fold(thrown: Thrown, face: u8) -> Thrown {
    fracas_kernel::Fold::take(thrown, 20, face)
}

/// Measures; see `benches/README.md`.
#[test]
#[ignore = "measures: run it alone, optimised"]
fn time_of_every_pool() {
    let mut least = Duration::MAX;
    let mut count = 0;
    for _ in 0..20 {
        count = 0;
        let begun = Instant::now();
        for net in -19..=19 {
            for difficulty in 2..=20 {
                std::hint::black_box(odds(difficulty, net, Reading { natural: NatDie::Base, critical: 2 }));
                count += 1;
            }
        }
        least = least.min(begun.elapsed());
    }
    println!("{count} pools in {least:?}: {:?} for 228", least * 228 / count);
}
