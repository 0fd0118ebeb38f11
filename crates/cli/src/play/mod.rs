//! `fracas play`: a table at this terminal, for people and bots.

mod cards;
mod choose;
mod early;
mod fiats;
mod help;
mod map;
mod open;
mod order;
mod remember;
mod sitting;
mod stage;

use crate::input::{Input, Typed};
use crate::screen::{FAINT, KEY, PLAIN, STRONG, Screen, Text};
use crate::seats::{self, Seats};
use crate::stop::{Ended, Stop};
use crate::{args::PlayArgs, find};
use choose::Company;
use early::{Early, early};
use sitting::{Sitting, Start};
use std::path::PathBuf;

/// The most answers of a session in which only bots play.
const BOTS_ALONE: u64 = 1000;

/// Opens a table, seats its players and plays.
pub(crate) fn run(args: &PlayArgs, screen: &mut Screen) -> Ended {
    let wanted = args.system.as_deref().map(find::system).transpose()?;
    if args.list {
        return open::list(wanted, screen);
    }
    let mut input = Input::stdin();
    let resume = match &args.resume {
        Some(Some(path)) => Some(path.clone()),
        Some(None) => Some(find::latest_session()?),
        None => None,
    };
    let resume = resume.as_deref();
    let chosen = match &args.encounter {
        None if resume.is_none() && input.is_terminal() => Some(choose::which(wanted, &mut input, screen)?),
        _ => None,
    };
    let ready = open::ready(args, resume, chosen.as_ref().map(|chosen| &chosen.encounter))?;
    let mut seats = ready.seats.clone();
    let kept = resume.map(remember::kept).unwrap_or_default();
    if args.bots.is_empty() {
        kept.seat(&mut seats, remember::Who::Machine);
    }
    seats.bots(&args.bots)?;
    if args.absent.is_empty() {
        kept.seat(&mut seats, remember::Who::Absent);
    }
    seats.absentees(&args.absent)?;
    // A resumed session keeps its seats, without a question.
    let asked = resume.is_none() && input.is_terminal();
    if asked && args.bots.is_empty() {
        match chosen.map(|chosen| chosen.company) {
            Some(Company::Alone) => seats.alone(),
            Some(Company::Together) => machines(&mut seats, Company::Together, &mut input, screen)?,
            None => machines(&mut seats, Company::Alone, &mut input, screen)?,
        }
    }
    let handover = match args.handover.or(kept.handover()) {
        Some(handover) => handover,
        None => asked && is_shared(&seats) && hand_over(&mut input, screen)?,
    };
    let dice = args.dice.unwrap_or_else(|| kept.dice());
    let opened = ready.open(args)?;
    let quiet = kept.quiet();
    remember::keep(&opened.log, &seats, dice, handover, &quiet);
    let alone = seats.hands().next().is_none();
    let start = Start {
        table: opened.table,
        log: opened.log,
        dice,
        handover,
        strict: args.strict,
        most: args.max_answers.or(alone.then_some(BOTS_ALONE)),
        story: args.story.clone(),
        seed: opened.seed,
        resumed: resume.is_some(),
        quiet,
        seats,
    };
    leave_cleanly(start.log.clone(), sitting::resume(&start));
    Sitting::new(start, input, screen).run()
}

/// Whether a gamemaster and players share the screen.
fn is_shared(seats: &Seats) -> bool {
    seats.by_hand(fracas_kernel::Seat::Gm) && seats.hands().count() > 1
}

const HANDOVER: &str = "\
yes: the screen is cleared whenever another seat goes on, and each sees what is theirs alone.
no: everybody reads along, and sees what the players may know and what the gamemaster is asked; @gm look shows the rest.
Enter takes yes; quit leaves.";

/// Asks whether the screen is cleared between seats.
fn hand_over(input: &mut Input, screen: &mut Screen) -> Result<bool, Stop> {
    screen.say(
        &Text::of(STRONG, "Do you take turns before the screen?")
            .and(PLAIN, " Enter: yes, it is cleared between seats. Or ")
            .and(KEY, "no")
            .and(PLAIN, ": everybody reads along, also what the gamemaster is asked."),
    )?;
    loop {
        let line = match input.line("yes or no> ", screen)? {
            Typed::Line(line) => line,
            Typed::Unreadable(_) => continue,
            Typed::End | Typed::Interrupt => return Err(Stop::Left),
        };
        match early(&line, screen, HANDOVER)? {
            Some(Early::Leave) => return Err(Stop::Left),
            Some(Early::Helped) => continue,
            None => {}
        }
        match line.to_lowercase().as_str() {
            "" | "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => screen.tell(PLAIN, "yes or no; help says more.")?,
        }
    }
}

const MACHINE: &str = "\
Name whom the machine plays, as listed above: gm, or ana and bo, or all; or none.
It plays greedily (well) unless you write =random behind a name: gm=random.
Enter takes what is offered; quit leaves.
All others are played at this keyboard.
Once you play, help says what can be typed.";

