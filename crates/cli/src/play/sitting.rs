//! A sitting: shows asks and obeys typed lines until play ends or a person leaves.

mod ask;
mod obey;
#[cfg(test)]
mod tests;
mod unknown;

use super::{cards, open, order, remember};
use crate::lines::{self, Transcript};
use crate::screen::{FAINT, KEY, PLAIN, STRONG, Screen, Text, some};
use crate::seats::{self, Player, Seats};
use crate::stop::{Ended, Stop};
use crate::{args::Dice, input::Input, program};
use fracas_face::{machine::Courtesy, menu::Menu};
use fracas_kernel::{AskId, AskInfo, Duty, Now, Odds, RollInfo, Seat, Seen, Viewer, Who};
use fracas_sim::{Bot, BotKind};
use fracas_table::{Entry, PlayError, Record, SeenBy, Table, Throw};
use std::{collections::BTreeMap, path::PathBuf};

/// After this many answers of bots in a row without dice, they answer at random.
const CIRCLING: u32 = 40;
/// After this many answers of bots in a row without dice, the sitting ends with an error.
const STUCK: u32 = 400;
/// Of an ask with more answers than this, some are not grave: more than one for each of the largest cast.
const GRAVE: usize = 32;

/// The table and the settings of a sitting.
pub(crate) struct Start {
    /// The table.
    pub(crate) table: Table,
    /// The path of the log.
    pub(crate) log: PathBuf,
    /// The seats, and who answers for each.
    pub(crate) seats: Seats,
    /// Who throws the dice.
    pub(crate) dice: Dice,
    /// Whether the screen is cleared between seats.
    pub(crate) handover: bool,
    /// Whether a refused line ends the sitting.
    pub(crate) strict: bool,
    /// The most answers of this sitting.
    pub(crate) most: Option<u64>,
    /// The file for the story, written at the end.
    pub(crate) story: Option<PathBuf>,
    /// The seed of bots.
    pub(crate) seed: u64,
    /// Whether the table was played before.
    pub(crate) resumed: bool,
    /// Kinds of asks that `wait` has put off until `wait off`.
    pub(crate) quiet: Vec<String>,
}

/// What to do after a prompt.
enum Then {
    /// Go on: the table may have changed.
    Go,
    /// End the sitting.
    Leave,
}

/// An ask that people at this terminal may answer.
struct Call {
    ask: AskInfo,
    /// The seats at this terminal that may answer.
    seats: Vec<Seat>,
    /// Whether it may be left, and all that it lists is grave: people are not stopped for it.
    grave: bool,
}

/// The listed answers of an ask, for one seat at one moment.
struct Listing {
    id: AskId,
    seat: Seat,
    seq: u64,
    menu: Menu,
    /// The odds of answers that have been shown, by their index.
    odds: BTreeMap<usize, Option<Odds>>,
}

/// One sitting.
pub(crate) struct Sitting<'s> {
    start: Start,
    screen: &'s mut Screen,
    input: Input,
    /// The next line of the log that each viewer has not read.
    read: BTreeMap<Viewer, u64>,
    /// The lines for the viewers at the screen.
    transcript: Transcript,
    /// Asks that `wait` has put off.
    waited: Vec<AskId>,
    /// Whether the machine goes on if nobody here answers.
    others: bool,
    /// Chances to react that bots had since another seat answered.
    offered: Vec<(AskId, Seat)>,
    /// The ask and seat that the next line is about.
    focus: Option<(AskId, Seat)>,
    listing: Option<Listing>,
    /// Whether the person named the seat in focus; else it is the first that may answer.
    named: bool,
    /// Asks that have been shown in full beside another.
    announced: Vec<AskId>,
    /// A seat that speaks although it is not asked.
    floor: Option<Seat>,
    /// The player for whom the gamemaster answers once.
    stand_in: Option<Seat>,
    /// The last seat at the screen.
    last: Option<Seat>,
    /// Answers of bots since a person answered or dice fell.
    circling: u32,
    /// The seats to which bots give precedence.
    courtesy: Courtesy,
    /// Whether the last output was news.
    telling: bool,
    /// Whether the current ask is on the screen.
    shown: bool,
    /// Whether the next answer is to a list that is not on the screen, so that it is read out.
    unseen: bool,
    answers: u64,
}

