//! Moves, walked space by space: footing, those who wait, those nobody had noticed.

use crate::answer::Via;
use crate::effect::Fall;
use crate::rules::Occupied;
use crate::state::{Check, Cut, Frame, Gait, Lie, MAX_FRAMES, Trial, Walk, Why};
use crate::{At, Play, event::Event, round, values, vocab::*};
use fracas_kernel::{Path, Seat, Sink, Space, Spaces, Viewer};

/// The path that a move takes, if it can be made: from waypoint to waypoint the shortest. Ground changes
/// the Movement of a move that touches it (`terrain.slope`, `ground-movement`).
pub(crate) fn path(at: At<'_>, who: Char, to: Space, via: &Via, fortune: u8) -> Option<Path> {
    let field = &at.rules.field;
    let (from, free) = (at.state.being(who).at, at.state.free(at.rules, who));
    let base = i16::from(values::movement(at, who)) + i16::from(fortune);
    let start = at.rules.change_of(from);
    let mut best: Option<Path> = None;
    for (change, spaces) in &at.rules.floors {
        let most = (base + i16::from(*change)).clamp(0, MAX_MOVE.into()) as u8;
        if *change > start || most == 0 {
            continue;
        }
        let found = field.walk(from, via.as_slice(), to, most, &free.and(spaces));
        if let Ok(path) = found
            && best.as_ref().is_none_or(|best| path.len() < best.len())
        {
            best = Some(path);
            // Where no way is shorter than the distance, no other ground gives a better one.
            if best.as_ref().is_some_and(|best| best.len() == usize::from(field.distance(from, to))) {
                break;
            }
        }
    }
    best
}

/// Whether somebody can end a move in a space, as far as its seat knows (`occupied`).
pub(crate) fn can_stand(at: At<'_>, who: Char, space: Space) -> bool {
    if !at.rules.field.is_there(space) {
        return false;
    }
    if !at.rules.field.is_grid() || at.rules.options.occupied == Occupied::Shared {
        return true;
    }
    !at.state
        .stands_in(at.rules, space, who)
        .any(|other| at.state.perceives(at.rules, who, other) && !at.state.is_disabled(at.rules, other))
}

/// The spaces in which somebody can end a move, as far as its seat knows.
pub(crate) fn stands(at: At<'_>, who: Char) -> Spaces {
    let mut stands = *at.rules.field.spaces();
    if at.rules.options.occupied != Occupied::Shared {
        for other in at.rules.everybody().filter(|&other| other != who && at.state.is_here(other)) {
            let there = at.state.being(other).at;
            if !can_stand(at, who, there) {
                stands.remove(there);
            }
        }
    }
    stands.remove(at.state.being(who).at);
    stands
}

/// The spaces in which a move can end that takes one action and no Fortune, as far as the mover's seat
/// knows.
pub(crate) fn ends(at: At<'_>, who: Char) -> Spaces {
    let (field, from, stands) = (&at.rules.field, at.state.being(who).at, stands(at, who));
    if field.is_grid() {
        return moved(at, who, &Spaces::EMPTY.with(from)).and(&stands);
    }
    stands.iter().filter(|&to| path(at, who, to, &Via::default(), 0).is_some()).collect()
}

/// All spaces to which a move leads from any of these (`move.action`, `ground-movement`).
pub(crate) fn moved(at: At<'_>, who: Char, from: &Spaces) -> Spaces {
    let free = at.state.free(at.rules, who);
    let base = i16::from(values::movement(at, who));
    let mut all = Spaces::EMPTY;
    for (change, floor) in &at.rules.floors {
        let most = (base + i16::from(*change)).clamp(0, MAX_MOVE.into()) as u8;
        if most > 0 {
            let ground = free.and(floor);
            all = all.union(&at.rules.field.spread(&from.and(floor), most, &ground));
        }
    }
    all
}

