// A game of two made with `prompts!`, `events!`, `says!`, `refers!` and `asking!`, and what they make
// of it. The examples of these macros include this file.

use fracas_kernel::{
    Ask, Asking, At, Card, Clause, Due, Entry, Faults, Game, Happened, Hidden, Kind, Known, Names, NoFold,
    Objections, Play, Rolled, Rulebook, Seat, SeatInfo, Setup, Sink, Slot, Told, Viewer, Who, Words, asking,
    events, form::Form, prompts, reference, refers, says, takes,
};
use serde::{Deserialize, Serialize};

const fn entry(id: &'static str) -> Entry {
    let (section, says) = ("The Duel", "A rule.");
    let (plain, question, why, option) = (None, None, None, None);
    Entry { id, section, kind: Kind::Rule, says, plain, needs: &[], beyond: false, question, why, option }
}

pub(crate) static STRIKE: Entry = entry("strike");
static AGAIN: Entry = entry("strike.again");
static BOOK: Rulebook =
    Rulebook { system: "duel", title: "The Duel", summary: "Two strike.", entries: &[], index: &[] };

reference!(
    /// A fighter.
    Char: 'c' in 0..9
);

refers! {
    /// An answer.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Answer {
        /// Strikes somebody.
        Strike(Char),
        /// Strikes nobody.
        Wait,
        /// None to any prompt.
        Sing,
    }
}

prompts! {
    /// What is asked.
    pub enum Prompt of Duel, asking asked;

    /// Whom does one strike?
    "strike" Strike(who: Char) => strike(who, asked), "to strike";
    /// Does one rest?
    "rest" Rest(who: Char) => rest(who), "to rest", unfiltered;
}

events! {
    /// What happened.
    pub enum Event of Duel, telling (at, viewer);

    "strike" Strike { pub who: Char, pub on: Char, risk: u8 } =>
        opens(Clause::of(&STRIKE), "{who} strikes {on}{how}.", how = if risk > 1 { " wildly" } else { "" });
    "waits" Waits(who: Char) => says(Clause::of(&STRIKE), "{who} waits.");
    "peace" pub Peace => told(Told::new(if viewer.is_gm() { "All is over." } else { "It is over." }));
}

says! { Duel, at;
    Char: who => at.rules.names.slug('c', who.index()).unwrap_or("somebody");
}

/// The question of [`Prompt::Strike`], and all that follows from it.
mod strike {
    use super::*;

    pub(crate) fn told(at: At<'_, Duel>, who: Char, _: Who, _: Viewer) -> Told {
        Told::new(format!("Whom does {} strike?", fracas_kernel::Saying(who, at)))
    }

    pub(crate) fn legal(at: At<'_, Duel>, _: Char, _: Who, each: &mut impl FnMut(Answer)) {
        (0..at.rules.names.all().count() as u8).for_each(|on| each(Answer::Strike(Char(on))));
        each(Answer::Wait);
    }

    takes!(Answer, Answer::Strike(_) | Answer::Wait, Clause::of(&STRIKE), "expected whom to strike");

    pub(crate) fn object(at: At<'_, Duel>, who: Char, _: Who, answer: Answer, out: &mut impl Objections) {
        if answer == Answer::Strike(who) {
            out.no(Clause::of(&STRIKE), "nobody strikes themself");
        }
        if answer == Answer::Wait && at.state.waited {
            out.no(Clause::of(&AGAIN), "nobody waits twice");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, Duel, impl Sink<Event>>, who: Char, _: Who, answer: Answer) {
        match answer {
            Answer::Strike(on) => {
                play.state.over = true;
                play.event(Event::Strike { who, on, risk: 2 });
            }
            _ => {
                play.state.waited = true;
                play.event(Event::Waits(who));
            }
        }
    }
}

/// The question of [`Prompt::Rest`]. The list is right as long as nobody has waited.
mod rest {
    use super::*;

    pub(crate) fn told(at: At<'_, Duel>, who: Char, _: Viewer) -> Told {
        Told::new(format!("Does {} rest?", fracas_kernel::Saying(who, at)))
    }

