//! Pools of dice, hands of dice that lie open, faces picked from them, fallout.

use crate::vocab::Size;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Dice, Fold};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::{cmp::Ordering, fmt};

/// The highest face there is.
pub const TOP: u8 = 10;

/// So many dice of each size, not rolled: written `{"d6":3,"d10":1}`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[derive(BorshSerialize, BorshDeserialize)]
pub struct Pool(pub [u8; 4]);

impl Pool {
    /// No dice.
    pub const EMPTY: Pool = Pool([0; 4]);

    /// `count` dice of one size.
    pub fn of(count: u8, size: Size) -> Pool {
        Pool::EMPTY.and(count, size)
    }

    /// These and `count` more.
    #[must_use]
    pub fn and(mut self, count: u8, size: Size) -> Pool {
        let there = &mut self.0[size as usize];
        *there = there.saturating_add(count);
        self
    }

    /// These and those.
    #[must_use]
    pub fn plus(self, other: Pool) -> Pool {
        Size::ALL.iter().fold(self, |pool, &size| pool.and(other.count(size), size))
    }

    /// These without those; `None` where there are too few.
    pub fn minus(mut self, other: Pool) -> Option<Pool> {
        for (there, gone) in self.0.iter_mut().zip(other.0) {
            *there = there.checked_sub(gone)?;
        }
        Some(self)
    }

    /// How many of one size.
    pub const fn count(self, size: Size) -> u8 {
        self.0[size as usize]
    }

    /// How many dice.
    pub fn len(self) -> usize {
        self.0.iter().map(|&n| usize::from(n)).sum()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// So many of them as one throw takes: 60 of each size. Of more than that nobody
    /// could tell the difference.
    #[must_use]
    pub fn throwable(self) -> Pool {
        Pool(self.0.map(|count| count.min(60)))
    }

    /// As the kernel throws them.
    pub fn dice(self) -> Dice {
        let pool = self.throwable();
        Size::ALL.iter().fold(Dice::default(), |dice, &size| dice.and(pool.count(size), size.sides()))
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for &size in Size::ALL.iter().filter(|&&size| self.count(size) > 0) {
            write!(f, "{}{}{size}", if first { "" } else { " " }, self.count(size))?;
            first = false;
        }
        if first { f.write_str("no dice") } else { Ok(()) }
    }
}

impl Serialize for Pool {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(Size::ALL.iter().filter(|&&size| self.count(size) > 0).map(|&z| (z, self.count(z))))
    }
}

/// What is rolled for a thing on a sheet: dice of one size, and for something
/// supernatural one d4 on top (`beyond.bond.supernatural`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Rating {
    /// How many of the main dice.
    pub count: u8,
    pub size: Size,
    /// Further d4s.
    #[serde(skip_serializing_if = "fracas_kernel::is_default")]
    pub more: u8,
}

impl Rating {
    /// So many dice of a size.
    pub const fn of(count: u8, size: Size) -> Rating {
        Rating { count, size, more: 0 }
    }

    /// The dice.
    pub fn pool(self) -> Pool {
        Pool::of(self.count, self.size).and(self.more, Size::D4)
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.count, self.size)?;
        if self.more > 0 { write!(f, " + {}d4", self.more) } else { Ok(()) }
    }
}

/// Faces picked from a hand, of dice of any size: written `[6, 5]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, BorshSerialize, BorshDeserialize)]
pub struct Faces(pub [u8; TOP as usize]);

impl Faces {
    /// None.
    pub const NONE: Faces = Faces([0; TOP as usize]);

    /// These faces; each from 1 to 10.
    pub fn of(faces: &[u8]) -> Faces {
        faces.iter().fold(Faces::NONE, |all, &face| all.with(face))
    }

    /// With one more.
    #[must_use]
    pub fn with(mut self, face: u8) -> Faces {
        if let Some(n) = self.0.get_mut(usize::from(face).wrapping_sub(1)) {
            *n = n.saturating_add(1);
        }
        self
    }

    /// With one less, where it is there.
    #[must_use]
    pub fn without(mut self, face: u8) -> Faces {
        if let Some(n) = self.0.get_mut(usize::from(face).wrapping_sub(1)) {
            *n = n.saturating_sub(1);
        }
        self
    }

    /// These and those.
    #[must_use]
    pub fn plus(mut self, other: Faces) -> Faces {
        for (n, more) in self.0.iter_mut().zip(other.0) {
            *n = n.saturating_add(more);
        }
        self
    }

    /// These without those; `None` where some are not there.
    pub fn minus(mut self, other: Faces) -> Option<Faces> {
        for (n, gone) in self.0.iter_mut().zip(other.0) {
            *n = n.checked_sub(gone)?;
        }
        Some(self)
    }

