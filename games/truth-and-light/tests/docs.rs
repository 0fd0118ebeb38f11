//! The guide's worked examples, the templates and the bundled library are sound.

use fracas_suite::Tables;
use truth_and_light::TruthAndLight;

/// What these tests read.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "truth-and-light" };

#[test]
fn every_example_is_sound() {
    TABLES.guide::<TruthAndLight>(11);
}

#[test]
fn every_template_is_sound() {
    TABLES.templates::<TruthAndLight>();
}

#[test]
fn the_bundled_library_is_sound() {
    TABLES.bundled::<TruthAndLight>();
}
