//! The limits in front of every address.

use crate::{
    api::Problem,
    app::App,
    asked::{Asked, MAX_BODY, bearer, cookie, is_ours, route, serde_urlencoded},
    limits::{By, Gate, Gates, Left, Policy, Who},
    page::WayOn,
    security::Event,
    trouble::Trouble,
};
use axum::{
    Json,
    body::to_bytes,
    extract::{Request, State},
    http::{
        HeaderName, HeaderValue, Method, StatusCode, Uri, header,
        uri::{Authority, PathAndQuery},
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use fracas_live::origin::{From, TooOften};
use serde_json::json;
use std::{hash::Hash as Hashed, num::NonZeroU32, sync::Arc};

/// The header with the limits on a request.
pub(crate) const POLICY: &str = "ratelimit-policy";
/// The header with what is left of the token's own limits.
pub(crate) const LEFT: &str = "ratelimit";

/// The limits on a program's request, for the `RateLimit` headers of the IETF's draft. The
/// remaining quota is told only where the token alone uses it: otherwise it would tell of
/// others at the same address.
#[derive(Default)]
struct Counted {
    policies: Vec<String>,
    left: Vec<String>,
}

impl Counted {
    /// Counts a request against a limit.
    fn pass<K: Clone + Eq + Hashed>(
        &mut self,
        gate: &Gate<K>,
        policy: Policy,
        key: &K,
    ) -> Result<(), TooOften> {
        let Policy { name, rate, by, .. } = policy;
        if rate.burst == 0 {
            return Ok(());
        }
        let passed = gate.pass_with(key, NonZeroU32::MIN);
        self.policies.push(format!("\"{name}\";q={};w={}", rate.burst, rate.again(rate.burst)));
        if by == By::Token {
            let left = passed.map_or(0, |Left(left)| left);
            let again = rate.again(rate.burst.saturating_sub(left));
            self.left.push(format!("\"{name}\";r={left};t={again}"));
        }
        passed.map(drop)
    }

    /// Adds the headers to the response.
    fn add_headers(&self, response: &mut Response) {
        for (name, items) in [(POLICY, &self.policies), (LEFT, &self.left)] {
            if let Some(value) =
                HeaderValue::try_from(items.join(", ")).ok().filter(|value| !value.is_empty())
            {
                response.headers_mut().insert(HeaderName::from_static(name), value);
            }
        }
    }
}

/// Passes a request on unless it exceeds a limit.
pub(crate) async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let from = app.addresses.from(&request);
    request.extensions_mut().insert(from);
    let is_programs = request.uri().path().starts_with("/api/");
    let mut counted = Counted::default();
    let mut response = match count(&app.gates, from, &request, &mut counted) {
        Ok(()) => next.run(request).await,
        Err(too_often) => {
            app.security.note(Event::TooOften, from, route(&request));
            refused(request, too_often).await
        }
    };
    if is_programs {
        counted.add_headers(&mut response);
    }
    response
}

fn count(gates: &Gates, from: From, request: &Request, counted: &mut Counted) -> Result<(), TooOften> {
    let path = route(request);
    if path.starts_with("/assets/") || path == "/healthz" {
        return Ok(());
    }
    let headers = request.headers();
    let (who, by) = match (bearer(headers), cookie(headers)) {
        (Some(token), _) => (Who::Program(token.hash()), By::Token),
        (None, Some(secret)) => (Who::Browser(secret.hash()), By::Token),
        (None, None) => (Who::Stranger(from), By::Address),
    };
    let limits = &gates.limits;
    counted.pass(&gates.address, limits.address(), &from)?;
    counted.pass(&gates.requests, Policy { by, ..limits.requests() }, &who)?;
    if path.starts_with("/join/") {
        gates.guess(from)?;
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        counted.pass(&gates.commands, Policy { by, ..limits.commands() }, &who)?;
        if OPENS.contains(&path) {
            counted.pass(&gates.tables, limits.tables(), &from)?;
        }
        if MAKES.contains(&path) {
            gates.papers.pass(&from)?;
        }
        if TAKES_IN.contains(&path) {
            counted.pass(&gates.logs, limits.logs(), &from)?;
        }
        if path == CHECKS {
            counted.pass(&gates.checks, limits.checks(), &from)?;
        }
        // Hashing a passphrase to keep it takes as long as checking one.
        if path.ends_with("/passphrase") {
            counted.pass(&gates.guesses, limits.guesses(), &from)?;
        }
    }
    Ok(())
}

/// The routes that open tables.
const OPENS: [&str; 8] = [
    "/open/{system}/{encounter}",
    "/papers/{paper}/open",
    "/scene/{system}",
    "/take-in",
    "/t/{table}/{role}/next",
    "/api/v1/tables",
    "/api/v1/tables/taken",
    "/api/v1/tables/{table}/next",
];

/// The routes that play a table's log through.
const TAKES_IN: [&str; 2] = ["/take-in", "/api/v1/tables/taken"];
/// The route that checks a text without keeping it.
const CHECKS: &str = "/api/v1/systems/{system}/check";

/// The routes that make papers.
const MAKES: [&str; 6] = [
    "/papers",
    "/papers/import",
    "/papers/{paper}/copy",
    "/library/{system}",
    "/scene/{system}",
    "/t/{table}/{role}/next/keep",
];

/// The refusal in the form that the caller reads: the API's, the script's or a page.
async fn refused(request: Request, TooOften(seconds): TooOften) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") {
        return Problem::too_often(seconds).into_response();
    }
    let accepts = request.headers().get(header::ACCEPT).map(|value| value.as_bytes());
    let scripted = accepts.is_some_and(|value| value.starts_with(b"application/json"));
    let message = format!("That was too often in a short time: try again in {seconds} s. Nothing was done.");
    let mut response = if scripted {
        let body = Json(json!({ "done": false, "why": [message] }));
        (StatusCode::TOO_MANY_REQUESTS, body).into_response()
    } else {
        Trouble::too_often(message, way_on(request).await).into_response()
    };
    response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    response
}

/// The ways on after a refusal, with the filled-in form unless that holds a file or a
/// passphrase. A form from another site is not included: sent from our page, it would count
/// as ours.
async fn way_on(request: Request) -> WayOn {
    let (parts, body) = request.into_parts();
    let asked = parts.extensions.get::<Asked>().map(|Asked(host)| host.as_str());
    let text = |name| parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let back = text(header::REFERER).and_then(|from| from.parse::<Uri>().ok()).and_then(|from| {
        let ours = from.authority().map(Authority::as_str) == asked;
        let path = from.path_and_query()?.as_str();
        (ours && !leads_away(path)).then(|| path.to_owned())
    });
    let to = parts.uri.path_and_query().map_or("/", PathAndQuery::as_str).to_owned();
    if leads_away(&to) {
        return WayOn { again: None, back };
    }
    if parts.method.is_safe() {
        return WayOn { again: Some((to, None)), back };
    }
    if !is_ours(&parts.headers, asked) {
        return WayOn { again: None, back };
    }
    let is_form = text(header::CONTENT_TYPE) == Some("application/x-www-form-urlencoded");
    let sent = if is_form { to_bytes(body, MAX_BODY).await.ok() } else { None };
    let fields = sent.and_then(|sent| Some(serde_urlencoded(std::str::from_utf8(&sent).ok()?)));
    let fields = fields.filter(|fields| fields.iter().all(|(name, _)| name != "passphrase"));
    WayOn { again: fields.map(|fields| (to, Some(fields))), back }
}

/// Whether a browser takes the path for the name of another host.
fn leads_away(path: &str) -> bool {
    path.starts_with("//") || path.starts_with("/\\")
}
