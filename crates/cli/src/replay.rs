//! `fracas replay` and `fracas story`: a log as one viewer may see it.

use crate::args::{Format, LogArgs, StoryArgs};
use crate::lines::{self, Transcript};
use crate::screen::{FAINT, STRONG, Screen, Text};
use crate::stop::{Ended, Stop};
use crate::{find, seats::Seats};
use fracas_kernel::Viewer;
use fracas_table::{LineTo, Log};

/// The viewer that `--as` names.
fn viewer(log: &Log, name: &str) -> Result<Viewer, Stop> {
    Seats::of(log).viewer(name).map_err(|what| Stop::bad(format!("--as: {what}, spectator")))
}

/// A log as JSON.
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
    let (log, _) = find::log(&args.log)?;
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
    lines::show(screen, transcript.last(usize::MAX))?;
    Ok(())
}

/// Prints the story.
pub(crate) fn story(args: &StoryArgs, screen: &mut Screen) -> Ended {
    let (log, _) = find::log(&args.log)?;
    let who = viewer(&log, &args.who)?;
    Ok(screen.markdown(&log.story(who, args.detail))?)
}
