//! Webhooks: a table tells an address that its gamemaster chose whom it waits for, what
//! happened, and that it is over, as the gamemaster wants.
//!
//! Messages hold only what everybody at the table may know. Players who have the table open
//! are not nudged, and nobody is nudged twice for one decision.

use crate::left::{Come, Waits};
use crate::line::{Line, lines};
use crate::webhook::{Kind, Reach, SECRET, Tried, Webhook, is_near, is_public};
use crate::{auth, room::Room};
use data_encoding::BASE64;
use fracas_kernel::{Seat, Viewer};
use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use sha2::Sha256;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};
use std::{io, time::Duration};
use tokio::{sync::Semaphore, time::Instant};
use ureq::unversioned::{
    resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver},
    transport::{DefaultConnector, NextTimeout},
};
use ureq::{Agent, config::Config, http::Uri};
use utoipa::ToSchema;

/// How long a player may take before they are nudged: a player at the table answers by then.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// How long a delivery may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The pauses before further attempts.
const AGAIN: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(15)];
/// How long lines are gathered into one message.
const GATHERED: Duration = Duration::from_secs(2);
/// The most lines of a message: the latest.
const LINES: usize = 20;
/// The most characters of the text for Discord.
const CONTENT: usize = 1_800;
/// What a test counts as, in bytes that the gamemaster writes: eight in a row, and one in
/// eight seconds.
pub const TRIED: usize = 32 << 10;
/// The most messages of a table that wait to be sent; more are dropped.
const WAITING: usize = 16;
/// How many deliveries of all tables run at once.
const AT_ONCE: usize = 64;
/// The header with a message's name, the same for each attempt.
pub const ID: &str = "webhook-id";
/// The header with the time of the attempt, in seconds since 1970.
pub const TIMESTAMP: &str = "webhook-timestamp";
/// The header with the signature of both and the body.
pub const SIGNATURE: &str = "webhook-signature";

/// The message to a webhook.
///
/// A message counts as taken when the answer's status is 2xx, and is sent again after 2 and
/// after 15 more seconds where the address cannot be reached, or answers 429 or 5xx; then it
/// is given up. Messages may overtake each other; where sixteen wait, what comes then is not told.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookMessage)]
pub struct Message {
    /// Why it is sent: `awaited`, `lines` or `over`; `test` if somebody tries the address.
    #[schema(example = "awaited")]
    kind: &'static str,
    /// Its own name, the same each time that it is sent: as in the header `webhook-id`.
    delivery: String,
    /// The table's id.
    table: String,
    /// The title of the table.
    title: String,
    /// The news in words.
    text: String,
    /// The seats that it is for; of `awaited`, those that have to answer.
    #[schema(example = json!(["player-1"]))]
    seats: Vec<String>,
    /// The lines that came, of `lines`, twenty at most: as a program is sent them that only watches.
    lines: Vec<Line>,
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

/// Sends the messages of all tables.
pub struct Nudger {
    agent: Agent,
    /// The server's address from outside, if it was configured.
    base_url: Option<String>,
    patience: Duration,
    reach: Reach,
    under_way: Semaphore,
}

impl Nudger {
    /// A sender to addresses within this reach, which waits so long for players.
    pub fn new(reach: Reach, base_url: Option<String>, patience: Duration) -> Nudger {
        let config = Config::builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            // A proxy would resolve names without the guard.
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

    /// A webhook for an address, if this server may reach it. Names are not resolved here,
    /// or a stranger would learn which names the server's network has. The resolver checks
    /// them when a message is sent.
    ///
    /// # Errors
    /// If the address cannot be that of a webhook.
    pub(crate) fn webhook(&self, url: &str, kinds: BTreeSet<Kind>) -> Result<Webhook, &'static str> {
        let webhook = Webhook::new(url, kinds)?;
        if self.reach == Reach::Public && is_near(&webhook.url) {
            return Err("a webhook leads to the internet, and this address into a private network: this \
                        server's host allows that with --webhooks-to-private");
        }
        Ok(webhook)
    }

