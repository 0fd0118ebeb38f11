//! `fracas report`: a page about an encounter for its author.

use crate::args::ReportArgs;
use crate::screen::{FAINT, Screen};
use crate::stop::{Ended, Stop};
use crate::{files, find, policy};
use fracas_sim::{Plan, Play, Sides, report::BUDGET};
use indicatif::{ProgressBar, ProgressStyle};
use std::ops::ControlFlow;
use std::path::Path;

/// Writes the page.
pub(crate) fn run(args: &ReportArgs, screen: &mut Screen) -> Ended {
    if args.encounter.ends_with(".fracas") {
        return Err(Stop::bad(format!("{}: is a log; report on an encounter", args.encounter)));
    }
    let sides = policy::sides(&args.policies, args.work, Play::Brisk)?;
    let format = args.out.as_deref().map_or(Ok(Format::Markdown), Format::of)?;
    if let Some(out) = &args.out {
        files::vacant(out, args.force)?;
    }
    let (system, setup, _) = find::encounter(Some(&args.encounter), args.system.as_deref(), None)?;
    let plan = Plan {
        sides,
        seed: args.seed,
        conflicts: 0..args.conflicts,
        threads: policy::threads(args.threads),
        budget: BUDGET,
    };
    let style = ProgressStyle::with_template("{msg:22} {wide_bar} {pos} of {len}, {eta} left");
    let bar = ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let report = fracas_hindsight::report(&system, &setup, &plan, &mut |progress| {
        if progress.done == 0 {
            bar.reset();
            bar.set_message(progress.doing);
            bar.set_length(progress.of);
        }
        bar.set_position(progress.done);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let report = report?.ok_or_else(|| Stop::bad("the report was stopped"))?;
    let command = command(args, sides);
    let page = match format {
        Format::Markdown => report.markdown(&command),
        Format::Html => report.html(&command),
    };
    match &args.out {
        None => Ok(screen.markdown(&page)?),
        Some(out) => {
            files::write(out, page, args.force)?;
            Ok(screen.tell(FAINT, &format!("Written to {}.", out.display()))?)
        }
    }
}

/// How the page is written.
enum Format {
    Markdown,
    Html,
}

impl Format {
    /// By the name of the file.
    fn of(out: &Path) -> Result<Format, Stop> {
        match out.extension().and_then(|end| end.to_str()) {
            Some("html" | "htm") => Ok(Format::Html),
            Some("md") => Ok(Format::Markdown),
            _ => Err(Stop::file(out, "the page is written as .html or .md")),
        }
    }
}

/// What to type for the same page once more.
fn command(args: &ReportArgs, sides: Sides<Play, Play>) -> String {
    let name = |play: Play| match play {
        Play::Random => "random",
        Play::Fair => "fair",
        Play::Brisk => "brisk",
        Play::Sound(_) => "sound",
    };
    let mut command = format!("fracas report {}", quoted(&args.encounter));
    if let Some(system) = &args.system {
        command.push_str(&format!(" --system {}", quoted(system)));
    }
    let policy = match sides.players == sides.gm {
        true => format!("all={}", name(sides.gm)),
        false => format!("players={},gm={}", name(sides.players), name(sides.gm)),
    };
    command.push_str(&format!(" -n {} --seed {} --policy {policy}", args.conflicts, args.seed));
    if let (Play::Sound(work), _) | (_, Play::Sound(work)) = (sides.players, sides.gm) {
        command.push_str(&format!(" --work {work}"));
    }
    command
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_read_more() {
        for (word, expected) in [
            ("salt-gate", "salt-gate"),
            ("my/ambush.toml", "my/ambush.toml"),
            ("The Salt Gate", "'The Salt Gate'"),
            ("it's; rm", "'it'\\''s; rm'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
