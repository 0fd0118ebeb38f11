//! Reading and writing files, with limits on their size.

use crate::stop::Stop;
use fracas_kernel::{Fault, Faults};
use std::io::{ErrorKind, Write};
use std::{fs::File, path::Path};

/// Checks that a path is a readable file of at most `most` bytes, without reading it.
pub(crate) fn fits(path: &Path, most: u64) -> Result<(), Stop> {
    let unreadable = |e: std::io::Error| {
        let what = match e.kind() {
            ErrorKind::NotFound => "there is no such file".to_owned(),
            ErrorKind::PermissionDenied => "it may not be read (permission denied)".to_owned(),
            _ => e.to_string(),
        };
        Stop::file(path, what)
    };
    let meta = std::fs::metadata(path).map_err(unreadable)?;
    if meta.is_dir() {
        return Err(Stop::file(path, "expected a file, found a directory"));
    }
    if !meta.is_file() {
        return Err(Stop::file(path, "expected a file, found a device or a pipe"));
    }
    if meta.len() > most {
        return Err(Stop::file(path, format!("{} long; the most is {}", size(meta.len()), size(most))));
    }
    File::open(path).map(drop).map_err(unreadable)
}

/// What is said of a file that may not be overwritten.
const TAKEN: &str = "there is such a file already: choose another name, or say --force";

/// Checks that a file can be written there later, where no other one is replaced without `force`.
pub(crate) fn vacant(path: &Path, force: bool) -> Result<(), Stop> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Stop::file(path, "there is no such folder"));
    }
    if !force && path.exists() { Err(Stop::file(path, TAKEN)) } else { Ok(()) }
}

/// Writes several files, and none where one of them may not be overwritten.
pub(crate) fn write_all(files: &[(&Path, &[u8])], force: bool) -> Result<(), Stop> {
    if let Some((path, _)) = files.iter().find(|(path, _)| !force && path.exists()) {
        return Err(Stop::file(path, TAKEN));
    }
    files.iter().try_for_each(|(path, bytes)| write(path, bytes, force))
}

/// Writes a file. An existing file is overwritten only with `force`.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>, force: bool) -> Result<(), Stop> {
    let mut options = File::options();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let written = options.open(path).and_then(|mut file| file.write_all(bytes.as_ref()));
    written.map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => Stop::file(path, TAKEN),
        ErrorKind::NotFound => Stop::file(path, "there is no such folder"),
        _ => Stop::file(path, e),
    })
}

/// Turns an error about a file into a fault of that file.
pub(crate) fn fault(path: &Path, stop: &Stop) -> Faults {
    let error = stop.to_string();
    let file = path.display().to_string();
    let what = error.strip_prefix(&format!("{file}: ")).unwrap_or(&error).to_owned();
    Faults(vec![Fault { file, line: 0, field: String::new(), what }])
}

fn size(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}
