//! What characters take from one evening into another.

use crate::faulty::sound_but_for;
use fracas_kernel::{AnyTable, Document, Fault, Game, Now, Setup, System, carried_on, toml};
use fracas_sim::Bot;
use serde_json::json;

/// What is carried on from a table of this setup, as it is written.
///
/// # Panics
/// If the game carries nothing.
#[track_caller]
pub fn written(setup: &Setup, table: &dyn AnyTable) -> String {
    let now = table.carry().expect("this game carries");
    toml(&carried_on(setup, now, "May", json!({ "log": "ford", "lines": 1, "state": "0" })))
}

/// The same, read again.
///
/// # Panics
/// If it is no TOML.
#[track_caller]
pub fn carried(setup: &Setup, table: &dyn AnyTable) -> Document {
    let text = written(setup, table);
    Document::toml("carried.toml", &text).unwrap_or_else(|faults| panic!("{faults} in:\n{text}"))
}

/// Whatever comes of so many steps of bots, one game for each seed, can be carried: it is a sound
/// library, but for faults that are `fine`.
///
/// # Panics
/// Where it is not.
pub fn carries<G: Game>(
    system: &System,
    setup: &Setup,
    seeds: impl IntoIterator<Item = u64>,
    steps: usize,
    fine: impl Fn(&Fault) -> bool,
) {
    for seed in seeds {
        let mut table = (system.start)(setup).unwrap_or_else(|faults| panic!("{faults}"));
        let _ = (0..steps).take_while(|_| step(table.as_mut(), seed)).count();
        sound_but_for::<G>(&carried(setup, table.as_ref()).kept(), &fine);
    }
}

/// One answer or throw of bots; false where it is over.
fn step(table: &mut dyn AnyTable, seed: u64) -> bool {
    match table.now() {
        Now::Over => false,
        Now::Roll(roll) => {
            let dice = roll.dice.sides().zip(seed + table.seq()..);
            let faces: Vec<u8> = dice.map(|(sides, n)| (n * 7 % u64::from(sides)) as u8 + 1).collect();
            table.roll(&faces, false).is_ok()
        }
        Now::Asks(asks) => {
            let seats = asks.iter().flat_map(|ask| ask.who.seats().iter().map(|seat| (seat, ask.id)));
            let mut chosen = seats.filter_map(|(seat, id)| {
                Bot::random(seed).choose(table, seat, id).map(|answer| (seat, id, answer))
            });
            let chosen = chosen.next();
            chosen.is_some_and(|(seat, id, answer)| table.answer(seat, id, &answer, false).is_ok())
        }
    }
}
