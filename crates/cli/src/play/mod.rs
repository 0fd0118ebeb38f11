//! `fracas play`: everybody at this terminal, or against the machine.

mod cards;
mod help;
mod lines;
mod menu;
mod open;
mod order;
mod seats;
mod sitting;

pub(crate) use lines::{Transcript, show};
pub(crate) use open::system_of;
pub(crate) use seats::Seats;

use crate::{
    args::PlayArgs,
    input::{Input, Typed},
    screen::{FAINT, KEY, PLAIN, STRONG, Screen, Text},
    stop::{Ended, Stop},
};
use sitting::{Sitting, Start};

/// Answers after which a session of bots alone ends by itself.
const BOTS_ALONE: u64 = 1000;

/// Plays.
pub(crate) fn run(args: &PlayArgs, screen: &mut Screen) -> Ended {
    if args.list {
        return open::list(screen);
    }
    let mut input = Input::stdin();
    let chosen = match &args.encounter {
        None if args.resume.is_none() && input.is_terminal() => which(args, &mut input, screen)?,
        _ => None,
    };
    let ready = open::ready(args, chosen.as_deref())?;
    let mut seats = ready.seats.clone();
    seats.bots(&args.bots)?;
    if args.bots.is_empty() && input.is_terminal() {
        choose(&mut seats, &mut input, screen)?;
    }
    let opened = ready.open(args)?;
    let alone = seats.hands().next().is_none();
    let start = Start {
        table: opened.table,
        log: opened.log,
        dice: args.dice,
        handover: args.handover,
        strict: args.strict,
        most: args.max_answers.or(alone.then_some(BOTS_ALONE)),
        story: args.story.clone(),
        seed: opened.seed,
        seats,
    };
    leave_cleanly(sitting::resume(&start));
    Sitting::new(start, input, screen).run()
}

/// Asks which of the bundled encounters to play.
fn which(args: &PlayArgs, input: &mut Input, screen: &mut Screen) -> Result<Option<String>, Stop> {
    let bundled = open::bundled(args.system.as_deref().map(crate::rulebook::system).transpose()?)?;
    for (i, encounter) in bundled.iter().enumerate() {
        let text = Text::of(STRONG, &encounter.title).and(PLAIN, open::about(encounter));
        screen.hang(&Text::of(KEY, format!("{:>2}  ", i + 1)), 4, &text)?;
    }
    loop {
        let line = match input.line("which (Enter: 1)> ", screen)? {
            Typed::Line(line) => line,
            Typed::Unreadable(_) => continue,
            Typed::End | Typed::Interrupt => return Err(Stop::Left),
        };
        let number = if line.is_empty() { Ok(1) } else { line.parse::<usize>() };
        let found = match number {
            Ok(n) => n.checked_sub(1).and_then(|n| bundled.get(n)),
            Err(_) => bundled.iter().find(|encounter| encounter.id == line),
        };
        match found {
            Some(encounter) => return Ok(Some(encounter.id.clone())),
            None => screen.tell(PLAIN, &format!("There is no {line} here."))?,
        }
    }
}

/// Asks whom the machine should play.
fn choose(seats: &mut Seats, input: &mut Input, screen: &mut Screen) -> Ended {
    for chair in seats.iter() {
        screen.hang(&Text::of(KEY, format!("  {:<12}", chair.handle())), 14, &Text::plain(chair.called()))?;
    }
    screen.say(
        &Text::of(STRONG, "Who is played by the machine?")
            .and(PLAIN, " Enter: nobody, everybody is here. Or name seats, such as ")
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
        let given: Vec<String> = line
            .split([' ', ','])
            .filter(|word| !word.is_empty())
            .map(|word| if word.contains('=') { word.to_owned() } else { format!("{word}=greedy") })
            .collect();
        let mut tried = seats.clone();
        match tried.bots(&given) {
            Ok(()) => {
                *seats = tried;
                return Ok(());
            }
            Err(stop) => screen.tell(PLAIN, &stop.to_string())?,
        }
    }
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
        let cast = &table.header().cast;
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
