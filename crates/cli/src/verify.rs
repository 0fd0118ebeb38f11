//! `fracas verify`: plays a log again and compares the result.

use crate::args::{Format, VerifyArgs};
use crate::files;
use crate::screen::{ALARM, FAINT, GOOD, PLAIN, Screen, Text, some};
use crate::stop::{Ended, Stop};
use fracas_table::{Log, MAX_LOG, MAX_PROBLEMS, OpenError, Origin, Report, Verdict, verify};

/// The result as JSON.
#[derive(serde::Serialize)]
struct Found {
    sound: bool,
    /// `sound`, `not-verified` or `damaged`.
    verdict: Verdict,
    /// Bytes of an incomplete last line, which was never acknowledged.
    unfinished: usize,
    #[serde(flatten)]
    report: Report,
    #[serde(skip)]
    carried: Vec<Origin>,
}

/// Plays a log again and prints the result.
pub(crate) fn run(args: &VerifyArgs, screen: &mut Screen) -> Ended {
    let found = found(args)?;
    if args.format == Format::Json {
        screen.json(&found)?;
    } else {
        tell(&found, args, screen)?;
    }
    match found.verdict {
        Verdict::Sound => Ok(()),
        Verdict::NotVerified => Err(Stop::NotVerified),
        Verdict::Damaged => Err(Stop::Failed),
    }
}

fn found(args: &VerifyArgs) -> Result<Found, Stop> {
    files::fits(&args.log, MAX_LOG)?;
    let (report, unfinished, carried) = match Log::look(&args.log) {
        Ok((log, unfinished)) => {
            let report = verify(&log, fracas_systems::all()).map_err(|e| Stop::bad(e.to_string()))?;
            (report, unfinished, log.header().carried_from().collect())
        }
        Err(OpenError::Log(error)) if error.damaged => (Report::unreadable(&error), 0, Vec::new()),
        Err(error) => return Err(Stop::bad(error.to_string())),
    };
    Ok(Found { sound: report.sound(), verdict: report.verdict(), unfinished, report, carried })
}

fn tell(found: &Found, args: &VerifyArgs, screen: &mut Screen) -> Ended {
    let Found { report, unfinished, .. } = found;
    for problem in &report.problems {
        let label = Text::of(ALARM, format!("{}:{}: ", args.log.display(), problem.line));
        screen.hang(&label, 4, &Text::plain(&problem.what))?;
    }
    let mut notes = Vec::new();
    if report.problems.len() == MAX_PROBLEMS {
        notes.push("There may be more: it was run no further.".to_owned());
    }
    if *unfinished > 0 {
        notes.push(format!("The last {unfinished} bytes are an unfinished line, which nobody was told of."));
    }
    if report.not_run > 0 {
        let lines = some(number(report.not_run), "line");
        notes.push(format!("{lines} of earlier rules, not run again: whether they are true is not known."));
    }
    if report.typed > 0 {
        let rolls = some(number(report.typed), "roll");
        notes.push(format!("{rolls} typed in by people: nothing says how those dice fell."));
    }
    if report.written > 0 {
        let lines = some(number(report.written), "line");
        notes.push(format!("{lines} with words that people wrote: no rule says what they were."));
    }
    match (&report.chain, report.chained_from) {
        (Some(chain), Some(from)) => {
            if from > 1 {
                notes.push(format!("No hashes before line {from}: until then lines could be edited unseen."));
            }
            notes.push(format!("The last line's hash is {chain}."));
        }
        _ if report.lines > 0 => {
            notes.push("No hashes: what no rule decides could be edited unseen.".to_owned());
        }
        _ => {}
    }
    for origin in &found.carried {
        notes.push(format!(
            "Carried on from {} ({}), where the state was {}.",
            origin.log,
            some(number(origin.lines), "line"),
            origin.state
        ));
    }
    for note in notes {
        screen.tell(FAINT, &note)?;
    }
    let (style, word) = match found.verdict {
        Verdict::Sound => (GOOD, "Sound"),
        Verdict::NotVerified => (ALARM, "Not verified"),
        Verdict::Damaged => (ALARM, "Damaged or forged"),
    };
    let mut summary = format!(
        ": of {}, {} run again and compared, with {} and {}",
        some(number(report.lines), "line"),
        report.run,
        some(number(report.moves), "move"),
        some(number(report.rolls), "roll"),
    );
    if let Some(hash) = &report.hash {
        summary += &format!("; the state is {hash}");
    }
    let summary = if report.lines > 0 { summary } else { ": it cannot be read further".to_owned() };
    Ok(screen.say(&Text::of(style, word).and(PLAIN, summary + "."))?)
}

fn number(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}
