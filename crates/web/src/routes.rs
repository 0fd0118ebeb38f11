//! Every address of the server.

mod come_in;
mod delete;
mod forget;
mod form;
mod guard;
mod limits;
mod next;
mod open;
mod overrule;
mod pages;
mod papers;
mod people;
mod play;
mod programs;
mod read;
mod scene;
mod seat;
mod take_in;

pub(crate) use seat::{Seated, is_admitted};

use crate::{api, app::App, asked::MAX_BODY, hosts, metrics, trouble::Trouble};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{get, post},
};
use fracas_live::take_in::MAX_FILE;
use pages::Pages;
use std::sync::Arc;

/// Every address, except those in the API's own document.
pub fn addresses() -> Vec<&'static str> {
    pages().paths.into_iter().chain(api::ADDRESSES).collect()
}

/// The pages.
fn pages() -> Pages {
    Pages::default()
        .route("/", get(open::home))
        .route("/open/{system}/{encounter}", get(open::ask).post(open::create))
        .route("/papers/{paper}/open", get(open::ask_own).post(open::create_own))
        .route("/scene/{system}", get(scene::ask).post(scene::create))
        .route("/take-in", post(take_in::take_in).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/t/{table}/{role}/next", get(next::ask).post(next::create))
        .route("/t/{table}/{role}/next/keep", post(next::keep_one))
        .merge(papers::routes())
        .route("/forget", get(forget::ask).post(forget::forget))
        .route("/join/{secret}", get(come_in::join))
        .route("/t/{table}", get(seat::which))
        .route("/t/{table}/{role}", get(read::page))
        .route("/t/{table}/{role}/knock", get(come_in::ask).post(come_in::knock))
        .route("/t/{table}/{role}/stream", get(read::stream))
        .route("/t/{table}/{role}/due", get(read::due))
        .route("/t/{table}/{role}/choices", get(read::choices))
        .route("/t/{table}/{role}/arranged", get(play::arranged))
        .route("/t/{table}/{role}/story", get(read::story))
        .route("/t/{table}/{role}/story.md", get(read::markdown))
        .route("/t/{table}/{role}/log", get(read::log))
        .route("/t/{table}/{role}/answer", post(play::answer))
        .route("/t/{table}/{role}/throw", post(play::throw))
        .route("/t/{table}/{role}/note", post(play::note))
        .route("/t/{table}/{role}/overrule", get(overrule::ask).post(overrule::overrule))
        .route("/t/{table}/{role}/stand", post(play::stand))
        .route("/t/{table}/{role}/rewind", post(play::rewind))
        .route("/t/{table}/{role}/undo", post(play::undo))
        .route("/t/{table}/{role}/take-back", post(play::take_back))
        .route("/t/{table}/{role}/throws", post(play::throws))
        .route("/t/{table}/{role}/passes", post(play::passes))
        .route("/t/{table}/{role}/bot", post(play::bot))
        .route("/t/{table}/{role}/go-on", post(play::go_on))
        .route("/t/{table}/{role}/pace", post(play::pace))
        .route("/t/{table}/{role}/pause", post(play::pause))
        .route("/t/{table}/{role}/resume", post(play::resume))
        .route("/t/{table}/{role}/people", get(people::page))
        .route("/t/{table}/{role}/links", post(people::link))
        .route("/t/{table}/{role}/revoke", post(people::revoke))
        .route("/t/{table}/{role}/admit", post(people::admit))
        .route("/t/{table}/{role}/door", post(people::door))
        .route("/t/{table}/{role}/passphrase", post(people::passphrase))
        .route("/t/{table}/{role}/watchers", post(people::watchers))
        .route("/t/{table}/{role}/delete", get(delete::ask).post(delete::delete))
        .route("/t/{table}/{role}/restore", post(delete::restore))
        .route("/t/{table}/{role}/webhook", post(programs::webhook))
        .route("/t/{table}/{role}/webhook/test", post(programs::try_webhook))
        .route("/t/{table}/{role}/programs", get(programs::page).post(programs::make))
        .route("/t/{table}/{role}/programs/revoke", post(programs::revoke))
        .route("/rules/{system}", get(read::rulebook))
        .route("/rules/{system}/{clause}", get(read::clause))
        .route("/assets/{file}", get(read::asset))
        .route("/healthz", get(|| async { "ok" }))
}

/// Every address, with its guards.
pub(crate) fn router(app: Arc<App>) -> Router {
    pages()
        .router
        .layer(middleware::from_fn_with_state(app.clone(), guard::same_site))
        // Cookies are ignored there, so the origin of a request does not matter.
        .merge(api::router(app.gates.limits()))
        .fallback(|| async { Trouble::absent() })
        .layer(middleware::from_fn(guard::finish))
        .layer(middleware::from_fn(guard::plain))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(app.clone(), limits::guard))
        .layer(middleware::from_fn_with_state(app.clone(), seat::know))
        .layer(middleware::from_fn_with_state(app.own_names(), hosts::guard))
        .layer(middleware::from_fn(api::cors))
        .layer(middleware::from_fn_with_state(app.clone(), guard::headers))
        .layer(middleware::from_fn_with_state(app.metrics.clone(), metrics::count))
        .with_state(app)
}
