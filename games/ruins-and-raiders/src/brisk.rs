//! What draws a brisk player to an answer, judged from the table as it lies ([`fracas_kernel::Game::appeal`]).
//!
//! Appeals are in the units of [`weigh::worth`]. Of what takes one action of several the appeal is that of the
//! whole plan: the act, and then the best strike with each action that is left. What holds a fair Adversary
//! back holds a brisk one back too ([`weigh::held_back`]).

use crate::answer::{Act, Answer, Prompt};
use crate::effect::{Against, Bought, Effect, Soak};
use crate::state::{Attack, Check, Lie, SideEffect};
use crate::weigh::{self, HARM, NEVER, OUT};
use crate::{At, RuinsAndRaiders, act, attack, check, round, values, view, vocab::*, words};
use arrayvec::ArrayVec;
use fracas_kernel::{Asking, Reach, Seat, Secret, Slot, Space, Viewer};

/// How many of the 36 throws of two dice show each sum from 2 on.
const WAYS: [i32; 11] = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];
const THROWS: i32 = 36;
/// Numbers of a foe that are not known: such as most have.
const GUESSED_DEFENCE: i16 = 11;
const GUESSED_PROTECTION: i16 = 5;
const GUESSED_FORTITUDE: i16 = 3;
const GUESSED_BONUS: i16 = 6;
const GUESSED_DAMAGE: i16 = 10;
/// Half of what it is worth to put somebody out is earned on the way there: so blows fall where others fell.
const ON_THE_WAY: i32 = OUT / 2;
/// To put a mount out is worth less.
const MOUNT: i32 = OUT / 4;
/// A point of Fortune cancels a wound later, and more where that saves somebody.
const FORTUNE: i32 = HARM + 1;
/// A wound that lowers checks, and death, beyond what wounds are worth.
const HINDERED: i32 = 4;
const DEATH: i32 = OUT / 2;
/// What effects are worth.
const ASLEEP: i32 = 70;
const PRONE: i32 = 16;
const DISARMED: i32 = 18;
const HELD: i32 = 8;
const CHANGED: i32 = 4;
/// Small acts: to be on one's feet, in the saddle, armed, to have begun something.
const STANDS: i32 = 10;
const MOUNTED: i32 = 6;
const ARMED: i32 = 25;
const DONE: i32 = 3;
/// A spell that is still to be cast in this round.
const CAST: i32 = 20;
/// A space less to the nearest foe, for one who must come near; a step that leads nowhere.
const NEARER: i32 = 2;
const STEP: i32 = 2;
/// A foe who may still come: what defence against them is worth, and that of so many at most.
const DEFENDED: i32 = 3;
const MOST_COMING: usize = 3;
/// To let a rider come, and to let others act.
const PATIENT: i32 = 40;
const LETS: i32 = 2;
/// A weapon that is thrown is not in hand afterwards.
const THROWN: i32 = 8;
/// Ground on which somebody may slip.
const SLIPPERY: i32 = 3;
/// What depends on an ordinary check.
const CHECKED: i32 = 15;
/// A lead by which those who flee have got away.
const AWAY: i16 = 20;

/// What draws a seat to each listed answer.
pub(crate) fn appeal(at: At<'_>, (slot, seat): (Slot, Seat), listed: &[Answer], each: &mut impl FnMut(i32)) {
    let Some(ask) = RuinsAndRaiders::ask_at(at, slot) else { return listed.iter().for_each(|_| each(0)) };
    let mind = Mind { at, seat, viewer: Viewer::Seat(seat) };
    let attack = attack::top(at);
    match (ask.prompt, attack) {
        (Prompt::Turn(_) | Prompt::First | Prompt::Waiting | Prompt::Cut { .. } | Prompt::Standoff(_), _)
        | (Prompt::Round, _) => mind.acts(ask.prompt, listed, each),
        (Prompt::Abort { who, .. }, Some(attack)) => mind.defends(who, &attack, listed, each),
        (Prompt::Fortune(_), Some(attack)) => {
            listed.iter().for_each(|&answer| each(mind.hopes(&attack, answer)));
        }
        (Prompt::Absorb { who, wounds }, _) => {
            listed.iter().for_each(|&answer| each(mind.absorbs(who, wounds, answer)));
        }
        (Prompt::Effect { on, .. }, Some(attack)) => {
            listed.iter().for_each(|&answer| each(mind.hampers(on, attack.wounds, answer)));
        }
        (Prompt::How(_), _) => listed.iter().for_each(|&answer| each(mind.tries(answer))),
        (prompt, _) => {
            listed.iter().for_each(|&answer| {
                each(mind.leads(prompt, answer) - weigh::held_back(at, prompt, answer));
            });
        }
    }
}

/// The table as a seat knows it.
#[derive(Clone, Copy)]
struct Mind<'a> {
    at: At<'a>,
    seat: Seat,
    viewer: Viewer,
}

