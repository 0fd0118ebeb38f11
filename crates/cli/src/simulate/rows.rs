//! What a simulation writes: a row for each conflict and setting, or the sums alone. Whatever ends it, the same
//! command goes on from what stands in the file.

use super::kept::Keeper;
use super::part::Part;
use crate::args::SimulateArgs;
use crate::files;
use crate::screen::csv;
use crate::stop::Stop;
use fracas_sim::{Row, Sums};
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often what is done is noted.
const EVERY: Duration = Duration::from_secs(1);

/// Where the results go.
pub(super) struct Out {
    rows: Option<Rows>,
    /// The file for the sums alone.
    sums: Option<PathBuf>,
    /// The file that notes what is done.
    note: Option<PathBuf>,
    noted: Instant,
}

struct Rows {
    kind: Kind,
    path: PathBuf,
    to: BufWriter<File>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Csv,
    Ndjson,
}

/// What is done, while a simulation goes on.
#[derive(Serialize, Deserialize)]
struct Note {
    part: Part,
    keeper: Keeper,
    /// The length of the file of rows.
    bytes: u64,
}

impl Out {
    /// Opens the file, and takes up what an earlier run of the same simulation has done.
    pub(super) fn open(
        args: &SimulateArgs,
        conflicts: &Range<u64>,
        part: &mut Part,
        keeper: &mut Keeper,
    ) -> Result<Out, Stop> {
        let mut out = Out { rows: None, sums: None, note: None, noted: Instant::now() };
        let Some(path) = &args.out else { return Ok(out) };
        let kind = match path.extension().and_then(|end| end.to_str()) {
            Some("csv") => Some(Kind::Csv),
            Some("ndjson" | "jsonl") => Some(Kind::Ndjson),
            Some("json") => None,
            _ => return Err(Stop::file(path, "the name ends in .csv or .ndjson for rows, .json for sums")),
        };
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        let note_at = PathBuf::from(name);
        let note = if args.force { None } else { read(&note_at, part, keeper)? };
        match &note {
            Some(note) if note.part.to() > conflicts.end => {
                let why = format!(
                    "has {} conflicts already, more than these: say --force to begin anew",
                    note.part.sums.conflicts
                );
                return Err(Stop::file(&note_at, why));
            }
            None if path.exists() && !args.force => {
                return Err(Stop::file(path, "is there already: say --force to replace it"));
            }
            _ => {}
        }
        let bytes = note.as_ref().map(|note| note.bytes);
        if let Some(note) = note {
            (*part, *keeper) = (note.part, note.keeper);
        }
        out.note = Some(note_at);
        if bytes.is_none() {
            // Before anything is written: from now on the file belongs to this simulation.
            out.write_note(part, keeper, 0)?;
        }
        match kind {
            Some(kind) => out.rows = Some(Rows::open(path, kind, bytes.unwrap_or(0), &part.sums)?),
            None => out.sums = Some(path.clone()),
        }
        Ok(out)
    }

    /// Writes a conflict: a row for each setting.
    pub(super) fn row(&mut self, conflict: u64, sums: &Sums, rows: &[Row]) -> Result<(), Stop> {
        let Some(file) = &mut self.rows else { return Ok(()) };
        for (arm, row) in sums.arms.iter().zip(rows) {
            file.row(conflict, &arm.label, sums, row)?;
        }
        Ok(())
    }

    /// Notes what is done, from time to time or now.
    pub(super) fn note(&mut self, part: &Part, keeper: &Keeper, now: bool) -> Result<(), Stop> {
        if self.noted.elapsed() < EVERY && !now {
            return Ok(());
        }
        self.noted = Instant::now();
        let bytes = match &mut self.rows {
            Some(rows) => rows.kept()?,
            None => 0,
        };
        self.write_note(part, keeper, bytes)
    }

