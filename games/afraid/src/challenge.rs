//! Challenges: made with two dice, answered with one, two, or more.

use crate::conflict::{self, Leaving};
use crate::dice::{Faces, Hand, Pool, TOP};
use crate::event::{Event, How};
use crate::state::{
    Conflict, Due, Exchange, Lent, MAX_STRIKES, Nature, Next, Part, State, Step, Strike, Why,
};
use crate::{At, Play, answer::Answer, escalate, scene, view::said, vocab::*, words};
use fracas_kernel::{Any, Objections, Seat, Sink, Told, Viewer, fine, takes};

/// Moves the challenge under way on; false where somebody must be asked.
pub(crate) fn settle(state: &mut State) -> bool {
    let Some(conflict) = state.conflict() else { return false };
    let Some(exchange) = conflict.exchange() else { return false };
    let (by, members) = (exchange.by, state.members(exchange.by));
    let (gone, still_in) = (!conflict.is_in(by), conflict.still_in());
    let Some(conflict) = state.conflict_mut() else { return false };
    let Some(exchange) = conflict.exchanges.last_mut() else { return false };
    match exchange.step {
        // A character who gave or lost on their own turn makes no challenge.
        Step::Making if gone => {
            conflict.exchanges.pop();
        }
        Step::Making => return false,
        Step::Members if !gone && exchange.made < members.min(MAX_STRIKES as u8) => return false,
        Step::Members => {
            done(state);
        }
        Step::Matching => {
            exchange.may_match = exchange.may_match.and(still_in);
            if !exchange.may_match.is_empty() {
                return false;
            }
            exchange.step = Step::Answering;
            exchange.owed = exchange.strike().on.and(still_in);
        }
        Step::Answering => {
            exchange.owed = exchange.owed.and(still_in);
            if !exchange.owed.is_empty() {
                return false;
            }
            if exchange.at + 1 < exchange.made {
                exchange.at += 1;
                exchange.settled = false;
                exchange.owed = exchange.strike().on.and(still_in);
            } else {
                conflict.exchanges.pop();
            }
        }
    }
    true
}

/// Who is to answer now, and what.
pub(crate) fn answerer(state: &State) -> Option<(Char, &Exchange)> {
    let exchange = state.exchange().filter(|exchange| exchange.step == Step::Answering)?;
    Some((exchange.actor()?, exchange))
}

/// Who challenges or answers now: whose move it is.
pub(crate) fn actor(state: &State) -> Option<Char> {
    state.exchange()?.actor()
}

/// In which arena a challenge is made, and what it threatens, where that is not said.
fn manner(
    state: &State,
    exchange: &Exchange,
    part: &Part,
    harm: Option<Harm>,
    arena: Option<Arena>,
) -> (Option<Arena>, Harm) {
    // The new arena comes first, until a challenge has been made in it.
    let awaited = exchange.escalated.filter(|_| !exchange.is_in_new_arena());
    let usual = awaited.or(part.arena);
    let reaches = |arena: &Arena| harm.is_none_or(|harm| arena.harm() >= harm);
    let arena = arena.or_else(|| match usual {
        Some(usual) if reaches(&usual) || awaited.is_some() => Some(usual),
        usual => part.arenas.iter().find(reaches).or(usual),
    });
    let own = match (state.conflict().and_then(|conflict| conflict.aid), state.being(part.who).nature) {
        (Some(aid), _) => aid.kind.harm(),
        (None, Nature::Thing(_)) => Harm::Physical,
        (None, _) => Harm::NonPhysical,
    };
    let gravest = arena.map_or(own, Arena::harm);
    (arena, harm.unwrap_or(gravest))
}

/// The gravest harm of a challenge in this arena by somebody.
fn limit(state: &State, who: Char, arena: Option<Arena>) -> Harm {
    let aid = state.conflict().and_then(|conflict| conflict.aid).map(|aid| aid.kind.harm());
    match (arena, state.being(who).nature) {
        // What has no sheet enters no arena: the gamemaster says what it does.
        (_, Nature::Thing(_)) => Harm::Murderous,
        (Some(arena), _) => arena.harm(),
        (None, _) => aid.unwrap_or(Harm::Physical),
    }
}

/// Whom a challenge may name.
pub(crate) fn targets(state: &State, exchange: &Exchange) -> CharSet {
    let Some(conflict) = state.conflict() else { return CharSet::NONE };
    let all = conflict.opponents(exchange.by).and(conflict.still_in());
    // Where nobody else is left she is not left without a challenge (`only-joiners-left`).
    if all.minus(exchange.fresh).is_empty() { all } else { all.minus(exchange.fresh) }
}

