//! Replaying a log line by line, and comparing.

use crate::fold::{self, Moments};
use crate::{
    Answer, Auto, Cast, Entry, Log, LogError, OpenError, Record, Roll, SeenBy, ShownLine, ShownText,
    entry::keep, hex, table, throw,
};
use fracas_kernel::{AnyTable, Now, Seat, Step, System, Thrown};
use serde::Serialize;

/// The most problems that are reported of one log; replay ends there.
pub const MAX_PROBLEMS: usize = 50;
/// The most characters of a text that a problem quotes.
const QUOTED: usize = 200;

/// A log being replayed, line by line, struck lines included.
pub struct Replay<'l> {
    log: &'l Log,
    system: System,
    /// The lines replayed so far, struck as they were by then.
    so_far: Log,
    game: Box<dyn AnyTable>,
    moments: Moments,
    /// The next line to replay.
    at: u64,
}

impl<'l> Replay<'l> {
    /// Begins at the first line of the log's present version of the rules.
    ///
    /// # Errors
    /// If the system is not among `systems`, is of another version, or cannot start from
    /// the log's setup.
    pub fn new(log: &'l Log, systems: &[System]) -> Result<Replay<'l>, OpenError> {
        let system = fold::system_for(log, systems)?;
        if log.version() != system.version {
            return Err(OpenError::Version {
                name: log.name().to_owned(),
                system: system.id.to_owned(),
                was: log.version(),
                now: system.version,
            });
        }
        let mut so_far = Log::empty(log.name());
        let first = log.floor();
        for record in log.records().iter().take_while(|record| record.seq <= first) {
            so_far.push(record.entry.clone(), 0);
        }
        let mut moments = Moments::default();
        let game = if first == 0 {
            // Not from a snapshot: every line is to be replayed.
            (system.start)(&log.header().setup())?
        } else {
            fold::rebuild(&system, &so_far, first, &mut moments)?
        };
        Ok(Replay { log, system, so_far, game, moments, at: first + 1 })
    }

    /// The game after the lines replayed so far.
    pub fn game(&self) -> &dyn AnyTable {
        self.game.as_ref()
    }

    /// Replays the next line and returns it; `None` after the last.
    ///
    /// # Errors
    /// If the game refuses the line.
    pub fn step(&mut self) -> Result<Option<&'l Record>, OpenError> {
        let Some(record) = self.log.get(self.at) else { return Ok(None) };
        self.run(record, false)?;
        Ok(Some(record))
    }

    /// Replays the next line; with `show` a move's step has its events in words.
    fn run(&mut self, record: &Record, show: bool) -> Result<Option<Step>, OpenError> {
        let moved = fold::play(self.game.as_mut(), &record.entry, show)
            .map_err(|why| fold::unplayable(self.log, record.seq, why))?;
        self.so_far.push(record.entry.clone(), 0);
        self.at += 1;
        if moved.is_some() {
            self.moments.moved(record.seq, self.game.as_ref());
        }
        match &record.entry {
            Entry::Rewind(rewind) => {
                self.moments.forget_after(rewind.to);
                self.game = fold::rebuild(&self.system, &self.so_far, rewind.to, &mut self.moments)?;
            }
            Entry::Standing(line) => {
                // A reply that names something that was rewound away is left out.
                let _ = self.game.stand(line.seat, line.reply.get(), line.on);
            }
            _ => {}
        }
        Ok(moved)
    }
}

/// How far a log can be relied on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every line was replayed, with the same result as the log records.
    Sound,
    /// No fault was found, but some lines, or all, are of earlier rules and could not be
    /// replayed.
    NotVerified,
    /// A fault was found.
    Damaged,
}

