use super::shown::AT;
use super::*;
use crate::{draft, has_map, kind, sheet};
use fracas_kernel::Field;
use fracas_store::NewPaper;
use fracas_systems::Sort;
use toml_edit::value;

const ROWS: &str = "# The yard.\n[map] # drawn\nrows = \"\"\"\n....\n.##.\n....\n\"\"\"\n# Called so.\nnames = { Well = \"D2\" } # deep\n\
    walls = [\n    \"A1-B1\", # a hedge\n    \"C3-D3\",\n]\n\n[map.legend]\n\"#\" = \"wall\" # of stone\n";

fn with_maps() -> impl Iterator<Item = &'static System> {
    fracas_systems::all().iter().filter(|system| has_map(system))
}

/// The encounter of a system's template on a map, with a character in A1 and somebody else in D3.
fn encounter(system: &System, map: &str) -> String {
    let template = (system.templates)().iter().find(|(there, _)| *there == kind(Sort::Encounter));
    let mut document: DocumentMut = template.expect("a template").1.parse().expect("TOML");
    let mut block: DocumentMut = map.parse().expect("TOML");
    let position = document[MAP].as_table().expect("a table").position();
    let mut item = block.remove(MAP).expect("a map");
    item.as_table_mut().expect("a table").set_position(position);
    document[MAP] = item;
    for (list, at) in [("character", "A1"), (system.others, "D3")] {
        for entry in sheet::entries(&mut document, list) {
            entry.insert(AT, value(at));
        }
    }
    document.to_string()
}

fn after(system: &System, text: &str, fields: &[(&str, &str)]) -> Result<Drawn, Vec<String>> {
    let get = |name: &str| fields.iter().find(|(there, _)| *there == name).map(|(_, value)| *value);
    let change = Change::read(get).map_err(|why| vec![why])?;
    let NewPaper { system: id, kind, name, text, changed } =
        draft(text.to_owned(), (system, Sort::Encounter, "nothing"), 0);
    let paper = Paper { id: 1, version: 1, system: id, kind, name, text, changed, thrown: None };
    draw(&[], &paper, system, change.as_ref())
}

/// A change does just this to a text: each first part becomes the second.
#[track_caller]
fn changes(map: &str, fields: &[(&str, &str)], parts: &[(&str, &str)]) {
    assert!(with_maps().count() > 0);
    for system in with_maps() {
        let text = encounter(system, map);
        let mut wanted = text.clone();
        for (from, to) in parts {
            assert!(wanted.contains(from), "{from} is not in:\n{wanted}");
            wanted = wanted.replacen(from, to, 1);
        }
        let drawn = after(system, &text, fields).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!(drawn.text, wanted);
        assert_eq!(drawn.plan.faults, [""; 0]);
    }
}

#[track_caller]
fn refuses(map: &str, fields: &[(&str, &str)], why: &str) {
    for system in with_maps() {
        let refused = after(system, &encounter(system, map), fields).expect_err("refused");
        assert!(refused.join("\n").contains(why), "{refused:?}");
    }
}

fn paint<'a>(spaces: &'a str, ground: &'a str) -> [(&'a str, &'a str); 3] {
    [("change", "paint"), ("spaces", spaces), ("ground", ground)]
}

#[test]
fn paint_changes_the_rows_alone() {
    changes(ROWS, &paint("B1 D1 A3", "wall"), &[("\n....\n.##.\n....\n", "\n.#.#\n.##.\n#...\n")]);
    changes(ROWS, &paint("A1", ""), &[]);
    // What no row has any more goes out of the legend.
    changes(ROWS, &paint("B2 C2", ""), &[(".##.", "...."), ("\"#\" = \"wall\" # of stone\n", "")]);
}

#[test]
fn a_new_kind_of_ground_comes_into_the_legend() {
    for system in with_maps() {
        let text = encounter(system, ROWS);
        let plan = after(system, &text, &[]).expect("a map").plan;
        let word = plan.words.iter().find(|word| *word != Field::WALL_WORD).expect("a word").clone();
        let letter = word.chars().next().expect("a letter");
        let drawn = after(system, &text, &paint("C1", &word)).expect("painted");
        assert!(drawn.text.contains(&format!("\n..{letter}.\n.##.\n")), "{}", drawn.text);
        let legend = format!("\"#\" = \"wall\" # of stone\n{letter} = \"{word}\"\n");
        assert!(drawn.text.contains(&legend), "{}", drawn.text);
        assert_eq!(drawn.plan.nth_terrain(&word), Some(0));
        let back = after(system, &drawn.text, &paint("C1", "")).expect("painted");
        assert_eq!(back.text, text);
    }
}

