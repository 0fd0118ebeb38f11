//! Parts of listed answers.

use crate::{Effort, walk::walks};
use fracas_kernel::{AnyTable, Part, Seat, Setup, Viewer, Words};
use std::collections::HashMap;

/// Every listed answer has parts, as data beside its words, by which it is found.
///
/// Each of them has short words and stands in the order of [`fracas_kernel::PartKind`]. No two
/// answers of a list have the same parts. A part points only at what the answer refers to, or
/// at what its label calls by the title of a card that the viewer sees. What the viewer may not
/// know is in no part, as [`crate::secrecy`] and [`crate::fewer`] check.
///
/// # Panics
/// If that does not hold.
pub fn parts<G: Words>(setups: &[Setup], effort: Effort) {
    walks::<G>(setups, effort, |here| {
        let game: &dyn AnyTable = here.session;
        for ask in game.asks() {
            let seat = ask.who.seats().iter().next().unwrap_or(Seat::Gm);
            for who in [Viewer::Seat(seat), Viewer::Seat(Seat::Gm)] {
                let (listed, parts) = (game.legal(ask.id, who), game.parts(ask.id, who));
                assert_eq!(listed.len(), parts.len(), "not as many parts as answers: {ask:?}");
                let cards = game.cards(who);
                let mut all: HashMap<&[Part<String>], &str> = HashMap::new();
                for (answer, parts) in listed.iter().map(|listed| listed.answer.as_str()).zip(&parts) {
                    assert!(!parts.is_empty(), "made of nothing: {answer}");
                    let in_order = parts.is_sorted_by_key(|part| part.kind);
                    assert!(in_order, "not in the order in which people choose: {answer}: {parts:?}");
                    for part in parts {
                        let letters = part.label.chars().count();
                        let fits = !part.label.trim().is_empty() && letters <= Part::MOST;
                        assert!(fits, "a label of {letters} letters: {:?} of {answer}", part.label);
                        for thing in &part.things {
                            let is_about = answer.contains(&format!("\"@{thing}\""));
                            let is_called_so =
                                || cards.iter().any(|card| card.id == *thing && card.title == part.label);
                            assert!(
                                is_about || is_called_so(),
                                "points at what the answer is not about: {answer}: {thing}"
                            );
                        }
                    }
                    if let Some(other) = all.insert(parts, answer) {
                        panic!("{answer} and {other} are made of the same parts: {parts:?}");
                    }
                }
            }
        }
    });
}
