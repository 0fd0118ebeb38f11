//! The project's own chores. `cargo xtask test` runs every check.
//!
//! Exit code 0: done. 1: a check failed. 2: bad usage, or something is missing that the
//! chore needs; the message says what to install.

#![forbid(unsafe_code)]

mod cargo;
mod clause;
mod client;
mod fuzz;
mod game;
mod mutants;
mod parts;
mod schemathesis;
mod server;
mod test;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The chores of this project
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run every check in order, stopping at the first failure
    Test,
    /// Check rules for the source tree that no compiler checks
    Tidy,
    /// Measure speed; arguments go to the benchmark
    Bench(PassedOn),
    /// Play in Chromium: whole conflicts, keys, phones, no script, axe-core
    Browser(PassedOn),
    /// Take pictures of every page in Chromium, at three widths, light and dark
    Pictures {
        /// The folder that they are written to
        #[arg(long, default_value = "target/pictures")]
        folder: PathBuf,
    },
    /// Put a server under load; arguments go to the generator
    Load(PassedOn),
    /// Kill a server repeatedly while people and the machine write
    Kills {
        /// How many times
        #[arg(long, default_value_t = 200)]
        rounds: u32,
    },
    /// Validate the API's document, and let a client that is generated from it play
    Client,
    /// Let schemathesis look for answers of the API that its document does not allow
    Schemathesis(PassedOn),
    /// Play random conflicts and check the engine at each step
    Random {
        /// How many conflicts of each system to play
        #[arg(long, default_value_t = 2000)]
        conflicts: u64,
        /// The generator's seed; a failure prints the seed that repeats it
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        more: PassedOn,
    },
    /// Test games with the suite, and faces at their tables, for longer than an ordinary run does
    Sweep {
        /// How many times as much is played
        #[arg(long, default_value_t = 20)]
        effort: u32,
        /// Games, by their packages; all, and the faces, if absent
        games: Vec<String>,
    },
    /// Count every line of play to a depth; arguments go to the counter
    Perft(PassedOn),
    /// Fuzz with cargo-fuzz, target by target
    Fuzz(fuzz::Arguments),
    /// Check licences, sources and known weaknesses of all dependencies
    Deny,
    /// List everything the program is made of, as CycloneDX
    Sbom,
    /// Begin a new game as a copy of the template
    Game(game::Arguments),
    /// List where a clause stands: rulebook, code, scenarios
    Where(clause::Arguments),
    /// Change games at random and count the changes that their tests notice
    Mutants(mutants::Arguments),
}

#[derive(clap::Args)]
struct PassedOn {
    /// Arguments handed on as they are
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Whether a check passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Holds,
    Fails,
}

fn main() -> ExitCode {
    match run(Arguments::parse().chore) {
        Ok(Verdict::Holds) => ExitCode::SUCCESS,
        Ok(Verdict::Fails) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(chore: Chore) -> Result<Verdict> {
    match chore {
        Chore::Test => test::run(),
        Chore::Tidy => tidy::run(),
        Chore::Bench(more) => match cargo::program()? {
            Verdict::Holds => cargo::sim("bench", &more.arguments),
            Verdict::Fails => Ok(Verdict::Fails),
        },
        Chore::Browser(more) => {
            cargo::require_browser()?;
            cargo::succeeds(cargo::browser().arg("--").args(&more.arguments))
        }
        Chore::Pictures { folder } => {
            cargo::require_browser()?;
            let folder = cargo::root().join(folder);
            println!("pictures are written to {}", folder.display());
            cargo::succeeds(
                cargo::browser().args(["--", "--ignored", "pictures::"]).env("FRACAS_PICTURES", folder),
            )
        }
        Chore::Load(more) => match cargo::program()? {
            Verdict::Holds => cargo::sim("load", &more.arguments),
            Verdict::Fails => Ok(Verdict::Fails),
        },
        Chore::Kills { rounds } => cargo::succeeds(
            cargo::cargo()
                .args(["test", "--quiet", "--package", "fracas", "--test", "it", "killed"])
                .env("FRACAS_KILLS", rounds.to_string()),
        ),
        Chore::Client => client::run(),
        Chore::Schemathesis(more) => schemathesis::run(&more.arguments),
        Chore::Random { conflicts, seed, more } => {
            let mut arguments =
                vec!["--conflicts".to_owned(), conflicts.to_string(), "--seed".to_owned(), seed.to_string()];
            arguments.extend(more.arguments);
            cargo::sim("random", &arguments)
        }
        Chore::Sweep { effort, games } => {
            // Tests of faces at real tables are sampled too.
            let faces = || ["fracas-face", "fracas-web"].map(str::to_owned);
            let packages = if games.is_empty() { [cargo::games()?, faces().into()].concat() } else { games };
            let packages = packages.iter().flat_map(|package| ["--package", package]);
            cargo::succeeds(
                cargo::cargo()
                    .args(["test", "--test", "it"])
                    .args(packages)
                    .env("FRACAS_EFFORT", effort.to_string()),
            )
        }
        Chore::Perft(more) => cargo::sim("perft", &more.arguments),
        Chore::Fuzz(arguments) => fuzz::run(&arguments),
        Chore::Deny => parts::deny(),
        Chore::Sbom => parts::list(),
        Chore::Game(arguments) => game::run(&arguments),
        Chore::Where(arguments) => clause::run(&arguments),
        Chore::Mutants(arguments) => mutants::run(&arguments),
    }
}
