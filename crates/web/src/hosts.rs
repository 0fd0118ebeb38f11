//! The host names that the server answers to.
//!
//! A page anywhere can point its own name at this machine; its script then sends requests
//! from within the network as if it were ours ("DNS rebinding"). So the server answers only
//! to its own names: IP addresses, names that mean this machine everywhere, and the host of
//! its base URL. Without a base URL, it also answers to names that exist only in local
//! networks.

use crate::asked::{Asked, route};
use crate::limits::Addresses;
use crate::refusal::{Denied, Reader};
use crate::security::{Event, Security};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fracas_live::host::{host_of, is_local, is_this_machine};
use std::{net::IpAddr, sync::Arc};

/// The host names that the server answers to.
#[derive(Debug)]
pub(crate) struct Hosts {
    /// The host of the base URL, if there is one.
    ours: Option<String>,
    /// Whether a proxy's headers give the host and scheme.
    addresses: Addresses,
}

impl Hosts {
    pub(crate) fn new(base_url: Option<&str>, addresses: Addresses) -> Hosts {
        let host = |url: &str| host_of(url.split_once("://")?.1);
        Hosts { ours: base_url.and_then(host), addresses }
    }

    /// Only names that nobody can have on the internet.
    pub(crate) fn nearby() -> Hosts {
        Hosts { ours: None, addresses: Addresses::Connected }
    }

    /// The host of a request, if it has one.
    pub(crate) fn asked<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        self.forwarded(headers, "x-forwarded-host").or_else(|| headers.get(header::HOST)?.to_str().ok())
    }

    /// The scheme of a request to the proxy, or here: `http` or `https`.
    pub(crate) fn scheme(&self, headers: &HeaderMap) -> &'static str {
        match self.forwarded(headers, "x-forwarded-proto") {
            Some("https") => "https",
            _ => "http",
        }
    }

    /// The nearest proxy's value of a header, if proxies count: the last one.
    fn forwarded<'h>(&self, headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
        let header = match self.addresses {
            Addresses::Connected => None,
            Addresses::Proxy => headers.get_all(name).iter().next_back(),
        };
        header?.to_str().ok()?.rsplit(',').next().map(str::trim)
    }

    fn answers_to(&self, asked: &str) -> bool {
        let Some(host) = host_of(asked) else { return false };
        host.parse::<IpAddr>().is_ok()
            || is_this_machine(&host)
            || match &self.ours {
                Some(ours) => host == *ours,
                None => is_local(&host),
            }
    }
}

/// The names to answer to, and where other names are noted.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) hosts: Arc<Hosts>,
    pub(crate) security: Arc<Security>,
}

/// Answers only requests for one of the server's names.
pub(crate) async fn guard(State(door): State<Guard>, request: Request, next: Next) -> Response {
    // A health check may use any name.
    if request.uri().path() == "/healthz" {
        return next.run(request).await;
    }
    let refused = |request: &Request, asked: String| Denied::OtherName(asked).to(Reader::of(request));
    guarded(&door, request, next, refused).await
}

/// The same for the metrics, which have names of their own, so that a page elsewhere cannot
/// read them by pointing its name there.
pub(crate) async fn guard_metrics(State(door): State<Guard>, request: Request, next: Next) -> Response {
    let refused = |_: &Request, asked: String| {
        let hint = "Ask by its address, by localhost, or by a name of the local network.";
        (StatusCode::MISDIRECTED_REQUEST, format!("This server does not answer to {asked}. {hint}\n"))
            .into_response()
    };
    guarded(&door, request, next, refused).await
}

async fn guarded(
    Guard { hosts, security }: &Guard,
    mut request: Request,
    next: Next,
    refused: impl FnOnce(&Request, String) -> Response,
) -> Response {
    let headers = request.headers();
    // A full URL in the request line has priority; several hosts count as none.
    let written = request.uri().authority().map(Authority::as_str);
    let several = headers.get_all(header::HOST).iter().nth(1).is_some();
    let asked = written.or_else(|| hosts.asked(headers)).map(str::to_owned);
    match asked {
        Some(asked) if several || !hosts.answers_to(&asked) => {
            security.note(Event::Host, hosts.addresses.from(&request), route(&request));
            refused(&request, asked)
        }
        // Browsers always send a host.
        None => next.run(request).await,
        Some(asked) => {
            request.extensions_mut().insert(Asked(asked));
            next.run(request).await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_answers_to_its_own_names() {
        let at_home = Hosts::new(None, Addresses::Connected);
        let away = Hosts::new(Some("https://play.example.org:8443"), Addresses::Connected);
        for (asked, home, public) in [
            ("127.0.0.1:7766", true, true),
            ("192.168.1.5:7766", true, true),
            ("[::1]:7766", true, true),
            ("[fe80::1]", true, true),
            ("localhost:7766", true, true),
            ("table.localhost", true, true),
            ("play.example.org", false, true),
            ("PLAY.example.org.:8443", false, true),
            ("anas-laptop.local:7766", true, false),
            ("anas-laptop:7766", true, false),
            ("games.home.arpa", true, false),
            ("evil.example", false, false),
            ("play.example.org.evil.example", false, false),
            ("127.0.0.1.evil.example", false, false),
            ("localhost.evil.example", false, false),
            ("local", true, false),
            ("", false, false),
            ("a b", false, false),
        ] {
            assert_eq!((at_home.answers_to(asked), away.answers_to(asked)), (home, public), "{asked:?}");
        }
    }

    #[test]
    fn how_it_was_asked_is_the_proxys_word_only_where_somebody_said_so() {
        let mut headers = HeaderMap::new();
        headers.append("host", "127.0.0.1:7766".parse().expect("a header"));
        headers.append("x-forwarded-host", "evil.example, play.example.org".parse().expect("a header"));
        headers.append("x-forwarded-proto", "https".parse().expect("a header"));
        let how = |addresses| {
            let hosts = Hosts::new(None, addresses);
            (hosts.asked(&headers), hosts.scheme(&headers))
        };
        assert_eq!(how(Addresses::Connected), (Some("127.0.0.1:7766"), "http"));
        assert_eq!(how(Addresses::Proxy), (Some("play.example.org"), "https"));
    }
}
