//! The odds that are told beside answers, of dice that have still to fall.

use afraid::Afraid;
use fracas_kernel::{AnyTable, Seat, Session, Viewer};
use fracas_suite::{Driven, table};

const TABLE: &str = r#"
player = [{ name = "Ana" }]
scene = [{ present = ["Ada", "Moss"] }]
[[character]]
name = "Ada"
stats = { acuity = 1, body = 1, will = 1 }
trait = [{ name = "Quick", dice = "1d10" }]
[[npc]]
name = "Moss"
stats = { acuity = 1, body = 1, will = 1 }
trait = [{ name = "Sly", dice = "1d4" }]
[conflict]
arena = "research"
thing = "the key"
part = [{ who = "Ada", hand = "2 1", bank = "3d4" }, { who = "Moss", hand = "4 3 2" }]
"#;

const ANA: Seat = Seat::Player(0);

/// What is told of the odds of an answer; empty where nothing is.
fn odds(table: &Session<Afraid>, seat: Seat, answer: &str) -> String {
    let odds = AnyTable::odds(table, table.asked(seat), answer, Viewer::Seat(seat));
    odds.map_or_else(String::new, |odds| odds.line())
}

/// Moss has challenged Ada with 4 and 3.
fn challenged() -> Session<Afraid> {
    let mut table = table::<Afraid>(TABLE);
    table.says(Seat::Gm, r#"{"challenge":{"on":["@ada"],"dice":[4,3]}}"#);
    table
}

#[test]
fn what_is_brought_into_an_answer_says_what_it_may_be_enough_for() {
    let told = odds(&challenged(), ANA, r#"{"bring":"@ada-quick"}"#);
    // The die alone from 7, with the 2 from 5, with all from 4.
    assert_eq!(
        told,
        "if it is allowed: enough to reverse 40 %, enough to block or dodge 20 %, \
         only enough to take it 10 %, not enough to answer 30 %"
    );
}

#[test]
fn what_is_brought_into_a_challenge_is_held_against_the_hands_that_lie_open() {
    let told = odds(&table::<Afraid>(TABLE), Seat::Gm, r#"{"bring":"@moss-sly"}"#);
    // Ada has 3 in all: nothing is enough against 4 + 3.
    assert_eq!(told, "a challenge that nobody can answer 100 %");
}

#[test]
fn a_challenge_says_what_it_can_be_met_with() {
    let told = |hand: &str, answer: &str| {
        // Moss has the better pair, and begins.
        let text = TABLE.replace("4 3 2", "10 9 4 3").replace("2 1", hand);
        odds(&table::<Afraid>(&text), Seat::Gm, answer)
    };
    let seven = r#"{"challenge":{"on":["@ada"],"dice":[4,3]}}"#;
    assert_eq!(told("2 1", seven), "as the hands lie: a challenge that nobody can answer 100 %");
    assert_eq!(told("8 1", seven), "as the hands lie: a challenge that can be reversed 100 %");
    assert_eq!(told("4 3", seven), "as the hands lie: a challenge that can be blocked 100 %");
    // Taken with three dice, beside the three that are banked.
    let taken = told("3 3 2 1", seven);
    assert!(taken.starts_with("it can only be taken; fallout of Ada, 6d4, were it over then: "), "{taken}");
}

#[test]
fn taking_a_blow_tells_the_odds_of_its_fallout() {
    let mut table = challenged();
    table.overrules(r#"{"hand":{"who":"@ada","faces":[4,3,2]}}"#);
    let told = odds(&table, ANA, r#"{"answer":{"dice":[4,3,2]}}"#);
    assert!(told.starts_with("fallout of 6d4, were it over now: short-term "), "{told}");
    assert_eq!(odds(&table, ANA, r#"{"answer":{"dice":[4,3]}}"#), "", "a block banks nothing");
}

#[test]
fn whoever_gives_is_told_the_odds_of_their_fallout() {
    let hit = challenged();
    let told = odds(&hit, ANA, r#""give""#);
    assert!(told.starts_with("fallout of 3d4, when it is over: short-term "), "{told}");
    assert_eq!(odds(&hit, ANA, r#""yield""#), told);
    assert_eq!(odds(&table::<Afraid>(TABLE), Seat::Gm, r#""give""#), "");
}

#[test]
fn whose_fallout_is_rolled_next_is_said() {
    let mut table = challenged();
    table.says(ANA, r#""give""#);
    let told = odds(&table, Seat::Gm, r#"{"resolve":{}}"#);
    assert!(told.starts_with("fallout of Ada, 3d4: short-term "), "{told}");
}
