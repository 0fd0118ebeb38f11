//! `fracas new` and `fracas schema`: templates for content, and JSON schemas for editors.

use crate::args::{NewArgs, SchemaArgs};
use crate::screen::{KEY, PLAIN, STRONG, Screen, Text};
use crate::stop::{Ended, Stop};
use crate::{files, find, map, program};
use fracas_kernel::{Document, Now, Setup, System, near};
use fracas_papers::{entries, entry_text, has_map, sheet::entry_of};
use fracas_systems::Sort;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The kind of a scenario's template: a whole document, and no block of a library or encounter.
const SCENARIO: &str = "scenario";
/// The kind that is made of a map's file.
const MAP: &str = "map";

/// Writes a template.
pub(crate) fn run(args: &NewArgs, screen: &mut Screen) -> Ended {
    let stated = args.system.as_deref().map(find::system).transpose()?;
    let Some(kind) = &args.kind else { return list(stated, screen) };
    match (kind.as_str(), &args.map) {
        (MAP, Some(file)) => return map::run(args, file, stated, screen),
        (MAP, None) => {
            return Err(Stop::bad(format!("of which file? Say {} new map FILE", program::command())));
        }
        (_, Some(file)) => return Err(Stop::bad(format!("{}: only `new map` takes a file", file.display()))),
        (_, None) => {}
    }
    let (system, text) = template(stated, kind)?;
    let Some(path) = &args.output else { return Ok(screen.raw(&text)?) };
    let sort = sort_of(&system, kind)?;
    let schema = sort.map(|sort| schema_file(&system, sort));
    let first = schema.as_ref().map_or_else(String::new, |schema| format!("#:schema {schema}\n"));
    files::write(path, format!("{first}{text}"), args.force)?;
    let file = path.display().to_string();
    if !kinds(&system)?.contains(kind) {
        return Ok(screen.tell(PLAIN, &format!("{file}: {kind}, to go into an encounter."))?);
    }
    let message = format!("{file}: {kind}, for {}. When you have filled it in:", (system.rulebook)().title);
    screen.tell(PLAIN, &message)?;
    // An encounter's file names its system.
    let names_system = Document::toml(&file, &text)?.named_system().is_some();
    let option = if names_system { String::new() } else { format!(" --system {}", system.id) };
    let command = program::command();
    screen.raw(&format!("  {command} check {}{option}", program::quoted(&file)))?;
    if let Some((schema, sort)) = schema.zip(sort) {
        let output = program::quoted(&path.with_file_name(schema).display().to_string());
        screen.tell(PLAIN, "For completion and checks in your editor:")?;
        screen.raw(&format!("  {command} schema {} --system {} -o {output}", word(sort), system.id))?;
    }
    Ok(())
}

/// Prints a schema.
pub(crate) fn schema(args: &SchemaArgs, screen: &mut Screen) -> Ended {
    let system = find::system(&args.system)?;
    let sort = if args.kind == word(Sort::Encounter) { Sort::Encounter } else { Sort::Library };
    let schema = fracas_systems::schema(&system, sort)?;
    let Some(path) = &args.output else { return Ok(screen.json(&schema)?) };
    files::write(path, format!("{schema:#}") + "\n", args.force)?;
    Ok(screen.tell(PLAIN, &format!("{} is written.", path.display()))?)
}

const fn word(sort: Sort) -> &'static str {
    match sort {
        Sort::Encounter => "encounter",
        Sort::Library => "library",
    }
}

/// The file name of a schema, which stands beside the documents that name it.
fn schema_file(system: &System, sort: Sort) -> String {
    format!("{}-{}.schema.json", system.id, word(sort))
}

/// The sort of document that holds this kind; a scenario has none.
fn sort_of(system: &System, kind: &str) -> Result<Option<Sort>, Stop> {
    if kind == SCENARIO {
        return Ok(None);
    }
    let library = lists(system, Sort::Library)?.contains(&kind);
    Ok(Some(if library { Sort::Library } else { Sort::Encounter }))
}

/// The lists of entries in a sort of document. Cached, as collecting them is slow.
fn lists(system: &System, sort: Sort) -> Result<Vec<&'static str>, Stop> {
    static READ: Mutex<BTreeMap<(&str, &str), Vec<&'static str>>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(lists) = read.get(&(system.id, word(sort))) {
        return Ok(lists.clone());
    }
    let lists = fracas_systems::lists(system, sort)?;
    read.insert((system.id, word(sort)), lists.clone());
    Ok(lists)
}

/// The kinds that stand alone: templates, then the lists of a library.
fn kinds(system: &System) -> Result<Vec<String>, Stop> {
    let mut kinds: Vec<String> = (system.templates)().iter().map(|(kind, _)| (*kind).to_owned()).collect();
    add_lists(&mut kinds, system, Sort::Library)?;
    kinds.push(SCENARIO.to_owned());
    Ok(kinds)
}

/// The kinds that stand alone, then the blocks of an encounter.
fn all_kinds(system: &System) -> Result<Vec<String>, Stop> {
    let mut kinds = kinds(system)?;
    add_lists(&mut kinds, system, Sort::Encounter)?;
    Ok(kinds)
}

