//! What happened.

use crate::{
    answer::{AtStake, Sides, Turn},
    dice::{Faces, Fallout, Hand, Pool},
    state::{Changes, Menu, To, Why},
    vocab::*,
};
use fracas_kernel::{Label, words};
use serde::Serialize;

words!(
    /// What an answer came to, by the number of its dice.
    How {
        /// One die: turned against the challenger.
        Reverse = "reverse",
        /// Two: blocked or dodged.
        Block = "block",
        /// Three or more: it hits home.
        Take = "take",
    }
);

words!(
    /// The bands of the fallout roll.
    Band {
        /// 2 to 7.
        Short = "short-term",
        /// 8 to 11.
        Long = "long-term",
        /// 12 to 15.
        Injury = "injury",
        /// 16 to 19.
        FirstAid = "first-aid",
        /// 20.
        Dead = "dead",
    }
);

impl Event {
    /// Whose doing or suffering it is: told only to those who see one of them.
    pub(crate) fn cast(&self) -> CharSet {
        match *self {
            Event::AidOpened { victim, provider, .. } => CharSet::one(victim).with(provider),
            Event::Challenged { by, on, .. } | Event::Struck { by, on, .. } => on.with(by),
            Event::Answered { who, by, .. } => CharSet::one(who).with(by),
            Event::Helped { who, to, .. } | Event::GaveDice { who, to, .. } => CharSet::one(who).with(to),
            Event::Newcomer { who, dead } => CharSet::one(who).with(dead),
            Event::Ended { winners } => winners,
            Event::Rolled { who, .. }
            | Event::KeptDice { who, .. }
            | Event::KeptGone(who)
            | Event::Turn(who)
            | Event::Brought { who, .. }
            | Event::NotConcrete { who, .. }
            | Event::Escalated { who, .. }
            | Event::Matched { who, .. }
            | Event::Joined { who, .. }
            | Event::NotAdmitted(who)
            | Event::HarmNamed { by: who, .. }
            | Event::Banked { who, .. }
            | Event::StandingGone { who, .. }
            | Event::Gave { who, .. }
            | Event::Out { who, .. }
            | Event::FalloutRolled { who, .. }
            | Event::Nothing { who, .. }
            | Event::Suffered { who, .. }
            | Event::Cleared { who, .. }
            | Event::Gained { who, .. }
            | Event::Changed { who, .. }
            | Event::Lost { who, .. }
            | Event::StruckOff { who, .. }
            | Event::Gone { who, .. }
            | Event::Unassigned { who, .. }
            | Event::StatDie { who, .. }
            | Event::MemberLost(who)
            | Event::NeedsAid(who)
            | Event::AidMet(who)
            | Event::Cared(who)
            | Event::Died(who)
            | Event::NotPlaced(who)
            | Event::NoNewcomer(who)
            | Event::Reflects(who)
            | Event::Bond { who, .. }
            | Event::Assigned { who, .. }
            | Event::Victim { who, .. }
            | Event::Met(To::Char(who))
            | Event::Entered(who)
            | Event::Ruled(who) => CharSet::one(who),
            _ => CharSet::NONE,
        }
    }

    /// Whether it is about the conflict of a scene as a whole: told only to those who
    /// see that scene.
    pub(crate) const fn is_of_the_scene(&self) -> bool {
        matches!(
            self,
            Event::Opened { .. }
                | Event::Thing(_)
                | Event::Staked { .. }
                | Event::Round(_)
                | Event::CalledOff
                | Event::Ended { .. }
                | Event::Resolved { .. }
                | Event::Unresolved
                | Event::Moved
        )
    }
}

