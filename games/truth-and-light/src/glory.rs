//! Glories, and good fortune in their place (Glory Descriptions).

use crate::{
    act,
    answer::{Answer, Control, GloryPick},
    boons,
    effect::{Way, of_glory},
    event::Event,
    guilt::{harmless, object_surprise},
    impose::{self, Doing},
    outcome,
    rules::{Rules, Use},
    state::{Action, Lie, Made, Origin, Pending, State, Step},
    vocab::*,
};
use fracas_kernel::{Any, Label as Name, Objections, Sink, fine};

/// Stands for what a player calls an improvised boon.
fn something() -> Option<Name> {
    "something at hand".parse().ok()
}

/// Lists the glories.
pub(crate) fn legal(rules: &Rules, state: &State, action: &Action, each: &mut impl FnMut(Answer)) {
    let who = action.who;
    let mut put = |pick: GloryPick| {
        if fine(|out: &mut Any| object_pick(rules, state, action, pick, out)) {
            each(Answer::Glory(pick));
        }
    };
    state.allies(rules, who).iter().for_each(|ally| put(GloryPick::GrantAbility(ally)));
    if let Some(name) = something() {
        let mut improvise = |rolls, once| {
            put(GloryPick::ControlBoons(Control::Improvise { name, rolls, tags: action.tags, once }));
        };
        improvise(Kind::Test, false);
        improvise(Kind::Save, false);
        improvise(Kind::Test, true);
    }
    outcome::others(rules, state, who, &mut |_, boon| {
        put(GloryPick::ControlBoons(Control::Steal(boon)));
        put(GloryPick::ControlBoons(Control::Discard(boon)));
    });
    BreakMode::ALL.iter().for_each(|&mode| put(GloryPick::BreakRisk(mode)));
    let near = state.npcs_near(rules, who).map(Target::Char);
    for on in near.chain(state.hazards.iter().map(Target::Hazard)).chain([Target::Surroundings]) {
        harmless(rules).for_each(|end| put(GloryPick::SpringSurprise { on, end }));
    }
    if !action.no_fortune {
        Ground::ALL.iter().for_each(|&ground| each(Answer::Fortune(ground)));
    }
}

/// Collects the reasons against what the player picks.
pub(crate) fn object(
    rules: &Rules,
    state: &State,
    action: &Action,
    answer: Answer,
    out: &mut impl Objections,
) {
    match answer {
        Answer::Glory(pick) => object_pick(rules, state, action, pick, out),
        Answer::Fortune(_) => {
            if action.no_fortune {
                out.no(
                    clause!("fortune.condition"),
                    "the gamemaster sees no reason for fortune: a glory is picked",
                );
            }
        }
        _ => out.no(
            act::stray(answer).unwrap_or(clause!("bad.glory")),
            "a glorious success brings one glory, or fortune in its place, before anything else",
        ),
    }
}

fn object_pick(rules: &Rules, state: &State, action: &Action, pick: GloryPick, out: &mut impl Objections) {
    let who = action.who;
    if state.being(who).last == Some(pick.glory()) {
        out.no(clause!("bad.glory"), "not the same glory twice in a row");
    }
    match pick {
        GloryPick::GrantAbility(ally) => {
            if ally == who {
                out.no(clause!("glory.grant-target"), "it goes to an ally, never to whoever acted");
            } else if !rules.is_pc(ally) {
                out.no(
                    clause!("ally-is-npc"),
                    "the ally is a player's character: nobody else has action power",
                );
            } else if !state.near(who, ally) {
                out.no(clause!("glory.grant-target"), "the ally is nearby");
            }
        }
        GloryPick::ControlBoons(Control::Improvise { .. }) => {
            if state.spare(rules, who).is_none() {
                out.no(
                    clause!("improvise-limit"),
                    "as many boons were made in play as there can be at one time",
                );
            }
        }
        GloryPick::ControlBoons(Control::Steal(boon) | Control::Discard(boon)) => {
            let place = state.place(boon);
            match place.holder {
                Some(holder) if holder != who && matches!(place.lie, Lie::InUse | Lie::Kept) => {
                    if !state.near(who, holder) {
                        out.no(clause!("control-target"), "whoever has it is nearby");
                    }
                }
                _ => out.no(clause!("glory.control"), "another character has it"),
            }
        }
        GloryPick::BreakRisk(_) => {}
        GloryPick::SpringSurprise { on, end } => {
            let fits = match on {
                Target::Char(npc) => !rules.is_pc(npc) && state.near(who, npc),
                Target::Hazard(hazard) => state.hazard_near(rules, hazard, who),
                Target::Surroundings => true,
            };
            if !fits {
                out.no(
                    clause!("glory.spring-target"),
                    "it is on one of the gamemaster's characters nearby, or on the surroundings",
                );
            }
            object_surprise(rules, end, clause!("glory.spring"), out);
        }
    }
}

