//! The words of the rules: who, what, with which number.

use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{reference, reference_set, word_set, words};
use serde::{Deserialize, Serialize};

/// The most who can be at one table: characters, enemies, mounts.
pub const MAX_CAST: usize = 40;
/// The most weapons.
pub const MAX_WEAPONS: usize = 160;
/// The most spells.
pub const MAX_SPELLS: usize = 60;
/// The most manoeuvres.
pub const MAX_MANOEUVRES: usize = 40;
/// The most traits and skills, those of the table itself among them.
pub const MAX_TRAITS: usize = 18;
/// The most that a table lets a sacrificed action buy besides Defend and Resist.
pub const MAX_RECOURSES: usize = 8;
/// The most kinds of ground.
pub const MAX_GROUNDS: usize = 16;
/// The highest trait or skill that a sheet can have.
pub const MAX_LEVEL: u8 = 60;
/// The most wounds or shocks that are counted.
pub const MAX_WOUNDS: u16 = 999;
/// The most Fortune that is counted.
pub const MAX_FORTUNE: u16 = 999;
/// The most spaces that a move can have.
pub const MAX_MOVE: u8 = 60;

reference!(
    /// Somebody: a character, an enemy, a mount.
    Char: 'c' in 0..40
);
reference_set!(
    /// Some of them.
    CharSet of Char as u64
);
reference!(
    /// A weapon, a shield among them.
    Weapon: 'w' in 0..160
);
reference!(
    /// A spell of somebody's.
    Spell: 's' in 0..60
);
reference!(
    /// A manoeuvre.
    Manoeuvre: 'm' in 0..40
);
reference_set!(
    /// Some spells.
    SpellSet of Spell as u64
);
reference_set!(
    /// Some manoeuvres.
    ManoeuvreSet of Manoeuvre as u64
);
reference!(
    /// What a sacrificed action buys at this table besides Defend and Resist (`ext.abort`).
    Recourse: 'r' in 0..8
);
reference_set!(
    /// Some of these.
    RecourseSet of Recourse as u8
);
reference!(
    /// A trait or a skill.
    Trait: 't' in 0..18
);
reference!(
    /// A kind of ground other than the ordinary.
    Ground: 'g' in 0..16
);

/// What is written on every sheet, in this order (`trait.list`, `skill.list`).
pub const TRAITS: [&str; 10] = [
    "Brawn",
    "Fortitude",
    "Intellect",
    "Intuition",
    "Perception",
    "Presence",
    "Archer",
    "Warrior",
    "Athlete",
    "Ranger",
];

impl Trait {
    pub const BRAWN: Trait = Trait(0);
    pub const FORTITUDE: Trait = Trait(1);
    pub const INTELLECT: Trait = Trait(2);
    pub const INTUITION: Trait = Trait(3);
    pub const PERCEPTION: Trait = Trait(4);
    pub const PRESENCE: Trait = Trait(5);
    pub const ARCHER: Trait = Trait(6);
    pub const WARRIOR: Trait = Trait(7);
    pub const ATHLETE: Trait = Trait(8);
    pub const RANGER: Trait = Trait(9);

    /// Whether it is of the mind: shocks hinder it, and wounds do not (`injury.shock`).
    pub const fn is_mental(self) -> bool {
        matches!(self, Trait::INTELLECT | Trait::INTUITION | Trait::PERCEPTION | Trait::PRESENCE)
    }
}

words!(
    /// Whose side somebody is on.
    #[derive(Default)]
    Side {
        /// The players'.
        #[default]
        Players = "players",
        /// The Adversary's.
        Foes = "foes",
        /// Nobody's.
        Nobody = "nobody",
    }
);

words!(
    /// What is noticed with.
    Sense {
        Sight = "sight",
        Hearing = "hearing",
        Smell = "smell",
        /// What cannot be known otherwise (`intuition.use`).
        Intuition = "intuition",
    }
);

words!(
    /// How a range number grows (`range.class`).
    Range {
        /// By each space between.
        Short = "short",
        /// By each five spaces between.
        Long = "long",
    }
);

words!(
    /// How a weapon is used.
    Use { Melee = "melee", Thrown = "thrown", Missile = "missile" }
);
word_set!(
    /// The ways in which a weapon is used.
    UseSet of Use
);

words!(
    /// What a defender defends with.
    Defence { Dodge = "dodge", Parry = "parry", Defiance = "defiance" }
);

words!(
    /// A number of somebody's that something changes until the next round begins.
    Value {
        Attack = "attack",
        Damage = "damage",
        Dodge = "dodge",
        Parry = "parry",
        Defiance = "defiance",
        Protection = "protection",
        Movement = "movement",
        Checks = "checks",
    }
);

