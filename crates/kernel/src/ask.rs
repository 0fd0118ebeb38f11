//! What a state asks, of whom.

use crate::{Game, Roll, Seat, SeatSet};
use arrayvec::ArrayVec;
use serde::Serialize;

/// The most asks that may be open at once.
pub const MAX_ASKS: usize = 12;

/// An ask's place in the list that [`Game::open`] gives, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Slot(pub u8);

/// Who is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// This seat.
    One(Seat),
    /// The first of these to answer.
    Any(SeatSet),
    /// All of these: the answer counts once every one of them has given it.
    All(SeatSet),
}

impl Who {
    /// Every seat that may answer.
    pub const fn seats(self) -> SeatSet {
        match self {
            Who::One(seat) => SeatSet::one(seat),
            Who::Any(seats) | Who::All(seats) => seats,
        }
    }

    /// The seat, where this one alone is asked.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Who::One(seat) => Some(seat),
            Who::Any(_) | Who::All(_) => None,
        }
    }
}

/// Whether play waits for the answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Duty {
    /// Play waits for it.
    Must,
    /// A chance to react or to step in; another ask may be answered first.
    /// Where play does wait for it to be declined ([`Game::decline`]), it is the only kind open.
    May,
}

/// One open ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Ask<P> {
    /// Who is asked.
    pub who: Who,
    /// Whether play waits for it.
    pub duty: Duty,
    /// The prompt, in the game's own type.
    pub prompt: P,
}

impl<P> Ask<P> {
    /// An ask to one seat, for which play waits.
    pub const fn must(seat: Seat, prompt: P) -> Self {
        Ask { who: Who::One(seat), duty: Duty::Must, prompt }
    }

    /// A chance of one seat to react or to step in.
    pub const fn may(seat: Seat, prompt: P) -> Self {
        Ask { who: Who::One(seat), duty: Duty::May, prompt }
    }
}

/// The open asks, in canonical order: a bot or a walk answers the first.
pub type Asks<P> = ArrayVec<Ask<P>, MAX_ASKS>;

/// The present moment of play: asks, a roll, or the end.
#[derive(Debug)]
pub enum Open<G: Game> {
    /// The game is over; only fiats go on.
    Over,
    /// Dice are due.
    Roll(Roll<G::Fold>),
    /// Seats are asked.
    Asks(Asks<G::Prompt>),
}

impl<G: Game> Clone for Open<G> {
    fn clone(&self) -> Self {
        match self {
            Open::Over => Open::Over,
            Open::Roll(roll) => Open::Roll(roll.clone()),
            Open::Asks(asks) => Open::Asks(asks.clone()),
        }
    }
}

impl<G: Game> Open<G> {
    /// The asks, or none when the game is over or dice are due.
    pub fn asks(&self) -> &[Ask<G::Prompt>] {
        match self {
            Open::Asks(asks) => asks,
            _ => &[],
        }
    }
}
