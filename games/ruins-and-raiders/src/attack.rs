//! Attacks: announced, answered before the dice, thrown, and what comes of a hit.

use crate::answer::{Answer, Recourses};
use crate::effect::{Against, Bought, Effect, Soak};
use crate::rules::AbortBonus;
use crate::state::{Attack, Blow, Cut, Frame, Gait, Lie, MAX_FRAMES, SideEffect, With};
use crate::{At, Play, act, event::Event, round, values, vocab::*, walk};
use fracas_kernel::{Any, Objections, Saying, Sink, Space, Told, Viewer, fine, takes};

/// An attack is announced. An attack from hiding gives its attacker away.
pub(crate) fn announce(play: &mut Play<'_, impl Sink<Event>>, mut attack: Attack) {
    let Attack { by, on, with, thrown, .. } = attack;
    play.state.being_mut(by).weary = true;
    play.state.being_mut(on).weary |= by != on && play.state.are_foes(play.rules, by, on);
    round::notice(play, by);
    // From now on the target knows (`surprise.flat`).
    play.state.being_mut(on).unaware = false;
    play.event(Event::Attacks { who: by, on, with, thrown });
    if values::is_blow(play.at(), &attack) {
        // One attack has the momentum, hit or miss (`charge-attacks`).
        play.state.fighting_mut(by).charging = false;
    }
    if attack.trick != 0 {
        play.state.fighting_mut(by).trick = None;
        play.state.being_mut(by).tricked = play.state.being(by).tricked.with(on);
    }
    match with {
        With::Spell(spell) => play.state.spells = play.state.spells.with(spell),
        With::Manoeuvre(used) => play.state.manoeuvres = play.state.manoeuvres.with(used),
        With::BareHands | With::Weapon(_) => {}
    }
    attack.step = Blow::Announced;
    play.state.frames.push(Frame::Attack(attack));
}

/// The attack on top.
pub(crate) fn top(at: At<'_>) -> Option<Attack> {
    match at.state.frames.last() {
        Some(Frame::Attack(attack)) => Some(*attack),
        _ => None,
    }
}

fn set(play: &mut Play<'_, impl Sink<Event>>, attack: Attack) {
    if let Some(frame) = play.state.frames.last_mut() {
        *frame = Frame::Attack(attack);
    }
}

/// Takes the topmost attack as far as it goes without an answer or dice.
pub(crate) fn go_on(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(mut attack) = top(play.at()) else { return };
    // Those who cut in may have put an end to it (`wait.resume`).
    let begun = matches!(attack.step, Blow::Announced | Blow::Abort | Blow::Fortune | Blow::Dice);
    if begun && !still_possible(play.at(), &attack) {
        play.state.frames.pop();
        play.event(Event::Lost { who: attack.by });
        return;
    }
    match attack.step {
        Blow::Announced => {
            attack.step = Blow::Abort;
            set(play, attack);
            cut_in(play, &attack);
        }
        Blow::Abort if !may_abort(play.at(), &attack) => {
            attack.step = Blow::Fortune;
            set(play, attack);
        }
        Blow::Fortune if !may_burn(play.at(), &attack) => to_dice(play, attack),
        Blow::Absorb if !asks_fortune(play.at(), attack.on) || attack.wounds == 0 => {
            attack.step = Blow::Effect;
            set(play, attack);
        }
        Blow::Effect if attack.wounds == 0 || !is_strike(&attack) => {
            attack.step = Blow::Lands;
            set(play, attack);
        }
        Blow::Lands => land(play, &attack),
        _ => {}
    }
}

