//! `fracas sessions`: the evenings that are kept in the data folder.

use crate::{
    args::{Format, SessionsArgs},
    play, program, replay, rulebook,
    screen::{FAINT, PLAIN, STRONG, Screen, Text, some},
    stop::{Ended, Stop},
};
use fracas_table::{Entry, Log};
use serde::Serialize;
use std::{
    path::PathBuf,
    time::{Duration, SystemTime},
};

/// A session.
#[derive(Serialize)]
struct Session {
    file: PathBuf,
    system: String,
    title: String,
    /// The day it began.
    label: String,
    /// Answers that stand.
    answers: usize,
    /// Seconds since anything happened.
    ago: u64,
}

/// Lists them.
pub(crate) fn run(args: &SessionsArgs, screen: &mut Screen) -> Ended {
    let wanted = args.system.as_deref().map(rulebook::system).transpose()?;
    let mut sessions = Vec::new();
    let mut faulty = Vec::new();
    for (file, ago) in files() {
        match replay::log(&file) {
            Ok((log, _)) => sessions.push(Session::of(file, &log, ago)),
            Err(stop) => faulty.push(stop.to_string()),
        }
    }
    sessions.retain(|session| wanted.is_none_or(|system| system.id == session.system));
    if args.format == Format::Json {
        return Ok(screen.json(&sessions)?);
    }
    for session in &sessions {
        let told = format!(
            " ({}), {}, {}: {}, {}",
            session.system,
            session.label,
            "last played",
            since(session.ago),
            some(session.answers, "answer")
        );
        screen.say(&Text::of(STRONG, &session.title).and(PLAIN, told))?;
        screen.raw(&format!("  {}", session.file.display()))?;
    }
    for told in faulty {
        screen.tell(FAINT, &told)?;
    }
    match (sessions.is_empty(), play::data_folder()) {
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

/// How long ago something was, as people say it.
fn since(seconds: u64) -> String {
    let told = |n: u64, unit: &str| format!("{} ago", some(usize::try_from(n).unwrap_or(usize::MAX), unit));
    match seconds {
        0..60 => "just now".to_owned(),
        60..3_600 => told(seconds / 60, "minute"),
        3_600..86_400 => told(seconds / 3_600, "hour"),
        _ => told(seconds / 86_400, "day"),
    }
}

/// The logs in the data folder, each with how long ago it was written, the latest first.
fn files() -> Vec<(PathBuf, Duration)> {
    let folder = play::data_folder().and_then(|folder| std::fs::read_dir(folder).ok());
    let mut files: Vec<(PathBuf, SystemTime)> = folder
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "fracas"))
        .filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.modified().ok()?)))
        .collect();
    files.sort_by(|(one, at), (other, then)| then.cmp(at).then_with(|| one.cmp(other)));
    let ago = |at: SystemTime| SystemTime::now().duration_since(at).unwrap_or_default();
    files.into_iter().map(|(path, at)| (path, ago(at))).collect()
}

/// The session that was played last.
pub(crate) fn latest() -> Result<PathBuf, Stop> {
    let folder = play::data_folder().map_or_else(String::new, |folder| format!(" in {}", folder.display()));
    let first = files().into_iter().next();
    first.map(|(path, _)| path).ok_or_else(|| Stop::bad(format!("no session is kept{folder}: give its file")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_large_units() {
        for (seconds, told) in
            [(5, "just now"), (60, "1 minute ago"), (7_300, "2 hours ago"), (90_000, "1 day ago")]
        {
            assert_eq!(since(seconds), told);
        }
    }
}
