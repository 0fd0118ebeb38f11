//! What a system's documents may hold, as JSON Schema for editors: gathered from the very
//! reading of documents, so that nothing can be allowed there that is a fault here.

use crate::{Sort, check};
use fracas_kernel::{Document, Faults, HISTORY, System, Want, toml};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// How deep tables stand in tables.
const DEEP: usize = 6;

/// A table of a document: its fields in the order of their names, each with what it takes.
#[derive(Clone, Debug, Default)]
struct Table(BTreeMap<&'static str, Field>);

/// A field: what its readers take, and the table or tables in it.
#[derive(Clone, Debug, Default)]
struct Field {
    wants: Vec<Want>,
    inside: Table,
}

/// The lists of entries that a document may have, such as `foe`.
///
/// # Errors
/// Where a bundled file is not TOML.
pub fn lists(system: &System, sort: Sort) -> Result<Vec<&'static str>, Faults> {
    let top = read(system, sort)?;
    let is_list = |field: &Field| field.wants.contains(&Want::Tables);
    Ok(top.0.into_iter().filter(|(_, field)| is_list(field)).map(|(name, _)| name).collect())
}

/// The JSON Schema of a system's encounters, or of its libraries.
///
/// # Errors
/// Where a bundled file is not TOML.
pub fn schema(system: &System, sort: Sort) -> Result<Value, Faults> {
    let top = read(system, sort)?;
    let rulebook = (system.rulebook)();
    let kind = match sort {
        Sort::Encounter => "an encounter",
        Sort::Library => "a library",
    };
    let mut schema = top.schema(false);
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

/// Everything that is read of documents of a system: of all that is bundled, and of a
/// document that has one of each table, found step by step.
fn read(system: &System, sort: Sort) -> Result<Table, Faults> {
    let mut top = Table::default();
    for text in bundled(system, sort) {
        top.watch(system, sort, &text)?;
    }
    for _ in 0..DEEP {
        let one_of_each = toml(&top.example());
        top.watch(system, sort, &one_of_each)?;
    }
    Ok(top)
}

/// The texts of a sort that come with a system, its templates among them.
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
    /// Adds what is asked of a document's tables as it is read.
    fn watch(&mut self, system: &System, sort: Sort, text: &str) -> Result<(), Faults> {
        let document = Document::toml("example", text)?.watched();
        // Its faults are of no interest here.
        drop(check(system, sort, document.clone(), crate::library(system)?));
        for (path, field, want) in document.wants() {
            let Some(table) = self.at(&path) else { continue };
            let wants = &mut table.0.entry(field).or_default().wants;
            if !wants.contains(&want) {
                wants.push(want);
            }
        }
        Ok(())
    }

    /// The table at `character[2].stats`, whichever of several it is.
    fn at(&mut self, path: &str) -> Option<&mut Table> {
        path.split('.').filter(|part| !part.is_empty()).try_fold(self, |table, part| {
            let name = part.split('[').next().unwrap_or(part);
            table.0.get_mut(name).map(|field| &mut field.inside)
        })
    }

    /// A table with one of each table in it.
    fn example(&self) -> Value {
        let mut fields = Map::new();
        for (name, field) in &self.0 {
            let inside = || field.inside.example();
            if field.wants.contains(&Want::Tables) {
                fields.insert((*name).to_owned(), json!([inside()]));
            } else if field.wants.contains(&Want::Table) {
                fields.insert((*name).to_owned(), inside());
            }
        }
        if self.0.contains_key("name") {
            fields.insert("name".to_owned(), "Example".into());
        }
        Value::Object(fields)
    }

    /// Its schema; an entry of a list has a history too.
    fn schema(&self, entry: bool) -> Value {
        let mut fields: Map<String, Value> =
            self.0.iter().map(|(name, field)| ((*name).to_owned(), field.schema())).collect();
        if entry {
            fields.entry(HISTORY).or_insert_with(|| taken(&Want::Texts));
        }
        // A table of which no field is asked by name holds what it likes.
        let open = self.0.is_empty();
        json!({ "type": "object", "properties": fields, "additionalProperties": open })
    }
}

impl Field {
    fn schema(&self) -> Value {
        let mut all: Vec<Value> = Vec::new();
        for want in &self.wants {
            let one = match want {
                Want::Table => self.inside.schema(false),
                Want::Tables => json!({ "type": "array", "items": self.inside.schema(true) }),
                want => taken(want),
            };
            if !all.contains(&one) {
                all.push(one);
            }
        }
        match all.len() {
            1 => all.swap_remove(0),
            _ => json!({ "anyOf": all }),
        }
    }
}

/// What a field takes that is no table.
fn taken(want: &Want) -> Value {
    let list_of = |one: Value| json!({ "anyOf": [one, { "type": "array", "items": one }] });
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

    /// What of a document a schema does not allow: fields that it does not know.
    fn foreign(value: &Value, schema: &Value, path: &str, found: &mut Vec<String>) {
        let is_any = |one: &Value| one["type"] == value_type(value);
        let any = schema["anyOf"].as_array().and_then(|all| all.iter().find(|one| is_any(one)));
        let schema = any.unwrap_or(schema);
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let path = format!("{path}.{name}");
                    match schema["properties"].get(name) {
                        Some(inside) => foreign(value, inside, &path, found),
                        None if schema["additionalProperties"] == true => {}
                        None => found.push(path),
                    }
                }
            }
            Value::Array(list) => list.iter().for_each(|value| foreign(value, &schema["items"], path, found)),
            _ => {}
        }
    }

    fn value_type(value: &Value) -> &'static str {
        match value {
            Value::Object(_) => "object",
            Value::Array(_) => "array",
            _ => "string",
        }
    }

    #[test]
    fn schemas_allow_all_that_is_bundled_and_nothing_that_is_a_fault() {
        for system in crate::all() {
            for sort in [Sort::Encounter, Sort::Library] {
                let schema = schema(system, sort).expect("sound content");
                for text in bundled(system, sort) {
                    let document = Document::toml("bundled", &text).expect("TOML");
                    let mut found = Vec::new();
                    foreign(&document.to_json(), &schema, "", &mut found);
                    assert!(found.is_empty(), "{} {sort:?}: {found:?}", system.id);
                }
                assert_eq!(schema["additionalProperties"], false);
                let character = &schema["properties"]["character"]["items"];
                assert_eq!(character["additionalProperties"], false, "{}", system.id);
                assert!(character["properties"].get("no-such-field").is_none());
                assert!(
                    character["properties"].as_object().is_some_and(|all| all.len() > 10),
                    "{}",
                    system.id
                );
            }
            assert!(lists(system, Sort::Library).expect("sound").contains(&"character"));
            assert!(lists(system, Sort::Encounter).expect("sound").contains(&"player"));
        }
    }
}
