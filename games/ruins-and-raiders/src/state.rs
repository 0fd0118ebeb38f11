//! One moment of the whole table.

use crate::rules::{Rules, Visibility};
use crate::vocab::*;
use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Label, Path, Secret, Space, Spaces};

/// The most that is under way at one time: an attack within a move within a wait, and so on. Nobody is
/// asked to cut in where there would be more.
pub const MAX_FRAMES: usize = 12;

/// The most deeds that take several actions, at one time.
pub const MAX_DEEDS: usize = 8;

/// The whole table at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct State {
    /// Everybody, by [`Char`].
    pub cast: ArrayVec<Being, MAX_CAST>,
    /// Where each weapon is, by [`Weapon`].
    pub arms: ArrayVec<Place, MAX_WEAPONS>,
    pub phase: Phase,
    /// The round of the battle, from round zero.
    pub round: u16,
    /// Whose turn runs.
    pub turn: Option<Char>,
    /// What is under way, the topmost last.
    pub frames: ArrayVec<Frame, MAX_FRAMES>,
    /// Who moved last, and those who wait and were asked about that move.
    pub asked: (Option<Char>, CharSet),
    /// Those who wait and let the round end (`standoff.condition`).
    pub passed: CharSet,
    /// The place in the order of the latest turn of this round: score, Perception, whether a player's
    /// character (`init-late`).
    pub reached: Option<(i16, i16, bool)>,
    /// The battle goes on although one side has nobody left.
    pub on: bool,
    /// Who flees in a chase, and who pursues.
    pub fleeing: CharSet,
    pub after: CharSet,
    /// Battles so far.
    pub battles: u16,
    /// Whom players have seen.
    pub met: CharSet,
    /// What the Adversary's have used, so that players know of it.
    pub spells: SpellSet,
    pub manoeuvres: ManoeuvreSet,
    /// What was declared that takes several actions, and by whom (`action.long`).
    pub deeds: ArrayVec<(Char, Label), MAX_DEEDS>,
    pub over: bool,
}

/// What is going on.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Debug,
    Default,
    BorshSerialize,
    BorshDeserialize,
    serde::Serialize
)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    #[default]
    Scene,
    Battle,
    Chase,
}

/// How somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Being {
    /// Traits and skills.
    pub levels: [u8; MAX_TRAITS],
    pub wounds: u16,
    pub shocks: u16,
    pub fortune: u16,
    pub experience: u32,
    pub at: Space,
    pub riding: Option<Char>,
    /// Not in the scene.
    pub away: bool,
    /// Players have not noticed this one of the Adversary's.
    pub unseen: bool,
    /// Players know the numbers of this one of the Adversary's.
    pub revealed: bool,
    pub prone: bool,
    pub asleep: bool,
    /// Unaware of those against it (`surprise.flat`).
    pub unaware: bool,
    /// Taken wholly by surprise in round zero (`zero.surprise`).
    pub surprised: bool,
    /// Out of the fight by the Adversary's word.
    pub out: bool,
    /// Has fought or cast a spell since the last rest (`injury.recover`).
    pub weary: bool,
    /// Who has fallen for a trick of this one's (`stealth.trick`).
    pub tricked: CharSet,
    pub battle: Fighting,
    /// How far ahead in a chase.
    pub lead: i16,
    /// The total of the latest run in a chase (`chase.roll`).
    pub total: i16,
}

/// How somebody stands in the battle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Fighting {
    pub turn: Turn,
    /// The initiative score (`init.value`), with what Haste has added.
    pub initiative: i16,
    /// What this round changes of it (`init.environment`, `init.minor`).
    pub shift: i16,
    /// What the next round gains by Haste.
    pub haste: i16,
    /// What the Adversary changes of initiative for the next round.
    pub ahead: i16,
    /// Held over from the last round: 10 more (`hold.bonus`).
    pub held_over: bool,
    /// The dice of roll-offs, a digit of four bits each, the first leftmost (`init-tie`).
    pub tie: u32,
    pub actions: u8,
    /// The free step of the round is left (`move.free-step`).
    pub step: bool,
    /// Actions spent this round.
    pub spent: u8,
    /// How often each option was bought this round.
    pub aim: u8,
    pub defend: u8,
    pub haymaker: u8,
    pub resist: u8,
    pub look: u8,
    /// What else an action was given up for this round (`ext.abort`).
    pub bought: RecourseSet,
    /// What else this round changes, by [`Value`].
    pub changes: [i8; 8],
    /// Cannot move until the next round begins.
    pub held: bool,
    /// Spaces moved in unbroken movement: what a charge counts (`charge-spaces`).
    pub run: u8,
    /// Spaces of this round's charge, by which others' blows gain (`charge.takes`).
    pub charge: Option<u8>,
    /// The next melee attack gains by the charge (`charge.gives`).
    pub charging: bool,
    /// Actions that Fortune makes hold two strikes, not begun yet (`fortune.rapid`).
    pub rapid: u8,
    /// Second strikes of such actions that are still open.
    pub extra: u8,
    /// Actions that a long deed still needs.
    pub deed: u8,
    /// A trick on somebody, and what it adds to the next attack on them (`stealth.trick`).
    pub trick: Option<(Char, i8)>,
    /// What it waits for.
    pub wire: Secret<Wire>,
    /// It strikes at once then, with this: nobody is asked.
    pub trap: Secret<Option<Weapon>>,
}

