//! The table drawn.

use crate::{Effort, walk::walks};
use fracas_kernel::{AnyTable, Known, Now, Seat, Session, Setup, Stands, Viewer, Words};
use fracas_sim::holding;
use std::collections::BTreeSet;

/// The stage of a viewer is consistent.
///
/// Everybody named on the stage has exactly one token, and is known to the viewer. A token is
/// marked as asked exactly if play waits for its player. A character who has fallen, by the
/// ending, does not take part.
///
/// # Panics
/// If that does not hold.
pub fn staged<G: Words>(setups: &[Setup], effort: Effort) {
    walks::<G>(setups, effort, |here| {
        let seats = G::seats(here.session.rules()).into_iter().map(|info| Viewer::Seat(info.seat));
        let viewers: Vec<Viewer> = seats.chain([Viewer::Spectator]).collect();
        sound::<G>(here.session, viewers[here.chance.place(viewers.len())]);
    });
}

fn sound<G: Words>(session: &Session<G>, who: Viewer) {
    let awaited = awaited(session);
    let (stage, cards) = (session.stage(who, &awaited), session.cards(who));
    for link in &stage.links {
        assert!(link.from != link.to && !link.text.is_empty(), "{who}: an odd tie: {link:?}");
    }
    for side in &stage.sides {
        assert!(!side.title.is_empty() && !side.tokens.is_empty(), "{who}: an odd side: {side:?}");
    }
    let names = G::names(session.rules());
    for token in stage.tokens() {
        let known = names.find(&token.id).map(|name| G::knows(session.rules(), session.state(), name, who));
        let is_known = match known {
            Some(known) => known != Known::Hidden,
            None => cards.iter().any(|card| card.id == token.id),
        };
        assert!(is_known && !token.name.is_empty(), "{who} knows nothing of {token:?}");
        let is_awaited = token.seat.is_some_and(|seat| awaited.contains(&seat));
        assert!(!token.asked || is_awaited, "{who}: {token:?} is not asked, of {awaited:?}");
    }
    let ids: BTreeSet<&str> = stage.tokens().map(|token| token.id.as_str()).collect();
    assert_eq!(ids.len(), stage.tokens().count(), "{who}: drawn twice: {stage:#?}");
    for id in stage.named() {
        assert!(ids.contains(id), "{who}: {id:?} is named and is no token: {stage:#?}");
    }
    for &seat in awaited.iter().filter(|seat| **seat != Seat::Gm) {
        let own = || stage.tokens().filter(|token| token.seat == Some(seat));
        let is_there = own().any(|token| token.stands == Stands::In);
        assert!(!is_there || own().any(|token| token.asked), "{who}: nobody of {seat} is asked: {stage:#?}");
    }
    assert!(session.stage(who, &[]).tokens().all(|token| !token.asked), "{who}: asked, and nobody waits");
    for fared in session.ending(who).fallen {
        let mut of_that_name = stage.tokens().filter(|token| token.name == fared.name);
        let is_down = of_that_name.any(|token| token.stands != Stands::In);
        assert!(is_down, "{who}: {fared:?} has fallen, and stands: {stage:#?}");
    }
}

/// The seats that play waits for.
fn awaited(game: &dyn AnyTable) -> Vec<Seat> {
    match game.now() {
        Now::Over => Vec::new(),
        Now::Roll(roll) => vec![roll.whose],
        Now::Asks(asks) => holding(game, &asks).iter().flat_map(|ask| ask.who.seats().iter()).collect(),
    }
}
