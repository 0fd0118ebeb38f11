//! A conflict from its stakes to its end.

use crate::answer::{Answer, AtStake, Sides};
use crate::dice::{Hand, Pool, Rating};
use crate::state::{
    Being, Changes, Conflict, Due, Exchange, Kept, Last, Lent, MAX_LENT, MAX_PARTS, Nature, Next, Part,
    Stage, Stakes, Standing, State, Thing, To, Why,
};
use crate::{
    At, Play, aid, challenge, dying, escalate, event::Event, fallout, flow::voice, rules::Options, view,
    vocab::*, words,
};
use arrayvec::ArrayVec;
use fracas_kernel::{Any, Label, Objections, Seat, Sink, Told, Viewer, Who, fine, takes};
use std::cmp::Reverse;

/// What speaks against opening a conflict.
pub(crate) fn object_open(state: &State, sides: Sides, followup: bool, out: &mut impl Objections) {
    let all = sides.all();
    let count: usize = sides.iter().map(|(_, side)| side.len()).sum();
    if sides.iter().count() < 2 {
        out.no(clause!("setup.sides"), "a conflict takes two sides with somebody on each");
    }
    if count > all.len() {
        out.no(clause!("setup.sides"), "everybody is on one side only");
    }
    if count > MAX_PARTS {
        out.no(clause!("table-limits"), "at most twelve take part in one conflict");
    }
    if all.has(Char::INJURY) {
        out.no(clause!("setup.sides"), "an injury is an opponent in first aid alone");
    }
    object_sides(state, sides, |_| true, out);
    if followup && state.scene().is_none_or(|scene| scene.last.is_none()) {
        out.no(clause!("followup-rules"), "there is no conflict in this scene that it could follow up");
    }
}

/// What speaks against these sides of a conflict here. It is judged again when the
/// conflict begins, for play may have been elsewhere meanwhile. Being Alone is judged of
/// those for whom it `counts`.
fn object_sides(state: &State, sides: Sides, counts: impl Fn(Char) -> bool, out: &mut impl Objections) {
    let Some(scene) = state.scene() else { return };
    let all = sides.all().without(Char::INJURY);
    if !all.minus(scene.present).is_empty() || all.iter().any(|who| !state.lives(who)) {
        out.no(clause!("setup.sides"), "everybody who takes part is in the scene, and alive");
    }
    for (_, side) in sides.iter() {
        if side.len() > 1 && side.iter().any(|who| counts(who) && cut_off(state, who)) {
            out.no(
                clause!("beyond.scene.alone"),
                "somebody who is Alone has no friend or ally at her side before she has won a conflict over it",
            );
        }
    }
}

/// Whether friends are kept from somebody who is Alone (`alone-of-whom`).
fn cut_off(state: &State, who: Char) -> bool {
    state.being(who).circumstances.has(Circumstance::Alone)
}

/// Whether somebody may come to the side of these.
pub(crate) fn may_side_with(state: &State, side: CharSet) -> bool {
    side.iter().all(|who| !cut_off(state, who))
}

/// A conflict begins: its stakes are to be named.
pub(crate) fn open(play: &mut Play<'_, impl Sink<Event>>, sides: Sides, arena: Arena, followup: bool) {
    let Some(scene) = play.state.scene_mut() else { return };
    let mut conflict = Conflict::new(Some(arena));
    conflict.followup = followup;
    for (side, (_, who)) in (0u8..).zip(sides.iter()) {
        conflict.parts.extend(who.iter().map(|who| Part::new(who, side, Some(arena))));
    }
    scene.conflict = Some(conflict);
    play.event(Event::Opened { sides, arena, followup });
}

/// What speaks against putting this at stake.
pub(crate) fn object_stake(state: &State, by: Seat, what: AtStake, out: &mut impl Objections) {
    if what == AtStake::default() {
        out.no(clause!("stakes.thing"), "say whom or what it concerns, or put the stakes in words");
    }
    if what.lives.iter().any(|who| !state.seems_alive(who, by)) {
        out.no(clause!("dying.final"), "the dead have no life to lose");
    }
    if what.lives.has(Char::INJURY) {
        out.no(clause!("dying.by-stakes"), "only a character has a life to lose, not an injury");
    }
    if what.circumstances.everybody().iter().any(|who| !state.has_sheet(who)) {
        out.no(clause!("stakes.circumstances"), "only somebody with a sheet has circumstances");
    }
    object_dead(state, by, what.circumstances, out);
}

