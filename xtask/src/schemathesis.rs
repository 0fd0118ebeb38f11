//! Testing the API against its own document with schemathesis.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::server::{Folder, Server};
use crate::{Verdict, cargo};

/// Operations that are not tried: a stream does not end, an imported log has to verify, and
/// the token in use would revoke itself.
const LEFT_OUT: [&str; 4] = ["--exclude-path-regex", "(stream|taken)$", "--exclude-method", "DELETE"];
/// Checks that are left out: the document describes well-formed requests, not what the
/// rules allow.
const NOT_ASKED: [&str; 2] = ["--exclude-checks", "positive_data_acceptance"];

/// Lets schemathesis send a server requests that the document allows, and others.
pub(crate) fn run(arguments: &[String]) -> Result<Verdict> {
    if !cargo::answers(Command::new("schemathesis").arg("--version")) {
        bail!("schemathesis is not installed; get it with:\n  pip install schemathesis");
    }
    if cargo::succeeds(cargo::cargo().args(["build", "--quiet", "--workspace", "--bin", "fracas"]))?
        == Verdict::Fails
    {
        return Ok(Verdict::Fails);
    }
    let folder = Folder::new("schemathesis")?;
    let server = Server::start(folder.path())?;
    let systems = server.ask("GET", "/api/v1/systems", None)?;
    let (system, encounter) = (&systems[0]["id"], &systems[0]["encounters"][0]["id"]);
    let wanted = json!({ "system": system, "encounter": encounter });
    let made = server.ask("POST", "/api/v1/tables", Some(&wanted))?;
    let text = |value: &Value| value.as_str().map(str::to_owned).context("the server opened no table");
    let config = folder.path().join("schemathesis.toml");
    let known =
        [("table", &made["table"]), ("system", system), ("kind", &json!("encounter")), ("id", encounter)];
    let known: String = known.iter().map(|(name, value)| format!("\"path.{name}\" = {value}\n")).collect();
    fs::write(&config, format!("[parameters]\n{known}"))?;
    let token = text(&made["token"])?;
    cargo::succeeds(
        Command::new("schemathesis")
            .arg("--config-file")
            .arg(&config)
            .args(["run", &format!("http://{}/api/openapi.json", server.host())])
            .args(["--header", &format!("Authorization: Bearer {token}")])
            .args(LEFT_OUT)
            .args(NOT_ASKED)
            .args(arguments)
            .current_dir(folder.path()),
    )
}
