//! Checks the API's document with programs of others: a validator, and a generator of
//! clients. The generated client plays at a served table.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::server::{Folder, Server};
use crate::{Verdict, cargo};

/// The packages with their versions, and our own part of the client.
const FILES: [&str; 5] =
    ["package.json", "package-lock.json", "tsconfig.json", "openapi-ts.config.mjs", "client.ts"];

/// Fails if Node.js or npm is missing, and says how to install them.
pub(crate) fn require() -> Result<()> {
    // The generator needs this version.
    let new_enough =
        "const [a, b] = process.versions.node.split('.'); process.exit(a > 20 || a == 20 && b >= 19 ? 0 : 1)";
    if cargo::answers(Command::new("node").args(["--eval", new_enough]))
        && cargo::answers(Command::new("npm").arg("--version"))
    {
        return Ok(());
    }
    bail!("the clients of the API need Node.js 20.19 or newer with npm: https://nodejs.org/en/download")
}

/// Builds the program and checks its API.
pub(crate) fn run() -> Result<Verdict> {
    require()?;
    match cargo::succeeds(cargo::cargo().args(["build", "--quiet", "--workspace", "--bin", "fracas"]))? {
        Verdict::Holds => check(),
        Verdict::Fails => Ok(Verdict::Fails),
    }
}

/// Validates the document of the built program, and lets a generated client play.
pub(crate) fn check() -> Result<Verdict> {
    let folder = cargo::root().join("target/api-client");
    install(&folder)?;
    let data = Folder::new("client")?;
    let server = Server::start(data.path())?;
    let document = server.ask("GET", "/api/openapi.json", None)?;
    fs::write(folder.join("openapi.json"), document.to_string()).context("cannot write the document")?;
    let url = format!("http://{}", server.host());
    let steps: [&[&str]; 4] = [
        &["npx", "--no-install", "validate-api", "openapi.json"],
        &["npx", "--no-install", "openapi-ts", "--silent"],
        &["npx", "--no-install", "tsc", "--project", "."],
        &["node", "built/client.js", &url],
    ];
    for step in steps {
        let done = cargo::succeeds(Command::new(step[0]).args(&step[1..]).current_dir(&folder))?;
        if done == Verdict::Fails {
            println!("failed: {}", step.join(" "));
            return Ok(Verdict::Fails);
        }
    }
    Ok(Verdict::Holds)
}

/// Copies the client's files into a folder, and installs the packages if they are missing.
fn install(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for name in FILES {
        let from = cargo::root().join("xtask/client").join(name);
        fs::copy(&from, folder.join(name)).with_context(|| format!("cannot copy {}", from.display()))?;
    }
    let (lock, installed) = (folder.join("package-lock.json"), folder.join("node_modules/installed.json"));
    let wanted = fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    if fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"])
        .current_dir(folder);
    match cargo::succeeds(&mut npm)? {
        Verdict::Holds => fs::write(&installed, wanted).context("cannot note what was installed"),
        Verdict::Fails => bail!("npm could not fetch the packages that xtask/client/package-lock.json names"),
    }
}
