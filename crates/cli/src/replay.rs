//! `fracas replay` and `fracas story`: a log as one seat may see it.

use crate::{
    args::{Format, LogArgs, StoryArgs},
    files,
    play::{Seats, Transcript, show},
    screen::{FAINT, STRONG, Screen, Text},
    stop::{Ended, Stop},
};
use fracas_kernel::Viewer;
use fracas_table::{LineTo, Log, MAX_LOG};
use std::path::Path;

/// Reads a log without touching it, where it is not of rules that do not exist.
pub(crate) fn log(path: &Path) -> Result<(Log, usize), Stop> {
    files::fits(path, MAX_LOG)?;
    let looked = Log::look(path).and_then(|(log, cut)| {
        log.check_versions(fracas_systems::all())?;
        Ok((log, cut))
    });
    looked.map_err(|e| Stop::bad(e.to_string()))
}

/// Who looks, by any of their names.
fn viewer(log: &Log, name: &str) -> Result<Viewer, Stop> {
    Seats::of(log).viewer(name).map_err(|what| Stop::bad(format!("--as: {what}, spectator")))
}

/// A whole log for a program.
#[derive(serde::Serialize)]
struct Whole<'l> {
    system: &'l str,
    title: &'l str,
    label: &'l str,
    r#as: String,
    lines: Vec<LineTo>,
}

/// Prints every line.
pub(crate) fn run(args: &LogArgs, screen: &mut Screen) -> Ended {
    let (log, _) = log(&args.log)?;
    let who = viewer(&log, &args.who)?;
    let header = log.header();
    if args.format == Format::Json {
        let whole = Whole {
            system: &header.system,
            title: &header.title,
            label: &header.label,
            r#as: who.to_string(),
            lines: log.lines_to(who).collect(),
        };
        return Ok(screen.json(&whole)?);
    }
    let seats = Seats::of(&log);
    let mut head = Text::of(STRONG, &header.title);
    if !header.label.is_empty() {
        head = head.and(FAINT, format!(" ({})", header.label));
    }
    screen.say(&head)?;
    let mut transcript = Transcript::new(vec![who]);
    transcript.read(&log, &seats);
    show(screen, transcript.last(usize::MAX))?;
    Ok(())
}

/// Prints the story.
pub(crate) fn story(args: &StoryArgs, screen: &mut Screen) -> Ended {
    let (log, _) = log(&args.log)?;
    let who = viewer(&log, &args.who)?;
    Ok(screen.markdown(&log.story(who))?)
}
