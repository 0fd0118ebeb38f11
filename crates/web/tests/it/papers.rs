//! Preparing: papers, scenes, imported tables, the next evening.

use crate::common::program::Program;
use crate::common::{Browser, Reply, Server, field, fields, join, wait_until};
use fracas_sim::Chance;
use fracas_table::chain;
use std::time::{Duration, Instant};

const SYSTEMS: [&str; 3] = ["judge-two", "afraid", "truth-and-light"];
const HOSTILE: &str = "<script>alert(1)</script>\"' onload=x {{7*7}} \u{202e}";

impl Server {
    /// Makes a paper of a kind. Returns its address.
    fn paper(&self, whose: &Browser, system: &str, kind: &str) -> String {
        let begun = whose.post(&format!("{}/papers", self.url), &[("system", system), ("kind", kind)]);
        self.led(begun)
    }

    /// The address that a reply redirects to.
    #[track_caller]
    fn led(&self, reply: Reply) -> String {
        assert_eq!(reply.status, 303, "{}", reply.body);
        format!("{}{}", self.url, reply.to.expect("a place"))
    }
}

/// A paper's text, from its file.
fn text(whose: &Browser, paper: &str) -> String {
    let file = whose.get(&format!("{paper}/file"));
    assert_eq!(file.status, 200);
    assert!(
        file.headers.contains("attachment; filename=") && file.headers.contains(".toml"),
        "{}",
        file.headers
    );
    file.body
}

/// Saves a paper's text, based on the version that its page shows.
fn write(whose: &Browser, paper: &str, text: &str) -> Reply {
    let version = field(&whose.get(paper).body, "version").expect("a version");
    whose.post(paper, &[("version", &version), ("text", text), ("do", "save")])
}

/// Saves a paper by its form, with these fields.
fn save(browser: &Browser, paper: &str, fields: &[(&str, &str)]) -> Reply {
    let version = field(&browser.get(paper).body, "version").expect("a version");
    let base = text(browser, paper);
    let mut form = vec![("version", version.as_str()), ("base", base.as_str())];
    form.extend(fields);
    browser.post(paper, &form)
}

/// An encounter for two, that soon ends.
const BRIEF: &str = r#"
title = "A <b>yard</b>"
game = "judge-two"

[[player]]
name = "Ana"

[[character]]
use = "Besh"
player = "Ana"

[[foe]]
use = "Levy"

[scene]
conflict = "martial"
"#;

#[test]
fn a_report_says_what_an_encounter_comes_to_and_is_of_its_text_as_it_is_now() {
    let server = Server::start();
    let ana = Browser::new();
    let paper = server.paper(&ana, "judge-two", "encounter");
    let report = || ana.get(&format!("{paper}/report"));
    let file = || ana.get(&format!("{paper}/report.html"));
    assert_eq!(write(&ana, &paper, BRIEF).status, 303);
    let begun = report();
    assert_eq!(begun.status, 200);
    assert!(begun.headers.contains("refresh: 2"), "the page waits by itself: {}", begun.headers);
    assert_eq!(
        file().to.as_deref(),
        paper.strip_prefix(&server.url).map(|at| format!("{at}/report")).as_deref()
    );
    wait_until(|| report().body.contains("Read it all"));
    assert!(report().body.contains("The players win"), "{}", report().body);
    let whole = file();
    assert_eq!(whole.status, 200);
    assert!(whole.headers.contains("sandbox") && !whole.headers.contains("script-src"), "{}", whole.headers);
    assert!(
        whole.body.contains("200 conflicts of The Way of All the Earth")
            && whole.body.contains("fracas report"),
        "{}",
        whole.body
    );
    assert!(
        whole.body.contains("A &lt;b&gt;yard&lt;/b&gt;") && !whole.body.contains("<b>"),
        "{}",
        whole.body
    );
    // Another text has another report; one with faults has none, and its own page says why.
    assert_eq!(write(&ana, &paper, &BRIEF.replace("Besh", "Oren")).status, 303);
    assert!(report().headers.contains("refresh: 2"), "it is worked out anew");
    write(&ana, &paper, &BRIEF.replace("Besh", "Nobody at all"));
    assert_eq!(report().to.map(|to| format!("{}{to}", server.url)), Some(paper.clone()));
    // A character has none.
    let character = server.paper(&ana, "judge-two", "character");
    assert_eq!(ana.get(&format!("{character}/report")).status, 404);
}

#[test]
fn a_paper_is_its_browsers_own() {
    let server = Server::start();
    let (ana, eve) = (Browser::new(), Browser::new());
    let paper = server.paper(&ana, "afraid", "character");
    let theirs = server.paper(&eve, "afraid", "npc");
    for path in ["", "/file", "/open", "/report", "/report.html"] {
        let here = eve.get(&format!("{paper}{path}"));
        let nowhere = eve.get(&format!("{}/papers/999999{path}", server.url));
        assert_eq!((here.status, &here.body), (404, &nowhere.body), "{path}");
        assert_eq!(Browser::new().get(&format!("{paper}{path}")).status, 404, "{path}");
    }
    for path in ["", "/copy", "/away", "/back", "/erase", "/open"] {
        let form = [("version", "1"), ("text", "stolen = 1")];
        assert_eq!(eve.post(&format!("{paper}{path}"), &form).status, 404, "{path}");
    }
    assert!(!eve.get(&format!("{}/papers", server.url)).body.contains("Edie Wren"));
    assert!(text(&ana, &paper).contains("Edie Wren") && text(&eve, &theirs).contains("[[npc]]"));
    // A library is not used for another person's encounter.
    let encounter = server.paper(&eve, "afraid", "encounter");
    let using = text(&eve, &encounter).replace("name = \"Edie Wren\"", "use = \"Edie Wren\"");
    write(&eve, &encounter, &using);
    assert!(eve.get(&encounter).body.contains("the library has no character called"));
}

