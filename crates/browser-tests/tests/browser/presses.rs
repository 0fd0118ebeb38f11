//! How many presses an action takes.

use crate::common::Server;
use crate::fights::{answers, planted};
use crate::person::{Company, Hands};
use crate::worlds::{Play, plant};
use fracas_browser_tests::{Chromium, Look};
use fracas_kernel::{Document, Now, Seat, Setup, Viewer};

/// Two sides in a fight.
const YARD: &str = r#"
title = "The yard"

[[player]]
name = "ana"

[[character]]
name = "Variel"
attributes = { arm = 2, feet = 2 }

[[character.boon]]
name = "Blade"
category = "power"
hands = 1
readied = true

[[foe]]
name = "Adan"
kind = "brute"
pl = 4

[[foe]]
name = "Bero"
kind = "brute"
pl = 4

[scene]
conflict = "martial"
"#;

/// Whether a seat is asked what to do, and can attack.
fn can_attack(play: &Play, seat: Seat) -> bool {
    let Now::Asks(asks) = play.table.game().now() else { return false };
    let theirs = asks.iter().filter(|ask| ask.who.seats().iter().any(|asked| asked == seat));
    let mut listed = theirs.flat_map(|ask| play.table.game().legal(ask.id, Viewer::Seat(seat)));
    listed.any(|listed| listed.answer.contains("\"attack\""))
}

#[test]
fn an_attack_takes_four_presses_of_its_player_and_none_of_the_gamemaster() {
    let system = fracas_systems::find("judge-two").expect("a system");
    let ana = Seat::Player(0);
    let mut play = Play::open(system, &Setup::alone(Document::toml("yard.toml", YARD).expect("TOML")), 1);
    for reply in [r#""agree""#, r#""confirm""#] {
        play.table.stand(Seat::Gm, reply, true).expect("a standing reply");
    }
    answers(&mut play, ana, r#"{"begin":"@variel"}"#);
    assert!(can_attack(&play, ana));
    let data = tempfile::tempdir().expect("a folder");
    let people = [Seat::Gm, ana].map(Viewer::Seat);
    plant(data.path(), &[planted(&play, "yard", &people)]);
    let server = Server::with(data);
    let chromium = Chromium::start();
    let windows = vec![chromium.window(Look::WIDE), chromium.window(Look::WIDE)];
    let company = Company::planted(&server, windows, "yard", [Hands::Pointer; 3]);
    let [gm, ana] = [0, 1].map(|n| &company.people[n].window);

    let lines = "return document.querySelectorAll('#lines > li').length";
    let before = gm.script(lines, &[]);
    // Whom, how, the dice, and where they lie.
    ana.click("#stage a[data-token=adan]");
    let attack = "return [...document.querySelectorAll('#moment .choice')].find((row) => \
         row.checkVisibility() && !row.closest('[data-off]') && row.querySelector('.text').innerText.includes('ttack Adan'))";
    let attack = ana.until("an attack on Adan", attack);
    ana.click_part(&ana.part_of(&attack).expect("a row")).expect("it can be pressed");
    ana.until(
        "dice to throw",
        "return document.querySelector('#moment form.throw button')?.checkVisibility()",
    );
    ana.click("#moment form.throw button");
    ana.until("both lie", "return !!document.querySelector('#moment .tray .chosen .choice input:checked')");
    ana.click("#moment .deed button.go");
    ana.until("they are settled", "return !document.querySelector('#moment .tray')");
    gm.until("the gamemaster reads it", &format!("return (() => {{ {lines} }})() > {before}"));
    gm.says("Adan");
}
