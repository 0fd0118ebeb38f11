//! Opening a table: from an encounter, or where somebody stopped.

use super::Seats;
use crate::{
    args::PlayArgs,
    files, program, rulebook,
    screen::{FAINT, KEY, STRONG, Screen, Text},
    stop::{Ended, Stop},
};
use fracas_kernel::{AnyTable, Document, Setup, System, Viewer, near};
use fracas_scenario::{MAX_FILE, load_setup, read_document, scenario_files};
use fracas_table::{FileStore, OpenError, Opening, Seed, Table};
use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// A table that could be opened, and everybody at it, by hand.
pub(crate) struct Ready {
    from: From,
    /// Everybody, by hand.
    pub(crate) seats: Seats,
}

/// Where a table comes from.
enum From {
    /// It was played before.
    Log(Box<Table>, PathBuf),
    /// It is new; the name is for its file.
    Setup(System, Box<Setup>, String),
}

/// A table to sit down at.
pub(crate) struct Opened {
    /// The table.
    pub(crate) table: Table,
    /// Where its log is.
    pub(crate) log: PathBuf,
    /// What bots draw from: the same whenever this table is opened.
    pub(crate) seed: u64,
}

/// An encounter that can be played without naming a file.
#[derive(Clone)]
pub(crate) struct Offered {
    /// What it is for.
    pub(crate) system: System,
    /// What it is asked for by: its id where it is bundled, else its file.
    pub(crate) given: String,
    /// What it is called.
    pub(crate) title: String,
    /// What it is about, where it says.
    summary: String,
    /// How many players it has seats for.
    players: usize,
}

impl Offered {
    /// What it may be called by.
    pub(crate) fn names(&self) -> [&str; 2] {
        let id = Path::new(&self.given).file_stem().and_then(|stem| stem.to_str()).unwrap_or(&self.given);
        [id, &self.title]
    }

    /// What it is about, after its title.
    pub(crate) fn about(&self) -> String {
        let summary = if self.summary.is_empty() { String::new() } else { format!(": {}", self.summary) };
        format!("{summary} ({})", uncapital(&fracas_systems::for_players(self.players)))
    }
}

/// With a small first letter: within a sentence.
fn uncapital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Where one's own encounters are looked for.
const OWN: &str = "encounters";

/// One's own encounters, in the folder `encounters` here, then those that are
/// bundled: of one system, or of all. Then why some file there is not among them.
pub(crate) fn offered(wanted: Option<System>) -> Result<(Vec<Offered>, Vec<String>), Stop> {
    let mut found = Vec::new();
    let mut faulty = Vec::new();
    for path in scenario_files(&[PathBuf::from(OWN)]).into_iter().filter(|path| path.exists()) {
        match own(&path) {
            Ok(one) => found.push(one),
            Err(stop) => faulty.push(stop.to_string().lines().next().unwrap_or_default().to_owned()),
        }
    }
    for system in fracas_systems::all() {
        found.extend(fracas_systems::offered(system)?.into_iter().map(|encounter| Offered {
            system: *system,
            given: encounter.id,
            title: encounter.title,
            summary: encounter.summary,
            players: encounter.players,
        }));
    }
    found.retain(|one| wanted.is_none_or(|wanted| wanted.id == one.system.id));
    Ok((found, faulty))
}

/// An encounter of one's own.
fn own(path: &Path) -> Result<Offered, Stop> {
    files::fits(path, MAX_FILE)?;
    let document = read_document(path)?;
    let json = document.to_json();
    let text = |field| json.get(field).and_then(|value| value.as_str()).map(str::to_owned);
    let given = path.display().to_string();
    Ok(Offered {
        system: system_of(&document)?,
        title: text("title").unwrap_or_else(|| given.clone()),
        summary: text("summary").unwrap_or_default(),
        players: json.get("player").and_then(|all| all.as_array()).map_or(0, Vec::len),
        given,
    })
}

/// Finds what the arguments say; `chosen` is the encounter where they say none.
/// Nothing is written yet.
pub(crate) fn ready(args: &PlayArgs, resume: Option<&Path>, chosen: Option<&Offered>) -> Result<Ready, Stop> {
    if let Some(path) = resume {
        let table = resumed(path, args)?;
        return Ok(Ready { seats: seats(table.game()), from: From::Log(Box::new(table), path.to_owned()) });
    }
    let (given, stated) = match chosen {
        Some(chosen) => (Some(chosen.given.as_str()), Some(chosen.system.id)),
        None => (args.encounter.as_deref(), args.system.as_deref()),
    };
    let from = args.from.as_deref().map(crate::carry::carried).transpose()?;
    let likely = from.as_ref().map(|(system, _)| system.id);
    let (system, setup, name) = encounter(given, stated, likely)?;
    let setup = setup.with(carried(args, &system, from)?)?;
    let game = (system.start)(&setup)?;
    Ok(Ready { seats: seats(game.as_ref()), from: From::Setup(system, Box::new(setup), name) })
}

impl Ready {
    /// Opens it.
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
    // Opening cuts an unfinished last line off: first make sure that it is a log.
    crate::replay::log(path)?;
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
        None => (chance()?, today()),
    };
    let (path, store) = match &args.log {
        Some(path) => (path.clone(), new_log(path)?),
        None => somewhere(&format!("{name}-{mark}"))?,
    };
    let title =
        setup.encounter.to_json().get("title").and_then(|t| t.as_str()).unwrap_or_default().to_owned();
    let opening = Opening { title, label: today(), seed: Some(seed) };
    let table =
        Table::create(system, setup, opening, Box::new(store)).map_err(|e| Stop::bad(e.to_string()))?;
    Ok((table, path))
}

