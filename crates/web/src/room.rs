//! One table on a server: what people do comes in, what they may see goes out.

use crate::{
    auth,
    connections::{BEAT, Wire},
    course::Past,
    left::Left,
    page::Glance,
    settings::Settings,
    sight::{Sent, Sight, Surroundings},
    webhook::{Come, Waits},
};
use fracas_face::machine::{Did, Machine, Patience, agreed, holding};
use fracas_kernel::{AskId, AskInfo, Now, Refused, Seat, SeatSet, Seen, Viewer};
use fracas_store::{Db, DbError, Hash, Key, Member, TableId};
use fracas_table::{Done, Entry, PlayError, Reader, Record, Table, Throw, What};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError},
    time::Duration,
};
use tokio::{
    runtime::Handle,
    sync::{Notify, watch},
    task::block_in_place,
    time::Instant,
};

/// How long it waits before it tries again what could not be saved.
pub(crate) const AGAIN: Duration = Duration::from_secs(5);

/// What somebody does at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Answers an ask, named as this viewer was told it.
    Answer {
        /// Which.
        ask: String,
        /// The answer, as JSON with names.
        answer: String,
        /// Words of their own in place of the label that the answer proposes.
        own: Option<String>,
        /// What they write beside it.
        text: Option<String>,
        /// Whose answer it is, where the gamemaster gives it for somebody.
        of: Option<Seat>,
    },
    /// Throws the dice that are due, or types in what real dice show.
    Throw {
        /// Which roll, as this viewer was told it.
        roll: String,
        /// What real dice show, in their order.
        faces: Option<Vec<u8>>,
    },
    /// Overrules the engine (JSON with names).
    Fiat {
        /// The fiat.
        fiat: String,
        /// What they write beside it.
        text: Option<String>,
    },
    /// Writes something.
    Note {
        /// For whom.
        to: Reader,
        /// The words.
        text: String,
    },
    /// Gives a standing reply (JSON with names), or takes it back.
    Stand {
        /// The reply.
        reply: String,
        /// Given, or taken back.
        on: bool,
    },
    /// Goes back to right after this line: the gamemaster's.
    Rewind(u64),
    /// Takes back the last thing that anybody did: the gamemaster's. With the
    /// line that it is to take back, where that is said.
    Undo(Option<u64>),
    /// Takes back an answer of their own.
    TakeBack,
}

/// What somebody calls a command, so that sent again it is not done again.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    /// Its own among theirs.
    pub(crate) key: String,
    /// The hash of what they ask for, where the same key may stand for nothing else.
    pub(crate) asked: Option<Hash>,
}

impl From<String> for Called {
    fn from(key: String) -> Called {
        Called { key, asked: None }
    }
}

/// Why a command was not carried out. Then nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// That ask is no longer open.
    #[error("that is no longer asked: look at what is asked now")]
    Stale,
    /// Somebody else answered it first, in words of what the viewer saw of it.
    #[error("{0}")]
    Quicker(String),
    /// Something else was done since.
    #[error("something else was done meanwhile: look at what would be taken back now")]
    Moved,
    /// The game, or the table, refuses it.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Something else was done under the same key.
    #[error("something else was done under this key: nothing was done now")]
    Otherwise,
    /// Play is paused.
    #[error("the table is paused: its leader resumes it")]
    Paused,
    /// They have written too much in a short time: in how many seconds to come again.
    #[error(
        "that is more than one seat writes in so short a time: it was not kept, and all before it was; \
             try again in {0} s"
    )]
    TooMuch(u64),
    /// Not for this role.
    #[error("{0}")]
    NotYours(&'static str),
    /// It could not be saved or done; it may be tried again. Why is the server's to know.
    #[error("{0}")]
    Failed(&'static str),
}

impl From<PlayError> for Refusal {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Refused(refused) => Refusal::Refused(refused),
            error => Refusal::failed(&error),
        }
    }
}

impl Refusal {
    /// A fault that nobody at the table can mend: told in full to the server's own
    /// log alone, for it may hold what not everybody may know.
    pub(crate) fn failed(error: &dyn std::fmt::Display) -> Refusal {
        tracing::error!(%error, "a command failed");
        Refusal::Failed("that could not be kept, so it has not happened: try again")
    }
}

/// The most letters of what people write beside an answer, or anywhere.
const TEXT: usize = 8_000;
/// The most letters of an answer, a fiat or a standing reply.
const JSON: usize = 20_000;

impl Command {
    /// How many bytes somebody says with it.
    pub(crate) fn said(&self) -> usize {
        let (said, text) = self.words();
        let readers = match self {
            Command::Note { to: Reader::Seats(seats), .. } => seats.len() * size_of::<Seat>(),
            _ => 0,
        };
        said + text.map_or(0, str::len) + readers
    }

    /// The length of the answer, fiat or reply in it, and what is written beside.
    fn words(&self) -> (usize, Option<&str>) {
        match self {
            Command::Answer { answer, own, text, .. } => {
                (answer.len() + own.as_ref().map_or(0, String::len), text.as_deref())
            }
            Command::Fiat { fiat, text } => (fiat.len(), text.as_deref()),
            Command::Note { text, .. } => (0, Some(text.as_str())),
            Command::Stand { reply, .. } => (reply.len(), None),
            Command::Throw { .. } | Command::Rewind(_) | Command::Undo(_) | Command::TakeBack => (0, None),
        }
    }

    /// Whether nothing in it is longer than a table keeps.
    fn fits(&self) -> Result<(), Refusal> {
        let (said, text) = self.words();
        if said > JSON {
            return Err(Refused::form(format!("an answer of {said} letters; the most is {JSON}")).into());
        }
        match text.map(str::len) {
            Some(long) if long > TEXT => {
                Err(Refused::form(format!("a text of {long} letters; the most is {TEXT}")).into())
            }
            _ => Ok(()),
        }
    }
}

