//! The terms of each route: what a request costs there, and which pages may send it. They stand
//! beside the route, and are read by the guards in front of all routes.

use crate::asked::route;
use axum::extract::Request;
use std::collections::HashMap;

/// What a request counts as besides a request. All but a link count for changes only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cost {
    /// A link that is tried, by any method.
    Link,
    /// A table that is opened.
    Table,
    /// A paper that is made.
    Paper,
    /// A map or a picture that is read.
    Map,
    /// A log that is played through.
    Log,
    /// A text that is checked and not kept.
    Check,
    /// A passphrase that is hashed, which takes as long as trying one.
    Phrase,
}

/// Which pages may send a request that changes something.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Senders {
    /// Our own pages, and programs.
    #[default]
    Ours,
    /// Pages of other sites too: the route takes a token.
    Everybody,
}

/// The terms of a route.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Terms {
    /// What a request counts as, in this order.
    pub costs: &'static [Cost],
    /// Which pages may send changes.
    pub senders: Senders,
    /// No limit counts the requests.
    pub uncounted: bool,
}

/// The terms of all routes, by their paths.
#[derive(Clone, Default, Debug)]
pub(crate) struct AllTerms(HashMap<String, Terms>);

impl AllTerms {
    /// Adds a route.
    pub(crate) fn add(&mut self, path: String, terms: Terms) {
        self.0.insert(path, terms);
    }

    /// The terms of a request's route.
    pub(crate) fn of(&self, request: &Request) -> Terms {
        self.0.get(route(request)).copied().unwrap_or_default()
    }

    /// Every route with its terms, sorted by its path.
    pub(crate) fn list(self) -> Vec<(String, Terms)> {
        let mut all: Vec<_> = self.0.into_iter().collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }
}
