//! `fracas check`: scenarios are played, tables are set up.

use crate::{
    args::{CheckArgs, CheckFormat},
    files, rulebook,
    screen::{ALARM, FAINT, GOOD, PLAIN, Screen, Text},
    stop::{Ended, Stop},
};
use fracas_kernel::{Document, Faults, System};
use fracas_scenario::{Failure, Outcome, load_library, load_setup, read_document, scenario_files};
use fracas_systems::Sort;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    Scenario,
    Encounter,
    /// Characters, foes and gear for encounters to draw on.
    Library,
    /// It cannot be read at all.
    Unreadable,
}

/// One file, checked.
#[derive(Serialize)]
struct Checked {
    file: PathBuf,
    what: What,
    title: String,
    passed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<Faults>,
}

/// Everything, checked.
#[derive(Serialize)]
struct Report {
    passed: usize,
    failed: usize,
    checks: Vec<Checked>,
}

/// Checks.
pub(crate) fn run(args: &CheckArgs, screen: &mut Screen) -> Ended {
    let stated = args.system.as_deref().map(rulebook::system).transpose()?.map(|system| system.id);
    // What is laid before is named like any other, and first.
    let named: Vec<PathBuf> = args.with.iter().chain(&args.paths).cloned().collect();
    let paths = match args.paths.is_empty() {
        true => {
            paths(&[])?.into_iter().chain(paths(&named)?.into_iter().filter(|_| !named.is_empty())).collect()
        }
        false => paths(&named)?,
    };
    let mut checks = Vec::new();
    let mut scenarios = Vec::new();
    let given = given(&named);
    let beside = system_beside(&named);
    for path in scenario_files(&paths) {
        match sort(&path) {
            Err(faults) => checks.push(Checked::faulty(path, What::Unreadable, String::new(), faults)),
            Ok((What::Scenario, _)) => scenarios.push(path),
            Ok((What::Encounter, document)) => checks.push(encounter(path, &document, stated, &given)),
            Ok((_, document)) => checks.push(library(path, document, stated.or(beside))),
        }
    }
    let played =
        fracas_scenario::run_folder_with(&scenarios, fracas_systems::all(), &fracas_systems::library);
    checks.extend(played.into_iter().map(Checked::from));
    checks.sort_by(|a, b| a.file.cmp(&b.file));
    if checks.is_empty() {
        return Err(Stop::bad("there is nothing to check: no .toml file is there"));
    }
    let failed = checks.iter().filter(|check| !check.passed).count();
    let unreadable = checks.iter().any(|check| check.what == What::Unreadable);
    let report = Report { passed: checks.len() - failed, failed, checks };
    match args.format {
        CheckFormat::Json => screen.json(&report)?,
        CheckFormat::Text => print(&report, screen)?,
        CheckFormat::Short => {
            told(&report, screen, |file, line, what| format!("{file}:{line}: error: {what}"))?
        }
        CheckFormat::Github => told(&report, screen, |file, line, what| {
            format!("::error file={},line={line}::{}", escaped(file, true), escaped(what, false))
        })?,
    }
    match (unreadable, failed) {
        (true, _) => Err(Stop::Unreadable),
        (false, 0) => Ok(()),
        (false, _) => Err(Stop::Failed),
    }
}

/// Library files that were named themselves: encounters named with them draw on
/// them first, as in play.
fn given(paths: &[PathBuf]) -> Vec<Document> {
    let sorted = paths.iter().filter(|path| path.is_file()).filter_map(|path| sort(path).ok());
    sorted.filter(|(what, _)| *what == What::Library).map(|(_, document)| document).collect()
}

/// The system of the encounters that were named themselves, where they have one:
/// libraries named with them are of that system, as in play.
fn system_beside(paths: &[PathBuf]) -> Option<&'static str> {
    let encounters = paths.iter().filter(|path| path.is_file()).filter_map(|path| sort(path).ok());
    let mut systems = encounters
        .filter(|(what, _)| *what == What::Encounter)
        .filter_map(|(_, document)| Some(crate::play::system_of(&document).ok()?.id));
    let first = systems.next()?;
    systems.all(|id| id == first).then_some(first)
}

/// What to look through.
fn paths(given: &[PathBuf]) -> Result<Vec<PathBuf>, Stop> {
    if given.is_empty() {
        let usual: Vec<PathBuf> =
            ["scenarios", "content"].map(PathBuf::from).into_iter().filter(|p| p.is_dir()).collect();
        if usual.is_empty() {
            return Err(Stop::bad("neither ./scenarios nor ./content is here: name files or folders"));
        }
        return Ok(usual);
    }
    for path in given {
        if !path.exists() {
            return Err(Stop::file(path, "there is no such file or folder"));
        }
    }
    Ok(given.to_vec())
}

/// Reads a file far enough to know what it is.
fn sort(path: &Path) -> Result<(What, Document), Faults> {
    files::fits(path, fracas_scenario::MAX_FILE).map_err(|stop| files::fault(path, &stop))?;
    let document = read_document(path)?;
    let json = document.to_json();
    let has = |field: &str| json.get(field).is_some();
    let folder = path.parent().and_then(Path::file_name);
    let what = if has("setup") || has("step") || has("covers") {
        What::Scenario
    } else if document.named_system().is_some() || folder.is_some_and(|name| name == "encounters") {
        What::Encounter
    } else {
        What::Library
    };
    Ok((what, document))
}

fn title(document: &Document) -> String {
    document.to_json().get("title").and_then(|title| title.as_str()).unwrap_or_default().to_owned()
}

