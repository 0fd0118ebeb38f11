//! The words of the system: attributes, essences, threats, marks, forms.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::SerializeSeq};
use std::fmt;

/// The most characters at one table, players' and others together.
pub const MAX_CAST: usize = 24;
/// The most boons and items at one table, scripts and improvised weapons included.
pub const MAX_ITEMS: usize = 128;

/// A small id that JSON writes as a reference: `"@c3"`.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $letter:literal, $most:expr) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, BorshSerialize, BorshDeserialize,
        )]
        pub struct $name(pub u8);

        impl $name {
            /// The letter that marks such a reference.
            pub const LETTER: char = $letter;

            /// The place in the rules' list.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "@{}{}", $letter, self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(&format_args!("@{}{}", $letter, self.0))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text: std::borrow::Cow<'de, str> = Deserialize::deserialize(d)?;
                text.strip_prefix(concat!("@", $letter))
                    .and_then(|n| n.parse::<u8>().ok())
                    .filter(|n| (*n as usize) < $most)
                    .map($name)
                    .ok_or_else(|| D::Error::custom(concat!("expected the name of ", stringify!($name), ", as \"@name\"")))
            }
        }
    };
}

id!(
    /// A character.
    Char, 'c', MAX_CAST
);
id!(
    /// A boon or another item.
    Item, 'i', MAX_ITEMS
);
id!(
    /// An ability (a feat or special power) of somebody's.
    Ability, 'a', 64
);

/// A set of characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, BorshSerialize, BorshDeserialize)]
pub struct CharSet(pub u32);

impl CharSet {
    /// Nobody.
    pub const NONE: CharSet = CharSet(0);

    /// Just this one.
    pub const fn one(who: Char) -> Self {
        CharSet(1 << who.0)
    }

    /// Whether `who` is in it.
    pub const fn has(self, who: Char) -> bool {
        self.0 & (1 << who.0) != 0
    }

    /// With `who`.
    #[must_use]
    pub const fn with(self, who: Char) -> Self {
        CharSet(self.0 | 1 << who.0)
    }

    /// Without `who`.
    #[must_use]
    pub const fn without(self, who: Char) -> Self {
        CharSet(self.0 & !(1 << who.0))
    }

    /// Those in both.
    #[must_use]
    pub const fn and(self, other: CharSet) -> Self {
        CharSet(self.0 & other.0)
    }

    /// Those in either.
    #[must_use]
    pub const fn or(self, other: CharSet) -> Self {
        CharSet(self.0 | other.0)
    }

    /// Those in this one only.
    #[must_use]
    pub const fn minus(self, other: CharSet) -> Self {
        CharSet(self.0 & !other.0)
    }

    /// How many.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nobody is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first of them.
    pub const fn first(self) -> Option<Char> {
        if self.0 == 0 { None } else { Some(Char(self.0.trailing_zeros() as u8)) }
    }

    /// In the order of the cast.
    pub fn iter(self) -> impl Iterator<Item = Char> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let who = CharSet(left).first()?;
            left &= left - 1;
            Some(who)
        })
    }
}

impl FromIterator<Char> for CharSet {
    fn from_iter<I: IntoIterator<Item = Char>>(all: I) -> Self {
        all.into_iter().fold(CharSet::NONE, CharSet::with)
    }
}

impl fmt::Debug for CharSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for CharSet {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut seq = s.serialize_seq(Some(self.len()))?;
        for who in self.iter() {
            seq.serialize_element(&who)?;
        }
        seq.end()
    }
}

impl<'de> Deserialize<'de> for CharSet {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> serde::de::Visitor<'de> for Visit {
            type Value = CharSet;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of names, as [\"@name\"]")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<CharSet, A::Error> {
                let mut set = CharSet::NONE;
                while let Some(who) = seq.next_element::<Char>()? {
                    if set.has(who) {
                        return Err(A::Error::custom("the same name twice"));
                    }
                    set = set.with(who);
                }
                Ok(set)
            }
        }
        d.deserialize_seq(Visit)
    }
}

/// A set of things.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, BorshSerialize, BorshDeserialize)]
pub struct ItemSet(pub u128);

impl ItemSet {
    /// Nothing.
    pub const NONE: ItemSet = ItemSet(0);

    /// Whether `item` is in it.
    pub const fn has(self, item: Item) -> bool {
        self.0 & (1 << item.0) != 0
    }

