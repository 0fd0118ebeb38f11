//! Ruins & Raiders: checks of two dice, and battles on a map.
//!
//! One module a chapter: the `scene` with what the Adversary calls for, `check`s, `round`s with
//! initiative, turns and those who wait, what somebody does (`act`), moves (`walk`), `attack`s.
//! `values` works combat values out. `flow` says what is open. Clause ids stand where things are decided.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "only tests name what is public here, and fields say what they are")]

include!(concat!(env!("OUT_DIR"), "/rulebook.rs"));

mod act;
pub mod answer;
mod attack;
mod brisk;
mod carry;
mod check;
pub mod effect;
pub mod event;
pub mod fiat;
mod flow;
mod forms;
mod library;
mod point;
mod points;
mod questions;
mod round;
pub mod rules;
mod scene;
mod setup;
mod stage;
pub mod state;
mod values;
mod view;
pub mod vocab;
mod walk;
mod weigh;
mod words;

use crate::answer::{Answer, Prompt};
use crate::{event::Event, fiat::Fiat, rules::Rules, state::State, view::View, vocab::*};
use fracas_kernel::{
    Asking, Asks, Faults, Game, Hidden, Known, Names, NoFold, Refused, Rolled, Rulebook, Seat, SeatInfo,
    Setup, Sink, Slot, System, Viewer, system_of,
};
use serde::{Deserialize, Serialize};

/// Ruins & Raiders.
#[derive(Clone, Copy, Debug)]
pub enum RuinsAndRaiders {}

/// The table at one moment.
type At<'a> = fracas_kernel::At<'a, RuinsAndRaiders>;
/// The table in play.
type Play<'a, S> = fracas_kernel::Play<'a, RuinsAndRaiders, S>;

/// The registry's entry.
// Not const and not inlined: so its table is compiled here, once for all crates.
#[inline(never)]
pub fn system() -> System {
    system_of::<RuinsAndRaiders>()
}

/// What a seat may say it will answer until further notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Ends the turn once both actions are spent.
    EndTurn,
    /// Never gives up actions for defence.
    Stand,
    /// Of tables of earlier rules: with no action left nobody is asked any more.
    Higher,
    /// Burns no Fortune.
    KeepFortune,
    /// Calls for no side effects.
    PlainStrikes,
    /// Lets the round end where nobody else acts.
    LetEnd,
    /// Cuts in on nobody.
    LetGo,
    /// The Adversary begins the next round at once while both sides fight.
    NextRound,
    /// The Adversary lets side effects come about beside the wounds.
    Grant,
}

/// What has come of things: what odds and simulation count.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    /// Players' characters who were disabled.
    pub lost: u8,
    /// Others who were disabled.
    pub won: u8,
    /// Wounds and shocks that the players' side took.
    pub taken: u16,
    /// Wounds and shocks of all others.
    pub dealt: u16,
    pub fortune: i16,
}

impl Game for RuinsAndRaiders {
    const ID: &'static str = "ruins-and-raiders";
    const VERSION: u32 = 4;

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

    fracas_kernel::asking!(Game);

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

    fn seats(rules: &Rules) -> Vec<SeatInfo> {
        let mut seats = rules.roster.seats(|seat| {
            rules.cast.iter().filter(|sheet| sheet.seat == seat).map(|sheet| sheet.slug.clone()).collect()
        });
        if let Some(first) = seats.first_mut() {
            "Adversary".clone_into(&mut first.name);
        }
        seats
    }

    fn rename(rules: &mut Rules, seat: Seat, name: &str) {
        rules.roster.rename(seat, name);
    }

    fn beside(rules: &Rules, state: &State) -> Asks<Prompt> {
        flow::beside(At { rules, state })
    }

    fn settles(prompt: &Prompt) -> bool {
        matches!(prompt, Prompt::Absorb { .. } | Prompt::Effect { .. } | Prompt::Rule { .. })
    }

    fn roll(rules: &Rules, state: &mut State, rolled: Rolled<'_, NoFold>, sink: &mut impl Sink<Event>) {
        let Rolled::Faces(faces) = rolled;
        flow::fell(&mut Play { rules, state, sink }, faces);
    }

    fn view(rules: &Rules, state: &State, who: Viewer) -> View {
        view::view(At { rules, state }, who)
    }

