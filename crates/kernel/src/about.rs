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

/// What the gamemaster of an encounter has prepared beside the rules. Nobody else reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    /// Sentences to say to everybody: "The steps are wet: save with Mind."
    pub calls: Vec<String>,
    /// What is counted.
    pub tallies: Vec<Tally>,
}

/// Something that the gamemaster counts beside play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// What is counted: "Levies down".
    pub what: String,
    /// The number at which something comes of it, from 1 to 99.
    pub to: u16,
    /// What comes of it; may be empty.
    pub then: String,
}

impl Prepared {
    /// The most calls of an encounter.
    pub const MOST_CALLS: usize = 12;
    /// The most tallies of an encounter.
    pub const MOST_TALLIES: usize = 6;
    /// The most letters of a call.
    pub const LONGEST_CALL: usize = 400;

    /// Of an encounter as JSON. What is of a wrong type is as good as absent.
    pub fn of(encounter: &Value) -> Prepared {
        // A list of one may be written without brackets.
        let list = |name: &str| match encounter.get(name) {
            Some(Value::Array(all)) => all.iter().collect(),
            other => other.into_iter().collect::<Vec<_>>(),
        };
        let text = |entry: &Value, field: &str| entry.get(field)?.as_str().map(str::to_owned);
        let tally = |entry: &Value| {
            let to = entry.get("to").and_then(Value::as_u64).and_then(|to| u16::try_from(to).ok())?;
            Some(Tally { what: text(entry, "what")?, to, then: text(entry, "then").unwrap_or_default() })
        };
        let calls = list("calls").into_iter().filter_map(|call| call.as_str().map(str::to_owned));
        Prepared {
            calls: calls.take(Prepared::MOST_CALLS).collect(),
            tallies: list("tally").into_iter().filter_map(tally).take(Prepared::MOST_TALLIES).collect(),
        }
    }

    /// Reads the fields of an encounter for their faults.
    pub(crate) fn check(top: &Fields<'_>) {
        let calls = top.texts("calls");
        if calls.len() > Prepared::MOST_CALLS {
            top.fault_in("calls", format!("at most {} calls", Prepared::MOST_CALLS));
        }
        if calls.iter().any(|call| call.trim().is_empty() || call.chars().count() > Prepared::LONGEST_CALL) {
            top.fault_in("calls", format!("each call has 1 to {} letters", Prepared::LONGEST_CALL));
        }
        let tallies = top.tables("tally");
        if tallies.len() > Prepared::MOST_TALLIES {
            top.fault_in("tally", format!("at most {} things to count", Prepared::MOST_TALLIES));
        }
        for fields in tallies {
            fields.must_text("what");
            fields.must("to", "a whole number from 1 to 99");
            fields.int("to", 1..=99);
            fields.text("then");
            fields.done();
        }
    }
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
    fn what_is_prepared_is_read_and_what_is_wrong_in_it_is_told() {
        let toml = "calls = [\"Wet steps.\", 3, \" \"]\n[[tally]]\nwhat = \"Levies down\"\nto = 2\nthen = \"they talk\"\n\
                    [[tally]]\nto = 100\nof = 1\n";
        let document = crate::Document::toml("x", toml).expect("TOML");
        let lone = Prepared::of(&json!({ "calls": "A bell rings." }));
        assert_eq!(lone.calls, ["A bell rings."]);
        let levies = Tally { what: "Levies down".to_owned(), to: 2, then: "they talk".to_owned() };
        let read = Prepared { calls: vec!["Wet steps.".to_owned(), " ".to_owned()], tallies: vec![levies] };
        assert_eq!(Prepared::of(&document.to_json()), read);
        let faults = crate::Faulty::new();
        Prepared::check(&document.fields(&faults));
        let told: Vec<String> =
            faults.or(()).expect_err("faults").0.iter().map(|fault| fault.to_string()).collect();
        for (field, why) in [
            ("calls", "whole number"),
            ("tally[2]", "`what` is missing"),
            ("tally[2].to", "99"),
            ("tally[2].of", "no such"),
            ("calls", "letters"),
        ] {
            assert!(
                told.iter().any(|fault| fault.contains(field) && fault.contains(why)),
                "{field}: {told:?}"
            );
        }
    }

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
