//! What is open, and how the table moves on by itself.
//!
//! What is under way lies in frames, the topmost last: what waits on the Stack, a Priority window
//! over it, a Roll, a blow. The top frame says what is asked. When it is done the one below goes on,
//! and looks again at the table before it does.

use crate::{
    At, Clash, Play,
    answer::Prompt,
    clash,
    dice::{self, Thrown},
    event::Event,
    free, harm, prop, rest, spell, stack,
    state::{Frame, Kind, Step, Test, TurnStep},
    test,
    vocab::*,
};
use fracas_kernel::{Ask, Asking, Due, Roll, Seat, SeatSet, Sink, Who};

/// The most that follows by itself from one answer.
const MOST: usize = 600;

impl Asking for Clash {
    fn each_ask(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) -> Due<Thrown> {
        if at.state.over {
            return Due::Over;
        }
        let seat = |who: Char| at.rules.sheet(who).seat;
        let Some(frame) = at.state.frames.last() else {
            open_floor(at, put);
            return Due::Asks;
        };
        match frame {
            Frame::Test(test) if test.step == Step::Dice => return Due::Roll(roll(at, test)),
            Frame::Test(test) => each_of_test(at, test, put),
            Frame::Window(window) => {
                if let Some(&who) = window.left.first() {
                    put(Ask::must(seat(who), Prompt::Priority(who)));
                }
                let mut asked = SeatSet::EMPTY;
                for of in clash::each_dropping(at).map(seat) {
                    if !asked.contains(of) {
                        asked = asked.with(of);
                        put(Ask::may(of, Prompt::Aside));
                    }
                }
            }
            Frame::Triggers(triggers) => {
                if let Some(first) = triggers.left.first() {
                    put(Ask::must(seat(first.by), Prompt::Order(first.by)));
                }
            }
            // Outside a Clash the Director says which Will Points it takes (`damage-outside`).
            Frame::Blow(blow) if at.state.clash.is_none() => put(Ask::must(Seat::Gm, Prompt::Blow(blow.on))),
            Frame::Blow(blow) => put(Ask::must(seat(blow.on), Prompt::Blow(blow.on))),
            Frame::Displace { who, .. } => put(Ask::must(seat(*who), Prompt::Displace(*who))),
            Frame::Match { who, .. } => put(Ask::must(Seat::Gm, Prompt::Match(*who))),
            Frame::Lay { caster, .. } => put(Ask::must(seat(*caster), Prompt::Lay(*caster))),
            Frame::Use(_) => {}
        }
        Due::Asks
    }

    fn is_there(at: At<'_>, _: Who, (letter, n): (char, usize)) -> bool {
        match letter {
            Char::LETTER => n < at.rules.cast.len(),
            TraitId::LETTER => n < at.rules.traits.len() && at.state.traits[n].owner.is_some(),
            'g' => at.state.traits[MAX_TRAITS + n].owner.is_some(),
            Item::LETTER => n < at.rules.items.len() && at.state.items[n].owner.is_some(),
            Prop::LETTER => n < at.rules.props.len() && at.state.props[n].here,
            'q' => n < at.state.made_props.len() && at.state.props[MAX_PROPS + n].here,
            SecretId::LETTER => n < at.rules.secrets.len(),
            Ability::LETTER => n < at.rules.abilities.len(),
            Spell::LETTER => n < at.rules.spells.len(),
            _ => n < at.rules.activities.len(),
        }
    }

    fn settle<S: Sink<Event>>(play: &mut Play<'_, S>) {
        crate::view::note(play);
        for _ in 0..MOST {
            if play.state.over || !goes_on(play) {
                return;
            }
        }
        debug_assert!(false, "what follows from one answer has no end");
    }
}

/// What is asked while nothing is under way.
fn open_floor(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) {
    let seat = |who: Char| at.rules.sheet(who).seat;
    if let Some(&who) = at.state.subdued.first() {
        put(Ask::must(Seat::Gm, Prompt::Subdue(who)));
        return;
    }
    if let Some(growth) = at.state.growing.first() {
        put(Ask::must(seat(growth.who), Prompt::Grow(growth.who)));
        return;
    }
    if !at.state.resting.is_empty() {
        let mut asked = SeatSet::EMPTY;
        for who in at.state.resting.iter() {
            if !asked.contains(seat(who)) {
                asked = asked.with(seat(who));
                put(Ask::must(seat(who), Prompt::Hours(who)));
            }
        }
        return;
    }
    let players = || (0..at.rules.roster.players.len() as u8).map(Seat::Player);
    match &at.state.clash {
        None => {
            put(Ask::must(Seat::Gm, Prompt::Desk));
            let able = free::who_can_try(at);
            players().filter(|&of| able.contains(of)).for_each(|of| put(Ask::may(of, Prompt::Act)));
        }
        Some(now) => match now.turn {
            None => {
                let side = now.next;
                let seats = clash::candidates(at, side).fold(SeatSet::EMPTY, |set, who| set.with(seat(who)));
                let who = match seats.iter().next() {
                    Some(one) if seats == SeatSet::one(one) => Who::One(one),
                    _ => Who::Any(seats),
                };
                put(Ask { who, duty: fracas_kernel::Duty::Must, prompt: Prompt::Pick(side) });
            }
            Some(turn) if turn.step == TurnStep::Breath => {
                put(Ask::must(seat(turn.who), Prompt::Breath(turn.who)));
            }
            Some(turn) => put(Ask::must(seat(turn.who), Prompt::Main(turn.who))),
        },
    }
    if at.state.clash.is_some() {
        let asked = clash::asked_aside(at);
        let all = std::iter::once(Seat::Gm).chain(players());
        all.filter(|&of| asked.contains(of)).for_each(|of| put(Ask::may(of, Prompt::Aside)));
    }
}

