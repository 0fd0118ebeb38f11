//! What draws a brisk player: judged from the table as it lies, without trying an answer.
//!
//! Units are those of `worth`. What is common to an ask is worked out once, before its answers.

use crate::answer::{Answer, Prompt};
use crate::challenge::{self, answerer};
use crate::dice::{Faces, Pool, TOP};
use crate::state::{Conflict, Exchange, FalloutRoll, Making, Menu, Part, Stage, State};
use crate::worth::{
    self, Footing, NEVER, OUT, UNSURE, WENT_FURTHER, brings_dice, restraint, severity, strength,
};
use crate::{Afraid, At, conflict::winners, state::Chore, vocab::*};
use fracas_kernel::{Asking as _, Seat, Slot};

/// The appeal of what costs nothing and comes before all else.
const FIRST: i32 = 1_000;
/// The appeal of an answer that is better than none.
const GLAD: i32 = 20;
/// What it costs to go on without hope: words are borne, blows are not.
const WITHOUT_HOPE: i32 = 40;
/// What one circumstance costs that becomes true.
const CIRCUMSTANCE: i32 = 22;
/// What a die of a stat is worth.
const STAT: i32 = 12;
/// What a need for first aid costs.
const NEED: i32 = 150;
/// What a member of a group is worth.
const MEMBER: i32 = 10;
/// What it costs the gamemaster that a fact becomes known where fallout asks for it.
const SECRET: i32 = 8;

/// How much a brisk player in this seat is drawn to each answer.
pub(crate) fn appeal(at: At<'_>, (slot, seat): (Slot, Seat), listed: &[Answer], each: &mut impl FnMut(i32)) {
    let state = at.state;
    let mut rate = |how: &dyn Fn(Answer) -> i32| listed.iter().for_each(|&answer| each(how(answer)));
    match Afraid::ask_at(at, slot).map(|ask| ask.prompt) {
        Some(Prompt::Challenge { who, .. }) => {
            let (acting, foes) = (Acting::of(at, who), Opponents::of(state, who, seat));
            rate(&|answer| match answer {
                Answer::Challenge { on, dice, harm, .. } => {
                    // The usual harm is threatened, unless a graver one does much more.
                    let graver = if harm.is_some() { GLAD } else { 0 };
                    foes.cost(on, dice.best_pair(), harm) - strength(&dice) - graver
                }
                // Friends do not fight on among themselves.
                Answer::Give if foes.friends => FIRST,
                _ => acting.besides(answer),
            });
        }
        // Another challenge with the same dice is free, and idle where all reverse it.
        Some(Prompt::Members { who, .. }) => {
            let foes = Opponents::of(state, who, seat);
            let put = state.exchange().map_or(0, Exchange::sum);
            rate(&|answer| match answer {
                Answer::Strike { on, harm, .. } => foes.cost(on, put, harm),
                _ => 1,
            });
        }
        Some(Prompt::Answer { who, .. }) => {
            let acting = Acting::of(at, who);
            rate(&|answer| match answer {
                Answer::Answer { dice, .. } => -acting.spends(dice),
                _ => acting.besides(answer),
            });
        }
        Some(Prompt::Match { who, arena, .. }) => {
            let wants = state.part(who).is_some_and(|part| brings_dice(state, part, arena));
            rate(&|answer| if (answer == Answer::Match) == wants { GLAD } else { 0 });
        }
        Some(Prompt::Help { to, .. }) => rate(&|answer| help(state, to, answer)),
        Some(Prompt::Join(_)) => rate(&|answer| join(state, answer)),
        Some(Prompt::Resolve | Prompt::Decide(_)) => {
            let pcs = winning(state).iter().any(|who| state.is_pc(who));
            rate(&|answer| resolve(at, pcs, answer));
        }
        Some(Prompt::Fallout { who, menu }) => {
            let of = match state.chores.first() {
                Some(Chore::Menu { of, .. }) => *of,
                _ => FalloutRoll::NONE,
            };
            rate(&|answer| choice(state, who, (menu, of), answer));
        }
        Some(Prompt::Scene) => {
            let aid = |answer: &Answer| matches!(answer, Answer::FirstAid { .. });
            let aided = listed.iter().any(aid);
            rate(&|answer| between(at, aided, answer));
        }
        Some(Prompt::Stakes) => {
            let named = state.conflict().is_some_and(|conflict| conflict.stakes.are_named());
            rate(&|answer| match answer {
                Answer::Thing(_) if !named => -GLAD,
                // What cannot begin although the stakes are named is dropped.
                Answer::CallOff if named => -GLAD,
                _ => -restraint(at, answer),
            });
        }
        Some(Prompt::Need(_)) => rate(&|answer| if matches!(answer, Answer::Care(_)) { GLAD } else { 0 }),
        Some(Prompt::Newcomer { step, .. }) => rate(&|answer| newcomer(step, answer)),
        _ => rate(&|answer| -restraint(at, answer)),
    }
}

