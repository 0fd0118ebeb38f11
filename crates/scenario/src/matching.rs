//! Comparing results with expectations, which name a subset of the fields.

use fracas_kernel::Shown;
use serde_json::{Map, Value};

/// Every difference between `expected` and `found`, with its place.
///
/// Tables need only the expected fields. Lists match item by item. Special expectations are
/// `{ has = [..] }` (each is somewhere in the list), `{ lacks = [..] }` (none is) and
/// `{ absent = true }` (the field is missing or empty).
pub(crate) fn differences(expected: &Value, found: Option<&Value>) -> Vec<String> {
    let mut out = Vec::new();
    differ("", expected, found, &mut out);
    out
}

/// Whether there is no difference.
pub(crate) fn matches(expected: &Value, found: &Value) -> bool {
    differences(expected, Some(found)).is_empty()
}

fn differ(at: &str, expected: &Value, found: Option<&Value>, out: &mut Vec<String>) {
    let place = if at.is_empty() { String::new() } else { format!("{at}: ") };
    if let Value::Object(fields) = expected
        && special(fields)
    {
        return differ_special(at, &place, fields, found, out);
    }
    let Some(found) = found else {
        return out.push(format!("{place}expected {expected}, and there is no such field"));
    };
    match (expected, found) {
        (Value::Object(fields), Value::Object(there)) => {
            for (name, value) in fields {
                let at = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                let missing = !there.contains_key(name);
                differ(&at, value, there.get(name), out);
                if missing && let Some(last) = out.last_mut().filter(|last| last.ends_with("no such field")) {
                    let names: Vec<&str> = there.keys().map(String::as_str).collect();
                    last.push_str(&format!("; there are {}", names.join(", ")));
                }
            }
        }
        (Value::Array(items), Value::Array(there)) => {
            if items.len() != there.len() {
                return out.push(format!(
                    "{place}expected {} items, found {}: {found} (for some of them write {{ has = [..] }})",
                    items.len(),
                    there.len()
                ));
            }
            for (i, (item, there)) in items.iter().zip(there).enumerate() {
                differ(&format!("{at}[{}]", i + 1), item, Some(there), out);
            }
        }
        _ if expected == found => {}
        _ => out.push(format!("{place}expected {expected}, found {found}")),
    }
}

/// Whether a table is one of the special expectations.
fn special(fields: &Map<String, Value>) -> bool {
    !fields.is_empty()
        && fields.iter().all(|(name, value)| match name.as_str() {
            "has" | "lacks" => value.is_array(),
            "absent" => value.is_boolean(),
            _ => false,
        })
}

fn differ_special(
    at: &str,
    place: &str,
    fields: &Map<String, Value>,
    found: Option<&Value>,
    out: &mut Vec<String>,
) {
    if let Some(absent) = fields.get("absent") {
        let there = found.is_some_and(|found| !found.is_null());
        if Value::Bool(there) == *absent {
            let found = found.unwrap_or(&Value::Null);
            out.push(format!(
                "{place}expected it to be {}, found {found}",
                if there { "absent" } else { "there" }
            ));
        }
    }
    let list = match found {
        Some(Value::Array(list)) => list.as_slice(),
        None if !fields.contains_key("has") => &[],
        _ if fields.contains_key("absent") => return,
        found => return out.push(format!("{place}expected a list, found {}", found.unwrap_or(&Value::Null))),
    };
    for item in fields.get("has").and_then(Value::as_array).into_iter().flatten() {
        if !list.iter().any(|there| matches(item, there)) {
            // Report the difference from the item that comes nearest.
            let near = list.iter().min_by_key(|there| differences(item, Some(there)).len());
            match near {
                Some(near) if list.len() == 1 || shares(item, near) => {
                    let before = out.len();
                    differ(&format!("{at}[..]"), item, Some(near), out);
                    debug_assert!(out.len() > before);
                }
                _ => out.push(format!("{place}expected {item} in it, found {}", Value::Array(list.to_vec()))),
            }
        }
    }
    for item in fields.get("lacks").and_then(Value::as_array).into_iter().flatten() {
        if let Some(there) = list.iter().find(|there| matches(item, there)) {
            out.push(format!("{place}expected nothing like {item} in it, found {there}"));
        }
    }
}

/// Whether one expected field of a table matches.
fn shares(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(fields), Value::Object(there)) => {
            fields.iter().any(|(name, value)| there.get(name).is_some_and(|there| matches(value, there)))
        }
        _ => false,
    }
}

