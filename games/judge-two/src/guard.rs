//! Guarding: an ally takes the defender's place and pays for it.

use crate::risk::{self, can_pay};
use crate::rules::with_number;
use crate::state::{Cause, Frame, Harm, SaveStep, State, TestStep};
use crate::{At, Play, answer::Answer, event::Event, vocab::*};
use fracas_kernel::{Objections, Seat, SeatSet, Sink, Told, Viewer, Who, fine, takes};

/// Reasons why this character cannot guard that one.
pub(crate) fn object(at: At<'_>, who: Char, on: Char, out: &mut impl Objections) {
    let kind = at.rules.sheet(who).kind;
    if at.state.form.is_none() {
        out.no(clause!("guard.who"), "guarding is for conflicts");
    }
    if !at.state.is_in(who) || !at.state.allies(who, on) || at.rules.is_pc(who) != at.rules.is_pc(on) {
        out.no(clause!("guard.who"), "an ally who takes part can guard");
    }
    if at.state.unseen.has(who) {
        out.no(clause!("unseen-acts"), "nobody has noticed them: to offer it would tell that they are there");
    }
    if at.state.being(who).apart {
        out.no(clause!("guard.choice"), "the gamemaster rules that they are too far off");
    }
    if at.state.form.is_some_and(Form::has_ranges) && at.state.range(who, on) > Band::Near {
        out.no(clause!("guard.choice"), "they stand too far off to step in");
    }
    if at.state.being(who).bind != 0 {
        out.no(clause!("entangle-saves"), "a bound character cannot guard");
    }
    if kind == Kind::Brute || !at.state.omen_met(at.rules, who) {
        out.no(clause!("guard-who-brutes"), "guarding costs risk, and none can be imposed on them");
    }
    let cost = at.rules.options.guard_cost;
    if !can_pay(at.state, who, cost) {
        let clause = if at.state.being(who).risk >= crate::risk::MOST_RISK {
            clause!("guard.cap")
        } else {
            clause!("guard-at-eleven")
        };
        let what = with_number!(cost, [0 1 2 3 4], "guarding costs ", " risk, which must fit under 12");
        out.no(clause, what);
    }
}

/// Everybody who could guard this character.
pub(crate) fn able(at: At<'_>, on: Char) -> CharSet {
    at.state.present().iter().filter(|&who| fine(|out| object(at, who, on, out))).collect()
}

/// Seats that could still say so, the window being open.
pub(crate) fn asked(at: At<'_>, on: Char, declined: u8) -> SeatSet {
    at.rules
        .seats_of(able(at, on))
        .iter()
        .filter(|seat| match seat {
            Seat::Player(n) => declined & (1 << n) == 0,
            _ => true,
        })
        .collect()
}

/// Whom the window on top of the stack is about, and who attacks them.
fn window(state: &State) -> Option<(Char, Option<Char>)> {
    match state.top()? {
        Frame::Test(test) => Some((test.on?, Some(test.lead()))),
        Frame::Save(save) => Some((save.on, save.danger.by)),
        _ => None,
    }
}

/// Nobody of this seat guards.
pub(crate) fn decline(state: &mut State, seat: Seat) {
    let bit = match seat {
        Seat::Player(n) => 1 << n,
        _ => 0,
    };
    match state.stack.last_mut() {
        Some(Frame::Test(test)) if seat == Seat::Gm => test.step = TestStep::Roll,
        Some(Frame::Test(test)) => test.declined |= bit,
        Some(Frame::Save(save)) => save.declined |= bit,
        _ => {}
    }
}

/// This character guards: two risk, or what the table says, which count at once (`guard.cost`).
pub(crate) fn step_in(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let Some((on, _)) = window(play.state) else { return };
    // The guard steps up to the guarded character (`movement-tracking`).
    if play.state.form.is_some_and(Form::has_ranges) && play.state.range(who, on) != Band::Close {
        play.state.close_in(who, on);
    }
    let (before, risk) = risk::raise(play.state, who, play.rules.options.guard_cost);
    play.event(Event::Guards { who, on, risk });
    risk::enters(play, who, before);
    match play.state.stack.last_mut() {
        Some(Frame::Test(test)) => {
            test.guard = Some(who);
            test.step = TestStep::Roll;
        }
        Some(Frame::Save(save)) => {
            save.guard = Some(who);
            save.step = SaveStep::Essence;
        }
        _ => {}
    }
}

/// An effect is to be chosen; the single threat on a guard who failed comes first (`guard-order`).
pub(crate) fn strike(state: &mut State, harm: Harm, guard: Option<Char>) {
    state.push(Frame::Harm(harm));
    if let Some(on) = guard {
        state.push(Frame::Harm(Harm { on, cause: Cause::Guard, most: 0, ..harm }));
    }
}

/// Whether somebody guards this character (`guard.choice`): each seat says so of its own.
pub(crate) mod choice {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Who, _: Viewer) -> Told {
        let Some((on, by)) = window(at.state) else { return Told::default() };
        let on = at.rules.name(on);
        Told::new(match by {
            Some(by) => format!("{} attacks {on}: does anybody guard?", at.rules.name(by)),
            None => format!("{on} is in danger: does anybody guard?"),
        })
        .why(clause!("guard.choice"))
    }

    pub(crate) fn legal(at: At<'_>, asked: Who, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        let able = window(at.state).map_or(CharSet::NONE, |(on, _)| able(at, on));
        let own = able.iter().filter(|&who| asked == Who::One(at.rules.seat(who)));
        own.for_each(|who| each(Answer::Guard(who)));
    }

    takes!(Answer, Answer::Pass | Answer::Guard(_), clause!("guard.choice"), "expected guard, or pass");

    pub(crate) fn object(at: At<'_>, asked: Who, answer: Answer, out: &mut impl Objections) {
        let (Answer::Guard(who), Some((on, _))) = (answer, window(at.state)) else { return };
        if asked != Who::One(at.rules.seat(who)) {
            out.no(clause!("guard.choice"), "a character's own controller decides whether it guards");
        }
        super::object(at, who, on, out);
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, asked: Who, answer: Answer) {
        match (answer, asked) {
            (Answer::Guard(who), _) => step_in(play, who),
            (_, Who::One(seat)) => decline(play.state, seat),
            _ => {}
        }
    }
}
