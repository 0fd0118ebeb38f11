//! Tables that were played under earlier rules.

use crate::common::{Browser, Server, earlier_log};
use crate::secrets::worlds::{Guest, Planted, cookie, plant};
use fracas_kernel::{Seat, System, Viewer};

/// The systems that had earlier rules, each with a log of them.
fn older() -> Vec<(&'static System, String)> {
    let with_log = |system: &'static System| Some((system, earlier_log(system.id, "Long ago.")?));
    let all: Vec<_> = fracas_systems::all().iter().filter_map(with_log).collect();
    assert!(!all.is_empty(), "no system had earlier rules");
    all
}

#[test]
fn they_go_on_from_where_they_stand() {
    for (system, was) in older() {
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

#[test]
fn what_was_written_for_the_chooser_alone_is_not_told_to_players() {
    for (system, was) in older() {
        let header: serde_json::Value =
            serde_json::from_str(was.lines().next().expect("a header")).expect("JSON");
        let summary =
            header["header"]["encounter"]["document"]["summary"].as_str().expect("a summary").to_owned();
        let data = tempfile::tempdir().expect("a folder");
        let roles = [Viewer::Seat(Seat::Gm), Viewer::Seat(Seat::Player(0)), Viewer::Spectator];
        let guests = roles.into_iter().enumerate().map(|(n, role)| Guest::inside(role, n)).collect();
        plant(data.path(), &[Planted { id: "older".to_owned(), log: was, guests }]);
        let server = Server::with(data);
        for (n, role) in ["gm", "player-1", "watch"].into_iter().enumerate() {
            let browser = Browser::known(&server.url, &cookie(n));
            for page in ["", "/story"] {
                let body = browser.get(&format!("{}/t/older/{role}{page}", server.url)).body;
                assert!(body.contains("Long ago."), "{role}{page}: {body}");
                assert_eq!(body.contains(&summary), n == 0 && page.is_empty(), "{}: {role}{page}", system.id);
            }
        }
    }
}
