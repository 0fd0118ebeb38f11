//! What the database holds besides logs: tables, links and tokens, members, papers.

use crate::DbError;
use crate::db::{Db, erase_from_copies};
use crate::pictures::{self, Namer};
use crate::writer::{Chore, Work, Writing};
use fracas_kernel::Viewer;
use serde::{Deserialize, Serialize};
use sqlx::sqlite::{SqliteArguments, SqliteQueryResult, SqliteRow};
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection, query::Query};
use std::fmt;
use tokio::sync::oneshot;

/// The SHA-256 of a secret: a cookie, a link or a token.
pub type Hash = [u8; 32];

/// A table's id: short, part of links, not secret.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableId(String);

impl TableId {
    /// Parses an id: at most 32 lower-case letters and digits.
    pub fn new(text: &str) -> Option<TableId> {
        let good = (1..=32).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        good.then(|| TableId(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The idempotency key under which a table is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The hash of the key; unique among tables.
    pub name: Hash,
    /// The hash of the request.
    pub asked: Hash,
    /// Random bytes from which the secrets of the response are derived, so that the key
    /// alone does not give them.
    pub salt: Hash,
}

/// A table to insert.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// The table's id.
    pub id: TableId,
    /// The system's id.
    pub system: String,
    /// The table's title.
    pub title: String,
    /// When it was opened, in seconds since 1970.
    pub opened: i64,
    /// The server's settings of the table, as JSON.
    pub settings: String,
    /// The key under which it was opened, if one was given.
    pub named: Option<Named>,
}

/// A stored table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The table's id.
    pub id: TableId,
    /// The system's id.
    pub system: String,
    /// The table's title.
    pub title: String,
    /// When it was opened, in seconds since 1970.
    pub opened: i64,
    /// The server's settings of the table, as JSON.
    pub settings: String,
}

/// A deleted table that a browser which led it can restore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// The role in which the browser led it.
    pub role: Viewer,
    /// The table as it was.
    pub table: TableRow,
    /// When it is erased for good, in seconds since 1970.
    pub until: i64,
}

/// The permission of a link or token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassKind {
    /// A link by which a person comes in.
    Invite,
    /// A token for a program that only reads.
    Read,
    /// A token for a program that plays.
    Play,
}

impl PassKind {
    fn name(self) -> &'static str {
        match self {
            PassKind::Invite => "invite",
            PassKind::Read => "read",
            PassKind::Play => "play",
        }
    }

    fn from_name(name: &str) -> PassKind {
        match name {
            "play" => PassKind::Play,
            "read" => PassKind::Read,
            _ => PassKind::Invite,
        }
    }
}

/// A link or token to insert.
#[derive(Clone, Debug)]
pub struct NewPass {
    /// The hash of its secret.
    pub hash: Hash,
    /// The table it leads to.
    pub table: TableId,
    /// The permission.
    pub kind: PassKind,
    /// The role it gives.
    pub role: Viewer,
    /// Its purpose, in its maker's words.
    pub label: String,
    /// When it was made, in seconds since 1970.
    pub made: i64,
    /// The browser or token that made it, and in which role, if it is valid only as long as
    /// its maker has that place.
    pub maker: Option<(Hash, Viewer)>,
}

/// A stored link or token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The hash of its secret.
    pub hash: Hash,
    /// The table it leads to.
    pub table: TableId,
    /// The permission.
    pub kind: PassKind,
    /// The role it gives.
    pub role: Viewer,
    /// Its purpose, in its maker's words.
    pub label: String,
    /// When it was made, in seconds since 1970.
    pub made: i64,
    /// When it was revoked, in seconds since 1970.
    pub revoked: Option<i64>,
    /// The browser or token that made it, if it is valid only as long as its maker has a
    /// place.
    pub maker: Option<Hash>,
}

/// Whether a browser that asked to come in was admitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Waiting for an answer.
    Waiting,
    /// Admitted.
    Admitted,
    /// Turned away.
    Refused,
}

impl Standing {
    fn name(self) -> &'static str {
        match self {
            Standing::Waiting => "waiting",
            Standing::Admitted => "admitted",
            Standing::Refused => "refused",
        }
    }

    fn from_name(name: &str) -> Standing {
        match name {
            "admitted" => Standing::Admitted,
            "waiting" => Standing::Waiting,
            _ => Standing::Refused,
        }
    }
}

/// A browser's role at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The hash of the browser's cookie.
    pub browser: Hash,
    /// The table.
    pub table: TableId,
    /// The role.
    pub role: Viewer,
    /// The person's name, in their own words.
    pub name: String,
    /// The link by which the browser came; `None` for the browser that opened the table.
    pub pass: Option<Hash>,
    /// Whether the browser was admitted.
    pub standing: Standing,
    /// Since when, in seconds since 1970.
    pub since: i64,
    /// How many of the lines visible to this role the browser has seen.
    pub seen: u64,
}

