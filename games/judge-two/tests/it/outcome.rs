//! What odds and simulation count, and what bots weigh.

use crate::TABLES;
use fracas_kernel::{AnyTable, Game, Seat, Session, Slot, Viewer};
use fracas_suite::{Driven, opened};
use judge_two::{JudgeTwo, Outcome, answer::Answer};

type Table = Session<JudgeTwo>;

/// A fight before and after these fiats.
#[track_caller]
fn after(fiats: &[&str]) -> (Table, Table) {
    let before = opened::<JudgeTwo>(&TABLES.setup("salt-gate.toml"));
    let mut now = before.clone();
    fiats.iter().for_each(|fiat| drop(now.overrules(fiat)));
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
    let worth = |it: &Table, seat| JudgeTwo::worth(it.rules(), it.state(), seat);
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
    let bind = |who| format!(r#"{{"bind":{{"who":"@{who}","with":"@levy-adan"}}}}"#);
    assert_eq!(gain(&[&bind("ilka")]), 0);
    assert_eq!(gain(&[&bind("ilka"), &bind("oren")]), -3);
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

fn read(answer: &str) -> Answer {
    serde_json::from_str(answer).unwrap_or_else(|error| panic!("{answer}: {error}"))
}

/// What holds a fair gamemaster back from answers.
#[track_caller]
fn held_back(table: &Table, answers: &[(&str, i32)]) {
    for &(answer, restraint) in answers {
        let found = JudgeTwo::restraint(table.rules(), table.state(), Slot(0), read(answer));
        assert_eq!(found, restraint, "{answer}");
    }
}

#[test]
fn a_fair_gamemaster_holds_back() {
    let (mut table, _) = after(&[]);
    held_back(
        &table,
        &[
            (r#"{"settle":{"favor":1}}"#, 30),
            (r#"{"settle":{}}"#, 0),
            (r#"{"settle":{"favor":-1}}"#, 0),
            (r#"{"assault":{"on":["@c0"],"veiled":true}}"#, 15),
            (r#"{"assault":{"on":["@c0"]}}"#, 0),
            (r#""as-test""#, 30),
            (r#""as-long-test""#, 30),
            (r#""refuse""#, 10),
            (r#"{"dispose":{"who":"@c2","to":"hostile"}}"#, 20),
            (r#"{"danger":["@c0"]}"#, 18),
            (r#"{"danger":["@c0","@c1"]}"#, 26),
            (r#""pass""#, 0),
        ],
    );
    table.says(Seat::Gm, r#"{"danger":["@tamsin","@oren"]}"#);
    held_back(
        &table,
        &[
            (r#"{"terms":{"essence":"strength","cl":4}}"#, 0),
            (r#"{"terms":{"essence":"strength","cl":6}}"#, 10),
            (r#"{"terms":{"essence":"strength","cl":6,"favor":1}}"#, 40),
            (r#"{"terms":{"essence":"strength","cl":6,"favor":-1}}"#, 10),
            (r#"{"terms":{"essence":"faith","cl":4}}"#, 20),
        ],
    );
}

#[test]
fn a_fair_gamemaster_has_no_prisoner_fight_on() {
    let foes = ["gatewarden", "levy-adan", "levy-bero", "levy-cato", "archer-of-the-wall"];
    let beaten =
        foes.map(|foe| format!(r#"{{"fate":{{"who":"@{foe}","fate":{{"finished":"surrender"}}}}}}"#));
    let (_, table) = after(&beaten.each_ref().map(String::as_str));
    assert_eq!(table.state().form, None);
    held_back(&table, &[(r#"{"conflict":"martial"}"#, 300)]);
}

#[test]
fn the_end_tells_who_was_beaten_in_the_last_scene() {
    let mut table = opened::<JudgeTwo>(&TABLES.setup("salt-gate.toml"));
    table.plays(
        r#"
        fiat: {"fate":{"who":"@gatewarden","fate":{"finished":"surrender"}}}
        fiat: {"fate":{"who":"@levy-adan","fate":{"finished":"unconscious"}}}
        fiat: {"fate":{"who":"@oren","fate":{"finished":"flee"}}}
        gm: "end-scene"
        gm: "close"
        "#,
    );
    let fallen: Vec<String> =
        table.ending(Viewer::Spectator).fallen.into_iter().map(|fared| fared.name).collect();
    assert_eq!(fallen, ["Oren", "Gatewarden", "Levy Adan"]);
}
