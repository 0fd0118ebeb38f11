//! Limits on requests and sizes, so that nobody takes a table away from the others.

use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderMap;
use fracas_kernel::{Seat, Viewer};
use fracas_live::origin::{From, TooOften};
use fracas_live::take_in::MAX_FILE;
use fracas_store::{Hash, Room, TableId};
use governor::clock::{Clock, DefaultClock};
use governor::{
    Quota, RateLimiter, middleware::StateInformationMiddleware, state::keyed::DefaultKeyedStateStore,
};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::{collections::HashMap, hash::Hash as Hashed, num::NonZeroU32, time::Duration};

/// How often an action is allowed: `burst` times at once, and once more for each `every`
/// that passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// How many times at once; 0 means without limit.
    pub burst: u32,
    /// After how long once more.
    pub every: Duration,
}

impl Rate {
    /// No limit.
    pub const ENDLESS: Rate = Rate { burst: 0, every: Duration::ZERO };

    const fn new(burst: u32, millis: u64) -> Rate {
        Rate { burst, every: Duration::from_millis(millis) }
    }

    /// After how many seconds this many are available again.
    pub(crate) fn again(self, times: u32) -> u64 {
        (self.every * times).as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX)
    }
}

/// A limit as programs are told of it.
#[derive(Clone, Copy)]
pub(crate) struct Policy {
    /// The limit's name in the header `RateLimit-Policy`.
    pub(crate) name: &'static str,
    pub(crate) rate: Rate,
    /// What is limited.
    pub(crate) of: &'static str,
    /// The key that it is counted by.
    pub(crate) by: By,
}

/// The key that a limit is counted by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// The token; for a request without one, the address.
    Token,
    /// The address. Others may share it, so the remaining quota is not told.
    Address,
}

impl Policy {
    /// The limit in words; `None` if there is none.
    pub(crate) fn words(&self) -> Option<String> {
        let Rate { burst, .. } = self.rate;
        let by = if self.by == By::Token { "with one token" } else { "from one address" };
        let again = self.rate.again(burst);
        (burst > 0).then(|| format!("{burst} {by} at once, regained evenly over {again} s"))
    }
}

/// The limits on requests and sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Requests of one browser or program.
    pub requests: Rate,
    /// Changes by one browser or program.
    pub commands: Rate,
    /// Requests from one address.
    pub address: Rate,
    /// Tables opened from one address.
    pub tables: Rate,
    /// Links, tokens and passphrases tried from one address.
    pub guesses: Rate,
    /// Passphrases tried with one link, from wherever.
    pub phrases: Rate,
    /// Papers made from one address.
    pub papers: Rate,
    /// Maps and pictures brought from one address.
    pub maps: Rate,
    /// The most bytes of pictures.
    pub pictures: Room,
    /// Texts looked through for programs from one address.
    pub checks: Rate,
    /// Tables taken in from one address.
    pub logs: Rate,
    /// The most bytes of a log that a stranger imports; a gamemaster's may have 16 MB.
    pub log_from_stranger: usize,
    /// How old a gamemaster's table must be for the gamemaster not to count as a stranger.
    pub known_after: Duration,
    /// What one seat writes at its table, in bytes: each command counts as its length and
    /// 1024 more.
    pub writing: Rate,
    /// The most bytes of a table's log; the last quarter is for the gamemaster.
    pub log: u64,
    /// Streams of one seat at its table, or of one browser or program that watches.
    pub streams: usize,
    /// Streams of all spectators of one table. Those of seats do not count.
    pub streams_at_table: usize,
    /// Open connections.
    pub connections: usize,
    /// Open connections from one address; not counted behind a proxy.
    pub connections_from: usize,
    /// How long a request's head may take, from the response to the one before. An idle
    /// connection lasts as long.
    pub head: Duration,
    /// How long a request's body may take; a large one has longer.
    pub body: Duration,
    /// How long a client may leave unread what the server sends.
    pub unread: Duration,
}

