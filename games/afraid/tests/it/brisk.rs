//! Choices that any sensible player would make.

use afraid::Afraid;
use afraid::answer::Answer;
use afraid::dice::Faces;
use afraid::vocab::{Char, CharSet};
use fracas_kernel::{Game, Seat, Session, Slot};
use fracas_suite::{Driven, table};

const ANA: Seat = Seat::Player(0);

/// Ada, with a trait in reserve, against Moss and Fern, who have no sheets: hands as they are said.
fn fight(ada: &str, moss: &str, fern: &str) -> Session<Afraid> {
    table::<Afraid>(&format!(
        r#"
        player = [{{ name = "Ana" }}]
        [[character]]
        name = "Ada"
        stats = {{ acuity = 1, body = 1, heart = 1, will = 1 }}
        trait = [{{ name = "Brave", dice = "2d8" }}]
        [[npc]]
        name = "Moss"
        dice = "1d4"
        [[npc]]
        name = "Fern"
        dice = "1d4"
        [conflict]
        arena = "athletic"
        thing = "the bridge"
        lives = ["Ada", "Moss"]
        side = [{{ who = ["Ada"] }}, {{ who = ["Moss", "Fern"] }}]
        part = [
            {{ who = "Ada", hand = "{ada}" }},
            {{ who = "Moss", hand = "{moss}" }},
            {{ who = "Fern", hand = "{fern}" }},
        ]
        "#
    ))
}

/// Every answer to the first ask that draws most.
fn drawn(table: &Session<Afraid>, seat: Seat) -> Vec<Answer> {
    let (rules, state) = (table.rules(), table.state());
    let (mut listed, mut appeals) = (Vec::new(), Vec::new());
    Afraid::legal(rules, state, Slot(0), &mut |answer| listed.push(answer));
    Afraid::appeal(rules, state, (Slot(0), seat), &listed, &mut |appeal| appeals.push(appeal));
    let most = appeals.iter().copied().max();
    let best = listed.iter().zip(&appeals).filter(|(_, appeal)| Some(**appeal) == most);
    best.map(|(answer, _)| *answer).collect()
}

#[track_caller]
fn check(table: &Session<Afraid>, seat: Seat, fits: impl Fn(&Answer) -> bool) {
    let drawn = drawn(table, seat);
    assert!(!drawn.is_empty() && drawn.iter().all(fits), "{drawn:?}");
}

#[test]
fn those_who_can_be_finished_are_finished() {
    // Neither has enough against 11, and 9 is enough against both at less cost.
    let both = CharSet::one(Char(1)).with(Char(2));
    check(
        &fight("10 8 6 5 4", "3 2", "4 2"),
        ANA,
        |answer| matches!(answer, Answer::Challenge { on, dice, .. } if *on == both && (7..=9).contains(&dice.sum())),
    );
}

#[test]
fn a_won_fight_is_not_given_away() {
    check(&fight("9 8 7 6", "2 1", "1 1"), ANA, |answer| matches!(answer, Answer::Challenge { .. }));
}

#[test]
fn a_die_that_reverses_is_kept_for_more() {
    let mut table = fight("9 6 6 2", "10 7 2 1", "1");
    table.says(Seat::Gm, r#"{"challenge":{"on":["@ada"],"dice":[7,2]}}"#);
    check(&table, ANA, |answer| *answer == Answer::Answer { dice: Faces::of(&[9]), arena: None });
}

#[test]
fn dice_in_reserve_come_before_a_blow_and_before_giving() {
    for hand in ["4 4 3 3", "1"] {
        let mut table = fight(hand, "10 7 2 1", "1");
        table.says(Seat::Gm, r#"{"challenge":{"on":["@ada"],"dice":[7,2]}}"#);
        check(&table, ANA, |answer| matches!(answer, Answer::Bring(_)));
    }
}

#[test]
fn what_is_out_of_reach_is_given_up() {
    let mut table = fight("8 7", "10 2 1", "1");
    table.says(ANA, r#"{"challenge":{"on":["@moss"],"dice":[8,7]}}"#);
    // Moss has 13 in all, and no sheet.
    check(&table, Seat::Gm, |answer| *answer == Answer::Give);
}

#[test]
fn lives_are_spared_by_those_who_have_won() {
    let mut table = fight("8 7", "10 2 1", "1");
    table.says(ANA, r#"{"challenge":{"on":["@moss","@fern"],"dice":[8,7]}}"#);
    table.says(Seat::Gm, r#""give""#);
    table.says(Seat::Gm, r#""give""#);
    check(&table, ANA, |answer| matches!(answer, Answer::Resolve { dies, .. } if dies.is_empty()));
}
