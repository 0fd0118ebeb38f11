//! How often, and how much: so that nobody takes a table away from the others.

use crate::{
    api::{Problem, bearer},
    app::App,
    hosts::Asked,
    page::WayOn,
    routes::{MAX_BODY, Trouble, cookie, is_ours, serde_urlencoded},
};
use axum::{
    Json,
    body::to_bytes,
    extract::{ConnectInfo, MatchedPath, Request, State},
    http::{
        HeaderMap, HeaderValue, Method, StatusCode, Uri, header,
        uri::{Authority, PathAndQuery},
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use fracas_store::{Hash, TableId};
use governor::{
    DefaultKeyedRateLimiter, Quota,
    clock::{Clock, DefaultClock},
};
use serde_json::json;
use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// How often something may be done: so many times at once, and once more each
/// time this long has passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// How many times at once; 0 is without end.
    pub burst: u32,
    /// After how long once more.
    pub every: Duration,
}

impl Rate {
    /// As often as anybody likes.
    pub const ENDLESS: Rate = Rate { burst: 0, every: Duration::ZERO };

    const fn new(burst: u32, millis: u64) -> Rate {
        Rate { burst, every: Duration::from_millis(millis) }
    }
}

/// How often, and how much.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Whatever one browser or program asks for.
    pub requests: Rate,
    /// What one browser or program changes.
    pub commands: Rate,
    /// Whatever comes from one address.
    pub address: Rate,
    /// Tables opened from one address.
    pub tables: Rate,
    /// Links, tokens and passphrases tried from one address.
    pub guesses: Rate,
    /// Passphrases tried at one table, from wherever.
    pub phrases: Rate,
    /// Papers made from one address.
    pub papers: Rate,
    /// Streams of one browser or program at one table.
    pub streams: usize,
    /// Streams at one table.
    pub streams_at_table: usize,
    /// Connections that are open at once.
    pub connections: usize,
    /// Those of them from one address; behind a proxy nobody counts them.
    pub connections_from: usize,
    /// How long a request's head may take to come in, from when the one before it was
    /// answered: so long nothing need be asked on a connection either.
    pub head: Duration,
    /// How long a request's body may take to come in; a large one has longer.
    pub body: Duration,
    /// How long somebody may take nothing of what they are sent.
    pub unread: Duration,
}

impl Default for Limits {
    /// Far more than a lively table needs, and far less than a server bears.
    fn default() -> Self {
        Limits {
            requests: Rate::new(300, 20),
            commands: Rate::new(40, 50),
            address: Rate::new(4_000, 1),
            tables: Rate::new(30, 120_000),
            guesses: Rate::new(30, 4_000),
            phrases: Rate::new(20, 6_000),
            papers: Rate::new(60, 20_000),
            streams: 16,
            streams_at_table: 400,
            connections: 20_000,
            connections_from: 1_000,
            head: Duration::from_secs(15),
            body: Duration::from_secs(30),
            unread: Duration::from_secs(60),
        }
    }
}

impl Limits {
    /// None: for measuring how much a server bears. Whoever is slow is still let go.
    pub fn none() -> Self {
        Limits {
            requests: Rate::ENDLESS,
            commands: Rate::ENDLESS,
            address: Rate::ENDLESS,
            tables: Rate::ENDLESS,
            guesses: Rate::ENDLESS,
            phrases: Rate::ENDLESS,
            papers: Rate::ENDLESS,
            streams: usize::MAX,
            streams_at_table: usize::MAX,
            connections: usize::MAX,
            connections_from: usize::MAX,
            ..Limits::default()
        }
    }
}

/// Too often: in how many seconds to come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooOften(pub(crate) u64);

/// What one rate is counted by.
struct Gate<K: Clone + Eq + std::hash::Hash>(Option<DefaultKeyedRateLimiter<K>>);

impl<K: Clone + Eq + std::hash::Hash> Gate<K> {
    /// Who has been quiet is forgotten once there are so many.
    const MANY: usize = 20_000;

    fn new(rate: Rate) -> Gate<K> {
        let quota = NonZeroU32::new(rate.burst)
            .and_then(|burst| Quota::with_period(rate.every).map(|quota| quota.allow_burst(burst)));
        Gate(quota.map(DefaultKeyedRateLimiter::keyed))
    }

