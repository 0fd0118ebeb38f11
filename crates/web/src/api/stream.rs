//! A stream for a program: whatever changes of what its role is sent.

use super::{
    caller::{Caller, counts},
    problem::Problem,
    read::{PAGE, look},
    shape::{Line, Table, lines},
};
use crate::{
    app::{App, ends},
    connections::Wire,
    limits::Listening,
    room::{Presence, Room},
    sight::{Mark, Sent},
};
use axum::response::sse::{Event, KeepAlive, Sse};
use fracas_kernel::Viewer;
use fracas_store::PassKind;
use futures_util::{Stream, stream};
use serde::Serialize;
use std::{convert::Infallible, fmt, sync::Arc, time::Duration};
use tokio::sync::watch;
use utoipa::ToSchema;

/// What has changed.
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

/// Where a program stands: as the ids of its events name it.
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

    /// One again, as an event's id named it.
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

/// From which line on a program that stands here must be told the lines again.
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

/// What a stream goes by.
struct Listener {
    /// Somebody is here: a program that plays is.
    _presence: Option<Presence>,
    _listening: Listening,
    changes: watch::Receiver<u64>,
    doors: watch::Receiver<u64>,
    ending: watch::Receiver<bool>,
    last: Option<Arc<Sent>>,
    have: Option<Place>,
}

fn update(room: &Room, role: Viewer, from: usize) -> Option<Update> {
    let table = look(room, role).ok()?;
    let lines = room.glance(role, |glance, sent| {
        let count = sent.lines.len();
        let from = from.max(count.saturating_sub(PAGE));
        (from, lines(glance.table, role, (count, from), PAGE))
    });
    let (from, lines) = lines?;
    Some(Update { table, from, lines })
}

/// A stream that goes on after `have`. It ends with the server, and when the
/// token no longer counts.
pub(crate) fn stream(
    app: Arc<App>,
    caller: Caller,
    have: Option<Place>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Problem> {
    let Caller { room, role, kind, hash } = caller;
    let begin = Listener {
        _listening: app.gates.listen(&room.id, role, hash)?,
        _presence: (kind == PassKind::Play).then(|| room.enter(role, hash, 0, Wire::default())),
        changes: room.watch(),
        doors: room.watch_doors(),
        ending: app.ending.clone(),
        last: None,
        have,
    };
    let updates = stream::unfold(begin, move |mut listener| {
        let (room, app) = (room.clone(), app.clone());
        async move {
            loop {
                listener.changes.mark_unchanged();
                let now = room.see(role)?;
                let place = Place::of(&now);
                let have = listener.have.take();
                let known = match &listener.last {
                    Some(last) => last.mark == now.mark,
                    None => have == Some(place),
                };
                let from = from(have, listener.last.as_deref(), &now);
                let first = listener.last.replace(now).is_none();
                if known && first {
                    let opened = Event::default().comment("as you left it").retry(Duration::from_secs(1));
                    return Some((Ok(opened), listener));
                }
                if !known {
                    let told = serde_json::to_string(&update(&room, role, from)?).ok()?;
                    let event = Event::default().event("table").id(place.to_string()).data(told);
                    return Some((Ok(event), listener));
                }
                let Listener { changes, doors, ending, .. } = &mut listener;
                let doors_moved = tokio::select! {
                    changed = changes.changed() => changed.map(|()| false),
                    moved = doors.changed() => moved.map(|()| true),
                    () = ends(ending) => return None,
                };
                if doors_moved.ok()? && !counts(&app, &hash).await {
                    return None;
                }
            }
        }
    });
    Ok(Sse::new(updates).keep_alive(KeepAlive::new().interval(Duration::from_secs(20))))
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
