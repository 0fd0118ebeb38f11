//! The changes to a map, each in the text of its encounter. All else of the text stays.

use super::lists::rewrite;
use super::rows;
use super::shown::{AT, MAP, Plan};
use super::walls::{self, Edge};
use crate::sheet::{self, entries, set_field, take_out};
use fracas_kernel::{Grid, MAX_SIDE, Space, SpaceError};
use toml_edit::{DocumentMut, InlineTable, Item, TableLike, Value};

const NAMES: &str = "names";
/// Where a picture lies, in the order of the text.
const LAID: [&str; 4] = ["left", "top", "width", "height"];
/// The most edges that become walls, or open, at a time: far more than a stroke has.
const MAX_EDGES: usize = 512;
/// A space, in the thousandths in which a picture lies.
const SPACE: i64 = 1000;

/// A change to a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Gives spaces another ground: a word of the legend, or none for ordinary ground.
    Paint {
        /// Which spaces.
        spaces: Vec<Space>,
        /// The word.
        ground: String,
    },
    /// Draws walls along edges between two spaces, or takes them away.
    Walls {
        /// The spaces beside each edge.
        edges: Vec<Edge>,
        /// Whether nobody crosses them then.
        closed: bool,
    },
    /// Puts somebody into a space, or into none.
    Place {
        /// Their path, such as `character[1]`.
        who: String,
        /// The space.
        at: Option<Space>,
    },
    /// Adds columns or rows, or takes them.
    Size {
        /// Where.
        end: End,
        /// Whether the map becomes larger.
        grows: bool,
    },
    /// Gives a space a name, or takes it.
    Name {
        /// The space.
        space: Space,
        /// The name; empty for none.
        name: String,
    },
    /// Lays the picture: its left edge, upper edge, width and height, in thousandths of a space.
    Lay([i64; 4]),
    /// Lays the picture so that two corners on it are so many spaces apart.
    Fit {
        /// The corners where the picture lies now, in thousandths of a space.
        corners: [(i64, i64); 2],
        /// How many columns and rows are between them.
        apart: (i64, i64),
    },
}

/// An end of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The first column.
    Left,
    /// The last column.
    Right,
    /// The first row.
    Top,
    /// The last row.
    Bottom,
}

