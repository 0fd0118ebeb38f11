//! Threats: who can get which, what they do, and every way they end.

use crate::risk::{has_bonuses, readied};
use crate::state::{Cause, Lie, Poise, State};
use crate::{At, Play, answer::Blow, disguise, event::Event, rules::Rules, scene, vocab::*};
use fracas_kernel::{Clause, Objections, Sink};

/// The clause of a readied keen boon that makes this threat impossible
/// (`boon.keen`), a shield's own (`shield.effect`).
///
/// It protects only against its own form, counterattacks included
/// (`protect-counters`).
fn blocked(at: At<'_>, on: Char, threat: Threat, form: Form) -> Option<Clause> {
    if !has_bonuses(at, on) {
        return None;
    }
    let mut keen = readied(at.state, on)
        .map(|item| at.rules.gear(item))
        .filter(|gear| gear.category == Category::Keen && gear.form == form && gear.blocks.has(threat));
    let first = keen.next()?;
    let shield = first.shield || keen.any(|gear| gear.shield);
    Some(if shield { clause!("shield.effect") } else { clause!("boon.keen") })
}

/// Whether composure makes this threat impossible (`composure.protects`).
fn is_composed(at: At<'_>, on: Char, threat: Threat, form: Form) -> bool {
    form == Form::Subtle
        && matches!(threat, Threat::Entangle | Threat::Weaken)
        && at.state.being(on).poise == Poise::Composed
        && has_bonuses(at, on)
}

/// Whether only a subtle attack takes it away: scripts.
fn is_script(rules: &Rules, item: Item) -> bool {
    rules.scripts.has(item)
}

/// What a disarm could strip of somebody: what they have that can be disarmed, and
/// in a subtle attack their scripts and composure.
pub(crate) fn strippable<'a>(at: At<'a>, on: Char, form: Form) -> impl Iterator<Item = Prize> + 'a {
    let being = at.state.being(on);
    let things = being.held.iter().filter(move |&item| {
        at.rules.gear(item).disarmable
            && being.mount != Some(item)
            && (form == Form::Subtle || !is_script(at.rules, item))
    });
    let composure = (form == Form::Subtle && being.poise == Poise::Composed).then_some(Prize::Composure);
    things.map(Prize::Thing).chain(composure)
}

/// Whether something can be knocked off what it rides or stands on
/// (`weaken.dislodge`).
pub(crate) fn can_dislodge(state: &State, on: Char, form: Form) -> bool {
    let being = state.being(on);
    form == Form::Martial && (being.mount.is_some() || being.footing)
}

/// Reasons why this threat cannot be imposed on this character.
pub(crate) fn object(
    at: At<'_>,
    by: Option<Char>,
    on: Char,
    form: Form,
    blow: Blow,
    out: &mut impl Objections,
) {
    object_in_sight(at, by, on, form, blow, out);
    object_hidden(at, on, blow.threat, out);
}

/// Reasons in the defender's abilities.
pub(crate) fn object_hidden(at: At<'_>, on: Char, threat: Threat, out: &mut impl Objections) {
    if at.rules.gifts(at.state, on).any(|gift| gift.forbids.has(threat)) {
        out.no(clause!("ext.feats"), "an ability of the defender's keeps this threat off");
    }
}

