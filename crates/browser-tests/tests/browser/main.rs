//! The table as people use it, in a real browser.

mod beside;
#[path = "../../../web/tests/common/mod.rs"]
mod common;
#[path = "../../../web/tests/common/corpus.rs"]
mod corpus;
mod everybody;
mod fingers;
mod hostile;
mod overlay;
mod person;
#[path = "../../../web/tests/common/play.rs"]
mod play;
mod plays;
#[path = "../../../web/tests/common/program.rs"]
#[allow(dead_code, reason = "each test uses its part of it")]
mod program;
mod reads;
mod said;
mod script;
mod seats;
mod stays;
#[path = "../../../web/tests/secrets/worlds.rs"]
#[allow(dead_code, reason = "the tests over a socket use the rest")]
mod worlds;