    /// The message for some news of a table.
    fn message(&self, (table, title): (&str, &str), news: News) -> Message {
        let url = self.base_url.as_ref().map(|url| format!("{url}/t/{table}"));
        let (kind, seats, what) = match &news {
            News::Awaited(waits) => {
                let what = format!("it is for {} to answer.", and(&waits.names));
                ("awaited", waits.seats.iter().map(Seat::to_string).collect(), what)
            }
            News::Lines(lines) => {
                let texts: Vec<&str> = lines.iter().flat_map(Line::texts).collect();
                ("lines", Vec::new(), texts.join(" "))
            }
            News::Over => ("over", Vec::new(), "it is over.".to_owned()),
            News::Test => ("test", Vec::new(), "this address is told, as it should be.".to_owned()),
        };
        let text = format!("{title}: {what}");
        let cut = text.char_indices().nth(CONTENT).map_or(text.as_str(), |(end, _)| &text[..end]);
        Message {
            kind,
            // Nothing else depends on this being unique.
            delivery: auth::Secret::new().map_or_else(String::new, |name| name.reveal().to_owned()),
            table: table.to_owned(),
            title: title.to_owned(),
            seats,
            lines: if let News::Lines(lines) = news { lines } else { Vec::new() },
            at: auth::now(),
            content: url.iter().fold(cut.to_owned(), |text, url| format!("{text} {url}")),
            text,
            url,
            allowed_mentions: Mentions { parse: Vec::new() },
        }
    }

    /// A message ready to be sent; `None` if it cannot be serialized.
    fn letter(&self, webhook: &Webhook, of: (&str, &str), news: News) -> Option<Letter> {
        let message = self.message(of, news);
        let body = serde_json::to_string(&message)
            .inspect_err(|error| tracing::error!(%error, "a message could not be written"))
            .ok()?;
        let Webhook { url, secret, .. } = webhook.clone();
        Some(Letter { url, secret, body, delivery: message.delivery })
    }

    /// Sends a message once.
    async fn send(&self, letter: &Letter) -> Result<u16, Failed> {
        let bug = |what: String| Failed { what, status: None, again: false };
        let _permit = self.under_way.acquire().await.map_err(|closed| bug(closed.to_string()))?;
        let (agent, letter) = (self.agent.clone(), letter.clone());
        let sent = tokio::task::spawn_blocking(move || send(&agent, &letter)).await;
        sent.unwrap_or_else(|error| Err(bug(error.to_string())))
    }

    /// Delivers a message in at most three attempts. `own` is the table's: a slow address
    /// takes up only one of the places that all tables share.
    async fn deliver(self: Arc<Self>, own: Arc<Semaphore>, table: String, letter: Letter) {
        for pause in AGAIN.into_iter().map(Some).chain([None]) {
            // While one message waits for its next attempt, others are sent.
            let Ok(turn) = own.acquire().await else { return };
            let sent = self.send(&letter).await;
            drop(turn);
            let Err(why) = sent else { return };
            tracing::info!(table, why = why.what, "a webhook was not told");
            match pause.filter(|_| why.again) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return,
            }
        }
    }

    /// Sends a test message once. The result tells nothing of the server's network: neither
    /// what a name resolves to, nor why the address could not be reached.
    pub(crate) async fn test(&self, webhook: &Webhook, of: (&str, &str)) -> Tried {
        let status = match self.letter(webhook, of, News::Test) {
            Some(letter) => self.send(&letter).await.map_or_else(|failed| failed.status, Some),
            None => None,
        };
        let what = match status {
            Some(status @ 200..=299) => format!("It answered {status}: messages are taken there."),
            Some(status @ 300..=399) => {
                format!("It answered {status}, which leads elsewhere: say the address that it leads to.")
            }
            Some(status) => format!("It answered {status}: the message was not taken."),
            None => "Nobody answered there within 10 seconds, or the address cannot be reached from this \
                     server."
                .to_owned(),
        };
        Tried { told: status.is_some_and(|status| (200..300).contains(&status)), status, what }
    }
}

/// News of a table.
enum News {
    Awaited(Waits),
    Lines(Vec<Line>),
    Over,
    Test,
}

/// A message ready to be sent.
#[derive(Clone)]
struct Letter {
    url: String,
    secret: String,
    body: String,
    delivery: String,
}

/// Why an attempt failed.
struct Failed {
    what: String,
    status: Option<u16>,
    /// Whether another attempt may succeed.
    again: bool,
}

fn send(agent: &Agent, letter: &Letter) -> Result<u16, Failed> {
    let at = auth::now();
    let sent = agent
        .post(&letter.url)
        .header("content-type", "application/json")
        .header(ID, &letter.delivery)
        .header(TIMESTAMP, at.to_string())
        .header(SIGNATURE, letter.signature(at))
        .send(&letter.body);
    match sent.map(|response| response.status()) {
        Ok(status) if status.is_success() => Ok(status.as_u16()),
        Ok(status) => {
            let again = status.is_server_error() || status.as_u16() == 429;
            Err(Failed { what: format!("it answered {status}"), status: Some(status.as_u16()), again })
        }
        Err(error) => {
            let refused =
                matches!(&error, ureq::Error::Io(why) if why.kind() == io::ErrorKind::PermissionDenied);
            Err(Failed { what: error.to_string(), status: None, again: !refused })
        }
    }
}