/// The result of verifying a log.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// Lines of the log.
    pub lines: u64,
    /// Lines that were replayed and compared.
    pub run: u64,
    /// Lines of earlier versions of the rules, which are not replayed. The snapshot by
    /// which the present version took over is one of them.
    pub not_run: u64,
    /// Answers, rolls and fiats that were replayed.
    pub moves: u64,
    /// Rolls among them.
    pub rolls: u64,
    /// Rolls among them whose faces a person typed in, so that they cannot be checked.
    pub typed: u64,
    /// Lines with text that a person wrote, for which only the chain vouches.
    pub written: u64,
    /// Lines that were taken back.
    pub struck: u64,
    /// Snapshots that equal the replayed state.
    pub snapshots: u64,
    /// The first line that has a hash, from 1; see [`crate::chain`]. Changes to lines
    /// before it cannot be detected.
    pub chained_from: Option<u64>,
    /// The hash of the last line.
    pub chain: Option<String>,
    /// The hash of the final state; `None` if nothing could be replayed.
    pub hash: Option<String>,
    /// The faults found, [`MAX_PROBLEMS`] at most.
    pub problems: Vec<Problem>,
}

impl Report {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match (self.problems.is_empty(), self.not_run) {
            (false, _) => Verdict::Damaged,
            (true, 0) => Verdict::Sound,
            (true, _) => Verdict::NotVerified,
        }
    }

    /// The report for a log that cannot be read.
    pub fn unreadable(error: &LogError) -> Report {
        let problem = Problem { line: error.line, what: error.what.clone() };
        Report { problems: vec![problem], ..Report::default() }
    }

    /// Whether every line was replayed with the same result.
    pub fn sound(&self) -> bool {
        self.verdict() == Verdict::Sound
    }
}

/// A fault in a log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    /// The line, from 1.
    pub line: u64,
    /// The expectation and the finding.
    pub what: String,
}

/// Replays a whole log and compares: that every move is possible and shows each viewer what
/// the log records, that the dice are the seed's, that states and snapshots are right.
///
/// Lines before the last change of the rules are not replayed; of them only thrown dice are
/// compared. People's text, and dice that they typed in, cannot be compared.
///
/// # Errors
/// If the system is not among `systems`, or the log names a version of its rules that there
/// is not. All other faults are in the report, which ends at a line that cannot be
/// replayed.
pub fn verify(log: &Log, systems: &[System]) -> Result<Report, OpenError> {
    let system = fold::system_for(log, systems)?;
    let written = |record: &&Record| match &record.entry {
        Entry::Note(_) | Entry::Name(_) => true,
        Entry::Answer(answer) => answer.text.is_some(),
        Entry::Fiat(fiat) => fiat.text.is_some(),
        _ => false,
    };
    let mut report = Report {
        lines: log.next(),
        written: log.records().iter().filter(written).count() as u64,
        struck: log.records().iter().filter(|record| !record.live()).count() as u64,
        chained_from: log.chained_from().map(|seq| seq + 1),
        chain: log.chain_end(),
        ..Report::default()
    };
    if log.version() != system.version {
        report.not_run = log.next();
        unrun_dice(log, &mut report);
        return Ok(report);
    }
    let floor = log.floor();
    let replay = match Replay::new(log, systems) {
        Ok(replay) => replay,
        // Later rules may refuse a setup that earlier rules took; then nothing can be
        // replayed.
        Err(OpenError::Setup(_)) if floor > 0 => {
            report.not_run = log.next();
            unrun_dice(log, &mut report);
            return Ok(report);
        }
        Err(error) => {
            let line = if let OpenError::Unplayable { line, .. } = error { line } else { 1 };
            report.problems.push(Problem { line, what: error.to_string() });
            return Ok(report);
        }
    };
    if floor == 0 {
        report.run = 1;
        if log.header().cast != table::cast(replay.game()) {
            let what = "who sits at the table is not as the setup says".to_owned();
            report.problems.push(Problem { line: 1, what });
        }
    } else {
        report.not_run = floor + 1;
        unrun_dice(log, &mut report);
        taken_over(log, &system, &replay, &mut report);
    }
    let mut verifier = Verifier { replay, report, stays: Vec::new(), falls: Vec::new() };
    while let Some(record) = log.get(verifier.replay.at)
        && verifier.report.problems.len() < MAX_PROBLEMS
    {
        if let Err(error) = verifier.line(record) {
            verifier.wrong(record, error.to_string());
            break;
        }
    }
    let Verifier { replay, mut report, .. } = verifier;
    report.problems.truncate(MAX_PROBLEMS);
    report.hash = Some(replay.game().hash());
    Ok(report)
}

