//! Parses the lines that are typed at a prompt.

use serde_json::Value;

/// A parsed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Order<'a> {
    /// An empty line: show the ask again.
    Nothing,
    /// An answer, with optional text for the story.
    Answer {
        /// A number, JSON, or words of the answer.
        pick: &'a str,
        /// Free text with the answer.
        text: Option<&'a str>,
    },
    /// Turn to another seat or open ask; the rest may be an order for it.
    As {
        /// A seat, a name or the number of an ask.
        who: &'a str,
        /// The order; may be empty.
        rest: &'a str,
    },
    /// Free text for the story.
    Say(&'a str),
    /// Show the clause behind a line, an answer or words.
    Why(&'a str),
    /// Rewind to a line, or take back the last answer.
    Undo(Option<u64>),
    /// Show a character's card, or all cards.
    Look(&'a str),
    /// Show cards as another seat sees them.
    LookAs(&'a str),
    /// The gamemaster overrules the engine.
    Fiat(&'a str),
    /// Text for one reader.
    Whisper {
        /// The reader.
        to: &'a str,
        /// The text.
        text: &'a str,
    },
    /// A note that only the seat reads.
    Note(&'a str),
    /// Show the calls that the gamemaster has ready, or say one of them, by its number.
    Calls(&'a str),
    /// Show or set standing replies.
    Standing(&'a str),
    /// Show the story so far.
    Story,
    /// Copy the log to a file.
    Save(&'a str),
    /// Show the last lines.
    Log(usize),
    /// Show a listed answer as JSON, or all of them.
    Json(&'a str),
    /// Show the answer that the machine would give, and what else it weighed.
    Hint,
    /// Show the odds of a listed answer, of all of them, or of the dice that are due.
    Odds(&'a str),
    /// List all answers.
    All,
    /// The next page of the menu.
    More,
    /// Only answers that hold these words.
    Filter(&'a str),
    /// Back a page, or up one level of the menu.
    Back,
    /// Let the other seats go on, until `wait off`.
    Wait,
    /// Ask this seat again.
    WaitOff,
    /// The gamemaster acts once for a player; the rest may be an answer.
    For {
        /// A seat or a name.
        who: &'a str,
        /// The answer; may be empty.
        rest: &'a str,
    },
    /// A player is absent: the gamemaster answers for them.
    Absent(&'a str),
    /// A player is back.
    Present(&'a str),
    /// Show the seats and the open asks.
    Seats,
    /// Set how dice are thrown.
    Dice(&'a str),
    /// Show the commonest orders, or all of them.
    Help(&'a str),
    /// Leave.
    Quit,
    /// The reason why a line cannot be parsed.
    Unclear(String),
}

impl Order<'_> {
    /// Whether the order does not depend on the current ask. After such an order for another
    /// seat, the current seat keeps its ask.
    pub(crate) const fn is_aside(&self) -> bool {
        matches!(
            self,
            Order::Say(_)
                | Order::Why(_)
                | Order::Undo(_)
                | Order::Look(_)
                | Order::LookAs(_)
                | Order::Fiat(_)
                | Order::Whisper { .. }
                | Order::Note(_)
                | Order::Standing(_)
                | Order::Story
                | Order::Save(_)
                | Order::Log(_)
                | Order::Seats
                | Order::Dice(_)
                | Order::Help(_)
        )
    }

    /// Whether the order only shows something to read, which may be long.
    pub(crate) fn is_reading(&self) -> bool {
        matches!(
            self,
            Order::Why(_)
                | Order::Look(_)
                | Order::LookAs(_)
                | Order::Fiat("" | "help")
                | Order::Standing("")
                | Order::Story
                | Order::Log(_)
                | Order::Json(_)
                | Order::Calls("")
                | Order::Hint
                | Order::Odds(_)
                | Order::Seats
                | Order::Help(_)
        )
    }
}

/// Parses a line.
pub(crate) fn order(line: &str) -> Order<'_> {
    let line = line.trim();
    if line.is_empty() {
        return Order::Nothing;
    }
    if let Some(text) = line.strip_prefix(':') {
        return said(text);
    }
    if let Some(words) = line.strip_prefix('/') {
        return Order::Filter(words.trim());
    }
    if line.starts_with(['{', '[', '"']) {
        if let Some((pick, text)) = json(line) {
            return Order::Answer { pick, text };
        }
        if let Some(unquoted) = line.strip_prefix('"') {
            // An opening quotation mark alone is no part of what is said.
            return said(if unquoted.contains('"') { line } else { unquoted });
        }
        return Order::Unclear("that is not a JSON value: check its quotes and brackets".into());
    }
    if line.starts_with(['“', '«', '„']) {
        return said(line);
    }
    let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
    if let Some(who) = word.strip_prefix('@') {
        return Order::As { who, rest };
    }
    if word.eq_ignore_ascii_case("for") && !rest.is_empty() {
        let (who, rest) = rest.split_once(':').unwrap_or((rest, ""));
        return Order::For { who: who.trim(), rest: rest.trim() };
    }
    // A colon after the first word makes the line an answer with text: `all : she waits`.
    if rest.starts_with(':') {
        return answer(line);
    }
    match (word.to_lowercase().as_str(), rest) {
        ("say", text) => said(text),
        ("why", what) => Order::Why(what),
        ("undo", "") => Order::Undo(None),
        ("undo", to) => match to.strip_prefix("to ").unwrap_or(to).trim().parse() {
            Ok(line) => Order::Undo(Some(line)),
            Err(_) => Order::Unclear(format!("undo takes the number of a line, not {to:?}")),
        },
        ("look", rest) => match rest.split_once(char::is_whitespace) {
            Some(("as", who)) => Order::LookAs(who.trim()),
            _ => Order::Look(rest),
        },
        ("fiat", rest) => Order::Fiat(rest),
        ("whisper", rest) => match rest.split_once(char::is_whitespace) {
            Some((to, text)) => Order::Whisper { to: to.trim_end_matches(':'), text: text.trim() },
            None => Order::Unclear("whisper NAME text".into()),
        },
        ("note", "") => Order::Unclear("note TEXT".into()),
        ("note", text) => Order::Note(text),
        ("calls", which) => Order::Calls(which),
        ("standing", rest) => Order::Standing(rest),
        ("story", "") => Order::Story,
        ("save", "") => Order::Unclear("save FILE".into()),
        ("save", file) => Order::Save(file),
        ("log", "") => Order::Log(20),
        ("log", n) => match n.parse() {
            Ok(n) => Order::Log(n),
            Err(_) => Order::Unclear(format!("log takes how many lines, not {n:?}")),
        },
        ("json", which) => Order::Json(which),
        ("hint", "") => Order::Hint,
        ("odds" | "chances", which) => Order::Odds(which),
        ("all", "") => Order::All,
        ("more", "") => Order::More,
        ("back" | "up", "") => Order::Back,
        ("back", who) => Order::Present(who),
        ("absent", "") => Order::Unclear("absent NAME: whose player is not here".into()),
        ("absent", who) => Order::Absent(who),
        ("wait", "") => Order::Wait,
        ("wait", "off") => Order::WaitOff,
        ("seats" | "asks", "") => Order::Seats,
        ("dice", how) => Order::Dice(how),
        ("help" | "?", which) => Order::Help(which),
        ("quit" | "exit" | "q", "") => Order::Quit,
        _ => answer(line),
    }
}

fn said(text: &str) -> Order<'_> {
    match text.trim() {
        "" => Order::Unclear("nothing is said: write the words behind it, as `: the bell tolls`".into()),
        text => Order::Say(text),
    }
}

/// Parses an answer: `3 : she hooks the shield aside`, or without text.
pub(crate) fn answer(line: &str) -> Order<'_> {
    let number = line.bytes().take_while(u8::is_ascii_digit).count();
    let cut = if number > 0 && line[number..].starts_with(':') {
        Some((&line[..number], &line[number + 1..]))
    } else {
        line.split_once(" : ").or_else(|| line.split_once(": ")).or_else(|| line.split_once(" :"))
    };
    match cut {
        Some((pick, text)) => {
            Order::Answer { pick: pick.trim(), text: Some(text.trim()).filter(|t| !t.is_empty()) }
        }
        None => Order::Answer { pick: line.trim_end_matches([')', '.']).trim(), text: None },
    }
}

/// Splits a JSON value from the text after a colon.
fn json(line: &str) -> Option<(&str, Option<&str>)> {
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<Value>();
    values.next()?.ok()?;
    let (pick, rest) = line.split_at(values.byte_offset());
    match rest.trim() {
        "" => Some((pick, None)),
        rest => Some((pick, Some(rest.strip_prefix(':')?.trim()))),
    }
}

/// Parses faces: `3 5`, `3,5`, or `35` if every die has fewer than ten sides.
pub(crate) fn faces(typed: &str, sides: &[u8]) -> Result<Vec<u8>, String> {
    let cut = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '+' | '/');
    let parts: Vec<&str> = typed.split(cut).filter(|p| !p.is_empty()).collect();
    if let [run] = parts[..]
        && run.len() == sides.len()
        && sides.len() > 1
        && sides.iter().all(|&s| s < 10)
        && run.bytes().all(|b| b.is_ascii_digit())
    {
        return Ok(run.bytes().map(|b| b - b'0').collect());
    }
    parts
        .iter()
        .map(|part| {
            part.parse().map_err(|_| format!("{part:?} is not the face of a die: type them like 3 5"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn answered(line: &str, pick: &str, text: Option<&str>) {
        assert_eq!(order(line), Order::Answer { pick, text });
    }

    #[test]
    fn answers_with_and_without_words() {
        answered("3", "3", None);
        answered("3)", "3", None);
        answered("3 : she hooks the shield aside", "3", Some("she hooks the shield aside"));
        answered("3: like so: twice", "3", Some("like so: twice"));
        answered("strike king : now", "strike king", Some("now"));
        answered(r#"{"strike":{"on":"@king"}}"#, r#"{"strike":{"on":"@king"}}"#, None);
        answered(r#"{"a":1} : and so"#, r#"{"a":1}"#, Some("and so"));
        answered(r#""pass""#, r#""pass""#, None);
        answered("all : she waits", "all", Some("she waits"));
    }

    #[test]
    fn words_for_the_story() {
        assert_eq!(order(": the bell tolls"), Order::Say("the bell tolls"));
        assert_eq!(order("say the bell tolls"), Order::Say("the bell tolls"));
        assert_eq!(order("\"Stand back!\" she cries"), Order::Say("\"Stand back!\" she cries"));
        assert_eq!(order("\"Stand back"), Order::Say("Stand back"));
        for nothing in ["say", ":", ": ", "\""] {
            assert!(
                matches!(order(nothing), Order::Unclear(why) if why.starts_with("nothing is said")),
                "{nothing}"
            );
        }
    }

    #[test]
    fn orders() {
        assert_eq!(order("@gm 3"), Order::As { who: "gm", rest: "3" });
        assert_eq!(order("for Bo: 3 : so"), Order::For { who: "Bo", rest: "3 : so" });
        assert_eq!(order("for Bo"), Order::For { who: "Bo", rest: "" });
        assert_eq!(order("absent Bo"), Order::Absent("Bo"));
        assert_eq!(order("back Bo"), Order::Present("Bo"));
        assert_eq!(order("back"), Order::Back);
        assert_eq!(order("more"), Order::More);
        assert_eq!(order("/ moss king"), Order::Filter("moss king"));
        assert_eq!(order("/"), Order::Filter(""));
        assert_eq!(order("look as Ana"), Order::LookAs("Ana"));
        assert_eq!(order("look Ana"), Order::Look("Ana"));
        assert_eq!(order("json 3"), Order::Json("3"));
        assert_eq!(order("json"), Order::Json(""));
        assert_eq!(order("undo to 12"), Order::Undo(Some(12)));
        assert_eq!(order("whisper Ben: run"), Order::Whisper { to: "Ben", text: "run" });
        assert!(matches!(order("{\"a\":"), Order::Unclear(_)));
        assert!(matches!(order("undo that"), Order::Unclear(_)));
    }

    #[test]
    fn faces_are_read_as_people_type_them() {
        for typed in ["3 5", "35", "3,5", "3, 5", " 3  5 ", "3+5"] {
            assert_eq!(faces(typed, &[6, 6]), Ok(vec![3, 5]), "{typed}");
        }
        assert_eq!(faces("12", &[20]), Ok(vec![12]));
        assert_eq!(faces("12 4", &[20, 20]), Ok(vec![12, 4]));
        assert_eq!(faces("12", &[20, 20]), Ok(vec![12]), "left to the roll to refuse");
        assert!(faces("three", &[6]).is_err());
        assert!(faces("300", &[100]).is_err());
    }
}