/// What holds for every answer of the character who challenges or answers.
struct Acting<'a> {
    at: At<'a>,
    part: Option<&'a Part>,
    at_ease: bool,
    /// A new arena is the only way on.
    must_go_further: bool,
    bringing: i32,
    giving: i32,
    exchange: Option<&'a Exchange>,
}

impl<'a> Acting<'a> {
    fn of(at: At<'a>, who: Char) -> Acting<'a> {
        let footing = worth::footing(at);
        let at_ease = footing == Some(Footing::AtEase);
        let giving = match footing {
            Some(Footing::Spent) => 0,
            Some(Footing::Pressed) if worth::is_far_behind(at.state) => -WITHOUT_HOPE,
            _ => -NEVER,
        };
        Acting {
            at,
            part: at.state.part(who),
            at_ease,
            must_go_further: !at_ease && worth::must_go_further(at),
            bringing: if at_ease || worth::before_bringing(at) > 0 { -NEVER } else { FIRST },
            giving,
            exchange: answerer(at.state).map(|(_, exchange)| exchange),
        }
    }

    /// What an answer with these dice costs: the die of a reverse is kept (`answer.reverse`), a
    /// blow that is taken banks fallout (`answer.take`).
    fn spends(&self, dice: Faces) -> i32 {
        let (Some(part), count) = (self.part, dice.len()) else { return 0 };
        // Dice of a standing answer that serves are spent already (`gnpc.standing`).
        let standing = challenge::stands(self.at.state, part).then(|| part.standing.dice.faces());
        let spent = match standing.map(|standing| dice.minus(standing)) {
            // What is set aside comes back: the most dice short of a blow.
            Some(None) if count < 3 => 0,
            Some(Some(more)) => strength(&more),
            _ if count == 1 => 0,
            _ => strength(&dice),
        };
        let Some((_, more, aided)) = challenge::to_bank(self.at.state, dice) else { return spent };
        let victim = self.at.state.conflict().and_then(|conflict| conflict.aid).zip(aided);
        let aided = victim.map_or(0, |(aid, more)| worsens(aid.bank, more));
        spent + worsens(part.bank, more) + aided
    }

    /// The appeal of what is done beside the challenge or the answer that is owed.
    fn besides(&self, answer: Answer) -> i32 {
        let (state, Some(part)) = (self.at.state, self.part) else { return 0 };
        match answer {
            Answer::Bring(item) => {
                self.bringing + state.thing(item).map_or(0, |thing| worth::dice(thing.rating.pool()))
            }
            Answer::Assign { count, size, .. } => self.bringing + worth::dice(Pool::of(count, size)) / 2,
            Answer::Match => {
                let arena = self.exchange.and_then(|exchange| exchange.strike().arena);
                let brings = arena.is_some_and(|arena| brings_dice(state, part, arena));
                if brings && !self.at_ease { FIRST } else { -NEVER }
            }
            Answer::Escalate(arena) if self.must_go_further => {
                let fresh = state.being(part.who).stat_dice(arena.stats().minus(part.rolled));
                worth::dice(fresh) - WENT_FURTHER - worth::before_entering(state, part, arena)
            }
            Answer::Give => self.giving,
            // A character who gives keeps two dice (`give.keep-two`).
            Answer::Yield => self.giving - GLAD,
            _ => -NEVER,
        }
    }
}

/// How much worse a pool of fallout dice gets by more of them.
fn worsens(bank: Pool, more: Pool) -> i32 {
    severity(bank.plus(more)) - severity(bank)
}

/// What somebody can answer with, as far as a seat may know.
#[derive(Clone, Copy)]
struct Defence {
    who: Char,
    friend: bool,
    /// The sum of a group's standing answer, and how many dice it has; 0 where none serves.
    standing: (u16, usize),
    /// What so many of the highest dice add up to, from one on.
    reach: [u16; 5],
    /// What is lost with the hand.
    held: i32,
    /// Dice may fall yet.
    more: bool,
    bank: Pool,
}

impl Defence {
    fn of(state: &State, part: &Part, (friend, gm): (bool, bool)) -> Defence {
        let (hand, standing) = (part.hand.faces(), part.standing.dice.faces());
        let standing = if challenge::stands(state, part) { (standing.sum(), standing.len()) } else { (0, 0) };
        let (mut reach, mut sum, mut at) = ([hand.sum(); 5], 0, 0);
        for face in (1..=TOP).rev() {
            for _ in 0..hand.count(face) {
                let Some(there) = reach.get_mut(at) else { break };
                sum += u16::from(face);
                *there = sum;
                at += 1;
            }
        }
        let more = worth::may_have_more(state, part, gm);
        Defence { who: part.who, friend, standing, reach, held: strength(&hand), more, bank: part.bank }
    }

