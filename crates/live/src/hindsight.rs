//! Where an evening turned, what may come of a moment, and branches: for the gamemaster.
//!
//! All of it is worked out beside play, on a thread of low priority, one table after the other.

use crate::auth;
use crate::course::Past;
use crate::hall::{Hall, HallError};
use crate::room::Room;
use crate::settings::Settings;
use crate::take_in::aside;
use fracas_hindsight::{Depth, Effort, Moment, Turns, moment, turns};
use fracas_kernel::{Seat, Viewer};
use fracas_store::{Named, NewTable, TableId};
use fracas_table::{OpenError, Seed, branch};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The most tables of which results are kept.
const KEPT: usize = 64;
/// The most tables that wait for their turn.
const WAITING: usize = 8;

/// What is worked out of tables.
pub struct Hindsight {
    turn: Arc<Semaphore>,
    /// Of moments, which are soon done and do not wait for whole evenings.
    moments: Semaphore,
    jobs: Mutex<HashMap<TableId, Arc<Job>>>,
}

/// The work on one table, as its log was then.
struct Job {
    /// The number of lines.
    lines: u64,
    /// The table has gone on, and nobody waits for the result.
    given_up: AtomicBool,
    done: AtomicUsize,
    of: AtomicUsize,
    result: Mutex<Option<Result<Arc<Turns>, String>>>,
}

/// How far the work on a table is.
#[derive(Clone, Debug)]
pub enum Progress {
    /// So many moments of so many have been played on from.
    Working(usize, usize),
    /// It is done.
    Done(Arc<Turns>),
    /// It cannot be done, and why.
    Failed(String),
    /// Too many other tables wait.
    Busy,
}

impl Default for Hindsight {
    fn default() -> Hindsight {
        Hindsight { turn: Arc::new(Semaphore::new(1)), moments: Semaphore::new(1), jobs: Mutex::default() }
    }
}

impl Hindsight {
    /// Where the evening of a table turned, as its log is now: begins to work it out, or says how far that is.
    /// `None` if the table is no longer open.
    pub fn turns(&self, room: &Arc<Room>) -> Option<Progress> {
        let lines = room.look(|table, _| table.log().next())?;
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = jobs.get(&room.id).filter(|job| job.lines == lines) {
            return Some(job.progress());
        }
        if jobs.values().filter(|job| !job.is_done()).count() >= WAITING {
            return Some(Progress::Busy);
        }
        if jobs.len() >= KEPT {
            jobs.retain(|_, job| !job.is_done());
        }
        let job = Arc::new(Job {
            lines,
            given_up: AtomicBool::new(false),
            done: AtomicUsize::new(0),
            of: AtomicUsize::new(0),
            result: Mutex::new(None),
        });
        if let Some(before) = jobs.insert(room.id.clone(), job.clone()) {
            before.given_up.store(true, Ordering::Relaxed);
        }
        let (turn, room) = (self.turn.clone(), room.clone());
        tokio::spawn(async move {
            let _turn = turn.acquire().await;
            let Some(past) = room.look(|table, _| Past::of(table, Viewer::Seat(Seat::Gm))) else {
                job.finish(Err("the table is no longer open".to_owned()));
                return;
            };
            let working = job.clone();
            let worked = aside(move || working.work(&past)).await;
            if worked.is_err() {
                job.finish(Err("it could not be worked out here".to_owned()));
            }
        });
        Some(Progress::Working(0, 0))
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

impl Job {
    fn progress(&self) -> Progress {
        match &*self.result.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Progress::Working(self.done.load(Ordering::Relaxed), self.of.load(Ordering::Relaxed)),
            Some(Ok(turns)) => Progress::Done(turns.clone()),
            Some(Err(why)) => Progress::Failed(why.clone()),
        }
    }

    fn is_done(&self) -> bool {
        self.result.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn finish(&self, result: Result<Arc<Turns>, String>) {
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    }

    fn work(&self, past: &Past) {
        let found = turns(past.system(), past.log(), &Effort::default(), |done, of| {
            self.done.store(done, Ordering::Relaxed);
            self.of.store(of, Ordering::Relaxed);
            match self.given_up.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        self.finish(match found {
            Ok(Some(turns)) => Ok(Arc::new(turns)),
            Ok(None) => Err("the table has gone on meanwhile".to_owned()),
            Err(error) => Err(error.to_string()),
        });
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
        settings: Settings { unverified, ..Settings::default() }.write(),
        named,
    };
    hall.keep(table, text).await?;
    Ok(Some((id, named)))
}
