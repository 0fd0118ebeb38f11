//! Every worked example of the guide is read without a fault.

use fracas_kernel::{Document, Game, Setup};
use fracas_suite::Tables;
use judge_two::JudgeTwo;

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "judge-two" };

const GUIDE: &str = include_str!("../../../docs/content-judge-two.md");

#[test]
fn every_example_is_sound() {
    let blocks: Vec<&str> =
        GUIDE.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 11, "{} examples", blocks.len());
    for (at, block) in blocks.iter().enumerate() {
        let document = Document::toml(format!("example {}", at + 1), block).unwrap_or_else(|f| panic!("{f}"));
        let found = if document.to_json().get("player").is_some() {
            JudgeTwo::start(&Setup { encounter: document, library: TABLES.library() }).map(drop)
        } else {
            let mut library = vec![document];
            library.extend(TABLES.library());
            JudgeTwo::library(&Setup {
                encounter: Document::json("nothing", &serde_json::json!({})),
                library,
            })
        };
        if let Err(faults) = found {
            panic!("{faults}\n{block}");
        }
    }
}

#[test]
fn the_bundled_library_is_sound() {
    let setup =
        Setup { encounter: Document::json("nothing", &serde_json::json!({})), library: TABLES.library() };
    if let Err(faults) = JudgeTwo::library(&setup) {
        panic!("{faults}");
    }
}
