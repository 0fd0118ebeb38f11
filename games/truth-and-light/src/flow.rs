//! What is open, and how answers move the table on.

use crate::{
    TruthAndLight, act,
    answer::{Answer, Prompt},
    boons,
    effect::Removal,
    event::Event,
    glory, guilt, outcome, power, roll,
    rules::Rules,
    scene, settle,
    state::{Action, Call, State, Step},
    upper,
    vocab::*,
};
use fracas_kernel::{
    Any, Ask, Asks, Clause, Dice, Duty, NoFold, Objections, Open, Read, Refused, Roll, Seat, Seen, Sink,
    Slot, Who, fine,
};

/// What is due besides asks.
enum Due {
    Over,
    Dice(Seat, u8),
    Asks,
}

fn ask(who: Seat, duty: Duty, prompt: Prompt) -> Ask<Prompt> {
    Ask { who: Who::One(who), duty, prompt }
}

/// What is open now.
pub(crate) fn open(rules: &Rules, state: &State) -> Open<TruthAndLight> {
    let mut asks = Asks::new();
    match each_ask(rules, state, &mut |ask| asks.push(ask)) {
        Due::Over => Open::Over,
        Due::Asks => Open::Asks(asks),
        Due::Dice(whose, count) => Open::Roll(Roll {
            whose,
            seen: Seen::Openly,
            dice: Dice::of(count, 6),
            read: Read::<NoFold>::Ordered,
        }),
    }
}

/// The ask at a slot.
pub(crate) fn ask_at(rules: &Rules, state: &State, slot: Slot) -> Option<Ask<Prompt>> {
    let (mut at, mut found) = (0, None);
    each_ask(rules, state, &mut |ask| {
        if at == slot.0 {
            found = Some(ask);
        }
        at += 1;
    });
    found
}

/// Every open ask in canonical order, or the dice that are due.
fn each_ask(rules: &Rules, state: &State, put: &mut impl FnMut(Ask<Prompt>)) -> Due {
    if state.over {
        return Due::Over;
    }
    match &state.action {
        None => floor(rules, state, put),
        Some(action) => {
            let (who, must) = (action.who, Duty::Must);
            let seat = rules.seat(who);
            put(match action.step {
                Step::Dice | Step::Reroll => return Due::Dice(seat, roll::dice(action)),
                Step::Result => return Due::Asks,
                Step::Settle => ask(Seat::Gm, must, Prompt::Settle { who, on: action.target }),
                Step::Terms => {
                    let by = action.target.unwrap_or(Target::Surroundings);
                    ask(Seat::Gm, must, Prompt::Terms { who: action.queue, by })
                }
                Step::Ready => ask(seat, must, Prompt::Ready(who)),
                Step::Misfortune => ask(Seat::Gm, Duty::May, Prompt::Misfortune(who)),
                Step::Spend => ask(seat, must, Prompt::Spend(who)),
                Step::Reason => ask(Seat::Gm, must, Prompt::Reason(who)),
                Step::Push => ask(seat, must, Prompt::Push(who)),
                Step::Guilt => ask(Seat::Gm, must, Prompt::Guilt(who)),
                Step::Take => ask(seat, must, Prompt::Take(who)),
                Step::Lose => ask(seat, must, Prompt::Lose(who)),
                Step::Glory => ask(seat, must, Prompt::Glory(who)),
                Step::Allow => ask(Seat::Gm, must, Prompt::Allow(who)),
                Step::Upper => {
                    ask(Seat::Gm, must, Prompt::Upper { on: who, by: power::opponent(rules, action) })
                }
            });
        }
    }
    Due::Asks
}

/// The open floor: whoever has it must say what they do, others may speak up.
fn floor(rules: &Rules, state: &State, put: &mut impl FnMut(Ask<Prompt>)) {
    let players = matches!(state.call, Call::One(_) | Call::First | Call::Players(_));
    let (theirs, ours) = if players { (Duty::Must, Duty::May) } else { (Duty::May, Duty::Must) };
    let scene = ask(Seat::Gm, ours, Prompt::Scene);
    if !players {
        put(scene);
    }
    for place in 0..rules.players.len() as u8 {
        let seat = Seat::Player(place);
        let acts = |who: Char| rules.seat(who) == seat && scene::may_act(rules, state, who);
        if rules.pcs.iter().any(acts) {
            put(ask(seat, theirs, Prompt::Act));
        }
    }
    if players {
        put(scene);
    }
}

