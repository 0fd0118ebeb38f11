//! Pointing at the map of a page, as people do with a mouse or a finger.

use fracas_browser_tests::Window;
use serde_json::{Value, json};

/// A point on the screen, in CSS pixels.
pub(crate) type Point = [f64; 2];

/// The middle of a space on the screen, once the map is scrolled into sight.
const MIDDLE: &str = "
    const map = document.querySelector('.map');
    const svg = map.querySelector('.sight svg');
    const { placeOf, middle } = spacesOf(() => map);
    svg.scrollIntoView({ block: 'center', behavior: 'instant' });
    const drawing = svg.querySelector('.world') ?? svg;
    const point = new DOMPoint(...middle(placeOf(arguments[0]))).matrixTransform(drawing.getScreenCTM());
    return [point.x, point.y];";

/// Where the middle of a space is, such as `C4`.
pub(crate) fn middle(window: &Window, space: &str) -> Point {
    let point = window.script(MIDDLE, &[space.into()]);
    [0, 1].map(|at| point[at].as_f64().unwrap_or_else(|| panic!("no space {space}: {point}")))
}

/// Where the edge between two spaces is.
pub(crate) fn between(window: &Window, a: &str, b: &str) -> Point {
    let [a, b] = [a, b].map(|space| middle(window, space));
    [0, 1].map(|at| (a[at] + b[at]) / 2.0)
}

/// Draws along a way with the mouse.
pub(crate) fn drag(window: &Window, way: &[Point]) {
    let mouse = |kind: &str, [x, y]: Point| -> Value {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        window.tool("Input.dispatchMouseEvent", &event)
    };
    mouse("mousePressed", way[0]);
    way.iter().skip(1).for_each(|&point| drop(mouse("mouseMoved", point)));
    mouse("mouseReleased", way[way.len() - 1]);
}

/// Presses a point with the mouse.
pub(crate) fn press(window: &Window, point: Point) {
    drag(window, &[point]);
}

/// Presses an arrow together with Shift.
pub(crate) fn press_shifted(window: &Window, arrow: &str) {
    for kind in ["keyDown", "keyUp"] {
        window.tool("Input.dispatchKeyEvent", &json!({ "type": kind, "key": arrow, "modifiers": 8 }));
    }
}

/// Draws along a way with a finger; a single point is a tap.
pub(crate) fn stroke(window: &Window, way: &[Point]) {
    window.tool("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true }));
    let touch = |kind: &str, points: Value| {
        window.tool("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": points }));
    };
    let at = |&[x, y]: &Point| json!([{ "x": x, "y": y }]);
    touch("touchStart", at(&way[0]));
    way.iter().skip(1).for_each(|point| touch("touchMove", at(point)));
    touch("touchEnd", json!([]));
}