/// Where a weapon is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Place {
    /// Who has it, or had it last.
    pub holder: Char,
    pub lie: Lie,
    /// It lies about, and players have seen it there.
    pub seen: bool,
}

/// How a weapon lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lie {
    Hand,
    Carried,
    Dropped(Space),
    Gone,
}

/// Something under way.
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Frame {
    Walk(Walk),
    Attack(Attack),
    Check(Check),
    Cut(Cut),
    Deed(Deed),
    /// These are still to roll for initiative (`init.roll`).
    Initiative(CharSet),
    /// These roll off who goes first (`init-tie`).
    RollOff(CharSet),
    /// These are still to roll in the chase (`chase.roll`).
    Chase(CharSet),
    /// These are still to recover, by so much harder (`injury.recover`).
    Rest(CharSet, u8),
}

impl Frame {
    /// Whether it is something that somebody does.
    pub(crate) fn is_act_of(&self, who: Char) -> bool {
        match self {
            Frame::Walk(walk) => walk.who == who,
            Frame::Attack(attack) => attack.by == who,
            _ => false,
        }
    }
}

/// Somebody moves.
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Walk {
    pub who: Char,
    pub from: Space,
    pub path: Path,
    /// How many spaces of it are done.
    pub done: u8,
    pub gait: Gait,
    /// Kinds of ground whose footing was checked in this move.
    pub footing: u16,
    /// Those who wait and were asked about it.
    pub asked: CharSet,
    /// It was cut short, and told.
    pub over: bool,
    /// Those with pole weapons were asked again before contact (`ext.brace`).
    pub braced: bool,
}

/// How somebody moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Gait {
    /// A move, for one action.
    Move,
    /// The same in a charge.
    Charge,
    /// The free step, or the one space of who is prone.
    Step,
    /// A step out of the way of an attack, bought with an action (`ext.abort`).
    Aside,
    /// A leap that has succeeded (`move.leap`).
    Leap,
}

/// What attacks are made with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum With {
    BareHands,
    Weapon(Weapon),
    Spell(Spell),
    Manoeuvre(Manoeuvre),
}

impl fracas_kernel::Refers for With {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        match self {
            With::BareHands => {}
            With::Weapon(weapon) => weapon.each_reference(each),
            With::Spell(spell) => spell.each_reference(each),
            With::Manoeuvre(manoeuvre) => manoeuvre.each_reference(each),
        }
    }
}

/// An attack, a spell or a manoeuvre, from its announcement to the last of what comes of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Attack {
    pub by: Char,
    pub on: Char,
    pub with: With,
    /// Thrown, of what can also be used in melee.
    pub thrown: bool,
    /// How much Brawn and power are left out (`damage.pull`).
    pub pull: (u8, u8),
    /// The target is unaware of it (`surprise.flat`).
    pub unaware: bool,
    /// A trick, worth so much (`stealth.trick`).
    pub trick: i8,
    /// What the target defends with, where it asked for the lower one.
    pub defence: Option<Defence>,
    /// Momentum of the charge that leads to it.
    pub momentum: u8,
    pub fortune: u8,
    pub step: Blow,
    pub mox: i16,
    pub wounds: u16,
    pub effect: SideEffect,
}

/// Where an attack stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Blow {
    /// Announced: those who wait may cut in.
    Announced,
    /// The target may Abort.
    Abort,
    /// The attacker may burn Fortune.
    Fortune,
    Dice,
    /// It has hit: the target may burn Fortune.
    Absorb,
    /// The attacker may call for a side effect.
    Effect,
    /// The Adversary rules on it.
    Rule,
    /// Everything comes about.
    Lands,
}

