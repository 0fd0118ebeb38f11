//! Who sits where: alone in one press, a name at the door, a seat handed to the machine and
//! back, a race lost, and the end.

use crate::common::{Server, link};
use crate::person::Company;
use fracas_browser_tests::{Chromium, Look, Window};
use serde_json::{Value, json};

const TABLE: &str = "return !!document.querySelector('#table')";

#[test]
fn somebody_alone_plays_in_one_press_and_the_machine_begins_with_them() {
    let server = Server::hurried();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    window.go(&format!("{}/open/afraid/the-back-room", server.url));
    window.click(".alone button");
    window.until("the table", TABLE);
    assert!(window.url().ends_with("/player-1"), "{}", window.url());
    window.until("what the machine does", "return document.querySelectorAll('#lines li').length > 1");
}

#[test]
fn a_player_at_the_door_types_over_the_name_of_the_seat_or_keeps_it() {
    let server = Server::start();
    let chromium = Chromium::start();
    let company = Company::alone(&server, &chromium);
    let head = |window: &Window, name: &str| {
        let found = format!("return document.querySelector('.turns').textContent.includes({name:?})");
        window.until(name, &found);
    };
    let zoe = chromium.window(Look::WIDE);
    zoe.go(&link(&company.gm, &company.table, "player-1"));
    zoe.write("input[name=name]", "Zoe");
    zoe.click("button.go");
    zoe.until("the table", TABLE);
    for window in [&zoe, &company.people[0].window] {
        head(window, "Zoe");
    }
    let called =
        zoe.script("return [...document.querySelectorAll('.who')].map((one) => one.textContent)", &[]);
    assert!(called[1].as_str().is_some_and(|name| name.starts_with("Zoe")), "{called}");
}

/// The names of the parts that a page shows.
const SHOWN: &str = "
    return ['.tabs', '#moment', '#cast', '#story'].filter((part) => document.querySelector(part).checkVisibility());";

#[test]
fn between_a_phone_and_a_desk_the_parts_of_the_table_are_tabs() {
    let server = Server::start();
    let chromium = Chromium::start();
    let company = Company::alone(&server, &chromium);
    let window = &company.people[0].window;
    for (width, parts) in [
        (641, &[".tabs", "#moment"][..]),
        (800, &[".tabs", "#moment"]),
        (1000, &[".tabs", "#moment"]),
        (1060, &[".tabs", "#moment", "#story"]),
        (1280, &[".tabs", "#moment", "#story"]),
    ] {
        window.resize(width, 900);
        assert_eq!(window.script(SHOWN, &[]), json!(parts), "at {width}");
        let wide = window.script("return document.documentElement.scrollWidth > innerWidth", &[]);
        assert_eq!(wide, false, "at {width}");
    }
    for width in [1001, 1060, 1120] {
        window.resize(width, 900);
        let beside = window.script(
            "const [moment, story] = ['#moment', '#story'].map((part) => document.querySelector(part).getBoundingClientRect());
             return story.left >= moment.right;",
            &[],
        );
        assert_eq!(beside, true, "at {width} the story stands beside the moment");
    }
    window.click(".tabs a[href='#cast']");
    assert_eq!(window.script(SHOWN, &[]), json!([".tabs", "#moment", "#cast"]));
    window.click(".tabs a[href='#story']");
    window.resize(800, 1000);
    window.click(".tabs a[href='#story']");
    assert_eq!(window.script(SHOWN, &[]), json!([".tabs", "#story"]));
}

/// Chooses the first answer without sending it; gives its ask and the answer.
const CHOOSE: &str = "
    const form = document.querySelector('#moment .ask.mine form.answer');
    const answers = [...form.querySelectorAll('input[name=answer]')];
    answers[0].click();
    return [form.elements.ask.value, answers.at(-1).value];";

#[test]
fn who_was_quicker_and_who_plays_is_told_where_one_looks() {
    let server = Server::start();
    let chromium = Chromium::start();
    let windows = (0..3).map(|_| chromium.window(Look::WIDE)).collect();
    let company = Company::gather(&server, windows, "judge-two", "salt-gate");
    let (ana, bo) = (&company.people[1].window, &company.people[2].window);
    let chosen = bo.script(CHOOSE, &[]);
    assert!(chosen[0].is_string(), "{chosen}");
    let theirs: Value = ana.script(CHOOSE, &[]);
    assert!(theirs[1].is_string());
    ana.click("#moment .ask.mine .deed button.go");
    bo.until(
        "who was quicker",
        "return document.querySelector('#refused').textContent.includes('was quicker: ')",
    );
    // A seat is handed to the machine, and taken back.
    let hand = [("seat", "player-2"), ("on", "yes")];
    assert_eq!(company.gm.act(&format!("{}/bot", company.table), &hand).status, 200);
    bo.until("who plays", "return !!document.querySelector('#machined')");
    bo.click("#machined button");
    bo.says("You play Oren again.");
}

#[test]
fn the_end_shows_how_it_went() {
    let server = Server::start();
    let chromium = Chromium::start();
    let company =
        Company::gather(&server, vec![chromium.window(Look::WIDE)], "truth-and-light", "the-broken-bridge");
    let window = &company.people[0].window;
    for who in ["@first-reaver", "@ember-hound"] {
        let fiat = [("form", "out"), ("who", who), ("out", "true")];
        assert_eq!(company.gm.act(&format!("{}/overrule", company.table), &fiat).status, 200);
    }
    let answer = json!("\"close\"");
    window.script(
        "const answer = [...document.querySelectorAll('input[name=answer]')].find((one) => one.value === arguments[0]);
         answer.closest('details')?.setAttribute('open', '');
         answer.click();
         answer.form.requestSubmit();",
        &[answer],
    );
    window.says("It is over.");
    window.until(
        "the chart, where anything changed",
        "return !document.querySelector('[data-chart]').ariaBusy",
    );
    window.click(".ending .button.go");
    assert!(window.url().ends_with("/next"), "{}", window.url());
}
