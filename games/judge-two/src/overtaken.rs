//! What was declared before something else came between: a word of the gamemaster's, or
//! the intervention of a long test (`overtaken`).

use crate::state::{
    Arms, Cause, Danger, Fate, Frame, Group, GroupStep, Ruled, Save, SaveStep, Shares, State, Test, TestStep,
    Turn,
};
use crate::{
    At, Play, answer::MAX_GROUP, arms, attack, event::Event, flow, group, harm, intervene, judging::place,
    scene, turn, vocab::*,
};
use fracas_kernel::{Sink, fine};

/// Takes those who take no part any more out of the frame on top, and drops a frame that
/// is not possible any more. Gives whether anything changed.
pub(crate) fn keep_up(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    let gone = |who: Char| !play.state.is_in(who);
    match play.state.top().copied() {
        // The rest of a group whose proposer is gone, or can do nothing more, has the turn;
        // its deeds are done.
        Some(Frame::Turn(turn)) if !turn.done && !group::able(play.state, turn.members).has(turn.who) => {
            let there = turn.members.and(play.state.present());
            let left = group::able(play.state, turn.members).first();
            let left = left.or(Some(turn.who).filter(|&who| there.has(who))).or(there.first());
            left.is_some_and(|who| {
                let deeds = group::deeds_of(play.state, who);
                let deeds = if who == turn.who { deeds.max(turn.deeds) } else { deeds };
                (who, deeds) != (turn.who, turn.deeds)
                    && replace(play.state, Frame::Turn(Turn { who, deeds, ..turn }))
            })
        }
        Some(Frame::Deed { who, deed }) => {
            if gone(who) {
                play.state.stack.pop();
                return true;
            }
            let (deeds, opened) = match play.state.below() {
                Some(Frame::Turn(turn)) => (turn::deeds(play.state, turn), turn.opened),
                _ => (0, false),
            };
            let possible = fine(|out| turn::object_deed(play.at(), who, deeds, opened, deed, out));
            if !possible {
                play.state.stack.pop();
                play.event(Event::FellAway(who));
            }
            !possible
        }
        Some(Frame::Group(group)) => gather(play, group),
        Some(Frame::Test(test)) if test.step.is_before_dice() && test.step != TestStep::Opening => {
            try_on(play, test)
        }
        Some(Frame::Save(save)) => stand(play, save),
        Some(Frame::Danger(danger)) => threaten(play, danger),
        Some(Frame::Shares(shares)) if is_lost(play.at(), &shares) => {
            play.state.stack.pop();
            play.event(Event::Unaffected { who: shares.on, why: clause!("finisher.defeat") });
            true
        }
        Some(Frame::Harm(harm)) if harm.cause == Cause::Counter => {
            let can =
                harm.by.is_some_and(|by| harm::may_counter(play.at(), by, harm.on, harm.form, harm.range));
            if !can {
                play.state.stack.pop();
            }
            !can
        }
        Some(Frame::Counters { by, on, at }) => {
            let form = flow::attack_form(play.state);
            let can = |&who: &Char| harm::may_counter(play.at(), by, who, form, play.state.range(who, at));
            let left = on.iter().filter(can).collect();
            left != on && replace(play.state, Frame::Counters { by, on: left, at })
        }
        // Whether somebody dies is asked while they are struck down, and nothing else.
        Some(Frame::Death { who }) => {
            let off = play.state.being(who).fate != Fate::Finished(Finisher::Kill);
            if off {
                play.state.stack.pop();
            }
            off
        }
        Some(Frame::Fading { queue }) => {
            let left = queue.and(scene::fading(play.at()));
            left != queue && replace(play.state, Frame::Fading { queue: left })
        }
        Some(Frame::Resting { rest, queue }) => {
            let left = rests_on(play.state, queue);
            left != queue && replace(play.state, Frame::Resting { rest, queue: left })
        }
        Some(Frame::Dressing { queue }) => {
            let left = rests_on(play.state, queue);
            left != queue && replace(play.state, Frame::Dressing { queue: left })
        }
        _ => false,
    }
}

/// Of those who rest, those still alive.
fn rests_on(state: &State, queue: CharSet) -> CharSet {
    queue.iter().filter(|&who| state.being(who).fate != Fate::Dead).collect()
}

/// Takes somebody who leaves out of the rest under way: nothing more is asked of them. A
/// rest of somebody who was away already goes on.
pub(crate) fn leaves_rest(state: &mut State, who: Char) {
    for frame in &mut state.stack {
        if let Frame::Resting { queue, .. } | Frame::Dressing { queue } = frame {
            *queue = queue.without(who);
        }
    }
}

/// Whether nothing is left that the further sets of a group could do: their target is
/// gone, and no guard or fellow brutes are there in its place.
pub(crate) fn is_lost(at: At<'_>, shares: &Shares) -> bool {
    !shares.left.is_empty()
        && !at.state.is_in(shares.on)
        && at.rules.sheet(shares.on).kind != Kind::Brute
        && shares.guard.is_none_or(|guard| !at.state.is_in(guard))
}

