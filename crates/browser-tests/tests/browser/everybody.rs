//! Everybody can use every page: axe-core finds nothing on any, light or dark, wide
//! or narrow.

use crate::{
    common::{Browser, Server, link},
    person::Company,
};
use fracas_browser_tests::{Chromium, Look, Window, axe};

/// Looks at the page as it is, light and wide, dark and narrow.
fn looks_at(window: &Window, at: &str, faults: &mut Vec<String>) {
    for (scheme, width, height) in [("light", 1280, 900), ("dark", 320, 640)] {
        window.prefer(scheme);
        window.resize(width, height);
        for fault in axe::faults(window) {
            let fault = format!("{at}, {scheme}, {width} wide: {fault}");
            eprintln!("{fault}");
            faults.push(fault);
        }
        let wide = window.script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
            &[],
        );
        if wide.as_i64() > Some(0) {
            faults.push(format!("{at}, {width} wide: {wide} pixels too wide"));
        }
    }
    window.prefer("light");
    window.resize(1280, 900);
}

#[test]
fn nothing_stands_in_anybodys_way() {
    let server = Server::start();
    let chromium = Chromium::start();
    let mut faults = Vec::new();
    let pages = chromium.window(Look::WIDE);
    let mut windows = chromium.windows(Look::WIDE);
    for table in crate::plays::tables() {
        let (system, url) = (table.system, &server.url);
        let book = fracas_systems::find(system).map(|system| (system.rulebook)()).expect("a rulebook");
        let clause = book.entries[book.entries.len() / 2].id;
        for path in [
            String::new(),
            format!("open/{system}/{}", table.encounter),
            format!("rules/{system}"),
            format!("rules/{system}?q=roll"),
            format!("rules/{system}/{clause}"),
            "nothing/here".to_owned(),
        ] {
            pages.go(&format!("{url}/{path}"));
            looks_at(&pages, &format!("/{path}"), &mut faults);
        }
        let mut company = Company::gather(&server, windows, system, &table.encounter);
        door(&company.gm, &company.table, &pages, &mut faults);
        // Several moments, whoever looks: also the spectator, who came by the door.
        for _ in 0..2 {
            for person in &company.people {
                person
                    .window
                    .script("for (const fold of document.querySelectorAll('details')) fold.open = true", &[]);
                looks_at(&person.window, &format!("a moment of {system}, {}", person.page), &mut faults);
            }
            pages.go(&company.table.replace("/gm", "/watch"));
            looks_at(&pages, &format!("a spectator of {system}"), &mut faults);
            company.play(7, |_| {});
        }
        let gm = &company.people[0].window;
        company.gm.act(&format!("{}/pause", company.table), &[]);
        gm.says("Somebody wants a pause.");
        looks_at(gm, "a pause", &mut faults);
        for path in ["people", "story"] {
            gm.go(&format!("{}/{path}", company.table));
            looks_at(gm, path, &mut faults);
        }
        gm.click("a[href='/']");
        looks_at(gm, "the front door of somebody with a table", &mut faults);
        windows = company.windows();
    }
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// The pages of somebody who comes by a link, up to their place.
fn door(gm: &Browser, table: &str, window: &Window, faults: &mut Vec<String>) {
    gm.post(&format!("{table}/door"), &[("door", "knock")]);
    window.go(&link(gm, table, "watch"));
    looks_at(window, "the door", faults);
    window.write("input[name=name]", "Eve");
    window.click("button.go");
    window.says("You have knocked, Eve.");
    looks_at(window, "waiting", faults);
    let people = gm.get(&format!("{table}/people")).body;
    let browser = crate::common::field(&people, "browser").expect("somebody at the door");
    gm.post(&format!("{table}/admit"), &[("browser", &browser), ("role", "watch"), ("in", "yes")]);
    window.until("the table", "return !!document.querySelector('#table')");
}
