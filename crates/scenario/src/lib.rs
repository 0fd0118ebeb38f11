//! Scenario files: set up a table, give answers and dice, state the expected results.
//!
//! A scenario is a TOML file that a user can read and write; the README beside this crate
//! shows every field. [`run`] plays one, [`run_folder`] many at once, [`coverage`] finds
//! the clauses that the passing ones show, and [`assert_folder`] does all of this in a
//! game's own test.

#![forbid(unsafe_code)]

mod coverage;
mod failure;
mod file;
mod files;
mod matching;
mod play;
mod run;

pub use coverage::{
    Claims, Coverage, KindCoverage, SectionCoverage, SystemCoverage, Unmet, claims_met, coverage,
};
pub use failure::Failure;
pub use file::Bundled;
pub use files::{MAX_FILE, load_library, load_setup, read_document, scenario_files};
pub use run::{Outcome, assert_folder, assert_folder_with, run, run_folder, run_folder_with, run_with};
