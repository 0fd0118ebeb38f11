//! The runner on scenarios of a toy game: good ones pass, bad ones say why.

#[path = "../../table/tests/it/toy/mod.rs"]
mod toy;

use fracas_kernel::{Document, Faults, System, system_of};
use fracas_scenario::*;
use std::{fs, path::PathBuf};
use toy::{DUEL, TOY};

const SYSTEMS: &[System] = &[TOY];

const HEAD: &str = "title = \"A test\"\ngame = \"toy\"\nsetup = \"_duel.toml\"\n";

/// Ana and Ben agree on two dice, Ana throws 3 and 5, nothing meddles.
const BEGUN: &str = r#"
[[step]]
seat = "aster"
answer = { dice = 2 }
[[step]]
seat = "Ben"
answer = { dice = 2 }
expect = [{ bargained = { dice = 2 }, clause = "bargain" }]
[[step]]
seat = "chance"
roll = [3, 5]
expect = ["fell"]
[[step]]
seat = "gm"
answer = "pass"
expect = [{ text = "stands at 5", scored = { who = "@aster" } }]
"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.write("_duel.toml", DUEL);
        folder
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("written");
        path
    }
}

fn outcome(text: &str) -> Outcome {
    let folder = Folder::new();
    run(&folder.write("scenario.toml", text), SYSTEMS)
}

#[track_caller]
fn passes(text: &str) {
    let outcome = outcome(text);
    assert!(outcome.passed(), "{outcome}");
}

/// Asserts that it fails with a message that contains all of this.
#[track_caller]
fn fails(text: &str, parts: &[&str]) -> Outcome {
    let outcome = outcome(text);
    assert!(!outcome.passed(), "passed, and should not");
    for part in parts {
        assert!(outcome.to_string().contains(part), "should say {part:?}:\n{outcome}");
    }
    outcome
}

#[track_caller]
fn begun_passes(more: &str) {
    passes(&format!("{HEAD}{BEGUN}{more}"));
}

#[track_caller]
fn begun_fails(more: &str, parts: &[&str]) -> Outcome {
    fails(&format!("{HEAD}{BEGUN}{more}"), parts)
}

#[test]
fn a_whole_scenario_passes() {
    begun_passes(
        r#"
        [[step]]
        seat = "aster"
        offered = ["peek", { give = { to = "@bryn" } }]
        not_offered = [{ give = { to = "@aster" } }, "pass"]
        answer = { give = { to = "@aster" } }
        refused = "turn.give"
        [[step]]
        seat = "bryn"
        answer = "rest"
        refused = "form"
        [[step]]
        seat = "player-1"
        ask = "turn"
        answer = "peek"
        expect = ["peeked"]
        unexpected = ["rested", { peeked = { above = false } }]
        sees = { aster = ["it is higher"], gm = ["it is higher"], spectator = ["Aster peeks"] }
        hides = { bryn = ["higher"], spectator = ["higher"] }
        [[step]]
        fiat = { power = 9 }
        hides = { aster = ["Power"] }
        [[step]]
        seat = "aster"
        answer = "rest"
        [expect]
        turn = "@bryn"
        score = [5, 0]
        power = 9
        hidden = { absent = false }
        asks = [{ seat = "bryn", kind = "turn" }]
        [expect.view.spectator]
        hidden = { absent = true }
        "#,
    );
}

#[test]
fn a_failure_names_file_line_step_and_clause() {
    let outcome = begun_fails(
        "[[step]]\nseat = \"aster\"\nanswer = \"rest\"\nexpect = [{ clause = \"turn.peek\" }]\n",
        &[
            "scenario.toml:20: failed: A test",
            "step 5:",
            "expected: {\"clause\":\"turn.peek\"}",
            "came:\n      {\"rested\":{\"who\":\"@aster\"}} (turn.rest) -- Aster rests",
            "turn.peek: A peek tells the peeker alone.",
        ],
    );
    let failure = outcome.failure.expect("it failed");
    assert_eq!((failure.step, failure.line), (Some(5), 20));
}

