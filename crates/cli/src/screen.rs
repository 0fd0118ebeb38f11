//! Standard output: wrapped, coloured, and without control characters.
//!
//! Text from a table may come from anybody, so control characters are removed. Long lines are
//! wrapped at words.

use anstyle::AnsiColor;
pub(crate) use anstyle::Style;
use fracas_face::plain;
use std::io::{self, IsTerminal, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Ordinary text.
pub(crate) const PLAIN: Style = Style::new();
/// Headings, and whose turn it is.
pub(crate) const STRONG: Style = Style::new().bold();
/// Details: clause ids, line numbers, hints.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Text to type.
pub(crate) const KEY: Style = AnsiColor::Cyan.on_default();
/// Alarms, refusals, failures.
pub(crate) const ALARM: Style = AnsiColor::Red.on_default().bold();
/// Dice.
pub(crate) const DICE: Style = AnsiColor::Yellow.on_default();
/// A check that passed.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();

/// A paragraph of styled text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text(Vec<(Style, String)>);

impl Text {
    /// One run of plain text.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Text::default().and(PLAIN, text)
    }

    /// One run in a style.
    pub(crate) fn of(style: Style, text: impl Into<String>) -> Self {
        Text::default().and(style, text)
    }

    /// Adds a run; the caller adds the spaces between runs.
    #[must_use]
    pub(crate) fn and(mut self, style: Style, text: impl Into<String>) -> Self {
        self.0.push((style, text.into()));
        self
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds another text.
    #[must_use]
    pub(crate) fn then(mut self, other: Text) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The text, all in one style.
    #[must_use]
    pub(crate) fn all(mut self, style: Style) -> Self {
        self.0.iter_mut().for_each(|(s, _)| *s = style);
        self
    }
}

/// A paragraph after a label, its later lines indented.
pub(crate) struct Paragraph {
    label: Text,
    indent: usize,
    text: Text,
}

impl Paragraph {
    /// One with its label, later lines indented by `indent`.
    pub(crate) const fn new(label: Text, indent: usize, text: Text) -> Paragraph {
        Paragraph { label, indent, text }
    }
}

/// Standard output.
pub(crate) struct Screen {
    out: Box<dyn Write>,
    width: usize,
    /// The height in lines, where it is known.
    height: Option<usize>,
    terminal: bool,
    /// Output that is held back, to be shown page by page.
    held: Option<Vec<u8>>,
}

impl Screen {
    /// Standard output: colour only at a terminal that wants it.
    pub(crate) fn stdout() -> Self {
        let terminal = io::stdout().is_terminal();
        Screen { out: Box::new(anstream::stdout()), width: width(), height: height(), terminal, held: None }
    }

    /// Where the output goes now.
    fn to(&mut self) -> &mut dyn Write {
        match &mut self.held {
            Some(held) => held,
            None => &mut self.out,
        }
    }

    /// Holds the output back from here on.
    pub(crate) fn hold(&mut self) {
        self.held = Some(Vec::new());
    }

    /// The lines that were held back; the output is shown again from here on.
    pub(crate) fn held(&mut self) -> Vec<String> {
        let held = self.held.take().unwrap_or_default();
        String::from_utf8_lossy(&held).lines().map(str::to_owned).collect()
    }

    /// The height in lines, where it is known.
    pub(crate) const fn height(&self) -> Option<usize> {
        self.height
    }

    /// How many lines a paragraph takes.
    pub(crate) fn lines_of(&self, label: &Text, indent: usize, text: &Text) -> usize {
        lines(label, indent, text, self.width).len()
    }

    /// A screen that keeps its output, and a reader for that output.
    #[cfg(test)]
    pub(crate) fn kept() -> (Self, tests::Kept) {
        let kept = tests::Kept::default();
        let out = anstream::StripStream::new(Box::new(kept.clone()) as Box<dyn Write>);
        (Screen { out: Box::new(out), width: 80, height: None, terminal: false, held: None }, kept)
    }

    /// The same, as if so many lines high.
    #[cfg(test)]
    pub(crate) fn of_height(self, height: usize) -> Self {
        Screen { height: Some(height), ..self }
    }

    /// Whether a person reads the output at a terminal.
    pub(crate) const fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// An empty line.
    pub(crate) fn blank(&mut self) -> io::Result<()> {
        writeln!(self.to())
    }

    /// A paragraph.
    pub(crate) fn say(&mut self, text: &Text) -> io::Result<()> {
        self.hang(&Text::default(), 0, text)
    }

    /// A paragraph in one style.
    pub(crate) fn tell(&mut self, style: Style, text: &str) -> io::Result<()> {
        for line in text.lines() {
            self.say(&Text::of(style, line))?;
        }
        Ok(())
    }

    /// A paragraph after a label, its later lines indented by `indent`.
    pub(crate) fn hang(&mut self, label: &Text, indent: usize, text: &Text) -> io::Result<()> {
        for line in fold(label, indent, text, self.width) {
            writeln!(self.to(), "{line}")?;
        }
        Ok(())
    }

    /// Two columns of paragraphs; on a narrow screen, or where one is empty, one below the other.
    pub(crate) fn beside(&mut self, left: &[Paragraph], right: &[Paragraph]) -> io::Result<()> {
        let is_narrow = self.width < COLUMNS || left.is_empty() || right.is_empty();
        if is_narrow {
            for Paragraph { label, indent, text } in left.iter().chain(right) {
                self.hang(label, *indent, text)?;
            }
            return Ok(());
        }
        let half = self.width / 2 - 1;
        let column = |all: &[Paragraph]| -> Vec<Line> {
            all.iter().flat_map(|one| lines(&one.label, one.indent, &one.text, half)).collect()
        };
        let (mut left, right) = (column(left), column(right));
        left.resize_with(left.len().max(right.len()), Line::default);
        for (nth, mut line) in left.into_iter().enumerate() {
            if let Some(other) = right.get(nth) {
                line.pad(half + 2);
                other.runs.iter().for_each(|(style, run)| line.push(*style, run));
            }
            writeln!(self.to(), "{}", line.paint())?;
        }
        Ok(())
    }

    /// The width in columns.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// A paragraph after a label, as much of it as fits on one line.
    pub(crate) fn brief(&mut self, label: &Text, indent: usize, text: &Text) -> io::Result<()> {
        let whole = fold(label, indent, text, self.width);
        match &whole[..] {
            [only] => writeln!(self.to(), "{only}"),
            _ => {
                let cut = fold(label, indent, text, self.width - 4);
                writeln!(self.to(), "{} ...", cut.first().map_or("", String::as_str))
            }
        }
    }

    /// Text without changes: Markdown, JSON, a path to copy.
    pub(crate) fn raw(&mut self, text: &str) -> io::Result<()> {
        self.to().write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            writeln!(self.to())?;
        }
        Ok(())
    }

    /// A value as JSON.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let text = serde_json::to_string_pretty(value)?;
        self.raw(&text)
    }

    /// Text from a table, not wrapped, without control characters.
    pub(crate) fn verbatim(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            writeln!(self.to(), "{}", clean(line))?;
        }
        Ok(())
    }

    /// Markdown: unchanged for programs and files, wrapped for people.
    pub(crate) fn markdown(&mut self, text: &str) -> io::Result<()> {
        if !self.terminal {
            return self.verbatim(text);
        }
        for line in text.lines() {
            match line.strip_prefix("> ") {
                Some(quoted) => self.hang(&Text::of(FAINT, "  "), 2, &Text::of(FAINT, unescaped(quoted)))?,
                None => self.say(&Text::plain(unescaped(line.strip_prefix('>').unwrap_or(line))))?,
            }
        }
        Ok(())
    }

    /// A prompt or its echo, without a line end.
    pub(crate) fn prompt(&mut self, text: &str) -> io::Result<()> {
        write!(self.out, "{KEY}{}{KEY:#}", clean(text))?;
        self.out.flush()
    }

    /// Clears the terminal with its scrollback. In a pipe, prints a rule.
    pub(crate) fn wipe(&mut self) -> io::Result<()> {
        if self.terminal {
            write!(self.out, "\x1b[2J\x1b[3J\x1b[H")?;
            self.out.flush()
        } else {
            let rule = "-".repeat(self.width);
            writeln!(self.to(), "{rule}")
        }
    }

    /// Flushes the output.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Markdown without its backslash escapes.
