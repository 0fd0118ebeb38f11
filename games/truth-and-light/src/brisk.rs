//! What draws a brisk player to an answer, judged from the table as it lies ([`fracas_kernel::Game::appeal`]).
//!
//! Numbers are tenths of those of [`weigh::worth`]. Gains are the players'; what the gamemaster's side gains is
//! their opposite. What holds a fair player back holds a brisk one back too ([`Fair`]).

use crate::act::{self, Manner};
use crate::answer::{Answer, Control, Deal, Deed, GloryPick, GuiltPick, Prompt, UpperPick};
use crate::effect::{Effect, Verb, Whom};
use crate::impose::{self, Doing};
use crate::rules::{Harm, Options};
use crate::settle;
use crate::state::{Action, Origin, Outcome, Step};
use crate::upper::OVERWHELMED;
use crate::view::knows_number;
use crate::weigh::{Fair, SAVES, TESTS};
use crate::{At, TruthAndLight, boons, power, roll, scene, vocab::*};
use arrayvec::ArrayVec;
use fracas_kernel::{Asking as _, Seat, Secret, Slot, Viewer};

/// Tenths of a point of worth.
const TENTHS: i32 = 10;
/// Before anything else.
const FIRST: i32 = 3_000;
/// A point of harm, somebody out, and how much of that is earned on the way there: so blows fall where others
/// fell.
const HARM: i32 = 30;
const OUT: i32 = 500;
const ON_THE_WAY: i32 = 300;
/// What a guilt costs, a glory brings and a guilty save costs, beside the result itself.
const GUILT: i32 = 50;
const GLORY: i32 = 40;
const GUILTY_SAVE: i32 = 50;
/// A fortune, a writhing die, a use of an ability that a scene limits, a boon that serves once.
const FORTUNE: i32 = 30;
const DIE: i32 = 40;
const LIMITED_USE: i32 = 10;
const USED_UP: i32 = 30;
/// What a writhing die and a second throw of Light add to a roll, about.
const DIE_ADDS: i32 = 3;
const REROLL_ADDS: i32 = 1;
/// A point of action power, or of a power number, that lasts for a while.
const POINT: i32 = 10;
/// To be held, apart, in the foes' eyes, without abilities.
const HAMPERED: i32 = 20;
/// A boon in use, by its bonus if it counts in this conflict, and one that can be regained.
const BOON: i32 = 20;
const BOON_POINT: i32 = 20;
const REGAINED: i32 = 15;
/// Guilts and glories with nobody and nothing named.
const FAULT: i32 = 45;
const RISK: i32 = 40;
const GRANT: i32 = 40;
const IMPROVISED: i32 = 80;
const NEXT_ACTION: i32 = 70;
/// What the gamemaster's characters gain of a guilty save.
const PRESSED: i32 = 50;
const RALLIED: i32 = 40;
/// A fight is for deeds from which something comes.
const IDLE: i32 = 140;
/// Whose turn it is comes before what an attack is worth, which only says who attacks whom.
const TURN: i32 = 59;
const ATTACKS: i32 = 8;
/// A fight of fewer actions is not let go of, and how little that draws.
const LONG: u16 = 40;
const UNDONE: i32 = 200;
/// Numbers that players do not know: such as most have.
const GUESSED_NUMBER: i8 = 9;
const GUESSED_TRACK: u8 = 8;
/// The number of a test where the gamemaster is still to set it.
const USUAL_NUMBER: i8 = 9;
/// Degrees of a success of which they are not known yet.
const USUAL_DEGREES: u8 = 2;
/// How many of the 36 throws of Truth and Light show each sum from 2 on.
const WAYS: [i32; 11] = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];
const THROWS: i32 = 36;

