//! One page about an encounter for its author: who wins, how long it takes, who falls, what is never used, and
//! which number matters most.

mod numbers;
mod page;
mod party;
mod watched;
mod words;

use crate::study::share;
use crate::{ANSWERS, ENDS, Mean, Plan, Play, Row, Sums, WIN, study};
use fracas_kernel::{Clause, Faults, Seat, Setup, Stands, Viewer, Words};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{sync::mpsc, thread};

/// What a report found out about an encounter. Shares are from 0 to 1, with their 95 % intervals.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The title of the encounter.
    pub title: String,
    /// The title of its system.
    pub system: &'static str,
    /// How the players chose.
    pub players: Play,
    /// How the gamemaster chose.
    pub gm: Play,
    /// The seed of the generator.
    pub seed: u64,
    /// How many conflicts were played of the encounter as it is written.
    pub conflicts: u64,
    /// After how many answers and rolls a conflict was cut off.
    pub budget: u32,
    /// How conflicts ended, by the number of players' characters.
    pub parties: Vec<Party>,
    /// Numbers of players' characters with which the encounter does not start.
    pub refused: Vec<RefusedParty>,
    /// The answers in a conflict.
    pub answers: Length,
    /// The rolls in a conflict.
    pub rolls: Length,
    /// Who falls, those who do most often first.
    pub fallers: Vec<Faller>,
    /// How many conflicts were watched for `answered` and `clauses`.
    pub watched: u64,
    /// What was answered in the watched conflicts.
    pub answered: Answered,
    /// The numbers of the encounter, each changed by one.
    pub numbers: Numbers,
    /// The rules that the watched conflicts named.
    pub clauses: Clauses,
}

/// How conflicts ended with so many players' characters.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Party {
    /// How many players' characters take part.
    pub characters: usize,
    /// Whether the encounter is written for so many.
    pub as_written: bool,
    /// The share of each end, in the order of the first [`ENDS`] of [`measures`](crate::measures).
    pub ends: [Mean; ENDS],
    /// The share of conflicts that the players won, as [`outlook`](crate::outlook) counts it.
    pub wins: Mean,
}

/// A number of players' characters with which the encounter does not start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RefusedParty {
    /// How many players' characters there would be.
    pub characters: usize,
    /// The first faults of the setup.
    pub why: String,
}

/// How long conflicts are, in answers or in rolls.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Length {
    /// Half of the conflicts are no longer.
    pub median: i64,
    /// Nine tenths of the conflicts are no longer.
    pub nine_tenths: i64,
    /// The longest.
    pub most: i64,
    /// How many conflicts are how long, from short to long.
    pub bins: Vec<Bin>,
}

/// Conflicts of about the same length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Bin {
    /// The least length.
    pub from: i64,
    /// The greatest length; none of the last bin where longer conflicts are in it too.
    pub to: Option<i64>,
    /// How many conflicts.
    pub count: u64,
}

/// Which side somebody is on, or who answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holder {
    /// Players.
    Players,
    /// The gamemaster.
    Gm,
}

/// Somebody who takes part, and how often they are out or have fallen at the end.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Faller {
    /// The name.
    pub name: String,
    /// Who plays them.
    pub holder: Holder,
    /// The share of the conflicts.
    pub share: Mean,
}

/// What was answered, by the kind of prompt and the leading part of the answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Answered {
    /// How many there were to choose, each kind of prompt with each leading part once.
    pub all: usize,
    /// Those that were listed and never chosen, the most often listed first.
    pub unchosen: Vec<Unchosen>,
}

/// An answer that was listed and never chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unchosen {
    /// Who was asked.
    pub asked: Holder,
    /// The kind of prompt, one of [`Words::kinds`].
    pub kind: &'static str,
    /// The leading part of the answer ([`Words::parts`]).
    pub part: String,
    /// In how many questions it was listed.
    pub listed: u64,
}

/// The numbers of an encounter, each changed by one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Numbers {
    /// How many conflicts were played with each change.
    pub conflicts: u64,
    /// How many numbers were changed.
    pub tried: usize,
    /// How many changes there were: one lower, one higher, where the encounter still started.
    pub changes: usize,
    /// The largest changes of how often the players win that are too large for chance among so many, the largest
    /// first.
    pub largest: Vec<Change>,
    /// How many of the numbers tried showed no such change.
    pub without: usize,
    /// Numbers that were not tried, for there are too many.
    pub untried: Vec<Number>,
    /// Numbers with which the encounter starts neither one lower nor one higher.
    pub fixed: Vec<Number>,
}

