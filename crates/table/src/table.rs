//! A game in play, with its log.

use crate::entry::{Paper, keep, raw, write};
use crate::fold::{self, Moments};
use crate::log::{End, FORMAT, MAX_HEADER, MAX_LINE, MAX_LOG};
use crate::numbered::{Numbered, session_id};
use crate::{
    Answer, Auto, Cast, Entry, Fiat, Header, LineTo, Log, Naming, Note, OpenError, PlayError, Reader, Record,
    Rewind, Roll, Seed, SeenBy, ShownLine, Snapshot, Standing, Store, error::LogError, hex, throw,
};
use fracas_kernel::{
    Answered, AnyTable, AskId, AskInfo, Now, RollInfo, Seat, SeatInfo, Setup, Shown, System, Thrown, Viewer,
};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Moves between two recorded snapshots.
pub const SNAPSHOT_EVERY: usize = 500;
/// The most answers in a row that are given without asking.
pub const MAX_EAGER: usize = 1000;
/// The most replies that a seat stands by at a time.
const MOST_STANDING: usize = 16;
/// How many digits of the state's hash a roll keeps: 64 bits.
const AT: usize = 16;

/// The title and the dice of a new table.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The table's title; empty for the system's own.
    pub title: String,
    /// When the table is opened, in any words: no clock is read here.
    pub label: String,
    /// The seed of the table's dice; `None` if all dice are real.
    pub seed: Option<Seed>,
}

/// How dice are rolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Throw<'f> {
    /// The table throws them.
    Dice,
    /// A person types in the faces of real dice, in the order of the dice.
    Faces(&'f [u8]),
}

/// The result of an accepted line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// Its number.
    pub line: u64,
    /// The number that the next line will have. Lines in between are answers given without
    /// asking, and snapshots.
    pub next: u64,
    /// For an answer: whether the game moved.
    pub answered: Answered,
}

/// A game in play, with its log.
///
/// A change is in the store before a function here returns `Ok`; an `Err` means that
/// nothing has changed. After each accepted line, the answers that need no asking are given
/// and logged too.
pub struct Table {
    system: System,
    store: Box<dyn Store>,
    log: Log,
    game: Numbered,
    moments: Moments,
    /// For each rewind since the table was opened: the asks that are as before it, with their
    /// ids now and then.
    kept_asks: Vec<KeptAsks>,
    cut: usize,
    /// Moves since the last snapshot.
    moves: usize,
}

/// How many tables that a player could imagine are compared, to find out whether an answer
/// reveals something hidden.
const IMAGINED: u64 = 6;

/// Whether an answer revealed to its player something that was hidden `before`: at an
/// imagined table that looked the same, something else would have been shown.
fn reveals(before: &Numbered, after: &Numbered, given: Given<'_>, answer: &str, shown: &[Shown]) -> bool {
    let who = Viewer::Seat(given.seat());
    let seen = |shown: &[Shown]| shown.iter().filter_map(|event| event.to(who).cloned()).collect::<Vec<_>>();
    let now = (seen(shown), after.view(who));
    (1..=IMAGINED).any(|seed| {
        let mut other = before.imagine(who, seed);
        let then = other.answer(given.seat(), given.ask, answer, true);
        then.map_or(true, |step| (seen(&step.shown), other.view(who)) != now)
    })
}

/// The asks that a rewind left as they were.
struct KeptAsks {
    /// The line of the rewind.
    line: u64,
    /// Their ids after and before it.
    ids: Vec<(AskId, AskId)>,
}

/// How an answer is given.
#[derive(Clone, Copy)]
struct Given<'t> {
    ask: AskId,
    by: Seat,
    /// The seat it is given for, if the gamemaster gives it for another seat.
    for_seat: Option<Seat>,
    auto: Option<Auto>,
    /// Text written with it.
    text: Option<&'t str>,
}

impl Given<'_> {
    /// The seat whose answer it is.
    fn seat(&self) -> Seat {
        self.for_seat.unwrap_or(self.by)
    }
}

/// Why a fiat is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overruled {
    /// The gamemaster overrules the engine.
    ByGm,
    /// Play went back, and the fiat repeats what players have learnt.
    ByMemory,
}

