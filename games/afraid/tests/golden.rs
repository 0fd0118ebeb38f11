//! Playthroughs kept word for word: what a change of the rules, of what is
//! listed or of what is told changes here.

use afraid::Afraid;
use fracas_suite::Tables;
use std::path::{Path, PathBuf};

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "afraid" };

/// Steps of each playthrough.
const STEPS: u32 = 300;

fn kept(name: &str) -> PathBuf {
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{stem}.txt"))
}

#[test]
fn every_table_plays_as_it_did() {
    let system = afraid::system();
    for (seed, setup) in (1..).zip(TABLES.setups()) {
        let path = kept(setup.encounter.name());
        fracas_suite::golden(&system, &setup, seed, STEPS, &path);
    }
}

#[test]
fn many_more_play_as_they_did() {
    let system = afraid::system();
    fracas_suite::digests(&system, &TABLES.setups(), 101..=112, STEPS, &kept("digests"));
}

#[test]
fn what_is_refused_is_refused_as_it_was() {
    fracas_suite::counts::<Afraid>(&TABLES.setups(), &kept("counts"));
}
