//! The introduction to the API, for authors of programs.

use super::problem::Kind;
use crate::{app::App, page, trouble::shown};
use axum::{extract::State, http::HeaderMap, response::Html};
use std::sync::Arc;

/// The introduction, with every kind of problem.
pub(crate) async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> Html<String> {
    let problems: Vec<(&str, u16, &str, &str)> = Kind::ALL
        .iter()
        .map(|kind| (kind.slug(), kind.status().as_u16(), kind.title(), kind.hint()))
        .collect();
    shown(page::api(&app.origin(&headers), &problems))
}
