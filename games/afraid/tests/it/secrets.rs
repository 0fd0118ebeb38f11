//! What players may not know of: whom they have not met, what is on the sheets of others,
//! the writeup, and what goes on where no character of theirs is.

use crate::TABLES;
use afraid::Afraid;
use fracas_kernel::{AnyTable, Document, Now, Seat, Seen, Setup, System, Viewer, system_of};
use fracas_suite::{Driven, Effort, Elsewhere, alike, alike_but_for, told};
use serde_json::{Value, json};

const SYSTEM: System = system_of::<Afraid>();
const ANA: Viewer = Viewer::Seat(Seat::Player(0));
const GM: Viewer = Viewer::Seat(Seat::Gm);

/// Two friends, somebody they have met with a trait they have not seen, and somebody in
/// wait with whom that one has to do.
const VALLEY: &str = r#"
title = "The valley"
player = [{ name = "Ana" }, { name = "Bo" }]
scene = [{ present = ["Ada", "Ben", "Moss"] }]
[[character]]
name = "Ada"
player = "Ana"
stats = { acuity = 2, body = 1, heart = 2, will = 1 }
bond = [{ name = "Keeps the door", dice = "1d4" }]
trait = [{ name = "Loud", dice = "2d6" }]
unassigned = "2d6"
[[character]]
name = "Ben"
player = "Bo"
stats = { acuity = 1, body = 2, heart = 1, will = 2 }
[[npc]]
name = "Moss"
stats = { acuity = 2, body = 2, heart = 1, will = 1 }
trait = [{ name = "Limps", dice = "1d6" }]
[[npc]]
name = "The Hollow"
tie = "monster"
stats = { acuity = 3, body = 3, heart = 3, will = 3 }
secret = "listens at doors"
trait = [{ name = "Patient", dice = "2d8" }]
relationship = [{ to = "Old Tam", dice = "1d10" }]
fact = [{ text = "It never sleeps." }]
[[npc]]
name = "The Lodger"
stats = { acuity = 1, body = 1, heart = 1, will = 1 }
trait = [{ name = "Hums", dice = "1d6" }]
"#;

/// What of it no player may find.
const HIDDEN: [&str; 7] = [
    "the-hollow",
    "the-hollow-patient",
    "the-hollow-old-tam",
    "old-tam",
    "the-lodger",
    "the-lodger-hums",
    "moss-limps",
];

fn valley() -> Value {
    Document::toml("valley.toml", VALLEY).expect("TOML").to_json()
}

/// The same with nobody in wait.
fn bare() -> Value {
    let mut encounter = valley();
    let npcs = encounter["npc"].as_array_mut().expect("a list");
    npcs.retain(|one| one["name"] == "Moss");
    npcs[0].as_object_mut().expect("a table").remove("trait");
    encounter
}

fn opened(encounter: &Value, library: &[Document]) -> Box<dyn AnyTable> {
    let setup = Setup { encounter: Document::json("table.json", encounter), library: library.to_vec() };
    (SYSTEM.start)(&setup).unwrap_or_else(|faults| panic!("{faults}"))
}

fn table() -> Box<dyn AnyTable> {
    opened(&valley(), &[])
}

/// Everything that this viewer is sent of a table as it is.
fn sent(table: &dyn AnyTable, who: Viewer) -> String {
    let mut all = format!("{} {:?}", table.view(who), table.cards(who));
    if let Now::Asks(asks) = table.now() {
        for ask in asks {
            let id = ask.id;
            if matches!(who, Viewer::Seat(seat) if ask.who.seats().contains(seat)) {
                all += &format!("{:?} {:?} {:?}", ask.prompt, table.ask_told(id, who), table.legal(id, who));
            } else {
                all += table.waits(id, who);
            }
        }
    }
    all
}