    fn outcome(rules: &Rules, state: &State, since: &State) -> Outcome {
        let fell = |who: Char| {
            let before = since.cast.get(who.index()).is_some_and(|_| !since.is_disabled(rules, who));
            before && state.is_disabled(rules, who)
        };
        let harm = |state: &State, pcs: bool| -> u16 {
            let of = |who: Char| {
                state.cast.get(who.index()).map_or(0, |being| u32::from(being.wounds + being.shocks))
            };
            let all: u32 = rules.everybody().filter(|&who| rules.is_pc(who) == pcs).map(of).sum();
            all.min(u16::MAX.into()) as u16
        };
        let fortune = |state: &State| -> i16 {
            let of = |who: Char| state.cast.get(who.index()).map_or(0, |being| i32::from(being.fortune));
            let all: i32 = rules.pcs.iter().map(of).sum();
            all.min(i16::MAX.into()) as i16
        };
        let count =
            |pcs: bool| rules.everybody().filter(|&who| rules.is_pc(who) == pcs && fell(who)).count() as u8;
        Outcome {
            lost: count(true),
            won: count(false),
            taken: harm(state, true).saturating_sub(harm(since, true)),
            dealt: harm(state, false).saturating_sub(harm(since, false)),
            fortune: fortune(since) - fortune(state),
        }
    }

    fn worth(rules: &Rules, state: &State, seat: Seat) -> i32 {
        weigh::worth(At { rules, state }, seat)
    }

    fn restraint(rules: &Rules, state: &State, slot: Slot, answer: Answer) -> i32 {
        weigh::restraint(At { rules, state }, slot, answer)
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
        weigh::cuts_in(At { rules, state }, slot)
    }

    fn fiat(
        rules: &mut Rules,
        state: &mut State,
        fiat: &Fiat,
        sink: &mut impl Sink<Event>,
    ) -> Result<(), Refused> {
        fiat::apply(rules, state, fiat, sink)?;
        state.remember();
        Self::settle(&mut Play { rules, state, sink });
        Ok(())
    }

    fn decline(rules: &Rules, state: &State, slot: Slot) -> Option<Answer> {
        match Self::ask_at(At { rules, state }, slot)?.prompt {
            Prompt::Cut { .. } | Prompt::Standoff(_) => Some(Answer::Let),
            Prompt::Fortune(_) | Prompt::Absorb { .. } => Some(Answer::Burn(0)),
            Prompt::Abort { .. } => Some(Answer::stands()),
            Prompt::Effect { .. } => Some(Answer::SideEffect(state::SideEffect::None)),
            _ => None,
        }
    }

    fn retraces(answer: &Answer) -> bool {
        use answer::Act;
        matches!(
            answer,
            Answer::Act(Act::Move { .. } | Act::Step(_))
                | Answer::As { act: Act::Move { .. } | Act::Step(_), .. }
        )
    }

    fn is_idle(answer: &Answer) -> bool {
        use answer::Act;
        matches!(answer, Answer::Let | Answer::Act(Act::End) | Answer::As { act: Act::End, .. })
    }

    fn is_grave(answer: &Answer) -> bool {
        matches!(answer, Answer::Peace | Answer::Close)
    }

    fn standing(rules: &Rules, state: &State, slot: Slot, reply: Standing) -> Option<Answer> {
        use answer::Act;
        let at = At { rules, state };
        match (reply, Self::ask_at(at, slot)?.prompt) {
            (Standing::EndTurn, Prompt::Turn(who))
                if state.fighting(who).actions == 0 && state.fighting(who).extra == 0 =>
            {
                Some(Answer::Act(Act::End))
            }
            (Standing::Stand, Prompt::Abort { .. }) => Some(Answer::stands()),
            (Standing::KeepFortune, Prompt::Fortune(_) | Prompt::Absorb { .. }) => Some(Answer::Burn(0)),
            (Standing::PlainStrikes, Prompt::Effect { .. }) => {
                Some(Answer::SideEffect(state::SideEffect::None))
            }
            (Standing::LetEnd, Prompt::Standoff(_)) | (Standing::LetGo, Prompt::Cut { .. }) => {
                Some(Answer::Let)
            }
            (Standing::NextRound, Prompt::Round) if !round::is_over(at) => Some(Answer::Next),
            (Standing::Grant, Prompt::Rule { .. }) => Some(Answer::Beside),
            _ => None,
        }
    }

    fn lapsed(_: &Rules, _: &State, reply: Standing) -> bool {
        reply == Standing::Higher
    }

    fn may_stand(_: &Rules, seat: Seat, reply: Standing) -> Result<(), Refused> {
        if seat != Seat::Gm && matches!(reply, Standing::NextRound | Standing::Grant) {
            return Err(Refused::rule(
                clause!("info.adversary"),
                "that is for the Adversary to say, and to stand by",
            ));
        }
        Ok(())
    }

    fn carry(rules: &Rules, state: &State) -> Option<serde_json::Value> {
        Some(carry::carry(At { rules, state }))
    }

    fn learnt(_: &Rules, state: &State, earlier: &State) -> Vec<Fiat> {
        let since = state.met.minus(earlier.met);
        let seen =
            since.iter().filter(|&who| earlier.cast.get(who.index()).is_some_and(|being| being.unseen));
        seen.map(|who| Fiat::Unseen { who, unseen: false }).collect()
    }

    fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
        view::scramble(rules, state, who, seed);
    }
}
