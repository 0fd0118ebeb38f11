//! Guilts, and bad fortune in their place (Guilt Descriptions).

use crate::answer::{Answer, GuiltPick, Lost};
use crate::effect::{FAULT, RAISE};
use crate::impose::{self, Doing};
use crate::rules::{LosePicker, Rules};
use crate::state::{Origin, Pending, Step};
use crate::{At, Play, boons, event::Event, outcome, vocab::*};
use fracas_kernel::{Any, Clause, Objections, Sink, Told, Viewer, fine, takes};

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

/// What speaks against doing something to this ally.
pub(crate) fn object_ally(
    at: At<'_>,
    who: Char,
    ally: Char,
    (clause, on_self): (Clause, &'static str),
    out: &mut impl Objections,
) {
    if ally == who {
        out.no(clause, on_self);
    } else if !at.rules.is_pc(ally) {
        out.no(clause!("ally-is-npc"), "the ally is a player's character: nobody else has action power");
    } else if !at.state.near(who, ally) {
        out.no(clause, "the ally is nearby");
    }
}

/// Whether this is one of the gamemaster's characters nearby, a hazard there, or the surroundings.
pub(crate) fn is_around(at: At<'_>, who: Char, on: Target) -> bool {
    match on {
        Target::Char(npc) => !at.rules.is_pc(npc) && at.state.near(who, npc),
        Target::Hazard(hazard) => at.state.hazard_near(at.rules, hazard, who),
        Target::Surroundings => true,
    }
}

pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
    Told::new(format!("{} is guilty: which guilt?", at.rules.name(who))).why(clause!("guilt.gm-picks"))
}

/// Lists the guilts.
pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
    let mut put = |pick: GuiltPick| each(Answer::Guilt(pick));
    at.state.allies(at.rules, who).iter().for_each(|ally| put(GuiltPick::FaultAbility(ally)));
    match at.rules.options.lose {
        LosePicker::Gamemaster => boons::losses(at.state, who, &mut |lost| put(GuiltPick::LoseBoons(lost))),
        LosePicker::Player if at.state.losable(who).next().is_some() => {
            put(GuiltPick::LoseBoons(Lost::default()));
        }
        LosePicker::Player => {}
    }
    put(GuiltPick::RaiseRisk);
    let npcs = at.state.npcs_near(at.rules, who).map(Target::Char);
    let hazards = at.state.hazards.iter().filter(|&hazard| at.state.hazard_near(at.rules, hazard, who));
    for by in npcs.chain(hazards.map(Target::Hazard)) {
        harmless(at.rules).for_each(|end| put(GuiltPick::SufferSurprise { by, end }));
    }
    if !at.state.action.is_some_and(|action| action.no_fortune) {
        Ground::ALL.iter().for_each(|&ground| each(Answer::Fortune(ground)));
    }
}

takes!(
    Answer,
    Answer::Guilt(_) | Answer::Fortune(_),
    clause!("bad.guilt"),
    "a guilty test brings one guilt, or fortune in its place, before anything else"
);

/// Collects the reasons against what the gamemaster picks.
pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
    let Answer::Guilt(pick) = answer else {
        if at.state.action.is_some_and(|action| action.no_fortune) {
            out.no(clause!("fortune.who-takes"), "fortune was declined: a guilt is picked");
        }
        return;
    };
    match pick {
        GuiltPick::FaultAbility(ally) => {
            let on_self = "it falls on an ally, never on the character who acted";
            object_ally(at, who, ally, (clause!("guilt.fault-target"), on_self), out);
        }
        GuiltPick::LoseBoons(lost) => {
            if at.state.losable(who).next().is_none() {
                let what = "they have no boon in use to lose: another guilt is picked";
                out.no(clause!("lose-fewer-than-two"), what);
            }
            match at.rules.options.lose {
                LosePicker::Gamemaster => boons::object_loss(at.state, who, lost, out),
                LosePicker::Player if lost.iter().next().is_some() => {
                    let what = "at this table the player picks what is lost: name none";
                    out.no(clause!("guilt.lose-which"), what);
                }
                LosePicker::Player => {}
            }
        }
        GuiltPick::RaiseRisk => {}
        GuiltPick::SufferSurprise { by, end } => {
            if by == Target::Surroundings || !is_around(at, who, by) {
                out.no(
                    clause!("guilt.surprise-source"),
                    "it comes from one of the gamemaster's characters nearby, or from a hazard that is there",
                );
            }
            object_surprise(at.rules, end, clause!("guilt.surprise"), out);
        }
    }
}

