//! Whom the machine played and who was absent, kept in a small file beside the
//! log. Nothing is lost with it but that one is asked again.

use super::seats::{Seats, word};
use crate::files;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The most bytes of such a file that are read.
const MOST: u64 = 64 << 10;

/// `evening.fracas.seats.json` for `evening.fracas`.
fn beside(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(".seats.json");
    name.into()
}

/// What stands for a seat whose player is absent.
const ABSENT: &str = "absent";

/// What of who sat where is to be restored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// The machine's seats.
    Machine,
    /// Those for whom the gamemaster answers.
    Absent,
}

/// Seats the machine, or marks as absent, as it was before; whatever cannot be
/// read is left out.
pub(crate) fn seat(log: &Path, seats: &mut Seats, who: Who) {
    let path = beside(log);
    if files::fits(&path, MOST).is_err() {
        return;
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let kept: BTreeMap<String, String> = serde_json::from_str(&text).unwrap_or_default();
    for (seat, kind) in kept {
        // Who no longer sits here is nobody to seat.
        match (who, kind == ABSENT) {
            (Who::Machine, false) => drop(seats.machine(&format!("{seat}={kind}"))),
            (Who::Absent, true) => drop(seats.absent(&seat, true)),
            _ => {}
        }
    }
}

/// Keeps where the machine sits, and who is absent.
pub(crate) fn keep(log: &Path, seats: &Seats) {
    let path = beside(log);
    let mut played: BTreeMap<String, &str> =
        seats.played().into_iter().map(|(seat, kind)| (seat.to_string(), word(kind))).collect();
    played.extend(seats.away().map(|seat| (seat.to_string(), ABSENT)));
    // A folder that takes no such file is no reason not to play.
    let _ = if played.is_empty() {
        std::fs::remove_file(path)
    } else {
        std::fs::write(path, serde_json::json!(played).to_string() + "\n")
    };
}