/// Whether an attack waits for an answer or dice.
pub(crate) fn is_due(at: At<'_>, attack: &Attack) -> bool {
    let before_dice = matches!(attack.step, Blow::Abort | Blow::Fortune | Blow::Dice);
    if before_dice && !still_possible(at, attack) {
        return false;
    }
    match attack.step {
        Blow::Announced | Blow::Lands => false,
        Blow::Abort => may_abort(at, attack),
        Blow::Fortune => may_burn(at, attack),
        Blow::Dice | Blow::Rule => true,
        Blow::Absorb => attack.wounds > 0 && asks_fortune(at, attack.on),
        Blow::Effect => attack.wounds > 0 && is_strike(attack),
    }
}

/// Whether the attacker can still make the attack.
fn still_possible(at: At<'_>, attack: &Attack) -> bool {
    let reaches = match attack.with {
        With::Weapon(weapon) => {
            let distance = at.state.distance(at.rules, attack.by, attack.on);
            let place = at.state.place(weapon);
            (place.holder, place.lie) == (attack.by, Lie::Hand)
                && values::way(at.rules.arm(weapon).uses, attack.thrown, distance).is_some()
        }
        With::BareHands => at.state.is_next_to(at.rules, attack.by, attack.on),
        With::Manoeuvre(_) => attack.by == attack.on || at.state.is_next_to(at.rules, attack.by, attack.on),
        With::Spell(_) => true,
    };
    reaches && at.state.is_able(at.rules, attack.by) && at.state.is_here(attack.on)
}

/// Those who wait and were not asked about the move that led here may cut in before the blow.
fn cut_in(play: &mut Play<'_, impl Sink<Event>>, attack: &Attack) {
    if play.state.frames.len() + 3 > MAX_FRAMES {
        return;
    }
    let (mover, asked) = play.state.asked;
    let asked = if mover == Some(attack.by) { asked } else { CharSet::NONE };
    let queue = round::waiting_against(play.at(), attack.by).minus(asked);
    let queue: CharSet = queue.iter().filter(|&who| !play.state.being(who).unseen).collect();
    if !queue.is_empty() {
        play.state.frames.push(Frame::Cut(Cut { on: attack.by, queue, sprung: CharSet::NONE }));
    }
}

/// Whether the target is asked to Abort: where an action is left that can buy something (`abort.who`,
/// `abort-unaware`, `abort.choice`). A mount gives up nothing (`mount-defends`).
fn may_abort(at: At<'_>, attack: &Attack) -> bool {
    helps(at, attack)
        && !attack.unaware
        && attack.by != attack.on
        && !at.rules.mounts.has(attack.on)
        && at.state.is_able(at.rules, attack.on)
}

/// Whether to give up an action can change anything about an attack. It does not hang on what stands around
/// the target: a space to step to may be taken by somebody unseen.
fn helps(at: At<'_>, attack: &Attack) -> bool {
    let fighting = at.state.fighting(attack.on);
    let once = at.rules.options.abort == AbortBonus::OnceEach;
    let defends = match values::against(at, attack) {
        Against::Only(Defence::Defiance) => !once || fighting.resist == 0,
        Against::Body | Against::Only(_) => !once || fighting.defend == 0,
        Against::Trait(_) | Against::Level(_) | Against::Nothing => false,
    };
    let recourse = |one: Recourse| {
        let target = at.state.being(attack.on);
        let is_new = !once || !fighting.bought.has(one);
        is_new && (at.rules.recourse(one).buys != Bought::Prone || !target.prone && target.riding.is_none())
    };
    fighting.actions > 0 && (defends || at.rules.all_recourses().any(recourse))
}

fn may_burn(at: At<'_>, attack: &Attack) -> bool {
    asks_fortune(at, attack.by) && values::challenge(at, attack).is_some()
}

/// Whether somebody is asked how much Fortune is burnt. That an enemy has some is open (`fortune-open`).
pub(crate) fn asks_fortune(at: At<'_>, who: Char) -> bool {
    at.state.being(who).fortune > 0
}