/// What is asked about a Roll under way.
fn each_of_test(at: At<'_>, test: &Test, put: &mut impl FnMut(Ask<Prompt>)) {
    let seat = |who: Char| at.rules.sheet(who).seat;
    let (roller, opposer) = (test.roller(), test.opposer());
    match test.step {
        Step::Rule => put(Ask::must(Seat::Gm, Prompt::Rule(test.attacker))),
        Step::Dodge => put(Ask::must(seat(test.defender), Prompt::Dodge(test.defender))),
        Step::AllowDodge => put(Ask::must(Seat::Gm, Prompt::Allow(test.defender))),
        Step::Aid => put(Ask::must(seat(roller), Prompt::Aid(roller))),
        Step::Spend => {
            if let Some(pool) = spell::pool_to_spend(at, test) {
                put(Ask::must(seat(pool.caster), Prompt::Spend(pool.caster)));
            }
        }
        Step::Grant => put(Ask::must(Seat::Gm, Prompt::Grant(roller))),
        Step::Oppose => put(Ask::must(seat(opposer), Prompt::Oppose(opposer))),
        Step::Malus => put(Ask::must(seat(roller), Prompt::Malus(roller))),
        Step::Lucky => put(Ask::must(seat(roller), Prompt::Lucky(roller))),
        Step::Carry => put(Ask::must(Seat::Gm, Prompt::Carry(test.attacker))),
        Step::Waits | Step::Dice | Step::Result => {}
    }
}

/// The dice of a Roll, its Base Die first.
fn roll(at: At<'_>, test: &Test) -> Roll<Thrown> {
    roll_with(at, test, test::net(at, test))
}

/// The dice of a Roll with so many Bonus Dice less Malus Dice.
pub(crate) fn roll_with(at: At<'_>, test: &Test, net: i8) -> Roll<Thrown> {
    let whose = at.rules.sheet(test.roller()).seat;
    dice::roll(whose, (test::difficulty(at, test), net), at.rules.options.reading())
}

/// Dice have fallen.
pub(crate) fn fell(play: &mut Play<'_, impl Sink<Event>>, thrown: Thrown) {
    test::fell(play, thrown.came());
    Clash::settle(play);
}

/// Moves what is under way on by one step; false where somebody is asked, or dice are due.
fn goes_on(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    match play.state.frames.last() {
        Some(Frame::Test(test)) => test::goes_on(play, test.step),
        Some(Frame::Use(_)) => {
            if let Some(Frame::Use(used)) = play.state.frames.pop() {
                stack::resolve(play, used);
            }
            true
        }
        Some(Frame::Window(_)) => stack::window_goes_on(play),
        Some(Frame::Triggers(_)) => stack::triggers_go_on(play),
        Some(Frame::Blow(_)) => harm::blow_goes_on(play),
        Some(&Frame::Lay { caster, target, .. }) => {
            let lives = |who: &Char| !play.state.body(*who).dead;
            let lies =
                spell::room_for(play.at(), caster, target).is_some() && [caster, target].iter().all(lives);
            if !lies {
                play.state.frames.pop();
            }
            !lies
        }
        Some(&Frame::Displace { who, prop, from }) => {
            let is_due = prop::is_crowded(play.at(), who, prop, from);
            if !is_due {
                play.state.frames.pop();
            }
            !is_due
        }
        Some(Frame::Match { .. }) => false,
        None => {
            if play.state.clash.is_some() {
                return clash::goes_on(play);
            }
            rest::goes_on(play)
        }
    }
}

impl Test {
    /// Who throws: in a Conflict Roll the tempted Defender (`conflict-sides`).
    pub fn roller(&self) -> Char {
        if self.kind == Kind::Conflict { self.defender } else { self.attacker }
    }

    /// The Symbols of the Roll: of the one who throws, over that of the other side.
    pub fn symbols(&self) -> (Symbol, Symbol) {
        if self.kind == Kind::Conflict { (self.over, self.with) } else { (self.with, self.over) }
    }

    /// The other side of the Roll.
    pub fn opposer(&self) -> Char {
        if self.kind == Kind::Conflict { self.attacker } else { self.defender }
    }

    /// Who acts, and on whom: a Dodge has swapped the two of the Roll (`dodge.swap`).
    pub fn parties(&self) -> (Char, Char) {
        if self.dodged.is_some() { (self.defender, self.attacker) } else { (self.attacker, self.defender) }
    }
}
