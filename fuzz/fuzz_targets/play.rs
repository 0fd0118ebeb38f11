//! Any bytes at all, at a table of any system: nothing may panic.

#![no_main]

use fracas_kernel::{Setup, System};
use std::sync::LazyLock;

static TABLES: LazyLock<Vec<(System, Vec<Setup>)>> = LazyLock::new(|| {
    let setups = |system: &System| (*system, fracas_systems::setups(system).unwrap_or_default());
    fracas_systems::all().iter().map(setups).collect()
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fracas_suite::fuzz_any(&TABLES, bytes));
