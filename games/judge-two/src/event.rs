//! What happened, each with the clause that caused it.

use crate::{
    answer::{Deed, MAX_GROUP},
    rules::Rules,
    state::{Cause, Fate, Pool},
    vocab::*,
};
use fracas_kernel::Clause;
use serde::Serialize;

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A round begins.
    Round(u16),
    /// A turn begins.
    Turn(CharSet),
    /// A turn was given up without a test.
    Passed(Char),
    /// A deed was done.
    Deed {
        /// By whom.
        who: Char,
        /// Which.
        deed: Deed,
    },
    /// The gamemaster refused the deed of a member of a group.
    DeedRefused {
        /// Whose.
        who: Char,
        /// Which.
        deed: Deed,
    },
    /// The gamemaster ruled a deed to be a test.
    RuledTest {
        /// Whose.
        who: Char,
        /// Which deed.
        deed: Deed,
        /// A long one.
        long: bool,
    },
    /// A test was declared.
    Test {
        /// By whom.
        who: CharSet,
        /// Whom it opposes.
        against: Option<Char>,
    },
    /// An attack was declared.
    Attack {
        /// By whom.
        by: CharSet,
        /// On whom.
        on: Char,
        /// Its form.
        form: Form,
        /// Veiled.
        veiled: bool,
        /// On a misdirector whom nothing else could reach.
        fallback: bool,
    },
    /// The gamemaster called for a test.
    Called(Char),
    /// The terms of a test are settled.
    Settled {
        /// Who tests.
        who: CharSet,
        /// The challenge level before circumstances; 0 between players.
        cl: i8,
        /// The surroundings.
        favor: i8,
        /// Whose power level the challenge level is.
        from: Option<Char>,
    },
    /// The gamemaster refused an action; something else is to be declared.
    Refused(Char),
    /// A group was proposed and not joined by all.
    NotJoined(Char),
    /// An ability was used.
    Ability {
        /// By whom.
        who: Char,
        /// Which.
        ability: Ability,
        /// Risk it cost.
        cost: u8,
    },
    /// A long test opens with an intervention.
    Long(CharSet),
    /// After the intervention the declared test is no longer possible.
    FellAway(Char),
    /// The danger to these does not come: who threatened them is gone, or cannot do so any
    /// more.
    Averted(CharSet),
    /// Somebody guards.
    Guards {
        /// Who.
        who: Char,
        /// Whom.
        on: Char,
        /// Their risk now.
        risk: u8,
    },
    /// Dice fell.
    Rolled {
        /// Whose.
        who: CharSet,
        /// The faces, highest first.
        dice: Pool,
        /// Bold, faint or neither.
        kind: RollKind,
    },
    /// The dice were judged, and what came of it.
    Judged {
        /// Who judged.
        who: Char,
        /// Light.
        light: u8,
        /// Truth.
        truth: u8,
        /// Final Light: Light and rank.
        fl: i8,
        /// Signed degree: final Light less challenge level.
        degree: i8,
        /// A save.
        save: bool,
        /// Whose power level the challenge level is.
        from: Option<Char>,
        /// Player against player: compared with nothing yet.
        open: bool,
    },
    /// A group's dice were judged.
    GroupJudged {
        /// The members.
        who: CharSet,
        /// The one Truth.
        truth: u8,
        /// Signed degrees, one for each member.
        degrees: Degrees,
        /// Their sum.
        total: i8,
        /// Whose power level the challenge level is.
        from: Option<Char>,
    },
    /// An attack succeeded; its final degree.
    Hit {
        /// By whom; nobody for the environment.
        by: Option<Char>,
        /// On whom.
        on: Char,
        /// Degree and effective risk together.
        degree: i8,
        /// Veiled.
        veiled: bool,
    },
    /// A defence succeeded.
    Thwarted {
        /// By whom.
        by: Option<Char>,
        /// On whom.
        on: Char,
        /// Veiled.
        veiled: bool,
    },
    /// Risk was imposed.
    Risk {
        /// On whom.
        who: Char,
        /// How much was recorded.
        amount: u8,
        /// Risk now.
        now: u8,
        /// Veiled: on a player's character, by whom is hidden.
        veiled: bool,
    },
    /// No risk can be imposed on this one now.
    NoRisk(Char),
    /// A hit, or what spreads from one, imposes nothing on this one; or a fright does not.
    Unaffected {
        /// On whom.
        who: Char,
        /// Why.
        #[serde(rename = "clause")]
        why: Clause,
    },
    /// A threat was imposed.
    Threat {
        /// By whom.
        by: Option<Char>,
        /// On whom.
        on: Char,
        /// Which.
        threat: Threat,
        /// What a disarm stripped.
        item: Option<Prize>,
        /// What it came of.
        #[serde(skip)]
        cause: Cause,
    },
    /// A brute was beyond the spread of a threat.
    Beyond(Char),
    /// A mark was imposed.
    Mark {
        /// By whom.
        by: Option<Char>,
        /// On whom.
        on: Char,
        /// Which.
        mark: Mark,
    },
    /// Somebody entered a critical state.
    Critical(Char),
    /// Somebody is riven.
    Riven(Char),
    /// Somebody suffered a finisher.
    Finished {
        /// By whom.
        by: Option<Char>,
        /// Who.
        who: Char,
        /// Which.
        finisher: Finisher,
    },
    /// Somebody died.
    Died(Char),
    /// A death was withheld.
    Spared(Char),
    /// A counterattack was made.
    Counter {
        /// By whom.
        by: Char,
        /// On whom.
        on: Char,
    },
    /// A threat ended.
    Ended {
        /// Of whom.
        who: Char,
        /// Which.
        threat: Threat,
        /// How.
        #[serde(rename = "clause")]
        why: Clause,
    },
    /// Somebody stricken may attack again this round.
    Released(Char),
    /// Somebody came to know of an attacker.
    Aware {
        /// Who.
        who: Char,
        /// Of whom.
        of: Char,
    },
    /// A nemesis' omen is met, or no longer.
    Omen {
        /// Whose.
        who: Char,
        /// Met.
        met: bool,
    },
    /// The gamemaster intervenes.
    Intervention {
        /// It opens a long test.
        opening: bool,
        /// Why.
        #[serde(rename = "clause")]
        why: Clause,
    },
    /// An intervention without a save.
    Told(Turnabout),
    /// A character was given a turn and has shown it.
    NpcTurn(Char),
    /// A character with a turn did nothing that calls for a save.
    NpcDone(Char),
    /// A character was given a turn that the players cannot see.
    Lurks(Char),
    /// Saves are called for.
    Danger {
        /// Who saves.
        who: CharSet,
        /// Who attacks or threatens.
        by: Option<Char>,
        /// Veiled.
        veiled: bool,
        /// The form in which it harms.
        form: Option<Form>,
    },
    /// The challenge level of saves, where it may be told.
    Terms {
        /// Who saves.
        who: CharSet,
        /// The challenge level with circumstances.
        cl: i8,
        /// Whose power level it is.
        from: Option<Char>,
        /// Veiled.
        veiled: bool,
    },
    /// An essence was settled for a save.
    Essence {
        /// Whose.
        who: Char,
        /// Which.
        essence: Essence,
    },
    /// A conflict begins.
    Conflict(Form),
    /// The conflict is over.
    Peace,
    /// The scene is over.
    SceneEnd,
    /// The next scene begins.
    SceneBegins,
    /// Somebody who was beaten takes part again.
    Returns(Char),
    /// Somebody fading was saved from it.
    Kept {
        /// Who.
        who: Char,
        /// By which rest; otherwise by care.
        rest: Option<Rest>,
    },
    /// Somebody rested: no risk is left.
    Rested {
        /// Who.
        who: Char,
        /// Which rest.
        rest: Rest,
    },
    /// A mark was recovered.
    Recovered {
        /// Whose.
        who: Char,
        /// Which.
        mark: Mark,
        /// By which rest.
        rest: Rest,
    },
    /// Somebody is burdened: the next attack is slow.
    Burdened {
        /// Who.
        who: Char,
        /// By what.
        #[serde(rename = "clause")]
        why: Clause,
    },
    /// The slow attack is made.
    Unburdened(Char),
    /// Somebody was knocked off what they rode or stood on.
    Dislodged(Char),
    /// Difficult terrain lies in their way.
    Difficult(CharSet),
    /// Somebody sets out on a longer move before an attack.
    Sets {
        /// Who.
        who: Char,
        /// Whom they attack.
        on: Char,
        /// Up to them, or away.
        moves: Moves,
    },
    /// A test brought somebody nearer.
    Moved {
        /// Who.
        who: Char,
        /// To whom.
        toward: Char,
        /// How far they are now.
        band: Band,
    },
    /// A weapon was thrown and lies by the target.
    Thrown {
        /// Which.
        item: Item,
        /// As a counterattack.
        counter: bool,
    },
    /// A script was drawn, and is readied.
    Drew {
        /// By whom.
        who: Char,
        /// Which.
        script: Item,
    },
    /// Something gives way to what is readied or drawn in its place.
    PutsAway {
        /// Who.
        who: Char,
        /// What.
        item: Item,
    },
    /// Somebody who surrenders drops a weapon.
    Drops {
        /// Who.
        who: Char,
        /// What.
        item: Item,
    },
    /// Something that an unseen character had is in another's hands now.
    Loses {
        /// Who had it.
        who: Char,
        /// What.
        item: Item,
    },
    /// The argument is over, and this script in play no more.
    Lapsed {
        /// Who had it, or had it last.
        who: Char,
        /// Which.
        script: Item,
    },
    /// Composure was lost or regained.
    Composure {
        /// Whose.
        who: Char,
        /// Regained, or lost.
        has: bool,
        /// How.
        #[serde(rename = "clause")]
        why: Clause,
    },
    /// A finisher whose conditions do not hold did not take.
    Withstands {
        /// On whom.
        who: Char,
        /// Which.
        finisher: Finisher,
    },
    /// One of the gamemaster's characters answers what it was asked for.
    Answered {
        /// Who asked.
        who: Char,
        /// Whom.
        of: Char,
        /// How they are disposed.
        disposition: Disposition,
        /// They give it; otherwise it takes a subtle conflict.
        yes: bool,
    },
    /// Somebody's disposition changed.
    Disposed {
        /// Whose.
        who: Char,
        /// To.
        to: Disposition,
    },
    /// The gamemaster ruled where the scene is: private, or public.
    Place(bool),
    /// Somebody put on a disguise, or changed it.
    Disguised(Char),
    /// Somebody is seen for who they are.
    Unmasked {
        /// Who.
        who: Char,
        /// It failed; otherwise they dropped it.
        broken: bool,
    },
    /// Somebody showed that they are shuvin.
    Revealed(Char),
    /// The table closed.
    Closed,
    /// The gamemaster changed somebody's risk.
    FiatRisk {
        /// Whose.
        who: Char,
        /// To.
        risk: u8,
    },
    /// The gamemaster changed somebody's fate.
    FiatFate {
        /// Whose.
        who: Char,
        /// To.
        fate: Fate,
    },
    /// The gamemaster changed something else about somebody.
    FiatOther(Char),
    /// The gamemaster changed where something is.
    FiatItem(Item),
    /// The gamemaster changed something about the table.
    FiatTable,
    /// Somebody joined.
    Joined(Char),
}

