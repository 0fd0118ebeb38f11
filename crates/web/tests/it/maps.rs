//! Maps that people bring, and their pictures.

use crate::common::program::Program;
use crate::common::{Browser, Reply, Server, field, join};
use data_encoding::BASE64;
use fracas_web::Limits;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use std::{io::Cursor, time::Duration};

const SYSTEM: &str = "ruins-and-raiders";

/// A picture of one colour.
fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let image = DynamicImage::from(RgbImage::from_pixel(width, height, Rgb([190, 170, 130])));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("written");
    bytes.into_inner()
}

/// A map of 8 by 6 spaces with a wall between the second and the third column.
fn map() -> Value {
    json!({
        "format": 0.3,
        "resolution": { "map_origin": { "x": 0, "y": 0 }, "map_size": { "x": 8, "y": 6 }, "pixels_per_grid": 10 },
        "line_of_sight": [[{ "x": 2, "y": 0 }, { "x": 2, "y": 5 }]],
        "image": BASE64.encode(&picture(80, 60, ImageFormat::Png)),
    })
}

fn bring(server: &Server, browser: &Browser, fields: &[(&str, &str)], file: &[u8]) -> Reply {
    let fields: Vec<(&str, &str)> = [("system", SYSTEM)].into_iter().chain(fields.iter().copied()).collect();
    browser.bring(&format!("{}/papers/map", server.url), &fields, file)
}

/// The paper that a file became.
#[track_caller]
fn paper(server: &Server, reply: Reply) -> String {
    assert_eq!(reply.status, 303, "{}", reply.body);
    format!("{}{}", server.url, reply.to.expect("a place"))
}

fn papers(server: &Server, browser: &Browser) -> usize {
    browser.get(&format!("{}/papers", server.url)).body.matches("class=\"place\"").count()
}

/// The id of the picture that a text names.
fn id_in(text: &str) -> String {
    let from = text.find("picture = { id = \"").expect("a picture") + 18;
    text[from..from + 64].to_owned()
}

/// A picture's status, headers and length.
fn shown(server: &Server, id: &str) -> (u16, String, usize) {
    let agent =
        ureq::Agent::new_with_config(ureq::Agent::config_builder().http_status_as_error(false).build());
    let mut reply = agent.get(format!("{}/pictures/{id}", server.url)).call().expect("an answer");
    let headers = format!("{:?}", reply.headers());
    (reply.status().as_u16(), headers, reply.body_mut().read_to_vec().expect("bytes").len())
}

#[test]
fn a_map_becomes_an_encounter_that_opens() {
    let server = Server::start();
    let gm = Browser::new();
    let paper = paper(&server, bring(&server, &gm, &[], map().to_string().as_bytes()));
    let page = gm.get(&paper).body;
    assert!(page.contains("Checked: nothing is wrong."), "{page}");
    let text = gm.get(&format!("{paper}/file")).body;
    assert!(text.contains("title = \"mine\"") && text.contains("\"B5-C5\",\n]"), "{text}");
    let id = id_in(&text);
    let (status, headers, length) = shown(&server, &id);
    assert!(status == 200 && length > 0, "{headers}");
    for header in ["image/png", "nosniff", "immutable", "default-src 'none'; sandbox", "private"] {
        assert!(headers.contains(header), "{header}: {headers}");
    }
    // The stage names it for everybody at the table.
    let program = Program::new(&server);
    let opened = program.post("/tables", &json!({ "system": SYSTEM, "toml": text }));
    assert_eq!(opened.status, 201, "{opened:?}");
    let [token, table] = ["token", "table"].map(|name| opened.body[name].as_str().expect("a text"));
    let now = program.with(token).get(&format!("/tables/{table}")).body;
    let map = &now["stage"]["map"];
    assert_eq!(map["picture"]["href"], format!("/pictures/{id}"), "{map}");
    assert_eq!((&map["picture"]["width"], &map["picture"]["left"]), (&json!(8_000), &json!(0)));
    assert_eq!(map["walls"].as_array().expect("walls").len(), 5);
    // The table keeps it when the paper is gone.
    gm.post(&format!("{paper}/away"), &[]);
    gm.post(&format!("{paper}/erase"), &[]);
    assert_eq!((papers(&server, &gm), shown(&server, &id).0), (0, 200));
}

