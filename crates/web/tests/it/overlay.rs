//! The overlay for a stream: what spectators see, with nothing to press.

use crate::common::{Server, join};

#[test]
fn the_overlay_is_the_spectators_page_with_nothing_to_press() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    gm.act(&format!("{table}/note"), &[("text", "A hush falls."), ("to", "gm")]);
    gm.act(&format!("{table}/note"), &[("text", "The gate creaks."), ("to", "all")]);
    let page = eve.get(&watch).body;
    let overlay = eve.get(&format!("{watch}/overlay"));
    assert_eq!(overlay.status, 200);
    assert!(overlay.body.contains("The gate creaks.") && !overlay.body.contains("A hush falls."));
    // It differs from the page in its class, and in that nothing takes part in it.
    let as_page = overlay.body.replace("table overlay", "table").replace(" inert", "");
    assert_eq!(as_page, page);
    // Seats have none, and strangers find what they find everywhere.
    assert_eq!(gm.get(&format!("{table}/overlay")).status, 404);
    let stranger = crate::common::Browser::new();
    assert_eq!(stranger.get(&format!("{watch}/overlay")).body, stranger.get(&watch).body);
}
