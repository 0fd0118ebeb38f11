//! The overlay for a stream: what spectators know, with nothing to press.

use crate::common::play::{play_on, played_until_so};
use crate::common::{Browser, Reply, Server, field, join, link, overlay_of};

/// The part of a page that is over the video.
fn body(page: &str) -> &str {
    page.split_once("<main id=\"overlay\"").expect("an overlay").1
}

/// The element of a part.
fn part<'p>(page: &'p str, name: &str) -> Option<&'p str> {
    let (_, from) = page.split_once(&format!("<section data-part=\"{name}\">"))?;
    from.split("</section>").next()
}

#[test]
fn dice_and_odds_are_shown_as_they_come() {
    let server = Server::start();
    let is_due =
        |_: &Browser, _: &str, page: &str| page.contains("class=\"odds\"") && field(page, "roll").is_some();
    let (gm, table, page) =
        played_until_so(&server, "judge-two", "salt-gate", is_due).expect("a roll with odds");
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    let before = eve.get(&overlay_of(&watch)).body;
    let odds = part(&before, "odds").expect("what is due");
    assert!(odds.contains("class=\"chance\"") && odds.contains(" %</b>"), "{odds}");
    assert!(odds.contains("to throw 2d6."), "{odds}");
    let stream = eve.listen(&format!("{watch}/stream?for=overlay"), None);
    let begun: serde_json::Value = serde_json::from_str(&stream.next().1).expect("JSON");
    assert!(body(&before).contains(begun["overlay"].as_str().expect("the overlay")), "{begun}");
    let roll = field(&page, "roll").expect("a roll");
    let thrown = gm.act(&format!("{table}/throw"), &[("roll", &roll), ("faces", "5 3")]);
    assert_eq!(thrown.status, 200, "{}", thrown.body);
    let after = eve.get(&overlay_of(&watch)).body;
    let dice = part(&after, "dice").expect("dice");
    assert!(
        dice.contains("5 on a d6") && dice.contains("3 on a d6") && dice.contains("class=\"outcome\""),
        "{dice}"
    );
    assert!(!after.contains("class=\"chance\""), "{after}");
    // The stream brings the same, and nothing of the page.
    let (_, update) = stream.until("5 on a d6");
    let update: serde_json::Value = serde_json::from_str(&update).expect("JSON");
    assert!(
        update.as_object().is_some_and(|fields| fields.len() == 2 && fields.contains_key("due")),
        "{update}"
    );
    assert!(update["overlay"].as_str().is_some_and(|overlay| overlay.contains(dice)), "{update}");
    // A page that is not an overlay is not sent it.
    let page = eve.listen(&format!("{watch}/stream"), None).next().1;
    assert!(!page.contains("data-part"), "{page}");
}

#[test]
fn whispers_and_notes_are_not_over_the_video() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let (ana, seat) = join(&gm, &table, "player-1", "Ana");
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    let write = |browser: &Browser, page: &str, text: &str, to: &str| {
        assert_eq!(browser.act(&format!("{page}/note"), &[("text", text), ("to", to)]).status, 200);
    };
    write(&gm, &table, "The gate creaks.", "all");
    write(&gm, &table, "A hush falls.", "gm");
    write(&ana, &seat, "I do not trust him.", "gm");
    write(&gm, &table, "Nor should you.", "player-1");
    let page = eve.get(&overlay_of(&watch)).body;
    let story = part(&page, "story").expect("the story");
    assert!(story.contains("The gate creaks."), "{story}");
    for hidden in ["hush", "trust", "Nor should"] {
        assert!(!page.contains(hidden), "{hidden}");
    }
    // Everybody who stands there is a token, as on the spectator's stage.
    let tokens = part(&page, "tokens").expect("tokens").matches("class=\"disc\"").count();
    assert_eq!(tokens, eve.get(&watch).body.matches("class=\"disc\"").count());
    assert!(tokens > 3, "{tokens}");
}

/// The overlay answers this browser as the spectators' page does.
fn check_alike(browser: &Browser, watch: &str) -> Reply {
    let (page, overlay) = (browser.get(watch), browser.get(&overlay_of(watch)));
    let compared = |reply: &Reply| {
        let headers: Vec<String> =
            reply.headers.lines().filter(|line| !line.starts_with("date:")).map(str::to_owned).collect();
        (reply.status, reply.to.clone(), headers, reply.body.clone())
    };
    assert_eq!(compared(&overlay), compared(&page));
    overlay
}

