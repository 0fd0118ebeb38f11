//! A charge over a long way, and somebody who waits for it: what each page of the table shows.

use crate::common::Server;
use crate::fights::{answers, begun, opened, planted, space_of};
use crate::person::{Company, Hands, Person};
use crate::pointing::{middle, press};
use crate::script::Deed;
use crate::worlds::plant;
use fracas_browser_tests::{Chromium, Look};
use fracas_kernel::{Seat, Viewer};

/// Odile is the first of the players to act. Hob has the first turn of all, and waits in it.
const LISTS: &str = r#"
title = "The lists"

[[player]]
name = "Ana"

[[player]]
name = "Bo"

[[character]]
name = "Odile"
player = "Ana"
traits = { brawn = 4, fortitude = 4, perception = 6, warrior = 6, ranger = 5 }
track = { disabled = 3, dead = 60 }
rides = "Bracken"

[[character.weapon]]
name = "Lance"
uses = ["melee"]
power = 9
pole = true

[[character]]
name = "Bracken"
player = "Ana"
mount = true
traits = { fortitude = 5 }
values = { movement = 28, dodge = 7, parry = 7 }
at = "B5"

[[character]]
name = "Wat"
player = "Bo"
traits = { perception = 1, warrior = 3 }
at = "B8"

[[npc]]
name = "Hob"
traits = { brawn = 5, perception = 25, archer = 12, warrior = 8 }
at = "AE5"

[[npc.weapon]]
name = "Javelin"
uses = ["melee", "thrown"]
power = 9

[map]
columns = 36
height = 9
"#;

/// The riders' table, where Odile is to act and Hob waits for a foe within twelve spaces.
fn company(server: &Server, chromium: &Chromium, id: &str) -> Company {
    Company::planted(server, chromium.windows(Look::WIDE), id, [Hands::Pointer; 3])
}

/// Keeps every question to cut in that a page shows from now on.
const COUNT: &str = "
    window.asked = new Set();
    const look = () => {
        for (const ask of document.querySelectorAll('#moment .ask.mine')) {
            if (/cut(s)? in/i.test(ask.querySelector('h2')?.textContent)) window.asked.add(ask.querySelector('[name=ask]').value);
        }
    };
    new MutationObserver(look).observe(document.getElementById('moment'), { childList: true, subtree: true, attributes: true });";

/// The button of what can be done in the space that was chosen.
const CHARGE: &str = "return [...document.querySelectorAll('.there:not(.preview) button')]
    .find((one) => one.innerText.startsWith('Charge'))";

/// Where a page says that the rider is, for readers of the screen.
const LABEL: &str =
    "return document.querySelector('.sight').getAttribute('aria-label').match(/Odile at ([A-Z]+\\d+)/)[1]";

/// Odile's player charges at Hob, and Hob's is asked on the way.
fn charges(company: &Company) -> [&Person; 3] {
    let [gm, ana, bo] = [0, 1, 2].map(|n| &company.people[n]);
    for person in [gm, ana, bo] {
        person.window.until("the map", "return !!document.querySelector('.sight .token')");
        assert_eq!(space_of(&person.window, "odile"), "B5");
    }
    gm.window.script(COUNT, &[]);
    press(&ana.window, middle(&ana.window, "AD5"));
    let charge = ana.window.until("the charge", CHARGE);
    let charge = ana.window.part_of(&charge).expect("a button");
    ana.window.click_part(&charge).expect("it can be pressed");
    gm.window.until("who waits is asked", "return window.asked.size === 1");
    // Who is asked sees the mover twelve spaces away, and nobody else does.
    gm.window.until("where the rider is", &format!("return (() => {{ {LABEL} }})() === 'S5'"));
    assert_eq!(space_of(&gm.window, "odile"), "S5");
    ana.window.says("Odile is on the way.");
    bo.window.says("Odile charges.");
    for person in [ana, bo] {
        assert_eq!(space_of(&person.window, "odile"), "B5", "{}", person.page);
        assert_eq!(space_of(&person.window, "bracken"), "B5", "{}", person.page);
        let page = person.window.script("return document.documentElement.outerHTML", &[]);
        assert!(!page.as_str().is_some_and(|page| page.contains("S5")), "{page}");
    }
    [gm, ana, bo]
}

#[test]
fn a_charge_is_cut_short_and_everybody_reads_where_and_why() {
    let data = tempfile::tempdir().expect("a folder");
    let mut play = opened(LISTS);
    begun(&mut play, 1);
    answers(&mut play, Seat::Gm, r#"{"act":{"wait":{"wire":{"near":{"within":12}}}}}"#);
    let people = [Seat::Gm, Seat::Player(0), Seat::Player(1)].map(Viewer::Seat);
    plant(data.path(), &["felled", "passes"].map(|id| planted(&play, id, &people)));
    let server = Server::with(data);
    let chromium = Chromium::start();

    let mut company = self::company(&server, &chromium, "felled");
    charges(&company);
    let throw = r#"{"act":{"strike":{"on":"@odile","with":"@javelin","thrown":true}}}"#;
    company.people[0].does(&Deed::Answer(throw.to_owned()));
    company.people[1].does(&Deed::Answer(r#"{"abort":{}}"#.to_owned()));
    // Others see the rider where the charge came to once the blow is under way.
    company.people[0].does(&Deed::Type(vec![6, 6]));
    company.people[0].does(&Deed::Answer(r#"{"side-effect":"none"}"#.to_owned()));
    for Person { window, page, .. } in &company.people {
        window.says("Odile cannot go on: the rest of the action is lost.");
        window.until("the end of the charge", &format!("return (() => {{ {LABEL} }})() === 'S5'"));
        assert_eq!([space_of(window, "odile"), space_of(window, "bracken")], ["S5", "S5"], "{page}");
        let why = "const line = [...document.querySelectorAll('#lines li')].find((one) => one.textContent.includes('cannot go on'));
            return [...line.querySelectorAll('.why')].map((why) => why.href).join(' ')";
        let why = window.script(why, &[]);
        assert!(why.as_str().is_some_and(|why| why.contains("/wait.resume")), "{why} at {page}");
    }
    assert_eq!(company.people[0].window.script("return window.asked.size", &[]), 1);
    drop(company);

    // Who lets it pass is not asked again on the same way.
    let mut company = self::company(&server, &chromium, "passes");
    charges(&company);
    company.people[0].does(&Deed::Answer(r#""let""#.to_owned()));
    for Person { window, page, .. } in &company.people {
        window.says("Odile has a momentum of 9.");
        window.until("the end of the charge", &format!("return (() => {{ {LABEL} }})() === 'AD5'"));
        assert_eq!(space_of(window, "odile"), "AD5", "{page}");
    }
    company.people[1]
        .window
        .until("the next question", "return !!document.querySelector('#moment .ask.mine')");
    assert_eq!(company.people[0].window.script("return window.asked.size", &[]), 1);
}
