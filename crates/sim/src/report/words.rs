//! A report in words.

use super::page::{Block, Cell, Column, Page, Plot, Section};
use super::{Change, Clauses, Holder, Length, Number, Party, Report, Written};
use crate::{ENDS, Mean, Play};
use std::fmt::Display;

/// The ends of conflicts, in the order of the measures.
const ENDINGS: [&str; ENDS] = ["players stand", "others stand", "both stand", "nobody stands", "cut off"];
/// How many answers that were never chosen are told.
const MOST_UNCHOSEN: usize = 20;
/// How many rules that were not named are told, in all and of a chapter.
const MOST_RULES: [usize; 2] = [20, 4];
/// From so many conflicts on a share is told to a tenth of a percent.
const MANY: u64 = 4_000;

impl Report {
    /// The report as Markdown; `command` is what to type to have it once more.
    pub fn markdown(&self, command: &str) -> String {
        self.page(command).markdown()
    }

    /// The report as one page of HTML that asks for nothing else: with plots, for light and dark screens and for
    /// paper. `command` is what to type to have it once more.
    pub fn html(&self, command: &str) -> String {
        self.page(command).html()
    }

    fn page(&self, command: &str) -> Page {
        let section = |title, blocks| Section { title, blocks };
        Page {
            title: self.title.clone(),
            about: format!(
                "A report for its author: {} of {}, {}.",
                some(self.conflicts, "conflict"),
                self.system,
                match self.players == self.gm {
                    true => format!("played by {} players on both sides", name(self.players)),
                    false =>
                        format!("with {} players and a {} gamemaster", name(self.players), name(self.gm)),
                }
            ),
            summary: self.summary(),
            sections: vec![
                section("How often the players win", self.wins()),
                section("How long it takes", self.lengths()),
                section("Who falls", self.falls()),
                section("What is never chosen", self.unchosen()),
                section("Which number matters most", self.numbers()),
                section("Rules that nothing named", self.rules()),
                section("Who played, and how to repeat it", self.how(command)),
            ],
        }
    }

    /// The encounter as it is written.
    fn written(&self) -> Option<&Party> {
        self.parties.iter().find(|party| party.as_written)
    }

    /// The report in a few sentences.
    pub fn summary(&self) -> Vec<String> {
        let mut all = Vec::new();
        if let Some(party) = self.written() {
            let [_, others, both, ..] = party.ends;
            let mut lead = format!("The players win {} of the time", interval(party.wins, self.conflicts));
            let mut more = Vec::new();
            if both.mean >= 0.1 {
                more.push(format!(
                    "in {} both sides still stand at the end",
                    percent(both.mean, self.conflicts)
                ));
            }
            if others.mean >= 0.1 {
                more.push(format!("in {} only the others do", percent(others.mean, self.conflicts)));
            }
            if !more.is_empty() {
                lead.push_str(&format!("; {}", more.join(", and ")));
            }
            all.push(lead + ".");
        }
        all.push(format!(
            "Half of the conflicts take at most {} and {}, nine of ten at most {} and {}.",
            some(self.answers.median, "answer"),
            some(self.rolls.median, "roll"),
            self.answers.nine_tenths,
            self.rolls.nine_tenths
        ));
        let mut ours = self.fallers.iter().filter(|faller| faller.holder == Holder::Players);
        all.extend(ours.next().map(|faller| match faller.share.mean > 0.0 {
            true => format!(
                "Of the players' characters {} falls most often, in {}.",
                faller.name,
                percent(faller.share.mean, self.conflicts)
            ),
            false => "None of the players' characters falls.".to_owned(),
        }));
        all.push(match (self.numbers.largest.first(), self.numbers.tried) {
            (_, 0) => "It has no number that could be changed by one.".to_owned(),
            (None, tried) => format!(
                "Changing any of its {} by one changes nothing about who wins that {} would show.",
                some(tried, "number"),
                some(self.numbers.conflicts, "conflict")
            ),
            (Some(change), tried) => format!(
                "Of {}, {} who wins when changed by one; most of all {}: {}.",
                some(tried, "number"),
                match tried - self.numbers.without {
                    1 => "1 changes".to_owned(),
                    moving => format!("{moving} change"),
                },
                of(&change.number),
                by(change)
            ),
        });
        all
    }

