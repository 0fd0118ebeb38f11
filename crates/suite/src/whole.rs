//! Whole conflicts at random.

use crate::{Effort, walk::start};
use fracas_kernel::{Setup, Words};
use fracas_sim::{Survey, survey};

/// Whole conflicts played at random come to their end, are long enough to mean
/// something, and together meet every kind of prompt.
///
/// Prints what came up (see it with `--nocapture`) and gives it.
///
/// # Panics
/// Where that does not hold.
pub fn whole<G: Words>(setups: &[Setup], effort: Effort) -> Survey {
    let tables: Vec<_> = setups.iter().map(start::<G>).collect();
    let found = survey::<G>(&tables, effort.conflicts, 1, effort.budget);
    println!("{}: {found}", G::ID);
    let faults = found.faults(effort.median);
    assert!(faults.is_empty(), "{}: {}\n{found}", G::ID, faults.join("; "));
    found
}
