//! Who has noticed whom, and whom nobody has.

use crate::state::{Fate, Lie, Place, State};
use crate::{At, Play, event::Event, flow, rules::Rules, scene, vocab::*};
use fracas_kernel::{Sink, Viewer};

/// Whether none of these players' characters has noticed somebody; `false` of none.
fn goes_unnoticed(state: &State, by: CharSet, who: Char) -> bool {
    !by.is_empty() && by.iter().all(|pc| state.being(pc).unaware_of.has(who))
}

/// The players' characters in play; where there is none, all of `otherwise`.
fn watch(here: CharSet, otherwise: CharSet) -> CharSet {
    if here.is_empty() { otherwise } else { here }
}

/// The players' characters in play, and those of them who fight in a moment.
pub(crate) fn watchers(at: At<'_>) -> CharSet {
    at.state.pcs(at.rules).or(at.state.provoked().and(at.rules.pcs))
}

/// Whom the players know nothing of when play begins: whom nobody has noticed, and who
/// is away, and so may not have been seen yet.
pub(crate) fn at_start(rules: &Rules, state: &mut State) {
    let watch = watch(state.pcs(rules), rules.pcs);
    let unseen = |&who: &Char| state.being(who).fate == Fate::Away || goes_unnoticed(state, watch, who);
    state.unseen = rules.everybody().filter(|&who| !rules.is_pc(who)).filter(unseen).collect();
    state.gone = away(At { rules, state }).collect();
    state.ambush = state.form.is_some() && scene::is_decided_in_sight(state);
}

/// The gamemaster's characters who are away.
fn away<'a>(at: At<'a>) -> impl Iterator<Item = Char> + 'a {
    let others = at.rules.everybody().filter(move |&who| !at.rules.pcs.has(who));
    others.filter(move |&who| at.state.being(who).fate == Fate::Away)
}

/// Who is away is out of sight, once nothing is under way in which they can be seen; what
/// becomes of them then is not seen either, until they are in play again (`gone`).
pub(crate) fn leave(play: &mut Play<'_, impl Sink<Event>>) {
    let left: CharSet = away(play.at()).filter(|&who| !play.state.gone.has(who)).collect();
    if !left.is_empty() {
        play.state.gone = play.state.gone.or(left.minus(flow::involved(play.state, Viewer::Spectator)));
    }
    lay_down(play);
}

/// Improvised weapons of characters who have left lie about again where they were, in
/// whatever way the characters left: sent away, in flight, or out of the conflict with
/// nobody left there (`left-with-improvised`). The involved have not left yet. A character
/// whom the gamemaster has hidden again holds none of them either (`unseen-acts`).
fn lay_down(play: &mut Play<'_, impl Sink<Event>>) {
    for item in play.rules.improvised.iter() {
        let place = play.state.place(item);
        if !matches!(place.lie, Lie::Readied | Lie::Carried) {
            continue;
        }
        let unseen = play.state.unseen.has(place.holder);
        let left = match play.state.being(place.holder).fate {
            Fate::Away => true,
            Fate::Finished(finisher) => finisher.leaves(),
            Fate::In | Fate::Dead => false,
        };
        if unseen {
            play.event(Event::Loses { who: place.holder, item });
        }
        if unseen || (left && !flow::involved(play.state, Viewer::Spectator).has(place.holder)) {
            put_back(play.state, item);
        }
    }
}

/// Something to strike with lies about again for anybody.
pub(crate) fn put_back(state: &mut State, item: Item) {
    state.put(item, state.place(item).holder, Lie::Gone);
    let place = &mut state.places[item.index()];
    (place.disarmed, place.lost_by) = (false, None);
}

/// The gamemaster says that somebody is there again.
pub(crate) fn comes_back(state: &mut State, who: Char) {
    state.gone = state.gone.without(who);
}

/// One of the gamemaster's characters joins, who may be away yet.
pub(crate) fn joined(rules: &Rules, state: &mut State, who: Char) {
    if !rules.is_pc(who) && state.being(who).fate == Fate::Away {
        state.unseen = state.unseen.with(who);
        state.gone = state.gone.with(who);
    }
}

