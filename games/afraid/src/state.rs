//! The whole table at one moment.

use crate::dice::{Faces, Fallout, Hand, Pool, Rating};
use crate::{
    answer::{AtStake, Sides},
    rules::Rules,
    vocab::*,
};
use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Label, Refers, Seat, SeatSet, hearsay, referred, refers};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The most that may take part in one conflict.
pub const MAX_PARTS: usize = 12;
/// The most challenges that may be outstanding in one conflict.
pub const MAX_EXCHANGES: usize = 16;
/// The most challenges a group makes in one turn.
pub const MAX_STRIKES: usize = 20;
/// The most scenes that run at once.
pub const MAX_SCENES: usize = 3;
/// The most conflicts from which somebody keeps dice.
pub const MAX_KEPT: usize = 4;
/// The most dice from before that are in the hands of allies.
pub const MAX_LENT: usize = 24;
/// The most that may wait to be done between conflicts.
pub const MAX_CHORES: usize = 160;

/// One moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct State {
    /// Those whom the setup names, and who came later, by [`Char`].
    pub cast: ArrayVec<Being, MAX_CAST>,
    /// Characters made in play.
    pub newcomers: ArrayVec<Being, MAX_NEWCOMERS>,
    pub newcomer_names: ArrayVec<Label, MAX_NEWCOMERS>,
    /// What is on the sheets, by [`Item`].
    pub items: ArrayVec<Thing, MAX_ITEMS>,
    /// What was gained in play.
    pub gained: ArrayVec<Thing, MAX_GAINED>,
    pub gained_names: ArrayVec<Label, MAX_GAINED>,
    /// People whom relationships are to since play began.
    pub acquainted: ArrayVec<Label, MAX_MET>,
    /// Facts that the players know. A rewind does not take them back.
    pub known: FactSet,
    /// Those of the cast whom the players' characters have met.
    pub met: CharSet,
    pub met_people: PersonSet,
    /// d10s that the monster has for victims to come (`beyond.monster.victims`).
    pub stock: u8,
    /// The scenes that run.
    pub scenes: ArrayVec<Scene, MAX_SCENES>,
    /// Which of them is being played.
    pub now: u8,
    /// What must be done before any scene goes on.
    pub chores: ArrayVec<Chore, MAX_CHORES>,
    /// The character that is being made.
    pub draft: Option<Draft>,
    /// The table has closed.
    pub over: bool,
    /// Those of the gamemaster's whom the players' characters last saw dead.
    pub mourned: CharSet,
    /// What the gamemaster's characters gained in play.
    pub theirs: ArrayVec<Thing, MAX_THEIRS>,
    pub their_names: ArrayVec<Label, MAX_THEIRS>,
    /// People whom their relationships are to since play began.
    pub their_acquainted: ArrayVec<Label, MAX_THEIR_MET>,
    /// Hands by which the orders of rounds were made.
    pub ranked: ArrayVec<Ranked, { MAX_PARTS * MAX_SCENES }>,
    /// Which of the scenes players last saw played: while another is played unseen they look
    /// at this one.
    pub shown: u8,
    /// Dice from before that their keepers have handed to allies in a followup.
    pub lent: ArrayVec<Lent, MAX_LENT>,
}

/// A die kept or given for a followup that its keeper has handed to an ally in it
/// (`helping-dice`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Lent {
    pub from: Char,
    /// In whose hand it is.
    pub to: Char,
    /// What it shows.
    pub die: (Size, u8),
    /// Whom the conflict was with that it comes from.
    pub with: CharSet,
}

/// The hand that gave somebody their place in the order of a round (`join-pairs`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Ranked {
    /// In the conflict of which scene.
    pub scene: u8,
    pub who: Char,
    /// What it showed.
    pub hand: Faces,
}

/// Somebody at this moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Being {
    /// Who plays them.
    pub seat: Seat,
    /// Of what sort they are.
    pub nature: Nature,
    /// What they are to the monster.
    pub tie: Tie,
    /// Whether they live.
    pub fate: Fate,
    /// d6s of each stat.
    pub stats: [u8; 4],
    /// Relationship dice assigned to nobody.
    pub unassigned: Pool,
    /// Circumstances that are true.
    pub circumstances: Circumstances,
    /// What they were made from.
    pub background: Option<Background>,
    /// First aid is required.
    pub need: Option<Need>,
    /// Dice kept or given for followups.
    pub kept: ArrayVec<Kept, MAX_KEPT>,
    /// How far the monster has them, where they are its victim.
    pub hold: Hold,
    /// Their worth to the monster in d10s, 0 to 4.
    pub worth: u8,
}

/// Dice that wait for a followup, as they show (`followup-rules`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Kept {
    pub dice: Hand,
    /// Whom the conflict was with that they come from; and their keeper, while a followup
    /// has them in the keeper's hand.
    pub with: CharSet,
}

/// Of what sort somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nature {
    /// A person, or a monster.
    One,
    /// So many who act as one (`gnpc.one-hand`).
    Group(u8),
    /// Something with dice and no sheet (`ext.injury-dice`).
    Thing(Pool),
}

/// Whether somebody lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[derive(Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Alive.
    Living,
    /// Dead, for good (`dying.final`).
    Dead,
}