    fn wins(&self) -> Vec<Block> {
        let n = self.conflicts;
        let cut = self.parties.iter().any(|party| party.ends[ENDS - 1].mean > 0.0);
        let ends = if cut { ENDS } else { ENDS - 1 };
        let mut columns = vec![Column::Text("players' characters"), Column::Number("the players win")];
        columns.extend(ENDINGS[..ends].iter().copied().map(Column::Number));
        columns.push(Column::Plot(""));
        let row = |party: &Party| {
            let written = if party.as_written { ", as written" } else { "" };
            let wins = Cell::Text(interval(party.wins, n));
            let mut row = vec![Cell::Text(format!("{}{written}", party.characters)), wins];
            row.extend(party.ends[..ends].iter().map(|end| Cell::Text(percent(end.mean, n))));
            row.push(Cell::Plot(Plot::Ends(party.ends)));
            row
        };
        let mut blocks = vec![
            Block::Table { columns, rows: self.parties.iter().map(row).collect() },
            Block::Legend(ENDINGS),
            Block::Note(format!(
                "The players win where some of their characters stand at the end and nobody against them; or, where \
                 both sides stand or neither does, where things stand better for them than at the beginning. In \
                 brackets the 95 % interval: of twenty, one misses.{}",
                if self.parties.len() > 1 {
                    " Where there are fewer characters, the last ones are left out."
                } else {
                    ""
                }
            )),
        ];
        if self.written().is_some_and(|party| party.ends[2].mean > 0.5) {
            blocks.push(Block::Text(
                "Most conflicts end with both sides standing: somebody gave up, left or made peace, or the \
                 encounter is not about who falls."
                    .to_owned(),
            ));
        }
        let refused = self.refused.iter();
        blocks.extend(refused.map(|refused| {
            let count = some(refused.characters as u64, "character");
            Block::Text(format!(
                "With {count} the encounter does not start: {}.",
                refused.why.trim_end_matches('.')
            ))
        }));
        blocks
    }

    fn lengths(&self) -> Vec<Block> {
        let row = |what: &str, length: &Length| {
            let counts = [length.median, length.nine_tenths, length.most];
            let counts = counts.map(|count| Cell::Text(count.to_string()));
            std::iter::once(Cell::Text(what.to_owned())).chain(counts).collect()
        };
        let mut blocks = vec![
            Block::Table {
                columns: vec![
                    Column::Text("in a conflict"),
                    Column::Number("half up to"),
                    Column::Number("nine tenths up to"),
                    Column::Number("the longest"),
                ],
                rows: vec![row("answers", &self.answers), row("rolls", &self.rolls)],
            },
            Block::Histogram("answers", self.answers.bins.clone()),
        ];
        let cut = self.written().map_or(0.0, |party| party.ends[ENDS - 1].mean);
        if cut > 0.0 {
            let share = percent(cut, self.conflicts);
            blocks
                .push(Block::Note(format!("{share} were cut off after {} answers and rolls.", self.budget)));
        }
        blocks
    }

    fn falls(&self) -> Vec<Block> {
        let (fallen, never): (Vec<_>, Vec<_>) =
            self.fallers.iter().partition(|faller| faller.share.mean > 0.0);
        let mut blocks = Vec::new();
        if !fallen.is_empty() {
            let rows = fallen.iter().map(|faller| {
                vec![
                    Cell::Text(faller.name.clone()),
                    Cell::Text(holder(faller.holder).to_owned()),
                    Cell::Text(interval(faller.share, self.conflicts)),
                    Cell::Plot(Plot::Share(faller.share, faller.holder)),
                ]
            });
            blocks.push(Block::Table {
                columns: vec![
                    Column::Text("who"),
                    Column::Text("played by"),
                    Column::Number("fall in"),
                    Column::Plot(""),
                ],
                rows: rows.collect(),
            });
            blocks.push(Block::Note("Counted is who is out, or has fallen, at the end.".to_owned()));
        }
        let names: Vec<&str> = never.iter().map(|faller| faller.name.as_str()).collect();
        match (names.is_empty(), fallen.is_empty()) {
            (true, true) => blocks.push(Block::Text("Nobody takes part.".to_owned())),
            (true, false) => {}
            (false, true) => blocks.push(Block::Text(format!("Nobody: not {}.", or(&names)))),
            (false, false) => blocks.push(Block::Text(format!("Never: {}.", names.join(", ")))),
        }
        blocks
    }

