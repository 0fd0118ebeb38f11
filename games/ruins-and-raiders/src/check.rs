//! Checks: the challenge level, how long they take, Fortune, the dice, and what they decide.

use crate::answer::Answer;
use crate::state::{Check, Frame, Trial, Why};
use crate::{At, Play, event::Event, round, values, vocab::*, walk};
use fracas_kernel::{Objections, Saying, Secret, Sink, Told, Viewer, takes};

/// The named challenge levels, the most usual first (`challenge.assign`).
pub(crate) const LEVELS: [u8; 7] = [9, 6, 12, 3, 15, 18, 21];

/// The check on top.
pub(crate) fn top(at: At<'_>) -> Option<Check> {
    match at.state.frames.last() {
        Some(Frame::Check(check)) => Some(*check),
        _ => None,
    }
}

fn set(play: &mut Play<'_, impl Sink<Event>>, check: Check) {
    if let Some(frame) = play.state.frames.last_mut() {
        *frame = Frame::Check(check);
    }
}

/// Tells of the check on top.
pub(crate) fn call(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(check) = top(play.at()) else { return };
    if check.secret {
        return;
    }
    match check.why {
        Why::Notice { sense, .. } => play.event(Event::NoticeCall { who: check.who, sense }),
        _ => {
            let combat = matches!(check.why, Why::Footing(_) | Why::Jump(_));
            play.event(Event::Called {
                who: check.who,
                with: check.with,
                level: *check.level.reveal(),
                combat,
            });
        }
    }
}

/// Whether somebody can still make a check (`turn.disabled`, `perception.unconscious`).
fn still_possible(at: At<'_>, check: &Check) -> bool {
    let fit = check.why == Why::Recover || !at.state.is_disabled(at.rules, check.who);
    fit && at.state.is_here(check.who)
}

/// Takes the topmost check to its dice where nothing is asked.
pub(crate) fn go_on(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(mut check) = top(play.at()) else { return };
    if !still_possible(play.at(), &check) {
        play.state.frames.pop();
        return;
    }
    check.step = Trial::Dice;
    set(play, check);
}

/// Whether a check waits for an answer or dice.
pub(crate) fn is_due(at: At<'_>, check: &Check) -> bool {
    let asks = check.timed || crate::attack::asks_fortune(at, check.who);
    (check.step != Trial::How || asks && !check.secret) && still_possible(at, check)
}

/// What is added to the dice (`time.extra.applies`, `fortune.check`).
pub(crate) fn bonus(at: At<'_>, check: &Check) -> i16 {
    helped(values::rolled(at, check.who, check.with), check)
}

/// A trait with what time and Fortune add to it in a check.
pub(crate) const fn helped(value: i16, check: &Check) -> i16 {
    value + check.time.bonus() as i16 + check.fortune as i16
}

/// The challenge level of a day's rest with so many wounds (`injury.recover`).
pub(crate) const fn rests(wounds: u16, harder: u8) -> i16 {
    wounds as i16 + harder as i16
}

/// How many of so many wounds a day's rest heals: as many as its mox (`injury.recover`).
pub(crate) fn heals(wounds: u16, success: bool, mox: i16) -> u16 {
    if success { wounds.min(mox.max(0) as u16) } else { 0 }
}

/// The challenge level with what rushing adds (`time.rush`).
pub(crate) fn challenge(check: &Check) -> i16 {
    *check.level.reveal() + 3 * i16::from(check.time.halvings())
}

/// The dice of a check lie.
pub(crate) fn fell(play: &mut Play<'_, impl Sink<Event>>, dice: u8) {
    let Some(check) = top(play.at()) else { return };
    play.state.frames.pop();
    let (bonus, level) = (bonus(play.at(), &check), challenge(&check));
    let (success, mox) = values::result(dice, bonus, level);
    let (who, with, total) = (check.who, check.with, i16::from(dice) + bonus);
    let natural = success != (total >= level);
    play.event(if check.secret {
        Event::SecretCheck { who, with, total, level }
    } else if success {
        Event::Passed { who, with, total, level, mox, natural }
    } else {
        Event::Failed { who, with, total, level, mox, natural }
    });
    came(play, &check, success, mox);
}

