//! `fracas turns`: where an evening turned.

use crate::args::{Format, TurnsArgs};
use crate::lines::Transcript;
use crate::screen::{FAINT, STRONG, Screen, Text};
use crate::stop::{Ended, Stop};
use crate::{files, find, seats::Seats};
use fracas_hindsight::{By, Effort, Outlook, Turn, Turns, picture, turns};
use fracas_kernel::{Seat, Viewer};
use fracas_table::{Log, OpenError};
use indicatif::{ProgressBar, ProgressStyle};
use std::ops::ControlFlow;

/// Prints where an evening turned.
pub(crate) fn run(args: &TurnsArgs, screen: &mut Screen) -> Ended {
    let (log, _) = find::log(&args.log)?;
    let system = find::system(&log.header().system)?;
    let bar = ProgressBar::new(0);
    bar.set_style(
        ProgressStyle::with_template("{bar:30} {pos} of {len} moments, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let found = turns(&system, &log, &Effort::of(args.work), |done, of| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let found = found.map_err(|error: OpenError| Stop::bad(error.to_string()))?;
    let Some(found) = found else { return Ok(()) };
    if let Some(path) = &args.plot {
        files::write(path, picture(&log.header().title, &found), args.force)?;
    }
    match args.format {
        Format::Json => Ok(screen.json(&found)?),
        Format::Text => text(&log, &found, screen),
    }
}

/// Eight heights of a curve in letters.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The most letters of the curve.
const WIDTH: usize = 64;

fn text(log: &Log, found: &Turns, screen: &mut Screen) -> Ended {
    let conflicts = found.points.first().map_or(0, |point| point.outlook.conflicts);
    screen.say(&Text::of(STRONG, &log.header().title))?;
    screen.tell(FAINT, &format!(
        "The players' chance to win after each move, from {conflicts} conflicts played on from it by brisk players, who go by rules of thumb and know everything."
    ))?;
    let every = found.points.len().div_ceil(WIDTH).max(1);
    let height = |outlook: Outlook| HEIGHTS[((outlook.chance() * 8.0) as usize).min(7)];
    let curve: String = found.points.iter().step_by(every).map(|point| height(point.outlook)).collect();
    let end = |outlook: Option<Outlook>| outlook.map_or_else(String::new, percent);
    let (first, last) = (found.points.first(), found.points.last());
    screen.say(&Text::plain(format!(
        "{} {curve} {}",
        end(first.map(|point| point.outlook)),
        end(last.map(|point| point.outlook))
    )))?;
    if found.turns.is_empty() {
        screen.tell(FAINT, "No single move changed the chances by 5 points or more.")?;
    }
    let seats = Seats::of(log);
    let mut transcript = Transcript::new(vec![Viewer::Seat(Seat::Gm)]);
    transcript.read(log, &seats);
    let lines = transcript.last(usize::MAX);
    for turn in &found.turns {
        let number = lines.iter().rfind(|line| line.seq <= turn.seq).map_or(0, |line| line.number);
        screen.blank()?;
        say(number, turn, &seats, screen)?;
    }
    if let Some(shares) = found.shares {
        screen.blank()?;
        let parts = [
            ("dice", shares.dice),
            ("players' choices", shares.players),
            ("gamemaster's choices", shares.gm),
            ("overruled", shares.overruled),
        ];
        let parts: Vec<String> = parts
            .iter()
            .map(|(name, share)| format!("{name} {:+.0} (±{:.0})", share.sum * 100.0, share.within * 100.0))
            .collect();
        screen.tell(FAINT, &format!("Points in all: {}.", parts.join(", ")))?;
    }
    Ok(())
}

fn say(number: u64, turn: &Turn, seats: &Seats, screen: &mut Screen) -> Ended {
    let by = match turn.by {
        By::Dice => "The dice".to_owned(),
        By::Overruled => "Overruled".to_owned(),
        By::Seat(seat) => seats.name(seat),
    };
    let change = format!("{} to {}", percent(turn.before), percent(turn.after));
    screen.say(&Text::of(STRONG, format!("Line {number}, {by}: {change}")))?;
    screen.hang(&Text::plain("  "), 2, &Text::plain(&turn.text))?;
    if let Some(odds) = &turn.odds {
        screen.hang(&Text::plain("  "), 2, &Text::of(FAINT, format!("The odds were: {odds}.")))?;
    }
    if let Some(instead) = &turn.instead {
        let chance = percent(instead.outlook);
        screen.hang(
            &Text::plain("  "),
            2,
            &Text::of(FAINT, format!("Another answer: {} ({chance}).", instead.text)),
        )?;
    }
    Ok(())
}

fn percent(outlook: Outlook) -> String {
    format!("{:.0} %", outlook.chance() * 100.0)
}
