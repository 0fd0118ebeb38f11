//! Tests of the program: each verb, as a person or a script runs it.

mod bad_input;
mod carry;
mod common;
mod play;
mod programs;
mod report;
mod serve;
mod simulate;
mod turns;
