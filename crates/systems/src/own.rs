//! Somebody's own documents: what each is, and every fault in it.

use fracas_kernel::{Document, Faults, Setup, System};
use serde_json::json;

/// What a document of somebody's own is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A table sits down at it.
    Encounter,
    /// Characters, foes and gear for encounters to draw on.
    Library,
}

/// A library of somebody's own before the bundled one of the system.
///
/// # Errors
/// Where a bundled file is not TOML.
pub fn over_bundled(system: &System, mut own: Vec<Document>) -> Result<Vec<Document>, Faults> {
    own.extend(crate::library(system)?);
    Ok(own)
}

/// Looks for faults: an encounter is set up with `library` under it; of a library
/// every entry is read as if it were used, with `library` beside it, whose own
/// faults are not told.
///
/// # Errors
/// Every fault at once, each with file, line, field and what was expected.
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
