//! Explains words that match no answer: the nearest answers, and why others are refused.

use super::Sitting;
use crate::screen::{FAINT, KEY, Text};
use crate::stop::Ended;
use fracas_face::menu::{Choice, Menu, Near, Row, alike, references, words_of};
use fracas_kernel::{AskId, Refused, Seat, Viewer};
use fracas_table::PlayError;

/// The most near answers that are shown.
const SHOWN: usize = 3;
/// The most answers that are tried to find a reason.
const TRIED: usize = 60;

/// An unlisted answer, made by putting a name from the typed words into a listed one.
enum MadeUp {
    /// The answer is allowed.
    Allowed(String),
    /// The answer is refused.
    Refused(Refused),
}

impl Sitting<'_> {
    /// Refuses words that match no answer. Shows why an answer with the names in them is refused,
    /// and the nearest answers.
    pub(super) fn unknown(&mut self, typed: &str, near: &Near, id: AskId, seat: Seat) -> Ended {
        let Some(menu) = self.listing.as_ref().map(|listing| listing.menu.clone()) else { return Ok(()) };
        let choices: Vec<&Choice> = near.answers.iter().filter_map(|&at| menu.choice(at)).collect();
        let ended = match self.made_up(&menu, near, id, seat) {
            Some(MadeUp::Refused(why)) => self.refused(PlayError::Refused(why)),
            Some(MadeUp::Allowed(json)) => {
                self.refuse(&format!("no answer listed reads {typed:?}; as JSON this may be given: {json}"))
            }
            None if choices.is_empty() => self.refuse(&format!(
                "no answer here reads {typed:?}: type a number, or words of an answer in the list"
            )),
            None => self.refuse(&format!("no answer here reads {typed:?}")),
        };
        if choices.is_empty() {
            return ended;
        }
        self.screen.tell(FAINT, "Near to it:")?;
        let rows = menu.rows();
        for &at in near.answers.iter().take(SHOWN) {
            let row = rows.iter().position(|row| *row == Row::One(at));
            let number = row.map_or_else(String::new, |row| (row + 1).to_string());
            let text = menu.choice(at).map_or_else(String::new, |choice| choice.listed.told.text.clone());
            self.screen.hang(&Text::of(KEY, format!("{number:>2}  ")), 4, &Text::plain(text))?;
        }
        if choices.len() > SHOWN {
            self.screen.tell(FAINT, &format!("and {} more", choices.len() - SHOWN))?;
        }
        ended
    }

    /// Tries the nearest answers with other names from these words. Gives the result with the
    /// fewest reasons against it.
    fn made_up(&self, menu: &Menu, near: &Near, id: AskId, seat: Seat) -> Option<MadeUp> {
        let game = self.start.table.game();
        let cards = game.cards(Viewer::Seat(self.sitter(seat)));
        let on_table = cards.iter().map(|card| (card.id.as_str(), format!("{} {}", card.title, card.id)));
        let listed = menu.references();
        let in_answers = listed.iter().map(|slug| (slug.as_str(), slug.clone()));
        let named = |called: &str| {
            words_of(&called.replace('-', " ")).any(|own| near.odd.iter().any(|word| alike(&own, word)))
        };
        let mut meant: Vec<&str> = Vec::new();
        for (slug, called) in on_table.chain(in_answers) {
            if !slug.is_empty() && named(&called) && !meant.contains(&slug) {
                meant.push(slug);
            }
        }
        let near = near.answers.iter().filter_map(|&at| menu.choice(at));
        let made = near.flat_map(|choice| {
            let answer = choice.listed.answer.as_str();
            let meant = &meant;
            references(answer).flat_map(move |old| {
                meant.iter().map(move |new| answer.replace(&format!("\"@{old}\""), &format!("\"@{new}\"")))
            })
        });
        let mut least: Option<Refused> = None;
        for json in made.filter(|json| !menu.lists(json)).take(TRIED) {
            match game.check(seat, id, &json) {
                Ok(()) => return Some(MadeUp::Allowed(json)),
                Err(why) => {
                    let by_rule = why.reasons.iter().any(|reason| reason.clause.is_some());
                    if by_rule && least.as_ref().is_none_or(|least| why.reasons.len() < least.reasons.len()) {
                        least = Some(why);
                    }
                }
            }
        }
        least.map(MadeUp::Refused)
    }
}
