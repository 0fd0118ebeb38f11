//! Clash.
//!
//! `vocab`, `effect`, `rules` and `state` hold the words, the sheets and the moment; `dice` reads a Roll.
//! `answer` lists what is asked, `event` what happens, `flow` what is open. The chapters: `free` and
//! `rest` outside a Clash, `test` for every Roll, `clash` for turns and Actions, `stack` for Priority,
//! triggers and effects, `harm` for Damage, Subjugation and death, `prop`, `study`, `spell`.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "only tests name what is public here, and fields say what they are")]

include!(concat!(env!("OUT_DIR"), "/rulebook.rs"));

pub mod answer;
mod board;
mod bot;
mod brisk;
mod carry;
mod clash;
pub mod dice;
pub mod effect;
pub mod event;
pub mod fiat;
mod flow;
mod forms;
mod free;
mod harm;
mod library;
mod prop;
mod questions;
mod rest;
pub mod rules;
mod setup;
mod spell;
mod stack;
mod stage;
mod standing;
pub mod state;
mod study;
mod test;
mod view;
pub mod vocab;
mod words;

use crate::{
    answer::{Answer, Prompt},
    dice::Thrown,
    event::Event,
    fiat::Fiat,
    rules::Rules,
    standing::Standing,
    state::State,
    view::View,
};
use fracas_kernel::{
    Asking, Clause, Faults, Game, Hidden, Known, Names, Refused, Rolled, Rulebook, Seat, SeatInfo, Setup,
    Sink, Slot, System, Viewer, system_of,
};
use serde::Serialize;

/// The game.
#[derive(Clone, Copy, Debug)]
pub enum Clash {}

/// The table at one moment.
type At<'a> = fracas_kernel::At<'a, Clash>;
/// The table in play.
type Play<'a, S> = fracas_kernel::Play<'a, Clash, S>;

/// The registry's entry.
// Not const and not inlined: so its table is compiled here, once for all crates.
#[inline(never)]
pub fn system() -> System {
    system_of::<Clash>()
}

/// What has come of things: what odds and simulation count.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    /// Characters who have lost the Clash, of the party and of the other side.
    pub beaten: [u8; 2],
    /// Will Points lost, of the party and of the other side.
    pub lost: [u8; 2],
    pub dead: u8,
    /// Secrets learnt.
    pub learnt: u8,
}

impl Game for Clash {
    const ID: &'static str = "clash";
    const VERSION: u32 = 2;
    const ORDERED: bool = true;

