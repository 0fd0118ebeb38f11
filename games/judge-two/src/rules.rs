//! Cast, content and options at this table.

use crate::vocab::*;
use fracas_kernel::{Names, Seat, SeatSet};

/// Everything about a table that does not change from moment to moment.
#[derive(Clone, Debug)]
pub struct Rules {
    pub(crate) names: Names,
    /// What the encounter is called.
    pub title: String,
    /// The players' names, by place.
    pub players: Vec<String>,
    /// Everybody, players' characters first in the order of the setup.
    pub cast: Vec<Sheet>,
    /// Every boon and item.
    pub gear: Vec<Gear>,
    /// Every ability.
    pub abilities: Vec<Power>,
    /// The table's settings.
    pub options: Options,
    /// The player characters.
    pub(crate) pcs: CharSet,
    /// The brutes.
    pub(crate) brutes: CharSet,
    /// Those who have an omen.
    pub(crate) ominous: CharSet,
}

/// What is written on a character's sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// The name others refer to it by.
    pub slug: String,
    /// The name it is called.
    pub name: String,
    /// Player character, brute, foe or nemesis.
    pub kind: Kind,
    /// The seat that plays it.
    pub seat: Seat,
    /// Which side it fights on; equal numbers are allies.
    pub side: u8,
    /// Ranks by [`Attribute`], 0 to 3; all 0 for others than player characters.
    pub attributes: [u8; 9],
    /// Ranks by [`Essence`], 0 to 3 (4 where the table lets it).
    pub essences: [u8; 4],
    /// Power level, 4 to 8; 0 for player characters.
    pub pl: u8,
    /// Resolve: added to every resistance.
    pub resolve: u8,
    /// Whether it can be riven.
    pub shuvin: bool,
    /// What must be met before a nemesis can take risk.
    pub omen: Option<Omen>,
    /// What the gamemaster keeps to themself.
    pub secret: String,
}

/// A boon or another item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gear {
    /// The name others refer to it by.
    pub slug: String,
    /// The name it is called.
    pub name: String,
    /// Power, vital, keen, or no boon.
    pub category: Category,
    /// The form of conflict it serves.
    pub form: Form,
    /// When a power boon is bold.
    pub condition: Condition,
    /// Resistance a vital boon grants: martial, subtle, epic.
    pub resist: [u8; 3],
    /// Threats a keen boon makes impossible, when they come in its form.
    pub blocks: ThreatSet,
    /// Readied merely by being worn or possessed.
    pub passive: bool,
    /// Hands it takes up while readied.
    pub hands: u8,
    /// How heavy, if it is armour.
    pub armor: Option<Weight>,
    /// Whether it is a shield.
    pub shield: bool,
    /// Whether it can be disarmed.
    pub disarmable: bool,
    /// Whether somebody else can take it once it is down.
    pub stealable: bool,
    /// Whose it is at the start.
    pub owner: Char,
    /// Readied when play begins.
    pub readied: bool,
}

/// An ability: a feat or special power with a cost and an effect on one roll.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Power {
    /// The name others refer to it by.
    pub slug: String,
    /// The name it is called.
    pub name: String,
    /// Whose it is.
    pub owner: Char,
    /// Risk its use costs.
    pub cost: u8,
    /// Makes the test bold.
    pub bold: bool,
    /// Makes the test quick.
    pub quick: bool,
    /// Makes the test long (a save faint instead).
    pub long: bool,
    /// Whether it serves tests, saves or both.
    pub test: bool,
    /// Whether it serves saves.
    pub save: bool,
}

/// What must be so before risk can be imposed on a nemesis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Omen {
    /// This threat lies on the nemesis.
    Threat(Threat),
    /// All of these are out of its hands.
    Disarmed(Vec<Item>),
    /// This other character is defeated.
    Defeated(Char),
    /// Fewer brutes than this still stand.
    BrutesBelow(u8),
    /// The gamemaster says so (a fiat).
    Ruled,
}

/// One reading of an open question, where the table may choose.
macro_rules! options {
    ($($(#[$doc:meta])* $field:ident: $name:ident = $id:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* }),* $(,)?) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
            pub enum $name { $($(#[$vdoc])* $variant),* }

            impl $name {
                pub(crate) const WORDS: &'static [(&'static str, $name)] = &[$(($word, $name::$variant)),*];
            }
        )*

        /// The settings of the table: every ruling the rulebook leaves to it.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Options { $(pub(crate) $field: $name),* }

        impl Options {
            /// The ids of the settings.
            pub const IDS: &'static [&'static str] = &[$($id),*];

            /// Sets one; gives the words it could be where it is none of them.
            pub(crate) fn set(&mut self, id: &str, word: &str) -> Result<(), Option<Vec<&'static str>>> {
                match id {
                    $($id => match $name::WORDS.iter().find(|(w, _)| *w == word) {
                        Some((_, value)) => { self.$field = *value; Ok(()) }
                        None => Err(Some($name::WORDS.iter().map(|(w, _)| *w).collect())),
                    },)*
                    _ => Err(None),
                }
            }

            /// Each setting and its word.
            pub fn words(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((
                    $id,
                    $name::WORDS.iter().find(|(_, v)| *v == self.$field).map_or("", |(w, _)| *w),
                )),*]
            }
        }
    };
}

