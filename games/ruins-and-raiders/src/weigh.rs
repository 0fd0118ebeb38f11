//! How well things stand for a seat, for bots.

use crate::answer::{Act, Answer, Prompt};
use crate::state::{Frame, Lie, Phase};
use crate::{At, RuinsAndRaiders, round, view, vocab::*};
use fracas_kernel::{Asking, Seat, Slot, Viewer};

/// How well things stand for a seat: by harm, by who is out, by who can reach a foe. Reads what the seat
/// may know: wounds are told to everybody.
pub(crate) fn worth(at: At<'_>, seat: Seat) -> i32 {
    at.rules.everybody().filter(|&who| !at.rules.mounts.has(who)).map(|who| of(at, who, seat)).sum()
}

/// What a wound or a shock is worth, and that somebody is out.
pub(crate) const HARM: i32 = 6;
pub(crate) const OUT: i32 = 120;

fn of(at: At<'_>, who: Char, seat: Seat) -> i32 {
    let own = if seat == Seat::Gm { Side::Foes } else { Side::Players };
    let (being, side) = (at.state.being(who), at.rules.sheet(who).side);
    if side == Side::Nobody || being.away || own == Side::Players && being.unseen {
        return 0;
    }
    let fighting = &being.battle;
    let wounds = being.wounds + coming(at, who);
    let harm = HARM * i32::from((wounds + being.shocks).min(40));
    let is_out = at.state.is_disabled(at.rules, who) || wounds >= bears(at, who, seat);
    let out = if is_out { OUT } else { 0 };
    let stance = if being.prone { 8 } else { 0 };
    // Without an action left nothing comes of an aim before it is gone.
    let strikes = fighting.actions > 0 || fighting.extra > 0;
    let aims = if strikes { 3 * i32::from(fighting.aim) + 2 * i32::from(fighting.haymaker) } else { 0 };
    let ready = aims + 2 * i32::from(fighting.defend);
    let fortune = if side == own { 2 * i32::from(being.fortune.min(20)) } else { 0 };
    let kept = fortune + i32::from(fighting.actions);
    // What a charge gives the next blow, where a blow can follow.
    let momentum = match fighting.charge {
        Some(spaces) if fighting.charging && strikes && must_come_near(at, who) => {
            2 * i32::from(at.rules.options.momentum(spaces))
        }
        _ => 0,
    };
    let worth = kept + ready + momentum - harm - out - stance;
    // That a foe is far away is no gain: else two who must come near would both stay where they are.
    if side == own { worth - distance(at, who) } else { -worth }
}

/// So many wounds disable somebody, as far as a seat knows: as many as at this table usually.
pub(crate) fn bears(at: At<'_>, who: Char, seat: Seat) -> u16 {
    match view::knows_values(at, who, Viewer::Seat(seat)) {
        true => at.state.disabled_at(at.rules, who),
        false => at.rules.track.disabled.unwrap_or(at.rules.options.disabled_at),
    }
}

/// The wounds of hits that have not landed yet.
fn coming(at: At<'_>, who: Char) -> u16 {
    let of = |frame: &Frame| match frame {
        Frame::Attack(attack) if attack.on == who => attack.wounds,
        _ => 0,
    };
    at.state.frames.iter().map(of).sum()
}

/// About as far as people move on foot, for one action.
pub(crate) const ORDINARY_MOVE: u16 = 12;

/// How far somebody who fights at close quarters is from the nearest foe: nothing for who waits for a rider
/// to come.
fn distance(at: At<'_>, who: Char) -> i32 {
    if !must_come_near(at, who) {
        return 0;
    }
    let waits = at.state.fighting(who).turn == Turn::Waits;
    if waits && lets_come(at, who) { 0 } else { nearest(at, who).unwrap_or(0).into() }
}

/// Whether somebody can fight, and only at close quarters.
pub(crate) fn must_come_near(at: At<'_>, who: Char) -> bool {
    let shoots = at.state.held(who, Lie::Hand).any(|weapon| at.rules.arm(weapon).uses.has(Use::Missile));
    !shoots && at.state.phase == Phase::Battle && at.state.is_able(at.rules, who)
}