/// Adds the lists of a sort of document that are missing from `kinds`.
fn add_lists(kinds: &mut Vec<String>, system: &System, sort: Sort) -> Result<(), Stop> {
    for list in lists(system, sort)? {
        if !kinds.iter().any(|kind| kind == list) && beginning(system, list)?.is_some() {
            kinds.push(list.to_owned());
        }
    }
    Ok(())
}

/// The text to begin a kind with: its template, its block in a template, or a library entry.
fn beginning(system: &System, kind: &str) -> Result<Option<String>, Stop> {
    let templates = (system.templates)();
    if let Some((_, text)) = templates.iter().find(|(name, _)| *name == kind) {
        return Ok(Some((*text).to_owned()));
    }
    if kind == SCENARIO {
        return scenario(system).map(Some);
    }
    let in_template = |text: &str| entry_of(text, kind, None).or_else(|| block(text, kind));
    if let Some(text) = templates.iter().find_map(|(_, text)| in_template(text)) {
        return Ok(Some(text));
    }
    let library = fracas_systems::library(system)?;
    let example = entries(&library).into_iter().find(|entry| entry.list == kind);
    let text = example.and_then(|entry| entry_text(system, kind, &entry.name));
    Ok(text
        .map(|text| format!("# An example from the library: change what you like.\n\n{}", text.trim_start())))
}

/// A nested (`[[character.boon]]`) or commented-out block of a template as a block of its own,
/// with its comments.
fn block(text: &str, kind: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let path = |line: &str| {
        let head = line.trim_start_matches(['#', ' ']).strip_prefix("[[")?;
        head.strip_suffix("]]").map(str::to_owned)
    };
    let is_head = |line: &str| path(line).is_some_and(|path| path.rsplit('.').next() == Some(kind));
    let from = lines.iter().position(|line| is_head(line) && !line.starts_with('#'));
    let from = from.or_else(|| lines.iter().position(|line| is_head(line)))?;
    let whole = path(lines[from])?;
    // Up to the next table that is not inside, without the comments before that table.
    let is_inside = |line: &str| match path(line) {
        Some(path) => path.starts_with(&format!("{whole}.")),
        None => !line.starts_with('['),
    };
    let rest = &lines[from + 1..];
    let mut to = from + 1 + rest.iter().take_while(|line| is_inside(line)).count();
    while to < lines.len() && to > from + 1 && lines[to - 1].starts_with('#') && !is_field(lines[to - 1]) {
        to -= 1;
    }
    let is_commented_out = lines[from].starts_with('#');
    let uncommented = |line: &&str| match line.strip_prefix('#').map(str::trim_start) {
        Some(rest) if is_commented_out && (is_field(line) || path(line).is_some()) => rest.to_owned(),
        _ => (*line).to_owned(),
    };
    let lines: Vec<String> = lines[from..to].iter().map(uncommented).collect();
    Some(lines.join("\n").replace(&format!("[[{whole}"), &format!("[[{kind}")).trim_end().to_owned() + "\n")
}

/// Whether a line of a template sets a field, also in a comment.
fn is_field(line: &str) -> bool {
    let line = line.trim_start_matches('#').trim_start();
    line.split_once(" = ").is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    })
}

/// A scenario at the table of the template encounter.
fn scenario(system: &System) -> Result<String, Stop> {
    let encounter = (system.templates)().iter().find(|(kind, _)| *kind == word(Sort::Encounter));
    let encounter = encounter.map_or("", |(_, text)| text);
    let first_asks = first_asks(system, Document::toml("template", encounter)?)?;
    let mut setup = String::from("[setup]\n");
    for line in encounter.lines() {
        let line = match line {
            _ if line.starts_with(['#', ' ']) || line.is_empty() || line.starts_with("game") => continue,
            _ if line.starts_with("[[") => line.replacen("[[", "\n[[setup.", 1),
            _ if line.starts_with('[') => line.replacen('[', "\n[setup.", 1),
            _ => line.to_owned(),
        };
        setup.push_str(&line);
        setup.push('\n');
    }
    Ok(format!(
        r#"# A scenario: a table, the answers and dice there, and the result that must come of them.
# `fracas check FILE` plays it.
#
# If you do not know the answers or events, ask: a step with `offered = ["?"]` fails and
# lists all answers, a step with `expect = ["?"]` fails and lists all events.
title = "What it shows, in a sentence"
game = "{id}"

# The clauses that the scenario shows, as `fracas rulebook search WORDS` finds them.
covers = []

# The table, as in an encounter. For a table in another file write setup = "road.toml", or
# setup = {{ from = "road.toml", summary = "another" }}.
{setup}
# A block for each step: a seat or a player, and their answer, written as in JSON
# (`json 3` at a prompt prints an answer). For dice: seat = "chance" and roll = [6, 1].
# [[step]]
# seat = "ana"
# answer = "pass"
# offered = ["?"]
# expect = ["?"]
# refused = "the.clause"

# The result at the end: the open asks, and fields of the gamemaster's view.
[expect]
asks = [{first_asks}]
"#,
        id = system.id
    ))
}

