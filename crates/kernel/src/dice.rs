//! Dice: what is thrown, how it is read, and the exact weight of each answer.

use crate::Seat;
use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, hash::Hash};

/// The most dice one roll may have.
pub const MAX_DICE: usize = 64;

/// Faces in the order of the dice.
pub type Faces = ArrayVec<u8, MAX_DICE>;

/// So many dice of one size.
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
pub struct Dice(ArrayVec<Die, 6>);

impl Dice {
    /// `count` dice of one size.
    pub fn of(count: u8, sides: u8) -> Self {
        Dice::default().and(count, sides)
    }

    /// These and `count` dice of another size.
    ///
    /// # Panics
    /// With more than six sizes or [`MAX_DICE`] dice: a game's own bug.
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
pub trait Fold: Copy + Eq + Ord + Hash + fmt::Debug + Serialize + Send + Sync + 'static {
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

/// What of a roll matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read<F> {
    /// Every die in its place.
    Ordered,
    /// The faces of each size, whichever die shows them: given highest first.
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

/// A roll that is due.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roll<F> {
    /// Whose dice they are: who throws, or types the faces in.
    pub whose: Seat,
    /// Who may see them.
    pub seen: Seen,
    /// The dice.
    pub dice: Dice,
    /// What of them matters.
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
    #[error("{dice} takes {want} faces, not {got}")]
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

/// Every answer chance can give to a roll, each with its exact weight.
///
/// Weights are counts of equally likely throws; together they make
/// [`Dice::throws`]. Returns that total, or `None` where it exceeds `u128`
/// (then nothing is visited). Faces read in order or sorted are enumerated, so
/// keep such pools small; a fold costs dice × classes × sides.
pub fn classes<F: Fold>(roll: &Roll<F>, mut each: impl FnMut(Rolled<'_, F>, u128)) -> Option<u128> {
    let total = roll.dice.throws()?;
    match roll.read {
        Read::Fold(start) => {
            let mut now = BTreeMap::from([(start, 1u128)]);
            for sides in roll.dice.sides() {
                let mut next = BTreeMap::new();
                for (&fold, &weight) in &now {
                    for face in 1..=sides {
                        *next.entry(fold.take(sides, face)).or_insert(0) += weight;
                    }
                }
                now = next;
            }
            for (fold, weight) in now {
                each(Rolled::Class(fold), weight);
            }
        }
        Read::Ordered => {
            let sides: ArrayVec<u8, MAX_DICE> = roll.dice.sides().collect();
            let mut faces: Faces = sides.iter().map(|_| 1).collect();
            loop {
                each(Rolled::Faces(&faces), 1);
                let Some(i) = (0..faces.len()).rfind(|&i| faces[i] < sides[i]) else { break };
                faces[i] += 1;
                faces[i + 1..].fill(1);
            }
        }
        Read::Sorted => {
            let mut faces = Faces::new();
            sorted(roll.dice.kinds(), &mut faces, 1, &mut each);
        }
    }
    Some(total)
}

/// Enumerates multisets of each kind of die, with multinomial weights.
fn sorted<F: Fold>(
    kinds: &[Die],
    faces: &mut Faces,
    weight: u128,
    each: &mut impl FnMut(Rolled<'_, F>, u128),
) {
    let Some((kind, rest)) = kinds.split_first() else {
        each(Rolled::Faces(faces), weight);
        return;
    };
    multisets(kind.sides, kind.count, faces, weight, &mut |faces, weight| sorted(rest, faces, weight, each));
}

/// All ways to show `left` dice with faces of at most `top`, highest first.
fn multisets(top: u8, left: u8, faces: &mut Faces, weight: u128, each: &mut dyn FnMut(&mut Faces, u128)) {
    if left == 0 {
        each(faces, weight);
    } else if top == 1 {
        let before = faces.len();
        faces.extend(std::iter::repeat_n(1, usize::from(left)));
        each(faces, weight);
        faces.truncate(before);
    } else {
        let before = faces.len();
        for count in (0..=left).rev() {
            faces.extend(std::iter::repeat_n(top, usize::from(count)));
            multisets(top - 1, left - count, faces, weight * choose(left, count), each);
            faces.truncate(before);
        }
    }
}

/// Ways to choose `k` of `n` dice; `n` is at most [`MAX_DICE`].
fn choose(n: u8, k: u8) -> u128 {
    (1..=u128::from(k)).fold(1, |c, i| c * (u128::from(n - k) + i) / i)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roll<F>(dice: Dice, read: Read<F>) -> Roll<F> {
        Roll { whose: Seat::Gm, seen: Seen::Openly, dice, read }
    }

    /// The two highest faces and whether any die shows a 1.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    struct TopTwo {
        high: u8,
        next: u8,
        one: bool,
    }

    impl Fold for TopTwo {
        fn take(self, _: u8, face: u8) -> Self {
            let (high, next) =
                if face > self.high { (face, self.high) } else { (self.high, self.next.max(face)) };
            TopTwo { high, next, one: self.one || face == 1 }
        }
    }

    const NONE: TopTwo = TopTwo { high: 0, next: 0, one: false };

    #[test]
    fn sorted_weighs_like_ordered() {
        let dice = Dice::of(3, 4).and(2, 6);
        let mut ordered = BTreeMap::new();
        let plain = roll::<NoFold>(dice.clone(), Read::Sorted);
        classes(&roll::<NoFold>(dice.clone(), Read::Ordered), |r, w| {
            let Rolled::Faces(f) = r;
            let mut f: Vec<u8> = f.to_vec();
            plain.sort(&mut f);
            *ordered.entry(f).or_insert(0) += w;
        });
        let mut sorted = BTreeMap::new();
        let total = classes(&plain, |r, w| {
            let Rolled::Faces(f) = r;
            assert_eq!(sorted.insert(f.to_vec(), w), None, "listed twice");
        });
        assert_eq!(sorted, ordered);
        assert_eq!(Some(sorted.values().sum()), total);
    }

    #[test]
    fn a_fold_weighs_like_its_faces() {
        let dice = Dice::of(4, 8).and(3, 6);
        let folded = roll(dice.clone(), Read::Fold(NONE));
        let mut by_faces: BTreeMap<TopTwo, u128> = BTreeMap::new();
        classes(&roll::<TopTwo>(dice, Read::Sorted), |r, w| {
            let Rolled::Faces(f) = r else { panic!() };
            let Rolled::Class(c) = folded.classify(f) else { panic!() };
            *by_faces.entry(c).or_insert(0) += w;
        });
        let mut by_fold = BTreeMap::new();
        let total = classes(&folded, |r, w| {
            let Rolled::Class(c) = r else { panic!() };
            by_fold.insert(c, w);
        });
        assert_eq!(by_fold, by_faces);
        let at_least_16: u128 = by_fold.iter().filter(|(c, _)| c.high + c.next >= 16).map(|(_, w)| w).sum();
        let p = at_least_16 * 1_000_000 / total.unwrap();
        assert_eq!(p, 78_857, "the known odds of 16 or more on 4d8 + 3d6");
    }

    #[test]
    fn forty_mixed_dice_still_sum_to_one() {
        let dice = Dice::of(10, 4).and(10, 6).and(10, 8).and(10, 10);
        let mut mass = 0;
        let total = classes(&roll(dice, Read::Fold(NONE)), |_, w| mass += w);
        assert_eq!(Some(mass), total);
    }

    #[test]
    fn bad_faces_are_refused() {
        let two = roll::<NoFold>(Dice::of(2, 6), Read::Sorted);
        assert_eq!(two.fits(&[3]).unwrap_err().to_string(), "2d6 takes 2 faces, not 1");
        assert_eq!(two.fits(&[3, 7]).unwrap_err().to_string(), "die 2 is a d6: its face is 1 to 6, not 7");
        assert_eq!(two.fits(&[0, 6]).unwrap_err().to_string(), "die 1 is a d6: its face is 1 to 6, not 0");
    }
}
