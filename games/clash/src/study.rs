//! Study, Investigate and Secrets (`study.action` to `secret.investigate-only`).

use crate::{At, Play, answer::Answer, event::Event, state::*, vocab::*};
use fracas_kernel::{Objections, Saying, Sink, Told, Viewer, takes};

/// The Secrets of a target that the party has not learnt, in the Director's order (`secret-choice`).
fn unlearnt(at: At<'_>, of: Target) -> impl Iterator<Item = SecretId> + '_ {
    at.rules
        .every_secret()
        .filter(move |&secret| at.rules.secret(secret).of == of && at.state.learnt & 1 << secret.0 == 0)
}

/// Whether something can be Studied by this character (`study.action`).
pub(crate) fn object(at: At<'_>, who: Char, on: Target, out: &mut impl Objections) {
    match keeper(at.rules, at.state, on) {
        None => out.no(clause!("study.se-defender"), "nobody stands behind that"),
        Some(keeper) if keeper == who => {
            out.no(clause!("roll.parties"), "nobody Rolls against themselves");
        }
        Some(_) => {}
    }
    match on {
        Target::Char(of) if !at.state.is_about(of) => {
            out.no(clause!("study.action"), "they are not here");
        }
        Target::Char(of) => {
            if let Err((clause, what)) = crate::clash::is_seen(at, who, of) {
                out.no(clause, what);
            }
        }
        Target::Element(element @ (Element::Trait(_) | Element::Item(_))) => {
            let lies = keeper(at.rules, at.state, on).is_some_and(|keeper| {
                at.state.card(keeper, element) != Card::Inactive || at.rules.is_pc(keeper)
            });
            if !lies {
                out.no(clause!("study.action"), "that does not lie on the table");
            }
        }
        _ => {}
    }
}

/// A passed Study: the first open Secret, or that there is none (`study.success`, `study.none-left`).
pub(crate) fn learn(play: &mut Play<'_, impl Sink<Event>>, who: Char, of: Target) {
    let plain = unlearnt(play.at(), of).find(|&secret| !play.rules.secret(secret).investigate);
    match plain {
        Some(secret) => learnt(play, who, secret),
        None => play.event(Event::NothingLeft { who, of }),
    }
}

/// An effect reveals the first Secret of the target that is not known, if there is one.
pub(crate) fn reveal(play: &mut Play<'_, impl Sink<Event>>, who: Char, of: Target) {
    let plain = unlearnt(play.at(), of).find(|&secret| !play.rules.secret(secret).investigate);
    if let Some(secret) = plain {
        learnt(play, who, secret);
    }
}

fn learnt(play: &mut Play<'_, impl Sink<Event>>, who: Char, secret: SecretId) {
    let data = play.rules.secret(secret);
    let of = data.of;
    // What the Director's characters learn the Director knew before.
    if play.rules.is_pc(who) {
        play.state.learnt |= 1 << secret.0;
        if let Some(ability) = data.reveals {
            play.state.met |= 1 << ability.0;
        }
    }
    play.event(Event::Learns { who, of, secret });
}

pub(crate) mod matching {
    use super::*;

    fn top(at: At<'_>) -> Option<(Char, Target)> {
        match at.state.frames.last() {
            Some(Frame::Match { who, target }) => Some((*who, *target)),
            _ => None,
        }
    }

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some((who, target)) = top(at) else { return Told::default() };
        Told::new(format!(
            "The Investigation of {} into {} passes. Which Secret answers the question?",
            Saying(who, at),
            Saying(target, at)
        ))
        .why(clause!("study.investigate-hit"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        let Some((_, target)) = top(at) else { return };
        unlearnt(at, target).for_each(|secret| each(Answer::Learn(secret)));
        each(Answer::NoMatch);
    }

    takes!(
        Answer,
        Answer::Learn(_) | Answer::NoMatch,
        clause!("study.investigate-hit"),
        "expected the Secret that matches, or that there is none"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        if let (Answer::Learn(secret), Some((_, target))) = (answer, top(at))
            && !unlearnt(at, target).any(|there| there == secret)
        {
            out.no(clause!("study.investigate-hit"), "that is no Secret of the target that is still unknown");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        let Some(Frame::Match { who, target }) = play.state.frames.pop() else { return };
        match answer {
            Answer::Learn(secret) => learnt(play, who, secret),
            _ => play.event(Event::NoMatch { who, of: target }),
        }
    }
}