#[test]
fn a_picture_is_gone_with_its_last_paper() {
    let server = Server::start();
    let (ana, bo) = (Browser::new(), Browser::new());
    let file = map().to_string();
    let first = paper(&server, bring(&server, &ana, &[], file.as_bytes()));
    let id = id_in(&ana.get(&format!("{first}/file")).body);
    // Another person's own is another picture, so that nobody learns who else has it.
    let others = paper(&server, bring(&server, &bo, &[], file.as_bytes()));
    assert_ne!(id_in(&bo.get(&format!("{others}/file")).body), id);
    let copy = paper(&server, ana.post(&format!("{first}/copy"), &[]));
    for (paper, status) in [(first, 200), (copy, 404)] {
        ana.post(&format!("{paper}/away"), &[]);
        assert_eq!(shown(&server, &id).0, 200, "it may be taken back");
        ana.post(&format!("{paper}/erase"), &[]);
        assert_eq!(shown(&server, &id).0, status);
    }
    for id in ["x", "../papers", &"g".repeat(64), &id.to_uppercase(), &id[1..]] {
        assert_eq!(shown(&server, id).0, 404, "{id}");
    }
}

#[test]
fn a_picture_becomes_an_encounter_of_the_size_that_is_said() {
    let server = Server::start();
    let gm = Browser::new();
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let size = [("columns", "12"), ("rows", " 9 ")];
        let paper = paper(&server, bring(&server, &gm, &size, &picture(120, 90, format)));
        let text = gm.get(&format!("{paper}/file")).body;
        assert!(text.contains("[map]\ncolumns = 12\nheight = 9\n"), "{text}");
        assert!(gm.get(&paper).body.contains("Checked: nothing is wrong."));
    }
    let form = gm.get(&format!("{}/papers", server.url)).body;
    assert!(form.contains("action=\"/papers/map\"") && form.contains(".dd2vtt"), "{form}");
}

#[test]
fn a_file_that_is_no_map_is_refused_and_nothing_is_kept() {
    let server = Server::start();
    let gm = Browser::new();
    let png = picture(20, 20, ImageFormat::Png);
    let mut wide = map();
    wide["resolution"]["map_size"] = json!({ "x": 1000, "y": 1000 });
    let mut script = map();
    script["image"] = json!(BASE64.encode(b"<svg onload=\"alert(1)\"/>"));
    for (fields, file, expected) in [
        (&[][..], &b""[..], "here is no file in it"),
        (&[], b"<svg onload=alert(1)>", "neither a Universal VTT map"),
        (&[], &png, "a picture does not say how many spaces it shows"),
        (&[("columns", "0"), ("rows", "4")], &png, "0 columns and 4 rows"),
        (&[("columns", "9999"), ("rows", "4")], &png, "a whole number from 1 to 64"),
        (&[("columns", "4"), ("rows", "4")], &png[..40], "it cannot be read"),
        (&[("columns", &"4".repeat(100))], &png, "field of the form has more than 64 bytes"),
        (&[], wide.to_string().as_bytes(), "1000 columns and 1000 rows, and 64 each"),
        (&[], script.to_string().as_bytes(), "expected a PNG, JPEG or WebP"),
        (&[], &vec![b' '; (16 << 20) + 1], "he file has more than 16777216 bytes"),
    ] {
        let reply = bring(&server, &gm, fields, file);
        assert_eq!(reply.status, 422, "{expected}: {}", reply.body);
        assert!(
            reply.body.contains("nothing was changed") && reply.body.contains(expected),
            "{expected}: {}",
            reply.body
        );
        assert!(!reply.body.contains("<svg"), "{}", reply.body);
    }
    assert_eq!(papers(&server, &gm), 0);
    let other = [("system", "afraid")];
    let reply = gm.bring(&format!("{}/papers/map", server.url), &other, map().to_string().as_bytes());
    assert!(reply.status == 422 && reply.body.contains("has no maps"), "{}", reply.body);
}

