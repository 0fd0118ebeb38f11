//! The walls of a map in its text: edges between two spaces, such as `C4-D4`.

use super::lists;
use crate::sheet::{set_field, take_out};
use fracas_kernel::Space;
use std::collections::BTreeSet;
use toml_edit::{Array, Item, TableLike, Value};

const WALLS: &str = "walls";

/// The two spaces beside an edge.
pub(super) type Edge = (Space, Space);

/// The edge that a text means.
pub(super) fn edge(text: &str) -> Option<Edge> {
    let (a, b) = text.split_once('-')?;
    Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
}

/// The same for an edge from either side.
fn sides((a, b): Edge) -> Edge {
    (a.min(b), a.max(b))
}

/// Draws walls where none are yet.
pub(super) fn close(map: &mut dyn TableLike, edges: &[Edge]) {
    let single: Array = map.get(WALLS).and_then(Item::as_str).into_iter().collect();
    if !map.get(WALLS).is_some_and(Item::is_array) {
        set_field(map, WALLS, Value::from(single));
    }
    let Some(list) = map.get_mut(WALLS).and_then(Item::as_array_mut) else { return };
    let mut there: BTreeSet<Edge> = list.iter().filter_map(|wall| edge(wall.as_str()?)).map(sides).collect();
    for &new in edges.iter().filter(|&&new| there.insert(sides(new))) {
        lists::push_back(list, &written(new));
    }
}

/// Takes walls away.
pub(super) fn open(map: &mut dyn TableLike, edges: &[Edge]) {
    let gone: BTreeSet<Edge> = edges.iter().copied().map(sides).collect();
    change(map, &|wall| (!gone.contains(&sides(wall))).then_some(wall));
}

/// Moves walls with the spaces beside them; those that are outside the map then are gone.
pub(super) fn shift(map: &mut dyn TableLike, moved: &dyn Fn(Space) -> Option<Space>) {
    change(map, &|(a, b)| Some((moved(a)?, moved(b)?)));
}

/// Puts another wall, or none, in the place of each.
fn change(map: &mut dyn TableLike, after: &dyn Fn(Edge) -> Option<Edge>) {
    let is_empty = match map.get_mut(WALLS).and_then(Item::as_value_mut) {
        Some(Value::Array(list)) => {
            for at in (0..list.len()).rev() {
                let Some(value) = list.get_mut(at) else { continue };
                if !put(value, after) {
                    lists::remove(list, at);
                }
            }
            list.is_empty() && !list.trailing().as_str().is_some_and(|text| text.contains('#'))
        }
        Some(single) => !put(single, after),
        None => false,
    };
    if is_empty {
        take_out(map, WALLS);
    }
}

/// Puts another wall into a text; whether there still is one.
fn put(value: &mut Value, after: &dyn Fn(Edge) -> Option<Edge>) -> bool {
    let Some(before) = value.as_str().and_then(edge) else { return true };
    let Some(wall) = after(before) else { return false };
    if wall != before {
        lists::rewrite(value, &written(wall));
    }
    true
}

fn written((a, b): Edge) -> String {
    format!("{a}-{b}")
}
