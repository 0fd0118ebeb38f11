//! Universal VTT: the JSON that map makers export.
//!
//! Exporters differ, so numbers may be text, keys may be missing or `null`, and unknown ones do
//! not count. What contradicts itself is refused.

use crate::number::Number;
use crate::walls::{self, Segment};
use crate::{Laid, MAX_FILE, Map, MapError, Picture, is_picture, picture};
use data_encoding::BASE64_NOPAD;
use fracas_kernel::MAX_SIDE;
use serde::Deserialize;

/// The most points of all walls and doors.
const MAX_POINTS: usize = 100_000;

/// So little of a space counts as nothing: exporters round.
const TOLERANCE: f64 = 0.02;

/// By so much the shape of a picture may differ from that of its map.
const SHAPE: f64 = 0.03;

/// A file, as far as it is read.
#[derive(Deserialize)]
struct File {
    resolution: Option<Resolution>,
    line_of_sight: Option<Vec<Vec<Point>>>,
    objects_line_of_sight: Option<Vec<Vec<Point>>>,
    portals: Option<Vec<Portal>>,
    image: Option<String>,
}

#[derive(Deserialize, Default)]
struct Resolution {
    map_origin: Option<Point>,
    map_size: Option<Point>,
    pixels_per_grid: Option<Number>,
}

/// A place on the map, or a size, in spaces.
#[derive(Deserialize, Clone, Copy)]
struct Point {
    x: Number,
    y: Number,
}

/// A door: it opens, so nobody is stopped there.
#[derive(Deserialize)]
struct Portal {
    bounds: Option<Vec<Point>>,
}

/// Reads a Universal VTT map.
///
/// A step between two spaces is closed where the line from centre to centre meets a wall and no
/// door. Spaces that nobody can enter are not guessed.
///
/// # Errors
/// If it is none, is too large, or contradicts itself.
pub fn import(bytes: &[u8]) -> Result<Map, MapError> {
    let file = read(bytes)?;
    let resolution = file.resolution.as_ref().ok_or_else(|| {
        MapError::wrong("resolution", "there is none: expected the JSON of a Universal VTT map")
    })?;
    let lines =
        [&file.line_of_sight, &file.objects_line_of_sight].map(|lines| lines.as_deref().unwrap_or_default());
    let doors: Vec<&[Point]> =
        file.portals.iter().flatten().filter_map(|portal| portal.bounds.as_deref()).collect();
    let points = |lines: &[Vec<Point>]| lines.iter().map(Vec::len).sum::<usize>();
    let count = points(lines[0]) + points(lines[1]) + doors.iter().map(|door| door.len()).sum::<usize>();
    if count > MAX_POINTS {
        let what = format!("the walls and doors have {count} points, and {MAX_POINTS} are the most");
        return Err(MapError::wrong("line_of_sight", what));
    }
    // The size is checked before the picture is read: that takes the longest.
    let stated = resolution.map_size.map(sides);
    if let Some(size) = stated {
        Frame::of(resolution, size)?;
    }
    let picture = file.image.as_deref().map(decoded).transpose()?.flatten();
    let size = stated.or_else(|| measured(picture.as_ref()?, resolution.pixels_per_grid?));
    let size = size.ok_or_else(|| {
        MapError::wrong(
            "resolution.map_size",
            "there is none: expected how many spaces the map is wide (x) and high (y)",
        )
    })?;
    let frame = Frame::of(resolution, size)?;
    let walls = lines.into_iter().flatten().flat_map(|line| frame.segments(line)).collect::<Vec<_>>();
    let doors = doors.into_iter().flat_map(|door| frame.segments(door)).collect::<Vec<_>>();
    let walls = walls::closed((frame.columns, frame.rows), &walls, &doors);
    let laid = picture.map(|picture| frame.lay(picture)).transpose()?;
    Ok(Map { columns: frame.columns, rows: frame.rows, walls, laid })
}

