//! A server with tables, and the requests that make sense there.

use super::http::{self, Answered, Ends};
use crate::{evening::evening, tables::small};
use fracas_web::{Config, Limits, serve};
use serde_json::{Value, json};
use std::{net::SocketAddr, sync::LazyLock, time::Duration};
use tokio::{runtime::Runtime, sync::oneshot, task::JoinHandle};

/// Things done in the log that is imported.
const ACTS: u32 = 12;
/// The most asks whose answers are looked up.
const ASKS: usize = 2;
/// A time within which nothing is sent to other servers.
const NEVER: Duration = Duration::from_secs(30 * 24 * 60 * 60);

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads")
});

/// A form of a page.
pub(super) struct Form {
    pub(super) action: String,
    /// Its fields with their values.
    pub(super) fields: Vec<(String, String)>,
}

/// An operation of the API.
pub(super) struct Call {
    pub(super) method: String,
    pub(super) path: String,
    /// The schema of its JSON body, if it takes one.
    pub(super) body: Option<Value>,
}

/// A server with tables.
pub(super) struct Stand {
    address: SocketAddr,
    /// The system of its tables.
    pub(super) system: &'static str,
    /// Ids of its tables, and of none.
    pub(super) tables: Vec<String>,
    /// Header lines that identify a person or program.
    who: Vec<String>,
    /// Addresses of pages.
    pub(super) pages: Vec<String>,
    pub(super) forms: Vec<Form>,
    pub(super) calls: Vec<Call>,
    /// The API's own document.
    pub(super) api: Value,
    /// Words that always mean something there, and words that do now.
    lasting: Vec<String>,
    pub(super) words: Vec<String>,
    /// A log and a document.
    pub(super) log: String,
    pub(super) document: &'static str,
    stop: Option<oneshot::Sender<()>>,
    ended: Option<JoinHandle<()>>,
    _data: tempfile::TempDir,
}

impl Stand {
    pub(super) fn new() -> Stand {
        let data = tempfile::tempdir().expect("a folder");
        let config = Config {
            data: data.path().to_owned(),
            limits: Limits::none(),
            pace: Duration::ZERO,
            patience: NEVER,
            ..Config::default()
        };
        let served = RUNTIME.block_on(serve(config)).expect("a server");
        let address = served.address;
        let (stop, stopped) = oneshot::channel::<()>();
        let ended = RUNTIME.spawn(async move {
            let until = async { drop(stopped.await) };
            served.run(until).await.expect("a good end");
        });
        let system = fracas_systems::all().first().expect("a system");
        let templates = (system.templates)();
        let mut stand = Stand {
            address,
            system: system.id,
            tables: vec!["none".to_owned()],
            who: vec![String::new()],
            pages: fracas_web::addresses().into_iter().map(str::to_owned).collect(),
            forms: Vec::new(),
            calls: Vec::new(),
            api: Value::Null,
            lasting: Vec::new(),
            words: Vec::new(),
            log: evening(system, &small(system), 7, ACTS),
            document: templates.first().expect("a template").1,
            stop: Some(stop),
            ended: Some(ended),
            _data: data,
        };
        stand.open();
        stand.look();
        stand
    }

    /// Opens tables, one by a page and one by the API, and collects addresses, forms and
    /// ids.
    fn open(&mut self) {
        let encounters = fracas_systems::encounters(fracas_systems::find(self.system).expect("it is there"));
        let encounter = encounters.expect("TOML").first().expect("an encounter").id.clone();
        self.api = self.json("GET", "/api/openapi.json", "", None);
        self.calls = calls(&self.api);

        let path = format!("/open/{}/{encounter}", self.system);
        let opened = self.ask(&http::request("POST", &path, "", http::FORM, b""));
        let to = opened.header("location").expect("the table's page").to_owned();
        let cookie =
            opened.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie");
        let gm = format!("cookie: {cookie}\r\n");
        for page in [to.clone(), format!("{to}/people"), format!("{to}/programs"), format!("{to}/overrule")] {
            let page = self.ask(&http::request("GET", &page, &gm, "", b"")).body;
            self.forms.extend(forms(&page));
        }
        self.tables.extend(to.split('/').nth(2).map(str::to_owned));
        self.who.push(gm);

        let made = json!({ "system": self.system, "encounter": encounter });
        let made = self.json("POST", "/api/v1/tables", "", Some(&made));
        let (table, token) = (text(&made["table"]), text(&made["token"]));
        let gm = format!("authorization: Bearer {token}\r\n");
        for (kind, role) in [("play", "player-1"), ("play", "player-2"), ("watch", "watch")] {
            let wish = json!({ "kind": kind, "role": role });
            let path = format!("/api/v1/tables/{table}/passes");
            let made = self.send(
                &http::request("POST", &path, &gm, http::JSON, wish.to_string().as_bytes()),
                Ends::AsAnswered,
            );
            let made: Value = made.and_then(|made| serde_json::from_str(&made.body).ok()).unwrap_or_default();
            if let Some(token) = made["token"].as_str() {
                self.who.push(format!("authorization: Bearer {token}\r\n"));
            }
        }
        words(&self.json("GET", &format!("/api/v1/tables/{table}/fiat"), &gm, None), &mut self.lasting);
        self.lasting
            .extend(self.forms.iter().flat_map(|form| form.fields.iter().map(|(_, value)| value.clone())));
        self.tables.push(table);
        self.who.push(gm);
    }