/// A number of an encounter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Number {
    /// The name of what it belongs to; may be empty.
    pub of: String,
    /// The field, as a fault names it; of a library entry from the entry on.
    pub field: String,
    /// Where it is written.
    pub written: Written,
    /// What it is.
    pub value: i64,
}

/// Where a number is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Written {
    /// In the encounter itself.
    Encounter,
    /// In an entry of the library that the encounter uses.
    Library,
}

/// What changing a number by one does.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Change {
    /// The number.
    pub number: Number,
    /// What it was changed to.
    pub to: i64,
    /// How much the players' share of wins changes, conflict by conflict, from -1 to 1.
    pub difference: Mean,
}

/// The rules that the watched conflicts named.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Clauses {
    /// How many rules of the rulebook play can name.
    pub all: usize,
    /// How many of them the watched conflicts named.
    pub fired: usize,
    /// Chapters of which some rules were named and others were not, those with the greatest share first.
    pub chapters: Vec<Chapter>,
}

/// A chapter of a rulebook, some of whose rules were named.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Chapter {
    /// Its title.
    pub section: &'static str,
    /// How many rules of it play can name.
    pub all: usize,
    /// How many of them were named.
    pub fired: usize,
    /// The rules that were not named.
    pub unfired: Vec<Clause>,
}

/// How far a report is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What is being done, in a few words.
    pub doing: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// How much there is.
    pub of: u64,
}

/// After so many answers and rolls a conflict is usually cut off: well beyond what people play in an evening.
pub const BUDGET: u32 = 5_000;
/// The fewest and the most players' characters that are tried beside those of the encounter as it is written.
const PARTIES: [usize; 2] = [2, 5];
/// The most numbers that are changed.
const MOST_NUMBERS: usize = 40;
/// The most changes that are told.
const MOST_CHANGES: usize = 10;
/// The changes of numbers take about so many answers and rolls for each conflict of the plan.
const STEPS: u64 = 15_000;
/// With each change at least so many conflicts are played, where the plan has as many.
const LEAST_PAIRED: u64 = 40;
/// About so many listed answers are put into words for each conflict of the plan.
const WORDED: u64 = 2_500;
/// The most and the fewest conflicts that are watched, where the plan has as many.
const WATCHED: [u64; 2] = [40, 4];

