//! What a request says of itself: its host and route, its cookie or token, its fields.

use crate::cookies::Way;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use fracas_live::auth::Secret;
use fracas_table::Detail;

/// The most bytes of a request.
pub(crate) const MAX_BODY: usize = 256 << 10;

/// The host and port of a request, as the client wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked(pub(crate) String);

/// A request's route, as the server lists it, which holds no secret.
pub(crate) fn route(request: &Request) -> &str {
    request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str)
}

/// How much of a story the address asks for; `None` if it does not say.
///
/// # Errors
/// If the address asks for a detail that there is not.
pub(crate) fn detail(uri: &Uri) -> Result<Option<Detail>, String> {
    let asked = query(uri).into_iter().find(|(name, _)| name == "detail");
    asked.map(|(_, detail)| Detail::named(&detail)).transpose()
}

/// The cookies of a request, as sent.
pub(crate) fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// The browser's secret, if it has one: a guard has checked that the server made it.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<Secret> {
    pairs(headers).find(|(name, _)| *name == Way::Plain.cookie()).and_then(|(_, value)| Secret::read(value))
}

/// The request's token, if it has the form of one.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<Secret> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| Secret::read(token.trim()))?
}

/// Whether a request to this host comes from one of our pages.
pub(crate) fn is_ours(headers: &HeaderMap, asked: Option<&str>) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    match text(HeaderName::from_static("sec-fetch-site")) {
        Some(site) => site == "same-origin" || site == "none",
        None => {
            let origin = text(header::ORIGIN).and_then(|origin| origin.split_once("://"));
            matches!((origin, asked), (Some((_, origin)), Some(host)) if origin == host)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v))).collect()
    }

    #[test]
    fn only_our_own_pages_change_anything() {
        let asked = Some("127.0.0.1:80");
        assert!(is_ours(&headers(&[("sec-fetch-site", "same-origin")]), None));
        assert!(is_ours(&headers(&[("origin", "http://127.0.0.1:80")]), asked));
        for (foreign, asked) in [
            (&[("sec-fetch-site", "cross-site")][..], asked),
            (&[("sec-fetch-site", "same-site"), ("origin", "http://127.0.0.1:80")], asked),
            (&[("origin", "http://evil.example")], asked),
            // A client that forges its origin cannot forge our name as well.
            (&[("origin", "http://evil.example"), ("x-forwarded-host", "evil.example")], asked),
            (&[("origin", "null")], asked),
            (&[("origin", "http://127.0.0.1:80")], None),
            (&[], asked),
        ] {
            assert!(!is_ours(&headers(foreign), asked), "{foreign:?}");
        }
    }
}