/// The seat that an ask is put to.
const fn asked(ask: &Ask<Prompt>) -> Seat {
    match ask.who {
        Who::One(seat) => seat,
        Who::Any(_) | Who::All(_) => Seat::Gm,
    }
}

/// The seat that the ask at a slot is put to.
pub(crate) fn seat_at(rules: &Rules, state: &State, slot: Slot) -> Option<Seat> {
    ask_at(rules, state, slot).map(|ask| asked(&ask))
}

/// Lists the answers to the ask at a slot.
pub(crate) fn legal(rules: &Rules, state: &State, slot: Slot, each: &mut impl FnMut(Answer)) {
    let Some(ask) = ask_at(rules, state, slot) else { return };
    let Some(action) = &state.action else {
        return match ask.prompt {
            Prompt::Act => act::legal(rules, state, asked(&ask), each),
            _ => scene::legal(rules, state, each),
        };
    };
    match ask.prompt {
        Prompt::Settle { .. } => settle::legal(rules, state, action, each),
        Prompt::Terms { .. } => settle::legal_terms(rules, state, action, each),
        Prompt::Ready(_) => roll::legal_ready(rules, state, action, each),
        Prompt::Spend(_) => roll::legal_spend(state, action, each),
        Prompt::Guilt(_) => guilt::legal(rules, state, action, each),
        Prompt::Lose(who) => boons::losses(state, who, &mut |lost| each(Answer::Lose(lost))),
        Prompt::Glory(_) => glory::legal(rules, state, action, each),
        Prompt::Upper { .. } => upper::legal(rules, state, action, each),
        Prompt::Misfortune(_) => still(rules, state, &ask, [Answer::Pass, Answer::BadFortune]).for_each(each),
        Prompt::Push(_) => [Answer::Withdraw, Answer::PushOn].into_iter().for_each(each),
        Prompt::Reason(_) | Prompt::Take(_) | Prompt::Allow(_) => {
            still(rules, state, &ask, [Answer::Yes, Answer::No]).for_each(each);
        }
        Prompt::Scene | Prompt::Act => {}
    }
}

/// The answers that can still be given, whatever was overruled since it was asked.
fn still(
    rules: &Rules,
    state: &State,
    ask: &Ask<Prompt>,
    answers: [Answer; 2],
) -> impl Iterator<Item = Answer> {
    answers.into_iter().filter(|&answer| fine(|out: &mut Any| object(rules, state, ask, answer, out)))
}

/// Collects the reasons against an answer.
fn object(rules: &Rules, state: &State, ask: &Ask<Prompt>, answer: Answer, out: &mut impl Objections) {
    let Some(action) = &state.action else {
        return match ask.prompt {
            Prompt::Act => act::object(rules, state, asked(ask), answer, out),
            _ => scene::object(rules, state, answer, out),
        };
    };
    let yes_or_no = |out: &mut dyn FnMut(Clause, &'static str), clause: Clause| {
        if !matches!(answer, Answer::Yes | Answer::No) {
            out(act::stray(answer).unwrap_or(clause), "expected yes or no");
        }
    };
    match ask.prompt {
        Prompt::Settle { .. } => settle::object(rules, state, action, answer, out),
        Prompt::Terms { .. } => settle::object_terms(rules, state, action, answer, out),
        Prompt::Ready(_) => roll::object_ready(rules, state, action, answer, out),
        Prompt::Spend(_) => roll::object_spend(state, action, answer, out),
        Prompt::Guilt(_) => guilt::object(rules, state, action, answer, out),
        Prompt::Lose(who) => object_lose(state, who, answer, out),
        Prompt::Glory(_) => glory::object(rules, state, action, answer, out),
        Prompt::Upper { .. } => upper::object(rules, state, action, answer, out),
        Prompt::Misfortune(_) => {
            if !matches!(answer, Answer::Pass | Answer::BadFortune) {
                let clause = act::stray(answer).unwrap_or(clause!("fortune.bad-use"));
                out.no(clause, "bad fortune is played, or not");
            } else if answer == Answer::BadFortune && state.being(action.who).bad.now == 0 {
                out.no(clause!("bad.fortune"), "they have no bad fortune to be played in this scene");
            }
        }
        Prompt::Push(_) => outcome::object_push(answer, out),
        Prompt::Reason(_) => {
            yes_or_no(&mut |c, w| out.no(c, w), clause!("writhing.gm-approves"));
            if answer == Answer::Yes {
                roll::object_claimed(state, action, out);
            }
        }
        Prompt::Take(_) => yes_or_no(&mut |c, w| out.no(c, w), clause!("fortune.who-takes")),
        Prompt::Allow(_) => {
            yes_or_no(&mut |c, w| out.no(c, w), clause!("glory.control-which"));
            if answer == Answer::Yes {
                glory::object_allowed(rules, state, action, out);
            }
        }
        Prompt::Scene | Prompt::Act => out.no(clause!("kind.gm-calls"), "a roll is under way"),
    }
}

