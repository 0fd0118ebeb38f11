//! What a seat may not know, it is not told.

use crate::{Effort, walk::walks};
use fracas_kernel::{
    AnyTable, Ask, Duty, Game, Hidden, Laid, Lies, Masked, Names, Open, Seat, Session, Setup, Slot, Viewer,
    Words,
};
use serde::Serialize;

/// Answers from elsewhere whose refusals are compared.
const REFUSALS: usize = 12;
/// Listed answers whose odds are compared: a page tells no more.
const ODDS: usize = 24;

/// Two tables that look the same to a viewer are the same to that viewer.
///
/// At every moment, for every viewer but the gamemaster, what is hidden is
/// changed ([`Game::scramble`]); then the view, the cards, the asks, the listed
/// answers with what they lead to and how they are laid, boards, odds, refusals with their reasons, standing
/// replies, the words for what has just happened, rolls in the open and the worth of the position must be the same
/// byte by byte. The gamemaster must see a difference somewhere, if anything
/// was ever changed, and for the gamemaster nothing is.
///
/// # Panics
/// Where that does not hold.
pub fn secrecy<G: Words>(setups: &[Setup], effort: Effort) {
    let (mut changed, mut noticed) = (false, false);
    walks::<G>(setups, effort, |here| {
        let (rules, state) = (here.session.rules(), here.session.state());
        let tries: Vec<G::Answer> = (0..REFUSALS.min(here.pool.len()))
            .map(|_| here.pool[here.chance.place(here.pool.len())])
            .collect();
        let gm = Viewer::Seat(Seat::Gm);
        let seats = G::seats(rules).into_iter().map(|info| Viewer::Seat(info.seat));
        for who in seats.chain([Viewer::Spectator]) {
            let (mut rules2, mut state2) = (rules.clone(), state.clone());
            G::scramble(&mut rules2, &mut state2, who, here.chance.seed());
            if who.is_gm() {
                assert_eq!(state, &state2, "hidden from the gamemaster");
            }
            // As values: most of what is told is these, and mostly it is the same.
            let same = |a: &str, b: &str| {
                assert!(a == b, "{who} is told what is hidden from it\nthis: {a}\nelse: {b}");
            };
            // What somebody is told is worded from the table as they may know it.
            let one = Masked::<G>::new(rules, state, who);
            let two = Masked::<G>::new(&rules2, &state2, who);
            let view = |at: &Masked<'_, G>| G::view(at.rules(), at.state(), who);
            let (this, other) = (view(&one), view(&two));
            if this != other {
                same(&line("view", &this), &line("view", &other));
            }
            let cards = |at: &Masked<'_, G>| G::cards(at.rules(), at.state(), who);
            let (this, other) = (cards(&one), cards(&two));
            if this != other {
                same(&line("cards", &this), &line("cards", &other));
            }
            // Names of what is hidden are refused before any rule is asked.
            let known: Vec<G::Answer> = tries
                .iter()
                .filter(|answer| !refers(*answer, one.hidden()) && !refers(*answer, two.hidden()))
                .copied()
                .collect();
            let this = told::<G>(&one, who, &known, here.events);
            let other = told::<G>(&two, who, &known, here.events);
            this.iter().zip(&other).for_each(|(a, b)| same(a, b));
            assert_eq!(this.len(), other.len(), "{who} is told more or less");
            changed |= *state != state2;
            // Once is enough, and the gamemaster's view is the largest.
            noticed = noticed
                || G::view(rules, state, gm) != G::view(&rules2, &state2, gm)
                || G::cards(rules, state, gm) != G::cards(&rules2, &state2, gm);
        }
    });
    assert!(!changed || noticed, "what is hidden is not shown to the gamemaster either");
}

