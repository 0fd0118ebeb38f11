//! A file beside the log that keeps the seats of bots, the absent players, who throws the dice,
//! whether the screen is cleared between seats, and what people wait at. Without the file all seats are played by
//! hand.

use crate::seats::{Seats, word};
use crate::{args::Dice, files};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most bytes that such a file may have.
const MOST: u64 = 64 << 10;

/// `evening.fracas.seats.json` for `evening.fracas`.
fn beside(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(".seats.json");
    name.into()
}

/// The value for a seat whose player is absent.
const ABSENT: &str = "absent";
/// The key for who throws the dice, and the value for typed dice.
const DICE: (&str, &str) = ("dice", "typed");
/// The key for whether the screen is cleared between seats.
const HANDOVER: &str = "handover";
/// The key for the kinds of asks that people have put off until `wait off`.
const WAIT: &str = "wait";

/// Which of the kept seats to restore.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// Seats that bots played.
    Machine,
    /// Seats whose players were absent.
    Absent,
}

/// The content of the file.
#[derive(Debug, Default)]
pub(crate) struct Kept(BTreeMap<String, String>);

impl Kept {
    /// Restores the bots or the absent players. Entries that cannot be read are ignored.
    pub(crate) fn seat(&self, seats: &mut Seats, who: Who) {
        for (seat, kind) in &self.0 {
            // Players who have left are ignored, and so are keys that name no seat.
            match (who, kind == ABSENT) {
                (Who::Machine, false) => drop(seats.machine(&format!("{seat}={kind}"))),
                (Who::Absent, true) => drop(seats.absent(seat, true)),
                _ => {}
            }
        }
    }

    /// Who threw the dice.
    pub(crate) fn dice(&self) -> Dice {
        if self.0.get(DICE.0).is_some_and(|how| how == DICE.1) { Dice::Typed } else { Dice::Thrown }
    }

    /// The kinds of asks that people had put off.
    pub(crate) fn quiet(&self) -> Vec<String> {
        self.0.get(WAIT).map_or_else(Vec::new, |kinds| kinds.split(' ').map(str::to_owned).collect())
    }

    /// Whether the screen was cleared between seats, if the file says.
    pub(crate) fn handover(&self) -> Option<bool> {
        self.0.get(HANDOVER).map(|how| how == "yes")
    }
}

/// Reads the file beside a log; nothing if that fails.
pub(crate) fn kept(log: &Path) -> Kept {
    let path = beside(log);
    if files::fits(&path, MOST).is_err() {
        return Kept::default();
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    Kept(serde_json::from_str(&text).unwrap_or_default())
}

/// Writes the file beside a log.
pub(crate) fn keep(log: &Path, seats: &Seats, dice: Dice, handover: bool, quiet: &[String]) {
    let path = beside(log);
    let quiet = quiet.join(" ");
    let mut played: BTreeMap<String, &str> =
        seats.played().into_iter().map(|(seat, kind)| (seat.to_string(), word(kind))).collect();
    played.extend(seats.away().map(|seat| (seat.to_string(), ABSENT)));
    played.extend((dice == Dice::Typed).then(|| (DICE.0.to_owned(), DICE.1)));
    played.extend(handover.then(|| (HANDOVER.to_owned(), "yes")));
    played.extend((!quiet.is_empty()).then(|| (WAIT.to_owned(), quiet.as_str())));
    // Play goes on if the file cannot be written.
    let _ = if played.is_empty() {
        std::fs::remove_file(path)
    } else {
        files::write(&path, serde_json::json!(played).to_string() + "\n", true).map_err(std::io::Error::other)
    };
}
