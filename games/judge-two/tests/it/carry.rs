//! From one evening into the next.

use fracas_kernel::{AnyTable, Document, Session, Setup, Viewer};
use fracas_suite::{Driven, carries, opened, sound};
use judge_two::JudgeTwo;
use serde_json::{Value, json};

const EVENING: &str = r#"
title = "The ford"
[[player]]
name = "Ana"
[[player]]
name = "Bo"
[[character]]
name = "Wren"
player = "Ana"
faith = 2
resolve = 1
attributes = { arm = 2, eyes = 3 }
readied = ["Net"]
[[character.boon]]
name = "Net"
category = "keen"
blocks = ["entangle"]
hands = 1
[[character.boon]]
name = "Coat"
category = "vital"
armor = "light"
resist = { martial = 2 }
[[character.ability]]
name = "Rush"
cost = 1
makes = ["bold"]
serves = ["test", "save"]
[[character]]
name = "Moth"
player = "Bo"
shuvin = false
[[character.item]]
name = "Lamp"
[[foe]]
name = "Reeve"
kind = "foe"
pl = 5
[[foe.boon]]
name = "Net"
category = "power"
bold = "always"
"#;

type Table = Session<JudgeTwo>;

fn open(setup: &Setup) -> Table {
    opened::<JudgeTwo>(setup)
}

fn evening() -> Setup {
    Setup::alone(Document::toml("ford.toml", EVENING).expect("TOML").kept())
}

/// What is carried on after these fiats, as it is written and read again.
#[track_caller]
fn carried(setup: &Setup, fiats: &[&str]) -> Document {
    let mut table = open(setup);
    fiats.iter().for_each(|fiat| drop(table.overrules(fiat)));
    fracas_suite::carried(setup, &table)
}

fn cast(table: &Table, slug: &str) -> Value {
    table.view(Viewer::Seat(fracas_kernel::Seat::Gm))["cast"][slug].clone()
}

#[test]
fn nothing_changes_between_two_evenings() {
    let carried = carried(&evening(), &[]);
    sound::<JudgeTwo>(&carried);
    let next = "[[player]]\nname = \"Ana\"\n[[player]]\nname = \"Bo\"\n[[character]]\nuse = \"Wren\"\n[[character]]\nname = \"Moth\"\n";
    let next = Setup::alone(Document::toml("next.toml", next).expect("TOML").kept());
    let next = next.with(vec![carried]).expect("both live");
    let (before, after) = (open(&evening()), open(&next));
    for who in ["wren", "moth"] {
        assert_eq!(cast(&after, who), cast(&before, who));
    }
    let again = self::carried(&next, &[]).to_json();
    assert_eq!(again["character"][0]["history"], json!(["May, The ford: lived", "May, A table: lived"]));
}

#[test]
fn all_that_a_character_may_have_is_carried() {
    let whole = r#"
title = "The court"
[[player]]
name = "Ana"
[[character]]
name = "Sariel of the Marsh"
id = "sariel"
people = "menefi"
gender = "female"
speaks = ["iratic"]
writes = []
proficient = ["commoner", "master", "captain"]
priest = true
supernal = true
class = "Clerk"
wealth = 3
following = 12
shamed = 1
resolve = 2
secret = "a name"
mounted = true
readied = ["Reed Spear"]
attributes = { nose = 3, tongue = 2 }
subtle_marks = ["pierce"]
[[character.boon]]
name = "Reed Spear"
category = "power"
range = "near"
group = "master"
people = "menefi"
bold = "mounted"
hands = 2
[[character.boon.ability]]
name = "Spark"
once = "scene"
makes = ["faint"]
essence = "faith"
magick = true
[[character.boon]]
name = "Jest"
category = "power"
form = "subtle"
bold = "uncomposed"
impassioned = true
[[character.item]]
name = "Mule"
mount = true
[[character.item]]
name = "Paint"
kit = true
[[character.ability]]
name = "Hide of Bronze"
resist = { martial = 1, epic = 2 }
forbids = ["weaken", "crush"]
deeds = 1
armed = true
resolve = 1
bold = "unaware"
[[foe]]
name = "Reeve"
kind = "foe"
pl = 5
"#;
    let library = "[[class]]\nname = \"Clerk\"\nresolve = 1\n[[class.ability]]\nname = \"Ledger\"\nmakes = [\"quick\"]\n";
    let setup = Setup {
        encounter: Document::toml("court.toml", whole).expect("TOML").kept(),
        library: vec![Document::toml("library.toml", library).expect("TOML").kept()],
    };
    let carried = carried(&setup, &[]);
    sound::<JudgeTwo>(&carried);
    let next = "[[player]]\nname = \"Ana\"\n[[character]]\nuse = \"Sariel of the Marsh\"\n[[foe]]\nname = \"Reeve\"\nkind = \"foe\"\npl = 5\n";
    let next = Setup {
        encounter: Document::toml("next.toml", next).expect("TOML").kept(),
        library: setup.library.clone(),
    };
    let next = next.with(vec![carried]).expect("she lives");
    // Of these the evening makes something.
    let without = |mut sheet: Value| {
        sheet
            .as_object_mut()
            .expect("a sheet")
            .retain(|field, _| !["history", "class"].contains(&field.as_str()));
        sheet
    };
    let seen = |setup: &Setup| without(cast(&open(setup), "sariel"));
    assert_eq!(seen(&next), seen(&setup));
    // What is not shown is alike too.
    let told = |setup: &Setup| without(self::carried(setup, &[]).to_json()["character"][0].clone());
    assert_eq!(told(&next), told(&setup));
}

