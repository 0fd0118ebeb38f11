//! Requests over a real socket, to a server of the target's own.

mod http;
mod stand;

use crate::edits::{VALUES, edited};
use fracas_suite::Bytes;
use serde_json::{Map, Value, json};
use stand::{Call, Stand};
use std::sync::{Mutex, PoisonError};

/// The most requests of one input.
const REQUESTS: usize = 6;
/// After this many inputs the server starts anew, so that its tables do not pile up.
const INPUTS: u32 = 100;
/// The deepest JSON of a request.
const DEPTH: u32 = 6;

/// The server with its tables, and the number of inputs it has had.
static STAND: Mutex<Option<(Stand, u32)>> = Mutex::new(None);

/// Sends requests one after another: the server answers each without an internal error,
/// closes the connection and keeps running.
///
/// The first byte of each request picks its kind: raw bytes up to a newline that stands
/// alone, a page, a form of a page, an operation of the API, a log to import, a document to
/// check. More bytes pick the details.
pub fn requests(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    // A server that survived a panic of this target is not used again.
    let mut kept = STAND.lock().unwrap_or_else(PoisonError::into_inner);
    let (stand, inputs) = match kept.take() {
        Some((mut stand, inputs)) if inputs < INPUTS => {
            stand.look();
            (stand, inputs)
        }
        _ => (Stand::new(), 0),
    };
    for _ in 0..REQUESTS {
        if bytes.is_empty() {
            break;
        }
        let (sent, ends) = request(&stand, &mut bytes);
        stand.send(&sent, ends);
    }
    stand.is_well();
    *kept = Some((stand, inputs + 1));
}

/// The bytes of a request, and whether they are a request at all.
fn request(stand: &Stand, bytes: &mut Bytes<'_>) -> (Vec<u8>, http::Ends) {
    let kind = bytes.byte() % 16;
    let who = stand.who(bytes.byte());
    let sent = match kind {
        0 => return (bytes.rest().to_vec(), http::Ends::HalfClosed),
        1..=3 => {
            let path = address(stand, &stand.pages[bytes.place(stand.pages.len())], bytes);
            http::request("GET", &with_query(stand, path, bytes), &who, "", b"")
        }
        4..=7 => {
            let Some(form) = stand.forms.get(bytes.place(stand.forms.len().max(1))) else {
                return (Vec::new(), http::Ends::HalfClosed);
            };
            let fields = form.fields.iter().filter_map(|(name, value)| {
                let value = match bytes.byte() % 4 {
                    0 => text(stand, bytes),
                    1 => return None,
                    _ => value.clone(),
                };
                Some(format!("{}={}", http::escaped(name), http::escaped(&value)))
            });
            let body = fields.collect::<Vec<_>>().join("&");
            http::request("POST", &form.action, &who, http::FORM, body.as_bytes())
        }
        8..=12 => call(stand, &stand.calls[bytes.place(stand.calls.len())], &who, bytes),
        13 | 14 => {
            let log = edited(&stand.log, bytes);
            match kind {
                13 => http::request("POST", "/api/v1/tables/taken", &who, "application/x-ndjson", &log),
                _ => http::request("POST", "/take-in", &who, http::MULTIPART, &http::multipart(&log)),
            }
        }
        _ => {
            let toml = String::from_utf8_lossy(&edited(stand.document, bytes)).into_owned();
            let path = format!("/api/v1/systems/{}/check", stand.system);
            http::request("POST", &path, &who, http::JSON, json!({ "toml": toml }).to_string().as_bytes())
        }
    };
    (sent, http::Ends::AsAnswered)
}

/// An operation of the API, with a body that follows its schema or nearly does.
fn call(stand: &Stand, call: &Call, who: &str, bytes: &mut Bytes<'_>) -> Vec<u8> {
    let path = address(stand, &call.path, bytes);
    let Some(schema) = &call.body else {
        return http::request(&call.method, &with_query(stand, path, bytes), who, "", b"");
    };
    let body = value(stand, schema, DEPTH, bytes).to_string();
    let body = if bytes.byte().is_multiple_of(4) { edited(&body, bytes) } else { body.into_bytes() };
    http::request(&call.method, &path, who, http::JSON, &body)
}

