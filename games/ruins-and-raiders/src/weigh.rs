//! How well things stand for a seat, for bots.

use crate::answer::{Act, Answer, Prompt};
use crate::state::{Frame, Lie, Phase};
use crate::{At, RuinsAndRaiders, round, values, vocab::*};
use fracas_kernel::{Asking, Seat, Slot};

/// How well things stand for a seat: by harm, by who is out, by who can reach a foe. Reads what the seat
/// may know: wounds are told to everybody.
pub(crate) fn worth(at: At<'_>, seat: Seat) -> i32 {
    let own = if seat == Seat::Gm { Side::Foes } else { Side::Players };
    at.rules.everybody().filter(|&who| !at.rules.mounts.has(who)).map(|who| of(at, who, own)).sum()
}

fn of(at: At<'_>, who: Char, own: Side) -> i32 {
    let (being, side) = (at.state.being(who), at.rules.sheet(who).side);
    if side == Side::Nobody || being.away || own == Side::Players && being.unseen {
        return 0;
    }
    let fighting = &being.battle;
    let wounds = being.wounds + coming(at, who);
    let harm = 6 * i32::from((wounds + being.shocks).min(40));
    let is_out = at.state.is_disabled(at.rules, who) || wounds >= at.state.disabled_at(at.rules, who);
    let out = if is_out { 120 } else { 0 };
    let stance = if being.prone { 8 } else { 0 };
    // Without an action left nothing comes of an aim before it is gone.
    let strikes = fighting.actions > 0 || fighting.extra > 0;
    let aims = if strikes { 3 * i32::from(fighting.aim) + 2 * i32::from(fighting.haymaker) } else { 0 };
    let ready = aims + 2 * i32::from(fighting.defend);
    let fortune = if side == own { 2 * i32::from(being.fortune.min(20)) } else { 0 };
    let kept = fortune + i32::from(fighting.actions);
    // What a charge gives its next blow, less what it gives blows that meet it.
    let momentum = match fighting.charge {
        Some(spaces) if fighting.charging => 2 * i32::from(values::momentum(spaces)),
        _ => 0,
    };
    let worth = kept + ready + momentum - harm - out - stance - distance(at, who);
    if side == own { worth } else { -worth }
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
const ORDINARY_MOVE: u16 = 12;

/// How far somebody who fights at close quarters is from the nearest foe: nothing for who waits for a rider
/// to come.
fn distance(at: At<'_>, who: Char) -> i32 {
    let shoots = at.state.held(who, Lie::Hand).any(|weapon| at.rules.arm(weapon).uses.has(Use::Missile));
    if shoots || at.state.phase != Phase::Battle || !at.state.is_able(at.rules, who) {
        return 0;
    }
    let Some((far, nearest)) = nearest(at, who) else { return 0 };
    let waits = at.state.fighting(who).turn == Turn::Waits;
    if waits && lets_come(at, who, far, nearest) { 0 } else { far.into() }
}

/// The nearest foe that is seen, and how far away.
fn nearest(at: At<'_>, who: Char) -> Option<(u16, Char)> {
    let foes = at.rules.everybody().filter(|&other| {
        at.state.are_foes(at.rules, who, other)
            && at.state.is_noticed(other)
            && !at.state.is_disabled(at.rules, other)
            && !at.rules.mounts.has(other)
    });
    foes.map(|other| (at.state.distance(at.rules, who, other).min(40), other)).min()
}

/// Whether somebody on foot does well to let a rider come, whom no move reaches.
fn lets_come(at: At<'_>, who: Char, far: u16, foe: Char) -> bool {
    far > ORDINARY_MOVE && at.state.being(foe).riding.is_some() && at.state.being(who).riding.is_none()
}

/// How reluctant a good player is to wait: where everybody waits nothing happens.
fn waiting(at: At<'_>, who: Char) -> i32 {
    if nearest(at, who).is_some_and(|(far, foe)| lets_come(at, who, far, foe)) { 0 } else { NEVER }
}

/// More than any loss that a bot foresees: what only puts off a loss is not done for that.
const NEVER: i32 = 5_000;

/// What a good player is reluctant to do.
pub(crate) fn restraint(at: At<'_>, slot: Slot, answer: Answer) -> i32 {
    let Some(ask) = RuinsAndRaiders::ask_at(at, slot) else { return 0 };
    match (ask.prompt, answer) {
        (Prompt::Round, Answer::Peace) if !round::is_over(at) => NEVER,
        (Prompt::Round, Answer::Next) if round::is_over(at) => NEVER,
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
fn deed(at: At<'_>, who: Char, act: Act) -> i32 {
    match act {
        Act::End => 1,
        Act::Wait { .. } => waiting(at, who),
        // Bots have nothing of their own to say or do, and it could be done for ever.
        Act::Shout(_) | Act::Sheathe(_) | Act::Do(_) | Act::Door | Act::Fall => NEVER,
        Act::Draw(_) if at.state.held(who, Lie::Hand).next().is_some() => NEVER,
        _ => 0,
    }
}

/// How reluctant a good player is to begin a conflict so: with an ambush only where a foe is
/// unseen, and after a second one not at all.
fn battle(at: At<'_>, first: CharSet, surprised: CharSet) -> i32 {
    let is_foe = |&who: &Char| at.rules.sheet(who).side == Side::Foes && at.state.is_here(who);
    let hides = at.rules.everybody().filter(is_foe).any(|who| at.state.being(who).unseen);
    let is_ambush = !first.is_empty() || !surprised.is_empty();
    match at.state.battles {
        0 if is_ambush != hides => NEVER,
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
