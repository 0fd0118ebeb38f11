//! The ending, a lost race, and a machine's seat: each is shown where a player looks.

use crate::common::{Browser, Server, field, fields, join};
use fracas_kernel::{AnyTable, Ending, Seat, Viewer};

/// A bundled encounter after these fiats.
fn overruled(system: &str, encounter: &str, fiats: &[&str]) -> Box<dyn AnyTable> {
    let system = fracas_systems::find(system).expect("it is there");
    let setup = fracas_systems::setup(system, encounter).expect("it is there").expect("it is TOML");
    let mut game = (system.start)(&setup).expect("it is sound");
    for fiat in fiats {
        game.fiat(fiat, false).unwrap_or_else(|refused| panic!("{fiat}: {refused}"));
    }
    game
}

/// A character's fate, and whether they stand.
fn fared<'e>(ending: &'e Ending, name: &str) -> Option<(&'e str, bool)> {
    let fate = |all: &'e [fracas_kernel::Fared], stands| {
        all.iter().find(|fared| fared.name == name).map(|fared| (fared.how.as_str(), stands))
    };
    fate(&ending.standing, true).or_else(|| fate(&ending.fallen, false))
}

#[test]
fn every_system_says_who_stands_who_is_out_and_what_lies_about() {
    let ana = Viewer::Seat(Seat::Player(0));
    let gate = overruled(
        "judge-two",
        "salt-gate",
        &[
            r#"{"fate":{"who":"@levy-adan","fate":{"finished":"surrender"}}}"#,
            r#"{"fate":{"who":"@levy-bero","fate":"away"}}"#,
            r#"{"item":{"item":"@hookblade","holder":"@tamsin","lie":"ground"}}"#,
        ],
    );
    let ending = gate.ending(ana);
    assert_eq!(fared(&ending, "Levy Adan"), Some(("surrendered", false)), "{ending:?}");
    assert_eq!(
        (fared(&ending, "Levy Bero"), fared(&ending, "Tamsin")),
        (None, Some(("", true))),
        "{ending:?}"
    );
    let dropped = ["Hookblade, Tamsin had it last", "Salt Cudgel, Levy Adan had it last"];
    assert_eq!(ending.lying, dropped);
    assert!(fared(&gate.ending(Viewer::Seat(Seat::Gm)), "Levy Bero").is_some(), "the gamemaster's to know");
    assert_eq!(ending.left(), None, "both sides have somebody who stands");
    let hound = r#"{"out":{"who":"@ember-hound","out":true}}"#;
    let reaver = r#"{"out":{"who":"@first-reaver","out":true}}"#;
    let second = r#"{"out":{"who":"@second-reaver","out":true}}"#;
    let captain = r#"{"out":{"who":"@captain-of-the-watch","out":true}}"#;
    let all = [hound, reaver, second, captain];
    let won = overruled("truth-and-light", "the-broken-bridge", &all).ending(ana);
    assert_eq!(won.left(), Some("Your side stands, and nobody of theirs does."), "{won:?}");
    let bridge =
        overruled("truth-and-light", "the-broken-bridge", &[r#"{"out":{"who":"@ember-hound","out":true}}"#]);
    let ending = bridge.ending(ana);
    assert_eq!(fared(&ending, "Ember Hound").map(|(_, stands)| stands), Some(false), "{ending:?}");
    assert_eq!(fared(&ending, "Neris").map(|(_, stands)| stands), Some(true), "{ending:?}");
    let room = overruled("afraid", "the-back-room", &[r#"{"fate":{"who":"@bettany-coe","fate":"dead"}}"#]);
    let ending = room.ending(ana);
    assert_eq!(fared(&ending, "Bettany Coe").map(|(_, stands)| stands), Some(false), "{ending:?}");
    assert_eq!(fared(&ending, "Marian Sloe").map(|(_, stands)| stands), Some(true), "{ending:?}");
    assert!(fared(&room.ending(Viewer::Seat(Seat::Gm)), "Briefing").is_none());
}

/// The gamemaster closes the game.
pub(crate) fn close(gm: &Browser, table: &str) {
    let shown = gm.get(table).body;
    let forms = shown.split("<form class=\"answer\"").skip(1);
    let close = "\"close\"".to_owned();
    let ask = forms
        .filter_map(|form| form.split("</form>").next())
        .find(|form| fields(form, "answer").contains(&close))
        .and_then(|form| field(form, "ask"))
        .expect("the gamemaster may close the game");
    let closed = gm.act(&format!("{table}/answer"), &[("ask", &ask), ("answer", &close)]);
    assert_eq!(closed.status, 200, "{}", closed.body);
}

#[test]
fn the_end_of_a_table_is_a_card() {
    let server = Server::start();
    let (gm, table) = server.table("truth-and-light", "the-broken-bridge", &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    close(&gm, &table);
    for (browser, page) in [(&gm, &table), (&ana, &page)] {
        let shown = browser.get(page).body;
        for words in ["It is over.", "Who stands", "Neris", "data-chart"] {
            assert!(shown.contains(words), "{words}: {shown}");
        }
    }
    for (browser, page) in [(&gm, &table), (&ana, &page)] {
        let shown = browser.get(page).body;
        for gone in
            ["Throw them for me", "Let the machine play", "Decline offers that cannot help me", "✕ Pause"]
        {
            assert!(!shown.contains(gone), "{gone}: {shown}");
        }
    }
    let another = |browser: &Browser, page: &str| browser.get(page).body.matches("Another evening").count();
    assert_eq!((another(&gm, &table), another(&ana, &page)), (2, 0), "in the card, and among the tools");
}

#[test]
fn the_first_line_of_the_end_says_which_side_is_left() {
    let server = Server::start();
    let (gm, table) = server.table("truth-and-light", "the-broken-bridge", &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let foes = [
        ("ember-hound", "Ember Hound"),
        ("first-reaver", "First Reaver"),
        ("second-reaver", "Second Reaver"),
        ("captain-of-the-watch", "Captain of the Watch"),
    ];
    for (who, name) in foes {
        let menu = gm.get(&format!("{table}/overrule?of=@{who}")).body;
        assert!(menu.contains(&format!("<h1>Overrule: <bdi>{name}</bdi></h1>")), "{menu}");
        let out = format!("@{who}");
        let done = gm.act(&format!("{table}/overrule"), &[("form", "out"), ("who", &out), ("out", "true")]);
        assert_eq!(done.status, 200, "{}", done.body);
    }
    close(&gm, &table);
    let body = ana.get(&page).body;
    assert!(body.contains("<h2>It is over. Your side stands, and nobody of theirs does.</h2>"), "{body}");
}

#[test]
fn a_pause_names_the_player_who_ends_it() {
    let server = Server::start();
    let fields = [("me", "player-1"), ("player.player-1", "Ana"), ("bot", "gm")];
    let (ana, table) = server.table("judge-two", "salt-gate", &fields);
    let (bo, page) = join(&ana, &table, "player-2", "Bo");
    assert_eq!(bo.act(&format!("{page}/pause"), &[]).status, 200);
    let body = bo.get(&page).body;
    assert!(body.contains("until <bdi>Ana</bdi> resumes."), "{body}");
}

#[test]
fn who_was_quicker_is_told_to_the_slower() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let (ana, anas) = join(&gm, &table, "player-1", "Ana");
    let (bo, bos) = join(&gm, &table, "player-2", "Bo");
    let (page, other) = (ana.get(&anas).body, bo.get(&bos).body);
    let (ask, his) = (field(&page, "ask").expect("an ask"), field(&other, "ask").expect("an ask"));
    let answers = fields(&page, "answer");
    let done = ana.act(&format!("{anas}/answer"), &[("ask", &ask), ("answer", &answers[0])]);
    assert_eq!(done.status, 200, "{}", done.body);
    let late = [("ask", &his[..]), ("answer", &answers[1])];
    let response = bo.act(&format!("{bos}/answer"), &late);
    assert_eq!(response.status, 409);
    assert!(response.body.contains("Ana was quicker: "), "{}", response.body);
    assert!(bo.post(&format!("{bos}/answer"), &late).body.contains("Ana was quicker: "));
    let own = ana.act(&format!("{anas}/answer"), &[("ask", &ask), ("answer", &answers[0])]);
    assert!(!own.body.contains("quicker") && own.status == 409, "{}", own.body);
    // A player who was not asked learns nothing of it.
    let guess = bo.act(&format!("{bos}/answer"), &[("ask", "0-0.1"), ("answer", "{}")]);
    assert!(!guess.body.contains("quicker"), "{}", guess.body);
    assert!(bo.get(&bos).body.contains("data-by=\"Ana\""));
}

#[test]
fn who_is_played_by_the_machine_is_told_so_and_takes_it_back() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let (ana, page) = join(&gm, &table, "player-2", "Ana");
    let banner = || ana.get(&page).body.contains("Take it back");
    assert!(!banner());
    let bot = |on| gm.act(&format!("{table}/bot"), &[("seat", "player-2"), ("on", on)]).status;
    assert_eq!((bot("yes"), banner()), (200, true));
    let shown = ana.get(&page).body;
    assert!(shown.contains("data-whom=\"Oren\""), "{shown}");
    assert!(!gm.get(&table).body.contains("Take it back"), "the gamemaster plays themself");
    let own = ana.act(&format!("{page}/bot"), &[("seat", "player-2"), ("on", "no")]);
    assert_eq!((own.status, banner()), (200, false), "{}", own.body);
}

#[test]
fn dice_are_typed_as_a_number_pad_has_it() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let mut seed = 3;
    for _ in 0..150 {
        let shown = gm.get(&table).body;
        if let Some(roll) = field(&shown, "roll").filter(|_| shown.contains("Throw 2d6")) {
            assert!(
                shown.contains("2d6, in this order: 5 5, or 55") && shown.contains("inputmode=\"numeric\"")
            );
            let typed = [("roll", &roll[..]), ("faces", "6.5")];
            assert_eq!(gm.act(&format!("{table}/throw"), &typed).status, 200);
            return;
        }
        assert!(crate::common::play::play_on(&gm, &table, &shown, &mut seed));
    }
    panic!("no two dice were to be thrown");
}
