//! Observers of a playout.

use crate::Moment;
use fracas_kernel::{Faces, Game, NoSink, Open, Roll, Slot, Words};

/// Observes a playout. An observer that does nothing costs nothing.
pub trait Watch<G: Game> {
    /// Called before this answer is given.
    fn answer(&mut self, _moment: Moment<'_, G>, _listed: &[G::Answer], _answer: G::Answer) {}
    /// Called with the faces of a roll, in the form in which the game reads them.
    fn roll(&mut self, _roll: &Roll<G::Fold>, _faces: &Faces) {}
}

/// Does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl<G: Game> Watch<G> for Quiet {}

/// Two observers in one.
#[derive(Clone, Debug, Default)]
pub struct Both<A, B>(pub A, pub B);

impl<G: Game, A: Watch<G>, B: Watch<G>> Watch<G> for Both<A, B> {
    fn answer(&mut self, moment: Moment<'_, G>, listed: &[G::Answer], answer: G::Answer) {
        self.0.answer(moment, listed, answer);
        self.1.answer(moment, listed, answer);
    }

    fn roll(&mut self, roll: &Roll<G::Fold>, faces: &Faces) {
        self.0.roll(roll, faces);
        self.1.roll(roll, faces);
    }
}

/// Counts the answers to each kind of prompt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mix {
    counts: Vec<(&'static str, u64)>,
}

impl Mix {
    /// Counters for every kind of prompt of a game, all at 0.
    pub fn of<G: Words>() -> Self {
        Mix { counts: G::kinds().iter().map(|&kind| (kind, 0)).collect() }
    }

    /// Each kind with its number of answers, in the game's order.
    pub fn counts(&self) -> &[(&'static str, u64)] {
        &self.counts
    }

    /// The kinds without an answer.
    pub fn missing(&self) -> Vec<&'static str> {
        self.counts.iter().filter(|(_, n)| *n == 0).map(|(kind, _)| *kind).collect()
    }

    /// Adds the counters of another observer of the same game.
    pub fn add(&mut self, other: &Mix) {
        for (kind, n) in &other.counts {
            self.count(kind, *n);
        }
    }

    fn count(&mut self, kind: &'static str, more: u64) {
        // Kinds are few, and nearly always the very string of `kinds`.
        let at = self
            .counts
            .iter()
            .position(|(k, _)| std::ptr::eq(*k, kind))
            .or_else(|| self.counts.iter().position(|(k, _)| *k == kind));
        match at {
            Some(at) => self.counts[at].1 += more,
            None => self.counts.push((kind, more)),
        }
    }
}

impl<G: Words> Watch<G> for Mix {
    fn answer(&mut self, moment: Moment<'_, G>, _: &[G::Answer], _: G::Answer) {
        self.count(G::kind(&moment.ask.prompt), 1);
    }
}

/// Counts the answers that do nothing where something could be done ([`Game::is_idle`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Idle(pub u64);

impl<G: Game> Watch<G> for Idle {
    fn answer(&mut self, _: Moment<'_, G>, _: &[G::Answer], answer: G::Answer) {
        self.0 += u64::from(G::is_idle(&answer));
    }
}

/// One step of a recorded conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Did<A> {
    /// An answer to the ask in this slot.
    Answer(Slot, A),
    /// A roll of this many faces, which are in [`Recorded`].
    Roll(u8),
}

/// A recorded conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded<A> {
    /// Its steps.
    pub steps: Vec<Did<A>>,
    /// The faces of every roll, one after the other.
    pub faces: Vec<u8>,
}

/// Records conflicts.
#[derive(Debug)]
pub struct Record<G: Game>(pub Recorded<G::Answer>);

impl<G: Game> Default for Record<G> {
    fn default() -> Self {
        Record(Recorded { steps: Vec::new(), faces: Vec::new() })
    }
}

impl<G: Game> Watch<G> for Record<G> {
    fn answer(&mut self, moment: Moment<'_, G>, _: &[G::Answer], answer: G::Answer) {
        self.0.steps.push(Did::Answer(moment.slot, answer));
    }

    fn roll(&mut self, _: &Roll<G::Fold>, faces: &Faces) {
        self.0.steps.push(Did::Roll(faces.len() as u8));
        self.0.faces.extend_from_slice(faces);
    }
}

impl<A: Copy> Recorded<A> {
    /// Replays the conflict from its start, without listing answers.
    ///
    /// Stops at a step that is refused; returns the number of steps made.
    pub fn replay<G: Game<Answer = A>>(&self, rules: &G::Rules, state: &mut G::State) -> usize {
        let mut faces = self.faces.as_slice();
        for (done, step) in self.steps.iter().enumerate() {
            match *step {
                Did::Answer(slot, answer) => {
                    let Ok(mv) = G::check(rules, state, slot, answer) else { return done };
                    G::apply(rules, state, mv, &mut NoSink);
                }
                Did::Roll(count) => {
                    let Open::Roll(roll) = G::open(rules, state) else { return done };
                    let Some((these, rest)) = faces.split_at_checked(usize::from(count)) else { return done };
                    if roll.fits(these).is_err() {
                        return done;
                    }
                    G::roll(rules, state, roll.classify(these), &mut NoSink);
                    faces = rest;
                }
            }
        }
        self.steps.len()
    }
}