/// The change that was made; `None` if it is not possible at that moment.
fn possibly<T>(done: Result<T, PlayError>) -> Result<Option<T>, PlayError> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(PlayError::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Table {
    /// Opens a new table in an empty store.
    ///
    /// # Errors
    /// Every fault of the setup, or the store's error.
    pub fn create(
        system: &System,
        setup: &Setup,
        opening: Opening,
        mut store: Box<dyn Store>,
    ) -> Result<Table, OpenError> {
        let name = store.name();
        let held = store.read().map_err(|error| OpenError::reading(name.clone(), error))?;
        if !held.text.is_empty() {
            let error = io::Error::new(io::ErrorKind::AlreadyExists, "holds a table already: open that one");
            return Err(OpenError::Store { name, error });
        }
        let game = (system.start)(setup)?;
        let header = Header {
            format: FORMAT,
            system: system.id.to_owned(),
            version: system.version,
            title: if opening.title.is_empty() {
                (system.rulebook)().title.to_owned()
            } else {
                opening.title
            },
            label: opening.label,
            cast: cast(game.as_ref()),
            encounter: Paper::of(&setup.encounter),
            library: setup.library.iter().map(Paper::of).collect(),
            seed: opening.seed,
            branched: Vec::new(),
        };
        let mut table = Table {
            system: *system,
            store,
            log: Log::empty(name),
            game: Numbered::new(game, 0),
            moments: Moments::default(),
            kept_asks: Vec::new(),
            cut: 0,
            moves: 0,
        };
        table.transact(|table, batch| {
            table.push(Entry::Header(Box::new(header)), batch)?;
            table.push_snapshot(batch)
        })?;
        Ok(table)
    }

    /// Opens a table from its log.
    ///
    /// # Errors
    /// If the store cannot be read, the log is damaged, its system is not among `systems`,
    /// or it was written under another version of the rules.
    pub fn open(systems: &[System], store: Box<dyn Store>) -> Result<Table, OpenError> {
        Table::open_with(systems, store, |system, log, moments| {
            if log.version() != system.version {
                return Err(OpenError::Version {
                    name: log.name().to_owned(),
                    system: system.id.to_owned(),
                    was: log.version(),
                    now: system.version,
                });
            }
            fold::rebuild(system, log, log.next(), moments).map(|game| (game, None))
        })
    }

    /// Opens a table whose log was written under another version of the rules: converts its
    /// state and records a snapshot for these rules.
    ///
    /// Lines since the log's last snapshot (none, if the table was closed) are replayed
    /// under the new rules and must show the very same events. A log of the present version
    /// is opened as usual.
    ///
    /// # Errors
    /// See [`Table::open`]. Also if these rules cannot read the log's last snapshot, or
    /// replay the lines after it differently.
    pub fn upgrade(systems: &[System], store: Box<dyn Store>) -> Result<Table, OpenError> {
        Table::open_with(systems, store, |system, log, moments| {
            if log.version() == system.version {
                return fold::rebuild(system, log, log.next(), moments).map(|game| (game, None));
            }
            let game = take_over(system, log)?;
            let snapshot = snapshot(game.as_ref());
            Ok((game, Some(snapshot)))
        })
    }

    fn open_with(
        systems: &[System],
        mut store: Box<dyn Store>,
        game: impl FnOnce(&System, &Log, &mut Moments) -> Result<(Box<dyn AnyTable>, Option<Snapshot>), OpenError>,
    ) -> Result<Table, OpenError> {
        let name = store.name();
        let held = store.read().map_err(|error| OpenError::reading(name.clone(), error))?;
        let log = Log::parse(name, &held.text)?;
        let system = fold::system_for(&log, systems)?;
        let mut moments = Moments::default();
        let (game, taken_over) = game(&system, &log, &mut moments)?;
        let since = log.live().rev().take_while(|record| !matches!(record.entry, Entry::Snapshot(_)));
        let moves = since.filter(|record| record.entry.is_move()).count();
        let game = Numbered::new(game, log.rewinds());
        let kept_asks = Vec::new();
        let mut table = Table { system, store, log, game, moments, kept_asks, cut: held.cut, moves };
        table.transact(|table, batch| match taken_over {
            Some(snapshot) => {
                table.push(Entry::Snapshot(snapshot), batch)?;
                table.moves = 0;
                Ok(())
            }
            None => Ok(()),
        })?;
        Ok(table)
    }

    /// The game, to look at. Its asks have the ids that this table takes.
    pub fn game(&self) -> &dyn AnyTable {
        &self.game
    }

    /// Its log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The system of the game.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Bytes of an unfinished last line that were cut off at the opening.
    pub fn cut(&self) -> usize {
        self.cut
    }

    /// What `who` may see of each line, in order.
    pub fn lines_to(&self, who: Viewer) -> impl Iterator<Item = LineTo> {
        self.log.lines_to(who)
    }

    /// The faces that the due roll must show because the same roll was thrown before a
    /// rewind.
    pub fn kept_faces(&self) -> Option<&[u8]> {
        self.before().filter(|roll| roll.thrown != Thrown::Typed).map(|roll| roll.faces.as_slice())
    }

    /// The faces that a person typed in for the same roll before a rewind. Other faces may
    /// be typed now, since most such rewinds correct a typing mistake.
    pub fn typed_faces(&self) -> Option<&[u8]> {
        self.before().filter(|roll| roll.thrown == Thrown::Typed).map(|roll| roll.faces.as_slice())
    }

    /// The due roll, as it fell before a rewind.
    fn before(&self) -> Option<&Roll> {
        match self.game.now() {
            Now::Roll(roll) if self.log.rewinds() > 0 => {
                self.log.before(&self.log.looks(&self.game, &roll), &roll.dice.to_string())
            }
            _ => None,
        }
    }

    /// Answers an ask.
    ///
    /// `by` is the seat that gives the answer; the gamemaster may give it `on_behalf_of`
    /// another seat. `answer` is JSON with names; `text` is written beside it.
    ///
    /// # Errors
    /// If the game refuses it, or it cannot be saved.
    pub fn answer(
        &mut self,
        by: Seat,
        on_behalf_of: Option<Seat>,
        ask: AskId,
        answer: &str,
        text: Option<&str>,
    ) -> Result<Done, PlayError> {
        let for_seat = on_behalf_of.filter(|seat| *seat != by);
        if let Some(seat) = for_seat
            && by != Seat::Gm
        {
            return Err(PlayError::form(format!(
                "only the {} answers for somebody else: {by} cannot for {seat}",
                self.gamemaster()
            )));
        }
        let given = Given { ask, by, for_seat, auto: None, text };
        self.game.check(given.seat(), ask, answer)?;
        self.accepted(|table, batch| table.give(given, answer, batch))
    }

    /// The system's word for the gamemaster.
    fn gamemaster(&self) -> String {
        let seats = self.game.seats();
        let gamemaster = seats.into_iter().find(|info| info.seat == Seat::Gm);
        gamemaster.map_or_else(|| "gamemaster".to_owned(), |info| info.name)
    }

    /// Answers an ask for a seat whose player was not asked, and logs why.
    ///
    /// # Errors
    /// See [`Table::answer`].
    pub fn answer_unasked(
        &mut self,
        seat: Seat,
        ask: AskId,
        answer: &str,
        why: Auto,
    ) -> Result<Done, PlayError> {
        self.game.check(seat, ask, answer)?;
        let given = Given { ask, by: seat, for_seat: None, auto: Some(why), text: None };
        self.accepted(|table, batch| table.give(given, answer, batch))
    }

    /// Gives an answer and logs it.
    fn give(&mut self, given: Given<'_>, answer: &str, batch: &mut String) -> Result<Answered, PlayError> {
        // The gamemaster knows everything. An answer that settles dice always counts as
        // revealing.
        let settles = self.game.settles(given.ask);
        let retraces = given.seat() != Seat::Gm && !settles && self.game.retraces(answer);
        let before = (given.seat() != Seat::Gm && !settles && !retraces).then(|| self.game.copy());
        let step = self.game.answer(given.seat(), given.ask, answer, true)?;
        let reveals_hidden = |before: &Numbered| reveals(before, &self.game, given, answer, &step.shown);
        let entry = Entry::Answer(Answer {
            reveals: before.as_ref().map_or(given.seat() != Seat::Gm && !retraces, reveals_hidden),
            retraces,
            ask: given.ask,
            by: given.by,
            for_seat: given.for_seat,
            auto: given.auto,
            answer: raw(step.said),
            text: given.text.map(str::to_owned),
            shown: keep(&step.shown),
        });
        self.push_move(entry, batch)?;
        Ok(step.answered)
    }

    /// Rolls the due dice.
    ///
    /// `by` is the seat whose dice they are, or the gamemaster. A roll that was thrown
    /// before a rewind keeps its faces; only the gamemaster may type others. A roll that
    /// was typed in may be typed differently, and keeps its faces if the table throws.
    ///
    /// # Errors
    /// If no dice are due, they are somebody else's, the table has no dice of its own, the
    /// faces cannot fall, or it cannot be saved.
    pub fn roll(&mut self, by: Seat, how: Throw<'_>) -> Result<Done, PlayError> {
        let Now::Roll(roll) = self.game.now() else {
            return Err(PlayError::form("no dice are due"));
        };
        if by != Seat::Gm && by != roll.whose && roll.whose != Seat::Chance {
            return Err(PlayError::form(format!("these dice are for {} to throw, not for {by}", roll.whose)));
        }
        let (looks, dice) = (self.log.looks(&self.game, &roll), roll.dice.to_string());
        let before = self.log.before(&looks, &dice).map(|roll| (roll.faces.as_slice(), roll.thrown));
        let (typed, kept) = match before {
            Some((faces, Thrown::Typed)) => (Some(faces), None),
            Some((faces, _)) => (None, Some(faces)),
            None => (None, None),
        };
        let (faces, thrown) = match (how, kept, self.log.header().seed_at(self.log.next())) {
            (Throw::Dice, None, _) if let Some(typed) = typed => (typed.to_vec(), Thrown::Typed),
            (Throw::Faces(faces), Some(kept), _) if faces == kept => (faces.to_vec(), Thrown::Again),
            (Throw::Faces(_), Some(kept), _) if by != Seat::Gm => {
                let mut message =
                    "this roll was thrown before and taken back, and keeps its faces".to_owned();
                if SeenBy::from(roll.seen).by(Viewer::Seat(by)) {
                    let kept: Vec<_> = kept.iter().map(u8::to_string).collect();
                    message = format!("{message}: {}", kept.join(", "));
                }
                return Err(PlayError::form(message));
            }
            (Throw::Faces(faces), ..) => (faces.to_vec(), Thrown::Typed),
            (Throw::Dice, Some(kept), _) => (kept.to_vec(), Thrown::Again),
            (Throw::Dice, None, Some(seed)) => {
                (throw(seed, self.log.throws(), roll.dice.sides()).to_vec(), Thrown::Thrown)
            }
            (Throw::Dice, None, None) => {
                return Err(PlayError::form(format!(
                    "this table has no dice of its own: throw {dice} and type in the faces"
                )));
            }
        };
        self.accepted(|table, batch| table.fall(&roll, by, faces, thrown, batch))
    }

    fn fall(
        &mut self,
        due: &RollInfo,
        by: Seat,
        faces: Vec<u8>,
        thrown: Thrown,
        batch: &mut String,
    ) -> Result<Answered, PlayError> {
        let (at, looks) = (at(&self.game), self.log.looks(&self.game, due));
        let dice = due.dice.to_string();
        let step = self.game.roll(&faces, true)?;
        let nth = self.log.same_rolls(&looks, &dice);
        let (whose, seen, shown) = (due.whose, SeenBy::from(due.seen), keep(&step.shown));
        let roll = Roll { by, whose, dice, faces, thrown, seen, at, looks, nth, shown };
        self.push_move(Entry::Roll(roll), batch)?;
        Ok(step.answered)
    }

    /// The gamemaster overrules the engine. `fiat` is JSON with names.
    ///
    /// # Errors
    /// If the fiat is impossible, or it cannot be saved.
    pub fn fiat(&mut self, fiat: &str, text: Option<&str>) -> Result<Done, PlayError> {
        self.accepted(|table, batch| table.overrule(fiat, text, Overruled::ByGm, batch))
    }

    fn overrule(
        &mut self,
        fiat: &str,
        text: Option<&str>,
        how: Overruled,
        batch: &mut String,
    ) -> Result<Answered, PlayError> {
        let before = cast(&self.game);
        let step = self.game.fiat(fiat, true)?;
        let cast = cast(&self.game);
        let entry = Entry::Fiat(Fiat {
            fiat: raw(step.said),
            text: text.map(str::to_owned),
            remembered: how == Overruled::ByMemory,
            cast: if cast == before { Vec::new() } else { cast },
            shown: keep(&step.shown),
        });
        self.push_move(entry, batch)?;
        Ok(step.answered)
    }

    /// Adds a note.
    ///
    /// # Errors
    /// If it is empty or cannot be saved.
    pub fn note(&mut self, by: Seat, to: Reader, text: &str) -> Result<Done, PlayError> {
        if text.trim().is_empty() {
            return Err(PlayError::form("a note without words"));
        }
        let to = to.once();
        self.accepted(|table, batch| {
            table.push(Entry::Note(Note { by, to, text: text.to_owned() }), batch)?;
            Ok(Answered::Moved)
        })
    }

    /// Renames a player for everybody. Viewers are shown no event.
    ///
    /// # Errors
    /// If there is no such player, another player has this name, or it cannot be saved.
    pub fn rename(&mut self, seat: Seat, name: &str) -> Result<Done, PlayError> {
        if name.trim().is_empty() {
            return Err(PlayError::form("a player without a name"));
        }
        let lower = name.to_lowercase();
        let is_taken = |info: &SeatInfo| info.seat != seat && info.name.to_lowercase() == lower;
        if ["gm", "chance"].contains(&lower.as_str()) || self.game.seats().iter().any(is_taken) {
            return Err(PlayError::form(format!("somebody at this table is called {name:?} already")));
        }
        self.accepted(|table, batch| {
            table.game.rename(seat, name)?;
            table.push(Entry::Name(Naming { seat, name: name.to_owned() }), batch)?;
            Ok(Answered::Moved)
        })
    }

    /// Gives a standing reply (JSON with names), or takes one back.
    ///
    /// # Errors
    /// If the game has no such reply, the seat stands by as many others as it may, or it cannot be
    /// saved.
    pub fn stand(&mut self, seat: Seat, reply: &str, on: bool) -> Result<Done, PlayError> {
        self.accepted(|table, batch| {
            let held = table.game.standing().iter().filter(|(other, _)| *other == seat).count();
            if on && held >= MOST_STANDING && !table.game.stands_by(seat, reply) {
                return Err(PlayError::form(format!(
                    "you stand by {MOST_STANDING} replies already: take one back first"
                )));
            }
            table.game.stand(seat, reply, on)?;
            // What the reply says of this moment is written out, so that a replay reads the same.
            let written = if on { table.game.standing().pop().map(|(_, reply)| reply) } else { None };
            let reply = written.as_deref().unwrap_or(reply);
            let reply = serde_json::from_str::<&serde_json::value::RawValue>(reply)
                .map_err(|e| PlayError::form(format!("not JSON: {e}")))?
                .to_owned();
            table.push(Entry::Standing(Standing { seat, reply, on }), batch)?;
            Ok(Answered::Moved)
        })
    }

    /// Goes back to right after line `to`, which must still stand. Only the gamemaster may.
    /// The lines after it stay in the log as struck.
    ///
    /// # Errors
    /// If there is no such line, it was itself taken back, or it is of an earlier version
    /// of the rules; or it cannot be saved.
    pub fn rewind(&mut self, to: u64, by: Seat) -> Result<Done, PlayError> {
        if by != Seat::Gm {
            return Err(PlayError::form(format!(
                "only the {} rewinds: {by} may take back an answer of their own",
                self.gamemaster()
            )));
        }
        match self.log.get(to) {
            None => {
                let last = self.log.next() - 1;
                return Err(PlayError::form(format!("there is no line {to}: the last is {last}")));
            }
            Some(record) if !record.live() => {
                return Err(PlayError::form(format!(
                    "line {to} was itself taken back: choose a line that stands"
                )));
            }
            Some(_) if to < self.log.floor() => {
                return Err(PlayError::form(format!(
                    "the rules changed at line {}: what came before is not run again",
                    self.log.floor()
                )));
            }
            Some(_) => {}
        }
        self.back_to(to, by, Vec::new())
    }

    /// The line of the last answer, roll or fiat that a person made and that can be undone.
    pub fn last_done(&self) -> Option<u64> {
        let last = self.log.live().rev().find(|record| match &record.entry {
            Entry::Answer(answer) => !answer.auto.is_some_and(Auto::follows),
            Entry::Fiat(fiat) => !fiat.remembered,
            entry => entry.is_move(),
        });
        last.map(|record| record.seq).filter(|seq| *seq > self.log.floor())
    }

    /// Takes back the last thing that a person did, see [`Table::last_done`], and
    /// everything that followed from it by itself. Only the gamemaster may.
    ///
    /// # Errors
    /// If there is nothing to undo, or it cannot be saved.
    pub fn undo(&mut self) -> Result<Done, PlayError> {
        let seq = self.last_done().ok_or_else(|| PlayError::form("there is nothing to undo"))?;
        let to = self.stands_before(seq);
        self.back_to(to, Seat::Gm, Vec::new())
    }

    /// Takes back a seat's own last answer, see [`Table::may_take_back`].
    ///
    /// # Errors
    /// If the seat may not take it back, or it cannot be saved.
    pub fn take_back(&mut self, by: Seat) -> Result<Done, PlayError> {
        let seq = self.may_take_back(by)?;
        let to = self.stands_before(seq);
        let since = self.log.live().filter(|record| record.seq > seq);
        let unheard = since.filter(|record| record.is_unheard(by)).cloned().collect();
        self.back_to(to, by, unheard)
    }

    /// The line of the answer that a seat may take back.
    ///
    /// It must be the last thing that anybody did, and it must not have told its player
    /// anything hidden. Everything that the seat was shown since must have been shown to
    /// spectators alike. The seat's own answers that followed by themselves do not count;
    /// answers of others do, asked for or not, so that a refusal does not reveal whether
    /// they had a choice. Lines of which the seat was shown nothing do not count.
    /// [`Table::take_back`] strikes those too, and repeats them where that is still possible.
    ///
    /// A move on a map ([`fracas_kernel::Game::retraces`]) can be taken back while the seat has
    /// been shown nothing but its steps, whoever answered in between.
    ///
    /// # Errors
    /// If there is none. The error is the same whatever the reason.
    pub fn may_take_back(&self, by: Seat) -> Result<u64, PlayError> {
        let remembered = |entry: &Entry| matches!(entry, Entry::Fiat(fiat) if fiat.remembered);
        let counts = |r: &&Record| {
            r.seq > self.log.floor() && r.entry.is_move() && !remembered(&r.entry) && !r.is_unheard(by)
        };
        let moves = || self.log.live().rev().filter(counts);
        let is_own = |record: &Record| matches!(&record.entry, Entry::Answer(answer) if answer.seat() == by);
        if !moves().any(is_own) {
            return Err(PlayError::form("you have answered nothing that could be taken back"));
        }
        let who = Viewer::Seat(by);
        let as_spectators =
            |shown: &ShownLine| shown.to(who).is_none_or(|text| shown.to(Viewer::Spectator) == Some(text));
        let is_step = |shown: &ShownLine| shown.to(who).is_none_or(|text| text.step);
        let (mut alike, mut only_steps) = (true, true);
        for record in moves() {
            let shown = record.shown();
            let is_dice = matches!(&record.entry, Entry::Roll(roll) if roll.seen.by(who));
            only_steps &= !is_dice && shown.iter().all(is_step);
            alike &= is_own(record) && shown.iter().all(as_spectators);
            if let Entry::Answer(answer) = &record.entry
                && answer.seat() == by
            {
                alike &= !answer.reveals;
                let may = if answer.retraces { only_steps } else { alike };
                match answer.auto {
                    None if may => return Ok(record.seq),
                    None => break,
                    Some(_) => {}
                }
            }
            if !alike && !only_steps {
                break;
            }
        }
        Err(self.too_late())
    }

    /// The refusal of what only the gamemaster can take back now.
    fn too_late(&self) -> PlayError {
        PlayError::form(format!(
            "something has come of it, or somebody has acted since: only the {} can take it back",
            self.gamemaster()
        ))
    }

    /// Records a snapshot, so that the table opens quickly next time and other versions of
    /// the rules can read it.
    ///
    /// # Errors
    /// If it cannot be saved. No answer is lost then.
    pub fn close(mut self) -> Result<(), PlayError> {
        if self.moves > 0 {
            self.transact(Table::push_snapshot)?;
        }
        Ok(())
    }

    /// The last line before `seq` that still stands.
    fn stands_before(&self, seq: u64) -> u64 {
        self.log.live().rev().find(|record| record.seq < seq).map_or(0, |record| record.seq)
    }

    /// Rebuilds the game at line `to`; `unheard` are later lines that `by` was shown nothing
    /// of, and that stay.
    ///
    /// Costs a replay of the moves since the nearest copy in memory or snapshot in the log.
    /// After a fiat without a copy in memory all lines are replayed, at some ten thousand a
    /// second; [`crate::MAX_LOG`] bounds them.
    fn back_to(&mut self, to: u64, by: Seat, unheard: Vec<Record>) -> Result<Done, PlayError> {
        let before = self.game.asks();
        let done = self.accepted(|table, batch| {
            table.push(Entry::Rewind(Rewind { to, by }), batch)?;
            table.moments.forget_after(to);
            let game = fold::rebuild(&table.system, &table.log, to, &mut table.moments)
                .map_err(|error| PlayError::Replay(error.to_string()))?;
            let learnt = table.game.learnt(&game.snapshot());
            table.game = Numbered::new(game, table.log.rewinds());
            for fiat in &learnt {
                possibly(table.overrule(fiat, None, Overruled::ByMemory, batch))?;
            }
            // What follows a line that cannot be repeated would rest on it; fiats rest on none.
            let mut goes_on = true;
            for record in &unheard {
                match &record.entry {
                    Entry::Fiat(fiat) if learnt.iter().any(|learnt| learnt == fiat.fiat.get()) => {}
                    Entry::Fiat(_) => drop(table.repeat(record, batch)?),
                    _ => goes_on = goes_on && table.repeat(record, batch)?,
                }
            }
            Ok(Answered::Moved)
        })?;
        let same = |now: AskInfo| {
            let was = before.iter().find(|was| AskInfo { id: now.id, ..(*was).clone() } == now)?;
            Some((now.id, was.id))
        };
        let ids = self.game.asks().into_iter().filter_map(same).collect();
        self.kept_asks.push(KeptAsks { line: done.line, ids });
        Ok(done)
    }

    /// The id that an ask had before all rewinds of which this viewer is not told: it stays,
    /// however often the gamemaster goes back unseen.
    pub fn lasting(&self, ask: AskId, who: Viewer) -> AskId {
        let unheard = self
            .kept_asks
            .iter()
            .rev()
            .filter(|kept| self.log.get(kept.line).is_some_and(|rewind| !rewind.is_heard(who)));
        unheard
            .fold(ask, |ask, kept| kept.ids.iter().find(|(now, _)| *now == ask).map_or(ask, |(_, was)| *was))
    }

    /// Repeats an answer, a roll or a fiat. Whether it could be repeated, and nobody is shown
    /// more of it than before.
    fn repeat(&mut self, again: &Record, batch: &mut String) -> Result<bool, PlayError> {
        self.settle(batch)?;
        let (before, end, moves, length) = (self.game.copy(), self.log.end(), self.moves, batch.len());
        let line = end.next;
        let repeated = match &again.entry {
            Entry::Answer(answer) if answer.auto.is_some_and(Auto::follows) => return Ok(true),
            Entry::Answer(answer) => self.answer_again(answer, batch)?,
            Entry::Roll(roll) => self.fall_again(roll, batch)?,
            Entry::Fiat(fiat) => {
                possibly(self.overrule(fiat.fiat.get(), None, Overruled::ByMemory, batch))?.is_some()
            }
            _ => return Ok(true),
        };
        let seats = self.game.seats().into_iter().map(|info| Viewer::Seat(info.seat));
        let mut others = seats.filter(|viewer| !viewer.is_gm()).chain([Viewer::Spectator]);
        let unseen = |now: &Record| others.all(|who| again.to(who).is_some() || now.to(who).is_none());
        if repeated && self.log.get(line).is_some_and(unseen) {
            return Ok(true);
        }
        self.restore(before, end, moves);
        batch.truncate(length);
        Ok(false)
    }

    /// Gives an answer to the ask that it was given to, or to the only other of its seat that
    /// takes it.
    fn answer_again(&mut self, again: &Answer, batch: &mut String) -> Result<bool, PlayError> {
        let seat = again.seat();
        let asks = self.game.asks();
        let takes = |ask: &&AskInfo| {
            ask.who.seats().contains(seat) && self.game.check(seat, ask.id, again.answer.get()).is_ok()
        };
        let fit: Vec<AskId> = asks.iter().filter(takes).map(|ask| ask.id).collect();
        let same = fit.iter().find(|id| session_id(**id) == session_id(again.ask));
        let Some(&ask) = same.or(Some(&fit).filter(|fit| fit.len() == 1).and_then(|fit| fit.first())) else {
            return Ok(false);
        };
        let text = again.text.as_deref();
        let given = Given { ask, by: again.by, for_seat: again.for_seat, auto: again.auto, text };
        Ok(possibly(self.give(given, again.answer.get(), batch))?.is_some())
    }

    /// Lets the same dice fall with the same faces, if they are due.
    fn fall_again(&mut self, again: &Roll, batch: &mut String) -> Result<bool, PlayError> {
        let Now::Roll(due) = self.game.now() else { return Ok(false) };
        if due.whose != again.whose || due.dice.to_string() != again.dice {
            return Ok(false);
        }
        let before = self.log.before(&self.log.looks(&self.game, &due), &again.dice);
        let thrown = match before.filter(|before| before.thrown != Thrown::Typed) {
            Some(kept) if kept.faces != again.faces => return Ok(false),
            None if again.thrown == Thrown::Typed => Thrown::Typed,
            _ => Thrown::Again,
        };
        Ok(possibly(self.fall(&due, again.by, again.faces.clone(), thrown, batch))?.is_some())
    }

    /// Adds a line that a person caused, and what follows from it.
    fn accepted(
        &mut self,
        act: impl FnOnce(&mut Table, &mut String) -> Result<Answered, PlayError>,
    ) -> Result<Done, PlayError> {
        let line = self.log.next();
        let answered = self.transact(act)?;
        Ok(Done { line, next: self.log.next(), answered })
    }

    /// Carries out a change completely and saves it, or changes nothing.
    fn transact<T>(
        &mut self,
        act: impl FnOnce(&mut Table, &mut String) -> Result<T, PlayError>,
    ) -> Result<T, PlayError> {
        let before = self.game.copy();
        let (end, moves) = (self.log.end(), self.moves);
        let mut batch = String::new();
        // A game that panics must not leave half a move behind: everything it may have
        // touched is restored below.
        let done = catch_unwind(AssertUnwindSafe(|| {
            let done = act(self, &mut batch)?;
            self.settle(&mut batch)?;
            if self.moves >= SNAPSHOT_EVERY {
                self.push_snapshot(&mut batch)?;
            }
            if !batch.is_empty() {
                self.store.append(&batch).map_err(PlayError::NotSaved)?;
            }
            Ok(done)
        }))
        .unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without words");
            Err(PlayError::Bug(said.to_owned()))
        });
        if done.is_err() {
            self.restore(before, end, moves);
        }
        done
    }

    /// Forgets everything since the log had this end.
    fn restore(&mut self, game: Numbered, end: End, moves: usize) {
        self.game = game;
        self.moments.forget_after(end.next.saturating_sub(1));
        self.log.truncate(end);
        self.moves = moves;
    }

    /// Gives every answer that needs no asking.
    fn settle(&mut self, batch: &mut String) -> Result<(), PlayError> {
        for answers in 0.. {
            let Some(eager) = self.game.eager() else { break };
            if answers == MAX_EAGER {
                let kind = match self.game.now() {
                    Now::Asks(asks) => asks.iter().find(|ask| ask.id == eager.id).map_or("", |ask| ask.kind),
                    _ => "",
                };
                return Err(PlayError::Endless {
                    seat: eager.seat.to_string(),
                    answer: eager.answer,
                    kind: kind.to_owned(),
                });
            }
            let auto = if self.game.count(eager.id) <= 1 { Auto::Only } else { Auto::Standing };
            let given = Given { ask: eager.id, by: eager.seat, for_seat: None, auto: Some(auto), text: None };
            self.give(given, &eager.answer, batch)?;
        }
        Ok(())
    }

    fn push_move(&mut self, entry: Entry, batch: &mut String) -> Result<(), PlayError> {
        let seq = self.log.next();
        self.push(entry, batch)?;
        self.moves += 1;
        self.moments.moved(seq, self.game.inner());
        Ok(())
    }

    fn push_snapshot(&mut self, batch: &mut String) -> Result<(), PlayError> {
        self.push(Entry::Snapshot(snapshot(self.game.inner())), batch)?;
        self.moves = 0;
        Ok(())
    }

    fn push(&mut self, entry: Entry, batch: &mut String) -> Result<(), PlayError> {
        let line = write(self.log.next(), &entry).map_err(|e| PlayError::form(e.to_string()))?;
        let line = self.log.link(&line);
        let limit = if self.log.records().is_empty() { MAX_HEADER } else { MAX_LINE };
        if line.len() > limit {
            return Err(PlayError::TooLong { what: format!("a line of {} KB", line.len() / 1024) });
        }
        if self.log.bytes() + line.len() as u64 > MAX_LOG {
            return Err(PlayError::TooLong { what: "the log, which is full".to_owned() });
        }
        self.log.push(entry, line.len());
        batch.push_str(&line);
        Ok(())
    }
}

