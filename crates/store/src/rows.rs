//! What stands beside the logs: tables, links, who came in, what was prepared.

use crate::{
    DbError,
    db::{Db, erase_from_copies},
    writer::{Chore, Work, Writing},
};
use fracas_kernel::Viewer;
use serde::{Deserialize, Serialize};
use sqlx::{
    QueryBuilder, Row, Sqlite, SqliteConnection,
    query::Query,
    sqlite::{SqliteArguments, SqliteQueryResult, SqliteRow},
};
use std::fmt;
use tokio::sync::oneshot;

/// The SHA-256 of a secret: a cookie's, a link's, a token's.
pub type Hash = [u8; 32];

/// A table's id: short, in links, no secret.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableId(String);

impl TableId {
    /// An id from text: at most 32 lower-case letters and digits.
    pub fn new(text: &str) -> Option<TableId> {
        let good = (1..=32).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        good.then(|| TableId(text.to_owned()))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What whoever opens a table calls that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// By its hash; no two tables have the same.
    pub name: Hash,
    /// What was asked for under it, by its hash.
    pub asked: Hash,
    /// Random: what is handed over follows from it, and not from the name alone.
    pub salt: Hash,
}

/// A table to be kept.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// Its id.
    pub id: TableId,
    /// The system's id.
    pub system: String,
    /// What it is called.
    pub title: String,
    /// When it was opened, in seconds since 1970.
    pub opened: i64,
    /// What the server keeps beside the log, as JSON.
    pub settings: String,
    /// What whoever opens it calls that.
    pub named: Option<Named>,
}

/// A table that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Its id.
    pub id: TableId,
    /// The system's id.
    pub system: String,
    /// What it is called.
    pub title: String,
    /// When it was opened, in seconds since 1970.
    pub opened: i64,
    /// What the server keeps beside the log, as JSON.
    pub settings: String,
}

/// A table that was deleted, and that a browser which led it may have back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// The role in which the browser led it.
    pub role: Viewer,
    /// The table, as it was.
    pub table: TableRow,
    /// Until when it may be had back, in seconds since 1970: then it is erased.
    pub until: i64,
}

/// What a link or token allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassKind {
    /// A link by which a person comes in.
    Invite,
    /// A token for a program that only looks.
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

/// A link or token to be kept.
#[derive(Clone, Debug)]
pub struct NewPass {
    /// Of its secret.
    pub hash: Hash,
    /// The table it leads to.
    pub table: TableId,
    /// What it allows.
    pub kind: PassKind,
    /// As whom.
    pub role: Viewer,
    /// What it is for, in somebody's words.
    pub label: String,
    /// When it was made, in seconds since 1970.
    pub made: i64,
    /// Whoever made it, where it counts for no longer than they have their place:
    /// a browser or another token, and as whom.
    pub maker: Option<(Hash, Viewer)>,
}

/// A link or token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Of its secret.
    pub hash: Hash,
    /// The table it leads to.
    pub table: TableId,
    /// What it allows.
    pub kind: PassKind,
    /// As whom.
    pub role: Viewer,
    /// What it is for.
    pub label: String,
    /// When it was made, in seconds since 1970.
    pub made: i64,
    /// When it was taken back.
    pub revoked: Option<i64>,
    /// Whoever made it, where it counts for no longer than they have their place.
    pub maker: Option<Hash>,
}

/// Whether somebody who knocked was let in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// At the door.
    Waiting,
    /// Inside.
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

/// A browser at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Of the browser's cookie.
    pub browser: Hash,
    /// Which table.
    pub table: TableId,
    /// As whom.
    pub role: Viewer,
    /// What they call themselves.
    pub name: String,
    /// The link they came by; `None` for who opened the table.
    pub pass: Option<Hash>,
    /// Whether they were let in.
    pub standing: Standing,
    /// Since when, in seconds since 1970.
    pub since: i64,
    /// How many of the lines that they may see they have seen.
    pub seen: u64,
}

/// A document to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPaper {
    /// The system it is for.
    pub system: String,
    /// `encounter` or `library`.
    pub kind: String,
    /// What it is called.
    pub name: String,
    /// TOML.
    pub text: String,
    /// When it was last changed, in seconds since 1970.
    pub changed: i64,
}

/// A document that somebody made or copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its number.
    pub id: i64,
    /// Grows with every change.
    pub version: i64,
    /// The system it is for.
    pub system: String,
    /// `encounter` or `library`.
    pub kind: String,
    /// What it is called.
    pub name: String,
    /// TOML.
    pub text: String,
    /// When it was last changed, in seconds since 1970.
    pub changed: i64,
    /// When it was thrown away, where it was.
    pub thrown: Option<i64>,
}

