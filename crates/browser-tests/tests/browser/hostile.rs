//! Whatever people write stays what they wrote: nothing of it runs.

use crate::common::{Browser, Server, field, fields, link};
use crate::{common::corpus::CORPUS, person::sits};
use fracas_browser_tests::{Chromium, Look, Window};
use fracas_suite::some;
use serde_json::json;

/// What a page of ours never has, whatever people write.
const FOREIGN: &str = "iframe, object, embed, img:not([src^='/assets/covers/']), base, math, style, animate, video, audio, meta[http-equiv], \
    link[href*='evil'], a[href^='javascript' i], a[href*='evil'], form[action*='evil'], [formaction], [srcdoc], \
    [onerror], [onload], [onclick], [onfocus], [ontoggle], [onbegin], [onmouseover]";

/// Listens for what a page's policy stops, from before the page is there.
const WATCH: &str = "
    window.stopped = [];
    addEventListener('securitypolicyviolation', (event) => window.stopped.push(event.violatedDirective + ' ' + event.blockedURI));
    window.alert = window.confirm = window.prompt = (said) => { window.stopped.push('a box says ' + said); };";

fn watch(window: &Window) {
    window.tool("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": WATCH }));
}

fn nothing_ran(window: &Window, at: &str) {
    assert_eq!(window.alert(), None, "a box at {at}");
    let stopped = window.script("return window.stopped", &[]);
    assert_eq!(stopped, json!([]), "at {at}");
    let foreign = window.script(
        "return [...document.querySelectorAll(arguments[0])].map((one) => one.outerHTML)
             .concat([...document.scripts].filter((one) => !one.src.startsWith(location.origin + '/assets/')).map((one) => one.outerHTML))",
        &[json!(FOREIGN)],
    );
    assert_eq!(foreign, json!([]), "at {at}");
    let wide = window
        .script("return document.documentElement.scrollWidth - document.documentElement.clientWidth", &[]);
    assert!(wide.as_i64() <= Some(0), "{at} is {wide} pixels too wide");
    let noted: Vec<String> = window
        .noted()
        .into_iter()
        .filter(|line| line.contains("Content Security Policy") || line.contains("Refused"))
        .collect();
    assert!(noted.is_empty(), "at {at}: {noted:?}");
}

/// Tries every hostile text in every place for one.
fn write_everywhere(gm: &Browser, table: &str, player: &Browser, page: &str) {
    let words = "word".repeat(1_000);
    for text in CORPUS.into_iter().chain([words.as_str()]) {
        for (browser, page, to) in [
            (gm, table, "all"),
            (gm, table, "gm"),
            (gm, table, "player-1"),
            (player, page, "all"),
            (player, page, "gm"),
        ] {
            let done = browser.act(&format!("{page}/note"), &[("text", text), ("to", to)]);
            assert_eq!(done.status, 200, "{text}: {}", done.body);
        }
        // What is refused is told with what was written.
        for (deed, name) in [
            ("answer", "answer"),
            ("answer", "own"),
            ("throw", "faces"),
            ("stand", "reply"),
            ("fiat", "fiat"),
        ] {
            let fields = [(name, text), ("ask", text), ("roll", text), ("text", text)];
            let response = gm.post(&format!("{table}/{deed}"), &fields);
            assert!((400..500).contains(&response.status), "{deed} {text}: {}", response.status);
        }
    }
}

/// Answers with hostile words beside them, and in place of words of the game's own.
fn answer_with(gm: &Browser, table: &str, player: &Browser, page: &str) {
    for (n, text) in CORPUS.into_iter().enumerate() {
        let (browser, page) = if n % 2 == 0 { (gm, table) } else { (player, page) };
        let body = browser.get(page).body;
        let (Some(ask), answers) = (field(&body, "ask"), fields(&body, "answer")) else {
            if let Some(roll) = field(&body, "roll") {
                browser.act(&format!("{page}/throw"), &[("roll", &roll)]);
            }
            continue;
        };
        let Some(answer) = answers.get(n % answers.len().max(1)) else { continue };
        let of = field(&body, "of").filter(|_| browser.get(page).body.contains("name=\"of\""));
        let mut fields = vec![("ask", ask.as_str()), ("answer", answer), ("text", text)];
        fields.extend(of.as_deref().map(|of| ("of", of)));
        browser.act(&format!("{page}/answer"), &fields);
        let short: String = text.chars().take(40).collect();
        fields.push(("own", &short));
        browser.act(&format!("{page}/answer"), &fields);
    }
}

