//! Which clauses the passing scenarios show.

use crate::Outcome;
use fracas_kernel::{Entry, Kind, Rulebook, System};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The coverage of each system's rulebook.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Coverage {
    /// The coverage by system.
    pub systems: Vec<SystemCoverage>,
}

/// The coverage of one system's rulebook.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SystemCoverage {
    /// The system's id.
    pub id: String,
    /// How many clauses must be shown: rules, choices and content of the system's own
    /// document.
    pub clauses: usize,
    /// How many of them are shown.
    pub covered: usize,
    /// The clauses that no scenario shows.
    pub uncovered: Vec<String>,
    /// Rulings that are not shown; an optional ruling is shown once each of its values is.
    pub rulings_uncovered: Vec<String>,
    /// Clauses from other sources than the system's own document that are not shown.
    pub beyond_uncovered: Vec<String>,
    /// How many rulings there are.
    pub rulings: usize,
    /// How many clauses are from other sources.
    pub beyond: usize,
    /// Values of optional rulings that are not shown, as `ruling=value`.
    pub values_uncovered: Vec<String>,
    /// The coverage by chapter, in the rulebook's order; `Rulings` last.
    pub sections: Vec<SectionCoverage>,
    /// The coverage by kind, of the clauses that must be shown.
    pub kinds: Vec<KindCoverage>,
}

/// The coverage of a chapter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SectionCoverage {
    /// The chapter.
    pub section: String,
    /// How many of its clauses must be shown.
    pub clauses: usize,
    /// How many of them are shown.
    pub covered: usize,
    /// The clauses that no scenario shows.
    pub uncovered: Vec<String>,
}

/// The coverage of a kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KindCoverage {
    /// The kind.
    pub kind: Kind,
    /// How many clauses of it must be shown.
    pub clauses: usize,
    /// How many of them are shown.
    pub covered: usize,
}

/// The chapters that are claimed complete: each system's id and its sections.
pub type Claims = [(&'static str, &'static [&'static str])];

/// A chapter that is claimed complete and is not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unmet {
    /// The system.
    pub system: String,
    /// The chapter.
    pub section: String,
    /// The clauses that are not shown; empty if there is no such chapter.
    pub uncovered: Vec<String>,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unmet { system, section, uncovered } = self;
        if uncovered.is_empty() {
            return write!(f, "{system}: {section:?} is claimed complete, and there is no such chapter");
        }
        write!(f, "{system}: {section:?} is claimed complete, and not shown are {}", uncovered.join(", "))
    }
}

/// The coverage by the passing scenarios among these.
///
/// A scenario shows the clauses that its `covers` lists.
pub fn coverage(systems: &[System], outcomes: &[Outcome]) -> Coverage {
    let systems = systems
        .iter()
        .map(|system| {
            let shown: BTreeSet<&str> = outcomes
                .iter()
                .filter(|outcome| outcome.passed() && outcome.game == system.id)
                .flat_map(|outcome| outcome.covers.iter().map(String::as_str))
                .collect();
            of_rulebook((system.rulebook)(), &shown)
        })
        .collect();
    Coverage { systems }
}

/// Whether a scenario must show it, as a part of the system's own document.
fn counts(entry: &Entry) -> bool {
    entry.kind.must_be_shown() && !entry.beyond
}

fn of_rulebook(rulebook: &Rulebook, shown: &BTreeSet<&str>) -> SystemCoverage {
    let is_shown = |entry: &&Entry| shown.contains(entry.id);
    let missing = |of: &dyn Fn(&Entry) -> bool| -> Vec<String> {
        let entries = rulebook.entries.iter().filter(|entry| of(entry) && !is_shown(entry));
        entries.map(|entry| entry.id.to_owned()).collect()
    };
    let count = |of: &dyn Fn(&Entry) -> bool| rulebook.entries.iter().filter(|entry| of(entry)).count();

    let mut values_uncovered = Vec::new();
    let mut rulings_uncovered = Vec::new();
    for entry in rulebook.entries.iter().filter(|entry| entry.kind == Kind::Ruling) {
        let values = entry.option.map_or(&[][..], |option| option.values);
        let gone: Vec<String> = values
            .iter()
            .map(|value| format!("{}={value}", entry.id))
            .filter(|value| !shown.contains(value.as_str()))
            .collect();
        if !gone.is_empty() || (values.is_empty() && !is_shown(&entry)) {
            rulings_uncovered.push(entry.id.to_owned());
        }
        values_uncovered.extend(gone);
    }

    let mut sections: Vec<SectionCoverage> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in rulebook.entries.iter().filter(|entry| counts(entry)) {
        let at = *places.entry(entry.section).or_insert_with(|| {
            let section = entry.section.to_owned();
            sections.push(SectionCoverage { section, clauses: 0, covered: 0, uncovered: Vec::new() });
            sections.len() - 1
        });
        sections[at].add(entry.id, is_shown(&entry));
    }
    let rulings = count(&|entry| entry.kind == Kind::Ruling);
    if rulings > 0 {
        sections.push(SectionCoverage {
            section: "Rulings".to_owned(),
            clauses: rulings,
            covered: rulings - rulings_uncovered.len(),
            uncovered: rulings_uncovered.clone(),
        });
    }

    let uncovered = missing(&counts);
    let clauses = count(&counts);
    SystemCoverage {
        id: rulebook.system.to_owned(),
        clauses,
        covered: clauses - uncovered.len(),
        uncovered,
        rulings_uncovered,
        beyond_uncovered: missing(&|entry| entry.kind.must_be_shown() && entry.beyond),
        rulings,
        beyond: count(&|entry| entry.kind.must_be_shown() && entry.beyond),
        values_uncovered,
        sections,
        kinds: Kind::ALL
            .into_iter()
            .filter(|kind| kind.must_be_shown())
            .map(|kind| KindCoverage {
                kind,
                clauses: count(&|entry| counts(entry) && entry.kind == kind),
                covered: count(&|entry| counts(entry) && entry.kind == kind && is_shown(&entry)),
            })
            .collect(),
    }
}

impl SectionCoverage {
    fn add(&mut self, id: &str, shown: bool) {
        self.clauses += 1;
        if shown {
            self.covered += 1;
        } else {
            self.uncovered.push(id.to_owned());
        }
    }
}

/// Every chapter that is claimed complete and is not. `Rulings` can be claimed like a
/// chapter.
pub fn claims_met(coverage: &Coverage, claims: &Claims) -> Vec<Unmet> {
    let mut unmet = Vec::new();
    for (id, claimed) in claims {
        let system = coverage.systems.iter().find(|system| system.id == *id);
        for section in *claimed {
            let found =
                system.and_then(|system| system.sections.iter().find(|there| there.section == *section));
            if found.is_none_or(|found| !found.uncovered.is_empty()) {
                unmet.push(Unmet {
                    system: (*id).to_owned(),
                    section: (*section).to_owned(),
                    uncovered: found.map_or_else(Vec::new, |found| found.uncovered.clone()),
                });
            }
        }
    }
    unmet
}
