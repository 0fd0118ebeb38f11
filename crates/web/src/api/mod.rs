//! The API: everything that pages can do, for programs with a token.
//!
//! A route and its entry in the OpenAPI document are one item, so neither exists without the
//! other. Responses are the projection of the token's role ([`shape`]); actions are the same
//! commands that people give. Cookies are ignored here, so a page of another site can do
//! nothing in a person's name.

mod act;
mod caller;
mod cors;
mod delete;
mod document;
mod examples;
mod key;
mod next;
mod open;
mod page;
mod people;
mod problem;
mod read;
mod shape;
mod stage;
mod stream;
mod systems;
mod texts;

pub(crate) use caller::bearer;
pub(crate) use cors::cors;
pub(crate) use page::page;
pub(crate) use problem::{Kind, Problem};
pub(crate) use shape::{Line, lines};

use crate::{app::App, limits::Limits};
use axum::{Router, http::header, response::IntoResponse, routing::get};
use std::sync::Arc;
use utoipa::openapi::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes below `/api/v1`, and the document that describes them.
fn parts(limits: &Limits) -> (Router<Arc<App>>, OpenApi) {
    let (router, mut document) = OpenApiRouter::with_openapi(document::beginning())
        .nest(
            "/api/v1",
            OpenApiRouter::new()
                .routes(routes!(systems::systems))
                .routes(routes!(systems::rules))
                .routes(routes!(systems::rule))
                .routes(routes!(systems::library))
                .routes(routes!(systems::in_library))
                .routes(routes!(systems::template))
                .routes(routes!(systems::check))
                .routes(routes!(open::open))
                .routes(routes!(open::take_in))
                .routes(routes!(next::company))
                .routes(routes!(next::next))
                .routes(routes!(read::table, delete::delete))
                .routes(routes!(delete::restore))
                .routes(routes!(read::view))
                .routes(routes!(read::lines_from))
                .routes(routes!(read::answers))
                .routes(routes!(read::preview))
                .routes(routes!(read::odds))
                .routes(routes!(read::story))
                .routes(routes!(read::changes))
                .routes(routes!(read::several))
                .routes(routes!(read::log))
                .routes(routes!(act::answer))
                .routes(routes!(act::throw))
                .routes(routes!(act::note))
                .routes(routes!(act::stand))
                .routes(routes!(act::take_back))
                .routes(routes!(act::leave))
                .routes(routes!(act::pause))
                .routes(routes!(act::resume))
                .routes(routes!(act::fiats, act::fiat))
                .routes(routes!(act::rewind))
                .routes(routes!(act::undo))
                .routes(routes!(act::bots))
                .routes(routes!(act::go_on))
                .routes(routes!(act::pace))
                .routes(routes!(people::passes, people::make))
                .routes(routes!(people::revoke))
                .routes(routes!(people::people, people::admit))
                .routes(routes!(people::entrance, people::door))
                .routes(routes!(people::passphrase))
                .routes(routes!(people::what_watchers_may, people::watchers))
                .routes(routes!(people::get_webhook, people::webhook))
                .routes(routes!(people::try_webhook)),
        )
        .split_for_parts();
    document::complete(&mut document, limits);
    (router, document)
}

/// The addresses about the API. Those of the API itself are in its document.
pub(crate) const ADDRESSES: [&str; 3] = ["/api", "/api/openapi.json", "/api/{*elsewhere}"];

/// Every address of the API.
pub(crate) fn router(limits: &Limits) -> Router<Arc<App>> {
    let (router, document) = parts(limits);
    let no_such_method =
        || async { Problem::new(problem::Kind::Method, "the header Allow says what this takes") };
    let text: Arc<str> = document.to_json().unwrap_or_default().into();
    let published = move || async move {
        ([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response()
    };
    router
        .method_not_allowed_fallback(no_such_method)
        .route(ADDRESSES[1], get(published))
        .route(ADDRESSES[0], get(page))
        .route(ADDRESSES[2], axum::routing::any(|| async { Problem::absent() }))
}
