//! Interventions, and the turns they give to the gamemaster's characters.

use crate::state::{Arms, Danger, Frame, Intervene, State};
use crate::turn::{self, form_of};
use crate::{
    At, Play, answer::Answer, arms, attack, deed, event::Event, notice, rules::Chain, save, script, threat,
    vocab::*,
};
use fracas_kernel::{Objections, Sink, Told, Viewer, fine, takes};

/// Reasons why these cannot be made to save.
pub(crate) fn object_saver(at: At<'_>, who: CharSet, out: &mut impl Objections) {
    if who.is_empty() {
        out.no(clause!("save.one-per-danger"), "a danger endangers somebody: name who saves");
    }
    if who.iter().any(|who| !at.rules.is_pc(who)) {
        out.no(clause!("core.players-roll"), "only players' characters save");
    } else if who.iter().any(|who| !at.state.is_in(who)) {
        out.no(clause!("finisher.defeat"), "one of them takes no further part");
    }
}

/// Each of these alone, then all of them.
fn each_endangered(all: CharSet, each: &mut impl FnMut(CharSet)) {
    for who in all.iter() {
        each(CharSet::one(who));
    }
    if all.len() > 1 {
        each(all);
    }
}

/// The chosen intervention is over: does another follow (`save.chain`)?
pub(crate) fn go_on(play: &mut Play<'_, impl Sink<Event>>, mut intervene: Intervene) {
    if intervene.guilty > 0 {
        intervene.owed = intervene.owed.saturating_add(match play.rules.options.chain {
            Chain::OneInAll => 1,
            Chain::OnePerSave => intervene.guilty,
        });
        intervene.guilty = 0;
    }
    if intervene.owed == 0 {
        play.state.stack.pop();
        return;
    }
    intervene.owed -= 1;
    intervene.chosen = false;
    play.state.replace_top(Frame::Intervene(intervene));
    play.event(Event::Intervention { opening: false, why: clause!("save.chain") });
}

/// All saves of a danger are made: guilty ones lead to another intervention.
pub(crate) fn danger_over(play: &mut Play<'_, impl Sink<Event>>, danger: Danger) {
    play.state.stack.pop();
    if danger.guilty > 0 {
        chain(play, danger.guilty);
    }
    if let (Some(by), Some(form), true) = (danger.by, danger.form, danger.hit) {
        script::offer(play.state, CharSet::one(by), form, danger.veiled);
    }
}

/// Guilty saves lead to another intervention (`save.chain`).
fn chain(play: &mut Play<'_, impl Sink<Event>>, guilty: u8) {
    if let Some(Frame::Intervene(intervene)) =
        play.state.stack.iter_mut().rev().find(|frame| matches!(frame, Frame::Intervene(_)))
    {
        intervene.guilty = intervene.guilty.saturating_add(guilty);
    } else {
        // A save called for outside any intervention.
        turn::intervene(play, false, clause!("save.chain"));
    }
}

/// Whether the saves of the intervention under way are quick.
fn is_quick(state: &State) -> bool {
    state.stack.iter().rev().any(|frame| matches!(frame, Frame::Intervene(i) if i.quick))
}

/// The turn of a character whose attack comes about is over.
pub(crate) fn turn_is_over(state: &mut State) {
    let below = state.stack.len().checked_sub(2);
    if let Some(at) = below.filter(|&at| matches!(state.stack[at], Frame::NpcTurn { .. })) {
        state.stack.remove(at);
    }
}

