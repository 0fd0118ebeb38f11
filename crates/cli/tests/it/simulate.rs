//! `fracas simulate` and `fracas merge`.

use crate::common::Desk;
use std::time::{Duration, Instant};

const RANDOM: &str = "simulate salt-gate --policy all=random";

#[test]
fn neither_threads_nor_parts_change_what_comes_of_it() {
    let desk = Desk::new();
    let whole = desk.run(&format!("{RANDOM} -n 50 --threads 1 --format json"), "").ends(0);
    let threads = desk.run(&format!("{RANDOM} -n 50 --threads 3 --format json"), "").ends(0);
    assert_eq!(whole.out, threads.out);
    let json = whole.json();
    assert_eq!(json["conflicts"], 50);
    let shares = ["players-stand", "others-stand", "both-stand", "nobody-stands", "unended"];
    let measures = &json["settings"][0]["measures"];
    let sum: f64 = shares.iter().map(|name| measures[name]["mean"].as_f64().expect("a share")).sum();
    assert!((sum - 1.0).abs() < 1e-9, "one of them came of each conflict: {measures}");
    assert!(measures["answers"]["mean"].as_f64() > Some(5.0) && measures["rounds"].is_object(), "{measures}");

    for part in 1..=3 {
        desk.run(&format!("{RANDOM} -n 50 --chunk {part}/3 --out {part}.json"), "").ends(0);
    }
    let merged = desk.run("merge 1.json 2.json 3.json --format json", "").ends(0);
    assert_eq!(merged.out, whole.out);
    desk.run("merge 1.json 2.json --out whole.json", "").ends(0).says("The Salt Gate");
    desk.run("merge whole.json 2.json", "")
        .ends(2)
        .warns("2.json: has conflict 16, which whole.json has too");
    let gap = desk.run("merge 3.json 1.json --out gap.json", "").ends(0);
    gap.says("Conflicts 16 to 32 are missing.");
    let filled = desk.run("merge gap.json 2.json --format json", "").ends(0);
    assert_eq!(filled.out, whole.out);
    desk.run("simulate the-quiet-hour -n 4 --out other.json", "").ends(0);
    desk.run("merge 3.json other.json", "").ends(2).warns("is of another simulation: encounter");
    desk.write(
        "broken.json",
        std::fs::read_to_string(desk.path().join("1.json"))
            .expect("a part")
            .replace("\"conflicts\": 16", "\"conflicts\": 17"),
    );
    desk.run("merge broken.json", "").ends(2).warns("its sums are not whole");
}

#[test]
fn settings_are_compared_conflict_by_conflict_and_those_that_differ_are_kept() {
    let desk = Desk::new();
    let set = "--set essence-cap=capped-at-3,uncapped --set tier-downgrade=forbidden,allowed";
    let json = desk.run(&format!("{RANDOM} -n 30 {set} --format json"), "").ends(0).json();
    let settings = json["settings"].as_array().expect("settings");
    let labels: Vec<&str> = settings.iter().map(|arm| arm["setting"].as_str().expect("a label")).collect();
    assert_eq!(labels[0], "essence-cap=capped-at-3 tier-downgrade=forbidden");
    assert_eq!(labels[3], "essence-cap=uncapped tier-downgrade=allowed");
    assert!(settings[0].get("differences").is_none() && settings[1]["differences"].is_object());

    let set = "--set omen-finisher=by-degree,cannot";
    let refused = desk.run(&format!("{RANDOM} -n 1 {set}"), "").ends(2);
    refused.warns("options.omen-finisher");
    let set = "--policy all=fair --set tier-downgrade=forbidden,allowed --keep 2 differing";
    let json = desk.run(&format!("simulate salt-gate -n 60 {set} --format json"), "").ends(0).json();
    let logs = json["kept"].as_array().expect("logs");
    assert_eq!(logs.len(), 4, "two conflicts, each under both: {logs:?}");
    assert!(logs[1]["parts"].is_u64() && logs[0].get("parts").is_none());
    for log in logs {
        desk.run(&format!("verify {}", log["path"].as_str().expect("a path")), "").ends(0);
    }
    desk.run(&format!("simulate salt-gate -n 60 {set}"), "").ends(2).warns("--force").says("60 conflicts");
    let ran = desk.run(&format!("{RANDOM} -n 20 --keep 1 longest --into long"), "").ends(0).says("long/");
    let path = ran.out.lines().find_map(|line| Some(line.split_once(": conflict")?.0)).expect("a log");
    desk.run(&format!("story {path}"), "").ends(0).says("Salt Gate");
}

