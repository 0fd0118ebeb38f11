//! The lines of a table in order, and which of them still stand.

use crate::entry::{self, ShownLine};
use crate::{Cast, Entry, Fiat, Header, LogError, Naming, OpenError, Rewind, Roll, chain::Chain, hex, table};
use fracas_kernel::{AnyTable, RollInfo, Seat, SeatSet, Seen, System, Thrown, Viewer};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The version of the format written here. In version 2 every line has a hash; version 1
/// had no hashes and is still read.
pub const FORMAT: u32 = 2;
/// The most bytes of a line, its newline included.
pub const MAX_LINE: usize = 1 << 20;
/// The most bytes of the first line, which holds the whole setup.
pub const MAX_HEADER: usize = 32 << 20;
/// The most bytes of a log.
pub const MAX_LOG: u64 = 256 << 20;

/// One line of a log.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number, from 0.
    pub seq: u64,
    /// Its content.
    pub entry: Entry,
    /// The line of the rewind that struck it, if any.
    pub struck: Option<u64>,
    /// The players who sat at the table.
    seated: SeatSet,
    /// For a rewind: who besides the gamemaster had seen a line that it struck.
    heard: Heard,
}

/// Players, and whether spectators too.
#[derive(Clone, Copy, Debug, Default)]
struct Heard {
    players: SeatSet,
    spectators: bool,
}

impl Heard {
    /// Who saw any of these lines, of the players who sat at the table.
    fn of<'r>(struck: impl Iterator<Item = &'r Record>, seated: SeatSet) -> Heard {
        let mut heard = Heard::default();
        for record in struck {
            heard.spectators = heard.spectators || record.to(Viewer::Spectator).is_some();
            for seat in seated.iter().filter(|seat| !heard.players.contains(*seat)).collect::<Vec<_>>() {
                if record.to(Viewer::Seat(seat)).is_some() {
                    heard.players = heard.players.with(seat);
                }
            }
            if heard.spectators && seated.iter().all(|seat| heard.players.contains(seat)) {
                break;
            }
        }
        heard
    }
}

impl Record {
    /// Whether this seat was shown nothing of the line.
    pub(crate) fn is_unheard(&self, seat: Seat) -> bool {
        self.to(Viewer::Seat(seat)).is_none()
    }

    /// Whether a viewer may know of this rewind: it struck a line that the viewer had seen.
    pub(crate) fn is_heard(&self, who: Viewer) -> bool {
        match self.eyes(who) {
            Viewer::Seat(Seat::Gm) => true,
            Viewer::Seat(seat) => self.heard.players.contains(seat),
            Viewer::Spectator => self.heard.spectators,
        }
    }

    /// The viewer as whom `who` sees this line: a player who sat down later sees what
    /// everybody may see.
    pub fn eyes(&self, who: Viewer) -> Viewer {
        match who {
            Viewer::Seat(seat @ Seat::Player(_)) if !self.seated.contains(seat) => Viewer::Spectator,
            who => who,
        }
    }

    /// Whether it still stands.
    pub fn live(&self) -> bool {
        self.struck.is_none()
    }

    /// The events of the line, as they were shown.
    pub fn shown(&self) -> Vec<ShownLine> {
        self.entry.kept().and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }
}

/// The end of a log at some moment.
pub(crate) struct End {
    pub(crate) next: u64,
    bytes: u64,
    chain: Chain,
}

/// A whole log: at least its header.
#[derive(Clone, Debug)]
pub struct Log {
    name: String,
    records: Vec<Record>,
    /// Bytes of all lines.
    bytes: u64,
    chain: Chain,
    /// Throws of the table's own dice so far, struck ones included.
    throws: u64,
    /// The rolls by [`Roll::same`] and dice, in order, struck ones included.
    rolls: HashMap<(String, String), Vec<u64>>,
    rewinds: u64,
    /// The versions of the rules, each with the first line it holds for.
    versions: Vec<(u64, u32)>,
    /// The players' new names, each with the first line it holds for.
    names: Vec<(u64, Naming)>,
    /// The players who sit at the table now.
    seated: SeatSet,
}

