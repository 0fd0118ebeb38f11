//! Tests of all games together.

mod carried;
mod golden;
mod moves;
mod remembered;
mod scenarios;
mod templates;
mod unseen;
