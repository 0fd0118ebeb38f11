//! Who is at a table, and the links by which they come.

use super::{capital, layout, layout::Note, names, qr};
use crate::{
    auth,
    settings::{Door, Watchers},
};
use fracas_kernel::Viewer;
use fracas_store::{Hash, Member, Pass, PassKind, Standing};
use maud::{Markup, html};

/// A link or token as the page of people lists it.
pub(crate) struct LinkRow {
    pub(crate) pass: Pass,
    /// What it is for, in words.
    pub(crate) what: String,
}

/// What goes with somebody who is turned out.
#[derive(Default)]
pub(crate) struct TakenAlong {
    /// The link by which they came.
    came_by: bool,
    /// Other links.
    links: usize,
    tokens: usize,
}

impl TakenAlong {
    /// What of these links and tokens goes with whom.
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

    /// In words; nothing where nothing goes along.
    fn told(&self) -> Option<String> {
        let count = |n: usize, one: &str| match n {
            0 => None,
            1 => Some(format!("a {one} that they made")),
            n => Some(format!("{n} {one}s that they made")),
        };
        let came = self.came_by.then(|| "the link by which they came".to_owned());
        let all: Vec<String> =
            [came, count(self.links, "link"), count(self.tokens, "token")].into_iter().flatten().collect();
        (!all.is_empty()).then(|| format!("also takes back {}", super::and(&all)))
    }
}

/// Who is at the table, and the links by which they come.
pub(crate) struct People<'p> {
    pub(crate) base: &'p str,
    pub(crate) title: &'p str,
    /// Every seat, with its player and whom they play.
    pub(crate) seats: &'p [(Viewer, String)],
    /// Every role, as somebody is to come in.
    pub(crate) parts: &'p [(Viewer, String)],
    pub(crate) members: &'p [Member],
    /// What goes with each who may be turned out.
    pub(crate) goes: &'p [((Hash, Viewer), TakenAlong)],
    pub(crate) watchers: Watchers,
    pub(crate) links: &'p [LinkRow],
    pub(crate) door: Door,
    /// Whether whoever comes by a link is asked for a passphrase.
    pub(crate) locked: bool,
    /// Whether the gamemaster looks, or somebody who leads the table and plays.
    pub(crate) is_gm: bool,
    /// What starts this server again, where nobody else can reach this machine.
    pub(crate) near: Option<&'p str>,
    /// Whether links for the gamemaster are made here.
    pub(crate) to_lead: bool,
    /// Links just made, each with whom it is for: shown this once.
    pub(crate) fresh: &'p [(String, String)],
    pub(crate) note: &'p Note,
}

impl People<'_> {
    /// Those who have this standing.
    fn who(&self, standing: Standing) -> Vec<&Member> {
        self.members.iter().filter(|member| member.standing == standing).collect()
    }

    /// What a role is called.
    fn called(&self, role: Viewer) -> String {
        let seat = self.parts.iter().find(|(other, _)| *other == role);
        seat.map_or_else(|| "spectator".to_owned(), |(_, name)| name.clone())
    }
}

/// The page on which it is decided who comes in: there whoever decides stays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Decided {
    AtTable,
    AmongPeople,
}

/// Somebody, with what can be decided about them.
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

/// Who waits at the door, to be let in or not.
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

/// The page of people.
pub(crate) fn people(it: &People<'_>) -> Markup {
    let base = it.base;
    layout::page(
        "People and links",
        "plain",
        html! {
            main .sheet {
                p { a href=(base) { "← " bdi { (it.title) } } }
                h1 { "People and links" }
                (it.note.show())
                (fresh(it))
                noscript { p { a href={ (base) "/people" } { "Look again" } } }
                (door(it))
                h2 { "Invite" }
                (invite(it))
                h2 { "Here" }
                (inside(it))
                (rules(it))
                (links(it))
                p .quiet { a href={ (base) "/delete" } { "Delete this table" } }
            }
        },
    )
}

/// Links just made.
fn fresh(it: &People<'_>) -> Markup {
    html! {
        @for (n, (role, link)) in it.fresh.iter().enumerate() {
            @let id = if n == 0 { "fresh".to_owned() } else { format!("fresh-{n}") };
            div .fresh role="status" {
                p { "Anybody who opens this link comes in as " b { bdi { (role) } } ". It is shown once." }
                p .row { input #(id) value=(link) readonly aria-label={ "The link for " (role) }; button type="button" data-copy={ "#" (id) } { "Copy" } }
                (qr::code(link))
            }
        }
    }
}

/// Who waits, and who was turned away.
fn door(it: &People<'_>) -> Markup {
    let called = |role: Viewer| it.called(role);
    let (waiting, refused) = (it.who(Standing::Waiting), it.who(Standing::Refused));
    html! {
        // The script looks again by itself.
        div #door .stack role="status" data-again={ (it.base) "/people" } {
            @if !waiting.is_empty() {
                h2 { "At the door" }
                (at_door(it.base, Decided::AmongPeople, waiting, called))
            }
        }
        @if !refused.is_empty() {
            h2 { "Turned away" }
            @for member in refused {
                (verdict(it.base, member, html! { ", to be " bdi { (it.called(member.role)) } }, Decided::AmongPeople, html! {
                    button name="in" value="yes" { "Let in after all" }
                }))
            }
        }
    }
}

