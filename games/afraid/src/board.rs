//! Hands as they lie, to be picked from, and the odds of fallout and of dice to come.

use crate::answer::{Answer, Prompt};
use crate::dice::{Faces, Fallout, Hand, Pool};
use crate::event::{Band, Event};
use crate::rules::{Options, Rules};
use crate::state::{Chore, State, Why};
use crate::view::{is_in_sight, name, said};
use crate::words::names;
use crate::{Afraid, At, challenge, fallout, vocab::*};
use fracas_kernel::{
    Ask, Asking as _, Board, Came, Chance, Fallen, Game, Laid, NoSink, Odds, Piece, Place, Read, Roll,
    Rolled, Seat, Seen, Slot, Tone, Viewer, odds_at, to_roll,
};
use std::borrow::Cow;

/// The hand that is challenged, answered or helped from.
pub(crate) fn board(at: At<'_>, slot: Slot) -> Option<Board> {
    match Afraid::ask_at(at, slot)?.prompt {
        Prompt::Challenge { .. } => challenges(at),
        Prompt::Answer { who, need, .. } => answers(at.state, who, need),
        Prompt::Help { seat, to } => helps(at, seat, to),
        _ => None,
    }
}

/// Two dice are put forward. The ways name the challenged, and the harm if it is not the usual.
fn challenges(at: At<'_>) -> Option<Board> {
    let conflict = at.state.conflict()?;
    let hand = conflict.part(conflict.exchange()?.by)?.hand;
    let way = |(on, harm): (CharSet, Option<Harm>)| {
        let harm = harm.map_or_else(String::new, |harm| format!(", {harm}"));
        format!("at {}{harm}", names(at, on))
    };
    let ways: Vec<String> = manners(at.state).into_iter().map(way).collect();
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
    Some(Board::dice(pieces(&hand).collect(), vec![forward]).ways(ways))
}

/// The ways to challenge, in the order of the board: whom, and with which harm.
fn manners(state: &State) -> Vec<(CharSet, Option<Harm>)> {
    let mut manners = Vec::new();
    challenge::manners(state, &mut |on, harm| manners.push((on, harm)));
    manners
}

/// Dice that reach the challenge are picked; dice that have to be used lie there already.
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

/// One die is handed over, by a character of this seat.
fn helps(at: At<'_>, seat: Seat, to: Char) -> Option<Board> {
    let helpers: Vec<Char> = helpers_of(at.state, seat, to).collect();
    let is_alone = helpers.len() == 1;
    let dice_of = |&who: &Char| {
        let hand = at.state.part(who).map_or(Hand::NONE, |part| part.hand);
        let whose = if is_alone { "" } else { name(at, who) };
        pieces(&hand).map(|die| die.called(whose)).collect::<Vec<_>>()
    };
    let dice: Vec<Piece> = helpers.iter().flat_map(dice_of).collect();
    let ways = helpers.iter().filter(|_| !is_alone);
    let ways = ways.map(|&who| format!("{} hands it over", name(at, who))).collect();
    let handed = Place::one("Handed over", clause!("helping-dice"));
    (!dice.is_empty()).then(|| Board::dice(dice, vec![handed]).ways(ways))
}

/// The seat's characters who can hand somebody a die: a way of the board each.
fn helpers_of(state: &State, seat: Seat, to: Char) -> impl Iterator<Item = Char> + '_ {
    let all = state.conflict().map_or(CharSet::NONE, |conflict| challenge::helpers(conflict, to));
    all.iter().filter(move |&who| state.seat(who) == seat)
}

fn pieces(hand: &Hand) -> impl Iterator<Item = Piece> {
    hand.iter().map(|(size, face)| Piece::new(size.sides(), face))
}

/// How the dice lie for a challenge, an answer or a die handed over.
pub(crate) fn laid(at: At<'_>, slot: Slot, answer: Answer) -> Option<Laid> {
    let faces = |dice: Faces| vec![dice.iter().collect()];
    match answer {
        Answer::Help { who, die } => {
            let Prompt::Help { seat, to } = Afraid::ask_at(at, slot)?.prompt else { return None };
            let way = helpers_of(at.state, seat, to).position(|helper| helper == who)?;
            Some(Laid::by(u8::try_from(way).ok()?, vec![vec![die]]))
        }
        Answer::Answer { dice, arena: None } => Some(Laid::new(faces(dice))),
        Answer::Challenge { on, dice, harm, arena: None } => {
            let way = manners(at.state).iter().position(|&manner| manner == (on, harm))?;
            Some(Laid::by(u8::try_from(way).ok()?, faces(dice)))
        }
        _ => None,
    }
}

