//! A game's name is used only in its crate and the registry.

use std::collections::BTreeSet;

use super::clauses::game_of;
use super::rust::{Kind, Token, begins, tokens};
use super::tree::{Tree, extension, is_test};
use super::{Fault, has_word};
use crate::game::TEMPLATE;

/// A game's name in every form.
struct Name {
    /// As in the rulebook: `judge-two`.
    id: String,
    /// As a module: `judge_two`.
    snake: String,
    /// As a type: `JudgeTwo`.
    camel: String,
    /// Its title, whole and up to a colon or bracket.
    titles: Vec<String>,
}

impl Name {
    fn new(id: &str, title: &str) -> Name {
        let camel = id
            .split('-')
            .map(|part| {
                let (first, rest) = part.split_at(part.len().min(1));
                first.to_uppercase() + rest
            })
            .collect();
        let head = title.split([':', '(']).next().unwrap_or(title).trim();
        Name {
            id: id.to_owned(),
            snake: id.replace('-', "_"),
            camel,
            titles: [title, head]
                .into_iter()
                // A title of one word is an ordinary word too.
                .filter(|title| title.contains(' '))
                .map(str::to_owned)
                .collect(),
        }
    }

    /// An id of one word is an ordinary word too, so it counts only where it can be nothing
    /// but the id.
    fn is_ordinary_word(&self) -> bool {
        !self.id.contains('-')
    }

    fn in_text(&self, text: &str) -> bool {
        if self.titles.iter().any(|title| text.contains(title)) {
            return true;
        }
        if self.is_ordinary_word() {
            return text == self.id || self.set_apart(text);
        }
        has_word(text, &self.id) || has_word(text, &self.snake) || has_word(text, &self.camel)
    }

    /// Whether the text contains the id in quotes, in a path or file name, or as the value
    /// of a system: there it is the id.
    fn set_apart(&self, text: &str) -> bool {
        let bare = |piece: &str| {
            let piece = piece.trim_end_matches('\\');
            piece == self.id || piece.strip_suffix(".toml") == Some(&self.id)
        };
        let quoted = text.split(['"', '\'', '`']).skip(1).any(bare);
        let path = |word: &str| (word.contains('/') || word.ends_with(".toml")) && word.split('/').any(bare);
        let words: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || ['"', '\'', '`', '(', ')', ',', ';', '='].contains(&c))
            .filter(|word| !word.is_empty())
            .collect();
        let said = words.windows(2).any(|pair| pair[0] == "--system" && pair[1] == self.id);
        quoted || said || words.into_iter().any(path)
    }

    fn in_code(&self, tokens: &[Token<'_>]) -> bool {
        let Some(first) = tokens.first().filter(|token| token.kind == Kind::Word) else {
            return false;
        };
        if self.is_ordinary_word() {
            return begins(tokens, &[&self.id, ":", ":"])
                || begins(tokens, &["use", &self.id, ";"])
                || begins(tokens, &["use", &self.id, "as"])
                || begins(tokens, &["extern", "crate", &self.id]);
        }
        first.text.contains(&self.snake) || first.text.contains(&self.camel)
    }

    /// Whether a line of a file that is not Rust names the game.
    fn in_line(&self, line: &str) -> bool {
        if self.titles.iter().any(|title| line.contains(title)) {
            return true;
        }
        if self.is_ordinary_word() {
            return self.set_apart(line);
        }
        has_word(line, &self.id) || has_word(line, &self.snake) || has_word(line, &self.camel)
    }
}

/// Names are used only in the game's crate, the registry, tests and text.
pub(super) fn stay_at_home(tree: &Tree, faults: &mut Vec<Fault>) {
    let names = names(tree);
    for (path, text) in tree.under("") {
        let checked = ["crates/", "games/", "xtask/", ".ci/"]
            .iter()
            .any(|folder| path.starts_with(folder))
            && !path.starts_with("crates/systems/")
            // The rule on directions covers manifests.
            && !path.ends_with("/Cargo.toml")
            && extension(path) != "md"
            && !is_test(path);
        if !checked {
            continue;
        }
        for name in &names {
            if path.starts_with(&format!("games/{}/", name.id)) {
                continue;
            }
            for line in lines_naming(name, path, text) {
                let what = format!(
                    "the game `{}` is named outside its crate; go through the registry in crates/systems",
                    name.id
                );
                faults.push(Fault::new(path, line, what));
            }
        }
    }
}