    fn pass(&self, key: &K) -> Result<(), TooOften> {
        let Some(limiter) = &self.0 else { return Ok(()) };
        if limiter.len() > Self::MANY {
            limiter.retain_recent();
        }
        limiter.check_key(key).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            TooOften(wait.as_secs() + 1)
        })
    }
}

/// Whoever asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Who {
    Browser(Hash),
    Program(Hash),
    Stranger(IpAddr),
}

/// What keeps the limits.
pub(crate) struct Gates {
    requests: Gate<Who>,
    commands: Gate<Who>,
    address: Gate<IpAddr>,
    tables: Gate<IpAddr>,
    guesses: Gate<IpAddr>,
    phrases: Gate<TableId>,
    papers: Gate<IpAddr>,
    streams: Arc<Mutex<HashMap<TableId, HashMap<Hash, usize>>>>,
    most: (usize, usize),
}

impl Gates {
    pub(crate) fn new(limits: &Limits) -> Gates {
        Gates {
            requests: Gate::new(limits.requests),
            commands: Gate::new(limits.commands),
            address: Gate::new(limits.address),
            tables: Gate::new(limits.tables),
            guesses: Gate::new(limits.guesses),
            phrases: Gate::new(limits.phrases),
            papers: Gate::new(limits.papers),
            streams: Arc::default(),
            most: (limits.streams, limits.streams_at_table),
        }
    }

    /// Somebody at this address tried a link or a token.
    pub(crate) fn guess(&self, from: From) -> Result<(), TooOften> {
        self.guesses.pass(&from.0)
    }

    /// Somebody at this address tries a passphrase of a table.
    pub(crate) fn phrase(&self, from: From, table: &TableId) -> Result<(), TooOften> {
        self.guesses.pass(&from.0)?;
        self.phrases.pass(table)
    }

    /// A stream begins; it ends when what this gives is dropped.
    pub(crate) fn listen(&self, table: &TableId, who: Hash) -> Result<Listening, TooOften> {
        let (each, all) = self.most;
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let here = streams.entry(table.clone()).or_default();
        let count = here.get(&who).copied().unwrap_or(0);
        if count >= each || here.values().sum::<usize>() >= all {
            // Whoever looks at too many at once may close one.
            return Err(TooOften(30));
        }
        here.insert(who, count + 1);
        Ok(Listening { streams: self.streams.clone(), table: table.clone(), who })
    }

    /// How many streams are open.
    pub(crate) fn listening(&self) -> usize {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.values().flat_map(HashMap::values).sum()
    }
}

/// A stream that is open.
pub(crate) struct Listening {
    streams: Arc<Mutex<HashMap<TableId, HashMap<Hash, usize>>>>,
    table: TableId,
    who: Hash,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(here) = streams.get_mut(&self.table) else { return };
        match here.get_mut(&self.who) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(here.remove(&self.who)),
        }
        if here.is_empty() {
            streams.remove(&self.table);
        }
    }
}

/// Where a request comes from: an address, or of IPv6 the network that one
/// customer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct From(IpAddr);

impl From {
    pub(crate) fn of(ip: IpAddr) -> From {
        match ip.to_canonical() {
            IpAddr::V6(ip) => From(Ipv6Addr::from_bits(ip.to_bits() & !0 << 64).into()),
            ip => From(ip),
        }
    }
}

/// Whose word counts on where a request comes from, and how it was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addresses {
    /// Whoever is connected, and none of the headers that a proxy adds.
    #[default]
    Connected,
    /// A reverse proxy's: the last address in `X-Forwarded-For`, which it added, and
    /// what it says in `X-Forwarded-Host` and `X-Forwarded-Proto`.
    Proxy,
}

impl Addresses {
    fn of(self, connected: IpAddr, headers: &HeaderMap) -> From {
        let told = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
            let last = last.rsplit(',').next()?.trim();
            last.parse::<IpAddr>().ok().or_else(|| Some(last.parse::<SocketAddr>().ok()?.ip()))
        };
        match self {
            Addresses::Connected => From::of(connected),
            Addresses::Proxy => From::of(told().unwrap_or(connected)),
        }
    }
}

/// Lets through what does not come too often.
pub(crate) async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let connected = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let connected = connected.map_or(IpAddr::from([127, 0, 0, 1]), |ConnectInfo(address)| address.ip());
    let from = app.addresses.of(connected, request.headers());
    request.extensions_mut().insert(from);
    match count(&app.gates, from, &request) {
        Ok(()) => next.run(request).await,
        Err(too_often) => refused(request, too_often).await,
    }
}

