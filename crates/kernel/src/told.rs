//! Words for people: sentences and cards that any face can show.

use crate::Clause;
use serde::Serialize;
use std::fmt::Display;

/// Something said, with the clause behind it and what it leads to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Told {
    /// One sentence or label, without a final full stop where it is a label.
    pub text: String,
    /// The consequences, as far as the viewer may know; empty if there are none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub leads: String,
    /// Why: the clause behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
    /// A story begins a new paragraph here: a turn, a round.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub opens: bool,
    /// Of an event: nothing but a step of the viewer's own, see [`crate::Game::retraces`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub step: bool,
    /// Of an event: how something came about (dice, terms, counts), not what happened. A story
    /// folds it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub working: bool,
    /// Of an answer: where it has a [`crate::Label`] that the player may word
    /// otherwise, as a JSON pointer (`/build/called`). The listed label is the
    /// game's proposal; see [`crate::Listed::in_own_words`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<&'static str>,
}

impl Told {
    /// Just text.
    pub fn new(text: impl Into<String>) -> Self {
        Told { text: text.into(), ..Told::default() }
    }

    /// The same, naming the clause behind it.
    #[must_use]
    pub fn why(mut self, clause: Clause) -> Self {
        self.clause = Some(clause);
        self
    }

    /// The same, as nothing but a step of the viewer's own.
    #[must_use]
    pub fn step(mut self) -> Self {
        self.step = true;
        self
    }

    /// The same, as how something came about.
    #[must_use]
    pub fn working(mut self) -> Self {
        self.working = true;
        self
    }

    /// The same, saying what it leads to.
    #[must_use]
    pub fn leads(mut self, leads: impl Into<String>) -> Self {
        self.leads = leads.into();
        self
    }

    /// The same, with a capital to begin with.
    #[must_use]
    pub fn begun(mut self) -> Self {
        if let Some(first) = self.text.chars().next().filter(|first| first.is_lowercase()) {
            let begun = first.to_uppercase().collect::<String>();
            self.text.replace_range(..first.len_utf8(), &begun);
        }
        self
    }

    /// The same, saying where in the answer a label may be worded otherwise.
    #[must_use]
    pub fn free(mut self, place: &'static str) -> Self {
        self.free = Some(place);
        self
    }
}

/// A name as it stands amid a sentence: with a small article, as in `the Gatewarden`.
pub fn amid(name: &str) -> String {
    match name.split_once(' ') {
        Some((article @ ("The" | "A" | "An"), rest)) => format!("{} {rest}", article.to_lowercase()),
        _ => name.to_owned(),
    }
}

/// A character, a scene or a thing on the table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Card {
    /// The slug other things refer to it by; empty for the scene.
    pub id: String,
    /// The name of the subject.
    pub title: String,
    /// A few words beside the title.
    pub note: String,
    /// Where it belongs: "your side", "theirs", "scene".
    pub group: String,
    /// Numbers with a limit, drawn as pips or bars.
    pub meters: Vec<Meter>,
    /// Statuses.
    pub tags: Vec<Tag>,
    /// Everything else.
    pub rows: Vec<Row>,
}

impl Card {
    /// Whether it is of somebody or something, and neither the scene nor a text.
    pub fn is_somebody(&self) -> bool {
        !self.id.is_empty() && !["", "scene", "gamemaster"].contains(&self.group.as_str())
    }
}

/// How it ended, as one viewer may know it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Ending {
    /// Who still stands.
    pub standing: Vec<Fared>,
    /// Who does not.
    pub fallen: Vec<Fared>,
    /// Things that lie about or were lost, in words.
    pub lying: Vec<String>,
    /// Which side won, as a sentence, where the game says so itself; see [`Ending::result`].
    pub won: Option<String>,
    /// What those who have fallen are called together, where they are not out: "Who lost".
    pub beaten: Option<&'static str>,
}

/// How somebody came out of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fared {
    /// The name of the character.
    pub name: String,
    /// A lasting result: "surrendered", "afflicted"; empty if there is none.
    pub how: String,
    /// Where their card stands: "your side", "theirs".
    pub side: String,
}

impl Ending {
    /// Everybody of the cards, with the statuses of theirs that last; these have `fallen`.
    pub fn of(cards: &[Card], fallen: impl Fn(&Card) -> bool) -> Ending {
        let mut ending = Ending::default();
        for card in cards.iter().filter(|card| card.is_somebody()) {
            let lasting = card.tags.iter().filter(|tag| tag.shape == TagShape::Lasting);
            let how: Vec<&str> = lasting.map(|tag| tag.text.as_str()).collect();
            let fared = Fared { name: card.title.clone(), how: how.join(", "), side: card.group.clone() };
            if fallen(card) { ending.fallen.push(fared) } else { ending.standing.push(fared) }
        }
        ending
    }

