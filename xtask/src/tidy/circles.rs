//! Rules for the files of one crate: which need which.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Fault;
use super::rust::{Token, closing, tokens};
use super::tree::Tree;

/// The crates whose files form no circle: each can be understood with those below it alone.
const CRATES: [&str; 5] = ["crates/cli", "crates/live", "crates/papers", "crates/scenario", "crates/web"];

/// A path such as `crate::page::Note`, in its parts.
type Path<'a> = Vec<&'a str>;

/// What a file of a crate says about others. Tests are left out.
#[derive(Default)]
struct File<'a> {
    path: &'a str,
    /// The paths that it uses, each with its line.
    uses: Vec<(Path<'a>, usize)>,
    /// The names that it re-exports. A file that uses one uses the file that it comes from.
    exports: BTreeMap<&'a str, Path<'a>>,
}

/// No circle of files in these crates.
pub(super) fn of_files(tree: &Tree, faults: &mut Vec<Fault>) {
    for folder in CRATES {
        let files = files(tree, &format!("{folder}/src/"));
        let needs: BTreeMap<&Path<'_>, BTreeMap<&Path<'_>, usize>> =
            files.keys().map(|module| (module, needs(&files, module))).collect();
        let mut listed: BTreeSet<&Path<'_>> = BTreeSet::new();
        for module in files.keys() {
            let Some(circle) = circle(&needs, module) else { continue };
            if circle.iter().all(|module| !listed.contains(module)) {
                let names: Vec<String> = circle.iter().map(|module| name(module)).collect();
                let line = needs[module][circle[1 % circle.len()]];
                let what = format!(
                    "a circle of files: {} → {}; move what they share into a file below them",
                    names.join(" → "),
                    names[0]
                );
                faults.push(Fault::new(files[module].path, line, what));
            }
            listed.extend(circle);
        }
    }
}

fn name(module: &[&str]) -> String {
    if module.is_empty() { "lib".to_owned() } else { module.join("::") }
}

/// The files of a crate, by their modules.
fn files<'a>(tree: &'a Tree, src: &str) -> BTreeMap<Path<'a>, File<'a>> {
    let module = |path: &'a str| {
        let inner = path.strip_suffix(".rs")?.get(src.len()..)?;
        let mut parts: Path<'a> = inner.split('/').collect();
        if matches!(parts.last(), Some(&"mod")) || matches!(parts[..], ["lib" | "main"]) {
            parts.pop();
        }
        Some(parts)
    };
    let rust = tree.rust(src).filter(|(path, _)| path.starts_with(src));
    rust.filter_map(|(path, text)| Some((module(path)?, File { path, ..read(text) }))).collect()
}

fn read(text: &str) -> File<'_> {
    let tokens: Vec<Token<'_>> =
        tokens(text).into_iter().filter(|token| !token.in_test && !token.is_comment()).collect();
    let mut file = File::default();
    let mut at = 0;
    while at < tokens.len() {
        let before = |back: usize| at.checked_sub(back).map(|at| &tokens[at]);
        if tokens[at].is("use") {
            let end = (at..tokens.len()).find(|&at| tokens[at].is(";")).unwrap_or(tokens.len());
            let public = before(1).is_some_and(|token| token.is("pub") || token.is(")"));
            let line = tokens[at].line;
            for (path, called) in used(&tokens[at + 1..end], &[]) {
                if public {
                    file.exports.insert(called, path);
                } else {
                    file.uses.push((path, line));
                }
            }
            at = end;
        } else if !before(1).is_some_and(|token| token.is(":")) && is_joined(&tokens, at) {
            let mut path = vec![tokens[at].text];
            let line = tokens[at].line;
            while is_joined(&tokens, at) {
                at += 3;
                path.extend(tokens.get(at).map(|token| token.text));
            }
            file.uses.push((path, line));
        }
        at += 1;
    }
    file
}

/// Whether the token is followed by `::`.
fn is_joined(tokens: &[Token<'_>], at: usize) -> bool {
    tokens.get(at + 1).zip(tokens.get(at + 2)).is_some_and(|(one, two)| one.is(":") && two.is(":"))
}

/// The paths of a `use`, each with the name that it has from then on.
fn used<'a>(tokens: &[Token<'a>], before: &[&'a str]) -> Vec<(Path<'a>, &'a str)> {
    let mut path = before.to_vec();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.is("{") {
            let end = closing(tokens, at);
            let mut from = at + 1;
            while from < end {
                let mut to = from;
                while to < end && !tokens[to].is(",") {
                    to = if tokens[to].is("{") { closing(tokens, to) + 1 } else { to + 1 };
                }
                found.extend(used(&tokens[from..to], &path));
                from = to + 1;
            }
            return found;
        }
        if token.is("as") {
            return vec![(path, tokens.get(at + 1).map_or("", |token| token.text))];
        }
        if !token.is(":") && (!token.is("self") || path.is_empty()) {
            path.push(token.text);
        }
        at += 1;
    }
    path.last().copied().map(|called| (path.clone(), called)).into_iter().collect()
}

