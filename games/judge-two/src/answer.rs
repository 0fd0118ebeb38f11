//! What is asked and what can be answered.

use crate::{rules::Rules, vocab::*};
use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

/// The most characters in one group (`group.size`).
pub const MAX_GROUP: usize = 3;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prompt {
    /// Who takes the next turn? (`turn.order-free`)
    NextTurn,
    /// Between declarations: a scene ends, a conflict begins, a test is called for.
    Scene,
    /// What does this character do?
    Turn(Char),
    /// Is this a deed? (`deed.confirm`)
    Deed {
        /// Whose.
        who: Char,
        /// Which.
        deed: Deed,
    },
    /// Attribute, challenge level and circumstances of a declared test.
    Settle {
        /// Who tests.
        who: Char,
        /// How many test together.
        members: CharSet,
        /// Whom they attack.
        on: Option<Char>,
        /// Whom a plain test opposes.
        against: Option<Char>,
    },
    /// What does the group that this character proposes do?
    Aim(Char),
    /// Does this character join?
    Join {
        /// Who is asked.
        who: Char,
        /// Who proposes it.
        lead: Char,
        /// With whom.
        members: CharSet,
        /// Whom they would attack.
        on: Option<Char>,
    },
    /// Which attribute does this member use? (`group.attribute`)
    Attribute(Char),
    /// Which one deed does this member do, if any? (`group.deeds`)
    GroupDeed(Char),
    /// Does somebody guard this character? (`guard.choice`)
    Guard {
        /// Who is attacked.
        on: Char,
        /// Who attacks, where that is known.
        by: Option<Char>,
    },
    /// Which die is Light and which Truth? (`judge.choice`)
    Judge(Char),
    /// Which die is the group's Truth? (`group.judge`)
    Truth(CharSet),
    /// Which die is this member's Light? (`group.judge`)
    Light(Char),
    /// Who of the group imposes next? (`gattack.order`)
    Order(CharSet),
    /// What does the attack do? (`attack.choose`)
    Harm {
        /// Who imposes it.
        by: Option<Char>,
        /// On whom.
        on: Char,
    },
    /// Does the defender counterattack, and how? (`counter.choice`)
    Counter {
        /// The defender.
        by: Char,
        /// The attacker.
        on: Char,
    },
    /// Whom of a failed group attack does the defender counterattack?
    CounterWhom {
        /// The defender.
        by: Char,
        /// The attackers it can.
        on: CharSet,
    },
    /// What is the intervention? (`intervene.kind`)
    Intervene {
        /// It opens a long test.
        opening: bool,
    },
    /// What does this character do with the turn it was given? (`npc.turn`)
    NpcTurn(Char),
    /// What are the terms of these saves?
    Terms {
        /// Who saves.
        who: CharSet,
        /// Who attacks or threatens; nobody for the environment.
        by: Option<Char>,
    },
    /// Which essence does this character save with? (`save.essence-choice`)
    Essence {
        /// Who saves.
        who: Char,
        /// What the gamemaster proposes.
        proposed: Essence,
    },
    /// May this essence be used? (`attribute-dispute`)
    Rule {
        /// Who saves.
        who: Char,
        /// What the player named.
        essence: Essence,
    },
    /// Does this character die? (`death.confirm`)
    Death(Char),
    /// The conflict is over: what comes next?
    Aftermath,
    /// The scene is over and this character is fading (`death.marks`).
    Fading(Char),
    /// Between scenes: rest, the next scene, or the end.
    Between,
    /// Which marks does the rest lift? (`rest.short-choice`, `rest.long-choice`)
    Recover {
        /// Whose.
        who: Char,
        /// By which rest.
        rest: Rest,
    },
}

/// A deed.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, BorshSerialize, BorshDeserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// Anything that is not about boons: told in words.
    Other,
    /// Readies a boon, or two at once (one for each hand).
    Ready(Item),
    /// Readies two boons at once.
    ReadyBoth(Item, Item),
    /// Puts a readied boon away.
    Stow(Item),
    /// Takes back one's own thing from where it fell.
    Recover(Item),
    /// Takes somebody else's thing from where it fell.
    Take(Item),
}

