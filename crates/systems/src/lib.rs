//! The registry of systems and their bundled content.
//!
//! No other crate names a game. To add one, add it to the workspace, to the list `games!`,
//! to `guide_of`, [`introduction`] and [`complete`]; its content goes to `content/<id>/`.

#![forbid(unsafe_code)]

mod guide;
mod has;
mod own;
mod scene;
mod schema;

pub use has::{Has, has};
pub use own::{Sort, check, check_picture, over_bundled};
pub use scene::{Comer, Scene};
pub use schema::{lists, schema};

use fracas_kernel::{About, Document, Fault, Faults, Setup, System, Words};
use rust_embed::RustEmbed;
use std::borrow::Cow;
use std::sync::LazyLock;

/// An operation on a game by its types: a measurement, or millions of conflicts, for which
/// the erased interface with its JSON is too slow.
pub trait Visit {
    /// The result.
    type Out;
    /// Runs on one game.
    fn game<G: Words>(&mut self) -> Self::Out;
}

macro_rules! games {
    ($($module:ident::$game:ident),* $(,)?) => {
        /// Every system.
        pub fn all() -> &'static [System] {
            static ALL: LazyLock<Vec<System>> = LazyLock::new(|| vec![$($module::system()),*]);
            &ALL
        }

        /// Runs a visitor on the game of this id; `None` if there is none.
        pub fn visit<V: Visit>(id: &str, visitor: &mut V) -> Option<V::Out> {
            $(if id == <$module::$game as fracas_kernel::Game>::ID {
                return Some(visitor.game::<$module::$game>());
            })*
            None
        }
    };
}

games![
    judge_two::JudgeTwo,
    afraid::Afraid,
    truth_and_light::TruthAndLight,
    clash::Clash,
    ruins_and_raiders::RuinsAndRaiders
];

/// The system with this id.
pub fn find(id: &str) -> Option<&'static System> {
    all().iter().find(|system| system.id == id)
}

/// A system's guide for authors of content; empty if there is none.
fn guide_of(system: &System) -> &'static str {
    match system.id {
        "afraid" => include_str!("../../../docs/content-afraid.md"),
        "clash" => include_str!("../../../docs/content-clash.md"),
        "judge-two" => include_str!("../../../docs/content-judge-two.md"),
        "ruins-and-raiders" => include_str!("../../../docs/content-ruins-and-raiders.md"),
        "truth-and-light" => include_str!("../../../docs/content-truth-and-light.md"),
        _ => "",
    }
}

/// What a newcomer reads about a system before the first evening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Introduction {
    /// The experience of play, in two sentences.
    pub about: &'static str,
    /// The id of the bundled encounter to begin with.
    pub begin: &'static str,
    /// What a player who has never played it must know, in a few sentences.
    pub primer: &'static [&'static str],
}

