//! The closed vocabulary of effects that Items, Clash Props, Secrets, abilities and Spells share
//! (`ext.effects`), and what an ability is made of.

use crate::vocab::*;
use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::refer_to_nothing;
use serde::Serialize;

/// The most effects of an ability.
pub const MAX_EFFECTS: usize = 6;

/// One thing that an ability does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// So many Bonus Dice on the Roll.
    AddBd(u8),
    /// So many Malus Dice on the Roll.
    AddMd(u8),
    /// Damage of the Attack, changed in the order in which the Stack resolves (`stack.modifier-order`).
    AddDamage(i8),
    MultiplyDamage(u8),
    /// Potential Damage of the Attack (`damage.potential`).
    SetPotential(u8),
    DealDamage(u8),
    RestoreMajor(u8),
    RestoreMinor(u8),
    /// Puts a Symbol under an Alteration, unless the target resists with a Conflict Roll.
    Alter {
        symbol: Symbol,
        to: Alteration,
        resist: Option<(Symbol, Symbol)>,
    },
    ClearAlteration,
    GiveToken {
        kind: TokenKind,
        persistent: bool,
        ephemeral: bool,
        countless: bool,
    },
    GainKeyword(Keyword),
    GainAction,
    GainReaction,
    /// An Exhausted element of the target becomes ready.
    Ready,
    /// A ready element of the target becomes Exhausted.
    Exhaust,
    GainFocus(u8),
    /// A spent slot of this Level is there again.
    AddSpellSlot(u8),
    /// Hours of the next Rest, more or fewer.
    ChangeHours(i8),
    /// The first Secret of the target that is not known is learnt.
    RevealSecret,
    /// The target stops Controlling the Clash Prop whose ability this is.
    LoseControl,
    /// Text alone.
    Note,
}

impl Effect {
    /// Whether it changes an Attack or another Roll that is under way.
    pub const fn is_on_roll(self) -> bool {
        matches!(
            self,
            Effect::AddBd(_)
                | Effect::AddMd(_)
                | Effect::AddDamage(_)
                | Effect::MultiplyDamage(_)
                | Effect::SetPotential(_)
        )
    }
}

refer_to_nothing!(Effect);

/// What an ability costs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cost {
    pub action: bool,
    pub reaction: bool,
    /// `{N}` (`focus.ability-cost`).
    pub focus: u8,
    /// It Exhausts the element that it is on.
    pub exhaust: bool,
    pub limit: Option<Limit>,
}

/// What an ability is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bearer {
    Char(Char),
    Item(Item),
    /// Of a Clash Prop its controllers have the ability.
    Prop(Prop),
}

/// An ability (`ext.effects`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbilityData {
    pub slug: String,
    pub name: String,
    /// What it is to say, for people.
    pub text: String,
    pub on: Bearer,
    pub timing: Timing,
    /// What triggers a Triggered one, and whose moment that must be.
    pub when: Option<(Moment, Whose)>,
    pub unreactable: bool,
    pub cost: Cost,
    pub aim: Aim,
    pub lasts: Lasts,
    pub effects: ArrayVec<Effect, MAX_EFFECTS>,
    /// Players do not know it before somebody meets it or Studies the thing (`prop.special-hidden`).
    pub hidden: bool,
}
