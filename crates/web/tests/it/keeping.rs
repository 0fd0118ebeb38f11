//! How the server keeps and erases data: deleted tables, removed people, forgotten devices,
//! cookies, and misleading text.

use crate::common::program::Program;
use crate::common::{Browser, Reply, Server, join, link};
use serde_json::json;
use std::time::{Duration, Instant};
use std::{fs, path::Path, thread::sleep};

const SYSTEM: &str = "judge-two";
const ENCOUNTER: &str = "salt-gate";

fn id_of(table: &str) -> String {
    table.split('/').nth(4).expect("an id").to_owned()
}

/// Deletes a table with the two presses that it takes.
fn delete(gm: &Browser, table: &str) -> Reply {
    let asked = gm.get(&format!("{table}/delete"));
    assert!(asked.status == 200 && asked.body.contains("Delete it for everybody"), "{}", asked.body);
    let unsure = gm.post(&format!("{table}/delete"), &[]);
    assert!(unsure.body.contains("Delete it for everybody"), "one press does nothing: {}", unsure.body);
    gm.post(&format!("{table}/delete"), &[("sure", "yes")])
}

#[test]
fn a_deleted_table_is_gone_for_all_but_its_gamemaster_who_may_have_it_back() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let id = id_of(&table);
    let (ana, page) = join(&gm, &table, "player-1", "Ana");
    let to_join = link(&gm, &table, "player-2");
    let token = |browser: &Browser, page: &str, role: &str, kind: &str| {
        let made = browser.post(&format!("{page}/programs"), &[("role", role), ("kind", kind)]).body;
        let at = made.find("id=\"fresh\" value=\"").expect("a token") + 18;
        Program::new(&server).with(&made[at..at + 32])
    };
    let anas = token(&ana, &page, "player-1", "play");
    let (gms, reader) = (token(&gm, &table, "gm", "play"), token(&gm, &table, "gm", "read"));
    assert!(gm.post(&format!("{table}/note"), &[("text", "before it was deleted")]).status < 400);
    let streams = [ana.listen(&format!("{page}/stream"), None), anas.listen(&id, None)];
    streams.iter().for_each(|stream| drop(stream.next()));
    // Only the gamemaster can delete it.
    for (who, at) in [(&ana, &page), (&ana, &table), (&Browser::new(), &table)] {
        assert_eq!(who.post(&format!("{at}/delete"), &[("sure", "yes")]).status, 404);
        assert_eq!(who.post(&format!("{at}/restore"), &[]).status, 404);
    }
    assert_eq!(anas.send("DELETE", &format!("/tables/{id}"), None, &[]).status, 403);
    assert_eq!(reader.send("DELETE", &format!("/tables/{id}"), None, &[]).status, 403);
    assert_eq!(gm.get(&table).status, 200);

    assert_eq!(delete(&gm, &table).to, Some(format!("/t/{id}/gm/delete")));
    streams.iter().for_each(crate::common::Stream::ends);
    // For others, it never existed.
    let never = format!("{}/t/nosuchtable", server.url);
    for end in ["player-1", "player-1/story", "player-1/stream", "player-1/people", "gm", "gm/delete", ""] {
        let end = format!("/{end}").trim_end_matches('/').to_owned();
        let (gone, absent) =
            (ana.get(&format!("{}/t/{id}{end}", server.url)), ana.get(&format!("{never}{end}")));
        assert_eq!((gone.status, gone.body), (absent.status, absent.body), "{end}");
    }
    let guess = format!("{}/join/{}", server.url, "a".repeat(32));
    let (gone, absent) = (Browser::new().get(&to_join), Browser::new().get(&guess));
    assert_eq!((gone.status, gone.body), (absent.status, absent.body));
    assert!(!ana.get(&server.url).body.contains(&id));
    let stranger = Program::new(&server).with(&"a".repeat(32));
    for path in ["", "/view", "/lines", "/restore"] {
        let method = if path == "/restore" { "POST" } else { "GET" };
        let at = format!("/tables/{id}{path}");
        let (gone, absent) = (anas.send(method, &at, None, &[]), stranger.send(method, &at, None, &[]));
        assert_eq!((gone.status, gone.body), (absent.status, absent.body), "{path}");
    }
    // Its gamemaster is told, after a restart too.
    for program in [&gms, &reader] {
        let response = program.get(&format!("/tables/{id}/view"));
        assert_eq!((response.status, response.problem()), (410, "deleted"), "{response:?}");
    }
    let server = server.again_there();
    let table = format!("{}/t/{id}/gm", server.url);
    assert_eq!(gm.get(&table).to, Some(format!("/t/{id}/gm/delete")));
    let body = gm.get(&format!("{table}/delete")).body;
    assert!(body.contains("is deleted") && body.contains("You can restore it"), "{body}");
    let home = gm.get(&server.url).body;
    assert!(home.contains("Deleted; you can restore it until"), "{home}");
    // A read token cannot restore it; the page can, and then everything is as before.
    assert_eq!(reader.post(&format!("/tables/{id}/restore"), &json!({})).status, 403);
    assert_eq!(gm.post(&format!("{table}/restore"), &[]).to, Some(format!("/t/{id}/gm")));
    assert!(gm.get(&table).body.contains("before it was deleted"));
    assert!(ana.get(&page).body.contains("before it was deleted"));
    assert_eq!(anas.get(&format!("/tables/{id}")).status, 200);
    assert_eq!(Browser::new().get(&to_join).status, 303);
    // And so does a program.
    let gone = gms.send("DELETE", &format!("/tables/{id}"), None, &[]);
    assert!(gone.status == 200 && gone.body["until"].as_i64() > Some(0), "{gone:?}");
    assert_eq!(ana.get(&page).status, 404);
    assert_eq!(gms.post(&format!("/tables/{id}/restore"), &json!({})).status, 204);
    assert_eq!(gms.post(&format!("/tables/{id}/restore"), &json!({})).status, 204, "it stands");
    assert_eq!(ana.get(&page).status, 200);
}

