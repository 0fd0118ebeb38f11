//! The tables of a server: opened when a person comes, and open while people play.

use crate::nudger::{self, Nudger};
use crate::room::{Held, Room};
use crate::webhook::{Kind, Tried, Webhook};
use crate::{auth, origin::TooOften, settings::Settings, sight::Draw};
use fracas_kernel::{Faults, Setup, System};
use fracas_store::{Db, DbError, Member, Named, NewTable, Standing, TableId};
use fracas_table::{OpenError, Opening, Seed, Store, Table};
use futures_util::future::join_all;
use std::collections::{BTreeSet, HashMap};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};
use std::time::Duration;
use time::OffsetDateTime;
use tokio::{sync::OnceCell, task::JoinError};

/// Why a table cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// The table does not exist, or not for the caller.
    #[error("there is no such table here")]
    Absent,
    /// The setup or the log has a fault.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database returned an error.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The table's settings cannot be read.
    #[error("what is kept of table {0} cannot be read: {1}")]
    Settings(TableId, serde_json::Error),
    /// The name stands for another request.
    #[error("something else was asked for under that name")]
    Otherwise,
    /// The system gives no random numbers.
    #[error("the system gives no random numbers")]
    Chance,
    /// Too many logs are being imported.
    #[error("too often: again in {} s", .0.0)]
    TooOften(TooOften),
    /// The server ends first.
    #[error("the server is ending: nothing was kept")]
    Ending,
    /// A bug.
    #[error("a bug: {0}")]
    Bug(#[from] JoinError),
    /// A bug in work on a thread of its own.
    #[error("a bug: it broke off")]
    Broken,
}

impl HallError {
    /// The setup's faults, if they are the cause.
    ///
    /// # Errors
    /// The error itself, if it is another.
    pub fn faults(self) -> Result<Faults, HallError> {
        match self {
            HallError::Open(OpenError::Setup(faults)) => Ok(faults),
            error => Err(error),
        }
    }
}

/// How long to wait for a table that is being put away.
const CLOSING: Duration = Duration::from_secs(5);
/// How often to look for it meanwhile.
const SOON: Duration = Duration::from_millis(20);

/// A table that was opened.
pub struct Opened {
    /// The table's room.
    pub room: Arc<Room>,
    /// The name that the table was opened under, with the request that first used it.
    pub named: Option<Named>,
}

type Slot = Arc<OnceCell<Arc<Room>>>;

/// The tables of a server.
pub struct Hall {
    db: Db,
    /// Numbers the openings of tables: with new numbers after each start of the server, and
    /// after a table was put away.
    opening: AtomicU64,
    keeper: Keeper,
    rooms: Mutex<HashMap<TableId, Slot>>,
}

/// The parts that every room is made from.
#[derive(Clone)]
struct Keeper {
    db: Db,
    /// The machine's pause between two steps.
    pace: Duration,
    nudger: Arc<Nudger>,
    draw: &'static dyn Draw,
}

impl Keeper {
    /// Makes the room of a table, with its webhook's task.
    async fn room(
        self,
        id: TableId,
        opening: u64,
        settings: Settings,
        table: impl FnOnce(Box<dyn Store>) -> Result<Table, OpenError> + Send + 'static,
    ) -> Result<Arc<Room>, HallError> {
        let Keeper { db, pace, nudger, draw } = self;
        if settings.left.is_some() {
            // After a crash, no state is shown rather than an old one.
            db.set_settings(&id, Settings { left: None, ..settings.clone() }.write()).await?;
        }
        let knocking = waiting(&db, &id).await?;
        let made = tokio::task::spawn_blocking(move || {
            let store = db.log(&id);
            let key = store.key();
            let table = table(Box::new(store))?;
            Ok::<_, OpenError>(Room::new(
                id,
                db,
                opening,
                Held { table, key, settings, pace, knocking, draw },
            ))
        });
        let room = made.await??;
        tokio::spawn(nudger::watch(Arc::downgrade(&room), nudger));
        Ok(room)
    }
}

/// Fills a slot once, even if the caller has gone meanwhile.
async fn fill(
    slot: Slot,
    room: impl Future<Output = Result<Arc<Room>, HallError>> + Send + 'static,
) -> Result<Arc<Room>, HallError> {
    tokio::spawn(async move { slot.get_or_try_init(|| room).await.cloned() }).await?
}

/// The people at a table's door who have given a name.
pub async fn waiting(db: &Db, table: &TableId) -> Result<Vec<Member>, DbError> {
    let mut members = db.members(table).await?;
    members.retain(|member| member.standing == Standing::Waiting && !member.name.is_empty());
    Ok(members)
}

