//! Attacks: who may attack whom, what makes them bold, and how far they go.

use crate::arms::{self, is_dual, power_boons};
use crate::risk::{has_bonuses, readied};
use crate::state::{Arms, Poise, State};
use crate::{At, prestige, vocab::*};
use fracas_kernel::{Objections, fine};

/// Whether a boon's situation is there (`bold-conditions`). Gear of brutes
/// counts for it like anybody's (`brute.items-count`).
pub(crate) fn holds(at: At<'_>, condition: Condition, by: Char, on: Char) -> bool {
    let wears = |test: &dyn Fn(Weight) -> bool| {
        readied(at.state, on).any(|item| at.rules.gear(item).armor.is_some_and(test))
    };
    let wields = |test: &dyn Fn(&crate::rules::Gear) -> bool| {
        readied(at.state, on).any(|item| {
            let gear = at.rules.gear(item);
            gear.category == Category::Power && gear.form == Form::Martial && test(gear)
        })
    };
    let shielded = || readied(at.state, on).any(|item| at.rules.gear(item).shield);
    let being = at.state.being(on);
    let kind = at.rules.sheet(on).kind;
    match condition {
        Condition::Always => true,
        Condition::Unarmored => !wears(&|_| true),
        Condition::Armored => wears(&|_| true),
        Condition::LightArmor => wears(&|weight| weight == Weight::Light),
        Condition::HeavyArmor => wears(&|weight| weight == Weight::Heavy),
        Condition::Shielded => shielded(),
        Condition::Unshielded => !shielded(),
        // Of a brute its gear counts (`brute.items-count`).
        Condition::Unarmed => !wields(&|_| true) || (kind != Kind::Brute && arms::counts_as_unarmed(at, on)),
        Condition::TwoHanded => wields(&|gear| gear.hands == 2),
        Condition::OneHanded => wields(&|gear| gear.hands == 1),
        Condition::Misdirected => !being.misdirected_by.is_empty(),
        Condition::Weakened => being.weakened,
        Condition::Entangled => being.bind != 0,
        Condition::Unaware => being.unaware_of.has(by),
        Condition::VersusBrute => kind == Kind::Brute,
        Condition::VersusFoe => kind == Kind::Foe,
        Condition::VersusNemesis => kind == Kind::Nemesis,
        Condition::SelfSteady => !crate::risk::is_critical(at, by),
        Condition::Steady => !crate::risk::is_critical(at, on),
        Condition::Mounted => being.mount.is_some(),
        Condition::Unmounted => being.mount.is_none(),
        // By level, afflicted or not (`prestige-rebuke`).
        Condition::LowerPrestige => prestige::level(at, on) < prestige::level(at, by),
        Condition::Uncomposed => being.poise != Poise::Composed,
        Condition::Ruled => false,
    }
}

/// Whether a readied power boon makes this attack bold (`boon.power`).
///
/// Nothing of a veiled attack comes from boons (`veiled.no-boons`), and a thrown
/// weapon's own condition does not apply (`martial.throw`). A script works only on a
/// character who pays attention (`subtle.reach`).
fn bold_by_boon(at: At<'_>, (by, on): (Char, Char), form: Form, (arms, band): (Arms, Band)) -> bool {
    if !has_bonuses(at, by)
        || arms.manner == Some(Manner::Bare)
        || (form == Form::Subtle && !arms::attends(at.state, on, by))
    {
        return false;
    }
    if is_dual(at, by, form) {
        return at.rules.sheet(on).kind == Kind::Brute;
    }
    arms.manner != Some(Manner::Throw)
        && power_boons(at, by, form)
            .filter(|&item| arms.with.is_none_or(|with| with == item))
            .filter(|&item| !form.has_ranges() || at.rules.gear(item).range >= band)
            .any(|item| holds(at, at.rules.gear(item).condition, by, on))
}

