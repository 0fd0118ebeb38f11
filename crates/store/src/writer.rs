//! The one writer: what comes together is committed together.

use crate::{
    DbError,
    lock::{Held, Lock},
};
use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    future::Future,
    io,
    path::{Path, PathBuf},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};
use tokio::sync::{mpsc, oneshot, watch};

/// Writes that are committed together at most.
const GROUP: usize = 256;
/// Writes that may wait; beyond, whoever writes waits too.
const WAITING: usize = 4096;
/// The bytes of the log of changes from which on they are taken into the file.
const LOG_MOST: u64 = 4 << 20;
/// How long readers are waited for when the log of changes is to be emptied, in
/// milliseconds: everybody who writes waits too.
const READERS_WAIT: u32 = 200;
/// How often somebody who empties it is refused before they give up, and the pause.
const EMPTY_TRIES: u32 = 10;
const EMPTY_PAUSE: Duration = Duration::from_millis(200);
/// How often it is looked whether the folder is still the server's, where nobody writes.
const LOOK: Duration = Duration::from_secs(2);

/// One thing to write: all of it, or nothing.
pub(crate) type Work = Box<dyn for<'c> FnOnce(&'c mut SqliteConnection) -> Writing<'c> + Send>;
pub(crate) type Writing<'c> = Pin<Box<dyn Future<Output = sqlx::Result<()>> + Send + 'c>>;

/// Who waits for something to be done.
type Done = oneshot::Sender<Result<(), DbError>>;

/// A write, and who waits for it.
struct Job {
    work: Work,
    done: Done,
}

/// What the writer is asked for.
enum Task {
    Write(Job),
    Chore(Chore, Done),
}

/// What is done between writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chore {
    /// Writes the database anew, so that nothing that was erased is left in it.
    Sweep,
    /// Ends: the file is whole by itself then.
    Close,
}

/// How the writer does, counted since the server began.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Pace {
    /// Writes that wait now.
    pub waiting: usize,
    /// Writes that were committed.
    pub writes: u64,
    /// Writes that were not.
    pub refused: u64,
    /// Commits, each of many writes.
    pub commits: u64,
    /// How long commits took, all together, in seconds.
    pub seconds: f64,
}

/// What the writer counts.
#[derive(Default)]
struct Counts {
    writes: AtomicU64,
    refused: AtomicU64,
    commits: AtomicU64,
    micros: AtomicU64,
}

impl Counts {
    fn add(&self, since: Instant, writes: usize, refused: usize) {
        self.writes.fetch_add(writes as u64, Relaxed);
        self.refused.fetch_add(refused as u64, Relaxed);
        self.commits.fetch_add(1, Relaxed);
        self.micros.fetch_add(since.elapsed().as_micros() as u64, Relaxed);
    }
}

/// Hands writes to the writer.
#[derive(Clone)]
pub(crate) struct Writer {
    tasks: mpsc::Sender<Task>,
    counts: Arc<Counts>,
    /// Turns true when the folder is no longer the server's.
    displaced: watch::Receiver<bool>,
}

impl Writer {
    /// Starts the writer on a thread of its own: whoever waits for it, be it every
    /// other thread there is, it goes on. It ends when the last handle is gone.
    pub(crate) fn start(options: SqliteConnectOptions, path: &Path, lock: Lock) -> io::Result<Writer> {
        let (sender, tasks) = mpsc::channel(WAITING);
        let counts = Arc::new(Counts::default());
        let (displaces, displaced) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let options = options
            .pragma("secure_delete", "ON")
            // The log is emptied by `settle` alone, and cut to what is in it then.
            .pragma("wal_autocheckpoint", "0")
            .pragma("journal_size_limit", "0");
        let log = log_of(path);
        let desk = Desk { options, path: path.to_owned(), log, lock, displaces, most: LOG_MOST, open: None };
        thread::Builder::new().name("fracas-writer".to_owned()).spawn({
            let counts = counts.clone();
            move || runtime.block_on(desk.serve(tasks, &counts))
        })?;
        Ok(Writer { tasks: sender, counts, displaced })
    }

    /// How it does.
    pub(crate) fn pace(&self) -> Pace {
        let counts = &self.counts;
        Pace {
            waiting: self.tasks.max_capacity() - self.tasks.capacity(),
            writes: counts.writes.load(Relaxed),
            refused: counts.refused.load(Relaxed),
            commits: counts.commits.load(Relaxed),
            seconds: counts.micros.load(Relaxed) as f64 / 1e6,
        }
    }