/// A side effect of a strike (`attack.strike.side-effect`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SideEffect {
    #[default]
    None,
    Disarm,
    Trip,
    /// Something else, in a few words.
    Other(Label),
}

fracas_kernel::refer_to_nothing!(SideEffect);

/// A check, from its call to the dice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Check {
    pub who: Char,
    pub with: Trait,
    /// The challenge level, with tools, conditions and range, without what rushing adds.
    pub level: Secret<i16>,
    pub why: Why,
    /// Whether it may take longer, or be rushed.
    pub timed: bool,
    pub time: Time,
    pub fortune: u8,
    /// The Adversary rolls it, and players do not hear of it.
    pub secret: bool,
    pub step: Trial,
}

impl Check {
    /// A check that takes the time it takes, before its roller says how much Fortune is burnt.
    pub(crate) fn new(who: Char, with: Trait, level: i16, why: Why) -> Check {
        Check {
            who,
            with,
            level: Secret::new(level),
            why,
            timed: false,
            time: Time::default(),
            fortune: 0,
            secret: false,
            step: Trial::How,
        }
    }
}

/// Where a check stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Trial {
    /// The Adversary sets the challenge level.
    Level,
    /// The roller says how long it takes and how much Fortune is burnt.
    How,
    Dice,
}

/// What a check is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Why {
    /// The Adversary called for it.
    Called,
    /// A deed of the roller's own.
    Tried(Label),
    /// To notice something with a sense, or this one.
    Notice { sense: Sense, of: Option<Char> },
    /// The footing of a ground, in the midst of a move.
    Footing(u8),
    /// A jump to a space (`jump.check`).
    Jump(Space),
    /// To recover (`injury.recover`).
    Recover,
    /// To feel what somebody feels (`gift.empathy`).
    Feel(Char),
}

/// Those who wait may cut in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Cut {
    /// Whom they may cut in on.
    pub on: Char,
    /// Those who are still to be asked.
    pub queue: CharSet,
    /// Those of them for whom what they wait for has come about.
    pub sprung: CharSet,
}

/// Something that is none of the named actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Deed {
    pub who: Char,
    pub what: Label,
}

impl State {
    pub fn being(&self, who: Char) -> &Being {
        &self.cast[who.index()]
    }

    pub fn being_mut(&mut self, who: Char) -> &mut Being {
        &mut self.cast[who.index()]
    }

    pub fn fighting(&self, who: Char) -> &Fighting {
        &self.being(who).battle
    }

    pub fn fighting_mut(&mut self, who: Char) -> &mut Fighting {
        &mut self.being_mut(who).battle
    }

    pub fn place(&self, weapon: Weapon) -> Place {
        self.arms[weapon.index()]
    }