/// That nobody else can reach this machine, and what to type so that they can: options
/// after the command that starts this server again.
pub(super) fn near(command: &str) -> Markup {
    html! {
        div .near {
            p { b { "Only this machine can open its links so far." } " For friends, end the server (Ctrl-C) and start it again in the same folder; tables and papers stay as they are." }
            @for (id, whom, option) in [
                ("near-lan", "In the same network", "--lan"),
                ("near-base", "Elsewhere, by a name of yours", "--base-url https://play.example.org"),
            ] {
                @let command = format!("{command} {option}");
                p .row { label for=(id) { (whom) } input #(id) value=(command) readonly spellcheck="false"; button type="button" data-copy={ "#" (id) } { "Copy" span .sr { ": " (command) } } }
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

fn invite(it: &People<'_>) -> Markup {
    let one = html! { button name="kind" value="invite" { "Make a link" } };
    let each = html! { button .go name="kind" value="invite" { "A link for each" } };
    let leads = it.who(Standing::Admitted).iter().filter(|member| member.role.is_gm()).count();
    html! {
        @if let Some(command) = it.near { (near(command)) }
        p .soft { "One link a seat; several people may share a seat, and one person may use several devices." }
        (link(it.base, "players", "Everybody who plays", each))
        @for (role, name) in it.seats.iter().filter(|(role, _)| !role.is_gm()) {
            (link(it.base, &auth::role_name(*role), &capital(name), one.clone()))
        }
        @if it.to_lead { (link(it.base, "gm", if it.is_gm { "Gamemaster, on another device" } else { "Gamemaster" }, one)) }
        @if !it.is_gm { p .soft { "Anybody who comes in by a link to your own seat leads this table as you do." } }
        @if it.is_gm && leads < 2 {
            p .soft { "Only this browser leads the table. Where it is lost the table is too, unless another device of yours came in by that link, or the table was kept as a file." }
        }
    }
}

/// Who is in.
fn inside(it: &People<'_>) -> Markup {
    html! {
        ul { @for member in it.who(Standing::Admitted) {
            @let role = html! { ", " bdi { (it.called(member.role)) } };
            @let goes = it.goes.iter().find(|(whom, _)| *whom == (member.browser, member.role));
            @let along = goes.and_then(|(_, along)| along.told());
            li {
                @if member.pass.is_some() {
                    (verdict(it.base, member, role, Decided::AmongPeople, html! {
                        button name="in" value="no" { "Turn out" }
                        @if let Some(along) = along { span .soft { (along) } }
                    }))
                } @else { b { bdi { (member.name) } } (role) }
            }
        } }
        @if !it.goes.is_empty() { p .soft { "Others who came in by these links stay." } }
    }
}

/// What whoever comes by a link is asked for.
fn rules(it: &People<'_>) -> Markup {
    html! {
        form .row method="post" action={ (it.base) "/door" } {
            @if it.door == Door::Knock {
                span { "Whoever comes by a link waits until you let them in." }
                button name="door" value="open" { "Let everybody in at once" }
            } @else {
                span { "Whoever comes by a link sits down at once." }
                button name="door" value="knock" { "Let me decide" }
            }
        }
        form .row method="post" action={ (it.base) "/watchers" } {
            @if it.watchers == Watchers::MayPause {
                span { "Spectators can pause the table." }
                button name="pause" value="no" { "Only those who play" }
            } @else {
                span { "Spectators cannot pause the table." }
                button name="pause" value="yes" { "Let them pause it too" }
            }
        }
        form .row method="post" action={ (it.base) "/passphrase" } {
            @if it.locked { span { "Whoever comes by a link is asked for the passphrase." } }
            label { @if it.locked { "Another one" } @else { "A passphrase for whoever comes by a link" }
                input type="text" name="passphrase" minlength="4" maxlength="200" autocomplete="off" spellcheck="false" required; }
            button { "Set it" }
        }
        @if it.locked {
            form .row method="post" action={ (it.base) "/passphrase" } {
                span { "Whoever is inside stays." }
                button name="passphrase" value="" { "Ask for none" }
            }
        }
    }
}

/// The links there are.
fn links(it: &People<'_>) -> Markup {
    let here: Vec<String> = it.who(Standing::Admitted).iter().map(|member| member.name.clone()).collect();
    html! {
        @if !it.links.is_empty() {
            h2 { "Links" }
            @for row in it.links {
                form .row method="post" action={ (it.base) "/revoke" } {
                    input type="hidden" name="hash" value=(auth::written(&row.pass.hash));
                    span dir="auto" .struck[row.pass.revoked.is_some()] { (row.what) }
                    @if row.pass.revoked.is_none() { button { "Take back" } } @else { span .soft { "taken back" } }
                }
            }
        }
        @if here.len() > 1 { p .soft { "With you: " (names(&here)) "." } }
    }
}
