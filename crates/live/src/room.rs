//! A table on a server: commands come in, projections go out.

use crate::clock::{Clock, Waited};
use crate::command::{Called, Carried, Command, Refusal};
use crate::glance::{Glance, Pointing, Surroundings};
use crate::left::{Come, Left, Waits};
use crate::sight::{Draw, Sent, Sight};
use crate::streak::{Step, Streak};
use crate::{auth, reading::Reading, settings::Settings, wire::Wire};
use fracas_face::machine::{Did, Machine, Patience, agreed, holding};
use fracas_kernel::{AskId, AskInfo, Now, Seat, SeatSet, Seen, Space, Viewer};
use fracas_store::{Db, DbError, Hash, Key, Member, TableId};
use fracas_table::{Done, Entry, PlayError, Record, Seed, Table, Throw, What};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::{runtime::Handle, task::block_in_place, time::Instant};

/// How long to wait before the machine retries what could not be saved.
pub const AGAIN: Duration = Duration::from_secs(5);

/// How long somebody points everybody to a space.
const POINTED: Duration = Duration::from_secs(6);

/// The content of a room: a table, the keys of its commands, and its settings.
pub(crate) struct Held {
    pub(crate) table: Table,
    pub(crate) key: Key,
    pub(crate) settings: Settings,
    /// The machine's pause between two steps.
    pub(crate) pace: Duration,
    /// The people at the door.
    pub(crate) knocking: Vec<Member>,
    /// Draws what viewers are sent.
    pub(crate) draw: &'static dyn Draw,
}

/// A table on a server.
pub struct Room {
    /// The table's id.
    pub id: TableId,
    db: Db,
    inner: Mutex<Inner>,
    /// Held while the settings are changed.
    setting: tokio::sync::Mutex<()>,
    revision: watch::Sender<u64>,
    /// Grows when a person may have lost their place.
    doors: watch::Sender<u64>,
    /// Wakes the machine.
    stirred: Arc<Notify>,
}

pub(crate) struct Inner {
    id: TableId,
    draw: &'static dyn Draw,
    /// `None` once the room is closed.
    table: Option<Table>,
    key: Key,
    /// The number of the table's opening; see [`Sight`].
    opening: u64,
    settings: Settings,
    machine: Machine,
    sights: BTreeMap<Viewer, Sight>,
    /// Open streams of each role.
    present: BTreeMap<Viewer, usize>,
    /// How far each browser in a role has read.
    readers: BTreeMap<(Viewer, Hash), Reading>,
    /// The people at the door.
    knocking: Vec<Member>,
    /// The seat whose machine repeats itself without progress.
    stuck: Option<Seat>,
    /// After a rewind: the machine waits until a person acts.
    held: bool,
    /// Since when play waits for each thing.
    clock: Clock,
    /// A player has come in since the table was opened.
    came: bool,
    /// The space that somebody points everybody to.
    pointing: Option<Pointing>,
    /// When a person last used the room. The machine's own steps keep no table open.
    used: Instant,
    /// Grows with every possible change of what a viewer is sent.
    stamp: u64,
    /// The number of records in the log at the last change.
    records: usize,
    /// When the last line came that everybody may read, in seconds since 1970, if known.
    played: Option<i64>,
}

