//! Why a scenario failed.

use fracas_kernel::Clause;
use serde::Serialize;
use std::fmt;

/// Why a scenario failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// The step, from 1; 0 before the first, absent after the last.
    pub step: Option<usize>,
    /// The line of that step; 0 if no single line is to blame.
    pub line: usize,
    /// The expected and the actual result, in several lines.
    pub what: String,
    /// The clause concerned: its id and its text.
    pub clause: Option<(String, String)>,
}

impl Failure {
    pub(crate) fn new(what: impl Into<String>) -> Failure {
        Failure { step: Some(0), line: 0, what: what.into(), clause: None }
    }

    pub(crate) fn clause(mut self, clause: Clause) -> Failure {
        self.clause = Some((clause.id().to_owned(), clause.text().to_owned()));
        self
    }

    pub(crate) fn at(mut self, step: usize, line: usize) -> Failure {
        (self.step, self.line) = (Some(step), line);
        self
    }

    pub(crate) fn after(mut self, steps: usize) -> Failure {
        self.step = if steps == 0 { Some(0) } else { None };
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.what.trim_end().replace('\n', "\n    ");
        match self.step {
            Some(0) => write!(f, "    {lines}")?,
            Some(step) => write!(f, "  step {step}:\n    {lines}")?,
            None => write!(f, "  after the last step:\n    {lines}")?,
        }
        match &self.clause {
            Some((id, text)) => write!(f, "\n  {id}: {text}"),
            None => Ok(()),
        }
    }
}