/// A paper to insert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPaper {
    /// The system's id.
    pub system: String,
    /// `encounter` or `library`.
    pub kind: String,
    /// The paper's name.
    pub name: String,
    /// Its content, as TOML.
    pub text: String,
    /// When it was last changed, in seconds since 1970.
    pub changed: i64,
}

impl NewPaper {
    /// Puts it in place of a paper that still has this version, and records the pictures it names; returns
    /// whether the paper had.
    pub(crate) async fn save(
        self,
        connection: &mut SqliteConnection,
        browser: &Hash,
        (id, version): (i64, i64),
    ) -> sqlx::Result<bool> {
        let ids = pictures::ids(&self.text);
        let query = sqlx::query(
            "UPDATE papers SET system = ?, kind = ?, name = ?, text = ?, changed = ?, version = version + 1
             WHERE browser = ? AND id = ? AND version = ?",
        );
        let query = query
            .bind(self.system)
            .bind(self.kind)
            .bind(self.name)
            .bind(self.text)
            .bind(self.changed)
            .bind(browser.to_vec())
            .bind(id)
            .bind(version);
        let saved = query.execute(&mut *connection).await?.rows_affected() > 0;
        if saved {
            pictures::name(connection, Namer::Paper(id), ids).await?;
        }
        Ok(saved)
    }

    /// Inserts it, and what pictures it names; returns its number.
    pub(crate) async fn insert(self, connection: &mut SqliteConnection, browser: &Hash) -> sqlx::Result<i64> {
        let ids = pictures::ids(&self.text);
        let query = sqlx::query(
            "INSERT INTO papers (browser, system, kind, name, text, changed) VALUES (?, ?, ?, ?, ?, ?)",
        );
        let query = query.bind(browser.to_vec()).bind(self.system).bind(self.kind);
        let query = query.bind(self.name).bind(self.text).bind(self.changed);
        let id = query.execute(&mut *connection).await?.last_insert_rowid();
        pictures::name(connection, Namer::Paper(id), ids).await?;
        Ok(id)
    }
}

/// A stored paper: a document that a person wrote or copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its number.
    pub id: i64,
    /// Its version, which grows with every change.
    pub version: i64,
    /// The system's id.
    pub system: String,
    /// `encounter` or `library`.
    pub kind: String,
    /// The paper's name.
    pub name: String,
    /// Its content, as TOML.
    pub text: String,
    /// When it was last changed, in seconds since 1970.
    pub changed: i64,
    /// When it was moved to the bin, in seconds since 1970.
    pub thrown: Option<i64>,
}

/// Parses a role as the database spells it.
pub(crate) fn role_of(name: &str) -> Viewer {
    name.parse().map_or(Viewer::Spectator, Viewer::Seat)
}

fn hash(bytes: Vec<u8>) -> Hash {
    bytes.try_into().unwrap_or_default()
}

fn table(row: &SqliteRow) -> TableRow {
    TableRow {
        id: TableId(row.get("id")),
        system: row.get("system"),
        title: row.get("title"),
        opened: row.get("opened"),
        settings: row.get("settings"),
    }
}

fn deleted(row: &SqliteRow) -> Deleted {
    Deleted { role: role_of(row.get("role")), table: table(row), until: row.get("ends") }
}

fn pass(row: &SqliteRow) -> Pass {
    Pass {
        hash: hash(row.get("hash")),
        table: TableId(row.get("table")),
        kind: PassKind::from_name(row.get("kind")),
        role: role_of(row.get("role")),
        label: row.get("label"),
        made: row.get("made"),
        revoked: row.get("revoked"),
        maker: row.get::<Option<Vec<u8>>, _>("maker").map(hash),
    }
}

fn member(row: &SqliteRow) -> Member {
    Member {
        browser: hash(row.get("browser")),
        table: TableId(row.get("table")),
        role: role_of(row.get("role")),
        name: row.get("name"),
        pass: row.get::<Option<Vec<u8>>, _>("pass").map(hash),
        standing: Standing::from_name(row.get("standing")),
        since: row.get("since"),
        seen: row.get::<i64, _>("seen").try_into().unwrap_or(0),
    }
}

fn paper(row: &SqliteRow) -> Paper {
    Paper {
        id: row.get("id"),
        version: row.get("version"),
        system: row.get("system"),
        kind: row.get("kind"),
        name: row.get("name"),
        text: row.get("text"),
        changed: row.get("changed"),
        thrown: row.get("thrown"),
    }
}

