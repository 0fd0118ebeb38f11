//! What attacks are made with: reach, hands, training, what throws and what
//! counters; and the moves before them.

use crate::rules::{Bonusless, Gear, Rules};
use crate::state::{Arms, State, Test};
use crate::{At, Play, event::Event, risk::has_bonuses, vocab::*};
use fracas_kernel::{Objections, Sink, fine};

/// The power boons of a form that somebody has readied: weapons, scripts,
/// armaments.
pub(crate) fn power_boons<'a>(at: At<'a>, who: Char, form: Form) -> impl Iterator<Item = Item> + 'a {
    at.state.being(who).readied.iter().filter(move |&item| {
        let gear = at.rules.gear(item);
        gear.category == Category::Power && gear.form == form
    })
}

/// Whether somebody can impose marks and counterattack (`boon.power-required`):
/// with a readied power boon (`martial.armed`, `subtle.script-armed`) or an
/// ability that stands for one.
pub(crate) fn is_armed(at: At<'_>, who: Char, form: Form) -> bool {
    !counts_as_unarmed(at, who)
        && (power_boons(at, who, form).next().is_some()
            || at.rules.gifts(at.state, who).any(|gift| gift.armed))
}

/// Whether the table has those without bonuses count as unarmed (`afflict-boons`).
pub(crate) fn counts_as_unarmed(at: At<'_>, who: Char) -> bool {
    at.rules.options.bonusless == Bonusless::Unarmed && !has_bonuses(at, who)
}

/// Whether two power boons readied together take each other's conditions away:
/// one-handed weapons, one in each hand (`martial.dual`), or two dispassionate
/// scripts (`script.two-dispassionate`). It cannot be declined
/// (`dual-one-used`).
pub(crate) fn is_dual(at: At<'_>, who: Char, form: Form) -> bool {
    let counts = |gear: &Gear| match form {
        Form::Martial => gear.hands == 1,
        Form::Subtle => !gear.impassioned,
        Form::Strategic | Form::Naval => false,
    };
    power_boons(at, who, form).filter(|&item| counts(at.rules.gear(item))).count() >= 2
}

/// Whether a weapon can be thrown: those that reach only what is close
/// (`martial.throw`), improvised ones among them (`improvised-stats`).
fn can_throw(gear: &Gear) -> bool {
    gear.form == Form::Martial && gear.range == Band::Close
}

/// How far the defender is once the attacker has moved (`range-of-attack`).
pub(crate) fn band_after(state: &State, by: Char, on: Char, moves: Option<Moves>) -> Band {
    match (moves, state.range(by, on)) {
        (Some(Moves::In), _) => Band::Close,
        (Some(Moves::Out), Band::Close) => Band::Near,
        (_, band) => band,
    }
}

/// The weapon of an attack at this distance: the named weapon, or else a readied weapon that
/// reaches, if possible one that the attacker is trained in. `None`: unarmed.
pub(crate) fn weapon(at: At<'_>, by: Char, form: Form, band: Band, arms: Arms) -> Option<Item> {
    if arms.manner == Some(Manner::Bare) {
        return None;
    }
    if arms.with.is_some() {
        return arms.with;
    }
    let mut best: Option<Item> = None;
    for item in power_boons(at, by, form) {
        let gear = at.rules.gear(item);
        let serves = match arms.manner {
            Some(Manner::Throw) => can_throw(gear),
            _ => !form.has_ranges() || gear.range >= band,
        };
        if serves && best.is_none_or(|best| !is_trained(at.rules, by, best) && is_trained(at.rules, by, item))
        {
            best = Some(item);
        }
    }
    best
}