impl Log {
    /// Parses a log. The caller cuts off an unfinished last line.
    ///
    /// # Errors
    /// The first faulty line.
    pub fn parse(name: impl Into<String>, text: &str) -> Result<Log, LogError> {
        let mut log = Log::empty(name);
        for line in text.split_inclusive('\n') {
            let limit = if log.records.is_empty() { MAX_HEADER } else { MAX_LINE };
            if line.len() > limit {
                return Err(log.error(format!("a line of {} bytes; the most is {limit}", line.len())));
            }
            let (seq, entry) = entry::read(line).map_err(|what| log.error(what))?;
            if seq != log.next() {
                return Err(log.error(format!(
                    "expected seq {}, found {seq}: lines are missing or doubled",
                    log.next()
                )));
            }
            log.fits(&entry).map_err(|what| log.error(what))?;
            let chained = log.chain.read(seq, line).and_then(|()| match (&entry, log.chain.from()) {
                (Entry::Header(header), None) if header.format > 1 => Err(format!(
                    "a log of format {} has a hash at the end of each line (\"chain\"), and this line has none",
                    header.format
                )),
                _ => Ok(()),
            });
            chained.map_err(|what| LogError { damaged: true, ..log.error(what) })?;
            log.push(entry, line.len());
        }
        if log.records.is_empty() {
            return Err(log.error("expected a header: this log has no complete first line".to_owned()));
        }
        Ok(log)
    }

    pub(crate) fn empty(name: impl Into<String>) -> Log {
        Log {
            name: name.into(),
            records: Vec::new(),
            bytes: 0,
            chain: Chain::default(),
            throws: 0,
            rolls: HashMap::new(),
            rewinds: 0,
            versions: Vec::new(),
            names: Vec::new(),
            seated: SeatSet::EMPTY,
        }
    }

    fn error(&self, what: String) -> LogError {
        let line = self.next() + 1;
        LogError { name: self.name.clone(), line, what, damaged: line > 1 }
    }