fn count(gates: &Gates, from: From, request: &Request) -> Result<(), TooOften> {
    let path = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    if path.starts_with("/assets/") || path == "/healthz" {
        return Ok(());
    }
    let headers = request.headers();
    let who = match (bearer(headers), cookie(headers)) {
        (Some(token), _) => Who::Program(token.hash()),
        (None, Some(secret)) => Who::Browser(secret.hash()),
        (None, None) => Who::Stranger(from.0),
    };
    gates.address.pass(&from.0)?;
    gates.requests.pass(&who)?;
    if path.starts_with("/join/") {
        gates.guess(from)?;
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        gates.commands.pass(&who)?;
        if OPENS.contains(&path) {
            gates.tables.pass(&from.0)?;
        }
        if MAKES.contains(&path) {
            gates.papers.pass(&from.0)?;
        }
        // A passphrase takes time to keep, as it does to try.
        if path.ends_with("/passphrase") {
            gates.guess(from)?;
        }
    }
    Ok(())
}

/// Where tables are opened.
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

/// Where papers are made.
const MAKES: [&str; 6] = [
    "/papers",
    "/papers/import",
    "/papers/{paper}/copy",
    "/library/{system}",
    "/scene/{system}",
    "/t/{table}/{role}/next/keep",
];

/// Says so in the form that whoever asks reads: the API's, the script's, a page.
async fn refused(request: Request, TooOften(seconds): TooOften) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") {
        return Problem::too_often(seconds).into_response();
    }
    let accepts = request.headers().get(header::ACCEPT).map(|value| value.as_bytes());
    let scripted = accepts.is_some_and(|value| value.starts_with(b"application/json"));
    let told = format!("That was too often in a short time: try again in {seconds} s. Nothing was done.");
    let mut response = if scripted {
        let body = Json(json!({ "done": false, "why": [told] }));
        (StatusCode::TOO_MANY_REQUESTS, body).into_response()
    } else {
        Trouble::too_often(told, way_on(request).await).into_response()
    };
    response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    response
}

/// How whoever came too often goes on: with what they had filled in, where that is no
/// file and no passphrase. What another site sent is not handed on: sent from a page of
/// ours it would be ours.
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

/// Whether a browser takes what follows for another host's name.
fn leads_away(path: &str) -> bool {
    path.starts_with("//") || path.starts_with("/\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_proxys_word_only_where_somebody_said_so() {
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "203.0.113.9, 198.51.100.7".parse().expect("a header"));
        let connected = IpAddr::from([127, 0, 0, 1]);
        let address = |addresses: Addresses| addresses.of(connected, &headers).0;
        assert_eq!(address(Addresses::Connected), connected);
        assert_eq!(
            address(Addresses::Proxy),
            IpAddr::from([198, 51, 100, 7]),
            "what others claim does not count"
        );
    }

    #[test]
    fn one_customers_network_is_one_address() {
        let of = |text: &str| From::of(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }

    #[test]
    fn so_many_at_once_and_then_one_at_a_time() {
        let gate = Gate::new(Rate { burst: 3, every: Duration::from_secs(60) });
        assert!((0..3).all(|_| gate.pass(&1).is_ok()));
        assert!(gate.pass(&1).is_err_and(|TooOften(seconds)| (1..=61).contains(&seconds)));
        assert!(gate.pass(&2).is_ok(), "others are not in it");
        let endless = Gate::new(Rate::ENDLESS);
        assert!((0..1_000).all(|_| endless.pass(&1).is_ok()));
    }

    #[test]
    fn a_stream_that_has_ended_makes_room() {
        let limits = Limits { streams: 2, streams_at_table: 3, ..Limits::default() };
        let gates = Gates::new(&limits);
        let table = TableId::new("a").expect("an id");
        let one = gates.listen(&table, [1; 32]).ok();
        let _two = gates.listen(&table, [1; 32]).ok();
        assert!(one.is_some() && gates.listen(&table, [1; 32]).is_err());
        let _three = gates.listen(&table, [2; 32]).ok();
        assert!(gates.listen(&table, [3; 32]).is_err(), "the table is full");
        drop(one);
        assert!(gates.listen(&table, [3; 32]).is_ok());
        assert_eq!(gates.listening(), 2);
    }
}