#[test]
fn answers_go_wrong() {
    begun_fails(
        "[[step]]\nseat = \"bryn\"\nanswer = \"rest\"",
        &["nothing is asked of player-2 (Ben)", "asked now: turn of player-1 (Ana)"],
    );
    begun_fails(
        "[[step]]\nseat = \"aster\"\nask = \"bargain\"\nanswer = \"rest\"",
        &["nothing of the kind \"bargain\""],
    );
    begun_fails(
        "[[step]]\nseat = \"aster\"\nanswer = { give = { to = \"@aster\" } }",
        &["refused: that is yourself (turn.give)", "turn.give: Nobody gives"],
    );
    begun_fails(
        "[[step]]\nseat = \"aster\"\nanswer = { give = { to = \"@nobody\" } }",
        &["nothing here is called \"nobody\""],
    );
    begun_fails(
        "[[step]]\nseat = \"dora\"\nanswer = \"rest\"",
        &["nobody here is called \"dora\": there are gamemaster, gm, aster, Ana, player-1"],
    );
    begun_fails("[[step]]\nfiat = { power = 99999999 }", &["refused: at most 1000000"]);
    begun_fails(
        "[[step]]\nfiat = \"bug\"",
        &["the game panicked, which is a bug of the game: a bug, for the tests"],
    );
    begun_fails("[[step]]\nseat = \"gm\"\nstanding = \"dance\"", &["refused: not a standing reply"]);
}

#[test]
fn dice_go_wrong() {
    begun_fails("[[step]]\nseat = \"chance\"\nroll = [1]", &["unused dice: no roll is due"]);
    let again = "[[step]]\nseat = \"aster\"\nanswer = \"again\"\n";
    begun_fails(&format!("{again}[[step]]\nroll = [1, 2, 3]"), &["2d6 takes 2 faces, not 3"]);
    begun_fails(&format!("{again}[[step]]\nroll = [1, 7]"), &["its face is 1 to 6, not 7"]);
    begun_passes(&format!("{again}[[step]]\nroll = [1, 7]\nrefused = \"form\""));
    begun_passes(&format!("{again}[expect]\nasks = [{{ seat = \"chance\", kind = \"2d6\" }}]"));
    begun_fails(&format!("{again}[expect]\nasks = []"), &["unexpected dice are due"]);
    begun_fails(
        &format!("{again}[[step]]\nseat = \"aster\"\nanswer = \"rest\""),
        &["nothing is asked", "dice are due: 2d6 by player-1 (Ana)"],
    );
}

#[test]
fn refusals_go_wrong() {
    let step = |answer: &str, refused: &str| {
        format!("[[step]]\nseat = \"aster\"\nanswer = {answer}\nrefused = \"{refused}\"")
    };
    begun_fails(
        &step("\"rest\"", "turn.rest"),
        &["expected to be refused: turn.rest", "but it was accepted", "A rest ends the turn"],
    );
    begun_fails(
        &step("{ give = { to = \"@aster\" } }", "meddle"),
        &["refused was: that is yourself (turn.give)"],
    );
    begun_fails(&step("{ give = { to = \"@aster\" } }", "form"), &["expected to be refused: form"]);
    begun_fails(&step("\"rest\"", "turn.rset"), &["no clause \"turn.rset\"; perhaps turn.rest"]);
    begun_passes("[[step]]\nfiat = { guest = \"aster\" }\nrefused = \"guests\"");
}

#[test]
fn offers_go_wrong() {
    begun_fails(
        "[[step]]\nseat = \"aster\"\noffered = [\"pass\"]",
        &["expected to be offered: \"pass\"", "offered are:\n      \"again\""],
    );
    begun_fails(
        "[[step]]\nseat = \"aster\"\nnot_offered = [{ give = {} }]",
        &["expected not to be offered", "offered is: {\"give\":{\"to\":\"@bryn\"}}"],
    );
    begun_fails("[[step]]\nseat = \"bryn\"\nnot_offered = [\"pass\"]", &["nothing is offered to player-2"]);
}

#[test]
fn events_and_sight_go_wrong() {
    let peek = "[[step]]\nseat = \"aster\"\nanswer = \"peek\"\n";
    begun_fails(&format!("{peek}unexpected = [\"peeked\"]"), &["expected not to come: \"peeked\""]);
    begun_fails(
        &format!("{peek}expect = [\"peeked\", \"peeked\"]"),
        &["expected: \"peeked\" (it came, but not in this order)"],
    );
    begun_fails(
        &format!("{peek}sees = {{ bryn = [\"higher\"] }}"),
        &["expected bryn to see: higher", "Aster peeks"],
    );
    begun_fails(&format!("{peek}hides = {{ aster = [\"higher\"] }}"), &["expected aster not to see: higher"]);
    begun_fails(
        &format!("{peek}expect = [{{ clause = \"peek\" }}]"),
        &["no clause \"peek\"; perhaps turn.peek"],
    );
}

