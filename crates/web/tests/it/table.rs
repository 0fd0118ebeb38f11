//! A table as people use it, over a socket.

use crate::common::program::Program;
use crate::common::{Browser, Server, field, fields, join, link};
use serde_json::json;

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";

#[test]
fn somebody_opens_a_table_and_friends_come_in_by_links() {
    let server = Server::start();
    let front = Browser::new().get(&server.url);
    assert_eq!(front.status, 200);
    assert!(front.body.contains("/open/judge-two/salt-gate"));
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[("title", "Friday's game")]);
    assert!(gm.get(&table).body.contains("Friday's game"));
    assert!(gm.get(&server.url).body.contains("Friday's game"), "it is among one's tables");

    // A stranger finds nothing, whether or not the table exists.
    let stranger = Browser::new();
    let absent = stranger.get(&format!("{}/t/nosuchtable/gm", server.url));
    let there = stranger.get(&table);
    assert_eq!((absent.status, &absent.body), (404, &there.body));
    assert_eq!(there.status, 404);

    // A link is exchanged at once; the person then waits to be admitted.
    let link = link(&gm, &table, "player-1");
    let ana = Browser::new();
    let joined = ana.get(&link);
    let door = format!("{}{}", server.url, joined.to.expect("the door"));
    assert!(!door.contains("join"), "the secret is gone from the address");
    assert!(joined.headers.contains("HttpOnly") && joined.headers.contains("SameSite=Lax"));
    assert_eq!(ana.post(&door, &[("name", "  ")]).status, 200, "who are you?");
    assert_eq!(ana.post(&door, &[("name", "Ana <b>")]).status, 303);
    let page = table.replace("/gm", "/player-1");
    assert_eq!(ana.get(&page).status, 303, "still outside");
    assert!(ana.get(&door).body.contains("knocked"));
    // Opening the link again withdraws nothing.
    assert_eq!(ana.get(&link).status, 303);
    assert!(ana.get(&door).body.contains("knocked"));
    let knock = "Ana &lt;b&gt;</bdi></b>, to be <bdi>Tamsin</bdi>";
    assert!(gm.get(&table).body.contains(knock), "who knocks, and as whom");
    let people = gm.get(&format!("{table}/people")).body;
    assert!(people.contains("Ana &lt;b&gt;") && !people.contains("Ana <b>"));
    let browser = field(&people, "browser").expect("somebody at the door");
    gm.post(&format!("{table}/admit"), &[("browser", &browser), ("role", "player-1"), ("in", "yes")]);
    assert_eq!(ana.get(&page).status, 200);
    assert_eq!(ana.get(&table).status, 404, "a player is not the gamemaster");

    // The same link serves another device; when it is revoked, both are out.
    let phone = Browser::new();
    assert_eq!(phone.get(&link).status, 303);
    let stream = ana.listen(&format!("{page}/stream"), None);
    stream.next();
    let people = gm.get(&format!("{table}/people")).body;
    let hash = field(&people, "hash").expect("the link");
    gm.post(&format!("{table}/revoke"), &[("hash", &hash)]);
    stream.rest();
    gm.act(&format!("{table}/note"), &[("text", "Now that Ana is gone"), ("to", "all")]);
    assert!(stream.rest().is_empty(), "an open stream ends with its place");
    assert_eq!(ana.get(&page).status, 404);
    assert_eq!(Browser::new().get(&link).status, 404);
}

