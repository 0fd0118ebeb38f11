//! The security events that hosts of a server should know: guesses, limits, refusals.
//!
//! They go to the server's log under the target `fracas::security`, with the address and the
//! route, but without table, name or secret. The number of lines is limited.

use crate::limits::{Gate, Rate};
use fracas_live::origin::From;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The target of its lines.
const TARGET: &str = "fracas::security";
/// Limit on lines of one kind from one address.
const EACH: Rate = Rate { burst: 3, every: Duration::from_secs(60) };
/// Limit on all lines.
const ALL: Rate = Rate { burst: 60, every: Duration::from_secs(2) };

/// A security event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Event {
    /// A token that is not valid.
    Token,
    /// A link that is not valid.
    Link,
    /// A wrong passphrase.
    Passphrase,
    /// A request beyond a limit.
    TooOften,
    /// A request for a host name that is not the server's.
    Host,
    /// A request from a page of another site.
    Site,
    /// Too many connections are open.
    Connections,
}

impl Event {
    fn message(self) -> &'static str {
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

/// Writes security events to the log.
pub(crate) struct Security {
    each: Gate<(Event, From)>,
    all: Gate<()>,
    /// How many events have been left out since the last line of the log.
    unlisted: AtomicU64,
}

impl Security {
    pub(crate) fn new() -> Security {
        Security { each: Gate::new(EACH), all: Gate::new(ALL), unlisted: AtomicU64::new(0) }
    }

    /// Records an event at a route.
    pub(crate) fn note(&self, event: Event, from: From, route: &str) {
        if self.each.pass(&(event, from)).and_then(|()| self.all.pass(&())).is_err() {
            self.unlisted.fetch_add(1, Relaxed);
            return;
        }
        let unlisted = self.unlisted.swap(0, Relaxed);
        tracing::warn!(target: TARGET, kind = ?event, address = %from, route, unlisted, "{}", event.message());
    }
}
