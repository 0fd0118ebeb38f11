//! `fracas carry`: characters from one session into the next.

use crate::screen::{ALARM, PLAIN, Screen, clean};
use crate::stop::{Ended, Stop};
use crate::{args::CarryArgs, files, find, program};
use fracas_kernel::{Document, FALLEN, Setup, toml};
use fracas_table::Log;
use serde_json::{Map, Value, json};

/// Writes the characters of a log, as a library or within an encounter.
///
/// An encounter that cannot be played with them is written too, then its faults are reported.
pub(crate) fn run(args: &CarryArgs, screen: &mut Screen) -> Ended {
    let (log, _) = find::log(&args.log)?;
    let (system, text, document) = find::carried(&log)?;
    let Some(wanted) = &args.into else {
        return write(args, &text, Some("fracas play ENCOUNTER --with FILE"), screen);
    };
    let (other, setup, _) = find::encounter(Some(wanted), None, Some(system.id))?;
    if other.id != system.id {
        return Err(Stop::file(
            &args.log,
            format!("a log of {}, and {wanted} is for {}", system.id, other.id),
        ));
    }
    let encounter = encounter_with(&setup, &document, &log)?;
    let name = args.output.as_ref().map_or_else(|| wanted.clone(), |path| path.display().to_string());
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

/// Writes `text` to the output file or the screen. `play` is the command that plays the text,
/// if that can be played; FILE in it stands for the output file.
fn write(args: &CarryArgs, text: &str, play: Option<&str>, screen: &mut Screen) -> Ended {
    let Some(path) = &args.output else { return Ok(screen.raw(text)?) };
    files::write(path, text, args.force)?;
    let file = path.display().to_string();
    let Some(play) = play else { return Ok(screen.tell(PLAIN, &format!("{file} is written."))?) };
    screen.tell(PLAIN, &format!("{file} is written. Change in it what you like, then:"))?;
    let play = play.replacen("fracas", &program::command(), 1).replace("FILE", &program::quoted(&file));
    Ok(screen.raw(&format!("  {play}"))?)
}

/// The encounter's TOML with the carried characters in it.
fn encounter_with(setup: &Setup, carried: &Document, log: &Log) -> Result<String, Stop> {
    let mut encounter = setup.clone().with(vec![carried.clone()])?.encounter.to_json();
    for (list, carried) in carried.to_json().as_object().into_iter().flatten() {
        let Some(carried) = carried.as_array().filter(|_| list != FALLEN) else { continue };
        if let Some(entries) = encounter.get_mut(list).and_then(Value::as_array_mut) {
            entries.iter_mut().for_each(|entry| merge(entry, carried));
        } else if let Some(fields) = encounter.as_object_mut() {
            fields.insert(list.clone(), json!(carried));
            fields.entry("player").or_insert_with(|| players(carried));
        }
    }
    Ok(format!("{}\n{}", find::heading(log, "An encounter with the carried characters"), toml(&encounter)))
}

/// The players of these characters, as `[[player]]` entries.
fn players(characters: &[Value]) -> Value {
    let mut names: Vec<&str> = Vec::new();
    for name in characters.iter().filter_map(|character| character["player"].as_str()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.iter().map(|name| json!({ "name": name })).collect()
}

/// Lays an entry over the carried entry that its field `use` names, as starting a game does.
fn merge(entry: &mut Value, carried: &[Value]) {
    let Some(own) = entry.as_object() else { return };
    let Some(base) = own.get("use").and_then(|used| carried.iter().find(|base| base["name"] == *used)) else {
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
