//! Pages, and the list of their addresses with their terms.

use crate::app::App;
use crate::terms::{Cost, Terms};
use axum::{Router, extract::DefaultBodyLimit, routing::MethodRouter};
use std::sync::Arc;

/// Pages, and the list of their addresses with their terms.
#[derive(Default)]
pub(crate) struct Pages {
    pub(super) router: Router<Arc<App>>,
    pub(super) routes: Vec<(&'static str, Terms)>,
}

impl Pages {
    pub(super) fn route(mut self, path: &'static str, to: MethodRouter<Arc<App>>) -> Pages {
        self.routes.push((path, Terms::default()));
        Pages { router: self.router.route(path, to), ..self }
    }

    /// The same pages; a request to the last one counts as this too.
    pub(super) fn costs(mut self, costs: &'static [Cost]) -> Pages {
        if let Some((_, terms)) = self.routes.last_mut() {
            terms.costs = costs;
        }
        self
    }

    /// The same pages; requests to the last one are not counted.
    pub(super) fn uncounted(mut self) -> Pages {
        if let Some((_, terms)) = self.routes.last_mut() {
            terms.uncounted = true;
        }
        self
    }

    pub(super) fn merge(mut self, others: Pages) -> Pages {
        self.routes.extend(others.routes);
        Pages { router: self.router.merge(others.router), ..self }
    }

    /// The same pages, with requests of up to this many bytes.
    pub(super) fn at_most(self, bytes: usize) -> Pages {
        Pages { router: self.router.layer(DefaultBodyLimit::max(bytes)), ..self }
    }
}
