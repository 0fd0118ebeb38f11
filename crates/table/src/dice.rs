//! The table's own dice: ChaCha8, one stream a throw, exact and unbiased.

use crate::hex;
use fracas_kernel::Faces;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The seed of a table's dice: 32 bytes, in a log as hexadecimal.
///
/// The seed foretells every throw, so it is stored in the log (which only the gamemaster
/// may read) and nowhere else; its `Debug` output is `***`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// A seed from random bytes of the operating system.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Seed(bytes)
    }

    /// A seed for the machine that plays at this table, as secret as the dice.
    pub fn of_machine(&self) -> u64 {
        let hash = Sha256::new_with_prefix(b"machine").chain_update(self.0).finalize();
        u64::from_le_bytes(std::array::from_fn(|at| hash[at]))
    }
}

impl From<u64> for Seed {
    /// A seed for tests and reproducible play: the number, lowest byte first,
    /// then zeros.
    fn from(number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Seed(bytes)
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&hex::write(&self.0))
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        hex::read(&text)
            .and_then(|bytes| bytes.try_into().ok())
            .map(Seed)
            .ok_or_else(|| serde::de::Error::custom("a seed is 64 hexadecimal digits"))
    }
}

/// The faces of a table's `n`th throw (from 0), in the order of the dice.
///
/// Throw `n` draws from stream `n` of ChaCha8, so it does not depend on how
/// many dice any other throw had. Every face of a die is exactly as likely as
/// every other. The mapping is part of the log's format and does not change.
pub fn throw(seed: Seed, n: u64, sides: impl IntoIterator<Item = u8>) -> Faces {
    let mut stream = ChaCha8Rng::from_seed(seed.0);
    stream.set_stream(n);
    sides.into_iter().map(|sides| face(&mut || stream.next_u32(), sides)).collect()
}

/// One of `count` choices for the `n`th decision of a playthrough, from streams that no
/// throw uses. Even enough for tests; 0 if `count` is 0.
pub(crate) fn pick(seed: Seed, n: u64, count: usize) -> usize {
    let mut stream = ChaCha8Rng::from_seed(seed.0);
    stream.set_stream(u64::MAX - n);
    (u64::from(stream.next_u32()) % (count as u64).max(1)) as usize
}

/// One face, 1 to `sides`: the high half of `draw × sides`, drawing again in
/// the `2^32 mod sides` cases that would favour some faces.
fn face(draw: &mut impl FnMut() -> u32, sides: u8) -> u8 {
    let sides = u32::from(sides.max(1));
    let spare = sides.wrapping_neg() % sides;
    loop {
        let product = u64::from(draw()) * u64::from(sides);
        if product as u32 >= spare {
            return (product >> 32) as u8 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_chacha8() {
        let mut stream = ChaCha8Rng::from_seed([0; 32]);
        let mut bytes = [0; 32];
        stream.fill_bytes(&mut bytes);
        assert_eq!(
            hex::write(&bytes),
            "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e",
            "the published keystream of the zero key"
        );
    }

    #[test]
    fn faces_are_pinned() {
        let throw = |seed: u64, n, sides: &[u8]| throw(Seed::from(seed), n, sides.iter().copied()).to_vec();
        // Worked out by hand from the published keystream: 0x2fef003e × 6 >> 32 is 1.
        assert_eq!(throw(0, 0, &[6, 6, 6, 6]), [2, 6, 6, 4]);
        assert_eq!(throw(0, 0, &[20, 100]), [4, 84]);
        // Computed by an independent implementation of ChaCha8 and of the mapping.
        assert_eq!(throw(42, 3, &[6, 6, 8, 10, 20, 100]), [2, 3, 2, 7, 9, 88]);
        assert_eq!(throw(42, 4, &[6, 6]), [1, 5]);
        assert_eq!(throw((1 << 63) + 5, 1 << 40, &[6; 6]), [3, 3, 5, 3, 6, 5]);
    }

    #[test]
    fn each_throw_has_its_own_stream() {
        let many = |n| throw(Seed::from(7), n, [100; 20]);
        assert_ne!(many(0), many(1));
        assert_eq!(many(1), many(1));
        assert_eq!(throw(Seed::from(7), 3, [6; 2])[..], throw(Seed::from(7), 3, [6; 9])[..2]);
    }

    #[test]
    fn a_draw_that_would_favour_a_face_is_thrown_away() {
        // For a d6, 2^32 mod 6 = 4: products whose low half is below 4 go.
        let mut draws = [0, 1, u32::MAX].into_iter();
        assert_eq!(face(&mut || draws.next().expect("enough draws"), 6), 1);
        assert_eq!(draws.next(), Some(u32::MAX), "the 0 was drawn again, the 1 was not");
    }

    #[test]
    fn faces_fall_evenly() {
        for sides in [2u8, 4, 6, 8, 10, 12, 20, 100] {
            let throws = 4000;
            let mut count = vec![0u32; usize::from(sides)];
            for n in 0..throws {
                for face in throw(Seed::from(11), n, [sides; 10]) {
                    count[usize::from(face) - 1] += 1;
                }
            }
            let want = throws as f64 * 10.0 / f64::from(sides);
            let chi: f64 = count.iter().map(|&c| (f64::from(c) - want).powi(2) / want).sum();
            let free = f64::from(sides) - 1.0;
            // Five standard deviations: chance alone does not reach that.
            assert!(chi < free + 5.0 * (2.0 * free).sqrt(), "d{sides}: chi-squared {chi} for {free}");
        }
    }

    #[test]
    fn a_seed_is_written_as_hexadecimal() {
        let json = serde_json::to_string(&Seed::from(258)).expect("a string");
        assert!(json.starts_with("\"02010000"), "{json}");
        assert_eq!(serde_json::from_str::<Seed>(&json).expect("the same"), Seed::from(258));
        assert!(serde_json::from_str::<Seed>("\"02\"").is_err());
        assert_eq!(format!("{:?}", Seed::from(1)), "***");
    }
}
