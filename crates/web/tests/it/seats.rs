//! Seats: their names, playing without a gamemaster, and inviting friends.

use crate::common::program::Program;
use crate::common::{Browser, Server, field, join, link};
use serde_json::json;

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";
const BEGINS: &str = "The machine begins when the first player";

/// The people at a table, as its page lists them at the top.
fn head(browser: &Browser, page: &str) -> String {
    let body = browser.get(page).body;
    let at = body.find("<header").expect("a head");
    body[at..].split("</header>").next().expect("its end").to_owned()
}

/// Opens a table with these fields. Returns the browser, the address it is led to and the
/// table's.
fn open(server: &Server, encounter: &str, fields: &[(&str, &str)]) -> (Browser, String, String) {
    let browser = Browser::new();
    let opened = browser.post(&format!("{}/open/{encounter}", server.url), fields);
    assert_eq!(opened.status, 303, "{}", opened.body);
    let page = format!("{}{}", server.url, opened.to.expect("a page"));
    let table = page.rsplit_once('/').expect("a role").0.to_owned();
    (browser, page, table)
}

#[test]
fn a_seat_is_called_as_its_player() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (bo, bos) = join(&gm, &table, "player-2", "Bo");
    bo.act(&format!("{bos}/note"), &[("text", "Before."), ("to", "all")]);
    let stream = bo.listen(&format!("{bos}/stream"), None);
    let gms = gm.listen(&format!("{table}/stream"), None);
    // The seat's name is filled in: one press is enough.
    let zoe = Browser::new();
    let door = zoe.get(&link(&gm, &table, "player-1")).to.expect("the door");
    let door = format!("{}{door}", server.url);
    let asked = zoe.get(&door).body;
    assert!(asked.contains("value=\"Ana\"") && asked.contains("Tamsin"), "{asked}");
    let (zoe, page) = join(&gm, &table, "player-1", "Zoe");
    for (browser, page) in [(&gm, &table), (&bo, &bos), (&zoe, &page)] {
        let head = head(browser, page);
        assert!(head.contains("Zoe") && !head.contains("Ana"), "{head}");
        let body = browser.get(page).body;
        assert!(body.contains("played by Zoe") && !body.contains("played by Ana"), "{body}");
    }
    assert!(stream.until("Zoe").1.contains("played by Zoe"), "an open page shows it");
    assert!(gms.until("for Zoe").1.contains("\"whom\""), "and for whom one writes there");
    zoe.act(&format!("{page}/note"), &[("text", "I am here."), ("to", "all")]);
    // A second player in the seat does not change its name; the next one alone does.
    let (_kim, _) = join(&gm, &table, "player-1", "Kim");
    assert!(head(&gm, &table).contains("Zoe"));
    let people = gm.get(&format!("{table}/people")).body;
    for name in ["Kim", "Zoe"] {
        let at = people.find(&format!("<bdi>{name}</bdi>")).expect("somebody inside");
        let from = people[..at].rfind("<form").expect("a form");
        let browser = field(&people[from..], "browser").expect("somebody");
        let out = [("browser", &browser[..]), ("role", "player-1"), ("in", "no")];
        assert_eq!(gm.post(&format!("{table}/admit"), &out).status, 303);
    }
    let (_max, _) = join(&gm, &table, "player-1", "bo");
    assert!(head(&gm, &table).contains("Bo 2"), "two may be called alike");
    let story = gm.get(&format!("{table}/story.md")).body;
    assert!(story.contains("bo 2 as Tamsin") && story.contains("**bo 2:** I am here."), "{story}");
    // The name stays, and comes along to the next evening.
    let server = server.again_there();
    assert!(head(&gm, &table).contains("Bo 2"));
    let next = gm.post(&format!("{table}/next"), &[("encounter", ""), ("party", "ours")]);
    assert!(head(&gm, &format!("{}{}", server.url, next.to.expect("a table"))).contains("Bo 2"));
}