/// The answer that the laid dice stand for; the reverse of [`laid`].
pub(crate) fn arranged(at: At<'_>, slot: Slot, laid: &Laid) -> Option<Answer> {
    let dice = Faces::of(laid.at(0));
    match Afraid::ask_at(at, slot)?.prompt {
        Prompt::Answer { .. } => Some(Answer::Answer { dice, arena: None }),
        Prompt::Help { seat, to } => {
            let who = helpers_of(at.state, seat, to).nth(laid.way.into())?;
            Some(Answer::Help { who, die: laid.one(0)? })
        }
        Prompt::Challenge { .. } => {
            let &(on, harm) = manners(at.state).get(usize::from(laid.way))?;
            Some(Answer::Challenge { on, dice, harm, arena: None })
        }
        _ => None,
    }
}

/// What a roll came to: what fallout brings, or what a hand is good for now.
pub(crate) fn came(rules: &Rules, fallen: &Fallen<'_, Afraid>) -> Option<Came> {
    fallen.events.iter().find_map(|event| match *event {
        Event::FalloutRolled { roll, .. } => Some(of_fallout(&rules.options, roll)),
        // The opening hands are not rolled yet, so there is nothing to compare this hand with.
        Event::Rolled { why: Why::Opening, .. } => None,
        Event::Rolled { who, .. } => of_hand(fallen.after, who),
        _ => None,
    })
}

