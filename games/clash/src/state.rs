//! The whole table at one moment.

use crate::{At, dice::Came, effect::Effect, rules::Rules, stack, vocab::*};
use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Label, Seat, Viewer};
use serde::{Deserialize, Serialize};

/// The most that waits or is under way at once: the Stack is bounded.
pub const MAX_FRAMES: usize = 24;
/// With so many under way no more Rapid effects are used, and nothing triggers.
pub const FULL: usize = 16;
/// The most Rolls that are kept in mind in one evening.
pub const MAX_MADE: usize = 64;
/// The most Props that are used in one evening.
pub const MAX_USED: usize = 48;
/// The most Subjugations at once.
pub const MAX_GRIPS: usize = 40;
/// The most Persistent Spells at once.
pub const MAX_POOLS: usize = 20;
/// How many of them are kept for those between characters whom players do not see.
pub const HIDDEN_POOLS: usize = 8;
/// The most effects that last.
pub const MAX_LIVE: usize = 32;
/// The most Tokens of one character.
pub const MAX_TOKENS: usize = 12;
/// The most abilities that one event triggers.
pub const MAX_TRIGGERED: usize = 8;

/// The most rulings on Symbols that are kept in mind.
pub const MAX_HABITS: usize = 24;

/// Characters in an order.
pub type Line = ArrayVec<Char, MAX_CAST>;

/// One moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct State {
    /// Scenes, from 1 (`scene.unit`).
    pub scene: u16,
    pub over: bool,
    pub bodies: ArrayVec<Body, MAX_CAST>,
    /// By [`TraitId`]: those of sheets, then room for those that are gained.
    pub traits: ArrayVec<Mark, { MAX_TRAITS + MAX_GAINED }>,
    /// What gained Traits are called.
    pub gained: ArrayVec<Label, MAX_GAINED>,
    pub items: ArrayVec<Thing, MAX_ITEMS>,
    pub props: ArrayVec<Fixture, { MAX_PROPS + MAX_MADE_PROPS }>,
    /// Clash Props that the Director made in play.
    pub made_props: ArrayVec<MadeProp, MAX_MADE_PROPS>,
    /// Secrets that the party has learnt, a bit each.
    pub learnt: u64,
    /// Abilities that the players have met.
    pub met: u128,
    /// Of the Director's characters: Traits, Items, and Spells and Skills that the players have seen in use.
    pub shown_traits: u128,
    pub shown_items: u64,
    pub shown_spells: u128,
    /// Abilities that were used, by their limits.
    pub used: [u128; 3],
    /// Props used for Improvisation, for good (`improv.prop-once`).
    pub used_props: ArrayVec<Label, MAX_USED>,
    /// Clash Props that gave dice, where they do that once only (`clash-prop-once`).
    pub used_clash_props: u16,
    pub made: ArrayVec<Made, MAX_MADE>,
    pub grips: ArrayVec<Grip, MAX_GRIPS>,
    pub pools: ArrayVec<Pool, MAX_POOLS>,
    pub live: ArrayVec<Live, MAX_LIVE>,
    pub clash: Option<Clash>,
    /// How many Clashes there have been.
    pub clashes: u16,
    /// How the last one came out.
    pub fought: Option<Fought>,
    /// What is under way, the topmost last.
    pub frames: ArrayVec<Frame, MAX_FRAMES>,
    /// Those who still spend Hours of a Rest.
    pub resting: CharSet,
    /// Those who choose what a milestone gives them.
    pub growing: ArrayVec<Growth, 8>,
    /// Those who lost the last Clash, until the Director has said how their Subjugation goes.
    pub subdued: Line,
    /// Which Symbols Rolls against a character used before, the latest last.
    pub habits: ArrayVec<Habit, MAX_HABITS>,
    /// Whom the Director has warned of a Death Roll (`death.warn`).
    pub warned: CharSet,
}

/// How a Clash came out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Fought {
    pub name: Label,
    pub winners: Option<Side>,
    pub losers: CharSet,
}

