//! What an encounter says about itself, for people: no rule reads it.

use crate::Fields;

/// What an encounter says about itself. Everybody at its table reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// A sentence or two for lists of encounters; may be empty.
    pub summary: String,
    /// The words that open play, read aloud; may be empty.
    pub opening: String,
    /// A line of words for the picture of its place; may be empty.
    pub picture: String,
    /// How long it takes to play, in minutes.
    pub minutes: Option<u16>,
}

impl About {
    /// The field with a line of words for a picture.
    pub const PICTURE: &str = "picture";

    /// Of an encounter as JSON. What is of a wrong type is as good as absent.
    pub fn of(encounter: &serde_json::Value) -> About {
        let text = |name| encounter.get(name).and_then(|text| text.as_str()).unwrap_or_default().to_owned();
        let minutes = encounter.get("minutes").and_then(serde_json::Value::as_u64);
        About {
            summary: text("summary"),
            opening: text("opening").split_whitespace().collect::<Vec<_>>().join(" "),
            picture: text(About::PICTURE),
            minutes: minutes.and_then(|minutes| u16::try_from(minutes).ok()),
        }
    }

    /// Reads the fields of an encounter for their faults.
    pub(crate) fn check(top: &Fields<'_>) {
        for text in ["game", "summary", "note", "opening", About::PICTURE] {
            top.text(text);
        }
        top.int("minutes", 1..=1_440);
    }

    /// The words that open play, or else the summary; `None` where there is neither.
    pub fn begins(&self) -> Option<&str> {
        [&self.opening, &self.summary].into_iter().find(|text| !text.is_empty()).map(String::as_str)
    }
}
