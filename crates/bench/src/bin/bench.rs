//! Measures speed. The method is in `benches/README.md`.
//!
//! Exit code 0: done. 2: bad usage, or something that cannot be measured.

#![forbid(unsafe_code)]

use anyhow::{Context, Result, bail, ensure};
use clap::{Parser, ValueEnum};
use fracas_bench::{measured, median, play_long, rate, start};
use fracas_kernel::{
    Dice, Faces, Field, Fold, Game, MAX_SIDE, Metric, Reach, Read, Roll, Seat, Seen, Space, System, Words,
    classes,
};
use fracas_sim::{Chance, End, Mix, Order, Playouts, Quiet, Random, Record, Recorded, Watch};
use fracas_table::{FileStore, MemoryStore, Opening, Table};
use serde::Serialize;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Measure speed: random conflicts, replay, weighing dice, searching maps, answers at a
/// table, opening a log, starting the program
#[derive(Parser)]
struct Arguments {
    /// A tenth of the work
    #[arg(long)]
    quick: bool,
    /// Only this part
    #[arg(long, value_enum)]
    part: Option<Part>,
    /// The program to start, instead of the one in the same folder
    #[arg(long)]
    program: Option<PathBuf>,
    /// Only these systems
    systems: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Random conflicts, listing the answers
    Random,
    /// The same answers again, without listing
    Replay,
    /// The exact weights of a roll of many dice
    Fold,
    /// All spaces of a map within some steps
    Reach,
    /// Answers at a table, by players and by the gamemaster
    Table,
    /// Opening a log of 10,000 answers
    Log,
    /// Starting the program
    Program,
}

/// How often each part is measured; the median counts.
const RUNS: usize = 7;
/// The seed of all conflicts.
const SEED: u64 = 1;
/// Conflicts searched for the fold of the most dice.
const FOLDED: u64 = 200;
/// How often a roll is weighed in one run.
const WEIGHED: u32 = 10_000;
/// How often a map is searched in one run.
const SEARCHED: u32 = 2_000;
/// Columns and rows of the map that is searched.
const MAP: u8 = 60;
/// How far it is searched: a long move, and an ordinary one.
const STEPS: [u8; 2] = [28, 14];
/// Answers in one run at a table.
const AT_TABLE: usize = 1_000;
/// Answers in the log that is opened.
const LOG: usize = 10_000;

impl Arguments {
    fn wants(&self, part: Part) -> bool {
        self.part.is_none_or(|only| only == part)
    }

    fn runs(&self) -> usize {
        if self.quick { 3 } else { RUNS }
    }

    /// Answers measured in one run, approximately.
    fn answers(&self) -> u64 {
        if self.quick { 300_000 } else { 3_000_000 }
    }
}

fn main() -> ExitCode {
    fracas_bench::exit(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(debug_assertions) {
        eprintln!("this is not an optimised build: run it with --release");
    }
    for id in fracas_bench::systems(&arguments.systems)? {
        println!("{id}");
        if let Some(done) = fracas_systems::visit(id, &mut Speed(arguments)) {
            done?;
        }
        let Some(system) = fracas_systems::find(id) else { continue };
        if arguments.wants(Part::Table) {
            table(system, arguments)?;
        }
        if arguments.wants(Part::Log) {
            log(system, arguments)?;
        }
    }
    if arguments.wants(Part::Fold) {
        println!("fourteen dice, read for the two highest and any 1");
        let dice = Dice::of(4, 4).and(4, 6).and(3, 8).and(3, 10);
        weigh(
            &Roll { whose: Seat::Gm, seen: Seen::Openly, dice, read: Read::Fold(TopTwo::default()) },
            arguments,
        );
    }
    if arguments.wants(Part::Reach) {
        println!("a map of {MAP} by {MAP} spaces, searched from its middle");
        for &metric in Metric::ALL {
            search(metric, "open", 0, arguments)?;
            search(metric, "a fifth walls", 20, arguments)?;
        }
    }
    if arguments.wants(Part::Program) {
        program(arguments)?;
    }
    Ok(())
}

/// The totals of one run of random conflicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    conflicts: u64,
    answers: u64,
    listed: u64,
    rolls: u64,
    checksum: u64,
}

