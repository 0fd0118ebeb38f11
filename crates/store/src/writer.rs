//! The one writer: what comes together is committed together.

use crate::DbError;
use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{future::Future, io, pin::Pin, thread};
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

/// Hands writes to the writer.
#[derive(Clone)]
pub(crate) struct Writer(mpsc::Sender<Job>);

impl Writer {
    /// Starts the writer on a thread of its own: whoever waits for it, be it every
    /// other thread there is, it goes on. It ends when the last handle is gone.
    pub(crate) fn start(options: SqliteConnectOptions) -> io::Result<Writer> {
        let (sender, jobs) = mpsc::channel(WAITING);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new()
            .name("fracas-writer".to_owned())
            .spawn(move || runtime.block_on(write(options, jobs)))?;
        Ok(Writer(sender))
    }

    /// Writes; on disk when this returns.
    pub(crate) async fn run(&self, work: Work) -> Result<(), DbError> {
        let (done, answer) = oneshot::channel();
        self.0.send(Job { work, done }).await.map_err(|_| DbError::Closed)?;
        answer.await.unwrap_or(Err(DbError::Closed))
    }

    /// The same for a thread that may wait.
    pub(crate) fn run_blocking(&self, work: Work) -> Result<(), DbError> {
        let (done, answer) = oneshot::channel();
        self.0.blocking_send(Job { work, done }).map_err(|_| DbError::Closed)?;
        answer.blocking_recv().unwrap_or(Err(DbError::Closed))
    }
}

async fn write(options: SqliteConnectOptions, mut jobs: mpsc::Receiver<Job>) {
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
        open = together(&mut connection, group).await.is_ok().then_some(connection);
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

/// Commits a group. A write that fails is taken back alone; where the group
/// cannot be committed, none of it has happened.
async fn together(connection: &mut SqliteConnection, group: Vec<Job>) -> sqlx::Result<()> {
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
    committed
}
