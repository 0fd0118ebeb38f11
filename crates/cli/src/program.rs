//! The command that starts this program, for the hints that it prints.

use std::path::{Path, PathBuf};

/// The start of a command that works in this folder: `cargo run` in the checkout that this
/// program was built in, else the program as it was typed.
pub(crate) fn command() -> String {
    through_cargo().unwrap_or_else(|| {
        let typed = std::env::args_os().next().map(|typed| typed.to_string_lossy().into_owned());
        quoted(typed.as_deref().filter(|typed| !typed.is_empty()).unwrap_or("fracas"))
    })
}

fn through_cargo() -> Option<String> {
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    let program = std::env::current_exe().ok()?.canonicalize().ok()?;
    let package = std::env::var_os("CARGO").and(std::env::var_os("CARGO_MANIFEST_DIR")).map(PathBuf::from);
    cargo_line(&here, &program, package.as_deref())
}

/// The cargo command in the folder `here`, if cargo would run this program there. `package`
/// is the package that cargo ran, if cargo started it.
fn cargo_line(here: &Path, program: &Path, package: Option<&Path>) -> Option<String> {
    let built = program.ancestors().find(|folder| folder.ends_with("target")).and_then(Path::parent);
    let in_checkout = built.is_some_and(|root| here.starts_with(root) && root.join("Cargo.toml").is_file());
    let in_package = package.is_some_and(|package| {
        let near = here.starts_with(package) || package.starts_with(here);
        near && here.ancestors().any(|folder| folder.join("Cargo.toml").is_file())
    });
    let slow = program.parent().is_some_and(|folder| folder.ends_with("debug"));
    (in_checkout || in_package)
        .then(|| if slow { "cargo run --" } else { "cargo run --release --" }.to_owned())
}

/// A path, quoted for a shell if necessary.
pub(crate) fn quoted(path: &str) -> String {
    let safe = |c: char| c.is_alphanumeric() || "/._-+~".contains(c);
    if path.chars().all(safe) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_named_only_where_it_would_run_this() {
        let checkout = tempfile::tempdir().expect("a folder");
        let root = checkout.path();
        std::fs::create_dir_all(root.join("crates/cli")).expect("folders");
        let (fast, slow) = (root.join("target/release/fracas"), root.join("target/debug/fracas"));
        assert_eq!(cargo_line(root, &fast, None), None, "no manifest");
        std::fs::write(root.join("Cargo.toml"), "").expect("a file");
        assert_eq!(cargo_line(root, &fast, None).as_deref(), Some("cargo run --release --"));
        assert_eq!(cargo_line(root, &slow, None).as_deref(), Some("cargo run --"));
        let elsewhere = Path::new("/usr/bin/fracas");
        assert_eq!(cargo_line(Path::new("/"), &fast, None), None, "away from the checkout");
        assert_eq!(cargo_line(root, elsewhere, None), None);
        let package = root.join("crates/cli");
        assert_eq!(cargo_line(root, elsewhere, Some(&package)).as_deref(), Some("cargo run --release --"));
    }

    #[test]
    fn paths_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("/a/b-1.fracas"), "/a/b-1.fracas");
        assert_eq!(quoted("my evening.fracas"), "'my evening.fracas'");
    }
}
