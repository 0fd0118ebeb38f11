//! A server's database: one embedded SQLite file, one writer.
//!
//! [`Db::log`] is the [`fracas_table::Store`] of one table: its lines are rows that are on
//! disk before an append returns. All writes of a server go through one connection, and
//! writes that arrive together are committed together, so that many tables share one sync
//! of the disk. The other tables of the database hold what is not part of a game: seats,
//! links and tokens, and people's papers with their pictures.

#![forbid(unsafe_code)]

mod db;
mod lock;
mod log;
mod pictures;
mod rows;
mod writer;

pub use db::{Db, DbError, Loss, back_up};
pub use log::{Key, SqlStore};
pub use pictures::{Full, NewPicture, Picture, Room};
pub use rows::{
    Deleted, Hash, Member, Named, NewPaper, NewPass, NewTable, Paper, Pass, PassKind, Standing, TableId,
    TableRow,
};
pub use writer::Pace;
