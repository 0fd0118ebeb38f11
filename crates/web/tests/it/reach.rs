//! Things are where people look for them: the pause, the ask, the result.

use crate::common::{Browser, Server, field, fields, join};
use fracas_systems::has;

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";

/// The part of a page between two texts.
fn between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    let begin = page.find(from).unwrap_or_else(|| panic!("no {from} in {page}"));
    let end = page[begin..].find(to).unwrap_or_else(|| panic!("no {to} after {from} in {page}"));
    &page[begin..begin + end]
}

fn moment(page: &str) -> &str {
    between(page, "id=\"moment\"", "id=\"cast\"")
}

/// Answers the first ask with the first answer on offer.
fn answers(browser: &Browser, page: &str, text: &str) {
    let shown = browser.get(page).body;
    let ask = field(&shown, "ask").expect("something is asked");
    let answer = fields(&shown, "answer").first().cloned().expect("answers");
    let done = browser.act(
        &format!("{page}/answer"),
        &[("ask", &ask), ("answer", &answer), ("text", text), ("aloud", "yes")],
    );
    assert_eq!(done.status, 200, "{}", done.body);
}

#[test]
fn anybody_finds_the_pause_in_the_header_and_what_is_asked_comes_first() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    for (browser, page) in [(&gm, &table), (&ana, &page), (&eve, &watch)] {
        let shown = browser.get(page).body;
        assert_eq!(shown.matches("/pause\"").count(), 1, "{shown}");
        assert!(between(&shown, "<header", "</header>").contains("/pause\""), "{shown}");
        let places = ["<header", "id=\"moment\"", "id=\"cast\"", "id=\"story\"", "id=\"tools\""];
        let places = places.map(|part| shown.find(part).expect(part));
        assert!(places.is_sorted(), "{places:?}");
    }
    // As a plain form, unnamed; then the button is gone.
    assert_eq!(eve.post(&format!("{watch}/pause"), &[]).status, 303);
    let shown = ana.get(&page).body;
    assert!(!shown.contains("/pause\"") && shown.contains("Paused"), "{shown}");
}

/// The gamemaster answers the asks of others until dice fall.
fn stands_in_until_dice_fall(gm: &Browser, table: &str) {
    for step in 0..60 {
        let shown = gm.get(table).body;
        if let Some(roll) = field(&shown, "roll") {
            assert_eq!(gm.act(&format!("{table}/throw"), &[("roll", &roll)]).status, 200);
            return;
        }
        let mut forms: Vec<_> = shown
            .split("class=\"answer\"")
            .skip(1)
            .filter_map(|form| {
                let answers = fields(form, "answer");
                let answer = answers.get(step * 7 % answers.len().max(1))?.clone();
                Some((field(form, "of"), field(form, "ask")?, answer))
            })
            .collect();
        forms.sort_by_key(|(of, ..)| of.is_none());
        let taken = forms.iter().any(|(of, ask, answer)| {
            let of = of.as_deref().unwrap_or("gm");
            let sent = [("ask", ask.as_str()), ("of", of), ("answer", answer), ("aloud", "yes")];
            gm.act(&format!("{table}/answer"), &sent).status == 200
        });
        assert!(taken, "nothing is taken of the gamemaster");
    }
    panic!("no dice fell");
}

#[test]
fn what_the_gamemaster_does_for_a_player_is_told_as_theirs_wherever_it_is_told() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    stands_in_until_dice_fall(&gm, &table);
    let page = eve.get(&watch).body;
    let lines = between(&page, "id=\"lines\"", "</ol>");
    for html in [moment(&page), lines] {
        assert!(
            html.contains("The gamemaster for ") && html.contains("The gamemaster answers for "),
            "{html}"
        );
    }
    let log = gm.get(&format!("{table}/log")).body;
    assert!(log.contains("\"by\":\"gm\""), "the log keeps who threw");
    for story in ["story?detail=everything", "story.md"] {
        let body = eve.get(&format!("{watch}/{story}")).body;
        assert!(body.contains("The gamemaster for "), "{story}");
    }
}

