//! Nobody is told what becomes of a character who was seen and is out of sight.

use crate::secrecy::{Told, line};
use crate::{Effort, at_random, walk::walks};
use fracas_kernel::{
    AnyTable, Card, Game, Known, Names, Now, Seat, Seen, Session, Setup, Shown, Viewer, Who, Words,
};
use fracas_sim::Chance;

/// One moment in `EVERY * Effort::sample` is looked at.
const EVERY: u32 = 20;
/// The most fiats and answers about a gone character at one moment.
const DEEDS: usize = 24;
/// Attempts to find one of them.
const TRIES: usize = 12;
/// The group of cards for characters who were met and are out of sight.
const ELSEWHERE: &str = "elsewhere";

/// The gamemaster's deeds to a character out of sight are told to nobody else.
///
/// At moments of random play a character of the gamemaster's is sent away by `send`, a fiat
/// that names the character `@name`. Then the gamemaster gives fiats and answers about that
/// character or other hidden characters, and about nobody else. Until a deed shows on a
/// viewer's cards, as a return does, the viewer is told no line of it, and everything sent to
/// the viewer is the same, byte by byte. A game may leave the card of a character who was met
/// in the group `elsewhere`: that card is sent too, and does not change. Fiats and answers of
/// the kinds `but` are left out, as others may hear of them.
///
/// # Panics
/// If that does not hold, or if no deed to a gone character was ever found.
pub fn gone<G: Words>(setups: &[Setup], effort: Effort, send: &str, but: &[&str]) {
    let mut unheard = 0;
    walks::<G>(setups, effort, |here| {
        if here.chance.below(EVERY * effort.sample) > 0 {
            return;
        }
        let seats = G::seats(here.session.rules());
        let Some(theirs) = seats.iter().find(|info| info.seat == Seat::Gm) else { return };
        let Some(name) = theirs.holds.get(here.chance.place(theirs.holds.len().max(1))) else { return };
        let mut table = here.session.clone();
        let sent = send.replace("@name", &format!("@{name}"));
        if AnyTable::fiat(&mut table, &sent, true).is_err() {
            return;
        }
        let players = seats.iter().map(|info| Viewer::Seat(info.seat)).filter(|who| !who.is_gm());
        // While an ask is open the character may stay in sight until it is over.
        let is_seen = |table: &Session<G>, who: Viewer| {
            table.cards(who).iter().any(|card| card.id == *name && card.group != ELSEWHERE)
        };
        let lost = |who: &Viewer| is_seen(here.session, *who) && !is_seen(&table, *who);
        let mut looks: Vec<Look> =
            players.chain([Viewer::Spectator]).filter(lost).map(|who| Look::of(&table, who, name)).collect();
        for _ in 0..DEEDS {
            let waits = waits(&table);
            let Some((deed, shown)) = do_to(&mut table, (name, but), here.chance) else { break };
            // The gamemaster has settled what play waited for, so viewers see play go on.
            if waits != self::waits(&table) {
                break;
            }
            looks.retain(|before| {
                let now = Look::of(&table, before.who, name);
                if now.cards != before.cards {
                    return false;
                }
                let heard: Vec<_> = shown.iter().filter_map(|shown| shown.to(before.who)).collect();
                assert!(heard.is_empty(), "{} hears of {name} after {sent}: {deed}: {heard:?}", before.who);
                for (this, other) in now.told.iter().zip(&before.told) {
                    let (who, told) = (before.who, "is told of");
                    assert!(this == other, "{who} {told} {name} after {sent}: {deed}\n{this}\n{other}");
                }
                assert_eq!(now.told.len(), before.told.len(), "{} is sent more or less: {deed}", before.who);
                unheard += 1;
                true
            });
        }
    });
    println!("{}: {unheard} times something becomes of somebody out of sight", G::ID);
    assert!(
        unheard > 0,
        "{send} sends nobody out of sight to whom something happens there: leave this test out where nobody can \
         be hidden"
    );
}

/// Whether an open roll is due, and the asks to players.
fn waits<G: Game>(table: &Session<G>) -> (bool, Vec<String>) {
    let of_players = |who: Who| who.seats().iter().any(|seat| seat != Seat::Gm);
    let asks = table.asks().filter(|(.., ask)| of_players(ask.who)).map(|(.., ask)| format!("{ask:?}"));
    (table.due().is_some_and(|roll| roll.seen == Seen::Openly), asks.collect())
}