impl End {
    /// Every end with its word.
    pub const ALL: [(&'static str, End); 4] =
        [("left", End::Left), ("right", End::Right), ("top", End::Top), ("bottom", End::Bottom)];

    /// Whether columns are at this end, not rows.
    pub fn is_across(self) -> bool {
        matches!(self, End::Left | End::Right)
    }

    /// How many columns or rows come or go at once. Every other row of hexes is half a space aside:
    /// a single one at the top would move all others against each other.
    pub fn step(self, grid: Grid) -> u8 {
        if self == End::Top && grid == Grid::Hex { 2 } else { 1 }
    }
}

impl Change {
    /// The change that the fields of a form mean; `None` without one.
    ///
    /// # Errors
    /// If a field is missing or makes no sense.
    pub fn read<'f>(field: impl Fn(&str) -> Option<&'f str>) -> Result<Option<Change>, String> {
        let must = |name: &str| field(name).ok_or_else(|| format!("the change has no {name:?}"));
        let number = |name: &str, text: &str| {
            let wrong = || format!("{name}: expected a whole number, found {text:?}");
            text.trim().parse::<i32>().map(i64::from).map_err(|_| wrong())
        };
        let Some(sort) = field("change") else { return Ok(None) };
        let change = match sort {
            "paint" => {
                let spaces = must("spaces")?.split_whitespace().map(space).collect::<Result<_, _>>()?;
                Change::Paint { spaces, ground: field("ground").unwrap_or_default().to_owned() }
            }
            "close" | "open" => {
                let edges = must("edges")?.split_whitespace().map(edge).collect::<Result<_, _>>()?;
                Change::Walls { edges, closed: sort == "close" }
            }
            "place" => {
                Change::Place { who: must("who")?.to_owned(), at: field("at").map(space).transpose()? }
            }
            "grow" | "shrink" => {
                let word = must("end")?;
                let end = End::ALL.iter().find(|(there, _)| *there == word);
                let wrong = || format!("end: expected left, right, top or bottom, found {word:?}");
                Change::Size { end: end.ok_or_else(wrong)?.1, grows: sort == "grow" }
            }
            "name" => Change::Name {
                space: space(must("at")?)?,
                name: field("name").unwrap_or_default().trim().to_owned(),
            },
            "lay" => {
                let mut laid = [0; 4];
                for (at, name) in LAID.into_iter().enumerate() {
                    laid[at] = number(name, must(name)?)?;
                }
                Change::Lay(laid)
            }
            "fit" => {
                let point = |name: &str| {
                    let text = must(name)?;
                    let (x, y) =
                        text.split_once(' ').ok_or_else(|| format!("{name}: expected two numbers"))?;
                    Ok::<_, String>((number(name, x)?, number(name, y)?))
                };
                let apart = |name: &str| number(name, must(name)?);
                Change::Fit {
                    corners: [point("from")?, point("to")?],
                    apart: (apart("across")?, apart("down")?),
                }
            }
            other => return Err(format!("there is no change called {other:?}")),
        };
        Ok(Some(change))
    }
}

fn space(text: &str) -> Result<Space, String> {
    text.parse().map_err(|wrong: SpaceError| format!("{wrong}, found {text:?}"))
}

fn edge(text: &str) -> Result<Edge, String> {
    walls::edge(text).ok_or_else(|| format!("expected two spaces such as \"C4-D4\", found {text:?}"))
}

/// The map of a document, and nothing where it has none.
fn map(document: &mut DocumentMut) -> Result<&mut dyn TableLike, String> {
    let map = document.get_mut(MAP).and_then(Item::as_table_like_mut);
    map.ok_or_else(|| "the text has no [map]".to_owned())
}

impl Plan {
    /// The text after a change. Whether its map is sound then is not asked.
    pub(super) fn changed(&self, text: &str, change: &Change) -> Result<String, String> {
        let mut document = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
        match change {
            Change::Paint { spaces, ground } => self.paint(&mut document, spaces, ground)?,
            Change::Walls { edges, closed } => {
                if edges.len() > MAX_EDGES {
                    return Err(format!("edges: {MAX_EDGES} at most at a time, found {}", edges.len()));
                }
                edges.iter().flat_map(|&(a, b)| [a, b]).try_for_each(|space| self.check(space))?;
                let change = if *closed { walls::close } else { walls::open };
                change(map(&mut document)?, edges);
            }
            Change::Place { who, at } => self.place(&mut document, who, *at)?,
            Change::Size { end, grows } => self.resize(&mut document, *end, *grows)?,
            Change::Name { space, name } => self.name(&mut document, *space, name)?,
            Change::Lay(laid) => self.lay(&mut document, *laid)?,
            Change::Fit { corners, apart } => {
                let laid = self.fitted(*corners, *apart)?;
                self.lay(&mut document, laid)?;
            }
        }
        Ok(document.to_string())
    }

    /// Whether a space is on the map.
    fn check(&self, space: Space) -> Result<(), String> {
        let (columns, rows) = self.size();
        if space.column() < columns && space.row() < rows {
            return Ok(());
        }
        Err(format!("{space} is not on the map, which has {columns} columns and {rows} rows"))
    }

    fn paint(&self, document: &mut DocumentMut, spaces: &[Space], ground: &str) -> Result<(), String> {
        spaces.iter().try_for_each(|&space| self.check(space))?;
        if !ground.is_empty() && !self.words.iter().any(|word| word == ground) {
            return Err(format!("no ground is called {ground:?}; there are {}", self.words.join(", ")));
        }
        let mut drawn = rows::read(map(document)?, self.size());
        let Some(map) = document.get_mut(MAP) else { return Ok(()) };
        let character = rows::character(map, ground, &drawn)?;
        for space in spaces {
            drawn[usize::from(space.row())][usize::from(space.column())] = character;
        }
        rows::write(map, &drawn, false);
        Ok(())
    }