/// Compares the table's own dice in lines that are not replayed: dice do not depend on the
/// rules.
fn unrun_dice(log: &Log, report: &mut Report) {
    let mut throws = 0;
    let not_run = usize::try_from(report.not_run).unwrap_or(usize::MAX);
    for record in log.records().iter().take(not_run) {
        let Entry::Roll(roll @ Roll { thrown: Thrown::Thrown, .. }) = &record.entry else { continue };
        let expected = log.header().seed_at(record.seq).zip(sides(&roll.dice));
        let expected = expected.map(|(seed, sides)| throw(seed, throws, sides).to_vec());
        throws += 1;
        if expected.as_ref() != Some(&roll.faces) && report.problems.len() < MAX_PROBLEMS {
            let what = match expected {
                Some(expected) => fell_otherwise(&expected, &roll.faces),
                None => NO_DICE.to_owned(),
            };
            report.problems.push(Problem { line: record.seq + 1, what });
        }
    }
}

const NO_DICE: &str = "thrown, by a table that has no such dice";

fn fell_otherwise(expected: &[u8], faces: &[u8]) -> String {
    format!("the dice fell {expected:?}, and the log says {faces:?}")
}

/// Parses the sides of dice such as `2d6 + 1d8`; `None` if the text is malformed or has
/// more dice than a roll allows.
fn sides(dice: &str) -> Option<Vec<u8>> {
    let mut sides = Vec::new();
    for kind in dice.split(" + ") {
        let (count, of) = kind.split_once('d')?;
        sides.extend(std::iter::repeat_n(of.parse::<u8>().ok()?, count.parse::<u8>().ok()?.into()));
    }
    (sides.len() <= fracas_kernel::MAX_DICE).then_some(sides)
}

/// Compares the snapshot by which the present rules took over with the state after the
/// lines before it, as far as these rules can tell.
fn taken_over(log: &Log, system: &System, replay: &Replay<'_>, report: &mut Report) {
    let mut before = Log::empty(log.name());
    for record in log.records().iter().take_while(|record| record.seq < log.floor()) {
        before.push(record.entry.clone(), 0);
    }
    if let Ok(game) = table::take_over(system, &before)
        && game.snapshot() != replay.game.snapshot()
    {
        let what = "the rules changed here, and the lines before lead to another state than the snapshot's";
        report.problems.push(Problem { line: log.floor() + 1, what: what.to_owned() });
    }
}

/// The state of a verification, from the first line of the present rules on.
struct Verifier<'l> {
    replay: Replay<'l>,
    report: Report,
    /// The fiats that may follow the last rewind: what players had learnt before it, and,
    /// if a player took an answer back, fiats of which that player was shown nothing.
    stays: Vec<String>,
    /// The dice and faces of rolls that may follow it: if a player took an answer back, those
    /// of which that player was shown nothing.
    falls: Vec<(String, Vec<u8>)>,
}