/// A player's character has lost sight of a gamemaster's character by the gamemaster's word.
pub(crate) fn lost_sight(rules: &Rules, state: &mut State, of: Char) {
    if !rules.is_pc(of) && goes_unnoticed(state, watch(state.pcs(rules), rules.pcs), of) {
        state.unseen = state.unseen.with(of);
    }
}

/// Players' characters who have come into play since these were have noticed nobody whom
/// the others have not, and pay heed to nobody to whom none of the others does. What one
/// of them notices the players know for good (`unseen`).
pub(crate) fn keep(rules: &Rules, state: &mut State, before: CharSet) {
    let here = state.pcs(rules);
    let come = here.minus(before);
    if !come.is_empty() {
        // Of characters who are away themselves nobody says yet what they have noticed.
        let been = rules.pcs.minus(come).iter().filter(|&pc| state.being(pc).fate != Fate::Away);
        let watch = watch(before, been.collect());
        let is_kept = |&who: &Char| !state.gone.has(who) || goes_unnoticed(state, watch, who);
        let unseen: CharSet = state.unseen.iter().filter(is_kept).collect();
        let unheeded = before.iter().map(|pc| state.being(pc).heedless_of).reduce(CharSet::and);
        for who in come.iter() {
            let being = state.being_mut(who);
            being.unaware_of = being.unaware_of.or(unseen);
            being.heedless_of = being.heedless_of.or(unheeded.unwrap_or_default()).without(who);
        }
    }
    learn(rules, state);
    state.ambush = state.ambush && scene::is_decided_in_sight(state);
}

/// What players' characters in play have noticed the players know of.
pub(crate) fn learn(rules: &Rules, state: &mut State) {
    if state.unseen.is_empty() {
        return;
    }
    let here = state.pcs(rules);
    for who in state.unseen.iter() {
        // Nobody notices what becomes of somebody who is away.
        let there = state.being(who).fate == Fate::In && !state.gone.has(who);
        if there && here.iter().any(|pc| !state.being(pc).unaware_of.has(who)) {
            state.unseen = state.unseen.without(who);
        }
    }
}

/// What somebody does openly is noticed by everybody who could see it. Those it is done
/// to notice it only as it strikes; the players see it at once (`open-attack-noticed`).
pub(crate) fn openly(play: &mut Play<'_, impl Sink<Event>>, by: Char, to: CharSet) {
    for who in play.state.present().minus(to).without(by).iter() {
        let being = play.state.being_mut(who);
        if being.unaware_of.has(by) && !being.heedless_of.has(by) {
            being.unaware_of = being.unaware_of.without(by);
            play.event(Event::Aware { who, of: by });
        }
    }
    play.state.unseen = play.state.unseen.without(by);
}

/// The target notices an attack that is not veiled, or a veiled attack that fails
/// (`veiled.failure`), and no veiled success (`veiled.success`).
pub(crate) fn attacked(
    play: &mut Play<'_, impl Sink<Event>>,
    by: Char,
    on: Char,
    success: bool,
    veiled: bool,
) {
    let being = play.state.being_mut(on);
    if !(veiled && success) && being.unaware_of.has(by) {
        being.unaware_of = being.unaware_of.without(by);
        play.event(Event::Aware { who: on, of: by });
    }
}

/// Whether only somebody out of sight knows where something is. What somebody left lying
/// about when they went is still seen.
pub(crate) fn is_concealed(state: &State, item: Item) -> bool {
    let place = state.place(item);
    state.unseen.has(place.holder) || (state.gone.has(place.holder) && place.lie != Lie::Ground)
}

/// Where something is as far as somebody can tell: to players' characters, what somebody
/// unseen has, or has put somewhere, is out of play.
pub(crate) fn place_to(at: At<'_>, who: Char, item: Item) -> Place {
    let place = at.state.place(item);
    if at.rules.is_pc(who) && is_concealed(at.state, item) {
        return Place { lie: Lie::Gone, disarmed: false, lost_by: None, ..place };
    }
    place
}
