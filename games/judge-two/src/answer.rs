//! What is asked and what can be answered.

use crate::{
    rules::Rules,
    state::{Arms, Disguise},
    vocab::*,
};
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::Refers;
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
    /// Does this finisher take? Of a provocation: could they win? Of a
    /// proposition: can they believe it? (`subtle.finisher-provoke`,
    /// `subtle.finisher-assent`)
    Accept {
        /// Who suffers it.
        who: Char,
        /// Whose it is.
        by: Option<Char>,
        /// Which.
        finisher: Finisher,
    },
    /// Which script does this character draw, if any? (`script.draw`)
    Draw(Char),
    /// What is asked of one of the gamemaster's characters, and for what? (`disp.levels`)
    Request {
        /// Who asks.
        who: Char,
        /// Whom.
        of: Char,
    },
    /// Does this character put on or change a disguise? (`disguise.time`)
    Disguise(Char),
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
    /// Puts one away and readies another in its place (`ready.switch`).
    Switch(Item, Item),
    /// Discards a readied script: it leaves play (`script.discard`).
    Discard(Item),
    /// Regains composure (`composure.regain`).
    Compose,
    /// Mounts (`mounted-state`).
    Mount(Item),
    /// Gets off a mount.
    Dismount,
    /// Drops a disguise.
    Unmask,
    /// Asks somebody for something, without a conflict (`disp.levels`).
    Request(Char),
}

impl Refers for Deed {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        match *self {
            Deed::Other | Deed::Compose | Deed::Dismount | Deed::Unmask => {}
            Deed::Ready(item) | Deed::Stow(item) | Deed::Recover(item) => item.each_reference(each),
            Deed::Take(item) | Deed::Discard(item) | Deed::Mount(item) => item.each_reference(each),
            Deed::ReadyBoth(one, other) | Deed::Switch(one, other) => {
                [one, other].each_reference(each);
            }
            Deed::Request(of) => of.each_reference(each),
        }
    }
}

/// One threat, with what it strips where it is a disarm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blow {
    /// Which threat.
    pub threat: Threat,
    /// What a disarm strips: a thing, or `"composure"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Prize>,
    /// A weakening blow knocks the defender off what they ride or stand on
    /// (`weaken.dislodge`).
    #[serde(default, skip_serializing_if = "no")]
    pub dislodge: bool,
}

fn no(flag: &bool) -> bool {
    !flag
}