/// First aid is required (`firstaid.required`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Need {
    /// The dice of the injury (`ext.injury-dice`).
    pub dice: Pool,
    /// A first aid conflict has been held for it (`firstaid.one-in-row`).
    pub tried: bool,
    /// And it was won, so far.
    pub met: bool,
}

/// A thing on a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Thing {
    pub owner: Char,
    pub sort: Sort,
    /// Its dice.
    pub rating: Rating,
    /// Whom a relationship is to.
    pub to: Option<To>,
    /// In which arena alone it gives dice (`beyond.npc.four-traits`).
    pub arena: Option<Arena>,
    /// A bond that is being kept to (`bond-true`).
    pub holds: bool,
    /// Its dice were rolled in the conflict under way.
    pub rolled: bool,
    /// Everybody has seen it.
    pub known: bool,
    /// Struck off the sheet.
    pub lost: bool,
}

impl Thing {
    /// Something new on a sheet.
    pub fn new(owner: Char, sort: Sort, rating: Rating) -> Thing {
        let (holds, rolled, known, lost) = (true, false, false, false);
        Thing { owner, sort, rating, to: None, arena: None, holds, rolled, known, lost }
    }

    /// Its dice: none where it is struck off.
    pub fn dice(&self) -> Pool {
        if self.lost { Pool::EMPTY } else { self.rating.pool() }
    }
}

/// Whom or what a relationship is to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[derive(Serialize, BorshSerialize, BorshDeserialize)]
#[serde(untagged)]
pub enum To {
    /// One of the cast.
    Char(Char),
    /// Somebody or something else.
    Person(Person),
}

impl To {
    /// The kind of a reference to one of the cast that hearsay is enough for.
    pub(crate) const OF_CAST: char = '*';
}

impl Refers for To {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        match self {
            To::Char(who) => each(To::OF_CAST, who.index()),
            To::Person(person) => person.each_reference(each),
        }
    }
}

impl Refers for ToSet {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        self.iter().for_each(|to| to.each_reference(each));
    }
}

impl<'de> Deserialize<'de> for To {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<To, D::Error> {
        let text = <std::borrow::Cow<'de, str> as Deserialize>::deserialize(d)?;
        let text = hearsay(&text);
        let cast = referred(&text, Char::LETTERS).map(|who| To::Char(Char(who)));
        let to = cast.or_else(|| referred(&text, Person::LETTERS).map(|who| To::Person(Person(who))));
        to.ok_or_else(|| D::Error::custom("expected the name of somebody, as \"@name\""))
    }
}

/// Whom or what something concerns, of the cast and besides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize)]
pub struct ToSet {
    pub cast: CharSet,
    /// Other people and things.
    pub others: PersonSet,
}

impl ToSet {
    /// In the table's order.
    pub fn iter(self) -> impl Iterator<Item = To> {
        self.cast.iter().map(To::Char).chain(self.others.iter().map(To::Person))
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.cast.is_empty() && self.others.is_empty()
    }

    /// Those in either.
    #[must_use]
    pub const fn or(self, other: ToSet) -> ToSet {
        ToSet { cast: self.cast.or(other.cast), others: self.others.or(other.others) }
    }

    /// Whether this one is among them.
    pub const fn has(self, to: To) -> bool {
        match to {
            To::Char(who) => self.cast.has(who),
            To::Person(person) => self.others.has(person),
        }
    }
}

impl FromIterator<To> for ToSet {
    fn from_iter<I: IntoIterator<Item = To>>(all: I) -> ToSet {
        all.into_iter().fold(ToSet::default(), |all, to| match to {
            To::Char(who) => ToSet { cast: all.cast.with(who), ..all },
            To::Person(person) => ToSet { others: all.others.with(person), ..all },
        })
    }
}

impl From<CharSet> for ToSet {
    fn from(cast: CharSet) -> ToSet {
        ToSet { cast, others: PersonSet::NONE }
    }
}

impl Serialize for ToSet {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for ToSet {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<ToSet, D::Error> {
        let all = <Vec<To> as Deserialize>::deserialize(d)?;
        let set: ToSet = all.iter().copied().collect();
        if set.iter().count() == all.len() { Ok(set) } else { Err(D::Error::custom("the same name twice")) }
    }
}

/// A scene that runs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Scene {
    pub present: CharSet,
    pub conflict: Option<Conflict>,
    /// The conflict before, which another may follow up.
    pub last: Option<Last>,
    /// Counted up whenever the scene moves to another place.
    pub stage: u8,
}

/// A conflict that is over, for followups (`followup-rules`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Last {
    /// What was at stake.
    pub stakes: Stakes,
    /// Who took part.
    pub parts: CharSet,
    /// Who won it.
    pub winners: CharSet,
    /// The opening arena; first aid has none.
    pub arena: Option<Arena>,
    pub stage: u8,
}

/// What is at stake (`setup.stakes`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, BorshSerialize, BorshDeserialize)]
pub struct Stakes {
    /// In words.
    pub thing: Option<Label>,
    /// Whom and what it concerns.
    pub what: AtStake,
    /// Somebody has said what might come of it.
    pub implied: bool,
}

