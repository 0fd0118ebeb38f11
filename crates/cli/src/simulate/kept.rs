//! Some conflicts of a simulation as logs: to read, to replay, to open at a table.

use super::plan::{Arm, Which};
use crate::args::SimulateArgs;
use crate::files;
use crate::stop::Stop;
use fracas_kernel::{Seat, System, Who, Words};
use fracas_sim::{ENDS, Plan, Row, Step, steps};
use fracas_table::{Entry, MemoryStore, Opening, Table, Throw};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// A conflict that was kept.
#[derive(Serialize)]
pub(super) struct Log {
    pub(super) path: PathBuf,
    /// Its number.
    pub(super) conflict: u64,
    #[serde(rename = "setting")]
    pub(super) label: String,
    /// After how many steps it parts from the same conflict under the first setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parts: Option<usize>,
}

/// Remembers which conflicts are to be kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keeper {
    keep: Option<(usize, Which)>,
    /// The places of the measures that decide.
    others: usize,
    answers: usize,
    /// The conflicts so far, the best first, each with how well it fits.
    found: Vec<(i64, u64)>,
}

impl Keeper {
    pub(super) fn new(keep: Option<(usize, Which)>, measures: &[String]) -> Keeper {
        let place = |name: &str| measures.iter().position(|measure| measure == name).unwrap_or(0);
        Keeper { keep, others: place("others-stand"), answers: place("answers"), found: Vec::new() }
    }

    /// Whether another looks for the same.
    pub(super) fn is_like(&self, other: &Keeper) -> bool {
        self.keep == other.keep
    }

    /// Looks at a conflict under each setting.
    pub(super) fn see(&mut self, conflict: u64, rows: &[Row]) {
        let Some((most, which)) = self.keep else { return };
        let first = &rows[0].values;
        let fits = match which {
            Which::Longest => Some(first[self.answers]),
            Which::Worst => (first[self.others] == 1).then(|| -first[self.answers]),
            Which::Differing => rows.iter().any(|row| row.values[..ENDS] != first[..ENDS]).then_some(0),
        };
        let Some(fits) = fits else { return };
        let at = self.found.partition_point(|(other, _)| *other >= fits);
        self.found.insert(at, (fits, conflict));
        self.found.truncate(most);
    }

    /// Plays what is kept once more, and writes the logs into this folder.
    pub(super) fn logs<G: Words>(
        &self,
        system: &System,
        arms: &[Arm],
        tables: &[(G::Rules, G::State)],
        plan: &Plan,
        args: &SimulateArgs,
    ) -> Result<Vec<Log>, Stop> {
        let Some((_, which)) = self.keep else { return Ok(Vec::new()) };
        let into = &args.into;
        if !self.found.is_empty() {
            fs::create_dir_all(into).map_err(|error| Stop::file(into, error))?;
        }
        let mut logs = Vec::new();
        let mut texts = Vec::new();
        for (_, conflict) in &self.found {
            let mut first: Vec<Step> = Vec::new();
            for (at, (arm, table)) in arms.iter().zip(tables).enumerate() {
                if at > 0 && which != Which::Differing {
                    break;
                }
                let steps = steps::<G>(table, plan, *conflict);
                let name = if at == 0 {
                    format!("{conflict}.fracas")
                } else {
                    format!("{conflict}-{}.fracas", at + 1)
                };
                let path = into.join(name);
                texts.push(written(system, arm, *conflict, &steps)?);
                let parts = (at > 0).then(|| steps.iter().zip(&first).take_while(|(a, b)| a == b).count());
                logs.push(Log { path, conflict: *conflict, label: arm.label.clone(), parts });
                if at == 0 {
                    first = steps;
                }
            }
        }
        let files: Vec<(&Path, &[u8])> =
            logs.iter().map(|log: &Log| log.path.as_path()).zip(texts.iter().map(Vec::as_slice)).collect();
        files::write_all(&files, args.force)?;
        Ok(logs)
    }
}

/// The log of a table at which these steps were made.
fn written(system: &System, arm: &Arm, conflict: u64, steps: &[Step]) -> Result<Vec<u8>, Stop> {
    let store = MemoryStore::new();
    let title = arm.setup.encounter.to_json()["title"].as_str().unwrap_or_default().to_owned();
    let opening = Opening { title, label: format!("conflict {conflict}, {}", arm.label), seed: None };
    let failed = |what: &str| Stop::bad(format!("conflict {conflict} cannot be written down: {what}"));
    let table = Table::create(system, &arm.setup, opening, Box::new(store.clone()));
    let mut table = table.map_err(|error| failed(&error.to_string()))?;
    // What the table has answered by itself, as there was a single answer.
    let (mut given, mut read) = (Vec::new(), 0);
    for step in steps {
        let autos = table.log().records().iter().skip(read).filter_map(|record| match &record.entry {
            Entry::Answer(answer) if answer.auto.is_some() => {
                Some((answer.by, answer.answer.get().to_owned()))
            }
            _ => None,
        });
        given.extend(autos);
        read = table.log().records().len();
        match step {
            Step::Roll(faces) => {
                table.roll(Seat::Gm, Throw::Faces(faces)).map_err(|error| failed(&error.to_string()))?;
            }
            Step::Answer { who, prompt, answer } => {
                let asks = table.game().asks();
                let Some(ask) = asks.iter().find(|ask| ask.who == *who && ask.prompt == *prompt) else {
                    let is_it =
                        |(seat, other): &(Seat, String)| who.seats().contains(*seat) && other == answer;
                    let at = given.iter().position(is_it).ok_or_else(|| failed("an ask is closed"))?;
                    given.remove(at);
                    continue;
                };
                let all = match who {
                    Who::All(all) => all.iter().collect(),
                    who => who.seats().iter().take(1).collect::<Vec<Seat>>(),
                };
                for seat in all {
                    table
                        .answer(seat, None, ask.id, answer, None)
                        .map_err(|error| failed(&error.to_string()))?;
                }
            }
        }
    }
    Ok(store.bytes())
}
