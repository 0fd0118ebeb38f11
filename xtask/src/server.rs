//! A server for a chore.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::cargo;

/// A folder that is removed when this is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Result<Folder> {
        let path = std::env::temp_dir().join(format!("fracas-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Folder(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A server on a free port that is ended when this is dropped.
pub(crate) struct Server {
    child: Child,
    host: String,
}

impl Server {
    /// Starts the program as it was last built, with its tables below this folder.
    pub(crate) fn start(folder: &Path) -> Result<Server> {
        let mut child = cargo::built_program()?
            .args(["serve", "--no-limits", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder.join("data"))
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the server")?;
        let out = child.stdout.take().context("the server has no output")?;
        let mut server = Server { child, host: String::new() };
        let mut lines = BufReader::new(out).lines().map_while(Result::ok);
        let url = lines.find_map(|line| Some(line.split("http://").nth(1)?.trim().to_owned()));
        url.context("the server printed no address")?.trim_end_matches('/').clone_into(&mut server.host);
        // The rest of its output is read and dropped.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(server)
    }

    /// Its host and port.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Sends a request and returns the JSON of the response.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
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
