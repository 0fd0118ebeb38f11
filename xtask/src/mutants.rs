//! Tests whether the tests notice changes to the rules.
//!
//! cargo-mutants knows thousands of small changes to a game; a random sample of them is
//! tried. A change that no test notices points to a clause that no test shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::{Verdict, cargo};

/// The share of its usual play that the suite plays after each change.
const EFFORT: &str = "0.05";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The seed of the sample: the same seed on the same source draws the same sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many changes to try
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// A game to change, by its package; can be repeated; all games if absent
    #[arg(long)]
    package: Vec<String>,
    /// The least percentage of the changes that compile that must be caught
    #[arg(long, default_value_t = 90)]
    at_least: u32,
    /// How many changes to try at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// A test that runs for more seconds is caught in a loop
    #[arg(long, default_value_t = 120)]
    timeout: u64,
    /// Only print the sample
    #[arg(long)]
    list: bool,
}

/// One change, as `cargo mutants --list --json` prints it.
#[derive(Debug, Deserialize)]
struct Mutant {
    /// File, line, column, and the change.
    name: String,
    /// Its package.
    package: String,
}

/// The result of a sample.
#[derive(Debug, Default)]
struct Outcome {
    caught: Vec<String>,
    missed: Vec<String>,
    timeouts: Vec<String>,
    unviable: Vec<String>,
}

impl Outcome {
    fn read(folder: &Path) -> Result<Outcome> {
        let lines = |name: &str| -> Result<Vec<String>> {
            let path = folder.join(name);
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cargo-mutants left no {}", path.display()))?;
            Ok(text.lines().map(str::to_owned).collect())
        };
        Ok(Outcome {
            caught: lines("caught.txt")?,
            missed: lines("missed.txt")?,
            timeouts: lines("timeout.txt")?,
            unviable: lines("unviable.txt")?,
        })
    }

    /// The sum of this result and another.
    fn and(mut self, other: Outcome) -> Outcome {
        self.caught.extend(other.caught);
        self.missed.extend(other.missed);
        self.timeouts.extend(other.timeouts);
        self.unviable.extend(other.unviable);
        self
    }

    /// The part of the result that concerns these changes.
    fn of(mut self, drawn: &[String]) -> Outcome {
        for list in [&mut self.caught, &mut self.missed, &mut self.timeouts, &mut self.unviable] {
            list.retain(|name| drawn.contains(name));
        }
        self
    }

    /// Changes that compiled and were judged. A change that ran out of time counts here and
    /// not among the caught: no test found it wrong.
    fn viable(&self) -> usize {
        self.caught.len() + self.missed.len() + self.timeouts.len()
    }

    fn tried(&self) -> usize {
        self.viable() + self.unviable.len()
    }

