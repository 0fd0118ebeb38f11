//! The tables these tests play from.

use fracas_kernel::{Document, Setup};
use std::{fs, path::Path};

/// Every `.toml` below a folder, by name.
fn documents(folder: &Path) -> Vec<Document> {
    let mut documents = Vec::new();
    let Ok(files) = fs::read_dir(folder) else { return documents };
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            documents.extend(self::documents(&path));
        } else if path.extension().is_some_and(|ext| ext == "toml") {
            let text = fs::read_to_string(&path).expect("a file that was just listed");
            match Document::toml(path.display().to_string(), &text) {
                Ok(document) => documents.push(document),
                Err(faults) => panic!("{faults}"),
            }
        }
    }
    documents
}

/// What encounters and scenarios draw on: content that seats nobody itself.
#[allow(dead_code, reason = "not every test draws on it")]
pub(crate) fn library() -> Vec<Document> {
    let content = documents(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content/truth-and-light"));
    content.into_iter().filter(|document| document.to_json().get("player").is_none()).collect()
}

/// The tables of these tests, the measured one, and every bundled encounter.
#[allow(dead_code, reason = "not every test plays from them")]
pub(crate) fn setups() -> Vec<Setup> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let content = documents(&here.join("../../content/truth-and-light"));
    // What seats players is an encounter; the rest is there to be drawn on.
    let (encounters, library): (Vec<_>, Vec<_>) =
        content.into_iter().partition(|document| document.to_json().get("player").is_some());
    let own = documents(&here.join("tests/setups"));
    let measured = documents(&here.join("../../benches"))
        .into_iter()
        .filter(|document| document.name().ends_with("truth-and-light.toml"));
    own.into_iter()
        .chain(measured)
        .map(Setup::alone)
        .chain(encounters.into_iter().map(|encounter| Setup { encounter, library: library.clone() }))
        .collect()
}
