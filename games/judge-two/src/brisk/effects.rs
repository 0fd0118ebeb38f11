//! What an attack or a counterattack is to do.

use super::stakes::*;
use crate::answer::{Answer, Blow};
use crate::state::{Cause, Harm, State};
use crate::{At, harm, vocab::*};

/// What an effect is worth to those who impose it.
pub(super) fn imposes(at: At<'_>, harm: &Harm, answer: Answer) -> i32 {
    let reached = || harm::tier(at, harm);
    let risk = |tier: Option<Tier>| match harm.cause {
        Cause::Attack => i32::from(tier.unwrap_or_else(reached).risk()) * RISK,
        Cause::Guard | Cause::Counter => 0,
    };
    let blow = |blow: Blow| threatens(at, harm, blow);
    let (worth, release) = match answer {
        Answer::Finisher { finisher, release } => (FIRST + lasts(finisher), release),
        Answer::Mark { mark, tier, release } => {
            (marks(at.state, (harm.by, harm.on), mark) + risk(tier), release)
        }
        Answer::Threats { first, second, tier, release } => {
            (blow(first) + blow(second) + risk(tier), release)
        }
        Answer::Threat { threat, item, dislodge, tier, release } => {
            (blow(Blow { threat, item, dislodge }) + risk(tier), release)
        }
        Answer::Spread { threat, item, dislodge, also, release } => {
            (blow(Blow { threat, item, dislodge }) + also.len() as i32 * THREAT / 2, release)
        }
        Answer::Nothing { release } => (0, release),
        _ => (0, false),
    };
    worth + if release { RELEASE } else { 0 }
}

/// The finishers after which somebody is gone for good come first.
pub(super) const fn lasts(finisher: Finisher) -> i32 {
    match finisher {
        Finisher::Kill | Finisher::Destroy | Finisher::Sunk | Finisher::Burned => 3,
        Finisher::Flee | Finisher::Shame | Finisher::Rout | Finisher::Withdraw | Finisher::DrivenOff => 2,
        Finisher::Unconscious | Finisher::Surrender | Finisher::Captured => 1,
        Finisher::Assent | Finisher::Disposition | Finisher::Provoke => 0,
    }
}

/// What a mark is worth: the third may be the end of them (`death.marks`).
pub(super) fn marks(state: &State, (by, on): (Option<Char>, Char), mark: Mark) -> i32 {
    let weight = match mark {
        // Those who cannot attack hold nobody up: nobody would be left who can.
        Mark::Stricken if by.is_some_and(|by| is_held(state, by)) => THREAT,
        _ => weight_of(mark),
    };
    weight + if state.being(on).marks.len() == 2 { MARK } else { 0 }
}

/// What a threat is worth.
pub(super) fn threatens(at: At<'_>, harm: &Harm, Blow { threat, item, dislodge }: Blow) -> i32 {
    let being = at.state.being(harm.on);
    let worth = match (threat, item) {
        (Threat::Weaken, _) if being.weakened => 1,
        (Threat::Weaken, _) => THREAT + 5 + if dislodge { 15 } else { 0 },
        (Threat::Misdirect, _) if harm.by.is_none_or(|by| being.misdirected_by.has(by)) => 1,
        (Threat::Misdirect, _) => THREAT,
        (Threat::Entangle, _) if being.bind != 0 => 1,
        (Threat::Entangle, _) => THREAT / 3,
        (Threat::Disarm, Some(Prize::Thing(item))) => {
            let gear = at.rules.gear(item);
            let serves = gear.form == harm.form && being.readied.has(item);
            match gear.category {
                Category::Power if serves => THREAT * 2,
                Category::Keen if serves => THREAT,
                _ => 2,
            }
        }
        (Threat::Disarm, _) => THREAT,
    };
    let untried = !at.state.omen_met(at.rules, harm.on) && !at.state.suffers(harm.on, threat);
    worth + if untried { OMEN } else { 0 }
}