/// What came of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carried {
    /// It was carried out, beginning with this line.
    Now(u64),
    /// It had been carried out before.
    Before(u64),
}

/// What a room holds: a table, where its commands are named, and what is kept beside it.
pub(crate) struct Held {
    pub(crate) table: Table,
    pub(crate) key: Key,
    pub(crate) settings: Settings,
    /// How long the machine waits between two things it does.
    pub(crate) pace: Duration,
    /// Who wait at the door.
    pub(crate) knocking: Vec<Member>,
}

/// One table on a server.
pub(crate) struct Room {
    pub(crate) id: TableId,
    db: Db,
    inner: Mutex<Inner>,
    /// Held while what is kept beside the log is changed.
    setting: tokio::sync::Mutex<()>,
    revision: watch::Sender<u64>,
    /// Grows whenever somebody may have lost their place.
    doors: watch::Sender<u64>,
    /// Something the machine may have to say something to.
    stirred: Arc<Notify>,
}

pub(crate) struct Inner {
    /// `None` once the room is closed.
    table: Option<Table>,
    key: Key,
    /// Which opening of the table; see [`Sight`].
    opening: u64,
    settings: Settings,
    machine: Machine,
    sights: BTreeMap<Viewer, Sight>,
    /// Streams open for each role.
    present: BTreeMap<Viewer, usize>,
    /// What each browser in a role has had over its streams.
    readers: BTreeMap<(Viewer, Hash), Reading>,
    /// Who is at the door, as the gamemaster is told.
    knocking: Vec<Member>,
    /// The seat as which the machine goes round in circles.
    stuck: Option<Seat>,
    /// Something was taken back: the machine waits until somebody acts.
    held: bool,
    /// Since when play waits for what it waits for.
    clock: Clock,
    /// Somebody who plays has come in since the table was opened.
    came: bool,
    /// When somebody was last here: what the machine does by itself keeps no table open.
    used: Instant,
    /// Grows with whatever may change what anybody is sent.
    stamp: u64,
    /// Records of the log that were there when something last moved.
    records: usize,
    /// When a line last came that everybody may read, in seconds since 1970, where that is
    /// known.
    played: Option<i64>,
}

impl Room {
    pub(crate) fn new(id: TableId, db: Db, opening: u64, held: Held) -> Arc<Room> {
        let Held { table, key, mut settings, pace, knocking } = held;
        let played = settings.left.take().and_then(|left| left.played);
        let seed = id.as_str().bytes().fold(0u64, |seed, b| seed.wrapping_mul(31).wrapping_add(b.into()));
        let room = Arc::new(Room {
            id,
            db,
            inner: Mutex::new(Inner {
                table: Some(table),
                key,
                opening,
                settings,
                machine: Machine::new(seed),
                sights: BTreeMap::new(),
                present: BTreeMap::new(),
                readers: BTreeMap::new(),
                knocking,
                stuck: None,
                held: false,
                clock: Clock::default(),
                came: false,
                used: Instant::now(),
                stamp: 0,
                records: 0,
                played: None,
            }),
            setting: tokio::sync::Mutex::default(),
            revision: watch::Sender::new(0),
            doors: watch::Sender::new(0),
            stirred: Arc::new(Notify::new()),
        });
        room.change(|_| ());
        // The lines that were there have not come now.
        room.inner().played = played;
        tokio::spawn(run_machine(Arc::downgrade(&room), pace));
        room
    }

    /// The room, once whoever holds it has done: that may be until the disk has
    /// written, so a thread that serves others too lets them go on elsewhere.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        match self.inner.try_lock() {
            Ok(inner) => inner,
            Err(TryLockError::Poisoned(inner)) => inner.into_inner(),
            Err(TryLockError::WouldBlock) => {
                block_in_place(|| self.inner.lock().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }

    /// Tells streams when there may be something new.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.revision.subscribe()
    }

    /// Tells streams when to see whether their viewer still has a place.
    pub(crate) fn watch_doors(&self) -> watch::Receiver<u64> {
        self.doors.subscribe()
    }

