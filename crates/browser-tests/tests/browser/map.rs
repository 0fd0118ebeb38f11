//! A map: pointed at by mouse and by keys, with the answers that a space stands for.

use crate::common::play::played_until_so;
use crate::common::{Browser, Server};
use crate::person::sits;
use crate::pointing::{middle, stroke};
use fracas_browser_tests::{Chromium, Key, Look, Window, axe};

/// Of a page on which somebody can move.
const MOVES: &str = "data-going=\"[{";

/// The gamemaster of a table where one of theirs can move, in a window.
fn at_the_map(server: &Server, window: &Window) -> (Browser, String) {
    let is_turn = |_: &Browser, _: &str, page: &str| {
        let mut tokens = page.split("class=\"token").skip(1).filter_map(|rest| rest.split('"').next());
        page.contains(MOVES) && tokens.any(|classes| classes.contains("acts"))
    };
    let found = played_until_so(server, "ruins-and-raiders", "three-who-wait", is_turn);
    let (gm, table, _) = found.expect("somebody's turn");
    sits(window, &server.url, &gm.secret(&server.url));
    window.go(&table);
    window.until("the map", "return !!document.querySelector('.sight .token')");
    (gm, table)
}

/// What the script knows of who moves.
const GOING: &str = "return document.querySelector('.map').dataset.going";

/// What is offered for the space that was chosen, a line each.
const OFFERS: &str = "return [...document.querySelectorAll('.there:not(.preview) button b')].map((b) => b.innerText).join('\\n')";

/// What a test of the map sees of a window.
fn text(window: &Window, script: &str) -> String {
    window.script(script, &[]).as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_move_is_made_with_keys_alone() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    at_the_map(&server, &window);
    let before = text(&window, GOING);
    window.script("document.querySelector('.sight').focus()", &[]);
    // Around who moves some space is free.
    let ways = [Key::Left, Key::Up, Key::Right, Key::Right, Key::Down, Key::Down, Key::Left, Key::Left];
    let mut moves = false;
    for key in ways {
        window.press(key);
        window.press(Key::Enter);
        window
            .until("what the space is like", "return !!document.querySelector('.there:not(.preview) .from')");
        moves =
            text(&window, OFFERS).lines().any(|offer| offer.starts_with("Step") || offer.starts_with("Move"));
        if moves {
            break;
        }
        window.press(Key::Escape);
        window.until("nothing is chosen", "return !document.querySelector('.over .chosen')");
    }
    assert!(moves, "no space beside who moves is free");
    let faults = axe::faults(&window);
    assert!(faults.is_empty(), "{faults:#?}");
    // The focus is on the first of what can be done there.
    window.press(Key::Enter);
    let moved = format!("return (() => {{ {GOING} }})() !== arguments[0]");
    let until = std::time::Instant::now();
    while window.script(&moved, &[before.clone().into()]) != true {
        assert!(until.elapsed().as_secs() < 20, "nobody moved");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    window.until("what was chosen is over", "return !document.querySelector('.there .from')");
}

#[test]
fn the_gamemaster_points_at_a_space_and_moves_somebody_by_hand() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    at_the_map(&server, &window);
    window.click("[data-map=ping]");
    window.script("document.querySelector('.sight').focus()", &[]);
    window.press(Key::Enter);
    window.until("it is pointed at", "return !!document.querySelector('.ping')");
    window.until("it is over", "return !document.querySelector('.ping')");
    // By hand from where somebody stands to a corner.
    window.click("[data-map=hand]");
    window.script("document.querySelector('.sight').focus()", &[]);
    window.press(Key::Enter);
    window.until("somebody is taken up", "return !!document.querySelector('.token.held')");
    let at = "return document.querySelector('.token.held, .token.acts').getAttribute('transform')";
    let before = text(&window, at);
    window.press(Key::Left);
    window.press(Key::Up);
    window.press(Key::Enter);
    let until = std::time::Instant::now();
    while text(&window, at) == before {
        assert!(until.elapsed().as_secs() < 20, "nobody was moved by hand");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

/// What of the map and of what can be done in the chosen space is seen: the map between the header and
/// the tabs, and the first answer, with nothing over it.
const SEEN: &str = "
    const [head, sight, tabs] = ['.bar', '.sight', '.tabs'].map((part) => document.querySelector(part).getBoundingClientRect());
    const deed = document.querySelector('.there:not(.preview) .deed-at');
    const box = deed.getBoundingClientRect();
    const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return [sight.top >= head.bottom - 1 && sight.bottom <= tabs.top, deed.contains(over)];";

#[test]
fn on_a_phone_the_map_and_what_can_be_done_there_are_on_one_screen() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look { width: 390, height: 844, ..Look::WIDE });
    at_the_map(&server, &window);
    // A space beside who moves, where nobody stands: it is shaded.
    let free = "
        const map = document.querySelector('.map');
        const { placeOf, nameOf, middle, inside } = spacesOf(() => map);
        const [column, row] = JSON.parse(map.dataset.going)[0].at;
        const shades = [...map.querySelectorAll('.reach:not([hidden]) path')];
        return [[0, 1], [0, -1], [1, 0], [-1, 0]].map(([x, y]) => [column + x, row + y]).filter(inside)
            .filter((at) => shades.some((shade) => shade.isPointInFill(new DOMPoint(...middle(at))))).map(nameOf)[0];";
    let space = text(&window, free);
    let point = middle(&window, &space);
    stroke(&window, &[point]);
    window
        .until("what can be done there", "return !!document.querySelector('.there:not(.preview) .deed-at')");
    window.until("it is seen", &format!("return (() => {{ {SEEN} }})().every((seen) => seen)"));
    // The page scrolls beneath the map, down to the answers of the question.
    window.script("scrollBy(0, 80)", &[]);
    assert_eq!(window.script(SEEN, &[])[0], true);
    window.script(
        "document.querySelector('#moment .ask.mine').scrollIntoView({ block: 'start', behavior: 'instant' })",
        &[],
    );
    let answer = "
        const answer = document.querySelector('#moment .ask.mine .choices > *').getBoundingClientRect();
        const over = document.elementFromPoint(answer.x + answer.width / 2, answer.y + answer.height / 2);
        return !!over.closest('#moment .choices');";
    assert_eq!(window.script(answer, &[]), true);
}
