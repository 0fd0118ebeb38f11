//! Somebody hidden: nothing of them reaches the browser of a player or a spectator, in any form.

use crate::common::{Browser, Server};
use crate::fights::{begun, opened, planted, space_of};
use crate::person::sits;
use crate::pointing::{middle, press};
use crate::worlds::{cookie, plant};
use fracas_browser_tests::{Chromium, Key, Look, Window};
use fracas_kernel::{Seat, Viewer};
use serde_json::{Value, json};

/// A road, a captain in plain sight, and an archer in the reeds, whose block is the last but the map.
const REEDS: &str = r#"
title = "The reeds"

[[player]]
name = "Ana"

[[player]]
name = "Bo"

[[character]]
name = "Edda"
player = "Ana"
traits = { brawn = 2, fortitude = 2, perception = 9, warrior = 5, athlete = 2 }
at = "B3"

[[character.weapon]]
name = "Sabre"
uses = ["melee"]
power = 5

[[character]]
name = "Oren"
player = "Bo"
traits = { brawn = 1, fortitude = 1, perception = 3, warrior = 3, athlete = 3 }
at = "B5"

[[npc]]
name = "Captain"
traits = { brawn = 3, fortitude = 3, perception = 2, warrior = 4, athlete = 1 }
at = "M3"
"#;

const ARCHER: &str = r#"
[[npc]]
name = "Nightjar"
traits = { brawn = 1, fortitude = 1, perception = 12, archer = 5, athlete = 4 }
at = "G3"
unseen = true
secret = "sworn to the heron"

[[npc.weapon]]
name = "Yewbow"
uses = ["missile"]
power = 4
"#;

const MAP: &str = r#"
[map]
rows = """
..............
..............
.......r......
......rr......
..............
"""
names = { "Stile" = "G4" }

[map.legend]
r = "treacherous"
"#;

/// What nobody but the gamemaster may come across.
const SECRETS: [&str; 3] = ["nightjar", "yewbow", "heron"];
/// The table without the archer, and the table with them; their ids are equally long.
const TABLES: [&str; 2] = ["reedsbare", "reedsfull"];
/// The archer's space, where the archer goes unseen, and spaces around both.
const SPACES: [&str; 5] = ["G3", "G2", "F3", "F2", "G4"];

/// Keeps all that a page's stream brings, from before the page is there.
const LISTEN: &str = "
    window.heard = [];
    const Plain = window.EventSource;
    window.EventSource = class extends Plain {
        constructor(...all) { super(...all); this.addEventListener('message', ({ data }) => window.heard.push(data)); }
    };";

const SOURCE: &str = "return await (await fetch(location.href)).text()";
/// The page but for what is drawn where somebody points, and said of it.
const DRAWN: &str = "
    const page = document.documentElement.cloneNode(true);
    for (const own of page.querySelectorAll('[data-own], #said')) own.replaceChildren();
    return page.outerHTML";
/// The ground, the lines and the shades of a space.
const UNDER: &str = "
    const map = document.querySelector('.map');
    const { placeOf, middle } = spacesOf(() => map);
    const point = new DOMPoint(...middle(placeOf(arguments[0])));
    const under = [...map.querySelectorAll('.sight path')].filter((path) => path.isPointInFill(point));
    return under.map((path) => path.getAttribute('class')).join(' ');";

/// One of those who may not know: a window, and what it was shown at each table.
struct Looker {
    window: Window,
    role: &'static str,
    /// What was asked for or looked at, and what came.
    shown: Vec<(String, String)>,
}

impl Looker {
    fn note(&mut self, what: impl Into<String>, text: impl Into<String>) {
        let mut text: String = text.into();
        TABLES.iter().for_each(|id| text = text.replace(id, "TABLE"));
        self.shown.push((what.into(), text));
    }