impl Hall {
    /// The tables of a database, played at this pace and drawn by `draw`.
    pub fn new(db: Db, pace: Duration, nudger: Nudger, draw: &'static dyn Draw) -> Hall {
        let keeper = Keeper { db: db.clone(), pace, nudger: Arc::new(nudger), draw };
        Hall { db, opening: AtomicU64::new(auth::milliseconds()), keeper, rooms: Mutex::default() }
    }

    /// The number of the opening of a table that is opened now.
    fn opening(&self) -> u64 {
        self.opening.load(Ordering::Relaxed)
    }

    /// The number of tables in memory.
    pub fn count(&self) -> usize {
        self.rooms().values().filter(|slot| slot.initialized()).count()
    }

    /// The table that the same request opened under this name before.
    pub async fn before(&self, named: &Named) -> Result<Option<(TableId, Named)>, HallError> {
        match self.db.named(&named.name).await? {
            Some((_, known)) if known.asked != named.asked => Err(HallError::Otherwise),
            before => Ok(before),
        }
    }

    /// Opens a new table, or returns the table that was opened under this name before.
    pub async fn create(
        &self,
        system: System,
        setup: Setup,
        title: String,
        settings: Settings,
        named: Option<Named>,
    ) -> Result<Opened, HallError> {
        // All faults of the setup are found before anything is kept.
        let (setup, started) = tokio::task::spawn_blocking(move || {
            let started = (system.start)(&setup).map(drop);
            (setup, started)
        })
        .await?;
        started.map_err(OpenError::from)?;
        let id = auth::new_table_id().ok_or(HallError::Chance)?;
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|_| HallError::Chance)?;
        let opened = auth::now();
        let added = self
            .db
            .add_table(NewTable {
                id: id.clone(),
                system: system.id.to_owned(),
                title: title.clone(),
                opened,
                settings: settings.write(),
                named,
            })
            .await;
        let (id, named, before) = match (added, named) {
            (Ok(()), named) => (id, named, false),
            (Err(DbError::Taken), Some(named)) => {
                let (id, known) = self.before(&named).await?.ok_or(DbError::Taken)?;
                (id, Some(known), true)
            }
            (Err(error), _) => return Err(error.into()),
        };
        if before && !self.db.lines(&id).await?.is_empty() {
            return Ok(Opened { room: self.room(&id).await?, named });
        }
        let documents = std::iter::once(&setup.encounter).chain(&setup.library);
        let texts: String = documents.map(|document| format!("{} ", document.to_json())).collect();
        self.db.keep_pictures(&id, &texts).await?;
        // If the name is taken and the table has no log, it is just being opened, or the
        // server ended while opening it. In both cases it is opened once.
        let opening = Opening { title, label: date(opened), seed: Some(Seed::new(seed)) };
        let create = move |store| Table::create(&system, &setup, opening, store);
        let room = self.keeper.clone().room(id.clone(), self.opening(), settings, create);
        match fill(self.slot(&id), room).await {
            Ok(room) => Ok(Opened { room, named }),
            Err(error) => {
                // A table that could not begin leaves nothing behind, unless it was there
                // before or another request has begun it.
                if !before && self.give_up(&id) {
                    let _ = match named {
                        Some(_) => self.db.remove_unbegun(&id).await,
                        None => self.db.remove_table(&id).await,
                    };
                }
                Err(error)
            }
        }
    }

    /// Keeps an imported log as a new table.
    pub async fn keep(&self, table: NewTable, log: String) -> Result<(), DbError> {
        let id = table.id.clone();
        // Its first line holds the setup.
        let setup = log.lines().next().unwrap_or_default().to_owned();
        self.db.take_in_table(table, log).await?;
        self.db.keep_pictures(&id, &setup).await
    }

    /// Forgets a table that could not begin. Returns whether no other request has it, or is
    /// about to.
    fn give_up(&self, id: &TableId) -> bool {
        let mut rooms = self.rooms();
        // Every request that waits for a slot holds it, and takes it only under this lock.
        let nobodys = rooms.get(id).is_none_or(|slot| Arc::strong_count(slot) == 1 && !slot.initialized());
        if nobodys {
            rooms.remove(id);
        }
        nobodys
    }

    /// A table, opened if necessary.
    pub async fn room(&self, id: &TableId) -> Result<Arc<Room>, HallError> {
        let mut waited = Duration::ZERO;
        loop {
            let room = self.open(id).await?;
            // A table that is just being put away is opened again after that.
            if !room.is_closed() || waited > CLOSING {
                return Ok(room);
            }
            tokio::time::sleep(SOON).await;
            waited += SOON;
        }
    }

    async fn open(&self, id: &TableId) -> Result<Arc<Room>, HallError> {
        let open = self.rooms().get(id).and_then(|slot| slot.get().cloned());
        if let Some(room) = open {
            return Ok(room);
        }
        let row = self.db.table(id).await?.ok_or(HallError::Absent)?;
        let settings = Settings::read(&row.settings).map_err(|why| HallError::Settings(id.clone(), why))?;
        // A table of earlier rules goes on from where it stands.
        let open = |store| Table::upgrade(fracas_systems::all(), store);
        let room =
            fill(self.slot(id), self.keeper.clone().room(id.clone(), self.opening(), settings, open)).await?;
        // The table may have been deleted meanwhile.
        if self.db.table(id).await?.is_none() {
            self.dismiss(id).await;
            room.close().await;
            return Err(HallError::Absent);
        }
        Ok(room)
    }

    /// A table, if it is open.
    pub fn opened(&self, id: &TableId) -> Option<Arc<Room>> {
        self.rooms().get(id).and_then(|slot| slot.get().cloned())
    }

    /// Deletes a table: it is no longer found, and its streams end. Its gamemaster can
    /// restore it for the time `keep`. Returns until when, in seconds since 1970.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn delete(&self, id: &TableId, keep: Duration) -> Result<i64, DbError> {
        let until = auth::now().saturating_add(keep.as_secs().try_into().unwrap_or(i64::MAX));
        let until = self.db.delete_table(id, until).await?;
        self.dismiss(id).await;
        if until <= auth::now() {
            self.erase(id).await?;
        }
        Ok(until)
    }

    /// Closes a table, if it is open.
    async fn dismiss(&self, id: &TableId) {
        let slot = self.rooms().remove(id);
        if let Some(room) = slot.and_then(|slot| slot.get().cloned()) {
            room.close().await;
        }
    }

    /// Erases a deleted table, and the mention of it as another table's next one.
    ///
    /// # Errors
    /// If it cannot be saved: then it is tried again.
    pub async fn erase(&self, id: &TableId) -> Result<(), DbError> {
        for (other, settings) in self.db.all_settings().await? {
            let followed =
                Settings::read(&settings).ok().filter(|settings| settings.next.as_ref() == Some(id));
            let Some(settings) = followed.filter(|_| other != *id) else { continue };
            match self.room(&other).await {
                Ok(room) => room.set(|settings| settings.next = None).await?,
                // The table was deleted itself, or cannot be opened.
                Err(_) => {
                    self.db.set_settings(&other, Settings { next: None, ..settings }.write()).await?;
                }
            }
        }
        self.db.erase(id).await
    }

    fn slot(&self, id: &TableId) -> Slot {
        self.rooms().entry(id.clone()).or_default().clone()
    }

    fn rooms(&self) -> std::sync::MutexGuard<'_, HashMap<TableId, Slot>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens every table that goes on by itself because it has a deadline.
    pub async fn wake(&self) -> Result<(), HallError> {
        for row in self.db.tables().await? {
            if Settings::read(&row.settings).is_ok_and(|settings| settings.deadline.is_some())
                && let Err(error) = self.room(&row.id).await
            {
                tracing::warn!(table = %row.id, %error, "a table with a deadline could not be opened");
            }
        }
        Ok(())
    }

    /// Puts away every table that has not been used for a while. It stays as it is.
    pub async fn put_away(&self, idle: Duration) {
        let rooms: Vec<(TableId, Arc<Room>)> = self
            .rooms()
            .iter()
            .filter_map(|(id, slot)| Some((id.clone(), slot.get()?.clone())))
            .filter(|(_, room)| room.is_idle(idle))
            .collect();
        // At most one a round, so that numbers after the next start are higher than all of
        // these.
        self.opening.fetch_add(u64::from(!rooms.is_empty()), Ordering::Relaxed);
        for (id, room) in rooms {
            // A person may have come meanwhile.
            if room.close_if(move |room| room.is_idle(idle)).await {
                self.rooms().remove(&id);
            }
        }
    }

    /// Records the state of every table, so that they open quickly next time. A table that
    /// takes longer than `within` is left as its log has it: no answer is lost.
    pub async fn close(&self, within: Duration) {
        let rooms: Vec<Arc<Room>> =
            self.rooms().drain().filter_map(|(_, slot)| slot.get().cloned()).collect();
        let closing = rooms.into_iter().map(|room| async move { room.close().await });
        if tokio::time::timeout(within, join_all(closing)).await.is_err() {
            tracing::warn!("not every table could record where it stands; no answer is lost");
        }
    }

    /// A webhook for an address that this server may reach.
    ///
    /// # Errors
    /// If the address is not such a one.
    pub fn webhook(&self, url: &str, kinds: BTreeSet<Kind>) -> Result<Webhook, &'static str> {
        self.keeper.nudger.webhook(url, kinds)
    }

    /// Sends a test message to a table's webhook, if it has one.
    pub async fn try_webhook(&self, room: &Room) -> Option<Tried> {
        let look = |table: &Table, settings: &Settings| {
            Some((settings.webhook.clone()?, table.log().header().title.clone()))
        };
        let (webhook, title) = room.look(look)??;
        Some(self.keeper.nudger.test(&webhook, (room.id.as_str(), &title)).await)
    }
}