    pub(crate) fn legal(_: At<'_, Duel>, _: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Wait);
    }

    takes!(Answer, Answer::Wait, Clause::of(&STRIKE), "expected rest");

    pub(crate) fn object(at: At<'_, Duel>, _: Char, _: Answer, out: &mut impl Objections) {
        if at.state.waited {
            out.no(Clause::of(&AGAIN), "nobody waits twice");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, Duel, impl Sink<Event>>, who: Char, _: Answer) {
        play.event(Event::Waits(who));
    }
}

/// The game.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Duel {}

/// Who fights.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) names: Names,
}

/// Whether it is over.
#[derive(Clone, PartialEq, Eq, Hash, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct State {
    pub(crate) waited: bool,
    pub(crate) over: bool,
}

impl Asking for Duel {
    fn each_ask(at: At<'_, Self>, put: &mut impl FnMut(Ask<Prompt>)) -> Due<NoFold> {
        if at.state.over {
            return Due::Over;
        }
        put(Ask::must(Seat::Player(0), Prompt::Strike(Char(0))));
        Due::Asks
    }

    fn refuse_stray(_: Prompt, answer: &Answer, why: (Clause, &'static str)) -> (Clause, &'static str) {
        if *answer == Answer::Sing { (why.0, "nobody sings in a duel") } else { why }
    }

    fn settle<S: Sink<Event>>(play: &mut Play<'_, Self, S>) {
        if play.state.over {
            play.event(Event::Peace);
        }
    }
}

impl Game for Duel {
    const ID: &'static str = "duel";
    const VERSION: u32 = 1;
    type Rules = Rules;
    type State = State;
    type Prompt = Prompt;
    type Answer = Answer;
    type Event = Event;
    type View = ();
    type Fold = NoFold;
    type Fiat = ();
    type Standing = ();
    type Outcome = ();

    asking!(Game);

    fn rulebook() -> &'static Rulebook {
        &BOOK
    }
    fn start(_: &Setup) -> Result<(Rules, State), Faults> {
        let mut names = Names::default();
        let _ = names.add('c', "ana") && names.add('c', "bo");
        Ok((Rules { names }, State { waited: false, over: false }))
    }
    fn names(rules: &Rules) -> &Names {
        &rules.names
    }
    fn knows(_: &Rules, _: &State, _: (char, usize), _: Viewer) -> Known {
        Known::Open
    }
    fn mask(_: &mut Rules, _: &mut State, _: &Hidden) {}
    fn seats(_: &Rules) -> Vec<SeatInfo> {
        Vec::new()
    }
    fn rename(_: &mut Rules, _: Seat, _: &str) {}
    fn roll(_: &Rules, _: &mut State, _: Rolled<'_, NoFold>, _: &mut impl Sink<Event>) {}
    fn view(_: &Rules, _: &State, _: Viewer) {}
    fn outcome(_: &Rules, _: &State, _: &State) {}
    fn worth(_: &Rules, _: &State, _: Seat) -> i32 {
        0
    }
    fn fiat(
        _: &mut Rules,
        _: &mut State,
        (): &(),
        _: &mut impl Sink<Event>,
    ) -> Result<(), fracas_kernel::Refused> {
        Ok(())
    }
    fn scramble(_: &mut Rules, _: &mut State, _: Viewer, _: u64) {}
}

impl Words for Duel {
    asking!(Words);

    fn answer(_: &Rules, _: &State, _: Slot, _: &Answer, _: Viewer) -> Told {
        Told::default()
    }
    fn event(rules: &Rules, state: &State, event: &Event, viewer: Viewer) -> Option<Told> {
        Some(event.told(At { rules, state }, viewer))
    }
    fn roll_told(_: &Rules, _: &State, _: Viewer) -> Told {
        Told::default()
    }
    fn cards(_: &Rules, _: &State, _: Viewer) -> Vec<Card> {
        Vec::new()
    }
    fn fiats() -> &'static [(&'static str, &'static str)] {
        &[]
    }
    fn fiat_forms(_: &Rules, _: &State) -> Vec<Form> {
        Vec::new()
    }
}
