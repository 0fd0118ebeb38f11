//! How a fight went: the meters and statuses of all characters over time.
//!
//! A viewer's course is made from what that viewer was shown as it happened. Its time counts
//! the lines that they may see, so it tells them nothing new.

use crate::room::Room;
use fracas_kernel::{Card, System, TagShape, Viewer};
use fracas_table::{Detail, Log, OpenError, Table, course};
use std::sync::{Arc, LazyLock};
use tokio::{sync::Semaphore, task::JoinError};

/// Permits for charts: each plays its table once more.
static CHARTS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(2)));
/// Permits for stories.
static STORIES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(2)));

/// The kind of reading. Charts and stories do not wait for each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// How the fight went, with the story beside it.
    Chart,
    /// The story alone.
    Story,
}

/// A table's past for one viewer: a copy, so that players do not wait for readers.
pub struct Past {
    system: System,
    log: Log,
    who: Viewer,
    /// The cards at its end.
    now: Vec<Card>,
}

impl Past {
    /// The table's past, for this viewer to read.
    pub(crate) fn of(table: &Table, who: Viewer) -> Past {
        let (system, log) = (*table.system(), table.log().clone());
        Past { system, log, who, now: table.game().cards(who) }
    }

    pub(crate) fn system(&self) -> &System {
        &self.system
    }

    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// The table's title.
    pub fn title(&self) -> String {
        self.log.header().title.clone()
    }

    /// The story, as Markdown.
    pub fn story(&self, detail: Detail) -> String {
        self.log.story(self.who, detail)
    }
}

/// Reads a table's past on a thread that may take its time; `None` if the table is no longer
/// open.
pub async fn read<T: Send + 'static>(
    room: &Arc<Room>,
    who: Viewer,
    what: Reading,
    read: impl FnOnce(&Past) -> T + Send + 'static,
) -> Result<Option<T>, JoinError> {
    let turns = match what {
        Reading::Chart => &*CHARTS,
        Reading::Story => &*STORIES,
    };
    // The semaphore is never closed. The permit lasts until the reading ends, even if the
    // caller has gone meanwhile.
    let turn = turns.clone().acquire_owned().await;
    let room = room.clone();
    let reading = move || {
        let _turn = turn;
        // Copied only now, so a waiting reader holds no copy.
        room.look(|table, _| Past::of(table, who)).map(|past| read(&past))
    };
    tokio::task::spawn_blocking(reading).await
}

/// The most moments that are looked at.
const MOMENTS: usize = 240;

/// How a fight went, as one viewer saw it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// The last moment.
    pub end: usize,
    /// The characters and things of which something has changed, in the order in which they
    /// appeared.
    pub tracks: Vec<Track>,
}

/// The changes of one character or thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    id: String,
    /// Its title.
    pub title: String,
    /// Its meters.
    pub meters: Vec<Line>,
    /// Its statuses.
    pub tags: Vec<Span>,
}

/// A number over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its name.
    pub label: String,
    /// Its highest maximum.
    pub most: u32,
    /// From which value on it is an alarm.
    pub alarm: Option<u32>,
    /// Each value with the moment from which it held.
    pub steps: Vec<(usize, u32)>,
}

/// A status over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The words.
    pub text: String,
    /// How long it lasts.
    pub shape: TagShape,
    /// From which moment to which; without end if it still holds.
    pub times: Vec<(usize, Option<usize>)>,
}

impl Course {
    /// The course of a past, as its viewer saw it.
    pub fn read(past: &Past) -> Result<Course, OpenError> {
        let Past { system, log, who, now } = past;
        let who = *who;
        let moments = log.lines_to(who).filter(|line| !line.struck).count();
        let every = moments.div_ceil(MOMENTS).max(1);
        let mut read = Course::default();
        let mut at = 0;
        course(system, log, |record, game| {
            if record.to(who).is_none() {
                return;
            }
            at += 1;
            if at % every == 0 {
                read.look(at, &game.cards(record.eyes(who)));
            }
        })?;
        read.look(at + 1, now);
        read.end = at + 1;
        read.tracks.retain(Track::has_changed);
        Ok(read)
    }

    fn look(&mut self, at: usize, cards: &[Card]) {
        for card in cards.iter().filter(|card| !card.id.is_empty()) {
            let known = self.tracks.iter().position(|track| track.id == card.id);
            let n = known.unwrap_or_else(|| {
                self.tracks.push(Track {
                    id: card.id.clone(),
                    title: String::new(),
                    meters: Vec::new(),
                    tags: Vec::new(),
                });
                self.tracks.len() - 1
            });
            self.tracks[n].look(at, card);
        }
        // The statuses of a card that is no longer seen have ended, as far as this viewer
        // knows.
        for track in self.tracks.iter_mut().filter(|track| !cards.iter().any(|card| card.id == track.id)) {
            track.tags.iter_mut().for_each(|tag| tag.end(at));
        }
    }
}

