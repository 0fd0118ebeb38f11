//! Papers: texts that people prepare, read and checked as the systems read files.

#![forbid(unsafe_code)]

pub mod guide;
mod map;
mod pictures;
pub mod plan;
pub mod sheet;

pub use map::{has_map, mapped, picture_fault, picture_file, pictured};
pub use pictures::{Pictured, pictures, with_picture};

use fracas_face::plain;
use fracas_kernel::{Card, Document, Fault, Faults, MapRead, Names, Seat, Setup, System, Viewer, Want};
use fracas_store::{NewPaper, Paper};
use fracas_systems::{Comer, Scene, Sort, over_bundled};
use serde_json::Value;

/// The most papers of one browser, with those in the bin.
pub const MOST: usize = 200;
/// The most bytes of a paper.
pub const LONGEST: usize = 128 << 10;
/// The most letters of a paper's name.
const NAME: usize = 60;
/// The most people of a paper that are shown as cards.
const SHOWN: usize = 12;
/// The most faults of a text that are reported.
pub const TOLD: usize = 50;

/// The sort of a paper.
pub fn sort(paper: &Paper) -> Sort {
    if paper.kind == kind(Sort::Encounter) { Sort::Encounter } else { Sort::Library }
}

/// The sort as the database and forms write it.
pub const fn kind(sort: Sort) -> &'static str {
    match sort {
        Sort::Encounter => "encounter",
        Sort::Library => "library",
    }
}

/// A paper to be kept, changed `now` in seconds since 1970. Its sort, system and title come from its text, else from the paper
/// before.
pub fn draft(text: String, before: (&System, Sort, &str), now: i64) -> NewPaper {
    let (system, sort, name) = before;
    let document = Document::toml("paper", &text).ok();
    let named = document.as_ref().and_then(Document::named_system);
    let said = named.as_deref().and_then(fracas_systems::find).unwrap_or(system);
    let json = document.as_ref().map(Document::to_json).unwrap_or_default();
    let sort = document.as_ref().map_or(sort, sort_of);
    let name = called(&json).unwrap_or_else(|| name.to_owned());
    NewPaper {
        system: said.id.to_owned(),
        kind: kind(sort).to_owned(),
        name: plain::one_line(&name, NAME),
        text,
        changed: now,
    }
}

/// The text of a file, with line breaks as in a paper.
pub fn text_of(file: &str) -> String {
    file.trim_start_matches('\u{feff}').replace("\r\n", "\n")
}

/// The sort of a document: an encounter names its system, or players.
pub fn sort_of(document: &Document) -> Sort {
    let is_encounter = document.named_system().is_some() || document.to_json().get("player").is_some();
    if is_encounter { Sort::Encounter } else { Sort::Library }
}

/// The title of a document, else the names in it.
pub fn called(json: &Value) -> Option<String> {
    let text =
        |value: &Value| value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    if let Some(title) = text(&json["title"]) {
        return Some(title);
    }
    let lists = json.as_object()?.values().filter_map(Value::as_array).flatten();
    let names: Vec<String> = lists.filter_map(|entry| text(&entry["name"])).collect();
    match &names[..] {
        [] => None,
        [one] => Some(one.clone()),
        [one, rest @ ..] => Some(format!("{one} and {} more", rest.len())),
    }
}

/// A paper's name as the name of a file.
pub fn file_name(paper: &Paper) -> String {
    let slug = Names::slug_of(&paper.name);
    format!("{}.toml", if slug.is_empty() { kind(sort(paper)) } else { &slug })
}

/// The paper as a document, with a name of its own.
pub fn document(paper: &Paper) -> Result<Document, Faults> {
    Document::toml(file_name(paper).replace(".toml", &format!("-{}.toml", paper.id)), &paper.text)
}

/// The library papers of a system, like files beside an encounter.
pub fn library<'p>(papers: &'p [Paper], system: &System) -> impl Iterator<Item = &'p Paper> {
    let its = system.id;
    papers
        .iter()
        .filter(move |paper| paper.system == its && paper.thrown.is_none() && sort(paper) == Sort::Library)
}

