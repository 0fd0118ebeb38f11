//! A page of another site with a token, as a stream's overlay is one.

use crate::{common::Server, common::program::Program};
use fracas_browser_tests::{Chromium, Look};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::{net::TcpListener, thread};

/// Reads a table's stream; shows each event that came.
const PAGE: &str = r##"<!doctype html><title>Overlay</title><pre id="told"></pre><script>
    const [api, table, token] = location.hash.slice(1).split(",");
    const told = document.querySelector("#told");
    let last = "";
    const listen = async () => {
        const headers = { Authorization: `Bearer ${token}` };
        if (last) headers["Last-Event-ID"] = last;
        const reply = await fetch(`${api}/tables/${table}/stream`, { headers });
        const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let text = "", part; !(part = await reader.read()).done;) {
            const events = (text + part.value).split("\n\n");
            text = events.pop();
            for (const event of events) {
                last = event.match(/^id: ?(.*)$/m)?.[1] ?? last;
                told.textContent += event;
            }
        }
    };
    const again = () => listen().catch(() => {}).then(() => setTimeout(again, 200));
    again();
</script>"##;

/// What comes of a request: its status, or that the browser let nobody see it.
const ASK: &str = "const [url, how, done] = arguments;
    fetch(url, how).then(reply => done(reply.status), error => done(error.name));";

/// Serves the page; gives its address.
fn elsewhere() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                line.clear();
            }
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}", PAGE.len());
            let answer = format!("{head}\r\nconnection: close\r\n\r\n{PAGE}");
            // A browser that has gone is no trouble here.
            let _ = reader.get_mut().write_all(answer.as_bytes());
        }
    });
    url
}

#[test]
fn an_overlay_of_another_site_does_what_its_token_may_and_no_more() {
    let server = Server::start();
    let (system, chromium) = (&fracas_systems::all()[0], Chromium::start());
    let encounter = &fracas_systems::encounters(system).expect("they are TOML")[0].id;
    let (gm, table) = Program::new(&server).open(system.id, encounter, &[]);
    let overlay = gm.make(&table, "read", "watch");
    let token = overlay.token.clone().expect("a token");
    let say = |text: &str| {
        assert_eq!(gm.post(&format!("/tables/{table}/note"), &json!({ "text": text })).status, 200)
    };
    let window = chromium.window(Look::WIDE);
    window.go(&format!("{}/#{},{table},{token}", elsewhere(), gm.api));
    say("The lamp is lit.");
    window.says("The lamp is lit.");
    let server = server.again_there();
    say("The lamp is lit again.");
    window.says("The lamp is lit again.");

    let ask = |method: &str, path: &str, headers: serde_json::Value| {
        let how = json!({ "method": method, "headers": headers,
            "body": if method == "POST" { json!("{}") } else { json!(null) } });
        window.script_done(ASK, &[json!(format!("{}{path}", server.url)), how])
    };
    let bearer = format!("Bearer {token}");
    let with_token = json!({ "Authorization": bearer });
    let here = format!("/api/v1/tables/{table}");
    assert_eq!(ask("GET", &here, with_token.clone()), 200);
    let tag = overlay.get(&format!("/tables/{table}")).header("etag").expect("a tag");
    assert_eq!(ask("GET", &here, json!({ "Authorization": bearer, "If-None-Match": tag })), 304);
    assert_eq!(ask("GET", &here, json!({})), 401);
    let sent = json!({ "Authorization": bearer, "Content-Type": "application/json", "Idempotency-Key": "1" });
    assert_eq!(ask("POST", &format!("{here}/note"), sent.clone()), 403, "it only reads");
    // Neither pages nor what needs no token and does something.
    for (method, path) in [
        ("GET", "/"),
        ("GET", &format!("/t/{table}/gm")),
        ("POST", "/api/v1/tables"),
        ("POST", "/api/v1/tables/taken"),
        ("POST", &format!("/api/v1/systems/{}/check", system.id)),
    ] {
        assert_eq!(ask(method, path, sent.clone()), "TypeError", "{method} {path}");
    }
}
