//! A viewer is sent nothing that it may not know.

use crate::walk::{filled, json, walks};
use crate::{Effort, pointed};
use fracas_kernel::{AnyTable, AskId, Duty, Laid, Lies, Masked, Now, Seat, Session, Setup, Viewer, Words};
use serde::Serialize;

/// The number of answers from elsewhere whose refusals are compared.
const REFUSALS: usize = 6;
/// The number of listed answers whose odds are compared.
const ODDS: usize = 24;
/// The gamemaster's view is checked too at one moment in this many.
const GM: u32 = 8;

/// Tables that look the same to a viewer send that viewer the same bytes.
///
/// At every moment, all that is hidden from a viewer is changed
/// ([`scramble`](fracas_kernel::Game::scramble)). Then these must stay the same, byte by byte,
/// as a table gives them ([`AnyTable`]): the view, the cards, the stage, the asks, the listed answers with
/// their previews and layings, boards, reach and spaces of the map, odds, refusals with their reasons, standing replies, the
/// texts of the last events, open rolls and the worth of the position. Each moment is checked
/// for [`Effort::viewers`] viewers. For the gamemaster, scrambling changes nothing; if it
/// changed anything for other viewers, the gamemaster must see a difference somewhere.
///
/// # Panics
/// If that does not hold.
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
            // Once is enough: the gamemaster's view is the largest.
            noticed = noticed
                || G::view(rules, state, gm) != G::view(other.rules(), other.state(), gm)
                || G::cards(rules, state, gm) != G::cards(other.rules(), other.state(), gm);
        }
    });
    assert!(!changed || noticed, "what is hidden is not shown to the gamemaster either");
}

/// Compares what a viewer is sent at this table and at a scrambled one; gives the other table.
///
/// # Panics
/// If the two differ.
pub(crate) fn told_alike<G: Words>(
    session: &Session<G>,
    who: Viewer,
    seed: u64,
    tries: &[String],
    replies: &[String],
    events: &[G::Event],
) -> Session<G> {
    let other = session.imagine(who, seed);
    // Compared as values before they are written as JSON: these are large and usually equal.
    let same = |a: &str, b: &str| {
        assert!(a == b, "{who} is told what is hidden from it\nthis: {a}\nelse: {b}");
    };
    for (look, this, other) in [
        ("view", session.view(who), other.view(who)),
        ("cards", shown(&session.cards(who)), shown(&other.cards(who))),
        ("stage", shown(&session.stage(who, &[])), shown(&other.stage(who, &[]))),
        ("ending", shown(&session.ending(who)), shown(&other.ending(who))),
    ] {
        if this != other {
            same(&line(look, &this), &line(look, &other));
        }
    }
    let ids = |session: &Session<G>| session.asks().map(|(id, ..)| id).collect::<Vec<_>>();
    let lines = |session: &Session<G>| {
        let mut lines = happened::<G>(session, who, events);
        lines.extend(Told { who, ids: &ids(session), tries, replies }.by(session));
        lines
    };
    let (this, that) = (lines(session), lines(&other));
    this.iter().zip(&that).for_each(|(a, b)| same(a, b));
    assert_eq!(this.len(), that.len(), "{who} is told more or less");
    other
}

fn shown(value: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// The texts of events for a viewer. They may use the event itself, and nothing hidden from
/// the table.
fn happened<G: Words>(session: &Session<G>, who: Viewer, events: &[G::Event]) -> Vec<String> {
    if events.is_empty() {
        return Vec::new();
    }
    let masked: Masked<'_, G> = Masked::new(session.rules(), session.state(), who);
    let text = |event: &G::Event| {
        let inside = serde_json::to_string(event).unwrap_or_default();
        let heard = !masked.hidden().is_all_of(&inside);
        line("event", &heard.then(|| G::event(masked.rules(), masked.state(), event, who)))
    };
    events.iter().map(text).collect()
}

/// All that a viewer is sent except the view, the cards and the texts of events.
pub(crate) struct Told<'t> {
    pub(crate) who: Viewer,
    /// The open asks, in the order in which they are sent.
    pub(crate) ids: &'t [AskId],
    /// Answers to try, as JSON with names.
    pub(crate) tries: &'t [String],
    /// Standing replies to try.
    pub(crate) replies: &'t [String],
}

