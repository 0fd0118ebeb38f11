//! `fracas sessions`: lists the sessions in the data folder.

use crate::args::{Format, SessionsArgs};
use crate::screen::{FAINT, PLAIN, STRONG, Screen, Text, some};
use crate::{find, program, stop::Ended};
use fracas_table::{Entry, Log};
use serde::Serialize;
use std::{path::PathBuf, time::Duration};

/// A session as JSON.
#[derive(Serialize)]
struct Session {
    file: PathBuf,
    system: String,
    title: String,
    /// The date when the session began.
    label: String,
    /// The number of answers in force.
    answers: usize,
    /// Seconds since the log was last written.
    ago: u64,
}

/// Lists the sessions, the latest first.
pub(crate) fn run(args: &SessionsArgs, screen: &mut Screen) -> Ended {
    let wanted = args.system.as_deref().map(find::system).transpose()?;
    let mut sessions = Vec::new();
    let mut faulty = Vec::new();
    for (file, ago) in find::sessions() {
        match find::log(&file) {
            Ok((log, _)) => sessions.push(Session::of(file, &log, ago)),
            Err(stop) => faulty.push(stop.to_string()),
        }
    }
    sessions.retain(|session| wanted.is_none_or(|system| system.id == session.system));
    if args.format == Format::Json {
        return Ok(screen.json(&sessions)?);
    }
    for session in &sessions {
        let details = format!(
            " ({}), {}, {}: {}, {}",
            session.system,
            session.label,
            "last played",
            since(session.ago),
            some(session.answers, "answer")
        );
        screen.say(&Text::of(STRONG, &session.title).and(PLAIN, details))?;
        screen.raw(&format!("  {}", session.file.display()))?;
    }
    for fault in faulty {
        screen.tell(FAINT, &fault)?;
    }
    match (sessions.is_empty(), find::data_folder()) {
        (false, _) => screen.raw(&format!("\nGo on with the first: {} play --resume", program::command()))?,
        (true, Some(folder)) => screen.raw(&format!("No session is kept in {}", folder.display()))?,
        (true, None) => screen.raw("There is no data folder here: sessions are kept where they begin.")?,
    }
    Ok(())
}

impl Session {
    fn of(file: PathBuf, log: &Log, ago: Duration) -> Session {
        let header = log.header();
        let given = |entry: &Entry| matches!(entry, Entry::Answer(answer) if answer.auto.is_none());
        Session {
            system: header.system.clone(),
            title: header.title.clone(),
            label: header.label.clone(),
            answers: log.live().filter(|record| given(&record.entry)).count(),
            ago: ago.as_secs(),
            file,
        }
    }
}

/// A duration in words, such as `2 hours ago`.
fn since(seconds: u64) -> String {
    let ago = |n: u64, unit: &str| format!("{} ago", some(usize::try_from(n).unwrap_or(usize::MAX), unit));
    match seconds {
        0..60 => "just now".to_owned(),
        60..3_600 => ago(seconds / 60, "minute"),
        3_600..86_400 => ago(seconds / 3_600, "hour"),
        _ => ago(seconds / 86_400, "day"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_large_units() {
        for (seconds, words) in
            [(5, "just now"), (60, "1 minute ago"), (7_300, "2 hours ago"), (90_000, "1 day ago")]
        {
            assert_eq!(since(seconds), words);
        }
    }
}
