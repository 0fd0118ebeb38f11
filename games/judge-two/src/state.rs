//! One moment of the whole table.

use crate::answer::{Deed, MAX_GROUP};
use crate::rules::{Omen, Rules};
use crate::vocab::*;
use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};

/// The most things that can be under way inside one another.
pub const MAX_STACK: usize = 12;

/// The whole table at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct State {
    /// Everybody, by [`Char`].
    pub cast: ArrayVec<Being, MAX_CAST>,
    /// Where everything is, by [`Item`].
    pub places: ArrayVec<Place, MAX_ITEMS>,
    /// The conflict under way, if any.
    pub form: Option<Form>,
    /// The round, from 1.
    pub round: u16,
    /// Who has had a turn this round.
    pub acted: CharSet,
    /// Who took part in the last turn.
    pub last: CharSet,
    /// Who took part in the last turn of the round before.
    pub closed: CharSet,
    /// The side that must take the next turn, between players.
    pub next_side: Option<u8>,
    /// Attacks between players so far in this conflict.
    pub pvp_attacks: u8,
    /// Whose power level the players have learnt.
    pub pl_known: CharSet,
    /// Nemeses whose omen the gamemaster has declared met.
    pub omens_ruled: CharSet,
    /// Where the scene is, as far as prestige and attributes read it.
    pub venue: Venue,
    /// Abilities used and not to be had again yet, by [`Ability`].
    pub used: u64,
    /// The table has closed.
    pub over: bool,
    /// What is under way, the innermost last. Empty: somebody may take a turn.
    pub stack: ArrayVec<Frame, MAX_STACK>,
    /// The gamemaster's characters whom no player's character has noticed (`unseen`).
    pub unseen: CharSet,
    /// The conflict began with nobody in sight on another side, and nobody has been
    /// since.
    pub ambush: bool,
    /// Who has done a deed with the group whose turn it is, or as the last of it.
    pub with_deed: CharSet,
    /// The gamemaster's characters who are elsewhere, whatever becomes of them there:
    /// as little of them is seen as of those unseen (`gone`).
    pub gone: CharSet,
    /// Rounds in a row in which no player's character did anything in their turn.
    pub idle: u8,
    /// Of those who fight once the attack under way is resolved ([`Frame::Provoked`]), each
    /// with the character who provoked them (`provoker-gone`).
    pub provokers: ArrayVec<(Char, Char), MAX_CAST>,
}

/// How somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Being {
    /// Risk, 0 to 12.
    pub risk: u8,
    /// Marks borne.
    pub marks: MarkSet,
    /// Those of them that a physical attack imposed.
    pub physical: MarkSet,
    /// Weakened until the next turn.
    pub weakened: bool,
    /// Released from being stricken for this round.
    pub released: bool,
    /// Glowing manna spills, seen by all, until the scene ends.
    pub riven: bool,
    pub misdirected_by: CharSet,
    /// Which bind holds them; 0 for none.
    pub bind: u8,
    /// Whose presence or intent they have not noticed.
    pub unaware_of: CharSet,
    /// Too far off, or otherwise unable, to guard anybody (the gamemaster says).
    pub apart: bool,
    /// Whether they still take part, and if not, how they left.
    pub fate: Fate,
    /// Allies by equal numbers; differs from the sheet only by fiat.
    pub side: u8,
    /// How far everybody else is.
    pub ranges: Ranges,
    /// What they have in hand or wear.
    pub readied: ItemSet,
    /// What they have, readied or not.
    pub held: ItemSet,
    /// The next attack is long, of others than players' characters quick to
    /// save against (`burdened.pc`, `burdened.npc`).
    pub burdened: bool,
    /// Knocked off something: the way back into the fight takes the same
    /// (`weaken.dislodge-cost`).
    pub dislodged: bool,
    /// What they ride.
    pub mount: Option<Item>,
    /// On a ladder, a rope, a bridge, or swimming: where one can be knocked off.
    pub footing: bool,
    /// Composure (`composure.keen`).
    pub poise: Poise,
    /// A subtle finisher has silenced them for the scene (`subtle.finisher-state`).
    pub silenced: bool,
    /// Whom they pay no attention to, or cannot hear and see (`subtle.reach`).
    pub heedless_of: CharSet,
    /// Who knows them for shuvin (`riven.reveals`).
    pub known_to: CharSet,
    /// What they pass for.
    pub disguise: Option<Disguise>,
    /// How they are disposed to the players' characters.
    pub disposition: Disposition,
    /// Apparent wealth; the greatest number seems wealthiest (`prestige.wealth`).
    pub wealth: u8,
    /// How large and well armed a following they have (`prestige.tie-followers`).
    pub following: u8,
    /// How often they have been shamed before all (`subtle.finisher-shame`).
    pub shamed: u8,
}

