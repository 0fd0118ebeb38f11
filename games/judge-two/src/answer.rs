//! What is asked and what can be answered.

use crate::state::{Arms, Disguise};
use crate::{
    JudgeTwo, disguise, group, guard, harm, intervene, judging, save, scene, script, test, turn, vocab::*,
};
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Refers, prompts, refers};
use serde::{Deserialize, Serialize};

/// The most characters in one group (`group.size`).
pub const MAX_GROUP: usize = 3;

prompts! {
    /// What is asked.
    pub enum Prompt of JudgeTwo, asking asked;

    "next-turn" NextTurn => turn::next(), "to say who goes next", unfiltered;
    /// Between declarations: a scene ends, a conflict begins, a test is called for.
    "scene" Scene => scene::floor(), "to say what happens in the scene", unfiltered;
    "turn" Turn(who: Char) => turn::own(who), "to say what a character does", unfiltered;
    "deed" Deed { who: Char, deed: Deed } => turn::ruling(who, deed), "to say whether that is a deed";
    /// `who` tests first of these, and attacks one or opposes one.
    "settle" Settle { who: Char, members: CharSet, on: Option<Char>, against: Option<Char> } =>
        test::terms(), "to settle what was declared", unfiltered;
    "aim" Aim(who: Char) => group::goal(who), "to say what the group does";
    /// `lead` proposes it.
    "join" Join { who: Char, lead: Char, members: CharSet, on: Option<Char> } =>
        group::joining(who), "to say who joins";
    "attribute" Attribute(who: Char) => group::naming(who), "to name an attribute";
    "group-deed" GroupDeed(who: Char) => group::deeds(who), "to name a deed";
    /// Who attacks is named where that is known.
    "guard" Guard { on: Char, by: Option<Char> } => guard::choice(asked), "to say who guards", unfiltered;
    "judge" Judge(who: Char) => judging::both(who), "to judge the dice", unfiltered;
    "truth" Truth(members: CharSet) => judging::truth(), "to judge the group's dice", unfiltered;
    "light" Light(who: Char) => judging::light(who), "to judge a member's dice", unfiltered;
    "order" Order(left: CharSet) => group::order(left), "to say who imposes next";
    "harm" Harm { by: Option<Char>, on: Char } => harm::choice(), "to say what the attack does", unfiltered;
    "counter" Counter { by: Char, on: Char } =>
        harm::countering(), "to say whether there is a counterattack", unfiltered;
    "counter-whom" CounterWhom { by: Char, on: CharSet } =>
        harm::whom(), "to say whom the counterattack meets", unfiltered;
    "intervene" Intervene { opening: bool } =>
        intervene::kind(), "to say what the intervention is", unfiltered;
    "npc-turn" NpcTurn(npc: Char) => intervene::given(npc), "to say what a character of theirs does", unfiltered;
    "terms" Terms { who: CharSet, by: Option<Char> } => save::terms(), "to set the terms", unfiltered;
    /// The gamemaster proposes an essence.
    "essence" Essence { who: Char, proposed: Essence } => save::naming(who), "to name an essence", unfiltered;
    "rule" Rule { who: Char, essence: Essence } => save::dispute(), "to rule on it";
    "death" Death(who: Char) => scene::dying(who), "to say whether somebody dies";
    "aftermath" Aftermath => scene::aftermath(), "to say what comes next";
    "fading" Fading(who: Char) => scene::fate(who), "to say what becomes of a fading character";
    "between" Between => scene::between(), "to say what happens between scenes";
    "recover" Recover { who: Char, rest: Rest } =>
        scene::recovery(who, rest), "to say what the rest brings";
    "accept" Accept { who: Char, by: Option<Char>, finisher: Finisher } =>
        harm::accept(), "to say whether it is accepted";
    "draw" Draw(who: Char) => script::drawing(who), "to say which script is drawn";
    "request" Request { who: Char, of: Char } => turn::asking(), "to settle what is asked";
    "disguise" Disguise(who: Char) =>
        disguise::dressing(who), "to say whether somebody is disguised";
}

