//! Which game and which encounter to play: asked before anybody sits down.

use super::{
    Early, early,
    open::{self, Offered},
};
use crate::{
    input::{Input, Typed},
    screen::{FAINT, KEY, PLAIN, STRONG, Screen, Text, some},
    stop::Stop,
};
use fracas_face::menu::parts;
use fracas_kernel::System;

const SYSTEM: &str = "\
Type the number or the name of a game from the list; Enter takes the first. An encounter's name goes to it at once. quit leaves.
Your own encounter: give its file when you start, after `play`, or put it into a folder `encounters` here.";

const ENCOUNTER: &str = "\
Type the number or the name of an encounter from the list, or how its name begins; Enter takes the first. ? 3 tells more of the third. back goes to the games, quit leaves.
Your own encounter: give its file when you start, after `play`, or put it into a folder `encounters` here.";

/// Asks which of the encounters to play; of which system first, where there are
/// several.
pub(super) fn which(wanted: Option<System>, input: &mut Input, screen: &mut Screen) -> Result<Offered, Stop> {
    let (offered, faulty) = open::offered(wanted)?;
    for told in faulty {
        screen.tell(FAINT, &told)?;
    }
    let mut systems: Vec<System> = Vec::new();
    for one in &offered {
        if !systems.iter().any(|system| system.id == one.system.id) {
            systems.push(one.system);
        }
    }
    let one_only = systems.len() < 2;
    loop {
        let among = if one_only {
            offered.iter().collect()
        } else {
            let chosen = system(&systems, &offered, input, screen)?;
            if let [one] = chosen[..] {
                return Ok(one.clone());
            }
            chosen
        };
        if let Some(one) = encounter(&among, one_only, input, screen)? {
            return Ok(one.clone());
        }
    }
}

/// Asks for a system: its encounters, or the one that was named.
fn system<'o>(
    systems: &[System],
    offered: &'o [Offered],
    input: &mut Input,
    screen: &mut Screen,
) -> Result<Vec<&'o Offered>, Stop> {
    let of = |system: &System| -> Vec<&Offered> {
        offered.iter().filter(|one| one.system.id == system.id).collect()
    };
    for (i, system) in systems.iter().enumerate() {
        let text = Text::of(STRONG, (system.rulebook)().title).and(FAINT, format!(" ({})", system.id));
        screen.hang(&Text::of(KEY, format!("{:>2}  ", i + 1)), 4, &text)?;
        let about = fracas_systems::introduction(system).about;
        screen.hang(&Text::plain("    "), 4, &Text::plain(about))?;
        let titles: Vec<&str> = of(system).iter().map(|one| one.title.as_str()).collect();
        let text =
            Text::plain(some(titles.len(), "encounter")).and(FAINT, format!(": {}", titles.join(", ")));
        screen.hang(&Text::plain("    "), 4, &text)?;
    }
    let games: Vec<[&str; 2]> = systems.iter().map(|system| [system.id, (system.rulebook)().title]).collect();
    let encounters: Vec<[&str; 2]> = offered.iter().map(Offered::names).collect();
    loop {
        let line = asked("which game (Enter: 1)> ", SYSTEM, input, screen)?;
        match find(&line, &games) {
            Ok(at) => return Ok(of(&systems[at])),
            Err(what) => match find(&line, &encounters) {
                Ok(at) if line.parse::<usize>().is_err() => return Ok(vec![&offered[at]]),
                _ => screen.tell(PLAIN, &what)?,
            },
        }
    }
}

/// Asks for an encounter; `None` where somebody goes back to the systems.
fn encounter<'o>(
    among: &[&'o Offered],
    one_only: bool,
    input: &mut Input,
    screen: &mut Screen,
) -> Result<Option<&'o Offered>, Stop> {
    for (i, one) in among.iter().enumerate() {
        let text = Text::of(STRONG, &one.title).and(PLAIN, one.about());
        screen.brief(&Text::of(KEY, format!("{:>2}  ", i + 1)), 4, &text)?;
    }
    let names: Vec<[&str; 2]> = among.iter().map(|one| one.names()).collect();
    loop {
        let line = asked("which (Enter: 1)> ", ENCOUNTER, input, screen)?;
        if line.eq_ignore_ascii_case("back") && !one_only {
            return Ok(None);
        }
        let more = line.strip_prefix('?').map(str::trim);
        match find(more.unwrap_or(&line), &names) {
            Ok(at) if more.is_some() => {
                let one = among[at];
                screen.say(&Text::of(STRONG, &one.title).and(PLAIN, one.about()))?;
            }
            Ok(at) => return Ok(Some(among[at])),
            Err(what) => screen.tell(PLAIN, &what)?,
        }
    }
}

/// A line that is neither help nor the way out.
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

/// The place that a line means: a number, a name, the beginning of one, or words
/// of one. Nothing typed means the first.
fn find(line: &str, all: &[[&str; 2]]) -> Result<usize, String> {
    if line.is_empty() {
        return Ok(0);
    }
    if let Ok(number) = line.parse::<usize>() {
        return number
            .checked_sub(1)
            .filter(|at| *at < all.len())
            .ok_or_else(|| format!("There is no {line} here: 1 to {}.", all.len()));
    }
    match among(line, all)[..] {
        [] => Err(format!("There is no {line} here: 1 to {}, or a name.", all.len())),
        [one] => Ok(one),
        ref several => {
            let titles: Vec<&str> = several.iter().map(|&at| all[at][1]).collect();
            Err(format!("Which of them: {}?", titles.join(", ")))
        }
    }
}

/// The places of what is called so, else of what begins so, else of what has these words.
pub(super) fn among(typed: &str, all: &[[&str; 2]]) -> Vec<usize> {
    let typed = typed.to_lowercase();
    let words: Vec<&str> = typed.split_whitespace().collect();
    let exact = |name: &str| name == typed;
    let begins = |name: &str| name.starts_with(&typed);
    let holds = |name: &str| words.iter().all(|word| parts(name).any(|part| part.starts_with(word)));
    let by: [&dyn Fn(&str) -> bool; 3] = [&exact, &begins, &holds];
    by.into_iter()
        .map(|fits| {
            (0..all.len()).filter(|&at| all[at].iter().any(|name| fits(&name.to_lowercase()))).collect()
        })
        .find(|found: &Vec<usize>| !found.is_empty())
        .unwrap_or_default()
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
            assert_eq!(find(line, &all), Ok(at), "{line}");
        }
        assert_eq!(find("the", &all).unwrap_err(), "Which of them: The Salt Gate, The Drowned Court?");
        for line in ["0", "4", "moor"] {
            assert!(find(line, &all).unwrap_err().starts_with("There is no"), "{line}");
        }
    }

    #[test]
    fn the_first_prompt_helps() {
        let (mut screen, said) = Screen::kept();
        let mut input = Input::Piped(Box::new(Cursor::new("help\n99\n2\n2\n")));
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
    fn of_one_system_nobody_is_asked_which() {
        let system = fracas_systems::all()[0];
        let (mut screen, said) = Screen::kept();
        let mut input = Input::Piped(Box::new(Cursor::new("? 2\n\n")));
        let chosen = which(Some(system), &mut input, &mut screen).expect("chosen");
        let (offered, _) = open::offered(Some(system)).expect("encounters");
        assert_eq!(chosen.title, offered[0].title);
        assert_eq!(said.text().matches(&offered[1].title).count(), 2, "{}", said.text());
        assert!(!said.text().contains("which game"), "{}", said.text());
    }
}