impl Letter {
    /// The signature of an attempt at this time, as the Standard Webhooks have it.
    fn signature(&self, at: i64) -> String {
        let Letter { secret, body, delivery, .. } = self;
        let key = secret.strip_prefix(SECRET).unwrap_or(secret);
        // Secrets are 32 letters and digits, and so Base64 of 24 bytes.
        let key = BASE64.decode(key.as_bytes()).unwrap_or_else(|_| key.as_bytes().to_vec());
        // HMAC takes keys of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else { return String::new() };
        mac.update(format!("{delivery}.{at}.{body}").as_bytes());
        format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()))
    }
}

/// `a, b and c`.
fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The state of a decision that a player owes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owed {
    /// The player may still answer unprompted until then.
    Until(Instant),
    /// The player has been nudged.
    Nudged,
}

/// The decisions that seats owe.
#[derive(Default)]
struct Debts(BTreeMap<Seat, Owed>);

impl Debts {
    /// Debts of seats that have been nudged.
    fn of_nudged(seats: &BTreeSet<Seat>) -> Debts {
        Debts(seats.iter().map(|seat| (*seat, Owed::Nudged)).collect())
    }

    /// The seats that have been nudged.
    fn nudged(&self) -> BTreeSet<Seat> {
        self.0.iter().filter(|(_, owed)| **owed == Owed::Nudged).map(|(seat, _)| *seat).collect()
    }

    /// Updates the debts. Returns the seats to nudge now.
    fn now(&mut self, waits: &Waits, now: Instant, patience: Duration) -> Vec<Seat> {
        self.0.retain(|seat, _| waits.seats.contains(seat));
        for seat in &waits.seats {
            self.0.entry(*seat).or_insert(Owed::Until(now + patience));
        }
        let mut due = Vec::new();
        for (seat, owed) in &mut self.0 {
            if matches!(owed, Owed::Until(until) if *until <= now) {
                *owed = Owed::Nudged;
                if !waits.here.contains(seat) {
                    due.push(*seat);
                }
            }
        }
        due
    }

    /// When the next nudge is due.
    fn next(&self) -> Option<Instant> {
        let until = |owed: &Owed| match owed {
            Owed::Until(until) => Some(*until),
            Owed::Nudged => None,
        };
        self.0.values().filter_map(until).min()
    }
}

/// Lines that have not been sent yet.
struct Gathering {
    /// How many lines have been sent.
    sent: usize,
    /// Until when to wait for more.
    until: Option<Instant>,
}

impl Gathering {
    /// Updates the number of lines. Returns the first line to send now.
    fn now(&mut self, lines: usize, now: Instant, wanted: bool) -> Option<usize> {
        if !wanted || lines <= self.sent {
            (self.sent, self.until) = (lines, None);
            return None;
        }
        if *self.until.get_or_insert(now + GATHERED) > now {
            return None;
        }
        self.until = None;
        Some(std::mem::replace(&mut self.sent, lines).max(lines.saturating_sub(LINES)))
    }
}

