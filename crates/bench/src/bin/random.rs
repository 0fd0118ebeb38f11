//! Plays whole conflicts of every system, at random and by good players, and checks them.
//!
//! Exit code 0: no fault. 1: a fault. 2: bad usage.

#![forbid(unsafe_code)]

use anyhow::Result;
use clap::{Parser, ValueEnum};
use fracas_kernel::Words;
use fracas_sim::{Brisk, Fair, Greedy, Mix, Order, Random, survey_by};
use std::process::ExitCode;

/// Play whole conflicts: each must end, lists must be taken, every kind of prompt must
/// come up
#[derive(Parser)]
struct Arguments {
    /// Number of conflicts of each system, by each of `--by`
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
    /// Who gives the answers; can be repeated
    #[arg(long, value_enum, default_values_t = [By::Random, By::Fair])]
    by: Vec<By>,
    /// Answers and throws that a good player may try before each answer
    #[arg(long, default_value_t = 300)]
    work: u32,
    /// Only these systems
    systems: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Any listed answer to any open ask
    Random,
    /// Any listed answer that a good player is not reluctant to give, so that play goes on to its end
    Fair,
    /// The answer that looks best by rules of thumb
    Brisk,
    /// The answer after which the asked seat is best off, as bots at a table choose
    Sound,
}

/// Plays the conflicts of one system.
struct Play<'a>(&'a Arguments);

impl fracas_systems::Visit for Play<'_> {
    type Out = Result<Vec<String>>;

    fn game<G: Words>(&mut self) -> Result<Vec<String>> {
        let mut setups = vec![fracas_bench::measured(G::ID)?];
        setups.extend(fracas_bench::encounters(G::ID)?);
        setups.extend(fracas_bench::tested(G::ID)?);
        let tables = setups.iter().map(fracas_bench::start::<G>).collect::<Result<Vec<_>>>()?;
        let Arguments { conflicts, seed, median, max_answers, work, .. } = *self.0;
        let (mut faults, mut mix) = (Vec::new(), Mix::of::<G>());
        for &by in &self.0.by {
            let play = (conflicts, seed, max_answers);
            let found = match by {
                By::Random => survey_by::<G>(&tables, (&mut Random, Order::Any), play),
                By::Fair => survey_by::<G>(&tables, (&mut Fair::default(), Order::Waited), play),
                By::Brisk => survey_by::<G>(&tables, (&mut Brisk, Order::Waited), play),
                By::Sound => survey_by::<G>(&tables, (&mut Greedy { work }, Order::Waited), play),
            };
            let name = by.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
            println!("{} by {name}, {} tables, seed {seed}: {found}", G::ID, tables.len());
            mix.add(&found.mix);
            faults.extend(found.endings());
            if found.median() < median {
                faults
                    .push(format!("the median conflict has {} answers, fewer than {median}", found.median()));
            }
            for (at, setup) in setups.iter().enumerate() {
                let unended = found.unended.iter().filter(|conflict| conflict.table == at).count();
                if unended > 0 {
                    faults.push(format!("table {at} is {}: {unended} of these", setup.encounter.name()));
                }
            }
        }
        // Good players do not do everything that can be done.
        if self.0.by.contains(&By::Random) && !mix.missing().is_empty() {
            faults.push(format!("never asked: {}", mix.missing().join(", ")));
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
