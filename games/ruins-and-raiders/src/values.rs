//! Combat values, worked out anew whenever they are read (`values.sources`), and the numbers of an attack.

use crate::effect::Against;
use crate::rules::PenaltyTo;
use crate::state::{Attack, Lie, With};
use crate::{At, vocab::*};

/// A trait or skill, with what this round adds (`option.look`).
pub(crate) fn level(at: At<'_>, who: Char, what: Trait) -> i16 {
    let being = at.state.being(who);
    let looks = if what == Trait::PERCEPTION { 3 * i16::from(being.battle.look) } else { 0 };
    i16::from(being.levels[what.index()]) + looks
}

/// The same in a check that somebody rolls: wounds and shocks hinder it (`injury.penalty`, `injury.shock`).
pub(crate) fn rolled(at: At<'_>, who: Char, what: Trait) -> i16 {
    level(at, who, what) - penalty(at, who, at.rules.traits[what.index()].mental)
        + change(at, who, Value::Checks)
}

/// What wounds or shocks take off somebody's checks.
fn penalty(at: At<'_>, who: Char, mental: bool) -> i16 {
    let (being, sheet) = (at.state.being(who), at.rules.sheet(who));
    let harm = if mental { being.shocks } else { being.wounds };
    hindrance(harm, sheet.track.unwrap_or(at.rules.track).penalty)
}

/// What so much harm takes off checks, where each beyond `free` takes 1 (`injury.penalty`).
pub(crate) const fn hindrance(harm: u16, free: u16) -> i16 {
    harm.saturating_sub(free) as i16
}

/// What wounds take off combat values, where the table says so (`penalty-defence`).
fn hindered(at: At<'_>, who: Char) -> i16 {
    if at.rules.options.penalty == PenaltyTo::ValuesToo { penalty(at, who, false) } else { 0 }
}

fn change(at: At<'_>, who: Char, value: Value) -> i16 {
    at.state.fighting(who).changes[value as usize].into()
}

/// Spaces of a move action (`value.movement`); a rider's are the mount's (`mount.movement`).
pub(crate) fn movement(at: At<'_>, who: Char) -> u8 {
    let who = at.state.being(who).riding.unwrap_or(who);
    let sheet = at.rules.sheet(who);
    let formula = || {
        10 + level(at, who, Trait::ATHLETE) - i16::from(sheet.encumbrance) - i16::from(sheet.armour.penalty)
    };
    let base = sheet.given.movement.map_or_else(formula, i16::from);
    (base + change(at, who, Value::Movement) - hindered(at, who)).clamp(0, MAX_MOVE.into()) as u8
}

/// `value.dodge`
pub(crate) fn dodge(at: At<'_>, who: Char) -> i16 {
    let sheet = at.rules.sheet(who);
    let formula = || 7 + level(at, who, Trait::ATHLETE) - i16::from(sheet.armour.penalty);
    let base = sheet.given.dodge.map_or_else(formula, i16::from);
    let defended = at.rules.options.defended(at.state.fighting(who).defend);
    base + defended + change(at, who, Value::Dodge) - hindered(at, who)
}

/// `value.parry`: what is in hand adds its defence value (`parry-hands`).
pub(crate) fn parry(at: At<'_>, who: Char) -> i16 {
    let formula = || {
        let held = at.state.held(who, Lie::Hand).map(|weapon| i16::from(at.rules.arm(weapon).defence));
        7 + level(at, who, Trait::WARRIOR) + held.sum::<i16>()
    };
    let base = at.rules.sheet(who).given.parry.map_or_else(formula, i16::from);
    let defended = at.rules.options.defended(at.state.fighting(who).defend);
    base + defended + change(at, who, Value::Parry) - hindered(at, who)
}

/// `value.defiance`
pub(crate) fn defiance(at: At<'_>, who: Char) -> i16 {
    let formula = || 7 + level(at, who, Trait::INTELLECT).max(level(at, who, Trait::INTUITION));
    let base = at.rules.sheet(who).given.defiance.map_or_else(formula, i16::from);
    base + 3 * i16::from(at.state.fighting(who).resist) + change(at, who, Value::Defiance)
}

/// `value.protection`
pub(crate) fn protection(at: At<'_>, who: Char) -> i16 {
    let sheet = at.rules.sheet(who);
    let formula = || level(at, who, Trait::FORTITUDE) + i16::from(sheet.armour.value);
    (sheet.given.protection.map_or_else(formula, i16::from) + change(at, who, Value::Protection)).max(0)
}

/// A defence, as it stands.
pub(crate) fn defence(at: At<'_>, who: Char, with: Defence) -> i16 {
    match with {
        Defence::Dodge => dodge(at, who),
        Defence::Parry => parry(at, who),
        Defence::Defiance => defiance(at, who),
    }
}

