//! How things stand, for bots: a sound game of raise and see.

use crate::{
    answer::Answer,
    challenge::{actor, answerer},
    conflict::winners,
    dice::{Faces, Hand, Pool},
    monster::is_met,
    state::{Conflict, Fate, Nature, Part, Stage, State, To},
    vocab::*,
};
use fracas_kernel::Seat;

/// What a conflict won is worth.
const WON: i32 = 260;
/// What going out of a conflict costs.
const OUT: i32 = 90;
/// What dice cost that were brought in before they were needed, each.
const TOO_SOON: i32 = 2;

/// How well things stand for a seat.
pub(crate) fn worth(state: &State, seat: Seat) -> i32 {
    let gm = seat == Seat::Gm;
    let mut sum = 0;
    for who in state.everybody().filter(|&who| gm || is_met(state, To::Char(who))) {
        let own = state.is_pc(who) != gm;
        let sign = if own { 1 } else { -1 };
        sum += sign * shape(state, who, gm || state.is_pc(who));
    }
    for scene in state.scenes.iter().filter(|scene| gm || state.is_open(scene)) {
        if let Some(conflict) = &scene.conflict {
            sum += in_conflict(state, conflict, gm);
        }
    }
    // With nothing to be fought out the evening may end.
    sum + if state.over { 30 } else { 0 }
}

/// How somebody is, apart from any conflict.
fn shape(state: &State, who: Char, open: bool) -> i32 {
    let being = state.being(who);
    if being.fate == Fate::Dead {
        return -400;
    }
    let mut worth = -22 * being.circumstances.len() as i32;
    worth -= if being.need.is_some() { 150 } else { 0 };
    worth += 2 * i32::from(being.all_kept().faces().sum());
    if open {
        worth += 12 * being.stats.iter().map(|&n| i32::from(n)).sum::<i32>();
        worth += dice(being.unassigned);
        for (_, thing) in state.sheet(who) {
            worth += dice(thing.rating.pool());
        }
    }
    if let Nature::Group(members) = being.nature {
        worth += 6 * i32::from(members);
    }
    worth
}

/// Average faces of some dice, twice over.
fn dice(pool: Pool) -> i32 {
    Size::ALL.iter().map(|&size| i32::from(pool.count(size)) * i32::from(size.sides() + 1)).sum()
}

/// How a conflict stands for a side.
fn in_conflict(state: &State, conflict: &Conflict, gm: bool) -> i32 {
    let ours = |part: &Part| state.is_pc(part.who) != gm;
    if let Stage::Resolving(side) = conflict.stage {
        let won = winners(conflict, side).iter().any(|who| state.is_pc(who) != gm);
        let banked: i32 =
            conflict.parts.iter().map(|part| if ours(part) { -1 } else { 1 } * severity(part.bank)).sum();
        return if won { WON } else { -WON } + banked;
    }
    let mut sum = 0;
    for part in &conflict.parts {
        let mut worth = -severity(part.bank);
        if part.out {
            worth -= OUT;
        } else if conflict.stage == Stage::Running {
            worth += strength(&part.hand) + reserve(state, part, gm);
        }
        sum += if ours(part) { worth } else { -worth };
    }
    sum
}

/// What a hand is good for: high dice above all, since they reverse.
fn strength(hand: &Hand) -> i32 {
    hand.faces().iter().map(|face| i32::from(face) * 2 + i32::from(face) * i32::from(face) / 6).sum()
}

/// What is not rolled yet, where the viewer may know it: worth a little more than rolled,
/// so that it is kept until it is needed.
fn reserve(state: &State, part: &Part, gm: bool) -> i32 {
    if !gm && !state.is_pc(part.who) {
        return 0;
    }
    let things = state.sheet(part.who).filter(|(_, thing)| {
        matches!(thing.sort, Sort::Trait | Sort::Belonging)
            && !thing.rolled
            && thing.arena.is_none_or(|arena| part.arenas.has(arena))
    });
    let brought: i32 = things.map(|(_, thing)| kept_back(thing.rating.pool())).sum();
    let being = state.being(part.who);
    let stats: StatSet = Stat::ALL.iter().copied().filter(|&stat| !part.rolled.has(stat)).collect();
    brought + kept_back(being.stat_dice(stats)) + kept_back(being.unassigned) / 2
}

