use data_encoding::BASE64;
use fracas_maps::Map;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use std::io::Cursor;

/// A picture that looks like noise, or is of a single colour.
pub(crate) fn picture(width: u32, height: u32, noisy: bool) -> DynamicImage {
    let mut state = 1_u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let colour = |_, _| if noisy { Rgb([noise(), noise(), noise()]) } else { Rgb([200, 180, 140]) };
    RgbImage::from_fn(width, height, colour).into()
}

pub(crate) fn file(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("written");
    bytes.into_inner()
}

/// A map of 6 by 4 spaces with a picture of 120 by 80 pixels.
pub(crate) fn map() -> Value {
    json!({
        "format": 0.3,
        "resolution": {
            "map_origin": { "x": 0, "y": 0 }, "map_size": { "x": 6, "y": 4 }, "pixels_per_grid": 20
        },
        "line_of_sight": [], "objects_line_of_sight": [], "portals": [], "lights": [],
        "environment": { "baked_lighting": true, "ambient_light": "ffffffff" },
        "image": BASE64.encode(&file(&picture(120, 80, false), ImageFormat::Png)),
    })
}

/// The map with this in place of a field.
pub(crate) fn with(field: &str, value: Value) -> Value {
    let mut map = map();
    *map.pointer_mut(field).expect("a field") = value;
    map
}

#[track_caller]
pub(crate) fn import(map: &Value) -> Map {
    fracas_maps::import(map.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// The walls of a map as text.
pub(crate) fn walls(map: &Map) -> String {
    let walls: Vec<String> = map.walls.iter().map(|(a, b)| format!("{a}-{b}")).collect();
    walls.join(" ")
}

/// Checks that a file is refused with these words.
#[track_caller]
pub(crate) fn refused(bytes: &[u8], expected: &str) {
    let why = fracas_maps::import(bytes).expect_err("refused").to_string();
    assert!(why.contains(expected), "{why}\nexpected: {expected}");
    assert!(why.len() < 400 && !why.contains('\n'), "{why}");
}