#[test]
fn what_is_accepted_is_there_after_a_restart_and_what_is_sent_again_is_not_doubled() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let note = format!("{table}/note");
    for _ in 0..3 {
        let done = gm.act(&note, &[("text", "Rain on the salt."), ("to", "all"), ("key", "abc")]);
        assert_eq!((done.status, done.body.as_str()), (200, r#"{"done":true}"#));
    }
    let page = gm.get(&table).body;
    assert_eq!(page.matches("Rain on the salt.").count(), 1);
    let at = table.strip_prefix(&server.url).expect("its path").to_owned();
    let server = server.again();
    let table = format!("{}{at}", server.url);
    let page = gm.get(&table);
    assert_eq!(page.body.matches("Rain on the salt.").count(), 1, "{}", page.status);
    // Under the same key it is the same command, even now.
    gm.act(&format!("{table}/note"), &[("text", "Rain on the salt."), ("key", "abc")]);
    assert_eq!(gm.get(&table).body.matches("Rain on the salt.").count(), 1);
}

#[test]
fn whoever_knocked_is_not_forgotten_and_whoever_was_turned_away_may_be_let_in_after_all() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let ana = Browser::new();
    let door = ana.get(&link(&gm, &table, "player-1")).to.expect("the door");
    ana.post(&format!("{}{door}", server.url), &[("name", "Ana")]);
    let path = table.split("/t/").nth(1).expect("its path").to_owned();
    let server = server.again();
    let table = format!("{}/t/{path}", server.url);
    assert!(gm.get(&table).body.contains("At the door"));
    let people = gm.get(&format!("{table}/people")).body;
    let browser = field(&people, "browser").expect("somebody at the door");
    let admit = |verdict: &str| {
        let fields = [("browser", browser.as_str()), ("role", "player-1"), ("in", verdict)];
        gm.post(&format!("{table}/admit"), &fields)
    };
    assert_eq!(admit("no").to, Some(format!("/t/{path}/people")));
    // Opening the door to everybody decides nothing about her.
    gm.post(&format!("{table}/door"), &[("door", "open")]);
    assert!(gm.get(&format!("{table}/people")).body.contains("Turned away"));
    admit("yes");
    assert_eq!(ana.get(&table.replace("/gm", "/player-1")).status, 200);
}

#[test]
fn whoever_lets_somebody_in_at_the_table_stays_there() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let ana = Browser::new();
    let door = ana.get(&link(&gm, &table, "player-1")).to.expect("the door");
    ana.post(&format!("{}{door}", server.url), &[("name", "Ana")]);
    let page = gm.get(&table).body;
    let from = field(&page, "from").expect("the page names itself");
    assert!(!gm.get(&format!("{table}/people")).body.contains("name=\"from\""));
    let browser = field(&page, "browser").expect("somebody at the door");
    let admit = |from: &str| {
        let fields = [("browser", browser.as_str()), ("role", "player-1"), ("in", "yes"), ("from", from)];
        let url = format!("{table}/admit");
        (gm.post(&url, &fields).to.expect("a place"), gm.act(&url, &fields).body)
    };
    let path = table.trim_start_matches(&server.url);
    let (elsewhere, _) = admit("//evil.example");
    assert_eq!(elsewhere, format!("{path}/people"), "nowhere else");
    let (to, response) = admit(&from);
    assert_eq!((to.as_str(), response.as_str()), (path, r#"{"done":true}"#));
    assert!(!gm.get(&table).body.contains("At the door"));
}

#[test]
fn one_button_makes_a_link_for_each_player_and_an_open_door_lets_in_whoever_waits() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[("bot", "player-3")]);
    let made = gm.post(&format!("{table}/links"), &[("role", "players"), ("kind", "invite")]).body;
    let links: Vec<&str> = made
        .split("value=\"http")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|link| link.contains("/join/"))
        .collect();
    assert_eq!(links.len(), 2, "not for the machine's seat: {made}");
    let comers: Vec<Browser> = links.iter().map(|_| Browser::new()).collect();
    for (comer, link) in comers.iter().zip(&links) {
        let door = comer.get(&format!("http{link}")).to.expect("the door");
        comer.post(&format!("{}{door}", server.url), &[("name", "Ana")]);
    }
    gm.post(&format!("{table}/door"), &[("door", "open")]);
    for (n, comer) in (1..).zip(&comers) {
        assert_eq!(comer.get(&table.replace("/gm", &format!("/player-{n}"))).status, 200);
    }
}

#[test]
fn a_form_without_script_that_is_sent_twice_is_done_once() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let at = field(&gm.get(&table).body, "at").expect("where the page stands");
    let write = |at: &str, text: &str| {
        let fields = [("at", at), ("text", text), ("to", "all")];
        assert_eq!(gm.post(&format!("{table}/note"), &fields).status, 303);
    };
    write(&at, "Rain on the salt.");
    write(&at, "Rain on the salt.");
    write(&at, "And wind.");
    let again = field(&gm.get(&table).body, "at").expect("where the page stands");
    write(&again, "Rain on the salt.");
    let story = gm.get(&format!("{table}/story.md")).body;
    assert_eq!((story.matches("Rain on the salt.").count(), story.matches("And wind.").count()), (2, 1));
}

