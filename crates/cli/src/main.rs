//! The program `fracas`.
//!
//! Each verb has its own module, and no verb uses another: shared look-ups are in `find`.
//! A verb resolves its arguments once, calls other crates to do the work, and writes to one
//! [`screen::Screen`]. No module here knows a rule of any game: all text comes from the table.
//!
//! Exit codes: 0 done, 1 a check failed, 2 bad input, 3 not verified (`verify`).

#![forbid(unsafe_code)]

mod args;
mod carry;
mod check;
mod failure;
mod files;
mod find;
mod input;
mod library;
mod lines;
mod map;
mod new;
mod odds;
mod play;
mod policy;
mod program;
mod replay;
mod report;
mod rulebook;
mod screen;
mod seats;
mod serve;
mod sessions;
mod simulate;
mod standing;
mod stop;
mod turns;
mod verify;

use args::{Bare, Cli, Verb};
use clap::Parser;
use screen::{ALARM, Screen, clean};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use stop::Stop;

fn main() -> ExitCode {
    // Clap prints usage errors and exits with 2; help and version exit with 0.
    let cli = Cli::parse();
    let mut screen = Screen::stdout();
    let ended = match cli.verb.unwrap_or_default() {
        Verb::Serve(args) => serve::run(&args, &mut screen),
        Verb::Backup(args) => serve::back_up(&args, &mut screen),
        Verb::Play(args) => play::run(&args, &mut screen),
        Verb::Sessions(args) => sessions::run(&args, &mut screen),
        Verb::New(args) => new::run(&args, &mut screen),
        Verb::Library(args) => library::run(&args, &mut screen),
        Verb::Schema(args) => new::schema(&args, &mut screen),
        Verb::Check(args) => check::run(&args, &mut screen),
        Verb::Rulebook(args) => rulebook::run(&args, &mut screen),
        Verb::Carry(args) => carry::run(&args, &mut screen),
        Verb::Replay(args) => replay::run(&args, &mut screen),
        Verb::Verify(args) => verify::run(&args, &mut screen),
        Verb::Story(args) => replay::story(&args, &mut screen),
        Verb::Odds(args) => odds::run(&args, &mut screen),
        Verb::Simulate(args) => simulate::run(&args, &mut screen),
        Verb::Merge(args) => simulate::merge(&args, &mut screen),
        Verb::Report(args) => report::run(&args, &mut screen),
        Verb::Turns(args) => turns::run(&args, &mut screen),
    };
    match ended.and_then(|()| Ok(screen.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader closed the pipe: `fracas … | head`.
        Err(Stop::Output(e)) if e.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Stop::Left) => ExitCode::SUCCESS,
        Err(Stop::Failed) => ExitCode::from(1),
        Err(Stop::Unreadable) => ExitCode::from(2),
        Err(Stop::NotVerified) => ExitCode::from(3),
        Err(stop) => {
            let code = if matches!(stop, Stop::Interrupted(_)) { 130 } else { 2 };
            // If standard error is closed too, the error cannot be reported.
            let mut err = anstream::stderr().lock();
            for (i, line) in stop.to_string().lines().enumerate() {
                let head = if i == 0 { format!("{ALARM}error:{ALARM:#} ") } else { "  ".to_owned() };
                let _ = writeln!(err, "{head}{}", clean(line));
            }
            ExitCode::from(code)
        }
    }
}

impl Default for Verb {
    fn default() -> Self {
        Verb::Serve(Bare::parse_from(["fracas"]).serve)
    }
}