/// The libraries that a person's encounter draws on: their own, then the bundled ones.
pub fn drawn_on(papers: &[Paper], system: &System, except: Option<i64>) -> Result<Vec<Document>, Faults> {
    let mut documents = Vec::new();
    let mut faults = Faults::default();
    for paper in library(papers, system).filter(|paper| Some(paper.id) != except) {
        match document(paper) {
            Ok(document) => documents.push(document),
            Err(more) => faults.0.extend(more.0),
        }
    }
    if !faults.0.is_empty() {
        return Err(faults);
    }
    over_bundled(system, documents)
}

/// The setup from a person's own encounter.
pub fn setup(papers: &[Paper], paper: &Paper, system: &System) -> Result<Setup, Faults> {
    Ok(Setup { encounter: document(paper)?, library: drawn_on(papers, system, None)? })
}

/// A paper as the system reads it.
#[derive(Debug, Default)]
pub struct Reading {
    /// The paper's faults: the first [`TOLD`].
    pub faults: Vec<Fault>,
    /// How many more faults there are.
    pub more: usize,
    /// The fields that the system's reader asked for; see [`Document::wants`].
    pub wants: Vec<(String, &'static str, Want)>,
    /// The map that the system's reader made of it, if it reads one.
    pub map: Option<MapRead>,
    /// The cards that players will see.
    pub players: Vec<Card>,
    /// The cards that the gamemaster will see.
    pub gm: Vec<Card>,
}

impl Reading {
    /// A reading with these faults.
    pub fn faulty(Faults(mut faults): Faults) -> Reading {
        let more = faults.len().saturating_sub(TOLD);
        faults.truncate(TOLD);
        Reading { faults, more, ..Reading::default() }
    }
}

/// Reads a paper among the others of its browser. A picture that is a file elsewhere is a fault of it.
pub fn read(papers: &[Paper], paper: &Paper, system: &System) -> Reading {
    let document = match document(paper) {
        Ok(document) => document,
        Err(faults) => return Reading::faulty(faults),
    };
    let missing = picture_file(&document).map_or_else(Faults::default, |file| {
        picture_fault(
            &document,
            &format!(
                "the picture {file:?} is not on this server: bring both files under \"Bring a map\", or leave `picture` out"
            ),
        )
    });
    let mut reading = read_among(papers, paper, system, document);
    reading.faults.extend(missing.0);
    reading
}

fn read_among(papers: &[Paper], paper: &Paper, system: &System, document: Document) -> Reading {
    match (drawn_on(papers, system, Some(paper.id)), sort(paper)) {
        (Ok(library), sort) => reading(system, sort, document, library),
        (Err(faults), Sort::Encounter) => Reading::faulty(faults),
        // If another paper is broken, a library is read by itself.
        (Err(_), Sort::Library) => {
            let bundled = over_bundled(system, Vec::new()).unwrap_or_default();
            reading(system, Sort::Library, document, bundled)
        }
    }
}

/// Reads a document with a library under it, or beside it.
pub fn reading(system: &System, sort: Sort, document: Document, library: Vec<Document>) -> Reading {
    let document = document.watched();
    let mut reading = match sort {
        Sort::Encounter => {
            let setup = Setup { encounter: document.clone(), library };
            match (system.start)(&setup) {
                Ok(game) => Reading {
                    players: game.cards(Viewer::Seat(Seat::Player(0))),
                    gm: game.cards(Viewer::Seat(Seat::Gm)),
                    ..Reading::faulty(fracas_systems::check_picture(&document).err().unwrap_or_default())
                },
                Err(faults) => Reading::faulty(faults),
            }
        }
        Sort::Library => {
            let found = fracas_systems::check(system, Sort::Library, document.clone(), library.clone());
            let (players, gm) = people(&document, library, system);
            Reading { players, gm, ..Reading::faulty(found.err().unwrap_or_default()) }
        }
    };
    reading.wants = document.wants();
    reading.map = document.map();
    reading
}

/// The names of the entries in a list.
fn names(document: &Document, list: &str) -> Vec<String> {
    let json = document.to_json();
    let entries = json[list].as_array().into_iter().flatten();
    entries.filter_map(|entry| Some(entry["name"].as_str()?.to_owned())).take(SHOWN).collect()
}

/// The people of a library as cards, as if each were in a scene.
fn people(document: &Document, beside: Vec<Document>, system: &System) -> (Vec<Card>, Vec<Card>) {
    const PLAYER: &str = "Somebody";
    let player = |name: String| Comer { name, player: Some(PLAYER.to_owned()), count: 1 };
    let stand_in = beside.iter().find_map(|document| names(document, "character").into_iter().next());
    let mut library = vec![document.clone()];
    library.extend(beside);
    let (mut players, mut gm) = (Vec::new(), Vec::new());
    let own = names(document, "character").into_iter().map(player);
    let others = names(document, system.others).into_iter();
    let others = others.map(|name| Comer { name, player: None, count: 1 });
    for comer in own.chain(others).take(SHOWN) {
        let mut comers = vec![comer.clone()];
        if let (None, Some(name)) = (&comer.player, &stand_in) {
            comers.push(player(name.clone()));
        }
        let scene = Scene { title: String::new(), comers };
        let setup = Setup { encounter: scene.document(system), library: library.clone() };
        let Ok(game) = (system.start)(&setup) else { continue };
        let its = |who| game.cards(who).into_iter().filter(|card| card.title == comer.name);
        players.extend(its(Viewer::Seat(Seat::Player(0))));
        gm.extend(its(Viewer::Seat(Seat::Gm)));
    }
    (players, gm)
}

/// An entry of a library, which can be copied or come into a scene.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The entry's list.
    pub list: String,
    /// The entry's name.
    pub name: String,
    /// The entry's note for people.
    pub note: String,
    /// The title of the entry's document.
    pub document: String,
}