/// Stands for a score that is not found yet: of a combatant unconscious since the battle began
/// (`init-unconscious`).
pub(crate) const NO_SCORE: i16 = -1_000;

/// The initiative score of this round (`init.value`, `hold.bonus`).
pub(crate) fn initiative(at: At<'_>, who: Char) -> i16 {
    let fighting = at.state.fighting(who);
    fighting.initiative + fighting.shift + if fighting.held_over { 10 } else { 0 }
}

/// The range number at a distance in spaces (`range.short`, `range.long`, `between`).
pub(crate) fn range_number(range: Range, distance: u16) -> i16 {
    let between = distance.saturating_sub(1);
    let number = match range {
        Range::Short => between,
        Range::Long => between / 5,
    };
    number.min(999) as i16
}

/// How a weapon reaches a target so far away: thrown, in melee, as a missile; `None` if it does not.
pub(crate) fn way(uses: UseSet, thrown: bool, distance: u16) -> Option<Use> {
    if thrown {
        return uses.has(Use::Thrown).then_some(Use::Thrown);
    }
    if uses.has(Use::Melee) && distance <= 1 {
        return Some(Use::Melee);
    }
    uses.has(Use::Missile).then_some(Use::Missile)
}

/// How an attack reaches its target.
pub(crate) fn use_of(at: At<'_>, attack: &Attack) -> Use {
    match attack.with {
        With::Spell(_) => Use::Missile,
        With::BareHands | With::Manoeuvre(_) => Use::Melee,
        With::Weapon(weapon) => {
            let distance = at.state.distance(at.rules, attack.by, attack.on);
            way(at.rules.arm(weapon).uses, attack.thrown, distance).unwrap_or(Use::Melee)
        }
    }
}

pub(crate) fn is_melee(at: At<'_>, attack: &Attack) -> bool {
    use_of(at, attack) == Use::Melee
}

/// Whether it is a blow at somebody else: what a charge and a Haymaker are for.
pub(crate) fn is_blow(at: At<'_>, attack: &Attack) -> bool {
    attack.by != attack.on && is_melee(at, attack)
}

/// The range class of an attack; of blows none.
fn range_of(at: At<'_>, attack: &Attack) -> Option<Range> {
    match (attack.with, use_of(at, attack)) {
        (With::Spell(spell), _) => Some(at.rules.spell(spell).range),
        (_, Use::Thrown) => Some(Range::Short),
        (_, Use::Missile) => Some(Range::Long),
        (_, Use::Melee) => None,
    }
}

/// What an attack is made against.
pub(crate) fn against(at: At<'_>, attack: &Attack) -> Against {
    match attack.with {
        With::BareHands | With::Weapon(_) => Against::Body,
        With::Spell(spell) => at.rules.spell(spell).against,
        With::Manoeuvre(manoeuvre) => match at.rules.manoeuvre(manoeuvre).with {
            Some(_) => at.rules.manoeuvre(manoeuvre).against,
            None => Against::Nothing,
        },
    }
}

/// The trait that an attack rolls (`offense.missile`, `offense.melee`, `offense.mage`, `offense.sorcerer`).
pub(crate) fn offence(at: At<'_>, attack: &Attack) -> Trait {
    match attack.with {
        With::Spell(spell) => at.rules.spell(spell).with,
        With::Manoeuvre(manoeuvre) => at.rules.manoeuvre(manoeuvre).with.unwrap_or(Trait::WARRIOR),
        _ if use_of(at, attack) == Use::Missile => Trait::ARCHER,
        _ => Trait::WARRIOR,
    }
}

/// What an action of aiming adds to the next attack (`option.aim`).
pub(crate) const AIM: i16 = 3;

/// What is added to the dice of an attack.
pub(crate) fn attack_bonus(at: At<'_>, attack: &Attack) -> i16 {
    let fighting = at.state.fighting(attack.by);
    // `prone.melee`
    let low = if at.state.being(attack.on).prone && is_blow(at, attack) { 3 } else { 0 };
    // What is done to oneself is no attack.
    let aimed = AIM * i16::from(fighting.aim) + change(at, attack.by, Value::Attack);
    rolled(at, attack.by, offence(at, attack))
        + if attack.by == attack.on { 0 } else { aimed }
        + low
        + i16::from(attack.fortune)
        + i16::from(attack.trick)
}

