//! Branches: a log up to a line, which goes on as a table of its own.

use crate::entry::{self, Branched, Entry};
use crate::{LogError, Seed, chain};

/// The log of a branch: the lines up to `after`, under a title of its own. Its further throws come from `seed`, so
/// that nobody knows them from the other table; without a seed all its further dice are real.
///
/// # Errors
/// If its first line cannot be read.
pub fn branch(log: &str, after: u64, title: &str, seed: Option<Seed>) -> Result<String, LogError> {
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let unreadable = |what: String| LogError { name: title.to_owned(), line: 1, what, damaged: false };
    let first = lines.first().copied().unwrap_or_default();
    let (0, Entry::Header(mut header)) = entry::read(first).map_err(unreadable)? else {
        return Err(unreadable("expected the table's setup".to_owned()));
    };
    let count = usize::try_from(after).unwrap_or(usize::MAX).saturating_add(1).min(lines.len());
    header.title = title.to_owned();
    header.branched.push(Branched { after: count as u64 - 1, seed });
    let mut branch =
        entry::write(0, &Entry::Header(header)).map_err(|error| unreadable(error.to_string()))?;
    lines[1..count].iter().for_each(|line| branch.push_str(line));
    Ok(chain::renewed(&branch))
}