/// What speaks against whom, how and where a challenge is made: a turn's first, or a
/// further one of a group's member (`gnpc.challenges`).
pub(crate) fn object_strike(
    state: &State,
    exchange: &Exchange,
    (on, harm, arena): (CharSet, Option<Harm>, Option<Arena>),
    out: &mut impl Objections,
) {
    let Some(conflict) = state.conflict() else { return };
    let Some(part) = conflict.part(exchange.by) else { return };
    if on.is_empty() {
        out.no(clause!("illegal.challenge"), "name at least one opponent");
    }
    if !on.and(exchange.fresh).minus(targets(state, exchange)).is_empty() {
        out.no(
            clause!("join-dice"),
            "a character who joins at an escalation cannot be named in that challenge",
        );
    }
    if !on.minus(conflict.opponents(exchange.by)).is_empty() {
        out.no(clause!("illegal.challenge"), "only opponents can be challenged");
    } else if !on.minus(conflict.still_in()).is_empty() {
        out.no(clause!("illegal.after-end"), "a character who is out of the conflict cannot be challenged");
    }
    let (at, said) = manner(state, exchange, part, harm, arena);
    // Of a group one member's challenge at least is made in the new arena.
    let last = exchange.made + 1 >= state.members(exchange.by).min(MAX_STRIKES as u8);
    let awaited = exchange.escalated.is_some() && !exchange.is_in_new_arena();
    if awaited && last && at != exchange.escalated {
        out.no(clause!("esc.challenge"), "the challenge of an escalation is made in the new arena");
    } else if at.is_some_and(|arena| !part.arenas.has(arena)) {
        out.no(clause!("arena-track"), "a challenge is made in an arena one has entered: escalate first");
    } else if said > limit(state, exchange.by, at) {
        out.no(clause!("harm-who"), "a challenge may be milder than its arena, not graver");
    }
}

/// What speaks against a challenge.
pub(crate) fn object(
    state: &State,
    exchange: &Exchange,
    (on, dice, harm, arena): (CharSet, Faces, Option<Harm>, Option<Arena>),
    out: &mut impl Objections,
) {
    let Some(part) = state.part(exchange.by) else { return };
    if dice.len() != 2 {
        out.no(clause!("challenge.two-dice"), "a challenge is made with two dice");
    } else if part.hand.faces().minus(dice).is_none() {
        out.no(clause!("illegal.challenge"), "a challenge takes two dice of one's own hand");
    }
    object_strike(state, exchange, (on, harm, arena), out);
}

/// Puts two dice forward (`challenge.two-dice`, `challenge.spent`).
pub(crate) fn make(
    play: &mut Play<'_, impl Sink<Event>>,
    (on, dice, harm, arena): (CharSet, Faces, Option<Harm>, Option<Arena>),
) {
    let Some(conflict) = play.state.conflict() else { return };
    // The order of the answers is that of the hands when the challenge is made.
    let ranked = conflict::order(play.state, conflict.still_in());
    let Some(exchange) = play.state.exchange_mut() else {
        return;
    };
    exchange.dice = dice.best();
    for (place, who) in exchange.order.iter_mut().zip(ranked) {
        *place = who;
    }
    let (by, put) = (exchange.by, exchange.dice);
    let group = play.state.is_group(by);
    let Some(harm) = add_strike(play.state, (on, harm, arena)) else { return };
    let Some(conflict) = play.state.conflict_mut() else { return };
    if let Some(part) = conflict.part_mut(by) {
        part.hand.take(dice);
    }
    play.event(Event::Challenged { by, on, dice: put, harm });
    if group {
        if let Some(exchange) = play.state.exchange_mut() {
            exchange.step = Step::Members;
        }
    } else {
        done(play.state);
    }
}

fn add_strike(state: &mut State, (on, harm, arena): (CharSet, Option<Harm>, Option<Arena>)) -> Option<Harm> {
    let conflict = state.conflict()?;
    let exchange = conflict.exchange()?;
    let (arena, harm) = manner(state, exchange, conflict.part(exchange.by)?, harm, arena);
    let exchange = state.exchange_mut()?;
    *exchange.strikes.get_mut(usize::from(exchange.made))? = Strike { on, harm, arena };
    exchange.made += 1;
    Some(harm)
}

/// What speaks against ending a group's challenges here.
pub(crate) fn object_done(exchange: &Exchange, out: &mut impl Objections) {
    if exchange.escalated.is_some() && !exchange.is_in_new_arena() {
        out.no(clause!("esc.challenge"), "the challenge of an escalation is made in the new arena");
    }
}

/// Whether a group may make no more challenges in this turn.
pub(crate) fn is_done(state: &State) -> bool {
    let exchange = state.exchange();
    exchange.is_some_and(|exchange| fine(|out: &mut Any| object_done(exchange, out)))
}

/// Ends a turn's challenges: each challenged character may match, then answers.
pub(crate) fn done(state: &mut State) {
    let Some(exchange) = state.exchange() else { return };
    let may_match = matchers(state, exchange);
    if let Some(exchange) = state.exchange_mut() {
        exchange.may_match = may_match;
        exchange.step = Step::Matching;
    }
}

