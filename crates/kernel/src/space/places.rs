//! Named places with lengths between them.

use super::{Field, MAX_PLACES, MAX_WAYS, Space, Spaces};

/// Why there cannot be such places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlacesError {
    /// None, or more than [`MAX_PLACES`].
    #[error("there are 1 to {MAX_PLACES} places, and these are {0}")]
    Count(usize),
    /// Two places have the same slug: their numbers.
    #[error("places {0} and {1} have the same name")]
    Twice(usize, usize),
    /// A length from or to a number that no place has.
    #[error("no place has number {0}")]
    Unknown(usize),
    /// A length from a place to itself.
    #[error("a length leads from place {0} to itself")]
    Itself(usize),
    /// A length of 0, or of more than [`Field::MAX_LENGTH`].
    #[error("a length is 1 to {most} spaces, and this is {0}", most = Field::MAX_LENGTH)]
    Length(u8),
    /// Two lengths for a pair of places.
    #[error("places {0} and {1} have two lengths")]
    Differs(usize, usize),
    /// More than [`MAX_WAYS`] ways lead from this place.
    #[error("more than {MAX_WAYS} ways lead from place {0}")]
    Ways(usize),
}

/// Places by number.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Places {
    /// The slug and the name of each.
    pub(super) names: Vec<(String, String)>,
    /// The length of the way from one to another; 0 where none leads directly.
    lengths: [[u8; MAX_PLACES]; MAX_PLACES],
    /// The least sum of lengths; [`u16::MAX`] where no way leads.
    apart: [[u16; MAX_PLACES]; MAX_PLACES],
}

impl Places {
    pub(super) fn new(
        names: Vec<(String, String)>,
        lengths: &[(usize, usize, u8)],
    ) -> Result<Places, PlacesError> {
        let count = names.len();
        if !(1..=MAX_PLACES).contains(&count) {
            return Err(PlacesError::Count(count));
        }
        let first = |slug: &str| names.iter().position(|(there, _)| there == slug);
        for (n, (slug, _)) in names.iter().enumerate() {
            if let Some(before) = first(slug).filter(|&before| before < n) {
                return Err(PlacesError::Twice(before, n));
            }
        }
        let mut places = Places {
            names,
            lengths: [[0; MAX_PLACES]; MAX_PLACES],
            apart: [[u16::MAX; MAX_PLACES]; MAX_PLACES],
        };
        lengths.iter().try_for_each(|&length| places.connect(length))?;
        let ways = |n: &usize| places.lengths[*n].iter().filter(|&&length| length > 0).count();
        if let Some(crowded) = (0..count).find(|n| ways(n) > MAX_WAYS) {
            return Err(PlacesError::Ways(crowded));
        }
        places.measure();
        Ok(places)
    }

    /// Notes a way between two places.
    fn connect(&mut self, (a, b, length): (usize, usize, u8)) -> Result<(), PlacesError> {
        if let Some(&unknown) = [a, b].iter().find(|&&n| n >= self.names.len()) {
            return Err(PlacesError::Unknown(unknown));
        }
        if a == b {
            return Err(PlacesError::Itself(a));
        }
        if !(1..=Field::MAX_LENGTH).contains(&length) {
            return Err(PlacesError::Length(length));
        }
        if ![0, length].contains(&self.lengths[a][b]) {
            return Err(PlacesError::Differs(a, b));
        }
        (self.lengths[a][b], self.lengths[b][a]) = (length, length);
        Ok(())
    }

    /// Works out how far all are apart: by way of the first place, of the first two, and so on.
    fn measure(&mut self) {
        let count = self.names.len();
        for (a, apart) in self.apart.iter_mut().enumerate().take(count) {
            for (b, apart) in apart.iter_mut().enumerate().take(count) {
                *apart = match self.lengths[a][b] {
                    0 if a == b => 0,
                    0 => u16::MAX,
                    length => length.into(),
                };
            }
        }
        for by in 0..count {
            for a in 0..count {
                for b in 0..count {
                    let round = self.apart[a][by].saturating_add(self.apart[by][b]);
                    self.apart[a][b] = self.apart[a][b].min(round);
                }
            }
        }
    }

    /// How far two places are apart; 1 from a place to itself.
    pub(super) fn distance(&self, a: Space, b: Space) -> u16 {
        let count = self.names.len();
        match (a.index(), b.index()) {
            (a, b) if a >= count || b >= count => u16::MAX,
            (a, b) if a == b => 1,
            (a, b) => self.apart[a][b],
        }
    }

