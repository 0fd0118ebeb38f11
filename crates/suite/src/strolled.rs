//! Play at random, for tests of a game that look at its own answers and dice.

use crate::opened;
use fracas_kernel::{AskId, Game, Open, Seat, Session, Setup, Slot, Who};
use fracas_sim::Chance;

/// A listed answer to an ask that is open.
#[derive(Clone, Copy, Debug)]
pub struct Choice<G: Game> {
    /// The ask.
    pub id: AskId,
    /// Its place.
    pub slot: Slot,
    /// Who is asked.
    pub who: Who,
    /// What is asked.
    pub prompt: G::Prompt,
    /// The answer.
    pub answer: G::Answer,
}

impl<G: Game> Choice<G> {
    /// The seat that gives it, or the first of those that do.
    pub fn seat(&self) -> Seat {
        self.who.seats().iter().next().unwrap_or(Seat::Gm)
    }

    /// Gives it, from every seat that has to, and returns what happened.
    ///
    /// # Panics
    /// If it is refused.
    #[track_caller]
    pub fn give(&self, table: &mut Session<G>) -> Vec<G::Event> {
        let seats: Vec<Seat> = match self.who {
            Who::All(all) => all.iter().collect(),
            _ => vec![self.seat()],
        };
        let mut events = Vec::new();
        for seat in seats {
            let given = table.answer(seat, self.id, self.answer, &mut events);
            given.unwrap_or_else(|refused| panic!("{:?}: {refused}", self.answer));
        }
        events
    }
}

/// Every listed answer to every ask.
pub fn choices<G: Game>(table: &Session<G>) -> Vec<Choice<G>> {
    let mut all = Vec::new();
    for (id, slot, ask) in table.asks() {
        let (who, prompt) = (ask.who, ask.prompt);
        G::legal(table.rules(), table.state(), slot, &mut |answer| {
            all.push(Choice { id, slot, who, prompt, answer });
        });
    }
    all
}

/// Plays each setup at random for so many steps. `look` sees the table before each step, with the answer
/// that comes next, or nothing where dice are due.
///
/// # Panics
/// If a step is refused.
pub fn strolled<G: Game>(
    setups: &[Setup],
    seed: u64,
    steps: u32,
    mut look: impl FnMut(&Session<G>, Option<&Choice<G>>),
) {
    for setup in setups {
        let (mut table, mut chance) = (opened::<G>(setup), Chance::new(seed, 0));
        for _ in 0..steps {
            match table.open() {
                Open::Over => break,
                Open::Roll(roll) => {
                    let faces = chance.throw(&roll.dice);
                    look(&table, None);
                    table.roll(&faces, &mut Vec::new()).expect("they can fall");
                }
                Open::Asks(_) => {
                    // Any ask, then any answer to it: a long list does not drown the others.
                    let asks: Vec<AskId> = table.asks().map(|(id, ..)| id).collect();
                    let ask = asks[chance.place(asks.len())];
                    let mut all = choices(&table);
                    all.retain(|choice| choice.id == ask);
                    let next = &all[chance.place(all.len())];
                    look(&table, Some(next));
                    next.give(&mut table);
                }
            }
        }
    }
}
