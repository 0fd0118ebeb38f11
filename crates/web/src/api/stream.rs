//! Streams for programs: changes of what a role is sent.
//!
//! One stream can carry several tables. A program has no account, only tokens, each for one
//! role at one table and revoked separately. A program that wants one stream for several
//! tables sends the tables' tokens, so there is nothing more to keep, guard or revoke. The
//! tokens are in a body, because addresses are written into logs. That takes a POST, which
//! an `EventSource` cannot send; but an `EventSource` cannot send a token either.

use super::caller::{Caller, counts};
use super::problem::Problem;
use super::shape::{PAGE, Table, look};
use crate::{app::App, limits::Listening};
use axum::response::sse::{Event, KeepAlive, Sse};
use fracas_kernel::Viewer;
use fracas_live::line::{Line, lines};
use fracas_live::room::{Presence, Room};
use fracas_live::sight::{Mark, Sent};
use fracas_live::{ending::ends, wire::Wire};
use fracas_store::{Hash, PassKind};
use futures_util::{Stream, StreamExt, stream};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{convert::Infallible, fmt, future::ready, sync::Arc, time::Duration};
use tokio::sync::watch;
use utoipa::ToSchema;

/// The most tables of one stream.
pub(crate) const TABLES: usize = 50;

/// A change, as the whole table.
#[derive(Serialize, ToSchema)]
pub(crate) struct Update {
    /// The table as it is now.
    table: Table,
    /// The lines below stand in place of all from this number on.
    from: usize,
    /// The lines that came, or that are otherwise than before; the last hundred
    /// of them.
    lines: Vec<Line>,
}

/// A change, as the differences.
#[derive(Serialize, ToSchema)]
pub(crate) struct Changes {
    /// The table's id.
    id: String,
    /// The steps from the table as it was sent before to the table as it is now: a JSON Patch
    /// (RFC 6902).
    #[schema(value_type = Vec<Step>)]
    patch: json_patch::Patch,
    /// The lines below stand in place of all from this number on.
    from: usize,
    /// The lines that came, or that are otherwise than before; the last hundred
    /// of them.
    lines: Vec<Line>,
}

/// A step of a JSON Patch.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes what a crate writes")]
pub(crate) struct Step {
    /// `add`, `remove` or `replace`.
    #[schema(example = "replace")]
    op: String,
    /// Where: a JSON Pointer (RFC 6901).
    #[schema(example = "/cards/2/meters/0/value")]
    path: String,
    /// The value to put there; absent, to remove.
    value: Option<Value>,
}

/// A table that is in this stream no longer: its token was taken back, or it was deleted.
#[derive(Serialize, ToSchema)]
pub(crate) struct Gone {
    /// The table's id.
    id: String,
}

/// A table that is not in this stream.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefusedTable {
    /// Its place in `tables`, from 0.
    at: usize,
    /// Why not.
    problem: Problem,
}

/// The data of an event, by its name: `table`, `changes`, `gone`, `refused`.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum StreamEvent {
    Table(Box<Update>),
    Changes(Changes),
    Gone(Gone),
    Refused(RefusedTable),
}

impl StreamEvent {
    /// The event with this id; `None` if it cannot be serialized.
    fn event(&self, id: Option<Place>) -> Option<Event> {
        let name = match self {
            StreamEvent::Table(_) => "table",
            StreamEvent::Changes(_) => "changes",
            StreamEvent::Gone(_) => "gone",
            StreamEvent::Refused(_) => "refused",
        };
        let event = id.map_or_else(Event::default, |id| Event::default().id(id.to_string()));
        Some(event.event(name).data(serde_json::to_string(self).ok()?))
    }
}

/// One stream of several tables.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StreamSent {
    /// The tables, each by a token: 50 at most.
    #[schema(max_items = 50)]
    pub(crate) tables: Vec<TableWanted>,
    /// The content of the events after the first of each table; absent: the whole table.
    pub(crate) only: Option<Only>,
}

/// A table of a stream.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableWanted {
    /// A token for it, to look or to play.
    pub(crate) token: String,
    /// The id of the last event that came of it.
    pub(crate) after: Option<String>,
}

