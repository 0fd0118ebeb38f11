//! The Crossing.
//!
//! `table` holds the references, the rules and the state. `flow` says what is open, and what the die
//! does. `answer` has the two asks; `event` has what happens. `setup`, `fiat`, `view`,
//! `words` and `stage` are the edges. Where beasts lie in wait is the one secret.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "only tests name what is public here, and fields say what they are")]

include!(concat!(env!("OUT_DIR"), "/rulebook.rs"));

pub mod answer;
pub mod event;
pub mod fiat;
mod flow;
mod setup;
mod stage;
pub mod table;
mod view;
mod words;

use crate::answer::{Answer, Prompt};
use crate::{event::Event, fiat::Fiat, table::*, view::View};
use fracas_kernel::{
    Faults, Game, Hidden, Known, Names, NoFold, Refused, Rolled, Rulebook, Seat, SeatInfo, Setup, Sink,
    System, Viewer, system_of,
};
use serde::Serialize;

/// The game.
#[derive(Clone, Copy, Debug)]
pub enum Template {}

/// The table at one moment.
type At<'a> = fracas_kernel::At<'a, Template>;
/// The table in play.
type Play<'a, S> = fracas_kernel::Play<'a, Template, S>;

/// The registry's entry.
// Not const and not inlined: so its table is compiled here, once for all crates.
#[inline(never)]
pub fn system() -> System {
    system_of::<Template>()
}

/// What has come of things: what odds and simulation count.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    pub across: u8,
    pub out: u8,
}

impl Game for Template {
    const ID: &'static str = "template";
    const VERSION: u32 = 1;

    type Rules = Rules;
    type State = State;
    type Prompt = Prompt;
    type Answer = Answer;
    type Event = Event;
    type View = View;
    type Fold = NoFold;
    type Fiat = Fiat;
    type Standing = ();
    type Outcome = Outcome;

    fracas_kernel::asking!(Game);

    fn rulebook() -> &'static Rulebook {
        &RULEBOOK
    }

    fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
        setup::start(setup)
    }

    // What is said once the die lies cannot be taken back: what comes of it may tell of a beast.
    fn settles(prompt: &Prompt) -> bool {
        matches!(prompt, Prompt::Stop(_))
    }

    fn names(rules: &Rules) -> &Names {
        &rules.roster.names
    }

    fn knows(_: &Rules, state: &State, (letter, n): (char, usize), who: Viewer) -> Known {
        let is_hidden = letter == Beast::LETTER && !view::sees(state, Beast(n as u8), who);
        if is_hidden { Known::Hidden } else { Known::Open }
    }

    fn mask(rules: &mut Rules, _: &mut State, hidden: &Hidden) {
        for (_, sheet) in rules.beasts.iter_mut().enumerate().filter(|(n, _)| hidden.has(Beast::LETTER, *n)) {
            "something".clone_into(&mut sheet.name);
        }
    }

    fn seats(rules: &Rules) -> Vec<SeatInfo> {
        rules.roster.seats(|seat| {
            let all = rules.cast.iter().chain(&rules.beasts);
            all.filter(|sheet| sheet.seat == seat).map(|sheet| sheet.slug.clone()).collect()
        })
    }

    fn rename(rules: &mut Rules, seat: Seat, name: &str) {
        rules.roster.rename(seat, name);
    }

    fn roll(rules: &Rules, state: &mut State, rolled: Rolled<'_, NoFold>, sink: &mut impl Sink<Event>) {
        let Rolled::Faces(faces) = rolled;
        flow::fell(&mut Play { rules, state, sink }, faces);
    }

    fn view(rules: &Rules, state: &State, who: Viewer) -> View {
        view::view(At { rules, state }, who)
    }

    fn outcome(rules: &Rules, state: &State, since: &State) -> Outcome {
        let came = |is: &dyn Fn(&State, Char) -> bool| {
            rules.everybody().filter(|&who| is(state, who) && !is(since, who)).count() as u8
        };
        Outcome {
            across: came(&|state, who| state.walker(who).pace == rules.paces),
            out: came(&|state, who| state.walker(who).strength == 0),
        }
    }

    // Where beasts lie is no part of it: a player's bot knows no more than the player.
    fn worth(_: &Rules, state: &State, seat: Seat) -> i32 {
        let of = |walker: &Walker| i32::from(walker.pace) + 4 * i32::from(walker.strength);
        let all: i32 = state.walkers.iter().map(of).sum();
        if seat == Seat::Gm { -all } else { all }
    }

    fn fiat(
        rules: &mut Rules,
        state: &mut State,
        fiat: &Fiat,
        sink: &mut impl Sink<Event>,
    ) -> Result<(), Refused> {
        fiat::apply(&mut Play { rules, state, sink }, *fiat)
    }

    fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
        view::scramble(rules, state, who, seed);
    }
}
