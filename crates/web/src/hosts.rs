//! By which names the server may be asked.
//!
//! A page anywhere can have its own name lead to this machine, and its script then
//! asks from within the network as though it were ours ("DNS rebinding"). So the
//! server answers to its own names alone: to addresses in figures, which are nobody's
//! name, to what means this machine everywhere, and to the host of its base URL; where
//! none is said, to names that exist in a local network only.

use crate::{
    api::{Kind, Problem},
    app::App,
    limits::{Addresses, route},
    routes::Trouble,
    security::Event,
};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::{net::IpAddr, sync::Arc};

/// How names end that nobody can have on the internet.
const LOCAL: [&str; 4] = [".local", ".lan", ".home.arpa", ".internal"];

/// By which names the server may be asked.
#[derive(Debug)]
pub(crate) struct Hosts {
    /// The host of its base URL, where one is said.
    ours: Option<String>,
    /// Whether a proxy's word counts on how it was asked.
    addresses: Addresses,
}

/// The host and port for which a request asked, as the client wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked(pub(crate) String);

impl Hosts {
    pub(crate) fn new(base_url: Option<&str>, addresses: Addresses) -> Hosts {
        let host = |url: &str| host_of(url.split_once("://")?.1);
        Hosts { ours: base_url.and_then(host), addresses }
    }

    /// Names that nobody can have on the internet, and no others.
    pub(crate) fn nearby() -> Hosts {
        Hosts { ours: None, addresses: Addresses::Connected }
    }

    /// For which host a request asked, where it says so.
    pub(crate) fn asked<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        self.forwarded(headers, "x-forwarded-host").or_else(|| headers.get(header::HOST)?.to_str().ok())
    }

    /// How a request came to the proxy, or here: `http`, or `https`.
    pub(crate) fn scheme(&self, headers: &HeaderMap) -> &'static str {
        match self.forwarded(headers, "x-forwarded-proto") {
            Some("https") => "https",
            _ => "http",
        }
    }

    /// What the nearest proxy says, where its word counts: it stands last.
    fn forwarded<'h>(&self, headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
        let told = match self.addresses {
            Addresses::Connected => None,
            Addresses::Proxy => headers.get_all(name).iter().next_back(),
        };
        told?.to_str().ok()?.rsplit(',').next().map(str::trim)
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

pub(crate) fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost")
}

/// Whether nobody can have a name on the internet: it leads somewhere near, or nowhere.
pub(crate) fn is_local(host: &str) -> bool {
    is_this_machine(host) || !host.contains('.') || LOCAL.iter().any(|end| host.ends_with(end))
}

/// The host alone, without port and brackets.
pub(crate) fn host_of(authority: &str) -> Option<String> {
    let authority: Authority = authority.parse().ok()?;
    let host = authority.host().trim_start_matches('[').trim_end_matches([']', '.']);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

/// Answers whoever asked by one of the server's names.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    // Whoever looks whether the server is there may call it as they like.
    if request.uri().path() == "/healthz" {
        return next.run(request).await;
    }
    let refused = |request: &Request, told: String| refused(request, told);
    guarded(&app, &app.hosts, request, next, refused).await
}

/// The same of what the server counts of itself, which has names of its own: no page
/// elsewhere reads it by having its name lead there.
pub(crate) async fn guard_metrics(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let refused = |_: &Request, told: String| {
        let hint = "Ask by its address, by localhost, or by a name of the local network.";
        (StatusCode::MISDIRECTED_REQUEST, format!("{told} {hint}\n")).into_response()
    };
    guarded(&app, &app.metrics_hosts, request, next, refused).await
}

async fn guarded(
    app: &App,
    hosts: &Hosts,
    mut request: Request,
    next: Next,
    refused: impl FnOnce(&Request, String) -> Response,
) -> Response {
    let headers = request.headers();
    // A whole URL in the first line is what counts; several hosts are none.
    let written = request.uri().authority().map(Authority::as_str);
    let several = headers.get_all(header::HOST).iter().nth(1).is_some();
    let asked = written.or_else(|| hosts.asked(headers)).map(str::to_owned);
    match asked {
        Some(asked) if several || !hosts.answers_to(&asked) => {
            app.security.note(Event::Host, hosts.addresses.from(&request), route(&request));
            refused(&request, format!("This server does not answer to {asked}."))
        }
        // Browsers always say it.
        None => next.run(request).await,
        Some(asked) => {
            request.extensions_mut().insert(Asked(asked));
            next.run(request).await
        }
    }
}

fn refused(request: &Request, told: String) -> Response {
    let hint = "Whoever runs it says which name it has: --base-url, such as https://play.example.org";
    if request.uri().path().starts_with("/api/") {
        return Problem::new(Kind::Elsewhere, format!("{told} {hint}")).at("Host").into_response();
    }
    Trouble::elsewhere(told, hint).into_response()
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
