//! Rules for the source tree, held by tests.
//!
//! Each rule is a function from a [`Tree`] to faults. Its tests are on made-up trees;
//! `cargo xtask tidy` and `cargo test -p xtask` run it on the real tree.

mod circles;
mod clauses;
mod code;
mod commits;
mod crates;
mod locals;
mod names;
mod rust;
pub(crate) mod tree;

use std::fmt;

use anyhow::Result;

use crate::{Verdict, cargo};
pub(crate) use clauses::game_of;
use tree::Tree;

/// A place where a rule is broken.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fault {
    path: String,
    line: usize,
    /// What is wrong and what would be right.
    what: String,
}

impl Fault {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Fault {
        Fault { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

type Rule = fn(&Tree, &mut Vec<Fault>);

const RULES: &[Rule] = &[
    circles::of_files,
    crates::directions,
    crates::manifests,
    crates::examples,
    names::stay_at_home,
    code::purity,
    code::forbids_unsafe,
    code::reasons,
    code::nothing_left_to_do,
    locals::say_what_they_are,
    clauses::are_in_the_rulebook,
];

/// Every fault of a tree, by file and line.
fn faults(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for rule in RULES {
        rule(tree, &mut faults);
    }
    faults.sort();
    faults.dedup();
    faults
}

/// Checks the project's own tree and prints the faults.
pub(crate) fn run() -> Result<Verdict> {
    let tree = Tree::read(&cargo::root())?;
    let mut faults = faults(&tree);
    commits::have_short_subjects(&mut faults);
    for fault in &faults {
        eprintln!("{fault}");
    }
    if faults.is_empty() {
        println!("{} files are tidy", tree.files.len());
        Ok(Verdict::Holds)
    } else {
        eprintln!("not tidy: faults found: {}", faults.len());
        Ok(Verdict::Fails)
    }
}

/// The first line from line `from` on that contains `needle`; else `from`.
fn line_of(text: &str, needle: &str, from: usize) -> usize {
    text.lines()
        .enumerate()
        .skip(from - 1)
        .find(|(_, line)| line.contains(needle))
        .map_or(from, |(at, _)| at + 1)
}

/// Whether `text` contains `word` with no letter, digit, `_` or `-` beside it.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(joins)
            && !text[at + word.len()..].chars().next().is_some_and(joins)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of these files.
    pub(super) fn tree(files: &[(&str, &str)]) -> Tree {
        Tree { files: files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect() }
    }

    /// Runs one rule on a tree and compares `path:line: start of message`.
    #[track_caller]
    pub(super) fn check(rule: Rule, files: &[(&str, &str)], expected: &[&str]) {
        let mut found = Vec::new();
        rule(&tree(files), &mut found);
        let found: Vec<String> = found.iter().map(Fault::to_string).collect();
        let as_expected =
            found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| a.starts_with(b));
        assert!(as_expected, "found {found:#?}\nexpected {expected:#?}");
    }

    #[test]
    fn the_project_is_tidy() {
        let faults = faults(&Tree::read(&cargo::root()).unwrap());
        let faults: Vec<String> = faults.iter().map(Fault::to_string).collect();
        assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    }

    #[test]
    fn words_stand_alone() {
        assert!(has_word("say clash now", "clash"));
        assert!(!has_word("clashes", "clash"));
        assert!(!has_word("re-clash", "clash"));
    }
}
