//! What is open, and how answers move the table on.

use crate::answer::{Answer, Prompt};
use crate::state::{Action, Call, Step};
use crate::{
    At, Play, TruthAndLight, act, effect::Removal, event::Event, power, roll, scene, settle, vocab::*,
};
use fracas_kernel::{Ask, Asking, Dice, Due, NoFold, Read, Roll, Seat, Seen, Sink, Who, Why};

impl Asking for TruthAndLight {
    fn each_ask(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) -> Due<NoFold> {
        if at.state.over {
            return Due::Over;
        }
        match &at.state.action {
            None => floor(at, put),
            Some(action) => {
                let who = action.who;
                let seat = at.rules.seat(who);
                put(match action.step {
                    Step::Dice | Step::Reroll => {
                        let dice = Dice::of(roll::dice(action), 6);
                        return Due::Roll(Roll {
                            whose: seat,
                            seen: Seen::Openly,
                            dice,
                            read: Read::Ordered,
                        });
                    }
                    Step::Result => return Due::Asks,
                    Step::Settle => Ask::must(Seat::Gm, Prompt::Settle { who, on: action.target }),
                    Step::Terms => {
                        let by = action.target.unwrap_or(Target::Surroundings);
                        Ask::must(Seat::Gm, Prompt::Terms { who: action.queue, by })
                    }
                    Step::Ready => Ask::must(seat, Prompt::Ready(who)),
                    Step::Misfortune => Ask::may(Seat::Gm, Prompt::Misfortune(who)),
                    Step::Spend => Ask::must(seat, Prompt::Spend(who)),
                    Step::Reason => Ask::must(Seat::Gm, Prompt::Reason(who)),
                    Step::Push => Ask::must(seat, Prompt::Push(who)),
                    Step::Guilt => Ask::must(Seat::Gm, Prompt::Guilt(who)),
                    Step::Take => Ask::must(seat, Prompt::Take(who)),
                    Step::Lose => Ask::must(seat, Prompt::Lose(who)),
                    Step::Glory => Ask::must(seat, Prompt::Glory(who)),
                    Step::Allow => Ask::must(Seat::Gm, Prompt::Allow(who)),
                    Step::Upper => {
                        Ask::must(Seat::Gm, Prompt::Upper { on: who, by: power::opponent(at.rules, action) })
                    }
                });
            }
        }
        Due::Asks
    }

    fn is_there(at: At<'_>, _: Who, (letter, n): (char, usize)) -> bool {
        // What somebody has who is not here is no more at hand than what nobody has.
        let is_at_hand = |holder: Char| at.rules.is_pc(holder) || !at.state.being(holder).away;
        let is_held = |n: usize| at.state.boons[n].holder.is_some_and(is_at_hand);
        match letter {
            Char::LETTER => n < at.rules.cast.len(),
            Boon::LETTER => SPARES + n < at.rules.boons.len() && is_held(SPARES + n),
            SPARE => is_held(n),
            PATTERN => n < at.rules.boons.len(),
            Ability::LETTER => n < at.rules.abilities.len(),
            End::LETTER => n < at.rules.ends.len(),
            Hazard::LETTER => n < at.rules.hazards.len(),
            _ => n < at.rules.zones.len(),
        }
    }

    fn refuse_stray(_: Prompt, answer: &Answer, (clause, what): Why) -> Why {
        (act::stray(answer).unwrap_or(clause), what)
    }

    fn settle<S: Sink<Event>>(play: &mut Play<'_, S>) {
        scene::settle(play);
    }
}

/// The open floor: the seats that have it must say what they do, others may speak up.
fn floor(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) {
    let players = matches!(at.state.call, Call::One(_) | Call::First | Call::Players(_));
    if !players {
        put(Ask::must(Seat::Gm, Prompt::Scene));
    }
    for place in 0..at.rules.roster.players.len() as u8 {
        let seat = Seat::Player(place);
        let acts = |who: Char| at.rules.seat(who) == seat && scene::may_act(at, who);
        if at.rules.pcs.iter().any(acts) {
            put(if players { Ask::must(seat, Prompt::Act) } else { Ask::may(seat, Prompt::Act) });
        }
    }
    if players {
        put(Ask::may(Seat::Gm, Prompt::Scene));
    }
}

/// Dice have fallen.
pub(crate) fn fell(play: &mut Play<'_, impl Sink<Event>>, faces: &[u8]) {
    roll::fell(play, faces);
    scene::settle(play);
}

/// After the gamemaster has overruled something, what is under way must still be
/// something that can be answered. Given is what it would have shaken off before.
pub(crate) fn mend(play: &mut Play<'_, impl Sink<Event>>, shaking: Option<(Removal, Option<Char>)>) {
    scene::let_go(play);
    act::forbid(play);
    match play.state.action {
        // Another guilt is picked (`lose-fewer-than-two`).
        Some(action) if action.step == Step::Lose && play.state.losable(action.who).next().is_none() => {
            play.state.action = Some(Action { step: Step::Guilt, ..action });
        }
        // Nothing is left to break, or somebody else holds (`gone-in-mid-action`).
        Some(action) if play.state.shaking() != shaking && !action.has_come_about() => {
            act::cancel(play);
        }
        _ => {}
    }
    scene::settle(play);
    settle::recount(play);
}
