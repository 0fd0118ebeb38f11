//! The odds of a roll, for programs.

use fracas_kernel::Odds;
use serde::Serialize;

/// The odds of a roll. Numbers of throws are text, for they can be larger than programs take.
#[derive(Serialize)]
pub(super) struct Chances {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) of: String,
    pub(super) throws: String,
    pub(super) rows: Vec<Row>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) besides: Vec<Row>,
    #[serde(skip)]
    pub(super) line: String,
}

#[derive(Serialize)]
pub(super) struct Row {
    pub(super) text: String,
    pub(super) throws: String,
    pub(super) chance: f64,
}

impl Chances {
    pub(super) fn of(odds: &Odds) -> Chances {
        let row = |chance: &fracas_kernel::Chance| Row {
            text: chance.text.to_string(),
            throws: chance.throws.to_string(),
            chance: chance.throws as f64 / odds.throws.max(1) as f64,
        };
        Chances {
            of: odds.of.clone(),
            throws: odds.throws.to_string(),
            rows: odds.rows.iter().map(row).collect(),
            besides: odds.besides.iter().map(row).collect(),
            line: odds.line(),
        }
    }
}
