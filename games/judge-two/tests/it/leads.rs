//! What answers say they lead to: threats, and what is used.

use fracas_kernel::{AnyTable, Seat, Session, Viewer};
use fracas_suite::{Driven, begun, table};
use judge_two::JudgeTwo;
use judge_two::vocab::{Char, CharSet};

type Table = Session<JudgeTwo>;

const TABLE: &str = r#"
player = [{ name = "ana" }]
scene = { conflict = "martial" }
[[character]]
name = "Ana"
attributes = { arm = 3, breath = 0, eyes = 1, feet = 1, guts = 2, hands = 1, nose = 0, spirit = 0, tongue = 0 }
boon = [{ name = "Blade", category = "power", hands = 1, readied = true }]
ability = [{ name = "Terrace Bred", once = "rest", essence = "strength", serves = ["save"] }]
[[foe]]
name = "Captain"
kind = "foe"
pl = 5
boon = [{ name = "Spear", category = "power", hands = 2, readied = true }]
"#;

const ANA: Seat = Seat::Player(0);

/// Every answer that is listed for a seat, with what it leads to.
fn leads(table: &Table, seat: Seat) -> Vec<(String, String)> {
    let listed = table.legal(table.asked(seat), Viewer::Seat(seat));
    listed.into_iter().map(|one| (one.told.text, one.told.leads)).collect()
}

fn of<'a>(all: &'a [(String, String)], text: &str) -> &'a str {
    let found = all.iter().find(|(one, _)| one == text);
    found.map(|(_, leads)| leads.as_str()).unwrap_or_else(|| panic!("{text:?} is not among {all:#?}"))
}

