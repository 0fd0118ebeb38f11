//! What every game must pass, whatever its rules say.
//!
//! Each function plays conflicts at random from the setups it is given and
//! holds one property at every moment of them; [`all`] holds them all. A failure
//! is a panic, and names setup, seed, step and the last answer; set
//! `FRACAS_SEED` to that seed to play that one again. `FRACAS_EFFORT=10` plays
//! ten times as much, and every fiat at every moment; `FRACAS_EFFORT=0.05` plays a
//! twentieth.
//!
//! ```no_run
//! # use fracas_suite::{Effort, toy};
//! type Game = toy::Toy<{ toy::SOUND }>;
//! fracas_suite::secrecy::<Game>(&[toy::setup(3, 4)], Effort::default());
//! ```

#![forbid(unsafe_code)]

mod alike;
mod chance;
mod counts;
mod fewer;
mod fiats;
mod fuzz;
mod game;
mod golden;
mod gone;
mod laid;
mod listed;
mod ordered;
mod promised;
mod refused;
mod restored;
mod secrecy;
mod spoken;
mod tables;
pub mod toy;
mod walk;
mod whole;

pub use alike::{Elsewhere, alike, alike_but_for};
pub use chance::chance;
pub use counts::counts;
pub use fewer::{fewer, lessened, renamed};
pub use fiats::{at_random, fiats};
pub use fuzz::{Bytes, fuzz_any, fuzz_one, smoke};
pub use game::{kept_file, many_play_as_they_did, paths, playing_allocates_nothing, plays_as_it_did};
pub use golden::{digests, golden, kept};
pub use gone::gone;
pub use laid::laid;
pub use listed::listed;
pub use ordered::{Either, ordered};
pub use promised::promised;
pub use refused::refused;
pub use restored::{replayed, restored};
pub use secrecy::secrecy;
pub use spoken::spoken;
pub use tables::{Tables, begun};
pub use walk::filled;
pub use whole::whole;

use fracas_kernel::{Setup, Words};

/// How much is played, and what is asked of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Conflicts walked through step by step from each setup.
    pub walks: u32,
    /// Steps after which such a walk stops.
    pub steps: u32,
    /// Whole conflicts played at random, over all setups.
    pub conflicts: u32,
    /// The least median of answers in these.
    pub median: u32,
    /// Answers and rolls within which each of these must end.
    pub budget: u32,
    /// The most answers that one ask may list.
    pub list: usize,
    /// Viewers with whose eyes each moment of a walk is looked at.
    pub viewers: usize,
    /// At each moment one of so many fiats and forms is tried, by chance.
    pub sample: u32,
}

impl Default for Effort {
    /// What an ordinary test run plays, times `FRACAS_EFFORT` where that is set.
    fn default() -> Self {
        let times: f32 =
            std::env::var("FRACAS_EFFORT").ok().and_then(|times| times.parse().ok()).unwrap_or(1.0);
        let so_many = |usual: f32| (usual * times).ceil() as u32;
        Effort {
            walks: so_many(20.0),
            steps: 400,
            // Fewer could miss a kind of prompt, and every kind is to be met.
            conflicts: so_many(2_000.0).max(400),
            median: 40,
            budget: 20_000,
            list: 400,
            viewers: so_many(1.0) as usize,
            // An ordinary run tries each some thousand times even so. A short one could
            // miss a moment at which a rare one is taken; a long one leaves nothing out.
            sample: if (0.5..2.0).contains(&times) { 6 } else { 1 },
        }
    }
}

/// Holds every property of the suite.
///
/// # Panics
/// Where one does not hold.
pub fn all<G: Words>(setups: &[Setup], effort: Effort) {
    restored::<G>(setups, effort);
    replayed::<G>(setups, effort);
    listed::<G>(setups, effort);
    laid::<G>(setups, effort);
    promised::<G>(setups, effort);
    refused::<G>(setups, effort);
    fiats::<G>(setups, effort);
    chance::<G>(setups, effort);
    secrecy::<G>(setups, effort);
    fewer::<G>(setups, effort);
    spoken::<G>(setups, effort);
    whole::<G>(setups, effort);
}