fn lines_naming(name: &Name, path: &str, text: &str) -> BTreeSet<usize> {
    if extension(path) != "rs" {
        return text
            .lines()
            .enumerate()
            .filter(|(_, line)| name.in_line(line))
            .map(|(at, _)| at + 1)
            .collect();
    }
    let tokens = tokens(text);
    (0..tokens.len())
        .filter(|&at| !tokens[at].in_test)
        .filter(|&at| match tokens[at].kind {
            Kind::Text => name.in_text(tokens[at].text),
            _ => name.in_code(&tokens[at..]),
        })
        .map(|at| tokens[at].line)
        .collect()
}

/// Every game that has a crate or a rulebook. The template is a name of none.
fn names(tree: &Tree) -> Vec<Name> {
    let games = tree.under("games/").filter_map(|(path, _)| path.split('/').nth(1));
    let books = tree.under("").filter_map(|(path, _)| game_of(path));
    let ids: BTreeSet<&str> = games.chain(books).filter(|&id| id != TEMPLATE).collect();
    ids.into_iter()
        .map(|id| {
            let title = tree
                .under("")
                .find(|(path, _)| game_of(path) == Some(id))
                .map(|(_, text)| text)
                .and_then(|text| text.parse::<toml::Table>().ok())
                .and_then(|book| Some(book.get("title")?.as_str()?.to_owned()))
                .unwrap_or_default();
            Name::new(id, &title)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::stay_at_home;

    const HILL: (&str, &str) = ("rulebook/king-hill.toml", "title = 'King of the Hill: a game'");
    const CHESS: (&str, &str) = ("rulebook/chess.toml", "title = 'Chess'");

    #[track_caller]
    fn check_in(path: &str, text: &str, lines: &[usize]) {
        let expected: Vec<String> = lines.iter().map(|line| format!("{path}:{line}: the game")).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(stay_at_home, &[HILL, CHESS, (path, text)], &expected);
    }

    #[test]
    fn a_name_is_seen_in_every_form() {
        let text = "use king_hill::KingHill;\nlet a = \"king-hill\";\nlet b = \"content/king-hill/x\";\n\
                    let c = \"King of the Hill\";\nlet d: KingHillState;\n";
        check_in("crates/web/src/lib.rs", text, &[1, 2, 3, 4, 5]);
    }

    #[test]
    fn an_ordinary_word_is_a_name_only_where_it_can_be_nothing_else() {
        let text = "fn chess() {}\nlet a = \"a game of chess\";\nenum Chess {}\n";
        check_in("crates/web/src/lib.rs", text, &[]);
        let text = "use chess::Rules;\nlet a = \"chess\";\nlet b = \"content/chess/x\";\nuse chess;\n\
                    use chess as c;\nextern crate chess;\nlet d = \"chess.toml\";\n\
                    let e = \"say --system chess\";\nlet f = \"game = 'chess'\";\nlet g = \"see `chess`\";\n\
                    let h = \"game = \\\"chess\\\"\";\n";
        check_in("crates/web/src/lib.rs", text, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        let text =
            "let a = \"'tis chess, I'd say\";\nlet b = is_chess(chess);\nlet c = \"chess and/or whist\";\n";
        check_in("crates/web/src/lib.rs", text, &[]);
    }

    #[test]
    fn text_tests_the_registry_and_its_own_crate_may_name_it() {
        let code = "let a = \"king-hill\";\n";
        check_in("crates/web/src/lib.rs", "// king-hill\n/// KingHill\nfn f() {}", &[]);
        check_in("crates/web/src/lib.rs", "#[cfg(test)]\nmod t { const A: &str = \"king-hill\"; }", &[]);
        check_in("crates/web/tests/all.rs", code, &[]);
        check_in("crates/systems/src/lib.rs", code, &[]);
        check_in("games/king-hill/src/lib.rs", code, &[]);
        check_in("crates/web/README.md", code, &[]);
        check_in("games/chess/src/lib.rs", code, &[1]);
    }

    #[test]
    fn other_files_are_read_too() {
        check_in("crates/web/assets/table.js", "x\nif (g === 'chess') {}\n// king-hill\n", &[2, 3]);
        check_in("crates/web/assets/table.js", "playing chess\n", &[]);
        check_in(".ci/run", "fracas check content/chess\nfracas play --system chess\necho chess\n", &[1, 2]);
    }
}