    /// Changes something of what people are sent, and tells those who look on.
    fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let mut inner = self.inner();
        inner.used = Instant::now();
        let done = change(&mut inner);
        inner.moved();
        drop(inner);
        self.tell();
        done
    }

    fn tell(&self) {
        self.revision.send_modify(|revision| *revision += 1);
        self.stirred.notify_one();
    }

    /// Carries a command out, on disk when this returns. The same command under
    /// the same key is carried out once.
    ///
    /// It has a thread of its own: what takes long, as going far back may, keeps those
    /// at this table waiting and nobody at another.
    pub(crate) async fn command(
        self: &Arc<Self>,
        by: Viewer,
        called: Option<Called>,
        command: Command,
    ) -> Result<Carried, Refusal> {
        let room = self.clone();
        let done = tokio::task::spawn_blocking(move || room.carry_out(by, called.as_ref(), &command)).await;
        done.unwrap_or_else(|error| Err(Refusal::failed(&error)))
    }

    fn carry_out(&self, by: Viewer, called: Option<&Called>, command: &Command) -> Result<Carried, Refusal> {
        let mut inner = self.inner();
        let who = by.to_string();
        if let Some(Called { key, asked }) = called {
            let before = Handle::current().block_on(self.db.done_before(&self.id, &who, key));
            match before {
                // What was kept by an earlier version counts as the same.
                Ok(Some((_, known))) if known.is_some_and(|known| asked.is_some_and(|it| it != known)) => {
                    return Err(Refusal::Otherwise);
                }
                Ok(Some((line, _))) => return Ok(Carried::Before(line)),
                Ok(None) => inner.key.name(&who, key, *asked),
                Err(error) => return Err(Refusal::failed(&error)),
            }
        }
        inner.used = Instant::now();
        let done = inner.obey(by, command);
        inner.key.forget();
        let done = done?;
        inner.moved();
        drop(inner);
        self.tell();
        Ok(Carried::Now(done.line))
    }

    /// Calls a player's seat as the player who sits down there; with a number where
    /// somebody else at the table is called so.
    pub(crate) async fn call(self: &Arc<Self>, seat: Seat, name: String) {
        let room = self.clone();
        let called = tokio::task::spawn_blocking(move || {
            room.change(|inner| {
                let Some(table) = &mut inner.table else { return Ok(()) };
                let again = (2..=SeatSet::PLAYERS + 1).map(|n| format!("{name} {n}"));
                let mut done = Ok(());
                for name in std::iter::once(name.clone()).chain(again) {
                    if table.game().seats().iter().any(|info| info.seat == seat && info.name == name) {
                        return Ok(());
                    }
                    done = table.rename(seat, &name).map(drop);
                    if !matches!(done, Err(PlayError::Refused(_))) {
                        break;
                    }
                }
                done
            })
        });
        // They sit there all the same, under the name that the seat has.
        if let Ok(Err(error)) = called.await {
            tracing::warn!(table = %self.id, %error, "a seat could not be called as its player");
        }
    }

    /// What this viewer is sent, up to date.
    pub(crate) fn see(&self, who: Viewer) -> Option<Arc<Sent>> {
        let mut inner = self.inner();
        inner.used = Instant::now();
        inner.see(who)
    }

    /// Looks at the table as this viewer may, together with what they are sent.
    pub(crate) fn glance<T>(&self, who: Viewer, look: impl FnOnce(&Glance<'_>, &Sent) -> T) -> Option<T> {
        if !self.inner().came {
            self.change(|inner| inner.comes_in(who));
        }
        let mut inner = self.inner();
        inner.used = Instant::now();
        let sent = inner.see(who)?;
        let Inner { table: Some(table), sights, .. } = &*inner else { return None };
        let around = inner.around();
        sights.get(&who).map(|sight| look(&sight.glance(table, &around), &sent))
    }

    /// For whom the table waits, as everybody may know.
    pub(crate) fn waits(&self) -> Option<Waits> {
        self.inner().waits()
    }

    /// How the table stands, where it is open.
    pub(crate) fn left(&self) -> Option<Left> {
        self.inner().left()
    }

    /// What the table has come to, as everybody may know.
    pub(crate) fn come(&self) -> Option<Come> {
        let mut inner = self.inner();
        let lines = inner.see(Viewer::Spectator)?.lines.len();
        Some(Come { lines, over: inner.table.as_ref()?.game().now() == Now::Over })
    }

    /// Looks at the table, where it is open.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&Table, &Settings) -> T) -> Option<T> {
        let inner = self.inner();
        inner.table.as_ref().map(|table| look(table, &inner.settings))
    }

    /// What has happened until now, for this viewer to read.
    pub(crate) fn past(&self, who: Viewer) -> Option<Past> {
        self.look(|table, _| Past::of(table, who))
    }

    /// The answers of an ask as this viewer may choose among them.
    pub(crate) fn ask<T>(&self, who: Viewer, ask: &str, look: impl FnOnce(&Table, AskId) -> T) -> Option<T> {
        let mut inner = self.inner();
        inner.see(who)?;
        let id = inner.sights.get(&who)?.ask(ask)?;
        inner.table.as_ref().map(|table| look(table, id))
    }

    /// How many dice the roll of this name takes, if this viewer is shown that it is due.
    pub(crate) fn dice_due(&self, who: Viewer, roll: &str) -> Option<usize> {
        let mut inner = self.inner();
        inner.see(who)?;
        let sight = inner.sights.get(&who).filter(|sight| sight.roll() == Some(roll))?;
        sight.dice_due()
    }

    /// Changes what is kept beside the log.
    pub(crate) async fn set(&self, change: impl FnOnce(&mut Settings)) -> Result<(), DbError> {
        // One at a time, so that what is written last is what was said last.
        let _one = self.setting.lock().await;
        let (before, after) = {
            let inner = self.inner();
            let before = inner.settings.clone();
            let mut after = before.clone();
            change(&mut after);
            (before, after)
        };
        if before == after {
            return Ok(());
        }
        self.db.set_settings(&self.id, after.write()).await?;
        self.change(|inner| {
            let resumed = before.paused != after.paused;
            if resumed || before.deadline != after.deadline {
                inner.clock = Clock::default();
            }
            // Somebody may have wanted a pause meanwhile.
            let paused = if resumed { after.paused } else { inner.settings.paused };
            inner.settings = Settings { paused, ..after };
        });
        self.go_on();
        Ok(())
    }

    /// Remembers who has been told that the table waits for them. Nobody is shown it.
    pub(crate) async fn remember_nudged(&self, nudged: BTreeSet<Seat>) {
        let _one = self.setting.lock().await;
        let settings = {
            let mut inner = self.inner();
            if inner.settings.nudged == nudged {
                return;
            }
            inner.settings.nudged = nudged;
            inner.settings.write()
        };
        if let Err(error) = self.db.set_settings(&self.id, settings).await {
            tracing::warn!(table = %self.id, %error, "who was nudged could not be kept");
        }
    }

    /// Pauses play. It waits for nothing, and holds where it cannot be saved.
    pub(crate) async fn pause(&self) -> Result<(), DbError> {
        self.change(|inner| {
            inner.settings.paused = true;
            inner.clock = Clock::default();
        });
        let _one = self.setting.lock().await;
        let settings = self.inner().settings.write();
        self.db.set_settings(&self.id, settings).await
    }

    /// Lets the machine go on, whatever it waits for.
    pub(crate) fn go_on(&self) {
        self.change(|inner| {
            (inner.stuck, inner.held) = (None, false);
            inner.machine.people_moved();
        });
    }

    /// Who may come in has changed; these wait at the door.
    pub(crate) fn doors_moved(&self, waiting: Vec<Member>) {
        self.change(|inner| inner.knocking = waiting);
        self.doors.send_modify(|moved| *moved += 1);
    }

    /// A browser's stream in this role begins, where it has seen so many lines; it ends
    /// when what this gives is dropped.
    pub(crate) fn enter(self: &Arc<Self>, who: Viewer, browser: Hash, seen: usize, wire: Wire) -> Presence {
        self.change(|inner| {
            inner.comes_in(who);
            *inner.present.entry(who).or_default() += 1;
            inner.readers.entry((who, browser)).or_default().begin(seen);
        });
        Presence { room: self.clone(), who, browser, wire }
    }

    /// How many lines have come to a browser by now over its streams.
    pub(crate) fn sent_to(&self, who: Viewer, browser: Hash) -> usize {
        let mut inner = self.inner();
        inner.readers.get_mut(&(who, browser)).map_or(0, |reading| reading.seen_by(Instant::now()))
    }

    /// A page with so many lines came to a browser.
    pub(crate) async fn was_shown(&self, who: Viewer, browser: Hash, lines: usize) {
        if let Some(reading) = self.inner().readers.get_mut(&(who, browser)) {
            reading.show(lines);
        }
        self.has_seen(who, browser, lines).await;
    }

    /// Somebody has seen so many of the lines that they may see.
    async fn has_seen(&self, who: Viewer, browser: Hash, lines: usize) {
        if let Err(error) = self.db.set_seen(&self.id, browser, who, lines as u64).await {
            tracing::warn!(table = %self.id, %error, "how far somebody has read could not be kept");
        }
    }

    /// Whether nobody has been here for so long, and nobody has a deadline to keep.
    pub(crate) fn is_idle(&self, since: Duration) -> bool {
        self.inner().is_idle(since)
    }

    /// Whether it was closed: then it is opened anew.
    pub(crate) fn is_closed(&self) -> bool {
        self.inner().table.is_none()
    }

    /// Records where the table stands and lets it go.
    pub(crate) async fn close(self: &Arc<Self>) {
        self.close_if(|_| true).await;
    }

    /// The same where something holds at that very moment; gives whether it did.
    pub(crate) async fn close_if(
        self: &Arc<Self>,
        holds: impl FnOnce(&Inner) -> bool + Send + 'static,
    ) -> bool {
        let room = self.clone();
        let closed = tokio::task::spawn_blocking(move || {
            let mut inner = room.inner();
            if !holds(&inner) {
                return None;
            }
            inner.settings.left = inner.left();
            inner.table.take().map(Table::close)
        });
        let closed = closed.await.unwrap_or_default();
        if closed.is_some() {
            let _one = self.setting.lock().await;
            let settings = self.inner().settings.write();
            if let Err(error) = self.db.set_settings(&self.id, settings).await {
                tracing::warn!(table = %self.id, %error, "how it stands could not be kept for lists of tables");
            }
        }
        if let Some(Err(error)) = &closed {
            tracing::warn!(table = %self.id, %error, "where it stands could not be recorded; no answer is lost");
        }
        self.tell();
        closed.is_some()
    }

    /// Lets the machine do one thing, where it has one to do.
    fn machine(&self, patience: Patience) -> Result<Step, PlayError> {
        let mut inner = self.inner();
        let seen = inner.openly();
        let did = inner.step(patience)?;
        if !matches!(did, Did::Nothing | Did::Waits) {
            inner.moved();
        }
        let dice_due = inner
            .table
            .as_ref()
            .is_some_and(|table| matches!(table.game().now(), Now::Roll(roll) if roll.seen == Seen::Openly));
        let step = Step { did, seen: (seen, inner.openly()), dice_due, late: inner.late_at() };
        drop(inner);
        if !matches!(did, Did::Nothing | Did::Waits) {
            self.tell();
        }
        Ok(step)
    }
}

