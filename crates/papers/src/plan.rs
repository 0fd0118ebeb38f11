//! The map of an encounter as a plan that is drawn on: what it shows, and the changes to its text.

mod change;
mod rows;
mod shown;

pub use change::{Change, End};
pub use shown::{Person, Plan};

use crate::read;
use fracas_kernel::System;
use fracas_store::Paper;
use shown::MAP;
use toml_edit::DocumentMut;

/// What came of a change.
#[derive(Debug)]
pub struct Drawn {
    /// The text after it.
    pub text: String,
    /// The plan of that text.
    pub plan: Plan,
}

/// Whether a text has a map to be drawn on, sound or not.
pub fn has_plan(text: &str) -> bool {
    text.parse::<DocumentMut>().is_ok_and(|document| document.contains_key(MAP))
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
