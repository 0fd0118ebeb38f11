//! A map that the gamemaster draws on: by mouse, by keys, with a table that opens on it.

use crate::common::Server;
use fracas_browser_tests::{Chromium, Key, Look, Window, axe};
use serde_json::{Value, json};

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

/// Where the middle of a space is on the screen.
fn middle(window: &Window, column: i32, row: i32) -> [f64; 2] {
    let script = "const svg = document.querySelector('.plan .sight svg');
        svg.scrollIntoView({ block: 'center', behavior: 'instant' });
        const [x, y] = [arguments[0] * 40 + 20, arguments[1] * 40 + 20];
        const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
        return [point.x, point.y];";
    let point = window.script(script, &[column.into(), row.into()]);
    [0, 1].map(|at| point[at].as_f64().expect("a number"))
}

/// Draws from one point to another with the mouse.
fn drag(window: &Window, from: [f64; 2], to: [f64; 2]) {
    let mouse = |kind: &str, [x, y]: [f64; 2]| -> Value {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        window.tool("Input.dispatchMouseEvent", &event)
    };
    mouse("mousePressed", from);
    mouse("mouseMoved", to);
    mouse("mouseReleased", to);
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
    let [from, to] = [0, 4].map(|column| middle(&window, column, 0));
    drag(&window, from, to);
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