/// A number for each member of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Degrees {
    of: [i8; MAX_GROUP],
    members: usize,
}

impl Degrees {
    /// From one for each member, three at most.
    pub(crate) fn of(degrees: &[i8]) -> Degrees {
        let mut of = [0; MAX_GROUP];
        of.iter_mut().zip(degrees).for_each(|(to, &degree)| *to = degree);
        Degrees { of, members: degrees.len().min(MAX_GROUP) }
    }

    /// One for each member, in order.
    pub fn iter(&self) -> impl Iterator<Item = i8> + '_ {
        self.of.iter().copied().take(self.members)
    }
}

impl Serialize for Degrees {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

/// How many dice and why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RollKind {
    /// Two dice.
    Plain,
    /// Two dice: bold and faint cancel.
    Cancelled,
    /// Three dice, any two of them.
    Bold,
    /// Three dice less the highest.
    Faint,
    /// Two for each member.
    Group,
}

impl RollKind {
    /// From whether anything makes it bold and anything faint.
    pub const fn of(bold: bool, faint: bool) -> RollKind {
        match (bold, faint) {
            (true, true) => RollKind::Cancelled,
            (true, false) => RollKind::Bold,
            (false, true) => RollKind::Faint,
            (false, false) => RollKind::Plain,
        }
    }
}

