//! The projection of a table for one viewer: everything that the viewer is sent.
//!
//! Everything here is numbered for one viewer alone. The numbers of asks, lines and versions
//! grow only with what this viewer may see, so no gap shows that something happened
//! elsewhere.

use crate::clock::Waited;
use crate::glance::{Glance, Surroundings};
use fracas_kernel::{AskId, AskInfo, Now, RollInfo, Seat, Stage, Viewer};
use fracas_table::{Entry, LineTo, SeenBy, Table, What};
use std::cell::OnceCell;
use std::{fmt, sync::Arc};

/// The most lines that a page begins with; older ones are a click away.
pub const TAIL: usize = 60;

/// The most lines of [`Sight::lately`].
const LATELY: usize = 4;

/// How many closed asks are remembered: an answer to one may be on its way.
const CLOSED: usize = 8;

/// The most throws that the moment shows above the ask.
const THROWN: usize = 3;

/// The most words of others that it shows there.
const SAID: usize = 2;

/// Draws what viewers are sent. A live table knows no HTML.
pub trait Draw: Send + Sync {
    /// The regions of a table's page.
    fn regions(&self, glance: &Glance<'_>) -> Regions;
    /// A line of the story.
    fn line(&self, table: &Table, who: Viewer, line: &LineTo) -> Drawn;
    /// A line that stands alone, beside the ask.
    fn news(&self, table: &Table, who: Viewer, line: &LineTo) -> String;
}

/// The regions of a table's page for one viewer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// The people, and whose turn it is.
    pub head: String,
    /// Cards of characters, things and scenes.
    pub cast: String,
    /// The table drawn.
    pub stage: String,
    /// The asks, and whom they are for.
    pub moment: String,
    /// Further actions that are open to this viewer.
    pub tools: String,
    /// The choice of readers for their notes.
    pub whom: String,
    /// What only the gamemaster sees.
    pub desk: String,
    /// What lies over a stream's video: for spectators alone.
    pub overlay: String,
    /// The text to be read aloud when the moment changes.
    pub calls: String,
    /// The names of the asks or of the roll in `calls`: another ask in the same words is read
    /// aloud too.
    pub calls_of: Vec<String>,
}

/// A line of the story as drawn.
pub struct Drawn {
    /// The line as HTML.
    pub html: String,
    /// The line as text to be read aloud.
    pub said: String,
}

/// One line of the story, as sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentLine {
    /// The line as HTML.
    pub html: String,
    /// The line as text to be read aloud.
    pub said: String,
    /// Whether the viewer themself did it.
    pub own: bool,
}

/// Whether a line records something that happened or was written.
fn is_news(line: &LineTo) -> bool {
    let tells = matches!(&line.what, What::Roll { .. } | What::Rewind { .. } | What::Note { .. });
    !line.struck && (tells || !line.shown.is_empty())
}

/// Whether dice fell before the viewer's eyes.
fn shows_dice(line: &LineTo) -> bool {
    matches!(&line.what, What::Roll { faces, .. } if !faces.is_empty())
}

/// Whether a line tells more than dice and counts.
fn tells_more(line: &LineTo) -> bool {
    let is_written = line.text.as_deref().is_some_and(|text| !text.trim().is_empty());
    is_written || matches!(line.what, What::Rewind { .. }) || line.shown.iter().any(|shown| !shown.working)
}

/// The seat that did what a line records.
fn doer(what: &What) -> Option<Seat> {
    match what {
        What::Fiat | What::Answer { by_gm: true, .. } | What::Roll { by_gm: true, .. } => Some(Seat::Gm),
        What::Answer { auto: Some(_), .. } | What::Opened => None,
        What::Answer { seat, .. } | What::Standing { seat, .. } => Some(*seat),
        What::Note { by, .. } | What::Rewind { by } => Some(*by),
        What::Roll { whose, .. } => Some(*whose),
    }
}

/// A number in few characters.
pub(crate) fn base_36(mut n: u64) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut text = String::new();
    loop {
        text.insert(0, char::from(DIGITS[(n % 36) as usize]));
        n /= 36;
        if n == 0 {
            return text;
        }
    }
}

/// A viewer's position, in pages, the API and ids of streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The number of the table's opening.
    pub opening: u64,
    /// Grows by one with each change of what the viewer is sent.
    pub version: u64,
}

