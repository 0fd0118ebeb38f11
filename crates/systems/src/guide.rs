//! Parses the tables of fields in a system's guide for authors, `docs/content-<id>.md`.
//! Schemas take their descriptions from it, and a test compares guide and reader.
//!
//! Below the heading `Character` (of any level; in any case; up to a colon) a table whose first
//! column is called `field` has a row for each field that the reader asks for in `[[character]]`; in
//! the same way for each list and table. The fields at the top of an encounter are below `Encounter`,
//! those at the top of a library below `Library`, and rulings below `Options` in a column `option`. A
//! section with the phrase [`AS_CHARACTERS`] has the fields of `Character` too.

use fracas_kernel::System;

/// Tables of documents that are explained under another table's heading, with that heading.
const ELSEWHERE: [(&str, &[&str]); 14] = [
    ("", &["encounter"]),
    ("carried", &["library"]),
    ("effect", &["effects"]),
    ("fallen", &["library"]),
    ("item", &["boon", "item"]),
    ("lying_about", &["what lies about"]),
    ("martial", &["form"]),
    ("naval", &["form"]),
    ("strategic", &["form"]),
    ("subtle", &["form"]),
    ("under", &["effects"]),
    ("used_prop", &["used prop"]),
    ("whisper", &["whisper", "feat"]),
    ("words", &["whisper"]),
];