/// What came of a turn of the machine.
struct Step {
    did: Did,
    /// What everybody had been shown before it, and has been since, as a version.
    seen: (u64, u64),
    /// Whether dice that everybody sees are due next.
    dice_due: bool,
    /// When the next of those whom play waits for will have waited too long.
    late: Option<Instant>,
}

/// What one seat does piece by piece, as everybody sees it.
#[derive(Default)]
struct Streak {
    /// Who answered last.
    last: Option<Seat>,
    /// Whether the answer before was theirs too.
    goes_on: bool,
    /// What everybody had been shown then, as a version.
    seen: u64,
}

impl Streak {
    /// How long a step stands before the machine goes on, at this pace.
    fn pause(&mut self, step: &Step, pace: Duration) -> Duration {
        let (before, after) = step.seen;
        if before == after {
            // What nobody is shown takes no time, or the time would show it.
            return Duration::ZERO;
        }
        if std::mem::replace(&mut self.seen, after) != before {
            // Somebody else did something.
            (self.last, self.goes_on) = (None, false);
        }
        if let Did::Answered(seat) = step.did {
            self.goes_on = self.last.replace(seat) == Some(seat);
        }
        match step.did {
            // An answer and the dice it leads to are one deed.
            Did::Answered(_) if step.dice_due => Duration::ZERO,
            _ if self.goes_on => pace * 2 / 5,
            _ => pace,
        }
    }
}

/// What play waits for: an ask, or the roll that is due after this line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Waited {
    Ask(AskId),
    Roll(u64),
}

