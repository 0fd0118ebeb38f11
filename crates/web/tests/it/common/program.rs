//! A program that uses the API.

use crate::common::{Server, Stream, listen};
use serde_json::{Value, json};
use std::time::Duration;
use ureq::{Agent, Body, http::Response};

/// A program with a token, or without one.
#[derive(Clone)]
pub(crate) struct Program {
    agent: Agent,
    /// The API's address.
    pub(crate) api: String,
    /// Its token.
    pub(crate) token: Option<String>,
}

/// A response to a program.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) status: u16,
    /// The body: JSON, or its text.
    pub(crate) body: Value,
    /// Every header, a line each.
    pub(crate) headers: String,
}

impl Told {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let mut lines = self.headers.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(there, _)| *there == name).map(|(_, value)| value.to_owned())
    }

    /// The kind of problem in the response.
    pub(crate) fn problem(&self) -> &str {
        self.body["type"].as_str().and_then(|kind| kind.strip_prefix("/api#")).unwrap_or_default()
    }
}

impl Program {
    /// A program without a token.
    pub(crate) fn new(server: &Server) -> Program {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // The server may close a connection after a body that it did not read.
            .max_idle_connections(0)
            .timeout_global(Some(Duration::from_secs(30)))
            .build();
        Program { agent: Agent::new_with_config(config), api: format!("{}/api/v1", server.url), token: None }
    }

    /// The same program with this token.
    pub(crate) fn with(&self, token: &str) -> Program {
        Program { token: Some(token.to_owned()), ..self.clone() }
    }

    /// Opens a table. Returns its gamemaster's program and its id.
    pub(crate) fn open(&self, system: &str, encounter: &str, bots: &[&str]) -> (Program, String) {
        let wanted = json!({ "system": system, "encounter": encounter, "bots": bots });
        let made = self.post("/tables", &wanted);
        assert_eq!(made.status, 201, "{made:?}");
        let text = |name: &str| made.body[name].as_str().expect("a text").to_owned();
        (self.with(&text("token")), text("table"))
    }

    /// Makes a token. Returns a program with it.
    pub(crate) fn make(&self, table: &str, kind: &str, role: &str) -> Program {
        let made = self.post(&format!("/tables/{table}/passes"), &json!({ "kind": kind, "role": role }));
        assert_eq!(made.status, 201, "{made:?}");
        self.with(made.body["token"].as_str().expect("a token"))
    }

    pub(crate) fn get(&self, path: &str) -> Told {
        self.send("GET", path, None, &[])
    }

    /// The document that describes the API.
    pub(crate) fn document(&self) -> Value {
        let root = self.api.trim_end_matches("/v1").to_owned();
        Program { api: root, ..self.clone() }.get("/openapi.json").body
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Told {
        self.send("POST", path, Some(&body.to_string()), &[])
    }

    /// Sends any request, with these headers too.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<&str>,
        headers: &[(&str, &str)],
    ) -> Told {
        read(self.run(method, path, body, headers))
    }

    /// The status alone, as soon as it comes.
    pub(crate) fn status(&self, method: &str, path: &str, body: Option<&str>) -> u16 {
        self.run(method, path, body, &[]).status().as_u16()
    }

    /// The same with a body of another kind.
    pub(crate) fn status_of(&self, method: &str, path: &str, body: Option<&str>, kind: &str) -> u16 {
        self.run(method, path, body, &[("content-type", kind)]).status().as_u16()
    }

    fn run(&self, method: &str, path: &str, body: Option<&str>, headers: &[(&str, &str)]) -> Response<Body> {
        let mut request = ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.api));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if body.is_some() && !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let sent = match body {
            Some(body) => self.agent.run(request.body(body.to_owned()).expect("a request")),
            None => self.agent.run(request.body(()).expect("a request")),
        };
        sent.expect("an answer")
    }

    /// Listens to a table's stream.
    pub(crate) fn listen(&self, table: &str, last: Option<&str>) -> Stream {
        let path = if table.contains('/') { table.to_owned() } else { format!("{table}/stream") };
        let url = format!("{}/tables/{path}", self.api);
        let mut request = self.agent.get(&url).config().timeout_global(None).build();
        request = request.header("authorization", format!("Bearer {}", self.token.as_deref().unwrap_or("")));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        listen(request.call().expect("a stream"))
    }

    /// Listens to a table's changes.
    pub(crate) fn changes(&self, table: &str, last: Option<&str>) -> Stream {
        self.listen(&format!("{table}/stream?only=changes"), last)
    }

    /// Listens to several tables.
    pub(crate) fn listen_to(&self, wanted: &Value) -> Stream {
        let request = self.agent.post(format!("{}/stream", self.api)).config().timeout_global(None).build();
        let sent = request.header("content-type", "application/json").send(wanted.to_string());
        listen(sent.expect("a stream"))
    }
}

fn read(mut response: Response<Body>) -> Told {
    let headers =
        response.headers().iter().map(|(k, v)| format!("{k}: {}\n", v.to_str().unwrap_or("?"))).collect();
    let text = response.body_mut().read_to_string().expect("text");
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Told { status: response.status().as_u16(), body, headers }
}