/// How a character fares (`sheet.fields`).
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Body {
    pub side: Side,
    pub major: u8,
    pub minor: u8,
    /// Damage taken in this Clash, before everybody's eyes.
    pub hurt: u8,
    /// Preparation Damage that has not healed (`wp.prep-heal`).
    pub preparation_lost: u8,
    pub alterations: [Option<Altered>; 10],
    pub tokens: ArrayVec<Token, MAX_TOKENS>,
    /// Actions left (`action.resource`).
    pub actions: u8,
    pub reaction: bool,
    /// Floating Focus (`focus.excess`).
    pub floating: u8,
    /// Turns left in this round.
    pub turns: u8,
    pub surprised: bool,
    /// Whether this Scene's Dodge was attempted (`dodge.limit`).
    pub dodged: bool,
    /// Takes part in the Clash.
    pub fights: bool,
    /// Has lost the Clash.
    pub lost: bool,
    pub dead: bool,
    /// Is where the story is; others take no part.
    pub here: bool,
    pub hours: u8,
    pub extra_hours: i8,
    /// Skill Slots left of Level 1 and of Level 3, and the uses left of Minor and of Major Skills.
    pub skill_slots: [u8; 2],
    pub skill_uses: [u8; 2],
}

/// An Alteration of a Symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Altered {
    pub to: Alteration,
    pub lasts: Lasts,
    /// Whose turn ends it, where a turn does.
    pub by: Option<Char>,
}

/// A Token that a character holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Token {
    pub kind: TokenKind,
    pub persistent: bool,
    pub countless: bool,
    /// Of an Ephemeral one whose next turn ends it.
    pub ephemeral: Option<Char>,
}

/// How a card lies in a Clash (`exhaust.state`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Card {
    #[default]
    Inactive,
    Ready,
    Exhausted,
}

/// A Trait in play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Mark {
    /// Nobody's where the place is free.
    pub owner: Option<Char>,
    pub rank: Rank,
    pub card: Card,
    /// Was used for Improvisation in this Scene (`improv.scene-limit`).
    pub used: bool,
    /// Is a Spell Trait (`persist.trait`).
    pub spell: bool,
}

/// An Item in play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Thing {
    pub owner: Option<Char>,
    pub card: Card,
    pub used: bool,
    /// Spell Slots left by Level.
    pub slots: [u8; crate::rules::MAX_LEVEL],
    pub casts: u8,
}

/// A Clash Prop in play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Fixture {
    /// Is at this Clash's place.
    pub here: bool,
    pub exhausted: bool,
    pub controllers: CharSet,
}

/// A Clash Prop that the Director made in play (`plain-prop-in-clash`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct MadeProp {
    pub name: Label,
    pub creator: Char,
    pub capacity: u8,
    pub dice: u8,
}

/// A Roll that was made (`roll.never-same`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Made {
    pub who: Char,
    pub against: Char,
    pub with: Symbol,
    pub over: Symbol,
    pub task: Label,
    pub passed: bool,
    pub scene: u16,
}

/// Which Symbol a character defended with against another (`roll.symbols-choice`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Habit {
    pub of: Char,
    pub kind: Kind,
    pub with: Symbol,
    pub over: Symbol,
}

/// A Subjugation (`sub.types`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Grip {
    pub loser: Char,
    pub winners: CharSet,
    pub rank: Rank,
    /// The conflict that caused it, in words.
    pub cause: Label,
    pub aware: bool,
}

/// A Persistent Spell on its target (`persist.pool`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Pool {
    pub caster: Char,
    pub target: Char,
    pub spell: Spell,
    /// The Spell Trait.
    pub mark: TraitId,
    pub dice: u8,
    pub of: Dice,
    /// How often the additional die was gained (`persist.match`).
    pub matched: u8,
    /// The target knows what it does (`persist.awareness`).
    pub known: bool,
}

/// An effect that lasts on a character.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Live {
    pub on: Char,
    pub by: Char,
    pub effect: Effect,
    pub lasts: Lasts,
}

/// A Clash (`clash.what`).
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Clash {
    pub stakes: Rank,
    pub name: Label,
    pub first: Side,
    /// The side whose turn is next.
    pub next: Side,
    pub round: u16,
    /// Turns begun, over all rounds.
    pub turns: u16,
    /// Those who have acted this round, in order.
    pub acted: Line,
    pub turn: Option<Turn>,
}

/// Somebody's turn (`turn.steps`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Turn {
    pub who: Char,
    pub step: TurnStep,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TurnStep {
    Breath,
    Main,
    End,
}