/// Reasons why an attack does not reach, or cannot be made so.
///
/// A veiled attack needs only sight (`ranged.entangle-veiled`), a subtle one
/// only attention.
pub(crate) fn object_reach(
    at: At<'_>,
    (by, on): (Char, Char),
    form: Form,
    veiled: bool,
    arms: Arms,
    out: &mut impl Objections,
) {
    if let Some(item) = arms.with
        && !power_boons(at, by, form).any(|readied| readied == item)
    {
        out.no(clause!("boon.ready-deed"), "they attack with what they have readied for such a conflict");
        return;
    }
    if !form.has_ranges() {
        if arms.manner.is_some() {
            out.no(clause!("subtle.no-improvised"), "scripts are neither improvised nor thrown");
        }
        if arms.moves.is_some() {
            out.no(clause!("subtle.no-terrain"), "there are no long moves in a subtle attack");
        }
        return;
    }
    let now = at.state.range(by, on);
    match arms.moves {
        Some(Moves::In) if now == Band::Close => {
            out.no(clause!("move.basic"), "they are close already: the few strides between cost nothing");
        }
        Some(Moves::In) if now > Band::Near => {
            out.no(
                clause!("move.beyond-near"),
                "beyond near range it takes several turns: first a test that brings them nearer (`toward`)",
            );
        }
        Some(Moves::Out) if at.state.being(by).bind != 0 => {
            out.no(clause!("threat.entangle-limits"), "a bound character cannot get away");
        }
        Some(Moves::Out) if now != Band::Close => {
            out.no(clause!("move.basic"), "they are not close: there is nobody here to move away from");
        }
        _ => {}
    }
    if veiled {
        if arms.manner == Some(Manner::Throw) {
            out.no(clause!("martial.throw"), "what is thrown is seen: a veiled attack uses no weapon");
        }
        return;
    }
    let band = band_after(at.state, by, on, arms.moves);
    match arms.manner {
        Some(Manner::Throw) => {
            let can = match arms.with {
                Some(item) => can_throw(at.rules.gear(item)),
                None => power_boons(at, by, form).any(|item| can_throw(at.rules.gear(item))),
            };
            if !can {
                out.no(clause!("martial.throw"), "a readied weapon of close range is what can be thrown");
            } else if band != Band::Near {
                let what = "weapons are thrown at somebody near, neither close nor far";
                out.no(clause!("martial.throw"), what);
            }
        }
        Some(Manner::Bare) => {
            if band > Band::Close {
                out.no(clause!("weapon.out-of-range"), "bare hands reach only what is close");
            }
        }
        None => {
            let reaches = match arms.with {
                Some(item) => at.rules.gear(item).range >= band,
                None => band == Band::Close || weapon(at, by, form, band, arms).is_some(),
            };
            if !reaches {
                out.no(
                    clause!("weapon.out-of-range"),
                    "they are out of reach: move up (`move = \"in\"`, a long test), throw, or veil the attack",
                );
            }
        }
    }
}

/// Whether an attack that was declared still reaches: with something else where what it
/// was to be made with is no longer in hand, and of what was thrown as far as it went.
pub(crate) fn still_reaches(
    at: At<'_>,
    (by, on): (Char, Char),
    form: Form,
    veiled: bool,
    arms: Arms,
) -> bool {
    if arms.manner == Some(Manner::Throw) {
        return at.state.range(by, on) <= Band::Near;
    }
    let with = arms.with.filter(|&with| at.state.being(by).readied.has(with));
    fine(|out| object_reach(at, (by, on), form, veiled, Arms { with, ..arms }, out))
}

/// Whether somebody carries something that would reach once it is readied.
pub(crate) fn could_reach(at: At<'_>, (by, on): (Char, Char), form: Form) -> bool {
    at.state.being(by).held.iter().any(|item| {
        let gear = at.rules.gear(item);
        gear.category == Category::Power && gear.form == form && gear.range >= at.state.range(by, on)
    })
}

/// Throws what an attack is made with. Gives the arms with the thing thrown.
pub(crate) fn hurl(
    play: &mut Play<'_, impl Sink<Event>>,
    (by, on): (Char, Char),
    form: Form,
    arms: Arms,
) -> Arms {
    if arms.manner != Some(Manner::Throw) {
        return arms;
    }
    let with = weapon(play.at(), by, form, play.state.range(by, on), arms);
    if let Some(item) = with {
        thrown(play.state, item);
        play.event(Event::Thrown { item, counter: false });
    }
    Arms { with, ..arms }
}

/// Moves that come with an attack, made.
pub(crate) fn make_move(state: &mut State, by: Char, on: Char, moves: Option<Moves>) {
    match moves {
        Some(Moves::In) => state.close_in(by, on),
        Some(Moves::Out) => state.back_off(by),
        None => {}
    }
}