/// Applies what the gamemaster picks.
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
    let Some(mut action) = play.state.action else { return };
    match answer {
        Answer::Guilt(pick) => {
            let guilt = pick.guilt();
            let by = outcome::in_words(play.rules, &action, guilt as usize);
            play.event(Event::Guilt { who, guilt, by });
            let doing = Doing::of(Origin::Guilt(guilt), Some(who), None);
            match pick {
                GuiltPick::FaultAbility(ally) => {
                    impose::all(play, &FAULT, Doing { ally: Some(ally), ..doing });
                }
                GuiltPick::RaiseRisk => impose::all(play, &RAISE, doing),
                GuiltPick::LoseBoons(_) if play.rules.options.lose == LosePicker::Player => {
                    action.step = Step::Lose;
                    play.state.action = Some(action);
                    return;
                }
                GuiltPick::LoseBoons(lost) => lost.iter().for_each(|boon| boons::lose(play, boon)),
                GuiltPick::SufferSurprise { by, end } => {
                    if let Target::Char(npc) = by {
                        play.state.being_mut(npc).unaware = false;
                    }
                    // At once and without a roll (`surprise-roll`).
                    impose::end(play, end, Target::Char(who), Some(by), 0);
                }
            }
            outcome::conclude(play);
        }
        Answer::Fortune(ground) => {
            play.event(Event::Offered { who, fate: Fate::Bad, ground });
            match ground {
                // With nothing that fits it is automatic (`fortune-who-decides`).
                Ground::NothingFits => take(play),
                Ground::FarApart => {
                    action.step = Step::Take;
                    action.pending = Pending::Fortune(ground);
                    play.state.action = Some(action);
                }
            }
        }
        _ => {}
    }
}

/// Bad fortune in place of the guilt (`fortune.replaces`).
fn take(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(action) = play.state.action else { return };
    let bad = &mut play.state.being_mut(action.who).bad;
    bad.next = bad.next.saturating_add(1);
    play.event(Event::Fortune { who: action.who, fate: Fate::Bad });
    outcome::conclude(play);
}

/// Whether the player takes bad fortune, or the gamemaster picks a guilt after all.
pub(crate) mod instead {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let who = at.rules.name(who);
        Told::new(format!("{who}: bad fortune in place of a guilt?")).why(clause!("fortune.who-takes"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        [Answer::Yes, Answer::No].into_iter().for_each(each);
    }

    takes!(Answer, Answer::Yes | Answer::No, clause!("fortune.who-takes"), "expected yes or no");

    pub(crate) fn object(_: At<'_>, _: Char, _: Answer, _: &mut impl Objections) {}

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        if answer == Answer::Yes {
            return take(play);
        }
        let Some(action) = &mut play.state.action else { return };
        action.no_fortune = true;
        action.step = Step::Guilt;
        play.event(Event::Unfortunate(who));
    }
}

/// Which boons are lost, where the player says it (`lose-who-picks`).
pub(crate) mod losses {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("{}: which boons do you lose?", at.rules.name(who)))
            .why(clause!("guilt.lose-which"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        boons::losses(at.state, who, &mut |lost| each(Answer::Lose(lost)));
    }

    takes!(Answer, Answer::Lose(_), clause!("guilt.lose-which"), "expected which boons are lost");

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if let Answer::Lose(lost) = answer {
            boons::object_loss(at.state, who, lost, out);
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, answer: Answer) {
        if let Answer::Lose(lost) = answer {
            lost.iter().for_each(|boon| boons::lose(play, boon));
        }
        outcome::conclude(play);
    }
}
