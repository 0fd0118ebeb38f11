//! Round zero, initiative, the order of turns, those who wait, the end of a round and of a battle.

use crate::answer::{Act, Answer};
use crate::rules::{HoldSpent, Rules};
use crate::state::{Attack, Blow, Cut, Fighting, Frame, Lie, Phase, State, With};
use crate::{At, Play, act, event::Event, values, vocab::*};
use fracas_kernel::{Objections, Seat, Sink, Told, Viewer, Who, takes};

/// Who takes part in the battle: everybody here, but for those who carry others.
pub(crate) fn takes_part(at: At<'_>, who: Char) -> bool {
    at.state.is_here(who) && !at.rules.mounts.has(who)
}

/// A conflict begins with round zero (`zero.begin`). Where nobody acts first it is over at the Adversary's
/// word (`zero-none`): players cannot tell whether somebody unseen did something.
pub(crate) fn begin(play: &mut Play<'_, impl Sink<Event>>, first: CharSet, surprised: CharSet) {
    let state = &mut *play.state;
    (state.phase, state.round, state.turn, state.on) = (Phase::Battle, 0, None, false);
    state.battles = state.battles.saturating_add(1);
    state.passed = CharSet::NONE;
    play.event(Event::Battle);
    for who in play.rules.everybody() {
        let takes_part = takes_part(play.at(), who);
        let is_first = first.has(who);
        let being = play.state.being_mut(who);
        being.surprised = surprised.has(who);
        let turn = match () {
            () if !takes_part => Turn::Out,
            // Who is not noticed acts when the Adversary likes (`unseen-turn`).
            () if is_first && being.unseen => Turn::Waits,
            () if is_first => Turn::Later,
            () => Turn::Done,
        };
        being.battle = Fighting {
            turn,
            // The others can only Abort (`zero-unsurprised`).
            actions: if takes_part && !being.surprised { 2 } else { 0 },
            step: is_first,
            ..Fighting::default()
        };
    }
    for who in first.iter() {
        play.event(Event::First { who });
    }
    for who in surprised.iter() {
        play.event(Event::Surprised { who });
    }
}

/// Round one: everybody finds their initiative (`zero.then-one`).
fn roll_initiative(play: &mut Play<'_, impl Sink<Event>>) {
    (play.state.round, play.state.reached) = (1, None);
    (play.state.passed, play.state.asked) = (CharSet::NONE, (None, CharSet::NONE));
    let all: CharSet = play.rules.everybody().filter(|&who| takes_part(play.at(), who)).collect();
    for who in all.iter() {
        let surprised = std::mem::take(&mut play.state.being_mut(who).surprised);
        ready(play, who, surprised);
    }
    for who in all.iter() {
        play.state.fighting_mut(who).initiative = values::NO_SCORE;
    }
    find_initiative(play, all);
}

/// Those of a set who have no initiative yet and are conscious find it: players' characters by their dice.
fn find_initiative(play: &mut Play<'_, impl Sink<Event>>, all: CharSet) {
    let mut rolling = CharSet::NONE;
    for who in all.iter() {
        let has_none = play.state.fighting(who).initiative == values::NO_SCORE;
        if has_none && !play.state.is_disabled(play.rules, who) && join(play, who) {
            rolling = rolling.with(who);
        }
    }
    play.state.frames.push(Frame::Initiative(rolling));
}

/// Somebody's actions of a new round (`action.two`), and what a surprise still costs.
fn ready(play: &mut Play<'_, impl Sink<Event>>, who: Char, surprised: bool) {
    let Fighting { initiative, haste, ahead, tie, deed, .. } = *play.state.fighting(who);
    let shift = if surprised { i16::from(play.rules.minors.surprised) } else { 0 };
    *play.state.fighting_mut(who) = Fighting {
        turn: Turn::Later,
        initiative: initiative.saturating_add(haste).min(999),
        shift: shift + ahead,
        tie,
        deed,
        actions: 2,
        step: true,
        ..Fighting::default()
    };
}

/// Finds the initiative of somebody who does not roll; whether the dice are still to say it (`init.roll`,
/// `init.enemy`, `init-ally`).
pub(crate) fn join(play: &mut Play<'_, impl Sink<Event>>, who: Char) -> bool {
    let perception = values::level(play.at(), who, Trait::PERCEPTION);
    if play.rules.seat(who) != Seat::Gm {
        return true;
    }
    let score = perception + i16::from(play.rules.options.foe_initiative);
    play.state.fighting_mut(who).initiative = score;
    play.event(Event::Initiative { who, score, rolled: false });
    come_late(play, who);
    false
}