/// The introduction to a system.
pub fn introduction(system: &System) -> Introduction {
    let (about, begin, primer): (_, _, &[_]) = match system.id {
        "afraid" => (
            "Ordinary people and a monster. You bid dice: two as a challenge, one or more as an answer, and a talk can escalate to murder.",
            "what-the-parish-kept",
            &[
                "A conflict is about a thing: her trust, the way out. If you win, you decide what becomes of it.",
                "You throw your dice first and see them. A challenge puts two of them forward, and their sum is what the others must match.",
                "Match it with one die and you turn it back. With two you block. With three or more you take the blow, and keep dice that hurt you once it is over.",
                "Out of good dice? Escalate: another arena, more dice, and worse harm, from talk to murder.",
                "You may always give. You lose what is at stake, and keep your two best dice.",
            ],
        ),
        "clash" => (
            "Odd people and odder arguments. Ten Symbols say what somebody is good at; you spend Traits, Items and Focus for more twenty-sided dice, now or for your defence, and anybody may answer what anybody does.",
            "the-price-of-lamps",
            &[
                "Say what you do and to whom. Your words decide the two Symbols: yours over theirs.",
                "You throw twenty-sided dice. You need 11, minus your value in your Symbol, plus theirs in theirs.",
                "Each Trait, Item or Prop that you Exhaust for a Roll adds dice, and the highest die counts. What you keep ready can be Exhausted against a Roll over you.",
                "Damage takes Will Points. You lose the Clash if you take Damage at 0, and you may Surrender before.",
                "When somebody acts, others may answer first. You are asked only if you have something to use.",
            ],
        ),
        "judge-two" => (
            "Swords, arguments, disguises. You throw two dice and decide, once they lie, which is Light and which is Truth.",
            "the-quiet-hour",
            &[
                "You throw two dice, and decide once they lie: one is Light, the other Truth.",
                "Light says whether it works. Truth says whether it is innocent or guilty. After a guilty one the gamemaster intervenes.",
                "A blow adds risk, up to 12: the ring around a token. The more risk you have, the worse the next hit.",
                "A brute has no risk: one good hit is enough. A nemesis takes no risk until its omen is met. Find out what that is.",
                "You may guard a friend who is attacked. It costs you 2 risk, and you make the save.",
            ],
        ),
        "ruins-and-raiders" => (
            "Fights on a map, counted in spaces. Run up to strike harder, wait for somebody to come near, and give up actions before the dice fall so as not to be hit.",
            "three-who-wait",
            &[
                "You have two actions a round. Moving, striking and shooting take one each.",
                "A check is two dice and a trait or skill, against a number.",
                "Every 3 full spaces of a charge add 1 to the damage of your blow, and to that of every melee blow that hits you this round.",
                "If you are attacked you may give up actions before the dice fall, so as not to be hit.",
                "You may wait in place of your turn, and cut in when a foe comes near.",
            ],
        ),
        "truth-and-light" => (
            "Fights, chases and hearings. You throw Truth and Light, then move points from Light to Truth to succeed; what is left on Light decides whether it costs you, or gives.",
            "the-broken-bridge",
            &[
                "Only players throw dice: one for Truth, one for Light.",
                "Truth and what you add to it must reach a number: that is whether it works.",
                "After the throw you may move points from Light to Truth, one for one, all but the last.",
                "With 1 or 2 left on Light a guilt comes along. With much left you gain a glory.",
                "Damage is counted on tracks of body, mind and standing. With nothing left on one you are out of the conflict.",
            ],
        ),
        _ => ("", "", &[]),
    };
    Introduction { about, begin, primer }
}

/// What the picture of an encounter shows where its own words leave it open: an hour and motifs, as
/// `fracas_art::Scene` reads them.
pub fn ground(system: &str) -> &'static str {
    match system {
        "afraid" => "night pines hills village fog",
        "clash" => "indoor hall stairs candles",
        "judge-two" => "night moon wall gate lamps",
        "ruins-and-raiders" => "day ruins hills meadow",
        "truth-and-light" => "dusk sun river bridge",
        _ => "day hills",
    }
}

/// Whether everybody at a table that was opened under this version of a system's rules reads
/// its encounter's summary. In earlier versions only the person who chose the encounter read
/// it, and its author may have put a secret there.
pub fn tells_summary(system: &str, version: u32) -> bool {
    let since = match system {
        "afraid" => 6,
        "judge-two" | "truth-and-light" => 7,
        _ => 0,
    };
    version >= since
}

