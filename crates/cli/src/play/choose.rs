//! The questions before play: which game, and which encounter.

use super::early::{Early, early};
use crate::find::{self, Offered};
use crate::input::{Input, Typed};
use crate::screen::{FAINT, KEY, PLAIN, STRONG, Screen, Text};
use crate::stop::Stop;
use fracas_kernel::System;

const SYSTEM: &str = "\
Type the number or the name of a game, and its first encounter begins; or the name of an encounter. Enter takes the first game. You play alone; with `together` behind it you are asked who plays. ? 2 lists the encounters of the second game. quit leaves.
Your own encounter: give its file when you start, after `play`, or put it into a folder `encounters` here.";

const ENCOUNTER: &str = "\
Type the number or the name of an encounter from the list, or how its name begins; Enter takes the first. You play alone; with `together` behind it you are asked who plays. ? 3 tells more of the third. back goes to the games, quit leaves.
Your own encounter: give its file when you start, after `play`, or put it into a folder `encounters` here.";

/// How many people sit at this terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Company {
    /// One person, who plays one seat.
    Alone,
    /// Several people, or one who plays several seats.
    Together,
}

/// An encounter to play.
pub(super) struct Chosen {
    pub(super) encounter: Offered,
    pub(super) company: Company,
}

/// Asks which encounter to play. One question is enough, unless the person wants to read more.
pub(super) fn which(wanted: Option<System>, input: &mut Input, screen: &mut Screen) -> Result<Chosen, Stop> {
    let (offered, faulty) = find::offered(wanted)?;
    for fault in faulty {
        screen.tell(FAINT, &fault)?;
    }
    let mut systems: Vec<System> = Vec::new();
    for encounter in &offered {
        if !systems.iter().any(|system| system.id == encounter.system.id) {
            systems.push(encounter.system);
        }
    }
    let one_only = systems.len() < 2;
    loop {
        let among = if one_only {
            offered.iter().collect()
        } else {
            match system(&systems, &offered, input, screen)? {
                Named::Encounter(chosen) => return Ok(*chosen),
                Named::Among(among) => among,
            }
        };
        if let Some(chosen) = encounter(&among, one_only, input, screen)? {
            return Ok(chosen);
        }
    }
}

/// The answer to the first question.
enum Named<'o> {
    Encounter(Box<Chosen>),
    /// A game whose encounters the person wants to read.
    Among(Vec<&'o Offered>),
}

/// Splits `together` off the end of a line.
fn in_company(line: &str) -> (&str, Company) {
    match line.rsplit_once(char::is_whitespace).unwrap_or(("", line)) {
        (wanted, last) if last.eq_ignore_ascii_case("together") => {
            (wanted.trim_end_matches([',', ' ']), Company::Together)
        }
        _ => (line, Company::Alone),
    }
}

/// The encounter that a system begins with.
fn first<'o>(system: &System, among: &[&'o Offered]) -> Option<&'o Offered> {
    let begin = fracas_systems::introduction(system).begin;
    among.iter().find(|encounter| encounter.given == begin).or(among.first()).copied()
}

