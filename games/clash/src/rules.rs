//! What does not change from moment to moment: the cast, what they have, and the table's options.

use crate::{
    dice::{NatDie, Reading},
    effect::{AbilityData, Bearer, Effect, MAX_EFFECTS},
    vocab::*,
};
use arrayvec::ArrayVec;
use fracas_kernel::{Roster, Seat};

fracas_kernel::options! {
    /// Which die a natural result looks at.
    nat_die: NatDie = "nat-die" ["base" = NatDie::Base, "kept" = NatDie::Kept],
    /// How far an Alteration reaches.
    alt_scope: AltScope = "alt-scope" { Character = "character", Symbol = "symbol" },
    /// How often a Clash Prop gives dice.
    clash_prop_once: PropOnce = "clash-prop-once" { WheneverReady = "whenever-ready", OnceEver = "once-ever" },
    /// Whether allies help with Rolls in a Clash.
    help_in_clash: HelpInClash = "help-in-clash" { NoHelp = "no-help", DirectorCounts = "director-counts" },
    /// Which Rolls in a Clash may be repeated.
    never_same_clash: Repeat = "never-same-clash" { Exempt = "exempt", Strict = "strict" },
    /// Whether lost Minor Will Points lower the Major ones.
    minor_wp_model: MinorWp = "minor-wp-model" { Carries = "carries", Separate = "separate" },
    /// Whether the blow that wins a Major Clash causes a Death Roll.
    winning_blow_death: WinningBlow = "winning-blow-death" {
        NoDeathRoll = "no-death-roll",
        DeathRoll = "death-roll",
    },
    /// What limits Skills.
    skill_limit: SkillLimit = "skill-limit" { Slots = "slots", Uses = "uses" },
    /// What players see of Rolls and of other characters.
    difficulty_shown: Shown = "difficulty-shown" {
        Difficulty = "difficulty",
        DifficultyAndWp = "difficulty-and-wp",
        Nothing = "nothing",
    },
    /// What Surprise does.
    surprised_dodge: Surprise = "surprised-dodge" { Flag = "flag", Strict = "strict" },
    /// Where the Difficulty of a Roll begins, before both values.
    difficulty_base: u8 = "difficulty-base" [
        "11" = 11, "8" = 8, "9" = 9, "10" = 10, "12" = 12, "13" = 13, "14" = 14,
    ],
    /// How many 1s make a Disaster, and how many 20s a Breakthrough.
    critical_dice: u8 = "critical-dice" ["2" = 2, "3" = 3, "4" = 4],
    /// The Damage that a failed Dodge adds.
    dodge_damage: u8 = "dodge-damage" ["1" = 1, "0" = 0, "2" = 2, "3" = 3],
    /// The Difficulty of every Death Roll.
    death_difficulty: u8 = "death-difficulty" [
        "10" = 10, "5" = 5, "6" = 6, "7" = 7, "8" = 8, "9" = 9, "11" = 11, "12" = 12, "13" = 13, "14" = 14,
        "15" = 15,
    ],
    /// The most Tokens of a kind that a character holds.
    token_cap: u8 = "token-cap" ["2" = 2, "1" = 1, "3" = 3, "4" = 4],
}

impl Options {
    /// How dice are read.
    pub fn reading(&self) -> Reading {
        Reading { natural: self.nat_die, critical: self.critical_dice }
    }
}

/// The whole of what is fixed.
#[derive(Clone, Debug)]
pub struct Rules {
    pub roster: Roster,
    pub options: Options,
    pub cast: Vec<Sheet>,
    pub traits: Vec<TraitData>,
    pub items: Vec<ItemData>,
    pub props: Vec<PropData>,
    pub secrets: Vec<SecretData>,
    pub abilities: Vec<AbilityData>,
    /// Those of them that are static.
    pub statics: Vec<Ability>,
    pub spells: Vec<SpellData>,
    pub activities: Vec<ActivityData>,
    /// The most Traits of a character, where the table sets any (`ext.trait-limit`).
    pub max_traits: Option<u8>,
    /// Kinds of Tokens that the table made up (`ext.tokens`).
    pub tokens: Vec<TokenData>,
    /// Props used on earlier evenings (`improv.prop-once`).
    pub used_props: Vec<String>,
    /// Rolls made on earlier evenings (`roll.never-same`).
    pub made: Vec<MadeBefore>,
    /// Who holds a character in a Subjugation and is not at this table (`sub.types`).
    pub held: Vec<HeldBefore>,
}

/// A Roll of an earlier evening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeBefore {
    pub who: Char,
    pub task: String,
    /// Whom it was over; empty where that is not known.
    pub against: String,
    pub passed: bool,
}

/// Those who won an earlier Clash and are not at this table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeldBefore {
    pub loser: Char,
    /// As the Subjugation has it.
    pub cause: String,
    pub by: Vec<String>,
}

