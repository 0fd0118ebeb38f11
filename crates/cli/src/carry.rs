//! `fracas carry`: from one evening into the next.

use crate::{
    args::CarryArgs,
    files, play, program, replay, rulebook,
    screen::{ALARM, PLAIN, Screen, clean},
    stop::{Ended, Stop},
};
use fracas_kernel::{Document, FALLEN, Setup, System, toml};
use fracas_table::{Log, carry};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Carries.
pub(crate) fn run(args: &CarryArgs, screen: &mut Screen) -> Ended {
    let (log, _) = replay::log(&args.log)?;
    let (system, text, document) = taken(&log)?;
    let Some(given) = &args.into else {
        return put(args, &text, Some("fracas play ENCOUNTER --with FILE"), screen);
    };
    let (its, setup, _) = play::encounter(Some(given), None, Some(system.id))?;
    if its.id != system.id {
        return Err(Stop::file(&args.log, format!("a log of {}, and {given} is for {}", system.id, its.id)));
    }
    let encounter = into(&setup, &document, &log)?;
    let name = args.output.as_ref().map_or_else(|| given.clone(), |path| path.display().to_string());
    let setup = Setup { encounter: Document::toml(name, &encounter)?, library: setup.library };
    let Err(faults) = (system.start)(&setup) else {
        return put(args, &encounter, Some("fracas play FILE"), screen);
    };
    put(args, &encounter, None, screen)?;
    screen.flush()?;
    // Not among what was written, which may go into a file.
    let mut err = anstream::stderr().lock();
    let told = format!("{ALARM}It cannot be played yet:{ALARM:#}\n{}\n", faults_told(&faults));
    std::io::Write::write_all(&mut err, told.as_bytes())?;
    Err(Stop::Failed)
}

fn faults_told(faults: &fracas_kernel::Faults) -> String {
    let lines: Vec<String> =
        faults.0.iter().map(|fault| format!("  {}", clean(&fault.to_string()))).collect();
    lines.join("\n")
}

/// Writes it where it is wanted, and says how it is played where it can be.
fn put(args: &CarryArgs, text: &str, how: Option<&str>, screen: &mut Screen) -> Ended {
    let Some(path) = &args.output else { return Ok(screen.raw(text)?) };
    files::write(path, text, args.force)?;
    let file = path.display().to_string();
    let Some(how) = how else { return Ok(screen.tell(PLAIN, &format!("{file} is written."))?) };
    screen.tell(PLAIN, &format!("{file} is written. Change in it what you like, then:"))?;
    let how = how.replacen("fracas", &program::command(), 1).replace("FILE", &program::quoted(&file));
    Ok(screen.raw(&format!("  {how}"))?)
}

/// The system of a log, and what is carried from it, as a library document.
pub(crate) fn carried(path: &Path) -> Result<(System, Document), Stop> {
    let (log, _) = replay::log(path)?;
    let (system, _, document) = taken(&log)?;
    Ok((system, document))
}

/// The system of a log, and what is carried from it, as text and as read again.
fn taken(log: &Log) -> Result<(System, String, Document), Stop> {
    let system = rulebook::system(&log.header().system)?;
    let carried = carry(log, fracas_systems::all()).map_err(|e| Stop::bad(e.to_string()))?;
    let Some(carried) = carried else {
        return Err(Stop::bad(format!("{}: {} knows no other evening", log.name(), system.id)));
    };
    let head = head(log, "What the players' characters take into another evening");
    let text = format!(
        "{head}# Change what you like; `fracas check --system {}` finds mistakes. An empty list says that\n\
         # there is none, even where the next encounter has its own, and so does `without` of what it names.\n\n{}",
        system.id,
        toml(&carried)
    );
    let document = Document::toml(log.name(), &text)?;
    Ok((system, text, document))
}

/// A comment on where something comes from.
fn head(log: &Log, what: &str) -> String {
    let header = log.header();
    let label = if header.label.is_empty() { String::new() } else { format!(" ({})", header.label) };
    clean(&format!("# {what}, after {}{label}.", header.title)) + "\n"
}

/// An encounter with those in it who are carried on, as text.
fn into(setup: &Setup, carried: &Document, log: &Log) -> Result<String, Stop> {
    let mut encounter = setup.clone().with(vec![carried.clone()])?.encounter.to_json();
    let carried = carried.to_json();
    let lists = || carried.as_object().into_iter().flatten().filter(|(list, _)| *list != FALLEN);
    for (list, there) in lists().filter_map(|(list, there)| Some((list, there.as_array()?))) {
        match encounter.get_mut(list).and_then(Value::as_array_mut) {
            Some(entries) => entries.iter_mut().for_each(|entry| lay_over(entry, there)),
            None => {
                let players = names(there, "player");
                if let Some(fields) = encounter.as_object_mut() {
                    fields.insert(list.clone(), json!(there));
                    fields
                        .entry("player")
                        .or_insert_with(|| players.iter().map(|name| json!({ "name": name })).collect());
                }
            }
        }
    }
    Ok(format!("{}\n{}", head(log, "An encounter with those who come"), toml(&encounter)))
}

/// What stands in a field of several entries, each once.
fn names<'e>(entries: &'e [Value], field: &str) -> Vec<&'e str> {
    let mut names: Vec<&str> = Vec::new();
    for name in entries.iter().filter_map(|entry| entry[field].as_str()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Lays an entry over the carried one that it uses, as a setup would read it.
fn lay_over(entry: &mut Value, carried: &[Value]) {
    let Some(own) = entry.as_object() else { return };
    let Some(base) = own.get("use").and_then(|used| carried.iter().find(|there| there["name"] == *used))
    else {
        return;
    };
    let mut whole: Map<String, Value> = base.as_object().cloned().unwrap_or_default();
    for (field, value) in own.iter().filter(|(field, _)| *field != "use") {
        let under = whole.get_mut(field);
        match (under, value) {
            (Some(Value::Object(under)), Value::Object(over)) => {
                under.extend(over.iter().map(|(k, v)| (k.clone(), v.clone())));
            }
            // Lists of tables add up, all else is replaced.
            (Some(Value::Array(under)), Value::Array(over)) if over.iter().any(Value::is_object) => {
                under.extend(over.iter().cloned());
            }
            _ => {
                whole.insert(field.clone(), value.clone());
            }
        }
    }
    *entry = Value::Object(whole);
}