/// The same without the defender's abilities, which players may not know.
pub(crate) fn object_in_sight(
    at: At<'_>,
    by: Option<Char>,
    on: Char,
    form: Form,
    blow: Blow,
    out: &mut impl Objections,
) {
    let Blow { threat, item, dislodge } = blow;
    if by.is_none() && matches!(threat, Threat::Entangle | Threat::Misdirect) {
        out.no(
            clause!("entangle-environment"),
            "the environment can disarm and weaken: there is nobody to be bound to or barred from attacking",
        );
    }
    if by.is_some_and(|by| !at.state.is_in(by)) && matches!(threat, Threat::Entangle | Threat::Misdirect) {
        out.no(
            clause!("finisher.defeat"),
            "the attacker is out of the conflict: there is nobody to be bound to or barred from attacking",
        );
    }
    if let Some(by) = by
        && threat == Threat::Entangle
        && scene::is_one_side(at.state, bound(at.state, by).or(bound(at.state, on)))
    {
        out.no(clause!("bind-topology"), "they are on one side: a bind needs two who are opposed");
    }
    if let Some(clause) = blocked(at, on, threat, form) {
        out.no(clause, "a readied keen boon of the defender makes this threat impossible");
    }
    if is_composed(at, on, threat, form) {
        out.no(clause!("composure.protects"), "a composed defender is not entangled or weakened by words");
    }
    if dislodge && threat != Threat::Weaken {
        out.no(clause!("weaken.dislodge"), "only a weakening blow knocks somebody off");
    } else if dislodge && !can_dislodge(at.state, on, form) {
        let what = "there is nothing that they could be knocked off in such an attack";
        out.no(clause!("weaken.dislodge"), what);
    }
    match (threat, item) {
        (Threat::Disarm, Some(Prize::Composure)) => {
            if form != Form::Subtle {
                out.no(clause!("composure.keen"), "composure is taken by subtle attacks");
            } else if at.state.being(on).poise != Poise::Composed {
                out.no(clause!("threat.disarm"), "the defender has no composure left to lose");
            }
        }
        (Threat::Disarm, Some(Prize::Thing(item))) => {
            if !at.state.being(on).held.has(item) || at.state.being(on).mount == Some(item) {
                out.no(clause!("threat.disarm"), "the defender does not have that to lose");
            } else if !at.rules.gear(item).disarmable {
                out.no(clause!("boon.vital-safe"), "that cannot be disarmed");
            } else if form != Form::Subtle && is_script(at.rules, item) {
                out.no(clause!("script.in-play"), "scripts are taken by subtle attacks");
            }
        }
        (Threat::Disarm, None) => {
            out.no(clause!("threat.disarm-choice"), "a disarm names what it strips: `item`");
        }
        (_, Some(_)) => out.no(clause!("threat.disarm-choice"), "only a disarm names an item"),
        (_, None) => {}
    }
}

/// Imposes a threat.
pub(crate) fn impose(
    play: &mut Play<'_, impl Sink<Event>>,
    by: Option<Char>,
    on: Char,
    blow: Blow,
    cause: Cause,
) {
    let Blow { threat, item, dislodge } = blow;
    play.event(Event::Threat { by, on, threat, item, cause });
    match threat {
        Threat::Disarm => match item {
            Some(Prize::Thing(item)) => {
                // A thing that is no boon falls as well, but readying is about
                // boons (`threat.disarm-item`).
                let boon = play.rules.gear(item).category != Category::Item;
                play.state.put(item, on, Lie::Ground);
                let place = &mut play.state.places[item.index()];
                place.disarmed = boon;
                // The first loser still has not got the item back.
                place.lost_by.get_or_insert(on);
            }
            Some(Prize::Composure) => {
                disguise::lose_composure(play, on, clause!("subtle.composure-lost"));
                play.state.being_mut(on).poise = Poise::Stripped;
            }
            None => {}
        },
        Threat::Entangle => {
            if let Some(by) = by {
                bind(play.state, by, on);
            }
        }
        Threat::Misdirect => {
            if let Some(by) = by {
                let being = play.state.being_mut(on);
                being.misdirected_by = being.misdirected_by.with(by);
            }
        }
        Threat::Weaken => {
            let being = play.state.being_mut(on);
            being.weakened = true;
            if dislodge {
                (being.mount, being.footing, being.dislodged) = (None, false, true);
                play.event(Event::Dislodged(on));
            }
        }
    }
}

/// Binds two, merging the binds they are in (`bind-topology`).
pub(crate) fn bind(state: &mut State, a: Char, b: Char) {
    let (from, to) = (state.being(a).bind, state.being(b).bind);
    let id = match (from, to) {
        (0, 0) => (1..=u8::MAX).find(|id| state.cast.iter().all(|being| being.bind != *id)).unwrap_or(1),
        (0, id) | (id, 0) => id,
        (id, old) => {
            for being in &mut state.cast {
                if being.bind == old {
                    being.bind = id;
                }
            }
            id
        }
    };
    state.being_mut(a).bind = id;
    state.being_mut(b).bind = id;
}

/// A character and all that are in the same bind.
pub(crate) fn bound(state: &State, who: Char) -> CharSet {
    let id = state.being(who).bind;
    let all = (0..state.cast.len() as u8).map(Char);
    all.filter(|&other| other == who || (id != 0 && state.being(other).bind == id)).collect()
}

/// Reasons why the gamemaster cannot bind these two.
pub(crate) fn object_bind(state: &State, a: Char, b: Char, out: &mut impl Objections) {
    if !state.is_in(a) || !state.is_in(b) {
        out.no(clause!("finisher.defeat"), "somebody who takes no part in the conflict is not bound");
    } else if scene::is_one_side(state, bound(state, a).or(bound(state, b))) {
        out.no(clause!("bind-topology"), "they are on one side: a bind needs two who are opposed");
    }
}

/// Takes one out of a bind, which may dissolve it.
pub(crate) fn unbind(play: &mut Play<'_, impl Sink<Event>>, who: Char, why: Clause) {
    if std::mem::take(&mut play.state.being_mut(who).bind) != 0 {
        play.event(Event::Ended { who, threat: Threat::Entangle, why });
        dissolve(play);
    }
}

