//! The stream of a tab: changes of what its viewer is sent.

use crate::routes::{Seated, is_admitted};
use crate::{app::App, limits::Listening};
use axum::response::sse::{Event, KeepAlive, Sse};
use fracas_live::sight::{Mark, Sent, TAIL};
use fracas_live::{ending::ends, room::Presence, wire::Wire};
use futures_util::{Stream, stream};
use serde::Serialize;
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::sync::watch;

/// An update for a tab: regions that have changed, and new lines.
#[derive(Serialize, Default)]
struct Update<'s> {
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cast: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moment: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    whom: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    desk: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overlay: Option<&'s str>,
    /// The first line of the tab that the lines below replace.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<&'s str>,
    /// Text to be read aloud.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    say: Vec<&'s str>,
    due: bool,
}

/// What a tab shows of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shows {
    /// The table's page.
    Table,
    /// What lies over a video.
    Overlay,
}

/// A stream for a tab at the position `have`. It ends with the server, and when its viewer
/// loses their place.
pub(crate) fn stream(
    app: Arc<App>,
    seated: &Seated,
    wire: Wire,
    listening: Listening,
    (shows, have): (Shows, Option<Mark>),
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let (room, who, browser) = (seated.room.clone(), seated.role, seated.browser);
    let begin = Tab {
        presence: room.enter(who, browser, seated.seen, wire),
        _listening: listening,
        changes: room.watch(),
        doors: room.watch_doors(),
        ending: app.ending.clone(),
        last: None,
        have,
    };
    let updates = stream::unfold(begin, move |mut tab| {
        let (room, app) = (room.clone(), app.clone());
        async move {
            loop {
                tab.changes.mark_unchanged();
                let now = room.see(who)?;
                let event = match (&tab.last, tab.have.take()) {
                    (Some(last), _) if last.mark == now.mark => None,
                    (Some(last), _) => Some(update(Some(last), &now, shows)),
                    // The page is up to date.
                    (None, Some(have)) if have == now.mark => {
                        tab.presence.send(now.lines.len());
                        let opened = opened(&now);
                        tab.last = Some(now);
                        return Some((opened, tab));
                    }
                    (None, _) => Some(update(None, &now, shows)),
                };
                if let Some(data) = event {
                    tab.presence.send(now.lines.len());
                    let id = now.mark.to_string();
                    tab.last = Some(now);
                    return Some((Ok(Event::default().id(id).data(data)), tab));
                }
                let Tab { changes, doors, ending, .. } = &mut tab;
                let doors_moved = tokio::select! {
                    changed = changes.changed() => changed.map(|()| false),
                    moved = doors.changed() => moved.map(|()| true),
                    () = ends(ending) => return None,
                };
                if doors_moved.ok()? && !is_admitted(&app, &room.id, &browser, who).await {
                    return None;
                }
            }
        }
    });
    Sse::new(updates).keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
}

/// The state of a tab's stream.
struct Tab {
    presence: Presence,
    _listening: Listening,
    changes: watch::Receiver<u64>,
    doors: watch::Receiver<u64>,
    ending: watch::Receiver<bool>,
    /// The last that the tab was sent.
    last: Option<Arc<Sent>>,
    /// The position that the tab gave.
    have: Option<Mark>,
}

/// The first event: the stream is open, and how soon to reconnect if it breaks.
fn opened(now: &Sent) -> Result<Event, Infallible> {
    Ok(Event::default().id(now.mark.to_string()).retry(Duration::from_secs(1)).data(r#"{"due":null}"#))
}

fn update(last: Option<&Sent>, now: &Sent, shows: Shows) -> String {
    let changed = |region: fn(&Sent) -> &String| {
        let is = region(now);
        last.is_none_or(|last| region(last) != is).then_some(is.as_str())
    };
    if shows == Shows::Overlay {
        let update = Update { overlay: changed(|sent| &sent.regions.overlay), ..Update::default() };
        return serde_json::to_string(&update).unwrap_or_default();
    }
    let from = match last {
        // Up to the first line that differs: lines that were taken back are drawn again.
        Some(last) => Some(last.lines.iter().zip(now.lines.iter()).take_while(|(a, b)| a == b).count()),
        None => Some(now.lines.len().saturating_sub(TAIL)),
    };
    let from = from.filter(|from| *from < now.lines.len() || last.is_none_or(|last| last.epoch != now.epoch));
    let new = from.map_or(&[][..], |from| &now.lines[from..]);
    let mut say: Vec<&str> = Vec::new();
    if let Some(last) = last {
        if last.epoch == now.epoch {
            // Lines that are drawn again with new names are not read aloud again.
            say.extend(now.lines.iter().skip(last.lines.len()).map(|line| line.said.as_str()));
        } else {
            say.push("Something was taken back.");
        }
        let is_same =
            last.regions.calls == now.regions.calls && last.regions.calls_of == now.regions.calls_of;
        if !is_same {
            say.push(&now.regions.calls);
        }
    }
    say.retain(|said| !said.is_empty());
    let update = Update {
        head: changed(|sent| &sent.regions.head),
        cast: changed(|sent| &sent.regions.cast),
        stage: changed(|sent| &sent.regions.stage),
        moment: changed(|sent| &sent.regions.moment),
        tools: changed(|sent| &sent.regions.tools),
        whom: changed(|sent| &sent.regions.whom),
        desk: changed(|sent| &sent.regions.desk),
        overlay: None,
        from,
        lines: new.iter().map(|line| line.html.as_str()).collect(),
        say,
        due: now.due,
    };
    serde_json::to_string(&update).unwrap_or_default()
}