refers! {
    /// Somebody's circumstances, by circumstance.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
    #[derive(Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
    #[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
    pub struct Changes {
        /// Whose being alone.
        pub alone: CharSet = default,
        /// Whose being in trouble.
        pub in_trouble: CharSet = default,
        /// Whose being lost.
        pub lost: CharSet = default,
        /// Whose being unprepared.
        pub unprepared: CharSet = default,
    }
}

impl Changes {
    /// The characters for whom this circumstance changes.
    pub const fn of(self, circumstance: Circumstance) -> CharSet {
        match circumstance {
            Circumstance::Alone => self.alone,
            Circumstance::InTrouble => self.in_trouble,
            Circumstance::Lost => self.lost,
            Circumstance::Unprepared => self.unprepared,
        }
    }

    /// The same set, to be changed.
    pub const fn of_mut(&mut self, circumstance: Circumstance) -> &mut CharSet {
        match circumstance {
            Circumstance::Alone => &mut self.alone,
            Circumstance::InTrouble => &mut self.in_trouble,
            Circumstance::Lost => &mut self.lost,
            Circumstance::Unprepared => &mut self.unprepared,
        }
    }

    /// Each circumstance that concerns somebody, and whose it is.
    pub fn each(self) -> impl Iterator<Item = (Circumstance, CharSet)> {
        let all = Circumstance::ALL.iter().map(move |&one| (one, self.of(one)));
        all.filter(|(_, whose)| !whose.is_empty())
    }

    /// Everybody concerned.
    pub const fn everybody(self) -> CharSet {
        self.alone.or(self.in_trouble).or(self.lost).or(self.unprepared)
    }
}

/// A conflict.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Conflict {
    pub stage: Stage,
    /// What is at stake.
    pub stakes: Stakes,
    /// Seats that have said how their side might resolve the stakes.
    pub mused: SeatSet,
    /// It follows up the conflict before.
    pub followup: bool,
    /// The opening arena; first aid has none.
    pub arena: Option<Arena>,
    /// The last arena escalated to; the opening arena before.
    pub latest: Option<Arena>,
    /// Who takes part, the sides by their numbers.
    pub parts: ArrayVec<Part, MAX_PARTS>,
    /// First aid, and to whom.
    pub aid: Option<AidCase>,
    /// What comes before the challenges go on.
    pub next: ArrayVec<Next, 24>,
    /// Who would have joined at this escalation and cannot be there.
    pub unwelcome: CharSet,
    /// The round, from 1; 0 before the first.
    pub round: u16,
    /// The order of the round.
    pub order: ArrayVec<Char, MAX_PARTS>,
    /// Who has had a turn this round.
    pub had: CharSet,
    /// Who has handed a die to an ally this round.
    pub helped: CharSet,
    /// Challenges being made or answered, the last first.
    pub exchanges: ArrayVec<Exchange, MAX_EXCHANGES>,
}

/// How far a conflict is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The stakes are being named.
    #[default]
    Staking,
    /// Dice are rolled and challenges made.
    Running,
    /// A side has won and resolves the stakes.
    Resolving(u8),
}

/// First aid under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct AidCase {
    /// Who needs it.
    pub victim: Char,
    pub provider: Char,
    pub kind: Aid,
    /// Fallout dice that the victim has banked (`firstaid.blow`).
    pub bank: Pool,
    /// The injury's dice.
    pub dice: Pool,
}

/// Somebody in a conflict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Part {
    pub who: Char,
    /// On which side, from 0.
    pub side: u8,
    /// Their dice.
    pub hand: Hand,
    /// Fallout dice, not rolled (`fallout.bank`).
    pub bank: Pool,
    /// Arenas they have entered (`arena-track`).
    pub arenas: ArenaSet,
    /// The one they entered last; none in first aid.
    pub arena: Option<Arena>,
    pub escalated: ArenaSet,
    /// Stats whose dice they have rolled.
    pub rolled: StatSet,
    /// They matched an opponent's escalation.
    pub matched: bool,
    /// They have given or lost.
    pub out: bool,
    /// Dice that a group has answered with this round (`gnpc.standing`).
    pub standing: Standing,
}

/// A standing answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, BorshSerialize, BorshDeserialize)]
pub struct Standing {
    pub dice: Hand,
    /// How many answers it has served.
    pub served: u8,
    /// Earlier standing answers of one die only: back in the hand at the round's end.
    pub single: Hand,
}

/// Something that comes before the challenges go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Next {
    /// Dice are due.
    Roll(Due),
    /// Does what somebody brings in show in what they do?
    Concrete {
        /// Who brings it in.
        who: Char,
        item: Item,
    },
    /// Another scene may be cut to.
    Cut,
    /// Others may join; seats that have not said yet.
    Join(SeatSet),
    /// May this one join?
    Admit {
        /// Who would.
        who: Char,
        side: u8,
    },
}

/// Dice that are due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Due {
    pub who: Char,
    pub dice: Pool,
    pub why: Why,
}

refers! {
    /// Why dice are due.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Why {
        /// The conflict begins.
        Opening,
        /// A new arena.
        Escalated(Arena),
        /// An opponent's new arena.
        Matched(Arena),
        Brought(Item),
        Joined(Arena),
        /// Somebody came who matters to them.
        Came,
        /// A relationship was assigned.
        Assigned(Item),
    }
}

