//! The ground of a scene.

use super::grid::{self, Grid};
use super::places::{Places, PlacesError};
use super::{Line, MAX_SIDE, Metric, Neighbours, Space, Spaces};
use crate::Names;
use crate::stage::Picture;
use std::fmt;

/// The ground of a scene: a grid, or places with lengths between them.
///
/// The spaces of a map of places are [`Space::of_index`] of the places' numbers. It has as
/// many columns as there are places, and a single row.
#[derive(Clone, PartialEq, Eq)]
pub struct Field {
    columns: u8,
    rows: u8,
    metric: Metric,
    /// The kinds of ground, row by row.
    kinds: Vec<u8>,
    /// Where somebody can be.
    there: Spaces,
    form: Form,
    picture: Option<Picture>,
}

/// What a field is made of.
#[derive(Clone, PartialEq, Eq)]
enum Form {
    Grid(Box<Grid>),
    Places(Box<Places>),
}

impl Default for Field {
    fn default() -> Field {
        Field::grid(1, 1, Metric::default())
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field")
            .field("columns", &self.columns)
            .field("rows", &self.rows)
            .field("metric", &self.metric)
            .finish_non_exhaustive()
    }
}

impl Field {
    /// The kind of ordinary ground.
    pub const PLAIN: u8 = 0;
    /// The kind of ground where nobody can be.
    pub const WALL: u8 = 255;
    /// The greatest length of a way between two places.
    pub const MAX_LENGTH: u8 = 60;

    /// An open map of this size: 1 to [`MAX_SIDE`] columns and rows; less counts as 1, more as
    /// [`MAX_SIDE`].
    pub fn grid(columns: u8, rows: u8, metric: Metric) -> Field {
        let (columns, rows) = (columns.clamp(1, MAX_SIDE), rows.clamp(1, MAX_SIDE));
        let there = Spaces::all(columns, rows);
        let form = Form::Grid(Box::new(Grid::new(metric, &there)));
        Field { columns, rows, metric, kinds: plain(columns, rows), there, form, picture: None }
    }

    /// Places, each with its slug and its name, and the lengths of the ways between two of
    /// them, by their numbers. A way leads both ways; the same length may be given twice.
    ///
    /// # Errors
    /// Where they are too many, or a length makes no sense.
    pub fn places(
        names: Vec<(String, String)>,
        lengths: &[(usize, usize, u8)],
    ) -> Result<Field, PlacesError> {
        let columns = names.len().min(usize::from(MAX_SIDE)) as u8;
        let there = Spaces::all(columns, 1);
        let form = Form::Places(Box::new(Places::new(names, lengths)?));
        let (metric, kinds) = (Metric::default(), plain(columns, 1));
        Ok(Field { columns, rows: 1, metric, kinds, there, form, picture: None })
    }

    /// How many columns there are.
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// How many rows.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// How its spaces lie; of places [`Metric::default`].
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Whether it is a grid, and not places.
    pub fn is_grid(&self) -> bool {
        matches!(self.form, Form::Grid(_))
    }

    /// What its ground is there, in the game's numbers: 0 is ordinary ground, [`Field::WALL`] a
    /// wall. A space that is not on the map is a wall.
    pub fn kind(&self, space: Space) -> u8 {
        self.place_of(space).map_or(Field::WALL, |at| self.kinds[at])
    }

    /// Changes the ground of a space; nothing where the space is not on the map.
    pub fn set_kind(&mut self, space: Space, kind: u8) {
        let Some(at) = self.place_of(space) else { return };
        self.kinds[at] = kind;
        if (kind == Field::WALL) == self.there.has(space) {
            match kind {
                Field::WALL => self.there.remove(space),
                _ => self.there.add(space),
            }
            if let Form::Grid(grid) = &mut self.form {
                grid.change(self.metric, &self.there, space.row().into());
            }
        }
    }

    /// The place of a space in the list of kinds; `None` where it is not on the map.
    fn place_of(&self, space: Space) -> Option<usize> {
        let is_on = space.column() < self.columns && space.row() < self.rows;
        is_on.then(|| usize::from(space.row()) * usize::from(self.columns) + usize::from(space.column()))
    }