/// The dice are due, if there is anything to throw for.
fn to_dice(play: &mut Play<'_, impl Sink<Event>>, mut attack: Attack) {
    let Some(level) = values::challenge(play.at(), &attack) else {
        return hit(play, attack);
    };
    let bonus = values::attack_bonus(play.at(), &attack);
    attack.step = Blow::Dice;
    set(play, attack);
    play.event(Event::Rolls { who: attack.by, on: attack.on, bonus, level, unaware: attack.unaware });
}

/// The dice of an attack lie (`attack.roll`).
pub(crate) fn fell(play: &mut Play<'_, impl Sink<Event>>, dice: u8) {
    let Some(mut attack) = top(play.at()) else { return };
    let (by, on) = (attack.by, attack.on);
    let bonus = values::attack_bonus(play.at(), &attack);
    let level = values::challenge(play.at(), &attack).unwrap_or(0);
    let (success, mox) = values::result(dice, bonus, level);
    let natural = dice == 2 && bonus + 2 >= level || dice == 12 && bonus + 12 < level;
    attack.mox = mox;
    // Aim is for one roll (`option.aim`).
    if by != on {
        play.state.fighting_mut(by).aim = 0;
    }
    if success {
        play.event(Event::Hits { who: by, on, mox, natural });
        hit(play, attack);
    } else {
        play.event(Event::Misses { who: by, on, natural });
        used_up(play, &attack);
        play.state.frames.pop();
    }
}

/// What was bought for the next blow is used up (`option.haymaker`).
fn used_up(play: &mut Play<'_, impl Sink<Event>>, attack: &Attack) {
    if values::is_blow(play.at(), attack) {
        play.state.fighting_mut(attack.by).haymaker = 0;
    }
    if attack.thrown
        && let With::Weapon(weapon) = attack.with
    {
        let space = play.state.being(attack.on).at;
        play.state.drop(weapon, space);
    }
}

/// It has hit: the wounds are counted (`damage.formula`, `charge.armour`).
fn hit(play: &mut Play<'_, impl Sink<Event>>, mut attack: Attack) {
    attack.step = Blow::Absorb;
    let at = play.at();
    let mox = attack.mox.max(0);
    if is_strike(&attack) {
        let base = values::damage_base(at, &attack);
        let momentum = i16::from(attack.momentum) + values::momentum_taken(at, &attack);
        let protection = values::protection(at, attack.on);
        attack.wounds = strike_wounds(at, &attack, mox);
        let Attack { by: who, on, wounds, .. } = attack;
        play.event(Event::Damage { who, on, mox, base, momentum, protection, wounds });
    } else {
        // What adds to a blow counts once.
        let all = effects(at, &attack);
        let first = all.iter().position(|effect| matches!(effect, Effect::Wounds { .. }));
        let more = |n: usize| if first == Some(n) { added(at, &attack) } else { 0 };
        attack.wounds =
            all.iter().enumerate().map(|(n, &effect)| harm_of(at, &attack, effect, more(n))).sum();
    }
    used_up(play, &attack);
    set(play, attack);
}

/// The wounds of a strike that hits with this mox, before Fortune (`damage.formula`).
pub(crate) fn strike_wounds(at: At<'_>, attack: &Attack, mox: i16) -> u16 {
    let momentum = i16::from(attack.momentum) + values::momentum_taken(at, attack);
    values::wounds(mox, values::damage_base(at, attack) + momentum, values::protection(at, attack.on))
}

/// Whether it is a strike: no spell, no manoeuvre.
pub(crate) fn is_strike(attack: &Attack) -> bool {
    matches!(attack.with, With::BareHands | With::Weapon(_))
}

/// What a spell or a manoeuvre does.
pub(crate) fn effects<'a>(at: At<'a>, attack: &Attack) -> &'a [Effect] {
    match attack.with {
        With::Spell(spell) => &at.rules.spell(spell).effects,
        With::Manoeuvre(manoeuvre) => &at.rules.manoeuvre(manoeuvre).effects,
        With::BareHands | With::Weapon(_) => &[],
    }
}