    /// How many dice show `face`.
    pub fn count(self, face: u8) -> u8 {
        self.0.get(usize::from(face).wrapping_sub(1)).copied().unwrap_or(0)
    }

    /// How many dice.
    pub fn len(self) -> usize {
        self.0.iter().map(|&n| usize::from(n)).sum()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == [0; TOP as usize]
    }

    /// Their sum.
    pub fn sum(self) -> u16 {
        self.0.iter().zip(1u16..).map(|(&n, face)| u16::from(n) * face).sum()
    }

    /// Face by face, the highest first.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (1..=TOP).rev().flat_map(move |face| std::iter::repeat_n(face, usize::from(self.count(face))))
    }

    /// How many dice show each face, the highest face in the highest byte.
    fn packed(self) -> u128 {
        let mut bytes = [0; 16];
        bytes[..TOP as usize].copy_from_slice(&self.0);
        u128::from_le_bytes(bytes)
    }

    /// The highest face; 0 where there is none.
    pub fn top(self) -> u8 {
        let bits = u128::BITS - self.packed().leading_zeros();
        bits.div_ceil(8) as u8
    }

    /// The two highest, 0 where there are fewer.
    pub fn best(self) -> [u8; 2] {
        let high = self.top();
        [high, self.without(high).top()]
    }

    /// So many of them, the highest; all where there are fewer.
    #[must_use]
    pub fn highest(mut self, count: usize) -> Faces {
        keep(self.0.iter_mut().rev(), count);
        self
    }

    /// So many of them, the lowest; all where there are fewer.
    #[must_use]
    pub fn lowest(mut self, count: usize) -> Faces {
        keep(self.0.iter_mut(), count);
        self
    }

    /// Each face that is there, once, the lowest first.
    pub fn each(self) -> impl DoubleEndedIterator<Item = u8> {
        (1..=TOP).filter(move |&face| self.count(face) > 0)
    }

    /// The best pair: the two highest added (`best-pair-means`).
    pub fn best_pair(self) -> u8 {
        let [high, next] = self.best();
        high + next
    }

    /// A number that is the higher, the sooner a hand goes: whole hands are compared from high
    /// to low, face by face (`best-pair-ties`). The best pair, then of two hands with equal high
    /// faces how many show the next.
    pub fn rank(self) -> u128 {
        u128::from(self.best_pair()) << (8 * TOP) | self.packed()
    }
}

/// Leaves so many dice, of the faces that come first.
fn keep<'a>(counts: impl Iterator<Item = &'a mut u8>, most: usize) {
    let mut left = u8::try_from(most).unwrap_or(u8::MAX);
    for count in counts {
        *count = left.min(*count);
        left -= *count;
    }
}