    /// Closes the edge between two neighbouring spaces of a grid, both ways; nothing where they
    /// are no neighbours. Between two squares that touch at a corner, only that step is closed.
    pub fn wall(&mut self, a: Space, b: Space) {
        if let Form::Grid(grid) = &mut self.form {
            grid.wall(self.metric, &self.there, a, b);
        }
    }

    /// The edges of a grid that [`Field::wall`] closed, row by row, each by the two spaces
    /// beside it.
    pub fn walls(&self) -> impl Iterator<Item = (Space, Space)> {
        let grid = match &self.form {
            Form::Grid(grid) => Some(grid),
            Form::Places(_) => None,
        };
        grid.into_iter().flat_map(|grid| grid.walls(self.metric))
    }

    /// Whether two spaces of a grid touch, at an edge or a corner; a wall does not matter.
    pub(super) fn touch(&self, a: Space, b: Space) -> bool {
        self.is_grid() && grid::touch(self.metric, a, b)
    }

    /// The picture beneath the map; the rules do not read it.
    pub fn picture(&self) -> Option<&Picture> {
        self.picture.as_ref()
    }

    /// Lays a picture beneath the map.
    pub fn lay(&mut self, picture: Picture) {
        self.picture = Some(picture);
    }

    /// The space in the last column of the last row.
    pub(super) fn last(&self) -> Space {
        Space::new(self.columns - 1, self.rows - 1).unwrap_or_default()
    }

    /// Whether a space is on the map.
    pub(super) fn is_on(&self, space: Space) -> bool {
        self.place_of(space).is_some()
    }

    /// Whether somebody can be there: on the map, and no wall.
    pub fn is_there(&self, space: Space) -> bool {
        self.there.has(space)
    }

    /// All spaces where somebody can be.
    pub fn spaces(&self) -> &Spaces {
        &self.there
    }

    /// Names a space of a grid that is on the map.
    pub fn name(&mut self, space: Space, text: impl Into<String>) {
        let is_on = self.is_on(space);
        if let Form::Grid(grid) = &mut self.form
            && is_on
        {
            grid.names.insert(space, text.into());
        }
    }

    /// The name of a space of a grid, if it has one.
    pub fn named(&self, space: Space) -> Option<&str> {
        match &self.form {
            Form::Grid(grid) => grid.names.get(&space).map(String::as_str),
            Form::Places(_) => None,
        }
    }

    /// The spaces of a grid that have names, row by row.
    pub fn named_spaces(&self) -> impl Iterator<Item = (Space, &str)> {
        let names = match &self.form {
            Form::Grid(grid) => Some(&grid.names),
            Form::Places(_) => None,
        };
        names.into_iter().flatten().map(|(&space, name)| (space, name.as_str()))
    }

    /// The name of a place; `None` on a grid.
    pub fn place_name(&self, space: Space) -> Option<&str> {
        self.place(space).map(|(_, name)| name.as_str())
    }

    /// The slug of a place; `None` on a grid.
    pub fn place_slug(&self, space: Space) -> Option<&str> {
        self.place(space).map(|(slug, _)| slug.as_str())
    }

    fn place(&self, space: Space) -> Option<&(String, String)> {
        match &self.form {
            Form::Grid(_) => None,
            Form::Places(places) => places.names.get(space.index()),
        }
    }

    /// The space that a text means: by its name, a place also by its slug, a space of a grid also
    /// as `C4`. Whether somebody can be there is not asked.
    pub fn find(&self, text: &str) -> Option<Space> {
        let slug = Names::slug_of(text);
        match &self.form {
            Form::Grid(_) => {
                let is_meant = |name: &str| name == text || !slug.is_empty() && Names::slug_of(name) == slug;
                let named = self.named_spaces().find(|(_, name)| is_meant(name)).map(|(space, _)| space);
                let written = || text.parse().ok().filter(|&space| self.place_of(space).is_some());
                named.or_else(written)
            }
            Form::Places(places) => {
                let is_meant = |(there, name): &(String, String)| *there == slug || name == text;
                places.names.iter().position(is_meant).and_then(Space::of_index)
            }
        }
    }