/// Which of the opponents named in the new arena may match at once
/// (`match-now-timing`).
fn matchers(state: &State, exchange: &Exchange) -> CharSet {
    let (Some(arena), Some(conflict)) = (exchange.escalated, state.conflict()) else {
        return CharSet::NONE;
    };
    let open =
        |who: &Char| state.has_sheet(*who) && conflict.part(*who).is_some_and(|part| !part.arenas.has(arena));
    let named = exchange.strikes().iter().filter(|strike| strike.arena == Some(arena));
    named.flat_map(|strike| strike.on.iter()).filter(open).collect()
}

/// Whether a challenge could threaten another kind of harm than was said.
pub(crate) fn could_be_other(state: &State, exchange: &Exchange) -> bool {
    gravest(state, exchange).max(exchange.strike().harm) > Harm::NonPhysical
}

/// The gravest harm that a challenge can turn out to threaten: of any arena its maker
/// has entered.
fn gravest(state: &State, exchange: &Exchange) -> Harm {
    let part = state.part(exchange.by);
    let entered = part.map_or(Harm::NonPhysical, |part| part.arenas.gravest());
    limit(state, exchange.by, exchange.strike().arena).max(entered)
}

/// Whether a group's standing answer serves the next answer
/// (`gnpc.standing`, `gnpc.standing-limit`).
pub(crate) fn stands(state: &State, part: &Part) -> bool {
    state.is_group(part.who)
        && !part.standing.dice.is_empty()
        && part.standing.served < state.members(part.who)
}

/// The dice with which somebody may answer: those they must use, and those they may.
///
/// For a group whose standing answer serves: where it matches it is used, whole or in
/// part, and nothing added; where it does not, all of it and dice of the hand.
pub(crate) fn lying(state: &State, who: Char, need: u8) -> (Hand, Hand) {
    let Some(part) = state.part(who) else {
        return (Hand::NONE, Hand::NONE);
    };
    if !stands(state, part) {
        return (Hand::NONE, part.hand);
    }
    let standing = part.standing.dice;
    if standing.faces().sum() >= u16::from(need) { (Hand::NONE, standing) } else { (standing, part.hand) }
}

/// The fewest dice with which somebody can answer so much; `None` where nothing they
/// have is enough.
pub(crate) fn fewest(state: &State, who: Char, need: u8) -> Option<usize> {
    let (must, may) = at_hand(state, who, need);
    if must.is_empty() {
        let fewest = fewest_of(may.best(), may.sum(), need.into())?;
        if fewest < 3 {
            return Some(fewest);
        }
    }
    let reaches = |&count: &usize| must.sum() + may.highest(count).sum() >= u16::from(need);
    let least = usize::from(must.is_empty());
    (least..=may.len()).find(reaches).map(|count| must.len() + count)
}

/// The fewest of some dice that reach so much, by the two best and by the sum: one, two, or three
/// for all that is more (`answer.reverse`, `answer.block`, `answer.take`).
pub(crate) fn fewest_of([high, next]: [u8; 2], sum: u16, need: u16) -> Option<usize> {
    match need {
        need if u16::from(high) >= need => Some(1),
        need if u16::from(high + next) >= need => Some(2),
        need if sum >= need => Some(3),
        _ => None,
    }
}

/// The least of the fewest dice with which somebody can answer so much; `None` where
/// nothing they have is enough.
pub(crate) fn cheapest(state: &State, who: Char, need: u8) -> Option<Faces> {
    let (must, may) = at_hand(state, who, need);
    let more = fewest(state, who, need)?.checked_sub(must.len())?;
    Some(must.plus(least(may, more, u16::from(need).saturating_sub(must.sum()))?))
}

/// The faces of these.
fn at_hand(state: &State, who: Char, need: u8) -> (Faces, Faces) {
    let (must, may) = lying(state, who, need);
    (must.faces(), may.faces())
}

/// What speaks against an answer.
pub(crate) fn object_answer(
    state: &State,
    exchange: &Exchange,
    who: Char,
    (dice, arena): (Faces, Option<Arena>),
    out: &mut impl Objections,
) {
    let Some(part) = state.part(who) else { return };
    let (must, may) = at_hand(state, who, exchange.sum());
    let serves = stands(state, part);
    if dice.is_empty() {
        out.no(clause!("illegal.answer"), "an answer takes at least one die");
    }
    match dice.minus(must) {
        None => {
            out.no(clause!("gnpc.standing-add"), "the standing answer is used whole, and dice added to it")
        }
        Some(more) if may.minus(more).is_none() => {
            if serves && must.is_empty() {
                let what = "a standing answer that matches is used whole or in part, nothing added";
                out.no(clause!("standing-both"), what);
            } else {
                out.no(clause!("illegal.answer"), "an answer takes dice of one's own hand, each once");
            }
        }
        Some(_) => {}
    }
    if dice.sum() < u16::from(exchange.sum()) {
        out.no(clause!("answer.match"), "the dice of an answer must reach the sum of the challenge");
    }
    let at = exchange.strike().arena;
    if arena.is_some_and(|arena| !part.arenas.has(arena)) {
        let what = "an answer is given in an arena one has entered: match first to respond in kind";
        out.no(clause!("answer-arena"), what);
    } else if exchange.binds(who) && arena.is_some() && arena != at {
        out.no(clause!("esc.match-now-binds"), "a character who has matched answers in kind");
    }
}