    /// With `item`.
    #[must_use]
    pub const fn with(self, item: Item) -> Self {
        ItemSet(self.0 | 1 << item.0)
    }

    /// Without `item`.
    #[must_use]
    pub const fn without(self, item: Item) -> Self {
        ItemSet(self.0 & !(1 << item.0))
    }

    /// Those in both.
    #[must_use]
    pub const fn and(self, other: ItemSet) -> Self {
        ItemSet(self.0 & other.0)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// In the order of the table's list.
    pub fn iter(self) -> impl Iterator<Item = Item> + use<> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let item = Item(left.trailing_zeros() as u8);
            left &= left - 1;
            Some(item)
        })
    }
}

impl fmt::Debug for ItemSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A plain enum of words: listed, named, serialised in kebab-case.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize,
            BorshSerialize, BorshDeserialize,
        )]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant),*
        }

        impl $name {
            /// All of them, in the rulebook's order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// Each with its word, for reading setups.
            pub const WORDS: &'static [(&'static str, $name)] = &[$(($word, $name::$variant)),*];

            /// Its word.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

words!(
    /// What a test adds (`attr.nine`).
    Attribute {
        /// Bodily force.
        Arm = "arm",
        /// Wisdom and experience.
        Breath = "breath",
        /// Perception.
        Eyes = "eyes",
        /// Speed and agility.
        Feet = "feet",
        /// Concentration and resolve.
        Guts = "guts",
        /// Skilled labour.
        Hands = "hands",
        /// Charisma and imagination.
        Nose = "nose",
        /// Stealth and deceit.
        Spirit = "spirit",
        /// Persuasion and wit.
        Tongue = "tongue",
    }
);

words!(
    /// What a save adds (`essence.four`).
    Essence {
        /// Poise and will.
        Heart = "heart",
        /// Quickness of thought.
        Mind = "mind",
        /// Bodily endurance.
        Strength = "strength",
        /// Force of conviction.
        Faith = "faith",
    }
);

words!(
    /// A form of conflict (`conflict.forms`).
    Form {
        /// Small fights.
        Martial = "martial",
        /// Arguments and social pressure.
        Subtle = "subtle",
        /// Battles of hundreds or thousands.
        Strategic = "strategic",
        /// Ships.
        Naval = "naval",
    }
);

impl Form {
    /// Which of the three resistances meets it: martial 0, subtle 1, epic 2.
    pub const fn resistance(self) -> usize {
        match self {
            Form::Martial => 0,
            Form::Subtle => 1,
            Form::Strategic | Form::Naval => 2,
        }
    }

    /// Attributes that attacks of this form use, where the table says nothing
    /// else; the default first.
    pub const fn attributes(self) -> &'static [Attribute] {
        use Attribute::*;
        match self {
            Form::Martial => &[Arm, Eyes, Feet, Guts, Spirit],
            Form::Subtle => &[Tongue, Breath, Guts, Hands, Nose],
            Form::Strategic => &[Breath, Arm, Eyes, Guts, Tongue],
            Form::Naval => &[Guts, Arm, Breath, Eyes, Hands],
        }
    }

    /// Essences that defences of this form use, where the table says nothing
    /// else; the default first.
    pub const fn essences(self) -> &'static [Essence] {
        use Essence::*;
        match self {
            Form::Martial => &[Strength, Faith, Mind],
            Form::Subtle => &[Heart, Faith, Mind],
            Form::Strategic | Form::Naval => &[Strength, Mind],
        }
    }

    /// Whether distance matters in it: scripts have no range
    /// (`subtle.script-counter-any`).
    pub const fn has_ranges(self) -> bool {
        !matches!(self, Form::Subtle)
    }

    /// The form's finishers, where the table says nothing else.
    pub const fn finishers(self) -> &'static [Finisher] {
        use Finisher::*;
        match self {
            Form::Martial => &[Kill, Unconscious, Flee, Surrender],
            Form::Subtle => &[Provoke, Shame, Assent, Disposition],
            Form::Strategic => &[Rout, Surrender, Destroy, Withdraw],
            Form::Naval => &[Sunk, Captured, DrivenOff, Burned],
        }
    }

    /// Whether its attacks wound bodies: what makes a mark physical.
    pub const fn is_physical(self) -> bool {
        !matches!(self, Form::Subtle)
    }
}

