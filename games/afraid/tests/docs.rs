//! Every worked example of the guide is read without a fault.

use afraid::Afraid;
use fracas_kernel::{Document, Faults, Game, Setup};
use fracas_suite::Tables;

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "afraid" };

const GUIDE: &str = include_str!("../../../docs/content-afraid.md");

/// Reads a library and nothing else.
fn read(library: Vec<Document>) -> Result<(), Faults> {
    Afraid::library(&Setup { encounter: Document::json("nothing", &serde_json::json!({})), library })
}

#[test]
fn every_example_is_sound() {
    let blocks: Vec<&str> =
        GUIDE.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 10, "{} examples", blocks.len());
    let mut faulty = String::new();
    for (at, block) in blocks.iter().enumerate() {
        let document = Document::toml(format!("example {}", at + 1), block).unwrap_or_else(|f| panic!("{f}"));
        let found = if document.to_json().get("player").is_some() {
            Afraid::start(&Setup { encounter: document, library: TABLES.library() }).map(drop)
        } else {
            read(std::iter::once(document).chain(TABLES.library()).collect())
        };
        if let Err(faults) = found {
            faulty += &format!("{faults}\n{block}\n");
        }
    }
    assert!(faulty.is_empty(), "{faulty}");
}

#[test]
fn every_template_is_sound() {
    TABLES.templates::<Afraid>();
}

#[test]
fn the_bundled_library_is_sound() {
    read(TABLES.library()).unwrap_or_else(|faults| panic!("{faults}"));
}
