//! Coming in by a link.

use super::layout::{Note, page};
use maud::{Markup, html};

/// Where somebody who came by a link says who they are.
pub(crate) fn knock(title: &str, system: &str, role: &str, action: &str, note: &Note) -> Markup {
    page(
        title,
        "plain",
        html! {
            main .sheet {
                p .kicker { (system) }
                h1 { (title) }
                (note.show())
                form method="post" action=(action) {
                    p { "You come in as " b { (role) } "." }
                    label { "What are you called?" input name="name" maxlength="40" required autofocus autocomplete="nickname"; }
                    button .go { "Come in" }
                }
            }
        },
    )
}

/// Where somebody waits until the gamemaster lets them in.
pub(crate) fn waiting(title: &str, name: &str, refused: bool) -> Markup {
    page(
        title,
        "plain",
        html! {
            main .sheet data-reload=[(!refused).then_some("3")] {
                h1 { (title) }
                @if refused {
                    p { "The gamemaster has not let you in. Ask them for another link." }
                } @else {
                    p role="status" { "You have knocked, " (name) ". The gamemaster will let you in." }
                    noscript { p .soft { a href="" { "Look again" } } }
                }
            }
        },
    )
}
