//! `fracas rulebook`: reads and searches the rules, and reports which ones scenarios show.

mod coverage;

use crate::args::{Format, RulebookArgs, RulebookVerb};
use crate::find;
use crate::screen::{FAINT, KEY, PLAIN, STRONG, Screen, Text};
use crate::stop::{Ended, Stop};
use fracas_kernel::{Clause, Entry, Rulebook, System};
use std::io;

/// Runs the given subcommand.
pub(crate) fn run(args: &RulebookArgs, screen: &mut Screen) -> Ended {
    let systems = find::systems(args.system.as_deref())?;
    match &args.what {
        None => list(&systems, None, args.format, screen),
        Some(RulebookVerb::List { chapter }) => list(&systems, chapter.as_deref(), args.format, screen),
        Some(RulebookVerb::Show { id }) => show(&systems, id, args.format, screen),
        Some(RulebookVerb::Search { words }) => search(&systems, &words.join(" "), args.format, screen),
        Some(RulebookVerb::Coverage { scenarios }) => coverage::run(&systems, scenarios, args.format, screen),
    }
}

/// An entry as JSON.
#[derive(serde::Serialize)]
struct EntryOf<'e> {
    system: &'e str,
    #[serde(flatten)]
    entry: &'e Entry,
}

fn list(systems: &[System], chapter: Option<&str>, format: Format, screen: &mut Screen) -> Ended {
    let wanted = chapter.unwrap_or_default().to_lowercase();
    let mut all = Vec::new();
    for system in systems {
        let book = (system.rulebook)();
        let entries: Vec<&'static Entry> =
            book.entries.iter().filter(|e| e.section.to_lowercase().contains(&wanted)).collect();
        all.push((system.id, book.title, entries));
    }
    if format == Format::Json {
        let entries: Vec<EntryOf<'_>> = all
            .iter()
            .flat_map(|(id, _, entries)| entries.iter().map(|entry| EntryOf { system: id, entry }))
            .collect();
        return Ok(screen.json(&entries)?);
    }
    for (id, title, entries) in all {
        screen.say(&Text::of(STRONG, title).and(FAINT, format!(" ({id})")))?;
        let mut section = "";
        for entry in entries {
            if entry.section != section {
                section = entry.section;
                screen.blank()?;
                screen.tell(STRONG, section)?;
            }
            brief(screen, entry)?;
        }
    }
    Ok(())
}

fn show(systems: &[System], id: &str, format: Format, screen: &mut Screen) -> Ended {
    let found: Vec<(&System, Clause)> =
        systems.iter().filter_map(|system| Some((system, (system.rulebook)().find(id)?))).collect();
    if found.is_empty() {
        let mut near: Vec<&str> = systems.iter().flat_map(|system| (system.rulebook)().suggest(id)).collect();
        near.truncate(5);
        let hint = if near.is_empty() {
            "; fracas rulebook search finds words".to_owned()
        } else {
            format!("; perhaps {}", near.join(", "))
        };
        return Err(Stop::bad(format!("no rulebook here has {id:?}{hint}")));
    }
    if format == Format::Json {
        let entries: Vec<EntryOf<'_>> = found
            .iter()
            .map(|(system, clause)| EntryOf { system: system.id, entry: clause.entry() })
            .collect();
        return Ok(screen.json(&entries)?);
    }
    for (system, clause) in found {
        full(screen, system.id, clause.entry())?;
    }
    Ok(())
}

fn search(systems: &[System], words: &str, format: Format, screen: &mut Screen) -> Ended {
    type Search = fn(&Rulebook, &str) -> Vec<Clause>;
    let by = |search: Search| -> Vec<(&System, Vec<Clause>)> {
        systems.iter().map(|system| (system, search((system.rulebook)(), words))).collect()
    };
    // Words inside other words count only if no rulebook has a word that begins so.
    let mut found = by(Rulebook::search_starts);
    if found.iter().all(|(_, hits)| hits.is_empty()) {
        found = by(Rulebook::search);
    }
    if format == Format::Json {
        let entries: Vec<EntryOf<'_>> = found
            .iter()
            .flat_map(|(system, hits)| hits.iter().map(|c| EntryOf { system: system.id, entry: c.entry() }))
            .collect();
        return Ok(screen.json(&entries)?);
    }
    let hits: usize = found.iter().map(|(_, hits)| hits.len()).sum();
    if hits == 0 {
        screen.tell(PLAIN, &format!("Nothing found: no rule here holds all of: {words}"))?;
        return Err(Stop::Failed);
    }
    for (system, hits) in found.iter().filter(|(_, hits)| !hits.is_empty()) {
        screen.say(&Text::of(STRONG, (system.rulebook)().title).and(FAINT, format!(" ({})", system.id)))?;
        for clause in hits {
            brief(screen, clause.entry())?;
        }
    }
    Ok(())
}

/// Shows an entry in a few lines.
fn brief(screen: &mut Screen, entry: &'static Entry) -> io::Result<()> {
    let beyond = if entry.beyond { ", from beyond its document" } else { "" };
    let head = Text::of(KEY, entry.id).and(FAINT, format!(" ({}{beyond})", entry.kind));
    screen.hang(&Text::plain("  "), 2, &head)?;
    screen.hang(&Text::plain("    "), 4, &Text::plain(Clause::of(entry).text()))
}

/// Shows every field of an entry.
fn full(screen: &mut Screen, system: &str, entry: &'static Entry) -> io::Result<()> {
    let head = Text::of(KEY, entry.id).and(FAINT, format!(" ({system}, {}, {})", entry.section, entry.kind));
    screen.say(&head)?;
    let mut part = |label: &str, text: &str| {
        screen.hang(&Text::of(FAINT, format!("  {label:<10}")), 12, &Text::plain(text))
    };
    if let Some(question) = entry.question {
        part("question", question)?;
    }
    if let Some(plain) = entry.plain {
        part("plainly", plain)?;
    }
    part("says", entry.says)?;
    if let Some(why) = entry.why {
        part("why", why)?;
    }
    if !entry.needs.is_empty() {
        part("needs", &entry.needs.join(", "))?;
    }
    if entry.beyond {
        part("beyond", "comes from elsewhere than the system's own document")?;
    }
    if let Some(option) = &entry.option {
        let numbers = option
            .range
            .map_or_else(String::new, |(least, most)| format!(", or a number from {least} to {most}"));
        let when = if option.when == "any" { "at any time" } else { "before play" };
        part(
            "option",
            &format!(
                "{}{numbers}; unless told otherwise {}; set {when}",
                option.values.join(" or "),
                option.default
            ),
        )?;
    }
    Ok(())
}
