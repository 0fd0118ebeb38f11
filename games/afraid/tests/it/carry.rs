//! From one evening into the next.

use afraid::Afraid;
use afraid::{state::To, vocab::Char};
use fracas_kernel::{AnyTable, Document, Seat, Session, Setup, Viewer};
use fracas_suite::{Driven, carried, carries, opened, sound};
use serde_json::{Value, json};

const EVENING: &str = r#"
title  = "The ford"
player = [{ name = "Ana" }, { name = "Bo" }]
npc    = [{ name = "The reeve", stats = { acuity = 1, body = 1, heart = 1, will = 1 } }]
[[character]]
name = "Ada of the Marsh"
id = "ada"
player = "Ana"
note = "a midwife"
secret = "a name"
history = ["grew up on the river"]
background = "Veteran"
stats = { acuity = 3, body = 2, heart = 4, will = 0 }
circumstances = ["lost"]
unassigned = "1d4 2d6"
trait = [
    { name = "Brave", dice = "2d6" },
    { name = "Sly", dice = "1d8", arena = "social" },
    { name = "Faints", dice = "2d4", supernatural = true },
]
bond = [{ name = "Prays", dice = "1d6 + 1d4" }, { name = "Never runs", dice = "1d8", broken = true }]
relationship = [
    { to = "Ben", dice = "1d6" },
    { to = "Mr Wren", name = "Father", dice = "2d4" },
    { to = "The reeve", dice = "1d10" },
]
belonging = [{ name = "Pistol", grade = "big", supernatural = true }]
[[character]]
name = "Ben"
player = "Bo"
stats = { acuity = 1, body = 2, heart = 1, will = 2 }
needs_aid = "1d4 2d8"
trait = [{ name = "Stubborn", dice = "1d10" }]
"#;

const NEXT: &str = r#"
title  = "The hill"
player = [{ name = "Ana" }, { name = "Bo" }]
[[character]]
use = "Ada of the Marsh"
[[character]]
name = "Ben"
stats = { acuity = 9, body = 9, heart = 9, will = 9 }
[[npc]]
name = "The reeve"
stats = { acuity = 1, body = 1, heart = 1, will = 1 }
"#;

const ANA: Seat = Seat::Player(0);

type Table = Session<Afraid>;

fn setup(text: &str) -> Setup {
    Setup::alone(Document::toml("evening.toml", text).expect("TOML").kept())
}