impl Default for Limits {
    /// Far more than a lively table needs, and far less than a server can bear.
    fn default() -> Self {
        Limits {
            requests: Rate::new(300, 20),
            commands: Rate::new(40, 50),
            address: Rate::new(4_000, 1),
            tables: Rate::new(30, 120_000),
            guesses: Rate::new(30, 4_000),
            phrases: Rate::new(20, 6_000),
            papers: Rate::new(60, 20_000),
            maps: Rate::new(12, 60_000),
            pictures: Room { browser: 32 << 20, server: 4 << 30 },
            checks: Rate::new(60, 1_000),
            logs: Rate::new(6, 60_000),
            log_from_stranger: 1 << 20,
            known_after: Duration::from_secs(60 * 60),
            writing: Rate { burst: 256 << 10, every: Duration::from_micros(250) },
            log: 64 << 20,
            streams: 32,
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
    /// No limits, to measure a server's load. Slow clients are still disconnected.
    pub fn none() -> Self {
        Limits {
            requests: Rate::ENDLESS,
            commands: Rate::ENDLESS,
            address: Rate::ENDLESS,
            tables: Rate::ENDLESS,
            guesses: Rate::ENDLESS,
            phrases: Rate::ENDLESS,
            papers: Rate::ENDLESS,
            maps: Rate::ENDLESS,
            checks: Rate::ENDLESS,
            logs: Rate::ENDLESS,
            log_from_stranger: MAX_FILE,
            known_after: Duration::ZERO,
            writing: Rate::ENDLESS,
            log: u64::MAX,
            streams: usize::MAX,
            streams_at_table: usize::MAX,
            connections: usize::MAX,
            connections_from: usize::MAX,
            ..Limits::default()
        }
    }
}

/// The limits as programs are told of them.
impl Limits {
    pub(crate) fn requests(&self) -> Policy {
        Policy { name: "requests", rate: self.requests, of: "everything a token asks for", by: By::Token }
    }

    pub(crate) fn commands(&self) -> Policy {
        Policy { name: "commands", rate: self.commands, of: "what is not a `GET`", by: By::Token }
    }

    pub(crate) fn address(&self) -> Policy {
        Policy { name: "address", rate: self.address, of: "everything", by: By::Address }
    }

    pub(crate) fn tables(&self) -> Policy {
        Policy { name: "tables", rate: self.tables, of: "tables opened", by: By::Address }
    }

    pub(crate) fn checks(&self) -> Policy {
        Policy { name: "checks", rate: self.checks, of: "texts looked through", by: By::Address }
    }

    pub(crate) fn logs(&self) -> Policy {
        Policy { name: "logs", rate: self.logs, of: "logs taken in", by: By::Address }
    }

    pub(crate) fn guesses(&self) -> Policy {
        Policy {
            name: "guesses",
            rate: self.guesses,
            of: "tokens that do not count, and passphrases that are set",
            by: By::Address,
        }
    }

    /// How much one seat may write, in words; `None` if there is no limit.
    pub(crate) fn writing_words(&self) -> Option<String> {
        let Rate { burst, .. } = self.writing;
        let again = self.writing.again(burst);
        (burst > 0).then(|| format!("{} KB at once, regained evenly over {again} s", burst >> 10))
    }

    /// All limits on programs.
    pub(crate) fn policies(&self) -> [Policy; 7] {
        [
            self.address(),
            self.requests(),
            self.commands(),
            self.tables(),
            self.checks(),
            self.logs(),
            self.guesses(),
        ]
    }
}

/// How many are left at once.
#[derive(Clone, Copy)]
pub(crate) struct Left(pub(crate) u32);

type Limiter<K> = RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// A limiter by key; `None` if there is no limit.
pub(crate) struct Gate<K: Clone + Eq + Hashed>(Option<Limiter<K>>);

impl<K: Clone + Eq + Hashed> Gate<K> {
    /// Above this many keys, idle ones are evicted.
    const MANY: usize = 20_000;

    pub(crate) fn new(rate: Rate) -> Gate<K> {
        let quota = NonZeroU32::new(rate.burst)
            .and_then(|burst| Quota::with_period(rate.every).map(|quota| quota.allow_burst(burst)));
        Gate(quota.map(|quota| RateLimiter::keyed(quota).with_middleware()))
    }

    pub(crate) fn pass(&self, key: &K) -> Result<(), TooOften> {
        self.pass_with(key, NonZeroU32::MIN).map(drop)
    }

    /// Counts an action of this weight. Returns how many are left.
    pub(crate) fn pass_with(&self, key: &K, weight: NonZeroU32) -> Result<Left, TooOften> {
        let Some(limiter) = &self.0 else { return Ok(Left(u32::MAX)) };
        if limiter.len() > Self::MANY {
            limiter.retain_recent();
        }
        let passed = limiter.check_key_n(key, weight).unwrap_or_else(|_| limiter.check_key(key));
        passed.map(|state| Left(state.remaining_burst_capacity())).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            TooOften(wait.as_secs() + 1)
        })
    }
}

/// What a command counts beside its length, in bytes.
const COMMAND: u32 = 1 << 10;

/// The caller, as limits count them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    Browser(Hash),
    Program(Hash),
    Stranger(From),
}