/// Somebody joins a battle under way (`init-late`).
pub(crate) fn arrive(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let is_in = play.state.fighting(who).turn != Turn::Out;
    if play.state.phase != Phase::Battle || !takes_part(play.at(), who) || is_in {
        return;
    }
    if play.state.round == 0 {
        *play.state.fighting_mut(who) = Fighting { turn: Turn::Done, actions: 2, ..Fighting::default() };
        return;
    }
    ready(play, who, false);
    play.state.fighting_mut(who).initiative = values::NO_SCORE;
    if play.state.is_disabled(play.rules, who) {
        return;
    }
    let full = play.state.frames.is_full();
    if join(play, who) && !full {
        play.state.frames.push(Frame::Initiative(CharSet::one(who)));
    }
}

/// A newcomer whose score was passed already this round has the first turn in the next (`init-late`).
fn come_late(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let passed = play.state.reached.is_some_and(|reached| reached < rank(play.at(), who));
    if passed {
        let fighting = play.state.fighting_mut(who);
        (fighting.turn, fighting.actions, fighting.step) = (Turn::Done, 0, false);
    }
}

/// The dice of somebody's initiative lie (`init.value`).
pub(crate) fn initiative_fell(play: &mut Play<'_, impl Sink<Event>>, left: CharSet, dice: u8) {
    let Some(who) = left.first() else { return };
    let score = i16::from(dice) + values::rolled(play.at(), who, Trait::PERCEPTION);
    play.state.fighting_mut(who).initiative = score;
    play.event(Event::Initiative { who, score, rolled: true });
    come_late(play, who);
    if let Some(frame) = play.state.frames.last_mut() {
        *frame = Frame::Initiative(left.without(who));
    }
}

/// The place in the order, the greater first: by score, then by Perception, then players' characters before
/// others. Equal places roll off (`init.order`, `init-tie`).
fn rank(at: At<'_>, who: Char) -> (i16, i16, bool) {
    (
        values::initiative(at, who),
        i16::from(at.state.being(who).levels[Trait::PERCEPTION.index()]),
        at.rules.is_pc(who),
    )
}

/// Those of a set who would go first together.
fn foremost(at: At<'_>, all: CharSet) -> CharSet {
    let best = all.iter().map(|who| rank(at, who)).max();
    all.iter().filter(|&who| Some(rank(at, who)) == best).collect()
}

/// How often somebody has rolled off so far.
const fn rolls_off(tie: u32) -> u32 {
    8 - tie.trailing_zeros() / 4
}

/// Whose turn is next of a set.
///
/// # Errors
/// Those who must roll off first: they share the first place and have not rolled, or have rolled alike.
fn next_of(at: At<'_>, all: CharSet) -> Result<Option<Char>, CharSet> {
    let level = foremost(at, all);
    let tie = |who: Char| at.state.fighting(who).tie;
    let fresh: CharSet = level.iter().filter(|&who| tie(who) == 0).collect();
    if level.len() > 1 && !fresh.is_empty() {
        return Err(fresh);
    }
    let best = level.iter().map(tie).max();
    let tied: CharSet = level.iter().filter(|&who| Some(tie(who)) == best).collect();
    if tied.len() > 1 && best.is_some_and(|best| rolls_off(best) < 8) {
        return Err(tied);
    }
    Ok(tied.first())
}

/// All who stand so in the round, in the order in which they act.
pub(crate) fn in_order(at: At<'_>, all: CharSet) -> arrayvec::ArrayVec<Char, MAX_CAST> {
    let mut order: arrayvec::ArrayVec<Char, MAX_CAST> = all.iter().collect();
    order.sort_unstable_by_key(|&who| {
        let (score, perception, pc) = rank(at, who);
        (std::cmp::Reverse((score, perception, pc, at.state.fighting(who).tie)), who)
    });
    order
}

/// All who stand so in the round.
pub(crate) fn those(at: At<'_>, turn: Turn) -> CharSet {
    at.rules.everybody().filter(|&who| at.state.fighting(who).turn == turn).collect()
}

