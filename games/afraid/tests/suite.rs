//! What every game must pass, held for this one.

use afraid::Afraid;
use fracas_kernel::{Game, Setup};
use fracas_sim::{Chance, Order, Playouts, Quiet, Random};
use fracas_suite::{Effort, Either, Tables};

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "afraid" };

/// Effects that come in either order, and the clause that says why.
const EITHER: [Either<'_>; 1] = [("gained", "suffered", "experience-before-band")];

/// One test for each property, so that they run beside each other.
macro_rules! holds {
    ($($property:ident)*) => {$(
        #[test]
        fn $property() {
            fracas_suite::$property::<Afraid>(&TABLES.setups(), Effort::default());
        }
    )*};
}

holds! { restored replayed listed laid promised refused fiats chance secrecy fewer spoken whole }

#[test]
fn gone() {
    let away = r#"{"present":{"who":"@name","there":false}}"#;
    // What becomes of a victim brings everybody reflection, seen or not.
    let mut setups = TABLES.setups();
    let victims = |setup: &Setup| setup.encounter.to_json().to_string().contains("\"victim\"");
    setups.retain(|setup| setup.library.is_empty() && !victims(setup));
    fracas_suite::gone::<Afraid>(&setups, Effort::default(), away, "");
}

#[test]
fn effects_come_in_order() {
    fracas_suite::ordered::<Afraid>(&TABLES.setups(), Effort::default(), &EITHER);
}

#[test]
fn any_bytes_are_survived() {
    fracas_suite::smoke(&afraid::system(), &TABLES.setups(), 300);
}

#[test]
fn playing_allocates_nothing_once_warm() {
    for setup in TABLES.setups() {
        let (rules, state) = Afraid::start(&setup).unwrap();
        let mut playouts = Playouts::<Afraid>::new(&rules, &state).order(Order::Any);
        let mut play = |stream| playouts.play(&mut Random, &mut Chance::new(1, stream), &mut Quiet).answers;
        // The longest list may come late: the same conflicts, played twice.
        let mut answers: u32 = (0..20).map(&mut play).sum();
        let used = allocation_counter::measure(|| answers = (0..20).map(&mut play).sum::<u32>());
        assert_eq!(used.count_total, 0, "allocations in {answers} answers of {}", setup.encounter.name());
    }
}
