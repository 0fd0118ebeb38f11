//! From one evening into the next.

use fracas_kernel::{AnyTable, Document, Game, Seat, Session, Setup, Viewer};
use fracas_suite::{Driven, opened, written};
use serde_json::{Value, json};
use std::path::Path;
use truth_and_light::TruthAndLight;

const EVENING: &str = include_str!("../evening.toml");

const LIBRARY: &str = "[[boon]]\nname = \"Stool\"\n";

type Table = Session<TruthAndLight>;

fn library() -> Document {
    Document::toml("library.toml", LIBRARY).expect("TOML").kept()
}

fn setup(text: &str, library: Vec<Document>) -> Setup {
    Setup { encounter: Document::toml("evening.toml", text).expect("TOML").kept(), library }
}

fn open(setup: &Setup) -> Table {
    opened::<TruthAndLight>(setup)
}

/// A table after these fiats.
fn after(setup: &Setup, fiats: &[&str]) -> Table {
    let mut table = open(setup);
    fiats.iter().for_each(|fiat| drop(table.overrules(fiat)));
    table
}

/// What is carried on after these fiats, as it is written and read again.
#[track_caller]
fn carried(setup: &Setup, fiats: &[&str]) -> Document {
    fracas_suite::carried(setup, &after(setup, fiats))
}

const NEXT: &str = "[table]\nrecovery = \"one\"\n[[player]]\nname = \"Ana\"\n[[player]]\nname = \"Bo\"\n\
    [[character]]\nuse = \"Wren of the Marsh\"\n[[character]]\nuse = \"Moth\"\n\
    [[npc]]\nname = \"Reeve\"\npn = 9\n";

/// The next evening after this one.
fn next(carried: Document) -> Setup {
    setup(NEXT, vec![library()]).with(vec![carried]).expect("all live")
}

fn cast(table: &Table, slug: &str) -> Value {
    table.view(Viewer::Seat(Seat::Gm))["cast"][slug].clone()
}

#[test]
fn the_next_evening_begins_where_this_one_ended() {
    let before = setup(EVENING, vec![library()]);
    let carried = carried(&before, &[]);
    let (was, is) = (open(&before), open(&next(carried.clone())));
    let (was, is) = (cast(&was, "wren"), cast(&is, "wren"));
    for field in ["name", "seat", "attributes", "writhing", "last", "secret", "left.mind"] {
        assert_eq!(
            was.pointer(&format!("/{}", field.replace('.', "/"))),
            is.pointer(&format!("/{}", field.replace('.', "/"))),
            "{field}"
        );
    }
    // A point has come back; unplayed fortunes have lapsed, taken ones are there.
    assert_eq!(is["left"], json!({ "body": 5, "mind": 6 }));
    assert_eq!((&is["good"], &is["bad"]), (&json!({ "now": 0, "next": 0 }), &json!({ "now": 1, "next": 0 })));
    // The wall has stayed where it was.
    let boons = open(&next(carried)).view(Viewer::Spectator)["boons"].clone();
    let names: Vec<&String> = boons.as_object().expect("boons").keys().collect();
    assert_eq!(names, ["long-knife", "old-flask"]);
    assert_eq!(boons["long-knife"]["lie"], "kept");
}

#[test]
fn belongings_are_carried_as_they_are() {
    let before = setup(EVENING, vec![library()]);
    let carried = carried(
        &before,
        &[
            r#"{"boon":{"boon":"@reeve-long-knife","holder":"@wren","lie":"in-use"}}"#,
            r#"{"boon":{"boon":"@old-flask","holder":"@moth","lie":"in-use"}}"#,
            r#"{"boon":{"boon":"@long-knife","holder":"@wren","lie":"lost"}}"#,
            r#"{"out":{"who":"@moth","out":true}}"#,
        ],
    );
    let json = carried.to_json();
    let history = |at: usize| json["character"][at]["history"][0].as_str().unwrap_or_default().to_owned();
    assert_eq!(history(0), "May, The ford: held out; took bad fortune; came by Long Knife; lost Flask");
    assert_eq!(history(1), "May, The ford: was beaten; came by Flask");
    let table = open(&next(carried));
    let boons = table.view(Viewer::Spectator)["boons"].clone();
    assert_eq!(boons["long-knife"]["lie"], "lost");
    assert_eq!(boons["long-knife-2"]["lie"], "in-use");
    assert_eq!(boons["old-flask"]["holder"], "@moth");
}

/// Moth with what makes names alike.
const MOTH: &str = r#"
name = "Moth"
player = "Bo"
writhing = "w"
kept = ["Flask"]
[[character.boon]]
name = "Flask"
[[character.boon]]
name = "Flask"
quality = "better"
[[character.boon]]
name = "\u9264"
id = "hoko"
sort = "weapon"
[[character.boon]]
name = "Pony"
sort = "mount"
situation = false
pn = 2
[[character.feat]]
name = "Poise"
trigger = "on-save"
tn = 9
"#;

