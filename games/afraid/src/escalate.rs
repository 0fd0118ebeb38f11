//! Escalating, matching, joining, cutting to another scene.

use crate::conflict::{self, due};
use crate::state::{Conflict, Due, Exchange, Nature, Next, Part, State, Step, Why};
use crate::{At, Play, answer::Answer, event::Event, scene, view::said, vocab::*};
use fracas_kernel::{Objections, Seat, SeatSet, Sink, Told, Viewer, fine, takes};
use std::cmp::Reverse;

/// What speaks against somebody's escalating, on a challenge or instead of an answer.
pub(crate) fn object(at: At<'_>, who: Char, arena: Arena, out: &mut impl Objections) {
    let Some(conflict) = at.state.conflict() else { return };
    let (Some(exchange), Some(part)) = (conflict.exchange(), conflict.part(who)) else { return };
    if matches!(at.state.being(who).nature, Nature::Thing(_)) {
        out.no(clause!("firstaid-injury-fallout"), "what has no sheet cannot escalate");
    }
    if part.arenas.has(arena) {
        out.no(clause!("illegal.escalate"), "this arena has been entered already: a new one is needed");
    }
    if exchange.step == Step::Making {
        if exchange.escalated.is_some() {
            out.no(clause!("esc.challenge"), "a challenge goes into one new arena");
        }
        return;
    }
    if exchange.binds(who) {
        out.no(clause!("esc.match-now-binds"), "a character who has matched owes an answer in kind");
    }
    if barred(conflict, who).has(arena) {
        let what = "an opponent has escalated there: to go along one must really answer";
        out.no(clause!("esc.in-kind-bar"), what);
    }
    if at.rules.options.lockout && part.matched {
        let what = "a character who has matched an escalation no longer escalates instead of answering";
        out.no(clause!("in-kind-bar-scope"), what);
    }
    if conflict.exchanges.is_full() {
        out.no(clause!("table-limits"), "too many challenges are outstanding: let some be answered");
    }
}

/// Escalates. In place of an answer the escalation is a challenge, resolved at once
/// (`esc.instead-no-answer`, `escalate-instead-turn`).
pub(crate) fn escalate(play: &mut Play<'_, impl Sink<Event>>, who: Char, arena: Arena) {
    let may_cut = may_cut(play.state);
    let Some(conflict) = play.state.conflict_mut() else { return };
    let instead = conflict.exchange().is_some_and(|exchange| exchange.step != Step::Making);
    if instead {
        if let Some(outer) = conflict.exchange_mut() {
            outer.owed = outer.owed.without(who);
        }
        // It was her turn, if she has not had it this round.
        conflict.had = conflict.had.with(who);
        conflict.exchanges.push(Exchange { instead: true, ..Exchange::new(who) });
    }
    if let Some(exchange) = conflict.exchange_mut() {
        exchange.escalated = Some(arena);
    }
    conflict.latest = Some(arena);
    if let Some(part) = conflict.part_mut(who) {
        part.escalated = part.escalated.with(arena);
    }
    if may_cut {
        conflict.next.push(Next::Cut);
    }
    play.event(Event::Escalated { who, arena, instead });
    let dice = conflict::roll_stats(play.state, who, arena);
    due(play.state, Due { who, dice, why: Why::Escalated(arena) });
    if let Some(conflict) = play.state.conflict_mut() {
        conflict.unwelcome = CharSet::NONE;
        conflict.next.push(Next::Join(everyone()));
    }
}

/// Whether an escalation offers a cut to another scene (`esc.cut`, `cut-unseen`): scenes
/// that players do not see count only where this is one.
pub(crate) fn may_cut(state: &State) -> bool {
    let seen = |at: usize| state.scenes.get(at).is_some_and(|scene| state.is_open(scene));
    let now = usize::from(state.now);
    (0..state.scenes.len()).any(|at| at != now && (seen(at) || !seen(now)))
}

/// Every seat there can be.
fn everyone() -> SeatSet {
    (0..SeatSet::PLAYERS).map(Seat::Player).chain([Seat::Gm]).collect()
}

