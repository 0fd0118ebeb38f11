//! What is asked, and what may be answered.

use crate::state::{Changes, MAX_PARTS, Making, Menu, To, ToSet};
use crate::{Afraid, aid, challenge, conflict, dice::Faces, dying, escalate, fallout, flow, scene, vocab::*};
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Label, Refers, Seat, prompts, refer_to_nothing, refers};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

prompts! {
    /// What a state asks of a seat. All dice lie open, so nothing in it is hidden.
    pub enum Prompt of Afraid, asking asked;

    /// The gamemaster says what happens between conflicts.
    "scene" Scene => scene(), "to say what happens", unfiltered;
    /// A player may see to their own sheet between conflicts.
    "aside" Aside(seat: Seat) => scene::aside(seat), "to see to their sheets", unfiltered;
    /// What is at stake?
    "stakes" Stakes => conflict::staking(), "to say what is at stake", unfiltered;
    /// How might your side resolve it?
    "muse" Muse(seat: Seat) => conflict::musing(seat), "to think how it might be resolved", unfiltered;
    /// Challenge: on your turn, or in place of an answer to the character `instead`.
    "challenge" Challenge {
        who: Char,
        #[serde(skip_serializing_if = "Option::is_none")]
        instead: Option<Char>,
    } => challenge::turn(who, instead), "to challenge", unfiltered;
    /// Does another member of the group challenge? At most `left` more may.
    "members" Members { who: Char, left: u8 } =>
        challenge::members(who, left), "to say whether another of the group challenges", unfiltered;
    /// Is the escalation matched at once?
    "match" Match { who: Char, by: Char, arena: Arena } =>
        escalate::at_once(who), "to say whether the escalation is matched";
    /// An answer is owed: its dice must add up to `need` at least.
    "answer" Answer { who: Char, by: Char, need: u8, harm: Harm } =>
        challenge::answering(who), "to answer the challenge", unfiltered;
    /// Is that the kind of harm the challenge threatens?
    "harm" Harm { by: Char, harm: Harm } =>
        challenge::harm(by, harm), "to say what harm the challenge threatens";
    /// Hand a die to an ally who challenges or answers?
    "help" Help { seat: Seat, to: Char } =>
        challenge::helping(seat, to), "to say whether a die is handed to an ally", unfiltered;
    /// Does the item that the character brings in show in their challenge or answer?
    "concrete" Concrete { who: Char, item: Item } =>
        challenge::concrete(who, item), "to say whether what was brought in counts";
    /// Cut to another scene?
    "cut" Cut => escalate::cutting(), "to say whether there is a cut to another scene";
    /// Does somebody of yours join?
    "join" Join(seat: Seat) => escalate::joining(seat), "to say who joins";
    /// Can this character be there?
    "admit" Admit { who: Char, with: Char } => escalate::admitting(who, with), "to say who can be there";
    /// Your side has won: what becomes of what was at stake?
    "resolve" Resolve => conflict::resolving(asked), "to say what becomes of what was at stake";
    /// If your side cannot agree, you decide.
    "decide" Decide(who: Char) => conflict::deciding(asked), "to decide";
    /// Choose from a menu of fallout.
    "fallout" Fallout { who: Char, menu: Menu } => fallout::choosing(who, menu), "to choose the fallout";
    /// First aid was not enough: real medical care, or death?
    "need" Need(who: Char) => aid::need(who), "to say what is needed";
    /// Something about a new character.
    "newcomer" Newcomer { dead: Char, step: Making } =>
        dying::newcomer(dead, step), "to settle something about a new character";
    /// The gamemaster throws dice that players do not see; for players it is between conflicts.
    /// It takes no answer. It stays last, as the list of prompts that people read ends before it.
    "throw" Throw => flow::throw(), "to throw the dice";
}

impl Prompt {
    /// Who is to challenge, or to answer a challenge.
    pub(crate) const fn actor(self) -> Option<Char> {
        match self {
            Prompt::Challenge { who, .. } | Prompt::Answer { who, .. } => Some(who),
            _ => None,
        }
    }
}

