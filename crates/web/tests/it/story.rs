//! The story to read when the evening is over.

use crate::common::{Server, join};
use std::time::{Duration, Instant};

#[test]
fn the_story_ends_with_how_the_fight_went() {
    let server = Server::hurried();
    for (system, encounter, counted) in [
        ("judge-two", "salt-gate", "risk"),
        ("afraid", "the-back-room", "best pair"),
        ("truth-and-light", "the-broken-bridge", ""),
    ] {
        let bots: Vec<(&str, &str)> =
            ["gm", "player-1", "player-2", "player-3"].into_iter().map(|seat| ("bot", seat)).collect();
        let (gm, table) = server.table(system, encounter, &bots);
        let (eve, watch) = join(&gm, &table, "watch", "Eve");
        let since = Instant::now();
        loop {
            let story = eve.get(&format!("{watch}/story"));
            assert_eq!(story.status, 200, "{system}");
            if story.body.contains("class=\"chart\"") && story.body.contains(counted) {
                assert!(story.body.contains("preserveAspectRatio"), "{system}: something is drawn");
                let back = watch.trim_start_matches(&server.url);
                assert!(
                    story.body.contains(&format!("href=\"{back}\"")),
                    "{system}: a way back to the table"
                );
                break;
            }
            assert!(since.elapsed() < Duration::from_secs(60), "{system}: {}", story.body);
            std::thread::sleep(Duration::from_millis(300));
        }
    }
}

#[test]
fn what_people_wrote_is_read_as_at_the_table() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    gm.act(&format!("{table}/note"), &[("text", "**Something** lies in the _salt_.\n\n# [x](y) <b>")]);
    ana.act(&format!("{page}/note"), &[("text", "- a lamp\n- a hook")]);
    let story = gm.get(&format!("{table}/story")).body;
    for response in
        ["<strong>Something</strong> lies in the <em>salt</em>", "# [x](y) &lt;b&gt;", "<li>a hook"]
    {
        assert!(story.contains(response), "{response}: {story}");
    }
}

#[test]
fn a_saved_story_needs_nothing_else() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let saved = gm.get(&format!("{table}/story.html?detail=everything"));
    assert_eq!(saved.status, 200);
    let html = saved.body;
    assert!(
        html.starts_with("<!DOCTYPE html>") && html.contains("<style>") && html.contains("<svg"),
        "{html}"
    );
    assert!(html.contains("It is night at the salt gate"), "{html}");
    for outside in ["src=", "href=", "<script", "url("] {
        // Emblems refer to their own parts.
        let plain = html.replace("href=\"#", "").replace("url(#", "");
        assert!(!plain.contains(outside), "{outside} in {html}");
    }
}
