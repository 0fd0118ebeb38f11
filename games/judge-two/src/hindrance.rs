//! What leaves somebody nothing to do with a turn but to pass it.

use crate::state::{Arms, Frame, State};
use crate::{At, JudgeTwo, answer::Prompt, arms, attack, turn, vocab::*};
use fracas_kernel::{Asking, Clause, Slot, fine};

/// What keeps the seat asked at a slot from doing anything.
pub(crate) fn at(at: At<'_>, slot: Slot) -> Option<Clause> {
    match (JudgeTwo::ask_at(at, slot)?.prompt, at.state.top()?) {
        (Prompt::Turn(who), Frame::Turn(turn)) => in_turn(at, who, turn::deeds(at.state, turn)),
        (Prompt::NpcTurn(npc), Frame::NpcTurn { deeds, .. }) => in_turn(at, npc, *deeds),
        // The test comes all the same.
        (Prompt::GroupDeed(who), _) => {
            let crushed = at.state.being(who).marks.has(Mark::Crush);
            crushed.then_some(clause!("mark.crush")).or_else(|| bound(at.state, who))
        }
        (Prompt::Aim(_), Frame::Group(group)) => group.members.iter().find_map(|who| bound(at.state, who)),
        _ => None,
    }
}

/// The same in a turn in which so many deeds are done.
fn in_turn(at: At<'_>, who: Char, deeds: u8) -> Option<Clause> {
    // Both of these end with the turn.
    if !fine(|out| turn::object_test(at.state, who, deeds, out)) {
        return Some(clause!("mark.crush"));
    }
    if !at.rules.is_pc(who) && turn::deeds_left(at, who, deeds) == 0 && at.state.pcs(at.rules).is_empty() {
        return Some(clause!("deed.limit"));
    }
    bound(at.state, who).filter(|_| !can_attack(at, who))
}

/// A bind that holds somebody, as long as an opponent in it takes part: such a bind is
/// left by an attack in it, or broken by one from outside.
fn bound(state: &State, who: Char) -> Option<Clause> {
    let bind = state.being(who).bind;
    let held = bind != 0 && state.opponents(who).iter().any(|other| state.being(other).bind == bind);
    held.then_some(clause!("threat.entangle-limits"))
}

/// Whether somebody could attack from where they are, openly or veiled.
fn can_attack(at: At<'_>, who: Char) -> bool {
    let Some(form) = at.state.form else { return false };
    attack::targets(at, who).any(|(on, _)| {
        [false, true].into_iter().any(|veiled| {
            fine(|out| {
                attack::object_silenced(at.state, who, Some(form), veiled, out);
                arms::object_reach(at, (who, on), form, veiled, Arms::default(), out);
            })
        })
    })
}
