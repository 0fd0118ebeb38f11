//! What a finger can do on a phone: everything in reach, nothing too small.

use crate::{common::Server, person::Company, plays::at_tables};
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

/// Whether what has just happened is shown beside the story that tells it.
const TWICE: &str = "return [...document.querySelectorAll('.lately')].some((one) => one.checkVisibility())";

/// Opens a scene of six, each played by somebody with a long name.
const SIX: &str = "
    for (const [n, one] of [...document.querySelectorAll('input[name=pc]')].slice(0, 6).entries()) {
        one.checked = true;
        one.form.elements['by:' + one.value].value = 'Maximiliane-Charlotte the ' + n;
    }
    document.querySelector('button[value=open]').click();";

/// How much of each name is to be read, and how far the row goes to the right.
const NAMES: &str = "
    const names = [...document.querySelectorAll('.turns .who')];
    return [names.length, Math.min(...names.slice(1).map((one) => one.clientWidth)),
        Math.max(...names.map((one) => one.getBoundingClientRect().right))];";

#[test]
fn the_names_of_six_can_be_read_on_a_phone() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    for system in fracas_systems::all() {
        window.resize(1280, 900);
        window.go(&format!("{}/scene/{}", server.url, system.id));
        if window.script("return document.querySelectorAll('input[name=pc]').length", &[]).as_u64() < Some(6)
        {
            continue;
        }
        window.script(SIX, &[]);
        window.until("the table", "return !!document.querySelector('#table')");
        for (width, height) in [(390, 844), (320, 640)] {
            window.resize(width, height);
            let names = window.script(NAMES, &[]);
            assert_eq!(names[0], 7, "{}", system.id);
            assert!(names[1].as_f64() >= Some(90.0), "{names} of {} at {width}", system.id);
            assert!(names[2].as_f64() <= Some(f64::from(width)), "{names} of {} at {width}", system.id);
        }
    }
}

#[test]
fn everything_is_in_reach_of_a_finger() {
    at_tables(5, Server::start(), |server, company| {
        for person in &company.people {
            let window = &person.window;
            for (width, height) in [(360, 740), (320, 640), (640, 400), (1280, 900)] {
                let at = format!("{} at {width} by {height}", person.page);
                window.resize(width, height);
                assert_eq!(window.script(PAUSE, &[]), true, "the pause: {at}");
                if width > 600 {
                    let twice = window.script(TWICE, &[]);
                    assert!(width < 1200 || twice == false, "just now, beside the story: {at}");
                    continue;
                }
                let heights = window.script(HEIGHTS, &[]);
                assert!(heights[0].as_f64() <= Some(100.0), "the header takes {heights}: {at}");
                assert!(heights[1].as_f64() <= Some(f64::from(height) / 3.0), "{heights} covered: {at}");
                assert_eq!(heights[2], false, "a tab is of two lines: {at}");
                for part in ["cast", "story", "settings", "moment"] {
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
        server
    });
}

#[test]
fn a_lost_connection_is_told_at_once_and_that_it_is_back() {
    let server = Server::start();
    let chromium = Chromium::start();
    let company = Company::alone(&server, &chromium);
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
