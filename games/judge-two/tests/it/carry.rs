//! From one evening into the next.

use fracas_kernel::{AnyTable, Document, Session, Setup, Viewer};
use fracas_suite::{Driven, carries, opened, sound};
use judge_two::JudgeTwo;
use serde_json::{Value, json};

const EVENING: &str = r#"
title = "The ford"
player = [{ name = "Ana" }, { name = "Bo" }]
[[character]]
name = "Wren"
player = "Ana"
faith = 2
resolve = 1
attributes = { arm = 2, eyes = 3 }
readied = ["Net"]
boon = [
    { name = "Net", category = "keen", blocks = ["entangle"], hands = 1 },
    { name = "Coat", category = "vital", armor = "light", resist = { martial = 2 } },
]
ability = [{ name = "Rush", cost = 1, makes = ["bold"], serves = ["test", "save"] }]
[[character]]
name = "Moth"
player = "Bo"
shuvin = false
item = [{ name = "Lamp" }]
[[foe]]
name = "Reeve"
kind = "foe"
pl = 5
boon = [{ name = "Net", category = "power", bold = "always" }]
"#;

type Table = Session<JudgeTwo>;

fn open(setup: &Setup) -> Table {
    opened::<JudgeTwo>(setup)
}

fn read(text: &str) -> Document {
    Document::toml("ford.toml", text).expect("TOML").kept()
}

fn evening() -> Setup {
    Setup::alone(read(EVENING))
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
    let next = r#"
        player = [{ name = "Ana" }, { name = "Bo" }]
        character = [{ use = "Wren" }, { name = "Moth" }]
    "#;
    let next = Setup::alone(read(next)).with(vec![carried]).expect("both live");
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
player = [{ name = "Ana" }]
foe = [{ name = "Reeve", kind = "foe", pl = 5 }]
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
item = [{ name = "Mule", mount = true }, { name = "Paint", kit = true }]
boon = [
    { name = "Reed Spear", category = "power", range = "near", group = "master", people = "menefi", bold = "mounted",
      hands = 2, ability = [{ name = "Spark", once = "scene", makes = ["faint"], essence = "faith", magick = true }] },
    { name = "Jest", category = "power", form = "subtle", bold = "uncomposed", impassioned = true },
]
[[character.ability]]
name = "Hide of Bronze"
resist = { martial = 1, epic = 2 }
forbids = ["weaken", "crush"]
deeds = 1
armed = true
resolve = 1
bold = "unaware"
"#;
    let library =
        r#"class = [{ name = "Clerk", resolve = 1, ability = [{ name = "Ledger", makes = ["quick"] }] }]"#;
    let setup = |text| Setup { encounter: read(text), library: vec![read(library)] };
    let court = setup(whole);
    let carried = carried(&court, &[]);
    sound::<JudgeTwo>(&carried);
    let next = setup(
        r#"
        player = [{ name = "Ana" }]
        character = [{ use = "Sariel of the Marsh" }]
        foe = [{ name = "Reeve", kind = "foe", pl = 5 }]
        "#,
    );
    let next = next.with(vec![carried]).expect("she lives");
    // Of these the evening makes something.
    let without = |mut sheet: Value| {
        let fields = sheet.as_object_mut().expect("a sheet");
        fields.retain(|field, _| !["history", "class"].contains(&field.as_str()));
        sheet
    };
    let seen = |setup: &Setup| without(cast(&open(setup), "sariel"));
    assert_eq!(seen(&next), seen(&court));
    // What is not shown is alike too.
    let told = |setup: &Setup| without(self::carried(setup, &[]).to_json()["character"][0].clone());
    assert_eq!(told(&next), told(&court));
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
    let boons = wren["boon"].as_array().expect("boons");
    let boons: Vec<_> = boons.iter().map(|boon| json!([boon["name"], boon["category"]])).collect();
    assert_eq!(boons, [json!(["Coat", "vital"]), json!(["Net", "power"])]);
    let lived = "May, The ford: lived; marked by crush, pierce; came by Net; lost Net";
    assert_eq!(wren["history"], json!([lived]));
    let moth = &json["character"][1];
    assert_eq!((moth.get("boon"), &moth["shuvin"]), (Some(&json!([])), &json!(false)));
    assert_eq!(moth["history"], json!(["May, The ford: lived; lost Lamp"]));
}

#[test]
fn the_end_of_an_evening_is_no_rest() {
    let spent =
        r#"{ name = "Vow", once = "rest", spent = true }, { name = "Dash", once = "scene", spent = true }, "#;
    let used = EVENING.replace(r#"{ name = "Rush""#, &format!(r#"{spent}{{ name = "Rush""#));
    let setup = Setup::alone(read(&used));
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
    assert!(fault.starts_with("ford.toml:17: character[2]: \"Moth\" has fallen"), "{fault}");
}

#[test]
fn of_several_of_a_name_each_can_be_carried() {
    let club = r#"{ name = "Club", category = "power" }]"#;
    let mut clubs = EVENING.replace(r#"bold = "always" }]"#, &format!(r#"bold = "always" }}, {club}"#));
    for name in ["Levy", "Guard"] {
        clubs += &format!("[[foe]]\nname = \"{name}\"\nkind = \"brute\"\npl = 4\nboon = [{club}\n");
    }
    let setup = Setup::alone(read(&clubs));
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
    assert_eq!(named(read(EVENING)), [false, false, true]);
    assert_eq!(named(read(EVENING).begun_under(7)), [false, false, true]);
    assert_eq!(named(read(EVENING).begun_under(6)), [true, true, false]);
}