impl Waited {
    /// The roll that is due: it stays the same roll, whatever the gamemaster overrules
    /// meanwhile, for not everybody may be told of that; and whatever players answer beside
    /// dice that they do not see.
    pub(crate) fn roll(table: &Table) -> Waited {
        let is_beside = !table.game().asks().is_empty();
        let deed = |record: &&Record| match &record.entry {
            Entry::Answer(answer) => !is_beside || answer.seat() == Seat::Gm,
            entry => matches!(entry, Entry::Roll(_)),
        };
        Waited::Roll(table.log().live().rev().find(deed).map_or(0, |record| record.seq))
    }
}

/// Since when play waits for what it waits for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    times: Vec<Time>,
    /// Rewinds when it was last read.
    rewinds: u64,
}

/// Since when play waits for something.
#[derive(Clone, Debug)]
struct Time {
    what: Waited,
    /// The ask, unless it is a roll.
    ask: Option<AskInfo>,
    at: Instant,
    /// The same in seconds since 1970.
    since: i64,
}

impl Time {
    fn now(what: Waited, ask: Option<AskInfo>) -> Time {
        Time { what, ask, at: Instant::now(), since: auth::now() }
    }
}

impl Clock {
    /// Keeps the times of what is still waited for, and begins those of what is new.
    ///
    /// A rewind gives every ask another id. What is asked before it and after it keeps
    /// its time, for not everybody may be told of the rewind.
    fn read(&mut self, table: &Table) {
        let waited = match table.game().now() {
            Now::Roll(_) => Some((Waited::roll(table), None)),
            Now::Over | Now::Asks(_) => None,
        };
        let asks = table.game().asks().into_iter().map(|ask| (Waited::Ask(ask.id), Some(ask)));
        let waited = waited.into_iter().chain(asks);
        let rewound = std::mem::replace(&mut self.rewinds, table.log().rewinds()) != self.rewinds;
        let before = std::mem::take(&mut self.times);
        let time = |(what, ask): (Waited, Option<AskInfo>)| {
            let asked = |time: &&Time| rewound && same_ask(time.ask.as_ref(), ask.as_ref());
            let kept = before.iter().find(|time| time.what == what).or_else(|| before.iter().find(asked));
            match kept {
                Some(time) => Time { what, ask, ..time.clone() },
                None => Time::now(what, ask),
            }
        };
        self.times = waited.map(time).collect();
    }

    fn begin_anew(&mut self, what: Waited) {
        for time in self.times.iter_mut().filter(|time| time.what == what) {
            *time = Time::now(what, time.ask.take());
        }
    }

    /// Since when play waits for this, in seconds since 1970.
    pub(crate) fn since(&self, what: Waited) -> Option<i64> {
        self.times.iter().find(|time| time.what == what).map(|time| time.since)
    }
}

/// Whether the same is asked of the same seats, whatever the ids.
pub(crate) fn same_ask(one: Option<&AskInfo>, other: Option<&AskInfo>) -> bool {
    one.zip(other).is_some_and(|(one, other)| {
        (one.who, one.kind, &one.prompt) == (other.who, other.kind, &other.prompt)
    })
}

impl Inner {
    /// Whether nobody has been here for so long, and nobody has a deadline to keep.
    pub(crate) fn is_idle(&self, since: Duration) -> bool {
        self.present.is_empty() && self.late_at().is_none() && self.used.elapsed() >= since
    }

