//! Tables that an earlier version of the rules was played at.

use crate::common::{Browser, Server, earlier_log};
use crate::secrets::worlds::{Guest, Planted, cookie, plant};
use fracas_kernel::{Seat, Viewer};

#[test]
fn they_go_on_from_where_they_stand() {
    for system in fracas_systems::all() {
        let was = earlier_log(system.id, "Long ago.");
        assert!(!was.contains(&format!("\"version\":{},", system.version)), "all of it is of earlier rules");
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