#[test]
fn every_kind_begins_without_fault_and_shows_its_people() {
    let server = Server::start();
    let ana = Browser::new();
    let page = ana.get(&format!("{}/papers", server.url)).body;
    for system in SYSTEMS {
        let other = if page.contains(&format!("value=\"{system}\"")) && system == "judge-two" {
            "foe"
        } else {
            "npc"
        };
        for kind in ["character", other, "encounter"] {
            let paper = server.paper(&ana, system, kind);
            let page = ana.get(&paper).body;
            assert!(page.contains("Checked: nothing is wrong"), "{system} {kind}: {page}");
            assert!(page.contains("What players see") && page.contains("<article"), "{system} {kind}");
            assert!(!page.contains("style=\"") && !page.contains(" onclick"), "nothing inline");
        }
    }
    let nonsense = ana.post(&format!("{}/papers", server.url), &[("system", "afraid"), ("kind", "dragon")]);
    assert_eq!(nonsense.status, 400);
    assert!(nonsense.body.contains("there are character"), "{}", nonsense.body);
}

#[test]
fn a_form_changes_what_was_changed_and_nothing_else() {
    let server = Server::start();
    let ana = Browser::new();
    let paper = server.paper(&ana, "judge-two", "character");
    let before = text(&ana, &paper);
    let page = ana.get(&paper).body;
    // The form offers what the system's reader asks for: closed words, bounds.
    assert!(page.contains("<option value=\"menefi\">"), "a word of the game's");
    assert!(page.contains("title=\"0 to 12\""), "the bounds of risk");
    let version = field(&page, "version").expect("a version");
    let save = |fields: &[(&str, &str)]| save(&ana, &paper, fields);
    assert_eq!(version, "1");
    assert_eq!(save(&[("n:character[1].faith", "2"), ("n:character[1].risk", "3")]).status, 303);
    let after = text(&ana, &paper);
    assert!(after.contains("faith = 2") && after.contains("risk = 3"), "{after}");
    let kept = before.lines().filter(|line| line.starts_with('#'));
    assert!(kept.clone().count() > 50 && kept.clone().all(|line| after.contains(line)), "comments stay");
    // An invalid value is kept, and its fault is shown beside the field.
    assert_eq!(save(&[("n:character[1].risk", "99")]).status, 303);
    let page = ana.get(&paper).body;
    assert!(page.contains("Risk</a>: a whole number from 0 to 12, not “99”"), "{page}");
    assert!(page.contains("href=\"#f-character[1].risk\"") && page.contains("aria-invalid=\"true\""));
    assert!(text(&ana, &paper).contains("risk = 99"));
    save(&[("n:character[1].risk", "nine")]);
    let page = ana.get(&paper).body;
    assert!(page.contains("value=\"nine\"") && page.contains("from 0 to 12, not “nine”"), "{page}");
    save(&[("n:character[1].risk", "")]);
    // Entries are added and removed, each without a fault.
    let added = save(&[("do", "add:character[1].boon")]);
    assert!(added.to.expect("where it is").contains("#f-character[1].boon["));
    let page = ana.get(&paper).body;
    assert!(page.contains("New boon") && page.contains("Checked: nothing is wrong"), "{page}");
    let remove = fields_of(&page, "remove:character[1].boon[").last().cloned().expect("the new one");
    save(&[("do", &remove)]);
    assert!(!text(&ana, &paper).contains("New boon"));
}

