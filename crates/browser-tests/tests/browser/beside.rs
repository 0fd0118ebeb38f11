//! What stands beside an answer, what is laid, said and left unsaved.

use crate::common::play::{play_on, played_until};
use crate::common::{Browser, Server, field, join};
use crate::person::sits;
use fracas_browser_tests::{Chromium, Look, Window};
use serde_json::json;

/// Opens whatever is folded in the moment.
const UNFOLD: &str = "for (const fold of document.querySelectorAll('#moment details')) fold.open = true;";

/// What lies on each place of the first board, from the left.
const LIES: &str = "
    const wells = [...document.querySelector('#moment .tray').querySelectorAll('.wells > .well')];
    return wells.map((well) => [...well.querySelectorAll('.piece')].map((piece) => piece.dataset.n));";

/// The gamemaster of a table in a window, everything unfolded.
fn sits_at(server: &Server, window: &Window, gm: &Browser, table: &str) {
    sits(window, &server.url, &gm.secret(&server.url));
    window.go(table);
    window.script(UNFOLD, &[]);
}

/// A table where so many dice wait to be judged.
fn dice(server: &Server, count: usize) -> (Browser, String) {
    for mut seed in 1..20 {
        let (gm, table) = server.table("judge-two", "salt-gate", &[]);
        for _ in 0..150 {
            let page = gm.get(&table).body;
            let both = ["Light", "Truth"].iter().all(|name| page.contains(&format!("data-name=\"{name}\"")));
            if both && page.matches("class=\"piece\"").count() == count {
                return (gm, table);
            }
            if !play_on(&gm, &table, &page, &mut seed) {
                break;
            }
        }
    }
    panic!("no {count} dice were to be judged");
}

#[test]
fn two_dice_on_two_places_change_places_by_a_tap() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    let (gm, table) = dice(&server, 2);
    sits_at(&server, &window, &gm, &table);
    window.until("both lie", &format!("return (() => {{ {LIES} }})().every((well) => well.length === 1)"));
    let before = window.script(LIES, &[]);
    window.click("#moment .tray .well .piece");
    assert_eq!(window.script(LIES, &[]), json!([before[1], before[0]]));
    window.until(
        "what it leads to",
        "return !!document.querySelector('#moment .tray .chosen .choice input:checked')",
    );
}

#[test]
fn what_dice_lead_to_is_in_sight_and_nothing_unlaid_looks_ready() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    let (gm, table) = dice(&server, 3);
    sits_at(&server, &window, &gm, &table);
    window.until(
        "two of three lie",
        &format!("return (() => {{ {LIES} }})().every((well) => well.length === 1)"),
    );
    let shown = "
        const box = (part) => document.querySelector('#moment ' + part).getBoundingClientRect();
        const chosen = document.querySelector('#moment .tray .chosen .choice');
        return !!chosen && box('.tray .chosen').height > 0 && box('.tray .chosen').top < box('.tray .wells').bottom;";
    window.until("it stands beside the dice", shown);
    let unlaid = "return document.querySelector('#moment .tray').closest('form').hasAttribute('data-unlaid')";
    assert_eq!(window.script(unlaid, &[]), false);
    window.script(
        "document.querySelector('#moment .tray .well .piece').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))",
        &[],
    );
    window.until("a place is free", unlaid);
}

#[test]
fn dice_are_laid_one_by_one_without_an_error() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    let (gm, table, _) = played_until(&server, "afraid", "the-back-room", "data-name=\"Your answer\"");
    sits_at(&server, &window, &gm, &table);
    let laid = "
        const tray = [...document.querySelectorAll('#moment .tray')].find((tray) => tray.querySelector('[data-name=\"Your answer\"]'));
        const piece = tray.querySelector('.loose .piece:enabled');
        piece?.click();
        return !!piece;";
    while window.script(laid, &[]) == true {
        std::thread::sleep(std::time::Duration::from_millis(150));
    }
    let script = "return performance.getEntriesByType('resource')
        .filter((one) => one.name.includes('/arranged')).map((one) => one.responseStatus)";
    let statuses = window.script(script, &[]);
    let all = statuses.as_array().expect("a list");
    assert!(!all.is_empty() && all.iter().all(|status| *status == 200), "{statuses}");
}

#[test]
fn points_left_where_they_are_show_what_they_lead_to() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    let (gm, table, _) = played_until(&server, "truth-and-light", "the-broken-bridge", "type=\"range\"");
    sits_at(&server, &window, &gm, &table);
    window.until(
        "what comes of no points, chosen",
        "return !!document.querySelector('#moment .tray .chosen .choice input:checked')",
    );
    let lines = "return document.querySelectorAll('#lines > li').length";
    let before = window.script(lines, &[]);
    window.script("document.querySelector('#moment .tray').closest('form').requestSubmit()", &[]);
    window.until("it is taken", &format!("return (() => {{ {lines} }})() > {before}"));
}

#[test]
fn a_deed_asks_what_is_done() {
    let server = Server::start();
    let chromium = Chromium::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let ask = field(&ana.get(&page).body, "ask").expect("something is asked");
    ana.act(&format!("{page}/answer"), &[("ask", &ask), ("answer", r#"{"begin":"@tamsin"}"#)]);
    let window = chromium.window(Look::PHONE);
    sits(&window, &server.url, &ana.secret(&server.url));
    window.go(&page);
    window.script(UNFOLD, &[]);
    let choose = |answer: &str| {
        window.script(
            "document.querySelector(`#moment input[value='${arguments[0]}']`).click()",
            &[json!(answer)],
        );
        window.script(
            "return ['.does', '.aloud', '.looks'].map((part) => document.querySelector('#moment .deed ' + part).checkVisibility())",
            &[],
        )
    };
    assert_eq!(choose("\"pass\""), json!([false, false, true]));
    assert_eq!(choose("{\"deed\":\"other\"}"), json!([true, true, false]));
    window.click("#moment .deed button.go");
    window.says("What do you do?");
    let at = window.script("return document.activeElement.name", &[]);
    assert_eq!(at, "text", "where it goes");
    window.write("#moment .deed textarea", "lifts the *lamp* off its hook");
    window.click("#moment .deed button.go");
    window.until("it is taken", "return !document.querySelector('#moment .deed')");
    let page = gm.get(&table).body;
    assert!(page.contains("<div class=\"quoted\" dir=\"auto\"><p>lifts the <em>lamp</em>"), "{page}");
}

#[test]
fn a_changed_paper_is_not_left_unasked() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    window.go(&format!("{}/papers", server.url));
    window.click("button[name=kind][value=encounter]");
    window.until("the paper", "return !!document.querySelector('#work')");
    let asks = "
        const leaving = new Event('beforeunload', { cancelable: true });
        dispatchEvent(leaving);
        return leaving.defaultPrevented;";
    assert_eq!(window.script(asks, &[]), false);
    window.write("[name='t:title']", "The Other Gate");
    assert_eq!(window.script(asks, &[]), true);
    window.click(".bench-head button.open");
    window.until("a table to open", "return location.pathname.endsWith('/open')");
    window.says("The Other Gate");
}
