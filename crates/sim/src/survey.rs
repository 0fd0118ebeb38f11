//! Many whole conflicts, and counts of what came up in them.

use crate::{Both, Chance, End, Idle, Mix, Order, Playouts, Policy, Random};
use fracas_kernel::Words;
use std::fmt;

/// The result of many conflicts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// Answers in each conflict, in the order played.
    pub lengths: Vec<u32>,
    /// All answers.
    pub answers: u64,
    /// Answers that were listed to choose from.
    pub listed: u64,
    /// Answers that did nothing where something could be done.
    pub idle: u64,
    /// All rolls.
    pub rolls: u64,
    /// Answers by kind of prompt.
    pub mix: Mix,
    /// A checksum of all conflicts; the same on all machines.
    pub checksum: u64,
    /// Conflicts that did not end.
    pub unended: Vec<Ended>,
}

/// A conflict that did not end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// The index of its table.
    pub table: usize,
    /// The stream of the generator that it was played with.
    pub stream: u64,
    /// How the playout ended.
    pub end: End,
    /// How many answers it had.
    pub answers: u32,
}

/// Plays `conflicts` whole conflicts, at each table in turn.
///
/// Any open ask gets any listed answer, each equally likely. Conflict *i* draws from stream
/// *i* of the seed.
pub fn survey<G: Words>(tables: &[(G::Rules, G::State)], conflicts: u32, seed: u64, budget: u32) -> Survey {
    survey_by::<G>(tables, (&mut Random, Order::Any), (conflicts, seed, budget))
}

/// The same with answers by this policy, asked for in this order. The numbers are those of
/// [`survey`]: conflicts, seed and budget.
pub fn survey_by<G: Words>(
    tables: &[(G::Rules, G::State)],
    (policy, order): (&mut impl Policy<G>, Order),
    (conflicts, seed, budget): (u32, u64, u32),
) -> Survey {
    let mut players: Vec<Playouts<'_, G>> =
        tables.iter().map(|(rules, state)| Playouts::new(rules, state).order(order).budget(budget)).collect();
    let mut all = Survey {
        lengths: Vec::with_capacity(conflicts as usize),
        answers: 0,
        listed: 0,
        idle: 0,
        rolls: 0,
        mix: Mix::of::<G>(),
        checksum: 0,
        unended: Vec::new(),
    };
    if players.is_empty() {
        return all;
    }
    let mut counts = Both(Mix::of::<G>(), Idle::default());
    for stream in 0..u64::from(conflicts) {
        let table = stream as usize % players.len();
        let mut chance = Chance::new(seed, stream);
        let played = players[table].play(policy, &mut chance, &mut counts);
        all.lengths.push(played.answers);
        all.answers += u64::from(played.answers);
        all.listed += played.listed;
        all.rolls += u64::from(played.rolls);
        all.checksum = all.checksum.rotate_left(1) ^ played.checksum;
        if played.end != End::Over {
            all.unended.push(Ended { table, stream, end: played.end, answers: played.answers });
        }
    }
    (all.mix, all.idle) = (counts.0, counts.1.0);
    all
}

impl Survey {
    /// The median number of answers in a conflict.
    pub fn median(&self) -> u32 {
        self.at(1, 2)
    }

    /// The length that a fraction `part / of` of the conflicts does not exceed.
    fn at(&self, part: usize, of: usize) -> u32 {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let last = lengths.len().saturating_sub(1);
        lengths.get(last * part / of).copied().unwrap_or(0)
    }

    /// Conflicts that exceeded their budget, or threw dice after dice.
    pub fn endless(&self) -> usize {
        self.unended.iter().filter(|conflict| matches!(conflict.end, End::Budget | End::Endless)).count()
    }

    /// The fault that conflicts did not come to their end, if some did not.
    pub fn endings(&self) -> Option<String> {
        let conflict = self.unended.first()?;
        Some(format!(
            "{} of {} conflicts did not come to their end; the first: table {}, stream {}, {} after {} answers",
            self.unended.len(),
            self.lengths.len(),
            conflict.table,
            conflict.stream,
            conflict.end,
            conflict.answers,
        ))
    }

    /// The faults found: conflicts without end, kinds of prompt that never came up but for
    /// the `rare` ones, or a median length below `median` answers.
    pub fn faults(&self, median: u32, rare: &[&str]) -> Vec<String> {
        let mut faults: Vec<String> = self.endings().into_iter().collect();
        let mut missing = self.mix.missing();
        missing.retain(|kind| !rare.contains(kind));
        if !missing.is_empty() {
            faults.push(format!("never asked: {}", missing.join(", ")));
        }
        if self.median() < median {
            faults.push(format!("the median conflict has {} answers, fewer than {median}", self.median()));
        }
        faults
    }
}

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} conflicts: {} answers of {} listed, {:.1}% of them idle, {} rolls, checksum {:016x}",
            self.lengths.len(),
            self.answers,
            self.listed,
            self.idle as f64 * 100.0 / (self.answers.max(1) as f64),
            self.rolls,
            self.checksum,
        )?;
        writeln!(
            f,
            "answers in one: least {}, median {}, most {}; a tenth up to {}, nine tenths up to {}; endless {}",
            self.at(0, 1),
            self.median(),
            self.at(1, 1),
            self.at(1, 10),
            self.at(9, 10),
            self.endless(),
        )?;
        for (kind, count) in self.mix.counts() {
            let share = *count as f64 * 100.0 / (self.answers.max(1) as f64);
            writeln!(f, "  {kind:<20} {count:>10}  {share:5.1}%")?;
        }
        Ok(())
    }
}
