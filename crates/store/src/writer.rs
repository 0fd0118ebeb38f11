//! The one writer: what comes together is committed together.

use crate::DbError;
use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    future::Future,
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};
use tokio::sync::{mpsc, oneshot};

/// Writes that are committed together at most.
const GROUP: usize = 256;
/// Writes that may wait; beyond, whoever writes waits too.
const WAITING: usize = 4096;

/// One thing to write: all of it, or nothing.
pub(crate) type Work = Box<dyn for<'c> FnOnce(&'c mut SqliteConnection) -> Writing<'c> + Send>;
pub(crate) type Writing<'c> = Pin<Box<dyn Future<Output = sqlx::Result<()>> + Send + 'c>>;

/// A write, and who waits for it.
pub(crate) struct Job {
    work: Work,
    done: oneshot::Sender<Result<(), DbError>>,
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
    jobs: mpsc::Sender<Job>,
    counts: Arc<Counts>,
}

impl Writer {
    /// Starts the writer on a thread of its own: whoever waits for it, be it every
    /// other thread there is, it goes on. It ends when the last handle is gone.
    pub(crate) fn start(options: SqliteConnectOptions) -> io::Result<Writer> {
        let (sender, jobs) = mpsc::channel(WAITING);
        let counts = Arc::new(Counts::default());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new().name("fracas-writer".to_owned()).spawn({
            let counts = counts.clone();
            move || runtime.block_on(write(options, jobs, &counts))
        })?;
        Ok(Writer { jobs: sender, counts })
    }

    /// How it does.
    pub(crate) fn pace(&self) -> Pace {
        let counts = &self.counts;
        Pace {
            waiting: self.jobs.max_capacity() - self.jobs.capacity(),
            writes: counts.writes.load(Relaxed),
            refused: counts.refused.load(Relaxed),
            commits: counts.commits.load(Relaxed),
            seconds: counts.micros.load(Relaxed) as f64 / 1e6,
        }
    }

    /// Writes; on disk when this returns.
    pub(crate) async fn run(&self, work: Work) -> Result<(), DbError> {
        let (done, answer) = oneshot::channel();
        self.jobs.send(Job { work, done }).await.map_err(|_| DbError::Closed)?;
        answer.await.unwrap_or(Err(DbError::Closed))
    }

    /// The same for a thread that may wait.
    pub(crate) fn run_blocking(&self, work: Work) -> Result<(), DbError> {
        let (done, answer) = oneshot::channel();
        self.jobs.blocking_send(Job { work, done }).map_err(|_| DbError::Closed)?;
        answer.blocking_recv().unwrap_or(Err(DbError::Closed))
    }
}

async fn write(options: SqliteConnectOptions, mut jobs: mpsc::Receiver<Job>, counts: &Counts) {
    let mut open: Option<SqliteConnection> = None;
    let mut group = Vec::new();
    while jobs.recv_many(&mut group, GROUP).await > 0 {
        let group = std::mem::take(&mut group);
        let mut connection = match open.take() {
            Some(connection) => connection,
            None => match options.connect().await {
                Ok(connection) => connection,
                Err(error) => {
                    refuse(group, &error);
                    continue;
                }
            },
        };
        // After a failure nobody knows what the connection is in the middle of.
        let since = Instant::now();
        let all = group.len();
        let written = together(&mut connection, group).await;
        let kept = written.as_ref().copied().unwrap_or(0);
        counts.add(since, kept, all - kept);
        open = written.is_ok().then_some(connection);
    }
    if let Some(connection) = open {
        let _ = connection.close().await;
    }
}

fn refuse(group: Vec<Job>, error: &sqlx::Error) {
    for job in group {
        let _ = job.done.send(Err(DbError::NotSaved(error.to_string())));
    }
}

/// Commits a group; gives how many of its writes were kept. A write of what is there
/// already is taken back alone; where any fails otherwise, or the group cannot be
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
            let broken = result
                .as_ref()
                .err()
                .filter(|error| error.as_database_error().is_none_or(|e| !e.is_unique_violation()))
                .map(ToString::to_string);
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
