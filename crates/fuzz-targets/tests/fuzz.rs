//! Every target on the stable toolchain: on the kept corpus, on random inputs, and on every
//! input that once failed.

use fracas_fuzz_targets::TARGETS;
use fracas_sim::Chance;
use std::path::{Path, PathBuf};
use std::{fs, panic::catch_unwind};

/// The most bytes of a random input.
const MOST: u32 = 300;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The names of the files in a folder, sorted; none if the folder does not exist.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

/// Runs a target on the inputs in a folder, and names those on which it failed.
#[track_caller]
fn survives(target: &str, kept: &str) {
    let run = TARGETS.iter().find(|candidate| candidate.name == target).expect("a target").run;
    let folder = fuzz().join(kept).join(target);
    let failed = |name: &String| {
        let bytes = fs::read(folder.join(name)).expect("an input");
        catch_unwind(|| run(&bytes)).is_err()
    };
    let failures: Vec<String> = names(&folder).into_iter().filter(failed).collect();
    assert!(failures.is_empty(), "{target} fails on {failures:?} of {}", folder.display());
}

/// Runs a target on this many random inputs.
#[track_caller]
fn survives_chance(target: &str, inputs: u64) {
    let run = TARGETS.iter().find(|candidate| candidate.name == target).expect("a target").run;
    for stream in 0..inputs {
        let mut chance = Chance::new(31, stream);
        let bytes: Vec<u8> = (0..chance.below(MOST)).map(|_| chance.below(256) as u8).collect();
        assert!(catch_unwind(|| run(&bytes)).is_ok(), "{target} fails on {bytes:?}");
    }
}

/// Three tests for each target: on kept inputs, on inputs that failed once, and on this
/// many random ones.
macro_rules! targets {
    ($($target:ident: $inputs:literal,)*) => {
        $(mod $target {
            #[test]
            fn survives_kept_inputs() {
                super::survives(stringify!($target), "seeds");
            }

            #[test]
            fn survives_inputs_that_failed_once() {
                super::survives(stringify!($target), "regressions");
            }

            #[test]
            fn survives_chance() {
                super::survives_chance(stringify!($target), $inputs);
            }
        })*

        const TRIED: &[&str] = &[$(stringify!($target)),*];
    };
}

targets! {
    damage: 100,
    documents: 100,
    forms: 200,
    json: 200,
    logs: 60,
    maps: 300,
    play: 100,
    requests: 40,
}

#[test]
fn every_target_is_run_everywhere() {
    let all: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(all, TRIED);
    let programs = names(&fuzz().join("fuzz_targets"));
    let programs: Vec<&str> = programs.iter().map(|name| name.trim_end_matches(".rs")).collect();
    assert_eq!(all, programs, "fuzz/fuzz_targets");
    for kept in ["seeds", "regressions"] {
        let folders = names(&fuzz().join(kept));
        assert!(folders.iter().all(|folder| all.contains(&folder.as_str())), "fuzz/{kept}: {folders:?}");
    }
}

#[test]
fn the_kept_corpus_is_small() {
    let size = |target: &str| -> u64 {
        let folder = fuzz().join("seeds").join(target);
        names(&folder).iter().map(|name| fs::metadata(folder.join(name)).expect("a file").len()).sum()
    };
    let all: u64 = TARGETS.iter().map(|target| size(target.name)).sum();
    assert!(all > 0 && all < 300_000, "{all} bytes of seeds");
}
