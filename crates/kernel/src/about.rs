//! What an encounter says about itself, for people: no rule reads it.

use crate::{Fields, PORTRAIT, Picture};
use serde_json::Value;
use std::collections::BTreeMap;

/// What an encounter says about itself. Everybody at its table reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// A sentence or two for lists of encounters; may be empty.
    pub summary: String,
    /// The words that open play, read aloud; may be empty.
    pub opening: String,
    /// A line of words for the picture of its place; may be empty.
    pub picture: String,
    /// The id of a picture of its place, which a server keeps and shows instead.
    pub cover: Option<String>,
    /// How long it takes to play, in minutes.
    pub minutes: Option<u16>,
}

/// The portraits of the players' characters of an encounter, by name: the id of each, as they have it there or
/// in the library that they come from. Nobody else has one: a newcomer with the name of a hidden person would
/// have that person's face.
pub fn portraits(encounter: &Value, library: &[&Value]) -> BTreeMap<String, String> {
    let text = |entry: &Value, field: &str| entry.get(field)?.as_str().map(str::to_owned);
    let mut all = BTreeMap::new();
    for entry in characters(encounter) {
        let used = text(entry, "use");
        let Some(name) = text(entry, "name").or_else(|| used.clone()) else { continue };
        let is_used = |entry: &&Value| used.is_some() && text(entry, "name") == used;
        let mut theirs = library.iter().flat_map(|document| characters(document)).filter(is_used);
        let id = text(entry, PORTRAIT).or_else(|| theirs.find_map(|entry| text(entry, PORTRAIT)));
        if let Some(id) = id.filter(|id| Picture::is_id(id)) {
            all.entry(name).or_insert(id);
        }
    }
    all
}

fn characters(document: &Value) -> impl Iterator<Item = &Value> {
    document.get("character").and_then(Value::as_array).into_iter().flatten()
}

impl About {
    /// The field with a line of words for a picture.
    pub const PICTURE: &str = "picture";
    /// The field with the id of a picture.
    pub const COVER: &str = "cover";

    /// Of an encounter as JSON. What is of a wrong type is as good as absent.
    pub fn of(encounter: &Value) -> About {
        let text = |name| encounter.get(name).and_then(|text| text.as_str()).unwrap_or_default().to_owned();
        let minutes = encounter.get("minutes").and_then(Value::as_u64);
        About {
            summary: text("summary"),
            opening: text("opening").split_whitespace().collect::<Vec<_>>().join(" "),
            picture: text(About::PICTURE),
            cover: Some(text(About::COVER)).filter(|id| Picture::is_id(id)),
            minutes: minutes.and_then(|minutes| u16::try_from(minutes).ok()),
        }
    }

    /// Reads the fields of an encounter for their faults.
    pub(crate) fn check(top: &Fields<'_>) {
        for text in ["game", "summary", "note", "opening", About::PICTURE] {
            top.text(text);
        }
        top.picture(About::COVER);
        top.int("minutes", 1..=1_440);
    }

    /// The words that open play, or else the summary; `None` where there is neither.
    pub fn begins(&self) -> Option<&str> {
        [&self.opening, &self.summary].into_iter().find(|text| !text.is_empty()).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_players_characters_have_portraits_their_own_or_of_their_library() {
        let [a, b] = ["a", "b"].map(|digit| digit.repeat(64));
        let encounter = json!({
            "character": [
                { "name": "Ana", "portrait": a }, { "use": "Bo" }, { "name": "Cy", "use": "Bo", "portrait": a },
                { "name": "Ana", "portrait": b }, { "name": "Di", "portrait": "../x" }, { "name": "Bo 2" },
            ],
            "npc": [{ "name": "Count", "portrait": a }],
        });
        let library =
            json!({ "character": [{ "name": "Bo", "portrait": b }, { "name": "Di", "portrait": b }] });
        let found = portraits(&encounter, &[&json!({}), &library]);
        let expected = [("Ana", &a), ("Bo", &b), ("Cy", &a)].map(|(name, id)| (name.to_owned(), id.clone()));
        assert_eq!(found, BTreeMap::from(expected));
    }
}
