//! A whole table's log, played elsewhere or here, comes in as a table of its own.

use crate::{app::App, auth, hall::HallError, settings::Settings};
use fracas_kernel::{Fault, Faults};
use fracas_store::{Named, NewTable, TableId};
use fracas_table::{Log, MemoryStore, OpenError, Table, Verdict, verify};
use std::fmt::Display;
use tokio::sync::Semaphore;

/// The most bytes of a table's log.
pub(crate) const MAX_FILE: usize = 16 << 20;
/// The most times that something was taken back: each is played through.
const MAX_REWINDS: u64 = 4_000;
/// The most problems of a log that are told.
const TOLD: usize = 8;
/// Logs that are played through at once.
static ONE: Semaphore = Semaphore::const_new(1);

/// Keeps a log as a new table, once it has been played through and compared. One that
/// was taken in under this name before is not taken in again; see
/// [`Opened::named`](crate::hall::Opened::named).
///
/// # Errors
/// What is wrong with the log and where, as the faults of a setup are told; or
/// where it cannot be kept. Then there is no such table.
pub(crate) async fn take_in(
    app: &App,
    bytes: Vec<u8>,
    named: Option<Named>,
) -> Result<(TableId, Option<Named>), HallError> {
    let _one = ONE.acquire().await;
    if let Some(named) = &named
        && let Some((before, known)) = app.hall.before(named).await?
    {
        return Ok((before, Some(known)));
    }
    let read = tokio::task::spawn_blocking(move || read(bytes)).await?;
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
    app.db.take_in_table(table, text).await?;
    Ok((id, named))
}

/// What is wrong with a line, from 1; with the whole of the log, where that is 0.
fn fault(line: usize, what: impl ToString) -> Fault {
    Fault { file: "log".to_owned(), line, field: String::new(), what: what.to_string() }
}

/// The log in a file, played through as far as today's rules can, and whether a part of
/// it could not be verified; or what is wrong with it, and where.
fn read(bytes: Vec<u8>) -> Result<(Log, String, bool), Faults> {
    let number = |line: u64| usize::try_from(line).unwrap_or(usize::MAX);
    let one = |line: usize, what: &dyn Display| Faults(vec![fault(line, what)]);
    let line_after = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    if !bytes.starts_with(b"{\"seq\":0,") {
        return Err(one(0, &"it is no table's file: such a file begins with {\"seq\":0, and this does not"));
    }
    if !bytes.ends_with(b"\n") {
        let what = "it is cut off: the file is not whole, take it again from where it was kept";
        return Err(one(line_after(&bytes), &what));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        one(line_after(&error.as_bytes()[..good]), &"it is not text (UTF-8)")
    })?;
    let systems = fracas_systems::all();
    let log = Log::parse("the file", &text).map_err(|error| one(number(error.line), &error.what))?;
    if log.rewinds() > MAX_REWINDS {
        let what = format!("{} times something was taken back; the most is {MAX_REWINDS}", log.rewinds());
        return Err(one(0, &what));
    }
    let report = verify(&log, systems).map_err(|error| one(0, &error))?;
    if report.verdict() == Verdict::Damaged {
        let told = report.problems.iter().map(|problem| fault(number(problem.line), &problem.what));
        return Err(Faults(told.take(TOLD).collect()));
    }
    // What verifies also opens; of earlier rules not all does: better told now than later.
    let store = MemoryStore::holding(text.as_bytes());
    Table::upgrade(systems, Box::new(store)).map_err(|error| one(0, &error))?;
    Ok((log, text, report.verdict() == Verdict::NotVerified))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::Seat;
    use fracas_table::{Opening, Reader, chain};

    /// The log of a table at which something was taken back so often.
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
        assert!(read(with_rewinds(3)).is_ok(), "{:?}", read(with_rewinds(3)).err());
        let refused = read(with_rewinds(MAX_REWINDS + 1)).expect_err("too often");
        assert!(refused.to_string().contains("the most is 4000"), "{refused}");
    }
}
