//! Marks, being released from stricken, rivening.

use crate::{At, Play, disguise, event::Event, state::State, vocab::*};
use fracas_kernel::{Objections, Sink};

/// Reasons why this mark cannot be imposed on this character.
pub(crate) fn object(at: At<'_>, on: Char, mark: Mark, out: &mut impl Objections) {
    object_in_sight(at.state, on, mark, out);
    object_hidden(at, on, mark, out);
}

/// The same without the defender's abilities, which players may not know.
pub(crate) fn object_in_sight(state: &State, on: Char, mark: Mark, out: &mut impl Objections) {
    if state.being(on).marks.has(mark) {
        out.no(clause!("mark-repeat"), "they bear this mark already: another mark, or two threats");
    }
}

/// Reasons in the defender's abilities.
pub(crate) fn object_hidden(at: At<'_>, on: Char, mark: Mark, out: &mut impl Objections) {
    if at.rules.gifts(at.state, on).any(|gift| gift.forbids_marks.has(mark)) {
        out.no(clause!("ext.feats"), "an ability of the defender's keeps this mark off");
    }
}

/// Imposes a mark, with its origin, and riven where it makes them.
pub(crate) fn impose(
    play: &mut Play<'_, impl Sink<Event>>,
    by: Option<Char>,
    on: Char,
    mark: Mark,
    form: Form,
) {
    let being = play.state.being_mut(on);
    being.marks = being.marks.with(mark);
    if form.is_physical() {
        being.physical = being.physical.with(mark);
    }
    play.event(Event::Mark { by, on, mark });
    let bleeds = form.is_physical() && matches!(mark, Mark::Crush | Mark::Pierce);
    if bleeds && play.rules.is_pc(on) && play.rules.sheet(on).shuvin {
        play.state.being_mut(on).riven = true;
        play.event(Event::Riven(on));
        reveal(play.state, on, play.state.present().or(by.map_or(CharSet::NONE, CharSet::one)));
    }
    // A mark of a subtle attack costs composure (`subtle.composure-lost`).
    if form == Form::Subtle {
        disguise::lose_composure(play, on, clause!("subtle.composure-lost"));
    }
}

/// These learn that somebody is shuvin (`riven.reveals`), for good
/// (`rivening-duration`).
pub(crate) fn reveal(state: &mut State, who: Char, to: CharSet) {
    let being = state.being_mut(who);
    being.known_to = being.known_to.or(to.without(who));
}

/// Everybody present while somebody is riven sees it, latecomers too.
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
pub(crate) fn release_pcs(play: &mut Play<'_, impl Sink<Event>>, attackers: CharSet) {
    let Some(by) = attackers.first() else { return };
    for who in play.state.pcs(play.rules).minus(attackers).iter() {
        if play.state.allies(who, by) {
            release(play, who);
        }
    }
}

/// A guilty failure of a save releases the saver's stricken opponents
/// (`mark.stricken-npc`).
pub(crate) fn release_npcs(play: &mut Play<'_, impl Sink<Event>>, saver: Char) {
    for who in play.state.opponents(saver).minus(play.rules.pcs).iter() {
        release(play, who);
    }
}

fn release(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let being = play.state.being_mut(who);
    if being.marks.has(Mark::Stricken) && !being.released {
        being.released = true;
        play.event(Event::Released(who));
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
pub(crate) fn recover(play: &mut Play<'_, impl Sink<Event>>, who: Char, marks: MarkSet, rest: Rest) {
    for mark in marks.iter() {
        lift(play.state, who, mark);
        play.event(Event::Recovered { who, mark, rest });
    }
}
