//! A new game, begun as a copy of the template.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::tidy::has_word;
use crate::{Verdict, cargo};

/// The game that is copied: it is whole, tested and not registered.
pub(crate) const TEMPLATE: &str = "template";
/// What the template is called in its rulebook.
const TITLE: &str = "The Crossing";
/// Says what the template is, which a copy is not.
const NOT_COPIED: &str = "README.md";
/// Words of Rust and crates of every program, which can name no crate.
const RESERVED: [&str; 48] = [
    "abstract", "alloc", "as", "async", "await", "become", "box", "break", "const", "continue", "core",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in",
    "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "self", "static", "std", "struct", "super", "test", "trait", "true", "type", "use", "where",
];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game's id, as in `judge-two`: small letters, digits and hyphens
    id: String,
}

/// A game's id in every form.
struct Name {
    /// As a package: `king-hill`.
    id: String,
    /// As a module: `king_hill`.
    snake: String,
    /// As a type: `KingHill`.
    camel: String,
    /// In words: `King Hill`.
    title: String,
}

impl Name {
    fn new(id: &str) -> Result<Name> {
        let is_part = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_lowercase())
                && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        ensure!(
            id.split('-').all(is_part) && id.len() <= 40,
            "`{id}` is no id: write words of small letters and digits, each beginning with a letter, with single \
             hyphens between them and no more than 40 characters in all, as in `king-hill`"
        );
        ensure!(
            !RESERVED.contains(&id) && !id.starts_with("fracas") && id != "xtask",
            "`{id}` is a name that Rust or this project needs: choose another id"
        );
        let capital = |part: &str| part[..1].to_uppercase() + &part[1..];
        let words: Vec<String> = id.split('-').map(capital).collect();
        Ok(Name {
            id: id.to_owned(),
            snake: id.replace('-', "_"),
            camel: words.concat(),
            title: words.join(" "),
        })
    }

    /// A text of the template as this game has it.
    fn put_into(&self, text: &str) -> String {
        text.replace(&format!("{TEMPLATE}::"), &format!("{}::", self.snake))
            .replace(TEMPLATE, &self.id)
            .replace("Template", &self.camel)
            .replace(TITLE, &self.title)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Verdict> {
    let id = &arguments.id;
    begin(&cargo::root(), id)?;
    // Imports are sorted by the crate's name.
    if cargo::succeeds(cargo::cargo().args(["fmt", "--package", id]))? == Verdict::Fails {
        return Ok(Verdict::Fails);
    }
    let has_rulebook = cargo::root().join("rulebook").join(format!("{id}.toml")).exists();
    println!("{}", next_steps(id, has_rulebook));
    Ok(Verdict::Holds)
}

/// Copies the template of the project at `root` to `games/ID`, with the game's name in every file.
fn begin(root: &Path, id: &str) -> Result<()> {
    let name = Name::new(id)?;
    let (from, to) = (root.join("games").join(TEMPLATE), root.join("games").join(id));
    ensure!(!to.exists(), "there is a game called `{id}` already: {}", to.display());
    let manifest = root.join("Cargo.toml");
    let text =
        fs::read_to_string(&manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
    let manifest: toml::Table =
        text.parse().with_context(|| format!("cannot read {}", manifest.display()))?;
    if manifest["workspace"]["dependencies"].get(id).is_some() {
        bail!("`{id}` is the name of a library that the project uses: choose another id");
    }
    let mut files = Vec::new();
    read(&from, "", &mut files)?;
    if let Some((path, _)) =
        files.iter().find(|(path, text)| path.ends_with(".rs") && has_word(text, &name.camel))
    {
        bail!(
            "`{id}` would make a type `{}`, and {path} uses that name already: choose another id",
            name.camel
        );
    }
    for (path, text) in files {
        let path = to.join(path);
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(&to))?;
            fs::write(&path, name.put_into(&text))
        };
        write().with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Every file of a folder that is copied, by its path from there.
fn read(folder: &Path, under: &str, files: &mut Vec<(String, String)>) -> Result<()> {
    let reading = || format!("cannot read {}", folder.display());
    for entry in fs::read_dir(folder).with_context(reading)? {
        let entry = entry.with_context(reading)?;
        let path = format!("{under}{}", entry.file_name().display());
        if entry.file_type().with_context(reading)?.is_dir() {
            read(&entry.path(), &format!("{path}/"), files)?;
        } else if path != NOT_COPIED {
            let text = fs::read_to_string(entry.path()).with_context(|| format!("cannot read {path}"))?;
            files.push((path, text));
        }
    }
    Ok(())
}

fn next_steps(id: &str, has_rulebook: bool) -> String {
    let rulebook = if has_rulebook { "Remove rulebook.toml for" } else { "Move rulebook.toml to" };
    format!(
        "games/{id} is a whole game, and nobody is offered it yet. `cargo test -p {id}` tests it.
Make it yours file by file, as docs/add-a-game.md says. Then register it:
  1. {rulebook} rulebook/{id}.toml, and name \"../../rulebook/{id}.toml\" in build.rs.
     Move scenarios/ to scenarios/{id}/, and guide.md to docs/content-{id}.md.
  2. Cargo.toml, [workspace.dependencies]: {id} = {{ path = \"games/{id}\" }}
     crates/systems/Cargo.toml, [dependencies]: {id}.workspace = true
  3. crates/systems/src/lib.rs: the type in `games!`, the guide in `guide_of`, what a newcomer reads in
     `introduction`, the chapters in `complete`.
Steps 4 to 7 (content, what is measured and kept, READMEs, which crates to test) are in docs/add-a-game.md."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// A project in a temporary folder with the real template and nothing else.
    struct Project(PathBuf);

    impl Project {
        fn new(name: &str) -> Project {
            let root = std::env::temp_dir().join(format!("fracas-game-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&root);
            let mut files = Vec::new();
            let from = cargo::root().join("games").join(TEMPLATE);
            read(&from, "", &mut files).unwrap();
            for (path, text) in files {
                let path = root.join("games").join(TEMPLATE).join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            fs::copy(cargo::root().join("Cargo.toml"), root.join("Cargo.toml")).unwrap();
            Project(root)
        }

        fn game(&self, id: &str) -> Vec<(String, String)> {
            let mut files = Vec::new();
            read(&self.0.join("games").join(id), "", &mut files).unwrap();
            files.sort();
            files
        }
    }

    impl Drop for Project {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_copy_has_every_file_and_its_own_name_in_all_of_them() {
        let project = Project::new("copy");
        begin(&project.0, "king-hill").unwrap();
        let copy = project.game("king-hill");
        let paths =
            |files: &[(String, String)]| files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
        assert_eq!(paths(&copy), paths(&project.game(TEMPLATE)));
        for (path, text) in &copy {
            let left = ["template", "Template", TITLE].into_iter().find(|word| text.contains(word));
            assert_eq!(left, None, "{path}");
        }
        for (path, line) in [
            ("Cargo.toml", "name = \"king-hill\"\ndescription = \"King Hill, as a Fracas game.\""),
            ("rulebook.toml", "system = \"king-hill\"\ntitle = \"King Hill\""),
            ("scenarios/crossing.toml", "game = \"king-hill\""),
            ("src/lib.rs", "pub enum KingHill {}"),
            ("src/lib.rs", "const ID: &'static str = \"king-hill\";"),
            ("tests/it/main.rs", "KingHill, king_hill::system, \"king-hill\";"),
        ] {
            let text = &copy.iter().find(|(of, _)| of == path).expect(path).1;
            assert!(text.contains(line), "{path} lacks {line}:\n{text}");
        }
    }

    #[test]
    fn an_id_that_is_bad_or_taken_is_refused_and_nothing_is_written() {
        let project = Project::new("refused");
        for (id, why) in [
            ("", "no id"),
            ("King", "no id"),
            ("king_hill", "no id"),
            ("king--hill", "no id"),
            ("-king", "no id"),
            ("2-kings", "no id"),
            ("../king", "no id"),
            ("match", "Rust or this project needs"),
            ("fracas-web", "Rust or this project needs"),
            ("serde", "a library that the project uses"),
            (TEMPLATE, "there is a game called"),
            ("event", "uses that name already"),
        ] {
            let error = begin(&project.0, id).expect_err(id).to_string();
            assert!(error.contains(why), "{id}: {error}");
        }
        let games: Vec<_> =
            fs::read_dir(project.0.join("games")).unwrap().map(|game| game.unwrap().file_name()).collect();
        assert_eq!(games, [TEMPLATE]);
    }
}