/// Something that waits or is under way.
#[allow(clippy::large_enum_variant, reason = "frames lie in an array: play allocates nothing")]
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Frame {
    Test(Test),
    Use(Use),
    Window(Window),
    Triggers(Triggers),
    Blow(Blow),
    /// The winner of a full Clash Prop pushes an enemy off or lets go (`push-optional`).
    Displace {
        who: Char,
        prop: Prop,
        from: Char,
    },
    /// The Director says which Secret an Investigation learns (`study.investigate-hit`).
    Match {
        who: Char,
        target: Target,
    },
    /// A caster words the Spell Trait and says what its pool holds (`persist.trait-choice`).
    Lay {
        caster: Char,
        target: Char,
        spell: Spell,
    },
}

/// What a Roll is for.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Serialize,
    Deserialize,
    BorshSerialize,
    BorshDeserialize
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Outside a Clash.
    Free,
    /// It opens a Clash (`start.roll`).
    Opening,
    /// Somebody resists a temptation (`conflict.purpose`).
    Conflict,
    Attack,
    Study,
    Investigate,
    Control,
    PushOff,
    Generic,
    Death,
}

impl Kind {
    /// Whether it is an Action of a Clash.
    pub const fn is_action(self) -> bool {
        matches!(
            self,
            Kind::Attack | Kind::Study | Kind::Investigate | Kind::Control | Kind::PushOff | Kind::Generic
        )
    }
}

fracas_kernel::refer_to_nothing!(Kind);

/// How far a Roll is (`roll.order`).
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Serialize,
    BorshSerialize,
    BorshDeserialize
)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// The Director fixes Defender and Symbols.
    Rule,
    /// It waits on the Stack.
    Waits,
    Dodge,
    AllowDodge,
    /// The roller commits.
    Aid,
    /// The Director grants, counts helpers and offers Malus Dice.
    Grant,
    /// The caster of a Spell Trait in use says how many dice of its pool are spent.
    Spend,
    /// The Defender commits.
    Oppose,
    /// The roller takes offered Malus Dice or not.
    Malus,
    Dice,
    /// A Lucky Token may roll all again.
    Lucky,
    /// The Director may turn a passed Spell Roll into the first Attack of a Clash (`spell.carry-roll`).
    Carry,
    /// What came of it is applied.
    Result,
}

/// Scene Elements committed to a Roll, one of each kind at most (`clash.aid-limit`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Aids {
    pub mark: Option<TraitId>,
    pub item: Option<Item>,
    pub prop: Option<Prop>,
}

impl Aids {
    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Element> {
        let (mark, item, prop) =
            (self.mark.map(Element::Trait), self.item.map(Element::Item), self.prop.map(Element::Prop));
        [mark, item, prop].into_iter().flatten()
    }

    /// Takes an element, in the place of another of its kind.
    pub fn add(&mut self, element: Element) {
        match element {
            Element::Trait(mark) => self.mark = Some(mark),
            Element::Item(item) => self.item = Some(item),
            Element::Prop(prop) => self.prop = Some(prop),
        }
    }
}

/// A Spell or Skill with which a Roll is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Cast {
    pub spell: Spell,
    /// The Level of the slot that is spent (`spell.slot-choice`).
    pub slot: u8,
    /// Its Effect goes on (`persist.trait`).
    pub lasting: bool,
}

/// What changed a Roll before its dice are thrown.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Mods {
    pub bd: u8,
    pub md: u8,
    /// Changes of Damage, in the order in which they resolved (`stack.modifier-order`).
    pub damage: ArrayVec<Effect, 6>,
    pub potential: u8,
}

