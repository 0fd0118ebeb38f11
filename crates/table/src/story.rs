//! The story of a game, as Markdown.

use crate::{Entry, LineTo, Log, Note, Reader, What};
use fracas_kernel::{Seat, Viewer};

/// A paragraph of events with more characters than this ends at the next line of the log.
const PARAGRAPH: usize = 300;

/// How much of what happened a story tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// What happened, without how it came about.
    Prose,
    /// Also, of each line that says what happened, the last of its
    /// [workings](crate::ShownText::working).
    Results,
    /// Every event and all dice.
    Everything,
}

impl Detail {
    /// All of them, with the least first.
    pub const ALL: [Detail; 3] = [Detail::Prose, Detail::Results, Detail::Everything];

    /// Its name in addresses and arguments.
    pub fn name(self) -> &'static str {
        match self {
            Detail::Prose => "prose",
            Detail::Results => "results",
            Detail::Everything => "everything",
        }
    }

    /// The one with this name.
    ///
    /// # Errors
    /// If there is none; the message lists the names.
    pub fn named(name: &str) -> Result<Detail, String> {
        let found = Detail::ALL.into_iter().find(|detail| detail.name() == name);
        found.ok_or_else(|| format!("the detail of a story is prose, results or everything, not {name:?}"))
    }

    /// The sentences of a line that this tells, as Markdown, and whether each begins a paragraph.
    fn sentences(self, line: &LineTo) -> Vec<(String, bool)> {
        let is_all = self == Detail::Everything;
        if line.shown.is_empty() {
            let faces = faces(line).filter(|_| is_all);
            return faces.map(|faces| (sentence(&plain(&faces)), false)).into_iter().collect();
        }
        // Steps alone come to nothing that is told.
        let with_result = self == Detail::Results && line.shown.iter().any(|shown| !shown.working);
        let last = line.shown.iter().rposition(|shown| shown.working && with_result);
        let sentences = line.shown.iter().enumerate().filter_map(|(n, shown)| match shown.text.trim() {
            "" => None,
            text if is_all || !shown.working => Some((sentence(&plain(text)), shown.opens)),
            text => (last == Some(n)).then(|| (code(text.trim_end_matches('.')), shown.opens)),
        });
        sentences.collect()
    }
}

impl Log {
    /// The story as `who` may know it: people's text as prose, and the events as short
    /// paragraphs, quoted if everything is told. Struck lines are left out.
    pub fn story(&self, who: Viewer, detail: Detail) -> String {
        let header = self.header();
        let mut story = format!("# {}\n", plain(&header.title));
        if !header.label.is_empty() {
            story.push_str(&format!("\n*{}*\n", plain(&header.label)));
        }
        let cast: Vec<String> = self
            .cast()
            .iter()
            .filter(|seat| !seat.plays.is_empty())
            .map(|seat| {
                let plays: Vec<String> = seat.plays.iter().map(|name| plain(name)).collect();
                format!("{} as {}", plain(&seat.name), and(&plays))
            })
            .collect();
        if !cast.is_empty() {
            story.push_str(&format!("\nWith {}.\n", and(&cast)));
        }
        story.push_str("\n---\n");
        // The events since the last prose: one paragraph for each turn, and several for a
        // long turn.
        let mut quoted: Vec<String> = Vec::new();
        for line in self.lines_to(who).filter(|line| !line.struck) {
            if let Some(text) = line.text.as_deref().filter(|text| !text.trim().is_empty()) {
                close(&mut story, &mut quoted, detail);
                story.push_str(&self.prose(&line, text));
            }
            let mut sentences = detail.sentences(&line);
            let stood_in = stood_in_for(&line.what).filter(|_| detail == Detail::Everything);
            match (stood_in, sentences.first_mut()) {
                (Some(seat), Some((first, _))) => {
                    let (gm, seat) = (plain(&self.player(Seat::Gm)), plain(&self.player(seat)));
                    *first = format!("The {gm} for {seat}: {first}");
                }
                (Some(seat), None) => {
                    let (gm, seat) = (plain(&self.player(Seat::Gm)), plain(&self.player(seat)));
                    sentences.push((format!("The {gm} answers for {seat}."), false));
                }
                (None, _) => {}
            }
            let mut full = quoted.last().is_some_and(|paragraph| paragraph.chars().count() > PARAGRAPH);
            for (text, opens) in sentences {
                match quoted.last_mut() {
                    Some(paragraph) if !opens && !full => {
                        paragraph.push(' ');
                        paragraph.push_str(&text);
                    }
                    _ => quoted.push(text),
                }
                full = false;
            }
        }
        close(&mut story, &mut quoted, detail);
        // The hash changes with lines that others may not know of.
        if let Some(chain) = self.chain_end().filter(|_| who.is_gm()) {
            let lines = self.next();
            story.push_str(&format!(
                "\n---\n\n*The log has {lines} lines. The last one's hash is {chain}.*\n"
            ));
        }
        story
    }