/// The dice of a roll-off lie.
pub(crate) fn rolled_off(play: &mut Play<'_, impl Sink<Event>>, left: CharSet, dice: u8) {
    let Some(who) = left.first() else { return };
    let tie = &mut play.state.fighting_mut(who).tie;
    let place = 28_u32.saturating_sub(4 * if *tie == 0 { 0 } else { rolls_off(*tie) });
    *tie |= u32::from(dice) << place;
    play.event(Event::RollsOff { who, total: dice });
    if let Some(frame) = play.state.frames.last_mut() {
        *frame = Frame::RollOff(left.without(who));
    }
}

/// Whether all who could go on with the battle are on one side, as far as players know (`battle-end`).
pub(crate) fn is_decided(at: At<'_>) -> bool {
    let fights = |side: Side| {
        at.rules.everybody().any(|who| {
            at.rules.sheet(who).side == side
                && takes_part(at, who)
                && !at.state.is_disabled(at.rules, who)
                && at.state.is_noticed(who)
        })
    };
    !fights(Side::Players) || !fights(Side::Foes)
}

/// Moves the round on while nobody is asked: the next turn, or the next round's dice.
pub(crate) fn go_on(play: &mut Play<'_, impl Sink<Event>>) {
    if let Some(who) = play.state.turn {
        let fighting = *play.state.fighting(who);
        let is_able = play.state.is_able(play.rules, who);
        if fighting.turn == Turn::Now && play.state.being(who).unseen {
            play.state.fighting_mut(who).turn = Turn::Waits;
        } else if fighting.turn == Turn::Now && is_able && act::has_more(play.at(), who) {
            return;
        }
        let turn = &mut play.state.fighting_mut(who).turn;
        if *turn == Turn::Now {
            *turn = Turn::Done;
        }
        play.state.turn = None;
    }
    if play.state.round == 0 || is_over(play.at()) {
        return;
    }
    let (unseen, seen) = unseen_first(play.at());
    for who in unseen.iter() {
        play.state.fighting_mut(who).turn = Turn::Waits;
    }
    match next_of(play.at(), seen) {
        Ok(None) => {}
        Ok(Some(who)) if play.state.being(who).asleep => {
            play.state.reached = Some(rank(play.at(), who));
            play.state.fighting_mut(who).turn = Turn::Done;
            play.event(Event::Sleeps { who });
            go_on(play);
        }
        Ok(Some(who)) => take_turn(play, who),
        Err(tied) => play.state.frames.push(Frame::RollOff(tied)),
    }
}

/// Whether the Adversary is asked whether the battle is over.
pub(crate) fn is_over(at: At<'_>) -> bool {
    at.state.round > 0 && !at.state.on && is_decided(at)
}

/// Those who cannot act lose their turn (`turn.disabled`), and wait for nothing.
pub(crate) fn drop_out(play: &mut Play<'_, impl Sink<Event>>) {
    if play.state.phase != Phase::Battle {
        return;
    }
    for who in play.rules.everybody() {
        let turn = play.state.fighting(who).turn;
        if play.state.round == 0 && turn == Turn::Later && play.state.being(who).unseen {
            play.state.fighting_mut(who).turn = Turn::Waits;
        }
        // A sleeper may still wake before the turn comes.
        let is_out = match turn {
            Turn::Later => play.state.is_disabled(play.rules, who) || !play.state.is_here(who),
            Turn::Waits => !play.state.is_able(play.rules, who),
            Turn::Now => play.state.is_disabled(play.rules, who),
            _ => false,
        };
        if !is_out {
            continue;
        }
        let fighting = play.state.fighting_mut(who);
        (fighting.turn, fighting.actions, fighting.step) = (Turn::Done, 0, false);
        if turn == Turn::Later && play.state.is_here(who) {
            play.event(Event::Skipped { who });
        }
    }
}

/// Two sets of those whose turn is still to come: the unnoticed whose initiative has come up, and all who are
/// noticed. The unnoticed wait, and act when the Adversary likes (`unseen-turn`): so nobody hears of a turn
/// of theirs, or of a roll-off with them.
fn unseen_first(at: At<'_>) -> (CharSet, CharSet) {
    let later = those(at, Turn::Later);
    let unseen: CharSet = later.iter().filter(|&who| at.state.being(who).unseen).collect();
    let seen = later.minus(unseen);
    let best = seen.iter().map(|who| rank(at, who)).max();
    let come = unseen.iter().filter(|&who| best.is_none_or(|best| rank(at, who) >= best));
    (come.collect(), seen)
}