/// Everything that a viewer is sent at one moment.
struct Look {
    who: Viewer,
    /// All cards but the one left by the character who is gone.
    cards: String,
    told: Vec<String>,
}

impl Look {
    fn of<G: Words>(table: &Session<G>, who: Viewer, gone: &str) -> Look {
        let ids: Vec<_> = table.asks().map(|(id, ..)| id).collect();
        let (view, ending) = (table.view(who).to_string(), line("ending", &table.ending(who)));
        let asked = Told { who, ids: &ids, tries: &[], replies: &[] }.by(table);
        let is_left = |card: &Card| card.id == gone && card.group == ELSEWHERE;
        let (left, cards): (Vec<Card>, Vec<Card>) = table.cards(who).into_iter().partition(is_left);
        let stage = line("stage", &table.stage(who, &[]));
        let told = [view, ending, stage, line("elsewhere", &left)].into_iter().chain(asked).collect();
        Look { who, cards: line("cards", &cards), told }
    }
}

/// Gives a fiat or an answer about a character, and returns it with the lines shown of it.
fn do_to<G: Words>(
    table: &mut Session<G>,
    (name, but): (&str, &[&str]),
    chance: &mut Chance,
) -> Option<(String, Vec<Shown>)> {
    for _ in 0..TRIES {
        if chance.below(3) > 0 {
            let forms = table.fiat_forms();
            let form = forms.get(chance.place(forms.len().max(1)))?;
            if but.contains(&form.key) {
                continue;
            }
            let sent = at_random(form, chance);
            let given =
                |of: &str| sent.iter().filter(|(n, _)| *n == of).map(|(_, value)| value.as_str()).collect();
            let Ok(fiat) = form.fill(given) else { continue };
            let fiat = theirs(table, &fiat, name, chance);
            if is_about(table, &fiat, name)
                && let Ok(step) = AnyTable::fiat(table, &fiat, true)
            {
                return Some((fiat, step.shown));
            }
            continue;
        }
        let Now::Asks(asks) = table.now() else { continue };
        let mine = asks.iter().filter(|ask| ask.who.seats().contains(Seat::Gm));
        let listed = mine.flat_map(|ask| {
            let listed = table.legal(ask.id, Viewer::Seat(Seat::Gm)).into_iter();
            listed.map(|listed| (ask.id, listed.answer))
        });
        let is_left_out = |answer: &str| but.iter().any(|but| answer.starts_with(&format!("{{\"{but}\"")));
        let all: Vec<_> =
            listed.filter(|(_, answer)| is_about(table, answer, name) && !is_left_out(answer)).collect();
        if let Some((id, answer)) = all.get(chance.place(all.len().max(1)))
            && let Ok(step) = AnyTable::answer(table, Seat::Gm, *id, answer, true)
        {
            return Some((answer.clone(), step.shown));
        }
    }
    None
}

/// A fiat with somebody's name in place of others of the same kind, every other time.
fn theirs<G: Game>(table: &Session<G>, fiat: &str, name: &str, chance: &mut Chance) -> String {
    let names = G::names(table.rules());
    let kind = |slug: &str| names.find(slug).map(|(letter, _)| letter);
    let mut told = fiat.to_owned();
    for other in named(fiat).filter(|other| kind(other) == kind(name)) {
        if chance.below(2) == 0 {
            told = told.replace(&format!("\"@{other}\""), &format!("\"@{name}\""));
        }
    }
    told
}

/// Whether something said is about somebody, and about nobody else whom a spectator may
/// know.
fn is_about<G: Game>(table: &Session<G>, said: &str, name: &str) -> bool {
    let names: &Names = G::names(table.rules());
    let kind = names.find(name).map(|(letter, _)| letter);
    let fits = |other: &str| match names.find(other) {
        Some((letter, _)) if Some(letter) != kind || other == name => true,
        Some(of) => G::knows(table.rules(), table.state(), of, Viewer::Spectator) == Known::Hidden,
        None => false,
    };
    named(said).any(|other| other == name) && named(said).all(fits)
}

/// The names in something said.
fn named(json: &str) -> impl Iterator<Item = &str> {
    json.split("\"@").skip(1).filter_map(|rest| rest.split('"').next())
}
