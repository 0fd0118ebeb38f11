//! What is drawn on the spaces of a grid: walls between them, and the picture beneath.

use super::{Field, MAX_SIDE, Space, SpaceError};
use crate::Fields;
use crate::stage::Picture;

/// The most walls whose faults are told.
const TOLD: usize = 16;

/// The longest side and the farthest offset of a picture, in thousandths of a space.
const FARTHEST: i64 = 2 * 1000 * MAX_SIDE as i64;

/// The walls of a grid: each text names the two spaces beside a closed edge, as in `C4-D4`.
pub(super) fn read_walls(fields: &Fields<'_>, walls: &[&str], field: &mut Field) {
    let mut faults = 0;
    for wall in walls {
        match edge(wall, field) {
            Ok((a, b)) => field.wall(a, b),
            Err(what) if faults < TOLD => {
                fields.fault_in("walls", what);
                faults += 1;
            }
            Err(_) => {}
        }
    }
}

/// The two spaces beside a wall, or what is wrong with its text.
fn edge(wall: &str, field: &Field) -> Result<(Space, Space), String> {
    let form = || format!("expected two spaces that touch, such as \"C4-D4\", found {wall:?}");
    let (a, b) = wall.split_once('-').ok_or_else(form)?;
    let space = |text: &str| text.trim().parse().map_err(|_: SpaceError| form());
    let (a, b): (Space, Space) = (space(a)?, space(b)?);
    let last = field.last();
    for space in [a, b] {
        if !field.is_on(space) {
            return Err(format!("{wall}: {space} is not on the map, which ends at {last}"));
        }
    }
    if field.touch(a, b) { Ok((a, b)) } else { Err(format!("{wall}: {a} and {b} do not touch")) }
}

/// The picture beneath a grid, if a server keeps it. Where its offset or size is not said, it lies on
/// the whole map. A picture that is named as a file beside the text is not drawn: a server gives it an id.
pub(super) fn read_picture(fields: &Fields<'_>, field: &Field) -> Option<Picture> {
    let (id, file) = (fields.text("id"), fields.text("file"));
    if fields.has("id") == fields.has("file") {
        fields.fault("expected either the `id` that a server gave the picture, or a `file` beside this one");
    }
    if id.is_some_and(|id| !Picture::is_id(id)) {
        fields.fault_in("id", "expected the 64 digits and letters (a to f) that the server gave the picture");
    }
    if file.is_some_and(|file| !Picture::is_file(file)) {
        fields.fault_in("file", "expected the name of a picture in the same folder, such as \"mill.jpg\"");
    }
    let offset = ["left", "top"].map(|side| fields.int(side, -FARTHEST..=FARTHEST));
    let size = ["width", "height"].map(|side| fields.int(side, 1..=FARTHEST));
    let whole = [field.columns(), field.rows()].map(|spaces| 1000 * i32::from(spaces));
    let [left, top] = offset.map(|there| there.unwrap_or(0) as i32);
    let [width, height] = [0, 1].map(|at| size[at].map_or(whole[at], |there| there as i32));
    let id = id.filter(|id| Picture::is_id(id))?.to_owned();
    Some(Picture { id, left, top, width, height })
}
