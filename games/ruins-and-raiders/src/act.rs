//! What somebody does in a fight: two actions, a free step, and what costs nothing (`action.two`).

use crate::answer::{Act, Answer, Pull, Via};
use crate::effect::Against;
use crate::rules::{AbortBonus, Hasten};
use crate::state::{Attack, Deed, Frame, Gait, Lie, MAX_FRAMES, Phase, Why, With};
use crate::{At, Play, event::Event, round, values, vocab::*, walk};
use fracas_kernel::{
    Any, Objections, Reach, Saying, Seat, Secret, Sink, Space, Spaces, Told, Viewer, fine, takes,
};

/// When somebody acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// In the turn.
    Turn,
    /// After waiting: within the action of another, or between.
    Late,
}

/// The question of [`crate::answer::Prompt::Turn`].
pub(crate) mod turn {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("What does {} do?", Saying(who, at))).why(clause!("action.mix"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        list(at, who, Mode::Turn, &mut |act| each(Answer::Act(act)));
    }

    takes!(Answer, Answer::Act(_), clause!("action.mix"), "expected what the character does");

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if let Answer::Act(act) = answer {
            super::object(at, who, act, Mode::Turn, out);
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        if let Answer::Act(act) = answer {
            super::apply(play, who, act);
        }
    }
}

/// The questions of [`crate::answer::Prompt::Cut`] and of [`crate::answer::Prompt::Standoff`]: does somebody
/// who waits act now?
pub(crate) mod late {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let Some(Frame::Cut(cut)) = at.state.frames.last() else {
            return Told::new(format!("Nobody else will act. Does {}?", Saying(who, at)))
                .why(clause!("standoff.condition"));
        };
        let happens = match at.state.frames.iter().nth_back(1) {
            Some(Frame::Attack(attack)) if attack.by == cut.on => {
                crate::words::attack_words(at, (attack.by, attack.on), attack.with, attack.thrown)
            }
            _ => {
                format!("{} is at {}", Saying(cut.on, at), crate::words::space(at, at.state.being(cut.on).at))
            }
        };
        Told::new(format!("{happens}. Does {} cut in?", Saying(who, at))).why(clause!("wait.interrupt"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Let);
        list(at, who, Mode::Late, &mut |act| each(Answer::Act(act)));
    }

    takes!(Answer, Answer::Act(_) | Answer::Let, clause!("wait.anytime"), "expected to act, or to let it be");

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if let Answer::Act(act) = answer {
            super::object(at, who, act, Mode::Late, out);
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let cut = match play.state.frames.last() {
            Some(&Frame::Cut(cut)) => Some(cut),
            _ => None,
        };
        match (answer, cut) {
            (Answer::Act(act), Some(cut)) => {
                if !matches!(act, Act::Wait { .. }) {
                    play.event(Event::CutsIn { who, on: cut.on });
                }
                super::apply(play, who, act);
            }
            (Answer::Act(act), None) => round::late(play, who, act),
            (_, Some(_)) => round::let_go(play.state, who),
            (_, None) => play.state.passed = play.state.passed.with(who),
        }
    }
}

/// Lists what makes sense for somebody. All of it stands as it is.
pub(crate) fn list(at: At<'_>, who: Char, mode: Mode, each: &mut impl FnMut(Act)) {
    let (being, fighting) = (at.state.being(who), at.state.fighting(who));
    let waits_for_dice = at.rules.seat(who) == Seat::Gm && crate::flow::is_thrown(at);
    if waits_for_dice || being.surprised || at.state.phase != Phase::Battle {
        return;
    }
    let acts = fighting.actions > 0;
    let allowed = |act: Act| fine(|out: &mut Any| object(at, who, act, mode, out));
    aims(at, who, &mut |act| {
        if allowed(act) {
            each(act);
        }
    });
    if acts {
        moves(at, who, each);
    }
    let mut put = |act: Act| {
        if allowed(act) {
            each(act);
        }
    };
    if acts {
        leaps(at, who, &mut put);
        for act in [Act::Aim, Act::Defend, Act::Haymaker, Act::Resist, Act::Look, Act::Haste] {
            put(act);
        }
        if being.prone {
            put(Act::Stand);
        }
        if at.rules.mounts.0 != 0 {
            at.rules.mounts.iter().for_each(|mount| put(Act::Mount(mount)));
            put(Act::Dismount);
        }
        crate::scene::empathy(at, who, &mut put);
        if is_by_a_wall(at, who) {
            put(Act::Door);
        }
        put(Act::Do(crate::words::something()));
        put(Act::Work);
        dropped(at, who).for_each(|weapon| put(Act::PickUp(weapon)));
    }
    if acts || mode == Mode::Turn {
        let carried = at.state.held(who, Lie::Carried).filter(|&weapon| !is_again(at, who, weapon));
        carried.for_each(|weapon| put(Act::Draw(weapon)));
        sheathed(at, who, &mut put);
    }
    if being.fortune >= 3 {
        put(Act::Rapid);
    }
    if mode == Mode::Turn {
        steps(at, who, &mut put);
        put(Act::Fall);
        if !being.unseen {
            put(Act::Shout(crate::words::something()));
        }
        if acts {
            put(Act::Wait { wire: Wire::Moved, trap: None });
            let near = Wire::Near { of: None, within: 2 };
            put(Act::Wait { wire: near, trap: None });
            if let Some(best) = at.state.held(who, Lie::Hand).max_by_key(|&weapon| at.rules.arm(weapon).power)
            {
                let is_blow = at.rules.arm(best).uses.has(Use::Melee);
                let wire = if is_blow { Wire::Near { of: None, within: 1 } } else { near };
                put(Act::Wait { wire, trap: Some(best) });
            }
        }
        put(Act::End);
    }
}

