//! The words of the game, and what answers refer to.

use arrayvec::ArrayString;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Label, Refers, reference, reference_set, referred, words};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::{fmt, str::FromStr};

/// The most characters.
pub const MAX_CAST: usize = 20;
/// The most Traits that a setup names, and that are gained in play.
pub const MAX_TRAITS: usize = 72;
pub const MAX_GAINED: usize = 32;
/// How many of those that are gained are kept for what players do not know of: places of their own, so that
/// neither a number nor a refusal tells of them.
pub const HIDDEN_GAINED: usize = 8;
pub const MAX_ITEMS: usize = 48;
/// The most Clash Props that a setup names, and that the Director makes in play.
pub const MAX_PROPS: usize = 10;
pub const MAX_MADE_PROPS: usize = 6;
pub const MAX_SECRETS: usize = 64;
pub const MAX_ABILITIES: usize = 96;
pub const MAX_SPELLS: usize = 96;

reference!(
    /// A character (`sheet.fields`).
    Char: 'c' in 0..20
);
reference_set!(
    /// Some characters.
    CharSet of Char as u32
);
reference!(
    /// A Trait (`trait.what`): of a sheet, or gained in play.
    TraitId: 't' in 0..72, 'g' in 72..104
);
reference!(
    /// An Item (`ext.item`).
    Item: 'i' in 0..48
);
reference!(
    /// A Clash Prop (`prop.clash`): of the setup, or made in play.
    Prop: 'p' in 0..10, 'q' in 10..16
);
reference!(
    /// A Secret (`secret.what`).
    SecretId: 'k' in 0..64
);
reference!(
    /// An ability of an Item, a Clash Prop or a character (`ext.effects`).
    Ability: 'a' in 0..96
);
reference!(
    /// A Spell or a Skill (`spell.elements`, `skill.like-spell`).
    Spell: 'z' in 0..96
);

reference!(
    /// Something to do with the Hours of a Rest (`ext.hours`).
    Activity: 'h' in 0..16
);

words!(
    /// One of the five (`pers.five`).
    Personality {
        Precision = "precision",
        Passion = "passion",
        Determination = "determination",
        Depth = "depth",
        Oddity = "oddity",
    }
);

words!(
    /// One of the ten, two to a Personality in its order.
    Symbol {
        Lantern = "lantern",
        Clock = "clock",
        Edge = "edge",
        Lips = "lips",
        Thunder = "thunder",
        Heart = "heart",
        Star = "star",
        Thorn = "thorn",
        Key = "key",
        Chaos = "chaos",
    }
);

impl Symbol {
    /// The Personality that it belongs to.
    pub const fn personality(self) -> Personality {
        match self {
            Symbol::Lantern | Symbol::Clock => Personality::Precision,
            Symbol::Edge | Symbol::Lips => Personality::Passion,
            Symbol::Thunder | Symbol::Heart => Personality::Determination,
            Symbol::Star | Symbol::Thorn => Personality::Depth,
            Symbol::Key | Symbol::Chaos => Personality::Oddity,
        }
    }

    /// As it stands in a sentence.
    pub const fn title(self) -> &'static str {
        match self {
            Symbol::Lantern => "Lantern",
            Symbol::Clock => "Clock",
            Symbol::Edge => "Edge",
            Symbol::Lips => "Lips",
            Symbol::Thunder => "Thunder",
            Symbol::Heart => "Heart",
            Symbol::Star => "Star",
            Symbol::Thorn => "Thorn",
            Symbol::Key => "Key",
            Symbol::Chaos => "Chaos",
        }
    }
}

words!(
    /// What a Symbol is under that is not Stable (`alteration.states`).
    Alteration {
        Eclipsed = "eclipsed",
        Obscured = "obscured",
        Bright = "bright",
        Exalted = "exalted",
    }
);

words!(
    /// What a character is (`roll.object-sheet`).
    Nature {
        Person = "person",
        Object = "object",
        Place = "place",
    }
);