    /// The name of a seat's player.
    fn player(&self, seat: Seat) -> String {
        let cast = self.cast().into_iter().find(|cast| cast.seat == seat);
        cast.map_or_else(|| seat.to_string(), |cast| cast.name)
    }

    /// The readers of a note that is not for everybody. Only the gamemaster sees who they
    /// are.
    fn aside(&self, line: &LineTo) -> Option<String> {
        let What::Note { by, aside: true } = line.what else { return None };
        let record = line.seq.and_then(|seq| self.get(seq));
        Some(match record.map(|record| &record.entry) {
            Some(Entry::Note(Note { to: Reader::Seats(to), .. })) => {
                let names: Vec<String> = to.iter().map(|seat| self.player(*seat)).collect();
                format!("to {} alone", and(&names))
            }
            Some(_) if by == Seat::Gm => format!("a note of the {}'s own", self.player(Seat::Gm)),
            Some(_) => format!("to the {} alone", self.player(Seat::Gm)),
            None => "not for everybody".to_owned(),
        })
    }

    /// A person's text: the gamemaster's as narration, a player's as speech.
    fn prose(&self, line: &LineTo, text: &str) -> String {
        let by = match line.what {
            What::Note { by, .. } => by,
            What::Answer { seat, by_gm: false, .. } => seat,
            _ => Seat::Gm,
        };
        let who = match by {
            Seat::Gm => String::new(),
            by => format!("**{}:** ", plain(&self.player(by))),
        };
        let who = match self.aside(line) {
            Some(aside) => format!("*({})* {who}", plain(&aside)),
            None => who,
        };
        let mut prose = String::new();
        for (i, paragraph) in text.trim().split("\n\n").enumerate() {
            let lines: Vec<String> = paragraph.trim().lines().map(|line| light(line.trim())).collect();
            // A list must begin on a line of its own below the name.
            let apart = if lines.first().is_some_and(|line| is_listed(line)) { "\n\n" } else { "" };
            let who = if i == 0 && !who.is_empty() { format!("{who}{apart}") } else { String::new() };
            prose.push_str(&format!("\n{who}{}\n", lines.join("  \n")));
        }
        prose
    }
}

/// Writes the paragraphs of events, as a quotation if everything is told, and clears them.
fn close(story: &mut String, paragraphs: &mut Vec<String>, detail: Detail) {
    for (i, paragraph) in paragraphs.drain(..).enumerate() {
        if detail != Detail::Everything {
            story.push_str(&format!("\n{paragraph}\n"));
            continue;
        }
        // A blank line begins a quotation; a quoted blank line separates its paragraphs.
        story.push_str(if i == 0 { "\n" } else { ">\n" });
        story.push_str(&format!("> {paragraph}\n"));
    }
}

/// A line as a sentence: with a capital, and a full stop if nothing ends it.
fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    let first = letters.next().map(char::to_uppercase);
    let mut sentence: String = first.into_iter().flatten().chain(letters).collect();
    if !sentence.trim_end_matches(['"', '”', ')']).ends_with(['.', '!', '?', '…']) {
        sentence.push('.');
    }
    sentence
}

