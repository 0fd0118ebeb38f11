//! Cross-origin requests: an overlay may be a page of another site.
//!
//! Cookies are ignored here, so such a page can do no more than its token allows. Requests
//! that need no token and cause work (opening, importing, checking) are not allowed: no
//! server should work for every page that its users look at.

use crate::terms::{AllTerms, Senders};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The request headers that such a page may send.
const MAY: [(HeaderName, &str); 3] = [
    (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
    (
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        "authorization, content-type, idempotency-key, if-none-match, last-event-id",
    ),
    (header::ACCESS_CONTROL_MAX_AGE, "7200"),
];

/// Adds the headers that allow cross-origin requests.
pub(crate) async fn cors(State(terms): State<Arc<AllTerms>>, request: Request, next: Next) -> Response {
    let asked = asked_for(request.method(), request.headers());
    let method = asked.as_ref().unwrap_or(request.method());
    let is_open = is_open(method, request.uri().path(), terms.of(&request).senders);
    let mut response = match asked {
        Some(_) if is_open => {
            let may = MAY.map(|(name, value)| (name, HeaderValue::from_static(value)));
            (StatusCode::NO_CONTENT, HeaderMap::from_iter(may)).into_response()
        }
        _ => next.run(request).await,
    };
    if is_open {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        let exposed = HeaderValue::from_static("etag, location, ratelimit, ratelimit-policy, retry-after");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
    response
}

/// The method that a preflight request asks for.
fn asked_for(method: &Method, headers: &HeaderMap) -> Option<Method> {
    let asked = headers.get(header::ACCESS_CONTROL_REQUEST_METHOD).filter(|_| method == Method::OPTIONS)?;
    Method::from_bytes(asked.as_bytes()).ok()
}

/// Whether this takes a token, or only reads public data.
fn is_open(method: &Method, path: &str, senders: Senders) -> bool {
    let reads = matches!(*method, Method::GET | Method::HEAD);
    path.starts_with("/api/") && (reads || senders == Senders::Everybody)
}
