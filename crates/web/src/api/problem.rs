//! Problems, as in RFC 9457: a stable kind, the cause, the place and the remedy.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use fracas_kernel::{Faults, Refused};
use fracas_live::hall::{self, HallError};
use fracas_live::room::{self};
use fracas_live::{command::Refusal, origin::TooOften, pass::PassError};
use fracas_papers::TOLD;
use fracas_store::DbError;
use serde::{Serialize, Serializer};
use std::num::NonZeroU64;
use utoipa::ToSchema;

/// The header with an idempotency key.
pub(super) const KEY: &str = "Idempotency-Key";
/// The refusal of a key that stands for another request.
pub(super) const ANOTHER: &str = "something else was asked for under this key";

/// The kind of a problem. Its name is in each problem's `type` and never changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// No valid token.
    NoToken,
    /// It does not exist, or not for this token.
    Absent,
    /// The table was deleted, and can be restored.
    Deleted,
    /// The address does not take this method.
    Method,
    /// The token's role may not do this.
    NotYours,
    /// The body cannot be read.
    Unreadable,
    /// The body is not JSON, or not a log where one is expected.
    NotJson,
    /// The body is too long.
    TooLong,
    /// The rules or the table refuse the request.
    Refused,
    /// The ask or roll is over.
    Stale,
    /// The link or token made under this key was revoked.
    TakenBack,
    /// The key stands for another request.
    Otherwise,
    /// The body came too slowly.
    TooSlow,
    /// The host name is not the server's.
    Elsewhere,
    /// The table is paused.
    Paused,
    /// Too many requests.
    TooOften,
    /// The change could not be saved, and was not made.
    NotKept,
    /// A fault of the server.
    Broken,
}

impl Kind {
    /// Every kind.
    pub(crate) const ALL: [Kind; 18] = [
        Kind::NoToken,
        Kind::Absent,
        Kind::Deleted,
        Kind::Method,
        Kind::NotYours,
        Kind::Unreadable,
        Kind::NotJson,
        Kind::TooLong,
        Kind::Refused,
        Kind::Stale,
        Kind::TakenBack,
        Kind::Otherwise,
        Kind::TooSlow,
        Kind::Elsewhere,
        Kind::Paused,
        Kind::TooOften,
        Kind::NotKept,
        Kind::Broken,
    ];

    /// The kind's name.
    pub(crate) fn slug(self) -> &'static str {
        match self {
            Kind::NoToken => "no-token",
            Kind::Absent => "absent",
            Kind::Deleted => "deleted",
            Kind::Method => "method",
            Kind::NotYours => "not-yours",
            Kind::Unreadable => "unreadable",
            Kind::NotJson => "not-json",
            Kind::TooLong => "too-long",
            Kind::Refused => "refused",
            Kind::Stale => "stale",
            Kind::TakenBack => "taken-back",
            Kind::Otherwise => "otherwise",
            Kind::TooSlow => "too-slow",
            Kind::Elsewhere => "elsewhere",
            Kind::Paused => "paused",
            Kind::TooOften => "too-often",
            Kind::NotKept => "not-kept",
            Kind::Broken => "broken",
        }
    }

    /// The kind's status.
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Kind::NoToken => StatusCode::UNAUTHORIZED,
            Kind::Absent => StatusCode::NOT_FOUND,
            Kind::Deleted => StatusCode::GONE,
            Kind::Method => StatusCode::METHOD_NOT_ALLOWED,
            Kind::NotYours => StatusCode::FORBIDDEN,
            Kind::Unreadable => StatusCode::BAD_REQUEST,
            Kind::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::Stale => StatusCode::CONFLICT,
            Kind::TakenBack => StatusCode::CONFLICT,
            Kind::Otherwise => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Kind::Elsewhere => StatusCode::MISDIRECTED_REQUEST,
            Kind::Paused => StatusCode::LOCKED,
            Kind::TooOften => StatusCode::TOO_MANY_REQUESTS,
            Kind::NotKept => StatusCode::SERVICE_UNAVAILABLE,
            Kind::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The kind's meaning, in a few words.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Kind::NoToken => "No token that counts",
            Kind::Absent => "Nothing here, or nothing for this token",
            Kind::Deleted => "The table was deleted",
            Kind::Method => "This address takes no such method",
            Kind::NotYours => "This token does not go so far",
            Kind::Unreadable => "What was sent cannot be read",
            Kind::NotJson => "What was sent is of another kind",
            Kind::TooLong => "What was sent is too long",
            Kind::Refused => "Refused; nothing has changed",
            Kind::Stale => "No longer asked; nothing has changed",
            Kind::TakenBack => "What this name stands for was taken back",
            Kind::Otherwise => "This name stands for another request",
            Kind::TooSlow => "What was sent came too slowly",
            Kind::Elsewhere => "The server does not answer to that name",
            Kind::Paused => "The table is paused",
            Kind::TooOften => "Too often",
            Kind::NotKept => "Could not be kept, so it has not happened",
            Kind::Broken => "The server's own fault",
        }
    }

    /// The remedy.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Kind::NoToken => "Send `Authorization: Bearer TOKEN` with a token that was not taken back.",
            Kind::Absent => "A token is good for one table: see whether the address names it.",
            Kind::Deleted => "`POST /tables/{table}/restore` with the gamemaster's token has it back.",
            Kind::Method => "The header `Allow` lists those it takes.",
            Kind::NotYours => "A token that reads cannot play, and a player's is not the gamemaster's.",
            Kind::Unreadable => "`where` says which part; the OpenAPI document has the shape.",
            Kind::NotJson => "Send `Content-Type: application/json`, with a log also `application/x-ndjson`.",
            Kind::TooLong => "`detail` says how much is too much.",
            Kind::Refused => {
                "`reasons` has each, with the rule behind it; `faults` those of a text, with their lines."
            }
            Kind::Stale => "Load the table and look at what is asked now.",
            Kind::TakenBack => "Take another `Idempotency-Key` to make one anew.",
            Kind::Otherwise => "Take another `Idempotency-Key` for each request that is not the same.",
            Kind::TooSlow => "Send the same again, over a connection that is fast enough.",
            Kind::Elsewhere => {
                "Ask by the server's address or its own name; its operator sets that name (`--base-url`)."
            }
            Kind::Paused => "Wait until the leader of the table resumes.",
            Kind::TooOften => "Wait as many seconds as the header `Retry-After` says.",
            Kind::NotKept => "Send the same again with the same `Idempotency-Key`.",
            Kind::Broken => "Nothing that was accepted is lost. Try again.",
        }
    }
}