/// The files in a folder that contain this text.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let files = fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    let has = |path: &std::path::PathBuf| {
        let bytes = fs::read(path).expect("a file");
        bytes.windows(text.len()).any(|there| there == text.as_bytes())
    };
    files.filter(has).map(|path| path.display().to_string()).collect()
}

#[test]
fn of_a_deleted_table_nothing_is_left_after_its_time() {
    const CANARY: &str = "heron-4711-canary";
    let data = tempfile::tempdir().expect("a folder");
    let keep = Duration::from_secs(2);
    let server = Server::configured(data, |config| config.keep_deleted = keep);
    let nobody = Program::new(&server);
    let (before, first) = nobody.open(SYSTEM, ENCOUNTER, &[]);
    // It is the next evening of another table, and the word is in everything of it.
    let next = before.send(
        "POST",
        &format!("/tables/{first}/next"),
        Some(&json!({ "encounter": ENCOUNTER, "title": CANARY }).to_string()),
        &[("idempotency-key", "the-second-evening")],
    );
    assert_eq!(next.status, 201, "{next:?}");
    let id = next.body["table"].as_str().expect("an id").to_owned();
    let gm = nobody.with(next.body["token"].as_str().expect("a token"));
    let at = |path: &str| format!("/tables/{id}{path}");
    for _ in 0..30 {
        let text = format!("{CANARY} ").repeat(20);
        let noted = gm.send("POST", &at("/note"), Some(&json!({ "text": text }).to_string()), &[]);
        assert_eq!(noted.status, 200, "{noted:?}");
    }
    let key = [("idempotency-key", CANARY)];
    let keyed = gm.send("POST", &at("/note"), Some(&json!({ "text": "named" }).to_string()), &key);
    assert_eq!(keyed.status, 200, "{keyed:?}");
    let link = gm.post(&at("/passes"), &json!({ "kind": "invite", "role": "watch", "label": CANARY }));
    let url = json!({ "url": format!("https://example.org/{CANARY}") });
    assert_eq!(gm.post(&at("/webhook"), &url).status, 200);
    let eve = Browser::new();
    let door = eve.get(link.body["link"].as_str().expect("a link")).to.expect("a door");
    assert_eq!(eve.post(&format!("{}{door}", server.url), &[("name", CANARY)]).status, 303);
    let folder = server.data.path().to_owned();
    assert!(!files_with(&folder, CANARY).is_empty() && !files_with(&folder, &id).is_empty());

    assert_eq!(gm.send("DELETE", &at(""), None, &[]).status, 200);
    assert_eq!(gm.get(&at("")).status, 410);
    sleep(keep + Duration::from_secs(1));
    assert_eq!(gm.get(&at("")).status, 401, "its time is over");
    assert_eq!(gm.post(&at("/restore"), &json!({})).status, 401);
    // Servers look for such tables when they start, and then once a minute.
    let server = server.again();
    let folder = server.data.path().to_owned();
    let until = Instant::now() + Duration::from_secs(20);
    while !(files_with(&folder, CANARY).is_empty() && files_with(&folder, &id).is_empty()) {
        assert!(
            Instant::now() < until,
            "left in {:?} {:?}",
            files_with(&folder, CANARY),
            files_with(&folder, &id)
        );
        sleep(Duration::from_millis(100));
    }
    let before = Program::new(&server).with(before.token.as_deref().expect("a token"));
    assert_eq!(before.get(&format!("/tables/{first}")).status, 200, "the other one stands");
}