    fn around(&self) -> Surroundings<'_> {
        Surroundings {
            settings: &self.settings,
            present: &self.present,
            knocking: &self.knocking,
            stuck: self.stuck,
            held: self.held,
            unbegun: self.unbegun(),
            clock: &self.clock,
        }
    }

    /// Whether the machine waits until the first of those who play has come in.
    fn unbegun(&self) -> bool {
        let done = |record: &Record| match &record.entry {
            Entry::Answer(answer) => answer.auto.is_none(),
            Entry::Roll(_) => true,
            _ => false,
        };
        let Some(table) = self.table.as_ref().filter(|_| self.settings.waits_for_players && !self.came)
        else {
            return false;
        };
        let seats = table.game().seats();
        seats.iter().any(|info| !self.settings.bots.contains_key(&info.seat)) && !table.log().live().any(done)
    }

    /// Somebody has come in; the machine begins with the first of those who play.
    fn comes_in(&mut self, who: Viewer) {
        let plays = matches!(who, Viewer::Seat(seat) if !self.settings.bots.contains_key(&seat));
        if plays && !self.came {
            self.came = true;
            self.moved();
        }
    }

    fn see(&mut self, who: Viewer) -> Option<Arc<Sent>> {
        let unbegun = self.unbegun();
        let Inner { table, settings, sights, present, knocking, stuck, held, clock, opening, stamp, .. } =
            self;
        let table = table.as_ref()?;
        let around = Surroundings { settings, present, knocking, stuck: *stuck, held: *held, unbegun, clock };
        Some(sights.entry(who).or_insert_with(|| Sight::new(who, *opening)).look(table, &around, *stamp))
    }

    /// Something may be otherwise for somebody.
    fn moved(&mut self) {
        self.stamp += 1;
        let Some(table) = &self.table else { return };
        self.clock.read(table);
        let records = table.log().records();
        let new = records.get(self.records..).unwrap_or_default();
        if new.iter().any(|record| record.to(Viewer::Spectator).is_some()) {
            self.played = Some(auth::now());
        }
        self.records = records.len();
    }

    /// For whom the table waits, as everybody may know.
    fn waits(&self) -> Option<Waits> {
        let (table, settings) = (self.table.as_ref()?, &self.settings);
        let around = self.around();
        let glance = Glance::outside(table, &around);
        let mut seats = if settings.paused { Vec::new() } else { glance.waited_for() };
        seats.retain(|seat| *seat != Seat::Chance && !settings.bots.contains_key(seat));
        Some(Waits {
            names: seats.iter().map(|seat| glance.name(*seat)).collect(),
            here: seats.iter().copied().filter(|s| self.present.contains_key(&Viewer::Seat(*s))).collect(),
            seats,
        })
    }

    /// How the table stands, where it is open.
    fn left(&self) -> Option<Left> {
        let (table, settings) = (self.table.as_ref()?, &self.settings);
        let around = self.around();
        let is_due = |seat: &Seat| {
            let glance = Glance { who: Viewer::Seat(*seat), ..Glance::outside(table, &around) };
            !settings.paused && !settings.bots.contains_key(seat) && glance.is_due()
        };
        Some(Left {
            over: table.game().now() == Now::Over,
            paused: settings.paused,
            due: table.game().seats().iter().map(|info| info.seat).filter(is_due).collect(),
            awaited: self.waits()?.names,
            played: self.played,
        })
    }

    /// What the machine does now, or whoever let the table wait too long would have done.
    fn step(&mut self, patience: Patience) -> Result<Did, PlayError> {
        if self.unbegun() {
            return Ok(Did::Nothing);
        }
        let late = self.late_now();
        let Inner { table: Some(table), settings, machine, stuck, held, clock, .. } = self else {
            return Ok(Did::Nothing);
        };
        if settings.paused || *held {
            return Ok(Did::Nothing);
        }
        if let Some(late) = late {
            let did = match (late, table.game().now()) {
                (Waited::Roll(_), Now::Roll(roll)) => table.roll(roll.whose, Throw::Dice).map(|_| Did::Threw),
                (Waited::Ask(id), Now::Asks(asks)) => match asks.iter().find(|ask| ask.id == id) {
                    Some(ask) => machine.answer_late(table, &settings.bots, ask),
                    None => Ok(Did::Nothing),
                },
                _ => Ok(Did::Nothing),
            };
            if !matches!(did, Ok(Did::Threw | Did::Answered(_))) {
                // Nothing could be done for them: they have as long again.
                clock.begin_anew(late);
            }
            return did;
        }
        let declined = machine.decline_gainless(table, &settings.passes)?;
        if declined != Did::Nothing || stuck.is_some() {
            return Ok(declined);
        }
        let throws = |seat| {
            settings.throws.contains(&seat)
                || settings.bots.contains_key(&seat)
                || seat == Seat::Chance && settings.bots.contains_key(&Seat::Gm)
        };
        let did = machine.step(table, &settings.bots, throws, patience)?;
        if let Did::Stuck(seat) = did {
            *stuck = Some(seat);
        }
        Ok(did)
    }

    /// What players are waited for, each since when.
    fn waited(&self) -> Vec<(Waited, Instant)> {
        let Some(table) = &self.table else { return Vec::new() };
        let is_player =
            |seat: &Seat| matches!(seat, Seat::Player(_)) && !self.settings.bots.contains_key(seat);
        let waited: Vec<Waited> = match table.game().now() {
            Now::Over => Vec::new(),
            Now::Roll(roll) if is_player(&roll.whose) && table.log().header().seed.is_some() => {
                vec![Waited::roll(table)]
            }
            Now::Roll(_) => Vec::new(),
            Now::Asks(asks) => {
                let open = |ask: &&AskInfo| {
                    let agreed = agreed(table, ask);
                    ask.who.seats().iter().any(|seat| is_player(&seat) && !agreed.contains(&seat))
                };
                let waited = holding(table.game(), &asks).into_iter().filter(open);
                waited.map(|ask| Waited::Ask(ask.id)).collect()
            }
        };
        let times = self.clock.times.iter().filter(|time| waited.contains(&time.what));
        times.map(|time| (time.what, time.at)).collect()
    }

    /// When the first of those whom play waits for will have let it wait too long.
    fn late_at(&self) -> Option<Instant> {
        if self.settings.paused || self.held || self.unbegun() {
            return None;
        }
        let deadline = self.settings.deadline()?;
        self.waited().iter().map(|(_, since)| *since + deadline).min()
    }

    /// What has been waited for too long.
    fn late_now(&self) -> Option<Waited> {
        let deadline = self.settings.deadline()?;
        self.waited().into_iter().find(|(_, since)| since.elapsed() >= deadline).map(|(what, _)| what)
    }

    /// How much everybody may see has happened.
    fn openly(&mut self) -> u64 {
        self.see(Viewer::Spectator).map_or(0, |sent| sent.mark.version)
    }

    /// Whether people beside the gamemaster play.
    fn is_watched(&self) -> bool {
        let Some(table) = &self.table else { return false };
        let seats = table.game().seats();
        seats
            .iter()
            .any(|info| matches!(info.seat, Seat::Player(_)) && !self.settings.bots.contains_key(&info.seat))
    }

    fn obey(&mut self, by: Viewer, command: &Command) -> Result<Done, Refusal> {
        let Viewer::Seat(seat) = by else {
            return Err(Refusal::NotYours("spectators cannot do this"));
        };
        // In a pause people may talk, and the gamemaster may strike what led to it.
        let strikes = matches!(command, Command::Rewind(_) | Command::Undo(_) | Command::Fiat { .. });
        if self.settings.paused && !matches!(command, Command::Note { .. }) && !(by.is_gm() && strikes) {
            return Err(Refusal::Paused);
        }
        command.fits()?;
        if self.table.is_none() {
            return Err(Refusal::Failed("the server is ending: nothing was changed"));
        }
        if matches!(command, Command::Answer { .. } | Command::Throw { .. }) {
            self.see(by);
        }
        let sight = self.sights.get(&by);
        let due = sight.and_then(|sight| sight.roll().map(str::to_owned));
        let ask = match command {
            Command::Answer { ask, .. } => sight.and_then(|sight| sight.ask(ask)),
            _ => None,
        };
        let quicker = match command {
            Command::Answer { ask, .. } => {
                sight.and_then(|sight| sight.closed(ask)).and_then(|id| quicker(self.table.as_ref()?, by, id))
            }
            _ => None,
        };
        let Inner { table: Some(table), machine, stuck, held, .. } = self else { return Err(Refusal::Stale) };
        let gm = |what| if by.is_gm() { Ok(()) } else { Err(Refusal::NotYours(what)) };
        let done = match command {
            Command::Answer { answer, own, text, of, .. } => {
                let id = ask.ok_or_else(|| quicker.map_or(Refusal::Stale, Refusal::Quicker))?;
                let answer = worded(table, by, id, answer, own.as_deref())?;
                table.answer(seat, *of, id, &answer, text.as_deref())?
            }
            Command::Throw { roll, .. } if due.as_ref() != Some(roll) => return Err(Refusal::Stale),
            Command::Throw { faces: None, .. } => table.roll(seat, Throw::Dice)?,
            Command::Throw { faces: Some(faces), .. } => table.roll(seat, Throw::Faces(faces))?,
            Command::Fiat { fiat, text } => {
                gm("only the gamemaster overrules")?;
                table.fiat(fiat, text.as_deref())?
            }
            Command::Note { to, text } => table.note(seat, to.clone(), text)?,
            Command::Stand { reply, on } => table.stand(seat, reply, *on)?,
            Command::Rewind(to) => table.rewind(*to, seat)?,
            Command::Undo(line) => {
                gm("only the gamemaster takes back what others did")?;
                if line.is_some_and(|line| table.last_done() != Some(line)) {
                    return Err(Refusal::Moved);
                }
                table.undo()?
            }
            Command::TakeBack => table.take_back(seat)?,
        };
        if !matches!(command, Command::Note { .. }) {
            machine.people_moved();
            *stuck = None;
            // The machine does not at once do again what was taken back before others' eyes.
            let is_deed = |record: &Record| matches!(record.entry, Entry::Answer(_) | Entry::Roll(_));
            let seats = table.game().seats().into_iter().map(|info| Viewer::Seat(info.seat));
            let others: Vec<Viewer> =
                seats.filter(|viewer| !viewer.is_gm()).chain([Viewer::Spectator]).collect();
            let is_seen = |record: &Record| others.iter().any(|&viewer| record.to(viewer).is_some());
            *held = matches!(command, Command::Rewind(_) | Command::Undo(_) | Command::TakeBack)
                && table
                    .log()
                    .records()
                    .iter()
                    .any(|record| record.struck == Some(done.line) && is_deed(record) && is_seen(record));
        }
        Ok(done)
    }
}