/// What a fallout roll brings.
pub(crate) fn of_fallout(options: &Options, roll: Fallout) -> Came {
    let band = fallout::band(options, roll.sum());
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

/// The best that a hand allows: the answer that is owed, or a challenge against the hands
/// of the opponents, as they lie.
fn of_hand(state: &State, who: Char) -> Option<Came> {
    let conflict = state.conflict()?;
    let owed = conflict.exchange().filter(|exchange| exchange.made > 0 && exchange.owed.has(who));
    let (rank, tone, text) = match owed {
        Some(exchange) => answered_with(challenge::fewest(state, who, exchange.sum())),
        None => {
            let best = conflict.part(who)?.hand.faces().best_pair();
            let opponents = conflict.opponents(who).and(conflict.still_in());
            met_with(opponents.iter().map(|opponent| challenge::fewest(state, opponent, best)))?
        }
    };
    Some(Came { rank, tone, text: Cow::Borrowed(text), besides: None })
}

/// The rank, tone and words of dice, by the fewest of them that answer a challenge; `None` where
/// all are not enough.
pub(crate) const fn answered_with(fewest: Option<usize>) -> (i16, Tone, &'static str) {
    match fewest {
        Some(0 | 1) => (3, Tone::Good, "enough to reverse"),
        Some(2) => (2, Tone::Mixed, "enough to block or dodge"),
        Some(_) => (1, Tone::Bad, "only enough to take it"),
        None => (0, Tone::Bad, "not enough to answer"),
    }
}

/// The rank, tone and words of a challenge, by the fewest dice with which each opponent can
/// answer it; `None` for an opponent who cannot.
pub(crate) fn met_with(fewest: impl Iterator<Item = Option<usize>>) -> Option<(i16, Tone, &'static str)> {
    Some(match fewest.min_by_key(|dice| dice.unwrap_or(usize::MAX))? {
        Some(0 | 1) => (0, Tone::Bad, "a challenge that can be reversed"),
        Some(2) => (1, Tone::Mixed, "a challenge that can be blocked"),
        Some(_) => (2, Tone::Good, "a challenge that can only be taken"),
        None => (3, Tone::Good, "a challenge that nobody can answer"),
    })
}

/// How a challenge can be answered, by the hands as they lie. If the only character challenged
/// can only take it, the odds are those of the fallout of taking it with the fewest dice.
fn forecast(at: At<'_>, slot: Slot, answer: Answer, viewer: Viewer) -> Option<Odds> {
    let Answer::Challenge { on, .. } = answer else { return None };
    let made = Afraid::check(at.rules, at.state, slot, answer).ok()?;
    let mut after = at.state.clone();
    Afraid::apply(at.rules, &mut after, made, &mut NoSink);
    let exchange = after.conflict()?.exchange().filter(|exchange| exchange.made > 0)?;
    let fewest = on.iter().map(|who| challenge::fewest(&after, who, exchange.sum()));
    let (_, tone, text) = met_with(fewest)?;
    let alone = on.first().filter(|_| on.len() == 1);
    let taken = alone.and_then(|who| challenge::cheapest(&after, who, exchange.sum()));
    if let Some((who, banked)) = taken.and_then(|dice| challenge::banked_after(&after, dice)) {
        let of = format!("it can only be taken; fallout of {}, {banked}, were it over then", said(at, who));
        return Some(fallout_odds(at, who, banked, viewer)?.of(of));
    }
    let certain = Chance { text: Cow::Borrowed(text), tone, throws: 1 };
    let rows = vec![certain];
    let (totals, besides) = (Vec::new(), Vec::new());
    Some(Odds { of: "as the hands lie".to_owned(), throws: 1, rows, totals, besides })
}

/// The odds of the roll that an answer leads to, if the others answer as is usual. An answer
/// that banks fallout, or ends the character's part in the conflict, has the odds of the fallout.
pub(crate) fn odds(at: At<'_>, slot: Slot, answer: &Answer, viewer: Viewer) -> Option<Odds> {
    let prompt = Afraid::ask_at(at, slot)?.prompt;
    match (prompt, *answer) {
        (_, Answer::Answer { dice, .. }) => {
            let (who, banked) = challenge::banked_after(at.state, dice)?;
            let of = format!("fallout of {banked}, were it over now");
            Some(fallout_odds(at, who, banked, viewer)?.of(of))
        }
        (Prompt::Challenge { who, .. } | Prompt::Answer { who, .. }, Answer::Give | Answer::Yield) => {
            let banked = at.state.conflict()?.banked(who);
            let of = format!("fallout of {banked}, when it is over");
            Some(fallout_odds(at, who, banked, viewer)?.of(of))
        }
        (Prompt::Challenge { .. }, Answer::Challenge { .. }) => forecast(at, slot, *answer, viewer),
        // These answers judge what somebody else does: the roll is not theirs.
        (Prompt::Concrete { .. } | Prompt::Admit { .. } | Prompt::Cut | Prompt::Match { .. }, _) => None,
        _ => {
            let (due, between) = to_roll::<Afraid>(at.rules, at.state, slot, answer, usual)?;
            let odds = odds_at::<Afraid>(at.rules, at.state, &due, viewer)?;
            let of = match due.chores.first() {
                Some(Chore::Roll { who, dice, .. }) => {
                    format!("fallout of {}, {dice}", said(at, *who))
                }
                _ if between > 0 => "if it is allowed".to_owned(),
                _ => String::new(),
            };
            Some(odds.of(of))
        }
    }
}

/// The usual answers of others: the item brought in counts, the newcomer is admitted, and
/// nobody cuts.
fn usual(_: &State, ask: &Ask<Prompt>) -> Option<Answer> {
    match ask.prompt {
        Prompt::Concrete { .. } | Prompt::Admit { .. } => Some(Answer::Yes),
        Prompt::Cut => Some(Answer::Pass),
        _ => None,
    }
}

/// The odds of somebody's fallout.
fn fallout_odds(at: At<'_>, who: Char, banked: Pool, viewer: Viewer) -> Option<Odds> {
    if banked.is_empty() || !is_in_sight(at.state, who, viewer) {
        return None;
    }
    let roll = Roll {
        whose: at.state.seat(who),
        seen: Seen::Openly,
        dice: banked.dice(),
        read: Read::Fold(fallout::unrolled(&at.rules.options)),
    };
    Odds::by(&roll, |rolled| match rolled {
        Rolled::Class(roll) => Some(of_fallout(&at.rules.options, roll)),
        Rolled::Faces(_) => None,
    })
}