    /// Everything of somebody's that lies so.
    pub fn held(&self, who: Char, lie: Lie) -> impl Iterator<Item = Weapon> + '_ {
        let own = move |(_, place): &(usize, &Place)| place.holder == who && place.lie == lie;
        self.arms.iter().enumerate().filter(own).map(|(at, _)| Weapon(at as u8))
    }

    /// Whether somebody is held, or the mount that carries them (`ext.two-actions`).
    pub fn is_held(&self, who: Char) -> bool {
        let held = |who: Char| self.fighting(who).held;
        held(who) || self.being(who).riding.is_some_and(held)
    }

    /// So many wounds disable somebody (`disabled-at`).
    pub fn disabled_at(&self, rules: &Rules, who: Char) -> u16 {
        let track = rules.sheet(who).track.unwrap_or(rules.track);
        track.disabled.unwrap_or(rules.options.disabled_at)
    }

    /// Whether wounds have killed somebody, or shocks destroyed the mind (`injury.death`, `injury.shock`).
    pub fn is_dead(&self, rules: &Rules, who: Char) -> bool {
        let track = rules.sheet(who).track.unwrap_or(rules.track);
        track.kills(self.being(who).wounds) || track.kills(self.being(who).shocks)
    }

    /// Whether somebody can do nothing: disabled, dead, or out (`turn.disabled`).
    pub fn is_disabled(&self, rules: &Rules, who: Char) -> bool {
        let (being, track) = (self.being(who), rules.sheet(who).track.unwrap_or(rules.track));
        being.out || track.disables(being.wounds, rules.options.disabled_at) || self.is_dead(rules, who)
    }

    /// Whether somebody is in the scene and can act.
    pub fn is_able(&self, rules: &Rules, who: Char) -> bool {
        let being = self.being(who);
        !being.away && !being.asleep && !self.is_disabled(rules, who)
    }

    /// Whether somebody is there to be met.
    pub fn is_here(&self, who: Char) -> bool {
        !self.being(who).away
    }

    /// Whether two are against each other: neither is on nobody's side, nor both on one.
    pub fn are_foes(&self, rules: &Rules, one: Char, other: Char) -> bool {
        let (one, other) = (rules.sheet(one).side, rules.sheet(other).side);
        one != other && one != Side::Nobody && other != Side::Nobody
    }

    /// Whether one of the players' side knows that somebody is there.
    pub fn is_noticed(&self, who: Char) -> bool {
        !self.being(who).unseen && !self.being(who).away
    }

    /// Whether somebody knows of another that is here: the Adversary's know everybody.
    pub fn perceives(&self, rules: &Rules, who: Char, other: Char) -> bool {
        self.is_here(other) && (rules.sheet(who).side != Side::Players || self.is_noticed(other))
    }

    /// Who rides on somebody.
    pub fn rider(&self, mount: Char) -> Option<Char> {
        let rides = |being: &Being| being.riding == Some(mount) && !being.away;
        self.cast.iter().position(rides).map(|at| Char(at as u8))
    }

    /// How many spaces lie from one to another.
    pub fn distance(&self, rules: &Rules, one: Char, other: Char) -> u16 {
        rules.field.distance(self.being(one).at, self.being(other).at)
    }

    /// Whether two are close enough for blows.
    pub fn is_next_to(&self, rules: &Rules, one: Char, other: Char) -> bool {
        self.distance(rules, one, other) <= 1
    }

    /// The spaces that somebody can go through, as far as its seat knows: those of who is not there to
    /// be seen are free (`occupied`).
    pub fn free(&self, rules: &Rules, who: Char) -> Spaces {
        let mut free = *rules.field.spaces();
        if !rules.field.is_grid() || rules.options.occupied == crate::rules::Occupied::Shared {
            return free;
        }
        for other in rules.everybody().filter(|&other| self.bars(rules, who, other)) {
            free.remove(self.being(other).at);
        }
        free
    }

    /// Whether another is known to stand in the way of somebody who moves.
    fn bars(&self, rules: &Rules, who: Char, other: Char) -> bool {
        self.are_foes(rules, who, other)
            && self.perceives(rules, who, other)
            && self.being(other).riding.is_none()
            && !self.is_disabled(rules, other)
    }

    /// Who stands in a space, but for somebody and those who go with them.
    pub fn stands_in(
        &self,
        rules: &Rules,
        space: Space,
        but: Char,
    ) -> impl Iterator<Item = Char> + Clone + '_ {
        let riding = self.being(but).riding;
        let count = rules.cast.len() as u8;
        (0..count).map(Char).filter(move |&other| {
            other != but && Some(other) != riding && self.is_here(other) && self.being(other).at == space
        })
    }

    /// Whether players are shown challenge levels before the result, in a fight or of other checks.
    pub fn shows_level(rules: &Rules, check: bool) -> bool {
        match rules.options.visibility {
            Visibility::Open => true,
            Visibility::Guarded => !check,
            Visibility::Closed => false,
        }
    }

    /// Somebody gets a weapon.
    pub(crate) fn give(&mut self, weapon: Weapon, holder: Char, lie: Lie) {
        self.arms[weapon.index()] = Place { holder, lie, seen: false };
    }

    /// A weapon falls to the ground. What its holder does whom nobody has noticed is not seen.
    pub(crate) fn drop(&mut self, weapon: Weapon, space: Space) {
        let holder = self.place(weapon).holder;
        let seen = self.is_noticed(holder);
        self.arms[weapon.index()] = Place { holder, lie: Lie::Dropped(space), seen };
    }

    /// Remembers whom players see, and what of theirs lies about.
    pub(crate) fn remember(&mut self) {
        for at in 0..self.cast.len() {
            if self.is_noticed(Char(at as u8)) {
                self.met = self.met.with(Char(at as u8));
            }
        }
        for at in 0..self.arms.len() {
            let place = self.arms[at];
            self.arms[at].seen |= matches!(place.lie, Lie::Dropped(_)) && self.is_noticed(place.holder);
        }
    }
}