/// Boxes a write for the writer.
pub(crate) fn work<F>(f: F) -> Work
where
    F: for<'c> FnOnce(&'c mut SqliteConnection) -> Writing<'c> + Send + 'static,
{
    Box::new(f)
}

/// A statement with its values bound.
type Statement = Query<'static, Sqlite, SqliteArguments>;

impl Db {
    /// Executes one statement; returns how many rows it changed, and the id of a new row.
    async fn change(&self, statement: Statement) -> Result<SqliteQueryResult, DbError> {
        let (done, result) = oneshot::channel();
        self.write(work(move |connection| {
            Box::pin(async move {
                // The caller may be gone; the statement is executed all the same.
                let _ = done.send(statement.execute(connection).await?);
                Ok(())
            })
        }))
        .await?;
        result.await.map_err(|_| DbError::Closed)
    }
}

/// About how many bytes of an imported log are written at once.
const PIECE: usize = 64 << 10;

/// Splits a log behind its first lines, at least one.
fn piece_of(log: &str) -> (&str, &str) {
    let mut end = PIECE.min(log.len());
    while !log.is_char_boundary(end) {
        end -= 1;
    }
    let whole = log[..end].rfind('\n').or_else(|| log.find('\n')).map_or(log.len(), |at| at + 1);
    log.split_at(whole)
}

/// Inserts lines into a table's log, from number `from` on.
fn added(table: TableId, from: i64, lines: Vec<String>) -> Work {
    work(move |connection| {
        Box::pin(async move {
            let mut query = QueryBuilder::<Sqlite>::new(r#"INSERT INTO lines ("table", seq, line) "#);
            query.push_values((from..).zip(lines), |mut row, (seq, line)| {
                row.push_bind(table.as_str().to_owned()).push_bind(seq).push_bind(line);
            });
            query.build().execute(connection).await.map(drop)
        })
    })
}

fn named_columns(named: Option<Named>) -> [Option<Vec<u8>>; 3] {
    let column = |of: fn(Named) -> Hash| named.map(|named| of(named).to_vec());
    [column(|named| named.name), column(|named| named.asked), column(|named| named.salt)]
}

/// How a table is inserted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comes {
    /// At once, with an empty log.
    Whole,
    /// In pieces: the table is visible once the last piece is written.
    InPieces,
}

