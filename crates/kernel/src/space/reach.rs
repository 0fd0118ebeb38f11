//! What can be reached, and on which way.

use super::{Field, Path, SIDE, Space, Spaces, grid};

/// What can be reached from a space. Kept by the caller and filled anew by [`Field::reach`],
/// so that nothing is allocated.
#[derive(Clone)]
pub struct Reach {
    start: Space,
    spaces: Spaces,
    /// Steps by [`Space::index`]; [`FAR`] where none lead.
    steps: [u8; Space::COUNT],
}

/// In place of a count of steps: it was not reached.
const FAR: u8 = u8::MAX;

/// A space that a walk cannot come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no way leads to {at}")]
pub struct Blocked {
    /// The first such of those that the walk should come to.
    pub at: Space,
}

impl Default for Reach {
    fn default() -> Reach {
        Reach::new()
    }
}

impl std::fmt::Debug for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter().map(|space| (space, self.steps[space.index()]))).finish()
    }
}

impl Reach {
    /// Nothing yet.
    pub const fn new() -> Reach {
        Reach { start: Space(0), spaces: Spaces::EMPTY, steps: [FAR; Space::COUNT] }
    }

    /// From where.
    pub const fn start(&self) -> Space {
        self.start
    }

    /// How many steps lead to a space (of places the sum of their lengths): 0 to the start;
    /// `None` where it was not reached.
    pub const fn steps(&self, space: Space) -> Option<u8> {
        match self.steps[space.index()] {
            FAR => None,
            steps => Some(steps),
        }
    }

    /// All spaces that were reached, the start among them.
    pub const fn spaces(&self) -> &Spaces {
        &self.spaces
    }

    /// The same, by row and then by column.
    pub fn iter(&self) -> impl Iterator<Item = Space> + '_ {
        self.spaces.iter()
    }

    /// A shortest path to a space, as close to the straight line as can be; always the same.
    /// Empty to the start. `None` where the space was not reached, or more than [`MAX_PATH`](super::MAX_PATH)
    /// steps lead to it. The field is that in which it was reached.
    pub fn path(&self, field: &Field, to: Space) -> Option<Path> {
        let mut path = Path::new();
        let (mut at, mut steps) = (to, self.steps(to)?);
        while at != self.start {
            path.try_push(at).ok()?;
            at = self.before(field, (at, steps), to)?;
            steps = self.steps(at)?;
        }
        path.reverse();
        Some(path)
    }

    /// The space from which a shortest path to `end` comes to one of its spaces.
    fn before(&self, field: &Field, (at, steps): (Space, u8), end: Space) -> Option<Space> {
        let leads = |&from: &Space| {
            self.steps(from).is_some_and(|before| steps.checked_sub(before) == Some(field.length(from, at)))
        };
        // Of places that with the longest last way: so there are fewest.
        let aside = |&from: &Space| match field.is_grid() {
            true => self.aside(field, from, end),
            false => self.steps[from.index()].into(),
        };
        field.neighbours(at).into_iter().filter(leads).min_by_key(aside)
    }

    /// How far a space is beside the straight line to `end`, in a measure of that line.
    fn aside(&self, field: &Field, space: Space, end: Space) -> u32 {
        let drawn = |space| grid::drawn(field.metric(), space);
        let (start, end, at) = (drawn(self.start), drawn(end), drawn(space));
        let across = (end.0 - start.0) * (at.1 - start.1) - (end.1 - start.1) * (at.0 - start.0);
        across.unsigned_abs()
    }
}

impl Field {
    /// Finds all spaces that can be reached in at most `most` steps (of places: a sum of lengths)
    /// by way of `free` spaces. The start need not be free. Nothing, not even the start, is
    /// reached from where nobody can be. No more than 254 steps are counted.
    pub fn reach(&self, from: Space, most: u8, free: &Spaces, out: &mut Reach) {
        self.search((from, most, None), free, out);
    }

    /// The same, and only as far as the goal if there is one.
    fn search(&self, (from, most, goal): (Space, u8, Option<Space>), free: &Spaces, out: &mut Reach) {
        out.start = from;
        out.spaces = Spaces::EMPTY;
        out.steps.fill(FAR);
        if !self.is_there(from) {
            return;
        }
        out.spaces.add(from);
        out.steps[from.index()] = 0;
        let Reach { spaces, steps, .. } = out;
        self.flood((from, most.min(FAR - 1), goal), free, |row, new, count| {
            spaces.0[row] |= new;
            let steps = &mut steps[row * SIDE..][..SIDE];
            let mut left = new;
            while left != 0 {
                steps[left.trailing_zeros() as usize] = count;
                left &= left - 1;
            }
        });
    }

