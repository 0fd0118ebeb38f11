//! What the fuzzer feeds bytes to.
//!
//! Each [`Target`] is one function: a panic in it is a finding. `fuzz/` runs it under
//! the fuzzer; ordinary tests run it on the corpus kept in `fuzz/seeds`, on inputs made
//! at random, and on every input that once failed (`fuzz/regressions`).

#![forbid(unsafe_code)]

mod documents;
mod edits;
mod evening;
mod logs;
mod requests;
mod said;
mod tables;

pub use documents::documents;
pub use logs::{damage, logs};
pub use requests::requests;
pub use said::{forms, json, play};

/// Something to be fuzzed.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What it is called.
    pub name: &'static str,
    /// What is done with an input; it panics where something does not hold.
    pub run: fn(&[u8]),
}

/// Every target: as many as there are files in `fuzz/fuzz_targets`.
pub const TARGETS: &[Target] = &[
    Target { name: "damage", run: damage },
    Target { name: "documents", run: documents },
    Target { name: "forms", run: forms },
    Target { name: "json", run: json },
    Target { name: "logs", run: logs },
    Target { name: "play", run: play },
    Target { name: "requests", run: requests },
];
