//! Changes to a text, decoded from bytes: a typing mistake, a damaged disk or a forger
//! makes such changes.

use fracas_suite::Bytes;
use std::ops::Range;

/// The most changes to one text.
const EDITS: usize = 8;

/// Values of JSON and TOML that may replace an expected one.
pub(crate) const VALUES: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "255",
    "256",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e400",
    "0.5",
    "true",
    "null",
    "\"\"",
    "\"@\"",
    "\"@nobody\"",
    "\"gm\"",
    "\"player-1\"",
    "\"player-9\"",
    "\"\\u0000\"",
    "\"\\u202e\"",
    "\"\\ud800\"",
    "[]",
    "{}",
    "[[[[[[[[]]]]]]]]",
    "[\"@nobody\", 1, null]",
];

/// The text with one change after another, until the bytes are used up.
pub(crate) fn edited(text: &str, bytes: &mut Bytes<'_>) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    for _ in 0..EDITS {
        if bytes.is_empty() || text.is_empty() {
            break;
        }
        edit(&mut text, bytes);
    }
    text
}

/// Makes one change.
pub(crate) fn edit(text: &mut Vec<u8>, bytes: &mut Bytes<'_>) {
    match bytes.byte() % 12 {
        0 => {
            let at = bytes.place(text.len());
            text[at] ^= 1 << (bytes.byte() % 8);
        }
        1 => drop(text.drain(line(text, bytes))),
        2 => {
            let line = line(text, bytes);
            let again = text[line.clone()].to_vec();
            text.splice(line.end..line.end, again);
        }
        3 => {
            let (a, b) = (line(text, bytes), line(text, bytes));
            let (first, second) = if a.start < b.start { (a, b) } else { (b, a) };
            if first.end <= second.start {
                let whole = [&text[second.clone()], &text[first.end..second.start], &text[first.clone()]];
                let whole = whole.concat();
                text.splice(first.start..second.end, whole);
            }
        }
        4 => text.truncate(bytes.place(text.len())),
        5 | 6 => {
            let value = VALUES[usize::from(bytes.byte()) % VALUES.len()];
            let at = value_at(text, bytes);
            text.splice(at, value.bytes());
        }
        7 | 8 => {
            let other = text[value_at(text, bytes)].to_vec();
            let at = value_at(text, bytes);
            text.splice(at, other);
        }
        9 => {
            let own = bytes.until(b'\n');
            let at = value_at(text, bytes);
            text.splice(at, own.into_bytes());
        }
        10 => {
            let own = bytes.until(b'\n');
            let at = bytes.place(text.len() + 1);
            text.splice(at..at, own.into_bytes());
        }
        _ => {
            let (a, b) = (bytes.place(text.len()), bytes.place(text.len()));
            drop(text.drain(a.min(b)..a.max(b)));
        }
    }
}

/// The range of a line with its newline.
fn line(text: &[u8], bytes: &mut Bytes<'_>) -> Range<usize> {
    let at = bytes.place(text.len());
    let start = text[..at].iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
    let end = text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |newline| at + newline + 1);
    start..end
}

/// The range of a value of JSON or TOML: the first that begins after some place, or nothing
/// at the text's end.
fn value_at(text: &[u8], bytes: &mut Bytes<'_>) -> Range<usize> {
    let from = bytes.place(text.len());
    let opens = |b: &u8| matches!(b, b':' | b'=' | b'[' | b',');
    let Some(before) = text[from..].iter().position(opens) else { return text.len()..text.len() };
    let rest = &text[from + before + 1..];
    let blank = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let start = from + before + 1 + blank;
    let rest = &text[start..];
    let len = match rest.first() {
        Some(b'"') => {
            let mut escaped = false;
            let closing = rest[1..].iter().position(|&b| {
                let closes = b == b'"' && !escaped;
                escaped = b == b'\\' && !escaped;
                closes
            });
            closing.map_or(rest.len(), |at| at + 2)
        }
        _ => rest.iter().position(|b| matches!(b, b',' | b']' | b'}' | b'\n')).unwrap_or(rest.len()),
    };
    start..start + len
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that encode a place in a text of this length.
    fn place(at: usize, len: usize) -> [u8; 2] {
        let word = (at * 65536).div_ceil(len);
        u16::try_from(word).expect("a place in the text").to_be_bytes()
    }

    #[test]
    fn values_of_json_and_toml_are_found() {
        for (text, from, value) in [
            (r#"{"a":"x\"y","b":[12,true]}"#, 0, r#""x\"y""#),
            (r#"{"a":"x","b":[12,true]}"#, 13, "12"),
            (r#"{"a":"x","b":[12,true]}"#, 16, "true"),
            ("name = \"Ana\"\nrisk = 3\n", 14, "3"),
            ("nothing", 2, ""),
        ] {
            let place = place(from, text.len());
            let found = value_at(text.as_bytes(), &mut Bytes::new(&place));
            assert_eq!(&text[found], value, "{text} from {from}");
        }
    }

    #[test]
    fn lines_are_dropped_doubled_and_swapped() {
        let text = "one\ntwo\nthree\n";
        for (kind, places, expected) in [
            (1, &[5][..], "one\nthree\n"),
            (2, &[5], "one\ntwo\ntwo\nthree\n"),
            (3, &[0, 9], "three\ntwo\none\n"),
            (4, &[5], "one\nt"),
        ] {
            let mut how = vec![kind];
            how.extend(places.iter().flat_map(|&at| place(at, text.len())));
            let mut changed = text.as_bytes().to_vec();
            edit(&mut changed, &mut Bytes::new(&how));
            assert_eq!(String::from_utf8_lossy(&changed), expected);
        }
    }
}
