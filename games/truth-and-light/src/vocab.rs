//! The words of the system: attributes, results, guilts, glories, boons.

use fracas_kernel::{Refers, reference, reference_set, referred, refers, word_set, words};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The most characters at one table, players' and others together.
pub const MAX_CAST: usize = 16;
/// Boons that can be made in play at one time: improvised ones and the like.
pub const SPARES: usize = 8;
/// How many of them are for those who are in a scene.
pub const SEEN_SPARES: usize = 6;
/// The most boons at one table, those made in play included.
pub const MAX_BOONS: usize = 96;
/// The most abilities at one table.
pub const MAX_ABILITIES: usize = 64;
/// The most contested ends at one table.
pub const MAX_ENDS: usize = 32;
/// The most hazards at one table.
pub const MAX_HAZARDS: usize = 16;
/// The most zones of a table.
pub const MAX_ZONES: usize = 8;
/// The most harm tracks of a table.
pub const MAX_TRACKS: usize = 4;

reference!(
    /// A character.
    Char: 'c' in 0..16
);
reference_set!(
    /// Some of them.
    CharSet of Char as u16
);
reference!(
    /// A boon: of a setup, or made in play.
    Boon: 'b' in 8..96, 'x' in 0..8
);
/// The letter of a boon made in play.
pub(crate) const SPARE: char = 'x';
/// Stands for a boon, by its place, that something which lasts comes from: it need not be at hand.
pub(crate) const PATTERN: char = '=';
reference!(
    /// A feat or a Whisper of somebody's.
    Ability: 'a' in 0..64
);
reference!(
    /// A contested end: what an action can do to somebody.
    End: 'e' in 0..32
);
reference!(
    /// A hazard: an environmental challenge.
    Hazard: 'h' in 0..16
);
reference_set!(
    /// Some of them.
    HazardSet of Hazard as u16
);
reference!(
    /// A part of the scene; who is in the same one is nearby.
    Zone: 'z' in 0..8
);
reference!(
    /// A harm track.
    Track: 't' in 0..4
);

words!(
    /// What a roll adds (`attr.six`).
    #[derive(Default)]
    Attribute {
        /// Persuasion and performance.
        Beauty = "beauty",
        /// Physical daring and martial prowess.
        Strength = "strength",
        /// Intelligence, problems, investigation.
        #[default]
        Wisdom = "wisdom",
        /// Against distress, manipulation, temptation.
        Honor = "honor",
        /// Endurance and defence in combat.
        Valor = "valor",
        /// Quick thinking, reflexes, surprises.
        Initiative = "initiative",
    }
);
word_set!(
    /// Some attributes.
    AttributeSet of Attribute
);

impl Attribute {
    /// The three greater ones (`attr.tests-greater`).
    pub const GREATER: [Attribute; 3] = [Attribute::Beauty, Attribute::Strength, Attribute::Wisdom];
    /// The three lesser ones (`attr.saves-lesser`).
    pub const LESSER: [Attribute; 3] = [Attribute::Honor, Attribute::Valor, Attribute::Initiative];

    /// Which rolls it serves.
    pub const fn kind(self) -> Kind {
        match self {
            Attribute::Beauty | Attribute::Strength | Attribute::Wisdom => Kind::Test,
            Attribute::Honor | Attribute::Valor | Attribute::Initiative => Kind::Save,
        }
    }
}

words!(
    /// The two kinds of rolls (`kind.gm-calls`).
    #[derive(Default)]
    Kind {
        /// Of an action that the character begins.
        #[default]
        Test = "test",
        /// Against an action of another or of the surroundings.
        Save = "save",
    }
);

words!(
    /// Which rolls something counts for (`mod.kinds`).
    #[derive(Default)]
    Rolls {
        /// Tests alone.
        Test = "test",
        /// Saves alone.
        Save = "save",
        /// Both.
        #[default]
        Both = "both",
    }
);

impl Rolls {
    /// Whether it counts for this kind of roll.
    pub const fn counts(self, kind: Kind) -> bool {
        matches!((self, kind), (Rolls::Both, _) | (Rolls::Test, Kind::Test) | (Rolls::Save, Kind::Save))
    }
}

words!(
    /// What final Light makes of a result.
    #[derive(Default)]
    Band {
        /// Final Light 1 or 2, or as the table says (`light.guilt`, `guilt-to`).
        Guilty = "guilty",
        /// Final Light 3 or 4 (`light.innocent`).
        #[default]
        Innocent = "innocent",
        /// Final Light 5 or 6, or as the table says (`light.glory`, `glory-from`).
        Glorious = "glorious",
    }
);

words!(
    /// The four guilts (`guilt.gm-picks`).
    Guilt {
        /// A nearby ally is hindered.
        Fault = "fault-ability",
        /// Two boons in use are lost.
        Lose = "lose-boons",
        /// Saves are harder, and hostile eyes are on the character.
        Raise = "raise-risk",
        /// Something unexpected is done to the character.
        Surprise = "suffer-surprise",
    }
);

