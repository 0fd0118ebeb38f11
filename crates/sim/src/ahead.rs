//! Looking one answer ahead, for typed and erased tables alike.

use crate::Chance;
use fracas_kernel::{Dice, NoFold, Read, Roll, Rolled, Seat, SeatSet, Seen, classes};

/// The most throws of a pool that are all averaged.
const THROWS: u32 = 5_000;
/// How many random throws stand for a larger pool.
const SAMPLES: u32 = 64;
/// How many rolls and answers of the same seat are followed.
const DEPTH: u32 = 3;
/// How many reactions of other seats are declined on the way.
const PASSES: u32 = 16;

/// The open asks or the due roll of a table during a look ahead.
pub(crate) enum Now<K> {
    Over,
    Roll(Dice),
    Asks(Vec<Asked<K>>),
}

/// An open ask.
pub(crate) struct Asked<K> {
    pub(crate) ask: K,
    pub(crate) seats: SeatSet,
    pub(crate) may: bool,
    pub(crate) kind: &'static str,
}

/// A table on which answers can be tried and undone.
pub(crate) trait Ahead {
    type Ask: Clone + PartialEq;
    type Answer: Clone;
    type Mark;

    fn mark(&self) -> Self::Mark;
    fn back(&mut self, mark: &Self::Mark);
    fn now(&self) -> Now<Self::Ask>;
    fn listed(&self, ask: &Self::Ask) -> Vec<Self::Answer>;
    fn decline(&self, ask: &Self::Ask) -> Option<Self::Answer>;
    /// Gives an answer, for all seats of a joint ask; false if it is refused.
    fn answer(&mut self, seat: Seat, ask: &Self::Ask, answer: &Self::Answer) -> bool;
    fn roll(&mut self, faces: &[u8]);
    fn worth(&self, seat: Seat) -> i32;
    /// The reluctance of a good player to give an answer.
    fn restraint(&self, ask: &Self::Ask, answer: &Self::Answer) -> i32;
}

/// The place in `listed` of the best answer, drawn among equally good ones.
pub(crate) fn best<T: Ahead>(
    table: &mut T,
    seat: Seat,
    ask: &T::Ask,
    listed: &[T::Answer],
    work: u32,
    chance: &mut Chance,
) -> usize {
    let values = values(table, seat, ask, listed, work, chance);
    let top = values.iter().flatten().fold(f64::NEG_INFINITY, |top, value| top.max(*value));
    let is_top = |value: &Option<f64>| value.is_some_and(|value| value > top - 1e-9);
    let ties: Vec<usize> = (0..values.len()).filter(|&at| is_top(&values[at])).collect();
    ties.get(chance.place(ties.len())).copied().unwrap_or(0)
}

/// How well off the seat is after each of these answers, less its reluctance; `None` of an answer that is refused.
pub(crate) fn values<T: Ahead>(
    table: &mut T,
    seat: Seat,
    ask: &T::Ask,
    listed: &[T::Answer],
    work: u32,
    chance: &Chance,
) -> Vec<Option<f64>> {
    let kind = match table.now() {
        Now::Asks(asks) => asks.iter().find(|a| a.ask == *ask).map_or("", |a| a.kind),
        _ => "",
    };
    let share = work / u32::try_from(listed.len()).unwrap_or(u32::MAX).max(1);
    // Every answer is tried with the same throws, so that a difference is due to the
    // answer.
    let luck = chance.clone();
    let mark = table.mark();
    let mut each = |answer: &T::Answer| {
        let mut look = Look { seat, kind, work: share.max(1), chance: luck.clone() };
        let restraint = f64::from(table.restraint(ask, answer));
        let value = table.answer(seat, ask, answer).then(|| look.value(table, DEPTH, PASSES) - restraint);
        table.back(&mark);
        value
    };
    listed.iter().map(&mut each).collect()
}

struct Look {
    seat: Seat,
    /// The kind of prompt that was answered: the next ask of this kind begins a new turn.
    kind: &'static str,
    work: u32,
    chance: Chance,
}