    /// Notes a text that a script gives.
    fn note_script(&mut self, what: &str, script: &str, arguments: &[Value]) {
        let found = self.window.script_done(
            &format!("const done = arguments[arguments.length - 1]; (async () => {{ {script} }})().then(done, (error) => done(String(error)));"),
            arguments,
        );
        self.note(what, found.as_str().map_or_else(|| found.to_string(), str::to_owned));
    }

    /// Notes everything that the page shows and was sent.
    fn look(&mut self, when: &str) {
        self.note_script(&format!("the page's source, {when}"), SOURCE, &[]);
        self.note_script(&format!("the page as it is drawn, {when}"), DRAWN, &[]);
        self.note_script(&format!("the stream, {when}"), "return window.heard.splice(0).join('\\n')", &[]);
        for space in SPACES {
            self.note_script(&format!("the space {space}, {when}"), UNDER, &[space.into()]);
        }
    }

    /// What a space was like when it was last looked at.
    fn like(&self, space: &str) -> &str {
        let is_of = |(what, _): &&(String, String)| what.starts_with(&format!("the space {space},"));
        &self.shown.iter().rev().find(is_of).expect("it was looked at").1
    }

    /// Presses a space of the map, and then what can be done there by its first word.
    fn does(&self, space: &str, deed: &str) {
        press(&self.window, middle(&self.window, space));
        let button = format!(
            "return [...document.querySelectorAll('.there:not(.preview) button')].find((one) => one.innerText.startsWith('{deed}'))"
        );
        let button = self.window.part_of(&self.window.until(deed, &button)).expect("a button");
        self.window.click_part(&button).expect("it can be pressed");
    }
}

/// Walks the map with keys from Edda's space towards the archer's, and notes what is said of each.
fn walk(looker: &mut Looker) {
    looker.window.script("document.querySelector('.sight').focus()", &[]);
    for key in [Key::Right, Key::Right, Key::Right, Key::Right, Key::Right, Key::Right, Key::Down] {
        looker.window.press(key);
        let said = "await new Promise((wait) => setTimeout(wait, 60)); return document.querySelector('#said').lastChild.textContent";
        looker.note_script("what is said of a space", said, &[]);
    }
    looker.window.script("document.activeElement.blur()", &[]);
}

