//! What is open, and how answers move the table on.

use crate::answer::{Answer, Prompt};
use crate::dice::{Fallout, Hand, Pool};
use crate::state::{Chore, Next, Stage, State, Step, To, Why};
use crate::view::{is_in_sight, is_shown, knows_of_any, knows_thing, sees_scene};
use crate::{Afraid, At, Play, challenge, conflict, dying, escalate, event::Event, fallout, scene, vocab::*};
use fracas_kernel::{
    Ask, Asking, Due, Duty, Game as _, Move, Objections, Read, Refused, Roll, Rolled, Seat, SeatSet, Seen,
    Sink, Slot, Told, Viewer, Who,
};
use std::ops::ControlFlow;

impl Asking for Afraid {
    const NOT_THERE: &'static str = "nobody and nothing here is called that";

    fn each_ask(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) -> Due<Fallout> {
        let mut unseen = true;
        let due = each_main_ask(at, &mut |ask| {
            unseen = unseen
                && (ask.prompt == Prompt::Scene || !may_hear_of(at.state, ask.prompt, Viewer::Spectator));
            put(ask);
            ControlFlow::Continue(())
        });
        match &due {
            ControlFlow::Continue(Due::Over) => unseen = false,
            ControlFlow::Continue(Due::Roll(roll)) => {
                unseen = roll.seen == Seen::ByGm;
                if unseen {
                    put(Ask::must(Seat::Gm, Prompt::Throw));
                }
            }
            _ => {}
        }
        // For players it is between conflicts while they do not see the conflict.
        if unseen {
            scene::aside::seats(at).iter().for_each(|seat| put(Ask::may(seat, Prompt::Aside(seat))));
        }
        due.continue_value().unwrap_or(Due::Asks)
    }

