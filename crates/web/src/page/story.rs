//! The story, line by line.

use super::words::{about, and, capital};
use super::{chart::chart, dice, layout::page, rules, scenery};
use crate::markdown;
use fracas_face::plain;
use fracas_kernel::{Seat, Thrown, Viewer, form::Form};
use fracas_live::{course::Course, glance::name};
use fracas_store::TableId;
use fracas_table::{Auto, Detail, Entry, LineTo, Reader, Record, ShownText, Table, What};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// One line as `who` may see it.
pub(crate) fn line(table: &Table, who: Viewer, line: &LineTo) -> Markup {
    let written = line.text.as_deref().filter(|text| !text.trim().is_empty());
    let by = speaker(line);
    // An answer without text is still a line, so that lines keep their places.
    let silent = written.is_none()
        && line.shown.is_empty()
        && matches!(line.what, What::Answer { by_gm: false, .. } | What::Note { .. });
    html! {
        li #{ "line-" (line.n) } .struck[line.struck] hidden[silent] data-by=[answered_by(table, line, who)] {
            @if let (Some(text), Some(by)) = (written, by) { (spoken(table, who, line, by, text)) }
            (happened(table, who, line))
            @if let (true, Some(seq), false) = (who.is_gm(), line.seq, line.struck) {
                @if !matches!(line.what, What::Rewind { .. } | What::Standing { .. }) {
                    button .back type="submit" form="rewind" name="to" value=(seq)
                        title="Go back to right after this" aria-label={ "Go back to right after line " (line.n) } { "↶" }
                    a .fork href={ "gm/from/" (seq) } aria-label={ "What if, after line " (line.n) } { "if?" }
                }
            }
        }
    }
}

/// The seat whose answer a line records, for a viewer who was about to give another.
fn answered_by(table: &Table, line: &LineTo, who: Viewer) -> Option<String> {
    match line.what {
        What::Answer { seat, by_gm: false, auto: None }
            if !line.struck && !line.shown.is_empty() && Viewer::Seat(seat) != who =>
        {
            Some(capital(&name(table, seat)))
        }
        _ => None,
    }
}

/// A line that stands alone, beside the ask.
pub(crate) fn news(table: &Table, who: Viewer, line: &LineTo) -> Markup {
    let written = line.text.as_deref().filter(|text| !text.trim().is_empty());
    html! {
        li {
            @if let (Some(text), Some(by)) = (written, speaker(line)) { (spoken(table, who, line, by, text)) }
            (happened(table, who, line))
        }
    }
}

/// The author of the words beside a line.
fn speaker(line: &LineTo) -> Option<Seat> {
    match line.what {
        What::Note { by, .. } => Some(by),
        What::Answer { seat, by_gm, .. } => Some(if by_gm { Seat::Gm } else { seat }),
        What::Fiat => Some(Seat::Gm),
        _ => None,
    }
}

fn spoken(table: &Table, who: Viewer, line: &LineTo, by: Seat, text: &str) -> Markup {
    html! {
        div .said .gm[by == Seat::Gm] dir="auto" {
            @if by != Seat::Gm { b .by { bdi { (name(table, by)) } } }
            @if let Some(to) = aside(table, who, line) { span .aside { (to) } }
            (markdown::render(text))
            @if who.is_gm() && is_unread(table, line) { p .soft { "Nobody else reads this: they see nothing of what it stands beside." } }
        }
    }
}

/// Whether only the gamemaster reads the words beside an answer or a fiat.
fn is_unread(table: &Table, line: &LineTo) -> bool {
    let beside = matches!(line.what, What::Answer { .. } | What::Fiat);
    let record = record(table, line).filter(|_| beside);
    let others = table.game().seats().into_iter().map(|info| info.seat).filter(|seat| *seat != Seat::Gm);
    record.is_some_and(|record| others.map(Viewer::Seat).all(|who| record.to(who).is_none()))
}

/// The readers of a note that is not for everybody. The gamemaster reads their names; other
/// viewers read only that not all see it.
fn aside(table: &Table, who: Viewer, line: &LineTo) -> Option<String> {
    let What::Note { by, aside: true } = line.what else { return None };
    let record = record(table, line);
    Some(match record.map(|record| &record.entry) {
        Some(Entry::Note(note)) => match &note.to {
            Reader::Seats(to) => {
                let names: Vec<String> = to.iter().map(|seat| name(table, *seat)).collect();
                format!("to {}", and(&names))
            }
            _ if by == Seat::Gm => "a note to yourself".to_owned(),
            _ => "to you alone".to_owned(),
        },
        _ if Viewer::Seat(by) == who => "not for everybody".to_owned(),
        _ => "to you, and not for everybody".to_owned(),
    })
}

