//! Afraid: conflict resolution by bidding dice.
//!
//! One module a chapter: `conflict` from stakes to end, `challenge` and answer,
//! `escalate` with matching and joining, `fallout` and its menus, first `aid`,
//! `dying`, the `monster`'s writeup, `scene`s. `dice` are pools, hands and faces.
//! `flow` says what is open and moves the table on. Clause ids stand where things are
//! decided.

#![allow(missing_docs, reason = "only tests name what is public here, and fields say what they are")]
#![forbid(unsafe_code)]

include!(concat!(env!("OUT_DIR"), "/rulebook.rs"));

mod aid;
pub mod answer;
mod background;
mod board;
mod brisk;
mod carry;
mod challenge;
mod conflict;
pub mod dice;
mod dying;
mod escalate;
pub mod event;
mod fallout;
pub mod fiat;
mod flow;
mod forms;
mod library;
mod monster;
mod parts;
mod questions;
pub mod rules;
mod scene;
mod setup;
mod stage;
pub mod state;
pub mod view;
pub mod vocab;
mod words;
mod worth;

use crate::answer::{Answer, Prompt};
use crate::state::{Changes, Making, State};
use crate::{dice::Fallout, event::Event, fiat::Fiat, rules::Rules, view::View, vocab::*};
use fracas_kernel::{
    Asking, Asks, Clause, Faults, Game, Hidden, Known, Names, NoSink, Refused, Rolled, Rulebook, Seat,
    SeatInfo, Setup, Sink, Slot, System, Viewer, asking, system_of,
};
use serde::{Deserialize, Serialize};

/// Afraid.
#[derive(Clone, Copy, Debug)]
pub enum Afraid {}

/// The table at one moment.
type At<'a> = fracas_kernel::At<'a, Afraid>;
/// The table in play.
type Play<'a, S> = fracas_kernel::Play<'a, Afraid, S>;

/// The registry's entry.
// Not const and not inlined: so its table is compiled here, once for all crates.
#[inline(never)]
pub fn system() -> System {
    system_of::<Afraid>()
}

/// What a seat may say it will answer until further notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The gamemaster accepts all items that are brought in.
    Accept,
    /// The gamemaster lets everybody join.
    Admit,
    /// Never matches at once.
    NeverMatch,
    NeverJoin,
    /// The gamemaster does not cut.
    NeverCut,
}

/// What has come of things: what odds and simulation count.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    /// Players' characters that died.
    pub dead: u8,
    /// Others that died.
    pub killed: u8,
    /// Circumstances of players' characters that became true, less those that became false.
    pub worse: i8,
    /// Players' characters that require first aid.
    pub hurt: u8,
    /// Facts that became known.
    pub revealed: u8,
    /// Whether players' characters won the conflict that was under way; `None` where it
    /// still is, or none was.
    pub won: Option<bool>,
}

impl Game for Afraid {
    const ID: &'static str = "afraid";
    const VERSION: u32 = 9;

    type Rules = Rules;
    type State = State;
    type Prompt = Prompt;
    type Answer = Answer;
    type Event = Event;
    type View = View;
    type Fold = Fallout;
    type Fiat = Fiat;
    type Standing = Standing;
    type Outcome = Outcome;