impl fmt::Display for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, face) in self.iter().enumerate() {
            write!(f, "{}{face}", if i > 0 { " + " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Faces {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Faces {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Faces, D::Error> {
        let faces = <Vec<u8> as Deserialize>::deserialize(d)?;
        if let Some(face) = faces.iter().find(|&&face| face == 0 || face > TOP) {
            return Err(D::Error::custom(format!("a die shows 1 to {TOP}, not {face}")));
        }
        if faces.len() > 200 {
            return Err(D::Error::custom("more dice than there are"));
        }
        Ok(Faces::of(&faces))
    }
}

/// Rolled dice lying open, each with its size and its face.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, BorshSerialize, BorshDeserialize)]
pub struct Hand {
    by_size: [Faces; 4],
}

impl Hand {
    /// No dice.
    pub const NONE: Hand = Hand { by_size: [Faces::NONE; 4] };

    /// Adds a rolled die.
    pub fn add(&mut self, size: Size, face: u8) {
        let faces = &mut self.by_size[size as usize];
        *faces = faces.with(face);
    }

    /// Adds dice thrown for `pool`, size by size.
    pub fn roll(&mut self, pool: Pool, faces: &[u8]) {
        let pool = pool.throwable();
        let sizes = Size::ALL.iter().flat_map(|&z| std::iter::repeat_n(z, usize::from(pool.count(z))));
        for (size, &face) in sizes.zip(faces) {
            self.add(size, face);
        }
    }

    /// Adds those of another hand.
    pub fn join(&mut self, other: Hand) {
        for (faces, more) in self.by_size.iter_mut().zip(other.by_size) {
            *faces = faces.plus(more);
        }
    }

    /// Its faces, whatever the sizes.
    pub fn faces(&self) -> Faces {
        self.by_size.iter().fold(Faces::NONE, |all, &faces| all.plus(faces))
    }

    /// Takes out one die; false where it is not there.
    pub fn lose(&mut self, size: Size, face: u8) -> bool {
        let faces = &mut self.by_size[size as usize];
        let there = faces.count(face) > 0;
        if there {
            *faces = faces.without(face);
        }
        there
    }

    /// Takes out dice that show these faces, of equal ones the smallest dice;
    /// `None`, and nothing is taken, where some are not there.
    pub fn take(&mut self, faces: Faces) -> Option<Hand> {
        self.faces().minus(faces)?;
        let mut taken = Hand::default();
        for face in faces.iter() {
            let from = Size::ALL.iter().find(|&&size| self.by_size[size as usize].count(face) > 0)?;
            let at = *from as usize;
            self.by_size[at] = self.by_size[at].without(face);
            taken.add(*from, face);
        }
        Some(taken)
    }

    /// The best dice, so many: of equal faces the largest (`give-dice-size`).
    pub fn best(&self, count: usize) -> Hand {
        let mut best = Hand::NONE;
        let faces = (1..=TOP).rev().flat_map(|face| Size::ALL.iter().rev().map(move |&size| (size, face)));
        let dice = faces.flat_map(|(size, face)| {
            std::iter::repeat_n((size, face), usize::from(self.by_size[size as usize].count(face)))
        });
        dice.take(count).for_each(|(size, face)| best.add(size, face));
        best
    }

    /// How many dice.
    pub fn len(&self) -> usize {
        self.faces().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_size.iter().all(|faces| faces.is_empty())
    }

    /// Die by die, the highest face first.
    pub fn iter(&self) -> impl Iterator<Item = (Size, u8)> + '_ {
        (1..=TOP).rev().flat_map(move |face| {
            Size::ALL.iter().flat_map(move |&size| {
                std::iter::repeat_n((size, face), usize::from(self.by_size[size as usize].count(face)))
            })
        })
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no dice");
        }
        for (i, (size, face)) in self.iter().enumerate() {
            write!(f, "{}{face} ({size})", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl Serialize for Hand {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let sizes = Size::ALL.iter().zip(self.by_size).filter(|(_, faces)| !faces.is_empty());
        s.collect_map(sizes)
    }
}

/// One of the highest dice of a fallout roll: its face, and from the fifth bit on its
/// size, counted from 1 (`give-dice-size`). Of a roll that fell under earlier rules the
/// size is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Top(u8);

impl Top {
    /// No die.
    pub const NONE: Top = Top(0);

    /// A die with so many sides that shows this.
    fn of(sides: u8, face: u8) -> Top {
        let size = Size::ALL.iter().position(|size| size.sides() == sides);
        Top(face | size.map_or(0, |at| at as u8 + 1) << 4)
    }

    /// What it shows; 0 where there is no die.
    pub const fn face(self) -> u8 {
        self.0 & 15
    }

    /// Its size, where that is known.
    pub fn size(self) -> Option<Size> {
        Size::ALL.get(usize::from(self.0 >> 4).checked_sub(1)?).copied()
    }
}

impl Ord for Top {
    fn cmp(&self, other: &Top) -> Ordering {
        (self.face(), self.0).cmp(&(other.face(), other.0))
    }
}

impl PartialOrd for Top {
    fn partial_cmp(&self, other: &Top) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Serialize for Top {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_u8(self.face())
    }
}

/// What of a fallout roll counts (`fallout.sum`, `fallout.ones`): the two highest
/// faces, whether any die shows a 1, and where the table adds all, the total.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[derive(Serialize, BorshSerialize, BorshDeserialize)]
pub struct Fallout {
    /// The die with the highest face.
    pub high: Top,
    pub next: Top,
    /// Whether a die shows 1.
    pub one: bool,
    /// All faces added, no more than 20; `None` where only the two highest count.
    pub total: Option<u8>,
}

impl Fallout {
    /// Before any die: what a table that adds the two highest starts from.
    pub const TWO_HIGHEST: Fallout = Fallout { high: Top::NONE, next: Top::NONE, one: false, total: None };
    /// Before any die, where all are added.
    pub const TOTAL: Fallout = Fallout { total: Some(0), ..Fallout::TWO_HIGHEST };

    /// The number that is looked up, 0 to 20.
    pub const fn sum(self) -> u8 {
        match self.total {
            Some(total) => total,
            None => self.high.face() + self.next.face(),
        }
    }
}

impl Fold for Fallout {
    fn take(self, sides: u8, face: u8) -> Self {
        let die = Top::of(sides, face);
        let (high, next) = if die > self.high { (die, self.high) } else { (self.high, self.next.max(die)) };
        let total = self.total.map(|total| (total + face).min(20));
        Fallout { high, next, one: self.one || face == 1, total }
    }
}
