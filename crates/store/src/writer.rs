//! The one writer: what comes together is committed together.

use crate::DbError;
use sqlx::{Connection, SqliteConnection};
use std::{future::Future, pin::Pin};
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
    /// Starts the writer; it ends when the last handle is gone.
    pub(crate) fn start(connection: SqliteConnection) -> (Writer, tokio::task::JoinHandle<()>) {
        let (sender, jobs) = mpsc::channel(WAITING);
        (Writer(sender), tokio::spawn(write(connection, jobs)))
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

async fn write(mut connection: SqliteConnection, mut jobs: mpsc::Receiver<Job>) {
    let mut group = Vec::new();
    while jobs.recv_many(&mut group, GROUP).await > 0 {
        together(&mut connection, std::mem::take(&mut group)).await;
    }
    let _ = connection.close().await;
}

/// Commits a group. A write that fails is taken back alone; where the commit
/// fails, none of the group has happened.
async fn together(connection: &mut SqliteConnection, group: Vec<Job>) {
    let mut waiting = Vec::with_capacity(group.len());
    let committed = async {
        let mut all = connection.begin_with("BEGIN IMMEDIATE").await?;
        for Job { work, done } in group {
            let mut one = all.begin().await?;
            let result = work(&mut one).await;
            match result {
                Ok(()) => one.commit().await?,
                Err(_) => one.rollback().await?,
            }
            waiting.push((done, result));
        }
        all.commit().await
    }
    .await;
    let failed = committed.err().map(|error| error.to_string());
    for (done, result) in waiting {
        let answer = match (&failed, result) {
            (None, result) => result.map_err(DbError::from),
            (Some(what), _) => Err(DbError::NotSaved(what.clone())),
        };
        // Nobody waits any more: their connection is gone, what they did stands.
        let _ = done.send(answer);
    }
}
