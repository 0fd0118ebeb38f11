//! Standing replies in words: `never-guard-from 4` for `{"never-guard-from":4}`.

use serde_json::Value;

/// A reply's name and its value.
fn parts(json: &str) -> Option<(String, Option<Value>)> {
    match serde_json::from_str(json).ok()? {
        Value::String(name) => Some((name, None)),
        Value::Object(map) if map.len() == 1 => {
            map.into_iter().next().map(|(name, value)| (name, Some(value)))
        }
        _ => None,
    }
}

/// A reply as it is typed.
pub(crate) fn words(json: &str) -> String {
    match parts(json) {
        Some((name, None)) => name,
        Some((name, Some(value @ (Value::Number(_) | Value::Bool(_))))) => format!("{name} {value}"),
        Some((name, Some(Value::String(value)))) => format!("{name} {value}"),
        _ => json.to_owned(),
    }
}

/// What a reply means, from the game's examples.
pub(crate) fn meaning(examples: &[(&str, &str)], json: &str) -> String {
    let Some((name, value)) = parts(json) else { return json.to_owned() };
    let like = examples.iter().find(|(other, _)| parts(other).is_some_and(|(other, _)| other == name));
    match (like, value) {
        (Some((_, meaning)), None) => (*meaning).to_owned(),
        (Some((_, meaning)), Some(value)) => format!("{meaning} ({value})"),
        (None, _) => words(json),
    }
}

/// The JSON of a reply that was typed as a number, as words or as JSON.
///
/// # Errors
/// If no reply matches, or it needs a number that is missing.
pub(crate) fn find(examples: &[(&str, &str)], typed: &str) -> Result<String, String> {
    if typed.starts_with(['{', '[', '"']) {
        return Ok(typed.to_owned());
    }
    if let Ok(n) = typed.parse::<usize>() {
        return match n.checked_sub(1).and_then(|n| examples.get(n)) {
            Some((json, _)) => Ok((*json).to_owned()),
            None => Err(format!("there is no standing reply {n}: standing lists them")),
        };
    }
    let mut said = pieces(typed);
    let number = said.last().and_then(|last| last.parse::<u64>().ok());
    if number.is_some() {
        said.pop();
    }
    // A number at the end selects the replies that take one.
    let known: Vec<(String, bool, &str, &str)> = examples
        .iter()
        .filter_map(|(json, meaning)| {
            let (name, value) = parts(json)?;
            Some((name, value.is_some_and(|value| value.is_number()), *json, *meaning))
        })
        .filter(|(_, takes, ..)| *takes || number.is_none())
        .collect();
    let is = |name: &str, meaning: &str| pieces(name) == said || pieces(meaning) == said;
    let begins = |name: &str, meaning: &str| {
        !said.is_empty() && (pieces(name).starts_with(&said) || pieces(meaning).starts_with(&said))
    };
    let exact = known.iter().find(|(name, _, _, meaning)| is(name, meaning));
    let mut near = known.iter().filter(|(name, _, _, meaning)| begins(name, meaning));
    let meant = exact.or_else(|| near.next().filter(|_| near.next().is_none()));
    match (meant, number) {
        (Some((name, true, ..)), Some(number)) => Ok(serde_json::json!({ name: number }).to_string()),
        (Some((name, true, json, _)), None) => {
            Err(format!("{name} takes a number, such as: standing {}", words(json)))
        }
        (Some((_, false, json, _)), _) => Ok((*json).to_owned()),
        (None, _) => {
            let all: Vec<String> = examples.iter().map(|(json, _)| words(json)).collect();
            if all.is_empty() {
                return Err("this game has no standing replies".to_owned());
            }
            Err(format!("there is no standing reply {typed:?}: there are {}", all.join(", ")))
        }
    }
}

fn pieces(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|piece| !piece.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLES: [(&str, &str); 4] = [
        (r#""agree""#, "the gamemaster agrees"),
        (r#""never-guard""#, "never guard"),
        (r#"{"never-guard-from":4}"#, "never guard at this risk or more"),
        (r#""never-counter""#, "never counterattack"),
    ];

    #[track_caller]
    fn found(typed: &str, json: &str) {
        assert_eq!(find(&EXAMPLES, typed).as_deref(), Ok(json), "{typed}");
    }

    #[test]
    fn replies_are_typed_in_words() {
        for typed in ["never-guard", "never guard", "Never Guard", "2", r#""never-guard""#] {
            found(typed, r#""never-guard""#);
        }
        for typed in ["never-guard-from 6", "never guard from 6", "never-guard 6"] {
            found(typed, r#"{"never-guard-from":6}"#);
        }
        found("never counterattack", r#""never-counter""#);
        found("agree", r#""agree""#);
    }

    #[test]
    fn an_unknown_reply_is_refused_with_the_known_ones() {
        assert!(find(&EXAMPLES, "never").unwrap_err().contains("never-guard-from 4"));
        assert!(find(&EXAMPLES, "never-guard-from").unwrap_err().contains("takes a number"));
        assert!(find(&EXAMPLES, "9").is_err() && find(&EXAMPLES, "agree 4").is_err());
        assert!(find(&[], "agree").is_err());
    }

    #[test]
    fn replies_are_told_plainly() {
        assert_eq!(words(r#"{"never-guard-from":6}"#), "never-guard-from 6");
        assert_eq!(meaning(&EXAMPLES, r#""never-guard""#), "never guard");
        assert_eq!(meaning(&EXAMPLES, r#"{"never-guard-from":6}"#), "never guard at this risk or more (6)");
    }
}