/// The content of a stream's events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Only {
    /// The differences.
    Changes,
}

/// A program's request for a table's stream.
#[derive(Clone, Copy)]
pub(crate) struct Wish {
    /// The program's position.
    pub(crate) have: Option<Place>,
    pub(crate) only: Option<Only>,
}

/// A program's position, as in the ids of its events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    mark: Mark,
    /// Grows when lines already sent have changed.
    epoch: u64,
    lines: usize,
}

impl Place {
    fn of(sent: &Sent) -> Place {
        Place { mark: sent.mark, epoch: sent.epoch, lines: sent.lines.len() }
    }

    /// Reads an event's id.
    pub(crate) fn read(text: &str) -> Option<Place> {
        let mut parts = text.split('.');
        let mark = Mark::read(parts.next()?)?;
        let (epoch, lines) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        parts.next().is_none().then_some(Place { mark, epoch, lines })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.mark, self.epoch, self.lines)
    }
}

/// The first line that a program at this position must be sent again.
fn from(have: Option<Place>, last: Option<&Sent>, now: &Sent) -> usize {
    let tail = now.lines.len().saturating_sub(PAGE);
    match (last, have) {
        (Some(last), _) => last.lines.iter().zip(now.lines.iter()).take_while(|(a, b)| a == b).count(),
        (None, Some(have)) if have.mark.opening == now.mark.opening && have.epoch == now.epoch => {
            have.lines.max(tail)
        }
        _ => tail,
    }
}

/// The state of one table's stream.
struct Listener {
    app: Arc<App>,
    room: Arc<Room>,
    role: Viewer,
    /// The token's hash.
    hash: Hash,
    /// A program that plays counts as present.
    _presence: Option<Presence>,
    _listening: Listening,
    changes: watch::Receiver<u64>,
    doors: watch::Receiver<u64>,
    ending: watch::Receiver<bool>,
    last: Option<Arc<Sent>>,
    wish: Wish,
    /// The table as the program has it, if only changes are sent.
    table: Value,
}

/// The next event of a listener.
enum Told {
    Event(Event),
    /// The token is no longer valid.
    Gone,
    /// The server ends, or the table was put away.
    End,
}

impl Listener {
    fn new(app: &Arc<App>, caller: Caller, wish: Wish) -> Result<Listener, Problem> {
        let Caller { room, role, kind, hash } = caller;
        Ok(Listener {
            _listening: app.gates.listen(&room.id, role, hash)?,
            _presence: (kind == PassKind::Play).then(|| room.enter(role, hash, 0, Wire::default())),
            changes: room.watch(),
            doors: room.watch_doors(),
            ending: app.ending.clone(),
            last: None,
            table: Value::Null,
            app: app.clone(),
            room,
            role,
            hash,
            wish,
        })
    }

    async fn next(&mut self) -> Told {
        loop {
            self.changes.mark_unchanged();
            let Some(now) = self.room.see(self.role) else {
                return if counts(&self.app, &self.hash).await { Told::End } else { Told::Gone };
            };
            let place = Place::of(&now);
            let have = self.wish.have.take();
            let known = match &self.last {
                Some(last) => last.mark == now.mark,
                None => have == Some(place),
            };
            let from = from(have, self.last.as_deref(), &now);
            let first = self.last.replace(now).is_none();
            if known && first {
                if self.wish.only.is_some() {
                    let Some(table) = self.table() else { return Told::End };
                    if table.version() != place.mark.to_string() {
                        // The table has changed meanwhile, so the program lacks the base of
                        // the changes.
                        (self.wish.have, self.last) = (have, None);
                        continue;
                    }
                }
                return Told::Event(Event::default().comment("as you left it").retry(Duration::from_secs(1)));
            }
            if !known {
                let event =
                    if first || self.wish.only.is_none() { self.all(from) } else { self.changes(from) };
                return event.and_then(|event| event.event(Some(place))).map_or(Told::End, Told::Event);
            }
            let Listener { changes, doors, ending, .. } = self;
            let doors_moved = tokio::select! {
                changed = changes.changed() => changed.map(|()| false),
                moved = doors.changed() => moved.map(|()| true),
                () = ends(ending) => return Told::End,
            };
            let Ok(doors_moved) = doors_moved else { return Told::End };
            if doors_moved && !counts(&self.app, &self.hash).await {
                return Told::Gone;
            }
        }
    }

