//! Every address of the server.

mod come_in;
mod delete;
mod forget;
mod form;
mod guard;
mod next;
mod open;
mod overrule;
mod papers;
mod people;
mod play;
mod programs;
mod read;
mod scene;
mod seat;
mod take_in;

pub(crate) use guard::is_ours;
pub(crate) use seat::{Seated, cookie, is_admitted};

use crate::{
    api,
    app::App,
    hosts,
    limits::{self, TooOften},
    metrics,
    page::WayOn,
    pass::PassError,
};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{StatusCode, Uri},
    middleware,
    response::{Html, IntoResponse, Response},
    routing::{MethodRouter, get, post},
};
use maud::Markup;
use std::sync::Arc;

/// The most bytes of a request.
pub(crate) const MAX_BODY: usize = 256 << 10;

/// Pages, and the list of their addresses.
#[derive(Default)]
pub(crate) struct Pages {
    router: Router<Arc<App>>,
    paths: Vec<&'static str>,
}

impl Pages {
    fn route(mut self, path: &'static str, to: MethodRouter<Arc<App>>) -> Pages {
        self.paths.push(path);
        Pages { router: self.router.route(path, to), ..self }
    }

    fn merge(mut self, others: Pages) -> Pages {
        self.paths.extend(others.paths);
        Pages { router: self.router.merge(others.router), ..self }
    }

    /// The same pages, with requests of up to this many bytes.
    fn at_most(self, bytes: usize) -> Pages {
        Pages { router: self.router.layer(DefaultBodyLimit::max(bytes)), ..self }
    }
}

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
        .route("/take-in", post(take_in::take_in).layer(DefaultBodyLimit::max(crate::take_in::MAX_FILE)))
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
        .layer(middleware::from_fn_with_state(app.clone(), hosts::guard))
        .layer(middleware::from_fn(api::cors))
        .layer(middleware::from_fn_with_state(app.clone(), guard::headers))
        .layer(middleware::from_fn_with_state(app.clone(), metrics::count))
        .with_state(app)
}

pub(crate) fn shown(page: Markup) -> Html<String> {
    Html(page.into_string())
}

/// A page that says why the wanted page cannot be shown.
#[derive(Debug)]
pub(crate) struct Trouble {
    status: StatusCode,
    title: &'static str,
    what: Vec<String>,
    hint: &'static str,
    on: Box<WayOn>,
}

impl Trouble {
    /// It does not exist, or the viewer may not see it: both in the same words.
    pub(crate) fn absent() -> Trouble {
        Trouble {
            status: StatusCode::NOT_FOUND,
            title: "Nothing here",
            what: vec!["There is no such page, or it is not for you.".to_owned()],
            hint: "Whoever is to come to a table has a link from its gamemaster: ask for one, or for another where yours brought you here, for it may have been taken back.",
            on: Box::default(),
        }
    }

    /// The request cannot be carried out.
    pub(crate) fn bad(what: impl Into<String>) -> Trouble {
        Trouble {
            status: StatusCode::BAD_REQUEST,
            title: "That cannot be taken",
            what: vec![what.into()],
            hint: "",
            on: Box::default(),
        }
    }

    /// The host name is not this server's.
    pub(crate) fn elsewhere(what: String, hint: &'static str) -> Trouble {
        let status = StatusCode::MISDIRECTED_REQUEST;
        Trouble { status, title: "Not at this address", what: vec![what], hint, on: Box::default() }
    }

    /// Too many requests, with when to try again.
    pub(crate) fn too_often(what: String, on: WayOn) -> Trouble {
        let status = StatusCode::TOO_MANY_REQUESTS;
        Trouble { status, title: "One moment", what: vec![what], hint: "", on: Box::new(on) }
    }

    /// A fault of the server.
    pub(crate) fn broken(error: impl std::fmt::Display) -> Trouble {
        tracing::error!(%error, "a request failed");
        Trouble {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            title: "That did not work",
            what: vec!["Something is wrong at the server's own side.".to_owned()],
            hint: "Nothing that was accepted is lost. Try again; where it happens again, what the server prints says more.",
            on: Box::default(),
        }
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        (self.status, shown(crate::page::trouble(self.title, &self.what, self.hint, &self.on)))
            .into_response()
    }
}

impl From<crate::hall::HallError> for Trouble {
    fn from(error: crate::hall::HallError) -> Self {
        match error {
            crate::hall::HallError::Absent => Trouble::absent(),
            crate::hall::HallError::TooOften(too_often) => too_often.into(),
            error => Trouble::broken(error),
        }
    }
}

impl From<fracas_store::DbError> for Trouble {
    fn from(error: fracas_store::DbError) -> Self {
        Trouble::broken(error)
    }
}

impl From<TooOften> for Trouble {
    fn from(TooOften(seconds): TooOften) -> Self {
        let message = format!("That was too often, or too many at once: try again in {seconds} s.");
        Trouble::too_often(message, WayOn::default())
    }
}

impl From<PassError> for Trouble {
    fn from(error: PassError) -> Self {
        match error {
            PassError::NotYours(what) | PassError::Nonsense(what) => Trouble::bad(what),
            error => Trouble::broken(error),
        }
    }
}

/// The query of an address as pairs.
pub(crate) fn query(uri: &Uri) -> Vec<(String, String)> {
    let text = uri.query().unwrap_or_default();
    serde_urlencoded(text)
}

/// Reads `a=b&c=d` as pairs.
pub(crate) fn serde_urlencoded(text: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}
