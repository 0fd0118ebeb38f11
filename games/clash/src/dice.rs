//! Reading the dice of a Roll (`roll.base-die` to `roll.success-dice`).

use crate::vocab::*;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Came as CameTo, Dice as Pool, Fold, Odds, Read, Roll, Rolled, Seat, Seen, Tone, words};
use serde::Serialize;

words!(
    /// Which die a natural result looks at (`nat-die`).
    NatDie {
        Base = "base",
        Kept = "kept",
    }
);

words!(
    /// Several 1s or several 20s (`roll.critical-force`).
    Critical {
        Disaster = "disaster",
        Breakthrough = "breakthrough",
    }
);

/// How a table reads dice (`nat-die`, `critical-dice`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    pub natural: NatDie,
    /// How many 1s make a Disaster, and how many 20s a Breakthrough.
    pub critical: u8,
}

/// What a Roll came to.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Serialize,
    BorshSerialize,
    BorshDeserialize
)]
pub struct Came {
    pub passed: bool,
    /// How many Success Dice (`roll.success-dice`): at least 1 where the Roll passed (`success-die-floor`).
    pub successes: u8,
    pub critical: Option<Critical>,
    /// Whether a natural 20 or 1 decides, where no Critical does (`roll.natural`).
    pub natural: bool,
}

/// Whether a die showed a 20, a 1 or something between.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
enum Natural {
    One,
    Between,
    Twenty,
}

impl Natural {
    const fn of(face: u8) -> Natural {
        match face {
            1 => Natural::One,
            20 => Natural::Twenty,
            _ => Natural::Between,
        }
    }
}

/// The dice of one Roll as the rules read them: the Base Die falls first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Thrown {
    difficulty: i16,
    /// Bonus Dice less Malus Dice.
    net: i8,
    /// The die that a natural result looks at, once one fell.
    natural: Option<Natural>,
    by: NatDie,
    /// How many 1s or 20s make a Critical.
    #[serde(skip)]
    critical: u8,
    kept_reaches: bool,
    ones: u8,
    twenties: u8,
    successes: u8,
    /// How many Success Dice are counted.
    counted: u8,
}

impl Thrown {
    /// Before any die fell.
    pub const fn start(difficulty: i16, net: i8, reading: Reading) -> Thrown {
        Thrown {
            difficulty,
            net,
            natural: None,
            by: reading.natural,
            critical: reading.critical,
            kept_reaches: net < 0,
            ones: 0,
            twenties: 0,
            successes: 0,
            counted: u8::MAX,
        }
    }

    /// The outcome, once all dice fell.
    pub fn came(&self) -> Came {
        // Criticals come first, then naturals, then the kept die (`crit-vs-natural`).
        let critical = match (self.ones >= self.critical, self.twenties >= self.critical) {
            (true, true) if self.net < 0 => Some(Critical::Disaster),
            (_, true) => Some(Critical::Breakthrough),
            (true, false) => Some(Critical::Disaster),
            (false, false) => None,
        };
        let passed = match (critical, self.natural) {
            (Some(critical), _) => critical == Critical::Breakthrough,
            (None, Some(Natural::Twenty)) => true,
            (None, Some(Natural::One)) => false,
            _ => self.kept_reaches,
        };
        let successes = if passed { self.successes.max(1) } else { 0 };
        let natural = critical.is_none() && matches!(self.natural, Some(Natural::One | Natural::Twenty));
        Came { passed, successes, critical, natural }
    }
}

impl Fold for Thrown {
    const FIRST_APART: bool = true;

    fn take(mut self, _: u8, face: u8) -> Self {
        let natural = Natural::of(face);
        self.natural = Some(match (self.natural, self.by) {
            (None, _) => natural,
            (Some(base), NatDie::Base) => base,
            (Some(kept), NatDie::Kept) if self.net < 0 => kept.min(natural),
            (Some(kept), NatDie::Kept) => kept.max(natural),
        });
        let reaches = i16::from(face) >= self.difficulty;
        self.kept_reaches =
            if self.net < 0 { self.kept_reaches && reaches } else { self.kept_reaches || reaches };
        self.ones = (self.ones + u8::from(face == 1)).min(self.critical);
        self.twenties = (self.twenties + u8::from(face == 20)).min(self.critical);
        self.successes = (self.successes + u8::from(reaches)).min(self.counted);
        // Without Success Dice a Critical that no other die can undo is all there is to know.
        let (decides, other) = match self.net < 0 {
            true => (self.ones, &mut self.twenties),
            false => (self.twenties, &mut self.ones),
        };
        if self.counted == 0 && decides == self.critical {
            (*other, self.natural, self.kept_reaches) = (0, None, false);
        }
        self
    }
}