/// Plays an encounter many times, and says what an author wants to know of it; nothing where `progress` says
/// that nobody wants to any more.
///
/// The result depends on the setup and the plan alone, but not on its threads.
///
/// # Errors
/// Every fault of the setup.
pub fn report<G: Words>(
    setup: &Setup,
    plan: &Plan,
    mut progress: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Option<Report>, Faults> {
    let table = G::start(setup)?;
    Ok(found::<G>(setup, &table, plan, &mut progress))
}

fn found<G: Words>(
    setup: &Setup,
    table: &(G::Rules, G::State),
    plan: &Plan,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Option<Report> {
    let base = rows::<G>(table, plan, progress, "as written")?;
    let conflicts = base.len() as u64;
    let written = party::characters(setup);
    let (mut parties, mut refused) = (vec![party(written, true, &base)], Vec::new());
    for characters in (PARTIES[0]..=PARTIES[1]).filter(|characters| *characters < written) {
        match G::start(&party::fewer(setup, characters)) {
            Ok(table) => {
                let rows = rows::<G>(&table, plan, progress, "with fewer characters")?;
                parties.push(party(characters, false, &rows));
            }
            Err(faults) => refused.push(RefusedParty { characters, why: reasons(&faults) }),
        }
    }
    parties.sort_by_key(|party| party.characters);
    let watched = watched::watch::<G>(table, plan, progress)?;
    let numbers = numbers::try_each::<G>(setup, plan, &base, progress)?;
    Some(Report {
        title: setup.encounter.to_json()["title"].as_str().unwrap_or("A table").to_owned(),
        system: G::rulebook().title,
        players: plan.sides.players,
        gm: plan.sides.gm,
        seed: plan.seed,
        conflicts,
        budget: plan.budget,
        parties,
        refused,
        answers: length(&base, ANSWERS),
        rolls: length(&base, ANSWERS + 1),
        fallers: fallers::<G>(table, &base),
        watched: watched.conflicts,
        answered: watched.answered(),
        clauses: watched.clauses::<G>(),
        numbers,
    })
}

/// The row of each conflict of the plan.
fn rows<G: Words>(
    table: &(G::Rules, G::State),
    plan: &Plan,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    doing: &'static str,
) -> Option<Vec<Row>> {
    let of = plan.conflicts.end - plan.conflicts.start;
    let mut rows: Vec<Row> = Vec::new();
    let mut stopped = progress(Progress { doing, done: 0, of });
    if stopped.is_continue() {
        study::<G>(std::slice::from_ref(table), plan, |block| {
            rows.extend(block.into_iter().flatten());
            stopped = progress(Progress { doing, done: rows.len() as u64, of });
            stopped
        });
    }
    stopped.is_continue().then_some(rows)
}

/// Does `work` for each number below `count` on several threads. The results are in order; none where
/// `progress` says stop.
fn spread<T: Send>(
    (count, threads): (usize, usize),
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    doing: &'static str,
    work: impl Fn(usize) -> T + Sync,
) -> Option<Vec<T>> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let of = count as u64;
    thread::scope(|scope| {
        let (send, received) = mpsc::channel();
        for _ in 0..threads.clamp(1, count.max(1)) {
            let (send, next, stop, work) = (send.clone(), &next, &stop, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count || send.send((at, work(at))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut results = BTreeMap::new();
        let mut stopped = progress(Progress { doing, done: 0, of });
        while stopped.is_continue() {
            let Ok((at, result)) = received.recv() else { break };
            results.insert(at, result);
            stopped = progress(Progress { doing, done: results.len() as u64, of });
        }
        stop.store(stopped.is_break(), Ordering::Relaxed);
        stopped.is_continue().then(|| results.into_values().collect())
    })
}

/// A row without what only the base needs.
fn ends_of(row: &Row) -> Row {
    Row { values: row.values[..=WIN].to_vec(), fell: Vec::new() }
}

fn party(characters: usize, as_written: bool, rows: &[Row]) -> Party {
    let count = |at: usize| rows.iter().filter(|row| row.values[at] != 0).count() as u64;
    let of = |at| share(count(at), rows.len() as u64);
    Party { characters, as_written, ends: std::array::from_fn(of), wins: of(WIN) }
}

/// The first faults of a setup, without files and lines, which mean nothing in a changed one.
fn reasons(faults: &Faults) -> String {
    const MOST: usize = 2;
    let words = |fault: &fracas_kernel::Fault| match fault.field.is_empty() {
        true => fault.what.clone(),
        false => format!("{}: {}", fault.field, fault.what),
    };
    let more = faults.0.len().saturating_sub(MOST);
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    faults.0.iter().take(MOST).map(words).collect::<Vec<_>>().join("; ") + &rest
}

/// The length of conflicts by the measure at this place.
fn length(rows: &[Row], at: usize) -> Length {
    let mut all: Vec<i64> = rows.iter().map(|row| row.values[at]).collect();
    all.sort_unstable();
    let up_to = |part: usize, of: usize| {
        let place = (all.len() * part).div_ceil(of).saturating_sub(1);
        all.get(place).copied().unwrap_or(0)
    };
    let (median, nine_tenths, most) = (up_to(1, 2), up_to(9, 10), up_to(1, 1));
    Length { median, nine_tenths, most, bins: bins(&all, nine_tenths) }
}

/// The most bins of a histogram.
const BINS: usize = 14;

/// Bins of a round width for sorted lengths. A few very long conflicts share the last one.
fn bins(sorted: &[i64], nine_tenths: i64) -> Vec<Bin> {
    let (Some(least), Some(most)) = (sorted.first().copied(), sorted.last().copied()) else {
        return Vec::new();
    };
    let fine = (nine_tenths - least) / 12 + 1;
    let tens = (0..).map(|power| 10_i64.pow(power)).find(|ten| ten * 10 > fine).unwrap_or(1);
    let width = [1, 2, 5, 10].into_iter().map(|times| times * tens).find(|width| *width >= fine);
    let width = width.unwrap_or(fine);
    let first = least.div_euclid(width) * width;
    let needed = usize::try_from((most - first) / width + 1).unwrap_or(BINS);
    let bin = |nth: usize| {
        let from = first + nth as i64 * width;
        let is_last = nth + 1 == needed.min(BINS);
        let to = (!is_last || needed <= BINS).then_some(from + width - 1);
        let is_in = |length: &&i64| **length >= from && to.is_none_or(|to| **length <= to);
        Bin { from, to, count: sorted.iter().filter(is_in).count() as u64 }
    };
    (0..needed.min(BINS)).map(bin).collect()
}

/// Everybody on the stage at the beginning, and whoever else fell.
fn fallers<G: Words>((rules, state): &(G::Rules, G::State), rows: &[Row]) -> Vec<Faller> {
    let sides = G::stage(rules, state, Viewer::Seat(Seat::Gm)).sides;
    let mut all: BTreeMap<String, (Holder, u64)> = BTreeMap::new();
    for token in sides.iter().flat_map(|side| &side.tokens).filter(|token| token.stands != Stands::Gone) {
        let is_players = token.seat.is_some_and(|seat| seat != Seat::Gm);
        let holder = if is_players { Holder::Players } else { Holder::Gm };
        all.insert(token.name.clone(), (holder, 0));
    }
    for row in rows {
        // Several of one name count once in a conflict.
        for name in row.fell.iter().collect::<BTreeSet<_>>() {
            all.entry(name.clone()).or_insert((Holder::Gm, 0)).1 += 1;
        }
    }
    let faller = |(name, (holder, count))| Faller { name, holder, share: share(count, rows.len() as u64) };
    let mut fallers: Vec<Faller> = all.into_iter().map(faller).collect();
    fallers.sort_by(|a, b| b.share.mean.total_cmp(&a.share.mean));
    fallers
}

/// How much the share of the players' wins changes from the rows of the encounter as it is written.
fn difference(base: &[Row], changed: &[Row]) -> Mean {
    let mut sums = Sums::new(vec![String::new(); WIN + 1], [String::new(), String::new()]);
    base.iter().zip(changed).for_each(|(base, changed)| sums.add(&[ends_of(base), ends_of(changed)]));
    sums.paired(1, WIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lengths: &[i64], (median, nine_tenths): (i64, i64), bins: &[(i64, Option<i64>, u64)]) {
        let rows: Vec<Row> =
            lengths.iter().map(|length| Row { values: vec![*length], fell: Vec::new() }).collect();
        let length = length(&rows, 0);
        assert_eq!((length.median, length.nine_tenths), (median, nine_tenths), "{lengths:?}");
        let found: Vec<_> = length.bins.iter().map(|bin| (bin.from, bin.to, bin.count)).collect();
        assert_eq!(found, bins, "{lengths:?}");
    }

    #[test]
    fn lengths_are_counted_in_round_bins() {
        check(&[], (0, 0), &[]);
        check(&[7], (7, 7), &[(7, Some(7), 1)]);
        check(&[1, 2, 2, 3], (2, 3), &[(1, Some(1), 1), (2, Some(2), 2), (3, Some(3), 1)]);
        let mut tail: Vec<i64> = (0..100).map(|n| 20 + n % 10).collect();
        tail.push(4_000);
        let Length { bins, most, .. } =
            length(&tail.iter().map(|n| Row { values: vec![*n], fell: Vec::new() }).collect::<Vec<_>>(), 0);
        assert_eq!((bins.len(), most), (BINS, 4_000));
        assert_eq!(bins.last().map(|bin| (bin.to, bin.count)), Some((None, 1)));
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), 101);
    }

    #[test]
    fn work_is_spread_without_changing_its_results() {
        let go_on = &mut |_: Progress| ControlFlow::Continue(());
        for threads in [1, 3] {
            assert_eq!(spread((5, threads), go_on, "", |n| n * n), Some(vec![0, 1, 4, 9, 16]));
        }
        assert_eq!(spread((0, 2), go_on, "", |n| n), Some(Vec::new()));
        let stop = &mut |progress: Progress| match progress.done {
            2 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        assert_eq!(spread((5, 2), stop, "", |n| n), None);
    }

    #[test]
    fn a_difference_without_any_differing_conflict_includes_none() {
        let row = |won: i64| Row { values: vec![won, 1 - won, 0, 0, 0, won], fell: Vec::new() };
        let same = difference(&[row(1), row(0)], &[row(1), row(0)]);
        assert!(same.mean == 0.0 && same.low < 0.0 && same.high > 0.0, "{same:?}");
        let better = difference(&vec![row(0); 40], &vec![row(1); 40]);
        assert!(better.mean == 1.0 && better.low > 0.5, "{better:?}");
    }
}