#[test]
fn real_dice_are_typed_with_spaces_or_without() {
    for (typed, status) in [("6 1", 200), ("61", 200), ("6, 1", 200), ("7 1", 422), ("71", 422), ("611", 422)]
    {
        let server = Server::hurried();
        let bots = [("bot", "gm"), ("bot", "player-2"), ("bot", "player-3")];
        let (gm, table) = server.table(SYSTEM, ENCOUNTER, &bots);
        gm.act(&format!("{table}/pace"), &[("grace", "0")]);
        let (ana, page) = join(&gm, &table, "player-1", "Ana");
        let roll = rolls(&ana, &page);
        let thrown = ana.act(&format!("{page}/throw"), &[("roll", &roll), ("faces", typed)]);
        assert_eq!(thrown.status, status, "{typed}: {}", thrown.body);
    }
}

/// Answers asks until two dice are this player's to throw. Returns the roll.
fn rolls(ana: &Browser, page: &str) -> String {
    for n in 0..400 {
        let moment = ana.get(page).body;
        if let Some(roll) = field(&moment, "roll") {
            if moment.contains("Throw 2d6") {
                return roll;
            }
            ana.act(&format!("{page}/throw"), &[("roll", &roll)]);
        } else if let Some(ask) = field(&moment, "ask") {
            let answers = fields(&moment, "answer");
            let answer = answers.get(n % answers.len().max(1)).cloned().unwrap_or_default();
            ana.act(&format!("{page}/answer"), &[("ask", &ask), ("answer", &answer), ("aloud", "yes")]);
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("no two dice were to be thrown");
}

#[test]
fn an_answer_names_its_ask_and_a_stale_one_changes_nothing() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let (bo, other) = join(&gm, &table, "player-2", "Bo");
    let shown = ana.get(&page).body;
    let ask = field(&shown, "ask").expect("something is asked");
    let answer = fields(&shown, "answer").first().cloned().expect("answers");
    // Without script: a plain form, and the page again.
    let done =
        ana.post(&format!("{page}/answer"), &[("ask", &ask), ("answer", &answer), ("text", "I go first!")]);
    assert_eq!((done.status, done.to.is_some()), (303, true), "{}", done.body);
    assert!(bo.get(&other).body.contains("I go first!"));
    let lines = |browser: &Browser, page: &str| browser.get(page).body.matches("id=\"line-").count();
    let before = lines(&gm, &table);
    let again =
        ana.post(&format!("{page}/answer"), &[("ask", &ask), ("answer", &answer), ("text", "kept words")]);
    assert_eq!(again.status, 409);
    assert!(again.body.contains("kept words"), "what was written is not lost");
    // Nonsense of every kind is reported, and has no effect.
    for (path, form) in [
        ("answer", &[("ask", "0.1"), ("answer", "{}")][..]),
        ("answer", &[("answer", "{}")]),
        ("answer", &[]),
        ("throw", &[("roll", "roll-1"), ("faces", "1 2 x")]),
        ("throw", &[("roll", "roll-1")]),
        ("throw", &[("faces", "999999999999")]),
        ("note", &[("text", "   ")]),
        ("note", &[("text", "x"), ("to", "player-99")]),
        ("note", &[("text", &"x".repeat(9_000))]),
        ("stand", &[("reply", "{{{"), ("on", "yes")]),
        ("undo", &[]),
        ("rewind", &[("to", "0")]),
        ("resume", &[]),
        ("bot", &[("seat", "gm"), ("on", "yes")]),
    ] {
        let reply = bo.act(&format!("{other}/{path}"), form);
        assert!((400..500).contains(&reply.status), "{path} {form:?}: {} {}", reply.status, reply.body);
        assert!(reply.body.contains("why"), "{path}: {}", reply.body);
    }
    assert_eq!(lines(&gm, &table), before);
}

#[test]
fn streams_bring_what_changes_and_nothing_of_what_is_not_for_them() {
    const CANARY: &str = "canary-7f3a";
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, ana_page) = join(&gm, &table, "player-1", "Ana");
    let (bo, bo_page) = join(&gm, &table, "player-2", "Bo");
    let (eve, eve_page) = join(&gm, &table, "watch", "Eve");
    let mark = |browser: &Browser, page: &str| {
        let body = browser.get(page).body;
        let at = body.find("data-mark=\"").expect("a mark") + 11;
        body[at..].split('"').next().expect("a mark").to_owned()
    };
    let streams: Vec<_> = [(&ana, &ana_page), (&bo, &bo_page), (&eve, &eve_page)]
        .into_iter()
        .map(|(browser, page)| browser.listen(&format!("{page}/stream?have={}", mark(browser, page)), None))
        .collect();
    // Everybody sees whose stream is open: let that settle.
    for stream in &streams {
        stream.rest();
    }
    gm.act(&format!("{table}/note"), &[("text", CANARY), ("to", "gm")]);
    gm.act(&format!("{table}/note"), &[("text", "canary-7f3a, for Bo"), ("to", "player-2")]);
    assert!(streams[1].until(CANARY).1.contains("for Bo"));
    let heard: Vec<Vec<String>> = streams.iter().map(|stream| stream.rest()).collect();
    assert_eq!(
        (&heard[0][..], &heard[2][..]),
        (&[][..], &[][..]),
        "not so much as that something was written"
    );
    gm.act(&format!("{table}/note"), &[("text", "Everybody listens."), ("to", "all")]);
    let (id, said) = streams[0].until("Everybody listens.");
    assert!(said.contains("say"), "{said}");
    // A stream that broke continues where it was.
    gm.act(&format!("{table}/note"), &[("text", "While you were away."), ("to", "all")]);
    let back = ana.listen(&format!("{ana_page}/stream"), Some(&id));
    assert!(back.next().1.contains("While you were away."));
    // Nothing else that they can load contains it either.
    for (browser, page) in [(&ana, &ana_page), (&eve, &eve_page)] {
        for path in ["", "/story", "/story.md", "/choices?ask=1.1", "/due", "/log", "/people"] {
            let reply = browser.get(&format!("{page}{path}"));
            assert!(!reply.body.contains(CANARY) && !reply.headers.contains(CANARY), "{page}{path}");
        }
    }
}

