//! How things stand, for bots.

use crate::answer::{Answer, Deal, Deed};
use crate::rules::{Harm, Rules};
use crate::state::{Call, Fortunes, Lie, Live, Place, State, Tally};
use crate::{At, TruthAndLight, effect::Verb, scene, view::sees, vocab::*};
use fracas_kernel::{Asking, Seat, Slot, Viewer};

/// How well things stand for a seat. Power numbers, target numbers and, for players,
/// characters who are not in the scene are not looked at: they may be hidden.
pub(crate) fn worth(at: At<'_>, seat: Seat) -> i32 {
    let ours: i32 = at.rules.pcs.iter().map(|who| standing(at, who)).sum();
    let seen = |who: Char| sees(at, who, Viewer::Seat(seat));
    let theirs = at.rules.everybody().filter(|&who| !at.rules.is_pc(who) && seen(who));
    let theirs: i32 = theirs.map(|who| standing(at, who)).sum();
    let balance = ours - theirs + tallied(&at.state.tally);
    // With nobody left to face, the scene may as well end.
    let done = match (at.state.over, at.state.conflict) {
        (true, _) => 3,
        (false, None) if at.state.beats >= 3 => 1,
        _ => 0,
    };
    done + if seat == Seat::Gm { -balance } else { balance }
}

/// What results are worth to the players, by [`Tally`].
pub(crate) const TESTS: [i32; 6] = [-10, -4, -4, 6, 10, 12];
pub(crate) const SAVES: [i32; 3] = [-8, -4, 0];

fn tallied(tally: &Tally) -> i32 {
    let sum = |counts: &[u16], values: &[i32]| -> i32 {
        counts.iter().zip(values).map(|(&n, value)| i32::from(n) * value).sum()
    };
    sum(&tally.tests, &TESTS) + sum(&tally.saves, &SAVES)
}

fn standing(at: At<'_>, who: Char) -> i32 {
    let being = at.state.being(who);
    let harm = at.rules.sheet(who).tracks.into_iter().zip(being.tracks);
    let harm = harm.map(|(size, left)| i32::from(size) - i32::from(left));
    let taken: i32 = if at.rules.harm == Harm::Tracks { harm.sum() } else { 0 };
    let lies = |place: &Place| match place.lie {
        Lie::InUse => 3,
        Lie::Kept | Lie::Lost => 1,
        Lie::Gone => 0,
    };
    let boons: i32 = at.state.boons.iter().filter(|place| place.holder == Some(who)).map(lies).sum();
    let lasts = |live: &Live| match live.effect.verb {
        Verb::Ap(n) | Verb::Pn(n) => i32::from(n) * i32::from(live.times),
        Verb::BanAbilities | Verb::Attention | Verb::Apart | Verb::Hold => -2,
        _ => 0,
    };
    let lasting: i32 = at.state.live.iter().filter(|live| live.on == who).map(lasts).sum();
    let fortunes = |n: Fortunes| i32::from(n.now) + i32::from(n.next);
    lasting + boons - 3 * taken - 50 * i32::from(being.out)
        + 4 * i32::from(being.die.held)
        + 3 * fortunes(being.good)
        - 3 * fortunes(being.bad)
}

/// How many take part in a scene, and how many of them have acted.
struct Side {
    all: usize,
    acted: usize,
}

impl Side {
    /// The players' side, and that of their foes.
    fn both(rules: &Rules, state: &State) -> [Side; 2] {
        [true, false].map(|pcs| {
            let is_of = |&who: &Char| rules.is_pc(who) == pcs && (pcs || state.being(who).hostile);
            let here = || rules.everybody().filter(is_of).filter(|&who| state.is_in(who));
            Side { all: here().count(), acted: here().filter(|&who| state.acted.has(who)).count() }
        })
    }
}

/// How many actions a scene with foes goes on before a conflict begins, and how many before
/// it may end without one.
const PEACEFUL: u16 = 4;
const PATIENT: u16 = 12;

/// Whether something in the scene is dangerous in this kind of conflict.
fn is_dangerous_in(at: At<'_>, kind: Conflict) -> bool {
    at.state.hazards.iter().any(|hazard| at.rules.hazards[hazard.index()].tags.has(kind.tag()))
}

/// Whether a fight goes on.
fn is_fight(at: At<'_>) -> bool {
    at.state.conflict.is_some() && !scene::is_decided(at)
}

/// Whether a fair player of this seat goes on before others act again, where nobody counts
/// turns. The gamemaster does in a fight whose foes have acted no more than the players'
/// characters; else, where there are foes, once the scene has gone on for a while, for it
/// may turn into a conflict. A player does whose characters have not acted while others have.
pub(crate) fn cuts_in(at: At<'_>, seat: Seat) -> bool {
    if at.state.action.is_some() || at.state.call != Call::Open {
        return false;
    }
    let [ours, theirs] = Side::both(at.rules, at.state);
    if seat != Seat::Gm {
        let own = |&who: &Char| at.rules.seat(who) == seat && at.state.is_in(who);
        return ours.acted > 0 && !at.rules.pcs.iter().filter(own).any(|who| at.state.acted.has(who));
    }
    let due = match is_fight(at) {
        true => ours.acted > 0 && ours.acted >= theirs.acted,
        false => ours.acted > 0 && at.state.beats >= PEACEFUL,
    };
    theirs.all > 0 && due
}