/// What speaks against the circumstances of the dead, as far as a seat knows of them.
fn object_dead(state: &State, by: Seat, whose: Changes, out: &mut impl Objections) {
    if whose.everybody().iter().any(|who| !state.seems_alive(who, by)) {
        out.no(clause!("dead-at-stake"), "the circumstances of the dead do not change");
    }
}

/// Puts something at stake; a musing does it by implication (`stakes.implicit`).
pub(crate) fn stake(play: &mut Play<'_, impl Sink<Event>>, what: AtStake, implied: bool) {
    let Some(conflict) = play.state.conflict_mut() else { return };
    let all = &mut conflict.stakes.what;
    (all.lives, all.about) = (all.lives.or(what.lives), all.about.or(what.about));
    for &circumstance in Circumstance::ALL {
        let whose = all.circumstances.of_mut(circumstance);
        *whose = whose.or(what.circumstances.of(circumstance));
    }
    conflict.stakes.implied |= implied;
    play.event(Event::Staked { what, implied });
}

/// The stakes in words.
pub(crate) fn name_thing(play: &mut Play<'_, impl Sink<Event>>, thing: Label) {
    if let Some(conflict) = play.state.conflict_mut() {
        conflict.stakes.thing = Some(thing);
        play.event(Event::Thing(thing));
    }
}

/// What speaks against beginning.
pub(crate) fn object_begin(at: At<'_>, out: &mut impl Objections) {
    let (Some(scene), Some(conflict)) = (at.state.scene(), at.state.conflict()) else { return };
    if let Some(aid) = conflict.aid {
        if !at.state.lives(aid.victim) {
            out.no(clause!("dying.final"), "the victim is dead: call it off");
        }
        aid::object(at, aid.victim, aid.provider, out);
    }
    // Whom the gamemaster's characters stand with was settled when it was opened
    // (`sides-while-staking`).
    object_sides(at.state, conflict.sides(), |who| at.state.is_pc(who), out);
    if !conflict.stakes.are_named() {
        out.no(clause!("setup.stakes"), "nothing is at stake yet: name it, or muse on what may come of it");
    }
    if let (true, Some(last)) = (conflict.followup, scene.last)
        && conflict.stakes.are_those(&last.stakes)
        && (conflict.parts() == last.parts || scene.stage == last.stage || conflict.arena == last.arena)
    {
        out.no(
            clause!("followup-rules"),
            "a followup over the same stakes has other participants, another stage and another opening arena",
        );
    }
}

/// The opening dice are due: stats of the arena, relationships that matter, bonds
/// that hold; what was kept joins if this follows up.
pub(crate) fn begin(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(parts) = play.state.conflict().map(|conflict| conflict.parts.clone()) else { return };
    for part in &parts {
        claim_kept(play, part.who);
    }
    for part in &parts {
        let dice = match play.state.conflict().and_then(|conflict| conflict.aid) {
            Some(aid) => aid::opening(play.state, aid, part.who),
            None => part.arena.map_or(Pool::EMPTY, |arena| roll_stats(play.state, part.who, arena)),
        };
        let dice = dice.plus(opening_things(play.state, part.who));
        due(play.state, Due { who: part.who, dice, why: Why::Opening });
    }
    if let Some(conflict) = play.state.conflict_mut() {
        conflict.stage = Stage::Running;
    }
}

/// Dice that are due, unless there are none.
pub(crate) fn due(state: &mut State, due: Due) {
    if let Some(conflict) = state.conflict_mut() {
        conflict.owe(due);
    }
}

/// Something on a sheet has other dice from now on, or is struck off. Dice that are due for
/// it follow (`dice-due`).
pub(crate) fn rate(state: &mut State, item: Item, rating: Option<Rating>) {
    let Some(thing) = state.thing_mut(item) else { return };
    let before = thing.dice();
    match rating {
        Some(rating) => (thing.rating, thing.lost) = (rating, false),
        None => thing.lost = true,
    }
    let thing = *thing;
    for conflict in state.scenes.iter_mut().filter_map(|scene| scene.conflict.as_mut()) {
        follow(conflict, (item, &thing), before);
    }
}