/// What somebody can do to others: strikes, manoeuvres, spells.
fn aims(at: At<'_>, who: Char, put: &mut impl FnMut(Act)) {
    let fighting = at.state.fighting(who);
    if fighting.actions > 0 || fighting.extra > 0 {
        strikes(at, who, put);
    }
    if fighting.actions == 0 {
        return;
    }
    for manoeuvre in at.rules.manoeuvres_of(who) {
        if at.rules.manoeuvre(manoeuvre).aimed {
            near_foes(at, who, 1).for_each(|on| put(Act::Use { what: manoeuvre, on: Some(on) }));
        } else {
            put(Act::Use { what: manoeuvre, on: None });
        }
    }
    for spell in at.rules.spells_of(who) {
        if at.rules.spell(spell).own {
            put(Act::Cast { spell, on: None });
        } else {
            near_foes(at, who, u16::MAX).for_each(|on| put(Act::Cast { spell, on: Some(on) }));
        }
    }
}

/// Whether there is something left to do in a turn: an action, a strike that Fortune has bought, the step,
/// or to drop prone (`prone.fall`).
pub(crate) fn has_more(at: At<'_>, who: Char) -> bool {
    let fighting = at.state.fighting(who);
    // The Adversary says what else it does once the dice lie that are thrown in secret.
    let mut more = fighting.actions > 0 || at.rules.seat(who) == Seat::Gm && crate::flow::is_thrown(at);
    let allowed = |act| fine(|out: &mut Any| object(at, who, act, Mode::Turn, out));
    if !more && fighting.extra > 0 {
        strikes(at, who, &mut |act| more |= allowed(act));
    }
    if !more {
        steps(at, who, &mut |act| more |= allowed(act));
    }
    more || allowed(Act::Fall)
}

/// Whether somebody who waits has something left: an action, or a strike that Fortune has bought.
pub(crate) fn has_more_late(at: At<'_>, who: Char) -> bool {
    let fighting = at.state.fighting(who);
    let mut more = fighting.actions > 0;
    if !more && fighting.extra > 0 {
        strikes(at, who, &mut |act| more |= fine(|out: &mut Any| object(at, who, act, Mode::Late, out)));
    }
    more
}

