//! The Way of All the Earth: the Judge Two System.
//!
//! One module a chapter: `turn` and rounds, `test`s, `judging` of dice,
//! `save`s, `intervene` for interventions, `attack`s, `harm` for what
//! they do, `risk`, `threat`s, `mark`s, `guard`ing, `group`s,
//! `deed`s and boons, `arms` and reach, `burden`s, `script`s, `prestige`,
//! `disguise`s, what `suit`s the circumstances, `scene`s with rest and death.
//! `flow` says what is open and moves the table on. Clause ids stand where things
//! are decided.

#![allow(missing_docs, reason = "only tests name what is public here, and fields say what they are")]
#![forbid(unsafe_code)]

include!(concat!(env!("OUT_DIR"), "/rulebook.rs"));

pub mod answer;
mod arms;
mod attack;
mod board;
mod brisk;
mod burden;
mod carry;
mod deed;
mod disguise;
pub mod event;
pub mod fiat;
mod flow;
mod forms;
mod group;
mod guard;
mod harm;
mod hindrance;
mod intervene;
mod judging;
mod library;
mod mark;
mod notice;
mod overtaken;
mod parts;
mod prestige;
pub mod promise;
mod questions;
mod risk;
pub mod rules;
mod save;
mod scene;
mod scramble;
mod script;
mod setup;
mod stage;
mod standing;
pub mod state;
mod suit;
mod test;
mod threat;
mod turn;
mod view;
pub mod vocab;
mod words;

use crate::answer::{Answer, Prompt};
use crate::state::{Fate, State};
use crate::{event::Event, fiat::Fiat, rules::Rules, vocab::*};
use fracas_kernel::{
    Asking, Clause, Faults, Game, Hidden, Known, Names, NoFold, NoSink, Refused, Rolled, Rulebook, Seat,
    SeatInfo, Setup, Sink, Slot, System, Viewer, system_of,
};
use serde::{Deserialize, Serialize};

/// The Judge Two System.
#[derive(Clone, Copy, Debug)]
pub enum JudgeTwo {}

/// The table at one moment.
type At<'a> = fracas_kernel::At<'a, JudgeTwo>;
/// The table in play.
type Play<'a, S> = fracas_kernel::Play<'a, JudgeTwo, S>;

/// The registry's entry.
// Not const and not inlined: so its table is compiled here, once for all crates.
#[inline(never)]
pub fn system() -> System {
    system_of::<JudgeTwo>()
}

/// What a seat may say it will answer until further notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The gamemaster settles attacks as they were declared.
    Agree,
    /// The gamemaster confirms every deed.
    Confirm,
    NeverGuard,
    /// Never guards with a character at this risk or more.
    NeverGuardFrom(u8),
    NeverCounter,
}

/// What has come of things: what odds and simulation count.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    /// Players' characters that went out.
    pub lost: u8,
    pub dead: u8,
    /// Others that went out.
    pub won: u8,
    /// Marks that players' characters got.
    pub marks: u8,
    /// Risk of all players' characters now.
    pub risk: u16,
    /// Rounds that passed.
    pub rounds: u16,
}

impl Game for JudgeTwo {
    const ID: &'static str = "judge-two";
    const VERSION: u32 = 12;
    const OTHERS: &'static str = "foe";

    type Rules = Rules;
    type State = State;
    type Prompt = Prompt;
    type Answer = Answer;
    type Event = Event;
    type View = serde_json::Value;
    type Fold = NoFold;
    type Fiat = Fiat;
    type Standing = Standing;
    type Outcome = Outcome;