/// What keeps a combatant from being thrown into a space: whether a wall or somebody able whom players see
/// does, and somebody able there whom they do not see. It does not hang on whose side the thrown one is.
pub(crate) fn in_the_way(at: At<'_>, who: Char, space: Space) -> (bool, Option<Char>) {
    if !at.rules.field.is_there(space) {
        return (true, None);
    }
    if at.rules.options.occupied == Occupied::Shared {
        return (false, None);
    }
    let able = |other: &Char| !at.state.is_disabled(at.rules, *other);
    let mut there = at.state.stands_in(at.rules, space, who).filter(able);
    let barred = there.clone().any(|other| at.state.is_noticed(other));
    (barred, there.find(|&other| !at.state.is_noticed(other)))
}

/// Sets somebody going along a path.
pub(crate) fn set_out(play: &mut Play<'_, impl Sink<Event>>, who: Char, path: Path, gait: Gait) {
    let from = play.state.being(who).at;
    let fighting = play.state.fighting_mut(who);
    if gait == Gait::Charge {
        // The free step that leads straight into a charge is part of it (`charge-spaces`).
        fighting.charge = Some(fighting.run);
        fighting.charging = true;
        play.event(Event::Charges { who });
    }
    let asked = CharSet::NONE;
    let walk = Walk { who, from, path, done: 0, gait, footing: 0, asked, over: false, braced: false };
    play.state.frames.push(Frame::Walk(walk));
}

/// A leap has succeeded. Those who wait may cut in where it ends, as at the end of any move.
pub(crate) fn land(play: &mut Play<'_, impl Sink<Event>>, who: Char, to: Space) {
    if let Some(other) = bumped(play.at(), who, to) {
        round::notice(play, other);
        return play.event(Event::Bumps { who, on: other });
    }
    set_out(play, who, [to].into_iter().collect(), Gait::Leap);
    if let Some(Frame::Walk(walk)) = play.state.frames.last_mut() {
        walk.done = 1;
    }
    put(play, who, to);
}

/// Takes the topmost move as far as it goes without an answer or dice.
pub(crate) fn go_on(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(Frame::Walk(walk)) = play.state.frames.last().cloned() else { return };
    let who = walk.who;
    if !play.state.is_able(play.rules, who) || play.state.being(who).at != here(&walk) {
        play.state.frames.pop();
        play.event(Event::Lost { who });
        return;
    }
    if cut_in(play, &walk) {
        return;
    }
    let Some(&next) = walk.path.get(usize::from(walk.done)) else {
        play.state.frames.pop();
        if !walk.over {
            arrive(play, &walk);
        }
        return;
    };
    // Those who cut in may have barred the way, or brought the mover down.
    let creeps = matches!(walk.gait, Gait::Step | Gait::Aside);
    let stopped = play.state.is_held(who) || play.state.being(who).prone && !creeps;
    if stopped || is_barred(play.at(), &walk, next) {
        return cut_short(play);
    }
    if let Some(other) = bumped(play.at(), who, next) {
        cut_short(play);
        round::notice(play, other);
        return play.event(Event::Bumps { who, on: other });
    }
    enter(play, &walk, next);
}

/// A move ends where it has come to: those who wait may cut in there as at any end.
fn cut_short(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(Frame::Walk(walk)) = play.state.frames.last_mut() else { return };
    walk.path.truncate(walk.done.into());
    walk.over = true;
    let walk = walk.clone();
    arrive(play, &walk);
}

/// Where a move has come to.
pub(crate) fn here(walk: &Walk) -> Space {
    walk.done.checked_sub(1).map_or(walk.from, |at| walk.path[usize::from(at)])
}

/// Whether somebody has come into the way of a move since it began (`occupied`).
fn is_barred(at: At<'_>, walk: &Walk, next: Space) -> bool {
    let is_last = usize::from(walk.done) + 1 == walk.path.len();
    at.rules.field.is_grid()
        && (!at.state.free(at.rules, walk.who).has(next) || is_last && !can_stand(at, walk.who, next))
}

/// The unnoticed combatant in a space into which a move leads, if there is one: it ends the move.
pub(crate) fn bumped(at: At<'_>, who: Char, space: Space) -> Option<Char> {
    if !at.rules.field.is_grid() || at.rules.options.occupied == Occupied::Shared {
        return None;
    }
    let unnoticed =
        |other: &Char| !at.state.perceives(at.rules, who, *other) && !at.state.is_disabled(at.rules, *other);
    at.state.stands_in(at.rules, space, who).find(unnoticed)
}

