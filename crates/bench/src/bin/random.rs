//! Plays whole conflicts of every system at random and checks them.
//!
//! Exit code 0: no fault. 1: a fault. 2: bad usage.

#![forbid(unsafe_code)]

use anyhow::Result;
use clap::Parser;
use fracas_kernel::Words;
use fracas_sim::survey;
use std::process::ExitCode;

/// Play whole conflicts at random: each must end, lists must be taken, every
/// kind of prompt must come up
#[derive(Parser)]
struct Arguments {
    /// Number of conflicts of each system
    #[arg(long, default_value_t = 2_000)]
    conflicts: u32,
    /// The generator's seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The least median of answers in a conflict; a game's own suite may require more
    #[arg(long, default_value_t = 10)]
    median: u32,
    /// Answers and rolls after which a conflict counts as endless
    #[arg(long, default_value_t = 20_000)]
    max_answers: u32,
    /// Only these systems
    systems: Vec<String>,
}

/// Plays the conflicts of one system.
struct Play<'a>(&'a Arguments);

impl fracas_systems::Visit for Play<'_> {
    type Out = Result<Vec<String>>;

    fn game<G: Words>(&mut self) -> Result<Vec<String>> {
        let mut setups = vec![fracas_bench::measured(G::ID)?];
        setups.extend(fracas_bench::encounters(G::ID)?);
        let tables = setups.iter().map(fracas_bench::start::<G>).collect::<Result<Vec<_>>>()?;
        let found = survey::<G>(&tables, self.0.conflicts, self.0.seed, self.0.max_answers);
        println!("{}, {} tables, seed {}: {found}", G::ID, tables.len(), self.0.seed);
        let mut faults = found.faults(self.0.median, &[]);
        for (at, setup) in setups.iter().enumerate() {
            let unended = found.unended.iter().filter(|conflict| conflict.table == at).count();
            if unended > 0 {
                faults.push(format!("table {at} is {}: {unended} of these", setup.encounter.name()));
            }
        }
        Ok(faults)
    }
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(faults) if !faults.is_empty() => {
            faults.iter().for_each(|fault| eprintln!("{fault}"));
            ExitCode::from(1)
        }
        done => fracas_bench::exit(done.map(drop)),
    }
}

fn run(arguments: &Arguments) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for id in fracas_bench::systems(&arguments.systems)? {
        if let Some(found) = fracas_systems::visit(id, &mut Play(arguments)) {
            faults.extend(found?.into_iter().map(|fault| format!("{id}: {fault}")));
        }
    }
    Ok(faults)
}
