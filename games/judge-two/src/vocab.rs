//! The words of the system: attributes, essences, threats, marks, forms.

use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{reference, reference_set, refers, word_set, words};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most characters at one table, players' and others together.
pub const MAX_CAST: usize = 24;
/// The most boons and items at one table, scripts and improvised weapons included.
pub const MAX_ITEMS: usize = 128;

reference!(
    /// A character.
    Char: 'c' in 0..MAX_CAST as u8
);
reference!(
    /// A boon or another item.
    Item: 'i' in 0..MAX_ITEMS as u8
);
reference!(
    /// An ability (a feat or special power) of somebody's.
    Ability: 'a' in 0..64
);
reference_set!(
    /// A set of characters.
    CharSet of Char as u32
);
reference_set!(
    /// A set of things.
    ItemSet of Item as u128
);

words!(
    /// What a test adds (`attr.nine`).
    #[derive(Default)]
    Attribute {
        /// Bodily force.
        #[default]
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
    #[derive(Default)]
    Essence {
        /// Poise and will.
        #[default]
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

/// The essences that follow from attributes, and from which (`essence.derived`).
pub const DERIVED: [(Essence, [Attribute; 3]); 3] = [
    (Essence::Heart, [Attribute::Nose, Attribute::Guts, Attribute::Tongue]),
    (Essence::Mind, [Attribute::Breath, Attribute::Eyes, Attribute::Hands]),
    (Essence::Strength, [Attribute::Arm, Attribute::Feet, Attribute::Spirit]),
];

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

impl Finisher {
    /// Whether those whom it beats go from where they were.
    pub const fn leaves(self) -> bool {
        matches!(
            self,
            Finisher::Flee | Finisher::Shame | Finisher::Rout | Finisher::Withdraw | Finisher::DrivenOff
        )
    }

    /// Whether those whom it beats are still there once the conflict is over
    /// (`finisher-lasts`).
    pub const fn leaves_there(self) -> bool {
        matches!(
            self,
            Finisher::Surrender
                | Finisher::Captured
                | Finisher::Assent
                | Finisher::Disposition
                | Finisher::Provoke
        )
    }
}

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
        Light = "light",
        Heavy = "heavy",
    }
);

words!(
    /// When a power boon makes its owner's attack bold; what a word says is said of the defender and
    /// of what they have readied.
    Condition {
        Always = "always",
        Unarmored = "unarmored",
        Armored = "armored",
        LightArmor = "light-armor",
        HeavyArmor = "heavy-armor",
        Shielded = "shielded",
        Unshielded = "unshielded",
        Unarmed = "unarmed",
        /// The defender has a two-handed weapon readied.
        TwoHanded = "two-handed",
        /// The defender has a one-handed weapon readied.
        OneHanded = "one-handed",
        /// The defender suffers a misdirect from anyone.
        Misdirected = "misdirected",
        Weakened = "weakened",
        Entangled = "entangled",
        Unaware = "unaware",
        VersusBrute = "brute",
        VersusFoe = "foe",
        VersusNemesis = "nemesis",
        /// The attacker's own risk is 6 or less.
        SelfSteady = "self-steady",
        /// The defender's risk is 6 or less.
        Steady = "steady",
        Mounted = "mounted",
        Unmounted = "unmounted",
        /// The defender has less prestige than the attacker.
        LowerPrestige = "lower-prestige",
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
        Udahi = "udahi",
        Leshethi = "leshethi",
        Shameri = "shameri",
        Varodi = "varodi",
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
        Male = "male",
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
    /// How much the request matters to the character who is asked.
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
        Round = "round",
        Scene = "scene",
        /// Once until the next rest, short or long.
        Rest = "rest",
    }
);

words!(
    /// How far an attack's effect goes (`attack.tier-low` and on).
    Tier {
        /// Degree 0 to 2, where the table says nothing else.
        Low = "low",
        /// Degree 3 to 4.
        Mid = "mid",
        /// Degree 5 and more.
        High = "high",
    }
);

impl Tier {
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

word_set!(
    /// A set of threats.
    ThreatSet of Threat
);
word_set!(
    /// A set of marks.
    MarkSet of Mark
);
word_set!(
    /// A set of trainings.
    TrainingSet of Training
);
word_set!(
    /// A set of languages.
    LanguageSet of Language
);
word_set!(
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

refers! {
    /// What a disarm strips: a thing, or the defender's composure.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
    pub enum Prize {
        /// A boon or another item.
        Thing(Item),
        /// Composure (`subtle.composure-lost`).
        Composure,
    }
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