    /// What it costs to answer so much.
    fn cost(&self, need: u8, harm: Harm) -> i32 {
        let (lying, fixed) = self.standing;
        let lacks = u16::from(need).saturating_sub(lying);
        if lacks == 0 {
            return 0;
        }
        let Some(count) = self.reach.iter().position(|&sum| sum >= lacks).map(|at| at + 1) else {
            return if self.more { 3 * i32::from(need) + UNSURE } else { OUT + self.held };
        };
        let lacks = i32::from(lacks);
        // So many dice that just reach it show about the same.
        let spent = 2 * lacks + lacks * lacks / (6 * count as i32);
        match fixed + count {
            1 => 0,
            2 => spent,
            all => spent + worsens(self.bank, Pool::of(all as u8, harm.size())),
        }
    }
}

/// Those against whom somebody challenges.
struct Opponents {
    all: arrayvec::ArrayVec<Defence, { crate::state::MAX_PARTS }>,
    /// What a challenge threatens where that is not said.
    harm: Harm,
    /// All who are left are friends: of players' characters other players' characters.
    friends: bool,
}

impl Opponents {
    fn of(state: &State, who: Char, seat: Seat) -> Opponents {
        let mut all = arrayvec::ArrayVec::new();
        let mut harm = Harm::NonPhysical;
        if let (Some(conflict), Some(exchange)) = (state.conflict(), state.exchange()) {
            let theirs = conflict.opponents(who).and(conflict.still_in());
            let friend = |one: Char| state.is_pc(one) == state.is_pc(who);
            let parts = conflict.parts.iter().filter(|part| theirs.has(part.who));
            all.extend(parts.map(|part| Defence::of(state, part, (friend(part.who), seat == Seat::Gm))));
            let arena = exchange.escalated.or(conflict.part(who).and_then(|part| part.arena));
            harm = arena.map_or(harm, Arena::harm);
        }
        let friends = !all.is_empty() && all.iter().all(|one: &Defence| one.friend);
        Opponents { all, harm, friends }
    }

