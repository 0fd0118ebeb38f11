//! `fracas rulebook coverage`: reports which rules the scenarios show.

use crate::screen::{ALARM, FAINT, GOOD, PLAIN, STRONG, Screen, Text};
use crate::stop::{Ended, Stop};
use crate::{args::Format, failure};
use fracas_kernel::System;
use fracas_scenario::{Coverage, SystemCoverage, Unmet, claims_met, coverage, run_folder_with};
use std::path::Path;

/// Coverage as JSON.
#[derive(serde::Serialize)]
struct CoverageReport<'c> {
    #[serde(flatten)]
    coverage: &'c Coverage,
    /// Claims of completeness that do not hold.
    unmet: &'c [Unmet],
    /// Failed scenarios, which cover nothing.
    failed: Vec<&'c Path>,
}

/// Runs the scenarios and prints the coverage.
pub(super) fn run(systems: &[System], scenarios: &Path, format: Format, screen: &mut Screen) -> Ended {
    if !scenarios.exists() {
        return Err(Stop::file(scenarios, "there are no scenarios: name their folder with --scenarios"));
    }
    let outcomes = run_folder_with(&[scenarios.to_owned()], fracas_systems::all(), &fracas_systems::library);
    let covered = coverage(systems, &outcomes);
    let claims: Vec<_> = fracas_systems::complete()
        .iter()
        .copied()
        .filter(|(id, _)| systems.iter().any(|s| s.id == *id))
        .collect();
    let unmet = claims_met(&covered, &claims);
    let ours = |game: &str| game.is_empty() || systems.iter().any(|system| system.id == game);
    let failed: Vec<_> = outcomes.iter().filter(|o| !o.passed() && ours(&o.game)).collect();
    if format == Format::Json {
        let failed = failed.iter().map(|outcome| outcome.file.as_path()).collect();
        screen.json(&CoverageReport { coverage: &covered, unmet: &unmet, failed })?;
    } else {
        for system in &covered.systems {
            of_system(system, screen)?;
        }
        for outcome in &failed {
            let head = Text::of(ALARM, "failed").and(PLAIN, format!(" {}", outcome.file.display()));
            screen.say(&head)?;
            if let Some(failure) = &outcome.failure {
                failure::show(failure, screen)?;
            }
        }
        for unmet in &unmet {
            screen.say(&Text::of(ALARM, "not met: ").and(PLAIN, unmet.to_string()))?;
        }
    }
    if unmet.is_empty() && failed.is_empty() { Ok(()) } else { Err(Stop::Failed) }
}

fn of_system(system: &SystemCoverage, screen: &mut Screen) -> Ended {
    let style = if system.uncovered.is_empty() { GOOD } else { PLAIN };
    let head = Text::of(STRONG, &system.id)
        .and(style, format!(": {} of {} clauses shown", system.covered, system.clauses));
    screen.say(&head)?;
    for kind in &system.kinds {
        screen.hang(
            &Text::plain("  "),
            2,
            &Text::of(FAINT, format!("{}: {} of {}", kind.kind, kind.covered, kind.clauses)),
        )?;
    }
    for section in &system.sections {
        let done = section.uncovered.is_empty();
        let (style, mark) = if done { (GOOD, "done ") } else { (PLAIN, "     ") };
        let text =
            Text::plain(&section.section).and(FAINT, format!(": {} of {}", section.covered, section.clauses));
        screen.hang(&Text::of(style, format!("  {mark}")), 9, &text)?;
        if !done {
            screen.hang(&Text::plain(""), 11, &Text::of(FAINT, section.uncovered.join(", ")))?;
        }
    }
    let rest = [
        ("settings with values not shown", &system.values_uncovered),
        ("from beyond its document, not shown", &system.beyond_uncovered),
    ];
    for (what, ids) in rest.iter().filter(|(_, ids)| !ids.is_empty()) {
        screen.hang(&Text::plain("  "), 11, &Text::plain(format!("{what}: ")).and(FAINT, ids.join(", ")))?;
    }
    Ok(())
}
