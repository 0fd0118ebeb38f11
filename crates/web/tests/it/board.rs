//! Dice laid on the table to answer, over a socket.

use crate::common::play::{played_until, played_until_so};
use crate::common::{Browser, Server, field, join};

/// A table of each system, where dice come to lie on it.
const TABLES: [(&str, &str); 4] = [
    ("judge-two", "salt-gate"),
    ("truth-and-light", "the-fish-market"),
    ("afraid", "the-back-room"),
    ("clash", "the-price-of-lamps"),
];

/// The values of an attribute on a page.
fn attributes(page: &str, name: &str) -> Vec<String> {
    let mark = format!(" {name}=\"");
    page.match_indices(&mark)
        .map(|(at, _)| page[at + mark.len()..].split('"').next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn dice_are_laid_to_answer_and_nonsense_is_told() {
    let server = Server::start();
    for (system, encounter) in TABLES {
        let (gm, table, page) = played_until(&server, system, encounter, "class=\"tray\"");
        let form = page.split("<form class=\"answer\"").find(|form| form.contains("class=\"tray\""));
        let form = form.and_then(|form| form.split("</form>").next()).expect("the form with the board");
        let ask = attributes(form, "data-ask").remove(0);
        let arranged = |who: &Browser, page: &str, ask: &str, laid: &str| {
            let laid = laid.replace(',', "%2C").replace('/', "%2F");
            who.get(&format!("{page}/arranged?ask={ask}&laid={laid}"))
        };
        // A listed answer is the meaning of its laying, in the same words.
        let laid = attributes(form, "data-laid");
        assert!(!laid.is_empty(), "{system}: nothing listed is laid");
        for value in laid.iter().filter(|value| !value.is_empty()).take(12) {
            let found = arranged(&gm, &table, &ask, value);
            assert_eq!(found.status, 200, "{system} {value}: {}", found.body);
            let listed = form
                .split("<label class=\"choice\"")
                .find(|card| card.contains(&format!("data-laid=\"{value}\"")));
            assert_eq!(field(&found.body, "answer"), field(listed.expect("its card"), "answer"));
        }
        // The page works without any of it.
        assert!(form.contains("name=\"answer\"") && page.contains("/assets/board.js"));
        for nonsense in ["", "x", "0", "0:a", "9:1", "0:300", "0:-1", "0:7/7/7/7", "0:1,1,1,1,1,1,1,1,1,1,1"]
        {
            let response = arranged(&gm, &table, &ask, nonsense);
            assert_eq!(response.status, 422, "{system} {nonsense}: {}", response.body);
            assert!(response.body.starts_with(r#"{"done":false,"why":[""#), "{}", response.body);
        }
        let long = format!("0:{}", vec!["1"; 2_000].join(","));
        assert!(arranged(&gm, &table, &ask, &long).body.contains("more than 240 dice"));
        assert!(arranged(&gm, &table, &ask, "0:a").body.contains("such as `0:5/4`"));
        assert_eq!(gm.get(&format!("{table}/arranged?ask={ask}")).status, 422);
        // A viewer who is not asked gets the same reply for an ask that exists and for one
        // that does not.
        let (watcher, beside) = join(&gm, &table, "watch", "Sol");
        assert!(!watcher.get(&beside).body.contains("class=\"tray\""));
        let there = arranged(&watcher, &beside, &ask, &laid[0]);
        let nowhere = arranged(&watcher, &beside, "99.9", &laid[0]);
        assert_eq!((there.status, &there.body), (409, &nowhere.body), "{system}");
        assert_eq!(Browser::new().get(&format!("{table}/arranged?ask={ask}&laid=0:1")).status, 404);
    }
}

#[test]
fn the_odds_of_a_roll_are_told_to_whoever_may_know_them() {
    let server = Server::start();
    for (system, encounter) in TABLES.into_iter().take(2) {
        let (_, _, page) = played_until(&server, system, encounter, "name=\"roll\"");
        assert!(
            page.contains("<div class=\"chances\"><h3 class=\"kicker\">Chances</h3>"),
            "in no fold: {page}"
        );
        let chances = page.split("class=\"odds\"").nth(1).and_then(|rest| rest.split("</ul>").next());
        let shares: Vec<&str> = chances.expect("bars").split("<b>").skip(1).collect();
        assert!(!shares.is_empty() && shares.iter().all(|share| share.contains(" %</b>")), "{shares:?}");
    }
}

#[test]
fn odds_stand_beside_each_answer_that_leads_to_a_roll_however_many_are_listed() {
    let server = Server::start();
    for (system, encounter, kind, rolls) in [
        ("judge-two", "salt-gate", "turn", &["ttack ", "Test "][..]),
        ("truth-and-light", "the-broken-bridge", "act", &["ttack"][..]),
    ] {
        let kicker = format!("<p class=\"kicker\">{kind}");
        // Some turns come with few answers.
        let found = (0..20).find_map(|_| {
            let (_, _, page) = played_until(&server, system, encounter, &kicker);
            let form =
                page.split(&kicker).nth(1).expect("the ask").split("</form>").next().expect("its form");
            (form.matches("<label class=\"choice\"").count() > 24).then(|| form.to_owned())
        });
        let form = found.unwrap_or_else(|| panic!("{system}: no turn with many answers"));
        let cards = form.split("<label class=\"choice\"").skip(1);
        let listed: Vec<&str> = cards.filter_map(|card| card.split("</label>").next()).collect();
        for words in rolls {
            let of_them: Vec<_> = listed.iter().filter(|card| card.contains(words)).collect();
            assert!(!of_them.is_empty(), "{system} lists no {words}");
            for card in of_them {
                assert!(card.contains("class=\"chance\"") && card.contains(" %</b> "), "{system}: {card}");
            }
        }
        let shares = form.split("<b>").skip(1).filter_map(|rest| rest.split("</b>").next());
        let shares: Vec<&str> = shares.collect();
        let whole = shares.iter().all(|share| share.ends_with(" %") && !share.contains('.'));
        assert!(shares.len() > 20 && whole, "{shares:?}");
    }
}

#[test]
fn dice_that_are_still_being_laid_are_no_error() {
    let server = Server::start();
    // Some answers take a single die: played on until one alone is not enough.
    let found = played_until_so(&server, "afraid", "the-back-room", |gm, table, page| {
        let Some(well) = page.find("data-name=\"Your answer\"") else { return false };
        let tray = page[..well].rfind("class=\"tray\"").expect("the board");
        let ask = attributes(&page[tray..], "data-ask").remove(0);
        attributes(&page[well..], "data-face").iter().filter_map(|face| face.parse::<u8>().ok()).any(|face| {
            let response = gm.get(&format!("{table}/arranged?ask={ask}&laid=0:{face}"));
            assert_eq!(response.status, 200, "{}", response.body);
            let fits = response.body.starts_with("<label");
            let says =
                response.body.starts_with("<div class=\"unfit\"><p>") && response.body.contains("the rule");
            assert!(fits || says, "{}", response.body);
            !fits
        })
    });
    assert!(found.is_some(), "every die fitted alone");
}

#[test]
fn the_only_answer_is_given_by_a_press() {
    let server = Server::start();
    let (mut found, mut pressed) = (0, 0);
    for (system, encounter) in TABLES {
        let (gm, table) = server.table(system, encounter, &[]);
        let mut seed = 5;
        for _ in 0..60 {
            let page = gm.get(&table).body;
            for form in page.split("<form class=\"answer\"").skip(1) {
                let form = form.split("</form>").next().unwrap_or_default();
                let (listed, chosen) = (
                    form.matches("type=\"radio\" name=\"answer\"").count(),
                    form.matches(" checked").count(),
                );
                let ways = form.matches("name=\"way\"").count().min(1);
                assert_eq!(
                    chosen - ways.min(chosen),
                    usize::from(listed == 1 && !form.contains("<a class=\"group\"")),
                    "{form}"
                );
                found += usize::from(listed == 1);
                if let Some(rest) = form.split("<div class=\"only\"").nth(1) {
                    let button = rest.split("class=\"go\">").nth(1).expect("a button");
                    assert!(rest.contains(" hidden>") && !button.starts_with("Do it<"), "{form}");
                    pressed += 1;
                }
            }
            if !crate::common::play::play_on(&gm, &table, &page, &mut seed) {
                break;
            }
        }
    }
    assert!(found > 0 && pressed > 0, "{found} asks had a single answer, {pressed} a press");
}

#[test]
fn the_places_of_a_table_stand_where_they_are() {
    let server = Server::start();
    let (gm, table) = server.table("truth-and-light", "the-broken-bridge", &[]);
    let page = gm.get(&table).body;
    let zones: Vec<&str> =
        page.split("<p class=\"zone ").skip(1).filter_map(|zone| zone.split('<').next()).collect();
    assert_eq!(zones.len(), 3, "{zones:?}");
    assert!(zones[0].starts_with("x0 w") && zones[0].ends_with(" first\">Near Bank"), "{zones:?}");
    assert!(zones[2].starts_with('x') && zones[2].ends_with("\">Far Bank"), "{zones:?}");
}
