//! The page on which a browser is forgotten.

use super::{layout::page, words::names};
use maud::{Markup, html};

/// What the server knows of a browser.
#[derive(Default)]
pub(crate) struct Known {
    /// The titles of the tables where the browser has a place.
    pub(crate) tables: Vec<String>,
    /// The tables that nobody else leads.
    pub(crate) alone: Vec<String>,
    /// How many documents the browser has prepared.
    pub(crate) papers: usize,
}

/// The page that lists what is erased with the browser.
pub(crate) fn forget(known: &Known) -> Markup {
    let nothing = known.tables.is_empty() && known.papers == 0;
    page(
        "Forget this device",
        "plain",
        html! {
            main .sheet {
                p { a href="/" { "← Fracas" } }
                h1 { "Forget this device?" }
                @if nothing {
                    p { "This server knows nothing about this browser but its cookie." }
                } @else {
                    p { "The server forgets this browser. This is lost for good:" }
                    ul {
                        @if !known.tables.is_empty() {
                            li { "its places at " (names(&known.tables)) ", and the tokens that it made there" }
                        }
                        @if known.papers > 0 { li { "the papers that were made in it: " (known.papers) } }
                    }
                    p .soft { "What was played stays at its tables, and other devices of yours keep their places. You come back as everybody comes: by a link." }
                }
                @if !known.alone.is_empty() {
                    p .refusal { "Nobody else leads " (names(&known.alone)) ": nobody could lead it any more, nor delete it. Delete it before, or make a link for another device of yours (People and links)." }
                }
                form method="post" action="/forget" {
                    input type="hidden" name="sure" value="yes";
                    button .stop { "Forget this device" }
                }
            }
        },
    )
}