/// Sends the table's news as long as the room exists.
pub(crate) async fn watch(room: Weak<Room>, nudger: Arc<Nudger>) {
    let Some(mut changes) = room.upgrade().map(|room| room.watch()) else { return };
    let own = Arc::new(Semaphore::new(1));
    let kept = room.upgrade().and_then(|room| room.look(|_, settings| settings.nudged.clone()));
    let mut debts = Debts::of_nudged(&kept.unwrap_or_default());
    let mut before: Option<Come> = None;
    let mut gathering = Gathering { sent: 0, until: None };
    loop {
        changes.mark_unchanged();
        let Some(now) = room.upgrade() else { return };
        let Some((webhook, title)) =
            now.look(|table, settings| (settings.webhook.clone(), table.log().header().title.clone()))
        else {
            return;
        };
        let wants = |kind| webhook.as_ref().is_some_and(|webhook| webhook.kinds.contains(&kind));
        let mut news = Vec::new();
        let waits = if wants(Kind::Awaited) { now.waits() } else { None };
        if let Some(waits) = waits {
            let due = debts.now(&waits, Instant::now(), nudger.patience);
            // Saved before it is sent, so that nobody is told twice after a restart.
            now.remember_nudged(debts.nudged()).await;
            if !due.is_empty() {
                news.push(News::Awaited(waits.only(&due)));
            }
        } else {
            debts = Debts::default();
            now.remember_nudged(debts.nudged()).await;
        }
        let come = if wants(Kind::Lines) || wants(Kind::Over) { now.come() } else { None };
        if let Some(come) = &come {
            // What was there when the table was opened or the webhook was set is not news.
            if before.is_none() {
                gathering = Gathering { sent: come.lines, until: None };
            }
            if let Some(from) = gathering.now(come.lines, Instant::now(), wants(Kind::Lines)) {
                let lines = now.glance(Viewer::Spectator, |glance, sent| {
                    lines(glance.table, Viewer::Spectator, (sent.lines.len(), from), LINES)
                });
                let lines = lines.unwrap_or_default();
                gathering.sent = from + lines.len();
                if lines.iter().any(|line| line.texts().next().is_some()) {
                    news.push(News::Lines(lines));
                }
            }
            if come.over && wants(Kind::Over) && before.as_ref().is_some_and(|before| !before.over) {
                news.push(News::Over);
            }
        } else {
            gathering.until = None;
        }
        before = come;
        for news in news {
            let Some(webhook) = &webhook else { break };
            let table = now.id.to_string();
            // Each message in progress holds a clone.
            if Arc::strong_count(&own) > WAITING {
                tracing::info!(table, "a webhook was not told: too much waits for it");
                break;
            }
            if let Some(letter) = nudger.letter(webhook, (&table, &title), news) {
                tokio::spawn(nudger.clone().deliver(own.clone(), table, letter));
            }
        }
        drop(now);
        let changed = match debts.next().into_iter().chain(gathering.until).min() {
            Some(until) => tokio::time::timeout_at(until, changes.changed()).await.unwrap_or(Ok(())),
            None => changes.changed().await,
        };
        if changed.is_err() {
            return;
        }
    }
}

/// A resolver that drops addresses a webhook may not lead to. The connection uses the
/// addresses that were checked here.
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
                let message = "it leads into a private network: --webhooks-to-private allows that";
                Err(io::Error::new(io::ErrorKind::PermissionDenied, message).into())
            }
            _ => Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let refused = public.webhook(near, Kind::as_a_rule()).expect_err(near);
            assert!(refused.contains("--webhooks-to-private"), "{near}: {refused}");
            assert!(private.webhook(near, Kind::as_a_rule()).is_ok(), "{near}");
        }
        for far in ["https://discord.com/api/webhooks/1/x", "http://1.1.1.1/x", "https://[2606:4700::1111]/x"]
        {
            assert!(public.webhook(far, Kind::as_a_rule()).is_ok(), "{far}");
        }
        assert!(private.webhook("ftp://example.org", Kind::as_a_rule()).is_err());
    }

    #[test]
    fn a_message_is_signed_with_its_name_and_time() {
        // The example of the Standard Webhooks.
        let letter = Letter {
            url: String::new(),
            secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned(),
            body: r#"{"test": 2432232314}"#.to_owned(),
            delivery: "msg_p5jXN8AQM9LWM0D4loKWxJek".to_owned(),
        };
        let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(letter.signature(1_614_265_330), signature);
        // Secrets that were made before have no prefix.
        let before = Letter { secret: letter.secret[SECRET.len()..].to_owned(), ..letter.clone() };
        assert_eq!(before.signature(1_614_265_330), signature);
        assert_ne!(letter.signature(1_614_265_331), signature);
    }

    #[test]
    fn lines_that_come_together_are_told_together() {
        let begin = Instant::now();
        let after = |seconds| begin + Duration::from_secs(seconds);
        let mut gathering = Gathering { sent: 3, until: None };
        assert_eq!(gathering.now(3, after(0), true), None);
        assert_eq!(gathering.now(4, after(1), true), None, "more may come");
        assert_eq!(gathering.now(6, after(2), true), None);
        assert_eq!(gathering.now(6, after(3), true), Some(3));
        assert_eq!(gathering.now(6, after(9), true), None);
        assert_eq!(gathering.now(50, after(10), true), None);
        assert_eq!(gathering.now(50, after(12), true), Some(30), "the last of very many");
        assert_eq!(gathering.now(60, after(13), false), None, "nobody wants them");
        assert_eq!(gathering.now(60, after(20), true), None);
        assert_eq!(gathering.now(58, after(21), true), None, "some are gone");
        assert_eq!((gathering.sent, gathering.until), (58, None));
    }

    #[test]
    fn a_decision_that_is_owed_is_told_once_and_not_to_who_is_here() {
        let (ana, bo) = (Seat::Player(0), Seat::Player(1));
        let waits = |seats: &[Seat], here: &[Seat]| Waits {
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
