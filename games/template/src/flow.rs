//! What is open, and how answers and the die move the table on.

use crate::{At, Play, Template, answer::Prompt, event::Event, table::*};
use fracas_kernel::{Ask, Asking, Dice, Due, NoFold, Read, Roll, Seen, Sink};

impl Asking for Template {
    fn each_ask(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) -> Due<NoFold> {
        let Some(who) = at.state.turn(at.rules) else { return Due::Over };
        let whose = at.rules.cast[who.index()].seat;
        let prompt = match at.state.run {
            Run::Not => Prompt::Turn(who),
            Run::Rolled(_) => Prompt::Stop(who),
            Run::Rolls => {
                let (dice, read) = (Dice::of(1, 6), Read::Ordered);
                return Due::Roll(Roll { whose, seen: Seen::Openly, dice, read });
            }
        };
        put(Ask::must(whose, prompt));
        Due::Asks
    }

    fn settle<S: Sink<Event>>(play: &mut Play<'_, S>) {
        if play.state.turn(play.rules).is_none() {
            play.event(Event::Over);
        }
    }
}

/// The runner's die fell (`cross.run`).
pub(crate) fn fell(play: &mut Play<'_, impl Sink<Event>>, faces: &[u8]) {
    let (Some(who), &[face]) = (play.state.turn(play.rules), faces) else { return };
    if face > 1 {
        let left = play.rules.paces - play.state.walker(who).pace;
        play.state.run = Run::Rolled(face.min(left));
        return;
    }
    play.state.run = Run::Not;
    play.event(Event::Falls { who });
    weaken(play, who);
    pass(play.state, who);
    Template::settle(play);
}

/// A character goes so many paces, past whatever lies there (`beast.comes`).
pub(crate) fn go(play: &mut Play<'_, impl Sink<Event>>, who: Char, paces: u8) {
    let from = play.state.walker(who).pace;
    let to = play.rules.paces.min(from + paces);
    play.state.walkers[who.index()].pace = to;
    play.event(Event::Goes { who, to });
    for beast in play.rules.every_beast() {
        if play.state.walker(who).strength > 0
            && let Lair::Hidden(at) = play.state.lair(beast)
            && (from + 1..=to).contains(at.reveal())
        {
            play.state.lairs[beast.index()] = Lair::InTheWay;
            play.event(Event::Comes { beast, on: who });
            weaken(play, who);
        }
    }
    pass(play.state, who);
}

/// The turn is over.
pub(crate) fn pass(state: &mut State, who: Char) {
    state.next = Char((who.0 + 1) % state.walkers.len() as u8);
}

/// A character loses one strength (`cross.out`).
fn weaken(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let strength = &mut play.state.walkers[who.index()].strength;
    let left = strength.saturating_sub(1);
    if std::mem::replace(strength, left) == 1 {
        play.event(Event::Out { who });
    }
}