/// What an intervention is (`intervene.kind`).
pub(crate) mod kind {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let opening = matches!(at.state.top(), Some(Frame::Intervene(intervene)) if intervene.opening);
        Told::new(if opening { "You intervene before the long test: how?" } else { "You intervene: how?" })
            .why(clause!("intervene.kind"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        for &turnabout in Turnabout::ALL {
            each(Answer::Tell(turnabout));
        }
        for npc in at.state.present().minus(at.rules.pcs).iter() {
            each(Answer::Grant(npc));
        }
        each_endangered(at.state.pcs(at.rules), &mut |who| each(Answer::Danger(who)));
    }

    takes!(
        Answer,
        Answer::Tell(_) | Answer::Grant(_) | Answer::Danger(_),
        clause!("intervene.kind"),
        "expected tell, grant or danger"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Tell(_) => {}
            Answer::Grant(npc) => {
                if at.rules.is_pc(npc) {
                    let what = "an intervention gives a turn to one of the gamemaster's characters";
                    out.no(clause!("npc.turn"), what);
                } else if !at.state.is_in(npc) {
                    out.no(clause!("finisher.defeat"), "they take no further part in this conflict");
                }
            }
            Answer::Danger(who) => object_saver(at, who, out),
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        let form = play.state.form;
        let Some(Frame::Intervene(intervene)) = play.state.stack.last_mut() else { return };
        intervene.chosen = true;
        let quick = intervene.quick;
        match answer {
            Answer::Tell(turnabout) => play.event(Event::Told(turnabout)),
            Answer::Grant(npc) => {
                play.event(Event::Lurks(npc));
                play.state.push(Frame::NpcTurn { npc, deeds: 0, open: false });
            }
            Answer::Danger(who) => play.state.push(Frame::Danger(Danger {
                // Whether it harms, or is only told, the terms say.
                form: None,
                ..save::danger(play.rules, None, who, form, quick)
            })),
            _ => {}
        }
    }
}

/// What a character does with the turn it was given (`npc.turn`).
pub(crate) mod given {
    use super::*;

    pub(crate) fn told(at: At<'_>, npc: Char, _: Viewer) -> Told {
        Told::new(format!("{} has a turn: what does it do?", at.rules.name(npc))).why(clause!("npc.turn"))
    }

    pub(crate) fn legal(at: At<'_>, npc: Char, each: &mut impl FnMut(Answer)) {
        let Some(&Frame::NpcTurn { deeds, .. }) = at.state.top() else { return };
        let can = |answer| fine(|out| object(at, npc, answer, out));
        if turn::deeds_left(at, npc, deeds) > 0 {
            deed::each(at, npc, &mut |deed| each(Answer::Deed(deed)));
        }
        let testing = fine(|out| turn::object_test(at.state, npc, deeds, out));
        if testing && at.state.form.is_some() {
            let fallback = attack::must_fall_back(at, npc);
            let targets: CharSet = attack::targets(at, npc).map(|(on, _)| on).collect();
            let assault = |on, veiled, arms: Arms| {
                let Arms { with, manner, moves } = arms;
                Answer::Assault { on, veiled, fallback, form: None, with, manner, moves }
            };
            let plain = Arms::default();
            let mut near = CharSet::NONE;
            for on in targets.iter() {
                if can(assault(CharSet::one(on), false, plain)) {
                    near = near.with(on);
                } else {
                    // Moving up, or throwing what cannot reach.
                    for arms in [
                        Arms { moves: Some(Moves::In), ..plain },
                        Arms { manner: Some(Manner::Throw), ..plain },
                    ] {
                        let moved = assault(CharSet::one(on), false, arms);
                        if can(moved) {
                            each(moved);
                        }
                    }
                }
            }
            each_endangered(near, &mut |on| each(assault(on, false, plain)));
            for on in targets.iter() {
                let veiled = assault(CharSet::one(on), true, plain);
                if can(veiled) {
                    each(veiled);
                }
            }
        }
        if testing && at.state.being(npc).bind == 0 {
            for who in at.state.pcs(at.rules).iter() {
                each(Answer::Danger(CharSet::one(who)));
            }
        }
        each(Answer::Pass);
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Deed(_) | Answer::Danger(_) | Answer::Assault { .. },
        clause!("npc.turn"),
        "in such a turn: deed, assault, danger or pass"
    );

