//! JSON Schemas of a system's documents, for editors. They are collected from the fields
//! that the reader asks for, so they cannot allow a field that the reader refuses.

use crate::{Sort, check, guide::Guide};
use fracas_kernel::{Document, Faults, HISTORY, PORTRAIT, System, Want, toml};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How deep tables are nested at most.
const DEEP: usize = 6;

/// A table of a document.
#[derive(Clone, Debug, Default)]
struct Table {
    /// Its fields by name, each with what it takes.
    fields: BTreeMap<&'static str, Field>,
    /// The fields that were required wherever such a table was read.
    needs: Option<BTreeSet<&'static str>>,
}

/// A field: what its readers take, and the tables in it.
#[derive(Clone, Debug, Default)]
struct Field {
    wants: Vec<Want>,
    inside: Table,
}

/// The lists of entries that a document may have, such as `foe`.
///
/// # Errors
/// If a bundled file is not TOML.
pub fn lists(system: &System, sort: Sort) -> Result<Vec<&'static str>, Faults> {
    let top = read(system, sort)?;
    let is_list = |field: &Field| field.wants.contains(&Want::Tables);
    Ok(top.fields.into_iter().filter(|(_, field)| is_list(field)).map(|(name, _)| name).collect())
}

/// Every field of every table: the names of the tables from the top to it, and its own
/// name.
#[cfg(test)]
pub(crate) fn fields(system: &System, sort: Sort) -> Result<Vec<(Vec<&'static str>, &'static str)>, Faults> {
    let mut all = Vec::new();
    read(system, sort)?.list(&mut Vec::new(), &mut all);
    Ok(all)
}