#[test]
fn a_leader_who_plays_neither_becomes_the_gamemaster_nor_turns_one_out() {
    let server = Server::start();
    let (pia, page, table) = open(&server, "judge-two/salt-gate", &[("me", "player-1")]);
    // The leader's phone makes the link for the gamemaster.
    let to_phone = link(&pia, &page, "player-1");
    let phone = Browser::new();
    let door = format!("{}{}", server.url, phone.get(&to_phone).to.expect("the door"));
    assert_eq!(phone.post(&door, &[("name", "Pia")]).status, 303);
    let waits = field(&pia.get(&format!("{page}/people")).body, "browser").expect("the phone");
    let admit = |browser: &str, role: &str| {
        let fields = [("browser", browser), ("role", role), ("in", "yes")];
        assert_eq!(pia.post(&format!("{page}/admit"), &fields).status, 303);
    };
    admit(&waits, "player-1");
    let to_lead = link(&phone, &page, "gm");
    let gwen = Browser::new();
    let door = format!("{}{}", server.url, gwen.get(&to_lead).to.expect("the door"));
    assert_eq!(gwen.post(&door, &[("name", "Gwen")]).status, 303);
    let waits = field(&pia.get(&format!("{page}/people")).body, "browser").expect("the gamemaster");
    admit(&waits, "gm");
    assert_eq!(gwen.get(&format!("{table}/gm")).status, 200);
    // The same link leads the leader to a knock, in any browser, whatever the door.
    assert_eq!(pia.post(&format!("{page}/door"), &[("door", "open")]).status, 303);
    for browser in [&pia, &Browser::new()] {
        let door = format!("{}{}", server.url, browser.get(&to_lead).to.expect("the door"));
        browser.post(&door, &[("name", "Pia")]);
        assert_ne!(browser.get(&format!("{table}/gm")).status, 200);
    }
    pia.post(&format!("{page}/door"), &[("door", "open")]);
    assert_ne!(pia.get(&format!("{table}/gm")).status, 200, "nor are those let in who wait");
    // When the phone's link is revoked the phone is out, and the gamemaster is not.
    let people = pia.get(&format!("{page}/people")).body;
    let hashes: Vec<&str> = people.split("name=\"hash\" value=\"").skip(1).collect();
    for hash in hashes {
        let hash = hash.split('"').next().expect("a link");
        pia.post(&format!("{page}/revoke"), &[("hash", hash)]);
    }
    assert_ne!(phone.get(&page).status, 200);
    assert_eq!(gwen.get(&format!("{table}/gm")).status, 200);
}

#[test]
fn who_plays_leads_the_table_and_sees_nothing_of_the_gamemaster() {
    let server = Server::start();
    let fields = [("me", "player-1"), ("player.player-1", "Pia"), ("bot", "gm"), ("bot", "player-3")];
    let (pia, page, table) = open(&server, "judge-two/salt-gate", &fields);
    assert!(page.ends_with("/player-1"), "{page}");
    let shown = pia.get(&page).body;
    assert!(shown.contains("data-role=\"player-1\"") && shown.contains("Pia"), "{shown}");
    assert!(!shown.contains(BEGINS), "they are in");
    for of_the_gamemaster in ["gm", "gm/people", "gm/log", "gm/knock", "player-1/log", "player-1/overrule"] {
        assert_eq!(pia.get(&format!("{table}/{of_the_gamemaster}")).status, 404, "{of_the_gamemaster}");
    }
    // Nobody can come in as the gamemaster; friends come in as to any table.
    let people = pia.get(&format!("{page}/people")).body;
    assert!(!people.contains("another device") && people.contains("A link for each"), "{people}");
    assert_eq!(pia.post(&format!("{page}/links"), &[("kind", "invite"), ("role", "gm")]).status, 400);
    let each = pia.post(&format!("{page}/links"), &[("kind", "invite"), ("role", "players")]).body;
    assert_eq!(each.matches("/join/").count(), 1, "one for the only other player: {each}");
    let (quin, other) = join(&pia, &page, "player-2", "Quin");
    assert!(head(&pia, &page).contains("Quin"));
    assert_eq!(quin.get(&format!("{other}/people")).status, 404, "a guest leads nothing");
    assert_eq!(quin.get(&format!("{}/people", page.replace("player-1", "player-2"))).status, 404);
    // A pause does not end the evening.
    assert_eq!(quin.act(&format!("{other}/pause"), &[]).status, 200);
    assert_eq!(quin.act(&format!("{other}/resume"), &[]).status, 403);
    assert_eq!(pia.act(&format!("{page}/resume"), &[]).status, 200);
    // Players' seats can be handed to the machine and back, the gamemaster's cannot.
    let bot = |seat, on| pia.act(&format!("{page}/bot"), &[("seat", seat), ("on", on)]).status;
    assert_eq!([bot("player-3", "no"), bot("player-2", "yes"), bot("gm", "no")], [200, 200, 403]);
    let back = |seat| quin.act(&format!("{other}/bot"), &[("seat", seat), ("on", "no")]).status;
    assert_eq!([back("player-1"), back("player-2")], [403, 200], "everybody takes their own back");
    assert_eq!(quin.act(&format!("{other}/bot"), &[("seat", "player-2"), ("on", "yes")]).status, 403);
}

