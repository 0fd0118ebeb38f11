//! The rows of a map in its text, and the characters of their legend.

use super::lists;
use crate::sheet::{set_field, take_out, written};
use fracas_kernel::{Field, Names};
use toml_edit::{Array, InlineTable, Item, RawString, Table, TableLike, Value};

const ROWS: &str = "rows";
const LEGEND: &str = "legend";
/// The fields of an empty map.
const SIZE: [&str; 2] = ["columns", "height"];

/// Whether two words of a legend mean the same.
pub(super) fn is_same(word: &str, other: &str) -> bool {
    word == other || Names::slug_of(word) == Names::slug_of(other)
}

/// The characters of a legend with their words, in the order of the text.
pub(super) fn legend(map: &dyn TableLike) -> Vec<(char, String)> {
    let table = map.get("legend").and_then(Item::as_table_like);
    let entry = |(key, item): (&str, &Item)| Some((key.chars().next()?, item.as_str()?.to_owned()));
    table.into_iter().flat_map(|table| table.iter()).filter_map(entry).collect()
}

/// The characters of a map, row by row.
pub(super) fn read(map: &dyn TableLike, (columns, rows): (u8, u8)) -> Vec<Vec<char>> {
    let lines = |value: &Value| {
        let text = value.as_str().unwrap_or_default();
        text.lines().map(|line| line.chars().collect()).collect::<Vec<Vec<char>>>()
    };
    match map.get(ROWS).and_then(Item::as_value) {
        Some(Value::Array(list)) => list.iter().flat_map(lines).collect(),
        Some(text) => lines(text),
        None => vec![vec!['.'; columns.into()]; rows.into()],
    }
}

/// Whether a map is drawn in rows, and not an empty one of a size.
pub(super) fn is_drawn(map: &dyn TableLike) -> bool {
    map.contains_key(ROWS)
}

/// Writes the characters of a map, and takes what no row uses any more out of its legend. Of rows
/// that are a list, those come or go at the top that are too few or too many, else at the bottom.
pub(super) fn write(map: &mut Item, rows: &[Vec<char>], at_top: bool) {
    let Some(table) = map.as_table_like_mut() else { return };
    let before: Vec<char> = read(table, (0, 0)).into_iter().flatten().collect();
    let lines: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    match table.get_mut(ROWS).and_then(Item::as_value_mut) {
        Some(Value::Array(list)) if list.len() > 1 => write_list(list, &lines, at_top),
        Some(Value::Array(list)) => write_list(list, &[lines.join("\n")], at_top),
        Some(_) => set_field(table, ROWS, text(&lines)),
        None => draw(map, text(&lines)),
    }
    let Some(legend) = map.get_mut(LEGEND).and_then(Item::as_table_like_mut) else { return };
    let is_gone = |c: &char| before.contains(c) && !rows.iter().flatten().any(|there| there == c);
    let gone = legend.iter().filter_map(|(key, _)| key.chars().next()).filter(is_gone);
    for character in gone.collect::<Vec<_>>() {
        take_out(legend, &character.to_string());
    }
}

/// All rows as one text.
fn text(lines: &[String]) -> Value {
    Value::from(format!("{}\n", lines.join("\n")))
}

/// Puts rows into an empty map of a size, in the place of the size.
fn draw(map: &mut Item, rows: Value) {
    let Some(table) = map.as_table_like_mut() else { return };
    let comments: String = SIZE.iter().map(|key| comments(table, key)).collect();
    SIZE.iter().for_each(|key| drop(table.remove(key)));
    table.insert(ROWS, Item::Value(rows));
    let Some(table) = map.as_table_mut() else { return };
    if let Some(mut key) = table.key_mut(ROWS) {
        key.leaf_decor_mut().set_prefix(comments);
    }
    table.sort_values_by(|a, _, b, _| (a.get() != ROWS).cmp(&(b.get() != ROWS)));
}

/// The lines above a field, and the comment beside it as another.
fn comments(table: &dyn TableLike, key: &str) -> String {
    let above = table.key(key).and_then(|key| written(key.leaf_decor())).unwrap_or_default();
    let value = table.get(key).and_then(Item::as_value);
    let beside = value.and_then(|value| value.decor().suffix()).and_then(RawString::as_str);
    match beside.map(str::trim).filter(|text| text.starts_with('#')) {
        Some(beside) => format!("{above}{beside}\n"),
        None => above,
    }
}

/// Writes rows that are a list; comments beside them stay.
fn write_list(list: &mut Array, lines: &[String], at_top: bool) {
    while list.len() > lines.len() {
        lists::remove(list, if at_top { 0 } else { list.len() - 1 });
    }
    while list.len() < lines.len() {
        if at_top { lists::push_front(list, "") } else { lists::push_back(list, "") }
    }
    for (row, line) in list.iter_mut().zip(lines) {
        lists::rewrite(row, line);
    }
}

/// The character for a word of the legend, which is added if the legend has none; an empty word
/// is ordinary ground. `rows` are the characters that may be in use without a legend.
///
/// # Errors
/// If no character is left.
pub(super) fn character(map: &mut Item, word: &str, rows: &[Vec<char>]) -> Result<char, String> {
    let Some(table) = map.as_table_like() else { return Err("there is no map".to_owned()) };
    let legend = legend(table);
    let is_taken = |c: &char| legend.iter().any(|(there, _)| there == c);
    if word.is_empty() {
        let plain = ['.', ' '].into_iter().find(|c| !is_taken(c));
        return plain.ok_or_else(|| {
            "the legend gives both \".\" and \" \" a meaning: none is left for ordinary ground".to_owned()
        });
    }
    if let Some((character, _)) = legend.iter().find(|(_, there)| is_same(there, word)) {
        return Ok(*character);
    }
    let is_free = |c: &char| !is_taken(c) && !rows.iter().flatten().any(|there| there == c);
    let wall = (word == Field::WALL_WORD).then_some('#').into_iter();
    let own = word.chars().filter(char::is_ascii_alphanumeric);
    let any = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    let Some(character) = wall.chain(own).chain(any).find(is_free) else {
        return Err("no letter is left for another kind of ground".to_owned());
    };
    if table.get(LEGEND).is_none() {
        add_legend(map);
    }
    if let Some(legend) = map.get_mut(LEGEND).and_then(Item::as_table_like_mut) {
        set_field(legend, &character.to_string(), Value::from(word));
    }
    Ok(character)
}

/// Adds an empty legend in the notation of the map.
fn add_legend(map: &mut Item) {
    match map {
        Item::Table(table) => drop(table.insert(LEGEND, Item::Table(Table::new()))),
        map => {
            let table = map.as_table_like_mut();
            let legend = Item::Value(Value::InlineTable(InlineTable::new()));
            table.into_iter().for_each(|table| drop(table.insert(LEGEND, legend.clone())));
        }
    }
}
