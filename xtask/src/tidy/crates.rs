//! Rules for crates: their dependencies and manifests.

use super::rust::{Kind, tokens};
use super::tree::Tree;
use super::{Fault, line_of};

/// The one crate that may depend on games.
const REGISTRY: &str = "crates/systems";

/// A crate of the workspace.
struct Crate<'a> {
    /// Its folder, without a `/` at the end.
    folder: &'a str,
    name: String,
    text: &'a str,
    manifest: toml::Table,
}

/// The tables of dependencies in a manifest.
const SORTS: [&str; 3] = ["dependencies", "build-dependencies", "dev-dependencies"];

impl Crate<'_> {
    fn path(&self) -> String {
        format!("{}/Cargo.toml", self.folder)
    }

    fn is_game(&self) -> bool {
        self.folder.starts_with("games/")
    }

    /// The packages in one table of dependencies, each with its line.
    fn dependencies(&self, sort: &str) -> Vec<(String, usize)> {
        let targets = self
            .manifest
            .get("target")
            .and_then(toml::Value::as_table)
            .into_iter()
            .flat_map(|targets| targets.values().filter_map(toml::Value::as_table));
        let mut found = Vec::new();
        for table in std::iter::once(&self.manifest).chain(targets) {
            let Some(dependencies) = table.get(sort).and_then(toml::Value::as_table) else {
                continue;
            };
            let header = line_of(self.text, &format!("{sort}]"), 1);
            for (key, value) in dependencies {
                let renamed = value.get("package").and_then(toml::Value::as_str);
                let name = renamed.unwrap_or(key).to_owned();
                found.push((name, line_of(self.text, key, header)));
            }
        }
        found
    }
}

fn crates<'a>(tree: &'a Tree, faults: &mut Vec<Fault>) -> Vec<Crate<'a>> {
    let mut found = Vec::new();
    for (path, text) in tree.under("") {
        let Some(folder) = path.strip_suffix("/Cargo.toml") else {
            continue;
        };
        let depth = folder.matches('/').count();
        let member = (folder.starts_with("crates/") || folder.starts_with("games/")) && depth == 1
            || folder == "xtask";
        if !member {
            continue;
        }
        let manifest: toml::Table = match text.parse() {
            Ok(manifest) => manifest,
            Err(error) => {
                faults.push(Fault::new(path, 1, format!("cannot be read: {error}")));
                continue;
            }
        };
        let name = manifest
            .get("package")
            .and_then(|package| package.get("name"))
            .and_then(toml::Value::as_str)
            .unwrap_or_default()
            .to_owned();
        found.push(Crate { folder, name, text, manifest });
    }
    found
}

/// The kernel depends on no crate of ours, a game on the kernel only, and only the registry
/// on games.
pub(super) fn directions(tree: &Tree, faults: &mut Vec<Fault>) {
    let all = crates(tree, faults);
    for this in &all {
        for sort in SORTS {
            for (name, line) in this.dependencies(sort) {
                let Some(other) = all.iter().find(|other| other.name == name) else {
                    continue;
                };
                if let Some(why) = objection(this, sort, other) {
                    let what = format!("[{sort}] `{name}`: {why}");
                    faults.push(Fault::new(&this.path(), line, what));
                }
            }
        }
    }
}

fn objection(this: &Crate<'_>, sort: &str, other: &Crate<'_>) -> Option<String> {
    if this.folder == "crates/kernel" {
        return Some("the kernel depends on no crate of ours; turn the dependency round".to_owned());
    }
    if this.is_game() {
        let allowed: &[&str] = match sort {
            "dependencies" => &["fracas-kernel"],
            "build-dependencies" => &["fracas-rulebook"],
            _ => &["fracas-kernel", "fracas-suite", "fracas-scenario", "fracas-sim"],
        };
        return (!allowed.contains(&other.name.as_str()))
            .then(|| format!("of ours, a game may have only {} there", allowed.join(", ")));
    }
    (other.is_game() && this.folder != REGISTRY)
        .then(|| format!("only {REGISTRY} may depend on a game; take it from the registry there by its id"))
}

/// Every crate has a description, and takes version, edition, licence and lints from the
/// workspace.
pub(super) fn manifests(tree: &Tree, faults: &mut Vec<Fault>) {
    for this in crates(tree, faults) {
        for field in ["version", "edition", "license", "publish"] {
            let inherited = this
                .manifest
                .get("package")
                .and_then(|package| package.get(field))
                .and_then(|value| value.get("workspace"))
                .and_then(toml::Value::as_bool);
            if inherited != Some(true) {
                let line = line_of(this.text, "[package]", 1);
                let what = format!("[package] lacks `{field}.workspace = true`");
                faults.push(Fault::new(&this.path(), line, what));
            }
        }
        let lints = this
            .manifest
            .get("lints")
            .and_then(|lints| lints.get("workspace"))
            .and_then(toml::Value::as_bool);
        if lints != Some(true) {
            faults.push(Fault::new(&this.path(), 1, "lacks `[lints]` with `workspace = true`"));
        }
        let introduced = tree.get(&format!("{}/README.md", this.folder)).is_some()
            || ["lib.rs", "main.rs"].iter().any(|root| {
                tree.get(&format!("{}/src/{root}", this.folder)).is_some_and(starts_with_documentation)
            });
        if !introduced {
            faults.push(Fault::new(
                &this.path(),
                1,
                "this crate says nowhere what it is for; begin its root with `//!` or add a README.md",
            ));
        }
    }
}