fn inserted(new: NewTable, comes: Comes) -> Statement {
    let [name, asked, salt] = named_columns(new.named);
    sqlx::query(
        "INSERT INTO tables (id, system, title, opened, settings, named, asked, salt, arriving)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(new.id.0)
    .bind(new.system)
    .bind(new.title)
    .bind(new.opened)
    .bind(new.settings)
    .bind(name)
    .bind(asked)
    .bind(salt)
    .bind(comes == Comes::InPieces)
}

/// Tables and their logs.
impl Db {
    /// Inserts a new table.
    ///
    /// # Errors
    /// If a table of this id or name exists, or it cannot be saved.
    pub async fn add_table(&self, new: NewTable) -> Result<(), DbError> {
        self.change(inserted(new, Comes::Whole)).await.map(drop)
    }

    /// Imports a table that was played elsewhere, with its whole log, completely or not at
    /// all.
    ///
    /// The log is written in pieces, and other writes go between them. The table is visible
    /// once the last piece is written. If the server ends before that, opening the database
    /// removes the pieces.
    ///
    /// # Errors
    /// If a table of this id or name exists, or it cannot be saved.
    pub async fn take_in_table(&self, new: NewTable, log: String) -> Result<(), DbError> {
        let (id, named) = (new.id.clone(), new.named);
        // The key stays free for another table until this one is complete.
        self.change(inserted(NewTable { named: None, ..new }, Comes::InPieces)).await?;
        let written = async {
            let mut seq = 0;
            let mut rest = log.as_str();
            while !rest.is_empty() {
                let (piece, after) = piece_of(rest);
                let lines: Vec<String> = piece.split_inclusive('\n').map(str::to_owned).collect();
                let count = lines.len() as i64;
                self.write(added(id.clone(), seq, lines)).await?;
                (seq, rest) = (seq + count, after);
            }
            let query =
                sqlx::query("UPDATE tables SET arriving = 0, named = ?, asked = ?, salt = ? WHERE id = ?");
            let [name, asked, salt] = named_columns(named);
            self.change(query.bind(name).bind(asked).bind(salt).bind(id.0.clone())).await.map(drop)
        };
        let written = written.await;
        if written.is_err() {
            // If this fails too, opening the database removes the rest.
            let _ = self.remove_table(&id).await;
        }
        written
    }

    /// Replaces the server's settings of a table.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn set_settings(&self, table: &TableId, settings: String) -> Result<(), DbError> {
        let query =
            sqlx::query("UPDATE tables SET settings = ? WHERE id = ?").bind(settings).bind(table.0.clone());
        self.change(query).await.map(drop)
    }

    /// Removes a table and everything that belongs to it.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn remove_table(&self, table: &TableId) -> Result<(), DbError> {
        let query = sqlx::query("DELETE FROM tables WHERE id = ?").bind(table.0.clone());
        self.change(query).await.map(drop)
    }

    /// Removes a table whose log is empty.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn remove_unbegun(&self, table: &TableId) -> Result<(), DbError> {
        let query = sqlx::query(
            r#"DELETE FROM tables WHERE id = ?1
                       AND NOT EXISTS (SELECT 1 FROM lines WHERE "table" = ?1)"#,
        )
        .bind(table.0.clone());
        self.change(query).await.map(drop)
    }

    /// Every table that is not deleted, oldest first.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn tables(&self) -> Result<Vec<TableRow>, DbError> {
        let rows =
            sqlx::query("SELECT * FROM tables WHERE arriving = 0 AND ends IS NULL ORDER BY opened, id");
        Ok(rows.fetch_all(&self.readers).await?.iter().map(table).collect())
    }

    /// A table that is not deleted.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn table(&self, table_id: &TableId) -> Result<Option<TableRow>, DbError> {
        let row = sqlx::query("SELECT * FROM tables WHERE id = ? AND arriving = 0 AND ends IS NULL")
            .bind(table_id.as_str())
            .fetch_optional(&self.readers);
        Ok(row.await?.as_ref().map(table))
    }

    /// The table that was opened under this key, and what is stored of the key.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn named(&self, name: &Hash) -> Result<Option<(TableId, Named)>, DbError> {
        let row = sqlx::query("SELECT id, asked, salt FROM tables WHERE named = ? AND arriving = 0")
            .bind(&name[..])
            .fetch_optional(&self.readers)
            .await?;
        let known = |row: SqliteRow| {
            let (asked, salt) = (hash(row.get("asked")), hash(row.get("salt")));
            (TableId(row.get("id")), Named { name: *name, asked, salt })
        };
        Ok(row.map(known))
    }

    /// Every line of a table's log, in order.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn lines(&self, table: &TableId) -> Result<Vec<String>, DbError> {
        let lines = sqlx::query_scalar(r#"SELECT line FROM lines WHERE "table" = ? ORDER BY seq"#);
        Ok(lines.bind(table.as_str()).fetch_all(&self.readers).await?)
    }

    /// The first line that an earlier command of this key wrote, and the hash of its
    /// content if that was stored.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn done_before(
        &self,
        table: &TableId,
        who: &str,
        key: &str,
    ) -> Result<Option<(u64, Option<Hash>)>, DbError> {
        let row =
            sqlx::query(r#"SELECT line, asked FROM commands WHERE "table" = ? AND who = ? AND key = ?"#);
        let row = row.bind(table.as_str()).bind(who).bind(key).fetch_optional(&self.readers).await?;
        Ok(row.map(|row| {
            let asked: Option<Vec<u8>> = row.get("asked");
            (row.get::<i64, _>("line").cast_unsigned(), asked.map(hash))
        }))
    }
}