/// The JSON Schema of a system's encounters, or of its libraries.
///
/// # Errors
/// If a bundled file is not TOML.
pub fn schema(system: &System, sort: Sort) -> Result<Value, Faults> {
    let top = read(system, sort)?;
    let rulebook = (system.rulebook)();
    let kind = match sort {
        Sort::Encounter => "an encounter",
        Sort::Library => "a library",
    };
    let guide = Guide::of(system);
    let mut schema = top.schema(false, &guide, &mut Vec::new());
    schema["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    schema["title"] = format!("{}: {kind}", rulebook.title).into();
    if let Some(options) = schema.pointer_mut("/properties/options") {
        let all = rulebook.options().map(|(clause, option)| {
            let values: Vec<&str> = option.values.to_vec();
            let mut field = json!({ "description": option.question, "default": option.default });
            match option.range {
                Some(_) => field["examples"] = json!(values),
                None => field["enum"] = json!(values),
            }
            (clause.id().to_owned(), field)
        });
        let all: Map<String, Value> = all.collect();
        *options = json!({ "type": "object", "properties": all, "additionalProperties": false });
    }
    Ok(schema)
}

/// Everything that is read of a system's documents: of all bundled ones, and of a document
/// with one of each table, built step by step.
fn read(system: &System, sort: Sort) -> Result<Table, Faults> {
    let mut top = Table::default();
    for text in bundled(system, sort) {
        top.watch(system, sort, &text)?;
    }
    for _ in 0..DEEP {
        let one_of_each = toml(&top.example(None));
        top.watch(system, sort, &one_of_each)?;
    }
    // The fields of a table may depend on a word: try each word once.
    for nth in 0..top.most_words() {
        let one_of_each = toml(&top.example(Some(nth)));
        top.watch(system, sort, &one_of_each)?;
    }
    Ok(top)
}

/// The texts of a sort that are bundled with a system, its templates included.
fn bundled(system: &System, sort: Sort) -> impl Iterator<Item = String> {
    let folder = match sort {
        Sort::Encounter => format!("{}/encounters/", system.id),
        Sort::Library => format!("{}/", system.id),
    };
    let is_encounter = sort == Sort::Encounter;
    let templates =
        (system.templates)().iter().filter(move |(kind, _)| (*kind == "encounter") == is_encounter);
    let files: Vec<String> = crate::files(&folder).filter_map(|path| crate::text(&path)).collect();
    templates.map(|(_, text)| (*text).to_owned()).chain(files)
}

impl Table {
    /// Adds the fields that are asked for as a document is read.
    fn watch(&mut self, system: &System, sort: Sort, text: &str) -> Result<(), Faults> {
        let document = Document::toml("example", text)?.watched();
        // Its faults do not matter here.
        drop(check(system, sort, document.clone(), crate::library(system)?));
        for (path, field, want) in document.wants() {
            let Some(table) = self.at(&path) else { continue };
            let wants = &mut table.fields.entry(field).or_default().wants;
            if !wants.contains(&want) {
                wants.push(want);
            }
        }
        let mut needs: BTreeMap<String, BTreeSet<&'static str>> =
            document.wants().into_iter().map(|(path, ..)| (path, BTreeSet::new())).collect();
        for (path, field) in document.needs() {
            needs.entry(path).or_default().insert(field);
        }
        for (path, now) in needs {
            let Some(table) = self.at(&path) else { continue };
            table.needs = Some(match table.needs.take() {
                Some(before) => before.intersection(&now).copied().collect(),
                None => now,
            });
        }
        Ok(())
    }

    #[cfg(test)]
    fn list(&self, path: &mut Vec<&'static str>, all: &mut Vec<(Vec<&'static str>, &'static str)>) {
        for (name, field) in &self.fields {
            all.push((path.clone(), name));
            path.push(name);
            field.inside.list(path, all);
            path.pop();
        }
    }

    /// The table at a path such as `character[2].stats`; the index does not count.
    fn at(&mut self, path: &str) -> Option<&mut Table> {
        path.split('.').filter(|part| !part.is_empty()).try_fold(self, |table, part| {
            let name = part.split('[').next().unwrap_or(part);
            table.fields.get_mut(name).map(|field| &mut field.inside)
        })
    }

    /// The length of the longest list of words that a field takes.
    fn most_words(&self) -> usize {
        let of_field = |field: &Field| {
            let words = field.wants.iter().map(|want| match want {
                Want::Word(words) => words.len(),
                _ => 0,
            });
            words.max().unwrap_or(0).max(field.inside.most_words())
        };
        self.fields.values().map(of_field).max().unwrap_or(0)
    }

    /// A table with one of each table in it. A field that takes one of several words gets
    /// word `nth`.
    fn example(&self, nth: Option<usize>) -> Value {
        let mut fields = Map::new();
        for (name, field) in &self.fields {
            let inside = || field.inside.example(nth);
            let word = nth.and_then(|nth| {
                field.wants.iter().find_map(|want| match want {
                    Want::Word(words) => words.get(nth % words.len().max(1)),
                    _ => None,
                })
            });
            if field.wants.contains(&Want::Tables) {
                fields.insert((*name).to_owned(), json!([inside()]));
            } else if field.wants.contains(&Want::Table) {
                fields.insert((*name).to_owned(), inside());
            } else if let Some(word) = word {
                fields.insert((*name).to_owned(), word.as_str().into());
            }
        }
        if self.fields.contains_key("name") {
            fields.insert("name".to_owned(), "Example".into());
        }
        Value::Object(fields)
    }

    /// The schema of this table; an entry of a list may have a history too. `path` is the
    /// names of the tables from the top to this one.
    fn schema(&self, entry: bool, guide: &Guide, path: &mut Vec<&'static str>) -> Value {
        let mut fields = Map::new();
        for (name, field) in &self.fields {
            let said = guide.of_field(path, name).map(str::to_owned);
            path.push(name);
            let mut schema = field.schema(guide, path);
            path.pop();
            if let Some(said) = said {
                schema["description"] = said.into();
            }
            fields.insert((*name).to_owned(), schema);
        }
        if entry {
            fields.entry(HISTORY).or_insert_with(|| taken(&Want::Texts));
        }
        if path.as_slice() == ["character"] {
            fields.entry(PORTRAIT.to_owned()).or_insert_with(|| taken(&Want::Text));
        }
        // A table of which no field is asked for by name may hold anything.
        let open = self.fields.is_empty();
        let mut schema = json!({ "type": "object", "properties": fields, "additionalProperties": open });
        let needs: Vec<&str> = self.needs.iter().flatten().copied().collect();
        // Required fields may come from the entry that this one uses.
        match (needs.is_empty(), self.fields.contains_key("use")) {
            (true, _) => {}
            (_, false) => schema["required"] = json!(needs),
            (_, true) => schema["anyOf"] = json!([{ "required": needs }, { "required": ["use"] }]),
        }
        schema
    }
}

impl Field {
    fn schema(&self, guide: &Guide, path: &mut Vec<&'static str>) -> Value {
        let mut all: Vec<Value> = Vec::new();
        for want in &self.wants {
            let kind = match want {
                Want::Table => self.inside.schema(false, guide, path),
                Want::Tables => {
                    json!({ "type": "array", "items": self.inside.schema(true, guide, path) })
                }
                want => taken(want),
            };
            if !all.contains(&kind) {
                all.push(kind);
            }
        }
        match all.len() {
            1 => all.swap_remove(0),
            _ => json!({ "anyOf": all }),
        }
    }
}

/// The schema of a value that is no table.
fn taken(want: &Want) -> Value {
    let list_of = |item: Value| json!({ "anyOf": [item, { "type": "array", "items": item }] });
    match want {
        Want::Text => json!({ "type": "string" }),
        Want::Int(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Want::Flag => json!({ "type": "boolean" }),
        Want::Word(words) => json!({ "enum": words }),
        Want::Words(words) => list_of(json!({ "enum": words })),
        Want::Texts => list_of(json!({ "type": "string" })),
        Want::Table | Want::Tables => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::has;

    /// The reasons why the schema refuses a document.
    fn refused(schema: &Value, document: &Value) -> Vec<String> {
        let validator = jsonschema::validator_for(schema).expect("a JSON Schema");
        let message = |error: jsonschema::ValidationError<'_>| format!("{}: {error}", error.instance_path());
        validator.iter_errors(document).map(message).collect()
    }

    #[test]
    fn schemas_allow_all_bundled_content_and_nothing_that_the_reader_refuses() {
        for system in crate::all() {
            for sort in [Sort::Encounter, Sort::Library] {
                if sort == Sort::Library && !has(system).library {
                    continue;
                }
                let schema = schema(system, sort).expect("sound content");
                let texts: Vec<String> = bundled(system, sort).collect();
                assert!(!texts.is_empty(), "{} {sort:?}: nothing is bundled", system.id);
                for text in texts {
                    let mut document = Document::toml("bundled", &text).expect("TOML").to_json();
                    let found = refused(&schema, &document);
                    assert!(found.is_empty(), "{} {sort:?}: {found:#?}\n{text}", system.id);
                    document["no-such-field"] = true.into();
                    assert!(!refused(&schema, &document).is_empty(), "{} {sort:?}", system.id);
                }
                let wrong = json!({ "character": [{ "name": "A", "no-such-field": 1 }] });
                assert!(!refused(&schema, &wrong).is_empty(), "{} {sort:?}", system.id);
                let nameless = json!({ "character": [{ "note": "nobody" }] });
                assert!(!refused(&schema, &nameless).is_empty(), "{} {sort:?}: who has no name", system.id);
                assert!(
                    schema.pointer("/properties/character/items/properties/name/description").is_some(),
                    "{}",
                    system.id
                );
            }
            let drawn_on = lists(system, Sort::Library).expect("sound");
            assert_eq!(drawn_on.contains(&"character"), has(system).library, "{}", system.id);
            assert!(lists(system, Sort::Encounter).expect("sound").contains(&"player"));
        }
    }

    #[test]
    fn required_fields_may_come_from_the_used_entry() {
        for system in crate::all() {
            let schema = schema(system, Sort::Encounter).expect("sound content");
            let others = system.others;
            let of = |entry: Value| json!({ "player": [{ "name": "Ana" }], others: [entry] });
            if has(system).library {
                assert_eq!(refused(&schema, &of(json!({ "use": "Somebody" }))), [""; 0], "{}", system.id);
            }
            assert!(!refused(&schema, &of(json!({ "note": "x" }))).is_empty(), "{}", system.id);
            assert!(!refused(&schema, &json!({ "player": [{}] })).is_empty(), "{}", system.id);
        }
    }
}
