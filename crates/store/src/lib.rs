//! Where a server keeps its tables: one embedded database, one writer.
//!
//! [`Db::log`] is the [`fracas_table::Store`] of one table: its lines are rows
//! that are on disk before an append returns. All writes of a server go through
//! one connection, and those that come together are committed together, so that
//! many tables share one sync of the disk. Beside the logs stand the few things
//! that are no part of a game: who may come in, by which link, and what they
//! prepared.

#![forbid(unsafe_code)]

mod db;
mod lock;
mod log;
mod rows;
mod writer;

pub use db::{Db, DbError, Loss, back_up};
pub use log::{Key, SqlStore};
pub use rows::{
    Deleted, Hash, Member, Named, NewPaper, NewPass, NewTable, Paper, Pass, PassKind, Standing, TableId,
    TableRow,
};
pub use writer::Pace;