/// The log's record of a line, for the gamemaster, who alone is sent its number.
fn record<'t>(table: &'t Table, line: &LineTo) -> Option<&'t Record> {
    let records = table.log().records();
    records.binary_search_by_key(&line.seq?, |record| record.seq).ok().map(|at| &records[at])
}

/// A standing reply in words that stay the same as play goes on: a line that is told otherwise later would
/// tell of what happened meanwhile.
fn stood_by(table: &Table, seat: Seat, reply: &str) -> String {
    let game = table.game();
    let words = game.standing_told(seat, reply, false).or_else(|| Form::tell(&game.standing_forms(), reply));
    words.map_or_else(|| reply.to_owned(), |words| format!("\u{201c}{words}\u{201d}"))
}

fn happened(table: &Table, who: Viewer, line: &LineTo) -> Markup {
    let system = table.system();
    html! {
        @match &line.what {
            What::Opened => {
                p .mech { "The table is opened." }
                @if let Some(words) = about(table, who).begins() { p dir="auto" { (words) } }
            },
            What::Roll { whose, by_gm, dice: rolled, faces, thrown } => {
                @if rolled.is_none() || faces.is_empty() {
                    p .mech { "Dice fall where you cannot see them." }
                } @else if *by_gm || *thrown != Thrown::Thrown {
                    p .mech .soft {
                        @if *by_gm { bdi { (thrower(table, *whose, true)) } } @if *by_gm && *thrown != Thrown::Thrown { ": " }
                        (how(*thrown))
                    }
                }
            },
            What::Fiat => p .mech dir="auto" {
                b { (gamemaster(table)) " overrules." }
                @for (shown, text) in line.shown.iter().filter_map(|shown| Some((shown, plain::overruled(&shown.text)?))) {
                    " " (text)
                    @if let Some(clause) = &shown.clause { " " (rules::link(system, clause, "why")) }
                }
            },
            What::Rewind { by } => p .mech { b { bdi { (capital(&name(table, *by))) } " takes something back." } },
            What::Standing { seat, reply, on } => p .mech .soft {
                bdi { (capital(&name(table, *seat))) } @if *on { " stands by " } @else { " no longer stands by " } bdi { (stood_by(table, *seat, reply)) } "."
            },
            What::Answer { seat, by_gm: true, .. } => p .mech .soft { (gamemaster(table)) " answers for " bdi { (name(table, *seat)) } "." },
            What::Answer { .. } | What::Note { .. } => {},
        }
        (told(table, line))
    }
}

/// The events of a line: what happened as prose, and folded beside it how that came about.
fn told(table: &Table, line: &LineTo) -> Markup {
    let is_said =
        |shown: &&ShownText| matches!(line.what, What::Fiat) && plain::overruled(&shown.text).is_some();
    let shown: Vec<&ShownText> = line.shown.iter().filter(|shown| !is_said(shown)).collect();
    let paragraphs = paragraphs(&shown);
    html! {
        @for (n, paragraph) in paragraphs.iter().enumerate() {
            p .mech .opens[paragraph[0].opens] dir="auto" {
                @for (n, event) in paragraph.iter().enumerate() { @if n > 0 { " " } (event.text) }
                @if n == 0 { (unasked(line)) }
            }
        }
        (workings(table, line, &shown))
    }
}

/// What happened, in paragraphs.
fn paragraphs<'l>(shown: &[&'l ShownText]) -> Vec<Vec<&'l ShownText>> {
    let mut paragraphs: Vec<Vec<&ShownText>> = Vec::new();
    for &event in shown.iter().filter(|event| !event.working) {
        match paragraphs.last_mut() {
            Some(paragraph) if !event.opens => paragraph.push(event),
            _ => paragraphs.push(vec![event]),
        }
    }
    paragraphs
}

