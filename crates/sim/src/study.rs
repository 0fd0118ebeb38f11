//! Many conflicts under several settings, each played with the same chance under all of them.

use crate::{Brisk, Chance, End, Fair, Greedy, Moment, Order, Playouts, Policy, Quiet, Random, Sides, Watch};
use fracas_kernel::{Faces, Flank, Game, Roll, Seat, Side, Stands, Token, Viewer, Who, Words};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::{sync::mpsc, thread};

/// How a side chooses its answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Play {
    /// As [`Random`].
    Random,
    /// As [`Fair`].
    Fair,
    /// As [`Brisk`].
    Brisk,
    /// As [`Greedy`], which may try so many answers and throws for one choice.
    Sound(u32),
}

impl<G: Words> Policy<G> for Play {
    fn pick(&mut self, moment: Moment<'_, G>, listed: &[G::Answer], chance: &mut Chance) -> usize {
        match *self {
            Play::Random => Random.pick(moment, listed, chance),
            Play::Fair => Fair::default().pick(moment, listed, chance),
            Play::Brisk => Brisk.pick(moment, listed, chance),
            Play::Sound(work) => Greedy { work }.pick(moment, listed, chance),
        }
    }
}

/// What is played.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Who plays how.
    pub sides: Sides<Play, Play>,
    /// The seed of the generator. Conflict *i* draws from its stream *i*, under every setting.
    pub seed: u64,
    /// The numbers of the conflicts.
    pub conflicts: Range<u64>,
    /// How many threads play. The results do not depend on it.
    pub threads: usize,
    /// The most answers and rolls of a conflict.
    pub budget: u32,
}

/// What one conflict came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// A number for each of [`measures`].
    pub values: Vec<i64>,
    /// The names of those who are out of it, or have fallen, at its end.
    pub fell: Vec<String>,
}

/// The measures that every game has. Of the first [`ENDS`] one is 1, the others 0.
const MEASURES: [&str; 8] = [
    "players-stand",
    "others-stand",
    "both-stand",
    "nobody-stands",
    "unended",
    "players-win",
    "answers",
    "rolls",
];
/// How many of [`measures`] say how a conflict ended, and are first in them.
pub const ENDS: usize = 5;
/// Which of [`measures`] says whether the players won, as [`outlook`](crate::outlook) counts it.
pub const WIN: usize = 5;
/// Which of [`measures`] counts the answers; the next counts the rolls.
pub const ANSWERS: usize = 6;

/// The measures of a conflict: who stands at its end, how long it took, and each number of
/// [`Game::outcome`](fracas_kernel::Game::outcome).
pub fn measures<G: Words>((rules, start): &(G::Rules, G::State)) -> Vec<String> {
    let mut own = Vec::new();
    flatten("", &outcome::<G>(rules, start, start), &mut own);
    MEASURES.into_iter().map(str::to_owned).chain(own.into_iter().map(|(name, _)| name)).collect()
}

