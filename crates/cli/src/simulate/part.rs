//! The sums of some conflicts of a simulation, as a file.

use super::plan::Simulation;
use crate::files;
use crate::stop::Stop;
use fracas_sim::{Row, Sums};
use serde::{Deserialize, Serialize};
use std::{fs, path::Path};

/// The largest file of sums that is read.
const LARGEST: u64 = 64 << 20;

/// The sums of some conflicts of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    /// What was simulated.
    pub(super) of: Simulation,
    /// Which conflicts: from the first to before the second of each pair, in order, with gaps between.
    spans: Vec<(u64, u64)>,
    /// How many conflicts the whole simulation has.
    whole: u64,
    pub(super) sums: Sums,
}

impl Part {
    /// No conflict yet, of so many; the first will have this number.
    pub(super) fn new(of: Simulation, from: u64, whole: u64, sums: Sums) -> Part {
        Part { of, spans: vec![(from, from)], whole, sums }
    }

    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Part, Stop> {
        files::fits(path, LARGEST)?;
        let text = fs::read_to_string(path).map_err(|error| Stop::file(path, error))?;
        let part: Part = serde_json::from_str(&text)
            .map_err(|error| Stop::file(path, format!("not a part of a simulation: {error}")))?;
        if !part.is_whole() {
            return Err(Stop::file(path, "not a part of a simulation: its sums are not whole"));
        }
        Ok(part)
    }

    /// Whether its numbers agree with each other.
    pub(super) fn is_whole(&self) -> bool {
        let count =
            self.spans.iter().try_fold(0u64, |sum, (from, to)| sum.checked_add(to.checked_sub(*from)?));
        self.sums.fits(&self.sums) && !self.spans.is_empty() && count == Some(self.sums.conflicts)
    }

    /// The number of the first conflict.
    pub(super) fn from(&self) -> u64 {
        self.spans.first().map_or(0, |span| span.0)
    }

    /// The number after the last.
    pub(super) fn to(&self) -> u64 {
        self.spans.last().map_or(0, |span| span.1)
    }

    /// The numbers that are missing of the whole.
    pub(super) fn gaps(&self) -> Vec<(u64, u64)> {
        let starts = std::iter::once(0).chain(self.spans.iter().map(|span| span.1));
        let ends = self.spans.iter().map(|span| span.0).chain([self.whole]);
        starts.zip(ends).filter(|(start, end)| start < end).collect()
    }

    /// Nothing is to come after these.
    pub(super) fn end(&mut self) {
        self.whole = self.to();
    }

    /// A conflict that another part has too.
    pub(super) fn shared(&self, other: &Part) -> Option<u64> {
        let shared = |(from, to): &(u64, u64)| {
            let meets = |(start, end): &&(u64, u64)| start.max(from) < end.min(to);
            other.spans.iter().find(meets).map(|(start, _)| *start.max(from))
        };
        self.spans.iter().find_map(shared)
    }

    /// Adds the next conflict: its row under each setting.
    pub(super) fn add(&mut self, rows: &[Row]) {
        self.sums.add(rows);
        if let Some(span) = self.spans.last_mut() {
            span.1 += 1;
        }
    }

    /// Adds another part, read from this file, which shares no conflict with it.
    pub(super) fn merge(&mut self, other: Part, path: &Path) -> Result<(), Stop> {
        if let Some(what) = self.of.differs(&other.of) {
            return Err(Stop::file(path, format!("is of another simulation: {what}")));
        }
        if !self.sums.fits(&other.sums) {
            return Err(Stop::file(path, "is of another simulation: it compares other settings"));
        }
        self.spans.extend(&other.spans);
        self.spans.sort_unstable();
        self.whole = self.whole.max(other.whole);
        self.spans.dedup_by(|next, before| {
            let adjoins = before.1 == next.0;
            if adjoins {
                before.1 = next.1;
            }
            adjoins
        });
        self.sums.merge(&other.sums);
        Ok(())
    }

    /// As a file has it.
    pub(super) fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}