    /// The straight [`Field::line`] to a space, if each step of it is allowed and free, and they
    /// are at most `most` long together, and no more than [`MAX_PATH`](super::MAX_PATH).
    pub fn straight(&self, from: Space, to: Space, free: &Spaces, most: u8) -> Option<Path> {
        if from == to {
            return Some(Path::new());
        }
        if self.is_grid() && self.distance(from, to) > most.into() {
            return None;
        }
        let line = self.line(from, to);
        let starts = std::iter::once(&from).chain(&line);
        let is_open = |(&a, &b): (&Space, &Space)| free.has(b) && self.is_step(a, b);
        let is_near = !line.is_empty() && self.total(from, &line) <= most.into();
        let is_open = is_near && starts.zip(&line).all(is_open);
        is_open.then(|| Path::try_from(line.as_slice()).ok()).flatten()
    }

    /// A path by way of some spaces to another, in at most `most` steps: straight from each to the
    /// next where it can be, else (and always between places) by a shortest path. Who walks may
    /// come back to the start.
    ///
    /// # Errors
    /// The first space that cannot be come to so.
    pub fn walk(
        &self,
        from: Space,
        via: &[Space],
        to: Space,
        most: u8,
        free: &Spaces,
    ) -> Result<Path, Blocked> {
        let free = free.with(from);
        let mut path = Path::new();
        let (mut at, mut left) = (from, most);
        for next in via.iter().copied().chain([to]) {
            let blocked = Blocked { at: next };
            let leg = self.leg(at, next, left, &free).ok_or(blocked)?;
            path.try_extend_from_slice(&leg).map_err(|_| blocked)?;
            left = left.saturating_sub(self.total(at, &leg).min(u8::MAX.into()) as u8);
            at = next;
        }
        Ok(path)
    }

