//! Rust source as tokens: enough to tell code from comments, strings and tests.

/// One token, with the line it starts on, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    /// The source text; a string without its quotes.
    pub(crate) text: &'a str,
    pub(crate) line: usize,
    /// Whether it belongs to an item marked `#[test]` or `#[cfg(test)]`.
    pub(crate) in_test: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An identifier or keyword.
    Word,
    /// A string of any sort, with its escapes.
    Text,
    /// A number with its suffix.
    Number,
    /// One character of punctuation.
    Mark,
    /// A comment that is not documentation.
    Comment,
    /// A documentation comment.
    Doc,
    /// A character or a lifetime.
    Other,
}

impl Token<'_> {
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Mark) && self.text == text
    }

    pub(crate) fn is_comment(&self) -> bool {
        matches!(self.kind, Kind::Comment | Kind::Doc)
    }

    /// The line on which it ends.
    pub(crate) fn last_line(&self) -> usize {
        self.line + self.text.matches('\n').count()
    }
}

/// Whether tokens begin with these words and marks.
pub(crate) fn begins(tokens: &[Token<'_>], words: &[&str]) -> bool {
    tokens.len() >= words.len() && tokens.iter().zip(words).all(|(token, word)| token.is(word))
}

/// The index of the bracket that closes the one at `open`, or the end if there is none.
pub(crate) fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != Kind::Mark {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    tokens.len().saturating_sub(1)
}

/// All tokens of a file. Source that does not compile gives tokens too: the compiler
/// reports its faults.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { source, at: 0, line: 1, tokens: Vec::new() };
    while lexer.at < source.len() {
        lexer.next();
    }
    let mut tokens = lexer.tokens;
    mark_tests(&mut tokens);
    tokens
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    line: usize,
    tokens: Vec<Token<'a>>,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) {
        let rest = &self.source[self.at..];
        let Some(first) = rest.chars().next() else {
            return;
        };
        if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            let doc = rest.starts_with("//!") || (rest.starts_with("///") && !rest.starts_with("////"));
            self.take(if doc { Kind::Doc } else { Kind::Comment }, length);
        } else if rest.starts_with("/*") {
            let doc = rest.starts_with("/*!")
                || (rest.starts_with("/**") && !rest.starts_with("/***") && !rest.starts_with("/**/"));
            self.take(if doc { Kind::Doc } else { Kind::Comment }, block_comment(rest));
        } else if let Some((start, end, length)) = string(rest) {
            self.tokens.push(Token {
                kind: Kind::Text,
                text: &rest[start..end],
                line: self.line,
                in_test: false,
            });
            self.skip(length);
        } else if first == '\'' {
            self.take(Kind::Other, quote(rest));
        } else if first.is_ascii_digit() {
            self.take(Kind::Number, number(rest));
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            self.take(Kind::Word, length);
        } else {
            self.take(Kind::Mark, first.len_utf8());
        }
    }

    fn take(&mut self, kind: Kind, length: usize) {
        self.tokens.push(Token {
            kind,
            text: &self.source[self.at..self.at + length],
            line: self.line,
            in_test: false,
        });
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        let passed = &self.source[self.at..self.at + length];
        self.line += passed.matches('\n').count();
        self.at += length;
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a block comment, which may be nested.
fn block_comment(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    rest.len()
}

/// The start and end of the text of a string that begins here, and the string's length.
fn string(rest: &str) -> Option<(usize, usize, usize)> {
    let bare = rest.trim_start_matches(['b', 'c']);
    let prefix = rest.len() - bare.len();
    if prefix > 1 {
        return None;
    }
    if let Some(raw) = bare.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if !raw[hashes..].starts_with('"') {
            return None;
        }
        let start = prefix + 1 + hashes + 1;
        let close = format!("\"{}", "#".repeat(hashes));
        let end = rest[start..].find(&close).map_or(rest.len(), |at| start + at);
        return Some((start, end, (end + close.len()).min(rest.len())));
    }
    if !bare.starts_with('"') {
        return None;
    }
    let start = prefix + 1;
    let mut escaped = false;
    for (at, c) in rest[start..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((start, start + at, start + at + 1)),
            _ => {}
        }
    }
    Some((start, rest.len(), rest.len()))
}

