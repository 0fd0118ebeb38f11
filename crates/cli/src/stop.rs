//! Why a command ends other than by being done.

use fracas_kernel::Faults;
use std::{io, path::Path};

/// Why a command stops early. The exit code follows from it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// Somebody left before there was anything to lose. Exit code 0.
    #[error("left")]
    Left,
    /// A check failed, and what failed has been printed. Exit code 1.
    #[error("a check failed")]
    Failed,
    /// A log could not be verified, or not all of it, and that has been printed.
    /// Exit code 3.
    #[error("not verified")]
    NotVerified,
    /// A file cannot be read, and that has been printed. Exit code 2.
    #[error("a file cannot be read")]
    Unreadable,
    /// Something given to the command cannot be used. Exit code 2.
    #[error("{0}")]
    Bad(String),
    /// Standard output is gone (then nobody reads the error either) or broken.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

impl Stop {
    /// Bad input.
    pub(crate) fn bad(what: impl Into<String>) -> Self {
        Stop::Bad(what.into())
    }

    /// A file that cannot be used.
    pub(crate) fn file(path: &Path, what: impl std::fmt::Display) -> Self {
        Stop::Bad(format!("{}: {what}", path.display()))
    }
}

impl From<Faults> for Stop {
    fn from(faults: Faults) -> Self {
        Stop::Bad(faults.to_string())
    }
}

/// How a command ends.
pub(crate) type Ended = Result<(), Stop>;
