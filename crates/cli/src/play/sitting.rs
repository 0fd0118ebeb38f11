//! One sitting: asks go out, what is typed comes in, until somebody leaves.

mod ask;
mod obey;
#[cfg(test)]
mod tests;
mod unknown;

use super::{
    cards,
    lines::{self, Transcript},
    open, order, remember,
    seats::{Player, Seats},
};
use crate::{
    args::Dice,
    input::Input,
    program,
    screen::{FAINT, KEY, PLAIN, STRONG, Screen, Text, some},
    stop::{Ended, Stop},
};
use fracas_face::{machine::Courtesy, menu::Menu};
use fracas_kernel::{AskId, AskInfo, Duty, Now, RollInfo, Seat, Seen, Viewer, Who};
use fracas_sim::{Bot, BotKind};
use fracas_table::{Entry, PlayError, Record, SeenBy, Table, Throw};
use std::{collections::BTreeMap, path::PathBuf};

/// Bots' answers in a row, without dice, after which they answer at random.
const CIRCLING: u32 = 40;
/// Bots' answers in a row, without dice, after which somebody must step in.
const STUCK: u32 = 400;

/// What a sitting starts from.
pub(crate) struct Start {
    /// The table.
    pub(crate) table: Table,
    /// Its log.
    pub(crate) log: PathBuf,
    /// Who answers for whom.
    pub(crate) seats: Seats,
    /// Who throws.
    pub(crate) dice: Dice,
    /// Hides the table between seats.
    pub(crate) handover: bool,
    /// A refused line ends the sitting.
    pub(crate) strict: bool,
    /// Answers until it ends by itself.
    pub(crate) most: Option<u64>,
    /// Where the story goes at the end.
    pub(crate) story: Option<PathBuf>,
    /// What bots draw from.
    pub(crate) seed: u64,
    /// Whether it was played before.
    pub(crate) resumed: bool,
}

/// Why prompting stopped.
enum Then {
    /// Something may have moved: look again.
    Go,
    /// Somebody leaves.
    Leave,
}

/// An ask that somebody at this terminal may answer.
struct Call {
    ask: AskInfo,
    /// The seats at this terminal that may answer it.
    seats: Vec<Seat>,
}

/// The answers of one ask, as they were listed for one seat at one moment.
struct Listing {
    id: AskId,
    seat: Seat,
    seq: u64,
    menu: Menu,
}

/// One sitting.
pub(crate) struct Sitting<'s> {
    start: Start,
    screen: &'s mut Screen,
    input: Input,
    /// How far each viewer has read, by line of the log.
    read: BTreeMap<Viewer, u64>,
    /// What whoever looks now may see.
    transcript: Transcript,
    /// Asks that nobody here cares to answer for now.
    waited: Vec<AskId>,
    /// Kinds of asks that nobody here cares to answer until further notice.
    quiet: Vec<&'static str>,
    /// Whether the machine would go on if nobody here stepped in.
    others: bool,
    /// Chances to react that a bot has had since anybody else answered.
    offered: Vec<(AskId, Seat)>,
    /// The ask and seat that the next line is about.
    focus: Option<(AskId, Seat)>,
    listing: Option<Listing>,
    /// Whether the seat in focus was named, rather than the first that may answer.
    named: bool,
    /// Asks that have been shown in full beside another.
    announced: Vec<AskId>,
    /// A seat that has taken the floor though nothing is asked of it.
    floor: Option<Seat>,
    /// The player in whose place the gamemaster answers this once.
    stand_in: Option<Seat>,
    /// The seat that last sat before the screen.
    last: Option<Seat>,
    /// Bots' answers since somebody here answered or dice fell.
    circling: u32,
    /// Whom the machine lets go first.
    courtesy: Courtesy,
    /// Whether the last thing shown was what happened.
    telling: bool,
    /// Whether the open ask stands on the screen.
    told: bool,
    answers: u64,
}

