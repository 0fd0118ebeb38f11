//! The project's dependencies: licences and sources, known weaknesses, and a list of them.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result};
use serde::Deserialize;
use spdx::{Expression, Licensee};

use crate::Verdict;
use crate::cargo::{cargo, require, root, succeeds};

/// The file that `cargo xtask sbom` writes.
const LIST: &str = "fracas.cdx.json";
/// The version of CycloneDX that it is written in.
const CYCLONEDX: &str = "1.5";

/// The part of `deny.toml` that is checked here.
#[derive(Deserialize)]
struct Allowed {
    licenses: Licenses,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
}

/// Further licences that one crate may have.
#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    of: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    /// If none is named, all crates come from one registry.
    #[serde(default)]
    allow_registry: Vec<String>,
}

/// All packages of a build, as `cargo metadata` prints them.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// The registry; absent for packages of this workspace.
    source: Option<String>,
}

/// Checks licences and sources of all packages that are built on this machine. Needs no
/// network if they were built before.
pub(crate) fn check() -> Result<Verdict> {
    let path = root().join("deny.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let allowed: Allowed = toml::from_str(&text).context("deny.toml")?;
    let host = rustc_host()?;
    let output = cargo()
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", &host])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo metadata")?;
    if !output.status.success() {
        return Ok(Verdict::Fails);
    }
    let metadata: Metadata =
        serde_json::from_slice(&output.stdout).context("cannot read the output of cargo metadata")?;
    let faults = faults(&allowed, &metadata.packages)?;
    for fault in &faults {
        eprintln!("{fault}");
    }
    if faults.is_empty() {
        println!("{} crates have licences and sources that deny.toml allows", metadata.packages.len());
        Ok(Verdict::Holds)
    } else {
        Ok(Verdict::Fails)
    }
}

/// The platform that is built for, as the compiler names it.
fn rustc_host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = std::process::Command::new(rustc).arg("-vV").output().context("cannot run rustc")?;
    let output = String::from_utf8_lossy(&output.stdout);
    let host = output.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc -vV names no host")
}

/// The packages that `deny.toml` does not allow.
fn faults(allowed: &Allowed, packages: &[Package]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut registries: Vec<&str> = allowed.sources.allow_registry.iter().map(String::as_str).collect();
    if registries.is_empty() {
        let sources = packages.iter().filter_map(|package| package.source.as_deref());
        registries.extend(sources.filter_map(|source| source.strip_prefix("registry+")).next());
    }
    for package in packages {
        let Package { name, version, license, source } = package;
        let own = allowed.licenses.exceptions.iter().filter(|exception| exception.of == *name);
        let licences = allowed.licenses.allow.iter().chain(own.flat_map(|exception| &exception.allow));
        let licences: Vec<Licensee> = licences
            .map(|licence| Licensee::parse(licence).with_context(|| format!("deny.toml: {licence}")))
            .collect::<Result<_>>()?;
        match license.as_deref().map(|license| Expression::parse_mode(license, spdx::ParseMode::LAX)) {
            None => faults.push(format!("{name} {version} says no licence")),
            Some(Err(error)) => faults.push(format!("{name} {version}: {error}")),
            Some(Ok(expression)) => {
                if !expression.evaluate(|licence| licences.iter().any(|ours| ours.satisfies(licence))) {
                    faults.push(format!(
                        "{name} {version} is licensed {expression}, which deny.toml does not allow: \
                         take another crate, or add the licence there with a reason"
                    ));
                }
            }
        }
        if let Some(source) = source
            && !source.strip_prefix("registry+").is_some_and(|registry| registries.contains(&registry))
        {
            faults.push(format!("{name} {version} comes from {source}, which deny.toml does not allow"));
        }
    }
    Ok(faults)
}

/// Checks all of `deny.toml` for every platform; known weaknesses only if their database
/// can be fetched.
pub(crate) fn deny() -> Result<Verdict> {
    require("deny", "cargo install cargo-deny --locked")?;
    let held = succeeds(cargo().args(["deny", "check", "bans", "licenses", "sources"]))?;
    if held == Verdict::Fails {
        return Ok(Verdict::Fails);
    }
    if succeeds(cargo().args(["deny", "fetch", "db"]))? == Verdict::Fails {
        println!("the database of known weaknesses cannot be fetched: they were not looked for");
        return Ok(Verdict::Holds);
    }
    succeeds(cargo().args(["deny", "check", "--disable-fetch", "advisories"]))
}

/// Writes the list of the program's parts.
pub(crate) fn list() -> Result<Verdict> {
    require("cyclonedx", "cargo install cargo-cyclonedx --locked")?;
    let name = LIST.trim_end_matches(".json");
    let written = succeeds(cargo().args([
        "cyclonedx",
        "--manifest-path",
        "crates/cli/Cargo.toml",
        "--format",
        "json",
        "--spec-version",
        CYCLONEDX,
        "--override-filename",
        name,
    ]))?;
    if written == Verdict::Fails {
        return Ok(Verdict::Fails);
    }
    // cargo-cyclonedx writes a list for each member of the workspace, beside its manifest.
    let (ours, to) = (root().join("crates/cli").join(LIST), root().join("target").join(LIST));
    fs::rename(&ours, &to).with_context(|| format!("cannot move {}", ours.display()))?;
    for folder in ["crates", "games"].map(|folder| root().join(folder)) {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            remove(&entry?.path().join(LIST))?;
        }
    }
    remove(&root().join("xtask").join(LIST))?;
    println!("{}", to.display());
    Ok(Verdict::Holds)
}

fn remove(file: &Path) -> Result<()> {
    match file.exists() {
        true => fs::remove_file(file).with_context(|| format!("cannot remove {}", file.display())),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "registry+https://example.org/index";

    /// Asserts the faults of one crate with this licence, from this source.
    #[track_caller]
    fn check(name: &str, license: Option<&str>, source: Option<&str>, expected: &[&str]) {
        let allowed: Allowed = toml::from_str(
            "[licenses]\nallow = [\"MIT\", \"Apache-2.0\"]\n\
             [[licenses.exceptions]]\ncrate = \"odd\"\nallow = [\"MPL-2.0\"]\n\
             [sources]\nallow-registry = [\"https://example.org/index\"]\n",
        )
        .unwrap();
        let package = Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: license.map(str::to_owned),
            source: source.map(str::to_owned),
        };
        let found = faults(&allowed, &[package]).unwrap();
        let as_expected =
            found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| a.starts_with(b));
        assert!(as_expected, "found {found:#?}\nexpected {expected:#?}");
    }

    #[test]
    fn licences_must_be_allowed() {
        check("any", Some("MIT"), None, &[]);
        check("any", Some("GPL-3.0-only OR MIT"), None, &[]);
        // An older form of the same expression.
        check("any", Some("MIT/Apache-2.0"), None, &[]);
        check("any", Some("MIT AND MPL-2.0"), None, &["any 1.0.0 is licensed MIT AND MPL-2.0"]);
        check("odd", Some("MIT AND MPL-2.0"), None, &[]);
        check("any", Some("Apache-2.0 WITH LLVM-exception"), None, &["any 1.0.0 is licensed"]);
        check("any", None, None, &["any 1.0.0 says no licence"]);
        check("any", Some("whatever"), None, &["any 1.0.0: "]);
    }

    #[test]
    fn crates_must_come_from_the_registry() {
        check("any", Some("MIT"), Some(OURS), &[]);
        for elsewhere in ["git+https://example.org/any", "registry+https://example.com/index"] {
            check("any", Some("MIT"), Some(elsewhere), &["any 1.0.0 comes from"]);
        }
    }
}
