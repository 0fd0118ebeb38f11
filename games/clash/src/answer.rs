//! What is asked and what can be answered.

use crate::{
    Clash, clash, free, harm, prop, rest, spell, stack,
    state::Aids,
    study, test,
    vocab::{Dice, *},
};
use fracas_kernel::{Label, prompts, refers};
use serde::{Deserialize, Serialize};

prompts! {
    /// What is asked.
    pub enum Prompt of Clash, asking asked;

    /// What happens outside a Clash? (`core.atdd-inputs`)
    "desk" Desk => free::desk(), "to say what happens", unfiltered;
    /// What does one of your characters try? (`roll.when`)
    "act" Act => free::act(asked), "to act", unfiltered;
    /// Is there a Roll, and with which Symbols? (`roll.symbols-choice`, `attack.must-push`)
    "rule" Rule(who: Char) => test::rule(), "to rule on a Roll", unfiltered;
    /// Stand, or Dodge? (`dodge.declare`)
    "dodge" Dodge(who: Char) => test::dodge(who), "to say whether to Dodge", unfiltered;
    /// Is the Dodge allowed, and with which Symbols? (`dodge.allow`)
    "allow" Allow(who: Char) => test::allow(), "to rule on a Dodge";
    /// What aids the Roll? (`improv.offer`, `clash.exhaust-aid`)
    "aid" Aid(who: Char) => test::aid(who), "to say what aids the Roll", unfiltered;
    /// How many dice of the pool are spent? (`persist.spend`)
    "spend" Spend(who: Char) => spell::spend(who), "to say how many dice of a Spell are spent";
    /// What is granted, who helps and hinders? (`improv.grant`, `group.help`)
    "grant" Grant(who: Char) => test::grant(), "to grant dice", unfiltered;
    /// What does the Defender Exhaust? Of the Director also what is granted, where both are theirs
    /// (`clash.defend-choice`, `roll-slots`)
    "oppose" Oppose(who: Char) => test::oppose(who), "to say what opposes the Roll", unfiltered;
    /// Are the offered Malus Dice taken? (`improv.malus-offer`)
    "malus" Malus(who: Char) => test::malus(who), "to take Malus Dice or not", unfiltered;
    /// Is a Lucky Token Expended? (`token.lucky`)
    "lucky" Lucky(who: Char) => test::lucky(who), "to let the Roll stand or not", unfiltered;
    /// Does a passed Spell Roll become the first Attack of a Clash? (`spell.carry-roll`)
    "carry" Carry(who: Char) => spell::carry(who), "to say whether a Clash begins";
    /// Is the Damage taken? (`wp.surrender`, `wp.convert`)
    "blow" Blow(who: Char) => harm::blow(who), "to take the Damage or not";
    /// Who goes next? (`clash.pick-order`)
    "pick" Pick(side: Side) => clash::pick(side, asked), "to say who goes next", unfiltered;
    /// What is Activated? (`turn.activate-choice`)
    "breath" Breath(who: Char) => clash::breath(who), "to Activate something", unfiltered;
    /// What does this character do? (`turn.main`)
    "main" Main(who: Char) => clash::main(who), "to act", unfiltered;
    /// Does somebody step in? (`timing.rapid`, `wp.surrender`)
    "aside" Aside => clash::aside(asked), "to step in", unfiltered;
    /// A Rapid effect, or pass? (`stack.pass-choice`)
    "priority" Priority(who: Char) => stack::priority(who), "to answer or pass", unfiltered;
    /// Which triggered ability goes on the Stack next? (`trigger.own-order`)
    "order" Order(who: Char) => stack::order(who), "to order abilities";
    /// Push Off, or let go? (`push-optional`)
    "displace" Displace(who: Char) => prop::displace(who), "to push off or let go";
    /// Which Secret does the Investigation learn? (`study.investigate-hit`)
    "match" Match(who: Char) => study::matching(), "to say what is learnt";
    /// What is the Spell Trait, and which dice are in its pool? (`persist.trait-choice`)
    "lay" Lay(who: Char) => spell::lay(who), "to word a Spell Trait";
    /// What is the Subjugation, and does the loser know of it? (`sub.awareness`)
    "subdue" Subdue(who: Char) => harm::subdue(who), "to say how a Subjugation goes", unfiltered;
    /// What does a milestone give? (`trait.milestone`, `trait.swap`)
    "grow" Grow(who: Char) => rest::grow(who), "to choose Traits";
    /// How are the Hours of a Rest spent? (`rest.hours`)
    "hours" Hours(who: Char) => rest::hours(who), "to spend Hours";
}

