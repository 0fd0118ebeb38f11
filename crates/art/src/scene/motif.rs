//! A motif: a word, where what it draws belongs, and how it is drawn.

use super::pen::{Pen, Piece};

/// Where a motif belongs, from back to front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    /// In the sky; not seen from a room.
    Sky,
    /// On the horizon, over the whole width; not seen from a room.
    Far,
    /// The ground, over the whole width; not seen from a room.
    Ground,
    /// Water over the whole width, on which ships float; not seen from a room.
    Water,
    /// A wall over the whole width, outdoors.
    Wall,
    /// The walls and the floor of a room.
    Room,
    /// A thing on the far side of the ground.
    Back,
    /// A bridge over the whole width, on which the things in the middle stand.
    Span,
    /// A thing in the middle.
    Middle,
    /// A thing on the water, or over it.
    Afloat,
    /// Hangs from above.
    Hanging,
    /// A thing in front, beside those in the middle.
    Near,
    /// Along the lower edge.
    Front,
    /// In the air before everything; rain and snow only outdoors.
    Air,
}

/// Something that a scene can show.
pub(crate) struct Motif {
    pub(crate) word: &'static str,
    /// Other words for it.
    pub(crate) also: &'static str,
    pub(crate) about: &'static str,
    /// The hour of a scene that says none, or nothing.
    pub(crate) hour: &'static str,
    pub(crate) layer: Layer,
    /// How wide a thing is; 0 for what has a place of its own.
    pub(crate) width: i32,
    /// Whether it belongs in a room.
    pub(crate) inside: bool,
    pub(crate) draw: Draw,
}

pub(crate) enum Draw {
    Pieces(&'static [Piece]),
    Code(fn(&mut Pen<'_>)),
}

/// A thing with its width, drawn from pieces.
pub(crate) const fn thing(
    layer: Layer,
    word: &'static str,
    also: &'static str,
    width: i32,
    about: &'static str,
    pieces: &'static [Piece],
) -> Motif {
    Motif { word, also, about, hour: "", layer, width, inside: false, draw: Draw::Pieces(pieces) }
}

/// What has a place of its own, drawn by code.
pub(crate) const fn strip(
    layer: Layer,
    word: &'static str,
    also: &'static str,
    about: &'static str,
    draw: fn(&mut Pen<'_>),
) -> Motif {
    Motif { word, also, about, hour: "", layer, width: 0, inside: false, draw: Draw::Code(draw) }
}

impl Motif {
    /// The same, in an hour of its own unless another is said.
    pub(crate) const fn by(self, hour: &'static str) -> Self {
        Self { hour, ..self }
    }

    /// The same, in a room.
    pub(crate) const fn inside(self) -> Self {
        Self { inside: true, ..self }
    }

    /// The same, drawn by code at a place.
    pub(crate) const fn wide(self, width: i32) -> Self {
        Self { width, ..self }
    }
}