/// What the server says of spaces, and of answers that name somebody.
fn ask(looker: &mut Looker) {
    let page = "const { ask, token } = JSON.parse(document.querySelector('.map').dataset.going)[0];
        const base = document.getElementById('table').dataset.base;";
    for space in SPACES {
        let there = format!(
            "{page} return await (await fetch(`${{base}}/there?${{new URLSearchParams({{ ask, token, to: arguments[0] }})}}`)).text()"
        );
        looker.note_script(&format!("what {space} is like"), &there, &[space.into()]);
    }
    for name in ["@nightjar", "@yewbow", "@nobody-at-all"] {
        for answer in [
            json!({ "act": { "strike": { "on": name, "with": "@sabre" } } }),
            json!({ "act": { "strike": { "on": "@captain", "with": name } } }),
            json!({ "act": { "wait": { "wire": { "near": { "of": name, "within": 2 } } } } }),
        ] {
            let post = format!("{page}
                const body = new URLSearchParams({{ ask, answer: arguments[0] }});
                const answer = await fetch(`${{base}}/answer`, {{ method: 'POST', body, headers: {{ accept: 'application/json' }} }});
                return answer.status + ' ' + await answer.text()");
            let asked = answer.to_string();
            looker.note_script(&format!("the answer {asked}"), &post, &[asked.clone().into()]);
            let (_, refused) = looker.shown.last_mut().expect("a refusal");
            assert!(refused.starts_with('4'), "{asked}: {refused}");
            // It says what was asked for, whatever that is.
            *refused = refused.replace(name.trim_start_matches('@'), "NAME");
        }
    }
    let refusals: Vec<&String> = looker.shown.iter().rev().take(9).map(|(_, refused)| refused).collect();
    for same in 0..3 {
        assert_eq!(refusals[same], refusals[same + 3], "a name that something has is refused in other words");
        assert_eq!(refusals[same], refusals[same + 6]);
    }
}

#[test]
fn nothing_of_a_hidden_archer_reaches_players_and_spectators() {
    let data = tempfile::tempdir().expect("a folder");
    let people = [
        Viewer::Seat(Seat::Gm),
        Viewer::Seat(Seat::Player(0)),
        Viewer::Seat(Seat::Player(1)),
        Viewer::Spectator,
    ];
    let tables = [(TABLES[0], ""), (TABLES[1], ARCHER)].map(|(id, archer)| {
        let mut play = opened(&format!("{REEDS}{archer}{MAP}"));
        begun(&mut play, 4);
        planted(&play, id, &people)
    });
    plant(data.path(), &tables);
    let server = Server::with(data);
    let gm = Browser::known(&server.url, &cookie(0));
    let chromium = Chromium::start();
    let mut lookers: Vec<Looker> = ["player-1", "player-2", "watch"]
        .into_iter()
        .enumerate()
        .map(|(n, role)| {
            let window = chromium.window(Look::WIDE);
            sits(&window, &server.url, &cookie(n + 1));
            window.tool("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": LISTEN }));
            Looker { window, role, shown: Vec::new() }
        })
        .collect();

    let [without, with] = TABLES.map(|id| {
        for looker in &mut lookers {
            looker.window.go(&format!("{}/t/{id}/{}", server.url, looker.role));
            looker.window.until("the map", "return !!document.querySelector('.sight .token')");
            looker.window.until("the stream", "return window.heard.length > 0");
            looker.look("at first");
        }
        // Where the archer stands is as what is around: ground, and within a move.
        let ana = &mut lookers[0];
        assert!(ana.like("G3").contains("s1"), "{}", ana.like("G3"));
        assert_eq!([ana.like("G3"), ana.like("G2")], [ana.like("F3"), ana.like("F2")]);
        walk(ana);
        ask(ana);
        // The archer goes elsewhere, which nobody hears.
        if id == TABLES[1] {
            let put =
                gm.act(&format!("{}/t/{id}/gm/put", server.url), &[("token", "nightjar"), ("to", "G2")]);
            assert_eq!(put.status, 200, "{}", put.body);
        }
        lookers.iter_mut().for_each(|looker| looker.look("after what is done unseen"));
        lookers[0].does("C3", "Step");
        for looker in &mut lookers {
            looker.window.says("Edda steps to C3.");
            looker.window.until(
                "the step on the map",
                "return document.querySelector('.sight').getAttribute('aria-label').includes('Edda at C3.')",
            );
            looker.look("after a step");
        }
        lookers.iter_mut().map(|looker| std::mem::take(&mut looker.shown)).collect::<Vec<_>>()
    });
    for ((with, without), looker) in with.iter().zip(&without).zip(&lookers) {
        assert_eq!(with.len(), without.len());
        for ((what, text), (_, other)) in with.iter().zip(without) {
            let lower = text.to_lowercase();
            for secret in SECRETS {
                assert!(!lower.contains(secret), "{} reads {secret} in {what}: {text}", looker.role);
            }
            assert!(text == other, "{} can tell by {what}:\n{text}\n{other}", looker.role);
        }
    }

    // To walk into the archer is no mistake: it happens, and everybody sees who it was.
    lookers[0].does("G2", "Move");
    for Looker { window, role, .. } in &lookers {
        window.says("Edda runs into Nightjar, who was not noticed.");
        window.until("the archer", "return !!document.querySelector('.token[data-token=nightjar]')");
        assert_eq!([space_of(window, "nightjar"), space_of(window, "edda")], ["G2", "F2"], "{role}");
        assert_eq!(window.script("return document.querySelector('#refused').innerText", &[]), "", "{role}");
    }
}
