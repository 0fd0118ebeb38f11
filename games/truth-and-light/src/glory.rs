//! Glories, and good fortune in their place (Glory Descriptions).

use crate::answer::{Answer, Control, GloryPick};
use crate::effect::{GRANT, break_next};
use crate::guilt::{harmless, is_around, object_ally, object_surprise};
use crate::impose::{self, Doing};
use crate::state::{Action, Lie, Made, Origin, Pending, State, Step};
use crate::words::phrases::{ground_words, tags_words};
use crate::{At, Play, boons, event::Event, outcome, rules::Use, vocab::*};
use fracas_kernel::{Label as Name, Objections, Sink, Told, Viewer, takes};

/// Stands for what a player calls an improvised boon.
fn something() -> Option<Name> {
    "something at hand".parse().ok()
}

pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
    let who = at.rules.name(who);
    Told::new(format!("{who} succeeds gloriously: which glory?")).why(clause!("glory.player-picks"))
}

/// Lists the glories.
pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
    let tags = at.state.action.map_or(TagSet::NONE, |action| action.tags);
    let mut put = |pick: GloryPick| each(Answer::Glory(pick));
    at.state.allies(at.rules, who).iter().for_each(|ally| put(GloryPick::GrantAbility(ally)));
    if let Some(name) = something() {
        let mut improvise = |rolls, once| {
            put(GloryPick::ControlBoons(Control::Improvise { name, rolls, tags, once }));
        };
        improvise(Kind::Test, false);
        improvise(Kind::Save, false);
        improvise(Kind::Test, true);
    }
    // Every boon that others nearby have, those of foes first.
    for other in at.state.foes_first(at.rules, who).filter(|&other| at.state.near(who, other)) {
        for boon in at.state.held(other) {
            put(GloryPick::ControlBoons(Control::Steal(boon)));
            put(GloryPick::ControlBoons(Control::Discard(boon)));
        }
    }
    BreakMode::ALL.iter().for_each(|&mode| put(GloryPick::BreakRisk(mode)));
    let near = at.state.npcs_near(at.rules, who).map(Target::Char);
    for on in near.chain(at.state.hazards.iter().map(Target::Hazard)).chain([Target::Surroundings]) {
        harmless(at.rules).for_each(|end| put(GloryPick::SpringSurprise { on, end }));
    }
    Ground::ALL.iter().for_each(|&ground| each(Answer::Fortune(ground)));
}

takes!(
    Answer,
    Answer::Glory(_) | Answer::Fortune(_),
    clause!("bad.glory"),
    "a glorious success brings one glory, or fortune in its place, before anything else"
);

/// Collects the reasons against what the player picks.
pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
    let Answer::Glory(pick) = answer else {
        if at.state.action.is_some_and(|action| action.no_fortune) {
            let what = "the gamemaster sees no reason for fortune: a glory is picked";
            out.no(clause!("fortune.condition"), what);
        }
        return;
    };
    if at.state.being(who).last == Some(pick.glory()) {
        out.no(clause!("bad.glory"), "not the same glory twice in a row");
    }
    match pick {
        GloryPick::GrantAbility(ally) => {
            let on_self = "it goes to an ally, never to the character who acted";
            object_ally(at, who, ally, (clause!("glory.grant-target"), on_self), out);
        }
        GloryPick::ControlBoons(Control::Improvise { .. }) => {
            if at.state.spare(at.rules, who).is_none() {
                let what = "as many boons were made in play as there can be at one time";
                out.no(clause!("improvise-limit"), what);
            }
        }
        GloryPick::ControlBoons(Control::Steal(boon) | Control::Discard(boon)) => {
            let place = at.state.place(boon);
            match place.holder {
                Some(holder) if holder != who && matches!(place.lie, Lie::InUse | Lie::Kept) => {
                    if !at.state.near(who, holder) {
                        out.no(clause!("control-target"), "its holder is nearby");
                    }
                }
                _ => out.no(clause!("glory.control"), "another character has it"),
            }
        }
        GloryPick::BreakRisk(_) => {}
        GloryPick::SpringSurprise { on, end } => {
            if !is_around(at, who, on) {
                let what = "it is on one of the gamemaster's characters nearby, or on the surroundings";
                out.no(clause!("glory.spring-target"), what);
            }
            object_surprise(at.rules, end, clause!("glory.spring"), out);
        }
    }
}

/// Applies what the player picks, or asks the gamemaster about it first.
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
    let Some(action) = play.state.action else { return };
    let wait = |state: &mut State, pending: Pending| {
        state.action = Some(Action { pending, step: Step::Allow, ..action });
    };
    match answer {
        Answer::Glory(GloryPick::ControlBoons(Control::Improvise { name, rolls, tags, once })) => {
            wait(play.state, Pending::Improvised(name, boons::improvised(rolls, tags, once)));
        }
        // Whether a situation can be stolen is the gamemaster's to say
        // (`control-target`).
        Answer::Glory(GloryPick::ControlBoons(Control::Steal(boon)))
            if play.state.use_of(play.rules, boon).situation =>
        {
            wait(play.state, Pending::Stolen(boon));
        }
        Answer::Glory(pick) => picked(play, pick),
        Answer::Fortune(ground) => {
            wait(play.state, Pending::Fortune(ground));
            play.event(Event::Offered { who, fate: Fate::Good, ground });
        }
        _ => {}
    }
}