/// An address with a value for each of its parts.
fn address(stand: &Stand, path: &str, bytes: &mut Bytes<'_>) -> String {
    let parts = path.split('/').map(|part| match part {
        "{table}" => stand.tables[usize::from(bytes.byte()) % stand.tables.len()].clone(),
        "{system}" => stand.system.to_owned(),
        "{role}" => ["gm", "player-1", "player-2", "watch", "player-9", "nobody"]
            [usize::from(bytes.byte()) % 6]
            .to_owned(),
        part if part.starts_with('{') => http::escaped(&text(stand, bytes)),
        part => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The address, sometimes with a query.
fn with_query(stand: &Stand, path: String, bytes: &mut Bytes<'_>) -> String {
    const NAMES: [&str; 9] = ["from", "in", "ask", "answer", "laid", "of", "to", "n", "after"];
    match bytes.byte() % 4 {
        0 => format!("{path}?{}", http::escaped(&bytes.until(b'\n'))),
        1 => {
            let name = NAMES[usize::from(bytes.byte()) % NAMES.len()];
            format!("{path}?{name}={}", http::escaped(&text(stand, bytes)))
        }
        _ => path,
    }
}

/// A text that means something at the table, or any text.
fn text(stand: &Stand, bytes: &mut Bytes<'_>) -> String {
    match bytes.byte() {
        0..=31 => bytes.until(b'\n'),
        32..=63 => VALUES[usize::from(bytes.byte()) % VALUES.len()].to_owned(),
        _ => stand.words[bytes.place(stand.words.len())].clone(),
    }
}

/// JSON that follows a schema, in places with a value of another kind.
fn value(stand: &Stand, schema: &Value, depth: u32, bytes: &mut Bytes<'_>) -> Value {
    let odd = bytes.byte();
    if depth == 0 || odd < 8 {
        return serde_json::from_str(VALUES[usize::from(odd) % VALUES.len()]).unwrap_or_default();
    }
    if let Some(named) = schema["$ref"].as_str() {
        let schema = named.strip_prefix('#').and_then(|pointer| stand.api.pointer(pointer));
        return value(stand, schema.unwrap_or(&Value::Null), depth - 1, bytes);
    }
    let several = ["oneOf", "anyOf", "allOf"].into_iter().find_map(|word| schema[word].as_array());
    if let Some(several) = several.filter(|several| !several.is_empty()) {
        return value(stand, &several[usize::from(bytes.byte()) % several.len()], depth - 1, bytes);
    }
    if let Some(words) = schema["enum"].as_array().filter(|words| !words.is_empty()) {
        return words[usize::from(bytes.byte()) % words.len()].clone();
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => vec!["string"],
    };
    match kinds.get(usize::from(bytes.byte()) % kinds.len().max(1)).copied() {
        Some("object") => {
            let named = schema["properties"].as_object().into_iter().flatten();
            let required = |name: &String| {
                schema["required"].as_array().is_some_and(|all| all.iter().any(|field| field == name))
            };
            let mut object: Map<String, Value> = named
                .filter_map(|(name, schema)| {
                    let there = required(name) || bytes.byte().is_multiple_of(2);
                    there.then(|| (name.clone(), value(stand, schema, depth - 1, bytes)))
                })
                .collect();
            if schema["additionalProperties"].is_object() && bytes.byte().is_multiple_of(2) {
                let name = text(stand, bytes);
                object.insert(name, value(stand, &schema["additionalProperties"], depth - 1, bytes));
            }
            object.into()
        }
        Some("array") => {
            (0..bytes.byte() % 4).map(|_| value(stand, &schema["items"], depth - 1, bytes)).collect()
        }
        Some("integer" | "number") => match bytes.byte() {
            n @ 0..=199 => json!(n),
            n => json!([-1, i64::from(u32::MAX), i64::MAX, 1000][usize::from(n) % 4]),
        },
        Some("boolean") => json!(bytes.byte().is_multiple_of(2)),
        Some("null") | None => Value::Null,
        // Answers and fiats are JSON in a field without a type.
        _ => {
            let text = text(stand, bytes);
            let as_json = schema["type"].is_null().then(|| serde_json::from_str(&text).ok()).flatten();
            as_json.unwrap_or_else(|| text.into())
        }
    }
}