#[test]
fn risk_marks_and_belongings_are_carried_as_they_are() {
    let carried = carried(
        &evening(),
        &[
            r#"{"risk":{"who":"@wren","risk":5}}"#,
            r#"{"mark":{"who":"@wren","mark":"crush","on":true,"physical":true}}"#,
            r#"{"mark":{"who":"@wren","mark":"pierce","on":true}}"#,
            // Wren's net is stolen, the reeve's taken; the lamp lies about.
            r#"{"item":{"item":"@net","holder":"@reeve","lie":"carried"}}"#,
            r#"{"item":{"item":"@reeve-net","holder":"@wren","lie":"readied"}}"#,
            r#"{"item":{"item":"@lamp","holder":"@moth","lie":"ground"}}"#,
        ],
    );
    sound::<JudgeTwo>(&carried);
    let json = carried.to_json();
    let wren = &json["character"][0];
    assert_eq!(
        (&wren["risk"], &wren["marks"], &wren["subtle_marks"]),
        (&json!(5), &json!(["crush"]), &json!(["pierce"]))
    );
    assert_eq!((&wren["faith"], &wren["resolve"], &wren["readied"]), (&json!(2), &json!(1), &json!(["Net"])));
    let boons: Vec<String> = wren["boon"]
        .as_array()
        .expect("boons")
        .iter()
        .map(|b| format!("{} {}", b["name"], b["category"]))
        .collect();
    assert_eq!(boons, [r#""Coat" "vital""#, r#""Net" "power""#]);
    assert_eq!(
        wren["history"],
        json!(["May, The ford: lived; marked by crush, pierce; came by Net; lost Net"])
    );
    let moth = &json["character"][1];
    assert_eq!((moth.get("boon"), &moth["shuvin"]), (Some(&json!([])), &json!(false)));
    assert_eq!(moth["history"], json!(["May, The ford: lived; lost Lamp"]));
}

#[test]
fn the_end_of_an_evening_is_no_rest() {
    let used = EVENING.replace(
        "name = \"Rush\"",
        "name = \"Vow\"\nonce = \"rest\"\nspent = true\n[[character.ability]]\nname = \"Dash\"\nonce = \"scene\"\nspent = true\n[[character.ability]]\nname = \"Rush\"",
    );
    let setup = Setup::alone(Document::toml("ford.toml", &used).expect("TOML").kept());
    let carried = carried(&setup, &[r#"{"burden":{"who":"@wren","on":true}}"#]);
    sound::<JudgeTwo>(&carried);
    let wren = &carried.to_json()["character"][0];
    assert_eq!(wren["burdened"], json!(true));
    let spent = wren["ability"].as_array().expect("abilities").iter().map(|power| &power["spent"]);
    assert_eq!(spent.collect::<Vec<_>>(), [&json!(true), &Value::Null, &Value::Null]);
}

#[test]
fn the_dead_are_remembered() {
    let dead = r#"{"fate":{"who":"@moth","fate":"dead"}}"#;
    let fled = r#"{"fate":{"who":"@wren","fate":{"finished":"flee"}}}"#;
    let carried = carried(&evening(), &[dead, fled]);
    sound::<JudgeTwo>(&carried);
    let json = carried.to_json();
    assert_eq!(
        json["fallen"],
        json!([{ "name": "Moth", "player": "Bo", "history": ["May, The ford: died"] }])
    );
    assert_eq!(json["character"][0]["history"], json!(["May, The ford: lived, but put to flight"]));
    let fault = evening().with(vec![carried]).map(drop).unwrap_err().to_string();
    assert!(fault.starts_with("ford.toml:30: character[2]: \"Moth\" has fallen"), "{fault}");
}

#[test]
fn of_several_of_a_name_each_can_be_carried() {
    let clubs = EVENING.to_owned()
        + "[[foe.boon]]\nname = \"Club\"\ncategory = \"power\"\n"
        + "[[foe]]\nname = \"Levy\"\nkind = \"brute\"\npl = 4\n[[foe.boon]]\nname = \"Club\"\ncategory = \"power\"\n"
        + "[[foe]]\nname = \"Guard\"\nkind = \"brute\"\npl = 4\n[[foe.boon]]\nname = \"Club\"\ncategory = \"power\"\n";
    let setup = Setup::alone(Document::toml("ford.toml", &clubs).expect("TOML").kept());
    let take = ["club", "levy-club", "guard-club"]
        .map(|item| format!(r#"{{"item":{{"item":"@{item}","holder":"@wren","lie":"carried"}}}}"#));
    let carried = carried(&setup, &take.each_ref().map(String::as_str));
    sound::<JudgeTwo>(&carried);
    let next = setup.with(vec![carried]).expect("all live");
    let table = open(&next);
    let names = table.names();
    assert!(["wren-club-2", "wren-club-3"].iter().all(|slug| names.find(slug).is_some()));
    sound::<JudgeTwo>(&self::carried(&next, &[]));
}

#[test]
fn whatever_comes_of_play_can_be_carried() {
    carries::<JudgeTwo>(&judge_two::system(), &evening(), 1..40, 150, |_| false);
}

#[test]
fn a_table_of_earlier_rules_calls_what_lies_about_as_it_did() {
    let named = |document: Document| {
        let table = open(&Setup::alone(document));
        ["iron-pot", "oar-or-beam", "stick-or-stone-2"].map(|slug| table.names().find(slug).is_some())
    };
    let ford = || Document::toml("ford.toml", EVENING).expect("TOML").kept();
    assert_eq!(named(ford()), [false, false, true]);
    assert_eq!(named(ford().begun_under(7)), [false, false, true]);
    assert_eq!(named(ford().begun_under(6)), [true, true, false]);
}