/// How far everybody is from one: two bits each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Ranges(u64);

impl Ranges {
    /// How far `who` is.
    pub fn to(self, who: Char) -> Band {
        Band::ALL[(self.0 >> (2 * who.0) & 3) as usize]
    }

    fn set(&mut self, who: Char, band: Band) {
        self.0 = self.0 & !(3 << (2 * who.0)) | (band as u64) << (2 * who.0);
    }
}

/// Composure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Poise {
    /// Composed, which everybody is by default (`composure.composed`).
    #[default]
    Composed,
    Lost,
    /// Disarmed of it, which is a threat suffered.
    Stripped,
}

/// What a disguised character passes for; where nothing is said, for what they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Disguise {
    /// A kind of mortal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// Male or female.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gender: Option<Gender>,
    /// A station: how wealthy they seem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wealth: Option<u8>,
    /// A station: a priest of a royal cult.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priest: Option<bool>,
}

impl Disguise {
    /// Whether it says nothing: no disguise at all.
    pub fn is_none(&self) -> bool {
        *self == Disguise::default()
    }
}

/// Where a scene is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Venue {
    /// The kind of mortal whose ground it is (`prestige.native`).
    pub people: Option<People>,
    /// A home, a feast, a gathering; otherwise public (`prestige.gender`).
    pub private: bool,
    /// Circumstances that make attributes fit.
    pub setting: SettingSet,
    /// Make-up, cloth and the like are there to improvise a disguise with
    /// (`disguise.tools`).
    pub tools: bool,
}

/// What an attack is made with, as it was declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Arms {
    /// The weapon or script named, or once it is thrown, the one thrown.
    pub with: Option<Item>,
    /// Thrown, or with bare hands.
    pub manner: Option<Manner>,
    /// A longer move first.
    pub moves: Option<Moves>,
}

/// Whether somebody takes part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// In play.
    #[default]
    In,
    /// Out of this conflict by a finisher.
    Finished(Finisher),
    Dead,
    /// Not at the table or not in the scene.
    Away,
}

/// Where a thing is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Place {
    /// Who has the item, or had it last while it lies about.
    pub holder: Char,
    pub lie: Lie,
    /// Was disarmed and has not been readied since.
    pub disarmed: bool,
    /// Who was disarmed of it and has not had it back.
    pub lost_by: Option<Char>,
}

/// How a thing lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lie {
    /// Readied by its holder.
    Readied,
    /// With its holder, not readied.
    Carried,
    /// Out of anybody's hands, within reach.
    Ground,
    /// Out of play.
    Gone,
}

