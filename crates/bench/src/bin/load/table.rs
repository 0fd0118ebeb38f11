//! One table under load: its people, their commands, and when each stream receives them.

use crate::client::{Client, How};
use anyhow::{Context, Result, ensure};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The text beside each command, before the command's number.
const MARK: &str = "load-";

/// The state of a table.
#[derive(Default)]
struct Moment {
    /// The asks as the gamemaster's page shows them.
    shown: String,
    /// When each command was sent, and whether it is for everybody.
    sent: HashMap<usize, (Instant, bool)>,
    /// When each stream received each command.
    heard: Vec<(usize, Instant)>,
}

/// One table under load.
pub(crate) struct Table {
    page: String,
    moment: Arc<Mutex<Moment>>,
    client: tokio::sync::Mutex<Client>,
    /// The streams; they stop with the table.
    _streams: tokio::task::JoinSet<()>,
}

/// What the streams of a table have received.
pub(crate) struct Heard {
    /// How long each stream took to receive each command that it may see.
    pub(crate) times: Vec<Duration>,
    /// How many notes were missing, summed over the streams.
    pub(crate) lost: usize,
}

impl Table {
    /// Opens a table by the form at this path, and a stream for each viewer.
    pub(crate) async fn open(host: &str, form: &str, viewers: u16) -> Result<Table> {
        let mut gm = Client::new(host).await?;
        let page = gm.follow(form, &[]).await?;
        gm.follow(&format!("{page}/door"), &[("door", "open")]).await?;
        let roles = ["gm", "player-1", "player-2"].into_iter().chain(std::iter::repeat("watch"));
        let moment: Arc<Mutex<Moment>> = Arc::default();
        let mut joined = vec!["gm"];
        let mut streams = tokio::task::JoinSet::new();
        for role in roles.take(viewers.into()) {
            if !joined.contains(&role) {
                join(&mut gm, &page, role).await?;
                joined.push(role);
            }
            let stream = format!("{}/{role}/stream", page.trim_end_matches("/gm"));
            let (listener, moment, is_gm) = (gm.again().await?, moment.clone(), role == "gm");
            streams.spawn(async move {
                let ended = listener.listen(&stream, |data| lock(&moment).hear(data, is_gm)).await;
                if let Err(error) = ended {
                    eprintln!("{stream}: {error:#}");
                }
            });
        }
        Ok(Table { page, moment, client: tokio::sync::Mutex::new(gm), _streams: streams })
    }

    /// Sends a command as the gamemaster, for the asked seat if it is an answer; returns
    /// the time until it was acknowledged, or `None` if there was nothing to do.
    pub(crate) async fn command(&self, id: usize, note: bool) -> Result<Option<Duration>> {
        let mut client = self.client.lock().await;
        let text = format!("{MARK}{id};");
        let shown = lock(&self.moment).shown.clone();
        let deed = if note { None } else { deed(&shown, id) };
        let (path, mut fields) = match (deed, note) {
            (_, true) => ("note", vec![("to", "all".to_owned())]),
            (Some(deed), _) => deed,
            (None, _) => return Ok(None),
        };
        fields.push(("text", text));
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let begun = Instant::now();
        lock(&self.moment).sent.insert(id, (begun, note));
        let reply = client.post(&format!("{}/{path}", self.page), &fields, How::Scripted).await?;
        let took = begun.elapsed();
        if reply.status.is_success() {
            return Ok(Some(took));
        }
        // The shown asks may be stale by now, which is no failure.
        lock(&self.moment).sent.remove(&id);
        ensure!(reply.status.is_client_error(), "{path}: {} {}", reply.status, reply.body);
        Ok(None)
    }

    /// Sums up what every stream has received.
    pub(crate) fn heard(&self, viewers: usize) -> Heard {
        let moment = lock(&self.moment);
        let times = moment.heard.iter().filter_map(|(id, at)| {
            let (sent, _) = moment.sent.get(id)?;
            Some(at.duration_since(*sent))
        });
        let notes = moment.sent.iter().filter(|(_, (_, note))| *note);
        let lost = notes
            .map(|(id, _)| viewers.saturating_sub(moment.heard.iter().filter(|(n, _)| n == id).count()))
            .sum();
        Heard { times: times.collect(), lost }
    }
}

impl Moment {
    fn hear(&mut self, data: &str, is_gm: bool) {
        let now = Instant::now();
        let Ok(message) = serde_json::from_str::<serde_json::Value>(data) else { return };
        if let (true, Some(shown)) = (is_gm, message["moment"].as_str()) {
            shown.clone_into(&mut self.shown);
        }
        for line in message["lines"].as_array().into_iter().flatten().filter_map(|line| line.as_str()) {
            let marked = line.split(MARK).skip(1);
            let ids = marked.filter_map(|rest| rest.split(';').next()?.parse().ok());
            self.heard.extend(ids.map(|id: usize| (id, now)));
        }
    }
}

fn lock(moment: &Mutex<Moment>) -> MutexGuard<'_, Moment> {
    moment.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Comes in by a new link, in the same browser.
async fn join(gm: &mut Client, page: &str, role: &str) -> Result<()> {
    let fields = [("role", role), ("kind", "invite")];
    let people = gm.post(&format!("{page}/links"), &fields, How::Plain).await?.body;
    let link = people.split("id=\"fresh\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let link = link.with_context(|| format!("no link for {role}"))?;
    let secret = link.rsplit('/').next().unwrap_or_default();
    let door = gm.get(&format!("/join/{secret}")).await?.to.context("no door")?;
    gm.follow(&door, &[("name", role)]).await?;
    Ok(())
}

/// A form: its path and its fields.
type Form = (&'static str, Vec<(&'static str, String)>);

/// A form that the gamemaster can submit now: throw, or answer for the asked seat.
fn deed(shown: &str, id: usize) -> Option<Form> {
    if let Some(form) = shown.split("class=\"throw\"").nth(1) {
        return Some(("throw", vec![("roll", values(form, "roll").next()?)]));
    }
    let form = shown.split("class=\"answer\"").find(|form| values(form, "answer").next().is_some())?;
    let answers: Vec<String> = values(form, "answer").collect();
    let answer = answers.get(id * 7 % answers.len())?.clone();
    let mut fields = vec![("ask", values(form, "ask").next()?), ("answer", answer)];
    fields.extend(values(form, "of").next().map(|of| ("of", of)));
    Some(("answer", fields))
}

/// The values of all fields of this name in a piece of a page.
fn values<'p>(page: &'p str, name: &str) -> impl Iterator<Item = String> + use<'p> {
    let mark = format!("name=\"{name}\" value=\"");
    let pieces: Vec<&str> = page.split(mark.as_str()).skip(1).collect();
    pieces.into_iter().filter_map(|piece| {
        let value = piece.split('"').next()?;
        let plain = value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
        Some(plain.replace("&amp;", "&"))
    })
}
