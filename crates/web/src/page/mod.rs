//! What people see, as HTML that escapes by default.
//!
//! The regions of a table's page are functions of a [`Glance`]: one viewer's
//! look at one moment. None of them knows a rule.

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
pub(crate) use papers::{Paperwork, Shelf, library, paper, papers, told_in};
pub(crate) use people::{LinkRow, People, TakenAlong, people};
pub(crate) use programs::{Nudges, Programs, programs};
pub(crate) use rules::{ReadFrom, clause, rule, rulebook};
pub(crate) use scene::{Picked, scene};
pub(crate) use story::{is_news, line, news, said, story};
pub(crate) use table::{Shown, head, table, whom};
pub(crate) use tools::tools;

use crate::{auth, room::Waited, sight::Surroundings};
use fracas_face::machine;
use fracas_kernel::{AskId, AskInfo, Duty, Now, Seat, SeatInfo, Viewer};
use fracas_table::{SeenBy, Table};
use maud::{Markup, html};

/// One viewer's look at one moment of a table.
#[derive(Clone, Copy)]
pub(crate) struct Glance<'t> {
    pub(crate) table: &'t Table,
    pub(crate) around: &'t Surroundings<'t>,
    pub(crate) who: Viewer,
    /// Open asks as this viewer calls them.
    pub(crate) asks: &'t [(AskId, String)],
    /// The roll that is due, as this viewer calls it.
    pub(crate) roll: Option<&'t str>,
    /// An ask, as this viewer calls it, and the group of its answers that they have
    /// opened.
    pub(crate) opened: Option<(&'t str, &'t Path)>,
    /// The last that happened before this viewer's eyes, as HTML.
    pub(crate) lately: &'t [String],
    /// The dice that fell before their eyes since they answered, as HTML.
    pub(crate) thrown: &'t [String],
    /// What others have said since this viewer answered, as HTML.
    pub(crate) spoken: &'t [String],
    /// What was said beside the answers that open asks of this viewer follow from.
    pub(crate) words: &'t [(AskId, String)],
}

impl<'t> Glance<'t> {
    /// What anybody may see of a table.
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
    /// What this viewer calls an ask.
    pub(crate) fn called(&self, id: AskId) -> Option<&str> {
        self.asks.iter().find(|(other, _)| *other == id).map(|(_, name)| name.as_str())
    }

    /// What was said beside the answer that an ask follows from.
    pub(crate) fn words(&self, id: AskId) -> Option<&str> {
        self.words.iter().find(|(other, _)| *other == id).map(|(_, words)| words.as_str())
    }

    /// Which group of an ask's answers is open.
    fn path(&self, called: &str) -> Path {
        self.opened.filter(|(ask, _)| *ask == called).map_or_else(Path::default, |(_, path)| path.clone())
    }

    /// The seats that an ask still waits for.
    pub(crate) fn awaited(&self, ask: &AskInfo) -> Vec<Seat> {
        let agreed = machine::agreed(self.table, ask);
        ask.who.seats().iter().filter(|seat| !agreed.contains(seat)).collect()
    }

    /// Whether this viewer says who comes in, and when play goes on.
    pub(crate) fn leads(&self) -> bool {
        self.around.settings.is_led_by(self.who)
    }

    /// The seat of this viewer.
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

    /// Whom play waits for, as this viewer may know: all that is told of it, on pages, to
    /// programs and to webhooks, comes from here.
    pub(crate) fn waited_for(&self) -> Vec<Seat> {
        match self.now() {
            Now::Over => Vec::new(),
            Now::Roll(roll) if SeenBy::from(roll.seen).by(self.who) && roll.whose != Seat::Chance => {
                vec![roll.whose]
            }
            Now::Roll(_) => vec![Seat::Gm],
            Now::Asks(asks) => {
                let mut seats: Vec<Seat> = Vec::new();
                for seat in self.holding(&asks).into_iter().flat_map(|(_, seats)| seats) {
                    if !seats.contains(&seat) {
                        seats.push(seat);
                    }
                }
                seats
            }
        }
    }

    /// The asks that hold play up, and of whom, as this viewer may know.
    ///
    /// Where chances to step in are all that is open, play waits until each is declined.
    /// That the gamemaster has one besides players is not told to others: what they know of
    /// would not say so. Once no player is left everybody can tell.
    pub(crate) fn holding<'a>(&self, asks: &'a [AskInfo]) -> Vec<(&'a AskInfo, Vec<Seat>)> {
        let holding = machine::holding(self.table.game(), asks);
        let open = holding.into_iter().map(|ask| (ask, self.awaited(ask)));
        let open: Vec<_> = open.filter(|(_, seats)| !seats.is_empty()).collect();
        let is_players = |(_, seats): &(&AskInfo, Vec<Seat>)| seats.iter().any(|seat| *seat != Seat::Gm);
        let quiet = !self.who.is_gm() && open.iter().any(is_players);
        let is_told = |it: &(&AskInfo, Vec<Seat>)| !quiet || it.0.duty == Duty::Must || is_players(it);
        open.into_iter().filter(is_told).collect()
    }

    /// Until when players among these may let the table wait for this, in seconds
    /// since 1970.
    pub(crate) fn until(&self, what: Waited, whom: impl IntoIterator<Item = Seat>) -> Option<i64> {
        let settings = self.around.settings;
        let is_player = |seat: Seat| matches!(seat, Seat::Player(_)) && !settings.bots.contains_key(&seat);
        let (deadline, since) = settings.deadline().zip(self.around.clock.since(what))?;
        let asked = !settings.paused && whom.into_iter().any(is_player);
        asked.then(|| since + deadline.as_secs() as i64)
    }

    /// A seat's player by name.
    pub(crate) fn name(&self, seat: Seat) -> String {
        name(self.table, seat)
    }

    /// Where this viewer's page stands.
    fn base(&self) -> String {
        base(self.table, self.who)
    }
}

/// What a table's encounter is about, in the words of its author, where this viewer may read
/// them.
fn summary(table: &Table, who: Viewer) -> Option<&str> {
    let header = table.log().header();
    let is_told = who.is_gm() || fracas_systems::tells_summary(&header.system, header.version);
    header.summary().filter(|_| is_told)
}

/// A seat's player by name.
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

/// Where a viewer's page of a table stands: relative to the table's own address,
/// which every page of it shares as its base.
fn base(table: &Table, who: Viewer) -> String {
    let id = table.log().name().trim_start_matches("table ");
    format!("/t/{id}/{}", auth::role_name(who))
}

/// With a large first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// `a, b and c`, as they stand within a sentence: each in its own direction of writing.
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