/// A danger comes to characters who are present. Until its terms are settled, a danger from
/// a character comes only to those whom that character may still endanger so.
fn threaten(play: &mut Play<'_, impl Sink<Event>>, mut danger: Danger) -> bool {
    let mut left = danger.queue.and(play.state.present());
    if let Some(by) = danger.by.filter(|_| !danger.settled) {
        left = left.iter().filter(|&who| can_endanger(play.at(), &danger, by, who)).collect();
        let spared = danger.queue.minus(left);
        if !spared.is_empty() {
            play.event(Event::Averted(spared));
        }
        if left.is_empty() {
            // What else they did would show whose the danger was (`npc-veiled-visible`).
            if danger.veiled {
                intervene::turn_is_over(play.state);
            }
            play.state.stack.pop();
            return true;
        }
    }
    let changed = left != danger.queue;
    danger.queue = left;
    changed && replace(play.state, Frame::Danger(danger))
}

/// Whether a character may still attack or endanger somebody as they declared.
fn can_endanger(at: At<'_>, danger: &Danger, by: Char, who: Char) -> bool {
    let deeds = match at.state.below() {
        Some(Frame::NpcTurn { deeds, .. }) => *deeds,
        _ => 0,
    };
    if !at.state.is_in(by) || !fine(|out| turn::object_test(at.state, by, deeds, out)) {
        return false;
    }
    let Some(form) = danger.form else { return at.state.being(by).bind == 0 };
    let back = danger.fallback && at.state.being(by).misdirected_by.has(who);
    arms::still_reaches(at, (by, who), form, danger.veiled, danger.arms)
        && fine(|out| {
            attack::object(at, by, who, back, out);
            attack::object_silenced(at.state, by, danger.form, danger.veiled, out);
        })
}

/// Puts this in the place of what is on top.
fn replace(state: &mut State, frame: Frame) -> bool {
    state.replace_top(frame);
    true
}

/// What each of those left has said.
fn of_those_left<T: Copy>(said: [T; MAX_GROUP], members: CharSet, left: CharSet) -> [T; MAX_GROUP] {
    let mut kept = said;
    for (to, who) in kept.iter_mut().zip(left.iter()) {
        *to = said[place(members, who)];
    }
    kept
}

/// Tells of those who drop out of a group, though they are there: they have had a deed.
fn drop_out(state: &State, members: CharSet, sink: &mut impl Sink<Event>) {
    let spent = members.and(state.present()).minus(group::able(state, members));
    spent.iter().for_each(|who| sink.event(Event::FellAway(who)));
}

/// Whether a group may still be proposed, and what for.
fn can_gather(at: At<'_>, group: &Group) -> bool {
    let with = group.members.without(group.lead);
    let proposed = match at.state.below() {
        Some(Frame::Turn(turn)) => fine(|out| turn::object_group(at, turn, with, out)),
        _ => true,
    };
    proposed && fine(|out| group::object_aim(at, group, group::aim_of(group), out))
}

/// A group goes on without members who are gone or have had a deed and are crushed since;
/// the last member left acts alone. Nobody is asked to join what is not possible any more.
fn gather(play: &mut Play<'_, impl Sink<Event>>, mut group: Group) -> bool {
    let left = group::able(play.state, group.members);
    if left == group.members {
        let off = group.step == GroupStep::Join && !can_gather(play.at(), &group);
        if off {
            play.state.stack.pop();
            play.event(Event::FellAway(group.lead));
        }
        return off;
    }
    if left.len() > 1 {
        drop_out(play.state, group.members, play.sink);
        group.attributes = of_those_left(group.attributes, group.members, left);
        group.deeds = of_those_left(group.deeds, group.members, left);
        group.lead = group::lead(play.state, left);
        (group.members, group.waiting) = (left, group.waiting.and(left));
        return replace(play.state, Frame::Group(group));
    }
    play.state.stack.pop();
    play.event(Event::FellAway(group.lead));
    let deeds = group::deeds_of(play.state, group::lead(play.state, left));
    if let Some(Frame::Turn(turn)) = play.state.stack.last_mut() {
        // Of a group that has done its deeds everybody has had a turn.
        if group.again {
            turn.deeds = deeds;
        } else {
            turn.members = CharSet::one(turn.who);
        }
    }
    true
}

/// A test whose dice have not fallen is still made by those who are there, if it can be.
fn try_on(play: &mut Play<'_, impl Sink<Event>>, mut test: Test) -> bool {
    let left = if test.on_turn {
        group::able(play.state, test.members)
    } else {
        test.members.and(play.state.present())
    };
    // Of a group everybody's own limits are those of the moment (`group-member-limits`).
    let falls_back = test.on.is_some_and(|on| group::any_falls_back(play.at(), left, on));
    if left != test.members && !left.is_empty() {
        if test.on_turn {
            drop_out(play.state, test.members, play.sink);
        }
        test.attributes = of_those_left(test.attributes, test.members, left);
        (test.members, test.fallback) = (left, falls_back);
        return replace(play.state, Frame::Test(test));
    }
    if test.is_group() && test.fallback != falls_back {
        test.fallback = falls_back;
        return replace(play.state, Frame::Test(test));
    }
    if test.guard.is_some_and(|guard| !play.state.is_in(guard)) {
        test.guard = None;
        return replace(play.state, Frame::Test(test));
    }
    if is_possible(play.at(), &test) {
        return false;
    }
    fall_away(play, &test);
    if test.is_group() && !left.is_empty() {
        group::again(play.state, left);
    }
    true
}

