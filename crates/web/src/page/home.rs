//! The front page: the viewer's tables, and a new one.

use super::layout::{Note, page, page_of};
use super::scenery;
use super::words::{and, capital, names};
use fracas_kernel::{About, Kind, OptionOf, Rulebook, Seat, System, Viewer};
use fracas_live::{left::Left, opening};
use fracas_store::Paper;
use fracas_systems::{Encounter, for_players};
use fracas_table::Cast;
use maud::{Markup, html};

/// A table where this browser has a place.
pub(crate) struct Place {
    pub(crate) href: String,
    pub(crate) title: String,
    pub(crate) system: String,
    pub(crate) role: Viewer,
    pub(crate) name: String,
    pub(crate) waits_at_door: bool,
    /// When the table was last played or opened.
    pub(crate) dated: String,
    /// How the table stands, if that is known and the person was admitted.
    pub(crate) left: Option<Left>,
    /// If deleted, until when the table can be restored.
    pub(crate) deleted: Option<String>,
}

pub(crate) fn home(
    places: &[Place],
    systems: &[(System, Vec<Encounter>)],
    own: &[Paper],
    note: &Note,
) -> Markup {
    page(
        "Your tables",
        "plain home",
        html! {
            main .sheet .wide {
                h1 .brand { "Fracas" }
                p .lead { "Plays the conflicts of tabletop role-playing games exactly as their rules say." }
                p { a .button href="/papers" { "Your papers" } " " span .soft { "characters, foes and encounters of your own" } }
                (note.show())
                @if let (true, Some(first)) = (places.is_empty(), systems.iter().flat_map(|(_, all)| all).find(|encounter| encounter.begin)) {
                    (welcome(first))
                }
                @if !places.is_empty() {
                    h2 { "Your tables" }
                    p .soft { "This server knows you by this browser. While you have it, make a link for another device of yours at each table (People and links)." }
                    ul .places {
                        @for place in places {
                            li { a .place href=(place.href) {
                                b { bdi { (place.title) } }
                                (stands(place))
                                @match &place.deleted {
                                    Some(until) => span .soft { "Deleted; you can restore it until " (until) },
                                    None => span .soft { (place.system) " · " @if place.role.is_gm() { "gamemaster" } @else { bdi { (place.name) } } " · " (place.dated) },
                                }
                            } }
                        }
                    }
                }
                h2 { "Open a table" }
                p .soft { "Lead it, play in it, or play alone with machines. No account is needed: each friend gets a link." }
                @for (system, encounters) in systems {
                    section .system {
                        h3 { ((system.rulebook)().title) }
                        p .soft { (fracas_systems::introduction(system).about) }
                        ul .places {
                            @for paper in own.iter().filter(|paper| paper.system == system.id) {
                                li { a .place href={ "/papers/" (paper.id) "/open" } {
                                    b { bdi { (paper.name) } }
                                    span .soft { "Your own encounter" }
                                } }
                            }
                            @for encounter in encounters {
                                li { a .place href={ "/open/" (system.id) "/" (encounter.id) } {
                                    img .cover src={ "/assets/covers/" (system.id) "/" (encounter.id) ".svg" } alt="" loading="lazy" width="300" height="100";
                                    b { (encounter.title) }
                                    @if encounter.begin { span .chip .now { "Begin here" } }
                                    @if !encounter.about.summary.is_empty() { span .soft { (encounter.about.summary) } }
                                    span .soft { (for_players(encounter.players, encounter.about.minutes)) }
                                } }
                            }
                            li { a .place href={ "/scene/" (system.id) } {
                                b { "A blank scene" }
                                span .soft { "Pick who is there; the rest comes in play." }
                            } }
                        }
                    }
                }
                h2 { "Bring a table back" }
                p .soft { "Go on with a table from its file. You become its gamemaster." }
                form method="post" action="/take-in" enctype="multipart/form-data" {
                    input type="file" name="file" required aria-label="A table's file" accept=".fracas,application/x-ndjson,application/json,text/plain";
                    button { "Take it in" }
                }
                p .quiet { a href="/forget" { "Forget this device" } }
            }
        },
    )
}

