//! Counts what is asked for each action of a character, over whole recorded conflicts.
//!
//! Exit code 0: counted. 2: bad usage, or an average above the most allowed.

#![forbid(unsafe_code)]

use anyhow::{Context, Result, bail};
use clap::Parser;
use fracas_kernel::{AskInfo, Duty, Now, Seat, Viewer};
use fracas_sim::Bot;
use fracas_table::{Auto, Entry, MemoryStore, Opening, Table, Throw};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

/// Count the asks of each action of a character: bots play whole conflicts at the measured table
#[derive(Parser)]
struct Arguments {
    /// The system whose table is played
    system: String,
    /// The answers that begin an action, by name
    #[arg(long, value_delimiter = ',', required = true)]
    actions: Vec<String>,
    /// The kinds of ask that belong to no action, and end the one under way
    #[arg(long, value_delimiter = ',')]
    between: Vec<String>,
    /// The kind of ask that is a chance to answer an action
    #[arg(long)]
    window: Option<String>,
    /// The answers to it that are no use of anything
    #[arg(long, value_delimiter = ',')]
    idle: Vec<String>,
    /// The gamemaster takes the first answer listed for these kinds of ask
    #[arg(long, value_delimiter = ',')]
    proposed: Vec<String>,
    /// A standing reply that is given when the conflict begins, as SEAT=JSON
    #[arg(long)]
    standing: Vec<String>,
    /// Number of evenings
    #[arg(long, default_value_t = 20)]
    evenings: u64,
    /// The seed of dice and bots
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Fail above so many windows an action
    #[arg(long)]
    most_windows: Option<f64>,
    /// Fail above so many answers of the gamemaster for an action of a player
    #[arg(long)]
    most_clicks: Option<f64>,
}

/// What was counted.
#[derive(Default)]
struct Counts {
    /// Actions of players, and of the gamemaster, by the answer that began them.
    actions: BTreeMap<(String, bool), u32>,
    /// Answers that a seat had to give within an action, by kind of ask, and whether a player began it.
    asks: BTreeMap<(&'static str, Seat, bool), u32>,
    windows: u32,
    /// Windows of players, and of the gamemaster, with nothing to use.
    empty: [u32; 2],
    /// Answers that standing replies gave, or that were the only ones.
    unasked: BTreeMap<&'static str, u32>,
    /// Answers of the gamemaster for each action of a player.
    clicks: BTreeMap<u32, u32>,
}

impl Counts {
    fn actions_of(&self, player: bool) -> u32 {
        self.actions.iter().filter(|((_, by), _)| *by == player).map(|(_, n)| n).sum()
    }

    fn print(&self) {
        let each = |count: u32, of: u32| f64::from(count) / f64::from(of.max(1));
        let (players, others) = (self.actions_of(true), self.actions_of(false));
        let all = players + others;
        println!("{all} actions, {players} of players, {others} of the gamemaster's characters");
        for ((name, by), n) in &self.actions {
            println!("  {n:6} {name}{}", if *by { "" } else { " (the gamemaster's)" });
        }
        let mut kinds: BTreeMap<&str, [u32; 4]> = BTreeMap::new();
        for ((kind, seat, player), n) in &self.asks {
            let place = usize::from(*seat == Seat::Gm) + 2 * usize::from(!player);
            kinds.entry(kind).or_default()[place] += n;
        }
        println!("asks within an action: of a player's action to players, to the gamemaster;");
        println!("of a gamemaster's to players, to the gamemaster");
        let row = |name: &str, [a, b, c, d]: [u32; 4]| {
            let (a, b, c, d) = (each(a, players), each(b, players), each(c, others), each(d, others));
            println!("  {name:10} {a:6.2} {b:6.2}   {c:6.2} {d:6.2}");
        };
        for (kind, counts) in &kinds {
            row(kind, *counts);
        }
        let sum = kinds.values().fold([0; 4], |sum, counts| std::array::from_fn(|n| sum[n] + counts[n]));
        row("all", sum);
        println!("all asks to all seats: {:.2} an action", each(sum.iter().sum(), all));
        println!("windows: {} ({:.2} an action)", self.windows, each(self.windows, all));
        println!(
            "  of them with nothing to use: {} of players, {} of the gamemaster",
            self.empty[0], self.empty[1]
        );
        println!("answered without asking: {:?}", self.unasked);
        println!("answers of the gamemaster for an action of a player: {:.2}", self.clicks_each());
        for (clicks, n) in &self.clicks {
            println!("  {clicks}: {:.1}%", 100.0 * each(*n, players));
        }
    }

    fn windows_each(&self) -> f64 {
        f64::from(self.windows) / f64::from((self.actions_of(true) + self.actions_of(false)).max(1))
    }

