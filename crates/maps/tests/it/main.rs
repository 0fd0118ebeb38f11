//! Maps as exporters write them, and files that are none.

mod common;
mod hostile;
mod pictures;
mod walls;
