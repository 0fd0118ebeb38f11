//! A line of the story as data, for programs and webhooks.

use fracas_kernel as kernel;
use fracas_table::{self as table, LineTo, Record, What};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// One line of the story.
#[derive(Serialize, ToSchema)]
pub struct Line {
    /// Its place among the lines that this role sees, from 0 without gaps.
    n: u64,
    /// Its number in the log, to rewind to: for the gamemaster alone.
    seq: Option<u64>,
    /// The kind of the line.
    #[schema(example = "answer")]
    what: &'static str,
    /// Whose it is.
    seat: Option<String>,
    /// Whether the gamemaster answered, or threw, for that seat.
    by_gm: bool,
    /// Why nobody was asked, where nobody was: `standing`, `only`; `late` where a deadline had passed, `gainless` where
    /// there was nothing to gain.
    auto: Option<&'static str>,
    /// Which dice fell.
    dice: Option<String>,
    /// The faces of the dice.
    faces: Vec<u8>,
    /// How the faces came about: `thrown`, `typed`, or `again` as before a rewind.
    thrown: Option<&'static str>,
    /// Whether a note is not for everybody.
    aside: bool,
    /// A standing reply, and whether it was given or taken back.
    reply: Option<Value>,
    /// See `reply`.
    on: Option<bool>,
    /// The events as they were told.
    shown: Vec<Shown>,
    /// The text that a person wrote, in light Markdown.
    text: Option<String>,
    /// Whether it was taken back later.
    struck: bool,
}

/// Something that happened.
#[derive(Serialize, ToSchema)]
struct Shown {
    /// In words.
    text: String,
    /// The clause that says why.
    clause: Option<String>,
    /// Whether a story begins a new paragraph here.
    opens: bool,
    /// Whether it says how something came about (dice, terms, counts), not what happened: a story
    /// folds it.
    working: bool,
    /// The same as data, in the system's own shape, names with an `@`: the kind of event
    /// alone, or an object with the kind as its one key. The gamemaster is sent all of it,
    /// others the fields that the text says; `null` for kinds of which others are sent no
    /// data.
    #[schema(example = json!({ "risk": { "who": "@oren", "amount": 2, "now": 4 } }))]
    event: Option<Value>,
}

impl Line {
    /// The line's texts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.shown.iter().map(|shown| shown.text.as_str()).chain(self.text.as_deref())
    }

    fn blank(line: LineTo, events: Vec<Option<Value>>) -> Line {
        let shown = |(shown, event): (table::ShownText, Option<Value>)| Shown {
            text: shown.text,
            clause: shown.clause,
            opens: shown.opens,
            working: shown.working,
            event,
        };
        Line {
            n: line.n,
            seq: line.seq,
            what: "opened",
            seat: None,
            by_gm: false,
            auto: None,
            dice: None,
            faces: Vec::new(),
            thrown: None,
            aside: false,
            reply: None,
            on: None,
            shown: line.shown.into_iter().zip(events).map(shown).collect(),
            text: line.text,
            struck: line.struck,
        }
    }

    fn of(mut line: LineTo, events: Vec<Option<Value>>) -> Self {
        let what = std::mem::replace(&mut line.what, What::Opened);
        let blank = Line::blank(line, events);
        let named = |seat: kernel::Seat| Some(seat.to_string());
        match what {
            What::Opened => blank,
            What::Answer { seat, by_gm, auto } => {
                let auto = auto.map(|auto| match auto {
                    table::Auto::Standing => "standing",
                    table::Auto::Only => "only",
                    table::Auto::Late => "late",
                    table::Auto::Gainless => "gainless",
                });
                Line { what: "answer", seat: named(seat), by_gm, auto, ..blank }
            }
            What::Roll { whose, by_gm, dice, faces, thrown } => {
                let thrown = match thrown {
                    kernel::Thrown::Thrown => "thrown",
                    kernel::Thrown::Typed => "typed",
                    kernel::Thrown::Again => "again",
                };
                Line { what: "roll", seat: named(whose), by_gm, dice, faces, thrown: Some(thrown), ..blank }
            }
            What::Fiat => Line { what: "fiat", seat: named(kernel::Seat::Gm), ..blank },
            What::Note { by, aside } => Line { what: "note", seat: named(by), aside, ..blank },
            What::Rewind { by } => Line { what: "rewind", seat: named(by), ..blank },
            What::Standing { seat, reply, on } => {
                Line { what: "standing", seat: named(seat), reply: Some(json(&reply)), on: Some(on), ..blank }
            }
        }
    }
}

/// Parses JSON that a game wrote.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// At most `most` lines from line `from`, as this viewer sees them. `count` is the number of
/// lines that they see in all.
pub fn lines(
    table: &table::Table,
    who: kernel::Viewer,
    (count, from): (usize, usize),
    most: usize,
) -> Vec<Line> {
    // Read from the end: callers mostly want the latest lines.
    let fields = (table.system().said)();
    let records = table.log().records().iter().rev();
    let records = records.filter_map(|record| Some((record.to(who)?, record)));
    let mut wanted: Vec<(LineTo, &Record)> = records.take(count.saturating_sub(from)).collect();
    wanted.reverse();
    let numbered = wanted.into_iter().zip(from as u64..).take(most);
    numbered.map(|((line, record), n)| Line::of(LineTo { n, ..line }, record.events(who, fields))).collect()
}