#[test]
fn who_is_turned_out_takes_links_along_and_the_page_says_so_before() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let people = format!("{table}/people");
    // The gamemaster also leads from another device and makes a link; two people come by one
    // link.
    let (second, page) = join(&gm, &table, "gm", "Second");
    let made = link(&second, &page, "player-1");
    let come = |name: &str| {
        let browser = Browser::new();
        let door = format!("{}{}", server.url, browser.get(&made).to.expect("a door"));
        assert_eq!(browser.post(&door, &[("name", name)]).status, 303);
        let there = gm.get(&people).body;
        let at_door = crate::common::field(&there, "browser").expect("somebody at the door");
        let fields = [("browser", at_door.as_str()), ("role", "player-1"), ("in", "yes")];
        assert_eq!(gm.post(&format!("{table}/admit"), &fields).status, 303);
        (browser, at_door)
    };
    let (ana, anas) = come("Ana");
    let (bo, _) = come("Bo");
    let seat = format!("{}/t/{}/player-1", server.url, id_of(&table));
    assert!(ana.get(&seat).status == 200 && bo.get(&seat).status == 200);
    let token = ana.post(&format!("{seat}/programs"), &[("kind", "play")]).body;
    let token = token.split("id=\"fresh\" value=\"").nth(1).expect("a token")[..32].to_owned();
    let anas_program = Program::new(&server).with(&token);
    assert_eq!(anas_program.get(&format!("/tables/{}", id_of(&table))).status, 200);
    let body = gm.get(&people).body;
    for along in [
        "also takes back the link by which they came and a token that they made",
        "also takes back the link by which they came and a link that they made",
        "Others who came in by these links stay.",
    ] {
        assert!(body.contains(along), "{along}: {body}");
    }
    let out = [("browser", anas.as_str()), ("role", "player-1"), ("in", "no")];
    assert_eq!(gm.post(&format!("{table}/admit"), &out).status, 303);
    assert_eq!(ana.get(&seat).to, Some(format!("/t/{}/player-1/knock", id_of(&table))), "she is out");
    assert_eq!(bo.get(&seat).status, 200, "he stays");
    assert_eq!(anas_program.get(&format!("/tables/{}", id_of(&table))).status, 401);
    // She cannot come in with another browser either, nor can anybody by her link.
    assert_eq!(Browser::new().get(&made).status, 404);
    // The same for programs: the page lists what goes along, and it goes.
    let gms = gm.post(&format!("{table}/programs"), &[("role", "gm"), ("kind", "play")]).body;
    let gms = gms.split("id=\"fresh\" value=\"").nth(1).expect("a token")[..32].to_owned();
    let gms = Program::new(&server).with(&gms);
    let at = |path: &str| format!("/tables/{}{path}", id_of(&table));
    let again = link(&second, &page, "player-2");
    let all = gms.get(&at("/people")).body;
    let other =
        all.as_array().expect("people").iter().find(|person| person["name"] == "Second").expect("there");
    assert_eq!(other["takes_along"].as_array().map(Vec::len), Some(2), "{all}");
    let decided = json!({ "person": other["id"], "role": "gm", "admit": false });
    assert_eq!(gms.post(&at("/people"), &decided).status, 204);
    assert_eq!(Browser::new().get(&again).status, 404);
    let live = gms.get(&at("/passes")).body;
    let along: Vec<_> = other["takes_along"].as_array().into_iter().flatten().collect();
    for pass in live.as_array().expect("passes").iter().filter(|pass| along.contains(&&pass["id"])) {
        assert!(pass["revoked"].is_i64(), "{pass}");
    }
}

