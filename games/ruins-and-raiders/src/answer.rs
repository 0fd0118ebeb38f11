//! What is asked and what can be answered.

use crate::{RuinsAndRaiders, act, attack, check, round, scene, state::SideEffect, vocab::*};
use fracas_kernel::{Label, Refers, Space, prompts, refer_to_nothing, refers};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

prompts! {
    /// What is asked.
    pub enum Prompt of RuinsAndRaiders, asking asked;

    /// What happens in the scene? (`challenge.assign`)
    "scene" Scene => scene(), "to say what happens in the scene", unfiltered;
    /// What does one of your characters try? (`challenge.assign`)
    "try" Try => scene::attempt(asked), "to try something", unfiltered;
    /// Against which challenge level? (`challenge.assign`)
    "level" Level(who: Char) => check::level(who), "to set a challenge level", unfiltered;
    /// How long does it take, and how much Fortune is burnt? (`time.extra.choice`, `fortune.check`)
    "how" How(who: Char) => check::how(who), "to say how it is done";
    /// What do those do who act first? (`zero.first`)
    "first" First => round::first(asked), "to act in round zero", unfiltered;
    /// What does this character do? (`action.mix`)
    "turn" Turn(who: Char) => act::turn(who), "to take a turn", unfiltered;
    /// Does one of your waiting characters act now? (`wait.anytime`)
    "waiting" Waiting => round::waiting(asked), "to act with somebody who waits", unfiltered;
    /// Does this waiting character cut in? (`wait.interrupt`)
    "cut" Cut { who: Char, on: Char } => act::late(who), "to cut in, or not", unfiltered;
    /// Does this waiting character act, or let the round end? (`standoff.condition`)
    "standoff" Standoff(who: Char) => act::late(who), "to act, or let the round end", unfiltered;
    /// What does it take to do this? (`action.long`)
    "deed" Deed(who: Char) => round::deed(who), "to say what that takes";
    /// Does the target give up actions for its defence? (`abort.choice`)
    "abort" Abort { who: Char, by: Char } => attack::abort(who), "to give up actions, or nothing";
    /// How much Fortune goes into the attack? (`fortune.check`)
    "fortune" Fortune(who: Char) => attack::fortune(who), "to say how much Fortune is burnt";
    /// How many wounds does Fortune cancel? (`fortune.absorb`)
    "absorb" Absorb { who: Char, wounds: u16 } => attack::absorb(who, wounds), "to take the wounds, or burn Fortune";
    /// Does the striker call for a side effect? (`attack.strike.side-effect`)
    "effect" Effect { who: Char, on: Char } => attack::effect(who, on), "to call for a side effect, or not";
    /// What becomes of the side effect? (`attack.strike.side-effect`)
    "rule" Rule { who: Char, on: Char } => attack::rule(who, on), "to rule on a side effect";
    /// Does the next round begin? (`turn.sequence`)
    "round" Round => round(), "to begin the next round", unfiltered;
    /// Does the Adversary step in? (`intuition.plot`, `init.environment`)
    "aside" Aside => scene::aside(), "to step in", unfiltered;
    /// Does the chase go on? (`chase.roll`)
    "chase" Chase => scene::chase(), "to lead the chase";
}

/// At most so many things, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Few<T, const MOST: usize> {
    count: u8,
    all: [T; MOST],
}

/// The spaces by which a path goes.
pub type Via = Few<Space, 6>;
/// What each sacrificed action buys, of what the table has of its own (`ext.abort`).
pub type Recourses = Few<Recourse, 2>;

impl<T: Copy + Default, const MOST: usize> Default for Few<T, MOST> {
    fn default() -> Few<T, MOST> {
        Few { count: 0, all: [T::default(); MOST] }
    }
}

impl<T: Copy + Default, const MOST: usize> Few<T, MOST> {
    pub fn of(these: &[T]) -> Option<Few<T, MOST>> {
        let mut few = Few { count: these.len() as u8, ..Few::default() };
        few.all.get_mut(..these.len())?.copy_from_slice(these);
        Some(few)
    }
}

impl<T, const MOST: usize> Few<T, MOST> {
    pub fn as_slice(&self) -> &[T] {
        &self.all[..usize::from(self.count)]
    }
}

impl<T: Refers, const MOST: usize> Refers for Few<T, MOST> {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        self.as_slice().iter().for_each(|thing| thing.each_reference(each));
    }
}

impl<T: Serialize, const MOST: usize> Serialize for Few<T, MOST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const MOST: usize> Deserialize<'de> for Few<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Few<T, MOST>, D::Error> {
        let these = Vec::<T>::deserialize(deserializer)?;
        Few::of(&these).ok_or_else(|| D::Error::custom(format!("expected {MOST} at most")))
    }
}

/// How much Brawn and how much of a weapon's power are left out of a blow (`damage.pull`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pull {
    #[serde(default)]
    pub brawn: u8,
    #[serde(default)]
    pub power: u8,
}

refer_to_nothing!(Pull);