#[test]
fn rows_that_are_a_list_keep_their_comments() {
    let list = "[map]\nrows = [\n    \"....\", # the first\n    \"....\",\n    \"....\", # the last\n]\n";
    let legend = "\n[map.legend]\n\"#\" = \"wall\"\n";
    changes(
        list,
        &paint("B3", "wall"),
        &[("\"....\", # the last\n]\n", &format!("\".#..\", # the last\n]\n{legend}"))],
    );
    let grow = |end| [("change", "grow"), ("end", end)];
    changes(list, &grow("bottom"), &[("\"....\", # the last\n", "\"....\", # the last\n    \"....\",\n")]);
}

#[test]
fn an_empty_map_becomes_rows_when_it_is_painted() {
    let empty =
        "[map]\n# How wide.\ncolumns = 4 # so wide\n# How high.\nheight = 3\nnames = { Well = \"D2\" }\n";
    changes(
        empty,
        &paint("A2", "wall"),
        &[(
            "# How wide.\ncolumns = 4 # so wide\n# How high.\nheight = 3\nnames = { Well = \"D2\" }\n",
            "# How wide.\n# so wide\n# How high.\nrows = \"\"\"\n....\n#...\n....\n\"\"\"\nnames = { Well = \"D2\" }\n\n\
             [map.legend]\n\"#\" = \"wall\"\n",
        )],
    );
    changes(empty, &[("change", "grow"), ("end", "bottom")], &[("height = 3", "height = 4")]);
}

#[test]
fn walls_are_drawn_and_taken_away() {
    let close = |edges| [("change", "close"), ("edges", edges)];
    let open = |edges| [("change", "open"), ("edges", edges)];
    // One that is there already, the other way round, is not drawn twice.
    changes(
        ROWS,
        &close("D1-D2 A3-B3 B1-A1"),
        &[("    \"C3-D3\",\n]", "    \"C3-D3\",\n    \"D1-D2\",\n    \"A3-B3\",\n]")],
    );
    changes(ROWS, &open("D3-C3"), &[("\n    \"C3-D3\",", "")]);
    changes(ROWS, &open("A1-B1"), &[("\n    \"A1-B1\", # a hedge", "")]);
    let walls = "walls = [\n    \"A1-B1\", # a hedge\n    \"C3-D3\",\n]\n";
    changes(ROWS, &open("A1-B1 C3-D3 A3-B3"), &[(walls, "")]);
    let empty = "[map]\ncolumns = 4\nheight = 3\n";
    changes(empty, &close("A1-B1"), &[("height = 3\n", "height = 3\nwalls = [\"A1-B1\"]\n")]);
    changes(empty, &open("A1-B1"), &[]);
    let single = "[map]\ncolumns = 4\nheight = 3\nwalls = \"A1-B1\" # a gate\n";
    changes(single, &close("A2-B2"), &[("\"A1-B1\" #", "[\"A1-B1\", \"A2-B2\"] #")]);
    changes(single, &open("A1-B1"), &[("walls = \"A1-B1\" # a gate\n", "")]);
    refuses(ROWS, &close("A1-C1"), "A1 and C1 do not touch");
    refuses(ROWS, &close("D1-E1"), "E1 is not on the map");
    refuses(ROWS, &close("A1"), "expected two spaces such as \"C4-D4\", found \"A1\"");
}

#[test]
fn a_map_is_begun_where_there_is_none() {
    for system in with_maps() {
        let text = encounter(system, ROWS);
        let mut document: DocumentMut = text.parse().expect("TOML");
        document.remove(MAP);
        for list in ["character", system.others] {
            sheet::entries(&mut document, list).into_iter().for_each(|entry| drop(entry.remove(AT)));
        }
        let bare = document.to_string();
        assert!(is_without(&bare) && !is_without(&text) && !is_without("title = "));
        let begun = begun(&bare, "24", " 64 ").expect("begun");
        assert_eq!(begun, format!("{bare}\n[map]\ncolumns = 24\nheight = 64\n"));
        assert_eq!(after(system, &begun, &[]).expect("a map").plan.faults, [""; 0]);
        for (columns, rows, why) in [
            ("0", "16", "columns: expected a whole number from 1 to 64, found \"0\""),
            ("24", "65", "rows: expected a whole number from 1 to 64, found \"65\""),
            ("", "16", "columns: "),
        ] {
            assert!(super::begun(&bare, columns, rows).expect_err("refused").starts_with(why), "{columns}");
        }
        assert_eq!(super::begun(&text, "24", "16").expect_err("refused"), "the text has a map already");
    }
}

#[test]
fn people_are_placed() {
    let place = |at| [("change", "place"), ("who", "character[1]"), ("at", at)];
    changes(ROWS, &place("C1"), &[("at = \"A1\"", "at = \"C1\"")]);
    changes(ROWS, &[("change", "place"), ("who", "character[1]")], &[("at = \"A1\"\n", "")]);
    refuses(ROWS, &place("B2"), "B2 is a wall");
    refuses(ROWS, &place("E1"), "E1 is not on the map, which has 4 columns and 3 rows");
    refuses(
        ROWS,
        &[("change", "place"), ("who", "character[9]"), ("at", "A1")],
        "nobody in the text is character[9]",
    );
}

