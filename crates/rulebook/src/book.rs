//! Reading a rulebook, and all the faults it can have.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::Fault;

/// A rulebook without faults.
#[derive(Debug)]
pub(crate) struct Book {
    pub(crate) system: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    /// In the order clauses, rulings, examples, extensions.
    pub(crate) entries: Vec<Entry>,
}

/// One entry, the owned twin of the kernel's.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    pub(crate) line: usize,
    pub(crate) id: String,
    pub(crate) section: String,
    /// The variant of the kernel's `Kind`.
    pub(crate) kind: &'static str,
    pub(crate) says: String,
    pub(crate) plain: Option<String>,
    pub(crate) needs: Vec<String>,
    pub(crate) beyond: bool,
    pub(crate) question: Option<String>,
    pub(crate) why: Option<String>,
    pub(crate) option: Option<OptionOf>,
}

#[derive(Debug)]
pub(crate) struct OptionOf {
    pub(crate) values: Vec<String>,
    pub(crate) default: String,
    pub(crate) when: String,
    pub(crate) range: Option<(i64, i64)>,
}

/// The values of a clause's `kind`, with the kernel's variant for each.
const KINDS: [(&str, &str); 5] = [
    ("rule", "Rule"),
    ("choice", "Choice"),
    ("content", "Content"),
    ("gap", "Gap"),
    ("guidance", "Guidance"),
];

/// When an option may be set.
const WHEN: [&str; 2] = ["setup", "any"];

// The rulebook in TOML. Required fields are optional here, so that all missing fields are
// reported at once.

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    system: Option<String>,
    title: Option<String>,
    summary: Option<String>,
    /// The source of the text, for readers of the file only.
    #[serde(rename = "source")]
    _source: Option<String>,
    #[serde(default)]
    clause: Vec<Spanned<Clause>>,
    #[serde(default)]
    ambiguity: Vec<Spanned<Ambiguity>>,
    #[serde(default)]
    example: Vec<Spanned<Example>>,
    #[serde(default)]
    extension: Vec<Spanned<Extension>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Clause {
    id: Option<String>,
    section: Option<String>,
    kind: Option<String>,
    says: Option<String>,
    plain: Option<String>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    beyond: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ambiguity {
    id: Option<String>,
    question: Option<String>,
    ruling: Option<String>,
    plain: Option<String>,
    why: Option<String>,
    option: Option<bool>,
    values: Option<Vec<String>>,
    default: Option<String>,
    when: Option<String>,
    range: Option<Vec<i64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    id: Option<String>,
    #[serde(default)]
    covers: Vec<String>,
    given: Option<String>,
    expect: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Extension {
    id: Option<String>,
    #[serde(default)]
    fills: Vec<String>,
    proposal: Option<String>,
    plain: Option<String>,
}

impl Book {
    /// Parses a rulebook, or returns every fault in it, in the file's order.
    pub(crate) fn parse(text: &str) -> Result<Book, Vec<Fault>> {
        let written: Written = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            let what = error.message().to_owned();
            vec![Fault { line, what }]
        })?;
        let mut faults = Faults::default();
        let mut entries = Vec::new();

        let top = Place { line: 1, what: "the rulebook".to_owned() };
        let system = faults.want(&top, "system", written.system);
        let title = faults.want(&top, "title", written.title);
        let summary = faults.want(&top, "summary", written.summary);
        if written.clause.is_empty() {
            faults.add(&top, "has no [[clause]]".to_owned());
        }

        for spanned in written.clause {
            let line = line_of(text, spanned.span().start);
            let clause = spanned.into_inner();
            let (place, id) = faults.open(line, "clause", clause.id);
            let kind = faults.want(&place, "kind", clause.kind);
            let variant = KINDS.iter().find(|(name, _)| *name == kind);
            if variant.is_none() && !kind.is_empty() {
                let known = KINDS.map(|(name, _)| name).join(", ");
                faults.add(&place, format!("has the kind `{kind}`; it must be one of {known}"));
            }
            entries.push(Entry {
                line,
                id,
                kind: variant.map_or("", |(_, variant)| variant),
                section: faults.want(&place, "section", clause.section),
                says: faults.want(&place, "says", clause.says),
                plain: clause.plain,
                needs: clause.needs,
                beyond: clause.beyond,
                ..Entry::default()
            });
        }

        for spanned in written.ambiguity {
            let line = line_of(text, spanned.span().start);
            let mut ruling = spanned.into_inner();
            let (place, id) = faults.open(line, "ambiguity", ruling.id.take());
            let option = faults.option(&place, &mut ruling);
            entries.push(Entry {
                line,
                id,
                section: "Rulings".to_owned(),
                kind: "Ruling",
                says: faults.want(&place, "ruling", ruling.ruling),
                plain: ruling.plain,
                question: Some(faults.want(&place, "question", ruling.question)),
                why: Some(faults.want(&place, "why", ruling.why)),
                option,
                ..Entry::default()
            });
        }

        for spanned in written.example {
            let line = line_of(text, spanned.span().start);
            let example = spanned.into_inner();
            let (place, id) = faults.open(line, "example", example.id);
            let given = faults.want(&place, "given", example.given);
            let expect = faults.want(&place, "expect", example.expect);
            entries.push(Entry {
                line,
                id: format!("example.{id}"),
                section: "Examples".to_owned(),
                kind: "Example",
                says: format!("Given: {} Expect: {}", given.trim(), expect.trim()),
                needs: example.covers,
                ..Entry::default()
            });
        }

        for spanned in written.extension {
            let line = line_of(text, spanned.span().start);
            let extension = spanned.into_inner();
            let (place, id) = faults.open(line, "extension", extension.id);
            entries.push(Entry {
                line,
                id,
                section: "Extensions".to_owned(),
                kind: "Extension",
                says: faults.want(&place, "proposal", extension.proposal),
                plain: extension.plain,
                needs: extension.fills,
                ..Entry::default()
            });
        }

        faults.names(&entries);
        if faults.0.is_empty() {
            Ok(Book { system, title, summary, entries })
        } else {
            faults.0.sort_by_key(|fault| fault.line);
            Err(faults.0)
        }
    }
}