#[test]
fn the_gamemaster_says_whether_spectators_may_pause() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    let (eve, watch) = join(&gm, &table, "watch", "Eve");
    let (ana, seat) = join(&gm, &table, "player-1", "Ana");
    let resume = || assert!(gm.post(&format!("{table}/resume"), &[]).status < 400);
    // By default everybody may.
    assert!(eve.get(&watch).body.contains("✕ Pause"));
    assert_eq!(eve.post(&format!("{watch}/pause"), &[]).status, 303);
    assert!(gm.get(&table).body.contains("Somebody wants a pause."));
    resume();
    assert_eq!(gm.post(&format!("{table}/watchers"), &[("pause", "no")]).status, 303);
    assert!(gm.get(&format!("{table}/people")).body.contains("Spectators cannot pause the table."));
    assert!(!eve.get(&watch).body.contains("✕ Pause"));
    let refused = eve.post(&format!("{watch}/pause"), &[]);
    assert_eq!(refused.status, 403, "{}", refused.body);
    assert!(!gm.get(&table).body.contains("Somebody wants a pause."));
    assert_eq!(ana.post(&format!("{seat}/pause"), &[]).status, 303, "players always may");
    resume();
    let made = gm.post(&format!("{table}/programs"), &[("role", "gm"), ("kind", "play")]).body;
    let token = &made.split("id=\"fresh\" value=\"").nth(1).expect("a token")[..32];
    let (program, at) = (Program::new(&server).with(token), format!("/tables/{}/watchers", id_of(&table)));
    assert_eq!(program.get(&at).body, json!({ "pause": false }));
    assert_eq!(program.post(&at, &json!({ "pause": true })).status, 204);
    assert_eq!(eve.post(&format!("{watch}/pause"), &[]).status, 303);
}

/// The cookies that a reply sets, by name.
fn given(reply: &Reply) -> Vec<(String, String)> {
    let lines = reply.headers.lines().filter_map(|line| line.strip_prefix("set-cookie: "));
    let pairs = lines.filter_map(|line| line.split(';').next()?.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn nobody_is_known_by_a_cookie_of_their_own_choice() {
    let server = Server::start();
    let chosen = "a".repeat(32);
    let open = format!("{}/open/{SYSTEM}/{ENCOUNTER}", server.url);
    for value in [chosen.clone(), format!("{chosen}.{chosen}"), format!("{chosen}.")] {
        let victim = Browser::bringing(&server.url, "fracas", &value);
        let opened = victim.post(&open, &[]);
        let [(name, own)] = &given(&opened)[..] else { panic!("{}", opened.headers) };
        assert!(name == "fracas" && !own.starts_with(&chosen), "{}", opened.headers);
        let table = format!("{}{}", server.url, opened.to.expect("a table"));
        assert_eq!(victim.get(&table).status, 200);
        assert_eq!(Browser::bringing(&server.url, "fracas", &value).get(&table).status, 404);
        // The secret without the server's signature is not valid.
        let secret = own.split('.').next().expect("a secret");
        assert_eq!(Browser::bringing(&server.url, "fracas", secret).get(&table).status, 404);
        assert_eq!(Browser::bringing(&server.url, "fracas", own).get(&table).status, 200);
    }
}

#[test]
fn over_https_cookies_are_this_hosts_alone_and_who_was_known_is_known_still() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[]);
    assert!(!gm.get(&table).headers.contains("strict-transport-security"));
    let (before, path) = (gm.secret(&server.url), table.replace(&server.url, ""));
    let server =
        server.again_configured(|config| config.base_url = Some("https://play.example.org".to_owned()));
    // The address of the connection stays the same: a proxy stands before it.
    let at = format!("http://{}", server.address);
    let table = format!("{at}{path}");
    let moved = Browser::bringing(&at, "fracas", &before).get(&table);
    assert_eq!(moved.status, 200);
    assert!(moved.headers.contains("strict-transport-security: max-age=31536000"), "{}", moved.headers);
    let cookies = given(&moved);
    let [(name, value), (old, nothing)] = &cookies[..] else { panic!("{}", moved.headers) };
    assert_eq!((name.as_str(), old.as_str(), nothing.as_str()), ("__Host-fracas", "fracas", ""));
    let line = moved.headers.lines().find(|line| line.contains("__Host-fracas")).expect("a line");
    assert!(line.contains("Path=/") && line.contains("Secure") && !line.contains("Domain"), "{line}");
    let now = Browser::bringing(&at, "__Host-fracas", value).get(&table);
    assert_eq!((now.status, given(&now).len()), (200, 0));
    // A cookie that another site of the domain sets is not valid.
    assert_eq!(Browser::bringing(&at, "fracas", value).get(&table).status, 404);
}

#[test]
fn a_proxys_word_on_https_counts_where_it_is_trusted() {
    use fracas_web::Addresses;
    let headers = |addresses: Addresses| {
        let server =
            Server::configured(tempfile::tempdir().expect("a folder"), |config| config.addresses = addresses);
        Program::new(&server).send("GET", "/systems", None, &[("x-forwarded-proto", "https")]).headers
    };
    assert!(headers(Addresses::Proxy).contains("strict-transport-security"));
    assert!(!headers(Addresses::Connected).contains("strict-transport-security"));
}

