//! The words that are understood before play begins.

use crate::screen::{PLAIN, Screen};
use crate::stop::Stop;

/// A line that the first prompts all understand.
pub(super) enum Early {
    /// `help`, which has been shown.
    Helped,
    /// `quit`.
    Leave,
}

/// Handles `help` and `quit` at the first prompts.
pub(super) fn early(line: &str, screen: &mut Screen, help: &str) -> Result<Option<Early>, Stop> {
    match line.to_lowercase().as_str() {
        "help" | "?" => {
            screen.tell(PLAIN, help)?;
            Ok(Some(Early::Helped))
        }
        "quit" | "exit" | "q" => Ok(Some(Early::Leave)),
        _ => Ok(None),
    }
}
