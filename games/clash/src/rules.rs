//! What does not change from moment to moment: the cast, what they have, and the table's options.

use crate::{
    dice::NatDie,
    effect::{AbilityData, Effect, MAX_EFFECTS},
    vocab::*,
};
use arrayvec::ArrayVec;
use fracas_kernel::{Roster, Seat, words};

words!(
    /// How far an Alteration reaches (`alt-scope`).
    AltScope {
        Character = "character",
        Symbol = "symbol",
    }
);
words!(
    /// How often a Clash Prop gives dice (`clash-prop-once`).
    PropOnce {
        WheneverReady = "whenever-ready",
        OnceEver = "once-ever",
    }
);
words!(
    /// Whether allies help with Rolls in a Clash (`help-in-clash`).
    HelpInClash {
        NoHelp = "no-help",
        DirectorCounts = "director-counts",
    }
);
words!(
    /// Which Rolls in a Clash may be repeated (`never-same-clash`).
    Repeat {
        Exempt = "exempt",
        Strict = "strict",
    }
);
words!(
    /// Whether lost Minor Will Points lower the Major ones (`minor-wp-model`).
    MinorWp {
        Carries = "carries",
        Separate = "separate",
    }
);
words!(
    /// Whether the blow that wins a Major Clash causes a Death Roll (`winning-blow-death`).
    WinningBlow {
        NoDeathRoll = "no-death-roll",
        DeathRoll = "death-roll",
    }
);
words!(
    /// What limits Skills (`skill-limit`).
    SkillLimit {
        Slots = "slots",
        Uses = "uses",
    }
);
words!(
    /// What players see of Rolls and of other characters (`difficulty-shown`).
    Shown {
        Difficulty = "difficulty",
        DifficultyAndWp = "difficulty-and-wp",
        Nothing = "nothing",
    }
);
words!(
    /// What Surprise does (`surprised-dodge`).
    Surprise {
        Flag = "flag",
        Strict = "strict",
    }
);

/// Where the documents leave something open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub nat_die: NatDie,
    pub alt_scope: AltScope,
    pub clash_prop_once: PropOnce,
    pub help_in_clash: HelpInClash,
    pub never_same_clash: Repeat,
    pub minor_wp_model: MinorWp,
    pub winning_blow_death: WinningBlow,
    pub skill_limit: SkillLimit,
    pub difficulty_shown: Shown,
    pub surprised_dodge: Surprise,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            nat_die: NatDie::Base,
            alt_scope: AltScope::Character,
            clash_prop_once: PropOnce::WheneverReady,
            help_in_clash: HelpInClash::NoHelp,
            never_same_clash: Repeat::Exempt,
            minor_wp_model: MinorWp::Carries,
            winning_blow_death: WinningBlow::NoDeathRoll,
            skill_limit: SkillLimit::Slots,
            difficulty_shown: Shown::Difficulty,
            surprised_dodge: Surprise::Flag,
        }
    }
}

impl Options {
    /// The ids of all of them.
    pub const IDS: &'static [&'static str] = &[
        "nat-die",
        "alt-scope",
        "clash-prop-once",
        "help-in-clash",
        "never-same-clash",
        "minor-wp-model",
        "winning-blow-death",
        "skill-limit",
        "difficulty-shown",
        "surprised-dodge",
    ];

    /// All of them, each with its word.
    pub fn words(&self) -> [(&'static str, &'static str); 10] {
        [
            ("nat-die", self.nat_die.word()),
            ("alt-scope", self.alt_scope.word()),
            ("clash-prop-once", self.clash_prop_once.word()),
            ("help-in-clash", self.help_in_clash.word()),
            ("never-same-clash", self.never_same_clash.word()),
            ("minor-wp-model", self.minor_wp_model.word()),
            ("winning-blow-death", self.winning_blow_death.word()),
            ("skill-limit", self.skill_limit.word()),
            ("difficulty-shown", self.difficulty_shown.word()),
            ("surprised-dodge", self.surprised_dodge.word()),
        ]
    }

    /// Sets one by its id and word.
    ///
    /// # Errors
    /// What would be right, where there is no such option or it has no such value.
    pub fn set(&mut self, id: &str, word: &str) -> Result<(), String> {
        fn of<T: Copy>(word: &str, words: &[(&str, T)]) -> Result<T, String> {
            let found = words.iter().find(|(there, _)| *there == word).map(|(_, value)| *value);
            let there: Vec<&str> = words.iter().map(|(there, _)| *there).collect();
            found.ok_or_else(|| fracas_kernel::not_one_of(word, &there))
        }
        match id {
            "nat-die" => self.nat_die = of(word, NatDie::WORDS)?,
            "alt-scope" => self.alt_scope = of(word, AltScope::WORDS)?,
            "clash-prop-once" => self.clash_prop_once = of(word, PropOnce::WORDS)?,
            "help-in-clash" => self.help_in_clash = of(word, HelpInClash::WORDS)?,
            "never-same-clash" => self.never_same_clash = of(word, Repeat::WORDS)?,
            "minor-wp-model" => self.minor_wp_model = of(word, MinorWp::WORDS)?,
            "winning-blow-death" => self.winning_blow_death = of(word, WinningBlow::WORDS)?,
            "skill-limit" => self.skill_limit = of(word, SkillLimit::WORDS)?,
            "difficulty-shown" => self.difficulty_shown = of(word, Shown::WORDS)?,
            "surprised-dodge" => self.surprised_dodge = of(word, Surprise::WORDS)?,
            _ => return Err(fracas_kernel::no_option(id, Options::IDS)),
        }
        Ok(())
    }
}

/// The whole of what is fixed.
#[derive(Clone, Debug)]
pub struct Rules {
    pub roster: Roster,
    pub options: Options,
    /// Players' characters first.
    pub cast: Vec<Sheet>,
    /// How many of the cast are players' characters.
    pub pcs: usize,
    pub traits: Vec<TraitData>,
    pub items: Vec<ItemData>,
    pub props: Vec<PropData>,
    pub secrets: Vec<SecretData>,
    pub abilities: Vec<AbilityData>,
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
        who.index() < self.pcs
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