/// The last paragraph of what happened.
fn last_paragraph(line: &LineTo) -> Option<String> {
    let shown: Vec<&ShownText> = line.shown.iter().collect();
    let text = |event: &ShownText| match line.what {
        What::Fiat => plain::overruled(&event.text).unwrap_or(&event.text).to_owned(),
        _ => event.text.clone(),
    };
    let last = paragraphs(&shown).pop()?;
    Some(last.into_iter().map(text).collect::<Vec<_>>().join(" "))
}

/// What came of dice in a sentence: what happened, else what they came to.
pub(super) fn outcome(line: &LineTo) -> Option<String> {
    let came_to = || line.shown.iter().rfind(|event| event.working).map(|event| event.text.clone());
    last_paragraph(line).or_else(came_to)
}

/// The end of a line without rules, counts and links: words, and what happened.
pub(super) fn brief(table: &Table, line: &LineTo) -> Markup {
    let written = line.text.as_deref().filter(|text| !text.trim().is_empty());
    html! {
        @if let (Some(text), Some(by)) = (written, speaker(line)) {
            div .said dir="auto" {
                @if by != Seat::Gm { b .by { bdi { (name(table, by)) } } }
                (markdown::render(text))
            }
        }
        @if let What::Rewind { by } = line.what { p { bdi { (capital(&name(table, by))) } " takes something back." } }
        @if let Some(words) = last_paragraph(line) { p dir="auto" { (words) } }
    }
}

/// Why nobody was asked for an answer.
fn unasked(line: &LineTo) -> Markup {
    let What::Answer { auto: Some(auto), .. } = line.what else { return html! {} };
    let why = match auto {
        Auto::Standing => "standing reply",
        Auto::Late => "the table had waited long enough",
        Auto::Gainless => "declined for you",
        Auto::Only => return html! {},
    };
    html! { span .soft { " (" (why) ")" } }
}

/// How a line came about: its dice and what it came to, and unfolded each step with its rule.
fn workings(table: &Table, line: &LineTo, shown: &[&ShownText]) -> Markup {
    let system = table.system();
    let dice = match &line.what {
        What::Roll { dice: Some(rolled), faces, .. } if !faces.is_empty() => Some((rolled, faces)),
        _ => None,
    };
    let result = shown.iter().rfind(|event| event.working);
    let why: Vec<&&ShownText> =
        shown.iter().filter(|event| event.working || event.clause.is_some()).collect();
    let chip = html! {
        @if let Some((rolled, faces)) = dice { (dice::thrown(rolled, faces, system.ordered)) " " }
        @if let Some(result) = result { bdi { (result.text.trim_end_matches('.')) } }
        @else if dice.is_none() { "why" }
        @else if let What::Roll { whose, .. } = line.what && whose != Seat::Chance { bdi { (capital(&name(table, whose))) } }
    };
    html! {
        @if why.is_empty() {
            @if dice.is_some() { p .result { (chip) } }
        } @else {
            details .how {
                summary .result .only-why[result.is_none() && dice.is_none()] { (chip) }
                ul {
                    @for event in why {
                        li dir="auto" {
                            (event.text)
                            @if let Some(clause) = &event.clause { " " (rules::link(system, clause, "why")) }
                        }
                    }
                }
            }
        }
    }
}

/// The gamemaster in the game's own word, to begin a sentence.
fn gamemaster(table: &Table) -> String {
    capital(&name(table, Seat::Gm))
}

/// Who threw: a seat, or the gamemaster for it.
fn thrower(table: &Table, whose: Seat, by_gm: bool) -> String {
    let name = name(table, whose);
    if by_gm { format!("{} for {name}", gamemaster(table)) } else { capital(&name) }
}

fn how(thrown: Thrown) -> &'static str {
    match thrown {
        Thrown::Thrown => "",
        Thrown::Typed => "real dice, typed in",
        Thrown::Again => "as before it was taken back",
    }
}

/// A line as text to be read aloud.
pub(crate) fn said(table: &Table, who: Viewer, line: &LineTo) -> String {
    let mut said = Vec::new();
    if line.struck {
        return String::new();
    }
    if let (Some(text), Some(by)) = (&line.text, speaker(line)) {
        let aside = aside(table, who, line).map(|to| format!(" ({to})")).unwrap_or_default();
        said.push(format!("{}{aside}: {text}", capital(&name(table, by))));
    }
    match &line.what {
        What::Roll { whose, by_gm, faces, .. } if !faces.is_empty() && line.shown.is_empty() => {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            said.push(format!("{} rolls {}.", thrower(table, *whose, *by_gm), faces.join(", ")));
        }
        What::Roll { whose, by_gm: true, .. } => {
            said.push(format!("{} throws for {}.", gamemaster(table), name(table, *whose)));
        }
        What::Answer { seat, by_gm: true, .. } => {
            said.push(format!("{} answers for {}.", gamemaster(table), name(table, *seat)));
        }
        _ => {}
    }
    said.extend(line.shown.iter().map(|shown| shown.text.clone()));
    said.join(" ")
}

