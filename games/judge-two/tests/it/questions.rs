//! Questions about odds, against figures that are counted here.

use fracas_kernel::{Odds, Tone, Words};
use judge_two::JudgeTwo;

/// The odds that answer a question, said in words.
#[track_caller]
fn ask(words: &str) -> Odds {
    let (name, values) = words.split_once(' ').unwrap_or((words, ""));
    let question = JudgeTwo::questions().iter().find(|question| question.name == name).expect("a question");
    let values = question.read(values.split_whitespace()).expect("values");
    JudgeTwo::answers(question.name, &values).expect("odds")
}

#[track_caller]
fn check(words: &str, expected: &[(&str, u128)]) {
    let odds = ask(words);
    let rows: Vec<(&str, u128)> = odds.rows.iter().map(|row| (&*row.text, row.throws)).collect();
    assert_eq!(rows, expected, "{words}");
}

/// The throws of so many dice.
fn throws(dice: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..6_usize.pow(dice)).map(move |n| (0..dice).map(|at| (n / 6_usize.pow(at) % 6) as u8 + 1).collect())
}

#[test]
fn a_test_is_judged_as_well_as_can_be() {
    // Light 4 is needed. Innocent: both dice from 4 on, 9 throws; guilty: just one of them, 18.
    check("test rank=2 cl=6", &[("innocent success", 9), ("success, but guilty", 18), ("guilty failure", 9)]);
    // Light 6 is needed.
    check(
        "test rank=0 cl=6",
        &[
            // A six, and another die from 4 on: 6 6, 6 5, 6 4 and turned about.
            ("innocent success", 5),
            ("success, but guilty", 6),
            // No six, and a die from 4 on: 25 less 9.
            ("failure, but innocent", 16),
            ("guilty failure", 9),
        ],
    );
}

#[test]
fn an_attack_says_what_can_be_chosen_after_the_dice() {
    // Degree is Light less 4, and 4 for risk: a finisher from Light 5 on, a mark at Light 4.
    check(
        "attack rank=2 cl=6 risk=4",
        &[
            // Light from 5 on and Truth from 4 on: 6 6, 5 5, 6 5, 6 4, 5 4.
            ("a finisher, innocent", 8),
            // Light from 5 on, Truth up to 3.
            ("a finisher, guilty, or failure, innocent", 12),
            ("3 risk and a mark or two threats, innocent", 1),
            ("3 risk and a mark or two threats, guilty, or failure, innocent", 6),
            ("failure, guilty", 9),
        ],
    );
    // Of twelve risk no more than what fits is recorded.
    assert!(ask("attack rank=0 cl=3 risk=11 resistance=11").rows[0].text.starts_with("1 risk and a mark"));
    check("attack rank=3 cl=4 brute quick", &[("a finisher, or a threat that may spread", 36)]);
    check(
        "attack rank=2 cl=6 quick finisher-from=8 risk=4",
        &[("3 risk and a mark or two threats", 27), ("failure", 9)],
    );
}

#[test]
fn a_failed_save_costs_what_the_attack_does() {
    // Light 4 is needed; a failure by 1, 2 or 3 is raised by 4 of risk to 5, 6 or 7: a finisher.
    check(
        "save essence=2 cl=6 risk=4",
        &[
            ("success, innocent", 9),
            ("success, guilty, or a finisher, innocent", 18),
            ("a finisher, guilty", 9),
        ],
    );
    // Without risk a failure by 3 brings a mark, by less a threat.
    check(
        "save essence=2 cl=6 quick",
        &[("success", 27), ("2 risk and a threat", 8), ("3 risk and a mark or two threats", 1)],
    );
}

#[test]
fn bold_and_faint_rolls_are_those_of_play() {
    for (word, keep) in [("bold", 3), ("faint", 2)] {
        let succeeds = |mut faces: Vec<u8>| {
            faces.sort_unstable();
            faces[..keep].iter().any(|&light| light >= 4)
        };
        let expected = throws(3).filter(|faces| succeeds(faces.clone())).count() as u128;
        let odds = ask(&format!("test rank=2 cl=6 {word}"));
        let rows = odds.rows.iter().filter(|row| row.tone != Tone::Bad);
        assert_eq!((odds.throws, rows.map(|row| row.throws).sum()), (216, expected), "{word}");
    }
}

#[test]
fn a_group_adds_its_degrees() {
    // Of two with ranks of 3 together against 6, the best Lights have to come to 9; one die is the Truth.
    let best = |faces: &[u8], truths: &dyn Fn(u8) -> bool| {
        let lights = |truth: usize| {
            let mut left: Vec<u8> = (0..4).filter(|&at| at != truth).map(|at| faces[at]).collect();
            left.sort_unstable();
            left[1] + left[2]
        };
        (0..4).filter(|&truth| truths(faces[truth])).any(|truth| lights(truth) >= 9)
    };
    let innocent = throws(4).filter(|faces| best(faces, &|truth| truth >= 4)).count() as u128;
    let any = throws(4).filter(|faces| best(faces, &|_| true)).count() as u128;
    let odds = ask("group members=2 ranks=3 cl=6");
    assert_eq!(odds.throws, 1296);
    let of = |tone: Tone| odds.rows.iter().filter(|row| row.tone == tone).map(|row| row.throws).sum::<u128>();
    assert_eq!((of(Tone::Good), of(Tone::Mixed)), (innocent, any - innocent));
}

#[test]
fn values_that_do_not_go_together_are_refused() {
    let question =
        JudgeTwo::questions().iter().find(|question| question.name == "group").expect("a question");
    let values = question.read(["members=2", "ranks=9"]).expect("values");
    assert_eq!(JudgeTwo::answers("group", &values).unwrap_err(), "ranks=9: 2 members have 6 ranks at most");
}
