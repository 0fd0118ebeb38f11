//! How a table stands, for a page that lists tables and opens none of them.

use fracas_kernel::{Seat, Viewer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How a table stands; kept when it is put away, so that listing it opens nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Left {
    pub(crate) over: bool,
    pub(crate) paused: bool,
    /// People's seats that are told, each on its own page, that play waits for them.
    pub(crate) due: BTreeSet<Seat>,
    /// The people whom play waits for by name, as everybody may know.
    pub(crate) awaited: Vec<String>,
    /// When a line last came that everybody may read, in seconds since 1970.
    pub(crate) played: Option<i64>,
}

impl Left {
    /// Whether somebody in this role is told that it is their move.
    pub(crate) fn is_due(&self, role: Viewer) -> bool {
        matches!(role, Viewer::Seat(seat) if self.due.contains(&seat))
    }
}
