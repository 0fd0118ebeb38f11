//! What odds and simulation count, and what bots weigh.

mod common;

use fracas_kernel::{Game, Seat, Session};
use judge_two::{JudgeTwo, Outcome, fiat::Fiat};

/// A session of the setup of this name, after these fiats.
fn after(fiats: &[&str]) -> (Session<JudgeTwo>, Session<JudgeTwo>) {
    let found = common::setups().into_iter().find(|it| it.encounter.name().ends_with("salt-gate.toml"));
    let (rules, state) = JudgeTwo::start(&found.expect("the setup")).expect("no faults");
    let before = Session::<JudgeTwo>::new(rules, state);
    let mut now = before.clone();
    for fiat in fiats {
        let fiat = JudgeTwo::names(now.rules()).read(fiat).expect("names");
        let fiat: Fiat = serde_json::from_str(&fiat).expect("a fiat");
        now.fiat(&fiat, &mut Vec::new()).expect("allowed");
    }
    (before, now)
}

fn check(fiats: &[&str], expected: Outcome) {
    let (before, now) = after(fiats);
    assert_eq!(JudgeTwo::outcome(now.rules(), now.state(), before.state()), expected);
}

/// How much better things stand for the players after these fiats; for the
/// gamemaster it is the same the other way round.
fn gain(fiats: &[&str]) -> i32 {
    let (before, now) = after(fiats);
    let worth = |it: &Session<JudgeTwo>, seat| JudgeTwo::worth(it.rules(), it.state(), seat);
    let gain = worth(&now, Seat::Player(0)) - worth(&before, Seat::Player(0));
    assert_eq!(worth(&before, Seat::Gm) - worth(&now, Seat::Gm), gain);
    gain
}

const NOTHING: Outcome = Outcome { lost: 0, dead: 0, won: 0, marks: 0, risk: 0, rounds: 0 };

#[test]
fn outcomes_are_counted() {
    check(&[], NOTHING);
    check(
        &[
            r#"{"fate":{"who":"@tamsin","fate":"dead"}}"#,
            r#"{"fate":{"who":"@oren","fate":{"finished":"flee"}}}"#,
            r#"{"fate":{"who":"@levy-adan","fate":"dead"}}"#,
            r#"{"mark":{"who":"@ilka","mark":"crush","on":true}}"#,
            r#"{"mark":{"who":"@ilka","mark":"pierce","on":true}}"#,
            r#"{"mark":{"who":"@gatewarden","mark":"pierce","on":true}}"#,
            r#"{"risk":{"who":"@ilka","risk":5}}"#,
            r#"{"risk":{"who":"@oren","risk":3}}"#,
            r#"{"risk":{"who":"@gatewarden","risk":9}}"#,
        ],
        Outcome { lost: 2, dead: 1, won: 1, marks: 2, risk: 8, rounds: 0 },
    );
}

#[test]
fn harm_weighs_on_whoever_suffers_it() {
    assert_eq!(gain(&[]), 0);
    assert_eq!(gain(&[r#"{"risk":{"who":"@ilka","risk":5}}"#]), -20);
    assert_eq!(gain(&[r#"{"mark":{"who":"@ilka","mark":"crush","on":true}}"#]), -9);
    assert_eq!(gain(&[r#"{"weaken":{"who":"@ilka","on":true}}"#]), -3);
    assert_eq!(gain(&[r#"{"weaken":{"who":"@levy-adan","on":true}}"#]), 3);
    assert_eq!(gain(&[r#"{"bind":{"who":"@ilka","with":"@oren"}}"#]), -6);
    assert_eq!(gain(&[r#"{"misdirect":{"who":"@levy-adan","by":"@oren","on":true}}"#]), 3);
    assert_eq!(gain(&[r#"{"fate":{"who":"@ilka","fate":{"finished":"flee"}}}"#]), -60);
    assert_eq!(gain(&[r#"{"fate":{"who":"@ilka","fate":"dead"}}"#]), -90);
    assert_eq!(gain(&[r#"{"item":{"item":"@hookblade","holder":"@tamsin","lie":"carried"}}"#]), -2);
    // Risk on a nemesis counts for nothing before its omen is met.
    assert_eq!(gain(&[r#"{"risk":{"who":"@gatewarden","risk":9}}"#]), 0);
    assert_eq!(
        gain(&[
            r#"{"risk":{"who":"@gatewarden","risk":9}}"#,
            r#"{"misdirect":{"who":"@gatewarden","by":"@oren","on":true}}"#,
        ]),
        39
    );
}
