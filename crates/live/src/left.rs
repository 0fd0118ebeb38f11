//! How a table stands, for lists of tables that open none, and for webhooks.

use fracas_kernel::{Seat, Viewer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How a table stands. It is saved when the table is put away, so listing opens no table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Left {
    /// Whether play has ended.
    pub over: bool,
    /// Whether play is paused.
    pub paused: bool,
    /// People's seats that are shown, each on its own page, that play waits for them.
    pub due: BTreeSet<Seat>,
    /// The names of people whom play waits for, as everybody may know.
    pub awaited: Vec<String>,
    /// When the last line came that everybody may read, in seconds since 1970.
    pub played: Option<i64>,
}

impl Left {
    /// Whether this role is shown that it is their move.
    pub fn is_due(&self, role: Viewer) -> bool {
        matches!(role, Viewer::Seat(seat) if self.due.contains(&seat))
    }
}

/// The seats that a table waits for, as everybody may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waits {
    /// People's seats; the machine's are left out.
    pub seats: Vec<Seat>,
    /// The names of their players.
    pub names: Vec<String>,
    /// Which of these have the table open.
    pub here: Vec<Seat>,
}

impl Waits {
    /// The same, limited to these seats.
    pub(crate) fn only(&self, seats: &[Seat]) -> Waits {
        let kept = || self.seats.iter().zip(&self.names).filter(|(seat, _)| seats.contains(seat));
        Waits {
            seats: kept().map(|(seat, _)| *seat).collect(),
            names: kept().map(|(_, name)| name.clone()).collect(),
            ..self.clone()
        }
    }
}

/// A table's progress, as everybody may know.
pub struct Come {
    /// How many lines everybody may read.
    pub lines: usize,
    /// Whether play has ended.
    pub over: bool,
}