/// How a table stands, for a person who has a place there.
fn stands(place: &Place) -> Markup {
    html! {
        @if place.waits_at_door { span .chip { "You wait to be let in" } }
        @if let Some(left) = &place.left {
            @if left.over { span .chip { "Over" } }
            @else if left.paused { span .chip { "Paused" } }
            @else if left.is_due(place.role) { span .chip .now { "Your move" } }
            @else if !left.awaited.is_empty() { span .chip { "Waits for " (names(&left.awaited)) } }
        }
    }
}

/// Leads a newcomer to a first encounter.
fn welcome(first: &Encounter) -> Markup {
    html! {
        section .welcome aria-labelledby="welcome" {
            (scenery::picture(&first.title, &first.about, first.system))
            div {
                h2 #welcome { "New here? Start with " (first.title) "." }
                p { (first.about.summary) }
                p .row {
                    a .button .go href={ "/open/" (first.system) "/" (first.id) } { "Begin" }
                    @if let Some(minutes) = first.about.minutes { (minutes) " minutes, alone or with friends" }
                }
            }
        }
    }
}

/// An encounter that a table can be opened with.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    /// The address that its form is sent to.
    pub(crate) action: String,
    pub(crate) title: String,
    pub(crate) about: About,
    /// The page to go back to.
    pub(crate) back: String,
}

/// The filled-in form of a new table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) title: String,
    /// Options that differ from the game's defaults.
    pub(crate) options: Vec<(String, String)>,
    /// The seats that the machine plays.
    pub(crate) bots: Vec<String>,
    /// Seats, each with its player's name.
    pub(crate) players: Vec<(String, String)>,
    /// The seat from which the table is led; see [`NOBODY`].
    pub(crate) me: String,
    /// The name of a person who plays alone.
    pub(crate) name: String,
    /// The seat of a person who plays alone.
    pub(crate) alone: Option<String>,
}

/// Stands for a seat if the person plays none and sees what the gamemaster sees.
pub(crate) const NOBODY: &str = "nobody";

/// The form of a new table. `near` is the command that starts this server again, if no other
/// machine can reach it.
pub(crate) fn open(
    system: &System,
    offer: &Offer,
    seats: &[Cast],
    wanted: &Wanted,
    near: Option<&str>,
    note: &Note,
) -> Markup {
    let book = (system.rulebook)();
    let players = seats.iter().filter(|sits| sits.seat != Seat::Gm).count();
    page_of(
        Some(system.id),
        &offer.title,
        "plain desk",
        html! {
            main .sheet {
                div .cover { (scenery::picture(&offer.title, &offer.about, system.id)) }
                p { a href=(offer.back) { @if offer.back == "/" { "← Fracas" } @else { "← Back to it" } } }
                p .kicker { (book.title) }
                h1 { (offer.title) }
                @if !offer.about.summary.is_empty() { p .lead { (offer.about.summary) } }
                @if !seats.is_empty() { p .soft { (for_players(players, None)) " and a gamemaster" @if let Some(minutes) = offer.about.minutes { ", about " (minutes) " minutes" } "." } }
                (note.show())
                // A form of its own: Enter in a field below opens a table for everybody.
                @if !seats.is_empty() {
                    form .alone method="post" action=(offer.action) {
                        h2 { "Play alone" }
                        p .soft { "Machines do the rest. You are in at once." }
                        label { "What are you called?"
                            input name="name" maxlength=(opening::NAME) value=(wanted.name) placeholder="Your name" autocomplete="nickname"; }
                        p .soft { "I play" }
                        div .row {
                            @for sits in players_first(seats) {
                                button name="alone" value=(sits.seat) {
                                    @if let Some(name) = sits.plays.first().filter(|_| sits.seat != Seat::Gm) { (scenery::emblem(name, &format!("play-{}", sits.seat))) }
                                    (whom(sits))
                                }
                            }
                        }
                    }
                    h2 { "Or with friends" }
                }
                form method="post" action=(offer.action) {
                    label { "What is the table called?"
                        input name="title" maxlength=(opening::TITLE) value=(if wanted.title.is_empty() { &offer.title } else { &wanted.title }); }
                    @if let Some(command) = near { (super::people::near(command)) }
                    @if !seats.is_empty() {
                        fieldset .picks {
                            legend { "I play" }
                            @for sits in seats {
                                @let seat = sits.seat.to_string();
                                label .check { input type="radio" name="me" value=(seat) checked[wanted.me == seat || wanted.me.is_empty() && sits.seat == Seat::Gm]; span { (whom(sits)) } }
                            }
                            label .check { input type="radio" name="me" value=(NOBODY) checked[wanted.me == NOBODY]; span { "Nobody: I look on, and see everything" } }
                            p .soft { "A player sees nothing that only the gamemaster may know. Where you play a character, tick the machine for the gamemaster below, or send somebody the link." }
                        }
                    }
                    fieldset {
                        legend { "Who plays" }
                        p .soft { "Say what your friends are called, or let them say it when they come in. The machine may take any seat, at any time, so that one person can try a fight alone." }
                        ul .rows { @for sits in seats { (who_plays(sits, wanted)) } }
                    }
                    (options(book, wanted))
                    button .go { "Open the table" }
                }
            }
        },
    )
}

