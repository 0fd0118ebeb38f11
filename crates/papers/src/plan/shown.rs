//! What the map of an encounter shows, read from its text.

use super::rows::{self, is_same, legend};
use crate::{Reading, sheet};
use fracas_kernel::{Fault, Field, Ground, GroundKind, Map, MapRead, Picture, Space, Spot, System};
use toml_edit::{DocumentMut, Item};

/// The table of the map in an encounter.
pub(super) const MAP: &str = "map";
/// The space of somebody.
pub(super) const AT: &str = "at";

/// The map of an encounter, and who stands on it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The map as it is drawn. Its people are named by their paths.
    pub map: Map,
    /// Everybody in the encounter, in the order of the text.
    pub people: Vec<Person>,
    /// The words for ground that the legend may use.
    pub words: Vec<String>,
    /// What is wrong with the spaces of people, and with words of the legend that no space uses.
    pub faults: Vec<String>,
    pub(super) field: Field,
}

/// Somebody in an encounter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// Their path in the document, such as `character[1]`.
    pub path: String,
    /// Their name.
    pub name: String,
    /// A player plays them.
    pub is_players: bool,
    /// Where the text says that they stand.
    pub at: Option<String>,
    /// The space that this means.
    pub space: Option<Space>,
}

impl Plan {
    /// The plan of a text that was read.
    ///
    /// # Errors
    /// If the text has no map of spaces, or the map has faults.
    pub fn of(text: &str, system: &System, reading: &Reading) -> Result<Plan, Vec<String>> {
        let faults = |all: &dyn Fn(&&Fault) -> bool| -> Vec<String> {
            reading.faults.iter().filter(all).map(said).collect()
        };
        let Ok(document) = text.parse::<DocumentMut>() else { return Err(faults(&|_| true)) };
        let Some(map) = document.get(MAP).and_then(Item::as_table_like) else {
            return Err(vec!["The text has no [map].".to_owned()]);
        };
        let Some(MapRead { field, words }) = &reading.map else { return Err(faults(&|_| true)) };
        let rows = rows::read(map, (field.columns(), field.rows()));
        let legend = legend(map);
        let is_idle = |fault: &Fault| {
            let key = fault.field.strip_prefix("map.legend.");
            key.is_some_and(|key| !rows.iter().flatten().any(|c| key == c.encode_utf8(&mut [0; 4])))
        };
        let is_of_map = |fault: &Fault| fault.field == MAP || fault.field.starts_with("map.");
        let is_broken = |fault: &&Fault| is_of_map(fault) && !is_idle(fault);
        if reading.faults.iter().any(|fault| is_broken(&fault)) {
            return Err(faults(&is_broken));
        }
        if !field.is_grid() {
            return Err(vec![
                "The map is places without a grid. Only `rows`, or `columns` and `height`, can be drawn on."
                    .to_owned(),
            ]);
        }
        let people = people(&document, system, field);
        let is_told = |fault: &&Fault| is_idle(fault) || fault.field.ends_with("].at");
        Ok(Plan {
            map: drawn(field, &rows, &legend, &people),
            people,
            words: words.clone(),
            faults: faults(&is_told),
            field: field.clone(),
        })
    }

    /// The name of a space, if it has one.
    pub fn named(&self, space: Space) -> Option<&str> {
        self.field.named(space)
    }

    /// Which ground of the map a word of the legend is, in the order of drawing.
    pub fn nth_terrain(&self, word: &str) -> Option<usize> {
        let terrain = self.map.grounds.iter().filter(|ground| ground.kind == GroundKind::Terrain);
        terrain.map(|ground| ground.text.as_str()).position(|there| is_same(there, word))
    }

    pub(super) fn size(&self) -> (u8, u8) {
        (self.map.columns, self.map.rows)
    }

    pub(super) fn picture(&self) -> Option<&Picture> {
        self.map.picture.as_ref()
    }
}

/// A fault as a sentence.
fn said(fault: &Fault) -> String {
    let place = if fault.field.is_empty() { String::new() } else { format!("{}: ", fault.field) };
    match fault.line {
        0 => format!("{place}{}.", fault.what),
        line => format!("Line {line}: {place}{}.", fault.what),
    }
}

fn people(document: &DocumentMut, system: &System, field: &Field) -> Vec<Person> {
    let mut people = Vec::new();
    for list in ["character", system.others] {
        let mut document = document.clone();
        for (at, entry) in sheet::entries(&mut document, list).into_iter().enumerate() {
            let text = |key: &str| entry.get(key).and_then(Item::as_str).map(str::to_owned);
            let path = format!("{list}[{}]", at + 1);
            let name = text("name").or_else(|| text("use")).unwrap_or_else(|| path.clone());
            let (at, is_players) = (text(AT), list == "character");
            let space = at.as_deref().and_then(|at| field.find(at));
            people.push(Person { path, name, is_players, at, space });
        }
    }
    people
}

/// The map as it is drawn.
fn drawn(field: &Field, rows: &[Vec<char>], legend: &[(char, String)], people: &[Person]) -> Map {
    let place = |space: Space| (space.column(), space.row());
    let all = || {
        let spaces = |row: u8| (0..field.columns()).filter_map(move |column| Space::new(column, row));
        (0..field.rows()).flat_map(spaces)
    };
    let is_wall = |space: &Space| !field.is_there(*space);
    let wall = Ground {
        kind: GroundKind::Wall,
        text: Field::WALL_WORD.to_owned(),
        spaces: all().filter(is_wall).map(place).collect(),
    };
    let names = field.named_spaces().map(|(space, name)| Ground {
        kind: GroundKind::Name,
        text: name.to_owned(),
        spaces: vec![place(space)],
    });
    let mut grounds: Vec<Ground> = Vec::new();
    for (character, word) in legend.iter().filter(|(_, word)| word != Field::WALL_WORD) {
        let is_here =
            |space: &Space| rows[usize::from(space.row())][usize::from(space.column())] == *character;
        let spaces = all().filter(is_here).map(place);
        match grounds.iter_mut().find(|ground| is_same(&ground.text, word)) {
            Some(ground) => ground.spaces.extend(spaces),
            None => grounds.push(Ground {
                kind: GroundKind::Terrain,
                text: word.clone(),
                spaces: spaces.collect(),
            }),
        }
    }
    grounds.extend([wall].into_iter().chain(names));
    let spot = |person: &Person| {
        let (column, row) = place(person.space?);
        Some(Spot { token: person.path.clone(), column, row })
    };
    Map {
        grid: field.metric().into(),
        columns: field.columns(),
        rows: field.rows(),
        spots: people.iter().filter_map(spot).collect(),
        grounds,
        walls: field.walls().map(|(a, b)| [place(a), place(b)]).collect(),
        picture: field.picture().cloned(),
    }
}