/// Dice that are due for something on a sheet, which were so many before, are as many as it
/// has now. Dice assigned to it apart stay, until it is struck off.
fn follow(conflict: &mut Conflict, (item, thing): (Item, &Thing), before: Pool) {
    if !thing.rolled {
        return;
    }
    let joiner = conflict.parts.last().map(|part| part.who);
    let by_joiner = thing.sort == Sort::Relationship
        && thing.to == joiner.map(To::Char)
        && thing.to.is_some_and(|to| !conflict.stakes.concern(to));
    let after = thing.dice();
    let mut dues: ArrayVec<&mut Due, 24> = conflict
        .next
        .iter_mut()
        .filter_map(|next| if let Next::Roll(due) = next { Some(due) } else { None })
        .filter(|due| due.who == thing.owner)
        .collect();
    let apart = dues.iter().filter(|due| due.why == Why::Assigned(item));
    let apart = apart.fold(Pool::EMPTY, |all, due| all.plus(due.dice));
    let own = |dice: Pool| dice.minus(apart).unwrap_or_default();
    for due in &mut dues {
        due.dice = match due.why {
            Why::Brought(it) if it == item => after,
            Why::Assigned(it) if it == item && thing.lost => Pool::EMPTY,
            Why::Came if !by_joiner => due.dice,
            Why::Opening | Why::Joined(_) | Why::Came => {
                due.dice.minus(own(before)).map_or(due.dice, |others| others.plus(own(after)))
            }
            _ => due.dice,
        };
    }
}

/// The dice of the stats of an arena that somebody has not rolled in this conflict
/// (`esc.challenge-roll`), which now count as rolled; and they enter the arena.
pub(crate) fn roll_stats(state: &mut State, who: Char, arena: Arena) -> Pool {
    let Being { nature, stats, .. } = *state.being(who);
    let thing = if let Nature::Thing(dice) = nature { dice } else { Pool::EMPTY };
    let Some(part) = state.part_mut(who) else { return Pool::EMPTY };
    let fresh = arena.stats().minus(part.rolled);
    let first = part.rolled.is_empty();
    part.rolled = part.rolled.or(fresh);
    part.arenas = part.arenas.with(arena);
    part.arena = Some(arena);
    let stats: u8 = fresh.iter().map(|stat| stats[stat as usize]).sum();
    // Something without a sheet rolls its dice once, whatever the arena.
    Pool::of(stats, Size::D6).plus(if first { thing } else { Pool::EMPTY })
}

/// Bonds that hold, and relationships to opponents and stakes, not rolled yet: they
/// count as rolled from now on (`open.bond-dice`, `open.relationship-dice`).
pub(crate) fn opening_things(state: &mut State, who: Char) -> Pool {
    let bonds = take_things(state, who, |_, thing| thing.sort == Sort::Bond && thing.holds);
    bonds.plus(relationships(state, who))
}

/// Relationships that matter by now and were not rolled (`relationship-late`).
pub(crate) fn relationships(state: &mut State, who: Char) -> Pool {
    take_things(state, who, |state, thing| {
        thing.sort == Sort::Relationship && thing.to.is_some_and(|to| matters(state, who, to))
    })
}

/// Whether a relationship to this one counts in the conflict under way.
pub(crate) fn matters(state: &State, who: Char, to: To) -> bool {
    state.conflict().is_some_and(|conflict| conflict.concerns(who, to))
}

fn take_things(state: &mut State, who: Char, counts: impl Fn(&State, &Thing) -> bool) -> Pool {
    let mut dice = Pool::EMPTY;
    let items: ArrayVec<Item, { MAX_ITEMS + MAX_GAINED }> = state
        .sheet(who)
        .filter(|(_, thing)| !thing.rolled && counts(state, thing))
        .map(|(item, _)| item)
        .collect();
    for item in items {
        if let Some(thing) = state.thing_mut(item) {
            thing.rolled = true;
            dice = dice.plus(thing.rating.pool());
        }
    }
    dice
}

/// Dice kept from the conflict before, or given by its opponents, join the hand in a
/// followup with the faces they show, and are gone otherwise (`followup-rules`).
pub(crate) fn claim_kept(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let Some((followup, opponents)) =
        play.state.conflict().map(|conflict| (conflict.followup, conflict.opponents(who)))
    else {
        return;
    };
    // Dice of the conflict that is followed up come in against any opponents.
    let last = play.state.scene().and_then(|scene| scene.last).filter(|_| followup);
    let opponents = opponents.or(last.map_or(CharSet::NONE, |last| last.parts.without(who)));
    let Some(being) = play.state.being_mut(who) else { return };
    let mut dice = Hand::NONE;
    being.kept.retain(|kept| {
        let theirs = !kept.with.has(who) && !kept.with.and(opponents).is_empty();
        if theirs {
            dice.join(kept.dice);
            // Should the followup be called off, they wait again.
            kept.with = kept.with.with(who);
        }
        !theirs || followup
    });
    if dice.is_empty() {
        return;
    }
    if !followup {
        play.event(Event::KeptGone(who));
    } else if let Some(part) = play.state.part_mut(who) {
        part.hand.join(dice);
        play.event(Event::KeptDice { who, dice });
    }
}