/// Answers (`answer.reverse`, `answer.block`, `answer.take`).
pub(crate) fn answer(play: &mut Play<'_, impl Sink<Event>>, dice: Faces) {
    let Some((who, exchange)) = answerer(play.state) else { return };
    let (by, need, banked) = (exchange.by, exchange.sum(), to_bank(play.state, dice));
    let how = How::with(dice.len());
    play.event(Event::Answered { who, by, dice, how });
    spend(play.state, who, dice, need);
    if let Some(banked) = banked {
        bank(play, banked);
    }
    if let Some(exchange) = play.state.exchange_mut() {
        exchange.owed = exchange.owed.without(who);
        exchange.in_kind = exchange.in_kind.without(who);
        exchange.settled = true;
    }
}

/// Spends the dice of an answer: the single die of a reverse is kept, a group's lie on
/// the table as its standing answer.
fn spend(state: &mut State, who: Char, dice: Faces, need: u8) {
    let (is_group, must) = (state.is_group(who), at_hand(state, who, need).0);
    let serves = state.part(who).is_some_and(|part| stands(state, part));
    let Some(part) = state.part_mut(who) else { return };
    if !is_group {
        if dice.len() > 1 {
            part.hand.take(dice);
        }
        return;
    }
    if serves {
        // What was set aside returns; what was added stays.
        if let Some(added) =
            dice.minus(must).filter(|_| !must.is_empty()).and_then(|more| part.hand.take(more))
        {
            part.standing.dice.join(added);
        }
        part.standing.served += 1;
        return;
    }
    if part.standing.dice.len() == 1 {
        part.standing.single.join(part.standing.dice);
    }
    part.standing.dice = part.hand.take(dice).unwrap_or_default();
    part.standing.served = 1;
}

/// Banks fallout dice.
fn bank(play: &mut Play<'_, impl Sink<Event>>, (who, dice, aided): (Char, Pool, Option<Pool>)) {
    let Some(conflict) = play.state.conflict_mut() else { return };
    if let (Some(aid), Some(dice)) = (&mut conflict.aid, aided) {
        aid.bank = aid.bank.plus(dice);
        play.sink.event(Event::Banked { who: aid.victim, dice });
    }
    if let Some(part) = conflict.part_mut(who) {
        part.bank = part.bank.plus(dice);
    }
    play.sink.event(Event::Banked { who, dice });
}

/// Who banks which fallout dice by taking a blow with these (`answer.take-count`,
/// `answer.take-size`); in first aid the provider d4s, and the victim d8s besides
/// (`firstaid.blow`). `None` where these do not take it.
pub(crate) fn to_bank(state: &State, dice: Faces) -> Option<(Char, Pool, Option<Pool>)> {
    let (who, exchange) = answerer(state)?;
    let count = u8::try_from(dice.len()).ok().filter(|&count| count > 2)?;
    let aids = state.conflict()?.aid.is_some_and(|aid| aid.provider == who);
    let size = if aids { Size::D4 } else { exchange.strike().harm.size() };
    Some((who, Pool::of(count, size), aids.then(|| Pool::of(count, Size::D8))))
}

/// Who would have which fallout dice banked after taking a blow with these; `None`
/// where these do not take it.
pub(crate) fn banked_after(state: &State, dice: Faces) -> Option<(Char, Pool)> {
    let (who, more, _) = to_bank(state, dice)?;
    Some((who, state.part(who)?.bank.plus(more)))
}

/// What speaks against bringing something in.
pub(crate) fn object_bring(state: &State, who: Char, item: Item, out: &mut impl Objections) {
    let Some(thing) = state.thing_of(who, item) else {
        return out.no(clause!("illegal.bring"), "only what is on one's own sheet can be brought in");
    };
    if !matches!(thing.sort, Sort::Trait | Sort::Belonging) {
        out.no(
            clause!("open.no-traits"),
            "only traits and belongings are brought in: bonds and relationships are rolled at the start",
        );
    }
    if thing.rolled {
        out.no(clause!("trait-once"), "it has been rolled in this conflict already");
    }
    let Some(conflict) = state.conflict() else { return };
    let entered = conflict.part(who).map_or(ArenaSet::NONE, |part| part.arenas);
    // First aid is no arena: what serves in the nearest serves in it (`firstaid-sets`).
    let nearest = conflict.aid.filter(|aid| aid.provider == who).map(|aid| aid.kind.nearest());
    if thing.arena.is_some_and(|arena| !entered.has(arena) && nearest != Some(arena)) {
        out.no(clause!("beyond.npc.four-traits"), "this set of dice is for an arena not entered");
    }
}

