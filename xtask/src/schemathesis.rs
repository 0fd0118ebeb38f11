//! Testing the API against its own document with schemathesis.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::server::{Folder, Server};
use crate::{Verdict, cargo};

/// Leaves out operations: a stream does not end, an imported log has to verify, and the token
/// in use would revoke itself.
const WITHOUT_OPERATIONS: [&str; 4] =
    ["--exclude-path-regex", "(stream|taken)$", "--exclude-method", "DELETE"];
/// Leaves out a check: the document describes well-formed requests, not what the rules allow.
const WITHOUT_CHECKS: [&str; 2] = ["--exclude-checks", "positive_data_acceptance"];

/// Has schemathesis send a server valid and invalid requests by the API's document.
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
    let token = made["token"].as_str().context("the server opened no table")?;
    let config = folder.path().join("schemathesis.toml");
    let parameters =
        [("table", &made["table"]), ("system", system), ("kind", &json!("encounter")), ("id", encounter)];
    let parameters: String =
        parameters.iter().map(|(name, value)| format!("\"path.{name}\" = {value}\n")).collect();
    fs::write(&config, format!("[parameters]\n{parameters}"))?;
    cargo::succeeds(
        Command::new("schemathesis")
            .arg("--config-file")
            .arg(&config)
            .args(["run", &format!("http://{}/api/openapi.json", server.host())])
            .args(["--header", &format!("Authorization: Bearer {token}")])
            .args(WITHOUT_OPERATIONS)
            .args(WITHOUT_CHECKS)
            .args(arguments)
            .current_dir(folder.path()),
    )
}
