//! Policies, which answer for seats.

use crate::{Chance, ahead};
use fracas_kernel::{Ask, Duty, Game, NoSink, Open, Seat, Slot, Viewer, Words};
use std::borrow::Cow;

/// An ask that a policy is to answer.
pub struct Moment<'a, G: Game> {
    /// The rules.
    pub rules: &'a G::Rules,
    /// The state.
    pub state: &'a G::State,
    /// The ask's slot.
    pub slot: Slot,
    /// The ask.
    pub ask: &'a Ask<G::Prompt>,
    /// The seat that answers: the asked seat, or the first of several.
    pub seat: Seat,
}

impl<G: Game> Clone for Moment<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Moment<'_, G> {}

/// Chooses among listed answers. Does not allocate once warm, unless its documentation says
/// so.
pub trait Policy<G: Game> {
    /// The index of the chosen answer in `listed`, which is never empty.
    fn pick(&mut self, moment: Moment<'_, G>, listed: &[G::Answer], chance: &mut Chance) -> usize;
}

/// Chooses any listed answer, each equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Policy<G> for Random {
    fn pick(&mut self, _: Moment<'_, G>, listed: &[G::Answer], chance: &mut Chance) -> usize {
        chance.place(listed.len())
    }
}

/// Chooses any listed answer that a good player gives without much reluctance
/// ([`Game::restraint`]), each equally likely: so nobody gives up, and play goes on to its end.
#[derive(Clone, Copy, Debug)]
pub struct Fair {
    /// How much more reluctance than the least is much.
    pub most: i32,
}

impl Default for Fair {
    fn default() -> Self {
        Fair { most: 100 }
    }
}

impl<G: Game> Policy<G> for Fair {
    fn pick(&mut self, moment: Moment<'_, G>, listed: &[G::Answer], chance: &mut Chance) -> usize {
        let restraint = |answer: &G::Answer| G::restraint(moment.rules, moment.state, moment.slot, *answer);
        let least = listed.iter().map(restraint).min().unwrap_or(0);
        let fair =
            || (0..listed.len()).filter(|&at| restraint(&listed[at]) <= least.saturating_add(self.most));
        fair().nth(chance.place(fair().count())).unwrap_or(0)
    }
}

/// Chooses the answer that draws a brisk player most ([`Game::appeal`]), each of several equal ones equally likely.
///
/// Tries no answer and copies no state, so it costs little more than [`Random`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Brisk;

impl<G: Game> Policy<G> for Brisk {
    fn pick(&mut self, moment: Moment<'_, G>, listed: &[G::Answer], chance: &mut Chance) -> usize {
        if listed.len() < 2 {
            return 0;
        }
        let (mut best, mut top, mut equal, mut at) = (0, i32::MIN, 0, 0);
        G::appeal(moment.rules, moment.state, (moment.slot, moment.seat), listed, &mut |appeal| {
            if appeal > top {
                (best, top, equal) = (at, appeal, 1);
            } else if appeal == top {
                equal += 1;
                if chance.place(equal) == 0 {
                    best = at;
                }
            }
            at += 1;
        });
        best
    }
}

/// Chooses the answer after which the seat is best off, looking one answer ahead.
///
/// Tries each answer on a copy and compares [`Game::worth`]. Averages over the dice that
/// follow: all throws up to 5,000, else 64 random ones. Lets other seats decline to react
/// and answer what they must as looks best to them at once. Takes the best of the seat's
/// own answers before its next choice of this kind. For a player's seat everything hidden
/// from it is replaced in the copy by random content, so that the choice uses nothing the
/// player could not know. Allocates.
#[derive(Clone, Copy, Debug)]
pub struct Greedy {
    /// How many answers and throws one choice may try.
    pub work: u32,
}

impl Default for Greedy {
    fn default() -> Self {
        Greedy { work: 20_000 }
    }
}

impl<G: Words> Policy<G> for Greedy {
    fn pick(&mut self, moment: Moment<'_, G>, listed: &[G::Answer], chance: &mut Chance) -> usize {
        if listed.len() < 2 {
            return 0;
        }
        let who = Viewer::Seat(moment.seat);
        let mut mind = Mind::<G> { rules: Cow::Borrowed(moment.rules), state: moment.state.clone() };
        let mut slot = moment.slot;
        if !who.is_gm() {
            G::scramble(mind.rules.to_mut(), &mut mind.state, who, chance.seed());
            let open = G::open(&mind.rules, &mind.state);
            if let Some(at) = open.asks().iter().position(|ask| ask == moment.ask) {
                slot = Slot(at as u8);
            }
        }
        ahead::best(&mut mind, moment.seat, &slot, listed, self.work, chance)
    }
}

/// A table as one seat imagines it.
struct Mind<'r, G: Game> {
    rules: Cow<'r, G::Rules>,
    state: G::State,
}

impl<G: Words> ahead::Ahead for Mind<'_, G> {
    type Ask = Slot;
    type Answer = G::Answer;
    type Mark = G::State;

    fn mark(&self) -> G::State {
        self.state.clone()
    }

    fn back(&mut self, mark: &G::State) {
        self.state.clone_from(mark);
    }

    fn now(&self) -> ahead::Now<Slot> {
        match G::open(&self.rules, &self.state) {
            Open::Over => ahead::Now::Over,
            Open::Roll(roll) => ahead::Now::Roll(roll.dice),
            Open::Asks(asks) => ahead::Now::Asks(
                asks.iter()
                    .enumerate()
                    .map(|(i, ask)| ahead::Asked {
                        ask: Slot(i as u8),
                        seats: ask.who.seats(),
                        may: ask.duty == Duty::May,
                        kind: G::kind(&ask.prompt),
                    })
                    .collect(),
            ),
        }
    }

    fn listed(&self, slot: &Slot) -> Vec<G::Answer> {
        let mut listed = Vec::new();
        G::legal(&self.rules, &self.state, *slot, &mut |a| listed.push(a));
        listed
    }

    fn decline(&self, slot: &Slot) -> Option<G::Answer> {
        G::decline(&self.rules, &self.state, *slot)
    }

    fn answer(&mut self, _: Seat, slot: &Slot, answer: &G::Answer) -> bool {
        let Ok(mv) = G::check(&self.rules, &self.state, *slot, *answer) else { return false };
        G::apply(&self.rules, &mut self.state, mv, &mut NoSink);
        true
    }

    fn roll(&mut self, faces: &[u8]) {
        if let Open::Roll(roll) = G::open(&self.rules, &self.state) {
            let mut faces: fracas_kernel::Faces = faces.iter().copied().collect();
            roll.sort(&mut faces);
            G::roll(&self.rules, &mut self.state, roll.classify(&faces), &mut NoSink);
        }
    }

    fn worth(&self, seat: Seat) -> i32 {
        G::worth(&self.rules, &self.state, seat)
    }

    fn restraint(&self, slot: &Slot, answer: &G::Answer) -> i32 {
        G::restraint(&self.rules, &self.state, *slot, *answer)
    }
}

/// One policy for the gamemaster and another for every player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sides<A, B> {
    /// The gamemaster's policy.
    pub gm: A,
    /// The players' policy.
    pub players: B,
}

impl<G: Game, A: Policy<G>, B: Policy<G>> Policy<G> for Sides<A, B> {
    fn pick(&mut self, moment: Moment<'_, G>, listed: &[G::Answer], chance: &mut Chance) -> usize {
        match moment.seat {
            Seat::Gm => self.gm.pick(moment, listed, chance),
            _ => self.players.pick(moment, listed, chance),
        }
    }
}
