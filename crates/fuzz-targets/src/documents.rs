//! Documents: encounters and libraries in TOML, as people write them.

use crate::edits::edited;
use crate::tables::{root, step, viewers};
use fracas_kernel::{AnyTable, Document, Faults, Setup, System};
use fracas_sim::Chance;
use fracas_suite::Bytes;
use fracas_systems::Sort;
use std::{fs, path::Path, sync::LazyLock};

/// How many steps are played at a table that opens.
const STEPS: u32 = 12;

/// Documents of each system to change: its templates, its bundled content, and the tables
/// of its tests.
static DOCUMENTS: LazyLock<Vec<(System, Vec<String>)>> = LazyLock::new(|| {
    let documents = |system: &System| {
        let mut texts: Vec<String> =
            (system.templates)().iter().map(|(_, text)| (*text).to_owned()).collect();
        let content = root().join("content").join(system.id);
        for folder in [
            &content.join("encounters"),
            &content,
            &root().join("games").join(system.id).join("tests/setups"),
        ] {
            texts.extend(tomls(folder));
        }
        (*system, texts)
    };
    fracas_systems::all().iter().map(documents).collect()
});

/// The bundled library of each system.
static LIBRARIES: LazyLock<Vec<Vec<Document>>> = LazyLock::new(|| {
    let library = |system| fracas_systems::library(system).expect("bundled content is TOML");
    fracas_systems::all().iter().map(library).collect()
});

/// The TOML files of a folder, sorted.
fn tomls(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("text")).collect()
}

/// Reads a document as an encounter or a library: nothing panics, faults have words, and a
/// table that opens can be viewed and played.
///
/// The first byte picks the system, the second how the document is read. If the third is 0,
/// the rest is the document's text; otherwise the third picks a document, which the rest
/// changes.
pub fn documents(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let at = usize::from(bytes.byte()) % DOCUMENTS.len();
    let (system, texts) = &DOCUMENTS[at];
    let how = bytes.byte();
    let text = match usize::from(bytes.byte()) {
        0 => bytes.rest().to_vec(),
        pick => edited(&texts[(pick - 1) % texts.len()], &mut bytes),
    };
    let text = String::from_utf8_lossy(&text);
    let document = match Document::toml("input", &text) {
        Ok(document) => document,
        Err(faults) => return check_words(&faults),
    };
    let library = if how & 2 == 0 { LIBRARIES[at].clone() } else { Vec::new() };
    if how & 1 == 1 {
        if let Err(faults) = fracas_systems::check(system, Sort::Library, document, library) {
            check_words(&faults);
        }
        return;
    }
    match (system.start)(&Setup { encounter: document, library }) {
        Ok(table) => play(table),
        Err(faults) => check_words(&faults),
    }
}

/// Checks that each fault has words and a place.
fn check_words(faults: &Faults) {
    assert!(!faults.0.is_empty(), "refused without a fault");
    for fault in &faults.0 {
        assert!(!fault.what.is_empty() && !fault.file.is_empty(), "a fault without words: {fault:?}");
    }
    drop(faults.to_string());
}

/// Views a table and plays some steps.
fn play(mut table: Box<dyn AnyTable>) {
    let mut chance = Chance::new(1, 0);
    for _ in 0..STEPS {
        for who in viewers(&*table) {
            drop(table.view(who));
            drop(table.cards(who));
        }
        step(&mut *table, &mut chance);
    }
    let (snapshot, hash) = (table.snapshot(), table.hash());
    table.restore(&snapshot).expect("a snapshot is taken back");
    assert_eq!(table.hash(), hash, "restored as something else");
    drop(table.carry());
}