#[test]
fn a_story_has_as_much_detail_as_is_asked_for() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    stands_in_until_dice_fall(&gm, &table);
    let in_detail = |detail: &str| gm.get(&format!("{table}/story.md?detail={detail}")).body;
    let [prose, results, everything] = ["prose", "results", "everything"].map(in_detail);
    assert!(prose.contains(" the turn.") && !prose.contains(" rolls"), "{prose}");
    assert!(everything.contains(" rolls") && everything.contains("> "), "{everything}");
    assert!(prose.len() <= results.len() && results.len() < everything.len(), "{results}");
    let refused = gm.get(&format!("{table}/story?detail=all"));
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("prose, results or everything"), "{}", refused.body);
}

#[test]
fn the_roller_sees_the_dice_above_what_is_asked_next() {
    let server = Server::start();
    let asked_after_dice = |_| {
        let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
        let players = ["player-1", "player-2", "player-3"].map(|seat| join(&gm, &table, seat, "somebody"));
        stands_in_until_dice_fall(&gm, &table);
        let pages = players.map(|(browser, page)| browser.get(&page).body);
        let shown = pages.iter().map(|page| moment(page).to_owned());
        let asked: Vec<String> = shown.filter(|shown| shown.contains("class=\"ask mine\"")).collect();
        (!asked.is_empty()).then_some(asked)
    };
    // With two equal dice there is nothing to ask.
    let asked = (0..8).find_map(asked_after_dice).expect("the roller is asked how the dice lie");
    for shown in asked {
        let asked = shown.find("class=\"ask mine\"").expect("something is asked");
        let thrown = between(&shown[..asked], "aria-label=\"What was said and thrown\"", "</section>");
        assert!(thrown.contains("class=\"die\""), "{thrown}");
    }
}

#[test]
fn whoever_waits_is_told_for_what_and_sees_what_came_of_their_own_answer() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    let waits = eve.get(&watch).body;
    assert!(
        moment(&waits)
            .replace("<bdi>", "")
            .replace("</bdi>", "")
            .contains("For Ana, Bo and Cyr to say who goes next."),
        "{waits}"
    );
    assert!(!moment(&waits).contains("Just now"), "nothing has happened");
    let heard = eve.listen(&format!("{watch}/stream"), None);
    heard.next();
    answers(&ana, &page, "I go first!");
    // It comes by itself, with the words beside it and the rule behind it.
    let (_, event) = heard.until("Just now");
    assert!(event.contains("\"moment\"") && event.contains("Tamsin takes the turn."), "{event}");
    gm.act(&format!("{table}/note"), &[("text", "Only Ana hears this."), ("to", "player-1")]);
    gm.act(&format!("{table}/note"), &[("text", "Everybody hears this."), ("to", "all")]);
    let waits = eve.get(&watch).body;
    let now = moment(&waits);
    assert!(now.contains("I go first!") && now.contains("class=\"why\""), "{now}");
    assert!(now.contains("Everybody hears this."), "a story may be a page away: {now}");
    assert!(!waits.contains("Only Ana"), "{waits}");
    assert!(!moment(&ana.get(&page).body).contains("Just now"), "she has something to do");
}

#[test]
fn links_to_rules_are_words_and_cards_name_no_command() {
    let server = Server::start();
    for system in fracas_systems::all() {
        let encounter = &fracas_systems::encounters(system).expect("they are TOML")[0].id;
        let (gm, table) = server.table(system.id, encounter, &[]);
        let shown = gm.get(&table).body;
        assert!(!shown.contains("(look "), "{shown}");
        let rules = gm.get(&format!("{}/rules/{}", server.url, system.id)).body;
        for link in rules.split("data-rule>").skip(1) {
            let words = link.split('<').next().unwrap_or_default();
            let is_id = (system.rulebook)().entries.iter().any(|entry| entry.id == words);
            assert!(!is_id && words.contains(' '), "{}: {words:?} is no words", system.id);
        }
    }
}

#[test]
fn players_are_shown_rules_written_for_players() {
    let server = Server::start();
    let gm = Browser::new();
    for system in fracas_systems::all() {
        let page = |query: &str| gm.get(&format!("{}/rules/{}{query}", server.url, system.id)).body;
        let (plain, every) = (page(""), page("?every=1"));
        for strange in [
            "<summary>beyond",
            "<summary>Illegal",
            "<summary>derived",
            "not from the document",
            "<summary>Gaps",
        ] {
            assert!(!plain.contains(strange), "{}: {strange}", system.id);
        }
        let beyond = has(system).beyond;
        assert_eq!(every.contains("<summary>beyond"), beyond, "{}", system.id);
        let rules = |page: &str| page.matches("class=\"rule\"").count();
        let (shown, all) = (rules(&plain), rules(&every));
        assert!(shown * 3 > all && (shown < all || !beyond), "{}: {shown} of {all}", system.id);
    }
}