refers! {
    /// A Spell or Skill to make a Roll with.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Casting {
        pub spell: Spell,
        /// The Level of the slot; the lowest that will do, where it is not said (`spell.slot-choice`).
        pub slot: Option<u8> = default,
        /// Its Effect goes on (`persist.trait`).
        pub lasting: bool = default,
    }
}

refers! {
    /// An answer.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum Answer {
        // The Director, outside a Clash.
        /// A Clash begins without a Roll (`clash.start-side`, `clash.types`).
        Begin { stakes: Rank, first: Side, name: Label },
        /// The Scene changes (`scene.change`).
        Scene,
        /// Everybody rests (`rest.when`).
        Rest,
        /// These rest, and nobody else (`rest-npc`).
        RestOf(CharSet),
        /// The evening is over.
        Close,
        /// Somebody must resist a temptation (`conflict.core-symbol`).
        Tempt { by: Char, on: Char, with: Symbol, over: Symbol },
        /// A character has reached a milestone (`trait.milestone`).
        Milestone(Char),
        /// Mortal peril in the story (`death.narrative`).
        Peril { who: Char, by: Char, with: Symbol, over: Symbol },
        /// The Director's own character, or a player's, tries something (`roll.when`).
        Try {
            who: Char,
            on: Target,
            with: Symbol,
            task: Label,
            cast: Option<Casting> = default,
            /// It breaks a Subjugation that the character knows of (`sub.resist`).
            resist: bool = default,
            /// The Roll opens a Clash (`start.roll`).
            opens: Option<Rank> = default,
        },
        /// A Spell or Skill that takes no Roll, with its Effect in words (`spell.no-roll`, `spell.effect-choice`).
        Cast {
            who: Char,
            on: Char,
            casting: Casting,
            task: Option<Label> = default,
        },
        /// Concentration ends (`conc.drop`).
        Drop(Char),
        /// A caster tells the target of their Persistent Spell what it does (`persist.awareness`).
        Explain(Char),
        /// Control of a Clash Prop ends (`control-release`).
        LetGo { who: Char, prop: Prop },

        // A Roll.
        /// The Roll is made with these Symbols; `harmless` where an Attack only counts as a generic Roll.
        Settle {
            with: Symbol,
            over: Symbol,
            /// Another Defender than the one the action is aimed at (`roll.environment-defender`).
            defender: Option<Char> = default,
            harmless: bool = default,
            /// Bonus Dice for an Investigation (`study.investigate`).
            bonus: u8 = default,
            /// The Roll opens a Clash (`start.roll`).
            opens: Option<Rank> = default,
            /// The Director lets it be, as long as nothing else is used: theirs use nothing, do not Dodge,
            /// and take Damage that does not beat them; nothing is offered (`stack.pass-choice`).
            #[serde(rename = "let-be")]
            let_be: bool = default,
        },
        /// No Roll: it works, or it does not (`roll.when-director`).
        Passes,
        Fails,
        /// It is the same Roll as this one, counted from 0, whose outcome stands (`roll.never-same`).
        Same(u8),
        /// It may not be tried: it would open a conflict that was lost (`sub.no-reopen`).
        Forbid,
        /// Nothing is done about it: no Dodge, no aid, no Rapid effect, no Activation, no offer taken.
        Pass,
        /// A Dodge, rolled with this Symbol (`dodge.declare`).
        Dodge(Symbol),
        /// The Dodge is allowed with these Symbols.
        Allow { with: Symbol, over: Symbol },
        /// The Director refuses.
        Refuse,
        /// What is committed to a Roll.
        Commit {
            #[serde(rename = "trait")]
            mark: Option<TraitId> = default,
            item: Option<Item> = default,
            prop: Option<Prop> = default,
            /// A Prop of the story, in words.
            idea: Option<Label> = default,
        },
        /// So many dice of a pool are spent (`persist.spend`).
        Spend(u8),
        /// What the Director grants (`improv.grant`) and counts (`group.help`), and offers against it.
        Grant {
            #[serde(rename = "trait")]
            mark: bool = default,
            item: bool = default,
            /// Dice of the described Prop: 0 refuses it.
            idea: u8 = default,
            help: CharSet = default,
            hinder: CharSet = default,
            /// Malus Dice offered for a Lucky Token (`improv.malus-offer`).
            malus: u8 = default,
            /// The Scene Elements for which they are offered; what is above their dice is for a Prop.
            by: Few<Element, 3> = default,
            /// Spell Traits of the roller with Malus Dice that bear on the Roll (`persist-who-spends`).
            bears: Few<TraitId, 4> = default,
        },
        /// Offered Malus Dice are taken; the Damage is taken.
        Take,
        /// All dice are thrown again.
        Reroll,

        // Harm.
        /// The character loses the Clash at once, and no Will Points for it (`wp.surrender`).
        Surrender(Char),
        /// One Major Will Point instead of the Clash (`wp.convert`).
        Convert,
        /// Damage outside a Clash takes these Will Points (`damage-outside`).
        Deal(Rank),
        /// The Subjugation of a loser.
        Subdue { cause: Label, aware: bool },

        // A Clash.
        /// This character goes next.
        Next(Char),
        Activate(Element),
        Attack {
            on: Char,
            with: Symbol,
            cast: Option<Casting> = default,
            /// It breaks a Subjugation that the character knows of (`sub.resist`).
            resist: bool = default,
        },
        Study {
            on: Target,
            with: Symbol,
            cast: Option<Casting> = default,
        },
        /// A Study with a question (`study.investigate`).
        Investigate {
            on: Target,
            with: Symbol,
            about: Label,
            cast: Option<Casting> = default,
        },
        /// Takes Control of a Clash Prop (`action.control`), against this enemy where there are several.
        Control {
            prop: Prop,
            with: Symbol,
            from: Option<Char> = default,
            cast: Option<Casting> = default,
        },
        /// Pushes another controller off (`prop.pushoff-action`).
        PushOff {
            prop: Prop,
            whom: Char,
            with: Symbol,
            cast: Option<Casting> = default,
        },
        /// An Extra attacks by the Action of its Controller (`ext.extras`).
        Command { extra: Char, on: Char, with: Symbol },
        /// Any other Roll (`action.generic`).
        Generic {
            on: Char,
            with: Symbol,
            task: Label,
            cast: Option<Casting> = default,
            /// It breaks a Subjugation that the character knows of (`sub.resist`).
            resist: bool = default,
        },
        /// A Narrative Action, in words (`narr.free`).
        Narrate(Label),
        /// An ability, paid by Exhausting these elements (`focus.which`).
        Use {
            who: Char,
            ability: Ability,
            on: Option<Target> = default,
            pay: Few<Element, 6> = default,
        },
        /// The turn ends.
        End,
        /// The Director ends the Clash (`ext.clash-end`).
        EndClash,
        /// This triggered ability goes on the Stack next.
        First(Ability),
        /// The enemy is pushed off the Clash Prop.
        Push,
        /// The Secret that an Investigation learns.
        Learn(SecretId),
        /// No Secret matches it (`study.investigate-miss`).
        NoMatch,
        /// The words of a Spell Trait, and the dice of its pool.
        Lay { words: Label, dice: Dice },

        // Rest and growth.
        /// A Minor Trait, the first or second of two (`trait.milestone`).
        GainMinor(Label),
        /// One Major Trait.
        GainMajor(Label),
        /// One Trait for another of equal rank (`trait.swap`).
        Swap { give: TraitId, gain: Label },
        /// An activity of a Rest (`ext.hours`).
        Activity(Activity),
    }
}

impl Answer {
    /// The Scene Elements that a [`Answer::Commit`] names.
    pub const fn aids(self) -> Aids {
        match self {
            Answer::Commit { mark, item, prop, .. } => Aids { mark, item, prop },
            _ => Aids { mark: None, item: None, prop: None },
        }
    }
}