#[test]
fn everything_has_its_place_and_no_role_more_than_its_own() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    let nobody = Browser::new();
    for path in ["people", "log"] {
        assert_eq!(gm.get(&format!("{table}/{path}")).status, 200, "{path}");
        assert_eq!(ana.get(&format!("{page}/{path}")).status, 404, "{path}");
        assert_eq!(eve.get(&format!("{watch}/{path}")).status, 404, "{path}");
    }
    for path in ["links", "revoke", "admit", "door"] {
        assert_eq!(
            ana.post(&format!("{page}/{path}"), &[("role", "gm"), ("door", "open")]).status,
            404,
            "{path}"
        );
    }
    for path in ["overrule", "undo", "rewind", "resume", "bot"] {
        let form = [("form", "cancel"), ("to", "0"), ("seat", "gm"), ("on", "yes")];
        assert!((400..500).contains(&ana.act(&format!("{page}/{path}"), &form).status), "{path}");
    }
    for path in ["answer", "throw", "note", "stand", "take-back", "throws"] {
        let form = [("ask", "1.1"), ("answer", "{}"), ("text", "hi"), ("reply", "{}"), ("on", "yes")];
        assert!((400..500).contains(&eve.act(&format!("{watch}/{path}"), &form).status), "{path}");
    }
    for path in ["", "/stream", "/choices", "/story", "/story.md", "/log", "/due", "/people", "/knock"] {
        assert_eq!(nobody.get(&format!("{table}{path}")).status, 404, "{path}");
    }
    // A request from another site has no effect.
    let foreign = ureq::post(&format!("{table}/note"))
        .header("origin", "https://evil.example")
        .config()
        .http_status_as_error(false)
        .build()
        .send_form([("text", "forged")])
        .expect("an answer");
    assert_eq!(foreign.status(), 403);
    // Every page says what a browser may do with it.
    let reply = gm.get(&table);
    assert!(
        reply.headers.contains("default-src 'none'") && !reply.headers.contains("unsafe"),
        "{}",
        reply.headers
    );
    // With `no-referrer` browsers would hide where our own forms come from.
    assert!(reply.headers.contains("referrer-policy: same-origin"), "{}", reply.headers);
    assert!(!reply.body.contains("style=\"") && !reply.body.contains(" onclick"), "nothing inline");
}