fn unescaped(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(mark) if c == '\\' && mark.is_ascii_punctuation() => text.extend(chars.next()),
            _ => text.push(c),
        }
    }
    text
}

/// From this width on two columns stand beside each other.
const COLUMNS: usize = 72;

/// The width in columns: `COLUMNS` if it is set, else the terminal's; between 40 and 100.
fn width() -> usize {
    let stated = std::env::var("COLUMNS").ok().and_then(|c| c.trim().parse::<usize>().ok());
    let found = || terminal_size::terminal_size_of(io::stdout()).map(|(w, _)| usize::from(w.0));
    stated.or_else(found).unwrap_or(80).clamp(40, 100)
}

/// The height in lines: `LINES` if it is set, else the terminal's.
fn height() -> Option<usize> {
    let stated = std::env::var("LINES").ok().and_then(|lines| lines.trim().parse::<usize>().ok());
    let found = || terminal_size::terminal_size_of(io::stdout()).map(|(_, h)| usize::from(h.0));
    stated.or_else(found).map(|lines| lines.max(12))
}

/// A field of CSV. One that a spreadsheet would take for a formula begins with an apostrophe.
pub(crate) fn csv(text: &str) -> String {
    let safe = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() };
    if safe.contains([',', '"', '\n', '\r']) { format!("\"{}\"", safe.replace('"', "\"\"")) } else { safe }
}