impl Kind {
    /// After how many seconds trying again may help.
    pub(crate) fn again_in(self) -> Option<NonZeroU64> {
        match self {
            Kind::TooOften => Some(NonZeroU64::MIN),
            Kind::NotKept => NonZeroU64::new(room::AGAIN.as_secs()),
            _ => None,
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("/api#{}", self.slug()))
    }
}

/// One reason against what was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct Reason {
    /// The reason, and the correction.
    what: String,
    /// The clause of the rules behind it.
    clause: Option<&'static str>,
}

/// Something wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct Fault {
    /// Which text: the field it came in, such as `toml` or `with[0]`, or a file that
    /// comes with the system.
    text: String,
    /// The line, from 1, where it can be told.
    line: Option<usize>,
    /// The entry or field, such as `character[2].name`; empty where it is the whole.
    field: String,
    /// The fault, and the correction.
    what: String,
}

impl From<fracas_kernel::Fault> for Fault {
    fn from(fault: fracas_kernel::Fault) -> Self {
        let line = (fault.line > 0).then_some(fault.line);
        Fault { text: fault.file, line, field: fault.field, what: fault.what }
    }
}

/// Why a request was not done. Then nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// The kind of problem, as an address below `/api` that explains it.
    #[serde(rename = "type")]
    #[schema(value_type = String, example = "/api#stale")]
    kind: Kind,
    /// The kind in a few words.
    title: &'static str,
    /// The status of the response.
    status: u16,
    /// The fault, and the correction.
    detail: String,
    /// Where in what was sent, as `faces[2]`; absent where it is the whole.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    place: Option<Box<str>>,
    /// Every reason against it, where the rules or the table refuse it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<Reason>,
    /// The faults of the texts that were sent, where they have some: the first fifty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<Fault>,
    /// In how many seconds to come again.
    #[serde(skip)]
    again_in: Option<NonZeroU64>,
}

impl Problem {
    /// A problem of this kind.
    pub(crate) fn new(kind: Kind, detail: impl Into<String>) -> Problem {
        Problem {
            kind,
            title: kind.title(),
            status: kind.status().as_u16(),
            detail: detail.into(),
            place: None,
            reasons: Vec::new(),
            faults: Vec::new(),
            again_in: kind.again_in(),
        }
    }

    /// Adds the place in the request.
    pub(crate) fn at(mut self, place: impl Into<Box<str>>) -> Problem {
        let place = place.into();
        self.place = (!place.is_empty()).then_some(place);
        self
    }

    /// It does not exist, or the caller may not see it: both in the same words.
    pub(crate) fn absent() -> Problem {
        Problem::new(Kind::Absent, "there is nothing at this address, or nothing for this token")
    }

    /// No valid token.
    pub(crate) fn no_token() -> Problem {
        Problem::new(Kind::NoToken, "send `Authorization: Bearer TOKEN` with a token that counts")
    }