/// The next space is entered.
fn enter(play: &mut Play<'_, impl Sink<Event>>, walk: &Walk, to: Space) {
    let who = walk.who;
    let length = play.rules.field.length(here(walk), to);
    put(play, who, to);
    let fighting = play.state.fighting_mut(who);
    if fighting.charging && matches!(walk.gait, Gait::Charge | Gait::Step) {
        fighting.charge = fighting.charge.map(|spaces| spaces.saturating_add(length));
    }
    let kind = play.rules.field.kind(to);
    let footing = play.rules.ground(kind).and_then(|ground| ground.level);
    let mut walk = walk.clone();
    walk.done += 1;
    let bit = 1_u16 << (kind.saturating_sub(1) % 16);
    let is_new = walk.footing & bit == 0;
    if footing.is_some() {
        walk.footing |= bit;
    }
    if let Some(frame) = play.state.frames.last_mut() {
        *frame = Frame::Walk(walk);
    }
    if let Some(level) = footing.filter(|_| is_new) {
        mind_the_footing(play, who, kind, level);
    }
}

/// Moves somebody, and who carries them.
pub(crate) fn put(play: &mut Play<'_, impl Sink<Event>>, who: Char, to: Space) {
    play.state.being_mut(who).at = to;
    for other in [play.state.being(who).riding, play.state.rider(who)].into_iter().flatten() {
        play.state.being_mut(other).at = to;
    }
}

/// `terrain.treacherous.foot`, `terrain.treacherous.rider`
fn mind_the_footing(play: &mut Play<'_, impl Sink<Event>>, who: Char, kind: u8, level: u8) {
    play.event(Event::Footing { who, ground: Ground(kind - 1) });
    let rides = play.state.being(who).riding.is_some();
    let with = if rides { Trait::RANGER } else { Trait::ATHLETE };
    push_check(play, who, with, i16::from(level), Why::Footing(kind));
    crate::check::call(play);
}

/// A check that comes of what somebody does: it cannot take longer.
pub(crate) fn push_check(
    play: &mut Play<'_, impl Sink<Event>>,
    who: Char,
    with: Trait,
    level: i16,
    why: Why,
) {
    let step = if crate::attack::asks_fortune(play.at(), who) { Trial::How } else { Trial::Dice };
    let secret = play.rules.seat(who) == Seat::Gm && play.state.being(who).unseen;
    play.state.frames.push(Frame::Check(Check { secret, step, ..Check::new(who, with, level, why) }));
}

/// The footing has failed (`ext.terrain`, `jump-fail`).
pub(crate) fn slip(play: &mut Play<'_, impl Sink<Event>>, who: Char, kind: u8) {
    let fall = play.rules.ground(kind).map_or_else(Fall::default, |ground| ground.fall);
    let Some(Frame::Walk(walk)) = play.state.frames.last_mut() else { return };
    let from = walk.from;
    if fall.back {
        walk.done = 0;
    }
    play.event(Event::Slips { who });
    if fall.back {
        put(play, who, from);
    }
    cut_short(play);
    round::wound(play, who, u16::from(fall.wounds));
    if fall.prone {
        round::fall(play, who);
    }
}

/// A move is over.
fn arrive(play: &mut Play<'_, impl Sink<Event>>, walk: &Walk) {
    let who = walk.who;
    let to = play.state.being(who).at;
    let field = &play.rules.field;
    let spaces = match walk.gait {
        Gait::Leap => field.distance(walk.from, to),
        _ => field.total(walk.from, &walk.path[..usize::from(walk.done)]),
    };
    let spaces = spaces.min(u8::MAX.into()) as u8;
    // A step aside is within an attack of somebody else, who was asked about already.
    if !play.state.being(who).unseen && walk.gait != Gait::Aside {
        play.state.asked = (Some(who), walk.asked);
    }
    play.event(match walk.gait {
        Gait::Move | Gait::Charge => Event::Moves { who, to, spaces },
        Gait::Step => Event::Steps { who, to },
        Gait::Aside => Event::StepsAside { who, to },
        Gait::Leap => Event::Leaps { who, to, spaces },
    });
    let run = &mut play.state.fighting_mut(who).run;
    *run = match walk.gait {
        Gait::Move | Gait::Charge | Gait::Aside => 0,
        Gait::Step => spaces,
        // They count as spaces moved (`jump-move`).
        Gait::Leap => run.saturating_add(spaces),
    };
    let fighting = *play.state.fighting(who);
    if let Some(spaces) = fighting.charge.filter(|_| fighting.charging) {
        let points = play.rules.options.momentum(spaces) as u8;
        play.event(Event::Momentum { who, points });
    }
}

