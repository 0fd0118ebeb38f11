//! `fracas library`: lists and prints the bundled content.

use crate::args::{Format, LibraryArgs, LibraryVerb};
use crate::screen::{FAINT, KEY, PLAIN, STRONG, Screen, Text};
use crate::stop::{Ended, Stop};
use crate::{find, program};
use fracas_kernel::{System, near};
use serde::Serialize;

/// The kind of an encounter; other kinds are the names of lists.
const ENCOUNTER: &str = "encounter";

/// A bundled entry or encounter.
#[derive(Clone, Serialize)]
struct Item {
    system: &'static str,
    kind: String,
    name: String,
    /// A description for people.
    note: String,
    /// An encounter's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
}

/// Lists the content, or prints an item.
pub(crate) fn run(args: &LibraryArgs, screen: &mut Screen) -> Ended {
    let wanted = args.system.as_deref().map(find::system).transpose()?;
    let all = items(wanted)?;
    match &args.what {
        None => list(&all, None, Format::Text, screen),
        Some(LibraryVerb::List { kind, format }) => list(&all, kind.as_deref(), *format, screen),
        Some(LibraryVerb::Show { name, kind }) => show(&all, &name.join(" "), kind.as_deref(), screen),
    }
}

/// All items, ordered by system and kind.
fn items(wanted: Option<System>) -> Result<Vec<Item>, Stop> {
    let mut items = Vec::new();
    for system in
        fracas_systems::all().iter().filter(|system| wanted.is_none_or(|wanted| wanted.id == system.id))
    {
        let encounters = fracas_systems::encounters(system)?.into_iter().map(|encounter| Item {
            system: system.id,
            kind: ENCOUNTER.to_owned(),
            name: encounter.title,
            note: encounter.about.summary,
            id: Some(encounter.id),
        });
        items.extend(encounters);
        let mut entries = fracas_papers::entries(&fracas_systems::library(system)?);
        entries.sort_by(|a, b| a.list.cmp(&b.list));
        items.extend(entries.into_iter().map(|entry| Item {
            system: system.id,
            kind: entry.list,
            name: entry.name,
            note: entry.note,
            id: None,
        }));
    }
    Ok(items)
}

/// The items of a kind.
///
/// # Errors
/// If there is no such kind.
fn of_kind<'i>(all: &'i [Item], kind: Option<&str>) -> Result<Vec<&'i Item>, Stop> {
    let Some(kind) = kind else { return Ok(all.iter().collect()) };
    let found: Vec<&Item> = all.iter().filter(|item| item.kind == kind).collect();
    if found.is_empty() {
        let mut kinds: Vec<&str> = all.iter().map(|item| item.kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let message =
            format!("nothing here is a {kind:?}{}; there are {}", near(kind, &kinds), kinds.join(", "));
        return Err(Stop::bad(message));
    }
    Ok(found)
}

fn list(all: &[Item], kind: Option<&str>, format: Format, screen: &mut Screen) -> Ended {
    let found = of_kind(all, kind)?;
    if format == Format::Json {
        return Ok(screen.json(&found)?);
    }
    let mut before = ("", "");
    for item in found {
        if before.0 != item.system {
            screen.say(&Text::of(STRONG, find::system(item.system)?.id))?;
        }
        if before != (item.system, item.kind.as_str()) {
            screen.say(&Text::of(FAINT, format!("  {}", item.kind.to_uppercase())))?;
        }
        before = (item.system, item.kind.as_str());
        let note = if item.note.is_empty() { String::new() } else { format!(": {}", item.note) };
        screen.brief(&Text::plain("    "), 4, &Text::of(KEY, &item.name).and(PLAIN, note))?;
    }
    screen.tell(FAINT, &format!("{} library show NAME prints one, to copy.", program::command()))?;
    Ok(())
}

fn show(all: &[Item], name: &str, kind: Option<&str>, screen: &mut Screen) -> Ended {
    let among = of_kind(all, kind)?;
    let wanted = name.to_lowercase();
    let names = |item: &Item| [Some(item.name.to_lowercase()), item.id.clone()];
    let by = |fits: &dyn Fn(&str) -> bool| -> Vec<&Item> {
        let fit = |item: &&&Item| names(item).iter().flatten().any(|name| fits(name));
        among.iter().filter(fit).copied().collect()
    };
    let found = match by(&|name| name == wanted) {
        none if none.is_empty() => by(&|name| name.starts_with(&wanted)),
        found => found,
    };
    match &found[..] {
        [item] => Ok(screen.raw(&text(item)?)?),
        [] => {
            let known: Vec<&str> = among.iter().map(|item| item.name.as_str()).collect();
            let perhaps = near(name, &known);
            Err(Stop::bad(format!(
                "nothing in the library is called {name:?}{perhaps}; {} library list lists all",
                program::command()
            )))
        }
        several => {
            let names: Vec<String> = several
                .iter()
                .map(|item| format!("{} (--system {} --kind {})", item.name, item.system, item.kind))
                .collect();
            Err(Stop::bad(format!("which of them: {}?", names.join(", "))))
        }
    }
}

/// The TOML of an item.
fn text(item: &Item) -> Result<String, Stop> {
    let system = find::system(item.system)?;
    let text = match &item.id {
        Some(id) => fracas_papers::encounter_text(&system, id),
        None => fracas_papers::entry_text(&system, &item.kind, &item.name),
    };
    text.ok_or_else(|| Stop::bad(format!("{}: not bundled", item.name)))
}