/// What is laid before an encounter's own library: files, then a log's characters.
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

/// The system that a library is of, where that is not this one: this one cannot
/// read it, and another can.
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

/// The system, the setup and a short name for an encounter. Of several that are
/// called so, or where none is named, the system that is likely.
pub(crate) fn encounter(
    given: Option<&str>,
    system: Option<&str>,
    likely: Option<&str>,
) -> Result<(System, Setup, String), Stop> {
    let wanted = system.map(rulebook::system).transpose()?;
    let Some(given) = given else {
        let (all, _) = offered(wanted)?;
        let first = all.iter().find(|one| likely == Some(one.system.id)).or(all.first());
        let first = first.ok_or_else(|| Stop::bad("no encounter comes with this system: give a file"))?;
        return encounter(Some(&first.given), Some(first.system.id), None);
    };
    if is_file(given) {
        return from_file(Path::new(given), wanted);
    }
    let (all, _) = offered(wanted)?;
    let named: Vec<Offered> = match all.iter().filter(|one| one.names()[0] == given).cloned().collect() {
        none if Vec::is_empty(&none) => begun(given, &all)?.into_iter().cloned().collect(),
        named => named,
    };
    match &named[..] {
        // One's own comes first.
        [one, ..] if Path::new(&one.given).exists() => from_file(Path::new(&one.given), Some(one.system)),
        [one] => {
            let setup = fracas_systems::setup(&one.system, &one.given)
                .ok_or_else(|| Stop::bad(format!("{given}: not bundled")))??;
            Ok((one.system, setup, one.given.clone()))
        }
        several => {
            let ids: Vec<&str> = several.iter().map(|one| one.system.id).collect();
            Err(Stop::bad(format!("{given}: of which system? Say --system {}", ids.join(" or "))))
        }
    }
}

/// The one whose name or title begins so or has these words, where there is just one.
fn begun<'o>(given: &str, all: &'o [Offered]) -> Result<Vec<&'o Offered>, Stop> {
    let names: Vec<[&str; 2]> = all.iter().map(Offered::names).collect();
    match super::choose::among(given, &names)[..] {
        [at] => Ok(vec![&all[at]]),
        [] => {
            let known: Vec<&str> = all.iter().map(|one| one.names()[0]).collect();
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

/// Whether an encounter is asked for by its file.
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

/// The system that a document says it is for.
pub(crate) fn system_of(document: &Document) -> Result<System, Stop> {
    match document.named_system() {
        Some(id) => {
            rulebook::system(&id).map_err(|stop| Stop::bad(format!("{}: game: {stop}", document.name())))
        }
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

/// Everybody at a table, their characters by title.
pub(crate) fn seats(game: &dyn AnyTable) -> Seats {
    let cards = game.cards(Viewer::Spectator);
    Seats::new(game.seats(), &|slug| {
        let card = cards.iter().find(|card| card.id == slug && !card.title.is_empty());
        card.map_or_else(|| slug.to_owned(), |card| card.title.clone())
    })
}

/// Lists what can be played without naming a file.
pub(crate) fn list(wanted: Option<System>, screen: &mut Screen) -> Ended {
    let (offered, faulty) = offered(wanted)?;
    for system in fracas_systems::all() {
        let mut its = offered.iter().filter(|one| one.system.id == system.id).peekable();
        if its.peek().is_some() {
            let title = (system.rulebook)().title;
            screen.say(&Text::of(STRONG, title).and(FAINT, format!(" ({})", system.id)))?;
        }
        for one in its {
            let text = Text::plain(&one.title).and(FAINT, one.about());
            screen.hang(&Text::of(KEY, format!("  {} ", one.given)), 18, &text)?;
        }
    }
    for told in faulty {
        screen.tell(FAINT, &told)?;
    }
    Ok(())
}

/// A new log at this very place.
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

/// A new log in the data folder, or where we are.
fn somewhere(name: &str) -> Result<(PathBuf, FileStore), Stop> {
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

/// Makes a folder that only its owner looks into, or one that is there so: logs hold every
/// secret of a table.
fn private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    #[cfg(unix)]
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

/// Where sessions are kept that are kept nowhere else.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    set("XDG_DATA_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| set("HOME").map(|home| home.join(".local").join("share")))
        .map(|folder| folder.join("fracas"))
}

/// A seed nobody can foretell.
fn chance() -> Result<Seed, Stop> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| Stop::bad(format!("the system gives no random numbers: {e}")))?;
    Ok(Seed::new(bytes))
}

/// Drawn from the table's seed, so that bots play on alike after a pause, and
/// unlike its dice.
fn bot_seed(table: &Table) -> u64 {
    let seed = table.log().header().seed.and_then(|seed| serde_json::to_value(seed).ok());
    let digits = seed.as_ref().and_then(|seed| seed.as_str()?.get(..16).map(str::to_owned));
    digits.and_then(|hex| u64::from_str_radix(&hex, 16).ok()).unwrap_or(0) ^ 0x66_72_61_63_61_73_21_21
}

/// Letters, digits and hyphens, for the name of a file.
fn slug(name: &str) -> String {
    let slug: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(40)
        .collect();
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "table".into() } else { slug.to_owned() }
}

/// The date, as `2026-11-21`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    date(seconds / 86_400)
}

/// The date so many days after the first of January 1970.
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

    #[test]
    fn names_of_files() {
        assert_eq!(slug("The King's Gate"), "the-king-s-gate");
        assert_eq!(slug("../.."), "table");
    }
}
