//! Where an evening turned, what may come of a moment, and branches.

use crate::common::program::Program;
use crate::common::{Browser, Server, join, wait_until};
use crate::ending::close;
use fracas_table::{Log, Verdict, verify};
use serde_json::json;

/// A table at which the machine has played a while.
fn played(server: &Server) -> (Browser, String) {
    let bots: Vec<(&str, &str)> =
        ["gm", "player-1", "player-2", "player-3"].into_iter().map(|seat| ("bot", seat)).collect();
    let (gm, table) = server.table("judge-two", "salt-gate", &bots);
    wait_until(|| gm.get(&format!("{table}/log")).body.lines().count() > 4);
    (gm, table)
}

#[test]
fn the_gamemaster_sees_where_the_evening_turned() {
    let server = Server::hurried();
    let (gm, table) = played(&server);
    gm.act(&format!("{table}/pause"), &[]);
    // A short past is soon worked out.
    gm.act(&format!("{table}/rewind"), &[("to", "3")]);
    let page = || gm.get(&format!("{table}/turns"));
    wait_until(|| page().body.contains("class=\"curve\""));
    let found = page().body;
    assert!(found.contains("All dice together") && found.contains("brisk players"), "{found}");
    let picture = gm.get(&format!("{table}/turns.svg"));
    assert_eq!(picture.status, 200);
    assert!(picture.body.starts_with("<svg") && picture.body.contains("class=\"line\""), "{}", picture.body);
    // Nothing of it is for others.
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    for path in ["turns", "turns.svg", "from/0"] {
        assert_eq!(eve.get(&format!("{watch}/{path}")).status, 404, "{path}");
    }
}

#[test]
fn others_see_where_it_turned_once_play_has_ended_and_they_are_told() {
    let server = Server::start();
    let (host, table) = server.table("truth-and-light", "the-broken-bridge", &[]);
    let (eve, watch) = join(&host, &table, "watch", "Eve");
    let (bo, seat) = join(&host, &table, "player-1", "Bo");
    let others = [(&eve, &watch), (&bo, &seat)];
    let see = |status: u16| {
        for (browser, page) in others {
            assert_eq!(browser.get(&format!("{page}/turns")).status, status, "{page}");
            assert_eq!(browser.get(page).body.contains("Where it turned"), status == 200, "{page}");
        }
    };
    see(404);
    // While play goes on nobody else is shown anything, whatever the gamemaster has said.
    assert_eq!(host.post(&format!("{table}/turns"), &[("told", "yes")]).status, 303);
    see(404);
    assert_eq!(host.post(&format!("{table}/turns"), &[("told", "no")]).status, 303);
    close(&host, &table);
    see(404);
    // It is for the gamemaster to say.
    for (browser, page) in others {
        assert_eq!(browser.post(&format!("{page}/turns"), &[("told", "yes")]).status, 404, "{page}");
    }
    see(404);
    assert_eq!(host.post(&format!("{table}/turns"), &[("told", "yes")]).status, 303);
    see(200);
    assert_eq!(eve.get(&format!("{watch}/from/1")).status, 404, "what may come of a moment stays hidden");
    assert_eq!(host.post(&format!("{table}/turns"), &[("told", "no")]).status, 303);
    see(404);
}

#[test]
fn the_machines_secrets_are_kept_from_the_leader_while_it_plays() {
    let server = Server::start();
    let fields = [("me", "player-1"), ("player.player-1", "Ana"), ("bot", "gm")];
    let (ana, table) = server.table("truth-and-light", "the-broken-bridge", &fields);
    assert_eq!(
        ana.get(&format!("{table}/turns")).status,
        404,
        "the machine's secrets are kept while it plays"
    );
}

#[test]
fn a_branch_goes_on_from_a_line_with_dice_of_its_own() {
    let server = Server::hurried();
    let (gm, table) = played(&server);
    gm.act(&format!("{table}/pause"), &[]);
    let kept = gm.get(&format!("{table}/log")).body;
    let what_if = gm.get(&format!("{table}/from/2"));
    assert_eq!(what_if.status, 200);
    assert!(
        what_if.body.contains("the players win") && what_if.body.contains("Open the branch"),
        "{}",
        what_if.body
    );
    let opened = gm.post(&format!("{table}/from/2"), &[("title", "Had Oren stayed")]);
    assert!(opened.status == 303, "{}", opened.body);
    let branch = format!("{}{}", server.url, opened.to.expect("a way to the branch"));
    let back = format!("A branch of <a href=\"{}\">", table.replace(&server.url, ""));
    let shown = gm.get(&branch).body;
    assert!(shown.contains(&back) && shown.contains("from line 2 on"), "{shown}");
    let log = gm.get(&format!("{branch}/log")).body;
    let lines = |log: &str, from: usize, to: usize| -> Vec<String> {
        let bare = log.lines().skip(from).take(to);
        bare.map(|line| line.split(",\"chain\"").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(lines(&log, 1, 2), lines(&kept, 1, 2), "the lines up to there are the same");
    let branched = Log::parse("branch", &log).expect("a log");
    assert_eq!(branched.header().title, "Had Oren stayed");
    assert_eq!(branched.header().branched[0].after, 2);
    assert_ne!(branched.header().branched[0].seed, branched.header().seed, "nobody knows its dice");
    let report = verify(&branched, fracas_systems::all()).expect("it can be played");
    assert_eq!(report.verdict(), Verdict::Sound, "{:?}", report.problems);
    // The other table is as it was, and a line that is not there has no branch.
    assert_eq!(gm.get(&format!("{table}/log")).body, kept);
    for line in ["99999", "x", "-1"] {
        assert_eq!(gm.get(&format!("{table}/from/{line}")).status, 404, "{line}");
        assert_eq!(gm.post(&format!("{table}/from/{line}"), &[]).status, 404, "{line}");
    }
}

#[test]
fn programs_can_do_the_same() {
    let server = Server::start();
    let (gm, table) = Program::new(&server).open("judge-two", "salt-gate", &[]);
    let moment = gm.get(&format!("/tables/{table}/moments/0"));
    assert_eq!(moment.status, 200, "{}", moment.body);
    let moment = &moment.body;
    assert!(moment["outlook"]["conflicts"].as_u64() > Some(0), "{moment}");
    assert!(!moment["asks"][0]["answers"].as_array().expect("answers").is_empty(), "{moment}");
    let turns = || gm.get(&format!("/tables/{table}/turns")).body;
    wait_until(|| turns()["state"] == "done");
    assert_eq!(turns()["points"].as_array().map(Vec::len), Some(1));
    let branch = |after: u64| gm.post(&format!("/tables/{table}/branches"), &json!({ "after": after }));
    assert_eq!(branch(0).status, 201);
    let refused = branch(77);
    assert_eq!((refused.status, refused.body["where"].as_str()), (422, Some("after")), "{}", refused.body);
}
