//! One moment of the whole table.

use crate::effect::{Effect, Lasts, Removal, Verb};
use crate::rules::{Gear, Rules, Use};
use crate::{At, view::is_unseen, vocab::*};
use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Label as Name, Refers, Secret, refer_to_nothing};

/// The most lasting effects at one table; the oldest gives way to one more.
pub const MAX_LIVE: usize = 48;

/// The whole table at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct State {
    /// Everybody, by [`Char`].
    pub cast: ArrayVec<Being, MAX_CAST>,
    /// Where everything is, by [`Boon`].
    pub boons: ArrayVec<Place, MAX_BOONS>,
    /// What was made in play, by the first [`Boon`]s.
    pub made: [Option<Made>; SPARES],
    /// What lasts, the oldest first.
    pub live: ArrayVec<Live, MAX_LIVE>,
    /// How often each ability was used in this scene.
    pub uses: ArrayVec<u8, MAX_ABILITIES>,
    pub hazards: HazardSet,
    pub conflict: Option<Conflict>,
    pub call: Call,
    pub acted: CharSet,
    /// The round, from 1.
    pub round: u16,
    /// The scene, from 1.
    pub scene: u16,
    /// Actions of this scene so far.
    pub beats: u16,
    /// Whose power number the players have learnt, where numbers are hidden.
    pub known: CharSet,
    pub tally: Tally,
    pub action: Option<Action>,
    pub over: bool,
    /// Who has been in a scene: of the others of the gamemaster's players know nothing.
    pub met: CharSet,
    /// Hazards that have been present: of the others players know nothing.
    pub perils: HazardSet,
}

/// Who has the floor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub enum Call {
    /// Nobody in particular: the gamemaster leads, players may speak up.
    #[default]
    Open,
    One(Char),
    /// The players' side, unless the gamemaster has its own go first: a round begins.
    First,
    /// The players' side, but for this one if there is another.
    Players(Option<Char>),
    Gm,
}

/// How somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Being {
    pub zone: Zone,
    pub away: bool,
    /// Out of the conflict, as the winner described.
    pub out: bool,
    /// Against the players' characters.
    pub hostile: bool,
    /// Has not noticed what they do (`tn-tailing-spy`).
    pub unaware: bool,
    /// The power number, of the gamemaster's characters, with all they came with.
    pub pn: i16,
    pub tracks: [u8; MAX_TRACKS],
    /// The last glory picked (`glory.no-repeat`).
    pub last: Option<Glory>,
    pub good: Fortunes,
    pub bad: Fortunes,
    pub die: Die,
    pub majors: u8,
    pub minors: u8,
}

/// Fortunes of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Fortunes {
    pub now: u8,
    /// Taken in this scene, playable in the next.
    pub next: u8,
}

/// A writhing die.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Die {
    pub held: bool,
    pub gained: bool,
    pub spent: bool,
}

/// Where a boon is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Place {
    /// Who has it, or lost it; nobody, of what is not in play.
    pub holder: Option<Char>,
    pub lie: Lie,
}

fracas_kernel::words!(
    /// How a boon lies.
    Lie {
        /// In use.
        InUse = "in-use",
        /// With its holder, not in use.
        Kept = "kept",
        /// Lost, and to be regained with a minor action.
        Lost = "lost",
        /// Out of play.
        Gone = "gone",
    }
);

/// A boon made in play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Made {
    /// Improvised: its name and its use.
    Improvised(Name, Use),
    /// Another of the same.
    Like(Boon),
}

/// A lasting effect on somebody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Live {
    pub on: Char,
    pub by: Option<Char>,
    pub from: Origin,
    pub effect: Effect,
    /// How many times over (`same-effect-stacks`); 0 where it came too late for the roll under
    /// way, until that is over (`overruled-in-mid-roll`).
    pub times: u8,
}

impl Refers for Live {
    fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
        self.on.each_reference(each);
        self.by.each_reference(each);
        self.from.cause().each_reference(each);
    }
}

impl Live {
    /// Whether it lasts by the power of the character who laid it on.
    pub(crate) fn is_by_power(&self) -> bool {
        self.effect.lasts == Lasts::Until(Removal::PowerNumber)
    }