#[test]
fn many_who_look_on_do_not_stand_in_the_way_of_who_writes() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let streams: Vec<_> = (0..6).map(|_| gm.listen(&format!("{table}/stream"), None)).collect();
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let (gm, note) = (&gm, format!("{table}/note"));
            scope.spawn(move || {
                for n in 0..15 {
                    let text = format!("word {writer}-{n}");
                    assert_eq!(gm.act(&note, &[("text", text.as_str())]).status, 200);
                }
            });
        }
        for _ in 0..2 {
            let (gm, table) = (&gm, &table);
            scope.spawn(move || (0..20).for_each(|_| assert_eq!(gm.get(table).status, 200)));
        }
    });
    for stream in &streams {
        let heard = stream.rest().concat();
        assert!(
            (0..3).all(|writer| heard.contains(&format!("word {writer}-14"))),
            "everybody hears everything"
        );
    }
}

#[test]
fn a_throw_names_its_roll_and_what_is_taken_back_stays_so_for_the_machine() {
    let server = Server::start();
    let bots = [("bot", "gm"), ("bot", "player-1"), ("bot", "player-2"), ("bot", "player-3")];
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &bots);
    let stream = gm.listen(&format!("{table}/stream"), None);
    (0..4).for_each(|_| drop(stream.next()));
    assert_eq!(gm.act(&format!("{table}/undo"), &[]).status, 200);
    stream.rest();
    let held = gm.get(&table).body;
    assert!(held.contains("the machine waits until somebody acts"), "{held}");
    assert!(stream.rest().is_empty());
    // What only the gamemaster counts moves no machine.
    assert!(held.contains("Levies down"), "{held}");
    assert_eq!(gm.act(&format!("{table}/tally"), &[("nth", "0"), ("by", "1")]).status, 200);
    stream.rest();
    let held = gm.get(&table).body;
    assert!(held.contains("the machine waits until somebody acts") && held.contains("1/2"), "{held}");
    for bad in [&[("nth", "9"), ("by", "1")][..], &[("nth", "0"), ("by", "x")], &[("by", "1")], &[]] {
        assert_eq!(gm.act(&format!("{table}/tally"), bad).status, 422, "{bad:?}");
    }
    assert_eq!(gm.act(&format!("{table}/tally"), &[("nth", "0"), ("by", "-30000")]).status, 200);
    assert!(gm.get(&table).body.contains("0/2"));
    assert_eq!(gm.act(&format!("{table}/go-on"), &[]).status, 200);
    stream.next();
    let stale = gm.act(&format!("{table}/throw"), &[("roll", "roll-0")]);
    assert_eq!(stale.status, 409, "{}", stale.body);
}

#[test]
fn anybody_may_pause_unnamed_and_the_gamemaster_resumes() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    assert_eq!(ana.act(&format!("{page}/pause"), &[]).status, 200);
    let shown = gm.get(&table).body;
    assert!(shown.contains("Somebody wants a pause."));
    let ask = "1.1";
    assert_eq!(ana.act(&format!("{page}/answer"), &[("ask", ask), ("answer", "{}")]).status, 423);
    assert_eq!(ana.act(&format!("{page}/note"), &[("text", "a moment, please")]).status, 200);
    assert_eq!(ana.act(&format!("{page}/resume"), &[]).status, 403);
    assert_eq!(gm.act(&format!("{table}/resume"), &[]).status, 200);
    assert!(!gm.get(&table).body.contains("Somebody wants a pause."));
}

#[test]
fn the_machine_plays_every_seat_of_every_system() {
    let server = Server::start();
    for (system, encounter) in
        [("judge-two", "salt-gate"), ("afraid", "the-back-room"), ("truth-and-light", "the-broken-bridge")]
    {
        let bots: Vec<(&str, &str)> =
            ["gm", "player-1", "player-2", "player-3"].into_iter().map(|seat| ("bot", seat)).collect();
        let (gm, table) = server.table(system, encounter, &bots);
        let stream = gm.listen(&format!("{table}/stream"), None);
        let heard = (0..8).map(|_| stream.next().1).collect::<String>();
        assert!(heard.contains("lines"), "{system}: {heard}");
        let story = gm.get(&format!("{table}/story.md")).body;
        assert!(story.starts_with("# ") && story.len() > 60, "{system}: {story}");
    }
}