/// Tables that their gamemaster deleted.
impl Db {
    /// Deletes a table. It can be restored until `until`, in seconds since 1970; then it is
    /// to be erased. Its key is free again. A table that was deleted before keeps its time;
    /// returns the time that holds.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn delete_table(&self, table: &TableId, until: i64) -> Result<i64, DbError> {
        let query = sqlx::query(
            "UPDATE tables SET ends = ?, named = NULL, asked = NULL, salt = NULL
             WHERE id = ? AND ends IS NULL",
        );
        self.change(query.bind(until).bind(table.0.clone())).await?;
        let ends: Option<Option<i64>> = sqlx::query_scalar("SELECT ends FROM tables WHERE id = ?")
            .bind(table.as_str())
            .fetch_optional(&self.readers)
            .await?;
        Ok(ends.flatten().unwrap_or(until))
    }

    /// Restores a deleted table; returns whether there was one whose time was not over.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn restore_table(&self, table: &TableId, now: i64) -> Result<bool, DbError> {
        let query = sqlx::query("UPDATE tables SET ends = NULL WHERE id = ? AND ends > ?");
        Ok(self.change(query.bind(table.0.clone()).bind(now)).await?.rows_affected() > 0)
    }

    /// The deleted tables that a browser led, as gamemaster or from the seat that the
    /// settings call `host`, and can still restore, ordered by the time of their erasure.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn deleted(&self, browser: &Hash, now: i64) -> Result<Vec<Deleted>, DbError> {
        let rows = sqlx::query(
            r#"SELECT tables.*, role FROM tables JOIN members ON tables.id = members."table"
               WHERE browser = ? AND role IN ('gm', settings ->> '$.host') AND standing = 'admitted' AND ends > ?
               ORDER BY ends, id"#,
        );
        let rows = rows.bind(browser.to_vec()).bind(now).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(deleted).collect())
    }

    /// The deleted tables whose time is over.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn ended(&self, now: i64) -> Result<Vec<TableId>, DbError> {
        let ids = sqlx::query_scalar("SELECT id FROM tables WHERE ends <= ? ORDER BY ends, id").bind(now);
        let ids: Vec<String> = ids.fetch_all(&self.readers).await?;
        Ok(ids.into_iter().map(TableId).collect())
    }

    /// Every table's settings, deleted tables included.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn all_settings(&self) -> Result<Vec<(TableId, String)>, DbError> {
        let rows = sqlx::query("SELECT id, settings FROM tables ORDER BY id").fetch_all(&self.readers);
        Ok(rows.await?.iter().map(|row| (TableId(row.get("id")), row.get("settings"))).collect())
    }

    /// Erases a table and everything that belongs to it, here and in the copies that
    /// migrations left. No query finds any of it from then on, and no byte is left once the
    /// database was [swept](Db::sweep).
    ///
    /// # Errors
    /// If it cannot be saved, or a copy cannot be changed; that copy then still holds the
    /// table.
    pub async fn erase(&self, table: &TableId) -> Result<(), DbError> {
        self.erased(vec![sqlx::query("DELETE FROM tables WHERE id = ?").bind(table.0.clone())]).await?;
        erase_from_copies(&self.folder, table).await
    }

    /// Removes all that belongs to a browser: its roles at tables, and its papers.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn forget(&self, browser: &Hash) -> Result<(), DbError> {
        let all = [
            "DELETE FROM members WHERE browser = ?",
            "DELETE FROM papers WHERE browser = ?",
            "DELETE FROM unsigned WHERE browser = ?",
        ];
        self.erased(all.map(|sql| sqlx::query(sql).bind(browser.to_vec())).into()).await
    }

    /// Executes these statements, and records that the database must be swept.
    async fn erased(&self, statements: Vec<Statement>) -> Result<(), DbError> {
        self.write(work(move |connection| {
            Box::pin(async move {
                for statement in statements {
                    statement.execute(&mut *connection).await?;
                }
                sqlx::query("UPDATE server SET unswept = 1").execute(connection).await.map(drop)
            })
        }))
        .await
    }

    /// Whether anything was erased since the database was last swept.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn is_unswept(&self) -> Result<bool, DbError> {
        let unswept: i64 = sqlx::query_scalar("SELECT unswept FROM server").fetch_one(&self.readers).await?;
        Ok(unswept != 0)
    }

    /// Rewrites the database, without what its unused pages may hold of erased rows. This
    /// takes as long as copying it, and writers wait.
    ///
    /// # Errors
    /// If it cannot be written, or readers keep the log of changes in use all the time.
    pub async fn sweep(&self) -> Result<(), DbError> {
        self.writer.see_to(Chore::Sweep).await
    }
}

/// The key that signs the server's cookies.
impl Db {
    /// The key that signs cookies; stores `fresh` if there is none yet.
    ///
    /// # Errors
    /// If it cannot be read or saved.
    pub async fn key(&self, fresh: Hash) -> Result<Hash, DbError> {
        let query = sqlx::query("UPDATE server SET key = ? WHERE key IS NULL").bind(fresh.to_vec());
        self.change(query).await?;
        let key: Vec<u8> = sqlx::query_scalar("SELECT key FROM server").fetch_one(&self.readers).await?;
        key.try_into().map_err(|_| DbError::NotSaved("the key in it has no 32 bytes".to_owned()))
    }

    /// Browsers whose cookies are not signed yet.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn unsigned(&self) -> Result<Vec<Hash>, DbError> {
        let rows: Vec<Vec<u8>> =
            sqlx::query_scalar("SELECT browser FROM unsigned").fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(hash).collect())
    }

    /// Records that a browser has a signed cookie now: its unsigned cookie is no longer
    /// valid.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn signed(&self, browser: &Hash) -> Result<(), DbError> {
        let query = sqlx::query("DELETE FROM unsigned WHERE browser = ?").bind(browser.to_vec());
        self.change(query).await.map(drop)
    }
}