    fn unchosen(&self) -> Vec<Block> {
        let watched = some(self.watched, "conflict");
        let unchosen = &self.answered.unchosen;
        let mut blocks = vec![Block::Text(format!(
            "In {watched}, {} of {} were listed and never chosen.",
            unchosen.len(),
            some(self.answered.all as u64, "kind of answer")
        ))];
        if !unchosen.is_empty() {
            let rows = unchosen.iter().take(MOST_UNCHOSEN).map(|answer| {
                vec![
                    Cell::Text(answer.part.clone()),
                    Cell::Text(holder(answer.asked).to_owned()),
                    Cell::Code(answer.kind.to_owned()),
                    Cell::Text(answer.listed.to_string()),
                ]
            });
            blocks.push(Block::Table {
                columns: vec![
                    Column::Text("answer"),
                    Column::Text("asked"),
                    Column::Text("at"),
                    Column::Number("listed"),
                ],
                rows: rows.collect(),
            });
        }
        if unchosen.len() > MOST_UNCHOSEN {
            let rest = unchosen.len() - MOST_UNCHOSEN;
            blocks.push(Block::Text(format!("{rest} more were listed less often.")));
        }
        blocks.push(Block::Note(
            "Answers are told apart by what is asked and by their first part. Who has better reasons than these \
             players may choose them all the same."
                .to_owned(),
        ));
        blocks
    }

    fn numbers(&self) -> Vec<Block> {
        let numbers = &self.numbers;
        let mut blocks = Vec::new();
        if numbers.tried == 0 {
            blocks.push(Block::Text("The encounter has no number that could be changed by one.".to_owned()));
        } else {
            blocks.push(Block::Text(format!(
                "{} {} changed by one, lower and higher where the encounter still starts: {} in all, each in {} \
                 with the same chance as those without it.",
                some(numbers.tried as u64, "number"),
                if numbers.tried == 1 { "was" } else { "were" },
                some(numbers.changes as u64, "change"),
                some(numbers.conflicts, "conflict")
            )));
        }
        if !numbers.largest.is_empty() {
            let reach = |change: &Change| change.difference.low.abs().max(change.difference.high.abs());
            let most = numbers.largest.iter().map(reach).fold(0.0, f64::max);
            let rows = numbers.largest.iter().map(|change| {
                vec![
                    Cell::Text(change.number.of.clone()),
                    Cell::Code(change.number.field.clone()),
                    Cell::Text(format!("{} → {}", change.number.value, change.to)),
                    Cell::Text(points(change.difference)),
                    Cell::Plot(Plot::Difference(change.difference, most)),
                ]
            });
            blocks.push(Block::Table {
                columns: vec![
                    Column::Text("of"),
                    Column::Text("field"),
                    Column::Number("changed"),
                    Column::Number("the players' wins, in points"),
                    Column::Plot(""),
                ],
                rows: rows.collect(),
            });
        }
        if numbers.tried > 0 {
            blocks.push(Block::Text(match numbers.without {
                0 => "Every number showed a difference.".to_owned(),
                1 => "1 number showed no difference.".to_owned(),
                n => format!("{n} numbers showed no difference."),
            }));
            blocks.push(Block::Note(format!(
                "Told are changes too large for chance among {}, at most ten, with their 95 % intervals. A number that \
                 shows none may still matter a little, or to other things than who wins.",
                some(numbers.changes as u64, "change")
            )));
        }
        let listed = |all: &[Number]| -> Vec<String> {
            all.iter().map(|number| format!("{} ({})", of(number), number.value)).collect()
        };
        if !numbers.untried.is_empty() {
            let title = format!("Not tried: {}", some(numbers.untried.len() as u64, "number"));
            blocks.push(Block::Folded(title, listed(&numbers.untried)));
        }
        if !numbers.fixed.is_empty() {
            let title = "Neither one lower nor one higher does the encounter start".to_owned();
            blocks.push(Block::Folded(title, listed(&numbers.fixed)));
        }
        blocks
    }

