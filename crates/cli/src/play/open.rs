//! Opens a table: a new one from an encounter, or an earlier one from its log.

use crate::find::{self, Offered, data_folder, offered};
use crate::screen::{FAINT, KEY, STRONG, Screen, Text};
use crate::stop::{Ended, Stop};
use crate::{args::PlayArgs, files, seats::Seats};
use fracas_kernel::{AnyTable, Document, Setup, System, Viewer};
use fracas_scenario::{MAX_FILE, read_document};
use fracas_table::{FileStore, OpenError, Opening, Seed, Table};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A table that can be opened. Nothing has been written yet.
pub(crate) struct Ready {
    from: From,
    /// The table's seats, all played by hand.
    pub(crate) seats: Seats,
}

/// The source of a table.
enum From {
    /// An earlier table and its log.
    Log(Box<Table>, PathBuf),
    /// A new table, with a name for its log.
    Setup(System, Box<Setup>, String),
}

/// An open table.
pub(crate) struct Opened {
    /// The table.
    pub(crate) table: Table,
    /// The path of the log.
    pub(crate) log: PathBuf,
    /// The seed of bots, the same each time the table is opened.
    pub(crate) seed: u64,
}

/// Finds the table that the arguments name, without writing anything. `chosen` is the
/// encounter if they name none.
pub(crate) fn ready(args: &PlayArgs, resume: Option<&Path>, chosen: Option<&Offered>) -> Result<Ready, Stop> {
    if let Some(path) = resume {
        let table = resumed(path, args)?;
        return Ok(Ready { seats: seats(table.game()), from: From::Log(Box::new(table), path.to_owned()) });
    }
    let (given, stated) = match chosen {
        Some(chosen) => (Some(chosen.given.as_str()), Some(chosen.system.id)),
        None => (args.encounter.as_deref(), args.system.as_deref()),
    };
    let from = args.from.as_deref().map(carried_from).transpose()?;
    let likely = from.as_ref().map(|(system, _)| system.id);
    let (system, setup, name) = find::encounter(given, stated, likely)?;
    let setup = setup.with(carried(args, &system, from)?)?;
    let game = (system.start)(&setup)?;
    Ok(Ready { seats: seats(game.as_ref()), from: From::Setup(system, Box::new(setup), name) })
}

impl Ready {
    /// Opens the table; a new one gets its log.
    pub(crate) fn open(self, args: &PlayArgs) -> Result<Opened, Stop> {
        let (table, log) = match self.from {
            From::Log(table, path) => (*table, path),
            From::Setup(system, setup, name) => created(args, &system, &setup, &name)?,
        };
        let seed = bot_seed(&table);
        Ok(Opened { table, log, seed })
    }
}

fn resumed(path: &Path, args: &PlayArgs) -> Result<Table, Stop> {
    // Opening removes an incomplete last line, so check first that the file is a log.
    find::log(path)?;
    let store = FileStore::open(path).map_err(|e| Stop::file(path, e))?;
    let opened = if args.upgrade {
        Table::upgrade(fracas_systems::all(), Box::new(store))
    } else {
        Table::open(fracas_systems::all(), Box::new(store))
    };
    opened.map_err(|error| match error {
        OpenError::Version { .. } => Stop::bad(format!("{error} (add --upgrade)")),
        error => Stop::bad(error.to_string()),
    })
}

fn created(args: &PlayArgs, system: &System, setup: &Setup, name: &str) -> Result<(Table, PathBuf), Stop> {
    let (seed, mark) = match args.seed {
        Some(seed) => (Seed::from(seed), seed.to_string()),
        None => (random_seed()?, today()),
    };
    let (path, store) = match &args.log {
        Some(path) => (path.clone(), new_log(path)?),
        None => new_log_named(&format!("{name}-{mark}"))?,
    };
    let title =
        setup.encounter.to_json().get("title").and_then(|t| t.as_str()).unwrap_or_default().to_owned();
    let opening = Opening { title, label: today(), seed: Some(seed) };
    let table =
        Table::create(system, setup, opening, Box::new(store)).map_err(|e| Stop::bad(e.to_string()))?;
    Ok((table, path))
}

/// The system of a log, and the characters that leave it, as a library document.
fn carried_from(path: &Path) -> Result<(System, Document), Stop> {
    let (log, _) = find::log(path)?;
    let (system, _, document) = find::carried(&log)?;
    Ok((system, document))
}