/// Measures one game by its types.
struct Speed<'a>(&'a Arguments);

impl fracas_systems::Visit for Speed<'_> {
    type Out = Result<()>;

    fn game<G: Words>(&mut self) -> Result<()> {
        let (rules, state) = start::<G>(&measured(G::ID)?)?;
        if self.0.wants(Part::Random) {
            random::<G>(&rules, &state, self.0)?;
        }
        if self.0.wants(Part::Replay) {
            replay::<G>(&rules, &state, self.0)?;
        }
        if self.0.wants(Part::Fold) {
            let mut largest = Largest::<G>(None);
            let mut playouts = Playouts::<G>::new(&rules, &state).order(Order::Any);
            for stream in 0..FOLDED {
                playouts.play(&mut Random, &mut Chance::new(SEED, stream), &mut largest);
            }
            match &largest.0 {
                Some(roll) => weigh(roll, self.0),
                None => println!("  weighing a fold    none: every roll is read face by face"),
            }
        }
        Ok(())
    }
}

fn random<G: Words>(rules: &G::Rules, state: &G::State, arguments: &Arguments) -> Result<()> {
    let mut playouts = Playouts::<G>::new(rules, state).order(Order::Any);
    // A warm-up: the buffer grows to the longest list, and the mix is counted.
    let mut mix = Mix::of::<G>();
    let mut once = Tally::default();
    while once.answers < arguments.answers() {
        let played = playouts.play(&mut Random, &mut Chance::new(SEED, once.conflicts), &mut mix);
        ensure!(played.end == End::Over, "conflict {} ended with {:?}", once.conflicts, played.end);
        once.add(&played);
    }
    let mut all = |count: &mut Tally| {
        for stream in 0..once.conflicts {
            count.add(&playouts.play(&mut Random, &mut Chance::new(SEED, stream), &mut Quiet));
        }
    };
    let mut times = Vec::new();
    for _ in 0..arguments.runs() {
        let mut count = Tally::default();
        let begun = Instant::now();
        all(&mut count);
        times.push(begun.elapsed());
        ensure!(count == once, "the same streams gave another result: {count:?}, before {once:?}");
    }
    let used = allocation_counter::measure(|| all(&mut Tally::default()));
    let time = median(times).unwrap_or_default();
    println!(
        "  random conflicts   {:>8.2} million answers a second, of {:.1} listed at each; {:.0} ns an answer",
        rate(once.answers, time) / 1e6,
        once.listed as f64 / once.answers as f64,
        time.as_nanos() as f64 / once.answers as f64,
    );
    println!(
        "                     {} conflicts, {} answers, {} rolls, {} allocations, checksum {:016x}",
        once.conflicts, once.answers, once.rolls, used.count_total, once.checksum,
    );
    let shares: Vec<String> = mix
        .counts()
        .iter()
        .map(|(kind, n)| format!("{kind} {:.1}%", *n as f64 * 100.0 / once.answers as f64))
        .collect();
    println!("                     {}", shares.join(", "));
    Ok(())
}

impl Tally {
    fn add<S>(&mut self, played: &fracas_sim::Played<S>) {
        self.conflicts += 1;
        self.answers += u64::from(played.answers);
        self.listed += played.listed;
        self.rolls += u64::from(played.rolls);
        self.checksum = self.checksum.rotate_left(1) ^ played.checksum;
    }
}