/// Who answered an ask that is no longer open, and what came of it, as far as this viewer was
/// shown it: nothing where it was their own answer.
fn quicker(table: &Table, by: Viewer, id: AskId) -> Option<String> {
    let is_answer = |record: &&Record| matches!(&record.entry, Entry::Answer(answer) if answer.ask == id);
    let record = table.log().live().rev().find(is_answer)?;
    let line = record.to(by).filter(|line| !line.shown.is_empty())?;
    let What::Answer { seat, .. } = line.what else { return None };
    if by == Viewer::Seat(seat) {
        return None;
    }
    let name = table.game().seats().into_iter().find(|info| info.seat == seat)?.name;
    let name = if seat == Seat::Gm { "The gamemaster".to_owned() } else { name };
    let shown: Vec<&str> = line.shown.iter().map(|shown| shown.text.as_str()).collect();
    Some(format!("{name} was quicker: {}", shown.join(" ")))
}

/// An answer with somebody's own words in the place that it has for them.
fn worded(table: &Table, by: Viewer, id: AskId, answer: &str, own: Option<&str>) -> Result<String, Refusal> {
    let Some(own) = own.map(str::trim).filter(|own| !own.is_empty()) else { return Ok(answer.to_owned()) };
    let listed = table.game().legal(id, by);
    match listed.iter().find(|listed| listed.answer == answer && listed.told.free.is_some()) {
        Some(listed) => Ok(listed.in_own_words(own)?),
        None => Ok(answer.to_owned()),
    }
}

/// How far a browser has read.
///
/// What a stream was handed may be lost on its way: it counts as read once the stream
/// has stood for a [`BEAT`] after it, or the browser itself has hung up. Whatever is
/// told twice for that is told to somebody who may have missed it.
#[derive(Debug, Default)]
struct Reading {
    /// Streams that it has open.
    open: usize,
    /// Lines that it has seen.
    seen: usize,
    /// How many it will have seen where what was sent then has come.
    sent: VecDeque<(Instant, usize)>,
}

impl Reading {
    fn begin(&mut self, seen: usize) {
        if self.open == 0 {
            (self.seen, self.sent) = (seen, VecDeque::new());
        }
        self.open += 1;
    }

    fn show(&mut self, lines: usize) {
        self.seen = lines;
        self.sent.clear();
    }

    fn send(&mut self, lines: usize, now: Instant) {
        self.seen_by(now);
        if self.sent.back().map_or(self.seen, |(_, sent)| *sent) != lines {
            self.sent.push_back((now, lines));
        }
    }

    fn seen_by(&mut self, now: Instant) -> usize {
        while let Some((_, lines)) = self.sent.front().copied().filter(|(at, _)| *at + BEAT <= now) {
            self.seen = lines;
            self.sent.pop_front();
        }
        self.seen
    }

    fn end(&mut self, wire: &Wire, now: Instant) -> usize {
        self.seen_by(now);
        self.open = self.open.saturating_sub(1);
        if wire.was_hung_up() {
            self.seen = self.sent.back().map_or(self.seen, |(_, lines)| *lines);
        }
        if wire.was_hung_up() || self.open == 0 {
            self.sent.clear();
        }
        self.seen
    }
}