    /// Whether an entry can come next.
    fn fits(&self, entry: &Entry) -> Result<(), String> {
        match entry {
            Entry::Header(header) if self.records.is_empty() => {
                if !(1..=FORMAT).contains(&header.format) {
                    return Err(format!(
                        "a log of format {}; this program reads formats 1 to {FORMAT}",
                        header.format
                    ));
                }
                Ok(())
            }
            Entry::Header(_) => Err("a second header".to_owned()),
            _ if self.records.is_empty() => Err("expected a header as the first line".to_owned()),
            Entry::Rewind(Rewind { to, .. }) => match self.get(*to) {
                None => Err(format!("a rewind to line {to}, which is not before it")),
                Some(record) if !record.live() => {
                    Err(format!("a rewind to line {to}, which was taken back before"))
                }
                Some(_) if *to < self.floor() => {
                    Err(format!("a rewind to line {to}, before the rules changed at line {}", self.floor()))
                }
                Some(_) => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Adds an entry that fits; `bytes` is the length of its line.
    pub(crate) fn push(&mut self, entry: Entry, bytes: usize) {
        let seq = self.next();
        let mut heard = Heard::default();
        match &entry {
            Entry::Header(header) => self.versions.push((0, header.version)),
            Entry::Roll(roll) => {
                self.throws += u64::from(roll.thrown == Thrown::Thrown);
                self.rolls.entry((roll.same().to_owned(), roll.dice.clone())).or_default().push(seq);
            }
            Entry::Rewind(Rewind { to, .. }) => {
                self.rewinds += 1;
                let is_struck = |record: &Record| {
                    record.live()
                        && !matches!(
                            record.entry,
                            Entry::Rewind(_) | Entry::Standing(_) | Entry::Name(_) | Entry::Note(_)
                        )
                };
                let struck = self.records.iter().rev().take_while(|r| r.seq > *to);
                heard = Heard::of(struck.filter(|record| is_struck(record)), self.seated);
                for record in self.records.iter_mut().rev().take_while(|r| r.seq > *to) {
                    if is_struck(record) {
                        record.struck = Some(seq);
                    }
                }
            }
            Entry::Snapshot(snapshot) if snapshot.version != self.version() => {
                self.versions.push((seq, snapshot.version));
            }
            Entry::Name(naming) => self.names.push((seq, naming.clone())),
            _ => {}
        }
        let (anew, back) = match &entry {
            Entry::Header(header) => (header.cast.as_slice(), false),
            Entry::Fiat(fiat) => (fiat.cast.as_slice(), false),
            Entry::Rewind(_) => (&[][..], true),
            _ => (&[][..], false),
        };
        if !anew.is_empty() {
            self.seated = seats(anew);
        } else if back {
            self.seated = seats(&self.cast());
        }
        self.bytes += bytes as u64;
        self.records.push(Record { seq, entry, struck: None, seated: self.seated, heard });
    }

    /// Adds the hash to the next line.
    pub(crate) fn link(&mut self, line: &str) -> String {
        self.chain.link(self.next(), line)
    }

    /// The end of the log, for [`Log::truncate`].
    pub(crate) fn end(&self) -> End {
        End { next: self.next(), bytes: self.bytes, chain: self.chain.clone() }
    }

    /// Removes lines from the end that could not be saved.
    pub(crate) fn truncate(&mut self, end: End) {
        while self.next() > end.next {
            let Some(record) = self.records.pop() else { break };
            match record.entry {
                Entry::Roll(roll) => {
                    self.throws -= u64::from(roll.thrown == Thrown::Thrown);
                    if let Some(same) = self.rolls.get_mut(&(roll.same().to_owned(), roll.dice)) {
                        same.pop();
                    }
                }
                Entry::Rewind(_) => {
                    self.rewinds -= 1;
                    for other in self.records.iter_mut().filter(|r| r.struck == Some(record.seq)) {
                        other.struck = None;
                    }
                }
                _ => {}
            }
            self.versions.retain(|&(seq, _)| seq != record.seq);
            self.names.retain(|&(seq, _)| seq != record.seq);
        }
        self.seated = if self.records.is_empty() { SeatSet::EMPTY } else { seats(&self.cast()) };
        (self.bytes, self.chain) = (end.bytes, end.chain);
    }

    /// The log's name: its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table's setup.
    pub fn header(&self) -> &Header {
        match &self.records[0].entry {
            Entry::Header(header) => header,
            // `parse` and `Table::create` begin with a header, and nothing removes it.
            _ => unreachable!("a log begins with its header"),
        }
    }

    /// The seats and their players now, with their present names.
    pub fn cast(&self) -> Vec<Cast> {
        let changed = self.live().rev().find_map(|record| match &record.entry {
            Entry::Fiat(Fiat { cast, .. }) if !cast.is_empty() => Some((record.seq, cast)),
            _ => None,
        });
        let (since, cast) = changed.unwrap_or((0, &self.header().cast));
        let mut cast = cast.clone();
        for (_, Naming { seat, name }) in self.names.iter().filter(|(seq, _)| *seq > since) {
            cast.iter_mut().filter(|sits| sits.seat == *seat).for_each(|sits| sits.name.clone_from(name));
        }
        cast
    }

    /// How many times a player's name was changed.
    pub fn namings(&self) -> usize {
        self.names.len()
    }

    /// Every line, struck or not.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The lines that no rewind has struck.
    pub fn live(&self) -> impl DoubleEndedIterator<Item = &Record> {
        self.records.iter().filter(|record| record.live())
    }

    /// The line with this number.
    pub fn get(&self, seq: u64) -> Option<&Record> {
        self.records.get(usize::try_from(seq).ok()?)
    }

    /// The number that the next line will have: the number of lines.
    pub fn next(&self) -> u64 {
        self.records.len() as u64
    }

    /// How many bytes the lines take up.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many times lines were taken back.
    pub fn rewinds(&self) -> u64 {
        self.rewinds
    }

    /// The hash of the last line, in hexadecimal; `None` if no line has one yet.
    ///
    /// Two logs that end in the same hash are equal. For the gamemaster alone: the hash
    /// changes with lines that are hidden from others.
    pub fn chain_end(&self) -> Option<String> {
        self.chain.end()
    }

    /// The number of the first line that has a hash: 0 for a log of the present format.
    pub fn chained_from(&self) -> Option<u64> {
        self.chain.from()
    }

    /// Checks that the versions of the rules that the log names exist. A log of a system
    /// that is not among `systems` passes.
    ///
    /// # Errors
    /// The version that does not exist, and those that do.
    pub fn check_versions(&self, systems: &[System]) -> Result<(), OpenError> {
        let system = &self.header().system;
        let Some(known) = systems.iter().find(|known| known.id == system) else { return Ok(()) };
        match self.versions.iter().find(|(_, version)| !(1..=known.version).contains(version)) {
            None => Ok(()),
            Some(&(seq, was)) => Err(OpenError::NoVersion {
                name: self.name.clone(),
                line: seq + 1,
                system: system.clone(),
                was,
                now: known.version,
            }),
        }
    }

    /// The lines that a player's rewind struck and of which that player was shown nothing:
    /// they are repeated.
    pub(crate) fn unheard_by_taker(&self, rewind: &Record) -> impl Iterator<Item = &Record> {
        let by = match &rewind.entry {
            Entry::Rewind(Rewind { by: by @ Seat::Player(_), .. }) => Some(*by),
            _ => None,
        };
        let struck = self.records.iter().filter(|record| record.struck == Some(rewind.seq));
        struck.filter(move |record| by.is_some_and(|by| record.is_unheard(by)))
    }

    /// The version of the rules under which the last line was written.
    pub fn version(&self) -> u32 {
        self.versions.last().map_or(0, |&(_, version)| version)
    }

    /// The first line of that version. Lines before it are not replayed.
    pub fn floor(&self) -> u64 {
        self.versions.last().map_or(0, |&(seq, _)| seq)
    }

    /// Throws of the table's own dice so far. Throws that were taken back count.
    pub(crate) fn throws(&self) -> u64 {
        self.throws
    }

    /// A hash that tells the due roll from another of the same dice: how the table looks to
    /// its roller, and what the roller was shown and has answered since the last visible
    /// dice. For dice that the gamemaster throws openly the spectators' view counts, for
    /// dice that only the gamemaster sees the state.
    ///
    /// What the roller cannot see must not make another roll of it: whether faces are kept
    /// or thrown anew after a rewind would reveal it.
    pub(crate) fn looks(&self, game: &dyn AnyTable, due: &RollInfo) -> String {
        let who = match (due.seen, due.whose) {
            (Seen::ByGm, _) => return table::at(game),
            (Seen::ByGmAnd(seat), _) | (Seen::Openly, seat @ Seat::Player(_)) => Viewer::Seat(seat),
            (Seen::Openly, _) => Viewer::Spectator,
        };
        let mut looks = Sha256::new_with_prefix(game.view(who).to_string());
        for record in self.live().rev() {
            for line in record.shown() {
                if let Some(line) = line.to(record.eyes(who)) {
                    looks.update(&line.text);
                }
            }
            match &record.entry {
                Entry::Roll(roll) if roll.seen.by(who) => break,
                Entry::Answer(answer) if who == Viewer::Seat(answer.seat()) => {
                    looks.update(answer.answer.get());
                }
                _ => {}
            }
        }
        table::shortened(hex::write(&looks.finalize()))
    }

    /// How many live rolls of these dice looked the same.
    pub(crate) fn same_rolls(&self, same: &str, dice: &str) -> u64 {
        self.rolls(same, dice).filter(|(record, _)| record.live()).count() as u64
    }

    /// The same roll as it fell before it was taken back.
    pub(crate) fn before(&self, same: &str, dice: &str) -> Option<&Roll> {
        if self.rewinds == 0 {
            return None;
        }
        let nth = self.same_rolls(same, dice);
        self.rolls(same, dice).rfind(|(record, roll)| !record.live() && roll.nth == nth).map(|(_, roll)| roll)
    }

    /// The rolls of these dice that looked the same.
    fn rolls(&self, same: &str, dice: &str) -> impl DoubleEndedIterator<Item = (&Record, &Roll)> {
        let same = self.rolls.get(&(same.to_owned(), dice.to_owned())).map_or(&[][..], Vec::as_slice);
        same.iter().filter_map(|seq| match self.get(*seq)? {
            record @ Record { entry: Entry::Roll(roll), .. } => Some((record, roll)),
            _ => None,
        })
    }
}

fn seats(cast: &[Cast]) -> SeatSet {
    cast.iter().map(|cast| cast.seat).collect()
}
