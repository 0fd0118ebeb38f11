//! What happened.

use crate::{
    answer::Deed,
    effect::Text,
    state::{Live, Outcome},
    vocab::*,
};
use fracas_kernel::Label as Name;
use serde::Serialize;

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A round begins.
    Round(u16),
    /// A scene begins.
    Scene(u16),
    /// A conflict scene begins.
    Conflict(Conflict),
    /// A conflict scene ends.
    Peace,
    /// Somebody is given the floor.
    Floor(Char),
    /// The gamemaster has the floor.
    GmCall,
    /// The players have it, but for this one.
    PlayersCall(Option<Char>),
    /// Somebody is done for now.
    Done(Char),
    /// An action was declared.
    Declared {
        /// By whom.
        who: Char,
        /// On what.
        on: Option<Target>,
        /// As an attack.
        attack: bool,
        /// To do what.
        end: Option<End>,
        /// With which ability.
        ability: Option<Ability>,
        /// With which boon used once.
        #[serde(skip_serializing_if = "Option::is_none")]
        using: Option<Boon>,
        /// To be rid of what.
        #[serde(skip_serializing_if = "Option::is_none")]
        shake: Option<Cause>,
        /// In whose words.
        what: Option<Name>,
    },
    /// A test was called for.
    Called {
        /// Of whom.
        who: Char,
        /// On what.
        on: Option<Target>,
    },
    /// Somebody must save.
    Threatened {
        /// Who.
        who: CharSet,
        /// Against whom or what.
        by: Target,
        /// As an attack.
        attack: bool,
        /// What whoever acts would shake off by it.
        #[serde(skip_serializing_if = "Option::is_none")]
        shake: Option<Cause>,
    },
    /// A roll's terms are settled.
    Settled {
        /// Who rolls.
        who: Char,
        /// Test or save.
        kind: Kind,
        /// With what.
        attribute: Attribute,
        /// The target number.
        tn: i8,
        /// Whose power number it is.
        from: Option<Char>,
        /// The players do not know the number yet.
        hidden: bool,
    },
    /// It takes no roll: it just happens.
    Happened {
        /// By whom.
        who: Char,
        /// What it would have been rolled with.
        attribute: Attribute,
        /// In whose words.
        what: Option<Name>,
    },
    /// It takes no roll: nobody has to save.
    Spared {
        /// Who would have.
        who: CharSet,
        /// Against whom or what.
        by: Target,
    },
    /// The gamemaster takes back that these must save.
    TakenBack {
        /// Who would have.
        who: CharSet,
        /// Against whom or what.
        by: Target,
    },
    /// It is played out without dice.
    Conversation {
        /// Who acts.
        who: Char,
        /// On whom.
        on: Char,
    },
    /// It cannot be done so.
    Refused(Char),
    /// A minor action.
    Minor {
        /// By whom.
        who: Char,
        /// Which.
        deed: Deed,
    },
    /// The writhing die is rolled too.
    DieSpent(Char),
    /// An ability was used.
    Ability {
        /// By whom.
        who: Char,
        /// Which.
        ability: Ability,
    },
    /// A boon that serves once was used.
    Used {
        /// By whom.
        who: Char,
        /// Which.
        boon: Boon,
        /// What it is called.
        name: Option<Name>,
    },
    /// Dice fell.
    Rolled {
        /// Whose.
        who: Char,
        /// First Truth.
        truth: u8,
        /// First Light.
        light: u8,
        /// The writhing die, or 0.
        writhe: u8,
    },
    /// Light was rolled again.
    Rerolled {
        /// Whose.
        who: Char,
        /// First Light now.
        light: u8,
    },
    /// Fortune was played.
    Played {
        /// On whose roll.
        who: Char,
        /// Which.
        fate: Fate,
    },
    /// Light was spent.
    Spent {
        /// By whom.
        who: Char,
        /// How much.
        light: u8,
        /// Final Truth, with the writhing die.
        truth: u8,
        /// Final Light.
        left: u8,
    },
    /// The writhing is claimed.
    Claimed {
        /// By whom.
        who: Char,
        /// Why.
        reason: Option<Name>,
    },
    /// The reason did not do.
    Unfounded(Char),
    /// A writhing die was gained.
    DieGained(Char),
    /// A claim came to nothing once the number was known.
    Void(Char),
    /// What a roll came to.
    Result {
        /// Whose.
        who: Char,
        /// Test or save.
        kind: Kind,
        /// What.
        result: Outcome,
        /// Action power.
        ap: i8,
        /// The target number.
        tn: i8,
    },
    /// The second roll.
    PushedOn(Char),
    /// An innocent failure after all.
    Withdrew {
        /// Who.
        who: Char,
        /// What it came to.
        result: Outcome,
    },
    /// A guilt was picked.
    Guilt {
        /// On whose action.
        who: Char,
        /// Which.
        guilt: Guilt,
        /// The ability whose own words there are for it.
        by: Option<Ability>,
    },
    /// A glory was picked.
    Glory {
        /// Whose.
        who: Char,
        /// Which.
        glory: Glory,
        /// The ability whose own words there are for it.
        by: Option<Ability>,
        /// Of Break Risk, when.
        #[serde(skip_serializing_if = "Option::is_none")]
        mode: Option<BreakMode>,
    },
    /// More degrees.
    Degrees {
        /// Whose action.
        who: Char,
        /// What it came to now.
        result: Outcome,
        /// By Break Risk, or for one of the gamemaster's.
        kind: Kind,
        /// Of a test, the action power now.
        #[serde(skip_serializing_if = "Option::is_none")]
        ap: Option<i8>,
    },
    /// Fortune might stand in for a guilt or a glory.
    Offered {
        /// For whom.
        who: Char,
        /// Which.
        fate: Fate,
        /// Why.
        ground: Ground,
    },
    /// Fortune was taken.
    Fortune {
        /// By whom.
        who: Char,
        /// Which.
        fate: Fate,
    },
    /// Fortune was declined, or not granted.
    Unfortunate(Char),
    /// What was picked is not allowed; something else is picked.
    Disallowed(Char),
    /// What came of a guilty save.
    Upper {
        /// Who failed it.
        on: Char,
        /// Who gains.
        by: Option<Char>,
        /// What.
        upper: Upper,
    },
    /// A lasting effect begins.
    Lasting(Live),
    /// A lasting effect ends.
    Over(Live),
    /// A boon was lost.
    Lost {
        /// By whom.
        who: Char,
        /// Which.
        boon: Boon,
        /// It can be regained.
        better: bool,
        /// What it is called.
        name: Option<Name>,
    },
    /// A boon was gained.
    Gained {
        /// By whom.
        who: Char,
        /// Which.
        boon: Boon,
        /// What it is called, if it was improvised.
        name: Option<Name>,
    },
    /// A boon went from one to another.
    Moved {
        /// From whom.
        from: Char,
        /// To whom.
        to: Char,
        /// Which.
        boon: Boon,
        /// What it is called, if it was improvised.
        name: Option<Name>,
    },
    /// There is no room for one more boon made in play.
    NoRoom(Char),
    /// A contested end was done to somebody.
    End {
        /// To whom.
        on: Target,
        /// By whom or what.
        by: Option<Target>,
        /// Which.
        end: End,
    },
    /// Harm.
    Harmed {
        /// Whom.
        who: Char,
        /// On which track.
        track: Track,
        /// How much.
        amount: u8,
        /// The track is used up.
        gone: bool,
    },
    /// Healing.
    Healed {
        /// Whom.
        who: Char,
        /// On which track.
        track: Track,
        /// How much.
        amount: u8,
    },
    /// Out of the conflict.
    Out(Char),
    /// Further actions.
    Extra {
        /// Whose.
        who: Char,
        /// Which.
        label: Label,
        /// How many.
        count: u8,
    },
    /// A text.
    Told {
        /// Of whom.
        who: Char,
        /// Which.
        text: Text,
    },
    /// Somebody is in another part of the scene.
    Placed {
        /// Who.
        who: Char,
        /// Where.
        zone: Zone,
    },
    /// Somebody notices.
    Noticed(Char),
    /// Somebody turns hostile, or no longer is.
    Hostile {
        /// Who.
        who: Char,
        /// Hostile, or not.
        hostile: bool,
    },
    /// With the scene that ended some of these got harm back (`ext.harm`).
    Recovered {
        /// Who.
        who: CharSet,
        /// Who was out and takes part again.
        back: CharSet,
    },
    /// With the scene that ended these lost what they had not used (`writhing.same-scene`,
    /// `fortune.next-scene`).
    Lapsed {
        /// Whose writhing die.
        dice: CharSet,
        /// Whose good fortune.
        good: CharSet,
        /// Whose bad fortune.
        bad: CharSet,
    },
    /// No guilt comes of a guilty result: it has taken its own roller out.
    Guiltless(Char),
    /// The table closes.
    Closed,
    /// Somebody joined.
    Joined(Char),
    /// The gamemaster ruled something of somebody.
    Ruled(Char),
    /// The gamemaster ruled something of the table.
    RuledTable,
}

