//! Light and Truth.

use crate::{
    event::RollKind,
    state::{Pool, is_guilty},
    vocab::Char,
};
use fracas_kernel::Objections;

/// How many dice a roll has.
pub(crate) const fn dice(kind: RollKind, members: usize) -> u8 {
    match kind {
        RollKind::Plain | RollKind::Cancelled => 2,
        RollKind::Bold | RollKind::Faint => 3,
        RollKind::Group => 2 * members as u8,
    }
}

/// The dice to be judged: a faint roll loses one highest die (`roll.faint`).
pub(crate) fn keep(faces: &[u8], kind: RollKind) -> Pool {
    let pool = Pool::of(faces);
    if kind == RollKind::Faint { pool.without(pool.faces[0]) } else { pool }
}

/// Every way to judge: Light and Truth on different dice, each pair of values
/// once (`judge.distinct`).
pub(crate) fn ways(pool: Pool, mut each: impl FnMut(u8, u8)) {
    let dice = pool.dice();
    for (i, &light) in dice.iter().enumerate() {
        if dice[..i].contains(&light) {
            continue;
        }
        let left = pool.without(light);
        let left = left.dice();
        for (j, &truth) in left.iter().enumerate() {
            if !left[..j].contains(&truth) {
                each(light, truth);
            }
        }
    }
}

/// The only way to judge, where there is nothing to choose (`judge.doubles`).
pub(crate) fn only_way(pool: Pool) -> Option<(u8, u8)> {
    let (mut found, mut count) = (None, 0);
    ways(pool, |light, truth| {
        found = Some((light, truth));
        count += 1;
    });
    found.filter(|_| count == 1)
}

/// Reasons why the dice cannot be judged so.
pub(crate) fn object(pool: Pool, light: u8, truth: u8, out: &mut impl Objections) {
    if pool.count(light) == 0 || pool.count(truth) == 0 {
        out.no(clause!("judge.choice"), "Light and Truth are values of the dice that were rolled");
    } else if light == truth && pool.count(light) < 2 {
        out.no(clause!("judge.distinct"), "one die cannot be both Light and Truth");
    }
}

/// A judged roll against a challenge level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Result {
    /// Light and rank (`fl.sum`).
    pub(crate) fl: i8,
    /// Final Light less challenge level: 0 and more succeeds.
    pub(crate) degree: i8,
    /// Truth 1 to 3.
    pub(crate) guilty: bool,
}

impl Result {
    /// Of these dice and numbers.
    pub(crate) const fn of(light: u8, truth: u8, rank: i8, cl: i8) -> Result {
        let fl = light as i8 + rank;
        Result { fl, degree: fl - cl, guilty: is_guilty(truth) }
    }

    /// Final Light at least the challenge level (`outcome.success`).
    pub(crate) const fn success(self) -> bool {
        self.degree >= 0
    }
}

/// Whether a group may be of this many (`group.size`).
pub(crate) fn object_size(members: usize, out: &mut impl Objections) {
    if !(2..=crate::answer::MAX_GROUP).contains(&members) {
        out.no(clause!("group.size"), "a group is two or three; larger parties split into several");
    }
}

/// A member's place among the members.
pub(crate) fn place(members: crate::vocab::CharSet, who: Char) -> usize {
    members.iter().position(|m| m == who).unwrap_or(0)
}
