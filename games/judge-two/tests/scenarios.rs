//! Every scenario of the game holds.

use fracas_suite::Tables;

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "judge-two" };

#[test]
fn every_scenario_holds() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/judge-two");
    fracas_scenario::assert_folder_with(folder, &[judge_two::system()], &|_| Ok(TABLES.library()));
}
