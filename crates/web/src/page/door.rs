//! The pages on which people come in by a link.

use super::layout::{Note, page_of};
use super::scenery;
use fracas_kernel::System;
use maud::{Markup, html};

/// A person who came by a link.
pub(crate) struct Knock<'k> {
    pub(crate) title: &'k str,
    pub(crate) system: &'k System,
    /// The name of the role that they come for.
    pub(crate) role: &'k str,
    /// The address that the form is sent to.
    pub(crate) action: &'k str,
    /// The name that they have given.
    pub(crate) name: &'k str,
    /// Whether a passphrase is asked for.
    pub(crate) locked: bool,
    pub(crate) note: &'k Note,
}

/// The page on which a person who came by a link gives a name.
pub(crate) fn knock(knock: &Knock<'_>) -> Markup {
    page_of(
        Some(knock.system.id),
        knock.title,
        "plain",
        html! {
            main .sheet {
                div .cover { (scenery::ground(knock.title, knock.system.id)) }
                p .kicker { ((knock.system.rulebook)().title) }
                h1 { bdi { (knock.title) } }
                (knock.note.show())
                form method="post" action=(knock.action) {
                    p { "You come in as " b { bdi { (knock.role) } } "." }
                    label { "What are you called?" input name="name" maxlength="40" value=(knock.name) required autofocus autocomplete="nickname"; }
                    @if knock.locked {
                        label { "The table's passphrase" input type="password" name="passphrase" maxlength="200" required autocomplete="off"; }
                    }
                    button .go { "Come in" }
                }
            }
        },
    )
}

/// The page on which a person waits until the gamemaster admits them, and learns meanwhile
/// how the system plays.
pub(crate) fn waiting(title: &str, system: &System, name: &str, refused: bool) -> Markup {
    page_of(
        Some(system.id),
        title,
        "plain",
        html! {
            main .sheet data-reload=[(!refused).then_some("3")] {
                div .cover { (scenery::ground(title, system.id)) }
                h1 { bdi { (title) } }
                @if refused {
                    p { "You have not been let in. Ask for another link." }
                } @else {
                    p role="status" { "You have knocked, " bdi { (name) } ". The leader of the table will let you in." }
                    noscript { p .soft { a href="" { "Look again" } } }
                    h2 { "How it plays" }
                    p .lead { (fracas_systems::introduction(system).about) }
                    (primer(system))
                    p { a href={ "/rules/" (system.id) } target="_blank" { "The rules in plain words" } }
                }
            }
        },
    )
}

/// What a new player must know.
pub(super) fn primer(system: &System) -> Markup {
    html! {
        ol .primer { @for point in fracas_systems::introduction(system).primer { li { (point) } } }
    }
}
