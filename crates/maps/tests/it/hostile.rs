use crate::common::{import, map, refused, with};
use data_encoding::BASE64;
use fracas_maps::{MAX_FILE, MapError, from_picture, import as read};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[track_caller]
fn check(field: &str, value: Value, expected: &str) {
    refused(with(field, value).to_string().as_bytes(), expected);
}

#[test]
fn what_is_no_map_is_refused() {
    let neither = "neither a Universal VTT map (.dd2vtt, .uvtt, .df2vtt) nor a PNG, JPEG or WebP picture";
    for bytes in [
        &b""[..],
        b"  \n",
        b"[]",
        b"null",
        b"\xff\xfe{\0}\0",
        b"[map]\nrows = '..'",
        b"PK\x03\x04",
        b"<svg/>",
    ] {
        refused(bytes, neither);
    }
    refused(b"\x89PNG\r\n\x1a\n", "a picture without a map");
    refused(b"{}", "resolution: there is none");
    refused(b"{\"resolution\": {}}", "resolution.map_size: there is none");
    refused(b"{\"resolution\": {}", "the file: EOF while parsing");
    refused(b"{\"resolution\": {}} {}", "the file: trailing characters");
    refused(b"{\"image\": \"\\ud800\"}", "image: ");
    refused(b"{\"image\": \"\", \"image\": \"\"}", "duplicate field");
    refused(&vec![b' '; MAX_FILE + 1], "16777217 bytes, and 16777216 are the most");
}

#[test]
fn a_size_that_cannot_be_played_is_refused() {
    let size = |x: Value, y: Value, expected: &str| {
        check("/resolution/map_size", json!({ "x": x, "y": y }), expected)
    };
    size(json!(1000), json!(1000), "1000 columns and 1000 rows, and 64 each are the most");
    size(json!(65), json!(4), "65 columns and 4 rows");
    size(json!(64.5), json!(4), "65 columns and 4 rows");
    size(json!(0), json!(4), "more than 0 spaces each way, found 0 by 4");
    size(json!(-6), json!(4), "more than 0 spaces each way, found -6 by 4");
    for number in [
        json!("NaN"),
        json!("inf"),
        json!(1e308),
        json!("1e400"),
        json!("-Infinity"),
        json!(i64::MIN),
        json!(u64::MAX),
    ] {
        size(number, json!(4), "resolution.map_size.x: expected a number from -10000 to 10000, found");
    }
    size(json!("six"), json!(4), "resolution.map_size.x: expected a number, found other text");
    size(json!(null), json!(4), "resolution.map_size.x: ");
    size(json!([]), json!(4), "resolution.map_size.x: ");
    let huge = map().to_string().replace("\"x\":6", "\"x\":1e999");
    refused(huge.as_bytes(), "resolution.map_size.x: number out of range");
    check("/resolution/map_size", json!({ "y": 4 }), "resolution.map_size: missing field `x`");
    check(
        "/resolution/map_origin",
        json!({ "x": 1e5, "y": 0 }),
        "resolution.map_origin.x: expected a number from",
    );
    assert!(matches!(from_picture(b"", 0, 1), Err(MapError::Size { .. })));
    assert!(matches!(from_picture(b"", 65, 1), Err(MapError::Size { .. })));
}

#[test]
fn walls_with_odd_numbers_are_refused_or_do_nothing() {
    let line = |points: Value| json!([points]);
    for x in [json!("NaN"), json!(1e308), json!(-1e308), json!("1e309"), json!(true), json!({}), json!(null)]
    {
        check(
            "/line_of_sight",
            line(json!([{ "x": 0, "y": 0 }, { "x": x, "y": 0 }])),
            "line_of_sight[0][1].x: ",
        );
    }
    check("/portals", json!([{ "bounds": [{ "x": 1 }] }]), "portals[0].bounds[0]: missing field `y`");
    for nothing in [
        json!([]),
        json!([[]]),
        json!([[{ "x": 1, "y": 1 }]]),
        json!([[{ "x": 1, "y": 1 }, { "x": 1, "y": 1 }]]),
        json!([[{ "x": -9999, "y": -9999 }, { "x": -9999, "y": 9999 }]]),
        json!([[{ "x": 5e-324, "y": 1e-300 }, { "x": -5e-324, "y": 0 }]]),
    ] {
        assert_eq!(import(&with("/line_of_sight", nothing)).walls, []);
    }
}

#[test]
fn a_file_is_read_in_bounded_time() {
    let begun = Instant::now();
    let million =
        format!("{{\"resolution\": {{}}, \"line_of_sight\": [[{}[1,1]]]}}", "[0,0],".repeat(1_000_000));
    refused(million.as_bytes(), "the walls and doors have 1000001 points, and 100000 are the most");
    // As many as there may be, each across the whole map.
    let points: Vec<Value> =
        (0..100_000).map(|n| if n % 2 == 0 { json!([-9999, -9999]) } else { json!([9999, 9998]) }).collect();
    let mut large = with("/line_of_sight", json!([points]));
    large["resolution"]["map_size"] = json!({ "x": 64, "y": 64 });
    large["image"] = Value::Null;
    assert!(import(&large).walls.len() > 64);
    // What is not read may be as deep as it likes.
    let deep = format!("{{\"a\": {}{}, \"resolution\": {{}}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    refused(deep.as_bytes(), "resolution.map_size: there is none");
    refused(format!("{{\"a\": {}", "{\"a\":".repeat(1_000_000)).as_bytes(), "a: EOF while parsing");
    let deep = format!("{{\"line_of_sight\": {}", "[".repeat(1_000_000));
    refused(deep.as_bytes(), "line_of_sight[0][0][0]: invalid type: sequence");
    let lines = format!("{{\"resolution\": {{}}, \"line_of_sight\": [{}[]]}}", "[],".repeat(4_000_000));
    refused(lines.as_bytes(), "resolution.map_size: there is none");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn a_picture_of_another_map_is_refused() {
    check("/resolution/map_size", json!({ "x": 6, "y": 6 }), "120 by 80 pixels, and the map 6 by 6 spaces");
    check("/image", json!("@@@@"), "image: expected base64, found something else at its byte 0");
    check("/image", json!("A"), "image: expected base64");
    check("/image", json!(7), "image: invalid type");
    check("/image", json!(BASE64.encode(b"<svg/>")), "the picture: expected a PNG, JPEG or WebP");
    check("/image", json!(BASE64.encode(b"\x89PNG\r\n\x1a\n")), "the picture: it cannot be read");
    check("/image", json!("A".repeat(8 << 20)), "the picture: expected a PNG, JPEG or WebP");
    assert_eq!(import(&with("/image", json!(" =\n"))).laid, None);
}

#[test]
fn what_a_refusal_quotes_is_short() {
    let long = "<svg onload=alert(1)>".repeat(50_000);
    let error =
        read(with("/resolution/map_size/x", json!(long)).to_string().as_bytes()).expect_err("refused");
    assert!(error.to_string().len() < 200 && !error.to_string().contains("svg"), "{error}");
    let error =
        read(json!({ "resolution": { "map_size": long } }).to_string().as_bytes()).expect_err("refused");
    assert!(error.to_string().len() < 400, "{}", error.to_string().len());
}
