//! The database: opening and locking it, migrating it, backing it up.

use crate::writer::{Chore, Pace, Work, Writer, log_of};
use crate::{SqlStore, lock::Lock};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
use std::path::{Path, PathBuf};
use std::{fs::File, io, sync::Arc, time::Duration};

use crate::TableId;

/// The migrations, from an empty database to the current schema.
const STEPS: [&str; 10] = [
    include_str!("schema.sql"),
    include_str!("schema-2.sql"),
    include_str!("schema-3.sql"),
    include_str!("schema-4.sql"),
    include_str!("schema-5.sql"),
    include_str!("schema-6.sql"),
    include_str!("schema-7.sql"),
    include_str!("schema-8.sql"),
    include_str!("schema-9.sql"),
    include_str!("schema-10.sql"),
];
/// The database's file name in its folder.
const FILE: &str = "fracas.db";
/// How long a connection waits for another one's lock.
pub(crate) const BUSY: Duration = Duration::from_secs(10);
/// How long closing waits for readers to end.
const LAST_READERS: Duration = Duration::from_secs(2);
/// The most connections that read at once.
const READERS: u32 = 4;

/// Why the database could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// The folder cannot be used.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// Another program has the database open.
    #[error("{}: another Fracas keeps its tables here: end it first, or choose another folder with --data", .0.display())]
    Busy(PathBuf),
    /// A later version of Fracas wrote the database.
    #[error("{}: written by a later version of Fracas (its data has version {was}, and this program reads versions up to {knows})", path.display())]
    Later {
        /// The database's file.
        path: PathBuf,
        /// The version of its schema.
        was: usize,
        /// The latest version that this program knows.
        knows: usize,
    },
    /// The log of changes is missing.
    #[error("{}: {} is gone, which held the latest changes: restore both files from one place, or use a copy that `fracas backup` made; to continue without these changes, start once with --accept-loss", .0.display(), name(&log_of(.0)))]
    LogLost(PathBuf),
    /// Another program has taken the folder, or its files were replaced.
    #[error("{}: the files of this server were moved away or replaced while it ran, or another Fracas has taken their folder, so it writes no more; everything that it acknowledged is in the original files", .0.display())]
    Displaced(PathBuf),
    /// A row with this key exists already.
    #[error("taken already")]
    Taken,
    /// The transaction was rolled back.
    #[error("not saved: {0}")]
    NotSaved(String),
    /// The database is being closed.
    #[error("the server is shutting down")]
    Closed,
    /// SQLite returned an error.
    #[error("the database: {0}")]
    Sql(sqlx::Error),
}

fn name(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or_default()).display()
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        match error.as_database_error() {
            Some(cause) if cause.is_unique_violation() => DbError::Taken,
            _ => DbError::Sql(error),
        }
    }
}

/// A server's database. Clones share it.
#[derive(Clone)]
pub struct Db {
    pub(crate) readers: SqlitePool,
    pub(crate) writer: Writer,
    pub(crate) folder: Arc<Path>,
}

/// Whether to open a database that has lost its log of changes, and with it the latest
/// writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Loss {
    /// Refuse to open it: the log may still be found.
    #[default]
    Refused,
    /// Open it with what its file holds.
    Accepted,
}

/// How often opening tries again to lock a folder in use, and the pause between tries: the
/// other program may be about to end.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(50);

impl Db {
    /// Opens the database in a folder, and creates both if they do not exist.
    ///
    /// A database of an earlier version is migrated; a copy from before stays beside it.
    ///
    /// # Errors
    /// If the folder cannot be used, another program has it open, it was written by a later
    /// version, or it has lost its log of changes.
    pub async fn open(folder: &Path) -> Result<Db, DbError> {
        Db::open_as_is(folder, Loss::Refused).await
    }