/// Text on one line, without characters that could control a terminal or reorder the line.
pub(crate) fn clean(text: &str) -> String {
    let shown = |c| if plain::is_plain(c) { c } else { plain::STAND_IN };
    text.chars().map(|c| if c == '\t' { ' ' } else { shown(c) }).collect()
}

/// A word: styled pieces that stay on one line.
type Word = Vec<(Style, String)>;

fn words(text: &Text) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    for (style, run) in &text.0 {
        let run = clean(&run.replace('\n', " "));
        for (i, piece) in run.split(' ').enumerate() {
            if i > 0 {
                open = false;
            }
            if piece.is_empty() {
                continue;
            }
            if !open {
                words.push(Word::new());
                open = true;
            }
            if let Some(word) = words.last_mut() {
                word.push((*style, piece.to_owned()));
            }
        }
    }
    words
}

fn breadth(word: &Word) -> usize {
    word.iter().map(|(_, piece)| piece.width()).sum()
}

/// Splits a word that is wider than a line.
fn part(word: Word, most: usize) -> Vec<Word> {
    if breadth(&word) <= most {
        return vec![word];
    }
    let mut parts = vec![Word::new()];
    let mut used = 0;
    for (style, piece) in word {
        let mut now = String::new();
        for c in piece.chars() {
            let w = c.width().unwrap_or(0);
            if used + w > most {
                if let Some(last) = parts.last_mut() {
                    last.push((style, std::mem::take(&mut now)));
                }
                parts.push(Word::new());
                used = 0;
            }
            now.push(c);
            used += w;
        }
        if let Some(last) = parts.last_mut() {
            last.push((style, now));
        }
    }
    parts
}

/// Wraps a labelled paragraph at `width` columns.
fn fold(label: &Text, indent: usize, text: &Text, width: usize) -> Vec<String> {
    lines(label, indent, text, width).iter().map(Line::paint).collect()
}

fn lines(label: &Text, indent: usize, text: &Text, width: usize) -> Vec<Line> {
    let indent = indent.min(width / 2);
    let mut line = Line::default();
    for (style, run) in &label.0 {
        line.push(*style, &clean(run));
    }
    line.pad(indent);
    let mut lines = Vec::new();
    let mut fresh = true;
    for word in words(text).into_iter().flat_map(|w| part(w, width.saturating_sub(indent).max(8))) {
        let gap = usize::from(!fresh);
        if line.used + gap + breadth(&word) > width && line.used > indent {
            lines.push(std::mem::take(&mut line));
            line.pad(indent);
            fresh = true;
        }
        if !fresh {
            // A space within a run has the run's style.
            let before = line.runs.last().map_or(PLAIN, |(style, _)| *style);
            let after = word.first().map_or(PLAIN, |(style, _)| *style);
            line.push(if before == after { after } else { PLAIN }, " ");
        }
        for (style, piece) in &word {
            line.push(*style, piece);
        }
        fresh = false;
    }
    lines.push(line);
    lines
}

/// The line that words are added to.
#[derive(Default)]
struct Line {
    runs: Vec<(Style, String)>,
    used: usize,
}

