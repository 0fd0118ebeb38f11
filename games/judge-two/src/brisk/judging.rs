//! Which dice to take for Light and Truth.

use super::stakes::*;
use crate::judging::{Result, left_for_light};
use crate::state::{Danger, Save, Test, is_guilty};
use crate::{At, arms, harm, save, test, vocab::*};

/// The dice that have fallen, to be judged.
pub(super) struct Judge {
    defender: Option<Defender>,
    /// Whether they are those of a save.
    save: bool,
    /// What success and failure are worth where nothing is imposed.
    success: i32,
    /// What a guilty Truth costs.
    guilty: i32,
    /// What an innocent success is worth besides: it releases the stricken (`mark.stricken-pc`).
    innocent: i32,
}

impl Judge {
    pub(super) fn of_test(at: At<'_>, test: &Test) -> Judge {
        let attack = test.on.zip(test.form).filter(|_| !test::is_pvp(at.rules, test));
        let most =
            if test.is_group() { harm::MOST_IMPOSED / test.members.len() as u8 } else { harm::MOST_IMPOSED };
        let defender = attack.map(|(on, form)| {
            let defender = test.guard.unwrap_or(on);
            Defender::of(at, (Some(test.lead()), defender), form, (test.veiled, test.fallback, most))
        });
        let stricken = |who: Char| is_held(at.state, who) && !test.members.has(who);
        let freed = at.state.pcs(at.rules).iter().filter(|&who| stricken(who)).count() as i32;
        Judge {
            defender,
            save: false,
            success: if test.toward.is_some() { MARK } else { THREAT },
            guilty: if test.quick { 0 } else { intervention(at) },
            innocent: if test.on.is_some() { freed * MARK } else { 0 },
        }
    }

    pub(super) fn of_save(at: At<'_>, save: &Save) -> Judge {
        let Danger { by, form, veiled, fallback, .. } = save.danger;
        let defender = form
            .map(|form| Defender::of(at, (by, save.saver()), form, (veiled, fallback, harm::MOST_IMPOSED)));
        let guilty = if save::is_quick(at.rules, save) { 0 } else { intervention(at) };
        Judge { defender, save: true, success: MARK, guilty, innocent: 0 }
    }

    pub(super) fn rate(&self, result: Result) -> i32 {
        let success = result.success();
        let came = match (&self.defender, self.save) {
            (None, _) if success => self.success + i32::from(result.degree),
            (None, _) => i32::from(result.degree),
            (Some(defender), false) if success => defender.at(result.degree),
            (Some(defender), false) => -defender.fails,
            (Some(defender), true) if success => defender.fails,
            (Some(defender), true) => -defender.at(-result.degree),
        };
        came - if result.guilty { self.guilty } else { 0 }
            + if success && !result.guilty { self.innocent } else { 0 }
    }

    /// A group's Truth: the best of the other dice are its Lights.
    pub(super) fn of_group(&self, at: At<'_>, test: &Test, truth: u8) -> i32 {
        let left = left_for_light(&Test { truth, ..*test });
        let (mut total, mut came) = (0, 0);
        for (who, &light) in test.members.iter().zip(left.dice()) {
            let rank = arms::rank(at, test, who, test.attributes[test.place(who)]);
            let degree = light as i8 + rank - known_challenge(at, test);
            total += degree;
            came += self.defender.as_ref().map_or(self.success, |defender| defender.at(degree.max(0)));
        }
        let fails = self.defender.as_ref().map_or(0, |defender| -defender.fails);
        (if total >= 0 { came } else { fails }) - if is_guilty(truth) { self.guilty } else { 0 }
    }
}

/// The challenge level of a test, as far as players know.
pub(super) fn known_challenge(at: At<'_>, test: &Test) -> i8 {
    match test::level_of(at.rules, test) {
        Some(who) => level(at, who) + test.favor,
        None if test::is_pvp(at.rules, test) => USUAL_LEVEL,
        None => test::challenge(at.rules, test),
    }
}

pub(super) fn test_result(at: At<'_>, test: &Test, (light, truth): (u8, u8)) -> Result {
    let rank = arms::rank(at, test, test.lead(), test.attributes[0]);
    Result::of(light, truth, rank, known_challenge(at, test))
}

pub(super) fn save_result(at: At<'_>, save: &Save, (light, truth): (u8, u8)) -> Result {
    let known = save.pvp || save::shows_level(at, save);
    let cl = if known { save.danger.cl } else { USUAL_LEVEL };
    Result::of(light, truth, at.rules.essence(save.saver(), save.essence()), cl + save.danger.favor)
}
