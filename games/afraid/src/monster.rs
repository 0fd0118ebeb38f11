//! The monster's writeup: facts, victims, who has been met.

use crate::state::{State, Thing, To};
use crate::{
    At, Play, answer::Turn, conflict, dice::Rating, dying, event::Event, rules::Writeup, setup::MOST_DICE,
    vocab::*,
};
use fracas_kernel::{Clause, Objections, Sink};

/// The most d10s a victim is worth (`beyond.monster.victims`).
pub(crate) const MOST_WORTH: u8 = 4;

/// Whether the players' characters have met somebody.
pub(crate) fn is_met(state: &State, to: To) -> bool {
    match to {
        To::Char(who) => state.met.has(who) || state.is_pc(who),
        To::Person(person) => state.met_people.has(person),
    }
}

/// Whether a fact is of the three sorts that the harder entries reveal
/// (`long.gm-reveal-person`, `long.gm-reveal-bond`, `long.gm-reveal-access`).
fn is_deep(at: At<'_>, fact: &Writeup) -> bool {
    // A released character is no victim any more (`reveal-released`).
    let is_free = matches!(fact.about, Some(To::Char(who)) if at.state.being(who).hold == Hold::Released);
    let met = fact.about.is_some_and(|to| is_met(at.state, to));
    match fact.topic {
        Topic::Victim | Topic::Slave | Topic::Acolyte => fact.about.is_some() && !met && !is_free,
        Topic::Bond => {
            let bond = fact.bond.and_then(|bond| at.state.thing(bond));
            let mut names = fact.about.into_iter().chain(bond.and_then(|bond| bond.to));
            bond.is_none_or(|bond| !bond.lost) && !names.any(|to| is_victim(at, to))
        }
        // The topic of the fact says whether a person outside the cast is a victim.
        Topic::Access => {
            met && !is_free && matches!(tie(at.state, fact.about), None | Some(Tie::Victim | Tie::Slave))
        }
        Topic::Plain => false,
    }
}

/// Whether a person named by a bond is a victim. A person outside the cast is a victim,
/// unless another fact calls them a slave or an acolyte.
fn is_victim(at: At<'_>, to: To) -> bool {
    let serves =
        |fact: &Writeup| fact.about == Some(to) && matches!(fact.topic, Topic::Slave | Topic::Acolyte);
    match tie(at.state, Some(to)) {
        Some(tie) => tie == Tie::Victim,
        None => !at.rules.facts.iter().any(serves),
    }
}

fn tie(state: &State, to: Option<To>) -> Option<Tie> {
    match to? {
        To::Char(who) => Some(state.being(who).tie),
        To::Person(_) => None,
    }
}

/// What speaks against revealing a fact (`fallout.unknown-only`). Where only the three
/// sorts serve, `sorts` is the clause that says so.
pub(crate) fn object_reveal(at: At<'_>, fact: Fact, sorts: Option<Clause>, out: &mut impl Objections) {
    let Some(writeup) = at.rules.facts.get(fact.index()) else {
        return out.no(clause!("ext.monster"), "the writeup has no such fact");
    };
    if at.state.known.has(fact) {
        let what = "the players know this already: reveal something they do not";
        out.no(clause!("fallout.unknown-only"), what);
    } else if let Some(clause) = sorts.filter(|_| !is_deep(at, writeup)) {
        out.no(
            clause,
            "revealed is somebody not met, a bond on the sheet not named for a victim, or the access to a victim or slave met",
        );
    }
}

/// A fact becomes known, for good (`vis.monster-hidden`).
pub(crate) fn reveal(play: &mut Play<'_, impl Sink<Event>>, fact: Fact) {
    let Some(writeup) = play.rules.facts.get(fact.index()) else { return };
    play.state.known = play.state.known.with(fact);
    if let Some(thing) = writeup.bond.and_then(|bond| play.state.thing_mut(bond)) {
        thing.known = true;
    }
    play.event(Event::Revealed(fact));
}