    /// What answering so much costs those challenged; the costs of friends count against it.
    fn cost(&self, on: CharSet, need: u8, harm: Option<Harm>) -> i32 {
        let cost = |one: &Defence| {
            let cost = one.cost(need, harm.unwrap_or(self.harm));
            // No friend is hit only because others stand beside them.
            if one.friend && !self.friends { -2 * cost - GLAD } else { cost }
        };
        self.all.iter().filter(|one| on.has(one.who)).map(cost).sum()
    }
}

/// A die handed over helps where an ally needs it for an answer (`helping-dice`).
fn help(state: &State, to: Char, answer: Answer) -> i32 {
    let Answer::Help { die, .. } = answer else { return 0 };
    let (Some(part), Some((_, exchange))) = (state.part(to), answerer(state)) else {
        return -i32::from(die);
    };
    let without = Defence::of(state, part, (true, false));
    let mut with = *part;
    with.hand.add(Size::D10, die);
    let with = Defence::of(state, &with, (true, false));
    let (need, harm) = (exchange.sum(), exchange.strike().harm);
    without.cost(need, harm) - with.cost(need, harm) - strength(&Faces::of(&[die]))
}

/// Players' characters stand by each other; of the gamemaster's those join who serve the
/// monster.
fn join(state: &State, answer: Answer) -> i32 {
    let Answer::Join { who, with } = answer else { return 0 };
    let serves = matches!(state.being(who).tie, Tie::Monster | Tie::Slave | Tie::Acolyte);
    let wants = state.is_pc(who) == state.is_pc(with) && (state.is_pc(who) || serves);
    if wants { GLAD } else { -GLAD }
}

/// Those who resolve the stakes.
fn winning(state: &State) -> CharSet {
    match state.conflict() {
        Some(conflict @ Conflict { stage: Stage::Resolving(side), .. }) => winners(conflict, *side),
        _ => CharSet::NONE,
    }
}

/// Circumstances become better for the side that has won, and worse for the others; nobody is
/// killed who can be spared.
fn resolve(at: At<'_>, pcs: bool, answer: Answer) -> i32 {
    let Answer::Resolve { comes, ends, .. } = answer else { return -restraint(at, answer) };
    let ours = |who: &Char| at.state.is_pc(*who) == pcs;
    let gain = |of: CharSet| {
        let mine = of.iter().filter(ours).count() as i32;
        CIRCUMSTANCE * (of.len() as i32 - 2 * mine)
    };
    let of = |circumstance: &Circumstance| {
        let (on, off) = (comes.of(*circumstance), ends.of(*circumstance));
        gain(on) - gain(off)
    };
    Circumstance::ALL.iter().map(of).sum::<i32>() - restraint(at, answer)
}

/// What a choice from a menu of fallout leaves somebody with.
fn choice(state: &State, who: Char, (menu, of): (Menu, FalloutRoll), answer: Answer) -> i32 {
    let rating = |item: Item| state.thing(item).map_or(Pool::EMPTY, |thing| thing.rating.pool());
    let die = |size: Size| worth::dice(Pool::of(1, size));
    let main =
        |item: Item| state.thing(item).map_or((0, Size::D4), |thing| (thing.rating.count, thing.rating.size));
    let resized = |item: Item, to: Size| {
        let (count, size) = main(item);
        worth::dice(Pool::of(count, to)) - worth::dice(Pool::of(count, size))
    };
    let suffers = |which: Circumstances| -CIRCUMSTANCE * which.len() as i32;
    // Dice that go to an opponent count only in a followup.
    let given = |faces: u8| -2 * i32::from(faces);
    match answer {
        Answer::Suffer(which) => suffers(which),
        Answer::Clear(which) => -suffers(which),
        Answer::SufferForTrait { suffer, .. }
        | Answer::SufferForRelationship { suffer, .. }
        | Answer::SufferForAcquaintance { suffer, .. } => suffers(suffer) + die(Size::D4),
        // The last die of a stat is lost last: there would be nothing to roll.
        Answer::LoseDie(stat) if state.being(who).stats[stat as usize] < 2 => -2 * STAT,
        Answer::LoseDie(stat) => -STAT + i32::from(state.being(who).stats[stat as usize]),
        Answer::LoseMember => -MEMBER,
        Answer::NeedAid => -NEED,
        Answer::Lose(item) => -worth::dice(rating(item)),
        Answer::ToD4(item) => resized(item, Size::D4),
        Answer::Resize { item, to } => resized(item, to),
        Answer::AddDie(item) => die(main(item).1),
        Answer::AddDice(items) => items.into_iter().map(|item| die(main(item).1)).sum(),
        // What can be brought in anywhere is worth more than what counts against one person.
        Answer::NewTrait(_) => die(Size::D6) + 1,
        Answer::NewBond { .. } | Answer::NewBelonging { .. } | Answer::NewRelationship(_) => die(Size::D6),
        Answer::NewAcquaintance(_) => die(Size::D6) - 1,
        // Most of them wait for an opponent who is worth them.
        Answer::RelationshipDice(_) => die(Size::D6),
        Answer::AddStats(_) => 2 * STAT,
        Answer::GiveDice(_) => given(of.shown.high.face() + of.shown.next.face()),
        Answer::Reveal(_) => -SECRET,
        // It is the whole of an injury (`injury-gm-scope`).
        Answer::GiveAndReveal { .. } if menu == Menu::Injury => STAT - SECRET + given(of.shown.high.face()),
        _ => -NEVER,
    }
}

/// What the gamemaster does between conflicts: first aid and care for those in need, on to a
/// conflict that waits, and then the end.
fn between(at: At<'_>, aided: bool, answer: Answer) -> i32 {
    let (state, held) = (at.state, -restraint(at, answer));
    let waits = |to: u8| state.scenes.get(usize::from(to)).is_some_and(|scene| scene.conflict.is_some());
    match answer {
        Answer::FirstAid { victim, provider, kind } => {
            let (own, theirs) = kind.stats();
            let dice = state.being(provider).stats[own as usize] + state.being(victim).stats[theirs as usize];
            let wanted = if state.is_pc(victim) { FIRST } else { 0 };
            wanted + STAT * i32::from(dice) + held
        }
        Answer::Care(who) if state.is_pc(who) && aided => held,
        Answer::Care(_) => FIRST,
        Answer::Cut(to) if waits(to) => -GLAD / 2,
        // Nobody goes to and fro.
        Answer::Cut(_) | Answer::NewScene(_) | Answer::Enter(_) | Answer::Move => held - 2 * NEED,
        // Talk may come of itself to blows.
        Answer::Conflict { arena, .. } => held - arena.harm() as i32,
        _ => held,
    }
}

/// A new character: as the dead one was, with few things of many dice, and little against them.
fn newcomer(step: Making, answer: Answer) -> i32 {
    match (step, answer) {
        (_, Answer::Place { sort: Sort::Trait, count, .. }) => GLAD + i32::from(count),
        (_, Answer::Place { .. } | Answer::PlaceRelationship { .. }) => 1,
        // Each stat has something.
        (_, Answer::Stats(stats)) => stats.iter().map(|&dice| i32::from(dice).min(2)).sum(),
        (_, Answer::Suffer(which)) => -CIRCUMSTANCE * which.len() as i32,
        _ => 0,
    }
}