/// A challenge, from its making to the last answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Exchange {
    /// Whose challenge.
    pub by: Char,
    pub step: Step,
    /// It takes the place of an answer.
    pub instead: bool,
    /// The new arena it is made in.
    pub escalated: Option<Arena>,
    pub dice: [u8; 2],
    /// A group's members make several from the same dice.
    pub strikes: [Strike; MAX_STRIKES],
    /// How many there are.
    pub made: u8,
    /// Which is being answered.
    pub at: u8,
    /// Who was ahead of whom when it was made (`group.answer-order`).
    pub order: [Char; MAX_PARTS],
    /// Who still owes an answer to the one being answered.
    pub owed: CharSet,
    /// Who may still match at once.
    pub may_match: CharSet,
    /// Who answers in kind: they matched at once.
    pub committed: CharSet,
    /// Who has matched with the answer they owe now.
    pub in_kind: CharSet,
    /// Who joined at its escalation and cannot be named in it.
    pub fresh: CharSet,
    /// Its harm stands: an answer has been given, or the gamemaster has named it.
    pub settled: bool,
}

/// How far a challenge is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub enum Step {
    /// It is being made.
    #[default]
    Making,
    /// A group's members add theirs.
    Members,
    /// Opponents may match at once.
    Matching,
    /// It is being answered.
    Answering,
}

/// What one challenge does, and to whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Strike {
    /// Who must answer.
    pub on: CharSet,
    /// What it threatens.
    pub harm: Harm,
    /// In which arena it is made; none in first aid.
    pub arena: Option<Arena>,
}

/// Something that must be done before a scene goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Chore {
    /// Fallout dice are rolled.
    Roll {
        who: Char,
        dice: Pool,
        /// Against whom they took them.
        against: CharSet,
    },
    /// Something is chosen from a menu.
    Menu {
        who: Char,
        menu: Menu,
        /// The roll that brought it.
        of: FalloutRoll,
    },
    /// First aid was tried: it met the need, or care or death is left.
    Need(Char),
    /// Somebody is in real medical care (`medical.circumstances`).
    Recovers(Char),
    /// Somebody dies.
    Death(Char),
    /// A player makes a new character in place of this one.
    Newcomer(Char),
    /// A player gets reflection fallout.
    Reflect {
        seat: Seat,
        /// For which character, where that is settled: the dead character, and then the
        /// newcomer in its place.
        who: Option<Char>,
    },
}

fracas_kernel::words!(
    /// A menu of fallout.
    Menu {
        /// One of seven things learnt.
        Experience = "experience",
        /// Short-term fallout.
        Short = "short-term",
        /// Long-term fallout.
        Long = "long-term",
        /// The long-term half of an injury, or the gamemaster's whole.
        Injury = "injury",
        /// The other half of an injury.
        Wound = "wound",
        /// The other half of reflection.
        Reflection = "reflection",
    }
);

/// A fallout roll, for what is chosen because of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct FalloutRoll {
    pub dice: Pool,
    /// What they showed.
    pub shown: Fallout,
    /// Against whom they were taken.
    pub against: CharSet,
}

impl FalloutRoll {
    /// No roll: reflection, and real medical care.
    pub const NONE: FalloutRoll =
        FalloutRoll { dice: Pool::EMPTY, shown: Fallout::TWO_HIGHEST, against: CharSet::NONE };
}

/// A character that is being made (`dying.new-character`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Draft {
    /// In whose place.
    pub dead: Char,
    /// Who it will be.
    pub who: Char,
    /// Dice that have no place yet.
    pub left: Pool,
    /// What is to be settled.
    pub step: Making,
}

/// What of a new character is to be settled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Making {
    Name,
    /// What they are made from.
    Background,
    /// d6s of their stats.
    Stats,
    /// Everything else.
    Sheet,
    /// What is true of them.
    Circumstances,
}

/// Puts a thing into a list; `None` where there is no more room.
fn put<const MOST: usize>(
    things: &mut ArrayVec<Thing, MOST>,
    names: &mut ArrayVec<Label, MOST>,
    thing: Thing,
    name: Label,
) -> Option<usize> {
    if things.is_full() {
        // What was struck off makes room, once its conflict is over.
        let at = things.iter().position(|thing| thing.lost && !thing.rolled)?;
        (things[at], names[at]) = (thing, name);
        return Some(at);
    }
    things.push(thing);
    names.push(name);
    Some(things.len() - 1)
}

/// Whether another thing could be put there.
fn has_room<const MOST: usize>(things: &ArrayVec<Thing, MOST>) -> bool {
    !things.is_full() || things.iter().any(|thing| thing.lost && !thing.rolled)
}

impl State {
    /// Everybody there is, the dead included.
    pub fn everybody(&self) -> impl Iterator<Item = Char> + use<> {
        let (cast, newcomers) = ((1 << self.cast.len()) - 1, (1 << self.newcomers.len()) - 1);
        CharSet(cast | newcomers << MAX_CAST).iter()
    }

    /// Whether there is such a character.
    pub fn knows(&self, who: Char) -> bool {
        self.somebody(who).is_some()
    }