impl<'s> Sitting<'s> {
    /// Sits down.
    pub(crate) fn new(start: Start, input: Input, screen: &'s mut Screen) -> Self {
        Sitting {
            start,
            screen,
            input,
            read: BTreeMap::new(),
            transcript: Transcript::new(Vec::new()),
            waited: Vec::new(),
            quiet: Vec::new(),
            others: false,
            offered: Vec::new(),
            focus: None,
            listing: None,
            named: false,
            announced: Vec::new(),
            floor: None,
            stand_in: None,
            last: None,
            circling: 0,
            courtesy: Courtesy::default(),
            telling: false,
            told: false,
            answers: 0,
        }
    }

    /// Everybody who looks at this screen now. Where a gamemaster and players read along,
    /// it shows what the players may know.
    fn viewers(&self) -> Vec<Viewer> {
        let players = || self.start.seats.hands().filter(|seat| *seat != Seat::Gm);
        if self.start.handover {
            vec![self.last.map_or(Viewer::Spectator, Viewer::Seat)]
        } else if players().next().is_none() {
            // The gamemaster alone; or nobody: a spectator of bots may see all of it.
            vec![Viewer::Seat(Seat::Gm)]
        } else {
            players().map(Viewer::Seat).collect()
        }
    }

    /// Who sits here for a seat: its player, or the gamemaster in their place.
    fn sitter(&self, seat: Seat) -> Seat {
        if self.stand_in == Some(seat) { Seat::Gm } else { self.start.seats.sitter(seat) }
    }

    /// A seat as people say it, and for whom where somebody else answers.
    fn called(&self, seat: Seat) -> String {
        let called = self.start.seats.called(seat);
        match self.sitter(seat) {
            sitter if sitter == seat => called,
            sitter => format!("{}, for {called}", self.start.seats.called(sitter)),
        }
    }

    /// Takes notice of who has sat down or left by a fiat, or by a rewind of one;
    /// gives what is to be said of it.
    fn seat_anew(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        let seats = self.start.table.game().seats();
        if self.start.seats.are(&seats) {
            return told;
        }
        let now = open::seats(self.start.table.game()).after(&self.start.seats);
        let before = std::mem::replace(&mut self.start.seats, now);
        // What happened before is not news to who sits down now.
        let from = self.read.values().copied().max().unwrap_or(0);
        for chair in self.start.seats.iter() {
            let seat = chair.info.seat;
            self.read.entry(Viewer::Seat(seat)).or_insert(from);
            if before.chair(seat).is_none_or(|old| old.info.name != chair.info.name) {
                told.push(format!("{} sits at this keyboard: @{}.", chair.called(), chair.handle()));
            }
        }
        for seat in before.iter().map(|chair| chair.info.seat) {
            if self.start.seats.chair(seat).is_none() {
                self.read.remove(&Viewer::Seat(seat));
                self.last = self.last.filter(|last| *last != seat);
            }
        }
        self.transcript = Transcript::new(Vec::new());
        self.remember();
        self.forget();
        told
    }

    /// Keeps who sits where and who throws, for whoever goes on another time.
    fn remember(&self) {
        remember::keep(&self.start.log, &self.start.seats, self.start.dice, self.start.handover);
    }

    /// How somebody at a player's prompt does what is the gamemaster's.
    fn as_gamemaster(&self, what: &str) -> String {
        if self.start.handover && self.start.seats.by_hand(Seat::Gm) {
            format!("hand over with @gm, then {what}")
        } else {
            format!("@gm {what}")
        }
    }

    /// Plays until it is over, somebody leaves, or input ends.
    pub(crate) fn run(mut self) -> Ended {
        self.skip_to_the_end();
        self.greet()?;
        let ended = self.play();
        match ended {
            Err(Stop::Output(e)) => return Err(Stop::Output(e)),
            _ => self.part()?,
        }
        ended
    }

    /// Old lines are not news.
    fn skip_to_the_end(&mut self) {
        let end = self.start.table.log().next();
        for seat in self.start.seats.iter().map(|chair| chair.info.seat) {
            self.read.insert(Viewer::Seat(seat), end);
        }
        self.read.insert(Viewer::Spectator, end);
    }