/// Collects the reasons why what the gamemaster is asked to allow cannot be any more.
pub(crate) fn object_allowed(rules: &Rules, state: &State, action: &Action, out: &mut impl Objections) {
    let control = match action.pending {
        Pending::Stolen(boon) => Control::Steal(boon),
        Pending::Improvised(name, Use { tags, once, .. }) => {
            Control::Improvise { name, rolls: Kind::Test, tags, once }
        }
        Pending::Nothing | Pending::Fortune(_) => return,
    };
    object_pick(rules, state, action, GloryPick::ControlBoons(control), out);
}

/// Applies what the player picks, or asks the gamemaster about it first.
pub(crate) fn apply(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    let Some(action) = state.action else { return };
    let who = action.who;
    let wait = |state: &mut State, pending: Pending| {
        state.action = Some(Action { pending, step: Step::Allow, ..action });
    };
    match answer {
        Answer::Glory(GloryPick::ControlBoons(Control::Improvise { name, rolls, tags, once })) => {
            wait(state, Pending::Improvised(name, boons::improvised(rolls, tags, once)));
        }
        // Whether a situation can be stolen is the gamemaster's to say
        // (`control-target`).
        Answer::Glory(GloryPick::ControlBoons(Control::Steal(boon)))
            if state.use_of(rules, boon).situation =>
        {
            wait(state, Pending::Stolen(boon));
        }
        Answer::Glory(pick) => picked(rules, state, pick, sink),
        Answer::Fortune(ground) => {
            wait(state, Pending::Fortune(ground));
            sink.event(Event::Offered { who, fate: Fate::Good, ground });
        }
        _ => {}
    }
}

/// Notes which glory it was, and says so (`glory.no-repeat`).
fn note(
    rules: &Rules,
    state: &mut State,
    (glory, mode): (Glory, Option<BreakMode>),
    sink: &mut impl Sink<Event>,
) {
    let Some(action) = state.action else { return };
    state.being_mut(action.who).last = Some(glory);
    let by = outcome::in_words(rules, &action, Guilt::ALL.len() + glory as usize);
    sink.event(Event::Glory { who: action.who, glory, by, mode });
}

fn picked(rules: &Rules, state: &mut State, pick: GloryPick, sink: &mut impl Sink<Event>) {
    let Some(action) = state.action else { return };
    let (who, glory) = (action.who, pick.glory());
    note(rules, state, (glory, pick.mode()), sink);
    let doing = Doing::of(Origin::Glory(glory), Some(who), None);
    match pick {
        GloryPick::GrantAbility(ally) => {
            let doing = Doing { ally: Some(ally), ..doing };
            impose::all(rules, state, of_glory(Way::Grant), doing, sink);
        }
        GloryPick::BreakRisk(BreakMode::Next) => {
            impose::all(rules, state, of_glory(Way::BreakNext), doing, sink);
        }
        GloryPick::BreakRisk(BreakMode::Now) => outcome::raise(state, rules.options.break_now, sink),
        GloryPick::ControlBoons(Control::Steal(boon)) => boons::take(state, boon, who, sink),
        GloryPick::ControlBoons(Control::Discard(boon)) => boons::discard(state, boon, sink),
        GloryPick::ControlBoons(Control::Improvise { name, rolls, tags, once }) => {
            let made = Made::Improvised(name, boons::improvised(rolls, tags, once));
            boons::make(rules, state, who, made, sink);
        }
        GloryPick::SpringSurprise { on, end } => {
            impose::end(rules, state, end, on, Some(Target::Char(who)), 0, sink);
        }
    }
    outcome::deliver(rules, state, sink);
}

/// The gamemaster allows what was picked, or something else is picked
/// (`improvise-limit`, `fortune-who-decides`).
pub(crate) fn apply_allow(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    let Some(action) = &mut state.action else { return };
    let who = action.who;
    let pending = std::mem::take(&mut action.pending);
    match (pending, answer == Answer::Yes) {
        (Pending::Improvised(name, serves), true) => {
            note(rules, state, (Glory::Control, None), sink);
            boons::make(rules, state, who, Made::Improvised(name, serves), sink);
            outcome::deliver(rules, state, sink);
        }
        (Pending::Stolen(boon), true) => {
            note(rules, state, (Glory::Control, None), sink);
            boons::take(state, boon, who, sink);
            outcome::deliver(rules, state, sink);
        }
        (Pending::Fortune(_), true) => {
            // It counts as the last glory, and the one before is free again
            // (`fortune-as-glory`).
            let being = state.being_mut(who);
            being.last = None;
            being.good.next = being.good.next.saturating_add(1);
            sink.event(Event::Fortune { who, fate: Fate::Good });
            outcome::deliver(rules, state, sink);
        }
        (pending, _) => {
            action.step = Step::Glory;
            if matches!(pending, Pending::Fortune(_)) {
                action.no_fortune = true;
                sink.event(Event::Unfortunate(who));
            } else {
                sink.event(Event::Disallowed(who));
            }
        }
    }
}
