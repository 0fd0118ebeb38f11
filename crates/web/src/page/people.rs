//! The page of people: who is at a table, and the links by which they come.

use super::layout::{self, Note};
use super::qr;
use super::words::{capital, names};
use fracas_kernel::{Seat, Viewer};
use fracas_live::auth;
use fracas_live::settings::{Door, Watchers};
use fracas_store::{Hash, Member, Pass, PassKind, Standing};
use maud::{Markup, html};

/// A link or token in the list of the page.
pub(crate) struct LinkRow {
    pub(crate) pass: Pass,
    /// The link's purpose, in words.
    pub(crate) what: String,
}

/// The links and tokens that a removed person loses.
#[derive(Default)]
pub(crate) struct TakenAlong {
    /// Whether the link by which they came is among them.
    came_by: bool,
    /// The number of other links.
    links: usize,
    tokens: usize,
}

impl TakenAlong {
    /// The links and tokens among these that the member loses.
    pub(crate) fn of<'p>(member: &Member, passes: impl Iterator<Item = &'p Pass>) -> TakenAlong {
        let mut along = TakenAlong::default();
        for pass in passes {
            match pass.kind {
                PassKind::Invite if member.pass == Some(pass.hash) => along.came_by = true,
                PassKind::Invite => along.links += 1,
                PassKind::Read | PassKind::Play => along.tokens += 1,
            }
        }
        along
    }

    /// The loss in words; `None` if there is none.
    fn in_words(&self) -> Option<String> {
        let count = |n: usize, noun: &str| match n {
            0 => None,
            1 => Some(format!("a {noun} that they made")),
            n => Some(format!("{n} {noun}s that they made")),
        };
        let came = self.came_by.then(|| "the link by which they came".to_owned());
        let all: Vec<String> =
            [came, count(self.links, "link"), count(self.tokens, "token")].into_iter().flatten().collect();
        (!all.is_empty()).then(|| format!("also takes back {}", super::words::and(&all)))
    }
}

/// The people at the table, and the links by which they come.
pub(crate) struct People<'p> {
    pub(crate) base: &'p str,
    pub(crate) title: &'p str,
    /// Every seat, with its player and their character.
    pub(crate) seats: &'p [(Viewer, String)],
    /// Every role, with its name in an invitation.
    pub(crate) parts: &'p [(Viewer, String)],
    pub(crate) members: &'p [Member],
    /// What each person who can be removed loses.
    pub(crate) goes: &'p [((Hash, Viewer), TakenAlong)],
    pub(crate) watchers: Watchers,
    pub(crate) links: &'p [LinkRow],
    pub(crate) door: Door,
    /// Whether links ask for a passphrase.
    pub(crate) locked: bool,
    /// Whether the viewer is the gamemaster, and not a player who leads the table.
    pub(crate) is_gm: bool,
    /// The command that starts this server again, if no other machine can reach it.
    pub(crate) near: Option<&'p str>,
    /// Whether links for the gamemaster are made here.
    pub(crate) to_lead: bool,
    /// Links just made, each with its role. They are shown this once.
    pub(crate) fresh: &'p [(String, String)],
    pub(crate) note: &'p Note,
}

impl People<'_> {
    /// The members with this standing.
    fn who(&self, standing: Standing) -> Vec<&Member> {
        self.members.iter().filter(|member| member.standing == standing).collect()
    }

    /// The name of a role.
    fn called(&self, role: Viewer) -> String {
        let seat = self.parts.iter().find(|(other, _)| *other == role);
        seat.map_or_else(|| "spectator".to_owned(), |(_, name)| name.clone())
    }
}

/// The page that an admit form is submitted from; the response leads back to it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Decided {
    AtTable,
    AmongPeople,
}

/// A person, with the decisions about them.
fn verdict(base: &str, member: &Member, role: Markup, decided: Decided, buttons: Markup) -> Markup {
    let at_table = decided == Decided::AtTable;
    html! {
        form .row method="post" action={ (base) "/admit" } data-act[at_table] {
            @if at_table { input type="hidden" name="from" value="table"; }
            input type="hidden" name="browser" value=(auth::written(&member.browser));
            input type="hidden" name="role" value=(auth::role_name(member.role));
            span { b { bdi { (member.name) } } (role) }
            (buttons)
        }
    }
}