/// A viewer as the database writes it.
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

/// A write as the writer takes it.
fn work<F>(f: F) -> Work
where
    F: for<'c> FnOnce(&'c mut SqliteConnection) -> Writing<'c> + Send + 'static,
{
    Box::new(f)
}

/// One statement, with all that it says.
type Statement = Query<'static, Sqlite, SqliteArguments>;

impl Db {
    /// Carries one statement out; tells to how many rows, and the number of a new one.
    async fn change(&self, statement: Statement) -> Result<SqliteQueryResult, DbError> {
        let (done, told) = oneshot::channel();
        self.write(work(move |connection| {
            Box::pin(async move {
                // Whoever asked may have gone: it is done all the same.
                let _ = done.send(statement.execute(connection).await?);
                Ok(())
            })
        }))
        .await?;
        told.await.map_err(|_| DbError::Closed)
    }
}

/// About how many bytes of a log that is taken in are written at once.
const PIECE: usize = 64 << 10;

/// The first lines of a log, at least one, and the rest.
fn piece_of(log: &str) -> (&str, &str) {
    let mut end = PIECE.min(log.len());
    while !log.is_char_boundary(end) {
        end -= 1;
    }
    let whole = log[..end].rfind('\n').or_else(|| log.find('\n')).map_or(log.len(), |at| at + 1);
    log.split_at(whole)
}

/// Lines of a table's log, from this number on.
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

