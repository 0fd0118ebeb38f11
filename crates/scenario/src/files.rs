//! Setups and scenarios in files.

use fracas_kernel::{Document, Fault, Faults, Setup};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The most bytes of a setup, a library file or a scenario.
pub const MAX_FILE: u64 = 4 << 20;

fn fault(path: &Path, what: impl Into<String>) -> Faults {
    Faults(vec![Fault { file: path.display().to_string(), line: 0, field: String::new(), what: what.into() }])
}

/// Reads a file of at most [`MAX_FILE`] bytes.
pub(crate) fn read(path: &Path) -> Result<String, Faults> {
    let text = || -> io::Result<String> {
        let mut text = String::new();
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder; expected a TOML file"));
        }
        file.take(MAX_FILE + 1).read_to_string(&mut text)?;
        Ok(text)
    };
    match text() {
        Ok(text) if text.len() as u64 > MAX_FILE => {
            Err(fault(path, format!("too large: the most is {} MB", MAX_FILE >> 20)))
        }
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(fault(path, "there is no such file")),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(fault(path, "not text (UTF-8)")),
        Err(error) => Err(fault(path, error.to_string())),
    }
}

/// Reads a TOML file.
///
/// # Errors
/// If it cannot be read, is too large, or is not TOML.
pub fn read_document(path: &Path) -> Result<Document, Faults> {
    Document::toml(path.display().to_string(), &read(path)?)
}

/// Reads an encounter and its library.
///
/// Content is laid out in folders: `<system>/encounters/*.toml` are encounters, the other
/// `<system>/*.toml` their library. So an encounter in a folder called `encounters` draws
/// on the TOML files in the folder above, and then on `bundled`. An encounter in any other
/// folder draws on `bundled` alone.
///
/// # Errors
/// Every file that cannot be read, and every place where one is not TOML.
pub fn load_setup(path: &Path, bundled: &[Document]) -> Result<Setup, Faults> {
    let (encounter, library) = (read_document(path), beside(path));
    match (encounter, library) {
        (Ok(encounter), Ok(mut library)) => {
            library.extend_from_slice(bundled);
            Ok(Setup { encounter, library })
        }
        (encounter, library) => {
            let mut faults = encounter.err().unwrap_or_default();
            faults.0.extend(library.err().unwrap_or_default().0);
            Err(faults)
        }
    }
}

/// The documents beside a library file, without the file itself.
///
/// In a folder that contains `encounters` these are its other TOML files, as far as they
/// can be read, and then `bundled`; in any other folder `bundled` alone.
pub fn load_library(path: &Path, bundled: &[Document]) -> Vec<Document> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut documents = Vec::new();
    if folder.join("encounters").is_dir() {
        let others = tomls(folder).unwrap_or_default().into_iter();
        documents.extend(
            others
                .filter(|other| other.file_name() != path.file_name())
                .filter_map(|p| read_document(&p).ok()),
        );
    }
    documents.extend_from_slice(bundled);
    documents
}

/// The TOML files of a folder, sorted.
fn tomls(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "toml") && path.is_file())
        .collect();
    files.sort();
    Ok(files)
}

/// The library files that belong to an encounter's folder.
fn beside(path: &Path) -> Result<Vec<Document>, Faults> {
    let folder = path.parent().unwrap_or(Path::new(""));
    // A relative path need not contain the name of its folder.
    let full = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    if full.file_name().is_none_or(|name| name != "encounters") {
        return Ok(Vec::new());
    }
    let above = folder.join("..");
    let files = tomls(&above).map_err(|e| fault(&above, e.to_string()))?;
    let mut documents = Vec::new();
    let mut faults = Faults::default();
    for file in files {
        match read_document(&file) {
            Ok(document) => documents.push(document),
            Err(more) => faults.0.extend(more.0),
        }
    }
    if faults.0.is_empty() { Ok(documents) } else { Err(faults) }
}

/// Every scenario among these files and folders, sorted, each once.
///
/// Folders are searched recursively. Files whose name begins with `_` hold shared setups
/// and are left out. A path that does not exist stays in the list, so that running it
/// reports the error.
pub fn scenario_files(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            search(path, &mut found);
        } else {
            found.push(path.clone());
        }
    }
    found.sort();
    found.dedup();
    found
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        // A link to a folder is not followed: it may lead back up.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            search(&path, found);
        } else if path.extension().is_some_and(|e| e == "toml")
            && !entry.file_name().to_string_lossy().starts_with('_')
        {
            found.push(path);
        }
    }
}
