//! Being burdened, by armour or by a disguise, and knocked off one's feet.

use crate::{At, Play, disguise, event::Event, state::State, vocab::*};
use fracas_kernel::{Clause, Sink};

/// What burdens somebody: heavy, when any attack of theirs fails; light, when one
/// fails guilty (`armor.light`, `armor.heavy`). Of several the stricter
/// (`disguise-plus-armor`). It is a drawback, so the afflicted have it too
/// (`afflict-drawbacks`).
fn weight(at: At<'_>, who: Char) -> Option<(Weight, Clause)> {
    let captain = at.rules.sheet(who).trained.has(Training::Captain);
    let worn = at.state.being(who).readied.iter().filter_map(|item| at.rules.gear(item).armor);
    let armor = worn.map(|weight| match weight {
        Weight::Heavy if captain => (Weight::Light, clause!("prof.captain-armor")),
        Weight::Heavy => (Weight::Heavy, clause!("armor.heavy")),
        Weight::Light => (Weight::Light, clause!("armor.light")),
    });
    armor.chain(disguise::weight(at, who)).max_by_key(|&(weight, _)| weight)
}

/// An attack of theirs has failed, which may burden them. Brutes track nothing of
/// the kind (`brute-burden`).
pub(crate) fn failed(play: &mut Play<'_, impl Sink<Event>>, by: Char, guilty: bool) {
    if play.rules.sheet(by).kind == Kind::Brute {
        return;
    }
    if let Some((weight, why)) = weight(play.at(), by)
        && (guilty || weight == Weight::Heavy)
        && !play.state.being(by).burdened
    {
        play.state.being_mut(by).burdened = true;
        play.event(Event::Burdened { who: by, why });
    }
}

/// Whether what somebody does next is slow: an attack of the burdened, anything
/// that brings the dislodged back into the fight.
pub(crate) fn is_slow(state: &State, who: Char, attack: bool) -> bool {
    let being = state.being(who);
    being.dislodged || (attack && being.burdened)
}

/// The attack, or whatever else, is made: that is over (`burdened.ends`).
pub(crate) fn spend(play: &mut Play<'_, impl Sink<Event>>, who: Char, attack: bool) {
    let being = play.state.being_mut(who);
    being.dislodged = false;
    if attack && std::mem::take(&mut being.burdened) {
        play.event(Event::Unburdened(who));
    }
}