/// A Roll under way.
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Test {
    pub kind: Kind,
    pub step: Step,
    /// The Attacker of the Roll, and the Defender (`roll.parties`).
    pub attacker: Char,
    pub defender: Char,
    pub with: Symbol,
    pub over: Symbol,
    /// What the action is aimed at: the Defender, or what is the Defender's.
    pub target: Target,
    /// What is tried, or what an Investigation asks, in words.
    pub task: Option<Label>,
    /// The enemy whom a Control Roll takes a Clash Prop from (`control-many-enemies`).
    pub from: Option<Char>,
    pub cast: Option<Cast>,
    /// The Roll that a Dodge replaced (`dodge.swap`): its kind and its Symbols.
    pub dodged: Option<(Kind, Symbol, Symbol)>,
    pub aids: Aids,
    /// A Prop described outside a Clash (`improv.offer`).
    pub idea: Option<Label>,
    pub against: Aids,
    /// Of which pool on the roller dice may be spent next, from 0.
    pub pool: u8,
    /// Spell Traits with Malus Dice that bear on the Roll, outside a Clash (`persist-who-spends`).
    pub bears: Few<TraitId, 4>,
    /// A Dodge was refused, or the Defender stands.
    pub stood: bool,
    /// The Director lets it be, as long as nothing else is used (`stack.pass-choice`, `dodge.declare`).
    pub let_be: bool,
    /// The Director has granted, and opposes next.
    pub granted: bool,
    /// Bonus Dice that the Director gave an Investigation.
    pub bonus: u8,
    pub helpers: CharSet,
    pub hinderers: CharSet,
    /// Bonus and Malus Dice committed so far.
    pub bd: u8,
    pub md: u8,
    /// Malus Dice that the Director offers, then those that the roller took (`improv.malus-offer`).
    pub offered: u8,
    pub took: bool,
    pub mods: Mods,
    /// What this Roll risks by a Subjugation that the Attacker resists (`sub.resist`).
    pub resists: bool,
    /// The Clash that an Opening starts.
    pub stakes: Rank,
    /// What an effect does that this Conflict Roll resists.
    pub resisted: Option<(Char, Symbol, Alteration, Lasts)>,
    pub came: Option<Came>,
    /// Dice were thrown.
    pub rolled: bool,
}

/// An ability that waits on the Stack, or resolves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Use {
    pub ability: Ability,
    pub by: Char,
    pub on: Option<Target>,
}

/// Priority goes round (`stack.window`).
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Window {
    /// Those who have still to pass, in order.
    pub left: Line,
}

/// Abilities that one event triggered, before they are on the Stack (`trigger.order`).
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Triggers {
    /// In turn order.
    pub left: ArrayVec<Use, MAX_TRIGGERED>,
}

/// Damage about to be dealt, as one instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Blow {
    pub by: Option<Char>,
    pub on: Char,
    pub amount: u8,
    /// The Symbols of the Roll that deals it: of the Attacker, of the Defender.
    pub symbols: Option<(Symbol, Symbol)>,
    /// The tokens have been counted in, and the target may still answer.
    pub counted: bool,
    /// The Director let the Action be that deals it: theirs take it where it does not beat them.
    pub let_be: bool,
}

/// Somebody who grows by a milestone (`trait.milestone`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Growth {
    pub who: Char,
    /// The first of two Minor Traits is gained.
    pub halfway: bool,
    /// All Traits are gained.
    pub chosen: bool,
    /// Exchanges left (`trait-swap-count`).
    pub swaps: u8,
}

impl State {
    pub fn body(&self, who: Char) -> &Body {
        &self.bodies[who.index()]
    }

    pub fn body_mut(&mut self, who: Char) -> &mut Body {
        &mut self.bodies[who.index()]
    }

    pub fn mark(&self, id: TraitId) -> &Mark {
        &self.traits[id.index()]
    }

    /// Whether an element is a character's: a Trait or Item of theirs, or a Clash Prop that they Control.
    pub fn owns(&self, who: Char, element: Element) -> bool {
        match element {
            Element::Trait(id) => self.mark(id).owner == Some(who),
            Element::Item(id) => self.items[id.index()].owner == Some(who),
            Element::Prop(id) => {
                let prop = &self.props[id.index()];
                prop.here && prop.controllers.has(who)
            }
        }
    }