    /// Writes; on disk when this returns.
    pub(crate) async fn run(&self, work: Work) -> Result<(), DbError> {
        let (done, answer) = oneshot::channel();
        self.tasks.send(Task::Write(Job { work, done })).await.map_err(|_| DbError::Closed)?;
        answer.await.unwrap_or(Err(DbError::Closed))
    }

    /// The same for a thread that may wait.
    pub(crate) fn run_blocking(&self, work: Work) -> Result<(), DbError> {
        let (done, answer) = oneshot::channel();
        self.tasks.blocking_send(Task::Write(Job { work, done })).map_err(|_| DbError::Closed)?;
        answer.blocking_recv().unwrap_or(Err(DbError::Closed))
    }

    /// Has something done between writes.
    pub(crate) async fn see_to(&self, chore: Chore) -> Result<(), DbError> {
        let (done, answer) = oneshot::channel();
        self.tasks.send(Task::Chore(chore, done)).await.map_err(|_| DbError::Closed)?;
        answer.await.unwrap_or(Err(DbError::Closed))
    }

    /// Comes when the folder is no longer the server's; never where it stays so.
    pub(crate) async fn displaced(&self) {
        let mut displaced = self.displaced.clone();
        if displaced.wait_for(|lost| *lost).await.is_err() {
            std::future::pending().await
        }
    }
}

/// The log of changes beside a database.
pub(crate) fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// What the writer has at hand.
struct Desk {
    options: SqliteConnectOptions,
    path: PathBuf,
    log: PathBuf,
    lock: Lock,
    displaces: watch::Sender<bool>,
    /// The bytes of the log from which on it is emptied.
    most: u64,
    open: Option<SqliteConnection>,
}

impl Desk {
    async fn serve(mut self, mut tasks: mpsc::Receiver<Task>, counts: &Counts) {
        let mut asked = Vec::new();
        loop {
            let came = tokio::time::timeout(LOOK, tasks.recv_many(&mut asked, GROUP)).await;
            if came == Ok(0) {
                break;
            }
            let ours = self.is_ours();
            let (mut group, mut chores) = (Vec::new(), Vec::new());
            for task in asked.drain(..) {
                match task {
                    Task::Write(Job { done, .. }) | Task::Chore(_, done) if !ours => {
                        let _ = done.send(Err(DbError::Displaced(self.path.clone())));
                    }
                    Task::Write(job) => group.push(job),
                    Task::Chore(chore, done) => chores.push((chore, done)),
                }
            }
            if !group.is_empty() {
                self.write(group, counts).await;
            }
            for (chore, done) in chores {
                let result = match chore {
                    Chore::Sweep => self.sweep().await,
                    Chore::Close => self.close().await,
                };
                let _ = done.send(result.map_err(DbError::Sql));
                if chore == Chore::Close {
                    return;
                }
            }
        }
        if let Err(error) = self.close().await {
            tracing::warn!(%error, "the log of changes could not be taken into the database; it holds them");
        }
    }

    /// Whether the folder is still this server's; once it is not, it never is again.
    fn is_ours(&mut self) -> bool {
        if *self.displaces.borrow() {
            return false;
        }
        match self.lock.check() {
            Held::Still => true,
            Held::Again => {
                tracing::warn!(
                    database = %self.path.display(),
                    "fracas.lock was removed while the server runs, and was put back: leave it there, it keeps a second server out"
                );
                true
            }
            Held::Lost => {
                self.displaces.send_replace(true);
                false
            }
        }
    }

    /// The connection, opened where it is not.
    async fn connection(&mut self) -> sqlx::Result<SqliteConnection> {
        match self.open.take() {
            Some(connection) => Ok(connection),
            None => {
                let mut connection = self.options.connect().await?;
                self.settle(&mut connection).await?;
                Ok(connection)
            }
        }
    }

    async fn write(&mut self, group: Vec<Job>, counts: &Counts) {
        let mut connection = match self.connection().await {
            Ok(connection) => connection,
            Err(error) => return refuse(group, &error),
        };
        let since = Instant::now();
        let all = group.len();
        let written = together(&mut connection, group).await;
        let kept = written.as_ref().copied().unwrap_or(0);
        counts.add(since, kept, all - kept);
        // After a failure nobody knows what the connection is in the middle of.
        if written.is_err() {
            return;
        }
        let long = std::fs::metadata(&self.log).is_ok_and(|log| log.len() > self.most);
        if long && let Err(error) = self.settle(&mut connection).await {
            tracing::warn!(%error, "the log of changes could not be taken into the database; it holds them");
            return;
        }
        self.open = Some(connection);
    }