/// A character's sheet (`sheet.fields`).
#[derive(Clone, Debug)]
pub struct Sheet {
    pub slug: String,
    pub name: String,
    pub seat: Seat,
    /// Whether it is a player's character.
    pub pc: bool,
    pub nature: Nature,
    pub side: Side,
    pub personalities: [i8; 5],
    /// The two Core Symbols of a player's character (`symbol.core`), and what NPCs care for.
    pub core: [Option<Symbol>; 2],
    pub major: u8,
    pub minor: u8,
    /// How many of the Major Will Points are Preparation WP (`wp.prep`).
    pub preparation: u8,
    /// Turns in a round (`clash.multi-turn`).
    pub turns: u8,
    pub base_damage: u8,
    /// Keywords that it always has.
    pub keywords: Vec<Keyword>,
    /// What a player's character has been through, a line each.
    pub history: Vec<String>,
    /// Of an Extra, the character who commands it (`extra.what`).
    pub controller: Option<Char>,
}

#[derive(Clone, Debug)]
pub struct TraitData {
    pub slug: String,
    pub name: String,
    pub owner: Char,
    pub rank: Rank,
    pub cost: u8,
    pub focus: u8,
}

/// An Item (`ext.item`).
#[derive(Clone, Debug)]
pub struct ItemData {
    pub slug: String,
    pub name: String,
    /// Its Narrative Form.
    pub form: String,
    pub owner: Char,
    /// Activation Focus Cost.
    pub cost: u8,
    /// Focus Value.
    pub focus: u8,
    /// Spell Slots by Level, from 1 (`spell.slots`); `None` where the Item has a rule of its own.
    pub slots: Option<[u8; MAX_LEVEL]>,
    /// Of an Item with its own rule: how many casts between Rests (`spell.item-special`).
    pub casts: u8,
}

/// The highest Level of a Spell.
pub const MAX_LEVEL: usize = 5;

/// A Clash Prop (`ext.clash-prop`).
#[derive(Clone, Debug)]
pub struct PropData {
    pub slug: String,
    pub name: String,
    pub creator: Char,
    pub capacity: u8,
    pub focus: u8,
    pub dice: u8,
    /// The Symbols of the Roll for Control, if it takes one by default.
    pub control: Option<(Symbol, Symbol)>,
}

/// A Secret (`secret.what`).
#[derive(Clone, Debug)]
pub struct SecretData {
    pub slug: String,
    pub text: String,
    pub of: Target,
    /// Only an Investigation learns it (`secret.investigate-only`).
    pub investigate: bool,
    /// The hidden ability that it reveals.
    pub reveals: Option<Ability>,
}

/// Where a Spell comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A Spell of this Item (`spell.source`).
    Item(Item),
    /// A Skill of this rank (`skill.like-spell`).
    Skill(Char, Rank),
}

/// A Spell or a Skill (`spell.elements`).
#[derive(Clone, Debug)]
pub struct SpellData {
    pub slug: String,
    pub name: String,
    pub from: Source,
    pub level: u8,
    pub symbol: Symbol,
}

/// A kind of Token that the table made up (`ext.tokens`).
#[derive(Clone, Debug)]
pub struct TokenData {
    pub kind: TokenKind,
    /// When its holder Expends it.
    pub when: TokenMoment,
    pub effects: ArrayVec<Effect, MAX_EFFECTS>,
}

/// Something to do with the Hours of a Rest (`ext.hours`).
#[derive(Clone, Debug)]
pub struct ActivityData {
    pub slug: String,
    pub name: String,
    /// 1 or 2.
    pub hours: u8,
    pub effects: ArrayVec<Effect, MAX_EFFECTS>,
}

impl Rules {
    pub fn sheet(&self, who: Char) -> &Sheet {
        &self.cast[who.index()]
    }

    pub fn everybody(&self) -> impl DoubleEndedIterator<Item = Char> + use<> {
        (0..self.cast.len() as u8).map(Char)
    }

    pub fn is_pc(&self, who: Char) -> bool {
        self.sheet(who).pc
    }

    pub fn every_item(&self) -> impl Iterator<Item = Item> + use<> {
        (0..self.items.len() as u8).map(Item)
    }

    pub fn every_ability(&self) -> impl Iterator<Item = Ability> + use<> {
        (0..self.abilities.len() as u8).map(Ability)
    }

    pub fn every_spell(&self) -> impl Iterator<Item = Spell> + use<> {
        (0..self.spells.len() as u8).map(Spell)
    }

    pub fn every_secret(&self) -> impl Iterator<Item = SecretId> + use<> {
        (0..self.secrets.len() as u8).map(SecretId)
    }

    pub fn item(&self, item: Item) -> &ItemData {
        &self.items[item.index()]
    }

    pub fn ability(&self, ability: Ability) -> &AbilityData {
        &self.abilities[ability.index()]
    }

    /// Whether players know of an ability only once they met it (`prop.special-hidden`).
    pub fn is_to_be_met(&self, ability: &AbilityData) -> bool {
        let foe = match ability.on {
            Bearer::Char(who) => self.sheet(who).seat == Seat::Gm,
            Bearer::Item(item) => self.sheet(self.item(item).owner).seat == Seat::Gm,
            Bearer::Prop(_) => false,
        };
        ability.hidden || foe
    }

    pub fn spell(&self, spell: Spell) -> &SpellData {
        &self.spells[spell.index()]
    }

    pub fn secret(&self, secret: SecretId) -> &SecretData {
        &self.secrets[secret.index()]
    }

    /// A Personality by its Symbol (`symbol.value`).
    pub fn base(&self, who: Char, symbol: Symbol) -> i16 {
        i16::from(self.sheet(who).personalities[symbol.personality() as usize])
    }
}