/// The libraries that come before the encounter's own: files, then a log's characters.
fn carried(
    args: &PlayArgs,
    system: &System,
    from: Option<(System, Document)>,
) -> Result<Vec<Document>, Stop> {
    let mut documents = Vec::new();
    for path in &args.with {
        files::fits(path, MAX_FILE)?;
        let document = read_document(path)?;
        if let Some(other) = of_another(&document, system) {
            return Err(Stop::file(
                path,
                format!("reads as a library of {}, and the encounter is for {}", other.id, system.id),
            ));
        }
        documents.push(document);
    }
    if let Some((from, document)) = from {
        if from.id != system.id {
            return Err(Stop::bad(format!(
                "{}: a log of {}, and the encounter is for {}",
                document.name(),
                from.id,
                system.id
            )));
        }
        documents.push(document);
    }
    Ok(documents)
}

/// Another system that can read this library, if `system` cannot.
fn of_another(library: &Document, system: &System) -> Option<System> {
    let reads = |system: &System| {
        let encounter = Document::json("nothing", &serde_json::json!({}));
        let bundled = fracas_systems::library(system).unwrap_or_default();
        let library = std::iter::once(library.clone()).chain(bundled).collect();
        let faults = (system.library)(&Setup { encounter, library }).err().unwrap_or_default();
        faults.0.len()
    };
    let here = reads(system);
    if here == 0 {
        return None;
    }
    fracas_systems::all().iter().find(|other| other.id != system.id && reads(other) == 0).copied()
}

/// The seats of a table, all played by hand, with their characters' titles.
pub(crate) fn seats(game: &dyn AnyTable) -> Seats {
    let cards = game.cards(Viewer::Spectator);
    Seats::new(game.seats(), &|slug| {
        let card = cards.iter().find(|card| card.id == slug && !card.title.is_empty());
        card.map_or_else(|| slug.to_owned(), |card| card.title.clone())
    })
}

/// Lists the encounters that can be played by name.
pub(crate) fn list(wanted: Option<System>, screen: &mut Screen) -> Ended {
    let (offered, faulty) = offered(wanted)?;
    for system in fracas_systems::all() {
        let mut its = offered.iter().filter(|encounter| encounter.system.id == system.id).peekable();
        if its.peek().is_some() {
            let title = (system.rulebook)().title;
            screen.say(&Text::of(STRONG, title).and(FAINT, format!(" ({})", system.id)))?;
        }
        for encounter in its {
            let text = Text::plain(&encounter.title).and(FAINT, encounter.about());
            screen.hang(&Text::of(KEY, format!("  {} ", encounter.given)), 18, &text)?;
        }
    }
    for fault in faulty {
        screen.tell(FAINT, &fault)?;
    }
    Ok(())
}

/// Creates a log at this path.
fn new_log(path: &Path) -> Result<FileStore, Stop> {
    FileStore::create(path).map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => Stop::file(
            path,
            "there is such a file already: go on with it by --resume, or choose another name",
        ),
        ErrorKind::NotFound => Stop::file(path, "there is no such folder"),
        _ => Stop::file(path, e),
    })
}

/// Creates a log in the data folder, or else in the current folder.
fn new_log_named(name: &str) -> Result<(PathBuf, FileStore), Stop> {
    let folder = data_folder().filter(|folder| private(folder).is_ok()).unwrap_or_default();
    for n in 1..10_000 {
        let file = if n == 1 { format!("{name}.fracas") } else { format!("{name}-{n}.fracas") };
        let path = folder.join(file);
        match FileStore::create(&path) {
            Ok(store) => return Ok((path, store)),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(Stop::file(&path, e)),
        }
    }
    Err(Stop::bad(format!("{}: thousands of logs are called {name} here: say --log", folder.display())))
}

/// Creates a folder, or makes an existing one readable only by its owner: logs hold every
/// secret of a table.
fn private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    #[cfg(unix)]
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

/// A random seed.
fn random_seed() -> Result<Seed, Stop> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| Stop::bad(format!("the system gives no random numbers: {e}")))?;
    Ok(Seed::new(bytes))
}

/// The seed of bots, made from the table's seed: the same after a pause, and different from
/// the seed of the dice.
fn bot_seed(table: &Table) -> u64 {
    let seed = table.log().header().seed.and_then(|seed| serde_json::to_value(seed).ok());
    let digits = seed.as_ref().and_then(|seed| seed.as_str()?.get(..16).map(str::to_owned));
    digits.and_then(|hex| u64::from_str_radix(&hex, 16).ok()).unwrap_or(0) ^ 0x66_72_61_63_61_73_21_21
}

/// The date, as `2026-11-21`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    date(seconds / 86_400)
}

/// The date that many days after 1 January 1970.
fn date(mut days: u64) -> String {
    let mut year = 1970;
    let leap = |y: u64| (y.is_multiple_of(4) && !y.is_multiple_of(100)) || y.is_multiple_of(400);
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= months[month] {
        days -= months[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_778), "2026-11-21");
    }
}