#[test]
fn players_are_called_as_the_gamemaster_calls_them() {
    let server = Server::start();
    let open = format!("{}/open/{SYSTEM}/{ENCOUNTER}", server.url);
    let form = Browser::new().get(&open).body;
    assert_eq!(field(&form, "player.player-1").as_deref(), Some(""), "nobody has said yet");
    assert!(form.contains("placeholder=\"Ana\""), "as the encounter says");
    let called = [("player.player-1", " Mia "), ("player.player-2", "")];
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &called);
    let people = gm.get(&format!("{table}/people")).body;
    assert!(people.contains("Mia") && !people.contains("Ana"), "{people}");
    assert!(people.contains("Bo"), "whoever is not named keeps their name");
    // Invalid values are reported, and the filled-in form is kept.
    let twice = gm.post(&open, &[("player.player-1", "Mia"), ("player.player-2", "Mia")]);
    assert_eq!(field(&twice.body, "player.player-2").as_deref(), Some("Mia"), "{}", twice.body);
    assert_eq!(gm.post(&open, &[("player.nobody", "Mia")]).status, 400);
}

#[test]
fn a_deed_is_said_in_words_or_aloud_and_the_gamemaster_is_asked_in_these_words() {
    let server = Server::start();
    for said in [("text", "lifts the *lamp* off its hook"), ("aloud", "yes")] {
        let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
        let (ana, page) = join(&gm, &table, "player-1", "Ana");
        let answer = |answer: &str, more: &[(&str, &str)]| {
            let ask = field(&ana.get(&page).body, "ask").expect("something is asked");
            let fields = [("ask", ask.as_str()), ("answer", answer)];
            ana.act(&format!("{page}/answer"), &[&fields[..], more].concat())
        };
        assert_eq!(answer(r#"{"begin":"@tamsin"}"#, &[]).status, 200, "who begins needs no words");
        let deed = r#"{"deed":"other"}"#;
        let form = ana.get(&page).body;
        let card = form.split("<label class=\"choice\"").find(|card| card.contains("&quot;other&quot;"));
        assert!(card.expect("the deed").contains("data-words=\"beside\""), "{card:?}");
        assert!(form.contains("What do you do?") && form.contains("I say it aloud"));
        for nothing in [&[][..], &[("text", " ")]] {
            let refused = answer(deed, nothing);
            assert_eq!(refused.status, 422);
            assert!(refused.body.contains("What do you do?"), "{}", refused.body);
        }
        assert_eq!(answer(deed, &[said]).status, 200);
        let asked = gm.get(&table).body;
        let moment = asked.split("id=\"moment\"").nth(1).and_then(|rest| rest.split("id=\"cast\"").next());
        let count = moment.expect("the moment").matches("the <em>lamp</em> off").count();
        assert_eq!(count, usize::from(said.0 == "text"), "once, in the question: {asked}");
        assert_eq!(asked.contains("class=\"quoted\""), said.0 == "text");
        // They are not shown at the next question.
        let ask = field(&asked, "ask").expect("is it a deed?");
        gm.act(&format!("{table}/answer"), &[("ask", &ask), ("answer", "\"yes\"")]);
        assert!(!gm.get(&table).body.contains("class=\"quoted\""));
    }
}

#[test]
fn words_beside_a_turns_begin_are_not_about_what_is_done_in_it() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, anas) = join(&gm, &table, "player-1", "Ana");
    let (cy, cys) = join(&gm, &table, "player-3", "Cy");
    let answer = |who: &Browser, page: &str, answer: &str, text: &str| {
        let ask = field(&who.get(page).body, "ask").expect("something is asked");
        let fields = [("ask", ask.as_str()), ("answer", answer), ("text", text)];
        assert_eq!(who.act(&format!("{page}/answer"), &fields).status, 200, "{answer}");
    };
    answer(&ana, &anas, r#"{"begin":"@ilka"}"#, "Ilka first!");
    answer(&cy, &cys, r#"{"deed":"other"}"#, "kicks the lamp over");
    let asked = gm.get(&table).body;
    assert!(asked.contains("class=\"quoted\" dir=\"auto\"><p>kicks the lamp over"), "{asked}");
    let ask = field(&asked, "ask").expect("is it a deed?");
    gm.act(&format!("{table}/answer"), &[("ask", &ask), ("answer", "\"yes\"")]);
    let attack = cy.get(&cys).body;
    let attack = attack.split("value=\"").find(|item| item.starts_with("{&quot;attack")).expect("an attack");
    let attack = attack.split('"').next().expect("its end").replace("&quot;", "\"");
    answer(&cy, &cys, &attack, "");
    let asked = gm.get(&table).body;
    assert!(asked.contains("attacks") && !asked.contains("class=\"quoted\""), "{asked}");
}

#[test]
fn words_of_one_player_are_not_quoted_for_the_deed_of_another() {
    let server = Server::start();
    let (gm, table) = server.table("clash", "the-price-of-lamps", &[]);
    let (ana, anas) = join(&gm, &table, "player-1", "Ana");
    let (bo, bos) = join(&gm, &table, "player-2", "Bo");
    let answer = |who: &Browser, page: &str, begins: &str, more: (&str, &str)| {
        let body = who.get(page).body;
        let ask = field(&body, "ask").expect("something is asked");
        let answers = fields(&body, "answer");
        let answer = answers.iter().find(|answer| answer.starts_with(begins)).expect("it is listed");
        let sent = who.act(&format!("{page}/answer"), &[("ask", ask.as_str()), ("answer", answer), more]);
        assert_eq!(sent.status, 200, "{answer}: {}", sent.body);
    };
    answer(&bo, &bos, r#"{"cast""#, ("text", "reads a deed aloud"));
    answer(&gm, &table, "\"passes\"", ("text", ""));
    answer(&bo, &bos, r#"{"lay""#, ("text", "and the ink moves"));
    answer(&ana, &anas, r#"{"try""#, ("aloud", "yes"));
    let asked = gm.get(&table).body;
    assert!(asked.contains("Which Symbols?") && !asked.contains("class=\"quoted\""), "{asked}");
}

#[test]
fn a_standing_reply_is_told_for_the_moment_and_offered_once() {
    let server = Server::start();
    let (gm, table) = server.table("clash", "the-price-of-lamps", &[]);
    let offer = r#"name="form" value="pass-clash""#;
    assert!(gm.get(&table).body.contains(offer));
    assert_eq!(gm.act(&format!("{table}/stand"), &[("form", "pass-clash"), ("on", "yes")]).status, 200);
    let page = gm.get(&table).body;
    assert!(!page.contains(offer) && page.contains("Passes on the Stack in the next Clash"), "{page}");
    for (reply, says) in [
        (r#"{"pass-on":3}"#, "Not a standing reply of this game"),
        (r#"{"pass-below":0}"#, "Nothing deals less than 0 Damage"),
    ] {
        let refused = gm.act(&format!("{table}/stand"), &[("reply", reply), ("on", "yes")]);
        assert!(refused.body.contains(says) && !refused.body.contains("expected"), "{}", refused.body);
    }
}

#[test]
fn a_clash_has_a_director_everywhere() {
    let server = Server::start();
    let (gm, table) = server.table("clash", "the-price-of-lamps", &[]);
    let (ana, anas) = join(&gm, &table, "player-1", "Ana");
    for page in [gm.get(&table).body, ana.get(&anas).body, gm.get(&format!("{table}/people")).body] {
        assert!(page.contains("Director") && !page.to_lowercase().contains("gamemaster"), "{page}");
    }
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    assert!(gm.get(&table).body.contains("The gamemaster"));
}

#[test]
fn everybody_is_told_what_it_is_about_and_whom_they_play() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let about = "It is night at the salt gate";
    for (who, at) in [(&gm, &table), (&ana, &page)] {
        let body = who.get(at).body;
        assert_eq!(body.matches(about).count(), 2, "in the moment and the story: {body}");
    }
    assert!(ana.get(&page).body.contains("You play <b><bdi>Tamsin</bdi></b>"));
    assert!(!gm.get(&table).body.contains("You play"));
}

#[test]
fn the_front_page_says_where_to_begin() {
    let server = Server::start();
    let page = Browser::new().get(&server.url).body;
    for system in fracas_systems::all() {
        let about = fracas_systems::introduction(system).about;
        let (_, after) = page.split_once(about).expect("what it is like");
        let offered = fracas_systems::offered(system).expect("they are TOML");
        let at = |words: &str| after.find(words).unwrap_or_else(|| panic!("no {words:?} after {about:?}"));
        let link = |n: usize| at(&format!("href=\"/open/{}/{}\"", system.id, offered[n].id));
        assert!(link(0) < at("Begin here") && at("Begin here") < link(1), "{}", system.id);
    }
    assert_eq!(page.matches("Begin here").count(), fracas_systems::all().len());
    // The number of players of an encounter is said once.
    assert!(!page.contains(" players.</span>"), "{page}");
}

#[test]
fn a_sheet_has_all_of_a_card_and_no_more() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let sheet = ana.get(&format!("{page}/sheet/tamsin")).body;
    for said in
        ["<h1><bdi>Tamsin</bdi></h1>", "River Rush", "Hookblade", "strength", "Quilted Coat", "Ferry Guard"]
    {
        assert!(sheet.contains(said), "{said}: {sheet}");
    }
    // Of a foe a player reads what the card says.
    let foe = ana.get(&format!("{page}/sheet/gatewarden")).body;
    assert!(foe.contains("power level") && !foe.contains("data-about"), "{foe}");
    assert!(!foe.contains("Overrule"), "{foe}");
    let own = gm.get(&format!("{table}/sheet/gatewarden")).body;
    assert!(own.contains("Overrule"), "{own}");
    for nobody in ["nobody", "briefing", "salt-gate", "%00", "TAMSIN"] {
        assert_eq!(ana.get(&format!("{page}/sheet/{nobody}")).status, 404, "{nobody}");
    }
}

#[test]
fn what_is_counted_is_the_gamemasters_alone() {
    let server = Server::start();
    let nobody = Program::new(&server);
    let (gm, table) = nobody.open(SYSTEM, ENCOUNTER, &[]);
    let at = format!("/tables/{table}");
    let count = |nth: u32, to: u32| gm.post(&format!("{at}/tally"), &json!({ "nth": nth, "at": to })).status;
    assert_eq!((count(0, 2), count(9, 1), count(0, 1000)), (200, 422, 422));
    let desk = gm.get(&at).body["desk"].clone();
    assert_eq!((&desk["tallies"][0]["at"], &desk["tallies"][0]["to"]), (&json!(2), &json!(2)), "{desk}");
    assert!(desk["calls"][0].is_string(), "{desk}");
    assert!(gm.make(&table, "play", "player-1").get(&at).body["desk"].is_null());
    // Another evening begins to count anew.
    let next = gm.post(&format!("{at}/next"), &json!({ "encounter": ENCOUNTER, "party": "its" })).body;
    let word = |field: &str| next[field].as_str().unwrap_or_else(|| panic!("{next}"));
    let there = gm.with(word("token")).get(&format!("/tables/{}", word("table"))).body["desk"].clone();
    assert_eq!((&there["tallies"][0]["at"], &there["tallies"][0]["to"]), (&json!(0), &json!(2)), "{there}");
    assert_eq!(there["calls"], desk["calls"]);
}

#[test]
fn who_waits_at_the_door_meets_their_character_and_no_more() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let eve = Browser::new();
    let door = eve.get(&link(&gm, &table, "player-1")).to.expect("the door");
    let door = format!("{}{door}", server.url);
    assert!(!eve.get(&door).body.contains("Tamsin is"), "before a name is given");
    assert_eq!(eve.post(&door, &[("name", "Eve")]).status, 303);
    let page = eve.get(&door).body;
    for shown in ["Whom you play", "Tamsin", "With you", "Oren"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    for hidden in ["Gatewarden", ">Bo<", ">Cyr<", "Levies down"] {
        assert!(!page.contains(hidden), "{hidden}: {page}");
    }
    gm.post(&format!("{table}/passphrase"), &[("passphrase", "grey heron")]);
    let page = eve.get(&door).body;
    assert!(page.contains("You have knocked") && !page.contains("Whom you play"), "{page}");
    gm.post(&format!("{table}/passphrase"), &[("passphrase", "")]);
    let people = gm.get(&format!("{table}/people")).body;
    let who = field(&people, "browser").expect("somebody at the door");
    gm.post(&format!("{table}/admit"), &[("browser", &who), ("role", "player-1"), ("in", "no")]);
    let page = eve.get(&door).body;
    assert!(page.contains("You have not been let in") && !page.contains("Tamsin"), "{page}");
}
