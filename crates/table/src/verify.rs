//! Running a log again, line by line.

use crate::{
    Entry, Log, OpenError, Record,
    fold::{self, Moments},
    hex, table, throw,
};
use fracas_kernel::{AnyTable, Now, System, Thrown};
use serde::Serialize;

/// A log being run again, line by line, struck lines too.
pub struct Replay<'l> {
    log: &'l Log,
    system: System,
    /// The lines run so far, with what was struck by then.
    so_far: Log,
    game: Box<dyn AnyTable>,
    moments: Moments,
    /// The next line to run.
    at: u64,
}

impl<'l> Replay<'l> {
    /// Begins at the first line of the log's present version of the rules.
    ///
    /// # Errors
    /// Where the system is not among `systems`, is of another version, or
    /// cannot start from the log's setup.
    pub fn new(log: &'l Log, systems: &[System]) -> Result<Replay<'l>, OpenError> {
        let system = fold::system_for(log, systems)?;
        if log.version() != system.version {
            return Err(OpenError::Version {
                name: log.name().to_owned(),
                system: system.id.to_owned(),
                was: log.version(),
                now: system.version,
            });
        }
        let mut so_far = Log::empty(log.name());
        let first = log.floor();
        for record in log.records().iter().take_while(|record| record.seq <= first) {
            so_far.push(record.entry.clone(), 0);
        }
        let mut moments = Moments::default();
        let game = if first == 0 {
            // Not from a snapshot: every line is to be run.
            (system.start)(&log.header().setup())?
        } else {
            fold::rebuild(&system, &so_far, first, &mut moments)?
        };
        Ok(Replay { log, system, so_far, game, moments, at: first + 1 })
    }

    /// The game after the lines run so far.
    pub fn game(&self) -> &dyn AnyTable {
        self.game.as_ref()
    }

    /// Runs the next line and gives it; `None` after the last.
    ///
    /// # Errors
    /// Where it cannot have happened.
    pub fn step(&mut self) -> Result<Option<&'l Record>, OpenError> {
        let Some(record) = self.log.get(self.at) else { return Ok(None) };
        let moved = fold::play(self.game.as_mut(), &record.entry, false)
            .map_err(|why| fold::unplayable(self.log, record.seq, why))?;
        self.so_far.push(record.entry.clone(), 0);
        self.at += 1;
        if moved.is_some() {
            self.moments.moved(record.seq, self.game.as_ref());
        }
        match &record.entry {
            Entry::Rewind(rewind) => {
                self.moments.forget_after(rewind.to);
                self.game = fold::rebuild(&self.system, &self.so_far, rewind.to, &mut self.moments)?;
            }
            Entry::Standing(it) => {
                // One that names what was rewound away since is left out.
                let _ = self.game.stand(it.seat, it.reply.get(), it.on);
            }
            _ => {}
        }
        Ok(Some(record))
    }
}

/// What running a log again has shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// Lines of the log.
    pub lines: u64,
    /// Answers, rolls and fiats.
    pub moves: u64,
    /// Rolls among them.
    pub rolls: u64,
    /// Lines that were taken back.
    pub struck: u64,
    /// Snapshots found to be just what the lines before lead to.
    pub snapshots: u64,
    /// Lines of earlier versions of the rules, which are not run again.
    pub not_run: u64,
    /// The hash of the state that the log leads to.
    pub hash: String,
    /// Everything that is not as it should be.
    pub problems: Vec<Problem>,
}

impl Report {
    /// Whether everything is as it should be.
    pub fn sound(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Something in a log that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    /// The line, from 1.
    pub line: u64,
    /// What was expected and what was found.
    pub what: String,
}

/// Runs a whole log again and compares: that every move can be made, that the
/// dice are the seed's, that states and snapshots are what they were.
///
/// # Errors
/// As [`Replay::new`]. What is wrong with a line stands in the report; a line
/// that cannot be played ends it.
pub fn verify(log: &Log, systems: &[System]) -> Result<Report, OpenError> {
    let mut replay = Replay::new(log, systems)?;
    let mut report = Report {
        lines: log.next(),
        struck: log.records().iter().filter(|record| !record.live()).count() as u64,
        not_run: log.floor(),
        ..Report::default()
    };
    for record in log.records() {
        report.moves += u64::from(record.entry.is_move());
        report.rolls += u64::from(matches!(record.entry, Entry::Roll(_)));
    }
    loop {
        if let Some(next) = log.get(replay.at) {
            dice(&replay, next, &mut report);
        }
        match replay.step() {
            Ok(None) => break,
            Ok(Some(record)) => shown(&replay, record, &mut report),
            Err(error) => {
                let line = log.get(replay.at.min(log.next() - 1)).map_or(0, |record| record.seq + 1);
                report.problems.push(Problem { line, what: error.to_string() });
                break;
            }
        }
    }
    report.hash = replay.game().hash();
    Ok(report)
}

/// Whether a roll about to be run is the roll that is due, with its dice.
fn dice(replay: &Replay<'_>, record: &Record, report: &mut Report) {
    let Entry::Roll(roll) = &record.entry else { return };
    let mut wrong = |what: String| report.problems.push(Problem { line: record.seq + 1, what });
    let Now::Roll(due) = replay.game.now() else {
        return wrong("dice fell where none were due".to_owned());
    };
    let at = table::at(replay.game.as_ref());
    if at != roll.at {
        wrong(format!("the dice fell in state {}, and the lines before lead to {at}", roll.at));
    }
    let expected: Option<Vec<u8>> = match (roll.thrown, replay.log.header().seed) {
        (Thrown::Typed, _) => None,
        (Thrown::Thrown, Some(seed)) => Some(throw(seed, replay.so_far.throws(), due.dice.sides()).to_vec()),
        (Thrown::Thrown, None) => return wrong("thrown, by a table that has no dice".to_owned()),
        (Thrown::Again, _) => match replay.so_far.before(&roll.at, &roll.dice) {
            Some(kept) => Some(kept.faces.clone()),
            None => return wrong("kept faces of a roll that was never taken back".to_owned()),
        },
    };
    if let Some(expected) = expected.filter(|expected| *expected != roll.faces) {
        wrong(format!("the dice fell {expected:?}, and the log says {:?}", roll.faces));
    }
}

/// Whether a line that was run left what it says.
fn shown(replay: &Replay<'_>, record: &Record, report: &mut Report) {
    let mut wrong = |what: String| report.problems.push(Problem { line: record.seq + 1, what });
    if let Some(raw) = record.entry.kept()
        && let Err(error) = serde_json::from_str::<Vec<crate::ShownLine>>(raw.get())
    {
        wrong(format!("what was shown cannot be read: {error}"));
    }
    if let Entry::Fiat(fiat) = &record.entry
        && !fiat.cast.is_empty()
        && fiat.cast != table::cast(replay.game.as_ref())
    {
        wrong("who sits at the table is not as the line says".to_owned());
    }
    if let Entry::Snapshot(snapshot) = &record.entry {
        let hash = replay.game.hash();
        if hash != snapshot.hash {
            wrong(format!("the state is {}, and the lines before lead to {hash}", snapshot.hash));
        } else if snapshot.bytes != hex::write(&replay.game.snapshot()) {
            wrong("the snapshot's bytes are not those that the lines before lead to".to_owned());
        } else {
            report.snapshots += 1;
        }
    }
}