/// Attributes that usually serve a veiled attack (`veiled.attributes`).
pub const VEILED: [Attribute; 5] =
    [Attribute::Breath, Attribute::Eyes, Attribute::Hands, Attribute::Nose, Attribute::Spirit];

words!(
    /// A short-lived effect of an attack (`threat.four`).
    Threat {
        /// A boon or item leaves the defender's control.
        Disarm = "disarm",
        /// Attacker and defender are bound to each other.
        Entangle = "entangle",
        /// The defender may not attack the source.
        Misdirect = "misdirect",
        /// Attacks against the defender are bold until the next turn.
        Weaken = "weaken",
    }
);

words!(
    /// A lasting effect of an attack (`mark.four`).
    Mark {
        /// No abilities, no bonuses from boons.
        Afflict = "afflict",
        /// A deed or a test, never both.
        Crush = "crush",
        /// Attacks impose no threats and no marks.
        Pierce = "pierce",
        /// No attack in a round before being released.
        Stricken = "stricken",
    }
);

words!(
    /// The end of somebody in a conflict (`finisher.power`).
    Finisher {
        /// Killed outright.
        Kill = "kill",
        /// Unconscious for the rest of the scene.
        Unconscious = "unconscious",
        /// Badly wounded, flees.
        Flee = "flee",
        /// Drops all weapons and surrenders.
        Surrender = "surrender",
        /// Provoked to fight at once.
        Provoke = "provoke",
        /// Shamed before all; leaves.
        Shame = "shame",
        /// Accepts one proposition sincerely.
        Assent = "assent",
        /// Better disposed for good.
        Disposition = "disposition",
        /// A force destroyed.
        Destroy = "destroy",
        /// A force flees in disorder.
        Rout = "rout",
        /// A force quits the field in order.
        Withdraw = "withdraw",
        /// A ship goes down.
        Sunk = "sunk",
        /// A ship is taken.
        Captured = "captured",
        /// A ship is driven off.
        DrivenOff = "driven-off",
        /// A ship burns.
        Burned = "burned",
    }
);

words!(
    /// What kind of character this is (`npc.kinds`).
    Kind {
        /// A player's character.
        Pc = "pc",
        /// An unnamed henchman or crowd.
        Brute = "brute",
        /// A named opponent.
        Foe = "foe",
        /// A main antagonist.
        Nemesis = "nemesis",
    }
);

words!(
    /// What a thing is to a conflict (`boon.kinds`).
    Category {
        /// Makes attacks bold in its situation.
        Power = "power",
        /// Grants resistance.
        Vital = "vital",
        /// Makes threats impossible.
        Keen = "keen",
        /// No boon: any other item.
        Item = "item",
    }
);

words!(
    /// How heavy armour is.
    Weight {
        /// Light.
        Light = "light",
        /// Heavy.
        Heavy = "heavy",
    }
);

words!(
    /// When a power boon makes its owner's attack bold.
    Condition {
        /// In every attack.
        Always = "always",
        /// The defender wears no armour.
        Unarmored = "unarmored",
        /// The defender wears armour.
        Armored = "armored",
        /// The defender wears light armour.
        LightArmor = "light-armor",
        /// The defender wears heavy armour.
        HeavyArmor = "heavy-armor",
        /// The defender has a shield readied.
        Shielded = "shielded",
        /// The defender has no shield readied.
        Unshielded = "unshielded",
        /// The defender has no weapon readied.
        Unarmed = "unarmed",
        /// The defender has a two-handed weapon readied.
        TwoHanded = "two-handed",
        /// The defender has a one-handed weapon readied.
        OneHanded = "one-handed",
        /// The defender suffers a misdirect from anyone.
        Misdirected = "misdirected",
        /// The defender is weakened.
        Weakened = "weakened",
        /// The defender is bound to somebody.
        Entangled = "entangled",
        /// The defender is not aware of the attacker.
        Unaware = "unaware",
        /// The defender is a brute.
        VersusBrute = "brute",
        /// The defender is a foe.
        VersusFoe = "foe",
        /// The defender is a nemesis.
        VersusNemesis = "nemesis",
        /// The attacker's own risk is 6 or less.
        SelfSteady = "self-steady",
        /// The defender's risk is 6 or less.
        Steady = "steady",
        /// The defender is on a mount.
        Mounted = "mounted",
        /// The defender is on no mount.
        Unmounted = "unmounted",
        /// The defender has less prestige than the attacker.
        LowerPrestige = "lower-prestige",
        /// The defender has lost composure.
        Uncomposed = "uncomposed",
        /// The gamemaster says when.
        Ruled = "ruled",
    }
);

