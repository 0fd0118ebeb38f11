//! What players may not know of: who is not in the scene yet, what they have, and
//! dangers that are not there.

use crate::TABLES;
use fracas_kernel::{AnyTable, Document, Now, Seat, Setup, System, Viewer, system_of};
use fracas_suite::{Driven, Effort, alike, told};
use serde_json::{Value, json};
use truth_and_light::TruthAndLight;

const SYSTEM: System = system_of::<TruthAndLight>();
const ANA: Viewer = Viewer::Seat(Seat::Player(0));
const GM: Viewer = Viewer::Seat(Seat::Gm);

/// A crossing with somebody in wait beside it, and water that has not risen.
const CROSSING: &str = r#"
title = "The crossing"
player = [{ name = "ana" }, { name = "bo" }]
[table]
turns = "alternate"
[[character]]
name = "Ilen"
player = "ana"
writhing = "w"
attributes = { beauty = 1, strength = 3, wisdom = 2, valor = 2 }
boon = [{ name = "Boathook", sort = "weapon" }, { name = "Rope", quality = "fine" }]
feat = [{ name = "Lunge", trigger = "on-test", effect = [{ does = "ap", by = 1 }] }]
[[character]]
name = "Osk"
player = "bo"
writhing = "w"
attributes = { beauty = 2, strength = 1, honor = 2 }
[[npc]]
name = "Captain"
pn = 8
boon = [{ name = "Cutlass", sort = "weapon" }]
[[npc]]
name = "Lurker"
pn = 13
away = true
secret = "waits for the signal"
traits = ["supernal"]
boon = [{ name = "Garrotte", sort = "weapon" }, { name = "Black Phial", once = true, effect = [{ does = "gain-boon", boon = "Venom" }] }]
[[hazard]]
name = "Fire"
tn = 9
[[hazard]]
name = "Flood"
tn = 12
present = false
[scene]
zones = ["Ford", "Bank"]
conflict = "martial"
"#;

/// What of it no player may find.
const HIDDEN: [&str; 7] =
    ["lurker", "garrotte", "garrotte-gidu", "black-phial", "black-phial-sihi", "venom", "flood"];

fn opened(encounter: &Value, library: &[Document]) -> Box<dyn AnyTable> {
    let encounter = Document::json("table.json", encounter);
    let setup = Setup { encounter, library: library.to_vec() };
    (SYSTEM.start)(&setup).unwrap_or_else(|faults| panic!("{faults}"))
}

fn venom() -> Vec<Document> {
    vec![Document::toml("library.toml", "[[boon]]\nname = \"Venom\"\n").expect("TOML").kept()]
}

fn crossing() -> Value {
    Document::toml("crossing.toml", CROSSING).expect("TOML").to_json()
}

fn table() -> Box<dyn AnyTable> {
    opened(&crossing(), &venom())
}

/// The same without somebody in wait, and without the water.
fn bare(mut encounter: Value) -> Value {
    for list in ["npc", "hazard"] {
        let all = encounter[list].as_array_mut().expect("a list");
        all.retain(|one| one["name"] != "Lurker" && one["name"] != "Flood");
    }
    encounter
}

/// Everything that this viewer is sent of a table as it is.
fn sent(table: &dyn AnyTable, who: Viewer) -> String {
    let mut all = format!("{} {:?}", table.view(who), table.cards(who));
    if let Now::Asks(asks) = table.now() {
        for ask in
            asks.iter().filter(|ask| matches!(who, Viewer::Seat(seat) if ask.who.seats().contains(seat)))
        {
            all += &format!("{:?} {:?} {:?}", ask, table.ask_told(ask.id, who), table.legal(ask.id, who));
        }
    }
    all.to_lowercase()
}

