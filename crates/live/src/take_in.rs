//! Importing a table's log, from this server or another, as a new table.

use crate::hall::{Hall, HallError};
use crate::origin::{From, TooOften};
use crate::{auth, ending::ends, settings::Settings};
use fracas_kernel::{Fault, Faults};
use fracas_store::{Named, NewTable, TableId};
use fracas_table::{Log, MemoryStore, OpenError, Table, Verdict, verify};
use std::sync::{Arc, Mutex, PoisonError};
use std::{collections::HashMap, fmt::Display, thread};
use tokio::sync::{Semaphore, oneshot, watch};

/// The most bytes of a table's log.
pub const MAX_FILE: usize = 16 << 20;
/// The most rewinds in a log: each is played through.
const MAX_REWINDS: u64 = 4_000;
/// One rewind is allowed for each of this many lines.
const LINES_A_REWIND: usize = 10;
/// One line is allowed for each of this many bytes.
const BYTES_A_LINE: usize = 256;
/// The most problems of a log that are reported.
const TOLD: usize = 8;
/// Logs that are being imported or wait for that.
const INSIDE: usize = 6;
/// The most of them from one address.
const INSIDE_FROM: usize = 2;
/// After how many seconds to try again if the queue is full.
const AGAIN: TooOften = TooOften(10);

/// The limits on an imported log.
#[derive(Clone, Copy, Debug)]
struct Most {
    lines: usize,
    rewinds: u64,
}

impl Most {
    /// The limits for a log of up to this many bytes.
    fn of(bytes: usize) -> Most {
        let lines = bytes / BYTES_A_LINE;
        Most { lines, rewinds: MAX_REWINDS.min((lines / LINES_A_REWIND) as u64) }
    }
}

/// The message for a log with too many bytes.
pub fn too_large(most: usize) -> String {
    let message = format!("a table's file may have {} KB here", most / 1024);
    match most {
        MAX_FILE => message,
        _ => format!(
            "{message}, and {} MB from the gamemaster of a table that was opened here an hour ago or earlier",
            MAX_FILE >> 20
        ),
    }
}

/// The queue of imports. Logs are imported one at a time; a few wait, and fewer from one
/// address.
pub struct Queue {
    turn: Semaphore,
    ending: watch::Receiver<bool>,
    inside: Arc<Mutex<HashMap<From, usize>>>,
}

impl Queue {
    /// A queue that lasts until the server ends.
    pub fn new(ending: watch::Receiver<bool>) -> Queue {
        Queue { turn: Semaphore::new(1), ending, inside: Arc::default() }
    }

    /// Takes a place in the queue, which is free again when the result is dropped.
    fn enter(&self, from: From) -> Result<Place, TooOften> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let here = inside.get(&from).copied().unwrap_or(0);
        if here >= INSIDE_FROM || inside.values().sum::<usize>() >= INSIDE {
            return Err(AGAIN);
        }
        inside.insert(from, here + 1);
        Ok(Place { inside: self.inside.clone(), from })
    }
}

/// A place in the queue.
struct Place {
    inside: Arc<Mutex<HashMap<From, usize>>>,
    from: From,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        match inside.get_mut(&self.from) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(inside.remove(&self.from)),
        }
    }
}

/// Runs work on a thread of low priority. The server does not wait for the thread when it
/// ends.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, HallError> {
    let (done, result) = oneshot::channel();
    let begun = thread::Builder::new().name("fracas-aside".to_owned()).spawn(move || {
        // On systems whose threads have no priority of their own, the thread runs like any
        // other.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::setpriority_process(None, 10);
        let _ = done.send(work());
    });
    begun.map_err(|_| HallError::Broken)?;
    result.await.map_err(|_| HallError::Broken)
}

/// Keeps a log as a new table once it has been played through and compared. A log that was
/// imported under this name before is not imported again; see
/// [`Opened::named`](crate::hall::Opened::named).
///
/// # Errors
/// If the log has faults, which come with their lines, or cannot be kept. Then there is no
/// such table.
pub async fn take_in(
    queue: &Queue,
    hall: &Hall,
    from: From,
    (bytes, most): (Vec<u8>, usize),
    named: Option<Named>,
) -> Result<(TableId, Option<Named>), HallError> {
    let _place = queue.enter(from).map_err(HallError::TooOften)?;
    let mut ending = queue.ending.clone();
    tokio::select! {
        taken = taken(queue, hall, bytes, Most::of(most), named) => taken,
        () = ends(&mut ending) => Err(HallError::Ending),
    }
}

async fn taken(
    queue: &Queue,
    hall: &Hall,
    bytes: Vec<u8>,
    most: Most,
    named: Option<Named>,
) -> Result<(TableId, Option<Named>), HallError> {
    let _turn = queue.turn.acquire().await;
    if let Some(named) = &named
        && let Some((before, known)) = hall.before(named).await?
    {
        return Ok((before, Some(known)));
    }
    let read = aside(move || read(bytes, most)).await?;
    let (log, text, unverified) = read.map_err(|faults| HallError::Open(OpenError::Setup(faults)))?;
    let id = auth::new_table_id().ok_or(HallError::Chance)?;
    let table = NewTable {
        id: id.clone(),
        system: log.header().system.clone(),
        title: log.header().title.clone(),
        opened: auth::now(),
        settings: Settings { unverified, ..Settings::default() }.write(),
        named,
    };
    hall.keep(table, text).await?;
    Ok((id, named))
}

