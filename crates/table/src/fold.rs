//! From lines to the moment they lead to.

use crate::{Entry, Log, OpenError, Record, Snapshot, hex, numbered::session_id};
use fracas_kernel::{AnyTable, Refused, Seat, Step, System};

/// Live moves between two moments kept in memory for rewinds.
const KEPT_EVERY: usize = 256;

/// Moments of the live lines, kept so that a rewind need not begin at the
/// beginning: the game right after a line.
#[derive(Default)]
pub(crate) struct Moments {
    kept: Vec<(u64, Box<dyn AnyTable>)>,
    since: usize,
}

impl Moments {
    /// Notes that `game` has just made the move of line `seq`.
    pub(crate) fn moved(&mut self, seq: u64, game: &dyn AnyTable) {
        self.since += 1;
        if self.since >= KEPT_EVERY {
            self.since = 0;
            self.kept.push((seq, game.again()));
        }
    }

    /// Forgets what came after line `seq`.
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
/// Where it is not among `systems`, or as [`Log::check_versions`].
pub(crate) fn system_for(log: &Log, systems: &[System]) -> Result<System, OpenError> {
    log.check_versions(systems)?;
    let wanted = &log.header().system;
    systems.iter().find(|system| system.id == wanted).copied().ok_or_else(|| OpenError::System {
        name: log.name().to_owned(),
        system: wanted.clone(),
        known: systems.iter().map(|system| system.id).collect::<Vec<_>>().join(", "),
    })
}

/// The game as it was right after line `upto`, from live lines alone.
///
/// Starts from the nearest moment that can be trusted: one kept in memory, a
/// recorded snapshot whose hash is right, or the setup.
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

/// Plays the lines of a log that stand once more and shows the game after each move;
/// from where the rules changed last, where they have.
///
/// # Errors
/// Where a line cannot be played again.
pub fn course(
    system: &System,
    log: &Log,
    mut look: impl FnMut(&Record, &dyn AnyTable),
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

/// A line that the game refuses to play again.
pub(crate) fn unplayable(log: &Log, seq: u64, why: Refused) -> OpenError {
    OpenError::Unplayable { name: log.name().to_owned(), line: seq + 1, why }
}

/// The latest recorded moment up to a line, and which line it is of.
fn base(system: &System, log: &Log, upto: u64) -> Result<(u64, Box<dyn AnyTable>), OpenError> {
    let start = (system.start)(&log.header().setup())?;
    let floor = log.floor();
    // A snapshot holds the state and not the rules, and a fiat may change
    // those: behind a fiat, only a fold can be trusted.
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

/// The moment at which other rules took the log over.
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

/// Brings back what fiats before a line added to the rules, as far as they can
/// be repeated without the moments they belonged to, and what players were called.
pub(crate) fn repeat_fiats(game: &mut dyn AnyTable, log: &Log, before: u64) {
    for record in log.live().take_while(|record| record.seq < before) {
        if let Entry::Fiat(_) | Entry::Name(_) = &record.entry {
            // What is refused here changed a moment that is long past; the
            // snapshot that follows holds its effect on the state.
            let _ = play(game, &record.entry, false);
        }
    }
}

/// A snapshot's moment, where its bytes and its hash are right; of an earlier version of
/// the rules, where these can go on from it.
pub(crate) fn restored(start: &dyn AnyTable, snapshot: &Snapshot) -> Option<Box<dyn AnyTable>> {
    let mut game = start.again();
    let bytes = hex::read(&snapshot.bytes)?;
    if snapshot.version != game.version() {
        return game.restore_earlier(snapshot.version, &bytes, &snapshot.hash).ok().map(|()| game);
    }
    game.restore(&bytes).ok()?;
    (game.hash() == snapshot.hash).then_some(game)
}

/// Makes the move that a line records; `None` where it records no move.
pub(crate) fn play(game: &mut dyn AnyTable, entry: &Entry, show: bool) -> Result<Option<Step>, Refused> {
    match entry {
        Entry::Answer(it) => game.answer(it.seat(), session_id(it.ask), it.answer.get(), show).map(Some),
        Entry::Roll(it) => game.roll(&it.faces, show).map(Some),
        Entry::Fiat(it) => game.fiat(it.fiat.get(), show).map(Some),
        Entry::Name(it) => {
            // A seat that was rewound away since has no name.
            let _ = game.rename(it.seat, &it.name);
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// Gives a game the names of players and the standing replies that hold at the end of
/// the log.
///
/// They outlive rewinds. A reply that names what was rewound away is left out.
pub(crate) fn stand(game: &mut dyn AnyTable, log: &Log) {
    for sits in log.cast().iter().filter(|sits| sits.seat != Seat::Gm) {
        let _ = game.rename(sits.seat, &sits.name);
    }
    for (seat, reply) in game.standing() {
        let _ = game.stand(seat, &reply, false);
    }
    for Record { entry, .. } in log.records() {
        if let Entry::Standing(it) = entry {
            let _ = game.stand(it.seat, it.reply.get(), it.on);
        }
    }
}