/// Links and tokens.
impl Db {
    /// Inserts a link or token.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn add_pass(&self, new: NewPass) -> Result<(), DbError> {
        let query = sqlx::query(
            r#"INSERT INTO passes (hash, "table", kind, role, label, made, maker, made_as)
                       VALUES (?, ?, ?, ?, ?, ?, ?, ?)"#,
        )
        .bind(new.hash.to_vec())
        .bind(new.table.0)
        .bind(new.kind.name())
        .bind(new.role.to_string())
        .bind(new.label)
        .bind(new.made)
        .bind(new.maker.map(|(maker, _)| maker.to_vec()))
        .bind(new.maker.map(|(_, role)| role.to_string()));
        self.change(query).await.map(drop)
    }

    /// The link or token of this secret, revoked ones included.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn pass(&self, hash: &Hash) -> Result<Option<Pass>, DbError> {
        let row = sqlx::query("SELECT * FROM passes WHERE hash = ?").bind(hash.to_vec());
        Ok(row.fetch_optional(&self.readers).await?.as_ref().map(pass))
    }

    /// The link or token of this secret, if it is valid: its table is not deleted, neither
    /// it nor any link or token through which it was made is revoked, and the maker of the
    /// first of them still has the role in which it was made. A person's link outlives its
    /// maker's place; turning the maker out revokes it ([`Db::turn_out`]).
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn pass_that_counts(&self, hash: &Hash) -> Result<Option<Pass>, DbError> {
        Ok(self.counting(hash).await?.filter(|(_, until)| until.is_none()).map(|(pass, _)| pass))
    }

    /// The link or token of this secret, if only the deletion of its table makes it
    /// invalid; and until when the table can be restored.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn pass_to_deleted(&self, hash: &Hash) -> Result<Option<(Pass, i64)>, DbError> {
        Ok(self.counting(hash).await?.and_then(|(pass, until)| Some((pass, until?))))
    }

    async fn counting(&self, hash: &Hash) -> Result<Option<(Pass, Option<i64>)>, DbError> {
        let row = sqlx::query(
            r#"WITH RECURSIVE line (kind, maker, made_as, "table") AS (
                 SELECT kind, maker, made_as, "table" FROM passes WHERE hash = ?1 AND revoked IS NULL
                 UNION SELECT up.kind, up.maker, up.made_as, up."table" FROM line
                   JOIN passes AS up ON up.hash = line.maker WHERE up.revoked IS NULL)
               SELECT passes.*, tables.ends FROM passes JOIN tables ON tables.id = passes."table"
               WHERE hash = ?1 AND EXISTS (SELECT 1 FROM line
                 WHERE maker IS NULL
                   OR (line.kind = 'invite' AND NOT EXISTS (SELECT 1 FROM passes WHERE hash = line.maker))
                   OR EXISTS (SELECT 1 FROM members WHERE browser = line.maker
                     AND "table" = line."table" AND role = line.made_as AND standing = 'admitted'))"#,
        );
        let row = row.bind(hash.to_vec()).fetch_optional(&self.readers).await?;
        Ok(row.map(|row| (pass(&row), row.get("ends"))))
    }

    /// A table's links and tokens, oldest first.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn passes(&self, table: &TableId) -> Result<Vec<Pass>, DbError> {
        let rows = sqlx::query(r#"SELECT * FROM passes WHERE "table" = ? ORDER BY made, role"#);
        Ok(rows.bind(table.as_str()).fetch_all(&self.readers).await?.iter().map(pass).collect())
    }

    /// Revokes a link or token and everything made through it, and removes the members who
    /// came in by any of these.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn revoke(&self, table: &TableId, hash: Hash, when: i64) -> Result<(), DbError> {
        let table = table.clone();
        self.write(work(move |connection| {
            Box::pin(async move {
                let gone: Vec<Vec<u8>> = sqlx::query_scalar(
                    r#"WITH RECURSIVE gone (hash) AS (
                         SELECT hash FROM passes WHERE hash = ? AND "table" = ?
                         UNION SELECT made.hash FROM passes AS made JOIN gone ON made.maker = gone.hash
                         UNION SELECT made.hash FROM passes AS made
                           JOIN members ON members.browser = made.maker AND members."table" = made."table"
                                       AND members.role = made.made_as
                           JOIN gone ON members.pass = gone.hash)
                       SELECT hash FROM gone"#,
                )
                .bind(hash.to_vec())
                .bind(table.0.clone())
                .fetch_all(&mut *connection)
                .await?;
                for hash in gone {
                    take_back(connection, &hash, when).await?;
                    sqlx::query(r#"DELETE FROM members WHERE "table" = ? AND pass = ?"#)
                        .bind(table.0.clone())
                        .bind(hash)
                        .execute(&mut *connection)
                        .await?;
                }
                Ok(())
            })
        }))
        .await
    }

    /// What is revoked when somebody is turned out: the link by which they came, the links
    /// and tokens that they made, and everything made through these. Links and tokens that
    /// are revoked already are left out.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn goes_with(
        &self,
        table: &TableId,
        browser: &Hash,
        role: Viewer,
    ) -> Result<Vec<Hash>, DbError> {
        let rows = sqlx::query_scalar(GOES_WITH).bind(table.0.clone()).bind(browser.to_vec());
        let rows: Vec<Vec<u8>> = rows.bind(role.to_string()).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(hash).collect())
    }

    /// Turns a member out and revokes all that [goes with them](Db::goes_with). Others who
    /// came in by any of it stay; those who still wait to be admitted by it are removed.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn turn_out(
        &self,
        table: &TableId,
        browser: Hash,
        role: Viewer,
        when: i64,
    ) -> Result<(), DbError> {
        let table = table.clone();
        self.write(work(move |connection| {
            Box::pin(async move {
                let gone: Vec<Vec<u8>> = sqlx::query_scalar(GOES_WITH)
                    .bind(table.0.clone())
                    .bind(browser.to_vec())
                    .bind(role.to_string())
                    .fetch_all(&mut *connection)
                    .await?;
                for hash in gone {
                    take_back(connection, &hash, when).await?;
                    let out =
                        r#"DELETE FROM members WHERE "table" = ? AND pass = ? AND standing = 'waiting'"#;
                    sqlx::query(out).bind(table.0.clone()).bind(hash).execute(&mut *connection).await?;
                }
                standing(&table, browser, role, Standing::Refused).execute(connection).await.map(drop)
            })
        }))
        .await
    }
}