impl Room {
    pub(crate) fn new(id: TableId, db: Db, opening: u64, held: Held) -> Arc<Room> {
        let Held { table, key, mut settings, pace, knocking, draw } = held;
        let played = settings.left.take().and_then(|left| left.played);
        let seed = table
            .log()
            .header()
            .seed
            .as_ref()
            .map_or_else(|| getrandom::u64().unwrap_or_default(), Seed::of_machine);
        let room = Arc::new(Room {
            id: id.clone(),
            db,
            inner: Mutex::new(Inner {
                id,
                draw,
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
                pointing: None,
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
        // The lines of the log are older than this opening.
        room.inner().played = played;
        tokio::spawn(run_machine(Arc::downgrade(&room), pace));
        room
    }

    /// The room's state, under its lock. A holder may be waiting for the disk, so a thread
    /// of the runtime hands its other tasks on first.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        match self.inner.try_lock() {
            Ok(inner) => inner,
            Err(TryLockError::Poisoned(inner)) => inner.into_inner(),
            Err(TryLockError::WouldBlock) => {
                block_in_place(|| self.inner.lock().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }

    /// Notifies streams of possible changes.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.revision.subscribe()
    }

    /// Notifies streams to check whether their viewer still has a place.
    pub fn watch_doors(&self) -> watch::Receiver<u64> {
        self.doors.subscribe()
    }

    /// Changes the state and notifies viewers.
    fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let mut inner = self.inner();
        inner.used = Instant::now();
        let done = change(&mut inner);
        inner.moved();
        drop(inner);
        self.notify();
        done
    }

    fn notify(&self) {
        self.revision.send_modify(|revision| *revision += 1);
        self.stirred.notify_one();
    }

    /// Carries out a command, which is on disk when this returns. A command under the same
    /// key is carried out once.
    ///
    /// It runs on a thread of its own: a long one, such as a far rewind, blocks this table
    /// but no other.
    pub async fn command(
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
                // A command that an earlier version kept has no hash, and counts as the
                // same.
                Ok(Some((_, known)))
                    if known.is_some_and(|known| asked.is_some_and(|asked| asked != known)) =>
                {
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
        self.notify();
        Ok(Carried::Now(done.line))
    }

    /// Names a player's seat after the player who sits down there. A number is added if
    /// another seat has the name.
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
        // If that fails, the player keeps the seat's old name.
        if let Ok(Err(error)) = called.await {
            tracing::warn!(table = %self.id, %error, "a seat could not be called as its player");
        }
    }

    /// Everything that this viewer is sent, up to date.
    pub fn see(&self, who: Viewer) -> Option<Arc<Sent>> {
        let mut inner = self.inner();
        inner.used = Instant::now();
        inner.see(who)
    }

    /// Looks at the table as this viewer may, together with what they are sent.
    pub fn glance<T>(&self, who: Viewer, look: impl FnOnce(&Glance<'_>, &Sent) -> T) -> Option<T> {
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

    /// The seats that the table waits for, as everybody may know.
    pub(crate) fn waits(&self) -> Option<Waits> {
        self.inner().waits()
    }

    /// How the table stands, if it is open.
    pub fn left(&self) -> Option<Left> {
        self.inner().left()
    }

    /// The table's progress, as everybody may know.
    pub fn come(&self) -> Option<Come> {
        let mut inner = self.inner();
        let lines = inner.read(Viewer::Spectator)?.lines();
        Some(Come { lines, over: inner.table.as_ref()?.game().now() == Now::Over })
    }

    /// Looks at the table, if it is open.
    pub fn look<T>(&self, look: impl FnOnce(&Table, &Settings) -> T) -> Option<T> {
        let inner = self.inner();
        inner.table.as_ref().map(|table| look(table, &inner.settings))
    }

    /// Looks up an ask by this viewer's name for it.
    pub fn ask<T>(&self, who: Viewer, ask: &str, look: impl FnOnce(&Table, AskId) -> T) -> Option<T> {
        let mut inner = self.inner();
        let id = inner.read(who)?.ask(ask)?;
        inner.table.as_ref().map(|table| look(table, id))
    }

    /// How many dice the roll of this name takes, if this viewer is shown that it is due.
    pub fn dice_due(&self, who: Viewer, roll: &str) -> Option<usize> {
        let mut inner = self.inner();
        let sight = inner.read(who).filter(|sight| sight.roll() == Some(roll))?;
        sight.dice_due()
    }

    /// Changes the settings.
    pub async fn set(&self, change: impl FnOnce(&mut Settings)) -> Result<(), DbError> {
        // One at a time, so that the last change is written last.
        let _changing = self.setting.lock().await;
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
        let only_counts = Settings { tallies: before.tallies.clone(), ..after.clone() } == before;
        self.db.set_settings(&self.id, after.write()).await?;
        self.change(|inner| {
            let resumed = before.paused != after.paused;
            if resumed || before.deadline != after.deadline {
                inner.clock = Clock::default();
            }
            // Another person may have paused meanwhile.
            let paused = if resumed { after.paused } else { inner.settings.paused };
            inner.settings = Settings { paused, ..after };
        });
        // Nobody else sees what the gamemaster counts, so it moves no machine.
        if !only_counts {
            self.go_on();
        }
        Ok(())
    }

    /// Saves which seats have been nudged. No viewer is shown that.
    pub(crate) async fn remember_nudged(&self, nudged: BTreeSet<Seat>) {
        let _changing = self.setting.lock().await;
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

    /// Pauses play at once; the pause holds even if it cannot be saved.
    pub async fn pause(&self) -> Result<(), DbError> {
        self.change(|inner| {
            inner.settings.paused = true;
            inner.clock = Clock::default();
        });
        let _changing = self.setting.lock().await;
        let settings = self.inner().settings.write();
        self.db.set_settings(&self.id, settings).await
    }

    /// Lets the machine go on, whatever it waits for.
    pub fn go_on(&self) {
        self.change(|inner| {
            (inner.stuck, inner.held) = (None, false);
            inner.machine.people_moved();
        });
    }

    /// Points everybody to a space of the map, for a few seconds.
    pub fn point(self: &Arc<Self>, seat: Seat, space: Space) {
        let pointing = Pointing { seat, space, since: Instant::now() };
        self.change(|inner| inner.pointing = Some(pointing));
        let room = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(POINTED).await;
            let Some(room) = room.upgrade() else { return };
            let is_it = room.inner().pointing.is_some_and(|now| now.since == pointing.since);
            if is_it {
                room.change(|inner| inner.pointing = None);
            }
        });
    }

    /// Updates the people at the door, and tells streams that access has changed.
    pub fn doors_moved(&self, waiting: Vec<Member>) {
        self.change(|inner| inner.knocking = waiting);
        self.doors.send_modify(|moved| *moved += 1);
    }

    /// Begins a browser's stream in this role, after `seen` lines. It ends when the result
    /// is dropped.
    pub fn enter(self: &Arc<Self>, who: Viewer, browser: Hash, seen: usize, wire: Wire) -> Presence {
        self.change(|inner| {
            inner.comes_in(who);
            *inner.present.entry(who).or_default() += 1;
            inner.readers.entry((who, browser)).or_default().begin(seen);
        });
        Presence { room: self.clone(), who, browser, wire }
    }

    /// How many lines have reached a browser over its streams.
    pub fn sent_to(&self, who: Viewer, browser: Hash) -> usize {
        let mut inner = self.inner();
        inner.readers.get_mut(&(who, browser)).map_or(0, |reading| reading.seen_by(Instant::now()))
    }

    /// A page with this many lines was sent to a browser.
    pub async fn was_shown(&self, who: Viewer, browser: Hash, lines: usize) {
        if let Some(reading) = self.inner().readers.get_mut(&(who, browser)) {
            reading.show(lines);
        }
        self.has_seen(who, browser, lines).await;
    }

    /// Records that a browser has seen this many of its lines.
    async fn has_seen(&self, who: Viewer, browser: Hash, lines: usize) {
        if let Err(error) = self.db.set_seen(&self.id, browser, who, lines as u64).await {
            tracing::warn!(table = %self.id, %error, "how far somebody has read could not be kept");
        }
    }

    /// Whether nobody has used the room for this long, and no deadline runs.
    pub(crate) fn is_idle(&self, since: Duration) -> bool {
        self.inner().is_idle(since)
    }

    /// Whether the room is closed: the table is then opened anew.
    pub(crate) fn is_closed(&self) -> bool {
        self.inner().table.is_none()
    }

    /// Records the table's state and closes the room.
    pub(crate) async fn close(self: &Arc<Self>) {
        self.close_if(|_| true).await;
    }

    /// Closes the room if a condition holds at that moment. Returns whether it did.
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
            let _changing = self.setting.lock().await;
            let settings = self.inner().settings.write();
            if let Err(error) = self.db.set_settings(&self.id, settings).await {
                tracing::warn!(table = %self.id, %error, "how it stands could not be kept for lists of tables");
            }
        }
        if let Some(Err(error)) = &closed {
            tracing::warn!(table = %self.id, %error, "where it stands could not be recorded; no answer is lost");
        }
        self.notify();
        closed.is_some()
    }

    /// Lets the machine take one step, if there is one.
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
            self.notify();
        }
        Ok(step)
    }
}