/// The people at the door, with buttons to admit or refuse them.
pub(super) fn at_door<'m>(
    base: &str,
    decided: Decided,
    waiting: impl IntoIterator<Item = &'m Member>,
    called: impl Fn(Viewer) -> String,
) -> Markup {
    html! {
        @for member in waiting {
            (verdict(base, member, html! { ", to be " bdi { (called(member.role)) } }, decided, html! {
                button .go name="in" value="yes" { "Let in" }
                button name="in" value="no" { "Turn away" }
            }))
        }
    }
}

pub(crate) fn people(people: &People<'_>) -> Markup {
    let base = people.base;
    layout::page(
        "People and links",
        "plain",
        html! {
            main .sheet {
                p { a href=(base) { "← " bdi { (people.title) } } }
                h1 { "People and links" }
                (people.note.show())
                (fresh(people))
                noscript { p { a href={ (base) "/people" } { "Look again" } } }
                (door(people))
                h2 { "Invite" }
                (invite(people))
                h2 { "Here" }
                (inside(people))
                (rules(people))
                (links(people))
                p .quiet { a href={ (base) "/delete" } { "Delete this table" } }
            }
        },
    )
}

/// Links just made.
fn fresh(people: &People<'_>) -> Markup {
    html! {
        @for (n, (role, link)) in people.fresh.iter().enumerate() {
            @let id = if n == 0 { "fresh".to_owned() } else { format!("fresh-{n}") };
            div .fresh role="status" {
                p { "Anybody who opens this link comes in as " b { bdi { (role) } } ". It is shown once." }
                p .row { input #(id) value=(link) readonly aria-label={ "The link for " (role) }; button type="button" data-copy={ "#" (id) } { "Copy" } }
                (qr::code(link))
            }
        }
        @if people.fresh.len() > 1 {
            div .fresh .all {
                textarea #fresh-all readonly rows=(people.fresh.len()) spellcheck="false" aria-label="All links" {
                    @for (role, link) in people.fresh { (capital(role)) ": " (link) "\n" }
                }
                button type="button" data-copy="#fresh-all" { "Copy all" }
            }
        }
    }
}

/// The people who wait, and those who were refused.
fn door(people: &People<'_>) -> Markup {
    let called = |role: Viewer| people.called(role);
    let (waiting, refused) = (people.who(Standing::Waiting), people.who(Standing::Refused));
    html! {
        // The script reloads this by itself.
        div #door .stack role="status" data-again={ (people.base) "/people" } {
            @if !waiting.is_empty() {
                h2 { "At the door" }
                (at_door(people.base, Decided::AmongPeople, waiting, called))
            }
        }
        @if !refused.is_empty() {
            h2 { "Turned away" }
            @for member in refused {
                (verdict(people.base, member, html! { ", to be " bdi { (people.called(member.role)) } }, Decided::AmongPeople, html! {
                    button name="in" value="yes" { "Let in after all" }
                }))
            }
        }
    }
}

/// About as many letters of a command stand in a line.
const COMMAND: usize = 50;

