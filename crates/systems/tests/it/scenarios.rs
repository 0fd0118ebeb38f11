//! Scenarios may draw on what is bundled, and the README's example is one.

use fracas_scenario::{Outcome, assert_folder_with, run, run_with};
use std::{fs, path::Path};

/// The `toml` blocks of a page.
fn blocks(page: &str) -> Vec<&str> {
    let after = page.split("```toml\n").skip(1);
    after.map(|block| block.split_once("```").expect("an end of the block").0).collect()
}

fn outcome(text: &str, bundled: bool) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scenario.toml");
    fs::write(&path, text).expect("written");
    if bundled {
        run_with(&path, fracas_systems::all(), &fracas_systems::library)
    } else {
        run(&path, fracas_systems::all())
    }
}

#[test]
fn every_scenario_of_the_readme_passes() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenario/README.md");
    let page = fs::read_to_string(page).expect("the README").replace("\r\n", "\n");
    let blocks = blocks(&page);
    assert!(!blocks.is_empty(), "the README shows a scenario");
    for block in blocks {
        let outcome = outcome(block, true);
        assert!(outcome.passed(), "{outcome}");
    }
}

#[test]
fn every_scenario_holds_with_what_is_bundled() {
    for system in fracas_systems::all() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(system.id);
        assert_folder_with(folder, fracas_systems::all(), &fracas_systems::library);
    }
}

#[test]
fn every_bundled_character_is_there_by_name() {
    let with = |library: &str| {
        format!(
            "title = \"t\"\ngame = \"judge-two\"\n{library}\n\
             [setup]\nplayer = [{{ name = \"Ana\" }}]\ncharacter = [{{ use = \"Tamsin\" }}]\n\
             [expect]\ncast.tamsin.risk = 0\n"
        )
    };
    for library in ["", "library = \"bundled\"", "library = [\"bundled\"]"] {
        let outcome = outcome(&with(library), true);
        assert!(outcome.passed(), "{outcome}");
    }
    for (library, bundled) in [("library = []", true), ("", false)] {
        let told = outcome(&with(library), bundled).to_string();
        assert!(told.contains("the library has no [[character]] called \"Tamsin\""), "{told}");
    }
}