/// The first asks of a table, in a scenario's notation.
fn first_asks(system: &System, encounter: Document) -> Result<String, Stop> {
    let game = (system.start)(&Setup { encounter, library: fracas_systems::library(system)? })?;
    let Now::Asks(asks) = game.now() else { return Ok(r#"{ seat = "chance" }"#.to_owned()) };
    let each = asks.iter().flat_map(|ask| ask.who.seats().iter().map(move |seat| (seat, ask.kind)));
    let asks: Vec<String> =
        each.map(|(seat, kind)| format!(r#"{{ seat = "{seat}", kind = "{kind}" }}"#)).collect();
    Ok(asks.join(", "))
}

/// The stated system, or all.
fn systems(stated: Option<System>) -> impl Iterator<Item = &'static System> {
    fracas_systems::all().iter().filter(move |system| stated.is_none_or(|stated| stated.id == system.id))
}

/// The template of a kind, and its system. If no system is stated, only one may have the kind.
fn template(stated: Option<System>, kind: &str) -> Result<(System, String), Stop> {
    let mut found: Vec<(System, String)> = Vec::new();
    for system in systems(stated) {
        if let Some(text) = beginning(system, kind)? {
            found.push((*system, text));
        }
    }
    match found.len() {
        1 => Ok(found.swap_remove(0)),
        0 => {
            let mut kinds: Vec<String> = systems(stated)
                .map(all_kinds)
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .flatten()
                .collect();
            kinds.sort_unstable();
            kinds.dedup();
            let known: Vec<&str> = kinds.iter().map(String::as_str).collect();
            let hint = near(kind, &known);
            Err(Stop::bad(format!("there is no template of {kind:?}{hint}; there are {}", kinds.join(", "))))
        }
        _ => {
            let ids: Vec<&str> = found.iter().map(|(system, _)| system.id).collect();
            Err(Stop::bad(format!("of which system? Say --system {}", ids.join(" or "))))
        }
    }
}

/// Lists the kinds of templates.
fn list(stated: Option<System>, screen: &mut Screen) -> Ended {
    for system in systems(stated) {
        screen.say(&Text::of(STRONG, (system.rulebook)().title).and(PLAIN, format!(" ({})", system.id)))?;
        let kinds = kinds(system)?;
        for kind in &kinds {
            let command = format!("{} new {kind} --system {} -o FILE", program::command(), system.id);
            screen.hang(&Text::of(KEY, format!("  {kind} ")), 18, &Text::plain(command))?;
        }
        if has_map(system) {
            let command = format!("{} new {MAP} FILE --system {} -o FILE", program::command(), system.id);
            screen.hang(&Text::of(KEY, format!("  {MAP} ")), 18, &Text::plain(command))?;
        }
        let others: Vec<String> =
            all_kinds(system)?.into_iter().filter(|kind| !kinds.contains(kind)).collect();
        let others = format!("and, to go into an encounter: {}", others.join(", "));
        screen.hang(&Text::plain("    "), 4, &Text::plain(others))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_block_can_be_begun_and_is_without_fault() {
        for system in fracas_systems::all() {
            for list in fracas_systems::lists(system, Sort::Library).expect("sound") {
                if list == fracas_kernel::FALLEN {
                    continue;
                }
                let text =
                    beginning(system, list).expect("sound").unwrap_or_else(|| panic!("{} {list}", system.id));
                let document =
                    Document::toml(list, &text).unwrap_or_else(|faults| panic!("{faults} in\n{text}"));
                let library = fracas_systems::library(system).expect("sound");
                let found = fracas_systems::check(system, Sort::Library, document.clone(), library);
                assert!(found.is_ok(), "{} {list}: {} in\n{text}", system.id, found.expect_err("faults"));
                assert!(!document.entries(list).is_empty(), "{} {list}: nothing of it in\n{text}", system.id);
            }
            for list in fracas_systems::lists(system, Sort::Encounter).expect("sound") {
                let text =
                    beginning(system, list).expect("sound").unwrap_or_else(|| panic!("{} {list}", system.id));
                Document::toml(list, &text).unwrap_or_else(|faults| panic!("{faults} in\n{text}"));
            }
        }
    }

    #[test]
    fn a_block_of_another_stands_by_itself() {
        let text = "[[foe]]\n# A name.\nname = 'A'\n# Gear.\n[[foe.boon]]\nname = 'B'\n# Zones.\n\
            # Many.\n# [[zone]]\n# name = 'C'\n# far = true\n# The scene.\n[scene]\nx = 1\n";
        assert_eq!(block(text, "boon").as_deref(), Some("[[boon]]\nname = 'B'\n"));
        assert_eq!(block(text, "zone").as_deref(), Some("[[zone]]\nname = 'C'\nfar = true\n"));
        assert_eq!(block(text, "feat"), None);
        assert_eq!(block("# [[zone]]\n[scene]\n", "zone").as_deref(), Some("[[zone]]\n"));
    }
}