#[test]
fn a_simulation_that_is_killed_goes_on_where_it_was() {
    let desk = Desk::new();
    let command =
        |n: u32, out: &str| format!("{RANDOM} -n {n} --threads 1 --keep 2 longest --force --out {out}");
    let on = |n: u32, out: &str| command(n, out).replace(" --force", "");
    let killed = |n: u32, out: &str, after: u64| {
        let mut child = desk.command(&command(n, out)).spawn().expect("the program");
        let begun = Instant::now();
        while !desk.path().join(format!("{out}.part")).exists()
            && child.try_wait().expect("a state").is_none()
        {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing is noted");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(after));
        child.kill().expect("killed");
        child.wait().expect("an end");
    };
    let read = |name: &str| std::fs::read_to_string(desk.path().join(name)).expect("a file");

    // At once, and some time later.
    desk.run(&command(2000, "whole.csv"), "").ends(0);
    for after in [0, 1200] {
        killed(2000, "part.csv", after);
        if !desk.path().join("part.csv.part").exists() {
            continue;
        }
        desk.run(&on(2000, "part.csv").replace("--threads", "--seed 2 --threads"), "")
            .ends(2)
            .warns("another simulation");
        if after > 0 {
            desk.run(&on(5, "part.csv"), "").ends(2).warns("more than these");
        }
        std::fs::remove_dir_all(desk.path().join("kept")).expect("the logs");
        desk.run(&on(2000, "part.csv"), "").ends(0).says("2000 conflicts");
        let whole = read("whole.csv");
        assert!(whole.starts_with("conflict,setting,players-stand,"), "{}", &whole[..80]);
        assert_eq!(whole.lines().count(), 2001);
        assert!(whole == read("part.csv"), "the rows are the same");
        assert!(!desk.path().join("part.csv.part").exists());
        assert_eq!(std::fs::read_dir(desk.path().join("kept")).expect("logs").count(), 2);
    }
    desk.run(&on(2000, "whole.csv"), "").ends(2).warns("is there already");
    desk.write("short.csv.part", "{}");
    desk.run(&on(60, "short.csv"), "").ends(2).warns("cannot be read: say --force");
    desk.run(&on(60, "nowhere/x.csv"), "").ends(2).warns("no such folder");
}

#[test]
fn a_simulation_stops_once_it_is_precise() {
    let desk = Desk::new();
    let json = desk.run(&format!("{RANDOM} -n 5000 --until 5% --format json"), "").ends(0).json();
    assert_eq!(json["conflicts"], 1000);
}

#[test]
fn what_cannot_be_simulated_is_told() {
    let desk = Desk::new();
    for (args, why) in [
        ("--policy players=clever", "random, fair, brisk or sound"),
        ("--policy spectators=fair", "players, gm or all"),
        ("--set tier-downgrade", "a setting with its values"),
        ("--set no-such=1", "no such option"),
        ("--set tier-downgrade=a,a", "is there twice"),
        ("--set tier-downgrade=a --set tier-downgrade=b", "is set already"),
        ("--measure wins", "there is no such measure"),
        ("--until much", "half of an interval"),
        ("--chunk 3/2", "which of how many"),
        ("--keep 0 worst", "a number from 1 to 100"),
        ("--keep 1 best", "worst, longest or differing"),
        ("--keep 1 differing --set tier-downgrade=allowed", "compare settings"),
        ("--keep 1 worst --keep 1 longest", "cannot be used multiple times"),
        ("-n 3 --chunk 1/4", "have no 4 parts"),
        ("--threads 0", "1..=1024"),
        ("--out rows.txt", ".csv or .ndjson"),
        ("-n 0", "1..=1000000000"),
    ] {
        desk.run(&format!("simulate salt-gate {args}"), "").ends(2).warns(why);
    }
    desk.run("simulate no-such-place", "").ends(2).warns("no encounter of that name");
    desk.write("x.json", "{}");
    desk.run("merge x.json", "").ends(2).warns("not a part of a simulation");
}

#[test]
fn an_encounter_of_each_system_can_be_simulated_by_each_policy() {
    let desk = Desk::new();
    for encounter in
        ["the-quiet-hour", "the-back-room", "the-broken-bridge", "the-price-of-lamps", "spear-line"]
    {
        for policy in ["random", "fair", "sound"] {
            let n = if policy == "sound" { 1 } else { 3 };
            let args = format!("simulate {encounter} -n {n} --policy all={policy} --work 20 --format json");
            let json = desk.run(&args, "").ends(0).json();
            assert_eq!(json["conflicts"], n, "{encounter} {policy}");
            let played = if policy == "sound" { serde_json::json!({ "sound": 20 }) } else { policy.into() };
            assert_eq!((&json["players"], &json["gm"]), (&played, &played));
        }
    }
}

#[test]
fn odds_of_a_moment_are_exact_and_add_up() {
    let desk = Desk::new();
    desk.run("simulate salt-gate -n 1 --policy all=random --keep 1 longest", "").ends(0);
    let mut rolls = 0;
    for line in 1..30 {
        let json = desk.run(&format!("odds kept/0.fracas --at {line} --format json"), "").ends(0).json();
        let asks = json["asks"].as_array().expect("asks");
        let all = asks.iter().flat_map(|ask| ask["answers"].as_array().expect("answers"));
        let of_roll = json.get("roll").and_then(|roll| roll.get("chances"));
        for chances in all.filter_map(|answer| answer.get("chances")).chain(of_roll) {
            let number =
                |text: &serde_json::Value| text.as_str().expect("text").parse::<u128>().expect("a number");
            let rows = chances["rows"].as_array().expect("rows");
            let sum: u128 = rows.iter().map(|row| number(&row["throws"])).sum();
            assert_eq!(sum, number(&chances["throws"]), "{chances}");
            rolls += 1;
        }
    }
    assert!(rolls > 3, "{rolls}");
    desk.run("odds salt-gate --as player-1", "").ends(0).says("The Salt Gate");
    desk.run("odds salt-gate --format csv", "").ends(0).says("ask,answer,result,throws,all,chance");
    desk.run("odds kept/0.fracas --at 99999", "").ends(2).warns("there is no such line; the last is");
    desk.run("odds kept/0.fracas --as spectator", "").ends(0).says("Nothing is asked of this viewer.");
    desk.run("odds salt-gate --at 3", "").ends(2).warns("--at is for a log");
    desk.run("odds salt-gate --as nobody", "").ends(2).warns("--as");
    desk.run("odds nowhere.fracas", "").ends(2).warns("nowhere.fracas");
}

#[test]
fn who_stands_is_whom_players_hold_whatever_sides_are_called() {
    let desk = Desk::new();
    // Players on both sides.
    let json = desk.run("simulate two-oaths -n 20 --policy all=random --format json", "").ends(0).json();
    let nobody = json["settings"][0]["measures"]["nobody-stands"]["mean"].as_f64();
    assert!(nobody < Some(0.5), "{json}");
}
