//! What may come of a moment: every answer with its odds, and how play ends after it.

use crate::turns::answered;
use crate::{Going, Outlook, outlook, worth};
use fracas_kernel::{AnyTable, Now, Seat, System, Viewer};
use fracas_table::{Log, OpenError, course};
use serde::Serialize;
use std::time::{Duration, Instant};

/// How much is played on from a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    /// Conflicts from the moment itself.
    pub now: u64,
    /// Conflicts after each answer.
    pub each: u64,
    /// After this time no further answer is tried.
    pub within: Duration,
}

impl Default for Depth {
    fn default() -> Depth {
        Depth { now: 500, each: 100, within: Duration::from_secs(2) }
    }
}

/// The most answers of an ask that are listed.
const ANSWERS: usize = 40;

/// A moment with what may come of it, as the gamemaster may know.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Moment {
    /// How play ends that goes on from it; absent at the end of play.
    pub outlook: Option<Outlook>,
    /// The dice that are due, with the odds of what they bring.
    pub due: Option<(String, Option<String>)>,
    /// What is asked.
    pub asks: Vec<Asked>,
}

/// An open ask.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Asked {
    /// The seats that are asked.
    pub seats: Vec<Seat>,
    /// The ask in words.
    pub text: String,
    /// Its listed answers, up to forty.
    pub answers: Vec<Choice>,
    /// How many more are listed.
    pub more: usize,
}

/// A listed answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Choice {
    /// The answer in words.
    pub text: String,
    /// The odds of the roll that it leads to.
    pub odds: Option<String>,
    /// How play ends that goes on after it; absent where there was no time to try.
    pub outlook: Option<Outlook>,
}

/// What may come of the moment after a line of a log; `None` if the log has no move up to that line that can be
/// played again.
///
/// # Errors
/// If a line cannot be played again.
pub fn moment(system: &System, log: &Log, after: u64, depth: &Depth) -> Result<Option<Moment>, OpenError> {
    let start = (system.start)(&log.header().setup())?;
    let begun = worth(start.as_ref());
    let mut then = (log.floor() == 0).then_some(start);
    course(system, log, |record, game| {
        if record.seq <= after {
            then = Some(game.again());
        }
    })?;
    Ok(then.map(|table| of(table.as_ref(), begun, depth)))
}

fn of(table: &dyn AnyTable, begun: i32, depth: &Depth) -> Moment {
    let until = Instant::now() + depth.within;
    let gm = Viewer::Seat(Seat::Gm);
    let mut moment = Moment { outlook: None, due: None, asks: Vec::new() };
    let now = table.now();
    if now != Now::Over {
        moment.outlook = Some(outlook(table, begun, &Going::brisk(depth.now)));
    }
    match now {
        Now::Over => {}
        Now::Roll(roll) => {
            moment.due = Some((roll.dice.to_string(), table.roll_odds(gm).map(|odds| odds.line())));
        }
        Now::Asks(asks) => {
            for ask in asks {
                let Some(seat) = ask.who.seats().iter().next() else { continue };
                let mut listed = table.legal(ask.id, gm);
                let more = listed.len().saturating_sub(ANSWERS);
                listed.truncate(ANSWERS);
                let choice = |listed: fracas_kernel::Listed| Choice {
                    odds: table.odds(ask.id, &listed.answer, gm).map(|odds| odds.line()),
                    outlook: answered(table, ask.id, seat, &listed.answer)
                        .filter(|_| Instant::now() < until)
                        .map(|after| outlook(after.as_ref(), begun, &Going::brisk(depth.each))),
                    text: listed.told.text,
                };
                moment.asks.push(Asked {
                    seats: ask.who.seats().iter().collect(),
                    text: table.ask_told(ask.id, gm).map(|told| told.text).unwrap_or_default(),
                    answers: listed.into_iter().map(choice).collect(),
                    more,
                });
            }
        }
    }
    moment
}
