//! Which steps walls close: a step goes from the centre of a space to that of a neighbour.

use fracas_kernel::{Field, MAX_SIDE, Metric, Space};

/// The most columns, and rows.
const SIDE: usize = MAX_SIDE as usize;

/// So close to a corner of spaces a wall ends at it, in spaces.
const CORNER: f64 = 0.1;

/// A part of a wall, or of a door, in spaces from the upper left corner of the map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Segment {
    pub(crate) from: [f64; 2],
    pub(crate) to: [f64; 2],
}

/// The steps from a space, by columns and rows; those back are the same.
const STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// The steps that some segments meet, by row and column.
struct Met(Vec<[bool; STEPS.len()]>);

impl Met {
    /// Those that one of the segments meets; `at_end` says whether a step across the corner at
    /// which a segment ends counts.
    fn by(segments: &[Segment], at_end: bool) -> Met {
        let mut met = Met(vec![[false; STEPS.len()]; SIDE * SIDE]);
        segments.iter().for_each(|segment| met.add(segment, at_end));
        met
    }

    fn add(&mut self, segment: &Segment, at_end: bool) {
        let [a, b] = [segment.from, segment.to];
        let (top, bottom) = (a[1].min(b[1]), a[1].max(b[1]));
        // The steps of a row lie between the middle of it and that of the next.
        for row in rows(top - 1.5, bottom - 0.5) {
            let middle = row as f64 + 0.5;
            let [upper, lower] = clipped(segment, middle, middle + 1.0);
            for column in rows(upper.min(lower) - 1.5, upper.max(lower) + 0.5) {
                let met = &mut self.0[row * SIDE + column];
                for (met, step) in met.iter_mut().zip(STEPS) {
                    *met |= is_met((column, row), step, segment).unwrap_or(at_end);
                }
            }
        }
    }

    fn has(&self, space: Space, step: usize) -> bool {
        self.0[usize::from(space.row()) * SIDE + usize::from(space.column())][step]
    }
}

/// The rows, or columns, of the largest map between two numbers.
fn rows(from: f64, to: f64) -> std::ops::Range<usize> {
    let within = |number: f64| number.clamp(0.0, SIDE as f64) as usize;
    within(from.floor())..within(to.floor() + 1.0)
}

/// How far to the left and right a segment lies between two heights, or more.
fn clipped(segment: &Segment, top: f64, bottom: f64) -> [f64; 2] {
    let Segment { from: a, to: b } = *segment;
    let (high, wide) = (b[1] - a[1], b[0] - a[0]);
    if high.abs() < 1e-9 {
        return [a[0], b[0]];
    }
    let at = |y: f64| a[0] + wide * ((y - a[1]) / high).clamp(0.0, 1.0);
    [at(top), at(bottom)]
}

/// Whether a step from a space meets a segment; `None` where the step passes the corner at which
/// the segment ends.
fn is_met((column, row): (usize, usize), (right, down): (i8, i8), segment: &Segment) -> Option<bool> {
    let from = [column as f64 + 0.5, row as f64 + 0.5];
    let to = [from[0] + f64::from(right), from[1] + f64::from(down)];
    let corner = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0];
    let is_near = |end: [f64; 2]| (end[0] - corner[0]).hypot(end[1] - corner[1]) < CORNER;
    let is_across = right != 0 && down != 0;
    if is_across && (is_near(segment.from) || is_near(segment.to)) {
        return None;
    }
    Some(meet((from, to), (segment.from, segment.to)))
}

type Line = ([f64; 2], [f64; 2]);

/// Whether two lines have a point in common; one of no length has none.
fn meet((p, q): Line, (a, b): Line) -> bool {
    if a == b {
        return false;
    }
    let sides = |(p, q): Line, a: [f64; 2], b: [f64; 2]| {
        let side = |c: [f64; 2]| (q[0] - p[0]) * (c[1] - p[1]) - (q[1] - p[1]) * (c[0] - p[0]);
        let sign = |number: f64| if number.abs() < 1e-9 { 0 } else { number.signum() as i8 };
        [sign(side(a)), sign(side(b))]
    };
    let (ours, theirs) = (sides((p, q), a, b), sides((a, b), p, q));
    if ours == [0, 0] {
        let overlap =
            |at: usize| p[at].min(q[at]) <= a[at].max(b[at]) && a[at].min(b[at]) <= p[at].max(q[at]);
        return overlap(0) && overlap(1);
    }
    ours[0] * ours[1] <= 0 && theirs[0] * theirs[1] <= 0
}

/// The edges of a map that walls close, each by the two spaces beside it. A step that meets a
/// door is open. A step across a corner at which a wall or a door ends is left to the ways round
/// that corner, and no step is named that these close already.
pub(crate) fn closed((columns, rows): (u8, u8), walls: &[Segment], doors: &[Segment]) -> Vec<(Space, Space)> {
    let (walls, doors) = (Met::by(walls, false), Met::by(doors, true));
    let mut field = Field::grid(columns, rows, Metric::Square);
    let all = *field.spaces();
    for (nth, (right, down)) in STEPS.into_iter().enumerate() {
        for space in all.iter().filter(|&space| walls.has(space, nth) && !doors.has(space, nth)) {
            let to = (space.column().checked_add_signed(right), space.row().checked_add_signed(down));
            let to = to.0.zip(to.1).and_then(|(column, row)| Space::new(column, row));
            if let Some(to) = to.filter(|&to| field.is_step(space, to)) {
                field.wall(space, to);
            }
        }
    }
    field.walls().collect()
}