words!(
    /// How far two characters are from each other (`movement-tracking`).
    Band {
        /// Three or four strides.
        Close = "close",
        /// A dozen strides.
        Near = "near",
        /// A hundred strides.
        Far = "far",
        /// Farther than any weapon reaches.
        Beyond = "beyond",
    }
);

words!(
    /// What somebody is trained in (`prof.groups`, `prof.captain`).
    Training {
        /// Knives, clubs, staves, slings.
        Commoner = "commoner",
        /// Nearly every other weapon.
        Soldier = "soldier",
        /// The weapon of one's own kind.
        Master = "master",
        /// Heavy armour and fighting from a mount.
        Captain = "captain",
    }
);

words!(
    /// A kind of mortal (`disguise.language-list`).
    People {
        /// Of Udahi.
        Udahi = "udahi",
        /// Of Leshethi.
        Leshethi = "leshethi",
        /// Of Shameri.
        Shameri = "shameri",
        /// Of Varodi.
        Varodi = "varodi",
        /// Of Menefi.
        Menefi = "menefi",
    }
);

impl People {
    /// Its primary language, which a disguise as one of them takes
    /// (`disguise.language-list`).
    pub const fn language(self) -> Language {
        match self {
            People::Udahi | People::Leshethi => Language::Deverin,
            People::Shameri | People::Varodi => Language::Aramaia,
            People::Menefi => Language::Iratic,
        }
    }
}

words!(
    /// What the gender condition of prestige reads (`prestige.gender`).
    Gender {
        /// Male.
        Male = "male",
        /// Female.
        Female = "female",
    }
);

words!(
    /// One of the four languages (`lang.eight`).
    Language {
        /// The most widely spoken.
        Deverin = "deverin",
        /// Of Shameri and Varodi; its letters serve scribes and priests.
        Aramaia = "aramaia",
        /// Of Menefi and of trade.
        Iratic = "iratic",
        /// Ancient; on relics and ruins.
        Garith = "garith",
    }
);

words!(
    /// How one of the gamemaster's characters is disposed to the players' (`disp.levels`).
    #[derive(Default)]
    Disposition {
        /// Refuses everything.
        Hostile = "hostile",
        /// Agrees for fair pay.
        #[default]
        Neutral = "neutral",
        /// Gives up things of moderate importance.
        Friendly = "friendly",
    }
);

words!(
    /// How much what is asked for matters to whoever is asked.
    Stake {
        /// Of moderate importance at most.
        Moderate = "moderate",
        /// Of the highest importance.
        Highest = "highest",
    }
);

words!(
    /// Circumstances of a scene that make attributes fit.
    Setting {
        /// Formal argument, history, law, religion.
        Formal = "formal",
        /// Among warriors; robbery, incitement, intimidation.
        War = "war",
        /// Commerce and haggling.
        Trade = "trade",
        /// Social gatherings.
        Social = "social",
        /// Ample room to move.
        Room = "room",
    }
);

words!(
    /// A way to attack other than with the readied weapon as it is meant.
    Manner {
        /// A close weapon is thrown at somebody near (`martial.throw`).
        Throw = "throw",
        /// With bare hands, whatever is in them.
        Bare = "bare",
    }
);

words!(
    /// A longer move before an attack (`move.long`).
    Moves {
        /// Up to somebody near.
        In = "in",
        /// Away from everybody who is close.
        Out = "out",
    }
);

words!(
    /// A level of prestige (`prestige.ranks`).
    Prestige {
        /// Everybody else's.
        Low = "low",
        /// Allies of the highest.
        Middle = "middle",
        /// The one.
        Highest = "highest",
    }
);

impl Prestige {
    /// Ranks of subtle resistance it grants.
    pub const fn ranks(self) -> u8 {
        match self {
            Prestige::Low => 0,
            Prestige::Middle => 2,
            Prestige::Highest => 4,
        }
    }
}

words!(
    /// How often an ability serves.
    Often {
        /// Once in a round.
        Round = "round",
        /// Once in a scene.
        Scene = "scene",
        /// Once until the next rest, short or long.
        Rest = "rest",
    }
);

