//! The turn, and how far a runner goes: what is asked, what is answered, and what an answer does.

use crate::{At, Play, Template, event::Event, flow, table::*};
use fracas_kernel::{Objections, Saying, Sink, Told, Viewer, prompts, refers, takes};
use serde::{Deserialize, Serialize};

refers! {
    /// An answer.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Answer {
        /// Goes one pace.
        Walk,
        /// Rolls for it.
        Run,
        /// Drives off a beast that is in the way.
        DriveOff(Beast),
        /// Runs so many paces, once the die lies.
        Go(u8),
    }
}

prompts! {
    /// What is asked.
    pub enum Prompt of Template, asking asked;

    /// How does this character go on?
    "turn" Turn(who: Char) => turn(who), "to take a turn";
    /// How far does this runner go, now that the die lies?
    "stop" Stop(who: Char) => stop(who), "to say how far to run";
}

/// The question of [`Prompt::Turn`], and all that follows from it.
mod turn {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("How does {} go on?", Saying(who, at))).why(clause!("cross.turns"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Walk);
        each(Answer::Run);
        at.rules.every_beast().for_each(|beast| each(Answer::DriveOff(beast)));
    }

    takes!(
        Answer,
        Answer::Walk | Answer::Run | Answer::DriveOff(_),
        clause!("cross.turns"),
        "expected a turn"
    );

    pub(crate) fn object(at: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        let is_in_the_way = |beast| at.state.lair(beast) == Lair::InTheWay;
        match answer {
            Answer::Run if at.rules.every_beast().any(is_in_the_way) => {
                out.no(clause!("cross.run"), "nobody runs while a beast is in the way");
            }
            Answer::DriveOff(beast) if !is_in_the_way(beast) => {
                out.no(clause!("beast.drive-off"), "that beast is not in the way");
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        match answer {
            Answer::Walk => flow::go(play, who, 1),
            Answer::Run => {
                (play.state.next, play.state.run) = (who, Run::Rolls);
                play.event(Event::Runs { who });
            }
            Answer::DriveOff(beast) => {
                play.state.lairs[beast.index()] = Lair::DrivenOff;
                play.event(Event::DrivesOff { who, beast });
                flow::pass(play.state, who);
            }
            Answer::Go(_) => {}
        }
    }
}

/// The question of [`Prompt::Stop`], and all that follows from it.
mod stop {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("How far does {} run?", Saying(who, at))).why(clause!("cross.stop"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        (1..=at.state.run.most()).for_each(|paces| each(Answer::Go(paces)));
    }

    takes!(Answer, Answer::Go(_), clause!("cross.stop"), "expected a number of paces");

    pub(crate) fn object(at: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        let most = at.state.run.most();
        if !matches!(answer, Answer::Go(paces) if (1..=most).contains(&paces)) {
            out.no(clause!("cross.stop"), "at least one pace, and no more than the die shows");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        if let Answer::Go(paces) = answer {
            play.state.run = Run::Not;
            flow::go(play, who, paces);
        }
    }
}
