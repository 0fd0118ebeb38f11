//! Action power and target numbers: every bonus and penalty.

use crate::effect::{Effect, Facts, Lasts, Scope, Verb};
use crate::rules::{Rules, Stacking};
use crate::state::{Action, Live, Origin, State};
use crate::{At, boons, settle::NUMBERS, vocab::*};

/// The gamemaster's character that a roll involves, if any.
pub(crate) fn opponent(rules: &Rules, action: &Action) -> Option<Char> {
    action.target.and_then(Target::char).filter(|&who| !rules.is_pc(who))
}

/// What a roll is, as far as effects ask.
pub(crate) fn facts(at: At<'_>, action: &Action) -> Facts {
    let against = action.target.and_then(Target::char);
    Facts {
        kind: action.kind,
        attribute: action.attribute,
        tags: action.tags,
        ability: action.ability_used,
        against: against.map_or(TraitSet::NONE, |other| boons::traits(at, other)),
    }
}

/// Whether a feat or a Whisper plays a part in a roll (`ability.use`).
pub(crate) fn uses_ability(at: At<'_>, action: &Action) -> bool {
    let facts = Facts { ability: true, ..facts(at, action) };
    action.ability.is_some() || passive(at, action.who).any(|(_, effect)| bonus(effect, &facts).is_some())
}

/// The effects of abilities that work by themselves; none under a ban
/// (`guilt.fault-ban`).
fn passive<'a>(at: At<'a>, who: Char) -> impl Iterator<Item = (Ability, &'a Effect)> + 'a {
    let works = at.rules.gifted.has(who) && !is_banned(at.state, who);
    let all = works.then(|| at.rules.abilities_of(who)).into_iter().flatten();
    all.filter(|&ability| at.rules.power(ability).trigger == Trigger::Passive)
        .flat_map(|ability| at.rules.power(ability).effects.iter().map(move |effect| (ability, effect)))
}

/// Whether somebody may use no ability (`guilt.fault-ban`).
pub(crate) fn is_banned(state: &State, who: Char) -> bool {
    state.is_under(who, Verb::BanAbilities)
}

/// What an effect adds to a roll, if it counts for it (`mod.kinds`).
fn bonus(effect: &Effect, facts: &Facts) -> Option<i8> {
    match effect.verb {
        Verb::Ap(n) if effect.scope.counts(facts) => Some(n),
        _ => None,
    }
}

/// Every bonus and penalty on a roll, with where it comes from (`dur.sum`).
pub(crate) fn modifiers(at: At<'_>, action: &Action, each: &mut impl FnMut(Origin, i8)) {
    let facts = facts(at, action);
    for live in at.state.under(action.who).filter(|live| live.times > 0) {
        if let Some(n) = bonus(&live.effect, &facts) {
            each(live.from, n.saturating_mul(live.times as i8));
        }
    }
    match at.rules.options.stacking {
        Stacking::AllAdd => {
            for boon in at.state.in_use(action.who) {
                if let Some(n) = boons::bonus(at, boon, &facts) {
                    each(Origin::Boon(boon), n);
                }
            }
        }
        Stacking::OnePerSort => {
            for &sort in Sort::ALL {
                let of_sort =
                    at.state.in_use(action.who).filter(|&b| at.state.use_of(at.rules, b).sort == sort);
                let counted = of_sort.filter_map(|b| Some((boons::bonus(at, b, &facts)?, b)));
                if let Some((n, boon)) = counted.max_by_key(|(n, boon)| (*n, u8::MAX - boon.0)) {
                    each(Origin::Boon(boon), n);
                }
            }
        }
    }
    for (ability, effect) in passive(at, action.who) {
        if let Some(n) = bonus(effect, &facts) {
            each(Origin::Ability(ability), n);
        }
    }
    let for_this = |effect: &&Effect| effect.lasts == Lasts::ThisRoll;
    if let Some(ability) = action.ability.filter(|&ability| at.rules.power(ability).trigger.rolls().is_some())
    {
        for n in at.rules.power(ability).effects.iter().filter(for_this).filter_map(|e| bonus(e, &facts)) {
            each(Origin::Ability(ability), n);
        }
    }
    if let Some(boon) = action.using {
        for n in
            at.state.gear(at.rules, boon).effects.iter().filter(for_this).filter_map(|e| bonus(e, &facts))
        {
            each(Origin::Boon(boon), n);
        }
    }
}

/// The effects of the ability and of the boon that an action uses.
pub(crate) fn used<'a>(at: At<'a>, action: &Action) -> impl Iterator<Item = &'a Effect> {
    let ability = action.ability.map(|ability| &at.rules.power(ability).effects);
    let boon = action.using.map(|boon| &at.state.gear(at.rules, boon).effects);
    ability.into_iter().chain(boon).flatten()
}

/// Attribute, bonuses and penalties together (`power.sum`).
pub(crate) fn total(at: At<'_>, action: &Action) -> i8 {
    let mut sum = at.rules.sheet(action.who).ranks[action.attribute as usize] as i8;
    modifiers(at, action, &mut |_, n| sum = sum.saturating_add(n));
    sum
}

/// What its own side of a roll is to one of the gamemaster's characters.
pub(crate) const fn facts_of_npc(kind: Kind, tags: TagSet) -> Facts {
    Facts { kind, attribute: Attribute::Valor, tags, ability: false, against: TraitSet::NONE }
}

/// They have no attributes, so no effect asks for one of them.
pub(crate) const fn of_npc(scope: &Scope) -> Scope {
    Scope { attributes: AttributeSet::NONE, ..*scope }
}

/// What a power number counts for in a roll of this kind (`tn.power-number`): on
/// the side of its owner a save is an action and a test a defence. Nothing is rolled
/// against less than 6 (`number-floor`).
pub(crate) fn number(at: At<'_>, npc: Char, kind: Kind, tags: TagSet) -> i8 {
    let side = match kind {
        Kind::Test => Kind::Save,
        Kind::Save => Kind::Test,
    };
    let facts = facts_of_npc(side, tags);
    let counts = |live: &&Live| of_npc(&live.effect.scope).counts(&facts);
    let changes = at.state.under(npc).filter(counts).map(|live| match live.effect.verb {
        Verb::Ap(n) | Verb::Pn(n) => n.saturating_mul(live.times as i8),
        _ => 0,
    });
    debug_assert!(!at.rules.is_pc(npc), "players' characters have no power number");
    let number = changes.fold(boons::power_number(at, npc), i8::saturating_add);
    number.max(*NUMBERS.start())
}
