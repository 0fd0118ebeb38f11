//! The project's own rulebooks are sound, and a broken rulebook is reported.

use std::fs;
use std::path::{Path, PathBuf};

use fracas_rulebook::{Error, generate};

fn rulebooks() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulebook");
    fs::read_dir(folder)
        .expect("the project has a folder of rulebooks")
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "toml"))
        .collect()
}

#[test]
fn every_rulebook_is_sound() {
    let rulebooks = rulebooks();
    assert!(rulebooks.len() >= 5, "found only {rulebooks:?}");
    let out = tempfile::tempdir().unwrap();
    for path in rulebooks {
        let out = out.path().join("rulebook.rs");
        generate(&path, &out).unwrap_or_else(|error| panic!("{error}"));
        let source = fs::read_to_string(out).unwrap();
        assert!(source.contains("pub static RULEBOOK"));
        assert!(source.contains("macro_rules! clause"));
    }
}

#[test]
fn a_broken_rulebook_names_file_line_and_id_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.toml");
    let out = folder.path().join("rulebook.rs");
    let text = "system = 's'\ntitle = 't'\nsummary = 'u'\n\n[[clause]]\nid = 'a'\nkind = 'law'\n";
    fs::write(&path, text).unwrap();
    let error = generate(&path, &out).unwrap_err();
    assert!(matches!(&error, Error::Malformed { faults, .. } if faults.len() == 3));
    let message = error.to_string();
    assert!(message.contains("broken.toml:5: clause `a` has the kind `law`"), "{message}");
    assert!(message.contains("clause `a` has no `says`"), "{message}");
    assert!(!out.exists());
}

#[test]
fn a_missing_rulebook_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = generate(&folder.path().join("absent.toml"), &folder.path().join("out.rs"));
    let message = error.unwrap_err().to_string();
    assert!(message.starts_with("cannot read "), "{message}");
    assert!(message.contains("absent.toml"), "{message}");
}