    fn rulebook() -> &'static Rulebook {
        &RULEBOOK
    }

    fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
        setup::start(setup)
    }

    fn library(setup: &Setup) -> Result<(), Faults> {
        library::check(setup)
    }

    fn templates() -> &'static [(&'static str, &'static str)] {
        &[
            ("character", include_str!("../templates/character.toml")),
            ("encounter", include_str!("../templates/encounter.toml")),
        ]
    }

    fn names(rules: &Rules) -> &Names {
        &rules.roster.names
    }

    fn knows(rules: &Rules, state: &State, name: (char, usize), who: Viewer) -> Known {
        view::knows_name(At { rules, state }, name, who)
    }

    fn mask(rules: &mut Rules, _: &mut State, hidden: &Hidden) {
        view::mask(rules, hidden);
    }

    fn lacking(version: u32) -> Option<&'static [u8]> {
        match version {
            // Whom nobody has noticed, whether it is an ambush, a group's deeds, who is
            // elsewhere, idle rounds, and who provoked whom.
            1 | 2 => Some(&[0; 18]),
            // A group's deeds, who is elsewhere, idle rounds, and who provoked whom.
            3..=6 => Some(&[0; 13]),
            // Idle rounds, and who provoked whom.
            7 => Some(&[0; 5]),
            // Who provoked whom.
            8 | 9 => Some(&[0; 4]),
            // The same state.
            10 | 11 => Some(&[]),
            _ => None,
        }
    }

    fn catch_up(rules: &Rules, _: &State, state: &mut State, version: u32) -> bool {
        if version < 3 {
            notice::at_start(rules, state);
        }
        let play = &mut Play { rules, state, sink: &mut NoSink };
        notice::leave(play);
        threat::dissolve(play);
        threat::end_misdirections(play);
        true
    }

    fn seats(rules: &Rules) -> Vec<SeatInfo> {
        let holds = |seat| -> Vec<String> {
            rules.cast.iter().filter(|sheet| sheet.seat == seat).map(|sheet| sheet.slug.clone()).collect()
        };
        rules.roster.seats(holds)
    }

    fn rename(rules: &mut Rules, seat: Seat, name: &str) {
        rules.roster.rename(seat, name);
    }

    fracas_kernel::asking!(Game);

    fn roll(rules: &Rules, state: &mut State, rolled: Rolled<'_, NoFold>, sink: &mut impl Sink<Event>) {
        let Rolled::Faces(faces) = rolled;
        flow::roll(&mut Play { rules, state, sink }, faces);
    }

    fn view(rules: &Rules, state: &State, who: Viewer) -> serde_json::Value {
        view::view(At { rules, state }, who)
    }

    fn outcome(rules: &Rules, state: &State, since: &State) -> Outcome {
        let out = |pcs: bool| {
            let went = |&who: &Char| {
                rules.is_pc(who) == pcs
                    && (state.being(who).fate != Fate::In
                        || (state.being(who).silenced && state.form.is_none()))
                    && since.cast.get(who.index()).is_some_and(|being| being.fate == Fate::In)
            };
            rules.everybody().filter(went).count() as u8
        };
        let pcs = || rules.pcs.iter().map(|who| (state.being(who), since.being(who)));
        Outcome {
            lost: out(true),
            dead: pcs().filter(|(now, then)| now.fate == Fate::Dead && then.fate != Fate::Dead).count() as u8,
            won: out(false),
            marks: pcs().map(|(now, then)| now.marks.len().saturating_sub(then.marks.len()) as u8).sum(),
            risk: pcs().map(|(now, _)| u16::from(now.risk)).sum(),
            rounds: state.round.saturating_sub(since.round),
        }
    }

    fn worth(rules: &Rules, state: &State, seat: Seat) -> i32 {
        let standing = |who: Char| {
            let being = state.being(who);
            let in_play = match being.fate {
                Fate::In | Fate::Away => 0,
                Fate::Finished(_) => -60,
                Fate::Dead => -90,
            };
            // One weapon and one shield in hand are worth having, a third thing is not.
            let has = |category| risk::readied(state, who).any(|item| rules.gear(item).category == category);
            let armed = i32::from(has(Category::Power)) + i32::from(has(Category::Keen));
            // A character who was won over in an argument is out of it for good.
            let silenced = being.fate == Fate::In && being.silenced;
            in_play
                - 50 * i32::from(silenced)
                - 3 * i32::from(being.burdened)
                - 3 * i32::from(being.dislodged)
                - 2 * i32::from(being.poise != state::Poise::Composed)
                - 4 * i32::from(risk::counted(At { rules, state }, who))
                - 9 * being.marks.len() as i32
                - 3 * i32::from(being.weakened)
                - 3 * i32::from(being.bind != 0)
                - 3 * being.misdirected_by.len() as i32
                + 2 * armed
        };
        let ours: i32 = rules.pcs.iter().map(standing).sum();
        let hidden = |who| view::is_hidden(state, who, Viewer::Seat(seat));
        let theirs = rules.everybody().filter(|&who| !rules.is_pc(who) && !hidden(who));
        let theirs: i32 = theirs.map(standing).sum();
        // A guilty roll gives the gamemaster a move.
        let pending = state.stack.iter().filter(|f| matches!(f, state::Frame::Intervene(_))).count() as i32;
        let balance = ours - theirs - 6 * pending;
        // With nobody left to face, the scene may as well end.
        let done = match state.stack.last() {
            _ if state.over => 3,
            Some(state::Frame::Between | state::Frame::Fading { .. } | state::Frame::Resting { .. }) => 2,
            Some(state::Frame::Aftermath) => 1,
            _ if state.form.is_none() && scene::is_decided_among_unbeaten(state) => -20,
            _ => 0,
        };
        done + if seat == Seat::Gm { -balance } else { balance }
    }

    fn restraint(_: &Rules, state: &State, _: Slot, answer: Answer) -> i32 {
        brisk::restraint(state, answer)
    }

    fn appeal(
        rules: &Rules,
        state: &State,
        asked: (Slot, Seat),
        listed: &[Answer],
        each: &mut impl FnMut(i32),
    ) {
        brisk::appeal(At { rules, state }, asked, listed, each);
    }

    fn cuts_in(rules: &Rules, state: &State, slot: Slot) -> bool {
        let asked = JudgeTwo::ask_at(At { rules, state }, slot);
        asked.is_some_and(|ask| ask.prompt == Prompt::Scene)
            && state.stack.is_empty()
            && scene::is_stale(state)
    }

    fn fiat(
        rules: &mut Rules,
        state: &mut State,
        fiat: &Fiat,
        sink: &mut impl Sink<Event>,
    ) -> Result<(), Refused> {
        let (before, pcs) = (flow::omens(At { rules, state }), notice::watchers(At { rules, state }));
        mark::witness(state);
        fiat::apply(rules, state, fiat, sink)?;
        let play = &mut Play { rules, state, sink };
        threat::dissolve(play);
        threat::end_misdirections(play);
        notice::keep(play.rules, play.state, pcs);
        mark::witness(play.state);
        flow::settle(play);
        notice::leave(play);
        flow::tell_omens(play, before);
        Ok(())
    }

    fn decline(rules: &Rules, state: &State, slot: Slot) -> Option<Answer> {
        match JudgeTwo::ask_at(At { rules, state }, slot)?.prompt {
            Prompt::Guard { .. } | Prompt::Counter { .. } | Prompt::CounterWhom { .. } => Some(Answer::Pass),
            Prompt::Draw(_) | Prompt::Disguise(_) => Some(Answer::Pass),
            Prompt::GroupDeed(_) => Some(Answer::Pass),
            _ => None,
        }
    }

    fn settles(prompt: &Prompt) -> bool {
        use Prompt::*;
        matches!(
            prompt,
            Judge(_)
                | Truth(_)
                | Light(_)
                | Order(_)
                | Harm { .. }
                | Counter { .. }
                | CounterWhom { .. }
                | Accept { .. }
        )
    }

    fn is_idle(answer: &Answer) -> bool {
        *answer == Answer::Pass
    }

    fn is_grave(answer: &Answer) -> bool {
        matches!(answer, Answer::Peace | Answer::Close)
    }

    fn asked_in_sight(prompt: &Prompt) -> bool {
        matches!(prompt, Prompt::Counter { .. } | Prompt::Draw(_))
    }

    fn hindrance(rules: &Rules, state: &State, slot: Slot) -> Option<Clause> {
        hindrance::at(At { rules, state }, slot)
    }

    fn standing(rules: &Rules, state: &State, slot: Slot, reply: Standing) -> Option<Answer> {
        let ask = JudgeTwo::ask_at(At { rules, state }, slot)?;
        match (reply, ask.prompt) {
            (Standing::Agree, Prompt::Settle { on: Some(_), .. }) => {
                // What needs the gamemaster's leave is still asked.
                let asked = matches!(state.top(), Some(state::Frame::Test(test))
                    if test::needs_leave(At { rules, state }, test));
                (!asked).then_some(Answer::Yes)
            }
            (Standing::Confirm, Prompt::Deed { .. }) => Some(Answer::Yes),
            (Standing::NeverGuard, Prompt::Guard { .. }) => Some(Answer::Pass),
            (Standing::NeverGuardFrom(risk), Prompt::Guard { on, .. }) => {
                let mine = guard::able(At { rules, state }, on)
                    .iter()
                    .filter(|&who| ask.who == fracas_kernel::Who::One(rules.seat(who)))
                    .all(|who| state.being(who).risk >= risk);
                mine.then_some(Answer::Pass)
            }
            (Standing::NeverCounter, Prompt::Counter { .. } | Prompt::CounterWhom { .. }) => {
                Some(Answer::Pass)
            }
            _ => None,
        }
    }

    fn may_stand(_: &Rules, seat: Seat, reply: Standing) -> Result<(), Refused> {
        standing::may(seat, reply)
    }

    fn carry(rules: &Rules, state: &State) -> Option<serde_json::Value> {
        Some(carry::carry(At { rules, state }))
    }

    fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
        scramble::scramble(rules, state, who, seed);
    }
}
