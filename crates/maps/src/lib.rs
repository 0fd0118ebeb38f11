//! Maps and pictures from outside: what map makers export, read with care.
//!
//! [`import`] reads a Universal VTT map (`.dd2vtt`, `.uvtt`, `.df2vtt`), [`from_picture`] a
//! plain picture. Both give a [`Map`]: its size, the walls between its spaces, and the picture,
//! written anew without anything that is not drawn ([`picture`]). [`Map::block`] is the map as
//! the `[map]` of an encounter.
//!
//! A file may hold anything: what is too large, broken or contradicts itself is refused
//! ([`MapError`]), and memory and time are bounded by the limits here.

#![forbid(unsafe_code)]

mod block;
mod number;
pub mod picture;
mod stands;
mod vtt;
mod walls;

pub use picture::{Picture, PictureError};
pub use vtt::import;

use fracas_kernel::{Field, MAX_SIDE, Metric, Space};

/// The most bytes of a file.
pub const MAX_FILE: usize = 16 << 20;

/// The most letters that a refusal quotes.
const LONGEST: usize = 160;

/// A map that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    /// How many columns there are, 1 to [`MAX_SIDE`].
    pub columns: u8,
    /// How many rows.
    pub rows: u8,
    /// The edges that nobody crosses, each by the two spaces beside it.
    pub walls: Vec<(Space, Space)>,
    /// The picture, and where it lies.
    pub laid: Option<Laid>,
}

/// A picture, and where it lies: in thousandths of a space, from the upper left corner of the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Laid {
    /// The picture.
    pub picture: Picture,
    /// Its left edge.
    pub left: i32,
    /// Its upper edge.
    pub top: i32,
    /// How wide it is.
    pub width: i32,
    /// How high.
    pub height: i32,
}

/// How an encounter names its picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named<'a> {
    /// By the id under which a server keeps it.
    Id(&'a str),
    /// As a file beside the encounter.
    File(&'a str),
}

/// Why a file is no map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MapError {
    /// More bytes than [`MAX_FILE`].
    #[error(
        "the file has {0} bytes, and {MAX_FILE} are the most: export the picture smaller, or as JPEG or WebP"
    )]
    TooLarge(usize),
    /// Neither of the two.
    #[error(
        "the file is neither a Universal VTT map (.dd2vtt, .uvtt, .df2vtt) nor a PNG, JPEG or WebP picture"
    )]
    Unknown,
    /// No JSON, or a field that is something else.
    #[error("{place}: {what}")]
    Wrong {
        /// Where, by the names of the fields.
        place: String,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// More spaces than can be played.
    #[error(
        "the map has {columns} columns and {rows} rows, and {MAX_SIDE} each are the most: export a part of it, or with larger spaces"
    )]
    Size {
        /// How many columns it has.
        columns: String,
        /// How many rows.
        rows: String,
    },
    /// A picture of another map.
    #[error("the picture has {} by {} pixels, and the map {} by {} spaces: they have not the same shape", .picture.0, .picture.1, .map.0, .map.1)]
    Shape {
        /// Width and height of the picture.
        picture: (u32, u32),
        /// Width and height of the map.
        map: (String, String),
    },
    /// The picture cannot be used.
    #[error("the picture: {0}")]
    Picture(#[from] PictureError),
}

impl MapError {
    fn wrong(place: impl Into<String>, what: impl Into<String>) -> MapError {
        MapError::Wrong { place: short(place.into()), what: short(what.into()) }
    }
}

/// The beginning of a text that may quote the whole file.
fn short(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Whether a file begins like a picture.
pub fn is_picture(bytes: &[u8]) -> bool {
    picture::format(bytes).is_some()
}

/// A map of this size with a picture on the whole of it.
///
/// # Errors
/// If the size is 0 or too large, or the picture cannot be used.
pub fn from_picture(bytes: &[u8], columns: u8, rows: u8) -> Result<Map, MapError> {
    if bytes.len() > MAX_FILE {
        return Err(MapError::TooLarge(bytes.len()));
    }
    if ![columns, rows].iter().all(|side| (1..=MAX_SIDE).contains(side)) {
        return Err(MapError::Size { columns: columns.to_string(), rows: rows.to_string() });
    }
    let picture = picture::read(bytes)?;
    let [width, height] = [columns, rows].map(|side| 1000 * i32::from(side));
    let laid = Some(Laid { picture, left: 0, top: 0, width, height });
    Ok(Map { columns, rows, walls: Vec::new(), laid })
}

impl Map {
    /// The map as games search it, in squares.
    pub fn field(&self) -> Field {
        let mut field = Field::grid(self.columns, self.rows, Metric::Square);
        self.walls.iter().for_each(|&(a, b)| field.wall(a, b));
        field
    }
}