#[test]
fn an_encounter_comes_with_the_picture_that_it_names() {
    let server = Server::start();
    let gm = Browser::new();
    let bring = |files: &[(&str, &[u8])]| {
        gm.bring_all(&format!("{}/papers/map", server.url), &[("system", SYSTEM)], files)
    };
    let template = fracas_systems::find(SYSTEM).expect("a system").templates;
    let (_, text) = template().iter().find(|(kind, _)| *kind == "encounter").expect("a template");
    let text =
        text.replace("\nnames = ", "\npicture = { file = \"mill.jpg\", left = -500 } # dim\r\nnames = ");
    let png = picture(80, 60, ImageFormat::Png);
    // By itself it lacks its picture, and says what to do.
    let alone = gm.bring(&format!("{}/papers/import", server.url), &[("system", SYSTEM)], text.as_bytes());
    let page = gm.get(&paper(&server, alone)).body;
    assert!(page.contains("mill.jpg") && page.contains("bring both files under"), "{page}");
    for files in [
        [("mill.toml", text.as_bytes()), ("mill.jpg", &png)],
        [("mill.jpg", &png), ("mill.toml", text.as_bytes())],
    ] {
        let paper = paper(&server, bring(&files));
        let page = gm.get(&paper).body;
        assert!(page.contains("Checked: nothing is wrong."), "{page}");
        let kept = gm.get(&format!("{paper}/file")).body;
        let at = kept.find("picture = { left = -500, id = \"").expect("a picture") + 31;
        assert!(kept[at..].contains("\" } # dim\n"), "{kept}");
        assert_eq!(shown(&server, &kept[at..at + 64]).0, 200, "{kept}");
    }
    let before = papers(&server, &gm);
    for (files, why) in [
        (&[("a.png", &png[..]), ("b.png", &png)][..], "an encounter (.toml) and its picture"),
        (&[("a.toml", text.as_bytes()), ("b.toml", text.as_bytes())], "an encounter (.toml) and its picture"),
        (&[("a.toml", b"title = \"bare\""), ("b.png", &png)], "no [map]"),
        (&[("a.toml", b"\xff\xfe"), ("b.png", &png)], "a .toml file of at most"),
        (&[("a.toml", text.as_bytes()), ("b.png", &png[..40])], "it cannot be read"),
    ] {
        let reply = bring(files);
        assert!(reply.status == 422 && reply.body.contains(why), "{why}: {}", reply.body);
    }
    assert_eq!(papers(&server, &gm), before);
}

#[test]
fn a_map_is_begun_in_an_encounter_without_one() {
    let server = Server::start();
    let gm = Browser::new();
    let text = "title = \"Bare\"\ngame = \"ruins-and-raiders\"\n[[player]]\nname = \"Ana\"\n[[character]]\nname = \"Wren\"\n";
    let bare = gm.bring(&format!("{}/papers/import", server.url), &[("system", SYSTEM)], text.as_bytes());
    let paper = paper(&server, bare);
    let page = gm.get(&format!("{paper}?as=map")).body;
    assert!(page.contains("Begin a map") && !page.contains("id=\"plan\""), "{page}");
    let begin = |columns: &str, rows: &str| {
        let version = field(&gm.get(&paper).body, "version").expect("a version");
        let fields = [
            ("version", version.as_str()),
            ("as", "map"),
            ("text", text),
            ("columns", columns),
            ("rows", rows),
            ("do", "begin-map"),
        ];
        gm.post(&paper, &fields)
    };
    let refused = begin("65", "16");
    assert!(
        refused.status == 422 && refused.body.contains("Columns: expected a whole number from 1 to 64"),
        "{}",
        refused.body
    );
    assert!(refused.body.contains("Begin a map"), "{}", refused.body);
    let begun = begin("12", "9");
    assert!(begun.to.is_some_and(|to| to.ends_with("?as=map")));
    assert_eq!(gm.get(&format!("{paper}/file")).body, format!("{text}\n[map]\ncolumns = 12\nheight = 9\n"));
    let page = gm.get(&format!("{paper}?as=map")).body;
    assert!(page.contains("id=\"plan\"") && page.contains("Checked: nothing is wrong."), "{page}");
    // Other systems have no maps, and no such tab.
    let other = gm.post(&format!("{}/papers", server.url), &[("system", "afraid"), ("kind", "encounter")]);
    let page = gm.get(&format!("{}{}?as=map", server.url, other.to.expect("a paper"))).body;
    assert!(!page.contains("As a map") && !page.contains("Begin a map"), "{page}");
}

#[test]
fn maps_are_limited() {
    let server = Server::configured(tempfile::tempdir().expect("a folder"), |config| {
        let mut limits =
            Limits { maps: fracas_web::Rate { burst: 3, every: Duration::from_secs(900) }, ..Limits::none() };
        limits.pictures.browser = 1;
        config.limits = limits;
    });
    let gm = Browser::new();
    let file = map().to_string();
    let reply = bring(&server, &gm, &[], file.as_bytes());
    assert!(reply.status == 409 && reply.body.contains("MB of pictures"), "{}", reply.body);
    assert_eq!(papers(&server, &gm), 0);
    let mut plain = map();
    plain["image"] = Value::Null;
    let plain = plain.to_string();
    paper(&server, bring(&server, &gm, &[], plain.as_bytes()));
    paper(&server, bring(&server, &Browser::new(), &[], plain.as_bytes()));
    assert_eq!(bring(&server, &gm, &[], plain.as_bytes()).status, 429);
}