/// The place of a fault: its line, and how to refer to the entry.
struct Place {
    line: usize,
    what: String,
}

#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn add(&mut self, place: &Place, what: String) {
        self.0.push(Fault { line: place.line, what: format!("{} {what}", place.what) });
    }

    /// A required field, which must not be blank.
    fn want(&mut self, place: &Place, field: &str, value: Option<String>) -> String {
        match value {
            Some(value) if !value.trim().is_empty() => value.trim_end().to_owned(),
            Some(_) => {
                self.add(place, format!("has an empty `{field}`"));
                String::new()
            }
            None => {
                self.add(place, format!("has no `{field}`"));
                String::new()
            }
        }
    }

    /// The id of an entry, and the place for its further faults.
    fn open(&mut self, line: usize, table: &str, id: Option<String>) -> (Place, String) {
        let mut place = Place { line, what: format!("this [[{table}]]") };
        let id = self.want(&place, "id", id);
        if !id.is_empty() {
            place.what = format!("{table} `{id}`");
        }
        let letters = |part: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        if !id.is_empty() && !id.split('.').all(letters) {
            self.add(
                &place,
                "has an id that is not lower-case letters, digits and hyphens, parted by dots".to_owned(),
            );
        }
        (place, id)
    }

    /// The option of a ruling, if it is optional.
    fn option(&mut self, place: &Place, ruling: &mut Ambiguity) -> Option<OptionOf> {
        let (values, default) = (ruling.values.take(), ruling.default.take());
        let (when, range) = (ruling.when.take(), ruling.range.take());
        match ruling.option {
            Some(true) => {}
            Some(false) => {
                let stray = [
                    ("values", values.is_some()),
                    ("default", default.is_some()),
                    ("when", when.is_some()),
                    ("range", range.is_some()),
                ];
                for (field, _) in stray.iter().filter(|(_, there)| *there) {
                    self.add(
                        place,
                        format!("has `{field}` but is no option: remove it, or set `option = true`"),
                    );
                }
                return None;
            }
            None => {
                self.add(place, "has no `option`: set it to true or false".to_owned());
                return None;
            }
        }
        let values = values.unwrap_or_default();
        if values.len() < 2 {
            self.add(place, "is an option with fewer than two `values`".to_owned());
        }
        for (at, value) in values.iter().enumerate() {
            if values[..at].contains(value) {
                self.add(place, format!("lists the value `{value}` twice"));
            }
        }
        let default = self.want(place, "default", default);
        if !default.is_empty() && !values.contains(&default) {
            self.add(
                place,
                format!("has the default `{default}`, which is not among its values: {}", values.join(", ")),
            );
        }
        let when = self.want(place, "when", when);
        if !when.is_empty() && !WHEN.contains(&when.as_str()) {
            self.add(place, format!("has `when = \"{when}\"`; it must be setup or any"));
        }
        let range = range.and_then(|range| match range[..] {
            [least, greatest] if least <= greatest => {
                for value in &values {
                    if !value.parse().is_ok_and(|n| (least..=greatest).contains(&n)) {
                        self.add(
                            place,
                            format!("has the value `{value}`, outside its range {least} to {greatest}"),
                        );
                    }
                }
                Some((least, greatest))
            }
            _ => {
                self.add(place, "has a `range` that is not [least, greatest]".to_owned());
                None
            }
        });
        Some(OptionOf { values, default, when, range })
    }

    /// Checks that ids are unique and that references name existing ids.
    fn names(&mut self, entries: &[Entry]) {
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        let place = |entry: &Entry| Place { line: entry.line, what: format!("`{}`", entry.id) };
        for entry in entries.iter().filter(|entry| !entry.id.is_empty()) {
            if let Some(line) = first.get(entry.id.as_str()) {
                self.add(&place(entry), format!("is an id already taken on line {line}; ids must be unique"));
            } else {
                first.insert(&entry.id, entry.line);
            }
        }
        for entry in entries {
            for need in &entry.needs {
                if !first.contains_key(need.as_str()) {
                    let field = match entry.kind {
                        "Example" => "covers",
                        "Extension" => "fills",
                        _ => "needs",
                    };
                    self.add(
                        &place(entry),
                        format!("{field} `{need}`, but no clause, ruling or extension is called that"),
                    );
                } else if *need == entry.id {
                    self.add(&place(entry), "needs itself".to_owned());
                }
            }
        }
    }
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes().iter().take(at).filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "system = 's'\ntitle = 't'\nsummary = 'u'\n";
    const GOOD: &str = "[[clause]]\nid = 'a.b'\nsection = 'x'\nkind = 'rule'\nsays = 'Something.'\n";

    /// Asserts the faults of a rulebook with this text after its head and one good clause,
    /// which end on line 8.
    #[track_caller]
    fn check(rest: &str, expected: &[(usize, &str)]) {
        let found = match Book::parse(&format!("{HEAD}{GOOD}{rest}")) {
            Ok(_) => Vec::new(),
            Err(faults) => faults,
        };
        let found: Vec<(usize, &str)> = found.iter().map(|fault| (fault.line, fault.what.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_good_rulebook_has_its_entries_in_order() {
        let rest = "[[extension]]\nid = 'ext.e'\nfills = ['a.b']\nproposal = 'P.'\n\
                    [[example]]\nid = 'one'\ncovers = ['a.b', 'amb']\ngiven = 'G.'\nexpect = 'E.'\n\
                    [[ambiguity]]\nid = 'amb'\nquestion = 'Q?'\nruling = 'R.'\nwhy = 'W.'\noption = true\n\
                    values = ['4', '5']\ndefault = '4'\nwhen = 'any'\nrange = [1, 9]\n";
        let book = Book::parse(&format!("{HEAD}{GOOD}{rest}")).unwrap();
        let ids: Vec<&str> = book.entries.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, ["a.b", "amb", "example.one", "ext.e"]);
        assert_eq!(book.entries[2].says, "Given: G. Expect: E.");
        let option = book.entries[1].option.as_ref().unwrap();
        assert_eq!(option.range, Some((1, 9)));
    }

    #[test]
    fn ids_are_unique() {
        check(GOOD, &[(9, "`a.b` is an id already taken on line 4; ids must be unique")]);
        check(
            "[[ambiguity]]\nid = 'a.b'\nquestion = 'q'\nruling = 'r'\nwhy = 'w'\noption = false\n",
            &[(9, "`a.b` is an id already taken on line 4; ids must be unique")],
        );
    }

    #[test]
    fn an_example_may_share_a_clauses_id() {
        check("[[example]]\nid = 'a.b'\ngiven = 'g'\nexpect = 'e'\n", &[]);
    }

    #[test]
    fn kinds_are_known() {
        check(
            "[[clause]]\nid = 'c'\nsection = 'x'\nkind = 'law'\nsays = 's'\n",
            &[(9, "clause `c` has the kind `law`; it must be one of rule, choice, content, gap, guidance")],
        );
    }

    #[test]
    fn references_name_existing_ids() {
        let clause = |needs| {
            format!("[[clause]]\nid = 'c'\nsection = 'x'\nkind = 'gap'\nsays = 's'\nneeds = ['{needs}']\n")
        };
        check(&clause("a.b"), &[]);
        check(&clause("a.c"), &[(9, "`c` needs `a.c`, but no clause, ruling or extension is called that")]);
        check(&clause("c"), &[(9, "`c` needs itself")]);
    }

    #[test]
    fn all_missing_fields_are_reported_at_once() {
        check(
            "[[clause]]\nid = 'c'\nsays = ''\n[[example]]\ngiven = 'g'\n",
            &[
                (9, "clause `c` has no `kind`"),
                (9, "clause `c` has no `section`"),
                (9, "clause `c` has an empty `says`"),
                (12, "this [[example]] has no `id`"),
                (12, "this [[example]] has no `expect`"),
            ],
        );
        assert_eq!(Book::parse("").unwrap_err().len(), 4);
    }

    #[test]
    fn options_are_whole() {
        let ruling = |rest: &str| {
            format!("[[ambiguity]]\nid = 'r'\nquestion = 'q'\nruling = 'r'\nwhy = 'w'\n{rest}\n")
        };
        check(
            &ruling("option = true\nvalues = ['a', 'b']\ndefault = 'c'\nwhen = 'never'"),
            &[
                (9, "ambiguity `r` has the default `c`, which is not among its values: a, b"),
                (9, "ambiguity `r` has `when = \"never\"`; it must be setup or any"),
            ],
        );
        check(
            &ruling("option = true"),
            &[
                (9, "ambiguity `r` is an option with fewer than two `values`"),
                (9, "ambiguity `r` has no `default`"),
                (9, "ambiguity `r` has no `when`"),
            ],
        );
        check(
            &ruling("option = true\nvalues = ['1', '8']\ndefault = '1'\nwhen = 'any'\nrange = [1, 5]"),
            &[(9, "ambiguity `r` has the value `8`, outside its range 1 to 5")],
        );
        check(
            &ruling("option = false\ndefault = 'a'"),
            &[(9, "ambiguity `r` has `default` but is no option: remove it, or set `option = true`")],
        );
        check(&ruling(""), &[(9, "ambiguity `r` has no `option`: set it to true or false")]);
    }

    #[test]
    fn ids_are_plain() {
        check(
            "[[clause]]\nid = 'A b'\nsection = 'x'\nkind = 'gap'\nsays = 's'\n",
            &[(
                9,
                "clause `A b` has an id that is not lower-case letters, digits and hyphens, parted by dots",
            )],
        );
    }

    #[test]
    fn an_unknown_key_is_reported_with_its_line() {
        let faults = Book::parse(&format!("{HEAD}{GOOD}sayz = 'x'\n")).unwrap_err();
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].line, 9);
        assert!(faults[0].what.contains("unknown field `sayz`"), "{}", faults[0].what);
    }
}