/// Moves on while nobody need be asked: dice that are due, the challenge under way,
/// the next turn, the next round, the end.
///
/// Every step leaves less of the challenge under way, or asks somebody for the next;
/// the bound is a guard against a mistake here.
pub(crate) fn advance(play: &mut Play<'_, impl Sink<Event>>) {
    let waits = (0..MOST_STEPS).any(|_| !step(play));
    debug_assert!(waits, "the table moves on without end");
}

/// The most steps that follow one answer.
const MOST_STEPS: usize = 256;

/// One step that needs nobody; false where somebody is asked.
fn step(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    let Some(conflict) = play.state.conflict() else { return false };
    match conflict.stage {
        Stage::Staking => return false,
        Stage::Resolving(side) => {
            if winners(conflict, side).is_empty() {
                play.event(Event::Unresolved);
                end(play, (CharSet::NONE, Changes::default(), Changes::default()));
            }
            return false;
        }
        Stage::Running => {}
    }
    if conflict.aid.is_some_and(|aid| !play.state.lives(aid.victim)) {
        drop_it(play);
        return false;
    }
    let left: ArrayVec<u8, 2> = conflict.sides_left().take(2).collect();
    match left[..] {
        // All have died elsewhere meanwhile.
        [] => {
            drop_it(play);
            return false;
        }
        [side] => {
            over(play, side);
            return false;
        }
        _ => {}
    }
    match conflict.next.first() {
        Some(&next) if !still_stands(play.state, conflict, next) => {
            let stays = |who: Char| conflict.is_in(who);
            match next {
                Next::Admit { who, .. } if play.state.lives(who) => play.event(Event::NotAdmitted(who)),
                Next::Roll(Due { who, why: Why::Joined(_), .. }) if stays(who) => {
                    escalate::take_place(play.state, who);
                }
                // What was not rolled may be brought in yet.
                Next::Roll(Due { why: Why::Brought(item), .. }) => {
                    if let Some(thing) = play.state.thing_mut(item) {
                        thing.rolled = false;
                    }
                }
                _ => {}
            }
            drop_next(play.state);
        }
        Some(_) => return false,
        None if conflict.exchange().is_some() => return challenge::settle(play.state),
        None => next_turn(play),
    }
    true
}

/// Whether dice that are due or a question that waits still have their ground: play may
/// have been elsewhere meanwhile, and the gamemaster may have overruled
/// (`void-while-waiting`).
fn still_stands(state: &State, conflict: &Conflict, next: Next) -> bool {
    // An escalation is void with its maker.
    let escalates = || conflict.exchange().is_some_and(|exchange| conflict.is_in(exchange.by));
    match next {
        Next::Roll(due) => conflict.is_in(due.who) && !due.dice.is_empty(),
        Next::Concrete { who, item } => {
            conflict.is_in(who) && fine(|out: &mut Any| challenge::object_bring(state, who, item, out))
        }
        Next::Cut => escalates() && escalate::may_cut(state),
        Next::Join(seats) => escalates() && !escalate::joiners(state, seats).is_empty(),
        Next::Admit { who, side } => escalates() && escalate::may_come(state, who, side),
    }
}

pub(crate) fn drop_next(state: &mut State) {
    if let Some(conflict) = state.conflict_mut() {
        conflict.next.pop_at(0);
    }
}

/// The next in the order of the round challenges; where all have, a round begins.
fn next_turn(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(conflict) = play.state.conflict_mut() else { return };
    let next = conflict.order.iter().copied().find(|&who| conflict.is_in(who) && !conflict.had.has(who));
    if let Some(who) = next {
        conflict.had = conflict.had.with(who);
        conflict.exchanges.push(Exchange::new(who));
        play.event(Event::Turn(who));
        return;
    }
    if conflict.round > 0 {
        clear_standing(play);
    }
    let Some(conflict) = play.state.conflict_mut() else { return };
    conflict.round = conflict.round.saturating_add(1);
    conflict.had = CharSet::NONE;
    conflict.helped = CharSet::NONE;
    let round = conflict.round;
    if round == 1 || !play.rules.options.once {
        let order = order(play.state, play.state.conflict().map_or(CharSet::NONE, Conflict::still_in));
        play.state.forget_ranks();
        order.iter().for_each(|&who| play.state.rank(who));
        if let Some(conflict) = play.state.conflict_mut() {
            conflict.order = order;
        }
    }
    play.event(Event::Round(round));
}