options! {
    /// How many interventions follow several guilty saves.
    chain: Chain = "multi-save-chain" {
        /// One, however many saves were guilty.
        #[default] OneInAll = "one-in-all",
        /// One for each.
        OnePerSave = "one-per-guilty-save"
    },
    /// Whether players see power levels.
    sight: Sight = "cl-visible" {
        /// Always.
        #[default] Shown = "shown",
        /// Once the first attack on that character has been resolved.
        AfterFirstAttack = "pl-after-first-attack"
    },
    /// Whether an attacker may do less than the degree allows.
    lower: Lower = "tier-downgrade" {
        /// Never.
        #[default] Forbidden = "forbidden",
        /// Yes.
        Allowed = "allowed"
    },
    /// What it takes to get a disarmed boon back.
    recovery: Recovery = "disarm-recovery-deeds" {
        /// One deed to recover it, one to ready it.
        #[default] TwoDeeds = "two-deeds",
        /// One deed for both.
        OneDeed = "one-deed"
    },
    /// What is left of a power boon without its bonuses.
    bonusless: Bonusless = "afflict-boons" {
        /// Its owner still imposes marks and counterattacks.
        #[default] BonusesOnly = "bonuses-only",
        /// Its owner counts as unarmed.
        Unarmed = "counts-as-unarmed"
    },
    /// Which degree each member of a group attack uses.
    share: Share = "group-individual-degree" {
        /// Their own.
        #[default] Own = "own-degree",
        /// The sum.
        Total = "group-total"
    },
    /// Whether a derived essence may be 4.
    cap: Cap = "essence-cap" {
        /// No: 3 at most.
        #[default] AtThree = "capped-at-3",
        /// Yes.
        Uncapped = "uncapped"
    },
    /// Whether a nemesis can be finished before its omen is met.
    omen: OmenGuard = "omen-finisher" {
        /// By degree alone.
        #[default] ByDegree = "by-degree",
        /// Not at all.
        Barred = "barred-until-met"
    },
}

impl Rules {
    /// Somebody's sheet.
    pub fn sheet(&self, who: Char) -> &Sheet {
        &self.cast[who.index()]
    }

    /// A boon or item.
    pub fn gear(&self, item: Item) -> &Gear {
        &self.gear[item.index()]
    }

    /// An ability.
    pub fn power(&self, ability: Ability) -> &Power {
        &self.abilities[ability.index()]
    }

    /// Everybody's id.
    pub fn everybody(&self) -> impl Iterator<Item = Char> + use<> {
        (0..self.cast.len() as u8).map(Char)
    }

    /// Everything's id.
    pub fn everything(&self) -> impl Iterator<Item = Item> + use<> {
        (0..self.gear.len() as u8).map(Item)
    }

    /// Somebody's abilities.
    pub fn abilities_of(&self, who: Char) -> impl Iterator<Item = Ability> + '_ {
        (0..self.abilities.len() as u8).map(Ability).filter(move |&a| self.power(a).owner == who)
    }

    /// The seat that plays a character.
    pub fn seat(&self, who: Char) -> Seat {
        self.sheet(who).seat
    }

    /// Whether a player plays it.
    pub fn is_pc(&self, who: Char) -> bool {
        self.sheet(who).kind == Kind::Pc
    }

    /// The seats of several characters.
    pub(crate) fn seats_of(&self, all: CharSet) -> SeatSet {
        all.iter().map(|who| self.seat(who)).collect()
    }

    /// Every player's seat.
    pub(crate) fn player_seats(&self) -> SeatSet {
        (0..self.players.len() as u8).map(Seat::Player).collect()
    }

    /// What it is called.
    pub(crate) fn name(&self, who: Char) -> &str {
        &self.sheet(who).name
    }

    /// The rank of an attribute.
    pub(crate) fn rank(&self, who: Char, attribute: Attribute) -> i8 {
        self.sheet(who).attributes[attribute as usize] as i8
    }

    /// The rank of an essence.
    pub(crate) fn essence(&self, who: Char, essence: Essence) -> i8 {
        self.sheet(who).essences[essence as usize] as i8
    }
}
