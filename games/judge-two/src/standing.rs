//! Whose a standing reply is.

use crate::Standing;
use fracas_kernel::{Refused, Seat};

/// Players do not settle attacks and do not confirm deeds.
pub(crate) fn may(seat: Seat, reply: Standing) -> Result<(), Refused> {
    match reply {
        Standing::Agree if seat != Seat::Gm => {
            Err(Refused::form("the gamemaster settles attacks, and nobody else can stand by that"))
        }
        Standing::Confirm if seat != Seat::Gm => {
            Err(Refused::form("the gamemaster confirms deeds, and nobody else can stand by that"))
        }
        _ => Ok(()),
    }
}
