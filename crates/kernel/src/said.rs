//! What happened, as data for somebody who was shown a sentence of it.
//!
//! One rule for every game: of an event goes out what its sentence says, and nothing else.
//! A game lists, kind by kind, the fields that each of its sentences tells ([`crate::Words::said`]);
//! of these go out whose value stands in the very sentence that this viewer was shown. So
//! what goes out is decided by what the viewer has read, and by nothing hidden from them:
//! where a sentence of the viewer's own calls something "somebody" or "something", no name goes
//! out at all. In a sentence that the gamemaster reads too these are ordinary words.

use crate::{Hidden, Names};
use serde_json::{Map, Value};

/// Kinds of events of which others than the gamemaster are sent data, and the fields that
/// every sentence of them tells: several with spaces between, a kind in one entry or in several.
/// The field of an event that is one value alone is `_`.
pub type Said = &'static [(&'static str, &'static str)];

/// A sentence that somebody was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Telling<'t> {
    /// The gamemaster was shown the same: it calls everything by its name.
    Same(&'t str),
    /// It was worded for them, and may call something "somebody".
    Own(&'t str),
}

/// Whether every sentence of this kind of event tells this field.
pub fn tells(told: Said, kind: &str, field: &str) -> bool {
    entries(told, kind).any(|fields| fields.split(' ').any(|of| of == field))
}

/// The fields that every sentence of this kind of event tells, entry by entry.
fn entries(told: Said, kind: &str) -> impl Iterator<Item = &'static str> {
    told.iter().filter(move |(kinds, _)| kinds.split(' ').any(|of| of == kind)).map(|(_, fields)| *fields)
}

/// The kind of an event, and what it holds.
fn parts(event: &Value) -> Option<(&String, Option<&Value>)> {
    match event {
        Value::String(kind) => Some((kind, None)),
        Value::Object(fields) if fields.len() == 1 => {
            fields.iter().next().map(|(kind, held)| (kind, Some(held)))
        }
        _ => None,
    }
}

/// Whether the sentences of an event (as the game writes it) tell of something hidden. They
/// are the viewer's own then, even where they read as the gamemaster's: a hidden thing may be
/// called "Somebody" in truth.
pub(crate) fn withholds(told: Said, event: &str, hidden: &Hidden) -> bool {
    if hidden.is_empty() {
        return false;
    }
    let event: Value = serde_json::from_str(event).unwrap_or_default();
    let Some((kind, Some(held))) = parts(&event) else { return false };
    let has_hidden =
        |value: &Value| Names::references(&value.to_string()).any(|(letter, n)| hidden.has(letter, n));
    match held {
        Value::Object(all) => all.iter().any(|(name, value)| tells(told, kind, name) && has_hidden(value)),
        value => tells(told, kind, "_") && has_hidden(value),
    }
}

/// The part of an event (as JSON with names) that goes to a viewer who was shown this sentence
/// of it; `None` if the game does not say that sentences tell such an event.
pub fn said(told: Said, event: &Value, telling: Telling<'_>) -> Option<Value> {
    let (kind, held) = parts(event)?;
    entries(told, kind).next()?;
    let is_told = |name: &str| tells(told, kind, name);
    let sentence = Sentence::new(telling);
    let held = match held {
        None => return Some(event.clone()),
        Some(Value::Object(all)) => {
            let of = all.iter().filter(|(name, _)| is_told(name));
            let said = of.filter_map(|(name, value)| Some((name.clone(), sentence.said(value)?)));
            Value::Object(said.collect())
        }
        Some(value) => is_told("_").then(|| sentence.said(value)).flatten().unwrap_or(Value::Null),
    };
    Some(Value::Object(Map::from_iter([(kind.clone(), held)])))
}

/// A sentence, to be searched.
struct Sentence {
    /// In small letters.
    text: String,
    /// As a name would be written, between hyphens; empty where a name is withheld in it.
    slug: String,
}

impl Sentence {
    fn new(telling: Telling<'_>) -> Sentence {
        let (Telling::Same(sentence) | Telling::Own(sentence)) = telling;
        let text = sentence.to_lowercase();
        let nameless = ["somebody", "something", "someone"].iter().any(|word| text.contains(word));
        let withheld = nameless && matches!(telling, Telling::Own(_));
        let slug = if withheld { String::new() } else { format!("-{}-", Names::slug_of(sentence)) };
        Sentence { text, slug }
    }