    fn place(&self, document: &mut DocumentMut, who: &str, at: Option<Space>) -> Result<(), String> {
        let is_called = |path: &str| path == who;
        if !self.people.iter().any(|person| is_called(&person.path)) {
            return Err(format!("nobody in the text is {who}"));
        }
        let place = format!("{who}.{AT}");
        let entry = sheet::split(&place).and_then(|(steps, _)| sheet::table_at(document, &steps));
        let Some(entry) = entry else { return Err(format!("nobody in the text is {who}")) };
        let Some(space) = at else {
            take_out(entry, AT);
            return Ok(());
        };
        self.check(space)?;
        if !self.field.is_there(space) {
            return Err(format!("{space} is a wall"));
        }
        set_field(entry, AT, Value::from(space.to_string()));
        Ok(())
    }

    fn resize(&self, document: &mut DocumentMut, end: End, grows: bool) -> Result<(), String> {
        let by = i16::from(end.step(self.map.grid)) * if grows { 1 } else { -1 };
        let (columns, rows) = self.size();
        let (wide, high) = if end.is_across() { (by, 0) } else { (0, by) };
        let size = (i16::from(columns) + wide, i16::from(rows) + high);
        let most = i16::from(MAX_SIDE);
        for (side, what) in [(size.0, "columns"), (size.1, "rows")] {
            if !(1..=most).contains(&side) {
                return Err(format!("a map has from 1 to {MAX_SIDE} {what}"));
            }
        }
        let aside = match end {
            End::Left => (by, 0),
            End::Top => (0, by),
            End::Right | End::Bottom => (0, 0),
        };
        let moved = |space: Space| moved(space, aside, size);
        self.check_gone(&|space| moved(space).is_none())?;
        self.move_rows(document, end, size)?;
        let map = map(document)?;
        move_names(map, &moved);
        walls::shift(map, &moved);
        if let Some(picture) = self.picture() {
            let [left, top, width, height] =
                [picture.left, picture.top, picture.width, picture.height].map(i64::from);
            let (x, y) = (i64::from(aside.0) * SPACE, i64::from(aside.1) * SPACE);
            self.lay(document, [left + x, top + y, width, height])?;
        }
        move_people(document, &moved);
        Ok(())
    }

    /// Whether nobody stands in the spaces that go, and none of them has a name.
    fn check_gone(&self, is_gone: &dyn Fn(Space) -> bool) -> Result<(), String> {
        let stands = self.people.iter().filter_map(|person| Some((person.name.as_str(), person.space?)));
        let people =
            stands.filter(|(_, space)| is_gone(*space)).map(|(name, at)| format!("{name} stands in {at}"));
        let names = self.field.named_spaces().filter(|(space, _)| is_gone(*space));
        let names = names.map(|(at, name)| format!("{at} is called {name}"));
        let outside: Vec<String> = people.chain(names).collect();
        if outside.is_empty() {
            return Ok(());
        }
        Err(format!("{}, which would be outside the map: place them elsewhere first", outside.join("; ")))
    }

    /// Adds and takes rows and columns at an end, so that the map has this size.
    fn move_rows(&self, document: &mut DocumentMut, end: End, size: (i16, i16)) -> Result<(), String> {
        let table = map(document)?;
        let (columns, height) = (size.0.unsigned_abs().into(), size.1.unsigned_abs().into());
        if !rows::is_drawn(table) {
            set_field(table, "columns", Value::from(i64::from(size.0)));
            set_field(table, "height", Value::from(i64::from(size.1)));
            return Ok(());
        }
        let mut drawn = rows::read(table, self.size());
        let Some(map) = document.get_mut(MAP) else { return Ok(()) };
        let plain = rows::character(map, "", &drawn)?;
        if end == End::Left {
            drawn.iter_mut().for_each(|row| row.reverse());
        }
        drawn.iter_mut().for_each(|row| row.resize(columns, plain));
        if end == End::Left {
            drawn.iter_mut().for_each(|row| row.reverse());
        }
        if end == End::Top {
            drawn.reverse();
        }
        drawn.resize(height, vec![plain; columns]);
        if end == End::Top {
            drawn.reverse();
        }
        rows::write(map, &drawn, end == End::Top);
        Ok(())
    }