    pub(crate) fn object(at: At<'_>, npc: Char, answer: Answer, out: &mut impl Objections) {
        let Some(&Frame::NpcTurn { deeds, .. }) = at.state.top() else { return };
        match answer {
            Answer::Pass => {}
            Answer::Deed(deed) => turn::object_deed(at, npc, deeds, false, deed, out),
            Answer::Danger(who) => {
                turn::object_test(at.state, npc, deeds, out);
                if at.state.being(npc).bind != 0 {
                    let what = "a bound character can only attack those it is bound with";
                    out.no(clause!("threat.entangle-limits"), what);
                }
                object_saver(at, who, out);
            }
            Answer::Assault { on, fallback, form, veiled, with, manner, moves } => {
                turn::object_test(at.state, npc, deeds, out);
                object_saver(at, on, out);
                // It falls back on those alone who have misdirected it, and on one at least.
                let misled_by = on.and(at.state.being(npc).misdirected_by);
                for who in on.iter() {
                    let back = fallback && (misled_by.has(who) || misled_by.is_empty());
                    attack::object(at, npc, who, back, out);
                }
                let Some(form) = form_of(at.state, form) else {
                    out.no(clause!("conflict.forms"), "there is no conflict: name the `form` of the attack");
                    return;
                };
                attack::object_silenced(at.state, npc, Some(form), veiled, out);
                if moves.is_some() && veiled {
                    out.no(clause!("npc-veiled-visible"), "a longer move would show who it is");
                }
                if manner == Some(Manner::Throw) && on.len() > 1 {
                    out.no(clause!("martial.throw"), "one weapon is thrown at one opponent");
                }
                if moves.is_some() && on.len() > 1 {
                    out.no(clause!("move.npc"), "a longer move leads up to one of them: attack that one");
                }
                for who in on.iter() {
                    arms::object_reach(at, (npc, who), form, veiled, Arms { with, manner, moves }, out);
                }
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, npc: Char, answer: Answer) {
        let Some(Frame::NpcTurn { open, .. }) = play.state.stack.last().copied() else { return };
        let veiled = matches!(answer, Answer::Assault { veiled: true, .. });
        // A turn that stays unseen ends no weakness: that would tell whose it is
        // (`npc-veiled-visible`).
        if !open && !veiled {
            play.event(Event::NpcTurn(npc));
            threat::turn_begins(play, npc);
        }
        // The turn lasts until the terms are settled, and goes on where nothing comes of the
        // attack before.
        if let Some(Frame::NpcTurn { open, .. }) = play.state.stack.last_mut() {
            *open |= !veiled;
        }
        match answer {
            Answer::Deed(deed) => {
                // What lies about does not go by itself (`unseen-acts`).
                if deed::shows(play.at(), deed) {
                    notice::openly(play, npc, CharSet::NONE);
                }
                deed::carry_out(play, npc, deed);
                play.event(Event::Deed { who: npc, deed });
                if let Some(Frame::NpcTurn { deeds, .. }) = play.state.stack.last_mut() {
                    *deeds += 1;
                }
            }
            Answer::Assault { on, veiled, fallback, form, with, manner, moves } => {
                let form = form_of(play.state, form);
                play.event(Event::Danger { who: on, by: Some(npc), veiled, form });
                if !veiled {
                    notice::openly(play, npc, on);
                }
                let mut arms = Arms { with, manner, moves };
                if let (Some(target), Some(moves)) = (on.first(), moves) {
                    arms::make_move(play.state, npc, target, Some(moves));
                    play.event(Event::Sets { who: npc, on: target, moves });
                }
                if let (Some(target), Some(form)) = (on.first(), form) {
                    arms = arms::hurl(play, (npc, target), form, arms);
                }
                // A longer move leaves its target more time (`move.npc`).
                let quick = is_quick(play.state) || moves.is_some();
                arms.moves = None;
                play.state.push(Frame::Danger(Danger {
                    veiled,
                    fallback,
                    arms,
                    ..save::danger(play.rules, Some(npc), on, form, quick)
                }));
            }
            Answer::Danger(who) => {
                play.event(Event::Danger { who, by: Some(npc), veiled: false, form: None });
                let quick = is_quick(play.state);
                play.state.push(Frame::Danger(save::danger(play.rules, Some(npc), who, None, quick)));
            }
            _ => {
                play.state.stack.pop();
                play.event(Event::NpcDone(npc));
                // Of a turn that nobody saw players hear as of a turn of events.
                if play.state.unseen.has(npc) {
                    play.event(Event::Told(Turnabout::Other));
                }
            }
        }
    }
}
