//! What one viewer is sent: their own projection of a table, and nothing else.
//!
//! Everything here is numbered for one viewer alone. The numbers of asks, lines
//! and versions grow only with what this viewer may see, so that no gap tells
//! that something happened elsewhere.

use crate::{
    page,
    room::{Clock, Waited, same_ask},
    settings::Settings,
};
use fracas_kernel::{AskId, AskInfo, Now, RollInfo, Seat, Viewer};
use fracas_store::Member;
use fracas_table::{LineTo, SeenBy, Table, What};
use std::{collections::BTreeMap, fmt, sync::Arc};

/// Lines that a page begins with; older ones are a click away.
pub(crate) const TAIL: usize = 60;

/// The last of what happened that the moment shows beside what is waited for.
const LATELY: usize = 4;

/// The last asks that are remembered when they are no longer open: an answer to one may be on
/// its way.
const CLOSED: usize = 8;

/// The last throws that the moment shows above what is asked.
const THROWN: usize = 3;

/// The last words of others that it shows there.
const SAID: usize = 2;

/// What is around a table that is no part of its log.
pub(crate) struct Surroundings<'r> {
    pub(crate) settings: &'r Settings,
    /// Streams open for each role.
    pub(crate) present: &'r BTreeMap<Viewer, usize>,
    /// Who wait at the door.
    pub(crate) knocking: &'r [Member],
    /// The seat as which the machine goes round in circles.
    pub(crate) stuck: Option<Seat>,
    /// Something was taken back: the machine waits until somebody acts.
    pub(crate) held: bool,
    /// The machine waits until the first of those who play has come in.
    pub(crate) unbegun: bool,
    /// Since when play waits for what it waits for.
    pub(crate) clock: &'r Clock,
}

/// One line as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentLine {
    /// As HTML.
    pub(crate) html: String,
    /// To be read out.
    pub(crate) said: String,
    /// Whether it is of the viewer's own doing.
    pub(crate) own: bool,
}

/// Whose doing a line is.
fn doer(what: &What) -> Option<Seat> {
    match what {
        What::Fiat | What::Answer { by_gm: true, .. } | What::Roll { by_gm: true, .. } => Some(Seat::Gm),
        What::Answer { auto: Some(_), .. } | What::Opened => None,
        What::Answer { seat, .. } | What::Standing { seat, .. } => Some(*seat),
        What::Note { by, .. } | What::Rewind { by } => Some(*by),
        What::Roll { whose, .. } => Some(*whose),
    }
}

/// A number in few letters.
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

/// Where somebody stands: as their page, the API and ids of streams name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    /// Which opening of the table.
    pub(crate) opening: u64,
    /// Grows by one whenever anything changes of what the viewer is sent.
    pub(crate) version: u64,
}