words!(
    /// A gift (`gift.list`).
    Gift {
        Sorcery = "sorcery",
        Empathy = "empathy",
        SuperiorHearing = "superior-hearing",
        SuperiorOlfaction = "superior-olfaction",
        Starvision = "starvision",
        Immunity = "immunity",
        Longevity = "longevity",
        Amphibious = "amphibious",
        ExtraLimbs = "extra-limbs",
        NaturalWeapon = "natural-weapon",
        NaturalArmor = "natural-armor",
        Phosphorescence = "phosphorescence",
    }
);
word_set!(
    /// Some gifts.
    GiftSet of Gift as u16
);

impl Gift {
    /// What it costs in character points (`gift.list`); of extra limbs, each.
    pub const fn cost(self) -> u16 {
        match self {
            Gift::Sorcery => 20,
            Gift::Empathy => 10,
            Gift::NaturalWeapon | Gift::NaturalArmor => 6,
            _ => 3,
        }
    }

    /// The sense whose hindrances it may cancel (`gift.nature`).
    pub const fn sense(self) -> Option<Sense> {
        match self {
            Gift::SuperiorHearing => Some(Sense::Hearing),
            Gift::SuperiorOlfaction => Some(Sense::Smell),
            Gift::Starvision => Some(Sense::Sight),
            _ => None,
        }
    }
}

impl Sense {
    /// Its range class (`range.smell`, `range.hearing`, `range.vision`, `range.intuition`).
    pub const fn range(self) -> Range {
        match self {
            Sense::Smell => Range::Short,
            Sense::Sight | Sense::Hearing | Sense::Intuition => Range::Long,
        }
    }

    /// What is checked (`intuition.use`).
    pub const fn checked(self) -> Trait {
        match self {
            Sense::Intuition => Trait::INTUITION,
            _ => Trait::PERCEPTION,
        }
    }
}

words!(
    /// Where somebody stands in the round.
    #[derive(Default)]
    Turn {
        /// Takes no part in the battle.
        #[default]
        Out = "out",
        /// The turn is still to come.
        Later = "later",
        /// It runs.
        Now = "now",
        /// The turn has come, and waits for a better moment (`wait.may`).
        Waits = "waits",
        /// It is over.
        Done = "done",
    }
);

/// What a waiting character waits for: when it is asked within the action of another (`wait.interrupt`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Wire {
    /// A foe has moved, and is about to do something else.
    #[default]
    Moved,
    /// A foe enters a space.
    Moves,
    /// A foe comes within so many spaces of this character, or else of the one who waits.
    Near {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<Char>,
        within: u8,
    },
    /// A foe enters this space.
    Enters(fracas_kernel::Space),
}

impl fracas_kernel::Refers for Wire {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        if let Wire::Near { of, .. } = self {
            of.each_reference(each);
        }
    }
}

/// How long an attempt takes, as a share of its usual time: `[2, 1]` is twice as long (`time.extra.choice`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[derive(Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
pub struct Time(pub u16, pub u16);

fracas_kernel::refer_to_nothing!(Time);

impl Default for Time {
    fn default() -> Time {
        Time(1, 1)
    }
}

impl Time {
    /// The bonus for taking longer: of the greatest multiple listed that is not above the time taken
    /// (`time.extra.applies`, `time-gaps`).
    pub const fn bonus(self) -> u8 {
        match self.0 / if self.1 == 0 { 1 } else { self.1 } {
            0 | 1 => 0,
            2 => 3,
            3 => 5,
            4 => 6,
            5 => 7,
            6 | 7 => 8,
            8 | 9 => 9,
            _ => 10,
        }
    }

    /// How often the time was halved, at least (`time.rush`, `rush-fraction`).
    pub const fn halvings(self) -> u8 {
        let (mut taken, mut halvings) = (self.0 as u32, 0);
        while taken > 0 && taken < self.1 as u32 {
            taken *= 2;
            halvings += 1;
        }
        halvings
    }

    /// Whether there is such a time.
    pub const fn is_possible(self) -> bool {
        self.0 > 0 && self.1 > 0
    }
}

/// The levels that have names (`challenge.assign`).
pub const LEVELS: [(u8, &str); 7] = [
    (3, "trivial"),
    (6, "mild"),
    (9, "fair"),
    (12, "moderate"),
    (15, "great"),
    (18, "incredible"),
    (21, "inconceivable"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extra_time_is_read_off_the_table() {
        for (taken, normal, bonus) in [
            (3, 2, 0),
            (2, 1, 3),
            (3, 1, 5),
            (4, 1, 6),
            (5, 1, 7),
            (7, 1, 8),
            (9, 1, 9),
            (10, 1, 10),
            (60, 1, 10),
        ] {
            assert_eq!(Time(taken, normal).bonus(), bonus, "{taken}/{normal}");
        }
    }

    #[test]
    fn rushing_counts_halvings() {
        for (taken, normal, halvings) in
            [(1, 1, 0), (3, 4, 1), (1, 2, 1), (1, 3, 2), (1, 4, 2), (1, 8, 3), (2, 1, 0)]
        {
            assert_eq!(Time(taken, normal).halvings(), halvings, "{taken}/{normal}");
        }
    }
}
