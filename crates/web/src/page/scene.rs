//! The form of a scene with characters of one's choice.

use super::home::{Wanted, options};
use super::layout::{Note, page};
use fracas_kernel::System;
use fracas_live::opening;
use fracas_papers::Entry;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The picks for a scene.
#[derive(Clone, Debug, Default)]
pub(crate) struct Picked {
    pub(crate) wanted: Wanted,
    /// Players' characters, by name.
    pub(crate) characters: Vec<String>,
    /// The player of each character.
    pub(crate) players: BTreeMap<String, String>,
    /// How many come of each character that the gamemaster plays.
    pub(crate) counts: BTreeMap<String, usize>,
}

/// The form of a scene.
pub(crate) fn scene(system: &System, entries: &[Entry], picked: &Picked, note: &Note) -> Markup {
    let book = (system.rulebook)();
    let (characters, others): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().partition(|entry| entry.list == "character");
    let bot = |name: &str| picked.wanted.bots.iter().any(|bot| bot == name);
    page(
        "A scene",
        "plain desk",
        html! {
            main .sheet .wide {
                p { a href="/" { "← Fracas" } }
                p .kicker { (book.title) }
                h1 { "A scene of characters you pick" }
                p .lead { "Nothing is under way: you begin what you like once everybody sits." }
                (note.show())
                form method="post" action={ "/scene/" (system.id) } {
                    label { "What is the table called?"
                        input name="title" maxlength=(opening::TITLE) value=(picked.wanted.title) placeholder="A scene" autocomplete="off"; }
                    fieldset {
                        legend { "Players' characters" }
                        ul .rows { @for entry in &characters {
                            li {
                                label .check { input type="checkbox" name="pc" value=(entry.name) checked[picked.characters.contains(&entry.name)];
                                    (entry_label(entry)) }
                                input .by name={ "by:" (entry.name) } value=(picked.players.get(&entry.name).map_or("", String::as_str)) maxlength=(opening::NAME)
                                    placeholder="Played by" aria-label={ "Who plays " (entry.name) } autocomplete="off";
                            }
                        } }
                    }
                    fieldset {
                        legend { "Those you play" }
                        p .soft { "How many of each; they are numbered where there are several." }
                        ul .rows { @for entry in &others {
                            @let count = picked.counts.get(&entry.name).copied().unwrap_or(0);
                            li {
                                (entry_label(entry))
                                input .count type="number" name={ "n:" (entry.name) } min="0" max="20" value=(count) aria-label={ "How many of " (entry.name) };
                            }
                        } }
                    }
                    fieldset {
                        legend { "Who plays" }
                        label .check { input type="checkbox" name="bot" value="unnamed" checked[bot("unnamed")]; span { "The machine plays characters without a named player" } }
                        label .check { input type="checkbox" name="bot" value="gm" checked[bot("gm")]; span { "The machine plays the gamemaster" } }
                    }
                    (options(book, &picked.wanted))
                    p .row {
                        button .go name="do" value="open" { "Open the table" }
                        button name="do" value="keep" { "Keep it as a paper" }
                    }
                }
            }
        },
    )
}

fn entry_label(entry: &Entry) -> Markup {
    html! { span { b { bdi { (entry.name) } } @if !entry.note.is_empty() { " " span .soft dir="auto" { (entry.note) } } } }
}