refers! {
    /// What somebody does in a fight.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum Act {
        /// The free step (`move.free-step`), or the one space of who is prone (`prone.move`).
        Step(Space),
        /// A move, for one action (`move.action`).
        Move {
            to: Space,
            via: Via = default,
            /// In a charge (`charge.choice`).
            charge: bool = default,
            /// Fortune for as many more spaces (`fortune.run`).
            fortune: u8 = default,
        },
        /// A strike (`attack.strike`): with bare hands where no weapon is named.
        Strike {
            on: Char,
            with: Option<Weapon> = default,
            thrown: bool = default,
            pull: Pull = default,
        },
        /// A manoeuvre (`ext.two-actions`).
        Use {
            what: Manoeuvre,
            on: Option<Char> = default,
        },
        /// A spell (`action.spell`).
        Cast {
            spell: Spell,
            on: Option<Char> = default,
        },
        /// +3 to the roll of the next attack (`option.aim`).
        Aim,
        /// +3 to Dodge and Parry (`option.defend`).
        Defend,
        /// +10 to the damage of the next melee attack (`option.haymaker`).
        Haymaker,
        /// +3 to Defiance (`option.resist`).
        Resist,
        /// +3 to Perception (`option.look`).
        Look,
        /// More initiative from the next round on (`init.haste`).
        Haste,
        /// 3 Fortune: a strike more for an action (`fortune.rapid`).
        Rapid,
        /// Gets up (`move.stand`).
        Stand,
        /// Drops prone (`prone.fall`).
        Fall,
        /// Mounts (`move.mount-up`).
        Mount(Char),
        Dismount,
        /// Leaps over what is between (`move.leap`).
        Leap(Space),
        /// Takes a weapon in hand (`action.minor`).
        Draw(Weapon),
        /// Puts it away.
        Sheathe(Weapon),
        /// Picks a weapon up (`move.other`).
        PickUp(Weapon),
        /// Opens a door (`action.door`).
        Door,
        /// Anything else, in a few words (`action.major`).
        Do(Label),
        /// A word to a companion (`action.minor`).
        Shout(Label),
        /// Goes on with what takes several actions (`action.long`).
        Work,
        /// Heals by touch (`gift.empathy`), paid with Fortune, or with wounds of one's own.
        Heal {
            on: Char,
            points: u8,
            /// Shocks first, in place of wounds.
            shocks: bool = default,
            own: bool = default,
        },
        /// Feels what somebody nearby feels (`gift.empathy`).
        Feel(Char),
        /// Waits for a better moment (`wait.may`).
        Wait {
            wire: Wire = default,
            /// Strikes with this as soon as the moment comes.
            trap: Option<Weapon> = default,
        },
        /// Ends the turn.
        End,
    }
}

refers! {
    /// An answer.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum Answer {
        /// What somebody does who was asked by name.
        Act(Act),
        /// The same of one of several.
        As {
            who: Char,
            act: Act,
        },
        /// Does not cut in, or lets the round end.
        Let,

        // The scene.
        /// Calls for a check.
        Check {
            who: Char,
            with: Trait,
            level: u8,
            /// What tools change of the challenge level (`tools.improvised`, `tools.exceptional`).
            tools: i8 = default,
            /// Against this one's trait and 7, in place of a level (`core.versus`).
            against: Option<Char> = default,
        },
        /// Calls for a check to notice something (`perception.use.faint`).
        Notice {
            who: Char,
            sense: Sense,
            level: u8,
            /// Somebody unseen, who is noticed by success.
            of: Option<Char> = default,
            /// Conditions that hamper this sense (`perception.conditions`).
            harder: u8 = default,
            /// What draws the character's attention away (`perception.distraction`).
            distracted: u8 = default,
            /// How many spaces away it is.
            distance: u8 = default,
            /// The Adversary rolls, and the player does not hear of it.
            secret: bool = default,
        },
        /// It is so easy that no roll is made (`core.no-roll`).
        NoRoll {
            who: Char,
            with: Trait,
        },
        /// A sense of danger, a vision, a hint (`intuition.plot`).
        Hint {
            who: Char,
            what: Label,
        },
        /// A battle begins (`zero.begin`): who acts first, and who is taken wholly by surprise.
        Battle {
            first: CharSet = default,
            surprised: CharSet = default,
        },
        /// A chase begins (`chase.roll`).
        Run {
            fleeing: CharSet,
            after: CharSet,
            /// How far ahead those are who flee, where the map does not say.
            lead: u8 = default,
        },
        /// A day's rest (`injury.recover`).
        Rest {
            /// How much poor conditions raise the number.
            harder: u8 = default,
        },
        /// Raises a trait with experience (`trait.raise`).
        Raise {
            who: Char,
            what: Trait,
        },
        /// Buys Fortune with experience, point for point (`fortune.points`).
        Buy {
            who: Char,
            fortune: u16,
        },
        /// Tries something (`challenge.assign`).
        Try {
            who: Char,
            with: Trait,
            what: Label,
        },
        /// The evening is over.
        Close,

        // Checks.
        /// The challenge level of what a player tries, and what tools change of it.
        Level {
            level: u8,
            tools: i8 = default,
            /// With another trait than the player named.
            with: Option<Trait> = default,
        },
        /// How long it takes, and how much Fortune is burnt.
        How {
            time: Time = default,
            fortune: u8 = default,
        },
        /// So many actions; none for something small.
        Takes(u8),

        // Attacks.
        /// Gives up actions: so many for Defend, so many for Resist.
        Abort {
            defend: u8 = default,
            resist: u8 = default,
            /// Defends with this, the lower one as well.
            with: Option<Defence> = default,
            /// So many for what the table has of its own (`ext.abort`).
            own: Recourses = default,
            /// Where to, of who steps aside for one of them.
            to: Option<Space> = default,
        },
        /// Burns so much Fortune.
        Burn(u16),
        SideEffect(SideEffect),
        /// The side effect comes about beside the wounds.
        Beside,
        /// The side effect comes about in place of the wounds.
        Instead,
        No,

        // Rounds.
        /// The next round begins, or the next stretch of a chase.
        Next,
        /// Changes somebody's initiative for this round (`init.environment`).
        Shift {
            who: Char,
            by: i8,
        },
        /// The battle or the chase is over (`battle-end`).
        Peace,
    }
}

impl Answer {
    /// Gives up no action against an attack, and defends with the higher value.
    pub(crate) fn stands() -> Answer {
        Answer::Abort { defend: 0, resist: 0, with: None, own: Recourses::default(), to: None }
    }
}