#[test]
fn an_encounter_takes_people_from_the_library_and_from_other_papers() {
    let server = Server::start();
    let ana = Browser::new();
    let own = server.paper(&ana, "afraid", "character");
    let name = text(&ana, &own)
        .lines()
        .find_map(|line| Some(line.strip_prefix("name = \"")?.strip_suffix('"')?.to_owned()));
    let name = name.expect("a name");
    let paper = server.paper(&ana, "afraid", "encounter");
    let page = ana.get(&paper).body;
    assert!(page.contains("name=\"take-character\"") && page.contains("name=\"take-npc\""), "{page}");
    assert!(page.contains(&format!("<option value=\"{name}\">")), "one's own stands among them");
    let npc = page.split("name=\"take-npc\"").nth(1).and_then(|rest| rest.split("<optgroup").nth(1));
    let npc = npc
        .and_then(|rest| rest.split("value=\"").nth(1)?.split('"').next())
        .expect("somebody bundled")
        .to_owned();
    let save = |fields: &[(&str, &str)]| save(&ana, &paper, fields);
    // The encounter's own entry of that name is replaced; another character comes in
    // addition.
    let taken = save(&[("do", "take:character"), ("take-character", &name)]);
    assert!(taken.to.expect("where it is").contains("#f-character[1]"));
    let other = page
        .split("name=\"take-character\"")
        .nth(1)
        .and_then(|rest| rest.split("label=\"The library\"").nth(1));
    let other =
        other.and_then(|rest| rest.split("value=\"").nth(1)?.split('"').next()).expect("a bundled one");
    save(&[("do", "take:character"), ("take-character", other)]);
    save(&[("do", "take:npc"), ("take-npc", &npc)]);
    save(&[("do", "take:npc"), ("take-npc", &npc)]);
    let after = text(&ana, &paper);
    // As they stand in their paper: their text is not written again.
    let taken = after
        .split("[[character]]")
        .find(|entry| entry.contains(&format!("use = \"{name}\"")))
        .expect("taken");
    assert!(taken.contains("player = ") && !taken.contains("[character.stats]"), "{taken}");
    assert!(after.contains(&format!("use = \"{other}\"\nplayer = \"Player 2\"")), "{after}");
    assert_eq!(after.matches(&format!("use = \"{npc}\"")).count(), 2, "{after}");
    assert!(ana.get(&paper).body.contains("Checked: nothing is wrong"), "{}", ana.get(&paper).body);
    // Without a pick, or with a list that is not of people, nothing happens.
    for fields in [&[("do", "take:npc")][..], &[("do", "take:options"), ("take-options", "x")]] {
        assert_eq!(save(fields).status, 303);
        assert_eq!(text(&ana, &paper), after);
    }
}

/// Values of buttons that begin with this text.
fn fields_of(page: &str, begins: &str) -> Vec<String> {
    fields(page, "do").into_iter().filter(|value| value.starts_with(begins)).collect()
}

#[test]
fn a_required_field_stays_where_it_is_and_a_table_is_opened_with_what_was_written() {
    let server = Server::start();
    for system in SYSTEMS {
        let ana = Browser::new();
        let paper = server.paper(&ana, system, "character");
        let save = |fields: &[(&str, &str)]| save(&ana, &paper, fields);
        let fields_before = |page: &str| page.split("More fields").next().unwrap_or_default().to_owned();
        let order = |page: &str| {
            let names = fields_before(page);
            let names = names.split(" name=\"").skip(1).filter_map(|rest| rest.split('"').next());
            names.filter(|name| name.contains(':')).map(str::to_owned).collect::<Vec<_>>()
        };
        let before = order(&ana.get(&paper).body);
        assert!(before.iter().any(|name| name == "t:character[1].name"), "{before:?}");
        assert_eq!(save(&[("t:character[1].name", "")]).status, 303);
        let page = ana.get(&paper).body;
        assert_eq!(order(&page), before, "{system}: everything stays");
        assert!(page.contains("Name</a>: still to be filled in"), "{page}");
        assert!(fields_before(&page).contains("Still to be filled in"), "beside it too");
        save(&[("t:character[1].name", "Wren")]);
        assert_eq!(order(&ana.get(&paper).body), before, "{system}");
        assert!(ana.get(&paper).body.contains("nothing is wrong"));
    }
    let ana = Browser::new();
    let paper = server.paper(&ana, "judge-two", "encounter");
    let version = field(&ana.get(&paper).body, "version").expect("a version");
    let base = text(&ana, &paper);
    let form =
        [("version", version.as_str()), ("base", &base), ("t:title", "The Other Gate"), ("do", "open")];
    let opened = server.led(ana.post(&paper, &form));
    assert_eq!(opened, format!("{paper}/open"));
    assert!(
        text(&ana, &paper).contains("The Other Gate") && ana.get(&opened).body.contains("The Other Gate")
    );
}

#[test]
fn whatever_is_saved_is_kept_and_what_is_wrong_is_told_with_its_line() {
    let server = Server::start();
    let ana = Browser::new();
    let paper = server.paper(&ana, "afraid", "character");
    assert_eq!(
        write(&ana, &paper, "[[character]]\r\nname = \"Ana\"\r\nstats = { acuity = 50 }\r\n").status,
        303
    );
    let page = ana.get(&paper).body;
    assert!(page.contains("Ana › Stats › Acuity</a>: a whole number from 0 to 20, not “50”"), "{page}");
    assert!(!page.contains("line 3"), "a form has no lines");
    let page = ana.get(&format!("{paper}?as=text")).body;
    assert!(page.contains("line 3: ") && page.contains("from 0 to 20, found 50"), "{page}");
    assert_eq!(text(&ana, &paper), "[[character]]\nname = \"Ana\"\nstats = { acuity = 50 }\n");
    // Not TOML at all: the page shows it as text.
    write(&ana, &paper, "[[character]]\nname = = 1\n");
    let page = ana.get(&paper).body;
    assert!(page.contains("line 2: ") && page.contains("<code>name = = 1</code>"), "{page}");
    assert!(page.contains("name = = 1\n</textarea>"), "{page}");
    let long = write(&ana, &paper, &format!("# {}", "x".repeat(140_000)));
    assert_eq!(long.status, 413);
    assert!(long.body.contains("the most is") && long.body.contains("xxxxxxx"), "it is not lost");
    assert_eq!(ana.post(&paper, &[]).status, 400);
    assert_eq!(text(&ana, &paper), "[[character]]\nname = = 1\n");
}

