//! The words of the system: stats, arenas, circumstances, harm, things on a sheet.

use fracas_kernel::{Clause, reference, reference_set, word_set, words};

/// The most characters that a setup and those who come later can bring.
pub const MAX_CAST: usize = 20;
/// The most characters made in play, each for one that died.
pub const MAX_NEWCOMERS: usize = 10;
/// The most things on all sheets of a setup together.
pub const MAX_ITEMS: usize = 160;
/// The most things gained in play.
pub const MAX_GAINED: usize = 48;
/// The most of them that the gamemaster's characters gain, which have names of their own:
/// how many there are is not told by the names of what players see.
pub const MAX_THEIRS: usize = 24;
/// The most people and things, beside the cast, whom relationships are to.
pub const MAX_PEOPLE: usize = 40;
/// The most of them met in play.
pub const MAX_MET: usize = 16;
/// The most of them whom the gamemaster's characters come to know.
pub const MAX_THEIR_MET: usize = 8;
/// The most facts of a monster's writeup.
pub const MAX_FACTS: usize = 64;

reference!(
    /// A character: of the setup, made in play, or the injury that first aid is against.
    Char: 'c' in 0..MAX_CAST as u8,
    'n' in MAX_CAST as u8..(MAX_CAST + MAX_NEWCOMERS) as u8,
    'w' in 31..32
);
reference_set!(
    /// Some characters.
    CharSet of Char as u32
);
reference!(
    /// A trait, bond, relationship or belonging on somebody's sheet.
    Item: 'i' in 0..MAX_ITEMS as u8,
    'g' in MAX_ITEMS as u8..(MAX_ITEMS + MAX_GAINED) as u8,
    'h' in (MAX_ITEMS + MAX_GAINED) as u8..(MAX_ITEMS + MAX_GAINED + MAX_THEIRS) as u8
);
reference!(
    /// Somebody or something that a relationship is to and that is not in the cast.
    Person: 'p' in 0..MAX_PEOPLE as u8,
    's' in MAX_PEOPLE as u8..(MAX_PEOPLE + MAX_MET) as u8,
    't' in (MAX_PEOPLE + MAX_MET) as u8..(MAX_PEOPLE + MAX_MET + MAX_THEIR_MET) as u8
);
reference_set!(
    /// Some people.
    PersonSet of Person as u64
);
reference!(
    /// A fact of the monster's writeup.
    Fact: 'f' in 0..MAX_FACTS as u8
);
reference_set!(
    /// Some facts.
    FactSet of Fact as u64
);
reference!(
    /// A background to make a character from.
    Background: 'b' in 0..16
);

/// Where a thing on a sheet comes from, and its number there.
pub(crate) enum Place {
    /// The setup.
    Setup(usize),
    /// Gained in play by a player's character.
    Gained(usize),
    /// Gained in play by one of the gamemaster's.
    Theirs(usize),
}

impl Item {
    /// Where it comes from.
    pub(crate) fn place(self) -> Place {
        let at = self.index();
        match (at.checked_sub(MAX_ITEMS), at.checked_sub(MAX_ITEMS + MAX_GAINED)) {
            (_, Some(at)) => Place::Theirs(at),
            (Some(at), None) => Place::Gained(at),
            (None, None) => Place::Setup(at),
        }
    }
}

impl Char {
    /// The injury in a first aid conflict (`firstaid.injury-opponent`).
    pub const INJURY: Char = Char(31);
}

words!(
    /// What is rated in d6s on a sheet (`beyond.sheet.stats`).
    Stat {
        /// Wits and attention.
        Acuity = "acuity",
        /// Strength and health.
        Body = "body",
        /// Feeling, and how one moves others.
        Heart = "heart",
        /// Courage and endurance.
        Will = "will",
    }
);
word_set!(
    /// Some stats.
    StatSet of Stat
);

words!(
    /// Where a conflict is fought (`arena.list`).
    Arena {
        /// Research or study.
        Research = "research",
        /// Talking.
        Social = "social",
        /// Moving.
        Athletic = "athletic",
        /// Fighting.
        Fighting = "fighting",
        /// Killing.
        Murder = "murder",
    }
);
word_set!(
    /// Some arenas.
    ArenaSet of Arena
);

impl Arena {
    /// The stats whose dice are rolled for it, the kind of harm of its challenges unless the
    /// challenger says a milder one (`harm-who`), and the clause that says what it rolls.
    const fn row(self) -> (&'static [Stat], Harm, Clause) {
        match self {
            Arena::Research => (&[Stat::Acuity], Harm::NonPhysical, clause!("arena.research")),
            Arena::Social => (&[Stat::Acuity, Stat::Heart], Harm::NonPhysical, clause!("arena.social")),
            Arena::Athletic => (&[Stat::Body, Stat::Heart], Harm::Physical, clause!("arena.athletic")),
            Arena::Fighting => (&[Stat::Body, Stat::Will], Harm::Violent, clause!("arena.fighting")),
            Arena::Murder => (&[Stat::Acuity, Stat::Will], Harm::Murderous, clause!("arena.murder")),
        }
    }

    /// The stats whose dice are rolled for it.
    pub fn stats(self) -> StatSet {
        self.row().0.iter().copied().collect()
    }

    /// The kind of harm of its challenges.
    pub const fn harm(self) -> Harm {
        self.row().1
    }

    /// The clause that says what it rolls.
    pub const fn clause(self) -> Clause {
        self.row().2
    }
}

impl ArenaSet {
    /// The gravest harm that one may threaten who has entered these (`harm-who`).
    pub fn gravest(self) -> Harm {
        self.iter().map(Arena::harm).max().unwrap_or(Harm::NonPhysical)
    }
}

