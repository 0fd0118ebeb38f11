//! Hands as they lie, to be picked from, and the odds of fallout.

use crate::{
    Afraid,
    answer::{Answer, Prompt},
    challenge,
    dice::{Faces, Fallout, Hand},
    event::{Band, Event},
    fallout, flow,
    rules::Rules,
    state::State,
    view::knows_of,
    vocab::*,
    words::{harm_words, names},
};
use fracas_kernel::{
    Board, Came, Fallen, Laid, Lies, Odds, Piece, Place, Read, Roll, Rolled, Seen, Slot, Tone, Viewer,
    odds_after,
};
use std::borrow::Cow;

/// The hand that is challenged or answered from.
pub(crate) fn board(rules: &Rules, state: &State, slot: Slot) -> Option<Board> {
    match flow::ask_at(rules, state, slot)?.prompt {
        Prompt::Challenge { .. } => challenges(rules, state),
        Prompt::Answer { who, need, .. } => answers(state, who, need),
        _ => None,
    }
}

/// Two dice are put forward, at whom and as what being said beside it.
fn challenges(rules: &Rules, state: &State) -> Option<Board> {
    let exchange = state.conflict()?.exchange()?;
    let hand = state.conflict()?.part(exchange.by)?.hand;
    let mut ways = Vec::new();
    challenge::each_manner(state, exchange, &mut |on, harm| {
        let how = harm.map_or_else(String::new, |harm| format!(", {}", harm_words(harm)));
        ways.push(format!("at {}{how}", names(rules, state, on)));
    });
    if hand.len() < 2 || ways.is_empty() {
        return None;
    }
    let forward = Place {
        name: "Put forward".to_owned(),
        least: 2,
        most: 2,
        adds: Some(0),
        clause: Some(clause!("challenge.two-dice")),
    };
    Some(Board { ways, lies: Lies::Dice { dice: pieces(&hand).collect(), places: vec![forward] } })
}

/// Dice that reach the challenge are picked; what has to be used lies there already.
fn answers(state: &State, who: Char, need: u8) -> Option<Board> {
    let (must, may) = challenge::lying(state, who, need);
    let dice: Vec<Piece> = pieces(&must).map(|die| die.fixed(0)).chain(pieces(&may)).collect();
    let answer = Place {
        name: "Your answer".to_owned(),
        least: 1,
        most: u8::try_from(dice.len()).unwrap_or(u8::MAX),
        adds: Some(need.into()),
        clause: Some(clause!("answer.match")),
    };
    let reaches = must.faces().sum() + may.faces().sum() >= u16::from(need);
    reaches.then(|| Board::dice(dice, vec![answer]))
}

fn pieces(hand: &Hand) -> impl Iterator<Item = Piece> {
    hand.iter().map(|(size, face)| Piece::new(size.sides(), face))
}

/// How the dice lie for a challenge or an answer.
pub(crate) fn laid(state: &State, answer: Answer) -> Option<Laid> {
    let faces = |dice: Faces| vec![dice.iter().collect()];
    match answer {
        Answer::Answer { dice, arena: None } => Some(Laid::new(faces(dice))),
        Answer::Challenge { on, dice, harm, arena: None } => {
            let (mut at, mut found) = (0, None);
            challenge::each_manner(state, state.conflict()?.exchange()?, &mut |there, as_what| {
                if (there, as_what) == (on, harm) {
                    found = Some(at);
                }
                at += 1;
            });
            Some(Laid::by(found?, faces(dice)))
        }
        _ => None,
    }
}

/// The challenge or the answer for which they lie so.
pub(crate) fn arranged(rules: &Rules, state: &State, slot: Slot, laid: &Laid) -> Option<Answer> {
    let dice = Faces::of(laid.at(0));
    match flow::ask_at(rules, state, slot)?.prompt {
        Prompt::Answer { .. } => Some(Answer::Answer { dice, arena: None }),
        Prompt::Challenge { .. } => {
            let (mut at, mut found) = (0, None);
            challenge::each_manner(state, state.conflict()?.exchange()?, &mut |on, harm| {
                if at == laid.way {
                    found = Some(Answer::Challenge { on, dice, harm, arena: None });
                }
                at += 1;
            });
            found
        }
        _ => None,
    }
}

/// What a fallout roll came to.
pub(crate) fn came(fallen: &Fallen<'_, Afraid>) -> Option<Came> {
    fallen.events.iter().find_map(|event| match *event {
        Event::FalloutRolled { roll, .. } => Some(of_fallout(roll)),
        _ => None,
    })
}

fn of_fallout(roll: Fallout) -> Came {
    let band = fallout::band(roll.sum());
    let (rank, tone, text) = match band {
        Band::Short => (4, Tone::Plain, "short-term"),
        Band::Long => (3, Tone::Mixed, "long-term"),
        Band::Injury => (2, Tone::Bad, "injury"),
        Band::FirstAid => (1, Tone::Bad, "first aid required"),
        Band::Dead => (0, Tone::Bad, "death"),
    };
    let besides = (roll.one && band != Band::Dead).then_some(Cow::Borrowed("experience"));
    Came { rank, tone, text: Cow::Borrowed(text), besides }
}

/// The odds of the fallout that an answer's dice would bring with those banked
/// already, were it rolled now; of any other answer those of its roll.
pub(crate) fn odds(
    rules: &Rules,
    state: &State,
    slot: Slot,
    answer: &Answer,
    viewer: Viewer,
) -> Option<Odds> {
    let Answer::Answer { dice, .. } = *answer else {
        return odds_after::<Afraid>(rules, state, slot, answer, viewer);
    };
    let (who, banked) = challenge::banked_after(state, dice)?;
    if !knows_of(state, who, viewer) {
        return None;
    }
    let roll = Roll {
        whose: state.seat(who),
        seen: Seen::Openly,
        dice: banked.dice(),
        read: Read::Fold(fallout::unrolled(rules)),
    };
    let odds = Odds::by(&roll, |rolled| match rolled {
        Rolled::Class(roll) => Some(of_fallout(roll)),
        Rolled::Faces(_) => None,
    })?;
    Some(odds.of(format!("fallout of {banked}, were it over now")))
}
