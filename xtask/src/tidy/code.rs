//! Rules for the code itself.

use std::collections::BTreeSet;

use super::rust::{Kind, Token, begins, closing, tokens};
use super::tree::{Tree, extension, is_test};
use super::{Fault, has_word};

/// Words that kernel and games must not use, with the alternative.
const BANNED: [(&str, &str); 8] = [
    ("SystemTime", "a game reads no clock: what happens is decided by answers"),
    ("Instant", "a game reads no clock: what happens is decided by answers"),
    ("HashMap", "its order is not fixed: use an array, a sorted Vec or a BTreeMap"),
    ("HashSet", "its order is not fixed: use an array, a sorted Vec or a BTreeSet"),
    ("f32", "floats differ and do not add up: use whole numbers, or a ratio of two"),
    ("f64", "floats differ and do not add up: use whole numbers, or a ratio of two"),
    ("rand", "a game throws nothing: ask Chance for a roll"),
    ("unsafe", "kernel and games are written without it"),
];

/// Macros that print.
const PRINTING: [&str; 5] = ["println", "print", "eprintln", "eprint", "dbg"];

/// Modules of `std` that reach outside.
const OUTSIDE: [&str; 6] = ["fs", "net", "time", "thread", "process", "env"];

/// The folders whose code is pure: the kernel and each game, `src/` only.
fn is_pure(path: &str) -> bool {
    (path.starts_with("crates/kernel/src/")
        || path
            .strip_prefix("games/")
            .and_then(|rest| rest.split_once('/'))
            .is_some_and(|(_, rest)| rest.starts_with("src/")))
        && !is_test(path)
}

/// No I/O, clock, thread, generator, float, hash order or unsafe code in the
/// kernel and the games.
pub(super) fn purity(tree: &Tree, faults: &mut Vec<Fault>) {
    for (path, text) in tree.rust("").filter(|(path, _)| is_pure(path)) {
        let tokens: Vec<Token<'_>> =
            tokens(text).into_iter().filter(|token| !token.in_test && !token.is_comment()).collect();
        for (at, token) in tokens.iter().enumerate() {
            let mut fault = |what: String| faults.push(Fault::new(path, token.line, what));
            match token.kind {
                Kind::Word => {
                    let word = token.text;
                    let banned = BANNED.iter().find(|(banned, _)| {
                        *banned == word || (*banned == "rand" && word.starts_with("rand_"))
                    });
                    if let Some((_, instead)) = banned {
                        fault(format!("`{word}`: {instead}"));
                    } else if PRINTING.contains(&word) && begins(&tokens[at + 1..], &["!"]) {
                        fault(format!("`{word}!`: a game prints nothing: tell it as an event"));
                    } else if word == "std" {
                        for module in modules_of_std(&tokens[at..]) {
                            fault(format!(
                                "`std::{module}`: kernel and games reach nothing outside; hand in what they need"
                            ));
                        }
                    }
                }
                // A tuple's field of a field, `a.0.1`, looks like a float.
                Kind::Number if is_float(token.text) && !(at > 0 && tokens[at - 1].is(".")) => {
                    fault(format!(
                        "`{}`: floats differ and do not add up: use whole numbers, or a ratio of two",
                        token.text
                    ));
                }
                _ => {}
            }
        }
    }
}

fn is_float(number: &str) -> bool {
    let plain = !number.starts_with("0x") && !number.starts_with("0b");
    plain && (number.contains('.') || number.ends_with("f32") || number.ends_with("f64"))
}

/// The banned modules in a path that begins with `std`.
fn modules_of_std<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    if !begins(&tokens[1..], &[":", ":"]) || tokens.len() < 4 {
        return Vec::new();
    }
    let named = if tokens[3].is("{") {
        // Only the first names in a group: `std::{fs, mem::swap}`.
        let end = closing(tokens, 3);
        (4..end)
            .filter(|&at| tokens[at - 1].is("{") || tokens[at - 1].is(","))
            .map(|at| tokens[at].text)
            .collect()
    } else {
        vec![tokens[3].text]
    };
    named.into_iter().filter(|name| OUTSIDE.contains(name)).collect()
}

