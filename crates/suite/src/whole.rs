//! Conflicts played at random to their end.

use crate::{Effort, walk::start};
use fracas_kernel::{Setup, Words};
use fracas_sim::{Survey, survey};

/// Conflicts that are played at random end, are long enough, and together meet every kind of
/// prompt.
///
/// Prints and gives the outcomes (see them with `--nocapture`).
///
/// # Panics
/// If that does not hold.
pub fn whole<G: Words>(setups: &[Setup], effort: Effort) -> Survey {
    let tables: Vec<_> = setups.iter().map(start::<G>).collect();
    let found = survey::<G>(&tables, effort.conflicts, 1, effort.budget);
    println!("{}: {found}", G::ID);
    let faults = found.faults(effort.median, effort.rare);
    let small =
        if found.median() < effort.median { " (a small game says `median: N` in `game!`)" } else { "" };
    assert!(faults.is_empty(), "{}: {}{small}\n{found}", G::ID, faults.join("; "));
    found
}