    fn name(&self, document: &mut DocumentMut, space: Space, name: &str) -> Result<(), String> {
        self.check(space)?;
        let map = map(document)?;
        if !map.contains_key(NAMES) && !name.is_empty() {
            map.insert(NAMES, Item::Value(Value::InlineTable(InlineTable::new())));
        }
        let names = map.get_mut(NAMES).and_then(Item::as_table_like_mut);
        let Some(names) = names else { return Err(format!("{space} has no name")) };
        let old = self.named(space);
        if old.is_none() && name.is_empty() {
            return Err(format!("{space} has no name: write the one that it should have"));
        }
        if let Some(old) = old.filter(|old| *old != name) {
            take_out(names, old);
        }
        if name.is_empty() {
            if names.is_empty() {
                take_out(map, NAMES);
            }
        } else if names.get(name).is_some() && old != Some(name) {
            return Err(format!("another space is called {name:?}"));
        } else {
            set_field(names, name, Value::from(space.to_string()));
        }
        // Who stands where the old name says stands there still.
        for person in self.people.iter().filter(|person| person.space == Some(space) && old.is_some()) {
            if person.at.as_deref().is_some_and(|at| at.parse::<Space>().is_err()) {
                self.place(document, &person.path, Some(space))?;
            }
        }
        Ok(())
    }

    fn lay(&self, document: &mut DocumentMut, laid: [i64; 4]) -> Result<(), String> {
        let picture = map(document)?.get_mut("picture").and_then(Item::as_table_like_mut);
        let Some(picture) = picture else { return Err("the map has no picture".to_owned()) };
        for (name, number) in LAID.into_iter().zip(laid) {
            set_field(picture, name, Value::from(number));
        }
        Ok(())
    }

    /// Where the picture lies if two corners on it are so many spaces apart. Its upper left corner
    /// stays about where it is, so that the corners come to lie on corners of spaces.
    fn fitted(&self, corners: [(i64, i64); 2], apart: (i64, i64)) -> Result<[i64; 4], String> {
        let Some(picture) = self.picture() else { return Err("the map has no picture".to_owned()) };
        let side = |edge: i32, long: i32, a: i64, b: i64, spaces: i64, way: &str| {
            if !(1..=i64::from(MAX_SIDE)).contains(&spaces) {
                return Err(format!("expected from 1 to {MAX_SIDE} spaces {way}, found {spaces}"));
            }
            let (edge, long, far) = (i64::from(edge), i64::from(long), (b - a).abs());
            if far < SPACE / 20 {
                return Err(format!(
                    "the two corners are not apart {way}: click two that are apart both ways"
                ));
            }
            let corner = edge + (a.min(b) - edge) * spaces * SPACE / far;
            let nearest = (corner + SPACE / 2).div_euclid(SPACE) * SPACE;
            Ok((edge + nearest - corner, long * spaces * SPACE / far))
        };
        let [a, b] = corners;
        let (left, width) = side(picture.left, picture.width, a.0, b.0, apart.0, "across")?;
        let (top, height) = side(picture.top, picture.height, a.1, b.1, apart.1, "down")?;
        Ok([left, top, width, height])
    }
}

/// Where a space lies on a map of another size, if it lies there at all.
fn moved(space: Space, (x, y): (i16, i16), (columns, rows): (i16, i16)) -> Option<Space> {
    let (column, row) = (i16::from(space.column()) + x, i16::from(space.row()) + y);
    let is_on = (0..columns).contains(&column) && (0..rows).contains(&row);
    is_on.then(|| Space::new(column as u8, row as u8)).flatten()
}

fn move_names(map: &mut dyn TableLike, moved: &dyn Fn(Space) -> Option<Space>) {
    let names = map.get_mut(NAMES).and_then(Item::as_table_like_mut);
    for (_, item) in names.into_iter().flat_map(|names| names.iter_mut()) {
        let space = item.as_str().and_then(|text| text.parse().ok()).and_then(moved);
        if let (Some(value), Some(space)) = (item.as_value_mut(), space) {
            rewrite(value, &space.to_string());
        }
    }
}

/// Moves everybody and everything of the encounter that says in which space it is.
fn move_people(document: &mut DocumentMut, moved: &dyn Fn(Space) -> Option<Space>) {
    let lists: Vec<String> = document.iter().map(|(key, _)| key.to_owned()).collect();
    for list in lists {
        for entry in entries(document, &list) {
            let space =
                entry.get(AT).and_then(Item::as_str).and_then(|text| text.parse().ok()).and_then(moved);
            if let (Some(value), Some(space)) = (entry.get_mut(AT).and_then(Item::as_value_mut), space) {
                rewrite(value, &space.to_string());
            }
        }
    }
}