/// Asks for a system or an encounter.
fn system<'o>(
    systems: &[System],
    offered: &'o [Offered],
    input: &mut Input,
    screen: &mut Screen,
) -> Result<Named<'o>, Stop> {
    let of = |system: &System| -> Vec<&Offered> {
        offered.iter().filter(|encounter| encounter.system.id == system.id).collect()
    };
    for (i, system) in systems.iter().enumerate() {
        let text = Text::of(STRONG, (system.rulebook)().title).and(FAINT, format!(" ({})", system.id));
        screen.hang(&Text::of(KEY, format!("{:>2}  ", i + 1)), 4, &text)?;
        let about = fracas_systems::introduction(system).about;
        screen.hang(&Text::plain("    "), 4, &Text::plain(about))?;
        let all = of(system);
        if let Some(begin) = first(system, &all) {
            let others: Vec<&str> = all
                .iter()
                .filter(|encounter| encounter.given != begin.given)
                .map(|encounter| encounter.title.as_str())
                .collect();
            let others =
                if others.is_empty() { String::new() } else { format!("; also {}", others.join(", ")) };
            let text = Text::plain("begins with ").and(STRONG, &begin.title).and(FAINT, others);
            screen.hang(&Text::plain("    "), 4, &text)?;
        }
    }
    screen.say(
        &Text::plain(
            "Name a game or an encounter: you play alone, the machine everybody else. Several of you here: ",
        )
        .and(KEY, "1 together")
        .and(PLAIN, ". What the encounters are: ")
        .and(KEY, "? 1"),
    )?;
    let games: Vec<[&str; 2]> = systems.iter().map(|system| [system.id, (system.rulebook)().title]).collect();
    let encounters: Vec<[&str; 2]> = offered.iter().map(Offered::names).collect();
    loop {
        let line = asked("which (Enter: 1)> ", SYSTEM, input, screen)?;
        if let Some(wanted) = line.strip_prefix('?') {
            match place(wanted.trim(), &games) {
                Ok(at) => return Ok(Named::Among(of(&systems[at]))),
                Err(what) => screen.tell(PLAIN, &what)?,
            }
            continue;
        }
        let (wanted, company) = in_company(&line);
        let found = match place(wanted, &games) {
            Ok(at) => Ok(first(&systems[at], &of(&systems[at]))),
            Err(_) if wanted.parse::<usize>().is_err() => {
                place(wanted, &encounters).map(|at| Some(&offered[at]))
            }
            Err(what) => Err(what),
        };
        match found {
            Ok(Some(encounter)) => {
                let chosen = Chosen { encounter: encounter.clone(), company };
                return Ok(Named::Encounter(Box::new(chosen)));
            }
            Ok(None) => {}
            Err(what) => screen.tell(PLAIN, &what)?,
        }
    }
}

/// Asks for an encounter. `None` goes back to the games.
fn encounter(
    among: &[&Offered],
    one_only: bool,
    input: &mut Input,
    screen: &mut Screen,
) -> Result<Option<Chosen>, Stop> {
    for (i, encounter) in among.iter().enumerate() {
        let text = Text::of(STRONG, &encounter.title).and(PLAIN, encounter.about());
        screen.brief(&Text::of(KEY, format!("{:>2}  ", i + 1)), 4, &text)?;
    }
    let names: Vec<[&str; 2]> = among.iter().map(|encounter| encounter.names()).collect();
    loop {
        let line = asked("which (Enter: 1)> ", ENCOUNTER, input, screen)?;
        if line.eq_ignore_ascii_case("back") && !one_only {
            return Ok(None);
        }
        let more = line.strip_prefix('?').map(str::trim);
        let (wanted, company) = in_company(&line);
        match place(more.unwrap_or(wanted), &names) {
            Ok(at) if more.is_some() => {
                let encounter = among[at];
                screen.say(&Text::of(STRONG, &encounter.title).and(PLAIN, encounter.about()))?;
            }
            Ok(at) => return Ok(Some(Chosen { encounter: among[at].clone(), company })),
            Err(what) => screen.tell(PLAIN, &what)?,
        }
    }
}

/// Reads a line; answers `help` itself.
///
/// # Errors
/// [`Stop::Left`] if the person leaves.
fn asked(prompt: &str, help: &str, input: &mut Input, screen: &mut Screen) -> Result<String, Stop> {
    loop {
        let line = match input.line(prompt, screen)? {
            Typed::Line(line) => line,
            Typed::Unreadable(why) => {
                screen.tell(PLAIN, why)?;
                continue;
            }
            Typed::End | Typed::Interrupt => return Err(Stop::Left),
        };
        match early(&line, screen, help)? {
            Some(Early::Leave) => return Err(Stop::Left),
            Some(Early::Helped) => {}
            None => return Ok(line),
        }
    }
}

