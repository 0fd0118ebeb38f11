//! The guide's worked examples, the templates and the bundled library are sound.

use fracas_suite::Tables;
use judge_two::JudgeTwo;

/// What these tests read.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "judge-two" };

#[test]
fn every_example_is_sound() {
    TABLES.guide::<JudgeTwo>(11);
}

#[test]
fn the_bundled_library_is_sound() {
    TABLES.bundled::<JudgeTwo>();
}