/// Foes that somebody knows of, at most so far away.
fn near_foes(at: At<'_>, who: Char, most: u16) -> impl Iterator<Item = Char> + '_ {
    at.rules.everybody().filter(move |&on| {
        at.state.are_foes(at.rules, who, on)
            && at.state.perceives(at.rules, who, on)
            && !at.state.is_disabled(at.rules, on)
            && at.state.distance(at.rules, who, on) <= most
    })
}

fn strikes(at: At<'_>, who: Char, put: &mut impl FnMut(Act)) {
    near_foes(at, who, u16::MAX).for_each(|on| strikes_at(at, who, on, put));
}

/// Strikes at somebody with what is in hand, or else with bare hands.
pub(crate) fn strikes_at(at: At<'_>, who: Char, on: Char, put: &mut impl FnMut(Act)) {
    let strike = |with, thrown| Act::Strike { on, with, thrown, pull: Pull::default() };
    let distance = at.state.distance(at.rules, who, on);
    let mut armed = false;
    for weapon in at.state.held(who, Lie::Hand) {
        if is_again(at, who, weapon) {
            continue;
        }
        armed = true;
        let uses = at.rules.arm(weapon).uses;
        if values::way(uses, false, distance).is_some() {
            put(strike(Some(weapon), false));
        }
        if uses.has(Use::Thrown) && distance > 1 {
            put(strike(Some(weapon), true));
        }
    }
    if !armed && distance <= 1 {
        put(strike(None, false));
    }
}

/// Whether somebody has another weapon before this one that is just like it, kept in the same way: one of
/// two javelins does to be listed.
fn is_again(at: At<'_>, who: Char, weapon: Weapon) -> bool {
    let arm = at.rules.arm(weapon);
    let all = at.state.held(who, at.state.place(weapon).lie);
    all.take_while(|&other| other != weapon).any(|other| at.rules.arm(other).is_like(arm))
}

/// Whether there is a wall beside somebody, in which a door could be; a place may always have one.
fn is_by_a_wall(at: At<'_>, who: Char) -> bool {
    let (field, here) = (&at.rules.field, at.state.being(who).at);
    if !field.is_grid() {
        return true;
    }
    let near = |at: u8| at.saturating_sub(1)..=at.saturating_add(1);
    let around = near(here.column()).flat_map(|column| near(here.row()).map(move |row| (column, row)));
    let on_map = around.filter(|&(column, row)| column < field.columns() && row < field.rows());
    on_map
        .filter_map(|(column, row)| Space::new(column, row))
        .any(|space| space != here && field.distance(here, space) <= 1 && !field.is_step(here, space))
}

/// Weapons within reach that lie about.
pub(crate) fn dropped(at: At<'_>, who: Char) -> impl Iterator<Item = Weapon> + '_ {
    let near = move |(_, place): &(usize, &crate::state::Place)| matches!(place.lie, Lie::Dropped(space) if at.rules.field.distance(space, at.state.being(who).at) <= 1);
    let viewer = Viewer::Seat(at.rules.seat(who));
    let all = at.state.arms.iter().enumerate().filter(near).map(|(n, _)| Weapon(n as u8));
    all.filter(move |&weapon| crate::view::knows_weapon(at, weapon, viewer))
}

/// Moves worth listing: next to each foe, with a charge and without, or else towards the nearest; the named
/// spaces; away from all foes. Each can be made.
fn moves(at: At<'_>, who: Char, each: &mut impl FnMut(Act)) {
    let (field, being) = (&at.rules.field, at.state.being(who));
    if being.prone || at.state.is_held(who) {
        return;
    }
    let (from, mut ends) = (being.at, walk::ends(at, who));
    let mut go = |to: Space, charge: bool, ends: &mut Spaces| {
        if ends.has(to) {
            ends.remove(to);
            each(Act::Move { to, via: Via::default(), charge: false, fortune: 0 });
            if charge {
                each(Act::Move { to, via: Via::default(), charge: true, fortune: 0 });
            }
        }
    };
    let all = ends;
    let mut is_far = true;
    for on in near_foes(at, who, u16::MAX) {
        let goal = at.state.being(on).at;
        if field.distance(from, goal) <= 1 {
            is_far = false;
            continue;
        }
        if !field.is_grid() {
            go(goal, true, &mut ends);
            continue;
        }
        let beside = field.neighbours(goal).into_iter().filter(|&space| all.has(space));
        if let Some(to) = beside.min_by_key(|&space| field.distance(from, space)) {
            is_far = false;
            go(to, true, &mut ends);
        }
    }
    if is_far
        && field.is_grid()
        && let Some(to) = nearer(at, who, &all)
    {
        go(to, false, &mut ends);
    }
    field.named_spaces().for_each(|(space, _)| go(space, false, &mut ends));
    if !field.is_grid() {
        field.neighbours(from).into_iter().for_each(|space| go(space, false, &mut ends));
    } else if let Some(to) = away(at, who, &all) {
        go(to, false, &mut ends);
    }
}

/// Weapons worth putting away: where no hand is free for one that is carried.
fn sheathed(at: At<'_>, who: Char, put: &mut impl FnMut(Act)) {
    let free = hands_free(at, who);
    if at.state.held(who, Lie::Carried).any(|weapon| at.rules.arm(weapon).hands > free) {
        let held = at.state.held(who, Lie::Hand).filter(|&weapon| !is_again(at, who, weapon));
        held.for_each(|weapon| put(Act::Sheathe(weapon)));
    }
}

/// Leaps worth listing: over what lies just before somebody on the straight way to a foe or a named space,
/// where a good throw carries so far.
fn leaps(at: At<'_>, who: Char, put: &mut impl FnMut(Act)) {
    let field = &at.rules.field;
    let from = at.state.being(who).at;
    if !field.is_grid() {
        return;
    }
    let hinders = |space: Space| {
        let ground = at.rules.ground(field.kind(space));
        !field.is_there(space) || ground.is_some_and(|ground| ground.level.is_some())
    };
    let most = (values::rolled(at, who, Trait::ATHLETE) + 12) / 4;
    let foes = near_foes(at, who, 40).map(|foe| at.state.being(foe).at);
    let mut listed = Spaces::default();
    for goal in foes.chain(field.named_spaces().map(|(space, _)| space)) {
        let line = field.line(from, goal);
        let Some(over) = line.iter().position(|&space| !hinders(space)).filter(|&over| over > 0) else {
            continue;
        };
        let to = line[over];
        if (over as i16) < most && !listed.has(to) && listed.len() < 3 {
            listed.add(to);
            put(Act::Leap(to));
        }
    }
}

/// The space from which the way to the nearest foe is shortest, around walls and other foes; `None` if it is
/// no shorter than from where somebody is.
fn nearer(at: At<'_>, who: Char, ends: &Spaces) -> Option<Space> {
    let (field, from) = (&at.rules.field, at.state.being(who).at);
    let foe = near_foes(at, who, u16::MAX).min_by_key(|&foe| at.state.distance(at.rules, who, foe))?;
    let mut ways = Reach::new();
    field.reach(at.state.being(foe).at, u8::MAX, &at.state.free(at.rules, who), &mut ways);
    let left = |space: Space| ways.steps(space).unwrap_or(u8::MAX);
    let best = ends.iter().min_by_key(|&space| (left(space), field.distance(from, space)))?;
    (left(best) < left(from)).then_some(best)
}

/// Of the furthest spaces on the eight straight ways, the one that is furthest from the nearest foe; `None`
/// if none is further from it than where somebody is.
fn away(at: At<'_>, who: Char, ends: &Spaces) -> Option<Space> {
    let field = &at.rules.field;
    let from = at.state.being(who).at;
    let safety = |space: Space| {
        near_foes(at, who, 40).map(|foe| field.distance(space, at.state.being(foe).at)).min().unwrap_or(0)
    };
    let furthest = |(x, y): (i16, i16)| {
        let along = |steps: i16| {
            let column = u8::try_from(i16::from(from.column()) + x * steps).ok()?;
            let row = u8::try_from(i16::from(from.row()) + y * steps).ok()?;
            Space::new(column, row).filter(|&space| ends.has(space))
        };
        (1..=i16::from(MAX_MOVE)).rev().find_map(along)
    };
    let ways = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];
    let mut best = (safety(from), None);
    for to in ways.into_iter().filter_map(furthest) {
        let there = safety(to);
        if there > best.0 {
            best = (there, Some(to));
        }
    }
    best.1
}

/// Free steps worth listing: each neighbouring space.
fn steps(at: At<'_>, who: Char, put: &mut impl FnMut(Act)) {
    if at.state.fighting(who).step {
        at.rules.field.neighbours(at.state.being(who).at).into_iter().for_each(|space| put(Act::Step(space)));
    }
}

/// Collects the reasons against something that somebody does (`action.refuse`).
#[allow(clippy::too_many_lines, reason = "a list, one act after the other")]
pub(crate) fn object(at: At<'_>, who: Char, act: Act, mode: Mode, out: &mut impl Objections) {
    let (being, fighting) = (at.state.being(who), at.state.fighting(who));
    let costs = |actions: u8, out: &mut dyn FnMut(fracas_kernel::Clause, &'static str)| {
        if fighting.actions < actions {
            out(clause!("action.two"), "the actions of this round are not enough for that");
        }
    };
    let mut no = |clause, what| out.no(clause, what);
    if at.rules.seat(who) == Seat::Gm && crate::flow::is_thrown(at) {
        return no(clause!("info.adversary"), crate::flow::LIE_FIRST);
    }
    if at.state.phase != Phase::Battle {
        return no(clause!("action.two"), "only in a conflict are there actions");
    }
    if being.surprised {
        return no(clause!("zero.surprise"), "taken by surprise, the character can do nothing in round zero");
    }
    match act {
        Act::Step(to) => {
            if mode == Mode::Late {
                no(clause!("move.free-step"), "the free step is for the turn");
            }
            if !fighting.step {
                no(clause!("move.free-step"), "one free step a round");
            }
            if at.state.is_held(who) {
                no(clause!("ext.two-actions"), "the character is held until the next round begins");
            }
            let from = being.at;
            if !at.rules.field.is_step(from, to) || at.rules.field.length(from, to) > 1 {
                no(clause!("move.free-step"), "a free step goes to a neighbouring space");
            } else if !walk::can_stand(at, who, to) {
                no(clause!("occupied"), "somebody stands there");
            }
        }
        Act::Move { to, ref via, fortune, charge } => {
            costs(1, &mut no);
            if being.prone {
                return no(clause!("prone.move"), "who is prone moves one space a round, as the free step");
            }
            if at.state.is_held(who) {
                no(clause!("ext.two-actions"), "the character is held until the next round begins");
            }
            if fortune > 3 {
                no(clause!("fortune.run"), "at most 3 Fortune for a move");
            } else if u16::from(fortune) > being.fortune {
                no(clause!("fortune.run"), "there is not so much Fortune left");
            }
            if charge && !at.rules.field.is_grid() && to == being.at {
                no(clause!("charge.choice"), "a charge leads somewhere else");
            }
            if to == being.at {
                no(clause!("move.action"), "a move leads to another space");
            } else if !walk::can_stand(at, who, to) {
                no(clause!("occupied"), "nobody can end a move there");
            } else if walk::path(at, who, to, via, fortune).is_none() {
                no(clause!("move.action"), "no way leads there within the character's Movement");
            }
        }
        Act::Strike { on, with, thrown, pull } => {
            if fighting.extra == 0 {
                costs(1, &mut no);
            }
            strike(at, who, (on, with), thrown, pull, &mut no);
        }
        Act::Use { what, on } => {
            let data = at.rules.manoeuvre(what);
            costs(data.actions, &mut no);
            if data.owner.is_some_and(|owner| owner != who) {
                no(clause!("ext.two-actions"), "the character does not know that manoeuvre");
            }
            match on {
                Some(on) if data.aimed => {
                    target(at, who, on, &mut no);
                    if !at.state.is_next_to(at.rules, who, on) {
                        no(clause!("ext.two-actions"), "the target must be next to the character");
                    }
                }
                None if data.aimed => no(clause!("ext.two-actions"), "a target is needed"),
                Some(_) => no(clause!("ext.two-actions"), "it has no target: leave `on` out"),
                None => {}
            }
        }
        Act::Cast { spell, on } => {
            let data = at.rules.spell(spell);
            if fighting.actions < data.actions {
                no(clause!("action.spell"), "a spell takes a whole round: both actions must be left");
            }
            if data.owner != who {
                no(clause!("ext.spell"), "the character does not know that spell");
            }
            if u16::from(data.energy) > being.fortune {
                no(clause!("fortune.spell"), "there is not enough Fortune for its energy");
            }
            match on {
                Some(on) if !data.own => target(at, who, on, &mut no),
                None if !data.own => no(clause!("ext.spell"), "a target is needed"),
                Some(_) => no(clause!("ext.spell"), "it is cast on the caster: leave `on` out"),
                None => {}
            }
        }
        Act::Aim | Act::Haymaker | Act::Look => costs(1, &mut no),
        Act::Defend | Act::Resist => {
            costs(1, &mut no);
            let bought = if act == Act::Defend { fighting.defend } else { fighting.resist };
            if bought > 0 && at.rules.options.abort == AbortBonus::OnceEach {
                no(clause!("abort-bonus"), "that can be bought once a round");
            }
        }
        Act::Haste => {
            costs(at.rules.haste.actions, &mut no);
            if at.rules.options.hasten == Hasten::Off {
                no(clause!("haste"), "at this table nobody can Haste");
            }
            if at.state.round == 0 {
                no(clause!("zero.begin"), "in round zero there is no initiative yet");
            }
        }
        Act::Rapid => {
            if being.fortune < 3 {
                no(clause!("fortune.rapid"), "that takes 3 Fortune");
            }
            if being.levels[Trait::WARRIOR.index()] == 0 && being.levels[Trait::ARCHER.index()] == 0 {
                no(clause!("fortune.rapid"), "only a warrior or an archer can strike so fast");
            }
            if fighting.rapid >= fighting.actions {
                no(clause!("fortune.rapid"), "each action holds two strikes at most");
            }
        }
        Act::Stand => {
            costs(1, &mut no);
            if !being.prone {
                no(clause!("move.stand"), "the character stands already");
            }
        }
        Act::Fall => {
            if being.prone {
                no(clause!("prone.fall"), "the character is prone already");
            }
            if being.riding.is_some() {
                no(clause!("prone.fall"), "the character rides: dismount first");
            }
        }
        Act::Mount(mount) => {
            costs(1, &mut no);
            if !at.rules.mounts.has(mount) || !at.state.perceives(at.rules, who, mount) {
                return no(clause!("move.mount-up"), "that carries nobody");
            }
            if being.riding.is_some() || being.prone || at.rules.mounts.has(who) {
                no(clause!("move.mount-up"), "the character must stand on the ground");
            }
            let steed = at.state.being(mount);
            if at.state.rider(mount).is_some()
                || at.state.is_disabled(at.rules, mount)
                || steed.prone
                || steed.asleep
                || steed.unseen != being.unseen
            {
                no(clause!("move.mount-up"), "it can carry nobody now");
            }
            if !at.state.is_next_to(at.rules, who, mount) {
                no(clause!("move.mount-up"), "it must be next to the character");
            }
        }
        Act::Dismount => {
            costs(1, &mut no);
            if being.riding.is_none() {
                no(clause!("move.other"), "the character does not ride");
            }
        }
        Act::Leap(to) => {
            costs(1, &mut no);
            if being.prone || at.state.is_held(who) {
                no(clause!("move.leap"), "the character cannot leap as they are");
            }
            let spaces = at.rules.field.distance(being.at, to);
            if spaces == 0 || spaces > 15 || to == being.at {
                no(clause!("jump.check"), "a leap goes over 1 to 15 spaces");
            } else if !walk::can_stand(at, who, to) {
                no(clause!("occupied"), "nobody can land there");
            }
        }
        Act::Draw(weapon) => {
            let place = at.state.place(weapon);
            if (place.holder, place.lie) != (who, Lie::Carried) {
                no(clause!("action.minor"), "the character carries no such weapon");
            } else if hands_free(at, who) < at.rules.arm(weapon).hands {
                no(clause!("ext.weapon"), "no hand is free for it: put something away first");
            }
        }
        Act::Sheathe(weapon) => {
            let place = at.state.place(weapon);
            if (place.holder, place.lie) != (who, Lie::Hand) || at.rules.arm(weapon).natural {
                no(clause!("action.minor"), "the character has no such weapon in hand to put away");
            }
        }
        Act::PickUp(weapon) => {
            costs(1, &mut no);
            if !dropped(at, who).any(|other| other == weapon) {
                no(clause!("move.other"), "no such weapon lies within reach");
            }
        }
        Act::Door => costs(1, &mut no),
        Act::Do(_) => {
            costs(1, &mut no);
            if being.unseen {
                no(clause!("unseen-turn"), "nobody hears of what it does: it takes no word for it");
            }
            if at.state.frames.len() + 3 > MAX_FRAMES {
                no(clause!("wait-split"), "too much is under way for that");
            }
        }
        Act::Shout(_) => {}
        Act::Work => {
            costs(1, &mut no);
            if fighting.deed == 0 {
                no(clause!("action.long"), "the character has begun nothing that takes longer");
            }
        }
        Act::Heal { on, points, own, .. } => crate::scene::can_heal(at, (who, on), points, own, &mut no),
        Act::Feel(on) => {
            costs(1, &mut no);
            crate::scene::can_feel(at, who, on, &mut no);
        }
        Act::Wait { wire, trap } => {
            if mode == Mode::Turn {
                costs(1, &mut no);
            }
            if at.state.round == 0 {
                no(clause!("zero.begin"), "in round zero nobody acts whom one could wait for");
            }
            if let Wire::Near { of: Some(of), .. } = wire
                && !at.state.perceives(at.rules, who, of)
            {
                no(clause!("wait.may"), "expected somebody who is here");
            }
            if let Wire::Enters(space) = wire
                && !at.rules.field.is_there(space)
            {
                no(clause!("wait.may"), "that is no space of the map");
            }
            if let Some(weapon) = trap {
                let place = at.state.place(weapon);
                if (place.holder, place.lie) != (who, Lie::Hand) {
                    no(clause!("wait.may"), "that weapon is not in the character's hand");
                }
            }
        }
        Act::End => {
            if mode == Mode::Late {
                no(clause!("wait.may"), "who waits ends nothing: let it be");
            }
        }
    }
}

/// What speaks against a strike.
fn strike(
    at: At<'_>,
    who: Char,
    (on, with): (Char, Option<Weapon>),
    thrown: bool,
    pull: Pull,
    no: &mut impl FnMut(fracas_kernel::Clause, &'static str),
) {
    target(at, who, on, no);
    let distance = at.state.distance(at.rules, who, on);
    let power = match with {
        None => {
            if thrown {
                no(clause!("ext.weapon"), "bare hands cannot be thrown");
            } else if distance > 1 {
                no(clause!("attack.strike"), "bare hands reach a neighbouring space");
            }
            0
        }
        Some(weapon) => {
            let (place, arm) = (at.state.place(weapon), at.rules.arm(weapon));
            if (place.holder, place.lie) != (who, Lie::Hand) {
                no(clause!("attack.strike"), "that weapon is not in the character's hand");
            } else if thrown && (arm.natural || !arm.uses.has(Use::Thrown)) {
                no(clause!("range.thrown"), "that weapon cannot be thrown");
            } else if values::way(arm.uses, thrown, distance).is_none() {
                no(clause!("attack.strike"), "the target is out of that weapon's reach");
            }
            arm.power
        }
    };
    if pull.brawn > at.state.being(who).levels[Trait::BRAWN.index()] || pull.power > power {
        no(clause!("damage.pull"), "no more can be held back than there is");
    }
}

/// What speaks against a target.
fn target(at: At<'_>, who: Char, on: Char, no: &mut impl FnMut(fracas_kernel::Clause, &'static str)) {
    if on == who || at.state.being(who).riding == Some(on) {
        no(clause!("attack.strike"), "somebody else is needed as a target");
    } else if !at.state.perceives(at.rules, who, on) || at.state.distance(at.rules, who, on) == u16::MAX {
        no(clause!("attack.strike"), "the target is not here");
    }
}

/// Hands that hold nothing.
pub(crate) fn hands_free(at: At<'_>, who: Char) -> u8 {
    let arm = |weapon: Weapon| at.rules.arm(weapon);
    let held = at.state.held(who, Lie::Hand).map(arm).filter(|arm| !arm.natural).map(|arm| arm.hands);
    (2 + at.rules.sheet(who).limbs).saturating_sub(held.sum())
}

/// Pays actions (`action.two`).
pub(crate) fn spend(play: &mut Play<'_, impl Sink<Event>>, who: Char, actions: u8) {
    let fighting = play.state.fighting_mut(who);
    fighting.actions = fighting.actions.saturating_sub(actions);
    fighting.spent = fighting.spent.saturating_add(actions);
    fighting.run = 0;
}

/// Carries out an act that was allowed. After any act but a strike, those who wait may be asked anew before
/// the next blow ([`crate::state::State::asked`]).
#[allow(clippy::too_many_lines, reason = "a list, one act after the other")]
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, act: Act) {
    if !matches!(act, Act::Strike { .. }) && !play.state.being(who).unseen {
        play.state.asked = (None, CharSet::NONE);
    }
    match act {
        Act::Step(to) => {
            play.state.fighting_mut(who).step = false;
            walk::set_out(play, who, [to].into_iter().collect(), Gait::Step);
            round::shift(play, who, play.rules.minors.step);
        }
        Act::Move { to, via, charge, fortune } => {
            let Some(path) = walk::path(play.at(), who, to, &via, fortune) else { return };
            let run = play.state.fighting(who).run;
            spend(play, who, 1);
            play.state.fighting_mut(who).run = run;
            play.state.fighting_mut(who).charging = false;
            burn(play, who, u16::from(fortune));
            walk::set_out(play, who, path, if charge { Gait::Charge } else { Gait::Move });
        }
        Act::Strike { .. } | Act::Use { .. } | Act::Cast { .. } => {
            let Some(attack) = announced(play.at(), who, act) else { return };
            pay_for(play, who, act);
            crate::attack::announce(play, attack);
        }
        Act::Aim => buy(play, who, |fighting| &mut fighting.aim, Event::Aims { who }),
        Act::Defend => buy(play, who, |fighting| &mut fighting.defend, Event::Defends { who }),
        Act::Haymaker => buy(play, who, |fighting| &mut fighting.haymaker, Event::WindsUp { who }),
        Act::Resist => buy(play, who, |fighting| &mut fighting.resist, Event::Resists { who }),
        Act::Look => buy(play, who, |fighting| &mut fighting.look, Event::Looks { who }),
        Act::Haste => {
            let haste = play.rules.haste;
            spend(play, who, haste.actions);
            play.state.fighting_mut(who).haste += i16::from(haste.initiative);
            play.event(Event::Hastes { who, by: haste.initiative });
        }
        Act::Rapid => {
            burn(play, who, 3);
            let rapid = &mut play.state.fighting_mut(who).rapid;
            *rapid = rapid.saturating_add(1);
            play.event(Event::Rapid { who });
        }
        Act::Stand => {
            spend(play, who, 1);
            play.state.being_mut(who).prone = false;
            play.event(Event::Stands { who });
        }
        Act::Fall => {
            round::lie_down(play, who, true);
            round::shift(play, who, play.rules.minors.drop);
        }
        Act::Mount(mount) => {
            spend(play, who, 1);
            let space = play.state.being(mount).at;
            let being = play.state.being_mut(who);
            (being.riding, being.at) = (Some(mount), space);
            play.event(Event::Mounts { who, mount });
        }
        Act::Dismount => {
            spend(play, who, 1);
            if let Some(mount) = play.state.being_mut(who).riding.take() {
                play.event(Event::Dismounts { who, mount });
            }
        }
        Act::Leap(to) => {
            let run = play.state.fighting(who).run;
            spend(play, who, 1);
            play.state.fighting_mut(who).run = run;
            play.state.fighting_mut(who).charging = false;
            let spaces = play.rules.field.distance(play.state.being(who).at, to);
            walk::push_check(play, who, Trait::ATHLETE, values::leap_level(spaces), Why::Jump(to));
            crate::check::call(play);
        }
        Act::Draw(weapon) => {
            play.state.arms[weapon.index()].lie = Lie::Hand;
            play.event(Event::Draws { who, weapon });
            round::shift(play, who, play.rules.minors.draw);
        }
        Act::Sheathe(weapon) => {
            play.state.arms[weapon.index()].lie = Lie::Carried;
            play.event(Event::Sheathes { who, weapon });
        }
        Act::PickUp(weapon) => {
            spend(play, who, 1);
            let fits = hands_free(play.at(), who) >= play.rules.arm(weapon).hands;
            let lie = if fits { Lie::Hand } else { Lie::Carried };
            play.state.give(weapon, who, lie);
            play.event(Event::PicksUp { who, weapon });
        }
        Act::Door => {
            spend(play, who, 1);
            play.event(Event::Door { who });
        }
        Act::Do(what) => {
            play.event(Event::Does { who, what });
            play.state.frames.push(Frame::Deed(Deed { who, what }));
        }
        Act::Shout(what) => {
            play.event(Event::Shouts { who, what });
            round::shift(play, who, play.rules.minors.shout);
        }
        Act::Work => {
            spend(play, who, 1);
            let fighting = play.state.fighting_mut(who);
            fighting.deed = fighting.deed.saturating_sub(1);
            let left = fighting.deed;
            play.event(Event::Works { who, left });
            if left == 0 {
                play.state.deeds.retain(|(other, _)| *other != who);
            }
        }
        Act::Heal { on, points, shocks, own } => {
            spend(play, who, 2);
            crate::scene::heal(play, (who, on), points, (shocks, own));
        }
        Act::Feel(on) => {
            spend(play, who, 1);
            crate::scene::feel(play, who, on);
        }
        Act::Wait { wire, trap } => {
            let fighting = play.state.fighting_mut(who);
            (fighting.wire, fighting.trap) = (Secret::new(wire), Secret::new(trap));
            // The movement leads to no attack in this turn, and to no charge (`charge-attacks`, `charge-spaces`).
            (fighting.charging, fighting.run) = (false, 0);
            if fighting.turn == Turn::Now {
                fighting.turn = Turn::Waits;
                play.event(Event::Waits { who });
            }
        }
        Act::End => {
            let fighting = play.state.fighting_mut(who);
            let left = fighting.actions;
            (fighting.turn, fighting.actions, fighting.rapid, fighting.extra) = (Turn::Done, 0, 0, 0);
            if left > 0 {
                play.event(Event::Ends { who });
            }
        }
    }
}

