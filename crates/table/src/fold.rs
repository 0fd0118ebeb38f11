//! Replaying the lines of a log.

use crate::{Entry, Log, OpenError, Record, Snapshot, hex, numbered::session_id};
use fracas_kernel::{AnyTable, Refused, Seat, Step, System};

/// Live moves between two moments kept in memory for rewinds.
const KEPT_EVERY: usize = 256;

/// Copies of the game right after some live lines, so that a rewind need not replay the
/// whole log.
#[derive(Default)]
pub(crate) struct Moments {
    kept: Vec<(u64, Box<dyn AnyTable>)>,
    since: usize,
}

impl Moments {
    /// Records that `game` has just made the move of line `seq`.
    pub(crate) fn moved(&mut self, seq: u64, game: &dyn AnyTable) {
        self.since += 1;
        if self.since >= KEPT_EVERY {
            self.since = 0;
            self.kept.push((seq, game.again()));
        }
    }

    /// Drops the copies after line `seq`.
    pub(crate) fn forget_after(&mut self, seq: u64) {
        self.kept.retain(|(at, _)| *at <= seq);
    }

    fn up_to(&self, seq: u64) -> Option<(u64, Box<dyn AnyTable>)> {
        self.kept.iter().rfind(|(at, _)| *at <= seq).map(|(at, game)| (*at, game.again()))
    }
}

/// The system that a log was played with.
///
/// # Errors
/// If it is not among `systems`, or [`Log::check_versions`] fails.
pub(crate) fn system_for(log: &Log, systems: &[System]) -> Result<System, OpenError> {
    log.check_versions(systems)?;
    let wanted = &log.header().system;
    systems.iter().find(|system| system.id == wanted).copied().ok_or_else(|| OpenError::System {
        name: log.name().to_owned(),
        system: wanted.clone(),
        known: systems.iter().map(|system| system.id).collect::<Vec<_>>().join(", "),
    })
}

/// The game right after line `upto`, from live lines alone.
///
/// Starts from the latest copy that can be trusted: one in memory, a recorded snapshot
/// whose hash is right, or the setup.
pub(crate) fn rebuild(
    system: &System,
    log: &Log,
    upto: u64,
    moments: &mut Moments,
) -> Result<Box<dyn AnyTable>, OpenError> {
    let (from, mut game) = match moments.up_to(upto) {
        Some(kept) => kept,
        None => base(system, log, upto)?,
    };
    for record in log.live().filter(|record| record.seq > from && record.seq <= upto) {
        let moved =
            play(game.as_mut(), &record.entry, false).map_err(|why| unplayable(log, record.seq, why))?;
        if moved.is_some() {
            moments.moved(record.seq, game.as_ref());
        }
    }
    stand(game.as_mut(), log);
    Ok(game)
}

/// Replays the live lines of a log and shows the game after each move. Starts at the last
/// change of the rules, if there was one.
///
/// # Errors
/// If a line cannot be played again.
pub fn course<'l>(
    system: &System,
    log: &'l Log,
    mut look: impl FnMut(&'l Record, &dyn AnyTable),
) -> Result<(), OpenError> {
    let start = (system.start)(&log.header().setup())?;
    let (from, mut game) = match log.floor() {
        0 => (0, start),
        _ => taken_over(system, log, start)?,
    };
    for record in log.live().filter(|record| record.seq > from) {
        let moved =
            play(game.as_mut(), &record.entry, false).map_err(|why| unplayable(log, record.seq, why))?;
        if moved.is_some() {
            look(record, game.as_ref());
        }
    }
    Ok(())
}

/// The error for a line that the game refuses to replay.
pub(crate) fn unplayable(log: &Log, seq: u64, why: Refused) -> OpenError {
    OpenError::Unplayable { name: log.name().to_owned(), line: seq + 1, why }
}