/// The odds that a Roll passes, and of a Critical. Success Dice are not counted: there are far fewer classes without.
pub fn odds(mut roll: Roll<Thrown>) -> Option<Odds> {
    if let Read::Fold(start) = &mut roll.read {
        start.counted = 0;
    }
    Odds::by(&roll, |rolled| {
        let Rolled::Class(thrown) = rolled else { return None };
        let came = thrown.came();
        let (rank, tone, text) =
            if came.passed { (1, Tone::Good, "passes") } else { (0, Tone::Bad, "fails") };
        let besides = came.critical.map(|critical| match critical {
            Critical::Breakthrough => "a Breakthrough".into(),
            Critical::Disaster => "a Disaster".into(),
        });
        Some(CameTo { rank, tone, text: text.into(), besides })
    })
}

/// The dice of a Roll, its Base Die first (`roll.base-die`, `roll.cancel`).
pub fn roll(whose: Seat, (difficulty, net): (i16, i8), reading: Reading) -> Roll<Thrown> {
    Roll {
        whose,
        seen: Seen::Openly,
        dice: Pool::of(dice(net), 20),
        read: Read::Fold(Thrown::start(difficulty, net, reading)),
    }
}

/// How many d20s are thrown (`roll.cancel`).
pub const fn dice(net: i8) -> u8 {
    1 + net.unsigned_abs()
}

/// The Difficulty of a Roll (`roll.difficulty`), given both values and where the table begins (`difficulty-base`).
pub fn difficulty(base: u8, attacking: i16, defending: i16) -> i16 {
    i16::from(base) - attacking + defending
}

/// The Difficulty of a Conflict Roll (`conflict.difficulty`).
pub const fn temptation(tempter: i16, tempted: i16) -> i16 {
    6 + tempted + tempter
}

/// The Damage of an Attack that passed: Success Dice count up to its Potential Damage (`damage.base`,
/// `damage.potential`).
pub fn damage(base: u8, potential: u8, successes: u8) -> u8 {
    if potential > 1 { base.max(successes.min(potential)) } else { base }
}

/// A value under an Alteration (`alteration.eclipsed-value` and the three beside it; `alt-clamp`).
pub const fn altered(value: i16, by: Option<Alteration>) -> i16 {
    match by {
        None => value,
        Some(Alteration::Eclipsed) => -10,
        Some(Alteration::Obscured) => value - 10,
        Some(Alteration::Bright) => value + 10,
        Some(Alteration::Exalted) => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY_RULE: Reading = Reading { natural: NatDie::Base, critical: 2 };

    #[test]
    fn a_natural_decides_where_no_critical_does() {
        for (faces, net, decides, passed) in [
            (&[1, 15][..], 1, true, false),
            (&[15, 1], 1, false, true),
            (&[20, 2], -1, true, true),
            (&[1, 1, 15], 2, false, false),
            (&[9], 0, false, true),
        ] {
            let start = Thrown::start(8, net, BY_RULE);
            let came = faces.iter().fold(start, |thrown, &face| thrown.take(0, face)).came();
            assert_eq!((came.natural, came.passed), (decides, passed), "{faces:?}");
        }
    }

    /// Plain dice beside the Base Die can show both Criticals with neither kind of die on the Roll
    /// (`crit-both-equal`).
    #[test]
    fn both_criticals_on_equal_dice_are_a_breakthrough() {
        for (net, expected) in
            [(0, Critical::Breakthrough), (3, Critical::Breakthrough), (-3, Critical::Disaster)]
        {
            let start = Thrown::start(30, net, BY_RULE);
            let thrown = [1, 20, 1, 20].into_iter().fold(start, |thrown, face| thrown.take(0, face));
            assert_eq!(thrown.came().critical, Some(expected), "net {net}");
        }
    }
}