/// Best pair order (`turn.best-pair`, `best-pair-ties`): whole hands face by face,
/// then players' characters before the gamemaster's, then the seating.
pub(crate) fn order(state: &State, among: CharSet) -> ArrayVec<Char, MAX_PARTS> {
    let Some(conflict) = state.conflict() else { return ArrayVec::new() };
    let rank = |who| conflict.part(who).map_or(0, |part| part.hand.faces().rank());
    let mut all: ArrayVec<_, MAX_PARTS> =
        among.iter().take(MAX_PARTS).map(|who| (Reverse(rank(who)), seating(state, who))).collect();
    all.sort_unstable();
    all.into_iter().map(|(_, (.., who))| who).collect()
}

/// Players' characters before the gamemaster's, then by seat, then as they are listed.
pub(crate) fn seating(state: &State, who: Char) -> (bool, Seat, Char) {
    (!state.is_pc(who), state.seat(who), who)
}

/// These in the order of their seats (`orders-afraid`).
pub(crate) fn seated(state: &State, all: CharSet) -> impl Iterator<Item = Char> + use<> {
    let mut all: ArrayVec<_, { MAX_CAST + MAX_NEWCOMERS }> =
        all.iter().map(|who| seating(state, who)).collect();
    all.sort_unstable();
    all.into_iter().map(|(.., who)| who)
}

/// At the end of a round standing answers are discarded; those of a single die come
/// back (`standing-fallout`).
fn clear_standing(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(conflict) = play.state.conflict_mut() else { return };
    for part in &mut conflict.parts {
        let standing = std::mem::take(&mut part.standing);
        if standing == Standing::default() {
            continue;
        }
        let mut back = standing.single;
        if standing.dice.len() == 1 {
            back.join(standing.dice);
        }
        part.hand.join(back);
        play.sink.event(Event::StandingGone { who: part.who, back });
    }
}

/// How somebody goes out of a conflict.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// They give, and keep their best dice.
    Giving,
    /// They cannot or will not go on.
    Losing,
}

/// Somebody gives or loses (`give.ends`, `end.no-challenge`, `end.no-answer`).
pub(crate) fn leave(play: &mut Play<'_, impl Sink<Event>>, who: Char, how: Leaving) {
    let Some(conflict) = play.state.conflict() else { return };
    let opponents = conflict.opponents(who);
    let kept = match how {
        Leaving::Giving => kept_by_giving(&play.rules.options, conflict, who),
        Leaving::Losing => Hand::NONE,
    };
    let challenging = conflict.exchange().is_some_and(|exchange| exchange.by == who);
    let side =
        (how == Leaving::Giving && play.rules.options.literal).then(|| gives_to(play.state, who)).flatten();
    let Some(conflict) = play.state.conflict_mut() else { return };
    conflict.strike_out(who);
    if let Some(side) = side {
        for part in conflict.parts.iter_mut().filter(|part| part.side != side) {
            part.out = true;
        }
    }
    match how {
        Leaving::Giving => {
            spend_kept(play.state, who);
            play.state.change(who, |being| being.keep(kept, opponents));
            play.event(Event::Gave { who, kept });
        }
        Leaving::Losing => play.event(Event::Out { who, challenging }),
    }
}

/// The dice that somebody keeps who gives: the two best (`give.keep-two`), unless the table says
/// another number (`kept-by-giving`). An injury holds
/// no followup (`short-give-no-followup`).
pub(crate) fn kept_by_giving(options: &Options, conflict: &Conflict, who: Char) -> Hand {
    match conflict.part(who) {
        Some(part) if who != Char::INJURY => part.hand.best(options.kept_by_giving.into()),
        _ => Hand::NONE,
    }
}

/// The side that wins where giving is taken literally: that of the challenge which is not
/// answered, else that of the best pair (`give-literal-sides`).
fn gives_to(state: &State, who: Char) -> Option<u8> {
    let conflict = state.conflict()?;
    let side = |who: Char| conflict.part(who).map(|part| part.side);
    // Under a challenge that is made instead of an answer lies the one not answered.
    let challenger = conflict.exchanges.iter().rev().map(|exchange| exchange.by).find(|&by| by != who);
    let left = challenger.and_then(side).filter(|&side| conflict.sides_left().any(|one| one == side));
    let opponents = conflict.opponents(who).and(conflict.still_in());
    left.or_else(|| order(state, opponents).first().copied().and_then(side))
}

