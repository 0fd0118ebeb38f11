//! What is asked and what can be answered.

use crate::{TruthAndLight, act, glory, guilt, outcome, roll, scene, settle, upper, vocab::*};
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Label as Name, Refers, prompts, refers};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

prompts! {
    /// What is asked.
    pub enum Prompt of TruthAndLight, asking asked;

    /// What happens in the scene? (`kind.gm-calls`)
    "scene" Scene => scene(), "to say what happens in the scene";
    /// What does one of your characters do? (`action.major`)
    "act" Act => act(asked), "to act", unfiltered;
    /// What is this action, and against which number? (`tn.gm-sets`)
    "settle" Settle { who: Char, on: Option<Target> } => settle(), "to settle the action", unfiltered;
    /// On what terms do these save, against whom or what? (`save.def`)
    "terms" Terms { who: CharSet, by: Target } => settle::terms(who, by), "to set the terms", unfiltered;
    /// What goes into the roll? (`writhing.spend`, `ability.use`)
    "ready" Ready(who: Char) => roll::ready(who), "to say what goes into the roll";
    /// Is bad fortune played? (`fortune.bad-use`)
    "misfortune" Misfortune(who: Char) => roll::misfortune(who), "to say whether bad fortune is played";
    /// How much Light is spent? (`spend.choice`)
    "spend" Spend(who: Char) => roll::spend(who), "to say how much Light is spent", unfiltered;
    /// Is the reason sufficient? (`writhing.gm-approves`)
    "reason" Reason(who: Char) => roll::reason(who), "to weigh a reason";
    /// Withdraw or push on? (`push.offer`)
    "push" Push(who: Char) => outcome::push(who), "to withdraw or push on";
    /// Which guilt? (`guilt.gm-picks`)
    "guilt" Guilt(who: Char) => guilt(who), "to choose the guilt", unfiltered;
    /// Bad fortune in place of a guilt? (`fortune.who-takes`)
    "take" Take(who: Char) => guilt::instead(who), "to say what is taken";
    /// Which boons are lost? (`guilt.lose-which`)
    "lose" Lose(who: Char) => guilt::losses(who), "to say what is lost", unfiltered;
    /// Which glory? (`glory.player-picks`)
    "glory" Glory(who: Char) => glory(who), "to choose the glory";
    /// Is what was picked allowed? (`glory.control-which`, `fortune.condition`)
    "allow" Allow(who: Char) => glory::allow(who), "to say whether that is allowed";
    /// What does the character gain from a guilty save against them? (`ext.npc-glory`)
    "upper" Upper { on: Char, by: Option<Char> } => upper(on, by), "to say what else comes of it";
}

refers! {
    /// Something small that takes no roll (`action.minor`).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[derive(Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum Deed {
        /// Anything else, in a few words.
        Other(Name),
        /// Regains a lost boon of better quality (`recover-count`).
        Recover(Boon),
        /// Takes a boon into use.
        Ready(Boon),
        /// Puts a boon out of use.
        Stow(Boon),
        /// Gives a boon to somebody nearby.
        Give {
            boon: Boon,
            to: Char,
        },
        /// Shakes off what a minor action removes.
        Shake(Cause),
        /// Goes to another part of the scene.
        Go(Zone),
    }
}

/// The boons that a loss names: two at most.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Lost(pub [Option<Boon>; 2]);

impl Lost {
    /// These, in order.
    pub fn iter(&self) -> impl Iterator<Item = Boon> + use<> {
        self.0.into_iter().flatten()
    }
}

impl Refers for Lost {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        self.0.each_reference(each);
    }
}

impl Serialize for Lost {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Lost {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let all = <Vec<Boon> as Deserialize>::deserialize(d)?;
        match *all.as_slice() {
            [] => Ok(Lost([None, None])),
            [one] => Ok(Lost([Some(one), None])),
            [one, other] if one != other => Ok(Lost([Some(one), Some(other)])),
            _ => Err(D::Error::custom("two different boons at most are lost")),
        }
    }
}

refers! {
    /// A guilt with its details.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum GuiltPick {
        FaultAbility(Char),
        /// These boons are lost; none are named where the player names them.
        LoseBoons(Lost),
        /// The character is exposed.
        RaiseRisk,
        /// Something is done to the character.
        SufferSurprise {
            by: Target,
            end: End,
        },
    }
}

impl GuiltPick {
    /// Which of the four.
    pub const fn guilt(self) -> Guilt {
        match self {
            GuiltPick::FaultAbility(_) => Guilt::Fault,
            GuiltPick::LoseBoons(_) => Guilt::Lose,
            GuiltPick::RaiseRisk => Guilt::Raise,
            GuiltPick::SufferSurprise { .. } => Guilt::Surprise,
        }
    }
}

refers! {
    /// A glory with its details.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum GloryPick {
        GrantAbility(Char),
        ControlBoons(Control),
        /// Through the next action, or now.
        BreakRisk(BreakMode),
        /// Something is done to somebody.
        SpringSurprise {
            on: Target,
            end: End,
        },
    }
}

impl GloryPick {
    /// Which of the four.
    pub const fn glory(self) -> Glory {
        match self {
            GloryPick::GrantAbility(_) => Glory::Grant,
            GloryPick::ControlBoons(_) => Glory::Control,
            GloryPick::BreakRisk(_) => Glory::Break,
            GloryPick::SpringSurprise { .. } => Glory::Spring,
        }
    }

    /// Of Break Risk, when.
    pub const fn mode(self) -> Option<BreakMode> {
        match self {
            GloryPick::BreakRisk(mode) => Some(mode),
            _ => None,
        }
    }
}

