//! The random number generator.

use fracas_kernel::{Dice, Faces};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A portable random number generator: ChaCha8, reduced without bias.
///
/// The same seed and stream give the same numbers on every machine and in every version.
/// Streams of one seed are independent, so playouts can be spread over threads and machines
/// without changing any of them.
#[derive(Clone, Debug)]
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The generator of this seed, at the start of this stream.
    ///
    /// The key is the seed in little-endian order, followed by zeros.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(stream);
        Chance(rng)
    }

    /// 32 random bits.
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// 64 random bits.
    pub fn seed(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `n - 1`, each equally likely; 0 if `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        let mut wide = u64::from(self.word()) * u64::from(n);
        if (wide as u32) < n {
            // The lowest 2^32 mod n remainders would come up once too often.
            let spare = n.wrapping_neg() % n;
            while (wide as u32) < spare {
                wide = u64::from(self.word()) * u64::from(n);
            }
        }
        (wide >> 32) as u32
    }

    /// An index into a list of `len`, each equally likely; 0 if the list is empty.
    pub fn place(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).unwrap_or(u32::MAX)) as usize
    }

    /// A throw of these dice, in their order.
    pub fn throw(&mut self, dice: &Dice) -> Faces {
        let mut faces = Faces::new();
        for die in dice.kinds() {
            for _ in 0..die.count {
                faces.push(self.below(u32::from(die.sides)) as u8 + 1);
            }
        }
        faces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_never_change() {
        let mut chance = Chance::new(1, 0);
        let words: Vec<u32> = (0..4).map(|_| chance.word()).collect();
        // Computed by an independent implementation of ChaCha8.
        assert_eq!(words, [2699648719, 1638484553, 3990160702, 1266703218]);
        let dice = Dice::of(6, 6).and(4, 10);
        assert_eq!(Chance::new(1, 0).throw(&dice).as_slice(), [4, 3, 6, 2, 3, 5, 10, 10, 10, 9]);
        assert_eq!(Chance::new(1, 7).throw(&dice).as_slice(), [5, 2, 4, 2, 3, 4, 4, 4, 10, 7]);
    }

    #[test]
    fn every_face_is_equally_likely() {
        let mut chance = Chance::new(3, 0);
        for n in [2u32, 3, 6, 10, 100] {
            let mut seen = vec![0u32; n as usize];
            for _ in 0..n * 2_000 {
                seen[chance.below(n) as usize] += 1;
            }
            assert!(seen.iter().all(|&k| (1_700..2_300).contains(&k)), "d{n}: {seen:?}");
        }
    }

    #[test]
    fn the_largest_range_has_no_bias_to_its_low_end() {
        // Plain reduction to 3 × 2^30 numbers gives the first third twice as often.
        let n = 3u32 << 30;
        let mut chance = Chance::new(5, 0);
        let low = (0..30_000).filter(|_| chance.below(n) < n / 3).count();
        assert!((9_500..10_500).contains(&low), "{low} of 30000 in the lowest third");
    }

    #[test]
    fn nothing_below_zero_or_one() {
        assert_eq!(Chance::new(0, 0).below(0), 0);
        assert_eq!(Chance::new(0, 0).below(1), 0);
    }
}
