//! Maps of spaces: where somebody can be, how far that is, and which way leads there.
//!
//! A [`Field`] is the ground of a scene: a grid of squares or hexes, or named places with
//! lengths between them. [`Field::reach`] finds everything within so many steps and
//! [`Reach::path`] the way there, without allocation.

mod drawn;
mod field;
mod grid;
mod places;
mod reach;
mod read;

pub use field::Field;
pub use places::PlacesError;
pub use reach::{Blocked, Reach};

use crate::stage;
use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::{fmt, io, str::FromStr};

/// The most columns, and the most rows, of a map.
pub const MAX_SIDE: u8 = 64;

/// The same, to count with.
const SIDE: usize = MAX_SIDE as usize;

/// The most places of a map of places.
pub const MAX_PLACES: usize = 24;

/// The most ways that lead from a place.
pub const MAX_WAYS: usize = 16;

/// The most spaces of a path.
pub const MAX_PATH: usize = 64;

/// A way from space to space: without its start, with its end.
pub type Path = ArrayVec<Space, MAX_PATH>;

/// A straight line of spaces: without its start, with its end, from any space to any other.
pub type Line = ArrayVec<Space, { 2 * (SIDE - 1) }>;

/// Where a step leads from a space: 8 at most on a grid, [`MAX_WAYS`] from a place.
pub type Neighbours = ArrayVec<Space, MAX_WAYS>;

/// A space of a map, by column and row from the upper left; on a map of places the number of
/// a place.
///
/// Written like a cell of a spreadsheet: `C4` is the third column of the fourth row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, BorshSerialize)]
pub struct Space(u16);

/// A text that is not a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "expected a space such as C4: a letter for the column (A to BL) and a number for the row (1 to {MAX_SIDE})"
)]
pub struct SpaceError;

impl Space {
    /// How many spaces a map of the largest size has.
    pub const COUNT: usize = SIDE * SIDE;

    /// The space in this column and row, both from 0; `None` beyond [`MAX_SIDE`].
    pub const fn new(column: u8, row: u8) -> Option<Space> {
        if column < MAX_SIDE && row < MAX_SIDE {
            Some(Space(row as u16 * MAX_SIDE as u16 + column as u16))
        } else {
            None
        }
    }

    /// The space with this [`Space::index`].
    pub const fn of_index(index: usize) -> Option<Space> {
        if index < Space::COUNT { Some(Space(index as u16)) } else { None }
    }

    /// Its number, row by row: below [`Space::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column, from 0 at the left.
    pub const fn column(self) -> u8 {
        (self.0 % MAX_SIDE as u16) as u8
    }

    /// The row, from 0 at the top.
    pub const fn row(self) -> u8 {
        (self.0 / MAX_SIDE as u16) as u8
    }

    /// The column as a bit of a row.
    const fn bit(self) -> u64 {
        1 << self.column()
    }
}

crate::refer_to_nothing!(Space, Spaces);

/// How many letters there are for columns.
const LETTERS: u8 = 26;

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |n: u8| char::from(b'A' + n);
        let (before, last) = (self.column() / LETTERS, self.column() % LETTERS);
        let row = self.row() + 1;
        match before {
            0 => write!(f, "{}{row}", letter(last)),
            before => write!(f, "{}{}{row}", letter(before - 1), letter(last)),
        }
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Space {
    type Err = SpaceError;

    fn from_str(text: &str) -> Result<Space, SpaceError> {
        let digits = text.find(|c: char| !c.is_ascii_alphabetic()).ok_or(SpaceError)?;
        let (letters, digits) = text.split_at(digits);
        // Each space has one text: neither `C04` nor `C+4`.
        if !digits.starts_with(|c: char| matches!(c, '1'..='9')) {
            return Err(SpaceError);
        }
        let number = |letter: u8| letter.to_ascii_uppercase() - b'A';
        let column = match *letters.as_bytes() {
            [last] => number(last),
            // No column beyond BL has letters that a `u8` could not count.
            [before, last] if number(before) < 2 => (number(before) + 1) * LETTERS + number(last),
            _ => return Err(SpaceError),
        };
        let row = digits.parse::<u8>().map_err(|_| SpaceError)?;
        Space::new(column, row - 1).ok_or(SpaceError)
    }
}