words!(
    /// The four glories (`glory.player-picks`).
    Glory {
        /// A nearby ally's next ability is helped.
        Grant = "grant-ability",
        /// A boon is improvised, stolen or discarded.
        Control = "control-boons",
        /// The character's next action, or this one, is helped.
        Break = "break-risk",
        /// The character does something unexpected.
        Spring = "spring-surprise",
    }
);

words!(
    /// The two ways to break risk (`glory.break-choice`).
    BreakMode {
        /// Through the next action.
        Next = "next",
        /// For the action just rolled.
        Now = "now",
    }
);

words!(
    /// Why fortune replaces a guilt or a glory (`fortune.condition`).
    Ground {
        /// None of the four is relevant to the action.
        NothingFits = "nothing-fits",
        /// Actions are too few or too unconnected for one to weigh on the next.
        FarApart = "far-apart",
    }
);

words!(
    /// What one of the gamemaster's characters gains of a guilty save (`ext.npc-glory`).
    Upper {
        /// Its power number counts two more through its next action.
        Press = "press",
        /// One boon of the target is lost.
        Seize = "seize",
        /// One more contested end that does no damage.
        Surprise = "surprise",
        /// Another's next action has two more.
        Rally = "rally",
        /// Four more degrees now.
        Overwhelm = "overwhelm",
    }
);

words!(
    /// How much an action takes (`action.labels`).
    Label {
        /// It takes a roll.
        Major = "major",
        /// It takes none.
        Minor = "minor",
    }
);

words!(
    /// Whether others influence an action (`action.labels`).
    #[derive(Default)]
    Reach {
        /// Nobody does.
        #[default]
        Simple = "simple",
        /// Somebody does.
        Contested = "contested",
    }
);

words!(
    /// A feat or a Whisper (`ability.def`).
    Gift {
        /// A skill or manoeuvre of a class.
        Feat = "feat",
        /// One use of a supernal power.
        Whisper = "whisper",
    }
);

words!(
    /// When an ability works (`ext.feat`).
    Trigger {
        /// Used on a test.
        Test = "on-test",
        /// Used on a save.
        Save = "on-save",
        /// Used on either.
        Roll = "on-roll",
        /// Always.
        Passive = "passive",
        /// By itself, when a test succeeds.
        Success = "on-success",
        /// By itself, when a test fails.
        Failure = "on-failure",
        /// By itself, when a test is guilty.
        Guilt = "on-guilt",
        /// By itself, when a test is a glorious success.
        Glory = "on-glory",
        /// By itself, when a save succeeds.
        Warded = "on-warded",
    }
);

impl Trigger {
    /// The rolls that what has it is used on; none, if it works by itself.
    pub const fn rolls(self) -> Option<Rolls> {
        match self {
            Trigger::Test => Some(Rolls::Test),
            Trigger::Save => Some(Rolls::Save),
            Trigger::Roll => Some(Rolls::Both),
            _ => None,
        }
    }
}

words!(
    /// What an ability is used on (`ext.whisper`).
    Aim {
        /// Nothing: the roll itself, or the surroundings.
        Nothing = "nothing",
        /// The character itself.
        Me = "self",
        /// A nearby ally.
        Ally = "ally",
        /// One of the gamemaster's characters.
        Npc = "npc",
        /// An object: told in words.
        Object = "object",
        /// A place: told in words.
        Place = "place",
    }
);

words!(
    /// What sort of boon something is (`ext.boon`).
    #[derive(Default)]
    Sort {
        /// Counts for combat tests (`mod.weapon`).
        Weapon = "weapon",
        /// Counts for combat saves (`mod.shield`).
        Shield = "shield",
        /// Worn against blows.
        Armour = "armour",
        /// Something to stand behind.
        Cover = "cover",
        /// A place above.
        HighGround = "high-ground",
        /// Something to ride.
        Mount = "mount",
        /// For climbing, travelling, the wilds.
        Gear = "gear",
        /// Scrolls and artifacts.
        Research = "research",
        /// Entourages, costumes, uniforms.
        Social = "social",
        /// Anything else.
        #[default]
        Other = "other",
    }
);

words!(
    /// How well made a boon is (`boon.quality`).
    #[derive(Default)]
    Quality {
        /// Lost for good when it is lost.
        #[default]
        Common = "common",
        /// Regained with a minor action.
        Better = "better",
    }
);