fn replay<G: Words>(rules: &G::Rules, state: &G::State, arguments: &Arguments) -> Result<()> {
    let mut playouts = Playouts::<G>::new(rules, state).order(Order::Any);
    let mut recorded: Vec<(Recorded<G::Answer>, u64)> = Vec::new();
    let (mut answers, mut stream) = (0, 0);
    while answers < arguments.answers() / 10 {
        let mut record = Record::<G>::default();
        let played = playouts.play(&mut Random, &mut Chance::new(SEED, stream), &mut record);
        answers += u64::from(played.answers);
        stream += 1;
        recorded.push((record.0, fracas_sim::digest(&played.state)));
    }
    let mut times = Vec::new();
    for _ in 0..arguments.runs() {
        let begun = Instant::now();
        for (recording, _) in &recorded {
            let mut state = state.clone();
            black_box(recording.replay::<G>(rules, &mut state));
            black_box(&state);
        }
        times.push(begun.elapsed());
    }
    for (recording, digest) in &recorded {
        let mut state = state.clone();
        let steps = recording.replay::<G>(rules, &mut state);
        ensure!(
            steps == recording.steps.len() && fracas_sim::digest(&state) == *digest,
            "the replay gave another result"
        );
    }
    let time = median(times).unwrap_or_default();
    println!(
        "  replay             {:>8.2} million answers a second, nothing listed; {answers} answers",
        rate(answers, time) / 1e6
    );
    Ok(())
}

/// Remembers the fold of the most dice.
struct Largest<G: Game>(Option<Roll<G::Fold>>);

impl<G: Game> Watch<G> for Largest<G> {
    fn roll(&mut self, roll: &Roll<G::Fold>, _: &Faces) {
        let most = self.0.as_ref().map_or(0, |largest| largest.dice.len());
        if matches!(roll.read, Read::Fold(_)) && roll.dice.len() > most {
            self.0 = Some(roll.clone());
        }
    }
}

/// The two highest faces, and whether any die shows a 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
struct TopTwo {
    high: u8,
    next: u8,
    one: bool,
}

impl Fold for TopTwo {
    fn take(self, _: u8, face: u8) -> Self {
        let (high, next) =
            if face > self.high { (face, self.high) } else { (self.high, self.next.max(face)) };
        TopTwo { high, next, one: self.one || face == 1 }
    }
}

/// Weighs every class of a roll, repeatedly.
fn weigh<F: Fold>(roll: &Roll<F>, arguments: &Arguments) {
    let mut times = Vec::new();
    let (mut count, mut checksum) = (0, 0);
    for _ in 0..arguments.runs() {
        let begun = Instant::now();
        for _ in 0..WEIGHED {
            (count, checksum) = (0, 0u64);
            classes(black_box(roll), |_, weight| {
                count += 1;
                // Independent of order, so that it depends on the weights alone.
                checksum = checksum.wrapping_add((weight as u64).wrapping_mul((weight as u64) | 1));
            });
        }
        times.push(begun.elapsed());
    }
    let time = median(times).unwrap_or_default();
    println!(
        "  weighing a fold    {:>8} ns; {} in {count} classes, checksum {checksum:016x}",
        time.as_nanos() / u128::from(WEIGHED),
        roll.dice,
    );
}

/// Finds all spaces within some steps of the middle of a map, repeatedly. So many of a
/// hundred spaces are walls.
fn search(metric: Metric, ground: &str, walls: u32, arguments: &Arguments) -> Result<()> {
    let mut field = Field::grid(MAP, MAP, metric);
    let middle = Space::new(MAP / 2, MAP / 2).context("the map has a middle")?;
    let is_wall = |space: &Space| {
        let scattered = (space.index() as u32).wrapping_mul(2_654_435_761) >> 16;
        *space != middle && scattered % 100 < walls
    };
    let closed: Vec<Space> = field.spaces().iter().filter(is_wall).collect();
    closed.into_iter().for_each(|space| field.set_kind(space, Field::WALL));
    let free = *field.spaces();
    let mut reach = Reach::new();
    for most in STEPS {
        let mut once = || field.reach(middle, black_box(most), black_box(&free), black_box(&mut reach));
        let allocated = allocation_counter::measure(&mut once).count_total;
        let mut times = Vec::new();
        for _ in 0..arguments.runs() {
            let begun = Instant::now();
            (0..SEARCHED).for_each(|_| once());
            times.push(begun.elapsed());
        }
        let time = median(times).unwrap_or_default();
        let checksum = reach.iter().fold(0u64, |sum, space| {
            let steps = u64::from(reach.steps(space).unwrap_or(u8::MAX));
            sum.wrapping_add(steps.wrapping_mul(space.index() as u64 + u64::from(MAX_SIDE)))
        });
        println!(
            "  {:<18} {:>8} ns for {most} steps, {ground}; {} spaces, {allocated} allocations, checksum {checksum:x}",
            metric.word(),
            time.as_nanos() / u128::from(SEARCHED),
            reach.spaces().len(),
        );
    }
    Ok(())
}

