//! Maps from outside as encounters: a system's template, on another map.

use crate::kind;
use fracas_kernel::{Space, System};
use fracas_maps::Map;
use fracas_systems::Sort;
use toml_edit::{DocumentMut, Item, value};

/// The table of a map in an encounter.
const MAP: &str = "map";

/// What the template says of its own map is about that one.
const ABOUT: &str = "\n# Where it happens: a map from a file.\n";

/// The template of a system's encounter, if it has a map.
fn template(system: &System) -> Option<DocumentMut> {
    let (_, text) = (system.templates)().iter().find(|(there, _)| *there == kind(Sort::Encounter))?;
    let document = text.parse::<DocumentMut>().ok()?;
    document.get(MAP)?.is_table().then_some(document)
}

/// Whether encounters of a system have maps.
pub fn has_map(system: &System) -> bool {
    template(system).is_some()
}

/// An encounter on a map: the template of the system with its people in spaces of the map, under
/// this title. The picture is named by its id.
pub fn mapped(system: &System, map: &Map, picture: Option<&str>, title: &str) -> Option<String> {
    let mut document = template(system)?;
    let mut block = map.block(picture).parse::<DocumentMut>().ok()?.remove(MAP)?;
    let (new, old) = (block.as_table_mut()?, document.get(MAP)?.as_table()?);
    new.set_position(old.position());
    new.decor_mut().set_prefix(ABOUT);
    document[MAP] = block;
    if !title.is_empty() {
        document["title"] = value(title);
    }
    let counts = ["character", system.others].map(|list| placed(&document, list));
    let (near, far) = map.stands(counts[0], counts[1]);
    place(&mut document, "character", near);
    place(&mut document, system.others, far);
    Some(document.to_string())
}

/// How many of a list say where they are.
fn placed(document: &DocumentMut, list: &str) -> usize {
    let tables = document.get(list).and_then(Item::as_array_of_tables);
    tables.into_iter().flatten().filter(|table| table.contains_key("at")).count()
}

/// Puts those who say where they are into these spaces; without one the system places them.
fn place(document: &mut DocumentMut, list: &str, spaces: Vec<Space>) {
    let mut spaces = spaces.into_iter();
    let tables = document.get_mut(list).and_then(Item::as_array_of_tables_mut);
    for table in tables.into_iter().flat_map(|tables| tables.iter_mut()) {
        match table.contains_key("at").then(|| spaces.next()) {
            Some(Some(space)) => table["at"] = value(space.to_string()),
            Some(None) => drop(table.remove("at")),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{draft, read};
    use fracas_store::{NewPaper, Paper};

    fn with_maps() -> impl Iterator<Item = &'static System> {
        fracas_systems::all().iter().filter(|system| has_map(system))
    }

    fn map(columns: u8, rows: u8, walls: &[(&str, &str)]) -> Map {
        let space = |text: &str| text.parse().expect("a space");
        let walls = walls.iter().map(|(a, b)| (space(a), space(b))).collect();
        Map { columns, rows, walls, laid: None }
    }

    #[test]
    fn a_template_opens_on_any_map_with_room_for_its_people() {
        assert!(with_maps().count() > 0);
        for system in with_maps() {
            for map in [
                map(64, 64, &[]),
                map(2, 2, &[]),
                map(1, 9, &[("A4", "A5")]),
                map(5, 1, &[("B1", "C1"), ("C1", "D1")]),
            ] {
                let text = mapped(system, &map, None, "The <b>\"Mill\"</b>").expect("a map");
                let NewPaper { system: id, kind, name, text, changed } =
                    draft(text, (system, Sort::Library, "nothing"), 0);
                assert_eq!((kind.as_str(), name.as_str()), ("encounter", "The <b>\"Mill\"</b>"));
                let paper = Paper { id: 1, version: 1, system: id, kind, name, text, changed, thrown: None };
                let reading = read(&[], &paper, system);
                assert_eq!(reading.faults, [], "{}: {}", system.id, paper.text);
                assert!(!reading.players.is_empty());
            }
        }
    }

    #[test]
    fn a_map_stands_where_the_old_one_stood() {
        for system in with_maps() {
            let text = mapped(system, &map(6, 4, &[("A1", "B1")]), None, "").expect("a map");
            assert!(text.contains("\n# Where it happens: a map from a file.\n[map]\nrows = "), "{text}");
            assert!(text.contains("    \"A1-B1\",\n]\n") && !text.contains("[map.legend]"), "{text}");
            let [map, options] = ["\n[map]", "\n[options]"].map(|head| text.find(head).expect("there"));
            assert!(map < options, "{text}");
        }
    }
}
