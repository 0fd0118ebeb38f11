//! Faults of libraries and encounters.

use crate::Tables;
use fracas_kernel::{Document, Fault, Game, Setup};
use fracas_sim::Chance;
use serde_json::json;
use std::{fs, path::Path};

/// Every fault of these library files (name and TOML), one a line.
///
/// # Panics
/// If one is no TOML.
#[track_caller]
pub fn library_faults<G: Game>(files: &[(&str, &str)]) -> String {
    let read = |&(name, text): &(&str, &str)| Document::toml(name, text).expect("TOML");
    in_library::<G>(files.iter().map(read).collect()).0
}

/// Every fault of an encounter (TOML) that uses no library, one a line.
///
/// # Panics
/// If it is no TOML.
#[track_caller]
pub fn encounter_faults<G: Game>(text: &str) -> String {
    let setup = Setup::alone(Document::toml("e.toml", text).expect("TOML"));
    G::start(&setup).err().unwrap_or_default().to_string()
}

/// The faults found, all in `mine.toml` or `e.toml`, are just these: `3: boon[1].hands: expected a
/// whole number`, of what is wrong as much as is said.
///
/// # Panics
/// If they are others.
#[track_caller]
pub fn just_these(found: &str, expected: &[impl AsRef<str>]) {
    let begins = |(found, expected): (&str, &str)| {
        let fault = found.strip_prefix("mine.toml:").or_else(|| found.strip_prefix("e.toml:"));
        fault.is_some_and(|fault| fault.starts_with(expected))
    };
    let lines = || expected.iter().map(AsRef::as_ref);
    let fits = found.lines().count() == expected.len() && found.lines().zip(lines()).all(begins);
    assert!(fits, "found:\n{found}\nexpected:\n{}", lines().collect::<Vec<_>>().join("\n"));
}

/// Every sheet of a text has just the faults that stand beside its lines: a sheet is a paragraph of
/// TOML, and `hands = 3 #! boon[1].hands: expected a whole number` tells a fault of its line, as much
/// of it as is said; the place may be said from the innermost entry on, as `hands`. `found` gives the
/// faults of a sheet, such as [`encounter_faults`].
///
/// # Panics
/// If a sheet has others.
#[track_caller]
pub fn faults_beside(text: &str, found: impl Fn(&str) -> String) {
    for sheet in text.split("\n\n") {
        let of_line = |(at, line): (usize, &str)| -> Vec<(usize, String)> {
            line.split("#!").skip(1).map(|fault| (at + 1, fault.trim().to_owned())).collect()
        };
        let beside: Vec<(usize, String)> = sheet.lines().enumerate().flat_map(of_line).collect();
        let found = found(sheet);
        let is_beside = |(found, (line, beside)): (&str, &(usize, String))| {
            let fault = found.split_once(&format!(".toml:{line}: ")).map_or("", |(_, fault)| fault);
            fault.starts_with(beside) || of_entry(fault).starts_with(beside)
        };
        let fits = found.lines().count() == beside.len() && found.lines().zip(&beside).all(is_beside);
        assert!(fits, "found:\n{found}\nbeside its lines:\n{beside:#?}");
    }
}

/// A fault with its place from the innermost entry on; without a place if it is of the whole entry.
fn of_entry(fault: &str) -> String {
    let Some((place, what)) = fault.split_once(": ") else { return fault.to_owned() };
    let field = place.rsplit(']').next().unwrap_or_default().trim_start_matches('.');
    if field.is_empty() { what.to_owned() } else { format!("{field}: {what}") }
}

/// A document is a library without a fault.
///
/// # Panics
/// Where it is not.
#[track_caller]
pub fn sound<G: Game>(document: &Document) {
    sound_but_for::<G>(document, |_| false);
}

/// The same, but for faults that are `fine`.
#[track_caller]
pub(crate) fn sound_but_for<G: Game>(document: &Document, fine: impl Fn(&Fault) -> bool) {
    let (told, faults) = in_library::<G>(vec![document.clone()]);
    assert!(faults.iter().all(fine), "{told} in:\n{}", fracas_kernel::toml(&document.to_json()));
}

fn in_library<G: Game>(library: Vec<Document>) -> (String, Vec<Fault>) {
    let faults = G::library(&Setup { encounter: Document::json("nothing", &json!({})), library });
    let faults = faults.err().unwrap_or_default();
    (faults.to_string(), faults.0)
}

/// Values that stand where they should not.
const ODD: [&str; 11] = [
    "[]",
    "{}",
    "-1",
    "\"\"",
    "true",
    "[[1]]",
    "\"@entry\"",
    "\"somebody-of-no-library\"",
    "\"40d4 40d6\"",
    "9e9",
    "{ a = 1 }",
];

/// Libraries of the game's content (by file) and its first template are read, whatever is changed in
/// them: so many times each, a few lines are taken out or get an odd value.
///
/// # Panics
/// If reading one panics.
pub fn nothing_crashes<G: Game>(tables: &Tables, files: &[&str], times: usize) {
    let content = Path::new(tables.folder).join("../../content").join(tables.id);
    let read = |file: &&str| fs::read_to_string(content.join(file)).expect("bundled");
    let template = G::templates()[0].1.to_owned();
    let mut chance = Chance::new(7, 0);
    for source in files.iter().map(read).chain([template]) {
        for _ in 0..times {
            let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
            for _ in 0..=chance.place(3) {
                let at = chance.place(lines.len());
                match lines[at].split_once(" = ") {
                    Some((field, _)) => lines[at] = format!("{field} = {}", ODD[chance.place(ODD.len())]),
                    None => drop(lines.remove(at)),
                }
            }
            if let Ok(document) = Document::toml("odd.toml", &lines.join("\n")) {
                in_library::<G>(vec![document]);
            }
        }
    }
}
