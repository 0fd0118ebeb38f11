//! What each way to judge the dice leads to.

use crate::answer::{Answer, Prompt};
use crate::state::{Cause, Danger, Frame, Harm, Save, State, Test, is_guilty};
use crate::{At, JudgeTwo, Play, arms, event::Event, flow, harm, rules::Rules, save, test, view::knows_pl};
use fracas_kernel::{Asking, NoSink, Slot, Viewer};

/// The slot of the only ask.
const ALONE: Slot = Slot(0);

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
    pub finisher: bool,
    pub mark: bool,
    /// How many threats: 0, 1 or 2.
    pub threats: u8,
}

/// What an answer that judges dice leads to; `None` for any other answer.
pub fn promise(at: At<'_>, slot: Slot, answer: &Answer, who: Viewer) -> Option<Promise> {
    let (result, known) = match (JudgeTwo::ask_at(at, slot)?.prompt, *answer, at.state.top()?) {
        (Prompt::Judge(_), Answer::Judge { light, truth }, Frame::Test(test)) => {
            (test::result(at, test, light, truth), knows_level(at, test, who))
        }
        (Prompt::Judge(_), Answer::Judge { light, truth }, Frame::Save(save)) => {
            let known = save::shows_level(at, save) || who.is_gm();
            (save::result(at.rules, save, light, truth), known)
        }
        (Prompt::Light(member), Answer::Light(light), Frame::Test(test)) => {
            (test::member_result(at, test, member, light), knows_level(at, test, who))
        }
        _ => return None,
    };
    let attack = match *answer {
        Answer::Judge { light, truth } if known => attack(at, light, truth, who),
        _ => None,
    };
    Some(Promise { fl: result.fl, degree: known.then_some(result.degree), guilty: result.guilty, attack })
}

/// Whether a viewer knows what a test is measured against.
fn knows_level(at: At<'_>, test: &Test, who: Viewer) -> bool {
    !test::is_pvp(at.rules, test) && test::level_of(at.rules, test).is_none_or(|npc| knows_pl(at, npc, who))
}

/// The result of an attack, read off a copy of the table on which the dice are judged so.
fn attack(at: At<'_>, light: u8, truth: u8, who: Viewer) -> Option<Attack> {
    let mut then = at.state.clone();
    match at.state.top()? {
        Frame::Test(Test { on: Some(_), .. }) => {
            test::judge(&mut Play { rules: at.rules, state: &mut then, sink: &mut NoSink }, light, truth)
        }
        Frame::Save(Save { danger: Danger { form: Some(_), .. }, .. }) => {
            save::judge(&mut Play { rules: at.rules, state: &mut then, sink: &mut NoSink }, light, truth);
        }
        _ => return None,
    }
    // With what a foe is armed by nature is hidden, until it counters.
    let seems_to_counter = |harm: &Harm| match harm.by {
        Some(by) if !who.is_gm() && !at.rules.is_pc(by) => {
            arms::readied_counterweapon(At { rules: at.rules, state: &then }, by, harm.form, harm.range)
                .is_some()
        }
        _ => harm::can_counter(At { rules: at.rules, state: &then }, harm),
    };
    let came = || then.stack.iter().skip(at.state.stack.len());
    let hit = came().find_map(|frame| match frame {
        Frame::Harm(harm) if harm.cause == Cause::Attack => Some(harm),
        _ => None,
    });
    Some(match hit {
        Some(hit) => Attack::Hit {
            degree: hit.degree,
            effect: harm::effect(At { rules: at.rules, state: &then }, hit, who),
        },
        None => Attack::Thwarted { counter: came().any(|frame| any_counter(&then, frame, seems_to_counter)) },
    })
}

/// Whether this holds of a counterattack that is to come.
fn any_counter(state: &State, frame: &Frame, holds: impl Fn(&Harm) -> bool) -> bool {
    match frame {
        Frame::Counters { on, .. } => {
            on.iter().filter_map(|on| flow::counter_of(state, frame, on)).any(|harm| holds(&harm))
        }
        Frame::Harm(harm) => harm.cause == Cause::Counter && holds(harm),
        _ => false,
    }
}

