//! What might have been: a branch of an evening, where it turned, and a hint.

use crate::{common::Server, person::Company};
use fracas_browser_tests::{Chromium, axe};

#[test]
fn a_gamemaster_branches_an_evening_and_reads_where_it_turned() {
    let server = Server::start();
    let chromium = Chromium::start();
    let company = Company::alone(&server, &chromium);
    let window = &company.people[0].window;
    for words in ["A lamp is lit.", "The lamp goes out."] {
        let note = [("text", words), ("to", "all")];
        assert_eq!(company.gm.act(&format!("{}/note", company.table), &note).status, 200);
        let is_there = format!("return document.querySelector('#lines').textContent.includes({words:?})");
        window.until(words, &is_there);
    }
    // From right after the first of the two.
    window.script(
        "const lit = [...document.querySelectorAll('#lines li')].find(line => line.textContent.includes('is lit'));
         lit.querySelector('.fork').click()",
        &[],
    );
    window.until("what may come", "return !!document.querySelector('main.hindsight form button.go')");
    window.says("the players win");
    assert_eq!(axe::faults(window), Vec::<String>::new());
    window.click("main.hindsight form button.go");
    window.until("the branch", "return !!document.querySelector('#table')");
    assert_ne!(window.url(), company.table);
    let story = window.script("return document.querySelector('#lines').textContent", &[]);
    let story = story.as_str().expect("a story");
    assert!(story.contains("A lamp is lit.") && !story.contains("goes out"), "{story}");

    window.go(&format!("{}/turns", company.table));
    window.until("the curve", "return !!document.querySelector('.curve svg')");
    assert_eq!(axe::faults(window), Vec::<String>::new());
    window.go(&format!("{}/hint", company.table));
    window.says("looks one answer ahead");
    assert_eq!(axe::faults(window), Vec::<String>::new());
}