    /// How it came out, in a sentence: in the game's own words, else which side is left.
    pub fn result(&self) -> Option<&str> {
        self.won.as_deref().or_else(|| self.left())
    }

    /// Which side is left, where of two sides one has somebody who fell and nobody who
    /// stands.
    pub fn left(&self) -> Option<&'static str> {
        let has = |all: &[Fared], side: &str| all.iter().any(|fared| fared.side == side);
        let (ours, theirs) = ("your side", "theirs");
        if self.standing.iter().any(|fared| ![ours, theirs].contains(&fared.side.as_str())) {
            return None;
        }
        let beaten = |side: &str| has(&self.fallen, side) && !has(&self.standing, side);
        match (beaten(ours), beaten(theirs)) {
            (false, true) => {
                has(&self.standing, ours).then_some("Your side stands, and nobody of theirs does.")
            }
            (true, false) => Some("Nobody of your side stands."),
            (true, true) => Some("Nobody stands on either side."),
            (false, false) => None,
        }
    }
}

/// A number with a limit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Meter {
    /// The name of the count.
    pub label: String,
    /// How much there is.
    pub value: u32,
    /// The most there can be.
    pub most: u32,
    /// From here on it is serious.
    pub alarm: Option<u32>,
}

/// How a status is drawn, so that colour is never the only sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TagShape {
    /// Short-lived: a dashed edge.
    Passing,
    /// Lasting: filled.
    Lasting,
    /// A plain fact.
    Plain,
}

/// A status with its rule a click away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Tag {
    /// The status in one or two words.
    pub text: String,
    /// How it is drawn.
    pub shape: TagShape,
    /// The rule behind it.
    pub clause: Option<Clause>,
}

/// A line of a sheet.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Row {
    /// The name of the value.
    pub label: String,
    /// The value.
    pub value: String,
    /// Which part of a sheet it belongs to.
    pub part: SheetPart,
    /// The same value in pieces, in the order of `value`; empty where it is a text.
    pub cells: Vec<Cell>,
}

/// The parts of a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SheetPart {
    /// Other facts.
    #[default]
    About,
    /// Numbers that a character rolls with: attributes, skills, combat values.
    Numbers,
    /// Abilities, spells and feats.
    Abilities,
    /// Things that a character has.
    Things,
}

/// A piece of a row: a number, an ability or a thing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Cell {
    /// Its name: "arm", "Hookblade".
    pub label: String,
    /// The number, or what it does: "2", "bold against shielded".
    pub value: String,
    /// The highest that a number can be, where that is few enough to count; else 0.
    pub most: u32,
}

impl Row {
    /// A text.
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Row {
        Row { label: label.into(), value: value.into(), ..Row::default() }
    }

    /// Numbers beside each other: "arm 2, feet 1".
    pub fn numbers(label: impl Into<String>, cells: Vec<Cell>) -> Row {
        let words = cells.iter().map(|cell| format!("{} {}", cell.label, cell.value));
        let value = words.collect::<Vec<_>>().join(", ");
        Row { label: label.into(), value, part: SheetPart::Numbers, cells }
    }

    /// The same row in one piece, in this part of a sheet.
    pub fn piece(self, part: SheetPart, cell: Cell) -> Row {
        Row { part, cells: vec![cell], ..self }
    }

    /// Abilities or things, and what they do: "Hookblade (bold against shielded), Quilted Coat". Abilities stand
    /// apart by semicolons, for what they do may have commas.
    pub fn list(part: SheetPart, label: impl Into<String>, cells: Vec<Cell>) -> Row {
        let words = cells.iter().map(|cell| match cell.value.is_empty() {
            true => cell.label.clone(),
            false => format!("{} ({})", cell.label, cell.value),
        });
        let apart = if part == SheetPart::Abilities { "; " } else { ", " };
        let value = words.collect::<Vec<_>>().join(apart);
        Row { label: label.into(), value, part, cells }
    }
}

impl Cell {
    /// A number, or an ability or thing and what it does.
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Cell {
        Cell { label: label.into(), value: value.into(), most: 0 }
    }

    /// A number that is at most `most`.
    pub fn of(label: impl Into<String>, value: impl Display, most: u32) -> Cell {
        Cell { label: label.into(), value: value.to_string(), most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_are_small_amid_a_sentence_and_a_sentence_begins_with_a_capital() {
        for (name, small) in
            [("The Gatewarden", "the Gatewarden"), ("A guest", "a guest"), ("Theo", "Theo"), ("A", "A")]
        {
            assert_eq!(amid(name), small);
        }
        for (text, begun) in
            [("the injury heals.", "The injury heals."), ("\"Quick\" helps.", "\"Quick\" helps."), ("", "")]
        {
            assert_eq!(Told::new(text).begun().text, begun);
        }
    }
}