/// An attack in numbers: what is added to its dice, against what, and what a mox adds to.
#[derive(Clone, Copy)]
struct Blow {
    bonus: i16,
    /// None where it needs no check.
    level: Option<i16>,
    wounds: Option<i16>,
    shocks: Option<i16>,
    /// What else it does, in worth.
    besides: i32,
}

/// How far somebody is from being out, and what that is worth.
#[derive(Clone, Copy)]
struct Target {
    wounds: i32,
    shocks: i32,
    out: i32,
}

/// A foe as one who strikes at close quarters sees it.
struct Prospect {
    at: Space,
    blow: Blow,
    target: Target,
}

impl Mind<'_> {
    // ---- Numbers, as far as the seat knows them.

    fn protection(&self, who: Char) -> i16 {
        let known = view::knows_values(self.at, who, self.viewer);
        if known { values::protection(self.at, who) } else { GUESSED_PROTECTION }
    }

    fn soak(&self, who: Char, soak: Soak) -> i16 {
        match soak {
            Soak::Protection => self.protection(who),
            Soak::Fortitude if view::knows_values(self.at, who, self.viewer) => {
                values::level(self.at, who, Trait::FORTITUDE)
            }
            Soak::Fortitude => GUESSED_FORTITUDE,
            Soak::Nothing => 0,
        }
    }

    /// An attack in numbers. Where levels are shown in a fight, all that its odds rest on is known.
    fn blow(&self, attack: &Attack) -> Blow {
        let shown = |who: Char| {
            view::shows_fight(self.at, self.viewer) || view::knows_values(self.at, who, self.viewer)
        };
        let bonus = if shown(attack.by) { values::attack_bonus(self.at, attack) } else { GUESSED_BONUS };
        let level = values::challenge(self.at, attack);
        let level = if shown(attack.on) { level } else { level.map(|_| GUESSED_DEFENCE) };
        let mut blow = Blow { bonus, level, wounds: None, shocks: None, besides: 0 };
        if attack::is_strike(attack) {
            let base = match shown(attack.by) {
                true => values::damage_base(self.at, attack),
                false => GUESSED_DAMAGE,
            };
            let momentum = i16::from(attack.momentum) + values::momentum_taken(self.at, attack);
            blow.wounds = Some(base + momentum - self.protection(attack.on));
            return blow;
        }
        for &effect in attack::effects(self.at, attack) {
            match effect {
                Effect::Wounds { power, brawn, soak } => {
                    let brawn = match brawn {
                        true if shown(attack.by) => values::level(self.at, attack.by, Trait::BRAWN),
                        _ => 0,
                    };
                    blow.wounds = Some(power + brawn - self.soak(attack.on, soak));
                }
                Effect::Shocks { power, soak } => blow.shocks = Some(power - self.soak(attack.on, soak)),
                _ => blow.besides += self.does(attack, effect),
            }
        }
        blow
    }

    /// What an effect on a foe is worth, or on oneself.
    fn does(&self, attack: &Attack, effect: Effect) -> i32 {
        let on = self.at.state.being(attack.on);
        let own = attack.by == attack.on;
        let worth = match effect {
            Effect::Prone if !on.prone => PRONE,
            Effect::Drop if self.is_armed(attack.on) => DISARMED,
            Effect::Held if !on.battle.held => HELD,
            Effect::Asleep if !on.asleep => ASLEEP,
            Effect::Thrown(_) => DONE,
            // What is changed already is not changed for ever more.
            Effect::Change { value, by } if on.battle.changes[value as usize] == 0 => {
                return if own { CHANGED } else { -CHANGED } * i32::from(by) / 2;
            }
            _ => 0,
        };
        if own { -worth } else { worth }
    }

    fn is_armed(&self, who: Char) -> bool {
        self.at.state.held(who, Lie::Hand).any(|weapon| !self.at.rules.arm(weapon).natural)
    }

    fn target(&self, who: Char) -> Target {
        let being = self.at.state.being(who);
        let known = view::knows_values(self.at, who, self.viewer);
        let track = if known { self.at.rules.sheet(who).track } else { None };
        let dead = track.unwrap_or(self.at.rules.track).dead;
        let left = |most: u16, has: u16| i32::from(most.saturating_sub(has)).max(1);
        Target {
            wounds: left(weigh::bears(self.at, who, self.seat), being.wounds),
            shocks: left(dead, being.shocks),
            out: if self.at.rules.mounts.has(who) { MOUNT } else { OUT },
        }
    }

    // ---- Chances.

    /// What an attack does on average, in worth.
    fn average(blow: Blow, target: Target) -> i32 {
        let Some(level) = blow.level else { return Self::comes(blow, target, 0) };
        let of = |(dice, ways): (u8, i32)| match values::result(dice, blow.bonus, level) {
            (true, mox) => ways * Self::comes(blow, target, mox),
            (false, _) => 0,
        };
        (2..).zip(WAYS).map(of).sum::<i32>() / THROWS
    }

    /// What an attack does that hits with this mox.
    fn comes(blow: Blow, target: Target, mox: i16) -> i32 {
        let harm = |plus: Option<i16>| plus.map_or(0, |plus| i32::from((mox.max(0) + plus).max(0)));
        let of = |harm: i32, left: i32| {
            let way = if harm >= left { target.out } else { target.out.min(ON_THE_WAY) * harm / left };
            HARM * harm.min(left) + way
        };
        of(harm(blow.wounds), target.wounds) + of(harm(blow.shocks), target.shocks) + blow.besides
    }

    /// What an attack that somebody could announce does on average.
    fn gains(&self, attack: &Attack) -> i32 {
        let own = attack.on != attack.by && !self.at.state.are_foes(self.at.rules, attack.by, attack.on);
        if own { -NEVER } else { Self::average(self.blow(attack), self.target(attack.on)) }
    }

    // ---- What somebody does in a fight.

    fn acts(&self, prompt: Prompt, listed: &[Answer], each: &mut impl FnMut(i32)) {
        let mut plan: Option<Plan<'_>> = None;
        for &answer in listed {
            let (who, act) = match answer {
                Answer::Act(act) => (words::actor(prompt), act),
                Answer::As { who, act } => (Some(who), act),
                _ if prompt == Prompt::Round => {
                    each(self.leads(prompt, answer) - weigh::held_back(self.at, prompt, answer));
                    continue;
                }
                _ => {
                    let waits = words::actor(prompt).is_some_and(|who| weigh::lets_come(self.at, who));
                    each(if waits { PATIENT } else { LETS });
                    continue;
                }
            };
            let Some(who) = who else {
                each(0);
                continue;
            };
            if plan.as_ref().is_none_or(|plan| plan.who != who) {
                plan = Some(Plan::of(*self, who, listed));
            }
            let Some(plan) = &plan else { continue };
            let attacks = matches!(act, Act::Strike { .. } | Act::Use { .. } | Act::Cast { .. });
            // Who cuts in does so to strike: an action that is kept is worth more than a step.
            let amiss = matches!(prompt, Prompt::Cut { .. }) && !attacks;
            each(if amiss { -1 } else { plan.worth(act) } - plan.held_back(act));
        }
    }

    // ---- Around the dice of an attack.

    /// How much less an attack does for each number of actions that is given up, and what else these would do.
    fn defends(&self, who: Char, attack: &Attack, listed: &[Answer], each: &mut impl FnMut(i32)) {
        let fighting = self.at.state.fighting(who);
        let target = self.target(who);
        let more = usize::from(self.at.state.fighting(attack.by).actions > 0) + self.coming(who);
        let price = match fighting.turn {
            Turn::Out | Turn::Done => 1,
            // A spell takes both actions.
            _ if self.at.rules.spells_of(who).next().is_some() => CAST,
            Turn::Later | Turn::Now | Turn::Waits => Plan::of(*self, who, &[]).usual.max(HELD),
        };
        let against = values::against(self.at, attack);
        let lasts = 2 + more.min(MOST_COMING) as i32;
        for &answer in listed {
            let Answer::Abort { defend, resist, with, own, .. } = answer else {
                each(0);
                continue;
            };
            let mut blow = self.blow(&Attack { defence: with, ..*attack });
            let mut more = match against {
                Against::Only(Defence::Defiance) => 3 * i16::from(resist),
                _ => self.at.rules.options.defended(defend),
            };
            let mut avoided = 0;
            for &recourse in own.as_slice() {
                match self.at.rules.recourse(recourse).buys {
                    Bought::Bonus { value: Value::Protection, by } => {
                        blow.wounds = blow.wounds.map(|wounds| wounds - i16::from(by));
                    }
                    Bought::Bonus { by, .. } => more += i16::from(by),
                    Bought::Prone if values::is_melee(self.at, attack) => avoided -= PRONE,
                    Bought::Prone => (more, avoided) = (more + 3, avoided - PRONE / 2),
                    Bought::Step if values::is_melee(self.at, attack) => blow.level = Some(i16::MAX),
                    Bought::Step => {}
                }
            }
            blow.level = blow.level.map(|level| level.saturating_add(more));
            let actions = i32::from(defend) + i32::from(resist) + own.as_slice().len() as i32;
            // What is bought lasts: others will find the target so defended.
            each(avoided - Self::average(blow, target) * lasts / 2 - price * actions);
        }
    }

    /// How many foes are near somebody who may still act this round.
    fn coming(&self, who: Char) -> usize {
        let may = |&foe: &Char| {
            let fighting = self.at.state.fighting(foe);
            matches!(fighting.turn, Turn::Later | Turn::Waits)
                && self.at.state.distance(self.at.rules, who, foe) <= weigh::ORDINARY_MOVE
        };
        weigh::foes(self.at, who).filter(may).count()
    }

    /// Fortune for the dice of an attack (`fortune.check`).
    fn hopes(&self, attack: &Attack, answer: Answer) -> i32 {
        let Answer::Burn(points) = answer else { return 0 };
        self.gains(&Attack { fortune: points as u8, ..*attack }) - FORTUNE * i32::from(points)
    }

    /// Fortune for wounds (`fortune.absorb`): where they hinder, disable or kill.
    fn absorbs(&self, who: Char, wounds: u16, answer: Answer) -> i32 {
        let Answer::Burn(points) = answer else { return 0 };
        let (state, rules) = (self.at.state, self.at.rules);
        let track = rules.sheet(who).track.unwrap_or(rules.track);
        let after = state.being(who).wounds + wounds.saturating_sub(points);
        let dead = if after >= track.dead { DEATH } else { 0 };
        let more = match after >= state.disabled_at(rules, who) {
            true => OUT + dead,
            false => HINDERED * i32::from(after.saturating_sub(track.penalty)),
        };
        -HARM * i32::from(after.min(track.dead)) - more - FORTUNE * i32::from(points)
    }

    /// A side effect of a strike: none on somebody who falls by it anyway.
    fn hampers(&self, on: Char, wounds: u16, answer: Answer) -> i32 {
        let falls = i32::from(wounds) >= self.target(on).wounds;
        match answer {
            Answer::SideEffect(SideEffect::Disarm) if !falls => DISARMED,
            Answer::SideEffect(SideEffect::Trip) if !falls => PRONE,
            // Bots have nothing of their own to say.
            Answer::SideEffect(SideEffect::Other(_)) => -NEVER,
            _ => 1,
        }
    }

    // ---- Beside fights.

    /// Time and Fortune for a check: time costs nothing where it can be taken.
    fn tries(&self, answer: Answer) -> i32 {
        let (Answer::How { time, fortune }, Some(check)) = (answer, check::top(self.at)) else { return 0 };
        let level = match view::shows_check(self.at, &check, self.viewer) {
            true => *check.level.reveal(),
            false => GUESSED_DEFENCE,
        };
        let of = Check { time, fortune, level: Secret::new(level), ..check };
        let (bonus, level) = (check::bonus(self.at, &of), check::challenge(&of));
        let passes = |(dice, ways)| if values::result(dice, bonus, level).0 { ways } else { 0 };
        let chance: i32 = (2..).zip(WAYS).map(passes).sum();
        CHECKED * chance / 2 - FORTUNE * THROWS / 2 * i32::from(fortune) - i32::from(time.0)
    }

    /// What the Adversary says of the scene, of rounds and of rulings: the usual.
    fn leads(&self, prompt: Prompt, answer: Answer) -> i32 {
        let at = self.at;
        let able = |who: &Char| round::takes_part(at, *who) && at.state.is_able(at.rules, *who);
        match (prompt, answer) {
            // Whom nobody has noticed is still to be met, once.
            (Prompt::Scene, Answer::Battle { first, .. }) if at.state.battles == 1 => {
                let hidden = at.rules.everybody().filter(able).any(|who| at.state.being(who).unseen);
                let is_ambush = first.first().is_some_and(|who| at.rules.sheet(who).side == Side::Foes);
                if hidden && is_ambush { DONE } else { -DONE }
            }
            (Prompt::Rule { .. }, Answer::Beside) => DONE,
            (Prompt::Rule { .. }, Answer::Instead) => DONE - 1,
            (Prompt::Level(_), Answer::Level { level: 9, tools: 0, with: None }) => DONE,
            (Prompt::Level(_) | Prompt::Deed(_), Answer::No) => -DONE,
            (Prompt::Deed(_), Answer::Takes(1)) => DONE,
            (Prompt::Chase, Answer::Peace) if self.is_away() => NEVER,
            // What people try of themselves: what makes them stronger.
            (Prompt::Try, Answer::Raise { .. }) => DONE,
            (Prompt::Try, Answer::As { act: Act::Heal { on, own: false, points, .. }, .. }) if points > 1 => {
                if at.rules.pcs.has(on) {
                    DONE
                } else {
                    -DONE
                }
            }
            (Prompt::Try, Answer::Buy { .. }) => DONE - 1,
            _ => 0,
        }
    }

    /// Whether all who flee have got away.
    fn is_away(&self) -> bool {
        let lead = |who: Char| self.at.state.being(who).lead;
        let best = self.at.state.after.iter().map(lead).max().unwrap_or(0);
        self.at.state.fleeing.iter().all(|who| lead(who) >= best + AWAY)
    }
}