impl Mark {
    /// Reads a position that [`fmt::Display`] wrote.
    pub fn read(text: &str) -> Option<Mark> {
        let (opening, version) = text.split_once('-')?;
        Some(Mark { opening: u64::from_str_radix(opening, 36).ok()?, version: version.parse().ok()? })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", base_36(self.opening), self.version)
    }
}

/// Everything that a viewer is sent, as of one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Changes with anything below.
    pub mark: Mark,
    /// Grows when lines already sent have changed, as by a rewind.
    pub epoch: u64,
    /// The page beside the story.
    pub regions: Regions,
    /// The table as it is drawn.
    pub stage: Stage,
    /// Whether play waits for this viewer.
    pub due: bool,
    /// The story, line by line.
    pub lines: Arc<Vec<Arc<SentLine>>>,
}

/// The words beside an answer.
struct Beside {
    by: Seat,
    words: String,
    /// Whether the answer began a turn.
    begins: bool,
}

/// One viewer's projection, from look to look.
pub(crate) struct Sight {
    who: Viewer,
    /// The number of the table's opening: names from earlier openings are not valid.
    opening: u64,
    /// Open asks with this viewer's names for them.
    asks: Vec<(AskId, String)>,
    /// The same by [`Table::lasting`].
    named: Vec<(AskId, String)>,
    /// Asks that were open before, by [`Table::lasting`], the latest last.
    closed: Vec<(AskId, String)>,
    /// The roll that is due, with this viewer's name for it.
    roll: Option<(Waited, RollInfo, String)>,
    /// How many lines of the log have been read.
    read: u64,
    rewinds: u64,
    /// How many times a seat had been renamed: then lines are drawn with the new names.
    namings: usize,
    lines: Arc<Vec<Arc<SentLine>>>,
    /// The latest lines as HTML, for a viewer with nothing to answer.
    lately: Vec<String>,
    /// The dice that fell since the viewer answered, as HTML: the next ask is about them.
    thrown: Vec<String>,
    /// The words of others since the viewer answered, as HTML.
    spoken: Vec<String>,
    /// The last line with dice.
    fell: Option<LineTo>,
    /// The last line that tells more than dice and counts.
    latest: Option<LineTo>,
    /// The latest words of another seat beside an answer.
    last_words: Option<Beside>,
    /// Such words, with the gamemaster's asks that opened then.
    words: Vec<(AskId, String)>,
    epoch: u64,
    sent: Option<Arc<Sent>>,
    /// The room's stamps when the log was last read and when the regions were last drawn:
    /// while a stamp stays, that is not done again.
    stamps: Stamps,
}

#[derive(Default)]
struct Stamps {
    read: u64,
    drawn: u64,
}

impl Sight {
    pub(crate) fn new(who: Viewer, opening: u64) -> Sight {
        Sight {
            who,
            opening,
            asks: Vec::new(),
            named: Vec::new(),
            closed: Vec::new(),
            roll: None,
            read: 0,
            rewinds: 0,
            namings: 0,
            lines: Arc::default(),
            lately: Vec::new(),
            thrown: Vec::new(),
            spoken: Vec::new(),
            fell: None,
            latest: None,
            last_words: None,
            words: Vec::new(),
            epoch: 0,
            sent: None,
            stamps: Stamps::default(),
        }
    }

    /// The open ask with this name.
    pub(crate) fn ask(&self, called: &str) -> Option<AskId> {
        self.asks.iter().find(|(_, name)| name == called).map(|(id, _)| *id)
    }

    /// The ask with this name among the last that were open, by [`Table::lasting`].
    pub(crate) fn closed(&self, called: &str) -> Option<AskId> {
        self.closed.iter().rfind(|(_, name)| name == called).map(|(id, _)| *id)
    }

    /// This viewer's name for the roll that is due.
    pub(crate) fn roll(&self) -> Option<&str> {
        self.roll.as_ref().map(|(.., name)| name.as_str())
    }

    /// How many dice are due, if this viewer is shown that they are.
    pub(crate) fn dice_due(&self) -> Option<usize> {
        self.roll.as_ref().map(|(_, roll, _)| roll.dice.len())
    }

    /// Reads the log on and names what is asked now. It draws new lines of the story, and
    /// nothing else.
    pub(crate) fn read_on(&mut self, table: &Table, draw: &dyn Draw, stamp: u64) {
        if std::mem::replace(&mut self.stamps.read, stamp) == stamp {
            return;
        }
        self.read(table, draw);
        self.name_asks(table);
        self.name_roll(table);
    }

