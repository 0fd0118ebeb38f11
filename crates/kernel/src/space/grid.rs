//! Squares and hexes: which steps lead where, how far spaces are apart, straight lines.
//!
//! A row of a map is a `u64` with a bit for each column, so that a whole row takes a step at once.

use super::{Line, MAX_SIDE, Metric, SIDE, Space, Spaces};
use std::collections::BTreeMap;

/// The direction of a step, in the order in which neighbours are listed. South is the next row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    East,
    West,
    South,
    North,
    SouthEast,
    NorthWest,
    SouthWest,
    NorthEast,
}

/// How many directions there are.
const WAYS: usize = 8;

use Way::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

impl Way {
    /// The directions of a metric.
    const fn all(metric: Metric) -> &'static [Way] {
        match metric {
            Metric::Square => &[East, West, South, North, SouthEast, NorthWest, SouthWest, NorthEast],
            Metric::Orthogonal => &[East, West, South, North],
            Metric::Hex => &[East, West, SouthEast, NorthWest, SouthWest, NorthEast],
        }
    }

    /// The way back.
    const fn back(self) -> Way {
        match self {
            East => West,
            West => East,
            South => North,
            North => South,
            SouthEast => NorthWest,
            NorthWest => SouthEast,
            SouthWest => NorthEast,
            NorthEast => SouthWest,
        }
    }

    /// By how many rows it leads on.
    const fn rows(self) -> i8 {
        match self {
            East | West => 0,
            South | SouthEast | SouthWest => 1,
            North | NorthEast | NorthWest => -1,
        }
    }

    /// By how many columns it leads on from this row.
    const fn columns(self, metric: Metric, row: usize) -> i8 {
        // Hexes: an even row lies half a space to the left of those beside it, an odd row to the
        // right. So one of two ways to another row stays in its column.
        let stays = matches!(metric, Metric::Hex)
            && match self {
                SouthEast | NorthEast => row.is_multiple_of(2),
                SouthWest | NorthWest => !row.is_multiple_of(2),
                _ => false,
            };
        match self {
            _ if stays => 0,
            South | North => 0,
            East | SouthEast | NorthEast => 1,
            West | SouthWest | NorthWest => -1,
        }
    }
}

/// A row of spaces, so many columns farther on.
const fn moved(row: u64, columns: i8) -> u64 {
    match columns {
        1 => row << 1,
        -1 => row >> 1,
        _ => row,
    }
}

/// The steps that a grid allows.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Grid {
    /// Of each row and direction the spaces from which a step leads there.
    go: [[u64; WAYS]; SIDE],
    /// Of each row and direction the spaces whose edge there is closed.
    shut: [[u64; WAYS]; SIDE],
    /// The spaces that have names.
    pub(super) names: BTreeMap<Space, String>,
}

impl Grid {
    /// A grid with these spaces.
    pub(super) fn new(metric: Metric, there: &Spaces) -> Grid {
        let mut grid = Grid { go: [[0; WAYS]; SIDE], shut: [[0; WAYS]; SIDE], names: BTreeMap::default() };
        (0..SIDE).for_each(|row| grid.open_row(metric, there, row));
        (0..SIDE).for_each(|row| grid.open_below(metric, there, row));
        grid
    }

    /// Works out anew where steps lead from a row, and to it, when a space or an edge of it has
    /// changed.
    pub(super) fn change(&mut self, metric: Metric, there: &Spaces, row: usize) {
        self.open_row(metric, there, row);
        (row.saturating_sub(1)..=row).for_each(|row| self.open_below(metric, there, row));
    }

    /// The steps within a row.
    fn open_row(&mut self, metric: Metric, there: &Spaces, row: usize) {
        self.open(metric, there, (row, East), u64::MAX);
    }

    /// The steps from a row to the next, and back.
    fn open_below(&mut self, metric: Metric, there: &Spaces, row: usize) {
        if row + 1 == SIDE {
            return;
        }
        if metric == Metric::Hex {
            self.open(metric, there, (row, SouthEast), u64::MAX);
            self.open(metric, there, (row, SouthWest), u64::MAX);
            return;
        }
        self.open(metric, there, (row, South), u64::MAX);
        if metric == Metric::Square {
            for (across, aside) in [(SouthEast, East), (SouthWest, West)] {
                let corner = self.round_corner(metric, row, aside);
                self.open(metric, there, (row, across), corner);
            }
        }
    }

