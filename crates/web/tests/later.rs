//! Tables that an earlier version of the rules was played at.

mod common;
#[path = "secrets/worlds.rs"]
#[allow(dead_code, reason = "the tests of secrecy use the rest")]
mod worlds;

use common::{Browser, Server};
use fracas_kernel::{Seat, Viewer};
use fracas_table::chain;
use worlds::{Guest, Planted, cookie, plant};

#[test]
fn they_go_on_from_where_they_stand() {
    for system in fracas_systems::all() {
        let server = Server::start();
        let encounter = fracas_systems::encounters(system).expect("encounters").remove(0).id;
        let (gm, table) = server.table(system.id, &encounter, &[]);
        gm.act(&format!("{table}/note"), &[("text", "Long ago."), ("to", "all")]);
        // A server that ends records where its tables stand.
        let path = table.split("/t/").nth(1).expect("its path").to_owned();
        let server = server.again();
        let kept = gm.get(&format!("{}/t/{path}/log", server.url)).body;
        let [now, before] =
            [system.version, system.version - 1].map(|version| format!("\"version\":{version},"));
        assert!(!kept.contains(&before), "{}: all of it is of today: {kept}", system.id);
        let was = chain::renewed(&kept.replace(&now, &before));
        assert!(was.matches(&before).count() > 1, "its header and where it stands: {was}");
        let data = tempfile::tempdir().expect("a folder");
        let guests = vec![Guest::inside(Viewer::Seat(Seat::Gm), 0)];
        plant(data.path(), &[Planted { id: "older".to_owned(), log: was, guests }]);
        let server = Server::with(data);
        let gm = Browser::known(&server.url, &cookie(0));
        let table = format!("{}/t/older/gm", server.url);
        let page = gm.get(&table);
        assert_eq!(page.status, 200, "{}: {}", system.id, page.body);
        assert!(page.body.contains("Long ago."));
        let note = gm.act(&format!("{table}/note"), &[("text", "And today."), ("to", "all")]);
        assert_eq!(note.status, 200, "{}: {}", system.id, note.body);
    }
}