/// The links and tokens that are revoked when somebody is turned out of a table (1), by
/// browser (2) and role (3).
const GOES_WITH: &str = r#"
    WITH RECURSIVE gone (hash) AS (
      SELECT pass FROM members WHERE "table" = ?1 AND browser = ?2 AND role = ?3 AND pass IS NOT NULL
      UNION SELECT hash FROM passes WHERE "table" = ?1 AND maker = ?2 AND made_as = ?3
      UNION SELECT made.hash FROM passes AS made JOIN gone ON made.maker = gone.hash)
    SELECT hash FROM gone JOIN passes USING (hash) WHERE revoked IS NULL ORDER BY made, hash"#;

/// Revokes one link or token, unless it is revoked already.
async fn take_back(connection: &mut SqliteConnection, hash: &[u8], when: i64) -> sqlx::Result<()> {
    let query = sqlx::query("UPDATE passes SET revoked = ? WHERE hash = ? AND revoked IS NULL");
    query.bind(when).bind(hash).execute(connection).await.map(drop)
}

fn standing(table: &TableId, browser: Hash, role: Viewer, standing: Standing) -> Statement {
    sqlx::query(r#"UPDATE members SET standing = ? WHERE browser = ? AND "table" = ? AND role = ?"#)
        .bind(standing.name())
        .bind(browser.to_vec())
        .bind(table.0.clone())
        .bind(role.to_string())
}

/// Members: which browser has which role at which table.
impl Db {
    /// Inserts a member, in place of the same browser's earlier entry in that role. A
    /// member who comes by a revoked link is not inserted: a link stops working the moment
    /// it is revoked.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn put_member(&self, new: Member) -> Result<(), DbError> {
        let query = sqlx::query(
                    r#"INSERT OR REPLACE INTO members (browser, "table", role, name, pass, standing, since, seen)
                       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
                       WHERE ?5 IS NULL OR EXISTS (SELECT 1 FROM passes WHERE hash = ?5 AND revoked IS NULL)"#,
                )
                .bind(new.browser.to_vec())
                .bind(new.table.0)
                .bind(new.role.to_string())
                .bind(new.name)
                .bind(new.pass.map(|pass| pass.to_vec()))
                .bind(new.standing.name())
                .bind(new.since)
                .bind(new.seen as i64);
        self.change(query).await.map(drop)
    }

    /// Records how many of the lines visible to a member the member has seen.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn set_seen(
        &self,
        table: &TableId,
        browser: Hash,
        role: Viewer,
        seen: u64,
    ) -> Result<(), DbError> {
        let query =
            sqlx::query(r#"UPDATE members SET seen = ? WHERE browser = ? AND "table" = ? AND role = ?"#)
                .bind(seen as i64)
                .bind(browser.to_vec())
                .bind(table.0.clone())
                .bind(role.to_string());
        self.change(query).await.map(drop)
    }

    /// Admits a member who waits, or turns them away.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn set_standing(
        &self,
        table: &TableId,
        browser: Hash,
        role: Viewer,
        standing: Standing,
    ) -> Result<(), DbError> {
        let query = self::standing(table, browser, role, standing);
        self.change(query).await.map(drop)
    }

    /// Removes a member.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn remove_member(&self, table: &TableId, browser: Hash, role: Viewer) -> Result<(), DbError> {
        let query = sqlx::query(r#"DELETE FROM members WHERE browser = ? AND "table" = ? AND role = ?"#)
            .bind(browser.to_vec())
            .bind(table.0.clone())
            .bind(role.to_string());
        self.change(query).await.map(drop)
    }

    /// A browser's roles at tables that are not deleted, the latest first.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn places(&self, browser: &Hash) -> Result<Vec<(Member, TableRow)>, DbError> {
        let rows = sqlx::query(
            r#"SELECT members.*, tables.id, tables.system, tables.title, tables.opened, tables.settings
               FROM members JOIN tables ON tables.id = members."table"
               WHERE browser = ? AND ends IS NULL ORDER BY since DESC, role"#,
        );
        let rows = rows.bind(browser.to_vec()).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(|row| (member(row), table(row))).collect())
    }

    /// A browser's roles at one table that is not deleted.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn roles(&self, table: &TableId, browser: &Hash) -> Result<Vec<Member>, DbError> {
        let rows = sqlx::query(
            r#"SELECT members.* FROM members JOIN tables ON tables.id = members."table" AND ends IS NULL
               WHERE browser = ? AND "table" = ? ORDER BY role"#,
        );
        let rows = rows.bind(browser.to_vec()).bind(table.as_str()).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(member).collect())
    }

    /// The members of a table, in the order they came.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn members(&self, table: &TableId) -> Result<Vec<Member>, DbError> {
        let rows = sqlx::query(r#"SELECT * FROM members WHERE "table" = ? ORDER BY since, role"#);
        Ok(rows.bind(table.as_str()).fetch_all(&self.readers).await?.iter().map(member).collect())
    }
}

