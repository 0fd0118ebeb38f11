//! Running Cargo and related tools.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::Verdict;

/// The root of the project.
///
/// Cargo says at run time where this package is; the folder it was built in may
/// be another copy that shares the target folder.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_owned)
}

/// A Cargo command at the root of the project, without arguments.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a command to its end and returns whether it succeeded.
pub(crate) fn succeeds(command: &mut Command) -> Result<Verdict> {
    let status =
        command.status().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    Ok(if status.success() { Verdict::Holds } else { Verdict::Fails })
}

/// Fails if a Cargo subcommand is missing, and says how to install it.
pub(crate) fn require(subcommand: &str, install: &str) -> Result<()> {
    if answers(cargo().args([subcommand, "--version"])) {
        Ok(())
    } else {
        bail!("`cargo {subcommand}` is not installed; get it with:\n  {install}")
    }
}

/// Fails if the tools for tests in a browser are missing, and says how to install them.
pub(crate) fn require_browser() -> Result<()> {
    let needed = [
        ("CHROMIUM", &["chromium", "chromium-browser", "google-chrome"][..], "chromium"),
        ("CHROMEDRIVER", &["chromedriver"], "chromium-driver"),
        ("AXE_CORE", &["npm"], "npm"),
    ];
    let there = |variable: &str, names: &[&str]| {
        std::env::var_os(variable).is_some()
            || names.iter().any(|name| answers(Command::new(name).arg("--version")))
    };
    let missing: Vec<&str> = needed
        .into_iter()
        .filter(|(variable, names, _)| !there(variable, names))
        .map(|(.., package)| package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    bail!("the tests in a browser need more; get it with:\n  apt-get install {}", missing.join(" "))
}

/// Whether a command is installed and runs.
pub(crate) fn answers(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The tests in a browser.
pub(crate) fn browser() -> Command {
    let mut command = cargo();
    command.args(["test", "--workspace", "--test", "browser"]);
    command
}

/// Whether cargo-nextest is installed, which runs the tests of all crates in parallel.
pub(crate) fn has_nextest() -> bool {
    answers(cargo().args(["nextest", "--version"]))
}

/// The program as it was last built, in the same folder as this one.
pub(crate) fn built_program() -> Result<Command> {
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let program = program.with_file_name(format!("fracas{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(program);
    command.current_dir(root());
    Ok(command)
}

/// Builds the program, optimised, for measuring how it starts.
pub(crate) fn program() -> Result<Verdict> {
    succeeds(cargo().args(["build", "--quiet", "--profile", "dist", "--bin", "fracas"]))
}

/// Runs one of the programs of `crates/bench`, optimised.
pub(crate) fn sim(program: &str, arguments: &[impl AsRef<OsStr>]) -> Result<Verdict> {
    succeeds(
        cargo()
            .args(["run", "--quiet", "--profile", "dist", "--package", "fracas-bench"])
            .args(["--bin", program, "--"])
            .args(arguments),
    )
}

/// The packages in `games/`, but for the template.
pub(crate) fn games() -> Result<Vec<String>> {
    let folder = root().join("games");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let manifest = entry?.path().join("Cargo.toml");
        if let Ok(text) = std::fs::read_to_string(&manifest) {
            let manifest: toml::Table =
                text.parse().with_context(|| format!("cannot read {}", manifest.display()))?;
            if let Some(name) = manifest["package"]["name"].as_str() {
                names.push(name.to_owned());
            }
        }
    }
    names.retain(|name| name != crate::game::TEMPLATE);
    names.sort();
    if names.is_empty() {
        bail!("there is no game in {}", folder.display());
    }
    Ok(names)
}
