//! The tests that every game has.

use crate::{Tables, digests, golden};
use fracas_kernel::{Game, System};
use fracas_sim::{Chance, Order, Playouts, Quiet, Random, perft};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Steps of each kept playthrough.
const STEPS: u32 = 300;

/// Writes the tests that every game has, and `TABLES`, the tables they play from.
///
/// The game's crate also needs `allocation-counter` and `fracas-scenario` for its tests.
/// `fewer`, `gone` and `ordered` take more than setups: a game calls them itself.
///
/// `examples` is the least number of worked examples in the game's guide. `median`, which may be
/// left out, is the least median of answers in conflicts that are played to their end; a small
/// game says fewer than [`Effort::median`](crate::Effort::median). `rare`, which may be left out,
/// lists kinds of prompt that random play seldom reaches. A line of `perft`
/// names a setup and the number of paths of 1, 2, 3, … steps from it; a step is a listed
/// answer to the first ask, or a class of a roll. When a number changes on purpose,
/// `cargo xtask perft ID --setup FILE` gives the new one, and `--divide` shows where.
#[macro_export]
macro_rules! game {
    (
        $game:ty, $system:path, $id:literal;
        examples: $examples:literal;
        $(median: $median:literal;)?
        $(rare: [$($rare:literal),* $(,)?];)?
        perft: $($line:ident = $setup:literal [$($paths:literal),* $(,)?];)*
    ) => {
        /// The tables these tests play from.
        const TABLES: $crate::Tables = $crate::Tables { folder: env!("CARGO_MANIFEST_DIR"), id: $id };

        /// How much these tests play.
        fn effort() -> $crate::Effort {
            $crate::Effort { $(median: $median,)? $(rare: &[$($rare),*],)? ..$crate::Effort::default() }
        }

        $crate::game! { @properties $game;
            restored replayed listed laid pointed parts promised refused fiats chance secrecy spoken staged whole
            brisk questions
        }

        #[test]
        fn any_bytes_are_survived() {
            $crate::smoke(&$system(), &TABLES.setups(), 300);
        }

        #[test]
        fn playing_allocates_nothing_once_warm() {
            $crate::playing_allocates_nothing::<$game>(&TABLES, |play| {
                ::allocation_counter::measure(play).count_total
            });
        }

        #[test]
        fn every_table_plays_as_it_did() {
            $crate::plays_as_it_did(&TABLES, &$system());
        }

        #[test]
        fn many_more_play_as_they_did() {
            $crate::many_play_as_they_did(&TABLES, &$system());
        }

        #[test]
        fn what_is_refused_is_refused_as_it_was() {
            $crate::counts::<$game>(&TABLES.setups(), &$crate::kept_file(&TABLES, "counts"));
        }

        #[test]
        #[ignore = "prints figures to compare policies by"]
        fn policies() {
            $crate::policies::<$game>(&TABLES);
        }

        #[test]
        fn every_scenario_holds() {
            ::fracas_scenario::assert_folder_with(TABLES.scenarios(), &[$system()], &|_| Ok(TABLES.library()));
        }

        #[test]
        fn every_example_is_sound() {
            TABLES.guide::<$game>($examples);
        }

        #[test]
        fn every_template_is_sound() {
            TABLES.templates::<$game>();
        }

        #[test]
        fn the_bundled_library_is_sound() {
            TABLES.bundled::<$game>();
        }

        $(
            #[test]
            fn $line() {
                $crate::paths::<$game>(&TABLES, $setup, &[$($paths),*]);
            }
        )*
    };
    // One test for each property, so that they run beside each other.
    (@properties $game:ty; $($property:ident)*) => {$(
        #[test]
        fn $property() {
            $crate::$property::<$game>(&TABLES.setups(), effort());
        }
    )*};
}

/// Where a playthrough of this setup is kept.
pub fn kept_file(tables: &Tables, setup: &str) -> PathBuf {
    let stem = Path::new(setup).file_stem().and_then(|stem| stem.to_str()).unwrap_or(setup);
    Path::new(tables.folder).join("tests/golden").join(format!("{stem}.txt"))
}

/// A playthrough of every table is the one kept in `tests/golden`, word for word.
///
/// # Panics
/// Where one is not, and where two tables have the same file name.
pub fn plays_as_it_did(tables: &Tables, system: &System) {
    let mut kept = BTreeMap::new();
    for (seed, setup) in (1..).zip(tables.setups()) {
        let name = setup.encounter.name();
        let path = kept_file(tables, name);
        if let Some(other) = kept.insert(path.clone(), name.to_owned()) {
            panic!("{other} and {name} would both be kept in {}: rename one", path.display());
        }
        golden(system, &setup, seed, STEPS, &path);
    }
}

/// Twelve playthroughs more of every table have the digests kept in `tests/golden/digests.txt`.
///
/// # Panics
/// Where one has another.
pub fn many_play_as_they_did(tables: &Tables, system: &System) {
    digests(system, &tables.setups(), 101..=112, STEPS, &kept_file(tables, "digests"));
}

/// The paths of 1, 2, 3, … steps from the table whose file ends in `setup` are so many.
///
/// # Panics
/// Where they are not.
#[track_caller]
pub fn paths<G: Game>(tables: &Tables, setup: &str, paths: &[u64]) {
    let (rules, state) = G::start(&tables.setup(setup)).unwrap_or_else(|faults| panic!("{faults}"));
    let counts: Vec<u64> = (1..=paths.len() as u32).map(|depth| perft::<G>(&rules, &state, depth)).collect();
    assert!(counts == paths, "{setup}: {counts:?} paths were counted, and the test has {paths:?}");
}

/// Conflicts that are played a second time allocate nothing; `measure` counts the
/// allocations of what it runs.
///
/// # Panics
/// Where something is allocated.
pub fn playing_allocates_nothing<G: Game>(tables: &Tables, measure: impl Fn(&mut dyn FnMut()) -> u64) {
    for setup in tables.setups() {
        let (rules, state) = G::start(&setup).unwrap_or_else(|faults| panic!("{faults}"));
        let mut playouts = Playouts::<G>::new(&rules, &state).order(Order::Any);
        let mut play = |stream| playouts.play(&mut Random, &mut Chance::new(1, stream), &mut Quiet).answers;
        // The longest list may come late: the same conflicts, played twice.
        let mut answers: u32 = (0..20).map(&mut play).sum();
        let allocations = measure(&mut || answers = (0..20).map(&mut play).sum());
        assert_eq!(allocations, 0, "allocations in {answers} answers of {}", setup.encounter.name());
    }
}