#[test]
fn of_two_tabs_the_second_is_told_and_loses_nothing() {
    let server = Server::start();
    let ana = Browser::new();
    let paper = server.paper(&ana, "afraid", "character");
    let version = field(&ana.get(&paper).body, "version").expect("a version");
    let base = text(&ana, &paper);
    assert_eq!(ana.post(&paper, &[("version", &version), ("text", "# first")]).status, 303);
    let late = ana.post(&paper, &[("version", &version), ("text", "# second")]);
    assert_eq!(late.status, 409);
    assert!(late.body.contains("Another tab has saved") && late.body.contains("# second"));
    assert_eq!(text(&ana, &paper), "# first");
    // A form too: the page that reports this has the filled-in values.
    let form =
        [("version", version.as_str()), ("base", base.as_str()), ("t:character[1].note", "a late word")];
    let late = ana.post(&paper, &form);
    assert_eq!(late.status, 409);
    assert!(late.body.contains("a late word"));
    let now = field(&late.body, "version").expect("a version");
    assert_eq!(ana.post(&paper, &[("version", &now), ("text", "# second")]).status, 303);
    assert_eq!(text(&ana, &paper), "# second");
}

#[test]
fn papers_come_from_the_library_and_from_files_and_are_not_lost() {
    let server = Server::start();
    let ana = Browser::new();
    for system in SYSTEMS {
        let library = format!("{}/library/{system}", server.url);
        let page = ana.get(&library).body;
        let entry = fields(&page, "entry").into_iter().find(|entry| entry.starts_with("character/"));
        let entry = entry.expect("characters are bundled");
        let paper = server.led(ana.post(&library, &[("entry", &entry)]));
        let (_, name) = entry.split_once('/').expect("both");
        let page = ana.get(&paper).body;
        assert!(page.contains("Checked: nothing is wrong") && page.contains(name), "{system}: {page}");
        let encounter = field(&ana.get(&library).body, "encounter").expect("encounters are bundled");
        let paper = server.led(ana.post(&library, &[("encounter", &encounter)]));
        assert!(ana.get(&paper).body.contains("Checked: nothing is wrong"), "{system} {encounter}");
        assert_eq!(ana.post(&library, &[("entry", "character/Nobody")]).status, 404);
    }
    // Exported as a file and imported again, unchanged to the letter.
    let import = format!("{}/papers/import", server.url);
    let first = server.paper(&ana, "truth-and-light", "encounter");
    let file = text(&ana, &first);
    let bob = Browser::new();
    let brought = server.led(bob.bring(&import, &[("system", "afraid"), ("text", "")], file.as_bytes()));
    assert_eq!(text(&bob, &brought), file);
    assert!(bob.get(&brought).body.contains("Truth and Light"), "its system stands in it");
    assert_eq!(bob.bring(&import, &[("system", "afraid")], b"").status, 400);
    let bad = bob.bring(&import, &[("system", "afraid")], b"a = 1\nb = \"\xff\"\n");
    assert!(bad.status == 400 && bad.body.contains("Line 2 is not text"), "{}", bad.body);
    let large = bob.bring(&import, &[("system", "afraid")], "# x\n".repeat(40_000).as_bytes());
    assert!(large.status == 409 && large.body.contains("the most is"), "{}", large.body);
    // Thrown away and restored; erased only after that.
    bob.post(&format!("{brought}/erase"), &[]);
    assert_eq!(bob.get(&brought).status, 200);
    bob.post(&format!("{brought}/away"), &[]);
    let papers = bob.get(&format!("{}/papers", server.url)).body;
    assert!(papers.contains("Thrown away"));
    assert_eq!(server.led(bob.post(&format!("{brought}/back"), &[])), brought);
    bob.post(&format!("{brought}/away"), &[]);
    bob.post(&format!("{brought}/erase"), &[]);
    assert_eq!(bob.get(&brought).status, 404);
}

#[test]
fn what_somebody_writes_stays_text() {
    let server = Server::start();
    let ana = Browser::new();
    let paper = server.paper(&ana, "afraid", "encounter");
    let own = text(&ana, &paper).replace("An encounter", "T1").replace("The neighbour", "N1");
    let quoted = fracas_kernel::toml(&serde_json::json!({ "x": HOSTILE }));
    let quoted = quoted.trim().strip_prefix("x = ").expect("a value");
    write(&ana, &paper, &own.replace("\"T1\"", quoted).replace("\"N1\"", quoted));
    let front = server.url.clone();
    let pages = [
        paper.clone(),
        format!("{paper}?as=text"),
        format!("{paper}/open"),
        format!("{front}/papers"),
        front,
    ];
    for page in pages {
        let body = ana.get(&page).body;
        assert!(!body.contains("<script>alert"), "{page}");
        assert!(body.contains("&lt;script&gt;alert"), "{page}: {body}");
    }
    let scene = format!("{}/scene/afraid", server.url);
    let form = [("title", HOSTILE), ("by:Wilf Aske", HOSTILE)];
    let again = ana.post(&scene, &form).body;
    assert!(again.contains("&lt;script&gt;") && !again.contains("<script>alert"), "{again}");
}