    /// Like [`Db::open`], but can also open a database that has lost its log of changes.
    ///
    /// # Errors
    /// See [`Db::open`].
    pub async fn open_as_is(folder: &Path, loss: Loss) -> Result<Db, DbError> {
        let failed = |error| DbError::Folder { path: folder.to_owned(), error };
        make_private(folder).map_err(failed)?;
        let path = folder.join(FILE);
        private(&path).map_err(failed)?;
        let mut tries = 0..LOCK_TRIES;
        let lock = loop {
            match Lock::take(folder, &path).map_err(failed)? {
                Some(lock) => break lock,
                None if tries.next().is_some() => tokio::time::sleep(LOCK_PAUSE).await,
                None => return Err(DbError::Busy(folder.to_owned())),
            }
        };
        let lacks_log = lacks_log(&path);
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY)
            .disable_statement_logging();
        let mut connection = options.connect().await?;
        if lacks_log && loss == Loss::Refused {
            is_whole(&mut connection, &path).await?;
        }
        bring_up_to_date(&mut connection, &path).await?;
        // Removes tables whose import was cut off when the server ended.
        sqlx::query("DELETE FROM tables WHERE arriving = 1").execute(&mut connection).await?;
        if loss == Loss::Accepted {
            sqlx::query("UPDATE server SET whole = 1").execute(&mut connection).await?;
        }
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .connect_with(options.clone().read_only(true))
            .await?;
        connection.close().await?;
        let writer = Writer::start(options, &path, lock).map_err(failed)?;
        Ok(Db { readers, writer, folder: folder.into() })
    }

    /// Closes the database. Its file is then complete, with no log of changes beside it.
    /// Later writes are refused.
    ///
    /// # Errors
    /// If the log of changes could not be merged into the file. The log then stays beside
    /// the file, and nothing is lost as long as the two stay together.
    pub async fn close(&self) -> Result<(), DbError> {
        // A reader that takes longer only keeps the log of changes from being removed.
        let _ = tokio::time::timeout(LAST_READERS, self.readers.close()).await;
        self.writer.see_to(Chore::Close).await
    }

    /// Completes when the folder no longer belongs to this server: its files were moved
    /// away or replaced, or its lock was removed and another program has taken it. Nothing
    /// is written from then on.
    pub async fn displaced(&self) -> DbError {
        self.writer.displaced().await;
        DbError::Displaced(self.folder.to_path_buf())
    }

    /// The log of one table.
    pub fn log(&self, table: &TableId) -> SqlStore {
        SqlStore::new(self.clone(), self.writer.clone(), table.clone())
    }

    /// The writer's counters.
    pub fn pace(&self) -> Pace {
        self.writer.pace()
    }

    /// Writes; the change is on disk when this returns.
    pub(crate) async fn write(&self, work: Work) -> Result<(), DbError> {
        self.writer.run(work).await
    }
}

/// Copies the database of a folder into a new file, as of one moment. A server that has it
/// open keeps running.
///
/// # Errors
/// If there is no database, the file exists already, or it cannot be written.
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
    let lacks_log = lacks_log(&path);
    let mut connection = SqliteConnectOptions::new()
        .filename(&path)
        .read_only(true)
        .busy_timeout(BUSY)
        .disable_statement_logging()
        .connect()
        .await?;
    if lacks_log {
        is_whole(&mut connection, &path).await?;
    }
    copy(&mut connection, to).await
}

/// Whether the log of changes beside a database is empty or missing.
fn lacks_log(database: &Path) -> bool {
    std::fs::metadata(log_of(database)).map_or(0, |log| log.len()) == 0
}

/// Checks that a database without a log of changes is marked as complete in its own file.
async fn is_whole(connection: &mut SqliteConnection, path: &Path) -> Result<(), DbError> {
    let known = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'server'";
    let known: i64 = sqlx::query_scalar(known).fetch_one(&mut *connection).await?;
    if known == 0 {
        return Ok(());
    }
    let whole: i64 = sqlx::query_scalar("SELECT whole FROM server").fetch_one(connection).await?;
    if whole == 0 { Err(DbError::LogLost(path.to_owned())) } else { Ok(()) }
}

/// Creates a folder that only its owner can read, if it does not exist.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Creates an empty file that only its owner can read, if it does not exist: it will hold
/// every secret of every table. SQLite gives the files beside it the same mode.
fn private(file: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop)
}

/// Copies a database into a new file, completely or not at all: an interrupted copy keeps
/// the suffix `.part`.
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

/// Erases a table from the copies that migrations have left beside the database.
///
/// # Errors
/// The first copy that cannot be changed; the others are changed all the same.
pub(crate) async fn erase_from_copies(folder: &Path, table: &TableId) -> Result<(), DbError> {
    let failed = |error| DbError::Folder { path: folder.to_owned(), error };
    let mut all = Ok(());
    for file in std::fs::read_dir(folder).map_err(failed)? {
        let path = file.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with("fracas.before-") {
            continue;
        }
        let erased = if name.ends_with(".part") {
            // An interrupted copy.
            std::fs::remove_file(&path)
        } else if name.ends_with(".db") {
            erase_from(&path, table).await.map_err(io::Error::other)
        } else {
            Ok(())
        };
        all = all.and(erased.map_err(|error| DbError::Folder { path, error }));
    }
    all
}

/// Erases a table from one copy.
async fn erase_from(copied: &Path, table: &TableId) -> sqlx::Result<()> {
    let options = SqliteConnectOptions::new().filename(copied).foreign_keys(true).busy_timeout(BUSY);
    let mut connection = options.pragma("secure_delete", "ON").disable_statement_logging().connect().await?;
    let gone = sqlx::query("DELETE FROM tables WHERE id = ?").bind(table.as_str());
    if gone.execute(&mut connection).await?.rows_affected() > 0 {
        sqlx::query("VACUUM").execute(&mut connection).await?;
    }
    connection.close().await
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
