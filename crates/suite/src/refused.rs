//! Answers that are not listed.

use crate::walk::{Here, walks};
use crate::{Effort, listed::sound};
use fracas_kernel::{AskId, NoSink, Refused, Seat, SeatSet, Session, Setup, Slot, Words};
use fracas_sim::Chance;
use serde_json::Value;

/// Answers from elsewhere in play that are tried at each ask, some of them changed.
const TRIES: usize = 8;

/// A refused answer changes nothing and gives its reasons; an answer that is allowed without
/// being listed works.
///
/// Tries answers from elsewhere in play, also with a number or a name changed, answers for
/// other seats, stale ids and impossible faces.
///
/// # Panics
/// If that does not hold.
pub fn refused<G: Words>(setups: &[Setup], effort: Effort) {
    let mut stale: Vec<AskId> = Vec::new();
    walks::<G>(setups, effort, |here| {
        if here.done.is_empty() {
            stale.clear();
        }
        let session = here.session;
        let asks: Vec<_> = session.asks().map(|(id, slot, ask)| (id, slot, ask.who.seats())).collect();
        for &(id, slot, seats) in &asks {
            for answer in tries::<G>(here) {
                let by = seats.iter().next().unwrap_or(Seat::Gm);
                attempt(session, by, id, slot, answer);
                for stranger in elsewhere::<G>(session, &answer) {
                    let refused = session.check(by, id, stranger);
                    assert!(refused.is_err(), "it names what is not at this table: {stranger:?}");
                }
            }
            strangers(here, id, seats);
        }
        for &(id, ..) in &asks {
            if !stale.contains(&id) {
                stale.push(id);
            }
        }
        if let Some(&answer) = here.pool.first() {
            for &id in stale.iter().rev().take(4).filter(|&&id| session.ask(id).is_none()) {
                for seat in [Seat::Gm, Seat::Player(0)] {
                    assert!(session.check(seat, id, answer).is_err(), "a stale id is answered: {id}");
                }
            }
        }
        faces(session);
    });
}

/// Some answers from the pool, some of them changed.
pub(crate) fn tries<G: Words>(here: &mut Here<'_, G>) -> Vec<G::Answer> {
    if here.pool.is_empty() {
        return Vec::new();
    }
    let mut tries = Vec::with_capacity(TRIES * 2);
    for _ in 0..TRIES {
        let answer = here.pool[here.chance.place(here.pool.len())];
        tries.push(answer);
        let other = here.pool[here.chance.place(here.pool.len())];
        tries.extend(distorted::<G>(&answer, &other, here.chance));
    }
    tries
}

/// An answer with each of its names in turn changed into one that nothing at this table has.
fn elsewhere<G: Words>(session: &Session<G>, answer: &G::Answer) -> Vec<G::Answer> {
    let Ok(text) = serde_json::to_string(answer) else { return Vec::new() };
    let named = text.match_indices("\"@").filter_map(|(at, mark)| {
        let from = at + mark.len();
        let to = from + text[from..].find('"')?;
        let letter = text[from..to].chars().next()?;
        let of_letter = G::names(session.rules()).all().filter(|&(other, _)| other == letter);
        let free = of_letter.map(|(_, n)| n + 1).max()?;
        serde_json::from_str(&format!("{}{letter}{free}{}", &text[..from], &text[to..])).ok()
    });
    named.collect()
}

/// An answer with a number, flag or name changed, if the result is an answer.
pub(crate) fn distorted<G: Words>(
    answer: &G::Answer,
    other: &G::Answer,
    chance: &mut Chance,
) -> Option<G::Answer> {
    let mut value = serde_json::to_value(answer).ok()?;
    let lender = serde_json::to_value(other).ok()?;
    let mut lent = Vec::new();
    leaves(&lender, &mut lent);
    let mut count = Vec::new();
    leaves(&value, &mut count);
    let mut at = chance.place(count.len());
    change(&mut value, &mut at, &lent, chance);
    serde_json::from_value(value).ok()
}

