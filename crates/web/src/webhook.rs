//! Nudges: a table tells an address that its gamemaster chose for whom it waits.
//!
//! What is told is what everybody at the table may know: which seats are awaited,
//! and no more. Nobody who has the table open is nudged, and nobody twice for the
//! same decision.

use crate::{
    auth,
    hosts::{host_of, is_local},
    room::Room,
};
use data_encoding::HEXLOWER;
use fracas_kernel::Seat;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{Arc, Weak},
    time::Duration,
};
use tokio::{sync::Semaphore, time::Instant};
use ureq::{
    Agent,
    config::Config,
    http::Uri,
    unversioned::{
        resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver},
        transport::{DefaultConnector, NextTimeout},
    },
};
use utoipa::ToSchema;

/// How long somebody may take before they are nudged: whoever sits there answers.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// How long an address may take to take one.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait before trying again, each time.
const AGAIN: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(15)];
/// How many are under way at once, of all tables.
const AT_ONCE: usize = 64;
/// The most letters of an address.
const URL: usize = 2_000;

/// Where a table tells for whom it waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Webhook {
    /// The address.
    pub(crate) url: String,
    /// What each message is signed with.
    pub(crate) secret: String,
}

impl Webhook {
    /// One for this address.
    ///
    /// # Errors
    /// Where it is no address that can be told something.
    pub(crate) fn new(url: &str) -> Result<Webhook, &'static str> {
        const WRONG: &str =
            "a webhook is an address that begins with https:// or http://, without a name or password in it";
        let url = url.trim();
        let uri: Uri = url.parse().map_err(|_| WRONG)?;
        let good = matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.authority().is_some_and(|at| !at.as_str().contains('@') && !at.host().is_empty())
            && url.len() <= URL;
        let secret = auth::Secret::new().ok_or("the system gives no random numbers")?;
        if good {
            Ok(Webhook { url: url.to_owned(), secret: secret.reveal().to_owned() })
        } else {
            Err(WRONG)
        }
    }
}

/// Which addresses a webhook may lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Those of the internet.
    #[default]
    Public,
    /// This machine and its network too.
    Private,
}

/// The header that a message's signature is in.
pub(crate) const SIGNATURE: &str = "X-Fracas-Signature";

/// What a webhook is sent: for whom a table waits.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookMessage)]
pub(crate) struct Message {
    /// The table's id.
    table: String,
    /// What the table is called.
    title: String,
    /// What there is to tell, in words.
    text: String,
    /// The seats that it is for.
    #[schema(example = json!(["player-1"]))]
    seats: Vec<String>,
    /// Where people find the table, if the server knows its own address.
    url: Option<String>,
    /// When it was sent, in seconds since 1970.
    at: i64,
    /// The text and the address, in the field that Discord reads.
    content: String,
    /// Tells Discord to call nobody whose name looks like a call.
    allowed_mentions: Mentions,
}

/// Whom Discord may call: nobody.
#[derive(Serialize, ToSchema)]
struct Mentions {
    /// Always empty.
    parse: Vec<String>,
}

/// Tells addresses for whom tables wait.
pub(crate) struct Nudger {
    agent: Agent,
    /// How the server is reached from outside, where somebody said so.
    base_url: Option<String>,
    patience: Duration,
    reach: Reach,
    under_way: Semaphore,
}

impl Nudger {
    pub(crate) fn new(reach: Reach, base_url: Option<String>, patience: Duration) -> Nudger {
        let config = Config::builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            // A proxy would look names up where nobody minds what they lead to.
            .proxy(None)
            .user_agent("Fracas")
            .build();
        let agent = Agent::with_parts(
            config,
            DefaultConnector::new(),
            Guarded { reach, inner: DefaultResolver::default() },
        );
        Nudger { agent, base_url, patience, reach, under_way: Semaphore::new(AT_ONCE) }
    }