/// What dice are worth that wait.
fn kept_back(pool: Pool) -> i32 {
    let faces: i32 = Size::ALL
        .iter()
        .map(|&size| {
            let sides = i32::from(size.sides());
            // The average of what `strength` gives for the faces of such a die.
            let mean = (sides + 1) + (sides + 1) * (2 * sides + 1) / 36;
            i32::from(pool.count(size)) * (mean + TOO_SOON)
        })
        .sum();
    faces
}

/// How bad a pool of fallout dice is likely to turn out.
fn severity(pool: Pool) -> i32 {
    let top = Size::ALL.iter().rev().find(|&&size| pool.count(size) > 0);
    let Some(top) = top else { return 0 };
    let sides = i32::from(top.sides());
    let many = pool.len() as i32;
    // Two highest of many dice: nearer to the most they can show the more there are.
    2 * sides * sides * many / (many + 2) + 2 * many
}

/// Whether players' characters won the conflict that was under way.
pub(crate) fn won(state: &State, since: &State) -> Option<bool> {
    since.conflict()?;
    let scene = state.scenes.get(usize::from(since.now))?;
    let side = match &scene.conflict {
        Some(Conflict { stage: Stage::Resolving(side), .. }) => {
            scene.conflict.as_ref().map(|conflict| winners(conflict, *side))
        }
        Some(_) => None,
        None => scene.last.map(|last| last.winners),
    };
    side.map(|side| side.iter().any(|who| state.is_pc(who)))
}

/// Whether whoever acts has dice enough: a fair pair to challenge with, or a reverse or
/// a block.
fn is_at_ease(state: &State) -> bool {
    let Some((who, conflict)) = actor(state).zip(state.conflict()) else { return false };
    let pair = i32::from(best_pair(conflict, who));
    match answerer(state) {
        Some((_, exchange)) => pair >= i32::from(exchange.sum()),
        None => pair >= 8,
    }
}

/// How far a challenge stays behind the best pair.
fn slack(state: &State, dice: Faces) -> i32 {
    let best = actor(state).zip(state.conflict()).map_or(0, |(who, conflict)| best_pair(conflict, who));
    i32::from(best) - i32::from(dice.best_pair())
}

fn best_pair(conflict: &Conflict, who: Char) -> u8 {
    conflict.part(who).map_or(0, |part| part.hand.faces().best_pair())
}

/// Scenes or places that an evening has before a gamemaster lets it end.
const PLACES: u8 = 2;

/// Whether nothing has come to a head in a scene that has only begun.
fn is_fresh(state: &State) -> bool {
    state.scene().is_some_and(|scene| scene.last.is_none() && scene.stage < PLACES)
}

/// What holds a fair player back.
pub(crate) fn restraint(state: &State, answer: Answer) -> i32 {
    match answer {
        // The gamemaster does not hand out misfortune, nor open fights for no reason.
        Answer::Victim { .. } | Answer::Reveal(_) | Answer::Bond { .. } => 500,
        Answer::Conflict { .. } => 40,
        Answer::CallOff => 500,
        Answer::NewScene(_) | Answer::Enter(_) | Answer::Cut(_) | Answer::Move => 500,
        // First aid comes before real medical care.
        Answer::Care(_) if is_fresh(state) => 300,
        Answer::EndScene if is_fresh(state) => 500,
        Answer::EndScene => 20,
        // An evening is more than one conflict.
        Answer::Close if state.scene().is_some_and(|scene| scene.stage < PLACES) => 600,
        // Dice are what is played for: whoever may begin does.
        Answer::Stake(_) | Answer::Muse(_) | Answer::Thing(_) => 500,
        // Whoever must lose gives.
        Answer::Yield => 10,
        // What is kept for later is brought out before one loses, not sooner.
        Answer::Bring(_) | Answer::Escalate(_) | Answer::Assign { .. } if is_at_ease(state) => 25,
        // A challenge that costs the others nothing is thrown away.
        Answer::Challenge { dice, .. } => 3 * slack(state, dice),
        Answer::No => 40,
        Answer::Harm(_) => 40,
        Answer::Join { .. } => 10,
        Answer::Perish(who) if state.is_pc(who) => 500,
        Answer::Resolve { dies, .. } if dies.iter().any(|who| state.is_pc(who)) => 800,
        Answer::Resolve { dies, .. } if !dies.is_empty() => 250,
        _ => 0,
    }
}
