//! What is read of a setup in which every field says something.

use fracas_kernel::{Document, Game, Setup};
use std::fmt::{Debug, Write};
use std::path::Path;
use truth_and_light::TruthAndLight;

/// A heading and what stands under it, one a line.
fn list<T: Debug>(text: &mut String, of: &str, all: impl IntoIterator<Item = T>) {
    let _ = writeln!(text, "{of}");
    for one in all {
        let _ = writeln!(text, "  {one:?}");
    }
}

#[test]
fn every_field_is_read() {
    let encounter = Document::toml("reading.toml", include_str!("../reading.toml")).expect("TOML").kept();
    let library =
        Document::toml("library.toml", include_str!("../reading-library.toml")).expect("TOML").kept();
    let setup = Setup { encounter, library: vec![library] };
    let (rules, state) = TruthAndLight::start(&setup).unwrap_or_else(|faults| panic!("{faults}"));
    let mut text = String::new();
    list(&mut text, "table", [&rules.roster.title]);
    list(&mut text, "briefing", &rules.roster.briefing);
    list(&mut text, "settings", [(rules.turns, rules.harm, rules.recovery)]);
    list(&mut text, "options", rules.options.words());
    list(&mut text, "players", &rules.roster.players);
    list(&mut text, "zones", &rules.zones);
    list(&mut text, "tracks", &rules.tracks);
    list(&mut text, "ends", &rules.ends);
    list(&mut text, "hazards", &rules.hazards);
    list(&mut text, "cast", &rules.cast);
    list(&mut text, "abilities", &rules.abilities);
    list(&mut text, "boons", &rules.boons);
    list(&mut text, "how they are", &state.cast);
    list(&mut text, "where it is", &state.boons);
    list(&mut text, "the scene", [(state.scene, state.round, state.conflict, state.call, state.hazards)]);
    list(&mut text, "what lasts", &state.live);
    list(&mut text, "uses", &state.uses);
    fracas_suite::kept(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/reading.txt"), &text);
}
