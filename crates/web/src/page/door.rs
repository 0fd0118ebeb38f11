//! Coming in by a link.

use super::layout::{Note, page};
use fracas_kernel::System;
use maud::{Markup, html};

/// Somebody who came by a link.
pub(crate) struct Knock<'k> {
    pub(crate) title: &'k str,
    pub(crate) system: &'k System,
    /// As whom they come, in words.
    pub(crate) role: &'k str,
    /// Where the form goes.
    pub(crate) action: &'k str,
    /// What they have said they are called.
    pub(crate) name: &'k str,
    /// Whether they are asked for a passphrase.
    pub(crate) locked: bool,
    pub(crate) note: &'k Note,
}

/// Where somebody who came by a link says who they are.
pub(crate) fn knock(it: &Knock<'_>) -> Markup {
    page(
        it.title,
        "plain",
        html! {
            main .sheet {
                p .kicker { ((it.system.rulebook)().title) }
                h1 { bdi { (it.title) } }
                (it.note.show())
                form method="post" action=(it.action) {
                    p { "You come in as " b { bdi { (it.role) } } "." }
                    label { "What are you called?" input name="name" maxlength="40" value=(it.name) required autofocus autocomplete="nickname"; }
                    @if it.locked {
                        label { "The table's passphrase" input type="password" name="passphrase" maxlength="200" required autocomplete="off"; }
                    }
                    button .go { "Come in" }
                }
            }
        },
    )
}

/// Where somebody waits until the gamemaster lets them in.
pub(crate) fn waiting(title: &str, system: &System, name: &str, refused: bool) -> Markup {
    page(
        title,
        "plain",
        html! {
            main .sheet data-reload=[(!refused).then_some("3")] {
                h1 { bdi { (title) } }
                @if refused {
                    p { "You have not been let in. Ask for another link." }
                } @else {
                    p role="status" { "You have knocked, " bdi { (name) } ". The leader of the table will let you in." }
                    noscript { p .soft { a href="" { "Look again" } } }
                    p { (fracas_systems::introduction(system).about) " " a href={ "/rules/" (system.id) } target="_blank" { "The rules in plain words" } }
                }
            }
        },
    )
}
