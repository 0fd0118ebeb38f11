//! How a table stands, for a page that lists tables without opening them.

use fracas_kernel::{Seat, Viewer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How a table stands. It is saved when the table is put away, so listing opens no table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Left {
    pub(crate) over: bool,
    pub(crate) paused: bool,
    /// People's seats that are shown, each on its own page, that play waits for them.
    pub(crate) due: BTreeSet<Seat>,
    /// The names of people whom play waits for, as everybody may know.
    pub(crate) awaited: Vec<String>,
    /// When the last line came that everybody may read, in seconds since 1970.
    pub(crate) played: Option<i64>,
}

impl Left {
    /// Whether this role is shown that it is their move.
    pub(crate) fn is_due(&self, role: Viewer) -> bool {
        matches!(role, Viewer::Seat(seat) if self.due.contains(&seat))
    }
}
