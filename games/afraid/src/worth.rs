//! How things stand, for bots: a sound game of raise and see.

use crate::challenge::{self, actor, answerer};
use crate::dice::{Faces, Pool};
use crate::state::{Conflict, Exchange, Fate, Nature, Need, Part, Stage, State, Step};
use crate::{At, answer::Answer, conflict::winners, escalate, view::is_in_sight, vocab::*};
use fracas_kernel::{Seat, Viewer};

/// What a conflict won is worth.
const WON: i32 = 260;
/// What going out of a conflict costs.
pub(crate) const OUT: i32 = 90;
/// What dice cost that were brought in before they were needed, each.
const TOO_SOON: i32 = 2;

/// What it costs to have gone into an arena of one's own accord.
pub(crate) const WENT_FURTHER: i32 = 40;
/// What it costs to depend on dice that have still to fall.
pub(crate) const UNSURE: i32 = 15;

/// How well things stand for a seat.
pub(crate) fn worth(state: &State, seat: Seat) -> i32 {
    let gm = seat == Seat::Gm;
    let mut sum = 0;
    for who in state.everybody().filter(|&who| is_in_sight(state, who, Viewer::Seat(seat))) {
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
    worth += 2 * i32::from(being.all_kept(who).faces().sum());
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
pub(crate) fn dice(pool: Pool) -> i32 {
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
        let mut worth = -severity(part.bank) - WENT_FURTHER * part.escalated.len() as i32;
        if part.out {
            worth -= OUT;
        } else if conflict.stage == Stage::Running {
            worth += strength(&part.hand.faces()) + reserve(state, part, gm);
        }
        sum += if ours(part) { worth } else { -worth };
    }
    if let Some(exchange) = conflict.exchange().filter(|_| conflict.stage == Stage::Running) {
        sum += outstanding(state, conflict, exchange, gm);
    }
    sum
}

/// What the challenge under way will still cost, so that nothing is gained by putting
/// off what has to be done.
fn outstanding(state: &State, conflict: &Conflict, exchange: &Exchange, gm: bool) -> i32 {
    let signed = |who: Char, worth: i32| if state.is_pc(who) == gm { -worth } else { worth };
    match exchange.step {
        Step::Making => signed(exchange.by, best_challenge(state, conflict, exchange, gm)),
        Step::Members => 0,
        Step::Matching | Step::Answering => {
            let on = if exchange.step == Step::Matching { exchange.strike().on } else { exchange.owed };
            let owing = conflict.parts.iter().filter(|part| on.has(part.who) && !part.out);
            let harm = exchange.strike().harm;
            owing.map(|part| signed(part.who, -answer_cost(state, part, exchange.sum(), harm, gm))).sum()
        }
    }
}

/// What somebody's best challenge brings: what the answer costs, less the two dice.
fn best_challenge(state: &State, conflict: &Conflict, exchange: &Exchange, gm: bool) -> i32 {
    let Some(own) = conflict.part(exchange.by) else { return 0 };
    let hand = own.hand.faces();
    if hand.len() < 2 {
        let lost = OUT + strength(&hand);
        return if may_have_more(state, own, gm) { -lost / 3 } else { -lost };
    }
    let harm = exchange.escalated.or(own.arena).map_or(Harm::NonPhysical, Arena::harm);
    let targets = challenge::targets(state, exchange);
    let targets = conflict.parts.iter().filter(|part| targets.has(part.who));
    let ways = targets.flat_map(|part| {
        let high = hand.highest(2);
        let just = challenge::least(hand, 2, u16::from(part.hand.faces().top()) + 1).unwrap_or(high);
        [high, just].map(|pair| answer_cost(state, part, pair.best_pair(), harm, gm) - strength(&pair))
    });
    ways.max().unwrap_or(0)
}

/// What it costs somebody to answer so much with what they have.
fn answer_cost(state: &State, part: &Part, need: u8, harm: Harm, gm: bool) -> i32 {
    match challenge::cheapest(state, part.who, need) {
        Some(dice) if dice.len() == 1 => 0,
        Some(dice) if dice.len() == 2 => strength(&dice),
        Some(dice) => {
            let more = Pool::of(dice.len() as u8, harm.size());
            strength(&dice) + severity(part.bank.plus(more)) - severity(part.bank)
        }
        // Dice that have still to fall may be enough.
        None if may_have_more(state, part, gm) => 3 * i32::from(need) + UNSURE,
        None => OUT + strength(&part.hand.faces()),
    }
}

/// What a hand is good for: high dice above all, since they reverse.
pub(crate) fn strength(dice: &Faces) -> i32 {
    let worth = |face: i32| 2 * face + face * face / 6;
    dice.0.iter().zip(1..).map(|(&count, face)| i32::from(count) * worth(face)).sum()
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

/// Whether somebody has dice that are not rolled yet, for all that the viewer knows.
pub(crate) fn may_have_more(state: &State, part: &Part, gm: bool) -> bool {
    if gm || state.is_pc(part.who) { reserve(state, part, true) > 0 } else { state.has_sheet(part.who) }
}

/// What dice are worth that wait.
fn kept_back(pool: Pool) -> i32 {
    let of_size = |&size: &Size| {
        let sides = i32::from(size.sides());
        // The average of what `strength` gives for the faces of such a die.
        let mean = (sides + 1) + (sides + 1) * (2 * sides + 1) / 36;
        i32::from(pool.count(size)) * (mean + TOO_SOON)
    };
    Size::ALL.iter().map(of_size).sum()
}

/// How bad a pool of fallout dice is likely to turn out.
pub(crate) fn severity(pool: Pool) -> i32 {
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

/// How somebody stands who is to challenge or answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Footing {
    /// One or two dice at hand are an answer, or a challenge that costs somebody something.
    AtEase,
    /// There is only a blow to take, or a challenge to throw away, or dice that have still
    /// to fall.
    Pressed,
    /// There is nothing left.
    Spent,
}

/// The conflict that is played, and the part of the character who is to challenge or answer.
pub(crate) fn acting(state: &State) -> Option<(&Conflict, &Part)> {
    let conflict = state.conflict()?;
    Some((conflict, conflict.part(actor(state)?)?))
}

/// How the acting character stands.
pub(crate) fn footing(at: At<'_>) -> Option<Footing> {
    let (conflict, part) = acting(at.state)?;
    let who = part.who;
    let (at_ease, can) = match answerer(at.state) {
        Some((_, exchange)) => match challenge::fewest(at.state, who, exchange.sum()) {
            Some(count) => (count <= 2, true),
            None => (false, could_reach(at.state, part, exchange.sum())),
        },
        None => {
            let pair = part.hand.faces().best_pair();
            let costs = |one: &Part| challenge::fewest(at.state, one.who, pair) != Some(1);
            let others = conflict.opponents(who).and(conflict.still_in());
            let costly = conflict.parts.iter().any(|one| others.has(one.who) && costs(one));
            let two = part.hand.len() > 1;
            (two && costly, two || has_more(at.state, who))
        }
    };
    Some(match (at_ease, can || further(at, part)) {
        (true, _) => Footing::AtEase,
        (false, true) => Footing::Pressed,
        (false, false) => Footing::Spent,
    })
}

/// Whether somebody has something to bring in.
fn has_more(state: &State, who: Char) -> bool {
    let mut any = false;
    challenge::legal_bring(state, who, &mut |_| any = true);
    any
}

/// Whether what can be brought in may well be enough, with what is at hand.
fn could_reach(state: &State, part: &Part, need: u8) -> bool {
    let most = |pool: Pool| -> i32 {
        Size::ALL.iter().map(|&size| i32::from(pool.count(size)) * i32::from(size.sides())).sum()
    };
    let mut more = 0;
    challenge::legal_bring(state, part.who, &mut |answer| {
        if let Answer::Bring(item) = answer {
            more += state.thing(item).map_or(0, |thing| most(thing.rating.pool()));
        }
    });
    // Three quarters of the most is good luck, no more.
    more > 0 && i32::from(part.hand.faces().sum()) + more * 3 / 4 >= i32::from(need)
}

/// Whether there is an arena that brings new dice, and into which somebody may go who
/// would otherwise lose.
fn further(at: At<'_>, part: &Part) -> bool {
    let mut any = false;
    escalate::legal(at, part.who, &mut |arena| {
        any |= brings_dice(at.state, part, arena) && !is_too_far(at.state, part, arena);
    });
    any
}

pub(crate) fn brings_dice(state: &State, part: &Part, arena: Arena) -> bool {
    let fresh = arena.stats().minus(part.rolled);
    state.has_sheet(part.who) && !state.being(part.who).stat_dice(fresh).is_empty()
}

/// Whether only somebody who means to kill goes there: players' characters do so where
/// others have begun it, or a life is at stake.
fn is_too_far(state: &State, part: &Part, arena: Arena) -> bool {
    let Some(conflict) = state.conflict().filter(|_| arena == Arena::Murder && state.is_pc(part.who)) else {
        return false;
    };
    let others = conflict.opponents(part.who);
    let begun = conflict.parts.iter().any(|one| others.has(one.who) && one.arenas.has(arena));
    !begun && conflict.stakes.what.lives.is_empty()
}

/// What keeps somebody from going into a new arena: who escalates would otherwise lose,
/// goes one step at a time, and comes to murder last.
fn before_escalating(at: At<'_>, arena: Arena) -> i32 {
    let Some((_, part)) = acting(at.state) else { return 0 };
    if footing(at) == Some(Footing::AtEase) || !must_go_further(at) {
        return NEVER;
    }
    before_entering(at.state, part, arena)
}

/// Whether the acting character, who is not at ease, has no other way but a new arena.
pub(crate) fn must_go_further(at: At<'_>) -> bool {
    let Some((_, part)) = acting(at.state) else { return false };
    let who = part.who;
    match answerer(at.state) {
        Some((_, exchange)) => {
            // A grave blow is not taken as lightly as words are.
            let taken = challenge::fewest(at.state, who, exchange.sum()).is_some();
            let light = taken && exchange.strike().harm < Harm::Violent;
            !light && !could_reach(at.state, part, exchange.sum())
        }
        None => part.hand.len() < 2 && !has_more(at.state, who),
    }
}

/// What keeps somebody from this arena who must go into a new one.
pub(crate) fn before_entering(state: &State, part: &Part, arena: Arena) -> i32 {
    if is_too_far(state, part, arena) || !brings_dice(state, part, arena) {
        return NEVER;
    }
    let (far, now) = (arena.harm() as i32, part.arenas.gravest() as i32);
    let last = if arena == Arena::Murder { STEP } else { 0 };
    STEP * (far - now - 1).max(0) + last
}

/// What keeps somebody from bringing something in: that they need it not, or that it will
/// not be enough.
pub(crate) fn before_bringing(at: At<'_>) -> i32 {
    let Some((_, part)) = acting(at.state) else { return 0 };
    match (footing(at), answerer(at.state)) {
        (Some(Footing::AtEase), _) => NEVER,
        (_, Some((_, exchange)))
            if challenge::fewest(at.state, part.who, exchange.sum()).is_none()
                && !could_reach(at.state, part, exchange.sum()) =>
        {
            NEVER
        }
        _ => 0,
    }
}

/// What keeps somebody from giving: that they can go on, unless they are far behind.
fn before_giving(at: At<'_>) -> i32 {
    match footing(at) {
        Some(Footing::AtEase) => NEVER,
        Some(Footing::Pressed) if !is_far_behind(at.state) => NEVER,
        _ => 0,
    }
}

/// Whether the acting character's side has next to nothing against the dice of the others.
pub(crate) fn is_far_behind(state: &State) -> bool {
    let Some((conflict, own)) = acting(state) else { return false };
    let against = conflict.opponents(own.who);
    let (mut ours, mut theirs) = (0, 0);
    for part in conflict.parts.iter().filter(|part| !part.out) {
        let shown = strength(&part.hand.faces());
        if against.has(part.who) {
            theirs += shown;
        } else {
            ours += shown + reserve(state, part, !state.is_pc(own.who));
        }
    }
    4 * ours < theirs
}

/// How far a challenge that costs the challenged nothing stays behind the best pair.
fn slack(state: &State, on: CharSet, dice: Faces) -> i32 {
    let Some((_, part)) = acting(state) else { return 0 };
    let reversed = |sum: u8| on.iter().any(|one| challenge::fewest(state, one, sum) == Some(1));
    let (best, put) = (part.hand.faces().best_pair(), dice.best_pair());
    if reversed(put) { i32::from(best) - i32::from(put) } else { 0 }
}

/// Whether the evening has only begun: no conflict has ended, and nobody has moved on.
fn is_fresh(state: &State) -> bool {
    state.scene().is_some_and(|scene| scene.last.is_none() && scene.stage == 0)
}

/// The first aid for what befell somebody: the fallout dice of words are d4s.
fn befallen(state: &State, victim: Char) -> Aid {
    let words = Harm::NonPhysical.size();
    let is_hurt = |need: Need| Size::ALL.iter().any(|&size| size > words && need.dice.count(size) > 0);
    let hurt = state.being(victim).need.is_some_and(is_hurt);
    if hurt { Aid::Physical } else { Aid::Psychological }
}

/// What a fair player does only where there is nothing else to do.
pub(crate) const NEVER: i32 = 2_000;
/// What holds back a step that leaves out another, and murder.
const STEP: i32 = 150;

/// What holds a fair player back.
pub(crate) fn restraint(at: At<'_>, answer: Answer) -> i32 {
    match answer {
        // The gamemaster does not hand out misfortune or secrets, nor open fights, for no
        // reason.
        Answer::Victim { .. } | Answer::Reveal(_) | Answer::Bond { .. } => 1_500,
        Answer::Conflict { .. } if is_fresh(at.state) => 40,
        // What the evening is about has been fought out.
        Answer::Conflict { .. } => 400,
        Answer::CallOff => 500,
        Answer::NewScene(_) | Answer::Enter(_) | Answer::Cut(_) | Answer::Move => 500,
        // Who bleeds is not talked to (`firstaid.kind`).
        Answer::FirstAid { victim, kind, .. } if kind != befallen(at.state, victim) => NEVER,
        // First aid comes before real medical care.
        Answer::Care(_) if is_fresh(at.state) => 300,
        Answer::EndScene if is_fresh(at.state) => 500,
        Answer::EndScene => 20,
        Answer::Close if is_fresh(at.state) => 600,
        // A conflict is played for its dice: a seat that may begin does.
        Answer::Stake(_) | Answer::Muse(_) | Answer::Thing(_) => 500,
        // A character who must lose gives.
        Answer::Give => before_giving(at),
        Answer::Yield => before_giving(at) + 10,
        // What is kept for later is brought out before one loses, not sooner.
        Answer::Bring(_) | Answer::Assign { .. } => before_bringing(at),
        Answer::Escalate(arena) => before_escalating(at, arena),
        // A challenge that costs the others nothing is thrown away.
        Answer::Challenge { on, dice, .. } => 8 * slack(at.state, on, dice),
        // Items brought in count, and characters who could be there are there.
        Answer::No => 500,
        Answer::Harm(_) => 40,
        Answer::Join { .. } => 10,
        Answer::Perish(who) if at.state.is_pc(who) => 500,
        Answer::Resolve { dies, .. } if dies.iter().any(|who| at.state.is_pc(who)) => 800,
        Answer::Resolve { dies, .. } if !dies.is_empty() => 250,
        _ => 0,
    }
}