/// The files that a file needs, each with the line that says so first.
fn needs<'m, 'a>(
    files: &'m BTreeMap<Path<'a>, File<'a>>,
    module: &'m Path<'a>,
) -> BTreeMap<&'m Path<'a>, usize> {
    let mut needs = BTreeMap::new();
    for (path, line) in &files[module].uses {
        if let Some(other) = home(files, module, path, 0).filter(|other| *other != module) {
            needs.entry(other).or_insert(*line);
        }
    }
    needs
}

/// The file in which a path of a module leads to, through re-exports.
fn home<'m, 'a>(
    files: &'m BTreeMap<Path<'a>, File<'a>>,
    module: &[&'a str],
    path: &[&'a str],
    depth: usize,
) -> Option<&'m Path<'a>> {
    let supers = path.iter().take_while(|part| **part == "super").count();
    let whole: Path<'a> = match path.first()? {
        &"crate" => path[1..].to_vec(),
        &"self" => module.iter().chain(&path[1..]).copied().collect(),
        &"super" => module.iter().take(module.len() - supers).chain(&path[supers..]).copied().collect(),
        first => {
            let child: Path<'a> = module.iter().copied().chain([*first]).collect();
            files.get(&child)?;
            module.iter().chain(path).copied().collect()
        }
    };
    let (found, file) = (0..=whole.len()).rev().find_map(|to| files.get_key_value(&whole[..to]))?;
    match whole.get(found.len()).and_then(|part| file.exports.get(part)) {
        Some(export) if depth < 8 => {
            let further: Path<'a> = export.iter().chain(&whole[found.len() + 1..]).copied().collect();
            home(files, found, &further, depth + 1).or(Some(found))
        }
        _ => Some(found),
    }
}

/// The shortest circle through a module, beginning with it.
fn circle<'m, 'a>(
    needs: &BTreeMap<&'m Path<'a>, BTreeMap<&'m Path<'a>, usize>>,
    module: &'m Path<'a>,
) -> Option<Vec<&'m Path<'a>>> {
    let mut from: BTreeMap<&Path<'a>, &'m Path<'a>> = BTreeMap::new();
    let mut next = VecDeque::from([module]);
    while let Some(here) = next.pop_front() {
        for &other in needs[here].keys() {
            if other == module {
                let mut circle = vec![here];
                while let Some(before) = from.get(circle[circle.len() - 1]) {
                    circle.push(before);
                }
                circle.reverse();
                return Some(circle);
            }
            if !from.contains_key(other) {
                from.insert(other, here);
                next.push_back(other);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::of_files;

    const LIB: (&str, &str) = ("crates/web/src/lib.rs", "mod hall;\nmod page;\npub use page::Note;");

    #[test]
    fn files_need_each_other_one_way_only() {
        let hall = ("crates/web/src/hall.rs", "use crate::{page::{self, Note}, other::X};");
        let page = ("crates/web/src/page/mod.rs", "mod note;\npub(crate) use note::Note;\nuse note::all;");
        let above = |text| ("crates/web/src/page/note.rs", text);
        check(of_files, &[LIB, hall, page, above("pub(crate) struct Note;")], &[]);
        check(
            of_files,
            &[LIB, hall, page, above("// A comment.\nfn f() { crate::hall::open() }")],
            &["crates/web/src/hall.rs:1: a circle of files: hall → page::note → hall;"],
        );
        check(of_files, &[LIB, hall, page, above("#[cfg(test)]\nmod tests { use crate::hall::open; }")], &[]);
    }

    #[test]
    fn a_parent_is_a_file_like_others() {
        let parent = ("crates/cli/src/play/mod.rs", "mod cards;\nfn f() { cards::draw() }");
        let child = ("crates/cli/src/play/cards.rs", "use super::{Early, early};");
        check(
            of_files,
            &[parent, child],
            &["crates/cli/src/play/mod.rs:2: a circle of files: play → play::cards → play;"],
        );
    }

    #[test]
    fn a_name_is_where_it_comes_from() {
        let room = ("crates/live/src/room.rs", "use crate::Sight;");
        let sight = ("crates/live/src/sight.rs", "use super::room::{Room as R};");
        let lib = ("crates/live/src/lib.rs", "pub use sight::Sight;");
        check(
            of_files,
            &[lib, room, sight],
            &["crates/live/src/room.rs:1: a circle of files: room → sight → room;"],
        );
        check(
            of_files,
            &[("crates/table/src/a.rs", "use crate::b;"), ("crates/table/src/b.rs", "use crate::a;")],
            &[],
        );
    }
}
