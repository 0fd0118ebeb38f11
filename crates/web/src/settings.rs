//! What a server keeps of a table beside its log.

use fracas_kernel::Seat;
use fracas_sim::BotKind;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a server keeps of a table beside its log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    /// Seats that the machine plays.
    pub(crate) bots: BTreeMap<Seat, BotKind>,
    /// Seats whose dice the table throws without waiting to be told.
    pub(crate) throws: BTreeSet<Seat>,
    /// Somebody wanted a pause; the gamemaster resumes.
    pub(crate) paused: bool,
    /// Whether whoever comes by a link waits to be let in.
    pub(crate) door: Door,
}

/// Whether whoever comes by a link waits to be let in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Door {
    /// The gamemaster lets each in.
    #[default]
    Knock,
    /// Whoever has a link sits down at once.
    Open,
}

impl Settings {
    /// As kept; what cannot be read is as if it had never been said.
    pub(crate) fn read(text: &str) -> Settings {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// To be kept.
    pub(crate) fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