/// One side is left: it resolves the stakes (`end.resolve`).
fn over(play: &mut Play<'_, impl Sink<Event>>, side: u8) {
    let Some(conflict) = play.state.conflict_mut() else { return };
    conflict.exchanges.clear();
    conflict.next.clear();
    conflict.stage = Stage::Resolving(side);
    let winners = winners(conflict, side);
    play.event(Event::Ended { winners });
}

/// The members of the side that has won who have neither lost on the way (`give.ends`)
/// nor died since.
pub(crate) fn winners(conflict: &Conflict, side: u8) -> CharSet {
    conflict.parts.iter().filter(|part| part.side == side && !part.out).map(|part| part.who).collect()
}

/// Who decides where the winners cannot agree: the best pair left in hand
/// (`winner-of-many`).
pub(crate) fn decider(state: &State, side: u8) -> Option<Char> {
    let conflict = state.conflict()?;
    order(state, winners(conflict, side)).first().copied()
}

/// Ends a conflict that has been won: what was at stake changes, and fallout is due.
fn end(play: &mut Play<'_, impl Sink<Event>>, (dies, comes, ends): (CharSet, Changes, Changes)) {
    let Some(scene) = play.state.scene_mut() else { return };
    let Some(conflict) = scene.conflict.take() else { return };
    let Stage::Resolving(winner) = conflict.stage else { return };
    scene.last = Some(Last {
        stakes: conflict.stakes,
        parts: conflict.parts(),
        winners: winners(&conflict, winner),
        arena: conflict.arena,
        stage: scene.stage,
    });
    play.state.forget_ranks();
    forget_rolls(play.state, conflict.parts());
    conflict.parts().iter().for_each(|who| spend_kept(play.state, who));
    // A character who died unseen is alive for the players who resolve (`dead-at-stake`).
    let living: CharSet = play.state.everybody().filter(|&who| play.state.lives(who)).collect();
    for &circumstance in Circumstance::ALL {
        for who in comes.of(circumstance).and(living).iter() {
            fallout::suffer(play, who, Circumstances::one(circumstance));
        }
        for who in ends.of(circumstance).and(living).iter() {
            fallout::clear(play, who, Circumstances::one(circumstance));
        }
    }
    fallout::due(play.state, &conflict, winner);
    aid::resolved(play.state, &conflict, winner);
    let open = play.state.scene().is_some_and(|scene| play.state.is_open(scene));
    for who in seated(play.state, dies) {
        dying::die(play, who);
        // Also of somebody elsewhere players know it now.
        if open && !play.state.is_pc(who) {
            play.state.mourned = play.state.mourned.with(who);
        }
    }
    fallout::settle(play);
}

/// What was rolled in a conflict can be rolled again in the next (`trait-once`).
fn forget_rolls(state: &mut State, parts: CharSet) {
    for thing in state.items.iter_mut().chain(&mut state.gained).chain(&mut state.theirs) {
        if parts.has(thing.owner) {
            thing.rolled = false;
        }
    }
}

/// Dice from before that are in somebody's hand in a followup do not wait any more.
fn spend_kept(state: &mut State, who: Char) {
    state.lent.retain(|lent| lent.to != who);
    state.change(who, |being| being.kept.retain(|kept| !kept.with.has(who)));
}

/// The conflict in this scene is dropped: nobody has won.
pub(crate) fn drop_it(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(conflict) = play.state.scene_mut().and_then(|scene| scene.conflict.take()) else { return };
    let parts = conflict.parts();
    play.state.forget_ranks();
    forget_rolls(play.state, parts);
    // Dice from before wait again (`followup-called-off`).
    for who in parts.iter() {
        let being = play.state.being_mut(who).into_iter();
        being.flat_map(|being| &mut being.kept).for_each(|kept| kept.with = kept.with.without(who));
    }
    let (back, lent) = play.state.lent.iter().copied().partition(|lent| parts.has(lent.from));
    play.state.lent = lent;
    let back: ArrayVec<Lent, MAX_LENT> = back;
    for lent in back {
        let mut die = Hand::NONE;
        die.add(lent.die.0, lent.die.1);
        play.state.change(lent.from, |being| being.keep(die, lent.with));
    }
    play.event(Event::CalledOff);
    if !conflict.followup {
        let out = parts.minus(conflict.still_in());
        seated(play.state, out).for_each(|who| lose_given(play, who, conflict.opponents(who)));
    }
}