/// What holds a fair player back.
pub(crate) fn restraint(at: At<'_>, slot: Slot, answer: Answer) -> i32 {
    let seat = TruthAndLight::ask_at(at, slot).and_then(|ask| ask.who.seat());
    Fair::of(at, seat).holds_back(answer)
}

/// How a table stands to a fair player: what is common to all answers.
pub(crate) struct Fair<'a> {
    at: At<'a>,
    seat: Option<Seat>,
    /// A conflict goes on.
    fighting: bool,
    /// A conflict is decided.
    decided: bool,
    /// How long the scene has gone on: a fight that goes on and on is let go of.
    worn: i32,
    /// Foes are due to act.
    due: bool,
    /// Foes are there, and it comes to a conflict yet.
    looming: bool,
}

impl<'a> Fair<'a> {
    pub(crate) fn of(at: At<'a>, seat: Option<Seat>) -> Fair<'a> {
        let fighting = is_fight(at);
        // Foes are due where they have acted less, and all of them once the players have.
        let [ours, theirs] = Side::both(at.rules, at.state);
        Fair {
            at,
            seat,
            fighting,
            decided: at.state.conflict.is_some() && !fighting,
            worn: 3 * i32::from(at.state.beats.min(25)),
            due: fighting && (ours.acted > theirs.acted || ours.acted == ours.all),
            looming: at.state.conflict.is_none() && theirs.all > 0 && at.state.beats < PATIENT,
        }
    }

    /// How reluctant a fair player is to give an answer.
    pub(crate) fn holds_back(&self, answer: Answer) -> i32 {
        let Fair { at, seat, fighting, worn, due, looming, .. } = *self;
        // A scene in which nobody fights is let go of, too.
        let stale = if fighting { 0 } else { worn };
        // Where there are foes it comes to a conflict before the scene is over.
        let undone = 40 - 5 * i32::from(at.state.beats.min(8)) + 30 * i32::from(looming);
        match answer {
            // A conflict is fought, and a scene played, before it ends.
            Answer::Peace if self.decided => 0,
            Answer::Peace => 60 - worn,
            Answer::Close if fighting => 80 - worn,
            Answer::NextScene if fighting => 160 - worn,
            Answer::NextScene => undone + 5,
            Answer::Close => undone,
            // Nobody tests for trifles, and everybody gets their turn.
            Answer::Test { .. } => 30 + stale,
            Answer::Save { by: Target::Surroundings, .. } => 40 + stale,
            Answer::Save { on, .. } => 15 + 8 * on.len() as i32 + stale,
            Answer::Assault { by, .. } if at.state.acted.has(by) => 30,
            Answer::Assault { .. } if at.state.call != Call::Gm && !due => 12,
            Answer::Floor(who) => stale + 12 * i32::from(due) + 6 * i32::from(at.state.acted.has(who)),
            Answer::NextRound => 10,
            Answer::Place { .. } | Answer::Notice(_) => 25,
            Answer::Hostile { .. } => 25,
            // In a fight one fights, or does something that helps.
            Answer::Major(Deal { shake: None, ability: None, using: None, .. }) if fighting => 14,
            // The scene itself says what kind: by what is dangerous in it.
            Answer::Conflict(kind) => {
                let begins = if looming { 20 - 2 * i32::from(at.state.beats) } else { 20 };
                begins + 4 * i32::from(!is_dangerous_in(at, kind))
            }
            // What is lost is regained; nobody fiddles with the rest.
            Answer::Minor { deed: Deed::Recover(_) | Deed::Shake(_), .. } => 1,
            Answer::Minor { .. } if seat == Some(Seat::Gm) => 60,
            Answer::Minor { .. } => 12,
            Answer::Done(_) => 4,
            Answer::Settle { label: Label::Minor, .. } | Answer::Conversation => 25,
            // All numbers are worth the same. The best attribute is that of the deed, or else that of
            // its ability, its end, its target or the conflict.
            Answer::Settle { attribute, tn, .. } | Answer::Terms { attribute, tn, .. } => {
                let proposed = at.state.action.map(|action| action.attribute);
                let other = attribute.is_some() && attribute != proposed;
                tn.map_or(0, |tn| 5 * i32::from((tn - 9).abs())) + 25 * i32::from(other)
            }
            Answer::Fortune(_) => 6,
            // A good reason is good enough, what is at hand is at hand, and what is tried can
            // be tried.
            Answer::Refuse => 90,
            Answer::No if seat == Some(Seat::Gm) => 90,
            _ => 0,
        }
    }
}
