//! Databases of earlier and later versions, and of two writers.

use super::*;
use crate::{Hash, Named, NewTable, PassKind, Standing};
use fracas_kernel::{Seat, Viewer};
use fracas_table::Store;
use tempfile::TempDir;

/// What the first version kept: a table with two lines and a command, a link by
/// which a player came, a token, a paper.
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

/// A folder with a database as a version of `steps` steps left it.
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

/// Everything of [`FIRST`] is there, with what later versions add at its default.
async fn has_it_all(db: &Db) {
    let (table, ana): (TableId, Hash) = (mill(), [0; 32]);
    let row = db.table(&table).await.expect("readable").expect("the table");
    assert_eq!(
        (row.title.as_str(), row.opened, row.settings.as_str()),
        ("The Mill", 1_700_000_000, r#"{"door":"open"}"#)
    );
    assert_eq!(db.lines(&table).await.expect("lines"), ["{\"a\":1}\n", "{\"b\":2}\n"]);
    assert_eq!(db.done_before(&table, "player-1", "k").await.expect("commands"), Some(1));
    let passes = db.passes(&table).await.expect("passes");
    let told: Vec<_> =
        passes.iter().map(|pass| (pass.kind, pass.label.as_str(), pass.revoked, pass.maker)).collect();
    assert_eq!(told, [(PassKind::Invite, "for Ana", None, None), (PassKind::Play, "bot", Some(7), None)]);
    let members = db.members(&table).await.expect("members");
    let [member] = &members[..] else { panic!("{members:?}") };
    assert_eq!((member.role, member.name.as_str()), (Viewer::Seat(Seat::Player(0)), "Ana"));
    assert_eq!((member.pass, member.standing, member.seen), (Some(ana), Standing::Admitted, 0));
    let paper = db.paper(&ana, 3).await.expect("papers").expect("the paper");
    assert_eq!((paper.name.as_str(), paper.version, paper.thrown), ("Wren", 1, None));
}

#[tokio::test]
async fn what_each_earlier_version_kept_is_there_and_a_copy_from_before_stays() {
    for steps in 1..=STEPS.len() {
        let folder = left_by(steps).await;
        for _ in 0..2 {
            let db = Db::open(folder.path()).await.unwrap_or_else(|error| panic!("{steps} steps: {error}"));
            has_it_all(&db).await;
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

#[tokio::test]
async fn what_was_broken_off_while_it_was_brought_up_to_date_is_done_again() {
    let folder = left_by(1).await;
    // The copy was not whole, and nothing of the steps was committed.
    let copied = folder.path().join(format!("fracas.before-{}.db", STEPS.len()));
    let part = copied.with_added_extension("part");
    std::fs::write(&part, "half of it").expect("a file");
    let db = Db::open(folder.path()).await.expect("open");
    has_it_all(&db).await;
    assert!(copied.exists() && !part.exists());
}

#[tokio::test]
async fn what_a_later_version_kept_is_left_alone() {
    let folder = left_by(STEPS.len()).await;
    let mut connection = raw(folder.path()).await;
    set_version(&mut connection, STEPS.len() + 1).await;
    connection.close().await.expect("closed");
    let before = std::fs::read(folder.path().join(FILE)).expect("the file");
    assert!(!before.is_empty());
    let error = Db::open(folder.path()).await.err().expect("refused").to_string();
    assert!(error.contains("kept by a later version of Fracas"), "{error}");
    assert_eq!(std::fs::read(folder.path().join(FILE)).expect("the file"), before);
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_on_the_machine_reads_what_is_kept() {
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
async fn one_folder_is_one_servers() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = Db::open(folder.path()).await.expect("open");
    let error = Db::open(folder.path()).await.err().expect("refused");
    assert!(matches!(error, DbError::Busy(_)), "{error}");
    drop(first);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_write_the_same_line_one_is_refused_and_leaves_nothing() {
    let folder = left_by(STEPS.len()).await;
    let db = Db::open(folder.path()).await.expect("open");
    let (mut one, mut other) = (db.log(&mill()), db.log(&mill()));
    let done = tokio::task::spawn_blocking(move || {
        one.read().expect("lines");
        other.read().expect("lines");
        one.append("{\"c\":3}\n").expect("first");
        other.key().name("player-2", "late");
        other.append("{\"d\":4}\n{\"e\":5}\n").expect_err("second")
    });
    let error = done.await.expect("done");
    assert_eq!(error.kind(), io::ErrorKind::ResourceBusy, "{error}");
    assert_eq!(db.lines(&mill()).await.expect("lines").len(), 3);
    assert_eq!(db.done_before(&mill(), "player-2", "late").await.expect("commands"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_known_with_what_was_asked_and_what_has_begun_stays() {
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
    let one = TableId::new("one").expect("an id");
    assert_eq!(db.named(&named.name).await.expect("readable"), Some((one.clone(), named)));
    assert_eq!(db.named(&[9; 32]).await.expect("readable"), None);
    db.remove_unbegun(&one).await.expect("removed");
    assert_eq!(db.table(&one).await.expect("readable"), None, "nothing was in its log");
    db.take_in_table(new("one", Some(named)), "a\n".to_owned()).await.expect("kept");
    db.remove_unbegun(&one).await.expect("nothing to do");
    assert!(db.table(&one).await.expect("readable").is_some());
}
