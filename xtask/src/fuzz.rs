//! Fuzzing target by target, and keeping a part of the corpus.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::Verdict;
use crate::cargo::{answers, root, succeeds};

/// The most bytes of one input: all targets read a few bytes for each decision.
const LONGEST: usize = 4096;
/// An input that takes more seconds counts as a finding.
const TIMEOUT: u64 = 60;
/// A target that uses more megabytes of memory counts as a finding.
const MEMORY: u64 = 4096;
/// The most bytes and inputs that are kept for one target.
const KEPT: (u64, usize) = (40_000, 60);

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Minutes for each target
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// Afterwards replace fuzz/seeds with some of the inputs that reach most
    #[arg(long)]
    keep: bool,
    /// Targets to fuzz, or `all`
    #[arg(required = true, value_name = "TARGET")]
    targets: Vec<String>,
}

/// Fuzzes targets in turn, stopping at the first finding.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict> {
    if !answers(nightly().arg("--version")) {
        bail!(
            "fuzzing needs a nightly toolchain; get it with:\n  rustup toolchain install nightly --profile minimal"
        );
    }
    if !answers(nightly().args(["fuzz", "--version"])) {
        bail!("`cargo fuzz` is not installed; get it with:\n  cargo install cargo-fuzz --locked");
    }
    let there = targets()?;
    let all = arguments.targets.iter().any(|target| target == "all");
    let chosen = if all { &there } else { &arguments.targets };
    if let Some(unknown) = chosen.iter().find(|target| !there.contains(target)) {
        bail!("no target is called {unknown}: there are {}", there.join(", "));
    }
    for target in chosen {
        println!("== fuzz {target} for {} min", arguments.minutes);
        let corpus = folder("corpus", target);
        let seeds = folder("seeds", target);
        for folder in [&corpus, &seeds] {
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let seconds = arguments.minutes * 60;
        let limits = [
            format!("-max_total_time={seconds}"),
            format!("-max_len={LONGEST}"),
            format!("-timeout={TIMEOUT}"),
            format!("-rss_limit_mb={MEMORY}"),
            // Short inputs do little, so long ones are tried from the start.
            "-len_control=0".to_owned(),
            "-print_final_stats=1".to_owned(),
        ];
        if succeeds(fuzz(target).args([&corpus, &seeds]).arg("--").args(limits))? == Verdict::Fails {
            println!(
                "== the input stands in fuzz/artifacts/{target}: when that is mended, move it to fuzz/regressions/{target}"
            );
            return Ok(Verdict::Fails);
        }
        if arguments.keep && keep(target, &corpus, &seeds)? == Verdict::Fails {
            return Ok(Verdict::Fails);
        }
    }
    Ok(Verdict::Holds)
}

/// Cargo of the nightly toolchain, through rustup: fuzzing needs another toolchain than
/// this program.
fn nightly() -> Command {
    let mut command = Command::new("rustup");
    command
        .args(["run", "nightly", "cargo"])
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN")
        .current_dir(root());
    command
}

/// A command that runs one target. It uses no sanitizer: sanitizers find faults of unsafe
/// code, which our crates forbid, and inputs run several times as fast without one.
fn fuzz(target: &str) -> Command {
    let mut command = nightly();
    command.args(["fuzz", "run", "--sanitizer", "none", target]);
    command
}

/// The names of all targets.
fn targets() -> Result<Vec<String>> {
    let listed = nightly()
        .args(["fuzz", "list"])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot list the fuzz targets")?;
    if !listed.status.success() {
        bail!("`cargo fuzz list` failed in {}", root().display());
    }
    Ok(String::from_utf8_lossy(&listed.stdout).split_whitespace().map(str::to_owned).collect())
}

fn folder(kind: &str, target: &str) -> PathBuf {
    root().join("fuzz").join(kind).join(target)
}

/// Keeps some of the inputs that together reach what the corpus reaches.
fn keep(target: &str, corpus: &Path, seeds: &Path) -> Result<Verdict> {
    let least = root().join("target/fuzz-least").join(target);
    if least.exists() {
        fs::remove_dir_all(&least).with_context(|| format!("cannot empty {}", least.display()))?;
    }
    fs::create_dir_all(&least).with_context(|| format!("cannot make {}", least.display()))?;
    let merged = succeeds(fuzz(target).arg(&least).args([corpus, seeds]).args(["--", "-merge=1"]))?;
    if merged == Verdict::Fails {
        return Ok(Verdict::Fails);
    }
    let found = files(&least)?;
    let chosen = spread(&found);
    fs::remove_dir_all(seeds).with_context(|| format!("cannot empty {}", seeds.display()))?;
    fs::create_dir_all(seeds).with_context(|| format!("cannot make {}", seeds.display()))?;
    for (_, file) in &chosen {
        let name = file.file_name().unwrap_or_default();
        fs::copy(file, seeds.join(name)).with_context(|| format!("cannot keep {}", file.display()))?;
    }
    println!("== kept {} of {} inputs in {}", chosen.len(), found.len(), seeds.display());
    Ok(Verdict::Holds)
}

/// The files of a folder with their sizes, the smallest first.
fn files(folder: &Path) -> Result<Vec<(u64, PathBuf)>> {
    let reading = || format!("cannot read {}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(reading)? {
        let entry = entry.with_context(reading)?;
        files.push((entry.metadata().with_context(reading)?.len(), entry.path()));
    }
    files.sort();
    Ok(files)
}

/// As many inputs as may be kept, of every length, from all over the list.
fn spread(found: &[(u64, PathBuf)]) -> Vec<&(u64, PathBuf)> {
    let (bytes, inputs) = KEPT;
    let evenly = |count: usize| (0..count).map(move |n| &found[n * found.len() / count]);
    let most = found.len().min(inputs);
    let count = (1..=most).rev().find(|&count| evenly(count).map(|(size, _)| size).sum::<u64>() <= bytes);
    evenly(count.unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_inputs_are_kept_up_to_the_limit() {
        let kept = |sizes: &[u64]| -> Vec<u64> {
            let found: Vec<_> = sizes.iter().map(|&size| (size, PathBuf::new())).collect();
            spread(&found).into_iter().map(|(size, _)| *size).collect()
        };
        assert_eq!(kept(&[1, 2, 3]), [1, 2, 3]);
        assert_eq!(kept(&[1, 2, KEPT.0]), [1, 2]);
        assert!(kept(&[KEPT.0 + 1]).is_empty());
        assert!(kept(&[]).is_empty());
        let many: Vec<u64> = (0..3 * KEPT.1 as u64).collect();
        assert_eq!(kept(&many), (0..3 * KEPT.1 as u64).step_by(3).collect::<Vec<_>>());
    }
}