/// What somebody can do with the actions of a round, worked out once for all that is listed.
struct Plan<'a> {
    mind: Mind<'a>,
    who: Char,
    actions: i32,
    /// The best strike from here, as often as there are actions; the same with an aim, and with a Haymaker.
    strike: i32,
    aimed: i32,
    wound_up: i32,
    /// The best strike that goes along wherever somebody moves: a shot.
    shot: i32,
    /// The best of either, near or far: what an action is worth.
    usual: i32,
    /// The foes, for one who has something to strike with at close quarters.
    prospects: ArrayVec<Prospect, MAX_CAST>,
    /// Whether nothing else helps than to come near.
    comes: bool,
    /// How far it is to the nearest foe around walls, where nothing listed leads to any.
    ways: Option<Reach>,
    nearest: Option<Space>,
}

impl<'a> Plan<'a> {
    fn of(mind: Mind<'a>, who: Char, listed: &[Answer]) -> Plan<'a> {
        let at = mind.at;
        let actions = i32::from(at.state.fighting(who).actions);
        let mut plan = Plan {
            mind,
            who,
            actions,
            strike: 0,
            aimed: 0,
            wound_up: 0,
            shot: 0,
            usual: 0,
            prospects: ArrayVec::new(),
            comes: false,
            ways: None,
            nearest: None,
        };
        plan.look_round();
        for &answer in listed {
            let (Answer::Act(act) | Answer::As { act, .. }) = answer else { continue };
            if matches!(answer, Answer::As { who: other, .. } if other != who) {
                continue;
            }
            if let Act::Strike { thrown: false, .. } = act
                && let Some(attack) = act::announced(at, who, act)
            {
                plan.count(&attack);
            }
        }
        plan.look_far(listed);
        plan
    }

    /// Finds the foes, and what a blow would do to each.
    fn look_round(&mut self) {
        let (at, who) = (self.mind.at, self.who);
        let arms = |used: Use| {
            let all = at.state.held(who, Lie::Hand).filter(move |&arm| at.rules.arm(arm).uses.has(used));
            all.max_by_key(|&arm| at.rules.arm(arm).power)
        };
        let (blade, bow) = (arms(Use::Melee), arms(Use::Missile));
        let is_bare = at.state.held(who, Lie::Hand).next().is_none();
        let foes = at.rules.everybody().filter(|&foe| {
            at.state.are_foes(at.rules, who, foe)
                && at.state.perceives(at.rules, who, foe)
                && !at.state.is_disabled(at.rules, foe)
        });
        let mut near = u16::MAX;
        for foe in foes {
            let far = at.state.distance(at.rules, who, foe);
            if far < near && !at.rules.mounts.has(foe) {
                (near, self.nearest) = (far, Some(at.state.being(foe).at));
            }
            let strike = |with| Act::Strike { on: foe, with, thrown: false, pull: Default::default() };
            if let Some(with) = blade.map(Some).or(is_bare.then_some(None))
                && let Some(mut attack) = act::announced(at, who, strike(with))
            {
                attack.momentum = 0;
                let (blow, target) = (self.mind.blow(&attack), self.mind.target(foe));
                if far <= weigh::ORDINARY_MOVE {
                    self.usual = self.usual.max(Mind::average(blow, target));
                }
                self.prospects.push(Prospect { at: at.state.being(foe).at, blow, target });
            }
            if let Some(attack) = bow.and_then(|bow| act::announced(at, who, strike(Some(bow)))) {
                self.shot = self.shot.max(self.mind.gains(&attack));
            }
        }
        self.usual = self.usual.max(self.shot);
        self.comes = !self.prospects.is_empty() && self.shot == 0 && at.rules.spells_of(who).next().is_none();
    }

    /// Counts a strike that can be made at once. The momentum of a charge is for one of them.
    fn count(&mut self, attack: &Attack) {
        let target = self.mind.target(attack.on);
        let mut blow = self.mind.blow(attack);
        self.aimed = self.aimed.max(Mind::average(Blow { bonus: blow.bonus + values::AIM, ..blow }, target));
        if values::is_blow(self.mind.at, attack) {
            let wound_up = self.mind.at.rules.options.wound_up(1);
            let wounds = blow.wounds.map(|wounds| wounds + wound_up);
            self.wound_up = self.wound_up.max(Mind::average(Blow { wounds, ..blow }, target));
        }
        blow.wounds = blow.wounds.map(|wounds| wounds - i16::from(attack.momentum));
        self.strike = self.strike.max(Mind::average(blow, target));
    }

    /// Whether somebody there could strike a foe at close quarters.
    fn is_beside(&self, space: Space) -> bool {
        let field = &self.mind.at.rules.field;
        self.prospects.iter().any(|foe| field.distance(space, foe.at) <= 1)
    }

    /// Works out the ways to the nearest foe where no listed move ends beside one.
    fn look_far(&mut self, listed: &[Answer]) {
        let at = self.mind.at;
        let mut leads = listed.iter().filter_map(|answer| match answer {
            Answer::Act(act) | Answer::As { act, .. } => match act {
                Act::Move { to, .. } | Act::Step(to) | Act::Leap(to) => Some(*to),
                _ => None,
            },
            _ => None,
        });
        if let Some(nearest) = self.nearest
            && let Some(first) = leads.next()
            && self.comes
            && at.rules.field.is_grid()
            && ![at.state.being(self.who).at, first].into_iter().chain(leads).any(|to| self.is_beside(to))
        {
            let mut ways = Reach::new();
            at.rules.field.reach(nearest, u8::MAX, &at.state.free(at.rules, self.who), &mut ways);
            self.ways = Some(ways);
        }
    }

    /// How many spaces are left from somewhere to the nearest foe, or to any.
    fn left(&self, from: Space) -> i32 {
        let field = &self.mind.at.rules.field;
        let straight = || self.nearest.map_or(0, |nearest| field.distance(from, nearest).min(u8::MAX.into()));
        match &self.ways {
            _ if self.is_beside(from) => 1,
            Some(ways) => ways.steps(from).unwrap_or(u8::MAX).into(),
            None => straight().into(),
        }
    }

    /// The best strike from somewhere else, with so much momentum.
    fn from(&self, to: Space, momentum: i16) -> i32 {
        let field = &self.mind.at.rules.field;
        let beside = self.prospects.iter().filter(|foe| field.distance(to, foe.at) <= 1);
        let blows = beside.map(|foe| {
            let wounds = foe.blow.wounds.map(|wounds| wounds + momentum);
            Mind::average(Blow { wounds, ..foe.blow }, foe.target)
        });
        blows.max().unwrap_or(0).max(self.shot)
    }

    /// What a move is worth that ends there: the strikes that follow, or coming closer for who must.
    fn moved(&self, to: Space, momentum: i16, actions: i32) -> i32 {
        let at = self.mind.at;
        let ground = at.rules.ground(at.rules.field.kind(to));
        let slips = if ground.is_some_and(|ground| ground.level.is_some()) { SLIPPERY } else { 0 };
        let follows = match actions {
            ..=0 => 0,
            1 => self.from(to, momentum),
            _ => self.from(to, momentum) + (actions - 1) * self.from(to, 0),
        };
        let here = at.state.being(self.who).at;
        let nearer = if self.comes { NEARER * (self.left(here) - self.left(to)) } else { 0 };
        follows + nearer - slips
    }

    /// What a move in a charge adds to blows on the charger, by those who may still strike (`charge.takes`).
    fn exposed(&self, to: Space, momentum: i16) -> i32 {
        let at = self.mind.at;
        let strikes = |foe: &Char| {
            let far = at.rules.field.distance(to, at.state.being(*foe).at);
            let turn = at.state.fighting(*foe).turn;
            far <= 1 && turn != Turn::Done || turn == Turn::Later && far <= weigh::ORDINARY_MOVE / 2
        };
        let all = weigh::foes(at, self.who).filter(strikes).count().min(MOST_COMING) as i32;
        i32::from(momentum) * all * HARM / 2
    }

    /// What an act is worth, with all that can follow in this turn.
    fn worth(&self, act: Act) -> i32 {
        let (at, who) = (self.mind.at, self.who);
        let (being, fighting) = (at.state.being(who), at.state.fighting(who));
        let rest = |actions: u8| (self.actions - i32::from(actions)).max(0) * self.strike;
        match act {
            Act::Strike { thrown, .. } => {
                let Some(attack) = act::announced(at, who, act) else { return -NEVER };
                let cost = u8::from(fighting.extra == 0);
                let thrown = if thrown { THROWN } else { 0 };
                self.mind.gains(&attack) + rest(cost) - thrown
            }
            Act::Use { what, .. } => {
                let Some(attack) = act::announced(at, who, act) else { return -NEVER };
                self.mind.gains(&attack) + rest(at.rules.manoeuvre(what).actions)
            }
            Act::Cast { spell, .. } => {
                let Some(attack) = act::announced(at, who, act) else { return -NEVER };
                let data = at.rules.spell(spell);
                self.mind.gains(&attack) + rest(data.actions) - FORTUNE * i32::from(data.energy)
            }
            Act::Aim if self.actions > 1 => self.aimed + rest(2),
            Act::Haymaker if self.actions > 1 => self.wound_up + rest(2),
            Act::Aim | Act::Haymaker | Act::Look | Act::Resist => rest(1) - 1,
            Act::Defend => {
                rest(1) + DEFENDED * self.mind.coming(who).min(MOST_COMING) as i32
                    - DEFENDED * i32::from(fighting.defend)
            }
            Act::Haste => rest(at.rules.haste.actions) + 1,
            Act::Rapid => self.actions.max(0) * self.strike + self.strike - 3 * FORTUNE,
            Act::Move { to, charge: false, .. } => self.moved(to, 0, self.actions - 1),
            Act::Move { to, .. } => {
                let spaces = at.rules.field.distance(being.at, to).min(MAX_MOVE.into()) as u8;
                let momentum = at.rules.options.momentum(spaces.saturating_add(fighting.run));
                self.moved(to, momentum, self.actions - 1) - self.exposed(to, momentum)
            }
            Act::Step(to) if !being.prone => self.moved(to, 0, self.actions) - STEP,
            Act::Step(_) => -STEP,
            Act::Leap(to) => {
                let bonus = values::rolled(at, who, Trait::ATHLETE);
                let level = values::leap_level(at.rules.field.distance(being.at, to));
                let passes = |(dice, ways)| if values::result(dice, bonus, level).0 { ways } else { 0 };
                let chance: i32 = (2..).zip(WAYS).map(passes).sum();
                self.moved(to, 0, self.actions - 1) * chance / THROWS - SLIPPERY
            }
            Act::Stand => rest(1) + STANDS,
            Act::Mount(_) => rest(1) + MOUNTED,
            Act::Dismount => rest(1) - MOUNTED,
            Act::PickUp(_) if !self.mind.is_armed(who) => rest(1) + ARMED,
            Act::PickUp(_) => -1,
            Act::Draw(weapon) => self.draws(weapon),
            Act::Work => rest(1) + DONE,
            Act::Heal { on, points, own, .. } => self.heals(on, points, own),
            Act::Feel(_) => -DONE,
            // Who waits strikes as soon as somebody is near.
            Act::Wait { trap, .. } => PATIENT + i32::from(trap.is_some()),
            Act::End | Act::Fall | Act::Sheathe(_) | Act::Door | Act::Do(_) | Act::Shout(_) => 0,
        }
    }

    /// A weapon in an empty hand costs no action.
    fn draws(&self, weapon: Weapon) -> i32 {
        let at = self.mind.at;
        let arm = at.rules.arm(weapon);
        let held = at.state.held(self.who, Lie::Hand).map(|weapon| at.rules.arm(weapon));
        let power = held.map(|arm| arm.power).max().map_or(-ARMED, i32::from);
        let better = (i32::from(arm.power) - power).max(0) + 2 * i32::from(arm.defence);
        if better > 0 { self.actions * self.strike.max(self.usual) + better } else { -1 }
    }

    /// To heal is worth a fight's action where it brings somebody back.
    fn heals(&self, on: Char, points: u8, own: bool) -> i32 {
        let (state, rules) = (self.mind.at.state, self.mind.at.rules);
        if state.are_foes(rules, self.who, on) || !view::knows_values(self.mind.at, on, self.mind.viewer) {
            return -NEVER;
        }
        let (wounds, limit) = (state.being(on).wounds, state.disabled_at(rules, on));
        let back = wounds >= limit && wounds.saturating_sub(points.into()) < limit && !state.being(on).out;
        let price = if own { HARM } else { FORTUNE };
        (HARM - price) * i32::from(points) - 1 + if back { OUT } else { 0 }
    }

    /// What nobody does, whatever it is worth ([`weigh::deed`]); but a weapon more in hand is no loss.
    fn held_back(&self, act: Act) -> i32 {
        match act {
            Act::Draw(_) => 0,
            Act::Wait { .. } if !weigh::must_come_near(self.mind.at, self.who) => NEVER,
            act => weigh::deed(self.mind.at, self.who, act),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rules::Rules, state::State};
    use fracas_kernel::{Document, Game, NoSink, Open, Setup};

    const WREN: Char = Char(0);
    const BRUTE: Char = Char(1);
    const OTHER: Char = Char(2);

    /// A battle in round one of a swift Wren with a sword, and whoever else is there.
    fn battle(of_wren: &str, others: &str) -> (Rules, State) {
        let text = format!(
            "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Wren\"\nat = \"B3\"\n{of_wren}\n\
             traits = {{ warrior = 5, brawn = 3, fortitude = 3, perception = 9 }}\n\
             [[character.weapon]]\nname = \"Sword\"\nuses = [\"melee\"]\npower = 6\n{others}"
        );
        let setup = Setup::alone(Document::toml("table.toml", &text).expect("TOML"));
        let (rules, mut state) =
            RuinsAndRaiders::start(&setup).unwrap_or_else(|faults| panic!("{text}\n{faults}"));
        give(&rules, &mut state, Answer::Battle { first: CharSet::NONE, surprised: CharSet::NONE });
        give(&rules, &mut state, Answer::Next);
        while let Open::Roll(roll) = RuinsAndRaiders::open(&rules, &state) {
            let faces: fracas_kernel::Faces = [6, 6].into_iter().collect();
            RuinsAndRaiders::roll(&rules, &mut state, roll.classify(&faces), &mut NoSink);
        }
        (rules, state)
    }

    fn give(rules: &Rules, state: &mut State, answer: Answer) {
        let checked = RuinsAndRaiders::check(rules, state, Slot(0), answer).expect("taken");
        RuinsAndRaiders::apply(rules, state, checked, &mut NoSink);
    }

    /// The answers that draw the one asked first most.
    fn best((rules, state): &(Rules, State)) -> Vec<Answer> {
        let Open::Asks(asks) = RuinsAndRaiders::open(rules, state) else { panic!("nobody is asked") };
        let seat = asks[0].who.seats().iter().next().expect("a seat");
        let (mut listed, mut appeals) = (Vec::new(), Vec::new());
        RuinsAndRaiders::legal(rules, state, Slot(0), &mut |answer| listed.push(answer));
        RuinsAndRaiders::appeal(rules, state, (Slot(0), seat), &listed, &mut |appeal| appeals.push(appeal));
        assert_eq!(listed.len(), appeals.len());
        let most = *appeals.iter().max().expect("an answer");
        listed
            .into_iter()
            .zip(appeals)
            .filter(|(_, appeal)| *appeal == most)
            .map(|(answer, _)| answer)
            .collect()
    }

    fn all(table: &(Rules, State), expected: impl Fn(&Answer) -> bool) {
        let found = best(table);
        assert!(found.iter().all(expected), "{found:?}");
    }

    fn foe(name: &str, at: &str, more: &str) -> String {
        format!(
            "\n[[npc]]\nname = \"{name}\"\nat = \"{at}\"\n{more}\ntraits = {{ warrior = 3, brawn = 2, fortitude = 3 }}"
        )
    }

    #[test]
    fn who_is_nearly_down_is_struck() {
        for (hurt, goal) in [(["wounds = 11", ""], BRUTE), (["", "wounds = 11"], OTHER)] {
            let others = foe("Brute", "C3", hurt[0]) + &foe("Other", "C4", hurt[1]);
            let at_goal =
                |answer: &Answer| matches!(answer, Answer::Act(Act::Strike { on, .. }) if *on == goal);
            all(&battle("", &others), at_goal);
        }
    }

    #[test]
    fn a_fighter_comes_near_and_then_strikes() {
        let mut table = battle("", &foe("Brute", "I3", ""));
        let goal = table.1.being(BRUTE).at;
        let field = table.0.field.clone();
        let beside = |answer: &Answer| matches!(answer, Answer::Act(Act::Move { to, .. }) if field.distance(*to, goal) == 1);
        all(&table, beside);
        let first = best(&table)[0];
        give(&table.0, &mut table.1, first);
        all(&table, |answer| matches!(answer, Answer::Act(Act::Strike { on: BRUTE, .. })));
    }

    #[test]
    fn a_battle_goes_on_while_both_sides_stand_and_then_ends() {
        let mut table = battle("", &foe("Brute", "I3", ""));
        for who in [WREN, BRUTE] {
            table.1.fighting_mut(who).turn = Turn::Done;
        }
        table.1.turn = None;
        assert_eq!(best(&table), [Answer::Next]);
        table.1.being_mut(BRUTE).wounds = 30;
        assert_eq!(best(&table), [Answer::Peace]);
    }

    /// A blow on Wren is announced, before her turn.
    fn struck(of_wren: &str, warrior: u8) -> (Rules, State) {
        let (rules, mut state) = battle(of_wren, &foe("Brute", "C3", ""));
        state.being_mut(BRUTE).levels[Trait::WARRIOR.index()] = warrior;
        state.being_mut(BRUTE).levels[Trait::BRAWN.index()] = 2 * warrior;
        state.fighting_mut(WREN).turn = Turn::Later;
        (state.fighting_mut(BRUTE).turn, state.turn) = (Turn::Now, Some(BRUTE));
        give(
            &rules,
            &mut state,
            Answer::Act(Act::Strike { on: WREN, with: None, thrown: false, pull: Default::default() }),
        );
        (rules, state)
    }

    #[test]
    fn actions_are_given_up_where_that_may_save_somebody() {
        let gives = |answer: &Answer| matches!(answer, Answer::Abort { defend: 1.., .. });
        all(&struck("wounds = 12", 6), gives);
        all(&struck("", 0), |answer| *answer == Answer::stands());
    }

    #[test]
    fn fortune_saves_and_is_saved() {
        for (wounds, coming, burns) in [(0, 4, false), (10, 7, true), (10, 40, false), (15, 7, true)] {
            let (rules, mut state) = struck("fortune = 6\n", 6);
            state.being_mut(WREN).wounds = wounds;
            let Some(crate::state::Frame::Attack(attack)) = state.frames.last_mut() else {
                panic!("an attack")
            };
            (attack.step, attack.wounds) = (crate::state::Blow::Absorb, coming);
            let found = best(&(rules, state));
            let burnt = |answer: &Answer| matches!(answer, Answer::Burn(points) if (*points > 0) == burns);
            assert!(found.iter().all(burnt), "{wounds} {coming}: {found:?}");
        }
    }
}