/// Plays every conflict of the plan at each of these tables, and hands their rows to `each`: first by conflict,
/// then by table. Blocks of conflicts come in the order of their numbers, for any number of threads. Ends early
/// where `each` says so.
pub fn study<G: Words>(
    tables: &[(G::Rules, G::State)],
    plan: &Plan,
    mut each: impl FnMut(Vec<Vec<Row>>) -> ControlFlow<()>,
) {
    let Range { start, end } = plan.conflicts;
    // How many conflicts a thread plays before it looks for more: quick ones are handed over together.
    let slow = [plan.sides.gm, plan.sides.players].iter().any(|play| matches!(play, Play::Sound(_)));
    let block = if slow { 1 } else { 16 };
    let (next, stop) = (AtomicU64::new(start), AtomicBool::new(false));
    let work = |send: mpsc::SyncSender<(u64, Vec<Vec<Row>>)>| {
        let mut players: Vec<Playouts<'_, G>> = tables.iter().map(|table| playouts(table, plan)).collect();
        while !stop.load(Ordering::Relaxed) {
            let from = next.fetch_add(block, Ordering::Relaxed);
            if from >= end {
                return;
            }
            let rows = (from..end.min(from + block)).map(|conflict| {
                let played = tables.iter().zip(&mut players);
                played.map(|(table, player)| row(table, player, plan, conflict)).collect()
            });
            if send.send((from, rows.collect())).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let blocks = usize::try_from((end - start).div_ceil(block)).unwrap_or(usize::MAX);
        let threads = plan.threads.clamp(1, blocks.max(1));
        let (send, received) = mpsc::sync_channel(2 * threads);
        for _ in 0..threads {
            let send = send.clone();
            scope.spawn(|| work(send));
        }
        drop(send);
        let (mut early, mut due) = (BTreeMap::new(), start);
        for (from, rows) in received {
            early.insert(from, rows);
            while let Some(rows) = early.remove(&due) {
                due += rows.len() as u64;
                if each(rows).is_break() {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
}

/// One conflict of the plan, step by step.
pub fn steps<G: Words>(table: &(G::Rules, G::State), plan: &Plan, conflict: u64) -> Vec<Step> {
    let mut written = Written(Vec::new());
    let mut sides = plan.sides;
    playouts::<G>(table, plan).play(&mut sides, &mut Chance::new(plan.seed, conflict), &mut written);
    written.0
}

/// A step of a conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// An answer to an open ask. Prompt and answer are JSON with names.
    Answer {
        /// The seats that are asked.
        who: Who,
        /// What is asked.
        prompt: String,
        /// The answer.
        answer: String,
    },
    /// What the dice showed.
    Roll(Vec<u8>),
}

/// Writes down what is done.
struct Written(Vec<Step>);

impl<G: Game> Watch<G> for Written {
    fn answer(&mut self, moment: Moment<'_, G>, _: &[G::Answer], answer: G::Answer) {
        let names = G::names(moment.rules);
        let write = |json: serde_json::Result<String>| names.write(&json.unwrap_or_default());
        self.0.push(Step::Answer {
            who: moment.ask.who,
            prompt: write(serde_json::to_string(&moment.ask.prompt)),
            answer: write(serde_json::to_string(&answer)),
        });
    }

    fn roll(&mut self, _: &Roll<G::Fold>, faces: &Faces) {
        self.0.push(Step::Roll(faces.to_vec()));
    }
}

pub(crate) fn playouts<'t, G: Words>(
    (rules, start): &'t (G::Rules, G::State),
    plan: &Plan,
) -> Playouts<'t, G> {
    let is_random = plan.sides.gm == Play::Random && plan.sides.players == Play::Random;
    let order = if is_random { Order::Any } else { Order::Waited };
    Playouts::new(rules, start).order(order).budget(plan.budget)
}

fn row<G: Words>(
    (rules, start): &(G::Rules, G::State),
    player: &mut Playouts<'_, G>,
    plan: &Plan,
    conflict: u64,
) -> Row {
    let mut sides = plan.sides;
    let played = player.play(&mut sides, &mut Chance::new(plan.seed, conflict), &mut Quiet);
    let sides = G::stage(rules, &played.state, Viewer::Seat(Seat::Gm)).sides;
    let (players, others) = standing(&sides);
    let ended = played.end == End::Over;
    let came = [players && !others, others && !players, players && others, !players && !others];
    let mut values: Vec<i64> = came.into_iter().map(|came| i64::from(came && ended)).collect();
    let won = won::<G>(rules, &played.state, G::worth(rules, start, Seat::Player(0)));
    let counts = [u32::from(!ended), u32::from(won), played.answers, played.rolls];
    values.extend(counts.map(i64::from));
    let mut own = Vec::new();
    flatten("", &outcome::<G>(rules, &played.state, start), &mut own);
    values.extend(own.into_iter().map(|(_, value)| value));
    let tokens = sides.iter().flat_map(|side| &side.tokens);
    let fell = tokens.filter(|token| matches!(token.stands, Stands::Out | Stands::Fallen));
    Row { values, fell: fell.map(|token| token.name.clone()).collect() }
}

/// Whether the players have won: some of their characters stand and nobody against them; or, where both sides stand
/// or neither does, things stand better for the players ([`Game::worth`]) than `begun`, their worth when it all
/// began.
pub(crate) fn won<G: Words>(rules: &G::Rules, state: &G::State, begun: i32) -> bool {
    match standing(&G::stage(rules, state, Viewer::Seat(Seat::Gm)).sides) {
        (true, false) => true,
        (false, true) => false,
        _ => G::worth(rules, state, Seat::Player(0)) > begun,
    }
}

fn standing(sides: &[Side]) -> (bool, bool) {
    let is_players = |token: &Token| token.seat.is_some_and(|seat| seat != Seat::Gm);
    let stands = |token: &Token| token.stands == Stands::In;
    let players = sides.iter().flat_map(|side| &side.tokens).any(|token| is_players(token) && stands(token));
    // Allies of the players' characters stand for nobody, nor do those who take neither side.
    let against = |side: &&Side| side.flank != Flank::Middle && !side.tokens.iter().any(is_players);
    let others = sides.iter().filter(against).flat_map(|side| &side.tokens).any(stands);
    (players, others)
}

/// A share with Wilson's interval.
pub(crate) fn share(count: u64, of: u64) -> Mean {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    Sum { sum: count, squares: count }.share(of)
}

fn outcome<G: Words>(rules: &G::Rules, state: &G::State, since: &G::State) -> Value {
    serde_json::to_value(G::outcome(rules, state, since)).unwrap_or_default()
}

/// Every number of an outcome with its name. Yes is 1, no and nothing are 0.
fn flatten(name: &str, value: &Value, found: &mut Vec<(String, i64)>) {
    let inside = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}-{part}") };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(part, value)| flatten(&inside(part), value, found)),
        Value::Array(all) => {
            all.iter()
                .enumerate()
                .for_each(|(n, value)| flatten(&inside(&(n + 1).to_string()), value, found));
        }
        Value::Number(number) => found.push((name.to_owned(), number.as_i64().unwrap_or(0))),
        value => found.push((name.to_owned(), i64::from(value == &Value::Bool(true)))),
    }
}