    /// Whether it keeps this character from others until they walk back to them (`apart-and-placed`).
    pub(crate) fn is_walked_off(&self, who: Char) -> bool {
        let Effect { verb, lasts, .. } = self.effect;
        (self.on, verb, lasts) == (who, Verb::Apart, Lasts::Until(Removal::Minor))
    }

    /// Whether two are the same effect of one end on one character, by any number
    /// (`held-by-two`).
    pub(crate) fn is_like(&self, other: &Live) -> bool {
        matches!(self.from, Origin::End(_))
            && (self.from, self.on) == (other.from, other.on)
            && self.effect.of_no_degrees() == other.effect.of_no_degrees()
    }

    /// Of two that are alike the stronger counts; what came too late counts least.
    pub(crate) fn strength(&self) -> (bool, u16) {
        let number = match self.effect.verb {
            Verb::Ap(n) | Verb::Pn(n) => n.unsigned_abs(),
            _ => 0,
        };
        (self.times > 0, u16::from(number) * u16::from(self.times.max(1)))
    }

    /// Whether another of these is like it and counts in its place: the strongest, and of
    /// equals the first.
    pub(crate) fn is_outdone(all: &[Live], at: usize) -> bool {
        let live = &all[at];
        let outdoes = |(before, other): (usize, &Live)| {
            other.is_like(live) && (other.strength(), at) > (live.strength(), before)
        };
        all.iter().enumerate().any(outdoes)
    }
}

/// What an effect comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    Guilt(Guilt),
    Glory(Glory),
    /// A guilty save.
    Upper(Upper),
    End(End),
    Ability(Ability),
    /// A boon that was used.
    Boon(Boon),
}

impl Origin {
    /// As somebody shakes it off.
    pub const fn cause(self) -> Option<Cause> {
        match self {
            Origin::End(end) => Some(Cause::End(end)),
            Origin::Ability(ability) => Some(Cause::Ability(ability)),
            Origin::Boon(boon) => Some(Cause::Boon(boon)),
            Origin::Guilt(_) | Origin::Glory(_) | Origin::Upper(_) => None,
        }
    }
}

/// How many results of each kind there were.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Tally {
    /// Tests: guilty, innocent and glorious failures, then successes.
    pub tests: [u16; 6],
    /// Saves: guilty and innocent failures, then successes.
    pub saves: [u16; 3],
}

impl Tally {
    /// The count of such results.
    pub(crate) fn of(&mut self, kind: Kind, result: Outcome) -> &mut u16 {
        let Outcome { success, band, .. } = result;
        match kind {
            Kind::Test => &mut self.tests[band as usize + 3 * usize::from(success)],
            Kind::Save => &mut self.saves[if success { 2 } else { band as usize }],
        }
    }
}

/// An action under way, from what was declared to the last of what comes of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Action {
    pub who: Char,
    pub kind: Kind,
    /// The target of a test; the source of a save.
    pub target: Option<Target>,
    /// An attack, and the answer to it a defence (`action.attack`).
    pub attack: bool,
    /// Others influence it (`action.contested`).
    pub reach: Reach,
    /// The end that the action is to bring about for the other character.
    pub end: Option<End>,
    pub ability: Option<Ability>,
    pub using: Option<Boon>,
    /// What somebody would shake off.
    pub shake: Option<Cause>,
    pub what: Option<Name>,
    /// The gamemaster called for it.
    pub called: bool,
    /// Who saves, one after another: those before this one have.
    pub queue: CharSet,
    pub step: Step,
    pub attribute: Attribute,
    pub tags: TagSet,
    pub tn: Secret<i8>,
    pub told: bool,
    /// Attribute, bonuses and penalties; settled when the dice are due.
    pub power: i8,
    /// Whether an ability plays a part in it.
    pub ability_used: bool,
    /// The roller may use none in it, to the end; set by versions before 9 alone, whose bans
    /// did not last until the end.
    pub barred: bool,
    pub die: bool,
    /// The second roll of a glorious failure.
    pub pushed: bool,
    /// The dice, and what was done with them.
    pub throw: Throw,
    /// Fortunes played on it so far, by [`Fate`].
    pub played: [u8; 2],
    pub result: Outcome,
    /// What is being asked about: an improvised boon, say.
    pub pending: Pending,
    /// Fortune in place of the guilt or glory was declined.
    pub no_fortune: bool,
}