    /// Somebody there is: of the setup, or made in play.
    fn somebody(&self, who: Char) -> Option<&Being> {
        match who.index().checked_sub(MAX_CAST) {
            Some(at) => self.newcomers.get(at),
            None => self.cast.get(who.index()),
        }
    }

    /// Somebody; for the injury of first aid, something without a sheet.
    pub fn being(&self, who: Char) -> &Being {
        self.somebody(who).unwrap_or(&INJURY)
    }

    /// Somebody of the cast, to change them.
    pub fn being_mut(&mut self, who: Char) -> Option<&mut Being> {
        match who.index().checked_sub(MAX_CAST) {
            Some(at) => self.newcomers.get_mut(at),
            None => self.cast.get_mut(who.index()),
        }
    }

    /// Changes somebody of the cast.
    pub(crate) fn change(&mut self, who: Char, how: impl FnOnce(&mut Being)) {
        if let Some(being) = self.being_mut(who) {
            how(being);
        }
    }

    /// Who plays somebody.
    pub fn seat(&self, who: Char) -> Seat {
        self.being(who).seat
    }

    /// Whether a player plays them.
    pub fn is_pc(&self, who: Char) -> bool {
        self.seat(who) != Seat::Gm
    }

    /// Whether they live.
    pub fn lives(&self, who: Char) -> bool {
        self.being(who).fate == Fate::Living
    }

    /// Whether somebody lives for all that a seat knows: players know who died where they
    /// saw it.
    pub fn seems_alive(&self, who: Char, seat: Seat) -> bool {
        if seat == Seat::Gm || self.is_pc(who) { self.lives(who) } else { !self.mourned.has(who) }
    }

    /// The members of a group, 1 of anybody else.
    pub fn members(&self, who: Char) -> u8 {
        match self.being(who).nature {
            Nature::Group(members) => members,
            _ => 1,
        }
    }

    /// Whether somebody is a group (`gnpc.one-hand`).
    pub fn is_group(&self, who: Char) -> bool {
        matches!(self.being(who).nature, Nature::Group(_))
    }

    /// Whether somebody has a sheet: stats, things, circumstances.
    pub fn has_sheet(&self, who: Char) -> bool {
        who != Char::INJURY && !matches!(self.being(who).nature, Nature::Thing(_))
    }

    /// Everything there is on sheets, what was struck off included.
    pub fn things(&self) -> impl Iterator<Item = (Item, &Thing)> {
        let numbered = |first: usize| move |(i, thing)| (Item((first + i) as u8), thing);
        let items = self.items.iter().enumerate().map(numbered(0));
        let gained = self.gained.iter().enumerate().map(numbered(MAX_ITEMS));
        items.chain(gained).chain(self.theirs.iter().enumerate().map(numbered(MAX_ITEMS + MAX_GAINED)))
    }

    /// What is on somebody's sheet.
    pub fn sheet(&self, who: Char) -> impl Iterator<Item = (Item, &Thing)> {
        self.things().filter(move |(_, thing)| thing.owner == who && !thing.lost)
    }

    /// A thing.
    pub fn thing(&self, item: Item) -> Option<&Thing> {
        match item.place() {
            Place::Setup(at) => self.items.get(at),
            Place::Gained(at) => self.gained.get(at),
            Place::Theirs(at) => self.theirs.get(at),
        }
    }

    /// A thing, to change it.
    pub fn thing_mut(&mut self, item: Item) -> Option<&mut Thing> {
        match item.place() {
            Place::Setup(at) => self.items.get_mut(at),
            Place::Gained(at) => self.gained.get_mut(at),
            Place::Theirs(at) => self.theirs.get_mut(at),
        }
    }

    /// A thing that is on this sheet.
    pub fn thing_of(&self, who: Char, item: Item) -> Option<&Thing> {
        self.thing(item).filter(|thing| thing.owner == who && !thing.lost)
    }

    /// Adds a thing gained in play; `None` where there is no more room.
    pub fn gain(&mut self, thing: Thing, name: Label) -> Option<Item> {
        let (first, at) = if self.is_pc(thing.owner) {
            (MAX_ITEMS, put(&mut self.gained, &mut self.gained_names, thing, name)?)
        } else {
            (MAX_ITEMS + MAX_GAINED, put(&mut self.theirs, &mut self.their_names, thing, name)?)
        };
        Some(Item((first + at) as u8))
    }

    /// Whether somebody could gain another thing.
    pub fn has_room(&self, who: Char) -> bool {
        if self.is_pc(who) { has_room(&self.gained) } else { has_room(&self.theirs) }
    }

    /// Somebody new to whom somebody has a relationship; `None` where there is no more room.
    pub fn acquaint(&mut self, who: Char, name: Label) -> Option<To> {
        let (first, at) = if self.is_pc(who) {
            self.acquainted.try_push(name).ok()?;
            (MAX_PEOPLE, self.acquainted.len())
        } else {
            self.their_acquainted.try_push(name).ok()?;
            (MAX_PEOPLE + MAX_MET, self.their_acquainted.len())
        };
        Some(To::Person(Person((first + at - 1) as u8)))
    }

    /// Whether somebody could get to know somebody new.
    pub fn may_acquaint(&self, who: Char) -> bool {
        if self.is_pc(who) { !self.acquainted.is_full() } else { !self.their_acquainted.is_full() }
    }

