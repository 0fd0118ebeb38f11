//! Looking up what a command line or a prompt names: systems, logs, encounters, sessions.

use crate::{files, program, screen::clean, stop::Stop};
use fracas_face::menu::words_of;
use fracas_kernel::{About, Document, Setup, System, near, toml};
use fracas_scenario::{MAX_FILE, load_setup, read_document, scenario_files};
use fracas_table::{Log, MAX_LOG, carry};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The system with this id, or every system.
pub(crate) fn systems(id: Option<&str>) -> Result<Vec<System>, Stop> {
    match id {
        None => Ok(fracas_systems::all().to_vec()),
        Some(id) => system(id).map(|system| vec![system]),
    }
}

/// The system with this id.
pub(crate) fn system(id: &str) -> Result<System, Stop> {
    fracas_systems::find(id).copied().ok_or_else(|| {
        let known: Vec<&str> = fracas_systems::all().iter().map(|system| system.id).collect();
        let perhaps = near(id, &known);
        Stop::bad(format!("there is no system {id:?} here{perhaps}; there are {}", known.join(", ")))
    })
}

/// Reads a log without changing the file. Gives the bytes of an incomplete last line too.
///
/// # Errors
/// If the file is not a log, or is a log of rules that this program does not have.
pub(crate) fn log(path: &Path) -> Result<(Log, usize), Stop> {
    files::fits(path, MAX_LOG)?;
    let looked = Log::look(path).and_then(|(log, cut)| {
        log.check_versions(fracas_systems::all())?;
        Ok((log, cut))
    });
    looked.map_err(|e| Stop::bad(e.to_string()))
}

/// An encounter that can be played without naming a file.
#[derive(Clone)]
pub(crate) struct Offered {
    /// The system that the encounter is for.
    pub(crate) system: System,
    /// The id of a bundled encounter, or the path of a file.
    pub(crate) given: String,
    /// The title.
    pub(crate) title: String,
    /// What it says about itself.
    about: About,
    /// The number of seats for players.
    players: usize,
}

impl Offered {
    /// The names that find the encounter: its id and its title.
    pub(crate) fn names(&self) -> [&str; 2] {
        let id = Path::new(&self.given).file_stem().and_then(|stem| stem.to_str()).unwrap_or(&self.given);
        [id, &self.title]
    }

    /// The summary, the number of players and the minutes, as printed after the title.
    pub(crate) fn about(&self) -> String {
        let About { summary, minutes, .. } = &self.about;
        let summary = if summary.is_empty() { String::new() } else { format!(": {summary}") };
        format!("{summary} ({})", uncapital(&fracas_systems::for_players(self.players, *minutes)))
    }
}

/// Text with its first letter in lower case, for use within a sentence.
fn uncapital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// The folder of the user's own encounters.
const OWN: &str = "encounters";

/// The encounters of one system or all: the user's own, then the bundled ones. Also gives an
/// error message for each of the user's files that cannot be read.
pub(crate) fn offered(wanted: Option<System>) -> Result<(Vec<Offered>, Vec<String>), Stop> {
    let mut found = Vec::new();
    let mut faulty = Vec::new();
    for path in scenario_files(&[PathBuf::from(OWN)]).into_iter().filter(|path| path.exists()) {
        match read_own(&path) {
            Ok(encounter) => found.push(encounter),
            Err(stop) => faulty.push(stop.to_string().lines().next().unwrap_or_default().to_owned()),
        }
    }
    for system in fracas_systems::all() {
        found.extend(fracas_systems::offered(system)?.into_iter().map(|encounter| Offered {
            system: *system,
            given: encounter.id,
            title: encounter.title,
            about: encounter.about,
            players: encounter.players,
        }));
    }
    found.retain(|encounter| wanted.is_none_or(|wanted| wanted.id == encounter.system.id));
    Ok((found, faulty))
}

