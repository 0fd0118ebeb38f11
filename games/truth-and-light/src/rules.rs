//! Cast, content and settings at this table.

use crate::effect::{Effect, Text};
use crate::vocab::*;
use fracas_kernel::{Roster, Seat, words};

/// Everything about a table that does not change from moment to moment.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub roster: Roster,
    pub cast: Vec<Sheet>,
    /// Every boon: the ones made in play first.
    pub boons: Vec<Gear>,
    pub abilities: Vec<Power>,
    pub ends: Vec<Ending>,
    pub hazards: Vec<Peril>,
    /// The parts of the scene, at least one.
    pub zones: Vec<Named>,
    pub tracks: Vec<Named>,
    pub(crate) texts: Vec<String>,
    pub options: Options,
    pub turns: Turns,
    pub harm: Harm,
    pub recovery: Recovery,
    pub(crate) pcs: CharSet,
    /// Those with abilities that work by themselves.
    pub(crate) gifted: CharSet,
}

words!(
    /// Whether the table counts harm (`ext.harm`).
    #[derive(Default)]
    Harm {
        /// On tracks.
        #[default]
        Tracks = "tracks",
        /// A success simply achieves what was described.
        Told = "told",
    }
);

/// Something that has only a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub slug: String,
    pub name: String,
}

/// What is written on a character's sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    pub slug: String,
    pub name: String,
    /// The same amid a sentence: `the gatekeeper`.
    pub said: String,
    pub seat: Seat,
    /// Ranks by [`Attribute`]; all 0 for the gamemaster's characters.
    pub ranks: [u8; 6],
    pub class: String,
    /// Its kind, where it has one.
    pub people: String,
    /// Its writhing (`writhing.has`).
    pub writhing: String,
    /// The size of each track; 0 where it has none.
    pub tracks: [u8; MAX_TRACKS],
    pub traits: TraitSet,
    /// What it has been through, a line each.
    pub history: Vec<String>,
    /// What the gamemaster keeps to themself.
    pub secret: String,
}

/// A boon.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gear {
    pub slug: String,
    pub name: String,
    /// The first owner; `None` if the boon is a pattern for others.
    pub owner: Option<Char>,
    pub serves: Use,
    /// A name for its quality where it is better than common.
    pub quality: String,
    /// The effects of a boon that is used once.
    pub effects: Vec<Effect>,
    /// What it means at the table; empty where nothing is said.
    pub note: String,
}

/// What a boon is good for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Use {
    pub sort: Sort,
    /// A situation rather than an item.
    pub situation: bool,
    pub quality: Quality,
    pub rolls: Rolls,
    /// With these attributes; with any, where there are none.
    pub attributes: AttributeSet,
    /// In these kinds of action; in any, where there are none.
    pub tags: TagSet,
    /// What it adds (`boon.plus-two`).
    pub bonus: i8,
    /// Used once and gone (`boon.one-time`).
    pub once: bool,
    /// What of a power number rests on it (`npc-boons`).
    pub pn: i8,
    /// Further bonuses against somebody like this.
    pub edges: [(TraitSet, i8); 2],
}

/// A feat or a Whisper.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Power {
    pub slug: String,
    pub name: String,
    pub owner: Char,
    pub gift: Gift,
    pub class: String,
    pub trigger: Trigger,
    /// How often in a scene; 0 for as often as one likes.
    pub limit: u8,
    pub attribute: Option<Attribute>,
    pub reach: Reach,
    pub tn: TargetRule,
    pub aim: Aim,
    pub tags: TagSet,
    pub effects: Vec<Effect>,
    /// Its own words for the four guilts and the four glories.
    pub words: [Option<Text>; 8],
    /// What it means at the table; empty where nothing is said.
    pub note: String,
}

/// Where a Whisper's target number comes from (`ext.whisper`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetRule {
    /// The gamemaster sets it.
    Gm,
    /// The target's power number.
    PowerNumber,
    /// Always this.
    Fixed(u8),
}

/// A contested end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ending {
    pub slug: String,
    pub name: String,
    pub damaging: bool,
    pub track: Option<Track>,
    pub tags: TagSet,
    pub attribute: Attribute,
    pub save: Attribute,
    /// What it does besides harm.
    pub effects: Vec<Effect>,
    /// It only lasts on somebody from before, and nobody does it anew.
    pub carried: bool,
}

/// An environmental challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Peril {
    pub slug: String,
    pub name: String,
    /// Where it is; everywhere, where nothing is said.
    pub zone: Option<Zone>,
    /// The target number it usually has.
    pub tn: u8,
    pub save: Attribute,
    pub tags: TagSet,
    pub end: Option<End>,
}