/// What speaks against something's happening to a victim (`ext.monster`).
pub(crate) fn object_turn(state: &State, who: Char, turn: Turn, out: &mut impl Objections) {
    let being = state.being(who);
    if being.tie != Tie::Victim || being.hold != Hold::Held {
        return out.no(clause!("ext.monster"), "this happens to a victim whom the monster holds");
    }
    if !state.lives(who) {
        return out.no(clause!("victim-dead"), "the victim is dead: her dice stay where they are");
    }
    let mut monsters = state.everybody().filter(|&who| state.being(who).tie == Tie::Monster).peekable();
    let takes = matches!(turn, Turn::Step | Turn::Succumb);
    if takes && monsters.peek().is_some() && !monsters.any(|who| state.lives(who)) {
        out.no(clause!("monster-dead"), "the monster is dead: a victim only comes free of it");
    }
    if turn == Turn::Undo && being.worth == 0 {
        out.no(clause!("step-none"), "no step has been taken with this victim that could be undone");
    }
    if turn == Turn::Step && being.worth < MOST_WORTH {
        if state.stock == 0 {
            out.no(clause!("beyond.monster.victims"), "the monster has no d10 left for another step");
        }
        let full = |item: Item| {
            state.thing(item).is_some_and(|thing| !thing.lost && thing.rating.count >= MOST_DICE)
        };
        if moved(state, who).any(full) {
            out.no(clause!("table-limits"), "a thing on a sheet has 20 dice at most");
        }
    }
}

/// What holds the dice that a victim is worth: her relationship to the monster, and the
/// monster's bond of her name.
fn moved(state: &State, who: Char) -> impl Iterator<Item = Item> + use<> {
    let own = state.sheet(who).find(|(_, thing)| {
        thing.sort == Sort::Relationship
            && matches!(thing.to, Some(To::Char(to)) if state.being(to).tie == Tie::Monster)
    });
    [own.map(|(item, _)| item), state.bond_of_victim(who)].into_iter().flatten()
}

/// Something happens to a victim: a step moves one d10 on the monster's bond of that
/// name and on the victim's relationship alike; who is worth nothing any more is
/// released, who would go beyond the fourth step succumbs. Both bring reflection
/// (`reflection.trigger-succumb`, `reflection.trigger-release`).
pub(crate) fn turn(play: &mut Play<'_, impl Sink<Event>>, who: Char, turn: Turn) {
    let before = play.state.being(who).worth;
    let turn = match turn {
        Turn::Step if before >= MOST_WORTH => Turn::Succumb,
        Turn::Undo if before <= 1 => Turn::Release,
        other => other,
    };
    let worth = match turn {
        Turn::Step => before + 1,
        Turn::Undo => before.saturating_sub(1),
        Turn::Release => 0,
        Turn::Succumb => before,
    };
    // d10s come out of the monster's stock and go back to it.
    play.state.stock = play.state.stock.saturating_add(before).saturating_sub(worth);
    let moved = moved(play.state, who);
    if let Some(being) = play.state.being_mut(who) {
        being.worth = worth;
        being.hold = match turn {
            Turn::Succumb => Hold::Succumbed,
            Turn::Release => Hold::Released,
            Turn::Step | Turn::Undo => Hold::Held,
        };
    }
    play.event(Event::Victim { who, turn, worth });
    for item in moved {
        // What is struck off stays so; dice that it gained otherwise stay.
        let Some(&Thing { owner, rating, .. }) = play.state.thing(item).filter(|thing| !thing.lost) else {
            continue;
        };
        let count = rating.count.saturating_add(worth).saturating_sub(before);
        conflict::rate(play.state, item, (count > 0).then_some(Rating { count, ..rating }));
        if count == 0 {
            play.event(Event::Gone { who: owner, item });
        }
    }
    if matches!(turn, Turn::Succumb | Turn::Release) {
        dying::reflect(play.state, None);
    }
}

/// The players' characters meet somebody.
pub(crate) fn meet(play: &mut Play<'_, impl Sink<Event>>, to: To) {
    if is_met(play.state, to) {
        return;
    }
    match to {
        To::Char(who) => play.state.met = play.state.met.with(who),
        To::Person(person) => play.state.met_people = play.state.met_people.with(person),
    }
    play.event(Event::Met(to));
}

/// Marks everybody in a scene with a player's character as met.
pub(crate) fn meet_all(play: &mut Play<'_, impl Sink<Event>>) {
    let mut met = CharSet::NONE;
    for scene in &play.state.scenes {
        if scene.present.iter().any(|who| play.state.is_pc(who)) {
            met = met.or(scene.present);
        }
    }
    for who in met.iter() {
        meet(play, To::Char(who));
    }
}
