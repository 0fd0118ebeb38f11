//! Plain text: text of people without characters that command a terminal or mislead a
//! reader.

use std::borrow::Cow;

/// Replaces a character that is not shown.
pub const STAND_IN: char = '\u{fffd}';

/// Whether a character is plain: neither a control character, nor a mark that embeds,
/// overrides or isolates a direction of writing, nor a separator of lines or paragraphs.
/// Letters of every script are plain, and so are the marks between them.
pub fn is_plain(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// A name or a title as it is stored: one line of at most `most` plain characters.
pub fn one_line(text: &str, most: usize) -> String {
    let plain: String = text.chars().filter(|c| is_plain(*c)).collect();
    plain.trim().chars().take(most).collect()
}

/// The change that a viewer sees in an overruling, without the opening words of the log, for a
/// face that says itself that the gamemaster overrules. `None` if the text says something else.
pub fn overruled(text: &str) -> Option<&str> {
    let (gamemaster, change) = text.strip_prefix("By the ")?.split_once("'s word: ")?;
    gamemaster.chars().all(char::is_alphabetic).then_some(change)
}

/// A text as it is shown: U+FFFD replaces characters that are not plain, except line breaks
/// and tabs.
pub fn shown(text: &str) -> Cow<'_, str> {
    let is_shown = |c: char| is_plain(c) || matches!(c, '\n' | '\r' | '\t');
    if text.chars().all(is_shown) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if is_shown(c) { c } else { STAND_IN }).collect()
}

/// The same for JSON, including its escapes.
pub fn shown_json(json: &str) -> Cow<'_, str> {
    let shown = shown(json);
    let mut out = String::new();
    let (mut done, mut at) = (0, 0);
    while let Some(found) = shown[at..].find('\\') {
        let escape = at + found;
        let long = if shown[escape..].starts_with("\\u") { 6 } else { 2 };
        let end =
            (escape + long..=shown.len()).find(|end| shown.is_char_boundary(*end)).unwrap_or(shown.len());
        let meant = match shown.get(escape + 1..end) {
            Some("b" | "f") => Some(STAND_IN),
            Some(code) if code.len() == 5 => {
                u32::from_str_radix(&code[1..], 16).ok().and_then(char::from_u32)
            }
            _ => None,
        };
        if meant.is_some_and(|c| !is_plain(c) && !matches!(c, '\n' | '\r' | '\t') || c == STAND_IN) {
            out.push_str(&shown[done..escape]);
            out.push(STAND_IN);
            done = end;
        }
        at = end;
    }
    if done == 0 {
        return shown;
    }
    out.push_str(&shown[done..]);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_command_or_mislead_are_not_shown() {
        assert_eq!(shown("a\x1b[31mb\u{202e}c\u{9b}d\u{2067}e"), "a\u{fffd}[31mb\u{fffd}c\u{fffd}d\u{fffd}e");
        for plain in ["two\nlines\tand a tab", "Zoë 🎲", "אָנָה", "ليلى\u{200f}", "नेहा\u{200d}"]
        {
            assert!(matches!(shown(plain), Cow::Borrowed(_)), "{plain:?}");
        }
        assert_eq!(one_line("  A\u{202e}n\na\u{7f} \u{2066}B ", 9), "Ana B");
        assert_eq!(one_line("Wilhelmina", 4), "Wilh");
    }

    #[test]
    fn escapes_in_json_are_replaced_too() {
        for (json, expected) in [
            (r#"{"a":"b\n\t\"c\\u001b"}"#, r#"{"a":"b\n\t\"c\\u001b"}"#),
            (r#""\u001b[2J\u0007""#, "\"\u{fffd}[2J\u{fffd}\""),
            (r#""\u202E\b\u00e9\u000a""#, "\"\u{fffd}\u{fffd}\\u00e9\\u000a\""),
            (r#""\ud83c\udfb2""#, r#""\ud83c\udfb2""#),
            ("\"\u{202e}\"", "\"\u{fffd}\""),
            (r#""\"#, r#""\"#),
            (r#""\u00"#, r#""\u00"#),
            (r#""\u00é1""#, r#""\u00é1""#),
        ] {
            assert_eq!(shown_json(json), expected, "{json}");
        }
    }
}
