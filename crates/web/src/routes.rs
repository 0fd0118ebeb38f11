//! Every address of the server.

mod come_in;
mod delete;
mod forget;
mod form;
mod guard;
mod hindsight;
mod limits;
mod map;
mod maps;
mod next;
mod open;
mod overlay;
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

use crate::terms::{AllTerms, Cost, Terms};
use crate::{api, app::App, asked::MAX_BODY, hosts, limits::Limits, metrics, trouble::Trouble};
use axum::routing::{get, post};
use axum::{Router, extract::DefaultBodyLimit, middleware};
use fracas_live::take_in::MAX_FILE;
use pages::Pages;
use std::sync::Arc;

/// Every address, except those in the API's own document.
pub fn addresses() -> Vec<&'static str> {
    pages().routes.into_iter().map(|(path, _)| path).chain(api::ADDRESSES).collect()
}

/// Every route by its path, those of the API too, with its terms.
pub fn route_terms() -> Vec<(String, Terms)> {
    terms(&pages(), &api::router(&Limits::default())).list()
}

/// The pages.
fn pages() -> Pages {
    Pages::default()
        .route("/", get(open::home))
        .route("/open/{system}/{encounter}", get(open::ask).post(open::create))
        .costs(&[Cost::Table])
        .route("/papers/{paper}/open", get(open::ask_own).post(open::create_own))
        .costs(&[Cost::Table])
        .route("/scene/{system}", get(scene::ask).post(scene::create))
        .costs(&[Cost::Table, Cost::Paper])
        .route("/practice/{system}", post(open::practise))
        .costs(&[Cost::Table])
        .route("/take-in", post(take_in::take_in).layer(DefaultBodyLimit::max(MAX_FILE)))
        .costs(&[Cost::Table, Cost::Log])
        .route("/t/{table}/{role}/next", get(next::ask).post(next::create))
        .costs(&[Cost::Table])
        .route("/t/{table}/{role}/next/keep", post(next::keep_one))
        .costs(&[Cost::Paper])
        .merge(papers::routes())
        .merge(maps::routes())
        .route("/forget", get(forget::ask).post(forget::forget))
        .route("/join/{secret}", get(come_in::join))
        .costs(&[Cost::Link])
        .route("/t/{table}", get(seat::which))
        .route("/t/{table}/overlay", get(overlay::page))
        .route("/t/{table}/{role}", get(read::page))
        .route("/t/{table}/{role}/knock", get(come_in::ask).post(come_in::knock))
        .route("/t/{table}/{role}/stream", get(read::stream))
        .route("/t/{table}/{role}/due", get(read::due))
        .route("/t/{table}/{role}/choices", get(read::choices))
        .route("/t/{table}/{role}/arranged", get(play::arranged))
        .route("/t/{table}/{role}/there", get(map::there))
        .route("/t/{table}/{role}/put", post(map::put))
        .route("/t/{table}/{role}/point", post(map::point))
        .route("/t/{table}/{role}/sheet/{of}", get(read::sheet))
        .route("/t/{table}/{role}/story", get(read::story))
        .route("/t/{table}/{role}/story.html", get(read::story_file))
        .route("/t/{table}/{role}/story.md", get(read::markdown))
        .route("/t/{table}/{role}/log", get(read::log))
        .route("/t/{table}/{role}/hint", get(read::hint))
        .route("/t/{table}/{role}/turns", get(hindsight::turns).post(hindsight::tell))
        .route("/t/{table}/{role}/turns.svg", get(hindsight::picture))
        .route("/t/{table}/{role}/from/{line}", get(hindsight::from).post(hindsight::branch))
        .costs(&[Cost::Table])
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
        .route("/t/{table}/{role}/tally", post(play::tally))
        .route("/t/{table}/{role}/pause", post(play::pause))
        .route("/t/{table}/{role}/resume", post(play::resume))
        .route("/t/{table}/{role}/people", get(people::page))
        .route("/t/{table}/{role}/links", post(people::link))
        .route("/t/{table}/{role}/revoke", post(people::revoke))
        .route("/t/{table}/{role}/admit", post(people::admit))
        .route("/t/{table}/{role}/door", post(people::door))
        .route("/t/{table}/{role}/passphrase", post(people::passphrase))
        .costs(&[Cost::Phrase])
        .route("/t/{table}/{role}/watchers", post(people::watchers))
        .route("/t/{table}/{role}/delete", get(delete::ask).post(delete::delete))
        .route("/t/{table}/{role}/restore", post(delete::restore))
        .route("/t/{table}/{role}/webhook", post(programs::webhook))
        .route("/t/{table}/{role}/webhook/test", post(programs::try_webhook))
        .route("/t/{table}/{role}/programs", get(programs::page).post(programs::make))
        .route("/t/{table}/{role}/programs/revoke", post(programs::revoke))
        .route("/rules/{system}", get(read::rulebook))
        .route("/rules/{system}/{clause}", get(read::clause))
        .route("/assets/{*file}", get(read::asset))
        .uncounted()
        .route("/healthz", get(|| async { "ok" }))
        .uncounted()
}

/// The terms of every address.
fn terms(pages: &Pages, api: &api::Api) -> AllTerms {
    let mut all = AllTerms::default();
    for (path, terms) in &pages.routes {
        all.add((*path).to_owned(), *terms);
    }
    for (path, terms) in &api.routes {
        all.add(path.clone(), *terms);
    }
    all
}

/// Every address, with its guards.
pub(crate) fn router(app: Arc<App>) -> Router {
    let (pages, api) = (pages(), api::router(app.gates.limits()));
    let terms = Arc::new(terms(&pages, &api));
    let limits = limits::Guard { app: app.clone(), terms: terms.clone() };
    pages
        .router
        .layer(middleware::from_fn_with_state(app.clone(), guard::same_site))
        // Cookies are ignored there, so the origin of a request does not matter.
        .merge(api.router)
        .fallback(|| async { Trouble::absent() })
        .layer(middleware::from_fn(guard::finish))
        .layer(middleware::from_fn(guard::plain))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(limits, limits::guard))
        .layer(middleware::from_fn_with_state(app.clone(), seat::know))
        .layer(middleware::from_fn_with_state(app.own_names(), hosts::guard))
        .layer(middleware::from_fn_with_state(terms, api::cors))
        .layer(middleware::from_fn_with_state(app.clone(), guard::headers))
        .layer(middleware::from_fn_with_state(app.metrics.clone(), metrics::count))
        .with_state(app)
}