    fn write_note(&self, part: &Part, keeper: &Keeper, bytes: u64) -> Result<(), Stop> {
        let Some(note_at) = &self.note else { return Ok(()) };
        let note = Note { part: part.clone(), keeper: keeper.clone(), bytes };
        let text = serde_json::to_string(&note).unwrap_or_default();
        let mut beside = note_at.as_os_str().to_owned();
        beside.push("-new");
        let write = || -> io::Result<()> {
            let mut file = File::create(&beside)?;
            file.write_all(text.as_bytes())?;
            file.sync_data()?;
            fs::rename(&beside, note_at)
        };
        write().map_err(|error| match error.kind() {
            ErrorKind::NotFound => Stop::file(note_at, "there is no such folder"),
            _ => Stop::file(note_at, error),
        })
    }

    /// Ends the file.
    pub(super) fn close(mut self, part: &Part) -> Result<(), Stop> {
        if let Some(rows) = &mut self.rows {
            rows.kept()?;
        }
        if let Some(path) = &self.sums {
            files::write(path, part.text(), true)?;
        }
        if let Some(note_at) = self.note {
            fs::remove_file(&note_at).map_err(|error| Stop::file(&note_at, error))?;
        }
        Ok(())
    }
}

/// What an earlier run has noted, if it is of this simulation.
fn read(path: &Path, part: &Part, keeper: &Keeper) -> Result<Option<Note>, Stop> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Stop::file(path, error)),
    };
    let Ok(note) = serde_json::from_str::<Note>(&text) else {
        return Err(Stop::file(path, "cannot be read: say --force to begin anew"));
    };
    let is_same = note.part.of == part.of
        && note.part.from() == part.from()
        && note.part.is_whole()
        && note.part.sums.fits(&part.sums)
        && note.keeper.is_like(keeper);
    if !is_same {
        let why = "notes another simulation that was not ended: end that, or say --force to begin anew";
        return Err(Stop::file(path, why));
    }
    Ok(Some(note))
}

impl Rows {
    /// Opens the file after so many bytes of it.
    fn open(path: &Path, kind: Kind, bytes: u64, sums: &Sums) -> Result<Rows, Stop> {
        let failed = |error: io::Error| Stop::file(path, error);
        let opened = OpenOptions::new().write(true).create(bytes == 0).truncate(false).open(path);
        let mut file = opened.map_err(|error| match error.kind() {
            ErrorKind::NotFound if bytes > 0 => Stop::file(path, "is gone: say --force to begin anew"),
            _ => failed(error),
        })?;
        if file.metadata().map_err(failed)?.len() < bytes {
            return Err(Stop::file(path, "is shorter than it was: say --force to begin anew"));
        }
        file.set_len(bytes).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        let mut rows = Rows { kind, path: path.to_owned(), to: BufWriter::new(file) };
        if bytes == 0 && kind == Kind::Csv {
            rows.line(&format!("conflict,setting,{},fell", sums.measures.join(",")))?;
        }
        Ok(rows)
    }

    fn row(&mut self, conflict: u64, label: &str, sums: &Sums, row: &Row) -> Result<(), Stop> {
        let line = match self.kind {
            Kind::Csv => {
                let values: Vec<String> = row.values.iter().map(i64::to_string).collect();
                format!("{conflict},{},{},{}", csv(label), values.join(","), csv(&row.fell.join("; ")))
            }
            Kind::Ndjson => {
                let mut fields = Map::new();
                fields.insert("conflict".to_owned(), conflict.into());
                fields.insert("setting".to_owned(), label.into());
                let values = sums.measures.iter().zip(&row.values);
                fields.extend(values.map(|(name, value)| (name.clone(), json!(value))));
                fields.insert("fell".to_owned(), json!(row.fell));
                json!(fields).to_string()
            }
        };
        self.line(&line)
    }

    fn line(&mut self, line: &str) -> Result<(), Stop> {
        writeln!(self.to, "{line}").map_err(|error| Stop::file(&self.path, error))
    }

    /// Brings what is written onto the disk. Returns how long the file is.
    fn kept(&mut self) -> Result<u64, Stop> {
        let failed = |error| Stop::file(&self.path, error);
        self.to.flush().map_err(failed)?;
        let file = self.to.get_ref();
        file.sync_data().map_err(failed)?;
        Ok(file.metadata().map_err(failed)?.len())
    }
}
