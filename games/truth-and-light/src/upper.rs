//! What a guilty save brings whoever acted (`save.guilty-means`, `ext.npc-glory`).

use crate::{
    act,
    answer::{Answer, UpperPick},
    boons,
    effect::of_upper,
    event::Event,
    guilt::{harmless, object_surprise},
    impose::{self, Doing},
    outcome, power,
    rules::Rules,
    state::{Action, Origin, State},
    vocab::*,
};
use fracas_kernel::{Any, Objections, Sink, fine};

/// Degrees that overwhelming adds.
const OVERWHELMED: u8 = 4;

/// Lists what it can bring.
pub(crate) fn legal(rules: &Rules, state: &State, action: &Action, each: &mut impl FnMut(Answer)) {
    let mut put = |pick: UpperPick| {
        if fine(|out: &mut Any| object_pick(rules, state, action, pick, out)) {
            each(Answer::Upper(pick));
        }
    };
    put(UpperPick::Press);
    state.losable(action.who).for_each(|boon| put(UpperPick::Seize(boon)));
    harmless(rules).for_each(|end| put(UpperPick::Surprise(end)));
    rules.everybody().for_each(|other| put(UpperPick::Rally(other)));
    put(UpperPick::Overwhelm);
}

/// Collects the reasons against what the gamemaster picks.
pub(crate) fn object(
    rules: &Rules,
    state: &State,
    action: &Action,
    answer: Answer,
    out: &mut impl Objections,
) {
    match answer {
        Answer::Upper(pick) => object_pick(rules, state, action, pick, out),
        _ => out.no(
            act::stray(answer).unwrap_or(clause!("save.guilty-means")),
            "expected what whoever acted gains: press, seize, surprise, rally or overwhelm",
        ),
    }
}

fn object_pick(rules: &Rules, state: &State, action: &Action, pick: UpperPick, out: &mut impl Objections) {
    let npc = power::opponent(rules, action);
    if npc.is_none() && !matches!(pick, UpperPick::Surprise(_) | UpperPick::Overwhelm) {
        out.no(clause!("ext.npc-glory"), "the surroundings surprise or overwhelm, and nothing else");
    }
    match pick {
        UpperPick::Press | UpperPick::Overwhelm => {}
        UpperPick::Seize(boon) => {
            if !state.losable(action.who).any(|other| other == boon) {
                out.no(clause!("ext.npc-glory"), "what is seized is in the target's use");
            }
        }
        UpperPick::Surprise(end) => {
            object_surprise(rules, end, clause!("ext.npc-glory"), out);
        }
        UpperPick::Rally(other) => {
            let near = npc.is_some_and(|npc| state.near(npc, other));
            if rules.is_pc(other) || !near {
                out.no(clause!("ext.npc-glory"), "another of the gamemaster's characters nearby is rallied");
            }
        }
    }
}

/// Applies what the gamemaster picks.
pub(crate) fn apply(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    let (Some(action), Answer::Upper(pick)) = (state.action, answer) else { return };
    let by = power::opponent(rules, &action);
    let upper = pick.upper();
    sink.event(Event::Upper { on: action.who, by, upper });
    let doing = Doing::of(Origin::Upper(upper), by, Some(action.who));
    match pick {
        UpperPick::Press => impose::all(rules, state, of_upper(upper), doing, sink),
        UpperPick::Rally(ally) => {
            let doing = Doing { ally: Some(ally), ..doing };
            impose::all(rules, state, of_upper(upper), doing, sink);
        }
        UpperPick::Seize(boon) => boons::lose(rules, state, boon, sink),
        UpperPick::Surprise(end) => {
            impose::end(rules, state, end, Target::Char(action.who), action.target, 0, sink);
        }
        UpperPick::Overwhelm => outcome::raise(state, OVERWHELMED, sink),
    }
    outcome::deliver(rules, state, sink);
}