impl Mark {
    pub(crate) fn read(text: &str) -> Option<Mark> {
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
pub(crate) struct Sent {
    /// Another one as soon as anything below changes.
    pub(crate) mark: Mark,
    /// Grows when lines already sent have changed: something was taken back.
    pub(crate) epoch: u64,
    /// Who sits here, and whose turn it is.
    pub(crate) head: String,
    /// Characters, things and scenes.
    pub(crate) cast: String,
    /// What is asked, of whom.
    pub(crate) moment: String,
    /// What else this viewer may do.
    pub(crate) tools: String,
    /// For whom they may write.
    pub(crate) whom: String,
    /// What is to be read out when the moment has changed.
    pub(crate) calls: String,
    /// Whether this viewer is waited for.
    pub(crate) due: bool,
    /// The story, line by line.
    pub(crate) lines: Arc<Vec<Arc<SentLine>>>,
}

/// What somebody said beside an answer.
struct Beside {
    by: Seat,
    words: String,
    /// The answer began a turn.
    begins: bool,
}

/// One viewer's projection.
pub(crate) struct Sight {
    who: Viewer,
    /// Which opening of the table: names from before it name nothing now.
    opening: u64,
    /// Open asks as this viewer calls them.
    asks: Vec<(AskId, String)>,
    /// Asks that were open before, the latest last.
    closed: Vec<(AskId, String)>,
    /// What these asks want.
    open: Vec<AskInfo>,
    /// The roll that is due, and as this viewer calls it.
    roll: Option<(Waited, RollInfo, String)>,
    /// Lines of the log that were read.
    read: u64,
    rewinds: u64,
    /// How often somebody had been called otherwise: then lines are told with other names.
    namings: usize,
    lines: Arc<Vec<Arc<SentLine>>>,
    /// The last that happened, as HTML, for whoever has nothing to answer.
    lately: Vec<String>,
    /// The dice that fell since the viewer answered, as HTML: what is asked next is of them.
    thrown: Vec<String>,
    /// What others said since the viewer answered, as HTML.
    spoken: Vec<String>,
    /// The last words that another said beside an answer.
    told: Option<Beside>,
    /// Such words, with the asks of the gamemaster that opened then.
    words: Vec<(AskId, String)>,
    epoch: u64,
    sent: Option<Arc<Sent>>,
    /// As of when it was sent: while nothing moves, it is not drawn again.
    stamp: u64,
}

impl Sight {
    pub(crate) fn new(who: Viewer, opening: u64) -> Sight {
        Sight {
            who,
            opening,
            asks: Vec::new(),
            closed: Vec::new(),
            open: Vec::new(),
            roll: None,
            read: 0,
            rewinds: 0,
            namings: 0,
            lines: Arc::default(),
            lately: Vec::new(),
            thrown: Vec::new(),
            spoken: Vec::new(),
            told: None,
            words: Vec::new(),
            epoch: 0,
            sent: None,
            stamp: 0,
        }
    }

    /// The open ask that this viewer calls so.
    pub(crate) fn ask(&self, called: &str) -> Option<AskId> {
        self.asks.iter().find(|(_, name)| name == called).map(|(id, _)| *id)
    }

    /// The ask that this viewer called so, of the last that were open.
    pub(crate) fn closed(&self, called: &str) -> Option<AskId> {
        self.closed.iter().rfind(|(_, name)| name == called).map(|(id, _)| *id)
    }

    /// What this viewer calls the roll that is due.
    pub(crate) fn roll(&self) -> Option<&str> {
        self.roll.as_ref().map(|(.., name)| name.as_str())
    }

    /// How many dice are due, if this viewer is shown that they are.
    pub(crate) fn dice_due(&self) -> Option<usize> {
        self.roll.as_ref().map(|(_, roll, _)| roll.dice.len())
    }

    /// What this viewer is sent now.
    pub(crate) fn look(&mut self, table: &Table, around: &Surroundings<'_>, stamp: u64) -> Arc<Sent> {
        if let Some(sent) = self.sent.as_ref().filter(|_| self.stamp == stamp) {
            return sent.clone();
        }
        self.stamp = stamp;
        let (rewinds, epoch) = (self.rewinds, self.epoch);
        self.read(table);
        self.name_asks(table, self.rewinds != rewinds && self.epoch == epoch);
        self.name_roll(table);
        let glance = self.glance(table, around);
        let mut now = Sent {
            mark: Mark { opening: self.opening, version: 0 },
            epoch: self.epoch,
            head: page::head(&glance).into_string(),
            cast: page::cast(&glance).into_string(),
            moment: page::moment(&glance).into_string(),
            tools: page::tools(&glance).into_string(),
            whom: page::whom(&glance).into_string(),
            calls: page::calls(&glance),
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

    /// This viewer's look at the table, as of when it was last looked at.
    pub(crate) fn glance<'g>(&'g self, table: &'g Table, around: &'g Surroundings<'g>) -> page::Glance<'g> {
        let Sight { who, asks, lately, thrown, spoken, words, .. } = self;
        page::Glance {
            table,
            around,
            who: *who,
            asks,
            roll: self.roll(),
            opened: None,
            lately,
            thrown,
            spoken,
            words,
        }
    }

    /// Reads on in the log; from its beginning, where something was taken back.
    fn read(&mut self, table: &Table) {
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
            (self.lately, self.thrown, self.spoken, self.told) = Default::default();
        }
        for record in log.records().iter().skip(from as usize) {
            if let Some(mut line) = record.to(self.who) {
                line.n = lines.len() as u64;
                lines.push(Arc::new(self.tell(table, &line)));
                self.fall(table, &line);
                // What somebody wrote themself is none to them.
                let wrote = matches!(line.what, What::Note { .. }) && self.does(&line);
                if page::is_news(&line) && !wrote {
                    happened.push(line);
                }
            }
        }
        for line in &happened[happened.len().saturating_sub(LATELY)..] {
            self.lately.push(page::news(table, self.who, line).into_string());
        }
        self.lately.drain(..self.lately.len().saturating_sub(LATELY));
        if rewound && !lines.starts_with(&self.lines) {
            self.epoch += 1;
        }
        (self.rewinds, self.namings) = (log.rewinds(), log.namings());
        self.read = log.next();
        self.lines = Arc::new(lines);
    }

    /// Whether a line is of this viewer's own doing.
    fn does(&self, line: &LineTo) -> bool {
        doer(&line.what).map(Viewer::Seat) == Some(self.who)
    }

    /// Remembers what others said until the viewer answers, and dice that fell until
    /// then, or until another turn begins.
    fn fall(&mut self, table: &Table, line: &LineTo) {
        if line.struck {
            return;
        }
        let own = self.does(line);
        let told = |kept: &mut Vec<String>, most: usize| {
            kept.push(page::news(table, self.who, line).into_string());
            kept.drain(..kept.len().saturating_sub(most));
        };
        match &line.what {
            What::Roll { faces, .. } if !faces.is_empty() => told(&mut self.thrown, THROWN),
            What::Answer { .. } | What::Fiat if own => {
                self.thrown.clear();
                self.spoken.clear();
                self.told = None;
            }
            // An answer that nobody was asked for may begin a turn as well as any.
            What::Answer { .. } | What::Fiat if line.shown.iter().any(|shown| shown.opens) => {
                self.thrown.clear();
                self.told = None;
            }
            _ => {}
        }
        if let What::Answer { seat, auto: None, .. } = line.what
            && !own
        {
            let text = line.text.clone().filter(|text| !text.trim().is_empty());
            // An answer of theirs without words is about something else.
            if text.is_some() || self.told.as_ref().is_some_and(|said| said.by == seat) {
                let begins = line.shown.iter().any(|shown| shown.opens);
                self.told = text.map(|words| Beside { by: seat, words, begins });
            }
        }
        if !own && line.text.as_deref().is_some_and(|text| !text.trim().is_empty()) {
            told(&mut self.spoken, SAID);
        }
    }

    fn tell(&self, table: &Table, line: &LineTo) -> SentLine {
        let html = page::line(table, self.who, line).into_string();
        SentLine { html, said: page::said(table, self.who, line), own: self.does(line) }
    }

    /// Names the roll that is due by how many lines this viewer had seen; a roll that they
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

    /// Names open asks by how many lines this viewer had seen when they opened. Where
    /// something was taken back unheard, what is asked before and after keeps its name.
    fn name_asks(&mut self, table: &Table, unheard: bool) {
        let open: Vec<AskInfo> = match table.game().now_to(self.who) {
            Now::Asks(mut asks) => {
                let mine = |ask: &AskInfo| ask.who.seats().iter().any(|s| Viewer::Seat(s) == self.who);
                asks.retain(|ask| self.who.is_gm() || mine(ask));
                asks
            }
            _ => Vec::new(),
        };
        let were = std::mem::take(&mut self.open);
        let before = std::mem::take(&mut self.asks);
        let seen = format!("{}-{}", base_36(self.opening), self.lines.len());
        let taken =
            |asks: &[(AskId, String)], name: &str| asks.iter().chain(&before).any(|(_, other)| other == name);
        let mut asks: Vec<(AskId, String)> = Vec::new();
        let said_before = std::mem::take(&mut self.words);
        for ask in &open {
            let id = ask.id;
            let was = were.iter().find(|was| unheard && same_ask(Some(was), Some(ask))).map(|was| was.id);
            let kept = |id: AskId| before.iter().find(|(old, _)| *old == id).map(|(_, name)| name.clone());
            let name = kept(id).or_else(|| kept(was?));
            let words = match name {
                Some(_) => said_before.iter().find(|(old, _)| *old == id || Some(*old) == was),
                None => None,
            };
            let words = words.map(|(_, words)| words).or_else(|| {
                let anew = self.who.is_gm() && name.is_none() && ask.who.seats().contains(Seat::Gm);
                self.told.as_ref().filter(|_| anew).map(|said| &said.words)
            });
            self.words.extend(words.map(|words| (id, words.clone())));
            let name =
                name.or_else(|| (1u32..).map(|n| format!("{seen}.{n}")).find(|name| !taken(&asks, name)));
            asks.push((id, name.unwrap_or_default()));
        }
        // What is said beside an answer that begins a turn is about that alone, and not about
        // what is done in the turn.
        self.told.take_if(|said| said.begins);
        self.closed.extend(before.into_iter().filter(|was| !asks.iter().any(|now| now == was)));
        self.closed.drain(..self.closed.len().saturating_sub(CLOSED));
        (self.asks, self.open) = (asks, open);
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