impl Told<'_> {
    /// The lines for this table.
    pub(crate) fn by(&self, game: &dyn AnyTable) -> Vec<String> {
        let who = self.who;
        let mut lines = Vec::new();
        let seat = match who {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        };
        match game.now_to(who) {
            Now::Over => lines.push("over".to_owned()),
            Now::Roll(roll) => {
                lines.push(line("why dice are due", &game.roll_told(who)));
                if roll.seen.by(who) {
                    lines.push(line("dice", &(roll.whose, roll.seen, &roll.dice)));
                }
                lines.push(line("odds", &game.roll_odds(who)));
            }
            Now::Asks(asks) => {
                for ask in self.ids.iter().filter_map(|id| asks.iter().find(|ask| ask.id == *id)) {
                    match seat.filter(|seat| ask.who.seats().contains(*seat)) {
                        Some(seat) => {
                            lines.push(line("ask", &(ask.who, ask.duty, ask.kind, &ask.prompt)));
                            self.asked(game, ask.id, seat, &mut lines);
                        }
                        // All viewers may see which seats play waits for and the kind of answer, but
                        // not the ask's text.
                        None if ask.duty == Duty::Must => {
                            lines.push(line("awaited", &(ask.who, game.waits(ask.id, who))));
                        }
                        None => {}
                    }
                }
            }
        }
        if let Some(seat) = seat {
            lines.push(format!("worth {}", game.worth(seat)));
            for reply in self.replies {
                lines.push(line("standing", &(reply, refusal(game.may_stand(seat, reply)))));
            }
        }
        lines
    }

    fn asked(&self, game: &dyn AnyTable, id: AskId, seat: Seat, lines: &mut Vec<String>) {
        let who = self.who;
        lines.push(line("words", &game.ask_told(id, who)));
        let listed = game.legal(id, who);
        lines.push(line("listed", &listed));
        lines.push(line("parts", &game.parts(id, who)));
        for answer in listed.iter().take(ODDS) {
            lines.push(line("odds", &game.odds(id, &answer.answer, who)));
        }
        lines.push(line("decline", &game.decline(id)));
        let board = game.board(id, who);
        lines.push(line("board", &board));
        for laid in board.iter().flat_map(|board| layings(&board.lies)) {
            let meant = game.arranged(id, &laid, who).map_err(|refused| refused.to_string());
            lines.push(line("laid", &(&laid, meant)));
        }
        lines.extend(pointed::told(game, id, who));
        for answer in self.tries {
            let leads = game.preview(id, answer, who).map_err(|refused| refused.to_string());
            let refused = refusal(game.check(seat, id, answer));
            lines.push(line("tried", &(answer, leads, refused, game.odds(id, answer, who))));
        }
        for reply in self.replies {
            lines.push(line("would stand", &(reply, game.would_stand(id, reply))));
        }
    }
}

fn refusal<T>(done: Result<T, fracas_kernel::Refused>) -> Option<String> {
    done.err().map(|refused| refused.to_string())
}

/// A few layings to try, which a board may or may not allow.
fn layings(lies: &Lies) -> Vec<Laid> {
    match lies {
        Lies::Points { most, .. } => (0..=*most).map(|points| Laid::points(0, points)).collect(),
        Lies::Cards { cards, .. } => {
            let one = (0..cards.len().min(12)).map(|number| Laid::cards(vec![number as u8]));
            one.chain([Laid::cards(Vec::new())]).collect()
        }
        Lies::Dice { dice, places } => {
            let faces = |from: usize| dice.iter().cycle().skip(from).map(|die| vec![die.face]);
            (0..dice.len().min(6)).map(|from| Laid::new(faces(from).take(places.len()).collect())).collect()
        }
    }
}

pub(crate) fn line(what: &str, value: &impl Serialize) -> String {
    format!("{what} {}", serde_json::to_string(value).unwrap_or_default())
}
