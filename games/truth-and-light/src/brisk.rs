//! How much a brisk player is drawn to an answer: rules of thumb, from the table as it lies.

use crate::answer::{Answer, Deal, GloryPick, GuiltPick};
use crate::rules::Numbers;
use crate::state::{Action, Outcome};
use crate::{At, roll, vocab::*, weigh::Mood};
use fracas_kernel::{Seat, Secret};

/// A number that stands for one the player is not told: that of an ordinary task.
const ORDINARY: i8 = 10;
/// How much a point of restraint weighs. Restraint decides first: nobody gives up a scene for a good throw.
const RESTRAINT: i32 = 10;
/// Of 36 throws of two dice, how many come to at least this, from 2 to 12.
const AT_LEAST: [i32; 11] = [36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1];

/// The appeal of each listed answer.
pub(crate) fn appeal(at: At<'_>, seat: Seat, listed: &[Answer], each: &mut impl FnMut(i32)) {
    let mood = Mood::of(at, Some(seat));
    listed.iter().for_each(|answer| each(draw(at, seat, *answer) - RESTRAINT * mood.restraint(*answer)));
}

fn draw(at: At<'_>, seat: Seat, answer: Answer) -> i32 {
    let action = at.state.action.as_ref();
    match answer {
        Answer::Attack(deal) => 20 + deed(at, seat, &deal),
        Answer::Major(deal) => deed(at, seat, &deal),
        Answer::Assault { on, .. } => near_end(at, seat, on),
        Answer::Ready { die, ability, using } => {
            4 * i32::from(ability.is_some()) + 2 * i32::from(using.is_some()) + 3 * i32::from(die)
        }
        Answer::Spend(spend) => action.map_or(0, |action| spending(seat, action, spend)),
        // A claim fails on purpose, for a die later.
        Answer::Claim { spend, .. } => action.map_or(0, |action| spending(seat, action, spend) - 10),
        Answer::GoodFortune | Answer::Reroll => action.map_or(0, |action| again(seat, action)),
        Answer::BadFortune => action.map_or(0, |action| i32::from(action.throw.light >= 4)),
        // Withdrawn it is an innocent failure; pushed on, glorious or guilty.
        Answer::PushOn => action.map_or(0, |action| 220 * second(seat, action) / 36 - 60),
        Answer::Guilt(pick) => match pick {
            GuiltPick::SufferSurprise { .. } => 4,
            GuiltPick::LoseBoons(_) => 3,
            GuiltPick::FaultAbility(_) => 2,
            GuiltPick::RaiseRisk => 1,
        },
        Answer::Glory(pick) => match pick {
            GloryPick::SpringSurprise { on: Target::Char(on), .. } => 8 + near_end(at, seat, on),
            GloryPick::SpringSurprise { .. } => 4,
            GloryPick::BreakRisk(_) => 6,
            GloryPick::ControlBoons(_) => 3,
            GloryPick::GrantAbility(_) => 2,
        },
        Answer::Upper(pick) => match pick.upper() {
            Upper::Overwhelm => 5,
            Upper::Surprise => 4,
            Upper::Press => 3,
            Upper::Seize => 2,
            Upper::Rally => 1,
        },
        _ => 0,
    }
}

/// What is declared: the best attribute, against who is nearly out, with what helps.
fn deed(at: At<'_>, seat: Seat, deal: &Deal) -> i32 {
    let ranks = at.rules.sheet(deal.who).ranks;
    let rank = deal.attribute.map_or(0, |attribute| i32::from(ranks[attribute as usize]));
    let on = match deal.on {
        Some(Target::Char(on)) if at.rules.is_pc(on) == at.rules.is_pc(deal.who) => -40,
        Some(Target::Char(on)) => near_end(at, seat, on),
        _ => 0,
    };
    rank + on + 3 * i32::from(deal.ability.is_some()) + 2 * i32::from(deal.using.is_some())
}

/// How near somebody is to the end of a track: more, the less is left of the shortest.
fn near_end(at: At<'_>, seat: Seat, who: Char) -> i32 {
    let (left, sizes) = (at.state.being(who).tracks, at.rules.sheet(who).tracks);
    let is_told = seat == Seat::Gm
        || at.rules.options.numbers == Numbers::Announced
        || at.rules.is_pc(who)
        || at.state.known.has(who);
    if !is_told {
        // The harm taken shows, and not how much more it takes.
        let taken = left.into_iter().zip(sizes).map(|(left, size)| i32::from(size.saturating_sub(left)));
        return taken.max().unwrap_or(0);
    }
    let shortest = left.into_iter().zip(sizes).filter(|(_, size)| *size > 0).map(|(left, _)| left).min();
    12 - i32::from(shortest.unwrap_or(6)).min(12)
}

/// The number of a roll, as far as the seat is told.
fn number(seat: Seat, action: &Action) -> i8 {
    if seat == Seat::Gm || action.told { *action.tn.reveal() } else { ORDINARY }
}

/// What spending so much comes to: success first, then what is left on Light.
fn spending(seat: Seat, action: &Action, spend: i8) -> i32 {
    let spend = spend.unsigned_abs();
    let known = Action { tn: Secret::new(number(seat, action)), ..*action };
    let Outcome { success, band, degrees } = roll::result(&known, spend);
    let light = match band {
        Band::Guilty => -15,
        Band::Innocent => 0,
        Band::Glorious => 12,
    };
    // Degrees are harm done, or harm taken.
    let degrees = if success { i32::from(degrees.min(6)) } else { -i32::from(degrees.min(6)) };
    40 * i32::from(success) + light + degrees - i32::from(spend)
}

/// Whether Light is worth rolling again: where all of it does not succeed, or hardly any is left.
fn again(seat: Seat, action: &Action) -> i32 {
    let best = (0..=roll::most(action)).map(|spend| spending(seat, action, spend as i8)).max();
    // An average second throw: a success without more.
    if best.unwrap_or(0) < 20 { 30 } else { -100 }
}

/// Of 36, how often the second roll succeeds if everything is spent.
fn second(seat: Seat, action: &Action) -> i32 {
    let need = i32::from(number(seat, action)) - i32::from(action.power) + 1;
    AT_LEAST[need.clamp(2, 12) as usize - 2]
}