    fn rules(&self) -> Vec<Block> {
        let Clauses { all, fired, chapters } = &self.clauses;
        let unfired = all - fired;
        let mut blocks = vec![Block::Text(format!(
            "Of {} that play can name, {fired} were named in {} and {unfired} were not. Most of those belong to other \
             situations than this one: they are no fault of the encounter.",
            some(*all as u64, "rule"),
            some(self.watched, "conflict")
        ))];
        let mut left = MOST_RULES[0];
        let mut rows = Vec::new();
        for chapter in chapters {
            let rules = chapter.unfired.iter().take(left.min(MOST_RULES[1]));
            for rule in rules {
                left -= 1;
                rows.push(vec![
                    Cell::Text(format!("{} ({} of {})", chapter.section, chapter.fired, chapter.all)),
                    Cell::Code(rule.id().to_owned()),
                    Cell::Text(rule.text().to_owned()),
                ]);
            }
        }
        if !rows.is_empty() {
            blocks.push(Block::Text(format!(
                "The most telling {} of chapters of which other rules were named (in brackets: how many):",
                if rows.len() == 1 { "one is" } else { "ones are" }
            )));
            blocks.push(Block::Table {
                columns: vec![Column::Text("chapter"), Column::Text("rule"), Column::Text("says")],
                rows,
            });
        }
        blocks
    }

    fn how(&self, command: &str) -> Vec<Block> {
        let mut blocks = Vec::new();
        match self.players == self.gm {
            true => blocks.push(Block::Text(format!("Players and gamemaster: {}.", policy(self.players)))),
            false => {
                blocks.push(Block::Text(format!("Players: {}.", policy(self.players))));
                blocks.push(Block::Text(format!("Gamemaster: {}.", policy(self.gm))));
            }
        }
        blocks.push(Block::Text(
            "No such player talks, plans over several turns, or knows what the story needs. The gamemaster says \
             nothing, overrules nothing and brings nobody in. Take the numbers for how this encounter compares with \
             another, or with itself after a change, rather than for what your table will see."
                .to_owned(),
        ));
        let paired = match self.numbers.tried {
            0 => String::new(),
            _ => format!(", {} for each changed number", self.numbers.conflicts),
        };
        blocks.push(Block::Text(format!(
            "Seed {}; {}{paired}, {} in words; cut off after {} answers and rolls. The same command gives the same \
             page:",
            self.seed,
            some(self.conflicts, "conflict"),
            self.watched,
            self.budget
        )));
        blocks.push(Block::Command(command.to_owned()));
        blocks
    }
}

fn name(play: Play) -> &'static str {
    match play {
        Play::Random => "random",
        Play::Fair => "fair",
        Play::Brisk => "brisk",
        Play::Sound(_) => "sound",
    }
}

/// What a policy does, and what it cannot know.
fn policy(play: Play) -> String {
    match play {
        Play::Random => "random, any listed answer; it knows nothing and wants nothing".to_owned(),
        Play::Fair => {
            "fair, any listed answer but those that a good player is reluctant to give; it does not look \
                       ahead, so it misses chances and breaks conflicts off"
                .to_owned()
        }
        Play::Brisk => {
            "brisk, the answer that looks best by rules of thumb, from what its seat knows; it tries \
                        nothing and does not look ahead"
                .to_owned()
        }
        Play::Sound(work) => format!(
            "sound, the answer after which its side is best off, of {work} answers and throws tried; it does not \
             look beyond the next turn, and knows no more than its seat"
        ),
    }
}