/// The dice of one roll as they lie, and what was done with them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Throw {
    pub truth: u8,
    pub light: u8,
    /// The face of the writhing die, or 0.
    pub writhe: u8,
    pub spent: u8,
    /// Times that what is used still lets Light be rolled again.
    pub rerolls: u8,
    /// Good fortune was played on it.
    pub good: bool,
    /// Bad fortune was played on it.
    pub bad: bool,
    /// The writhing is claimed, or was refused.
    pub claim: Claim,
}

/// Where a writhing claim stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub enum Claim {
    #[default]
    None,
    /// The gamemaster is asked.
    Made,
    /// The gamemaster refused: spending is decided anew without one.
    Refused,
    /// Taken: the roll stands as failed.
    Taken,
}

/// What waits for somebody's word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub enum Pending {
    #[default]
    Nothing,
    /// A boon that was improvised.
    Improvised(Name, Use),
    /// A situation that was stolen.
    Stolen(Boon),
    /// Fortune, on this ground.
    Fortune(Ground),
}

/// Where an action stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, BorshSerialize, BorshDeserialize)]
pub enum Step {
    /// The gamemaster settles a test.
    #[default]
    Settle,
    /// The gamemaster sets the terms of saves.
    Terms,
    /// The player says what goes into the roll.
    Ready,
    /// Dice are due.
    Dice,
    /// The Light die is due again.
    Reroll,
    /// The gamemaster may play bad fortune.
    Misfortune,
    /// The player spends Light.
    Spend,
    /// The gamemaster judges a writhing claim.
    Reason,
    /// The player withdraws or pushes on.
    Push,
    /// The gamemaster picks a guilt.
    Guilt,
    /// The player may take bad fortune in its place.
    Take,
    /// The player picks what is lost.
    Lose,
    /// The player picks a glory.
    Glory,
    /// The gamemaster allows what the player picked, or does not.
    Allow,
    /// The gamemaster picks what comes of a guilty save.
    Upper,
    /// The result stands and comes about: nobody is asked.
    Result,
}

/// What a roll came to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[derive(BorshSerialize, BorshDeserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    pub success: bool,
    pub band: Band,
    pub degrees: u8,
}

refer_to_nothing!(Outcome);

impl Action {
    /// Whether dice of the roller have fallen.
    pub(crate) const fn has_rolled(&self) -> bool {
        !matches!(self.step, Step::Settle | Step::Terms | Step::Ready | Step::Dice) || self.pushed
    }

    /// Whether dice are rolled or Light is spent.
    pub(crate) const fn is_rolling(&self) -> bool {
        matches!(self.step, Step::Dice | Step::Reroll | Step::Misfortune | Step::Spend | Step::Reason)
    }

    /// Whether what counts for its roll is not final yet (`overruled-in-mid-roll`).
    pub(crate) const fn is_open(&self) -> bool {
        !self.pushed && (self.is_rolling() || matches!(self.step, Step::Settle | Step::Ready))
    }

    /// Whether there is or may be a second roll, which keeps what counted for the first.
    pub(crate) const fn is_counted(&self) -> bool {
        matches!(self.step, Step::Push) || self.pushed && self.is_rolling()
    }

    /// Whether its result stands, and some of what comes of it may be left.
    pub(crate) const fn has_result(&self) -> bool {
        use Step::*;
        matches!(self.step, Result | Guilt | Take | Lose | Glory | Allow | Upper)
    }

    /// Whether nobody of those who save has saved before this one.
    pub(crate) fn is_first(&self) -> bool {
        self.queue.first() == Some(self.who)
    }

    /// Whether it has come about, and its guilt is all that is left (`guilt-or-success-first`).
    pub(crate) fn has_come_about(&self) -> bool {
        self.kind == Kind::Test && matches!(self.step, Step::Guilt | Step::Take | Step::Lose)
    }
}

impl State {
    /// How somebody is.
    pub fn being(&self, who: Char) -> &Being {
        &self.cast[who.index()]
    }

    pub(crate) fn being_mut(&mut self, who: Char) -> &mut Being {
        &mut self.cast[who.index()]
    }

    /// Where a boon is.
    pub fn place(&self, boon: Boon) -> Place {
        self.boons[boon.index()]
    }

