//! Whom the machine played, who was absent, who throws, and whether the table is hidden
//! between seats, kept in a small file beside the log. Without it everybody is by hand.

use super::seats::{Seats, word};
use crate::{args::Dice, files};
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
/// Where it stands who throws, beside the seats, and what for real dice.
const DICE: (&str, &str) = ("dice", "typed");
/// Where it stands whether the table is hidden between seats.
const HANDOVER: &str = "handover";

/// What of who sat where is to be restored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// The machine's seats.
    Machine,
    /// Those for whom the gamemaster answers.
    Absent,
}

/// What is kept of how somebody last sat here.
#[derive(Debug, Default)]
pub(crate) struct Kept(BTreeMap<String, String>);

impl Kept {
    /// Seats the machine, or marks as absent, as it was before; whatever cannot be
    /// read is left out.
    pub(crate) fn seat(&self, seats: &mut Seats, who: Who) {
        for (seat, kind) in &self.0 {
            // Who no longer sits here is nobody to seat, and no other line names a seat.
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

    /// Whether the table was hidden between seats, where that was said.
    pub(crate) fn handover(&self) -> Option<bool> {
        self.0.get(HANDOVER).map(|how| how == "yes")
    }
}

/// Everything that is kept beside a log; nothing where it cannot be read.
pub(crate) fn kept(log: &Path) -> Kept {
    let path = beside(log);
    if files::fits(&path, MOST).is_err() {
        return Kept::default();
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    Kept(serde_json::from_str(&text).unwrap_or_default())
}

/// Keeps where the machine sits, who is absent, who throws, and whether the table is
/// hidden between seats.
pub(crate) fn keep(log: &Path, seats: &Seats, dice: Dice, handover: bool) {
    let path = beside(log);
    let mut played: BTreeMap<String, &str> =
        seats.played().into_iter().map(|(seat, kind)| (seat.to_string(), word(kind))).collect();
    played.extend(seats.away().map(|seat| (seat.to_string(), ABSENT)));
    played.extend((dice == Dice::Typed).then(|| (DICE.0.to_owned(), DICE.1)));
    played.extend(handover.then(|| (HANDOVER.to_owned(), "yes")));
    // A folder that takes no such file is no reason not to play.
    let _ = if played.is_empty() {
        std::fs::remove_file(path)
    } else {
        files::write(&path, &(serde_json::json!(played).to_string() + "\n"), true)
            .map_err(std::io::Error::other)
    };
}