fracas_kernel::options! {
    /// What Break Risk adds now: 4, or the 5 of the worked example.
    break_now: u8 = "break-now-amount" ["4" = 4, "5" = 5],
    /// Whether several boons of one sort count (`boon-stacking`).
    stacking: Stacking = "boon-stacking" {
        /// All of them.
        AllAdd = "all-add",
        /// The best of each sort.
        OnePerSort = "one-per-sort"
    },
    /// Who picks what Lose Boons takes (`lose-who-picks`).
    lose: LosePicker = "lose-who-picks" { Gamemaster = "gamemaster", Player = "player" },
    /// When target and power numbers are told (`tn-hidden`).
    numbers: Numbers = "tn-hidden" {
        /// Before the roll.
        Announced = "announced",
        /// When spending is final.
        Hidden = "hidden-until-spent"
    },
    /// The highest rank of players' characters (`rank-cap-enforced`, `rank.pc-cap`).
    highest_rank: u8 = "rank-cap-enforced" ["capped-at-6" = 6, "up-to-10" = 10],
    /// What comes of one player's character acting against another's.
    against: Against = "pc-vs-pc-ruling" {
        /// It is played out without dice.
        Conversation = "conversation",
        /// A test against a number of the gamemaster's.
        SetTn = "set-tn"
    },
    /// The most final Light with which a result is guilty.
    guilt_to: u8 = "guilt-to" ["2" = 2, "1" = 1, "3" = 3],
    /// The least final Light with which a result is glorious; none is at 7.
    glory_from: u8 = "glory-from" ["5" = 5, "4" = 4, "6" = 6, "7" = 7],
    /// Degrees that pushing on adds.
    pushed_degrees: u8 = "pushed-degrees" ["2" = 2, "0" = 0, "1" = 1, "3" = 3, "4" = 4],
    /// What Break Risk adds through the next action.
    break_next: u8 = "break-next-amount" ["2" = 2, "1" = 1, "3" = 3, "4" = 4],
}

impl Options {
    /// What so much final Light makes of a result (`light.final-only`, `light.guilt`, `light.glory`).
    pub(crate) const fn band(&self, light: u8) -> Band {
        if light <= self.guilt_to {
            Band::Guilty
        } else if light >= self.glory_from {
            Band::Glorious
        } else {
            Band::Innocent
        }
    }
}

impl Rules {
    /// Somebody's sheet.
    pub fn sheet(&self, who: Char) -> &Sheet {
        &self.cast[who.index()]
    }

    /// What somebody is called.
    pub fn name(&self, who: Char) -> &str {
        &self.sheet(who).said
    }

    /// The seat that plays a character.
    pub fn seat(&self, who: Char) -> Seat {
        self.sheet(who).seat
    }

    /// Whether a player plays it.
    pub fn is_pc(&self, who: Char) -> bool {
        self.pcs.has(who)
    }

    /// Everybody's id.
    pub fn everybody(&self) -> impl Iterator<Item = Char> + use<> {
        (0..self.cast.len() as u8).map(Char)
    }

    /// A feat or a Whisper.
    pub fn power(&self, ability: Ability) -> &Power {
        &self.abilities[ability.index()]
    }

    /// A contested end.
    pub fn ending(&self, end: End) -> &Ending {
        &self.ends[end.index()]
    }

    /// A hazard.
    pub fn peril(&self, hazard: Hazard) -> &Peril {
        &self.hazards[hazard.index()]
    }

    /// Every contested end's id.
    pub fn all_ends(&self) -> impl Iterator<Item = End> + '_ {
        (0..self.ends.len() as u8).map(End).filter(|&end| !self.ending(end).carried)
    }

    /// Every harm track's id.
    pub fn all_tracks(&self) -> impl Iterator<Item = Track> + use<> {
        (0..self.tracks.len() as u8).map(Track)
    }

    /// Every zone's id.
    pub fn all_zones(&self) -> impl Iterator<Item = Zone> + use<> {
        (0..self.zones.len() as u8).map(Zone)
    }

    /// Somebody's abilities.
    pub fn abilities_of(&self, who: Char) -> impl Iterator<Item = Ability> + '_ {
        let own = move |(_, power): &(usize, &Power)| power.owner == who;
        self.abilities.iter().enumerate().filter(own).map(|(at, _)| Ability(at as u8))
    }

    pub(crate) fn text(&self, text: Text) -> &str {
        self.texts.get(usize::from(text.0)).map_or("", String::as_str)
    }
}
