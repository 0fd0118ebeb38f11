//! Pictures that the server draws as SVG: emblems and scenes.
//!
//! Everything follows from the words that are given: no I/O, clock or generator. No picture has a
//! `style` attribute, a script or a text of others, so a strict content policy lets it pass.

#![forbid(unsafe_code)]

mod emblem;
mod scene;
mod seed;
mod words;

pub use emblem::{Emblem, Part};
pub use scene::{Scene, SceneWord, scene_words};
pub use words::Unknown;
