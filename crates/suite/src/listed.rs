//! Listed answers.

use crate::{
    Effort,
    walk::{json, walks},
};
use fracas_kernel::{Game, MAX_ASKS, NoSink, Open, Seat, Setup, Words};
use std::collections::HashSet;

/// The most rolls that may follow each other.
const ROLLS: u32 = 64;

/// Every listed answer is allowed, listed once, and survives being written down.
///
/// Also: declining is listed where it is possible, lists are bounded, what an
/// answer leads to asks something of somebody, and rolls do not follow rolls
/// without end.
///
/// # Panics
/// Where that does not hold.
pub fn listed<G: Words>(setups: &[Setup], effort: Effort) {
    let mut rolls = 0;
    walks::<G>(setups, effort, |here| {
        let (rules, state) = (here.session.rules(), here.session.state());
        let names = G::names(rules);
        sound::<G>(here.session.open());
        rolls = if here.session.due().is_some() { rolls + 1 } else { 0 };
        assert!(rolls <= ROLLS, "{rolls} rolls in a row");
        for (_, slot, ask) in here.session.asks() {
            let mut answers = Vec::new();
            G::legal(rules, state, slot, &mut |a| answers.push(a));
            assert!(!answers.is_empty(), "nothing is listed for {ask:?}");
            let most = effort.list;
            assert!(answers.len() <= most, "{} answers listed, more than {most}: {ask:?}", answers.len());
            let mut texts = HashSet::new();
            for answer in &answers {
                let inside = serde_json::to_string(answer).unwrap_or_default();
                let text = json(names, answer);
                assert!(texts.insert(text.clone()), "listed twice for {ask:?}: {text}");
                let back = names.read(&text);
                assert_eq!(back.as_ref(), Ok(&inside), "not read back by its names: {text}");
                match serde_json::from_str::<G::Answer>(&inside) {
                    Ok(back) => assert_eq!(back, *answer, "read back as another: {text}"),
                    Err(e) => panic!("not read back: {text}: {e}"),
                }
                match G::check(rules, state, slot, *answer) {
                    Err(refused) => panic!("listed for {ask:?} and refused: {text}: {refused}"),
                    Ok(mv) => {
                        let mut next = state.clone();
                        G::apply(rules, &mut next, mv, &mut NoSink);
                        sound::<G>(&G::open(rules, &next));
                    }
                }
            }
            if let Some(decline) = G::decline(rules, state, slot) {
                let text = json(names, &decline);
                assert!(answers.contains(&decline), "declining {ask:?} is not listed: {text}");
            }
        }
    });
}

/// What is open can be answered by somebody.
#[track_caller]
pub(crate) fn sound<G: Game>(open: &Open<G>) {
    match open {
        Open::Over => {}
        Open::Roll(roll) => {
            assert!(!roll.dice.is_empty(), "a roll of no dice: {roll:?}");
            assert!(roll.dice.sides().all(|sides| (2..=100).contains(&sides)), "odd dice: {roll:?}");
        }
        Open::Asks(asks) => {
            assert!((1..=MAX_ASKS).contains(&asks.len()), "not over, and nothing is asked");
            for ask in asks {
                assert!(!ask.who.seats().is_empty(), "asked of nobody: {ask:?}");
                assert!(!ask.who.seats().contains(Seat::Chance), "asked of chance: {ask:?}");
            }
            for (i, ask) in asks.iter().enumerate() {
                let again = asks[..i].iter().any(|other| other.who == ask.who && other.prompt == ask.prompt);
                assert!(!again, "asked twice: {ask:?}");
            }
        }
    }
}