    type Rules = Rules;
    type State = State;
    type Prompt = Prompt;
    type Answer = Answer;
    type Event = Event;
    type View = View;
    type Fold = Thrown;
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
            ("npc", include_str!("../templates/npc.toml")),
            ("encounter", include_str!("../templates/encounter.toml")),
        ]
    }

    fn carry(rules: &Rules, state: &State) -> Option<serde_json::Value> {
        Some(carry::carry(rules, state))
    }

    fn names(rules: &Rules) -> &Names {
        &rules.roster.names
    }

    fn knows(rules: &Rules, state: &State, name: (char, usize), who: Viewer) -> Known {
        view::knows(At { rules, state }, name, who)
    }

    fn mask(rules: &mut Rules, state: &mut State, hidden: &Hidden) {
        view::mask(rules, state, hidden);
    }

    fn seats(rules: &Rules) -> Vec<SeatInfo> {
        let mut seats = rules.roster.seats(|seat| {
            rules.cast.iter().filter(|sheet| sheet.seat == seat).map(|sheet| sheet.slug.clone()).collect()
        });
        // The document's word for the gamemaster (`core.roles`).
        seats
            .iter_mut()
            .filter(|info| info.seat == Seat::Gm)
            .for_each(|info| "Director".clone_into(&mut info.name));
        seats
    }

    fn rename(rules: &mut Rules, seat: Seat, name: &str) {
        rules.roster.rename(seat, name);
    }

    fn roll(rules: &Rules, state: &mut State, rolled: Rolled<'_, Thrown>, sink: &mut impl Sink<Event>) {
        let Rolled::Class(thrown) = rolled else { return };
        flow::fell(&mut Play { rules, state, sink }, thrown);
    }

    fn view(rules: &Rules, state: &State, who: Viewer) -> View {
        view::view(At { rules, state }, who)
    }

    fn outcome(rules: &Rules, state: &State, since: &State) -> Outcome {
        let mut outcome = Outcome { beaten: [0; 2], lost: [0; 2], dead: 0, learnt: 0 };
        for who in rules.everybody() {
            let (now, then) = (state.body(who), since.body(who));
            let side = now.side as usize;
            outcome.beaten[side] += u8::from(now.lost && !then.lost);
            outcome.lost[side] += then.major.saturating_sub(now.major);
            outcome.dead += u8::from(now.dead && !then.dead);
        }
        outcome.learnt = (state.learnt & !since.learnt).count_ones() as u8;
        outcome
    }

    fn worth(rules: &Rules, state: &State, seat: Seat) -> i32 {
        bot::worth(At { rules, state }, seat)
    }

    fn restraint(rules: &Rules, state: &State, slot: Slot, answer: Answer) -> i32 {
        bot::restraint(At { rules, state }, slot, answer)
    }

    fn appeal(
        rules: &Rules,
        state: &State,
        (slot, seat): (Slot, Seat),
        listed: &[Answer],
        each: &mut impl FnMut(i32),
    ) {
        brisk::appeal(At { rules, state }, (slot, seat), listed, each);
    }

    fn cuts_in(rules: &Rules, state: &State, slot: Slot) -> bool {
        bot::cuts_in(At { rules, state }, slot)
    }

    fn fiat(
        rules: &mut Rules,
        state: &mut State,
        fiat: &Fiat,
        sink: &mut impl Sink<Event>,
    ) -> Result<(), Refused> {
        fiat::apply(rules, state, fiat, sink)
    }

    fn decline(rules: &Rules, state: &State, slot: Slot) -> Option<Answer> {
        let at = At { rules, state };
        let ask = Clash::ask_at(at, slot)?;
        let allowed = |answer: &Answer| Clash::check(rules, state, slot, *answer).is_ok();
        match ask.prompt {
            Prompt::Dodge(_)
            | Prompt::Aid(_)
            | Prompt::Oppose(_)
            | Prompt::Malus(_)
            | Prompt::Lucky(_)
            | Prompt::Carry(_)
            | Prompt::Breath(_)
            | Prompt::Priority(_) => Some(Answer::Pass).filter(allowed),
            _ => None,
        }
    }

    fn standing(rules: &Rules, state: &State, slot: Slot, reply: Standing) -> Option<Answer> {
        standing::standing(At { rules, state }, slot, reply)
    }

    fn may_stand(rules: &Rules, seat: Seat, reply: Standing) -> Result<(), Refused> {
        standing::may(rules, seat, reply)
    }

    fn written_out(_: &Rules, state: &State, reply: Standing) -> Standing {
        standing::written_out(state, reply)
    }

    fn lapsed(_: &Rules, state: &State, reply: Standing) -> bool {
        standing::lapsed(state, reply)
    }

    fn settles(prompt: &Prompt) -> bool {
        matches!(
            prompt,
            Prompt::Lucky(_) | Prompt::Blow(_) | Prompt::Carry(_) | Prompt::Displace(_) | Prompt::Match(_)
        )
    }

    // Whatever it is: what the Director's characters have is hidden.
    fn asked_in_sight(_: &Prompt) -> bool {
        true
    }

    fn is_idle(answer: &Answer) -> bool {
        matches!(answer, Answer::Pass)
    }

    fn is_grave(answer: &Answer) -> bool {
        matches!(answer, Answer::Surrender(_) | Answer::EndClash | Answer::Close)
    }

    fn hindrance(rules: &Rules, state: &State, slot: Slot) -> Option<Clause> {
        match Clash::ask_at(At { rules, state }, slot)?.prompt {
            Prompt::Breath(_) => Some(clause!("focus.activation-cost")),
            Prompt::Aid(_) => Some(clause!("improv.scene-limit")),
            _ => None,
        }
    }

    fn lacking(version: u32) -> Option<&'static [u8]> {
        // Version 2 has more settings and reads no other states.
        (version < Self::VERSION).then_some(&[])
    }

    fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
        view::scramble(rules, state, who, seed);
    }
}
