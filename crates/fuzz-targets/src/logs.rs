//! Logs: reading, verifying, replaying, opening and playing on.

use crate::edits::{edit, edited};
use crate::evening::{act, evening};
use crate::tables::{small, viewers};
use fracas_kernel::{Seat, SeatSet, Viewer};
use fracas_sim::Chance;
use fracas_suite::Bytes;
use fracas_table::{
    Contents, Detail, LineTo, Log, MemoryStore, PlayError, Report, Store, Table, chain, verify,
};
use std::sync::LazyLock;

/// Logs of each system.
const EVENINGS: u64 = 3;
/// Things done at each of their tables.
const ACTS: u32 = 40;
/// The most rewinds of one input: each is replayed.
const REWINDS: u64 = 12;
/// Things done at a table that opens.
const MORE: u32 = 4;

/// Logs of random play.
static LOGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let all = fracas_systems::all().iter();
    let evenings = |system| (1..=EVENINGS).map(move |seed| evening(system, &small(system), seed, ACTS));
    all.flat_map(evenings).collect()
});

/// Reads any log: nothing panics. A log that verifies opens in the state that verifying
/// found, and can be played on, closed and opened again.
///
/// If the first byte is 0, the rest is the log itself; otherwise it picks a log of random
/// play, which the rest changes. The second byte then decides about the hashes: they stay,
/// are computed anew as a forger would, or are removed.
pub fn logs(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let pick = usize::from(bytes.byte());
    if pick == 0 {
        return read(bytes.rest());
    }
    let hashes = bytes.byte() % 4;
    let changed = edited(&LOGS[(pick - 1) % LOGS.len()], &mut bytes);
    match (hashes, std::str::from_utf8(&changed)) {
        (1 | 2, Ok(text)) => read(chain::renewed(text).as_bytes()),
        (3, Ok(text)) => read(chain::stripped(text).as_bytes()),
        _ => read(&changed),
    }
}

/// Damages a log of random play in one place: it is refused, cut, or shows exactly the same
/// to every viewer.
///
/// The first byte picks the log, the rest the change.
pub fn damage(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let whole = &LOGS[usize::from(bytes.byte()) % LOGS.len()];
    let mut damaged = whole.as_bytes().to_vec();
    edit(&mut damaged, &mut bytes);
    if let Some((log, report)) = sound(&damaged) {
        same_as_far_as_it_goes(whole, &log, &report);
    }
}

/// The log in these bytes and its report, if everything in it was replayed and found sound.
fn sound(bytes: &[u8]) -> Option<(Log, Report)> {
    let held = held(bytes)?;
    let log = Log::parse("damaged", &held.text).ok()?;
    let report = verify(&log, fracas_systems::all()).ok()?;
    report.sound().then_some((log, report))
}

/// Checks that a log shows the same as the first lines of the original.
#[track_caller]
fn same_as_far_as_it_goes(whole: &str, log: &Log, report: &Report) {
    let cut: String = whole.split_inclusive('\n').take(log.records().len()).collect();
    let cut = Log::parse("cut", &cut).expect("whole lines of a log are a log");
    for who in everybody() {
        let (said, says): (Vec<LineTo>, Vec<LineTo>) =
            (cut.lines_to(who).collect(), log.lines_to(who).collect());
        assert_eq!(says, said, "sound, and says something else to {who}");
        assert_eq!(
            log.story(who, Detail::Everything),
            cut.story(who, Detail::Everything),
            "sound, and its story for {who} is another"
        );
    }
    let hash = verify(&cut, fracas_systems::all()).expect("it can be played").hash;
    assert_eq!(report.hash, hash, "sound, and leads elsewhere");
}

/// Every viewer who may ever read a log.
fn everybody() -> impl Iterator<Item = Viewer> {
    let players = (0..SeatSet::PLAYERS).map(|n| Viewer::Seat(Seat::Player(n)));
    players.chain([Viewer::Seat(Seat::Gm), Viewer::Spectator])
}

/// What a store reads from these bytes.
fn held(bytes: &[u8]) -> Option<Contents> {
    MemoryStore::holding(bytes).read().ok()
}

/// Reads a log in every possible way.
fn read(bytes: &[u8]) {
    let log = held(bytes).and_then(|held| Log::parse("the log", &held.text).ok());
    let store = MemoryStore::holding(bytes);
    let Some(log) = log else {
        assert!(Table::open(fracas_systems::all(), Box::new(store)).is_err(), "no log, and it opens");
        return;
    };
    if log.rewinds() > REWINDS {
        return;
    }
    for who in everybody() {
        log.lines_to(who).for_each(drop);
        drop(log.story(who, Detail::Everything));
    }
    let report = verify(&log, fracas_systems::all()).ok();
    drop(Table::upgrade(fracas_systems::all(), Box::new(MemoryStore::holding(bytes))));
    let opened = Table::open(fracas_systems::all(), Box::new(store.clone()));
    match opened {
        Ok(table) => {
            let sound = report.filter(Report::sound);
            // A log may be cut before an answer that follows by itself: opening the table gives it.
            let is_as_cut = table.log().next() == log.next();
            if let Some(report) = sound.as_ref().filter(|_| is_as_cut) {
                assert_eq!(Some(table.game().hash()), report.hash, "opened elsewhere than verifying leads");
            }
            play_on(table, store, sound.is_some());
        }
        Err(error) => {
            assert!(!report.is_some_and(|report| report.sound()), "verifies, and does not open: {error}")
        }
    }
}

/// Plays on, and opens the table once more. Lines of an unsound log before its last
/// snapshot need not be playable, so play does not go back to them.
fn play_on(mut table: Table, store: MemoryStore, sound: bool) {
    let mut chance = Chance::new(table.log().next(), 1);
    for _ in 0..MORE {
        match act(&mut table, &mut chance) {
            Err(PlayError::Replay(_)) if !sound => {}
            done => done.expect("it can be played on"),
        }
    }
    let (hash, who) = (table.game().hash(), viewers(table.game()));
    let views: Vec<_> = who.iter().map(|&who| table.game().view(who)).collect();
    table.close().expect("memory has room");
    let again = Table::open(fracas_systems::all(), Box::new(store)).expect("what was closed opens");
    assert_eq!(again.game().hash(), hash, "opened elsewhere than it was closed");
    let shown: Vec<_> = who.iter().map(|&who| again.game().view(who)).collect();
    assert_eq!(shown, views, "opened, and shows something else");
}
