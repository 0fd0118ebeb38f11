//! Files from anywhere: refused before they are read where they do not fit.

use crate::stop::Stop;
use fracas_kernel::{Fault, Faults};
use std::{
    fs::File,
    io::{ErrorKind, Write},
    path::Path,
};

/// Refuses what is not a file of at most `most` bytes, before it is read.
pub(crate) fn fits(path: &Path, most: u64) -> Result<(), Stop> {
    let told = |e: std::io::Error| {
        let what = match e.kind() {
            ErrorKind::NotFound => "there is no such file".to_owned(),
            ErrorKind::PermissionDenied => "it may not be read (permission denied)".to_owned(),
            _ => e.to_string(),
        };
        Stop::file(path, what)
    };
    let meta = std::fs::metadata(path).map_err(told)?;
    if meta.is_dir() {
        return Err(Stop::file(path, "expected a file, found a directory"));
    }
    if !meta.is_file() {
        return Err(Stop::file(path, "expected a file, found a device or a pipe"));
    }
    if meta.len() > most {
        return Err(Stop::file(path, format!("{} long; the most is {}", size(meta.len()), size(most))));
    }
    File::open(path).map(drop).map_err(told)
}

/// Writes a file; one that is there already only with `force`.
pub(crate) fn write(path: &Path, text: &str, force: bool) -> Result<(), Stop> {
    let mut options = File::options();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let written = options.open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => {
            Stop::file(path, "there is such a file already: choose another name, or say --force")
        }
        ErrorKind::NotFound => Stop::file(path, "there is no such folder"),
        _ => Stop::file(path, e),
    })
}

/// What stopped a file from being read, as a fault of it.
pub(crate) fn fault(path: &Path, stop: &Stop) -> Faults {
    let told = stop.to_string();
    let file = path.display().to_string();
    let what = told.strip_prefix(&format!("{file}: ")).unwrap_or(&told).to_owned();
    Faults(vec![Fault { file, line: 0, field: String::new(), what }])
}

fn size(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}
