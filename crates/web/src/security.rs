//! What those who host a server should know of: guesses, limits, refusals.
//!
//! Told in the server's own log under the target `fracas::security`, with the address and
//! the route: no table, no name, no secret. However many there are, few lines come of them.

use crate::limits::{From, Gate, Rate};
use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// The target of its lines.
const TARGET: &str = "fracas::security";
/// Lines of one kind from one address.
const EACH: Rate = Rate { burst: 3, every: Duration::from_secs(60) };
/// Lines of all.
const ALL: Rate = Rate { burst: 60, every: Duration::from_secs(2) };

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Event {
    /// A token that does not count.
    Token,
    /// A link that does not count.
    Link,
    /// A passphrase that is not the table's.
    Passphrase,
    /// More than a limit allows.
    TooOften,
    /// It was asked by a name that is not the server's.
    Host,
    /// A page of another site sent something.
    Site,
    /// Too many connections are open.
    Connections,
}

impl Event {
    fn told(self) -> &'static str {
        match self {
            Event::Token => "a token that does not count",
            Event::Link => "a link that does not count",
            Event::Passphrase => "a wrong passphrase",
            Event::TooOften => "a limit was reached",
            Event::Host => "asked by a name that is not this server's",
            Event::Site => "a page of another site sent something",
            Event::Connections => "no room for more connections",
        }
    }
}

/// Tells what happened.
pub(crate) struct Security {
    each: Gate<(Event, From)>,
    all: Gate<()>,
    /// How often something happened of which no line came.
    unlisted: AtomicU64,
}

impl Security {
    pub(crate) fn new() -> Security {
        Security { each: Gate::new(EACH), all: Gate::new(ALL), unlisted: AtomicU64::new(0) }
    }

    /// Something happened at a route, as the server lists it.
    pub(crate) fn note(&self, event: Event, from: From, route: &str) {
        if self.each.pass(&(event, from)).and_then(|()| self.all.pass(&())).is_err() {
            self.unlisted.fetch_add(1, Relaxed);
            return;
        }
        let unlisted = self.unlisted.swap(0, Relaxed);
        tracing::warn!(target: TARGET, kind = ?event, address = %from, route, unlisted, "{}", event.told());
    }
}