/// What momentum, a Haymaker and this round's changes add to a manoeuvre that wounds.
fn added(at: At<'_>, attack: &Attack) -> i16 {
    match attack.with {
        With::Manoeuvre(_) if attack.by != attack.on => {
            i16::from(attack.momentum) + values::momentum_taken(at, attack) + values::damage_more(at, attack)
        }
        _ => 0,
    }
}

/// The wounds that an effect causes.
fn harm_of(at: At<'_>, attack: &Attack, effect: Effect, more: i16) -> u16 {
    let Effect::Wounds { power, brawn, soak } = effect else { return 0 };
    let brawn = if brawn { values::level(at, attack.by, Trait::BRAWN) } else { 0 };
    soaked(at, attack, power + brawn + more, soak)
}

fn soaked(at: At<'_>, attack: &Attack, power: i16, soak: Soak) -> u16 {
    let off = match soak {
        Soak::Protection => values::protection(at, attack.on),
        Soak::Fortitude => values::level(at, attack.on, Trait::FORTITUDE),
        Soak::Nothing => 0,
    };
    values::wounds(attack.mox, power, off)
}

/// Everything comes about.
fn land(play: &mut Play<'_, impl Sink<Event>>, attack: &Attack) {
    play.state.frames.pop();
    round::wound(play, attack.on, attack.wounds);
    match attack.effect {
        SideEffect::None | SideEffect::Other(_) => {}
        SideEffect::Disarm => round::drop_weapons(play, attack.on),
        SideEffect::Trip => round::fall(play, attack.on),
    }
    let all: crate::effect::Effects = effects(play.at(), attack).iter().copied().collect();
    // Harm comes first.
    for is_harm in [true, false] {
        for effect in all.iter().copied().filter(|effect| is_harm == matches!(effect, Effect::Shocks { .. }))
        {
            come_about(play, attack, effect);
        }
    }
}

/// One effect of a spell or a manoeuvre.
fn come_about(play: &mut Play<'_, impl Sink<Event>>, attack: &Attack, effect: Effect) {
    let on = attack.on;
    match effect {
        Effect::Wounds { .. } => return,
        Effect::Shocks { power, soak } => {
            let shocks = soaked(play.at(), attack, power, soak);
            return round::shock(play, on, shocks);
        }
        Effect::Prone => return round::fall(play, on),
        Effect::Drop => return round::drop_weapons(play, on),
        Effect::Held => play.state.fighting_mut(on).held = true,
        Effect::Asleep => {
            play.state.being_mut(on).asleep = true;
            round::fall(play, on);
        }
        Effect::Change { value, by } => {
            let change = &mut play.state.fighting_mut(on).changes[value as usize];
            *change = change.saturating_add(by).clamp(-60, 60);
        }
        Effect::Thrown(spaces) => {
            let from = play.state.being(attack.by).at;
            let (to, other) = thrown_to(play.at(), on, from, spaces);
            walk::put(play, on, to);
            if let Some(other) = other {
                round::notice(play, other);
                play.event(Event::Bumps { who: on, on: other });
            }
        }
        Effect::Told => {}
    }
    play.event(Event::Effect { on, effect });
}

/// The space in which a combatant ends who is thrown away from another space, as far as the ground is free;
/// and the unnoticed combatant who stops the throw, if one does.
fn thrown_to(at: At<'_>, who: Char, from: Space, spaces: u8) -> (Space, Option<Char>) {
    let field = &at.rules.field;
    let mut here = at.state.being(who).at;
    if !field.is_grid() {
        return (here, None);
    }
    for _ in 0..spaces {
        let further = |space: &Space| {
            field.distance(from, *space) > field.distance(from, here) && !walk::in_the_way(at, who, *space).0
        };
        let all = field.neighbours(here).into_iter().filter(further);
        let Some(next) = all.max_by_key(|&space| field.distance(from, space)) else { break };
        if let Some(other) = walk::in_the_way(at, who, next).1 {
            return (here, Some(other));
        }
        here = next;
    }
    (here, None)
}

