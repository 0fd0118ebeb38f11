//! A map that the gamemaster draws on: by mouse, by keys, with a table that opens on it.

use crate::common::Server;
use crate::pointing::{drag, middle};
use fracas_browser_tests::{Chromium, Key, Look, Window, axe};
use serde_json::json;

/// The text that is saved with the page.
fn text(window: &Window) -> String {
    let text = window.script("return document.getElementById('plan-text').value", &[]);
    text.as_str().unwrap_or_default().to_owned()
}

/// Waits until the text has a part.
#[track_caller]
fn until_it_has(window: &Window, part: &str) {
    let script = format!("return document.getElementById('plan-text').value.includes({})", json!(part));
    window.until(part, &script);
}

fn choose(window: &Window, tool: &str) {
    window.script("document.getElementById(`tool-${arguments[0]}`).click()", &[tool.into()]);
}

#[test]
fn the_gamemaster_draws_a_map_and_opens_a_table_on_it() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    window.go(&format!("{}/papers", server.url));
    let begin = "const form = [...document.querySelectorAll('form[action=\"/papers\"]')]
        .find((one) => one.elements.system.value === arguments[0]);
        form.requestSubmit(form.querySelector('[value=encounter]'));";
    window.script(begin, &["ruins-and-raiders".into()]);
    window.until("the paper", "return !!document.querySelector('#work')");
    window.script("location.search = '?as=map'", &[]);
    window.until("the tools", "return document.querySelector('#plan-tools')?.hidden === false");
    let faults = axe::faults(&window);
    assert!(faults.is_empty(), "{faults:#?}");

    // A wall by mouse, over several spaces; a kind of ground of the library by keys.
    choose(&window, "paint:wall");
    let way = ["A1", "E1"].map(|space| middle(&window, space));
    drag(&window, &way);
    until_it_has(&window, "\n#####.~~....\n");
    choose(&window, "paint:plough-mud");
    window.script("document.querySelector('.plan .sight').focus()", &[]);
    window.press(Key::Right);
    window.press(Key::Down);
    window.press(Key::Enter);
    until_it_has(&window, "p = \"plough-mud\"");

    // Somebody is placed by keys, and where a wall is, nobody.
    choose(&window, "place:character[1]");
    window.press(Key::Up);
    window.press(Key::Enter);
    window.says("A1 is a wall.");
    window.press(Key::Down);
    window.press(Key::Enter);
    until_it_has(&window, "at = \"A2\"");
    window.click("#plan-grow-left");
    until_it_has(&window, "at = \"B2\"");
    window.click("#plan-undo");
    until_it_has(&window, "at = \"A2\"");
    let faults = axe::faults(&window);
    assert!(faults.is_empty(), "{faults:#?}");
    let drawn = text(&window);

    window.script("window.drawn = true", &[]);
    window.click(".save button.go");
    window.until("it is saved", "return !window.drawn && !!document.querySelector('.sound')");
    assert_eq!(text(&window), drawn);
    window.click(".bench-head button.open");
    window.until("a table to open", "return location.pathname.endsWith('/open')");
    window.click("button[name=alone]");
    window.until("the map", "return !!document.querySelector('#table .sight .wall')");
}
