//! What is secret is not sent: not in pages, streams, stories, refusals or
//! numbers, to nobody else, whatever they ask for.

mod canaries;
#[path = "../common/mod.rs"]
mod common;
mod forms;
mod pairs;
#[path = "../common/program.rs"]
#[allow(dead_code, reason = "each test uses its part of it")]
mod program;
mod unheard;
mod worlds;
