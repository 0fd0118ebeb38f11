//! Counts every path of play to a depth.
//!
//! Exit code 0: done. 2: bad usage, or a setup that does not open.

#![forbid(unsafe_code)]

use anyhow::{Result, bail};
use clap::Parser;
use fracas_kernel::{Document, Setup, Words};
use fracas_sim::{divide, perft};
use std::{path::PathBuf, process::ExitCode, time::Instant};

/// Count every path of play to a depth: a step is a listed answer to the first
/// ask, or a class of a roll
#[derive(Parser)]
struct Arguments {
    /// Number of steps
    #[arg(long, default_value_t = 5)]
    depth: u32,
    /// Count for each first step separately
    #[arg(long)]
    divide: bool,
    /// A setup to start from, instead of the system's measured one
    #[arg(long)]
    setup: Option<PathBuf>,
    /// Only these systems
    systems: Vec<String>,
}

/// Counts the paths of one system.
struct Count<'a>(&'a Arguments);

impl fracas_systems::Visit for Count<'_> {
    type Out = Result<()>;

    fn game<G: Words>(&mut self) -> Result<()> {
        let setup = match &self.0.setup {
            None => fracas_bench::measured(G::ID)?,
            Some(path) => match Document::toml(path.display().to_string(), &std::fs::read_to_string(path)?) {
                Ok(document) => Setup::alone(document),
                Err(faults) => bail!("{faults}"),
            },
        };
        let (rules, state) = fracas_bench::start::<G>(&setup)?;
        println!("{}", G::ID);
        for depth in 1..=self.0.depth {
            let begun = Instant::now();
            let paths = perft::<G>(&rules, &state, depth);
            println!("{depth:>3} {paths:>16}   {:.3} s", begun.elapsed().as_secs_f64());
        }
        if self.0.divide {
            for (branch, paths) in divide::<G>(&rules, &state, self.0.depth) {
                println!("{paths:>20}   {branch:?}");
            }
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    fracas_bench::exit(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<()> {
    let systems = fracas_bench::systems(&arguments.systems)?;
    if arguments.setup.is_some() && systems.len() > 1 {
        bail!("--setup is for one system: name it, one of {}", systems.join(", "));
    }
    for id in systems {
        if let Some(counted) = fracas_systems::visit(id, &mut Count(arguments)) {
            counted?;
        }
    }
    Ok(())
}