    /// Takes the log of changes into the file and begins it anew; says whether nobody
    /// read what was before, so that it could be.
    ///
    /// The file by itself then says that it is not whole, and the log that it is: so a
    /// file that has lost its log is known by what it says, and a copy of both, or one
    /// that SQLite makes, is whole.
    async fn settle(&mut self, connection: &mut SqliteConnection) -> sqlx::Result<bool> {
        // On a full disk nothing more fits into the log: emptying it makes room.
        if let Err(error) = run(connection, "UPDATE server SET whole = 0").await {
            tracing::warn!(%error, "the database could not be marked: it is not noticed now if its log of changes is lost");
        }
        run(connection, format!("PRAGMA busy_timeout = {READERS_WAIT}")).await?;
        let busy: i64 =
            sqlx::query_scalar("PRAGMA wal_checkpoint(RESTART)").fetch_one(&mut *connection).await?;
        run(connection, format!("PRAGMA busy_timeout = {}", crate::db::BUSY.as_millis())).await?;
        run(connection, "UPDATE server SET whole = 1").await?;
        let length = std::fs::metadata(&self.log).map_or(0, |log| log.len());
        self.most = if busy == 0 { LOG_MOST } else { length + LOG_MOST };
        Ok(busy == 0)
    }

    /// Writes the database anew and empties the log, until no byte of what was erased is
    /// in either.
    async fn sweep(&mut self) -> sqlx::Result<()> {
        let mut connection = self.connection().await?;
        run(&mut connection, "VACUUM").await?;
        let mut tries = 0..EMPTY_TRIES;
        while !self.settle(&mut connection).await? {
            if tries.next().is_none() {
                return Err(sqlx::Error::Protocol("somebody reads it all the time".to_owned()));
            }
            tokio::time::sleep(EMPTY_PAUSE).await;
        }
        run(&mut connection, "UPDATE server SET unswept = 0").await?;
        self.open = Some(connection);
        Ok(())
    }

    /// Takes the log of changes into the file, which is whole by itself then.
    async fn close(&mut self) -> sqlx::Result<()> {
        if *self.displaces.borrow() {
            return Ok(());
        }
        let mut connection = self.connection().await?;
        run(&mut connection, format!("PRAGMA busy_timeout = {READERS_WAIT}")).await?;
        let busy: i64 =
            sqlx::query_scalar("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await?;
        connection.close().await?;
        if busy == 0 { Ok(()) } else { Err(sqlx::Error::Protocol("somebody reads it still".to_owned())) }
    }
}

/// Runs a statement of ours that tells nothing.
async fn run(connection: &mut SqliteConnection, statement: impl Into<String>) -> sqlx::Result<()> {
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement.into())).execute(connection).await.map(drop)
}

fn refuse(group: Vec<Job>, error: &sqlx::Error) {
    for job in group {
        let _ = job.done.send(Err(DbError::NotSaved(error.to_string())));
    }
}

/// Whether a write failed for what it says: there is such a row already, or its table is
/// no more.
fn is_own(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|it| it.is_unique_violation() || it.is_foreign_key_violation())
}

/// Commits a group; gives how many of its writes were kept. A write of what is there
/// already, or of a table that is no more, is taken back alone; where any fails otherwise, or the group cannot be
/// committed, none of it has happened.
async fn together(connection: &mut SqliteConnection, group: Vec<Job>) -> sqlx::Result<usize> {
    let mut waiting = Vec::with_capacity(group.len());
    let mut left = group.into_iter();
    let committed = async {
        let mut all = connection.begin_with("BEGIN IMMEDIATE").await?;
        for Job { work, done } in left.by_ref() {
            let result = match all.begin().await {
                Err(error) => Err(error),
                Ok(mut one) => match work(&mut one).await {
                    Ok(()) => one.commit().await,
                    Err(refused) => one.rollback().await.and(Err(refused)),
                },
            };
            let broken = result.as_ref().err().filter(|error| !is_own(error)).map(ToString::to_string);
            waiting.push((done, result));
            if let Some(what) = broken {
                return Err(sqlx::Error::Protocol(what));
            }
        }
        all.commit().await
    }
    .await;
    let kept = waiting.iter().filter(|(_, result)| result.is_ok()).count();
    for (done, result) in waiting {
        let answer = match (&committed, result) {
            (Ok(()), result) => result.map_err(DbError::from),
            (Err(error), _) => Err(DbError::NotSaved(error.to_string())),
        };
        // Nobody waits any more: their connection is gone, what they did stands.
        let _ = done.send(answer);
    }
    if let Err(error) = &committed {
        refuse(left.collect(), error);
    }
    committed.map(|()| kept)
}