/// The sides of a conflict: two or more lists of names (`several-sides`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Sides(pub [CharSet; MAX_PARTS]);

impl Sides {
    /// Two sides.
    pub const fn two(first: CharSet, second: CharSet) -> Sides {
        let mut sides = [CharSet::NONE; MAX_PARTS];
        (sides[0], sides[1]) = (first, second);
        Sides(sides)
    }

    /// Everybody on them.
    pub fn all(self) -> CharSet {
        self.0.into_iter().fold(CharSet::NONE, CharSet::or)
    }

    /// The sides that have somebody, each with its number.
    pub fn iter(self) -> impl Iterator<Item = (u8, CharSet)> {
        (0..).zip(self.0).filter(|(_, side)| !side.is_empty())
    }
}

impl Refers for Sides {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        self.0.each_reference(each);
    }
}

impl Serialize for Sides {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.iter().map(|(_, side)| side))
    }
}

impl<'de> Deserialize<'de> for Sides {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Sides, D::Error> {
        let all = <Vec<CharSet> as Deserialize>::deserialize(d)?;
        let mut sides = Sides::default();
        if all.len() > sides.0.len() {
            return Err(D::Error::custom("more sides than can take part"));
        }
        sides.0[..all.len()].copy_from_slice(&all);
        Ok(sides)
    }
}

refers! {
    /// The stakes of a conflict, apart from the words for them.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    #[derive(Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
    #[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
    pub struct AtStake {
        pub lives: CharSet = default,
        /// Whom and what the stakes concern: relationships to them count.
        pub about: ToSet = default,
        pub circumstances: Changes = default,
    }
}

/// Two batches of unassigned relationship dice that a menu offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Batch {
    /// A large die and some d6.
    Big,
    /// d4s and some d6.
    Small,
}

/// What happens to a victim (`ext.monster`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// Another step of victimization.
    Step,
    /// A step undone.
    Undo,
    /// Gone under.
    Succumb,
    /// Set free.
    Release,
}

refer_to_nothing!(Faces, Batch, Turn);