/// Brings something in: a player's waits for the table to accept it (`bring.concrete`).
pub(crate) fn bring(play: &mut Play<'_, impl Sink<Event>>, who: Char, item: Item) {
    if play.state.is_pc(who) {
        if let Some(conflict) = play.state.conflict_mut() {
            conflict.next.push(Next::Concrete { who, item });
        }
    } else {
        accept(play, who, item);
    }
}

/// It is accepted: its dice are rolled (`bring.trait`, `bring.belonging`).
pub(crate) fn accept(play: &mut Play<'_, impl Sink<Event>>, who: Char, item: Item) {
    // What is brought in where no player's character is, players have not seen.
    let seen = play.state.scene().is_some_and(|scene| play.state.is_open(scene));
    let Some(thing) = play.state.thing_mut(item) else { return };
    thing.rolled = true;
    thing.known |= seen;
    let dice = thing.rating.pool();
    play.event(Event::Brought { who, item });
    conflict::due(play.state, Due { who, dice, why: Why::Brought(item) });
}

/// Those who can hand a die to somebody (`helping-dice`).
pub(crate) fn helpers(conflict: &Conflict, to: Char) -> CharSet {
    let side = conflict.part(to).map(|part| part.side);
    let is_ally = |part: &&Part| part.who != to && side.is_none_or(|side| part.side == side);
    let able = |part: &&Part| !part.out && !conflict.helped.has(part.who) && !part.hand.is_empty();
    conflict.parts.iter().filter(is_ally).filter(able).map(|part| part.who).collect()
}

/// Notes that somebody has handed an ally a die from before, if it is one: of dice that show
/// the same those that fell here go first (`followup-called-off`).
fn lend(state: &mut State, (who, to): (Char, Char), (size, face): (Size, u8)) {
    let die = (size, face);
    let alike = |hand: &Hand| hand.iter().filter(|&other| other == die).count();
    let part = state.part(who);
    let left = part.map_or(0, |part| alike(&part.hand));
    let own = state.being(who).kept.iter().filter(|kept| kept.with.has(who)).map(|kept| alike(&kept.dice));
    let lent = state.lent.iter().filter(|lent| lent.to == who && lent.die == die);
    if left >= own.sum::<usize>() + lent.count() {
        return;
    }
    if let Some(lent) = state.lent.iter_mut().find(|lent| lent.to == who && lent.die == die) {
        lent.to = to;
    } else if let (false, Some(being)) = (state.lent.is_full(), state.being_mut(who)) {
        let mut kept = being.kept.iter_mut().filter(|kept| kept.with.has(who));
        let with = kept.find_map(|kept| kept.dice.lose(size, face).then_some(kept.with.without(who)));
        state.lent.extend(with.map(|with| Lent { from: who, to, die, with }));
    }
}

/// Lists challenges: for every sum the pair that keeps the better pair, at each
/// opponent, and at all.
fn legal_pairs(state: &State, hand: Faces, each: &mut impl FnMut(Answer)) {
    let mut pairs = [None; 2 * TOP as usize + 1];
    each_pair(hand, |left, pair| {
        let best = &mut pairs[usize::from(pair[0] + pair[1])];
        *best = (*best).max(Some((left, pair)));
    });
    manners(state, &mut |on, harm| {
        for (_, pair) in pairs.iter().rev().flatten() {
            each(Answer::Challenge { on, dice: Faces::of(pair), harm, arena: None });
        }
    });
}

/// Whom a listed challenge names, and with which harm: the usual, and the gravest where
/// that differs.
pub(crate) fn manners(state: &State, each: &mut impl FnMut(CharSet, Option<Harm>)) {
    let Some(exchange) = state.exchange() else { return };
    let Some(part) = state.part(exchange.by) else { return };
    let all = targets(state, exchange);
    let (_, usual) = manner(state, exchange, part, None, None);
    let gravest = part.arenas.gravest();
    let graver =
        (gravest > usual && exchange.escalated.is_none() && !part.arenas.is_empty()).then_some(gravest);
    let mut at = |on: CharSet| {
        each(on, None);
        if graver.is_some() {
            each(on, graver);
        }
    };
    if all.len() > 1 {
        at(all);
    }
    all.iter().for_each(|who| at(CharSet::one(who)));
}