#[test]
fn the_end_goes_wrong() {
    begun_fails(
        "[expect]\nscore = [4, 0]\npowr = 2",
        &[
            "after the last step:",
            "view of gm: score[1]: expected 4, found 5",
            "powr: expected 2, and there is no such field; there are turn, score",
        ],
    );
    begun_fails(
        "[expect.view.spectator]\nhidden = 7",
        &["view of spectator: hidden: expected 7, and there is no such field"],
    );
    begun_fails("[expect]\nasks = []", &["an unexpected ask: turn"]);
    begun_fails("[expect]\nasks = [{ seat = \"bryn\" }]", &["expected to be open: something of bryn"]);
    begun_fails(
        "[expect]\nasks = [{ seat = \"aster\", kind = \"meddle\" }]",
        &["expected to be open: meddle of aster"],
    );
}

#[test]
fn answers_that_need_no_asking_may_be_left_out() {
    let begun = |setup: &str, last: &str| {
        let without = BEGUN.rsplit_once("expect = [\"fell\"]").expect("a throw").0;
        format!(
            "title = \"t\"\ngame = \"toy\"\nsetup = {{ from = \"_duel.toml\", {setup} }}\n{without}{last}"
        )
    };
    // Without power the gamemaster can only pass. The scenario may state that or leave it
    // out.
    let turn = "[[step]]\nseat = \"aster\"\nanswer = \"rest\"";
    passes(&begun("power = 0", turn));
    passes(&begun(
        "power = 0",
        &format!("[[step]]\nseat = \"gm\"\nanswer = \"pass\"\nexpect = [\"scored\"]\n{turn}"),
    ));
    passes(&begun("power = 0", "expect = [\"fell\", \"scored\"]\n[expect]\nasks = [{ seat = \"aster\" }]"));
    fails(&begun("power = 1", turn), &["nothing is asked of player-1"]);
    let standing = "[[step]]\nseat = \"gm\"\nstanding = \"never-meddle\"\n";
    passes(&begun("power = 1", &format!("{standing}{turn}")));
    let withdrawn = "[[step]]\nseat = \"gm\"\nwithdraw = \"never-meddle\"\n";
    fails(&begun("power = 1", &format!("{standing}{withdrawn}{turn}")), &["nothing is asked"]);
}

#[test]
fn setups_come_inline_shared_or_laid_over() {
    let bargain = "[[step]]\nseat = \"ana\"\nanswer = { dice = 1 }\n";
    let inline = "[setup]\ngoal = 5\n[[setup.player]]\nname = \"Ana\"\nplays = \"a\"\n[[setup.player]]\nname = \"Ben\"\nplays = \"b\"\n";
    passes(&format!("title = \"t\"\ngame = \"toy\"\n{inline}{bargain}"));
    fails(
        &format!("title = \"t\"\ngame = \"toy\"\n{}{bargain}", inline.replace("goal = 5", "goal = 0")),
        &["scenario.toml:4: goal: expected a whole number from 1"],
    );
    passes(&format!(
        "title = \"t\"\ngame = \"toy\"\nsetup = {{ from = \"_duel.toml\", power = 8, options = {{ ties = \"younger\" }} }}\n{bargain}[expect]\npower = 8"
    ));
    fails(
        "title = \"t\"\ngame = \"toy\"\nsetup = \"_gone.toml\"\n[expect]\npower = 2",
        &["_gone.toml: there is no such file"],
    );
    fails(
        "title = \"t\"\ngame = \"toy\"\nsetup = 3\n[expect]\npower = 2",
        &["expected a table, or the path of a shared setup"],
    );
}

#[test]
fn a_setup_can_be_shown_to_be_refused() {
    let faulty = |faults: &str, power: &str| {
        format!(
            "title = \"t\"\ngame = \"toy\"\ncovers = [\"meddle\"]\nfaults = {faults}\nsetup = {{ from = \"_duel.toml\", power = {power} }}"
        )
    };
    passes(&faulty("[\"power: expected a whole number\"]", "-1"));
    fails(
        &faulty("[\"power: expected a whole number\"]", "1"),
        &["expected the setup to be refused", "but it is accepted"],
    );
    fails(&faulty("[\"goal\"]", "-1"), &["expected among the faults of the setup: goal", "found -1"]);
    fails(
        &format!("{}\n[expect]\npower = 1", faulty("[\"x\"]", "-1")),
        &["has no steps and nothing after them"],
    );
}