/// The kernel and every game forbid unsafe code at their root.
pub(super) fn forbids_unsafe(tree: &Tree, faults: &mut Vec<Fault>) {
    for (path, text) in tree.rust("") {
        if !is_pure(path) || !path.ends_with("/src/lib.rs") {
            continue;
        }
        let tokens = tokens(text);
        let wanted = ["#", "!", "[", "forbid", "(", "unsafe_code", ")", "]"];
        if !(0..tokens.len()).any(|at| begins(&tokens[at..], &wanted)) {
            faults.push(Fault::new(path, 1, "lacks `#![forbid(unsafe_code)]`"));
        }
    }
}

/// An exception from a lint has a reason.
pub(super) fn reasons(tree: &Tree, faults: &mut Vec<Fault>) {
    for (path, text) in tree.rust("") {
        let tokens = tokens(text);
        let comments: BTreeSet<usize> =
            tokens.iter().filter(|token| token.kind == Kind::Comment).map(Token::last_line).collect();
        for (at, token) in tokens.iter().enumerate() {
            let open = at + if begins(&tokens[at..], &["#", "!"]) { 2 } else { 1 };
            if !token.is("#") || !tokens.get(open).is_some_and(|token| token.is("[")) {
                continue;
            }
            let attribute = &tokens[open..=closing(&tokens, open)];
            let lint = (1..attribute.len()).find(|&at| {
                (begins(&attribute[at..], &["allow", "("]) || begins(&attribute[at..], &["expect", "("]))
                    && (at == 1 || attribute[at - 1].is(","))
            });
            let Some(lint) = lint else { continue };
            let reasoned = attribute.iter().any(|token| token.is("reason"))
                || comments.contains(&token.line)
                || comments.contains(&(token.line - 1))
                || attribute.last().is_some_and(|end| comments.contains(&end.line));
            if !reasoned {
                let what =
                    format!("`#[{}(...)]` without a reason: add `reason = \"...\"`", attribute[lint].text);
                faults.push(Fault::new(path, token.line, what));
            }
        }
    }
}

