//! What people and programs do at a table, and why it is refused.

use fracas_kernel::{Refused, Seat};
use fracas_store::Hash;
use fracas_table::{PlayError, Reader};

/// A command of a viewer at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Answers an ask.
    Answer {
        /// The ask, by this viewer's name for it.
        ask: String,
        /// The answer, as JSON with names.
        answer: String,
        /// The viewer's own words in place of the answer's label.
        own: Option<String>,
        /// The words beside the answer.
        text: Option<String>,
        /// The seat that the gamemaster answers for.
        of: Option<Seat>,
    },
    /// Throws the dice that are due, or enters the faces of real dice.
    Throw {
        /// The roll, by this viewer's name for it.
        roll: String,
        /// The faces of real dice, in the dice's order.
        faces: Option<Vec<u8>>,
    },
    /// Overrules the engine (JSON with names).
    Fiat {
        /// The fiat.
        fiat: String,
        /// The words beside the fiat.
        text: Option<String>,
    },
    /// Writes a note.
    Note {
        /// The readers.
        to: Reader,
        /// The words.
        text: String,
    },
    /// Gives a standing reply (JSON with names), or withdraws it.
    Stand {
        /// The reply.
        reply: String,
        /// Given, or withdrawn.
        on: bool,
    },
    /// Rewinds to right after this line: the gamemaster's.
    Rewind(u64),
    /// Undoes the last command of any seat: the gamemaster's. The line to undo may be given.
    Undo(Option<u64>),
    /// Takes back the viewer's own answer.
    TakeBack,
}

/// A command's key: a command sent again under its key is not done again.
#[derive(Clone, Debug)]
pub struct Called {
    /// The key, unique among the caller's.
    pub key: String,
    /// The hash of the request, if the key may stand for nothing else.
    pub asked: Option<Hash>,
}

impl From<String> for Called {
    fn from(key: String) -> Called {
        Called { key, asked: None }
    }
}

/// Why a command was not carried out. Then nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The ask is no longer open.
    #[error("that is no longer asked: look at what is asked now")]
    Stale,
    /// Another seat answered it first; with that answer as far as the viewer saw it.
    #[error("{0}")]
    Quicker(String),
    /// Another command came in between.
    #[error("something else was done meanwhile: look at what would be taken back now")]
    Moved,
    /// The game or the table refuses the command.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The key stands for another command.
    #[error("something else was done under this key: nothing was done now")]
    Otherwise,
    /// Play is paused.
    #[error("the table is paused: its leader resumes it")]
    Paused,
    /// The viewer has written too much in a short time; with the seconds until more is
    /// allowed.
    #[error(
        "that is more than one seat writes in so short a time: it was not kept, and all before it was; \
             try again in {0} s"
    )]
    TooMuch(u64),
    /// This role may not do it.
    #[error("{0}")]
    NotYours(&'static str),
    /// The command could not be saved or done, and may be tried again. The cause is in the
    /// server's log.
    #[error("{0}")]
    Failed(&'static str),
}

impl From<PlayError> for Refusal {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Refused(refused) => Refusal::Refused(refused),
            error => Refusal::failed(&error),
        }
    }
}

impl Refusal {
    /// A failure that nobody at the table can mend. Only the server's log has the details,
    /// which may hold secrets.
    pub fn failed(error: &dyn std::fmt::Display) -> Refusal {
        tracing::error!(%error, "a command failed");
        Refusal::Failed("that could not be kept, so it has not happened: try again")
    }
}

/// The most letters of a note, or of words beside an answer.
const TEXT: usize = 8_000;
/// The most letters of an answer, a fiat or a standing reply.
const JSON: usize = 20_000;

impl Command {
    /// The length of its texts, in bytes.
    pub fn said(&self) -> usize {
        let (said, text) = self.words();
        let readers = match self {
            Command::Note { to: Reader::Seats(seats), .. } => seats.len() * size_of::<Seat>(),
            _ => 0,
        };
        said + text.map_or(0, str::len) + readers
    }

    /// The length of its answer, fiat or reply, and the words beside.
    fn words(&self) -> (usize, Option<&str>) {
        match self {
            Command::Answer { answer, own, text, .. } => {
                (answer.len() + own.as_ref().map_or(0, String::len), text.as_deref())
            }
            Command::Fiat { fiat, text } => (fiat.len(), text.as_deref()),
            Command::Note { text, .. } => (0, Some(text.as_str())),
            Command::Stand { reply, .. } => (reply.len(), None),
            Command::Throw { .. } | Command::Rewind(_) | Command::Undo(_) | Command::TakeBack => (0, None),
        }
    }

    /// Checks that its texts are not too long.
    pub(crate) fn fits(&self) -> Result<(), Refusal> {
        let (said, text) = self.words();
        if said > JSON {
            return Err(Refused::form(format!("an answer of {said} letters; the most is {JSON}")).into());
        }
        match text.map(str::len) {
            Some(long) if long > TEXT => {
                Err(Refused::form(format!("a text of {long} letters; the most is {TEXT}")).into())
            }
            _ => Ok(()),
        }
    }
}

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// It was carried out; its first line.
    Now(u64),
    /// It had been carried out before; its first line.
    Before(u64),
}