/// The question of [`crate::answer::Prompt::Abort`], and all that follows from it.
pub(crate) mod abort {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let Some(attack) = top(at) else { return Told::default() };
        let (by, on) = (Saying(attack.by, at), Saying(who, at));
        Told::new(format!("{by} attacks {on}. Does {on} Abort: give up actions to defend better?"))
            .why(clause!("abort.choice"))
    }

    /// Nothing given up, then what each number of actions buys: against this attack. With the lower of Dodge
    /// and Parry nobody defends better (`attack.defence`): it is taken, and not listed.
    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let Some(attack) = top(at) else { return };
        let mut put = |answer: Answer| {
            if fine(|out: &mut Any| object(at, who, answer, out)) {
                each(answer);
            }
        };
        let abort = |defend, resist| Answer::Abort {
            defend,
            resist,
            with: None,
            own: Recourses::default(),
            to: None,
        };
        let against = values::against(at, &attack);
        put(abort(0, 0));
        for actions in 1..=at.state.fighting(who).actions {
            match against {
                Against::Only(Defence::Defiance) => put(abort(0, actions)),
                Against::Body | Against::Only(_) => put(abort(actions, 0)),
                Against::Trait(_) | Against::Level(_) | Against::Nothing => {}
            }
        }
        for recourse in at.rules.all_recourses() {
            let own = |to| Answer::Abort {
                defend: 0,
                resist: 0,
                with: None,
                own: Recourses::of(&[recourse]).unwrap_or_default(),
                to,
            };
            match at.rules.recourse(recourse).buys {
                Bought::Step => away(at, who, attack.by).for_each(|space| put(own(Some(space)))),
                Bought::Bonus { .. } | Bought::Prone => put(own(None)),
            }
        }
    }

    /// The spaces beside somebody that are further from another.
    fn away(at: At<'_>, who: Char, from: Char) -> impl Iterator<Item = Space> {
        let field = &at.rules.field;
        let (here, there) = (at.state.being(who).at, at.state.being(from).at);
        let further = move |space: &Space| field.distance(*space, there) > field.distance(here, there);
        field.neighbours(here).into_iter().filter(further)
    }

    takes!(Answer, Answer::Abort { .. }, clause!("abort.declare"), "expected to give up actions, or nothing");

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let (Answer::Abort { defend, resist, with, own, to }, Some(attack)) = (answer, top(at)) else {
            return;
        };
        let fighting = at.state.fighting(who);
        let own = own.as_slice();
        if u16::from(defend) + u16::from(resist) + own.len() as u16 > u16::from(fighting.actions) {
            out.no(clause!("abort.choice"), "so many actions are not left");
        }
        let again = own.iter().any(|&one| fighting.bought.has(one)) || own.len() == 2 && own[0] == own[1];
        if at.rules.options.abort == AbortBonus::OnceEach
            && (again
                || defend > 1
                || resist > 1
                || defend > 0 && fighting.defend > 0
                || resist > 0 && fighting.resist > 0)
        {
            out.no(clause!("abort-bonus"), "each can be bought once a round");
        }
        if with == Some(Defence::Defiance) {
            out.no(clause!("attack.defence"), "expected dodge or parry");
        } else if with.is_some() && values::against(at, &attack) != Against::Body {
            out.no(clause!("attack.defence"), "against this attack there is no choice of Dodge or Parry");
        }
        let buys = |bought| own.iter().filter(|&&one| at.rules.recourse(one).buys == bought).count();
        match buys(Bought::Prone) {
            0 => {}
            1 if !at.state.being(who).prone && at.state.being(who).riding.is_none() => {}
            _ => {
                out.no(clause!("prone.fall"), "only somebody who stands on the ground drops prone, and once")
            }
        }
        match (buys(Bought::Step), to) {
            (0, None) => {}
            (1, Some(to)) => step(at, who, to, out),
            (1, None) => out.no(clause!("ext.abort"), "say with `to` where the step leads"),
            (0, Some(_)) => out.no(clause!("ext.abort"), "nobody steps for that: leave `to` out"),
            _ => out.no(clause!("ext.abort"), "one step against one attack"),
        }
    }

    /// What speaks against a step out of the way.
    fn step(at: At<'_>, who: Char, to: Space, out: &mut impl Objections) {
        let being = at.state.being(who);
        if at.state.is_held(who) {
            out.no(clause!("ext.two-actions"), "the character is held until the next round begins");
        }
        if being.prone && !being.battle.step {
            out.no(clause!("prone.move"), "who is prone moves one space a round");
        }
        if !at.rules.field.is_step(being.at, to) || at.rules.field.length(being.at, to) > 1 {
            out.no(clause!("ext.abort"), "the step leads to a neighbouring space");
        } else if !walk::can_stand(at, who, to) {
            out.no(clause!("occupied"), "somebody stands there");
        }
        if at.state.frames.len() + 2 > MAX_FRAMES {
            out.no(clause!("wait-split"), "too much is under way for that");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let (Answer::Abort { defend, resist, with, own, to }, Some(mut attack)) = (answer, top(play.at()))
        else {
            return;
        };
        (attack.defence, attack.step) = (with, Blow::Fortune);
        set(play, attack);
        let actions = defend + resist + own.as_slice().len() as u8;
        if actions == 0 {
            return;
        }
        act::spend(play, who, actions);
        let fighting = play.state.fighting_mut(who);
        fighting.defend = fighting.defend.saturating_add(defend);
        fighting.resist = fighting.resist.saturating_add(resist);
        play.event(Event::Aborts { who, defend, resist, own });
        for &recourse in own.as_slice() {
            play.state.fighting_mut(who).bought = play.state.fighting(who).bought.with(recourse);
            buy(play, who, play.rules.recourse(recourse).buys, to);
        }
    }

    /// What the table's own rules give for an action (`ext.abort`).
    fn buy(play: &mut Play<'_, impl Sink<Event>>, who: Char, bought: Bought, to: Option<Space>) {
        match bought {
            Bought::Bonus { value, by } => {
                let change = &mut play.state.fighting_mut(who).changes[value as usize];
                *change = change.saturating_add_unsigned(by).min(60);
            }
            Bought::Prone => round::lie_down(play, who, true),
            Bought::Step => {
                let Some(to) = to else { return };
                if play.state.being(who).prone {
                    play.state.fighting_mut(who).step = false;
                }
                walk::set_out(play, who, [to].into_iter().collect(), Gait::Aside);
            }
        }
    }
}