/// Somebody's initiative comes up.
fn take_turn(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    play.state.turn = Some(who);
    play.state.reached = Some(rank(play.at(), who));
    play.state.fighting_mut(who).turn = Turn::Now;
    play.event(Event::Turn { who });
}

/// Those who wait, have something left, and are against somebody. Whose own action is interrupted does
/// nothing before it goes on (`wait-split`).
pub(crate) fn waiting_against(at: At<'_>, who: Char) -> CharSet {
    let is_amid = |other: Char| at.state.frames.iter().any(|frame| frame.is_act_of(other));
    let may = |other: &Char| {
        let fighting = at.state.fighting(*other);
        fighting.turn == Turn::Waits
            && !is_amid(*other)
            && at.state.are_foes(at.rules, *other, who)
            && at.state.is_able(at.rules, *other)
            && at.state.perceives(at.rules, *other, who)
            && !at.state.being(*other).unaware
            && act::has_more_late(at, *other)
    };
    // On whom can do nothing more nobody cuts in (`wait.resume`).
    if !at.state.is_able(at.rules, who) {
        return CharSet::NONE;
    }
    at.rules.everybody().filter(may).collect()
}

/// Those who wait and may act at any moment, of one seat.
pub(crate) fn waits_for(at: At<'_>, seat: Seat) -> CharSet {
    let may = |&who: &Char| {
        at.rules.seat(who) == seat
            && at.state.fighting(who).turn == Turn::Waits
            && at.state.is_able(at.rules, who)
            && act::has_more_late(at, who)
    };
    at.rules.everybody().filter(may).collect()
}

/// Whom the stand-off asks next: those who wait, whom everybody can see, in the order of initiative
/// (`standoff-ask`).
pub(crate) fn next_in_standoff(at: At<'_>) -> Option<Char> {
    let asked = |&who: &Char| {
        let fighting = at.state.fighting(who);
        fighting.turn == Turn::Waits
            && !at.state.being(who).unseen
            && at.state.is_able(at.rules, who)
            && act::has_more_late(at, who)
            && !at.state.passed.has(who)
    };
    in_order(at, at.rules.everybody().filter(asked).collect()).first().copied()
}

/// The next round begins: those who have held over gain by it (`hold.bonus`, `standoff.bonus`).
fn next(play: &mut Play<'_, impl Sink<Event>>) {
    let held: CharSet =
        play.rules.everybody().filter(|&who| holds_over(play.rules, play.state, who)).collect();
    if held.iter().any(|who| play.state.is_noticed(who)) {
        play.event(Event::Standoff);
    }
    for who in held.iter() {
        play.event(Event::Holds { who });
    }
    play.state.round = play.state.round.saturating_add(1);
    play.state.passed = CharSet::NONE;
    (play.state.on, play.state.reached) = (false, None);
    play.state.asked = (None, CharSet::NONE);
    play.event(Event::Round(play.state.round));
    let fights = |&who: &Char| play.state.fighting(who).turn != Turn::Out;
    let all: CharSet = play.rules.everybody().filter(fights).collect();
    for who in all.iter() {
        ready(play, who, false);
        play.state.fighting_mut(who).held_over = held.has(who);
    }
    find_initiative(play, all);
    // What was done to a mount is over as well (`modifier.expiry`).
    for who in play.rules.mounts.iter() {
        play.state.fighting_mut(who).changes = Default::default();
        play.state.fighting_mut(who).held = false;
    }
}

/// Whether somebody holds its turn over: it waits, with as much unspent as the table asks (`hold-spent`).
pub(crate) fn holds_over(rules: &Rules, state: &State, who: Char) -> bool {
    let fighting = state.fighting(who);
    let enough = match rules.options.hold {
        HoldSpent::BothUnspent => fighting.spent == 0,
        HoldSpent::OneUnspent => fighting.actions > 0,
    };
    fighting.turn == Turn::Waits && enough && state.is_able(rules, who)
}

/// The battle is over: what holds for its rounds is gone.
pub(crate) fn peace(play: &mut Play<'_, impl Sink<Event>>) {
    play.state.phase = Phase::Scene;
    play.state.turn = None;
    play.state.frames.clear();
    play.state.deeds.clear();
    for being in &mut play.state.cast {
        (being.battle, being.surprised) = (Fighting::default(), false);
    }
    play.event(Event::Peace);
}