fn nothing(setting: &SettingSet) -> bool {
    setting.is_empty()
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
        /// Success brings them a band nearer to this one (`move.beyond-near`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        toward: Option<Char>,
        /// Talking somebody round: it takes a language in common (`lang.fluency`).
        #[serde(default, skip_serializing_if = "no")]
        social: bool,
        /// Reading, writing, forging or recalling a text in this language
        /// (`lang.written`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<Language>,
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
        /// With which readied weapon or script; absent: the one that serves best.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<Item>,
        /// Thrown, or with bare hands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        manner: Option<Manner>,
        /// After a longer move, which makes it long: up to the target, or away
        /// from everybody close (`move.long`).
        #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
        moves: Option<Moves>,
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
        /// A plain test that is talking: each needs a language in common.
        #[serde(default, skip_serializing_if = "no")]
        social: bool,
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
        /// It leads through especially difficult terrain, and so is long
        /// (`move.terrain`).
        #[serde(default, skip_serializing_if = "no")]
        difficult: bool,
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
        /// What a disarm strips: a thing, or `"composure"`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<Prize>,
        /// Knocks a weakened defender off what they ride or stand on.
        #[serde(default, skip_serializing_if = "no")]
        dislodge: bool,
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
        item: Option<Prize>,
        /// Knocks the first brute off what it rides or stands on.
        #[serde(default, skip_serializing_if = "no")]
        dislodge: bool,
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
        /// With which readied weapon or script; absent: the one that serves best.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<Item>,
        /// Thrown, or with bare hands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        manner: Option<Manner>,
        /// After a longer move, which makes the saves quick (`move.npc`).
        #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
        moves: Option<Moves>,
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
        /// The attacker came through especially difficult terrain: the saves are
        /// quick (`move.terrain`).
        #[serde(default, skip_serializing_if = "no")]
        difficult: bool,
        /// It is a fright: whoever fails is stricken (`ext.fear`).
        #[serde(default, skip_serializing_if = "no")]
        fear: bool,
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
        /// Talking: it takes a language.
        #[serde(default, skip_serializing_if = "no")]
        social: bool,
    },
    /// A conflict begins.
    Conflict(Form),
    /// Rules whose ground this is, public or private, and what fits here
    /// (`prestige.gm`).
    Place {
        /// The kind of mortal that is native here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        people: Option<People>,
        /// Private rather than public.
        #[serde(default, skip_serializing_if = "no")]
        private: bool,
        /// Circumstances that make attributes fit.
        #[serde(default, skip_serializing_if = "nothing")]
        setting: SettingSet,
        /// Tools to improvise a disguise with are at hand.
        #[serde(default, skip_serializing_if = "no")]
        tools: bool,
    },
    /// Gifts, favours or the past change how somebody is disposed
    /// (`disp.bribes`, `disp.drift`).
    Dispose {
        /// Who.
        who: Char,
        /// To what.
        to: Disposition,
    },
    /// What is asked matters so much, and is fairly paid for or not.
    Weigh {
        /// How much it matters to whoever is asked.
        stake: Stake,
        /// They believe themselves fairly paid.
        #[serde(default, skip_serializing_if = "no")]
        paid: bool,
    },
    /// Draws this script.
    Draw {
        /// Which.
        script: Item,
        /// What is set down for it, two being readied already (`third-script`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        down: Option<Item>,
    },
    /// Puts on a disguise; one that says nothing takes it off.
    Disguise(Disguise),
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
    /// A plain attack: openly, with what is readied.
    pub(crate) const fn attack(on: Char, attribute: Attribute, fallback: bool, arms: Arms) -> Answer {
        let Arms { with, manner, moves } = arms;
        let (veiled, form, ability) = (false, None, None);
        Answer::Attack { on, attribute, veiled, fallback, form, ability, with, manner, moves }
    }

    /// A plain test.
    pub(crate) const fn test(attribute: Attribute) -> Answer {
        Answer::Test { attribute, against: None, ability: None, toward: None, social: false, text: None }
    }

    /// Whether everybody and everything it names is at this table.
    pub(crate) fn fits(&self, rules: &Rules) -> bool {
        let who = |who: Char| who.index() < rules.cast.len();
        let all = |set: CharSet| set.iter().all(who);
        let item = |item: Item| item.index() < rules.gear.len();
        let maybe = |item_: Option<Item>| item_.is_none_or(item);
        let prize = |prize: Option<Prize>| maybe(prize.and_then(Prize::thing));
        let power = |ability: Option<Ability>| ability.is_none_or(|a| a.index() < rules.abilities.len());
        match *self {
            Answer::Begin(c) | Answer::Guard(c) | Answer::Next(c) | Answer::Grant(c) => who(c),
            Answer::Call { who: c, .. } => who(c),
            Answer::Deed(deed) => match deed {
                Deed::Other | Deed::Compose | Deed::Dismount | Deed::Unmask => true,
                Deed::Ready(a) | Deed::Stow(a) | Deed::Recover(a) | Deed::Take(a) => item(a),
                Deed::Discard(a) | Deed::Mount(a) => item(a),
                Deed::ReadyBoth(a, b) | Deed::Switch(a, b) => item(a) && item(b),
                Deed::Request(of) => who(of),
            },
            Answer::Test { against, ability, toward, .. } => {
                against.is_none_or(who) && power(ability) && toward.is_none_or(who)
            }
            Answer::Attack { on, ability, with, .. } => who(on) && power(ability) && maybe(with),
            Answer::Group(set) | Answer::Danger(set) => all(set),
            Answer::Aim { on, against, .. } => on.is_none_or(who) && against.is_none_or(who),
            Answer::Threat { item, .. } => prize(item),
            Answer::Threats { first, second, .. } => prize(first.item) && prize(second.item),
            Answer::Spread { item, also, .. } => prize(item) && all(also),
            Answer::Assault { on, with, .. } => all(on) && maybe(with),
            Answer::Draw { script, down } => item(script) && maybe(down),
            Answer::Dispose { who: c, .. } => who(c),
            Answer::Essence { ability, .. } => power(ability),
            _ => true,
        }
    }
}
