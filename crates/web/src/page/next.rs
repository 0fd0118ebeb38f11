//! From this evening to another.

use super::{
    and,
    layout::{Note, page},
};
use fracas_store::{Paper, TableId};
use fracas_systems::Encounter;
use maud::{Markup, html};

/// What there is to choose from for another evening.
pub(crate) struct Evening<'e> {
    pub(crate) base: &'e str,
    pub(crate) title: &'e str,
    /// Who is carried on, with what was last said of them.
    pub(crate) comers: &'e [(String, String)],
    /// Who is no more.
    pub(crate) fallen: &'e [(String, String)],
    pub(crate) encounters: &'e [Encounter],
    /// Encounters of the gamemaster's own.
    pub(crate) own: &'e [Paper],
    /// The table at which those who play here go on already.
    pub(crate) after: Option<&'e TableId>,
    pub(crate) chosen: &'e Chosen,
    pub(crate) note: &'e Note,
}

/// What is chosen for it: at first, or by whoever was refused.
pub(crate) struct Chosen {
    /// What the table is to be called.
    pub(crate) called: String,
    /// The encounter, as the form sends it.
    pub(crate) encounter: String,
    /// Whether the encounter's own characters come.
    pub(crate) its: bool,
}

/// The page of another evening.
pub(crate) fn next(it: &Evening<'_>) -> Markup {
    page(
        "Another evening",
        "plain desk",
        html! {
            main .sheet {
                p { a href=(it.base) { "← " bdi { (it.title) } } }
                h1 { "Another evening" }
                p .lead { "The players' characters come along with what they have and what still lies on them, as their game says, as they are at this moment; what is under way here stays here. Whoever plays them is let in at the new table." }
                (it.note.show())
                @if let Some(next) = it.after {
                    p .onward {
                        a .button .go href={ "/t/" (next) } { "We go on at another table" } " "
                        span .soft { "Below, everybody is brought to one more, as they are at this table." }
                    }
                }
                @if it.comers.is_empty() { p { "Nobody is left to come along." } }
                ul .rows { @for (name, last) in it.comers {
                    li {
                        span { b { bdi { (name) } } " " span .soft dir="auto" { (last) } }
                        form method="post" action={ (it.base) "/next/keep" } {
                            button name="name" value=(name) { "Keep as a paper" span .sr { ": " bdi { (name) } } }
                        }
                    }
                } }
                @if !it.fallen.is_empty() {
                    h2 { "Fallen" }
                    ul .rows { @for (name, last) in it.fallen { li { span { b .struck { bdi { (name) } } " " span .soft dir="auto" { (last) } } } } }
                }
                @if !it.comers.is_empty() {
                    h2 { "The new table" }
                    form method="post" action={ (it.base) "/next" } {
                        @if let Some(next) = it.after { input type="hidden" name="after" value=(next); }
                        label { "What is it called?"
                            input name="title" maxlength="80" value=(it.chosen.called) placeholder="as the encounter is" autocomplete="off"; }
                        label { "What happens"
                            select name="encounter" {
                                option value="" { "Nothing yet: a blank scene" }
                                @if !it.own.is_empty() { optgroup label="Your papers" {
                                    @for paper in it.own { @let value = format!("paper:{}", paper.id); option value=(value) selected[it.chosen.encounter == value] { (paper.name) } }
                                } }
                                optgroup label="Bundled" {
                                    @for one in it.encounters { @let value = format!("bundled:{}", one.id); option value=(value) selected[it.chosen.encounter == value] { (one.title) @if !one.characters.is_empty() { ", written for " (and(&one.characters)) } } }
                                }
                            } }
                        fieldset {
                            legend { "Who comes" }
                            label .check { input type="radio" name="party" value="ours" checked[!it.chosen.its]; span { "Everybody above, in place of the encounter's own players' characters" } }
                            label .check { input type="radio" name="party" value="its" checked[it.chosen.its]; span { "The encounter's own; those of them who are above come as they are now" } }
                        }
                        button .go { "Open the table" }
                    }
                }
            }
        },
    )
}