refers! {
    /// One of the three ways of Control Boons (`glory.control`).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum Control {
        /// A new one.
        Improvise {
            name: Name,
            /// Whether it counts for tests or for saves.
            rolls: Kind,
            #[serde(default)]
            tags: TagSet,
            once: bool = default,
        },
        /// This one, from its holder.
        Steal(Boon),
        /// This one, and nobody has it.
        Discard(Boon),
    }
}

refers! {
    /// What comes of a guilty save, with its details.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum UpperPick {
        /// Two more through its next action.
        Press,
        Seize(Boon),
        Surprise(End),
        /// This other one's next action has two more.
        Rally(Char),
        /// Four more degrees.
        Overwhelm,
    }
}

impl UpperPick {
    /// Which of the five.
    pub const fn upper(self) -> Upper {
        match self {
            UpperPick::Press => Upper::Press,
            UpperPick::Seize(_) => Upper::Seize,
            UpperPick::Surprise(_) => Upper::Surprise,
            UpperPick::Rally(_) => Upper::Rally,
            UpperPick::Overwhelm => Upper::Overwhelm,
        }
    }
}

refers! {
    /// What a player declares: a major action or an attack.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub struct Deal {
        pub who: Char,
        pub on: Option<Target> = default,
        /// The end that the action is to bring about for them.
        pub end: Option<End> = default,
        pub ability: Option<Ability> = default,
        pub using: Option<Boon> = default,
        /// What they would shake off by it.
        pub shake: Option<Cause> = default,
        pub attribute: Option<Attribute> = default,
        /// The action in a few words.
        pub what: Option<Name> = default,
    }
}

impl Deal {
    /// Nothing said but who.
    pub fn by(who: Char) -> Deal {
        Deal { who, ..Deal::default() }
    }
}

const fn major() -> Label {
    Label::Major
}

fn is_major(label: &Label) -> bool {
    *label == Label::Major
}

refers! {
    /// An answer.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum Answer {
        /// This character has the floor.
        Floor(Char),
        /// A test is called for.
        Test {
            who: Char,
            on: Option<Target> = default,
        },
        /// These must save.
        Save {
            on: CharSet,
            by: Target,
            /// What the actor would shake off: the character who laid it on them saves.
            shake: Option<Cause> = default,
        },
        /// One of the gamemaster's characters attacks (`action.attack-npc`).
        Assault {
            by: Char,
            on: Char,
        },
        Conflict(Conflict),
        Peace,
        NextRound,
        NextScene,
        Close,
        /// Somebody is in this zone now.
        Place {
            who: Char,
            zone: Zone,
        },
        /// Somebody notices what is going on.
        Notice(Char),
        /// Somebody turns hostile, or no longer is.
        Hostile {
            who: Char,
            hostile: bool,
        },
        Major(Deal),
        /// An attack in a conflict scene.
        Attack(Deal),
        /// A minor action.
        Minor {
            who: Char,
            deed: Deed,
        },
        /// This character is done, or leaves the floor.
        Done(Char),
        /// What the gamemaster settles of a test.
        Settle {
            /// Major, or minor after all: then it just happens.
            #[serde(default = "major", skip_serializing_if = "is_major")]
            label: Label,
            /// Simple or contested; absent, by the target.
            reach: Option<Reach> = default,
            /// The attribute; absent, the one proposed.
            attribute: Option<Attribute> = default,
            /// The target number, 6 to 16, where no power number gives it.
            tn: Option<i8> = default,
            /// Kinds of action; absent, the kinds that follow from the declaration.
            tags: Option<TagSet> = default,
        },
        /// One player's character against another's is played out without dice.
        Conversation,
        /// It cannot be done so.
        Refuse,
        /// The terms of saves.
        Terms {
            /// The attribute; absent, that of the end or the hazard.
            attribute: Option<Attribute> = default,
            /// The target number, 6 to 16, where no power number gives it.
            tn: Option<i8> = default,
            /// Kinds of action; absent, the kinds that follow from the end.
            tags: Option<TagSet> = default,
            /// What a failure does; absent, what the hazard does, else it is only told.
            end: Option<End> = default,
        },
        /// What goes into the roll.
        Ready {
            die: bool = default,
            ability: Option<Ability> = default,
            using: Option<Boon> = default,
        },
        BadFortune,
        GoodFortune,
        /// A feat lets Light be rolled again.
        Reroll,
        /// Not now.
        Pass,
        Spend(i8),
        /// So much is spent, and the writhing is claimed for the failure.
        Claim {
            spend: i8,
            /// How the writhing got in the way.
            reason: Option<Name> = default,
        },
        /// The second roll.
        PushOn,
        Withdraw,
        Guilt(GuiltPick),
        Glory(GloryPick),
        /// Fortune in place of a guilt or a glory.
        Fortune(Ground),
        Lose(Lost),
        /// What comes of a guilty save.
        Upper(UpperPick),
        Yes,
        No,
    }
}

impl Answer {
    /// What is settled by a word: everything as it was declared.
    pub const AGREED: Answer =
        Answer::Settle { label: Label::Major, reach: None, attribute: None, tn: None, tags: None };

    /// What is settled as minor: it takes no roll.
    pub const EASY: Answer =
        Answer::Settle { label: Label::Minor, reach: None, attribute: None, tn: None, tags: None };

    /// Nothing goes into a roll but what there is.
    pub const PLAIN: Answer = Answer::Ready { die: false, ability: None, using: None };
}