words!(
    /// How far an attack's effect goes (`attack.tier-low` and on).
    Tier {
        /// Degree 0 to 2.
        Low = "low",
        /// Degree 3 to 4.
        Mid = "mid",
        /// Degree 5 and more.
        High = "high",
    }
);

impl Tier {
    /// The tier of a final degree.
    pub const fn of(degree: i8) -> Tier {
        match degree {
            ..=2 => Tier::Low,
            3..=4 => Tier::Mid,
            _ => Tier::High,
        }
    }

    /// The risk it imposes.
    pub const fn risk(self) -> u8 {
        match self {
            Tier::Low => 2,
            Tier::Mid => 3,
            Tier::High => 0,
        }
    }
}

words!(
    /// A rest between scenes.
    Rest {
        /// 10 to 20 minutes.
        Quick = "quick",
        /// 2 to 3 hours.
        Short = "short",
        /// 8 to 10 hours.
        Long = "long",
    }
);

words!(
    /// What the gamemaster makes of an intervention that calls for no save.
    Turnabout {
        /// A new challenge, obstacle or opponent, or something taken away.
        Challenge = "challenge",
        /// What was just achieved is partly spoilt.
        Compromise = "compromise",
        /// Anything else.
        Other = "other",
    }
);

/// A set of threats or of marks.
macro_rules! bits {
    ($(#[$doc:meta])* $set:ident of $one:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, BorshSerialize, BorshDeserialize)]
        pub struct $set(pub u8);

        impl $set {
            /// None.
            pub const NONE: $set = $set(0);

            /// Whether it is in the set.
            pub const fn has(self, one: $one) -> bool {
                self.0 & (1 << one as u8) != 0
            }

            /// With this one.
            #[must_use]
            pub const fn with(self, one: $one) -> Self {
                $set(self.0 | 1 << one as u8)
            }

            /// Without this one.
            #[must_use]
            pub const fn without(self, one: $one) -> Self {
                $set(self.0 & !(1 << one as u8))
            }

            /// How many.
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether there is none.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// In the rulebook's order.
            pub fn iter(self) -> impl Iterator<Item = $one> {
                $one::ALL.iter().copied().filter(move |&one| self.has(one))
            }
        }

        impl FromIterator<$one> for $set {
            fn from_iter<I: IntoIterator<Item = $one>>(all: I) -> Self {
                all.into_iter().fold($set::NONE, $set::with)
            }
        }

        impl fmt::Debug for $set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }

        impl Serialize for $set {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_seq(self.iter())
            }
        }

        impl<'de> Deserialize<'de> for $set {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let all: Vec<$one> = Deserialize::deserialize(d)?;
                Ok(all.into_iter().collect())
            }
        }
    };
}

bits!(
    /// A set of threats.
    ThreatSet of Threat
);
bits!(
    /// A set of marks.
    MarkSet of Mark
);
bits!(
    /// A set of trainings.
    TrainingSet of Training
);
bits!(
    /// A set of languages.
    LanguageSet of Language
);
bits!(
    /// A set of circumstances.
    SettingSet of Setting
);

impl LanguageSet {
    /// All four.
    pub const ALL: LanguageSet = LanguageSet(0b1111);

    /// Those in both.
    #[must_use]
    pub const fn and(self, other: LanguageSet) -> Self {
        LanguageSet(self.0 & other.0)
    }
}

/// What a disarm strips: a thing, or the defender's composure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Prize {
    /// A boon or another item.
    Thing(Item),
    /// Composure (`subtle.composure-lost`).
    Composure,
}

impl Prize {
    /// The thing, where it is one.
    pub const fn thing(self) -> Option<Item> {
        match self {
            Prize::Thing(item) => Some(item),
            Prize::Composure => None,
        }
    }
}

impl Serialize for Prize {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Prize::Thing(item) => Serialize::serialize(item, s),
            Prize::Composure => s.serialize_str("composure"),
        }
    }
}

impl<'de> Deserialize<'de> for Prize {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text: std::borrow::Cow<'de, str> = Deserialize::deserialize(d)?;
        if text == "composure" {
            return Ok(Prize::Composure);
        }
        let text = serde::de::value::CowStrDeserializer::new(text);
        <Item as Deserialize>::deserialize(text).map(Prize::Thing)
    }
}
