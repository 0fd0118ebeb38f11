//! The pages on which people come in by a link.

use super::layout::{Note, page_of};
use super::scenery::{self, Portraits};
use super::{sheet, words};
use fracas_kernel::{Card, Seat, System, Viewer};
use fracas_table::Table;
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
    /// The encounter's place, for people who may see it.
    pub(crate) place: Option<&'k Markup>,
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
                (cover(knock.place, knock.title, knock.system))
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

/// The encounter's place, or the usual one of its system.
fn cover(place: Option<&Markup>, title: &str, system: &System) -> Markup {
    html! { div .cover { @match place { Some(place) => (place), None => (scenery::ground(title, system.id)) } } }
}

/// The place of a table's encounter, drawn as the table shows it.
pub(crate) fn place(table: &Table) -> Markup {
    let header = table.log().header();
    scenery::picture(&header.title, &words::about(table, Viewer::Spectator), table.system().id)
}

/// What a person at the door may see of the table: less than everybody who is in.
pub(crate) struct Glimpse {
    /// The words that open play; may be empty.
    opening: String,
    /// The character that they will play.
    card: Option<Card>,
    portraits: Portraits,
    /// The characters of the other players.
    others: Vec<String>,
}

impl Glimpse {
    /// Of a table, for a person who comes for this role.
    pub(crate) fn of(table: &Table, role: Viewer) -> Glimpse {
        let (game, everybody) = (table.game(), Viewer::Spectator);
        let mut players = game.seats().into_iter().filter(|info| info.seat != Seat::Gm);
        let own = players.find(|info| Viewer::Seat(info.seat) == role);
        let own = own.and_then(|info| info.holds.into_iter().next());
        let card = game.cards(everybody).into_iter().find(|card| Some(&card.id) == own.as_ref());
        let cast = table.log().cast().into_iter();
        let others = cast.filter(|sits| sits.seat != Seat::Gm && Viewer::Seat(sits.seat) != role);
        Glimpse {
            opening: words::about(table, everybody).begins().unwrap_or_default().to_owned(),
            // How they fare is for those who are in.
            card: card.map(|card| Card { meters: Vec::new(), tags: Vec::new(), ..card }),
            portraits: table.log().header().portraits(),
            others: others.flat_map(|sits| sits.plays).collect(),
        }
    }
}

/// A person at the door who waits, or was refused.
pub(crate) struct AtDoor<'d> {
    pub(crate) title: &'d str,
    pub(crate) system: &'d System,
    /// The name that they have given.
    pub(crate) name: &'d str,
    pub(crate) refused: bool,
    /// The encounter's place, for people who may see it.
    pub(crate) place: Option<&'d Markup>,
    /// What they may see of the table, if anything.
    pub(crate) glimpse: Option<Glimpse>,
}

/// The page on which a person waits until the gamemaster admits them, and meets meanwhile the system, and their
/// character and the others.
pub(crate) fn waiting(door: &AtDoor<'_>) -> Markup {
    let AtDoor { title, system, name, refused, place, glimpse } = door;
    page_of(
        Some(system.id),
        title,
        "plain",
        html! {
            main .sheet data-reload=[(!refused).then_some("3")] {
                (cover(*place, title, system))
                h1 { bdi { (title) } }
                @if *refused {
                    p { "You have not been let in. Ask for another link." }
                } @else {
                    p role="status" { "You have knocked, " bdi { (name) } ". The leader of the table will let you in." }
                    noscript { p .soft { a href="" { "Look again" } } }
                    @if let Some(glimpse) = glimpse { (met(glimpse, system)) }
                    h2 { "How it plays" }
                    p .lead { (fracas_systems::introduction(system).about) }
                    (primer(system))
                    form .row method="post" action={ "/practice/" (system.id) } target="_blank" {
                        button { "Practise meanwhile" }
                        span .soft { "One of you, one foe, real dice, in a tab of its own. This page goes on waiting." }
                    }
                    p { a href={ "/rules/" (system.id) } target="_blank" { "The rules in plain words" } }
                }
            }
        },
    )
}

/// The opening words, whom a person will play, and with whom.
fn met(glimpse: &Glimpse, system: &System) -> Markup {
    html! {
        @if !glimpse.opening.is_empty() { p .lead dir="auto" { (glimpse.opening) } }
        @if let Some(card) = &glimpse.card {
            h2 { "Whom you play" }
            (sheet::read(card, &glimpse.portraits, system.id))
        }
        @if !glimpse.others.is_empty() {
            h2 { "With you" }
            ul .fared {
                @for (nth, other) in glimpse.others.iter().enumerate() {
                    li { (scenery::portrait(&glimpse.portraits, other, &format!("with-{nth}"))) b { bdi { (other) } } }
                }
            }
        }
    }
}

/// What a new player must know.
pub(super) fn primer(system: &System) -> Markup {
    html! {
        ol .primer { @for point in fracas_systems::introduction(system).primer { li { (point) } } }
    }
}