/// Something under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Frame {
    Turn(Turn),
    /// A deed waits for the gamemaster's word.
    Deed {
        who: Char,
        deed: Deed,
    },
    /// A group gathers, before its test.
    Group(Group),
    /// A test or an attack by players.
    Test(Test),
    /// The gamemaster intervenes.
    Intervene(Intervene),
    /// An intervention gave this character a turn, which ends as the terms of its attack are
    /// settled.
    NpcTurn {
        npc: Char,
        /// Deeds done.
        deeds: u8,
        /// Whether the players have seen it act.
        open: bool,
    },
    /// A danger or an attack on players' characters: one save each.
    Danger(Danger),
    Save(Save),
    /// Somebody chooses what an attack or a counterattack does.
    Harm(Harm),
    /// The members of a group choose effects one by one.
    Shares(Shares),
    /// A defender picks whom of a failed group attack to counterattack.
    Counters {
        /// The defender.
        by: Char,
        /// Who may still be countered.
        on: CharSet,
        /// Whom they attacked: the distance is the one to them.
        at: Char,
    },
    /// The gamemaster confirms or withholds a death.
    Death {
        who: Char,
    },
    /// The conflict is over; the gamemaster says what comes next.
    Aftermath,
    /// The scene has ended; these may be fading.
    Fading {
        /// Those still to be settled.
        queue: CharSet,
    },
    /// After a successful subtle attack these may each draw a script
    /// (`script.draw`).
    Draw {
        left: CharSet,
        /// The attack was veiled.
        veiled: bool,
    },
    /// The defender is asked whether the conditions of a finisher hold.
    Accept {
        /// The effect being chosen.
        harm: Harm,
        finisher: Finisher,
        /// Whether the attacker leaves a bind by it.
        release: bool,
    },
    /// Between scenes.
    Between,
    /// A rest; these still choose marks.
    Resting {
        rest: Rest,
        /// Those still to choose.
        queue: CharSet,
    },
    /// After a rest these may put on or change a disguise (`disguise.time`).
    Dressing {
        /// Those still to say.
        queue: CharSet,
    },
    /// Words have provoked these: once the attack above is resolved on everybody, they
    /// fight (`provoked-among-several`).
    Provoked {
        who: CharSet,
    },
    /// Several save from the attack above: each from one made so
    /// (`order-among-several`).
    Attacker {
        /// Who attacks.
        who: Char,
        /// How they were when its terms were settled.
        then: Being,
    },
}

/// Somebody's own turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Turn {
    /// Whose turn; in a group, who began the turn.
    pub who: Char,
    /// Everybody whose turn it is.
    pub members: CharSet,
    /// Deeds done.
    pub deeds: u8,
    /// A deed was ruled to be a test; it is to be declared next.
    pub ruled: Ruled,
    /// The last deed so ruled; it is not offered again.
    pub denied: Option<Deed>,
    /// The test is done, or the turn given up.
    pub done: bool,
    /// The intervention of a long test has happened and the test fell away:
    /// what is declared instead is long, and passing brings none.
    pub opened: bool,
    /// The gamemaster has refused an action in it; refusing is offered once.
    pub refused: bool,
}

/// What the gamemaster made of a declared deed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub enum Ruled {
    /// Nothing.
    #[default]
    No,
    Test,
    LongTest,
}

/// A group before its test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Group {
    /// The character who proposed the group.
    pub lead: Char,
    pub members: CharSet,
    /// Where it stands.
    pub step: GroupStep,
    /// Whom they attack; none for a plain test.
    pub on: Option<Char>,
    /// Whom a plain test opposes.
    pub against: Option<Char>,
    pub veiled: bool,
    /// A plain test that is talking.
    pub social: bool,
    /// The gamemaster refused what it set out to do; its deeds are done.
    pub again: bool,
    /// Who has still to say.
    pub waiting: CharSet,
    /// Attributes by place in the group.
    pub attributes: [Option<Attribute>; MAX_GROUP],
    /// Deeds by place in the group.
    pub deeds: [Option<Deed>; MAX_GROUP],
}

/// Where a gathering group stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub enum GroupStep {
    /// The lead says what the group is for.
    #[default]
    Aim,
    /// The others say whether they join.
    Join,
    /// Everybody names an attribute.
    Attributes,
    /// Everybody names one deed or none.
    Deeds,
    /// The gamemaster confirms the deeds.
    Confirm,
}

/// A test under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Test {
    /// Who tests; two or three in a group.
    pub members: CharSet,
    /// Whom they attack.
    pub on: Option<Char>,
    /// Whom a plain test opposes.
    pub against: Option<Char>,
    /// The attack's form.
    pub form: Option<Form>,
    /// Attributes by place among the members.
    pub attributes: [Attribute; MAX_GROUP],
    pub veiled: bool,
    /// On a misdirector whom it could not otherwise attack.
    pub fallback: bool,
    /// What an attack is made with.
    pub arms: Arms,
    /// Brings the tester a band nearer to this one (`move.beyond-near`).
    pub toward: Option<Char>,
    /// Talking: a language in common is needed for the rank (`lang.fluency`).
    pub social: bool,
    /// An ability used.
    pub ability: Option<Ability>,
    /// Belongs to a turn; otherwise the gamemaster called for it.
    pub on_turn: bool,
    /// The challenge level, once settled; 0 for none (player against player).
    pub cl: i8,
    /// Terrain and the like: -1 easier, +1 harder.
    pub favor: i8,
    /// Bold by the gamemaster's word or an ability.
    pub bold: bool,
    /// Faint by the gamemaster's word.
    pub faint: bool,
    pub quick: bool,
    pub long: bool,
    /// The intervention of a long test has happened.
    pub opened: bool,
    /// Who guards the target.
    pub guard: Option<Char>,
    /// Seats that have declined to guard, by player's place.
    pub declined: u8,
    /// Where it stands.
    pub step: TestStep,
    /// Dice, highest first.
    pub dice: Pool,
    /// Lights by place among the members; 0 while open.
    pub lights: [u8; MAX_GROUP],
    /// Truth; 0 while open.
    pub truth: u8,
    /// How it ended.
    pub success: bool,
}