#[test]
fn who_plays_and_leads_deletes_the_table_and_has_it_back() {
    let server = Server::start();
    let (pia, page, table) = open(&server, "judge-two/salt-gate", &[("me", "player-1"), ("bot", "gm")]);
    let (quin, other) = join(&pia, &page, "player-2", "Quin");
    for at in [&other, &page, &format!("{table}/gm")] {
        assert_eq!(quin.get(&format!("{at}/delete")).status, 404, "{at}");
        assert_eq!(quin.post(&format!("{at}/delete"), &[("sure", "yes")]).status, 404, "{at}");
    }
    let body = pia.get(&format!("{}/forget", server.url)).body;
    assert!(body.contains("Nobody else leads"), "{body}");
    assert!(pia.get(&format!("{page}/people")).body.contains("/player-1/delete"));
    let body = pia.get(&format!("{page}/delete")).body;
    assert!(
        body.contains("/player-1/story.md") && !body.contains("/log"),
        "a leader who plays has no log: {body}"
    );
    assert_eq!(pia.get(&format!("{table}/gm/delete")).status, 404);
    let gone = pia.post(&format!("{page}/delete"), &[("sure", "yes")]).to.expect("where it is had back");
    assert!(gone.ends_with("/player-1/delete"), "{gone}");
    assert_eq!(quin.get(&other).status, 404);
    assert!(pia.get(&server.url).body.contains(&gone), "it is among their tables");
    for at in [&page, &table] {
        assert_eq!(pia.get(at).to.as_ref(), Some(&gone), "{at}");
    }
    for at in [&other, &page] {
        assert_eq!(quin.post(&format!("{at}/restore"), &[]).status, 404, "{at}");
    }
    let back = pia.post(&format!("{page}/restore"), &[]).to.expect("the table");
    assert_eq!((pia.get(&format!("{}{back}", server.url)).status, quin.get(&other).status), (200, 200));
}

#[test]
fn alone_it_is_one_press_in_every_system() {
    let server = Server::hurried();
    for encounter in ["judge-two/salt-gate", "afraid/the-back-room", "truth-and-light/the-broken-bridge"] {
        let form = Browser::new().get(&format!("{}/open/{encounter}", server.url)).body;
        assert!(form.contains("name=\"alone\" value=\"player-1\""), "{form}");
        let (me, page, table) = open(&server, encounter, &[("alone", "player-1")]);
        assert!(page.ends_with("/player-1"), "{page}");
        let head = head(&me, &page);
        let seats = head.matches("class=\"who\"").count();
        assert_eq!(head.matches("Played by the machine").count(), seats - 1, "{head}");
        assert_eq!(me.get(&format!("{table}/gm")).status, 404);
        assert!(me.get(&server.url).body.contains("/player-1"), "it is among their tables");
    }
    let (gm, page, _) = open(&server, "judge-two/salt-gate", &[("alone", "gm")]);
    assert!(page.ends_with("/gm") && head(&gm, &page).matches("Played by the machine").count() == 3);
    let nobody = Browser::new();
    for (fields, status) in [
        (&[("alone", "player-8")][..], 400),
        (&[("alone", "x")], 400),
        (&[("me", "player-8")], 400),
        (&[("me", "gm"), ("bot", "gm")], 422),
    ] {
        let response = nobody.post(&format!("{}/open/judge-two/salt-gate", server.url), fields);
        assert_eq!(response.status, status, "{fields:?}: {}", response.body);
    }
}

#[test]
fn programs_play_alone_too() {
    let server = Server::start();
    let nobody = Program::new(&server);
    let wanted = |alone: &str, bots: &[&str]| {
        nobody.post(
            "/tables",
            &json!({ "system": SYSTEM, "encounter": ENCOUNTER, "alone": alone, "bots": bots }),
        )
    };
    let made = wanted("player-2", &[]);
    assert_eq!(made.status, 201, "{made:?}");
    let (table, token) = (made.body["table"].as_str(), made.body["token"].as_str());
    let look = nobody.with(token.expect("a token")).get(&format!("/tables/{}", table.expect("an id")));
    assert_eq!(look.body["you"], "player-2", "{look:?}");
    for (alone, bots) in [("player-9", &[][..]), ("x", &[]), ("player-1", &["gm"])] {
        let response = wanted(alone, bots);
        assert_eq!((response.status, response.body["where"].as_str()), (422, Some("alone")), "{response:?}");
    }
}

