//! Secrets are not sent: not in pages, streams, stories, refusals or numbers, to any other
//! viewer, whatever the request.

mod canaries;
mod dice;
pub(crate) mod forms;
mod pairs;
mod unheard;
pub(crate) mod worlds;