/// What a check has decided.
fn came(play: &mut Play<'_, impl Sink<Event>>, check: &Check, success: bool, mox: i16) {
    let who = check.who;
    match check.why {
        Why::Called | Why::Tried(_) | Why::Feel(_) => {}
        Why::Notice { sense, of } => {
            if play.state.being(who).asleep && sense == Sense::Hearing {
                play.state.being_mut(who).asleep = !success;
                if success {
                    play.event(Event::Wakes { who });
                } else if !check.secret {
                    play.event(Event::SleepsOn { who });
                }
            }
            if let Some(of) = of.filter(|&of| success && play.state.is_here(of)) {
                round::notice(play, of);
            }
        }
        Why::Footing(kind) if !success => walk::slip(play, who, kind),
        Why::Footing(_) => {}
        Why::Jump(to) if success => walk::land(play, who, to),
        Why::Jump(_) => {
            play.state.fighting_mut(who).run = 0;
            play.event(Event::Short { who });
        }
        Why::Recover => {
            if success && mox > 0 {
                let being = play.state.being_mut(who);
                let wounds = heals(being.wounds, success, mox);
                being.wounds -= wounds;
                play.event(Event::Recovers { who, wounds });
            }
        }
    }
}

/// The question of [`crate::answer::Prompt::Level`], and all that follows from it.
pub(crate) mod level {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("How hard is that for {}?", Saying(who, at))).why(clause!("challenge.assign"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        for level in LEVELS.into_iter().chain([8, 13, 14]) {
            each(Answer::Level { level, tools: 0, with: None });
        }
        for tools in [3, -3, -6] {
            each(Answer::Level { level: 9, tools, with: None });
        }
        each(Answer::No);
    }

    takes!(
        Answer,
        Answer::Level { .. } | Answer::No,
        clause!("challenge.assign"),
        "expected a challenge level, or no"
    );

    pub(crate) fn object(_: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        if let Answer::Level { tools, .. } = answer {
            super::tools(tools, out);
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(mut check) = top(play.at()) else { return };
        match answer {
            Answer::Level { level, tools, with } => {
                check.level = Secret::new((i16::from(level) + i16::from(tools)).max(0));
                check.with = with.unwrap_or(check.with);
                (check.step, check.timed) = (Trial::How, true);
                set(play, check);
                call(play);
            }
            _ => {
                play.state.frames.pop();
                play.event(Event::RefusedTry { who });
            }
        }
    }
}

/// Tools change a challenge level by one notch or two, or make it harder by as much as the Adversary
/// says (`tools.improvised`, `tools.exceptional`, `notch`).
pub(crate) fn tools(tools: i8, out: &mut impl Objections) {
    if tools < 0 && !matches!(tools, -3 | -6) {
        out.no(clause!("notch"), "outstanding tools lower it by 3 or by 6");
    } else if tools > 30 {
        out.no(clause!("tools.improvised"), "makeshift tools raise it by 30 at most");
    }
}

/// The question of [`crate::answer::Prompt::How`], and all that follows from it.
pub(crate) mod how {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let Some(check) = top(at) else { return Told::default() };
        let (what, who) = (Saying(check.with, at), Saying(who, at));
        let text = if check.timed {
            format!("{who} checks {what}: in how much time, with how much Fortune?")
        } else {
            format!("{who} checks {what}: with how much Fortune?")
        };
        Told::new(text).why(if check.timed { clause!("time.extra.choice") } else { clause!("fortune.check") })
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let Some(check) = top(at) else { return };
        let how = |time, fortune| Answer::How { time, fortune };
        each(how(Time::default(), 0));
        if check.timed {
            for time in [2, 3, 4, 5, 6, 8, 10] {
                each(how(Time(time, 1), 0));
            }
            each(how(Time(1, 2), 0));
            each(how(Time(1, 4), 0));
        }
        (1..=3.min(at.state.being(who).fortune)).for_each(|points| each(how(Time::default(), points as u8)));
    }

    takes!(Answer, Answer::How { .. }, clause!("time.extra.choice"), "expected how it is done");

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let (Answer::How { time, fortune }, Some(check)) = (answer, top(at)) else { return };
        if !time.is_possible() {
            out.no(clause!("time.normal"), "a time is a share of the usual one, such as [2, 1] or [1, 2]");
        } else if !check.timed && (time.bonus() > 0 || time.halvings() > 0) {
            out.no(clause!("time.normal"), "that takes the time it takes");
        }
        if fortune > 3 {
            out.no(clause!("fortune.check"), "at most 3 Fortune for a check");
        } else if u16::from(fortune) > at.state.being(who).fortune {
            out.no(clause!("fortune.check"), "there is not so much Fortune left");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let (Answer::How { time, fortune }, Some(mut check)) = (answer, top(play.at())) else { return };
        crate::act::burn(play, who, fortune.into());
        (check.time, check.fortune, check.step) = (time, fortune, Trial::Dice);
        set(play, check);
        if time != Time::default() {
            play.event(Event::TakesTime { who, time });
        }
    }
}