#[test]
fn what_is_carried_is_kept_word_for_word() {
    let text = EVENING.replace("name = \"Moth\"\nplayer = \"Bo\"\nwrithing = \"w\"\n", MOTH.trim_start());
    let before = setup(&text, vec![library()]);
    let fiats = [
        r#"{"boon":{"boon":"@reeve-long-knife","holder":"@moth","lie":"lost"}}"#,
        r#"{"boon":{"boon":"@old-flask","holder":"@moth","lie":"kept"}}"#,
        r#"{"boon":{"boon":"@old-wall","holder":"@moth","lie":"in-use"}}"#,
        r#"{"boon":{"boon":"@long-knife","holder":"@wren","lie":"gone"}}"#,
        r#"{"out":{"who":"@moth","out":true}}"#,
        r#"{"fortune":{"who":"@moth","fate":"good","now":3,"next":1}}"#,
        r#"{"fortune":{"who":"@wren","fate":"bad","now":3,"next":0}}"#,
        r#"{"last":{"who":"@moth","glory":"grant-ability"}}"#,
        r#"{"track":{"who":"@moth","track":"@mind","left":2}}"#,
    ];
    let text = [&[][..], &fiats].map(|fiats| written(&before, &after(&before, fiats))).join("\n");
    fracas_suite::kept(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/carried.txt"), &text);
}

#[test]
fn what_only_a_test_or_the_gamemaster_removes_is_carried() {
    let ends = "[[end]]\nname = \"Poisoned\"\neffect = [{ does = \"ap\", by = -2, lasts = \"until-test\", tn = 9 }, \
        { does = \"ap\", by = -1, lasts = \"until-minor\" }, { does = \"ap\", by = 3, lasts = \"next-scene\" }]\n\
        [[end]]\nname = \"Snared\"\neffect = [{ does = \"hold\", lasts = \"until-test\", tn = 9 }, \
        { does = \"ap\", by = -1, lasts = \"until-gamemaster\" }]\n\
        [[end]]\nname = \"Cowed\"\neffect = [{ does = \"ap\", by = -1, lasts = \"until-power-number\" }]\n";
    let before = setup(&format!("{EVENING}{ends}"), vec![library()]);
    let end = |end: &str, by: &str| format!(r#"{{"end":{{"on":"@wren","by":"{by}","end":"@{end}"}}}}"#);
    let fiats = [("poisoned", "@reeve"), ("snared", "@reeve"), ("cowed", "@reeve"), ("cowed", "@moth")];
    let fiats = fiats.map(|(one, by)| end(one, by));
    let carried = carried(&before, &fiats.each_ref().map(String::as_str));
    let under = |table: &Table| cast(table, "wren")["under"].clone();
    let lasting = json!([
        "Poisoned: -2 action power until a test",
        "Poisoned: +3 action power for the scene",
        "Cowed: -1 action power until a test",
    ]);
    let mut evening = open(&next(carried));
    assert_eq!(under(&evening), lasting);
    // It is removed as on the evening before, and what was lifted does not come back.
    evening.overrules(r#"{"lift":{"who":"@wren","from":"@poisoned"}}"#);
    assert_eq!(under(&evening), json!(["Cowed: -1 action power until a test"]));
    let after = |table: &Table| table.carry().expect("carried")["character"][0]["under"].clone();
    assert_eq!(after(&evening).as_array().map(Vec::len), Some(1));
}

#[test]
fn a_hold_that_was_being_broken_before_version_7_is_broken_against_its_holder() {
    const TABLE: &str = r#"
    player = [{ name = "ana" }]
    character = [{ name = "Ana", player = "ana", writhing = "w", attributes = { strength = 2 } }]
    npc = [{ name = "Foe", pn = 8 }, { name = "Captain", pn = 10 }]
    end = [{ name = "Netted", tags = ["combat"], effect = [{ does = "hold", lasts = "until-power-number" }] }]
    "#;
    let setup = Setup::alone(Document::toml("table.toml", TABLE).expect("TOML").kept());
    let mut table = open(&setup);
    let start = table.state().clone();
    table.overrules(r#"{"end":{"on":"@ana","by":"@captain","end":"@netted"}}"#);
    table.says(Seat::Player(0), r#"{"major":{"who":"@ana","shake":"@netted"}}"#);
    let mut state = table.state().clone();
    let mut action = state.action.expect("under way");
    let target = action.target.take();
    assert!(target.is_some());
    state.action = Some(action);
    for (version, then) in [(7, None), (6, target)] {
        let mut state = state.clone();
        assert!(TruthAndLight::catch_up(table.rules(), &start, &mut state, version));
        assert_eq!(state.action.expect("under way").target, then, "{version}");
    }
}