/// The length of a character or a lifetime.
fn quote(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            chars.next();
            chars.find(|&(_, c)| c == '\'').map_or(rest.len(), |(at, _)| at + 1)
        }
        Some((_, first)) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ if is_word(first) => 1 + rest[1..].find(|c| !is_word(c)).unwrap_or(rest.len() - 1),
            _ => 1 + first.len_utf8(),
        },
        None => rest.len(),
    }
}

/// The length of a number: `1`, `0x1f`, `1_000u16`, `2.5`, but `1` of `1..2`.
fn number(rest: &str) -> usize {
    let whole = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let mut after = rest[whole..].chars();
    if after.next() == Some('.') && after.next().is_some_and(|c| c.is_ascii_digit()) {
        let tail = &rest[whole + 1..];
        return whole + 1 + tail.find(|c| !is_word(c)).unwrap_or(tail.len());
    }
    whole
}

/// Marks every token of an item under `#[test]` or `#[cfg(test)]`.
fn mark_tests(tokens: &mut [Token<'_>]) {
    let mut at = 0;
    while at < tokens.len() {
        let here = &tokens[at..];
        if !begins(here, &["#", "[", "test", "]"]) && !begins(here, &["#", "[", "cfg", "(", "test", ")", "]"])
        {
            at += 1;
            continue;
        }
        let mut end = closing(tokens, at + 1) + 1;
        // To the end of the item: its body or its semicolon.
        while end < tokens.len() {
            if tokens[end].is("#") || tokens[end].is("(") || tokens[end].is("[") {
                let open = if tokens[end].is("#") { end + 1 } else { end };
                end = closing(tokens, open) + 1;
            } else if tokens[end].is("{") {
                end = closing(tokens, end) + 1;
                break;
            } else if tokens[end].is(";") {
                end += 1;
                break;
            } else {
                end += 1;
            }
        }
        let end = end.min(tokens.len());
        for token in &mut tokens[at..end] {
            token.in_test = true;
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &[(Kind, &str)]) {
        let found: Vec<(Kind, &str)> = tokens(source).iter().map(|token| (token.kind, token.text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn strings_and_comments_are_not_code() {
        use Kind::{Comment, Doc, Mark, Text, Word};
        check(
            "a \"b\\\"c\" // d\n/// e\n/* f /* g */ h */ r#\"i\"j\"# b\"k\"",
            &[
                (Word, "a"),
                (Text, "b\\\"c"),
                (Comment, "// d"),
                (Doc, "/// e"),
                (Comment, "/* f /* g */ h */"),
                (Text, "i\"j"),
                (Text, "k"),
            ],
        );
        check("rb(c)", &[(Word, "rb"), (Mark, "("), (Word, "c"), (Mark, ")")]);
    }

    #[test]
    fn quotes_and_numbers_end_where_they_should() {
        use Kind::{Mark, Number, Other, Word};
        check(
            r"'a' 'b '\'' '\u{1F}' '(' 1..2 2.5f64 a.0",
            &[
                (Other, "'a'"),
                (Other, "'b"),
                (Other, r"'\''"),
                (Other, r"'\u{1F}'"),
                (Other, "'('"),
                (Number, "1"),
                (Mark, "."),
                (Mark, "."),
                (Number, "2"),
                (Number, "2.5f64"),
                (Word, "a"),
                (Mark, "."),
                (Number, "0"),
            ],
        );
    }

    #[test]
    fn tests_are_marked_and_nothing_else() {
        let source = "fn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod t { fn b() { [1; 2] } }\nfn c() {}\n\
                      #[test]\nfn d(x: [u8; 2]) { e }\n#[cfg(test)]\nuse f;\nfn g() {}";
        let outside: Vec<&str> = tokens(source)
            .into_iter()
            .filter(|token| token.kind == Kind::Word && !token.in_test && token.text != "fn")
            .map(|token| token.text)
            .collect();
        assert_eq!(outside, ["a", "c", "g"]);
    }

    #[test]
    fn lines_are_counted_through_everything() {
        let lines: Vec<usize> = tokens("a\n\"b\n\" c\n/*\n*/ d").iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 3, 4, 5]);
    }
}