impl<'s> Sitting<'s> {
    /// A new sitting.
    pub(crate) fn new(start: Start, input: Input, screen: &'s mut Screen) -> Self {
        Sitting {
            start,
            screen,
            input,
            read: BTreeMap::new(),
            transcript: Transcript::new(Vec::new()),
            waited: Vec::new(),
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
            shown: false,
            unseen: false,
            answers: 0,
        }
    }

    /// The viewers at the screen. If a gamemaster and players share it, only what the players may
    /// know is shown.
    fn viewers(&self) -> Vec<Viewer> {
        let players = || self.start.seats.hands().filter(|seat| *seat != Seat::Gm);
        if self.start.handover {
            vec![self.last.map_or(Viewer::Spectator, Viewer::Seat)]
        } else if players().next().is_none() {
            // The gamemaster alone, or only bots: then all may be shown.
            vec![Viewer::Seat(Seat::Gm)]
        } else {
            players().map(Viewer::Seat).collect()
        }
    }

    /// The seat that answers for this one: the seat itself, or the gamemaster.
    fn sitter(&self, seat: Seat) -> Seat {
        if self.stand_in == Some(seat) { Seat::Gm } else { self.start.seats.sitter(seat) }
    }

    /// A seat's name, or the gamemaster's `for` that seat.
    fn called(&self, seat: Seat) -> String {
        let called = self.start.seats.called(seat);
        match self.sitter(seat) {
            sitter if sitter == seat => called,
            sitter => format!("{}, for {called}", self.start.seats.called(sitter)),
        }
    }

