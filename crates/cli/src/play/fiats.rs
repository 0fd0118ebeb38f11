//! Fiats in words: `risk tamsin 4` for `{"risk":{"who":"@tamsin","risk":4}}`.

use fracas_kernel::form::{Field, Form, Pick, Takes};
use fracas_kernel::{Names, Refused};
use serde_json::Value;

/// Up to this many picks, [`usage`] names each.
const NAMED: usize = 4;

/// How a form is typed: `risk WHOSE 0-12`.
pub(crate) fn usage(form: &Form) -> String {
    let mut words = vec![form.id.to_owned()];
    words.extend(form.fields.iter().filter(|field| is_typed(field)).map(|field| {
        let takes = match &field.takes {
            Takes::One { picks } if is_yes(picks) => "yes|no".to_owned(),
            Takes::One { picks } if picks.len() <= NAMED => {
                picks.iter().map(typed).collect::<Vec<_>>().join("|")
            }
            Takes::Number { least, most } => format!("{least}-{most}"),
            Takes::Text { example } if example.contains(' ') => format!("\"{example}\""),
            Takes::Text { example } => (*example).to_owned(),
            Takes::Many { .. } => format!("{},...", loud(field.label)),
            Takes::Numbers { .. } => format!("{},...", loud(field.label)),
            _ => loud(field.label),
        };
        if field.blank.is_some() { format!("[{takes}]") } else { takes }
    }));
    words.join(" ")
}

/// What the words of [`usage`] mean that do not say it: `secret-tiko: the bribe`.
pub(crate) fn meanings(form: &Form) -> Vec<String> {
    let named = form.fields.iter().filter_map(|field| match &field.takes {
        Takes::One { picks } if picks.len() <= NAMED && !is_yes(picks) => Some(picks),
        _ => None,
    });
    let says = |pick: &&Pick| Names::slug_of(&pick.words).contains(&Names::slug_of(&typed(pick)));
    let unsaid = named
        .flatten()
        .filter(|pick| pick.value.as_str().is_some_and(|text| text.starts_with('@')) && !says(pick));
    unsaid.map(|pick| format!("{}: {}", typed(pick), pick.words)).collect()
}

/// A label as a placeholder, in capitals.
fn loud(label: &str) -> String {
    Names::slug_of(label).to_uppercase()
}

/// Whether a field can be typed as words; a table needs JSON.
fn is_typed(field: &Field) -> bool {
    !matches!(field.takes, Takes::Table { .. })
}

fn is_yes(picks: &[Pick]) -> bool {
    picks.iter().all(|pick| pick.value.is_boolean())
}

/// The words to type for a pick: its name without `@`, or its description.
fn typed(pick: &Pick) -> String {
    match &pick.value {
        Value::String(text) => text.trim_start_matches('@').to_owned(),
        Value::Object(parts) => parts.values().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        _ => Names::slug_of(&pick.words),
    }
}

/// The pick that the words begin with, and how many words it uses.
fn pick<'p>(picks: &'p [Pick], words: &[String]) -> Option<(&'p Pick, usize)> {
    let first = words.first()?;
    if is_yes(picks) {
        let wanted = match first.to_lowercase().as_str() {
            "yes" | "on" | "true" => true,
            "no" | "off" | "false" => false,
            _ => return None,
        };
        return picks.iter().find(|pick| pick.value == wanted).map(|pick| (pick, 1));
    }
    let many = |pick: &Pick| typed(pick).split(' ').count();
    let said = |n: usize| words.get(..n).map(|words| words.join(" "));
    let exact = picks
        .iter()
        .find(|pick| said(many(pick)).is_some_and(|said| said.trim_start_matches('@') == typed(pick)));
    if let Some(exact) = exact {
        return Some((exact, many(exact)));
    }
    let slug = Names::slug_of(first.trim_start_matches('@'));
    let begins =
        |pick: &&Pick| typed(pick).starts_with(&slug) || Names::slug_of(&pick.words).starts_with(&slug);
    let mut like = picks.iter().filter(|pick| !slug.is_empty() && begins(pick));
    match (like.next(), like.next()) {
        (Some(only), None) => Some((only, 1)),
        _ => None,
    }
}