/// The chapters of each system's rulebook that are claimed complete: passing scenarios show
/// every clause that must be shown.
pub fn complete() -> &'static [(&'static str, &'static [&'static str])] {
    &[
        (
            "afraid",
            &[
                "Introduction",
                "Stakes",
                "Arenas",
                "Group conflicts",
                "Escalating",
                "Giving",
                "Ending the conflict",
                "Fallout",
                "Experience Fallout",
                "Short-term Fallout",
                "Long-term Fallout",
                "Injury Fallout",
                "Reflection Fallout",
                "First aid conflicts",
                "Real medical care",
                "Dying",
                "derived: hidden information",
                "derived: illegal input",
            ],
        ),
        (
            "clash",
            &[
                "Core Mechanics / ATDD",
                "Core Mechanics / Scene",
                "Core Mechanics / Scene; Scene Elements; Dodging",
                "Core Mechanics / Rolls",
                "Clashes / Attacking",
                "Core Mechanics / Rolls / Criticals",
                "Clashes / Attacking, Studying; Scene Elements & Improvisation",
                "Core Mechanics / Conflict Rolls",
                "Character Sheet / Personalities",
                "Character Sheet / Symbols",
                "Character Sheet / Alterations",
                "Character Sheet / Traits",
                "Spells / Persistent Spells",
                "Scene Elements / Props",
                "Scene Elements",
                "Scene Elements / Improvisation",
                "Scene Elements / Help & Group Rolls",
                "Scene Elements / Dodging",
                "Clashes",
                "Timing Rules / Designer's note",
                "Clashes / The Breath Step",
                "Clashes / turn outline",
                "Clashes / The Breath Step; Actions",
                "Clashes / The Breath Step; Attacking",
                "Clashes / Narrative Actions",
                "Clashes / Actions",
                "Timing Rules",
                "Clashes / Attacking; Scene Elements / Improvisation",
                "Clashes / Studying",
                "Clashes / Controlling a Clash Prop",
                "Clashes / Controlling a Clash Prop; Scene Elements / Props",
                "Clashes / Making a Generic Roll",
                "Timing Rules / Priority and the Stack",
                "Timing Rules / Triggers Priority",
                "Timing Rules / Unreactable Abilities",
                "WP & Damage",
                "WP & Damage / Resting",
                "Subjugations",
                "Subjugations / Death Rolls",
                "Spells",
                "Skills",
                "Character Sheet (whole document)",
                "Character Sheet; Skills; WP & Damage",
                "Clashes / Studying; WP & Damage; Spells",
            ],
        ),
        (
            "judge-two",
            &[
                "The Judge Two System",
                "Actions in Action",
                "Tests / Step 1 attribute",
                "Tests / Step 2 challenge level",
                "Tests / Step 3 roll and judge",
                "Tests / Step 4 outcome",
                "Truth and Turns",
                "Interventions",
                "Saves",
                "Degrees of Success and Failure",
                "Bold and Faint Actions",
                "Quick Actions",
                "Long Tests",
                "Group Tests",
                "Health and Status",
                "Attacks and Defenses",
                "Risk",
                "Risk (derived)",
                "Resistance and Resolve",
                "Threats",
                "Marks",
                "Rivening",
                "Finishers",
                "Rest and Recovery",
                "Death and Dying",
                "Conflicts in General",
                "Boons",
                "Counter Attacking",
                "Guarding",
                "Veiled Attacks",
                "Group Attacks",
                "Tests in Conflicts",
                "Non-Player Characters in Conflicts",
                "Player vs. Player Conflicts",
                "Martial Conflicts",
                "Martial Conflicts / Weapons",
                "Martial Conflicts / Armor and shields",
                "Martial Finishers",
                "Weapon Proficiencies",
                "Martial Maneuvers",
                "Describing Martial Action",
                "Subtle Conflicts",
                "Subtle Conflicts / Scripts",
                "Subtle Conflicts / Prestige",
                "Subtle Conflicts / Disguise",
                "Subtle Conflicts / Composure",
                "Language Proficiencies",
                "Subtle Finishers",
                "Subtle Maneuvers",
                "Disposition",
            ],
        ),
        (
            "ruins-and-raiders",
            &[
                "Challenge Levels",
                "Perception",
                "Intuition",
                "Combat Values",
                "Combat Values / Initiative",
                "Combat Values / Action",
                "Combat Values / Round Zero",
                "Combat Values / Movement",
                "Combat Values / Range",
                "Combat Values / Abort",
                "Combat Values / Wait",
                "Combat Values / The Waiting Game",
                "Challenge Levels / Perception / Intuition",
            ],
        ),
        (
            "truth-and-light",
            &[
                "Introduction",
                "Rolling Dice",
                "Rolling Dice / Gameplay Examples",
                "Rolling Dice / Tests and Saves",
                "Tests and Saves",
                "Tests and Saves / Gameplay Examples",
                "Attribute Ranks",
                "Target Numbers",
                "Target Numbers / Tests and Saves",
                "Gameplay Examples",
                "Degrees of Success and Failure",
                "Guilts and Glories in Practice",
                "Glory Descriptions",
                "Guilt Descriptions / Glory Descriptions",
                "Guilt Descriptions",
                "The 5th Guilt and Glory",
                "Glorious Failures",
                "Writhings",
                "Action Summary",
                "illegal input",
                "Rulings",
            ],
        ),
    ]
}