/// Lists answers: a reverse, the block that spends least, the block that keeps the
/// better pair, and the least dice with which to take it.
pub(crate) fn legal_answer(state: &State, exchange: &Exchange, who: Char, each: &mut impl FnMut(Answer)) {
    let need = u16::from(exchange.sum());
    let (must, may) = at_hand(state, who, exchange.sum());
    let mut put = |dice: Faces| each(Answer::Answer { dice: must.plus(dice), arena: None });
    let need = need.saturating_sub(must.sum());
    // Dice of a standing answer that must be used count toward the number.
    let fixed = must.len();
    let mut last = Faces::NONE;
    for count in 1..=may.len() {
        let Some(least) = least(may, count, need) else { continue };
        put(least);
        // Of one die beside a fixed one, the least leaves the better hand too.
        if (count, fixed) == (2, 0)
            && let Some(keeps) = keeping(may, need).filter(|&keeps| keeps != least)
        {
            put(keeps);
        }
        let taking = count + fixed >= 3;
        // Beyond taking it once, more dice only bank more.
        if taking && last != Faces::NONE {
            break;
        }
        if taking {
            last = least;
        }
    }
}

/// Of so many dice those with the least sum that reach `need`, or nearly so: the
/// lowest, raised one by one.
pub(crate) fn least(hand: Faces, count: usize, need: u16) -> Option<Faces> {
    if hand.len() < count || hand.highest(count).sum() < need {
        return None;
    }
    let mut picked = hand.lowest(count);
    let mut sum = picked.sum();
    while sum < need {
        let rest = hand.minus(picked)?;
        let lacks = need - sum;
        // The exchange that just reaches the need, or else the exchange that gains most.
        let mut best: Option<(u8, u8)> = None;
        let gain = |(from, to): (u8, u8)| u16::from(to - from);
        for from in picked.each() {
            for to in (from + 1..=TOP).filter(|&face| rest.count(face) > 0) {
                let better =
                    best.is_none_or(|there| match (gain(there) >= lacks, gain((from, to)) >= lacks) {
                        (true, true) => gain((from, to)) < gain(there),
                        (false, false) => gain((from, to)) > gain(there),
                        (reaches, _) => !reaches,
                    });
                if better {
                    best = Some((from, to));
                }
            }
        }
        let (from, to) = best?;
        picked = picked.without(from).with(to);
        sum += gain((from, to));
    }
    Some(picked)
}

/// Each pair of faces that a hand has, once, and the rank of the hand that it leaves.
fn each_pair(hand: Faces, mut each: impl FnMut(u128, [u8; 2])) {
    for high in hand.each() {
        let left = hand.without(high);
        let lows = left.each().take_while(|&low| low <= high);
        lows.for_each(|low| each(left.without(low).rank(), [high, low]));
    }
}

/// The two dice that reach `need` and leave the better hand.
fn keeping(hand: Faces, need: u16) -> Option<Faces> {
    let mut best = None;
    each_pair(hand, |left, pair| {
        if u16::from(pair[0] + pair[1]) >= need {
            best = best.max(Some((left, pair)));
        }
    });
    best.map(|(_, pair)| Faces::of(&pair))
}

/// Lists what somebody may bring in.
pub(crate) fn legal_bring(state: &State, who: Char, each: &mut impl FnMut(Answer)) {
    state.sheet(who).for_each(|(item, thing)| {
        let wanted = matches!(thing.sort, Sort::Trait | Sort::Belonging) && !thing.rolled;
        if wanted && fine(|out: &mut Any| object_bring(state, who, item, out)) {
            each(Answer::Bring(item));
        }
    });
}

fn hand_of(state: &State, who: Char) -> String {
    state.part(who).map_or_else(String::new, |part| format!("hand: {}", part.hand))
}

/// What is listed beside a challenge or an answer.
fn legal_besides(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
    escalate::legal(at, who, &mut |arena| each(Answer::Escalate(arena)));
    scene::legal_assign(at, who, each);
    each(Answer::Give);
    each(Answer::Yield);
}

/// Collects the reasons against an answer beside the challenge or the answer that is owed.
fn object_besides(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
    match answer {
        Answer::Bring(item) => object_bring(at.state, who, item, out),
        Answer::Escalate(arena) => escalate::object(at, who, arena, out),
        _ => scene::object_dice(at, scene::own_dice(answer, who), answer, out),
    }
}

/// Carries out an answer beside the challenge or the answer that is owed.
fn apply_besides(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
    match answer {
        Answer::Bring(item) => bring(play, who, item),
        Answer::Escalate(arena) => escalate::escalate(play, who, arena),
        Answer::Give => conflict::leave(play, who, Leaving::Giving),
        Answer::Yield => conflict::leave(play, who, Leaving::Losing),
        _ => scene::assign_dice(play, scene::own_dice(answer, who), answer),
    }
}

