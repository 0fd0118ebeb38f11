//! Passing for somebody else.

use crate::rules::{Rules, with_number};
use crate::state::{Disguise, Frame, Poise, State};
use crate::{At, Play, answer::Answer, event::Event, risk, vocab::*};
use fracas_kernel::{Clause, Objections, Sink, Told, Viewer, fine, takes};

/// The kind of mortal that somebody appears to be of.
pub(crate) fn people(at: At<'_>, who: Char) -> Option<People> {
    at.state.being(who).disguise.and_then(|d| d.people).or(at.rules.sheet(who).people)
}

/// What they appear to be, male or female.
pub(crate) fn gender(at: At<'_>, who: Char) -> Option<Gender> {
    at.state.being(who).disguise.and_then(|d| d.gender).or(at.rules.sheet(who).gender)
}

/// How wealthy they appear.
pub(crate) fn wealth(state: &State, who: Char) -> u8 {
    let being = state.being(who);
    being.disguise.and_then(|d| d.wealth).unwrap_or(being.wealth)
}

/// Whether they appear to be a priest of a royal cult.
pub(crate) fn priest(at: At<'_>, who: Char) -> bool {
    at.state.being(who).disguise.and_then(|d| d.priest).unwrap_or(at.rules.sheet(who).priest)
}

/// How heavy a disguise is to keep up: by kind or by gender like light armour,
/// by both like heavy (`disguise.burden-one`, `disguise.burden-both`); by station
/// alone not at all (`disguise-station`).
pub(crate) fn weight(at: At<'_>, who: Char) -> Option<(Weight, Clause)> {
    let disguise = at.state.being(who).disguise?;
    let sheet = at.rules.sheet(who);
    let kind = disguise.people.is_some() && disguise.people != sheet.people;
    let gender = disguise.gender.is_some() && disguise.gender != sheet.gender;
    match (kind, gender) {
        (true, true) => Some((Weight::Heavy, clause!("disguise.burden-both"))),
        (true, false) | (false, true) => Some((Weight::Light, clause!("disguise.burden-one"))),
        (false, false) => None,
    }
}

/// Whether somebody has what a disguise takes: a kit of their own, or what there
/// is here to improvise one (`disguise.tools`).
pub(crate) fn has_tools(at: At<'_>, who: Char) -> bool {
    at.state.venue.tools || at.state.being(who).held.iter().any(|item| at.rules.gear(item).kit)
}

/// Reasons why no disguise would last (`disguise.breaks`).
pub(crate) fn object_critical(at: At<'_>, who: Char, out: &mut impl Objections) {
    if risk::is_critical(at, who) {
        let from = at.rules.options.critical_from;
        let what = with_number!(
            from,
            [4 5 6 7 8 9 10],
            "no disguise lasts in a critical state, at ",
            " risk and more"
        );
        out.no(clause!("disguise.breaks"), what);
    }
}

/// The next of those who rested is asked only where there is something to ask.
pub(crate) fn can_dress(at: At<'_>, who: Char) -> bool {
    at.state.being(who).disguise.is_some()
        || (has_tools(at, who) && fine(|out| object_critical(at, who, out)))
}

/// Somebody puts a disguise on, or takes it off; with all three needs met it
/// works, with no roll (`disguise.no-roll`).
pub(crate) fn put_on(play: &mut Play<'_, impl Sink<Event>>, who: Char, disguise: Disguise) {
    let disguise = Some(disguise).filter(|d| !d.is_none());
    play.state.being_mut(who).disguise = disguise;
    play.event(if disguise.is_some() {
        Event::Disguised(who)
    } else {
        Event::Unmasked { who, broken: false }
    });
}

/// One of those who rested has said what they pass for.
pub(crate) fn dressed(state: &mut State) {
    if let Some(Frame::Dressing { queue }) = state.stack.last_mut()
        && let Some(who) = queue.first()
    {
        *queue = queue.without(who);
    }
}

/// A disguise fails at once in a critical state, and composure with it
/// (`disguise.breaks`).
pub(crate) fn breaks(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    if play.state.being_mut(who).disguise.take().is_some() {
        play.event(Event::Unmasked { who, broken: true });
        lose_composure(play, who, clause!("disguise.breaks"));
    }
}

/// Composure is lost (`subtle.composure-lost`).
pub(crate) fn lose_composure(play: &mut Play<'_, impl Sink<Event>>, who: Char, why: Clause) {
    let being = play.state.being_mut(who);
    if being.poise == Poise::Composed {
        being.poise = Poise::Lost;
        play.event(Event::Composure { who, has: false, why });
    }
}

/// Whether somebody puts on or changes a disguise (`disguise.time`). That need, time, is met
/// by being asked only as a rest ends.
pub(crate) mod dressing {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("{}: put on a disguise, or change it?", at.rules.name(who)))
            .why(clause!("disguise.time"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        if at.state.being(who).disguise.is_some() {
            each(Answer::Disguise(Disguise::default()));
        }
        worth_offering(at.rules, who, &mut |disguise| each(Answer::Disguise(disguise)));
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Disguise(_),
        clause!("disguise.purpose"),
        "expected a disguise, or pass"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let Answer::Disguise(disguise) = answer else { return };
        if disguise.is_none() {
            return;
        }
        object_critical(at, who, out);
        if !has_tools(at, who) {
            out.no(clause!("disguise.tools"), "a disguise takes a kit, or something to improvise one with");
        }
        let portrayed = disguise.people.or(at.rules.sheet(who).people);
        if portrayed.is_some_and(|people| !at.rules.sheet(who).speaks.has(people.language())) {
            let what = "they must speak the primary language of the kind they portray";
            out.no(clause!("disguise.language"), what);
        }
        if disguise.wealth.is_some_and(|wealth| wealth > 9) {
            out.no(clause!("prestige.wealth"), "apparent wealth is from 0 to 9");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        dressed(play.state);
        if let Answer::Disguise(disguise) = answer {
            put_on(play, who, disguise);
        }
    }
}

/// Disguises worth offering: each kind whose language they speak, as either
/// gender, and a better station.
fn worth_offering(rules: &Rules, who: Char, each: &mut impl FnMut(Disguise)) {
    let sheet = rules.sheet(who);
    let speaks = |people: &People| sheet.speaks.has(people.language());
    if sheet.people.is_none_or(|own| speaks(&own)) {
        each(Disguise { wealth: Some(9), ..Disguise::default() });
        for &gender in Gender::ALL.iter().filter(|&&gender| Some(gender) != sheet.gender) {
            each(Disguise { gender: Some(gender), ..Disguise::default() });
        }
    }
    for &people in People::ALL.iter().filter(|people| speaks(people) && Some(**people) != sheet.people) {
        each(Disguise { people: Some(people), ..Disguise::default() });
        for &gender in Gender::ALL.iter().filter(|&&gender| Some(gender) != sheet.gender) {
            each(Disguise { people: Some(people), gender: Some(gender), ..Disguise::default() });
        }
    }
}