/// Gives up an action for a bonus: adds 1 to the count that `count` names (`option.sacrifice`).
fn buy(
    play: &mut Play<'_, impl Sink<Event>>,
    who: Char,
    count: impl Fn(&mut crate::state::Fighting) -> &mut u8,
    event: Event,
) {
    spend(play, who, 1);
    let bought = count(play.state.fighting_mut(who));
    *bought = bought.saturating_add(1);
    play.event(event);
}

/// Burns Fortune (`fortune.points`).
pub(crate) fn burn(play: &mut Play<'_, impl Sink<Event>>, who: Char, points: u16) {
    if points > 0 {
        let being = play.state.being_mut(who);
        being.fortune = being.fortune.saturating_sub(points);
        play.event(Event::Burns { who, points });
    }
}

/// What an attack costs.
fn pay_for(play: &mut Play<'_, impl Sink<Event>>, who: Char, act: Act) {
    match act {
        Act::Strike { .. } if play.state.fighting(who).extra > 0 => {
            let fighting = play.state.fighting_mut(who);
            (fighting.extra, fighting.run) = (fighting.extra - 1, 0);
        }
        Act::Strike { .. } => {
            spend(play, who, 1);
            let fighting = play.state.fighting_mut(who);
            if fighting.rapid > 0 {
                (fighting.rapid, fighting.extra) = (fighting.rapid - 1, 1);
            }
        }
        Act::Use { what, .. } => spend(play, who, play.rules.manoeuvre(what).actions),
        Act::Cast { spell, .. } => {
            spend(play, who, play.rules.spell(spell).actions);
            burn(play, who, play.rules.spell(spell).energy.into());
        }
        _ => spend(play, who, 1),
    }
}

