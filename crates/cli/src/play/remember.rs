//! Whom the machine played, who was absent and who throws, kept in a small file
//! beside the log. Nothing is lost with it but that one is asked again.

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
    for (seat, kind) in kept(log).into_iter().filter(|(seat, _)| seat != DICE.0) {
        // Who no longer sits here is nobody to seat.
        match (who, kind == ABSENT) {
            (Who::Machine, false) => drop(seats.machine(&format!("{seat}={kind}"))),
            (Who::Absent, true) => drop(seats.absent(&seat, true)),
            _ => {}
        }
    }
}

/// Who threw the dice when somebody last sat here.
pub(crate) fn dice(log: &Path) -> Dice {
    if kept(log).get(DICE.0).is_some_and(|how| how == DICE.1) { Dice::Typed } else { Dice::Thrown }
}

/// Everything that is kept; nothing where it cannot be read.
fn kept(log: &Path) -> BTreeMap<String, String> {
    let path = beside(log);
    if files::fits(&path, MOST).is_err() {
        return BTreeMap::new();
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Keeps where the machine sits, who is absent, and who throws.
pub(crate) fn keep(log: &Path, seats: &Seats, dice: Dice) {
    let path = beside(log);
    let mut played: BTreeMap<String, &str> =
        seats.played().into_iter().map(|(seat, kind)| (seat.to_string(), word(kind))).collect();
    played.extend(seats.away().map(|seat| (seat.to_string(), ABSENT)));
    played.extend((dice == Dice::Typed).then(|| (DICE.0.to_owned(), DICE.1)));
    // A folder that takes no such file is no reason not to play.
    let _ = if played.is_empty() {
        std::fs::remove_file(path)
    } else {
        std::fs::write(path, serde_json::json!(played).to_string() + "\n")
    };
}
