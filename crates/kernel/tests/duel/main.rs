//! What `prompts!`, `events!`, `says!`, `refers!` and `asking!` make of a game.

mod game;

use fracas_kernel::{
    At, Document, Game, Prompted, Seat, Session, Setup, Slot, Telling, Viewer, Who, Words, said, tells,
};
use game::*;
use serde_json::json;

fn table() -> (Rules, State) {
    Duel::start(&Setup::alone(Document::json("x", &json!({})))).expect("a table")
}

fn refused(state: &State, answer: Answer) -> String {
    let (rules, _) = table();
    Duel::check(&rules, state, Slot(0), answer).map_or_else(|refused| refused.to_string(), |_| String::new())
}

#[test]
fn what_is_listed_is_what_nothing_speaks_against() {
    let (rules, mut state) = table();
    let listed = |state: &State| {
        let mut all = Vec::new();
        Duel::legal(&rules, state, Slot(0), &mut |answer| all.push(answer));
        all
    };
    assert_eq!(listed(&state), [Answer::Strike(Char(1)), Answer::Wait]);
    state.waited = true;
    assert_eq!(listed(&state), [Answer::Strike(Char(1))]);
    let mut none = Vec::new();
    Duel::legal(&rules, &state, Slot(1), &mut |answer| none.push(answer));
    assert!(none.is_empty(), "nothing is asked there");
}

fn listed_unfiltered(waited: bool) -> Vec<Answer> {
    let (rules, state) = table();
    let (state, mut all) = (State { waited, ..state }, Vec::new());
    let (prompt, asked) = (Prompt::Rest(Char(0)), Who::One(Seat::Player(0)));
    prompt.legal(At { rules: &rules, state: &state }, asked, &mut |answer| all.push(answer));
    all
}

#[test]
fn an_unfiltered_list_stands_as_it_is() {
    assert_eq!(listed_unfiltered(false), [Answer::Wait]);
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "listed unfiltered and refused: Wait"))]
fn an_unfiltered_list_is_judged_in_debug_builds_alone() {
    assert_eq!(listed_unfiltered(true), [Answer::Wait]);
}

#[test]
fn an_answer_is_refused_for_its_place_its_names_its_kind_or_by_a_rule() {
    let (rules, state) = table();
    let waited = State { waited: true, ..state.clone() };
    assert_eq!(refused(&state, Answer::Wait), "");
    assert_eq!(refused(&state, Answer::Strike(Char(0))), "nobody strikes themself (strike)");
    assert_eq!(refused(&waited, Answer::Wait), "nobody waits twice (strike.again)");
    assert_eq!(refused(&state, Answer::Sing), "nobody sings in a duel (strike)");
    assert_eq!(refused(&state, Answer::Strike(Char(5))), <Duel as fracas_kernel::Asking>::NOT_THERE);
    let nowhere = Duel::check(&rules, &state, Slot(1), Answer::Wait).unwrap_err();
    assert_eq!(nowhere.to_string(), "nothing is asked at this slot");
}

#[test]
fn an_answer_does_what_it_does_and_then_what_follows() {
    let (rules, state) = table();
    let mut session = Session::<Duel>::new(rules, state);
    let id = session.asks().next().unwrap().0;
    let mut events = Vec::new();
    session.answer(Seat::Player(0), id, Answer::Strike(Char(1)), &mut events).unwrap();
    assert_eq!(events, [Event::Strike { who: Char(0), on: Char(1), risk: 2 }, Event::Peace]);
    assert!(session.asks().next().is_none());
}

#[test]
fn a_prompt_has_its_kind_its_question_and_what_play_waits_for() {
    let (rules, state) = table();
    assert_eq!(serde_json::to_value(Prompt::Strike(Char(1))).unwrap(), json!({ "strike": "@c1" }));
    assert_eq!(
        (Duel::kinds(), Duel::awaited()),
        (&["strike", "rest"][..], &[("strike", "to strike"), ("rest", "to rest")][..])
    );
    assert_eq!(Duel::ask(&rules, &state, Slot(0), Viewer::Spectator).text, "Whom does ana strike?");
}

#[test]
fn an_event_is_told_in_its_sentence_and_goes_out_as_far_as_it_is_marked() {
    let (rules, state) = table();
    let told = |event: Event, viewer| Duel::event(&rules, &state, &event, viewer).unwrap();
    let strike = Event::Strike { who: Char(0), on: Char(1), risk: 2 };
    let sentence = told(strike, Viewer::Spectator);
    assert_eq!((sentence.text.as_str(), sentence.opens), ("Ana strikes bo wildly.", true));
    assert!(!told(Event::Waits(Char(1)), Viewer::Spectator).opens);
    assert_eq!(told(Event::Peace, Viewer::Seat(Seat::Gm)).text, "All is over.");
    let fields = ["who", "on", "risk"].map(|field| tells(Duel::said(), "strike", field));
    assert_eq!(fields, [true, true, false]);
    let goes_out = |event: Event| {
        let telling = Telling::Same("ana strikes bo, 2");
        let json = rules.names.write(&serde_json::to_string(&event).unwrap());
        said(Duel::said(), &serde_json::from_str(&json).unwrap(), telling)
    };
    assert_eq!(goes_out(strike), Some(json!({ "strike": { "who": "@ana", "on": "@bo" } })));
    assert_eq!(goes_out(Event::Waits(Char(1))), None);
    assert_eq!(goes_out(Event::Peace), Some(json!("peace")));
}
