use crate::common::{import, map, walls, with};
use fracas_kernel::{Document, Faulty, Field, Metric, Space};
use fracas_maps::{Map, Named};
use serde_json::{Value, json};

/// A polyline through these points.
fn line(points: &[(f64, f64)]) -> Value {
    points.iter().map(|(x, y)| json!({ "x": x, "y": y })).collect()
}

#[track_caller]
fn check(lines: &[&[(f64, f64)]], expected: &str) {
    let lines: Vec<Value> = lines.iter().map(|points| line(points)).collect();
    assert_eq!(walls(&import(&with("/line_of_sight", lines.clone().into()))), expected);
    assert_eq!(walls(&import(&with("/objects_line_of_sight", lines.into()))), expected);
}

#[test]
fn a_wall_between_spaces_closes_the_steps_across() {
    check(&[], "");
    // The steps across the corners beside it have a way round only at its ends.
    check(&[&[(2.0, 1.0), (2.0, 3.0)]], "B2-C2 B3-C3");
    check(&[&[(2.0, 1.0), (2.0, 2.0), (2.0, 3.0)]], "B2-C2 B3-C3");
    check(&[&[(1.0, 2.0), (3.0, 2.0)]], "B2-B3 C2-C3");
    // Drawn by hand.
    check(&[&[(2.03, 0.98), (1.97, 3.02)]], "B2-C2 B3-C3");
    // Aslant, through the centres of A1 and B2.
    check(&[&[(0.0, 0.0), (2.0, 2.0)]], "A1-B1 A1-A2 B1-B2 A2-B2 B2-C2 B2-B3");
}

#[test]
fn a_wall_through_a_corner_closes_the_step_across_it() {
    // Short, and away from all centres.
    check(&[&[(1.6, 2.2), (2.3, 1.7)]], "B2-C3 C2-B3");
    check(&[&[(1.8, 2.4), (2.2, 2.4)]], "");
    // A wall that ends at the corner does not.
    check(&[&[(2.0, 2.0), (2.3, 1.7)]], "");
}

#[test]
fn a_wall_through_a_centre_closes_the_space() {
    let map = import(&with("/line_of_sight", json!([line(&[(1.5, 0.0), (1.5, 4.0)])])));
    let field = map.field();
    assert_eq!(field.neighbours("B2".parse().expect("a space")).len(), 0);
    assert_eq!(field.neighbours("C2".parse().expect("a space")).len(), 5);
}

#[test]
fn doors_are_open() {
    let mut map = with("/line_of_sight", json!([line(&[(2.0, 0.0), (2.0, 4.0)])]));
    let door = line(&[(2.0, 1.0), (2.0, 2.0)]);
    map["portals"] = json!([
        { "position": { "x": 2, "y": 1.5 }, "bounds": door, "rotation": 0, "closed": true, "freestanding": false },
        { "position": { "x": 2, "y": 1.5 } }, { "bounds": null }, { "bounds": [] },
    ]);
    assert_eq!(walls(&import(&map)), "B1-C1 B3-C3 B4-C4");
}

#[test]
fn a_part_of_a_map_begins_at_its_origin() {
    let mut map = with("/line_of_sight", json!([line(&[(12.0, 21.0), (12.0, 22.0)])]));
    map["resolution"]["map_origin"] = json!({ "x": 10, "y": 20 });
    assert_eq!(walls(&import(&map)), "B2-C2");
    // Half a space is cut off at the left: the grid begins before the picture.
    map["resolution"]["map_origin"]["x"] = json!("10.5");
    let map = import(&map);
    assert_eq!((map.columns, map.rows, walls(&map)), (7, 4, "B2-C2".to_owned()));
    let laid = map.laid.expect("a picture");
    assert_eq!((laid.left, laid.top, laid.width, laid.height), (500, 0, 6_000, 4_000));
}

#[test]
fn exporters_differ() {
    let size = |map: &Map| (map.columns, map.rows);
    let odd = json!({
        "resolution": { "map_size": { "x": "6", "y": 4.001 }, "unknown": [{}] },
        "line_of_sight": null, "software": "x", "image": null,
    });
    let odd = import(&odd);
    assert_eq!((size(&odd), odd.laid), ((6, 4), None));
    // The size from the picture.
    let mut measured = map();
    measured["resolution"] = json!({ "pixels_per_grid": "20" });
    let measured = import(&measured);
    assert_eq!((size(&measured), measured.laid.expect("a picture").width), ((6, 4), 6_000));
    // A whole address, in lines and without its end.
    let mut address = map();
    let image = address["image"].as_str().expect("text").trim_end_matches('=').to_owned();
    let (begin, rest) = image.split_at(40);
    address["image"] = json!(format!("data:image/png;base64,{begin}\n {rest}"));
    assert_eq!(import(&address), import(&map()));
    // A byte order mark, and points as lists.
    let listed = with("/line_of_sight", json!([[[2, 1], [2, 3]], [], [[1, 1]]]));
    let marked = [b"\xef\xbb\xbf \n", listed.to_string().as_bytes()].concat();
    assert_eq!(walls(&fracas_maps::import(&marked).expect("read")), "B2-C2 B3-C3");
}

#[test]
fn the_block_is_what_was_read() {
    let mut map =
        with("/line_of_sight", json!([line(&[(2.0, 0.0), (2.0, 4.0)]), line(&[(1.7, 2.3), (2.3, 1.7)])]));
    map["resolution"]["map_origin"]["y"] = json!(0.25);
    let map = import(&map);
    let id = "ab".repeat(32);
    let text = map.block(Some(Named::Id(&id)));
    let document = Document::toml("map.toml", &text).unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    let faults = Faulty::new();
    let top = document.fields(&faults);
    let fields = top.table("map").expect("a map");
    let field = Field::read(&fields, Metric::Square, &mut |_| None, &[]);
    fields.done();
    top.done();
    faults.or(()).unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    assert_eq!(field.walls().collect::<Vec<_>>(), map.walls);
    assert_eq!((field.columns(), field.rows()), (6, 5));
    let picture = field.picture().expect("a picture");
    assert_eq!((picture.id.as_str(), picture.left, picture.top), (id.as_str(), 0, 250));
    assert_eq!((picture.width, picture.height), (6_000, 4_000));
    assert!(!map.block(None).contains("picture"));
    let odd = "The \"old\" mill \u{fc}\u{1f600}.jpg";
    let document = Document::toml("map.toml", &map.block(Some(Named::File(odd)))).expect("TOML");
    assert_eq!(document.to_json()["map"]["picture"]["file"], odd);
}

#[test]
fn people_stand_where_they_can_walk() {
    // A room of two by four, and the rest.
    let map = import(&with("/line_of_sight", json!([line(&[(2.0, 0.0), (2.0, 4.0)])])));
    let (near, far) = map.stands(2, 1);
    let spaces = |all: &[Space]| all.iter().map(Space::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!((spaces(&near), spaces(&far)), ("C3 C2".to_owned(), "F1".to_owned()));
    let (near, far) = map.stands(10, 20);
    assert_eq!((near.len(), far.len()), (10, 6));
}