#[test]
fn it_lets_in_whom_the_spectators_page_lets_in() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let (ana, _) = join(&gm, &table, "player-1", "Ana");
    let watch = table.replace("/gm", "/watch");
    for browser in [&gm, &ana, &Browser::new()] {
        assert_eq!(check_alike(browser, &watch).status, 404);
    }
    // Nobody learns from a faulty address that a table is there.
    let faulty = format!("{}?side=top", overlay_of(&watch));
    assert_eq!(gm.get(&faulty).body, gm.get(&watch).body);
    for absent in ["/t/nothing/watch", "/t/no%20table/watch", "/t/x.y/watch"] {
        assert_eq!(check_alike(&gm, &format!("{}{absent}", server.url)).status, 404);
    }
    // A passphrase, and the door.
    let phrase = gm.post(&format!("{table}/passphrase"), &[("passphrase", "under the bridge")]);
    assert_eq!(phrase.status, 303);
    let eve = Browser::new();
    let door = format!("{}{}", server.url, eve.get(&link(&gm, &table, "watch")).to.expect("the door"));
    check_alike(&eve, &watch);
    eve.post(&door, &[("name", "Eve"), ("passphrase", "over the bridge")]);
    check_alike(&eve, &watch);
    assert_eq!(eve.post(&door, &[("name", "Eve"), ("passphrase", "under the bridge")]).status, 303);
    assert_eq!(check_alike(&eve, &watch).status, 303);
    let at_door = field(&gm.get(&format!("{table}/people")).body, "browser").expect("somebody at the door");
    let admits = |verdict: &str| {
        let fields = [("browser", at_door.as_str()), ("role", "watch"), ("in", verdict)];
        assert_eq!(gm.post(&format!("{table}/admit"), &fields).status, 303);
    };
    admits("yes");
    assert_eq!((eve.get(&watch).status, eve.get(&overlay_of(&watch)).status), (200, 200));
    let policy = |reply: Reply| {
        reply.headers.lines().find(|line| line.starts_with("content-security-policy")).map(str::to_owned)
    };
    assert_eq!(policy(eve.get(&overlay_of(&watch))), policy(eve.get(&watch)));
    // Turned out, and the table deleted.
    admits("no");
    assert_ne!(check_alike(&eve, &watch).status, 200);
    admits("yes");
    gm.post(&format!("{table}/delete"), &[("sure", "yes")]);
    check_alike(&eve, &watch);
    check_alike(&gm, &watch);
}

#[test]
fn a_streamer_chooses_parts_side_and_size() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    let page = |asked: &str| eve.get(&format!("{}{asked}", overlay_of(&watch)));
    let has = |page: &str| ["dice", "story", "odds", "tokens"].map(|name| part(page, name).is_some());
    for (asked, class, parts) in [
        ("", "overlay left scale-100", [true; 4]),
        ("?show=dice,tokens", "overlay left scale-100", [true, false, false, true]),
        ("?show=story&side=right&scale=1.5", "overlay right scale-150", [false, true, false, false]),
    ] {
        let reply = page(asked);
        assert_eq!((reply.status, has(&reply.body)), (200, parts), "{asked}");
        assert!(reply.body.contains(&format!("<body class=\"{class}\">")), "{asked}");
    }
    for (asked, words) in [
        ("?show=cards", "dice, odds, tokens and story"),
        ("?side=top", "left or right"),
        ("?scale=9", "from 0.75 to 3"),
        ("?size=%3Cb%3E", "show, side and scale"),
    ] {
        let reply = page(asked);
        assert!(reply.status == 400 && reply.body.contains(words), "{asked}: {}", reply.body);
        assert!(!reply.body.contains("<b>"), "{asked}");
    }
    // Every size has its class.
    let css = eve.get(&format!("{}/assets/overlay.css", server.url)).body;
    for scale in (75..=300).step_by(5).filter(|scale| *scale != 100) {
        assert!(css.contains(&format!(".scale-{scale}{{")), "{scale}");
    }
}

#[test]
fn nothing_in_it_can_be_pressed() {
    let server = Server::hurried();
    for system in fracas_systems::all() {
        for encounter in fracas_suite::some(fracas_systems::encounters(system).expect("bundled content"), 1) {
            let (gm, table) = server.table(system.id, &encounter.id, &[]);
            let (eve, watch) = join(&gm, &table, "watch", "Eve");
            assert!(
                eve.get(&watch)
                    .body
                    .contains(&format!("href=\"{}\"", overlay_of(&watch).replace(&server.url, "")))
            );
            let mut seed = 7;
            for _ in 0..6 {
                let page = eve.get(&overlay_of(&watch));
                assert_eq!(page.status, 200, "{}", encounter.id);
                // A drawing refers to its own parts.
                let drawn = body(&page.body).to_lowercase().replace("href=\"#", "");
                for pressed in [
                    "<a ",
                    "<form",
                    "<button",
                    "<input",
                    "<select",
                    "<textarea",
                    "<details",
                    "<summary",
                    "<iframe",
                    "<dialog",
                    "tabindex",
                    "contenteditable",
                    "href=",
                    " style=",
                    "<script",
                    "<style",
                    "http:",
                    "https:",
                ] {
                    assert!(!drawn.contains(pressed), "{}: {pressed} in {drawn}", encounter.id);
                }
                for _ in 0..8 {
                    let page = gm.get(&table).body;
                    play_on(&gm, &table, &page, &mut seed);
                }
            }
        }
    }
}
