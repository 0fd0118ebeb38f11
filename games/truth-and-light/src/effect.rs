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

const fn effect(verb: Verb, scope: Scope, on: Whom, lasts: Lasts) -> Effect {
    Effect { verb, scope, on, lasts, per_degree: false }
}

/// The four guilts in these words.
pub const fn of_guilt(guilt: Guilt) -> &'static [Effect] {
    use {Lasts::*, Verb::*, Whom::*};
    const FAULT: &[Effect] =
        &[effect(Ap(-2), Scope::ALL, Ally, NextAction), effect(BanAbilities, Scope::ALL, Ally, NextAction)];
    const LOSE: &[Effect] = &[effect(LoseBoon(2), Scope::ALL, Me, ThisRoll)];
    const RAISE: &[Effect] = &[
        effect(Ap(-2), Scope::of(Rolls::Save), Me, NextAction),
        effect(Attention, Scope::ALL, Me, NextAction),
    ];
    const SURPRISE: &[Effect] = &[effect(End(None), Scope::ALL, Me, ThisRoll)];
    match guilt {
        Guilt::Fault => FAULT,
        Guilt::Lose => LOSE,
        Guilt::Raise => RAISE,
        Guilt::Surprise => SURPRISE,
    }
}

/// The ways of the four glories in these words; what is gained, moved or lost is
/// named when the glory is picked.
pub const fn of_glory(way: Way) -> &'static [Effect] {
    use {Lasts::*, Verb::*, Whom::*};
    const GRANT: &[Effect] = &[effect(Ap(3), Scope { ability_only: true, ..Scope::ALL }, Ally, UntilAbility)];
    const IMPROVISE: &[Effect] = &[effect(GainBoon(Boon(0)), Scope::ALL, Me, ThisRoll)];
    const STEAL: &[Effect] = &[effect(MoveBoon, Scope::ALL, Them, ThisRoll)];
    const DISCARD: &[Effect] = &[effect(LoseBoon(1), Scope::ALL, Them, ThisRoll)];
    const NEXT: &[Effect] = &[effect(Ap(2), Scope::ALL, Me, NextAction)];
    const NOW: &[Effect] = &[effect(Ap(4), Scope::ALL, Me, ThisRoll)];
    const SPRING: &[Effect] = &[effect(End(None), Scope::ALL, Them, ThisRoll)];
    match way {
        Way::Grant => GRANT,
        Way::Improvise => IMPROVISE,
        Way::Steal => STEAL,
        Way::Discard => DISCARD,
        Way::BreakNext => NEXT,
        Way::BreakNow => NOW,
        Way::Spring => SPRING,
    }
}

/// The ways of the four glories.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    Grant,
    Improvise,
    Steal,
    Discard,
    /// Break Risk through the next action.
    BreakNext,
    /// Break Risk now.
    BreakNow,
    Spring,
}

/// What one of the gamemaster's characters gains, in these words (`ext.npc-glory`).
pub const fn of_upper(upper: Upper) -> &'static [Effect] {
    use {Lasts::*, Verb::*, Whom::*};
    const PRESS: &[Effect] = &[effect(Pn(2), Scope::ALL, Me, NextAction)];
    const SEIZE: &[Effect] = &[effect(LoseBoon(1), Scope::ALL, Them, ThisRoll)];
    const SURPRISE: &[Effect] = &[effect(End(None), Scope::ALL, Them, ThisRoll)];
    const RALLY: &[Effect] = &[effect(Pn(2), Scope::of(Rolls::Test), Ally, NextAction)];
    const OVERWHELM: &[Effect] = &[effect(Ap(4), Scope::ALL, Me, ThisRoll)];
    match upper {
        Upper::Press => PRESS,
        Upper::Seize => SEIZE,
        Upper::Surprise => SURPRISE,
        Upper::Rally => RALLY,
        Upper::Overwhelm => OVERWHELM,
    }
}
