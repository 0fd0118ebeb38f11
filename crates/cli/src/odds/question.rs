//! The answer to a question about odds that needs no table.

use super::chances::Chances;
use crate::args::{OddsArgs, OddsFormat};
use crate::files;
use crate::screen::{FAINT, STRONG, Screen, Text, csv};
use crate::stop::{Ended, Stop};
use fracas_kernel::{Odds, Question, System, near};
use serde::Serialize;
use std::fmt::Write as _;

/// The width of a bar, in letters.
const BAR: u16 = 24;

#[derive(Serialize)]
struct Answer<'a> {
    system: &'a str,
    question: &'a str,
    said: String,
    chances: Chances,
}

/// Prints the answer, or the questions there are where none is asked.
pub(super) fn run(system: &System, args: &OddsArgs, screen: &mut Screen) -> Ended {
    let questions = (system.questions)();
    let Some((name, words)) = args.question.split_first() else {
        return list(system, questions, screen);
    };
    let question = questions.iter().find(|question| question.name == name).ok_or_else(|| {
        let names: Vec<&str> = questions.iter().map(|question| question.name).collect();
        let there = if names.is_empty() {
            "there are none".to_owned()
        } else {
            format!("there are {}", names.join(", "))
        };
        Stop::bad(format!("{} has no question {name:?}{}; {there}", system.id, near(name, &names)))
    })?;
    let values = question.read(words.iter().map(String::as_str));
    let values =
        values.map_err(|wrong| Stop::bad(format!("{}\n{}", wrong.join("\n"), usage(system, question))))?;
    let odds = (system.answers)(question.name, &values).map_err(Stop::bad)?;
    let answer = Answer {
        system: system.id,
        question: question.name,
        said: words.join(" "),
        chances: Chances::of(&odds),
    };
    if let Some(path) = &args.plot {
        files::write(path, plot(&format!("{name} {}", words.join(" ")), &odds), args.force)?;
    }
    match args.format {
        OddsFormat::Text => text(&answer, question, &odds, screen),
        OddsFormat::Json => Ok(screen.json(&answer)?),
        OddsFormat::Csv => {
            let mut out = "result,throws,all,chance\n".to_owned();
            for row in &answer.chances.rows {
                let _ = writeln!(
                    out,
                    "{},{},{},{}",
                    csv(&row.text),
                    row.throws,
                    answer.chances.throws,
                    row.chance
                );
            }
            Ok(screen.raw(&out)?)
        }
    }
}

/// The questions of a system.
fn list(system: &System, questions: &[Question], screen: &mut Screen) -> Ended {
    if questions.is_empty() {
        return Ok(screen.say(&Text::plain("This system answers no questions without a table."))?);
    }
    for (n, question) in questions.iter().enumerate() {
        if n > 0 {
            screen.blank()?;
        }
        screen.say(&Text::of(STRONG, question.name).and(FAINT, format!(": {}", question.about)))?;
        for given in question.fields {
            let label = Text::plain(format!("  {}", given.shown()));
            screen.hang(&label.and(FAINT, "  "), 6, &Text::of(FAINT, given.about))?;
        }
        screen.say(&Text::of(
            FAINT,
            format!("  such as: fracas odds {} {} {}", system.id, question.name, question.example),
        ))?;
    }
    Ok(())
}

fn usage(system: &System, question: &Question) -> String {
    format!("such as: fracas odds {} {} {}", system.id, question.name, question.example)
}

fn text(answer: &Answer<'_>, question: &Question, odds: &Odds, screen: &mut Screen) -> Ended {
    screen.say(
        &Text::of(STRONG, format!("{} {}", answer.question, answer.said).trim())
            .and(FAINT, format!(": {}", question.about)),
    )?;
    // The words above and the bar below, so that bars compare however long the words are.
    let mut row = |text: &str, share: &str, part: u16, throws: u128| {
        let bar = "█".repeat(usize::from(part));
        screen.hang(&Text::plain("  "), 2, &Text::plain(text))?;
        screen.say(
            &Text::plain(format!("  {share:>9}  "))
                .and(STRONG, format!("{bar:<24}"))
                .and(FAINT, format!("  {throws} of {}", odds.throws)),
        )
    };
    for (chance, share) in odds.rows.iter().zip(odds.shares()) {
        row(&chance.text, &share, odds.part(chance, BAR), chance.throws)?;
    }
    for total in &odds.totals {
        let text = format!("in all: {}", total.text);
        row(&text, &odds.share_of(total.tone), odds.part(total, BAR), total.throws)?;
    }
    for more in &odds.besides {
        row(&format!("besides: {}", more.text), &odds.share(more), odds.part(more, BAR), more.throws)?;
    }
    Ok(())
}

/// The results as bars, as SVG.
fn plot(title: &str, odds: &Odds) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let height = 60 + 56 * odds.rows.len();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 {height}\" font-family=\"Georgia, serif\" \
         font-size=\"18\"><rect width=\"900\" height=\"{height}\" fill=\"#fbf7ec\"/>\
         <text x=\"20\" y=\"34\" font-size=\"22\" font-weight=\"600\">{}</text>",
        escaped(title)
    );
    for (n, (row, share)) in odds.rows.iter().zip(odds.shares()).enumerate() {
        let (y, width) = (56 + 56 * n, odds.part(row, 740).max(1));
        let _ = write!(
            out,
            "<text x=\"20\" y=\"{}\">{}</text>\
             <rect x=\"20\" y=\"{}\" width=\"{width}\" height=\"20\" fill=\"#7a2f1d\"/>\
             <text x=\"{}\" y=\"{}\">{share}</text>",
            y + 16,
            escaped(&row.text),
            y + 24,
            30 + width,
            y + 41
        );
    }
    out + "</svg>\n"
}
