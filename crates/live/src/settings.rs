//! A table's settings and state beside its log.

use crate::{left::Left, webhook::Webhook};
use fracas_kernel::{Seat, Viewer};
use fracas_sim::BotKind;
use fracas_store::TableId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A table's settings and state beside its log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The seats that the machine plays.
    pub bots: BTreeMap<Seat, BotKind>,
    /// The seats whose dice are thrown at once.
    pub throws: BTreeSet<Seat>,
    /// The seats for which the machine declines asks that gain them nothing.
    pub passes: BTreeSet<Seat>,
    /// Whether play is paused; the leader of the table resumes.
    pub paused: bool,
    /// Whether people who come by a link wait to be admitted.
    pub door: Door,
    /// The hash of the passphrase that links ask for.
    pub passphrase: Option<String>,
    /// The table's webhook.
    pub webhook: Option<Webhook>,
    /// The seats that the webhook has nudged: kept so that a restart repeats no nudge.
    pub nudged: BTreeSet<Seat>,
    /// How long a player may let the table wait, in seconds; `None` for ever.
    pub deadline: Option<u32>,
    /// How long the machine waits for players who may step in, in seconds.
    pub grace: Option<u32>,
    /// The table was imported, and a part of its log could not be run again: everybody is
    /// told that it is unverified.
    pub unverified: bool,
    /// The table of the next evening.
    pub next: Option<TableId>,
    /// The table that this is a branch of, and the line after which it goes on by itself.
    pub branch_of: Option<(TableId, u64)>,
    /// What spectators may do.
    pub watchers: Watchers,
    /// The player's seat from which the table is led, if its opener plays. The leader admits
    /// people, assigns seats to the machine and resumes play.
    pub host: Option<Seat>,
    /// The machine does nothing until the first player has come in.
    pub waits_for_players: bool,
    /// How far the gamemaster has counted each thing that the encounter says to count.
    pub tallies: Vec<u16>,
    /// Once play has ended, everybody is shown where the evening turned.
    pub told_turns: bool,
    /// How the table stood when it was put away; `None` while it is open.
    pub left: Option<Left>,
}

/// The default of [`Settings::grace`], in seconds.
pub const GRACE: u32 = 3;
/// The longest [`Settings::grace`], in seconds.
pub const SLOWEST: u32 = 120;
/// As far as the gamemaster counts.
pub const MOST_COUNTED: u16 = 999;
/// The longest deadline, in seconds: four weeks.
pub const LONGEST: u32 = 4 * 7 * 24 * 60 * 60;

/// Whether people who come by a link wait to be admitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Door {
    /// The gamemaster admits each person.
    #[default]
    Knock,
    /// A person with a link sits down at once.
    Open,
}

/// What spectators may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Watchers {
    /// They may pause, like everybody: the content of play reaches them too, and nobody
    /// should have to ask for a pause.
    #[default]
    MayPause,
    /// They may only watch: strangers among them could stop the table for fun.
    OnlyWatch,
}

/// Adds a role's seat, or removes it; chance goes with the gamemaster.
pub fn leave(seats: &mut BTreeSet<Seat>, role: Viewer, on: bool) {
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
    /// Whether this role admits people and resumes play.
    pub fn is_led_by(&self, role: Viewer) -> bool {
        role.is_gm() || self.host.is_some_and(|seat| role == Viewer::Seat(seat))
    }

    /// Whether this role may say who sees where an evening turned: the gamemaster, or the leader of a table whose
    /// gamemaster is the machine.
    pub fn may_tell_turns(&self, role: Viewer) -> bool {
        role.is_gm() || self.is_led_by(role) && self.bots.contains_key(&Seat::Gm)
    }

    /// How far a thing has been counted.
    pub fn counted(&self, nth: usize) -> u16 {
        self.tallies.get(nth).copied().unwrap_or(0)
    }

    /// Says how far a thing has been counted; at most [`MOST_COUNTED`].
    pub fn count(&mut self, nth: usize, at: u16) {
        if self.tallies.len() <= nth {
            self.tallies.resize(nth + 1, 0);
        }
        self.tallies[nth] = at.min(MOST_COUNTED);
    }

    /// How long a player may let the table wait.
    pub fn deadline(&self) -> Option<Duration> {
        self.deadline.map(|seconds| Duration::from_secs(seconds.into()))
    }

    /// How long the machine waits for players who may step in.
    pub fn grace(&self) -> Duration {
        Duration::from_secs(self.grace.unwrap_or(GRACE).into())
    }

    /// Reads saved settings.
    ///
    /// # Errors
    /// If they cannot be read: defaults would open a closed door.
    pub fn read(text: &str) -> Result<Settings, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The settings as saved.
    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gamemaster_says_who_sees_where_it_turned_or_who_leads_the_machines_table() {
        let (ana, bo) = (Seat::Player(0), Seat::Player(1));
        let mut settings = Settings { host: Some(ana), ..Settings::default() };
        let may = |settings: &Settings, seat| settings.may_tell_turns(Viewer::Seat(seat));
        assert!(may(&settings, Seat::Gm));
        assert!(!may(&settings, ana), "a person is the gamemaster, and keeps its secrets");
        settings.bots.insert(Seat::Gm, BotKind::Greedy);
        assert!(may(&settings, ana) && !may(&settings, bo));
        assert!(!settings.may_tell_turns(Viewer::Spectator));
    }
}