/// What small acts change of initiative (`init.minor`).
pub(crate) fn shift(play: &mut Play<'_, impl Sink<Event>>, who: Char, by: i8) {
    if by == 0 {
        return;
    }
    let fighting = play.state.fighting_mut(who);
    fighting.shift = (fighting.shift + i16::from(by)).clamp(-999, 999);
    let shift = fighting.shift;
    play.event(Event::Shifted { who, by: shift, next: false });
    put_off(play, who);
}

/// A turn that has not begun in earnest is put off to its new score (`minor-when`).
pub(crate) fn put_off(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let has_acted = play.state.fighting(who).spent > 0;
    let later = those(play.at(), Turn::Later);
    // Of somebody unseen nobody may hear by it.
    let ahead = |other: Char| rank(play.at(), other) > rank(play.at(), who);
    let overtaken = later.iter().any(|other| !play.state.being(other).unseen && ahead(other));
    if play.state.turn == Some(who) && play.state.round > 0 && !has_acted && overtaken {
        play.state.fighting_mut(who).turn = Turn::Later;
        play.state.turn = None;
    }
}

/// Somebody of the Adversary's is noticed.
pub(crate) fn notice(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    if !std::mem::replace(&mut play.state.being_mut(who).unseen, false) {
        return;
    }
    play.state.remember();
    play.state.passed = CharSet::NONE;
    play.event(Event::Noticed { of: who });
    // A rider and a mount are seen together.
    for other in [play.state.being(who).riding, play.state.rider(who)].into_iter().flatten() {
        notice(play, other);
    }
}

/// Somebody is brought down. Riders fall off.
pub(crate) fn fall(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    lie_down(play, who, false);
}

/// Somebody comes to be prone: drops so, or is brought down (`prone.fall`, `prone.meaning`).
pub(crate) fn lie_down(play: &mut Play<'_, impl Sink<Event>>, who: Char, drops: bool) {
    // The movement that led to an attack is broken (`charge-spaces`).
    play.state.fighting_mut(who).charging = false;
    // Nobody stays in the saddle (`mount-falls`).
    if let Some(rider) = play.state.rider(who) {
        fall(play, rider);
    }
    if let Some(mount) = play.state.being_mut(who).riding.take() {
        play.event(Event::ThrownOff { who, mount });
    }
    if !std::mem::replace(&mut play.state.being_mut(who).prone, true) {
        play.event(Event::Falls { who, drops });
    }
}

/// Somebody takes wounds, and what comes of them (`turn.disabled`, `injury.death`).
pub(crate) fn wound(play: &mut Play<'_, impl Sink<Event>>, who: Char, wounds: u16) {
    if wounds == 0 {
        return;
    }
    let was = (play.state.is_disabled(play.rules, who), play.state.is_dead(play.rules, who));
    let being = play.state.being_mut(who);
    being.wounds = (being.wounds + wounds).min(MAX_WOUNDS);
    // `sleeper-hurt`
    let slept = std::mem::take(&mut being.asleep);
    play.event(Event::Wounded { who, wounds });
    if slept && !play.state.is_disabled(play.rules, who) {
        play.event(Event::Wakes { who });
    }
    harmed(play, who, was);
}

/// The same of shocks (`injury.shock`).
pub(crate) fn shock(play: &mut Play<'_, impl Sink<Event>>, who: Char, shocks: u16) {
    if shocks == 0 {
        return;
    }
    let was = (play.state.is_disabled(play.rules, who), play.state.is_dead(play.rules, who));
    let being = play.state.being_mut(who);
    being.shocks = (being.shocks + shocks).min(MAX_WOUNDS);
    play.event(Event::Shocked { who, shocks });
    harmed(play, who, was);
}

/// What harm has come to.
fn harmed(play: &mut Play<'_, impl Sink<Event>>, who: Char, (was, was_dead): (bool, bool)) {
    if !was_dead && play.state.is_dead(play.rules, who) {
        play.event(Event::Dies { who });
    } else if !was && play.state.is_disabled(play.rules, who) {
        play.event(Event::Disabled { who });
    }
    if was || !play.state.is_disabled(play.rules, who) {
        return;
    }
    fall(play, who);
    let fighting = play.state.fighting_mut(who);
    (fighting.actions, fighting.step, fighting.rapid, fighting.extra) = (0, false, 0, 0);
    if fighting.turn == Turn::Waits {
        fighting.turn = Turn::Done;
    }
}