/// What happened, in the game's own types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Event {
    /// A conflict was opened.
    Opened {
        /// Who against whom.
        sides: Sides,
        /// The opening arena.
        arena: Arena,
        /// It follows up another.
        followup: bool,
    },
    /// A first aid conflict was opened.
    AidOpened {
        /// Who needs it.
        victim: Char,
        /// Who gives it.
        provider: Char,
        /// Of which kind.
        kind: Aid,
    },
    /// The stakes in words.
    Thing(Label),
    /// Something was put at stake.
    Staked {
        /// What.
        what: AtStake,
        /// By musing on an outcome.
        implied: bool,
    },
    /// The conflict was dropped: nobody has won.
    CalledOff,
    /// Dice were rolled into a hand.
    Rolled {
        /// Whose.
        who: Char,
        /// As they show.
        dice: Hand,
        /// Why.
        why: Why,
    },
    /// Kept or given dice came in as they showed.
    KeptDice {
        /// Whose.
        who: Char,
        /// As they show.
        dice: Hand,
    },
    /// Kept or given dice are gone unused.
    KeptGone(Char),
    /// A round began.
    Round(u16),
    /// Somebody's turn to challenge.
    Turn(Char),
    /// Something was brought in.
    Brought {
        /// Who.
        who: Char,
        /// What.
        item: Item,
    },
    /// The table did not accept it.
    NotConcrete {
        /// Who.
        who: Char,
        /// What.
        item: Item,
    },
    /// Somebody escalated.
    Escalated {
        /// Who.
        who: Char,
        /// To where.
        arena: Arena,
        /// In place of an answer.
        instead: bool,
    },
    /// Somebody went along.
    Matched {
        /// Who.
        who: Char,
        /// To where.
        arena: Arena,
        /// At once, and so is bound to answer in kind.
        at_once: bool,
    },
    /// Somebody joined.
    Joined {
        /// Who.
        who: Char,
        /// On which side.
        side: u8,
    },
    /// Somebody could not be there.
    NotAdmitted(Char),
    /// Play cut to another scene.
    Cut {
        /// Which.
        to: u8,
        /// Players saw another before, and see this one.
        open: bool,
    },
    /// A challenge.
    Challenged {
        /// Whose.
        by: Char,
        /// Who must answer.
        on: CharSet,
        /// Its dice.
        dice: [u8; 2],
        /// What it threatens.
        harm: Harm,
    },
    /// Another member of a group challenges.
    Struck {
        /// The group.
        by: Char,
        /// Who must answer.
        on: CharSet,
        /// What it threatens.
        harm: Harm,
    },
    /// The gamemaster named the kind of harm.
    HarmNamed {
        /// Of whose challenge.
        by: Char,
        /// Which.
        harm: Harm,
    },
    /// An answer.
    Answered {
        /// Whose.
        who: Char,
        /// To whom.
        by: Char,
        /// With which faces.
        dice: Faces,
        /// What it came to.
        how: How,
    },
    /// Fallout dice were banked.
    Banked {
        /// Whose.
        who: Char,
        /// Which.
        dice: Pool,
    },
    /// An ally handed a die over.
    Helped {
        /// Who did.
        who: Char,
        /// To whom.
        to: Char,
        /// What it shows.
        die: u8,
    },
    /// A group's standing answers were cleared away.
    StandingGone {
        /// Which group.
        who: Char,
        /// Dice that came back.
        back: Hand,
    },
    /// Somebody gave.
    Gave {
        /// Who.
        who: Char,
        /// The dice they keep.
        kept: Hand,
    },
    /// Somebody lost who could not or would not go on.
    Out {
        /// Who.
        who: Char,
        /// On their own turn to challenge; otherwise they owed an answer.
        challenging: bool,
    },
    /// The conflict is over.
    Ended {
        /// Who won.
        winners: CharSet,
    },
    /// The stakes were resolved.
    Resolved {
        /// Who loses their life.
        dies: CharSet,
        /// What became true.
        comes: Changes,
        /// What became false.
        ends: Changes,
    },
    /// None of the winners has lived to resolve the stakes.
    Unresolved,
    /// A fallout roll.
    FalloutRolled {
        /// Whose.
        who: Char,
        /// What of it counts.
        roll: Fallout,
        /// The number looked up.
        sum: u8,
        /// What it is.
        band: Band,
    },
    /// Nothing that a fallout roll or reflection brought could be done.
    Nothing {
        /// For whom.
        who: Char,
        /// On which menu; none, of first aid.
        #[serde(skip_serializing_if = "Option::is_none")]
        menu: Option<Menu>,
    },
    /// Circumstances became true.
    Suffered {
        /// Whose.
        who: Char,
        /// Which.
        circumstances: Circumstances,
    },
    /// Circumstances became false.
    Cleared {
        /// Whose.
        who: Char,
        /// Which.
        circumstances: Circumstances,
    },
    /// Something is new on a sheet.
    Gained {
        /// Whose.
        who: Char,
        /// What.
        item: Item,
    },
    /// Its dice changed.
    Changed {
        /// Whose.
        who: Char,
        /// What.
        item: Item,
    },
    /// It was lost as fallout.
    Lost {
        /// Whose.
        who: Char,
        /// What.
        item: Item,
    },
    /// It was struck off by the gamemaster's word.
    StruckOff {
        /// Whose.
        who: Char,
        /// What.
        item: Item,
    },
    /// It was gone with a victim's release.
    Gone {
        /// Whose.
        who: Char,
        /// What.
        item: Item,
    },
    /// Unassigned relationship dice came in.
    Unassigned {
        /// Whose.
        who: Char,
        /// Which.
        dice: Pool,
    },
    /// A stat changed.
    StatDie {
        /// Whose.
        who: Char,
        /// Which.
        stat: Stat,
        /// One die more, or one less.
        more: bool,
    },
    /// Dice of the roll went to an opponent.
    GaveDice {
        /// Who did.
        who: Char,
        /// To whom.
        to: Char,
        /// Which.
        dice: Hand,
    },
    /// A group lost a member.
    MemberLost(Char),
    /// First aid is required.
    NeedsAid(Char),
    /// First aid met the need.
    AidMet(Char),
    /// Real medical care.
    Cared(Char),
    /// Somebody died.
    Died(Char),
    /// A player's new character.
    Newcomer {
        /// Who.
        who: Char,
        /// In whose place.
        dead: Char,
    },
    /// The new character is in no scene yet.
    NotPlaced(Char),
    /// No more characters can be made in play: the gamemaster brings one in.
    NoNewcomer(Char),
    /// A player gets reflection fallout.
    Reflects(Char),
    /// A fact became known.
    Revealed(Fact),
    /// A bond is kept to, or broken.
    Bond {
        /// Whose.
        who: Char,
        /// Which.
        bond: Item,
        /// Kept to.
        holds: bool,
    },
    /// Relationship dice were assigned.
    Assigned {
        /// Whose.
        who: Char,
        /// The relationship.
        item: Item,
    },
    /// Something happened to a victim.
    Victim {
        /// Whom.
        who: Char,
        /// What.
        turn: Turn,
        /// Their worth now.
        worth: u8,
    },
    /// Somebody was met.
    Met(To),
    /// A new scene.
    NewScene {
        /// Who is there.
        who: CharSet,
        /// A player's character is there, or somebody goes there from one's scene.
        open: bool,
    },
    /// Somebody came in.
    Entered(Char),
    /// The scene moved on.
    Moved,
    /// The scene ended.
    SceneEnded {
        /// A player's character was there.
        open: bool,
    },
    /// The evening ended.
    Closed,
    /// The gamemaster changed something about somebody.
    Ruled(Char),
    /// The gamemaster changed a setting.
    RuledTable,
}