    /// How many lines this viewer has been shown.
    pub(crate) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Everything that this viewer is sent now.
    pub(crate) fn look(
        &mut self,
        table: &Table,
        around: &Surroundings<'_>,
        draw: &dyn Draw,
        stamp: u64,
    ) -> Arc<Sent> {
        self.read_on(table, draw, stamp);
        let is_drawn = std::mem::replace(&mut self.stamps.drawn, stamp) == stamp;
        if let Some(sent) = self.sent.as_ref().filter(|_| is_drawn) {
            return sent.clone();
        }
        let glance = self.glance(table, around);
        let mut now = Sent {
            mark: Mark { opening: self.opening, version: 0 },
            epoch: self.epoch,
            regions: draw.regions(&glance),
            stage: glance.stage().clone(),
            due: glance.is_due(),
            lines: self.lines.clone(),
        };
        if let Some(sent) = &self.sent {
            now.mark = sent.mark;
            if now == **sent {
                return sent.clone();
            }
            now.mark.version += 1;
        }
        let sent = Arc::new(now);
        self.sent = Some(sent.clone());
        sent
    }

    /// The table as this viewer saw it at the last look.
    pub(crate) fn glance<'g>(&'g self, table: &'g Table, around: &'g Surroundings<'g>) -> Glance<'g> {
        let Sight { who, asks, lately, thrown, spoken, words, .. } = self;
        let (fell, latest, roll) = (self.fell.as_ref(), self.latest.as_ref(), self.roll());
        let drawn = OnceCell::new();
        Glance { table, around, who: *who, asks, roll, lately, thrown, spoken, fell, latest, words, drawn }
    }

    /// Reads the log on; from its beginning after a rewind.
    fn read(&mut self, table: &Table, draw: &dyn Draw) {
        let log = table.log();
        if self.read == log.next() {
            return;
        }
        let rewound = self.rewinds != log.rewinds();
        let anew = rewound || self.namings != log.namings();
        let mut lines: Vec<Arc<SentLine>> = if anew { Vec::new() } else { self.lines.to_vec() };
        let from = if anew { 0 } else { self.read };
        let mut happened: Vec<LineTo> = Vec::new();
        if anew {
            (self.lately, self.thrown, self.spoken, self.last_words) = Default::default();
            (self.fell, self.latest) = Default::default();
        }
        for record in log.records().iter().skip(from as usize) {
            if let Some(mut line) = record.to(self.who) {
                line.n = lines.len() as u64;
                let Drawn { html, said } = draw.line(table, self.who, &line);
                lines.push(Arc::new(SentLine { html, said, own: self.is_doer(&line) }));
                self.remember(table, draw, &line);
                // A viewer's own note is not news to them.
                let wrote = matches!(line.what, What::Note { .. }) && self.is_doer(&line);
                if is_news(&line) && !wrote {
                    happened.push(line);
                }
            }
        }
        let last = |fits: fn(&LineTo) -> bool| happened.iter().rfind(|line| fits(line)).cloned();
        self.fell = last(shows_dice).or_else(|| self.fell.take());
        self.latest = last(tells_more).or_else(|| self.latest.take());
        for line in &happened[happened.len().saturating_sub(LATELY)..] {
            self.lately.push(draw.news(table, self.who, line));
        }
        self.lately.drain(..self.lately.len().saturating_sub(LATELY));
        if rewound && !lines.starts_with(&self.lines) {
            self.epoch += 1;
        }
        (self.rewinds, self.namings) = (log.rewinds(), log.namings());
        self.read = log.next();
        self.lines = Arc::new(lines);
    }

    /// Whether this viewer did what a line records.
    fn is_doer(&self, line: &LineTo) -> bool {
        doer(&line.what).map(Viewer::Seat) == Some(self.who)
    }

