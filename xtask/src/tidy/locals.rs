//! Rules for the names of local variables.

use super::rust::{Kind, Token, tokens};
use super::tree::Tree;
use super::{Fault, line_of};

/// Names that say nothing about a value.
const VAGUE: [&str; 3] = ["told", "it", "one"];

/// Folders that still have such locals, each with `/` at the end. A folder without them
/// leaves the list.
const NOT_YET: &[&str] = &["crates/kernel/", "crates/suite/", "games/"];

/// A `let` gives a value a name that says what the value is.
pub(super) fn say_what_they_are(tree: &Tree, faults: &mut Vec<Fault>) {
    without(NOT_YET, tree, faults);
}

fn without(not_yet: &[&str], tree: &Tree, faults: &mut Vec<Fault>) {
    let mut found = vec![false; not_yet.len()];
    for (path, text) in tree.rust("") {
        let listed = not_yet.iter().position(|folder| path.starts_with(folder));
        let locals = vague(text);
        match listed {
            Some(at) => found[at] |= !locals.is_empty(),
            None => faults.extend(locals.into_iter().map(|(line, name)| {
                Fault::new(path, line, format!("`let {name}`: use a name that says what the value is"))
            })),
        }
    }
    for (folder, _) in not_yet.iter().zip(found).filter(|(folder, found)| !found && has(tree, folder)) {
        const LIST: &str = "xtask/src/tidy/locals.rs";
        let line = line_of(tree.get(LIST).unwrap_or_default(), &format!("\"{folder}\""), 1);
        faults.push(Fault::new(
            LIST,
            line,
            format!("{folder} has no such locals any more: take it off the list"),
        ));
    }
}

/// Whether the tree has files in a folder: a made-up tree need not have all that are listed.
fn has(tree: &Tree, folder: &str) -> bool {
    tree.rust(folder).next().is_some()
}

/// The vague names that `let` patterns bind, each with its line.
fn vague(source: &str) -> Vec<(usize, &str)> {
    let tokens: Vec<Token<'_>> = tokens(source).into_iter().filter(|token| !token.is_comment()).collect();
    let lets = (0..tokens.len()).filter(|&at| tokens[at].is("let"));
    lets.flat_map(|at| pattern(&tokens[at + 1..])).collect()
}

/// The vague names in the pattern with which the tokens begin. A name in braces is a field's.
fn pattern<'a>(tokens: &[Token<'a>]) -> Vec<(usize, &'a str)> {
    let (mut depth, mut braces, mut found) = (0_usize, 0_usize, Vec::new());
    for token in tokens {
        match (token.kind, token.text) {
            (Kind::Mark, "(" | "[") => depth += 1,
            (Kind::Mark, ")" | "]") => depth = depth.saturating_sub(1),
            (Kind::Mark, "{") => braces += 1,
            (Kind::Mark, "}") => braces = braces.saturating_sub(1),
            (Kind::Mark, "=" | ";" | ":") if depth + braces == 0 => break,
            (Kind::Word, name) if braces == 0 && VAGUE.contains(&name) => found.push((token.line, name)),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, tree};
    use super::{say_what_they_are, vague, without};

    #[test]
    fn vague_locals_are_found() {
        let names = |source| vague(source).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(names("let told = a;"), ["told"]);
        assert_eq!(names("let mut one: u8 = 1;"), ["one"]);
        assert_eq!(names("if let Some(it) = a && let (one, [other, told]) = b {}"), ["it", "one", "told"]);
        assert_eq!(names("let Ok(told) = a else { return };"), ["told"]);
    }

    #[test]
    fn other_names_are_left_alone() {
        for source in [
            "let bone = told(it);",
            "let count: it::One = one;",
            "let Listed { told, .. } = listed;",
            "let text = \"let told = 1;\"; // let it = 2;",
            "fn told(one: u8) { let a; it = a; }",
        ] {
            assert_eq!(vague(source), [], "{source}");
        }
    }

    #[test]
    fn each_is_reported_with_its_line() {
        check(
            say_what_they_are,
            &[("crates/face/src/menu.rs", "fn f() {\n    let told = 1;\n}"), ("docs/a.md", "let told = 1;")],
            &["crates/face/src/menu.rs:2: `let told`: "],
        );
    }

    #[test]
    fn a_listed_crate_may_have_some_and_must_have_some() {
        let check = |source: &str, expected: usize| {
            let mut faults = Vec::new();
            without(&["games/chess/"], &tree(&[("games/chess/src/lib.rs", source)]), &mut faults);
            assert_eq!(faults.len(), expected, "{faults:?}");
        };
        check("fn f() { let told = 1; }", 0);
        check("fn f() { let text = 1; }", 1);
    }
}