/// Players' seats, then the gamemaster's.
fn players_first(seats: &[Cast]) -> impl Iterator<Item = &Cast> {
    let (gm, players): (Vec<&Cast>, Vec<&Cast>) = seats.iter().partition(|sits| sits.seat == Seat::Gm);
    players.into_iter().chain(gm)
}

/// The character of a seat.
fn whom(sits: &Cast) -> String {
    match sits.seat {
        Seat::Gm => format!("The {}", sits.name),
        _ if sits.plays.is_empty() => capital(&sits.seat.to_string().replace('-', " ")),
        _ => and(&sits.plays),
    }
}

/// One seat: its player's name, or the machine.
fn who_plays(sits: &Cast, wanted: &Wanted) -> Markup {
    let seat = sits.seat.to_string();
    let said = wanted.players.iter().find(|(of, _)| *of == seat).map(|(_, name)| name.as_str());
    let whom = whom(sits);
    html! {
        li {
            span { b { (whom) } }
            @if sits.seat != Seat::Gm {
                input .by name={ "player." (seat) } value=(said.unwrap_or_default()) maxlength=(opening::NAME)
                    placeholder=(sits.name) aria-label={ "Who plays " (whom) } autocomplete="off";
            }
            label .check { input type="checkbox" name="bot" value=(seat) checked[wanted.bots.contains(&seat)];
                span { "The machine" span .sr { " plays " (whom) } } }
        }
    }
}

/// The options that the rules leave open.
pub(super) fn options(book: &Rulebook, wanted: &Wanted) -> Markup {
    let rulings = book.entries.iter().filter(|entry| entry.kind == Kind::Ruling);
    html! {
        details {
            summary { "Options of this table" }
            @for entry in rulings {
                @if let Some(option) = &entry.option {
                    label .option {
                        b { (option.question) }
                        (choice(entry.id, option, wanted))
                        span .soft { (entry.plain.unwrap_or(entry.says)) }
                    }
                }
            }
        }
    }
}

fn choice(id: &str, option: &OptionOf, wanted: &Wanted) -> Markup {
    let chosen = wanted.options.iter().find(|(key, _)| key == id).map(|(_, value)| value.as_str());
    html! {
        select name={ "option." (id) } {
            @for value in option.values {
                option value=(value) selected[chosen.unwrap_or(option.default) == *value] { (value.replace('-', " ")) @if *value == option.default { " (as a rule)" } }
            }
        }
    }
}
