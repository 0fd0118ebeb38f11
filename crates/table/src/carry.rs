//! From this evening into another.

use crate::{
    Header, Log, OpenError,
    fold::{self, Moments},
};
use fracas_kernel::{System, carried_on};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where carried characters come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The log's file, without its folder.
    pub log: String,
    /// How many of its lines.
    pub lines: u64,
    /// The hash of the state that these lead to, as [`crate::verify`] finds it.
    pub state: String,
}

/// What the players' characters take from where a log ends into another evening:
/// a library document as JSON, with an [`Origin`] as its `carried`.
///
/// What was carried into this table is kept up in it; see [`carried_on`].
/// `None` where the system knows no other evening.
///
/// # Errors
/// Where the log's system is not among `systems` or is of another version, or
/// the log cannot be played.
pub fn carry(log: &Log, systems: &[System]) -> Result<Option<Value>, OpenError> {
    let system = fold::system_for(log, systems)?;
    if log.version() != system.version {
        return Err(OpenError::Version {
            name: log.name().to_owned(),
            system: system.id.to_owned(),
            was: log.version(),
            now: system.version,
        });
    }
    let game = fold::rebuild(&system, log, log.next(), &mut Moments::default())?;
    let Some(now) = game.carry() else { return Ok(None) };
    let file = log.name().rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let origin = Origin { log: file, lines: log.next(), state: game.hash() };
    let origin = serde_json::to_value(origin).unwrap_or_default();
    let header = log.header();
    Ok(Some(carried_on(&header.setup(), now, &header.label, origin)))
}

impl Header {
    /// Where those come from who were carried into this table.
    pub fn carried_from(&self) -> impl Iterator<Item = Origin> {
        let origin = |document: &Value| Origin::deserialize(document.get("carried")?).ok();
        self.library.iter().filter_map(move |paper| origin(&paper.document))
    }
}