/// Lists the arenas somebody may escalate to.
pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Arena)) {
    let Some((conflict, part)) = at.state.conflict().and_then(|it| Some((it, it.part(who)?))) else { return };
    let barred = part.arenas.or(barred(conflict, who));
    let mut open = Arena::ALL.iter().copied().filter(|&arena| !barred.has(arena)).peekable();
    // What else speaks against one of them speaks against all.
    if open.peek().is_some_and(|&first| fine(|out| object(at, who, first, out))) {
        open.for_each(each);
    }
}

/// Arenas into which nobody goes instead of answering, as an opponent has escalated there.
fn barred(conflict: &Conflict, who: Char) -> ArenaSet {
    let is_turn = conflict.exchange().is_none_or(|exchange| exchange.step == Step::Making);
    let side = conflict.part(who).map(|part| part.side);
    let opponents = conflict.parts.iter().filter(|part| !is_turn && !part.out && Some(part.side) != side);
    opponents.fold(ArenaSet::NONE, |all, part| all.or(part.escalated))
}

/// Where somebody would go who responds in kind.
pub(crate) fn matched_arena(state: &State, who: Char) -> Option<Arena> {
    let conflict = state.conflict()?;
    let exchange = conflict.exchange()?;
    let arena = match exchange.step {
        Step::Matching => exchange.escalated?,
        _ => exchange.strike().arena?,
    };
    let part = conflict.part(who)?;
    (!part.arenas.has(arena) && state.has_sheet(who)).then_some(arena)
}

/// Goes along into the challenge's arena, at once or with this answer (`esc.match-now`,
/// `esc.match-later`).
pub(crate) fn go_along(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let Some(arena) = matched_arena(play.state, who) else { return };
    let dice = conflict::roll_stats(play.state, who, arena);
    let Some(conflict) = play.state.conflict_mut() else { return };
    let opponents = conflict.opponents(who);
    let escalated = |part: &Part| opponents.has(part.who) && part.escalated.has(arena);
    let matches = conflict.parts.iter().any(escalated);
    if let Some(part) = conflict.part_mut(who) {
        part.matched |= matches;
    }
    let Some(exchange) = conflict.exchange_mut() else { return };
    let at_once = exchange.step == Step::Matching;
    exchange.may_match = exchange.may_match.without(who);
    if at_once {
        exchange.committed = exchange.committed.with(who);
    } else {
        exchange.in_kind = exchange.in_kind.with(who);
    }
    play.event(Event::Matched { who, arena, at_once });
    due(play.state, Due { who, dice, why: Why::Matched(arena) });
}

/// What speaks against somebody's joining with somebody (`join.on-escalation`).
pub(crate) fn object_join(state: &State, seat: Seat, who: Char, with: Char, out: &mut impl Objections) {
    let (Some(scene), Some(conflict)) = (state.scene(), state.conflict()) else { return };
    if state.seat(who) != seat {
        out.no(clause!("setup.sides"), "only a character's own player has it join");
    }
    if !scene.present.has(who) || !state.lives(who) {
        out.no(clause!("join.on-escalation"), "a character who joins is in the scene, and alive");
    } else if conflict.parts().has(who) {
        out.no(clause!("join.on-escalation"), "this character has taken part already");
    }
    if conflict.unwelcome.has(who) {
        out.no(clause!("join-dice"), "the gamemaster has said that this one cannot be there");
    }
    if conflict.aid.is_some_and(|aid| aid.victim == who) {
        out.no(clause!("firstaid.other-dice"), "the victim of a first aid conflict takes no part in it");
    }
    if with == Char::INJURY {
        out.no(clause!("aid-injury-side"), "nobody joins the side of an injury");
    } else if !conflict.is_in(with) {
        out.no(clause!("join-dice"), "one joins the side of somebody who is still in the conflict");
    } else {
        let side = conflict.allies(with).with(with);
        if !conflict::may_side_with(state, side) || !conflict::may_side_with(state, CharSet::one(who)) {
            out.no(
                clause!("beyond.scene.alone"),
                "nobody comes to the side of somebody who is Alone before she has won a conflict over it",
            );
        }
    }
    if conflict.parts.is_full() || conflict.next.len() + conflict.parts.len() + 4 > conflict.next.capacity() {
        out.no(clause!("table-limits"), "no more can take part in this conflict");
    }
}

