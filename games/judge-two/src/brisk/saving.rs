//! What an attack costs those who save from it, and what a guard is worth.

use super::stakes::*;
use crate::event::RollKind;
use crate::state::{Danger, Frame, Save, Test};
use crate::{At, arms, attack, harm, test, vocab::*};

/// Somebody who saves.
pub(super) struct Stand {
    who: Char,
    defender: Option<Defender>,
    cl: i8,
    bold: bool,
    faint: bool,
    quick: bool,
    price: i32,
}

impl Stand {
    pub(super) fn of(at: At<'_>, danger: &Danger, on: Char, saver: Char) -> Stand {
        let attack = danger.form.map(|form| {
            let bold = danger.by.is_some_and(|by| {
                let band = arms::band_after(at.state, by, on, danger.arms.moves);
                attack::is_bold(at, (by, saver), form, danger.veiled, (danger.arms, band))
            });
            (
                Defender::of(
                    at,
                    (danger.by, saver),
                    form,
                    (danger.veiled, danger.fallback, harm::MOST_IMPOSED),
                ),
                bold,
            )
        });
        let by_level = danger.by.filter(|&by| !danger.veiled && harm::hides_pl(at, by));
        Stand {
            who: saver,
            cl: by_level.map_or(danger.cl, |_| USUAL_LEVEL) + danger.favor,
            bold: danger.bold,
            faint: danger.faint || danger.long || attack.as_ref().is_some_and(|(_, bold)| *bold),
            quick: danger.quick,
            price: intervention(at),
            defender: attack.map(|(defender, _)| defender),
        }
    }

    pub(super) fn kind(&self, bold: bool, faint: bool) -> RollKind {
        RollKind::of(self.bold || bold, self.faint || faint)
    }

    /// What it costs to be attacked so.
    pub(super) fn loss(&self, kind: RollKind, rank: i8, quick: bool) -> i32 {
        let need = self.cl - rank;
        let guilt = if quick || self.quick { 0 } else { guilt(kind, need, self.price) };
        guilt + self.defender.as_ref().map_or(i32::from(need), |defender| defender.saves(kind, need))
    }

    pub(super) fn loss_with(&self, at: At<'_>, essence: Essence, ability: Option<Ability>) -> i32 {
        let rank = |essence| at.rules.essence(self.who, essence);
        let Some(power) = ability.map(|ability| at.rules.power(ability)) else {
            return self.loss(self.kind(false, false), rank(essence), false);
        };
        let kind = self.kind(power.bold, power.faint || power.long);
        let paid = i32::from(power.cost) * point(at, self.who) + i32::from(power.once.is_some()) * THREAT;
        self.loss(kind, rank(power.essence.unwrap_or(essence)), power.quick) + paid
    }
}

/// What the attack under way is worth to the attacker, with this guard.
pub(super) fn struck(at: At<'_>, frame: &Frame, guard: Option<Char>) -> i32 {
    match frame {
        Frame::Save(Save { danger, on, .. }) => {
            let saver = guard.unwrap_or(*on);
            let stand = Stand::of(at, danger, *on, saver);
            stand.loss(stand.kind(false, false), at.rules.essence(saver, danger.essence), danger.quick)
        }
        Frame::Test(test @ Test { on: Some(on), form: Some(form), .. }) => {
            let (by, defender) = (test.lead(), guard.unwrap_or(*on));
            let test = Test { guard, ..*test };
            let need = test::challenge(at.rules, &test) - arms::rank(at, &test, by, test.attributes[0]);
            let of = (test.veiled, test.fallback, harm::MOST_IMPOSED);
            Defender::of(at, (Some(by), defender), *form, of).attacked(test::roll_kind(at, &test), need)
        }
        _ => 0,
    }
}