#[test]
fn nothing_that_people_write_runs() {
    let server = Server::start();
    let chromium = Chromium::start();
    let windows = [chromium.window(Look::WIDE), chromium.window(Look::NARROW), chromium.window(Look::WIDE)];
    windows.iter().for_each(watch);
    for (n, system) in some(fracas_systems::all().iter().enumerate(), 3) {
        let encounter = &fracas_systems::encounters(system).expect("encounters")[0];
        let (gm, table) = server.table(system.id, &encounter.id, &[("title", CORPUS[n])]);
        gm.post(&format!("{table}/door"), &[("door", "open")]);
        let player = comes(&gm, &table, "player-1", CORPUS[n + 3]);
        let page = table.replace("/gm", "/player-1");
        let watcher = comes(&gm, &table, "watch", CORPUS[n + 6]);
        gm.post(&format!("{table}/door"), &[("door", "knock")]);
        for name in CORPUS {
            // They wait at the door, and are seen there by the gamemaster.
            comes(&gm, &table, "player-2", name);
        }
        for (window, browser) in windows.iter().zip([&gm, &player, &watcher]) {
            sits(window, &server.url, &browser.secret(&server.url));
        }
        // Live, as it comes, and again as it is loaded.
        windows[0].go(&table);
        windows[1].go(&page);
        windows[2].go(&table.replace("/gm", "/watch"));
        write_everywhere(&gm, &table, &player, &page);
        answer_with(&gm, &table, &player, &page);
        gm.act(&format!("{table}/note"), &[("text", "And so it ends."), ("to", "all")]);
        for window in &windows {
            window.says("And so it ends.");
            nothing_ran(window, "the table, live");
        }
        for (window, paths) in windows.iter().zip([
            &["/gm", "/gm?from=0", "/gm/people", "/gm/story"][..],
            &["/player-1", "/player-1?from=0", "/player-1/story"],
            &["/watch?from=0", "/watch/story"],
        ]) {
            for path in paths {
                window.go(&table.replace("/gm", path));
                nothing_ran(window, path);
            }
            window.go(&server.url);
            nothing_ran(window, "the front door");
        }
    }
    for (n, text) in CORPUS.into_iter().enumerate() {
        let search: String = form_urlencoded(text);
        let system = fracas_systems::all()[n % fracas_systems::all().len()].id;
        windows[0].go(&format!("{}/rules/{system}?q={search}", server.url));
        nothing_ran(&windows[0], "a search in the rules");
    }
}

/// Puts hostile words into every field of one form of a page that takes words, another
/// into each, and sends it as a browser without script does. Gives how many there were.
const FILL: &str = "
    const [nth, texts, from] = arguments;
    const form = document.forms[nth];
    let words = 0;
    for (const field of form.elements) {
        if (!takes(field)) continue;
        field.removeAttribute('pattern');
        field.removeAttribute('maxlength');
        field.value = texts[(from + words) % texts.length];
        words += 1;
    }
    form.target = '_self';
    HTMLFormElement.prototype.submit.call(form);
    return words;";

/// What the forms of a page are: where each leads, how many fields it has, and how many of them take words.
const FORMS: &str = "
    window.takes = (field) => field.name && !field.disabled
        && field.matches('textarea, input:is([type=text], [type=search], [type=url], [type=password], :not([type]))');
    return [...document.forms].map((form) =>
        [form.getAttribute('action'), form.elements.length, [...form.elements].filter(takes).length])";

/// Tries every form of a page; gives how many fields took hostile words.
fn fill_every_form(window: &Window, page: &str, from: usize) -> u64 {
    window.go(page);
    let forms = window.script(FORMS, &[]);
    let mut filled = 0;
    let takes_words = |form: &serde_json::Value| form[2].as_u64() > Some(0);
    let all = forms.as_array().into_iter().flatten().enumerate();
    for (nth, _) in all.filter(|(_, form)| takes_words(form)) {
        window.go(page);
        if window.script(FORMS, &[]) != forms {
            // What was sent has changed the page: the rest of it has had its turn.
            break;
        }
        window.script("document.documentElement.dataset.old = 'yes'", &[]);
        let words =
            window.script(FILL, &[json!(nth), json!(&CORPUS[..]), json!(from + nth)]).as_u64().unwrap_or(0);
        filled += words;
        window.until(
            "what was answered",
            "return !document.documentElement.dataset.old && document.readyState === 'complete'",
        );
        let at = format!("{page}, what form {nth} of {forms} led to");
        nothing_ran(window, &at);
        let broken = window.script("return document.title.includes('did not work')", &[]);
        assert_eq!(broken, json!(false), "{at}");
    }
    window.go(page);
    nothing_ran(window, page);
    filled
}

#[test]
fn nothing_that_any_form_takes_runs() {
    let server = Server::start();
    let chromium = Chromium::start();
    let window = chromium.window(Look::WIDE);
    watch(&window);
    for (n, system) in some(fracas_systems::all().iter().enumerate(), 3) {
        let encounter = &fracas_systems::encounters(system).expect("encounters")[0];
        let (gm, table) = server.table(system.id, &encounter.id, &[]);
        sits(&window, &server.url, &gm.secret(&server.url));
        let paper = |kind: &str| {
            let begun = gm.post(&format!("{}/papers", server.url), &[("system", system.id), ("kind", kind)]);
            format!("{}{}", server.url, begun.to.unwrap_or_else(|| panic!("no {kind}: {}", begun.body)))
        };
        let (encounter_paper, character) = (paper("encounter"), paper("character"));
        let pages = [
            server.url.clone(),
            format!("{}/open/{}/{}", server.url, system.id, encounter.id),
            format!("{}/scene/{}", server.url, system.id),
            format!("{}/library/{}", server.url, system.id),
            format!("{}/papers", server.url),
            format!("{}/rules/{}", server.url, system.id),
            format!("{encounter_paper}/open"),
            encounter_paper,
            character,
            format!("{table}/next"),
            format!("{table}/programs"),
            table.clone(),
            format!("{table}/people"),
        ];
        let pages = pages.iter().enumerate();
        let filled: u64 = pages.map(|(at, page)| fill_every_form(&window, page, n * 11 + at * 5)).sum();
        // Papers' forms alone have dozens.
        assert!(filled > 50, "{}: {filled} fields", system.id);
    }
}

fn form_urlencoded(text: &str) -> String {
    text.bytes()
        .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02x}") })
        .collect()
}

/// Somebody comes by a link and says a name.
fn comes(gm: &Browser, table: &str, role: &str, name: &str) -> Browser {
    let browser = Browser::new();
    let origin = table.split("/t/").next().expect("a server");
    let door = browser.get(&link(gm, table, role)).to.expect("the door");
    browser.post(&format!("{origin}{door}"), &[("name", name)]);
    browser
}
