//! What a seat may not know, it is not told.

use crate::{
    Effort,
    walk::{filled, json, walks},
};
use fracas_kernel::{AnyTable, AskId, Duty, Laid, Lies, Masked, Now, Seat, Session, Setup, Viewer, Words};
use serde::Serialize;

/// Answers from elsewhere whose refusals are compared.
const REFUSALS: usize = 6;
/// Listed answers whose odds are compared.
const ODDS: usize = 24;
/// One moment in so many is looked at with the gamemaster's eyes too.
const GM: u32 = 8;

/// Two tables that look the same to a viewer are the same to that viewer.
///
/// At every moment what is hidden from somebody but the gamemaster is changed
/// ([`scramble`](fracas_kernel::Game::scramble)); then the view, the cards, the asks, the listed answers with
/// what they lead to and how they are laid, boards, odds, refusals with their reasons,
/// standing replies, the words for what has just happened, rolls in the open and the
/// worth of the position must be the same byte by byte, as a table tells them
/// ([`AnyTable`]). Each moment is looked at with the eyes of [`Effort::viewers`] viewers.
/// The gamemaster must see a difference somewhere, if anything was ever changed, and
/// for the gamemaster nothing is.
///
/// # Panics
/// Where that does not hold.
pub fn secrecy<G: Words>(setups: &[Setup], effort: Effort) {
    let (mut changed, mut noticed) = (false, false);
    walks::<G>(setups, effort, |here| {
        let session = here.session;
        let (rules, state) = (session.rules(), session.state());
        let names = G::names(rules);
        let mut tries: Vec<String> = (0..REFUSALS.min(here.pool.len()))
            .map(|_| json(names, &here.pool[here.chance.place(here.pool.len())]))
            .collect();
        let replies: Vec<String> =
            G::standings().iter().map(|(reply, _)| filled(names, reply, here.chance)).collect();
        tries.dedup();
        let gm = Viewer::Seat(Seat::Gm);
        if here.chance.below(GM) == 0 {
            let (mut rules2, mut state2) = (rules.clone(), state.clone());
            G::scramble(&mut rules2, &mut state2, gm, here.chance.seed());
            assert_eq!(state, &state2, "hidden from the gamemaster");
        }
        let seats = G::seats(rules).into_iter().map(|info| Viewer::Seat(info.seat));
        let mut viewers: Vec<Viewer> = seats.filter(|who| !who.is_gm()).chain([Viewer::Spectator]).collect();
        while viewers.len() > effort.viewers {
            viewers.swap_remove(here.chance.place(viewers.len()));
        }
        for who in viewers {
            let other = told_alike(session, who, here.chance.seed(), &tries, &replies, here.events);
            changed |= state != other.state();
            // Once is enough, and the gamemaster's view is the largest.
            noticed = noticed
                || G::view(rules, state, gm) != G::view(other.rules(), other.state(), gm)
                || G::cards(rules, state, gm) != G::cards(other.rules(), other.state(), gm);
        }
    });
    assert!(!changed || noticed, "what is hidden is not shown to the gamemaster either");
}

/// Compares what a viewer is told at a table with what they are told at another that looks
/// the same to them; gives the other.
///
/// # Panics
/// Where that differs.
pub(crate) fn told_alike<G: Words>(
    session: &Session<G>,
    who: Viewer,
    seed: u64,
    tries: &[String],
    replies: &[String],
    events: &[G::Event],
) -> Session<G> {
    let other = session.imagine(who, seed);
    // As values: most of what is told is these, and mostly it is the same.
    let same = |a: &str, b: &str| {
        assert!(a == b, "{who} is told what is hidden from it\nthis: {a}\nelse: {b}");
    };
    for (look, this, other) in [
        ("view", session.view(who), other.view(who)),
        ("cards", shown(&session.cards(who)), shown(&other.cards(who))),
        ("ending", shown(&session.ending(who)), shown(&other.ending(who))),
    ] {
        if this != other {
            same(&line(look, &this), &line(look, &other));
        }
    }
    let ids = |session: &Session<G>| session.asks().map(|(id, ..)| id).collect::<Vec<_>>();
    let told = |session: &Session<G>| {
        let mut told = happened::<G>(session, who, events);
        told.extend(Told { who, ids: &ids(session), tries, replies }.by(session));
        told
    };
    let (this, that) = (told(session), told(&other));
    this.iter().zip(&that).for_each(|(a, b)| same(a, b));
    assert_eq!(this.len(), that.len(), "{who} is told more or less");
    other
}