impl Event {
    /// The clause behind it.
    pub fn clause(&self, rules: &Rules) -> Clause {
        let brute = |who: &Char| rules.sheet(*who).kind == Kind::Brute;
        match self {
            Event::Round(_) => clause!("round.complete"),
            Event::Turn(who) if who.len() > 1 => clause!("group.simultaneous"),
            Event::Turn(_) => clause!("turn.once-per-round"),
            Event::Passed(_) => clause!("conflict.pass"),
            Event::Deed { deed: Deed::Ready(_) | Deed::ReadyBoth(..), .. } => clause!("boon.ready-deed"),
            Event::Deed { deed: Deed::Recover(_), .. } => clause!("boon.recover"),
            Event::Deed { deed: Deed::Take(_), .. } => clause!("disarm-steal"),
            Event::Deed { deed: Deed::Switch(..), .. } => clause!("ready.switch"),
            Event::Deed { deed: Deed::Discard(_), .. } => clause!("script.discard"),
            Event::Deed { deed: Deed::Compose, .. } => clause!("composure.regain"),
            Event::Deed { deed: Deed::Mount(_) | Deed::Dismount, .. } => clause!("mounted-state"),
            Event::Deed { deed: Deed::Unmask, .. } => clause!("disguise.purpose"),
            Event::Deed { deed: Deed::Request(_), .. } => clause!("disp.levels"),
            Event::Deed { .. } => clause!("deed.auto"),
            Event::DeedRefused { .. } | Event::RuledTest { .. } => clause!("deed.confirm"),
            Event::Test { who, .. } if who.len() > 1 => clause!("group.size"),
            Event::Test { .. } => clause!("test.steps"),
            Event::Attack { fallback: true, .. } => clause!("threat.misdirect-fallback"),
            Event::Attack { veiled: true, .. } => clause!("veiled.declare"),
            Event::Attack { by, .. } if by.len() > 1 => clause!("gattack.as-group"),
            Event::Attack { .. } => clause!("attack.definition"),
            Event::Called(_) => clause!("cl.assign"),
            Event::Settled { from: Some(_), .. } => clause!("cl.npc-pl"),
            Event::Settled { cl: 0, .. } => clause!("pvp.attack"),
            Event::Settled { .. } => clause!("cl.assign"),
            Event::Refused(_) => clause!("conflict.other-test-gm"),
            Event::NotJoined(_) => clause!("group.eligible"),
            Event::Ability { .. } => clause!("risk.at-cap-voluntary"),
            Event::Long(_) => clause!("roll.long"),
            Event::FellAway(_) => clause!("long-actor-removed"),
            Event::Averted(_) => clause!("overtaken"),
            Event::Guards { .. } => clause!("guard.cost"),
            Event::Rolled { kind, who, .. } => match kind {
                RollKind::Plain => clause!("roll.two"),
                RollKind::Cancelled => clause!("roll.cancel"),
                RollKind::Bold => clause!("roll.bold"),
                RollKind::Faint => clause!("roll.faint"),
                RollKind::Group if who.len() == 2 => clause!("group.roll-two"),
                RollKind::Group => clause!("group.roll-three"),
            },
            Event::Judged { open: true, .. } => clause!("pvp.attack"),
            Event::Judged { degree, .. } if *degree >= 0 => clause!("outcome.success"),
            Event::Judged { .. } => clause!("outcome.failure"),
            Event::GroupJudged { .. } => clause!("group.total"),
            Event::Hit { veiled: true, .. } => clause!("veiled.no-effects"),
            Event::Hit { on, .. } if brute(on) => clause!("brute.success"),
            Event::Hit { degree, .. } => match Tier::of(*degree) {
                Tier::Low => clause!("attack.tier-low"),
                Tier::Mid => clause!("attack.tier-mid"),
                Tier::High => clause!("attack.tier-high"),
            },
            Event::Thwarted { veiled: true, .. } => clause!("veiled.failure"),
            Event::Thwarted { .. } => clause!("attack.defender"),
            Event::Risk { now: 12, .. } => clause!("risk.cap"),
            Event::Risk { .. } => clause!("health.pool"),
            Event::NoRisk(who) if brute(who) => clause!("brute.no-risk"),
            Event::NoRisk(_) => clause!("nemesis.omen"),
            Event::Threat { cause: Cause::Guard, .. } => clause!("guard.fail"),
            Event::Threat { threat, .. } => match threat {
                Threat::Disarm => clause!("threat.disarm"),
                Threat::Entangle => clause!("threat.entangle"),
                Threat::Misdirect => clause!("threat.misdirect"),
                Threat::Weaken => clause!("threat.weaken"),
            },
            Event::Beyond(_) => clause!("brute.spread-legal"),
            Event::Mark { mark, .. } => match mark {
                Mark::Afflict => clause!("mark.afflict-boons"),
                Mark::Crush => clause!("mark.crush"),
                Mark::Pierce => clause!("mark.pierce"),
                Mark::Stricken => clause!("mark.stricken"),
            },
            Event::Critical(_) => clause!("risk.critical"),
            Event::Riven(_) => clause!("riven.trigger"),
            Event::Finished { who, .. } if brute(who) => clause!("brute.choice"),
            Event::Finished { finisher, .. } => finisher_clause(*finisher),
            Event::Died(_) | Event::Spared(_) => clause!("death.confirm"),
            Event::Counter { .. } => clause!("counter.when"),
            Event::Ended { why, .. } | Event::Intervention { why, .. } => *why,
            Event::Released(who) if rules.is_pc(*who) => clause!("mark.stricken-pc"),
            Event::Released(_) => clause!("mark.stricken-npc"),
            Event::Aware { .. } => clause!("veiled.failure"),
            Event::Omen { met: true, .. } => clause!("nemesis.omen"),
            Event::Omen { .. } => clause!("nemesis.omen-lapse"),
            Event::Told(turnabout) => match turnabout {
                Turnabout::Challenge => clause!("intervene.challenge"),
                Turnabout::Compromise => clause!("intervene.compromise"),
                Turnabout::Other => clause!("intervene.kind"),
            },
            Event::NpcTurn(_) | Event::NpcDone(_) | Event::Lurks(_) => clause!("npc.turn"),
            Event::Danger { veiled: true, .. } => clause!("npc-veiled"),
            Event::Danger { form: Some(_), .. } => clause!("attack.npc-on-pc"),
            Event::Danger { .. } => clause!("intervene.hostile"),
            Event::Terms { .. } => clause!("save.as-test"),
            Event::Essence { .. } => clause!("save.essence-choice"),
            Event::Conflict(_) => clause!("conflict.forms"),
            Event::Peace => clause!("threats-at-scene-end"),
            Event::SceneEnd => clause!("boon.duration"),
            Event::Burdened { why, .. } | Event::Composure { why, .. } | Event::Unaffected { why, .. } => {
                *why
            }
            Event::Unburdened(_) => clause!("burdened.ends"),
            Event::Dislodged(_) => clause!("weaken.dislodge"),
            Event::Difficult(_) => clause!("move.terrain"),
            Event::Sets { who, .. } if rules.is_pc(*who) => clause!("move.long"),
            Event::Sets { .. } => clause!("move.npc"),
            Event::Moved { .. } => clause!("move.beyond-near"),
            Event::Thrown { counter: true, .. } => clause!("martial.throw-counter"),
            Event::Thrown { .. } => clause!("martial.throw"),
            Event::Drew { .. } => clause!("script.draw-ready"),
            Event::PutsAway { .. } => clause!("boon.duration"),
            Event::Drops { .. } => clause!("martial.finisher-surrender"),
            Event::Loses { .. } => clause!("unseen-acts"),
            Event::Lapsed { .. } => clause!("script.end"),
            Event::Withstands { finisher, .. } => finisher_clause(*finisher),
            Event::Answered { disposition, .. } => match disposition {
                Disposition::Friendly => clause!("disp.friendly"),
                Disposition::Neutral => clause!("disp.neutral"),
                Disposition::Hostile => clause!("disp.hostile"),
            },
            Event::Disposed { .. } => clause!("disp.bribes-gm"),
            Event::Place(_) => clause!("prestige.gm"),
            Event::Disguised(_) => clause!("disguise.no-roll"),
            Event::Unmasked { broken: true, .. } => clause!("disguise.breaks"),
            Event::Unmasked { .. } => clause!("disguise.purpose"),
            Event::Revealed(_) => clause!("prestige.shuvin"),
            Event::Returns(_) => clause!("finisher-lasts"),
            Event::SceneBegins | Event::Closed => clause!("rest.between-scenes"),
            Event::Kept { rest: Some(_), .. } => clause!("death-fade-time"),
            Event::Kept { .. } => clause!("death.medical"),
            Event::Rested { rest, .. } => rest_clause(*rest),
            Event::Recovered { rest, .. } => rest_clause(*rest),
            Event::Joined(_) => clause!("intervene.challenge"),
            // The gamemaster may settle anything otherwise than by the rules.
            Event::FiatRisk { .. }
            | Event::FiatFate { .. }
            | Event::FiatOther(_)
            | Event::FiatItem(_)
            | Event::FiatTable => clause!("core.fundamentals-first"),
        }
    }
}

/// The clause of a finisher.
pub(crate) fn finisher_clause(finisher: Finisher) -> Clause {
    match finisher {
        Finisher::Kill => clause!("martial.finisher-kill"),
        Finisher::Unconscious => clause!("martial.finisher-unconscious"),
        Finisher::Flee => clause!("martial.finisher-flee"),
        Finisher::Surrender => clause!("martial.finisher-surrender"),
        Finisher::Provoke => clause!("subtle.finisher-provoke"),
        Finisher::Shame => clause!("subtle.finisher-shame"),
        Finisher::Assent => clause!("subtle.finisher-assent"),
        Finisher::Disposition => clause!("subtle.finisher-disposition"),
        Finisher::Rout | Finisher::Destroy | Finisher::Withdraw => clause!("ext.strategic"),
        Finisher::Sunk | Finisher::Captured | Finisher::DrivenOff | Finisher::Burned => clause!("ext.naval"),
    }
}

/// The clause of a rest.
pub(crate) fn rest_clause(rest: Rest) -> Clause {
    match rest {
        Rest::Quick => clause!("rest.quick"),
        Rest::Short => clause!("rest.short"),
        Rest::Long => clause!("rest.long"),
    }
}