    fn greet(&mut self) -> Ended {
        // Before all else, however the evening ends.
        self.screen.raw(&format!("Kept in {}", self.start.log.display()))?;
        if !self.start.resumed {
            self.screen.say(&title(&self.start.table))?;
            if let Some(about) = self.start.table.log().header().summary() {
                self.screen.tell(PLAIN, about)?;
            }
            for origin in self.start.table.log().header().carried_from() {
                self.screen.tell(FAINT, &format!("Carried on from {}.", origin.log))?;
            }
        } else {
            let sheets = !self.start.handover && self.start.seats.hands().next().is_some();
            recap(&self.start.table, self.screen, !sheets)?;
        }
        let mut everybody = Text::default();
        for (i, chair) in self.start.seats.iter().enumerate() {
            let who = match chair.player {
                Player::Hand if chair.absent => ", absent: the gamemaster answers".to_owned(),
                Player::Hand => String::new(),
                Player::Bot(kind) => format!(", played by the machine ({})", super::seats::word(kind)),
            };
            everybody = everybody
                .and(FAINT, if i > 0 { " · " } else { "" })
                .and(KEY, format!("@{}", chair.handle()))
                .and(PLAIN, format!(" {}", chair.called()))
                .and(FAINT, who);
        }
        self.screen.hang(&Text::plain("  "), 2, &everybody)?;
        if self.start.table.cut() > 0 {
            let told = "The log ended in half a line, which nobody had been told of: it is gone.";
            self.screen.tell(FAINT, told)?;
        }
        if self.start.seats.hands().next().is_some() {
            if !self.start.handover
                && let Some(&who) = self.viewers().first()
            {
                let cards = self.start.table.game().cards(who);
                cards::brief(self.screen, &cards)?;
            }
            if self.start.dice == Dice::Typed {
                let told = "You throw the dice and type what they show; dice thrown lets the machine.";
                self.screen.tell(FAINT, told)?;
            }
            let told = "Type a number to answer; look shows the sheets, help says what else.";
            self.screen.tell(FAINT, told)?;
        }
        if self.start.resumed {
            let told = self.lines().last(5).to_vec();
            if !told.is_empty() {
                self.screen.blank()?;
                self.screen.tell(FAINT, "So far:")?;
                lines::show(self.screen, &told)?;
            }
        }
        Ok(())
    }

    /// Says how to go on.
    fn part(self) -> Ended {
        self.screen.blank()?;
        let answers = some(kept(&self.start.table), "answer");
        if matches!(self.start.table.game().now(), Now::Over) {
            self.screen.say(&Text::plain(format!(
                "{answers} kept; nothing is left to play. Read the story with:"
            )))?;
            self.screen.raw(&format!("  {}", story(&self.start)))?;
            self.screen.say(&Text::plain("Another evening with the same characters:"))?;
            self.screen.raw(&format!("  {}", another(&self.start)))?;
        } else {
            self.screen.say(&Text::plain(format!("{answers} kept. Go on with:")))?;
            self.screen.raw(&format!("  {}", resume(&self.start)))?;
        }
        if let Some(path) = &self.start.story {
            let who = self.start.seats.teller();
            let told = self.start.table.log().story(who);
            std::fs::write(path, told).map_err(|e| Stop::file(path, e))?;
            self.screen.raw(&format!("The story is in {}", path.display()))?;
        }
        // A snapshot opens faster next time; without it nothing is lost.
        let _ = self.start.table.close();
        Ok(())
    }

    fn play(&mut self) -> Ended {
        loop {
            let seated = self.seat_anew();
            self.news()?;
            for told in seated {
                self.screen.tell(FAINT, &told)?;
            }
            if self.start.most.is_some_and(|most| self.answers >= most) {
                let told =
                    format!("That was {}, as many as were asked for.", some(count(self.answers), "answer"));
                self.screen.tell(FAINT, &told)?;
                return Ok(());
            }
            let then = match self.start.table.game().now() {
                Now::Over => {
                    if !self.told {
                        self.screen.blank()?;
                        self.screen.tell(STRONG, "It is over.")?;
                        let told =
                            "story shows what happened; quit leaves, and says how to keep it and play on.";
                        if self.start.seats.hands().next().is_some() {
                            self.screen.tell(FAINT, told)?;
                        }
                        self.told = true;
                    }
                    if self.start.seats.hands().next().is_none() {
                        return Ok(());
                    }
                    self.prompt(&[])?
                }
                Now::Roll(roll) => self.dice(&roll)?,
                Now::Asks(asks) => self.turn(asks)?,
            };
            if matches!(then, Then::Leave) {
                return Ok(());
            }
        }
    }

