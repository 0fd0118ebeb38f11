//! Whole conflicts, played out.

use crate::{Chance, Moment, Policy, Watch};
use borsh::BorshSerialize;
use fracas_kernel::{Ask, Duty, Game, NoSink, Open, Seat, Slot};
use std::{fmt, io};

/// Which of several open asks is answered next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The first.
    #[default]
    Canonical,
    /// Any of them, each equally likely.
    Any,
    /// One for which a good player goes on although others have the floor; else the first that
    /// must be answered or declined; else the first.
    Waited,
}

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The game was over.
    Over,
    /// The budget ran out.
    Budget,
    /// An ask listed no answer.
    Stuck(Slot),
    /// A listed answer was refused.
    Refused(Slot),
    /// Dice followed dice without an answer between them.
    Endless,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Over => f.write_str("over"),
            End::Budget => f.write_str("endless"),
            End::Stuck(slot) => write!(f, "ask {} listing nothing", slot.0),
            End::Refused(slot) => write!(f, "a listed answer to ask {} refused", slot.0),
            End::Endless => f.write_str("dice without end"),
        }
    }
}

/// The result of a playout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<S> {
    /// The last state.
    pub state: S,
    /// Answers given by seats.
    pub answers: u32,
    /// Answers that were listed to choose from.
    pub listed: u64,
    /// Rolls.
    pub rolls: u32,
    /// How it ended.
    pub end: End,
    /// A checksum of every choice, every face and the last state; the same on all machines.
    pub checksum: u64,
}

/// The default limit of answers and rolls in one playout.
pub const BUDGET: u32 = 20_000;

/// Plays out conflicts from the same start.
///
/// A joint ask is answered once, for all its seats. Allocates nothing once its buffer has
/// grown to the longest list.
pub struct Playouts<'g, G: Game> {
    rules: &'g G::Rules,
    start: &'g G::State,
    order: Order,
    budget: u32,
    listed: Vec<G::Answer>,
}

impl<'g, G: Game> Playouts<'g, G> {
    /// See [`BUDGET`].
    pub const BUDGET: u32 = BUDGET;
    /// The most rolls that may follow each other without an answer.
    pub const ROLLS: u32 = 100;

    /// Playouts from this state, answering asks in canonical order.
    pub const fn new(rules: &'g G::Rules, start: &'g G::State) -> Self {
        Playouts { rules, start, order: Order::Canonical, budget: Self::BUDGET, listed: Vec::new() }
    }

    /// Sets the order in which asks are answered.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Limits a playout to this many answers and rolls.
    #[must_use]
    pub fn budget(mut self, budget: u32) -> Self {
        self.budget = budget;
        self
    }

    /// Plays one conflict.
    pub fn play(
        &mut self,
        policy: &mut impl Policy<G>,
        chance: &mut Chance,
        watch: &mut impl Watch<G>,
    ) -> Played<G::State> {
        let rules = self.rules;
        let mut state = self.start.clone();
        let (mut answers, mut listed, mut rolls, mut in_a_row) = (0, 0, 0, 0);
        let mut sum = Sum::new();
        let end = loop {
            if answers + rolls == self.budget {
                break End::Budget;
            }
            match G::open(rules, &state) {
                Open::Over => break End::Over,
                Open::Roll(roll) => {
                    if in_a_row == Self::ROLLS {
                        break End::Endless;
                    }
                    let mut faces = chance.throw(&roll.dice);
                    roll.sort(&mut faces);
                    sum.bytes(&faces);
                    watch.roll(&roll, &faces);
                    G::roll(rules, &mut state, roll.classify(&faces), &mut NoSink);
                    rolls += 1;
                    in_a_row += 1;
                }
                Open::Asks(asks) => {
                    // The order is drawn as well, so that every kind of prompt comes up.
                    let at = match self.order {
                        Order::Canonical => 0,
                        Order::Any if asks.len() == 1 => 0,
                        Order::Any => chance.place(asks.len()),
                        Order::Waited => waited::<G>(rules, &state, &asks),
                    };
                    let slot = Slot(at as u8);
                    let Some(ask) = asks.get(at) else { break End::Stuck(slot) };
                    let buffer = &mut self.listed;
                    buffer.clear();
                    G::legal(rules, &state, slot, &mut |answer| buffer.push(answer));
                    if buffer.is_empty() {
                        break End::Stuck(slot);
                    }
                    let seat = ask.who.seats().iter().next().unwrap_or(Seat::Gm);
                    let moment = Moment { rules, state: &state, slot, ask, seat };
                    let pick = policy.pick(moment, buffer, chance);
                    let answer = buffer[pick];
                    watch.answer(moment, buffer, answer);
                    let Ok(mv) = G::check(rules, &state, slot, answer) else { break End::Refused(slot) };
                    G::apply(rules, &mut state, mv, &mut NoSink);
                    sum.word((at as u64) << 32 | pick as u64);
                    listed += buffer.len() as u64;
                    answers += 1;
                    in_a_row = 0;
                }
            }
        };
        sum.state(&state);
        Played { state, answers, listed, rolls, end, checksum: sum.0 }
    }
}

/// The place of the ask that a table of good players answers next.
fn waited<G: Game>(rules: &G::Rules, state: &G::State, asks: &[Ask<G::Prompt>]) -> usize {
    let slot = |at: usize| Slot(at as u8);
    let cuts_in = |at: &usize| asks[*at].duty == Duty::May && G::cuts_in(rules, state, slot(*at));
    let holds = |at: &usize| asks[*at].duty == Duty::Must || G::decline(rules, state, slot(*at)).is_some();
    let all = || 0..asks.len();
    all().find(cuts_in).or_else(|| all().find(holds)).unwrap_or(0)
}

/// A digest of a state; the same on all machines.
pub fn digest<S: BorshSerialize>(state: &S) -> u64 {
    let mut sum = Sum::new();
    sum.state(state);
    sum.0
}

/// FNV-1a over words, mixed: fast and portable, but no proof against forgery.
struct Sum(u64);

impl Sum {
    const fn new() -> Self {
        Sum(0xcbf2_9ce4_8422_2325)
    }

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn state<S: BorshSerialize>(&mut self, state: &S) {
        // Writing into a sum cannot fail. The suite finds a state that cannot be
        // serialised.
        let _ = state.serialize(self);
    }
}

impl io::Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
