//! A story that is read while it goes on.

use crate::{common::Server, person::Company};
use fracas_browser_tests::Chromium;

/// Lines enough that the story must be scrolled through.
const MANY: usize = 40;

/// Whether the end of the story is in sight.
const AT_END: &str = "
    const lines = document.querySelector('#lines');
    const last = lines.lastElementChild.getBoundingClientRect();
    const low = Math.min(innerHeight, Math.max(lines.getBoundingClientRect().bottom, last.bottom));
    return last.top >= 0 && last.bottom <= low + 1;";

const TOLD: &str = "return !document.querySelector('#newer').hidden";
const MARKED: &str = "return document.querySelector('.tabs a[href=\"#story\"]').hasAttribute('data-new')";

#[test]
fn a_story_says_that_it_goes_on_and_is_not_moved_from_under_whoever_reads() {
    let server = Server::start();
    let chromium = Chromium::start();
    let company = Company::alone(&server, &chromium);
    let window = &company.people[0].window;
    let write = |text: &str| {
        let note = [("text", text), ("to", "all")];
        assert_eq!(company.gm.act(&format!("{}/note", company.table), &note).status, 200);
        window
            .until(text, &format!("return document.querySelector('#lines').textContent.includes({text:?})"));
    };
    for n in 0..MANY {
        write(&format!("The bell strikes for the {n} time."));
    }
    assert_eq!(window.script(AT_END, &[]), true, "whoever follows sees the end");
    assert_eq!(window.script(TOLD, &[]), false);
    // Further up nothing moves, and what is new is a click away.
    window.script("document.querySelector('#lines').scrollTop = 0", &[]);
    write("A lamp goes out.");
    assert_eq!(window.script("return document.querySelector('#lines').scrollTop", &[]), 0);
    window.until("that there is more", TOLD);
    window.click("#newer");
    window.until("the end", AT_END);
    assert_eq!(window.script(TOLD, &[]), false);
    // Whoever writes sees what they wrote.
    window.script("document.querySelector('#lines').scrollTop = 0", &[]);
    window.write(".write textarea", "And another.");
    window.click(".write button");
    window.until("their own words", AT_END);
    // On a phone the story is a part of its own.
    window.resize(390, 844);
    assert_eq!(window.script(MARKED, &[]), false);
    write("Somebody laughs.");
    window.until("that there is something to read", MARKED);
    window.click(".tabs a[href='#story']");
    window.until("the end", AT_END);
    assert_eq!(window.script(MARKED, &[]), false);
}