#[test]
fn a_table_is_opened_with_ones_own_encounter_and_library() {
    let server = Server::start();
    let gm = Browser::new();
    let character = server.paper(&gm, "afraid", "character");
    write(&gm, &character, &text(&gm, &character).replace("Edie Wren", "Ottoline Marsh"));
    let encounter = server.paper(&gm, "afraid", "encounter");
    let using = "game = \"afraid\"\ntitle = \"At the door\"\n[[player]]\nname = \"Ana\"\n\
        [[character]]\nuse = \"Ottoline Marsh\"\nplayer = \"Ana\"\n";
    write(&gm, &encounter, using);
    assert!(gm.get(&encounter).body.contains("Checked: nothing is wrong"));
    assert!(gm.get(&server.url).body.contains("At the door"), "it is offered on the front page");
    let open = format!("{encounter}/open");
    assert!(gm.get(&open).body.contains("Ottoline Marsh"));
    let table = server.led(gm.post(&open, &[("title", "Mine"), ("bot", "player-1")]));
    let page = gm.get(&table).body;
    assert!(page.contains("Ottoline Marsh") && page.contains("Mine"), "{page}");
    // The table stays as it is, whatever happens to the papers.
    gm.post(&format!("{character}/away"), &[]);
    assert!(gm.get(&encounter).body.contains("the library has no character called"));
    let refused = gm.post(&open, &[]);
    assert!(refused.body.contains("the library has no [[character]] called"), "{}", refused.body);
    let at = table.strip_prefix(&server.url).expect("its path").to_owned();
    let server = server.again();
    assert!(gm.get(&format!("{}{at}", server.url)).body.contains("Ottoline Marsh"));
}

#[test]
fn a_blank_scene_of_every_system_is_played() {
    let server = Server::hurried();
    for system in SYSTEMS {
        let gm = Browser::new();
        let scene = format!("{}/scene/{system}", server.url);
        let page = gm.get(&scene).body;
        let characters = fields(&page, "pc");
        let foe = page.split("name=\"n:").last().and_then(|rest| rest.split('"').next()).expect("others");
        assert!(gm.post(&scene, &[("title", "x")]).body.contains("Tick at least one"));
        let count = format!("n:{foe}");
        let form = [
            ("title", "From nothing"),
            ("pc", characters[0].as_str()),
            ("pc", characters[1].as_str()),
            (&format!("by:{}", characters[0]), "Ana"),
            (count.as_str(), "2"),
            ("bot", "unnamed"),
            ("bot", "gm"),
            ("do", "open"),
        ];
        let table = server.led(gm.post(&scene, &form));
        let page = gm.get(&table).body;
        assert!(page.contains(&format!("{foe} 1")) && page.contains(&format!("{foe} 2")), "{system}: {page}");
        assert!(page.contains("Ana"), "{system}");
        // The machine has the other seats; with Ana's too, the evening goes on alone.
        assert_eq!(gm.act(&format!("{table}/bot"), &[("seat", "player-1"), ("on", "yes")]).status, 200);
        let stream = gm.listen(&format!("{table}/stream"), None);
        stream.until("lines");
        // As a paper it is an encounter like any other.
        let mut kept = form.to_vec();
        kept[7] = ("do", "keep");
        let paper = server.led(gm.post(&scene, &kept));
        assert!(gm.get(&paper).body.contains("Checked: nothing is wrong"), "{system}");
    }
}

