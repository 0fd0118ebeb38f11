//! Bots for tables whose game is erased.

use crate::Chance;
use crate::ahead::{self, Ahead, Asked};
use fracas_kernel::{AnyTable, AskId, Duty, Listed, Mark, Now, Seat, Viewer, Who};

/// How a bot chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BotKind {
    /// Any listed answer.
    Random,
    /// As [`crate::Greedy`] chooses.
    #[default]
    Greedy,
}

/// Answers for a seat at a table, from no more than the seat may see.
///
/// An answer depends on the bot's seed, the moment and the table alone, not on earlier
/// questions.
#[derive(Clone, Copy, Debug)]
pub struct Bot {
    kind: BotKind,
    seed: u64,
    moment: Option<u64>,
}

impl Bot {
    /// How many answers and throws one greedy choice may try.
    const WORK: u32 = 4_000;

    /// A bot of this kind.
    pub const fn new(kind: BotKind, seed: u64) -> Self {
        Bot { kind, seed, moment: None }
    }

    /// The bot at this moment, in place of the number of moves so far: at a table with people a
    /// choice must not tell how often somebody acted unseen.
    #[must_use]
    pub const fn at(self, moment: u64) -> Self {
        Bot { moment: Some(moment), ..self }
    }

    /// A bot that gives any listed answer.
    pub const fn random(seed: u64) -> Self {
        Bot::new(BotKind::Random, seed)
    }

    /// A bot that gives the answer after which the seat is best off.
    pub const fn greedy(seed: u64) -> Self {
        Bot::new(BotKind::Greedy, seed)
    }

    /// The answer of `seat` to this ask, as JSON.
    ///
    /// To a joint ask it gives the answer that another seat has proposed. `None` if the ask
    /// is not open, not the seat's, already answered by it, or nothing is listed; and if a
    /// greedy bot lets others go on.
    pub fn choose(&self, table: &dyn AnyTable, seat: Seat, id: AskId) -> Option<String> {
        let Now::Asks(asks) = table.now_to(Viewer::Seat(seat)) else { return None };
        // Beside dice that the seat does not see, play waits as it would without them.
        let waited_for = matches!(table.now(), Now::Roll(_))
            || asks.iter().any(|ask| ask.duty == Duty::Must && ask.id != id);
        let ask = asks.into_iter().find(|ask| ask.id == id && ask.who.seats().contains(seat))?;
        // Play waits for another seat, and this seat need not even decline its chance to
        // step in: a good player lets the others go on until its turn comes.
        let standing_by =
            ask.duty == Duty::May && waited_for && table.decline(id).is_none() && !table.cuts_in(id);
        if standing_by && self.kind == BotKind::Greedy {
            return None;
        }
        if let Who::All(_) = ask.who {
            let said = table.said(id);
            if let Some((_, first)) = said.first() {
                let same = said.iter().any(|(s, answer)| *s == seat && answer == first);
                return (!same).then(|| first.clone());
            }
        }
        let mut listed: Vec<String> =
            table.legal(id, Viewer::Seat(seat)).into_iter().map(|listed| listed.answer).collect();
        if listed.is_empty() {
            return None;
        }
        let mut chance = Chance::new(self.seed, self.moment.unwrap_or_else(|| table.seq()));
        let at = match self.kind {
            BotKind::Random => chance.place(listed.len()),
            BotKind::Greedy if listed.len() == 1 => 0,
            BotKind::Greedy => {
                let mut mind = Mind(table.imagine(Viewer::Seat(seat), chance.seed()));
                ahead::best(&mut mind, seat, &id, &listed, Self::WORK, &mut chance)
            }
        };
        Some(listed.swap_remove(at))
    }

    /// The listed answers of this ask with how well off the seat is after each, the best first: what a greedy bot
    /// weighs. Refused answers are left out.
    pub fn weigh(&self, table: &dyn AnyTable, seat: Seat, id: AskId) -> Vec<(Listed, f64)> {
        let listed = table.legal(id, Viewer::Seat(seat));
        let answers: Vec<String> = listed.iter().map(|listed| listed.answer.clone()).collect();
        let mut chance = Chance::new(self.seed, self.moment.unwrap_or_else(|| table.seq()));
        let mut mind = Mind(table.imagine(Viewer::Seat(seat), chance.seed()));
        let values = ahead::values(&mut mind, seat, &id, &answers, Self::WORK, &chance);
        let mut weighed: Vec<(Listed, f64)> =
            listed.into_iter().zip(values).filter_map(|(listed, value)| Some((listed, value?))).collect();
        weighed.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        weighed
    }
}

/// A table as one seat imagines it.
struct Mind(Box<dyn AnyTable>);

impl Ahead for Mind {
    type Ask = AskId;
    type Answer = String;
    type Mark = Mark;

    fn mark(&self) -> Mark {
        self.0.mark()
    }

    fn back(&mut self, mark: &Mark) {
        self.0.back(mark);
    }

    fn now(&self) -> ahead::Now<AskId> {
        match self.0.now() {
            Now::Over => ahead::Now::Over,
            Now::Roll(roll) => ahead::Now::Roll(roll.dice),
            Now::Asks(asks) => ahead::Now::Asks(
                asks.into_iter()
                    .map(|ask| Asked {
                        ask: ask.id,
                        seats: ask.who.seats(),
                        may: ask.duty == Duty::May,
                        kind: ask.kind,
                    })
                    .collect(),
            ),
        }
    }

    fn listed(&self, id: &AskId) -> Vec<String> {
        self.0.legal(*id, Viewer::Seat(Seat::Gm)).into_iter().map(|listed| listed.answer).collect()
    }

    fn decline(&self, id: &AskId) -> Option<String> {
        self.0.decline(*id)
    }

    fn answer(&mut self, seat: Seat, id: &AskId, answer: &String) -> bool {
        let Now::Asks(asks) = self.0.now() else { return false };
        let all = asks.iter().find(|ask| ask.id == *id).and_then(|ask| match ask.who {
            Who::All(all) => Some(all),
            _ => None,
        });
        match all {
            Some(all) => all.iter().all(|seat| self.0.answer(seat, *id, answer, false).is_ok()),
            None => self.0.answer(seat, *id, answer, false).is_ok(),
        }
    }

    fn roll(&mut self, faces: &[u8]) {
        // The faces have the dice that are due, so they are accepted.
        let _ = self.0.roll(faces, false);
    }

    fn worth(&self, seat: Seat) -> i32 {
        self.0.worth(seat)
    }

    fn restraint(&self, id: &AskId, answer: &String) -> i32 {
        self.0.restraint(*id, answer)
    }
}
