//! The table as people use it, in a real browser.

mod beside;
mod branches;
mod charges;
#[path = "../../../web/tests/it/common/mod.rs"]
#[allow(dead_code, reason = "the tests over a socket use the rest")]
mod common;
mod draws;
mod everybody;
mod fights;
mod fingers;
mod hidden;
mod hostile;
mod map;
mod overlay;
mod person;
mod pictures;
mod plays;
mod pointing;
mod presses;
mod reads;
mod said;
mod script;
mod seats;
mod stays;
#[path = "../../../web/tests/it/secrets/worlds.rs"]
#[allow(dead_code, reason = "the tests over a socket use the rest")]
mod worlds;