/// Whether a character is trained in a weapon (`prof.groups`). Improvised weapons take no
/// training (`improvised-stats`). A master's training is in the weapon of the own people
/// (`prof.master-own`).
pub(crate) fn is_trained(rules: &Rules, who: Char, item: Item) -> bool {
    let (sheet, gear) = (rules.sheet(who), rules.gear(item));
    match gear.group {
        None => true,
        Some(Training::Master) => {
            sheet.trained.has(Training::Master) && gear.people.is_some() && gear.people == sheet.people
        }
        Some(group) => sheet.trained.has(group),
    }
}

/// Whether two have a language in common (`lang.fluency`).
pub(crate) fn is_fluent(rules: &Rules, who: Char, with: Char) -> bool {
    rules.sheet(who).speaks.and(rules.sheet(with).speaks) != LanguageSet::NONE
}

/// What a member's attribute adds to Light: its rank, or nothing with an
/// unfamiliar weapon (`prof.unproficient`) or language (`lang.fluency`), which a guard
/// has to understand who has become the defender (`guard.becomes-defender`). A veiled
/// attack needs neither (`veiled-proficiency`).
pub(crate) fn rank(at: At<'_>, test: &Test, who: Char, attribute: Attribute) -> i8 {
    let adds = match (test.on, test.form) {
        (Some(_), _) if test.veiled => true,
        (Some(on), Some(Form::Subtle)) => is_fluent(at.rules, who, test.guard.unwrap_or(on)),
        (Some(on), Some(form @ Form::Martial)) => {
            let band = at.state.range(who, on);
            weapon(at, who, form, band, test.arms).is_none_or(|item| is_trained(at.rules, who, item))
        }
        (None, _) if test.social => match test.against {
            Some(npc) => is_fluent(at.rules, who, npc),
            None => at.rules.sheet(who).speaks != LanguageSet::NONE,
        },
        _ => true,
    };
    if adds { at.rules.rank(who, attribute) } else { 0 }
}

/// What a counterattack is made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counterweapon {
    /// Something that stays in hand.
    Held,
    /// A close weapon, thrown (`martial.throw-counter`).
    Thrown(Item),
}

/// What somebody could counter an attack from this distance with: any readied
/// weapon that covers it (`multi-weapon-range`).
pub(crate) fn counterweapon(at: At<'_>, by: Char, form: Form, range: Band) -> Option<Counterweapon> {
    if !is_armed(at, by, form) {
        return None;
    }
    let by_nature =
        !form.has_ranges() || range == Band::Close && at.rules.gifts(at.state, by).any(|gift| gift.armed);
    if by_nature { Some(Counterweapon::Held) } else { readied_counterweapon(at, by, form, range) }
}

/// Whether somebody could counter so for all that everybody sees: what the gamemaster's
/// characters are armed with by nature players do not know (`asked-in-sight`).
pub(crate) fn may_counter(at: At<'_>, by: Char, form: Form, range: Band) -> bool {
    let by_nature = !at.rules.is_pc(by)
        && !at.state.being(by).marks.has(Mark::Afflict)
        && !counts_as_unarmed(at, by)
        && (!form.has_ranges() || range == Band::Close);
    by_nature || counterweapon(at, by, form, range).is_some()
}

/// The same as far as everybody sees: without what somebody is armed with by nature.
pub(crate) fn readied_counterweapon(at: At<'_>, by: Char, form: Form, range: Band) -> Option<Counterweapon> {
    let covers = |item: Item| match at.rules.gear(item).range {
        _ if !form.has_ranges() => true,
        Band::Close => range == Band::Close,
        Band::Near => range <= Band::Near,
        // Not at close range (`martial.counter-far`).
        _ => matches!(range, Band::Near | Band::Far),
    };
    if power_boons(at, by, form).any(covers) {
        return Some(Counterweapon::Held);
    }
    power_boons(at, by, form)
        .find(|&item| range == Band::Near && can_throw(at.rules.gear(item)))
        .map(Counterweapon::Thrown)
}

/// A weapon has been thrown: it lies by the target, and it takes a deed to
/// recover and another to ready (`thrown-location`).
pub(crate) fn thrown(state: &mut State, item: Item) {
    let holder = state.place(item).holder;
    state.put(item, holder, crate::state::Lie::Ground);
    state.places[item.index()].disarmed = true;
}

/// Whether scripts of `by` work on `on`: who pays attention, hears and sees
/// (`subtle.reach`).
pub(crate) fn attends(state: &State, on: Char, by: Char) -> bool {
    let being = state.being(on);
    !being.heedless_of.has(by) && !being.unaware_of.has(by)
}
