//! `fracas verify`: a log played again, and compared.

use crate::{
    args::{Format, VerifyArgs},
    replay,
    screen::{ALARM, FAINT, GOOD, PLAIN, Screen, Text, some},
    stop::{Ended, Stop},
};
use fracas_table::{OpenError, Report, verify};

/// What was found, for a program.
#[derive(serde::Serialize)]
struct Found<'r> {
    sound: bool,
    /// Bytes of an unfinished last line, which was never acknowledged.
    unfinished: usize,
    #[serde(flatten)]
    report: &'r Report,
}

/// Plays a log again.
pub(crate) fn run(args: &VerifyArgs, screen: &mut Screen) -> Ended {
    let (log, unfinished) = replay::log(&args.log)?;
    let report = verify(&log, fracas_systems::all()).map_err(|e: OpenError| Stop::bad(e.to_string()))?;
    let sound = report.sound();
    if args.format == Format::Json {
        screen.json(&Found { sound, unfinished, report: &report })?;
    } else {
        for problem in &report.problems {
            let label = Text::of(ALARM, format!("{}:{}: ", args.log.display(), problem.line));
            screen.hang(&label, 4, &Text::plain(&problem.what))?;
        }
        if unfinished > 0 {
            let told =
                format!("The last {unfinished} bytes are an unfinished line, which nobody was told of.");
            screen.tell(FAINT, &told)?;
        }
        if report.not_run > 0 {
            let told =
                format!("{} of earlier rules, not played again.", some(number(report.not_run), "line"));
            screen.tell(FAINT, &told)?;
        }
        for origin in log.header().carried_from() {
            let told = format!(
                "Carried on from {} ({}), where the state was {}.",
                origin.log,
                some(number(origin.lines), "line"),
                origin.state
            );
            screen.tell(FAINT, &told)?;
        }
        let (style, word) = if sound { (GOOD, "Sound") } else { (ALARM, "Not sound") };
        let told = format!(
            ": {}, {} and {} played again; the state is {}.",
            some(number(report.lines), "line"),
            some(number(report.moves), "move"),
            some(number(report.rolls), "roll"),
            report.hash,
        );
        screen.say(&Text::of(style, word).and(PLAIN, told))?;
    }
    if sound { Ok(()) } else { Err(Stop::Failed) }
}

fn number(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}
