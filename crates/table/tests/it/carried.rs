//! Characters over several evenings.

use fracas_kernel::{Document, Seat, Setup, System, Viewer, system_of, toml};
use fracas_suite::toy::{self, Toy};
use fracas_table::*;

const TOY: System = system_of::<Toy>();

fn document(name: &str, text: &str) -> Document {
    Document::toml(name, text).expect("TOML")
}

fn create(setup: &Setup, name: &str) -> Table {
    let store = MemoryStore::new();
    let opening = Opening { title: name.into(), label: name.into(), seed: Some(Seed::from(1)) };
    Table::create(&TOY, setup, opening, Box::new(store)).expect("a sound setup")
}

/// The library document that a table hands on.
fn carried(table: &Table) -> Document {
    let document = carry(table.log(), &[TOY]).expect("can be run").expect("the toy carries");
    self::document("carried.toml", &toml(&document))
}

#[test]
fn characters_carry_over_from_evening_to_evening() {
    let three = "[[hunter]]\nname = \"ana\"\n[[hunter]]\nname = \"bo\"\n[[hunter]]\nname = \"cleo\"\n";
    let mut first = create(&Setup::alone(document("one.toml", three)), "May");
    for fiat in [r#"{"wounds":["@ana",2]}"#, r#"{"wounds":["@bo",4]}"#] {
        first.fiat(fiat, None).expect("possible");
    }
    let library = carried(&first);
    let origin = Origin { log: "memory".into(), lines: first.log().next(), state: first.game().hash() };
    assert_eq!(library.to_json()["carried"], serde_json::to_value(&origin).expect("JSON"));
    assert_eq!(library.to_json()["fallen"][0]["history"], serde_json::json!(["May, fell"]));

    let two = "[[hunter]]\nname = \"ana\"\nplayer = \"zoe\"\nwounds = 0\n";
    let next = Setup::alone(document("two.toml", two)).with(vec![library.clone()]).expect("ana lives");
    let mut second = create(&next, "June");
    assert_eq!(second.game().view(Viewer::Spectator)["wounds"], serde_json::json!([2]));
    assert_eq!(second.game().seats()[1].name, "zoe");
    assert_eq!(second.log().header().carried_from().collect::<Vec<_>>(), [origin]);
    let fiat = r#"{"join":{"player":"dee","hunter":"dora"}}"#;
    second.fiat(fiat, None).expect("possible");
    second.fiat(r#"{"wounds":["@ana",1]}"#, None).expect("possible");
    assert!(verify(second.log(), &[TOY]).expect("can be run").sound());
    let two = carried(&second).to_json();
    let entries = |list: &str| -> Vec<String> {
        let list = two[list].as_array().expect("a list").iter();
        list.map(|e| format!("{} {} {}", e["name"], e["wounds"], e["history"]).replace('"', "")).collect()
    };
    assert_eq!(
        entries("hunter"),
        ["ana 1 [May, lived,June, lived]", "dora 0 [June, lived]", "cleo 0 [May, lived]"]
    );
    assert_eq!(entries("fallen"), ["bo 4 [May, fell]"]);

    let back = Setup::alone(document("three.toml", "[[hunter]]\nuse = \"bo\"\n"));
    let fault = back.with(vec![library]).map(drop).unwrap_err().to_string();
    assert!(fault.contains("\"bo\" has fallen (May, fell)"), "{fault}");
}

#[test]
fn a_log_of_other_rules_carries_nobody() {
    let table = create(&toy::setup(2, 4), "May");
    let later = System { version: 2, ..TOY };
    assert!(matches!(carry(table.log(), &[later]), Err(OpenError::Version { .. })));
    assert!(matches!(carry(table.log(), &[]), Err(OpenError::System { .. })));
    let nobody = System { id: "toy", ..TOY };
    assert!(carry(table.log(), &[nobody]).expect("can be run").is_some());
    assert_eq!(table.log().header().carried_from().count(), 0);
    assert_eq!(table.game().seats()[0].seat, Seat::Gm);
}