/// What Ana is told who breaks something of this name, with the name taken out.
fn refusal(table: &dyn AnyTable, name: &str) -> String {
    let answer = format!(r#"{{"bond":{{"bond":"@{name}","holds":false}}}}"#);
    let checked = table.check(Seat::Player(0), table.asked(Seat::Player(0)), &answer);
    checked.err().map_or("fine".to_owned(), |why| why.to_string()).replace(name, "NAME")
}

const UNHEARD: [&str; 12] = [
    r#"{"gain":{"who":"@the-lodger","sort":"trait","name":"Grins","dice":"1d6"}}"#,
    r#"{"gain":{"who":"@the-hollow","sort":"relationship","name":"Young Pim","dice":"1d6"}}"#,
    r#"{"gain":{"who":"@moss","sort":"belonging","name":"A key","dice":"1d6"}}"#,
    r#"{"stat":{"who":"@the-hollow","stat":"will","dice":5}}"#,
    r#"{"circumstance":{"who":"@the-hollow","circumstance":"lost","on":true}}"#,
    r#"{"thing":{"item":"@the-hollow-patient","dice":"3d8"}}"#,
    r#"{"thing":{"item":"@moss-limps","dice":"2d6"}}"#,
    r#"{"unassigned":{"who":"@the-lodger","dice":"2d6"}}"#,
    r#"{"need":{"who":"@the-lodger","dice":"2d4"}}"#,
    r#"{"fate":{"who":"@the-lodger","fate":"dead"}}"#,
    r#"{"fate":{"who":"@the-lodger","fate":"living"}}"#,
    r#"{"present":{"who":"@the-hollow","there":false}}"#,
];

#[test]
fn a_table_with_somebody_in_wait_is_like_one_without() {
    let mut bytes = 0;
    for seed in 1..=5 {
        bytes += alike(table(), opened(&bare(), &[]), &UNHEARD, seed);
        bytes += alike(opened(&fought(valley()), &[]), opened(&fought(bare()), &[]), &UNHEARD, seed);
    }
    println!("{bytes} bytes are the same");
}

/// A scene of those in wait, with a conflict.
const ELSEWHERE: Elsewhere<'_> = Elsewhere {
    begins: &[
        r#"{"new-scene":["@the-hollow","@the-lodger"]}"#,
        r#"{"conflict":{"sides":[["@the-hollow"],["@the-lodger"]],"arena":"social"}}"#,
        r#"{"thing":"the house"}"#,
        r#""begin""#,
    ],
    but: &["cut", "reveal", "give-and-reveal", "dies"],
    ends: r#""end-scene""#,
};

/// The valley, with each friend in a scene of their own.
fn apart(mut encounter: Value) -> Value {
    encounter["scene"] = json!([{ "present": ["Ada", "Moss"] }, { "present": ["Ben"] }]);
    encounter
}

#[test]
fn a_scene_played_unseen_to_its_end_is_not_noticed() {
    for seed in 1..=4 {
        for staged in [|encounter| encounter, apart] {
            let (more, less) = (opened(&staged(valley()), &[]), opened(&staged(bare()), &[]));
            alike_but_for(more, less, &[], &ELSEWHERE, seed);
        }
    }
}

