//! A client's connection, as far as it tells what the client has received.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use std::time::Duration;

/// A line counts as delivered once its connection has stayed open this long after it.
pub(crate) const BEAT: Duration = Duration::from_secs(30);

/// Whether the client closed the connection itself: then it had received everything. A
/// broken connection does not show that.
#[derive(Clone, Default)]
pub struct Wire(Arc<AtomicBool>);

impl Wire {
    /// Whether the client has closed the connection.
    pub(crate) fn was_hung_up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Records that the client has closed the connection.
    pub fn hang_up(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