    /// Compared in whole numbers, so that 89.95 % is not rounded up to passing.
    fn verdict(&self, at_least: u32) -> Verdict {
        if self.caught.len() * 100 >= self.viable() * at_least as usize {
            Verdict::Holds
        } else {
            Verdict::Fails
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Verdict> {
    cargo::require("mutants", "cargo install cargo-mutants --locked")?;
    if arguments.count == 0 {
        bail!("--count must be at least 1");
    }
    let packages = if arguments.package.is_empty() { cargo::games()? } else { arguments.package.clone() };
    let of_packages = || packages.iter().flat_map(|name| ["--package", name]);

    let listed = cargo::cargo()
        .args(["mutants", "--list", "--json"])
        .args(of_packages())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot list the mutants")?;
    if !listed.status.success() {
        bail!("`cargo mutants --list` failed for {}", packages.join(", "));
    }
    let all: Vec<Mutant> =
        serde_json::from_slice(&listed.stdout).context("cannot read the list of mutants")?;
    let names = all.iter().map(|mutant| mutant.name.clone()).collect();
    let drawn = sample(names, arguments.count, arguments.seed);
    println!(
        "{} of {} mutants of {} drawn with seed {}",
        drawn.len(),
        all.len(),
        packages.join(", "),
        arguments.seed
    );
    if arguments.list {
        for name in &drawn {
            println!("{name}");
        }
        return Ok(Verdict::Holds);
    }
    if drawn.is_empty() {
        bail!("there is nothing to change in {}", packages.join(", "));
    }

    // cargo-mutants is told to assume that the tests pass, so check that here: if they
    // failed, every mutant would look caught.
    println!("== the tests as they stand");
    let mut standing = cargo::cargo();
    standing.args(["test", "--quiet"]).args(of_packages()).env("FRACAS_EFFORT", EFFORT);
    if cargo::succeeds(&mut standing)? == Verdict::Fails {
        println!("the tests fail before anything is changed: mend them first");
        return Ok(Verdict::Fails);
    }

    let mut outcome = Outcome::default();
    // Each game is judged by its own tests.
    for package in &packages {
        let its = |name: &&String| all.iter().any(|m| m.name == **name && m.package == *package);
        let drawn: Vec<String> = drawn.iter().filter(its).cloned().collect();
        if !drawn.is_empty() {
            println!("== {package}: the tests after each of {} changes", drawn.len());
            outcome = outcome.and(tried(arguments, package, &drawn)?);
        }
    }
    Ok(report(&outcome, arguments.at_least))
}

/// Makes each of these changes to a game and runs its tests.
fn tried(arguments: &Arguments, package: &str, drawn: &[String]) -> Result<Outcome> {
    let output = cargo::root().join("target").join("mutants").join(package);
    fs::create_dir_all(&output).with_context(|| format!("cannot make {}", output.display()))?;
    let results = output.join("mutants.out");
    // cargo-mutants would try more than the named changes, such as the deletion of every
    // field. Limited to a diff of these lines, it does not.
    let lines = output.join("drawn.diff");
    let read = |file: &str| {
        fs::read_to_string(cargo::root().join(file)).with_context(|| format!("cannot read {file}"))
    };
    fs::write(&lines, diff(drawn, read)?).with_context(|| format!("cannot write {}", lines.display()))?;
    let mut command = cargo::cargo();
    command
        .args(["mutants", "--baseline", "skip", "--package", package])
        .args(["--jobs", &arguments.jobs.to_string()])
        .args(["--timeout", &arguments.timeout.to_string()])
        .arg("--in-diff")
        .arg(&lines)
        .arg("--output")
        .arg(&output);
    for name in drawn {
        command.arg("--re").arg(format!("^{}$", escaped(name)));
    }
    // It stops at the first test that fails.
    if cargo::has_nextest() {
        command.args(["--test-tool", "nextest"]);
    }
    // The suite usually plays for a minute, which is too long for a hundred runs. Here it
    // plays a twentieth of that.
    command.env("FRACAS_EFFORT", EFFORT);
    command.args(["--", "--lib"]);
    for target in tests(package)? {
        command.args(["--test", &target]);
    }
    let status = command.status().context("cannot run cargo-mutants")?;
    // Exit code 2: some were missed; 3: some ran out of time. Both are judged below.
    if !matches!(status.code(), Some(0 | 2 | 3)) {
        bail!("cargo-mutants did not finish: {status}");
    }
    // A field may be deleted on a line that was drawn for another change: only drawn
    // changes count.
    let outcome = Outcome::read(&results)?.of(drawn);
    if outcome.tried() < drawn.len() {
        bail!("{} mutants were drawn but {} tried; see {}", drawn.len(), outcome.tried(), results.display());
    }
    Ok(outcome)
}

/// A diff in which the lines of these changes, and no others, are new.
fn diff(drawn: &[String], read: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut places: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for name in drawn {
        let mut parts = name.split(':');
        if let (Some(file), Some(Ok(line))) = (parts.next(), parts.next().map(str::parse)) {
            places.entry(file).or_default().insert(line);
        }
    }
    let mut diff = String::new();
    for (file, lines) in places {
        let text = read(file)?;
        diff.push_str(&format!("--- a/{file}\n+++ b/{file}\n"));
        for line in lines {
            let text = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            diff.push_str(&format!("@@ -{line},0 +{line},1 @@\n+{text}\n"));
        }
    }
    Ok(diff)
}

/// The test targets of a game: each file in `tests`, and each folder there with a `main.rs`.
fn tests(package: &str) -> Result<BTreeSet<String>> {
    let folder = cargo::root().join("games").join(package).join("tests");
    let mut targets = BTreeSet::new();
    for file in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = file?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if path.extension().is_some_and(|ext| ext == "rs") || path.join("main.rs").exists() {
            targets.insert(name.to_owned());
        }
    }
    if targets.is_empty() {
        bail!("{} holds no tests", folder.display());
    }
    Ok(targets)
}

fn report(outcome: &Outcome, at_least: u32) -> Verdict {
    for (what, names) in [("survived", &outcome.missed), ("timeout", &outcome.timeouts)] {
        for name in names {
            println!("{what}: {name}");
        }
    }
    println!(
        "{} caught, {} missed, {} timeouts, {} unviable",
        outcome.caught.len(),
        outcome.missed.len(),
        outcome.timeouts.len(),
        outcome.unviable.len()
    );
    if outcome.viable() == 0 {
        println!("none of them compiles: draw more with --count");
        return Verdict::Fails;
    }
    println!(
        "{:.1} % of {} viable mutants caught; at least {at_least} % wanted",
        100.0 * outcome.caught.len() as f64 / outcome.viable() as f64,
        outcome.viable()
    );
    outcome.verdict(at_least)
}

/// A name as a regular expression that matches exactly this name.
fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 16);
    for c in name.chars() {
        // Not `<` and `>`: with a backslash these mean the edge of a word.
        if r"\.+*?()|[]{}^$#&-~".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Draws `count` of the names, each equally likely, without repetition.
///
/// Sorts first and shuffles from the front, so that a draw depends on the names and the
/// seed alone, and a larger count with the same seed only adds to it.
fn sample(mut names: Vec<String>, count: usize, seed: u64) -> Vec<String> {
    names.sort();
    names.dedup();
    let count = count.min(names.len());
    let mut chance = SplitMix64(seed);
    for at in 0..count {
        let other = at + chance.below(names.len() - at);
        names.swap(at, other);
    }
    names.truncate(count);
    names
}

/// SplitMix64 by Steele, Lea and Flood: small, portable, sufficient for a draw.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0. Drawn from 64 bits, so that the
    /// bias is less than one in 10^15 for any list of mutants.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|n| format!("{n:03}")).collect()
    }