/// The source has no notes of work to do: that is what issues are for.
pub(super) fn nothing_left_to_do(tree: &Tree, faults: &mut Vec<Fault>) {
    const NOTES: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];
    const MACROS: [&str; 2] = ["todo", "unimplemented"];
    for (path, text) in tree.under("") {
        match extension(path) {
            "md" | "txt" => {}
            "rs" => {
                let tokens = tokens(text);
                for (at, token) in tokens.iter().enumerate() {
                    if token.is_comment() {
                        for (below, line) in token.text.lines().enumerate() {
                            if let Some(note) = NOTES.iter().find(|note| has_word(line, note)) {
                                let what = format!("`{note}`: do it, or open an issue");
                                faults.push(Fault::new(path, token.line + below, what));
                            }
                        }
                    } else if token.kind == Kind::Word
                        && MACROS.contains(&token.text)
                        && begins(&tokens[at + 1..], &["!"])
                    {
                        let what = format!("`{}!`: a panic is a bug; write it, or refuse", token.text);
                        faults.push(Fault::new(path, token.line, what));
                    }
                }
            }
            _ => {
                for (at, line) in text.lines().enumerate() {
                    if let Some(note) = NOTES.iter().find(|note| has_word(line, note)) {
                        let what = format!("`{note}`: do it, or open an issue");
                        faults.push(Fault::new(path, at + 1, what));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::{forbids_unsafe, nothing_left_to_do, purity, reasons};

    const GAME: &str = "games/chess/src/turn.rs";

    #[track_caller]
    fn check_purity(source: &str, expected: &[&str]) {
        let expected: Vec<String> = expected.iter().map(|what| format!("{GAME}:1: `{what}`")).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(purity, &[(GAME, source)], &expected);
    }

    #[test]
    fn a_pure_game_is_left_alone() {
        check_purity("use std::{fmt, mem::swap}; use std::collections::BTreeMap;", &[]);
        check_purity("// HashMap, std::fs and f64\nlet a = \"unsafe\"; let b = c.0.1 + 1..2;", &[]);
        check_purity("fn thread(time: u8, env: Random) -> u8 { print(operand) }", &[]);
        check_purity("#[cfg(test)]\nmod tests { use std::collections::HashSet; }", &[]);
        check_purity("const MASK: u32 = 0x1f32;", &[]);
    }

    #[test]
    fn outside_access_is_found() {
        check_purity("use std::fs;", &["std::fs"]);
        check_purity("use std::{fmt, fs::File, net};", &["std::fs", "std::net"]);
        check_purity("let t = std::time::Instant::now();", &["std::time", "Instant"]);
        check_purity("std::thread::spawn(f);", &["std::thread"]);
        check_purity("println!(\"x\");", &["println!"]);
    }

    #[test]
    fn nondeterminism_is_found() {
        check_purity("use std::collections::HashMap;", &["HashMap"]);
        check_purity("use rand_chacha::ChaCha8Rng; rand::random();", &["rand_chacha", "rand"]);
        check_purity("fn odds() -> f64 { 0.5 }", &["f64", "0.5"]);
        check_purity("unsafe { f() }", &["unsafe"]);
    }

    #[test]
    fn other_crates_may_do_both() {
        let source = "use std::fs; let x: f64 = 0.5; println!();";
        check(purity, &[("crates/cli/src/main.rs", source), ("games/chess/tests/all.rs", source)], &[]);
    }

    #[test]
    fn roots_forbid_unsafe_code() {
        check(
            forbids_unsafe,
            &[
                ("crates/kernel/src/lib.rs", "//! K.\n#![forbid(unsafe_code)]\n"),
                ("games/chess/src/lib.rs", "//! `#![forbid(unsafe_code)]`\nmod a;"),
                ("crates/web/src/lib.rs", ""),
            ],
            &["games/chess/src/lib.rs:1: lacks"],
        );
    }

    #[track_caller]
    fn check_reasons(source: &str, lines: &[usize]) {
        let expected: Vec<String> = lines.iter().map(|line| format!("a.rs:{line}: ")).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(reasons, &[("a.rs", source)], &expected);
    }

    #[test]
    fn an_exception_from_a_lint_has_a_reason() {
        check_reasons("#[allow(dead_code)]\nfn f() {}", &[1]);
        check_reasons("fn f() {}\n#![expect(dead_code)]", &[2]);
        check_reasons("/// Of f.\n#[cfg_attr(test, allow(dead_code))]\nfn f() {}", &[2]);
        check_reasons("#[allow(dead_code, reason = \"a trial\")]\nfn f() {}", &[]);
        check_reasons("#[allow(dead_code)] // a trial\nfn f() {}", &[]);
        check_reasons("// a trial\n#[allow(dead_code)]\nfn f() {}", &[]);
        check_reasons("#[derive(Debug)]\nfn f() { x.expect(\"y\"); }", &[]);
    }

    #[test]
    fn nothing_is_put_off() {
        let note = concat!("TO", "DO");
        let commented = format!("fn f() {{}}\n/* a\n {note}: b */\n");
        check(nothing_left_to_do, &[("a.rs", &commented)], &["a.rs:3: "]);
        check(nothing_left_to_do, &[("a.rs", "fn f() {\n    todo!()\n}")], &["a.rs:2: `todo!`"]);
        check(nothing_left_to_do, &[("a.toml", &format!("# {note}"))], &["a.toml:1: "]);
        let harmless = format!("let todo = \"{note}\"; // a mas{note}n");
        check(nothing_left_to_do, &[("a.rs", &harmless), ("a.md", note)], &[]);
    }
}