    /// A webhook for an address, where this server may reach it. Names are not looked up
    /// for it, or a stranger would learn which there are in the server's network; what a
    /// name leads to is seen to when something is sent.
    ///
    /// # Errors
    /// Where it is no address that can be told something.
    pub(crate) fn webhook(&self, url: &str) -> Result<Webhook, &'static str> {
        let webhook = Webhook::new(url)?;
        if self.reach == Reach::Public && is_near(&webhook.url) {
            return Err("a webhook leads to the internet, and this address into a private network: this \
                        server's host allows that with --webhooks-to-private");
        }
        Ok(webhook)
    }

    /// What is sent when a table waits for these.
    fn message(&self, waits: &Waits) -> Message {
        let names = and(&waits.names);
        let text = format!("{}: it is for {names} to answer.", waits.title);
        let url = self.base_url.as_ref().map(|url| format!("{url}/t/{}", waits.table));
        let content = url.iter().fold(text.clone(), |text, url| format!("{text} {url}"));
        Message {
            table: waits.table.clone(),
            title: waits.title.clone(),
            text,
            seats: waits.seats.iter().map(Seat::to_string).collect(),
            url,
            at: auth::now(),
            content,
            allowed_mentions: Mentions { parse: Vec::new() },
        }
    }

    /// Tells an address, three times at most. `own` is the table's: however slow its
    /// address is, it keeps one place of those that all tables share.
    async fn tell(self: Arc<Self>, own: Arc<Semaphore>, webhook: Webhook, waits: Waits) {
        let body = match serde_json::to_string(&self.message(&waits)) {
            Ok(body) => body,
            Err(error) => return tracing::error!(%error, "a message could not be written"),
        };
        let signature = sign(&webhook.secret, &body);
        for pause in AGAIN.into_iter().map(Some).chain([None]) {
            let (agent, url, body, signature) =
                (self.agent.clone(), webhook.url.clone(), body.clone(), signature.clone());
            // While one waits to try again, others are told.
            let Ok(turn) = own.acquire().await else { return };
            let Ok(one) = self.under_way.acquire().await else { return };
            let sent = tokio::task::spawn_blocking(move || send(&agent, &url, &body, &signature)).await;
            drop((one, turn));
            let why = match sent {
                Ok(Ok(())) => return,
                Ok(Err(why)) => why,
                Err(bug) => Failed { what: bug.to_string(), again: false },
            };
            tracing::info!(table = waits.table, why = why.what, "a webhook was not told");
            match pause.filter(|_| why.again) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return,
            }
        }
    }
}

/// Why an address was not told.
struct Failed {
    what: String,
    /// Whether it may be told another time.
    again: bool,
}

fn send(agent: &Agent, url: &str, body: &str, signature: &str) -> Result<(), Failed> {
    let sent =
        agent.post(url).header("content-type", "application/json").header(SIGNATURE, signature).send(body);
    match sent.map(|response| response.status()) {
        Ok(status) if status.is_success() => Ok(()),
        Ok(status) => {
            let again = status.is_server_error() || status.as_u16() == 429;
            Err(Failed { what: format!("it answered {status}"), again })
        }
        Err(error) => {
            let refused =
                matches!(&error, ureq::Error::Io(why) if why.kind() == io::ErrorKind::PermissionDenied);
            Err(Failed { what: error.to_string(), again: !refused })
        }
    }
}

/// The signature of a message, as the header carries it.
fn sign(secret: &str, body: &str) -> String {
    // A key of any length is a key.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return String::new() };
    mac.update(body.as_bytes());
    format!("sha256={}", HEXLOWER.encode(&mac.finalize().into_bytes()))
}

/// `a, b and c`.
fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// For whom a table waits, as everybody may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waits {
    /// The table's id.
    pub(crate) table: String,
    /// What it is called.
    pub(crate) title: String,
    /// People's seats that are awaited, the machine's not among them.
    pub(crate) seats: Vec<Seat>,
    /// Who sits there.
    pub(crate) names: Vec<String>,
    /// Which of these have the table open.
    pub(crate) here: Vec<Seat>,
}

impl Waits {
    /// No more than these seats.
    fn only(&self, seats: &[Seat]) -> Waits {
        let kept = || self.seats.iter().zip(&self.names).filter(|(seat, _)| seats.contains(seat));
        Waits {
            seats: kept().map(|(seat, _)| *seat).collect(),
            names: kept().map(|(_, name)| name.clone()).collect(),
            ..self.clone()
        }
    }
}

/// What becomes of a decision that somebody owes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owed {
    /// They may still answer by themselves until then.
    Until(Instant),
    /// They know.
    Told,
}