/// Asks which seats the machine plays. An empty line takes `usual`.
fn machines(seats: &mut Seats, usual: Company, input: &mut Input, screen: &mut Screen) -> Ended {
    for chair in seats.iter() {
        screen.hang(&Text::of(KEY, format!("  {:<12}", chair.handle())), 14, &Text::plain(chair.called()))?;
    }
    let enter = match (usual, seats.first()) {
        (Company::Alone, Some(first)) => Text::of(STRONG, "Who is played by the machine?")
            .and(PLAIN, format!(" Enter: all but {}, whom you play alone. Or ", first.called()))
            .and(KEY, "none")
            .and(PLAIN, ": everybody is here. Or name seats, such as "),
        _ => Text::of(STRONG, "Who is played by the machine?")
            .and(PLAIN, " Enter: nobody, everybody is here. Or name seats, such as "),
    };
    screen.say(
        &enter
            .and(KEY, "gm")
            .and(PLAIN, " or ")
            .and(KEY, "gm=random ana")
            .and(FAINT, " (greedy plays well, random does not)"),
    )?;
    loop {
        let line = match input.line("machine> ", screen)? {
            Typed::Line(line) => line,
            Typed::Unreadable(_) => continue,
            Typed::End | Typed::Interrupt => return Err(Stop::Left),
        };
        match early(&line, screen, MACHINE)? {
            Some(Early::Leave) => return Err(Stop::Left),
            Some(Early::Helped) => continue,
            None if line.is_empty() => {
                if usual == Company::Alone {
                    seats.alone();
                }
                return Ok(());
            }
            None => {}
        }
        match seats.machines(&line) {
            Ok(()) if seats.played().is_empty() => {
                screen.tell(FAINT, "Nobody is played by the machine: everybody is here.")?;
                return Ok(());
            }
            Ok(()) => return Ok(()),
            Err(what) => screen.tell(PLAIN, &format!("{}; help says more.", seats::capital(&what)))?,
        }
    }
}

/// On Ctrl-C, prints how to resume. Every answer is on disk already.
fn leave_cleanly(log: PathBuf, command: String) {
    let asked = ctrlc::set_handler(move || {
        use std::io::Write;
        let latest = find::latest_session().is_ok_and(|path| path == log);
        let command = if latest { sitting::resume_latest() } else { command.clone() };
        // The output may be in the middle of a line.
        let mut out = anstream::stdout().lock();
        let _ = writeln!(out, "\nEverything is kept. Go on with:\n  {command}");
        std::process::exit(0);
    });
    // Without a handler Ctrl-C ends the program; nothing is lost.
    drop(asked);
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::{Seat, SeatInfo};
    use std::io::Cursor;

    fn seats() -> Seats {
        let info = |seat, name: &str| SeatInfo { seat, name: name.into(), holds: Vec::new() };
        Seats::new(vec![info(Seat::Gm, "gamemaster"), info(Seat::Player(0), "Ana")], &str::to_owned)
    }

    fn typing(typed: &'static str) -> Input {
        Input::Piped(Box::new(Cursor::new(typed)))
    }

    /// The output, and the seats as arguments, after this input.
    fn chosen(usual: Company, typed: &'static str) -> (String, String) {
        let mut seats = seats();
        let (mut screen, said) = Screen::kept();
        machines(&mut seats, usual, &mut typing(typed), &mut screen).expect("chosen");
        (said.text(), seats.as_arguments())
    }

    #[test]
    fn handing_over_is_offered_where_a_gamemaster_and_players_share_a_screen() {
        let mut seats = seats();
        assert!(is_shared(&seats));
        for (typed, handover) in [("\n", true), ("help\nno\n", false), ("what\nYES\n", true)] {
            let (mut screen, said) = Screen::kept();
            assert_eq!(hand_over(&mut typing(typed), &mut screen).expect("said"), handover);
            assert!(said.text().contains("also what the gamemaster is asked"), "{}", said.text());
        }
        seats.machines("gm").expect("seated");
        assert!(!is_shared(&seats));
    }

    #[test]
    fn the_machine_prompt_helps_and_reads_plain_words() {
        let (said, seats) = chosen(Company::Together, "help\nzed\nthe gm, and Ana\n");
        assert!(said.contains("Name whom the machine plays"), "{said}");
        assert!(said.contains("Nobody here is called") && !said.contains("--bot"), "{said}");
        assert_eq!(seats, " --bot all=greedy");
        assert_eq!(chosen(Company::Together, "\n").1, "");
        assert_eq!(chosen(Company::Together, "gm=random\n").1, " --bot gm=random");
    }

    #[test]
    fn an_empty_line_plays_the_first_character_alone() {
        let (said, seats) = chosen(Company::Alone, "\n");
        assert!(said.contains("all but Ana, whom you play alone"), "{said}");
        assert_eq!(seats, " --bot gm=greedy");
        assert_eq!(chosen(Company::Alone, "none\n").1, "");
    }
}