    fn clicks_each(&self) -> f64 {
        let all: u32 = self.clicks.iter().map(|(clicks, n)| clicks * n).sum();
        f64::from(all) / f64::from(self.actions_of(true).max(1))
    }
}

/// The action under way: whether a player began it, and the answers of the gamemaster so far.
struct UnderWay {
    player: bool,
    clicks: u32,
}

/// The name of an answer: the word, or the key of the object.
fn name(answer: &str) -> Result<String> {
    let read: serde_json::Value = serde_json::from_str(answer)?;
    let key = read.as_object().and_then(|fields| fields.keys().next().cloned());
    Ok(key.or_else(|| read.as_str().map(str::to_owned)).unwrap_or_default())
}

/// Plays one evening.
fn play(arguments: &Arguments, seed: u64, counts: &mut Counts) -> Result<()> {
    let system = fracas_systems::find(&arguments.system).context("no such system")?;
    let setup = fracas_bench::measured(system.id)?;
    let opening = Opening { seed: Some(seed.into()), ..Opening::default() };
    let mut table = Table::create(system, &setup, opening, Box::new(MemoryStore::new()))?;
    for reply in &arguments.standing {
        let (seat, reply) = reply.split_once('=').context("expected SEAT=JSON")?;
        table.stand(seat.parse().map_err(|_| anyhow::anyhow!("no seat is called {seat}"))?, reply, true)?;
    }
    let mut under_way: Option<UnderWay> = None;
    let mut seen = table.log().records().len();
    for _ in 0..20_000 {
        match table.game().now() {
            Now::Over => break,
            Now::Roll(_) => {
                table.roll(Seat::Gm, Throw::Dice)?;
            }
            Now::Asks(asks) => {
                let (ask, seat, answer) = choose(arguments, &table, &asks, seed)?;
                let begun = name(&answer)?;
                if arguments.between.iter().any(|kind| kind == ask.kind) {
                    close(&mut under_way, counts);
                }
                if arguments.window.as_deref() == Some(ask.kind) && under_way.is_some() {
                    let listed = table.game().legal(ask.id, Viewer::Seat(seat));
                    let names =
                        listed.iter().map(|listed| name(&listed.answer)).collect::<Result<Vec<_>>>()?;
                    let is_empty = names.iter().all(|name| arguments.idle.contains(name));
                    counts.windows += 1;
                    counts.empty[usize::from(seat == Seat::Gm)] += u32::from(is_empty);
                }
                if let Some(action) = &mut under_way {
                    *counts.asks.entry((ask.kind, seat, action.player)).or_default() += 1;
                    action.clicks += u32::from(seat == Seat::Gm);
                }
                table.answer(seat, None, ask.id, &answer, None)?;
                if arguments.actions.contains(&begun) && arguments.between.iter().any(|kind| kind == ask.kind)
                {
                    let player = seat != Seat::Gm;
                    *counts.actions.entry((begun, player)).or_default() += 1;
                    under_way = Some(UnderWay { player, clicks: 0 });
                }
            }
        }
        for record in &table.log().records()[seen..] {
            if let Entry::Answer(answer) = &record.entry
                && let Some(auto) = answer.auto
            {
                let why = if auto == Auto::Standing { "standing reply" } else { "only answer" };
                *counts.unasked.entry(why).or_default() += 1;
            }
        }
        seen = table.log().records().len();
    }
    close(&mut under_way, counts);
    Ok(())
}

/// The action under way is over.
fn close(under_way: &mut Option<UnderWay>, counts: &mut Counts) {
    if let Some(action) = under_way.take().filter(|action| action.player) {
        *counts.clicks.entry(action.clicks).or_default() += 1;
    }
}

/// What is answered next, and by whom: the asks that play waits for come first.
fn choose<'a>(
    arguments: &Arguments,
    table: &Table,
    asks: &'a [AskInfo],
    seed: u64,
) -> Result<(&'a AskInfo, Seat, String)> {
    let mut order: Vec<&AskInfo> = asks.iter().collect();
    order.sort_by_key(|ask| ask.duty == Duty::May);
    for ask in order {
        for seat in ask.who.seats().iter().collect::<BTreeSet<_>>() {
            if seat == Seat::Gm && arguments.proposed.iter().any(|kind| kind == ask.kind) {
                let first = table.game().legal(ask.id, Viewer::Seat(seat)).into_iter().next();
                return Ok((ask, seat, first.context("nothing is listed")?.answer));
            }
            if let Some(answer) = Bot::greedy(seed).choose(table.game(), seat, ask.id) {
                return Ok((ask, seat, answer));
            }
        }
    }
    bail!("nobody can answer")
}

fn main() -> ExitCode {
    fracas_bench::exit(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<()> {
    let mut counts = Counts::default();
    for nth in 0..arguments.evenings {
        play(arguments, arguments.seed + nth, &mut counts)?;
    }
    counts.print();
    let limits = [
        ("windows an action", counts.windows_each(), arguments.most_windows),
        ("answers of the gamemaster for an action of a player", counts.clicks_each(), arguments.most_clicks),
    ];
    for (what, average, most) in limits {
        if most.is_some_and(|most| average > most) {
            bail!("{average:.2} {what}, above the most allowed");
        }
    }
    Ok(())
}