/// Collects every number, flag and text in a value.
pub(crate) fn leaves<'v>(value: &'v Value, out: &mut Vec<&'v Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|v| leaves(v, out)),
        Value::Object(fields) => fields.values().for_each(|v| leaves(v, out)),
        leaf => out.push(leaf),
    }
}

/// Changes the leaf at place `at`, counted down.
pub(crate) fn change(value: &mut Value, at: &mut usize, lent: &[&Value], chance: &mut Chance) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|v| change(v, at, lent, chance)),
        Value::Object(fields) => fields.values_mut().for_each(|v| change(v, at, lent, chance)),
        leaf => {
            if *at == 0 {
                *leaf = match leaf {
                    Value::Number(n) => {
                        let n = n.as_i64().unwrap_or(0);
                        [n - 1, n + 1, n + 100, 0, 255, -1][chance.place(6)].into()
                    }
                    Value::Bool(flag) => (!*flag).into(),
                    _ => lent.get(chance.place(lent.len())).map_or(Value::Null, |&v| v.clone()),
                };
            }
            // Wraps after the change, so that the other leaves stay.
            *at = at.wrapping_sub(1);
        }
    }
}

/// Gives an answer at a copy of the table: a refusal must change nothing.
fn attempt<G: Words>(session: &Session<G>, by: Seat, id: AskId, slot: Slot, answer: G::Answer) {
    match session.check(by, id, answer) {
        Err(refused) => {
            assert_reasoned::<G>(&refused, &answer);
            let mut copy = session.clone();
            assert_eq!(copy.answer(by, id, answer, &mut NoSink), Err(refused), "{answer:?}");
            assert_eq!(copy.state(), session.state(), "changed by what was refused: {answer:?}");
            assert_eq!(copy.snapshot(), session.snapshot(), "changed by what was refused: {answer:?}");
        }
        Ok(mv) => {
            assert_eq!((mv.slot(), mv.answer()), (slot, answer), "another answer is vouched for");
            let mut next = session.state().clone();
            G::apply(session.rules(), &mut next, mv, &mut NoSink);
            sound::<G>(&G::open(session.rules(), &next));
        }
    }
}

fn assert_reasoned<G: Words>(refused: &Refused, answer: &G::Answer) {
    assert!(!refused.reasons.is_empty(), "refused without a reason: {answer:?}");
    for reason in &refused.reasons {
        assert!(!reason.what.trim().is_empty(), "a reason without words: {answer:?}");
        if let Some(clause) = reason.clause {
            let known = G::rulebook().find(clause.id());
            assert!(known.is_some(), "no such clause: {clause}, refusing {answer:?}");
        }
    }
}

/// A seat cannot answer an ask of other seats.
fn strangers<G: Words>(here: &Here<'_, G>, id: AskId, seats: SeatSet) {
    let session = here.session;
    let Some((slot, _)) = session.ask(id) else { return };
    let mut listed = Vec::new();
    G::legal(session.rules(), session.state(), slot, &mut |a| listed.push(a));
    let all = [Seat::Chance, Seat::Gm].into_iter().chain((0..SeatSet::PLAYERS).map(Seat::Player));
    let Some(&answer) = listed.first() else { return };
    for seat in all.filter(|&seat| !seats.contains(seat)) {
        assert!(session.check(seat, id, answer).is_err(), "{seat} answers for others: {answer:?}");
    }
}

/// Impossible faces are refused, and any faces if no roll is due.
fn faces<G: Words>(session: &Session<G>) {
    let bad: Vec<Vec<u8>> = match session.due() {
        None => vec![vec![], vec![1], vec![3, 4]],
        Some(roll) => {
            let ones = vec![1; roll.dice.len()];
            let mut high = ones.clone();
            let mut zero = ones.clone();
            zero[0] = 0;
            high[0] = roll.dice.sides().next().unwrap_or(1) + 1;
            vec![zero, high, [ones, vec![1]].concat(), vec![]]
        }
    };
    let mut copy = session.clone();
    for faces in bad {
        assert!(copy.roll(&faces, &mut NoSink).is_err(), "{faces:?} cannot fall");
    }
    assert_eq!(copy.snapshot(), session.snapshot(), "changed by faces that cannot fall");
}