fn read(bytes: &[u8]) -> Result<File, MapError> {
    if bytes.len() > MAX_FILE {
        return Err(MapError::TooLarge(bytes.len()));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = bytes.iter().find(|b| !b.is_ascii_whitespace());
    if first != Some(&b'{') {
        return Err(if is_picture(bytes) {
            MapError::wrong("the file", "it is a picture without a map: say how many columns and rows it has")
        } else {
            MapError::Unknown
        });
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let file = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let place = error.path().to_string();
        let is_known = !place.contains('?') && place != ".";
        MapError::wrong(if is_known { place } else { "the file".to_owned() }, error.inner().to_string())
    })?;
    json.end().map_err(|error| MapError::wrong("the file", error.to_string()))?;
    Ok(file)
}

fn sides(point: Point) -> [f64; 2] {
    [point.x.0, point.y.0]
}

/// The picture of a file; `None` where it is empty.
fn decoded(image: &str) -> Result<Option<Picture>, MapError> {
    // Some exporters write a whole address: `data:image/png;base64,`.
    let data = image.split_once("base64,").map_or(image, |(_, data)| data);
    let digits: Vec<u8> = data.bytes().filter(|b| !b.is_ascii_whitespace() && *b != b'=').collect();
    if digits.is_empty() {
        return Ok(None);
    }
    let bytes = BASE64_NOPAD.decode(&digits).map_err(|error| {
        MapError::wrong(
            "image",
            format!("expected base64, found something else at its byte {}", error.position),
        )
    })?;
    Ok(Some(picture::read(&bytes)?))
}

/// The size of a map by that of its picture.
fn measured(picture: &Picture, pixels_per_grid: Number) -> Option<[f64; 2]> {
    let pixels = pixels_per_grid.0;
    (pixels > 0.0).then(|| [picture.drawn.0, picture.drawn.1].map(|side| f64::from(side) / pixels))
}

/// Where a map lies among the lines of its grid.
struct Frame {
    /// The first column and row.
    first: [f64; 2],
    /// By how much the picture begins after them.
    begins: [f64; 2],
    size: [f64; 2],
    columns: u8,
    rows: u8,
}

impl Frame {
    fn of(resolution: &Resolution, size: [f64; 2]) -> Result<Frame, MapError> {
        if size.iter().any(|&side| side < TOLERANCE) {
            let what = format!("expected more than 0 spaces each way, found {} by {}", size[0], size[1]);
            return Err(MapError::wrong("resolution.map_size", what));
        }
        let origin = resolution.map_origin.map_or([0.0; 2], sides);
        let first = origin.map(|there| (there + TOLERANCE).floor());
        let counts = [0, 1].map(|at| ((origin[at] + size[at] - TOLERANCE).ceil() - first[at]).max(1.0));
        if counts.iter().any(|&count| count > f64::from(MAX_SIDE)) {
            let [columns, rows] = counts.map(|count| count.to_string());
            return Err(MapError::Size { columns, rows });
        }
        let begins = [0, 1].map(|at| origin[at] - first[at]);
        Ok(Frame { first, begins, size, columns: counts[0] as u8, rows: counts[1] as u8 })
    }

    /// The parts of a line, in spaces from the upper left corner of the map.
    fn segments<'p>(&'p self, line: &'p [Point]) -> impl Iterator<Item = Segment> + 'p {
        let place = |point: &Point| [point.x.0 - self.first[0], point.y.0 - self.first[1]];
        line.windows(2).map(move |ends| Segment { from: place(&ends[0]), to: place(&ends[1]) })
    }

    /// Lays a picture on the map.
    fn lay(&self, picture: Picture) -> Result<Laid, MapError> {
        let (width, height) = picture.drawn;
        let [wide, high] = self.size;
        let ratio = f64::from(width) * high / (f64::from(height) * wide);
        // A map of a few spaces is rounded more.
        let most = SHAPE + 0.5 / wide.min(high);
        if (ratio - 1.0).abs() > most {
            let map = (wide.to_string(), high.to_string());
            return Err(MapError::Shape { picture: (width, height), map });
        }
        let thousandths = |spaces: f64| (1000.0 * spaces).round() as i32;
        let [left, top] = self.begins.map(thousandths);
        let [width, height] = self.size.map(thousandths);
        Ok(Laid { picture, left, top, width, height })
    }
}
