//! The API: everything that pages can do, for programs with a token.
//!
//! A route and its entry in the OpenAPI document are one item, so neither exists without the
//! other. Responses are the projection of the token's role ([`shape`]); actions are the same
//! commands that people give. Cookies are ignored here, so a page of another site can do
//! nothing in a person's name.

mod act;
mod caller;
mod card;
mod cors;
mod delete;
mod document;
mod examples;
mod hindsight;
mod key;
mod map;
mod next;
mod open;
mod operations;
mod page;
mod people;
mod problem;
mod read;
mod shape;
mod stage;
mod stream;
mod systems;
mod texts;

pub(crate) use cors::cors;
pub(crate) use page::page;
pub(crate) use problem::{Kind, Problem};

use crate::terms::{Cost, Terms};
use crate::{app::App, limits::Limits};
use axum::{Router, http::header, response::IntoResponse, routing::get};
use operations::Operations;
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The operations that need no token.
fn open_to_all() -> Operations {
    Operations::default()
        .routes(routes!(systems::systems))
        .routes(routes!(systems::rules))
        .routes(routes!(systems::rule))
        .routes(routes!(systems::library))
        .routes(routes!(systems::in_library))
        .routes(routes!(systems::template))
        .routes(routes!(systems::check))
        .costs(&[Cost::Check])
        .routes(routes!(open::open))
        .costs(&[Cost::Table])
        .routes(routes!(open::take_in))
        .costs(&[Cost::Table, Cost::Log])
}

/// The operations that need a token.
fn with_token() -> Operations {
    Operations::default()
        .routes(routes!(next::company))
        .routes(routes!(next::next))
        .costs(&[Cost::Table])
        .routes(routes!(hindsight::branch))
        .costs(&[Cost::Table])
        .routes(routes!(hindsight::turns))
        .routes(routes!(hindsight::moment))
        .routes(routes!(read::table, delete::delete))
        .routes(routes!(delete::restore))
        .routes(routes!(read::view))
        .routes(routes!(read::lines_from))
        .routes(routes!(read::answers))
        .routes(routes!(read::preview))
        .routes(routes!(map::reach))
        .routes(routes!(map::space))
        .routes(routes!(read::odds))
        .routes(routes!(read::hints))
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
        .routes(routes!(act::tally))
        .routes(routes!(people::passes, people::make))
        .routes(routes!(people::revoke))
        .routes(routes!(people::people, people::admit))
        .routes(routes!(people::entrance, people::door))
        .routes(routes!(people::passphrase))
        .costs(&[Cost::Phrase])
        .routes(routes!(people::what_watchers_may, people::watchers))
        .routes(routes!(people::get_webhook, people::webhook))
        .routes(routes!(people::try_webhook))
        .with_token()
}

/// The API's routes with their terms, and its document.
pub(crate) struct Api {
    pub(crate) router: Router<Arc<App>>,
    pub(crate) routes: Vec<(String, Terms)>,
}

/// Where the operations are.
const AT: &str = "/api/v1";

/// The addresses about the API. Those of the API itself are in its document.
pub(crate) const ADDRESSES: [&str; 3] = ["/api", "/api/openapi.json", "/api/{*elsewhere}"];

/// Every address of the API.
pub(crate) fn router(limits: &Limits) -> Api {
    let Operations { router, routes } = open_to_all().merge(with_token());
    let (router, mut document) =
        OpenApiRouter::with_openapi(document::beginning()).nest(AT, router).split_for_parts();
    document::complete(&mut document, limits);
    let no_such_method =
        || async { Problem::new(problem::Kind::Method, "the header Allow says what this takes") };
    let text: Arc<str> = document.to_json().unwrap_or_default().into();
    let published = move || async move {
        ([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response()
    };
    let router = router
        .method_not_allowed_fallback(no_such_method)
        .route(ADDRESSES[1], get(published))
        .route(ADDRESSES[0], get(page))
        .route(ADDRESSES[2], axum::routing::any(|| async { Problem::absent() }));
    let routes = routes.into_iter().map(|(path, terms)| (format!("{AT}{path}"), terms));
    Api { router, routes: routes.collect() }
}
