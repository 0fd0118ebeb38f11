//! The front door: your tables, and a new one.

use super::layout::{Note, page};
use fracas_kernel::{Kind, OptionOf, System, Viewer};
use fracas_systems::Encounter;
use maud::{Markup, html};

/// A table somebody sits or watches at.
pub(crate) struct Place {
    pub(crate) href: String,
    pub(crate) title: String,
    pub(crate) system: String,
    pub(crate) role: Viewer,
    pub(crate) name: String,
    pub(crate) opened: String,
}

/// The front page.
pub(crate) fn home(places: &[Place], systems: &[(System, Vec<Encounter>)]) -> Markup {
    page(
        "Your tables",
        "plain home",
        html! {
            main .sheet .wide {
                h1 .brand { "Fracas" }
                p .lead { "Plays the conflicts of tabletop role-playing games exactly as their rules say." }
                @if !places.is_empty() {
                    h2 { "Your tables" }
                    ul .places {
                        @for place in places {
                            li { a .place href=(place.href) {
                                b { (place.title) }
                                span .soft { (place.system) " · " @if place.role.is_gm() { "gamemaster" } @else { (place.name) } " · " (place.opened) }
                            } }
                        }
                    }
                }
                h2 { "Open a table" }
                p .soft { "You are its gamemaster. No account is needed: each player gets a link." }
                @for (system, encounters) in systems {
                    section .system {
                        h3 { ((system.rulebook)().title) }
                        ul .places {
                            @for encounter in encounters {
                                li { a .place href={ "/open/" (system.id) "/" (encounter.id) } {
                                    b { (encounter.title) }
                                    @if !encounter.summary.is_empty() { span .soft { (encounter.summary) } }
                                } }
                            }
                        }
                    }
                }
            }
        },
    )
}

/// What somebody has filled in for a new table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) title: String,
    /// Options that differ from the game's own choice.
    pub(crate) options: Vec<(String, String)>,
    /// Seats for the machine.
    pub(crate) bots: Vec<String>,
}

/// The form of a new table.
pub(crate) fn open(
    system: &System,
    encounter: &Encounter,
    seats: &[(String, String)],
    wanted: &Wanted,
    note: &Note,
) -> Markup {
    let book = (system.rulebook)();
    let options = book.entries.iter().filter(|entry| entry.kind == Kind::Ruling && entry.option.is_some());
    page(
        &encounter.title,
        "plain",
        html! {
            main .sheet {
                p { a href="/" { "← Fracas" } }
                p .kicker { (book.title) }
                h1 { (encounter.title) }
                @if !encounter.summary.is_empty() { p .lead { (encounter.summary) } }
                (note.show())
                form method="post" action={ "/open/" (system.id) "/" (encounter.id) } {
                    label { "What is the table called?"
                        input name="title" maxlength="80" value=(if wanted.title.is_empty() { &encounter.title } else { &wanted.title }); }
                    fieldset {
                        legend { "Who plays" }
                        p .soft { "You can change this at any time; the machine may take any seat, so that one person can try a fight alone." }
                        @for (seat, name) in seats {
                            label .check {
                                input type="checkbox" name="bot" value=(seat) checked[wanted.bots.contains(seat)];
                                span { "The machine plays " b { (name) } }
                            }
                        }
                    }
                    details {
                        summary { "Options of this table" }
                        @for entry in options {
                            @if let Some(option) = &entry.option {
                                label .option {
                                    b { (option.question) }
                                    (choice(entry.id, option, wanted))
                                    span .soft { (entry.plain.unwrap_or(entry.says)) }
                                }
                            }
                        }
                    }
                    button .go { "Open the table" }
                }
            }
        },
    )
}

fn choice(id: &str, option: &OptionOf, wanted: &Wanted) -> Markup {
    let chosen = wanted.options.iter().find(|(key, _)| key == id).map(|(_, value)| value.as_str());
    html! {
        select name={ "option." (id) } {
            @for value in option.values {
                option value=(value) selected[chosen.unwrap_or(option.default) == *value] { (value) @if *value == option.default { " (as a rule)" } }
            }
        }
    }
}
