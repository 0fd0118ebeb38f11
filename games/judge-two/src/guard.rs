//! Guarding: an ally takes the defender's place and pays for it.

use crate::{
    event::Event,
    risk::{self, GUARD_COST, can_pay},
    rules::Rules,
    state::{Cause, Frame, Harm, SaveStep, State, TestStep},
    vocab::*,
};
use fracas_kernel::{Objections, Seat, SeatSet, Sink, fine};

/// Reasons why this character cannot guard that one.
pub(crate) fn object(rules: &Rules, state: &State, who: Char, on: Char, out: &mut impl Objections) {
    let kind = rules.sheet(who).kind;
    if state.form.is_none() {
        out.no(clause!("guard.who"), "guarding is for conflicts");
    }
    if !state.is_in(who) || !state.allies(who, on) || rules.is_pc(who) != rules.is_pc(on) {
        out.no(clause!("guard.who"), "an ally who takes part can guard");
    }
    if state.unseen.has(who) {
        out.no(clause!("unseen-acts"), "nobody has noticed them: to offer it would tell that they are there");
    }
    if state.being(who).apart {
        out.no(clause!("guard.choice"), "the gamemaster rules that they are too far off");
    }
    if state.form.is_some_and(Form::has_ranges) && state.range(who, on) > Band::Near {
        out.no(clause!("guard.choice"), "they stand too far off to step in");
    }
    if state.being(who).bind != 0 {
        out.no(clause!("entangle-saves"), "a bound character cannot guard");
    }
    if kind == Kind::Brute || !state.omen_met(rules, who) {
        out.no(clause!("guard-who-brutes"), "guarding costs risk, and none can be imposed on them");
    }
    if !can_pay(state, who, GUARD_COST) {
        let clause = if state.being(who).risk >= crate::risk::MOST_RISK {
            clause!("guard.cap")
        } else {
            clause!("guard-at-eleven")
        };
        out.no(clause, "guarding costs 2 risk, which must fit under 12");
    }
}

/// Everybody who could guard this character.
pub(crate) fn able(rules: &Rules, state: &State, on: Char) -> CharSet {
    state.present().iter().filter(|&who| fine(|out| object(rules, state, who, on, out))).collect()
}

/// Seats that could still say so, the window being open.
pub(crate) fn asked(rules: &Rules, state: &State, on: Char, declined: u8) -> SeatSet {
    rules
        .seats_of(able(rules, state, on))
        .iter()
        .filter(|seat| match seat {
            Seat::Player(n) => declined & (1 << n) == 0,
            _ => true,
        })
        .collect()
}

/// Whom the window on top of the stack is about, and who has declined.
pub(crate) fn window(state: &State) -> Option<(Char, u8)> {
    match state.top()? {
        Frame::Test(test) => Some((test.on?, test.declined)),
        Frame::Save(save) => Some((save.on, save.declined)),
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

/// This character guards: two risk, which count at once (`guard.cost`).
pub(crate) fn step_in(rules: &Rules, state: &mut State, who: Char, sink: &mut impl Sink<Event>) {
    let Some((on, _)) = window(state) else { return };
    // Whoever guards steps up to whom they guard (`movement-tracking`).
    if state.form.is_some_and(Form::has_ranges) && state.range(who, on) != Band::Close {
        state.close_in(who, on);
    }
    let (before, risk) = risk::raise(state, who, GUARD_COST);
    sink.event(Event::Guards { who, on, risk });
    risk::enters(rules, state, who, before, sink);
    match state.stack.last_mut() {
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

/// The one threat on whoever guarded and failed, chosen first (`guard-order`).
pub(crate) const fn threat_on(harm: Harm, guard: Char) -> Harm {
    Harm { on: guard, cause: Cause::Guard, most: 0, ..harm }
}