/// Splits text into words; text in quotation marks is one word.
fn words(typed: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (at, part) in typed.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The JSON of a fiat that was typed in words.
///
/// # Errors
/// If no form has that name, or a field is missing or invalid.
pub(crate) fn find(forms: &[Form], said: &str) -> Result<String, Refused> {
    let words = words(said);
    let (id, mut rest) = words.split_first().map_or(("", &[][..]), |(id, rest)| (id.as_str(), rest));
    let Some(form) = forms.iter().find(|form| form.id == id) else {
        return Err(Refused::form(format!("there is no fiat called {id:?} now; fiat help lists them")));
    };
    let mut sent: Vec<(&str, String)> = Vec::new();
    for field in form.fields.iter().filter(|field| is_typed(field)) {
        let Some(first) = rest.first() else { break };
        let took = match &field.takes {
            Takes::One { picks } => match pick(picks, rest) {
                Some((pick, many)) => {
                    sent.push((field.name(), pick.sent()));
                    many
                }
                None if field.blank.is_some() => 0,
                None => {
                    sent.push((field.name(), first.clone()));
                    1
                }
            },
            Takes::Many { picks } => {
                let each: Vec<String> = first.split(',').map(str::to_owned).collect();
                let picked: Option<Vec<&Pick>> =
                    each.iter().map(|word| Some(pick(picks, std::slice::from_ref(word))?.0)).collect();
                match picked {
                    Some(picked) => sent.extend(picked.iter().map(|pick| (field.name(), pick.sent()))),
                    None if field.blank.is_some() => {}
                    None => sent.push((field.name(), first.clone())),
                }
                usize::from(sent.last().is_some_and(|(name, _)| *name == field.name()))
            }
            Takes::Number { .. } if field.blank.is_some() && first.parse::<u32>().is_err() => 0,
            _ => {
                sent.push((field.name(), first.clone()));
                1
            }
        };
        rest = &rest[took..];
    }
    if !rest.is_empty() {
        return Err(Refused::form(format!("{:?} has no place in it: {}", rest.join(" "), usage(form))));
    }
    let given =
        |name: &str| sent.iter().filter(|(n, _)| *n == name).map(|(_, value)| value.as_str()).collect();
    form.fill(given).map_err(|mut refused| {
        refused.reasons.extend(Refused::form(format!("type fiat {}", usage(form))).reasons);
        refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms() -> Vec<Form> {
        let people = || {
            vec![
                Pick::new("@ana-bell", "Ana Bell (risk 2)"),
                Pick::new("@anders", "Anders"),
                Pick::new("@bo", "Bo"),
            ]
        };
        let options = ["one", "two"]
            .map(|value| Pick::new(serde_json::json!({ "id": "order", "value": value }), value));
        vec![
            Form::new("risk", "Set risk").with(Field::one("who", "Whose", people())).with(Field::number(
                "risk",
                "Risk",
                0..=12,
            )),
            Form::new("strike", "Strike")
                .with(Field::one("on", "On", people()))
                .with(Field::one("by", "By", people()).or("nobody"))
                .with(
                    Field::many("threats", "Threats", Pick::words(&[("weaken", ()), ("disarm", ())]))
                        .or("none"),
                )
                .with(Field::yes("hard", "Hard", "hard", "soft").or("soft")),
            Form::new("gain", "Gain")
                .with(Field::text("name", "Called", "Quick"))
                .with(Field::table("More", "x = 1").or("nothing")),
            Form::new("option", "Set").with(Field::one("", "So that", options.into())),
            Form::new("cancel", "Cancel"),
        ]
    }

    #[track_caller]
    fn means(typed: &str, json: &str) {
        let found = find(&forms(), typed).unwrap_or_else(|refused| panic!("{refused}"));
        let read = |json: &str| serde_json::from_str::<Value>(json).expect("JSON");
        assert_eq!(read(&found), read(json));
    }

    #[track_caller]
    fn refused(typed: &str, why: &str) {
        let refusal = find(&forms(), typed).expect_err("refused").to_string();
        assert!(refusal.contains(why), "{refusal}");
    }

    #[test]
    fn words_fill_a_form_in_order() {
        means("risk ana-bell 4", r#"{"risk":{"risk":4,"who":"@ana-bell"}}"#);
        means("risk @bo 0", r#"{"risk":{"risk":0,"who":"@bo"}}"#);
        means("risk \"Ana Bell\" 12", r#"{"risk":{"risk":12,"who":"@ana-bell"}}"#);
        means("strike bo", r#"{"strike":{"on":"@bo"}}"#);
        means("strike bo weaken,disarm", r#"{"strike":{"on":"@bo","threats":["weaken","disarm"]}}"#);
        means(
            "strike bo anders disarm yes",
            r#"{"strike":{"by":"@anders","hard":true,"on":"@bo","threats":["disarm"]}}"#,
        );
        means("gain \"Quick of hand\"", r#"{"gain":{"name":"Quick of hand"}}"#);
        means("option order two", r#"{"option":{"id":"order","value":"two"}}"#);
        means("cancel", r#""cancel""#);
    }

    #[test]
    fn a_name_that_says_nothing_is_told_with_its_meaning() {
        let secrets = vec![Pick::new("@secret-tiko", "a bribe (Ana)"), Pick::new("@bo", "Bo")];
        let form = Form::new("secret", "Reveal").with(Field::one("secret", "Which", secrets));
        assert_eq!(
            (usage(&form).as_str(), meanings(&form)),
            ("secret secret-tiko|bo", vec!["secret-tiko: a bribe (Ana)".to_owned()])
        );
        assert!(forms().iter().all(|form| meanings(form).is_empty()));
    }

    #[test]
    fn a_refusal_shows_what_is_possible() {
        refused("", "fiat help");
        refused("rain", "no fiat called \"rain\"");
        refused("risk", "type fiat risk ana-bell|anders|bo 0-12");
        refused("risk an 4", "no \"an\" to pick");
        refused("risk bo 99", "a number from 0 to 12");
        refused("risk bo 4 5", "\"5\" has no place");
        refused("cancel it", "no place in it: cancel");
    }
}
