//! Hints for a seat, worked out beside play.

use crate::room::Room;
use fracas_face::hint::{Hint, hints};
use fracas_kernel::Seat;
use std::sync::{Arc, LazyLock};
use tokio::{sync::Semaphore, task::JoinError};

/// Permits for hints: each tries thousands of answers.
static HINTS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(1)));

/// Hints at the open asks of a seat; `None` if the table is no longer open.
///
/// # Errors
/// If the work broke off: a bug.
pub async fn hints_for(room: &Arc<Room>, seat: Seat) -> Result<Option<Vec<Hint>>, JoinError> {
    // The semaphore is never closed. The permit lasts as long as the work.
    let turn = HINTS.clone().acquire_owned().await;
    let room = room.clone();
    let work = move || {
        let _turn = turn;
        // The table itself goes on meanwhile.
        let copy = room.look(|table, _| table.game().again())?;
        Some(hints(copy.as_ref(), seat))
    };
    tokio::task::spawn_blocking(work).await
}
