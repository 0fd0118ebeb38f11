//! The table drawn: who stands where, and what ties them.

use crate::state::{Fate, Frame, State};
use crate::view::{bound_with, is_hidden};
use crate::{At, JudgeTwo, flow, rules::Rules, scene, vocab::*};
use fracas_kernel::{Apart, Clause, Game, LinkKind, Stage, Stands, Viewer, Words};

/// The table as this viewer may see it drawn.
pub(crate) fn stage(at: At<'_>, viewer: Viewer) -> Stage {
    let mut stage = Stage::of(&JudgeTwo::cards(at.rules, at.state, viewer), &JudgeTwo::seats(at.rules));
    if at.state.form.is_some() {
        stage.note += &format!(", round {}", at.state.round);
    }
    let slug = |who: Char| at.rules.sheet(who).slug.as_str();
    // What somebody unseen is at is not under way for players.
    let seen = flow::without_unseen(at).filter(|_| !viewer.is_gm());
    let stack = seen.as_ref().map_or(&at.state.stack, |seen| &seen.stack);
    let acting = stack.iter().rev().find_map(|frame| acting(at.state, frame, viewer)).unwrap_or_default();
    let everybody = || at.rules.everybody().filter(|&who| !is_hidden(at.state, who, viewer));
    for who in everybody() {
        let by = at.state.being(who).misdirected_by;
        let misdirect = clause!("threat.misdirect");
        let by = by
            .iter()
            .filter(|&by| stage.link(LinkKind::Misdirects, (slug(by), slug(who)), "misdirects", misdirect));
        let misdirected = by.count() > 0;
        let others = bound_with(at, who);
        let entangle = clause!("threat.entangle");
        for other in others.iter().filter(|other| other.0 > who.0) {
            stage.link(LinkKind::Bound, (slug(who), slug(other)), "is bound with", entangle);
        }
        let bound = others.iter().any(|other| stage.token(slug(other)).is_some());
        let Some(token) = stage.token_mut(slug(who)) else { continue };
        // Whom they do not see they are bound with, or misdirected by, stays a mark.
        let is_linked = |clause: Option<Clause>| {
            misdirected && clause == Some(misdirect) || bound && clause == Some(entangle)
        };
        token.marks.retain(|mark| !is_linked(mark.clause));
        let kind = at.rules.sheet(who).kind;
        token.kind = if kind == Kind::Pc { "character".to_owned() } else { kind.to_string() };
        token.stands = stands(at.state, who);
        token.acts = acting.has(who);
    }
    for frame in stack {
        links(frame, viewer, &mut |kind, from, to| {
            let (text, clause) = match kind {
                LinkKind::Guards => ("guards", clause!("guard.choice")),
                LinkKind::Opposes => ("acts against", clause!("cl.npc-pl")),
                _ => ("attacks", clause!("attack.definition")),
            };
            stage.link(kind, (slug(from), slug(to)), text, clause);
        });
    }
    stage.apart = apart(at.rules, at.state, everybody().filter(|&who| at.state.is_in(who)).collect());
    stage
}

/// Whether somebody takes part (`finisher.defeat`).
fn stands(state: &State, who: Char) -> Stands {
    match state.being(who).fate {
        Fate::In if state.being(who).silenced => Stands::Out,
        Fate::In => Stands::In,
        Fate::Away => Stands::Gone,
        Fate::Dead => Stands::Fallen,
        Fate::Finished(finisher) if finisher.leaves() => Stands::Gone,
        Fate::Finished(finisher) if finisher.leaves_there() => Stands::Out,
        Fate::Finished(Finisher::Provoke) => Stands::Out,
        Fate::Finished(_) => Stands::Fallen,
    }
}

/// Who acts in what is under way, as far as the viewer can see: a veiled attack does not
/// show whose it is. `None` where it is for what lies below to say.
fn acting(state: &State, frame: &Frame, viewer: Viewer) -> Option<CharSet> {
    let by = |by: Option<Char>, veiled: bool| {
        by.filter(|_| viewer.is_gm() || !veiled).map_or(CharSet::NONE, CharSet::one)
    };
    let first = |all: CharSet| by(all.first(), false);
    Some(match *frame {
        Frame::Turn(turn) => turn.members,
        Frame::Group(group) => group.members,
        Frame::Test(test) => test.members,
        Frame::Deed { who, .. } => CharSet::one(who),
        Frame::NpcTurn { npc, open, .. } => by(Some(npc), !open),
        Frame::Danger(danger) => by(danger.by, danger.veiled),
        Frame::Save(save) => by(save.danger.by, save.danger.veiled).with(save.saver()),
        Frame::Harm(harm) => by(harm.by, harm.veiled),
        Frame::Accept { harm, .. } => CharSet::one(harm.on),
        Frame::Shares(shares) => first(shares.left),
        Frame::Counters { by, .. } => CharSet::one(by),
        Frame::Draw { left, veiled } => by(left.first(), veiled),
        Frame::Fading { queue } => by(scene::fades_next(state, queue), false),
        Frame::Resting { queue, .. } | Frame::Dressing { queue } => first(queue),
        Frame::Intervene(_) | Frame::Death { .. } | Frame::Aftermath | Frame::Between => CharSet::NONE,
        Frame::Provoked { .. } | Frame::Attacker { .. } => return None,
    })
}

/// Whom what is under way ties.
fn links(frame: &Frame, viewer: Viewer, each: &mut impl FnMut(LinkKind, Char, Char)) {
    let sees = |veiled: bool| viewer.is_gm() || !veiled;
    let mut guard = |guard: Option<Char>, on: Char| {
        guard.into_iter().for_each(|guard| each(LinkKind::Guards, guard, on));
    };
    match *frame {
        Frame::Test(test) => {
            test.on.into_iter().for_each(|on| guard(test.guard, on));
            for who in test.members.iter() {
                test.on.into_iter().for_each(|on| each(LinkKind::Aims, who, on));
                test.against.into_iter().for_each(|on| each(LinkKind::Opposes, who, on));
            }
        }
        Frame::Save(save) => {
            guard(save.guard, save.on);
            if let Some(by) = save.danger.by.filter(|_| sees(save.danger.veiled)) {
                each(LinkKind::Aims, by, save.on);
            }
        }
        Frame::Danger(danger) => {
            if let Some(by) = danger.by.filter(|_| sees(danger.veiled)) {
                danger.queue.iter().for_each(|on| each(LinkKind::Aims, by, on));
            }
        }
        Frame::Harm(harm) => {
            if let Some(by) = harm.by.filter(|_| sees(harm.veiled)) {
                each(LinkKind::Aims, by, harm.on);
            }
        }
        Frame::Shares(shares) => {
            guard(shares.guard, shares.on);
            shares.members.iter().for_each(|who| each(LinkKind::Aims, who, shares.on));
        }
        _ => {}
    }
}

/// Who of these is not close to whom, where distance matters.
fn apart(rules: &Rules, state: &State, all: CharSet) -> Vec<Apart> {
    if !state.form.is_none_or(Form::has_ranges) {
        return Vec::new();
    }
    let slug = |who: Char| rules.sheet(who).slug.clone();
    let pairs = all.iter().flat_map(|one| all.iter().map(move |other| (one, other)));
    let pairs = pairs.filter(|&(one, other)| one.0 < other.0 && state.range(one, other) != Band::Close);
    let apart = pairs.map(|(one, other)| {
        let band = state.range(one, other);
        Apart { one: slug(one), other: slug(other), band: band.to_string(), steps: band as u8 }
    });
    apart.collect()
}