#[test]
fn the_machine_begins_with_the_first_of_those_who_play() {
    let server = Server::hurried();
    let (gm, page, _) = open(&server, "afraid/the-back-room", &[("me", "nobody"), ("bot", "gm")]);
    assert!(page.ends_with("/gm"), "{page}");
    let lines = || gm.get(&page).body.matches("id=\"line-").count();
    let stream = gm.listen(&format!("{page}/stream"), None);
    stream.rest();
    assert!(gm.get(&page).body.contains(BEGINS));
    let before = lines();
    let (ana, anas) = join(&gm, &page, "player-1", "Ana");
    stream.rest();
    assert_eq!((lines(), gm.get(&page).body.contains(BEGINS)), (before, true), "let in, and not there yet");
    assert!(!ana.get(&anas).body.contains(BEGINS));
    assert!(!gm.get(&page).body.contains(BEGINS));
}

#[test]
fn nobody_knocks_at_their_own_door() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    assert_eq!(gm.post(&format!("{table}/passphrase"), &[("passphrase", "open, sesame")]).status, 303);
    let door = gm.get(&link(&gm, &table, "player-1")).to.expect("the door");
    let door = format!("{}{door}", server.url);
    assert!(!gm.get(&door).body.contains("passphrase"));
    assert_eq!(gm.post(&door, &[("name", "Pia")]).status, 303);
    let page = table.replace("/gm", "/player-1");
    assert_eq!(gm.get(&page).status, 200, "they are in");
    assert!(head(&gm, &table).contains("Pia"));
}

#[test]
fn that_nobody_else_reaches_this_machine_is_said_before_links_are_made() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let pages = |url: &str| {
        [format!("{url}/open/{SYSTEM}/{ENCOUNTER}"), table.replace(&server.url, url) + "/people"]
            .map(|page| gm.get(&page).body)
    };
    for page in pages(&server.url) {
        assert!(page.contains("fracas serve --lan") && page.contains("--base-url"), "{page}");
    }
    let own = server.again_configured(|config| config.command = "fracas serve --data here".to_owned());
    let page = gm.get(&format!("http://{}/open/{SYSTEM}/{ENCOUNTER}", own.address)).body;
    assert!(page.contains("fracas serve --data here --lan"), "{page}");
    let away = own.again_configured(|config| config.base_url = Some("https://play.example.org".to_owned()));
    let page = gm.get(&format!("http://{}/open/{SYSTEM}/{ENCOUNTER}", away.address)).body;
    assert!(page.contains("I play"), "{page}");
    assert!(!page.contains("fracas serve"), "{page}");
}

#[test]
fn the_machine_is_told_to_go_on_where_play_waits_for_it() {
    let server = Server::start();
    let bots = [("me", "player-1"), ("bot", "gm"), ("bot", "player-2"), ("bot", "player-3")];
    let (pia, page, _) = open(&server, "judge-two/salt-gate", &bots);
    let stream = pia.listen(&format!("{page}/stream"), None);
    let mut shown = pia.get(&page).body;
    for _ in 0..60 {
        let due = shown.contains("data-due");
        assert!(!due || !shown.contains("/go-on"), "play waits for the player: {shown}");
        if due {
            break;
        }
        stream.next();
        shown = pia.get(&page).body;
    }
    assert!(shown.contains("data-due"), "nothing was asked of the player");
    assert_eq!(pia.act(&format!("{page}/pause"), &[]).status, 200);
    assert_eq!(pia.act(&format!("{page}/bot"), &[("seat", "player-1"), ("on", "yes")]).status, 200);
    let shown = pia.get(&page).body;
    assert!(!shown.contains("/go-on"), "nothing goes on while it is paused: {shown}");
    assert_eq!(pia.act(&format!("{page}/resume"), &[]).status, 200);
    let shown = pia.get(&page).body;
    assert!(shown.contains("/go-on"), "all are the machine's: {shown}");
}

#[test]
fn the_rules_lead_back_to_the_table_from_which_they_were_opened() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let place = table.split("/t/").nth(1).expect("a table");
    let rules = format!("/rules/{SYSTEM}?from={place}");
    assert!(gm.get(&table).body.contains(&format!("href=\"{rules}\"")), "{rules}");
    let back = format!("href=\"/t/{place}\"");
    for query in ["", "&every=1", "&q=risk"] {
        let page = gm.get(&format!("{}{rules}{query}", server.url)).body;
        assert!(page.contains(&back) && page.contains(&format!("name=\"from\" value=\"{place}\"")), "{page}");
    }
    let clause = gm.get(&format!("{}/rules/{SYSTEM}/risk.cap?from={place}", server.url)).body;
    assert!(clause.contains(&format!("href=\"{rules}\"")), "{clause}");
    for elsewhere in ["//evil.example/gm", "x/y", "../gm", "x/gm/people"] {
        let page = gm.get(&format!("{}/rules/{SYSTEM}?from={elsewhere}", server.url)).body;
        assert!(page.contains("← Fracas") && !page.contains("href=\"/t/"), "{elsewhere}");
    }
}

