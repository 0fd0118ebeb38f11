//! The source tree in memory, so that rules can be tested on made-up trees.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The extensions of source files.
const SOURCE: [&str; 14] =
    ["rs", "toml", "md", "js", "mjs", "ts", "html", "css", "sql", "json", "sh", "yml", "yaml", "txt"];

/// Folders that are generated, fetched or kept by other programs.
const NOT_OURS: [&str; 6] = ["target", "node_modules", "vendor", "corpus", "artifacts", "mutants.out"];

/// Files by their path from the root, always with `/`.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) files: BTreeMap<String, String>,
}

impl Tree {
    /// Reads the tree under a folder.
    pub(crate) fn read(root: &Path) -> Result<Tree> {
        let mut tree = Tree::default();
        tree.add(root, "")?;
        Ok(tree)
    }

    fn add(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        let reading = || format!("cannot read {}", folder.display());
        for entry in fs::read_dir(folder).with_context(reading)? {
            let entry = entry.with_context(reading)?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let kind = entry.file_type().with_context(reading)?;
            let path = format!("{prefix}{name}");
            if kind.is_dir() {
                let hidden = name.starts_with('.') && name != ".cargo" && name != ".ci";
                if !hidden && !NOT_OURS.contains(&name.as_str()) {
                    self.add(&entry.path(), &format!("{path}/"))?;
                }
            } else if kind.is_file() && (SOURCE.contains(&extension(&name)) || path == ".ci/run") {
                let text = fs::read_to_string(entry.path()).with_context(|| format!("cannot read {path}"))?;
                self.files.insert(path, text);
            }
        }
        Ok(())
    }

    pub(crate) fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Files under a folder (a path ending in `/`), in order.
    pub(crate) fn under(&self, folder: &str) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter(move |(path, _)| path.starts_with(folder))
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The Rust files under a folder.
    pub(crate) fn rust(&self, folder: &str) -> impl Iterator<Item = (&str, &str)> {
        self.under(folder).filter(|(path, _)| extension(path) == "rs")
    }
}

/// The extension of a path, after its last dot.
pub(crate) fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Whether a whole file is for tests.
pub(crate) fn is_test(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "benches" | "e2e" | "fuzz" | "testdata"))
}