/// The challenge level of an attack, `None` if it needs no check.
pub(crate) fn challenge(at: At<'_>, attack: &Attack) -> Option<i16> {
    let distance = at.state.distance(at.rules, attack.by, attack.on);
    let range = range_of(at, attack).map_or(0, |range| range_number(range, distance));
    let (by, on) = (at.state.being(attack.by), at.state.being(attack.on));
    // `prone.attacks`
    let from_below = if by.prone { 3 } else { 0 };
    let (value, bodily) = match against(at, attack) {
        Against::Nothing => return None,
        Against::Level(level) => return Some(i16::from(level) + range),
        // `surprise.flat`, `flat-others`: nothing else counts.
        _ if attack.unaware => return Some(4 + range),
        Against::Trait(what) => (7 + level(at, attack.on, what), false),
        Against::Only(with) => (defence(at, attack.on, with), with != Defence::Defiance),
        Against::Body => {
            let (dodge, parry) = (dodge(at, attack.on), parry(at, attack.on));
            let chosen = match attack.defence {
                Some(Defence::Dodge) => dodge,
                Some(Defence::Parry) => parry,
                _ => dodge.max(parry),
            };
            (chosen, true)
        }
    };
    // `prone.ranged`, `prone-spell`
    let low = if on.prone && bodily && !is_melee(at, attack) { 3 } else { 0 };
    Some(value + range + low + from_below)
}

/// Brawn and power of a strike, with a Haymaker (`damage.formula`, `damage.pull`, `option.haymaker`).
pub(crate) fn damage_base(at: At<'_>, attack: &Attack) -> i16 {
    let power = match attack.with {
        With::Weapon(weapon) => at.rules.arm(weapon).power,
        _ => 0,
    };
    let (brawn_out, power_out) = attack.pull;
    (level(at, attack.by, Trait::BRAWN) - i16::from(brawn_out)).max(0)
        + i16::from(power.saturating_sub(power_out))
        + damage_more(at, attack)
}

/// What a Haymaker and this round's changes add to the damage of an attack.
pub(crate) fn damage_more(at: At<'_>, attack: &Attack) -> i16 {
    let haymaker = if is_blow(at, attack) { at.state.fighting(attack.by).haymaker } else { 0 };
    at.rules.options.wound_up(haymaker) + change(at, attack.by, Value::Damage)
}

/// Momentum of the target's own charge, which a blow adds to its damage (`charge.takes`); of a mount that
/// of its rider (`charge.mounted`).
pub(crate) fn momentum_taken(at: At<'_>, attack: &Attack) -> i16 {
    let charger = at.state.rider(attack.on).unwrap_or(attack.on);
    let spaces = if is_blow(at, attack) { at.state.fighting(charger).charge } else { None };
    at.rules.options.momentum(spaces.unwrap_or(0))
}

/// The wounds of a strike that hits: its mox and damage, less what protects the target (`damage.formula`).
pub(crate) const fn wounds(mox: i16, damage: i16, protection: i16) -> u16 {
    let wounds = if mox > 0 { mox + damage - protection } else { damage - protection };
    if wounds > 0 { wounds as u16 } else { 0 }
}

/// `jump.check`
pub(crate) const fn leap_level(spaces: u16) -> i16 {
    4 * spaces as i16
}

/// Whether a check passes, and its mox, by what the two dice show together (`core.success`, `core.mox`,
/// `core.two`, `core.twelve`, `two-mox`).
pub(crate) const fn result(dice: u8, bonus: i16, level: i16) -> (bool, i16) {
    let mox = dice as i16 + bonus - level;
    match dice {
        2 => (false, if mox < -1 { mox } else { -1 }),
        12 => (true, if mox > 1 { mox } else { 1 }),
        _ => (mox >= 0, mox),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bows_reach_in_bands_of_five() {
        for (distance, number) in [(0, 0), (1, 0), (5, 0), (6, 1), (10, 1), (11, 2), (15, 2), (16, 3)] {
            assert_eq!(range_number(Range::Long, distance), number, "{distance}");
        }
        for (distance, number) in [(0, 0), (1, 0), (2, 1), (9, 8)] {
            assert_eq!(range_number(Range::Short, distance), number, "{distance}");
        }
    }

    #[test]
    fn two_fails_and_twelve_succeeds() {
        assert_eq!(result(2, 90, 10), (false, -1));
        assert_eq!(result(2, 0, 10), (false, -8));
        assert_eq!(result(12, 0, 40), (true, 1));
        assert_eq!(result(12, 9, 10), (true, 11));
        assert_eq!(result(7, 3, 10), (true, 0));
        assert_eq!(result(7, 2, 10), (false, -1));
    }

    #[test]
    fn momentum_counts_full_threes() {
        let options = crate::rules::Options::default();
        assert_eq!([0, 2, 3, 5, 6, 28].map(|spaces| options.momentum(spaces)), [0, 0, 1, 1, 2, 9]);
    }
}
