//! The page of the next evening.

use super::layout::{Note, page};
use super::words::and;
use fracas_store::{Paper, TableId};
use fracas_systems::Encounter;
use maud::{Markup, html};

/// The choices for the next evening.
pub(crate) struct Evening<'e> {
    pub(crate) base: &'e str,
    pub(crate) title: &'e str,
    /// The characters that are carried on, each with the latest about them.
    pub(crate) comers: &'e [(String, String)],
    /// The characters that have died.
    pub(crate) fallen: &'e [(String, String)],
    pub(crate) encounters: &'e [Encounter],
    /// The gamemaster's own encounters.
    pub(crate) own: &'e [Paper],
    /// The table at which these players already go on.
    pub(crate) after: Option<&'e TableId>,
    pub(crate) chosen: &'e Chosen,
    pub(crate) note: &'e Note,
}

/// The choices made: the defaults, or those of a refused form.
pub(crate) struct Chosen {
    /// The table's title.
    pub(crate) called: String,
    /// The encounter, as the form sends it.
    pub(crate) encounter: String,
    /// Whether the encounter's own characters come.
    pub(crate) its: bool,
}

pub(crate) fn next(evening: &Evening<'_>) -> Markup {
    page(
        "Another evening",
        "plain desk",
        html! {
            main .sheet {
                p { a href=(evening.base) { "← " bdi { (evening.title) } } }
                h1 { "Another evening" }
                p .lead { "The players' characters come along with what they have and what still lies on them, as their game says, as they are at this moment; what is under way here stays here. Their players are let in at the new table." }
                (evening.note.show())
                @if let Some(next) = evening.after {
                    p .onward {
                        a .button .go href={ "/t/" (next) } { "We go on at another table" } " "
                        span .soft { "Below, everybody is brought to one more, as they are at this table." }
                    }
                }
                @if evening.comers.is_empty() { p { "Nobody is left to come along." } }
                ul .rows { @for (name, last) in evening.comers {
                    li {
                        span { b { bdi { (name) } } " " span .soft dir="auto" { (last) } }
                        form method="post" action={ (evening.base) "/next/keep" } {
                            button name="name" value=(name) { "Keep as a paper" span .sr { ": " bdi { (name) } } }
                        }
                    }
                } }
                @if !evening.fallen.is_empty() {
                    h2 { "Fallen" }
                    ul .rows { @for (name, last) in evening.fallen { li { span { b .struck { bdi { (name) } } " " span .soft dir="auto" { (last) } } } } }
                }
                @if !evening.comers.is_empty() {
                    h2 { "The new table" }
                    form method="post" action={ (evening.base) "/next" } {
                        @if let Some(next) = evening.after { input type="hidden" name="after" value=(next); }
                        label { "What is it called?"
                            input name="title" maxlength="80" value=(evening.chosen.called) placeholder="as the encounter is" autocomplete="off"; }
                        label { "What happens"
                            select name="encounter" {
                                option value="" { "Nothing yet: a blank scene" }
                                @if !evening.own.is_empty() { optgroup label="Your papers" {
                                    @for paper in evening.own { @let value = format!("paper:{}", paper.id); option value=(value) selected[evening.chosen.encounter == value] { (paper.name) } }
                                } }
                                optgroup label="Bundled" {
                                    @for encounter in evening.encounters { @let value = format!("bundled:{}", encounter.id); option value=(value) selected[evening.chosen.encounter == value] { (encounter.title) @if !encounter.characters.is_empty() { ", written for " (and(&encounter.characters)) } } }
                                }
                            } }
                        fieldset {
                            legend { "Who comes" }
                            label .check { input type="radio" name="party" value="ours" checked[!evening.chosen.its]; span { "Everybody above, in place of the encounter's own players' characters" } }
                            label .check { input type="radio" name="party" value="its" checked[evening.chosen.its]; span { "The encounter's own; those of them who are above come as they are now" } }
                        }
                        button .go { "Open the table" }
                    }
                }
            }
        },
    )
}
