//! Numbers from text: the same text gives the same numbers on every machine.

/// A generator that begins with a text.
#[derive(Clone)]
pub(crate) struct Seed(u64);

impl Seed {
    /// Letters count, their case and the spaces around words do not.
    pub(crate) fn of(text: &str) -> Self {
        let words = text.split_whitespace().flat_map(|word| word.chars().chain([' ']));
        let letters = words.flat_map(char::to_lowercase);
        // FNV-1a.
        Self(letters.fold(0xcbf2_9ce4_8422_2325, |hash, letter| {
            (hash ^ u64::from(u32::from(letter))).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// The next number: SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `end`, and 0 if there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % end).unwrap_or(0)
    }

    /// A number from `from` to `to`, both included.
    pub(crate) fn within(&mut self, from: i32, to: i32) -> i32 {
        let span = usize::try_from(to.saturating_sub(from)).unwrap_or(0) + 1;
        from + i32::try_from(self.below(span)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_gives_the_same_numbers() {
        let draw = |text| {
            let mut seed = Seed::of(text);
            [seed.below(1000), seed.below(1000), seed.below(1000)]
        };
        assert_eq!(draw("Salt Gate"), draw("  salt   GATE "));
        assert_ne!(draw("Salt Gate"), draw("Salt Gates"));
        assert_ne!(draw("a b"), draw("ab"));
        assert_eq!(draw("Salt Gate"), [590, 50, 193], "kept, so that pictures stay the same");
    }

    #[test]
    fn bounds_hold() {
        let mut seed = Seed::of("");
        assert!((0..1000).map(|_| seed.within(-3, 3)).all(|number| (-3..=3).contains(&number)));
        assert_eq!((seed.below(0), seed.within(5, 5), seed.within(5, 1)), (0, 5, 5));
    }
}
