//! Every named clause exists in its rulebook, and every clause that a game cites has plain
//! words.

use std::collections::BTreeMap;

use super::rust::{Kind, Token, begins, tokens};
use super::tree::{Tree, extension};
use super::{Fault, line_of};

/// For each game its ids, each with whether it has words for players.
type Rulebooks = BTreeMap<String, BTreeMap<String, bool>>;

fn rulebooks(tree: &Tree) -> Rulebooks {
    let mut books = Rulebooks::new();
    for (path, text) in tree.under("") {
        let Some(game) = game_of(path) else { continue };
        // A rulebook that cannot be read stops the build of its game, with the reason.
        let book: toml::Table = text.parse().unwrap_or_default();
        let mut ids = BTreeMap::new();
        for (table, prefix) in [("clause", ""), ("ambiguity", ""), ("extension", ""), ("example", "example.")]
        {
            for entry in array(book.get(table)) {
                if let Some(id) = entry.get("id").and_then(toml::Value::as_str) {
                    ids.insert(format!("{prefix}{id}"), entry.get("plain").is_some());
                }
            }
        }
        // The game's own, which is read first, is the one that its code follows.
        books.entry(game.to_owned()).or_insert(ids);
    }
    books
}

/// The game whose rulebook this file is. That of a game that is not registered is in the game's folder.
pub(crate) fn game_of(path: &str) -> Option<&str> {
    let shared = path.strip_prefix("rulebook/").and_then(|name| name.strip_suffix(".toml"));
    shared.or_else(|| path.strip_prefix("games/")?.strip_suffix("/rulebook.toml"))
}

/// Scenarios and games name only ids of their rulebook.
pub(super) fn are_in_the_rulebook(tree: &Tree, faults: &mut Vec<Fault>) {
    let books = rulebooks(tree);
    for (path, text) in tree.under("") {
        let is_own = path.starts_with("games/") && path.split('/').nth(2) == Some("scenarios");
        if (is_own || path.starts_with("scenarios/")) && extension(path) == "toml" {
            scenario(&books, path, text, faults);
        }
    }
    for (path, text) in tree.rust("games/") {
        let Some(book) = path.split('/').nth(1).and_then(|game| books.get(game)) else {
            continue;
        };
        let tokens: Vec<Token<'_>> = tokens(text).into_iter().filter(|token| !token.is_comment()).collect();
        for (at, token) in tokens.iter().enumerate() {
            let named = tokens
                .get(at + 3)
                .filter(|named| named.kind == Kind::Text && begins(&tokens[at..], &["clause", "!"]));
            if let Some(named) = named
                && book.get(named.text) != Some(&true)
            {
                faults.push(match book.get(named.text) {
                    None => unknown(path, token.line, named.text),
                    Some(_) => {
                        let what =
                            format!("players may be led to `{}`, which needs `plain` words", named.text);
                        Fault::new(path, token.line, what)
                    }
                });
            }
        }
    }
}

fn unknown(path: &str, line: usize, id: &str) -> Fault {
    Fault::new(
        path,
        line,
        format!("no clause, ruling or extension of this game is called `{id}`; see `fracas rulebook`"),
    )
}

fn scenario(books: &Rulebooks, path: &str, text: &str, faults: &mut Vec<Fault>) {
    let scenario: toml::Table = match text.parse() {
        Ok(scenario) => scenario,
        Err(error) => {
            faults.push(Fault::new(path, 1, format!("cannot be read: {error}")));
            return;
        }
    };
    let folder = path.split('/').nth(1).unwrap_or_default();
    let game = scenario.get("game").and_then(toml::Value::as_str).unwrap_or(folder);
    let Some(book) = books.get(game) else {
        let line = line_of(text, "game", 1);
        let what = format!("there is no rulebook of a game called `{game}`");
        faults.push(Fault::new(path, line, what));
        return;
    };
    // The parsed file has no line numbers, so each id is searched for below the last.
    let mut line = line_of(text, "covers", 1);
    let mut hold = |id: &toml::Value, line: &mut usize| {
        if let Some(id) = id.as_str() {
            *line = line_of(text, &format!("\"{id}\""), *line);
            // An optional ruling is covered value by value: `id=value`.
            let bare = id.split_once('=').map_or(id, |(bare, _)| bare);
            if !book.contains_key(bare) {
                faults.push(unknown(path, *line, id));
            }
        }
    };
    for id in array(scenario.get("covers")) {
        hold(id, &mut line);
    }
    for step in array(scenario.get("step")) {
        if let Some(refused) = step.get("refused") {
            let single = std::slice::from_ref(refused);
            for id in refused.as_array().map_or(single, Vec::as_slice) {
                // A refusal for its form has no clause.
                if id.as_str() == Some("form") {
                    continue;
                }
                hold(id, &mut line);
            }
        }
        for event in array(step.get("expect")) {
            if let Some(id) = event.get("clause") {
                hold(id, &mut line);
            }
        }
    }
}

fn array(value: Option<&toml::Value>) -> &[toml::Value] {
    value.and_then(toml::Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::are_in_the_rulebook;

    const BOOK: (&str, &str) = (
        "rulebook/chess.toml",
        "[[clause]]\nid = 'move.one'\n[[ambiguity]]\nid = 'draw'\nplain = 'Nobody wins.'\n[[example]]\nid = 'first'\n",
    );

    #[test]
    fn existing_ids_may_be_named() {
        let scenario =
            "covers = [\"move.one\", \"draw\", \"example.first\"]\n[[step]]\nrefused = \"move.one\"\n";
        let code = "fn f() { clause!(\"draw\") } // clause!(\"nothing\")";
        check(
            are_in_the_rulebook,
            &[BOOK, ("scenarios/chess/a.toml", scenario), ("games/chess/src/a.rs", code)],
            &[],
        );
    }

    #[test]
    fn an_unknown_id_is_reported_with_its_line() {
        let scenario = "game = \"chess\"\ncovers = [\n  \"move.one\",\n  \"move.two\",\n]\n\
                        [[step]]\nrefused = \"first\"\n[[step]]\nexpect = [{ clause = \"x\" }]\n";
        check(
            are_in_the_rulebook,
            &[
                BOOK,
                ("scenarios/chess/deep/a.toml", scenario),
                ("scenarios/go/b.toml", ""),
                ("games/whist/rulebook.toml", "[[clause]]\nid = 'trick'\n"),
                ("games/whist/scenarios/c.toml", "covers = [\"trick\", \"trump\"]\n"),
                ("games/chess/src/a.rs", "fn f() {\n    clause!(\"drew\")\n}"),
                ("games/chess/src/b.rs", "fn f() {\n    clause!(\"move.one\")\n}"),
            ],
            &[
                "games/whist/scenarios/c.toml:1: no clause",
                "scenarios/chess/deep/a.toml:4: no clause, ruling or extension of this game is called `move.two`",
                "scenarios/chess/deep/a.toml:7: no clause",
                "scenarios/chess/deep/a.toml:9: no clause",
                "scenarios/go/b.toml:1: there is no rulebook",
                "games/chess/src/a.rs:2: no clause",
                "games/chess/src/b.rs:2: players may be led to `move.one`, which needs `plain` words",
            ],
        );
    }
}