/// Asks those who wait for what has just happened in a move; whether anybody is asked, or strikes.
///
/// Each of them is asked once in a move: where what it waits for comes about, else at the end. So that
/// somebody is asked tells nobody what it waits for.
fn cut_in(play: &mut Play<'_, impl Sink<Event>>, walk: &Walk) -> bool {
    if walk.done == 0 || play.state.frames.len() + 3 > MAX_FRAMES {
        return false;
    }
    let is_end = usize::from(walk.done) == walk.path.len();
    let all = round::waiting_against(play.at(), walk.who);
    let braces = play.rules.brace && walk.gait == Gait::Charge && is_end && !walk.braced;
    let pole = |&who: &Char| play.state.held(who, Lie::Hand).any(|weapon| play.rules.arm(weapon).pole);
    let braced: CharSet = all.iter().filter(|who| braces && pole(who)).collect();
    let waiting = all.minus(walk.asked).or(braced);
    let comes = |who: Char| {
        let fighting = play.state.fighting(who);
        fires(play.at(), who, walk, *fighting.wire.reveal())
    };
    let sprung: CharSet = waiting.iter().filter(|&who| comes(who)).collect();
    // Of a move that players do not see nobody is asked: that would be heard.
    let is_seen = !play.state.being(walk.who).unseen;
    let strikes = |who: Char| play.state.fighting(who).trap.reveal().is_some();
    let asked = |&who: &Char| {
        (is_seen || strikes(who)) && (sprung.has(who) || is_end && !play.state.being(who).unseen)
    };
    let queue: CharSet = waiting.iter().filter(asked).collect();
    if queue.is_empty() {
        return false;
    }
    let is_first = walk.asked.is_empty() && queue.iter().any(|who| !play.state.being(who).unseen);
    if is_first && !walk.over && play.rules.seat(walk.who) != Seat::Gm {
        play.event(Event::UnderWay { who: walk.who });
    }
    if let Some(Frame::Walk(walk)) = play.state.frames.last_mut() {
        walk.asked = walk.asked.or(queue);
        walk.braced |= braces;
    }
    play.state.frames.push(Frame::Cut(Cut { on: walk.who, queue, sprung }));
    true
}

/// Whether what somebody waits for has come about in the space that was just entered.
fn fires(at: At<'_>, who: Char, walk: &Walk, wire: Wire) -> bool {
    let space = here(walk);
    match wire {
        Wire::Moved => usize::from(walk.done) == walk.path.len(),
        Wire::Moves => true,
        Wire::Enters(watched) => watched == space,
        Wire::Near { of, within } => {
            let of = at.state.being(of.unwrap_or(who)).at;
            at.rules.field.distance(space, of) <= within.into()
        }
    }
}

/// Where somebody stands for a viewer: while those who wait are asked about a move, others see the mover
/// where the move began (`cut-once`).
pub(crate) fn shown(at: At<'_>, who: Char, viewer: Viewer) -> Space {
    let space = at.state.being(who).at;
    let Some(Frame::Cut(cut)) = at.state.frames.last() else { return space };
    let asked = round::next_to_cut(at, cut).map(|who| Viewer::Seat(at.rules.seat(who)));
    if viewer.is_gm() || asked == Some(viewer) {
        return space;
    }
    let moves = |walk: &Walk| walk.who == who || at.state.being(walk.who).riding == Some(who);
    let walk = at.state.frames.iter().rev().find_map(|frame| match frame {
        Frame::Walk(walk) if moves(walk) && !walk.over => Some(walk),
        _ => None,
    });
    walk.map_or(space, |walk| walk.from)
}
