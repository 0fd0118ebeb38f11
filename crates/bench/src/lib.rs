//! Shared code of the programs that measure and count.
//!
//! The programs are `bench`, `random`, `perft` and `load`; see `benches/README.md`.

#![forbid(unsafe_code)]

use anyhow::{Context, Result, bail};
use fracas_kernel::{Document, Now, Seat, Setup, Words};
use fracas_sim::Bot;
use fracas_table::{Table, Throw};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, process::ExitCode};

/// The table that benchmarks measure: `benches/<system>.toml`.
///
/// # Errors
/// If the file does not exist or is not TOML.
pub fn measured(system: &str) -> Result<Setup> {
    alone(&root().join("benches").join(format!("{system}.toml")))
}

/// The small tables that a system's own tests play: `games/<system>/tests/setups`.
///
/// # Errors
/// If the folder cannot be read, or a file is not TOML.
pub fn tested(system: &str) -> Result<Vec<Setup>> {
    let folder = root().join("games").join(system).join("tests/setups");
    let files = fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    paths
        .iter()
        .filter(|path| path.extension().is_some_and(|ext| ext == "toml"))
        .map(|path| alone(path))
        .collect()
}

fn alone(path: &Path) -> Result<Setup> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let place = path.strip_prefix(root()).unwrap_or(path);
    match Document::toml(place.display().to_string(), &text) {
        Ok(document) => Ok(Setup::alone(document)),
        Err(faults) => bail!("{faults}"),
    }
}

/// The bundled encounters of a system.
///
/// # Errors
/// If a file is not TOML.
pub fn encounters(system: &str) -> Result<Vec<Setup>> {
    let Some(system) = fracas_systems::find(system) else { return Ok(Vec::new()) };
    fracas_systems::setups(system).or_else(|faults| bail!("{faults}"))
}

/// The project's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The named systems, or all if none is named.
///
/// # Errors
/// If a name is not a system's id.
pub fn systems(named: &[String]) -> Result<Vec<&'static str>> {
    let all: Vec<&'static str> = fracas_systems::all().iter().map(|system| system.id).collect();
    if let Some(name) = named.iter().find(|name| !all.contains(&name.as_str())) {
        bail!("no system is called {name}: there are {}", all.join(", "));
    }
    Ok(all.into_iter().filter(|id| named.is_empty() || named.iter().any(|name| name == id)).collect())
}

/// Plays at random until this many answers have been given. A conflict that ends is rewound
/// to its beginning.
///
/// # Errors
/// If nobody can answer, or an answer is refused.
pub fn play_long(table: &mut Table, answers: usize, mut took: impl FnMut(Seat, Duration)) -> Result<()> {
    let beginning = table.log().next() - 1;
    let mut given = 0;
    let mut seed = 0;
    while given < answers {
        seed += 1;
        match table.game().now() {
            Now::Over => {
                table.rewind(beginning, Seat::Gm)?;
            }
            Now::Roll(_) => {
                table.roll(Seat::Gm, Throw::Dice)?;
            }
            Now::Asks(asks) => {
                let seated = |seat| {
                    let ask = asks.iter().find(|ask| ask.who.seats().contains(seat))?;
                    Some((seat, ask.id, Bot::random(seed).choose(table.game(), seat, ask.id)?))
                };
                let seats = asks.iter().flat_map(|ask| ask.who.seats().iter());
                let (seat, id, answer) = seats.filter_map(seated).next().context("nobody can answer")?;
                let begun = Instant::now();
                table.answer(seat, None, id, &answer, None)?;
                took(seat, begun.elapsed());
                given += 1;
            }
        }
    }
    Ok(())
}

/// The rules and the state with which a setup opens.
///
/// # Errors
/// Every fault of the setup.
pub fn start<G: Words>(setup: &Setup) -> Result<(G::Rules, G::State)> {
    match G::start(setup) {
        Ok(table) => Ok(table),
        Err(faults) => bail!("{}: {faults}", setup.encounter.name()),
    }
}

/// The exit code of a program: 0, or 2 with the error on standard error.
pub fn exit(done: Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The median; the lower of the two in the middle.
pub fn median<T: Ord + Copy>(mut all: Vec<T>) -> Option<T> {
    all.sort_unstable();
    let middle = all.len().checked_sub(1)? / 2;
    all.get(middle).copied()
}

/// A rate per second.
pub fn rate(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(vec![3, 1, 2]), Some(2));
        assert_eq!(median(vec![4, 1, 2, 3]), Some(2));
        assert_eq!(median::<u8>(vec![]), None);
    }

    #[test]
    fn every_measured_table_opens() {
        for system in fracas_systems::all() {
            let setup = measured(system.id).unwrap();
            if let Err(faults) = (system.start)(&setup) {
                panic!("{faults}");
            }
        }
    }

    #[test]
    fn an_unknown_system_is_named() {
        let error = systems(&["chess".to_owned()]).unwrap_err();
        assert!(error.to_string().starts_with("no system is called chess"), "{error}");
    }
}
