//! What is secret is not sent: not in pages, streams, stories, refusals or
//! numbers, to nobody else, whatever they ask for.

mod canaries;
pub(crate) mod forms;
mod pairs;
mod unheard;
pub(crate) mod worlds;
