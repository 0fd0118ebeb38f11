//! A map that the gamemaster draws on: by mouse, by keys, with a table that opens on it.

use crate::common::Server;
use crate::pointing::{between, drag, middle, press, press_shifted, stroke};
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

/// Begins the paper of an encounter from its template.
fn begin_paper(server: &Server, window: &Window) {
    window.go(&format!("{}/papers", server.url));
    let begin = "const form = [...document.querySelectorAll('form[action=\"/papers\"]')]
        .find((one) => one.elements.system.value === arguments[0]);
        form.requestSubmit(form.querySelector('[value=encounter]'));";
    window.script(begin, &["ruins-and-raiders".into()]);
    window.until("the paper", "return !!document.querySelector('#work')");
}

/// Presses what leads to another page, and waits for what is on that page.
fn leads(window: &Window, selector: &str, what: &str, there: &str) {
    window.script("window.before = true", &[]);
    window.click(selector);
    window.until(what, &format!("return !window.before && {there}"));
}

/// The tools of a map that can be drawn on.
const TOOLS: &str = "document.querySelector('#plan-tools')?.hidden === false";

#[test]
fn the_gamemaster_draws_a_map_and_opens_a_table_on_it() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    begin_paper(&server, &window);
    window.script("location.search = '?as=map'", &[]);
    window.until("the tools", &format!("return {TOOLS}"));
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

    leads(&window, ".save button.go", "it is saved", "!!document.querySelector('.sound')");
    assert_eq!(text(&window), drawn);
    window.click(".bench-head button.open");
    window.until("a table to open", "return location.pathname.endsWith('/open')");
    window.click("button[name=alone]");
    window.until("the map", "return !!document.querySelector('#table .sight .wall')");
}

/// An encounter without a map, in spaces of a metric.
fn bare(metric: &str) -> String {
    format!(
        "title = \"Bare\"\ngame = \"ruins-and-raiders\"\n\n[[player]]\nname = \"Ana\"\n\n[[character]]\nname = \"Wren\"\n\n\
         [options]\nmetric = \"{metric}\"\n"
    )
}

/// Begins a map of twelve columns and nine rows, and draws walls by mouse, by touch and by keys.
fn walls(server: &Server, window: &Window, metric: &str, along: [&str; 2], drawn: &str) {
    begin_paper(server, window);
    window.script("location.search = '?as=text'", &[]);
    window.until("the text", "return !!document.querySelector('textarea.text')");
    window.script("document.querySelector('textarea.text').value = arguments[0]", &[bare(metric).into()]);
    leads(window, ".save button.go", "it is saved", "!!document.querySelector('.sound')");
    window.script("location.search = '?as=map'", &[]);
    window.until("what begins a map", "return !!document.querySelector('[value=begin-map]')");
    let faults = axe::faults(window);
    assert!(faults.is_empty(), "{faults:#?}");
    window.script("for (const [name, value] of [['columns', 12], ['rows', 9]]) document.querySelector(`[name=${name}]`).value = value", &[]);
    leads(window, "[value=begin-map]", "the tools", TOOLS);
    let empty = format!("{}\n[map]\ncolumns = 12\nheight = 9\n", bare(metric));
    assert_eq!(text(window), empty);

    choose(window, "edge:close");
    let [from, to] =
        along.map(|edge| edge.split_once('-').map(|(a, b)| between(window, a, b)).expect("an edge"));
    drag(window, &[from, to]);
    until_it_has(window, &format!("walls = [{drawn}]"));
    stroke(window, &[between(window, "H4", "I4")]);
    until_it_has(window, "\"H4-I4\"]");
    window.script("document.querySelector('.plan .sight').focus()", &[]);
    window.press(Key::Right);
    window.press(Key::Down);
    press_shifted(window, "ArrowUp");
    window.says("A wall between A2 and ");
    until_it_has(window, if metric == "hex" { "\"B1-A2\"" } else { "\"A1-A2\"" });
    press_shifted(window, "ArrowRight");
    until_it_has(window, "\"A2-B2\"]");
    window.press(Key::Down);
    window.press(Key::Up);
    window.says("A2, a wall to ");

    choose(window, "edge:open");
    press(window, between(window, "H4", "I4"));
    window.until("the wall is gone", "return !document.getElementById('plan-text').value.includes('H4-I4')");
    // All of it is taken back, step by step.
    for _ in 0..5 {
        let before = text(window);
        window.click("#plan-undo");
        window.until(
            "a step back",
            &format!("return document.getElementById('plan-text').value !== {}", json!(before)),
        );
    }
    assert_eq!(text(window), empty);
    assert_eq!(window.script("return document.getElementById('plan-undo').disabled", &[]), true);
}

#[test]
fn walls_are_drawn_on_a_new_map_of_squares_and_of_hexes() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    walls(&server, &window, "square", ["D4-D5", "F4-F5"], "\"D4-D5\", \"E4-E5\", \"F4-F5\"");
    // Of hexes every other row stands half a space to the right: an edge leads to the next.
    walls(&server, &window, "hex", ["D4-D5", "D4-E5"], "\"D4-D5\", \"D4-E5\"");
}
