//! A real browser for tests: Chromium without a screen, driven over WebDriver.
//!
//! [`Chromium::start`] begins a driver, [`Chromium::window`] a browser with a
//! profile of its own: its cookies are its own, as those of another person's
//! device are. Everything here waits until it is done, and panics where it
//! cannot be: what the tests of this crate see is all that it is for.

#![forbid(unsafe_code)]

pub mod axe;
mod chromium;
mod window;

pub use chromium::{Chromium, Look, Scripts};
pub use window::{Key, Part, Window};
