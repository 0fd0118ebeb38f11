//! The map of an encounter as a plan that is drawn on: what it shows, and the changes to its text.

mod change;
mod lists;
mod rows;
mod shown;
mod walls;

pub use change::{Change, End};
pub use shown::{Person, Plan};

use crate::read;
use fracas_kernel::{MAX_SIDE, System};
use fracas_store::Paper;
use shown::MAP;
use toml_edit::{DocumentMut, Item, Table, value};

/// What came of a change.
#[derive(Debug)]
pub struct Drawn {
    /// The text after it.
    pub text: String,
    /// The plan of that text.
    pub plan: Plan,
}

/// Whether a text has no map yet, so that one can be begun ([`begun`]).
pub fn is_without(text: &str) -> bool {
    text.parse::<DocumentMut>().is_ok_and(|document| !document.contains_key(MAP))
}

/// A text with an empty map of so many columns and rows, each from 1 to [`MAX_SIDE`].
///
/// # Errors
/// If the text cannot be read, or has a map already, or a number is none of these.
pub fn begun(text: &str, columns: &str, rows: &str) -> Result<String, String> {
    let side = |what: &str, text: &str| {
        let number = text.trim().parse::<u8>().ok().filter(|side| (1..=MAX_SIDE).contains(side));
        number.ok_or_else(|| format!("{what}: expected a whole number from 1 to {MAX_SIDE}, found {text:?}"))
    };
    let (columns, rows) = (side("columns", columns)?, side("rows", rows)?);
    let mut document = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
    if document.contains_key(MAP) {
        return Err("the text has a map already".to_owned());
    }
    let mut map = Table::new();
    map.insert("columns", value(i64::from(columns)));
    map.insert("height", value(i64::from(rows)));
    document.insert(MAP, Item::Table(map));
    Ok(document.to_string())
}

/// Changes the map of a paper's text, or reads it alone.
///
/// # Errors
/// If the map has faults, or the change cannot be made: what is wrong, a line each.
pub fn draw(
    papers: &[Paper],
    paper: &Paper,
    system: &System,
    change: Option<&Change>,
) -> Result<Drawn, Vec<String>> {
    let plan = Plan::of(&paper.text, system, &read(papers, paper, system))?;
    let Some(change) = change else { return Ok(Drawn { text: paper.text.clone(), plan }) };
    let text = plan.changed(&paper.text, change).map_err(|why| vec![why])?;
    let after = Paper { text, ..paper.clone() };
    let plan = Plan::of(&after.text, system, &read(papers, &after, system))?;
    Ok(Drawn { text: after.text, plan })
}

#[cfg(test)]
mod tests;