/// Text as it is, set apart from sentences.
fn code(text: &str) -> String {
    format!("`{}`", text.replace(['`', '\n'], "'"))
}

/// The seat for which the gamemaster answered or threw.
fn stood_in_for(what: &What) -> Option<Seat> {
    match *what {
        What::Answer { seat, by_gm: true, .. } => Some(seat),
        What::Roll { whose, by_gm: true, .. } => Some(whose),
        _ => None,
    }
}

/// Dice that caused no event.
fn faces(line: &LineTo) -> Option<String> {
    match &line.what {
        What::Roll { dice: Some(dice), faces, .. } => {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            Some(format!("{dice}: {}", faces.join(", ")))
        }
        _ => None,
    }
}

fn and(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Text that a person wrote, with its emphasis, lists and code. Links, headings, HTML and
/// quotations are escaped, and nothing reaches beyond its paragraph.
fn light(line: &str) -> String {
    let ruled = !line.is_empty() && line.chars().all(|c| matches!(c, '-' | '*' | '_' | '=' | ' '));
    let fenced = line.starts_with("```");
    let mut out = String::with_capacity(line.len() + 8);
    for (i, c) in line.chars().enumerate() {
        let marks = match c {
            '\\' | '[' | ']' | '<' | '>' | '&' | '|' | '~' => true,
            '#' => i == 0,
            '`' => fenced,
            '-' | '*' | '_' | '=' => ruled,
            _ => false,
        };
        if marks {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

/// Whether a line is an item of a list.
fn is_listed(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marked = if rest.len() < line.len() {
        rest.starts_with(['.', ')'])
    } else {
        rest.starts_with(['-', '*', '+'])
    };
    marked && rest.chars().nth(1) == Some(' ')
}

/// Text escaped so that Markdown shows it as it is.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    for (i, c) in text.chars().enumerate() {
        let marks = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' => true,
            // These characters begin a heading, a list or a rule only at the start of a
            // line.
            '#' | '-' | '+' | '=' => i == 0,
            '.' | ')' => digits > 0 && i == digits,
            _ => false,
        };
        if marks {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_cannot_write_markup() {
        assert_eq!(plain("a *b* <img> [x](y)"), r"a \*b\* \<img\> \[x\](y)");
        assert_eq!(plain("# not a heading"), r"\# not a heading");
        assert_eq!(plain("12. not a list"), r"12\. not a list");
        assert_eq!(plain("half-way, in 1990."), "half-way, in 1990.");
    }

    #[test]
    fn people_write_light_markdown_and_no_more() {
        for (written, light_) in [
            ("**Something** lies in the _salt_.", "**Something** lies in the _salt_."),
            ("# [x](y) <img> > |", r"\# \[x\](y) \<img\> \> \|"),
            ("> Tamsin hits.", r"\> Tamsin hits."),
            ("```html", r"\`\`\`html"),
            ("---", r"\-\-\-"),
            ("- a `lamp`", "- a `lamp`"),
            (r"\[x\](y)", r"\\\[x\\\](y)"),
            (r"\<img src=x>", r"\\\<img src=x\>"),
        ] {
            assert_eq!(light(written), light_);
        }
        for (line, listed) in [("- a", true), ("2. b", true), ("*so*", false), ("1990", false), ("-5", false)]
        {
            assert_eq!(is_listed(line), listed, "{line}");
        }
    }

    #[test]
    fn lines_become_sentences() {
        assert_eq!(sentence("ünver attacks"), "Ünver attacks.");
        assert_eq!(sentence("It is over."), "It is over.");
        assert_eq!(sentence("they say \"run!\""), "They say \"run!\"");
    }

    #[test]
    fn lists_read_well() {
        let of = |parts: &[&str]| and(&parts.iter().map(|&p| p.to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&[]), "");
        assert_eq!(of(&["a"]), "a");
        assert_eq!(of(&["a", "b", "c"]), "a, b and c");
    }
}