/// The kinds of paper that can be begun: the templates, and characters that the gamemaster
/// plays.
pub fn kinds(system: &System) -> Vec<String> {
    let encounter = kind(Sort::Encounter);
    let mut kinds: Vec<String> = (system.templates)().iter().map(|(kind, _)| (*kind).to_owned()).collect();
    if !kinds.iter().any(|kind| kind == system.others) {
        let at = kinds.iter().position(|there| there == encounter).unwrap_or(kinds.len());
        kinds.insert(at, system.others.to_owned());
    }
    kinds
}

/// The text that a new paper of a kind begins with.
pub fn beginning(system: &System, wanted: &str) -> Option<String> {
    let templates = (system.templates)();
    if let Some((_, text)) = templates.iter().find(|(there, _)| *there == wanted) {
        return Some((*text).to_owned());
    }
    let mut encounters = templates.iter().filter(|(there, _)| *there == kind(Sort::Encounter));
    encounters.find_map(|(_, text)| sheet::entry_of(text, wanted, None)).filter(|_| wanted == system.others)
}

/// The text of a bundled encounter.
pub fn encounter_text(system: &System, id: &str) -> Option<String> {
    let all = fracas_systems::encounters(system).ok()?;
    let found = all.iter().find(|encounter| encounter.id == id)?;
    fracas_systems::text(&format!("{}/encounters/{}.toml", system.id, found.id))
}

/// The text of a bundled entry alone.
pub fn entry_text(system: &System, list: &str, name: &str) -> Option<String> {
    let bundled = fracas_systems::library(system).ok()?;
    let entry = entries(&bundled).into_iter().find(|entry| entry.list == list && entry.name == name)?;
    let text = fracas_systems::text(entry.document.strip_prefix("content/")?)?;
    sheet::entry_of(&text, list, Some(name))
}

