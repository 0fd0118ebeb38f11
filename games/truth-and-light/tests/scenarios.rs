//! Every scenario of the game holds.

mod common;

use fracas_kernel::system_of;
use truth_and_light::TruthAndLight;

#[test]
fn every_scenario_holds() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/truth-and-light");
    fracas_scenario::assert_folder_with(folder, &[system_of::<TruthAndLight>()], &|_| Ok(common::library()));
}