/// How much a brisk player in this seat is drawn to each answer.
pub(crate) fn appeal(at: At<'_>, (slot, seat): (Slot, Seat), listed: &[Answer], each: &mut impl FnMut(i32)) {
    let Some(ask) = TruthAndLight::ask_at(at, slot) else { return listed.iter().for_each(|_| each(0)) };
    let mind = Mind { at, viewer: Viewer::Seat(seat) };
    let fair = Fair::of(at, Some(seat));
    let sign = if seat == Seat::Gm { -1 } else { 1 };
    let mut rate = |gain: &mut dyn FnMut(Answer) -> i32| {
        listed.iter().for_each(|&answer| each(sign * gain(answer) - TENTHS * fair.holds_back(answer)));
    };
    match (ask.prompt, &at.state.action) {
        (Prompt::Scene, _) => {
            let floor = Floor::of(mind);
            rate(&mut |answer| floor.gain(answer));
        }
        (Prompt::Act, _) => rate(&mut |answer| mind.acts(answer)),
        (Prompt::Terms { .. }, Some(action)) => rate(&mut |answer| mind.on_terms(action, answer)),
        (Prompt::Ready(_), Some(action)) => rate(&mut |answer| mind.made_ready(action, answer)),
        (Prompt::Misfortune(_) | Prompt::Spend(_) | Prompt::Push(_), Some(action)) => {
            let dice = mind.dice(action);
            rate(&mut |answer| dice.gain(answer));
        }
        (Prompt::Guilt(who) | Prompt::Take(who) | Prompt::Lose(who), _) => {
            rate(&mut |answer| -mind.cost(who, answer));
        }
        (Prompt::Glory(who), Some(action)) => {
            let stake = mind.stake(action);
            rate(&mut |answer| mind.glory((who, action), &stake, answer));
        }
        (Prompt::Upper { on, by }, Some(action)) => {
            let stake = mind.stake(action);
            rate(&mut |answer| mind.upper((on, by, action), &stake, answer));
        }
        // The usual terms, a fair judgement.
        _ => rate(&mut |_| 0),
    }
}

/// The table as a seat knows it.
#[derive(Clone, Copy)]
struct Mind<'a> {
    at: At<'a>,
    viewer: Viewer,
}

/// What comes of a roll, for the players.
#[derive(Clone, Copy, Default)]
struct Stake {
    options: Options,
    kind: Kind,
    /// Harm: of a success of a test, of a failure of a save.
    blows: [Blow; 2],
    /// Whether those struck are players' characters.
    ours: bool,
    /// What else a success brings.
    success: i32,
    /// What else a failure brings.
    failure: i32,
}

/// Harm on one track.
#[derive(Clone, Copy, Default)]
struct Blow {
    /// Where it falls.
    track: Track,
    /// What is left of that; 0 where there is no blow.
    left: i32,
    /// Harm whatever the degrees.
    fixed: i32,
    /// Harm for each degree.
    each: i32,
}

/// What harm costs somebody with so much left of a track (`ext.harm`).
const fn harm(left: i32, harm: i32) -> i32 {
    let harm = if harm < left { harm } else { left };
    if harm <= 0 {
        return 0;
    }
    let after = left - harm;
    let out = if after == 0 { OUT } else { 0 };
    HARM * harm + earned(after) - earned(left) + out
}

/// What has been earned of [`ON_THE_WAY`] where so much of a track is left. A table, for means ask it often.
const fn earned(left: i32) -> i32 {
    const EARNED: [i32; 32] = {
        let mut earned = [0; 32];
        let mut left = 0;
        while left < earned.len() {
            earned[left] = ON_THE_WAY / (left as i32 + 1);
            left += 1;
        }
        earned
    };
    EARNED[(left & 31) as usize]
}

impl Stake {
    fn is_empty(&self) -> bool {
        self.success == 0 && self.failure == 0 && self.blows.iter().all(|blow| blow.left == 0)
    }

    /// Adds harm. What is on the same track falls together.
    fn strike(&mut self, blow: Blow) {
        if let Some(there) = self.blows.iter_mut().find(|there| there.left == 0 || there.track == blow.track)
        {
            *there = Blow { fixed: there.fixed + blow.fixed, each: there.each + blow.each, ..blow };
        }
    }

    fn harmed(&self, degrees: i32) -> i32 {
        let all: i32 = self.blows.iter().map(|blow| harm(blow.left, blow.fixed + blow.each * degrees)).sum();
        if self.ours { -all } else { all }
    }