    /// A value, as far as the sentence says it.
    fn said(&self, value: &Value) -> Option<Value> {
        let is_said = match value {
            Value::String(text) => match text.strip_prefix('@') {
                Some(slug) => self.slug.contains(&format!("-{slug}-")),
                None => {
                    let word = text.to_lowercase();
                    !word.is_empty() && [word.replace('-', " "), word].iter().any(|it| self.text.contains(it))
                }
            },
            Value::Number(number) => {
                let figures = number.to_string();
                let mut numbers = self.text.split(|c: char| !c.is_ascii_digit());
                numbers.any(|it| it == figures.trim_start_matches('-'))
            }
            // Of several names some may be told; of other things all are, or none.
            Value::Array(all) if all.iter().all(|one| one.as_str().is_some_and(|it| it.starts_with('@'))) => {
                let said: Vec<Value> = all.iter().filter_map(|one| self.said(one)).collect();
                return (!said.is_empty()).then_some(Value::Array(said));
            }
            Value::Array(all) => {
                return all.iter().map(|one| self.said(one)).collect::<Option<_>>().map(Value::Array);
            }
            Value::Null | Value::Bool(_) | Value::Object(_) => false,
        };
        is_said.then(|| value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TOLD: Said = &[("attack", "by on arms"), ("risk", "who now"), ("peace", ""), ("fell out", "_")];

    #[test]
    fn of_lists_in_lists_no_more_goes_out_than_is_said() {
        let opened =
            Sentence::new(Telling::Own("Ana against Oren.")).said(&json!([["@ana", "@hidden"], ["@oren"]]));
        assert_eq!(opened, Some(json!([["@ana"], ["@oren"]])));
        assert_eq!(Sentence::new(Telling::Own("Ana rests.")).said(&json!([["@ana"], ["@hidden"]])), None);
    }

    #[test]
    fn something_is_a_name_only_in_words_of_the_viewers_own() {
        let asked = json!({ "attack": { "by": "@ana", "on": "@oren" } });
        let sentence = "Ana asks Oren for something.";
        assert_eq!(super::said(TOLD, &asked, Telling::Same(sentence)), Some(asked.clone()));
        let own = super::said(TOLD, &asked, Telling::Own(sentence));
        assert_eq!(own, Some(json!({ "attack": {} })));
    }

    #[test]
    fn what_is_hidden_in_a_told_field_is_withheld() {
        let hidden = Hidden::of([('c', 1)]);
        for (event, is) in [
            (r#"{"attack":{"by":["@c0","@c1"],"on":"@c2"}}"#, true),
            (r#"{"attack":{"by":["@c0"],"on":"@c2","seen_by":"@c1"}}"#, false),
            (r#"{"fell":"@c1"}"#, true),
            (r#"{"fell":"@c0"}"#, false),
            (r#"{"lurks":"@c1"}"#, false),
            (r#""peace""#, false),
        ] {
            assert_eq!(withholds(TOLD, event, &hidden), is, "{event}");
        }
    }

    /// To somebody who reads a sentence of their own.
    fn said(told: Said, event: &Value, sentence: &str) -> Option<Value> {
        super::said(told, event, Telling::Own(sentence))
    }

    #[test]
    fn what_the_sentence_says_goes_out_and_nothing_else() {
        let attack = json!({ "attack": { "by": ["@ana", "@gatewarden"], "on": "@oren", "arms": "two-handed", "cl": 6 } });
        for (sentence, out) in [
            (
                "Ana and the Gatewarden attack Oren, two handed.",
                json!({ "arms": "two-handed", "by": ["@ana", "@gatewarden"], "on": "@oren" }),
            ),
            ("Ana attacks Oren, 6.", json!({ "by": ["@ana"], "on": "@oren" })),
            ("Somebody attacks Oren, beside Ana.", json!({})),
            ("An attack.", json!({})),
        ] {
            assert_eq!(said(TOLD, &attack, sentence), Some(json!({ "attack": out })), "{sentence}");
        }
        let risk = json!({ "risk": { "who": "@oren", "now": 4, "was": 2, "by": null, "veiled": true } });
        assert_eq!(
            said(TOLD, &risk, "Oren's risk is 4, not 2."),
            Some(json!({ "risk": { "who": "@oren", "now": 4 } }))
        );
        assert_eq!(said(TOLD, &risk, "Orenda's risk is 14."), Some(json!({ "risk": {} })));
        assert_eq!(said(TOLD, &json!("peace"), "It is over."), Some(json!("peace")));
        assert_eq!(said(TOLD, &json!({ "out": "@oren" }), "Oren is out."), Some(json!({ "out": "@oren" })));
        assert_eq!(said(TOLD, &json!({ "out": "@oren" }), "Somebody is out."), Some(json!({ "out": null })));
        assert_eq!(
            said(TOLD, &json!({ "lurks": "@oren" }), "Oren lurks."),
            None,
            "a kind that is not listed"
        );
        assert_eq!(said(TOLD, &json!("lurks"), "Oren lurks."), None);
    }
}