impl Verifier<'_> {
    fn wrong(&mut self, record: &Record, what: impl Into<String>) {
        self.report.problems.push(Problem { line: record.seq + 1, what: what.into() });
    }

    /// Replays the next line and compares.
    fn line(&mut self, record: &Record) -> Result<(), OpenError> {
        match &record.entry {
            Entry::Roll(roll) => self.dice(record, roll),
            Entry::Answer(answer) => self.asked(record, answer),
            Entry::Standing(line) if line.on => {
                if let Err(refused) = self.replay.game.may_stand(line.seat, line.reply.get()) {
                    self.wrong(record, format!("a standing reply that is refused: {refused}"));
                }
            }
            _ => {}
        }
        let is_fiat = matches!(record.entry, Entry::Fiat(_));
        let seated = is_fiat.then(|| table::cast(self.replay.game()));
        let left = matches!(record.entry, Entry::Rewind(_)).then(|| self.replay.game.again());
        let step = self.replay.run(record, true)?;
        self.report.run += 1;
        if let Entry::Snapshot(snapshot) = &record.entry {
            let hash = self.replay.game.hash();
            if hash != snapshot.hash {
                let what = format!("the state is {}, and the lines before lead to {hash}", snapshot.hash);
                self.wrong(record, what);
            } else if snapshot.bytes != hex::write(&self.replay.game.snapshot()) {
                self.wrong(record, "the snapshot's bytes are not those that the lines before lead to");
            } else {
                self.report.snapshots += 1;
            }
        }
        if let Some(left) = left {
            self.stays = left.learnt(&self.replay.game.snapshot());
            self.falls.clear();
            for unheard in self.replay.log.unheard_by_taker(record) {
                match &unheard.entry {
                    Entry::Fiat(fiat) => self.stays.push(fiat.fiat.get().to_owned()),
                    Entry::Roll(roll) => self.falls.push((roll.dice.clone(), roll.faces.clone())),
                    _ => {}
                }
            }
        }
        if let Some(step) = step {
            self.moved(record, &step, seated);
        }
        Ok(())
    }

    /// Compares a move and its events with what the line records.
    fn moved(&mut self, record: &Record, step: &Step, seated: Option<Vec<Cast>>) {
        self.report.moves += 1;
        let said = match &record.entry {
            Entry::Answer(answer) => Some(&answer.answer),
            Entry::Fiat(fiat) => Some(&fiat.fiat),
            _ => None,
        };
        if let Some(said) = said
            && said.get() != step.said
        {
            let (said, right) = (short(said.get()), short(&step.said));
            self.wrong(record, format!("{said} is kept, which the rules write {right}"));
        }
        if let Some(what) = shown_otherwise(record, step) {
            self.wrong(record, what);
        }
        if let Entry::Fiat(fiat) = &record.entry {
            let now = table::cast(self.replay.game());
            let expected = if seated.as_ref() == Some(&now) { &[][..] } else { &now };
            if fiat.cast != expected {
                self.wrong(record, "who sits at the table is not as the line says");
            }
            if fiat.remembered && !self.stays.contains(&step.said) {
                self.wrong(record, "marked as remembered, and the rewind before it leaves nothing to repeat");
            }
        }
    }

    /// Checks that an answer was given without asking exactly where the line says so.
    fn asked(&mut self, record: &Record, answer: &Answer) {
        let game = self.replay.game.as_ref();
        let eager = game.eager();
        let right = match (answer.auto, &eager) {
            (Some(auto @ (Auto::Standing | Auto::Only)), Some(eager)) => {
                let only = game.count(eager.id) <= 1;
                eager.seat == answer.by && eager.answer == answer.answer.get() && only == (auto == Auto::Only)
            }
            (Some(Auto::Standing | Auto::Only), None) => false,
            (_, eager) => eager.is_none(),
        };
        let may_not = answer.for_seat.is_some_and(|seat| answer.by != Seat::Gm || seat == answer.by);
        if !right {
            self.wrong(record, "whether somebody was asked is not as the line says");
        }
        if may_not {
            self.wrong(record, "only the gamemaster answers for somebody else");
        }
    }

    /// Checks that a roll about to be replayed is the due roll, with its dice.
    fn dice(&mut self, record: &Record, roll: &Roll) {
        self.report.rolls += 1;
        self.report.typed += u64::from(roll.thrown == Thrown::Typed);
        let game = self.replay.game.as_ref();
        let Now::Roll(due) = game.now() else {
            return self.wrong(record, "dice fell where none were due");
        };
        let at = table::at(game);
        let so_far = &self.replay.so_far;
        let looks = so_far.looks(game, &due);
        let before = so_far.before(&looks, &due.dice.to_string());
        let kept = before.filter(|before| before.thrown != Thrown::Typed);
        let mut wrong: Vec<String> = Vec::new();
        if at != roll.at {
            wrong.push(format!("the dice fell in state {}, and the lines before lead to {at}", roll.at));
        } else if (roll.whose, roll.dice.as_str(), roll.seen, roll.nth)
            != (
                due.whose,
                &due.dice.to_string(),
                SeenBy::from(due.seen),
                so_far.same_rolls(&looks, &roll.dice),
            )
        {
            wrong.push(format!("the roll that is due is another: {} of {}", due.dice, due.whose));
        } else if looks != roll.looks {
            wrong.push("the roll that is due looks otherwise to those who see it".to_owned());
        }
        if roll.by != Seat::Gm && roll.by != due.whose && due.whose != Seat::Chance {
            wrong.push(format!("these dice are for {} to throw, not for {}", due.whose, roll.by));
        }
        let expected = match (roll.thrown, self.replay.log.header().seed_at(record.seq)) {
            (Thrown::Thrown, _) if before.is_some() => {
                wrong.push("thrown anew, and this very roll fell before it was taken back".to_owned());
                None
            }
            (Thrown::Thrown, Some(seed)) => Some(throw(seed, so_far.throws(), due.dice.sides()).to_vec()),
            (Thrown::Thrown, None) => {
                wrong.push(NO_DICE.to_owned());
                None
            }
            (Thrown::Again, _) => {
                let repeated = || {
                    let fell = self.falls.iter().position(|(dice, _)| *dice == roll.dice)?;
                    Some(self.falls.remove(fell).1)
                };
                let kept = kept.map(|kept| kept.faces.clone()).or_else(repeated);
                if kept.is_none() {
                    wrong.push("kept faces of a roll that was never taken back".to_owned());
                }
                kept
            }
            (Thrown::Typed, _) => {
                if kept.is_some_and(|kept| roll.by != Seat::Gm || kept.faces == roll.faces) {
                    wrong.push("typed in, and this very roll keeps the faces it had before".to_owned());
                }
                None
            }
        };
        if let Some(expected) = expected.filter(|expected| *expected != roll.faces) {
            wrong.push(fell_otherwise(&expected, &roll.faces));
        }
        for what in wrong {
            self.wrong(record, what);
        }
    }
}