words!(
    /// Kinds of action, which boons and effects are for (`mod.kinds`).
    Tag {
        /// Fighting.
        Combat = "combat",
        /// Dealing with people.
        Social = "social",
        /// Finding out.
        Research = "research",
        /// In the wilds.
        Wilds = "wilds",
        /// Chasing and fleeing.
        Pursuit = "pursuit",
        /// Art and rites.
        Performance = "performance",
        /// Unseen.
        Stealth = "stealth",
        /// Leading many: war and ships.
        Command = "command",
    }
);
word_set!(
    /// Some kinds of action.
    TagSet of Tag
);

words!(
    /// What an opponent is like, which edges are for (`ext.boon`).
    Trait {
        /// In armour.
        Armored = "armored",
        /// Behind a shield.
        Shielded = "shielded",
        /// Without one.
        Unshielded = "unshielded",
        /// Moving slowly.
        Slow = "slow",
        /// Weakened.
        Weakened = "weakened",
        /// Riding.
        Mounted = "mounted",
        /// An animal.
        Beast = "beast",
        /// Not of this world.
        Supernal = "supernal",
    }
);
word_set!(
    /// Some of these.
    TraitSet of Trait
);

words!(
    /// The type of a conflict scene (`ext.turns`).
    Conflict {
        /// With weapons.
        Martial = "martial",
        /// With words.
        Social = "social",
        /// Armies and ships.
        Command = "command",
        /// A chase.
        Pursuit = "pursuit",
    }
);

impl Conflict {
    /// The kind of action that belongs to it.
    pub const fn tag(self) -> Tag {
        match self {
            Conflict::Martial => Tag::Combat,
            Conflict::Social => Tag::Social,
            Conflict::Command => Tag::Command,
            Conflict::Pursuit => Tag::Pursuit,
        }
    }

    /// The attributes of a test and of a save in it where nothing else says so.
    pub const fn attributes(self) -> (Attribute, Attribute) {
        match self {
            Conflict::Martial => (Attribute::Strength, Attribute::Valor),
            Conflict::Social => (Attribute::Beauty, Attribute::Honor),
            Conflict::Command => (Attribute::Wisdom, Attribute::Valor),
            Conflict::Pursuit => (Attribute::Strength, Attribute::Initiative),
        }
    }
}

words!(
    /// Who acts when (`ext.turns`).
    #[derive(Default)]
    Turns {
        /// The gamemaster gives the floor.
        #[default]
        Free = "free",
        /// Rounds: the players' side, then the other.
        Alternate = "alternate",
        /// The Truth of the last test says.
        TruthCall = "truth-call",
    }
);

words!(
    /// What one gets back between scenes (`ext.harm`).
    #[derive(Default)]
    Recovery {
        /// Everything.
        #[default]
        Full = "full",
        /// One point of each track.
        One = "one",
        /// Nothing.
        Nothing = "nothing",
    }
);

words!(
    /// Which fortune (`fortune.replaces`).
    Fate {
        /// The player's, for tests and saves.
        Good = "good",
        /// The gamemaster's, for saves.
        Bad = "bad",
    }
);

refers! {
    /// The character or thing that an action is on, or comes from.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[derive(borsh::BorshSerialize, borsh::BorshDeserialize)]
    pub enum Target {
        /// Somebody.
        Char(Char),
        /// A hazard of the scene.
        Hazard(Hazard),
        /// The surroundings at large.
        Surroundings,
    }
}

/// The word for the surroundings at large.
const SURROUNDINGS: &str = "surroundings";

impl Target {
    /// Somebody, if it is somebody.
    pub const fn char(self) -> Option<Char> {
        match self {
            Target::Char(who) => Some(who),
            _ => None,
        }
    }
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Target::Char(who) => who.serialize(s),
            Target::Hazard(hazard) => hazard.serialize(s),
            Target::Surroundings => s.serialize_str(SURROUNDINGS),
        }
    }
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text: std::borrow::Cow<'de, str> = Deserialize::deserialize(d)?;
        let char = || referred(&text, Char::LETTERS).map(|n| Target::Char(Char(n)));
        let hazard = || referred(&text, Hazard::LETTERS).map(|n| Target::Hazard(Hazard(n)));
        let all = (text == SURROUNDINGS).then_some(Target::Surroundings);
        all.or_else(char).or_else(hazard).ok_or_else(|| {
            D::Error::custom(
                "expected the name of a character or a hazard, as \"@name\", or \"surroundings\"",
            )
        })
    }
}

/// What laid a lasting effect on somebody, as far as they can shake it off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[derive(borsh::BorshSerialize, borsh::BorshDeserialize, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected the name of an end, an ability or a boon, as \"@name\"")]
pub enum Cause {
    /// A contested end.
    End(End),
    /// An ability.
    Ability(Ability),
    /// A boon that was used.
    Boon(Boon),
}

impl Refers for Cause {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        match self {
            Cause::End(end) => end.each_reference(each),
            Cause::Ability(ability) => ability.each_reference(each),
            Cause::Boon(boon) => each(PATTERN, boon.index()),
        }
    }
}
