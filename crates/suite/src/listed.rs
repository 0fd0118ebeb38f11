//! Listed answers.

use crate::Effort;
use crate::walk::{json, walks};
use fracas_kernel::{
    AnyTable, Ask, AskInfo, Duty, Game, Hidden, MAX_ASKS, Names, NoSink, Now, Open, Seat, Session, Setup,
    Slot, Viewer, Words,
};
use fracas_sim::holding;
use serde::Serialize;
use std::collections::HashSet;

/// The most rolls that may follow each other.
const ROLLS: u32 = 64;

/// Every listed answer is allowed, is listed once, and can be written and read back.
///
/// Also: declining is listed if it is possible. Lists are bounded. After an answer, some seat
/// is asked, or dice are due, or play is over. The seats that play waits for are named. Rolls do
/// not follow rolls without end. A seat that must answer can do something, or a clause says
/// why not. Nothing that a seat is asked, listed or shown refers to anything hidden from it.
///
/// # Panics
/// If that does not hold.
pub fn listed<G: Words>(setups: &[Setup], effort: Effort) {
    let mut rolls = 0;
    walks::<G>(setups, effort, |here| {
        let (rules, state) = (here.session.rules(), here.session.state());
        let names = G::names(rules);
        sound::<G>(here.session.open());
        rolls = if here.session.due().is_some() { rolls + 1 } else { 0 };
        assert!(rolls <= ROLLS, "{rolls} rolls in a row");
        nothing_hidden::<G>(here.session);
        somebody_holds_play_up(here.session);
        for (_, slot, ask) in here.session.asks() {
            let mut answers = Vec::new();
            G::legal(rules, state, slot, &mut |a| answers.push(a));
            let throws = |seat| here.session.due().is_some_and(|roll| roll.seen.by(Viewer::Seat(seat)));
            if ask.who.seats().iter().all(throws) {
                assert!(answers.is_empty(), "{ask:?} can be answered before the dice fall");
                continue;
            }
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
            no_dead_end::<G>(here.session, slot, ask, &answers);
            if let Some(decline) = G::decline(rules, state, slot) {
                let text = json(names, &decline);
                assert!(answers.contains(&decline), "declining {ask:?} is not listed: {text}");
            }
        }
    });
}

/// While asks are open, the game names the seats that play waits for.
fn somebody_holds_play_up(game: &dyn AnyTable) {
    let Now::Asks(asks) = game.now() else { return };
    // Play also waits for seats whose answer to a joint ask differs from the last one.
    let waits = |ask: &&AskInfo| {
        let said = game.said(ask.id);
        let agrees = |seat| said.last().is_some_and(|(_, last)| said.contains(&(seat, last.clone())));
        ask.who.seats().iter().any(|seat| !agrees(seat))
    };
    assert!(holding(game, &asks).iter().any(waits), "nobody holds play up: {asks:?}");
}

/// A seat that must answer can do something, or a clause says why not.
fn no_dead_end<G: Words>(session: &Session<G>, slot: Slot, ask: &Ask<G::Prompt>, answers: &[G::Answer]) {
    if ask.duty == Duty::Must && answers.iter().all(G::is_idle) {
        let hindrance = G::hindrance(session.rules(), session.state(), slot);
        assert!(hindrance.is_some(), "a dead end, nothing can be done and no clause says why: {ask:?}");
    }
}

/// Nothing that a player is asked or shown refers to anything hidden from them.
fn nothing_hidden<G: Words>(session: &Session<G>) {
    let (rules, state) = (session.rules(), session.state());
    let seats = G::seats(rules).into_iter().map(|info| info.seat).filter(|seat| *seat != Seat::Gm);
    for who in seats.map(Viewer::Seat).chain([Viewer::Spectator]) {
        let hidden = Hidden::from::<G>(rules, state, who);
        if hidden.is_empty() {
            continue;
        }
        let refers = |what: &str, text: String| {
            let found = Names::references(&text).find(|&(letter, n)| hidden.has(letter, n));
            assert!(found.is_none(), "{who}: {what} refers to something hidden from them: {text}");
        };
        refers("the view", inside(&G::view(rules, state, who)));
        for (_, slot, ask) in session.asks() {
            if ask.who.seats().iter().any(|seat| Viewer::Seat(seat) == who) {
                refers("an ask", inside(&ask.prompt));
                G::legal(rules, state, slot, &mut |answer| refers("a listed answer", inside(&answer)));
            }
        }
    }
}

/// A value as JSON.
fn inside(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Some seat can answer each open ask.
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
            let follow = asks.iter().skip_while(|ask| !G::follows_a_word(&ask.prompt));
            for ask in follow {
                assert!(G::follows_a_word(&ask.prompt), "after an ask that is not open yet: {ask:?}");
            }
        }
    }
}
