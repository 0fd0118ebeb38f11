//! The guards in front of every address.

use crate::asked::{Asked, is_ours, route};
use crate::refusal::{Denied, Reader};
use crate::{app::App, cookies::Way, security::Event, trouble::Trouble};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fracas_face::plain;
use futures_util::StreamExt;
use std::{borrow::Cow, sync::Arc};

/// The content security policy of our pages.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'";

/// Browsers use https for a year, whatever address a person types.
const TRANSPORT: &str = "max-age=31536000";

/// Headers of every response.
pub(crate) async fn headers(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let asset = request.uri().path().starts_with("/assets/");
    let way = app.way(request.headers());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    // Not `no-referrer`: browsers would then hide where our own forms come from.
    set(header::REFERRER_POLICY, "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(header::CACHE_CONTROL, if asset { "public, max-age=3600" } else { "no-store" });
    if way == Way::Encrypted {
        set(header::STRICT_TRANSPORT_SECURITY, TRANSPORT);
    }
    response
}

/// How the text of a response is encoded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    /// Plain text.
    Text,
    /// As JSON.
    Json,
}

/// How the text of a response is encoded, if people read it or programs read it for them. A
/// table's log and people's papers are sent unchanged.
fn encoding(response: &Response) -> Option<(Written, bool)> {
    let kind = response.headers().get(header::CONTENT_TYPE)?.to_str().ok()?;
    match kind.split(';').next()?.trim() {
        "text/html" | "text/markdown" => Some((Written::Text, false)),
        "application/json" | "application/problem+json" => Some((Written::Json, false)),
        "text/event-stream" => Some((Written::Json, true)),
        _ => None,
    }
}

/// Cleans people's text in responses: control characters, and marks that change the
/// direction of text, become U+FFFD.
pub(crate) async fn plain(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let Some((written, streams)) = encoding(&response) else { return response };
    let (mut parts, body) = response.into_parts();
    if streams {
        // Each event comes whole.
        let shown = body.into_data_stream().map(move |part| part.map(|bytes| cleaned(bytes, written)));
        return Response::from_parts(parts, Body::from_stream(shown));
    }
    match to_bytes(body, usize::MAX).await {
        Ok(bytes) => {
            let (before, bytes) = (bytes.len(), cleaned(bytes, written));
            if bytes.len() != before {
                parts.headers.remove(header::CONTENT_LENGTH);
            }
            Response::from_parts(parts, bytes.into())
        }
        Err(error) => Trouble::broken(error).into_response(),
    }
}

fn cleaned(bytes: Bytes, written: Written) -> Bytes {
    let shown = match (std::str::from_utf8(&bytes), written) {
        (Ok(text), Written::Text) => plain::shown(text),
        (Ok(json), Written::Json) => plain::shown_json(json),
        // Not text.
        (Err(_), _) => return bytes,
    };
    match shown {
        Cow::Borrowed(_) => bytes,
        Cow::Owned(shown) => shown.into(),
    }
}

/// Carries requests out to the end even if the client has gone, so that nothing is saved
/// without everybody being told, or told without being saved.
pub(crate) async fn finish(request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    tokio::spawn(next.run(request)).await.unwrap_or_else(|error| Trouble::broken(error).into_response())
}

/// Refuses changes that come from another site, by the headers of browsers.
pub(crate) async fn same_site(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let asked = request.extensions().get::<Asked>().map(|Asked(host)| host.as_str());
    if changes && !is_ours(request.headers(), asked) {
        app.security.note(Event::Site, app.addresses.from(&request), route(&request));
        return Denied::OtherSite.to(Reader::of(&request));
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_was_begun_is_done_though_whoever_asked_has_gone() {
        use axum::{Router, body::Body, middleware, routing::post};
        use hyper::service::Service;
        use hyper_util::service::TowerToHyperService;
        use std::{
            sync::{
                Arc,
                atomic::{AtomicBool, Ordering::SeqCst},
            },
            time::Duration,
        };
        use tokio::{sync::Notify, time::timeout};

        let (begun, done, finished) =
            (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)), Arc::new(Notify::new()));
        let (begins, does, tells) = (begun.clone(), done.clone(), finished.clone());
        let slow = move || async move {
            begins.notify_one();
            tokio::time::sleep(Duration::from_millis(50)).await;
            does.store(true, SeqCst);
            tells.notify_one();
        };
        let router = Router::new().route("/", post(slow)).layer(middleware::from_fn(finish));
        let request = Request::post("/").body(Body::empty()).expect("a request");
        let asked = tokio::spawn(TowerToHyperService::new(router).call(request));
        begun.notified().await;
        asked.abort();
        assert!(asked.await.is_err_and(|error| error.is_cancelled()) && !done.load(SeqCst));
        timeout(Duration::from_secs(10), finished.notified()).await.expect("it is done to its end");
    }
}