    /// From where one can go round the corner to the space below and `aside`: first aside and
    /// then down, or first down and then aside.
    fn round_corner(&self, metric: Metric, row: usize, aside: Way) -> u64 {
        let (go, next) = (&self.go[row], &self.go[row + 1]);
        let (down, beside) = (go[South as usize], aside.columns(metric, row));
        go[aside as usize] & moved(down, -beside) | down & next[aside as usize]
    }

    /// The steps from a row to the east or south, and back, of those in `only`.
    fn open(&mut self, metric: Metric, there: &Spaces, (row, way): (usize, Way), only: u64) {
        let to = row + usize::from(way.rows() > 0);
        let columns = way.columns(metric, row);
        let both = there.0[row] & moved(there.0[to], -columns);
        let steps = both & only & !self.shut[row][way as usize];
        self.go[row][way as usize] = steps;
        self.go[to][way.back() as usize] = moved(steps, columns);
    }

    /// Closes the edge between two neighbours; nothing where they are none.
    pub(super) fn wall(&mut self, metric: Metric, there: &Spaces, a: Space, b: Space) {
        let Some(way) = between(metric, a, b) else { return };
        self.shut[usize::from(a.row())][way as usize] |= a.bit();
        self.shut[usize::from(b.row())][way.back() as usize] |= b.bit();
        self.change(metric, there, a.row().min(b.row()).into());
    }

    /// The edges that are closed, row by row, each by the two spaces beside it.
    pub(super) fn walls(&self, metric: Metric) -> impl Iterator<Item = (Space, Space)> {
        let leads_on = |way: &&Way| **way == East || way.rows() > 0;
        let ways = Way::all(metric).iter().filter(leads_on);
        let edges = move |row: usize| ways.clone().map(move |&way| (row, way));
        (0..SIDE).flat_map(edges).flat_map(move |(row, way)| {
            let shut = self.shut[row][way as usize];
            let is_shut = move |column: &u8| shut >> column & 1 == 1;
            let space = move |column| Space::new(column, row as u8);
            (0..MAX_SIDE)
                .filter(is_shut)
                .filter_map(move |column| space(column).and_then(|at| Some((at, beside(metric, at, way)?))))
        })
    }

    /// Whether a step leads from a space to the other.
    pub(super) fn is_step(&self, metric: Metric, a: Space, b: Space) -> bool {
        let leads = |way| self.go[usize::from(a.row())][way as usize] & a.bit() != 0;
        between(metric, a, b).is_some_and(leads)
    }

    /// Where a step leads.
    pub(super) fn neighbours(&self, metric: Metric, space: Space) -> impl Iterator<Item = Space> {
        let go = &self.go[usize::from(space.row())];
        let leads = move |way: &&Way| go[**way as usize] & space.bit() != 0;
        Way::all(metric).iter().filter(leads).filter_map(move |&way| beside(metric, space, way))
    }

    /// The rows above, the same and below to which a step leads from some spaces of a row.
    fn spread(&self, metric: Metric, row: usize, from: u64) -> [u64; 3] {
        let go = &self.go[row];
        let to = |way: Way| from & go[way as usize];
        let aside = to(East) << 1 | to(West) >> 1;
        match metric {
            Metric::Square => [
                to(North) | to(NorthEast) << 1 | to(NorthWest) >> 1,
                aside,
                to(South) | to(SouthEast) << 1 | to(SouthWest) >> 1,
            ],
            Metric::Orthogonal => [to(North), aside, to(South)],
            Metric::Hex if row.is_multiple_of(2) => {
                [to(NorthEast) | to(NorthWest) >> 1, aside, to(SouthEast) | to(SouthWest) >> 1]
            }
            Metric::Hex => [to(NorthEast) << 1 | to(NorthWest), aside, to(SouthEast) << 1 | to(SouthWest)],
        }
    }

