//! Pages that are loaded again, servers that come back, and many tabs.

use crate::{common::Server, person::Company, plays::at_tables};
use fracas_browser_tests::Chromium;
use std::time::{Duration, SystemTime};

const MOMENT: &str = "return document.querySelector('#moment').innerText";

#[test]
fn a_page_loaded_again_and_a_server_that_comes_back_go_on_where_they_were() {
    at_tables(2, Server::start(), |server, company| {
        for person in &company.people {
            let before = person.window.script(MOMENT, &[]);
            person.window.reload();
            assert_eq!(person.window.script(MOMENT, &[]), before, "{} after a reload", person.page);
        }
        // Words half written outlive the server.
        let window = &company.people[1].window;
        window.write("form.write textarea", "half a sent");
        let server = server.again_there();
        let note = [("text", "The lamp is lit again."), ("to", "all")];
        assert_eq!(company.gm.act(&format!("{}/note", company.table), &note).status, 200);
        for person in &company.people {
            person.window.says("The lamp is lit again.");
        }
        assert_eq!(
            window.script("return document.querySelector('form.write textarea').value", &[]),
            "half a sent"
        );
        window.write("form.write textarea", "ence");
        window.click("form.write button");
        company.people[0].window.says("half a sentence");
        company.play(6, |_| {});
        server
    });
}

/// Keeps, in a tab, when each thing that is said came.
const LISTEN: &str = "
    window.came = {};
    new MutationObserver(() => {
        for (const [said] of document.querySelector('#lines').textContent.matchAll(/Said to all \\d\\./g)) {
            window.came[said] ??= Date.now();
        }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
";

/// Tabs of one browser that hear of changes: those looked at last.
const LISTENING: usize = 4;

#[test]
fn eight_tabs_of_one_browser_stay_live() {
    let server = Server::start();
    let chromium = Chromium::start();
    let company = Company::alone(&server, &chromium);
    let window = &company.people[0].window;
    let mut tabs = vec![window.front_tab()];
    for _ in 1..8 {
        tabs.push(window.tab());
        window.go(&company.table);
        window.until("the table", "return !!document.querySelector('#moment > *')");
    }
    for tab in &tabs {
        window.within(tab);
        window.script(LISTEN, &[]);
    }
    // While nobody looks at them, what is said comes to those that were looked at last.
    let last = "Said to all 2.";
    window.front(&tabs[7]);
    for n in 0..3 {
        let said = format!("Said to all {n}.");
        let note = [("text", said.as_str()), ("to", "all")];
        assert_eq!(company.gm.act(&format!("{}/note", company.table), &note).status, 200);
    }
    window.says(last);
    std::thread::sleep(Duration::from_secs(2));
    let looked = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time").as_millis();
    for (n, tab) in tabs.iter().enumerate().rev() {
        window.within(tab);
        let came = || window.script(&format!("return window.came['{last}'] ?? null"), &[]).as_u64();
        if n >= tabs.len() - LISTENING {
            let came = came().unwrap_or_else(|| panic!("tab {n} has not heard it"));
            assert!(u128::from(came) < looked, "tab {n} heard it only when somebody looked");
        } else {
            // The others catch up as soon as somebody does.
            window.front(tab);
            window.until(last, &format!("return window.came['{last}'] ?? null"));
        }
    }
    for (n, tab) in tabs.iter().enumerate() {
        let said = format!("Said to tab {n}.");
        let note = [("text", said.as_str()), ("to", "all")];
        assert_eq!(company.gm.act(&format!("{}/note", company.table), &note).status, 200);
        window.front(tab);
        window.click("ul.turns");
        window.says(&said);
        // And it can act.
        let written = format!("Written in tab {n}.");
        window.write("form.write textarea", &written);
        window.click("form.write button");
        window.until(
            &written,
            &format!("return document.querySelector('#lines').textContent.includes('{written}')"),
        );
    }
}
