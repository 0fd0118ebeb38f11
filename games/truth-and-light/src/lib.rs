//! The Way of the Earth: Truth and Light.
//!
//! One module a chapter: `act`ions as they are declared, what the gamemaster
//! `settle`s, the `roll` with Light, fortune and the writhing die, the `outcome`
//! with its second roll, `guilt`s, `glory`s, what a guilty save brings (`upper`),
//! `boons`, `scene`s with turns and conflicts. `effect` is the one vocabulary that
//! all content is written in, `impose` begins and ends effects, `power` sums them
//! up. `flow` says what is open. Clause ids stand where things are decided.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "only tests name what is public here, and fields say what they are")]

include!(concat!(env!("OUT_DIR"), "/rulebook.rs"));

mod act;
pub mod answer;
mod board;
mod boons;
mod brisk;
mod carry;
pub mod effect;
pub mod event;
pub mod fiat;
mod flow;
mod forms;
mod glory;
mod guilt;
mod impose;
mod library;
mod outcome;
mod power;
mod questions;
mod roll;
pub mod rules;
mod scale;
mod scene;
mod settle;
mod setup;
mod stage;
pub mod state;
mod upper;
mod view;
pub mod vocab;
mod weigh;
mod words;

use crate::answer::{Answer, Prompt};
use crate::state::{State, Tally};
use crate::{event::Event, fiat::Fiat, rules::Rules, view::View, vocab::*};
use fracas_kernel::{
    Asking, Faults, Game, Hidden, Known, Names, NoFold, NoSink, Refused, Rolled, Rulebook, Seat, SeatInfo,
    Setup, Sink, Slot, System, Viewer, system_of,
};
use serde::{Deserialize, Serialize};

/// Truth and Light.
#[derive(Clone, Copy, Debug)]
pub enum TruthAndLight {}

/// The table at one moment.
type At<'a> = fracas_kernel::At<'a, TruthAndLight>;
/// The table in play.
type Play<'a, S> = fracas_kernel::Play<'a, TruthAndLight, S>;

/// The registry's entry.
// Not const and not inlined: so its table is compiled here, once for all crates.
#[inline(never)]
pub fn system() -> System {
    system_of::<TruthAndLight>()
}

/// What a seat may say it will answer until further notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The gamemaster settles actions as they were declared, where a number is given.
    Agree,
    /// The gamemaster finds every reason for a writhing sufficient.
    Approve,
    /// The gamemaster allows what players pick.
    Allow,
    /// The gamemaster never plays bad fortune.
    Mercy,
    /// Never puts anything of their own into a roll.
    Plain,
    /// Never pushes on.
    Withdraw,
}

/// What has come of things: what odds and simulation count.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    /// Tests: guilty, innocent and glorious failures, then successes.
    pub tests: [u16; 6],
    /// Saves: guilty and innocent failures, then successes.
    pub saves: [u16; 3],
    /// Players' characters that went out.
    pub lost: u8,
    /// Others that went out.
    pub won: u8,
    /// Harm that players' characters took, less what they got back.
    pub harm: i16,
}

impl Game for TruthAndLight {
    const ID: &'static str = "truth-and-light";
    const VERSION: u32 = 10;
    const ORDERED: bool = true;

    type Rules = Rules;
    type State = State;
    type Prompt = Prompt;
    type Answer = Answer;
    type Event = Event;
    type View = View;
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

    fn mask(rules: &mut Rules, state: &mut State, hidden: &Hidden) {
        view::mask(rules, state, hidden);
    }

