//! Tests with databases of earlier and later versions, and with two writers.

use super::*;
use crate::{Hash, Member, Named, NewPass, NewTable, PassKind, Standing};
use fracas_kernel::{Seat, Viewer};
use fracas_table::Store;
use tempfile::TempDir;

/// Rows in the first version's schema: a table with two lines and a command, a player's
/// link, a token, a paper.
const FIRST: &str = r#"
    INSERT INTO tables VALUES ('abcdefghijkl', 'a-system', 'The Mill', 1700000000, '{"door":"open"}');
    INSERT INTO lines VALUES ('abcdefghijkl', 0, '{"a":1}' || char(10)), ('abcdefghijkl', 1, '{"b":2}' || char(10));
    INSERT INTO commands VALUES ('abcdefghijkl', 'player-1', 'k', 1);
    INSERT INTO passes VALUES (zeroblob(32), 'abcdefghijkl', 'invite', 'player-1', 'for Ana', 5, NULL);
    INSERT INTO passes VALUES (CAST(printf('%032d', 1) AS BLOB), 'abcdefghijkl', 'play', 'gm', 'bot', 6, 7);
    INSERT INTO members VALUES (zeroblob(32), 'abcdefghijkl', 'player-1', 'Ana', zeroblob(32), 'admitted', 8);
    INSERT INTO papers VALUES (3, zeroblob(32), 'a-system', 'library', 'Wren', 'name = "Wren"', 9);
"#;

async fn raw(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join(FILE)).create_if_missing(true);
    options.journal_mode(SqliteJournalMode::Wal).connect().await.expect("a database")
}

/// A folder with a database on which the first `steps` migrations were run.
async fn left_by(steps: usize) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut connection = raw(folder.path()).await;
    for (n, step) in STEPS[..steps].iter().enumerate() {
        sqlx::raw_sql(*step).execute(&mut connection).await.expect("a step");
        if n == 0 {
            sqlx::raw_sql(FIRST).execute(&mut connection).await.expect("what was kept");
        }
    }
    set_version(&mut connection, steps).await;
    connection.close().await.expect("closed");
    folder
}

async fn set_version(connection: &mut SqliteConnection, version: usize) {
    let set = sqlx::AssertSqlSafe(format!("PRAGMA user_version = {version}"));
    sqlx::query(set).execute(connection).await.expect("a version");
}

fn mill() -> TableId {
    TableId::new("abcdefghijkl").expect("an id")
}