/// Somebody's turn to challenge.
pub(crate) mod turn {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, instead: Option<Char>, _: Viewer) -> Told {
        let (name, hand) = (said(at, who), hand_of(at.state, who));
        let (what, clause) = match instead {
            None => (format!("{name}: challenge."), clause!("challenge.action")),
            Some(by) => {
                let by = said(at, by);
                (format!("{name}: challenge in place of an answer to {by}."), clause!("esc.instead"))
            }
        };
        Told::new(what).leads(format!("{}; {hand}", words::HOW_TO_CHALLENGE)).why(clause)
    }

    pub(crate) fn legal(at: At<'_>, who: Char, _: Option<Char>, each: &mut impl FnMut(Answer)) {
        let Some(part) = at.state.part(who) else { return };
        legal_pairs(at.state, part.hand.faces(), each);
        legal_bring(at.state, who, each);
        legal_besides(at, who, each);
    }

    takes!(
        Answer,
        Answer::Challenge { .. }
            | Answer::Bring(_)
            | Answer::Escalate(_)
            | Answer::Assign { .. }
            | Answer::AssignNew { .. }
            | Answer::Give
            | Answer::Yield,
        clause!("challenge.action"),
        "expected a challenge, something brought in, an escalation, give or yield"
    );

    pub(crate) fn object(at: At<'_>, who: Char, _: Option<Char>, answer: Answer, out: &mut impl Objections) {
        match (answer, at.state.exchange()) {
            (Answer::Challenge { on, dice, harm, arena }, Some(exchange)) => {
                super::object(at.state, exchange, (on, dice, harm, arena), out);
            }
            _ => object_besides(at, who, answer, out),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, _: Option<Char>, answer: Answer) {
        match answer {
            Answer::Challenge { on, dice, harm, arena } => make(play, (on, dice, harm, arena)),
            _ => apply_besides(play, who, answer),
        }
    }
}