impl From<PlayError> for OpenError {
    fn from(error: PlayError) -> Self {
        OpenError::Play(Box::new(error))
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({}, {} lines of {})", self.log.name(), self.log.next(), self.system.id)
    }
}

/// The first digits of the state's hash, as a roll keeps them.
pub(crate) fn at(game: &dyn AnyTable) -> String {
    shortened(game.hash())
}

/// The digits of a hash that a roll keeps.
pub(crate) fn shortened(mut hash: String) -> String {
    hash.truncate(AT);
    hash
}

fn snapshot(game: &dyn AnyTable) -> Snapshot {
    Snapshot { version: game.version(), bytes: hex::write(&game.snapshot()), hash: game.hash() }
}

/// The seats and their players, with their characters by title where there is one.
pub fn cast(game: &dyn AnyTable) -> Vec<Cast> {
    let cards = game.cards(Viewer::Spectator);
    let title = |slug: &String| {
        let card = cards.iter().find(|card| card.id == *slug && !card.title.is_empty());
        card.map_or_else(|| slug.clone(), |card| card.title.clone())
    };
    game.seats()
        .into_iter()
        .map(|info| Cast {
            plays: if info.seat == Seat::Gm { Vec::new() } else { info.holds.iter().map(title).collect() },
            seat: info.seat,
            name: info.name,
        })
        .collect()
}

