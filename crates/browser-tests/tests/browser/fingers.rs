//! What a finger can do on a phone: everything in reach, nothing too small.

use crate::{common::Server, person::Company};
use fracas_browser_tests::{Chromium, Look};
use serde_json::json;
use std::time::{Duration, Instant};

/// What a finger must hit that is smaller than a finger needs.
const SMALL: &str = "
    return [...document.querySelectorAll('a, button, summary, select, input:not([type=hidden]), textarea, label.choice')]
        .filter((one) => one.checkVisibility() && !one.closest('.sr') && !one.matches('.choice input, .way input'))
        .filter((one) => { const box = one.getBoundingClientRect(); return box.height < 43.5 || box.width < 43.5; })
        .map((one) => one.outerHTML.slice(0, 120));";

/// Whether the pause is what lies under the middle of itself, and how large it is.
const PAUSE: &str = "
    scrollTo(0, document.documentElement.scrollHeight);
    const pause = [...document.querySelectorAll('form[action$=\"/pause\"] button')];
    if (pause.length !== 1) return pause.length + ' of them';
    const box = pause[0].getBoundingClientRect();
    if (box.height < 44 || box.width < 44) return box.width + ' by ' + box.height;
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return pause[0].contains(at) || 'under ' + at?.outerHTML;";

/// How much of the page what stays in sight takes: the header, and below what is asked.
const HEIGHTS: &str = "
    scrollTo(0, 0);
    const bottom = document.querySelector('.turns').getBoundingClientRect().bottom;
    const deeds = [...document.querySelectorAll('#moment .deed')].filter((one) => one.checkVisibility());
    const deed = Math.max(0, ...deeds.map((one) => one.getBoundingClientRect().height));
    const tabs = document.querySelector('.tabs').getBoundingClientRect().height;
    const label = [...document.querySelectorAll('.tabs a')].some((one) => one.getBoundingClientRect().height > 60);
    return [bottom, deed + tabs, label];";

#[test]
fn everything_is_in_reach_of_a_finger() {
    let server = Server::start();
    let chromium = Chromium::start();
    let mut windows = chromium.windows(Look::WIDE);
    for table in crate::plays::tables() {
        let mut company = Company::gather(&server, windows, table.system, &table.encounter);
        company.play(6, |_| {});
        for person in &company.people {
            let window = &person.window;
            for (width, height) in [(360, 740), (320, 640), (640, 400), (1280, 900)] {
                let at = format!("{} at {width} by {height}", person.page);
                window.resize(width, height);
                assert_eq!(window.script(PAUSE, &[]), true, "the pause: {at}");
                if width > 600 {
                    continue;
                }
                let heights = window.script(HEIGHTS, &[]);
                assert!(heights[0].as_f64() <= Some(100.0), "the header takes {heights}: {at}");
                assert!(heights[1].as_f64() <= Some(f64::from(height) / 3.0), "{heights} covered: {at}");
                assert_eq!(heights[2], false, "a tab is of two lines: {at}");
                for part in ["cast", "story", "moment"] {
                    window.click(&format!(".tabs a[href='#{part}']"));
                    window.script(
                        "for (const fold of document.querySelectorAll('details')) fold.open = true",
                        &[],
                    );
                    assert_eq!(window.script(SMALL, &[]), json!([]), "too small, {part}: {at}");
                }
            }
            window.resize(1280, 900);
        }
        windows = company.windows();
    }
}

#[test]
fn a_lost_connection_is_told_at_once_and_that_it_is_back() {
    let server = Server::start();
    let chromium = Chromium::start();
    let table = crate::plays::tables().remove(0);
    let company = Company::gather(&server, vec![chromium.window(Look::WIDE)], table.system, &table.encounter);
    let window = &company.people[0].window;
    let lost = "return document.querySelector('#lost').textContent.includes('cannot be reached')";
    let network = |offline: bool| {
        let how =
            json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        window.tool("Network.emulateNetworkConditions", &how);
    };
    window.tool("Network.enable", &json!({}));
    assert_eq!(window.script(lost, &[]), false);
    network(true);
    let since = Instant::now();
    window.until("that it is lost", lost);
    assert!(since.elapsed() < Duration::from_secs(3), "told after {:?}", since.elapsed());
    network(false);
    window.says("The table is reached again.");
}