    /// The lines that whoever looks now may see.
    fn lines(&mut self) -> &Transcript {
        let viewers = self.viewers();
        if self.transcript.viewers() != viewers {
            self.transcript = Transcript::new(viewers);
        }
        self.transcript.read(self.start.table.log(), &self.start.seats);
        &self.transcript
    }

    /// Shows what has happened since whoever looks last read.
    fn news(&mut self) -> Ended {
        let viewers = self.viewers();
        let from: u64 = viewers.iter().filter_map(|who| self.read.get(who)).copied().min().unwrap_or(0);
        let end = self.start.table.log().next();
        if from < end {
            let told = self.lines().since(from);
            if !told.is_empty() {
                // One blank line before what happened, none within it.
                if !std::mem::replace(&mut self.telling, true) {
                    self.screen.blank()?;
                }
                lines::show(self.screen, &told)?;
            }
            for who in viewers {
                self.read.insert(who, end);
            }
        }
        Ok(())
    }

    fn turn(&mut self, asks: Vec<AskInfo>) -> Result<Then, Stop> {
        let open: Vec<AskId> = asks.iter().map(|ask| ask.id).collect();
        self.waited.retain(|id| open.contains(id));
        self.offered.retain(|(id, _)| open.contains(id));
        self.announced.retain(|id| open.contains(id));
        let mut calls = Vec::new();
        let mut bots = Vec::new();
        for ask in asks {
            let said: Vec<Seat> = match ask.who {
                Who::All(_) => self.agreed(ask.id),
                _ => Vec::new(),
            };
            let (hands, machines): (Vec<Seat>, Vec<Seat>) = ask
                .who
                .seats()
                .iter()
                .filter(|seat| !said.contains(seat))
                .partition(|&seat| self.start.seats.by_hand(seat));
            // Where any of several may answer, people come first.
            if hands.is_empty() || matches!(ask.who, Who::All(_)) {
                bots.extend(machines.into_iter().map(|seat| (ask.id, ask.duty, ask.kind, seat)));
            }
            if !hands.is_empty() {
                calls.push(Call { ask, seats: hands });
            }
        }
        let waiting = calls.iter().any(|call| self.due(&call.ask));
        let must = calls.iter().any(|call| call.ask.duty == Duty::Must);
        self.others = bots.iter().any(|(_, duty, ..)| *duty == Duty::Must);
        // The machine's chances to react come first, once each between two
        // other answers; what play waits for from it comes once nobody here has
        // anything to say, or it is its turn.
        bots.sort_by_key(|(_, duty, ..)| *duty == Duty::Must);
        for &(id, duty, kind, seat) in &bots {
            let due = match duty {
                Duty::May => !self.offered.contains(&(id, seat)),
                Duty::Must if must => false,
                Duty::Must => !waiting || self.courtesy.is_over(self.start.table.game(), seat, kind, id),
            };
            if !due {
                continue;
            }
            match duty {
                Duty::May => self.offered.push((id, seat)),
                Duty::Must => {
                    self.offered.clear();
                    self.courtesy.answered(seat, kind);
                }
            }
            if self.bot(id, duty, seat)? {
                return Ok(Then::Go);
            }
        }
        if waiting {
            return self.prompt(&calls);
        }
        if !calls.is_empty() {
            // Nobody is left to wait for.
            self.waited.clear();
            return self.prompt(&calls);
        }
        if !self.offered.is_empty() {
            // Only chances to react are open, and play waits for them.
            self.offered.clear();
            if let Some(&(id, duty, _, seat)) = bots.first()
                && self.bot(id, duty, seat)?
            {
                return Ok(Then::Go);
            }
        }
        Err(Stop::bad("nobody can answer what is open: the machine found nothing to say"))
    }

    /// Whether somebody here is to be asked this, or the others may go on.
    fn due(&self, ask: &AskInfo) -> bool {
        ask.duty == Duty::Must || !(self.waited.contains(&ask.id) || self.quiet.contains(&ask.kind))
    }

