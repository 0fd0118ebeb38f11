//! Where a clause stands: in the rulebook, in the code, in scenarios.

use std::path::Path;

use anyhow::{Result, bail};

use crate::Verdict;
use crate::tidy::{game_of, tree::Tree};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Its id, as `guard.cost`
    id: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Verdict> {
    let found = places(&Tree::read(Path::new("."))?, &arguments.id);
    if found.is_empty() {
        bail!("no rulebook has a clause called `{}`: see `fracas rulebook`", arguments.id);
    }
    found.iter().for_each(|line| println!("{line}"));
    Ok(Verdict::Holds)
}

/// A line for each place, game by game: its words in the rulebook, lines of code that name it, and
/// scenarios that cover it, by title. Nothing if no rulebook has it.
fn places(tree: &Tree, id: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (book, text) in tree.under("") {
        let Some(game) = game_of(book) else { continue };
        let entry = format!("id = \"{id}\"");
        let Some(at) = text.lines().position(|line| line == entry) else { continue };
        let says =
            text.lines().skip(at).find(|line| line.starts_with("says = ") || line.starts_with("ruling = "));
        found.push(format!("{book}:{}: {}", at + 1, says.unwrap_or_default()));
        for (path, text) in tree.rust(&format!("games/{game}/")) {
            for (line, code) in text.lines().enumerate().filter(|(_, code)| names(code, id)) {
                found.push(format!("{path}:{}: {}", line + 1, code.trim()));
            }
        }
        let folders = [format!("scenarios/{game}/"), format!("games/{game}/scenarios/")];
        for (path, text) in folders.iter().flat_map(|folder| tree.under(folder)) {
            let Ok(scenario) = text.parse::<toml::Table>() else { continue };
            let covers = scenario.get("covers").and_then(toml::Value::as_array);
            let is_it = |covered: &toml::Value| {
                covered.as_str().is_some_and(|covered| covered.split('=').next() == Some(id))
            };
            if covers.is_some_and(|covers| covers.iter().any(is_it)) {
                let title = scenario.get("title").and_then(toml::Value::as_str).unwrap_or_default();
                found.push(format!("{path}: {title}"));
            }
        }
    }
    found
}

/// Whether a line names this id, and not only a longer one.
fn names(line: &str, id: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    line.match_indices(id).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + id.len()..]);
        let goes_on = after.strip_prefix('.').unwrap_or(after).starts_with(is_part);
        !goes_on && !before.ends_with(is_part) && !before.ends_with('.')
    })
}

#[cfg(test)]
mod tests {
    use super::{Tree, names, places};

    #[test]
    fn a_clause_is_found_in_rulebook_code_and_scenarios() {
        let files = [
            ("rulebook/chess.toml", "[[clause]]\nid = \"move.one\"\nsays = \"One step.\"\n"),
            ("games/chess/src/a.rs", "/// One step (`move.one`).\nfn f() { clause!(\"move.one-more\") }"),
            ("games/go/src/a.rs", "// move.one"),
            ("scenarios/chess/a.toml", "title = \"A step\"\ncovers = [\"move.one=far\"]"),
            ("scenarios/chess/b.toml", "title = \"Another\"\ncovers = [\"move.one-more\"]"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
        let tree = Tree { files };
        assert_eq!(
            places(&tree, "move.one"),
            [
                "rulebook/chess.toml:2: says = \"One step.\"",
                "games/chess/src/a.rs:1: /// One step (`move.one`).",
                "scenarios/chess/a.toml: A step",
            ]
        );
        assert_eq!(places(&tree, "move"), [""; 0]);
    }

    #[test]
    fn a_longer_id_is_another() {
        assert!(names("clause!(\"guard\")", "guard") && names("so it is (guard).", "guard"));
        assert!(!["guard.cost", "guard-2", "on.guard", "safeguard"].iter().any(|line| names(line, "guard")));
    }
}
