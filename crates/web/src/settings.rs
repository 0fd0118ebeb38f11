//! What a server keeps of a table beside its log.

use crate::{left::Left, webhook::Webhook};
use fracas_kernel::{Seat, Viewer};
use fracas_sim::BotKind;
use fracas_store::TableId;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// What a server keeps of a table beside its log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    /// Seats that the machine plays.
    pub(crate) bots: BTreeMap<Seat, BotKind>,
    /// Seats whose dice the table throws without waiting to be told.
    pub(crate) throws: BTreeSet<Seat>,
    /// Seats for which the machine declines what gains them nothing.
    pub(crate) passes: BTreeSet<Seat>,
    /// Somebody wanted a pause; the leader of the table resumes.
    pub(crate) paused: bool,
    /// Whether whoever comes by a link waits to be let in.
    pub(crate) door: Door,
    /// What is kept of the passphrase that whoever comes by a link is asked for.
    pub(crate) passphrase: Option<String>,
    /// Where it is told for whom the table waits.
    pub(crate) webhook: Option<Webhook>,
    /// Who knows by it that the table waits for them: after a restart they know it still.
    pub(crate) nudged: BTreeSet<Seat>,
    /// How long a player may let the table wait, in seconds; for ever where not said.
    pub(crate) deadline: Option<u32>,
    /// How long the machine waits for whoever may step in, in seconds.
    pub(crate) grace: Option<u32>,
    /// It came in as a file, and a part of that could not be run again: everybody is
    /// told that it is not verified.
    pub(crate) unverified: bool,
    /// The table at which those who play here go on.
    pub(crate) next: Option<TableId>,
    /// What spectators may do.
    pub(crate) watchers: Watchers,
    /// The player's seat from which the table is led, where its opener plays: who
    /// comes in, which seats the machine plays, when play goes on.
    pub(crate) host: Option<Seat>,
    /// The machine does nothing until the first of those who play has come in.
    pub(crate) waits_for_players: bool,
    /// How it stood when it was put away; nothing while it is open.
    pub(crate) left: Option<Left>,
}

/// How long the machine waits for whoever may step in, in seconds, where nobody has said.
pub(crate) const GRACE: u32 = 3;
/// The longest that the machine may wait for them, in seconds.
pub(crate) const SLOWEST: u32 = 120;
/// The longest deadline, in seconds: four weeks.
pub(crate) const LONGEST: u32 = 4 * 7 * 24 * 60 * 60;

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

/// What spectators may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Watchers {
    /// Pause, as everybody may: what is played reaches them too, and nobody should have
    /// to ask for a pause.
    #[default]
    MayPause,
    /// Only watch: strangers may be among them, who would stop the table for fun.
    OnlyWatch,
}

/// Leaves something to the machine for a role, or not; the gamemaster's is chance's too.
pub(crate) fn leave(seats: &mut BTreeSet<Seat>, role: Viewer, on: bool) {
    let Viewer::Seat(seat) = role else { return };
    for seat in [Some(seat), (seat == Seat::Gm).then_some(Seat::Chance)].into_iter().flatten() {
        if on {
            seats.insert(seat);
        } else {
            seats.remove(&seat);
        }
    }
}

impl Settings {
    /// Whether somebody in this role says who comes in, and when play goes on.
    pub(crate) fn is_led_by(&self, role: Viewer) -> bool {
        role.is_gm() || self.host.is_some_and(|seat| role == Viewer::Seat(seat))
    }

    /// How long a player may let the table wait.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.deadline.map(|seconds| Duration::from_secs(seconds.into()))
    }

    /// How long the machine waits for whoever may step in.
    pub(crate) fn grace(&self) -> Duration {
        Duration::from_secs(self.grace.unwrap_or(GRACE).into())
    }

    /// As kept.
    ///
    /// # Errors
    /// Where that cannot be read: a door that was shut must not open for it.
    pub(crate) fn read(text: &str) -> Result<Settings, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// To be kept.
    pub(crate) fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