/// One threat, with what it strips where it is a disarm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blow {
    /// Which threat.
    pub threat: Threat,
    /// What a disarm strips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
}

fn no(flag: &bool) -> bool {
    !flag
}

fn zero(n: &i8) -> bool {
    *n == 0
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Answer {
    /// This character takes the next turn.
    Begin(Char),
    /// A deed.
    Deed(Deed),
    /// A test that is no attack.
    Test {
        /// The attribute proposed.
        attribute: Attribute,
        /// The character it opposes or involves; its power level is then the challenge level.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        against: Option<Char>,
        /// An ability used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ability: Option<Ability>,
    },
    /// An attack.
    Attack {
        /// On whom.
        on: Char,
        /// The attribute proposed.
        attribute: Attribute,
        /// Veiled.
        #[serde(default, skip_serializing_if = "no")]
        veiled: bool,
        /// On a misdirector, nothing else being possible.
        #[serde(default, skip_serializing_if = "no")]
        fallback: bool,
        /// In another form than the conflict's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        form: Option<Form>,
        /// An ability used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ability: Option<Ability>,
    },
    /// Proposes a group with these.
    Group(CharSet),
    /// Gives the turn up, or declines.
    Pass,
    /// The group tests, or attacks somebody.
    Aim {
        /// Whom it attacks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        on: Option<Char>,
        /// Whom a plain test opposes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        against: Option<Char>,
        /// Veiled.
        #[serde(default, skip_serializing_if = "no")]
        veiled: bool,
    },
    /// Yes.
    Yes,
    /// No.
    No,
    /// The deed is a test.
    AsTest,
    /// The deed is a long test (in a conflict).
    AsLongTest,
    /// What the gamemaster settles of a test.
    Settle {
        /// The challenge level, 4 to 8, where no opponent gives it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cl: Option<u8>,
        /// Another attribute than the one proposed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attribute: Option<Attribute>,
        /// Circumstances make it bold.
        #[serde(default, skip_serializing_if = "no")]
        bold: bool,
        /// Circumstances make it faint.
        #[serde(default, skip_serializing_if = "no")]
        faint: bool,
        /// Circumstances make it quick.
        #[serde(default, skip_serializing_if = "no")]
        quick: bool,
        /// Circumstances make it long.
        #[serde(default, skip_serializing_if = "no")]
        long: bool,
        /// The surroundings: -1 easier, +1 harder.
        #[serde(default, skip_serializing_if = "zero")]
        favor: i8,
    },
    /// It cannot be done so; the player declares something else.
    Refuse,
    /// An attribute.
    Attribute(Attribute),
    /// This character guards.
    Guard(Char),
    /// One die's value as Light, another's as Truth.
    Judge {
        /// Light.
        light: u8,
        /// Truth.
        truth: u8,
    },
    /// The group's Truth.
    Truth(u8),
    /// A member's Light.
    Light(u8),
    /// This member imposes next, or this attacker is countered.
    Next(Char),
    /// One threat.
    Threat {
        /// Which.
        threat: Threat,
        /// What a disarm strips.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<Item>,
        /// A lower tier than reached, where the table allows it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tier: Option<Tier>,
        /// Frees the attacker of a shared bind, or breaks a weakened one out.
        #[serde(default, skip_serializing_if = "no")]
        release: bool,
    },
    /// Two threats.
    Threats {
        /// One.
        first: Blow,
        /// The other.
        second: Blow,
        /// A lower tier than reached.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tier: Option<Tier>,
        /// Frees or breaks out.
        #[serde(default, skip_serializing_if = "no")]
        release: bool,
    },
    /// A mark.
    Mark {
        /// Which.
        mark: Mark,
        /// A lower tier than reached.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tier: Option<Tier>,
        /// Frees or breaks out.
        #[serde(default, skip_serializing_if = "no")]
        release: bool,
    },
    /// A finisher.
    Finisher {
        /// Which.
        finisher: Finisher,
        /// Frees the attacker of a shared bind.
        #[serde(default, skip_serializing_if = "no")]
        release: bool,
    },
    /// One threat on a brute and on others.
    Spread {
        /// Which.
        threat: Threat,
        /// What a disarm strips of the first brute.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<Item>,
        /// The other brutes.
        also: CharSet,
        /// Frees or breaks out.
        #[serde(default, skip_serializing_if = "no")]
        release: bool,
    },
    /// Nothing but the risk, where nothing else can be imposed.
    Nothing {
        /// Frees the attacker of a shared bind.
        #[serde(default, skip_serializing_if = "no")]
        release: bool,
    },
    /// The intervention calls for no save.
    Tell(Turnabout),
    /// The intervention gives this character a turn.
    Grant(Char),
    /// These must save against a danger of the surroundings.
    Danger(CharSet),
    /// The character with the turn attacks these.
    Assault {
        /// Whom.
        on: CharSet,
        /// Veiled.
        #[serde(default, skip_serializing_if = "no")]
        veiled: bool,
        /// On a misdirector, nothing else being possible.
        #[serde(default, skip_serializing_if = "no")]
        fallback: bool,
        /// In another form than the conflict's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        form: Option<Form>,
    },
    /// The terms of saves.
    Terms {
        /// The essence proposed.
        essence: Essence,
        /// The challenge level, 4 to 8, where no opponent gives it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cl: Option<u8>,
        /// The form in which a failure harms; none: it is only told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        form: Option<Form>,
        /// The saves are bold.
        #[serde(default, skip_serializing_if = "no")]
        bold: bool,
        /// The saves are faint.
        #[serde(default, skip_serializing_if = "no")]
        faint: bool,
        /// The saves are quick.
        #[serde(default, skip_serializing_if = "no")]
        quick: bool,
        /// Something would make the saves long.
        #[serde(default, skip_serializing_if = "no")]
        long: bool,
        /// The surroundings: -1 easier, +1 harder.
        #[serde(default, skip_serializing_if = "zero")]
        favor: i8,
    },
    /// An essence, and an ability used.
    Essence {
        /// Which.
        essence: Essence,
        /// An ability used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ability: Option<Ability>,
    },
    /// A test is called for, outside any turn.
    Call {
        /// Who tests.
        who: Char,
        /// With what.
        attribute: Attribute,
    },
    /// A conflict begins.
    Conflict(Form),
    /// The conflict ends.
    Peace,
    /// The scene ends.
    EndScene,
    /// The scene goes on.
    GoOn,
    /// A fading character rests at once.
    RestNow(Rest),
    /// A fading character is tended.
    Tend,
    /// Everybody rests.
    Rest(Rest),
    /// The next scene begins.
    NextScene,
    /// The table closes.
    Close,
    /// Marks lifted by a rest.
    Recover(MarkSet),
}

impl Answer {
    /// Whether everybody and everything it names is at this table.
    pub(crate) fn fits(&self, rules: &Rules) -> bool {
        let who = |who: Char| who.index() < rules.cast.len();
        let all = |set: CharSet| set.iter().all(who);
        let item = |item: Item| item.index() < rules.gear.len();
        let maybe = |item_: Option<Item>| item_.is_none_or(item);
        let power = |ability: Option<Ability>| ability.is_none_or(|a| a.index() < rules.abilities.len());
        match *self {
            Answer::Begin(c) | Answer::Guard(c) | Answer::Next(c) | Answer::Grant(c) => who(c),
            Answer::Call { who: c, .. } => who(c),
            Answer::Deed(deed) => match deed {
                Deed::Other => true,
                Deed::Ready(a) | Deed::Stow(a) | Deed::Recover(a) | Deed::Take(a) => item(a),
                Deed::ReadyBoth(a, b) => item(a) && item(b),
            },
            Answer::Test { against, ability, .. } => against.is_none_or(who) && power(ability),
            Answer::Attack { on, ability, .. } => who(on) && power(ability),
            Answer::Group(set) | Answer::Danger(set) => all(set),
            Answer::Aim { on, against, .. } => on.is_none_or(who) && against.is_none_or(who),
            Answer::Threat { item, .. } => maybe(item),
            Answer::Threats { first, second, .. } => maybe(first.item) && maybe(second.item),
            Answer::Spread { item, also, .. } => maybe(item) && all(also),
            Answer::Assault { on, .. } => all(on),
            Answer::Essence { ability, .. } => power(ability),
            _ => true,
        }
    }
}