/// The index that a line names: by number, by name, by the beginning of a name or by its words.
/// An empty line names the first.
fn place(line: &str, all: &[[&str; 2]]) -> Result<usize, String> {
    if line.is_empty() {
        return Ok(0);
    }
    if let Ok(number) = line.parse::<usize>() {
        return number
            .checked_sub(1)
            .filter(|at| *at < all.len())
            .ok_or_else(|| format!("There is no {line} here: 1 to {}.", all.len()));
    }
    match find::matching(line, all)[..] {
        [] => Err(format!("There is no {line} here: 1 to {}, or a name.", all.len())),
        [only] => Ok(only),
        ref several => {
            let titles: Vec<&str> = several.iter().map(|&at| all[at][1]).collect();
            Err(format!("Which of them: {}?", titles.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn a_name_is_found_by_its_beginning_or_words() {
        let all = [["gate", "The Salt Gate"], ["court", "The Drowned Court"], ["well", "A Well"]];
        for (line, at) in [
            ("", 0),
            ("2", 1),
            ("court", 1),
            ("a well", 2),
            ("THE DR", 1),
            ("salt", 0),
            ("gate salt", 0),
            ("w", 2),
        ] {
            assert_eq!(place(line, &all), Ok(at), "{line}");
        }
        assert_eq!(place("the", &all).unwrap_err(), "Which of them: The Salt Gate, The Drowned Court?");
        for line in ["0", "4", "moor"] {
            assert!(place(line, &all).unwrap_err().starts_with("There is no"), "{line}");
        }
    }

    #[test]
    fn the_first_prompt_helps() {
        let (mut screen, said) = Screen::kept();
        let mut input = Input::Piped(Box::new(Cursor::new("help\n99\n? 2\n2\n")));
        which(None, &mut input, &mut screen).expect("chosen");
        assert!(said.text().contains("Type the number or the name"), "{}", said.text());
        for system in fracas_systems::all() {
            let about = fracas_systems::introduction(system).about;
            let beginning = about.split('.').next().expect("a sentence");
            assert!(said.text().contains(beginning), "{}", said.text());
        }
        assert!(said.text().contains("There is no 99 here"), "{}", said.text());
        let mut input = Input::Piped(Box::new(Cursor::new("quit\n")));
        assert!(matches!(which(None, &mut input, &mut screen), Err(Stop::Left)));
    }

    #[test]
    fn one_line_is_enough_to_play_alone() {
        let begins = |at: usize| fracas_systems::introduction(&fracas_systems::all()[at]).begin;
        for (typed, id, company) in [
            ("\n", begins(0), Company::Alone),
            ("2\n", begins(1), Company::Alone),
            ("3 together\n", begins(2), Company::Together),
            ("together\n", begins(0), Company::Together),
            ("Salt Gate, together\n", "salt-gate", Company::Together),
            ("salt gate\n", "salt-gate", Company::Alone),
        ] {
            let (mut screen, said) = Screen::kept();
            let mut input = Input::Piped(Box::new(Cursor::new(typed)));
            let chosen = which(None, &mut input, &mut screen).expect("chosen");
            assert_eq!((chosen.encounter.given.as_str(), chosen.company), (id, company), "{typed}");
            assert_eq!(said.text().matches("> ").count(), 1, "one question: {}", said.text());
        }
    }

    #[test]
    fn of_one_system_nobody_is_asked_which() {
        let system = fracas_systems::all()[0];
        let (mut screen, said) = Screen::kept();
        let mut input = Input::Piped(Box::new(Cursor::new("? 2\n\n")));
        let chosen = which(Some(system), &mut input, &mut screen).expect("chosen");
        let (offered, _) = find::offered(Some(system)).expect("encounters");
        assert_eq!(chosen.encounter.title, offered[0].title);
        assert_eq!(said.text().matches(&offered[1].title).count(), 2, "{}", said.text());
        assert!(!said.text().contains("which game"), "{}", said.text());
    }
}