    /// Floods from a space by way of `free` ones, as far as the goal if there is one: `reached`
    /// takes each row of spaces to which so many steps lead.
    pub(super) fn flood(
        &self,
        metric: Metric,
        (starts, most, goal): (&Spaces, u8, Option<Space>),
        free: &Spaces,
        mut reached: impl FnMut(usize, u64, u8),
    ) {
        let mut left = free.minus(starts);
        // Row `n` of the map is row `n + 1` here: a row of nothing lies above and below. What was
        // led to once is reached by then or cannot be.
        let (mut front, mut led_to) = ([0; SIDE + 2], [0; SIDE + 2]);
        front[1..=SIDE].copy_from_slice(&starts.0);
        let rows = || starts.0.iter().enumerate().filter(|(_, row)| **row != 0).map(|(n, _)| n);
        let (Some(mut first), Some(mut last)) = (rows().next(), rows().next_back()) else { return };
        for steps in 1..=most {
            for row in first..=last {
                let leads = self.spread(metric, row, front[row + 1]);
                led_to[row] |= leads[0];
                led_to[row + 1] |= leads[1];
                led_to[row + 2] |= leads[2];
            }
            (first, last) = (first.saturating_sub(1), (last + 1).min(SIDE - 1));
            let mut any = 0;
            for row in first..=last {
                let new = led_to[row + 1] & left.0[row];
                left.0[row] &= !new;
                front[row + 1] = new;
                any |= new;
                reached(row, new, steps);
            }
            if any == 0 || goal.is_some_and(|goal| front[usize::from(goal.row()) + 1] & goal.bit() != 0) {
                return;
            }
        }
    }
}

/// The space to which a step leads, if there is such a space on the largest map.
fn beside(metric: Metric, space: Space, way: Way) -> Option<Space> {
    let columns = way.columns(metric, space.row().into());
    Space::new(space.column().checked_add_signed(columns)?, space.row().checked_add_signed(way.rows())?)
}

/// Whether two spaces touch: also at a corner, where the metric has no step across.
pub(super) fn touch(metric: Metric, a: Space, b: Space) -> bool {
    let metric = if metric == Metric::Orthogonal { Metric::Square } else { metric };
    between(metric, a, b).is_some()
}

/// Where a space is drawn, of hexes in halves of a space to the right.
pub(super) fn drawn(metric: Metric, space: Space) -> (i32, i32) {
    let (column, row) = (i32::from(space.column()), i32::from(space.row()));
    if metric == Metric::Hex { (2 * column + row % 2, row) } else { (column, row) }
}

/// How far `b` is drawn to the right of `a` and below.
fn apart(metric: Metric, a: Space, b: Space) -> (i32, i32) {
    let (from, to) = (drawn(metric, a), drawn(metric, b));
    (to.0 - from.0, to.1 - from.1)
}

/// The direction of a step between two spaces; `None` where they are no neighbours.
fn between(metric: Metric, a: Space, b: Space) -> Option<Way> {
    let apart = match (metric, apart(metric, a, b)) {
        (Metric::Hex, (x @ (-2 | 2), 0)) => (x / 2, 0),
        (Metric::Hex, (_, 0)) => return None,
        (_, apart) => apart,
    };
    let way = match apart {
        (1, 0) => East,
        (-1, 0) => West,
        (0, 1) => South,
        (0, -1) => North,
        (1, 1) => SouthEast,
        (-1, -1) => NorthWest,
        (-1, 1) => SouthWest,
        (1, -1) => NorthEast,
        _ => return None,
    };
    Way::all(metric).contains(&way).then_some(way)
}

/// How many steps two spaces are apart if there are no walls.
pub(super) fn distance(metric: Metric, a: Space, b: Space) -> u16 {
    let (x, y) = apart(metric, a, b);
    let (x, y) = (x.unsigned_abs() as u16, y.unsigned_abs() as u16);
    match metric {
        Metric::Square => x.max(y),
        Metric::Orthogonal => x + y,
        // A step to another row goes half a space aside as well.
        Metric::Hex => y.max((x + y) / 2),
    }
}