    /// Seats whose answer to a joint ask stands as the others' do.
    fn agreed(&self, id: AskId) -> Vec<Seat> {
        let said = self.start.table.game().said(id);
        match said.last() {
            Some((_, last)) => said.iter().filter(|(_, a)| a == last).map(|(seat, _)| *seat).collect(),
            None => Vec::new(),
        }
    }

    /// Lets the machine answer; false where it has nothing to say.
    fn bot(&mut self, id: AskId, duty: Duty, seat: Seat) -> Result<bool, Stop> {
        let Some(Player::Bot(kind)) = self.start.seats.chair(seat).map(|chair| chair.player) else {
            return Ok(false);
        };
        // A bot that sees nothing to gain can go round in circles: chance leads
        // out of them, and where it does not, somebody must.
        self.circling += 1;
        if self.circling > STUCK {
            let name = self.start.seats.called(seat);
            return Err(Stop::bad(format!(
                "the machine goes round in circles as {name}: go on without --bot for that seat, and settle it by hand"
            )));
        }
        let circles = self.circling > CIRCLING && duty == Duty::Must;
        let kind = if circles { BotKind::Random } else { kind };
        let bot = Bot::new(kind, self.start.seed);
        let Some(answer) = bot.choose(self.start.table.game(), seat, id) else { return Ok(false) };
        match self.start.table.answer(seat, None, id, &answer, None) {
            Ok(_) => {
                self.moved();
                Ok(true)
            }
            Err(error) => Err(broken(error)),
        }
    }

    /// Something was answered.
    fn moved(&mut self) {
        self.answers += 1;
        self.forget();
    }

    /// What stands on the screen no longer holds.
    fn forget(&mut self) {
        self.told = false;
        self.listing = None;
        self.floor = None;
        self.named = false;
        self.focus = None;
        self.stand_in = None;
    }

    fn dice(&mut self, roll: &RollInfo) -> Result<Then, Stop> {
        let kept = self.start.table.kept_faces().is_some();
        // Dice that are nobody's are thrown by whoever is here.
        let seat = match roll.whose {
            Seat::Chance => self.start.seats.hands().next(),
            whose => Some(whose).filter(|&whose| self.start.seats.by_hand(whose)),
        };
        let Some(seat) = seat.filter(|_| self.start.dice == Dice::Typed && !kept) else {
            return self.thrown(roll);
        };
        if let Some(then) = self.hand_over(seat)? {
            return Ok(then);
        }
        let sitter = self.sitter(seat);
        let who = match sitter == seat {
            true => self.start.seats.name(seat),
            false => format!("{}, for {}", self.start.seats.name(sitter), self.start.seats.name(seat)),
        };
        let why = self.start.table.game().roll_told(Viewer::Seat(sitter));
        let secret = if roll.seen == Seen::Openly { "" } else { ", in secret" };
        let before = self.typed_before(roll, sitter);
        if !self.told {
            self.screen.blank()?;
            if !why.text.is_empty() {
                self.screen.say(&Text::plain(why.text))?;
            }
            if let Some(odds) = self.odds_for_all(sitter) {
                self.screen.tell(FAINT, &format!("Chances: {odds}."))?;
            }
            let told = Text::of(STRONG, &who)
                .and(PLAIN, format!(", throw {}{secret} and type the faces", roll.dice));
            let told = match &before {
                Some(faces) => told
                    .and(FAINT, format!("; Enter leaves them as they were typed before: {}.", listed(faces))),
                None => told.and(FAINT, ", or `throw` to let the machine."),
            };
            self.screen.say(&told)?;
            self.told = true;
        }
        let prompt = format!("{}> ", roll.dice);
        let line = match self.read_line(&prompt)? {
            Ok(line) => line,
            Err(then) => return Ok(then),
        };
        if line.eq_ignore_ascii_case("throw") {
            return self.thrown(roll);
        }
        if line.starts_with(|c: char| c.is_ascii_digit()) || line.is_empty() {
            let sides: Vec<u8> = roll.dice.sides().collect();
            let typed = match before {
                Some(faces) if line.is_empty() => Ok(faces),
                _ => order::faces(&line, &sides),
            };
            match typed {
                Err(what) => self.refuse(&what)?,
                Ok(faces) => match self.start.table.roll(self.sitter(roll.whose), Throw::Faces(&faces)) {
                    Ok(_) => self.forget(),
                    Err(error) => self.refused(error)?,
                },
            }
            return Ok(Then::Go);
        }
        self.obey(&line, &[], seat)
    }