    /// Somebody outside the cast who was met in play, and what they are called.
    pub fn acquaintance(&self, person: Person) -> Option<&Label> {
        let at = person.index().checked_sub(MAX_PEOPLE)?;
        match at.checked_sub(MAX_MET) {
            Some(at) => self.their_acquainted.get(at),
            None => self.acquainted.get(at),
        }
    }

    /// The scene that is being played.
    pub fn scene(&self) -> Option<&Scene> {
        self.scenes.get(usize::from(self.now))
    }

    /// The scene that is being played, to change it.
    pub fn scene_mut(&mut self) -> Option<&mut Scene> {
        self.scenes.get_mut(usize::from(self.now))
    }

    /// Where somebody is.
    pub fn scene_of(&self, who: Char) -> Option<usize> {
        self.scenes.iter().position(|scene| scene.present.has(who))
    }

    /// The conflict that is being played.
    pub fn conflict(&self) -> Option<&Conflict> {
        self.scene()?.conflict.as_ref()
    }

    /// The conflict that is being played, to change it.
    pub fn conflict_mut(&mut self) -> Option<&mut Conflict> {
        self.scene_mut()?.conflict.as_mut()
    }

    /// Somebody's part in it.
    pub fn part(&self, who: Char) -> Option<&Part> {
        self.conflict()?.part(who)
    }

    /// Somebody's part in it, to change it.
    pub fn part_mut(&mut self, who: Char) -> Option<&mut Part> {
        self.conflict_mut()?.part_mut(who)
    }

    /// The challenge under way in it.
    pub fn exchange(&self) -> Option<&Exchange> {
        self.conflict()?.exchange()
    }

    /// The challenge under way in it, to change it.
    pub fn exchange_mut(&mut self) -> Option<&mut Exchange> {
        self.conflict_mut()?.exchange_mut()
    }

    /// What somebody showed when they got their place in the order of the round that is
    /// played; what they show now where that was not kept.
    pub fn ranked(&self, who: Char) -> Faces {
        let kept = self.ranked.iter().find(|ranked| (ranked.scene, ranked.who) == (self.now, who));
        let part = || self.part(who);
        kept.map_or_else(|| part().map(|part| part.hand.faces()).unwrap_or_default(), |kept| kept.hand)
    }

    /// Keeps what somebody shows, by which they get their place.
    pub(crate) fn rank(&mut self, who: Char) {
        let ranked = Ranked { scene: self.now, who, hand: self.ranked(who) };
        if !self.ranked.is_full() && !self.ranked.contains(&ranked) {
            self.ranked.push(ranked);
        }
    }

    /// The order of the round that is played is done with.
    pub(crate) fn forget_ranks(&mut self) {
        let now = self.now;
        self.ranked.retain(|ranked| ranked.scene != now);
    }

    /// The conflict somebody takes part in, in any scene.
    pub fn conflict_of(&self, who: Char) -> Option<&Conflict> {
        self.scenes.iter().filter_map(|scene| scene.conflict.as_ref()).find(|c| c.parts().has(who))
    }

    /// Fallout dice that somebody has banked or is about to roll.
    pub fn banked(&self, who: Char) -> Pool {
        let of_chore = |chore: &Chore| match *chore {
            Chore::Roll { who: whose, dice, .. } if whose == who => Some(dice),
            _ => None,
        };
        let due = self.chores.iter().filter_map(of_chore);
        let conflicts = self.scenes.iter().filter_map(|scene| scene.conflict.as_ref());
        due.chain(conflicts.map(|conflict| conflict.banked(who))).fold(Pool::EMPTY, Pool::plus)
    }

    /// Whether somebody cannot be moved: they take part in a conflict, or are given
    /// first aid in one.
    pub fn is_bound(&self, who: Char) -> bool {
        self.scenes.iter().filter_map(|scene| scene.conflict.as_ref()).any(|conflict| conflict.binds(who))
    }

    /// Whether players see what happens in a scene: a character of theirs is there.
    pub fn is_open(&self, scene: &Scene) -> bool {
        scene.present.iter().any(|who| self.is_pc(who))
    }

    /// The scene that players last saw played, where they see it still.
    pub(crate) fn shown(&self) -> Option<usize> {
        let at = usize::from(self.shown);
        self.scenes.get(at).filter(|scene| self.is_open(scene)).map(|_| at)
    }

    /// Notes what players see now: the scene that is played, and who is dead.
    pub(crate) fn witness(&mut self) {
        if self.scene().is_some_and(|scene| self.is_open(scene)) {
            self.shown = self.now;
        }
        let open = self.scenes.iter().filter(|scene| self.is_open(scene)).map(|scene| scene.present);
        let seen = open.fold(CharSet::NONE, CharSet::or);
        let dead: CharSet = seen.iter().filter(|&who| !self.lives(who)).collect();
        self.mourned = self.mourned.minus(seen).or(dead);
    }

    /// Seats of players who have a living character, in order.
    pub fn player_seats(&self) -> SeatSet {
        self.everybody().filter(|&who| self.is_pc(who) && self.lives(who)).map(|who| self.seat(who)).collect()
    }