impl Event {
    /// Who else is named in it.
    pub(crate) fn beside(&self) -> [Option<Char>; 2] {
        match *self {
            Event::Threatened { by, .. } | Event::Spared { by, .. } | Event::TakenBack { by, .. } => {
                [by.char(), None]
            }
            Event::End { by, .. } => [by.and_then(Target::char), None],
            Event::Declared { on, .. } | Event::Called { on, .. } => [on.and_then(Target::char), None],
            Event::Conversation { on, .. } => [Some(on), None],
            Event::Settled { from: other, .. }
            | Event::Upper { by: other, .. }
            | Event::Lasting(Live { by: other, .. })
            | Event::Over(Live { by: other, .. }) => [other, None],
            Event::Moved { from, to, .. } => [Some(from), Some(to)],
            _ => [None, None],
        }
    }

    /// Whose doing or suffering it is; of several the first.
    pub(crate) fn whose(&self) -> Option<Char> {
        match *self {
            Event::Threatened { who, by, .. } | Event::Spared { who, by } | Event::TakenBack { who, by } => {
                who.first().or(by.char())
            }
            Event::Recovered { who, back } => who.first().or(back.first()),
            Event::Lapsed { dice, good, bad } => dice.or(good).or(bad).first(),
            Event::End { on, by, .. } => on.char().or(by.and_then(Target::char)),
            Event::Lasting(live) | Event::Over(live) => Some(live.on),
            Event::PlayersCall(who) => who,
            Event::Moved { from: who, .. }
            | Event::Upper { on: who, .. }
            | Event::Declared { who, .. }
            | Event::Called { who, .. }
            | Event::Settled { who, .. }
            | Event::Happened { who, .. }
            | Event::Conversation { who, .. }
            | Event::Minor { who, .. }
            | Event::Ability { who, .. }
            | Event::Used { who, .. }
            | Event::Rolled { who, .. }
            | Event::Rerolled { who, .. }
            | Event::Played { who, .. }
            | Event::Spent { who, .. }
            | Event::Claimed { who, .. }
            | Event::Result { who, .. }
            | Event::Withdrew { who, .. }
            | Event::Guilt { who, .. }
            | Event::Glory { who, .. }
            | Event::Degrees { who, .. }
            | Event::Offered { who, .. }
            | Event::Fortune { who, .. }
            | Event::Lost { who, .. }
            | Event::Gained { who, .. }
            | Event::Harmed { who, .. }
            | Event::Healed { who, .. }
            | Event::Extra { who, .. }
            | Event::Told { who, .. }
            | Event::Placed { who, .. }
            | Event::Hostile { who, .. }
            | Event::Floor(who)
            | Event::Done(who)
            | Event::Refused(who)
            | Event::DieSpent(who)
            | Event::Unfounded(who)
            | Event::DieGained(who)
            | Event::Void(who)
            | Event::PushedOn(who)
            | Event::Guiltless(who)
            | Event::Unfortunate(who)
            | Event::Disallowed(who)
            | Event::NoRoom(who)
            | Event::Out(who)
            | Event::Noticed(who)
            | Event::Joined(who)
            | Event::Ruled(who) => Some(who),
            Event::Round(_)
            | Event::Scene(_)
            | Event::Conflict(_)
            | Event::Peace
            | Event::GmCall
            | Event::Closed
            | Event::RuledTable => None,
        }
    }
}
