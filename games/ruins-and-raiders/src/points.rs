//! What traits cost, and what Brawn lifts.

/// Character points of the levels 0 to 9.
const FIRST: [u32; 10] = [0, 3, 4, 5, 6, 8, 10, 12, 16, 20];
/// Of the levels 10 to 19; each ten levels more cost ten times as much.
const THEN: [u32; 10] = [25, 30, 40, 50, 60, 80, 100, 120, 160, 200];
/// Kilograms that Brawn 0 to 9 lifts; each ten levels more lift ten times as much.
const LIFTED: [u32; 10] = [50, 64, 80, 100, 125, 160, 200, 250, 320, 400];

/// Character points of a trait or skill at this level, all together (`trait.cost`).
pub(crate) const fn cost(level: u32) -> u32 {
    let ones = (level % 10) as usize;
    match level / 10 {
        0 => FIRST[ones],
        tens => THEN[ones].saturating_mul(10_u32.saturating_pow(tens - 1)),
    }
}

/// Kilograms that Brawn of this level lifts (`trait.lift`).
pub(crate) const fn lift(level: u32) -> u32 {
    LIFTED[(level % 10) as usize].saturating_mul(10_u32.saturating_pow(level / 10))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocab::MAX_LEVEL;

    #[test]
    fn traits_cost_more_and_more() {
        for (level, points) in
            [(0, 0), (1, 3), (6, 10), (7, 12), (9, 20), (10, 25), (19, 200), (20, 250), (29, 2_000)]
        {
            assert_eq!(cost(level), points, "{level}");
        }
        assert_eq!((cost(30), cost(31)), (2_500, 3_000));
        for level in 1..=u32::from(MAX_LEVEL) {
            assert_eq!(cost(level + 10), 10 * cost(level), "{level}");
            assert!(cost(level) > cost(level - 1), "{level}");
        }
        assert_eq!(cost(u32::MAX), u32::MAX);
    }

    #[test]
    fn brawn_lifts_ten_times_as_much_with_ten_levels_more() {
        for (level, kilograms) in
            [(0, 50), (4, 125), (9, 400), (10, 500), (19, 4_000), (20, 5_000), (29, 40_000)]
        {
            assert_eq!(lift(level), kilograms, "{level}");
        }
        assert!((1..=u32::from(MAX_LEVEL)).all(|level| lift(level) > lift(level - 1)));
    }
}