/// The game of the latest recorded snapshot up to a line that can be trusted, and its line.
fn base(system: &System, log: &Log, upto: u64) -> Result<(u64, Box<dyn AnyTable>), OpenError> {
    let start = (system.start)(&log.header().setup())?;
    let floor = log.floor();
    // A snapshot holds the state and not the rules, and a fiat may change the rules. After
    // a fiat, only a replay from before it can be trusted.
    let fiat = log.live().find(|record| matches!(record.entry, Entry::Fiat(_))).map(|record| record.seq);
    let trusted = |seq: u64| seq >= floor && seq <= upto && fiat.is_none_or(|fiat| seq < fiat);
    for record in log.live().rev().filter(|record| trusted(record.seq)) {
        if let Entry::Snapshot(snapshot) = &record.entry
            && let Some(mut game) = restored(start.as_ref(), snapshot)
        {
            repeat_fiats(game.as_mut(), log, record.seq);
            return Ok((record.seq, game));
        }
    }
    if floor == 0 {
        return Ok((0, start));
    }
    taken_over(system, log, start)
}

/// The game as another version of the rules took it over.
fn taken_over(
    system: &System,
    log: &Log,
    mut start: Box<dyn AnyTable>,
) -> Result<(u64, Box<dyn AnyTable>), OpenError> {
    let floor = log.floor();
    repeat_fiats(start.as_mut(), log, floor);
    match log.get(floor).map(|record| &record.entry) {
        Some(Entry::Snapshot(snapshot)) => restored(start.as_ref(), snapshot),
        _ => None,
    }
    .map(|game| (floor, game))
    .ok_or_else(|| {
        let why = Refused::form(format!(
            "the snapshot is damaged, or not of version {} of the rules of {}",
            system.version, system.id
        ));
        unplayable(log, floor, why)
    })
}

/// Repeats the changes that fiats before a line made to the rules, as far as they can be
/// repeated out of their context, and the players' names.
pub(crate) fn repeat_fiats(game: &mut dyn AnyTable, log: &Log, before: u64) {
    for record in log.live().take_while(|record| record.seq < before) {
        if let Entry::Fiat(_) | Entry::Name(_) = &record.entry {
            // A refused fiat changed a state that is long past; the snapshot that follows
            // holds its effect.
            let _ = play(game, &record.entry, false);
        }
    }
}

/// The game of a snapshot, if its bytes and hash are right. A snapshot of an earlier
/// version of the rules is converted if possible.
pub(crate) fn restored(start: &dyn AnyTable, snapshot: &Snapshot) -> Option<Box<dyn AnyTable>> {
    let mut game = start.again();
    let bytes = hex::read(&snapshot.bytes)?;
    if snapshot.version != game.version() {
        return game.restore_earlier(snapshot.version, &bytes, &snapshot.hash).ok().map(|()| game);
    }
    game.restore(&bytes).ok()?;
    (game.hash() == snapshot.hash).then_some(game)
}

/// Makes the move of a line; `None` if the line is no move.
pub(crate) fn play(game: &mut dyn AnyTable, entry: &Entry, show: bool) -> Result<Option<Step>, Refused> {
    match entry {
        Entry::Answer(line) => {
            game.answer(line.seat(), session_id(line.ask), line.answer.get(), show).map(Some)
        }
        Entry::Roll(line) => game.roll(&line.faces, show).map(Some),
        Entry::Fiat(line) => game.fiat(line.fiat.get(), show).map(Some),
        Entry::Name(line) => {
            // A seat that was rewound away has no name.
            let _ = game.rename(line.seat, &line.name);
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// Gives a game the players' names and the standing replies that hold at the end of the
/// log.
///
/// They outlive rewinds. A reply that names something that was rewound away is left out.
pub(crate) fn stand(game: &mut dyn AnyTable, log: &Log) {
    for sits in log.cast().iter().filter(|sits| sits.seat != Seat::Gm) {
        let _ = game.rename(sits.seat, &sits.name);
    }
    for (seat, reply) in game.standing() {
        let _ = game.stand(seat, &reply, false);
    }
    for Record { entry, .. } in log.records() {
        if let Entry::Standing(line) = entry {
            let _ = game.stand(line.seat, line.reply.get(), line.on);
        }
    }
}
