//! Dice: what is thrown and how it is read.

use crate::{Seat, Viewer};
use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use std::{fmt, hash::Hash};

/// The most dice one roll may have.
pub const MAX_DICE: usize = 240;

/// The most sizes of dice that one roll may have.
pub(crate) const MAX_SIZES: usize = 6;

/// Faces in the order of the dice.
pub type Faces = ArrayVec<u8, MAX_DICE>;

/// A number of dice of one size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Die {
    /// How many sides, 2 to 100; faces run from 1.
    pub sides: u8,
    /// How many of them.
    pub count: u8,
}

/// The dice of one roll, size by size.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Dice(ArrayVec<Die, MAX_SIZES>);

impl Dice {
    /// `count` dice of one size.
    pub fn of(count: u8, sides: u8) -> Self {
        Dice::default().and(count, sides)
    }

    /// These and `count` dice of another size.
    ///
    /// # Panics
    /// With more than six entries or [`MAX_DICE`] dice: a game's own bug.
    #[must_use]
    pub fn and(mut self, count: u8, sides: u8) -> Self {
        if count > 0 {
            self.0.push(Die { sides, count });
        }
        assert!(self.len() <= MAX_DICE, "a roll of more than {MAX_DICE} dice");
        self
    }

    /// Size by size.
    pub fn kinds(&self) -> &[Die] {
        &self.0
    }

    /// How many dice.
    pub fn len(&self) -> usize {
        self.0.iter().map(|d| usize::from(d.count)).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sides of each die in order.
    pub fn sides(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().flat_map(|d| std::iter::repeat_n(d.sides, usize::from(d.count)))
    }

    /// How many equally likely throws there are; `None` beyond `u128`.
    pub fn throws(&self) -> Option<u128> {
        self.0
            .iter()
            .try_fold(1u128, |n, d| n.checked_mul(u128::from(d.sides).checked_pow(u32::from(d.count))?))
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, d) in self.0.iter().enumerate() {
            write!(f, "{}{}d{}", if i > 0 { " + " } else { "" }, d.count, d.sides)?;
        }
        Ok(())
    }
}

/// A statistic of many dice, folded die by die in any order.
///
/// Keep it to what the rules look at: the fewer classes there are, the sooner
/// their weights are known ([`crate::classes`]).
pub trait Fold: Copy + Eq + Ord + Hash + fmt::Debug + Serialize + Send + Sync + 'static {
    /// Whether the first die is told apart from the others. All dice of such a roll have the
    /// same size; the others count in any order.
    const FIRST_APART: bool = false;

    /// The statistic with one more die showing `face`.
    #[must_use]
    fn take(self, sides: u8, face: u8) -> Self;
}

/// For games whose rolls are all read face by face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub enum NoFold {}

impl Fold for NoFold {
    fn take(self, _: u8, _: u8) -> Self {
        match self {}
    }
}

/// The part of a roll that matters to the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read<F> {
    /// Every die in its place.
    Ordered,
    /// The faces of each size, highest first; which die shows which face does not count.
    Sorted,
    /// Only this statistic, starting here.
    Fold(F),
}

/// Who may see the faces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// Everybody.
    Openly,
    /// The gamemaster alone.
    ByGm,
    /// The gamemaster and this seat.
    ByGmAnd(Seat),
}

impl Seen {
    /// Whether this viewer may see them.
    pub fn by(self, who: Viewer) -> bool {
        match self {
            Seen::Openly => true,
            Seen::ByGm => who.is_gm(),
            Seen::ByGmAnd(seat) => who.is_gm() || who == Viewer::Seat(seat),
        }
    }
}

/// A roll that is due.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roll<F> {
    /// Whose dice they are: who throws, or types the faces in.
    pub whose: Seat,
    /// Who may see them.
    pub seen: Seen,
    /// The dice.
    pub dice: Dice,
    /// The part of them that matters to the rules.
    pub read: Read<F>,
}

/// How faces came about; recorded beside them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thrown {
    /// By the table's generator.
    Thrown,
    /// Typed in from real dice.
    Typed,
    /// Kept from before a rewind, the roll being the same.
    Again,
}

/// Chance's answer as a game reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rolled<'a, F> {
    /// Faces: in dice order, or (for [`Read::Sorted`]) highest first by size.
    Faces(&'a [u8]),
    /// The class of the fold.
    Class(F),
}

/// Why faces do not fit a roll.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FacesError {
    /// Too few or too many.
    #[error("{dice} takes {want} face{}, not {got}", if *want == 1 { "" } else { "s" })]
    Count {
        /// The roll.
        dice: String,
        /// Faces wanted.
        want: usize,
        /// Faces given.
        got: usize,
    },
    /// A face that the die has not.
    #[error("die {place} is a d{sides}: its face is 1 to {sides}, not {face}")]
    Face {
        /// Which die, from 1.
        place: usize,
        /// Its sides.
        sides: u8,
        /// The face given.
        face: u8,
    },
}

impl<F: Fold> Roll<F> {
    /// Whether these faces can fall.
    ///
    /// # Errors
    /// Where the number of faces is wrong, or a face is not on its die.
    pub fn fits(&self, faces: &[u8]) -> Result<(), FacesError> {
        let want = self.dice.len();
        if faces.len() != want {
            return Err(FacesError::Count { dice: self.dice.to_string(), want, got: faces.len() });
        }
        for (i, (sides, &face)) in self.dice.sides().zip(faces).enumerate() {
            if face == 0 || face > sides {
                return Err(FacesError::Face { place: i + 1, sides, face });
            }
        }
        Ok(())
    }

    /// Brings faces that fit into the form in which the game reads them.
    pub fn sort(&self, faces: &mut [u8]) {
        if self.read == Read::Sorted {
            let mut from = 0;
            for kind in self.dice.kinds() {
                let to = from + usize::from(kind.count);
                faces[from..to].sort_unstable_by(|a, b| b.cmp(a));
                from = to;
            }
        }
    }

    /// The class of faces that fit: what the game is told of them.
    ///
    /// `faces` must already be in the form that [`Roll::sort`] gives.
    pub fn classify<'a>(&self, faces: &'a [u8]) -> Rolled<'a, F> {
        match self.read {
            Read::Ordered | Read::Sorted => Rolled::Faces(faces),
            Read::Fold(start) => Rolled::Class(
                self.dice.sides().zip(faces).fold(start, |fold, (sides, &face)| fold.take(sides, face)),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_faces_are_refused() {
        let two =
            Roll::<NoFold> { whose: Seat::Gm, seen: Seen::Openly, dice: Dice::of(2, 6), read: Read::Sorted };
        assert_eq!(two.fits(&[3]).unwrap_err().to_string(), "2d6 takes 2 faces, not 1");
        let single = Roll::<NoFold> { dice: Dice::of(1, 20), ..two.clone() };
        assert_eq!(single.fits(&[]).unwrap_err().to_string(), "1d20 takes 1 face, not 0");
        assert_eq!(two.fits(&[3, 7]).unwrap_err().to_string(), "die 2 is a d6: its face is 1 to 6, not 7");
        assert_eq!(two.fits(&[0, 6]).unwrap_err().to_string(), "die 1 is a d6: its face is 1 to 6, not 0");
    }
}