    /// What a result is worth, with what may follow from it.
    fn of(&self, result: Outcome) -> i32 {
        let Outcome { success, band, degrees } = result;
        let degrees = i32::from(degrees);
        match (self.kind, success) {
            (Kind::Test, _) => {
                let comes = if success { self.success + self.harmed(degrees) } else { self.failure };
                let besides = match (success, band) {
                    (_, Band::Guilty) => -GUILT,
                    (true, Band::Glorious) => GLORY,
                    _ => 0,
                };
                TENTHS * TESTS[band as usize + 3 * usize::from(success)] + comes + besides
            }
            (Kind::Save, true) => self.success,
            (Kind::Save, false) => {
                let comes = self.harmed(degrees);
                let comes = match band {
                    Band::Guilty => (comes - GUILTY_SAVE).min(self.harmed(degrees + i32::from(OVERWHELMED))),
                    _ => comes,
                };
                TENTHS * SAVES[band as usize] + self.failure + comes
            }
        }
    }

    /// The mean over all throws of Truth and Light, where action power and number differ by so much and Light is
    /// spent well. Of a sum it is taken that Light can be kept for each kind of result, if the sum allows that.
    fn mean(&self, differ: i32, pushed: bool) -> i32 {
        let best = |sum: i32| {
            let with = |kept: i32| {
                let margin = (sum - kept + differ) as i16;
                self.of(roll::outcome(&self.options, (self.kind, pushed), margin, kept as u8))
            };
            // All but one point is spent, or the least that keeps the result innocent, or glorious.
            let Options { guilt_to, glory_from, .. } = self.options;
            let kept = [1, i32::from(guilt_to) + 1, i32::from(glory_from)].into_iter();
            let kept = kept.filter(|kept| *kept == 1 || *kept <= 6 && sum > kept + 1);
            kept.map(with).max().unwrap_or(0)
        };
        (2..).zip(WAYS).map(|(sum, ways)| ways * best(sum)).sum::<i32>() / THROWS
    }
}