/// Asserts that all of [`FIRST`] is there, with defaults in the columns of later versions.
async fn has_it_all(db: &Db) {
    let (table, ana): (TableId, Hash) = (mill(), [0; 32]);
    let row = db.table(&table).await.expect("readable").expect("the table");
    assert_eq!(
        (row.title.as_str(), row.opened, row.settings.as_str()),
        ("The Mill", 1_700_000_000, r#"{"door":"open"}"#)
    );
    assert_eq!(db.lines(&table).await.expect("lines"), ["{\"a\":1}\n", "{\"b\":2}\n"]);
    assert_eq!(db.done_before(&table, "player-1", "k").await.expect("commands"), Some((1, None)));
    let passes = db.passes(&table).await.expect("passes");
    let found: Vec<_> =
        passes.iter().map(|pass| (pass.kind, pass.label.as_str(), pass.revoked, pass.maker)).collect();
    assert_eq!(found, [(PassKind::Invite, "for Ana", None, None), (PassKind::Play, "bot", Some(7), None)]);
    let members = db.members(&table).await.expect("members");
    let [member] = &members[..] else { panic!("{members:?}") };
    assert_eq!((member.role, member.name.as_str()), (Viewer::Seat(Seat::Player(0)), "Ana"));
    assert_eq!((member.pass, member.standing, member.seen), (Some(ana), Standing::Admitted, 0));
    let paper = db.paper(&ana, 3).await.expect("papers").expect("the paper");
    assert_eq!((paper.name.as_str(), paper.version, paper.thrown), ("Wren", 1, None));
}

#[tokio::test]
async fn each_earlier_version_is_migrated_and_a_copy_stays() {
    for steps in 1..=STEPS.len() {
        let folder = left_by(steps).await;
        for _ in 0..2 {
            let db = Db::open(folder.path()).await.unwrap_or_else(|error| panic!("{steps} steps: {error}"));
            has_it_all(&db).await;
            // Cookies from before they were signed stay valid until they are replaced.
            assert_eq!(db.unsigned().await.expect("readable"), [[0; 32]], "{steps} steps");
        }
        let copied = folder.path().join(format!("fracas.before-{}.db", STEPS.len()));
        assert_eq!(copied.exists(), steps < STEPS.len(), "{steps} steps");
        if copied.exists() {
            let mut connection =
                SqliteConnectOptions::new().filename(&copied).connect().await.expect("a copy");
            let version: i64 = sqlx::query_scalar("PRAGMA user_version")
                .fetch_one(&mut connection)
                .await
                .expect("a version");
            assert_eq!(version, steps as i64);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_keeps_one_key_and_an_unsigned_cookie_is_valid_once() {
    let folder = left_by(6).await;
    let db = Db::open(folder.path()).await.expect("open");
    assert_eq!(db.key([1; 32]).await.expect("kept"), [1; 32]);
    assert_eq!(db.key([2; 32]).await.expect("kept"), [1; 32], "it stays");
    db.signed(&[0; 32]).await.expect("kept");
    assert!(db.unsigned().await.expect("readable").is_empty());
}

#[tokio::test]
async fn an_interrupted_migration_is_done_again() {
    let folder = left_by(1).await;
    // The copy was incomplete, and no migration was committed.
    let copied = folder.path().join(format!("fracas.before-{}.db", STEPS.len()));
    let part = copied.with_added_extension("part");
    std::fs::write(&part, "half of it").expect("a file");
    let db = Db::open(folder.path()).await.expect("open");
    has_it_all(&db).await;
    assert!(copied.exists() && !part.exists());
}

#[tokio::test]
async fn a_database_of_a_later_version_is_left_alone() {
    let folder = left_by(STEPS.len()).await;
    let mut connection = raw(folder.path()).await;
    set_version(&mut connection, STEPS.len() + 1).await;
    connection.close().await.expect("closed");
    let before = std::fs::read(folder.path().join(FILE)).expect("the file");
    assert!(!before.is_empty());
    let error = Db::open(folder.path()).await.err().expect("refused").to_string();
    assert!(error.contains("written by a later version of Fracas"), "{error}");
    assert_eq!(std::fs::read(folder.path().join(FILE)).expect("the file"), before);
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("new/data");
    let db = Db::open(&data).await.expect("open");
    let copied = folder.path().join("copy.db");
    back_up(&data, &copied).await.expect("a copy");
    drop(db);
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    for file in std::fs::read_dir(&data).expect("the folder") {
        let path = file.expect("a file").path();
        assert!(
            path.ends_with("fracas.lock") || mode(&path) == 0o600,
            "{}: {:o}",
            path.display(),
            mode(&path)
        );
    }
    assert_eq!(mode(&copied), 0o600);
}

#[tokio::test]
async fn a_second_server_is_refused_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = Db::open(folder.path()).await.expect("open");
    let error = Db::open(folder.path()).await.err().expect("refused");
    assert!(matches!(error, DbError::Busy(_)), "{error}");
    drop(first);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_writers_of_the_same_line_the_second_is_refused_and_leaves_nothing() {
    let folder = left_by(STEPS.len()).await;
    let db = Db::open(folder.path()).await.expect("open");
    let (mut first, mut second) = (db.log(&mill()), db.log(&mill()));
    let done = tokio::task::spawn_blocking(move || {
        first.read().expect("lines");
        second.read().expect("lines");
        first.key().name("player-1", "now", Some([3; 32]));
        first.append("{\"c\":3}\n").expect("first");
        second.key().name("player-2", "late", None);
        second.append("{\"d\":4}\n{\"e\":5}\n").expect_err("second")
    });
    let error = done.await.expect("done");
    assert_eq!(error.kind(), io::ErrorKind::ResourceBusy, "{error}");
    assert_eq!(db.lines(&mill()).await.expect("lines").len(), 3);
    let done = async |who, key| db.done_before(&mill(), who, key).await.expect("commands");
    assert_eq!(
        (done("player-1", "now").await, done("player-2", "late").await),
        (Some((2, Some([3; 32]))), None)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_name_is_kept_with_its_request_and_a_begun_table_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = Db::open(folder.path()).await.expect("a database");
    let named = Named { name: [1; 32], asked: [2; 32], salt: [3; 32] };
    let new = |id: &str, named| NewTable {
        id: TableId::new(id).expect("an id"),
        system: "a-system".to_owned(),
        title: "The Mill".to_owned(),
        opened: 0,
        settings: "{}".to_owned(),
        named,
    };
    db.add_table(new("one", Some(named))).await.expect("kept");
    let again = Named { asked: [4; 32], salt: [5; 32], ..named };
    assert!(matches!(db.add_table(new("two", Some(again))).await, Err(DbError::Taken)));
    let id = TableId::new("one").expect("an id");
    assert_eq!(db.named(&named.name).await.expect("readable"), Some((id.clone(), named)));
    assert_eq!(db.named(&[9; 32]).await.expect("readable"), None);
    db.remove_unbegun(&id).await.expect("removed");
    assert_eq!(db.table(&id).await.expect("readable"), None, "nothing was in its log");
    db.take_in_table(new("one", Some(named)), "a\n".to_owned()).await.expect("kept");
    db.remove_unbegun(&id).await.expect("nothing to do");
    assert!(db.table(&id).await.expect("readable").is_some());
}

/// A folder's files, copied while the writer is idle, as a kill leaves them, without the
/// files in `but`.
fn left_behind(folder: &Path, but: &[&str]) -> TempDir {
    let copied = tempfile::tempdir().expect("a folder");
    for file in std::fs::read_dir(folder).expect("the folder") {
        let file = file.expect("a file");
        let name = file.file_name();
        if !but.iter().any(|but| name == *but) {
            std::fs::copy(file.path(), copied.path().join(name)).expect("a copy");
        }
    }
    copied
}

/// Opens the database of a folder and returns the titles of its tables.
async fn titles(folder: &Path, loss: Loss) -> Result<Vec<String>, DbError> {
    let db = Db::open_as_is(folder, loss).await?;
    let titles = db.tables().await?.into_iter().map(|row| row.title).collect();
    db.close().await?;
    Ok(titles)
}

fn new_table(id: &str, title: &str) -> NewTable {
    NewTable {
        id: TableId::new(id).expect("an id"),
        system: "a-system".to_owned(),
        title: title.to_owned(),
        opened: 0,
        settings: "{}".to_owned(),
        named: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_database_that_lost_its_log_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = Db::open(folder.path()).await.expect("open");
    db.add_table(new_table("one", "The Mill")).await.expect("kept");
    let both = || vec!["The Mill".to_owned()];
    // Killed; copied while it runs; copied by SQLite; and the last one opened twice.
    let killed = left_behind(folder.path(), &[]);
    assert_eq!(titles(killed.path(), Loss::Refused).await.expect("whole"), both());
    assert_eq!(titles(killed.path(), Loss::Refused).await.expect("closed well"), both());
    let backed_up = tempfile::tempdir().expect("a folder");
    back_up(folder.path(), &backed_up.path().join(FILE)).await.expect("a copy");
    assert_eq!(titles(backed_up.path(), Loss::Refused).await.expect("whole"), both());
    // Another program read the files that a kill left, and merged the log of changes as it
    // closed.
    let read = left_behind(folder.path(), &[]);
    let mut other = raw(read.path()).await;
    sqlx::query("SELECT * FROM tables").fetch_all(&mut other).await.expect("rows");
    other.close().await.expect("closed");
    assert!(!read.path().join("fracas.db-wal").exists(), "it was taken in");
    assert_eq!(titles(read.path(), Loss::Refused).await.expect("whole"), both());
    // The file alone.
    let lost = left_behind(folder.path(), &["fracas.db-wal", "fracas.db-shm"]);
    for _ in 0..2 {
        let error = titles(lost.path(), Loss::Refused).await.expect_err("its log is gone");
        assert!(matches!(error, DbError::LogLost(_)), "{error}");
        let message = error.to_string();
        assert!(message.contains("fracas.db-wal is gone") && message.contains("--accept-loss"), "{message}");
    }
    let copy = lost.path().join("copy.db");
    assert!(matches!(back_up(lost.path(), &copy).await, Err(DbError::LogLost(_))));
    assert!(titles(lost.path(), Loss::Accepted).await.expect("as it is").is_empty());
    assert!(titles(lost.path(), Loss::Refused).await.expect("said once").is_empty());
    // Closed properly, the file is complete by itself.
    db.close().await.expect("a good end");
    assert!(!folder.path().join("fracas.db-wal").exists());
    let moved = left_behind(folder.path(), &["fracas.lock"]);
    assert_eq!(titles(moved.path(), Loss::Refused).await.expect("whole"), both());
    assert!(matches!(db.add_table(new_table("two", "Late")).await, Err(DbError::Closed)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_log_of_changes_is_merged_while_the_server_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = Db::open(folder.path()).await.expect("open");
    let length = || std::fs::metadata(folder.path().join("fracas.db-wal")).map_or(0, |log| log.len());
    let mut most = 0;
    for n in 0..40 {
        let log = format!("{}\n", "x".repeat(400_000));
        db.take_in_table(new_table(&format!("t{n}"), "The Mill"), log).await.expect("kept");
        most = most.max(length());
    }
    assert!(most < 6 << 20, "{most} bytes");
    let lost = left_behind(folder.path(), &["fracas.db-wal", "fracas.db-shm"]);
    let error = titles(lost.path(), Loss::Refused).await.expect_err("its log is gone");
    assert!(matches!(error, DbError::LogLost(_)), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_folder_was_taken_stops_writing() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = Db::open(folder.path()).await.expect("open");
    let lock = folder.path().join("fracas.lock");
    std::fs::remove_file(&lock).expect("removed");
    db.add_table(new_table("one", "The Mill")).await.expect("kept: nobody else was there");
    assert!(lock.exists(), "it was put back");
    std::fs::remove_file(&lock).expect("removed");
    let other = Db::open(folder.path()).await.expect("it is quicker");
    other.add_table(new_table("two", "The Ford")).await.expect("kept");
    // Detected even if nobody writes.
    let error = tokio::time::timeout(Duration::from_secs(20), db.displaced()).await.expect("it is noticed");
    assert!(error.to_string().contains("writes no more"), "{error}");
    let refused = db.add_table(new_table("three", "The Weir")).await.expect_err("not theirs");
    assert!(matches!(refused, DbError::Displaced(_)), "{refused}");
    let there: Vec<String> =
        other.tables().await.expect("rows").into_iter().map(|row| row.id.to_string()).collect();
    assert_eq!(there, ["one", "two"]);
}

/// The files of a folder that contain these bytes.
fn places_of(folder: &Path, bytes: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    let has = |path: &PathBuf| {
        let text = std::fs::read(path).expect("a file");
        text.windows(bytes.len()).any(|there| there == bytes.as_bytes())
    };
    files.filter(has).map(|path| path.display().to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erased_table_leaves_no_row_and_no_byte() {
    let folder = left_by(1).await;
    let db = Db::open(folder.path()).await.expect("open");
    let copied = folder.path().join(format!("fracas.before-{}.db", STEPS.len()));
    assert!(places_of(folder.path(), "abcdefghijkl").contains(&copied.display().to_string()));
    let (gone, stays) = (mill(), TableId::new("zyxwvutsrqpo").expect("an id"));
    db.add_table(new_table(stays.as_str(), "The Ford")).await.expect("kept");
    // Lines of both tables by turns, in every length, so that pages are split and moved.
    let (erased, kept) = (gone.clone(), stays.clone());
    let logs = db.clone();
    let written = tokio::task::spawn_blocking(move || {
        let (mut erased, mut kept) = (logs.log(&erased), logs.log(&kept));
        erased.read().expect("lines");
        kept.read().expect("lines");
        for n in 0..400usize {
            let long = [10, 90, 700, 40, 5_000][n % 5];
            erased.key().name("gm", &format!("CANARY-{n}"), None);
            erased.append(&format!("{}\n", "CANARY ".repeat(long / 7))).expect("kept");
            kept.append(&format!("{}\n", "plain ".repeat([900, 20, 60][n % 3]))).expect("kept");
        }
    });
    written.await.expect("written");
    for n in 0..50 {
        db.set_settings(&gone, "CANARY ".repeat(n)).await.expect("kept");
    }
    let until = db.delete_table(&gone, 1_000).await.expect("deleted");
    assert_eq!((until, db.delete_table(&gone, 2_000).await.expect("as it was")), (1_000, 1_000));
    assert!(db.table(&gone).await.expect("readable").is_none());
    assert!(db.roles(&gone, &[0; 32]).await.expect("readable").is_empty());
    assert!(db.places(&[0; 32]).await.expect("readable").is_empty());
    assert!(db.pass_that_counts(&[0; 32]).await.expect("readable").is_none());
    assert_eq!(db.ended(999).await.expect("readable"), []);
    assert_eq!(db.ended(1_000).await.expect("readable"), std::slice::from_ref(&gone));
    // A deleted table can be restored until its time is over.
    assert!(!db.restore_table(&gone, 1_000).await.expect("saved"));
    assert!(db.restore_table(&gone, 999).await.expect("saved"));
    assert_eq!(db.lines(&gone).await.expect("readable").len(), 402);
    assert!(db.pass_that_counts(&[0; 32]).await.expect("readable").is_some());
    db.delete_table(&gone, 1_000).await.expect("deleted");
    // A damaged copy is reported, and does not stop the table from being erased elsewhere.
    let damaged = folder.path().join("fracas.before-0.db");
    std::fs::write(&damaged, [b'x'; 8_192]).expect("written");
    let message = db.erase(&gone).await.expect_err("it is damaged").to_string();
    assert!(message.contains("fracas.before-0.db"), "{message}");
    std::fs::remove_file(damaged).expect("removed");
    assert!(db.is_unswept().await.expect("readable"));
    db.sweep().await.expect("swept");
    assert!(!db.is_unswept().await.expect("readable"));
    for trace in ["CANARY", "abcdefghijkl"] {
        assert_eq!(places_of(folder.path(), trace), Vec::<String>::new(), "{trace}");
    }
    assert_eq!(db.lines(&stays).await.expect("readable").len(), 400);
    db.close().await.expect("a good end");
    let mut connection = raw(folder.path()).await;
    let tables: Vec<String> = sqlx::query_scalar("SELECT name FROM sqlite_master WHERE type = 'table'")
        .fetch_all(&mut connection)
        .await
        .expect("tables");
    for table in tables {
        let count = sqlx::AssertSqlSafe(format!("SELECT * FROM \"{table}\""));
        for row in sqlx::query(count).fetch_all(&mut connection).await.expect("rows") {
            for n in 0..sqlx::Row::len(&row) {
                let value: Option<Vec<u8>> = sqlx::Row::try_get_unchecked(&row, n).expect("bytes");
                let text = String::from_utf8_lossy(&value.unwrap_or_default()).into_owned();
                assert!(!text.contains("abcdefghijkl"), "{table}: {text}");
            }
        }
    }
}

fn person(browser: u8, pass: Option<u8>, role: Viewer, standing: Standing) -> Member {
    Member {
        browser: [browser; 32],
        table: mill(),
        role,
        name: format!("p{browser}"),
        pass: pass.map(|pass| [pass; 32]),
        standing,
        since: browser.into(),
        seen: 0,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn turning_somebody_out_revokes_their_links_and_nobody_elses() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = Db::open(folder.path()).await.expect("open");
    db.add_table(new_table(mill().as_str(), "The Mill")).await.expect("kept");
    let (gm, ana, watch) = (Viewer::Seat(Seat::Gm), Viewer::Seat(Seat::Player(0)), Viewer::Spectator);
    let make = async |hash: u8, kind, role: Viewer, maker: Option<(u8, Viewer)>| {
        let made = NewPass {
            hash: [hash; 32],
            table: mill(),
            kind,
            role,
            label: String::new(),
            made: hash.into(),
            maker: maker.map(|(hash, role)| ([hash; 32], role)),
        };
        db.add_pass(made).await.expect("kept");
    };
    // Browser 1 opened the table. Browser 2 leads it too, by link 11, and made links and a
    // token.
    make(11, PassKind::Invite, gm, Some((1, gm))).await;
    make(12, PassKind::Invite, ana, Some((2, gm))).await;
    make(13, PassKind::Play, gm, Some((2, gm))).await;
    make(14, PassKind::Invite, watch, Some((13, gm))).await;
    make(15, PassKind::Invite, ana, Some((1, gm))).await;
    for member in [
        person(1, None, gm, Standing::Admitted),
        person(2, Some(11), gm, Standing::Admitted),
        person(3, Some(11), gm, Standing::Admitted),
        person(4, Some(12), ana, Standing::Admitted),
        person(5, Some(12), ana, Standing::Waiting),
        person(6, Some(15), ana, Standing::Waiting),
    ] {
        db.put_member(member).await.expect("kept");
    }
    let counts = async || {
        let mut there = Vec::new();
        for hash in 11..=15 {
            if db.pass_that_counts(&[hash; 32]).await.expect("readable").is_some() {
                there.push(hash);
            }
        }
        there
    };
    let goes = db.goes_with(&mill(), &[2; 32], gm).await.expect("readable");
    assert_eq!(goes.iter().map(|hash| hash[0]).collect::<Vec<_>>(), [11, 12, 13, 14]);
    assert_eq!(counts().await, [11, 12, 13, 14, 15]);
    // Links for people outlive their maker's place, unless the maker is turned out.
    db.remove_member(&mill(), [2; 32], gm).await.expect("gone");
    assert_eq!(counts().await, [11, 12, 15], "their tokens do not");
    db.put_member(person(2, Some(11), gm, Standing::Admitted)).await.expect("back");
    db.turn_out(&mill(), [2; 32], gm, 9).await.expect("out");
    assert_eq!(counts().await, [15]);
    let standing: Vec<(u8, Standing)> = db
        .members(&mill())
        .await
        .expect("readable")
        .into_iter()
        .map(|member| (member.browser[0], member.standing))
        .collect();
    let (there, refused, waits) = (Standing::Admitted, Standing::Refused, Standing::Waiting);
    assert_eq!(standing, [(1, there), (2, refused), (3, there), (4, there), (6, waits)]);
    // Revoking a link later turns out those who came by it, and nobody else.
    db.revoke(&mill(), [15; 32], 10).await.expect("taken back");
    let left: Vec<u8> =
        db.members(&mill()).await.expect("readable").iter().map(|member| member.browser[0]).collect();
    assert_eq!(left, [1, 2, 3, 4]);
}

/// A log of this many lines.
fn log(lines: usize) -> String {
    (0..lines).map(|n| format!("{{\"seq\":{n},\"it\":\"{}\"}}\n", "x".repeat(400))).collect()
}

fn taken_in(id: &str, named: Option<Named>) -> NewTable {
    NewTable { named, ..new_table(id, "The Mill") }
}

#[tokio::test(flavor = "multi_thread")]
async fn others_write_between_the_pieces_of_an_imported_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = Db::open(folder.path()).await.expect("a database");
    db.add_table(taken_in("other", None)).await.expect("kept");
    let (other, large) = (TableId::new("other").expect("an id"), TableId::new("large").expect("an id"));
    let lines = 20_000;
    let named = Named { name: [1; 32], asked: [2; 32], salt: [3; 32] };
    let taking = tokio::spawn({
        let db = db.clone();
        async move { db.take_in_table(taken_in("large", Some(named)), log(lines)).await }
    });
    let (mut written, mut begun) = (0, false);
    while !taking.is_finished() {
        db.set_settings(&other, format!("{written}")).await.expect("written");
        written += 1;
        begun |= !db.lines(&large).await.expect("readable").is_empty();
        let hidden = db.table(&large).await.expect("readable").is_none();
        let unnamed = db.named(&named.name).await.expect("readable").is_none();
        let listed = db.tables().await.expect("readable").len();
        assert!(taking.is_finished() || (hidden && unnamed && listed == 1), "it is there before it is whole");
    }
    taking.await.expect("no panic").expect("kept");
    assert!(begun && written >= 10, "{written} other writes meanwhile");
    assert_eq!(db.lines(&large).await.expect("readable").concat(), log(lines));
    let (id, known) = db.named(&named.name).await.expect("readable").expect("its name");
    assert_eq!((id, known, db.tables().await.expect("readable").len()), (large, named, 2));
    let again = db.take_in_table(taken_in("again", Some(named)), log(3)).await;
    assert!(matches!(again, Err(DbError::Taken)), "{again:?}");
    assert_eq!(db.tables().await.expect("readable").len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_cut_off_by_the_servers_end_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = Db::open(folder.path()).await.expect("a database");
    let large = TableId::new("large").expect("an id");
    let named = Named { name: [1; 32], asked: [2; 32], salt: [3; 32] };
    let taking = tokio::spawn({
        let db = db.clone();
        async move { db.take_in_table(taken_in("large", Some(named)), log(50_000)).await }
    });
    while db.lines(&large).await.expect("readable").is_empty() {
        assert!(!taking.is_finished(), "some of it is written before all of it");
        tokio::task::yield_now().await;
    }
    taking.abort();
    assert!(taking.await.is_err_and(|error| error.is_cancelled()));
    drop(db);
    let db = Db::open(folder.path()).await.expect("a database");
    assert!(db.lines(&large).await.expect("readable").is_empty());
    db.take_in_table(taken_in("large", Some(named)), log(3)).await.expect("its id and name are free");
    assert_eq!(db.lines(&large).await.expect("readable").len(), 3);
}