#[test]
fn a_table_goes_out_as_a_file_and_comes_back_in() {
    let server = Server::hurried();
    let bots = [("bot", "gm"), ("bot", "player-1"), ("bot", "player-2"), ("bot", "player-3")];
    let (gm, table) = server.table("afraid", "the-back-room", &bots);
    wait_until(|| gm.get(&format!("{table}/log")).body.lines().count() > 4);
    gm.act(&format!("{table}/note"), &[("text", "A word to keep."), ("to", "all")]);
    gm.act(&format!("{table}/pause"), &[]);
    gm.listen(&format!("{table}/stream"), None).rest();
    let file = gm.get(&format!("{table}/log")).body;
    let story = gm.get(&format!("{table}/story.md")).body;
    let elsewhere = Server::start();
    let bob = Browser::new();
    let take_in = format!("{}/take-in", elsewhere.url);
    let there = elsewhere.led(bob.bring(&take_in, &[], file.as_bytes()));
    assert!(!there.contains(table.rsplit('/').nth(1).expect("an id")), "under an id of its own");
    assert_eq!(bob.get(&format!("{there}/story.md")).body, story);
    assert!(story.contains("A word to keep."));
    assert!(bob.get(&elsewhere.url).body.contains(&there[elsewhere.url.len()..]), "among one's tables");
    // A file that is not a log, or is incomplete or altered, is refused.
    let mut cut = file.clone();
    cut.truncate(file.len() - 9);
    let missing: String =
        file.lines().enumerate().filter(|(at, _)| *at != 3).map(|(_, line)| format!("{line}\n")).collect();
    let faces = file.find("\"faces\":[").expect("a roll") + 9;
    let face = file[faces..].split([',', ']']).next().expect("a face");
    let other = if face == "1" { "2" } else { "1" };
    let altered = format!("{}{other}{}", &file[..faces], &file[faces + face.len()..]);
    let line = file[..faces].matches('\n').count() + 1;
    let lines = file.lines().count();
    let pages = [
        (String::new(), "Choose a file first".to_owned()),
        ("a shopping list\n".to_owned(), "It is no table".to_owned()),
        (cut, format!("Line {lines}: it is cut off")),
        (missing, "lines are missing or doubled".to_owned()),
        (altered.clone(), format!("Line {line}: the line is not as it was written")),
        (chain::renewed(&altered), format!("Line {line}: the dice fell")),
        (chain::renewed(&file.replace("\"system\":\"afraid\"", "\"system\":\"chess\"")), "chess".to_owned()),
        (
            chain::renewed(&file.replacen("\"version\":", "\"version\":9", 1)),
            "of the rules of afraid, and this program knows versions 1 to".to_owned(),
        ),
    ];
    for (file, pages) in pages {
        let refused = bob.bring(&take_in, &[], file.as_bytes());
        assert_eq!(refused.status, 422, "{pages}");
        assert!(refused.body.contains(&pages), "{pages}: {}", refused.body);
    }
    let places = bob.get(&elsewhere.url).body.matches("href=\"/t/").count();
    assert_eq!(places, 1, "nothing of what was refused is kept");
    let large = bob.bring(&take_in, &[], &vec![b'x'; (16 << 20) + 10]);
    assert!((400..500).contains(&large.status), "{}", large.status);
}

#[test]
fn characters_go_from_one_evening_to_the_next_with_their_people() {
    let server = Server::start();
    let (gm, table) = server.table("judge-two", "salt-gate", &[("title", "One"), ("bot", "player-3")]);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let (eve, _) = join(&gm, &table, "watch", "Eve");
    assert_eq!(ana.get(&format!("{page}/next")).status, 404, "the gamemaster's alone");
    let asked = gm.get(&format!("{table}/next")).body;
    let names = fields(&asked, "name");
    assert!(names.contains(&"Tamsin".to_owned()), "{asked}");
    let risk = [("form", "risk"), ("who", "@tamsin"), ("risk", "4")];
    assert_eq!(gm.act(&format!("{table}/overrule"), &risk).status, 200);
    // Kept as a paper, as she is now.
    let paper = server.led(gm.post(&format!("{table}/next/keep"), &[("name", "Tamsin")]));
    assert!(text(&gm, &paper).contains("risk = 4"), "{}", text(&gm, &paper));
    assert!(gm.get(&paper).body.contains("Checked: nothing is wrong"));
    gm.post(&format!("{paper}/away"), &[]);
    // To a blank scene.
    let next = server
        .led(gm.post(&format!("{table}/next"), &[("title", "Two"), ("encounter", ""), ("party", "ours")]));
    let shown = gm.get(&next).body;
    assert!(shown.contains("Two") && names.iter().all(|name| shown.contains(name.as_str())), "{shown}");
    let log = gm.get(&format!("{next}/log")).body;
    assert!(log.contains("\"carried\"") && log.contains("\"risk\":4"), "as she is now");
    // Ana sits in her character's seat, Eve watches, and both find it.
    let front = ana.get(&server.url).body;
    let hers = front
        .match_indices("href=\"/t/")
        .map(|(at, _)| &front[at + 6..])
        .map(|rest| &rest[..rest.find('"').expect("its end")]);
    let new: Vec<&str> = hers.filter(|href| next.contains(href.split('/').nth(2).expect("an id"))).collect();
    assert_eq!(new.len(), 1, "{front}");
    let seat = format!("{}{}", server.url, new[0]);
    assert_eq!(ana.get(&seat).status, 200);
    // The old table leads there: members to their own place, strangers to advice.
    let there = next.trim_end_matches("/gm");
    let link = format!("href=\"{}\"", there.trim_start_matches(&server.url));
    for old in [page.clone(), format!("{page}/story")] {
        assert!(ana.get(&old).body.contains(&link), "{old}");
    }
    assert_eq!(ana.get(there).to.map(|to| format!("{}{to}", server.url)), Some(seat.clone()));
    let stranger = Browser::new().get(there);
    assert!(stranger.status == 404 && stranger.body.contains("a link from its gamemaster"));
    assert_eq!(eve.get(&next.replace("/gm", "/watch")).status, 200);
    assert_eq!(ana.get(&next).status, 404, "still no gamemaster");
    // Revoked like any link.
    let people = gm.get(&format!("{next}/people")).body;
    for hash in fields(&people, "hash") {
        gm.post(&format!("{next}/revoke"), &[("hash", &hash)]);
    }
    assert_eq!(ana.get(&seat).status, 404);
    // To a bundled encounter, in which characters from here come as they are now.
    let own = [("encounter", "bundled:salt-gate"), ("party", "its")];
    let asked = gm.get(&format!("{table}/next")).body;
    let after = field(&asked, "after").expect("that they went on");
    let third = server.led(gm.post(&format!("{table}/next"), &[&own[..], &[("after", &after)]].concat()));
    assert!(gm.get(&format!("{third}/log")).body.contains("\"risk\":4"));
    let nowhere = gm.post(&format!("{table}/next"), &[("encounter", "bundled:nowhere")]);
    assert_eq!(nowhere.status, 404);
}