/// Whether a joiner who waits for the gamemaster's word may still join this side.
pub(crate) fn may_come(state: &State, who: Char, side: u8) -> bool {
    let with = state.conflict().and_then(|conflict| conflict.first_in(side));
    with.is_some_and(|with| fine(|out| object_join(state, state.seat(who), who, with, out)))
}

/// Somebody joins: a player's waits for the gamemaster's word.
pub(crate) fn join(play: &mut Play<'_, impl Sink<Event>>, who: Char, with: Char) {
    let pc = play.state.is_pc(who);
    let Some(conflict) = play.state.conflict_mut() else { return };
    let Some(side) = conflict.part(with).map(|part| part.side) else { return };
    if pc {
        conflict.next.insert(0, Next::Admit { who, side });
    } else {
        admit(play, who, side);
    }
}

/// Somebody has joined: they roll for the arena just escalated to, what is to opponents
/// and stakes, and what bonds hold; opponents to whom they matter roll for it
/// (`join-dice`, `relationship-late`).
pub(crate) fn admit(play: &mut Play<'_, impl Sink<Event>>, who: Char, side: u8) {
    let Some(conflict) = play.state.conflict_mut() else { return };
    let Some(arena) = conflict.latest else { return };
    conflict.parts.push(Part { arenas: ArenaSet::NONE, ..Part::new(who, side, None) });
    if let Some(exchange) = conflict.exchange_mut() {
        exchange.fresh = exchange.fresh.with(who);
    }
    play.event(Event::Joined { who, side });
    conflict::claim_kept(play, who);
    let own = conflict::roll_stats(play.state, who, arena).plus(conflict::opening_things(play.state, who));
    let opponents = play.state.conflict().map_or(CharSet::NONE, |conflict| conflict.opponents(who));
    let mut at = 0;
    let mut put = |state: &mut State, due: Due| {
        if let Some(conflict) = state.conflict_mut()
            && !due.dice.is_empty()
        {
            conflict.next.insert(at, Next::Roll(due));
            at += 1;
        }
    };
    put(play.state, Due { who, dice: own, why: Why::Joined(arena) });
    for other in opponents.iter() {
        if play.state.conflict().is_some_and(|conflict| conflict.is_in(other)) {
            conflict::claim_kept(play, other);
            let dice = conflict::relationships(play.state, other);
            put(play.state, Due { who: other, dice, why: Why::Came });
        }
    }
    if own.is_empty() {
        take_place(play.state, who);
    }
}

/// A character who joined takes a place in the round's order among the characters still to
/// act (`join-dice`), by the hands that made the order (`join-pairs`).
pub(crate) fn take_place(state: &mut State, who: Char) {
    state.rank(who);
    let Some(conflict) = state.conflict() else { return };
    let place = |who: Char| (Reverse(state.ranked(who).rank()), conflict::seating(state, who));
    let behind = |other: &Char| !conflict.had.has(*other) && place(who) < place(*other);
    let at = conflict.order.iter().position(behind).unwrap_or(conflict.order.len());
    if let Some(conflict) = state.conflict_mut()
        && !conflict.order.is_full()
    {
        conflict.order.insert(at, who);
    }
}

/// Seats, of these, that have somebody who could join.
pub(crate) fn joiners(state: &State, seats: SeatSet) -> SeatSet {
    let could = |seat: &Seat| {
        let mut any = false;
        legal_join(state, *seat, &mut |_, _| any = true);
        any
    };
    let theirs: SeatSet = outside(state).iter().map(|who| state.seat(who)).collect();
    seats.and(theirs).iter().filter(could).collect()
}

/// Those in the scene who have no part in its conflict.
fn outside(state: &State) -> CharSet {
    match (state.scene(), state.conflict()) {
        (Some(scene), Some(conflict)) => scene.present.minus(conflict.parts()),
        _ => CharSet::NONE,
    }
}

/// Lists who of a seat may join, on every side.
pub(crate) fn legal_join(state: &State, seat: Seat, each: &mut impl FnMut(Char, Char)) {
    let Some(conflict) = state.conflict() else { return };
    for who in outside(state).iter().filter(|&who| state.seat(who) == seat) {
        for side in conflict.sides_left() {
            if let Some(with) = conflict.first_in(side)
                && fine(|out| object_join(state, seat, who, with, out))
            {
                each(who, with);
            }
        }
    }
}

