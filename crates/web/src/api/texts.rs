//! The encounters, scenes and texts that a program opens tables with.

use super::problem::{Kind, Problem};
use crate::reading::READ;
use fracas_kernel::{Document, Faults, Setup, System};
use fracas_live::opening;
use fracas_papers as papers;
use fracas_systems::{Scene, over_bundled};

/// The most bytes of a request with texts.
pub(crate) const LONGEST_TEXTS: usize = 6 * papers::LONGEST;

/// The content of a new table.
pub(super) enum Play {
    /// A bundled encounter, by its id.
    Bundled(String),
    /// A person's own encounter, in TOML.
    Own(String),
    /// A scene of these characters.
    Scene(Scene),
}

impl Play {
    /// The text that is given; `None` if there is none.
    ///
    /// # Errors
    /// If several are.
    pub(super) fn one_of(
        encounter: Option<String>,
        toml: Option<String>,
        scene: Option<Scene>,
    ) -> Result<Option<Play>, Problem> {
        let said = [encounter.map(Play::Bundled), toml.map(Play::Own), scene.map(Play::Scene)];
        let mut said = said.into_iter().flatten();
        match (said.next(), said.next()) {
            (_, Some(another)) => {
                let what = "say one thing to be played: `encounter`, `toml` or `scene`, and not several";
                Err(Problem::new(Kind::Refused, what).at(another.field()))
            }
            (given, None) => Ok(given),
        }
    }

    /// The field that holds it.
    fn field(&self) -> &'static str {
        match self {
            Play::Bundled(_) => "encounter",
            Play::Own(_) => "toml",
            Play::Scene(_) => "scene",
        }
    }
}

/// The setup of a table, and its title.
///
/// # Errors
/// If there is no such encounter, or a text cannot be read.
pub(super) fn setup(system: &System, play: Play, with: &[String]) -> Result<(Setup, String), Problem> {
    match play {
        Play::Bundled(id) => {
            let found = opening::bundled(system, &id).map_err(Problem::broken)?;
            let (encounter, setup) = found.ok_or_else(|| {
                let what = format!("{} has no encounter {id:?}", system.id);
                Problem::new(Kind::Refused, what).at("encounter")
            })?;
            Ok((Setup { library: library(system, with)??, ..setup }, encounter.title))
        }
        Play::Own(text) => {
            let (encounter, library) = read(system, &text, with)??;
            let called = papers::called(&encounter.to_json()).unwrap_or_default();
            Ok((Setup { encounter, library }, called))
        }
        Play::Scene(scene) => {
            let encounter = Document::json("scene", &scene.encounter(system));
            Ok((Setup { encounter, library: library(system, with)?? }, scene.title))
        }
    }
}

/// Reads a text, named `toml`, and the libraries it may use; or reports their TOML errors.
///
/// # Errors
/// If a text is too long.
pub(super) fn read(
    system: &System,
    text: &str,
    with: &[String],
) -> Result<Result<(Document, Vec<Document>), Faults>, Problem> {
    let (document, library) = (document("toml".to_owned(), text)?, library(system, with)?);
    Ok(match (document, library) {
        (Ok(document), Ok(library)) => Ok((document, library)),
        (document, library) => {
            let faults = [document.err(), library.err()].into_iter().flatten();
            Err(Faults(faults.flat_map(|faults| faults.0).collect()))
        }
    })
}

/// Reads libraries, named `with[0]` and so on, which come before the bundled ones; or
/// reports their TOML errors.
///
/// # Errors
/// If a text is too long.
pub(super) fn library(system: &System, with: &[String]) -> Result<Result<Vec<Document>, Faults>, Problem> {
    let (mut own, mut faults) = (Vec::new(), Vec::new());
    for (n, text) in with.iter().enumerate() {
        match document(format!("with[{n}]"), text)? {
            Ok(document) => own.push(document),
            Err(more) => faults.extend(more.0),
        }
    }
    Ok(if faults.is_empty() { over_bundled(system, own) } else { Err(Faults(faults)) })
}

/// A text as a document, named after its field.
fn document(field: String, text: &str) -> Result<Result<Document, Faults>, Problem> {
    if text.len() > papers::LONGEST {
        let what = format!("a text of {} bytes; the most is {}", text.len(), papers::LONGEST);
        return Err(Problem::new(Kind::TooLong, what).at(field));
    }
    Ok(Document::toml(field, text))
}

/// Reads texts on threads that block nobody, a few at a time.
pub(super) async fn at_leisure<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let _permit = READ.acquire().await.map_err(Problem::broken)?;
    tokio::task::spawn_blocking(read).await.map_err(Problem::broken)?
}
