//! Asks in words.

use super::phrases::*;
use crate::{
    answer::Prompt,
    flow, roll,
    rules::Rules,
    state::{Pending, State},
    vocab::*,
};
use fracas_kernel::{Slot, Told, Viewer};

/// What is asked at a slot.
pub(super) fn ask(rules: &Rules, state: &State, slot: Slot, who: Viewer) -> Told {
    let Some(ask) = flow::ask_at(rules, state, slot) else { return Told::default() };
    let n = |c: Char| rules.name(c);
    let action = state.action.as_ref();
    match ask.prompt {
        Prompt::Scene => Told::new("The scene is yours: give the floor, call for a roll, end the scene")
            .why(clause!("kind.gm-calls")),
        Prompt::Act => Told::new("What do you do?").why(clause!("action.major")),
        Prompt::Settle { .. } => {
            let what = action.map_or(String::new(), |action| action_words(rules, action));
            Told::new(format!("{what}: which attribute, and against which number?"))
                .why(clause!("tn.gm-sets"))
        }
        Prompt::Terms { who: all, by } => Told::new(format!(
            "{} must save against {}: with what, and against which number?",
            names(rules, all),
            target(rules, by)
        ))
        .why(clause!("save.def")),
        Prompt::Ready(c) => {
            let number = action.map_or(String::new(), |action| number_words(action, who));
            Told::new(format!("{} is about to roll against {number}: what goes into it?", n(c)))
                .why(clause!("writhing.spend"))
        }
        Prompt::Misfortune(c) => Told::new(format!("{} holds bad fortune: is it played on this save?", n(c)))
            .why(clause!("fortune.bad-use")),
        Prompt::Spend(c) => {
            let (truth, light) = action.map_or((0, 0), |action| (action.throw.truth, action.throw.light));
            let power = action.map_or(0, |action| action.power);
            let number = action.map_or(String::new(), |action| number_words(action, who));
            let die = match action.map_or(0, |action| action.throw.writhe) {
                0 => String::new(),
                face => format!(", writhing die {face}"),
            };
            let asked = match action.map_or(0, roll::most) {
                0 => "Light cannot fall below 1: there is none to spend",
                _ => "How much Light do you spend?",
            };
            Told::new(format!(
                "{}: Truth {truth}, Light {light}{die}, {power:+} against {number}. {asked}",
                n(c)
            ))
            .why(clause!("spend.choice"))
        }
        Prompt::Reason(c) => Told::new(format!(
            "{} fails on purpose, on account of this writhing: {}. Is the reason good enough?",
            n(c),
            rules.sheet(c).writhing
        ))
        .why(clause!("writhing.gm-approves")),
        Prompt::Push(c) => {
            Told::new(format!("{} fails gloriously: withdraw, or push on?", n(c))).why(clause!("push.offer"))
        }
        Prompt::Guilt(c) => {
            Told::new(format!("{} is guilty: which guilt?", n(c))).why(clause!("guilt.gm-picks"))
        }
        Prompt::Take(c) => {
            Told::new(format!("{}: bad fortune in place of a guilt?", n(c))).why(clause!("fortune.who-takes"))
        }
        Prompt::Lose(c) => {
            Told::new(format!("{}: which boons do you lose?", n(c))).why(clause!("guilt.lose-which"))
        }
        Prompt::Glory(c) => Told::new(format!("{} succeeds gloriously: which glory?", n(c)))
            .why(clause!("glory.player-picks")),
        Prompt::Allow(c) => allow(rules, state, c),
        Prompt::Upper { on, by } => Told::new(format!(
            "{} failed a save guiltily: what does {} gain?",
            n(on),
            by.map_or("the danger", n)
        ))
        .why(clause!("save.guilty-means")),
    }
}

/// What the player picked, for the gamemaster to allow.
fn allow(rules: &Rules, state: &State, c: Char) -> Told {
    let n = |c: Char| rules.name(c);
    let (what, clause) = match state.action.map_or(Pending::Nothing, |action| action.pending) {
        Pending::Improvised(name, serves) => (
            format!(
                "{} improvises {} ({}s in {}): is it possible?",
                n(c),
                name.as_str(),
                serves.rolls,
                tags_words(serves.tags)
            ),
            clause!("improvise-limit"),
        ),
        Pending::Stolen(boon) => (
            format!("{} takes {}: can that be taken?", n(c), state.name_of(rules, boon)),
            clause!("control-target"),
        ),
        Pending::Fortune(ground) => (
            format!("{} asks for good fortune, since {}: is that so?", n(c), ground_words(ground)),
            clause!("fortune.condition"),
        ),
        Pending::Nothing => (format!("{}: is that possible?", n(c)), clause!("glory.control-which")),
    };
    Told::new(what).why(clause)
}
