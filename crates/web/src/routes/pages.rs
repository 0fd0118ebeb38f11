//! Pages, and the list of their addresses.

use crate::app::App;
use axum::{Router, extract::DefaultBodyLimit, routing::MethodRouter};
use std::sync::Arc;

/// Pages, and the list of their addresses.
#[derive(Default)]
pub(crate) struct Pages {
    pub(super) router: Router<Arc<App>>,
    pub(super) paths: Vec<&'static str>,
}

impl Pages {
    pub(super) fn route(mut self, path: &'static str, to: MethodRouter<Arc<App>>) -> Pages {
        self.paths.push(path);
        Pages { router: self.router.route(path, to), ..self }
    }

    pub(super) fn merge(mut self, others: Pages) -> Pages {
        self.paths.extend(others.paths);
        Pages { router: self.router.merge(others.router), ..self }
    }

    /// The same pages, with requests of up to this many bytes.
    pub(super) fn at_most(self, bytes: usize) -> Pages {
        Pages { router: self.router.layer(DefaultBodyLimit::max(bytes)), ..self }
    }
}
