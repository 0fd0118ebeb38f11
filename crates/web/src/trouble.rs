//! The pages that say why the wanted page cannot be shown.

use crate::page::{self, WayOn};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use fracas_live::{hall::HallError, origin::TooOften, pass::PassError};
use fracas_store::DbError;
use maud::Markup;

/// A page as a response.
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
            hint: "To come to a table you need a link from its gamemaster. If your link brought you here, it may have been taken back: ask for another.",
            on: Box::default(),
        }
    }

    /// The request cannot be carried out.
    pub(crate) fn bad(what: impl Into<String>) -> Trouble {
        Trouble::all_bad(vec![what.into()])
    }

    /// The same, with every reason.
    pub(crate) fn all_bad(what: Vec<String>) -> Trouble {
        let status = StatusCode::BAD_REQUEST;
        Trouble { status, title: "That cannot be taken", what, hint: "", on: Box::default() }
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
            hint: "Nothing that was accepted is lost. Try again; if it happens again, the server's log says more.",
            on: Box::default(),
        }
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        (self.status, shown(page::trouble(self.title, &self.what, self.hint, &self.on))).into_response()
    }
}

impl From<HallError> for Trouble {
    fn from(error: HallError) -> Self {
        match error {
            HallError::Absent => Trouble::absent(),
            HallError::TooOften(too_often) => too_often.into(),
            error => Trouble::broken(error),
        }
    }
}

impl From<DbError> for Trouble {
    fn from(error: DbError) -> Self {
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
