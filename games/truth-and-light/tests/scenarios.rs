//! Every scenario of the game holds.

use fracas_kernel::system_of;
use fracas_suite::Tables;
use truth_and_light::TruthAndLight;

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "truth-and-light" };

#[test]
fn every_scenario_holds() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/truth-and-light");
    fracas_scenario::assert_folder_with(folder, &[system_of::<TruthAndLight>()], &|_| Ok(TABLES.library()));
}
