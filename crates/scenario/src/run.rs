//! Running scenarios.

use crate::file::{Bundled, Scenario};
use crate::{failure::Failure, files::scenario_files, play};
use fracas_kernel::System;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The result of a scenario.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Outcome {
    /// Its file.
    pub file: PathBuf,
    /// Its title; empty if the file could not be read.
    pub title: String,
    /// Its system's id; empty if the file could not be read.
    pub game: String,
    /// The clauses it claims to show.
    pub covers: Vec<String>,
    /// How many steps it has.
    pub steps: usize,
    /// The failure, if it failed.
    pub failure: Option<Failure>,
}

impl Outcome {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.failure {
            None => write!(f, "{file}: passed: {}", self.title),
            Some(failure) => {
                match failure.line {
                    0 => write!(f, "{file}: failed")?,
                    line => write!(f, "{file}:{line}: failed")?,
                }
                if !self.title.is_empty() {
                    write!(f, ": {}", self.title)?;
                }
                write!(f, "\n{failure}")
            }
        }
    }
}

/// Runs one scenario, with nothing bundled. A panic in a game is a failure too.
pub fn run(path: &Path, systems: &[System]) -> Outcome {
    run_one(path, systems, None)
}

/// Runs one scenario, which may draw on the content bundled with its system.
pub fn run_with(path: &Path, systems: &[System], bundled: Bundled<'_>) -> Outcome {
    run_one(path, systems, Some(bundled))
}

fn run_one(path: &Path, systems: &[System], bundled: Option<Bundled<'_>>) -> Outcome {
    let mut outcome = Outcome {
        file: path.to_owned(),
        title: String::new(),
        game: String::new(),
        covers: Vec::new(),
        steps: 0,
        failure: None,
    };
    let scenario = match Scenario::read(path, systems, bundled) {
        Ok(scenario) => scenario,
        Err(faults) => {
            outcome.failure = Some(Failure::new(faults.to_string()));
            return outcome;
        }
    };
    outcome.title.clone_from(&scenario.title);
    outcome.game.clone_from(&scenario.game);
    outcome.covers.clone_from(&scenario.covers);
    outcome.steps = scenario.steps.len();
    let Some(system) = systems.iter().find(|system| system.id == scenario.game) else {
        let known: Vec<&str> = systems.iter().map(|system| system.id).collect();
        outcome.failure = Some(Failure::new(format!(
            "game: expected one of {}, found {:?}",
            known.join(", "),
            scenario.game
        )));
        return outcome;
    };
    let played = catch_unwind(AssertUnwindSafe(|| play::play(&scenario, system)));
    outcome.failure = match played {
        Ok(played) => played.err(),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without words");
            Some(Failure::new(format!("the game panicked, which is a bug of the game: {said}")))
        }
    };
    outcome
}

/// Runs every scenario among these files and folders, in parallel and with nothing bundled;
/// returns the outcomes sorted by file.
pub fn run_folder(paths: &[PathBuf], systems: &[System]) -> Vec<Outcome> {
    run_all(paths, systems, None)
}

/// Like [`run_folder`], but scenarios may draw on the content bundled with their systems.
pub fn run_folder_with(paths: &[PathBuf], systems: &[System], bundled: Bundled<'_>) -> Vec<Outcome> {
    run_all(paths, systems, Some(bundled))
}

fn run_all(paths: &[PathBuf], systems: &[System], bundled: Option<Bundled<'_>>) -> Vec<Outcome> {
    scenario_files(paths).par_iter().map(|path| run_one(path, systems, bundled)).collect()
}

/// Runs every scenario of a folder, for a game's own test, with nothing bundled.
///
/// # Panics
/// If any scenario fails, listing every failure, or if there is no scenario.
#[track_caller]
pub fn assert_folder(path: impl AsRef<Path>, systems: &[System]) {
    assert_all(path.as_ref(), run_folder(&[path.as_ref().to_owned()], systems));
}

/// Like [`assert_folder`], but scenarios may draw on the content bundled with their
/// systems.
///
/// # Panics
/// If any scenario fails, listing every failure, or if there is no scenario.
#[track_caller]
pub fn assert_folder_with(path: impl AsRef<Path>, systems: &[System], bundled: Bundled<'_>) {
    assert_all(path.as_ref(), run_folder_with(&[path.as_ref().to_owned()], systems, bundled));
}

#[track_caller]
fn assert_all(path: &Path, outcomes: Vec<Outcome>) {
    assert!(!outcomes.is_empty(), "no scenarios in {}", path.display());
    let failed: Vec<String> =
        outcomes.iter().filter(|outcome| !outcome.passed()).map(Outcome::to_string).collect();
    assert!(
        failed.is_empty(),
        "{} of {} scenarios failed\n\n{}\n",
        failed.len(),
        outcomes.len(),
        failed.join("\n\n")
    );
}
