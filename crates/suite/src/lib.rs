//! Properties that every game must have.
//!
//! Each function plays conflicts at random from the given setups and checks one property at
//! every moment; [`all`] checks all of them. A failure is a panic that names setup, seed, step
//! and the last answer. Set `FRACAS_SEED` to that seed to repeat it. `FRACAS_EFFORT=10` plays
//! ten times as much, and tries every fiat at every moment; `FRACAS_EFFORT=0.05` plays a
//! twentieth.
//!
//! ```no_run
//! # use fracas_suite::{Effort, toy};
//! type Game = toy::Toy;
//! fracas_suite::secrecy::<Game>(&[toy::setup(3, 4)], Effort::default());
//! ```

#![forbid(unsafe_code)]

mod alike;
mod brisk;
mod chance;
mod counts;
mod driven;
mod evening;
mod faulty;
mod fewer;
mod fiats;
mod fuzz;
mod game;
mod golden;
mod gone;
mod laid;
mod listed;
mod ordered;
mod parts;
mod pointed;
mod promised;
mod refused;
mod restored;
mod secrecy;
mod spoken;
mod staged;
mod strolled;
mod tables;
pub mod toy;
mod walk;
mod whole;

pub use alike::{Elsewhere, alike, alike_but_for, alike_through};
pub use brisk::{brisk, policies, questions};
pub use chance::chance;
pub use counts::counts;
pub use driven::{Driven, check, told};
pub use evening::{carried, carries, written};
pub use faulty::{encounter_faults, faults_beside, just_these, library_faults, nothing_crashes, sound};
pub use fewer::{fewer, lessened, renamed};
pub use fiats::{at_random, fiats};
pub use fuzz::{Bytes, fuzz_any, fuzz_one, smoke};
pub use game::{kept_file, many_play_as_they_did, paths, playing_allocates_nothing, plays_as_it_did};
pub use golden::{digests, golden, kept};
pub use gone::gone;
pub use laid::laid;
pub use listed::listed;
pub use ordered::{Either, ordered};
pub use parts::parts;
pub use pointed::pointed;
pub use promised::promised;
pub use refused::refused;
pub use restored::{replayed, restored};
pub use secrecy::secrecy;
pub use spoken::spoken;
pub use staged::staged;
pub use strolled::{Choice, choices, strolled};
pub use tables::{Tables, begun, opened, table};
pub use walk::filled;
pub use whole::whole;

use fracas_kernel::{Setup, Words};

/// How much is played, and limits that play must keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Random walks from each setup.
    pub walks: u32,
    /// The most random walks from all setups together, and at least one from each: a game with more
    /// setups is not tested longer.
    pub most_walks: u32,
    /// The most steps of a walk.
    pub steps: u32,
    /// Conflicts that are played to their end, over all setups.
    pub conflicts: u32,
    /// The least median of answers in these conflicts.
    pub median: u32,
    /// Kinds of prompt that random play may never reach in them: scenarios show these.
    pub rare: &'static [&'static str],
    /// The most answers and rolls of each of these conflicts.
    pub budget: u32,
    /// The most answers that one ask may list.
    pub list: usize,
    /// The number of viewers that are checked at each moment of a walk.
    pub viewers: usize,
    /// At each moment a random one in this many fiats and forms is tried; one that was never
    /// accepted is always tried.
    pub sample: u32,
}

impl Default for Effort {
    /// An ordinary test run, times `FRACAS_EFFORT` if that is set.
    fn default() -> Self {
        let times = times();
        let so_many = |usual: f32| (usual * times).ceil() as u32;
        Effort {
            walks: so_many(12.0),
            most_walks: so_many(20.0),
            steps: 400,
            // Fewer could miss a kind of prompt, and every kind must occur.
            conflicts: so_many(2_000.0).max(400),
            median: 40,
            rare: &[],
            budget: 20_000,
            list: 400,
            viewers: so_many(1.0) as usize,
            // A short run could miss the moments at which a rare fiat is accepted; a long run tries all.
            sample: if (0.5..2.0).contains(&times) { 6 } else { 1 },
        }
    }
}

/// `FRACAS_EFFORT`: how many times as much as an ordinary run does is tried.
fn times() -> f32 {
    std::env::var("FRACAS_EFFORT").ok().and_then(|times| times.parse().ok()).unwrap_or(1.0)
}

/// Whether this run tries all that an ordinary run only samples: `FRACAS_EFFORT` is 2 or more.
pub fn is_long() -> bool {
    times() >= 2.0
}

/// What an ordinary run tries of many: at most so many, evenly spread. A long run tries all.
pub fn some<T>(all: impl IntoIterator<Item = T>, most: usize) -> Vec<T> {
    let all: Vec<T> = all.into_iter().collect();
    let len = all.len();
    let is_tried = |n: usize| is_long() || len <= most || n * most % len < most;
    all.into_iter().enumerate().filter(|&(n, _)| is_tried(n)).map(|(_, tried)| tried).collect()
}

/// Checks all properties of the suite.
///
/// # Panics
/// If a property does not hold.
pub fn all<G: Words>(setups: &[Setup], effort: Effort) {
    restored::<G>(setups, effort);
    replayed::<G>(setups, effort);
    listed::<G>(setups, effort);
    laid::<G>(setups, effort);
    pointed::<G>(setups, effort);
    parts::<G>(setups, effort);
    promised::<G>(setups, effort);
    refused::<G>(setups, effort);
    fiats::<G>(setups, effort);
    chance::<G>(setups, effort);
    secrecy::<G>(setups, effort);
    fewer::<G>(setups, effort);
    spoken::<G>(setups, effort);
    staged::<G>(setups, effort);
    whole::<G>(setups, effort);
}