words!(
    /// What a challenge threatens (`harm.details`), the mildest first.
    #[derive(Default)]
    Harm {
        /// Words, work of the mind.
        #[default]
        NonPhysical = "non-physical",
        /// Bodily, without violence.
        Physical = "physical",
        /// Violence that is not meant to kill.
        Violent = "violent",
        /// Meant to kill.
        Murderous = "murderous",
    }
);

impl Harm {
    /// The fallout dice it deals.
    pub const fn size(self) -> Size {
        match self {
            Harm::NonPhysical => Size::D4,
            Harm::Physical => Size::D6,
            Harm::Violent => Size::D8,
            Harm::Murderous => Size::D10,
        }
    }

    /// The clause that says so.
    pub const fn clause(self) -> Clause {
        match self {
            Harm::NonPhysical => clause!("harm.nonphysical"),
            Harm::Physical => clause!("harm.physical"),
            Harm::Violent => clause!("harm.violent"),
            Harm::Murderous => clause!("harm.murderous"),
        }
    }
}

words!(
    /// The sizes that dice have, in the order of the ladder.
    Size {
        /// Four sides.
        D4 = "d4",
        /// Six.
        D6 = "d6",
        /// Eight.
        D8 = "d8",
        /// Ten.
        D10 = "d10",
    }
);

impl Size {
    /// How many sides: 4, 6, 8 or 10.
    pub const fn sides(self) -> u8 {
        4 + 2 * self as u8
    }

    /// Whether `other` is one step up or down the ladder (`xp.change-size`).
    pub const fn is_next_to(self, other: Size) -> bool {
        (self as u8).abs_diff(other as u8) == 1
    }
}

words!(
    /// How things stand for somebody (`beyond.sheet.circumstances`).
    Circumstance {
        /// Cut off from friends and allies.
        Alone = "alone",
        /// In the middle of something bad.
        InTrouble = "in-trouble",
        /// Kept from where one wants to be.
        Lost = "lost",
        /// Open to harm.
        Unprepared = "unprepared",
    }
);
word_set!(
    /// Some circumstances.
    Circumstances of Circumstance
);

impl Circumstances {
    /// All four.
    pub const ALL: Circumstances = Circumstances(0b1111);
}

words!(
    /// What a thing on a sheet is.
    Sort {
        /// A strength or weakness: rolled when it is brought in.
        Trait = "trait",
        /// What one does or never does: rolled at the start while it is true.
        Bond = "bond",
        /// To somebody: rolled at the start where they matter.
        Relationship = "relationship",
        /// Something one has: rolled when it is brought in.
        Belonging = "belonging",
    }
);

words!(
    /// How good a belonging is (`beyond.dogs.belongings`).
    Grade {
        /// One d4.
        Poor = "poor",
        /// One d6.
        Ordinary = "ordinary",
        /// Two d6.
        Excellent = "excellent",
        /// One d8.
        Big = "big",
        /// Two d8.
        BigAndExcellent = "big-and-excellent",
    }
);

impl Grade {
    /// Its dice.
    pub const fn rating(self) -> (u8, Size) {
        match self {
            Grade::Poor => (1, Size::D4),
            Grade::Ordinary => (1, Size::D6),
            Grade::Excellent => (2, Size::D6),
            Grade::Big => (1, Size::D8),
            Grade::BigAndExcellent => (2, Size::D8),
        }
    }
}

words!(
    /// What a fact of the writeup is about (`ext.monster`).
    Topic {
        /// Anything else.
        Plain = "plain",
        /// The name or face of a victim.
        Victim = "victim",
        /// The name or face of a slave.
        Slave = "slave",
        /// The name or face of an acolyte.
        Acolyte = "acolyte",
        /// A bond on the monster's sheet.
        Bond = "bond",
        /// How the monster gets at a victim or slave.
        Access = "access",
    }
);

words!(
    /// What somebody is to the monster.
    Tie {
        /// The monster itself.
        Monster = "monster",
        /// The monster draws power out of them.
        Victim = "victim",
        /// Bound by a promise that will not be kept.
        Slave = "slave",
        /// Serves of their own will.
        Acolyte = "acolyte",
        /// Nothing.
        Bystander = "bystander",
    }
);

words!(
    /// What became of a victim.
    Hold {
        /// Still held.
        Held = "held",
        /// Gone under.
        Succumbed = "succumbed",
        /// Free.
        Released = "released",
    }
);

words!(
    /// Which first aid is given (`firstaid.kind`).
    Aid {
        /// For the body.
        Physical = "physical",
        /// For the mind.
        Psychological = "psychological",
    }
);

impl Aid {
    /// The provider's stat and the victim's (`firstaid.physical`,
    /// `firstaid.psychological`).
    pub const fn stats(self) -> (Stat, Stat) {
        match self {
            Aid::Physical => (Stat::Acuity, Stat::Body),
            Aid::Psychological => (Stat::Heart, Stat::Will),
        }
    }

    /// The arena whose sets of dice serve in it (`firstaid-sets`).
    pub const fn nearest(self) -> Arena {
        match self {
            Aid::Physical => Arena::Research,
            Aid::Psychological => Arena::Social,
        }
    }

    /// What the injury's challenges threaten, unless said otherwise
    /// (`firstaid-injury-fallout`).
    pub const fn harm(self) -> Harm {
        match self {
            Aid::Physical => Harm::Physical,
            Aid::Psychological => Harm::NonPhysical,
        }
    }
}