/// The story of a table, to read or print.
pub(crate) struct Story<'p> {
    /// The address of the viewer's page.
    pub(crate) base: &'p str,
    pub(crate) title: &'p str,
    pub(crate) head: StoryHead,
    pub(crate) detail: Detail,
    /// The story, as Markdown.
    pub(crate) written: &'p str,
}

/// The picture of the place, the words that open the story, and the names of those in it.
pub(crate) struct StoryHead {
    picture: Markup,
    opening: Option<String>,
    cast: Vec<String>,
}

/// Where a story is read. A file needs nothing else, so its picture is drawn.
#[derive(Clone, Copy)]
pub(crate) enum For {
    Page,
    File,
}

impl StoryHead {
    /// As this viewer may know it.
    pub(crate) fn of(table: &Table, who: Viewer, to: For) -> StoryHead {
        let about = about(table, who);
        let (title, system) = (&table.log().header().title, table.system().id);
        let picture = match to {
            For::Page => scenery::picture(title, &about, system),
            For::File => scenery::drawn(title, &about, system),
        };
        let sides = table.game().stage(who, &[]).sides;
        let cast = sides.into_iter().flat_map(|side| side.tokens).map(|token| token.name);
        StoryHead {
            picture,
            opening: Some(about.opening).filter(|words| !words.is_empty()),
            cast: cast.take(IN_A_ROW).collect(),
        }
    }
}

/// The most emblems above a story.
const IN_A_ROW: usize = 24;

impl Story<'_> {
    /// The title and the cast, the opening words, and what happened.
    fn text(&self) -> Markup {
        // The title and the cast stand above a line, the story below.
        let (heading, body) = self.written.split_once("\n---\n").unwrap_or(("", self.written));
        html! {
            (markdown::render_own(heading))
            @if !self.head.cast.is_empty() {
                // The text above names them.
                div .cast aria-hidden="true" { @for (n, name) in self.head.cast.iter().enumerate() { span title=(name) { (scenery::emblem(name, &format!("cast-{n}"))) } } }
            }
            @if let Some(words) = &self.head.opening { p .opening dir="auto" { (words) } }
            (markdown::render_own(body))
        }
    }
}

/// The story as a file that needs nothing else: its picture, emblems and styles are in it.
pub(crate) fn story_file(story: &Story<'_>) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                // Beyond the server its policy does not hold.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { (story.title) }
                style { (PreEscaped(include_str!("story.css"))) }
            }
            body { main { div .cover { (story.head.picture) } (story.text()) } }
        }
    }
}

/// The whole story, with the chart of the fight.
pub(crate) fn story(story: &Story<'_>, course: &Course, next: Option<&TableId>) -> Markup {
    let ways = Detail::ALL.map(|detail| {
        let words = match detail {
            Detail::Prose => "Prose",
            Detail::Results => "With results",
            Detail::Everything => "Everything",
        };
        (detail, words)
    });
    page(
        story.title,
        "plain story-page",
        html! {
            main .sheet .prose {
                p .on-screen { a href=(story.base) { "← The table" } " · " a href="/" { "Your tables" } }
                div .cover { (story.head.picture) }
                nav .telling .on-screen aria-label="How much is told" {
                    @for (detail, words) in ways {
                        a href={ (story.base) "/story?detail=" (detail.name()) } aria-current=[(detail == story.detail).then_some("page")] { (words) }
                    }
                    a .save href={ (story.base) "/story.html?detail=" (story.detail.name()) } download { "Save as a file" }
                    a .save href={ (story.base) "/story.md?detail=" (story.detail.name()) } download { "Save as text" }
                }
                (story.text())
                @if let Some(next) = next { p .on-screen { a href={ "/t/" (next) } { "How we go on, at another table" } } }
                (chart(course))
            }
        },
    )
}