/// Whether an attack is bold: by a readied boon, by a captain's training
/// (`prof.captain-mounted`), by an ability, or the defender being weakened.
pub(crate) fn is_bold(
    at: At<'_>,
    (by, on): (Char, Char),
    form: Form,
    veiled: bool,
    (arms, band): (Arms, Band),
) -> bool {
    // What the gamemaster's characters bring to an attack that nobody sees would
    // tell whose it is (`npc-veiled-visible`); the gamemaster says `faint` instead.
    let hidden = veiled && !at.rules.is_pc(by);
    let captain = || {
        let rider = at.state.being(by).mount.is_some() && at.state.being(on).mount.is_none();
        form == Form::Martial && rider && at.rules.sheet(by).trained.has(Training::Captain)
    };
    let gifted = || {
        let mut gifts = at.rules.gifts(at.state, by);
        gifts.any(|gift| gift.bold_when.is_some_and(|when| holds(at, when, by, on)))
    };
    at.state.being(on).weakened
        || (!hidden && captain())
        || (!hidden && gifted())
        || (!veiled && bold_by_boon(at, (by, on), form, (arms, band)))
}

/// Reasons why a form of attack is closed to somebody whom a subtle finisher has
/// silenced (`subtle.finisher-state`).
pub(crate) fn object_silenced(
    state: &State,
    by: Char,
    form: Option<Form>,
    veiled: bool,
    out: &mut impl Objections,
) {
    if state.being(by).silenced && (veiled || form == Some(Form::Subtle)) {
        let what = "a subtle finisher has silenced them: no subtle or veiled attack in this scene";
        out.no(clause!("subtle.finisher-state"), what);
    }
}

/// Those whom somebody could attack but for misdirection.
fn potential(at: At<'_>, by: Char) -> CharSet {
    let unaware = at.state.being(by).unaware_of;
    let bind = at.state.being(by).bind;
    let npc = !at.rules.is_pc(by);
    at.state
        .opponents(by)
        .minus(unaware)
        .iter()
        .filter(|&on| bind == 0 || at.state.being(on).bind == bind)
        // The gamemaster's characters attack players' characters only: what
        // they do to each other is told (`npc-vs-npc`).
        .filter(|&on| !npc || at.rules.is_pc(on))
        .collect()
}

/// Whether everybody whom somebody could attack has misdirected them.
pub(crate) fn must_fall_back(at: At<'_>, by: Char) -> bool {
    let potential = potential(at, by);
    !potential.is_empty() && potential.minus(at.state.being(by).misdirected_by).is_empty()
}

/// Reasons why somebody cannot attack somebody else.
pub(crate) fn object(at: At<'_>, by: Char, on: Char, fallback: bool, out: &mut impl Objections) {
    let being = at.state.being(by);
    if by == on || !at.state.opposed(by, on) {
        out.no(clause!("conflict.definition"), "an attack is on somebody of another side");
    }
    if !at.rules.is_pc(by) && !at.rules.is_pc(on) {
        let what = "what the gamemaster's characters do to each other is told, not rolled";
        out.no(clause!("npc-vs-npc"), what);
    }
    if !at.state.is_in(on) {
        out.no(clause!("finisher.defeat"), "they take no further part in this conflict");
    }
    if being.bind != 0 && at.state.being(on).bind != being.bind {
        out.no(clause!("threat.entangle-limits"), "a bound character can attack only those it is bound with");
    }
    if being.marks.has(Mark::Stricken) && !being.released {
        let what = "a stricken character cannot attack before it is released this round";
        out.no(clause!("mark.stricken"), what);
    }
    if being.unaware_of.has(on) {
        // Of a bind only sight leads out, by a veiled attack (`ranged.entangle-veiled`).
        let bound = being.bind != 0 && being.bind == at.state.being(on).bind;
        let clause = if bound { clause!("veiled.target") } else { clause!("veiled.success") };
        out.no(clause, "they are not aware of this opponent");
    }
    let misdirected = being.misdirected_by.has(on);
    if misdirected && !fallback {
        out.no(clause!("threat.misdirect"), "misdirected by this very opponent: attack somebody else");
    }
    if !misdirected && fallback {
        let what = "falling back is for attacking somebody who has misdirected the attacker";
        out.no(clause!("threat.misdirect-fallback"), what);
    }
}

/// Each opponent somebody may attack, and whether as a fallback.
pub(crate) fn targets(at: At<'_>, by: Char) -> impl Iterator<Item = (Char, bool)> {
    let fallback = must_fall_back(at, by);
    potential(at, by).iter().filter_map(move |on| {
        let back = fallback && at.state.being(by).misdirected_by.has(on);
        fine(|out| object(at, by, on, back, out)).then_some((on, back))
    })
}