#[test]
fn all_that_stands_on_the_map_moves_with_its_first_column_and_row() {
    let moved =
        [("at = \"A1\"", "at = \"B1\""), ("at = \"D3\"", "at = \"E3\""), ("Well = \"D2\"", "Well = \"E2\"")];
    let walls = [("\"A1-B1\", # a hedge", "\"B1-C1\", # a hedge"), ("\"C3-D3\"", "\"D3-E3\"")];
    let rows = ("\n....\n.##.\n....\n", "\n.....\n..##.\n.....\n");
    let all: Vec<_> = [rows].into_iter().chain(moved).chain(walls).collect();
    changes(ROWS, &[("change", "grow"), ("end", "left")], &all);
    changes(
        ROWS,
        &[("change", "grow"), ("end", "right")],
        &[("\n....\n.##.\n....\n", "\n.....\n.##..\n.....\n")],
    );
    let shrink = |end| [("change", "shrink"), ("end", end)];
    refuses(ROWS, &shrink("top"), "stands in A1, which would be outside the map: place them elsewhere first");
    refuses(ROWS, &shrink("right"), "stands in D3; D2 is called Well, which would be outside");
    refuses("[map]\ncolumns = 4\nheight = 64\n", &[("change", "grow"), ("end", "top")], "from 1 to 64 rows");
}

#[test]
fn spaces_get_and_lose_names() {
    let name = |at, name| [("change", "name"), ("at", at), ("name", name)];
    changes(ROWS, &name("D2", "Old Well"), &[("{ Well = \"D2\" }", "{ \"Old Well\" = \"D2\" }")]);
    changes(ROWS, &name("A3", "Gate"), &[("{ Well = \"D2\" }", "{ Well = \"D2\", Gate = \"A3\" }")]);
    refuses(ROWS, &name("A3", "Well"), "another space is called \"Well\"");
    refuses(ROWS, &name("A3", "well"), "another space has this name");
    refuses(ROWS, &name("A3", ""), "A3 has no name");
    refuses(ROWS, &name("B2", "Gate"), "B2 is a wall");
}

#[test]
fn a_picture_lies_as_two_of_its_corners_say() {
    let id = "0123456789abcdef".repeat(4);
    let map = format!("[map]\ncolumns = 4\nheight = 3\npicture = {{ id = \"{id}\" }} # the yard\n");
    let laid = |place: &str| format!("id = \"{id}\", {place} }} # the yard");
    let from = format!("id = \"{id}\" }} # the yard");
    // Two corners a space and a half apart, which are to be three.
    let fit = [("change", "fit"), ("from", "600 500"), ("to", "2100 2000"), ("across", "3"), ("down", "3")];
    let there = laid("left = -200, top = 0, width = 8000, height = 6000");
    changes(&map, &fit, &[(&from, &there)]);
    let lay = [("change", "lay"), ("left", "-5"), ("top", "7"), ("width", "900"), ("height", "800")];
    changes(&map, &lay, &[(&from, &laid("left = -5, top = 7, width = 900, height = 800"))]);
    // A larger map does not stretch it.
    let grown = laid("left = 0, top = 0, width = 4000, height = 3000");
    changes(
        &map,
        &[("change", "grow"), ("end", "right")],
        &[("columns = 4", "columns = 5"), (&from, &grown)],
    );
    let flat = [("change", "fit"), ("from", "600 500"), ("to", "600 2000"), ("across", "3"), ("down", "3")];
    refuses(&map, &flat, "not apart across");
    refuses(ROWS, &lay, "the map has no picture");
}

#[test]
fn what_cannot_be_drawn_on_says_why() {
    refuses(
        "[map]\nrows = [\"....\", \"..\", \"....\"]\n",
        &[],
        "row 2 has 2 spaces, and row 1 has 4 spaces",
    );
    refuses(
        "[map]\nrows = [\"..x.\", \"....\", \"....\"]\n",
        &[],
        "row 1, column 3: 'x' is not in the legend",
    );
    refuses(ROWS, &paint("A9", "wall"), "A9 is not on the map");
    refuses(ROWS, &paint("A1 4", "wall"), "found \"4\"");
    refuses(ROWS, &paint("A1", "lava-of-nowhere"), "no ground is called \"lava-of-nowhere\"; there are ");
    refuses(ROWS, &[("change", "sink")], "there is no change called \"sink\"");
    refuses(ROWS, &[("change", "grow"), ("end", "up")], "expected left, right, top or bottom, found \"up\"");
    // Ground that no space has yet is no obstacle.
    for system in with_maps() {
        let text = encounter(system, ROWS);
        let idle = text.replace("\"#\" = \"wall\" # of stone\n", "\"#\" = \"wall\"\nw = \"wall\"\n");
        let plan = after(system, &idle, &[]).expect("a map").plan;
        assert!(plan.faults[0].contains("no row has this character"), "{:?}", plan.faults);
    }
}