impl Mind<'_> {
    /// What is left of a track of somebody's, as far as the seat knows.
    fn left(&self, who: Char, track: Track) -> u8 {
        let (size, left) =
            (self.at.rules.sheet(who).tracks[track.index()], self.at.state.being(who).tracks[track.index()]);
        match () {
            () if self.at.rules.harm != Harm::Tracks || size == 0 => 0,
            () if self.at.rules.is_pc(who) || knows_number(self.at, who, self.viewer) => left,
            () => GUESSED_TRACK.saturating_sub(size - left).max(1),
        }
    }

    /// The number that an action must reach, as far as the seat knows.
    fn number(&self, action: &Action) -> i32 {
        let set = !matches!(action.step, Step::Settle | Step::Terms);
        let rival = act::rival(self.at.rules, action, action.reach);
        let known = match rival {
            _ if set && (action.told || self.viewer.is_gm()) => Some(*action.tn.reveal()),
            _ if set => None,
            Some(npc) if knows_number(self.at, npc, self.viewer) => {
                Some(power::number(self.at, npc, action.kind, action.tags))
            }
            Some(_) => None,
            None if action.kind == Kind::Test => {
                let given = act::given_number(self.at, action, action.reach, action.tags);
                Some(given.unwrap_or(USUAL_NUMBER))
            }
            None => Some(settle::given_for_save(self.at, action, None).unwrap_or(USUAL_NUMBER)),
        };
        known.unwrap_or(GUESSED_NUMBER).into()
    }

    /// What comes of an action.
    fn stake(&self, action: &Action) -> Stake {
        let (who, them) = (action.who, action.target.and_then(Target::char));
        let struck = if action.kind == Kind::Save { Some(who) } else { them };
        let ours = struck.is_some_and(|struck| self.at.rules.is_pc(struck));
        let options = self.at.rules.options;
        let mut stake = Stake { options, kind: action.kind, ours, ..Stake::default() };
        if let (Some(end), Some(struck)) = (action.end, struck) {
            let ending = self.at.rules.ending(end);
            if let Some(track) = ending.track.filter(|_| ending.damaging) {
                let left = self.left(struck, track).into();
                stake.strike(Blow { track, left, fixed: 1, each: 1 });
            }
            let by = if action.kind == Kind::Save { them } else { Some(who) };
            let comes = self.all(&ending.effects, Doing::of(Origin::End(end), by, Some(struck)));
            *(if action.kind == Kind::Save { &mut stake.failure } else { &mut stake.success }) += comes;
        }
        // What an ability and a boon do comes of a success, of tests and saves alike.
        let helped = them.filter(|&them| self.at.rules.is_pc(them));
        let doing = Doing { ally: helped, ..Doing::of(Origin::Glory(Glory::Break), Some(who), them) };
        for effect in power::used(self.at, action).filter(|effect| !effect.into_roll()) {
            match (effect.verb, them) {
                (Verb::Harm(Some(track), n), Some(them))
                    if effect.on == Whom::Them && action.kind == Kind::Test =>
                {
                    let (n, left) = (i32::from(n), self.left(them, track).into());
                    let (fixed, each) = if effect.per_degree { (0, n) } else { (n, 0) };
                    stake.strike(Blow { track, left, fixed, each });
                }
                _ => stake.success += self.all(std::slice::from_ref(effect), doing),
            }
        }
        if action.shake.is_some() {
            // Who keeps it up saves: then it is a failure that frees.
            let frees = if action.kind == Kind::Save { &mut stake.failure } else { &mut stake.success };
            *frees += if action.kind == Kind::Save { -HAMPERED } else { HAMPERED };
        }
        stake
    }

    /// What effects are worth.
    fn all(&self, effects: &[Effect], doing: Doing) -> i32 {
        let of = |effect: &Effect| -> i32 {
            let on = impose::whom(self.at, effect.on, doing);
            on.iter().map(|who| self.laid(&impose::scaled(effect, USUAL_DEGREES), who)).sum()
        };
        effects.iter().map(of).sum()
    }

    /// What it is worth that an effect is on somebody.
    fn laid(&self, effect: &Effect, on: Char) -> i32 {
        let own = match effect.verb {
            Verb::Ap(n) | Verb::Pn(n) => POINT * i32::from(n),
            Verb::BanAbilities | Verb::Attention | Verb::Apart | Verb::Hold => -HAMPERED,
            Verb::LoseBoon(_) | Verb::MoveBoon => {
                boons::likeliest(self.at, on).map_or(0, |boon| -self.boon(boon))
            }
            Verb::RecoverBoon => boons::first_lost(self.at, on).map_or(0, |_| REGAINED),
            Verb::GainBoon(_) => BOON,
            Verb::Harm(Some(track), n) => -harm(self.left(on, track).into(), n.into()),
            Verb::Heal(track, n) => {
                let (size, left) = (
                    self.at.rules.sheet(on).tracks[track.index()],
                    self.at.state.being(on).tracks[track.index()],
                );
                let back = size.saturating_sub(left).min(n);
                // What is given back must be taken again.
                if left > 0 { harm((left + back).into(), back.into()) } else { 0 }
            }
            Verb::RerollLight => FORTUNE,
            Verb::ExtraAction(_, n) => HAMPERED * i32::from(n),
            _ => 0,
        };
        if self.at.rules.is_pc(on) { own } else { -own }
    }

    /// What a boon is worth to its holder.
    fn boon(&self, boon: Boon) -> i32 {
        let serves = self.at.state.use_of(self.at.rules, boon);
        let counts = |conflict: Conflict| serves.tags.is_empty() || serves.tags.has(conflict.tag());
        let bonus = if self.at.state.conflict.is_none_or(counts) { serves.bonus.into() } else { 0 };
        let lost = if serves.quality == Quality::Better { REGAINED } else { 0 };
        (BOON + BOON_POINT * bonus - lost).max(0)
    }

    /// The same with what of a power number rests on it, where the seat knows that (`npc-boons`).
    fn boon_of(&self, boon: Boon) -> i32 {
        let Some(holder) = self.at.state.place(boon).holder else { return 0 };
        let ours = self.at.rules.is_pc(holder);
        let known = !ours && knows_number(self.at, holder, self.viewer);
        let rests = if known { self.at.state.use_of(self.at.rules, boon).pn.into() } else { 0 };
        if ours { -self.boon(boon) } else { BOON + BOON_POINT * rests }
    }

    // ---- What is done.

    /// An action of a player's character.
    fn acts(&self, answer: Answer) -> i32 {
        match answer {
            Answer::Attack(deal) => self.declares(deal, Manner::Attack),
            Answer::Major(deal) => self.declares(deal, Manner::Plain),
            Answer::Minor { who, deed } => self.deed(who, deed),
            _ => 0,
        }
    }

    fn declares(&self, deal: Deal, manner: Manner) -> i32 {
        let mut action = act::declared(self.at, deal, manner);
        if act::is_between_players(self.at.rules, &action) {
            return 0;
        }
        let stake = self.stake(&action);
        let idle = if self.at.state.conflict.is_some() && stake.is_empty() { IDLE } else { 0 };
        roll::count(self.at, &mut action);
        let differ = i32::from(action.power) - self.number(&action);
        stake.mean(differ, false) - idle - self.spent(deal.ability, deal.using)
    }

    /// What is regained and shaken off costs no more than a minor action; nothing is put away again.
    fn deed(&self, who: Char, deed: Deed) -> i32 {
        match deed {
            Deed::Recover(_) | Deed::Shake(_) => FIRST,
            Deed::Ready(boon)
                if self.at.rules.is_pc(who) && !self.at.state.use_of(self.at.rules, boon).once =>
            {
                FIRST
            }
            _ => 0,
        }
    }

    /// What is spent with an ability and a boon.
    fn spent(&self, ability: Option<Ability>, using: Option<Boon>) -> i32 {
        let limited = ability.is_some_and(|ability| self.at.rules.power(ability).limit > 0);
        LIMITED_USE * i32::from(limited) + USED_UP * i32::from(using.is_some())
    }

    /// Saves on these terms. That a number is harder than usual makes no terms better.
    fn on_terms(&self, action: &Action, answer: Answer) -> i32 {
        let Answer::Terms { attribute, tags, end, .. } = answer else { return 0 };
        self.saved(&settle::on_terms(self.at, action, (attribute, tags, end)))
    }

    /// What a save comes to on average.
    fn saved(&self, action: &Action) -> i32 {
        let mut action = *action;
        roll::count(self.at, &mut action);
        self.stake(&action).mean(i32::from(action.power) - self.number(&action), false)
    }

    /// A roll with what goes into it.
    fn made_ready(&self, action: &Action, answer: Answer) -> i32 {
        let Answer::Ready { die, ability, using } = answer else { return 0 };
        let mut with = *action;
        with.ability = with.ability.or(ability);
        with.using = with.using.or(using);
        with.tags = ability.map_or(with.tags, |ability| with.tags.or(self.at.rules.power(ability).tags));
        let stake = self.stake(&with);
        roll::count(self.at, &mut with);
        let again = roll::rerolls(self.at, &with) > 0;
        let adds = DIE_ADDS * i32::from(die) + REROLL_ADDS * i32::from(again);
        let differ = i32::from(with.power) - self.number(&with) + adds;
        stake.mean(differ, false) - DIE / 2 * i32::from(die) - self.spent(ability, using)
    }

    // ---- Dice that have fallen.

    /// The dice of an action as its player sees them.
    fn dice(&self, action: &Action) -> Dice {
        let stake = self.stake(action);
        let number = self.number(action);
        let adds = DIE_ADDS * i32::from(action.die);
        let failed = stake.of(Outcome { success: false, band: Band::Innocent, degrees: 0 });
        let again = match action.kind {
            Kind::Test => stake.mean(i32::from(action.power) - number + adds, true).max(failed),
            Kind::Save => failed,
        };
        Dice { action: Action { tn: Secret::new(number as i8), ..*action }, stake, again }
    }

    // ---- What comes of it.

    /// What a guilt takes from the players.
    fn cost(&self, who: Char, answer: Answer) -> i32 {
        match answer {
            Answer::Guilt(GuiltPick::FaultAbility(ally)) => {
                let gifted = self.at.rules.abilities_of(ally).next().is_some();
                FAULT + HAMPERED * i32::from(gifted)
            }
            Answer::Guilt(GuiltPick::LoseBoons(lost)) if lost.iter().next().is_none() => FAULT,
            Answer::Guilt(GuiltPick::LoseBoons(lost)) | Answer::Lose(lost) => {
                lost.iter().map(|boon| self.boon(boon)).sum()
            }
            Answer::Guilt(GuiltPick::RaiseRisk) => RISK,
            Answer::Guilt(GuiltPick::SufferSurprise { by, end }) => -self.surprise(end, by.char(), Some(who)),
            Answer::Fortune(_) | Answer::Yes => FORTUNE / 2,
            // A guilt is picked after all.
            Answer::No => GUILT,
            _ => 0,
        }
    }

    /// What an end without degrees is worth.
    fn surprise(&self, end: End, by: Option<Char>, on: Option<Char>) -> i32 {
        self.all(&self.at.rules.ending(end).effects, Doing::of(Origin::End(end), by, on))
    }

    /// What a glory brings the players.
    fn glory(&self, (who, action): (Char, &Action), stake: &Stake, answer: Answer) -> i32 {
        let degrees = i32::from(action.result.degrees);
        match answer {
            Answer::Glory(GloryPick::GrantAbility(ally)) => {
                let serves = |ability: Ability| self.at.rules.power(ability).trigger.rolls().is_some();
                GRANT * i32::from(self.at.rules.abilities_of(ally).any(serves))
            }
            Answer::Glory(GloryPick::ControlBoons(Control::Improvise { once: true, .. })) => USED_UP,
            Answer::Glory(GloryPick::ControlBoons(Control::Improvise { .. })) => IMPROVISED,
            Answer::Glory(GloryPick::ControlBoons(Control::Steal(boon))) => {
                self.boon_of(boon) + if self.boon_of(boon) > 0 { self.boon(boon) } else { 0 }
            }
            Answer::Glory(GloryPick::ControlBoons(Control::Discard(boon))) => self.boon_of(boon),
            Answer::Glory(GloryPick::BreakRisk(BreakMode::Next)) => NEXT_ACTION,
            Answer::Glory(GloryPick::BreakRisk(BreakMode::Now)) => {
                let more = degrees + i32::from(self.at.rules.options.break_now);
                stake.harmed(more) - stake.harmed(degrees)
            }
            Answer::Glory(GloryPick::SpringSurprise { on, end }) => self.surprise(end, Some(who), on.char()),
            Answer::Fortune(_) => FORTUNE / 2,
            _ => 0,
        }
    }

    /// What comes of a guilty save, for the players.
    fn upper(&self, (on, by, action): (Char, Option<Char>, &Action), stake: &Stake, answer: Answer) -> i32 {
        let Answer::Upper(pick) = answer else { return 0 };
        let degrees = i32::from(action.result.degrees);
        match pick {
            UpperPick::Overwhelm => stake.harmed(degrees + i32::from(OVERWHELMED)) - stake.harmed(degrees),
            UpperPick::Press => -PRESSED,
            UpperPick::Rally(_) => -RALLIED,
            UpperPick::Seize(boon) => -self.boon(boon),
            UpperPick::Surprise(end) => self.surprise(end, by, Some(on)),
        }
    }
}