impl Inner {
    /// Whether nobody has used the room for this long, and no deadline runs.
    pub(crate) fn is_idle(&self, since: Duration) -> bool {
        self.present.is_empty() && self.late_at().is_none() && self.used.elapsed() >= since
    }

    fn around(&self) -> Surroundings<'_> {
        Surroundings {
            id: &self.id,
            settings: &self.settings,
            present: &self.present,
            knocking: &self.knocking,
            stuck: self.stuck,
            held: self.held,
            unbegun: self.unbegun(),
            clock: &self.clock,
            pointing: self.pointing,
        }
    }

    /// Whether the machine waits until the first player has come in.
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

    /// A person has come in. The machine begins with the first player.
    fn comes_in(&mut self, who: Viewer) {
        let plays = matches!(who, Viewer::Seat(seat) if !self.settings.bots.contains_key(&seat));
        if plays && !self.came {
            self.came = true;
            self.moved();
        }
    }

    /// This viewer's projection, with today's names of what is asked. It is not drawn.
    fn read(&mut self, who: Viewer) -> Option<&Sight> {
        let Inner { table: Some(table), sights, opening, stamp, draw, .. } = self else { return None };
        let sight = sights.entry(who).or_insert_with(|| Sight::new(who, *opening));
        sight.read_on(table, *draw, *stamp);
        Some(sight)
    }

    fn see(&mut self, who: Viewer) -> Option<Arc<Sent>> {
        let unbegun = self.unbegun();
        let Inner { id, table, settings, sights, present, knocking, stuck, held, clock, pointing, .. } = self;
        let table = table.as_ref()?;
        let around = Surroundings {
            id,
            settings,
            present,
            knocking,
            stuck: *stuck,
            held: *held,
            unbegun,
            clock,
            pointing: *pointing,
        };
        let sight = sights.entry(who).or_insert_with(|| Sight::new(who, self.opening));
        Some(sight.look(table, &around, self.draw, self.stamp))
    }

    /// Notifies viewers of a possible change.
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

    /// The seats that the table waits for, as everybody may know.
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

    /// How the table stands, if it is open.
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

    /// Takes the machine's next step, or that of a player whose deadline has passed.
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
                // Nothing could be done for them, so their time begins again.
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

    /// The things that players are awaited for, each since when.
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
        self.clock.times_of(&waited)
    }

    /// When the first deadline passes.
    fn late_at(&self) -> Option<Instant> {
        if self.settings.paused || self.held || self.unbegun() {
            return None;
        }
        let deadline = self.settings.deadline()?;
        self.waited().iter().map(|(_, since)| *since + deadline).min()
    }

    /// The thing whose deadline has passed.
    fn late_now(&self) -> Option<Waited> {
        let deadline = self.settings.deadline()?;
        self.waited().into_iter().find(|(_, since)| since.elapsed() >= deadline).map(|(what, _)| what)
    }

    /// The public version: it counts what everybody may see.
    fn openly(&mut self) -> u64 {
        self.see(Viewer::Spectator).map_or(0, |sent| sent.mark.version)
    }

    /// Whether people besides the gamemaster play.
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
        // During a pause people may talk, and the gamemaster may strike what led to it.
        let strikes = matches!(command, Command::Rewind(_) | Command::Undo(_) | Command::Fiat { .. });
        if self.settings.paused && !matches!(command, Command::Note { .. }) && !(by.is_gm() && strikes) {
            return Err(Refusal::Paused);
        }
        command.fits()?;
        if self.table.is_none() {
            return Err(Refusal::Failed("the server is ending: nothing was changed"));
        }
        if matches!(command, Command::Answer { .. } | Command::Throw { .. }) {
            self.read(by);
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
        let Inner { table: Some(table), settings, machine, stuck, held, .. } = self else {
            return Err(Refusal::Stale);
        };
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
            let seats = table.game().seats().into_iter().map(|info| Viewer::Seat(info.seat));
            let others: Vec<Viewer> =
                seats.filter(|viewer| !viewer.is_gm()).chain([Viewer::Spectator]).collect();
            let is_machines = settings.bots.contains_key(&Seat::Gm);
            let is_seen =
                |record: &Record| is_machines || others.iter().any(|&viewer| record.to(viewer).is_some());
            let records = table.log().records();
            // What the gamemaster does unseen moves no machine that others see waiting.
            if records.iter().skip(done.line as usize).any(is_seen) {
                machine.people_moved();
                (*stuck, *held) = (None, false);
            }
            // After a rewind in others' sight, the machine does not repeat at once what was
            // taken back.
            let is_deed = |record: &Record| matches!(record.entry, Entry::Answer(_) | Entry::Roll(_));
            let is_struck =
                |record: &Record| record.struck == Some(done.line) && is_deed(record) && is_seen(record);
            let goes_back = matches!(command, Command::Rewind(_) | Command::Undo(_) | Command::TakeBack);
            *held |= goes_back && records.iter().any(is_struck);
        }
        Ok(done)
    }
}

