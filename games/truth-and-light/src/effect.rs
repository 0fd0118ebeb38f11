//! The one vocabulary of effects (`ext.effects`).
//!
//! Guilts, glories, boons, feats, Whispers and contested ends all do what they do
//! in these words: a verb, what rolls it is for, on whom, and how long.

use crate::vocab::*;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::words;

/// One effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Effect {
    pub verb: Verb,
    pub scope: Scope,
    pub on: Whom,
    pub lasts: Lasts,
    /// Its number counts once for each degree of the roll; of what lasts, it has been counted so.
    pub per_degree: bool,
}

impl Effect {
    /// Whether it counts for the roll that it is used on, and not for what comes of it.
    pub const fn into_roll(&self) -> bool {
        matches!((self.lasts, self.verb), (Lasts::ThisRoll, Verb::Ap(_) | Verb::RerollLight))
    }

    /// The effect without the number that degrees gave it.
    pub(crate) const fn of_no_degrees(self) -> Effect {
        let verb = match self.verb {
            Verb::Ap(_) if self.per_degree => Verb::Ap(0),
            Verb::Pn(_) if self.per_degree => Verb::Pn(0),
            verb => verb,
        };
        Effect { verb, ..self }
    }
}

/// What an effect does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// Changes action power; of the gamemaster's characters, what their power
    /// number counts for on their side of a roll.
    Ap(i8),
    /// Changes what a power number counts for.
    Pn(i8),
    BanAbilities,
    /// Gives a boon made after this one.
    GainBoon(Boon),
    /// Takes so many boons in use away.
    LoseBoon(u8),
    /// Brings a lost boon back.
    RecoverBoon,
    /// Brings a boon from the other to the acting character.
    MoveBoon,
    /// Draws hostile attention.
    Attention,
    /// Takes off a track; the end's own, where none is named.
    Harm(Option<Track>, u8),
    /// Gives back on a track.
    Heal(Track, u8),
    /// Puts somebody into a condition, told by this text.
    Condition(Text),
    /// They are near nobody.
    Apart,
    /// They cannot leave their zone.
    Hold,
    /// Their first Light can be rolled again.
    RerollLight,
    /// So many further actions.
    ExtraAction(Label, u8),
    /// A contested end; without a name the acting character picks one.
    End(Option<End>),
    /// Told by this text, and nothing else.
    Narrate(Text),
}

impl Verb {
    /// Whether it is on somebody for a while, rather than done at once.
    pub const fn endures(self) -> bool {
        matches!(
            self,
            Verb::Ap(_)
                | Verb::Pn(_)
                | Verb::BanAbilities
                | Verb::Attention
                | Verb::Condition(_)
                | Verb::Apart
                | Verb::Hold
        )
    }
}

/// A text of the table's rules, by place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize)]
pub struct Text(pub u16);

fracas_kernel::refer_to_nothing!(Text);

/// Which rolls an effect counts for. An empty set stands for any.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Scope {
    pub rolls: Rolls,
    pub attributes: AttributeSet,
    /// In these kinds of action.
    pub tags: TagSet,
    /// Only where an ability plays a part.
    pub ability_only: bool,
    /// Only against somebody like this.
    pub against: TraitSet,
}

/// What a roll is, as far as effects ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    pub kind: Kind,
    pub attribute: Attribute,
    pub tags: TagSet,
    /// Whether an ability plays a part (`ability.use`).
    pub ability: bool,
    /// What the opponent is like.
    pub against: TraitSet,
}

impl Scope {
    /// Every roll.
    pub const ALL: Scope = Scope {
        rolls: Rolls::Both,
        attributes: AttributeSet::NONE,
        tags: TagSet::NONE,
        ability_only: false,
        against: TraitSet::NONE,
    };

    /// Every roll of one kind.
    pub const fn of(rolls: Rolls) -> Scope {
        Scope { rolls, ..Scope::ALL }
    }

    /// Whether it counts for a roll (`mod.kinds`).
    pub const fn counts(&self, roll: &Facts) -> bool {
        self.rolls.counts(roll.kind)
            && (self.attributes.is_empty() || self.attributes.has(roll.attribute))
            && (self.tags.is_empty() || self.tags.0 & roll.tags.0 != 0)
            && (!self.ability_only || roll.ability)
            && (self.against.is_empty() || self.against.0 & roll.against.0 != 0)
    }
}

words!(
    /// On whom an effect is.
    Whom {
        /// The acting character.
        Me = "me",
        /// The character acted on.
        Them = "them",
        /// One nearby ally, named by the picker.
        Ally = "ally",
        /// Every nearby ally.
        Allies = "allies",
        /// Everybody nearby on the other side; of the gamemaster's characters the hostile ones.
        Foes = "foes",
    }
);

/// How long an effect lasts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lasts {
    /// For this roll, or at once.
    ThisRoll,
    /// For the next roll of the character who has it.
    NextRoll,
    /// Through the next action of the character who has it (`dur.start`).
    NextAction,
    /// Until they use an ability.
    UntilAbility,
    Scene,
    NextScene,
    Until(Removal),
}

/// What removes an effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Removal {
    Minor,
    /// A test against this target number.
    Test(u8),
    /// A test against the power number of the character who imposed the effect.
    PowerNumber,
    /// The gamemaster's word.
    Gm,
}

impl Removal {
    /// The kind of action that removes it, if one does.
    pub const fn takes(self) -> Option<Label> {
        match self {
            Removal::Minor => Some(Label::Minor),
            Removal::Test(_) | Removal::PowerNumber => Some(Label::Major),
            Removal::Gm => None,
        }
    }
}

/// An effect that counts once, whatever the degrees.
pub(crate) const fn once(verb: Verb, scope: Scope, on: Whom, lasts: Lasts) -> Effect {
    Effect { verb, scope, on, lasts, per_degree: false }
}

/// Fault Ability (`guilt.fault`). What other guilts, glories and guilty saves do, to what is named
/// when they are picked, is done at once.
pub const FAULT: [Effect; 2] = [
    once(Verb::Ap(-2), Scope::ALL, Whom::Ally, Lasts::NextAction),
    once(Verb::BanAbilities, Scope::ALL, Whom::Ally, Lasts::NextAction),
];
/// Raise Risk (`guilt.raise`).
pub const RAISE: [Effect; 2] = [
    once(Verb::Ap(-2), Scope::of(Rolls::Save), Whom::Me, Lasts::NextAction),
    once(Verb::Attention, Scope::ALL, Whom::Me, Lasts::NextAction),
];
/// Grant Ability (`glory.grant`).
pub const GRANT: [Effect; 1] =
    [once(Verb::Ap(3), Scope { ability_only: true, ..Scope::ALL }, Whom::Ally, Lasts::UntilAbility)];
/// Break Risk through the next action (`glory.break-next`), where the table says no other amount
/// (`break-next-amount`).
pub const BREAK_NEXT: [Effect; 1] = break_next(2);

/// The same with so much action power.
pub(crate) const fn break_next(amount: u8) -> [Effect; 1] {
    [once(Verb::Ap(amount as i8), Scope::ALL, Whom::Me, Lasts::NextAction)]
}
/// Pressing after a guilty save (`ext.npc-glory`).
pub(crate) const PRESS: [Effect; 1] = [once(Verb::Pn(2), Scope::ALL, Whom::Me, Lasts::NextAction)];
/// Rallying another after a guilty save (`ext.npc-glory`).
pub(crate) const RALLY: [Effect; 1] =
    [once(Verb::Pn(2), Scope::of(Rolls::Test), Whom::Ally, Lasts::NextAction)];