    /// The Traits of a character.
    pub fn traits_of(&self, who: Char) -> impl Iterator<Item = TraitId> + '_ {
        let all = self.traits[..MAX_TRAITS + self.gained.len()].iter().enumerate();
        all.filter(move |(_, mark)| mark.owner == Some(who)).map(|(n, _)| TraitId(n as u8))
    }

    /// The Items of a character.
    pub fn items_of(&self, who: Char) -> impl Iterator<Item = Item> + '_ {
        let all = self.items.iter().enumerate();
        all.filter(move |(_, item)| item.owner == Some(who)).map(|(n, _)| Item(n as u8))
    }

    /// The Clash Props that are here.
    pub fn props_here(&self) -> impl Iterator<Item = Prop> + '_ {
        let all = self.props.iter().enumerate();
        all.filter(|(_, prop)| prop.here).map(|(n, _)| Prop(n as u8))
    }

    /// The Clash Props that a character Controls.
    pub fn controlled_by(&self, who: Char) -> impl Iterator<Item = Prop> + '_ {
        self.props_here().filter(move |prop| self.props[prop.index()].controllers.has(who))
    }

    /// Whether a character takes part in the Clash and has not lost it (`beaten-out`).
    pub fn stands(&self, who: Char) -> bool {
        let body = self.body(who);
        self.clash.is_some() && body.fights && !body.lost && !body.dead
    }

    /// Whether a character can do something outside a Clash.
    pub fn is_about(&self, who: Char) -> bool {
        let body = self.body(who);
        body.here && !body.dead
    }

    /// The state of a Symbol: its own, else what an Exaltation makes of it (`alteration.exalted`).
    pub fn alteration(&self, who: Char, symbol: Symbol) -> Option<Alteration> {
        let alterations = &self.body(who).alterations;
        let own = alterations[symbol as usize].map(|altered| altered.to);
        let exalted = || alterations.iter().flatten().any(|altered| altered.to == Alteration::Exalted);
        own.or_else(|| exalted().then_some(Alteration::Obscured))
    }

    /// Whether a Symbol of a character is Eclipsed (`alteration.eclipsed-ban`).
    pub fn is_eclipsed(&self, who: Char, symbol: Symbol) -> bool {
        self.body(who).alterations[symbol as usize].is_some_and(|altered| altered.to == Alteration::Eclipsed)
    }

    /// A Symbol's value after Alterations (`alteration.both-roles`).
    pub fn value(&self, rules: &Rules, who: Char, symbol: Symbol) -> i16 {
        crate::dice::altered(rules.base(who, symbol), self.alteration(who, symbol))
    }

    /// How many Tokens of a kind a character holds.
    pub fn tokens(&self, who: Char, kind: TokenKind) -> usize {
        self.body(who).tokens.iter().filter(|token| token.kind == kind).count()
    }

    /// Whether a character has a keyword: always, for a while, or by a static ability (`clash.flying`).
    pub fn has_keyword(&self, rules: &Rules, who: Char, keyword: Keyword) -> bool {
        let gives = |effect: Effect| effect == Effect::GainKeyword(keyword);
        let gained = |live: &Live| live.on == who && gives(live.effect);
        rules.sheet(who).keywords.contains(&keyword)
            || self.live.iter().any(gained)
            || stack::statics(At { rules, state: self }, who, Viewer::Seat(Seat::Gm)).any(gives)
    }

    /// The Will Points that count in this Clash; outside one the Minor ones (`wp.which-pool`).
    pub fn stakes(&self) -> Rank {
        self.clash.as_ref().map_or(Rank::Minor, |clash| clash.stakes)
    }

    /// The Persistent Spell that a caster Concentrates on (`conc.on`).
    pub fn concentration(&self, caster: Char) -> Option<&Pool> {
        self.pools.iter().find(|pool| pool.caster == caster)
    }

    /// The pool behind a Spell Trait.
    pub fn pool_of(&self, mark: TraitId) -> Option<&Pool> {
        self.pools.iter().find(|pool| pool.mark == mark)
    }

    /// Whether somebody holds a character in a Subjugation.
    pub fn is_held_by(&self, loser: Char, winner: Char) -> bool {
        self.grips.iter().any(|grip| grip.loser == loser && grip.winners.has(winner))
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Option<Char> {
        self.clash.as_ref()?.turn.map(|turn| turn.who)
    }

    /// The Roll that is under way or waits on top of the Stack.
    pub fn test(&self) -> Option<&Test> {
        self.frames.iter().rev().find_map(|frame| match frame {
            Frame::Test(test) => Some(test),
            _ => None,
        })
    }

    /// The Roll that is under way.
    pub fn top_test(&self) -> Option<&Test> {
        match self.frames.last() {
            Some(Frame::Test(test)) => Some(test),
            _ => None,
        }
    }

    /// What waits on the Stack, from the bottom up, and is no Window.
    pub fn waiting(&self) -> impl Iterator<Item = &Frame> {
        self.frames.iter().filter(|frame| match frame {
            Frame::Test(test) => test.step == Step::Waits,
            Frame::Use(_) => true,
            _ => false,
        })
    }

    /// Names a Trait that is gained.
    pub fn call(&mut self, gained: TraitId, name: Label) {
        let n = gained.index() - MAX_TRAITS;
        if let (true, Ok(unnamed)) = (self.gained.len() <= n, "a Trait".parse()) {
            self.gained.extend(std::iter::repeat_n(unnamed, n + 1 - self.gained.len()));
        }
        self.gained[n] = name;
    }

    /// What a Trait is called: by its sheet, or as it was gained.
    pub fn trait_name<'a>(&'a self, rules: &'a Rules, id: TraitId) -> &'a str {
        match id.index().checked_sub(MAX_TRAITS) {
            None => &rules.traits[id.index()].name,
            Some(n) => self.gained.get(n).map_or("a Trait", |label| label.as_str()),
        }
    }

    /// The Focus Value of an element (`focus.value`).
    pub fn focus_value(&self, rules: &Rules, element: Element) -> u8 {
        match element {
            Element::Trait(id) => rules.traits.get(id.index()).map_or(1, |data| data.focus),
            Element::Item(id) => rules.item(id).focus,
            Element::Prop(id) => rules.props.get(id.index()).map_or(1, |data| data.focus),
        }
    }

    /// The Activation Focus Cost of an element (`focus.activation-cost`).
    pub fn activation_cost(&self, rules: &Rules, element: Element) -> u8 {
        match element {
            Element::Trait(id) => rules.traits.get(id.index()).map_or(0, |data| data.cost),
            Element::Item(id) => rules.item(id).cost,
            Element::Prop(_) => 0,
        }
    }

    /// How an element lies; a Clash Prop that the character does not Control is Inactive to them.
    pub fn card(&self, who: Char, element: Element) -> Card {
        match element {
            Element::Trait(id) if self.mark(id).owner == Some(who) => self.mark(id).card,
            Element::Item(id) if self.items[id.index()].owner == Some(who) => self.items[id.index()].card,
            Element::Prop(id) if self.props[id.index()].controllers.has(who) => {
                if self.props[id.index()].exhausted { Card::Exhausted } else { Card::Ready }
            }
            _ => Card::Inactive,
        }
    }

    /// Everything of a character's that is an element: Traits, Items, Controlled Clash Props.
    pub fn elements_of(&self, who: Char) -> impl Iterator<Item = Element> + '_ {
        let traits = self.traits_of(who).map(Element::Trait);
        let items = self.items_of(who).map(Element::Item);
        traits.chain(items).chain(self.controlled_by(who).map(Element::Prop))
    }

    /// Turns an element: Exhausted or ready.
    pub fn turn_card(&mut self, element: Element, card: Card) {
        match element {
            Element::Trait(id) => self.traits[id.index()].card = card,
            Element::Item(id) => self.items[id.index()].card = card,
            Element::Prop(id) => self.props[id.index()].exhausted = card == Card::Exhausted,
        }
    }

    /// The Focus that counts for Activation: of all that is Active, Exhausted or not (`activation-total`).
    pub fn active_focus(&self, rules: &Rules, who: Char) -> u16 {
        let active = self.elements_of(who).filter(|&element| self.card(who, element) != Card::Inactive);
        active.map(|element| u16::from(self.focus_value(rules, element))).sum()
    }

    /// The dice that an element gives (`improv.item-dice`, `improv.trait-dice`, `prop-size`).
    pub fn dice_of(&self, rules: &Rules, element: Element) -> u8 {
        match element {
            Element::Trait(id) => 1 + u8::from(self.mark(id).rank == Rank::Major),
            Element::Item(_) => 1,
            Element::Prop(id) => match id.index().checked_sub(MAX_PROPS) {
                None => rules.props[id.index()].dice,
                Some(n) => self.made_props.get(n).map_or(1, |prop| prop.dice),
            },
        }
    }
}

/// The owner of an element, or the creator of a Clash Prop (`study.se-defender`).
pub fn keeper(rules: &Rules, state: &State, target: Target) -> Option<Char> {
    match target {
        Target::Char(who) => Some(who),
        Target::Element(Element::Trait(id)) => state.mark(id).owner,
        Target::Element(Element::Item(id)) => state.items[id.index()].owner,
        Target::Element(Element::Prop(id)) => match id.index().checked_sub(MAX_PROPS) {
            None => rules.props.get(id.index()).map(|prop| prop.creator),
            Some(n) => state.made_props.get(n).map(|prop| prop.creator),
        },
    }
}
