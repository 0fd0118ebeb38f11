//! One table's log as rows.

use crate::writer::{Work, Writer};
use crate::{DbError, Hash, TableId, db::Db};
use fracas_table::{Contents, Store};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Handle;

/// The idempotency key of the next command, written with that command's lines.
///
/// Shared by a [`SqlStore`] and the caller that gives commands to its table.
#[derive(Clone, Debug, Default)]
pub struct Key(Arc<Mutex<Option<Name>>>);

/// Who gives a command, its key, and the hash of its content.
type Name = (String, String, Option<Hash>);

impl Key {
    /// Sets the key of the next command: who gives it, its key, and the hash of its content
    /// if a repetition must have the same content.
    pub fn name(&self, who: &str, key: &str, asked: Option<Hash>) {
        let name = (who.to_owned(), key.to_owned(), asked);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(name);
    }

    /// Clears the key: the command was refused.
    pub fn forget(&self) {
        self.take();
    }

    fn take(&self) -> Option<Name> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The lines of one table in the database.
///
/// The functions block until the disk has answered.
pub struct SqlStore {
    db: Db,
    writer: Writer,
    table: TableId,
    /// The number of the next line.
    next: u64,
    key: Key,
}

impl SqlStore {
    pub(crate) fn new(db: Db, writer: Writer, table: TableId) -> SqlStore {
        SqlStore { db, writer, table, next: 0, key: Key::default() }
    }

    /// The handle that sets the next command's key.
    pub fn key(&self) -> Key {
        self.key.clone()
    }
}

impl Store for SqlStore {
    fn name(&self) -> String {
        format!("table {}", self.table)
    }

    fn read(&mut self) -> io::Result<Contents> {
        let lines = Handle::current().block_on(self.db.lines(&self.table)).map_err(io::Error::other)?;
        self.next = lines.len() as u64;
        Ok(Contents { text: lines.concat(), cut: 0 })
    }

    fn append(&mut self, lines: &str) -> io::Result<()> {
        let from = self.next;
        let rows: Vec<String> = lines.split_inclusive('\n').map(str::to_owned).collect();
        let count = rows.len() as u64;
        let (table, named) = (self.table.clone(), self.key.take());
        let work: Work = Box::new(move |connection| {
            Box::pin(async move {
                for (seq, line) in (from as i64..).zip(rows) {
                    sqlx::query(r#"INSERT INTO lines ("table", seq, line) VALUES (?, ?, ?)"#)
                        .bind(table.as_str())
                        .bind(seq)
                        .bind(line)
                        .execute(&mut *connection)
                        .await?;
                }
                if let Some((who, key, asked)) = named {
                    sqlx::query(
                        r#"INSERT INTO commands ("table", who, key, line, asked) VALUES (?, ?, ?, ?, ?)"#,
                    )
                    .bind(table.as_str())
                    .bind(who)
                    .bind(key)
                    .bind(from as i64)
                    .bind(asked.map(|asked| asked.to_vec()))
                    .execute(&mut *connection)
                    .await?;
                }
                Ok(())
            })
        });
        self.writer.run_blocking(work).map_err(|error| match error {
            DbError::Taken => io::Error::new(
                io::ErrorKind::ResourceBusy,
                "another Fracas has written to this table: open it again",
            ),
            error => io::Error::other(error),
        })?;
        self.next += count;
        Ok(())
    }
}