#[test]
fn files_are_called_as_the_table_is_and_whispers_are_marked_in_the_story() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[("title", "Friday's game")]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let note = |text: &str, to: &str| gm.act(&format!("{table}/note"), &[("text", text), ("to", to)]);
    note("The door is not locked.", "player-1");
    note("It rains.", "all");
    note("They will find out.", "gm");
    let story = gm.get(&format!("{table}/story.md"));
    assert!(story.headers.contains("filename=\"friday-s-game.md\""), "{}", story.headers);
    assert!(story.body.contains("*(to Ana alone)* The door is not locked."), "{}", story.body);
    assert!(story.body.contains("*(a note of the gamemaster's own)* They will"), "{}", story.body);
    assert!(story.body.contains("\nIt rains."), "{}", story.body);
    let hers = ana.get(&format!("{page}/story.md")).body;
    assert!(hers.contains("*(not for everybody)* The door is not locked."), "{hers}");
    let printed = gm.get(&format!("{table}/story")).body;
    assert!(printed.contains("<em>(to Ana alone)</em> The door"), "{printed}");
    let log = gm.get(&format!("{table}/log")).headers;
    assert!(log.contains("filename=\"friday-s-game.fracas\""), "{log}");
}

#[test]
fn everybody_reads_what_they_see_an_overruling_change_and_its_words_then() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let overrule = |fields: &[(&str, &str)]| gm.act(&format!("{table}/overrule"), fields).status;
    let risk = [("form", "risk"), ("who", "@tamsin"), ("risk", "4"), ("text", "She slips.")];
    assert_eq!(overrule(&risk), 200);
    let again = [("form", "risk"), ("who", "@tamsin"), ("risk", "4"), ("text", "Hm.")];
    assert_eq!(overrule(&again), 200);
    let (his, hers) = (gm.get(&table).body, ana.get(&page).body);
    for read in [&his, &hers] {
        assert!(read.contains("Tamsin: risk 4 (was 0)."), "risk is on her card");
        assert!(read.contains("She slips."));
    }
    assert!(his.contains("Hm.") && !hers.contains("Hm."), "what nobody sees is told nobody");
    let marked: Vec<&str> = his.split("Nobody else reads this").collect();
    assert!(marked.len() > 1, "the gamemaster is told so");
    for before in &marked[..marked.len() - 1] {
        assert!(before.rfind("Hm.") > before.rfind("She slips."), "where nobody reads it, and nowhere else");
    }
}

#[test]
fn what_was_missed_can_be_closed_and_the_door_is_looked_at_again() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    ana.get(&page);
    gm.act(&format!("{table}/note"), &[("text", "The bell rings."), ("to", "all")]);
    let back = ana.get(&page).body;
    let close = between(&back, "class=\"close\" href=", "</a>");
    assert!(close.contains(page.trim_start_matches(&server.url)), "{close}");
    assert!(!ana.get(&page).body.contains("Since you left"), "closed by what that link leads to");
    let people = gm.get(&format!("{table}/people")).body;
    assert!(people.contains("data-again=") && people.contains("Look again"), "{people}");
    assert!(gm.get(&server.url).body.contains("For 3 players"));
}

#[test]
fn whoever_is_asked_reads_what_others_said_until_they_answer() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let [(ana, hers), (ben, his), _] =
        ["player-1", "player-2", "player-3"].map(|seat| join(&gm, &table, seat, "somebody"));
    let whispered = [("text", "The hinge is warm."), ("to", "player-1")];
    assert_eq!(gm.act(&format!("{table}/note"), &whispered).status, 200);
    ana.act(&format!("{hers}/note"), &[("text", "I listen."), ("to", "all")]);
    let her = |page: &str| moment(page).to_owned();
    assert!(her(&ana.get(&hers).body).contains("The hinge is warm."), "asked, or waiting");
    assert!(!her(&ben.get(&his).body).contains("The hinge is warm."), "it was not for him");
    assert!(her(&ben.get(&his).body).contains("I listen."));
}
