//! Carrying characters from one evening into another.

use crate::fold::{self, Moments};
use crate::{Header, Log, OpenError};
use fracas_kernel::{System, carried_on};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The log that carried characters come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The log's file name, without its folder.
    pub log: String,
    /// How many of its lines were counted.
    pub lines: u64,
    /// The hash of the state after these lines, as [`crate::verify`] reports it.
    pub state: String,
}

/// The library document, as JSON, with which the players' characters go on in another
/// evening. Its `carried` is an [`Origin`].
///
/// It continues the history of characters that were carried into this table; see
/// [`carried_on`]. `None` if the system does not carry characters.
///
/// # Errors
/// If the log's system is not among `systems` or is of another version, or the log cannot
/// be played.
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
    /// The logs from which characters were carried into this table.
    pub fn carried_from(&self) -> impl Iterator<Item = Origin> {
        let origin = |document: &Value| Origin::deserialize(document.get("carried")?).ok();
        self.library.iter().filter_map(move |paper| origin(&paper.document))
    }
}