/// The answer that closed an ask, as far as this viewer was shown it; `None` if it was their
/// own.
fn quicker(table: &Table, by: Viewer, id: AskId) -> Option<String> {
    let is_answer = |record: &&Record| matches!(&record.entry, Entry::Answer(answer) if table.lasting(answer.ask, by) == id);
    let record = table.log().live().rev().find(is_answer)?;
    let line = record.to(by).filter(|line| !line.shown.is_empty())?;
    let What::Answer { seat, .. } = line.what else { return None };
    if by == Viewer::Seat(seat) {
        return None;
    }
    let name = crate::glance::name(table, seat);
    let name = if seat == Seat::Gm { name.replacen("the ", "The ", 1) } else { name };
    let shown: Vec<&str> = line.shown.iter().map(|shown| shown.text.as_str()).collect();
    Some(format!("{name} was quicker: {}", shown.join(" ")))
}

/// An answer with the viewer's own words in the place for them.
fn worded(table: &Table, by: Viewer, id: AskId, answer: &str, own: Option<&str>) -> Result<String, Refusal> {
    let Some(own) = own.map(str::trim).filter(|own| !own.is_empty()) else { return Ok(answer.to_owned()) };
    let listed = table.game().legal(id, by);
    match listed.iter().find(|listed| listed.answer == answer && listed.told.free.is_some()) {
        Some(listed) => Ok(listed.in_own_words(own)?),
        None => Ok(answer.to_owned()),
    }
}

/// A viewer's open stream.
pub struct Presence {
    room: Arc<Room>,
    who: Viewer,
    browser: Hash,
    wire: Wire,
}

impl Presence {
    /// Records that this many lines are on their way.
    pub fn send(&self, lines: usize) {
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
        // Lines up to here have been seen; later ones are news.
        if let (Some(seen), Ok(runtime)) = (seen, Handle::try_current()) {
            let (room, who, browser) = (self.room.clone(), self.who, self.browser);
            runtime.spawn(async move { room.has_seen(who, browser, seen).await });
        }
    }
}

/// Runs the machine's seats as long as the room exists.
async fn run_machine(room: std::sync::Weak<Room>, pace: Duration) {
    // Until when players may step in.
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
            // Nothing has changed. It is tried again, at the latest when a person acts.
            let _ = tokio::time::timeout(AGAIN, stirred.notified()).await;
            continue;
        };
        match step.did {
            Did::Threw | Did::Answered(_) => {
                // A step that nobody is shown does not restart the players' time: the time
                // would reveal it.
                if step.seen.0 != step.seen.1 {
                    patient = None;
                }
                tokio::time::sleep(streak.pause(&step, pace)).await;
            }
            Did::Waits => {
                // A player may step in meanwhile; silence is consent.
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