/// Who owes a decision.
#[derive(Default)]
struct Debts(BTreeMap<Seat, Owed>);

impl Debts {
    /// Who knows already what they owe.
    fn of(told: &BTreeSet<Seat>) -> Debts {
        Debts(told.iter().map(|seat| (*seat, Owed::Told)).collect())
    }

    /// Who knows what they owe.
    fn told(&self) -> BTreeSet<Seat> {
        self.0.iter().filter(|(_, owed)| **owed == Owed::Told).map(|(seat, _)| *seat).collect()
    }

    /// Takes in for whom the table waits now; gives whom to nudge.
    fn now(&mut self, waits: &Waits, now: Instant, patience: Duration) -> Vec<Seat> {
        self.0.retain(|seat, _| waits.seats.contains(seat));
        for seat in &waits.seats {
            self.0.entry(*seat).or_insert(Owed::Until(now + patience));
        }
        let mut due = Vec::new();
        for (seat, owed) in &mut self.0 {
            if matches!(owed, Owed::Until(until) if *until <= now) {
                *owed = Owed::Told;
                if !waits.here.contains(seat) {
                    due.push(*seat);
                }
            }
        }
        due
    }

    /// When the next one is due.
    fn next(&self) -> Option<Instant> {
        let until = |owed: &Owed| match owed {
            Owed::Until(until) => Some(*until),
            Owed::Told => None,
        };
        self.0.values().filter_map(until).min()
    }
}

/// Nudges for as long as the room is there.
pub(crate) async fn watch(room: Weak<Room>, nudger: Arc<Nudger>) {
    let Some(mut changes) = room.upgrade().map(|room| room.watch()) else { return };
    let own = Arc::new(Semaphore::new(1));
    let kept = room.upgrade().and_then(|room| room.look(|_, settings| settings.nudged.clone()));
    let mut debts = Debts::of(&kept.unwrap_or_default());
    loop {
        changes.mark_unchanged();
        let Some(now) = room.upgrade() else { return };
        let Some(webhook) = now.look(|_, settings| settings.webhook.clone()) else { return };
        if let (Some(webhook), Some(waits)) = (webhook, now.waits()) {
            let due = debts.now(&waits, Instant::now(), nudger.patience);
            // Kept before it is told: whoever restarts in between tells nobody twice.
            now.remember_nudged(debts.told()).await;
            if !due.is_empty() {
                tokio::spawn(nudger.clone().tell(own.clone(), webhook, waits.only(&due)));
            }
        } else {
            debts = Debts::default();
            now.remember_nudged(debts.told()).await;
        }
        drop(now);
        let changed = match debts.next() {
            Some(until) => tokio::time::timeout_at(until, changes.changed()).await.unwrap_or(Ok(())),
            None => changes.changed().await,
        };
        if changed.is_err() {
            return;
        }
    }
}

/// Looks names up, and gives no address that a webhook may not lead to: what is
/// connected to is what was looked at.
#[derive(Debug)]
struct Guarded {
    reach: Reach,
    inner: DefaultResolver,
}

impl Resolver for Guarded {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        match self.reach {
            Reach::Public if found.iter().any(|address| !is_public(address.ip())) => {
                let told = "it leads into a private network: --webhooks-to-private allows that";
                Err(io::Error::new(io::ErrorKind::PermissionDenied, told).into())
            }
            _ => Ok(found),
        }
    }
}

/// Whether a URL's host can be nothing of the internet's, by how it is written.
fn is_near(url: &str) -> bool {
    let uri = url.parse::<Uri>().ok();
    let Some(host) = uri.as_ref().and_then(Uri::authority).and_then(|at| host_of(at.as_str())) else {
        return true;
    };
    // Some read figures as addresses that are none: 127.1, 0x7f000001, 2130706433.
    let last = host.rsplit('.').next().unwrap_or_default();
    let figures = last.starts_with("0x") || last.bytes().all(|b| b.is_ascii_digit());
    match host.parse::<IpAddr>() {
        Ok(ip) => !is_public(ip),
        Err(_) => figures || is_local(&host),
    }
}