/// Sums over conflicts. The sums of parts add up to those of the whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sums {
    /// How many conflicts there are.
    pub conflicts: u64,
    /// The measures.
    pub measures: Vec<String>,
    /// The settings, the first of which the others are compared with.
    pub arms: Vec<Arm>,
}

/// Sums under one setting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// The setting.
    pub label: String,
    /// The sum of each measure.
    pub of: Vec<Sum>,
    /// The sum of the differences of each measure from the first setting, conflict by conflict.
    pub differences: Vec<Sum>,
    /// In how many conflicts each measure had which value.
    pub values: Vec<BTreeMap<i64, u64>>,
    /// How many conflicts ended otherwise than under the first setting: in any measure, or in who fell.
    pub differ: u64,
    /// In how many conflicts each of those who fell did.
    pub fell: BTreeMap<String, u64>,
}

/// The sum of a number and of its squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The sum.
    pub sum: i64,
    /// The sum of the squares.
    pub squares: i64,
}

/// A mean with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Sums {
    /// No conflicts yet, under these settings.
    pub fn new(measures: Vec<String>, labels: impl IntoIterator<Item = String>) -> Sums {
        let none = vec![Sum::default(); measures.len()];
        let arm = |label| Arm {
            label,
            of: none.clone(),
            differences: none.clone(),
            values: vec![BTreeMap::new(); measures.len()],
            differ: 0,
            fell: BTreeMap::new(),
        };
        Sums { conflicts: 0, arms: labels.into_iter().map(arm).collect(), measures }
    }

    /// Adds one conflict: its row under each setting.
    pub fn add(&mut self, rows: &[Row]) {
        self.conflicts += 1;
        for (arm, row) in self.arms.iter_mut().zip(rows) {
            for (at, value) in row.values.iter().enumerate() {
                arm.of[at].add(*value);
                arm.differences[at].add(value - rows[0].values[at]);
                *arm.values[at].entry(*value).or_default() += 1;
            }
            arm.differ += u64::from(*row != rows[0]);
            for name in &row.fell {
                *arm.fell.entry(name.clone()).or_default() += 1;
            }
        }
    }

    /// Whether they are of the same measures and settings as others, and whole.
    pub fn fits(&self, other: &Sums) -> bool {
        let length = self.measures.len();
        let alike = |(a, b): (&Arm, &Arm)| {
            a.label == b.label
                && [&a.of, &a.differences, &b.of, &b.differences].iter().all(|all| all.len() == length)
                && a.values.len() == length
                && b.values.len() == length
        };
        self.measures == other.measures
            && self.arms.len() == other.arms.len()
            && !self.arms.is_empty()
            && self.arms.iter().zip(&other.arms).all(alike)
    }

    /// Whether a measure was 0 or 1 in every conflict, under every setting.
    pub fn is_share(&self, at: usize) -> bool {
        self.arms.iter().all(|arm| arm.of[at].sum == arm.of[at].squares)
    }

    /// The mean of a measure under a setting. Its interval is Wilson's for a share, else that of the normal
    /// distribution.
    pub fn mean(&self, arm: usize, at: usize) -> Mean {
        let sum = self.arms[arm].of[at];
        if self.is_share(at) { sum.share(self.conflicts) } else { sum.mean(self.conflicts) }
    }

    /// The least number that a measure does not exceed in this share of the conflicts, from 0 to 1; `None` where
    /// there is no conflict.
    pub fn quantile(&self, arm: usize, at: usize, share: f64) -> Option<i64> {
        let enough = self.conflicts as f64 * share;
        let mut so_far = 0;
        let reaches = |(_, count): &(&i64, &u64)| {
            so_far += **count;
            so_far as f64 >= enough
        };
        self.arms[arm].values[at].iter().find(reaches).map(|(value, _)| *value)
    }

    /// The mean difference of a measure from the first setting, conflict by conflict.
    pub fn difference(&self, arm: usize, at: usize) -> Mean {
        self.arms[arm].differences[at].mean(self.conflicts)
    }

    /// The same with the interval of Agresti and Min for the ends of conflicts and for wins, which is not empty where
    /// no conflict differs.
    pub fn paired(&self, arm: usize, at: usize) -> Mean {
        let mean = self.difference(arm, at);
        if at > WIN || arm == 0 {
            return mean;
        }
        let Sum { sum, squares } = self.arms[arm].differences[at];
        let (sum, differ, n) = (sum as f64, squares as f64, self.conflicts as f64 + 2.0);
        let half = Z * (differ + 1.0 - sum * sum / n).max(0.0).sqrt() / n;
        Mean { low: (sum / n - half).min(mean.mean), high: (sum / n + half).max(mean.mean), ..mean }
    }

    /// Adds the sums of another part, which [fits](Sums::fits).
    pub fn merge(&mut self, other: &Sums) {
        self.conflicts = self.conflicts.saturating_add(other.conflicts);
        for (arm, more) in self.arms.iter_mut().zip(&other.arms) {
            arm.of.iter_mut().zip(&more.of).for_each(|(sum, more)| sum.merge(*more));
            arm.differences.iter_mut().zip(&more.differences).for_each(|(sum, more)| sum.merge(*more));
            arm.differ = arm.differ.saturating_add(more.differ);
            let values = arm.values.iter_mut().zip(&more.values);
            values.for_each(|(counts, more)| add_counts(counts, more));
            add_counts(&mut arm.fell, &more.fell);
        }
    }
}