/// How a table comes to be kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comes {
    /// At once, with nothing in its log yet.
    Whole,
    /// Piece by piece: until the last of them there is no such table.
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
    /// Keeps a new table.
    ///
    /// # Errors
    /// Where there is one of this id or name already, or it cannot be saved.
    pub async fn add_table(&self, new: NewTable) -> Result<(), DbError> {
        self.change(inserted(new, Comes::Whole)).await.map(drop)
    }

    /// Keeps a table that was played elsewhere, with every line of its log: all of
    /// it, or nothing.
    ///
    /// It is written in pieces, and what others write goes between them. Until the last
    /// one there is no such table; where the server ends before, nothing of it is left
    /// when the database is opened again.
    ///
    /// # Errors
    /// Where there is one of this id or name already, or it cannot be saved.
    pub async fn take_in_table(&self, new: NewTable, log: String) -> Result<(), DbError> {
        let (id, named) = (new.id.clone(), new.named);
        // Its name is free for another until it is there.
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
            // Where that fails too, it is forgotten when the database is opened again.
            let _ = self.remove_table(&id).await;
        }
        written
    }

    /// Changes what the server keeps beside a table's log.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn set_settings(&self, table: &TableId, settings: String) -> Result<(), DbError> {
        let query =
            sqlx::query("UPDATE tables SET settings = ? WHERE id = ?").bind(settings).bind(table.0.clone());
        self.change(query).await.map(drop)
    }

    /// Removes a table with all that belongs to it.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn remove_table(&self, table: &TableId) -> Result<(), DbError> {
        let query = sqlx::query("DELETE FROM tables WHERE id = ?").bind(table.0.clone());
        self.change(query).await.map(drop)
    }

    /// Removes a table that has not begun: nothing is in its log.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn remove_unbegun(&self, table: &TableId) -> Result<(), DbError> {
        let query = sqlx::query(
            r#"DELETE FROM tables WHERE id = ?1
                       AND NOT EXISTS (SELECT 1 FROM lines WHERE "table" = ?1)"#,
        )
        .bind(table.0.clone());
        self.change(query).await.map(drop)
    }

    /// Every table that stands, oldest first.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub async fn tables(&self) -> Result<Vec<TableRow>, DbError> {
        let rows =
            sqlx::query("SELECT * FROM tables WHERE arriving = 0 AND ends IS NULL ORDER BY opened, id");
        Ok(rows.fetch_all(&self.readers).await?.iter().map(table).collect())
    }

    /// A table that stands.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn table(&self, table_id: &TableId) -> Result<Option<TableRow>, DbError> {
        let row = sqlx::query("SELECT * FROM tables WHERE id = ? AND arriving = 0 AND ends IS NULL")
            .bind(table_id.as_str())
            .fetch_optional(&self.readers);
        Ok(row.await?.as_ref().map(table))
    }

    /// The table that was opened under this name, and what is known of the name.
    ///
    /// # Errors
    /// Where it cannot be read.
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
    /// Where they cannot be read.
    pub async fn lines(&self, table: &TableId) -> Result<Vec<String>, DbError> {
        let lines = sqlx::query_scalar(r#"SELECT line FROM lines WHERE "table" = ? ORDER BY seq"#);
        Ok(lines.bind(table.as_str()).fetch_all(&self.readers).await?)
    }

    /// The first line that a command wrote, where it was carried out before, and the hash
    /// of what was asked for, where that was kept.
    ///
    /// # Errors
    /// Where it cannot be read.
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
    /// Deletes a table: it may be had back until this moment, in seconds since 1970, and
    /// then it is to be erased. What it was opened under names nothing any more. One that
    /// was deleted before keeps its moment, which is given.
    ///
    /// # Errors
    /// Where it cannot be saved.
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

    /// Has a deleted table back; says whether there was one whose time was not over now.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn restore_table(&self, table: &TableId, now: i64) -> Result<bool, DbError> {
        let query = sqlx::query("UPDATE tables SET ends = NULL WHERE id = ? AND ends > ?");
        Ok(self.change(query.bind(table.0.clone()).bind(now)).await?.rows_affected() > 0)
    }

    /// The deleted tables that a browser led, as their gamemaster or from the seat that
    /// their settings call `host`, and may have back now: the one first that is erased first.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub async fn deleted(&self, browser: &Hash, now: i64) -> Result<Vec<Deleted>, DbError> {
        let rows = sqlx::query(
            r#"SELECT tables.*, role FROM tables JOIN members ON tables.id = members."table"
               WHERE browser = ? AND role IN ('gm', settings ->> '$.host') AND standing = 'admitted' AND ends > ?
               ORDER BY ends, id"#,
        );
        let rows = rows.bind(browser.to_vec()).bind(now).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(deleted).collect())
    }

    /// The deleted tables whose time is over now.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub async fn ended(&self, now: i64) -> Result<Vec<TableId>, DbError> {
        let ids = sqlx::query_scalar("SELECT id FROM tables WHERE ends <= ? ORDER BY ends, id").bind(now);
        let ids: Vec<String> = ids.fetch_all(&self.readers).await?;
        Ok(ids.into_iter().map(TableId).collect())
    }

    /// Every table's settings, those of deleted ones too.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub async fn all_settings(&self) -> Result<Vec<(TableId, String)>, DbError> {
        let rows = sqlx::query("SELECT id, settings FROM tables ORDER BY id").fetch_all(&self.readers);
        Ok(rows.await?.iter().map(|row| (TableId(row.get("id")), row.get("settings"))).collect())
    }

    /// Erases a table with all that belongs to it, here and in the copies that were kept
    /// of the database before an update. No query finds anything of it from then on, and
    /// no byte is left once the database was [swept](Db::sweep).
    ///
    /// # Errors
    /// Where it cannot be saved; or where a copy cannot be changed, which then keeps it.
    pub async fn erase(&self, table: &TableId) -> Result<(), DbError> {
        self.erased(vec![sqlx::query("DELETE FROM tables WHERE id = ?").bind(table.0.clone())]).await?;
        erase_from_copies(&self.folder, table).await
    }

    /// Forgets a browser: where it sits or watches, and what it prepared.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn forget(&self, browser: &Hash) -> Result<(), DbError> {
        let all = [
            "DELETE FROM members WHERE browser = ?",
            "DELETE FROM papers WHERE browser = ?",
            "DELETE FROM unsigned WHERE browser = ?",
        ];
        self.erased(all.map(|sql| sqlx::query(sql).bind(browser.to_vec())).into()).await
    }

    /// Carries these out, and remembers that something was erased by them.
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

    /// Whether something was erased since the database was swept.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn is_unswept(&self) -> Result<bool, DbError> {
        let unswept: i64 = sqlx::query_scalar("SELECT unswept FROM server").fetch_one(&self.readers).await?;
        Ok(unswept != 0)
    }

    /// Writes the database anew, without what its unused space may hold of things that
    /// were erased. It takes as long as copying it, and writers wait.
    ///
    /// # Errors
    /// Where it cannot be written, or somebody reads it all the time.
    pub async fn sweep(&self) -> Result<(), DbError> {
        self.writer.see_to(Chore::Sweep).await
    }
}