/// A time in seconds since 1970, as UTC.
fn utc(seconds: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

/// The date of a time in seconds since 1970, as `2026-11-21`.
pub fn date(seconds: i64) -> String {
    let day = utc(seconds).date();
    format!("{}-{:02}-{:02}", day.year(), u8::from(day.month()), day.day())
}

/// A time in seconds since 1970, as `2026-11-21 21:45Z`.
pub fn moment(seconds: i64) -> String {
    let at = utc(seconds);
    format!("{} {:02}:{:02}Z", date(seconds), at.hour(), at.minute())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{
        glance::Glance,
        sight::{Drawn, Regions},
        webhook::Reach,
    };
    use fracas_kernel::{AnyTable, Fault, Viewer};
    use fracas_table::LineTo;
    use std::sync::Condvar;

    /// Draws nothing but what is read.
    struct Plain;

    impl Draw for Plain {
        fn regions(&self, glance: &Glance<'_>) -> Regions {
            Regions { moment: format!("{:?}", glance.now()), ..Regions::default() }
        }

        fn line(&self, _: &Table, _: Viewer, line: &LineTo) -> Drawn {
            Drawn { html: format!("{line:?}"), said: String::new() }
        }

        fn news(&self, _: &Table, _: Viewer, line: &LineTo) -> String {
            format!("{line:?}")
        }
    }

    /// A hall with one table, and the folder of its database.
    pub(crate) async fn with_a_table() -> (tempfile::TempDir, Hall, TableId) {
        let folder = tempfile::tempdir().expect("a folder");
        let db = Db::open(folder.path()).await.expect("a database");
        let nudger = Nudger::new(Reach::default(), None, Duration::ZERO);
        let hall = Hall::new(db, Duration::ZERO, nudger, &Plain);
        let system = fracas_systems::all()[0];
        let setup = fracas_systems::setups(&system).expect("they are TOML").remove(0);
        let made = hall.create(system, setup, "A table".to_owned(), Settings::default(), None).await;
        let id = made.expect("a table").room.id.clone();
        (folder, hall, id)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_table_that_was_put_away_is_named_anew() {
        let (_folder, hall, id) = with_a_table().await;
        let mark = async || {
            let room = hall.room(&id).await.expect("a table");
            room.see(Viewer::Spectator).expect("it is open").mark
        };
        let before = mark().await;
        assert_eq!(mark().await, before);
        hall.put_away(Duration::ZERO).await;
        let after = mark().await;
        // Its versions count from the beginning again, so the number of its opening must
        // differ.
        assert_ne!(after.opening, before.opening);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_line_that_was_changed_in_the_database_is_named_when_its_table_is_opened() {
        let (_folder, hall, id) = with_a_table().await;
        let log = hall.db.lines(&id).await.expect("lines").concat();
        let opened = async |name: &str, log: String| {
            let id = TableId::new(name).expect("an id");
            let (system, title) = (fracas_systems::all()[0].id.to_owned(), "A table".to_owned());
            let settings = Settings::default().write();
            let row = NewTable { id: id.clone(), system, title, opened: 0, settings, named: None };
            hall.db.take_in_table(row, log).await.expect("it is kept");
            hall.room(&id).await.map(drop)
        };
        assert!(opened("same", log.clone()).await.is_ok());
        let changed = log.replacen("A table", "A fable", 1);
        match opened("changed", changed).await {
            Err(HallError::Open(OpenError::Log(error))) => {
                assert_eq!((error.name.as_str(), error.line), ("table changed", 1), "{error}");
            }
            other => panic!("it is opened: {:?}", other.map_err(|error| error.to_string())),
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_table_is_opened_once_though_whoever_wanted_it_has_gone() {
        let (_folder, hall, id) = with_a_table().await;
        let (slot, opened) = (Slot::default(), Arc::new(AtomicU64::new(0)));
        let room = || {
            let (keeper, id, opened) = (hall.keeper.clone(), id.clone(), opened.clone());
            async move {
                opened.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(50)).await;
                let open = |store| Table::open(fracas_systems::all(), store);
                keeper.room(id, 0, Settings::default(), open).await
            }
        };
        let first = tokio::spawn(fill(slot.clone(), room()));
        while opened.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        first.abort();
        assert!(first.await.is_err());
        let (second, third) = tokio::join!(fill(slot.clone(), room()), fill(slot.clone(), room()));
        let (second, third) = (second.expect("a room"), third.expect("a room"));
        assert!(Arc::ptr_eq(&second, &third));
        assert_eq!(opened.load(Ordering::SeqCst), 1);
    }

    /// How often a table of [`broken`] was begun, and whether its second beginning may go
    /// on.
    static BEGUN: (Mutex<(usize, bool)>, Condvar) = (Mutex::new((0, false)), Condvar::new());

    /// A system whose second table takes its time and then cannot be begun.
    fn broken() -> System {
        fn start(setup: &Setup) -> Result<Box<dyn AnyTable>, Faults> {
            let (begun, moved) = &BEGUN;
            let mut held = begun.lock().expect("no panic");
            held.0 += 1;
            if held.0 == 2 {
                drop(moved.wait_while(held, |(_, goes_on)| !*goes_on).expect("no panic"));
                let what = "it breaks".to_owned();
                let fault = Fault { file: String::new(), line: 0, field: String::new(), what };
                return Err(Faults(vec![fault]));
            }
            (fracas_systems::all()[0].start)(setup)
        }
        System { start, ..fracas_systems::all()[0] }
    }

    fn named(asked: u8) -> Named {
        Named { name: [1; 32], asked: [asked; 32], salt: [asked; 32] }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_could_not_be_opened_under_a_name_leaves_nothing_and_keeps_nobody_from_it() {
        let (_folder, hall, _) = with_a_table().await;
        let hall = Arc::new(hall);
        let open = |system: System, asked: u8| {
            let setup = fracas_systems::setups(&system).expect("they are TOML").remove(0);
            let hall = hall.clone();
            let title = "Another".to_owned();
            tokio::spawn(async move {
                hall.create(system, setup, title, Settings::default(), Some(named(asked))).await
            })
        };
        let goes_on = |allowed: bool| {
            BEGUN.0.lock().expect("no panic").1 = allowed;
            BEGUN.1.notify_all();
        };
        let slots = || hall.rooms().len();
        let there = async || (hall.db.tables().await.expect("a list").len(), slots(), hall.count());
        // With one request, nothing is left of it, and the name is free for another request.
        goes_on(true);
        let refused = open(broken(), 1).await.expect("no panic");
        assert!(refused.is_err_and(|error| error.faults().is_ok()));
        assert_eq!(there().await, (1, 1, 1));
        let free = hall.before(&named(2)).await;
        assert!(matches!(free, Ok(None)), "the name is kept");
        // While it is being opened, in vain, another caller asks for the same.
        goes_on(false);
        BEGUN.0.lock().expect("no panic").0 = 0;
        let first = open(broken(), 2);
        while slots() < 2 || BEGUN.0.lock().expect("no panic").0 < 2 {
            tokio::time::sleep(SOON).await;
        }
        let second = open(broken(), 2);
        // The hall holds the slot, and so does each caller.
        let wanted = || hall.rooms().values().map(Arc::strong_count).max().expect("a slot");
        while wanted() < 3 {
            tokio::time::sleep(SOON).await;
        }
        goes_on(true);
        assert!(first.await.expect("no panic").is_err());
        let opened = second.await.expect("no panic").expect("it is opened all the same");
        assert_eq!(there().await, (2, 2, 2));
        let (id, kept) = hall.before(&named(2)).await.expect("it is read").expect("it is kept");
        assert_eq!((id, kept.salt), (opened.room.id.clone(), named(2).salt));
    }

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(1_795_219_200), "2026-11-21");
        assert_eq!(moment(1_795_219_200 + 78_300), "2026-11-21 21:45Z");
    }
}
