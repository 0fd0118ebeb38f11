//! The pages, as HTML that escapes by default.
//!
//! The regions of a table's page are functions of a [`Glance`]: the table as one viewer sees
//! it at one moment. None of them knows a rule.

mod api;
mod ask;
mod board;
mod cast;
mod chart;
mod delete;
mod dice;
mod door;
mod forget;
mod home;
mod layout;
mod moment;
mod next;
mod odds;
mod overrule;
mod papers;
mod people;
mod programs;
mod qr;
mod rules;
mod scene;
mod story;
mod table;
mod tools;

pub(crate) use api::api;
pub(crate) use ask::{Path, choices};
pub(crate) use board::arranged;
pub(crate) use cast::cast;
pub(crate) use delete::{Deletion, deletion};
pub(crate) use door::{Knock, knock, waiting};
pub(crate) use forget::{Known, forget};
pub(crate) use home::{NOBODY, Offer, Place, Wanted, home, open};
pub(crate) use layout::{Note, Reason, Rule, WayOn, trouble};
pub(crate) use moment::{calls, moment};
pub(crate) use next::{Chosen, Evening, next};
pub(crate) use overrule::{Filled, Overrule, overrule};
pub(crate) use papers::{Paperwork, Shelf, in_form_words, library, paper, papers};
pub(crate) use people::{LinkRow, People, TakenAlong, people};
pub(crate) use programs::{Nudges, Programs, programs};
pub(crate) use rules::{ReadFrom, clause, rule, rulebook};
pub(crate) use scene::{Picked, scene};
pub(crate) use story::{is_news, line, news, said, story};
pub(crate) use table::{Shown, head, table, whom};
pub(crate) use tools::tools;

use crate::{auth, room::Waited, sight::Surroundings};
use fracas_face::machine;
use fracas_kernel::{AskId, AskInfo, Now, Seat, SeatInfo, Viewer};
use fracas_table::Table;
use maud::{Markup, html};

/// A table as one viewer sees it at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Glance<'t> {
    pub(crate) table: &'t Table,
    pub(crate) around: &'t Surroundings<'t>,
    pub(crate) who: Viewer,
    /// Open asks with this viewer's names for them.
    pub(crate) asks: &'t [(AskId, String)],
    /// This viewer's name for the roll that is due.
    pub(crate) roll: Option<&'t str>,
    /// An ask by this viewer's name for it, with the group of answers that they have opened.
    pub(crate) opened: Option<(&'t str, &'t Path)>,
    /// The latest lines that this viewer saw, as HTML.
    pub(crate) lately: &'t [String],
    /// The dice that fell before this viewer's eyes since they answered, as HTML.
    pub(crate) thrown: &'t [String],
    /// The words of others since this viewer answered, as HTML.
    pub(crate) spoken: &'t [String],
    /// The words beside the answers that led to open asks of this viewer.
    pub(crate) words: &'t [(AskId, String)],
}

impl<'t> Glance<'t> {
    /// The table as anybody may see it.
    pub(crate) fn outside(table: &'t Table, around: &'t Surroundings<'t>) -> Glance<'t> {
        let who = Viewer::Spectator;
        Glance {
            table,
            around,
            who,
            asks: &[],
            roll: None,
            opened: None,
            lately: &[],
            thrown: &[],
            spoken: &[],
            words: &[],
        }
    }
}

impl Glance<'_> {
    /// This viewer's name for an ask.
    pub(crate) fn called(&self, id: AskId) -> Option<&str> {
        self.asks.iter().find(|(other, _)| *other == id).map(|(_, name)| name.as_str())
    }

    /// The words beside the answer that led to an ask.
    pub(crate) fn words(&self, id: AskId) -> Option<&str> {
        self.words.iter().find(|(other, _)| *other == id).map(|(_, words)| words.as_str())
    }

    /// The open group of an ask's answers.
    fn path(&self, called: &str) -> Path {
        self.opened.filter(|(ask, _)| *ask == called).map_or_else(Path::default, |(_, path)| path.clone())
    }

    /// The seats that an ask still waits for.
    pub(crate) fn awaited(&self, ask: &AskInfo) -> Vec<Seat> {
        machine::awaited(self.table, ask)
    }

    /// Whether this viewer admits people and resumes play.
    pub(crate) fn leads(&self) -> bool {
        self.around.settings.is_led_by(self.who)
    }

    /// This viewer's seat.
    pub(crate) fn seat(&self) -> Option<Seat> {
        match self.who {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        }
    }

    /// What is open, as this viewer may know it.
    pub(crate) fn now(&self) -> Now {
        self.table.game().now_to(self.who)
    }

    /// Whether play waits for this viewer.
    pub(crate) fn is_due(&self) -> bool {
        self.seat().is_some_and(|seat| self.waited_for().contains(&seat))
    }

    /// Whether play has ended.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.table.game().now(), Now::Over)
    }

    /// The seats that play waits for, as this viewer may know. Everything that pages,
    /// programs and webhooks tell about waiting comes from here.
    pub(crate) fn waited_for(&self) -> Vec<Seat> {
        machine::waited_for(self.table, self.who)
    }

    /// The asks that hold play up, each with the seats it waits for, as this viewer may
    /// know.
    pub(crate) fn holding<'a>(&self, asks: &'a [AskInfo]) -> Vec<(&'a AskInfo, Vec<Seat>)> {
        machine::holding_to(self.table, asks, self.who)
    }

    /// The earliest deadline of these seats for this, in seconds since 1970.
    pub(crate) fn until(&self, what: Waited, whom: impl IntoIterator<Item = Seat>) -> Option<i64> {
        let settings = self.around.settings;
        let is_player = |seat: Seat| matches!(seat, Seat::Player(_)) && !settings.bots.contains_key(&seat);
        let (deadline, since) = settings.deadline().zip(self.around.clock.since(what))?;
        let asked = !settings.paused && whom.into_iter().any(is_player);
        asked.then(|| since + deadline.as_secs() as i64)
    }

    /// The name of a seat's player.
    pub(crate) fn name(&self, seat: Seat) -> String {
        name(self.table, seat)
    }

    /// The address of this viewer's page.
    fn base(&self) -> String {
        base(self.table, self.who)
    }
}

/// The author's summary of a table's encounter, if this viewer may read it.
fn summary(table: &Table, who: Viewer) -> Option<&str> {
    let header = table.log().header();
    let is_told = who.is_gm() || fracas_systems::tells_summary(&header.system, header.version);
    header.summary().filter(|_| is_told)
}

/// The name of a seat's player.
fn name(table: &Table, seat: Seat) -> String {
    let called = |info: &SeatInfo| match seat {
        Seat::Gm => "the gamemaster".to_owned(),
        _ => info.name.clone(),
    };
    let seats = table.game().seats();
    match seats.iter().find(|info| info.seat == seat) {
        Some(info) => called(info),
        None => "the dice".to_owned(),
    }
}

/// The address of a viewer's page of a table, relative to the table's own address, which all
/// its pages have as their base.
fn base(table: &Table, who: Viewer) -> String {
    let id = table.log().name().trim_start_matches("table ");
    format!("/t/{id}/{}", auth::role_name(who))
}

/// The text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// Names as `a, b and c` for a sentence; each keeps its own direction of writing.
fn names(names: &[String]) -> Markup {
    html! {
        @for (n, name) in names.iter().enumerate() {
            @if n > 0 { @if n + 1 == names.len() { " and " } @else { ", " } }
            bdi { (name) }
        }
    }
}

/// `a, b and c`.
fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
