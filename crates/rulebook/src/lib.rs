//! Turns `rulebook/<game>.toml` into Rust, checked, at build time.
//!
//! A game's `build.rs` is one line:
//!
//! ```no_run
//! fracas_rulebook::build("../../rulebook/my-game.toml");
//! ```
//!
//! and the top of its `lib.rs`, before any module, another:
//!
//! ```ignore
//! include!(concat!(env!("OUT_DIR"), "/rulebook.rs"));
//! ```
//!
//! which brings `pub static RULEBOOK: fracas_kernel::Rulebook` and the macro
//! `clause!("some.id")`, a constant `fracas_kernel::Clause`. An id that the
//! rulebook does not hold does not compile. Examples are entries of `RULEBOOK`
//! (as `example.<id>`) but not of the macro: code follows clauses, rulings and
//! extensions.

mod book;
mod source;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::book::Book;

/// Why a rulebook could not be turned into code.
#[derive(Debug, Error)]
pub enum Error {
    /// The rulebook could not be read.
    #[error("cannot read {}: {why}", path.display())]
    Read {
        /// The rulebook.
        path: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// The generated file could not be written.
    #[error("cannot write {}: {why}", path.display())]
    Write {
        /// The generated file.
        path: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// The rulebook has faults.
    #[error("{} is not a sound rulebook:{}", path.display(), listed(path, faults))]
    Malformed {
        /// The rulebook.
        path: PathBuf,
        /// All faults, in the order of the file; never empty.
        faults: Vec<Fault>,
    },
}

/// One fault of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}")]
pub struct Fault {
    /// The line it is on, from 1.
    pub line: usize,
    /// What is wrong and what would be right, with the id.
    pub what: String,
}

fn listed(path: &Path, faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("\n  {}:{}: {}", path.display(), fault.line, fault.what)).collect()
}

/// Checks a rulebook and writes it as Rust source.
///
/// # Errors
/// If the rulebook cannot be read or the source not written, or if the rulebook is
/// malformed. Then every fault is listed and nothing is written.
pub fn generate(toml_path: &Path, out: &Path) -> Result<(), Error> {
    let text =
        fs::read_to_string(toml_path).map_err(|why| Error::Read { path: toml_path.to_owned(), why })?;
    let book =
        Book::parse(&text).map_err(|faults| Error::Malformed { path: toml_path.to_owned(), faults })?;
    fs::write(out, source::of(&book)).map_err(|why| Error::Write { path: out.to_owned(), why })
}

/// A build script's one call: writes `$OUT_DIR/rulebook.rs`.
///
/// `relative` is the rulebook's path from the game's own folder. Cargo is told
/// to build again when that file changes.
///
/// # Panics
/// If the rulebook is missing or malformed, with every fault, so that the
/// build stops there; or if this is not run by Cargo as a build script.
pub fn build(relative: &str) {
    let folder = |name: &str| match std::env::var_os(name) {
        Some(value) => PathBuf::from(value),
        None => panic!("{name} is not set: call this from a build script only"),
    };
    let path = folder("CARGO_MANIFEST_DIR").join(relative);
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rerun-if-changed=build.rs");
    // Resolved, so that messages have the file's real path.
    let path = path.canonicalize().unwrap_or(path);
    if let Err(error) = generate(&path, &folder("OUT_DIR").join("rulebook.rs")) {
        panic!("{error}");
    }
}
