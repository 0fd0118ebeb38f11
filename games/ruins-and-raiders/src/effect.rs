//! What spells and manoeuvres do (`ext.spell`, `ext.two-actions`), and what a sacrifice buys (`ext.abort`).

use crate::vocab::*;
use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{refer_to_nothing, words};

/// The most effects of one spell or manoeuvre.
pub const MAX_EFFECTS: usize = 4;

words!(
    /// What is taken off the wounds or shocks that something causes.
    #[derive(Default)]
    Soak {
        /// Fortitude and armour.
        #[default]
        Protection = "protection",
        Fortitude = "fortitude",
        Nothing = "nothing",
    }
);

/// One effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Wounds: the mox and so many more, with Brawn or without, less what is taken off.
    Wounds {
        power: i16,
        brawn: bool,
        soak: Soak,
    },
    /// The same to the mind.
    Shocks {
        power: i16,
        soak: Soak,
    },
    Prone,
    /// Drops what is in hand.
    Drop,
    /// Cannot move until the next round begins.
    Held,
    Asleep,
    /// Changes a number until the next round begins.
    Change {
        value: Value,
        by: i8,
    },
    /// Moves away so many spaces.
    Thrown(u8),
    /// Only told.
    Told,
}

refer_to_nothing!(Effect);

/// What a sacrificed action buys against an attack, by the table's own rules (`ext.abort`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bought {
    /// So much more of a number until the next round begins.
    Bonus { value: Value, by: u8 },
    /// Drops prone.
    Prone,
    /// Steps one space away.
    Step,
}

/// Several effects, one after the other.
pub type Effects = ArrayVec<Effect, MAX_EFFECTS>;

/// What a check of an attack is made against.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Against {
    /// The target's Dodge or Parry, the higher one.
    Body,
    Only(Defence),
    /// The target's trait and 7 (`core.versus`).
    Trait(Trait),
    Level(u8),
    /// It needs no check.
    Nothing,
}

/// What becomes of somebody whose footing fails (`ext.terrain`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Fall {
    pub prone: bool,
    pub wounds: u8,
    /// Back to where the move began; else it ends there.
    pub back: bool,
}
