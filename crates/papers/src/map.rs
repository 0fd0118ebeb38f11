//! Maps from outside as encounters: a system's template, on another map.

use crate::kind;
use crate::sheet::{set_field, take_out};
use fracas_kernel::{Document, Faults, Faulty, Space, System};
use fracas_maps::{Map, Named};
use fracas_systems::Sort;
use toml_edit::{DocumentMut, InlineTable, Item, Value, value};

/// The table of a map in an encounter.
const MAP: &str = "map";

/// The picture in that table.
const PICTURE: &str = "picture";

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
/// this title.
pub fn mapped(system: &System, map: &Map, picture: Option<Named<'_>>, title: &str) -> Option<String> {
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

/// An encounter's text with the id under which a server keeps its picture, in place of a file's name.
///
/// # Errors
/// If the text cannot be read, or has no map.
pub fn pictured(text: &str, id: &str) -> Result<String, String> {
    let mut document = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
    let map = document.get_mut(MAP).and_then(Item::as_table_like_mut);
    let map = map.ok_or("the text has no [map] that the picture could lie beneath")?;
    if !map.contains_key(PICTURE) {
        set_field(map, PICTURE, Value::from(InlineTable::new()));
    }
    let picture = map.get_mut(PICTURE).and_then(Item::as_table_like_mut);
    let picture = picture.ok_or("`picture` of the map is no table")?;
    take_out(picture, "file");
    set_field(picture, "id", Value::from(id));
    Ok(document.to_string())
}

/// The picture that an encounter names as a file beside it, if it names one.
pub fn picture_file(encounter: &Document) -> Option<String> {
    encounter.to_json().pointer("/map/picture/file")?.as_str().map(str::to_owned)
}

/// A fault of that file.
pub fn picture_fault(encounter: &Document, what: &str) -> Faults {
    let faults = Faulty::new();
    let top = encounter.fields(&faults);
    if let Some(picture) = top.table(MAP).and_then(|map| map.table(PICTURE)) {
        picture.fault_in("file", what);
    }
    faults.or(()).err().unwrap_or_default()
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
    fn a_picture_that_is_kept_takes_the_place_of_a_file() {
        let id = "ab".repeat(32);
        let check = |from: &str, to: &str| {
            assert_eq!(pictured(&format!("[map]\n{from}\n"), &id).expect("kept"), format!("[map]\n{to}\n"));
        };
        check(
            "# It.\npicture = { file = \"mill.jpg\", left = 5 } # dim",
            &format!("# It.\npicture = {{ left = 5, id = \"{id}\" }} # dim"),
        );
        check("picture = { id = \"cd\" }", &format!("picture = {{ id = \"{id}\" }}"));
        check("columns = 3", &format!("columns = 3\npicture = {{ id = \"{id}\" }}"));
        check("[map.picture]\nfile = \"mill.jpg\"", &format!("[map.picture]\nid = \"{id}\""));
        for (text, why) in
            [("title = 3\n", "no [map]"), ("[map]\npicture = 3\n", "no table"), ("[map", "TOML")]
        {
            let refused = pictured(text, &id).expect_err(text);
            assert!(refused.contains(why), "{refused}");
        }
    }

    #[test]
    fn a_file_that_no_server_keeps_is_a_fault_of_its_line() {
        for system in with_maps() {
            let picture = fracas_maps::Picture {
                bytes: vec![1],
                kind: fracas_maps::picture::Kind::Png,
                size: (6, 4),
                drawn: (6, 4),
            };
            let laid = Some(fracas_maps::Laid { picture, left: 0, top: 0, width: 6000, height: 4000 });
            let map = Map { laid, ..map(6, 4, &[("A1", "B1")]) };
            let text = mapped(system, &map, Some(Named::File("mill.png")), "").expect("a map");
            let NewPaper { system: id, kind, name, text, changed } =
                draft(text, (system, Sort::Library, "nothing"), 0);
            let mut paper = Paper { id: 1, version: 1, system: id, kind, name, text, changed, thrown: None };
            let faults = read(&[], &paper, system).faults;
            let line = 1 + paper.text.lines().position(|line| line.contains("mill.png")).expect("a line");
            assert_eq!(
                faults.iter().map(|fault| (fault.line, fault.field.as_str())).collect::<Vec<_>>(),
                [(line, "map.picture.file")]
            );
            paper.text = pictured(&paper.text, &"ab".repeat(32)).expect("kept");
            assert_eq!(read(&[], &paper, system).faults, []);
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