/// Dissolves binds in which no two are opposed (`bind-topology`).
pub(crate) fn dissolve(play: &mut Play<'_, impl Sink<Event>>) {
    for i in 0..play.state.cast.len() {
        let bound = bound(play.state, Char(i as u8));
        let held = bound.and(play.state.present());
        if play.state.cast[i].bind == 0 || !scene::is_one_side(play.state, held) {
            continue;
        }
        for who in bound.iter() {
            play.state.being_mut(who).bind = 0;
            play.event(Event::Ended { who, threat: Threat::Entangle, why: clause!("bind-topology") });
        }
    }
}

/// Whether a misdirection bars somebody from anything: its source takes part and is
/// opposed (`misdirector-gone`). Of a source out of sight nobody can tell.
fn bars(state: &State, who: Char, by: Char) -> bool {
    state.out_of_sight().has(by) || (state.is_in(by) && state.opposed(who, by))
}

/// Reasons why the gamemaster cannot have one misdirect another.
pub(crate) fn object_misdirect(state: &State, who: Char, by: Char, out: &mut impl Objections) {
    if !bars(state, who, by) {
        out.no(
            clause!("misdirector-gone"),
            "there is nobody to be barred from attacking: the source takes no part, or is on the same side",
        );
    }
}

/// Ends misdirections that bar nobody from anything any more (`misdirector-gone`).
pub(crate) fn end_misdirections(play: &mut Play<'_, impl Sink<Event>>) {
    for i in 0..play.state.cast.len() {
        let who = Char(i as u8);
        let before = play.state.cast[i].misdirected_by;
        let left = before.iter().filter(|&by| bars(play.state, who, by)).collect();
        play.state.cast[i].misdirected_by = left;
        if left != before && play.state.is_in(who) {
            play.event(Event::Ended { who, threat: Threat::Misdirect, why: clause!("misdirector-gone") });
        }
    }
}

/// Weaken ends as the sufferer's turn begins (`weaken-own-turn`).
pub(crate) fn turn_begins(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    if std::mem::take(&mut play.state.being_mut(who).weakened) {
        play.event(Event::Ended { who, threat: Threat::Weaken, why: clause!("threat.weaken") });
    }
}

/// Ends the misdirections that an attack ends, of any attacker.
///
/// One ends when the misdirecting character attacks its victim again, whether
/// or not it succeeds (a veiled attack only where it fails); and when an ally
/// of the victim succeeds with an attack on the misdirecting character; and
/// when the victim itself succeeds with a fallback attack. A guard is
/// attacked as well, but never by a fallback (`guard-misdirection`).
pub(crate) fn attacked(
    play: &mut Play<'_, impl Sink<Event>>,
    by: Char,
    (on, guard): (Char, Option<Char>),
    success: bool,
    veiled: bool,
) {
    let end = |play: &mut Play<'_, _>, who: Char, by: Char, why: Clause| {
        let being = play.state.being_mut(who);
        if being.misdirected_by.has(by) {
            being.misdirected_by = being.misdirected_by.without(by);
            play.event(Event::Ended { who, threat: Threat::Misdirect, why });
        }
    };
    for defender in [Some(on), guard].into_iter().flatten() {
        if !(veiled && success) {
            end(play, defender, by, clause!("threat.misdirect-end-self"));
        }
        if success {
            for victim in 0..play.state.cast.len() as u8 {
                let victim = Char(victim);
                if play.state.allies(victim, by) {
                    end(play, victim, defender, clause!("threat.misdirect-end-ally"));
                }
            }
        }
    }
    if success {
        end(play, by, on, clause!("threat.misdirect-fallback-effect"));
    }
}

/// All threats end with the conflict; what was disarmed still lies about.
pub(crate) fn conflict_ends(play: &mut Play<'_, impl Sink<Event>>) {
    let why = clause!("threats-at-scene-end");
    for i in 0..play.state.cast.len() {
        let who = Char(i as u8);
        // Of a character who is gone nothing more is told.
        let there = play.state.is_in(who);
        let being = &mut play.state.cast[i];
        let mut ended = |threat| {
            if there {
                play.sink.event(Event::Ended { who, threat, why });
            }
        };
        if std::mem::take(&mut being.weakened) {
            ended(Threat::Weaken);
        }
        if std::mem::take(&mut being.misdirected_by) != CharSet::NONE {
            ended(Threat::Misdirect);
        }
        if std::mem::take(&mut being.bind) != 0 {
            ended(Threat::Entangle);
        }
        being.dislodged = false;
    }
}