/// `content/`, embedded when the program is built.
#[derive(RustEmbed)]
#[folder = "../../content"]
struct Content;

/// A style sheet and a title face for each system.
#[derive(RustEmbed)]
#[folder = "looks"]
struct Looks;

/// An encounter for one player and a foe in each system, to try its dice alone; not among those that are offered.
#[derive(RustEmbed)]
#[folder = "practice"]
struct Practice;

/// A file of the looks of systems: `ID.css` for each, and what it refers to; `None` if there is none.
pub fn look(file: &str) -> Option<Cow<'static, [u8]>> {
    Looks::get(file).map(|file| file.data)
}

/// A bundled encounter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// The system's id.
    pub system: &'static str,
    /// Its id: its file's name without the extension.
    pub id: String,
    /// Its `title`, else its id.
    pub title: String,
    /// What it says about itself.
    pub about: About,
    /// Whether a newcomer begins with it; see [`introduction`].
    pub begin: bool,
    /// How many players it has seats for.
    pub players: usize,
    /// The names of its own player characters.
    pub characters: Vec<String>,
}

/// For how many players something is, and how long it takes.
pub fn for_players(count: usize, minutes: Option<u16>) -> String {
    let minutes = minutes.map_or_else(String::new, |minutes| format!(", {minutes} minutes"));
    match count {
        0 => format!("For the gamemaster alone{minutes}"),
        1 => format!("For one player{minutes}"),
        n => format!("For {n} players{minutes}"),
    }
}

/// The bundled encounters of a system, sorted by id.
///
/// # Errors
/// If a file is not TOML.
pub fn encounters(system: &System) -> Result<Vec<Encounter>, Faults> {
    let folder = format!("{}/encounters/", system.id);
    let begin = introduction(system).begin;
    files(&folder)
        .map(|path| {
            let id = path.trim_start_matches(&folder).trim_end_matches(".toml").to_owned();
            let document = document(&path)?;
            let json = document.to_json();
            Ok(Encounter {
                system: system.id,
                title: json["title"].as_str().unwrap_or(&id).to_owned(),
                about: About::of(&json),
                begin: id == begin,
                players: json.get("player").and_then(|value| value.as_array()).map_or(0, Vec::len),
                characters: document.entries("character").into_iter().map(str::to_owned).collect(),
                id,
            })
        })
        .collect()
}

/// The bundled encounters in the order in which newcomers are offered them: the one to
/// begin with, then the others by id.
///
/// # Errors
/// If a file is not TOML.
pub fn offered(system: &System) -> Result<Vec<Encounter>, Faults> {
    let mut all = encounters(system)?;
    all.sort_by_key(|encounter| !encounter.begin);
    Ok(all)
}

/// A bundled encounter's setup, with the bundled library; `None` if there is no such
/// encounter.
///
/// # Errors
/// If a file is not TOML.
pub fn setup(system: &System, id: &str) -> Option<Result<Setup, Faults>> {
    let path = format!("{}/encounters/{id}.toml", system.id);
    Content::get(&path)?;
    Some(document(&path).and_then(|encounter| Ok(Setup { encounter, library: library(system)? })))
}

/// The encounter in which one player tries the dice of a system.
///
/// # Errors
/// If a file is not TOML, or there is none for the system.
pub fn practice(system: &System) -> Result<Setup, Faults> {
    let file = format!("{}.toml", system.id);
    let name = format!("practice/{file}");
    let text = Practice::get(&file).and_then(|file| String::from_utf8(file.data.into_owned()).ok());
    let text = text.ok_or_else(|| not_bundled(&name))?;
    Ok(Setup { encounter: Document::toml(name, &text)?, library: library(system)? })
}

/// The setups of all bundled encounters of a system, sorted by id.
///
/// # Errors
/// If a file is not TOML.
pub fn setups(system: &System) -> Result<Vec<Setup>, Faults> {
    encounters(system)?.into_iter().filter_map(|encounter| setup(system, &encounter.id)).collect()
}

/// The bundled library of a system: characters, foes and gear, sorted by file.
///
/// # Errors
/// If a file is not TOML.
pub fn library(system: &System) -> Result<Vec<Document>, Faults> {
    files(&format!("{}/", system.id)).map(|path| document(&path)).collect()
}

