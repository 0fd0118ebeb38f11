//! What a guilty save brings the character who acted (`save.guilty-means`, `ext.npc-glory`).

use crate::answer::{Answer, UpperPick};
use crate::effect::{PRESS, RALLY};
use crate::guilt::{harmless, object_surprise};
use crate::impose::{self, Doing};
use crate::{At, Play, boons, event::Event, outcome, state::Origin, vocab::*};
use fracas_kernel::{Objections, Sink, Told, Viewer, takes};

/// Degrees that overwhelming adds.
pub(crate) const OVERWHELMED: u8 = 4;

pub(crate) fn told(at: At<'_>, on: Char, by: Option<Char>, _: Viewer) -> Told {
    let (on, by) = (at.rules.name(on), by.map_or("the danger", |by| at.rules.name(by)));
    Told::new(format!("{on} failed a save guiltily: what does {by} gain?")).why(clause!("save.guilty-means"))
}

/// Lists what it can bring.
pub(crate) fn legal(at: At<'_>, on: Char, _: Option<Char>, each: &mut impl FnMut(Answer)) {
    let mut put = |pick: UpperPick| each(Answer::Upper(pick));
    put(UpperPick::Press);
    at.state.losable(on).for_each(|boon| put(UpperPick::Seize(boon)));
    harmless(at.rules).for_each(|end| put(UpperPick::Surprise(end)));
    at.rules.everybody().for_each(|other| put(UpperPick::Rally(other)));
    put(UpperPick::Overwhelm);
}

takes!(
    Answer,
    Answer::Upper(_),
    clause!("save.guilty-means"),
    "expected what the acting character gains: press, seize, surprise, rally or overwhelm"
);

/// Collects the reasons against what the gamemaster picks.
pub(crate) fn object(at: At<'_>, on: Char, npc: Option<Char>, answer: Answer, out: &mut impl Objections) {
    let Answer::Upper(pick) = answer else { return };
    if npc.is_none() && !matches!(pick, UpperPick::Surprise(_) | UpperPick::Overwhelm) {
        out.no(clause!("ext.npc-glory"), "the surroundings surprise or overwhelm, and nothing else");
    }
    match pick {
        UpperPick::Press | UpperPick::Overwhelm => {}
        UpperPick::Seize(boon) => {
            if !at.state.losable(on).any(|other| other == boon) {
                out.no(clause!("ext.npc-glory"), "what is seized is in the target's use");
            }
        }
        UpperPick::Surprise(end) => {
            object_surprise(at.rules, end, clause!("ext.npc-glory"), out);
        }
        UpperPick::Rally(other) => {
            let near = npc.is_some_and(|npc| at.state.near(npc, other));
            if at.rules.is_pc(other) || !near {
                out.no(clause!("ext.npc-glory"), "another of the gamemaster's characters nearby is rallied");
            }
        }
    }
}

/// Applies what the gamemaster picks.
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, on: Char, by: Option<Char>, answer: Answer) {
    let (Some(action), Answer::Upper(pick)) = (play.state.action, answer) else { return };
    let upper = pick.upper();
    play.event(Event::Upper { on, by, upper });
    let doing = Doing::of(Origin::Upper(upper), by, Some(on));
    match pick {
        UpperPick::Press => impose::all(play, &PRESS, doing),
        UpperPick::Rally(ally) => impose::all(play, &RALLY, Doing { ally: Some(ally), ..doing }),
        UpperPick::Seize(boon) => boons::lose(play, boon),
        UpperPick::Surprise(end) => impose::end(play, end, Target::Char(on), action.target, 0),
        UpperPick::Overwhelm => outcome::raise(play, OVERWHELMED),
    }
    outcome::deliver(play);
}
