//! The table as people use it, in a real browser.

#[path = "../../../web/tests/common/mod.rs"]
mod common;
mod everybody;
mod hostile;
mod person;
mod plays;
mod said;
mod script;
mod stays;
#[path = "../../../web/tests/secrets/worlds.rs"]
#[allow(dead_code, reason = "the tests over a socket use the rest")]
mod worlds;