/// The spaces of a straight line, without its start.
pub(super) fn line(metric: Metric, from: Space, to: Space) -> Line {
    let count = i32::from(distance(metric, from, to));
    let apart = apart(metric, from, to);
    let at = drawn(metric, from);
    let space = |(column, row): (i32, i32)| Space::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?);
    let mut line = Line::new();
    let mut gone = (0, 0);
    for nth in 1..=count {
        let next = match metric {
            Metric::Square => (at.0 + nearest(nth * apart.0, count), at.1 + nearest(nth * apart.1, count)),
            Metric::Orthogonal => {
                gone = step_along(apart, gone);
                (at.0 + gone.0 * apart.0.signum(), at.1 + gone.1 * apart.1.signum())
            }
            Metric::Hex => hex_along(at, apart, nth, count),
        };
        line.extend(space(next));
    }
    line
}

/// The whole number nearest to a fraction; of two the greater.
fn nearest(over: i32, under: i32) -> i32 {
    (2 * over + under).div_euclid(2 * under)
}

/// The next step along a line without diagonals: how far it has gone aside and down.
fn step_along((x, y): (i32, i32), (aside, down): (i32, i32)) -> (i32, i32) {
    // Whichever comes first to the middle between two spaces.
    if (2 * aside + 1) * y.abs() < (2 * down + 1) * x.abs() { (aside + 1, down) } else { (aside, down + 1) }
}

