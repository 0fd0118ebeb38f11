//! Pictures that the server draws as SVG: emblems, scenes and dice.
//!
//! Everything follows from the words that are given: no I/O, clock or generator. No picture has a
//! `style` attribute, a script or a text of others, so a strict content policy lets it pass.

#![forbid(unsafe_code)]

mod dice;
mod emblem;
mod scene;
mod seed;
mod words;

pub use dice::{Die, State, die};
pub use emblem::{Emblem, Emblems, Named, Part, emblems};
pub use scene::{Scene, SceneWord, scene_words};
pub use words::Unknown;
