//! The ways in which a command ends early.

use fracas_kernel::Faults;
use std::{io, path::Path};

/// Why a command stops early. The exit code follows from it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// The person left before play began. Exit code 0.
    #[error("left")]
    Left,
    /// A check failed; the failure has been printed. Exit code 1.
    #[error("a check failed")]
    Failed,
    /// A log could not be verified, or only in part; that has been printed. Exit code 3.
    #[error("not verified")]
    NotVerified,
    /// A file cannot be read; that has been printed. Exit code 2.
    #[error("a file cannot be read")]
    Unreadable,
    /// Ctrl-C ended it; what is done is kept or told. Exit code 130.
    #[error("{0}")]
    Interrupted(String),
    /// Bad input. Exit code 2.
    #[error("{0}")]
    Bad(String),
    /// Standard output is closed or broken. Exit code 0 if closed, else 2.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

impl Stop {
    /// Bad input.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Stop::Bad(message.into())
    }

    /// Bad input in a file.
    pub(crate) fn file(path: &Path, message: impl std::fmt::Display) -> Self {
        Stop::Bad(format!("{}: {message}", path.display()))
    }
}

impl From<Faults> for Stop {
    fn from(faults: Faults) -> Self {
        Stop::Bad(faults.to_string())
    }
}

/// The result of a command.
pub(crate) type Ended = Result<(), Stop>;