/// People's papers. A paper belongs to one browser; other browsers cannot find it.
impl Db {
    /// Inserts a paper; returns its number.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn add_paper(&self, browser: &Hash, new: NewPaper) -> Result<i64, DbError> {
        let (browser, (done, result)) = (*browser, oneshot::channel());
        self.write(work(move |connection| {
            Box::pin(async move {
                // The caller may be gone; the paper is kept all the same.
                let _ = done.send(new.insert(connection, &browser).await?);
                Ok(())
            })
        }))
        .await?;
        result.await.map_err(|_| DbError::Closed)
    }

    /// Changes a paper if it still has this version; returns whether it had.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn save_paper(
        &self,
        browser: &Hash,
        id: i64,
        version: i64,
        new: NewPaper,
    ) -> Result<bool, DbError> {
        let browser = *browser;
        let (done, result) = oneshot::channel();
        self.write(work(move |connection| {
            Box::pin(async move {
                let _ = done.send(new.save(connection, &browser, (id, version)).await?);
                Ok(())
            })
        }))
        .await?;
        result.await.map_err(|_| DbError::Closed)
    }

    /// A browser's papers, the latest first, those in the bin included.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn papers(&self, browser: &Hash) -> Result<Vec<Paper>, DbError> {
        let rows = sqlx::query("SELECT * FROM papers WHERE browser = ? ORDER BY changed DESC, id DESC");
        Ok(rows.bind(browser.to_vec()).fetch_all(&self.readers).await?.iter().map(paper).collect())
    }

    /// One of a browser's papers.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn paper(&self, browser: &Hash, id: i64) -> Result<Option<Paper>, DbError> {
        let row = sqlx::query("SELECT * FROM papers WHERE browser = ? AND id = ?");
        Ok(row.bind(browser.to_vec()).bind(id).fetch_optional(&self.readers).await?.as_ref().map(paper))
    }

    /// Moves a paper to the bin at this time, or takes it back out.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn throw_paper(&self, browser: &Hash, id: i64, at: Option<i64>) -> Result<(), DbError> {
        let query = sqlx::query("UPDATE papers SET thrown = ? WHERE browser = ? AND id = ?")
            .bind(at)
            .bind(browser.to_vec())
            .bind(id);
        self.change(query).await.map(drop)
    }

    /// Removes a paper in the bin for good.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn remove_paper(&self, browser: &Hash, id: i64) -> Result<(), DbError> {
        let query = sqlx::query("DELETE FROM papers WHERE browser = ? AND id = ? AND thrown IS NOT NULL")
            .bind(browser.to_vec())
            .bind(id);
        self.change(query).await.map(drop)
    }
}
