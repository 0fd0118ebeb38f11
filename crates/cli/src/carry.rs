//! `fracas carry`: characters from one session into the next.

use crate::{
    args::CarryArgs,
    files, find, program,
    screen::{ALARM, PLAIN, Screen, clean},
    stop::{Ended, Stop},
};
use fracas_kernel::{Document, FALLEN, Setup, toml};
use fracas_table::Log;
use serde_json::{Map, Value, json};

/// Writes the characters of a log, as a library or within an encounter.
pub(crate) fn run(args: &CarryArgs, screen: &mut Screen) -> Ended {
    let (log, _) = find::log(&args.log)?;
    let (system, text, document) = find::carried(&log)?;
    let Some(given) = &args.into else {
        return write(args, &text, Some("fracas play ENCOUNTER --with FILE"), screen);
    };
    let (its, setup, _) = find::encounter(Some(given), None, Some(system.id))?;
    if its.id != system.id {
        return Err(Stop::file(&args.log, format!("a log of {}, and {given} is for {}", system.id, its.id)));
    }
    let encounter = encounter_with(&setup, &document, &log)?;
    let name = args.output.as_ref().map_or_else(|| given.clone(), |path| path.display().to_string());
    let setup = Setup { encounter: Document::toml(name, &encounter)?, library: setup.library };
    let Err(faults) = (system.start)(&setup) else {
        return write(args, &encounter, Some("fracas play FILE"), screen);
    };
    write(args, &encounter, None, screen)?;
    screen.flush()?;
    // On standard error: standard output may be redirected to a file.
    let mut err = anstream::stderr().lock();
    let message = format!("{ALARM}It cannot be played yet:{ALARM:#}\n{}\n", fault_lines(&faults));
    std::io::Write::write_all(&mut err, message.as_bytes())?;
    Err(Stop::Failed)
}

fn fault_lines(faults: &fracas_kernel::Faults) -> String {
    let lines: Vec<String> =
        faults.0.iter().map(|fault| format!("  {}", clean(&fault.to_string()))).collect();
    lines.join("\n")
}

/// Writes `text` to the output file or the screen. `how` is the command that plays it, if it
/// can be played.
fn write(args: &CarryArgs, text: &str, how: Option<&str>, screen: &mut Screen) -> Ended {
    let Some(path) = &args.output else { return Ok(screen.raw(text)?) };
    files::write(path, text, args.force)?;
    let file = path.display().to_string();
    let Some(how) = how else { return Ok(screen.tell(PLAIN, &format!("{file} is written."))?) };
    screen.tell(PLAIN, &format!("{file} is written. Change in it what you like, then:"))?;
    let how = how.replacen("fracas", &program::command(), 1).replace("FILE", &program::quoted(&file));
    Ok(screen.raw(&format!("  {how}"))?)
}

/// The encounter's TOML with the carried characters in it.
fn encounter_with(setup: &Setup, carried: &Document, log: &Log) -> Result<String, Stop> {
    let mut encounter = setup.clone().with(vec![carried.clone()])?.encounter.to_json();
    let carried = carried.to_json();
    let lists = || carried.as_object().into_iter().flatten().filter(|(list, _)| *list != FALLEN);
    for (list, there) in lists().filter_map(|(list, there)| Some((list, there.as_array()?))) {
        match encounter.get_mut(list).and_then(Value::as_array_mut) {
            Some(entries) => entries.iter_mut().for_each(|entry| merge(entry, there)),
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
    Ok(format!("{}\n{}", find::heading(log, "An encounter with those who come"), toml(&encounter)))
}

/// The distinct values of a text field in these entries.
fn names<'e>(entries: &'e [Value], field: &str) -> Vec<&'e str> {
    let mut names: Vec<&str> = Vec::new();
    for name in entries.iter().filter_map(|entry| entry[field].as_str()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Merges an entry over the carried entry that it uses, as a setup does.
fn merge(entry: &mut Value, carried: &[Value]) {
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
            // Lists of tables are joined; any other value is replaced.
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