    /// What dice may bring that somebody here throws, before they fall.
    fn chances(&mut self, roll: &RollInfo) -> Ended {
        let told = self.told || !self.start.seats.by_hand(roll.whose);
        let odds = self.odds_for_all(self.sitter(roll.whose));
        if let Some(odds) = odds.filter(|_| !told && roll.seen == Seen::Openly) {
            self.screen.blank()?;
            self.screen.tell(FAINT, &format!("Chances: {odds}."))?;
        }
        Ok(())
    }

    /// The chances of the dice that are due, where everybody at this screen may know them.
    fn odds_for_all(&self, sitter: Seat) -> Option<String> {
        let game = self.start.table.game();
        let odds = |who| game.roll_odds(who).map(|odds| odds.line());
        let told = odds(Viewer::Seat(sitter));
        told.filter(|told| self.viewers().into_iter().all(|who| odds(who).as_ref() == Some(told)))
    }

    /// What was typed for this very roll before it was taken back, where whoever
    /// types may see it.
    fn typed_before(&self, roll: &RollInfo, sitter: Seat) -> Option<Vec<u8>> {
        let seen = SeenBy::from(roll.seen).by(Viewer::Seat(sitter));
        self.start.table.typed_faces().filter(|_| seen).map(<[u8]>::to_vec)
    }

    fn thrown(&mut self, roll: &RollInfo) -> Result<Then, Stop> {
        self.chances(roll)?;
        match self.start.table.roll(roll.whose, Throw::Dice) {
            Ok(_) => {
                self.circling = 0;
                self.forget();
                Ok(Then::Go)
            }
            Err(error) => Err(broken(error)),
        }
    }
}

/// Faces as people say them: `3, 5`.
fn listed(faces: &[u8]) -> String {
    faces.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

/// A failure that nobody at the table can mend.
fn broken(error: PlayError) -> Stop {
    Stop::bad(error.to_string())
}

fn count(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// The command that goes on with a session.
pub(crate) fn resume(start: &Start) -> String {
    let dice = if start.dice == Dice::Typed { " --dice typed" } else { "" };
    let handover = if start.handover { " --handover" } else { "" };
    format!(
        "{} play --resume {}{}{dice}{handover}",
        program::command(),
        program::quoted(&start.log.display().to_string()),
        start.seats.as_arguments()
    )
}

/// The command that prints a session to read.
fn story(start: &Start) -> String {
    let who = match start.seats.teller() {
        Viewer::Spectator => String::new(),
        who => format!(" --as {who}"),
    };
    let log = program::quoted(&start.log.display().to_string());
    format!("{} story {log}{who}", program::command())
}

/// The command that plays on with these characters in another encounter.
fn another(start: &Start) -> String {
    let log = program::quoted(&start.log.display().to_string());
    format!("{} play ENCOUNTER --from {log}", program::command())
}

/// What a table is called.
fn title(table: &Table) -> Text {
    let header = table.log().header();
    let head = Text::of(STRONG, &header.title);
    if header.label.is_empty() { head } else { head.and(FAINT, format!(" ({})", header.label)) }
}

/// Where a table stands that was played before: what it is called, how much is
/// kept of it, and the scene where nothing else will show it.
pub(crate) fn recap(table: &Table, screen: &mut Screen, scene: bool) -> Ended {
    let told = format!(": {} kept.", some(kept(table), "answer"));
    screen.say(&title(table).and(PLAIN, told))?;
    if !scene {
        return Ok(());
    }
    let scene: Vec<_> =
        table.game().cards(Viewer::Spectator).into_iter().filter(|card| card.id.is_empty()).collect();
    cards::brief(screen, &scene)?;
    Ok(())
}

/// Answers that somebody gave and that stand.
fn kept(table: &Table) -> usize {
    let given = |record: &&Record| matches!(&record.entry, Entry::Answer(answer) if answer.auto.is_none());
    table.log().live().filter(given).count()
}