impl Track {
    fn look(&mut self, at: usize, card: &Card) {
        self.title.clone_from(&card.title);
        for meter in &card.meters {
            match self.meters.iter_mut().find(|line| line.label == meter.label) {
                Some(line) => {
                    line.most = line.most.max(meter.most);
                    if line.steps.last().is_none_or(|(_, value)| *value != meter.value) {
                        line.steps.push((at, meter.value));
                    }
                }
                None => self.meters.push(Line {
                    label: meter.label.clone(),
                    most: meter.most,
                    alarm: meter.alarm,
                    steps: vec![(at, meter.value)],
                }),
            }
        }
        for span in self.tags.iter_mut().filter(|span| !card.tags.iter().any(|tag| tag.text == span.text)) {
            span.end(at);
        }
        for tag in &card.tags {
            match self.tags.iter_mut().find(|span| span.text == tag.text) {
                Some(span) if span.times.last().is_some_and(|(_, end)| end.is_none()) => {}
                Some(span) => span.times.push((at, None)),
                None => {
                    self.tags.push(Span { text: tag.text.clone(), shape: tag.shape, times: vec![(at, None)] })
                }
            }
        }
    }

    /// Whether there is anything to draw.
    fn has_changed(&self) -> bool {
        self.meters.iter().any(|line| line.steps.len() > 1)
            || self.tags.iter().any(|span| span.times != [(1, None)])
    }
}

impl Span {
    fn end(&mut self, at: usize) {
        if let Some((_, end @ None)) = self.times.last_mut() {
            *end = Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hall::tests::with_a_table;
    use fracas_kernel::{Meter, Tag};
    use std::{sync::mpsc, time::Duration};
    use tokio::{sync::mpsc::unbounded_channel, time::timeout};

    fn card(risk: u32, tags: &[&str]) -> Card {
        let tag = |text: &&str| Tag { text: (*text).to_owned(), shape: TagShape::Passing, clause: None };
        Card {
            id: "a".to_owned(),
            title: "Ana".to_owned(),
            note: String::new(),
            group: String::new(),
            meters: vec![Meter { label: "risk".to_owned(), value: risk, most: 9, alarm: Some(6) }],
            tags: tags.iter().map(tag).collect(),
            rows: Vec::new(),
        }
    }

    #[test]
    fn numbers_step_and_statuses_begin_and_end() {
        let mut course = Course::default();
        for (at, (risk, tags)) in
            (1..).zip([(0, &["bold"][..]), (2, &[]), (2, &["bold"]), (5, &["bold", "bound"])])
        {
            course.look(at, &[card(risk, tags)]);
        }
        course.look(5, &[]);
        let track = &course.tracks[0];
        assert_eq!(track.meters[0].steps, [(1, 0), (2, 2), (4, 5)]);
        assert_eq!(track.tags[0].times, [(1, Some(2)), (3, Some(5))]);
        assert_eq!(track.tags[1].times, [(4, Some(5))]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn two_are_read_at_once_and_each_to_its_end_though_whoever_asked_has_gone() {
        const SOON: Duration = Duration::from_secs(20);
        const LATE: Duration = Duration::from_millis(100);
        let (_folder, hall, id) = with_a_table().await;
        let room = hall.room(&id).await.expect("a table");
        for (what, other) in [(Reading::Chart, Reading::Story), (Reading::Story, Reading::Chart)] {
            let (begins, mut begun) = unbounded_channel();
            // Each reads until it is released.
            let ask = |n: usize| {
                let (room, begins, (let_go, waits)) = (room.clone(), begins.clone(), mpsc::channel::<()>());
                let reads = move |_: &Past| {
                    begins.send(n).expect("somebody listens");
                    let _ = waits.recv();
                };
                (tokio::spawn(async move { read(&room, Viewer::Spectator, what, reads).await }), let_go)
            };
            let (first, let_first_go) = ask(1);
            assert_eq!(timeout(SOON, begun.recv()).await, Ok(Some(1)));
            let (second, let_second_go) = ask(2);
            assert_eq!(timeout(SOON, begun.recv()).await, Ok(Some(2)));
            let (third, _let_third_go) = ask(3);
            assert!(timeout(LATE, begun.recv()).await.is_err(), "{what:?}: there are two turns");
            let beside = read(&room, Viewer::Spectator, other, |_| ());
            assert!(matches!(timeout(SOON, beside).await, Ok(Ok(Some(())))), "{other:?} is beside it");
            // A waiting caller who goes leaves nothing behind; a reading in progress goes
            // on.
            third.abort();
            first.abort();
            let (fourth, let_fourth_go) = ask(4);
            assert!(timeout(LATE, begun.recv()).await.is_err(), "{what:?}: one turn more than there are");
            drop(let_first_go);
            assert_eq!(timeout(SOON, begun.recv()).await, Ok(Some(4)));
            drop((let_second_go, let_fourth_go));
            for read in [second, fourth] {
                assert!(matches!(timeout(SOON, read).await, Ok(Ok(Ok(Some(()))))), "{what:?}");
            }
        }
    }
}