/// The text of a bundled file, such as `judge-two/foes.toml`, for a user to copy.
pub fn text(path: &str) -> Option<String> {
    let file = Content::get(path)?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// The TOML files directly in a folder, sorted.
fn files(folder: &str) -> impl Iterator<Item = String> {
    let mut found: Vec<String> = Content::iter()
        .filter(|path| {
            let name = path.strip_prefix(folder);
            name.is_some_and(|name| !name.contains('/') && name.ends_with(".toml"))
        })
        .map(|path| path.into_owned())
        .collect();
    found.sort();
    found.into_iter()
}

fn document(path: &str) -> Result<Document, Faults> {
    let name = format!("content/{path}");
    let text = text(path).ok_or_else(|| not_bundled(&name))?;
    Document::toml(name, &text)
}

fn not_bundled(name: &str) -> Faults {
    Faults(vec![Fault {
        file: name.to_owned(),
        line: 0,
        field: String::new(),
        what: "not text (UTF-8), or not bundled".to_owned(),
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_are_those_of_the_rulebooks() {
        for (i, system) in all().iter().enumerate() {
            assert_eq!(find(system.id).map(|found| found.id), Some(system.id));
            assert_eq!((system.rulebook)().system, system.id);
            assert!(all()[..i].iter().all(|other| other.id != system.id), "{} twice", system.id);
        }
        assert!(find("chess").is_none());
    }

    #[test]
    fn everybody_can_practise_alone_in_every_system() {
        for system in all() {
            let setup = practice(system).expect("a practice encounter");
            let table = (system.start)(&setup).unwrap_or_else(|faults| panic!("{}: {faults}", system.id));
            let players = table.seats().into_iter().filter(|info| info.seat != fracas_kernel::Seat::Gm);
            assert_eq!(players.count(), 1, "{}", system.id);
        }
    }

    #[test]
    fn every_system_can_be_visited() {
        struct Id;
        impl Visit for Id {
            type Out = &'static str;
            fn game<G: Words>(&mut self) -> &'static str {
                G::ID
            }
        }
        for system in all() {
            assert_eq!(visit(system.id, &mut Id), Some(system.id));
        }
        assert_eq!(visit("chess", &mut Id), None);
    }

    #[test]
    fn every_kind_of_ask_has_words_for_waiting() {
        for system in all() {
            for kind in (system.kinds)() {
                let words = system.awaited(kind);
                assert!(
                    words.is_some_and(|words| words.starts_with("to ")),
                    "{} {kind}: {words:?}",
                    system.id
                );
            }
        }
    }

    #[test]
    fn claims_name_existing_systems_and_chapters() {
        for (id, sections) in complete() {
            let system = find(id).unwrap_or_else(|| panic!("no system {id}"));
            for section in *sections {
                let there = (system.rulebook)().entries.iter().any(|entry| entry.section == *section);
                assert!(there, "{id} has no chapter {section:?}");
            }
        }
    }

    #[test]
    fn every_bundled_file_belongs_to_a_system_and_is_toml() {
        for path in Content::iter() {
            let system = path.split('/').next().unwrap_or_default();
            assert!(find(system).is_some(), "{path}: no such system");
            if path.ends_with(".toml") {
                document(&path).unwrap_or_else(|faults| panic!("{faults}"));
            }
        }
    }

    #[test]
    fn every_bundled_encounter_opens() {
        for system in all() {
            let Introduction { about, begin, primer } = introduction(system);
            assert!(!about.is_empty() && primer.len() >= 4, "{} has no introduction", system.id);
            let offered = offered(system).unwrap_or_else(|faults| panic!("{faults}"));
            assert_eq!(offered[0].id, begin, "{} does not offer it first", system.id);
            for encounter in encounters(system).unwrap_or_else(|faults| panic!("{faults}")) {
                let setup = setup(system, &encounter.id).expect("listed");
                let setup = setup.unwrap_or_else(|faults| panic!("{faults}"));
                if let Err(faults) = (system.start)(&setup) {
                    panic!("{}: {faults}", encounter.id);
                }
            }
            assert!(setup(system, "no-such-encounter").is_none());
        }
    }
}