/// Adds the counts of another part.
fn add_counts<K: Ord + Clone>(counts: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    for (of, count) in more {
        let all = counts.entry(of.clone()).or_default();
        *all = all.saturating_add(*count);
    }
}

impl Sum {
    fn add(&mut self, value: i64) {
        self.merge(Sum { sum: value, squares: value.saturating_mul(value) });
    }

    fn merge(&mut self, other: Sum) {
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// The mean over so many conflicts, with the interval of the normal distribution. One conflict has none.
    fn mean(self, conflicts: u64) -> Mean {
        let n = conflicts.max(1) as f64;
        let mean = self.sum as f64 / n;
        let variance = (self.squares as f64 / n - mean * mean).max(0.0) * n / (n - 1.0);
        let half = if conflicts < 2 { f64::INFINITY } else { Z * (variance / n).sqrt() };
        Mean { mean, low: mean - half, high: mean + half }
    }

    /// The share of so many conflicts in which a number was 1 and not 0, with Wilson's interval.
    fn share(self, conflicts: u64) -> Mean {
        let n = conflicts.max(1) as f64;
        let mean = self.sum as f64 / n;
        let middle = (mean + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z * (mean * (1.0 - mean) / n + Z * Z / (4.0 * n * n)).sqrt() / (1.0 + Z * Z / n);
        Mean { mean, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }
}

/// Of the normal distribution, 95 % lie within so many deviations.
const Z: f64 = 1.959_963_984_540_054;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_books() {
        // Wilson's interval of 0 of 10 and of 1 of 2.
        let none = Sum::default().share(10);
        assert!(none.low == 0.0 && (none.high - 0.277_53).abs() < 1e-4, "{none:?}");
        let half = Sum { sum: 1, squares: 1 }.share(2);
        assert!((half.low - 0.0945).abs() < 1e-3 && (half.high - 0.9055).abs() < 1e-3, "{half:?}");
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sample deviation 2.138.
        let spread = Sum { sum: 40, squares: 232 }.mean(8);
        assert!((spread.mean - 5.0).abs() < 1e-9 && (spread.high - 6.4816).abs() < 1e-3, "{spread:?}");
        // No difference anywhere, and a single conflict.
        assert_eq!(Sum::default().mean(30).high, 0.0);
        assert_eq!(Sum { sum: 3, squares: 9 }.mean(1).high, f64::INFINITY);
    }

    #[test]
    fn sums_of_parts_are_those_of_the_whole() {
        let row = |n: i64| Row { values: vec![n, n % 2], fell: vec![format!("{}", n % 3)] };
        let labels = || ["a", "b"].map(str::to_owned);
        let measures = ["n", "odd"].map(str::to_owned).to_vec();
        let sums = |range: Range<i64>| {
            let mut sums = Sums::new(measures.clone(), labels());
            range.for_each(|n| sums.add(&[row(n), row(n + 1)]));
            sums
        };
        let (mut part, whole) = (sums(0..7), sums(0..20));
        assert!(part.fits(&whole));
        part.merge(&sums(7..20));
        assert_eq!(part, whole);
        assert!(whole.is_share(1) && !whole.is_share(0));
        let difference = whole.difference(1, 0);
        assert_eq!((difference.mean, difference.low, difference.high), (1.0, 1.0, 1.0));
        assert_eq!([0.5, 0.9, 1.0].map(|share| whole.quantile(0, 0, share)), [Some(9), Some(17), Some(19)]);
        assert_eq!((whole.arms[0].differ, whole.arms[1].differ), (0, 20));
        assert_eq!(Sums::new(measures.clone(), labels()).quantile(0, 0, 0.5), None);
        assert!(!part.fits(&Sums::new(measures.clone(), ["a".to_owned()])));
        let mut broken = whole.clone();
        broken.arms[1].of.clear();
        assert!(!part.fits(&broken));
    }

    #[test]
    fn outcomes_are_read_as_numbers() {
        let mut found = Vec::new();
        flatten(
            "",
            &serde_json::json!({ "dead": 2, "won": null, "beaten": [1, 3], "over": true }),
            &mut found,
        );
        found.sort();
        let expected = [("beaten-1", 1), ("beaten-2", 3), ("dead", 2), ("over", 1), ("won", 0)];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)));
    }
}
