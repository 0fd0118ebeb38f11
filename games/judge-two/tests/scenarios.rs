//! Every scenario of the game holds.

mod common;

use fracas_kernel::system_of;
use judge_two::JudgeTwo;

#[test]
fn every_scenario_holds() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/judge-two");
    fracas_scenario::assert_folder_with(folder, &[system_of::<JudgeTwo>()], &|_| Ok(common::library()));
}