impl Test {
    /// Whether it is a group's.
    pub fn is_group(&self) -> bool {
        self.members.len() > 1
    }

    /// The only member, or the first of a group.
    pub fn lead(&self) -> Char {
        self.members.first().unwrap_or(Char(0))
    }

    /// Whether the intervention that opens a long test has come for it.
    pub fn had_opening(&self) -> bool {
        self.long && (self.opened || self.step == TestStep::Opening)
    }

    /// Whether its Truth is guilty.
    pub fn guilty(&self) -> bool {
        is_guilty(self.truth)
    }

    /// A member's place.
    pub fn place(&self, who: Char) -> usize {
        self.members.iter().position(|m| m == who).unwrap_or(0)
    }
}

/// Truth 1 to 3 is guilty (`truth.guilty`), 4 to 6 innocent (`truth.innocent`).
pub const fn is_guilty(truth: u8) -> bool {
    truth <= 3
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub enum TestStep {
    /// The gamemaster settles attribute, challenge level and circumstances.
    #[default]
    Settle,
    /// The intervention that opens a long test is due or under way.
    Opening,
    /// Somebody may guard the target.
    Guard,
    /// Dice are due.
    Roll,
    /// The dice wait to be judged.
    Judge,
    /// A defence between players is under way.
    Defence,
    /// Effects and counterattacks are under way.
    Effects,
}

impl TestStep {
    /// Whether the dice have yet to fall.
    pub const fn is_before_dice(self) -> bool {
        matches!(self, TestStep::Settle | TestStep::Opening | TestStep::Guard | TestStep::Roll)
    }
}

/// Up to six dice, highest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(transparent)]
pub struct Pool {
    /// Faces; 0 where there is no die.
    pub faces: [u8; 6],
}

impl Pool {
    /// From faces.
    pub fn of(faces: &[u8]) -> Pool {
        let mut pool = Pool::default();
        pool.faces[..faces.len()].copy_from_slice(faces);
        pool.faces.sort_unstable_by(|a, b| b.cmp(a));
        pool
    }

    /// The dice that are there.
    pub fn dice(&self) -> &[u8] {
        let n = self.faces.iter().position(|&f| f == 0).unwrap_or(6);
        &self.faces[..n]
    }

    /// How many dice show `face`.
    pub fn count(&self, face: u8) -> usize {
        self.dice().iter().filter(|&&f| f == face).count()
    }

    /// Without one die showing `face`.
    #[must_use]
    pub fn without(mut self, face: u8) -> Pool {
        if let Some(at) = self.faces.iter().position(|&f| f == face) {
            self.faces.copy_within(at + 1.., at);
            self.faces[5] = 0;
        }
        self
    }
}

/// The gamemaster intervenes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Intervene {
    /// It opens a long test.
    pub opening: bool,
    /// Its saves are quick: it opens a long test, or stands between players.
    pub quick: bool,
    /// It has been chosen; its saves are being made.
    pub chosen: bool,
    /// Guilty saves in it so far that were not quick.
    pub guilty: u8,
    /// Further interventions already owed.
    pub owed: u8,
}