#[test]
fn the_next_evening_and_who_watches_see_the_picture() {
    let server = Server::start();
    let gm = Browser::new();
    let paper = paper(&server, bring(&server, &gm, &[], map().to_string().as_bytes()));
    let id = id_in(&gm.get(&format!("{paper}/file")).body);
    let version = field(&gm.get(&paper).body, "version").expect("a version");
    assert!(!version.is_empty());
    let opened = gm.post(&format!("{paper}/open"), &[]);
    assert_eq!(opened.status, 303, "{}", opened.body);
    let table = format!("{}{}", server.url, opened.to.expect("a table"));
    let (eve, watching) = join(&gm, &table, "watch", "Eve");
    assert_eq!(eve.get(&watching).status, 200);
    assert_eq!(shown(&server, &id).0, 200);
}

#[test]
fn a_map_is_drawn_on_and_nothing_is_kept() {
    let server = Server::start();
    let (gm, eve) = (Browser::new(), Browser::new());
    let begun = gm.post(&format!("{}/papers", server.url), &[("system", SYSTEM), ("kind", "encounter")]);
    let paper = paper(&server, begun);
    let text = gm.get(&format!("{paper}/file")).body;
    let draw = |who: &Browser, fields: &[(&str, &str)], text: &str| {
        let form: Vec<(&str, &str)> = [("text", text)].into_iter().chain(fields.iter().copied()).collect();
        who.post(&format!("{paper}/map"), &form)
    };
    let wall = [("change", "paint"), ("spaces", "A1 B1"), ("ground", "wall")];
    let drawn = draw(&gm, &wall, &text);
    assert_eq!(drawn.status, 200, "{}", drawn.body);
    assert!(drawn.body.contains("id=\"plan\"") && drawn.body.contains("\n##....~~....\n"), "{}", drawn.body);
    assert_eq!(gm.get(&format!("{paper}/file")).body, text, "the paper is as it was");
    let edges = draw(&gm, &[("change", "close"), ("edges", "A1-B1 A2-B2")], &text);
    assert!(edges.body.contains("\nwalls = [&quot;A1-B1&quot;, &quot;A2-B2&quot;]\n"), "{}", edges.body);
    assert!(edges.body.contains("a wall to B1") && edges.body.contains("class=\"edge\""), "{}", edges.body);
    // Without a change it is drawn as it is.
    assert!(draw(&gm, &[], &text).body.contains("\n......~~....\n"));
    for (fields, text, why) in [
        (&wall[..], &text.replace("..#...~~....", "..#"), "row 3 has 3 spaces, and row 1 has 12 spaces"),
        (&wall, &text.replace("[map]", "[map"), "ine "),
        (&wall, &String::new(), "The text has no [map]"),
        (&wall, &"x".repeat(200 << 10), "the most is"),
        (&[("change", "paint")], &text, "The change has no \"spaces\""),
        (&[("change", "paint"), ("spaces", "<b>")], &text, "\"<b>\""),
        (&[("change", "close"), ("edges", "A1-C1")], &text, "A1 and C1 do not touch"),
        (&[("change", "place"), ("who", "npc[1]"), ("at", "C4")], &text, "C4 is a wall."),
        (
            &[("change", "shrink"), ("end", "right")],
            &text,
            "Ford Warden stands in L4, which would be outside",
        ),
    ] {
        let refused = draw(&gm, fields, text);
        assert_eq!(refused.status, 422, "{why}: {}", refused.body);
        assert!(
            refused.body.contains(why) && refused.headers.contains("text/plain"),
            "{why}: {}",
            refused.body
        );
    }
    assert_eq!(draw(&eve, &wall, &text).status, 404, "it is not hers");
    // The page shows the map, or what is wrong with it; without the script it leads to the text.
    let page = gm.get(&format!("{paper}?as=map")).body;
    assert!(page.contains("id=\"plan\"") && page.contains("?as=text\">the text</a>"), "{page}");
    let form = |text: &str| {
        let version = field(&gm.get(&paper).body, "version").expect("a version");
        gm.post(&paper, &[("version", &version), ("text", text), ("as", "map"), ("do", "save")])
    };
    let saved = form(&text.replace("..#...~~....", "..#"));
    assert!(saved.to.is_some_and(|to| to.ends_with("?as=map")));
    let page = gm.get(&format!("{paper}?as=map")).body;
    assert!(page.contains("cannot be drawn on yet") && !page.contains("id=\"plan\""), "{page}");
}