fn object_lose(state: &State, who: Char, answer: Answer, out: &mut impl Objections) {
    match answer {
        Answer::Lose(lost) => boons::object_loss(state, who, lost, out),
        _ => {
            out.no(act::stray(answer).unwrap_or(clause!("guilt.lose-which")), "expected which boons are lost")
        }
    }
}

/// Judges an answer to the ask at a slot.
pub(crate) fn check(rules: &Rules, state: &State, slot: Slot, answer: Answer) -> Result<(), Refused> {
    let Some(ask) = ask_at(rules, state, slot) else {
        return Err(Refused::form("nothing is asked at this slot"));
    };
    if !answer.fits(rules, state) {
        return Err(Refused::form("the answer names somebody or something that is not at this table"));
    }
    // Collecting reasons costs; most answers have none.
    let mut any = Any::default();
    object(rules, state, &ask, answer, &mut any);
    if !any.0 {
        return Ok(());
    }
    let mut refused = Refused::default();
    object(rules, state, &ask, answer, &mut refused);
    refused.verdict()
}

/// Carries out an answer that was allowed.
pub(crate) fn apply(
    rules: &Rules,
    state: &mut State,
    slot: Slot,
    answer: Answer,
    sink: &mut impl Sink<Event>,
) {
    let Some(ask) = ask_at(rules, state, slot) else { return };
    match ask.prompt {
        Prompt::Scene => scene::apply(rules, state, answer, sink),
        Prompt::Act => act::apply(rules, state, answer, sink),
        Prompt::Settle { .. } => settle::apply(rules, state, answer, sink),
        Prompt::Terms { .. } => settle::apply_terms(rules, state, answer, sink),
        Prompt::Ready(_) => roll::apply_ready(rules, state, answer, sink),
        Prompt::Misfortune(_) => roll::apply_misfortune(state, answer, sink),
        Prompt::Spend(_) => roll::apply_spend(rules, state, answer, sink),
        Prompt::Reason(_) => roll::apply_reason(rules, state, answer, sink),
        Prompt::Push(_) => outcome::apply_push(rules, state, answer, sink),
        Prompt::Guilt(_) => guilt::apply(rules, state, answer, sink),
        Prompt::Take(_) => guilt::apply_take(rules, state, answer, sink),
        Prompt::Lose(_) => guilt::apply_lose(rules, state, answer, sink),
        Prompt::Glory(_) => glory::apply(rules, state, answer, sink),
        Prompt::Allow(_) => glory::apply_allow(rules, state, answer, sink),
        Prompt::Upper { .. } => upper::apply(rules, state, answer, sink),
    }
    scene::settle(rules, state, sink);
}

/// Dice have fallen.
pub(crate) fn fell(rules: &Rules, state: &mut State, faces: &[u8], sink: &mut impl Sink<Event>) {
    roll::fell(rules, state, faces, sink);
    scene::settle(rules, state, sink);
}

/// After the gamemaster has overruled something, what is under way must still be
/// something that can be answered. Given is what it would have shaken off before.
pub(crate) fn mend(
    rules: &Rules,
    state: &mut State,
    shaking: Option<(Removal, Option<Char>)>,
    sink: &mut impl Sink<Event>,
) {
    scene::let_go(rules, state, sink);
    act::forbid(rules, state, sink);
    match state.action {
        // Another guilt is picked (`lose-fewer-than-two`).
        Some(action) if action.step == Step::Lose && state.losable(action.who).next().is_none() => {
            state.action = Some(Action { step: Step::Guilt, ..action });
        }
        // Nothing is left to break, or somebody else holds (`gone-in-mid-action`).
        Some(action) if state.shaking() != shaking && !action.has_come_about() => {
            act::cancel(rules, state, sink);
        }
        _ => {}
    }
    scene::settle(rules, state, sink);
    settle::recount(rules, state, sink);
}