/// The attack that something somebody does would announce.
pub(crate) fn announced(at: At<'_>, who: Char, act: Act) -> Option<Attack> {
    let mut attack = match act {
        Act::Strike { on, with, thrown, pull } => Attack {
            thrown,
            pull: (pull.brawn, pull.power),
            ..round::attack(who, on, with.map_or(With::BareHands, With::Weapon))
        },
        Act::Use { what, on } => round::attack(who, on.unwrap_or(who), With::Manoeuvre(what)),
        Act::Cast { spell, on } => round::attack(who, on.unwrap_or(who), With::Spell(spell)),
        _ => return None,
    };
    attack.unaware = attack.on != who && is_unaware(at, &attack);
    let fighting = at.state.fighting(who);
    attack.trick = fighting.trick.filter(|(on, _)| *on == attack.on).map_or(0, |(_, by)| by);
    if fighting.charging && values::is_blow(at, &attack) {
        attack.momentum = at.rules.options.momentum(fighting.charge.unwrap_or(0)) as u8;
    }
    Some(attack)
}

/// Whether the target does not know that it is attacked (`surprise.flat`, `helpless`).
fn is_unaware(at: At<'_>, attack: &Attack) -> bool {
    let on = at.state.being(attack.on);
    let is_hidden = at.state.being(attack.by).unseen && at.state.are_foes(at.rules, attack.by, attack.on);
    let is_against = !matches!(values::against(at, attack), Against::Nothing | Against::Level(_));
    is_against
        && (is_hidden || on.unaware || on.surprised || on.asleep || at.state.is_disabled(at.rules, attack.on))
}
