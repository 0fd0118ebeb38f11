//! The limits in front of every address.

use crate::asked::{Asked, MAX_BODY, bearer, cookie, is_ours, route, serde_urlencoded};
use crate::limits::{By, Gate, Gates, Left, Policy, Who};
use crate::refusal::{Denied, Reader};
use crate::terms::{AllTerms, Cost, Terms};
use crate::{app::App, page::WayOn, security::Event};
use axum::extract::{Request, State};
use axum::http::{
    HeaderName, HeaderValue, Method, Uri, header,
    uri::{Authority, PathAndQuery},
};
use axum::{body::to_bytes, middleware::Next, response::Response};
use fracas_live::origin::{From, TooOften};
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

/// What the limits are counted with.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) app: Arc<App>,
    pub(crate) terms: Arc<AllTerms>,
}

/// Passes a request on unless it exceeds a limit.
pub(crate) async fn guard(State(guard): State<Guard>, mut request: Request, next: Next) -> Response {
    let Guard { app, terms } = guard;
    let from = app.addresses.from(&request);
    request.extensions_mut().insert(from);
    let reader = Reader::of(&request);
    let mut counted = Counted::default();
    let mut response = match count(&app.gates, from, &request, terms.of(&request), &mut counted) {
        Ok(()) => next.run(request).await,
        Err(TooOften(seconds)) => {
            app.security.note(Event::TooOften, from, route(&request));
            let on = if reader == Reader::Person { way_on(request).await } else { WayOn::default() };
            Denied::TooOften(seconds, on).to(reader)
        }
    };
    if reader == Reader::Program {
        counted.add_headers(&mut response);
    }
    response
}

fn count(
    gates: &Gates,
    from: From,
    request: &Request,
    terms: Terms,
    counted: &mut Counted,
) -> Result<(), TooOften> {
    if terms.uncounted {
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
    if terms.costs.contains(&Cost::Link) {
        gates.guess(from)?;
    }
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    counted.pass(&gates.commands, Policy { by, ..limits.commands() }, &who)?;
    for cost in terms.costs {
        match cost {
            Cost::Link => {}
            Cost::Table => counted.pass(&gates.tables, limits.tables(), &from)?,
            Cost::Paper => gates.papers.pass(&from)?,
            Cost::Map => gates.maps.pass(&from)?,
            Cost::Log => counted.pass(&gates.logs, limits.logs(), &from)?,
            Cost::Check => counted.pass(&gates.checks, limits.checks(), &from)?,
            Cost::Phrase => counted.pass(&gates.guesses, limits.guesses(), &from)?,
        }
    }
    Ok(())
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
