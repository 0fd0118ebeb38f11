//! Tables to start from: the bundled encounters, and the small ones that benchmarks
//! measure.

use fracas_kernel::{AnyTable, Document, Now, Seat, SeatSet, Setup, System, Viewer, Who};
use fracas_sim::Chance;
use std::path::{Path, PathBuf};
use std::{fs, sync::LazyLock};

/// How many moments of play are kept of each setup.
const MOMENTS: u32 = 4;
/// Steps between them.
const APART: u32 = 12;

/// Every system with its setups.
pub(crate) static SYSTEMS: LazyLock<Vec<(System, Vec<Setup>)>> = LazyLock::new(|| {
    let setups = |system: &System| {
        let mut setups = vec![small(system)];
        setups.extend(fracas_systems::setups(system).expect("bundled encounters are TOML"));
        (*system, setups)
    };
    fracas_systems::all().iter().map(setups).collect()
});

/// Tables of every system, some steps into play.
pub(crate) static UNDER_WAY: LazyLock<Vec<Box<dyn AnyTable>>> = LazyLock::new(|| {
    let mut tables = Vec::new();
    for (system, setups) in SYSTEMS.iter() {
        for (seed, setup) in (1..).zip(setups) {
            let mut table = (system.start)(setup).expect("bundled encounters open");
            let mut chance = Chance::new(seed, 0);
            for _ in 0..MOMENTS {
                tables.push(table.again());
                for _ in 0..APART {
                    step(&mut *table, &mut chance);
                }
            }
        }
    }
    tables
});

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The table of a system that benchmarks measure: it draws on no library, so its log is
/// short.
pub(crate) fn small(system: &System) -> Setup {
    let path = root().join("benches").join(format!("{}.toml", system.id));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Setup::alone(Document::toml(format!("{}.toml", system.id), &text).expect("TOML"))
}

/// Every viewer of a table.
pub(crate) fn viewers(table: &dyn AnyTable) -> Vec<Viewer> {
    let seats = table.seats().into_iter().map(|info| Viewer::Seat(info.seat));
    seats.chain([Viewer::Spectator]).collect()
}

/// Gives a listed answer at random, or throws the dice that are due.
pub(crate) fn step(table: &mut dyn AnyTable, chance: &mut Chance) {
    match table.now() {
        Now::Over => {}
        Now::Roll(roll) => {
            let faces = chance.throw(&roll.dice);
            table.roll(&faces, true).expect("faces that can fall are taken");
        }
        Now::Asks(asks) => {
            let ask = &asks[chance.place(asks.len())];
            let listed = table.legal(ask.id, Viewer::Seat(Seat::Gm));
            let answer = &listed[chance.place(listed.len())].answer;
            for seat in answering(ask.who).iter() {
                table.answer(seat, ask.id, answer, true).expect("a listed answer is taken");
            }
        }
    }
}

/// The seats that must answer an ask.
pub(crate) fn answering(who: Who) -> SeatSet {
    match who {
        Who::All(all) => all,
        who => who.seats().iter().take(1).collect(),
    }
}