/// By what the server knows its own cookies.
impl Db {
    /// The key by which it does: this one, where it has none yet.
    ///
    /// # Errors
    /// Where it cannot be read or saved.
    pub async fn key(&self, fresh: Hash) -> Result<Hash, DbError> {
        let query = sqlx::query("UPDATE server SET key = ? WHERE key IS NULL").bind(fresh.to_vec());
        self.change(query).await?;
        let key: Vec<u8> = sqlx::query_scalar("SELECT key FROM server").fetch_one(&self.readers).await?;
        key.try_into().map_err(|_| DbError::NotSaved("the key in it has no 32 bytes".to_owned()))
    }

    /// Browsers whose cookies are from before they were signed.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub async fn unsigned(&self) -> Result<Vec<Hash>, DbError> {
        let rows: Vec<Vec<u8>> =
            sqlx::query_scalar("SELECT browser FROM unsigned").fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(hash).collect())
    }

    /// A browser has another cookie now: the one from before counts no longer.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn signed(&self, browser: &Hash) -> Result<(), DbError> {
        let query = sqlx::query("DELETE FROM unsigned WHERE browser = ?").bind(browser.to_vec());
        self.change(query).await.map(drop)
    }
}

/// Links and tokens.
impl Db {
    /// Keeps a link or token.
    ///
    /// # Errors
    /// Where it cannot be saved.
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

    /// The link or token of this secret, revoked ones too.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn pass(&self, hash: &Hash) -> Result<Option<Pass>, DbError> {
        let row = sqlx::query("SELECT * FROM passes WHERE hash = ?").bind(hash.to_vec());
        Ok(row.fetch_optional(&self.readers).await?.as_ref().map(pass))
    }

    /// The link or token of this secret, where it counts: its table stands, it was not
    /// taken back, nor any by which it was made, and the maker of the first of them
    /// still has the place they made it in. A person's link outlives their place, and is
    /// taken back with them ([`Db::turn_out`]).
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn pass_that_counts(&self, hash: &Hash) -> Result<Option<Pass>, DbError> {
        Ok(self.counting(hash).await?.filter(|(_, until)| until.is_none()).map(|(pass, _)| pass))
    }

    /// The link or token of this secret, where it would count at a table that was
    /// deleted if that stood; and until when the table may be had back.
    ///
    /// # Errors
    /// Where it cannot be read.
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
    /// Where they cannot be read.
    pub async fn passes(&self, table: &TableId) -> Result<Vec<Pass>, DbError> {
        let rows = sqlx::query(r#"SELECT * FROM passes WHERE "table" = ? ORDER BY made, role"#);
        Ok(rows.bind(table.as_str()).fetch_all(&self.readers).await?.iter().map(pass).collect())
    }

    /// Takes a link or token back, with whatever was made by it; whoever came in by
    /// any of these is out.
    ///
    /// # Errors
    /// Where it cannot be saved.
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

    /// What goes with somebody who is turned out: the link by which they came, the links
    /// and tokens that they made, and whatever was made by these; those that were taken
    /// back are not among them.
    ///
    /// # Errors
    /// Where it cannot be read.
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

    /// Turns somebody out, with all that [goes with them](Db::goes_with). Others who came in
    /// by any of it stay; those still on the way in by it are not let in.
    ///
    /// # Errors
    /// Where it cannot be saved.
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

/// The links and tokens that go with somebody who is turned out of a table (1), by browser
/// (2) and role (3).
const GOES_WITH: &str = r#"
    WITH RECURSIVE gone (hash) AS (
      SELECT pass FROM members WHERE "table" = ?1 AND browser = ?2 AND role = ?3 AND pass IS NOT NULL
      UNION SELECT hash FROM passes WHERE "table" = ?1 AND maker = ?2 AND made_as = ?3
      UNION SELECT made.hash FROM passes AS made JOIN gone ON made.maker = gone.hash)
    SELECT hash FROM gone JOIN passes USING (hash) WHERE revoked IS NULL ORDER BY made, hash"#;

/// Takes one link or token back, where that was not done before.
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

/// Who sits or watches where.
impl Db {
    /// Keeps somebody at a table; whoever was there in that role by the same
    /// browser is replaced. Whoever comes by a link that has been taken back is
    /// not kept: a link leads nowhere from the moment it is revoked.
    ///
    /// # Errors
    /// Where it cannot be saved.
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

    /// Somebody has seen so many of the lines that they may see.
    ///
    /// # Errors
    /// Where it cannot be saved.
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

    /// Lets whoever knocked in, or turns them away.
    ///
    /// # Errors
    /// Where it cannot be saved.
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

    /// Somebody gets up.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn remove_member(&self, table: &TableId, browser: Hash, role: Viewer) -> Result<(), DbError> {
        let query = sqlx::query(r#"DELETE FROM members WHERE browser = ? AND "table" = ? AND role = ?"#)
            .bind(browser.to_vec())
            .bind(table.0.clone())
            .bind(role.to_string());
        self.change(query).await.map(drop)
    }

    /// Where a browser sits or watches, the latest first, of tables that stand.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn places(&self, browser: &Hash) -> Result<Vec<(Member, TableRow)>, DbError> {
        let rows = sqlx::query(
            r#"SELECT members.*, tables.id, tables.system, tables.title, tables.opened, tables.settings
               FROM members JOIN tables ON tables.id = members."table"
               WHERE browser = ? AND ends IS NULL ORDER BY since DESC, role"#,
        );
        let rows = rows.bind(browser.to_vec()).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(|row| (member(row), table(row))).collect())
    }

    /// A browser at one table that stands: in every role it has there.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn roles(&self, table: &TableId, browser: &Hash) -> Result<Vec<Member>, DbError> {
        let rows = sqlx::query(
            r#"SELECT members.* FROM members JOIN tables ON tables.id = members."table" AND ends IS NULL
               WHERE browser = ? AND "table" = ? ORDER BY role"#,
        );
        let rows = rows.bind(browser.to_vec()).bind(table.as_str()).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(member).collect())
    }

    /// Everybody at a table, in the order they came.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn members(&self, table: &TableId) -> Result<Vec<Member>, DbError> {
        let rows = sqlx::query(r#"SELECT * FROM members WHERE "table" = ? ORDER BY since, role"#);
        Ok(rows.bind(table.as_str()).fetch_all(&self.readers).await?.iter().map(member).collect())
    }
}