/// What was declared is not possible any more; in a turn something else may be.
pub(crate) fn fall_away(play: &mut Play<'_, impl Sink<Event>>, test: &Test) {
    undeclare(play.state, test);
    play.event(Event::FellAway(group::lead(play.state, test.members)));
}

/// Takes a test back, and notes in its turn what holds for whatever is declared instead:
/// the intervention that opened it does not come again (`long-actor-removed`); until it
/// has come, a deed ruled to be a long test is one still. The last of a group has done
/// the group's deeds.
pub(crate) fn undeclare(state: &mut State, test: &Test) {
    state.stack.pop();
    let deeds = group::deeds_of(state, test.lead());
    // A test that was called for belongs to nobody's turn.
    if test.on_turn
        && let Some(Frame::Turn(turn)) = state.stack.last_mut()
    {
        turn.opened |= test.had_opening();
        if test.long && !turn.opened && test.step == TestStep::Settle {
            turn.ruled = Ruled::LongTest;
        }
        if turn.members.len() > 1 && !test.is_group() {
            turn.deeds = turn.deeds.max(deeds);
        }
    }
}

/// Whether a test is still possible as it was declared.
pub(crate) fn is_possible(at: At<'_>, test: &Test) -> bool {
    if test.members.iter().any(|who| !at.state.is_in(who)) {
        return false;
    }
    // What the gamemaster called for they meant, however it stands with who tests.
    if !test.on_turn {
        return true;
    }
    if test.members.iter().any(|who| group::is_spent(at.state, who)) {
        return false;
    }
    let attacks = |who: Char, on: Char| {
        let back = if test.is_group() { group::falls_back(at, who, on) } else { test.fallback };
        fine(|out| {
            attack::object(at, who, on, back, out);
            attack::object_silenced(at.state, who, test.form, test.veiled, out);
            let form = test.form.unwrap_or(Form::Martial);
            // What was in hand may be gone: then with what there is now.
            let with = test.arms.with.filter(|&with| at.state.being(who).readied.has(with));
            arms::object_reach(at, (who, on), form, test.veiled, Arms { with, ..test.arms }, out);
        })
    };
    let tests = |who: Char| {
        at.state.being(who).bind == 0
            && test.toward.is_none_or(|toward| at.state.is_in(toward))
            && fine(|out| turn::object_against(at, test.against, out))
    };
    let can = |who: Char| match test.on {
        Some(on) => attacks(who, on),
        None => tests(who),
    };
    let lead = test.lead();
    let deeds = match at.state.below() {
        Some(Frame::Turn(turn)) if test.on_turn => turn::deeds(at.state, turn),
        _ => 0,
    };
    // What it costs is paid as the terms are settled, and stays paid.
    let serves = |ability| match test.step {
        TestStep::Settle => fine(|out| turn::object_ability(at, lead, ability, false, out)),
        _ => still_serves(at, lead, ability),
    };
    test.members.iter().all(can)
        && fine(|out| turn::object_test(at.state, lead, deeds, out))
        && test.ability.is_none_or(serves)
}

/// Whether an ability that was paid for still serves (`mark.afflict-abilities`).
fn still_serves(at: At<'_>, who: Char, ability: Ability) -> bool {
    !at.state.being(who).marks.has(Mark::Afflict) && at.rules.has_ability(at.state, who, ability)
}

/// A character who is gone does not save, and guards nobody. A saver whose ability does not
/// serve any more names an essence anew.
fn stand(play: &mut Play<'_, impl Sink<Event>>, save: Save) -> bool {
    if matches!(save.step, SaveStep::Judge | SaveStep::Effects) {
        return false;
    }
    if !play.state.is_in(save.on) {
        play.state.stack.pop();
        // Between players the attack has been rolled.
        if save.pvp {
            play.event(Event::Unaffected { who: save.on, why: clause!("finisher.defeat") });
        }
        return true;
    }
    let anew = Save { named: None, ability: None, step: SaveStep::Essence, ..save };
    if save.guard.is_some_and(|guard| !play.state.is_in(guard)) {
        return replace(play.state, Frame::Save(Save { guard: None, ..anew }));
    }
    let who = save.saver();
    let lost = save.ability.is_some_and(|ability| !still_serves(play.at(), who, ability));
    if lost {
        play.event(Event::FellAway(who));
    }
    lost && replace(play.state, Frame::Save(anew))
}
