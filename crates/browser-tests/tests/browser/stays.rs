//! Pages that are loaded again, servers that come back, and many tabs.

use crate::{common::Server, person::Company};
use fracas_browser_tests::{Chromium, Look};

const MOMENT: &str = "return document.querySelector('#moment').innerText";

#[test]
fn a_page_loaded_again_and_a_server_that_comes_back_go_on_where_they_were() {
    let mut server = Server::start();
    let chromium = Chromium::start();
    let mut windows = chromium.windows(Look::WIDE);
    for table in crate::plays::tables() {
        let mut company = Company::gather(&server, windows, table.system, &table.encounter);
        company.play(6, |_| {});
        for person in &company.people {
            let before = person.window.script(MOMENT, &[]);
            person.window.reload();
            assert_eq!(person.window.script(MOMENT, &[]), before, "{} after a reload", person.page);
        }
        // Words half written outlive the server.
        let window = &company.people[1].window;
        window.write("form.write textarea", "half a sent");
        server = server.again_there();
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
        windows = company.windows();
    }
}

#[test]
fn eight_tabs_of_one_browser_stay_live() {
    let server = Server::start();
    let chromium = Chromium::start();
    let table = crate::plays::tables().remove(0);
    let company = Company::gather(&server, vec![chromium.window(Look::WIDE)], table.system, &table.encounter);
    let window = &company.people[0].window;
    let mut tabs = vec![window.front_tab()];
    for _ in 1..8 {
        tabs.push(window.tab());
        window.go(&company.table);
        window.until("the table", "return !!document.querySelector('#moment > *')");
    }
    for (n, tab) in tabs.iter().enumerate() {
        let said = format!("Said to tab {n}.");
        let note = [("text", said.as_str()), ("to", "all")];
        assert_eq!(company.gm.act(&format!("{}/note", company.table), &note).status, 200);
        window.front(tab);
        window.click("#story h2");
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