    /// A player's living character: the first of several.
    pub fn living_of(&self, seat: Seat) -> Option<Char> {
        self.everybody().find(|&who| self.seat(who) == seat && self.lives(who))
    }

    /// Whom or what a name means, if it means anybody.
    pub fn is_there(&self, rules: &Rules, to: To) -> bool {
        match to {
            To::Char(who) => self.knows(who),
            To::Person(person) => person.index() < rules.people.len() || self.acquaintance(person).is_some(),
        }
    }

    /// The monster's bond that bears a victim's name (`beyond.monster.bonds`).
    pub fn bond_of_victim(&self, victim: Char) -> Option<Item> {
        let of = |thing: &Thing| thing.sort == Sort::Bond && thing.to == Some(To::Char(victim));
        self.things().find(|(_, thing)| of(thing)).map(|(item, _)| item)
    }
}

/// What [`State::being`] says of the injury: of the gamemaster's, with no sheet.
static INJURY: Being = Being::new(Seat::Gm, Tie::Bystander, Nature::Thing(Pool::EMPTY));

impl Being {
    /// Somebody of whom nothing else is said.
    pub(crate) const fn new(seat: Seat, tie: Tie, nature: Nature) -> Being {
        Being {
            seat,
            nature,
            tie,
            fate: Fate::Living,
            stats: [0; 4],
            unassigned: Pool::EMPTY,
            circumstances: Circumstances::NONE,
            background: None,
            need: None,
            kept: ArrayVec::new_const(),
            hold: Hold::Held,
            worth: 0,
        }
    }

    /// Keeps dice for a followup with these.
    pub fn keep(&mut self, dice: Hand, with: CharSet) {
        let full = self.kept.is_full();
        let there = self.kept.iter_mut().find(|kept| full || kept.with == with);
        match there {
            _ if dice.is_empty() => {}
            Some(kept) => {
                kept.dice.join(dice);
                kept.with = kept.with.or(with);
            }
            None => self.kept.push(Kept { dice, with }),
        }
    }

    /// All dice kept or given, from any conflict, that wait for a followup; `who` is
    /// their keeper.
    pub fn all_kept(&self, who: Char) -> Hand {
        self.kept.iter().filter(|kept| !kept.with.has(who)).fold(Hand::NONE, |mut all, kept| {
            all.join(kept.dice);
            all
        })
    }

    /// The dice of some stats, all d6.
    pub fn stat_dice(&self, stats: StatSet) -> Pool {
        Pool::of(stats.iter().map(|stat| self.stats[stat as usize]).sum(), Size::D6)
    }
}

impl Stakes {
    /// Whether anything is at stake, openly or by implication (`setup.stakes`).
    pub fn are_named(&self) -> bool {
        self.implied || self.thing.is_some() || self.what != AtStake::default()
    }

    /// Whether the same is at stake: in the same words, or where there are none the same
    /// people, lives and circumstances.
    pub fn are_those(&self, other: &Stakes) -> bool {
        match (self.thing, other.thing) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(&other),
            (None, None) => self.what == other.what,
            _ => false,
        }
    }

    /// Everybody of the cast whom it concerns.
    pub fn cast(&self) -> CharSet {
        self.what.lives.or(self.what.about.cast).or(self.what.circumstances.everybody())
    }

    /// Whether a relationship to this one is to the stakes.
    pub fn concern(&self, to: To) -> bool {
        self.what.about.has(to) || matches!(to, To::Char(who) if self.cast().has(who))
    }
}

impl Conflict {
    /// A conflict whose stakes are to be named.
    pub fn new(arena: Option<Arena>) -> Conflict {
        Conflict { arena, latest: arena, ..Conflict::default() }
    }

    /// Everybody who takes part, or did.
    pub fn parts(&self) -> CharSet {
        self.parts.iter().map(|part| part.who).collect()
    }

    /// Whether somebody takes part, or did, or is given first aid in it.
    pub fn binds(&self, who: Char) -> bool {
        self.parts().has(who) || self.aid.is_some_and(|aid| aid.victim == who)
    }

    /// Everybody who takes part, or did, side by side.
    pub fn sides(&self) -> Sides {
        let mut sides = Sides::default();
        for part in &self.parts {
            let side = &mut sides.0[usize::from(part.side)];
            *side = side.with(part.who);
        }
        sides
    }

    /// Those who have neither given nor lost.
    pub fn still_in(&self) -> CharSet {
        self.parts.iter().filter(|part| !part.out).map(|part| part.who).collect()
    }

    /// Somebody's part.
    pub fn part(&self, who: Char) -> Option<&Part> {
        self.parts.iter().find(|part| part.who == who)
    }

    /// Somebody's part, to change it.
    pub fn part_mut(&mut self, who: Char) -> Option<&mut Part> {
        self.parts.iter_mut().find(|part| part.who == who)
    }

    /// Fallout dice that somebody has banked in it, by being aided too.
    pub fn banked(&self, who: Char) -> Pool {
        let own = self.part(who).map_or(Pool::EMPTY, |part| part.bank);
        self.aid.filter(|aid| aid.victim == who).map_or(own, |aid| own.plus(aid.bank))
    }

