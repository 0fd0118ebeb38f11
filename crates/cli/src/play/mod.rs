//! `fracas play`: everybody at this terminal, or against the machine.

mod cards;
mod choose;
mod fiats;
mod help;
mod lines;
mod open;
pub(crate) use open::data_folder;
mod order;
mod remember;
mod seats;
mod sitting;
mod standing;

pub(crate) use lines::{Transcript, show};
pub(crate) use open::{encounter, system_of};
pub(crate) use seats::Seats;

use crate::{
    args::{Dice, PlayArgs},
    input::{Input, Typed},
    screen::{FAINT, KEY, PLAIN, STRONG, Screen, Text},
    stop::{Ended, Stop},
};
use fracas_kernel::Now;
use sitting::{Sitting, Start};

/// Answers after which a session of bots alone ends by itself.
const BOTS_ALONE: u64 = 1000;

/// Plays.
pub(crate) fn run(args: &PlayArgs, screen: &mut Screen) -> Ended {
    let wanted = args.system.as_deref().map(crate::rulebook::system).transpose()?;
    if args.list {
        return open::list(wanted, screen);
    }
    let mut input = Input::stdin();
    let chosen = match &args.encounter {
        None if args.resume.is_none() && input.is_terminal() => {
            Some(choose::which(wanted, &mut input, screen)?)
        }
        _ => None,
    };
    let ready = open::ready(args, chosen.as_ref())?;
    let mut seats = ready.seats.clone();
    let over = ready.table().is_some_and(|table| matches!(table.game().now(), Now::Over));
    let asked = args.bots.is_empty() && input.is_terminal() && !over;
    let before = |given: &[String]| args.resume.as_deref().filter(|_| given.is_empty());
    if let Some(log) = before(&args.bots) {
        remember::seat(log, &mut seats, remember::Who::Machine);
    }
    seats.bots(&args.bots)?;
    if let Some(log) = before(&args.absent) {
        remember::seat(log, &mut seats, remember::Who::Absent);
    }
    seats.absentees(&args.absent)?;
    if asked {
        if let Some(table) = ready.table() {
            sitting::recap(table, screen, true)?;
        }
        machines(&mut seats, &mut input, screen)?;
    }
    let opened = ready.open(args)?;
    let dice = match (args.dice, &args.resume) {
        (Some(dice), _) => dice,
        (None, Some(log)) => remember::dice(log),
        (None, None) => Dice::default(),
    };
    remember::keep(&opened.log, &seats, dice);
    let alone = seats.hands().next().is_none();
    let start = Start {
        table: opened.table,
        log: opened.log,
        dice,
        handover: args.handover,
        strict: args.strict,
        most: args.max_answers.or(alone.then_some(BOTS_ALONE)),
        story: args.story.clone(),
        seed: opened.seed,
        resumed: args.resume.is_some(),
        recapped: asked && args.resume.is_some(),
        seats,
    };
    leave_cleanly(sitting::resume(&start));
    Sitting::new(start, input, screen).run()
}

/// What a line may be before anybody plays.
enum Early {
    /// Help was asked for, and given.
    Helped,
    /// Somebody leaves.
    Leave,
}

/// Help at the first prompts, and the way out.
fn early(line: &str, screen: &mut Screen, help: &str) -> Result<Option<Early>, Stop> {
    match line.to_lowercase().as_str() {
        "help" | "?" => {
            screen.tell(PLAIN, help)?;
            Ok(Some(Early::Helped))
        }
        "quit" | "exit" | "q" => Ok(Some(Early::Leave)),
        _ => Ok(None),
    }
}

const MACHINE: &str = "\
Name whom the machine plays, as listed above: gm, or ana and bo, or all; or none.
It plays greedily (well) unless you write =random behind a name: gm=random.
Enter takes what is offered; quit leaves.
Whoever you do not name is played at this keyboard.
Once you play, help says what can be typed.";