/// Gives [`AT_TABLE`] random answers at a table in memory.
fn table(system: &System, arguments: &Arguments) -> Result<()> {
    let (mut players, mut gm) = (Vec::new(), Vec::new());
    for _ in 0..arguments.runs() {
        let opening = Opening { seed: Some(7.into()), ..Opening::default() };
        let mut table = Table::create(system, &measured(system.id)?, opening, Box::new(MemoryStore::new()))?;
        play_long(&mut table, AT_TABLE, |seat, time| match seat {
            Seat::Gm => gm.push(time),
            _ => players.push(time),
        })?;
    }
    let micros = |times: Vec<Duration>| median(times).unwrap_or_default().as_nanos() as f64 / 1e3;
    println!(
        "  at a table         {:>8.1} µs an answer of a player, {:.1} µs of the gamemaster",
        micros(players),
        micros(gm),
    );
    Ok(())
}

/// Writes a log of [`LOG`] random answers and opens it.
fn log(system: &System, arguments: &Arguments) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("long.fracas");
    let (lines, live) = write(system, &path)?;
    let size = std::fs::metadata(&path)?.len();
    let mut times = Vec::new();
    for _ in 0..arguments.runs() {
        let store = Box::new(FileStore::open(&path)?);
        let begun = Instant::now();
        let table = Table::open(std::slice::from_ref(system), store)?;
        times.push(begun.elapsed());
        ensure!(table.log().next() == lines, "opened with {} lines of {lines}", table.log().next());
    }
    println!(
        "  opening a log      {:>8.1} ms; {LOG} answers, {live} of {lines} lines standing, {:.1} MB",
        millis(median(times).unwrap_or_default()),
        size as f64 / 1e6,
    );
    Ok(())
}

/// Writes a log of [`LOG`] answers; returns the number of its lines, and of those that
/// still stand.
fn write(system: &System, path: &Path) -> Result<(u64, usize)> {
    let opening = Opening { seed: Some(7.into()), ..Opening::default() };
    let store = Box::new(FileStore::create(path)?);
    let mut table = Table::create(system, &measured(system.id)?, opening, store)?;
    play_long(&mut table, LOG, |_, _| ())?;
    table.close()?;
    let store = Box::new(FileStore::open(path)?);
    let table = Table::open(std::slice::from_ref(system), store)?;
    Ok((table.log().next(), table.log().live().count()))
}

/// Starts the program repeatedly.
fn program(arguments: &Arguments) -> Result<()> {
    let path = match &arguments.program {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name("fracas"),
    };
    if !path.exists() {
        bail!("no {}: build it with cargo build --release --bin fracas", path.display());
    }
    let starts = arguments.runs() * 10;
    let mut times = Vec::new();
    let mut most = 0;
    for _ in 0..=starts {
        let begun = Instant::now();
        let status = version(&path).status().with_context(|| format!("starting {}", path.display()))?;
        times.push(begun.elapsed());
        ensure!(status.success(), "{} --version failed", path.display());
        most = most.max(memory(version(&path).spawn()?)?);
    }
    // The first start is slower: the file cache was cold.
    times.remove(0);
    println!(
        "fracas --version     {:>8.1} ms to start and end, {:.1} MB at most; {} starts, {:.1} MB on disk",
        millis(median(times).unwrap_or_default()),
        most as f64 / 1024.0,
        starts,
        std::fs::metadata(&path)?.len() as f64 / 1e6,
    );
    Ok(())
}

fn version(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null());
    command
}

/// The most memory that a process held, in KiB; 0 if the system does not report it.
fn memory(mut process: Child) -> Result<u64> {
    let path = format!("/proc/{}/status", process.id());
    let mut most = 0;
    loop {
        // `VmHWM` only grows, so the last reading is the highest.
        let status = std::fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let read = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        most = most.max(read.unwrap_or(0));
        if process.try_wait()?.is_some() {
            return Ok(most);
        }
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
