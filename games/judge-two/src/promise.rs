//! What each way to judge the dice leads to.

use crate::{
    answer::{Answer, Prompt},
    arms, flow, harm,
    rules::Rules,
    save,
    state::{Cause, Danger, Frame, Harm, Save, State, Test},
    test,
    view::knows_pl,
    vocab::*,
};
use fracas_kernel::{NoSink, Slot, Viewer};

/// What a way to judge the dice leads to, as far as the viewer may know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise {
    /// Final Light.
    pub fl: i8,
    /// The degree against the level; `None` where the level is hidden, or where the
    /// defender's save is yet to set it.
    pub degree: Option<i8>,
    /// Whether the Truth is guilty.
    pub guilty: bool,
    /// What comes of an attack of which the degree is known.
    pub attack: Option<Attack>,
}

/// What comes of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attack {
    /// It succeeds.
    Hit {
        /// The final degree, with risk.
        degree: i8,
        /// What may be chosen.
        effect: Effect,
    },
    /// It fails.
    Thwarted {
        /// Whether the defender can counterattack.
        counter: bool,
    },
}

/// What can be imposed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    /// Risk that will be recorded.
    pub risk: u8,
    /// A finisher.
    pub finisher: bool,
    /// A mark.
    pub mark: bool,
    /// How many threats: 0, 1 or 2.
    pub threats: u8,
}

/// What an answer that judges dice leads to; `None` for any other answer.
pub fn promise(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Option<Promise> {
    let (result, known) = match (flow::ask_at(rules, state, slot)?.prompt, *answer, state.top()?) {
        (Prompt::Judge(_), Answer::Judge { light, truth }, Frame::Test(test)) => {
            (test::result(rules, state, test, light, truth), knows_level(rules, state, test, who))
        }
        (Prompt::Judge(_), Answer::Judge { light, truth }, Frame::Save(save)) => {
            let known = save::shows_level(rules, state, save) || who.is_gm();
            (save::result(rules, save, light, truth), known)
        }
        (Prompt::Light(member), Answer::Light(light), Frame::Test(test)) => {
            (test::member_result(rules, state, test, member, light), knows_level(rules, state, test, who))
        }
        _ => return None,
    };
    let attack = match *answer {
        Answer::Judge { light, truth } if known => attack(rules, state, light, truth, who),
        _ => None,
    };
    Some(Promise { fl: result.fl, degree: known.then_some(result.degree), guilty: result.guilty, attack })
}

/// Whether a viewer knows what a test is measured against.
fn knows_level(rules: &Rules, state: &State, test: &Test, who: Viewer) -> bool {
    !test::is_pvp(rules, test)
        && test::level_of(rules, test).is_none_or(|npc| knows_pl(rules, state, npc, who))
}

/// The result of an attack, read off a copy of the table on which the dice are judged so.
fn attack(rules: &Rules, state: &State, light: u8, truth: u8, who: Viewer) -> Option<Attack> {
    let mut then = state.clone();
    match state.top()? {
        Frame::Test(Test { on: Some(_), .. }) => test::judge(rules, &mut then, light, truth, &mut NoSink),
        Frame::Save(Save { danger: Danger { form: Some(_), .. }, .. }) => {
            save::judge(rules, &mut then, light, truth, &mut NoSink);
        }
        _ => return None,
    }
    // With what a foe is armed by nature is hidden, until it counters.
    let seems_to_counter = |by: Char, on: Char| {
        let form = state.form.unwrap_or(Form::Martial);
        let is_known = who.is_gm() || rules.is_pc(by);
        is_known || arms::readied_counterweapon(rules, state, by, form, state.range(by, on)).is_some()
    };
    let came = || then.stack.iter().skip(state.stack.len());
    let hit = came().find_map(|frame| match frame {
        Frame::Harm(harm) if harm.cause == Cause::Attack => Some(harm),
        _ => None,
    });
    Some(match hit {
        Some(hit) => Attack::Hit { degree: hit.degree, effect: harm::effect(rules, &then, hit, who) },
        None => Attack::Thwarted {
            counter: came().any(|frame| match *frame {
                Frame::Counters { by, on, .. } => on.iter().any(|on| seems_to_counter(by, on)),
                Frame::Harm(Harm { cause: Cause::Counter, by: Some(by), on, .. }) => seems_to_counter(by, on),
                _ => false,
            }),
        },
    })
}