/// Notes which glory it was, and says so (`glory.no-repeat`).
fn note(play: &mut Play<'_, impl Sink<Event>>, (glory, mode): (Glory, Option<BreakMode>)) {
    let Some(action) = play.state.action else { return };
    play.state.being_mut(action.who).last = Some(glory);
    let by = outcome::in_words(play.rules, &action, Guilt::ALL.len() + glory as usize);
    play.event(Event::Glory { who: action.who, glory, by, mode });
}

fn picked(play: &mut Play<'_, impl Sink<Event>>, pick: GloryPick) {
    let Some(action) = play.state.action else { return };
    let (who, glory) = (action.who, pick.glory());
    note(play, (glory, pick.mode()));
    let doing = Doing::of(Origin::Glory(glory), Some(who), None);
    match pick {
        GloryPick::GrantAbility(ally) => impose::all(play, &GRANT, Doing { ally: Some(ally), ..doing }),
        GloryPick::BreakRisk(BreakMode::Next) => {
            impose::all(play, &break_next(play.rules.options.break_next), doing);
        }
        GloryPick::BreakRisk(BreakMode::Now) => outcome::raise(play, play.rules.options.break_now),
        GloryPick::ControlBoons(Control::Steal(boon)) => boons::take(play, boon, who),
        GloryPick::ControlBoons(Control::Discard(boon)) => boons::discard(play, boon),
        GloryPick::ControlBoons(Control::Improvise { name, rolls, tags, once }) => {
            boons::make(play, who, Made::Improvised(name, boons::improvised(rolls, tags, once)));
        }
        GloryPick::SpringSurprise { on, end } => impose::end(play, end, on, Some(Target::Char(who)), 0),
    }
    outcome::deliver(play);
}

/// Whether what was picked is allowed, or something else is picked (`improvise-limit`,
/// `fortune-who-decides`).
pub(crate) mod allow {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let who = at.rules.name(who);
        let (what, clause) = match at.state.action.map_or(Pending::Nothing, |action| action.pending) {
            Pending::Improvised(name, serves) => {
                let (rolls, tags) = (serves.rolls, tags_words(serves.tags));
                let what =
                    format!("{who} improvises {} ({rolls}s in {tags}): is it possible?", name.as_str());
                (what, clause!("improvise-limit"))
            }
            Pending::Stolen(boon) => {
                let boon = at.state.name_of(at.rules, boon);
                (format!("{who} takes {boon}: can that be taken?"), clause!("control-target"))
            }
            Pending::Fortune(ground) => {
                let ground = ground_words(ground);
                (
                    format!("{who} asks for good fortune, since {ground}: is that so?"),
                    clause!("fortune.condition"),
                )
            }
            Pending::Nothing => (format!("{who}: is that possible?"), clause!("glory.control-which")),
        };
        Told::new(what).why(clause)
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        [Answer::Yes, Answer::No].into_iter().for_each(each);
    }

    takes!(Answer, Answer::Yes | Answer::No, clause!("glory.control-which"), "expected yes or no");

    /// What was picked may not be possible any more.
    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let pending = at.state.action.filter(|_| answer == Answer::Yes).map(|action| action.pending);
        let control = match pending.unwrap_or_default() {
            Pending::Stolen(boon) => Control::Steal(boon),
            Pending::Improvised(name, Use { tags, once, .. }) => {
                Control::Improvise { name, rolls: Kind::Test, tags, once }
            }
            Pending::Nothing | Pending::Fortune(_) => return,
        };
        super::object(at, who, Answer::Glory(GloryPick::ControlBoons(control)), out);
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(action) = &mut play.state.action else { return };
        let pending = std::mem::take(&mut action.pending);
        match (pending, answer == Answer::Yes) {
            (Pending::Improvised(name, serves), true) => {
                note(play, (Glory::Control, None));
                boons::make(play, who, Made::Improvised(name, serves));
            }
            (Pending::Stolen(boon), true) => {
                note(play, (Glory::Control, None));
                boons::take(play, boon, who);
            }
            (Pending::Fortune(_), true) => {
                // It counts as the last glory, and the one before is free again
                // (`fortune-as-glory`).
                let being = play.state.being_mut(who);
                being.last = None;
                being.good.next = being.good.next.saturating_add(1);
                play.event(Event::Fortune { who, fate: Fate::Good });
            }
            (pending, _) => {
                action.step = Step::Glory;
                let is_fortune = matches!(pending, Pending::Fortune(_));
                action.no_fortune |= is_fortune;
                return play.event(if is_fortune { Event::Unfortunate(who) } else { Event::Disallowed(who) });
            }
        }
        outcome::deliver(play);
    }
}
