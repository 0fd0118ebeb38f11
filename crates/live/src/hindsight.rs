//! Where an evening turned, what may come of a moment, and branches: for the gamemaster. Reports: for authors.
//!
//! All of it is worked out beside play, on threads of low priority, one table and one paper after the other.

use crate::auth;
use crate::course::Past;
use crate::hall::{Hall, HallError};
use crate::jobs::Jobs;
pub use crate::jobs::{Progress, Step};
use crate::room::Room;
use crate::settings::Settings;
use crate::take_in::aside;
use fracas_hindsight::{Depth, Effort, Moment, Report, Turns, moment, report, turns};
use fracas_kernel::{Seat, Setup, System, Viewer};
use fracas_sim::{Plan, Play, Sides, report::BUDGET};
use fracas_store::{Named, NewTable, TableId};
use fracas_table::{OpenError, Seed, branch};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What is worked out of tables and papers.
pub struct Hindsight {
    turns: Jobs<TableId, Turns>,
    reports: Jobs<i64, Report>,
    /// Of moments, which are soon done and do not wait for whole evenings.
    moments: Semaphore,
}

impl Default for Hindsight {
    fn default() -> Hindsight {
        Hindsight { turns: Jobs::default(), reports: Jobs::default(), moments: Semaphore::new(1) }
    }
}

/// How many conflicts a report plays of an encounter as it is written.
pub const REPORTED: u64 = 200;

impl Hindsight {
    /// Where the evening of a table turned, as its log is now: begins to work it out, or says how far that is.
    /// `None` if the table is no longer open.
    pub fn turns(&self, room: &Arc<Room>) -> Option<Progress<Turns>> {
        let lines = room.look(|table, _| table.log().next())?;
        let past = room.clone();
        Some(self.turns.ask(room.id.clone(), lines, move |job| {
            let past = past.look(|table, _| Past::of(table, Viewer::Seat(Seat::Gm)));
            let past = past.ok_or("the table is no longer open")?;
            let at = |done, of| job.at("Playing on from each moment", done as u64, of as u64);
            let found = turns(past.system(), past.log(), &Effort::default(), at);
            let found = found.map_err(|error| error.to_string())?;
            found.ok_or_else(|| "the table has gone on meanwhile".to_owned())
        }))
    }

    /// A report on the encounter of a paper, by brisk players: begins to work it out, or says how far that is.
    pub fn report(&self, paper: i64, system: &System, setup: Setup) -> Progress<Report> {
        let mut hasher = DefaultHasher::new();
        for document in std::iter::once(&setup.encounter).chain(&setup.library) {
            (document.name(), document.to_json().to_string()).hash(&mut hasher);
        }
        let system = *system;
        self.reports.ask(paper, hasher.finish(), move |job| {
            let sides = Sides { gm: Play::Brisk, players: Play::Brisk };
            let plan = Plan { sides, seed: 1, conflicts: 0..REPORTED, threads: 1, budget: BUDGET };
            let found = report(&system, &setup, &plan, &mut |step| job.at(step.doing, step.done, step.of));
            let found = found.map_err(|faults| faults.to_string())?;
            found.ok_or_else(|| "the paper has changed meanwhile".to_owned())
        })
    }

    /// What may come of the moment after line `after`. `None` if the table is no longer open, or has no such
    /// moment.
    ///
    /// # Errors
    /// If a line of the log cannot be played again.
    pub async fn moment(&self, room: &Arc<Room>, after: u64) -> Result<Option<Moment>, HallError> {
        let _turn = self.moments.acquire().await;
        let look = room.look(|table, _| {
            let is_there =
                after < table.log().next() && table.log().get(after).is_some_and(|line| line.live());
            is_there.then(|| Past::of(table, Viewer::Seat(Seat::Gm)))
        });
        let Some(past) = look.flatten() else { return Ok(None) };
        let found = aside(move || moment(past.system(), past.log(), after, &Depth::default())).await?;
        Ok(found?)
    }
}

/// Opens a branch of a table: the table as it was after line `after`, to be played on. Its further dice are its
/// own. `None` if the table has no such line. A branch that was opened under this name before is not opened again.
///
/// # Errors
/// If it cannot be kept.
pub async fn branch_off(
    hall: &Hall,
    room: &Arc<Room>,
    (after, title): (u64, String),
    lines: Vec<String>,
    named: Option<Named>,
) -> Result<Option<(TableId, Option<Named>)>, HallError> {
    if let Some(named) = &named
        && let Some((before, known)) = hall.before(named).await?
    {
        return Ok(Some((before, Some(known))));
    }
    let look = room.look(|table, settings| {
        let log = table.log();
        let is_there = log.get(after).is_some_and(|line| line.live() && after >= log.floor());
        is_there.then(|| (table.system().id, log.header().seed.is_some(), settings.unverified))
    });
    let Some((system, has_dice, unverified)) = look.flatten() else { return Ok(None) };
    let seed = match has_dice {
        true => {
            let mut seed = [0; 32];
            getrandom::fill(&mut seed).map_err(|_| HallError::Chance)?;
            Some(Seed::new(seed))
        }
        false => None,
    };
    let text = branch(&lines.concat(), after, &title, seed)
        .map_err(|error| HallError::Open(OpenError::from(error)))?;
    let id = auth::new_table_id().ok_or(HallError::Chance)?;
    let table = NewTable {
        id: id.clone(),
        system: system.to_owned(),
        title,
        opened: auth::now(),
        settings: Settings { unverified, branch_of: Some((room.id.clone(), after)), ..Settings::default() }
            .write(),
        named,
    };
    hall.keep(table, text).await?;
    Ok(Some((id, named)))
}
