//! Texts for asks, answers, rolls and events.

use crate::Effort;
use crate::walk::{json, walks};
use fracas_kernel::{
    Clause, Listed, Names, Open, Seat, Session, Setup, Slot, Telling, Told, Viewer, Words, said, tells,
};
use serde_json::{Map, Value, json};

/// A label that the game does not use.
const OWN: &str = "Ünlikely O'Name";

/// Every ask, answer, roll and event has a text for each viewer who learns of it, and every
/// clause in a text is in the rulebook.
///
/// The gamemaster is told of every event, with its clause. Kinds of prompts are among those
/// that the game lists. Texts hold no bare reference (`@c3`). An answer that allows a free
/// label ([`Told::free`]) accepts one.
///
/// # Panics
/// If that does not hold.
pub fn spoken<G: Words>(setups: &[Setup], effort: Effort) {
    let kinds = G::kinds();
    for (i, kind) in kinds.iter().enumerate() {
        let plain = !kind.is_empty() && kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        assert!(plain && !kinds[..i].contains(kind), "a kind is in kebab-case, and there once: {kind:?}");
    }
    walks::<G>(setups, effort, |here| {
        let (rules, state) = (here.session.rules(), here.session.state());
        let viewers: Vec<Viewer> = G::seats(rules)
            .into_iter()
            .map(|info| Viewer::Seat(info.seat))
            .chain([Viewer::Spectator])
            .collect();
        assert_eq!(viewers.first(), Some(&Viewer::Seat(Seat::Gm)), "the gamemaster sits first");
        for event in here.events {
            written(event);
            let gm = G::event(rules, state, event, Viewer::Seat(Seat::Gm)).unwrap_or_default();
            for &who in &viewers {
                let text = G::event(rules, state, event, who);
                if who.is_gm() {
                    let why = text.as_ref().and_then(|text| text.clause);
                    assert!(why.is_some(), "the gamemaster is not told why: {event:?}");
                }
                if let Some(text) = text {
                    clear::<G>(&text, &format!("{event:?} for {who}"));
                    tells_all::<G>(rules, event, &text.text, &gm.text);
                }
            }
        }
        if let Open::Roll(roll) = here.session.open() {
            for &who in &viewers {
                clear::<G>(&G::roll_told(rules, state, who), &format!("{roll:?} for {who}"));
            }
        }
        for (_, slot, ask) in here.session.asks() {
            written(ask);
            let kind = G::kind(&ask.prompt);
            assert!(kinds.contains(&kind), "not among the kinds: {kind}");
            for &who in &viewers {
                clear::<G>(&G::ask(rules, state, slot, who), &format!("{ask:?} for {who}"));
            }
            let asked = viewers
                .iter()
                .find(|who| matches!(who, Viewer::Seat(seat) if ask.who.seats().contains(*seat)));
            let who = asked.copied().unwrap_or(Viewer::Seat(Seat::Gm));
            G::legal(rules, state, slot, &mut |answer| {
                let text = <G as Words>::answer(rules, state, slot, &answer, who);
                clear::<G>(&text, &format!("{answer:?} for {who}"));
                if text.free.is_some() {
                    free::<G>(here.session, slot, &answer, text);
                }
            });
        }
        for &who in &viewers {
            written(&G::view(rules, state, who));
            for card in G::cards(rules, state, who) {
                assert!(!card.title.trim().is_empty(), "a card without a title: {card:?}");
                for clause in card.tags.iter().filter_map(|tag| tag.clause) {
                    known::<G>(clause, &card.title);
                }
            }
        }
    });
}

fn clear<G: Words>(text: &Told, of: &str) {
    assert!(!text.text.trim().is_empty(), "no words for {of}");
    for text in [&text.text, &text.leads] {
        let bare = text.split('@').skip(1).any(|after| {
            let mut chars = after.chars();
            chars.next().is_some_and(char::is_alphabetic) && chars.next().is_some_and(|c| c.is_ascii_digit())
        });
        assert!(!bare, "a bare reference in {text:?}, said of {of}");
    }
    if let Some(clause) = text.clause {
        known::<G>(clause, of);
    }
}

/// An answer that allows a free label accepts one.
fn free<G: Words>(session: &Session<G>, slot: Slot, answer: &G::Answer, text: Told) {
    let names = G::names(session.rules());
    let listed = Listed { answer: json(names, answer), told: text, laid: None, needs_words: false };
    let own = match listed.in_own_words(OWN) {
        Ok(own) => own,
        Err(refused) => panic!("not to be worded otherwise: {}: {refused}", listed.answer),
    };
    let read = names.read(&own).ok().and_then(|own| serde_json::from_str::<G::Answer>(&own).ok());
    let checked = read.map(|read| G::check(session.rules(), session.state(), slot, read));
    match checked {
        Some(Ok(_)) => {}
        Some(Err(refused)) => panic!("worded otherwise and refused: {own}: {refused}"),
        None => panic!("worded otherwise and not read back: {own}"),
    }
}

fn known<G: Words>(clause: Clause, of: &str) {
    assert!(G::rulebook().find(clause.id()).is_some(), "no such clause: {clause}, named for {of}");
}

/// A sentence contains every field that the game lists for its kind of event, as these are
/// sent as data to the sentence's readers. Names are sent only if the gamemaster reads the same
/// sentence, and they are the names that answers use.
fn tells_all<G: Words>(rules: &G::Rules, event: &G::Event, sentence: &str, gm: &str) {
    let event = json(G::names(rules), event);
    let event: Value = serde_json::from_str(&event).unwrap_or_default();
    let telling = if sentence == gm { Telling::Same(sentence) } else { Telling::Own(sentence) };
    let Some(sent) = said(G::said(), &event, telling) else { return };
    let slug = format!("-{}-", Names::slug_of(sentence));
    let calls = |value: &Value| {
        value
            .as_str()
            .and_then(|name| name.strip_prefix('@'))
            .is_some_and(|name| slug.contains(&format!("-{name}-")))
    };
    let Some((kind, held)) = event.as_object().and_then(|all| all.iter().next()) else { return };
    let of_one = Map::from_iter([("_".to_owned(), held.clone())]);
    for (field, value) in held.as_object().unwrap_or(&of_one) {
        let named = value.to_string().contains("\"@");
        let is_open = !named || sentence == gm && calls(value);
        if !is_open || value.is_null() || *value == json!([]) || !tells(G::said(), kind, field) {
            continue;
        }
        let sent = if field == "_" { &sent[kind] } else { &sent[kind][field] };
        assert_eq!(sent, value, "{sentence:?} does not tell {field:?} of {event}");
    }
}

fn written(value: &impl serde::Serialize) {
    if let Err(e) = serde_json::to_writer(std::io::sink(), value) {
        panic!("cannot be written as JSON: {e}");
    }
}