/// Goes on with those who may cut in: prepared strikes are struck at once.
pub(crate) fn cut_on(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(&Frame::Cut(cut)) = play.state.frames.last() else { return };
    let queue = cut.queue.and(waiting_against(play.at(), cut.on));
    if queue.is_empty() {
        play.state.frames.pop();
        return;
    }
    if queue != cut.queue {
        set_queue(play.state, queue);
    }
    let ready = |who: &Char| cut.sprung.has(*who) && trap(play.at(), *who, cut.on).is_some();
    if let Some(who) = queue.iter().find(ready)
        && let Some(strike) = trap(play.at(), who, cut.on)
    {
        set_queue(play.state, queue.without(who));
        play.event(Event::CutsIn { who, on: cut.on });
        act::apply(play, who, strike);
    } else if let Some(unseen) = queue.iter().find(|&who| play.state.being(who).unseen) {
        // Whom nobody has noticed is not asked: that would be heard.
        set_queue(play.state, queue.without(unseen));
    }
}

/// Whether somebody is asked to cut in, and nothing follows by itself.
pub(crate) fn is_cut_due(at: At<'_>, cut: &Cut) -> bool {
    let still = cut.queue.and(waiting_against(at, cut.on));
    let strikes = |who: Char| cut.sprung.has(who) && trap(at, who, cut.on).is_some();
    let asked = |who: Char| !at.state.being(who).unseen && !strikes(who);
    !still.is_empty() && still == cut.queue && still.iter().all(asked)
}

/// The strike that somebody who waits has prepared, if it can be made.
fn trap(at: At<'_>, who: Char, on: Char) -> Option<Act> {
    let weapon = (*at.state.fighting(who).trap.reveal())?;
    let strike = |thrown| Act::Strike { on, with: Some(weapon), thrown, pull: Default::default() };
    [strike(false), strike(true)]
        .into_iter()
        .find(|&act| fracas_kernel::fine(|out| act::object(at, who, act, act::Mode::Late, out)))
}

fn set_queue(state: &mut State, queue: CharSet) {
    if let Some(Frame::Cut(cut)) = state.frames.last_mut() {
        cut.queue = queue;
    }
}

/// Who is asked next of those who may cut in: the higher initiative first (`wait-split`).
pub(crate) fn next_to_cut(at: At<'_>, cut: &Cut) -> Option<Char> {
    in_order(at, cut.queue).first().copied()
}

/// Does not cut in.
pub(crate) fn let_go(state: &mut State, who: Char) {
    if let Some(Frame::Cut(cut)) = state.frames.last_mut() {
        cut.queue = cut.queue.without(who);
    }
}

/// An attack that can be announced: with whom it is made, on whom.
pub(crate) fn attack(by: Char, on: Char, with: With) -> Attack {
    Attack {
        by,
        on,
        with,
        thrown: false,
        pull: (0, 0),
        unaware: false,
        trick: 0,
        defence: None,
        momentum: 0,
        fortune: 0,
        step: Blow::Announced,
        mox: 0,
        wounds: 0,
        effect: crate::state::SideEffect::None,
    }
}

/// The question of [`crate::answer::Prompt::Round`], and all that follows from it.
pub(crate) fn told(at: At<'_>, viewer: Viewer) -> Told {
    let question = if is_over(at) {
        Told::new("Is the conflict over?").why(clause!("battle-end"))
    } else {
        let next = at.state.round.saturating_add(1);
        Told::new(format!("Does round {next} begin?")).why(clause!("turn.sequence"))
    };
    let unseen = if viewer.is_gm() { unseen_left(at) } else { CharSet::NONE };
    if unseen.is_empty() {
        return question;
    }
    let names = crate::words::names(at.rules, unseen);
    let text = format!("{names} can still act, and nobody has noticed. {}", question.text);
    Told::new(text).why(clause!("unseen-turn"))
}

/// Those whom players have not noticed who can still act in this round: the Adversary alone is told, within
/// a question that is asked whether or not there are any (`unseen-turn`).
pub(crate) fn unseen_left(at: At<'_>) -> CharSet {
    waits_for(at, Seat::Gm).iter().filter(|&who| at.state.being(who).unseen).collect()
}

pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
    if crate::flow::is_thrown(at) {
        return;
    }
    each(Answer::Next);
    each(Answer::Peace);
    for who in unseen_left(at).iter() {
        act::list(at, who, act::Mode::Late, &mut |act| each(Answer::As { who, act }));
    }
    if !is_over(at) {
        shifts(at, |fighting| fighting.turn != Turn::Out && fighting.ahead == 0, each);
    }
}

/// More and less initiative for those who stand so, by a little or by much.
pub(crate) fn shifts(at: At<'_>, which: impl Fn(&Fighting) -> bool, each: &mut impl FnMut(Answer)) {
    for who in
        at.rules.everybody().filter(|&who| which(at.state.fighting(who)) && at.state.is_able(at.rules, who))
    {
        [2, -2, 6, -6].into_iter().for_each(|by| each(Answer::Shift { who, by }));
    }
}

takes!(
    Answer,
    Answer::Next
        | Answer::Peace
        | Answer::Shift { .. }
        | Answer::Notice { .. }
        | Answer::Hint { .. }
        | Answer::As { .. },
    clause!("turn.sequence"),
    "expected the next round, or the end of the conflict"
);

pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
    if crate::flow::is_thrown(at) {
        return out.no(clause!("info.adversary"), crate::flow::LIE_FIRST);
    }
    match answer {
        Answer::Shift { who, .. } if at.state.fighting(who).turn == Turn::Out => {
            out.no(clause!("init.environment"), "only those in the battle have an initiative");
        }
        Answer::Notice { .. } | Answer::Hint { .. } => crate::scene::object(at, answer, out),
        Answer::As { who, act } => waiting::object(at, Who::One(Seat::Gm), Answer::As { who, act }, out),
        _ => {}
    }
}

pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
    match answer {
        Answer::Next if is_over(play.at()) => play.state.on = true,
        Answer::Next if play.state.round == 0 => roll_initiative(play),
        Answer::Next => {
            next(play);
        }
        Answer::Peace => peace(play),
        Answer::Shift { who, by } => {
            // Between rounds it is for the next.
            let ahead = &mut play.state.fighting_mut(who).ahead;
            *ahead = (*ahead + i16::from(by)).clamp(-99, 99);
            let by = *ahead;
            play.event(Event::Shifted { who, by, next: true });
        }
        Answer::As { who, act } => late(play, who, act),
        other => crate::scene::apply(play, other),
    }
}

/// Somebody who waited acts between the actions of others (`wait.anytime`). An act begins the asking of a
/// stand-off anew; to wait for something else is none (`standoff-ask`).
pub(crate) fn late(play: &mut Play<'_, impl Sink<Event>>, who: Char, act: Act) {
    if !matches!(act, Act::Wait { .. }) {
        // An act that nobody hears of changes nothing that others were asked.
        if !play.state.being(who).unseen {
            play.state.passed = CharSet::NONE;
        }
        play.event(Event::ActsLate { who });
    }
    act::apply(play, who, act);
}

/// Several of a seat's may act: the question of [`crate::answer::Prompt::First`].
pub(crate) mod first {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Who, _: Viewer) -> Told {
        Told::new("Who of yours acts in round zero, and how?").why(clause!("zero.first"))
    }

    pub(crate) fn legal(at: At<'_>, asked: Who, each: &mut impl FnMut(Answer)) {
        let seat = asked.seat().unwrap_or(Seat::Gm);
        for who in those(at, Turn::Later).iter().filter(|&who| at.rules.seat(who) == seat) {
            act::list(at, who, act::Mode::Turn, &mut |act| each(Answer::As { who, act }));
        }
    }

    takes!(Answer, Answer::As { .. }, clause!("zero.first"), "expected what somebody of yours does");

    pub(crate) fn object(at: At<'_>, asked: Who, answer: Answer, out: &mut impl Objections) {
        let Answer::As { who, act } = answer else { return };
        if Some(at.rules.seat(who)) != asked.seat() || at.state.fighting(who).turn != Turn::Later {
            return out.no(clause!("zero.first"), "that is none of yours who act first");
        }
        act::object(at, who, act, act::Mode::Turn, out);
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Who, answer: Answer) {
        let Answer::As { who, act } = answer else { return };
        play.state.turn = Some(who);
        play.state.fighting_mut(who).turn = Turn::Now;
        play.event(Event::Turn { who });
        act::apply(play, who, act);
    }
}

