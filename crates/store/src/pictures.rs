//! Pictures, which papers and tables name by id. A picture stays as long as any of them does.

use crate::rows::work;
use crate::{Db, DbError, Hash, NewPaper, TableId};
use sqlx::{Row, SqliteConnection};
use tokio::sync::oneshot;

/// How many hexadecimal digits an id has.
const ID: usize = 64;

/// A picture to insert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPicture {
    /// Its id: 64 lower-case hexadecimal digits that nobody guesses.
    pub id: String,
    /// `png` or `jpeg`.
    pub kind: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// A stored picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// `png` or `jpeg`.
    pub kind: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The most bytes of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Of the papers of one browser.
    pub browser: u64,
    /// Of all.
    pub server: u64,
}

/// Why a picture has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The papers of the browser have as many as they may.
    Browser,
    /// The server has as many as it may.
    Server,
}

/// Who names a picture: a paper or a table.
pub(crate) enum Namer<'n> {
    Paper(i64),
    Table(&'n str),
}

/// The texts in a document that may be ids of pictures, once each.
pub(crate) fn ids(text: &str) -> Vec<String> {
    let is_digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    let words = text.split(|c| !is_digit(c)).filter(|word| word.len() == ID);
    let mut ids: Vec<String> = words.map(str::to_owned).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Records that a paper or table names these pictures, as far as there are such.
pub(crate) async fn name(
    connection: &mut SqliteConnection,
    namer: Namer<'_>,
    ids: Vec<String>,
) -> sqlx::Result<()> {
    for id in ids {
        let query = match namer {
            Namer::Paper(paper) => {
                let sql =
                    "INSERT OR IGNORE INTO pictured (picture, paper) SELECT id, ? FROM pictures WHERE id = ?";
                sqlx::query(sql).bind(paper)
            }
            Namer::Table(table) => {
                let sql = r#"INSERT OR IGNORE INTO pictured (picture, "table") SELECT id, ? FROM pictures WHERE id = ?"#;
                sqlx::query(sql).bind(table.to_owned())
            }
        };
        query.bind(id).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Whether there is no room for so many bytes more.
async fn full(
    connection: &mut SqliteConnection,
    browser: &Hash,
    bytes: u64,
    room: Room,
) -> sqlx::Result<Option<Full>> {
    let own: i64 = sqlx::query_scalar(
        "SELECT COALESCE(SUM(size), 0) FROM pictures WHERE id IN
         (SELECT picture FROM pictured JOIN papers ON papers.id = pictured.paper WHERE browser = ?)",
    )
    .bind(browser.to_vec())
    .fetch_one(&mut *connection)
    .await?;
    let all: i64 =
        sqlx::query_scalar("SELECT COALESCE(SUM(size), 0) FROM pictures").fetch_one(connection).await?;
    let is_over = |there: i64, most: u64| there.cast_unsigned().saturating_add(bytes) > most;
    Ok(match () {
        () if is_over(own, room.browser) => Some(Full::Browser),
        () if is_over(all, room.server) => Some(Full::Server),
        () => None,
    })
}

impl NewPicture {
    /// Inserts it, unless it is there; returns why it has no room.
    async fn insert(
        self,
        connection: &mut SqliteConnection,
        browser: &Hash,
        room: Room,
    ) -> sqlx::Result<Option<Full>> {
        let known = sqlx::query_scalar::<_, i64>("SELECT 1 FROM pictures WHERE id = ?").bind(self.id.clone());
        if known.fetch_optional(&mut *connection).await?.is_some() {
            return Ok(None);
        }
        let bytes = self.bytes.len() as u64;
        if let Some(full) = full(connection, browser, bytes, room).await? {
            return Ok(Some(full));
        }
        sqlx::query("INSERT INTO pictures (id, kind, size, bytes) VALUES (?, ?, ?, ?)")
            .bind(self.id)
            .bind(self.kind)
            .bind(bytes.cast_signed())
            .bind(self.bytes)
            .execute(&mut *connection)
            .await?;
        Ok(None)
    }
}

impl Db {
    /// Inserts a paper with the picture that its text names; returns the paper's number, or why
    /// neither was kept.
    ///
    /// # Errors
    /// If they cannot be saved.
    pub async fn add_pictured(
        &self,
        browser: &Hash,
        new: NewPaper,
        picture: NewPicture,
        room: Room,
    ) -> Result<Result<i64, Full>, DbError> {
        let browser = *browser;
        let (done, result) = oneshot::channel();
        self.write(work(move |connection| {
            Box::pin(async move {
                let kept = match picture.insert(connection, &browser, room).await? {
                    Some(full) => Err(full),
                    None => Ok(new.insert(connection, &browser).await?),
                };
                // The caller may be gone.
                let _ = done.send(kept);
                Ok(())
            })
        }))
        .await?;
        result.await.map_err(|_| DbError::Closed)
    }

    /// Changes a paper if it still has this version, and forgets what pictures its new text does not
    /// name; returns whether it had that version. With a picture, which the text must name, says why
    /// there is no room for it.
    ///
    /// # Errors
    /// If they cannot be saved.
    pub async fn save_pictured(
        &self,
        browser: &Hash,
        (id, version): (i64, i64),
        new: NewPaper,
        picture: Option<NewPicture>,
        room: Room,
    ) -> Result<Result<bool, Full>, DbError> {
        let (browser, ids) = (*browser, ids(&new.text));
        // A picture that nothing names would stay for ever.
        let picture = picture.filter(|picture| ids.contains(&picture.id));
        let (done, result) = oneshot::channel();
        self.write(work(move |connection| {
            Box::pin(async move {
                let there = sqlx::query("SELECT 1 FROM papers WHERE browser = ? AND id = ? AND version = ?")
                    .bind(browser.to_vec())
                    .bind(id)
                    .bind(version);
                if there.fetch_optional(&mut *connection).await?.is_none() {
                    let _ = done.send(Ok(false));
                    return Ok(());
                }
                if let Some(picture) = picture
                    && let Some(full) = picture.insert(connection, &browser, room).await?
                {
                    let _ = done.send(Err(full));
                    return Ok(());
                }
                let saved = new.save(connection, &browser, (id, version)).await?;
                let named = sqlx::query_scalar::<_, String>("SELECT picture FROM pictured WHERE paper = ?");
                for picture in named.bind(id).fetch_all(&mut *connection).await? {
                    if !ids.contains(&picture) {
                        let gone = sqlx::query("DELETE FROM pictured WHERE paper = ? AND picture = ?");
                        gone.bind(id).bind(picture).execute(&mut *connection).await?;
                    }
                }
                let _ = done.send(Ok(saved));
                Ok(())
            })
        }))
        .await?;
        result.await.map_err(|_| DbError::Closed)
    }

    /// A picture.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn picture(&self, id: &str) -> Result<Option<Picture>, DbError> {
        let row = sqlx::query("SELECT kind, bytes FROM pictures WHERE id = ?").bind(id.to_owned());
        let row = row.fetch_optional(&self.readers).await?;
        Ok(row.map(|row| Picture { kind: row.get("kind"), bytes: row.get("bytes") }))
    }

    /// Keeps the pictures that a table's setup names as long as the table.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub async fn keep_pictures(&self, table: &TableId, setup: &str) -> Result<(), DbError> {
        let (table, ids) = (table.clone(), ids(setup));
        if ids.is_empty() {
            return Ok(());
        }
        self.write(work(move |connection| {
            Box::pin(async move { name(connection, Namer::Table(table.as_str()), ids).await })
        }))
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewTable;

    const ROOM: Room = Room { browser: 100, server: 150 };
    const ANA: Hash = [1; 32];
    const BO: Hash = [2; 32];

    fn id(digit: char) -> String {
        digit.to_string().repeat(ID)
    }

    fn paper(text: &str) -> NewPaper {
        let text = format!("[map]\npicture = {{ id = \"{text}\" }}\n");
        NewPaper { system: "s".into(), kind: "encounter".into(), name: "n".into(), text, changed: 0 }
    }

    fn picture(digit: char, bytes: usize) -> NewPicture {
        NewPicture { id: id(digit), kind: "png".into(), bytes: vec![7; bytes] }
    }

    async fn add(db: &Db, browser: &Hash, digit: char, bytes: usize) -> Result<i64, Full> {
        let added = db.add_pictured(browser, paper(&id(digit)), picture(digit, bytes), ROOM).await;
        added.expect("saved")
    }

    async fn has(db: &Db, digits: &str) -> String {
        let mut there = String::new();
        for digit in digits.chars() {
            if db.picture(&id(digit)).await.expect("readable").is_some() {
                there.push(digit);
            }
        }
        there
    }

    async fn erase(db: &Db, browser: &Hash, paper: i64) {
        db.throw_paper(browser, paper, Some(1)).await.expect("thrown");
        db.remove_paper(browser, paper).await.expect("removed");
    }

    #[test]
    fn ids_are_found_in_a_text() {
        let (a, b) = (id('a'), id('b'));
        assert_eq!(ids(&format!("id = \"{b}\" {a}, {b}")), [a.clone(), b]);
        assert!(ids(&format!("{a}0 {} x{}", &a[1..], &a[1..])).is_empty());
        assert!(ids("").is_empty());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_picture_stays_as_long_as_it_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let db = Db::open(folder.path()).await.expect("open");
        let first = add(&db, &ANA, 'a', 10).await.expect("kept");
        let kept = db.picture(&id('a')).await.expect("readable").expect("there");
        assert_eq!((kept.kind.as_str(), kept.bytes.len()), ("png", 10));
        // A copy, and the paper of somebody who was told its id.
        let second = db.add_paper(&ANA, paper(&id('a'))).await.expect("kept");
        let others = db.add_paper(&BO, paper(&id('a'))).await.expect("kept");
        erase(&db, &ANA, first).await;
        erase(&db, &ANA, second).await;
        assert_eq!(has(&db, "a").await, "a");
        // Saved without it, it still may be wanted again.
        assert!(db.save_paper(&BO, others, 1, paper("")).await.expect("saved"));
        assert_eq!(has(&db, "a").await, "a");
        db.forget(&BO).await.expect("forgotten");
        assert_eq!(has(&db, "a").await, "");
        // A table keeps it too.
        let table = TableId::new("t").expect("an id");
        let new = NewTable {
            id: table.clone(),
            system: "s".into(),
            title: "t".into(),
            opened: 0,
            settings: "{}".into(),
            named: None,
        };
        db.add_table(new).await.expect("kept");
        let mine = add(&db, &ANA, 'b', 10).await.expect("kept");
        db.keep_pictures(&table, &paper(&id('b')).text).await.expect("kept");
        db.keep_pictures(&table, &paper(&id('c')).text).await.expect("no such picture");
        erase(&db, &ANA, mine).await;
        assert_eq!(has(&db, "bc").await, "b");
        db.erase(&table).await.expect("erased");
        assert_eq!(has(&db, "b").await, "");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn pictures_have_room_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let db = Db::open(folder.path()).await.expect("open");
        let first = add(&db, &ANA, 'a', 60).await.expect("kept");
        assert_eq!(add(&db, &ANA, 'b', 41).await, Err(Full::Browser));
        assert_eq!((has(&db, "b").await.as_str(), db.papers(&ANA).await.expect("readable").len()), ("", 1));
        add(&db, &ANA, 'a', 60).await.expect("it is there already");
        add(&db, &BO, 'c', 90).await.expect("kept");
        assert_eq!(add(&db, &ANA, 'd', 1).await, Err(Full::Server));
        let copy = db.papers(&ANA).await.expect("readable").iter().map(|paper| paper.id).max();
        erase(&db, &ANA, first).await;
        erase(&db, &ANA, copy.expect("a copy")).await;
        add(&db, &ANA, 'e', 60).await.expect("there is room again");
    }
}