#[test]
fn another_evening_that_is_asked_for_twice_is_one_unless_somebody_knows_of_it() {
    let server = Server::start();
    for system in SYSTEMS {
        let encounter = &fracas_systems::encounters(fracas_systems::find(system).expect("a system"))
            .expect("they are TOML")[0];
        let (gm, table) = server.table(system, &encounter.id, &[]);
        let (ana, page) = join(&gm, &table, "player-1", "Ana");
        let ask = |fields: &[(&str, &str)]| server.led(gm.post(&format!("{table}/next"), fields));
        // Pressed twice, or sent again from an earlier page.
        let at_once: Vec<String> = std::thread::scope(|scope| {
            let each: Vec<_> = (0..3).map(|_| scope.spawn(|| ask(&[("title", "Two")]))).collect();
            each.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let next = ask(&[("title", "Three")]);
        assert!(at_once.iter().all(|value| *value == next), "{system}: {at_once:?}, {next}");
        let log = gm.get(&format!("{table}/log")).body;
        assert_eq!(log.matches("We go on at another table").count(), 1, "{system}");
        let people = gm.get(&format!("{next}/people")).body;
        assert!(people.contains("Ana") && fields(&people, "hash").len() == 1, "{system}: {people}");
        // A page that knows of it leads there, and can open one more all the same.
        let asked = gm.get(&format!("{table}/next")).body;
        let there = next.trim_end_matches("/gm").trim_start_matches(&server.url);
        let after = field(&asked, "after").expect("the table they went on to");
        assert!(asked.contains(&format!("href=\"{there}\"")) && there.ends_with(&after), "{system}");
        let third = ask(&[("title", "Three"), ("after", &after)]);
        assert_ne!(third, next, "{system}");
        let there = third.trim_end_matches("/gm").trim_start_matches(&server.url);
        assert!(ana.get(&page).body.contains(&format!("href=\"{there}\"")), "{system}: to the last");
    }
}

/// A damaged copy of a file: cut off, or with altered letters and lines.
fn broken(chance: &mut Chance, file: &[u8]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..=chance.place(3) {
        let lines =
            || -> Vec<Vec<u8>> { bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
        bytes = match chance.place(8) {
            0 => bytes[..chance.place(bytes.len() + 1)].to_vec(),
            1 if !bytes.is_empty() => {
                let mut bytes = bytes.clone();
                for _ in 0..=chance.place(6) {
                    let at = chance.place(bytes.len());
                    bytes[at] ^= 1 << chance.place(8);
                }
                bytes
            }
            2 => {
                let mut lines = lines();
                if lines.len() > 1 {
                    let (a, b) = (chance.place(lines.len()), chance.place(lines.len()));
                    lines.swap(a, b);
                }
                lines.concat()
            }
            3 => {
                let mut lines = lines();
                if !lines.is_empty() {
                    let at = chance.place(lines.len());
                    lines.insert(at, lines[at].clone());
                }
                lines.concat()
            }
            4 => {
                let mut lines = lines();
                if !lines.is_empty() {
                    lines.remove(chance.place(lines.len()));
                }
                lines.concat()
            }
            // One number is altered.
            5 => {
                let figures: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
                let mut bytes = bytes.clone();
                if let Some(at) = figures.get(chance.place(figures.len().max(1))) {
                    let numbers =
                        ["99999999999999999999999", "-1", "1e308", "18446744073709551615", "65536", ""];
                    let number = numbers[chance.place(numbers.len())].bytes();
                    bytes.splice(*at..*at + 1, number);
                }
                bytes
            }
            // An alien entry.
            6 => {
                let at = chance.place(bytes.len() + 1);
                let deep = "[".repeat(20_000);
                let all =
                    ["\"", "\\", "{", "}\n", "\0", "\u{feff}", "= ", "\n[[character]]\n", deep.as_str()];
                let what = all[chance.place(all.len())].bytes();
                let mut bytes = bytes.clone();
                bytes.splice(at..at, what);
                bytes
            }
            _ => {
                let mut all = bytes.clone();
                all.extend(&bytes[bytes.len() / 2..]);
                all
            }
        };
    }
    bytes
}

#[test]
fn whatever_has_become_of_a_file_it_is_taken_or_refused_and_nothing_breaks() {
    let server = Server::hurried();
    let mut chance = Chance::new(12, 0);
    let (mut taken, mut refused) = (0, 0);
    for (system, encounter) in
        [("judge-two", "salt-gate"), ("afraid", "the-back-room"), ("truth-and-light", "the-broken-bridge")]
    {
        let all = ["gm", "player-1", "player-2", "player-3"].map(|seat| ("bot", seat));
        let (gm, table) = server.table(system, encounter, &all);
        let begun = Instant::now();
        let log = loop {
            let log = gm.get(&format!("{table}/log")).body;
            if log.lines().count() > 24 || begun.elapsed() > Duration::from_secs(20) {
                break log;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        // It plays on meanwhile; what has been played is enough.
        assert_eq!(gm.act(&format!("{table}/pause"), &[]).status, 200);
        for n in 0..20 {
            // The first is as it was.
            let mut file =
                if n == 0 { log.clone().into_bytes() } else { broken(&mut chance, log.as_bytes()) };
            // Half of the damaged files have their hashes recomputed to fit.
            if chance.below(2) == 0
                && let Ok(text) = std::str::from_utf8(&file)
            {
                file = chain::renewed(text).into_bytes();
            }
            let response = Browser::new().bring(&format!("{}/take-in", server.url), &[], &file);
            let whole = String::from_utf8_lossy(&file);
            assert!(
                (300..500).contains(&response.status),
                "{system} {n}: {} {}\n{whole}",
                response.status,
                response.body
            );
            let program = Program::new(&server);
            let kind = [("content-type", "application/x-ndjson")];
            if let Ok(text) = std::str::from_utf8(&file) {
                let by_api = program.send("POST", "/tables/taken", Some(text), &kind);
                assert_eq!(by_api.status == 201, response.status == 303, "{system} {n}: {by_api:?}\n{whole}");
                assert!(by_api.status < 500, "{system} {n}: {by_api:?}\n{whole}");
                if by_api.status == 201 {
                    let at = format!("/tables/{}", by_api.body["table"].as_str().expect("an id"));
                    let token = by_api.body["token"].as_str().expect("a token");
                    let there = program.with(token).get(&at);
                    assert_eq!(there.status, 200, "{system} {n}: it opens: {there:?}\n{whole}");
                    taken += 1;
                } else {
                    refused += 1;
                }
            }
        }
        let kinds = ["encounter", "character"];
        for (n, kind) in kinds.into_iter().cycle().enumerate().take(30) {
            let ana = Browser::new();
            let whole = text(&ana, &server.paper(&ana, system, kind));
            let file = broken(&mut chance, whole.as_bytes());
            let brought = ana.bring(&format!("{}/papers/import", server.url), &[("system", system)], &file);
            let shown = String::from_utf8_lossy(&file);
            assert!((300..500).contains(&brought.status), "{system} {n}: {}\n{shown}", brought.body);
            if let Some(paper) = brought.to {
                for page in [paper.clone(), format!("{paper}/open")] {
                    let page = ana.get(&format!("{}{page}", server.url));
                    assert!(page.status < 500, "{system} {n}: {} {}\n{shown}", page.status, page.body);
                }
                let opened = ana.post(&format!("{}{paper}/open", server.url), &[]);
                assert!(opened.status < 500, "{system} {n}: {} {}\n{shown}", opened.status, opened.body);
            }
        }
    }
    assert!(taken > 0 && refused > 0, "{taken} were taken, {refused} refused");
}

#[test]
fn there_are_so_many_papers_and_what_is_thrown_away_for_good_makes_room() {
    let server = Server::start();
    let ana = Browser::new();
    let begin = || ana.post(&format!("{}/papers", server.url), &[("system", "afraid"), ("kind", "npc")]);
    let all: Vec<String> = (0..200).map(|_| server.led(begin())).collect();
    let last = &all[199];
    let refused = begin();
    assert_eq!(refused.status, 409, "{}", refused.body);
    assert!(refused.body.contains("200 papers are the most"), "{}", refused.body);
    let copied = ana.post(&format!("{last}/copy"), &[]);
    assert_eq!(copied.status, 409, "however one is made");
    assert_eq!(ana.post(&format!("{last}/away"), &[]).status, 303);
    assert_eq!(ana.post(&format!("{last}/erase"), &[]).status, 303);
    server.led(begin());
    let other = Browser::new();
    server.paper(&other, "afraid", "npc");
}

/// A page's words, without its fields and markup.
fn words(page: &str) -> String {
    let without = |text: &str, from: &str, to: &str| {
        let mut pieces = text.split(from);
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |kept, piece| kept + piece.split_once(to).map_or("", |(_, after)| after))
    };
    without(&without(page, "<textarea", "</textarea>"), "<", ">")
}

#[test]
fn pages_speak_to_people_and_name_no_command_and_no_text_of_files() {
    let server = Server::start();
    let check = |page: &str, what: &str| {
        let words = words(page);
        for code in ["`", "[[", "{&quot;", "@gm", "fracas "] {
            let at = words.find(code).map(|at| words[at..].chars().take(80).collect::<String>());
            assert_eq!(at, None, "{what} speaks in code");
        }
    };
    for system in fracas_systems::all() {
        let browser = Browser::new();
        let papers = browser.get(&format!("{}/papers", server.url)).body;
        for kind in fields(&papers, "kind") {
            let begun = [("system", system.id), ("kind", kind.as_str())];
            let Some(paper) = browser.post(&format!("{}/papers", server.url), &begun).to else { continue };
            check(&browser.get(&format!("{}{paper}", server.url)).body, &format!("{} {kind}", system.id));
        }
        for encounter in fracas_systems::encounters(system).expect("they are TOML") {
            let (gm, table) = server.table(system.id, &encounter.id, &[]);
            check(&gm.get(&table).body, &encounter.id);
        }
    }
}
