//! Guilts, and bad fortune in their place (Guilt Descriptions).

use crate::{
    act,
    answer::{Answer, GuiltPick, Lost},
    boons,
    effect::of_guilt,
    event::Event,
    impose::{self, Doing},
    outcome,
    rules::{LosePicker, Rules},
    state::{Action, Origin, Pending, State, Step},
    vocab::*,
};
use fracas_kernel::{Any, Clause, Objections, Sink, fine};

/// Contested ends that can be a surprise.
pub(crate) fn harmless(rules: &Rules) -> impl Iterator<Item = End> + '_ {
    rules
        .all_ends()
        .filter(|&end| fine(|out: &mut Any| object_surprise(rules, end, clause!("ext.ends"), out)))
}

/// What speaks against a surprise by this end: it does no damage, and without degrees it does
/// something (`surprise-without-degrees`).
pub(crate) fn object_surprise(rules: &Rules, end: End, clause: Clause, out: &mut impl Objections) {
    let ending = rules.ending(end);
    if ending.damaging {
        out.no(clause, "a surprise does no damage");
    } else if !ending.effects.is_empty() && ending.effects.iter().all(|effect| effect.per_degree) {
        let clause = clause!("surprise-without-degrees");
        out.no(clause, "all that this does goes by degrees, and a surprise has none");
    }
}

/// Lists the guilts.
pub(crate) fn legal(rules: &Rules, state: &State, action: &Action, each: &mut impl FnMut(Answer)) {
    let who = action.who;
    let mut put = |pick: GuiltPick| {
        if fine(|out: &mut Any| object_pick(rules, state, action, pick, out)) {
            each(Answer::Guilt(pick));
        }
    };
    state.allies(rules, who).iter().for_each(|ally| put(GuiltPick::FaultAbility(ally)));
    match rules.options.lose {
        LosePicker::Gamemaster => boons::losses(state, who, &mut |lost| put(GuiltPick::LoseBoons(lost))),
        LosePicker::Player => put(GuiltPick::LoseBoons(Lost::default())),
    }
    put(GuiltPick::RaiseRisk);
    let npcs = state.npcs_near(rules, who).map(Target::Char);
    for by in npcs.chain(state.hazards.iter().map(Target::Hazard)) {
        harmless(rules).for_each(|end| put(GuiltPick::SufferSurprise { by, end }));
    }
    if !action.no_fortune {
        Ground::ALL.iter().for_each(|&ground| each(Answer::Fortune(ground)));
    }
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
        Answer::Guilt(pick) => object_pick(rules, state, action, pick, out),
        Answer::Fortune(_) => {
            if action.no_fortune {
                out.no(clause!("fortune.who-takes"), "fortune was declined: a guilt is picked");
            }
        }
        _ => out.no(
            act::stray(answer).unwrap_or(clause!("bad.guilt")),
            "a guilty test brings one guilt, or fortune in its place, before anything else",
        ),
    }
}

fn object_pick(rules: &Rules, state: &State, action: &Action, pick: GuiltPick, out: &mut impl Objections) {
    let who = action.who;
    match pick {
        GuiltPick::FaultAbility(ally) => {
            if ally == who {
                out.no(clause!("guilt.fault-target"), "it falls on an ally, never on whoever acted");
            } else if !rules.is_pc(ally) {
                out.no(
                    clause!("ally-is-npc"),
                    "the ally is a player's character: nobody else has action power",
                );
            } else if !state.near(who, ally) {
                out.no(clause!("guilt.fault-target"), "the ally is nearby");
            }
        }
        GuiltPick::LoseBoons(lost) => {
            if state.losable(who).next().is_none() {
                out.no(
                    clause!("lose-fewer-than-two"),
                    "they have no boon in use to lose: another guilt is picked",
                );
            }
            match rules.options.lose {
                LosePicker::Gamemaster => boons::object_loss(state, who, lost, out),
                LosePicker::Player if lost.iter().next().is_some() => {
                    out.no(
                        clause!("guilt.lose-which"),
                        "at this table the player picks what is lost: name none",
                    );
                }
                LosePicker::Player => {}
            }
        }
        GuiltPick::RaiseRisk => {}
        GuiltPick::SufferSurprise { by, end } => {
            let near = match by {
                Target::Char(npc) => !rules.is_pc(npc) && state.near(who, npc),
                Target::Hazard(hazard) => state.hazard_near(rules, hazard, who),
                Target::Surroundings => false,
            };
            if !near {
                out.no(
                    clause!("guilt.surprise-source"),
                    "it comes from one of the gamemaster's characters nearby, or from a hazard that is there",
                );
            }
            object_surprise(rules, end, clause!("guilt.surprise"), out);
        }
    }
}

/// Applies what the gamemaster picks.
pub(crate) fn apply(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    let Some(mut action) = state.action else { return };
    let who = action.who;
    match answer {
        Answer::Guilt(pick) => {
            let guilt = pick.guilt();
            let by = outcome::in_words(rules, &action, guilt as usize);
            sink.event(Event::Guilt { who, guilt, by });
            let doing = Doing::of(Origin::Guilt(guilt), Some(who), None);
            match pick {
                GuiltPick::FaultAbility(ally) => {
                    let doing = Doing { ally: Some(ally), ..doing };
                    impose::all(rules, state, of_guilt(guilt), doing, sink);
                }
                GuiltPick::RaiseRisk => impose::all(rules, state, of_guilt(guilt), doing, sink),
                GuiltPick::LoseBoons(_) if rules.options.lose == LosePicker::Player => {
                    action.step = Step::Lose;
                    state.action = Some(action);
                    return;
                }
                GuiltPick::LoseBoons(lost) => {
                    lost.iter().for_each(|boon| boons::lose(rules, state, boon, sink));
                }
                GuiltPick::SufferSurprise { by, end } => {
                    if let Target::Char(npc) = by {
                        state.being_mut(npc).unaware = false;
                    }
                    // At once and without a roll (`surprise-roll`).
                    impose::end(rules, state, end, Target::Char(who), Some(by), 0, sink);
                }
            }
            outcome::conclude(rules, state, sink);
        }
        Answer::Fortune(ground) => {
            sink.event(Event::Offered { who, fate: Fate::Bad, ground });
            match ground {
                // With nothing that fits it is automatic (`fortune-who-decides`).
                Ground::NothingFits => take(rules, state, sink),
                Ground::FarApart => {
                    action.step = Step::Take;
                    action.pending = Pending::Fortune(ground);
                    state.action = Some(action);
                }
            }
        }
        _ => {}
    }
}

/// Bad fortune in place of the guilt (`fortune.replaces`).
fn take(rules: &Rules, state: &mut State, sink: &mut impl Sink<Event>) {
    let Some(action) = state.action else { return };
    let bad = &mut state.being_mut(action.who).bad;
    bad.next = bad.next.saturating_add(1);
    sink.event(Event::Fortune { who: action.who, fate: Fate::Bad });
    outcome::conclude(rules, state, sink);
}

/// The player takes bad fortune, or the gamemaster picks a guilt after all.
pub(crate) fn apply_take(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    if answer == Answer::Yes {
        return take(rules, state, sink);
    }
    let Some(action) = &mut state.action else { return };
    action.no_fortune = true;
    action.step = Step::Guilt;
    sink.event(Event::Unfortunate(action.who));
}

/// The player says what is lost (`lose-who-picks`).
pub(crate) fn apply_lose(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    if let Answer::Lose(lost) = answer {
        lost.iter().for_each(|boon| boons::lose(rules, state, boon, sink));
    }
    outcome::conclude(rules, state, sink);
}
