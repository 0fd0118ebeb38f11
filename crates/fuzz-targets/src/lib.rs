//! The functions that the fuzzer calls with bytes.
//!
//! Each [`Target`] is one function: a panic in it is a finding. `fuzz/` runs it under the
//! fuzzer; ordinary tests run it on the corpus kept in `fuzz/seeds`, on inputs made at
//! random, and on every input that once failed (`fuzz/regressions`).

#![forbid(unsafe_code)]

mod documents;
mod edits;
mod evening;
mod logs;
mod maps;
mod requests;
mod said;
mod tables;

pub use documents::documents;
pub use logs::{damage, logs};
pub use maps::maps;
pub use requests::requests;
pub use said::{forms, json, play};

/// A function to fuzz.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Runs one input; panics if a property does not hold.
    pub run: fn(&[u8]),
}

/// Every target, one for each file in `fuzz/fuzz_targets`.
pub const TARGETS: &[Target] = &[
    Target { name: "damage", run: damage },
    Target { name: "documents", run: documents },
    Target { name: "forms", run: forms },
    Target { name: "json", run: json },
    Target { name: "logs", run: logs },
    Target { name: "maps", run: maps },
    Target { name: "play", run: play },
    Target { name: "requests", run: requests },
];
