//! What must never be sent.

use borsh::{BorshDeserialize, BorshSerialize};
use std::fmt;

/// A value that is saved with the state and never sent to a seat.
///
/// It has the snapshot codec and no `serde`, so that a secret inside a view,
/// a prompt, an answer or an event does not compile. It also prints as `***`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, BorshSerialize, BorshDeserialize)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Hides `value`.
    pub const fn new(value: T) -> Self {
        Secret(value)
    }

    /// The hidden value, for the rules and for the gamemaster's own view.
    pub const fn reveal(&self) -> &T {
        &self.0
    }

    /// The hidden value, to change it.
    pub const fn reveal_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