/// Dice that have fallen, and what Light can still do.
struct Dice {
    /// With the number as its player takes it.
    action: Action,
    stake: Stake,
    /// What a second roll is worth after a glorious failure, or to withdraw.
    again: i32,
}

impl Dice {
    fn gain(&self, answer: Answer) -> i32 {
        match answer {
            Answer::Spend(spend) => self.spent(&self.action, spend.max(0) as u8),
            Answer::Claim { spend, .. } => {
                let result = roll::result(&self.stake.options, &self.action, spend.max(0) as u8);
                let band = if result.band == Band::Glorious { Band::Innocent } else { result.band };
                self.stake.of(Outcome { band, success: false, ..result }) + DIE
            }
            Answer::GoodFortune => self.rerolled() - FORTUNE,
            Answer::BadFortune => self.rerolled() + FORTUNE / 2,
            Answer::Reroll => self.rerolled(),
            Answer::Pass => self.best(&self.action),
            Answer::PushOn => self.again,
            Answer::Withdraw => self.stake.of(Outcome { band: Band::Innocent, ..self.action.result }),
            _ => 0,
        }
    }

    /// The result of so much Light spent. After a glorious failure there may be a second roll (`push.offer`).
    fn spent(&self, action: &Action, spend: u8) -> i32 {
        let result = roll::result(&self.stake.options, action, spend);
        let may_push = !result.success && result.band == Band::Glorious;
        if may_push { self.again } else { self.stake.of(result) }
    }

