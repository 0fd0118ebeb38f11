//! Where an evening turned: the players' chances after each move, and the moves that changed them most.

use crate::{Going, Outlook, outlook, worth};
use fracas_kernel::{AnyTable, AskId, Now, Seat, System, Viewer, Who};
use fracas_table::{Entry, Log, OpenError, Record, course, session_id};
use serde::Serialize;
use std::ops::ControlFlow;

/// How much is played to find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Conflicts that go on from each moment.
    pub first: u64,
    /// Conflicts that go on from the moments around the largest changes.
    pub closer: u64,
    /// The most turning points.
    pub turns: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort::of(100)
    }
}

impl Effort {
    /// So many conflicts from each moment, and four times as many around the largest changes.
    pub fn of(first: u64) -> Effort {
        Effort { first, closer: first.saturating_mul(4), turns: 3 }
    }
}

/// The most moments of a log that are looked at.
const MOMENTS: usize = 400;
/// The least change that counts as a turning point, as a share.
const LEAST: f64 = 0.05;
/// The most other answers that are tried at a turning point.
const OTHERS: usize = 24;
/// How many stretches are looked at closely for each turning point.
const STRETCHES: usize = 3;
/// The gamemaster, who may know everything.
const GM: Viewer = Viewer::Seat(Seat::Gm);

/// How the players' chances moved.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Turns {
    /// The chances from the beginning on.
    pub points: Vec<Point>,
    /// The sums of the changes, by what made them; absent where not each move was looked at.
    pub shares: Option<Shares>,
    /// The moves that changed the chances most, in the order of the log.
    pub turns: Vec<Turn>,
}

/// The chances after a move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Point {
    /// The move's line in the log; 0 before the first.
    pub seq: u64,
    /// The outlook then.
    pub outlook: Outlook,
}

/// How much each kind of move changed the players' chances in all, as shares from -1 to 1.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Shares {
    /// All dice.
    pub dice: Share,
    /// The players' answers, compared with those of the players who play on.
    pub players: Share,
    /// The gamemaster's.
    pub gm: Share,
    /// What the gamemaster overruled.
    pub overruled: Share,
}

/// A sum of changes. The true sum is within the 95 % interval of `sum` ± `within`.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Share {
    /// The sum, from -1 to 1.
    pub sum: f64,
    /// How far it may be off, for the conflicts that were played on are a sample.
    pub within: f64,
}

/// A move that changed the players' chances.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Turn {
    /// Its line in the log.
    pub seq: u64,
    /// The line of the move before it.
    pub before_seq: u64,
    /// Its place among the lines that the gamemaster sees.
    pub n: u64,
    /// What made the change.
    pub by: By,
    /// What happened, as the gamemaster was told.
    pub text: String,
    /// The outlook before it.
    pub before: Outlook,
    /// The outlook after it.
    pub after: Outlook,
    /// Of dice: the odds of what they could bring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odds: Option<String>,
    /// Of an answer: a better one, if there was any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<Instead>,
}

/// What makes a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Dice.
    Dice,
    /// A seat's answer.
    Seat(Seat),
    /// The gamemaster's overruling.
    Overruled,
}

/// A better answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Instead {
    /// The answer in words.
    pub text: String,
    /// The outlook after it.
    pub outlook: Outlook,
}

impl By {
    fn of(record: &Record) -> By {
        match &record.entry {
            Entry::Roll(_) => By::Dice,
            Entry::Answer(answer) => By::Seat(answer.seat()),
            _ => By::Overruled,
        }
    }
}

impl Turn {
    /// Whether the change is large, and more than the conflicts differ by chance.
    fn is_sure(&self) -> bool {
        let middle = (self.before.chance() + self.after.chance()) / 2.0;
        let conflicts = f64::from(self.before.conflicts.min(self.after.conflicts).max(1));
        let deviation = (2.0 * middle * (1.0 - middle) / conflicts).sqrt();
        self.change().abs() >= LEAST.max(2.5 * deviation)
    }

    fn change(&self) -> f64 {
        self.after.chance() - self.before.chance()
    }
}