    /// So many fallout dice are what somebody has banked in it, all told (`bank-by-word`).
    pub fn set_banked(&mut self, who: Char, dice: Pool) {
        let mut left = dice;
        if let Some(part) = self.part_mut(who) {
            part.bank = std::mem::take(&mut left);
        }
        if let Some(aid) = self.aid.as_mut().filter(|aid| aid.victim == who) {
            aid.bank = left;
        }
    }

    /// Whether this side has won first aid for the victim: the provider's, who may have
    /// lost on the way (`firstaid-outcome`), while a winner lives (`stakes-of-the-dead`).
    pub fn aid_is_won(&self, side: u8) -> bool {
        let provider = self.aid.and_then(|aid| self.part(aid.provider));
        provider.is_some_and(|part| part.side == side)
            && self.parts.iter().any(|part| part.side == side && !part.out)
    }

    /// Whether somebody is still in it.
    pub fn is_in(&self, who: Char) -> bool {
        self.part(who).is_some_and(|part| !part.out)
    }

    /// Everybody of the other sides (`setup.sides`), those who are out included.
    pub fn opponents(&self, who: Char) -> CharSet {
        let Some(side) = self.part(who).map(|part| part.side) else { return CharSet::NONE };
        self.parts.iter().filter(|part| part.side != side).map(|part| part.who).collect()
    }

    /// Everybody of the same side but themselves.
    pub fn allies(&self, who: Char) -> CharSet {
        let Some(side) = self.part(who).map(|part| part.side) else { return self.parts().without(who) };
        self.parts.iter().filter(|part| part.side == side && part.who != who).map(|part| part.who).collect()
    }

    /// Whether somebody's relationship to this one counts in it.
    pub fn concerns(&self, who: Char, to: To) -> bool {
        let opponent = matches!(to, To::Char(other) if self.opponents(who).has(other));
        // In first aid it is the victim whose fate is at stake.
        let victim = self.aid.is_some_and(|aid| to == To::Char(aid.victim));
        opponent || victim || self.stakes.concern(to)
    }

    /// Dice are due in it, unless there are none.
    pub fn owe(&mut self, due: Due) {
        if !due.dice.is_empty() && !self.next.is_full() {
            self.next.push(Next::Roll(due));
        }
    }

    /// The sides that have somebody in it still.
    pub fn sides_left(&self) -> impl Iterator<Item = u8> + '_ {
        (0..MAX_PARTS as u8).filter(|&side| self.parts.iter().any(|part| part.side == side && !part.out))
    }

    /// The first of a side who is in it still.
    pub fn first_in(&self, side: u8) -> Option<Char> {
        self.parts.iter().find(|part| part.side == side && !part.out).map(|part| part.who)
    }

    /// Somebody is out, and owes nothing any more (`give.no-answer`).
    pub fn strike_out(&mut self, who: Char) {
        if let Some(part) = self.part_mut(who) {
            part.out = true;
        }
        for exchange in &mut self.exchanges {
            exchange.owed = exchange.owed.without(who);
            exchange.may_match = exchange.may_match.without(who);
        }
    }

    /// The challenge under way.
    pub fn exchange(&self) -> Option<&Exchange> {
        self.exchanges.last()
    }

    /// The challenge under way, to change it.
    pub fn exchange_mut(&mut self) -> Option<&mut Exchange> {
        self.exchanges.last_mut()
    }
}

impl Part {
    /// Somebody who has rolled nothing yet.
    pub fn new(who: Char, side: u8, arena: Option<Arena>) -> Part {
        Part { who, side, arenas: arena.into_iter().collect(), arena, ..Part::default() }
    }
}

impl Exchange {
    /// A challenge that `by` is about to make.
    pub fn new(by: Char) -> Exchange {
        Exchange { by, order: [Char::INJURY; MAX_PARTS], ..Exchange::default() }
    }

    /// The number to match (`challenge.two-dice`).
    pub const fn sum(&self) -> u8 {
        self.dice[0] + self.dice[1]
    }

    /// The strike that is being answered.
    pub fn strike(&self) -> Strike {
        self.strikes[usize::from(self.at)]
    }

    /// Those that have been made.
    pub fn strikes(&self) -> &[Strike] {
        &self.strikes[..usize::from(self.made).min(MAX_STRIKES)]
    }

    /// Whether one of them is in the arena escalated to.
    pub fn is_in_new_arena(&self) -> bool {
        self.escalated.is_some() && self.strikes().iter().any(|strike| strike.arena == self.escalated)
    }

    /// Whether somebody who matched owes an answer in kind to what is being answered
    /// (`esc.match-now-binds`).
    pub fn binds(&self, who: Char) -> bool {
        let escalated = self.escalated.is_some() && self.strike().arena == self.escalated;
        self.in_kind.has(who) || self.committed.has(who) && escalated
    }

    /// Who makes a challenge or answers one now.
    pub fn actor(&self) -> Option<Char> {
        match self.step {
            Step::Making | Step::Members => Some(self.by),
            Step::Matching => self.first_of(self.may_match),
            Step::Answering => self.first_of(self.owed),
        }
    }

    /// Whose turn it is among some of those who take part.
    pub fn first_of(&self, among: CharSet) -> Option<Char> {
        self.order.iter().copied().find(|&who| among.has(who))
    }
}