    #[test]
    fn the_generator_is_the_published_one() {
        let mut chance = SplitMix64(1_234_567);
        let first = [chance.next(), chance.next(), chance.next()];
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(first, published);
    }

    #[test]
    fn a_seed_draws_the_same_whatever_the_order() {
        let mut backwards = names(200);
        backwards.reverse();
        let drawn = sample(names(200), 20, 7);
        assert_eq!(drawn, sample(backwards, 20, 7));
        assert_ne!(drawn, sample(names(200), 20, 8));
        assert_eq!(drawn[..10], sample(names(200), 10, 7));
    }

    #[test]
    fn only_drawn_changes_count() {
        let outcome = Outcome { caught: names(4), missed: names(6)[4..].to_vec(), ..Outcome::default() };
        let counted = outcome.of(&[names(6)[1].clone(), names(6)[5].clone()]);
        assert_eq!((counted.caught.len(), counted.missed.len(), counted.tried()), (1, 1, 2));
        let both = counted.and(Outcome { timeouts: names(1), ..Outcome::default() });
        assert_eq!((both.viable(), both.tried()), (3, 3));
    }

    #[test]
    fn the_tests_of_every_game_are_found() {
        for game in cargo::games().unwrap() {
            assert!(tests(&game).unwrap().contains("it"), "{game}");
        }
    }

    #[test]
    fn only_drawn_lines_are_new() {
        let drawn = ["b.rs:2:5: x", "a.rs:3:1: y -> z", "b.rs:2:9: z", "b.rs:1:1: w"].map(str::to_owned);
        let text = diff(&drawn, |file| Ok(format!("{file} one\ntwo\nthree\n"))).unwrap();
        assert_eq!(
            text,
            "--- a/a.rs\n+++ b/a.rs\n@@ -3,0 +3,1 @@\n+three\n\
             --- a/b.rs\n+++ b/b.rs\n@@ -1,0 +1,1 @@\n+b.rs one\n@@ -2,0 +2,1 @@\n+two\n"
        );
    }

    #[test]
    fn nothing_is_drawn_twice_and_no_more_than_there_is() {
        let mut drawn = sample(names(30), 100, 3);
        drawn.sort();
        assert_eq!(drawn, names(30));
        assert!(sample(Vec::new(), 5, 1).is_empty());
    }

    #[test]
    fn names_are_matched_literally() {
        assert_eq!(
            escaped("src/a.rs:1:2: replace && with || in f -> Vec<u8>"),
            r"src/a\.rs:1:2: replace \&\& with \|\| in f \-> Vec<u8>"
        );
    }

    #[test]
    fn the_threshold_is_exact_and_timeouts_do_not_count_as_caught() {
        let mut outcome = Outcome { caught: names(9), missed: names(1), ..Outcome::default() };
        assert_eq!(outcome.verdict(90), Verdict::Holds);
        assert_eq!(outcome.verdict(91), Verdict::Fails);
        outcome.timeouts = names(1);
        assert_eq!(outcome.verdict(90), Verdict::Fails);
        outcome.unviable = names(50);
        assert_eq!((outcome.viable(), outcome.tried()), (11, 61));
    }
}