    fn lacking(version: u32) -> Option<&'static [u8]> {
        // Since version 3, who and what has been there.
        (version < Self::VERSION).then_some(if version < 3 { &[0; 4] } else { &[] })
    }

    fn catch_up(rules: &Rules, start: &State, state: &mut State, version: u32) -> bool {
        // Before version 4 a guilt came before its success, before version 5 before the feats
        // that answer its failure.
        if let Some(action) = state.action.filter(state::Action::has_come_about)
            && version < if action.result.success { 4 } else { 5 }
        {
            outcome::come_about(&mut Play { rules, state, sink: &mut NoSink }, &action);
        }
        // Before version 7 what breaks a hold was on nobody.
        if let Some(mut action) = state.action
            && version < 7
            && action.target.is_none()
            && matches!(action.step, state::Step::Settle | state::Step::Ready | state::Step::Dice)
        {
            action.target = act::keeper(state, action.who, action.shake).map(Target::Char);
            state.action = Some(action);
        }
        // Before version 9 an ability that was forbidden meanwhile counted.
        if version < 9 {
            let play = &mut Play { rules, state, sink: &mut NoSink };
            act::forbid(play);
            settle::recount(play);
        }
        // Before version 5 those who had acted in a round were still left with actions.
        scene::leave_nothing(rules, state);
        if version >= 3 {
            return true;
        }
        state.remember();
        // Things of those who are away are counted last since version 3.
        let is_away = |who: Char| !rules.is_pc(who) && start.being(who).away;
        let owners: Vec<Char> = start.boons.iter().filter_map(|place| place.holder).collect();
        owners.is_sorted() || !owners.into_iter().any(is_away)
    }

    fn settles(prompt: &Prompt) -> bool {
        use Prompt::*;
        matches!(
            prompt,
            Misfortune(_) | Spend(_) | Push(_) | Guilt(_) | Take(_) | Lose(_) | Glory(_) | Upper { .. }
        )
    }

    fn seats(rules: &Rules) -> Vec<SeatInfo> {
        rules.roster.seats(|seat| {
            rules.cast.iter().filter(|sheet| sheet.seat == seat).map(|sheet| sheet.slug.clone()).collect()
        })
    }

    fn rename(rules: &mut Rules, seat: Seat, name: &str) {
        rules.roster.rename(seat, name);
    }

    fracas_kernel::asking!(Game);

    fn roll(rules: &Rules, state: &mut State, rolled: Rolled<'_, NoFold>, sink: &mut impl Sink<Event>) {
        let Rolled::Faces(faces) = rolled;
        flow::fell(&mut Play { rules, state, sink }, faces);
    }

    fn view(rules: &Rules, state: &State, who: Viewer) -> View {
        view::view(At { rules, state }, who)
    }

    fn outcome(rules: &Rules, state: &State, since: &State) -> Outcome {
        let out = |pcs: bool| {
            let went = |&who: &Char| {
                let before = since.cast.get(who.index()).is_some_and(|being| !being.out);
                rules.is_pc(who) == pcs && state.being(who).out && before
            };
            rules.everybody().filter(went).count() as u8
        };
        let left = |state: &State| -> i16 {
            let of = |who: Char| state.cast.get(who.index()).map(|being| being.tracks);
            rules.pcs.iter().filter_map(of).flatten().map(i16::from).sum()
        };
        let Tally { tests, saves } = state.tally;
        Outcome {
            tests: std::array::from_fn(|at| tests[at].saturating_sub(since.tally.tests[at])),
            saves: std::array::from_fn(|at| saves[at].saturating_sub(since.tally.saves[at])),
            lost: out(true),
            won: out(false),
            harm: left(since) - left(state),
        }
    }

    fn worth(rules: &Rules, state: &State, seat: Seat) -> i32 {
        weigh::worth(At { rules, state }, seat)
    }

    fn restraint(rules: &Rules, state: &State, slot: Slot, answer: Answer) -> i32 {
        weigh::restraint(At { rules, state }, slot, answer)
    }

    fn appeal(rules: &Rules, state: &State, at: (Slot, Seat), listed: &[Answer], each: &mut impl FnMut(i32)) {
        brisk::appeal(At { rules, state }, at, listed, each);
    }

    fn cuts_in(rules: &Rules, state: &State, slot: Slot) -> bool {
        let at = At { rules, state };
        let seat = Self::ask_at(at, slot).and_then(|ask| ask.who.seat());
        seat.is_some_and(|seat| weigh::cuts_in(at, seat))
    }

    fn fiat(
        rules: &mut Rules,
        state: &mut State,
        fiat: &Fiat,
        sink: &mut impl Sink<Event>,
    ) -> Result<(), Refused> {
        let shaking = state.shaking();
        fiat::apply(rules, state, fiat, sink)?;
        state.remember();
        flow::mend(&mut Play { rules, state, sink }, shaking);
        Ok(())
    }

    fn decline(rules: &Rules, state: &State, slot: Slot) -> Option<Answer> {
        match Self::ask_at(At { rules, state }, slot)?.prompt {
            Prompt::Misfortune(_) => Some(Answer::Pass),
            Prompt::Ready(_) => Some(Answer::PLAIN),
            Prompt::Push(_) => Some(Answer::Withdraw),
            Prompt::Take(_) => Some(Answer::No),
            _ => None,
        }
    }

    // Nothing keeps anybody from all else, so there is no hindrance.
    fn is_idle(answer: &Answer) -> bool {
        matches!(answer, Answer::Pass | Answer::Done(_))
    }

    fn is_grave(answer: &Answer) -> bool {
        matches!(answer, Answer::Peace | Answer::Close)
    }

    fn standing(rules: &Rules, state: &State, slot: Slot, reply: Standing) -> Option<Answer> {
        match (reply, Self::ask_at(At { rules, state }, slot)?.prompt) {
            (Standing::Agree, Prompt::Settle { .. }) => {
                let agreed = Answer::AGREED;
                Self::check(rules, state, slot, agreed).is_ok().then_some(agreed)
            }
            (Standing::Approve, Prompt::Reason(_)) | (Standing::Allow, Prompt::Allow(_)) => Some(Answer::Yes),
            (Standing::Mercy, Prompt::Misfortune(_)) => Some(Answer::Pass),
            (Standing::Plain, Prompt::Ready(_)) => Some(Answer::PLAIN),
            (Standing::Withdraw, Prompt::Push(_)) => Some(Answer::Withdraw),
            _ => None,
        }
    }

    fn may_stand(_: &Rules, seat: Seat, reply: Standing) -> Result<(), Refused> {
        let players = matches!(reply, Standing::Plain | Standing::Withdraw);
        match (seat == Seat::Gm, players) {
            (true, true) => Err(Refused::rule(
                clause!("roll.players-only"),
                "only players roll, and stand by what goes into a roll",
            )),
            (false, false) => Err(Refused::rule(
                clause!("kind.gm-calls"),
                "that is for the gamemaster to say, and to stand by",
            )),
            _ => Ok(()),
        }
    }

    fn carry(rules: &Rules, state: &State) -> Option<serde_json::Value> {
        Some(carry::carry(At { rules, state }))
    }

    fn learnt(_: &Rules, state: &State, earlier: &State) -> Vec<Fiat> {
        let since = state.known.minus(earlier.known);
        since.iter().map(|who| Fiat::Known { who, known: true }).collect()
    }

    fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
        view::scramble(rules, state, who, seed);
    }
}
