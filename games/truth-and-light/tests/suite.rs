//! What every game must pass, held for this one.

use fracas_kernel::{Game, Setup};
use fracas_sim::{Chance, Order, Playouts, Quiet, Random};
use fracas_suite::{Effort, Either, Tables};
use serde_json::json;
use truth_and_light::TruthAndLight;

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "truth-and-light" };

/// Effects that come in either order: those of an end or an ability as they are written, and
/// those that are over when their time comes.
const EITHER: [(&str, &[&str]); 11] = [
    ("ability", &["gained"]),
    ("end", &["gained", "lasting/end", "lost", "over/ability", "over/end"]),
    ("harmed", &["lasting/ability", "over/ability", "over/boon", "over/end"]),
    ("lasting/ability", &["out", "over/end"]),
    ("lasting/end", &["gained", "lost", "over/ability", "over/end"]),
    ("lost", &["over/end"]),
    ("over/ability", &["over/boon", "over/end", "over/glory", "over/guilt", "over/upper"]),
    ("over/boon", &["over/glory", "over/guilt", "over/upper"]),
    ("over/end", &["out", "over/boon", "over/glory", "over/guilt", "over/upper", "told"]),
    ("over/glory", &["over/guilt", "over/upper"]),
    ("over/guilt", &["over/upper"]),
];

/// One test for each property, so that they run beside each other.
macro_rules! holds {
    ($($property:ident)*) => {$(
        #[test]
        fn $property() {
            fracas_suite::$property::<TruthAndLight>(&TABLES.setups(), Effort::default());
        }
    )*};
}

holds! { restored replayed listed laid promised refused fiats chance secrecy spoken whole }

#[test]
fn fewer() {
    let setups: Vec<Setup> = TABLES.setups().into_iter().map(with_somebody_away).collect();
    fracas_suite::fewer::<TruthAndLight>(&setups, Effort::default());
}

/// The same table with somebody who is not in the scene: of those there nobody is hidden.
fn with_somebody_away(mut setup: Setup) -> Setup {
    let mut all = setup.encounter.to_json()["npc"].as_array().cloned().unwrap_or_default();
    all.push(json!({ "name": "Lurker in Wait", "pn": 12, "away": true, "boon": [{ "name": "Garrotte" }] }));
    setup.encounter.set(&["npc"], &all.into());
    setup
}

#[test]
fn gone() {
    let away = r#"{"away":{"who":"@name","away":true}}"#;
    fracas_suite::gone::<TruthAndLight>(&TABLES.setups(), Effort::default(), away, "");
}

#[test]
fn effects_come_in_order() {
    let either: Vec<Either<'_>> = EITHER
        .iter()
        .flat_map(|&(one, others)| others.iter().map(move |&other| (one, other, "effects-in-order")))
        .collect();
    fracas_suite::ordered::<TruthAndLight>(&TABLES.setups(), Effort::default(), &either);
}

#[test]
fn any_bytes_are_survived() {
    fracas_suite::smoke(&truth_and_light::system(), &TABLES.setups(), 300);
}

#[test]
fn playing_allocates_nothing_once_warm() {
    for setup in TABLES.setups() {
        let (rules, state) = TruthAndLight::start(&setup).unwrap();
        let mut playouts = Playouts::<TruthAndLight>::new(&rules, &state).order(Order::Any);
        let mut play = |stream| playouts.play(&mut Random, &mut Chance::new(1, stream), &mut Quiet).answers;
        // The longest list may come late: the same conflicts, played twice.
        let mut answers: u32 = (0..20).map(&mut play).sum();
        let used = allocation_counter::measure(|| answers = (0..20).map(&mut play).sum::<u32>());
        assert_eq!(used.count_total, 0, "allocations in {answers} answers of {}", setup.encounter.name());
    }
}