/// Another evening after what was carried.
fn next(text: &str, carried: Document) -> Setup {
    setup(text).with(vec![carried]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn open(setup: &Setup) -> Table {
    opened::<Afraid>(setup)
}

/// Somebody whom the table calls this, with all that is on their sheet.
fn whole(table: &Table, name: &str) -> Value {
    let cast = table.view(Viewer::Seat(Seat::Gm))["cast"].clone();
    let mut all = cast.as_object().expect("the cast").values();
    let mut seen = all.find(|seen| seen["name"] == name).expect("somebody of this name").clone();
    let mut sheet: Vec<Value> = seen["sheet"].as_object().expect("a sheet").values().cloned().collect();
    // To whom is told by names that are an evening's own.
    sheet.iter_mut().filter_map(Value::as_object_mut).for_each(|thing| drop(thing.remove("to")));
    sheet.sort_by_key(Value::to_string);
    seen["sheet"] = json!(sheet);
    seen
}

/// Whom somebody has relationships to, and what they are called.
fn ties(document: &Document, at: usize) -> Vec<String> {
    let json = document.to_json();
    let ties = json["character"][at]["relationship"].as_array().cloned().unwrap_or_default();
    ties.iter().map(|tie| format!("{}: {}, {}", tie["name"], tie["to"], tie["dice"])).collect()
}

/// The line that this evening added.
fn last(document: &Document, list: &str, at: usize) -> String {
    let json = document.to_json();
    let history = json[list][at]["history"].as_array().cloned().unwrap_or_default();
    history.last().and_then(Value::as_str).expect("a history").to_owned()
}

#[test]
fn nothing_changes_between_two_evenings() {
    let evening = setup(EVENING);
    let before = open(&evening);
    let carried = carried(&evening, &before);
    sound::<Afraid>(&carried);
    let after = open(&next(NEXT, carried.clone()));
    for name in ["Ada of the Marsh", "Ben"] {
        assert_eq!(whole(&after, name), whole(&before, name), "{name}");
    }
    let json = carried.to_json();
    let ada = &json["character"][0];
    assert_eq!(
        (&ada["id"], &ada["player"], &ada["note"], &ada["secret"]),
        (&json!("ada"), &json!("Ana"), &json!("a midwife"), &json!("a name"))
    );
    assert_eq!(
        ties(&carried, 0),
        [r#""Ben": "Ben", "1d6""#, r#""Father": "Mr Wren", "2d4""#, r#""The reeve": "The reeve", "1d10""#,]
    );
    let again = fracas_suite::carried(&next(NEXT, carried), &after).to_json();
    assert_eq!(
        again["character"][0]["history"],
        json!(["grew up on the river", "May, The ford: lived; is lost", "May, The hill: lived; is lost"])
    );
    for field in ["trait", "bond", "relationship", "belonging", "stats", "note", "secret", "background"] {
        assert_eq!(again["character"][0][field], ada[field], "{field}");
    }
}

#[test]
fn what_an_evening_did_is_carried() {
    let evening = setup(EVENING);
    let mut table = open(&evening);
    for one in [
        r#"{"gain":{"who":"@ada","sort":"trait","name":"Quick","dice":"1d6"}}"#,
        // What is on a sheet may be there twice.
        r#"{"gain":{"who":"@ada","sort":"trait","name":"Brave","dice":"1d6"}}"#,
        r#"{"gain":{"who":"@ada","sort":"bond","name":"Keeps the key","dice":"1d6 + 1d4"}}"#,
        r#"{"gain":{"who":"@ada","sort":"relationship","name":"Edna","dice":"2d6"}}"#,
        r#"{"gain":{"who":"@ada","sort":"belonging","name":"Lantern","dice":"2d8"}}"#,
        r#"{"thing":{"item":"@ada-brave","dice":"3d4"}}"#,
        r#"{"thing":{"item":"@ada-sly"}}"#,
        r#"{"thing":{"item":"@ada-pistol","dice":"2d10 + 1d4"}}"#,
        r#"{"stat":{"who":"@ada","stat":"will","dice":20}}"#,
        r#"{"unassigned":{"who":"@ada","dice":"2d10"}}"#,
        r#"{"circumstance":{"who":"@ada","circumstance":"lost","on":false}}"#,
        r#"{"circumstance":{"who":"@ada","circumstance":"in-trouble","on":true}}"#,
        r#"{"circumstance":{"who":"@ada","circumstance":"unprepared","on":true}}"#,
        r#"{"need":{"who":"@ada","dice":"4d8"}}"#,
        r#"{"need":{"who":"@ben"}}"#,
    ] {
        table.overrules(one);
    }
    table.says(ANA, r#"{"bond":{"bond":"@ada-prays","holds":false}}"#);
    table.says(ANA, r#"{"bond":{"bond":"@ada-never-runs","holds":true}}"#);
    table.says(ANA, r#"{"assign":{"to":"@the-reeve","count":1,"size":"d10"}}"#);
    let carried = carried(&evening, &table);
    sound::<Afraid>(&carried);
    let after = open(&next(NEXT, carried.clone()));
    for name in ["Ada of the Marsh", "Ben"] {
        assert_eq!(whole(&after, name), whole(&table, name), "{name}");
    }
    let ada = whole(&after, "Ada of the Marsh");
    assert_eq!(ada["stats"], json!({ "acuity": 3, "body": 2, "heart": 4, "will": 20 }));
    assert_eq!(ada["unassigned"], json!({ "d10": 1 }));
    let thing = |thing: &Value| {
        let broken = if thing["broken"] == true { ", broken" } else { "" };
        format!("{} {}{broken}", thing["name"], thing["dice"]).replace('"', "")
    };
    let mut things: Vec<String> = ada["sheet"].as_array().expect("a sheet").iter().map(thing).collect();
    things.sort();
    assert_eq!(
        things.join("; "),
        "Ben 1d6; Brave 1d6; Brave 3d4; Edna 2d6; Faints 2d4 + 1d4; Father 2d4; Keeps the key 1d6 + 1d4; Lantern 2d8; \
         Never runs 1d8; Pistol 2d10 + 1d4; Prays 1d6 + 1d4, broken; Quick 1d6; The reeve 2d10"
    );
    assert_eq!(
        last(&carried, "character", 0),
        "May, The ford: lived; is in trouble, unprepared; \
         came by Quick, Brave, Keeps the key, Edna, Lantern"
    );
    assert_eq!(last(&carried, "character", 1), "May, The ford: lived");
}

#[test]
fn what_is_struck_off_stays_away() {
    let evening = setup(EVENING);
    let mut table = open(&evening);
    for one in [
        r#"{"gain":{"who":"@ben","sort":"trait","name":"Quick","dice":"1d6"}}"#,
        r#"{"thing":{"item":"@gained-1"}}"#,
        r#"{"thing":{"item":"@ben-stubborn"}}"#,
    ] {
        table.overrules(one);
    }
    let carried = carried(&evening, &table);
    assert_eq!(last(&carried, "character", 1), "May, The ford: lived");
    let after = open(&next(NEXT, carried));
    assert_eq!(whole(&after, "Ben")["sheet"], json!([]));
}

#[test]
fn the_dead_are_remembered_and_who_came_for_them_is_carried() {
    let evening = setup(EVENING);
    let table = succeeded_by(
        &evening,
        "Vera",
        &[
            r#"{"place":{"sort":"bond","name":"Comes back","count":1,"size":"d8"}}"#,
            r#"{"place":{"sort":"trait","name":"Patient","count":2,"size":"d4"}}"#,
            r#"{"place":{"sort":"relationship","name":"Edna","count":1,"size":"d10"}}"#,
            r#"{"place":{"sort":"belonging","name":"Razor","count":1,"size":"d6","supernatural":true}}"#,
            r#"{"place-relationship":{"to":"@ben","count":1,"size":"d6"}}"#,
        ],
    );
    let carried = carried(&evening, &table);
    sound::<Afraid>(&carried);
    let json = carried.to_json();
    assert_eq!(
        json["fallen"],
        json!([{
            "name": "Ada of the Marsh", "player": "Ana", "note": "a midwife",
            "history": ["grew up on the river", "May, The ford: died"],
        }])
    );
    let names: Vec<&Value> =
        json["character"].as_array().expect("the living").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["Ben", "Vera"]);
    assert_eq!(
        json["character"][1]["history"],
        json!(["May, The ford: lived; came in the place of somebody who died; is alone; \
             came by Comes back, Patient, Edna, Razor, Ben"])
    );
    assert_eq!(ties(&carried, 1), [r#""Edna": "Edna", "1d10""#, r#""Ben": "Ben", "1d6""#]);

    let fault = setup(NEXT).with(vec![carried.clone()]).map(drop).unwrap_err().to_string();
    assert!(fault.starts_with("evening.toml:5: character[1]: \"Ada of the Marsh\" has fallen"), "{fault}");
    let after = open(&next(&NEXT.replace("Ada of the Marsh", "Vera"), carried));
    assert_eq!(whole(&after, "Vera"), whole(&table, "Vera"));
    assert_eq!(whole(&after, "Vera")["sheet"].as_array().map(Vec::len), Some(5));
}

/// Ada dies, and a new character comes who is called this, and has these besides.
fn succeeded_by(evening: &Setup, name: &str, sheet: &[&str]) -> Table {
    let mut table = open(evening);
    table.overrules(r#"{"fate":{"who":"@ada","fate":"dead"}}"#);
    let name = format!(r#"{{"name":"{name}"}}"#);
    let begun = [&*name, r#"{"background":"@veteran"}"#, r#"{"stats":[3,2,4,0]}"#];
    let done = [r#""done""#, r#"{"suffer":["alone"]}"#];
    for one in begun.iter().chain(sheet).chain(&done) {
        table.says(ANA, one);
    }
    table
}

/// The next evening, to which somebody of this name is asked.
fn next_of(name: &str, carried: &Document) -> Table {
    open(&next(&NEXT.replace("Ada of the Marsh", name), carried.clone()))
}

#[test]
fn who_bears_the_name_of_the_dead_is_somebody_else() {
    let evening = setup(EVENING);
    let carried = carried(&evening, &succeeded_by(&evening, "Ada of the Marsh", &[]));
    sound::<Afraid>(&carried);
    let json = carried.to_json();
    let ada = &json["character"][1];
    assert_eq!(ada["name"], "Ada of the Marsh");
    assert_eq!((&ada["note"], &ada["secret"], &ada["new"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!(
        ada["history"],
        json!(["May, The ford: lived; came in the place of somebody who died; is alone"])
    );
    assert_eq!(json["fallen"][0]["note"], "a midwife");
    next_of("Ada of the Marsh", &carried);
}

#[test]
fn any_name_of_a_new_character_can_be_carried() {
    let evening = setup(EVENING);
    let long = "Adalbertina Philippina Wilhelmina of the Long Marsh beyond the Three Hills";
    for name in ["王 五", "Injury", "Veteran", "!", long] {
        let table = succeeded_by(&evening, name, &[]);
        let carried = carried(&evening, &table);
        sound::<Afraid>(&carried);
        let after = next_of(name, &carried);
        assert_eq!(whole(&after, name), whole(&table, name), "{name}");
    }
}

#[test]
fn people_of_one_name_stay_apart() {
    let evening = setup(EVENING);
    let mut table = open(&evening);
    // Others of these names than the father, the player's character and the reeve.
    let long = "Whoever it was that left the lantern burning in the upper window";
    for name in ["Mr Wren", "Ben", "The Reeve", "Edna", "Edna", "edna", "Injury", long, long] {
        let gain = json!({ "gain": { "who": "@ada", "sort": "relationship", "name": name, "dice": "1d4" } });
        table.overrules(&gain.to_string());
    }
    let carried = carried(&evening, &table);
    sound::<Afraid>(&carried);
    assert_eq!(
        ties(&carried, 0),
        [
            r#""Ben": "Ben", "1d6""#,
            r#""Father": "Mr Wren", "2d4""#,
            r#""The reeve": "The reeve", "1d10""#,
            r#""Mr Wren": "Mr Wren 2", "1d4""#,
            r#""Ben": "Ben 2", "1d4""#,
            r#""The Reeve": "The Reeve 2", "1d4""#,
            r#""Edna": "Edna", "1d4""#,
            r#""Edna": "Edna 2", "1d4""#,
            r#""edna": "edna 3", "1d4""#,
            r#""Injury": "Injury 2", "1d4""#,
            &format!(r#""{long}": "{long}", "1d4""#),
            &format!(r#""{long}": "Whoever it was that left the lantern burning in 2", "1d4""#),
        ]
    );
    let after = open(&next(NEXT, carried));
    let whom: std::collections::BTreeSet<_> =
        after.state().sheet(Char(0)).filter_map(|(_, thing)| thing.to).collect();
    assert_eq!(whom.len(), 12, "{whom:?}");
}

#[test]
fn nobody_takes_the_name_of_somebody_who_is_away() {
    let evening = setup(EVENING);
    let carried = carried(&evening, &open(&evening));
    let alone = "[[player]]\nname = \"Ana\"\n[[character]]\nuse = \"Ada of the Marsh\"\n";
    let second = next(alone, carried.clone());
    let table = open(&second);
    for (join, fits) in [
        (json!({ "name": "Ben", "player": "Ana", "stats": {} }), false),
        (json!({ "name": "Ben", "stats": {} }), true),
        (json!({ "use": "Ben", "id": "old-ben", "player": "Ana" }), true),
    ] {
        let join = json!({ "join": join }).to_string();
        assert_eq!(AnyTable::fiat(&mut table.clone(), &join, false).is_ok(), fits, "{join}");
    }
    let name = |table: &mut Table, name: &str| {
        let (id, ..) = table.asks().next().expect("a new character is made");
        let said = json!({ "name": name }).to_string();
        assert_eq!(
            AnyTable::preview(table, id, &said, Viewer::Seat(ANA)).is_ok(),
            AnyTable::check(table, ANA, id, &said).is_ok(),
            "{name} is refused before it is given as when it is"
        );
        AnyTable::answer(table, ANA, id, &said, false).map(drop)
    };
    // Also where the gamemaster has somebody of this name in wait.
    let wait = "[[npc]]\nname = \"Ben\"\nstats = {}\n[[scene]]\npresent = [\"Ada of the Marsh\"]\n";
    for wait in ["", wait] {
        let mut table = open(&next(&format!("{alone}{wait}"), carried.clone()));
        table.overrules(r#"{"fate":{"who":"@ada","fate":"dead"}}"#);
        for taken in ["Ben", "ben"] {
            let refused = name(&mut table, taken).unwrap_err().to_string();
            assert!(refused.contains("is called that"), "{refused}");
        }
        name(&mut table, "Vera").expect("a name of her own");
    }
}

/// Somebody in wait, with an id of their own, and what is on their sheet.
const IN_WAIT: &str = r#"
[[npc]]
name = "The Hollow"
stats = { acuity = 1, body = 1, heart = 1, will = 1 }
trait = [{ name = "Patient", dice = "2d8" }, { name = "Sings", id = "song", dice = "2d8" }]
fact = [{ text = "It never sleeps." }]
[[npc]]
name = "Agnes Roe"
id = "moth"
stats = { acuity = 1, body = 1, heart = 1, will = 1 }
[[person]]
name = "Old Tam"
"#;

/// Who of those in wait Ada has a relationship to.
fn in_wait(table: &Table) -> Option<u8> {
    table.state().sheet(Char(0)).find_map(|(_, thing)| match thing.to? {
        To::Char(who) => (who.0 > 2).then_some(who.0),
        To::Person(_) => None,
    })
}

#[test]
fn a_name_that_is_carried_does_not_tell_who_is_in_wait() {
    let evening = setup(EVENING);
    let scene = "[[scene]]\npresent = [\"Ada of the Marsh\", \"Ben\", \"reeve\"]\n";
    let next_text = NEXT.replace("name = \"The reeve\"", "name = \"The reeve\"\nid = \"reeve\"");
    let wait = format!("{next_text}{IN_WAIT}{scene}[[scene]]\npresent = [\"moth\", \"the-hollow\"]\n");
    let seen = |table: &Table| {
        let of = |who: Viewer| (table.view(who), table.cards(who));
        (of(Viewer::Seat(ANA)), of(Viewer::Spectator))
    };
    for (name, who) in [
        ("The Hollow", Some(3)),
        ("the-hollow", None),
        ("THE HOLLOW", None),
        ("The  Hollow", None),
        ("The Hollow!", None),
        ("hollow", None),
        ("Agnes Roe", Some(4)),
        ("agnes-roe", None),
        ("moth", None),
        ("Song", None),
        ("The Hollow Patient", None),
        ("Fact 1", None),
        ("Old Tam", None),
        ("old tam", None),
        ("Reeve", None),
    ] {
        let mut table = open(&evening);
        let gain = json!({ "gain": { "who": "@ada", "sort": "relationship", "name": name, "dice": "1d4" } });
        table.overrules(&gain.to_string());
        let carried = carried(&evening, &table);
        let [more, less] =
            [&wait, &format!("{next_text}{scene}")].map(|text| open(&next(text, carried.clone())));
        assert_eq!(seen(&more), seen(&less), "{name}");
        assert_eq!((in_wait(&more), in_wait(&less)), (who, None), "{name}");
    }
}

#[test]
fn tables_of_earlier_rules_read_a_carried_name_as_they_did() {
    let evening = setup(EVENING);
    let mut table = open(&evening);
    table.overrules(r#"{"gain":{"who":"@ada","sort":"relationship","name":"moth","dice":"1d4"}}"#);
    let carried = carried(&evening, &table);
    let text = format!("{NEXT}{IN_WAIT}").replace("id = \"moth\"", "id = \"moth\"\nmet = true");
    for (version, who) in [(7, Some(4)), (8, None)] {
        let document = Document::toml("evening.toml", &text).expect("TOML").kept().begun_under(version);
        let setup = Setup::alone(document).with(vec![carried.clone()]).expect("nobody fell");
        assert_eq!(in_wait(&open(&setup)), who, "version {version}");
    }
}

#[test]
fn a_background_of_the_encounters_own_is_carried() {
    let text = EVENING.replace(r#"background = "Veteran""#, r#"background = "Miller""#)
        + "[[background]]\nname = \"Miller\"\nstats = 9\ntraits = \"1d4 2d6\"\nnever = \"lost\"\nbonds = 2\n";
    let evening = setup(&text);
    let table = open(&evening);
    let carried = carried(&evening, &table);
    sound::<Afraid>(&carried);
    assert_eq!(carried.to_json()["background"][0]["name"], "Miller");
    // Whether the next encounter has it too or not.
    for own in ["", "[[background]]\nname = \"Miller\"\nstats = 3\n"] {
        let after = open(&next(&format!("{NEXT}{own}"), carried.clone()));
        assert_eq!(after.rules().backgrounds[0], table.rules().backgrounds[0]);
    }
}

#[test]
fn who_is_carried_and_has_no_part_stays() {
    let evening = setup(EVENING);
    let carried = carried(&evening, &open(&evening));
    let alone = "[[player]]\nname = \"Bo\"\n[[character]]\nuse = \"Ben\"\n";
    let second = next(alone, carried.clone());
    let again = fracas_suite::carried(&second, &open(&second));
    sound::<Afraid>(&again);
    let (was, is) = (carried.to_json(), again.to_json());
    assert_eq!((&is["character"][1], &is["character"][0]["name"]), (&was["character"][0], &json!("Ben")));
    // With one player it goes without saying who plays.
    assert_eq!(is["character"][0]["player"], json!("Bo"));
}

#[test]
fn whatever_comes_of_play_can_be_carried() {
    for text in [EVENING, include_str!("../setups/aid.toml"), include_str!("../setups/fight.toml")] {
        // Whoever comes after a death has the same name each time: bots think of no other.
        carries::<Afraid>(&afraid::system(), &setup(text), 1..20, 400, |fault| {
            fault.what.contains("\"A stranger\"")
        });
    }
}