    /// A path from a space to another, straight where it can be.
    fn leg(&self, from: Space, to: Space, most: u8, free: &Spaces) -> Option<Path> {
        if from == to {
            return Some(Path::new());
        }
        if !free.has(to) || self.distance(from, to) > most.into() {
            return None;
        }
        let straight = if self.is_grid() { self.straight(from, to, free, most) } else { None };
        straight.or_else(|| {
            let mut reach = Reach::new();
            self.search((from, most, Some(to)), free, &mut reach);
            reach.path(self, to)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Random, at};
    use super::super::{MAX_PATH, Metric};
    use super::*;
    use std::collections::VecDeque;

    #[test]
    fn what_spreads_is_what_any_start_reaches() {
        let mut random = Random(11);
        for metric in [Metric::Square, Metric::Orthogonal, Metric::Hex] {
            for _ in 0..20 {
                let field = walled(&mut random, metric);
                let (columns, rows) = (field.columns(), field.rows());
                let starts = random.some(columns, rows, 3);
                let free = field.spaces().minus(&random.some(columns, rows, 10));
                let most = random.below(9) as u8;
                let mut expected = Spaces::EMPTY;
                for start in starts.iter() {
                    let mut reach = Reach::new();
                    field.reach(start, most, &free, &mut reach);
                    expected = expected.union(reach.spaces());
                }
                assert_eq!(field.spread(&starts, most, &free), expected, "{field:?} {most}");
            }
        }
    }

    /// A map with walls and closed edges.
    fn walled(random: &mut Random, metric: Metric) -> Field {
        let (columns, rows) = match random.below(4) {
            0 => (64, 64),
            1 => (random.below(64) as u8 + 1, random.below(64) as u8 + 1),
            _ => (random.below(12) as u8 + 1, random.below(12) as u8 + 1),
        };
        let mut field = Field::grid(columns, rows, metric);
        let percent = random.below(40);
        random.some(columns, rows, percent).iter().for_each(|space| field.set_kind(space, Field::WALL));
        for space in random.some(columns, rows, 20).iter() {
            let near = field.neighbours(space);
            if !near.is_empty() {
                field.wall(space, near[random.below(near.len())]);
            }
        }
        field
    }

    /// How many steps lead to each space, by a queue.
    fn slow(field: &Field, from: Space, most: u8, free: &Spaces) -> Vec<Option<u8>> {
        let mut steps = vec![None; Space::COUNT];
        if !field.is_there(from) {
            return steps;
        }
        steps[from.index()] = Some(0);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((space, count)) = queue.pop_front() {
            for next in field.neighbours(space) {
                if count < most && free.has(next) && steps[next.index()].is_none() {
                    steps[next.index()] = Some(count + 1);
                    queue.push_back((next, count + 1));
                }
            }
        }
        steps
    }

    #[test]
    fn reach_agrees_with_a_queue() {
        let mut random = Random(7);
        let mut reach = Reach::new();
        for n in 0..600 {
            let field = walled(&mut random, Metric::ALL[n % 3]);
            let from = random.space(field.columns(), field.rows());
            let free = random.some(64, 64, 70 + n % 31);
            let most = [0, 1, 5, 14, 28, 254, 255][random.below(7)];
            field.reach(from, most, &free, &mut reach);
            let expected = slow(&field, from, most.min(254), &free);
            for (index, expected) in expected.iter().enumerate() {
                let space = Space::of_index(index).unwrap();
                assert_eq!(reach.steps(space), *expected, "{field:?} from {from} to {space} in {most}");
                assert_eq!(reach.spaces().has(space), expected.is_some());
            }
            assert_eq!(reach.iter().count(), expected.iter().flatten().count());
            assert_eq!(reach.start(), from);
        }
    }

    #[test]
    fn a_path_is_a_shortest_and_the_same_each_time() {
        let mut random = Random(8);
        let (mut reach, mut again) = (Reach::new(), Reach::new());
        for n in 0..300 {
            let field = walled(&mut random, Metric::ALL[n % 3]);
            let from = random.space(field.columns(), field.rows());
            let free = random.some(64, 64, 90);
            field.reach(random.space(64, 64), 99, &free, &mut again);
            field.reach(from, 200, &free, &mut reach);
            field.reach(from, 200, &free, &mut again);
            for to in random.some(64, 64, 5).iter() {
                let path = reach.path(&field, to);
                assert_eq!(path, again.path(&field, to));
                let steps = reach.steps(to).map(usize::from).filter(|&steps| steps <= MAX_PATH);
                assert_eq!(path.as_ref().map(|path| path.len()), steps);
                let Some(path) = path else { continue };
                assert_eq!(path.last().copied().unwrap_or(from), to);
                let mut before = from;
                for space in path {
                    assert!(free.has(space) && field.is_step(before, space), "{field:?} {before} {space}");
                    before = space;
                }
            }
        }
    }

    /// The map that is drawn, with `#` for walls.
    fn drawn(metric: Metric, rows: &[&str]) -> Field {
        let mut field = Field::grid(rows[0].len() as u8, rows.len() as u8, metric);
        for (row, text) in rows.iter().enumerate() {
            for (column, _) in text.match_indices('#') {
                field.set_kind(Space::new(column as u8, row as u8).unwrap(), Field::WALL);
            }
        }
        field
    }

    fn spaces(text: &str) -> Path {
        text.split_whitespace().map(at).collect()
    }

    #[test]
    fn a_path_keeps_to_the_straight_line() {
        let field = Field::grid(12, 12, Metric::Square);
        let mut reach = Reach::new();
        let mut path = |from: &str, to: &str| {
            field.reach(at(from), 20, field.spaces(), &mut reach);
            reach.path(&field, at(to)).unwrap()
        };
        assert_eq!(path("B2", "G2"), spaces("C2 D2 E2 F2 G2"));
        assert_eq!(path("G2", "B2"), spaces("F2 E2 D2 C2 B2"));
        assert_eq!(path("A1", "D4"), spaces("B2 C3 D4"));
        let aside = path("A1", "I3");
        assert!(
            aside.iter().all(|space| (i32::from(space.column()) - 4 * i32::from(space.row())).abs() <= 2),
            "{aside:?}"
        );
        assert_eq!(path("A1", "A1"), spaces(""));
    }

    #[test]
    fn who_stands_in_a_crowd_may_step_out() {
        let field = Field::grid(5, 1, Metric::Square);
        let free = field.spaces().without(at("B1"));
        let mut reach = Reach::new();
        field.reach(at("B1"), 2, &free, &mut reach);
        assert_eq!(reach.iter().collect::<Path>(), spaces("A1 B1 C1 D1"));
        assert_eq!(format!("{reach:?}"), "{A1: 1, B1: 0, C1: 1, D1: 2}");
        field.reach(at("A1"), 9, &free, &mut reach);
        assert_eq!(reach.iter().collect::<Path>(), spaces("A1"));
        field.reach(at("K1"), 9, &free, &mut reach);
        assert!(reach.spaces().is_empty() && reach.path(&field, at("A1")).is_none());
    }

    #[test]
    fn a_walk_goes_straight_or_round_what_is_in_the_way() {
        let field = drawn(Metric::Square, &["......", "..##..", "..##..", "......"]);
        let free = *field.spaces();
        let walk = |via: &str, to: &str, most| field.walk(at("A2"), &spaces(via), at(to), most, &free);
        assert_eq!(field.straight(at("A2"), at("F2"), &free, 9), None);
        assert_eq!(walk("", "B4", 9), Ok(spaces("B3 B4")));
        assert_eq!(walk("", "F2", 9).map(|path| path.len()), Ok(5));
        assert_eq!(walk("", "F2", 4), Err(Blocked { at: at("F2") }));
        assert_eq!(walk("C4", "F2", 9).map(|path| path.len()), Ok(5));
        assert_eq!(walk("C1 A2", "A2", 4), Ok(spaces("B2 C1 B2 A2")));
        assert_eq!(walk("C1 A2 A3", "F2", 4), Err(Blocked { at: at("A3") }));
        assert_eq!(walk("C2", "F2", 9), Err(Blocked { at: at("C2") }));
        assert_eq!(walk("", "A2", 0), Ok(spaces("")));
        assert_eq!(walk("", "K9", 99), Err(Blocked { at: at("K9") }));
        assert_eq!(Blocked { at: at("K9") }.to_string(), "no way leads to K9");
    }

    #[test]
    fn a_walk_goes_by_free_spaces() {
        let field = Field::grid(6, 3, Metric::Square);
        let free = field.spaces().without(at("A2")).without(at("C2"));
        let walk = |via: &str, to: &str| field.walk(at("A2"), &spaces(via), at(to), 9, &free);
        assert_eq!(field.straight(at("A2"), at("D2"), &free, 9), None);
        let path = walk("", "D2").unwrap();
        assert!(path.len() == 3 && !path.contains(&at("C2")), "{path:?}");
        assert_eq!(walk("", "C2"), Err(Blocked { at: at("C2") }));
        assert_eq!(walk("B2", "A2"), Ok(spaces("B2 A2")), "the start is free once it is left");
    }

    #[test]
    fn a_path_has_an_end() {
        // A way to and fro, of more spaces than a path has.
        let mut field = Field::grid(64, 3, Metric::Square);
        (0..63).for_each(|column| field.set_kind(Space::new(column, 1).unwrap(), Field::WALL));
        let mut reach = Reach::new();
        field.reach(at("A1"), 255, field.spaces(), &mut reach);
        let steps = |to: &str| reach.steps(at(to));
        assert_eq!(
            (steps("BK1"), steps("BL2"), steps("BK3"), steps("A3")),
            (Some(62), Some(63), Some(64), Some(126))
        );
        assert_eq!(reach.path(&field, at("BK3")).map(|path| path.len()), Some(64));
        assert_eq!(reach.path(&field, at("BJ3")), None);
        assert_eq!(field.walk(at("A1"), &[], at("BJ3"), 255, field.spaces()), Err(Blocked { at: at("BJ3") }));
        let corner = Field::grid(64, 64, Metric::Orthogonal);
        assert_eq!(corner.straight(at("A1"), at("BL64"), corner.spaces(), 255), None);
    }

    #[test]
    fn steps_are_counted_as_far_as_they_can_be() {
        // Rows of walls with a gap at one end or the other.
        let mut field = Field::grid(64, 15, Metric::Square);
        for (row, gap) in (1..15).step_by(2).zip([63, 0].into_iter().cycle()) {
            let wall = (0..64).filter(|&column| column != gap);
            wall.for_each(|column| field.set_kind(Space::new(column, row).unwrap(), Field::WALL));
        }
        let mut reach = Reach::new();
        field.reach(at("A1"), 255, field.spaces(), &mut reach);
        assert_eq!(reach.iter().filter_map(|space| reach.steps(space)).max(), Some(254));
        assert!(reach.iter().all(|space| reach.steps(space).is_some()));
        assert!(reach.spaces().len() < field.spaces().len());
    }

    #[test]
    fn a_walk_is_legal_wherever_it_leads() {
        let mut random = Random(9);
        let mut reach = Reach::new();
        for n in 0..600 {
            let field = walled(&mut random, Metric::ALL[n % 3]);
            let (columns, rows) = (field.columns(), field.rows());
            let free = random.some(columns, rows, 95);
            let from = random.space(columns, rows);
            let via: Vec<Space> = (0..random.below(3)).map(|_| random.space(columns, rows)).collect();
            let to = random.space(columns, rows);
            let most = random.below(60) as u8;
            let walked = field.walk(from, &via, to, most, &free);
            if via.is_empty() && from != to {
                field.reach(from, most, &free, &mut reach);
                let steps = reach.steps(to).map(usize::from).ok_or(Blocked { at: to });
                assert_eq!(walked.as_ref().map(|path| path.len()), steps.as_ref().copied());
            }
            let Ok(path) = walked else { continue };
            assert_eq!(path.last().copied().unwrap_or(from), to);
            assert!(path.len() <= most.into());
            let mut left = via.iter().filter(|&&space| space != from).peekable();
            let mut before = from;
            for &space in &path {
                assert!(field.is_step(before, space) && (free.has(space) || space == from));
                while left.peek() == Some(&&space) {
                    left.next();
                }
                before = space;
            }
        }
    }
}