    /// Remembers the words of others and the dice until the viewer answers or another turn
    /// begins.
    fn remember(&mut self, table: &Table, draw: &dyn Draw, line: &LineTo) {
        if line.struck {
            return;
        }
        let own = self.is_doer(line);
        let keep = |kept: &mut Vec<String>, most: usize| {
            kept.push(draw.news(table, self.who, line));
            kept.drain(..kept.len().saturating_sub(most));
        };
        match &line.what {
            What::Roll { faces, .. } if !faces.is_empty() => keep(&mut self.thrown, THROWN),
            What::Answer { .. } | What::Fiat if own => {
                self.thrown.clear();
                self.spoken.clear();
                self.last_words = None;
            }
            // An unasked answer may begin a turn like any other.
            What::Answer { .. } | What::Fiat if line.shown.iter().any(|shown| shown.opens) => {
                self.thrown.clear();
                self.last_words = None;
            }
            _ => {}
        }
        if let What::Answer { seat, auto: None, .. } = line.what
            && !own
        {
            let text = line.text.clone().filter(|text| !text.trim().is_empty());
            // An answer without words is about something else, unless another seat only passes.
            let is_same = |said: &Beside| said.by != seat && is_idle(table, line);
            if text.is_some() || !self.last_words.as_ref().is_some_and(is_same) {
                let begins = line.shown.iter().any(|shown| shown.opens);
                self.last_words = text.map(|words| Beside { by: seat, words, begins });
            }
        }
        if !own && line.text.as_deref().is_some_and(|text| !text.trim().is_empty()) {
            keep(&mut self.spoken, SAID);
        }
    }

    /// Names the roll that is due by how many lines this viewer had seen. A roll that they
    /// are not shown has no name.
    fn name_roll(&mut self, table: &Table) {
        let at = Waited::roll(table);
        self.roll = match (table.game().now_to(self.who), self.roll.take()) {
            (Now::Roll(roll), _) if !SeenBy::from(roll.seen).by(self.who) => None,
            (Now::Roll(roll), Some((was, due, name))) if was == at && due == roll => Some((at, roll, name)),
            (Now::Roll(roll), _) => {
                Some((at, roll, format!("roll-{}-{}", base_36(self.opening), self.lines.len())))
            }
            _ => None,
        };
    }

    /// Names open asks by how many lines this viewer had seen when they opened. Through a
    /// rewind that this viewer is not told of, an ask keeps its name.
    fn name_asks(&mut self, table: &Table) {
        let open: Vec<AskInfo> = match table.game().now_to(self.who) {
            Now::Asks(mut asks) => {
                let mine = |ask: &AskInfo| ask.who.seats().iter().any(|s| Viewer::Seat(s) == self.who);
                asks.retain(|ask| self.who.is_gm() || mine(ask));
                asks
            }
            _ => Vec::new(),
        };
        let before = std::mem::take(&mut self.named);
        let seen = format!("{}-{}", base_36(self.opening), self.lines.len());
        let said_before = std::mem::take(&mut self.words);
        self.asks.clear();
        for ask in &open {
            let lasting = table.lasting(ask.id, self.who);
            let kept = before.iter().find(|(old, _)| *old == lasting).map(|(_, name)| name.clone());
            let words = kept.as_ref().and_then(|_| said_before.iter().find(|(old, _)| *old == ask.id));
            let words = words.map(|(_, words)| words).or_else(|| {
                let anew = self.who.is_gm() && kept.is_none() && ask.who.seats().contains(Seat::Gm);
                self.last_words.as_ref().filter(|_| anew).map(|said| &said.words)
            });
            self.words.extend(words.map(|words| (ask.id, words.clone())));
            let is_free = |name: &String| !self.named.iter().chain(&before).any(|(_, other)| other == name);
            let name = kept.or_else(|| (1u32..).map(|n| format!("{seen}.{n}")).find(is_free));
            let name = name.unwrap_or_default();
            self.named.push((lasting, name.clone()));
            self.asks.push((ask.id, name));
        }
        // Words beside an answer that begins a turn are about that answer alone, not about
        // the rest of the turn.
        self.last_words.take_if(|said| said.begins);
        self.closed.extend(before.into_iter().filter(|was| !self.named.contains(was)));
        self.closed.drain(..self.closed.len().saturating_sub(CLOSED));
    }
}

/// Whether the answer of a line, as the gamemaster reads it, does nothing.
fn is_idle(table: &Table, line: &LineTo) -> bool {
    let records = table.log().records();
    let record = line.seq.and_then(|seq| records.iter().rev().find(|record| record.seq == seq));
    match record.map(|record| &record.entry) {
        Some(Entry::Answer(answer)) => table.game().is_idle(answer.answer.get()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Mark;

    #[test]
    fn marks_are_read_as_written() {
        for (opening, version) in [(0, 0), (35, 7), (36, 1), (u64::MAX, 12)] {
            let mark = Mark { opening, version };
            assert_eq!(Mark::read(&mark.to_string()), Some(mark));
        }
        assert_eq!(Mark::read("x"), None);
    }
}