impl Serialize for Space {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Space {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Space, D::Error> {
        let text: Cow<'de, str> = Deserialize::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl BorshDeserialize for Space {
    fn deserialize_reader<R: io::Read>(reader: &mut R) -> io::Result<Space> {
        let index = u16::deserialize_reader(reader)?;
        let beyond = || io::Error::new(io::ErrorKind::InvalidData, format!("no space has number {index}"));
        Space::of_index(index.into()).ok_or_else(beyond)
    }
}

crate::words!(
    /// How spaces lie, and what a step is.
    #[derive(Default)]
    Metric {
        /// Squares. A diagonal step counts 1.
        #[default]
        Square = "square",
        /// Squares without diagonal steps.
        Orthogonal = "square-orthogonal",
        /// Hexes. Every other row, from the second, is half a space to the right.
        Hex = "hex",
    }
);

impl From<Metric> for stage::Grid {
    fn from(metric: Metric) -> stage::Grid {
        match metric {
            Metric::Square => stage::Grid::Square,
            Metric::Orthogonal => stage::Grid::Orthogonal,
            Metric::Hex => stage::Grid::Hex,
        }
    }
}

/// A set of spaces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub struct Spaces([u64; SIDE]);

impl Spaces {
    /// None.
    pub const EMPTY: Spaces = Spaces([0; SIDE]);

    /// All spaces of a map of this size, at most [`MAX_SIDE`] by [`MAX_SIDE`].
    pub const fn all(columns: u8, rows: u8) -> Spaces {
        let row = match columns {
            0 => 0,
            1..MAX_SIDE => (1 << columns) - 1,
            MAX_SIDE.. => u64::MAX,
        };
        let mut all = Spaces::EMPTY;
        let mut n = 0;
        while n < rows as usize && n < SIDE {
            all.0[n] = row;
            n += 1;
        }
        all
    }

    /// Whether it is in the set.
    pub const fn has(&self, space: Space) -> bool {
        self.0[space.row() as usize] & space.bit() != 0
    }

    /// Puts it in.
    pub const fn add(&mut self, space: Space) {
        self.0[space.row() as usize] |= space.bit();
    }

    /// Takes it out.
    pub const fn remove(&mut self, space: Space) {
        self.0[space.row() as usize] &= !space.bit();
    }

    /// With this one.
    #[must_use]
    pub const fn with(mut self, space: Space) -> Spaces {
        self.add(space);
        self
    }

    /// Without this one.
    #[must_use]
    pub const fn without(mut self, space: Space) -> Spaces {
        self.remove(space);
        self
    }

    /// Those in either.
    #[must_use]
    pub const fn union(mut self, other: &Spaces) -> Spaces {
        let mut n = 0;
        while n < SIDE {
            self.0[n] |= other.0[n];
            n += 1;
        }
        self
    }

    /// Those in both.
    #[must_use]
    pub const fn and(mut self, other: &Spaces) -> Spaces {
        let mut n = 0;
        while n < SIDE {
            self.0[n] &= other.0[n];
            n += 1;
        }
        self
    }

    /// Those in this one only.
    #[must_use]
    pub const fn minus(mut self, other: &Spaces) -> Spaces {
        let mut n = 0;
        while n < SIDE {
            self.0[n] &= !other.0[n];
            n += 1;
        }
        self
    }

    /// How many.
    pub const fn len(&self) -> usize {
        let (mut count, mut n) = (0, 0);
        while n < SIDE {
            count += self.0[n].count_ones() as usize;
            n += 1;
        }
        count
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Row by row, in a row by column.
    pub fn iter(&self) -> impl Iterator<Item = Space> + '_ {
        self.0.iter().enumerate().flat_map(|(row, &bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let column = left.trailing_zeros();
                // Without the lowest bit; of none there is nothing to take off.
                left &= left.checked_sub(1)?;
                Space::of_index(row * SIDE + column as usize)
            })
        })
    }
}

impl Default for Spaces {
    fn default() -> Spaces {
        Spaces::EMPTY
    }
}

impl FromIterator<Space> for Spaces {
    fn from_iter<I: IntoIterator<Item = Space>>(spaces: I) -> Spaces {
        spaces.into_iter().fold(Spaces::EMPTY, Spaces::with)
    }
}