/// Whether an address is one of the internet's own.
fn is_public(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    !(a == 0
        || ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        || ip.is_multicast()
        || a == 100 && (64..128).contains(&b)
        || (a, b, c) == (192, 0, 0)
        || a == 198 && (18..20).contains(&b)
        || a >= 240)
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let [a, b, .., g, h] = ip.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match a {
        // Ways to an address of the old internet, which then counts.
        0x64 if b == 0xff9b => is_public_v4(v4(g, h)),
        0x2002 => is_public_v4(v4(b, ip.segments()[2])),
        0x2001 if b < 0x200 || b == 0xdb8 => false,
        // All that is handed out lies here.
        0x2000..=0x3fff => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_internets_own_addresses_are_public() {
        for public in ["1.1.1.1", "162.159.135.232", "2606:4700::1111", "64:ff9b::101:101", "2002:101:101::1"]
        {
            assert!(is_public(public.parse().expect("an address")), "{public}");
        }
        for private in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "198.18.0.1",
            "192.0.0.1",
            "192.0.2.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::1",
            "::7f00:1",
        ] {
            assert!(!is_public(private.parse().expect("an address")), "{private}");
        }
    }

    #[test]
    fn a_webhook_is_an_address() {
        for good in ["https://discord.com/api/webhooks/1/x", " http://example.org:8080/a?b=c "] {
            assert!(Webhook::new(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "example.org",
            "ftp://example.org",
            "file:///etc/passwd",
            "https://u:p@example.org",
            "https://",
        ] {
            assert!(Webhook::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_address_that_can_never_be_told_is_refused_when_it_is_set() {
        let nudger = |reach| Nudger::new(reach, None, PATIENCE);
        let (public, private) = (nudger(Reach::Public), nudger(Reach::Private));
        for near in [
            "http://127.0.0.1:18990/x",
            "http://[::1]/x",
            "http://[::ffff:10.0.0.1]/x",
            "http://192.168.1.5/",
            "http://169.254.169.254/latest",
            "http://localhost/x",
            "http://LOCALHOST./x",
            "http://metadata/x",
            "http://db.internal:5432",
            "http://printer.local",
            "http://127.1/",
            "http://0x7f000001/",
            "http://2130706433/",
        ] {
            let refused = public.webhook(near).expect_err(near);
            assert!(refused.contains("--webhooks-to-private"), "{near}: {refused}");
            assert!(private.webhook(near).is_ok(), "{near}");
        }
        for far in ["https://discord.com/api/webhooks/1/x", "http://1.1.1.1/x", "https://[2606:4700::1111]/x"]
        {
            assert!(public.webhook(far).is_ok(), "{far}");
        }
        assert!(private.webhook("ftp://example.org").is_err());
    }

    #[test]
    fn a_message_is_signed() {
        // The second of RFC 4231's cases.
        let signature = sign("Jefe", "what do ya want for nothing?");
        assert_eq!(signature, "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    #[test]
    fn a_decision_that_is_owed_is_told_once_and_not_to_who_is_here() {
        let (ana, bo) = (Seat::Player(0), Seat::Player(1));
        let waits = |seats: &[Seat], here: &[Seat]| Waits {
            table: "t".to_owned(),
            title: "Friday".to_owned(),
            seats: seats.to_vec(),
            names: seats.iter().map(Seat::to_string).collect(),
            here: here.to_vec(),
        };
        let (begin, patience) = (Instant::now(), Duration::from_secs(10));
        let after = |seconds| begin + Duration::from_secs(seconds);
        let mut debts = Debts::default();
        assert!(
            debts.now(&waits(&[ana, bo], &[bo]), after(0), patience).is_empty(),
            "they may answer by themselves"
        );
        assert_eq!(debts.next(), Some(after(10)));
        assert_eq!(debts.now(&waits(&[ana, bo], &[bo]), after(10), patience), [ana]);
        assert!(
            debts.now(&waits(&[ana, bo], &[]), after(60), patience).is_empty(),
            "each step is the same decision"
        );
        debts.now(&waits(&[], &[]), after(61), patience);
        assert!(debts.now(&waits(&[ana], &[]), after(62), patience).is_empty());
        assert_eq!(debts.now(&waits(&[ana], &[]), after(72), patience), [ana], "the next is another");
    }
}
