//! Pictures of every page at three widths, light and dark, to be looked at by people.

use crate::everybody::every_page;
use crate::person::Company;
use crate::{common::Server, plays::tables};
use fracas_browser_tests::{Chromium, Look, Window};
use fracas_kernel::Names;
use std::path::{Path, PathBuf};
use std::{collections::BTreeSet, env, fs};

/// A wide screen, a tablet and a phone, in CSS pixels.
const SIZES: [(&str, u32, u32); 3] = [("wide", 1280, 900), ("tablet", 768, 1024), ("phone", 390, 844)];
/// What is done at a table before its pictures.
const MOVES: usize = 12;

/// Writes six pictures of the page that a window shows.
fn pictures(window: &Window, folder: &Path, name: &str) {
    for scheme in ["light", "dark"] {
        window.prefer(scheme);
        for (size, width, height) in SIZES {
            window.resize(width, height);
            let file = folder.join(format!("{name}-{size}-{scheme}.png"));
            fs::write(&file, window.picture()).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
    }
    window.prefer("light");
    window.resize(1280, 900);
}

#[test]
#[ignore = "it tests nothing, and writes hundreds of pictures: cargo xtask pictures"]
fn of_every_page() {
    let folder = env::var_os("FRACAS_PICTURES").expect("FRACAS_PICTURES names a folder");
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder).expect("a folder");
    let server = Server::start();
    let chromium = Chromium::start();
    let mut windows = chromium.windows(Look::WIDE);
    let mut seen = BTreeSet::new();
    for table in tables() {
        let mut company = Company::gather(&server, windows, table.system, &table.encounter);
        pictures(&company.people[0].window, &folder, &format!("{}-begins", table.system));
        company.play(MOVES, |_| {});
        for (person, who) in company.people.iter().zip(["gm", "player-1", "player-2"]) {
            pictures(&person.window, &folder, &format!("{}-{who}", table.system));
        }
        let gm = &company.people[0].window;
        for (address, page) in every_page(&server.url, &company, &table) {
            if seen.insert(page.clone()) {
                gm.go(&page);
                pictures(gm, &folder, &format!("{}-page-{}", table.system, Names::slug_of(&address)));
            }
        }
        windows = company.windows();
    }
}
