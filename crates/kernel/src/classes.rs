//! The exact weight of every answer that chance can give to a roll.

use crate::{Dice, Die, Faces, Fold, MAX_DICE, Read, Roll, Rolled, dice::MAX_SIZES};
use arrayvec::ArrayVec;
use std::{hash::Hasher, ops::Range};

/// Every answer chance can give to a roll, each with its exact weight.
///
/// Weights are counts of equally likely throws; together they make
/// [`Dice::throws`]. Returns that total, or `None` where it exceeds `u128`
/// (then nothing is visited). Faces read in order or sorted are enumerated, so
/// keep such pools small; a fold costs sizes × classes × sides, and a little for
/// each die. The order is the same on every machine.
pub fn classes<F: Fold>(roll: &Roll<F>, mut each: impl FnMut(Rolled<'_, F>, u128)) -> Option<u128> {
    let total = roll.dice.throws()?;
    match roll.read {
        Read::Fold(start) => folded(start, &roll.dice, &mut each),
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

/// Folds die by die, adding up the weights of throws that come to one class.
///
/// The classes that a die leads to from a class are worked out once for all dice of a size.
/// Small dice come first: with few faces there are few classes to go on from.
fn folded<F: Fold>(start: F, dice: &Dice, each: &mut impl FnMut(Rolled<'_, F>, u128)) {
    let mut kinds: ArrayVec<Die, MAX_SIZES> = dice.kinds().iter().copied().collect();
    kinds.sort_unstable_by_key(|kind| kind.sides);
    let mut met = Met::new();
    met.number(start);
    // By the number of a class.
    let mut weights = vec![1u128];
    for kind in kinds {
        // Where faces lead and how many lead there, and which of these are whose.
        let mut ways: Vec<(u32, u8)> = Vec::new();
        let mut whose: Vec<Range<usize>> = Vec::new();
        for _ in 0..kind.count {
            whose.resize(weights.len(), 0..0);
            for (class, _) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                if whose[class].is_empty() {
                    let from = ways.len();
                    met.ways(class, kind.sides, &mut ways);
                    whose[class] = from..ways.len();
                }
            }
            let mut next = vec![0; met.folds.len()];
            for (weight, whose) in weights.iter().zip(&whose).filter(|(weight, _)| **weight > 0) {
                for &(to, faces) in &ways[whose.clone()] {
                    next[to as usize] += weight * u128::from(faces);
                }
            }
            weights = next;
        }
    }
    for (fold, weight) in met.folds.into_iter().zip(weights).filter(|(_, weight)| *weight > 0) {
        each(Rolled::Class(fold), weight);
    }
}

/// The classes of a fold by number, in the order in which they are met.
struct Met<F> {
    folds: Vec<F>,
    /// An open hash table of numbers; its length is a power of two.
    table: Vec<Option<u32>>,
}

impl<F: Fold> Met<F> {
    fn new() -> Self {
        Met { folds: Vec::new(), table: vec![None; 256] }
    }

    /// Adds where each face of a die leads from a class; neighbours that lead to
    /// one class are one way.
    fn ways(&mut self, class: usize, sides: u8, ways: &mut Vec<(u32, u8)>) {
        let fold = self.folds[class];
        let from = ways.len();
        let mut last = (fold, class as u32);
        for face in 1..=sides {
            let to = fold.take(sides, face);
            if to != last.0 {
                last = (to, self.number(to));
            }
            match ways[from..].last_mut() {
                Some((before, faces)) if *before == last.1 => *faces += 1,
                _ => ways.push((last.1, 1)),
            }
        }
    }

    /// The number of a class, its own from when it is first asked for.
    fn number(&mut self, fold: F) -> u32 {
        let mut place = self.place(fold);
        while let Some(number) = self.table[place] {
            if self.folds[number as usize] == fold {
                return number;
            }
            place = (place + 1) & (self.table.len() - 1);
        }
        let number = self.folds.len() as u32;
        self.table[place] = Some(number);
        self.folds.push(fold);
        if self.folds.len() * 2 > self.table.len() {
            self.grow();
        }
        number
    }

    /// Where a class is looked for first.
    fn place(&self, fold: F) -> usize {
        let mut hash = Stirred(0);
        fold.hash(&mut hash);
        (hash.finish() >> 32) as usize & (self.table.len() - 1)
    }

    fn grow(&mut self) {
        self.table = vec![None; self.table.len() * 2];
        for (number, &fold) in self.folds.iter().enumerate() {
            let mut place = self.place(fold);
            while self.table[place].is_some() {
                place = (place + 1) & (self.table.len() - 1);
            }
            self.table[place] = Some(number as u32);
        }
    }
}

/// A quick hash of a few small numbers. Nothing but time depends on it.
struct Stirred(u64);

impl Hasher for Stirred {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u8(byte));
    }

    fn write_u8(&mut self, byte: u8) {
        self.0 = self.0.rotate_left(8) ^ u64::from(byte);
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
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
    use crate::{NoFold, Seat, Seen};
    use serde::Serialize;
    use std::collections::BTreeMap;

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

    /// Every throw by itself.
    fn one_by_one<F: Fold>(start: F, dice: &Dice) -> BTreeMap<F, u128> {
        let mut all = BTreeMap::new();
        classes(&roll::<F>(dice.clone(), Read::Ordered), |rolled, weight| {
            let Rolled::Faces(faces) = rolled else { panic!() };
            let class = dice.sides().zip(faces).fold(start, |fold, (sides, &face)| fold.take(sides, face));
            *all.entry(class).or_insert(0) += weight;
        });
        all
    }

    /// As [`classes`] has it.
    fn folded<F: Fold>(start: F, dice: &Dice) -> BTreeMap<F, u128> {
        let mut all = BTreeMap::new();
        classes(&roll(dice.clone(), Read::Fold(start)), |rolled, weight| {
            let Rolled::Class(class) = rolled else { panic!() };
            assert_eq!(all.insert(class, weight), None, "weighed twice: {class:?}");
        });
        all
    }

    #[test]
    fn a_fold_weighs_like_its_throws_one_by_one() {
        for dice in [
            Dice::default(),
            Dice::of(1, 2),
            Dice::of(2, 10).and(2, 4).and(1, 8),
            Dice::of(3, 6).and(1, 100),
            Dice::of(1, 6).and(1, 8).and(2, 6),
        ] {
            assert_eq!(folded(NONE, &dice), one_by_one(NONE, &dice), "{dice}");
        }
    }

    /// The sum: classes that are left behind and met again, more than a few.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    struct Sum(u16);

    impl Fold for Sum {
        fn take(self, _: u8, face: u8) -> Self {
            Sum(self.0 + u16::from(face))
        }
    }

    /// Whether the number of high dice is odd: a d2 always counts, so that each
    /// class is left with one and met again with the next.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    struct Odd(bool);

    impl Fold for Odd {
        fn take(self, sides: u8, face: u8) -> Self {
            Odd(self.0 != (sides == 2 || face > sides / 2))
        }
    }

    #[test]
    fn folds_that_leave_classes_behind_weigh_right() {
        let dice = Dice::of(2, 8).and(2, 20);
        assert_eq!(folded(Sum(0), &dice), one_by_one(Sum(0), &dice));
        let dice = Dice::of(3, 2).and(2, 6);
        assert_eq!(folded(Odd(false), &dice), one_by_one(Odd(false), &dice));
        let many = folded(Sum(0), &Dice::of(20, 10).and(5, 100));
        assert_eq!(many.len(), 676, "from 25 to 700");
        assert_eq!((many[&Sum(25)], many[&Sum(26)]), (1, 25));
    }

    #[test]
    fn forty_mixed_dice_still_sum_to_one() {
        let dice = Dice::of(10, 4).and(10, 6).and(10, 8).and(10, 10);
        let mut mass = 0;
        let total = classes(&roll(dice, Read::Fold(NONE)), |_, w| mass += w);
        assert_eq!(Some(mass), total);
    }
}