#[test]
fn a_file_that_is_no_scenario_is_refused_with_the_reason() {
    let with = |more: &str| format!("{HEAD}{more}");
    fails("title = 3", &["scenario.toml:1:", "expected a string"]);
    fails("title = \"t\"\ngame = \"toy\"", &["missing field `setup`"]);
    fails(&with("odd = 1"), &["scenario.toml:4:", "unknown field `odd`"]);
    fails(&with("[[step]]\nseat = \"gm\"\nanswr = 1"), &["scenario.toml:6:", "unknown field `answr`"]);
    // All faults at once, in the order of lines.
    fails(
        &with("odd = 1\n[[step]]\nseat = 3\n[[step]]\nseat = \"gm\"\nanswr = 1"),
        &[
            "scenario.toml:4:",
            "unknown field `odd`",
            "scenario.toml:6:",
            "scenario.toml:9:",
            "unknown field `answr`",
        ],
    );
    fails(&with("[[step]]\nseat = \"gm\n[[step]]\nroll = [1\n"), &["scenario.toml:5:", "scenario.toml:7:"]);
    fails(&with(""), &["it says nothing that could fail"]);
    fails(&with("[[step]]\nseat = \"gm\""), &["scenario.toml:4: step: it does nothing"]);
    fails(&with("[[step]]\nanswer = \"rest\""), &["`seat` is missing"]);
    fails(&with("[[step]]\nroll = [1]\nfiat = 1"), &["it does several things, roll and fiat"]);
    fails(&with("[[step]]\nseat = \"gm\"\nroll = [1]"), &["a roll is chance's, not gm's"]);
    fails(
        &with("[[step]]\nseat = \"gm\"\nanswer = 1\nrefused = \"form\"\nexpect = [\"x\"]"),
        &["of what is refused no events come"],
    );
    fails(
        &with("covers = [\"turn.rset\"]\n[expect]\npower = 2"),
        &["covers: the rulebook has no \"turn.rset\"; perhaps turn.rest"],
    );
    fails(&with("covers = [\"ties=nobody\"]\n[expect]\npower = 2"), &["it takes elder, younger"]);
    fails(&with("covers = [\"ties\"]\n[expect]\npower = 2"), &["say which value is shown, as ties=elder"]);
    fails(&with("covers = [\"roll=2\"]\n[expect]\npower = 2"), &["is a rule and has no values"]);
    fails(
        "title = \"t\"\ngame = \"chess\"\nsetup = \"_duel.toml\"\n[expect]\npower = 2",
        &["game: expected one of toy, found \"chess\""],
    );
    let gone = run(&PathBuf::from("/nowhere/gone.toml"), SYSTEMS);
    assert!(gone.to_string().contains("there is no such file"), "{gone}");
}

#[test]
fn another_evening_needs_a_game_that_has_one() {
    let with = |more: &str| format!("{HEAD}[[step]]\n{more}");
    fails(&with("evening = { goal = 5 }"), &["nobody goes from this system into another evening"]);
    fails(&with("evening = {}\nexpect = [\"fell\"]"), &["of another evening no events come"]);
    fails(&with("roll = [1]\nfaults = [\"fell\"]"), &["`faults` go with `evening`"]);
}

#[test]
fn a_folder_runs_in_order_without_shared_setups() {
    let folder = Folder::new();
    folder.write("b.toml", &format!("{HEAD}{BEGUN}"));
    folder.write("a/c.toml", &format!("{}{BEGUN}", HEAD.replace("_duel", "../_duel")));
    folder.write("notes.md", "not a scenario");
    let outcomes = run_folder(&[folder.0.path().to_owned()], SYSTEMS);
    let names: Vec<_> = outcomes
        .iter()
        .map(|outcome| outcome.file.strip_prefix(&folder.0).expect("inside").to_owned())
        .collect();
    assert_eq!(names, [PathBuf::from("a/c.toml"), PathBuf::from("b.toml")]);
    assert!(outcomes.iter().all(Outcome::passed));
    assert_folder(folder.0.path(), SYSTEMS);
}

