//! What the guards refuse, worded once for each reader: a program, the script, a person.

use crate::api::{Kind, Problem};
use crate::{page::WayOn, trouble::Trouble};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, extract::Request};
use serde_json::json;

/// Who reads the refusal of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A program that uses the API.
    Program,
    /// The script of our pages.
    Script,
    /// A person.
    Person,
}

impl Reader {
    /// The reader of what is said to a request.
    pub(crate) fn of(request: &Request) -> Reader {
        let accepts = request.headers().get(header::ACCEPT).map(|value| value.as_bytes());
        if request.uri().path().starts_with("/api/") {
            Reader::Program
        } else if accepts.is_some_and(|value| value.starts_with(b"application/json")) {
            Reader::Script
        } else {
            Reader::Person
        }
    }
}

/// Why a guard lets a request not pass.
pub(crate) enum Denied {
    /// Too many requests: in how many seconds to try again, and the ways on for a person.
    TooOften(u64, WayOn),
    /// The host name is not this server's.
    OtherName(String),
    /// It comes from a page of another site.
    OtherSite,
    /// The body came too slowly.
    TooSlow,
}

impl Denied {
    /// The refusal in the form that its reader takes.
    pub(crate) fn to(self, reader: Reader) -> Response {
        match self {
            Denied::TooOften(seconds, _) if reader == Reader::Program => {
                Problem::too_often(seconds).into_response()
            }
            Denied::TooOften(seconds, on) => {
                let message = format!(
                    "That was too often in a short time: try again in {seconds} s. Nothing was done."
                );
                let mut response = if reader == Reader::Script {
                    let body = Json(json!({ "done": false, "why": [message] }));
                    (StatusCode::TOO_MANY_REQUESTS, body).into_response()
                } else {
                    Trouble::too_often(message, on).into_response()
                };
                response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
                response
            }
            Denied::OtherName(asked) => {
                let message = format!("This server does not answer to {asked}.");
                let hint = "Its operator sets the name: --base-url, such as https://play.example.org";
                match reader {
                    Reader::Program => {
                        Problem::new(Kind::Elsewhere, format!("{message} {hint}")).at("Host").into_response()
                    }
                    _ => Trouble::elsewhere(message, hint).into_response(),
                }
            }
            Denied::OtherSite => {
                let message =
                    "This came from another site, or from a program without a token: nothing was done.";
                (StatusCode::FORBIDDEN, message).into_response()
            }
            Denied::TooSlow => {
                let message = "What was sent came too slowly, and not to its end: nothing was done.";
                let close = [(header::CONNECTION, "close")];
                match reader {
                    Reader::Program => (close, Problem::new(Kind::TooSlow, message)).into_response(),
                    _ => (StatusCode::REQUEST_TIMEOUT, close, format!("{message}\n")).into_response(),
                }
            }
        }
    }
}
