//! A table as one viewer sees it at one moment, before anything is drawn.

use crate::clock::{Clock, Waited};
use crate::{auth, settings::Settings};
use fracas_face::machine;
use fracas_kernel::{AskId, AskInfo, Now, Seat, SeatInfo, Space, Stage, Viewer};
use fracas_store::{Member, TableId};
use fracas_table::{LineTo, Table};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tokio::time::Instant;

/// A table as one viewer sees it at one moment.
#[derive(Clone)]
pub struct Glance<'t> {
    /// The table.
    pub table: &'t Table,
    /// Its circumstances.
    pub around: &'t Surroundings<'t>,
    /// The viewer.
    pub who: Viewer,
    /// Open asks with this viewer's names for them.
    pub asks: &'t [(AskId, String)],
    /// This viewer's name for the roll that is due.
    pub roll: Option<&'t str>,
    /// The latest lines that this viewer saw, as HTML.
    pub lately: &'t [String],
    /// The dice that fell before this viewer's eyes since they answered, as HTML.
    pub thrown: &'t [String],
    /// The words of others since this viewer answered, as HTML.
    pub spoken: &'t [String],
    /// The last dice that fell before this viewer's eyes.
    pub fell: Option<&'t LineTo>,
    /// The last line that tells this viewer more than dice and counts.
    pub latest: Option<&'t LineTo>,
    /// The words beside the answers that led to open asks of this viewer.
    pub words: &'t [(AskId, String)],
    /// The table drawn, once it was asked for.
    pub drawn: OnceCell<Stage>,
}

impl<'t> Glance<'t> {
    /// The table as anybody may see it.
    pub fn outside(table: &'t Table, around: &'t Surroundings<'t>) -> Glance<'t> {
        let who = Viewer::Spectator;
        Glance {
            table,
            around,
            who,
            asks: &[],
            roll: None,
            lately: &[],
            thrown: &[],
            spoken: &[],
            fell: None,
            latest: None,
            words: &[],
            drawn: OnceCell::new(),
        }
    }
}

impl Glance<'_> {
    /// This viewer's name for an ask.
    pub fn called(&self, id: AskId) -> Option<&str> {
        self.asks.iter().find(|(other, _)| *other == id).map(|(_, name)| name.as_str())
    }

    /// The words beside the answer that led to an ask.
    pub fn words(&self, id: AskId) -> Option<&str> {
        self.words.iter().find(|(other, _)| *other == id).map(|(_, words)| words.as_str())
    }

    /// The seats that an ask still waits for.
    pub fn awaited(&self, ask: &AskInfo) -> Vec<Seat> {
        machine::awaited(self.table, ask)
    }

    /// Whether its characters can go on to another evening.
    pub fn goes_on(&self) -> bool {
        self.table.game().carry().is_some()
    }

    /// Whether this viewer admits people and resumes play.
    pub fn leads(&self) -> bool {
        self.around.settings.is_led_by(self.who)
    }

    /// This viewer's seat.
    pub fn seat(&self) -> Option<Seat> {
        match self.who {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        }
    }

    /// What is open, as this viewer may know it.
    pub fn now(&self) -> Now {
        self.table.game().now_to(self.who)
    }

    /// Whether play waits for this viewer.
    pub fn is_due(&self) -> bool {
        self.seat().is_some_and(|seat| self.waited_for().contains(&seat))
    }

    /// Whether play has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.table.game().now(), Now::Over)
    }

    /// Whether this viewer sees where the evening turned: the gamemaster always, others once play has ended, if
    /// they are told.
    pub fn sees_turns(&self) -> bool {
        let settings = self.around.settings;
        self.who.is_gm() || self.is_over() && (settings.told_turns || settings.may_tell_turns(self.who))
    }

    /// The seats that play waits for, as this viewer may know. Everything that pages,
    /// programs and webhooks tell about waiting comes from here.
    pub fn waited_for(&self) -> Vec<Seat> {
        machine::waited_for(self.table, self.who)
    }

    /// The table as this viewer is shown it: who acts and who is asked, in their places.
    pub fn stage(&self) -> &Stage {
        self.drawn.get_or_init(|| {
            let awaited = if self.around.settings.paused { Vec::new() } else { self.waited_for() };
            self.table.game().stage(self.who, &awaited)
        })
    }

    /// The asks that hold play up, each with the seats it waits for, as this viewer may
    /// know.
    pub fn holding<'a>(&self, asks: &'a [AskInfo]) -> Vec<(&'a AskInfo, Vec<Seat>)> {
        machine::holding_to(self.table, asks, self.who)
    }

    /// The earliest deadline of these seats for this, in seconds since 1970.
    pub fn until(&self, what: Waited, whom: impl IntoIterator<Item = Seat>) -> Option<i64> {
        let settings = self.around.settings;
        let is_player = |seat: Seat| matches!(seat, Seat::Player(_)) && !settings.bots.contains_key(&seat);
        let (deadline, since) = settings.deadline().zip(self.around.clock.since(what))?;
        let asked = !settings.paused && whom.into_iter().any(is_player);
        asked.then(|| since + deadline.as_secs() as i64)
    }

    /// The name of a seat's player.
    pub fn name(&self, seat: Seat) -> String {
        name(self.table, seat)
    }

    /// The address of this viewer's page.
    pub fn base(&self) -> String {
        format!("/t/{}/{}", self.around.id, auth::role_name(self.who))
    }
}

/// The circumstances of a table that are not in its log.
pub struct Surroundings<'r> {
    /// The table's id.
    pub id: &'r TableId,
    /// The settings.
    pub settings: &'r Settings,
    /// Open streams of each role.
    pub present: &'r BTreeMap<Viewer, usize>,
    /// The people at the door.
    pub knocking: &'r [Member],
    /// The seat whose machine repeats itself without progress.
    pub stuck: Option<Seat>,
    /// After a rewind: the machine waits until a person acts.
    pub held: bool,
    /// The machine waits until the first player has come in.
    pub unbegun: bool,
    /// Since when play waits for each thing.
    pub clock: &'r Clock,
    /// The space that somebody points everybody to.
    pub pointing: Option<Pointing>,
}

/// Somebody points everybody to a space of the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointing {
    /// Who points.
    pub seat: Seat,
    /// The space.
    pub space: Space,
    /// Since when.
    pub since: Instant,
}

/// The name of a seat's player; the gamemaster's is the word that the game has for them.
pub fn name(table: &Table, seat: Seat) -> String {
    let called = |info: &SeatInfo| match seat {
        Seat::Gm => format!("the {}", info.name),
        _ => info.name.clone(),
    };
    let seats = table.game().seats();
    match seats.iter().find(|info| info.seat == seat) {
        Some(info) => called(info),
        None => "the dice".to_owned(),
    }
}