#[test]
#[should_panic(expected = "1 of 1 scenarios failed")]
fn a_failing_folder_panics() {
    let folder = Folder::new();
    folder.write("a.toml", &format!("{HEAD}{BEGUN}[expect]\npower = 9"));
    assert_folder(folder.0.path(), SYSTEMS);
}

#[test]
#[should_panic(expected = "no scenarios in")]
fn an_empty_folder_panics() {
    assert_folder(Folder::new().0.path(), SYSTEMS);
}

#[test]
fn coverage_counts_what_passing_scenarios_list() {
    let folder = Folder::new();
    let covers =
        |covers: &str, power: u8| format!("{HEAD}covers = {covers}\n{BEGUN}[expect]\npower = {power}");
    folder.write("a.toml", &covers("[\"bargain\", \"roll\", \"ties=elder\"]", 2));
    folder.write("b.toml", &covers("[\"turn.rest\", \"turn.peek\"]", 9));
    folder.write("c.toml", &covers("[\"turn.give\", \"guests\"]", 2));
    let found = coverage(SYSTEMS, &run_folder(&[folder.0.path().to_owned()], SYSTEMS));
    let json = serde_json::to_value(&found).expect("JSON");
    let toy = &json["systems"][0];
    assert_eq!(toy["id"], "toy");
    assert_eq!((&toy["clauses"], &toy["covered"]), (&6.into(), &3.into()));
    assert_eq!(
        toy["uncovered"],
        serde_json::json!(["meddle", "turn.rest", "turn.peek"]),
        "b failed, so it shows nothing"
    );
    assert_eq!(toy["rulings_uncovered"], serde_json::json!(["ties"]));
    assert_eq!(toy["values_uncovered"], serde_json::json!(["ties=younger"]));
    assert_eq!(toy["beyond_uncovered"], serde_json::json!([]));
    assert_eq!(toy["kinds"][1], serde_json::json!({"kind": "choice", "clauses": 1, "covered": 1}));

    let unmet = |claims: &Claims| -> Vec<String> {
        claims_met(&found, claims).iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        unmet(&[("toy", &["Secrets"])]),
        ["toy: \"Secrets\" is claimed complete, and not shown are turn.peek"]
    );
    assert_eq!(unmet(&[("toy", &["Rulings", "Magic"])]).len(), 2);
    assert!(unmet(&[("toy", &[])]).is_empty());

    folder.write("d.toml", &covers("[\"turn.peek\", \"ties=younger\"]", 2));
    let found = coverage(SYSTEMS, &run_folder(&[folder.0.path().to_owned()], SYSTEMS));
    assert!(found.systems[0].rulings_uncovered.is_empty());
    assert!(claims_met(&found, &[("toy", &["Secrets", "Rulings"])]).is_empty());
}

#[test]
fn a_library_is_files_or_what_is_bundled() {
    let folder = Folder::new();
    folder.write("arms.toml", "a = 1");
    let scenario = |library: &str| folder.write("a.toml", &format!("{HEAD}{library}\n{BEGUN}"));
    let bundled = |_: &System| Document::toml("bundled.toml", "b = 1").map(|document| vec![document]);
    let broken = |_: &System| Document::toml("bundled.toml", "b = = 1").map(|document| vec![document]);
    let named = |path: &PathBuf| run(path, SYSTEMS).to_string();

    for library in ["", "library = \"bundled\"", "library = [\"arms.toml\", \"bundled\"]"] {
        let path = scenario(library);
        assert!(run_with(&path, SYSTEMS, &bundled).passed(), "{library}");
        let failure = run_with(&path, SYSTEMS, &broken).to_string();
        assert!(failure.contains("bundled.toml:1:"), "{library}: {failure}");
    }
    for library in ["library = []", "library = \"arms.toml\"", "library = [\"arms.toml\"]"] {
        assert!(run_with(&scenario(library), SYSTEMS, &broken).passed(), "{library}: not asked for");
    }
    let failure = named(&scenario("library = [\"bundled\"]"));
    assert!(failure.contains("a.toml:4: library: nothing is bundled with this run"), "{failure}");
    for library in ["library = 3", "library = [3]"] {
        let failure = named(&scenario(library));
        assert!(failure.contains("a.toml:4: library: expected \"bundled\", or a list of files"), "{failure}");
    }
    assert!(named(&scenario("library = [\"gone.toml\"]")).contains("there is no such file"));
    scenario("");
    let paths = [folder.0.path().join("a.toml")];
    assert!(run_folder_with(&paths, SYSTEMS, &bundled)[0].passed());
    assert!(!run_folder_with(&paths, SYSTEMS, &broken)[0].passed());

    // A refused setup mentions that nothing is bundled.
    let text = HEAD.replace("\"_duel.toml\"", "{ from = \"_duel.toml\", power = -1 }");
    let path = folder.write("b.toml", &format!("{text}{BEGUN}"));
    assert!(named(&path).contains("(nothing is bundled with this run"));
    assert!(!run_with(&path, SYSTEMS, &bundled).to_string().contains("nothing is bundled"));
}

