//! The log of a table: append-only, crash-safe, rewindable, replayable.
//!
//! A [`Table`] is a game being played together with its [`Log`]: a setup, then
//! every answer, roll, fiat, rewind and written word, one JSON line each. The
//! state is the fold of the lines that no rewind has struck. A line is in the
//! [`Store`] before anybody is told that it was accepted; where it cannot be
//! saved, nothing has happened.
//!
//! A [`Log`] can also be read by itself, without any game: what everybody was
//! shown stands in it, so [`Log::lines_to`] and [`Log::story`] work on logs
//! whose rules have long changed. [`verify`] and [`Replay`] run one again.

#![forbid(unsafe_code)]

mod carry;
pub mod chain;
mod dice;
mod entry;
mod error;
mod fold;
pub mod golden;
mod hex;
mod lines;
mod log;
mod numbered;
mod store;
mod story;
mod table;
mod verify;

pub use carry::{Origin, carry};
pub use dice::{Seed, throw};
pub use entry::{
    Answer, Auto, Cast, Entry, Fiat, Header, Naming, Note, Paper, Reader, Rewind, Roll, SeenBy, ShownLine,
    ShownText, Snapshot, Standing,
};
pub use error::{LogError, OpenError, PlayError};
pub use fold::course;
pub use lines::{LineTo, What};
pub use log::{FORMAT, Log, MAX_HEADER, MAX_LINE, MAX_LOG, Record};
pub use store::{Contents, FileStore, MemoryStore, Store};
pub use table::{Done, MAX_EAGER, Opening, SNAPSHOT_EVERY, Table, Throw, cast};
pub use verify::{MAX_PROBLEMS, Problem, Replay, Report, Verdict, verify};