    /// Updates the seats after a fiat, or the rewind of one, has added or removed players. Gives
    /// messages about new players.
    fn seat_anew(&mut self) -> Vec<String> {
        let mut messages = Vec::new();
        let seats = self.start.table.game().seats();
        if self.start.seats.are(&seats) {
            return messages;
        }
        let now = open::seats(self.start.table.game()).after(&self.start.seats);
        let before = std::mem::replace(&mut self.start.seats, now);
        // Earlier lines are not news to a new player.
        let from = self.read.values().copied().max().unwrap_or(0);
        for chair in self.start.seats.iter() {
            let seat = chair.info.seat;
            self.read.entry(Viewer::Seat(seat)).or_insert(from);
            if before.chair(seat).is_none_or(|old| old.info.name != chair.info.name) {
                messages.push(format!("{} sits at this keyboard: @{}.", chair.called(), chair.handle()));
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
        messages
    }

    /// Writes the seats and settings, for a later resume.
    fn remember(&self) {
        let Start { log, seats, dice, handover, quiet, .. } = &self.start;
        remember::keep(log, seats, *dice, *handover, quiet);
    }

    /// How to give an order as the gamemaster from a player's prompt.
    fn as_gamemaster(&self, what: &str) -> String {
        if self.start.handover && self.start.seats.by_hand(Seat::Gm) {
            format!("hand over with @gm, then {what}")
        } else {
            format!("@gm {what}")
        }
    }

    /// Plays until the game ends, a person leaves, or the input ends.
    pub(crate) fn run(mut self) -> Ended {
        self.skip_to_the_end();
        self.greet()?;
        let ended = self.play();
        match ended {
            Err(Stop::Output(e)) => return Err(Stop::Output(e)),
            _ => self.close()?,
        }
        ended
    }

    /// Marks all lines as read.
    fn skip_to_the_end(&mut self) {
        let end = self.start.table.log().next();
        for seat in self.start.seats.iter().map(|chair| chair.info.seat) {
            self.read.insert(Viewer::Seat(seat), end);
        }
        self.read.insert(Viewer::Spectator, end);
    }

    fn greet(&mut self) -> Ended {
        // The path comes first: it is known however the sitting ends.
        self.screen.raw(&format!("Kept in {}", self.start.log.display()))?;
        if !self.start.resumed {
            self.screen.say(&title(&self.start.table))?;
            if let Some(words) = self.start.table.log().header().about().begins() {
                self.screen.tell(PLAIN, words)?;
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
                Player::Bot(kind) => format!(", played by the machine ({})", seats::word(kind)),
            };
            everybody = everybody
                .and(FAINT, if i > 0 { " · " } else { "" })
                .and(KEY, format!("@{}", chair.handle()))
                .and(PLAIN, format!(" {}", chair.called()))
                .and(FAINT, who);
        }
        self.screen.hang(&Text::plain("  "), 2, &everybody)?;
        if self.start.table.cut() > 0 {
            let warning = "The log ended in half a line, which nobody had been told of: it is gone.";
            self.screen.tell(FAINT, warning)?;
        }
        if self.start.seats.hands().next().is_some() {
            if !self.start.handover
                && let Some(&who) = self.viewers().first()
            {
                let cards = self.start.table.game().cards(who);
                cards::brief(self.screen, &cards)?;
            }
            if self.start.dice == Dice::Typed {
                let hint = "You throw the dice and type what they show; dice thrown lets the machine.";
                self.screen.tell(FAINT, hint)?;
            }
            if !self.start.quiet.is_empty() {
                self.screen
                    .tell(FAINT, "The others go on without you, as before; wait off asks you again.")?;
            }
            let hint = "Type a number to answer; look shows the sheets, help says what else.";
            self.screen.tell(FAINT, hint)?;
        }
        if self.start.resumed {
            let recent = self.lines().last(5).to_vec();
            if !recent.is_empty() {
                self.screen.blank()?;
                self.screen.tell(FAINT, "So far:")?;
                lines::show(self.screen, &recent)?;
            }
        }
        Ok(())
    }

    /// Closes the table, and prints how to go on.
    fn close(self) -> Ended {
        self.screen.blank()?;
        let answers = self.answers_told();
        if matches!(self.start.table.game().now(), Now::Over) {
            self.screen
                .say(&Text::plain(format!("{answers}; nothing is left to play. Read the story with:")))?;
            self.screen.raw(&format!("  {}", story_command(&self.start)))?;
            self.screen.say(&Text::plain("Another evening with the same characters:"))?;
            self.screen.raw(&format!("  {}", next_command(&self.start)))?;
        } else {
            self.screen.say(&Text::plain(format!("{answers}. Go on with:")))?;
            let latest = crate::find::latest_session().is_ok_and(|path| path == self.start.log);
            let way = if latest { resume_latest() } else { resume(&self.start) };
            self.screen.raw(&format!("  {way}"))?;
        }
        if let Some(path) = &self.start.story {
            let who = self.start.seats.teller();
            let text = self.start.table.log().story(who, fracas_table::Detail::Everything);
            std::fs::write(path, text).map_err(|e| Stop::file(path, e))?;
            self.screen.raw(&format!("The story is in {}", path.display()))?;
        }
        // A snapshot only makes the next opening faster.
        let _ = self.start.table.close();
        Ok(())
    }

    /// How many answers are kept, and how many of them people here gave.
    fn answers_told(&self) -> String {
        let (all, own) = answers_kept(&self.start.table, &|seat| self.start.seats.by_hand(seat));
        let own = if own < all { format!(", {own} of them yours") } else { String::new() };
        format!("{} kept{own}", some(all, "answer"))
    }

    fn play(&mut self) -> Ended {
        loop {
            let seated = self.seat_anew();
            self.news()?;
            for message in seated {
                self.screen.tell(FAINT, &message)?;
            }
            if self.start.most.is_some_and(|most| self.answers >= most) {
                let message =
                    format!("That was {}, as many as were asked for.", some(count(self.answers), "answer"));
                self.screen.tell(FAINT, &message)?;
                return Ok(());
            }
            let then = match self.start.table.game().now() {
                Now::Over => {
                    if !self.shown {
                        self.screen.blank()?;
                        self.screen.tell(STRONG, "It is over.")?;
                        let hint =
                            "story shows what happened; quit leaves, and says how to keep it and play on.";
                        if self.start.seats.hands().next().is_some() {
                            self.screen.tell(FAINT, hint)?;
                        }
                        self.shown = true;
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

    /// The lines for the viewers at the screen.
    fn lines(&mut self) -> &Transcript {
        let viewers = self.viewers();
        if self.transcript.viewers() != viewers {
            self.transcript = Transcript::new(viewers);
        }
        self.transcript.read(self.start.table.log(), &self.start.seats);
        &self.transcript
    }

    /// Shows the lines that the viewers have not read.
    fn news(&mut self) -> Ended {
        let viewers = self.viewers();
        let from: u64 = viewers.iter().filter_map(|who| self.read.get(who)).copied().min().unwrap_or(0);
        let end = self.start.table.log().next();
        if from < end {
            let news = self.lines().since(from);
            if !news.is_empty() {
                // One blank line before the news, none within.
                if !std::mem::replace(&mut self.telling, true) {
                    self.screen.blank()?;
                }
                lines::show(self.screen, &news)?;
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
            // If any of several seats may answer, people come before bots.
            if hands.is_empty() || matches!(ask.who, Who::All(_)) {
                bots.extend(machines.into_iter().map(|seat| (ask.id, ask.duty, ask.kind, seat)));
            }
            if !hands.is_empty() {
                let grave = self.is_grave(&ask, &hands);
                calls.push(Call { ask, seats: hands, grave });
            }
        }
        let waiting = calls.iter().any(|call| self.due(call));
        let must = calls.iter().any(|call| call.ask.duty == Duty::Must);
        self.others = bots.iter().any(|(_, duty, ..)| *duty == Duty::Must);
        // Bots get each chance to react once between two answers of other seats. They give the
        // answers that play waits for when people have none to give, or when it is a bot's turn.
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
            // There is nobody else to wait for.
            self.waited.clear();
            return self.prompt(&calls);
        }
        if !self.offered.is_empty() {
            // Only chances to react are open.
            self.offered.clear();
            if let Some(&(id, duty, _, seat)) = bots.first()
                && self.bot(id, duty, seat)?
            {
                return Ok(Then::Go);
            }
        }
        Err(Stop::bad("nobody can answer what is open: the machine found nothing to say"))
    }

    /// Whether people here must be asked this; else the other seats may go on.
    fn due(&self, call: &Call) -> bool {
        let ask = &call.ask;
        let left = call.grave
            || self.waited.contains(&ask.id)
            || self.start.quiet.iter().any(|kind| kind == ask.kind);
        ask.duty == Duty::Must || !left
    }

    /// Whether an ask may be left, and lists nothing but grave answers.
    ///
    /// The gamemaster behind a handover is asked all the same: that play goes on at once would tell
    /// players what the gamemaster cannot do.
    fn is_grave(&self, ask: &AskInfo, seats: &[Seat]) -> bool {
        let unseen = self.start.handover && seats.contains(&Seat::Gm);
        let game = self.start.table.game();
        let (Duty::May, false, Some(&seat)) = (ask.duty, unseen, seats.first()) else { return false };
        let who = Viewer::Seat(self.sitter(seat));
        let listed = || game.legal(ask.id, who);
        (1..=GRAVE).contains(&game.count(ask.id))
            && listed().iter().all(|listed| game.is_grave(&listed.answer, who))
    }

    /// Seats that gave the same answer to a joint ask as the last one did.
    fn agreed(&self, id: AskId) -> Vec<Seat> {
        let said = self.start.table.game().said(id);
        match said.last() {
            Some((_, last)) => said.iter().filter(|(_, a)| a == last).map(|(seat, _)| *seat).collect(),
            None => Vec::new(),
        }
    }

    /// Lets a bot answer; `false` if it has no answer.
    fn bot(&mut self, id: AskId, duty: Duty, seat: Seat) -> Result<bool, Stop> {
        let Some(Player::Bot(kind)) = self.start.seats.chair(seat).map(|chair| chair.player) else {
            return Ok(false);
        };
        // A bot that gains nothing can repeat its answers forever. Random answers usually end that;
        // if not, a person must.
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
                self.count_answer();
                Ok(true)
            }
            Err(error) => Err(fatal(error)),
        }
    }

    /// Counts an answer, and resets the screen state.
    fn count_answer(&mut self) {
        self.answers += 1;
        self.forget();
    }

    /// Resets what refers to the screen's content.
    fn forget(&mut self) {
        self.shown = false;
        self.listing = None;
        self.floor = None;
        self.named = false;
        self.focus = None;
        self.stand_in = None;
    }

    fn dice(&mut self, roll: &RollInfo) -> Result<Then, Stop> {
        let kept = self.start.table.kept_faces().is_some();
        // A person throws the dice of chance.
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
        let faces = if roll.dice.sides().count() == 1 { "its face" } else { "the faces" };
        if !self.shown {
            self.screen.blank()?;
            if !why.text.is_empty() {
                self.screen.say(&Text::plain(why.text))?;
            }
            if let Some(odds) = self.odds_for_all(sitter) {
                self.screen.tell(FAINT, &format!("Chances: {odds}."))?;
            }
            let request =
                Text::of(STRONG, &who).and(PLAIN, format!(", throw {}{secret} and type {faces}", roll.dice));
            let request = match &before {
                Some(faces) => request
                    .and(FAINT, format!("; Enter leaves them as they were typed before: {}.", listed(faces))),
                None => request.and(FAINT, ", or `throw` to let the machine."),
            };
            self.screen.say(&request)?;
            self.shown = true;
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

    /// Shows the odds of open dice before a person here throws them.
    fn chances(&mut self, roll: &RollInfo) -> Ended {
        let known = self.shown || !self.start.seats.by_hand(roll.whose);
        let odds = self.odds_for_all(self.sitter(roll.whose));
        if let Some(odds) = odds.filter(|_| !known && roll.seen == Seen::Openly) {
            self.screen.blank()?;
            self.screen.tell(FAINT, &format!("Chances: {odds}."))?;
        }
        Ok(())
    }

    /// The odds of the dice that are due, if all viewers at the screen may know them.
    fn odds_for_all(&self, sitter: Seat) -> Option<String> {
        let game = self.start.table.game();
        let odds = |who| game.roll_odds(who).map(|odds| line_of(&odds));
        let odds_line = odds(Viewer::Seat(sitter));
        odds_line
            .filter(|odds_line| self.viewers().into_iter().all(|who| odds(who).as_ref() == Some(odds_line)))
    }

    /// The faces typed for this roll before it was taken back, if the sitter may see them.
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
            Err(error) => Err(fatal(error)),
        }
    }
}

/// Odds in one line, in which a number stays with its sign.
pub(super) fn line_of(odds: &Odds) -> String {
    odds.line().replace(" %", "\u{a0}%")
}

/// Faces as text: `3, 5`.
fn listed(faces: &[u8]) -> String {
    faces.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

/// An error that ends the sitting.
fn fatal(error: PlayError) -> Stop {
    Stop::bad(error.to_string())
}

fn count(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// The command that resumes a session.
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

/// The command that resumes the latest session, as it was played.
pub(crate) fn resume_latest() -> String {
    format!("{} play --resume", program::command())
}

/// The command that prints the story.
fn story_command(start: &Start) -> String {
    let who = match start.seats.teller() {
        Viewer::Spectator => String::new(),
        who => format!(" --as {who}"),
    };
    let log = program::quoted(&start.log.display().to_string());
    format!("{} story {log}{who}", program::command())
}

/// The command that plays another encounter with these characters.
fn next_command(start: &Start) -> String {
    let log = program::quoted(&start.log.display().to_string());
    format!("{} play ENCOUNTER --from {log}", program::command())
}

/// The title and date of a table.
fn title(table: &Table) -> Text {
    let header = table.log().header();
    let head = Text::of(STRONG, &header.title);
    if header.label.is_empty() { head } else { head.and(FAINT, format!(" ({})", header.label)) }
}

/// Shows a resumed table: its title, the number of answers and, with `scene`, the scene.
pub(crate) fn recap(table: &Table, screen: &mut Screen, scene: bool) -> Ended {
    let count = format!(": {} kept.", some(answers_kept(table, &|_| true).0, "answer"));
    screen.say(&title(table).and(PLAIN, count))?;
    if !scene {
        return Ok(());
    }
    let scene: Vec<_> =
        table.game().cards(Viewer::Spectator).into_iter().filter(|card| card.id.is_empty()).collect();
    cards::brief(screen, &scene)?;
    Ok(())
}

/// The number of answers in force, without automatic ones, and how many of them these seats gave.
fn answers_kept(table: &Table, gave: &dyn Fn(Seat) -> bool) -> (usize, usize) {
    let seat = |record: &Record| match &record.entry {
        Entry::Answer(answer) if answer.auto.is_none() => Some(answer.seat()),
        _ => None,
    };
    let seats: Vec<Seat> = table.log().live().filter_map(seat).collect();
    (seats.len(), seats.iter().filter(|seat| gave(**seat)).count())
}