    /// The length of the way between two places; 0 where none leads directly.
    pub(super) fn length(&self, a: Space, b: Space) -> u8 {
        self.lengths.get(a.index()).and_then(|lengths| lengths.get(b.index())).copied().unwrap_or(0)
    }

    /// The places to which a way leads directly.
    pub(super) fn neighbours(&self, space: Space) -> impl Iterator<Item = Space> {
        let lengths = self.lengths.get(space.index()).into_iter().flatten();
        lengths.enumerate().filter(|&(_, &length)| length > 0).filter_map(|(n, _)| Space::of_index(n))
    }

    /// Finds the places within `most` of one by way of `free` ones, as far as the goal if there is
    /// one: `reached` takes each, with the sum of the lengths to it.
    pub(super) fn flood(
        &self,
        (from, most, goal): (Space, u8, Option<Space>),
        free: &Spaces,
        mut reached: impl FnMut(Space, u8),
    ) {
        // The least sum so far, by place, of those that are not settled yet.
        let mut sums = [None; MAX_PLACES];
        let mut left = free.without(from);
        let (mut at, mut sum) = (from, 0u8);
        loop {
            for next in self.neighbours(at).filter(|&next| left.has(next)) {
                let longer = sum.checked_add(self.length(at, next)).filter(|&longer| longer <= most);
                let best: &mut Option<u8> = &mut sums[next.index()];
                *best = [*best, longer].into_iter().flatten().min();
            }
            let nearest = sums.iter().enumerate().filter_map(|(n, sum)| Some(((*sum)?, n))).min();
            let Some((nearest, n)) = nearest else { return };
            let Some(settled) = Space::of_index(n) else { return };
            (at, sum) = (settled, nearest);
            sums[n] = None;
            left.remove(at);
            reached(at, sum);
            if goal == Some(at) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Random;
    use super::*;
    use crate::space::Reach;

    fn names(count: usize) -> Vec<(String, String)> {
        (0..count).map(|n| (format!("place-{n}"), format!("Place {n}"))).collect()
    }

    fn nth(n: usize) -> Space {
        Space::of_index(n).unwrap()
    }

    /// Gate, bridge and yard in a row, and a cellar to which no way leads.
    fn yard() -> Field {
        let names = ["gate", "bridge", "yard", "cellar"].map(|slug| (slug.to_owned(), slug.to_uppercase()));
        Field::places(names.into(), &[(0, 1, 6), (1, 2, 4), (0, 2, 20)]).unwrap()
    }

    #[test]
    fn places_are_apart_by_the_shortest_way() {
        let field = yard();
        let far = |a, b| field.distance(nth(a), nth(b));
        assert_eq!((far(0, 1), far(0, 2), far(2, 0), far(1, 1)), (6, 10, 10, 1));
        assert_eq!((far(0, 3), far(3, 3), far(0, 4), far(9, 9)), (u16::MAX, 1, u16::MAX, u16::MAX));
        assert_eq!((field.length(nth(0), nth(2)), field.length(nth(0), nth(3))), (20, 0));
        assert!(field.is_step(nth(0), nth(2)) && !field.is_step(nth(0), nth(3)));
        assert_eq!(field.neighbours(nth(1)).as_slice(), [nth(0), nth(2)]);
        assert_eq!((field.columns(), field.rows(), field.is_grid()), (4, 1, false));
        assert_eq!((field.place_slug(nth(2)), field.place_name(nth(2))), (Some("yard"), Some("YARD")));
        assert_eq!(
            (field.find("yard"), field.find("Yard"), field.find("A1")),
            (Some(nth(2)), Some(nth(2)), None)
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let check = |count, lengths: &[_], expected| {
            assert_eq!(Field::places(names(count), lengths).unwrap_err(), expected);
        };
        check(0, &[], PlacesError::Count(0));
        check(25, &[], PlacesError::Count(25));
        check(3, &[(0, 3, 1)], PlacesError::Unknown(3));
        check(3, &[(1, 1, 1)], PlacesError::Itself(1));
        check(3, &[(1, 2, 0)], PlacesError::Length(0));
        check(3, &[(1, 2, 61)], PlacesError::Length(61));
        check(3, &[(1, 2, 5), (2, 1, 5), (2, 1, 6)], PlacesError::Differs(2, 1));
        let star: Vec<_> = (1..18).map(|n| (0, n, 1)).collect();
        check(18, &star, PlacesError::Ways(0));
        assert!(Field::places(names(17), &star[..16]).is_ok());
        let twice = [names(1), names(2)].concat();
        assert_eq!(Field::places(twice, &[]).unwrap_err(), PlacesError::Twice(0, 1));
    }

    #[test]
    fn places_are_reached_by_free_ones() {
        let field = yard();
        let mut reach = Reach::new();
        let mut steps = |most, free: &Spaces| {
            field.reach(nth(0), most, free, &mut reach);
            [0, 1, 2, 3].map(|n| reach.steps(nth(n)))
        };
        let all = *field.spaces();
        assert_eq!(steps(9, &all), [Some(0), Some(6), None, None]);
        assert_eq!(steps(10, &all), [Some(0), Some(6), Some(10), None]);
        assert_eq!(steps(20, &all.without(nth(1))), [Some(0), None, Some(20), None]);
        assert_eq!(steps(19, &all.without(nth(1))), [Some(0), None, None, None]);
        let path = |most, free: &Spaces| field.walk(nth(0), &[], nth(2), most, free);
        assert_eq!(path(20, &all).unwrap().as_slice(), [nth(1), nth(2)]);
        assert_eq!(path(20, &all.without(nth(1))).unwrap().as_slice(), [nth(2)]);
        assert!(path(9, &all).is_err());
        assert_eq!(field.walk(nth(0), &[nth(1)], nth(0), 12, &all).unwrap().as_slice(), [nth(1), nth(0)]);
        assert!(field.walk(nth(0), &[nth(1)], nth(0), 11, &all).is_err());
        assert_eq!(field.straight(nth(0), nth(2), &all, 20).unwrap().as_slice(), [nth(2)]);
        assert_eq!(field.straight(nth(0), nth(2), &all, 19), None);
        assert_eq!(field.straight(nth(0), nth(3), &all, 99), None);
    }

    #[test]
    fn of_two_ways_as_long_the_direct_one_is_taken() {
        let field = Field::places(names(3), &[(0, 1, 6), (1, 2, 4), (0, 2, 10)]).unwrap();
        for (from, to) in [(0, 2), (2, 0)] {
            let path = field.walk(nth(from), &[], nth(to), 10, field.spaces()).unwrap();
            assert_eq!(path.as_slice(), [nth(to)]);
        }
    }

    #[test]
    fn a_place_may_be_closed() {
        let mut field = yard();
        field.set_kind(nth(1), Field::WALL);
        assert!(!field.is_step(nth(0), nth(1)) && field.is_step(nth(0), nth(2)));
        let mut reach = Reach::new();
        field.reach(nth(0), 99, &Spaces::all(64, 64), &mut reach);
        assert_eq!(reach.iter().collect::<Vec<_>>(), [nth(0), nth(2)]);
        field.reach(nth(1), 99, &Spaces::all(64, 64), &mut reach);
        assert!(reach.spaces().is_empty());
    }

    /// The least sums from a place, by trying every way as often as there are places.
    fn sums(field: &Field, from: Space, free: &Spaces) -> Vec<u16> {
        let count = field.columns().into();
        let mut sums = vec![u16::MAX; count];
        sums[from.index()] = 0;
        for _ in 0..count {
            for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
                let length = field.length(nth(a), nth(b));
                if length > 0 && free.has(nth(b)) {
                    sums[b] = sums[b].min(sums[a].saturating_add(length.into()));
                }
            }
        }
        sums
    }

    #[test]
    fn reach_agrees_with_trying_every_way() {
        let mut random = Random(6);
        let mut reach = Reach::new();
        for _ in 0..300 {
            let count = random.below(MAX_PLACES) + 1;
            let mut lengths = Vec::new();
            for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
                if random.below(count) < 3 {
                    lengths.push((a, b, random.below(60) as u8 + 1));
                }
            }
            let Ok(field) = Field::places(names(count), &lengths) else { continue };
            let (from, most) = (nth(random.below(count)), random.below(255) as u8);
            let all = Spaces::all(count as u8, 1);
            for (to, sum) in
                sums(&field, from, &all).into_iter().enumerate().filter(|(n, _)| *n != from.index())
            {
                assert_eq!(field.distance(from, nth(to)), sum);
            }
            let free = random.some(count as u8, 1, 70);
            field.reach(from, most, &free, &mut reach);
            for (to, sum) in sums(&field, from, &free).into_iter().enumerate() {
                let expected = u8::try_from(sum).ok().filter(|&sum| sum <= most);
                assert_eq!(reach.steps(nth(to)), expected, "{lengths:?} from {from:?} to {to}");
                let path = reach.path(&field, nth(to));
                assert_eq!(path.map(|path| field.total(from, &path)), expected.map(u16::from));
            }
        }
    }
}