/// A fault in a line, from 1, or in the whole log if `line` is 0.
fn fault(line: usize, what: impl ToString) -> Fault {
    Fault { file: "log".to_owned(), line, field: String::new(), what: what.to_string() }
}

/// Plays the log in a file through as far as today's rules can. Returns the log, its title
/// and whether a part could not be verified; or the faults with their lines.
fn read(bytes: Vec<u8>, most: Most) -> Result<(Log, String, bool), Faults> {
    let number = |line: u64| usize::try_from(line).unwrap_or(usize::MAX);
    let refused = |line: usize, what: &dyn Display| Faults(vec![fault(line, what)]);
    let line_after = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    if !bytes.starts_with(b"{\"seq\":0,") {
        return Err(refused(
            0,
            &"it is no table's file: such a file begins with {\"seq\":0, and this does not",
        ));
    }
    if !bytes.ends_with(b"\n") {
        let what = "it is cut off: the file is not whole, take it again from where it was kept";
        return Err(refused(line_after(&bytes), &what));
    }
    let lines = line_after(&bytes) - 1;
    if lines > most.lines {
        return Err(refused(0, &format!("it has {lines} lines; the most here is {}", most.lines)));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        refused(line_after(&error.as_bytes()[..good]), &"it is not text (UTF-8)")
    })?;
    let systems = fracas_systems::all();
    let log = Log::parse("the file", &text).map_err(|error| refused(number(error.line), &error.what))?;
    if log.rewinds() > most.rewinds {
        let (times, most) = (log.rewinds(), most.rewinds);
        let what = format!("{times} times something was taken back; the most here is {most}");
        return Err(refused(0, &what));
    }
    let report = verify(&log, systems).map_err(|error| refused(0, &error))?;
    if report.verdict() == Verdict::Damaged {
        let faults = report.problems.iter().map(|problem| fault(number(problem.line), &problem.what));
        return Err(Faults(faults.take(TOLD).collect()));
    }
    // Not every log of earlier rules that verifies can be opened: better to say so now.
    let store = MemoryStore::holding(text.as_bytes());
    Table::upgrade(systems, Box::new(store)).map_err(|error| refused(0, &error))?;
    Ok((log, text, report.verdict() == Verdict::NotVerified))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::Seat;
    use fracas_table::{Opening, Reader, chain};

    /// The log of a table with this many rewinds.
    fn with_rewinds(times: u64) -> Vec<u8> {
        let system = &fracas_systems::all()[0];
        let setup = fracas_systems::setups(system).expect("they are TOML").remove(0);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.fracas");
        let store = fracas_table::FileStore::create(&path).expect("a file");
        let mut table = Table::create(system, &setup, Opening::default(), Box::new(store)).expect("a table");
        table.note(Seat::Gm, Reader::All, "It begins.").expect("a note");
        drop(table);
        let mut text = std::fs::read_to_string(&path).expect("its text");
        let first = text.lines().count() as u64;
        let to = first - 1;
        for seq in first..first + times {
            let line = format!("{{\"seq\":{seq},\"rewind\":{{\"to\":{to},\"by\":\"gm\"}}}}\n");
            text.push_str(&line);
        }
        chain::renewed(&text).into_bytes()
    }

    #[test]
    fn what_was_taken_back_too_often_is_not_played_through() {
        let many = Most::of(MAX_FILE);
        let taken = read(with_rewinds(3), many);
        assert!(taken.is_ok(), "{:?}", taken.err());
        let refused = read(with_rewinds(MAX_REWINDS + 1), many).expect_err("too often");
        assert!(refused.to_string().contains("the most here is 4000"), "{refused}");
    }

    #[test]
    fn of_somebody_unknown_fewer_lines_are_played_through() {
        let few = Most::of(1 << 20);
        assert_eq!((few.lines, few.rewinds), (4_096, 409));
        let refused = read(with_rewinds(410), few).expect_err("too often").to_string();
        assert!(refused.contains("the most here is 409"), "{refused}");
        let refused = read(with_rewinds(5_000), few).expect_err("too long").to_string();
        assert!(refused.contains("lines; the most here is 4096"), "{refused}");
        let messages = [too_large(1 << 20), too_large(MAX_FILE)];
        assert_eq!(messages[1], "a table's file may have 16384 KB here");
        assert!(
            messages[0].starts_with("a table's file may have 1024 KB here, and 16 MB from"),
            "{}",
            messages[0]
        );
    }

    #[test]
    fn few_wait_and_of_one_address_fewer() {
        let (_end, ending) = watch::channel(false);
        let queue = Queue::new(ending);
        let from = |n: u8| From::of([192, 0, 2, n].into());
        let mut inside: Vec<Place> = (0..9).filter_map(|_| queue.enter(from(1)).ok()).collect();
        assert_eq!(inside.len(), INSIDE_FROM);
        inside.extend((2..99).filter_map(|n| queue.enter(from(n)).ok()));
        assert_eq!(inside.len(), INSIDE);
        inside.remove(0);
        assert!(queue.enter(from(1)).is_ok() && queue.enter(from(2)).is_ok());
    }

    #[test]
    fn the_proxy_of_the_guide_lets_the_longest_log_through() {
        // As JSON, a log may be twice as long.
        let size = format!("client_max_body_size {}m;", (2 * MAX_FILE) >> 20);
        assert!(include_str!("../../../docs/hosting.md").contains(&size), "{size}");
    }
}