    fn best(&self, action: &Action) -> i32 {
        (0..=roll::most(action)).map(|spend| self.spent(action, spend)).max().unwrap_or(0)
    }

    /// The mean over new faces of Light.
    fn rerolled(&self) -> i32 {
        let with = |light: u8| {
            let mut action = self.action;
            action.throw.light = light;
            self.best(&action)
        };
        (1..=6).map(with).sum::<i32>() / 6
    }
}

/// The gamemaster's floor: what is common to all answers.
struct Floor<'a> {
    mind: Mind<'a>,
    /// Nobody is left to act, or one side of the conflict is out.
    over: bool,
    /// The conflict goes on, and not for long.
    fights: bool,
    /// What an attack on each is worth, with their action power.
    attacked: ArrayVec<(Char, Stake, i32), MAX_CAST>,
    tags: TagSet,
}

impl<'a> Floor<'a> {
    fn of(mind: Mind<'a>) -> Floor<'a> {
        let At { rules, state } = mind.at;
        let mut floor = Floor {
            mind,
            over: scene::is_decided(mind.at),
            fights: state.conflict.is_some() && !scene::is_decided(mind.at) && state.beats < LONG,
            attacked: ArrayVec::new(),
            tags: TagSet::NONE,
        };
        let Some(conflict) = state.conflict else { return floor };
        let foe = rules.everybody().find(|&who| !rules.is_pc(who) && state.is_in(who));
        let does_harm = |end: &End| {
            let ending = rules.ending(*end);
            ending.damaging && ending.tags.has(conflict.tag())
        };
        let end = rules.all_ends().find(does_harm);
        for who in rules.pcs.iter().filter(|&who| state.is_in(who)) {
            let fresh = act::plain(who, Kind::Save, Step::Terms);
            let queue = CharSet::one(who);
            let action = Action { target: foe.map(Target::Char), attack: true, queue, ..fresh };
            let mut action = settle::on_terms(mind.at, &act::as_usual(mind.at, action), (None, None, end));
            roll::count(mind.at, &mut action);
            floor.tags = action.tags;
            floor.attacked.push((who, mind.stake(&action), action.power.into()));
        }
        floor
    }

    fn gain(&self, answer: Answer) -> i32 {
        match answer {
            // A fight is fought to its end, unless that is long in coming.
            Answer::Peace | Answer::Close | Answer::NextScene if self.fights => UNDONE,
            // A conflict that is decided ends, and then the scene.
            Answer::Peace if self.over => -FIRST,
            Answer::Close if self.over && self.mind.at.state.conflict.is_none() => -FIRST,
            Answer::Assault { by, on } => {
                let number = power::number(self.mind.at, by, Kind::Save, self.tags);
                let found = self.attacked.iter().find(|(who, ..)| *who == on);
                let mean = found.map_or(0, |(_, stake, power)| stake.mean(power - i32::from(number), false));
                (mean / ATTACKS).clamp(-TURN, TURN)
            }
            Answer::Minor { who, deed: deed @ (Deed::Recover(_) | Deed::Shake(_)) } => {
                -self.mind.deed(who, deed)
            }
            _ => 0,
        }
    }
}