/// Every entry of a library. Of entries with one name in a list, only the first is used.
pub fn entries(library: &[Document]) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    for document in library {
        let json = document.to_json();
        for (list, entries) in json.as_object().into_iter().flatten() {
            for entry in entries.as_array().into_iter().flatten() {
                let Some(name) = entry["name"].as_str() else { continue };
                if all.iter().any(|there| there.list == *list && there.name == name) {
                    continue;
                }
                all.push(Entry {
                    list: list.clone(),
                    name: name.to_owned(),
                    note: entry["note"].as_str().unwrap_or_default().to_owned(),
                    document: document.name().to_owned(),
                });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_systems::has;

    fn paper(id: i64, system: &System, text: &str) -> Paper {
        let new = draft(text.to_owned(), (system, Sort::Library, "nothing"), 0);
        let NewPaper { system, kind, name, text, changed } = new;
        Paper { id, version: 1, system, kind, name, text, changed, thrown: None }
    }

    #[test]
    fn what_a_paper_is_goes_by_its_text() {
        let system = fracas_systems::all()[0];
        let drafted = |text: &str| {
            let paper = paper(1, &system, text);
            (sort(&paper), paper.name.clone(), file_name(&paper))
        };
        let library = |name: &str, file: &str| (Sort::Library, name.to_owned(), file.to_owned());
        assert_eq!(drafted("[[character]]\nname = \"Edie Wren\""), library("Edie Wren", "edie-wren.toml"));
        assert_eq!(
            drafted("[[a]]\nname = \"A\"\n[[b]]\nname = \"B\""),
            library("A and 1 more", "a-and-1-more.toml")
        );
        assert_eq!(drafted("= broken"), library("nothing", "nothing.toml"));
        assert_eq!(drafted("game = \"no-such\"\ntitle = \"T\"").0, Sort::Encounter);
        assert_eq!(drafted(&format!("title = \"{}\"", "x".repeat(99))).1.len(), NAME);
    }

    #[test]
    fn a_template_is_a_paper_without_fault_and_with_faces() {
        for system in fracas_systems::all() {
            for (kind, text) in (system.templates)() {
                let paper = paper(1, system, text);
                let reading = read(&[], &paper, system);
                assert_eq!(reading.faults, [], "{} {kind}", system.id);
                // An entry is shown as if it were there alone.
                if *kind == "encounter" || has(system).open_cast {
                    assert!(!reading.players.is_empty() && !reading.gm.is_empty(), "{} {kind}", system.id);
                }
                let json = Document::toml(*kind, text).expect("TOML").to_json();
                for (list, entry) in json.as_object().into_iter().flatten() {
                    let fields =
                        entry.pointer("/0").and_then(|entry| entry.as_object()).into_iter().flatten();
                    for (field, _) in fields {
                        let place = format!("{list}[1]");
                        let asked = reading.wants.iter().any(|(path, key, _)| *path == place && key == field);
                        assert!(asked, "{} {kind}: {place}.{field} is not asked for", system.id);
                    }
                }
                // The setup around a library's entry is no part of the library.
                let players = reading.wants.iter().any(|(path, key, _)| path.is_empty() && *key == "player");
                assert_eq!(players, sort(&paper) == Sort::Encounter, "{} {kind}", system.id);
            }
        }
    }

    #[test]
    fn an_encounter_draws_on_the_other_papers() {
        for system in fracas_systems::all().iter().filter(|system| has(system).library) {
            let template = |wanted: &str| {
                let found = (system.templates)().iter().find(|(kind, _)| *kind == wanted);
                found.unwrap_or_else(|| panic!("{}: no template of a {wanted}", system.id)).1
            };
            let character = paper(1, system, template("character"));
            let comer = Comer { name: character.name.clone(), player: Some("Ana".to_owned()), count: 1 };
            let scene = Scene { title: String::new(), comers: vec![comer] };
            let setup = Setup::alone(Document::toml("encounter", template("encounter")).expect("TOML"));
            let setup = scene.in_place_of_its_own(setup, system);
            let encounter = paper(2, system, &fracas_kernel::toml(&setup.encounter.to_json()));
            let papers = [character.clone(), encounter.clone()];
            assert_eq!(read(&papers, &encounter, system).faults, []);
            let alone = read(&papers[1..], &encounter, system).faults;
            let missing = |fault: &Fault| fault.what.contains(&character.name) && fault.line > 0;
            assert!(alone.iter().any(missing), "{alone:?}");
            let mut broken = character;
            broken.text = "name = ".to_owned();
            let faults = read(&[broken], &encounter, system).faults;
            assert!(faults[0].file.ends_with("-1.toml"), "{faults:?}");
        }
    }
}