words!(
    /// Minor or Major: of Traits, Skills, Will Points, Clashes and Subjugations.
    Rank {
        Minor = "minor",
        Major = "major",
    }
);

words!(
    /// One of the two sides of a Clash (`clash.what`).
    Side {
        Party = "party",
        Foes = "foes",
    }
);

impl Side {
    /// The other one.
    pub const fn other(self) -> Side {
        match self {
            Side::Party => Side::Foes,
            Side::Foes => Side::Party,
        }
    }
}

/// A word that the table made up, of at most 20 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize)]
pub struct OwnWord(ArrayString<20>);

impl FromStr for OwnWord {
    type Err = String;

    fn from_str(text: &str) -> Result<OwnWord, String> {
        let label = text.parse::<Label>().map_err(|error| error.to_string())?;
        ArrayString::from(&label)
            .map(OwnWord)
            .map_err(|_| "a word of your own has at most 20 characters".to_owned())
    }
}

impl fmt::Display for OwnWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for OwnWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Words of the rules, and such as the table made up: serialised as the word.
macro_rules! open_words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, BorshSerialize, BorshDeserialize,
        )]
        pub enum $name {
            $($variant,)*
            /// One that the table made up.
            Own(OwnWord),
        }

        impl $name {
            /// Those of the rules, each with its word.
            pub const WORDS: &'static [(&'static str, $name)] = &[$(($word, $name::$variant)),*];
        }

        fracas_kernel::refer_to_nothing!($name);

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                let known = Self::WORDS.iter().find(|(word, _)| *word == text).map(|(_, known)| *known);
                known.map_or_else(|| text.parse().map($name::Own), Ok)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $($name::$variant => f.pad($word),)*
                    $name::Own(own) => own.fmt(f),
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as Deserialize>::deserialize(d)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    };
}

open_words!(
    /// A kind of Token (`token.what`, `ext.tokens`).
    TokenKind {
        Lucky = "lucky",
        Armor = "armor",
        Power = "power",
        Weak = "weak",
        Vulnerable = "vulnerable",
        Taunt = "taunt",
        Stealth = "stealth",
    }
);

words!(
    /// When a Token of a kind that the table made up is Expended (`ext.tokens`).
    TokenMoment {
        Roll = "roll",
        Deals = "damage-dealt",
        Takes = "damage-taken",
        Targeted = "targeted",
    }
);

words!(
    /// How long an effect lasts (`ext.effects`, `default-duration`).
    Lasts {
        AtOnce = "instant",
        Turn = "end-of-turn",
        NextTurn = "until-my-next-turn",
        Clash = "clash",
        Scene = "scene",
        Rest = "rest",
        Permanent = "permanent",
    }
);

open_words!(
    /// A word that other rules ask for (`clash.flying`), or that the table made up (`ext.effects`).
    Keyword {
        Flying = "flying",
        Range = "range",
    }
);

words!(
    /// When an ability can be used (`action.slow`, `timing.rapid`, `trigger.stack`).
    Timing {
        Slow = "slow",
        Rapid = "rapid",
        Triggered = "triggered",
        Static = "static",
    }
);

words!(
    /// What triggers an ability.
    Moment {
        ClashBegins = "clash-begins",
        TurnBegins = "turn-begins",
        TurnEnds = "turn-ends",
        Attacks = "attacks",
        AbilityUsed = "ability-used",
        Passes = "passes",
        Fails = "fails",
        Disaster = "disaster",
        Breakthrough = "breakthrough",
        Damage = "damage",
        Activated = "activated",
        Studied = "studied",
        Controlled = "controlled",
        PushedOff = "pushed-off",
    }
);

words!(
    /// Whose moment it must be, seen from the owner of the ability.
    Whose {
        Mine = "mine",
        OnMe = "on-me",
        Ally = "ally",
        Enemy = "enemy",
        Anyone = "anyone",
    }
);