/// What people prepared. Each is its browser's own: to another it is not there.
impl Db {
    /// Keeps a new document; gives its number.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn add_paper(&self, browser: &Hash, new: NewPaper) -> Result<i64, DbError> {
        let query = sqlx::query(
            "INSERT INTO papers (browser, system, kind, name, text, changed) VALUES (?, ?, ?, ?, ?, ?)",
        );
        let query = query
            .bind(browser.to_vec())
            .bind(new.system)
            .bind(new.kind)
            .bind(new.name)
            .bind(new.text)
            .bind(new.changed);
        Ok(self.change(query).await?.last_insert_rowid())
    }

    /// Changes a document where it still has this version; says whether it had.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn save_paper(
        &self,
        browser: &Hash,
        id: i64,
        version: i64,
        new: NewPaper,
    ) -> Result<bool, DbError> {
        let query = sqlx::query(
            "UPDATE papers SET system = ?, kind = ?, name = ?, text = ?, changed = ?, version = version + 1
             WHERE browser = ? AND id = ? AND version = ?",
        );
        let query = query
            .bind(new.system)
            .bind(new.kind)
            .bind(new.name)
            .bind(new.text)
            .bind(new.changed)
            .bind(browser.to_vec())
            .bind(id)
            .bind(version);
        Ok(self.change(query).await?.rows_affected() > 0)
    }

    /// A browser's own documents, the latest first, those thrown away too.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub async fn papers(&self, browser: &Hash) -> Result<Vec<Paper>, DbError> {
        let rows = sqlx::query("SELECT * FROM papers WHERE browser = ? ORDER BY changed DESC, id DESC");
        Ok(rows.bind(browser.to_vec()).fetch_all(&self.readers).await?.iter().map(paper).collect())
    }

    /// One of a browser's own documents.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn paper(&self, browser: &Hash, id: i64) -> Result<Option<Paper>, DbError> {
        let row = sqlx::query("SELECT * FROM papers WHERE browser = ? AND id = ?");
        Ok(row.bind(browser.to_vec()).bind(id).fetch_optional(&self.readers).await?.as_ref().map(paper))
    }

    /// Throws a document away at this time, or has it back.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn throw_paper(&self, browser: &Hash, id: i64, at: Option<i64>) -> Result<(), DbError> {
        let query = sqlx::query("UPDATE papers SET thrown = ? WHERE browser = ? AND id = ?")
            .bind(at)
            .bind(browser.to_vec())
            .bind(id);
        self.change(query).await.map(drop)
    }

    /// Removes a document that was thrown away, for good.
    ///
    /// # Errors
    /// Where it cannot be saved.
    pub async fn remove_paper(&self, browser: &Hash, id: i64) -> Result<(), DbError> {
        let query = sqlx::query("DELETE FROM papers WHERE browser = ? AND id = ? AND thrown IS NOT NULL")
            .bind(browser.to_vec())
            .bind(id);
        self.change(query).await.map(drop)
    }
}
