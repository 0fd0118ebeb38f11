//! `fracas odds`: the exact chances of everything that can be answered at a moment, or the answer to a question.

mod chances;
mod question;

use crate::args::{OddsArgs, OddsFormat};
use crate::lines::Transcript;
use crate::screen::{FAINT, STRONG, Screen, Text, csv};
use crate::stop::{Ended, Stop};
use crate::{find, seats::Seats};
use chances::{Chances, Row};
use fracas_hindsight::{Going, Outlook, after, worth};
use fracas_kernel::{AnyTable, AskInfo, Listed, Now, Viewer};
use fracas_table::{Log, MemoryStore, OpenError, Opening, Replay, Table};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// Conflicts that go on after each answer.
const TRIES: u64 = 200;

/// A moment, with the chances of what can be done.
#[derive(Serialize)]
struct Moment {
    system: String,
    title: String,
    r#as: String,
    /// The line after which it is, as this viewer counts; absent at the end of a log and for an encounter.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<u64>,
    asks: Vec<Asked>,
    /// The dice that are due.
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<Due>,
}

#[derive(Serialize)]
struct Asked {
    kind: &'static str,
    text: String,
    answers: Vec<Answer>,
}

#[derive(Serialize)]
struct Answer {
    text: String,
    /// How often the players win after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    wins: Option<Wins>,
    answer: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    chances: Option<Chances>,
}

impl Answer {
    fn chance_to_win(&self) -> f64 {
        self.wins.as_ref().map_or(0.0, |wins| wins.chance)
    }
}

/// A share with its 95 % interval, from 0 to 1, sampled.
#[derive(Serialize)]
struct Wins {
    conflicts: u32,
    chance: f64,
    low: f64,
    high: f64,
}

impl Wins {
    fn of(outlook: Outlook) -> Wins {
        let (low, high) = outlook.interval();
        Wins { conflicts: outlook.conflicts, chance: outlook.chance(), low, high }
    }

    fn line(&self) -> String {
        let percent = |share: f64| format!("{:.0}", share * 100.0);
        format!(
            "the players win then {} % ({} to {} %)",
            percent(self.chance),
            percent(self.low),
            percent(self.high)
        )
    }
}

#[derive(Serialize)]
struct Due {
    dice: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    chances: Option<Chances>,
}

/// Prints the chances at a moment of a log, or at the beginning of an encounter.
pub(crate) fn run(args: &OddsArgs, screen: &mut Screen) -> Ended {
    if let Some(system) = fracas_systems::find(&args.of) {
        return question::run(system, args, screen);
    }
    if let Some(first) = args.question.first() {
        let systems: Vec<&str> = fracas_systems::all().iter().map(|system| system.id).collect();
        return Err(Stop::bad(format!(
            "{first}: a question follows a system, and {:?} is none: there are {}",
            args.of,
            systems.join(", ")
        )));
    }
    if args.deep && args.who != "gm" {
        return Err(Stop::bad(
            "--deep is for --as gm: conflicts are played on with everything that is hidden",
        ));
    }
    if args.plot.is_some() {
        return Err(Stop::bad("--plot is for the answer to a question"));
    }
    let moment = read(args)?;
    match args.format {
        OddsFormat::Text => text(&moment, screen),
        OddsFormat::Json => Ok(screen.json(&moment)?),
        OddsFormat::Csv => Ok(screen.raw(&rows(&moment))?),
    }
}

/// The moment that was named.
fn read(args: &OddsArgs) -> Result<Moment, Stop> {
    let path = Path::new(&args.of);
    let viewer = |log: &Log| {
        let who = Seats::of(log).viewer(&args.who);
        who.map_err(|what| Stop::bad(format!("--as: {what}, spectator")))
    };
    if path.extension().is_none_or(|end| end != "fracas") {
        if args.at.is_some() {
            return Err(Stop::bad("--at is for a log: an encounter is at its beginning"));
        }
        let (system, setup, _) = find::encounter(Some(&args.of), args.system.as_deref(), None)?;
        let title = setup.encounter.to_json()["title"].as_str().unwrap_or_default().to_owned();
        let opening = Opening { title, label: String::new(), seed: None };
        let table = Table::create(&system, &setup, opening, Box::new(MemoryStore::new()));
        let table = table.map_err(|error| Stop::bad(error.to_string()))?;
        return Ok(moment(table.game(), table.log(), viewer(table.log())?, args.deep));
    }
    let (log, _) = find::log(path)?;
    let who = viewer(&log)?;
    let last = match args.at {
        None => u64::MAX,
        Some(0) => 0,
        Some(number) => {
            let mut transcript = Transcript::new(vec![who]);
            transcript.read(&log, &Seats::of(&log));
            let lines = transcript.last(usize::MAX);
            let line = lines.iter().find(|line| line.number == number);
            let most = lines.last().map_or(0, |line| line.number);
            line.ok_or_else(|| {
                Stop::bad(format!("--at {number}: there is no such line; the last is {most}"))
            })?
            .seq
        }
    };
    let failed = |error: OpenError| Stop::bad(error.to_string());
    let mut replay = Replay::new(&log, fracas_systems::all()).map_err(failed)?;
    let mut at = 0;
    while at < last {
        let Some(record) = replay.step().map_err(failed)? else { break };
        at = record.seq;
    }
    Ok(Moment { after: args.at, ..moment(replay.game(), &log, who, args.deep) })
}