    pub(crate) fn put(&mut self, boon: Boon, holder: Option<Char>, lie: Lie) {
        self.boons[boon.index()] = Place { holder, lie };
        if lie == Lie::Gone && boon.index() < SPARES {
            self.made[boon.index()] = None;
        }
    }

    /// Whether what an action is on, or comes from, is there.
    pub(crate) fn has(&self, target: Option<Target>) -> bool {
        match target {
            Some(Target::Char(other)) => self.is_in(other),
            Some(Target::Hazard(hazard)) => self.hazards.has(hazard),
            Some(Target::Surroundings) | None => true,
        }
    }

    /// Whether something is left of every track of somebody's (`ext.harm`).
    pub fn stands(&self, rules: &Rules, who: Char) -> bool {
        let sizes = rules.sheet(who).tracks;
        sizes.iter().zip(self.being(who).tracks).all(|(&size, left)| size == 0 || left > 0)
    }

    /// Whether somebody is here and takes part.
    pub fn is_in(&self, who: Char) -> bool {
        let being = self.being(who);
        !being.away && !being.out
    }

    /// What lasts on somebody and counts now: what is for the next scene counts
    /// once that has begun (`ext.effects`), and an end that two have laid on them counts
    /// once (`held-by-two`).
    pub fn under(&self, who: Char) -> impl Iterator<Item = &Live> + '_ {
        let counts = move |(at, live): &(usize, &Live)| {
            live.on == who && live.effect.lasts != Lasts::NextScene && !Live::is_outdone(&self.live, *at)
        };
        self.live.iter().enumerate().filter(counts).map(|(_, live)| live)
    }

    /// Whether something lasting is on somebody that does this. `verb` holds no number, so it
    /// does not matter which of several that are alike counts.
    pub fn is_under(&self, who: Char, verb: Verb) -> bool {
        self.live
            .iter()
            .any(|live| live.on == who && live.effect.verb == verb && live.effect.lasts != Lasts::NextScene)
    }

    /// Whether two are near each other: in one zone, and neither set apart
    /// (`ext.scene-place`).
    pub fn near(&self, one: Char, other: Char) -> bool {
        one != other
            && self.is_in(one)
            && self.is_in(other)
            && self.being(one).zone == self.being(other).zone
            && !self.is_under(one, Verb::Apart)
            && !self.is_under(other, Verb::Apart)
    }

    /// Other players' characters nearby (`ally-is-npc`).
    pub fn allies(&self, rules: &Rules, who: Char) -> CharSet {
        rules.pcs.iter().filter(|&other| self.near(who, other)).collect()
    }

    /// Everybody else who takes part, foes first: those who are hostile, others of the
    /// gamemaster's, players' characters.
    pub fn foes_first<'a>(&'a self, rules: &'a Rules, who: Char) -> impl Iterator<Item = Char> + 'a {
        let rank = |other: Char| match (rules.is_pc(other), self.being(other).hostile) {
            (false, true) => 0,
            (false, false) => 1,
            (true, _) => 2,
        };
        let of = move |at| rules.everybody().filter(move |&other| rank(other) == at);
        (0..3).flat_map(of).filter(move |&other| other != who && self.is_in(other))
    }

    /// The gamemaster's characters nearby, the hostile ones first.
    pub fn npcs_near<'a>(&'a self, rules: &'a Rules, who: Char) -> impl Iterator<Item = Char> + 'a {
        self.foes_first(rules, who).filter(move |&other| !rules.is_pc(other) && self.near(who, other))
    }

    /// Whether a hazard is present where somebody is.
    pub fn hazard_near(&self, rules: &Rules, hazard: Hazard, who: Char) -> bool {
        let zone = rules.peril(hazard).zone;
        self.hazards.has(hazard) && zone.is_none_or(|zone| zone == self.being(who).zone)
    }

    /// Notes who and what is there: from now on players know of them.
    pub(crate) fn remember(&mut self) {
        let here = (0..self.cast.len() as u8).map(Char).filter(|&who| !self.being(who).away);
        self.met = here.fold(self.met, CharSet::with);
        self.perils = self.perils.or(self.hazards);
    }

    /// What somebody holds, in use or not.
    pub fn held(&self, who: Char) -> impl Iterator<Item = Boon> + '_ {
        self.of(who, |lie| matches!(lie, Lie::InUse | Lie::Kept))
    }

    /// What somebody has in use.
    pub fn in_use(&self, who: Char) -> impl Iterator<Item = Boon> + '_ {
        self.lying(who, Lie::InUse)
    }

    /// What somebody has, or lost, that lies just so.
    pub fn lying(&self, who: Char, lie: Lie) -> impl Iterator<Item = Boon> + '_ {
        self.of(who, move |other| other == lie)
    }

    fn of(&self, who: Char, lies: impl Fn(Lie) -> bool) -> impl Iterator<Item = Boon> {
        let own = move |(_, place): &(usize, &Place)| place.holder == Some(who) && lies(place.lie);
        self.boons.iter().enumerate().filter(own).map(|(at, _)| Boon(at as u8))
    }

    /// What a boon is good for.
    pub fn use_of(&self, rules: &Rules, boon: Boon) -> Use {
        match self.made.get(boon.index()).copied().flatten() {
            Some(Made::Improvised(_, serves)) => serves,
            Some(Made::Like(other)) => rules.boons[other.index()].serves,
            None => rules.boons[boon.index()].serves,
        }
    }

    /// What a boon is called.
    pub fn name_of<'a>(&'a self, rules: &'a Rules, boon: Boon) -> &'a str {
        match self.made.get(boon.index()).and_then(Option::as_ref) {
            Some(Made::Improvised(name, _)) => name,
            Some(Made::Like(other)) => &rules.boons[other.index()].name,
            None => &rules.boons[boon.index()].name,
        }
    }

    /// The entry of the rules that says what a boon does when it is used.
    pub fn pattern(&self, boon: Boon) -> Boon {
        match self.made.get(boon.index()).copied().flatten() {
            Some(Made::Like(other)) => other,
            _ => boon,
        }
    }

    /// The same with all that the rules say of it.
    pub(crate) fn gear<'r>(&self, rules: &'r Rules, boon: Boon) -> &'r Gear {
        &rules.boons[self.pattern(boon).index()]
    }

    /// A place for one more boon made in play. Those out of sight have places of their own, so
    /// that nobody can count what they have.
    pub fn spare(&self, rules: &Rules, who: Char) -> Option<Boon> {
        let places =
            if is_unseen(At { rules, state: self }, who) { SEEN_SPARES..SPARES } else { 0..SEEN_SPARES };
        places.into_iter().find(|&at| self.made[at].is_none()).map(|at| Boon(at as u8))
    }

    /// What somebody can shake off by a minor action, or by a major one: each cause
    /// once, with what removes it and who laid it on them first.
    pub fn shakeable(
        &self,
        who: Char,
        label: Label,
    ) -> impl Iterator<Item = (Cause, Removal, Option<Char>)> + '_ {
        let found = move |live: &Live| match live.effect.lasts {
            Lasts::Until(removal) if live.on == who && removal.takes() == Some(label) => {
                Some((live.from.cause()?, removal, live.by))
            }
            _ => None,
        };
        let cause = move |live: &Live| found(live).map(|(cause, ..)| cause);
        self.live.iter().enumerate().filter_map(move |(at, live)| {
            let is_first = || self.live[..at].iter().all(|other| cause(other) != cause(live));
            found(live).filter(|_| is_first())
        })
    }

    /// How somebody shakes this off by such an action, and who laid it on them.
    pub fn shaken_by(&self, who: Char, label: Label, cause: Cause) -> Option<(Removal, Option<Char>)> {
        let found = self.shakeable(who, label).find(|(one, ..)| *one == cause);
        found.map(|(_, removal, by)| (removal, by))
    }

    /// How what the action under way would shake off is removed, and who laid it on.
    pub(crate) fn shaking(&self) -> Option<(Removal, Option<Char>)> {
        let action = self.action?;
        let who = match action.kind {
            Kind::Test => action.who,
            Kind::Save => action.target?.char()?,
        };
        self.shaken_by(who, Label::Major, action.shake?)
    }

    /// What somebody can lose: what is in their use, less what the action under way
    /// uses up (`guilt.lose`).
    pub fn losable(&self, who: Char) -> impl Iterator<Item = Boon> + '_ {
        let using = self.action.filter(|action| action.who == who).and_then(|action| action.using);
        self.in_use(who).filter(move |&boon| Some(boon) != using)
    }
}
