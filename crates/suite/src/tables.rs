//! The tables that a game's tests play, found in the same folders for every game.

use fracas_kernel::{Document, Faults, Game, Session, Setup};
use std::fs;
use std::path::{Path, PathBuf};

/// The setups for a game's tests: its own, the benchmark's and its content.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// The game's folder: `env!("CARGO_MANIFEST_DIR")`.
    pub folder: &'static str,
    /// The system's id, which names its content and its benchmark table.
    pub id: &'static str,
}

impl Tables {
    /// The libraries: content without players.
    ///
    /// # Panics
    /// If a file is not TOML.
    pub fn library(&self) -> Vec<Document> {
        let content = self.content();
        content.into_iter().filter(|document| !seats(document)).collect()
    }

    /// The tables in `tests/setups`, the benchmark's, and every bundled encounter.
    ///
    /// # Panics
    /// If a file is not TOML.
    pub fn setups(&self) -> Vec<Setup> {
        let here = Path::new(self.folder);
        // Content with players is an encounter; the rest are libraries.
        let (encounters, library): (Vec<_>, Vec<_>) = self.content().into_iter().partition(seats);
        let measured = format!("{}.toml", self.id);
        let measured = documents(&here.join("../../benches"))
            .into_iter()
            .filter(|document| document.name().ends_with(&measured));
        documents(&here.join("tests/setups"))
            .into_iter()
            .chain(measured)
            .map(Setup::alone)
            .chain(encounters.into_iter().map(|encounter| Setup { encounter, library: library.clone() }))
            .collect()
    }

    /// The table whose file name ends so.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn setup(&self, file: &str) -> Setup {
        let found = self.setups().into_iter().find(|setup| setup.encounter.name().ends_with(file));
        found.unwrap_or_else(|| panic!("no table of {} ends in {file}", self.id))
    }

    /// Where the game's scenarios are: in `scenarios` of the project, or of the game's own folder
    /// where nobody is offered the game.
    pub fn scenarios(&self) -> PathBuf {
        self.own("scenarios").unwrap_or_else(|| Path::new(self.folder).join("../../scenarios").join(self.id))
    }

    /// What is in the game's own folder, if it is there.
    fn own(&self, name: &str) -> Option<PathBuf> {
        Some(Path::new(self.folder).join(name)).filter(|path| path.exists())
    }

    /// Every file in the game's `templates` is a template of its file name, and is sound: an
    /// encounter starts, any other file is a library.
    ///
    /// # Panics
    /// If that does not hold.
    pub fn templates<G: Game>(&self) {
        let folder = Path::new(self.folder).join("templates");
        assert_eq!(G::templates().len(), documents(&folder).len(), "templates of {}", self.id);
        for &(kind, text) in G::templates() {
            let path = folder.join(kind).with_extension("toml");
            let file = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert_eq!(text, file, "{kind}");
            let document = Document::toml(kind, text).unwrap_or_else(|faults| panic!("{faults}"));
            let found = if seats(&document) {
                G::start(&Setup::alone(document)).map(drop)
            } else {
                drawn_on::<G>(vec![document])
            };
            found.unwrap_or_else(|faults| panic!("{kind}: {faults}"));
        }
    }

    /// Every worked example of the game's guide is read without a fault, with the bundled
    /// libraries: an encounter starts, any other example is a library.
    ///
    /// # Panics
    /// If an example has a fault, or there are fewer than `least`.
    pub fn guide<G: Game>(&self, least: usize) {
        let in_docs = || Path::new(self.folder).join(format!("../../docs/content-{}.md", self.id));
        let path = self.own("guide.md").unwrap_or_else(in_docs);
        let guide = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let blocks: Vec<&str> =
            guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert!(blocks.len() >= least, "{} examples", blocks.len());
        let mut faulty = String::new();
        for (at, block) in blocks.iter().enumerate() {
            let name = format!("example {}", at + 1);
            let document = Document::toml(name, block).unwrap_or_else(|faults| panic!("{faults}"));
            let found = if seats(&document) {
                G::start(&Setup { encounter: document, library: self.library() }).map(drop)
            } else {
                drawn_on::<G>(std::iter::once(document).chain(self.library()).collect())
            };
            if let Err(faults) = found {
                faulty += &format!("{faults}\n{block}\n");
            }
        }
        assert!(faulty.is_empty(), "{faulty}");
    }

    /// The bundled libraries are read without a fault.
    ///
    /// # Panics
    /// If one has a fault.
    pub fn bundled<G: Game>(&self) {
        drawn_on::<G>(self.library()).unwrap_or_else(|faults| panic!("{faults}"));
    }

    fn content(&self) -> Vec<Document> {
        let bundled = || Path::new(self.folder).join("../../content").join(self.id);
        documents(&self.own("content").unwrap_or_else(bundled))
    }
}

/// A table from the text of an encounter, without libraries.
///
/// # Panics
/// If the text has a fault.
#[track_caller]
pub fn begun<G: Game>(text: &str) -> (G::Rules, G::State) {
    // Such a table has only what the test needs.
    let setup = Document::toml("table.toml", text).map(|document| Setup::alone(document.kept()));
    setup.and_then(|setup| G::start(&setup)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The same, to be played.
///
/// # Panics
/// If the text has a fault.
#[track_caller]
pub fn table<G: Game>(text: &str) -> Session<G> {
    let (rules, state) = begun::<G>(text);
    Session::new(rules, state)
}

/// A table of this setup, to be played.
///
/// # Panics
/// If the setup has a fault.
#[track_caller]
pub fn opened<G: Game>(setup: &Setup) -> Session<G> {
    let (rules, state) = G::start(setup).unwrap_or_else(|faults| panic!("{faults}"));
    Session::new(rules, state)
}

/// Reads a library on its own.
fn drawn_on<G: Game>(library: Vec<Document>) -> Result<(), Faults> {
    G::library(&Setup { encounter: Document::json("nothing", &serde_json::json!({})), library })
}

/// Whether a document is an encounter, which has players.
fn seats(document: &Document) -> bool {
    document.to_json().get("player").is_some()
}

/// Every `.toml` file below a folder, sorted by name.
fn documents(folder: &Path) -> Vec<Document> {
    let mut documents = Vec::new();
    let Ok(files) = fs::read_dir(folder) else { return documents };
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            documents.extend(self::documents(&path));
        } else if path.extension().is_some_and(|ext| ext == "toml") {
            let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let read = Document::toml(path.display().to_string(), &text);
            documents.push(read.unwrap_or_else(|faults| panic!("{faults}")));
        }
    }
    documents
}