fn moment(game: &dyn AnyTable, log: &Log, who: Viewer, deep: bool) -> Moment {
    let begun = || {
        let system = fracas_systems::find(&log.header().system)?;
        Some(worth((system.start)(&log.header().setup()).ok()?.as_ref()))
    };
    let begun = deep.then(begun).flatten();
    let mut moment = Moment {
        system: log.header().system.clone(),
        title: log.header().title.clone(),
        r#as: who.to_string(),
        after: None,
        asks: Vec::new(),
        roll: None,
    };
    match game.now_to(who) {
        Now::Over => {}
        Now::Roll(roll) => {
            let chances = game.roll_odds(who).as_ref().map(Chances::of);
            moment.roll = Some(Due { dice: roll.dice.to_string(), chances });
        }
        Now::Asks(asks) => {
            let is_told =
                |ask: &AskInfo| who.is_gm() || ask.who.seats().iter().any(|seat| Viewer::Seat(seat) == who);
            for ask in asks.into_iter().filter(is_told) {
                let wins = |answer: &str| {
                    let seat = ask.who.seats().iter().next()?;
                    after(game, (ask.id, seat, answer), begun?, &Going::brisk(TRIES)).map(Wins::of)
                };
                let answer = |listed: Listed| Answer {
                    wins: wins(&listed.answer),
                    chances: game.odds(ask.id, &listed.answer, who).as_ref().map(Chances::of),
                    text: listed.told.text,
                    answer: serde_json::from_str(&listed.answer).unwrap_or_default(),
                };
                moment.asks.push(Asked {
                    kind: ask.kind,
                    text: game.ask_told(ask.id, who).map(|told| told.text).unwrap_or_default(),
                    answers: game.legal(ask.id, who).into_iter().map(answer).collect(),
                });
            }
        }
    }
    moment
}

fn text(moment: &Moment, screen: &mut Screen) -> Ended {
    screen.say(&Text::of(STRONG, &moment.title))?;
    if let Some(line) = moment.after {
        screen.tell(FAINT, &format!("After line {line}, as {} counts.", moment.r#as))?;
    }
    if let Some(roll) = &moment.roll {
        let line = roll.chances.as_ref().map_or("nothing can be told of them", |chances| &chances.line);
        screen.say(&Text::plain(format!("{} are due: {line}", roll.dice)))?;
    } else if moment.asks.is_empty() {
        screen.tell(FAINT, "Nothing is asked of this viewer.")?;
    }
    for ask in &moment.asks {
        screen.blank()?;
        screen.say(&Text::of(STRONG, &ask.text))?;
        let mut answers: Vec<&Answer> = ask.answers.iter().collect();
        // The best for the players first; of those that look alike the order stays.
        answers.sort_by(|one, other| other.chance_to_win().total_cmp(&one.chance_to_win()));
        for answer in answers {
            let wins = answer.wins.iter().map(Wins::line);
            let parts: Vec<String> =
                wins.chain(answer.chances.iter().map(|chances| chances.line.clone())).collect();
            let words = if parts.is_empty() { String::new() } else { format!(": {}", parts.join("; ")) };
            screen.hang(&Text::plain("  "), 4, &Text::plain(&answer.text).and(FAINT, words))?;
        }
    }
    Ok(())
}

/// A line for each result of each answer. Further results that a throw may bring are left out. An answer without a
/// roll has a line where the players' wins after it are known.
fn rows(moment: &Moment) -> String {
    let mut out = "ask,answer,result,throws,all,chance,wins,low,high\n".to_owned();
    let mut all = |ask: &str, answer: &str, chances: Option<&Chances>, wins: Option<&Wins>| {
        let (ask, answer) = (csv(ask), csv(answer));
        let won = wins.map_or(",,".to_owned(), |wins| format!("{},{},{}", wins.chance, wins.low, wins.high));
        for Row { text, throws, chance } in chances.iter().flat_map(|chances| &chances.rows) {
            let throws_of_all = chances.map_or("", |chances| &chances.throws);
            let _ = writeln!(out, "{ask},{answer},{},{throws},{throws_of_all},{chance},{won}", csv(text));
        }
        if chances.is_none() && wins.is_some() {
            let _ = writeln!(out, "{ask},{answer},,,,,{won}");
        }
    };
    for ask in &moment.asks {
        for answer in &ask.answers {
            all(&ask.text, &answer.text, answer.chances.as_ref(), answer.wins.as_ref());
        }
    }
    if let Some(Due { dice, chances }) = &moment.roll {
        all("", dice, chances.as_ref(), None);
    }
    out
}