/// Further challenges of a group's members, with the same dice (`gnpc.shared-dice`).
pub(crate) mod members {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, left: u8, _: Viewer) -> Told {
        let who = said(at, who);
        Told::new(format!("{who}: {left} more of its members may challenge with the same dice."))
            .why(clause!("gnpc.challenges"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, _: u8, each: &mut impl FnMut(Answer)) {
        manners(at.state, &mut |on, harm| each(Answer::Strike { on, harm, arena: None }));
        if is_done(at.state) {
            each(Answer::Done);
        }
    }

    takes!(
        Answer,
        Answer::Strike { .. } | Answer::Done,
        clause!("gnpc.challenges"),
        "expected another member's challenge, or done"
    );

    pub(crate) fn object(at: At<'_>, _: Char, _: u8, answer: Answer, out: &mut impl Objections) {
        match (answer, at.state.exchange()) {
            (Answer::Strike { on, harm, arena }, Some(exchange)) => {
                object_strike(at.state, exchange, (on, harm, arena), out);
            }
            (Answer::Done, Some(exchange)) => object_done(exchange, out),
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, _: u8, answer: Answer) {
        match answer {
            Answer::Strike { on, harm, arena } => {
                let by = play.state.exchange().map(|exchange| exchange.by);
                if let (Some(by), Some(harm)) = (by, add_strike(play.state, (on, harm, arena))) {
                    play.event(Event::Struck { by, on, harm });
                }
            }
            _ => done(play.state),
        }
    }
}

/// An answer is owed.
pub(crate) mod answering {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let exchange = at.state.exchange().copied().unwrap_or_default();
        let (name, by, hand) = (said(at, who), said(at, exchange.by), hand_of(at.state, who));
        let (need, harm) = (exchange.sum(), exchange.strike().harm);
        Told::new(format!("{name}: answer {by}'s {harm} challenge of {need}."))
            .leads(format!("{}; {hand}", words::HOW_TO_ANSWER))
            .why(clause!("answer.response"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let Some(exchange) = at.state.exchange() else { return };
        legal_answer(at.state, exchange, who, each);
        legal_bring(at.state, who, each);
        if escalate::matched_arena(at.state, who).is_some() {
            each(Answer::Match);
        }
        legal_besides(at, who, each);
    }

    takes!(
        Answer,
        Answer::Answer { .. }
            | Answer::Match
            | Answer::Bring(_)
            | Answer::Escalate(_)
            | Answer::Assign { .. }
            | Answer::AssignNew { .. }
            | Answer::Give
            | Answer::Yield,
        clause!("answer.response"),
        "expected an answer, something brought in, match, an escalation, give or yield"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        match (answer, at.state.exchange()) {
            (Answer::Answer { dice, arena }, Some(exchange)) => {
                object_answer(at.state, exchange, who, (dice, arena), out);
            }
            (Answer::Match, _) if escalate::matched_arena(at.state, who).is_some() => {}
            (Answer::Match, _) => {
                let what = "to respond in kind the challenge must be in an arena one has not entered";
                out.no(clause!("answer-arena"), what);
            }
            _ => object_besides(at, who, answer, out),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, given: Answer) {
        match given {
            Answer::Answer { dice, .. } => answer(play, dice),
            Answer::Match => escalate::go_along(play, who),
            _ => apply_besides(play, who, given),
        }
    }
}

/// The gamemaster may name another kind of harm before any answer (`harm-who`).
pub(crate) mod harm {
    use super::*;

    pub(crate) fn told(at: At<'_>, by: Char, harm: Harm, _: Viewer) -> Told {
        let by = said(at, by);
        Told::new(format!("{by}'s challenge is {harm}. Name another kind?")).why(clause!("harm-who"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, said: Harm, each: &mut impl FnMut(Answer)) {
        Harm::ALL.iter().filter(|&&harm| harm != said).for_each(|&harm| each(Answer::Harm(harm)));
    }

    takes!(Answer, Answer::Harm(_), clause!("harm-who"), "expected a kind of harm");

    pub(crate) fn object(at: At<'_>, _: Char, _: Harm, answer: Answer, out: &mut impl Objections) {
        if let (Answer::Harm(harm), Some(exchange)) = (answer, at.state.exchange())
            && harm > gravest(at.state, exchange)
        {
            out.no(clause!("harm-who"), "a challenge may be milder than its arena, not graver");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, _: Harm, answer: Answer) {
        if let (Answer::Harm(harm), Some(exchange)) = (answer, play.state.exchange_mut()) {
            exchange.strikes[usize::from(exchange.at)].harm = harm;
            exchange.settled = true;
            play.sink.event(Event::HarmNamed { by: exchange.by, harm });
        }
    }
}

/// An ally may hand a die over.
pub(crate) mod helping {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Seat, to: Char, _: Viewer) -> Told {
        Told::new(format!("Hand {} a die?", said(at, to))).why(clause!("helping-dice"))
    }

    pub(crate) fn legal(at: At<'_>, seat: Seat, to: Char, each: &mut impl FnMut(Answer)) {
        let Some(conflict) = at.state.conflict() else { return };
        for who in helpers(conflict, to).iter().filter(|&who| at.state.seat(who) == seat) {
            let hand = conflict.part(who).map(|part| part.hand.faces()).unwrap_or_default();
            hand.each().rev().for_each(|die| each(Answer::Help { who, die }));
        }
    }

    takes!(Answer, Answer::Help { .. }, clause!("helping-dice"), "expected a die of an ally's");

    pub(crate) fn object(at: At<'_>, seat: Seat, to: Char, answer: Answer, out: &mut impl Objections) {
        let Answer::Help { who, die } = answer else { return };
        if at.state.seat(who) != seat {
            out.no(clause!("helping-dice"), "only a character's own player hands its dice over");
        }
        let Some(conflict) = at.state.conflict() else { return };
        if !conflict.allies(to).has(who) || !conflict.is_in(who) {
            out.no(clause!("helping-dice"), "only an ally who is in the conflict can hand a die over");
        }
        if conflict.helped.has(who) {
            out.no(clause!("helping-dice"), "a die is handed over once a round");
        }
        if conflict.part(who).is_none_or(|part| part.hand.faces().count(die) == 0) {
            out.no(clause!("helping-dice"), "it is a die of one's own hand");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Seat, to: Char, answer: Answer) {
        let (Answer::Help { who, die }, Some(conflict)) = (answer, play.state.conflict_mut()) else { return };
        conflict.helped = conflict.helped.with(who);
        let given = conflict.part_mut(who).and_then(|part| part.hand.take(Faces::of(&[die])));
        if let (Some(given), Some(part)) = (given, conflict.part_mut(to)) {
            part.hand.join(given);
            given.iter().for_each(|die| lend(play.state, (who, to), die));
            play.event(Event::Helped { who, to, die });
        }
    }
}

/// Whether what is brought in shows in what they do.
pub(crate) mod concrete {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, item: Item, viewer: Viewer) -> Told {
        let (who, what) = (said(at, who), words::thing_name(at, item, viewer));
        Told::new(format!("{who} brings in {what}. Does it show in what they do?"))
            .why(clause!("bring.concrete"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, _: Item, each: &mut impl FnMut(Answer)) {
        [Answer::Yes, Answer::No].into_iter().for_each(each);
    }

    takes!(Answer, Answer::Yes | Answer::No, clause!("bring.concrete"), "expected yes or no");

    pub(crate) fn object(_: At<'_>, _: Char, _: Item, _: Answer, _: &mut impl Objections) {}

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, item: Item, answer: Answer) {
        conflict::drop_next(play.state);
        if answer == Answer::Yes {
            accept(play, who, item);
        } else {
            play.event(Event::NotConcrete { who, item });
        }
    }
}
