//! The one writer. Writes that arrive together are committed together.

use crate::DbError;
use crate::lock::{Held, Lock};
use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use std::path::{Path, PathBuf};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use std::time::{Duration, Instant};
use std::{future::Future, io, pin::Pin, thread};
use tokio::sync::{mpsc, oneshot, watch};

/// The most writes in one commit.
const GROUP: usize = 256;
/// The most writes that may wait; beyond that, callers wait to hand theirs in.
const WAITING: usize = 4096;
/// From this length on, in bytes, the log of changes is merged into the file.
const LOG_MOST: u64 = 4 << 20;
/// How long emptying the log of changes waits for readers, in milliseconds. All writers
/// wait meanwhile.
const READERS_WAIT: u32 = 200;
/// How often a sweep tries to empty the log of changes, and the pause between tries.
const EMPTY_TRIES: u32 = 10;
const EMPTY_PAUSE: Duration = Duration::from_millis(200);
/// How often an idle writer checks that the folder is still the server's.
const LOOK: Duration = Duration::from_secs(2);

/// A write, done completely or not at all.
pub(crate) type Work = Box<dyn for<'c> FnOnce(&'c mut SqliteConnection) -> Writing<'c> + Send>;
pub(crate) type Writing<'c> = Pin<Box<dyn Future<Output = sqlx::Result<()>> + Send + 'c>>;

/// Where the result of a task is sent.
type Done = oneshot::Sender<Result<(), DbError>>;

struct Job {
    work: Work,
    done: Done,
}

/// A task for the writer.
enum Task {
    Write(Job),
    Chore(Chore, Done),
}

/// A task done between writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chore {
    /// Rewrites the database, so that no erased byte is left in it.
    Sweep,
    /// Closes the database; its file is then complete by itself.
    Close,
}

/// The writer's counters since the server began.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Pace {
    /// Writes that wait now.
    pub waiting: usize,
    /// Committed writes.
    pub writes: u64,
    /// Failed writes.
    pub refused: u64,
    /// Commits, each of one or more writes.
    pub commits: u64,
    /// The time that all commits took, in seconds.
    pub seconds: f64,
}

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

/// Hands tasks to the writer.
#[derive(Clone)]
pub(crate) struct Writer {
    tasks: mpsc::Sender<Task>,
    counts: Arc<Counts>,
    /// Turns true when the folder is no longer the server's.
    displaced: watch::Receiver<bool>,
}

impl Writer {
    /// Starts the writer on a thread of its own, so that it makes progress even while every
    /// other thread waits for it. It ends when the last handle is dropped.
    pub(crate) fn start(options: SqliteConnectOptions, path: &Path, lock: Lock) -> io::Result<Writer> {
        let (sender, tasks) = mpsc::channel(WAITING);
        let counts = Arc::new(Counts::default());
        let (displaces, displaced) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let options = options
            .pragma("secure_delete", "ON")
            // Only `settle` empties the log, and cuts its file to what the log holds.
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

    /// Writes; the change is on disk when this returns.
    pub(crate) async fn run(&self, work: Work) -> Result<(), DbError> {
        let (done, answer) = oneshot::channel();
        self.tasks.send(Task::Write(Job { work, done })).await.map_err(|_| DbError::Closed)?;
        answer.await.unwrap_or(Err(DbError::Closed))
    }

    /// Like [`Writer::run`], for a thread that may block.
    pub(crate) fn run_blocking(&self, work: Work) -> Result<(), DbError> {
        let (done, answer) = oneshot::channel();
        self.tasks.blocking_send(Task::Write(Job { work, done })).map_err(|_| DbError::Closed)?;
        answer.blocking_recv().unwrap_or(Err(DbError::Closed))
    }

    /// Has a chore done between writes.
    pub(crate) async fn see_to(&self, chore: Chore) -> Result<(), DbError> {
        let (done, answer) = oneshot::channel();
        self.tasks.send(Task::Chore(chore, done)).await.map_err(|_| DbError::Closed)?;
        answer.await.unwrap_or(Err(DbError::Closed))
    }

    /// Completes when the folder is no longer the server's; never otherwise.
    pub(crate) async fn displaced(&self) {
        let mut displaced = self.displaced.clone();
        if displaced.wait_for(|lost| *lost).await.is_err() {
            std::future::pending().await
        }
    }
}

/// The path of the log of changes beside a database.
pub(crate) fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// The writer's state.
struct Desk {
    options: SqliteConnectOptions,
    path: PathBuf,
    log: PathBuf,
    lock: Lock,
    displaces: watch::Sender<bool>,
    /// The length, in bytes, from which on the log is emptied.
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

