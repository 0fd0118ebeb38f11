//! Errors of tables and logs, in words for the people at the table.

use crate::{log::MAX_LINE, store::NoText};
use fracas_kernel::{Faults, Refused};
use std::io;

/// Why a log cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name}:{line}: {what}")]
pub struct LogError {
    /// The log's file, or another name for it.
    pub name: String,
    /// The line, from 1.
    pub line: u64,
    /// The fault, and the correction.
    pub what: String,
    /// Whether the file begins as a log does, so that it was changed or damaged later.
    pub damaged: bool,
}

/// Why a table cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The store cannot be read or written.
    #[error("{name}: {error}")]
    Store {
        /// The log's file, or another name for it.
        name: String,
        /// The system's error.
        error: io::Error,
    },
    /// The log is damaged.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log's system is not known here.
    #[error("{name}: played with the system {system:?}, which is not one of {known}")]
    System {
        /// The log's file, or another name for it.
        name: String,
        /// The system it names.
        system: String,
        /// The systems that are known.
        known: String,
    },
    /// The setup is faulty.
    #[error("{0}")]
    Setup(#[from] Faults),
    /// The log was written under another version of the rules.
    #[error(
        "{name}: written for version {was} of the rules of {system}, and these are version {now}: \
         upgrade the log to play on; its older lines stay as they were"
    )]
    Version {
        /// The log's file, or another name for it.
        name: String,
        /// The system.
        system: String,
        /// The version of the log.
        was: u32,
        /// The version of this program.
        now: u32,
    },
    /// The log names a version of the rules that does not exist.
    #[error(
        "{name}:{line}: says version {was} of the rules of {system}, and this program knows versions 1 to {now}: \
         a later Fracas wrote it, or somebody changed it"
    )]
    NoVersion {
        /// The log's file, or another name for it.
        name: String,
        /// The line that names it, from 1.
        line: u64,
        /// The system.
        system: String,
        /// The version it names.
        was: u32,
        /// The latest version that exists.
        now: u32,
    },
    /// The log was written under another version of the rules, and cannot be converted.
    #[error(
        "{name}: cannot be converted from version {was} of the rules of {system} to version {now}: {what}; \
         open it once with the Fracas that wrote it and close it there, or play on with that Fracas"
    )]
    Upgrade {
        /// The log's file, or another name for it.
        name: String,
        /// The system.
        system: String,
        /// The version of the log.
        was: u32,
        /// The version of this program.
        now: u32,
        /// The reason.
        what: String,
    },
    /// The game refuses a line of the log.
    #[error("{name}:{line}: cannot be played again: {why}")]
    Unplayable {
        /// The log's file, or another name for it.
        name: String,
        /// The line, from 1.
        line: u64,
        /// The refusal.
        why: Refused,
    },
    /// Play could not go on to the next ask.
    #[error(transparent)]
    Play(Box<PlayError>),
}

impl OpenError {
    /// Turns the error of a store's `read` into an error of the log; bytes that are not
    /// UTF-8 are a damaged line.
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

/// Why a table refused or failed to do something. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The game or the table refuses it.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// It could not be saved. It can be tried again.
    #[error("not saved, so nothing has changed: {0}; try again once the cause is fixed")]
    NotSaved(#[source] io::Error),
    /// It would exceed the length of a line or a log.
    #[error("too long to be saved: {what} (a line may have {} KB)", MAX_LINE / 1024)]
    TooLong {
        /// The part that would be too long.
        what: String,
    },
    /// Answers that are given without asking do not end.
    #[error("answers given without asking do not end: the last was {answer} by {seat}, to {kind}")]
    Endless {
        /// The seat of the last one.
        seat: String,
        /// The last answer.
        answer: String,
        /// The kind of its ask.
        kind: String,
    },
    /// The game panicked, which is a bug of the game.
    #[error("a bug of the game: {0}")]
    Bug(String),
    /// The log does not replay, which is a fault of the game or of the log.
    #[error("{0}")]
    Replay(String),
}

impl PlayError {
    /// Refuses a request for its form, without a clause.
    pub(crate) fn form(what: impl Into<std::borrow::Cow<'static, str>>) -> Self {
        PlayError::Refused(Refused::form(what))
    }
}