refers! {
    /// A choice.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum Answer {
        // Between conflicts.
        /// A conflict begins.
        Conflict {
            sides: Sides,
            /// The opening arena.
            arena: Arena,
            /// Its stakes follow from the resolution of the last conflict.
            followup: bool = default,
        },
        /// A first aid conflict begins.
        FirstAid {
            /// Who needs first aid.
            victim: Char,
            provider: Char,
            kind: Aid,
        },
        /// Somebody gets real medical care.
        Care(Char),
        /// Somebody dies without medical care.
        Perish(Char),
        /// A bond is kept to, or broken.
        Bond {
            bond: Item,
            /// Kept to, or broken.
            holds: bool,
        },
        /// Unassigned relationship dice go to somebody.
        Assign {
            /// The character; in a conflict the challenger or the answerer.
            who: Option<Char> = default,
            to: To,
            /// How many.
            count: u8,
            size: Size,
        },
        /// Unassigned relationship dice go to somebody new.
        AssignNew {
            /// The character; in a conflict the challenger or the answerer.
            who: Option<Char> = default,
            name: Label,
            /// How many.
            count: u8,
            size: Size,
        },
        /// Something happens to a victim.
        Victim {
            who: Char,
            turn: Turn,
        },
        /// The players' characters meet somebody.
        Meet(To),
        /// A fact of the monster's writeup becomes known.
        Reveal(Fact),
        /// A new scene begins beside the others.
        NewScene(CharSet),
        /// On to another scene, by its number from 0.
        Cut(u8),
        /// Somebody comes into this scene from wherever they are.
        Enter(Char),
        /// The scene moves to another place.
        Move,
        EndScene,
        /// The evening ends.
        Close,

        // What is at stake.
        /// The stakes in words.
        Thing(Label),
        /// What is at stake, openly.
        Stake(AtStake),
        /// How a character might resolve the conflict, as stakes.
        Muse(AtStake),
        /// The dice are rolled.
        Begin,
        /// The conflict is called off before any dice.
        CallOff,

        // A conflict.
        /// The character brings an item of their sheet into the challenge or answer.
        Bring(Item),
        /// Goes into a new arena.
        Escalate(Arena),
        Challenge {
            /// The challenged: each of them must answer.
            on: CharSet,
            dice: Faces,
            /// The harm that it threatens; absent: the arena's usual harm.
            harm: Option<Harm> = default,
            /// The arena; absent: the arena that the character entered last.
            arena: Option<Arena> = default,
        },
        /// Another member of the group challenges with the same dice.
        Strike {
            on: CharSet,
            /// The harm that it threatens.
            harm: Option<Harm> = default,
            arena: Option<Arena> = default,
        },
        Done,
        /// Responds in kind: goes along into the challenge's arena.
        Match,
        /// Answers with these faces.
        Answer {
            /// One reverses, two block, three or more take it.
            dice: Faces,
            /// The arena; absent: the challenge's.
            arena: Option<Arena> = default,
        },
        /// Gives: loses, and keeps the best dice.
        Give,
        /// Loses: cannot or will not go on.
        Yield,
        /// The gamemaster names the kind of harm.
        Harm(Harm),
        Yes,
        No,
        /// Not now.
        Pass,
        /// Joins the conflict.
        Join {
            who: Char,
            /// On whose side.
            with: Char,
        },
        /// Hands a die to an ally.
        Help {
            who: Char,
            /// The face that the die shows.
            die: u8,
        },
        /// What becomes of the stakes.
        Resolve {
            /// Who loses their life.
            dies: CharSet = default,
            /// Circumstances that become true.
            #[serde(rename = "true")]
            comes: Changes = default,
            /// Circumstances that become false.
            #[serde(rename = "false")]
            ends: Changes = default,
        },

        // Menus of fallout.
        /// Circumstances become false.
        Clear(Circumstances),
        NewTrait(Label),
        NewRelationship(To),
        /// A new relationship to somebody new.
        NewAcquaintance(Label),
        AddDie(Item),
        /// Dice of another size.
        Resize {
            item: Item,
            /// The new size.
            to: Size,
        },
        /// Unassigned relationship dice.
        RelationshipDice(Batch),
        NewBelonging {
            name: Label,
            /// How good it is.
            grade: Grade,
        },
        /// The best dice of the roll go to an opponent, for a followup.
        GiveDice(Char),
        /// Circumstances become true.
        Suffer(Circumstances),
        /// A stat loses a die.
        LoseDie(Stat),
        /// All dice of the item become d4s.
        ToD4(Item),
        /// Two circumstances become true, and there is a new trait.
        SufferForTrait {
            suffer: Circumstances,
            name: Label,
        },
        /// Two circumstances become true, and there is a new relationship.
        SufferForRelationship {
            suffer: Circumstances,
            to: To,
        },
        /// Two circumstances become true, and there is a new relationship to somebody new.
        SufferForAcquaintance {
            suffer: Circumstances,
            name: Label,
        },
        /// The item is struck off the sheet.
        Lose(Item),
        /// First aid is required.
        NeedAid,
        /// The best die goes to an opponent, and something is revealed.
        GiveAndReveal {
            to: Char,
            fact: Fact,
        },
        /// A group loses a member in place of a die or a thing.
        LoseMember,
        /// Two more stat dice.
        AddStats([Stat; 2]),
        /// Three more dice on traits and relationships.
        AddDice([Item; 3]),
        NewBond {
            /// The words of the bond.
            name: Label,
            /// Beyond nature: a d4 on top.
            supernatural: bool = default,
        },

        // A new character.
        Name(Label),
        /// The background that the character is made from.
        Background(Background),
        /// d6s of the stats: acuity, body, heart, will.
        Stats([u8; 4]),
        /// Dice that become something on the sheet.
        Place {
            /// A trait, a bond, a belonging.
            sort: Sort,
            name: Label,
            /// How many dice.
            count: u8,
            size: Size,
            /// A weapon beyond nature: a d4 on top.
            supernatural: bool = default,
        },
        /// Dice that become a relationship.
        PlaceRelationship {
            to: To,
            /// How many dice.
            count: u8,
            size: Size,
        },
    }
}