    /// Whether the folder is still the server's. Once it is not, it never is again.
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

    /// The connection, opened if it is closed.
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
        // After a failure the state of the connection is unknown: it is dropped.
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

    /// Merges the log of changes into the file and starts the log anew; returns whether no
    /// reader stood in the way.
    ///
    /// Afterwards the file alone is marked as incomplete, and the log holds the mark that
    /// the database is complete. So a file that has lost its log is recognised, while a
    /// copy of both, or one made by SQLite, is complete.
    async fn settle(&mut self, connection: &mut SqliteConnection) -> sqlx::Result<bool> {
        // On a full disk the mark does not fit into the log; emptying the log makes room.
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

    /// Rewrites the database and empties the log, so that no erased byte is left in either.
    async fn sweep(&mut self) -> sqlx::Result<()> {
        let mut connection = self.connection().await?;
        run(&mut connection, "VACUUM").await?;
        let mut tries = 0..EMPTY_TRIES;
        while !self.settle(&mut connection).await? {
            if tries.next().is_none() {
                return Err(sqlx::Error::Protocol("readers keep the log of changes in use".to_owned()));
            }
            tokio::time::sleep(EMPTY_PAUSE).await;
        }
        run(&mut connection, "UPDATE server SET unswept = 0").await?;
        self.open = Some(connection);
        Ok(())
    }

    /// Merges the log of changes into the file, which is then complete by itself.
    async fn close(&mut self) -> sqlx::Result<()> {
        if *self.displaces.borrow() {
            return Ok(());
        }
        let mut connection = self.connection().await?;
        run(&mut connection, format!("PRAGMA busy_timeout = {READERS_WAIT}")).await?;
        let busy: i64 =
            sqlx::query_scalar("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await?;
        connection.close().await?;
        if busy == 0 {
            Ok(())
        } else {
            Err(sqlx::Error::Protocol("a reader still uses the log of changes".to_owned()))
        }
    }
}

/// Executes a statement that returns no rows.
async fn run(connection: &mut SqliteConnection, statement: impl Into<String>) -> sqlx::Result<()> {
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement.into())).execute(connection).await.map(drop)
}

fn refuse(group: Vec<Job>, error: &sqlx::Error) {
    for job in group {
        let _ = job.done.send(Err(DbError::NotSaved(error.to_string())));
    }
}

/// Whether a write failed by its own content: its row exists already, or its table does
/// not.
fn is_own(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(|cause| cause.is_unique_violation() || cause.is_foreign_key_violation())
}

/// Commits a group; returns how many of its writes were kept. A write that fails by [its
/// own content](is_own) is rolled back alone. If any write fails otherwise, or the commit
/// fails, the whole group is rolled back.
async fn together(connection: &mut SqliteConnection, group: Vec<Job>) -> sqlx::Result<usize> {
    let mut waiting = Vec::with_capacity(group.len());
    let mut left = group.into_iter();
    let committed = async {
        let mut all = connection.begin_with("BEGIN IMMEDIATE").await?;
        for Job { work, done } in left.by_ref() {
            let result = match all.begin().await {
                Err(error) => Err(error),
                Ok(mut savepoint) => match work(&mut savepoint).await {
                    Ok(()) => savepoint.commit().await,
                    Err(refused) => savepoint.rollback().await.and(Err(refused)),
                },
            };
            let broken = result.as_ref().err().filter(|error| !is_own(error)).map(ToString::to_string);
            waiting.push((done, result));
            if let Some(error) = broken {
                return Err(sqlx::Error::Protocol(error));
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
        // The caller may be gone; the write stands.
        let _ = done.send(answer);
    }
    if let Err(error) = &committed {
        refuse(left.collect(), error);
    }
    committed.map(|()| kept)
}
