//! The server's tests: pages, API, streams and secrets over a socket.

mod api;
mod board;
mod common;
mod connections;
mod document;
mod ending;
mod guarded;
mod hindsight;
mod hostile;
mod keeping;
mod later;
mod maps;
mod matrix;
mod once;
mod overlay;
mod pace;
mod papers;
mod prepared;
mod programs;
mod reach;
mod seats;
mod secrets;
mod story;
mod table;
mod terms;
