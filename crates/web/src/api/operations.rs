//! Operations of the API, with their entries in the document and their terms.

use crate::app::App;
use crate::terms::{Cost, Senders, Terms};
use std::sync::Arc;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

/// Operations of the API, with their entries in the document and their terms.
#[derive(Default)]
pub(super) struct Operations {
    pub(super) router: OpenApiRouter<Arc<App>>,
    pub(super) routes: Vec<(String, Terms)>,
}

impl Operations {
    /// Adds the operations at one path.
    pub(super) fn routes(mut self, of: UtoipaMethodRouter<Arc<App>>) -> Operations {
        let paths = of.1.paths.keys().map(|path| (path.clone(), Terms::default()));
        self.routes.extend(paths);
        Operations { router: self.router.routes(of), ..self }
    }

    /// The same operations; a request to the path added last counts as this too.
    pub(super) fn costs(mut self, costs: &'static [Cost]) -> Operations {
        if let Some((_, terms)) = self.routes.last_mut() {
            terms.costs = costs;
        }
        self
    }

    /// The same operations, which take a token: pages of other sites may send them.
    pub(super) fn with_token(mut self) -> Operations {
        for (_, terms) in &mut self.routes {
            terms.senders = Senders::Everybody;
        }
        self
    }

    /// All of these and those.
    pub(super) fn merge(mut self, others: Operations) -> Operations {
        self.routes.extend(others.routes);
        Operations { router: self.router.merge(others.router), ..self }
    }
}