/// What somebody kept by giving in a conflict with these, which was no followup, is gone with
/// it: nothing of it is left to follow up.
fn lose_given(play: &mut Play<'_, impl Sink<Event>>, who: Char, opponents: CharSet) {
    let Some(being) = play.state.being_mut(who) else { return };
    // Dice from before that wait for one of these are gone since it began (`claim_kept`).
    let given = |kept: &Kept| !kept.dice.is_empty() && kept.with.minus(opponents).is_empty();
    if being.kept.last().is_some_and(given) {
        being.kept.pop();
        play.event(Event::KeptGone(who));
    }
}

/// Whether anything may be put at stake of those who take part, and is not yet.
pub(crate) fn has_stake(state: &State) -> bool {
    let Some(conflict) = state.conflict() else { return false };
    conflict
        .parts()
        .iter()
        .any(|who| not_staked(state, &conflict.stakes.what, who) != (false, false, Circumstances::NONE))
}

/// What may be put at stake of somebody who takes part, and is not yet: their life, they
/// themselves, their circumstances.
fn not_staked(state: &State, stakes: &AtStake, who: Char) -> (bool, bool, Circumstances) {
    if !state.has_sheet(who) {
        return (false, false, Circumstances::NONE);
    }
    let lives = state.lives(who);
    let changes = Circumstance::ALL.iter().filter(|&&one| lives && !stakes.circumstances.of(one).has(who));
    (lives && !stakes.lives.has(who), !stakes.about.cast.has(who), changes.copied().collect())
}

/// Lists what may be put at stake of those who take part, and is not yet.
fn each_stake(state: &State, each: &mut impl FnMut(AtStake)) {
    let Some(conflict) = state.conflict() else { return };
    let none = AtStake::default();
    for who in conflict.parts().iter() {
        let (one, (life, about, changes)) =
            (CharSet::one(who), not_staked(state, &conflict.stakes.what, who));
        if life {
            each(AtStake { lives: one, ..none });
        }
        if about {
            each(AtStake { about: one.into(), ..none });
        }
        for circumstance in changes.iter() {
            let mut circumstances = Changes::default();
            *circumstances.of_mut(circumstance) = one;
            each(AtStake { circumstances, ..none });
        }
    }
}

/// The stakes are named.
pub(crate) mod staking {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let already = at.state.conflict().filter(|conflict| conflict.stakes != Stakes::default());
        Told::new("What is at stake? Name it, then begin.")
            .leads(already.map_or_else(String::new, |conflict| said_stakes(at, conflict)))
            .why(clause!("setup.stakes"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        if fine(|out| object_begin(at, out)) {
            each(Answer::Begin);
        }
        each(Answer::CallOff);
        let named = at.state.conflict().and_then(|conflict| conflict.stakes.thing);
        if named != Some(fallout::PROPOSALS.stakes) {
            each(Answer::Thing(fallout::PROPOSALS.stakes));
        }
        each_stake(at.state, &mut |what| each(Answer::Stake(what)));
    }

    takes!(
        Answer,
        Answer::Begin | Answer::CallOff | Answer::Thing(_) | Answer::Stake(_) | Answer::Muse(_),
        clause!("setup.stakes"),
        "expected what is at stake, or to begin"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Begin => object_begin(at, out),
            Answer::Stake(what) | Answer::Muse(what) => object_stake(at.state, Seat::Gm, what, out),
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        match answer {
            Answer::Begin => begin(play),
            Answer::CallOff => drop_it(play),
            Answer::Thing(thing) => name_thing(play, thing),
            Answer::Stake(what) => stake(play, what, false),
            Answer::Muse(what) => stake(play, what, true),
            _ => {}
        }
    }
}

/// A player muses on how their side might resolve it.
pub(crate) mod musing {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Seat, _: Viewer) -> Told {
        Told::new("How might your side resolve it? Musing binds nobody.").why(clause!("stakes.speculate"))
    }

    pub(crate) fn legal(at: At<'_>, _: Seat, each: &mut impl FnMut(Answer)) {
        each_stake(at.state, &mut |what| each(Answer::Muse(what)));
    }

    takes!(
        Answer,
        Answer::Thing(_) | Answer::Muse(_),
        clause!("stakes.speculate"),
        "expected how your side might resolve the stakes"
    );

    pub(crate) fn object(at: At<'_>, seat: Seat, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Muse(what) => object_stake(at.state, seat, what, out),
            _ if at.state.conflict().is_some_and(|conflict| conflict.stakes.thing.is_some()) => out.no(
                clause!("stakes.speculate"),
                "the stakes have been put in words: muse on what may come of them",
            ),
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, seat: Seat, answer: Answer) {
        match answer {
            Answer::Thing(thing) => name_thing(play, thing),
            Answer::Muse(what) => {
                stake(play, what, true);
                if let Some(conflict) = play.state.conflict_mut() {
                    conflict.mused = conflict.mused.with(seat);
                }
            }
            _ => {}
        }
    }
}