words!(
    /// Whom or what an ability is aimed at.
    Aim {
        Me = "self",
        Ally = "ally",
        Enemy = "enemy",
        Anyone = "anyone",
        Element = "element",
        /// The character who acts in the moment, or whose Action waits.
        Acting = "acting",
        Target = "target",
    }
);

words!(
    /// How often an ability can be used.
    Limit {
        Turn = "turn",
        Scene = "scene",
        Rest = "rest",
    }
);

words!(
    /// What a Spell leaves in the pool on its target (`persist.pool`).
    Dice {
        Bonus = "bonus",
        Malus = "malus",
    }
);

/// A Scene Element with rules of its own: a Trait, an Item or a Clash Prop (`se.what`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize)]
pub enum Element {
    Trait(TraitId),
    Item(Item),
    Prop(Prop),
}

/// Whom or what something is done to (`study.action`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize)]
pub enum Target {
    Char(Char),
    Element(Element),
}

impl Target {
    /// The character, if it is one.
    pub const fn char(self) -> Option<Char> {
        match self {
            Target::Char(who) => Some(who),
            Target::Element(_) => None,
        }
    }
}

impl From<Char> for Target {
    fn from(who: Char) -> Target {
        Target::Char(who)
    }
}

impl Element {
    fn of(text: &str) -> Option<Element> {
        let a_trait = || referred(text, TraitId::LETTERS).map(|id| Element::Trait(TraitId(id)));
        let item = || referred(text, Item::LETTERS).map(|id| Element::Item(Item(id)));
        let prop = || referred(text, Prop::LETTERS).map(|id| Element::Prop(Prop(id)));
        a_trait().or_else(item).or_else(prop)
    }
}

/// A reference that may be of several kinds: it is written as theirs.
macro_rules! either {
    ($name:ident, $read:expr, $expected:literal; $($variant:ident),+) => {
        impl Refers for $name {
            fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
                match self { $($name::$variant(id) => id.each_reference(each)),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $($name::$variant(id) => id.fmt(f)),+ }
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as Deserialize>::deserialize(d)?;
                let read: fn(&str) -> Option<$name> = $read;
                read(&text).ok_or_else(|| D::Error::custom($expected))
            }
        }
    };
}

either!(Element, Element::of, "expected the name of a Trait, an Item or a Clash Prop, as \"@name\""; Trait, Item, Prop);
either!(
    Target,
    |text| {
        let who = referred(text, Char::LETTERS).map(|id| Target::Char(Char(id)));
        who.or_else(|| Element::of(text).map(Target::Element))
    },
    "expected the name of a character, a Trait, an Item or a Clash Prop, as \"@name\"";
    Char, Element
);

/// At most `N` different things, in order: written as a list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Few<T, const N: usize>([Option<T>; N]);

impl<T: Copy, const N: usize> Default for Few<T, N> {
    fn default() -> Self {
        Few([None; N])
    }
}

impl<T: Copy + PartialEq, const N: usize> Few<T, N> {
    /// These, in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + use<T, N> {
        self.0.into_iter().flatten()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0[0].is_none()
    }

    /// Whether this is one of them.
    pub fn has(&self, one: T) -> bool {
        self.0.contains(&Some(one))
    }

    /// With one more; false where there is no room.
    pub fn push(&mut self, one: T) -> bool {
        let place = self.0.iter_mut().find(|place| place.is_none());
        place.is_some_and(|place| {
            *place = Some(one);
            true
        })
    }
}

impl<T: Refers, const N: usize> Refers for Few<T, N> {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        self.0.each_reference(each);
    }
}

impl<T: Copy + PartialEq + Serialize, const N: usize> Serialize for Few<T, N> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.iter())
    }
}

impl<'de, T: Copy + PartialEq + Deserialize<'de>, const N: usize> Deserialize<'de> for Few<T, N> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let mut few = Few::default();
        for one in <Vec<T> as Deserialize>::deserialize(d)? {
            if few.has(one) || !few.push(one) {
                return Err(D::Error::custom(format_args!("at most {N} different things are named here")));
            }
        }
        Ok(few)
    }
}