/// Plays on from each moment of a log, and looks closely at where the chances changed most. `each` is given how
/// many moments have been played on from, and of how many; it may end the work, which then has no result.
///
/// # Errors
/// If a line cannot be played again.
pub fn turns(
    system: &System,
    log: &Log,
    effort: &Effort,
    mut each: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Option<Turns>, OpenError> {
    let start = (system.start)(&log.header().setup())?;
    let begun = worth(start.as_ref());
    let moves = log.live().filter(|record| record.seq > log.floor() && record.entry.is_move()).count();
    let every = moves.div_ceil(MOMENTS).max(1);
    let of = moves / every + 1;
    let going = Going::brisk(effort.first);
    let mut points = Vec::with_capacity(of);
    if log.floor() == 0 {
        points.push((0, Point { seq: 0, outlook: outlook(start.as_ref(), begun, &going) }, By::Overruled));
    }
    let (mut at, mut stopped) = (0, false);
    course(system, log, |record, game| {
        at += 1;
        stopped = stopped || each(points.len(), of).is_break();
        if !stopped && (at % every == 0 || at == moves) {
            let point = Point { seq: record.seq, outlook: outlook(game, begun, &going) };
            points.push((at, point, By::of(record)));
        }
    })?;
    if stopped {
        return Ok(None);
    }
    let shares = (every == 1).then(|| shares(&points));
    let turns = closely(system, log, begun, effort, &stretches(&points, STRETCHES * effort.turns))?;
    let mut points: Vec<Point> = points.into_iter().map(|(_, point, _)| point).collect();
    // The curve goes through what is known better.
    for turn in &turns {
        for point in &mut points {
            match point.seq {
                seq if seq == turn.before_seq => point.outlook = turn.before,
                seq if seq == turn.seq => point.outlook = turn.after,
                _ => {}
            }
        }
    }
    Ok(Some(Turns { points, shares, turns }))
}

/// The sums of the changes.
fn shares(points: &[(usize, Point, By)]) -> Shares {
    let share = |is_of: fn(By) -> bool| {
        let (mut sum, mut variance) = (0.0, 0.0);
        for (nth, (_, point, by)) in points.iter().enumerate() {
            let chance = point.outlook.chance();
            // The chance after a move counts for what made the move, and against what made the next.
            let is_after = nth > 0 && is_of(*by);
            let is_before = points.get(nth + 1).is_some_and(|(.., next)| is_of(*next));
            let weight = f64::from(i8::from(is_after) - i8::from(is_before));
            sum += weight * chance;
            variance += weight * weight * chance * (1.0 - chance) / f64::from(point.outlook.conflicts.max(1));
        }
        Share { sum, within: 1.96 * variance.sqrt() }
    };
    Shares {
        dice: share(|by| by == By::Dice),
        players: share(|by| matches!(by, By::Seat(seat) if seat != Seat::Gm)),
        gm: share(|by| by == By::Seat(Seat::Gm)),
        overruled: share(|by| by == By::Overruled),
    }
}

/// The stretches between neighbouring points over which the chances changed most: the numbers of their moves,
/// without the first and with the last.
fn stretches(points: &[(usize, Point, By)], most: usize) -> Vec<(usize, usize)> {
    let change =
        |pair: &[(usize, Point, By)]| (pair[1].1.outlook.chance() - pair[0].1.outlook.chance()).abs();
    let mut pairs: Vec<_> = points.windows(2).collect();
    pairs.sort_by(|one, other| change(other).total_cmp(&change(one)));
    pairs.into_iter().take(most).map(|pair| (pair[0].0, pair[1].0)).collect()
}

/// The moves within these stretches that changed the chances most, by more conflicts.
fn closely(
    system: &System,
    log: &Log,
    begun: i32,
    effort: &Effort,
    stretches: &[(usize, usize)],
) -> Result<Vec<Turn>, OpenError> {
    let going = Going::brisk(effort.closer);
    let within = |at: usize| stretches.iter().any(|(after, to)| (*after < at) && at <= *to);
    let mut before: Option<Box<dyn AnyTable>> = match log.floor() {
        0 => Some((system.start)(&log.header().setup())?),
        _ => None,
    };
    let (mut at, mut last, mut found) = (0, log.floor(), Vec::new());
    // The outlook after the move before, where that was looked at too.
    let mut known: Option<Outlook> = None;
    course(system, log, |record, game| {
        at += 1;
        let was = known.take();
        if within(at)
            && let Some(before) = &before
        {
            let turn = Turn {
                seq: record.seq,
                before_seq: last,
                n: record.to(GM).map_or(0, |line| line.n),
                by: By::of(record),
                text: text(record).or_else(|| given(before.as_ref(), record)).unwrap_or_default(),
                before: was.unwrap_or_else(|| outlook(before.as_ref(), begun, &going)),
                after: outlook(game, begun, &going),
                odds: None,
                instead: None,
            };
            known = Some(turn.after);
            if turn.is_sure() {
                found.push((turn, before.again(), record));
            }
        }
        before = within(at + 1).then(|| game.again());
        last = record.seq;
    })?;
    found.sort_by(|(one, ..), (other, ..)| other.change().abs().total_cmp(&one.change().abs()));
    found.truncate(effort.turns);
    found.sort_by_key(|(turn, ..)| turn.seq);
    let with_details = |(turn, before, record): (Turn, Box<dyn AnyTable>, &Record)| Turn {
        odds: before.roll_odds(GM).map(|odds| odds.line()),
        instead: better(&turn, before.as_ref(), record, begun, &Going::brisk(effort.first)),
        ..turn
    };
    Ok(found.into_iter().map(with_details).collect())
}

/// An answer in words.
fn given(before: &dyn AnyTable, record: &Record) -> Option<String> {
    let Entry::Answer(given) = &record.entry else { return None };
    Some(before.preview(session_id(given.ask), given.answer.get(), GM).ok()?.text)
}

/// What happened in a line, as the gamemaster was told; `None` if nothing was.
fn text(record: &Record) -> Option<String> {
    let line = record.to(GM)?;
    let plainly = line.shown.iter().filter(|shown| !shown.working).map(|shown| shown.text.as_str());
    let said: Vec<&str> = plainly.collect();
    let all = || line.shown.iter().map(|shown| shown.text.as_str()).collect();
    let words = if said.is_empty() { all() } else { said }.join(" ");
    Some(words).filter(|words| !words.is_empty())
}

/// The best other answer for the seat that gave this one, if it is clearly better.
fn better(turn: &Turn, before: &dyn AnyTable, record: &Record, begun: i32, going: &Going) -> Option<Instead> {
    let Entry::Answer(given) = &record.entry else { return None };
    let (id, seat) = (session_id(given.ask), given.seat());
    let sign = if seat == Seat::Gm { -1.0 } else { 1.0 };
    let others = before.legal(id, GM).into_iter().filter(|listed| listed.answer != given.answer.get());
    let tried = others.take(OTHERS).filter_map(|listed| {
        let after = answered(before, id, seat, &listed.answer)?;
        Some(Instead { text: listed.told.text, outlook: outlook(after.as_ref(), begun, going) })
    });
    let value = |outlook: Outlook| sign * outlook.chance();
    let best = tried.max_by(|one, other| value(one.outlook).total_cmp(&value(other.outlook)))?;
    (value(best.outlook) > value(turn.after) + LEAST).then_some(best)
}

/// The table after another answer; of a joint ask every seat gives it.
pub(crate) fn answered(
    table: &dyn AnyTable,
    id: AskId,
    seat: Seat,
    answer: &str,
) -> Option<Box<dyn AnyTable>> {
    let Now::Asks(asks) = table.now() else { return None };
    let mut after = table.again();
    match asks.iter().find(|ask| ask.id == id)?.who {
        Who::All(seats) => {
            seats.iter().try_for_each(|seat| after.answer(seat, id, answer, false).map(drop)).ok()?;
        }
        _ => drop(after.answer(seat, id, answer, false).ok()?),
    }
    Some(after)
}
