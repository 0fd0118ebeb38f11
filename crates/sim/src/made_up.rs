//! Tables that games make up.

use crate::Chance;
use fracas_kernel::{Document, Game, Setup};

/// So many tables that a game makes up; none where it makes up none.
///
/// Table *n* is the same however many there are. Their streams of the seed are the last, those of
/// playouts the first.
pub fn made_up<G: Game>(count: u32, seed: u64) -> Vec<Setup> {
    let table = |n: u32| {
        let mut chance = Chance::new(seed, u64::MAX - u64::from(n));
        let encounter = G::made_up(&mut |below| chance.below(below))?;
        Some(Setup::alone(Document::json(format!("made up {n}"), &encounter)))
    };
    (0..count).map_while(table).collect()
}
