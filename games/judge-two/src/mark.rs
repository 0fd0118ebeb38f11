//! Marks, being released from stricken, rivening.

use crate::{disguise, event::Event, rules::Rules, state::State, vocab::*};
use fracas_kernel::{Objections, Sink};

/// Reasons why this mark cannot be imposed on this character.
pub(crate) fn object(rules: &Rules, state: &State, on: Char, mark: Mark, out: &mut impl Objections) {
    object_in_sight(state, on, mark, out);
    object_hidden(rules, state, on, mark, out);
}

/// The same without the defender's abilities, which players may not know.
pub(crate) fn object_in_sight(state: &State, on: Char, mark: Mark, out: &mut impl Objections) {
    if state.being(on).marks.has(mark) {
        out.no(clause!("mark-repeat"), "they bear this mark already: another mark, or two threats");
    }
}

/// Reasons in the defender's abilities.
pub(crate) fn object_hidden(rules: &Rules, state: &State, on: Char, mark: Mark, out: &mut impl Objections) {
    if rules.gifts(state, on).any(|gift| gift.forbids_marks.has(mark)) {
        out.no(clause!("ext.feats"), "an ability of the defender's keeps this mark off");
    }
}

/// Imposes a mark, with its origin, and riven where it makes them.
pub(crate) fn impose(
    rules: &Rules,
    state: &mut State,
    by: Option<Char>,
    on: Char,
    mark: Mark,
    form: Form,
    sink: &mut impl Sink<Event>,
) {
    let being = state.being_mut(on);
    being.marks = being.marks.with(mark);
    if form.is_physical() {
        being.physical = being.physical.with(mark);
    }
    sink.event(Event::Mark { by, on, mark });
    let bleeds = form.is_physical() && matches!(mark, Mark::Crush | Mark::Pierce);
    if bleeds && rules.is_pc(on) && rules.sheet(on).shuvin {
        state.being_mut(on).riven = true;
        sink.event(Event::Riven(on));
        reveal(state, on, state.present().or(by.map_or(CharSet::NONE, CharSet::one)));
    }
    // A mark of a subtle attack costs composure (`subtle.composure-lost`).
    if form == Form::Subtle {
        disguise::lose_composure(state, on, clause!("subtle.composure-lost"), sink);
    }
}

/// These learn that somebody is shuvin (`riven.reveals`), for good
/// (`rivening-duration`).
pub(crate) fn reveal(state: &mut State, who: Char, to: CharSet) {
    let being = state.being_mut(who);
    being.known_to = being.known_to.or(to.without(who));
}

/// Whoever is there while somebody is riven sees it, latecomers too.
pub(crate) fn witness(state: &mut State) {
    let here = state.present();
    for i in 0..state.cast.len() as u8 {
        if state.being(Char(i)).riven {
            reveal(state, Char(i), here);
        }
    }
}

/// An innocent success of a player's attack releases stricken allies of those
/// who made it (`mark.stricken-pc`), in a group those outside it.
pub(crate) fn release_pcs(rules: &Rules, state: &mut State, attackers: CharSet, sink: &mut impl Sink<Event>) {
    let Some(by) = attackers.first() else { return };
    for who in state.pcs(rules).minus(attackers).iter() {
        if state.allies(who, by) {
            release(state, who, sink);
        }
    }
}

/// A guilty failure of a save releases stricken opponents of whoever made it
/// (`mark.stricken-npc`).
pub(crate) fn release_npcs(rules: &Rules, state: &mut State, saver: Char, sink: &mut impl Sink<Event>) {
    for who in state.opponents(saver).minus(rules.pcs).iter() {
        release(state, who, sink);
    }
}

fn release(state: &mut State, who: Char, sink: &mut impl Sink<Event>) {
    let being = state.being_mut(who);
    if being.marks.has(Mark::Stricken) && !being.released {
        being.released = true;
        sink.event(Event::Released(who));
    }
}

/// Lifts a mark, and what came of it: a later mark waits for another success
/// (`stricken-later`).
pub(crate) fn lift(state: &mut State, who: Char, mark: Mark) {
    let being = state.being_mut(who);
    being.marks = being.marks.without(mark);
    being.physical = being.physical.without(mark);
    being.released &= mark != Mark::Stricken;
}

/// Lifts marks.
pub(crate) fn recover(state: &mut State, who: Char, marks: MarkSet, rest: Rest, sink: &mut impl Sink<Event>) {
    for mark in marks.iter() {
        lift(state, who, mark);
        sink.event(Event::Recovered { who, mark, rest });
    }
}
