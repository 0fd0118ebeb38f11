//! Clash Props: Control, Push Off (`prop.clash` to `prop.special-hidden`).

use crate::{At, Play, answer::Answer, event::Event, stack, state::*, test, vocab::*};
use fracas_kernel::{Objections, Saying, Sink, Told, Viewer, takes};

pub(crate) fn capacity(at: At<'_>, prop: Prop) -> usize {
    match prop.index().checked_sub(MAX_PROPS) {
        None => at.rules.props[prop.index()].capacity.into(),
        Some(n) => at.state.made_props.get(n).map_or(1, |made| made.capacity.into()),
    }
}

fn controllers(at: At<'_>, prop: Prop) -> CharSet {
    at.state.props[prop.index()].controllers
}

/// The controllers of the other side, or of the same.
fn of_side(at: At<'_>, who: Char, prop: Prop, foes: bool) -> impl Iterator<Item = Char> + '_ {
    let side = at.state.body(who).side;
    controllers(at, prop)
        .iter()
        .filter(move |&other| other != who && (at.state.body(other).side != side) == foes)
}

/// Whether an ally Controls the Clash Prop already (`prop.ally-bonus`).
pub(crate) fn has_ally(at: At<'_>, test: &Test) -> bool {
    match test.target {
        Target::Element(Element::Prop(prop)) => of_side(at, test.attacker, prop, false).next().is_some(),
        _ => false,
    }
}

/// Whether an Action on a Clash Prop that waited can still be done.
pub(crate) fn can_go_on(at: At<'_>, test: &Test) -> bool {
    let Target::Element(Element::Prop(prop)) = test.target else { return false };
    let controls = controllers(at, prop).has(test.attacker);
    at.state.props[prop.index()].here
        && match test.kind {
            Kind::Control => !controls && !is_full_of_allies(at, test.attacker, prop),
            _ => controls && controllers(at, prop).has(test.defender),
        }
}

/// Whether no enemy Controls it and no place is left (`control-full-allies`).
fn is_full_of_allies(at: At<'_>, who: Char, prop: Prop) -> bool {
    of_side(at, who, prop, true).next().is_none()
        && controllers(at, prop).iter().count() >= capacity(at, prop)
}

/// Lists what a character can do about the Clash Props that are here.
pub(crate) fn each_action(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
    for prop in at.state.props_here() {
        if controllers(at, prop).has(who) {
            for whom in controllers(at, prop).iter().filter(|&whom| whom != who) {
                let pushes = Symbol::ALL.iter();
                pushes.for_each(|&with| each(Answer::PushOff { prop, whom, with, cast: None }));
            }
            continue;
        }
        let mut take = |from: Option<Char>| {
            Symbol::ALL.iter().for_each(|&with| each(Answer::Control { prop, with, from, cast: None }));
        };
        if of_side(at, who, prop, true).next().is_none() {
            take(None);
        }
        of_side(at, who, prop, true).for_each(|foe| take(Some(foe)));
    }
}

pub(crate) fn object_control(
    at: At<'_>,
    who: Char,
    prop: Prop,
    from: Option<Char>,
    out: &mut impl Objections,
) {
    if controllers(at, prop).has(who) {
        out.no(clause!("action.control"), "they Control it already");
    } else if is_full_of_allies(at, who, prop) {
        out.no(clause!("prop.capacity"), "allies hold every place: one of them must let go first");
    }
    let mut foes = of_side(at, who, prop, true);
    match from {
        Some(from) if !foes.any(|foe| foe == from) => {
            out.no(clause!("prop.control-enemy"), "no enemy of that name Controls it");
        }
        None if foes.next().is_some() => {
            out.no(clause!("prop.control-enemy"), "enemies Control it: name the one it is taken from");
        }
        _ => {}
    }
    if from.is_none() && keeper(at.rules, at.state, Target::Element(Element::Prop(prop))).is_none() {
        out.no(clause!("prop.clash"), "it has no creator to Roll against");
    }
}

pub(crate) fn object_push(at: At<'_>, who: Char, prop: Prop, whom: Char, out: &mut impl Objections) {
    if !controllers(at, prop).has(who) {
        out.no(clause!("prop.pushoff-action"), "only a controller pushes others off");
    }
    if whom == who || !controllers(at, prop).has(whom) {
        out.no(clause!("prop.pushoff-action"), "that character does not Control it with you");
    } else if let Err((clause, what)) = crate::clash::is_seen(at, who, whom) {
        out.no(clause, what);
    }
}

/// The Roll to take Control (`action.control`). The creator of a Clash Prop that no enemy Controls needs none
/// (`control-own-creation`).
pub(crate) fn control(at: At<'_>, who: Char, prop: Prop, with: Symbol, from: Option<Char>) -> Option<Test> {
    let target = Target::Element(Element::Prop(prop));
    let creator = keeper(at.rules, at.state, target)?;
    let defender = if creator == who { from.unwrap_or(who) } else { creator };
    let at_once = crate::dice::Came { passed: true, successes: 1, critical: None, natural: false };
    let came = (defender == who).then_some(at_once);
    Some(Test { from, came, ..test::new(Kind::Control, who, target, defender, with) })
}

/// The Symbol that the Director will most likely name for Control: the Clash Prop's own, where it has one.
pub(crate) fn usual_control(at: At<'_>, test: &Test) -> Option<Symbol> {
    match test.target {
        Target::Element(Element::Prop(prop)) if test.kind == Kind::Control => {
            at.rules.props.get(prop.index()).and_then(|data| data.control).map(|(_, over)| over)
        }
        _ => None,
    }
}

/// The Defender of a Roll for Control once the Symbols are known: the harder of the creator and the enemy who
/// Controls it, of two as hard the enemy (`prop.control-enemy`, `control-many-enemies`).
pub(crate) fn defender(at: At<'_>, test: &Test) -> Char {
    let against = |defender: Char| test::difficulty(at, &Test { defender, ..test.clone() });
    match (test.from, keeper(at.rules, at.state, test.target)) {
        (Some(from), Some(creator)) if creator != test.attacker && against(creator) > against(from) => {
            creator
        }
        (Some(from), _) => from,
        _ => test.defender,
    }
}

/// Whether more characters Control a Clash Prop than it has places (`prop.capacity`).
fn is_over(at: At<'_>, prop: Prop) -> bool {
    controllers(at, prop).iter().count() > capacity(at, prop)
}

/// Whether somebody who won Control must still push an enemy off or let go (`push-optional`).
pub(crate) fn is_crowded(at: At<'_>, who: Char, prop: Prop, from: Char) -> bool {
    let held = controllers(at, prop);
    held.has(who) && held.has(from) && is_over(at, prop)
}

/// A character gains Control; where that is one too many an enemy is Pushed Off, or it is given up again
/// (`prop.control-gain`, `push-optional`).
pub(crate) fn gained(play: &mut Play<'_, impl Sink<Event>>, test: &Test, who: Char) {
    let Target::Element(Element::Prop(prop)) = test.target else { return };
    if !play.state.stands(who) {
        return;
    }
    let held = &mut play.state.props[prop.index()].controllers;
    *held = held.with(who);
    play.event(Event::Controls { who, prop });
    crate::view::meet(play, who, prop);
    if is_over(play.at(), prop) {
        // Only the enemy whom it was taken from can be Pushed Off (`control-many-enemies`).
        match test.from.filter(|&from| controllers(play.at(), prop).has(from)) {
            Some(from) => stack::push(play.state, Frame::Displace { who, prop, from }),
            None => release(play, who, prop),
        }
    }
    stack::happens(play, &[Moment::Controlled], who, Some(Target::Element(Element::Prop(prop))));
}

/// A controller is pushed off by another (`prop.pushoff-action`).
pub(crate) fn pushed(play: &mut Play<'_, impl Sink<Event>>, test: &Test, by: Char, who: Char) {
    if let Target::Element(Element::Prop(prop)) = test.target {
        push_off(play, by, who, prop);
    }
}

fn push_off(play: &mut Play<'_, impl Sink<Event>>, by: Char, who: Char, prop: Prop) {
    // What the Clash Prop does to somebody who is Pushed Off triggers while they still Control it.
    let held = &mut play.state.props[prop.index()].controllers;
    if !held.has(who) {
        return;
    }
    stack::happens(play, &[Moment::PushedOff], by, Some(Target::Char(who)));
    let held = &mut play.state.props[prop.index()].controllers;
    *held = held.without(who);
    play.event(Event::PushedOff { who, prop, by });
}

/// A character lets go of a Clash Prop (`control-release`).
pub(crate) fn release(play: &mut Play<'_, impl Sink<Event>>, who: Char, prop: Prop) {
    let held = &mut play.state.props[prop.index()].controllers;
    if held.has(who) {
        *held = held.without(who);
        play.event(Event::LetsGo { who, prop });
    }
}

pub(crate) mod displace {
    use super::*;

    fn top(at: At<'_>) -> Option<(Char, Prop, Char)> {
        match at.state.frames.last() {
            Some(Frame::Displace { who, prop, from }) => Some((*who, *prop, *from)),
            _ => None,
        }
    }

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let Some((_, prop, from)) = top(at) else { return Told::default() };
        Told::new(format!(
            "{} Controls {}, which is one too many. Push {} off, or let go?",
            Saying(who, at),
            Saying(prop, at),
            Saying(from, at)
        ))
        .why(clause!("prop.control-gain"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let Some((_, prop, _)) = top(at) else { return };
        each(Answer::Push);
        each(Answer::LetGo { who, prop });
    }

    takes!(
        Answer,
        Answer::Push | Answer::LetGo { .. },
        clause!("prop.control-gain"),
        "expected to push the enemy off, or to let go"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if let (Answer::LetGo { who: holder, prop }, Some((_, won, _))) = (answer, top(at))
            && (holder != who || prop != won)
        {
            out.no(clause!("prop.control-gain"), "what is let go is the Control just won");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(Frame::Displace { prop, from, .. }) = play.state.frames.pop() else { return };
        match answer {
            Answer::Push => push_off(play, who, from, prop),
            _ => release(play, who, prop),
        }
    }
}