/// Takes yes or no, whatever is on the table. In front are the types of what the prompt's entry hands over.
macro_rules! yes_or_no {
    (($($given:ty),*), $clause:expr) => {
        fracas_kernel::takes_all!(
            crate::At<'_>, ($($given),*) -> Answer, [Answer::Yes, Answer::No], $clause, "expected yes or no"
        );
    };
}
pub(crate) use yes_or_no;

/// A deed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[derive(Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
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

refers! {
    /// One threat, with what it strips where it is a disarm.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Blow {
        pub threat: Threat,
        /// What a disarm strips: a thing, or `"composure"`.
        pub item: Option<Prize> = default,
        /// A weakening blow knocks the defender off what they ride or stand on
        /// (`weaken.dislodge`).
        pub dislodge: bool = default,
    }
}

refers! {
    /// An answer.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum Answer {
        /// This character takes the next turn.
        Begin(Char),
        Deed(Deed),
        /// A test that is no attack.
        Test {
            /// The attribute proposed.
            attribute: Attribute,
            /// The character it opposes or involves; its power level is then the challenge level.
            against: Option<Char> = default,
            /// An ability used.
            ability: Option<Ability> = default,
            /// Success brings them a band nearer to this one (`move.beyond-near`).
            toward: Option<Char> = default,
            /// Talking somebody round: it takes a language in common (`lang.fluency`).
            social: bool = default,
            /// Reading, writing, forging or recalling a text in this language
            /// (`lang.written`).
            text: Option<Language> = default,
        },
        Attack {
            on: Char,
            attribute: Attribute,
            veiled: bool = default,
            /// On a misdirector, nothing else being possible.
            fallback: bool = default,
            /// In another form than the conflict's.
            form: Option<Form> = default,
            ability: Option<Ability> = default,
            /// The readied weapon or script; absent: the best for the purpose.
            with: Option<Item> = default,
            /// Thrown, or with bare hands.
            manner: Option<Manner> = default,
            /// After a longer move, which makes it long: up to the target, or away
            /// from everybody close (`move.long`).
            #[serde(rename = "move")]
            moves: Option<Moves> = default,
        },
        /// Proposes a group with these.
        Group(CharSet),
        /// Gives the turn up, or declines.
        Pass,
        /// The group tests, or attacks somebody.
        Aim {
            /// Whom it attacks.
            on: Option<Char> = default,
            /// Whom a plain test opposes.
            against: Option<Char> = default,
            veiled: bool = default,
            /// A plain test that is talking: each needs a language in common.
            social: bool = default,
        },
        Yes,
        No,
        /// The deed is a test.
        AsTest,
        /// The deed is a long test (in a conflict).
        AsLongTest,
        /// What the gamemaster settles of a test.
        Settle {
            /// The challenge level, 4 to 8, where no opponent gives it.
            cl: Option<u8> = default,
            /// Another attribute than the one proposed.
            attribute: Option<Attribute> = default,
            /// Circumstances make it bold.
            bold: bool = default,
            /// Circumstances make it faint.
            faint: bool = default,
            /// Circumstances make it quick.
            quick: bool = default,
            /// Circumstances make it long.
            long: bool = default,
            /// The surroundings: -1 easier, +1 harder.
            favor: i8 = default,
            /// It leads through especially difficult terrain, and so is long
            /// (`move.terrain`).
            difficult: bool = default,
        },
        /// It cannot be done so; the player declares something else.
        Refuse,
        Attribute(Attribute),
        /// This character guards.
        Guard(Char),
        /// One die's value as Light, another's as Truth.
        Judge {
            light: u8,
            truth: u8,
        },
        /// The group's Truth.
        Truth(u8),
        /// A member's Light.
        Light(u8),
        /// This member imposes next, or this attacker is countered.
        Next(Char),
        Threat {
            threat: Threat,
            /// What a disarm strips: a thing, or `"composure"`.
            item: Option<Prize> = default,
            /// Knocks a weakened defender off what they ride or stand on.
            dislodge: bool = default,
            /// A lower tier than reached, where the table allows it.
            tier: Option<Tier> = default,
            /// Frees the attacker of a shared bind, or breaks a weakened one out.
            release: bool = default,
        },
        Threats {
            first: Blow,
            second: Blow,
            tier: Option<Tier> = default,
            release: bool = default,
        },
        Mark {
            mark: Mark,
            tier: Option<Tier> = default,
            release: bool = default,
        },
        Finisher {
            finisher: Finisher,
            release: bool = default,
        },
        /// One threat on a brute and on others.
        Spread {
            threat: Threat,
            /// What a disarm strips of the first brute.
            item: Option<Prize> = default,
            /// Knocks the first brute off what it rides or stands on.
            dislodge: bool = default,
            /// The other brutes.
            also: CharSet,
            release: bool = default,
        },
        /// Nothing but the risk, where nothing else can be imposed.
        Nothing {
            release: bool = default,
        },
        /// The intervention calls for no save.
        Tell(Turnabout),
        /// The intervention gives this character a turn.
        Grant(Char),
        /// These must save against a danger of the surroundings.
        Danger(CharSet),
        /// The character with the turn attacks these.
        Assault {
            on: CharSet,
            veiled: bool = default,
            fallback: bool = default,
            form: Option<Form> = default,
            with: Option<Item> = default,
            manner: Option<Manner> = default,
            /// After a longer move, which makes the saves quick (`move.npc`).
            #[serde(rename = "move")]
            moves: Option<Moves> = default,
        },
        /// The terms of saves.
        Terms {
            /// The essence proposed.
            essence: Essence,
            cl: Option<u8> = default,
            /// The form in which a failure harms; none: it is only told.
            form: Option<Form> = default,
            /// The saves are bold.
            bold: bool = default,
            /// The saves are faint.
            faint: bool = default,
            /// The saves are quick.
            quick: bool = default,
            /// Something would make the saves long.
            long: bool = default,
            favor: i8 = default,
            /// The attacker came through especially difficult terrain: the saves are
            /// quick (`move.terrain`).
            difficult: bool = default,
            /// It is a fright: a character who fails is stricken (`ext.fear`).
            fear: bool = default,
        },
        /// An essence, and an ability used.
        Essence {
            essence: Essence,
            ability: Option<Ability> = default,
        },
        /// A test is called for, outside any turn.
        Call {
            /// Who tests.
            who: Char,
            attribute: Attribute,
            /// Talking: it takes a language.
            social: bool = default,
        },
        /// A conflict begins.
        Conflict(Form),
        /// Rules whose ground this is, public or private, and what fits here
        /// (`prestige.gm`).
        Place {
            /// The kind of mortal that is native here.
            people: Option<People> = default,
            /// Private rather than public.
            private: bool = default,
            /// Circumstances that make attributes fit.
            setting: SettingSet = default,
            /// Tools to improvise a disguise with are at hand.
            tools: bool = default,
        },
        /// Gifts, favours or the past change how somebody is disposed
        /// (`disp.bribes`, `disp.drift`).
        Dispose {
            who: Char,
            to: Disposition,
        },
        /// What is asked matters so much, and is fairly paid for or not.
        Weigh {
            /// How much it matters to the character who is asked.
            stake: Stake,
            /// They believe themselves fairly paid.
            paid: bool = default,
        },
        /// Draws this script.
        Draw {
            script: Item,
            /// What is set down for it, two being readied already (`third-script`).
            down: Option<Item> = default,
        },
        /// Puts on a disguise; one that says nothing takes it off.
        Disguise(Disguise),
        /// The conflict ends.
        Peace,
        EndScene,
        /// The scene goes on.
        GoOn,
        /// A fading character rests at once.
        RestNow(Rest),
        /// A fading character is tended.
        Tend,
        Rest(Rest),
        /// The next scene begins.
        NextScene,
        /// The table closes.
        Close,
        /// Marks lifted by a rest.
        Recover(MarkSet),
    }
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
}