/// A danger or an attack on players' characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Danger {
    /// Who causes it; nobody for the environment.
    pub by: Option<Char>,
    /// Those who have still to save.
    pub queue: CharSet,
    /// The form in which it harms; none where it only threatens.
    pub form: Option<Form>,
    pub veiled: bool,
    /// On a misdirector whom it could not otherwise attack.
    pub fallback: bool,
    /// What the attack is made with.
    pub arms: Arms,
    /// It is a fright: failing leaves the saver stricken (`ext.fear`).
    pub fear: bool,
    /// It has hit somebody: the attacker may draw a script once all have saved.
    pub hit: bool,
    /// Its terms are settled.
    pub settled: bool,
    /// The essence proposed.
    pub essence: Essence,
    /// Challenge level before circumstances.
    pub cl: i8,
    /// Terrain and the like: -1 easier for the saver, +1 harder.
    pub favor: i8,
    /// The action is bold or the save faint by the gamemaster's word.
    pub faint: bool,
    /// The action is faint or the save bold by the gamemaster's word.
    pub bold: bool,
    /// Its saves are quick.
    pub quick: bool,
    /// A save that would be long (and so is faint).
    pub long: bool,
    /// Guilty saves so far that were not quick.
    pub guilty: u8,
}

/// One save.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Save {
    /// The terms; its queue is not read here.
    pub danger: Danger,
    /// Whom the attack names.
    pub on: Char,
    pub guard: Option<Char>,
    /// Seats that have declined to guard, by player's place.
    pub declined: u8,
    /// The essence the player named.
    pub named: Option<Essence>,
    /// An ability used.
    pub ability: Option<Ability>,
    /// A defence between players.
    pub pvp: bool,
    /// Where it stands.
    pub step: SaveStep,
    /// Dice, highest first.
    pub dice: Pool,
    /// Light; 0 while open.
    pub light: u8,
    /// Truth; 0 while open.
    pub truth: u8,
    /// How it ended.
    pub success: bool,
}

impl Save {
    /// Who saves: the guard, or whom the attack names.
    pub fn saver(&self) -> Char {
        self.guard.unwrap_or(self.on)
    }

    /// The essence it is made with: the one proposed, unless the player named another.
    pub fn essence(&self) -> Essence {
        self.named.unwrap_or(self.danger.essence)
    }
}

/// Where a save stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub enum SaveStep {
    #[default]
    Guard,
    /// The player names an essence.
    Essence,
    /// The gamemaster rules on it.
    Rule,
    /// Dice are due.
    Roll,
    /// The dice wait to be judged.
    Judge,
    /// Effects and counterattacks are under way.
    Effects,
}

/// An effect to be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Harm {
    /// Who imposes it; nobody for the environment.
    pub by: Option<Char>,
    pub on: Char,
    pub form: Form,
    pub cause: Cause,
    /// The final degree.
    pub degree: i8,
    /// A veiled attack.
    pub veiled: bool,
    /// A fallback attack on a misdirector.
    pub fallback: bool,
    /// Risk it may still impose; a group's sets share three.
    pub most: u8,
    /// How far the attacker stood, which is what a counterattack has to cover
    /// (`range-of-attack`).
    pub range: Band,
    /// How the attack was made; a thrown weapon counts though it has left the hand.
    pub manner: Option<Manner>,
    /// Finishers whose conditions have turned out not to hold, by bit.
    pub barred: u16,
}

impl Harm {
    /// An effect from this distance, of degree 0 and without risk.
    pub(crate) const fn of(cause: Cause, by: Option<Char>, on: Char, form: Form, range: Band) -> Harm {
        let (degree, veiled, fallback, most, manner, barred) = (0, false, false, 0, None, 0);
        Harm { by, on, form, cause, degree, veiled, fallback, most, range, manner, barred }
    }
}

/// What an effect comes of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Cause {
    /// A successful attack.
    Attack,
    /// A successful attack, the single threat on the guard.
    Guard,
    Counter,
}

fracas_kernel::refer_to_nothing!(Fate, Lie, Pool, Cause, Disguise);

/// The sets of a successful group attack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Shares {
    /// Who has still to impose.
    pub left: CharSet,
    pub on: Char,
    pub guard: Option<Char>,
    pub form: Form,
    /// Final degrees by place among all members.
    pub degrees: [i8; MAX_GROUP],
    pub members: CharSet,
    pub veiled: bool,
    /// Attackers who could attack nobody but their misdirector.
    pub fallback: CharSet,
    /// Risk left of the three.
    pub risk: u8,
}

impl State {
    /// How somebody is.
    pub fn being(&self, who: Char) -> &Being {
        &self.cast[who.index()]
    }