/// Those of a seat who wait may act: the question of [`crate::answer::Prompt::Waiting`].
pub(crate) mod waiting {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Who, _: Viewer) -> Told {
        Told::new("Does somebody of yours who waits act now?").why(clause!("wait.anytime"))
    }

    pub(crate) fn legal(at: At<'_>, asked: Who, each: &mut impl FnMut(Answer)) {
        for who in waits_for(at, asked.seat().unwrap_or(Seat::Gm)).iter() {
            act::list(at, who, act::Mode::Late, &mut |act| each(Answer::As { who, act }));
        }
    }

    takes!(
        Answer,
        Answer::As { .. },
        clause!("wait.anytime"),
        "expected what somebody of yours does who waits"
    );

    pub(crate) fn object(at: At<'_>, asked: Who, answer: Answer, out: &mut impl Objections) {
        let Answer::As { who, act } = answer else { return };
        if !waits_for(at, asked.seat().unwrap_or(Seat::Gm)).has(who) {
            return out.no(clause!("wait.not-yet"), "only somebody of yours who waits can act out of turn");
        }
        act::object(at, who, act, act::Mode::Late, out);
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Who, answer: Answer) {
        if let Answer::As { who, act } = answer {
            late(play, who, act);
        }
    }
}

/// What it takes to do something that is none of the named actions: the question of
/// [`crate::answer::Prompt::Deed`].
pub(crate) mod deed {
    use super::*;
    use crate::state::{Being, Check, MAX_DEEDS, Why};
    use fracas_kernel::{Any, Saying, fine};

    /// The most actions that a deed can take (`long-action`).
    const MOST: u8 = 20;

    /// Whether what another has begun is still to be done.
    fn is_left(cast: &[Being], other: Char, who: Char) -> bool {
        other != who && cast[other.index()].battle.deed > 0
    }

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("What does it take {} to do that?", Saying(who, at))).why(clause!("action.long"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let takes = [1, 0, 3, 2].into_iter().map(Answer::Takes);
        takes.filter(|&answer| fine(|out: &mut Any| object(at, who, answer, out))).for_each(&mut *each);
        for level in crate::check::LEVELS.into_iter().chain([8]) {
            each(Answer::Level { level, tools: 0, with: None });
        }
        each(Answer::No);
    }

    takes!(
        Answer,
        Answer::Takes(_) | Answer::Level { .. } | Answer::No,
        clause!("action.long"),
        "expected a number of actions, or a challenge level"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let others = at.state.deeds.iter().filter(|(other, _)| is_left(&at.state.cast, *other, who)).count();
        match answer {
            Answer::Takes(actions) if actions > MOST => {
                out.no(clause!("action.long"), "at most twenty actions");
            }
            Answer::Takes(2..) if others == MAX_DEEDS => {
                out.no(
                    clause!("action.long"),
                    "eight others are at deeds that take longer: let it take one action, or a check",
                );
            }
            Answer::Level { tools, .. } => crate::check::tools(tools, out),
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(Frame::Deed(deed)) = play.state.frames.pop() else { return };
        match answer {
            Answer::Takes(actions) => {
                play.event(Event::Takes { who, actions });
                if actions > 0 {
                    act::spend(play, who, 1);
                }
                if actions > 1 {
                    play.state.fighting_mut(who).deed = actions - 1;
                    let State { deeds, cast, .. } = &mut *play.state;
                    deeds.retain(|(other, _)| is_left(cast, *other, who));
                    deeds.push((who, deed.what));
                }
            }
            Answer::Level { level, tools, with } => {
                act::spend(play, who, 1);
                let with = with.unwrap_or(Trait::ATHLETE);
                let level = (i16::from(level) + i16::from(tools)).max(0);
                play.state.frames.push(Frame::Check(Check::new(who, with, level, Why::Tried(deed.what))));
                crate::check::call(play);
            }
            _ => play.event(Event::RefusedTry { who }),
        }
    }
}

/// Somebody's weapons in hand.
pub(crate) fn drop_weapons(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let at = play.state.being(who).at;
    for n in 0..play.state.arms.len() {
        let weapon = Weapon(n as u8);
        let place = play.state.place(weapon);
        if place.holder == who && place.lie == Lie::Hand && !play.rules.arm(weapon).natural {
            play.state.drop(weapon, at);
            play.event(Event::Drops { who, weapon });
        }
    }
}