fn holder(holder: Holder) -> &'static str {
    match holder {
        Holder::Players => "players",
        Holder::Gm => "gamemaster",
    }
}

/// A number in words: "pl of Gatewarden".
fn of(number: &Number) -> String {
    let written = match number.written {
        Written::Encounter => "",
        Written::Library => ", from the library",
    };
    match number.of.is_empty() {
        true => format!("{}{written}", number.field),
        false => format!("{} of {}{written}", number.field, number.of),
    }
}

/// What a change does, in words.
fn by(change: &Change) -> String {
    let way = if change.to > change.number.value { "higher" } else { "lower" };
    format!("one {way} makes it {} points", points(change.difference))
}

/// How many decimals a share of so many conflicts is worth.
fn decimals(conflicts: u64) -> usize {
    usize::from(conflicts >= MANY)
}

/// A share in percent. What happens at times does not read as never, nor what fails at times as always.
fn percent(share: f64, conflicts: u64) -> String {
    let decimals = decimals(conflicts);
    let least = 0.5 / 10_f64.powi(decimals as i32);
    let step = 1.0 / 10_f64.powi(decimals as i32);
    match share * 100.0 {
        at if at > 0.0 && at < least => format!("<{step} %"),
        at if at < 100.0 && at > 100.0 - least => format!(">{} %", 100.0 - step),
        at => format!("{at:.decimals$} %"),
    }
}

/// A share in percent with its interval.
fn interval(mean: Mean, conflicts: u64) -> String {
    let decimals = decimals(conflicts);
    let [low, high] = [mean.low, mean.high].map(|share| format!("{:.decimals$}", share * 100.0));
    format!("{} ({low} to {high} %)", percent(mean.mean, conflicts))
}

/// A difference of shares in points of a hundred, with its interval.
fn points(Mean { mean, low, high }: Mean) -> String {
    let [mean, low, high] = [mean, low, high].map(|share| share * 100.0);
    // An end that is near 0 does not read as 0, which the interval excludes.
    let decimals = usize::from(low.abs().min(high.abs()) < 1.0);
    format!("{mean:+.decimals$} ({low:+.decimals$} to {high:+.decimals$})")
}

/// A number with its noun: "1 conflict", "3 kinds of answer".
fn some(n: impl Display, noun: &str) -> String {
    let n = n.to_string();
    let (head, rest) = noun.split_once(' ').unwrap_or((noun, ""));
    let space = if rest.is_empty() { "" } else { " " };
    format!("{n} {head}{}{space}{rest}", if n == "1" { "" } else { "s" })
}

/// Names in a row: "Ana, Bo or Cyr".
fn or(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_told_no_more_precisely_than_they_are_known() {
        for (share, conflicts, words) in [
            (0.0, 400, "0 %"),
            (0.0025, 400, "<1 %"),
            (0.618, 400, "62 %"),
            (0.9975, 400, ">99 %"),
            (1.0, 400, "100 %"),
            (0.6184, 10_000, "61.8 %"),
            (0.0002, 10_000, "<0.1 %"),
            (0.9999, 10_000, ">99.9 %"),
        ] {
            assert_eq!(percent(share, conflicts), words, "{share} of {conflicts}");
        }
        assert_eq!(interval(Mean { mean: 0.62, low: 0.571, high: 0.666 }, 400), "62 % (57 to 67 %)");
        assert_eq!(points(Mean { mean: 0.07, low: 0.02, high: 0.12 }), "+7 (+2 to +12)");
        assert_eq!(points(Mean { mean: -0.03, low: -0.056, high: -0.004 }), "-3.0 (-5.6 to -0.4)");
    }

    #[test]
    fn nouns_follow_their_numbers() {
        assert_eq!((some(1, "conflict"), some(0, "roll")), ("1 conflict".to_owned(), "0 rolls".to_owned()));
        assert_eq!(some(3, "kind of answer"), "3 kinds of answer");
        assert_eq!(
            (or(&["Ana"]), or(&["Ana", "Bo", "Cyr"])),
            ("Ana".to_owned(), "Ana, Bo or Cyr".to_owned())
        );
    }
}