/// The question of [`crate::answer::Prompt::Fortune`], and all that follows from it.
pub(crate) mod fortune {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("How much Fortune does {} burn for the attack?", Saying(who, at)))
            .why(clause!("fortune.check"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        (0..=3).for_each(|points| each(Answer::Burn(points)));
    }

    takes!(Answer, Answer::Burn(_), clause!("fortune.check"), "expected how much Fortune is burnt");

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let Answer::Burn(points) = answer else { return };
        if points > 3 {
            out.no(clause!("fortune.check"), "at most 3 Fortune for a check");
        } else if points > at.state.being(who).fortune {
            out.no(clause!("fortune.check"), "there is not so much Fortune left");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let (Answer::Burn(points), Some(mut attack)) = (answer, top(play.at())) else { return };
        act::burn(play, who, points);
        attack.fortune = points as u8;
        to_dice(play, attack);
    }
}

/// The question of [`crate::answer::Prompt::Absorb`], and all that follows from it.
pub(crate) mod absorb {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, wounds: u16, _: Viewer) -> Told {
        Told::new(format!(
            "{} is about to take {}. How much Fortune cancels wounds?",
            Saying(who, at),
            crate::words::count(wounds, "wound")
        ))
        .why(clause!("fortune.absorb"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, wounds: u16, each: &mut impl FnMut(Answer)) {
        let most = wounds.min(at.state.being(who).fortune);
        (0..=most.min(12)).for_each(|points| each(Answer::Burn(points)));
        if most > 12 {
            each(Answer::Burn(most));
        }
    }

    takes!(Answer, Answer::Burn(_), clause!("fortune.absorb"), "expected how much Fortune is burnt");

    pub(crate) fn object(at: At<'_>, who: Char, wounds: u16, answer: Answer, out: &mut impl Objections) {
        let Answer::Burn(points) = answer else { return };
        if points > wounds {
            out.no(clause!("fortune.absorb"), "no more than there are wounds");
        }
        if points > at.state.being(who).fortune {
            out.no(clause!("fortune.absorb"), "there is not so much Fortune left");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, _: u16, answer: Answer) {
        let (Answer::Burn(points), Some(mut attack)) = (answer, top(play.at())) else { return };
        if points > 0 {
            let being = play.state.being_mut(who);
            being.fortune = being.fortune.saturating_sub(points);
            play.event(Event::Absorbs { who, points });
        }
        attack.wounds = attack.wounds.saturating_sub(points);
        attack.step = Blow::Effect;
        set(play, attack);
    }
}

/// The question of [`crate::answer::Prompt::Effect`], and all that follows from it.
pub(crate) mod effect {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, on: Char, _: Viewer) -> Told {
        Told::new(format!("Does {} call for a side effect on {}?", Saying(who, at), Saying(on, at)))
            .why(clause!("attack.strike.side-effect"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, on: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::SideEffect(SideEffect::None));
        if at.state.held(on, Lie::Hand).any(|weapon| !at.rules.arm(weapon).natural) {
            each(Answer::SideEffect(SideEffect::Disarm));
        }
        if !at.state.being(on).prone {
            each(Answer::SideEffect(SideEffect::Trip));
        }
        each(Answer::SideEffect(SideEffect::Other(crate::words::something())));
    }

    takes!(
        Answer,
        Answer::SideEffect(_),
        clause!("attack.strike.side-effect"),
        "expected a side effect, or none"
    );

    pub(crate) fn object(_: At<'_>, _: Char, _: Char, _: Answer, _: &mut impl Objections) {}

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, on: Char, answer: Answer) {
        let (Answer::SideEffect(effect), Some(mut attack)) = (answer, top(play.at())) else { return };
        attack.effect = effect;
        attack.step = if effect == SideEffect::None { Blow::Lands } else { Blow::Rule };
        if effect != SideEffect::None {
            play.event(Event::CallsEffect { who, on, effect });
        }
        set(play, attack);
    }
}

/// The question of [`crate::answer::Prompt::Rule`], and all that follows from it.
pub(crate) mod rule {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, on: Char, _: Viewer) -> Told {
        Told::new(format!(
            "Does the side effect of {}'s strike on {} come about?",
            Saying(who, at),
            Saying(on, at)
        ))
        .why(clause!("attack.strike.side-effect"))
    }

    fracas_kernel::takes_all!(
        At<'_>,
        (Char, Char) -> Answer,
        [Answer::Beside, Answer::Instead, Answer::No],
        clause!("attack.strike.side-effect"),
        "expected beside the wounds, instead of them, or no"
    );

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, _: Char, answer: Answer) {
        let Some(mut attack) = top(play.at()) else { return };
        match answer {
            Answer::Instead => attack.wounds = 0,
            Answer::No => attack.effect = SideEffect::None,
            _ => {}
        }
        play.event(Event::EffectRuled {
            who,
            allowed: answer != Answer::No,
            instead: answer == Answer::Instead,
        });
        attack.step = Blow::Lands;
        set(play, attack);
    }
}
