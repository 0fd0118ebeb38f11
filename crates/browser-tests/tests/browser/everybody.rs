//! Everybody can use every page: axe-core finds nothing on any, light or dark, wide
//! or narrow.

use crate::common::{Browser, Server, link};
use crate::{person::Company, plays::Seats};
use fracas_browser_tests::{Chromium, Look, Window, axe};
use fracas_suite::is_long;
use std::collections::BTreeSet;

/// A colour scheme, and how wide and high a window is.
type Way = (&'static str, u32, u32);
/// The ways in which pages are looked at.
const WAYS: [Way; 2] = [("light", 1280, 900), ("dark", 320, 640)];

/// Looks at the page as it is, light and wide, dark and narrow.
fn looks_at(window: &Window, at: &str, faults: &mut Vec<String>) {
    looks_so(window, at, &WAYS, faults);
}

/// Looks at the page as it is, in these ways.
fn looks_so(window: &Window, at: &str, ways: &[Way], faults: &mut Vec<String>) {
    for &(scheme, width, height) in ways {
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
    let mut seen = BTreeSet::new();
    let pages = chromium.window(Look::WIDE);
    let mut windows = chromium.windows(Look::WIDE);
    pages.go(&format!("{}/nothing/here", server.url));
    looks_at(&pages, "a page that is not there", &mut faults);
    for table in crate::plays::tables() {
        let system = table.system;
        let mut company = Company::gather(&server, windows, system, &table.encounter);
        door(&company.gm, &company.table, &pages, &mut faults);
        // Whoever looks, also the spectator, who came by the door; in a long run at two moments.
        for _ in 0..if is_long() { 2 } else { 1 } {
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
        for (address, page) in every_page(&server.url, &company, &table) {
            // A page of the table is much the same in each system.
            let looked_at = if is_long() || !address.starts_with("/t/") { page.clone() } else { address };
            if seen.insert(looked_at) {
                gm.go(&page);
                // In an ordinary run a page is looked at in one way, and the next page in the other.
                let way = seen.len() % WAYS.len();
                let ways = if is_long() { &WAYS[..] } else { &WAYS[way..=way] };
                looks_so(gm, &page, ways, &mut faults);
            }
        }
        windows = company.windows();
    }
    assert!(seen.len() > 30, "only {seen:?}");
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Every page there is, with its address as the router knows it, for a gamemaster with a
/// paper of each kind.
pub(crate) fn every_page(url: &str, company: &Company, table: &Seats) -> Vec<(String, String)> {
    let system = fracas_systems::find(table.system).expect("a system");
    let entries = (system.rulebook)().entries;
    let papers: Vec<String> = (system.templates)()
        .iter()
        .map(|(kind, _)| {
            let begun = company.gm.post(&format!("{url}/papers"), &[("system", system.id), ("kind", kind)]);
            let to = begun.to.unwrap_or_else(|| panic!("{kind}: {}", begun.body));
            to.rsplit('/').next().expect("its number").to_owned()
        })
        .collect();
    let at_table = company.table.strip_suffix("/gm").expect("the gamemaster's page");
    let filled = |address: &str| {
        let address = address
            .replace("{system}", system.id)
            .replace("{encounter}", &table.encounter)
            .replace("{clause}", entries[entries.len() / 2].id)
            .replace("{role}", "gm");
        match address.strip_prefix("/t/{table}") {
            Some(rest) => format!("{at_table}{rest}"),
            None => format!("{url}{address}"),
        }
    };
    let search = "/rules/{system}";
    let mut pages = vec![(search.to_owned(), format!("{}?q=roll", filled(search)))];
    for address in fracas_web::addresses() {
        if address.contains("{paper}") {
            let of = |paper: &String| (address.to_owned(), filled(&address.replace("{paper}", paper)));
            pages.extend(papers.iter().map(of));
        } else if !address.ends_with("/stream") {
            pages.push((address.to_owned(), filled(address)));
        }
    }
    // The others are forms' own, parts of pages, files, and where a link leads on.
    pages.retain(|(_, page)| {
        let reply = company.gm.get(page);
        reply.status == 200 && reply.body.starts_with("<!DOCTYPE html>")
    });
    pages
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