impl Line {
    fn push(&mut self, style: Style, text: &str) {
        self.used += text.width();
        match self.runs.last_mut() {
            Some((last, run)) if *last == style => run.push_str(text),
            _ => self.runs.push((style, text.to_owned())),
        }
    }

    fn pad(&mut self, to: usize) {
        if self.used < to {
            self.push(PLAIN, &" ".repeat(to - self.used));
        }
    }

    fn paint(&self) -> String {
        let mut painted = String::new();
        for (i, (style, run)) in self.runs.iter().enumerate() {
            let run = if i + 1 == self.runs.len() { run.trim_end() } else { run };
            if *style == PLAIN {
                painted.push_str(run);
            } else {
                painted.push_str(&format!("{style}{run}{style:#}"));
            }
        }
        painted
    }
}

/// `1 answer`, `2 answers`.
pub(crate) fn some(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::{cell::RefCell, rc::Rc};

    /// The output of a screen.
    #[derive(Clone, Default)]
    pub(crate) struct Kept(Rc<RefCell<Vec<u8>>>);

    impl Kept {
        /// The output as text.
        pub(crate) fn text(&self) -> String {
            String::from_utf8_lossy(&self.0.borrow()).into_owned()
        }
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_is_written_for_a_spreadsheet_cannot_run_there() {
        assert_eq!(csv("Oren; Ilka"), "Oren; Ilka");
        assert_eq!(csv("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(csv("=1+1"), "'=1+1");
    }

    #[test]
    fn folds_at_words_and_hangs() {
        let lines = fold(&Text::plain(" 1  "), 4, &Text::plain("she hooks the shield aside and laughs"), 20);
        assert_eq!(lines, [" 1  she hooks the", "    shield aside and", "    laughs"]);
    }

    #[test]
    fn a_story_is_folded_at_words_for_people_alone() {
        let story = format!("# Title\n\n> {}\n>\n> 12\\. \\*not\\*\n", "some words ".repeat(20).trim_end());
        let (mut screen, kept) = Screen::kept();
        screen.markdown(&story).expect("written");
        assert_eq!(kept.text(), story);
        let (mut screen, kept) = Screen::kept();
        screen.terminal = true;
        screen.markdown(&story).expect("written");
        let text = kept.text();
        assert!(text.lines().all(|line| line.len() <= 80 && !line.ends_with("wor")), "{text}");
        assert!(text.starts_with("# Title\n\n  some words") && text.ends_with("\n\n  12. *not*\n"), "{text}");
    }

    #[test]
    fn held_output_is_shown_when_it_is_asked_for() {
        let (mut screen, kept) = Screen::kept();
        screen.hold();
        screen.say(&Text::plain("one")).expect("written");
        screen.raw("two").expect("written");
        assert_eq!((kept.text().as_str(), screen.held()), ("", vec!["one".to_owned(), "two".to_owned()]));
        screen.blank().expect("written");
        assert_eq!((kept.text().as_str(), screen.held().len()), ("\n", 0));
    }

    #[test]
    fn a_brief_line_is_one_line() {
        let (mut screen, kept) = Screen::kept();
        screen.brief(&Text::plain(" 1  "), 4, &Text::plain("short")).expect("written");
        screen.brief(&Text::plain(" 2  "), 4, &Text::plain("long ".repeat(40))).expect("written");
        let text = kept.text();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.ends_with("long ...\n") && text.lines().all(|line| line.len() <= 80), "{text}");
    }

    #[test]
    fn a_style_may_end_in_mid_word() {
        let lines = fold(&Text::default(), 0, &Text::of(STRONG, "Ana").and(PLAIN, ": your turn"), 80);
        assert_eq!(lines, [format!("{STRONG}Ana{STRONG:#}: your turn")]);
    }

    #[test]
    fn an_endless_word_is_parted() {
        let lines = fold(&Text::default(), 2, &Text::plain("x".repeat(50)), 20);
        assert!(lines.iter().all(|l| l.width() <= 20), "{lines:?}");
        assert_eq!(lines.concat().matches('x').count(), 50);
    }

    #[test]
    fn nothing_commands_the_terminal() {
        assert_eq!(clean("a\x1b[31mb\u{202e}c"), "a\u{fffd}[31mb\u{fffd}c");
    }
}