impl Look {
    fn value<T: Ahead>(&mut self, table: &mut T, depth: u32, passes: u32) -> f64 {
        if depth > 0 && self.work > 0 {
            match table.now() {
                Now::Over => {}
                Now::Roll(dice) => return self.average(table, &dice, depth - 1, passes),
                Now::Asks(asks) => {
                    let own = asks.iter().find(|a| a.seats.contains(self.seat));
                    match own {
                        Some(a) if a.kind != self.kind => return self.own(table, &a.ask, depth - 1, passes),
                        Some(_) => {}
                        None if passes > 0 => {
                            let may = asks.iter().filter(|a| a.may);
                            let pass = may.filter_map(|a| Some((a, table.decline(&a.ask)?))).next();
                            if let Some((a, decline)) = pass
                                && let Some(other) = a.seats.iter().next()
                                && table.answer(other, &a.ask, &decline)
                            {
                                return self.value(table, depth, passes - 1);
                            }
                            let must = asks.iter().find(|a| !a.may && a.kind != self.kind);
                            if let Some(a) = must
                                && self.others(table, a)
                            {
                                return self.value(table, depth - 1, passes);
                            }
                        }
                        None => {}
                    }
                }
            }
        }
        // Of two ways to the same end the shorter is better.
        f64::from(table.worth(self.seat)) + f64::from(depth) * 0.01
    }

    fn own<T: Ahead>(&mut self, table: &mut T, ask: &T::Ask, depth: u32, passes: u32) -> f64 {
        let mark = table.mark();
        let mut top = f64::NEG_INFINITY;
        for answer in table.listed(ask) {
            if self.work == 0 {
                break;
            }
            self.work -= 1;
            let restraint = f64::from(table.restraint(ask, &answer));
            if table.answer(self.seat, ask, &answer) {
                top = top.max(self.value(table, depth, passes) - restraint);
            }
            table.back(&mark);
        }
        if top.is_finite() { top } else { f64::from(table.worth(self.seat)) }
    }

    /// Gives the answer for another seat that looks best at once, less that seat's
    /// reluctance; false if there is none.
    fn others<T: Ahead>(&mut self, table: &mut T, asked: &Asked<T::Ask>) -> bool {
        let Some(seat) = asked.seats.iter().next() else { return false };
        let mark = table.mark();
        let mut top: Option<(i32, T::Answer)> = None;
        for answer in table.listed(&asked.ask) {
            if self.work == 0 {
                break;
            }
            self.work -= 1;
            let restraint = table.restraint(&asked.ask, &answer);
            if table.answer(seat, &asked.ask, &answer) {
                let worth = table.worth(seat).saturating_sub(restraint);
                if top.as_ref().is_none_or(|(best, _)| worth > *best) {
                    top = Some((worth, answer));
                }
            }
            table.back(&mark);
        }
        top.is_some_and(|(_, answer)| table.answer(seat, &asked.ask, &answer))
    }

    fn average<T: Ahead>(&mut self, table: &mut T, dice: &Dice, depth: u32, passes: u32) -> f64 {
        let mark = table.mark();
        let (mut sum, mut count) = (0.0, 0u32);
        let mut try_faces = |look: &mut Look, faces: &[u8]| {
            look.work = look.work.saturating_sub(1);
            table.roll(faces);
            sum += look.value(table, depth, passes);
            count += 1;
            table.back(&mark);
        };
        let all = dice.throws().and_then(|n| u32::try_from(n).ok()).filter(|&n| n <= THROWS.min(self.work));
        if all.is_some() {
            let roll = Roll::<NoFold> {
                whose: self.seat,
                seen: Seen::Openly,
                dice: dice.clone(),
                read: Read::Ordered,
            };
            classes(&roll, |rolled, _| {
                let Rolled::Faces(faces) = rolled;
                try_faces(self, faces);
            });
        } else {
            for _ in 0..SAMPLES.min(self.work.max(1)) {
                let faces = self.chance.throw(dice);
                try_faces(self, &faces);
            }
        }
        sum / f64::from(count.max(1))
    }
}
