//! A scene: an encounter made of chosen library entries, with nothing under way.

use fracas_kernel::{Document, Names, Setup, System};
use serde_json::{Map, Value, json};

/// A library entry that comes into a scene.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comer {
    /// The entry's name.
    pub name: String,
    /// The player, for a player character; the others are the gamemaster's.
    pub player: Option<String>,
    /// How many of them come. Only the gamemaster's can be several.
    pub count: usize,
}

/// A scene in which nothing is under way yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scene {
    /// The scene's title.
    pub title: String,
    /// Who is there, in order.
    pub comers: Vec<Comer>,
}

impl Scene {
    /// The scene as an encounter, to be laid over a library that has its entries.
    pub fn encounter(&self, system: &System) -> Value {
        let (mut players, mut characters, mut others) = (Vec::<&str>::new(), Vec::new(), Vec::new());
        for comer in &self.comers {
            match &comer.player {
                Some(player) => {
                    if !players.contains(&player.as_str()) {
                        players.push(player);
                    }
                    characters.push(json!({ "use": comer.name, "player": player }));
                }
                None => others.extend(comer.each()),
            }
        }
        let players: Vec<Value> = players.iter().map(|name| json!({ "name": name })).collect();
        let mut encounter = Map::new();
        encounter.insert("game".to_owned(), json!(system.id));
        encounter.insert("title".to_owned(), json!(self.title));
        for (list, entries) in [("player", players), ("character", characters), (system.others, others)] {
            if !entries.is_empty() {
                encounter.insert(list.to_owned(), Value::Array(entries));
            }
        }
        Value::Object(encounter)
    }

    /// Puts this scene's player characters in the place of an encounter's own, also where
    /// other parts of the encounter name those.
    #[must_use]
    pub fn in_place_of_its_own(&self, mut setup: Setup, system: &System) -> Setup {
        let mut party = self.encounter(system);
        setup.recast(party["character"].as_array().cloned().unwrap_or_default());
        setup.encounter.set(&["player"], &party["player"].take());
        setup
    }

    /// The scene as a document to be read.
    pub fn document(&self, system: &System) -> Document {
        Document::json(self.title.clone(), &self.encounter(system))
    }
}

impl Comer {
    /// The entries of a comer; several are numbered, so that each has its own name.
    fn each(&self) -> Vec<Value> {
        if self.count < 2 {
            return vec![json!({ "use": self.name })];
        }
        let numbered = |n: usize| {
            let called = format!("{} {n}", self.name);
            json!({ "use": self.name, "name": called, "id": Names::slug_of(&called) })
        };
        (1..=self.count).map(numbered).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{all, has, has::named, library};

    /// Characters of one bundled encounter can play another in place of its own characters,
    /// in any number, whatever parts of it name those. Exceptions are characters whom a
    /// rule forbids companions, and encounters where two sides of player characters meet
    /// and there are too few.
    #[test]
    fn any_party_can_play_any_bundled_encounter() {
        let mut refused = Vec::new();
        for system in all() {
            let encounters = crate::encounters(system).unwrap_or_else(|faults| panic!("{faults}"));
            let bundled = |id: &str| {
                let setup = crate::setup(system, id).unwrap_or_else(|| panic!("{id}"));
                setup.unwrap_or_else(|faults| panic!("{faults}"))
            };
            for from in &encounters {
                let game = (system.start)(&bundled(&from.id)).unwrap_or_else(|faults| panic!("{faults}"));
                let Some(carried) = game.carry() else { continue };
                let document = Document::toml("carried", &fracas_kernel::toml(&carried));
                let document = document.unwrap_or_else(|faults| panic!("{faults}"));
                let comer =
                    |name: &str| Comer { name: name.to_owned(), player: Some(name.to_owned()), count: 1 };
                let comers = document.entries("character").into_iter().map(comer).collect();
                let scene = Scene { title: String::new(), comers };
                for to in &encounters {
                    let setup = scene.in_place_of_its_own(bundled(&to.id), system);
                    let setup =
                        setup.with(vec![document.clone()]).unwrap_or_else(|faults| panic!("{faults}"));
                    let Err(faults) = (system.start)(&setup) else { continue };
                    let alone = faults.to_string().contains("Alone");
                    let sides = faults.to_string().contains("takes two sides");
                    let fewer = scene.comers.len() < bundled(&to.id).encounter.entries("player").len();
                    if !(alone || sides && fewer) {
                        refused.push(format!("{} from {} to {}: {faults}", system.id, from.id, to.id));
                    }
                }
            }
        }
        assert!(refused.is_empty(), "{}", refused.join("\n"));
    }

    #[test]
    fn a_scene_of_any_two_bundled_entries_opens() {
        for system in all().iter().filter(|system| has(system).library) {
            let library = library(system).unwrap_or_else(|faults| panic!("{faults}"));
            let (characters, others) = (named(&library, "character"), named(&library, system.others));
            let player = |name: &String| Comer { name: name.clone(), player: Some("Ana".into()), count: 1 };
            let mut missing = 0;
            for other in &others {
                let with = |count| {
                    let comers =
                        vec![player(&characters[0]), Comer { name: other.clone(), player: None, count }];
                    let scene = Scene { title: "Nothing yet".to_owned(), comers };
                    let encounter = scene.document(system);
                    (system.start)(&Setup { encounter, library: library.clone() })
                };
                // Some entries require another.
                if with(1).is_err() {
                    missing += 1;
                    continue;
                }
                if !has(system).open_cast {
                    assert!(with(2).is_err(), "{}: {other} comes twice", system.id);
                    continue;
                }
                let game = with(2).unwrap_or_else(|faults| panic!("{}: {faults}", system.id));
                let names = game.names();
                let two = (1..=2).map(|n| Names::slug_of(&format!("{other} {n}")));
                two.for_each(|slug| assert!(names.find(&slug).is_some(), "{}: {slug}", system.id));
            }
            let most = others.len();
            assert!(most == 0 || missing * 4 < most, "{}: {missing} of {most} cannot come", system.id);
        }
    }
}
