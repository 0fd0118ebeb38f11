//! The turn: what is asked, what is answered, and what an answer does.

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
    }
}

prompts! {
    /// What is asked.
    pub enum Prompt of Template, asking asked;

    /// How does this character go on?
    "turn" Turn(who: Char) => turn(who), "to take a turn";
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
                (play.state.next, play.state.running) = (who, true);
                play.event(Event::Runs { who });
            }
            Answer::DriveOff(beast) => {
                play.state.lairs[beast.index()] = Lair::DrivenOff;
                play.event(Event::DrivesOff { who, beast });
                flow::pass(play.state, who);
            }
        }
    }
}