    fn rulebook() -> &'static Rulebook {
        &RULEBOOK
    }

    fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
        let (rules, mut state) = setup::start(setup)?;
        state.witness();
        Ok((rules, state))
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
        if who.is_gm() { Known::Open } else { view::knows_name(At { rules, state }, name, who) }
    }

    fn mask(rules: &mut Rules, state: &mut State, hidden: &Hidden) {
        view::mask(rules, state, hidden);
    }

    fn lacking(version: u32) -> Option<&'static [u8]> {
        match version {
            // Who was seen dead, what the gamemaster's characters gained, the hands by which
            // orders were made, the scene that players saw last, and dice handed to allies.
            1 => Some(&[0; 25]),
            2 => Some(&[0; 21]),
            3..=5 => Some(&[0; 9]),
            6 => Some(&[0; 5]),
            7 => Some(&[0; 4]),
            // More settings, and nothing in states.
            8 => Some(&[]),
            _ => None,
        }
    }

    fn catch_up(rules: &Rules, _: &State, state: &mut State, _: u32) -> bool {
        state.witness();
        // A question that earlier rules let wait may have lost its ground.
        conflict::advance(&mut Play { rules, state, sink: &mut NoSink });
        true
    }

    fn seats(rules: &Rules) -> Vec<SeatInfo> {
        setup::seats(rules)
    }

    fn rename(rules: &mut Rules, seat: Seat, name: &str) {
        rules.roster.rename(seat, name);
    }

    asking!(Game);

    fn beside(rules: &Rules, state: &State) -> Asks<Prompt> {
        let mut asks = Asks::new();
        Self::each_ask(At { rules, state }, &mut |ask| asks.push(ask));
        asks
    }

    fn roll(rules: &Rules, state: &mut State, rolled: Rolled<'_, Fallout>, sink: &mut impl Sink<Event>) {
        flow::roll(&mut Play { rules, state, sink }, rolled);
        state.witness();
    }

    fn view(rules: &Rules, state: &State, who: Viewer) -> View {
        view::view(At { rules, state }, who)
    }

    fn outcome(_: &Rules, state: &State, since: &State) -> Outcome {
        let died = |pcs: bool| {
            let dead = |&who: &Char| state.is_pc(who) == pcs && !state.lives(who) && since.lives(who);
            state.everybody().filter(dead).count() as u8
        };
        let burden = |state: &State| -> i8 {
            let pcs = state.everybody().filter(|&who| state.is_pc(who) && state.lives(who));
            pcs.map(|who| state.being(who).circumstances.len() as i8).sum()
        };
        let needy = |&who: &Char| state.is_pc(who) && state.being(who).need.is_some();
        Outcome {
            dead: died(true),
            killed: died(false),
            worse: burden(state) - burden(since),
            hurt: state.everybody().filter(needy).count() as u8,
            revealed: (state.known.len() - since.known.len().min(state.known.len())) as u8,
            won: worth::won(state, since),
        }
    }

    fn worth(_: &Rules, state: &State, seat: Seat) -> i32 {
        worth::worth(state, seat)
    }

    fn restraint(rules: &Rules, state: &State, _: Slot, answer: Answer) -> i32 {
        worth::restraint(At { rules, state }, answer)
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

    fn fiat(
        rules: &mut Rules,
        state: &mut State,
        fiat: &Fiat,
        sink: &mut impl Sink<Event>,
    ) -> Result<(), Refused> {
        fiat::apply(rules, state, fiat, sink)?;
        state.witness();
        Ok(())
    }

    fn follows_a_word(prompt: &Prompt) -> bool {
        matches!(prompt, Prompt::Decide(_))
    }

    fn decline(rules: &Rules, state: &State, slot: Slot) -> Option<Answer> {
        match Self::ask_at(At { rules, state }, slot)?.prompt {
            Prompt::Match { .. } | Prompt::Join(_) | Prompt::Cut => Some(Answer::Pass),
            Prompt::Members { .. } => challenge::is_done(state).then_some(Answer::Done),
            Prompt::Concrete { .. } | Prompt::Admit { .. } => Some(Answer::Yes),
            Prompt::Resolve => Some(Answer::Resolve {
                dies: CharSet::NONE,
                comes: Changes::default(),
                ends: Changes::default(),
            }),
            _ => None,
        }
    }

    fn is_idle(answer: &Answer) -> bool {
        matches!(answer, Answer::Pass | Answer::Done)
    }

    fn is_grave(answer: &Answer) -> bool {
        matches!(answer, Answer::Give | Answer::Yield | Answer::Close)
    }

    fn hindrance(rules: &Rules, state: &State, slot: Slot) -> Option<Clause> {
        // All dice of the dead one are placed, so the sheet is done.
        let sheet = matches!(
            Self::ask_at(At { rules, state }, slot)?.prompt,
            Prompt::Newcomer { step: Making::Sheet, .. }
        );
        let placed = state.draft.is_some_and(|draft| draft.left.is_empty());
        (sheet && placed).then_some(clause!("dying.same-dice"))
    }

    fn standing(rules: &Rules, state: &State, slot: Slot, reply: Standing) -> Option<Answer> {
        match (reply, Self::ask_at(At { rules, state }, slot)?.prompt) {
            (Standing::Accept, Prompt::Concrete { .. }) | (Standing::Admit, Prompt::Admit { .. }) => {
                Some(Answer::Yes)
            }
            (Standing::NeverMatch, Prompt::Match { .. })
            | (Standing::NeverJoin, Prompt::Join(_))
            | (Standing::NeverCut, Prompt::Cut) => Some(Answer::Pass),
            _ => None,
        }
    }

    fn may_stand(_: &Rules, seat: Seat, reply: Standing) -> Result<(), Refused> {
        let gm = matches!(reply, Standing::Accept | Standing::Admit | Standing::NeverCut);
        if gm && seat != Seat::Gm {
            return Err(Refused::form("this reply is the gamemaster's alone"));
        }
        Ok(())
    }

    fn carry(rules: &Rules, state: &State) -> Option<serde_json::Value> {
        Some(carry::carry(At { rules, state }))
    }

    fn learnt(_: &Rules, state: &State, earlier: &State) -> Vec<Fiat> {
        let since = state.known.minus(earlier.known);
        since.iter().map(|fact| Fiat::Known { fact, known: true }).collect()
    }

    fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
        view::scramble(rules, state, who, seed);
    }
}
