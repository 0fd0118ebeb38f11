//! Where people can stand on a map to begin with.

use crate::Map;
use fracas_kernel::{Field, Space, Spaces};

impl Map {
    /// Spaces for so many at the left and so many at the right, none twice, all of them in the
    /// largest part of the map through which one can walk; fewer where there are not so many.
    pub fn stands(&self, left: usize, right: usize) -> (Vec<Space>, Vec<Space>) {
        let middle = i16::from(self.rows / 2);
        let mut all: Vec<Space> = largest(&self.field()).iter().collect();
        all.sort_by_key(|space| (space.column(), (i16::from(space.row()) - middle).abs(), space.row()));
        let near: Vec<Space> = all.iter().copied().take(left).collect();
        let far = all.iter().skip(near.len()).rev().copied().take(right).collect();
        (near, far)
    }
}

/// The largest part of a map through which one can walk.
fn largest(field: &Field) -> Spaces {
    let (mut left, mut best) = (*field.spaces(), Spaces::EMPTY);
    loop {
        let Some(start) = left.iter().next() else { return best };
        let part = part(field, start);
        left = left.minus(&part);
        if part.len() > best.len() {
            best = part;
        }
    }
}

/// All spaces to which steps lead from one.
fn part(field: &Field, start: Space) -> Spaces {
    let mut part = Spaces::EMPTY.with(start);
    let mut front = vec![start];
    while let Some(space) = front.pop() {
        for next in field.neighbours(space) {
            if !part.has(next) {
                part.add(next);
                front.push(next);
            }
        }
    }
    part
}