impl fmt::Debug for Spaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, and are the same each time.
    pub(super) struct Random(pub(super) u64);

    impl Random {
        /// A number below this one.
        pub(super) fn below(&mut self, count: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % count
        }

        /// A space of a map of this size.
        pub(super) fn space(&mut self, columns: u8, rows: u8) -> Space {
            let side = |count: usize| count as u8;
            Space::new(side(self.below(columns.into())), side(self.below(rows.into()))).unwrap()
        }

        /// About so many in a hundred of the spaces of a map.
        pub(super) fn some(&mut self, columns: u8, rows: u8, percent: usize) -> Spaces {
            Spaces::all(columns, rows).iter().filter(|_| self.below(100) < percent).collect()
        }
    }

    /// The space that a text means.
    pub(super) fn at(text: &str) -> Space {
        text.parse().unwrap_or_else(|wrong| panic!("{text}: {wrong}"))
    }

    #[test]
    fn every_space_has_a_text_that_means_it() {
        for index in 0..Space::COUNT {
            let space = Space::of_index(index).unwrap();
            assert_eq!(space.index(), index);
            assert_eq!(Space::new(space.column(), space.row()), Some(space));
            assert_eq!(at(&space.to_string()), space);
            assert_eq!(at(&space.to_string().to_lowercase()), space);
        }
        assert_eq!(Space::of_index(Space::COUNT), None);
        assert_eq!((Space::new(64, 0), Space::new(0, 64)), (None, None));
        for (text, column, row) in
            [("A1", 0, 0), ("C4", 2, 3), ("Z64", 25, 63), ("AA1", 26, 0), ("ba2", 52, 1), ("BL64", 63, 63)]
        {
            assert_eq!(at(text), Space::new(column, row).unwrap(), "{text}");
        }
    }

    #[test]
    fn what_is_no_space_is_refused() {
        for text in [
            "", "A", "4", "A0", "A65", "A256", "A999999", "BM1", "CA1", "IZ1", "AAA1", "ZZ1", "A01", "A+1",
            "A-1", "A 1", " A1", "A1 ", "A1B", "A1.0", "Ä1", "A１", "\u{0}1", "@s1",
        ] {
            let wrong = text.parse::<Space>().unwrap_err();
            assert!(wrong.to_string().starts_with("expected a space such as C4: a letter for"), "{text:?}");
        }
        let long = format!("{}1", "A".repeat(100_000));
        assert_eq!(long.parse::<Space>(), Err(SpaceError));
    }

    #[test]
    fn a_space_goes_through_json_and_snapshots() {
        let space = at("AB12");
        assert_eq!(serde_json::to_string(&space).unwrap(), r#""AB12""#);
        assert_eq!(serde_json::from_str::<Space>(r#""ab12""#).unwrap(), space);
        assert!(serde_json::from_str::<Space>("12").is_err());
        let wrong = serde_json::from_str::<Space>(r#""AB65""#).unwrap_err().to_string();
        assert!(wrong.contains("a number for the row (1 to 64)"), "{wrong}");
        let bytes = borsh::to_vec(&space).unwrap();
        assert_eq!(borsh::from_slice::<Space>(&bytes).unwrap(), space);
        assert!(borsh::from_slice::<Space>(&4095u16.to_le_bytes()).is_ok());
        for beyond in [4096u16, u16::MAX] {
            assert!(borsh::from_slice::<Space>(&beyond.to_le_bytes()).is_err());
        }
    }

    #[test]
    fn a_set_holds_what_is_put_in() {
        const TWO: Spaces = Spaces::EMPTY.with(Space(4095)).with(Space(0));
        assert_eq!(TWO.iter().map(Space::index).collect::<Vec<_>>(), [0, 4095]);
        assert_eq!(format!("{TWO:?}"), "{A1, BL64}");
        assert!(TWO.has(Space(0)) && !TWO.has(Space(1)));
        assert_eq!(TWO.without(Space(0)).len(), 1);
        assert!(TWO.without(Space(0)).without(Space(4095)).is_empty() && !TWO.is_empty());
        for (columns, rows) in [(0, 3), (3, 0), (1, 1), (63, 2), (64, 64), (255, 255)] {
            let all = Spaces::all(columns, rows);
            assert_eq!(all.len(), usize::from(columns.min(64)) * usize::from(rows.min(64)));
            assert!(all.iter().all(|space| space.column() < columns && space.row() < rows));
        }
        let mut random = Random(1);
        let (some, others) = (random.some(64, 64, 50), random.some(64, 64, 50));
        for space in Spaces::all(64, 64).iter() {
            let (a, b) = (some.has(space), others.has(space));
            assert_eq!(some.union(&others).has(space), a || b);
            assert_eq!(some.and(&others).has(space), a && b);
            assert_eq!(some.minus(&others).has(space), a && !b);
        }
        assert_eq!(borsh::from_slice::<Spaces>(&borsh::to_vec(&some).unwrap()).unwrap(), some);
    }
}