    /// How far two spaces are apart.
    ///
    /// On a grid counted by the metric, without regard to walls; 0 from a space to itself. Of
    /// places the shortest sum of lengths, [`u16::MAX`] where no way leads; 1 from a place to
    /// itself, which is how far two people in it are apart.
    pub fn distance(&self, a: Space, b: Space) -> u16 {
        match &self.form {
            Form::Grid(_) => grid::distance(self.metric, a, b),
            Form::Places(places) => places.distance(a, b),
        }
    }

    /// Where a step leads: no wall, no closed edge. Always in the same order.
    pub fn neighbours(&self, space: Space) -> Neighbours {
        match &self.form {
            Form::Grid(grid) => grid.neighbours(self.metric, space).collect(),
            Form::Places(places) => {
                places.neighbours(space).filter(|&next| self.is_step(space, next)).collect()
            }
        }
    }

    /// Whether a step leads from a space to the other; it then leads back as well.
    ///
    /// Between squares that touch at a corner it does if one of the two ways round that corner
    /// is open: by one of the two spaces beside the step, which is no wall, and over two edges
    /// that are not closed.
    pub fn is_step(&self, a: Space, b: Space) -> bool {
        match &self.form {
            Form::Grid(grid) => grid.is_step(self.metric, a, b),
            Form::Places(places) => self.is_there(a) && self.is_there(b) && places.length(a, b) > 0,
        }
    }

    /// The length of a step: 1 on a grid, of places that of the way; 0 where none leads directly.
    pub fn length(&self, a: Space, b: Space) -> u8 {
        match &self.form {
            Form::Grid(_) => 1,
            Form::Places(places) => places.length(a, b),
        }
    }

    /// The lengths of a path's steps together.
    pub fn total(&self, from: Space, path: &[Space]) -> u16 {
        let starts = std::iter::once(&from).chain(path);
        starts.zip(path).map(|(&a, &b)| u16::from(self.length(a, b))).sum()
    }

    /// The straight line from a space to another, without the start: as many spaces as
    /// [`Field::distance`], each a neighbour of the last if no walls are counted. The other
    /// place on a map of places where a way leads there directly, else nothing.
    pub fn line(&self, from: Space, to: Space) -> Line {
        match &self.form {
            Form::Grid(_) => grid::line(self.metric, from, to),
            Form::Places(places) => (places.length(from, to) > 0).then_some(to).into_iter().collect(),
        }
    }

    /// All spaces that can be reached from any of these in at most `most` steps (of places: a sum of
    /// lengths) by way of `free` spaces; the starts, where somebody can be, are among them.
    pub fn spread(&self, starts: &Spaces, most: u8, free: &Spaces) -> Spaces {
        let starts = starts.and(&self.there);
        let mut all = starts;
        match &self.form {
            Form::Grid(grid) => {
                grid.flood(self.metric, (&starts, most, None), free, |row, new, _| all.0[row] |= new);
            }
            Form::Places(_) => {
                for start in starts.iter() {
                    self.flood((start, most, None), free, |row, new, _| all.0[row] |= new);
                }
            }
        }
        all
    }

    /// Floods from a space where somebody can be, as far as the goal if there is one; see
    /// [`Field::reach`].
    pub(super) fn flood(
        &self,
        (from, most, goal): (Space, u8, Option<Space>),
        free: &Spaces,
        mut reached: impl FnMut(usize, u64, u8),
    ) {
        match &self.form {
            Form::Grid(grid) => {
                let start = Spaces::EMPTY.with(from);
                grid.flood(self.metric, (&start, most, goal), free, reached);
            }
            Form::Places(places) => {
                let free = free.and(&self.there);
                places.flood((from, most, goal), &free, |place, sum| reached(0, place.bit(), sum));
            }
        }
    }
}

/// Ordinary ground everywhere.
fn plain(columns: u8, rows: u8) -> Vec<u8> {
    vec![Field::PLAIN; usize::from(columns) * usize::from(rows)]
}
