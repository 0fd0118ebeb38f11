//! The API as its own document describes it, tried by schemathesis.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::{Verdict, cargo};

/// What is not tried: a stream does not end, a log is no JSON, and the token that asks
/// would take itself back.
const LEFT_OUT: [&str; 4] = ["--exclude-path-regex", "(stream|taken)$", "--exclude-method", "DELETE"];
/// What is not asked for: a document says what is well formed, not what the rules allow.
const NOT_ASKED: [&str; 2] = ["--exclude-checks", "positive_data_acceptance"];

/// Lets schemathesis send a server of its own whatever the document allows, and more.
pub(crate) fn run(arguments: &[String]) -> Result<Verdict> {
    if !cargo::answers(Command::new("schemathesis").arg("--version")) {
        bail!("schemathesis is not installed; get it with:\n  pip install schemathesis");
    }
    if cargo::succeeds(cargo::cargo().args(["build", "--quiet", "--bin", "fracas"]))? == Verdict::Fails {
        return Ok(Verdict::Fails);
    }
    let folder = Folder::new()?;
    let server = Server::start(&folder.0)?;
    let systems = server.ask("GET", "/api/v1/systems", None)?;
    let (system, encounter) = (&systems[0]["id"], &systems[0]["encounters"][0]["id"]);
    let wanted = json!({ "system": system, "encounter": encounter });
    let made = server.ask("POST", "/api/v1/tables", Some(&wanted))?;
    let text = |value: &Value| value.as_str().map(str::to_owned).context("the server opened no table");
    let config = folder.0.join("schemathesis.toml");
    let known =
        [("table", &made["table"]), ("system", system), ("kind", &json!("encounter")), ("id", encounter)];
    let known: String = known.iter().map(|(name, value)| format!("\"path.{name}\" = {value}\n")).collect();
    fs::write(&config, format!("[parameters]\n{known}"))?;
    let token = text(&made["token"])?;
    cargo::succeeds(
        Command::new("schemathesis")
            .arg("--config-file")
            .arg(&config)
            .args(["run", &format!("http://{}/api/openapi.json", server.host)])
            .args(["--header", &format!("Authorization: Bearer {token}")])
            .args(LEFT_OUT)
            .args(NOT_ASKED)
            .args(arguments)
            .current_dir(&folder.0),
    )
}

/// A folder that is gone when this is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder> {
        let path = std::env::temp_dir().join(format!("fracas-schemathesis-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A server on a free port, ended when this is dropped.
struct Server {
    child: Child,
    host: String,
}

impl Server {
    fn start(folder: &Path) -> Result<Server> {
        let mut child = cargo::cargo()
            .args(["run", "--quiet", "--bin", "fracas", "--"])
            .args(["serve", "--no-limits", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder.join("data"))
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the server")?;
        let out = child.stdout.take().context("the server has no output")?;
        let mut server = Server { child, host: String::new() };
        let mut lines = BufReader::new(out).lines().map_while(Result::ok);
        let url = lines.find_map(|line| Some(line.split("http://").nth(1)?.trim().to_owned()));
        url.context("the server did not say where it is")?.trim_end_matches('/').clone_into(&mut server.host);
        // Whatever else it prints is read and forgotten.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(server)
    }

    /// Asks for something; gives the JSON of the answer.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(&self.host)?;
        let head = format!("{method} {path} HTTP/1.0\r\nHost: {}\r\n", self.host);
        let kind = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}{kind}{body}").as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (_, json) = answer.split_once("\r\n\r\n").context("the server broke off")?;
        serde_json::from_str(json).with_context(|| format!("{method} {path}: {json}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