/// A character who is challenged in a new arena may match at once.
pub(crate) mod at_once {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let exchange = at.state.exchange();
        let (by, who) = (said(at, exchange.map_or(who, |exchange| exchange.by)), said(at, who));
        let arena = exchange.and_then(|exchange| exchange.escalated).map_or("", Arena::word);
        Told::new(format!("{by} has escalated to {arena}. {who}: match at once?"))
            .leads("a character who matches now must answer in kind")
            .why(clause!("esc.match-now"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        [Answer::Match, Answer::Pass].into_iter().for_each(each);
    }

    takes!(Answer, Answer::Match | Answer::Pass, clause!("esc.match-now"), "expected match, or pass");

    pub(crate) fn object(_: At<'_>, _: Char, _: Answer, _: &mut impl Objections) {}

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        match answer {
            Answer::Match => go_along(play, who),
            _ => {
                if let Some(exchange) = play.state.exchange_mut() {
                    exchange.may_match = exchange.may_match.without(who);
                }
            }
        }
    }
}

/// The gamemaster may cut to another scene.
pub(crate) mod cutting {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
        Told::new("An escalation: cut to another scene?").why(clause!("esc.cut"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        (0..at.state.scenes.len() as u8).for_each(|to| each(Answer::Cut(to)));
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Cut(_),
        clause!("esc.cut"),
        "expected another scene that runs, or pass"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        let there = usize::from(at.state.now);
        if let Answer::Cut(to) = answer
            && (usize::from(to) >= at.state.scenes.len() || usize::from(to) == there)
        {
            out.no(clause!("esc.cut"), "expected another scene that runs, or pass");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        conflict::drop_next(play.state);
        if let Answer::Cut(to) = answer {
            scene::cut(play, to);
        }
    }
}

/// Whether somebody of a seat joins.
pub(crate) mod joining {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Seat, _: Viewer) -> Told {
        Told::new("An escalation: does somebody of yours join?").why(clause!("join.on-escalation"))
    }

    pub(crate) fn legal(at: At<'_>, seat: Seat, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        legal_join(at.state, seat, &mut |who, with| each(Answer::Join { who, with }));
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Join { .. },
        clause!("join.on-escalation"),
        "expected who joins with whom, or pass"
    );

    pub(crate) fn object(at: At<'_>, seat: Seat, answer: Answer, out: &mut impl Objections) {
        if let Answer::Join { who, with } = answer {
            object_join(at.state, seat, who, with, out);
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, seat: Seat, answer: Answer) {
        match answer {
            Answer::Join { who, with } => join(play, who, with),
            _ => {
                let next = play.state.conflict_mut().and_then(|conflict| conflict.next.first_mut());
                if let Some(Next::Join(seats)) = next {
                    *seats = seats.iter().filter(|&one| one != seat).collect();
                }
            }
        }
    }
}

/// Whether a player's character who joins can be there.
pub(crate) mod admitting {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, with: Char, _: Viewer) -> Told {
        let (who, with) = (said(at, who), said(at, with));
        Told::new(format!("{who} would join {with}. Can they be there?")).why(clause!("join-dice"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, _: Char, each: &mut impl FnMut(Answer)) {
        [Answer::Yes, Answer::No].into_iter().for_each(each);
    }

    takes!(Answer, Answer::Yes | Answer::No, clause!("join-dice"), "expected yes or no");

    pub(crate) fn object(_: At<'_>, _: Char, _: Char, _: Answer, _: &mut impl Objections) {}

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, _: Char, answer: Answer) {
        let next = play.state.conflict().and_then(|conflict| conflict.next.first()).copied();
        conflict::drop_next(play.state);
        match next {
            Some(Next::Admit { side, .. }) if answer == Answer::Yes => admit(play, who, side),
            _ => {
                // The joiner is not asked again.
                if let Some(conflict) = play.state.conflict_mut() {
                    conflict.unwelcome = conflict.unwelcome.with(who);
                    play.event(Event::NotAdmitted(who));
                }
            }
        }
    }
}
