//! One stream a tab: whatever changes of what its viewer is sent.

use crate::{
    room::Room,
    sight::{Sent, TAIL},
};
use axum::response::sse::{Event, KeepAlive, Sse};
use fracas_kernel::Viewer;
use futures_util::{Stream, stream};
use serde::Serialize;
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::sync::watch;

/// What a tab is told: regions that have changed, and lines that came.
#[derive(Serialize)]
struct Update<'s> {
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cast: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moment: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<&'s str>,
    /// From which line on the lines below replace what the tab has.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<&'s str>,
    /// To be read out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    say: Vec<&'s str>,
    due: bool,
}

/// Where a tab stands: as its page and the stream's ids name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    /// Which start of the server.
    pub(crate) boot: u64,
    pub(crate) version: u64,
}

impl Mark {
    pub(crate) fn read(text: &str) -> Option<Mark> {
        let (boot, version) = text.split_once('-')?;
        Some(Mark { boot: u64::from_str_radix(boot, 36).ok()?, version: version.parse().ok()? })
    }
}

impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
        let (mut boot, mut text) = (self.boot, String::new());
        loop {
            text.insert(0, char::from(DIGITS[(boot % 36) as usize]));
            boot /= 36;
            if boot == 0 {
                break;
            }
        }
        write!(f, "{text}-{}", self.version)
    }
}

/// A stream for one tab, which has what `have` names.
pub(crate) fn stream(
    room: &Arc<Room>,
    who: Viewer,
    boot: u64,
    have: Option<Mark>,
    ending: watch::Receiver<bool>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let presence = room.enter(who);
    let watch = room.watch();
    let room = room.clone();
    let begin = (presence, watch, None::<Arc<Sent>>, have);
    let updates = stream::unfold(begin, move |(presence, mut watch, last, mut have)| {
        let room = room.clone();
        let mut ending = ending.clone();
        async move {
            loop {
                watch.mark_unchanged();
                let now = room.see(who)?;
                let event = match (&last, have.take()) {
                    (Some(last), _) if last.version == now.version => None,
                    (Some(last), _) => Some(update(Some(last), &now)),
                    // The page is as the table is: nothing to tell it.
                    (None, Some(have)) if have == (Mark { boot, version: now.version }) => {
                        return Some((opened(boot, &now), (presence, watch, Some(now), None)));
                    }
                    (None, _) => Some(update(None, &now)),
                };
                if let Some(data) = event {
                    let id = Mark { boot, version: now.version }.to_string();
                    return Some((
                        Ok(Event::default().id(id).data(data)),
                        (presence, watch, Some(now), None),
                    ));
                }
                tokio::select! {
                    changed = watch.changed() => changed.ok()?,
                    _ = ending.wait_for(|end| *end) => return None,
                }
            }
        }
    });
    Sse::new(updates).keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
}

/// That the stream stands, and how soon to come again when it breaks.
fn opened(boot: u64, now: &Sent) -> Result<Event, Infallible> {
    let id = Mark { boot, version: now.version }.to_string();
    Ok(Event::default().id(id).retry(Duration::from_secs(1)).data(r#"{"due":null}"#))
}

fn update(last: Option<&Sent>, now: &Sent) -> String {
    let changed = |region: fn(&Sent) -> &String| {
        let is = region(now);
        last.is_none_or(|last| region(last) != is).then_some(is.as_str())
    };
    let from = match last {
        Some(last) if last.epoch == now.epoch => Some(last.lines.len()),
        _ => Some(now.lines.len().saturating_sub(TAIL)),
    };
    let from = from.filter(|from| *from < now.lines.len() || last.is_none_or(|last| last.epoch != now.epoch));
    let new = from.map_or(&[][..], |from| &now.lines[from..]);
    let mut say: Vec<&str> = Vec::new();
    if let Some(last) = last {
        if last.epoch == now.epoch {
            say.extend(new.iter().map(|line| line.said.as_str()));
        } else {
            say.push("Something was taken back.");
        }
        if last.calls != now.calls {
            say.push(&now.calls);
        }
    }
    say.retain(|said| !said.is_empty());
    let update = Update {
        head: changed(|sent| &sent.head),
        cast: changed(|sent| &sent.cast),
        moment: changed(|sent| &sent.moment),
        tools: changed(|sent| &sent.tools),
        from,
        lines: new.iter().map(|line| line.html.as_str()).collect(),
        say,
        due: now.due,
    };
    serde_json::to_string(&update).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Mark;

    #[test]
    fn marks_are_read_as_written() {
        for (boot, version) in [(0, 0), (35, 7), (36, 1), (u64::MAX, 12)] {
            let mark = Mark { boot, version };
            assert_eq!(Mark::read(&mark.to_string()), Some(mark));
        }
        assert_eq!(Mark::read("x"), None);
    }
}