/// What Ana is refused for who names this in an attack, with the name taken out.
fn refusal(table: &dyn AnyTable, name: &str) -> String {
    let answer = format!(r#"{{"major":{{"who":"@ilen","on":"@{name}"}}}}"#);
    let checked = table.check(Seat::Player(0), table.asked(Seat::Player(0)), &answer);
    checked.err().map_or("fine".to_owned(), |why| why.to_string()).replace(name, "NAME")
}

#[test]
fn a_table_with_somebody_in_wait_is_like_one_without() {
    let unheard = [
        r#"{"power":{"who":"@lurker","pn":12}}"#,
        r#"{"aware":{"who":"@lurker","aware":false}}"#,
        r#"{"known":{"who":"@lurker","known":true}}"#,
        r#"{"track":{"who":"@lurker","track":"@body","left":2}}"#,
        r#"{"boon":{"boon":"@garrotte-gidu","holder":"@lurker","lie":"kept"}}"#,
        r#"{"boon":{"boon":"@black-phial-sihi","holder":"@lurker","lie":"gone"}}"#,
        r#"{"end":{"on":"@lurker","end":"@shoved-down"}}"#,
        r#"{"lift":{"who":"@lurker"}}"#,
        r#"{"out":{"who":"@lurker","out":true}}"#,
    ];
    let mut bytes = 0;
    for seed in 1..=6 {
        for numbers in ["announced", "hidden-until-spent"] {
            let mut more = crossing();
            more["options"] = json!({ "tn-hidden": numbers });
            let less = opened(&bare(more.clone()), &venom());
            bytes += alike(opened(&more, &venom()), less, &unheard, seed);
        }
    }
    println!("{bytes} bytes are the same");
}

#[test]
fn every_table_is_the_same_with_somebody_in_wait() {
    for (seed, setup) in (1..).zip(TABLES.setups()) {
        let less = setup.encounter.to_json();
        let mut more = less.clone();
        let lurker =
            json!({ "name": "Lurker in Wait", "pn": 12, "away": true, "boon": [{ "name": "Garrotte" }] });
        let flood = json!({ "name": "Flood in Wait", "tn": 12, "present": false });
        for (list, one) in [("npc", lurker), ("hazard", flood)] {
            match more[list].as_array_mut() {
                Some(all) => all.insert(0, one),
                None => more[list] = json!([one]),
            }
        }
        let unheard = [r#"{"end":{"on":"@lurker-in-wait","end":"@shoved-down","degrees":3}}"#];
        alike(opened(&more, &setup.library), opened(&less, &setup.library), &unheard, seed);
    }
}

#[test]
fn somebody_in_wait_is_sent_to_the_gamemaster_alone() {
    let table = table();
    for who in [ANA, Viewer::Seat(Seat::Player(1)), Viewer::Spectator] {
        let sent = sent(&*table, who);
        for hidden in HIDDEN.into_iter().chain(["supernal", "waits for the signal"]) {
            assert!(!sent.contains(hidden), "{who} is sent {hidden}: {sent}");
        }
    }
    let view = table.view(GM);
    assert_eq!(view["cast"]["lurker"]["pn"], json!(13));
    assert_eq!(view["boons"]["garrotte-gidu"]["holder"], json!("@lurker"));
}

#[test]
fn a_hidden_name_is_answered_as_one_that_nothing_has() {
    let table = table();
    let nothing = |name: &str| format!("nothing here is called \"{}\"", name.replace(name, "NAME"));
    for name in HIDDEN.into_iter().chain(["qqq"]) {
        assert_eq!(refusal(&*table, name), nothing(name), "{name}");
    }
    assert_eq!(refusal(&*table, "captain"), "fine");
}

#[test]
fn somebody_who_has_been_there_is_not_forgotten() {
    let mut table = table();
    let shown = table.overrules(r#"{"away":{"who":"@lurker","away":false}}"#);
    assert!(shown[0].to(ANA).expect("it is seen").text.contains("Lurker is there"), "{shown:?}");
    assert!(sent(&*table, ANA).contains("garrotte"));
    assert_eq!(refusal(&*table, "lurker"), "fine");
    table.overrules(r#"{"away":{"who":"@lurker","away":true}}"#);
    assert_eq!(table.view(ANA)["cast"]["lurker"], Value::Null, "nobody sees what they do elsewhere");
    assert_eq!(refusal(&*table, "lurker"), "they take no part in this scene (ext.scene-place)");
    // A danger that was there, too.
    let hazard = |present: bool| format!(r#"{{"hazard":{{"hazard":"@flood","present":{present}}}}}"#);
    table.overrules(&hazard(true));
    table.overrules(&hazard(false));
    assert_eq!(refusal(&*table, "flood"), "there is no such hazard in this scene (ext.scene-place)");
}

#[test]
fn what_somebody_in_wait_does_to_a_player_has_no_name() {
    let mut table = table();
    let shown = table.overrules(r#"{"end":{"on":"@ilen","by":"@lurker","end":"@shoved-down"}}"#);
    assert!(told(&shown, ANA)[0].ends_with("by somebody."), "{shown:?}");
    assert!(told(&shown, GM)[0].ends_with("by Lurker."), "{shown:?}");
    let shown = table.overrules(r#"{"end":{"on":"@lurker","by":"@ilen","end":"@shoved-down"}}"#);
    assert!(shown.iter().all(|one| one.to(ANA).is_none()), "{shown:?}");
}

#[test]
fn what_comes_to_be_elsewhere_has_no_name() {
    let mut table = table();
    table.overrules(r#"{"away":{"who":"@captain","away":true}}"#);
    table.overrules(r#"{"boon":{"boon":"@garrotte-gidu","holder":"@captain","lie":"in-use"}}"#);
    assert_eq!(refusal(&*table, "garrotte-gidu"), "nothing here is called \"NAME\"");
    table.overrules(r#"{"away":{"who":"@captain","away":false}}"#);
    assert!(!refusal(&*table, "garrotte-gidu").starts_with("nothing here"));
}

#[test]
fn effects_on_somebody_in_wait_push_out_none_that_is_seen() {
    let mut encounter = crossing();
    let effect =
        |does: &str, rolls: &str| json!({ "does": does, "by": -1, "rolls": rolls, "lasts": "scene" });
    let both =
        json!([effect("ap", "test"), effect("ap", "save"), effect("pn", "test"), effect("pn", "save")]);
    let hexes =
        (0..13).map(|nth| json!({ "name": format!("Hex {nth}"), "tags": ["combat"], "effect": both }));
    encounter["end"] = hexes.collect();
    let mut table = opened(&encounter, &venom());
    let lay = |table: &mut dyn AnyTable, on: &str, nth: usize| {
        table.overrules(&format!(r#"{{"end":{{"on":"@{on}","end":"@hex-{nth}"}}}}"#))
    };
    let under = |table: &dyn AnyTable, of: &str| {
        table.view(GM)["cast"][of]["under"].as_array().expect("a list").len()
    };
    lay(&mut *table, "captain", 0);
    for nth in 0..13 {
        let shown = lay(&mut *table, "lurker", nth);
        assert!(shown.iter().all(|one| one.to(ANA).is_none()), "{shown:?}");
    }
    assert_eq!((under(&*table, "captain"), under(&*table, "lurker")), (4, 44));
    // Those on somebody in sight take the place of others, and of each other only when alone.
    for nth in 1..12 {
        lay(&mut *table, "captain", nth);
    }
    assert_eq!((under(&*table, "captain"), under(&*table, "lurker")), (48, 0));
    lay(&mut *table, "lurker", 0);
    assert_eq!((under(&*table, "captain"), under(&*table, "lurker")), (48, 0));
    let shown = lay(&mut *table, "captain", 12);
    assert!(shown.iter().filter_map(|one| one.to(ANA)).any(|told| told.text.contains("Hex 0 is over")));
}

#[test]
fn what_is_hidden_can_be_anything() {
    let encounter = Document::json("crossing.json", &crossing());
    let setup = Setup { encounter, library: venom() };
    fracas_suite::secrecy::<TruthAndLight>(&[setup], Effort { walks: 6, steps: 120, ..Effort::default() });
}

#[test]
fn of_what_is_made_from_a_pattern_players_know_the_pattern() {
    let mut encounter = crossing();
    let gains = json!([{ "does": "gain-boon", "boon": "Venom" }]);
    encounter["character"][0]["feat"][0]["effect"] = gains;
    let table = opened(&encounter, &venom());
    let names = table.names();
    assert!(names.find("venom").is_some());
    let refused = refusal(&*table, "venom");
    assert!(!refused.starts_with("nothing here"), "{refused}");
}

#[test]
fn of_what_effects_give_somebody_in_wait_has_one_of_their_own() {
    let gains = json!([{ "does": "gain-boon", "boon": "Venom" }]);
    for by in ["end", "feat"] {
        let mut encounter = crossing();
        match by {
            "end" => encounter["end"] = json!([{ "name": "Gift", "tags": ["combat"], "effect": gains }]),
            _ => encounter["character"][0]["feat"][0]["effect"] = gains.clone(),
        }
        let mut table = opened(&encounter, &venom());
        let players = [ANA, Viewer::Seat(Seat::Player(1)), Viewer::Spectator];
        let of = |holder: &str, lie: &str| {
            format!(r#"{{"boon":{{"boon":"@venom","holder":"@{holder}","lie":"{lie}"}}}}"#)
        };
        let before = players.map(|who| sent(&*table, who));
        assert!(before[0].contains("gains venom"), "{by}");
        for lie in ["kept", "in-use"] {
            let shown = table.overrules(&of("lurker", lie));
            assert!(players.iter().all(|&who| shown.iter().all(|one| one.to(who).is_none())), "{shown:?}");
            assert_eq!(players.map(|who| sent(&*table, who)), before, "{by}, {lie}");
        }
        // There is no room for a third out of sight, and there is in sight.
        assert!(table.fiat(&of("lurker", "kept"), true).is_err());
        let shown = table.overrules(&of("captain", "in-use"));
        assert_eq!(shown[0].to(ANA).expect("it is seen").text, "Captain has Venom now.");
        assert!(table.fiat(&of("captain", "gone"), true).is_err());
    }
}

#[test]
fn what_is_like_a_thing_unknown_is_known_once_it_is_seen() {
    let mut table = table();
    assert!(refusal(&*table, "venom").starts_with("nothing here"));
    let shown = table.overrules(r#"{"boon":{"boon":"@venom","holder":"@osk","lie":"in-use"}}"#);
    assert_eq!(shown[0].to(ANA).expect("it is seen").text, "Osk has Venom now.");
}