    pub(crate) fn being_mut(&mut self, who: Char) -> &mut Being {
        &mut self.cast[who.index()]
    }

    /// Where something is.
    pub fn place(&self, item: Item) -> Place {
        self.places[item.index()]
    }

    /// Puts something somewhere. Everything that moves a thing goes through here.
    pub(crate) fn put(&mut self, item: Item, holder: Char, lie: Lie) {
        let place = &mut self.places[item.index()];
        let before = place.holder;
        (place.holder, place.lie) = (holder, lie);
        let being = self.being_mut(before);
        being.readied = being.readied.without(item);
        being.held = being.held.without(item);
        if being.mount == Some(item) && (before != holder || lie != Lie::Carried) {
            being.mount = None;
        }
        let being = self.being_mut(holder);
        if matches!(lie, Lie::Readied | Lie::Carried) {
            being.held = being.held.with(item);
        }
        if lie == Lie::Readied {
            being.readied = being.readied.with(item);
        }
    }

    /// How far two are from each other.
    pub fn range(&self, a: Char, b: Char) -> Band {
        self.being(a).ranges.to(b)
    }

    /// Places two at a distance.
    pub(crate) fn place_at(&mut self, a: Char, b: Char, band: Band) {
        if a != b {
            self.being_mut(a).ranges.set(b, band);
            self.being_mut(b).ranges.set(a, band);
        }
    }

    /// One goes to where another is, and so is as far from everybody else as
    /// that other.
    pub(crate) fn close_in(&mut self, who: Char, on: Char) {
        for i in 0..self.cast.len() as u8 {
            let other = Char(i);
            if other != who && other != on {
                self.place_at(who, other, self.range(on, other));
            }
        }
        self.place_at(who, on, Band::Close);
    }

    /// One leaves everybody who is close.
    pub(crate) fn back_off(&mut self, who: Char) {
        for i in 0..self.cast.len() as u8 {
            if self.range(who, Char(i)) == Band::Close {
                self.place_at(who, Char(i), Band::Near);
            }
        }
    }

    /// Everybody who takes part.
    pub fn present(&self) -> CharSet {
        (0..self.cast.len() as u8).map(Char).filter(|&who| self.is_in(who)).collect()
    }

    /// Whether somebody takes part. A finisher ends the present conflict alone: once
    /// it is over, those whom it left there take part again (`finisher-lasts`).
    #[inline]
    pub fn is_in(&self, who: Char) -> bool {
        !self.gone.has(who)
            && match self.being(who).fate {
                Fate::In => true,
                Fate::Finished(finisher) => self.is_left_there(who, finisher),
                Fate::Dead | Fate::Away => false,
            }
    }

    /// Whether somebody whom this finished takes part again. Apart from [`State::is_in`], which is
    /// then small enough to be inlined.
    #[inline(never)]
    fn is_left_there(&self, who: Char, finisher: Finisher) -> bool {
        self.form.is_none() && finisher.leaves_there() && !self.waits_to_fight().has(who)
    }

    /// The gamemaster's characters whom the players do not see: nobody has noticed them, or
    /// they are elsewhere.
    pub(crate) fn out_of_sight(&self) -> CharSet {
        self.unseen.or(self.gone)
    }

    /// Everybody who takes part and whom the players know of.
    pub(crate) fn in_sight(&self) -> CharSet {
        self.present().minus(self.unseen)
    }

    /// The player characters in play.
    pub fn pcs(&self, rules: &Rules) -> CharSet {
        rules.pcs.iter().filter(|&who| self.is_in(who)).collect()
    }

    /// Those whom words have provoked, while the attack is resolved on the others
    /// (`provoked-among-several`).
    pub(crate) fn waits_to_fight(&self) -> CharSet {
        let provoked = |frame: &Frame| match *frame {
            Frame::Provoked { who } => Some(who),
            _ => None,
        };
        let all = self.stack.iter().find_map(provoked).unwrap_or_default();
        all.iter().filter(|&who| self.being(who).fate == Fate::Finished(Finisher::Provoke)).collect()
    }