/// Asks whom the machine should play.
fn machines(seats: &mut Seats, input: &mut Input, screen: &mut Screen) -> Ended {
    for chair in seats.iter() {
        screen.hang(&Text::of(KEY, format!("  {:<12}", chair.handle())), 14, &Text::plain(chair.called()))?;
    }
    let before: Vec<String> = seats
        .played()
        .into_iter()
        .map(|(seat, kind)| format!("{}={}", handle(seats, seat), seats::word(kind)))
        .collect();
    let enter = if before.is_empty() {
        " Enter: nobody, everybody is here. Or name seats, such as ".to_owned()
    } else {
        format!(" Enter: as before ({}). Or none, or name seats, such as ", before.join(", "))
    };
    screen.say(
        &Text::of(STRONG, "Who is played by the machine?")
            .and(PLAIN, enter)
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
            None if line.is_empty() => return Ok(()),
            None => {}
        }
        // What is named now holds instead of what was before.
        let mut tried = seats.clone();
        match tried.machine("none").and_then(|()| tried.machines(&line)) {
            Ok(()) => {
                *seats = tried;
                return Ok(());
            }
            Err(what) => screen.tell(PLAIN, &format!("{}; help says more.", seats::capital(&what)))?,
        }
    }
}

fn handle(seats: &Seats, seat: fracas_kernel::Seat) -> String {
    seats.chair(seat).map_or_else(|| seat.to_string(), seats::Chair::handle)
}

/// On Ctrl-C, says how to go on. Every answer is on disk already.
fn leave_cleanly(command: String) {
    let asked = ctrlc::set_handler(move || {
        use std::io::Write;
        // The screen may be in the middle of a line.
        let mut out = anstream::stdout().lock();
        let _ = writeln!(out, "\nEverything is kept. Go on with:\n  {command}");
        std::process::exit(0);
    });
    // Without a handler Ctrl-C simply ends the program; nothing is lost.
    drop(asked);
}

impl Seats {
    /// Everybody at a table.
    pub(crate) fn of(table: &fracas_table::Log) -> Self {
        let cast = table.cast();
        let seats = cast
            .iter()
            .map(|cast| fracas_kernel::SeatInfo {
                seat: cast.seat,
                name: cast.name.clone(),
                holds: cast.plays.clone(),
            })
            .collect();
        Seats::new(seats, &str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::{Seat, SeatInfo};
    use std::io::Cursor;

    /// What is said and who is seated where somebody types this.
    fn chosen(before: &str, typed: &'static str) -> (String, String) {
        let info = |seat, name: &str| SeatInfo { seat, name: name.into(), holds: Vec::new() };
        let mut seats =
            Seats::new(vec![info(Seat::Gm, "gamemaster"), info(Seat::Player(0), "Ana")], &str::to_owned);
        seats.machines(before).expect("seated");
        let (mut screen, said) = Screen::kept();
        machines(&mut seats, &mut Input::Piped(Box::new(Cursor::new(typed))), &mut screen).expect("chosen");
        (said.text(), seats.as_arguments())
    }

    #[test]
    fn enter_seats_the_machine_as_before() {
        let (said, seats) = chosen("gm=random", "\n");
        assert!(said.contains("as before (gm=random)"), "{said}");
        assert_eq!(seats, " --bot gm=random");
        assert_eq!(chosen("gm=random", "none\n").1, "");
        assert_eq!(chosen("gm=random", "ana\n").1, " --bot player-1=greedy");
        assert_eq!(chosen("", "\n").1, "");
    }

    #[test]
    fn the_machine_prompt_helps_and_reads_plain_words() {
        let (said, seats) = chosen("", "help\nzed\nthe gm, and Ana\n");
        assert!(said.contains("Name whom the machine plays"), "{said}");
        assert!(said.contains("Nobody here is called") && !said.contains("--bot"), "{said}");
        assert_eq!(seats, " --bot all=greedy");
    }
}
