//! Whether everybody can use a page: axe-core looks at it.
//!
//! axe-core is not kept here. It is fetched from its registry into the target
//! folder when it is first needed, and used only where it is the very file that
//! is meant.

use crate::Window;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::{env, fs, process::Command, sync::OnceLock};

/// The version that looks.
const VERSION: &str = "4.14.1";
/// SHA-256 of its `axe.min.js`.
const SHA256: &str = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c";
/// What to do where it cannot be had.
const INSTALL: &str = "axe-core is fetched with `npm` (apt-get install npm); without it, put axe.min.js of \
    that version where the environment says as AXE_CORE";

/// The script, fetched once.
fn source() -> &'static str {
    static SOURCE: OnceLock<String> = OnceLock::new();
    SOURCE.get_or_init(|| {
        let path = env::var_os("AXE_CORE").map_or_else(fetched, PathBuf::from);
        let text = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}\n{INSTALL}", path.display()));
        let hash: String = Sha256::digest(&text).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(hash, SHA256, "{} is not axe-core {VERSION}", path.display());
        text
    })
}

/// Where npm has put it, which it is asked to where it has not yet.
fn fetched() -> PathBuf {
    let test = env::current_exe().expect("a program");
    let target = test.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    let folder = target.unwrap_or(Path::new("target")).join(format!("axe-core-{VERSION}"));
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if !file.is_file() {
        fs::create_dir_all(&folder).expect("a folder");
        let done = Command::new("npm")
            .args(["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"])
            .arg(&folder)
            .arg(format!("axe-core@{VERSION}"))
            .status();
        match done {
            Ok(status) if status.success() => {}
            Ok(status) => panic!("npm could not fetch axe-core {VERSION}: {status}\n{INSTALL}"),
            Err(error) => panic!("npm does not run: {error}\n{INSTALL}"),
        }
    }
    file
}

/// What stands in somebody's way on the page once it has come to rest, one line each:
/// the rule, what it wants, and where; empty where nothing does.
///
/// # Panics
/// Where axe-core cannot be had, or does not run.
pub fn faults(window: &Window) -> Vec<String> {
    if window.script("return typeof axe", &[]) != "object" {
        window.script(source(), &[]);
    }
    let found = window.script_done(
        "const done = arguments[arguments.length - 1];
         // What fades in is looked at when it is there.
         const rest = Promise.allSettled(document.getAnimations().map((one) => one.finished));
         rest.then(() => axe.run(document, { resultTypes: ['violations'] })).then(
           (found) => done(found.violations.map((one) => [one.id, one.help, one.nodes.map((node) => node.html + ' ' + (node.any[0]?.message ?? node.all[0]?.message ?? ''))])),
           (error) => done(String(error)));",
        &[],
    );
    let Value::Array(found) = found else { panic!("axe-core: {found}") };
    found
        .into_iter()
        .map(|one| {
            let places: Vec<&Value> = one[2].as_array().into_iter().flatten().take(3).collect();
            format!(
                "{}: {}: {}",
                one[0].as_str().unwrap_or_default(),
                one[1].as_str().unwrap_or_default(),
                json!(places)
            )
        })
        .collect()
}