/// Everything that a viewer is told but for the view and the cards, line by line.
fn told<G: Words>(
    table: &Masked<'_, G>,
    who: Viewer,
    tries: &[G::Answer],
    events: &[G::Event],
) -> Vec<String> {
    let (rules, state) = (table.rules(), table.state());
    let mut told = Vec::new();
    // What an event tells is in the event: its words take nothing hidden from
    // the table.
    for event in events {
        if table.hidden().is_all_of(&serde_json::to_string(event).unwrap_or_default()) {
            continue;
        }
        told.push(line("event", &G::event(rules, state, event, who)));
    }
    let open = G::open(rules, state);
    let seat = match who {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator => None,
    };
    match &open {
        Open::Over => told.push("over".to_owned()),
        Open::Roll(roll) => {
            told.push(line("why dice are due", &G::roll_told(rules, state, who)));
            if roll.seen.by(who) {
                told.push(line("dice", &(roll.whose, roll.seen, &roll.dice)));
            }
            let session = Session::<G>::new(rules.clone(), state.clone());
            told.push(line("odds", &AnyTable::roll_odds(&session, who)));
        }
        Open::Asks(asks) => {
            for (at, ask) in asks.iter().enumerate() {
                let slot = Slot(at as u8);
                if seat.is_some_and(|seat| ask.who.seats().contains(seat)) {
                    asked::<G>(rules, state, slot, ask, who, tries, &mut told);
                } else if ask.duty == Duty::Must {
                    // Whom play waits for, and for what kind of answer, is everybody's
                    // to see; the words of it are not.
                    told.push(line("awaited", &(ask.who, G::waits(rules, state, slot, who))));
                }
            }
        }
    }
    if let Some(seat) = seat {
        told.push(format!("worth {}", G::worth(rules, state, seat)));
    }
    told
}

fn asked<G: Words>(
    rules: &G::Rules,
    state: &G::State,
    slot: Slot,
    ask: &Ask<G::Prompt>,
    who: Viewer,
    tries: &[G::Answer],
    told: &mut Vec<String>,
) {
    told.push(line("ask", ask));
    told.push(line("words", &G::ask(rules, state, slot, who)));
    let mut listed = Vec::new();
    G::legal(rules, state, slot, &mut |a| listed.push(a));
    for answer in &listed {
        told.push(line("listed", answer));
        told.push(line("leads", &<G as Words>::answer(rules, state, slot, answer, who)));
        told.push(line("lies", &G::laid(rules, state, slot, answer)));
    }
    for answer in listed.iter().take(ODDS) {
        told.push(line("odds", &<G as Words>::odds(rules, state, slot, answer, who)));
    }
    told.push(line("decline", &G::decline(rules, state, slot)));
    let board = G::board(rules, state, slot, who);
    told.push(line("board", &board));
    for laid in board.iter().flat_map(|board| layings(&board.lies)) {
        let meant = G::arranged(rules, state, slot, &laid);
        let refused = meant.and_then(|answer| G::check(rules, state, slot, answer).err());
        told.push(line("laid", &(&laid, meant, refused)));
    }
    for answer in tries {
        match G::check(rules, state, slot, *answer) {
            Ok(_) => {
                let told_of = <G as Words>::answer(rules, state, slot, answer, who);
                told.push(format!("allowed {answer:?}: {}", line("leads", &told_of)));
            }
            Err(refused) => told.push(format!("refused {answer:?}: {}", line("reasons", &refused))),
        }
    }
    for (reply, _) in G::standings() {
        let text = G::names(rules).read(reply).unwrap_or_default();
        if let Ok(reply) = serde_json::from_str(&text) {
            told.push(line("standing", &<G as Game>::standing(rules, state, slot, reply)));
        }
    }
}

/// A few layings that a board may or may not allow.
fn layings(lies: &Lies) -> Vec<Laid> {
    match lies {
        Lies::Points { most, .. } => (0..=*most).map(|points| Laid::points(0, points)).collect(),
        Lies::Dice { dice, places } => {
            let faces = |from: usize| dice.iter().cycle().skip(from).map(|die| vec![die.face]);
            (0..dice.len().min(6)).map(|from| Laid::new(faces(from).take(places.len()).collect())).collect()
        }
    }
}

/// Whether an answer names something hidden.
fn refers(answer: &impl Serialize, hidden: &Hidden) -> bool {
    let json = serde_json::to_string(answer).unwrap_or_default();
    Names::references(&json).any(|(letter, n)| hidden.has(letter, n))
}

fn line(what: &str, value: &impl Serialize) -> String {
    format!("{what} {}", serde_json::to_string(value).unwrap_or_default())
}
