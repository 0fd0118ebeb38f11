//! What can go wrong with a table, in words for the people at it.

use crate::{log::MAX_LINE, store::NoText};
use fracas_kernel::{Faults, Refused};
use std::io;

/// Why a log cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name}:{line}: {what}")]
pub struct LogError {
    /// The file, or what stands for it.
    pub name: String,
    /// The line, from 1.
    pub line: u64,
    /// What was wrong and what would be right.
    pub what: String,
    /// Whether it begins as a log does, and was changed or damaged since.
    pub damaged: bool,
}

/// Why a table cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The store cannot be read or written.
    #[error("{name}: {error}")]
    Store {
        /// The file, or what stands for it.
        name: String,
        /// What the system said.
        error: io::Error,
    },
    /// The log is damaged.
    #[error(transparent)]
    Log(#[from] LogError),
    /// No such system here.
    #[error("{name}: played with the system {system:?}, which is not one of {known}")]
    System {
        /// The file, or what stands for it.
        name: String,
        /// The system it wants.
        system: String,
        /// Those there are.
        known: String,
    },
    /// The setup is not a setup of this system.
    #[error("{0}")]
    Setup(#[from] Faults),
    /// The log was written under other rules.
    #[error(
        "{name}: written for version {was} of the rules of {system}, and these are version {now}: \
         upgrade the log to play on from where it stands, older lines being kept as they were"
    )]
    Version {
        /// The file, or what stands for it.
        name: String,
        /// The system.
        system: String,
        /// The version it was written for.
        was: u32,
        /// The version there is.
        now: u32,
    },
    /// The log names a version of the rules that there is not.
    #[error(
        "{name}:{line}: says version {was} of the rules of {system}, and this program knows versions 1 to {now}: \
         a later Fracas wrote it, or somebody changed it"
    )]
    NoVersion {
        /// The file, or what stands for it.
        name: String,
        /// The line that says so, from 1.
        line: u64,
        /// The system.
        system: String,
        /// The version that the line says.
        was: u32,
        /// The latest version that there is.
        now: u32,
    },
    /// The log was written under other rules, and these cannot take it over.
    #[error(
        "{name}: cannot be taken over from version {was} of the rules of {system} to version {now}: {what}; \
         open it once with the Fracas that wrote it and close it there, or play on with that one"
    )]
    Upgrade {
        /// The file, or what stands for it.
        name: String,
        /// The system.
        system: String,
        /// The version it was written for.
        was: u32,
        /// The version there is.
        now: u32,
        /// What stands against it.
        what: String,
    },
    /// What the log records cannot have happened under these rules.
    #[error("{name}:{line}: cannot be played again: {why}")]
    Unplayable {
        /// The file, or what stands for it.
        name: String,
        /// The line, from 1.
        line: u64,
        /// Why the game refuses it.
        why: Refused,
    },
    /// What must be settled before play begins could not be.
    #[error(transparent)]
    Play(Box<PlayError>),
}

impl OpenError {
    /// What a store says when it is read; bytes that are no text are damage of a line.
    pub(crate) fn reading(name: String, error: io::Error) -> OpenError {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<NoText>()) {
            Some(NoText { line }) => {
                let (line, what) = (*line as u64, "not text (UTF-8)".to_owned());
                OpenError::Log(LogError { name, line, what, damaged: line > 1 })
            }
            None => OpenError::Store { name, error },
        }
    }
}

/// Why something did not happen at a table. Then nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The game, or the table, refuses it.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// It could not be saved, so it has not happened; it may be tried again.
    #[error("not saved, so it has not happened: {0}; try again when this is put right")]
    NotSaved(#[source] io::Error),
    /// It would make a line, or a log, that is too long.
    #[error("too long to be kept: {what} (a line may have {} KB)", MAX_LINE / 1024)]
    TooLong {
        /// What would be too long.
        what: String,
    },
    /// Answers that nobody is asked for go on without end.
    #[error("answers that nobody is asked for go on without end: the last was {answer} by {seat}, to {kind}")]
    Endless {
        /// Whose the last one was.
        seat: String,
        /// What it was.
        answer: String,
        /// The kind of ask.
        kind: String,
    },
    /// The game panicked: a bug of the game.
    #[error("a bug of the game: {0}")]
    Bug(String),
    /// The log does not replay: a fault of the game or of the log.
    #[error("{0}")]
    Replay(String),
}

impl PlayError {
    /// Refused for its form.
    pub(crate) fn form(what: impl Into<std::borrow::Cow<'static, str>>) -> Self {
        PlayError::Refused(Refused::form(what))
    }
}