#[test]
fn dice_that_players_do_not_see_close_nothing_to_them() {
    let mut table = table();
    for said in ELSEWHERE.begins {
        assert!(table.asks().iter().any(|ask| ask.kind == "aside"), "before {said}");
        table.says(Seat::Gm, said);
    }
    let Now::Roll(due) = table.now() else { panic!("{:?}", table.now()) };
    assert_eq!((due.seen, table.roll_odds(ANA)), (Seen::ByGm, None));
    assert_eq!(table.roll_told(ANA).text, "Dice fall somewhere else");
    let asks = table.asks();
    let aside = asks.iter().find(|ask| ask.kind == "aside").expect("an aside").id;
    assert_eq!((table.now_to(ANA), table.now_to(GM)), (Now::Asks(asks.clone()), Now::Roll(due.clone())));
    assert_eq!((asks[0].kind, table.waits(asks[0].id, ANA)), ("scene", "scene"));
    // The gamemaster's dice are not answered; a player's answer leaves them due.
    let refused = table.check(Seat::Gm, asks[0].id, r#""end-scene""#).expect_err("dice are due");
    assert!(refused.to_string().contains("dice are due"), "{refused}");
    let broken = r#"{"bond":{"bond":"@ada-keeps-the-door","holds":false}}"#;
    table.answer(Seat::Player(0), aside, broken, true).expect("an aside");
    assert_eq!(table.now(), Now::Roll(due.clone()));
    let mut again = opened(&valley(), &[]);
    again.restore(&table.snapshot()).expect("a snapshot");
    assert_eq!(again.asks(), table.asks());
    table.throws(&vec![1; due.dice.len()]);
    // What holds everybody up is not asked beside.
    let mut open = opened(&fought(valley()), &[]);
    open.says(Seat::Gm, r#"{"thing":"the key"}"#);
    open.says(Seat::Gm, r#""begin""#);
    assert!(matches!(open.now_to(ANA), Now::Roll(_)) && open.asks().is_empty());
}

#[test]
fn a_cut_is_told_between_scenes_that_players_see() {
    let mut table = opened(&apart(valley()), &[]);
    table.says(Seat::Gm, r#"{"new-scene":["@the-hollow","@the-lodger"]}"#);
    let cut = |table: &mut dyn AnyTable, to: u8| {
        let shown = table.says(Seat::Gm, &format!(r#"{{"cut":{to}}}"#));
        told(&shown, ANA).join(" ")
    };
    assert_eq!(cut(&mut *table, 0), "", "back to what they saw last");
    assert_eq!(cut(&mut *table, 1), "Cut to Ben.");
    assert_eq!(cut(&mut *table, 2), "");
    assert_eq!(table.view(ANA)["scene"], 1, "they look at what was played last");
    assert_eq!(cut(&mut *table, 0), "Cut to Ada and Moss.");
    table.overrules(r#"{"scene":{"to":1}}"#);
    assert_eq!(told(&table.overrules(r#"{"scene":{"to":2}}"#), ANA), Vec::<&str>::new());
    let before = sent(&*table, ANA);
    table.says(Seat::Gm, r#""end-scene""#);
    assert_eq!((sent(&*table, ANA), &table.view(GM)["scene"]), (before, &json!(1)), "back to Ben");
}

#[test]
fn a_scene_played_is_looked_at_where_others_end_before_it() {
    let mut table = opened(&apart(valley()), &[]);
    table.says(Seat::Gm, r#"{"cut":1}"#);
    table.says(Seat::Gm, r#"{"new-scene":["@the-hollow"]}"#);
    // The first scene goes: Ben's is the first then, and still what was played last.
    table.overrules(r#"{"scene":{"to":0}}"#);
    table.says(Seat::Gm, r#""end-scene""#);
    assert_eq!(table.view(ANA)["scenes"], json!([["@ben"]]));
    table.says(Seat::Gm, r#"{"cut":1}"#);
    assert_eq!(table.view(ANA)["scene"], 0);
    table.says(Seat::Gm, r#""end-scene""#);
    assert_eq!(table.view(GM)["scenes"], json!([["@ben"]]));
}

/// The valley with a writeup whose ids tell more than its texts.
fn written(ids: &[&str]) -> Value {
    let mut encounter = valley();
    let facts = ids.iter().map(|id| match *id {
        "" => json!({ "text": "It never sleeps." }),
        id => {
            json!({ "id": id, "text": format!("A fact of {}.", id.len()), "topic": "slave", "about": "Moss" })
        }
    });
    encounter["npc"][1]["fact"] = facts.collect();
    encounter
}

#[test]
fn of_a_fact_that_is_known_players_read_its_text_alone() {
    let known = |ids: &[&str], reveal: &str| {
        let mut table = opened(&written(ids), &[]);
        table.plays(&format!("gm: {{\"reveal\":\"@{reveal}\"}}\nAna> It becomes known: It never sleeps."));
        table
    };
    let (third, first) = (known(&["moss-serves-it", "moss-feeds-it", ""], "fact-3"), known(&[""], "fact-1"));
    assert_eq!(third.view(ANA)["facts"], json!(["It never sleeps."]));
    assert_eq!(sent(&*third, ANA), sent(&*first, ANA));
    for name in ["fact-3", "fact-1", "fact-"] {
        assert_eq!(refusal(&*third, name), refusal(&*first, name), "{name}");
        assert!(refusal(&*third, name).ends_with("\"NAME\""), "{}", refusal(&*third, name));
    }
    assert_eq!(third.view(GM)["writeup"]["moss-serves-it"]["topic"], "slave");
}

#[test]
fn facts_known_do_not_tell_their_places_in_the_writeup() {
    let known = |ids: [&str; 2]| {
        let mut table = opened(&written(&ids), &[]);
        for fact in ["@moss-serves-it", "@moss-feeds-it"] {
            table.says(Seat::Gm, &json!({ "reveal": fact }).to_string());
        }
        sent(&*table, ANA)
    };
    assert_eq!(known(["moss-serves-it", "moss-feeds-it"]), known(["moss-feeds-it", "moss-serves-it"]));
}

#[test]
fn somebody_known_by_name_alone_has_no_other_id() {
    let related = r#"[{ to = "The Lodger", dice = "1d6" }]"#;
    let faults = |of_ada: &str, of_moss: &str, lodger: &str| {
        fracas_suite::encounter_faults::<Afraid>(&format!(
            r#"
            player = [{{ name = "Ana" }}]
            character = [{{ name = "Ada", stats = {{}}, relationship = {of_ada} }}]
            npc = [
                {{ name = "Moss", stats = {{}}, relationship = {of_moss} }},
                {{ name = "The Lodger", id = "lurker-in-cellar", stats = {{}}{lodger} }},
            ]
            scene = [{{ present = ["Ada"] }}]
            "#
        ))
    };
    let told = faults(related, "[]", "");
    assert!(told.contains("the id \"lurker-in-cellar\" would tell players that The Lodger"), "{told}");
    assert_eq!(faults(related, "[]", ", met = true"), "");
    // To whom no relationship is that players see may be called anything.
    assert_eq!(faults("[]", related, ""), "");
    assert_ne!(faults("[]", &related.replace("to =", "known = true, to ="), ""), "");
}

/// The valley, with relationships of Ada's to people whom nobody has met.
fn related(mut encounter: Value) -> Value {
    encounter["character"][0]["relationship"] =
        json!([{ "to": "The Lodger", "dice": "1d6" }, { "to": "Cousin Fay", "dice": "1d6" }]);
    encounter
}

fn fought(mut encounter: Value) -> Value {
    encounter["conflict"] =
        json!({ "arena": "social", "side": [{ "who": ["Ada", "Ben"] }, { "who": ["Moss"] }] });
    encounter
}

#[test]
fn a_name_on_a_sheet_tells_nothing_of_who_has_it() {
    let mut dead = related(valley());
    dead["npc"][2]["dead"] = json!(true);
    let mut bytes = 0;
    for seed in 1..=4 {
        for staged in [|encounter| encounter, fought] {
            // In the cast, or a name alone; alive, or not.
            let tables = [related(valley()), related(bare()), dead.clone()].map(staged);
            bytes += alike(opened(&tables[0], &[]), opened(&tables[1], &[]), &UNHEARD[3..], seed);
            bytes += alike(opened(&tables[0], &[]), opened(&tables[2], &[]), &[], seed);
        }
    }
    println!("{bytes} bytes are the same");
}

#[test]
fn a_scene_that_nobody_sees_is_not_noticed() {
    let mut more = related(valley());
    more["scene"].as_array_mut().expect("a list").push(json!({ "present": ["The Lodger", "The Hollow"] }));
    for seed in 1..=6 {
        for staged in [|encounter| encounter, fought] {
            let (more, less) = (staged(more.clone()), staged(related(bare())));
            alike(opened(&more, &[]), opened(&less, &[]), &UNHEARD[..8], seed);
        }
    }
}

#[test]
fn every_table_is_the_same_with_somebody_in_wait() {
    for (seed, setup) in (1..).zip(TABLES.setups()) {
        let mut less = setup.encounter.to_json();
        if less["scene"].is_null() {
            // Where no scene says who is there, everybody is.
            let all = ["character", "npc"].into_iter().filter_map(|list| less[list].as_array()).flatten();
            let name = |one: &Value| one.get("name").or(one.get("use")).cloned();
            let present: Vec<Value> = all.filter_map(name).collect();
            less["scene"] = json!([{ "present": present }]);
        }
        let mut more = less.clone();
        let lurker = json!({ "name": "Somebody in Wait", "stats": { "acuity": 1, "body": 1, "heart": 1, "will": 1 },
            "trait": [{ "name": "Waits", "dice": "1d6" }] });
        let person = json!({ "name": "Nobody in Wait" });
        for (list, one) in [("npc", lurker), ("person", person)] {
            match more[list].as_array_mut() {
                Some(all) => all.push(one),
                None => more[list] = json!([one]),
            }
        }
        let unheard = [r#"{"circumstance":{"who":"@somebody-in-wait","circumstance":"alone","on":true}}"#];
        alike(opened(&more, &setup.library), opened(&less, &setup.library), &unheard, seed);
    }
}

#[test]
fn a_hidden_name_is_answered_as_one_that_nothing_has() {
    let table = table();
    let fact = table.names().slug('f', 0).expect("a fact").to_owned();
    for name in ["moss-limps", &fact] {
        let nothing = refusal(&*table, &name.replace(|c: char| c.is_ascii_digit(), "x")).replace('x', "");
        let near =
            |told: &str| told.split(';').next().map(|told| told.replace("\"NAME\"", "")).unwrap_or_default();
        assert!(
            refusal(&*table, name).starts_with("nothing here is called \"NAME\""),
            "{}",
            refusal(&*table, name)
        );
        assert!(near(&nothing).starts_with("nothing here is called"), "{nothing}");
    }
    for name in HIDDEN {
        assert!(refusal(&*table, name).starts_with("nothing here is called \"NAME\""), "{name}");
    }
    assert_eq!(refusal(&*table, "ada-keeps-the-door"), "fine");
    // What a player may know of is refused by a rule.
    assert!(refusal(&*table, "ada-loud").contains("bond-true"), "{}", refusal(&*table, "ada-loud"));
}

#[test]
fn of_whom_players_have_met_they_do_not_see_what_is_done_elsewhere() {
    let mut table = table();
    let shown = table.says(Seat::Gm, r#"{"new-scene":["@moss","@the-lodger"]}"#);
    assert_eq!(told(&shown, ANA), ["A new scene: somewhere else."]);
    assert_eq!(table.view(ANA)["scenes"], json!([["@ada", "@ben"]]));
    let before = (table.view(ANA), table.cards(ANA));
    let mut all = table.overrules(r#"{"circumstance":{"who":"@moss","circumstance":"lost","on":true}}"#);
    all.extend(table.overrules(r#"{"fate":{"who":"@moss","fate":"dead"}}"#));
    assert_eq!(told(&all, ANA), Vec::<&str>::new());
    assert_eq!((table.view(ANA), table.cards(ANA)), before);
    // That scene ends: theirs does not.
    let ended = table.plays("gm: \"end-scene\"\nAna>");
    assert!(told(&ended, GM).contains(&"The scene ends."));
    table.plays("gm: {\"reveal\":\"@fact-1\"}\nAna> It becomes known: It never sleeps.");
}

#[test]
fn what_is_brought_in_elsewhere_players_have_not_seen() {
    let mut table = table();
    table.says(Seat::Gm, r#"{"new-scene":["@moss","@the-lodger"]}"#);
    let conflict = r#"{"conflict":{"sides":[["@moss"],["@the-lodger"]],"arena":"social"}}"#;
    for said in [conflict, r#"{"thing":"the key"}"#, r#""begin""#] {
        table.says(Seat::Gm, said);
    }
    for _ in 0..20 {
        match table.now() {
            Now::Over => panic!("the evening ended"),
            Now::Roll(roll) => drop(table.throws(&vec![2; roll.dice.len()])),
            Now::Asks(asks) => {
                let listed = table.legal(asks[0].id, GM);
                let limps = listed.iter().find(|listed| listed.answer.contains("moss-limps"));
                table.says(Seat::Gm, &limps.unwrap_or(&listed[0]).answer);
                if limps.is_some() {
                    break;
                }
            }
        }
    }
    while let Now::Roll(roll) = table.now() {
        table.throws(&vec![2; roll.dice.len()]);
    }
    assert_eq!(table.view(GM)["cast"]["moss"]["sheet"]["moss-limps"]["rolled"], true);
    assert!(refusal(&*table, "moss-limps").starts_with("nothing here is called"));
}

#[test]
fn what_is_hidden_can_be_anything() {
    let setup = Setup { encounter: Document::json("valley.json", &valley()), library: Vec::new() };
    fracas_suite::secrecy::<Afraid>(&[setup], Effort { walks: 6, steps: 150, ..Effort::default() });
}
