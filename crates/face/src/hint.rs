//! Hints: the answer that the machine would give for a seat, why, and what else it weighed.

use fracas_kernel::{AnyTable, Clause, Now, Seat, Viewer, Who};
use fracas_sim::{Bot, BotKind};
use serde::Serialize;

/// The most asks of a seat that are hinted at.
const ASKS: usize = 3;
/// The most other answers that are told.
const OTHERS: usize = 4;

/// Who hints, and what they cannot know; for every face.
pub const BY: &str = "The machine looks one answer ahead, knows what this seat knows, and imagines what is \
     hidden. It does not plan over several turns.";

/// A hint at one ask.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Hint {
    /// The ask in words.
    pub ask: String,
    /// The answer that the machine would give.
    pub best: Advice,
    /// Others, the better first.
    pub others: Vec<Advice>,
}

/// An answer, with what speaks for it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Advice {
    /// The answer in words.
    pub text: String,
    /// What it leads to.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub leads: String,
    /// The clause behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
    /// The odds of the roll that it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odds: Option<String>,
    /// How much worse off the seat is after it than after the best, in the units of the machine's own judgement.
    pub behind: f64,
}

/// Hints for a seat: at most at three of its open asks. An ask with a single answer needs none.
pub fn hints(game: &dyn AnyTable, seat: Seat) -> Vec<Hint> {
    let who = Viewer::Seat(seat);
    let Now::Asks(asks) = game.now_to(who) else { return Vec::new() };
    let own = asks.into_iter().filter(|ask| match ask.who {
        // The word of the others decides with it.
        Who::All(seats) => seats.contains(seat) && game.said(ask.id).iter().all(|(by, _)| *by != seat),
        who => who.seats().contains(seat),
    });
    // The same hint for the same table, as often as it is asked for.
    let bot = Bot::new(BotKind::Greedy, 0).at(0);
    let hint = |id| {
        let weighed = bot.weigh(game, seat, id);
        let top = weighed.first()?.1;
        let mut advice = weighed.into_iter().map(|(listed, value)| Advice {
            odds: game.odds(id, &listed.answer, who).map(|odds| odds.line()),
            text: listed.told.text,
            leads: listed.told.leads,
            clause: listed.told.clause,
            behind: top - value,
        });
        let (best, others) = (advice.next()?, advice.take(OTHERS).collect::<Vec<_>>());
        let ask = game.ask_told(id, who).map(|told| told.text).unwrap_or_default();
        (!others.is_empty()).then_some(Hint { ask, best, others })
    };
    own.filter_map(|ask| hint(ask.id)).take(ASKS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::Session;
    use fracas_suite::toy::{Toy, setup};

    #[test]
    fn the_best_stands_before_what_is_worse() {
        let game: Session<Toy> = fracas_suite::opened(&setup(3, 4));
        let seats = AnyTable::seats(&game).into_iter().map(|info| info.seat);
        let all: Vec<Hint> = seats.flat_map(|seat| hints(&game, seat)).collect();
        assert!(!all.is_empty());
        for hint in &all {
            assert_eq!(hint.best.behind, 0.0);
            assert!(hint.others.windows(2).all(|pair| pair[0].behind <= pair[1].behind), "{hint:?}");
        }
    }
}
