//! What leaves somebody nothing to do with a turn but to pass it.

use crate::{
    answer::Prompt,
    arms, attack, flow,
    rules::Rules,
    state::{Arms, Frame, State},
    turn,
    vocab::*,
};
use fracas_kernel::{Clause, Slot, fine};

/// What keeps the seat asked at a slot from doing anything.
pub(crate) fn at(rules: &Rules, state: &State, slot: Slot) -> Option<Clause> {
    match (flow::ask_at(rules, state, slot)?.prompt, state.top()?) {
        (Prompt::Turn(who), Frame::Turn(turn)) => in_turn(rules, state, who, turn::deeds(state, turn)),
        (Prompt::NpcTurn(npc), Frame::NpcTurn { deeds, .. }) => in_turn(rules, state, npc, *deeds),
        // The test comes all the same.
        (Prompt::GroupDeed(who), _) => {
            let crushed = state.being(who).marks.has(Mark::Crush);
            crushed.then_some(clause!("mark.crush")).or_else(|| bound(state, who))
        }
        (Prompt::Aim(_), Frame::Group(group)) => group.members.iter().find_map(|who| bound(state, who)),
        _ => None,
    }
}

/// The same in a turn in which so many deeds are done.
fn in_turn(rules: &Rules, state: &State, who: Char, deeds: u8) -> Option<Clause> {
    // Both of these end with the turn.
    if !fine(|out| turn::object_test(state, who, deeds, out)) {
        return Some(clause!("mark.crush"));
    }
    if !rules.is_pc(who) && turn::deeds_left(rules, state, who, deeds) == 0 && state.pcs(rules).is_empty() {
        return Some(clause!("deed.limit"));
    }
    bound(state, who).filter(|_| !can_attack(rules, state, who))
}

/// A bind that holds somebody, as long as an opponent in it takes part: such a bind is
/// left by an attack in it, or broken by one from outside.
fn bound(state: &State, who: Char) -> Option<Clause> {
    let bind = state.being(who).bind;
    let held = bind != 0 && state.opponents(who).iter().any(|other| state.being(other).bind == bind);
    held.then_some(clause!("threat.entangle-limits"))
}

/// Whether somebody could attack from where they are, openly or veiled.
fn can_attack(rules: &Rules, state: &State, who: Char) -> bool {
    let Some(form) = state.form else { return false };
    attack::targets(rules, state, who).any(|(on, _)| {
        [false, true].into_iter().any(|veiled| {
            fine(|out| {
                attack::object_silenced(state, who, Some(form), veiled, out);
                arms::object_reach(rules, state, (who, on), form, veiled, Arms::default(), out);
            })
        })
    })
}