/// Reads an encounter of the user's.
fn read_own(path: &Path) -> Result<Offered, Stop> {
    files::fits(path, MAX_FILE)?;
    let document = read_document(path)?;
    let json = document.to_json();
    let given = path.display().to_string();
    Ok(Offered {
        system: system_of(&document)?,
        title: json["title"].as_str().unwrap_or(&given).to_owned(),
        about: About::of(&json),
        players: json.get("player").and_then(|all| all.as_array()).map_or(0, Vec::len),
        given,
    })
}

/// The system, the setup and a short name of an encounter. If none is given, the first
/// encounter of the `likely` system.
pub(crate) fn encounter(
    given: Option<&str>,
    system: Option<&str>,
    likely: Option<&str>,
) -> Result<(System, Setup, String), Stop> {
    let wanted = system.map(self::system).transpose()?;
    let Some(given) = given else {
        let (all, _) = offered(wanted)?;
        let first = all.iter().find(|encounter| likely == Some(encounter.system.id)).or(all.first());
        let first = first.ok_or_else(|| Stop::bad("no encounter comes with this system: give a file"))?;
        return encounter(Some(&first.given), Some(first.system.id), None);
    };
    if is_file(given) {
        return from_file(Path::new(given), wanted);
    }
    let (all, _) = offered(wanted)?;
    let named: Vec<Offered> =
        match all.iter().filter(|encounter| encounter.names()[0] == given).cloned().collect() {
            none if Vec::is_empty(&none) => by_beginning(given, &all)?.into_iter().cloned().collect(),
            named => named,
        };
    match &named[..] {
        // The user's own encounters come first.
        [encounter, ..] if Path::new(&encounter.given).exists() => {
            from_file(Path::new(&encounter.given), Some(encounter.system))
        }
        [encounter] => {
            let setup = fracas_systems::setup(&encounter.system, &encounter.given)
                .ok_or_else(|| Stop::bad(format!("{given}: not bundled")))??;
            Ok((encounter.system, setup, encounter.given.clone()))
        }
        several => {
            let ids: Vec<&str> = several.iter().map(|encounter| encounter.system.id).collect();
            Err(Stop::bad(format!("{given}: of which system? Say --system {}", ids.join(" or "))))
        }
    }
}

/// The encounter whose id or title begins so or has these words.
///
/// # Errors
/// If no encounter matches, or several do.
fn by_beginning<'o>(given: &str, all: &'o [Offered]) -> Result<Vec<&'o Offered>, Stop> {
    let names: Vec<[&str; 2]> = all.iter().map(Offered::names).collect();
    match matching(given, &names)[..] {
        [at] => Ok(vec![&all[at]]),
        [] => {
            let known: Vec<&str> = all.iter().map(|encounter| encounter.names()[0]).collect();
            Err(Stop::bad(format!(
                "{given}: there is no such file, and no encounter of that name{}; {} play --list lists them",
                near(given, &known),
                program::command()
            )))
        }
        ref several => {
            let ids: Vec<&str> = several.iter().map(|&at| names[at][0]).collect();
            Err(Stop::bad(format!("{given}: which of them: {}?", ids.join(", "))))
        }
    }
}

/// Whether an encounter is given as a path.
fn is_file(given: &str) -> bool {
    Path::new(given).exists() || given.contains(['/', '\\']) || given.ends_with(".toml")
}

fn from_file(path: &Path, wanted: Option<System>) -> Result<(System, Setup, String), Stop> {
    files::fits(path, MAX_FILE)?;
    let system = match wanted {
        Some(system) => system,
        None => system_of(&read_document(path)?)?,
    };
    let name = path.file_stem().map_or_else(|| "table".into(), |stem| stem.to_string_lossy().into_owned());
    let setup = load_setup(path, &fracas_systems::library(&system)?)?;
    Ok((system, setup, slug(&name)))
}