#[test]
fn every_ask_is_of_a_listed_kind() {
    let folder = Folder::new();
    let path = folder.write("a.toml", &format!("{HEAD}{BEGUN}"));
    let with = |kinds| run(&path, &[System { kinds, ..TOY }]);
    assert!(with(TOY.kinds).passed());
    for (kinds, kind, step) in [
        ((|| &["meddle", "turn"]) as fn() -> &'static [&'static str], "bargain", Some(0)),
        (|| &["bargain", "meddle"], "turn", Some(4)),
    ] {
        let failure = with(kinds).failure.expect("it fails");
        let expected = format!("an ask of the kind {kind:?}, which is not among the system's");
        assert_eq!((failure.what.as_str(), failure.step), (expected.as_str(), step));
    }
}

#[test]
fn an_accepted_move_is_among_the_examples() {
    begun_fails(
        "[[step]]\nfiat = { goal = 40 }",
        &["taken, and not among the fiats that the table tells of: {\"goal\":40}"],
    );
}

#[test]
fn nothing_is_offered_twice() {
    use fracas_suite::toy::{LISTS_TWICE, Toy as Hunt, plant};
    let folder = Folder::new();
    let hunt = "title = \"t\"\ngame = \"toy\"\nsetup = { hunters = 1, size = 4 }\n\
        [[step]]\nseat = \"player-1\"\nanswer = { path = 0 }\n\
        [[step]]\nseat = \"player-1\"\nanswer = { strike = \"@ana\" }\n\
        [[step]]\nseat = \"gm\"\noffered = [\"guard\"]\nanswer = \"guard\"\n";
    let path = folder.write("hunt.toml", hunt);
    let sound = run(&path, &[system_of::<Hunt>()]);
    assert!(sound.passed(), "{sound}");
    plant(LISTS_TWICE);
    let failure = run(&path, &[system_of::<Hunt>()]).failure.expect("it fails");
    assert_eq!((failure.what.as_str(), failure.step), ("offered twice: \"guard\"", Some(3)));
}

#[test]
fn encounters_draw_on_the_library_beside_them() {
    let folder = Folder::new();
    let encounter = folder.write("toy/encounters/duel.toml", DUEL);
    let alone = folder.write("mine.toml", DUEL);
    let bundled = [read_document(&alone).expect("TOML")];
    let names =
        |setup: &fracas_kernel::Setup| setup.library.iter().map(|d| d.name().to_owned()).collect::<Vec<_>>();
    let setup = load_setup(&encounter, &bundled).expect("sound");
    assert_eq!(names(&setup), [bundled[0].name()], "nothing stands beside it");
    folder.write("toy/foes.toml", "a = 1");
    folder.write("toy/arms.toml", "b = 2");
    let setup = load_setup(&encounter, &bundled).expect("sound");
    assert!(names(&setup)[0].ends_with("arms.toml"), "sorted");
    assert_eq!((setup.library.len(), names(&setup)[2].as_str()), (3, bundled[0].name()), "own files first");
    assert_eq!(names(&load_setup(&alone, &bundled).expect("sound")), [bundled[0].name()]);
    assert_eq!(setup.encounter.named_system().as_deref(), Some("toy"));
    folder.write("toy/foes.toml", "a = = 1");
    fs::write(&encounter, "b = = 2").expect("written");
    let Faults(faults) = load_setup(&encounter, &[]).unwrap_err();
    assert_eq!(faults.len(), 2, "every file that is wrong");
    fs::File::create(&encounter).and_then(|f| f.set_len(MAX_FILE + 1)).expect("sparse");
    assert!(read_document(&encounter).unwrap_err().to_string().contains("too large: the most is 4 MB"));
    assert!(read_document(folder.0.path()).unwrap_err().to_string().contains("a folder"));
}