/// Examples in documentation are run: a crate with `doctest = false` has none.
pub(super) fn examples(tree: &Tree, faults: &mut Vec<Fault>) {
    for this in crates(tree, faults) {
        let looks =
            this.manifest.get("lib").and_then(|lib| lib.get("doctest")).and_then(toml::Value::as_bool);
        if looks != Some(false) {
            continue;
        }
        for (path, text) in tree.under(&format!("{}/src/", this.folder)) {
            let example = |line: &str| {
                let line = line.trim_start();
                line.starts_with("//! ```") || line.starts_with("/// ```")
            };
            if let Some(at) = text.lines().position(example) {
                let what = "an example that nobody runs: take `doctest = false` out of its Cargo.toml";
                faults.push(Fault::new(path, at + 1, what));
            }
        }
    }
}

fn starts_with_documentation(source: &str) -> bool {
    tokens(source)
        .iter()
        .find(|token| token.kind != Kind::Comment)
        .is_some_and(|token| token.kind == Kind::Doc && token.text.starts_with("//!"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::{directions, examples, manifests};

    const KERNEL: (&str, &str) = ("crates/kernel/Cargo.toml", "[package]\nname = 'fracas-kernel'\n");
    const TABLE: (&str, &str) = ("crates/table/Cargo.toml", "[package]\nname = 'fracas-table'\n");
    const SUITE: (&str, &str) = ("crates/suite/Cargo.toml", "[package]\nname = 'fracas-suite'\n");
    const CHESS: (&str, &str) = (
        "games/chess/Cargo.toml",
        "[package]\nname = 'chess'\n[dependencies]\nserde = '1'\nfracas-kernel.workspace = true\n\
         [dev-dependencies]\nfracas-suite.workspace = true\n",
    );

    #[test]
    fn a_game_may_depend_on_the_kernel() {
        check(directions, &[KERNEL, TABLE, SUITE, CHESS], &[]);
    }

    #[test]
    fn a_game_depends_on_the_kernel_only() {
        let goes = "[package]\nname = 'go'\n[dependencies]\nchess = { path = '../chess' }\n\
                    [dev-dependencies]\nfracas-table.workspace = true\n";
        check(
            directions,
            &[KERNEL, TABLE, CHESS, ("games/go/Cargo.toml", goes)],
            &[
                "games/go/Cargo.toml:4: [dependencies] `chess`",
                "games/go/Cargo.toml:6: [dev-dependencies] `fracas-table`",
            ],
        );
    }

    #[test]
    fn the_kernel_depends_on_no_crate_of_ours() {
        let kernel =
            "[package]\nname = 'fracas-kernel'\n[dev-dependencies]\nt = { package = 'fracas-table' }\n";
        check(
            directions,
            &[TABLE, ("crates/kernel/Cargo.toml", kernel)],
            &["crates/kernel/Cargo.toml:4: [dev-dependencies] `fracas-table`"],
        );
    }

    #[test]
    fn only_the_registry_depends_on_games() {
        let with = "[package]\nname = 'x'\n[target.'cfg(unix)'.dependencies]\nchess.workspace = true\n";
        check(
            directions,
            &[KERNEL, CHESS, ("crates/systems/Cargo.toml", with), ("crates/web/Cargo.toml", with)],
            &["crates/web/Cargo.toml:4: [dependencies] `chess`: only crates/systems"],
        );
    }

    #[test]
    fn examples_are_run() {
        let quiet = ("crates/x/Cargo.toml", "[package]\nname = 'x'\n[lib]\ndoctest = false\n");
        let loud = ("crates/y/Cargo.toml", "[package]\nname = 'y'\n");
        let example = "//! A crate.\n//! ```\n//! f()\n//! ```\n";
        let files = [quiet, loud, ("crates/x/src/lib.rs", example), ("crates/y/src/lib.rs", example)];
        check(examples, &files, &["crates/x/src/lib.rs:2: an example that nobody runs"]);
    }

    #[test]
    fn a_crate_inherits_and_has_a_description() {
        let whole = "[package]\nname = 'x'\nversion.workspace = true\nedition.workspace = true\n\
                     license.workspace = true\npublish.workspace = true\n[lints]\nworkspace = true\n";
        let root = ("crates/x/src/lib.rs", "// a note\n//! A crate.\n");
        check(manifests, &[("crates/x/Cargo.toml", whole), root], &[]);
        check(
            manifests,
            &[("crates/x/Cargo.toml", whole), ("crates/x/src/lib.rs", "/// Of the item.\nfn f() {}")],
            &["crates/x/Cargo.toml:1: this crate says nowhere"],
        );
        let without = &whole.replace("publish.workspace = true\n", "");
        check(
            manifests,
            &[("crates/x/Cargo.toml", &without.replace("workspace = true\n[lints]", "[lints]")), root],
            &["crates/x/Cargo.toml:1: cannot be read"],
        );
        check(
            manifests,
            &[("crates/x/Cargo.toml", &without.replace("[lints]\nworkspace = true\n", "")), root],
            &[
                "crates/x/Cargo.toml:1: [package] lacks `publish.workspace = true`",
                "crates/x/Cargo.toml:1: lacks `[lints]`",
            ],
        );
    }
}
