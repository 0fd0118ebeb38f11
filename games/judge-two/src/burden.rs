//! Being burdened, by armour or by a disguise, and knocked off one's feet.

use crate::{disguise, event::Event, rules::Rules, state::State, vocab::*};
use fracas_kernel::{Clause, Sink};

/// What burdens somebody: heavy, when any attack of theirs fails; light, when one
/// fails guilty (`armor.light`, `armor.heavy`). Of several the stricter
/// (`disguise-plus-armor`). It is a drawback, so the afflicted have it too
/// (`afflict-drawbacks`).
fn weight(rules: &Rules, state: &State, who: Char) -> Option<(Weight, Clause)> {
    let captain = rules.sheet(who).trained.has(Training::Captain);
    let worn = state.being(who).readied.iter().filter_map(|item| rules.gear(item).armor);
    let armor = worn.map(|weight| match weight {
        Weight::Heavy if captain => (Weight::Light, clause!("prof.captain-armor")),
        Weight::Heavy => (Weight::Heavy, clause!("armor.heavy")),
        Weight::Light => (Weight::Light, clause!("armor.light")),
    });
    armor.chain(disguise::weight(rules, state, who)).max_by_key(|&(weight, _)| weight)
}

/// An attack of theirs has failed, which may burden them. Brutes track nothing of
/// the kind (`brute-burden`).
pub(crate) fn failed(rules: &Rules, state: &mut State, by: Char, guilty: bool, sink: &mut impl Sink<Event>) {
    if rules.sheet(by).kind == Kind::Brute {
        return;
    }
    if let Some((weight, why)) = weight(rules, state, by)
        && (guilty || weight == Weight::Heavy)
        && !state.being(by).burdened
    {
        state.being_mut(by).burdened = true;
        sink.event(Event::Burdened { who: by, why });
    }
}

/// Whether what somebody does next is slow: an attack of the burdened, anything
/// that brings the dislodged back into the fight.
pub(crate) fn is_slow(state: &State, who: Char, attack: bool) -> bool {
    let being = state.being(who);
    being.dislodged || (attack && being.burdened)
}

/// The attack, or whatever else, is made: that is over (`burdened.ends`).
pub(crate) fn spend(state: &mut State, who: Char, attack: bool, sink: &mut impl Sink<Event>) {
    let being = state.being_mut(who);
    being.dislodged = false;
    if attack && std::mem::take(&mut being.burdened) {
        sink.event(Event::Unburdened(who));
    }
}