/// The streams that are counted together: those of a seat, by all its links and tokens, and
/// those of each spectator.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Listener {
    Seat(Seat),
    Watcher(Hash),
}

type Streams = Arc<Mutex<HashMap<TableId, HashMap<Listener, usize>>>>;

/// The counters of all limits.
pub(crate) struct Gates {
    pub(crate) requests: Gate<Who>,
    pub(crate) commands: Gate<Who>,
    pub(crate) address: Gate<From>,
    pub(crate) tables: Gate<From>,
    pub(crate) guesses: Gate<From>,
    phrases: Gate<Hash>,
    pub(crate) papers: Gate<From>,
    pub(crate) maps: Gate<From>,
    pub(crate) checks: Gate<From>,
    pub(crate) logs: Gate<From>,
    writing: Gate<(TableId, Viewer)>,
    streams: Streams,
    /// The most streams of each listener, and of all spectators.
    most: (usize, usize),
    /// The most bytes of a table's log.
    log: u64,
    /// The most bytes of a log from strangers.
    pub(crate) log_from_stranger: usize,
    known_after: i64,
    pub(crate) limits: Limits,
}

impl Gates {
    pub(crate) fn new(limits: &Limits) -> Gates {
        Gates {
            limits: limits.clone(),
            requests: Gate::new(limits.requests),
            commands: Gate::new(limits.commands),
            address: Gate::new(limits.address),
            tables: Gate::new(limits.tables),
            guesses: Gate::new(limits.guesses),
            phrases: Gate::new(limits.phrases),
            papers: Gate::new(limits.papers),
            maps: Gate::new(limits.maps),
            checks: Gate::new(limits.checks),
            logs: Gate::new(limits.logs),
            writing: Gate::new(limits.writing),
            streams: Arc::default(),
            most: (limits.streams, limits.streams_at_table),
            log: limits.log,
            log_from_stranger: limits.log_from_stranger,
            known_after: limits.known_after.as_secs().cast_signed(),
        }
    }

    /// The limits.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether the gamemaster of a table that was opened then does not count as a stranger:
    /// anybody can open a table.
    pub(crate) fn is_known(&self, opened: i64) -> bool {
        fracas_live::auth::now() - opened >= self.known_after
    }

    /// Counts an attempt with a link or token from this address.
    pub(crate) fn guess(&self, from: From) -> Result<(), TooOften> {
        self.guesses.pass(&from)
    }

    /// Counts an attempt with a passphrase by a link. Attempts are counted by link, so one
    /// link's holder does not use up another's attempts.
    pub(crate) fn phrase(&self, from: From, link: &Hash) -> Result<(), TooOften> {
        self.guesses.pass(&from)?;
        self.phrases.pass(link)
    }

    /// Counts bytes that a viewer writes at a table. Only the viewer's own text counts: its
    /// consequences would tell of what they do not see.
    pub(crate) fn write(&self, table: &TableId, by: Viewer, bytes: usize) -> Result<(), TooOften> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX).saturating_add(COMMAND);
        let weight = NonZeroU32::new(bytes).unwrap_or(NonZeroU32::MIN);
        self.writing.pass_with(&(table.clone(), by), weight).map(drop)
    }

    /// Whether a log of this many bytes has room for this viewer's command.
    pub(crate) fn has_room(&self, log: u64, by: Viewer) -> bool {
        log < if by.is_gm() { self.log } else { self.log / 4 * 3 }
    }

    /// Begins a stream; it ends when the result is dropped.
    pub(crate) fn listen(&self, table: &TableId, role: Viewer, who: Hash) -> Result<Listening, TooOften> {
        let (each, all) = self.most;
        let who = match role {
            Viewer::Seat(seat) => Listener::Seat(seat),
            Viewer::Spectator => Listener::Watcher(who),
        };
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let here = streams.entry(table.clone()).or_default();
        let count = here.get(&who).copied().unwrap_or(0);
        let watch = |(who, count): (&Listener, &usize)| matches!(who, Listener::Watcher(_)).then_some(*count);
        let full = role == Viewer::Spectator && here.iter().filter_map(watch).sum::<usize>() >= all;
        if count >= each || full {
            // A client with too many streams may close one.
            return Err(TooOften(30));
        }
        here.insert(who, count + 1);
        Ok(Listening { streams: self.streams.clone(), table: table.clone(), who })
    }

    /// The number of open streams.
    pub(crate) fn listening(&self) -> usize {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.values().flat_map(HashMap::values).sum()
    }
}

