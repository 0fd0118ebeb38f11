//! Lists of texts in a document: entries come and go, and comments stay where they belong.

use toml_edit::{Array, RawString, Value};

/// The most entries in a line, of a list without line breaks.
const A_LINE: usize = 8;
/// How a new line of a list begins where none has begun yet.
const LINE: &str = "\n    ";

/// Adds an entry at the top: on a line of its own where the first entry has one.
pub(super) fn push_front(list: &mut Array, text: &str) {
    let Some(first) = list.get_mut(0) else { return push_back(list, text) };
    // A comment behind the bracket stays there.
    let before = prefix(first).to_owned();
    let own = before.rfind('\n').map_or(" ", |at| &before[at..]).to_owned();
    first.decor_mut().set_prefix(own);
    list.insert_formatted(0, Value::from(text).decorated(before, ""));
}

/// Adds an entry at the end: in the last line, or on a new one where that is as full as others.
pub(super) fn push_back(list: &mut Array, text: &str) {
    close(list);
    // A comment beside the last entry stays beside it.
    let end = list.trailing().as_str().unwrap_or_default().to_owned();
    let (comment, end) = end.split_at(end.rfind('\n').unwrap_or(0));
    list.set_trailing(end);
    let is_commented = comment.contains('#');
    let prefix = match is_commented || is_full(list) {
        true => format!("{}{}", if is_commented { comment } else { "" }, line(list)),
        false if list.is_empty() => String::new(),
        false => " ".to_owned(),
    };
    list.insert_formatted(list.len(), Value::from(text).decorated(prefix, ""));
}

/// Writes a text in place of an entry's, where they differ; comments beside it stay.
pub(super) fn rewrite(value: &mut Value, text: &str) {
    if value.as_str() != Some(text) {
        let decor = value.decor().clone();
        *value = Value::from(text);
        *value.decor_mut() = decor;
    }
}

/// Removes an entry with the comment beside it, if it has a line alone; all other comments stay.
pub(super) fn remove(list: &mut Array, at: usize) {
    close(list);
    let Some(own) = list.get(at).map(|entry| prefix(entry).to_owned()) else { return };
    let next = list.get(at + 1).map_or_else(|| list.trailing().as_str().unwrap_or_default(), prefix);
    let joined = match (own.rfind('\n'), next.find('\n')) {
        (Some(line), Some(after)) => format!("{}{}", &own[..line], &next[after..]),
        (None, Some(after)) if at == 0 => format!("{own}{}", &next[after..]),
        (Some(_), None) => own,
        (None, None) if at == 0 => own,
        (None, _) => next.to_owned(),
    };
    list.remove(at);
    match list.get_mut(at) {
        Some(next) => next.decor_mut().set_prefix(joined),
        None => list.set_trailing(joined),
    }
}

fn prefix(entry: &Value) -> &str {
    entry.decor().prefix().and_then(RawString::as_str).unwrap_or_default()
}

/// Moves what stands behind the last entry, where no comma follows, to the end of the list.
fn close(list: &mut Array) {
    let Some(last) = list.len().checked_sub(1).and_then(|at| list.get_mut(at)) else { return };
    let suffix = last.decor().suffix().and_then(RawString::as_str).unwrap_or_default().to_owned();
    if !suffix.is_empty() {
        last.decor_mut().set_suffix("");
        let end = list.trailing().as_str().unwrap_or_default().to_owned();
        list.set_trailing(format!("{suffix}{end}"));
    }
}

/// Whether the last line has as many entries as any.
fn is_full(list: &Array) -> bool {
    let mut lines = vec![0];
    for entry in list {
        if prefix(entry).contains('\n') {
            lines.push(0);
        }
        lines.iter_mut().last().into_iter().for_each(|count| *count += 1);
    }
    let most = if lines.len() == 1 { A_LINE } else { lines.iter().copied().max().unwrap_or_default() };
    lines.last().is_some_and(|&count| count >= most)
}

/// How a line of a list begins.
fn line(list: &Array) -> String {
    let begins = list.iter().map(prefix).filter_map(|before| before.rfind('\n').map(|at| &before[at..]));
    begins.last().unwrap_or(LINE).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use toml_edit::DocumentMut;

    /// A list after a change.
    #[track_caller]
    fn check(list: &str, change: impl Fn(&mut Array), expected: &str) {
        let mut document: DocumentMut = format!("list = {list}\n").parse().expect("TOML");
        change(document["list"].as_array_mut().expect("a list"));
        let text = document.to_string();
        assert_eq!(text, format!("list = {expected}\n"));
        text.parse::<DocumentMut>().expect("TOML still");
    }

    #[test]
    fn an_entry_comes_where_its_neighbours_stand() {
        let back = |list: &mut Array| push_back(list, "z");
        check("[]", back, "[\"z\"]");
        check("[\"a\"]", back, "[\"a\", \"z\"]");
        check("[ \"a\" ]", back, "[ \"a\", \"z\" ]");
        check("[ # none\n]", back, "[ # none\n    \"z\"\n]");
        check("[\n  \"a\",\n  \"b\",\n]", back, "[\n  \"a\",\n  \"b\",\n  \"z\",\n]");
        check("[\n  \"a\",\n  \"b\" # last\n]", back, "[\n  \"a\",\n  \"b\", # last\n  \"z\"\n]");
        check(
            "[\n  \"a\", \"b\",\n  \"c\", # a corner\n]",
            back,
            "[\n  \"a\", \"b\",\n  \"c\", # a corner\n  \"z\",\n]",
        );
        check("[\n  \"a\", \"b\",\n  \"c\",\n]", back, "[\n  \"a\", \"b\",\n  \"c\", \"z\",\n]");
        let many = ["\"a\""; A_LINE].join(", ");
        check(&format!("[{many}]"), back, &format!("[{many},\n    \"z\"]"));
        let front = |list: &mut Array| push_front(list, "z");
        check("[]", front, "[\"z\"]");
        check("[\"a\"]", front, "[\"z\", \"a\"]");
        check("[ # the mill\n  \"a\",\n]", front, "[ # the mill\n  \"z\",\n  \"a\",\n]");
        check("[\n  \"a\", # first\n]", front, "[\n  \"z\",\n  \"a\", # first\n]");
    }

    #[test]
    fn an_entry_goes_with_its_own_comment_alone() {
        let nth = |at: usize| move |list: &mut Array| remove(list, at);
        check("[\"a\"]", nth(0), "[]");
        check("[\"a\", \"b\", \"c\"]", nth(0), "[\"b\", \"c\"]");
        check("[\"a\", \"b\", \"c\"]", nth(1), "[\"a\", \"c\"]");
        check("[\"a\", \"b\", \"c\"]", nth(2), "[\"a\", \"b\"]");
        let list = "[\n  # The hedge.\n  \"a\", # west\n  \"b\", # east\n]";
        check(list, nth(0), "[\n  # The hedge.\n  \"b\", # east\n]");
        check(list, nth(1), "[\n  # The hedge.\n  \"a\", # west\n]");
        check("[\n  \"a\", # west\n  \"b\" # east\n]", nth(1), "[\n  \"a\" # west\n]");
        let pairs = "[\n  \"a\", \"b\", # west\n  \"c\", \"d\", # east\n]";
        check(pairs, nth(1), "[\n  \"a\", # west\n  \"c\", \"d\", # east\n]");
        check(pairs, nth(2), "[\n  \"a\", \"b\", # west\n  \"d\", # east\n]");
        check("[\"a\", # west\n  \"b\"]", nth(0), "[\n  \"b\"]");
        check("[\"a\"]", nth(7), "[\"a\"]");
    }
}
