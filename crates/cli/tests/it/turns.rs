//! `fracas turns`, `fracas odds --deep`, questions and hints.

use crate::common::Desk;

#[test]
fn an_evening_is_told_with_its_chances() {
    let desk = Desk::new();
    desk.run("simulate salt-gate --policy all=random --seed 4 -n 1 --keep 1 longest", "").ends(0);
    let ran = desk.run("turns kept/0.fracas --work 3 --plot curve.svg", "").ends(0);
    ran.says("The Salt Gate").says("played on from it").says("Points in all: dice");
    let svg = std::fs::read_to_string(desk.path().join("curve.svg")).expect("a picture");
    assert!(svg.starts_with("<svg") && svg.contains("class=\"line\""), "{svg}");
    let json = desk.run("turns kept/0.fracas --work 3 --format json", "").ends(0).json();
    let points = json["points"].as_array().expect("points");
    assert!(points.len() > 2 && points[0]["seq"] == 0, "{json}");
    assert_eq!(points[0]["outlook"]["conflicts"], 3);
    desk.run("turns kept/0.fracas --work 3 --plot curve.svg", "").ends(2).warns("curve.svg");
    desk.run("turns nowhere.fracas", "").ends(2).warns("nowhere.fracas");
}

#[test]
fn questions_need_no_table() {
    let desk = Desk::new();
    let all = desk.run("odds afraid", "").ends(0);
    all.says("fallout").says("such as: fracas odds afraid");
    let ran = desk.run("odds afraid fallout 4d8+2d10 --plot bars.svg", "").ends(0);
    ran.says(" of 409600").says("█");
    assert!(desk.path().join("bars.svg").exists());
    let json = desk.run("odds afraid fallout 4d8+2d10 --format json", "").ends(0).json();
    assert_eq!(json["chances"]["throws"], "409600");
    desk.run("odds afraid fallout 4d8+2d10 --format csv", "").ends(0).says("result,throws,all,chance");
    desk.run("odds afraid fallot 4d8", "").ends(2).warns("fallout");
    desk.run("odds afraid fallout", "").ends(2).warns("is missing").warns("such as: fracas odds afraid");
    desk.run("odds afraid fallout 4x8", "").ends(2).warns("4x8");
    desk.run("odds salt-gate attack arm=2", "").ends(2).warns("a question follows a system");
}

#[test]
fn answers_stand_with_how_often_the_players_win_after_them() {
    let desk = Desk::new();
    desk.run("odds the-quiet-hour --deep", "").ends(0).says("the players win then");
    desk.run("odds the-quiet-hour --deep --as player-1", "").ends(2).warns("--deep is for --as gm");
}

#[test]
fn the_gamemaster_has_the_calls_of_the_encounter() {
    let desk = Desk::new();
    let ran = desk.run("play salt-gate", "@gm\ncalls\ncalls 1\ncalls 77\nquit\n").ends(0);
    ran.says("To count: Levies down, to 2").says("calls 77: there are");
}

#[test]
fn the_machine_says_what_it_would_answer() {
    let desk = Desk::new();
    let ran = desk.run("play salt-gate", "hint\nquit\n").ends(0);
    ran.says("best").says("worse").says("looks one answer ahead");
}