fn shown(value: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// What the words for events tell a viewer: what an event tells is in the event, and
/// its words take nothing hidden from the table.
fn happened<G: Words>(session: &Session<G>, who: Viewer, events: &[G::Event]) -> Vec<String> {
    if events.is_empty() {
        return Vec::new();
    }
    let masked: Masked<'_, G> = Masked::new(session.rules(), session.state(), who);
    let told = |event: &G::Event| {
        let inside = serde_json::to_string(event).unwrap_or_default();
        let heard = !masked.hidden().is_all_of(&inside);
        line("event", &heard.then(|| G::event(masked.rules(), masked.state(), event, who)))
    };
    events.iter().map(told).collect()
}

/// What a viewer is told beside the view, the cards and what happened.
pub(crate) struct Told<'t> {
    pub(crate) who: Viewer,
    /// The open asks, in the order in which they are told.
    pub(crate) ids: &'t [AskId],
    /// Answers that may or may not fit, as JSON with names.
    pub(crate) tries: &'t [String],
    /// Standing replies that may or may not fit.
    pub(crate) replies: &'t [String],
}

impl Told<'_> {
    /// All of it at one table, line by line.
    pub(crate) fn by(&self, game: &dyn AnyTable) -> Vec<String> {
        let who = self.who;
        let mut told = Vec::new();
        let seat = match who {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        };
        match game.now() {
            Now::Over => told.push("over".to_owned()),
            Now::Roll(roll) => {
                told.push(line("why dice are due", &game.roll_told(who)));
                if roll.seen.by(who) {
                    told.push(line("dice", &(roll.whose, roll.seen, &roll.dice)));
                }
                told.push(line("odds", &game.roll_odds(who)));
            }
            Now::Asks(asks) => {
                for ask in self.ids.iter().filter_map(|id| asks.iter().find(|ask| ask.id == *id)) {
                    match seat.filter(|seat| ask.who.seats().contains(*seat)) {
                        Some(seat) => {
                            told.push(line("ask", &(ask.who, ask.duty, ask.kind, &ask.prompt)));
                            self.asked(game, ask.id, seat, &mut told);
                        }
                        // Whom play waits for, and for which kind of answer, is everybody's
                        // to see; the words of it are not.
                        None if ask.duty == Duty::Must => {
                            told.push(line("awaited", &(ask.who, game.waits(ask.id, who))));
                        }
                        None => {}
                    }
                }
            }
        }
        if let Some(seat) = seat {
            told.push(format!("worth {}", game.worth(seat)));
            for reply in self.replies {
                told.push(line("standing", &(reply, refusal(game.may_stand(seat, reply)))));
            }
        }
        told
    }

    fn asked(&self, game: &dyn AnyTable, id: AskId, seat: Seat, told: &mut Vec<String>) {
        let who = self.who;
        told.push(line("words", &game.ask_told(id, who)));
        let listed = game.legal(id, who);
        told.push(line("listed", &listed));
        for answer in listed.iter().take(ODDS) {
            told.push(line("odds", &game.odds(id, &answer.answer, who)));
        }
        told.push(line("decline", &game.decline(id)));
        let board = game.board(id, who);
        told.push(line("board", &board));
        for laid in board.iter().flat_map(|board| layings(&board.lies)) {
            let meant = game.arranged(id, &laid, who).map_err(|refused| refused.to_string());
            told.push(line("laid", &(&laid, meant)));
        }
        for answer in self.tries {
            let leads = game.preview(id, answer, who).map_err(|refused| refused.to_string());
            let refused = refusal(game.check(seat, id, answer));
            told.push(line("tried", &(answer, leads, refused, game.odds(id, answer, who))));
        }
        for reply in self.replies {
            told.push(line("would stand", &(reply, game.would_stand(id, reply))));
        }
    }
}

fn refusal<T>(done: Result<T, fracas_kernel::Refused>) -> Option<String> {
    done.err().map(|refused| refused.to_string())
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

pub(crate) fn line(what: &str, value: &impl Serialize) -> String {
    format!("{what} {}", serde_json::to_string(value).unwrap_or_default())
}