    /// Collects the open asks and the possible answers.
    pub(super) fn look(&mut self) {
        self.words = self.lasting.clone();
        let (Some(table), Some(gm)) = (self.tables.last(), self.who.last()) else { return };
        let path = format!("/api/v1/tables/{table}");
        // The token may have been revoked by now.
        let shown = |path: &str| {
            let answered = self.ask(&http::request("GET", path, gm, "", b""));
            serde_json::from_str::<Value>(&unchunked(&answered)).unwrap_or_default()
        };
        let mut found = Vec::new();
        let now = shown(&path);
        words(&now, &mut found);
        for ask in now["asks"].as_array().into_iter().flatten().take(ASKS) {
            words(&shown(&format!("{path}/asks/{}/answers", text(&ask["ask"]))), &mut found);
        }
        self.words.extend(found);
        self.words.sort_unstable();
        self.words.dedup();
    }

    /// Header lines of somebody, or of nobody.
    pub(super) fn who(&self, pick: u8) -> String {
        self.who[usize::from(pick) % self.who.len()].clone()
    }

    /// Sends a request; the response is never an internal error.
    pub(super) fn send(&self, sent: &[u8], ends: Ends) -> Option<Answered> {
        let answered = http::send(self.address, sent, ends)?;
        let sent = || String::from_utf8_lossy(&sent[..sent.len().min(2000)]).into_owned();
        assert_ne!(answered.status, 500, "a fault of the server's own: {}\n{}", answered.body, sent());
        // A log, as lines of JSON, is not JSON itself.
        let kinds = ["application/json", "application/problem+json"];
        if answered.header("content-type").is_some_and(|kind| kinds.contains(&kind))
            && !answered.body.is_empty()
        {
            let body: Result<Value, _> = serde_json::from_str(&unchunked(&answered));
            assert!(body.is_ok(), "no JSON: {}\n{}", answered.body, sent());
        }
        Some(answered)
    }

    /// Sends a request that must be answered.
    fn ask(&self, sent: &[u8]) -> Answered {
        self.send(sent, Ends::AsAnswered).expect("an answer")
    }

    fn json(&self, method: &str, path: &str, who: &str, body: Option<&Value>) -> Value {
        let body = body.map(Value::to_string).unwrap_or_default();
        let answered = self.ask(&http::request(method, path, who, http::JSON, body.as_bytes()));
        assert!(answered.status < 300, "{method} {path}: {} {}", answered.status, answered.body);
        serde_json::from_str(&unchunked(&answered)).expect("JSON")
    }

    /// Checks that the server still answers.
    pub(super) fn is_well(&self) {
        assert_eq!(self.ask(&http::request("GET", "/healthz", "", "", b"")).status, 200);
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(ended) = self.ended.take() {
            let ended = RUNTIME.block_on(ended);
            assert!(std::thread::panicking() || ended.is_ok(), "the server ended badly");
        }
    }
}

/// The body without the lengths of its chunks.
fn unchunked(answered: &Answered) -> String {
    if answered.header("transfer-encoding") != Some("chunked") {
        return answered.body.clone();
    }
    let (mut whole, mut rest) = (String::new(), answered.body.as_str());
    while let Some((length, after)) = rest.split_once("\r\n")
        && let Ok(length) = usize::from_str_radix(length, 16)
        && let Some(part) = after.get(..length)
    {
        whole.push_str(part);
        rest = after.get(length + 2..).unwrap_or_default();
    }
    whole
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Every operation of the API.
fn calls(api: &Value) -> Vec<Call> {
    let paths = api["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(path, item)| {
        item.as_object().into_iter().flatten().map(move |(method, operation)| Call {
            method: method.to_ascii_uppercase(),
            path: path.clone(),
            body: operation.pointer("/requestBody/content/application~1json/schema").cloned(),
        })
    });
    operations.collect()
}

/// Every text in a value.
fn words(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(all) => all.iter().for_each(|value| words(value, found)),
        Value::Object(fields) => {
            // A text may contain an answer or a fiat as it is to be sent.
            if fields.len() == 1 {
                found.push(value.to_string());
            }
            fields.values().for_each(|value| words(value, found));
        }
        _ => {}
    }
}

/// The forms of a page that send something.
fn forms(page: &str) -> Vec<Form> {
    let forms = page.split("<form").skip(1).filter_map(|form| {
        let form = form.split("</form").next()?;
        let action = attribute(form.split('>').next()?, "action")?;
        let tags = form.split('<').filter_map(|tag| {
            let tag = tag.split('>').next()?;
            Some((attribute(tag, "name")?, attribute(tag, "value").unwrap_or_default()))
        });
        Some(Form { action, fields: tags.collect() })
    });
    forms.collect()
}

/// The value of a tag's attribute.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?;
    Some(value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
}
