//! Documents written as people would write them.

use serde_json::{Map, Value};

/// A line may be this many characters before a list is written over several.
const WIDE: usize = 100;

/// A document as TOML: plain fields first, `name` foremost; `[name]` for the top's own tables,
/// `[[name]]` for lists of tables, any other table in one line.
///
/// Leaves out null values. A document that is not a table gives an empty text.
pub fn toml(document: &Value) -> String {
    let mut out = String::new();
    if let Value::Object(fields) = document {
        table(&mut out, "", fields);
    }
    out
}

/// The form in which a field is written.
enum Shape<'v> {
    /// `name = value`.
    Plain(&'v Value),
    /// `[name]`.
    Table(&'v Map<String, Value>),
    /// `[[name]]`, several.
    Tables(Vec<&'v Map<String, Value>>),
}

fn shape<'v>(path: &str, value: &'v Value) -> Shape<'v> {
    match value {
        Value::Object(fields) if path.is_empty() => Shape::Table(fields),
        Value::Array(list) if !list.is_empty() => {
            let tables: Option<Vec<_>> = list.iter().map(Value::as_object).collect();
            tables.map_or(Shape::Plain(value), Shape::Tables)
        }
        _ => Shape::Plain(value),
    }
}

fn table(out: &mut String, path: &str, fields: &Map<String, Value>) {
    let mut below = Vec::new();
    // The name comes first.
    let mut fields: Vec<_> = fields.iter().filter(|(_, value)| !value.is_null()).collect();
    fields.sort_by_key(|(name, _)| *name != "name");
    for (name, value) in fields {
        match shape(path, value) {
            Shape::Plain(value) => {
                let head = format!("{} = ", key(name));
                out.push_str(&head);
                out.push_str(&plain(value, head.len()));
                out.push('\n');
            }
            other => below.push((name, other)),
        }
    }
    for (name, shape) in below {
        let path = if path.is_empty() { key(name) } else { format!("{path}.{}", key(name)) };
        let (open, close, tables) = match shape {
            Shape::Tables(tables) => ("[[", "]]", tables),
            Shape::Table(fields) => ("[", "]", vec![fields]),
            Shape::Plain(_) => continue,
        };
        for fields in tables {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&format!("{open}{path}{close}\n"));
            table(out, &path, fields);
        }
    }
}

/// A value after `used` characters of its line.
fn plain(value: &Value, used: usize) -> String {
    match value {
        Value::Array(list) => {
            let items: Vec<String> = list.iter().filter(|v| !v.is_null()).map(|v| plain(v, 0)).collect();
            let line = format!("[{}]", items.join(", "));
            if used == 0 || used + line.chars().count() <= WIDE {
                return line;
            }
            let items: String = items.iter().map(|item| format!("    {item},\n")).collect();
            format!("[\n{items}]")
        }
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| format!("{} = {}", key(name), plain(value, 0)))
                .collect();
            if fields.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", fields.join(", ")) }
        }
        Value::String(text) => quoted(text),
        other => other.to_string(),
    }
}

fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    if bare { name.to_owned() } else { quoted(name) }
}

/// JSON's escapes are TOML's, which wants one more.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use serde_json::json;

    #[test]
    fn it_reads_well() {
        let document = json!({
            "title": "x",
            "carried": { "log": "a b", "none": null },
            "character": [
                { "boon": [{ "name": "Net", "resist": { "martial": 2 } }, { "name": "Rope" }], "name": "Ana", "risk": 3 },
                { "name": "Bo", "history": ["a line of some length, and more of it", "another line of some length, and more"] },
            ],
        });
        let written = "title = \"x\"\n\n[carried]\nlog = \"a b\"\n\n[[character]]\nname = \"Ana\"\nrisk = 3\n\n\
            [[character.boon]]\nname = \"Net\"\nresist = { martial = 2 }\n\n[[character.boon]]\nname = \"Rope\"\n\n\
            [[character]]\nname = \"Bo\"\nhistory = [\"a line of some length, and more of it\", \"another line of some length, and more\"]\n";
        assert_eq!(
            toml(&document).replace("[\n    ", "[").replace(",\n    ", ", ").replace(",\n]", "]"),
            written
        );
    }

    #[test]
    fn whatever_is_written_reads_back() {
        let odd = "a \"quote\", a \\, a tab\t, a line\n, \u{7f}, \u{202e}, \u{1} and ä";
        let document = json!({
            "text": odd,
            "empty": [],
            "none": {},
            odd: { "deep": { "list": [1, -2, [true, odd]] } },
            "many": [{ "inner": [{ odd: [] }, {}] }, {}],
            "long": vec![odd; 5],
        });
        let written = toml(&document);
        let read = Document::toml("x", &written).unwrap_or_else(|faults| panic!("{faults} in:\n{written}"));
        assert_eq!(sorted(&read.to_json()), sorted(&document), "{written}");
    }

    /// Without order, which TOML does not keep.
    fn sorted(value: &Value) -> String {
        match value {
            Value::Object(fields) => {
                let mut told: Vec<String> =
                    fields.iter().map(|(k, v)| format!("{k:?}:{}", sorted(v))).collect();
                told.sort();
                format!("{{{}}}", told.join(","))
            }
            Value::Array(list) => format!("[{}]", list.iter().map(sorted).collect::<Vec<_>>().join(",")),
            other => other.to_string(),
        }
    }
}
