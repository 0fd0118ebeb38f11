//! The guide's worked examples, the templates and the bundled library are sound.

use afraid::Afraid;
use fracas_suite::Tables;

/// What these tests read.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "afraid" };

#[test]
fn every_example_is_sound() {
    TABLES.guide::<Afraid>(10);
}

#[test]
fn every_template_is_sound() {
    TABLES.templates::<Afraid>();
}

#[test]
fn the_bundled_library_is_sound() {
    TABLES.bundled::<Afraid>();
}
