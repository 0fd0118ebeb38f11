//! First aid, and real medical care.

use crate::state::{AidCase, Chore, Conflict, Fate, Need, Part, State};
use crate::{
    At, Play,
    answer::{Answer, AtStake},
    dice::Pool,
    dying,
    event::Event,
    fallout,
    view::said,
    vocab::*,
};
use fracas_kernel::{Objections, Sink, Told, Viewer, takes};

/// The dice of an injury that came without fallout dice (`ext.injury-dice`).
const UNKNOWN: Pool = Pool([0, 4, 0, 0]);

/// Requires first aid (`firstaid.required`). The injury has the fallout dice that caused it. If
/// first aid has been tried already, only medical care is left.
pub(crate) fn require(play: &mut Play<'_, impl Sink<Event>>, who: Char, dice: Pool) {
    let Some(being) = play.state.being_mut(who) else { return };
    let dice = if dice.is_empty() { UNKNOWN } else { dice };
    let tried = being.need.is_some_and(|need| need.tried);
    being.need = Some(Need { dice, tried, met: false });
    play.event(Event::NeedsAid(who));
}

/// What speaks against a first aid conflict.
pub(crate) fn object(at: At<'_>, victim: Char, provider: Char, out: &mut impl Objections) {
    let Some(scene) = at.state.scene() else { return };
    match at.state.being(victim).need {
        _ if !scene.present.has(victim) || !at.state.lives(victim) => {
            out.no(clause!("firstaid.required"), "the victim is in the scene, and alive");
        }
        None => {
            out.no(clause!("firstaid.required"), "nobody needs first aid whose fallout does not require it")
        }
        Some(_) => {}
    }
    let able = at.state.has_sheet(provider) && scene.present.has(provider) && at.state.lives(provider);
    if !able {
        let what = "the provider is somebody in the scene, with a sheet, and alive";
        out.no(clause!("firstaid.required"), what);
    }
    if victim == provider && !at.rules.settings.self_aid {
        out.no(clause!("firstaid-self"), "nobody gives first aid to herself, unless the table allows it");
    }
}

/// A first aid conflict begins: the provider against the injury, the victim's life at
/// stake (`firstaid.injury-opponent`, `firstaid-outcome`).
pub(crate) fn open(play: &mut Play<'_, impl Sink<Event>>, (victim, provider, kind): (Char, Char, Aid)) {
    let Some(need) = play.state.being(victim).need else { return };
    let dice = need.dice.plus(play.rules.settings.influence);
    let Some(scene) = play.state.scene_mut() else { return };
    let mut conflict = Conflict::new(None);
    conflict.parts.push(Part::new(provider, 0, None));
    conflict.parts.push(Part::new(Char::INJURY, 1, None));
    conflict.aid = Some(AidCase { victim, provider, kind, bank: Pool::EMPTY, dice });
    let one = CharSet::one(victim);
    conflict.stakes.what = AtStake { lives: one, about: one.into(), ..AtStake::default() };
    scene.conflict = Some(conflict);
    play.event(Event::AidOpened { victim, provider, kind });
}

/// The opening pool of a first aid conflict: the provider has one stat of her own and one of
/// the victim's, the injury its dice (`firstaid.physical`, `firstaid.psychological`). Marks
/// the provider's own stat, and no other, as rolled (`firstaid-arena`).
pub(crate) fn opening(state: &mut State, aid: AidCase, who: Char) -> Pool {
    if who == Char::INJURY {
        return aid.dice;
    }
    let (own, theirs) = aid.kind.stats();
    let dice = state
        .being(who)
        .stat_dice(StatSet::one(own))
        .plus(state.being(aid.victim).stat_dice(StatSet::one(theirs)));
    if let Some(part) = state.part_mut(who) {
        part.rolled = part.rolled.with(own);
        if who == aid.victim {
            // Both stats are her own.
            part.rolled = part.rolled.with(theirs);
        }
    }
    dice
}

/// A first aid conflict has been resolved: the need is met, or it remains
/// (`firstaid-outcome`). The victim rolls the dice that she banked (`firstaid.fallout-end`).
pub(crate) fn resolved(state: &mut State, conflict: &Conflict, winner: u8) {
    let Some(aid) = conflict.aid else { return };
    let won = conflict.aid_is_won(winner);
    state.change(aid.victim, |being| {
        being.need = being.need.map(|need| Need { tried: true, met: won, ..need })
    });
    fallout::add(state, Chore::Need(aid.victim));
}

/// Whether medical care or death must be decided: the character lives, and the need was not
/// met. A need that was met is over.
pub(crate) fn settle_need(play: &mut Play<'_, impl Sink<Event>>, who: Char) -> bool {
    let Some(being) = play.state.being_mut(who) else { return false };
    match being.need {
        Some(need) if being.fate == Fate::Living && !need.met => true,
        Some(need) if need.met => {
            being.need = None;
            play.event(Event::AidMet(who));
            false
        }
        _ => false,
    }
}

/// Real medical care (`medical.care`, `medical.circumstances`, `medical.long-term`): all
/// four circumstances become true, and one more long-term result is chosen first, on
/// those that were false.
pub(crate) fn care(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    play.state.change(who, |being| being.need = None);
    play.event(Event::Cared(who));
    fallout::add(play.state, fallout::long_term(who));
    fallout::add(play.state, Chore::Recovers(who));
}

/// First aid was not enough, or nobody gave it: care, or death.
pub(crate) mod need {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let cause =
            if is_tried(at, who) { "First aid was not enough for" } else { "Nobody gave first aid to" };
        Told::new(format!("{cause} {}: real medical care, or death?", said(at, who)))
            .why(clause!("firstaid.demands-more"))
    }

    pub(crate) fn legal(_: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        [Answer::Care(who), Answer::Perish(who)].into_iter().for_each(each);
    }

    takes!(
        Answer,
        Answer::Care(_) | Answer::Perish(_) | Answer::FirstAid { .. },
        clause!("firstaid.demands-more"),
        "expected real medical care for the victim, or death"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Care(victim) | Answer::Perish(victim) if victim == who => {}
            Answer::FirstAid { .. } if is_tried(at, who) => {
                out.no(clause!("firstaid.one-in-row"), "only one first aid conflict in a row is allowed");
            }
            _ => out
                .no(clause!("firstaid.demands-more"), "expected real medical care for the victim, or death"),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        play.state.chores.remove(0);
        match answer {
            Answer::Care(_) => care(play, who),
            _ => dying::die(play, who),
        }
        fallout::settle(play);
    }

    fn is_tried(at: At<'_>, who: Char) -> bool {
        at.state.being(who).need.is_some_and(|need| need.tried)
    }
}