/// The column and row of the `nth` of `count` hexes along a line from where `at` is drawn.
fn hex_along((x, y): (i32, i32), apart: (i32, i32), nth: i32, count: i32) -> (i32, i32) {
    if apart.1.abs() == count {
        // Each step leads to another row: there the hex nearest to the line. Of two that are
        // equally near, that which is on the map wherever both ends are.
        let row = y + nth * apart.1.signum();
        let exact = x * count + nth * apart.0;
        let column = match row % 2 {
            0 => (exact + count - 1).div_euclid(2 * count),
            _ => exact.div_euclid(2 * count),
        };
        return (column, row);
    }
    // Some steps lead to another row, and half a space aside; the others a whole space.
    let rows = nearest(nth * apart.1, count);
    let row = y + rows;
    let x = x + apart.0.signum() * (2 * nth - rows.abs());
    ((x - row % 2) / 2, row)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Random, at};
    use super::super::{Field, Line, Metric, Space, Spaces};
    use std::collections::{BTreeSet, VecDeque};

    /// Whether two spaces touch, found by where they are drawn.
    fn touch(metric: Metric, a: Space, b: Space) -> bool {
        let column = |space: Space| i32::from(space.column());
        let row = |space: Space| i32::from(space.row());
        let down = (row(a) - row(b)).abs();
        match metric {
            Metric::Square => a != b && down.max((column(a) - column(b)).abs()) == 1,
            Metric::Orthogonal => down + (column(a) - column(b)).abs() == 1,
            Metric::Hex => {
                let half = |space| 2 * column(space) + row(space) % 2;
                matches!((down, (half(a) - half(b)).abs()), (0, 2) | (1, 1))
            }
        }
    }

    /// How far the spaces of a map are from one of them, by a queue.
    fn far(field: &Field, from: Space) -> Vec<(Space, u16)> {
        let mut found = vec![(from, 0)];
        let mut seen = Spaces::EMPTY.with(from);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((space, steps)) = queue.pop_front() {
            for next in field.spaces().iter().filter(|&next| touch(field.metric(), space, next)) {
                if !seen.has(next) {
                    seen.add(next);
                    queue.push_back((next, steps + 1));
                    found.push((next, steps + 1));
                }
            }
        }
        found
    }

    /// Open maps of some sizes, in each metric.
    fn maps(random: &mut Random, count: usize) -> Vec<Field> {
        let side = |random: &mut Random| random.below(13) as u8 + 1;
        let sizes: Vec<(u8, u8)> = (0..count).map(|_| (side(random), side(random))).collect();
        let each =
            |&(columns, rows)| Metric::ALL.iter().map(move |&metric| Field::grid(columns, rows, metric));
        sizes.iter().chain(&[(64, 2), (2, 64), (64, 1), (1, 64)]).flat_map(each).collect()
    }

    #[test]
    fn distance_is_how_many_steps_it_takes() {
        let mut random = Random(2);
        for field in maps(&mut random, 12) {
            let from = random.space(field.columns(), field.rows());
            let found = far(&field, from);
            assert_eq!(found.len(), field.spaces().len(), "{field:?}");
            for (to, steps) in found {
                assert_eq!(field.distance(from, to), steps, "{field:?} from {from} to {to}");
                assert_eq!(field.distance(to, from), steps, "{field:?} from {to} to {from}");
            }
        }
    }

    #[test]
    fn a_line_is_as_long_as_the_distance_and_on_the_map() {
        let mut random = Random(3);
        for field in maps(&mut random, 12) {
            for _ in 0..400 {
                let mut space = || random.space(field.columns(), field.rows());
                let (from, to) = (space(), space());
                let line = field.line(from, to);
                let what = format!("{field:?} from {from} to {to}: {line:?}");
                assert_eq!(line.len(), usize::from(field.distance(from, to)), "{what}");
                assert_eq!(line.last().copied().unwrap_or(to), to, "{what}");
                let starts = std::iter::once(&from).chain(&line);
                assert!(starts.zip(&line).all(|(&a, &b)| field.is_step(a, b)), "{what}");
            }
        }
        for &metric in Metric::ALL {
            let field = Field::grid(64, 64, metric);
            for corner in ["BL1", "BL64", "A64"] {
                let line = field.line(at("A1"), at(corner));
                assert_eq!(line.len(), usize::from(field.distance(at("A1"), at(corner))));
            }
        }
    }

    #[track_caller]
    fn check_line(metric: Metric, from: &str, to: &str, expected: &str) {
        let line = Field::grid(64, 64, metric).line(at(from), at(to));
        let expected: Line = expected.split_whitespace().map(at).collect();
        assert_eq!(line, expected);
    }

    #[test]
    fn a_line_is_straight() {
        check_line(Metric::Square, "A1", "A1", "");
        check_line(Metric::Square, "A1", "D4", "B2 C3 D4");
        check_line(Metric::Square, "A1", "G3", "B1 C2 D2 E2 F3 G3");
        check_line(Metric::Square, "G3", "G1", "G2 G1");
        check_line(Metric::Orthogonal, "A1", "C3", "A2 B2 B3 C3");
        check_line(Metric::Orthogonal, "A1", "E2", "B1 C1 C2 D2 E2");
        check_line(Metric::Hex, "A1", "D1", "B1 C1 D1");
        check_line(Metric::Hex, "C1", "C5", "C2 C3 C4 C5");
        check_line(Metric::Hex, "A1", "B3", "A2 B3");
        check_line(Metric::Hex, "A1", "C3", "A2 B2 C3");
    }

    #[test]
    fn hexes_touch_as_they_are_drawn() {
        let field = Field::grid(9, 9, Metric::Hex);
        let beside = |space: &str| {
            let mut all: Vec<String> = field.neighbours(at(space)).iter().map(Space::to_string).collect();
            all.sort();
            all.join(" ")
        };
        assert_eq!(beside("C3"), "B2 B3 B4 C2 C4 D3");
        assert_eq!(beside("C4"), "B4 C3 C5 D3 D4 D5");
        assert_eq!(beside("A1"), "A2 B1");
        assert_eq!(beside("A2"), "A1 A3 B1 B2 B3");
    }

    /// A map with walls and closed edges, and those edges.
    fn walled(random: &mut Random, metric: Metric) -> (Field, BTreeSet<(Space, Space)>) {
        let (columns, rows) = (random.below(12) as u8 + 1, random.below(12) as u8 + 1);
        let mut field = Field::grid(columns, rows, metric);
        let mut closed = BTreeSet::new();
        for _ in 0..random.below(60) {
            let (a, b) = (random.space(columns, rows), random.space(columns, rows));
            match random.below(4) {
                0 => field.set_kind(a, Field::WALL),
                1 => field.set_kind(a, 7),
                _ => {
                    let near: Vec<Space> = field.spaces().iter().filter(|&b| touch(metric, a, b)).collect();
                    let b = if near.is_empty() { b } else { near[random.below(near.len())] };
                    field.wall(a, b);
                    if touch(metric, a, b) {
                        closed.extend([(a, b), (b, a)]);
                    }
                }
            }
        }
        (field, closed)
    }

    /// Whether a step leads from `a` to `b`, by the words of [`Field::is_step`].
    fn leads(field: &Field, closed: &BTreeSet<(Space, Space)>, a: Space, b: Space) -> bool {
        let is_open = |a, b| field.is_there(a) && field.is_there(b) && !closed.contains(&(a, b));
        let is_corner = field.metric() == Metric::Square && a.column() != b.column() && a.row() != b.row();
        let round = |column: Space, row: Space| {
            let by = Space::new(column.column(), row.row()).unwrap();
            is_open(a, by) && is_open(by, b)
        };
        touch(field.metric(), a, b) && is_open(a, b) && (!is_corner || round(a, b) || round(b, a))
    }

    #[test]
    fn steps_lead_where_nothing_is_in_the_way() {
        let mut random = Random(4);
        for n in 0..300 {
            let (field, closed) = walled(&mut random, Metric::ALL[n % 3]);
            for a in Spaces::all(13, 13).iter() {
                let near: Spaces = field.neighbours(a).into_iter().collect();
                assert_eq!(near.len(), field.neighbours(a).len());
                for b in Spaces::all(13, 13).iter() {
                    let expected = leads(&field, &closed, a, b);
                    assert_eq!(field.is_step(a, b), expected, "{field:?} {closed:?} from {a} to {b}");
                    assert_eq!(near.has(b), expected, "{field:?} {closed:?} from {a} to {b}");
                }
            }
        }
    }

    #[test]
    fn a_wall_that_is_taken_away_leaves_nothing() {
        let mut random = Random(5);
        for &metric in Metric::ALL {
            let open = Field::grid(9, 9, metric);
            let mut field = open.clone();
            let some = random.some(9, 9, 40);
            some.iter().for_each(|space| field.set_kind(space, Field::WALL));
            assert_eq!(*field.spaces(), open.spaces().minus(&some));
            assert_ne!(field, open);
            some.iter().for_each(|space| field.set_kind(space, Field::PLAIN));
            assert_eq!(field, open);
        }
    }

    #[test]
    fn a_corner_is_cut_by_one_wall_and_not_between_two() {
        let open = Field::grid(3, 3, Metric::Square);
        let check = |walls: &[&str], edges: &[(&str, &str)], expected: bool| {
            let mut field = open.clone();
            walls.iter().for_each(|wall| field.set_kind(at(wall), Field::WALL));
            edges.iter().for_each(|(a, b)| field.wall(at(a), at(b)));
            for (a, b) in [("A1", "B2"), ("B2", "A1")] {
                assert_eq!(field.is_step(at(a), at(b)), expected, "{walls:?} {edges:?}");
            }
        };
        check(&[], &[], true);
        check(&["B1"], &[], true);
        check(&["B1", "A2"], &[], false);
        check(&[], &[("A1", "B1")], true);
        check(&[], &[("A1", "B1"), ("A1", "A2")], false);
        check(&[], &[("A1", "B1"), ("A2", "B2")], false);
        check(&["B1"], &[("B2", "A2")], false);
        check(&[], &[("B2", "A1")], false);
        check(&[], &[("A1", "C1"), ("B1", "A2")], true);
    }

    #[test]
    fn what_is_not_on_the_map_is_a_wall() {
        let mut field = Field::grid(3, 2, Metric::Square);
        let before = field.clone();
        for beyond in ["D1", "A3", "BL64"] {
            assert_eq!(field.kind(at(beyond)), Field::WALL);
            field.set_kind(at(beyond), Field::PLAIN);
            field.name(at(beyond), "beyond");
            field.wall(at("C2"), at(beyond));
            assert!(!field.is_there(at(beyond)) && !field.is_step(at("C2"), at(beyond)));
        }
        assert_eq!(field.spaces(), before.spaces());
        assert_eq!(field.named_spaces().count(), 0);
        assert_eq!(
            (Field::grid(0, 0, Metric::Hex).columns(), Field::grid(1, 99, Metric::Hex).rows()),
            (1, 64)
        );
    }

    #[test]
    fn spaces_are_found_by_their_names() {
        let mut field = Field::grid(9, 9, Metric::Square);
        field.name(at("C2"), "the Salt Gate");
        assert_eq!(field.named(at("C2")), Some("the Salt Gate"));
        for text in ["the Salt Gate", "the-salt-gate", "c2"] {
            assert_eq!(field.find(text), Some(at("C2")), "{text}");
        }
        assert_eq!((field.find("K1"), field.find("well"), field.find("")), (None, None, None));
    }
}
