//! What the fuzzer plays, on the stable toolchain: a small fixed corpus, and
//! every input that once failed.

use fracas_kernel::{Setup, System};
use std::path::Path;

fn tables() -> Vec<(System, Vec<Setup>)> {
    let setups = |system: &System| {
        let mut setups = fracas_bench::encounters(system.id).expect("bundled encounters");
        setups.push(fracas_bench::measured(system.id).expect("a table to measure"));
        (*system, setups)
    };
    fracas_systems::all().iter().map(setups).collect()
}

#[test]
fn a_small_corpus_is_survived() {
    for (system, setups) in tables() {
        fracas_suite::smoke(&system, &setups, 80);
    }
}

#[test]
fn what_failed_once_is_survived() {
    let tables = tables();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions");
    for file in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        // Whichever system it failed for.
        for first in 0..tables.len() {
            fracas_suite::fuzz_any(&tables, &[&[first as u8], &bytes[..]].concat());
        }
        fracas_suite::fuzz_any(&tables, &bytes);
    }
}
