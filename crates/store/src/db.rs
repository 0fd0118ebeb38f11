//! The database: opening it, keeping others out, bringing it up to date.

use crate::{
    SqlStore,
    writer::{Pace, Work, Writer},
};
use sqlx::{
    ConnectOptions, Connection, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use crate::TableId;

/// The steps from an empty database to this program's.
const STEPS: [&str; 7] = [
    include_str!("schema.sql"),
    include_str!("schema-2.sql"),
    include_str!("schema-3.sql"),
    include_str!("schema-4.sql"),
    include_str!("schema-5.sql"),
    include_str!("schema-6.sql"),
    include_str!("schema-7.sql"),
];
/// The database in its folder.
const FILE: &str = "fracas.db";
/// How long one waits for another who has it.
const BUSY: Duration = Duration::from_secs(10);
/// Readers at once.
const READERS: u32 = 4;

/// Why something could not be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// The folder cannot be used.
    #[error("{}: {error}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another program has it open.
    #[error("{}: another Fracas keeps its tables here: end it first, or say --data with another folder", .0.display())]
    Busy(PathBuf),
    /// It was written by a later version.
    #[error("{}: kept by a later version of Fracas (its data has version {was}, this program knows {knows})", path.display())]
    Later {
        /// Where.
        path: PathBuf,
        /// The version of its data.
        was: usize,
        /// The latest that this program knows.
        knows: usize,
    },
    /// There is such a row already.
    #[error("taken already")]
    Taken,
    /// Nothing of it was saved.
    #[error("not saved: {0}")]
    NotSaved(String),
    /// The database is being closed.
    #[error("the server is ending")]
    Closed,
    /// The database says no.
    #[error("the database: {0}")]
    Sql(sqlx::Error),
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        match error.as_database_error() {
            Some(told) if told.is_unique_violation() => DbError::Taken,
            _ => DbError::Sql(error),
        }
    }
}

/// A server's database.
#[derive(Clone)]
pub struct Db {
    pub(crate) readers: SqlitePool,
    pub(crate) writer: Writer,
    /// Held for as long as it is open.
    _lock: Arc<File>,
}

/// How often a folder that is in use is tried again, and after how long: whoever had it
/// may be about to end.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(50);

impl Db {
    /// Opens the database in a folder, which is made where it is not there.
    ///
    /// What an earlier version kept is brought up to date; a copy from before
    /// stays beside it.
    ///
    /// # Errors
    /// Where the folder cannot be used, another program has it open, or it was
    /// written by a later version.
    pub async fn open(folder: &Path) -> Result<Db, DbError> {
        let failed = |error| DbError::Folder { path: folder.to_owned(), error };
        make_private(folder).map_err(failed)?;
        let lock = File::create(folder.join("fracas.lock")).map_err(failed)?;
        let mut tries = 0..LOCK_TRIES;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if tries.next().is_some() => {
                    tokio::time::sleep(LOCK_PAUSE).await;
                }
                Err(TryLockError::WouldBlock) => return Err(DbError::Busy(folder.to_owned())),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        let path = folder.join(FILE);
        private(&path).map_err(failed)?;
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY)
            .disable_statement_logging();
        let mut connection = options.connect().await?;
        bring_up_to_date(&mut connection, &path).await?;
        // What was being taken in when the server ended.
        sqlx::query("DELETE FROM tables WHERE arriving = 1").execute(&mut connection).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .connect_with(options.clone().read_only(true))
            .await?;
        connection.close().await?;
        let writer = Writer::start(options).map_err(failed)?;
        Ok(Db { readers, writer, _lock: Arc::new(lock) })
    }

    /// The log of one table.
    pub fn log(&self, table: &TableId) -> SqlStore {
        SqlStore::new(self.clone(), self.writer.clone(), table.clone())
    }

    /// How the writer does.
    pub fn pace(&self) -> Pace {
        self.writer.pace()
    }

    /// Writes; on disk when this returns.
    pub(crate) async fn write(&self, work: Work) -> Result<(), DbError> {
        self.writer.run(work).await
    }
}

/// Copies the database of a folder into a new file, as of one moment; a server
/// that has it open plays on meanwhile.
///
/// # Errors
/// Where there is no database, there is such a file already, or it cannot be written.
pub async fn back_up(folder: &Path, to: &Path) -> Result<(), DbError> {
    let failed = |path: &Path, error| DbError::Folder { path: path.to_owned(), error };
    let path = folder.join(FILE);
    if !path.exists() {
        return Err(failed(&path, io::Error::new(io::ErrorKind::NotFound, "no tables are kept there")));
    }
    if to.exists() {
        let error = io::Error::new(io::ErrorKind::AlreadyExists, "there is such a file already");
        return Err(failed(to, error));
    }
    let mut connection = SqliteConnectOptions::new()
        .filename(&path)
        .read_only(true)
        .busy_timeout(BUSY)
        .disable_statement_logging()
        .connect()
        .await?;
    copy(&mut connection, to).await
}

/// Makes a folder that is nobody else's, where there is none.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Makes an empty file that nobody else reads, where there is none: every secret of
/// every table will be in it. SQLite gives the files beside it the same mode.
fn private(file: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop)
}

/// Copies a database into a new file, whole or not at all: a copy that was broken
/// off has another name.
async fn copy(connection: &mut SqliteConnection, to: &Path) -> Result<(), DbError> {
    let failed = |path: &Path, error| DbError::Folder { path: path.to_owned(), error };
    let part = to.with_added_extension("part");
    match std::fs::remove_file(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&part, error)),
        _ => {}
    }
    private(&part).map_err(|error| failed(&part, error))?;
    sqlx::query("VACUUM INTO ?").bind(part.display().to_string()).execute(connection).await?;
    File::open(&part).and_then(|file| file.sync_all()).map_err(|error| failed(&part, error))?;
    std::fs::rename(&part, to).map_err(|error| failed(to, error))
}

async fn bring_up_to_date(connection: &mut SqliteConnection, path: &Path) -> Result<(), DbError> {
    let was: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *connection).await?;
    let was = usize::try_from(was).unwrap_or(usize::MAX);
    if was > STEPS.len() {
        return Err(DbError::Later { path: path.to_owned(), was, knows: STEPS.len() });
    }
    if was == STEPS.len() {
        return Ok(());
    }
    if was > 0 {
        let copied = path.with_extension(format!("before-{}.db", STEPS.len()));
        if !copied.exists() {
            copy(connection, &copied).await?;
        }
    }
    let mut all = connection.begin().await?;
    for step in &STEPS[was..] {
        sqlx::raw_sql(*step).execute(&mut *all).await?;
    }
    // A pragma takes no parameters.
    let set = sqlx::AssertSqlSafe(format!("PRAGMA user_version = {}", STEPS.len()));
    sqlx::query(set).execute(&mut *all).await?;
    all.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests;
