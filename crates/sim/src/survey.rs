//! Many conflicts at random, and what came up in them.

use crate::{Chance, End, Mix, Order, Playouts, Random};
use fracas_kernel::Words;
use std::fmt;

/// What came up in conflicts played at random.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// Answers in each conflict, in the order played.
    pub lengths: Vec<u32>,
    /// All answers.
    pub answers: u64,
    /// Answers that were listed to choose from.
    pub listed: u64,
    /// All rolls.
    pub rolls: u64,
    /// Answers by kind of prompt.
    pub mix: Mix,
    /// Of everything played; alike on all machines.
    pub checksum: u64,
    /// Conflicts that did not come to their end.
    pub unended: Vec<Ended>,
}

/// A conflict that did not come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Which of the tables.
    pub table: usize,
    /// The stream of chance it was played with.
    pub stream: u64,
    /// How it ended instead.
    pub end: End,
    /// After so many answers.
    pub answers: u32,
}

/// Plays `conflicts` whole conflicts, taking the tables in turn.
///
/// Any open ask is answered with any listed answer, each equally likely.
/// Conflict *i* draws from stream *i* of the seed.
pub fn survey<G: Words>(tables: &[(G::Rules, G::State)], conflicts: u32, seed: u64, budget: u32) -> Survey {
    let mut players: Vec<Playouts<'_, G>> = tables
        .iter()
        .map(|(rules, state)| Playouts::new(rules, state).order(Order::Any).budget(budget))
        .collect();
    let mut all = Survey {
        lengths: Vec::with_capacity(conflicts as usize),
        answers: 0,
        listed: 0,
        rolls: 0,
        mix: Mix::of::<G>(),
        checksum: 0,
        unended: Vec::new(),
    };
    if players.is_empty() {
        return all;
    }
    for stream in 0..u64::from(conflicts) {
        let table = stream as usize % players.len();
        let mut chance = Chance::new(seed, stream);
        let played = players[table].play(&mut Random, &mut chance, &mut all.mix);
        all.lengths.push(played.answers);
        all.answers += u64::from(played.answers);
        all.listed += played.listed;
        all.rolls += u64::from(played.rolls);
        all.checksum = all.checksum.rotate_left(1) ^ played.checksum;
        if played.end != End::Over {
            all.unended.push(Ended { table, stream, end: played.end, answers: played.answers });
        }
    }
    all
}

impl Survey {
    /// The median number of answers in a conflict.
    pub fn median(&self) -> u32 {
        self.at(1, 2)
    }

    /// The number of answers that so large a part of the conflicts stay within.
    fn at(&self, part: usize, of: usize) -> u32 {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let last = lengths.len().saturating_sub(1);
        lengths.get(last * part / of).copied().unwrap_or(0)
    }

    /// Conflicts that were still going on when their budget was spent, or that threw
    /// dice after dice.
    pub fn endless(&self) -> usize {
        self.unended.iter().filter(|one| matches!(one.end, End::Budget | End::Endless)).count()
    }

    /// What is wrong with it: conflicts without end, kinds never met, or
    /// conflicts shorter than `median` answers in the middle.
    pub fn faults(&self, median: u32) -> Vec<String> {
        let mut faults: Vec<String> = Vec::new();
        if let Some(one) = self.unended.first() {
            faults.push(format!(
                "{} of {} conflicts did not come to their end; the first: table {}, stream {}, {} after {} answers",
                self.unended.len(),
                self.lengths.len(),
                one.table,
                one.stream,
                one.end,
                one.answers,
            ));
        }
        let missing = self.mix.missing();
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
            "{} conflicts: {} answers of {} listed, {} rolls, checksum {:016x}",
            self.lengths.len(),
            self.answers,
            self.listed,
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