/// Whether an event matches an expectation.
///
/// The expectation is the event's name (`"rested"`), or a table with fields of the event as
/// JSON, and possibly `clause` (its id) and `text` (part of the gamemaster's text).
pub(crate) fn is_event(expected: &Value, shown: &Shown) -> bool {
    let event: Value = serde_json::from_str(&shown.event).unwrap_or_default();
    match expected {
        Value::String(name) => event == *expected || event.get(name).is_some(),
        Value::Object(fields) => {
            let clause = shown.gm.clause.map(|clause| clause.id());
            let mut rest = fields.clone();
            if let Some(Value::String(id)) = fields.get("clause")
                && clause == Some(id.as_str())
            {
                rest.shift_remove("clause");
            }
            if let Some(Value::String(text)) = fields.get("text")
                && shown.gm.text.contains(text.as_str())
            {
                rest.shift_remove("text");
            }
            rest.is_empty() || matches(&Value::Object(rest), &event)
        }
        _ => event == *expected,
    }
}

/// The clause that an expected event names, if any.
pub(crate) fn clause_of(expected: &Value) -> Option<&str> {
    expected.get("clause")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::ShownTo;
    use serde_json::json;

    #[track_caller]
    fn check(expected: Value, found: Value, differ: &[&str]) {
        assert_eq!(differences(&expected, Some(&found)), differ);
    }

    #[test]
    fn a_subset_of_fields_suffices() {
        check(json!({"a": 1, "b": {"c": "x"}}), json!({"a": 1, "b": {"c": "x", "d": 2}, "e": []}), &[]);
        check(
            json!({"a": 1, "b": 2}),
            json!({"a": 2, "b": 3}),
            &["a: expected 1, found 2", "b: expected 2, found 3"],
        );
        check(json!({"z": 1}), json!({"a": 2}), &["z: expected 1, and there is no such field; there are a"]);
        check(json!({"a": {"b": 1}}), json!({"a": 7}), &[r#"a: expected {"b":1}, found 7"#]);
    }

    #[test]
    fn lists_match_item_by_item() {
        check(json!({"l": [1, {"a": 2}]}), json!({"l": [1, {"a": 2, "b": 3}]}), &[]);
        check(json!({"l": [1, 2]}), json!({"l": [1, 3]}), &["l[2]: expected 2, found 3"]);
        check(
            json!({"l": [1]}),
            json!({"l": [1, 2]}),
            &["l: expected 1 items, found 2: [1,2] (for some of them write { has = [..] })"],
        );
    }

    #[test]
    fn has_lacks_and_absent() {
        let found = json!({"l": [{"id": "a", "n": 1}, {"id": "b", "n": 2}], "none": null});
        check(json!({"l": {"has": [{"id": "b", "n": 2}]}}), found.clone(), &[]);
        check(json!({"l": {"has": [{"id": "b", "n": 3}]}}), found.clone(), &["l[..].n: expected 3, found 2"]);
        check(json!({"l": {"lacks": [{"id": "c"}]}}), found.clone(), &[]);
        check(
            json!({"l": {"lacks": [{"id": "a"}]}}),
            found.clone(),
            &[r#"l: expected nothing like {"id":"a"} in it, found {"id":"a","n":1}"#],
        );
        check(
            json!({"none": {"absent": true}, "gone": {"absent": true}, "l": {"absent": false}}),
            found.clone(),
            &[],
        );
        check(
            json!({"gone": {"absent": false}}),
            found.clone(),
            &["gone: expected it to be there, found null"],
        );
        check(json!({"gone": {"lacks": [1]}}), found.clone(), &[]);
        assert_eq!(differences(&json!({"gone": {"has": [1]}}), Some(&found)).len(), 1);
    }

    #[test]
    fn events_match_by_name_by_fields_by_words() {
        let shown = Shown {
            event: r#"{"hit":{"on":"@a","risk":2}}"#.to_owned(),
            gm: ShownTo {
                text: "A is hit".to_owned(),
                clause: None,
                opens: false,
                step: false,
                working: false,
            },
            others: Vec::new(),
        };
        for good in [
            json!("hit"),
            json!({"hit": {"on": "@a"}}),
            json!({"text": "is hit"}),
            json!({"hit": {"risk": 2}, "text": "A"}),
        ] {
            assert!(is_event(&good, &shown), "{good}");
        }
        for bad in [
            json!("missed"),
            json!({"hit": {"on": "@b"}}),
            json!({"text": "is missed"}),
            json!({"clause": "x"}),
        ] {
            assert!(!is_event(&bad, &shown), "{bad}");
        }
    }
}