#[test]
fn what_is_used_on_a_save_says_what_it_does_and_costs() {
    let mut table = table::<JudgeTwo>(TABLE);
    table.says(ANA, r#"{"begin":"@ana"}"#);
    table.says(ANA, r#""pass""#);
    table.says(Seat::Gm, r#"{"grant":"@captain"}"#);
    table.says(Seat::Gm, r#"{"assault":{"on":["@ana"]}}"#);
    let mut mind = table.clone();
    table.says(Seat::Gm, r#"{"terms":{"essence":"strength"}}"#);
    let used_up = "then used up, being once a rest";
    let all = leads(&table, ANA);
    let strength = all.iter().find(|(text, _)| text.starts_with("strength")).expect("strength").0.clone();
    assert_eq!(of(&all, &strength), "");
    let using = format!("{strength}, using Terrace Bred");
    assert_eq!(of(&all, &using), format!("nothing about this roll changes; {used_up}"));
    // Where another essence was asked for, it is with strength all the same.
    mind.says(Seat::Gm, r#"{"terms":{"essence":"mind"}}"#);
    assert_eq!(of(&leads(&mind, ANA), &using), format!("with strength in place of mind; {used_up}"));
}

#[test]
fn two_threats_say_what_both_do() {
    let (rules, mut state) = begun::<JudgeTwo>(TABLE);
    state.cast[1].risk = 1;
    let mut table = Table::new(rules, state);
    table.says(ANA, r#"{"begin":"@ana"}"#);
    table.says(ANA, r#"{"attack":{"on":"@captain","attribute":"arm"}}"#);
    table.says(Seat::Gm, r#""yes""#);
    table.throws(&[4, 4]);
    let all = leads(&table, ANA);
    let weaken = "attacks on them are bold until their next turn";
    assert_eq!(of(&all, "misdirect and weaken"), format!("may not attack Ana; and {weaken}"));
    assert!(all.iter().all(|(text, leads)| !text.contains(" and ") || !leads.is_empty()), "{all:#?}");
}

/// A nemesis that has to be misdirected, and somebody pierced with nothing in hand.
const WARDEN: &str = r#"
player = [{ name = "ana" }, { name = "bo" }]
scene = { conflict = "martial" }
character = [
    { name = "Ana", player = "ana", attributes = { arm = 3 },
      boon = [{ name = "Blade", category = "power", hands = 1, readied = true }] },
    { name = "Bo", player = "bo", attributes = { arm = 3 }, marks = ["pierce"] },
]
foe = [
    { name = "Warden", kind = "nemesis", pl = 5, risk = 2, apart = true, omen = { threat = "misdirect" } },
    { name = "Captain", kind = "foe", pl = 5, apart = true },
]
"#;

/// What judging a 4 as Light and a 5 as Truth leads to, with the arm.
fn judging(mut table: Table, seat: Seat, who: &str, attack: &str) -> String {
    table.says(seat, &format!(r#"{{"begin":"@{who}"}}"#));
    table.says(seat, &format!(r#"{{"attack":{{"attribute":"arm",{attack}}}}}"#));
    table.says(Seat::Gm, r#""yes""#);
    table.throws(&[4, 5]);
    of(&leads(&table, seat), "4 Light, 5 Truth").to_owned()
}

#[test]
fn judging_says_what_is_left_of_an_attack_once_it_is_made() {
    let (rules, mut state) = begun::<JudgeTwo>(WARDEN);
    let [ana, bo, warden, captain] = [0, 1, 2, 3].map(Char);
    state.cast[usize::from(warden.0)].misdirected_by = CharSet::NONE.with(ana);
    state.cast[usize::from(bo.0)].misdirected_by = CharSet::NONE.with(warden).with(captain);
    let table = Table::new(rules, state);
    let said = |seat, who, attack| judging(table.clone(), seat, who, attack);
    // Her attack ends the misdirection, and so the omen: neither risk counts.
    let leads = "innocent success +2: degree 2, a threat, no risk; then the turn passes";
    assert_eq!(said(ANA, "ana", r#""on":"@warden""#), leads);
    let leads = "innocent success +2: degree 2, 2 risk and a threat; then the turn passes";
    assert_eq!(said(ANA, "ana", r#""on":"@captain""#), leads);
    // Pierced and falling back: half of 3 risk, and nothing else.
    let leads = "innocent success +2: degree 4, 1 risk only; then the turn passes";
    assert_eq!(said(Seat::Player(1), "bo", r#""on":"@warden","fallback":true"#), leads);
}

#[test]
fn a_test_that_was_called_for_passes_no_turn() {
    let mut table = table::<JudgeTwo>(TABLE);
    table.says(Seat::Gm, r#"{"call":{"who":"@ana","attribute":"arm"}}"#);
    table.says(Seat::Gm, r#"{"settle":{"cl":6}}"#);
    table.throws(&[3, 5]);
    let all = leads(&table, ANA);
    assert_eq!(of(&all, "3 Light, 5 Truth"), "innocent success +0; then play goes on");
    assert_eq!(of(&all, "5 Light, 3 Truth"), "guilty success +2; then the gamemaster intervenes");
}

#[test]
fn no_preview_tells_which_omen_a_nemesis_has() {
    // Her omen is met because Ana has misdirected her, or because the gamemaster says so:
    // with Ana's next attack the first would be over.
    let told = ["{ threat = \"misdirect\" }", "{ ruled = true }"].map(|omen| {
        let nemesis = format!("kind = \"nemesis\"\nomen = {omen}");
        let (rules, mut state) = begun::<JudgeTwo>(&TABLE.replace("kind = \"foe\"", &nemesis));
        state.cast[1].risk = 9;
        state.cast[1].misdirected_by = CharSet::one(Char(0));
        state.omens_ruled = CharSet::one(Char(1));
        let mut table = Table::new(rules, state);
        table.says(ANA, r#"{"begin":"@ana"}"#);
        leads(&table, ANA)
    });
    assert_eq!(told[0], told[1]);
    assert!(told[0].iter().any(|(text, _)| text.starts_with("attack Captain")), "{:#?}", told[0]);
}

#[test]
fn passing_says_that_an_intervention_comes_unless_a_long_tests_has_come() {
    let mut table = table::<JudgeTwo>(TABLE);
    table.says(ANA, r#"{"begin":"@ana"}"#);
    assert_eq!(of(&leads(&table, ANA), "pass"), "the gamemaster intervenes");
    table.says(ANA, r#"{"test":{"attribute":"arm"}}"#);
    table.says(Seat::Gm, r#"{"settle":{"cl":5,"long":true}}"#);
    table.says(Seat::Gm, r#"{"grant":"@captain"}"#);
    table.says(Seat::Gm, r#"{"assault":{"on":["@ana"]}}"#);
    table.says(Seat::Gm, r#"{"terms":{"essence":"strength"}}"#);
    table.says(ANA, r#"{"essence":{"essence":"strength"}}"#);
    table.throws(&[1, 1]);
    // Bound, she makes no test of another kind.
    table.says(Seat::Gm, r#"{"threat":{"threat":"entangle"}}"#);
    assert_eq!(of(&leads(&table, ANA), "pass"), "the turn goes to somebody else");
}
