//! Golden playthroughs: a whole game played by a seed, kept as a log.

use crate::{MemoryStore, OpenError, Opening, PlayError, Seed, Table, Throw, dice};
use fracas_kernel::{Now, Seat, Setup, System, Viewer, Who};
use std::{fs, io, path::Path};

/// Plays a system for a number of answers and rolls, and returns the log.
///
/// Every choice is one of the listed answers, drawn from the seed; all seats of a joint ask
/// give the same answer. The same system, setup and seed give the same bytes on every
/// machine, so a log kept in a repository shows what a change to rules, words or format has
/// changed.
///
/// # Errors
/// If the setup is faulty, or the game refuses what it has listed.
pub fn playthrough(system: &System, setup: &Setup, seed: Seed, moves: u64) -> Result<String, OpenError> {
    let store = MemoryStore::new();
    let opening =
        Opening { label: "a golden playthrough".to_owned(), seed: Some(seed), ..Opening::default() };
    let mut table = Table::create(system, setup, opening, Box::new(store.clone()))?;
    for n in 0..moves {
        match table.game().now() {
            Now::Over => break,
            Now::Roll(_) => {
                table.roll(Seat::Gm, Throw::Dice)?;
            }
            Now::Asks(asks) => {
                let Some(ask) = asks.first() else { break };
                let listed = table.game().legal(ask.id, Viewer::Seat(Seat::Gm));
                let Some(answer) = listed.get(dice::pick(seed, n, listed.len())) else {
                    return Err(PlayError::Replay(format!("nothing is listed for {}", ask.kind)).into());
                };
                let seats: Vec<Seat> = match ask.who {
                    Who::All(seats) => seats.iter().collect(),
                    who => who.seats().iter().take(1).collect(),
                };
                for seat in seats {
                    table.answer(seat, None, ask.id, &answer.answer, None)?;
                }
            }
        }
    }
    table.close()?;
    String::from_utf8(store.bytes()).map_err(|e| PlayError::Replay(e.to_string()).into())
}

/// Compares a playthrough with the file kept of it. With `FRACAS_GOLDEN=write` the file is
/// written instead.
///
/// # Errors
/// The first line that differs, or the system's error about the file.
pub fn compare(path: &Path, log: &str) -> io::Result<()> {
    if std::env::var("FRACAS_GOLDEN").is_ok_and(|how| how == "write") {
        return fs::write(path, log);
    }
    let kept = fs::read_to_string(path).map_err(|e| {
        io::Error::new(e.kind(), format!("{}: {e}; FRACAS_GOLDEN=write makes it", path.display()))
    })?;
    let (mut was, mut is) = (kept.lines(), log.lines());
    for line in 1.. {
        match (was.next(), is.next()) {
            (None, None) => break,
            (was, is) if was == is => {}
            (was, is) => {
                return Err(io::Error::other(format!(
                    "{}:{line}: the playthrough differs\n  was: {}\n  is:  {}\n\
                     look whether it should; FRACAS_GOLDEN=write keeps the new one",
                    path.display(),
                    was.unwrap_or("(at its end)"),
                    is.unwrap_or("(at its end)"),
                )));
            }
        }
    }
    Ok(())
}