impl Promise {
    /// The same as keys and numbers.
    pub(crate) fn numbers(self) -> Vec<(&'static str, i32)> {
        let mut numbers = vec![("light", self.fl.into()), ("guilty", self.guilty.into())];
        numbers.extend(self.degree.map(|degree| ("degree", degree.into())));
        match self.attack {
            Some(Attack::Hit { degree, effect }) => numbers.extend([
                ("hit", degree.into()),
                ("risk", effect.risk.into()),
                ("finisher", effect.finisher.into()),
                ("mark", effect.mark.into()),
                ("threats", effect.threats.into()),
            ]),
            Some(Attack::Thwarted { counter }) => numbers.push(("counter", counter.into())),
            None => {}
        }
        numbers
    }
}

/// What came of judging dice alone, once that has been carried out; `None` of all else.
pub fn kept(rules: &Rules, before: &State, after: &State, events: &[Event]) -> Option<Promise> {
    events.iter().find_map(|event| match *event {
        Event::Judged { truth, fl, degree, open, .. } => Some(Promise {
            fl,
            degree: (!open).then_some(degree),
            guilty: is_guilty(truth),
            attack: came(rules, before, after, events),
        }),
        _ => None,
    })
}

/// What came of an attack once its dice were judged, however its effect is chosen.
fn came(rules: &Rules, before: &State, after: &State, events: &[Event]) -> Option<Attack> {
    let hit = events.iter().find_map(|event| match *event {
        Event::Hit { degree, .. } => Some(degree),
        _ => None,
    });
    let Some(degree) = hit else {
        let thwarted = events.iter().any(|event| matches!(event, Event::Thwarted { .. }));
        let counter = after.stack.iter().skip(before.stack.len().saturating_sub(1)).any(|frame| {
            any_counter(after, frame, |harm| harm::can_counter(At { rules, state: after }, harm))
        });
        return thwarted.then_some(Attack::Thwarted { counter });
    };
    let mut effect = Effect::default();
    imposed(&mut effect, events);
    // The guard is let off.
    let mut after = after.clone();
    let mut events = Vec::new();
    if let Some(Frame::Harm(Harm { cause: Cause::Guard, .. })) = after.top() {
        flow::apply(
            &mut Play { rules, state: &mut after, sink: &mut events },
            ALONE,
            Answer::Nothing { release: false },
        );
        imposed(&mut effect, &events);
    }
    match after.top() {
        Some(Frame::Harm(harm)) if harm.cause == Cause::Attack => {
            harm::legal(At { rules, state: &after }, harm, &mut |answer| {
                let mut then = after.clone();
                events.clear();
                match answer {
                    // What a table allows of lower tiers is not promised.
                    Answer::Threat { tier: Some(_), .. }
                    | Answer::Threats { tier: Some(_), .. }
                    | Answer::Mark { tier: Some(_), .. } => {}
                    // Others whom it spreads to are no further threats.
                    Answer::Spread { .. } => effect.threats = effect.threats.max(1),
                    // It may have to be accepted first.
                    Answer::Finisher { .. } => effect.finisher = true,
                    _ => {
                        flow::apply(&mut Play { rules, state: &mut then, sink: &mut events }, ALONE, answer);
                        imposed(&mut effect, &events);
                    }
                }
            });
        }
        Some(Frame::Accept { .. }) => effect.finisher = true,
        _ => {}
    }
    Some(Attack::Hit { degree, effect })
}

/// Adds what one way to choose imposed.
fn imposed(effect: &mut Effect, events: &[Event]) {
    let mut threats = 0;
    for event in events {
        match *event {
            Event::Threat { cause: Cause::Attack, .. } => threats += 1,
            Event::Mark { .. } => effect.mark = true,
            Event::Finished { .. } => effect.finisher = true,
            Event::Risk { amount, .. } => effect.risk = effect.risk.max(amount),
            _ => {}
        }
    }
    effect.threats = effect.threats.max(threats);
}
