//! Maps and pictures from outside.

use crate::edits::edited;
use fracas_kernel::{Document, Faulty, Field, MAX_SIDE, Metric};
use fracas_maps::{Map, Named, from_picture, import, picture};
use fracas_suite::Bytes;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use std::{io::Cursor, sync::LazyLock};

/// A map with every field that is read.
const MAP: &str = r#"{"format": 0.3, "resolution": {"map_origin": {"x": 1, "y": "0.5"},
    "map_size": {"x": 6, "y": 4.0}, "pixels_per_grid": 2}, "line_of_sight": [[{"x": 2, "y": 0},
    {"x": 2.5, "y": 3}, {"x": 4, "y": 3}], []], "objects_line_of_sight": [[[3, 1], [3.5, 1.5]]],
    "portals": [{"bounds": [{"x": 2, "y": 1}, {"x": 2, "y": 2}], "closed": true}], "image": ""}"#;

/// Small pictures of each kind.
static PICTURES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let colour = |x, y| Rgb([20 * x as u8, 30 * y as u8, 90]);
    let image = DynamicImage::from(RgbImage::from_fn(12, 8, colour));
    let file = |format| {
        let mut file = Cursor::new(Vec::new());
        image.write_to(&mut file, format).expect("a picture");
        file.into_inner()
    };
    [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP].map(file).into()
});

/// Reads bytes as a map, or as a picture: nothing panics, refusals have words, and what is read is
/// as it should be.
///
/// The first two bytes are the size of a picture. If the third is 0, the rest is the file; otherwise
/// it picks a map or a picture, which the rest changes.
pub fn maps(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let (columns, rows) = (bytes.byte() % 70, bytes.byte() % 70);
    let pick = usize::from(bytes.byte());
    let file = match pick {
        0 => bytes.rest().to_vec(),
        pick if pick % 2 == 1 => edited(MAP, &mut bytes),
        pick => damaged(&PICTURES[pick / 2 % PICTURES.len()], &mut bytes),
    };
    for map in [import(&file), from_picture(&file, columns, rows)] {
        match map {
            Ok(map) => check(&map),
            Err(why) => assert!((1..1_000).contains(&why.to_string().len()), "{why}"),
        }
    }
}

/// A picture with some bytes changed, and perhaps cut off.
fn damaged(picture: &[u8], bytes: &mut Bytes<'_>) -> Vec<u8> {
    let mut picture = picture.to_vec();
    let length = picture.len();
    for _ in 0..bytes.byte() % 8 {
        let at = usize::from(bytes.byte()) << 8 | usize::from(bytes.byte());
        picture[at % length] = bytes.byte();
    }
    if bytes.byte() < 32 {
        picture.truncate(usize::from(bytes.byte()));
    }
    picture
}

/// Checks a map that was read, and its block.
fn check(map: &Map) {
    assert!([map.columns, map.rows].iter().all(|side| (1..=MAX_SIDE).contains(side)));
    let id = "0".repeat(64);
    let text = map.block(map.laid.is_some().then_some(Named::Id(&id)));
    let document = Document::toml("map", &text).unwrap_or_else(|faults| panic!("{faults} in\n{text}"));
    let faults = Faulty::new();
    let top = document.fields(&faults);
    let fields = top.table("map").expect("a map");
    let field = Field::read(&fields, Metric::Square, &mut |_| None, &[]);
    fields.done();
    top.done();
    faults.or(()).unwrap_or_else(|faults| panic!("{faults} in\n{text}"));
    assert!(field.walls().eq(map.walls.iter().copied()), "other walls in\n{text}");
    let (near, far) = map.stands(3, 3);
    assert!(near.iter().chain(&far).all(|space| field.is_there(*space)));
    if let Some(laid) = &map.laid {
        assert!(laid.picture.bytes.len() <= picture::MOST_KEPT);
        let again = picture::read(&laid.picture.bytes).expect("a picture");
        assert_eq!(again.size, laid.picture.size);
    }
}