/// An open stream.
pub(crate) struct Listening {
    streams: Streams,
    table: TableId,
    who: Listener,
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

/// Whether the connection or a proxy's headers give a request's address, host and scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addresses {
    /// The connection; a proxy's headers are ignored.
    #[default]
    Connected,
    /// A reverse proxy: the last address in `X-Forwarded-For`, which it added, and its
    /// `X-Forwarded-Host` and `X-Forwarded-Proto`.
    Proxy,
}

impl Addresses {
    /// The origin of a request.
    pub(crate) fn from(self, request: &Request) -> From {
        let connected = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let connected = connected.map_or(IpAddr::from([127, 0, 0, 1]), |ConnectInfo(at)| at.ip());
        self.of(connected, request.headers())
    }

    fn of(self, connected: IpAddr, headers: &HeaderMap) -> From {
        let forwarded = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
            let last = last.rsplit(',').next()?.trim();
            last.parse::<IpAddr>().ok().or_else(|| Some(last.parse::<SocketAddr>().ok()?.ip()))
        };
        match self {
            Addresses::Connected => From::of(connected),
            Addresses::Proxy => From::of(forwarded().unwrap_or(connected)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_proxys_word_only_where_somebody_said_so() {
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "203.0.113.9, 198.51.100.7".parse().expect("a header"));
        let connected = IpAddr::from([127, 0, 0, 1]);
        let address = |addresses: Addresses| addresses.of(connected, &headers);
        assert_eq!(address(Addresses::Connected), From::of(connected));
        assert_eq!(
            address(Addresses::Proxy),
            From::of([198, 51, 100, 7].into()),
            "what others claim does not count"
        );
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

    const ANA: Viewer = Viewer::Seat(Seat::Player(0));
    const GM: Viewer = Viewer::Seat(Seat::Gm);

    #[test]
    fn a_stream_that_has_ended_makes_room() {
        let limits = Limits { streams: 2, streams_at_table: 3, ..Limits::default() };
        let gates = Gates::new(&limits);
        let table = TableId::new("a").expect("an id");
        let watch = |who| gates.listen(&table, Viewer::Spectator, [who; 32]).ok();
        let first = watch(1);
        let _two = watch(1);
        assert!(first.is_some() && watch(1).is_none());
        let _three = watch(2);
        assert!(watch(3).is_none(), "no more watch");
        drop(first);
        assert!(watch(3).is_some());
        assert_eq!(gates.listening(), 2);
    }

    #[test]
    fn no_seat_uses_up_the_streams_of_another_whatever_tokens_it_has() {
        let limits = Limits { streams: 3, streams_at_table: 2, ..Limits::default() };
        let gates = Gates::new(&limits);
        let table = TableId::new("a").expect("an id");
        let open = |role: Viewer, tokens: std::ops::Range<u8>| -> Vec<Listening> {
            tokens.filter_map(|token| gates.listen(&table, role, [token; 32]).ok()).collect()
        };
        let anas = open(ANA, 0..50);
        let watchers = open(Viewer::Spectator, 50..99);
        assert_eq!((anas.len(), watchers.len()), (3, 2));
        assert_eq!(open(GM, 100..101).len(), 1, "the gamemaster's are kept");
        assert_eq!(open(Viewer::Seat(Seat::Player(1)), 101..102).len(), 1);
    }

    #[test]
    fn what_a_seat_writes_is_counted_by_what_it_says() {
        let limits =
            Limits { writing: Rate { burst: 10_000, every: Duration::from_secs(9) }, ..Limits::none() };
        let gates = Gates::new(&limits);
        let [table, other] = ["a", "b"].map(|id| TableId::new(id).expect("an id"));
        assert!((0..2).all(|_| gates.write(&table, ANA, 3_900).is_ok()));
        assert!(gates.write(&table, ANA, 3_900).is_err_and(|TooOften(seconds)| seconds > 1));
        assert!(gates.write(&table, GM, 3_900).is_ok() && gates.write(&other, ANA, 3_900).is_ok());
        assert!(gates.write(&other, GM, 1 << 20).is_ok(), "what is never taken is refused elsewhere");
        assert!((0..1_000).all(|_| Gates::new(&Limits::none()).write(&table, ANA, 8_000).is_ok()));
    }

    #[test]
    fn the_end_of_a_log_is_the_gamemasters() {
        let gates = Gates::new(&Limits { log: 1_000, ..Limits::none() });
        for (bytes, player, gm) in
            [(0, true, true), (749, true, true), (750, false, true), (1_000, false, false)]
        {
            assert_eq!((gates.has_room(bytes, ANA), gates.has_room(bytes, GM)), (player, gm), "{bytes}");
        }
    }
}
