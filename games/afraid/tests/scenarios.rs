//! Every scenario of the game holds.

mod common;

use afraid::Afraid;
use fracas_kernel::system_of;

#[test]
fn every_scenario_holds() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/afraid");
    fracas_scenario::assert_folder_with(folder, &[system_of::<Afraid>()], &|_| Ok(common::library()));
}