/// Sets a table up with an encounter and what it draws on.
fn encounter(path: PathBuf, document: &Document, stated: Option<&str>, given: &[Document]) -> Checked {
    let title = title(document);
    let system = match stated {
        Some(id) => rulebook::system(id),
        None => crate::play::system_of(document),
    };
    let faults = match system {
        Err(stop) => Err(files::fault(&path, &stop)),
        Ok(system) => fracas_systems::library(&system)
            .and_then(|library| load_setup(&path, &library))
            .and_then(|setup| setup.with(given.to_vec()))
            .and_then(|setup| (system.start)(&setup).map(drop)),
    };
    match faults {
        Ok(()) => Checked::passed(path, What::Encounter, title),
        Err(faults) => Checked::faulty(path, What::Encounter, title, faults),
    }
}

/// Reads every entry of a library as if it were used.
fn library(path: PathBuf, document: Document, stated: Option<&str>) -> Checked {
    let title = title(&document);
    let found = match library_system(&path, stated) {
        Err(stop) => Err(files::fault(&path, &stop)),
        Ok(system) => fracas_systems::library(&system).and_then(|bundled| {
            fracas_systems::check(&system, Sort::Library, document, load_library(&path, &bundled))
        }),
    };
    match found {
        Ok(()) => Checked::passed(path, What::Library, title),
        Err(faults) => Checked::faulty(path, What::Library, title, faults),
    }
}

/// The system of a library: as stated, that of the folder's name, or the only one.
/// A library does not say it itself.
fn library_system(path: &Path, stated: Option<&str>) -> Result<System, Stop> {
    if let Some(id) = stated {
        return rulebook::system(id);
    }
    let full = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = full.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    match (folder.and_then(fracas_systems::find), fracas_systems::all()) {
        (Some(system), _) => Ok(*system),
        (None, [only]) => Ok(*only),
        (None, all) => {
            let known: Vec<&str> = all.iter().map(|system| system.id).collect();
            Err(Stop::file(
                path,
                format!(
                    "a library of which system? Say --system {}, or name an encounter with it",
                    known.join(" or ")
                ),
            ))
        }
    }
}

impl Checked {
    fn passed(file: PathBuf, what: What, title: String) -> Self {
        Checked { file, what, title, passed: true, failure: None, faults: None }
    }

    fn faulty(file: PathBuf, what: What, title: String, faults: Faults) -> Self {
        Checked { file, what, title, passed: false, failure: None, faults: Some(faults.by_line()) }
    }
}

impl From<Outcome> for Checked {
    fn from(outcome: Outcome) -> Self {
        let passed = outcome.passed();
        // Without a game it was never read.
        let what = if outcome.game.is_empty() { What::Unreadable } else { What::Scenario };
        Checked {
            file: outcome.file,
            what,
            title: outcome.title,
            passed,
            failure: outcome.failure,
            faults: None,
        }
    }
}

fn print(report: &Report, screen: &mut Screen) -> Ended {
    for check in report.checks.iter().filter(|check| !check.passed) {
        let line = check.failure.as_ref().map_or(0, |failure| failure.line);
        let place = if line > 0 {
            format!("{}:{line}", check.file.display())
        } else {
            check.file.display().to_string()
        };
        let head =
            Text::of(ALARM, "failed").and(PLAIN, format!(" {place}")).and(FAINT, format!(" {}", check.title));
        screen.say(&head)?;
        if let Some(failure) = &check.failure {
            self::failure(failure, screen)?;
        }
        for fault in check.faults.iter().flat_map(|faults| &faults.0) {
            // Whole where it is searched, or read by an editor.
            match screen.is_terminal() {
                true => screen.hang(&Text::plain("  "), 4, &Text::plain(fault.to_string()))?,
                false => screen.verbatim(&format!("  {}", fault.to_string().replace('\n', " ")))?,
            }
        }
    }
    let style = if report.failed == 0 { GOOD } else { ALARM };
    screen.say(&Text::of(style, format!("{} passed, {} failed", report.passed, report.failed)))?;
    Ok(())
}

/// Prints everything that is wrong, a line each: its file, its line (1 for the whole file)
/// and what it is.
fn told(report: &Report, screen: &mut Screen, line: impl Fn(&str, usize, &str) -> String) -> Ended {
    for check in &report.checks {
        let file = check.file.display().to_string();
        if let Some(failure) = &check.failure {
            screen.verbatim(&line(&file, failure.line.max(1), &one_line(&failure.what)))?;
        }
        for fault in check.faults.iter().flat_map(|faults| &faults.0) {
            let field = if fault.field.is_empty() { String::new() } else { format!("{}: ", fault.field) };
            let what = format!("{field}{}", one_line(&fault.what));
            screen.verbatim(&line(&fault.file, fault.line.max(1), &what))?;
        }
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text as a workflow command takes it; properties of one more strictly.
fn escaped(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}

/// Why a scenario failed: the step, the difference, the clause.
pub(crate) fn failure(failure: &Failure, screen: &mut Screen) -> Ended {
    match failure.step {
        Some(0) => {}
        Some(step) => screen.hang(&Text::plain("  "), 2, &Text::plain(format!("step {step}")))?,
        None => screen.hang(&Text::plain("  "), 2, &Text::plain("after the last step"))?,
    }
    for line in failure.what.lines() {
        // The indent is part of how a difference reads.
        let indent = 4 + line.len() - line.trim_start().len();
        screen.hang(&Text::plain(" ".repeat(indent)), indent + 2, &Text::plain(line.trim()))?;
    }
    if let Some((id, text)) = &failure.clause {
        screen.hang(&Text::plain("  "), 4, &Text::of(FAINT, format!("{id}: ")).and(PLAIN, text))?;
    }
    Ok(())
}