/// The headings whose tables list the fields of a table of documents.
fn headings(table: &'static str) -> Vec<&'static str> {
    let elsewhere = ELSEWHERE.iter().find(|(name, _)| *name == table);
    elsewhere.map_or_else(|| vec![table], |(_, headings)| headings.to_vec())
}

/// The phrase in the section of a table that has a character's fields too.
const AS_CHARACTERS: &str = "All that a character may have";

/// A system's guide.
pub(crate) struct Guide(Vec<Section>);

/// A section of a guide.
struct Section {
    /// The heading, in lower case, up to a colon.
    heading: String,
    /// The fields that its tables explain.
    rows: Vec<Row>,
    /// All other text.
    text: String,
}

/// A row of a table of fields.
struct Row {
    fields: Vec<String>,
    said: String,
}

impl Guide {
    /// Parses the guide of a system.
    pub(crate) fn of(system: &System) -> Guide {
        Guide::read(crate::guide_of(system))
    }

    fn read(text: &str) -> Guide {
        let mut sections: Vec<Section> = Vec::new();
        let mut columns: Vec<&str> = Vec::new();
        let mut is_code = false;
        for line in text.lines() {
            is_code ^= line.starts_with("```");
            if let (Some(heading), false) = (line.strip_prefix("##"), is_code) {
                let heading = heading.trim_start_matches('#').split(':').next().unwrap_or_default();
                let heading = heading.trim().to_lowercase();
                sections.push(Section { heading, rows: Vec::new(), text: String::new() });
                continue;
            }
            let Some(section) = sections.last_mut() else { continue };
            let Some(row) = line.strip_prefix('|') else {
                columns.clear();
                section.text += line;
                section.text.push('\n');
                continue;
            };
            let cells: Vec<&str> = row.trim_end().trim_end_matches('|').split('|').map(str::trim).collect();
            if columns.is_empty() {
                columns = cells;
            } else if matches!(columns[0], "field" | "option") {
                let fields = code(cells[0]).map(name_of).map(str::to_owned).collect();
                section.rows.push(Row { fields, said: said(&columns, &cells) });
            } else {
                section.text += line;
                section.text.push('\n');
            }
        }
        Guide(sections)
    }

    /// The sections that list the fields of a table.
    fn sections(&self, table: &'static str) -> impl Iterator<Item = &Section> {
        let under = |heading| self.0.iter().filter(move |section| section.heading == heading);
        let mut headings = headings(table);
        if headings.iter().any(|&own| under(own).any(|section| section.text.contains(AS_CHARACTERS))) {
            headings.push("character");
        }
        headings.into_iter().flat_map(under)
    }

    /// The description of a field. `path` is the names of the tables from the top to the
    /// field's own.
    pub(crate) fn of_field(&self, path: &[&'static str], field: &str) -> Option<&str> {
        let own = self.sections(path.last().copied().unwrap_or_default());
        let row =
            own.flat_map(|section| &section.rows).find(|row| row.fields.iter().any(|name| name == field));
        row.map(|row| row.said.as_str())
    }

    /// Whether the guide mentions a field of that table: in a row of its own, or in the
    /// text about the table.
    #[cfg(test)]
    fn names(&self, path: &[&'static str], field: &str) -> bool {
        let Some((table, above)) = path.split_last() else { return self.of_field(path, field).is_some() };
        let outer = || self.sections(above.last().copied().unwrap_or_default());
        let texts = self.sections(table).chain(outer()).map(|section| section.text.as_str());
        let rows = self.sections(table).flat_map(|section| &section.rows);
        let above = outer().flat_map(|section| &section.rows);
        let row = above.filter(|row| row.fields.iter().any(|name| name == table));
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let names = |text: &str| code(text).any(|code| code.split(|c| !is_part(c)).any(|part| part == field));
        self.of_field(path, field).is_some()
            || texts.chain(rows.chain(row).map(|row| row.said.as_str())).any(names)
    }
}

/// The pieces of code in a text.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The field that a piece of code names: `boon` of `[[character.boon]]`, `form` of
/// `[form.martial]`.
fn name_of(code: &str) -> &str {
    let inner = code.trim_matches(['[', ']']);
    match inner.split_once('.') {
        Some(("form", _)) => "form",
        Some((_, field)) => field,
        None => inner,
    }
}

/// A row as a sentence without markup.
fn said(columns: &[&str], cells: &[&str]) -> String {
    let mut said = String::new();
    for (column, cell) in columns.iter().zip(cells).skip(1) {
        let cell = plain(cell);
        if cell.is_empty() {
            continue;
        }
        if !said.is_empty() {
            said += "; ";
        }
        if !column.is_empty() {
            said += column;
            said += ": ";
        }
        said += &cell;
    }
    said
}

/// A text without links and stars; code keeps its backticks.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        match link.split_once("](").and_then(|(label, after)| Some((label, after.split_once(')')?.1))) {
            Some((label, after)) if !label.contains(['`', '[']) => {
                plain += before;
                plain += label;
                rest = after;
            }
            _ => {
                plain += before;
                plain.push('[');
                rest = link;
            }
        }
    }
    plain += rest;
    plain.replace("**", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sort, schema::fields};
    use fracas_kernel::PORTRAIT;
    use std::collections::BTreeSet;

    /// The table whose fields are options of the rulebook.
    const SETTINGS: &str = "options";

    /// Every system and the template, each with its guide.
    fn guides() -> Vec<(System, Guide)> {
        let template = include_str!("../../../games/template/guide.md");
        let systems = crate::all().iter().map(|system| (*system, Guide::of(system)));
        systems.chain([(template::system(), Guide::read(template))]).collect()
    }

    #[test]
    fn every_field_that_is_read_is_in_the_guide() {
        for (system, guide) in guides() {
            let mut missing = Vec::new();
            for sort in [Sort::Encounter, Sort::Library] {
                for (path, field) in fields(&system, sort).expect("sound content") {
                    // The top of a library has a section of its own.
                    let path = if path.is_empty() && sort == Sort::Library { vec!["library"] } else { path };
                    if !guide.names(&path, field) {
                        missing.push(format!("{}.{field}", path.join(".")));
                    }
                }
            }
            missing.sort_unstable();
            missing.dedup();
            assert!(
                missing.is_empty(),
                "{}: read, and in no table of its guide as docs/add-a-game.md says: {missing:#?}",
                system.id
            );
        }
    }

    #[test]
    fn every_field_in_the_guide_is_read() {
        for (system, guide) in guides() {
            let read: Vec<_> = [Sort::Encounter, Sort::Library]
                .into_iter()
                .flat_map(|sort| fields(&system, sort).expect("sound content"))
                .collect();
            let mut unread = Vec::new();
            for section in guide.0.iter().filter(|section| section.heading != SETTINGS) {
                let is_of = |path: &[&'static str]| {
                    let table = path.last().copied().unwrap_or_default();
                    guide.sections(table).any(|listed| std::ptr::eq(listed, section))
                        || table.is_empty() && section.heading == "library"
                };
                let there: BTreeSet<&str> =
                    read.iter().filter(|(path, _)| is_of(path)).map(|(_, field)| *field).collect();
                let fields = section.rows.iter().flat_map(|row| &row.fields);
                // A portrait is read where there is one.
                let foreign = fields.filter(|field| !there.contains(field.as_str()) && *field != PORTRAIT);
                unread.extend(foreign.map(|field| format!("{}: {field}", section.heading)));
            }
            assert!(unread.is_empty(), "{}: in its guide, and not read: {unread:#?}", system.id);
            let options: Vec<&str> = (system.rulebook)().options().map(|(clause, _)| clause.id()).collect();
            let rows = guide.sections(SETTINGS).flat_map(|section| &section.rows);
            for option in rows.flat_map(|row| &row.fields) {
                assert!(options.contains(&option.as_str()), "{}: no option {option}", system.id);
            }
        }
    }
}