    /// Those of them who have somebody to fight: who provoked them takes part, or was
    /// provoked as well (`provoker-gone`).
    pub(crate) fn provoked(&self) -> CharSet {
        let mut all = self.waits_to_fight();
        loop {
            let gone = |&&(who, by): &&(Char, Char)| all.has(who) && !self.is_in(by) && !all.has(by);
            let Some(&(who, _)) = self.provokers.iter().find(gone) else { return all };
            all = all.without(who);
        }
    }

    /// Whether somebody can be provoked to fight this character, who takes part in the fight
    /// that would begin (`provoker-gone`).
    pub(crate) fn can_provoke(&self, by: Char) -> bool {
        self.is_in(by) || self.provoked().has(by)
    }

    /// The brutes in play whom somebody has noticed: nobody is daunted by others
    /// (`unseen-counts`).
    pub fn brutes(&self, rules: &Rules) -> CharSet {
        self.in_sight().or(self.provoked()).and(rules.brutes)
    }

    /// Whether two are on one side. Nobody is their own ally.
    pub fn allies(&self, a: Char, b: Char) -> bool {
        a != b && self.being(a).side == self.being(b).side
    }

    /// Whether two are on opposing sides.
    pub fn opposed(&self, a: Char, b: Char) -> bool {
        self.being(a).side != self.being(b).side
    }

    /// Those on opposing sides of `who` who take part.
    pub fn opponents(&self, who: Char) -> CharSet {
        self.present().iter().filter(|&other| self.opposed(who, other)).collect()
    }

    /// Whether players' characters face each other in this conflict.
    pub fn is_pvp(&self, rules: &Rules) -> bool {
        let mut pcs = self.pcs(rules).iter();
        let Some(first) = pcs.next() else { return false };
        self.form.is_some() && pcs.any(|other| self.opposed(first, other))
    }

    /// The innermost thing under way.
    pub fn top(&self) -> Option<&Frame> {
        self.stack.last()
    }

    pub(crate) fn push(&mut self, frame: Frame) {
        // The deepest flow of answers is nine deep (turn, long test, intervention, an
        // attacker, the provoked, danger, save, an effect, another on a guard); rests by
        // fiat lie on top.
        debug_assert!(self.stack.len() < MAX_STACK, "the stack is full");
        let _ = self.stack.try_push(frame);
    }

    /// Puts this in the place of what is on top.
    pub(crate) fn replace_top(&mut self, frame: Frame) {
        if let Some(top) = self.stack.last_mut() {
            *top = frame;
        }
    }

    /// What is on top is over.
    pub(crate) fn pop(&mut self) {
        self.stack.pop();
    }

    /// What the thing on top came of.
    pub(crate) fn below(&self) -> Option<&Frame> {
        self.stack.iter().rev().nth(1)
    }

    /// The same, to be changed.
    pub(crate) fn below_mut(&mut self) -> Option<&mut Frame> {
        self.stack.iter_mut().rev().nth(1)
    }

    /// Whether a nemesis' omen is met; true for everybody without one.
    pub fn omen_met(&self, rules: &Rules, who: Char) -> bool {
        if !rules.ominous.has(who) {
            return true;
        }
        match &rules.sheet(who).omen {
            None => true,
            Some(Omen::Threat(threat)) => self.suffers(who, *threat),
            Some(Omen::Disarmed(items)) => items.iter().all(|&item| {
                let place = self.place(item);
                place.holder != who || matches!(place.lie, Lie::Ground | Lie::Gone)
            }),
            Some(Omen::Defeated(other)) => {
                let fate = self.being(*other).fate;
                !self.provoked().has(*other) && matches!(fate, Fate::Finished(_) | Fate::Dead)
            }
            Some(Omen::BrutesBelow(n)) => self.brutes(rules).len() < usize::from(*n),
            Some(Omen::Ruled) => self.omens_ruled.has(who),
        }
    }

    /// Whether a threat lies on somebody: of disarm, whether anything they were
    /// stripped of is not back in their hands.
    pub fn suffers(&self, who: Char, threat: Threat) -> bool {
        let being = self.being(who);
        match threat {
            Threat::Disarm => {
                being.poise == Poise::Stripped || self.places.iter().any(|place| place.lost_by == Some(who))
            }
            Threat::Entangle => being.bind != 0,
            Threat::Misdirect => !being.misdirected_by.is_empty(),
            Threat::Weaken => being.weakened,
        }
    }
}