    /// One of several tokens is not valid.
    pub(crate) fn dead_token() -> Problem {
        Problem::new(Kind::NoToken, "this token does not count, or no longer: leave it out")
    }

    /// The table was deleted, and can be restored until then, in seconds since 1970.
    pub(crate) fn deleted(until: i64) -> Problem {
        let until = hall::moment(until);
        Problem::new(Kind::Deleted, format!("this table was deleted; you can restore it until {until}"))
    }

    /// The token's role may not do this.
    pub(crate) fn not_yours(detail: &'static str) -> Problem {
        Problem::new(Kind::NotYours, detail)
    }

    /// The key stands for another request.
    pub(super) fn otherwise(detail: &'static str) -> Problem {
        Problem::new(Kind::Otherwise, format!("{detail}: nothing was done")).at(KEY)
    }

    /// Too many requests.
    pub(crate) fn too_often(seconds: u64) -> Problem {
        let detail = format!("come again in {seconds} s");
        Problem { again_in: NonZeroU64::new(seconds.max(1)), ..Problem::new(Kind::TooOften, detail) }
    }

    /// A fault of the server. Only the server's log has the details.
    pub(crate) fn broken(error: impl std::fmt::Display) -> Problem {
        tracing::error!(%error, "a request failed");
        Problem::new(Kind::Broken, "something is wrong at the server's own side: try again")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let again_in = self.again_in;
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = again_in {
            headers.insert(header::RETRY_AFTER, seconds.get().into());
        }
        response
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let detail = refused.to_string();
        let reason = |reason: fracas_kernel::Reason| Reason {
            what: reason.what.into_owned(),
            clause: reason.clause.map(|clause| clause.id()),
        };
        let reasons = refused.reasons.into_iter().map(reason).collect();
        Problem { reasons, ..Problem::new(Kind::Refused, detail) }
    }
}

impl From<Faults> for Problem {
    fn from(Faults(faults): Faults) -> Self {
        let detail = match faults.len() {
            1 => "there is a fault in what was sent: `faults` says where".to_owned(),
            many if many > TOLD => {
                format!("there are {many} faults in what was sent: `faults` says where of the first {TOLD}")
            }
            many => format!("there are {many} faults in what was sent: `faults` says where"),
        };
        let faults = faults.into_iter().take(TOLD).map(Fault::from).collect();
        Problem { faults, ..Problem::new(Kind::Refused, detail) }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let kind = match &refusal {
            Refusal::Refused(_) => Kind::Refused,
            Refusal::Stale | Refusal::Quicker(_) | Refusal::Moved => Kind::Stale,
            Refusal::Paused => Kind::Paused,
            Refusal::NotYours(_) => Kind::NotYours,
            Refusal::Failed(_) => Kind::NotKept,
            Refusal::Otherwise => return Problem::otherwise(ANOTHER),
            Refusal::TooMuch(_) => Kind::TooOften,
        };
        match refusal {
            Refusal::Refused(refused) => refused.into(),
            Refusal::TooMuch(seconds) => {
                Problem { detail: refusal.to_string(), ..Problem::too_often(seconds) }
            }
            refusal => Problem::new(kind, refusal.to_string()),
        }
    }
}

impl From<HallError> for Problem {
    fn from(error: HallError) -> Self {
        match error {
            HallError::Absent => Problem::absent(),
            HallError::TooOften(too_often) => too_often.into(),
            HallError::Ending => Problem::new(Kind::NotKept, error.to_string()),
            HallError::Otherwise => Problem::otherwise("another table was opened under this name"),
            error => error.faults().map_or_else(Problem::broken, Problem::from),
        }
    }
}

impl From<DbError> for Problem {
    fn from(error: DbError) -> Self {
        Problem::broken(error)
    }
}

impl From<TooOften> for Problem {
    fn from(TooOften(seconds): TooOften) -> Self {
        Problem::too_often(seconds)
    }
}

impl From<PassError> for Problem {
    fn from(error: PassError) -> Self {
        match error {
            PassError::NotYours(what) => Problem::not_yours(what),
            PassError::Nonsense(what) => Problem::new(Kind::Refused, what),
            error @ PassError::TakenBack => Problem::new(Kind::TakenBack, error.to_string()),
            PassError::Otherwise => Problem::otherwise("another link or token was made under this name"),
            error => Problem::broken(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_go_well_later_says_when() {
        for kind in Kind::ALL {
            let response = Problem::new(kind, "").into_response();
            let again = response.headers().get(header::RETRY_AFTER);
            assert_eq!(again.is_some(), matches!(kind, Kind::TooOften | Kind::NotKept), "{}", kind.slug());
        }
    }
}
