//! A kept log of every system: it must open, and play to the same end as long as the
//! version of its rules is the same.

use fracas_kernel::{System, Viewer};
use fracas_table::{FileStore, Log, MemoryStore, Seed, Table, Verdict, golden, verify};
use std::path::{Path, PathBuf};

/// Answers and rolls of each kept log.
const MOVES: u64 = 400;

fn kept(system: &System) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{}.log", system.id))
}

#[test]
fn every_system_plays_as_its_kept_log_which_opens_and_holds() {
    for system in fracas_systems::all() {
        let path = kept(system);
        let setups = fracas_systems::setups(system).expect("bundled content");
        let setup = setups.first().expect("a bundled encounter");
        let played = golden::playthrough(system, setup, Seed::from(1), MOVES).expect("a playthrough");
        if let Err(difference) = golden::compare(&path, &played) {
            panic!("{difference}");
        }

        let (log, cut) = Log::look(&path).expect("a log");
        assert_eq!(cut, 0, "{} ends in the middle of a line", path.display());
        let report = verify(&log, fracas_systems::all()).expect("a log of these systems");
        assert!(report.sound(), "{}: {report:?}", path.display());

        let folder = tempfile::tempdir().expect("a folder");
        let copy = folder.path().join("copy.log");
        std::fs::copy(&path, &copy).expect("a copy");
        let store = FileStore::open(&copy).expect("a store");
        Table::open(fracas_systems::all(), Box::new(store)).expect("a table");
    }
}

#[test]
fn logs_of_format_1_are_read_and_go_on() {
    for name in ["afraid.log", "truth-and-light.log"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/format-1").join(name);
        let (log, _) = Log::look(&path).expect("a log");
        assert_eq!((log.header().format, log.chain_end()), (1, None));
        let system = fracas_systems::find(&log.header().system).expect("a system");
        let report = verify(&log, fracas_systems::all()).expect("a log of these systems");
        let present = log.version() == system.version;
        let expected = if present { Verdict::Sound } else { Verdict::NotVerified };
        assert_eq!(report.verdict(), expected, "{name}: {report:?}");
        if present {
            let folder = tempfile::tempdir().expect("a folder");
            let copy = folder.path().join("copy.log");
            std::fs::copy(&path, &copy).expect("a copy");
            let store = FileStore::open(&copy).expect("a store");
            let mut table = Table::open(fracas_systems::all(), Box::new(store)).expect("a table");
            table.note(fracas_kernel::Seat::Gm, fracas_table::Reader::All, "We go on.").expect("saved");
            assert_eq!(table.log().chained_from(), Some(log.next()));
        }
    }
}

#[test]
fn tables_of_earlier_rules_go_on_from_where_they_stand() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for folder in ["format-1", "earlier"] {
        for entry in std::fs::read_dir(golden.join(folder)).expect("a folder") {
            let path = entry.expect("a file").path();
            let name = path.display();
            let kept = std::fs::read_to_string(&path).expect("a log");
            let lines: Vec<&str> = kept.split_inclusive('\n').collect();
            let last = lines.iter().rposition(|line| line.contains("\"snapshot\":{")).expect("a snapshot");
            let store = MemoryStore::holding(lines[..=last].concat());
            let log = Log::parse("kept.log", &lines[..=last].concat()).expect("a log");
            let system = fracas_systems::find(&log.header().system).expect("a system");
            assert!(log.version() < system.version, "{name} is of today's rules");
            let table = Table::upgrade(fracas_systems::all(), Box::new(store)).expect("a table");
            assert_eq!(table.log().version(), system.version, "{name}");
            assert!(!table.game().cards(Viewer::Spectator).is_empty(), "{name}");
        }
    }
}