/// That no other machine can reach this one, and the options to add to the command that
/// starts this server, so that others can.
pub(super) fn near(command: &str) -> Markup {
    html! {
        div .near {
            p { b { "Only this machine can open its links so far." } " For friends, end the server (Ctrl-C) and start it again in the same folder; tables and papers stay as they are." }
            @for (id, whom, option) in [
                ("near-lan", "In the same network", "--lan"),
                ("near-base", "Elsewhere, by a name of yours", "--base-url https://play.example.org"),
            ] {
                @let command = format!("{command} {option}");
                p .row { label for=(id) { (whom) } textarea #(id) readonly spellcheck="false" rows=(1 + command.len() / COMMAND) { (command) } button type="button" data-copy={ "#" (id) } { "Copy" span .sr { ": " (command) } } }
            }
        }
    }
}

/// A form that makes links for a role.
fn link(base: &str, role: &str, whom: &str, button: Markup) -> Markup {
    html! {
        form .row method="post" action={ (base) "/links" } {
            input type="hidden" name="role" value=(role);
            span { bdi { (whom) } }
            (button)
        }
    }
}

fn invite(people: &People<'_>) -> Markup {
    let single = html! { button name="kind" value="invite" { "Make a link" } };
    let each = html! { button .go name="kind" value="invite" { "A link for each" } };
    let leads = people.who(Standing::Admitted).iter().filter(|member| member.role.is_gm()).count();
    html! {
        @if let Some(command) = people.near { (near(command)) }
        p .soft { "One link a seat; several people may share a seat, and one person may use several devices." }
        (link(people.base, "players", "Everybody who plays", each))
        @for (role, name) in people.seats.iter().filter(|(role, _)| !role.is_gm()) {
            (link(people.base, &auth::role_name(*role), &capital(name), single.clone()))
        }
        @if people.to_lead {
            @let gm = capital(&people.called(Viewer::Seat(Seat::Gm)));
            (link(people.base, "gm", &if people.is_gm { format!("{gm}, on another device") } else { gm }, single))
        }
        @if !people.is_gm { p .soft { "Anybody who comes in by a link to your own seat leads this table as you do." } }
        @if people.is_gm && leads < 2 {
            p .soft { "Only this browser leads the table. Where it is lost the table is too, unless another device of yours came in by that link, or the table was kept as a file." }
        }
    }
}

/// The people who are in.
fn inside(people: &People<'_>) -> Markup {
    html! {
        ul { @for member in people.who(Standing::Admitted) {
            @let role = html! { ", " bdi { (people.called(member.role)) } };
            @let goes = people.goes.iter().find(|(whom, _)| *whom == (member.browser, member.role));
            @let along = goes.and_then(|(_, along)| along.in_words());
            li {
                @if member.pass.is_some() {
                    (verdict(people.base, member, role, Decided::AmongPeople, html! {
                        button name="in" value="no" { "Turn out" }
                        @if let Some(along) = along { span .soft { (along) } }
                    }))
                } @else { b { bdi { (member.name) } } (role) }
            }
        } }
        @if !people.goes.is_empty() { p .soft { "Others who came in by these links stay." } }
    }
}

/// The passphrase that links ask for.
fn rules(people: &People<'_>) -> Markup {
    html! {
        form .row method="post" action={ (people.base) "/door" } {
            @if people.door == Door::Knock {
                span { "People who come by a link wait until you let them in." }
                button name="door" value="open" { "Let everybody in at once" }
            } @else {
                span { "People who come by a link sit down at once." }
                button name="door" value="knock" { "Let me decide" }
            }
        }
        form .row method="post" action={ (people.base) "/watchers" } {
            @if people.watchers == Watchers::MayPause {
                span { "Spectators can pause the table." }
                button name="pause" value="no" { "Only those who play" }
            } @else {
                span { "Spectators cannot pause the table." }
                button name="pause" value="yes" { "Let them pause it too" }
            }
        }
        form .row method="post" action={ (people.base) "/passphrase" } {
            @if people.locked { span { "People who come by a link are asked for the passphrase." } }
            label { @if people.locked { "Another one" } @else { "A passphrase for people who come by a link" }
                input type="text" name="passphrase" minlength="4" maxlength="200" autocomplete="off" spellcheck="false" required; }
            button { "Set it" }
        }
        @if people.locked {
            form .row method="post" action={ (people.base) "/passphrase" } {
                span { "People who are inside stay." }
                button name="passphrase" value="" { "Ask for none" }
            }
        }
    }
}

/// The list of links.
fn links(people: &People<'_>) -> Markup {
    let here: Vec<String> = people.who(Standing::Admitted).iter().map(|member| member.name.clone()).collect();
    html! {
        @if !people.links.is_empty() {
            h2 { "Links" }
            @for row in people.links {
                form .row method="post" action={ (people.base) "/revoke" } {
                    input type="hidden" name="hash" value=(auth::written(&row.pass.hash));
                    span dir="auto" .struck[row.pass.revoked.is_some()] { (row.what) }
                    @if row.pass.revoked.is_none() { button { "Take back" } } @else { span .soft { "taken back" } }
                }
            }
        }
        @if here.len() > 1 { p .soft { "With you: " (names(&here)) "." } }
    }
}