/// Somebody's stream is open.
pub(crate) struct Presence {
    room: Arc<Room>,
    who: Viewer,
    browser: Hash,
    wire: Wire,
}

impl Presence {
    /// So many lines are on their way to it.
    pub(crate) fn send(&self, lines: usize) {
        let mut inner = self.room.inner();
        if let Some(reading) = inner.readers.get_mut(&(self.who, self.browser)) {
            reading.send(lines, Instant::now());
        }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let seen = self.room.change(|inner| {
            if let Some(count) = inner.present.get_mut(&self.who) {
                *count -= 1;
                if *count == 0 {
                    inner.present.remove(&self.who);
                }
            }
            let reading = inner.readers.get_mut(&(self.who, self.browser))?;
            Some(reading.end(&self.wire, Instant::now()))
        });
        // What has been seen until now: what comes after it has come since.
        if let (Some(seen), Ok(runtime)) = (seen, Handle::try_current()) {
            let (room, who, browser) = (self.room.clone(), self.who, self.browser);
            runtime.spawn(async move { room.has_seen(who, browser, seen).await });
        }
    }
}

/// Lets the machine play its seats for as long as the room is there.
async fn run_machine(room: std::sync::Weak<Room>, pace: Duration) {
    // Until when people who may step in have time.
    let mut patient: Option<Instant> = None;
    let mut streak = Streak::default();
    loop {
        let Some(now) = room.upgrade() else { return };
        if now.is_closed() {
            return;
        }
        let (grace, even) = {
            let inner = now.inner();
            (inner.settings.grace(), inner.is_watched())
        };
        let patience = match patient {
            Some(until) if Instant::now() >= until => Patience::Spent,
            _ if even => Patience::Even,
            _ => Patience::Left,
        };
        let (at, stirred) = (now.clone(), now.stirred.clone());
        drop(now);
        let step = tokio::task::spawn_blocking(move || {
            at.machine(patience).inspect_err(|error| {
                tracing::error!(table = %at.id, %error, "the machine could not go on");
            })
        });
        let Ok(Ok(step)) = step.await else {
            // Nothing has changed: it is tried again, at the latest when somebody acts.
            let _ = tokio::time::timeout(AGAIN, stirred.notified()).await;
            continue;
        };
        match step.did {
            Did::Threw | Did::Answered(_) => {
                // A step that nobody is shown does not give people time once more: the
                // time would show that there was one.
                if step.seen.0 != step.seen.1 {
                    patient = None;
                }
                tokio::time::sleep(streak.pause(&step, pace)).await;
            }
            Did::Waits => {
                // Whoever steps in meanwhile is heard; silence is consent.
                let until = *patient.get_or_insert_with(|| Instant::now() + grace);
                let _ = tokio::time::timeout_at(until, stirred.notified()).await;
            }
            Did::Nothing | Did::Stuck(_) => {
                patient = None;
                match step.late {
                    Some(late) => drop(tokio::time::timeout_at(late, stirred.notified()).await),
                    None => stirred.notified().await,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_seat_does_piece_by_piece_goes_on_quickly() {
        let (pace, short) = (Duration::from_millis(700), Duration::from_millis(280));
        let (ana, ben) = (Did::Answered(Seat::Player(1)), Did::Answered(Seat::Player(2)));
        let step = |did, dice_due, seen| Step { did, seen, dice_due, late: None };
        let mut streak = Streak::default();
        let mut pause = |step: &Step| streak.pause(step, pace);
        assert_eq!(pause(&step(ana, true, (0, 1))), Duration::ZERO, "dice are thrown with the answer");
        assert_eq!(pause(&step(Did::Threw, true, (1, 2))), pace, "each throw is seen");
        assert_eq!(pause(&step(Did::Threw, false, (2, 3))), pace);
        assert_eq!(pause(&step(ben, true, (3, 3))), Duration::ZERO);
        assert_eq!(pause(&step(ana, false, (3, 4))), short, "whatever nobody saw in between");
        assert_eq!(pause(&step(ana, true, (4, 5))), Duration::ZERO);
        assert_eq!(pause(&step(Did::Threw, false, (5, 6))), short);
        assert_eq!(pause(&step(ben, false, (6, 7))), pace, "somebody else is read anew");
        assert_eq!(pause(&step(ben, false, (8, 9))), pace, "as after what a person did");
        assert_eq!(pause(&step(ben, false, (9, 10))), short);
    }

    #[test]
    fn what_may_not_have_come_is_not_seen() {
        let (hung_up, broken) = (Wire::hung_up(), Wire::default());
        let begun = Instant::now();
        let after = |seconds| begun + Duration::from_secs(seconds);
        let mut reading = Reading::default();
        reading.begin(3);
        reading.send(5, after(0));
        assert_eq!(reading.seen_by(after(29)), 3, "it may be on its way");
        assert_eq!(reading.seen_by(after(30)), 5, "or the connection would have broken");
        reading.send(7, after(31));
        assert_eq!(reading.end(&broken, after(60)), 5);
        assert_eq!(reading.seen_by(after(900)), 5, "what was lost does not come later");
        reading.begin(5);
        reading.send(8, after(901));
        assert_eq!(reading.end(&hung_up, after(902)), 8);
        // One of two tabs breaks: the other one goes on.
        reading.begin(8);
        reading.begin(8);
        reading.send(9, after(903));
        reading.end(&broken, after(904));
        assert_eq!(reading.seen_by(after(933)), 9);
        // Lines that were taken back are none.
        reading.send(6, after(934));
        assert_eq!(reading.end(&hung_up, after(935)), 6);
    }
}
