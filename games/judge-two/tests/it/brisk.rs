//! Choices that any sensible player would make.

use fracas_kernel::{Game, Seat, Session, Slot};
use fracas_suite::{Driven, table};
use judge_two::JudgeTwo;
use judge_two::answer::{Answer, Deed, Prompt};
use judge_two::vocab::{Char, Finisher};

const ANA: Seat = Seat::Player(0);
const VARIEL: Char = Char(0);
const CAPTAIN: Char = Char(2);
const REEVE: Char = Char(3);

/// Two friends against a captain and a reeve, who are equally strong.
fn fight() -> Session<JudgeTwo> {
    table::<JudgeTwo>(
        r#"
        player = [{ name = "Ana" }, { name = "Bo" }]
        scene = { conflict = "martial" }
        [[character]]
        name = "Variel"
        player = "Ana"
        attributes = { arm = 3, breath = 1, eyes = 1, feet = 1, guts = 1, hands = 1, nose = 1, spirit = 1, tongue = 1 }
        boon = [{ name = "Blade", category = "power", hands = 1, readied = true }]
        [[character]]
        name = "Gaalik"
        player = "Bo"
        attributes = { arm = 1 }
        boon = [{ name = "Axe", category = "power", hands = 1, readied = true }]
        [[foe]]
        name = "Captain"
        kind = "foe"
        pl = 5
        boon = [{ name = "Spear", category = "power", hands = 2, readied = true }]
        [[foe]]
        name = "Reeve"
        kind = "foe"
        pl = 5
        boon = [{ name = "Mace", category = "power", hands = 2, readied = true }]
        "#,
    )
}

/// The same after these fiats, in Variel's turn.
fn turn(fiats: &[&str]) -> Session<JudgeTwo> {
    let mut table = fight();
    fiats.iter().for_each(|fiat| drop(table.overrules(fiat)));
    table.says(ANA, r#"{"begin":"@variel"}"#);
    table
}

fn nobody_guards(table: &mut Session<JudgeTwo>) {
    while table.asks().any(|(.., ask)| matches!(ask.prompt, Prompt::Guard { .. })) {
        table.says(Seat::Gm, r#""pass""#);
    }
}

/// Every answer to the first ask that draws most.
fn drawn(table: &Session<JudgeTwo>, seat: Seat) -> Vec<Answer> {
    let (rules, state) = (table.rules(), table.state());
    let (mut listed, mut appeals) = (Vec::new(), Vec::new());
    JudgeTwo::legal(rules, state, Slot(0), &mut |answer| listed.push(answer));
    JudgeTwo::appeal(rules, state, (Slot(0), seat), &listed, &mut |appeal| appeals.push(appeal));
    let most = appeals.iter().copied().max();
    let best = listed.iter().zip(&appeals).filter(|(_, appeal)| Some(**appeal) == most);
    best.map(|(answer, _)| *answer).collect()
}

#[track_caller]
fn check(table: &Session<JudgeTwo>, seat: Seat, fits: impl Fn(&Answer) -> bool) {
    let drawn = drawn(table, seat);
    assert!(!drawn.is_empty() && drawn.iter().all(fits), "{drawn:?}");
}

#[test]
fn whoever_is_nearly_down_is_struck_again() {
    let table = turn(&[r#"{"risk":{"who":"@reeve","risk":6}}"#]);
    check(&table, ANA, |answer| matches!(answer, Answer::Attack { on: REEVE, .. }));
    let table = turn(&[r#"{"risk":{"who":"@captain","risk":6}}"#]);
    check(&table, ANA, |answer| matches!(answer, Answer::Attack { on: CAPTAIN, .. }));
}

#[test]
fn those_without_a_weapon_in_hand_ready_one() {
    let table = turn(&[r#"{"item":{"item":"@blade","holder":"@variel","lie":"carried"}}"#]);
    check(&table, ANA, |answer| matches!(answer, Answer::Deed(Deed::Ready(_))));
}

#[test]
fn those_who_can_be_finished_are_finished() {
    let mut table = turn(&[r#"{"risk":{"who":"@reeve","risk":6}}"#]);
    table.says(ANA, r#"{"attack":{"on":"@reeve","attribute":"arm"}}"#);
    table.says(Seat::Gm, r#""yes""#);
    nobody_guards(&mut table);
    table.throws(&[5, 5]);
    check(&table, ANA, |answer| matches!(answer, Answer::Finisher { finisher: Finisher::Kill, .. }));
}

#[test]
fn an_innocent_success_is_better_than_a_guilty_one_that_does_no_more() {
    let mut table = turn(&[]);
    table.says(ANA, r#"{"attack":{"on":"@reeve","attribute":"arm"}}"#);
    table.says(Seat::Gm, r#""yes""#);
    nobody_guards(&mut table);
    table.throws(&[4, 2]);
    check(&table, ANA, |answer| *answer == Answer::Judge { light: 2, truth: 4 });
}

#[test]
fn a_guard_steps_in_for_somebody_who_would_fall_and_not_for_nothing() {
    let attacked = |risk: u8, fits: &dyn Fn(&Answer) -> bool| {
        let mut table = turn(&[&format!(r#"{{"risk":{{"who":"@gaalik","risk":{risk}}}}}"#)]);
        table.says(ANA, r#""pass""#);
        table.says(Seat::Gm, r#"{"grant":"@captain"}"#);
        table.says(Seat::Gm, r#"{"assault":{"on":["@gaalik"]}}"#);
        table.says(Seat::Gm, r#"{"terms":{"essence":"strength"}}"#);
        check(&table, ANA, fits);
    };
    attacked(12, &|answer| *answer == Answer::Guard(VARIEL));
    attacked(0, &|answer| *answer == Answer::Pass);
}

#[test]
fn the_gamemaster_attacks_on_the_usual_terms() {
    let mut table = turn(&[]);
    table.says(ANA, r#""pass""#);
    check(&table, Seat::Gm, |answer| matches!(answer, Answer::Grant(_)));
    table.says(Seat::Gm, r#"{"grant":"@captain"}"#);
    check(&table, Seat::Gm, |answer| matches!(answer, Answer::Assault { veiled: false, .. }));
    table.says(Seat::Gm, r#"{"assault":{"on":["@gaalik"]}}"#);
    check(&table, Seat::Gm, |answer| matches!(answer, Answer::Terms { favor: 0, .. }));
}
