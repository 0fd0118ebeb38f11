//! Documents that people write themselves: their sorts, and checking them.

use fracas_kernel::{About, Document, Faults, Faulty, Setup, System};
use serde_json::json;

/// The sort of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A table can be opened with it.
    Encounter,
    /// Encounters draw on it: characters, foes and gear.
    Library,
}

/// Lays a person's own library over the bundled library of a system.
///
/// # Errors
/// If a bundled file is not TOML.
pub fn over_bundled(system: &System, mut own: Vec<Document>) -> Result<Vec<Document>, Faults> {
    own.extend(crate::library(system)?);
    Ok(own)
}

/// Checks that every word for an encounter's picture names something that can be drawn. No table needs it:
/// what is not known is not drawn.
///
/// # Errors
/// The words that name nothing, each with the nearest that does.
pub fn check_picture(encounter: &Document) -> Result<(), Faults> {
    let about = About::of(&encounter.to_json());
    let faults = Faulty::new();
    for unknown in fracas_art::Scene::written(&about.picture, "").unknown() {
        encounter.fields(&faults).fault_in(About::PICTURE, unknown.to_string());
    }
    faults.or(())
}

/// Checks a document. An encounter is set up with `library` under it. Every entry of a
/// library is read as if it were used, with `library` beside it, whose own faults are not
/// reported.
///
/// # Errors
/// Every fault at once, each with file, line, field and expectation.
pub fn check(system: &System, sort: Sort, document: Document, library: Vec<Document>) -> Result<(), Faults> {
    match sort {
        Sort::Encounter => (system.start)(&Setup { encounter: document, library }).map(drop),
        Sort::Library => {
            let name = document.name().to_owned();
            let encounter = Document::json("nothing", &json!({}));
            let library = std::iter::once(document).chain(library).collect();
            let found = (system.library)(&Setup { encounter, library }).err().unwrap_or_default().0;
            let own: Vec<_> = found.into_iter().filter(|fault| fault.file == name).collect();
            if own.is_empty() { Ok(()) } else { Err(Faults(own)) }
        }
    }
}