/// A game under new rules, in the state at which a log of older rules stands.
pub(crate) fn take_over(system: &System, log: &Log) -> Result<Box<dyn AnyTable>, OpenError> {
    let cannot = |what: String| OpenError::Upgrade {
        name: log.name().to_owned(),
        system: system.id.to_owned(),
        was: log.version(),
        now: system.version,
        what,
    };
    let snapshots = log.live().rev().filter_map(|record| match &record.entry {
        Entry::Snapshot(snapshot) if snapshot.version == log.version() => Some((record.seq, snapshot)),
        _ => None,
    });
    let (seq, last) = snapshots
        .into_iter()
        .next()
        .ok_or_else(|| cannot("it holds no snapshot of where it stands".to_owned()))?;
    let mut start = (system.start)(&log.header().setup())?;
    fold::repeat_fiats(start.as_mut(), log, seq);
    let mut game = fold::restored(start.as_ref(), last)
        .ok_or_else(|| cannot(format!("these rules cannot read its snapshot at line {}", seq + 1)))?;
    for record in log.live().filter(|record| record.seq > seq) {
        let step = fold::play(game.as_mut(), &record.entry, true)
            .map_err(|why| cannot(format!("line {} would now be refused: {why}", record.seq + 1)))?;
        let Some(step) = step else { continue };
        let now: Vec<String> = step.shown.into_iter().map(|shown| shown.event).collect();
        let was: Vec<String> = record.shown().into_iter().map(|shown| shown.event.get().to_owned()).collect();
        if now != was {
            return Err(cannot(format!("line {} would now turn out differently", record.seq + 1)));
        }
    }
    fold::stand(game.as_mut(), log);
    Ok(game)
}

impl Log {
    /// Reads a log file without opening its table: it is neither locked nor cut. Returns
    /// the length of an unfinished last line too.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a log.
    pub fn look(path: impl AsRef<std::path::Path>) -> Result<(Log, usize), OpenError> {
        let name = path.as_ref().display().to_string();
        let contents =
            crate::FileStore::look(path).map_err(|error| OpenError::reading(name.clone(), error))?;
        let log = Log::parse(name, &contents.text).map_err(|e: LogError| OpenError::from(e))?;
        Ok((log, contents.cut))
    }
}
