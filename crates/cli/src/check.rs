//! `fracas check`: plays scenarios, starts encounters and reads libraries.

use crate::args::{CheckArgs, CheckFormat};
use crate::screen::{ALARM, FAINT, GOOD, PLAIN, Screen, Text};
use crate::stop::{Ended, Stop};
use crate::{failure, files, find};
use fracas_kernel::{Document, Faults, System};
use fracas_maps::MAX_FILE;
use fracas_papers::{picture_fault, picture_file};
use fracas_scenario::{Failure, Outcome, load_library, load_setup, read_document, scenario_files};
use fracas_systems::Sort;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    Scenario,
    Encounter,
    /// Characters, foes and gear that encounters use.
    Library,
    /// A file that cannot be read.
    Unreadable,
}

/// The result for one file.
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

/// The results for all files.
#[derive(Serialize)]
struct Report {
    passed: usize,
    failed: usize,
    checks: Vec<Checked>,
}

/// Checks the named files and folders.
pub(crate) fn run(args: &CheckArgs, screen: &mut Screen) -> Ended {
    let stated = args.system.as_deref().map(find::system).transpose()?.map(|system| system.id);
    // Files named with `--with` are checked too, and come first.
    let named: Vec<PathBuf> = args.with.iter().chain(&args.paths).cloned().collect();
    let paths = match args.paths.is_empty() {
        true => {
            paths(&[])?.into_iter().chain(paths(&named)?.into_iter().filter(|_| !named.is_empty())).collect()
        }
        false => paths(&named)?,
    };
    let mut checks = Vec::new();
    let mut scenarios = Vec::new();
    let libraries = libraries(&named);
    let beside = system_beside(&named);
    for path in scenario_files(&paths) {
        match classify(&path) {
            Err(faults) => checks.push(Checked::faulty(path, What::Unreadable, String::new(), faults)),
            Ok((What::Scenario, _)) => scenarios.push(path),
            Ok((What::Encounter, document)) => checks.push(encounter(path, &document, stated, &libraries)),
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
            print_lines(&report, screen, |file, line, what| format!("{file}:{line}: error: {what}"))?
        }
        CheckFormat::Github => print_lines(&report, screen, |file, line, what| {
            format!("::error file={},line={line}::{}", escaped(file, true), escaped(what, false))
        })?,
    }
    match (unreadable, failed) {
        (true, _) => Err(Stop::Unreadable),
        (false, 0) => Ok(()),
        (false, _) => Err(Stop::Failed),
    }
}

/// The library files among the named paths. As in play, they come before the library of
/// each encounter that is named with them.
fn libraries(paths: &[PathBuf]) -> Vec<Document> {
    let sorted = paths.iter().filter(|path| path.is_file()).filter_map(|path| classify(path).ok());
    sorted.filter(|(what, _)| *what == What::Library).map(|(_, document)| document).collect()
}

/// The system of the encounters among the named paths, if it is the same for all of them.
/// As in play, libraries named with them belong to that system.
fn system_beside(paths: &[PathBuf]) -> Option<&'static str> {
    let encounters = paths.iter().filter(|path| path.is_file()).filter_map(|path| classify(path).ok());
    let mut systems = encounters
        .filter(|(what, _)| *what == What::Encounter)
        .filter_map(|(_, document)| Some(find::system_of(&document).ok()?.id));
    let first = systems.next()?;
    systems.all(|id| id == first).then_some(first)
}

/// The paths to check: the named ones, or `scenarios` and `content`.
fn paths(named: &[PathBuf]) -> Result<Vec<PathBuf>, Stop> {
    if named.is_empty() {
        let usual: Vec<PathBuf> =
            ["scenarios", "content"].map(PathBuf::from).into_iter().filter(|p| p.is_dir()).collect();
        if usual.is_empty() {
            return Err(Stop::bad("neither ./scenarios nor ./content is here: name files or folders"));
        }
        return Ok(usual);
    }
    for path in named {
        if !path.exists() {
            return Err(Stop::file(path, "there is no such file or folder"));
        }
    }
    Ok(named.to_vec())
}

/// Reads a file and tells its kind.
fn classify(path: &Path) -> Result<(What, Document), Faults> {
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

/// Starts a table with the encounter and its libraries.
fn encounter(path: PathBuf, document: &Document, stated: Option<&str>, libraries: &[Document]) -> Checked {
    let title = title(document);
    let system = match stated {
        Some(id) => find::system(id),
        None => find::system_of(document),
    };
    let faults = match system {
        Err(stop) => Err(files::fault(&path, &stop)),
        Ok(system) => fracas_systems::library(&system)
            .and_then(|library| load_setup(&path, &library))
            .and_then(|setup| setup.with(libraries.to_vec()))
            .and_then(|setup| (system.start)(&setup).map(drop))
            .and_then(|()| fracas_systems::check_picture(document))
            .and_then(|()| picture(&path, document)),
    };
    match faults {
        Ok(()) => Checked::passed(path, What::Encounter, title),
        Err(faults) => Checked::faulty(path, What::Encounter, title, faults),
    }
}

/// Reads the picture that an encounter names as a file beside it, as a server would.
fn picture(path: &Path, encounter: &Document) -> Result<(), Faults> {
    let Some(file) = picture_file(encounter) else { return Ok(()) };
    let file = path.with_file_name(file);
    let read = || {
        files::fits(&file, MAX_FILE as u64).map_err(|stop| stop.to_string())?;
        let bytes = fs::read(&file).map_err(|error| error.to_string())?;
        fracas_maps::picture::read(&bytes).map(drop).map_err(|error| format!("{}: {error}", file.display()))
    };
    read().map_err(|what: String| picture_fault(encounter, &what))
}

/// Reads every entry of a library as if an encounter used it.
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

/// The system of a library, which the file does not name: the stated system, or the system
/// with the folder's name, or the only system.
fn library_system(path: &Path, stated: Option<&str>) -> Result<System, Stop> {
    if let Some(id) = stated {
        return find::system(id);
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
        // An outcome without a game is of a file that could not be read.
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
            failure::show(failure, screen)?;
        }
        for fault in check.faults.iter().flat_map(|faults| &faults.0) {
            // Not wrapped in a pipe, so that a fault can be searched for and parsed.
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

/// Prints each fault on a line, made by `line` from its file, its line (1 for the whole file)
/// and its text.
fn print_lines(report: &Report, screen: &mut Screen, line: impl Fn(&str, usize, &str) -> String) -> Ended {
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

/// Escapes text for a workflow command of GitHub; a property needs more escapes.
fn escaped(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}