    /// The table as it is now. It is kept if only changes are sent.
    fn table(&mut self) -> Option<Table> {
        let table = look(&self.room, self.role).ok()?;
        if self.wish.only.is_some() {
            self.table = serde_json::to_value(&table).ok()?;
        }
        Some(table)
    }

    fn all(&mut self, from: usize) -> Option<StreamEvent> {
        let table = self.table()?;
        let (from, lines) = self.lines(from)?;
        Some(StreamEvent::Table(Box::new(Update { table, from, lines })))
    }

    fn changes(&mut self, from: usize) -> Option<StreamEvent> {
        let before = std::mem::take(&mut self.table);
        self.table()?;
        let patch = json_patch::diff(&before, &self.table);
        let (from, lines) = self.lines(from)?;
        Some(StreamEvent::Changes(Changes { id: self.room.id.to_string(), patch, from, lines }))
    }

    fn lines(&self, from: usize) -> Option<(usize, Vec<Line>)> {
        self.room.glance(self.role, |glance, sent| {
            let count = sent.lines.len();
            let from = from.max(count.saturating_sub(PAGE));
            (from, lines(glance.table, self.role, (count, from), PAGE))
        })
    }
}

/// The events of a table; `None` if its stream breaks off. When the token is no longer valid
/// the events end, with a last one that reports this if `says` is set.
fn events(listener: Listener, says: bool) -> impl Stream<Item = Option<Event>> + use<> {
    stream::unfold(Some(listener), move |listener| async move {
        let mut listener = listener?;
        match listener.next().await {
            Told::Event(event) => Some((Some(event), Some(listener))),
            Told::Gone if says => {
                let gone = StreamEvent::Gone(Gone { id: listener.room.id.to_string() });
                Some((gone.event(None), None))
            }
            Told::Gone => None,
            Told::End => Some((None, None)),
        }
    })
}

fn sse<S: Stream<Item = Option<Event>> + Send + 'static>(
    events: S,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<S>> {
    let events = events.take_while(|event| ready(event.is_some())).filter_map(|event| ready(event.map(Ok)));
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
}

/// A stream of one table. It ends with the server, or when the token is no longer valid.
pub(crate) fn stream(
    app: &Arc<App>,
    caller: Caller,
    wish: Wish,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Problem> {
    Ok(sse(events(Listener::new(app, caller, wish)?, false)))
}

/// One stream of several tables. It begins with the refused ones, by their positions. It
/// ends with the server, when a table is put away, or when no token is valid any more.
pub(crate) fn several(
    app: &Arc<App>,
    callers: Vec<(usize, Caller, Wish)>,
    mut refused: Vec<(usize, Problem)>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Problem> {
    let mut listeners = Vec::new();
    for (at, caller, wish) in callers {
        match Listener::new(app, caller, wish) {
            Ok(listener) => listeners.push(events(listener, true).boxed()),
            Err(problem) => refused.push((at, problem)),
        }
    }
    refused.sort_by_key(|(at, _)| *at);
    let refused = refused.into_iter().map(|(at, problem)| (at, problem.at(format!("tables[{at}].token"))));
    let mut refused: Vec<(usize, Problem)> = refused.collect();
    if listeners.is_empty() && !refused.is_empty() {
        return Err(refused.swap_remove(0).1);
    }
    let refusals = refused
        .into_iter()
        .map(|(at, problem)| StreamEvent::Refused(RefusedTable { at, problem }).event(None));
    Ok(sse(stream::iter(refusals).chain(stream::select_all(listeners))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_written() {
        let place = Place { mark: Mark { opening: 77, version: 3 }, epoch: 1, lines: 12 };
        assert_eq!(Place::read(&place.to_string()), Some(place));
        for bad in ["", "1-1", "1-1.2", "1-1.2.x", "1-1.2.3.4"] {
            assert_eq!(Place::read(bad), None, "{bad}");
        }
    }
}
