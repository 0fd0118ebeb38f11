//! The log of a table: append-only, crash-safe, rewindable, replayable.
//!
//! A [`Table`] is a game in play with its [`Log`]: the setup, then every answer,
//! roll, fiat, rewind and note, one JSON line each. Replaying the lines that no
//! rewind has struck gives the state. A line is in the [`Store`] before its sender
//! gets an answer; if it cannot be saved, nothing has happened.
//!
//! A [`Log`] can be read without its game: it holds the events in words, as each
//! viewer was shown them. So [`Log::lines_to`] and [`Log::story`] work on logs
//! whose rules have changed. [`verify`] and [`Replay`] replay a log.

#![forbid(unsafe_code)]

mod branch;
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

pub use branch::branch;
pub use carry::{Origin, carry};
pub use dice::{Seed, throw};
pub use entry::{
    Answer, Auto, Branched, Cast, Entry, Fiat, Header, Naming, Note, Paper, Reader, Rewind, Roll, SeenBy,
    ShownLine, ShownText, Snapshot, Standing,
};
pub use error::{LogError, OpenError, PlayError};
pub use fold::course;
pub use lines::{LineTo, What};
pub use log::{FORMAT, Log, MAX_HEADER, MAX_LINE, MAX_LOG, Record};
pub use numbered::session_id;
pub use store::{Contents, FileStore, MemoryStore, Store};
pub use story::Detail;
pub use table::{Done, MAX_EAGER, Opening, SNAPSHOT_EVERY, Table, Throw, cast};
pub use verify::{MAX_PROBLEMS, Problem, Replay, Report, Verdict, verify};
