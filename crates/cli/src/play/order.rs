//! What somebody typed at a prompt, read once.

use serde_json::Value;

/// A line read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Order<'a> {
    /// Nothing: show the ask again.
    Nothing,
    /// An answer, and perhaps words for the story.
    Answer {
        /// A number, JSON, or words of the answer.
        pick: &'a str,
        /// Free text beside it.
        text: Option<&'a str>,
    },
    /// As another seat (or another open ask), perhaps with an order of its own.
    As {
        /// A seat, a name or the number of an ask.
        who: &'a str,
        /// What they say.
        rest: &'a str,
    },
    /// Free text for the story.
    Say(&'a str),
    /// The clause behind something.
    Why(&'a str),
    /// A rewind: to a line, or of the last answer.
    Undo(Option<u64>),
    /// Somebody's card, or everybody's.
    Look(&'a str),
    /// Cards as another seat sees them.
    LookAs(&'a str),
    /// The gamemaster overrules the engine.
    Fiat(&'a str),
    /// Text for one reader.
    Whisper {
        /// Who reads it.
        to: &'a str,
        /// The text.
        text: &'a str,
    },
    /// A note for the seat itself.
    Note(&'a str),
    /// Standing replies.
    Standing(&'a str),
    /// The story so far.
    Story,
    /// A copy of the log.
    Save(&'a str),
    /// The last lines.
    Log(usize),
    /// A listed answer as JSON, or every one.
    Json(&'a str),
    /// The chances of a listed answer, of every one, or of the dice that are due.
    Odds(&'a str),
    /// Every answer.
    All,
    /// The next page of the menu.
    More,
    /// Only answers that hold these words.
    Filter(&'a str),
    /// Back a page, or up one level of the menu.
    Back,
    /// Let the others go on, until further notice.
    Wait,
    /// Be asked again.
    WaitOff,
    /// The gamemaster in a player's place, once, perhaps with an answer.
    For {
        /// A seat or a name.
        who: &'a str,
        /// What is answered.
        rest: &'a str,
    },
    /// A player is not here: the gamemaster answers for them.
    Absent(&'a str),
    /// A player is here again.
    Present(&'a str),
    /// Who sits where, and what is open.
    Seats,
    /// How dice are thrown from here on.
    Dice(&'a str),
    /// What can be typed.
    Help,
    /// Leave.
    Quit,
    /// It cannot be read, and why.
    Unclear(String),
}

impl Order<'_> {
    /// Whether it has nothing to do with what is asked and listed: whoever says it
    /// for another seat goes on where they were.
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
                | Order::Help
        )
    }
}

/// Reads a line.
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
        if line.starts_with('"') {
            return said(line);
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
    // A colon after the word makes it an answer with a text: `all : she waits`.
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
        ("help" | "?", _) => Order::Help,
        ("quit" | "exit" | "q", "") => Order::Quit,
        _ => answer(line),
    }
}

fn said(text: &str) -> Order<'_> {
    match text.trim() {
        "" => Order::Unclear("say TEXT".into()),
        text => Order::Say(text),
    }
}

/// `3 : she hooks the shield aside`, or without the text.
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

/// A JSON value, and the text after a colon.
fn json(line: &str) -> Option<(&str, Option<&str>)> {
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<Value>();
    values.next()?.ok()?;
    let (pick, rest) = line.split_at(values.byte_offset());
    match rest.trim() {
        "" => Some((pick, None)),
        rest => Some((pick, Some(rest.strip_prefix(':')?.trim()))),
    }
}

/// Faces as people type them: `3 5`, `3,5`, or `35` where every die has fewer
/// than ten sides.
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
        assert_eq!(order("\"Stand back"), Order::Say("\"Stand back"));
        assert!(matches!(order("say"), Order::Unclear(_)));
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