/// The system that a document names.
pub(crate) fn system_of(document: &Document) -> Result<System, Stop> {
    match document.named_system() {
        Some(id) => system(&id).map_err(|stop| Stop::bad(format!("{}: game: {stop}", document.name()))),
        None if fracas_systems::all().len() == 1 => Ok(fracas_systems::all()[0]),
        None => {
            let known: Vec<&str> = fracas_systems::all().iter().map(|system| system.id).collect();
            Err(Stop::bad(format!(
                "{}: `game` is missing: one of {} (or say --system)",
                document.name(),
                known.join(", ")
            )))
        }
    }
}

/// The indexes of the entries with this name; else of those that begin so; else of those that
/// have these words.
pub(crate) fn matching(typed: &str, all: &[[&str; 2]]) -> Vec<usize> {
    let typed = typed.to_lowercase();
    let words: Vec<&str> = typed.split_whitespace().collect();
    let exact = |name: &str| name == typed;
    let begins = |name: &str| name.starts_with(&typed);
    let holds = |name: &str| words.iter().all(|word| words_of(name).any(|own| own.starts_with(word)));
    let by: [&dyn Fn(&str) -> bool; 3] = [&exact, &begins, &holds];
    by.into_iter()
        .map(|fits| {
            (0..all.len()).filter(|&at| all[at].iter().any(|name| fits(&name.to_lowercase()))).collect()
        })
        .find(|found: &Vec<usize>| !found.is_empty())
        .unwrap_or_default()
}

/// A file name of letters, digits and hyphens.
fn slug(name: &str) -> String {
    let slug: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(40)
        .collect();
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "table".into() } else { slug.to_owned() }
}

/// The system of a log, and the characters that leave it: a library as TOML and as a document.
pub(crate) fn carried(log: &Log) -> Result<(System, String, Document), Stop> {
    let system = system(&log.header().system)?;
    let carried = carry(log, fracas_systems::all()).map_err(|e| Stop::bad(e.to_string()))?;
    let Some(carried) = carried else {
        return Err(Stop::bad(format!("{}: {} knows no other evening", log.name(), system.id)));
    };
    let heading = heading(log, "What the players' characters take into another evening");
    let text = format!(
        "{heading}# Change what you like; `fracas check --system {}` finds mistakes. An empty list says that\n\
         # there is none, even where the next encounter has its own, and so does `without` of what it names.\n\n{}",
        system.id,
        toml(&carried)
    );
    let document = Document::toml(log.name(), &text)?;
    Ok((system, text, document))
}

/// A comment for the top of a file, naming the session that the file comes from.
pub(crate) fn heading(log: &Log, what: &str) -> String {
    let header = log.header();
    let label = if header.label.is_empty() { String::new() } else { format!(" ({})", header.label) };
    clean(&format!("# {what}, after {}{label}.", header.title)) + "\n"
}

/// The default folder of logs and of the server's database.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    set("XDG_DATA_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| set("HOME").map(|home| home.join(".local").join("share")))
        .map(|folder| folder.join("fracas"))
}

/// The logs in the data folder, the latest first, each with the time since it was written.
pub(crate) fn sessions() -> Vec<(PathBuf, Duration)> {
    let folder = data_folder().and_then(|folder| std::fs::read_dir(folder).ok());
    let mut files: Vec<(PathBuf, SystemTime)> = folder
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "fracas"))
        .filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.modified().ok()?)))
        .collect();
    files.sort_by(|(a, at), (b, then)| then.cmp(at).then_with(|| a.cmp(b)));
    let ago = |at: SystemTime| SystemTime::now().duration_since(at).unwrap_or_default();
    files.into_iter().map(|(path, at)| (path, ago(at))).collect()
}

/// The log in the data folder that was written last.
pub(crate) fn latest_session() -> Result<PathBuf, Stop> {
    let folder = data_folder().map_or_else(String::new, |folder| format!(" in {}", folder.display()));
    let first = sessions().into_iter().next();
    first.map(|(path, _)| path).ok_or_else(|| Stop::bad(format!("no session is kept{folder}: give its file")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        assert_eq!(slug("The King's Gate"), "the-king-s-gate");
        assert_eq!(slug("../.."), "table");
    }
}