#[test]
fn a_device_is_forgotten_with_its_places_and_papers() {
    let server = Server::start();
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[("title", "The Weir")]);
    let (ana, seat) = join(&gm, &table, "player-1", "Ana");
    let (other, _) = join(&gm, &table, "player-1", "Ana, on a phone");
    let before = ana.secret(&server.url);
    assert_eq!(
        ana.post(&format!("{}/papers", server.url), &[("system", SYSTEM), ("kind", "character")]).status,
        303
    );
    let stream = ana.listen(&format!("{seat}/stream"), None);
    stream.next();
    let forget = format!("{}/forget", server.url);
    let asked = ana.get(&forget).body;
    assert!(asked.contains("The Weir") && asked.contains("papers that were made in it: 1"), "{asked}");
    assert!(!asked.contains("Nobody else leads"));
    assert!(gm.get(&forget).body.contains("Nobody else leads"));
    assert!(ana.get(&server.url).body.contains("href=\"/forget\""));
    assert!(ana.post(&forget, &[]).body.contains("Forget this device?"), "one press does nothing");
    let gone = ana.post(&forget, &[("sure", "yes")]);
    assert_eq!((gone.status, gone.to.as_deref()), (303, Some("/")));
    assert!(gone.headers.contains("set-cookie: fracas=; ") && gone.headers.contains("clear-site-data"));
    stream.ends();
    // A browser that kept the cookie is a stranger too.
    let kept = Browser::known(&server.url, &before);
    assert_eq!(kept.get(&seat).status, 404);
    assert!(!kept.get(&server.url).body.contains("The Weir"));
    assert!(kept.get(&forget).body.contains("This server knows nothing about this browser"));
    assert!(!gm.get(&format!("{table}/people")).body.contains("<bdi>Ana</bdi>"));
    assert_eq!(other.get(&seat).status, 200, "another device keeps its place");
}

#[test]
fn what_people_write_does_not_mislead_the_eye() {
    const BAD: [char; 6] = ['\u{202e}', '\u{2066}', '\u{2028}', '\u{1b}', '\u{9b}', '\u{7f}'];
    let server = Server::start();
    let title = "The \u{202e}rieW\u{1b}[2J";
    let (gm, table) = server.table(SYSTEM, ENCOUNTER, &[("title", title)]);
    let (ana, seat) = join(&gm, &table, "player-1", "An\u{202e}a\u{7f}");
    let (eve, watch) = join(&gm, &table, "watch", "אָנָה");
    let stream = eve.listen(&format!("{watch}/stream"), None);
    stream.next();
    let evil = "look \u{202e}kool\u{2066} here \u{1b}[31m\u{9b}x\u{7f}\u{2028}end";
    assert!(ana.post(&format!("{seat}/note"), &[("text", evil)]).status < 400);
    let made = gm.post(&format!("{table}/programs"), &[("role", "gm"), ("kind", "read"), ("label", evil)]);
    let token = made.body.split("id=\"fresh\" value=\"").nth(1).expect("a token")[..32].to_owned();
    let program = Program::new(&server).with(&token);
    let at = |path: &str| format!("/tables/{}{path}", id_of(&table));
    let (_, pushed) = stream.until("look");
    let mut sent = vec![("a stream", pushed), ("the link's page", made.body)];
    for page in ["", "/people", "/story", "/story.md", "/programs"] {
        sent.push(("a page", gm.get(&format!("{table}{page}")).body));
    }
    sent.push(("home", gm.get(&server.url).body));
    for path in ["", "/lines", "/people", "/passes", "/story"] {
        let response = program.get(&at(path));
        assert_eq!(response.status, 200, "{path}");
        sent.push(("the API", response.body.to_string()));
        // As a program has it after parsing.
        sent.push(("the API, read", format!("{:?}", response.body)));
    }
    let mut shown = 0;
    for (whence, text) in &sent {
        assert!(
            !text.contains(BAD) && !text.contains("\\u{1b}") && !text.contains("\\u{202e}"),
            "{whence}: {text}"
        );
        for escaped in ["\\u001b", "\\u202e", "\\u007f", "\\u009b"] {
            assert!(!text.contains(escaped), "{whence}: {text}");
        }
        shown += text.matches('\u{fffd}').count();
    }
    assert!(shown > 20, "{shown} are shown in their place");
    // Names are kept without such characters, and are isolated in sentences.
    let people = gm.get(&format!("{table}/people")).body;
    assert!(people.contains("<bdi>Ana</bdi>") && people.contains("<bdi>אָנָה</bdi>"), "{people}");
    // A log has the text unchanged.
    assert!(gm.get(&format!("{table}/log")).body.contains('\u{202e}'));
}