/// The first difference between the events that a line records and those that the rules
/// show.
fn shown_otherwise(record: &Record, step: &Step) -> Option<String> {
    let (kept, now) = (record.entry.kept(), keep(&step.shown));
    if kept.map(|raw| raw.get()) == now.as_ref().map(|raw| raw.get()) {
        return None;
    }
    let kept: Vec<ShownLine> = match kept.map(|raw| serde_json::from_str(raw.get())).transpose() {
        Ok(kept) => kept.unwrap_or_default(),
        Err(error) => return Some(format!("what was shown cannot be read: {error}")),
    };
    let now: Vec<ShownLine> = step.shown.iter().map(ShownLine::from).collect();
    let (was, is) = match kept.iter().zip(&now).find(|(was, is)| was != is) {
        Some(pair) => pair,
        None if kept.len() == now.len() => return None,
        None => {
            return Some(format!("{} events were shown, and the rules show {}", kept.len(), now.len()));
        }
    };
    let text = |shown: Option<&ShownText>| match shown {
        Some(ShownText { text, clause: Some(clause), .. }) => format!("{} ({clause})", short(text)),
        Some(shown) => short(&shown.text),
        None => "nothing".to_owned(),
    };
    let differs = |who: &str, was: Option<&ShownText>, is: Option<&ShownText>| {
        format!("{who} was shown {}, and the rules show {}", text(was), text(is))
    };
    if was.gm != is.gm {
        return Some(differs("the gamemaster", Some(&was.gm), Some(&is.gm)));
    }
    if was.others != is.others {
        let of = |shown: &ShownLine, who: &str| {
            let other = shown.others.iter().find(|(name, _)| name == who);
            other.map_or(Some(shown.gm.clone()), |(_, shown)| shown.clone())
        };
        let names = was.others.iter().chain(&is.others).map(|(name, _)| name.as_str());
        let other = names.map(|who| (who, of(was, who), of(is, who))).find(|(_, was, is)| was != is);
        return Some(match other {
            Some((who, was, is)) => differs(who, was.as_ref(), is.as_ref()),
            None => "the viewers who were shown other words are not those of the rules".to_owned(),
        });
    }
    Some(format!("the event was {}, and the rules say {}", short(was.event.get()), short(is.event.get())))
}

/// A text in quotation marks, cut if it is long.
fn short(text: &str) -> String {
    let mut cut: String = text.chars().take(QUOTED).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    format!("{cut:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::Dice;

    #[test]
    fn dice_are_read_as_they_are_written() {
        for dice in [Dice::of(2, 6), Dice::of(1, 20).and(3, 8), Dice::of(240, 100)] {
            assert_eq!(sides(&dice.to_string()), Some(dice.sides().collect()));
        }
        for odd in ["", "6", "d6", "2d", "-1d6", "2d6+1d8", "200d6 + 200d6", "1d300"] {
            assert_eq!(sides(odd), None, "{odd:?}");
        }
    }
}