#[test]
fn people_and_places_have_pictures_of_their_own() {
    let server = Server::start();
    let (gm, other) = (Browser::new(), Browser::new());
    let begun = gm.post(&format!("{}/library/judge-two", server.url), &[("encounter", "salt-gate")]);
    let paper = paper(&server, begun);
    let give = |browser: &Browser, fields: &[(&str, &str)], file: &[u8]| {
        let page = browser.get(&paper).body;
        let version = page.split("name=\"version\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let fields: Vec<(&str, &str)> =
            [("version", version.unwrap_or("1"))].into_iter().chain(fields.iter().copied()).collect();
        browser.bring(&format!("{paper}/picture"), &fields, file)
    };
    let wide = picture(3_000, 1_500, ImageFormat::Png);
    for field in ["cover", "character[1].portrait"] {
        let reply = give(&gm, &[("field", field)], &wide);
        assert_eq!(reply.status, 303, "{}", reply.body);
    }
    let page = gm.get(&paper).body;
    assert!(page.contains("Checked: nothing is wrong."), "{page}");
    let text = gm.get(&format!("{paper}/file")).body;
    let id = |field: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("{field} = "))).expect(field);
        line.split('"').nth(1).expect("an id").to_owned()
    };
    let (cover, portrait) = (id("cover"), id("portrait"));
    assert_ne!(cover, portrait);
    assert!(shown(&server, &portrait).2 < shown(&server, &cover).2);

    // At the table they stand in place of what is drawn.
    let opened = gm.post(&format!("{paper}/open"), &[]);
    assert_eq!(opened.status, 303, "{}", opened.body);
    let table = format!("{}{}", server.url, opened.to.expect("a place"));
    let drawn = gm.get(&table).body;
    for id in [&cover, &portrait] {
        assert!(drawn.contains(&format!("/pictures/{id}")), "{drawn}");
    }
    gm.post(&format!("{paper}/away"), &[]);
    gm.post(&format!("{paper}/erase"), &[]);
    assert_eq!(shown(&server, &portrait).0, 200, "the table keeps it");
    assert_eq!(give(&other, &[("field", "cover")], &wide).status, 404);
}

#[test]
fn a_picture_that_cannot_be_taken_leaves_the_paper_as_it_was() {
    let server = Server::start();
    let gm = Browser::new();
    let begun = gm.post(&format!("{}/library/judge-two", server.url), &[("encounter", "salt-gate")]);
    let paper = paper(&server, begun);
    let before = gm.get(&format!("{paper}/file")).body;
    let small = picture(40, 40, ImageFormat::Jpeg);
    let fields = |field: &'static str, version: &'static str| [("field", field), ("version", version)];
    for (fields, file, status, why) in [
        (fields("cover", "1"), &b"<svg onload=alert(1)>"[..], 422, "expected a PNG, JPEG or WebP"),
        (fields("cover", "1"), &b""[..], 422, "choose a picture first"),
        (fields("cover", "1"), &small[..60], 422, "cannot be read"),
        (fields("title", "1"), &small, 422, "no place for that picture"),
        (fields("character[99].portrait", "1"), &small, 422, "no place for that picture"),
        (fields("character[1].secret", "1"), &small, 422, "no place for that picture"),
        (fields("cover", "7"), &small, 409, "another tab"),
        (fields("cover", "x"), &small, 409, "another tab"),
    ] {
        let reply = gm.bring(&format!("{paper}/picture"), &fields, file);
        assert_eq!(reply.status, status, "{fields:?} {}", reply.body);
        assert!(reply.body.to_lowercase().contains(&why.to_lowercase()), "{why}: {}", reply.body);
    }
    assert_eq!(gm.get(&format!("{paper}/file")).body, before);
    // What is taken away again leaves nothing behind in the text.
    let given = gm.bring(&format!("{paper}/picture"), &fields("character[1].portrait", "1"), &small);
    assert_eq!(given.status, 303, "{}", given.body);
    let taken = [("field", "character[1].portrait"), ("version", "2"), ("do", "forget")];
    assert_eq!(gm.bring(&format!("{paper}/picture"), &taken, b"").status, 303);
    assert_eq!(gm.get(&format!("{paper}/file")).body, before);
}
