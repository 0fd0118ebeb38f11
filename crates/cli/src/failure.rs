//! A scenario's failure on the screen.

use crate::screen::{FAINT, PLAIN, Screen, Text};
use crate::stop::Ended;
use fracas_scenario::Failure;

/// Shows the step, the difference and the clause.
pub(crate) fn show(failure: &Failure, screen: &mut Screen) -> Ended {
    match failure.step {
        Some(0) => {}
        Some(step) => screen.hang(&Text::plain("  "), 2, &Text::plain(format!("step {step}")))?,
        None => screen.hang(&Text::plain("  "), 2, &Text::plain("after the last step"))?,
    }
    for line in failure.what.lines() {
        // The indent is part of the difference.
        let indent = 4 + line.len() - line.trim_start().len();
        screen.hang(&Text::plain(" ".repeat(indent)), indent + 2, &Text::plain(line.trim()))?;
    }
    if let Some((id, text)) = &failure.clause {
        screen.hang(&Text::plain("  "), 4, &Text::of(FAINT, format!("{id}: ")).and(PLAIN, text))?;
    }
    Ok(())
}