#[test]
fn what_a_setting_stands_for_is_said_without_its_list() {
    let server = Server::start();
    for encounter in ["judge-two/salt-gate", "afraid/the-back-room", "truth-and-light/the-broken-bridge"] {
        let form = Browser::new().get(&format!("{}/open/{encounter}", server.url)).body;
        assert!(!form.contains("Values:") && !form.contains("as just said"), "{form}");
    }
}

/// The front page's line about a browser's only table.
fn listed(server: &Server, browser: &Browser) -> String {
    let body = browser.get(&format!("{}/", server.url)).body;
    let (_, tables) = body.split_once("Your tables</h2>").expect("tables");
    tables.split("</ul>").next().expect("a list").to_owned()
}

#[test]
fn the_front_page_says_what_each_table_is_at() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Zoe");
    let (eve, _) = join(&gm, &table, "watch", "Eve");
    let max = Browser::new();
    let door = max.get(&link(&gm, &table, "player-2")).to.expect("the door");
    max.post(&format!("{}{door}", server.url), &[("name", "Max")]);
    let says = |server: &Server, browser: &Browser, words: &str, dated: &str| {
        let tables = listed(server, browser);
        assert!(tables.contains(words) && tables.contains(dated), "{words}, {dated}: {tables}");
    };
    let ask = field(&ana.get(&page).body, "ask").expect("an ask");
    ana.act(&format!("{page}/answer"), &[("ask", &ask), ("answer", r#"{"begin":"@tamsin"}"#)]);
    let all = |server: &Server| {
        says(server, &ana, "Your move", "last played");
        for browser in [&gm, &eve] {
            says(server, browser, "Waits for <bdi>Zoe</bdi>", "last played");
        }
        let tables = listed(server, &max);
        assert!(tables.contains("You wait to be let in") && !tables.contains("Zoe"), "{tables}");
        assert!(!tables.contains("last played"), "{tables}");
    };
    all(&server);
    // After a restart, the server says the same of tables that nobody has opened.
    let server = server.again_there();
    all(&server);
    gm.act(&format!("{table}/pause"), &[]);
    says(&server, &ana, "Paused", "last played");
    gm.act(&format!("{table}/resume"), &[]);
    gm.act(&format!("{table}/bot"), &[("seat", "player-1"), ("on", "yes")]);
    assert!(!listed(&server, &ana).contains("Your move"), "the machine plays it");
}

#[test]
fn an_open_door_says_what_is_played_and_an_empty_table_leads_to_its_links() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[("bot", "player-3")]);
    let invited =
        |page: &str| page.split("class=\"invite").nth(1).map(|rest| rest[..500.min(rest.len())].to_owned());
    let invitation = invited(&gm.get(&table).body).expect("a way to the links");
    assert!(
        invitation.starts_with("\" data-keep=\"invite\" open")
            && invitation.contains("/gm/people")
            && invitation.contains("Ana")
            && !invitation.contains("Cyr"),
        "{invitation}"
    );
    let (max, page) = join(&gm, &table, "player-2", "Max");
    let zoe = Browser::new();
    let door = format!("{}{}", server.url, zoe.get(&link(&gm, &table, "player-1")).to.expect("the door"));
    zoe.post(&door, &[("name", "Zoe")]);
    let waiting = zoe.get(&door).body;
    assert!(
        waiting.contains("which is Light and which is Truth") && waiting.contains("/rules/judge-two"),
        "{waiting}"
    );
    assert_eq!(invited(&max.get(&page).body), None, "players invite nobody");
    let ask = field(&max.get(&page).body, "ask").expect("an ask");
    max.act(&format!("{page}/answer"), &[("ask", &ask), ("answer", r#"{"begin":"@oren"}"#)]);
    let folded = invited(&gm.get(&table).body).expect("Ana is still not here");
    assert!(folded.starts_with(" later\" data-keep=\"invite\">"), "play has begun: {folded}");
}

#[test]
fn an_overruling_is_told_once() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let fiat = [("form", "risk"), ("who", "@tamsin"), ("risk", "4")];
    assert_eq!(gm.act(&format!("{table}/overrule"), &fiat).status, 200);
    let body = gm.get(&table).body;
    assert!(body.contains("<b>The gamemaster overrules.</b> Tamsin: risk 4 (was 0)."), "{body}");
    assert!(!body.contains("gamemaster's word"), "{body}");
}