    /// What players see to meanwhile stands last, and is worked out only where it is looked for.
    fn ask_at(at: At<'_>, slot: Slot) -> Option<Ask<Prompt>> {
        let (mut before, mut found) = (slot.0, None);
        let _ = each_main_ask(at, &mut |ask| {
            found = (before == 0).then_some(ask);
            before = before.saturating_sub(1);
            if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found.or_else(|| Self::beside(at.rules, at.state).get(usize::from(slot.0)).copied())
    }

    /// Whether there is such a thing, as far as the seat that answers may know: a player who names
    /// somebody unmet is told what of nobody.
    fn is_there(at: At<'_>, asked: Who, (letter, n): (char, usize)) -> bool {
        let (viewer, n) = (Viewer::Seat(voice(asked)), n as u8);
        let one = |who: Char| at.state.knows(who) && is_shown(at.state, who, viewer);
        let there = |to: To| at.state.is_there(at.rules, to) && knows_of_any(at.state, to, viewer);
        let person = |first: usize| there(To::Person(Person(first as u8 + n)));
        let item = |first: usize| {
            let item = Item(first as u8 + n);
            at.state.thing(item).is_some() && knows_thing(at.state, item, viewer)
        };
        match letter {
            'c' => one(Char(n)),
            'n' => one(Char(MAX_CAST as u8 + n)),
            To::OF_CAST => there(To::Char(Char(n))),
            'p' => person(0),
            's' => person(MAX_PEOPLE),
            't' => person(MAX_PEOPLE + MAX_MET),
            'i' => item(0),
            'g' => item(MAX_ITEMS),
            'h' => item(MAX_ITEMS + MAX_GAINED),
            // The injury; facts and backgrounds are judged with the answer.
            _ => true,
        }
    }

    fn refuse_stray(prompt: Prompt, answer: &Answer, why: fracas_kernel::Why) -> fracas_kernel::Why {
        let over = matches!(
            prompt,
            Prompt::Scene | Prompt::Aside(_) | Prompt::Resolve | Prompt::Decide(_) | Prompt::Fallout { .. }
        );
        match answer {
            Answer::Challenge { .. } | Answer::Answer { .. } | Answer::Escalate(_) | Answer::Give if over => {
                (
                    clause!("illegal.after-end"),
                    "the conflict is over: what remains is to resolve the stakes and the fallout",
                )
            }
            Answer::Assign { .. } | Answer::AssignNew { .. } => (
                clause!("relationship-assign"),
                "relationship dice are assigned between conflicts, or in one at one's own turn or answer",
            ),
            _ => why,
        }
    }

    fn judge(at: At<'_>, slot: Slot, answer: Answer) -> Result<Move<Afraid>, Refused> {
        match Self::ask_at(at, slot) {
            None => Err(Refused::form("nothing is asked there")),
            Some(ask) if ask.prompt == Prompt::Throw => {
                Err(Refused::form("dice are due: nothing else can be answered before they fall"))
            }
            // Whose dice they are is judged by whose they should be, known or not.
            Some(ask) if matches!(answer, Answer::AssignNew { .. }) => {
                let mut refused = Refused::default();
                Self::object(at, &ask, answer, &mut refused);
                refused.verdict().map(|()| Move::vouched(slot, answer))
            }
            Some(ask) => Self::judge_answer(at, (slot, &ask), answer),
        }
    }

    fn settle<S: Sink<Event>>(play: &mut Play<'_, S>) {
        conflict::advance(play);
        play.state.witness();
    }
}

/// Dice are due that players do not see: a stand-in ask beside them.
pub(crate) mod throw {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
        Told::new("Dice are due: throw them.")
    }

    pub(crate) fn legal(_: At<'_>, _: &mut impl FnMut(Answer)) {}

    pub(crate) const fn strays(_: &Answer) -> Option<fracas_kernel::Why> {
        None
    }

    pub(crate) fn object(_: At<'_>, _: Answer, _: &mut impl Objections) {}

    pub(crate) fn apply(_: &mut Play<'_, impl Sink<Event>>, _: Answer) {}
}

/// Dice that are due.
fn roll_of(at: At<'_>, who: Char, dice: Pool, read: Read<Fallout>) -> ControlFlow<(), Due<Fallout>> {
    let seen = if is_in_sight(at.state, who, Viewer::Spectator) { Seen::Openly } else { Seen::ByGm };
    ControlFlow::Continue(Due::Roll(Roll { whose: at.state.seat(who), seen, dice: dice.dice(), read }))
}

/// The same without what players see to meanwhile, as long as `put` wants more.
fn each_main_ask(
    at: At<'_>,
    put: &mut impl FnMut(Ask<Prompt>) -> ControlFlow<()>,
) -> ControlFlow<(), Due<Fallout>> {
    const ASKS: ControlFlow<(), Due<Fallout>> = ControlFlow::Continue(Due::Asks);
    if at.state.over {
        return ControlFlow::Continue(Due::Over);
    }
    if let Some((seat, draft)) = dying::maker(at.state) {
        put(Ask::must(seat, Prompt::Newcomer { dead: draft.dead, step: draft.step }))?;
        return ASKS;
    }
    match at.state.chores.first() {
        Some(&Chore::Roll { who, dice, .. }) => {
            return roll_of(at, who, dice, Read::Fold(fallout::unrolled(&at.rules.options)));
        }
        Some(&Chore::Menu { who, menu, .. }) => {
            put(Ask::must(at.state.seat(who), Prompt::Fallout { who, menu }))?;
            return ASKS;
        }
        Some(&Chore::Need(who)) => {
            put(Ask::must(Seat::Gm, Prompt::Need(who)))?;
            return ASKS;
        }
        _ => {}
    }
    let Some(conflict) = at.state.conflict() else {
        put(Ask::must(Seat::Gm, Prompt::Scene))?;
        return ASKS;
    };
    match conflict.stage {
        Stage::Staking => {
            put(Ask::must(Seat::Gm, Prompt::Stakes))?;
            if conflict::has_stake(at.state) {
                let seats: SeatSet = conflict.parts.iter().map(|part| at.state.seat(part.who)).collect();
                let mut seats =
                    seats.iter().filter(|&seat| seat != Seat::Gm && !conflict.mused.contains(seat));
                seats.try_for_each(|seat| put(Ask::may(seat, Prompt::Muse(seat))))?;
            }
            return ASKS;
        }
        Stage::Resolving(side) => {
            let seats: SeatSet =
                conflict::winners(conflict, side).iter().map(|who| at.state.seat(who)).collect();
            put(Ask { who: Who::All(seats), duty: Duty::Must, prompt: Prompt::Resolve })?;
            if seats.iter().count() > 1
                && let Some(who) = conflict::decider(at.state, side)
            {
                put(Ask::may(at.state.seat(who), Prompt::Decide(who)))?;
            }
            return ASKS;
        }
        Stage::Running => {}
    }
    match conflict.next.first() {
        Some(Next::Roll(due)) => return roll_of(at, due.who, due.dice, Read::Sorted),
        Some(Next::Concrete { who, item }) => {
            put(Ask::must(Seat::Gm, Prompt::Concrete { who: *who, item: *item }))?;
        }
        Some(Next::Cut) => put(Ask::must(Seat::Gm, Prompt::Cut))?,
        Some(Next::Join(seats)) => {
            let mut joiners = escalate::joiners(at.state, *seats).iter();
            joiners.try_for_each(|seat| put(Ask::may(seat, Prompt::Join(seat))))?;
        }
        Some(Next::Admit { who, side }) => {
            let with = conflict.first_in(*side).unwrap_or(*who);
            put(Ask::must(Seat::Gm, Prompt::Admit { who: *who, with }))?;
        }
        None => exchange_asks(at, put)?,
    }
    ASKS
}

/// What the challenge under way asks.
fn exchange_asks(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>) -> ControlFlow<()>) -> ControlFlow<()> {
    const NOBODY: ControlFlow<()> = ControlFlow::Continue(());
    let Some(conflict) = at.state.conflict() else { return NOBODY };
    let Some(exchange) = conflict.exchange() else { return NOBODY };
    let Some(who) = exchange.actor() else { return NOBODY };
    let seat = at.state.seat(who);
    match exchange.step {
        Step::Making => {
            let outer = conflict.exchanges.len().checked_sub(2).and_then(|n| conflict.exchanges.get(n));
            let instead = outer.filter(|_| exchange.instead).map(|outer| outer.by);
            put(Ask::must(seat, Prompt::Challenge { who, instead }))?;
        }
        Step::Members => {
            let most = at.state.members(who).min(crate::state::MAX_STRIKES as u8);
            put(Ask::must(seat, Prompt::Members { who, left: most.saturating_sub(exchange.made) }))?;
        }
        Step::Matching => {
            if let Some(arena) = exchange.escalated {
                put(Ask::must(seat, Prompt::Match { who, by: exchange.by, arena }))?;
            }
        }
        Step::Answering => {
            let (by, harm) = (exchange.by, exchange.strike().harm);
            put(Ask::must(seat, Prompt::Answer { who, by, need: exchange.sum(), harm }))?;
        }
    }
    if matches!(exchange.step, Step::Matching | Step::Answering)
        && at.state.is_pc(exchange.by)
        && !exchange.settled
        && challenge::could_be_other(at.state, exchange)
    {
        put(Ask::may(Seat::Gm, Prompt::Harm { by: exchange.by, harm: exchange.strike().harm }))?;
    }
    if at.rules.options.helping && matches!(exchange.step, Step::Making | Step::Answering) {
        let seats: SeatSet =
            challenge::helpers(conflict, who).iter().map(|ally| at.state.seat(ally)).collect();
        seats.iter().try_for_each(|seat| put(Ask::may(seat, Prompt::Help { seat, to: who })))?;
    }
    NOBODY
}

/// The seat whose knowledge an answer is judged by: of several asked a player's, since their
/// joint answer names what all of them know.
pub(crate) fn voice(asked: Who) -> Seat {
    asked.seats().iter().find(|&seat| seat != Seat::Gm).unwrap_or(Seat::Gm)
}

/// Whether a viewer may be told what kind of ask this is: not where it is about somebody
/// whom they do not see, or a scene where no character of theirs is.
pub(crate) fn may_hear_of(state: &State, prompt: Prompt, viewer: Viewer) -> bool {
    match prompt {
        Prompt::Scene | Prompt::Throw | Prompt::Aside(_) | Prompt::Newcomer { .. } => true,
        Prompt::Fallout { who, .. } | Prompt::Need(who) => is_in_sight(state, who, viewer),
        _ => sees_scene(state, viewer),
    }
}

/// Dice have been rolled.
pub(crate) fn roll(play: &mut Play<'_, impl Sink<Event>>, rolled: Rolled<'_, Fallout>) {
    let faces = match rolled {
        Rolled::Class(class) => {
            fallout::rolled(play, class);
            return conflict::advance(play);
        }
        Rolled::Faces(faces) => faces,
    };
    let Some(&Next::Roll(due)) = play.state.conflict().and_then(|conflict| conflict.next.first()) else {
        return;
    };
    conflict::drop_next(play.state);
    let mut dice = Hand::NONE;
    dice.roll(due.dice, faces);
    if let Some(part) = play.state.part_mut(due.who) {
        part.hand.join(dice);
    }
    play.event(Event::Rolled { who: due.who, dice, why: due.why });
    if let Why::Joined(_) = due.why {
        escalate::take_place(play.state, due.who);
    }
    conflict::advance(play);
}