/// The foes of somebody who are seen and can act.
pub(crate) fn foes(at: At<'_>, who: Char) -> impl Iterator<Item = Char> + '_ {
    at.rules.everybody().filter(move |&other| {
        at.state.are_foes(at.rules, who, other)
            && at.state.is_noticed(other)
            && !at.state.is_disabled(at.rules, other)
            && !at.rules.mounts.has(other)
    })
}

/// How far away the nearest of them is.
fn nearest(at: At<'_>, who: Char) -> Option<u16> {
    foes(at, who).map(|other| at.state.distance(at.rules, who, other).min(40)).min()
}

/// For so many rounds riders are waited for: those who have not come then will not come.
const PATIENCE: u16 = 2;

/// Whether somebody on foot does well to let riders come, as no foe is within a move.
pub(crate) fn lets_come(at: At<'_>, who: Char) -> bool {
    let on_foot = |who: Char| at.state.being(who).riding.is_none();
    at.state.round <= PATIENCE
        && on_foot(who)
        && nearest(at, who).is_some_and(|far| far > ORDINARY_MOVE)
        && foes(at, who).any(|foe| !on_foot(foe))
}

/// How reluctant a good player is to wait: where everybody waits nothing happens.
fn waiting(at: At<'_>, who: Char) -> i32 {
    if lets_come(at, who) { 0 } else { NEVER }
}

/// More than any loss that a bot foresees: what only puts off a loss is not done for that.
pub(crate) const NEVER: i32 = 5_000;

/// After so many rounds nobody will win who has not won.
const LONGEST: u16 = 30;

/// Whether a good Adversary ends the battle.
fn is_done(at: At<'_>) -> bool {
    round::is_over(at) || at.state.round >= LONGEST
}

/// What a good player is reluctant to do.
pub(crate) fn restraint(at: At<'_>, slot: Slot, answer: Answer) -> i32 {
    RuinsAndRaiders::ask_at(at, slot).map_or(0, |ask| held_back(at, ask.prompt, answer))
}

/// The same of the prompt that is answered.
pub(crate) fn held_back(at: At<'_>, prompt: Prompt, answer: Answer) -> i32 {
    match (prompt, answer) {
        (Prompt::Round, Answer::Peace) if !is_done(at) => NEVER,
        // Less than what is never done: to end the last turn of a battle leads here.
        (Prompt::Round, Answer::Next) if is_done(at) => 200,
        (Prompt::Scene, Answer::Battle { first, surprised }) => battle(at, first, surprised),
        (Prompt::Scene, Answer::Close) if at.state.battles > 0 => 0,
        // A battle seems worse than none, and is what everybody came for.
        (Prompt::Scene, _) if at.state.battles == 0 => NEVER,
        (Prompt::Scene, _) => 20,
        (Prompt::Chase, Answer::Peace) if !is_caught(at) => 100,
        (_, Answer::Shift { .. }) => NEVER,
        (_, Answer::Hint { .. } | Answer::NoRoll { .. }) => 5,
        (prompt, Answer::Act(act)) => crate::words::actor(prompt).map_or(0, |who| deed(at, who, act)),
        (_, Answer::As { who, act }) => deed(at, who, act),
        (Prompt::Abort { who, .. }, Answer::Abort { defend, resist, own, .. }) => {
            let actions = i32::from(defend) + i32::from(resist) + own.as_slice().len() as i32;
            // What is given up cannot strike back, if the turn is still to come.
            let price = if at.state.fighting(who).turn == Turn::Done { 0 } else { 10 };
            price * actions
        }
        _ => 0,
    }
}

/// How reluctant a good player is to do something in a fight.
pub(crate) fn deed(at: At<'_>, who: Char, act: Act) -> i32 {
    match act {
        Act::End => 1,
        Act::Wait { .. } => waiting(at, who),
        // Bots have nothing of their own to say or do, and it could be done for ever.
        Act::Shout(_) | Act::Sheathe(_) | Act::Do(_) | Act::Door | Act::Fall => NEVER,
        Act::Draw(_) if at.state.held(who, Lie::Hand).next().is_some() => NEVER,
        _ => 0,
    }
}

/// How reluctant a good player is to begin a conflict so: as the encounter says, or else with an ambush only
/// where most foes who can act are unseen, and after a second not at all.
fn battle(at: At<'_>, first: CharSet, surprised: CharSet) -> i32 {
    if let Some(opening) = crate::scene::opening(at) {
        return if opening == (first, surprised) { 0 } else { NEVER };
    }
    let fights = |&who: &Char| {
        at.rules.sheet(who).side == Side::Foes
            && round::takes_part(at, who)
            && at.state.is_able(at.rules, who)
    };
    let foes: CharSet = at.rules.everybody().filter(fights).collect();
    let unseen = foes.iter().filter(|&who| at.state.being(who).unseen).count();
    let is_ambush = !first.is_empty() || !surprised.is_empty();
    match at.state.battles {
        0 if is_ambush != (2 * unseen > foes.len()) => NEVER,
        0 | 1 => 0,
        _ => 200,
    }
}

fn is_caught(at: At<'_>) -> bool {
    let lead = |who: Char| at.state.being(who).lead;
    at.state.fleeing.iter().any(|who| at.state.after.iter().any(|other| lead(other) >= lead(who)))
}

/// Whether a fair player goes on although others may act: where somebody may cut in.
pub(crate) fn cuts_in(at: At<'_>, slot: Slot) -> bool {
    RuinsAndRaiders::ask_at(at, slot).is_some_and(|ask| matches!(ask.prompt, Prompt::Cut { .. }))
}