fn said_stakes(at: At<'_>, conflict: &Conflict) -> String {
    format!("at stake: {}", words::stakes_words(at, conflict))
}

/// The winners resolve the stakes; then fallout is rolled (`end-order`).
pub(crate) mod resolving {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Who, _: Viewer) -> Told {
        Told::new("Your side has won: how do the stakes resolve?")
            .leads(at.state.conflict().map_or_else(String::new, |conflict| said_stakes(at, conflict)))
            .why(clause!("stakes.winner-resolves"))
    }

    /// Lists ways to resolve the stakes: nothing of them changes, each life is lost, each
    /// circumstance becomes true or false for all whose it is.
    pub(crate) fn legal(at: At<'_>, asked: Who, each: &mut impl FnMut(Answer)) {
        let (state, by) = (at.state, voice(asked));
        let Some(conflict) = state.conflict() else { return };
        let (none, stakes) = (Changes::default(), &conflict.stakes.what);
        let lives = |who: Char| state.seems_alive(who, by);
        each(Answer::Resolve { dies: CharSet::NONE, comes: none, ends: none });
        for dies in stakes.lives.iter().map(CharSet::one) {
            each(Answer::Resolve { dies, comes: none, ends: none });
        }
        // All that can become better for one side and worse for the other, and the reverse.
        let players = |circumstances: Changes, pcs: bool| {
            let mut some = Changes::default();
            for &one in Circumstance::ALL {
                let whose = circumstances.of(one).iter();
                *some.of_mut(one) = whose.filter(|&who| state.is_pc(who) == pcs && lives(who)).collect();
            }
            some
        };
        let (ours, theirs) = (players(stakes.circumstances, true), players(stakes.circumstances, false));
        if (ours, theirs) == (none, none) {
            return;
        }
        each(Answer::Resolve { dies: CharSet::NONE, comes: theirs, ends: ours });
        each(Answer::Resolve { dies: CharSet::NONE, comes: ours, ends: theirs });
    }

    takes!(
        Answer,
        Answer::Resolve { .. },
        clause!("stakes.winner-resolves"),
        "expected how the stakes are resolved"
    );

    pub(crate) fn object(at: At<'_>, asked: Who, answer: Answer, out: &mut impl Objections) {
        let Answer::Resolve { dies, comes, ends } = answer else { return };
        let by = voice(asked);
        let Some(conflict) = at.state.conflict() else { return };
        let stakes = &conflict.stakes.what;
        if !dies.minus(stakes.lives).is_empty() {
            let what = "only a life that is at stake can be lost by resolving the stakes";
            out.no(clause!("dying.by-stakes"), what);
        }
        if dies.iter().any(|who| !at.state.seems_alive(who, by)) {
            out.no(clause!("dying.final"), "the dead have no life to lose");
        }
        if let (Some(aid), Stage::Resolving(side)) = (conflict.aid, conflict.stage)
            && dies.has(aid.victim)
            && conflict.aid_is_won(side)
        {
            out.no(
                clause!("firstaid-outcome"),
                "who has won first aid for the victim does not take her life",
            );
        }
        object_dead(at.state, by, comes, out);
        object_dead(at.state, by, ends, out);
        for &circumstance in Circumstance::ALL {
            let (on, off) = (comes.of(circumstance), ends.of(circumstance));
            if !on.or(off).minus(stakes.circumstances.of(circumstance)).is_empty() {
                let what = "only circumstances that are at stake can be changed by resolving the stakes";
                out.no(clause!("stakes.circumstances"), what);
            }
            if !on.and(off).is_empty() {
                out.no(clause!("stakes.circumstances"), "a circumstance becomes true or false, not both");
            }
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Who, answer: Answer) {
        if let Answer::Resolve { dies, comes, ends } = answer {
            play.event(Event::Resolved { dies, comes, ends });
            end(play, (dies, comes, ends));
        }
    }
}

/// The player who decides if the winners cannot agree.
pub(crate) mod deciding {
    pub(crate) use super::resolving::{apply, legal, object, strays};
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Who, _: Viewer) -> Told {
        let who = match at.state.conflict().map(|conflict| conflict.stage) {
            Some(Stage::Resolving(side)) => decider(at.state, side),
            _ => None,
        };
        let who = who.map_or("nobody", |who| view::said(at, who));
        Told::new(format!("If your side cannot agree, {who} decides how the stakes resolve."))
            .why(clause!("winner-of-many"))
    }
}
